//! Functions that can be called, and what a call checks.

use evariste_codegen::Checked;
use evariste_codegen::isa::FeatureSet;
use evariste_codegen::program::{Parameter, Program};

use crate::argument::Argument;
use crate::code::{Code, Encode, encode};
use crate::error::{CallError, JitError};
use crate::executable::{Executable, RawFunction, features};
use crate::prefetch::Prefetch;
use crate::stack;

/// The most parameters of a function that is called here.
pub const MOST_PARAMETERS: usize = 16;

/// A program in executable memory, with what its parameters may be.
#[derive(Clone, Debug)]
pub struct Function {
    name: String,
    params: Vec<Parameter>,
    /// The pairs of parameters of which one is written.
    pairs: Vec<Pair>,
    /// The bytes of stack that the checker has seen it need.
    stack: u32,
    executable: Executable,
}

/// Two parameters, i < j, of which one is written, and whether they may be one array.
#[derive(Clone, Copy, Debug)]
struct Pair {
    i: usize,
    j: usize,
    same: bool,
}

impl Pair {
    /// Those of a program.
    fn of<I: Encode>(program: &Program<I>) -> Vec<Pair> {
        let written = |i: usize| program.params[i].role.is_written();
        (0..program.params.len())
            .flat_map(|j| (0..j).map(move |i| (i, j)))
            .filter(|&(i, j)| written(i) || written(j))
            .map(|(i, j)| Pair { i, j, same: program.may_be_same(i, j) })
            .collect()
    }

    /// Are these arguments one array, where that is allowed, or without a common byte?
    #[inline]
    fn fits(self, arguments: &[Argument<'_>]) -> bool {
        let ((a, a_end), (b, b_end)) = (arguments[self.i].span(), arguments[self.j].span());
        a_end <= b || b_end <= a || a == a_end || b == b_end || (self.same && (a, a_end) == (b, b_end))
    }
}

impl Function {
    /// Encodes and loads a program that the checker has accepted.
    ///
    /// # Errors
    /// What is wrong with the processor, the memory, the number of parameters.
    pub fn new<I: Encode>(checked: &Checked<I>) -> Result<Function, JitError> {
        // SAFETY: the checker runs every instruction with every pattern of aliasing that `call` lets through, and
        // refuses programs that touch anything but their arrays, constants and stack, lose a saved register or do not
        // return. Addresses and branches come of the program's constants alone: they are the same for all inputs,
        // admissible or not.
        let function = unsafe { Function::from_unchecked(checked.program()) }?;
        Ok(Function { stack: checked.report().stack, ..function })
    }

    /// Encodes and loads a program that nobody checked.
    ///
    /// # Errors
    /// What is wrong with the program, the processor, the memory.
    ///
    /// # Safety
    /// Called with arrays of the stated lengths, the program must return, read and write nothing but them (where they
    /// are `written`), its constants and its own stack, of which so much must be there, and keep the registers that the
    /// calling convention saves: what the checker shows.
    pub unsafe fn from_unchecked<I: Encode>(program: &Program<I>) -> Result<Function, JitError> {
        // SAFETY: the caller promises the same of the program that this asks of its code.
        unsafe { Function::from_code_unchecked(program, &encode(program)?) }
    }

    /// Loads code that was encoded from a program that nobody checked.
    ///
    /// # Errors
    /// What is wrong with the processor, the memory, the parameters.
    ///
    /// # Safety
    /// As [`Function::from_unchecked`]; the code must be that of the program.
    pub unsafe fn from_code_unchecked<I: Encode>(program: &Program<I>, code: &Code) -> Result<Function, JitError> {
        let offered = features::<I>().ok_or(JitError::AnotherProcessor(I::NAME))?;
        if !offered.covers(program.features) {
            return Err(JitError::Features { needed: program.features.to_string(), offered: offered.to_string() });
        }
        if !(1..=MOST_PARAMETERS).contains(&program.params.len()) {
            return Err(JitError::Arity {
                name: program.name.clone(),
                given: program.params.len(),
                most: MOST_PARAMETERS,
            });
        }
        if let Some(odd) = program.params.iter().find(|p| ![1, 2, 4, 8].contains(&p.element_bytes)) {
            return Err(JitError::ElementSize { parameter: odd.name.clone(), bytes: odd.element_bytes });
        }
        // SAFETY: the caller's promise.
        let executable = unsafe { Executable::new(code) }?;
        Ok(Function {
            name: program.name.clone(),
            params: program.params.clone(),
            pairs: Pair::of(program),
            stack: 0,
            executable,
        })
    }

