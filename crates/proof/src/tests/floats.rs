//! Kernels with floats: proved, and at toy sizes true on every input. Wrong ones are not proved, but are as soon as the
//! rule that forbids them is broken.

use evariste_algorithms::Layout;
use evariste_algorithms::floats::Floats;
use evariste_algorithms::integer::{float_products, plain_product};
use evariste_ir::float::Format;
use evariste_ir::mutate::mutants;
use evariste_ir::range::{Interval, pow2};
use evariste_ir::{Builder, Claim, Contract, Kernel, Operand, Polynomial, Value};
use num_bigint::BigInt;

use super::is_proved;
use crate::broken_rules::{Rule, breaking};
use crate::toys::exhaust;
use crate::{Outcome, prove};

fn products(word: u32) -> Vec<Kernel> {
    let layout = Layout::saturated_with("1", word, 1, pow2(word) - 1, None);
    [float_products::SHORT, float_products::SHORT_FMA, float_products::UNEQUAL, float_products::LONG]
        .iter()
        .flat_map(|p| {
            [false, true].map(|square| plain_product(&p.name.replace('-', "_"), p, &layout, square).expect("a product"))
        })
        .collect()
}

#[test]
fn products_of_words_are_proved_and_true() {
    for word in [3, 4, 5, 64] {
        for kernel in products(word) {
            let verified = evariste_ir::verify(&kernel);
            assert!(verified.is_ok(), "{kernel}\n{verified:?}");
            let outcome = prove(&kernel);
            assert!(
                matches!(outcome, Outcome::Proved(_)),
                "{kernel}\n{word} {} is not proved: {outcome:?}",
                kernel.name
            );
            assert!(word == 64 || exhaust(&kernel).is_none(), "{word} {} is proved and false", kernel.name);
        }
    }
}

#[test]
fn no_mutant_is_proved_wrongly() {
    let full = std::env::var_os("EVARISTE_FULL").is_some();
    let (mut proved, mut judged) = (0, 0);
    for word in [3, 4] {
        for kernel in products(word) {
            for (i, m) in mutants(&kernel).into_iter().enumerate().filter(|(i, _)| full || i % 3 == 0) {
                judged += 1;
                if is_proved(&m.kernel) {
                    proved += 1;
                    assert_eq!(
                        exhaust(&m.kernel),
                        None,
                        "{word} {}, mutant {i}, {}: proved and false",
                        kernel.name,
                        m.fault
                    );
                }
            }
        }
    }
    println!("{judged} mutants, {proved} proved");
    assert!(proved > 0 && judged > 10 * proved);
}

/// A toy kernel: one word `a` up to `most` (and a word `b` where `second`), the digits of the output by weight, and
/// what they are together.
fn toy(
    mantissa: u8,
    most: u32,
    second: bool,
    polynomial: Polynomial,
    body: impl FnOnce(&mut Builder, Floats, &[Value]) -> Vec<(u32, Value)>,
) -> Kernel {
    let floats = Floats { format: Format::new(mantissa).expect("a format") };
    let word = floats.format.bits();
    let mut b = Builder::new("toy", word);
    let names: &[&str] = if second { &["a", "b"] } else { &["a"] };
    let arrays: Vec<_> = names.iter().map(|n| b.input(*n, 1, &[most.into()])).collect();
    let inputs =
        names.iter().zip(&arrays).map(|(n, a)| Operand::new(*n, *a, &[0], &[most.into()], most.into())).collect();
    let words: Vec<Value> = arrays.iter().map(|a| b.load(*a, 0u32)).collect();
    let digits = body(&mut b, floats, &words);
    let full: BigInt = pow2(word) - 1;
    let out = b.output("out", digits.len() as u32, std::slice::from_ref(&full));
    let weights: Vec<u32> = digits.iter().map(|d| d.0).collect();
    for (i, (_, x)) in digits.iter().enumerate() {
        b.store(out, i as u32, *x);
    }
    let output = Operand::new("out", out, &weights, std::slice::from_ref(&full), &full << 4u32);
    b.finish(Contract {
        facts: Vec::new(),
        inputs,
        claims: vec![Claim::Value { output, factor: 1.into(), polynomial, modulus: None }],
    })
}

