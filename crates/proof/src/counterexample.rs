//! The search for an input that violates the contract, when a proof fails: edge values and random ones, through the
//! interpreter.

use evariste_ir::{ClaimChecker, Interpreter, Kernel, Type, refute};
use num_bigint::BigInt;

use crate::inputs;
use crate::outcome::Counterexample;
use crate::search::samples::Random;

/// Inputs tried.
const LANES: usize = 512;

/// Tries inputs of a well-formed kernel; the first violation found, replayed on its own.
pub(crate) fn search(kernel: &Kernel) -> Option<Counterexample> {
    if evariste_ir::verify(kernel).is_err() || kernel.arrays.iter().any(|a| matches!(a.ty, Type::Float(_))) {
        return None;
    }
    let interpreter = Interpreter::new(kernel);
    let mut batch = interpreter.batch(LANES);
    let mut random = Random(1);
    let mut tried = Vec::new();
    for lane in 0..LANES {
        let elements = inputs::draw(kernel, &mut random, lane);
        inputs::set(kernel, &mut batch, lane, &elements);
        tried.push(elements);
    }
    let mut checker = ClaimChecker::new(kernel);
    checker.capture(&batch);
    let report = interpreter.run(&mut batch);
    let lane = checker.check(&batch, &report, LANES)?;
    let named: Vec<(String, Vec<BigInt>)> =
        tried[lane].iter().map(|(a, cells)| (kernel.array(*a).name.clone(), cells.clone())).collect();
    let borrowed: Vec<(&str, Vec<BigInt>)> = named.iter().map(|(name, cells)| (name.as_str(), cells.clone())).collect();
    let violation = refute(kernel, &borrowed)?;
    Some(Counterexample { inputs: named, violation })
}
