//! Matrices that are mixed of the entries of several calls. Of an even f only the bounds of entries are promised, and
//! calls from one point then take different paths: a row of two of them does not keep to the bound of a row.

use std::sync::Arc;

use evariste_algorithms::prime::safegcd::steps;
use evariste_ir::range::{Interval, pow2};
use evariste_ir::{ArrayKind, Builder, Claim, Contract, Kernel, Operand, Polynomial, Value, View};
use num_bigint::BigInt;

use super::attacked_steps::{is_refused, is_shown, is_wrong};
use crate::broken_rules::Rule;

const W: u32 = 10;

/// An input of words, each of them a number.
fn words(b: &mut Builder, inputs: &mut Vec<Operand>, len: u32) -> Vec<Value> {
    let full: BigInt = pow2(W) - 1;
    let array = b.input(format!("in{}", inputs.len()), len, std::slice::from_ref(&full));
    for i in 0..len {
        let name = format!("x{}", inputs.len());
        let mut operand = Operand::new(name, array, &[0], std::slice::from_ref(&full), full.clone());
        operand.digits[0].index = i;
        inputs.push(operand);
    }
    b.load_all(array)
}

/// f or g after steps, by a row of any words.
fn division(steps: u32) -> Kernel {
    let mut b = Builder::new(format!("divide_{steps}"), W);
    let full: BigInt = pow2(W) - 1;
    let out = b.output("out", 1, std::slice::from_ref(&full));
    let mut inputs = Vec::new();
    let (row, x) = (words(&mut b, &mut inputs, 2), words(&mut b, &mut inputs, 2));
    let low = b.ghost("low", 1);
    let (s, t, sum) = (b.wrapping_mul(row[0], x[0]), b.wrapping_mul(row[1], x[1]), b.wrapping_add(x[0], x[1]));
    let total = b.wrapping_add(s, t);
    let rest = b.low_bits(total, steps);
    b.store(low, 0u32, rest);
    let quotient = b.shr(total, steps);
    let quotient = b.wrapping_sub(quotient, sum);
    b.store(out, 0u32, quotient);
    let output = Operand::new("after", low, &[0], &[pow2(steps) - 1], pow2(W + steps));
    let output = output.with_digit(out, 0, steps, full);
    let raised = -pow2(steps);
    let polynomial = Polynomial::default().plus(1, &[0, 2]).plus(1, &[1, 3]);
    let polynomial = polynomial.plus(raised.clone(), &[2]).plus(raised, &[3]);
    let claim = Claim::Value { output, factor: 1.into(), polynomial, modulus: Some(pow2(W).into()) };
    b.finish(Contract { facts: Vec::new(), inputs, claims: vec![claim] })
}

/// A row of s steps times the matrix of k steps before them, of any words.
fn product(s: u32, k: u32) -> Kernel {
    let mut b = Builder::new(format!("product_{s}_{k}"), W);
    let full: BigInt = pow2(W) - 1;
    let out = b.output("out", 2, std::slice::from_ref(&full));
    let mut inputs = Vec::new();
    let (x, y) = (words(&mut b, &mut inputs, 2), words(&mut b, &mut inputs, 4));
    let mut claims = Vec::new();
    for column in 0..2u32 {
        let (y, other) = (y[column as usize], y[2 + column as usize]);
        let products = [(x[0], y), (x[1], other)].map(|(x, y)| b.wrapping_mul(x, y));
        let (rows, columns) = (b.wrapping_add(x[0], x[1]), b.wrapping_add(y, other));
        let (rows, columns) = (b.wrapping_shl(rows, k), b.wrapping_shl(columns, s));
        let (sum, both) = (b.wrapping_add(products[0], products[1]), b.wrapping_add(rows, columns));
        let constant = b.word_constant((pow2(s + k) * 3) % pow2(W));
        let sum = b.wrapping_add(sum, constant);
        let entry = b.wrapping_sub(sum, both);
        b.store(out, column, entry);
        let mut output = Operand::new("entry", out, &[0], std::slice::from_ref(&full), full.clone());
        output.digits[0].index = column;
        let (i, j) = (2 + column, 4 + column);
        let polynomial = Polynomial::constant(pow2(s + k) * 3).plus(1, &[0, i]).plus(1, &[1, j]);
        let polynomial = polynomial.plus(-pow2(k), &[0]).plus(-pow2(k), &[1]).plus(-pow2(s), &[i]);
        let polynomial = polynomial.plus(-pow2(s), &[j]);
        claims.push(Claim::Value { output, factor: 1.into(), polynomial, modulus: Some(pow2(W).into()) });
    }
    b.finish(Contract { facts: Vec::new(), inputs, claims })
}

