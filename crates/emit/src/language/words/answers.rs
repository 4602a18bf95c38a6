//! Known answers as rows of words.

use evariste_ir::{Array, ArrayKind, Claim, Kernel, Operand};
use num_bigint::BigInt;
use num_traits::Zero;

use crate::error::EmitError;
use crate::manifest::{answers, params};
use crate::package::{Content, Vector};
use crate::unit::Model;

/// Elements of a row of a bit-sliced function: what its word carries.
pub const LANES: usize = 64;

/// Words of each parameter that is read, and of each that is written, in calling order.
#[derive(Clone, Debug)]
pub struct Row {
    /// What is read.
    pub inputs: Vec<Vec<BigInt>>,
    /// What is written.
    pub outputs: Vec<Vec<BigInt>>,
}

/// The known answers of an operation: one a row, or 64 of a bit-sliced function.
pub fn rows(content: &Content, operation: &str, kernel: &Kernel) -> Result<Vec<Row>, EmitError> {
    let all = answers(content, operation, kernel)?;
    if Model::of(kernel) == Model::Words {
        return Ok(all.iter().map(|v| Row { inputs: v.inputs.clone(), outputs: v.outputs.clone() }).collect());
    }
    let column = |chunk: &[&Vector], written: bool| {
        let of = |v: &&Vector, at: usize| if written { v.outputs[at].clone() } else { v.inputs[at].clone() };
        let packed = |(at, a): (usize, Array)| {
            let all: Vec<Vec<BigInt>> = chunk.iter().map(|v| of(v, at)).collect();
            pack(&all, kernel.array(a).len as usize).into_iter().map(BigInt::from).collect()
        };
        params(kernel, written).into_iter().enumerate().map(packed).collect()
    };
    Ok(all.chunks(LANES).map(|chunk| Row { inputs: column(chunk, false), outputs: column(chunk, true) }).collect())
}

/// Up to 64 vectors of bits as words whose bit k is vector k's, the vectors repeating to fill the word.
pub fn pack(chunk: &[Vec<BigInt>], len: usize) -> Vec<u64> {
    let word =
        |i: usize| (0..LANES).fold(0u64, |w, lane| w | u64::from(!chunk[lane % chunk.len()][i].is_zero()) << lane);
    (0..len).map(word).collect()
}

/// Which written parameter lies on which read one: nothing first, then every pair that may share memory.
pub fn placements(kernel: &Kernel) -> Vec<Option<(Array, Array)>> {
    let mut all = vec![None];
    for written in params(kernel, true) {
        for read in params(kernel, false) {
            if kernel.array(written).kind == ArrayKind::Output
                && kernel.array(read).kind == ArrayKind::Input
                && !kernel.are_disjoint(written, read)
            {
                all.push(Some((written, read)));
            }
        }
    }
    all
}

/// An output and an input that may be the same array, the input being allowed all that the output can be.
pub fn chained(kernel: &Kernel) -> Option<(Array, Array)> {
    let holds = |o: &Operand, a: Array| o.digits.iter().any(|d| d.array == a);
    let fits = |written: Array, read: Array| {
        let given = kernel.contract.claims.iter().map(Claim::output).find(|o| holds(o, written));
        let taken = kernel.contract.inputs.iter().find(|o| holds(o, read));
        match (given, taken) {
            (Some(g), Some(t)) => {
                t.below.is_none_or(|b| g.below.is_some_and(|c| c.number == b.number && c.multiple <= b.multiple))
                    && g.bound <= t.bound
                    && g.digits.len() == t.digits.len()
                    && g.digits.iter().zip(&t.digits).all(|(x, y)| x.max <= y.max && x.bits == y.bits)
            }
            _ => false,
        }
    };
    let all = |written: Array| params(kernel, false).into_iter().map(move |read| (written, read));
    params(kernel, true).into_iter().flat_map(all).find(|(written, read)| {
        let kinds = kernel.array(*written).kind == ArrayKind::Output && kernel.array(*read).kind == ArrayKind::Input;
        kinds && !kernel.are_disjoint(*written, *read) && fits(*written, *read)
    })
}
