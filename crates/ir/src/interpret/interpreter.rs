//! A kernel prepared to run on many lanes.

use num_bigint::BigInt;

use super::batch::Batch;
use super::program::{Program, constant_pattern, prepare};
use super::report::{Report, Violation};
use crate::float::number;
use crate::kernel::{ArrayKind, Kernel, Type};
use crate::lanes::lane::Bits;

pub(crate) enum Prepared {
    Bits(Program<Bits>),
    U16(Program<u16>),
    U64(Program<u64>),
    U128(Program<u128>),
}

/// A parameter's description, for batches and decoding.
#[derive(Clone)]
pub(crate) struct Param {
    pub len: u32,
    /// First of its slots.
    pub base: u32,
}

/// What a run wrote: the elements of each parameter, by name.
pub type Outputs = Vec<(String, Vec<BigInt>)>;

/// A kernel prepared to run.
pub struct Interpreter {
    pub(crate) prepared: Prepared,
    /// For each array of the kernel: its place among the parameters' slots.
    pub(crate) params: Vec<Option<Param>>,
    pub(crate) param_slots: u32,
    kernel: Kernel,
    /// Bits of each parameter element in order, for reading results.
    total_slots: u32,
    lane_bits: u32,
}

/// The widest type that is computed with in a kernel and its callees, in bits. (Tables count by what is loaded from
/// them: public indices are no words.)
fn widest(kernel: &Kernel) -> u32 {
    let arrays = kernel.arrays.iter().filter(|a| !matches!(a.kind, ArrayKind::Table(_))).map(|a| a.ty);
    let own = kernel.values.iter().map(|v| v.ty).chain(arrays).map(Type::bits).max().unwrap_or(1);
    kernel.callees.iter().map(|k| widest(k)).fold(own, u32::max)
}

/// Are all values non-negative single bits?
fn is_bits(kernel: &Kernel) -> bool {
    kernel.values.iter().all(|v| v.range.lo >= BigInt::ZERO) && kernel.callees.iter().all(|k| is_bits(k))
}

impl Interpreter {
    /// Prepares a kernel.
    pub fn new(kernel: &Kernel) -> Interpreter {
        Interpreter::with(kernel, false)
    }

    /// Prepares a kernel so that every stated interval is checked as well: of values, of stored elements, of loops.
    pub fn checking_ranges(kernel: &Kernel) -> Interpreter {
        Interpreter::with(kernel, true)
    }

    fn with(kernel: &Kernel, check: bool) -> Interpreter {
        // Bodies may compute with wider types than the kernel has.
        let written = kernel.all_written_out();
        let (prepared, total_slots, lane_bits) = match widest(&written) {
            1 if is_bits(&written) => {
                let p = prepare(kernel, check);
                let n = p.total_slots;
                (Prepared::Bits(p), n, 1)
            }
            0..=16 => {
                let p = prepare(kernel, check);
                let n = p.total_slots;
                (Prepared::U16(p), n, 16)
            }
            17..=64 => {
                let p = prepare(kernel, check);
                let n = p.total_slots;
                (Prepared::U64(p), n, 64)
            }
            _ => {
                let p = prepare(kernel, check);
                let n = p.total_slots;
                (Prepared::U128(p), n, 128)
            }
        };
        let mut param_slots = 0;
        let params = kernel
            .arrays
            .iter()
            .map(|a| {
                a.is_param().then(|| {
                    param_slots += a.len;
                    Param { len: a.len, base: param_slots - a.len }
                })
            })
            .collect();
        Interpreter {
            prepared,
            params,
            param_slots,
            kernel: kernel.clone(),
            total_slots: total_slots + param_slots,
            lane_bits,
        }
    }

    /// The kernel.
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// Bits of a lane: 1 (bit-sliced), 16, 64 or 128.
    pub fn lane_bits(&self) -> u32 {
        self.lane_bits
    }

    /// A number of lanes that keeps all slots in the caches: a multiple of 256, at least 256.
    pub fn block_lanes(&self) -> usize {
        let bits = self.total_slots.max(1) as usize * self.lane_bits as usize;
        // A quarter of a megabyte of slots, in 2048 lanes (or 16384 bit-sliced ones) at most.
        let most = if self.lane_bits == 1 { 16384 } else { 2048 };
        ((1 << 21) / bits / 256 * 256).clamp(256, most)
    }

