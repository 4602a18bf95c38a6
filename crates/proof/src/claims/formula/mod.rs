//! Promises about whole numbers, for kernels that are made of calls: points, towers, ladders. Numbers that go from call
//! to call are unknowns, calls are polynomials in them (a callee's power is one of them with a large exponent), and a
//! promise is decided by comparing polynomials in normal form. Digits, bounds and what callees ask for are the
//! translation's matter.

mod numbers;
mod recurrence;
mod ring;

use evariste_ir::{Kernel, Op, Operand, Stmt};
use num_bigint::BigInt;
use num_traits::One;

use numbers::Numbers;
use ring::Polynomial;

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

/// Is `factor · output ≡ polynomial` modulo a number above 1?
pub(crate) fn value(
    kernel: &Kernel,
    output: &Operand,
    factor: &BigInt,
    polynomial: &evariste_ir::Polynomial,
    modulus: &BigInt,
) -> Verdict {
    let mut numbers = Numbers::new(modulus.clone(), None);
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
    let left = Polynomial::default().plus(factor, &found, modulus);
    let difference = left.plus(&-BigInt::one(), &right, modulus);
    if difference.len() == 0 {
        Verdict::Shown
    } else if difference.unknowns().all(|x| numbers.inputs.contains(&x)) {
        Verdict::Differs(format!("{} terms left: the calls compute another polynomial", difference.len()))
    } else {
        Verdict::Unclear
    }
}

/// A promise that stayed open.
fn open(output: &Operand, detail: impl Into<String>) -> Obligation {
    Obligation { what: format!("value of {}", output.name), detail: detail.into() }
}
