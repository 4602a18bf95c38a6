//! The interpreter: runs a kernel on many lanes at once, at any word size, and checks what the kernel owes.
//!
//! A kernel is prepared once ([`Interpreter::new`]); a [`Batch`] holds the parameters' elements as lane vectors, and
//! [`Interpreter::run`] executes every statement on all lanes before the next one, so that each operation is one short
//! loop that the compiler vectorises. Lanes are `u16`, `u64` or `u128`, the narrowest that holds every type of the
//! kernel; a kernel of bits alone is bit-sliced, 64 lanes a machine word.
//!
//! Every exact operation is checked: a result that leaves its type is reported with its lane and statement, as are
//! indices outside of arrays and look-ups outside of tables. [`Interpreter::checking_ranges`] also checks every
//! interval that the kernel stores (loop invariants included). Execution goes on after a fault.
//!
//! Values are patterns of their type's bits: a value whose interval reaches below 0 is read in two's complement.
//!
//! The kernel must be one that [`verify`](crate::verify::verify) accepts; others may panic (never do anything unsafe).
//!
//! Rate, in statements of the kernel times lanes per second, on one core of a Xeon (Sapphire Rapids generation) without
//! special compiler flags, as `cargo run --release -p evariste-ir --example rate` prints it: words of up to 16 bits 17
//! G/s (additions, masks, selections) and 2.8 G/s (products of digits); words of 64 bits 3 G/s and 1.3 G/s; bit-sliced
//! 200 G/s. Every input of a product of two words, contract checked by
//! [`ClaimChecker`]: 60 million inputs a second of processor time, so 10^9 evaluations take some 15 seconds.

mod batch;
mod bit_ops;
mod claim_blocks;
pub mod claims;
mod divisor;
pub mod exhaust;
mod lane;
mod machine;
mod program;
mod word_ops;

use std::fmt;

use num_bigint::BigInt;

pub use batch::Batch;
pub use claim_blocks::ClaimChecker;
pub use claims::{inadmissible, refute, violates};
pub use exhaust::{Axis, Product};

use crate::kernel::{ArrayKind, Kernel, Type};
use lane::Bits;
use program::{Program, prepare};

/// What went wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// An exact operation's result does not fit its type.
    LeftType,
    /// A value outside of the interval that the kernel states (range-checking mode).
    OutsideRange,
    /// A carried value outside of the loop's invariant on entry (range-checking mode).
    InvariantAtEntry,
    /// A carried value outside of the loop's invariant after an iteration (range-checking mode).
    InvariantAtStep,
    /// A secret index outside of its table.
    Lookup,
    /// A public index outside of its array, or a negative shift amount.
    Index,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fault::LeftType => "the exact result does not fit its type",
            Fault::OutsideRange => "a value leaves its stated range",
            Fault::InvariantAtEntry => "a carried value breaks the loop's invariant on entry",
            Fault::InvariantAtStep => "a carried value breaks the loop's invariant after an iteration",
            Fault::Lookup => "a look-up outside of its table",
            Fault::Index => "an index outside of its array",
        })
    }
}

/// A fault with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The kernel in whose body it happened.
    pub kernel: String,
    /// The statement: its index in the body, then in the loop's body, and so on.
    pub path: Vec<u32>,
    /// The calls that led there: kernel and statement, outermost first.
    pub callers: Vec<(String, Vec<u32>)>,
    /// The first lane where it happened.
    pub lane: usize,
    /// What happened.
    pub fault: Fault,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = |p: &[u32]| p.iter().map(u32::to_string).collect::<Vec<_>>().join(".");
        write!(f, "{} in {}, statement {}", self.fault, self.kernel, path(&self.path))?;
        for (name, p) in self.callers.iter().rev() {
            write!(f, ", called by {name}, statement {}", path(p))?;
        }
        Ok(())
    }
}

/// What a run found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// The first faults ([`Report::MOST`] at most), in order of execution.
    pub violations: Vec<Violation>,
    /// Bit `i` of word `i / 64`: lane `i` had a fault. Empty when there was none.
    pub bad: Vec<u64>,
}

impl Report {
    /// Faults that are described; the lanes of all faults are in `bad`.
    pub const MOST: usize = 16;

    /// Had no lane a fault?
    pub fn is_clean(&self) -> bool {
        self.bad.is_empty()
    }

    /// Had this lane a fault?
    pub fn lane_is_bad(&self, lane: usize) -> bool {
        self.bad.get(lane / 64).is_some_and(|w| w >> (lane % 64) & 1 == 1)
    }
}

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
        let (prepared, total_slots, lane_bits) = match widest(kernel) {
            1 if is_bits(kernel) => {
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
    pub fn run_one(&self, inputs: &[(&str, Vec<BigInt>)]) -> Result<Vec<(String, Vec<BigInt>)>, RunError> {
        let mut batch = self.batch(1);
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
                batch.set(array, i as u32, 0, program::constant_pattern(v, info.ty));
            }
        }
        let report = self.run(&mut batch);
        if let Some(v) = report.violations.into_iter().next() {
            return Err(RunError::Violation(v));
        }
        let written = self.kernel.params().filter(|a| !matches!(self.kernel.array(*a).kind, ArrayKind::Input));
        Ok(written.map(|a| (self.kernel.array(a).name.clone(), self.values(&batch, a, 0))).collect())
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
        Type::Float(m) => BigInt::from_f64(word_ops::number(pattern, m).floor()).unwrap_or_default(),
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