/// A call of a kernel with these words: what it gives.
fn call(b: &mut Builder, kernel: Kernel, inputs: &[&[Value]]) -> Vec<Vec<Value>> {
    let callee = b.callee(Arc::new(kernel.clone()));
    let (mut inputs, mut args, mut outputs) = (inputs.iter(), Vec::new(), Vec::new());
    for p in kernel.params() {
        let info = kernel.array(p);
        let name = format!("local{}", b.kernel().arrays.len());
        let local = b.local(name, info.len, Interval::bits(W));
        match info.kind {
            ArrayKind::Input => b.store_all(local, inputs.next().unwrap()),
            ArrayKind::Output => outputs.push(local),
            _ => {}
        }
        args.push(View::whole(local));
    }
    b.call(callee, args);
    outputs.into_iter().map(|x| b.load_all(x)).collect()
}

/// ζ and the matrix after steps.
fn stepped(b: &mut Builder, count: u32, zeta: Value, x: [Value; 2]) -> (Value, [Value; 4]) {
    let found = call(b, steps::packed(W, count), &[&[zeta], &x[..1], &x[1..]]);
    (found[0][0], [0, 1, 2, 3].map(|i| found[1][i]))
}

/// f and g after the steps of a matrix.
fn divided(b: &mut Builder, count: u32, m: [Value; 4], x: [Value; 2]) -> [Value; 2] {
    [0, 2].map(|i| call(b, division(count), &[&m[i..i + 2], &x])[0][0])
}

/// The product of a matrix of s steps with that of k before them.
fn multiplied(b: &mut Builder, (s, m): (u32, [Value; 4]), (k, n): (u32, [Value; 4])) -> [Value; 4] {
    let [x, y] = [0, 2].map(|i| call(b, product(s, k), &[&m[i..i + 2], &n]).remove(0));
    [x[0], x[1], y[0], y[1]]
}

/// A matrix of five steps, of which those from the third on come from two calls each, or from one.
fn joined(mixed: bool) -> Kernel {
    let mut b = Builder::new("joined", W);
    let most: BigInt = pow2(6);
    let out = b.output("out", 4, &[pow2(W) - 1]);
    let mut inputs = Vec::new();
    let start = [0, 1, 2].map(|_| words(&mut b, &mut inputs, 1)[0]);
    let (zeta, x) = (start[0], [start[1], start[2]]);
    let mix = |m: [Value; 4], i: usize, other: [Value; 4]| {
        let mut all = m;
        if mixed {
            all[i] = other[i];
        }
        all
    };
    let (zeta, first) = stepped(&mut b, 1, zeta, x);
    let x1 = divided(&mut b, 1, first, x);
    let (zeta, second) = stepped(&mut b, 2, zeta, x1);
    let both = multiplied(&mut b, (2, second), (1, first));
    // f and g after three steps: divided at once and one by one.
    let at_once = divided(&mut b, 3, both, x);
    let (zeta2, s2) = stepped(&mut b, 1, zeta, at_once);
    let one_by_one = divided(&mut b, 2, second, x1);
    let (zeta3, s3) = stepped(&mut b, 1, zeta, one_by_one);
    let x3 = divided(&mut b, 1, mix(s3, 1, s2), one_by_one);
    let (_, s4) = stepped(&mut b, 1, if mixed { zeta2 } else { zeta3 }, x3);
    let x4 = divided(&mut b, 1, s2, at_once);
    let (_, s5) = stepped(&mut b, 1, zeta3, x4);
    let p1 = multiplied(&mut b, (1, mix(s2, 1, s3)), (2, second));
    let p2 = multiplied(&mut b, (1, s3), (2, second));
    let p3 = multiplied(&mut b, (1, mix(s4, 1, s5)), (3, if mixed { mix(p1, 1, p2) } else { p2 }));
    let p4 = multiplied(&mut b, (4, p3), (1, first));
    b.store_all(out, &p4);
    let claims = evariste_ir::divsteps::PARTS[1..].iter().zip(0..).map(|((name, part), i)| {
        let mut output = Operand::new(*name, out, &[0], std::slice::from_ref(&most), most.clone());
        output.digits[0].index = i;
        Claim::Divsteps { output, part: *part, count: 5 }
    });
    let claims = claims.collect();
    b.finish(Contract { facts: Vec::new(), inputs, claims })
}

#[test]
fn the_entries_of_a_matrix_come_from_one_call() {
    let right = joined(false);
    assert!(is_shown(&right));
    let wrong = joined(true);
    assert!(is_wrong(&wrong, &[("in0", &[1023]), ("in1", &[788]), ("in2", &[511])]));
    is_refused(&wrong, Rule::DivisionMatrix);
}