    /// A batch of that many lanes (at least 1), all parameters 0.
    pub fn batch(&self, lanes: usize) -> Batch {
        Batch::new(self, lanes.max(1), self.total_slots)
    }

    /// Runs the kernel on every lane of a batch that this interpreter made. Faults do not stop the run.
    pub fn run(&self, batch: &mut Batch) -> Report {
        batch.run(&self.prepared)
    }

    /// Runs the kernel once. `inputs`: values of the input and in-out arrays by name; missing ones are 0. Gives the
    /// written parameters (outputs, in-outs, ghosts) in order.
    ///
    /// # Errors
    /// The first violation; or a description of what is wrong with the inputs.
    pub fn run_one(&self, inputs: &[(&str, Vec<BigInt>)]) -> Result<Outputs, RunError> {
        Ok(self.run_each(&[inputs])?.remove(0))
    }

    /// Runs the kernel on each of some inputs, a lane for each: what [`run_one`](Interpreter::run_one) gives for each, in a
    /// fraction of the time.
    ///
    /// # Errors
    /// The first violation in any lane; or a description of what is wrong with the inputs.
    pub fn run_each<'a>(&self, inputs: &[impl AsRef<[(&'a str, Vec<BigInt>)]>]) -> Result<Vec<Outputs>, RunError> {
        let mut batch = self.batch(inputs.len());
        for (lane, inputs) in inputs.iter().enumerate() {
            self.fill(&mut batch, lane, inputs.as_ref())?;
        }
        if let Some(v) = self.run(&mut batch).violations.into_iter().next() {
            return Err(RunError::Violation(v));
        }
        let written = || self.kernel.params().filter(|a| !matches!(self.kernel.array(*a).kind, ArrayKind::Input));
        let outputs =
            |lane| written().map(|a| (self.kernel.array(a).name.clone(), self.values(&batch, a, lane))).collect();
        Ok((0..inputs.len()).map(outputs).collect())
    }

    /// Sets the parameters in a lane.
    fn fill(&self, batch: &mut Batch, lane: usize, inputs: &[(&str, Vec<BigInt>)]) -> Result<(), RunError> {
        for (name, values) in inputs {
            let array = self.kernel.find(name).filter(|a| self.kernel.array(*a).is_param());
            let Some(array) = array else { return Err(RunError::NoParameter(name.to_string())) };
            let info = self.kernel.array(array);
            if values.len() != info.len as usize {
                return Err(RunError::Length { name: name.to_string(), given: values.len(), len: info.len });
            }
            for (i, v) in values.iter().enumerate() {
                if !crate::range::Interval::point(v.clone()).fits(info.ty) {
                    return Err(RunError::Value { name: name.to_string(), element: i, value: v.clone() });
                }
                batch.set(array, i as u32, lane, constant_pattern(v, info.ty));
            }
        }
        Ok(())
    }

    /// The elements of a parameter in one lane, read by their intervals (negative ones in two's complement; floats as
    /// the integers that they are, rounded down).
    pub fn values(&self, batch: &Batch, array: crate::kernel::Array, lane: usize) -> Vec<BigInt> {
        let info = self.kernel.array(array);
        (0..info.len).map(|i| decode(batch.get(array, i, lane), info.ty, info.range(i))).collect()
    }
}

/// The value of a pattern, by its type and interval.
pub fn decode(pattern: u128, ty: Type, range: &crate::range::Interval) -> BigInt {
    use num_traits::FromPrimitive;
    match ty {
        Type::Float(m) => BigInt::from_f64(number(pattern, m).floor()).unwrap_or_default(),
        _ if range.lo < BigInt::ZERO && pattern >> (ty.bits() - 1) & 1 == 1 => {
            BigInt::from(pattern) - crate::range::pow2(ty.bits())
        }
        _ => BigInt::from(pattern),
    }
}

/// Why a single run gave no outputs.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RunError {
    /// No parameter of that name.
    #[error("the kernel has no parameter {0}")]
    NoParameter(String),
    /// Too few or too many elements.
    #[error("{name} has {len} elements, not {given}")]
    #[allow(missing_docs)]
    Length { name: String, given: usize, len: u32 },
    /// A value that its type cannot hold.
    #[error("{name}[{element}] cannot hold {value}")]
    #[allow(missing_docs)]
    Value { name: String, element: usize, value: BigInt },
    /// The kernel broke a rule.
    #[error("{0}")]
    Violation(Violation),
}
