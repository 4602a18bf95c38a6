//! Formulas: random steps of field operations as calls, in a line or in a loop that follows the bits of a number, with
//! the polynomials that the generator tracks or others.

use std::collections::BTreeMap;
use std::sync::Arc;

use evariste_algorithms::signature::{input, output};
use evariste_ir::{
    ArrayKind, BitOf, Builder, Claim, Contract, Index, Interval, Kernel, Operand, Polynomial, Recurrence, Ring,
};
use evariste_testing::Random;
use num_bigint::BigInt;

use super::random::Draws;
use super::{consider, tried};
use crate::kernels::formulas::{Calls, Terms};
use crate::kernels::pow2;

/// Random steps on the registers s and t from elements x and y, and what s and t become, each as a polynomial in the
/// variables of that name.
fn steps(random: &mut Random, of: &BTreeMap<&str, Terms>) -> (String, Terms, Terms) {
    let mut values = of.clone();
    let mut text = String::new();
    // Both are written: a loop that keeps neither repeats nothing.
    let mut targets = vec!["s", "t"];
    targets.extend((0..random.below(2)).map(|_| random.one_of(&["s", "t"])));
    let turn = random.index(targets.len());
    targets.rotate_left(turn);
    for to in targets {
        let (a, b) = (random.one_of(&["s", "t", "x", "y"]), random.one_of(&["s", "t", "x", "y"]));
        let (x, y) = (values[a].clone(), values[b].clone());
        let sign = random.one_of(&["+", "-", "*", "*", "?"]);
        let value = match sign {
            "+" => x + y,
            "-" => x - y,
            "*" => x * y,
            _ => x.clone() + values["bit"].clone() * (y - x),
        };
        text += &if sign == "?" { format!("{to} = bit ? {a} {b};") } else { format!("{to} = {a} {sign} {b};") };
        values.insert(to, value);
    }
    (text, values["s"].clone(), values["t"].clone())
}

/// The field's kernel of such steps: `trips` times in a loop, once and without one where that is 0.
fn kernel(random: &mut Random, field: &Calls, trips: u32) -> Kernel {
    let layout = &field.layout;
    let mut b = Builder::new("formula", layout.word);
    let (out, operand) = output(&mut b, "out", &layout.weights, &layout.resting);
    let bits = trips.max(1);
    let k = b.input("k", bits, &[1.into()]);
    let weights: Vec<u32> = (0..bits).collect();
    let k_operand = Operand::new("k", k, &weights, &[1.into()], pow2(bits) - 1);
    let (x, y) =
        (input(&mut b, "x", &layout.weights, &layout.resting), input(&mut b, "y", &layout.weights, &layout.resting));
    let ty = b.word_type();
    let bit = b.array("bit", ty, 1, ArrayKind::Local, vec![Interval::bits(1)]);
    let mut registers = field.registers(&mut b, &[("x", x.array), ("y", y.array), ("bit", bit)]);
    for (name, from) in [("s", "x"), ("t", "y")] {
        let to = registers.array(&mut b, name);
        registers.copy(&mut b, from, to);
    }
    // In a line: inputs k, x, y. In a loop: then s, t and the bit.
    let variable = |i: u32| Terms::variable(i);
    let (s, t, of_bit) = if trips == 0 { (1, 2, 0) } else { (3, 4, 5) };
    let of = [("x", 1), ("y", 2), ("s", s), ("t", t), ("bit", of_bit)].map(|(name, i)| (name, variable(i)));
    let (text, s, t) = steps(random, &BTreeMap::from(of));
    let upward = random.one_in(2);
    let (first, stride) = if upward { (0, 1) } else { (bits - 1, -1) };
    let mixed = random.one_in(8) && layout.weights.len() > 1;
    let mut body = |b: &mut Builder, at: Index| {
        let value = b.load(k, at);
        b.store(bit, 0u32, value);
        registers.run(b, &text);
        if mixed {
            let digit = b.load(y.array, 1u32);
            let s = registers.array(b, "s");
            b.store(s, 1u32, digit);
        }
    };
    if trips == 0 {
        body(&mut b, Index::at(0));
    } else {
        b.repeat(trips, &[], |b, i, _| {
            body(b, Index::at(first.into()).plus(i, stride.into()));
            Vec::new()
        });
    }
    registers.copy(&mut b, "s", out);
    let wrong = random.below(3) == 0;
    let claim = if trips == 0 {
        let mut polynomial = s.0;
        if wrong {
            polynomial = polynomial.plus(1, &[random.below(3) as u32]);
        }
        Claim::Value { output: operand, factor: 1.into(), polynomial, modulus: Some(field.p.clone().into()) }
    } else {
        let mut recurrence = Recurrence {
            start: vec![Polynomial::input(1), Polynomial::input(2)],
            step: vec![s.0, t.0],
            bits: vec![BitOf { number: 0, first, stride }],
            count: trips,
            ring: Ring::Integers(field.p.clone()),
        };
        let mut component = 0;
        match random.below(6).min(if wrong { 6 } else { 0 }) {
            _ if !wrong => {}
            0 => recurrence.start.swap(0, 1),
            1 => recurrence.bits[0] = BitOf { number: 0, first: bits - 1 - first, stride: -stride },
            2 => recurrence.step[1] = recurrence.step[1].clone().plus(1, &[3]),
            3 => component = 1,
            4 => recurrence.step.swap(0, 1),
            _ => recurrence.start[0] = Polynomial::input(1).plus(1, &[]),
        }
        Claim::Iterate { output: operand, recurrence: Arc::new(recurrence), component }
    };
    let inputs = vec![k_operand, x.operand, y.operand];
    b.finish(Contract { facts: Vec::new(), inputs, claims: vec![claim] })
}

#[test]
fn formulas() {
    let fields = [("5", 3), ("7", 3), ("13", 2)].map(|(text, word)| Calls::plain(text, word));
    let p: Vec<&BigInt> = fields.iter().map(|f| &f.p).collect();
    println!("modulo {p:?}");
    let tally = tried("formulas", 4, |random, tally| {
        let trips = random.below(4) as u32;
        let field = &fields[random.index(fields.len())];
        let kernel = kernel(random, field, trips);
        consider(random, tally, kernel, 2);
    });
    tally.proves(700);
}
