//! Promises about whole elements, numbers or vectors over GF(2), for kernels that are made of calls: points, towers, ladders. Numbers that go from call
//! to call are unknowns, calls are polynomials in them (a callee's power is one of them with a large exponent), and a
//! promise is decided by comparing polynomials in normal form. Digits, bounds and what callees ask for are the
//! translation's matter.

mod numbers;
mod recurrence;
mod ring;
mod vectors;

use evariste_ir::{BitMap, Kernel, Op, Operand, Stmt};
use num_bigint::BigInt;
use num_traits::One;

use numbers::Numbers;
use ring::{Polynomial, Ring};

use crate::outcome::Obligation;
use crate::unroll::run;

pub(crate) use recurrence::check as check_recurrence;

/// What came of a comparison.
pub(crate) enum Verdict {
    /// The promise holds.
    Shown,
    /// The output is another polynomial in the inputs.
    Differs(String),
    /// The output depends on what only its digits would tell.
    Unclear,
}

/// Is a kernel made of calls, copies, constants and loops alone?
pub(crate) fn is_made_of_calls(kernel: &Kernel) -> bool {
    let copies = |stmt: &Stmt| !matches!(stmt, Stmt::Op { op, .. } if !matches!(op, Op::Const(_)));
    !kernel.callees.is_empty() && kernel.statements().all(copies)
}

/// Is `factor · output` the polynomial, modulo a number above 1 or, with the factor 1, in vectors?
pub(crate) fn value(
    kernel: &Kernel,
    output: &Operand,
    factor: &BigInt,
    polynomial: &evariste_ir::Polynomial,
    ring: &evariste_ir::Ring,
) -> Verdict {
    let Ok(ring) = Ring::new(ring) else { return Verdict::Unclear };
    let mut numbers = Numbers::new(ring, None);
    let arrays = numbers.enter(kernel);
    let arrays = match run(&mut numbers, kernel, arrays) {
        Ok((arrays, _)) => arrays,
        Err(_) => return Verdict::Unclear,
    };
    let inputs = numbers.inputs();
    let found = Numbers::reading(output, &arrays).map(|reading| numbers.number(&reading));
    let (Some(found), Some(right)) = (found, numbers.evaluate(polynomial, &inputs)) else {
        return Verdict::Unclear;
    };
    let factor = if factor.is_one() { &numbers.ring.one() } else { factor };
    let left = Polynomial::default().plus(factor, &found, &numbers.ring);
    let difference = left.plus(&numbers.ring.minus_one(), &right, &numbers.ring);
    if difference.len() == 0 {
        Verdict::Shown
    } else if difference.unknowns().all(|x| numbers.inputs.contains(&x)) {
        Verdict::Differs(format!("{} terms left: the calls compute another polynomial", difference.len()))
    } else {
        Verdict::Unclear
    }
}

/// Shows that the output is that polynomial in vectors over GF(2).
pub(crate) fn vector(
    kernel: &Kernel,
    output: &Operand,
    polynomial: &evariste_ir::Polynomial,
    map: &BitMap,
) -> Result<(), Obligation> {
    if !is_made_of_calls(kernel) {
        return Err(open(output, "polynomials over GF(2) are shown of kernels that are made of calls alone"));
    }
    match value(kernel, output, &BigInt::one(), polynomial, &evariste_ir::Ring::Bits(map.clone())) {
        Verdict::Shown => Ok(()),
        Verdict::Differs(detail) => Err(open(output, detail)),
        Verdict::Unclear => Err(open(output, "it depends on what only its bits would tell")),
    }
}

/// A promise that stayed open.
fn open(output: &Operand, detail: impl Into<String>) -> Obligation {
    Obligation { what: format!("value of {}", output.name), detail: detail.into() }
}
