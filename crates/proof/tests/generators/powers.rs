//! Fixed powers: chains of calls and copies.

use std::sync::Arc;

use evariste_ir::{Array, ArrayKind, Claim, Contract, Interval, Kernel, Multiplication, Operand, Stmt, View};
use num_bigint::{BigInt, BigUint};

use super::random::{Draws, Flavour, Writer};
use super::{consider, tried};

/// A product modulo 7 of numbers up to 15: one digit of four bits, or two of two.
fn product_mod_7(digits: u32) -> Kernel {
    let body = if digits == 1 {
        "    %0: w8 = x[0]\n    %1: w8 = y[0]\n"
    } else {
        "    %14: w8 <2^2 = x[0]\n    %15: w8 <2^2 = x[1]\n    %16: w8 <2^4 = shl(2) %15\n    %0: w8 = add %14, %16\n
    %17: w8 <2^2 = y[0]\n    %18: w8 <2^2 = y[1]\n    %19: w8 <2^4 = shl(2) %18\n    %1: w8 = add %17, %19\n"
    };
    let end = if digits == 1 {
        "    z[0] = %8\n"
    } else {
        "    %20: w8 = low_bits(2) %8\n    %21: w8 = shr(2) %8\n    z[0] = %20\n    z[1] = %21\n"
    };
    let max = if digits == 1 { 15 } else { 3 };
    let number = |name: &str| {
        let list = if digits == 1 { format!("{name}[0] * 2^0") } else { format!("{name}[0..2] * 2^0 step 2") };
        format!("{name} <= 15 = {list} max {max}")
    };
    let (x, y, z) = (number("x"), number("y"), number("z"));
    let range = if digits == 1 { "w8 <2^4" } else { "w8 <2^2" };
    let text = format!(
        "kernel mul: word 8 {{
    output z: {digits} x {range}
    input x: {digits} x {range}
    input y: {digits} x {range}

    given {x}
    given {y}
    gives {z}: value 1 it = x*y mod 7

{body}    %2: w8 = mul %0, %1
    %3: w8 = low_bits(3) %2
    %4: w8 = shr(3) %2
    %5: w8 = add %3, %4
    %6: w8 = low_bits(3) %5
    %7: w8 = shr(3) %5
    %8: w8 = add %6, %7
{end}}}
"
    );
    renumbered(&text)
}

/// Values in order of their definitions.
fn renumbered(text: &str) -> Kernel {
    let mut names: Vec<String> = Vec::new();
    let mut out = String::new();
    let mut rest = text;
    while let Some(i) = rest.find('%') {
        let end = rest[i + 1..].find(|c: char| !c.is_ascii_digit()).map_or(rest.len(), |e| i + 1 + e);
        let name = rest[i..end].to_string();
        let n = names.iter().position(|x| *x == name).unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        });
        out += &format!("{}%{n}", &rest[..i]);
        rest = &rest[end..];
    }
    out += rest;
    Kernel::parse(&out).unwrap_or_else(|e| panic!("{e}\n{out}"))
}

/// Products and copies of powers, some of them of mixed digits, with the exponent that the generator counts or another.
#[test]
fn powers() {
    let callees = [1, 2].map(|n| Arc::new(product_mod_7(n)));
    let tally = tried("powers", 10, |random, tally| {
        let digits = 1 + random.below(2) as u32;
        let range = vec![Interval::bits(if digits == 1 { 4 } else { 2 })];
        let mut w = Writer::new(random, "power", 8, Flavour::Arithmetic);
        w.kernel.callees.push(callees[digits as usize - 1].clone());
        let ty = w.word();
        let out = w.array("out", ty, digits, ArrayKind::Output, range.clone());
        let base = w.array("a", ty, 2, ArrayKind::Input, range.clone());
        let mut known: Vec<(Array, u64)> = vec![(base, 1)];
        for i in 0..1 + w.random.below(4) {
            let t = w.array(&format!("t{i}"), ty, 2, ArrayKind::Local, range.clone());
            let (p, q) = (w.random.one_of(&known), w.random.one_of(&known));
            let start = |w: &mut Writer| if w.random.one_in(8) { 1u32 } else { 0 };
            let (p_start, q_start) = (start(&mut w), start(&mut w));
            let views = vec![View::from(t, 0u32), View::from(p.0, p_start), View::from(q.0, q_start)];
            w.kernel.body.push(Stmt::Call { callee: 0, args: views });
            known.push((t, p.1 + q.1));
        }
        let copied = w.random.one_of(&known[1..]);
        let mut body = std::mem::take(&mut w.kernel.body);
        for i in 0..digits {
            let from = if w.random.one_in(10) { w.random.one_of(&known) } else { copied };
            let x = w.load(from.0, i);
            w.store(out, i, x);
        }
        let mut k = w.finish();
        body.append(&mut k.body);
        k.body = body;
        let max: BigInt = if digits == 1 { 15.into() } else { 3.into() };
        let mut x = Operand::new("x", base, &[0, 2], &[max.clone(), max.clone()], 15.into());
        if digits == 1 {
            x.digits.truncate(1);
        }
        if random.one_in(4) {
            // Both elements at one weight.
            x = Operand::new("x", base, &[0, 0], &[7.into(), 7.into()], 14.into());
        }
        let z = Operand::new("z", out, &[0, 2][..digits as usize], &vec![max; digits as usize], 15.into());
        let exponent = if random.one_in(5) { copied.1 + 1 } else { copied.1 };
        let product = Multiplication::Modular { factor: 1.into(), modulus: 7.into() };
        let exponent = BigUint::from(exponent);
        k.contract = Contract {
            inputs: vec![x],
            claims: vec![Claim::Power { output: z, base: 0, exponent, product }],
            ..Contract::default()
        };
        consider(random, tally, k, 2);
    });
    tally.proves(300);
}
