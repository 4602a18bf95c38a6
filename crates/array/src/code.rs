//! The code of one kernel: a function of many groups of lanes, one of a single group, and the interpreter where there
//! is neither.

use std::cell::Cell;
use std::ops::Range;
use std::sync::Arc;

use evariste_backend::{Backend, Choice, Kind, Made, Repeat};
use evariste_ir::{ArrayKind, Interpreter, Kernel};
use evariste_jit::{Argument, Function, Prefetch};
use evariste_proof::Proved;
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// What makes code of kernels; `None`: the interpreter runs them.
pub(crate) type Maker = Option<Arc<dyn Backend>>;

/// Words of memory that a digit of the elements side by side takes.
pub(crate) fn row(maker: &Maker) -> usize {
    match maker.as_ref().map(|backend| backend.entry().kind) {
        Some(Kind::Lanes { bits }) => bits as usize / 64,
        _ => 1,
    }
}

/// Bits of a digit in memory, of words of so many bits: words of 64 bits hold two digits of 32, eight of 8, 64 of one,
/// one of any other length.
pub(crate) fn digit_bits(word: u32) -> u32 {
    if matches!(word, 1 | BYTE | SHORT) { word } else { 64 }
}

/// An operand of a call on some groups.
#[derive(Clone, Copy)]
pub(crate) enum In<'a> {
    /// The output, with what is in it.
    Out,
    /// An array of as many groups.
    Words(&'a [u64]),
    /// The groups of one block, for every block.
    Constant(&'a [u64]),
}

/// One way to run a kernel.
enum Callable {
    Machine(Function),
    Interpreted(Box<Interpreter>),
}

/// The code of a kernel with one output, its first parameter.
pub(crate) struct Code {
    /// Digits of an element: of the output, then of each input.
    words: Vec<usize>,
    /// Words of memory of a digit of a group.
    row: usize,
    /// Bits of a digit in memory.
    bits: u32,
    /// Functions, by the number of groups that a call computes: many first, then 1.
    levels: Vec<(usize, Callable)>,
    /// The plan and the shape, in words.
    pub description: String,
    /// The plan is that of a ranking.
    pub ranked: bool,
}

/// Bits of digits of which two lie in a word of memory.
pub(crate) const SHORT: u32 = 32;
/// Bits of those of which eight do: on vectors alone.
pub(crate) const BYTE: u32 = 8;

/// Nodes of a kernel of which one group is enough for a call, and for the checker, which runs all groups of a call.
const LONG: usize = 5120;

/// Groups of a call of kernels that are neither long nor short.
const BLOCK: usize = 8;

/// Nodes of a kernel that takes less time than a call, when it is called for one group.
const FEW: usize = 64;

impl Code {
    /// Makes and checks the functions; `wanted` is the shape that was measured to be the fastest, as text.
    pub fn new(proved: &Proved, maker: &Maker, plan: &str, wanted: Option<&str>) -> Result<Code, String> {
        let kernel = proved.kernel();
        let words: Vec<usize> = kernel
            .params()
            .filter(|a| kernel.array(*a).kind != ArrayKind::Ghost)
            .map(|a| kernel.array(a).len as usize)
            .collect();
        let (levels, how) = match maker {
            Some(backend) if backend.entry().kind.has_lanes() => in_lanes(proved, &**backend, wanted)?,
            Some(backend) => {
                let made = backend.make(proved, &Choice { long: true, ..Choice::default() });
                (vec![(1, callable(&made.map_err(|e| e.to_string())?)?)], "scalar machine code".to_string())
            }
            None => (vec![(1, Callable::Interpreted(Box::new(Interpreter::new(kernel))))], "interpreted".to_string()),
        };
        let description = format!("{plan}, {how}");
        Ok(Code { words, row: row(maker), bits: digit_bits(kernel.word), levels, description, ranked: false })
    }

    /// Words of memory of a group of the output (0) or of an input (1, 2, …).
    fn group(&self, parameter: usize) -> usize {
        self.words.get(parameter).copied().unwrap_or(0) * self.row
    }

    /// Groups of the longest call.
    pub fn block_groups(&self) -> usize {
        self.levels.first().map_or(1, |(groups, _)| *groups)
    }

    /// Runs the kernel on every group of `out`.
    pub fn run(&self, out: &mut [u64], inputs: &[In]) -> Result<(), String> {
        self.run_prefetching(out, inputs, &[])
    }

    /// Runs the code and prefetches memory meanwhile, between calls on few groups each, since a processor waits for few
    /// cache lines at a time.
    pub fn run_prefetching(&self, out: &mut [u64], inputs: &[In], prefetches: &[Prefetch]) -> Result<(), String> {
        let groups = out.len() / self.group(0).max(1);
        let cells = Cell::from_mut(out).as_slice_of_cells();
        let most = if prefetches.is_empty() { usize::MAX } else { BLOCK / 2 };
        let mut at = 0;
        for (size, callable) in self.levels.iter().filter(|(size, _)| *size <= most) {
            if at + size <= groups {
                let times = (groups - at) / size;
                self.call(
                    callable,
                    cells,
                    inputs,
                    at..at + times * size,
                    *size,
                    if at == 0 { prefetches } else { &[] },
                )?;
                at += times * size;
            }
        }
        Ok(())
    }

    /// Calls on these groups, each of `size` of them.
    fn call(
        &self,
        callable: &Callable,
        out: &[Cell<u64>],
        inputs: &[In],
        all: Range<usize>,
        size: usize,
        prefetches: &[Prefetch],
    ) -> Result<(), String> {
        let times = all.len() / size;
        let function = match callable {
            Callable::Machine(function) => function,
            Callable::Interpreted(interpreter) if self.bits == 1 => {
                return all.into_iter().try_for_each(|at| self.interpret_bits(interpreter, out, inputs, at));
            }
            Callable::Interpreted(interpreter) => {
                return all.into_iter().try_for_each(|at| {
                    (0..64 / self.bits).try_for_each(|part| self.interpret(interpreter, out, inputs, at, part))
                });
            }
        };
        let result = if !matches!(self.bits, BYTE | SHORT) {
            let argument = |parameter| self.argument(out, inputs, parameter, &all, size);
            match inputs.len() {
                1 => function.call_prefetching(times, &[argument(0), argument(1)], prefetches),
                2 => function.call_prefetching(times, &[argument(0), argument(1), argument(2)], prefetches),
                _ => {
                    function.call_prefetching(times, &[argument(0), argument(1), argument(2), argument(3)], prefetches)
                }
            }
        } else {
            // Scalar code takes one element a call, of a constant always the same.
            let (scalar, bytes) = (self.row == 1, self.bits as usize / 8);
            let arguments: Vec<_> = (0..=inputs.len())
                .map(|i| {
                    let constant = i.checked_sub(1).is_some_and(|i| matches!(inputs[i], In::Constant(_)));
                    let cut = self.argument(out, inputs, i, &all, size).cut(bytes);
                    if scalar && constant { cut.element(0) } else { cut }
                })
                .collect();
            function.call_prefetching(if scalar { times * 8 / bytes } else { times }, &arguments, prefetches)
        };
        result.map_err(|e| e.to_string())
    }

    /// The words of these groups, of the output (0) or of an input (1, 2, …); of a constant those of `size` groups.
    #[inline(always)]
    fn argument<'a>(
        &self,
        out: &'a [Cell<u64>],
        inputs: &[In<'a>],
        parameter: usize,
        groups: &Range<usize>,
        size: usize,
    ) -> Argument<'a> {
        let group = self.group(parameter);
        let place = groups.start * group..groups.end * group;
        match parameter.checked_sub(1).map(|i| &inputs[i]) {
            None | Some(In::Out) => Argument::from(&out[place]),
            Some(In::Words(words)) => Argument::from(&words[place]),
            Some(In::Constant(words)) => Argument::from(&words[..size * group]),
        }
    }

    /// Interprets the kernel on one element: the one in the low half of the words of memory, or (1) in the high half.
    fn interpret(
        &self,
        interpreter: &Interpreter,
        out: &[Cell<u64>],
        inputs: &[In],
        at: usize,
        half: u32,
    ) -> Result<(), String> {
        let kernel: &Kernel = interpreter.kernel();
        let output = &out[at * self.words[0]..][..self.words[0]];
        let (bits, mask) = (self.bits, u64::MAX >> (64 - self.bits));
        let digit = |word: u64| BigInt::from(word >> (half * bits) & mask);
        let arrays: Vec<_> = kernel.params().filter(|a| kernel.array(*a).kind == ArrayKind::Input).collect();
        let number = |words: &[u64]| words.iter().map(|w| digit(*w)).collect::<Vec<_>>();
        let given: Vec<(&str, Vec<BigInt>)> = arrays
            .iter()
            .zip(inputs)
            .enumerate()
            .map(|(i, (array, input))| {
                let n = self.words[i + 1];
                let words = match input {
                    In::Out => output.iter().map(|c| digit(c.get())).collect(),
                    In::Words(words) => number(&words[at * n..(at + 1) * n]),
                    In::Constant(words) => number(&words[..n]),
                };
                (kernel.array(*array).name.as_str(), words)
            })
            .collect();
        let results = match interpreter.run_one(&given) {
            Ok(results) => results,
            // Proved kernels take every element: this is the other half of a last word, which holds none.
            Err(_) if half == 1 => return Ok(()),
            Err(e) => return Err(e.to_string()),
        };
        let (_, words) = results.first().ok_or("a kernel without an output")?;
        for (cell, word) in output.iter().zip(words) {
            let word = word.to_u64().ok_or("an output of more than 64 bits")?;
            cell.set(cell.get() & !(mask << (half * bits)) | word << (half * bits));
        }
        Ok(())
    }
}

