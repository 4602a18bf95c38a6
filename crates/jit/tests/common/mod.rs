//! Runs programs in this process beside the interpreter: many vectors, every allowed way in which arrays are the same.
#![allow(dead_code)]

pub mod forms;
pub mod judge;
mod lane_mutants;
#[cfg(all(target_arch = "x86_64", not(windows)))]
pub mod processor;

#[allow(unused_imports)]
pub use lane_mutants::{Judged, lane_mutants};

use evariste_codegen::check::Report;
use evariste_codegen::isa::Isa;
use evariste_codegen::program::{Lanes, Program as IsaProgram};
use evariste_codegen::x86_64::Program;
use evariste_ir::{Array, ArrayKind, Interpreter, Kernel};
use evariste_jit::{Function, JitError};
pub use evariste_testing::Random as Rng;
use evariste_testing::machine::Callable;
use num_bigint::BigInt;

/// The code of a program that the checker has accepted, for a kernel that nobody proved.
pub fn load(_accepted: Report, program: &Program) -> Result<Callable, JitError> {
    // SAFETY: the checker has accepted the program; that it keeps to its arrays rests on its constants alone, whatever
    // the kernel is.
    Callable::of(unsafe { Function::from_unchecked(program) }, program)
}

/// One pattern of aliasing with inputs and what the interpreter makes of them.
pub struct Run {
    /// For each parameter: the parameter whose array it shares (itself, where it has its own).
    class: Vec<usize>,
    /// Contents before, by vector and parameter.
    before: Vec<Vec<Vec<u64>>>,
    /// Contents of the written parameters after, by vector and parameter.
    after: Vec<Vec<Vec<u64>>>,
}

/// Vectors for a kernel: inputs within its ranges on which every interval that the kernel states holds.
pub struct Vectors {
    runs: Vec<Run>,
}

/// Calls of emulated code with one pattern of aliasing, where the processor makes them all.
const FEW: usize = 4;

impl Vectors {
    /// At most `count` vectors for each pattern of aliasing that the program allows, one shared input at a time.
    pub fn new<I: Isa>(kernel: &Kernel, program: &IsaProgram<I>, rng: &mut Rng, count: usize) -> Vectors {
        let params: Vec<Array> = kernel.params().collect();
        let mut patterns: Vec<Vec<usize>> = vec![(0..params.len()).collect()];
        for (i, p) in program.params.iter().enumerate() {
            for (j, q) in program.params.iter().enumerate() {
                let pair = (i.min(j) as u32, i.max(j) as u32);
                if i != j
                    && p.role.is_written()
                    && !q.role.is_written()
                    && p.len == q.len
                    && p.element_bytes == q.element_bytes
                    && !program.disjoint.contains(&pair)
                {
                    let mut class: Vec<usize> = (0..params.len()).collect();
                    class[j] = i;
                    patterns.push(class);
                }
            }
        }
        Vectors { runs: patterns.into_iter().map(|class| Run::new(kernel, &params, class, rng, count)).collect() }
    }

    /// A call of code of one element for each vector: the arrays before it, and which array each parameter gets.
    pub fn calls(&self) -> Vec<(Vec<Vec<u64>>, Vec<usize>)> {
        let one = |run: &Run, before: &[Vec<u64>]| (run.shared(before.to_vec()), run.class.clone());
        self.runs.iter().flat_map(|run| run.before.iter().map(move |before| one(run, before))).collect()
    }

    /// Are the arrays after such a call what the interpreter says? `written`: the parameters that are.
    pub fn is_right(&self, call: usize, arrays: &[Vec<u64>], written: &[bool]) -> Result<(), String> {
        let all = self.runs.iter().flat_map(|run| run.before.iter().zip(&run.after).map(move |pair| (run, pair)));
        let (run, (before, after)) = all.into_iter().nth(call).ok_or("there is no such call")?;
        for (p, array) in arrays.iter().enumerate().filter(|(p, _)| run.class[*p] == *p) {
            let wanted = if written[p] { &after[p] } else { &before[p] };
            if array != wanted {
                return Err(format!("array {p} is {array:x?}, not {wanted:x?}; inputs {before:x?}, {:?}", run.class));
            }
        }
        Ok(())
    }

    /// Number of vectors in all.
    pub fn len(&self) -> usize {
        self.runs.iter().map(|r| r.before.len()).sum()
    }

    /// Runs a program that the checker accepted on every vector, and where the processor does that, in the emulator on a
    /// few.
    pub fn judge(&self, report: Report, program: &Program) -> Result<(), String> {
        let callable = load(report, program).map_err(|e| e.to_string())?;
        self.compare(&callable, program.lanes, usize::MAX)?;
        if !callable.is_native() {
            return Ok(());
        }
        let emulated = Callable::emulated(program).map_err(|e| e.to_string())?;
        self.compare(&emulated, program.lanes, FEW).map_err(|e| format!("emulated: {e}"))
    }

