//! What two words promise together is division with remainder only where the lower is a remainder.

use evariste_ir::range::pow2;
use evariste_ir::{Array, Builder, Claim, Contract, Interval, Kernel, Operand, Polynomial, View};
use num_bigint::BigInt;
use std::sync::Arc;

use crate::broken_rules::{Rule, breaking};
use crate::toys::exhaust;
use crate::{Outcome, prove};

const W: u32 = 6;
/// Weight of the higher of two digits.
const K: u32 = 3;

/// `low + 2^K·high = x`, with a low digit of up to `bits` bits: where it has room for more than a remainder it takes one
/// from the high digit, if that has any.
fn digits(bits: u32) -> Kernel {
    let mut b = Builder::new("digits", W);
    let maxima = [pow2(bits) - 1, pow2(W - K) - 1];
    let out = b.output("out", 2, &maxima);
    let x = b.input("x", 1, &[pow2(W) - 1]);
    let v = b.load(x, 0u32);
    let (mut low, mut high) = (b.low_bits(v, K), b.shr(v, K));
    if bits > K {
        let one = b.low_bits(high, 1);
        let moved = b.shl(one, K);
        (low, high) = (b.add(low, moved), b.sub(high, one));
        high = b.declare(high, &Interval::bits(W - K));
    }
    b.store_all(out, &[low, high]);
    let inputs = vec![Operand::new("x", x, &[0], &[pow2(W) - 1], pow2(W) - 1)];
    let output = Operand::new("out", out, &[0, K], &maxima, pow2(W) - 1);
    let claim = Claim::Value { output, factor: 1.into(), polynomial: Polynomial::input(0), modulus: None };
    b.finish(Contract { inputs, claims: vec![claim], ..Contract::default() })
}

/// `out + 2^K·rest = x`, with `out` said to be below `2^K`: the digits of the called kernel.
fn remainder(bits: u32) -> Kernel {
    let mut b = Builder::new("remainder", W);
    let max: BigInt = pow2(K) - 1;
    let out = b.output("out", 1, std::slice::from_ref(&max));
    let x = b.input("x", 1, &[pow2(W) - 1]);
    let local: Array = b.local("t", 2, Interval::bits(W));
    let callee = b.callee(Arc::new(digits(bits)));
    b.call(callee, vec![View::whole(local), View::whole(x)]);
    let rest = b.ghost("rest", 1);
    for (array, digit) in [(out, 0u32), (rest, 1)] {
        let word = b.load(local, digit);
        b.store(array, 0u32, word);
    }
    let inputs = vec![Operand::new("x", x, &[0], &[pow2(W) - 1], pow2(W) - 1)];
    let output = Operand::new("out", out, &[0], std::slice::from_ref(&max), pow2(W) - 1);
    let output = output.with_digit(rest, 0, K, pow2(W - K) - 1);
    let claim = Claim::Value { output, factor: 1.into(), polynomial: Polynomial::input(0), modulus: None };
    b.finish(Contract { inputs, claims: vec![claim], ..Contract::default() })
}

fn is_proved(kernel: &Kernel) -> bool {
    matches!(prove(kernel), Outcome::Proved(_))
}

#[test]
fn only_remainders_are_remainders() {
    for bits in [K, K + 1] {
        assert!(is_proved(&digits(bits)) && exhaust(&digits(bits)).is_none(), "{bits}: {:?}", prove(&digits(bits)));
    }
    let right = remainder(K);
    assert!(is_proved(&right) && exhaust(&right).is_none(), "{:?}", prove(&right));
    let wrong = remainder(K + 1);
    assert!(exhaust(&wrong).is_some() && !is_proved(&wrong));
    assert!(breaking(&[Rule::Remainder, Rule::Nets], || is_proved(&wrong)), "the rule does not matter");
}