/// `3a − 2a` with mantissas of 3 bits: 9 is not among their numbers.
fn too_long() -> Kernel {
    toy(3, 3, false, Polynomial::input(0), |b, floats, x| {
        let [two, three, four] = [2u32, 3, 4].map(|c| floats.constant(b, c.into()));
        let a = floats.number(b, x[0]);
        let (triple, double) = (b.float_mul(a, three), b.float_mul(a, two));
        let difference = b.float_sub(triple, double);
        let difference = b.declare(difference, &Interval::bits(2));
        let biased = b.float_add(difference, four);
        vec![(0, floats.word(b, biased))]
    })
}

/// The pattern of `8 + a` for a up to 15, mantissas of 5 bits: from 16 on the last place is another.
fn two_binades() -> Kernel {
    toy(5, 15, false, Polynomial::default().plus(2, &[0]), |b, floats, x| {
        let eight = floats.constant(b, 8.into());
        let a = floats.number(b, x[0]);
        let sum = b.float_add(a, eight);
        let bits = b.float_to_bits(sum);
        let start = b.constant(floats.pattern_type(), floats.format.pattern_of_power(3));
        vec![(0, b.sub(bits, start))]
    })
}

/// Both halves of a product of digits of 3 bits, mantissas of 5; the constant of the lower half leaves room for a
/// quarter of the last place of the upper one, or for half.
fn halves(quarter: bool) -> Kernel {
    let middle = if quarter { 18 } else { 20 };
    toy(5, 7, true, Polynomial::constant(middle - 16).plus(1, &[0, 1]), |b, floats, x| {
        let (start, middle) = (floats.constant(b, 128.into()), floats.constant(b, middle.into()));
        let (a, c) = (floats.number(b, x[0]), floats.number(b, x[1]));
        let high = b.float_fma(a, c, start);
        let rest = b.float_sub(start, high);
        let rest = b.float_add(rest, middle);
        let low = b.float_fma(a, c, rest);
        let low = b.declare(low, &Interval::new(16, 24));
        let high = b.float_to_bits(high);
        let base = b.constant(floats.pattern_type(), floats.format.pattern_of_power(7));
        vec![(0, floats.word(b, low)), (3, b.sub(high, base))]
    })
}

#[test]
fn rules_of_floats_are_needed() {
    let right = halves(false);
    assert!(is_proved(&right) && exhaust(&right).is_none(), "{right}\n{:?}", prove(&right));
    for (rule, kernel) in [(Rule::Mantissa, too_long()), (Rule::Binade, two_binades()), (Rule::Rounding, halves(true))]
    {
        assert!(exhaust(&kernel).is_some(), "{rule:?}: the kernel is right\n{kernel}");
        assert!(!is_proved(&kernel), "{rule:?}: a false proof\n{kernel}");
        let outcome = breaking(&[rule, Rule::Nets], || prove(&kernel));
        assert!(matches!(outcome, Outcome::Proved(_)), "{rule:?}: nothing depends on it: {outcome:?}\n{kernel}");
    }
}

#[test]
fn numbers_that_no_rule_covers_are_refused() {
    // 2^53 + 1 is no double; patterns of small words are tiny numbers.
    let text = |body: &str| {
        format!(
            "kernel f: word 64 {{\n    output out: 1 x w64\n    input a: 1 x w64\n    given a <= 5 = a[0] * 2^0 max 5\n    gives out <= 5 = out[0] * 2^0 max 5: value 1 it = a\n\n    %0: w64 = a[0]\n{body}\n    out[0] = %0\n}}\n"
        )
    };
    for (body, reason) in [
        ("    %1: f53 = const(9007199254740993)", "is no number of 53 bits"),
        ("    %1: f53 = bits_to_float %0", "are no integers of one binade"),
    ] {
        let text = text(body);
        let kernel = Kernel::parse(&text).unwrap_or_else(|e| panic!("{text}\n{e}"));
        let outcome = format!("{:?}", prove(&kernel));
        assert!(outcome.contains(reason), "{text}\n{outcome}");
    }
}
