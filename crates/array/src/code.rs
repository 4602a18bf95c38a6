//! The code of one kernel: a function of many groups of lanes, one of a single group, and the interpreter where there is neither.

use std::cell::Cell;

use evariste_ir::{ArrayKind, Interpreter, Kernel};
use evariste_jit::{Argument, Function};
use evariste_proof::Proved;
use evariste_target::x86_64::lanes::{self, Shape};
use evariste_target::x86_64::{self, Features, Width};
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

/// Bits of a digit in memory, of words of so many bits: words of 64 bits hold two digits of 32, 64 of one, one of any other length.
pub(crate) fn digit_bits(word: u32) -> u32 {
    if matches!(word, 1 | SHORT) { word } else { 64 }
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

/// Operations that the checker runs within a second or so.
const CHECKED: usize = 5120;

/// Groups that a block has at most where three operands of it fit a cache of 40 KiB, and in any case not more than so many, fewer of long kernels: the checker runs them all.
fn most_groups(words: usize, nodes: usize) -> u32 {
    let few = (CHECKED / nodes.max(1)).max(REST as usize) as u32;
    (40_960 / (3 * 64 * words.max(1)) as u32).clamp(1, few.min(64))
}

/// Groups of the function for what is left of a block.
const REST: u32 = 8;

impl Code {
    /// Makes and checks the functions; `wanted` is the shape that was measured to be the fastest, as text.
    pub fn new(proved: &Proved, backend: Backend, plan: &str, wanted: Option<&str>) -> Result<Code, String> {
        let kernel = proved.kernel();
        let words: Vec<usize> = kernel.params().filter(|a| kernel.array(*a).kind != ArrayKind::Ghost).map(|a| kernel.array(a).len as usize).collect();
        let code = |levels, description| Code { words: words.clone(), row: backend.row(), bits: digit_bits(kernel.word), levels, description, ranked: false };
        match backend {
            Backend::Vectors(features, width) => {
                let graph = lanes::graph(kernel, features, width).map_err(|e| e.to_string())?;
                let long = graph.nodes.len() > CHECKED;
                let shapes = lanes::shapes(kernel, &graph, width);
                let found = shapes.iter().find(|s| Some(s.to_string().as_str()) == wanted).or(shapes.first());
                let mut shape = found.copied().unwrap_or(Shape::single(width));
                let most = words.iter().max().copied().unwrap_or(1);
                shape.iterations = if long { 1 } else { (most_groups(most, graph.nodes.len()) / shape.groups).max(1) };
                let description = format!("{plan}, {shape}");
                // What is left of a block: by a shorter one, and group by group.
                let rest = Shape { iterations: (REST / shape.groups).max(1), ..shape };
                let single = if shape.rolled { Shape { iterations: 1, ..shape } } else { Shape::single(width) };
                let mut levels = Vec::new();
                for shape in if long { vec![shape] } else { vec![shape, rest, single] } {
                    if levels.last().is_none_or(|(groups, _)| *groups > shape.groups() as usize) {
                        levels.push((shape.groups() as usize, vector(proved, features, shape)?));
                    }
                }
                Ok(code(levels, description))
            }
            Backend::Scalar(features) => {
                let program = x86_64::compile(proved, features.scalar(), None).map_err(|e| e.to_string())?;
                let checked = x86_64::check(kernel, &program).map_err(|e| e.to_string())?;
                let function = Function::new(&checked).map_err(|e| e.to_string())?;
                Ok(code(vec![(1, Callable::Machine(function))], format!("{plan}, scalar machine code")))
            }
            Backend::Interpreter => Ok(code(vec![(1, Callable::Interpreted(Box::new(Interpreter::new(kernel))))], format!("{plan}, interpreted"))),
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
        let groups = out.len() / self.group(0).max(1);
        let cells = Cell::from_mut(out).as_slice_of_cells();
        let mut at = 0;
        for (size, callable) in &self.levels {
            while at + size <= groups {
                self.call(callable, cells, inputs, at, *size)?;
                at += size;
            }
        }
        Ok(())
    }

    /// One call on the groups from `at` on.
    fn call(&self, callable: &Callable, out: &[Cell<u64>], inputs: &[In], at: usize, groups: usize) -> Result<(), String> {
        let function = match callable {
            Callable::Machine(function) => function,
            Callable::Interpreted(interpreter) if self.bits == 1 => return self.interpret_bits(interpreter, out, inputs, at),
            Callable::Interpreted(interpreter) => return (0..64 / self.bits).try_for_each(|part| self.interpret(interpreter, out, inputs, at, part)),
        };
        let output = &out[at * self.group(0)..][..groups * self.group(0)];
        let argument = |i: usize| {
            let group = self.group(i + 1);
            match inputs[i] {
                In::Out => Argument::from(output),
                In::Words(words) => Argument::from(&words[at * group..(at + groups) * group]),
                In::Constant(words) => Argument::from(&words[..groups * group]),
            }
        };
        let call = |of: &dyn Fn(Argument) -> Argument| {
            let first = of(Argument::from(output));
            match inputs.len() {
                1 => function.call(&[first, of(argument(0))]),
                2 => function.call(&[first, of(argument(0)), of(argument(1))]),
                _ => function.call(&[first, of(argument(0)), of(argument(1)), of(argument(2))]),
            }
        };
        let result = match (self.bits == SHORT, self.row) {
            (false, _) => call(&|argument| argument),
            // Scalar code takes one element.
            (true, 1) => (0..2).try_for_each(|half| call(&|argument| argument.halves().element(half))),
            (true, _) => call(&|argument| argument.halves()),
        };
        result.map_err(|e| e.to_string())
    }

    /// The same by the interpreter, one element: that in the low half of words of memory, or (1) in the high one.
    fn interpret(&self, interpreter: &Interpreter, out: &[Cell<u64>], inputs: &[In], at: usize, half: u32) -> Result<(), String> {
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
    fn interpret_bits(&self, interpreter: &Interpreter, out: &[Cell<u64>], inputs: &[In], at: usize) -> Result<(), String> {
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
    let checked = x86_64::check(proved.kernel(), &program).map_err(|e| e.to_string())?;
    Ok(Callable::Machine(Function::new(&checked).map_err(|e| e.to_string())?))
}
