//! Small kernels of words that a rewritten kernel calls: `low + 2^n·high` is a polynomial in the operands.

use std::sync::Arc;

use super::Rewriter;
use crate::build::Builder;
use crate::contract::{Claim, Contract, Operand, Polynomial};
use crate::interval::{Interval, pow2};
use crate::kernel::{Array, Kernel, View};
use crate::types::{Type, Value};

/// What is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Called {
    /// `x·y + c + d`.
    Product,
    /// `x + y + c`.
    Sum,
    /// `2^n + x − y − c`.
    Difference,
}

/// A kernel of operands of one word each, the last of them at most 1 where `top` is 1; its result are two words, the
/// higher of `top` bits.
pub(super) fn word_kernel(
    name: &str,
    n: u32,
    operands: &[&str],
    top: u32,
    promise: Polynomial,
    body: impl FnOnce(&mut Builder, &[Value]) -> (Value, Value),
) -> Kernel {
    let mut b = Builder::new(name, n);
    let maxima = [pow2(n) - 1, pow2(top) - 1];
    let out = b.output("out", 2, &maxima);
    let last = operands.len() - 1;
    let max = |i: usize| if i == last { pow2(top) - 1 } else { pow2(n) - 1 };
    let arrays: Vec<Array> = operands.iter().enumerate().map(|(i, x)| b.input(*x, 1, &[max(i)])).collect();
    let values: Vec<Value> = arrays.iter().map(|a| b.load(*a, 0u32)).collect();
    let (low, high) = body(&mut b, &values);
    b.store_all(out, &[low, high]);
    let inputs = operands.iter().zip(&arrays).enumerate();
    let inputs = inputs.map(|(i, (x, a))| Operand::new(*x, *a, &[0], &[max(i)], max(i))).collect();
    let output = Operand::new("out", out, &[0, n], &maxima, pow2(n + top) - 1);
    let claims = vec![Claim::Value { output, factor: 1.into(), polynomial: promise, modulus: None }];
    b.finish(Contract { inputs, claims, ..Contract::default() })
}

/// Arrays through which a rewritten kernel hands operands and takes results.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passed {
    kind: Called,
    ty: Type,
    callee: u32,
    operands: Array,
    results: Array,
}

impl Rewriter<'_> {
    /// Calls a kernel of words, which is written at the first call.
    pub(super) fn call_words(
        &mut self,
        b: &mut Builder,
        kind: Called,
        ty: Type,
        a: &[Value],
        write: impl FnOnce(u32) -> Kernel,
    ) -> (Value, Value) {
        let known = self.passed.iter().find(|p| p.kind == kind && p.ty == ty).copied();
        let passed = known.unwrap_or_else(|| {
            let callee = write(ty.bits());
            let (name, high) = (callee.name.clone(), callee.arrays[0].ranges[1].clone());
            let ranges = a.iter().enumerate().map(|(i, _)| callee.arrays[i + 1].ranges[0].clone()).collect();
            let operands = b.local_of(format!("{name}_of"), ty, ranges);
            let results = b.local_of(format!("{name}_is"), ty, vec![Interval::bits(ty.bits()), high]);
            let callee = b.callee(Arc::new(callee));
            let passed = Passed { kind, ty, callee, operands, results };
            self.passed.push(passed);
            passed
        });
        b.store_all(passed.operands, a);
        let views = (0..a.len()).map(|i| View::from(passed.operands, i));
        b.call(passed.callee, [View::whole(passed.results)].into_iter().chain(views).collect());
        (b.load(passed.results, 0u32), b.load(passed.results, 1u32))
    }
}
