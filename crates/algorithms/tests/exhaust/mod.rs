//! Shared by the tests: a kernel on every admissible input at toy word sizes, judged by its contract.
#![allow(dead_code)]

use evariste_ir::interpret::{Axis, ClaimChecker, Product};
use evariste_ir::{Interpreter, Kernel};
use num_traits::ToPrimitive;

/// Runs a kernel on every value of every input number (saturated digits); the first input that violates the contract,
/// and the number of inputs.
pub fn every_input(kernel: &Kernel) -> Result<u128, String> {
    let axes = kernel.contract.inputs.iter().map(|o| {
        let bound = o.bound.to_u64().unwrap_or(u64::MAX);
        Axis::number(o.digits[0].array, o.digits.len() as u32, kernel.word, 0, bound)
    });
    let product = Product(axes.collect());
    let interpreter = Interpreter::checking_ranges(kernel);
    let mut checker = ClaimChecker::new(kernel);
    assert!(checker.is_fast(), "{}: too large to try every input", kernel.name);
    let mut tried = 0u128;
    let bad = product.blocks(&interpreter, |batch, start, count| {
        checker.capture(batch);
        let report = interpreter.run(batch);
        let bad = checker.check(batch, &report, count).map(|lane| {
            let fault = report.violations.first().map(|v| v.to_string()).unwrap_or_default();
            format!("{}: inputs {:?} {fault}", kernel.name, product.combination(start + lane as u128))
        });
        tried += (0..count).filter(|lane| checker.is_admissible(*lane)).count() as u128;
        bad
    });
    bad.map_or(Ok(tried), Err)
}
