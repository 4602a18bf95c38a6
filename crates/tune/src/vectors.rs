//! Known answers of kernels for packages: what the interpreter gives, judged by the contract.

use evariste_algorithms::Operation;
use evariste_emit::Vector;
use evariste_ir::{Array, ArrayKind, Kernel};
use evariste_proof::Proved;
use num_bigint::{BigInt, BigUint};

use crate::encode::{Arrays, named};
use crate::error::TuneError;
use crate::evaluate::interpret;
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
    let mut all = Vec::new();
    let count = if evariste_ir::count::count(statement).steps() > LONG { FEW_VECTORS } else { VECTORS };
    let samples = samples.iter().map(|values| values.iter().cloned().map(BigInt::from).collect());
    for values in samples.chain(operand_values(statement, count, 0x5eed)) {
        let Some(inputs) = arrays(statement, &statement.contract.inputs, &values) else { continue };
        all.push(vector(operation, statement, &inputs)?);
    }
    Ok(all)
}

/// The known answer of a kernel for what it reads.
///
/// # Errors
/// As [`of_samples`].
pub(crate) fn vector(operation: &Operation, statement: &Kernel, inputs: &Arrays) -> Result<Vector, TuneError> {
    let outputs = interpret(statement, inputs)?;
    if let Some(why) = evariste_ir::violates(statement, &named(statement, inputs), &named(statement, &outputs)) {
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
        outputs: of_kind(&|k| matches!(k, ArrayKind::Output | ArrayKind::InOut), &outputs),
    })
}
