//! What two words promise together is division with remainder only where the lower is a remainder.

use evariste_ir::range::pow2;
use evariste_ir::{Array, Builder, Claim, Contract, Interval, Kernel, Operand, Polynomial, View};
use num_bigint::BigInt;
use std::sync::Arc;

use super::is_proved;
use crate::broken_rules::{Rule, breaking};
use crate::prove;
use crate::toys::exhaust;

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

/// `low + 16·high = 16·x − y` where `y < x`, which intervals alone do not show to be positive; the high digit, said to be
/// at most that.
fn high(most: u32) -> Kernel {
    let inputs = "    input x: 1 x w8 <2^4
    input y: 1 x w8 <2^4
";
    let given = "    given x <= 15 = x[0] * 2^0 max 15
    given y <= 15 = y[0] * 2^0 max 15
    where y < 1 * x
";
    let text = format!(
        "kernel @0 parts: word 8 {{
    output l: 1 x w8 <2^4
    output h: 1 x w8 <2^4
{inputs}
{given}    gives z <= 255 = l[0] * 2^0 max 15 + h[0] * 2^4 max 15: value 1 it = 16*x - y

    %0: w8 <2^4 = x[0]
    %1: w8 <2^4 = y[0]
    %2: w8 [0, 240] = shl(4) %0
    %3: w8 [0, 240] = sub %2, %1
    %4: w8 <2^4 = low_bits(4) %3
    %5: w8 <2^4 = shr(4) %3
    l[0] = %4
    h[0] = %5
}}
kernel high: word 8 {{
    output out: 1 x w8 <2^4
{inputs}    local l: 1 x w8 <2^4
    callees @0

{given}    gives out <= {most} = out[0] * 2^0 max 15: value 1 it = x mod 1

    call 0 parts(l, out, x, y)
}}
"
    );
    Kernel::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

#[test]
fn what_two_digits_promise_is_no_more_than_they_hold() {
    assert!(is_proved(&high(15)));
    let wrong = high(7);
    assert!(exhaust(&wrong).is_some());
    assert!(!is_proved(&wrong) && !breaking(&[Rule::Nets], || is_proved(&wrong)));
    assert!(breaking(&[Rule::PromisedSize, Rule::Nets], || is_proved(&wrong)));
}
