//! Formulas over binary fields: random steps of products, squares, sums and choices as calls, in a line or in a loop that
//! follows the bits of a number, with the polynomials that these are or others. Bases of polynomials and normal ones, words
//! of one bit and more.

use std::sync::Arc;

use evariste_ir::{BitOf, Claim, Kernel, Polynomial, Ring};
use evariste_testing::Random;
use num_bigint::BigInt;

use super::random::Draws;
use super::{consider, tried};
use crate::kernels::bit_formulas::{BitCalls, kernel};

/// Random steps; choices only in loops, since a bit is no element of a polynomial.
fn steps(random: &mut Random, field: &BitCalls, trips: u32) -> String {
    let mut text = String::new();
    let constants: Vec<String> = (0..1u32 << field.bits()).map(|c| c.to_string()).collect();
    for to in ["s", "t", "s"].into_iter().take(2 + random.below(2) as usize) {
        let mut register = || match random.below(9) {
            8 => random.one_of(&constants.iter().map(String::as_str).collect::<Vec<_>>()),
            i => ["s", "t", "x", "y"][i as usize % 4],
        };
        let (a, b) = (register(), register());
        let sign = random.one_of(if trips > 0 { &["+", "*", "*", "^", "?", "?"] } else { &["+", "*", "*", "^"] });
        text += &format!("{to} = {a} {sign} {b};");
    }
    text
}

/// Another claim: another term or constant, the product of another field, another start, other bits.
fn spoiled(random: &mut Random, kernel: &mut Kernel, field: &BitCalls, other: &BitCalls) {
    let c = BigInt::from(1 + random.below((1 << field.bits()) - 1));
    let spoil = |random: &mut Random, p: Polynomial, most: u64| {
        let factors: Vec<u32> = (0..random.below(3)).map(|_| 1 + random.below(most) as u32).collect();
        p.plus(c.clone(), &factors)
    };
    match &mut kernel.contract.claims[0] {
        Claim::Polynomial { map, .. } if random.one_in(3) => *map = other.map.clone(),
        Claim::Polynomial { polynomial, .. } => *polynomial = spoil(random, std::mem::take(polynomial), 2),
        Claim::Iterate { recurrence, component, .. } => {
            let recurrence = Arc::make_mut(recurrence);
            let (count, component_of) = (recurrence.count, random.index(2));
            match random.below(6) {
                0 => recurrence.start.swap(0, 1),
                1 => recurrence.bits[0] = BitOf { number: 0, first: count - 1, stride: -1 },
                2 => recurrence.ring = Ring::Bits(other.map.clone()),
                3 => *component = 1,
                4 => recurrence.step.swap(0, 1),
                _ => {
                    let step = &mut recurrence.step[component_of];
                    *step = spoil(random, std::mem::take(step), 4);
                }
            }
        }
        _ => unreachable!("a claim of a formula"),
    }
}

#[test]
fn bit_formulas() {
    // Each beside a field of as many bits with another product.
    let fields = [
        ["GF(2)[x]/(x^3+x+1)", "GF(2)[x]/(x^3+x^2+1)"],
        ["GF(2^3):onb2", "GF(2)[x]/(x^3+x+1)"],
        ["GF(2^2):onb1", "GF(2)[x]/(x^2+x+1)"],
        ["GF(2)[x]/(x^2+x+1)", "GF(2^2):onb1"],
    ];
    let fields: Vec<[BitCalls; 2]> = [1, 2, 3, 8]
        .into_iter()
        .flat_map(|word| fields.map(|pair| (word, pair)))
        // (Normal bases in words have products alone.)
        .filter(|(word, pair)| *word == 1 || !pair[0].contains("onb"))
        .map(|(word, [one, other])| {
            [BitCalls::new(one, word), BitCalls::new(other, if other.contains("onb") { 1 } else { word })]
        })
        .collect();
    let tally = tried("formulas over bits", 4, |random, tally| {
        let trips = random.below(4) as u32;
        let [field, other] = &fields[random.index(fields.len())];
        // One-bit words have no choices.
        let text = steps(random, field, if field.layout.word > 1 { trips } else { 0 });
        let mut kernel = kernel(field, trips, &text);
        if random.below(3) == 0 {
            spoiled(random, &mut kernel, field, other);
        }
        consider(random, tally, kernel, 2);
    });
    tally.proves(700);
}
