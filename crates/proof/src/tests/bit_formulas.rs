//! Formulas over binary fields at toy sizes: every input, every single fault, and what is proved while a rule is broken.

use std::sync::Arc;

use evariste_ir::mutate::mutants;
use evariste_ir::{BitMap, Builder, Claim, Contract, Interval, Kernel, Operand, Polynomial, View};

use super::attacked_steps::{is_refused, is_shown, is_wrong};
use super::{holds, is_proved};
use crate::broken_rules::Rule;
use crate::kernels::bit_formulas::{BitCalls, kernel};
use crate::toys::exhaust;

const FIELDS: [(&str, u32); 5] = [
    ("GF(2)[x]/(x^3+x+1)", 1),
    ("GF(2)[x]/(x^3+x+1)", 2),
    ("GF(2)[x]/(x^3+x+1)", 8),
    ("GF(2^3):onb2", 1),
    ("GF(2^2):onb1", 1),
];

/// `x² y + c·x + y` with the constant 2.
const QUADRATIC: &str = "t = x ^ 2; t = t * y; s = 2 * s; s = s + t; s = s + y";
/// A step of a ladder in x, with a choice.
const STEP: &str = "s = s ? t; t = t * x; s = s ^ 2; s = s + y";

#[test]
fn formulas_and_loops_of_toy_fields() {
    for (text, word) in FIELDS {
        let field = BitCalls::new(text, word);
        let loops = (word > 1).then_some((STEP, 3));
        for (steps, trips) in [(QUADRATIC, 0), (QUADRATIC, 2)].into_iter().chain(loops) {
            let right = kernel(&field, trips, steps);
            holds(&format!("{text}, words of {word}, {trips} trips"), &right);
            let mut proved = 0;
            for mutant in mutants(&right) {
                if is_proved(&mutant.kernel) {
                    assert_eq!(exhaust(&mutant.kernel), None, "{text}, words of {word}: {}", mutant.fault);
                    proved += 1;
                }
            }
            println!("{text}, words of {word}, {trips} trips: {proved} mutants are right");
        }
    }
}

/// Products of another field of as many bits.
#[test]
fn a_call_promises_its_own_product() {
    for trips in [0, 2] {
        let mut wrong = kernel(&BitCalls::new("GF(2)[x]/(x^3+x^2+1)", 8), trips, "s = x * y; s = s * y; t = t + s");
        let other = BitCalls::new("GF(2)[x]/(x^3+x+1)", 8).map;
        match &mut wrong.contract.claims[0] {
            Claim::Polynomial { map, .. } => *map = other,
            Claim::Iterate { recurrence, .. } => Arc::make_mut(recurrence).ring = evariste_ir::Ring::Bits(other),
            _ => unreachable!("a claim of a formula"),
        }
        assert!(exhaust(&wrong).is_some());
        is_refused(&wrong, Rule::VectorMap);
    }
}

/// A digit of the one element and one of the other are no element.
#[test]
fn an_element_is_all_its_digits() {
    let field = BitCalls::new("GF(2)[x]/(x^3+x+1)", 2);
    let right = kernel(&field, 0, "s = x * y; s = s + y; t = s + x");
    holds("before it is mixed", &right);
    let mut mixed = right;
    // The first digit of what is copied into t is x's in the place of y's.
    let copies = mixed.body.iter_mut().filter_map(|stmt| match stmt {
        evariste_ir::Stmt::Load { array, .. } if *array == evariste_ir::Array(3) => Some(array),
        _ => None,
    });
    let mut changed = 0;
    for array in copies.take(1) {
        *array = evariste_ir::Array(2);
        changed += 1;
    }
    assert_eq!(changed, 1, "there is a copy");
    assert!(!is_proved(&mixed) || exhaust(&mixed).is_none());
}

