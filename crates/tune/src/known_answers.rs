//! Answers that others know, for the test of a package: they become vectors of the kernels of their operations, and known
//! answers of the functions on bytes above kernels.

use evariste_algorithms::Operation;
use evariste_emit::Vector;
use evariste_proof::Proved;
use num_bigint::BigUint;

use crate::choose::Chosen;
use crate::encode::Arrays;
use crate::error::TuneError;
use crate::evaluate::{Callable, Evaluator, interpret_each};
use crate::vectors::of_inputs;

/// An answer that is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KnownAnswer {
    /// The operation.
    pub operation: Operation,
    /// Its operands, as the reference takes them.
    pub operands: Vec<BigUint>,
    /// Its result, as the reference gives it.
    pub result: BigUint,
}

/// Those of one operation, as vectors of its kernel, which gives each answer.
///
/// # Errors
/// [`TuneError::Operand`]: operands that the kernel does not take. [`TuneError::Unproved`]: it gives another answer.
pub fn vectors(
    chosen: &Chosen,
    operation: &Operation,
    proved: &Proved,
    known: &[KnownAnswer],
) -> Result<Vec<Vector>, TuneError> {
    let known: Vec<&KnownAnswer> = known.iter().filter(|answer| answer.operation == *operation).collect();
    if known.is_empty() {
        return Ok(Vec::new());
    }
    let evaluator = Evaluator::new(&chosen.field, operation, &chosen.layout, Callable::interpreted(proved.clone()));
    let inputs = known.iter().map(|answer| evaluator.inputs(&answer.operands)).collect::<Result<Vec<_>, _>>()?;
    for (answer, written) in known.iter().zip(interpret_each(proved.kernel(), &inputs)?) {
        let given = evaluator.result(&answer.operands, &evaluator.numbers(&answer.operands, &written))?;
        if !operation.same(&*chosen.field, [&given, &answer.result]) {
            let (name, result) = (operation.name(), &answer.result);
            return Err(TuneError::Unproved(format!("`{name}` gives {given:#x} where {result:#x} is known")));
        }
    }
    let stated: Vec<Arrays> = inputs.iter().map(|inputs| in_statement(proved, inputs)).collect();
    of_inputs(operation, proved.statement(), &stated)
}

/// Arrays of a kernel that is ready for targets as those of its statement, which has ghosts beside them.
fn in_statement(proved: &Proved, inputs: &Arrays) -> Arrays {
    let name = |array| proved.kernel().array(array).name.as_str();
    inputs.iter().filter_map(|(array, words)| Some((proved.statement().find(name(*array))?, words.clone()))).collect()
}

/// The bytes of a string, where it has whole ones: its number has a 1 before them.
pub(crate) fn bytes(string: &BigUint) -> Option<Vec<u8>> {
    string.to_bytes_be().strip_prefix(&[1]).map(<[u8]>::to_vec)
}
