//! The code of one kernel: a function of many groups of lanes, one of a single group, and the interpreter where there
//! is neither.

use std::cell::Cell;
use std::ops::Range;

use evariste_codegen::x86_64::lanes::{self, Shape};
use evariste_codegen::x86_64::{self, Features, Width};
use evariste_ir::{ArrayKind, Interpreter, Kernel};
use evariste_jit::{Ahead, Argument, Function};
use evariste_proof::Proved;
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// What makes code of kernels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Backend {
    /// Vectors.
    Vectors(Features, Width),
    /// Scalar machine code, a word of memory for each digit.
    Scalar(Features),
    /// The interpreter.
    Interpreter,
}

impl Backend {
    /// Words of memory that a digit of the elements side by side takes.
    pub fn row(self) -> usize {
        match self {
            Backend::Vectors(_, width) => width.bytes() as usize / 8,
            _ => 1,
        }
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
    pub fn new(proved: &Proved, backend: Backend, plan: &str, wanted: Option<&str>) -> Result<Code, String> {
        let kernel = proved.kernel();
        let words: Vec<usize> = kernel
            .params()
            .filter(|a| kernel.array(*a).kind != ArrayKind::Ghost)
            .map(|a| kernel.array(a).len as usize)
            .collect();
        let code = |levels, description| Code {
            words: words.clone(),
            row: backend.row(),
            bits: digit_bits(kernel.word),
            levels,
            description,
            ranked: false,
        };
        match backend {
            Backend::Vectors(features, width) => {
                let graph = lanes::graph(kernel, features, width).map_err(|e| e.to_string())?;
                let shapes = lanes::shapes(kernel, &graph, width);
                let found = shapes.iter().find(|s| Some(s.to_string().as_str()) == wanted).or(shapes.first());
                let shape = found.copied().unwrap_or(Shape::single(width));
                // Calls of so many groups, and group by group what is left; a call that follows another one costs a few
                // cycles.
                let calls: &[u32] = match graph.nodes.len() {
                    nodes if nodes > LONG => &[1],
                    nodes if nodes < FEW => &[2 * BLOCK as u32, 4, 1],
                    _ => &[BLOCK as u32, 1],
                };
                let single = |groups: u32| groups == 1 && calls.len() > 1 && !shape.rolled;
                let parts: Vec<Shape> = calls
                    .iter()
                    .map(|groups| match shape.groups.min(*groups) {
                        _ if single(*groups) => Shape::single(width),
                        side => {
                            Shape { groups: side, iterations: groups / side, active: shape.active.min(side), ..shape }
                        }
                    })
                    .collect();
                let description =
                    format!("{plan}, {}, {} slots of the ports a group", parts[0], lanes::port_slots(&graph, width));
                let levels = parts
                    .into_iter()
                    .map(|part| Ok((part.groups() as usize, vector(proved, features, part)?)))
                    .collect::<Result<_, String>>()?;
                Ok(code(levels, description))
            }
            Backend::Scalar(features) => {
                let program = x86_64::compile(proved, features.scalar(), None).map_err(|e| e.to_string())?;
                let checked = x86_64::check(proved, &program).map_err(|e| e.to_string())?;
                let function = Function::new(&checked).map_err(|e| e.to_string())?;
                Ok(code(vec![(1, Callable::Machine(function))], format!("{plan}, scalar machine code")))
            }
            Backend::Interpreter => Ok(code(
                vec![(1, Callable::Interpreted(Box::new(Interpreter::new(kernel))))],
                format!("{plan}, interpreted"),
            )),
        }
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
        self.run_ahead(out, inputs, &[])
    }

    /// The same, and asks for memory meanwhile: between calls of few groups, since a processor waits for few lines of
    /// memory at a time.
    pub fn run_ahead(&self, out: &mut [u64], inputs: &[In], ahead: &[Ahead]) -> Result<(), String> {
        let groups = out.len() / self.group(0).max(1);
        let cells = Cell::from_mut(out).as_slice_of_cells();
        let most = if ahead.is_empty() { usize::MAX } else { BLOCK / 2 };
        let mut at = 0;
        for (size, callable) in self.levels.iter().filter(|(size, _)| *size <= most) {
            if at + size <= groups {
                let times = (groups - at) / size;
                self.call(callable, cells, inputs, at..at + times * size, *size, if at == 0 { ahead } else { &[] })?;
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
        ahead: &[Ahead],
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
                1 => function.call_ahead(times, &[argument(0), argument(1)], ahead),
                2 => function.call_ahead(times, &[argument(0), argument(1), argument(2)], ahead),
                _ => function.call_ahead(times, &[argument(0), argument(1), argument(2), argument(3)], ahead),
            }
        } else {
            let arguments = |groups: &Range<usize>| -> Vec<_> {
                (0..=inputs.len())
                    .map(|i| self.argument(out, inputs, i, groups, size).cut(self.bits as usize / 8))
                    .collect()
            };
            match self.row {
                // Scalar code takes one element.
                1 => all.into_iter().try_for_each(|at| {
                    let both = arguments(&(at..at + 1));
                    (0..2).try_for_each(|half| {
                        function.call(&both.iter().map(|a| a.clone().element(half)).collect::<Vec<_>>())
                    })
                }),
                _ => function.call_ahead(times, &arguments(&all), ahead),
            }
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

    /// The same by the interpreter, one element: that in the low half of words of memory, or (1) in the high one.
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
    /// The same of 64 elements, a bit of each in a word.
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

fn vector(proved: &Proved, features: Features, shape: Shape) -> Result<Callable, String> {
    let program = lanes::compile(proved, features, shape).map_err(|e| e.to_string())?;
    let checked = x86_64::check(proved, &program).map_err(|e| e.to_string())?;
    Ok(Callable::Machine(Function::new(&checked).map_err(|e| e.to_string())?))
}
