//! Products and sums of whole arrays on an OpenCL device, by the kernels that packages in OpenCL C have.
//!
//! Elements rest one by one in whole words, as scalar code takes them; all but the operations here is scalar code on the
//! processor. An operation copies its operands to the device and its result back: a device of its own memory is ahead only
//! where that is worth it, and nothing here measures whether it is. That is why it is taken on request alone.

use std::borrow::Cow;
use std::fmt;

use evariste_algorithms::Operation;
use evariste_descriptions::{Field, Modulus};
use evariste_emit::{language, opencl_source};
use evariste_proof::Proved;
use evariste_run::opencl::{self, Program, Words};
use evariste_tune::choose::{Chosen, Wish, choose_for};
use evariste_tune::package::accepted;

use crate::error::ArrayError;

/// What an engine computes by, where it is named.
pub const ENGINES: [(&str, &str); 2] = [
    ("processor", "the processor's vectors, or scalar code: what is taken where nothing is named"),
    ("opencl", "products and sums on the first OpenCL device, all else by scalar code; prime fields above 64 bits"),
];

/// The operations that devices compute.
const OPERATIONS: [Operation; 5] = [Operation::MUL, Operation::SQUARE, Operation::ADD, Operation::SUB, Operation::OPP];

/// The start of the names in the program.
const PREFIX: &str = "array";

/// Is that the name of the engine on devices?
///
/// # Errors
/// A name of no engine.
pub(crate) fn is_asked(engine: Option<&str>) -> Result<bool, ArrayError> {
    let Some(name) = engine else { return Ok(false) };
    match ENGINES.iter().position(|(known, _)| *known == name) {
        Some(at) => Ok(at == 1),
        None => Err(ArrayError::NoEngine(name.to_string())),
    }
}

/// The devices that the engine can be on, the first of which it takes; an error says why there is none.
pub fn devices() -> Result<Vec<String>, String> {
    let all = opencl::devices().map_err(|e| e.to_string())?;
    Ok(all.iter().map(|device| format!("{device:?}")).collect())
}

/// An operand of an operation on whole arrays.
#[derive(Clone, Copy)]
pub(crate) enum Operand<'a> {
    /// What is in the result.
    Out,
    /// Element after element.
    Words(&'a [u64]),
    /// One element for all.
    Element(&'a [u64]),
}

/// The kernels of a field on a device.
pub(crate) struct Device {
    program: Program,
    /// Each operation's plan.
    plans: Vec<String>,
    digits: usize,
}

/// Layout and plans of a field on devices.
///
/// # Errors
/// Fields whose elements are no whole words.
pub(crate) fn chosen(field: &Field) -> Result<Chosen, ArrayError> {
    let language = language("opencl").map_err(|e| ArrayError::Device(e.to_string()))?;
    let wish = Wish { canonical: true, machine: language.machine, ..Wish::default() };
    if field.get::<Modulus>().is_none_or(|m| m.value.bits() <= 64) {
        return Err(unfit(field));
    }
    let chosen = choose_for(field, &[64], None, None, wish).map_err(|e| ArrayError::Device(e.to_string()))?;
    let whole = chosen.layout.word == 64 && chosen.layout.saturated();
    if whole { Ok(chosen) } else { Err(unfit(field)) }
}

/// What devices do not have.
pub(crate) fn unfit(field: &Field) -> ArrayError {
    let called = field.called();
    ArrayError::Device(format!(
        "the engine `opencl` has prime fields above 64 bits, not {called}\nhelp: leave the engine out"
    ))
}

impl Device {
    /// Proves the kernels, and builds them on the first device.
    pub fn new(chosen: &Chosen) -> Result<Device, ArrayError> {
        let failed = |why: &dyn fmt::Display| ArrayError::Device(why.to_string());
        // What is missing is said before anything is proved.
        let all = opencl::devices().map_err(|e| failed(&e))?;
        let language = language("opencl").map_err(|e| failed(&e))?;
        let of = |operation: &Operation| accepted(chosen, operation, language).map_err(|e| failed(&e));
        let kernels = OPERATIONS.iter().map(of).collect::<Result<Vec<_>, _>>()?;
        let names: Vec<String> = OPERATIONS.iter().map(Operation::name).collect();
        let named: Vec<(&str, &Proved)> =
            std::iter::zip(&names, &kernels).map(|(n, k)| (n.as_str(), &k.made)).collect();
        let source = opencl_source(&named, PREFIX).map_err(|e| failed(&e))?;
        let program = Program::build(&source, &all[0]).map_err(|e| failed(&e))?;
        let plans = kernels.into_iter().map(|kernel| kernel.plan).collect();
        Ok(Device { program, plans, digits: chosen.layout.digits() })
    }

    /// The number of an operation's kernel, where there is one.
    pub fn kernel(&self, operation: &Operation) -> Option<usize> {
        OPERATIONS.iter().position(|known| operation.is(known))
    }

    /// How a kernel computes, in words.
    pub fn describe(&self, kernel: usize) -> String {
        format!("{}, on {:?}", self.plans[kernel], self.program.device())
    }

    /// `out` of the operands, element by element.
    pub fn run(&self, kernel: usize, out: &mut [u64], operands: &[Operand]) -> Result<(), String> {
        let part = self.program.most_elements(kernel).max(1) * self.digits;
        for (at, out) in out.chunks_mut(part).enumerate() {
            let place = at * part..at * part + out.len();
            let elements = out.len() / self.digits;
            let words = |operand| match operand {
                Operand::Out => Cow::Owned(out.to_vec()),
                Operand::Words(words) => Cow::Borrowed(words.get(place.clone()).unwrap_or(&[])),
                Operand::Element(words) => Cow::Owned(words[..self.digits].repeat(elements)),
            };
            let operands: Vec<Cow<[u64]>> = operands.iter().copied().map(words).collect();
            let read = operands.iter().map(|words| Words::Read(words));
            let mut arrays: Vec<Words> = [Words::Written(out)].into_iter().chain(read).collect();
            self.program.run(kernel, elements, &mut arrays).map_err(|e| e.to_string())?;
        }
        Ok(())
    }
}
