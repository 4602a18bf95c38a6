//! Claims modulo even numbers: right kernels at toy word sizes on every input, what calls promise modulo them, factors
//! that are no units, and a wrong kernel that is proved only while the rule of factors is broken.

use std::sync::Arc;

use evariste_ir::range::pow2;
use evariste_ir::{Array, Builder, Claim, Contract, Interval, Kernel, Operand, Polynomial, View};
use num_bigint::BigInt;

use super::is_proved;
use crate::broken_rules::{Rule, breaking};
use crate::kernels::fields::{add_mod, sub_mod};
use crate::prove;
use crate::toys::exhaust;

const W: u32 = 3;

fn number(name: &str, array: Array, n: usize, bound: BigInt) -> Operand {
    let weights: Vec<u32> = (0..n as u32).map(|i| i * W).collect();
    let maxima: Vec<BigInt> = weights.iter().map(|w| (&bound >> *w).min(pow2(W) - 1)).collect();
    Operand::new(name, array, &weights, &maxima, bound)
}

fn claimed(output: Operand, factor: u32, polynomial: Polynomial, modulus: u32) -> Vec<Claim> {
    vec![Claim::Value { output, factor: factor.into(), polynomial, modulus: Some(BigInt::from(modulus).into()) }]
}

/// The lower n words of the product of two numbers of n words, said to be that modulo the modulus.
fn low_product(n: usize, modulus: u32) -> Kernel {
    let mut b = Builder::new("low_product", W);
    let bound: BigInt = pow2(W * n as u32) - 1;
    let full = vec![pow2(W) - 1; n];
    let out = b.output("out", n as u32, &full);
    let (x, y) = (b.input("a", n as u32, &full), b.input("b", n as u32, &full));
    let (a, c) = (b.load_all(x), b.load_all(y));
    let (mut low, high) = b.mul_wide(a[0], c[0]);
    b.store(out, 0u32, low);
    if n == 2 {
        for (i, j) in [(0, 1), (1, 0)] {
            let more = b.wrapping_mul(a[i], c[j]);
            low = if i == 0 { b.wrapping_add(high, more) } else { b.wrapping_add(low, more) };
        }
        b.store(out, 1u32, low);
    }
    let inputs = vec![number("a", x, n, bound.clone()), number("b", y, n, bound.clone())];
    let claims = claimed(number("out", out, n, bound), 1, Polynomial::default().plus(1, &[0, 1]), modulus);
    b.finish(Contract { facts: Vec::new(), inputs, claims })
}

/// `a + b`, and `more` where that is 6 or more, else 6; said to be the sum modulo 6.
fn corrected(more: u32) -> Kernel {
    let mut b = Builder::new("corrected", 5);
    let out = b.output("out", 1, &[31.into()]);
    let inputs = ["a", "b"].map(|name| b.input(name, 1, &[5.into()]));
    let [x, y] = inputs.map(|a| b.load(a, 0u32));
    let (sum, six, more) = (b.add(x, y), b.word_constant(6), b.word_constant(more));
    let below = b.less(sum, six);
    let added = b.select(below, six, more);
    let sum = b.add(sum, added);
    b.store(out, 0u32, sum);
    let operand = |name: &str, array, max: u32| Operand::new(name, array, &[0], &[max.into()], max.into());
    let claims = claimed(operand("out", out, 31), 1, Polynomial::input(0).plus(1, &[1]), 6);
    let inputs = vec![operand("a", inputs[0], 5), operand("b", inputs[1], 5)];
    b.finish(Contract { facts: Vec::new(), inputs, claims })
}

/// A called kernel's result, which promises `factor · out ≡ factor · a` modulo 12 (and is a, or `a + 6` where that fits
/// the promise), plus 12; claimed to be a modulo the modulus.
fn called(factor: u32, modulus: u32) -> Kernel {
    let operand = |name: &str, array, max: u32| Operand::new(name, array, &[0], &[max.into()], max.into());
    let mut b = Builder::new("inner", 5);
    let (out, x) = (b.output("out", 1, &[17.into()]), b.input("a", 1, &[11.into()]));
    let (v, more) = (b.load(x, 0u32), b.word_constant(if factor.is_multiple_of(2) { 6 } else { 0 }));
    let v = b.add(v, more);
    b.store(out, 0u32, v);
    let claims = claimed(operand("out", out, 17), factor, Polynomial::default().plus(factor, &[0]), 12);
    let inner = b.finish(Contract { facts: Vec::new(), inputs: vec![operand("a", x, 11)], claims });
    assert!(is_proved(&inner) && exhaust(&inner).is_none(), "{factor}: {:?}", prove(&inner));

    let mut b = Builder::new("called", 5);
    let (out, x) = (b.output("out", 1, &[31.into()]), b.input("a", 1, &[11.into()]));
    let local = b.local("t", 1, Interval::new(0, 17));
    let callee = b.callee(Arc::new(inner));
    b.call(callee, vec![View::whole(local), View::whole(x)]);
    // (A kernel of calls and copies alone is judged in whole numbers.)
    let (v, twelve) = (b.load(local, 0u32), b.word_constant(12));
    let v = b.add(v, twelve);
    b.store(out, 0u32, v);
    let claims = claimed(operand("out", out, 31), 1, Polynomial::input(0), modulus);
    b.finish(Contract { facts: Vec::new(), inputs: vec![operand("a", x, 11)], claims })
}

#[test]
fn right_kernels_are_proved() {
    for (n, bits) in [(1, W), (2, 2 * W)] {
        for k in 1..=bits {
            let kernel = low_product(n, 1 << k);
            assert!(is_proved(&kernel) && exhaust(&kernel).is_none(), "{n} words, 2^{k}: {:?}", prove(&kernel));
        }
        let wrong = low_product(n, 1 << (bits + 1));
        assert!(!is_proved(&wrong) && exhaust(&wrong).is_some(), "{n} words");
    }
    for p in [6u32, 8, 12, 34, 48, 50, 62] {
        for kernel in [add_mod(3, 2, &p.into(), ""), sub_mod(3, 2, &p.into(), "")] {
            assert!(is_proved(&kernel) && exhaust(&kernel).is_none(), "{} mod {p}: {:?}", kernel.name, prove(&kernel));
        }
    }
}

#[test]
fn both_factors_are_shown() {
    let right = corrected(0);
    assert!(is_proved(&right) && exhaust(&right).is_none(), "{:?}", prove(&right));
    // Right modulo 3 alone, and modulo 2 alone.
    for (more, is_proved_broken) in [(3, true), (2, false)] {
        let wrong = corrected(more);
        assert!(exhaust(&wrong).is_some() && !is_proved(&wrong), "{more}");
        let broken = breaking(&[Rule::Factors, Rule::Nets], || is_proved(&wrong));
        assert_eq!(broken, is_proved_broken, "{more} more");
    }
}

/// What a call promises modulo 12 serves modulo its divisors; a factor that is no unit is never divided by.
#[test]
fn calls_promise_modulo_divisors() {
    for modulus in [2, 3, 4, 6, 12] {
        for factor in [1, 5, 7, 11] {
            let kernel = called(factor, modulus);
            assert!(is_proved(&kernel) && exhaust(&kernel).is_none(), "{factor}, {modulus}: {:?}", prove(&kernel));
        }
    }
    for (factor, modulus) in [(2, 12), (2, 4), (4, 12), (6, 4), (10, 12)] {
        let kernel = called(factor, modulus);
        assert!(exhaust(&kernel).is_some() && !is_proved(&kernel), "{factor}, {modulus}");
    }
}