/// `a + g·(c − a)` of numbers at most these, in elements of four bits.
fn chosen(c: u32, g: u32) -> Kernel {
    let mut b = Builder::new(format!("chosen_of_{c}"), 8);
    let out = b.output("out", 1, &[(c * g).into()]);
    let inputs = [("g", g), ("a", 0), ("c", c)].map(|(name, max)| (name, b.input(name, 1, &[max.into()]), max));
    let [x, y, z] = inputs.map(|(_, array, _)| b.load(array, 0u32));
    let difference = b.sub(z, y);
    let product = b.mul(x, difference);
    let sum = b.add(y, product);
    b.store(out, 0u32, sum);
    let number = |name: &str, array, max: u32| Operand::new(name, array, &[0], &[max.into()], max.into());
    let claim = Claim::Value {
        output: number("out", out, c * g),
        factor: 1.into(),
        polynomial: Polynomial::input(1).plus(1, &[0, 2]).plus(-1, &[0, 1]),
        modulus: None,
    };
    let inputs = inputs.map(|(name, array, max)| number(name, array, max)).to_vec();
    b.finish(Contract { facts: Vec::new(), inputs, claims: vec![claim] })
}

/// `g·(g·c) + g·c`, which is nothing where g is 0 or 1.
fn twice_chosen(g: u32) -> Kernel {
    let field = BitCalls::new("GF(2)[x]/(x^4+x+1)", 8);
    let mut b = Builder::new("twice", 8);
    let out = b.output("out", 1, &[15.into()]);
    let [g_in, c] = [("g", g), ("c", 1)].map(|(name, max)| b.input(name, 1, &[max.into()]));
    let zero = b.table("zero", vec![0.into()]);
    let [s, t] = ["s", "t"].map(|name| b.local(name, 1, Interval::bits(4)));
    let small = b.local("small", 1, Interval::up_to(g));
    let [inner, outer] = [chosen(1, g), chosen(g, g)].map(|kernel| b.callee(Arc::new(kernel)));
    let add = b.callee(Arc::new(sum_of_four_bits()));
    b.call(inner, [s, g_in, zero, c].map(View::whole).to_vec());
    let v = b.load(s, 0u32);
    b.store(small, 0u32, v);
    b.call(outer, [t, g_in, zero, small].map(View::whole).to_vec());
    b.call(add, [out, s, t].map(View::whole).to_vec());
    let number = |name: &str, array, max: u32| Operand::new(name, array, &[0], &[max.into()], max.into());
    let inputs = vec![number("g", g_in, g), number("c", c, 1)];
    let claim =
        Claim::Polynomial { output: number("out", out, 15), polynomial: Polynomial::default(), map: field.map.clone() };
    b.finish(Contract { facts: Vec::new(), inputs, claims: vec![claim] })
}

/// Words of which four bits count.
fn sum_of_four_bits() -> Kernel {
    let mut b = Builder::new("sum", 8);
    let out = b.output("out", 1, &[15.into()]);
    let [x, y] = ["a", "b"].map(|name| b.input(name, 1, &[15.into()]));
    let [p, q] = [x, y].map(|array| b.load(array, 0u32));
    let sum = b.xor(p, q);
    b.store(out, 0u32, sum);
    let mut both = Operand::new("both", x, &[0], &[15.into()], 255.into());
    both = both.with_digit(y, 0, 4, 15.into());
    let map = BitMap::Linear(Arc::new((0..8).map(|i| vec![i % 4]).collect()));
    let output = Operand::new("out", out, &[0], &[15.into()], 15.into());
    b.finish(Contract { facts: Vec::new(), inputs: vec![both], claims: vec![Claim::Bits { output, map }] })
}

#[test]
fn what_chooses_is_a_bit() {
    assert!(is_shown(&twice_chosen(1)));
    let wrong = twice_chosen(3);
    assert!(is_wrong(&wrong, &[("g", &[2]), ("c", &[1])]));
    is_refused(&wrong, Rule::VectorChoice);
}
