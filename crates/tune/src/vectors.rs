//! Known answers of kernels for packages: what the interpreter gives, judged by the contract.

use evariste_algorithms::Operation;
use evariste_emit::Vector;
use evariste_ir::{Array, ArrayKind, Kernel, Role};
use evariste_proof::Proved;
use num_bigint::{BigInt, BigUint};

use crate::encode::{Arrays, named};
use crate::error::TuneError;
use crate::evaluate::interpret_each;
use crate::operands::{arrays, operand_values};

/// Vectors of each operation: edges and random operands.
const VECTORS: usize = 24;
/// The same of kernels of more steps than that, which the interpreter takes long for.
const FEW_VECTORS: usize = 6;
const LONG: u64 = 200_000;

/// Known answers of a kernel for these operands and others: the interpreter's, each checked against the contract, which is written from the field's
/// definition.
///
/// # Errors
/// [`TuneError::Unproved`]: the interpreter stopped, or its answer is not what the contract says.
pub fn of_samples(operation: &Operation, proved: &Proved, samples: &[Vec<BigUint>]) -> Result<Vec<Vector>, TuneError> {
    let statement: &Kernel = proved.statement();
    let count = if evariste_ir::count::count(statement).steps() > LONG { FEW_VECTORS } else { VECTORS };
    let samples = samples.iter().map(|values| values.iter().cloned().map(BigInt::from).collect());
    let all = samples.chain(operand_values(statement, count, 0x5eed));
    let inputs: Vec<Arrays> = all.filter_map(|values| arrays(statement, &statement.contract.inputs, &values)).collect();
    of_inputs(operation, statement, &inputs)
}

/// The known answers of a kernel for each of these arrays.
///
/// # Errors
/// As [`of_samples`].
pub(crate) fn of_inputs(operation: &Operation, statement: &Kernel, all: &[Arrays]) -> Result<Vec<Vector>, TuneError> {
    let outputs = interpret_each(statement, all)?;
    all.iter().zip(&outputs).map(|(inputs, outputs)| vector(operation, statement, inputs, outputs)).collect()
}

/// Does a kernel with the parameters of the one that they are of give these answers?
///
/// # Errors
/// [`TuneError::Unproved`]: the interpreter stopped.
pub(crate) fn gives(proved: &Proved, answers: &[Vector]) -> Result<bool, TuneError> {
    let kernel = proved.kernel();
    let params = |wanted: fn(Role) -> bool| -> Vec<Array> {
        kernel.visible().filter(|a| kernel.array(*a).role().is_some_and(wanted)).collect()
    };
    let (read, written) = (params(Role::is_read), params(Role::is_written));
    let inputs = |answer: &Vector| read.iter().copied().zip(answer.inputs.iter().cloned()).collect();
    let given: Vec<Arrays> = answers.iter().map(inputs).collect();
    let got = interpret_each(kernel, &given)?;
    let holds = |(got, answer): (&Arrays, &Vector)| {
        let wrote = |a: &Array| got.iter().find(|(b, _)| b == a).map(|(_, digits)| digits);
        written.iter().map(wrote).eq(answer.outputs.iter().map(Some))
    };
    Ok(got.len() == answers.len() && got.iter().zip(answers).all(holds))
}

/// The known answer of a kernel: what it wrote for what it read.
fn vector(operation: &Operation, statement: &Kernel, inputs: &Arrays, outputs: &Arrays) -> Result<Vector, TuneError> {
    if let Some(why) = evariste_ir::violates(statement, &named(statement, inputs), &named(statement, outputs)) {
        return Err(TuneError::Unproved(format!("{} disagrees with its contract: {why}", statement.name)));
    }
    let elements = |of: &Arrays, a: Array| {
        of.iter()
            .find(|(b, _)| *b == a)
            .map(|(_, v)| v.clone())
            .unwrap_or_else(|| vec![0.into(); statement.array(a).len as usize])
    };
    let of_kind = |wanted: &dyn Fn(&ArrayKind) -> bool, of: &Arrays| {
        statement.params().filter(|a| wanted(&statement.array(*a).kind)).map(|a| elements(of, a)).collect()
    };
    Ok(Vector {
        operation: operation.name(),
        inputs: of_kind(&|k| matches!(k, ArrayKind::Input | ArrayKind::InOut), inputs),
        outputs: of_kind(&|k| matches!(k, ArrayKind::Output | ArrayKind::InOut), outputs),
    })
}