    /// Calls code of so many lanes on the vectors, so that each is an element at least once unless the calls do not
    /// suffice.
    pub fn compare(&self, callable: &Callable, lanes: Lanes, calls: usize) -> Result<(), String> {
        self.runs.iter().filter(|run| !run.before.is_empty()).try_for_each(|run| run.compare(callable, lanes, calls))
    }
}

impl Run {
    fn new(kernel: &Kernel, params: &[Array], class: Vec<usize>, rng: &mut Rng, count: usize) -> Run {
        let interpreter = Interpreter::checking_ranges(kernel);
        let sliced = interpreter.lane_bits() == 1;
        let lanes = if sliced { 64 * count } else { count };
        let mut batch = interpreter.batch(lanes);
        for (p, c) in class.iter().enumerate() {
            if p != *c {
                batch.alias(params[*c], params[p]);
            }
        }
        for a in params {
            let info = kernel.array(*a);
            if !matches!(info.kind, ArrayKind::Input | ArrayKind::InOut) {
                continue;
            }
            for lane in 0..lanes {
                // Everything at an edge now and then: all words 0, all at their greatest.
                let edge = rng.below(12);
                for i in 0..info.len {
                    let range = info.range(i);
                    let most = u64::try_from(&range.hi).unwrap_or(u64::MAX);
                    let x = match edge {
                        0 => 0,
                        1 => most,
                        _ => rng.edge_word() & (u64::MAX >> (64 - info.ty.bits().min(64))),
                    };
                    let x = if BigInt::from(x) > range.hi { x % (most.saturating_add(1)).max(1) } else { x };
                    batch.set(*a, i, lane, u128::from(x));
                }
            }
        }
        let read = |batch: &evariste_ir::Batch, a: Array, vector: usize| -> Vec<u64> {
            let one = |i: u32| match sliced {
                true => (0..64).fold(0, |x, lane| x | (batch.get(a, i, 64 * vector + lane) as u64) << lane),
                false => batch.get(a, i, vector) as u64,
            };
            (0..kernel.array(a).len).map(one).collect()
        };
        let all = |batch: &evariste_ir::Batch, vector: usize| {
            params.iter().map(|a| read(batch, *a, vector)).collect::<Vec<_>>()
        };
        let before: Vec<_> = (0..count).map(|v| all(&batch, v)).collect();
        let report = interpreter.run(&mut batch);
        let good = |v: usize| if sliced { report.is_clean() } else { !report.lane_is_bad(v) };
        let kept: Vec<usize> = (0..count).filter(|v| good(*v)).collect();
        Run {
            class,
            before: kept.iter().map(|v| before[*v].clone()).collect(),
            after: kept.iter().map(|v| all(&batch, *v)).collect(),
        }
    }

    /// An array that parameters share holds the input.
    fn shared(&self, mut arrays: Vec<Vec<u64>>) -> Vec<Vec<u64>> {
        for (p, c) in self.class.iter().enumerate().filter(|(p, c)| p != *c) {
            arrays[*c] = arrays[p].clone();
        }
        arrays
    }

    fn compare(&self, callable: &Callable, lanes: Lanes, calls: usize) -> Result<(), String> {
        let (count, elements) = (lanes.count as usize, lanes.elements() as usize);
        for base in (0..self.before.len()).step_by(elements).take(calls) {
            // Word i of element g·count + l lies at (g·len + i)·count + l.
            let spread = |vectors: &[Vec<Vec<u64>>], p: usize| -> Vec<u64> {
                let len = vectors[0][p].len();
                let word = |at: usize| {
                    let (lane, row) = (at % count, at / count);
                    let element = row / len * count + lane;
                    vectors[(base + element) % vectors.len()][p][row % len]
                };
                (0..len * elements).map(word).collect()
            };
            let mut arrays: Vec<Vec<u64>> = (0..self.class.len()).map(|p| spread(&self.before, p)).collect();
            arrays = self.shared(arrays);
            callable.call_shared(&mut arrays, &self.class)?;
            for (p, info) in callable.params().iter().enumerate() {
                // What is only read, and no other array lies over, must be as before.
                let wanted = spread(if info.role.is_written() { &self.after } else { &self.before }, p);
                if self.class[p] == p && arrays[p] != wanted {
                    return Err(format!(
                        "{} is {:x?}, not {wanted:x?}; the inputs were {:x?}, shared {:?}",
                        info.name, arrays[p], self.before[base], self.class
                    ));
                }
            }
        }
        Ok(())
    }
}
