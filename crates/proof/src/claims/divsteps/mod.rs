//! Division steps. Steps in a loop are shown case by case (`packed`); those of kernels that are made of calls, and
//! inverses by them, by what each call does to the numbers that it is handed (`calls`).

mod calls;
mod numbers;
mod packed;

use evariste_ir::divsteps::{Part, steps_needed};
use evariste_ir::{Kernel, Operand};
use num_bigint::{BigInt, BigUint};

use crate::broken_rules::{Rule, broken};
use crate::outcome::Obligation;

pub(crate) use calls::inverse;

/// Shows that the output is a part of so many steps.
pub(crate) fn check(kernel: &Kernel, output: &Operand, part: Part, count: u32) -> Result<(), Obligation> {
    let open = |detail: &str| Obligation { what: format!("{} of division steps", output.name), detail: detail.into() };
    let (most, digit) = (part.most(kernel.word, count), &output.digits[0]);
    let is_element = digit.weight == 0 && digit.bits.is_none() && output.below.is_none();
    if !is_element && !broken(Rule::DivisionOutput) {
        return Err(open("the output is a multiple or a part of an element, or below another number"));
    }
    if output.bound < most || digit.max < most {
        return Err(open("the steps give more than the output's bound"));
    }
    let shown = if kernel.callees.is_empty() {
        packed::shows(kernel, output, part, count)
    } else {
        calls::shows(kernel, output, part, count)
    };
    match shown {
        Ok(true) => Ok(()),
        Ok(false) => Err(open("the output is another number")),
        Err(why) => Err(open(&why)),
    }
}

/// Is `base^exponent` modulo `modulus` the inverse, so that division steps may give it?
pub(crate) fn is_inverse(kernel: &Kernel, exponent: &BigUint, modulus: &BigInt) -> bool {
    let steps = |k: &Kernel| k.contract.claims.iter().any(|c| matches!(c, evariste_ir::Claim::Divsteps { .. }));
    BigInt::from(exponent.clone()) + 2 == *modulus && kernel.callees.iter().any(|k| steps(k))
}

/// Do so many steps end with g = 0, for f = p of so many bits and g from 0 to p − 1? And do words count them?
fn are_enough(steps: u32, bits: u32, word: u32) -> bool {
    (steps >= steps_needed(bits) || broken(Rule::DivisionSteps)) && u64::from(steps) + 2 <= 1u64 << (word - 1).min(62)
}