    /// The program's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The parameters, in calling order.
    pub fn params(&self) -> &[Parameter] {
        &self.params
    }

    /// Bytes of instructions.
    pub fn code_len(&self) -> usize {
        self.executable.code_len()
    }

    /// Stops the process, as an overflow of the stack in Rust does, unless this thread has as much stack left as a
    /// checked program needs: to be called before what [`raw`](Function::raw) gives, from the same function.
    #[inline]
    pub fn reserve_stack(&self) {
        stack::reserve(self.stack);
    }

    /// The entry, to be called with one pointer for each parameter, as long as this value or a clone lives, where there is
    /// [stack](Function::reserve_stack).
    pub fn raw(&self) -> RawFunction {
        self.executable.raw()
    }

    /// Calls the function: one array a parameter, each of exactly the stated length. Two arrays may be the same one
    /// where the program allows it.
    ///
    /// # Errors
    /// What is wrong with the arguments; nothing was run then.
    pub fn call(&self, arguments: &[Argument<'_>]) -> Result<(), CallError> {
        self.call_repeated(1, arguments)
    }

    /// Calls the function so many times, on one block of each array after the other: an array has as many times the
    /// stated length, or once, and is then given to every call.
    ///
    /// # Errors
    /// What is wrong with the arguments; nothing was run then.
    pub fn call_repeated(&self, times: usize, arguments: &[Argument<'_>]) -> Result<(), CallError> {
        self.call_prefetching(times, arguments, &[])
    }

    /// Calls the function repeatedly and prefetches memory between the calls, evenly, so that what is needed soon
    /// arrives during computation. Takes at most as many places as there are parameters.
    ///
    /// # Errors
    /// As [`Function::call_repeated`].
    pub fn call_prefetching(
        &self,
        times: usize,
        arguments: &[Argument<'_>],
        prefetches: &[Prefetch],
    ) -> Result<(), CallError> {
        if arguments.len() != self.params.len() {
            return Err(CallError::Count {
                name: self.name.clone(),
                expected: self.params.len(),
                given: arguments.len(),
            });
        }
        for (param, argument) in self.params.iter().zip(arguments) {
            if !fits(times, param, argument) {
                return Err(misfit(times, param, argument));
            }
        }
        if let Some(pair) = self.pairs.iter().find(|pair| !pair.fits(arguments)) {
            let name = |i: usize| self.params[i].name.clone();
            return Err(CallError::Overlap { first: name(pair.i), second: name(pair.j) });
        }
        // What is given to every call stays where it is.
        let place = |i: usize| {
            let (param, argument) = (&self.params[i], &arguments[i]);
            (
                argument.pointer,
                if argument.len == param.len as usize { 0 } else { param.len as usize * argument.element_bytes },
            )
        };
        macro_rules! repeat {
            ($($arity:literal)+) => {
                match arguments.len() {
                    // SAFETY: as many pointers as the program has parameters, each to as many arrays of exactly the
                    // stated length as there are calls, or one, that the argument's lifetime keeps alive; aligned,
                    // because they come from slices of such elements; exclusively or through cells where the program
                    // writes.
                    $($arity => unsafe { self.repeat(times, std::array::from_fn::<_, $arity, _>(place), prefetches) },)+
                    // Functions with more are not made.
                    _ => {}
                }
            };
        }
        repeat!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16);
        Ok(())
    }

    /// Are there an output and that many inputs, of so many words each?
    pub(crate) fn takes_words(&self, inputs: usize, words: usize) -> bool {
        let is = |param: &Parameter| param.len as usize == words && param.element_bytes == 8;
        let read = |param: &Parameter| is(param) && !param.role.is_written();
        self.params.split_first().is_some_and(|(out, rest)| {
            is(out) && out.role.is_written() && rest.len() == inputs && rest.iter().all(read)
        })
    }

    /// May the output be the first input?
    pub(crate) fn may_be_in_place(&self) -> bool {
        self.pairs.iter().all(|pair| (pair.i, pair.j) != (0, 1) || pair.same)
    }

    /// Bytes of stack that it needs.
    pub(crate) fn stack(&self) -> u32 {
        self.stack
    }

    /// So many calls; each pointer moves on by its number of bytes.
    ///
    /// # Safety
    /// As [`Function::call_unchecked`], for every call.
    #[inline]
    unsafe fn repeat<const N: usize>(&self, times: usize, mut places: [(*mut u8, usize); N], prefetches: &[Prefetch]) {
        self.reserve_stack();
        let shares: Vec<usize> = prefetches.iter().map(|prefetch| prefetch.share(times)).collect();
        for turn in 0..times {
            prefetches.iter().zip(&shares).for_each(|(prefetch, share)| prefetch.ask(turn, *share));
            // SAFETY: the caller's promise.
            unsafe { self.call_unchecked(&places.map(|(pointer, _)| pointer)) };
            places.iter_mut().for_each(|(pointer, step)| *pointer = pointer.wrapping_add(*step));
        }
    }

    /// Calls the function on pointers, checking nothing but their number.
    ///
    /// # Panics
    /// When there are not as many pointers as parameters.
    ///
    /// # Safety
    /// Each pointer is valid for reads (and writes, where the parameter is written) of as many elements as its
    /// parameter states, aligned to them; nobody else uses the memory meanwhile; two arrays are disjoint, or the same
    /// where the program allows it. There is [stack](Function::reserve_stack).
    #[inline]
    pub unsafe fn call_unchecked(&self, pointers: &[*mut u8]) {
        assert_eq!(pointers.len(), self.params.len(), "one pointer for each parameter of {}", self.name);
        let raw = self.executable.raw();
        macro_rules! pointer {
            ($index:literal) => {
                *mut u8
            };
        }
        macro_rules! call {
            ($($index:literal)+) => {{
                // SAFETY: the code was made for this many pointers.
                let function: unsafe extern "C" fn($(pointer!($index)),+) = unsafe { std::mem::transmute(raw) };
                // SAFETY: what the pointers must be is the caller's promise; that the code keeps to them, that of
                // whoever made this value.
                unsafe { function($(pointers[$index]),+) }
            }};
        }
        match pointers.len() {
            1 => call!(0),
            2 => call!(0 1),
            3 => call!(0 1 2),
            4 => call!(0 1 2 3),
            5 => call!(0 1 2 3 4),
            6 => call!(0 1 2 3 4 5),
            7 => call!(0 1 2 3 4 5 6),
            8 => call!(0 1 2 3 4 5 6 7),
            9 => call!(0 1 2 3 4 5 6 7 8),
            10 => call!(0 1 2 3 4 5 6 7 8 9),
            11 => call!(0 1 2 3 4 5 6 7 8 9 10),
            12 => call!(0 1 2 3 4 5 6 7 8 9 10 11),
            13 => call!(0 1 2 3 4 5 6 7 8 9 10 11 12),
            14 => call!(0 1 2 3 4 5 6 7 8 9 10 11 12 13),
            15 => call!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14),
            // Functions with more are not made.
            _ => call!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15),
        }
    }
}

/// Has an argument the elements of a parameter, as many as so many calls take, and may they be written where they are?
#[inline]
fn fits(times: usize, param: &Parameter, argument: &Argument<'_>) -> bool {
    let (len, written) = (param.len as usize, param.role.is_written());
    // No slice is as long as a product that is no `usize`.
    let long = times.checked_mul(len) == Some(argument.len) || (argument.len == len && !written);
    long && argument.element_bytes == param.element_bytes as usize && (argument.writable || !written)
}

/// What is wrong with an argument that does not fit.
#[cold]
fn misfit(times: usize, param: &Parameter, argument: &Argument<'_>) -> CallError {
    let (parameter, expected) = (param.name.clone(), param.element_bytes as usize);
    if argument.element_bytes != expected {
        CallError::Element { parameter, expected, given: argument.element_bytes }
    } else if param.role.is_written() && !argument.writable {
        CallError::ReadOnly { parameter }
    } else {
        let expected = times.saturating_mul(param.len as usize);
        CallError::Length { parameter, expected, given: argument.len }
    }
}