impl Code {
    /// Interprets the kernel on 64 elements, with one bit of each in a word.
    fn interpret_bits(
        &self,
        interpreter: &Interpreter,
        out: &[Cell<u64>],
        inputs: &[In],
        at: usize,
    ) -> Result<(), String> {
        let kernel: &Kernel = interpreter.kernel();
        let group = |i: usize| at * self.words[i]..(at + 1) * self.words[i];
        let arrays = |kind: ArrayKind| kernel.params().filter(move |a| kernel.array(*a).kind == kind);
        let mut batch = interpreter.batch(64);
        for (i, (array, input)) in arrays(ArrayKind::Input).zip(inputs).enumerate() {
            let words: Vec<u64> = match input {
                In::Out => out[group(0)].iter().map(Cell::get).collect(),
                In::Words(words) => words[group(i + 1)].to_vec(),
                In::Constant(words) => words[..self.words[i + 1]].to_vec(),
            };
            for (digit, word) in words.iter().enumerate() {
                (0..64).for_each(|lane| batch.set(array, digit as u32, lane, u128::from(word >> lane & 1)));
            }
        }
        if !interpreter.run(&mut batch).is_clean() {
            return Err("the interpreter reports a fault".into());
        }
        for array in arrays(ArrayKind::Output) {
            for (digit, cell) in out[group(0)].iter().enumerate() {
                let mut word = [0];
                batch.read_bits(array, digit as u32, &mut word);
                cell.set(word[0]);
            }
        }
        Ok(())
    }
}

/// Functions for many groups of lanes and for what is left, and their shape in words.
fn in_lanes(
    proved: &Proved,
    backend: &dyn Backend,
    shape: Option<&str>,
) -> Result<(Vec<(usize, Callable)>, String), String> {
    let estimate = backend.estimate(proved.kernel()).map_err(|e| e.to_string())?;
    // Calls of so many groups, and group by group what is left; a call that follows another one costs a few cycles.
    let calls: &[u32] = match estimate.operations {
        long if long > LONG => &[1],
        few if few < FEW => &[2 * BLOCK as u32, 4, 1],
        _ => &[BLOCK as u32, 1],
    };
    let make = |groups: u32| {
        let repeat = if groups == 1 && calls.len() > 1 { Repeat::Single } else { Repeat::Groups(groups) };
        backend.make(proved, &Choice { shape, repeat, ..Choice::default() }).map_err(|e| e.to_string())
    };
    let made = calls.iter().map(|groups| make(*groups)).collect::<Result<Vec<Made>, String>>()?;
    let shape = made.first().and_then(|made| made.shape.clone()).unwrap_or_default();
    let levels = made
        .iter()
        .map(|made| Ok((made.order.groups as usize, callable(made)?)))
        .collect::<Result<Vec<_>, String>>()?;
    Ok((levels, format!("{shape}, {} slots of the ports a group", estimate.slots)))
}

/// The function itself: arrays call machine code of our own.
fn callable(made: &Made) -> Result<Callable, String> {
    let function = made.function.machine_code().ok_or("arrays call machine code of this process alone")?;
    Ok(Callable::Machine(function.clone()))
}
