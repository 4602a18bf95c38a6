//! Toy kernels, small enough for every input, and the exhaustive check.

#![allow(dead_code)]

use evariste_algorithms::{Operation, lane_layouts, plans};
use evariste_descriptions::Field;
use evariste_ir::interpret::Axis;
use evariste_ir::{Builder, Claim, ClaimChecker, Contract, Interpreter, Kernel, Operand, Polynomial, Product, Value};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

use crate::kernels::fields::{add_mod, lazy_sub, sub_mod};
use crate::kernels::integers::{comba, comba_columns, comba_delayed, karatsuba, operand_scanning, rolled};
use crate::kernels::montgomery::{End, cios, cios_no_carry, fios, fips, sos};
use crate::kernels::montgomery_rows::cios_merge;
use crate::kernels::{Draft, pow2};

/// Names and kernels.
pub fn toys() -> Vec<(String, Kernel)> {
    let p = |x: u32| x.into();
    vec![
        ("operand scanning 2x3".into(), operand_scanning(3, 2, "")),
        ("square 1x2".into(), square(2, 1)),
        ("square 2x3".into(), square(3, 2)),
        ("chosen 1x4".into(), chosen()),
        ("unmasked sum or first, 2x2 in words of 4".into(), unmasked_choice()),
        ("lanes: product mod 13".into(), lanes("13", Operation::MUL)),
        ("lanes: square mod 13".into(), lanes("13", Operation::SQUARE)),
        ("lanes: sum mod 11".into(), lanes("11", Operation::ADD)),
        ("lanes: difference mod 11".into(), lanes("11", Operation::SUB)),
        ("lanes: choice mod 7".into(), lanes("7", Operation::SELECTZNZ)),
        ("lanes: out of Montgomery form mod 13".into(), lanes("13", Operation::FROM_MONTGOMERY)),
        ("Comba 2x3".into(), comba(3, 2, "")),
        ("delayed carry 2x4".into(), comba_delayed(4, 2, "")),
        ("Karatsuba 2x3".into(), karatsuba(3, 2, "")),
        ("rolled 2x3".into(), rolled(3, 2)),
        ("add mod 59, 2x3".into(), add_mod(3, 2, &p(59), "")),
        ("sub mod 59, 2x3".into(), sub_mod(3, 2, &p(59), "")),
        ("lazy sub mod 13, 2x3".into(), lazy_sub(3, 2, &p(13), "")),
        ("CIOS mod 61 final, 2x3".into(), cios(3, 2, &p(61), End::Final, "")),
        ("CIOS mod 29 final, 2x3".into(), cios(3, 2, &p(29), End::Final, "")),
        ("CIOS mod 13 lazy, 2x3".into(), cios(3, 2, &p(13), End::Lazy, "")),
        ("no-carry CIOS mod 29, 2x3".into(), cios_no_carry(3, 2, &p(29), End::Final, "")),
        ("SOS mod 53 final, 2x3".into(), sos(3, 2, &p(53), End::Final, "")),
        ("FIPS mod 61 final, 2x3".into(), fips(3, 2, &p(61), End::Final, "")),
        ("CIOS by merge rows mod 53 final, 2x3".into(), cios_merge(3, 2, &p(53), End::Final, "")),
        ("CIOS by merge rows mod 13 lazy, 2x3".into(), cios_merge(3, 2, &p(13), End::Lazy, "")),
        ("FIOS mod 61 final, 2x3".into(), fios(3, 2, &p(61), End::Final, "")),
    ]
}

/// The square of a number of n words.
fn square(w: u32, n: usize) -> Kernel {
    let mut d = Draft::new("square", w);
    let bound: BigInt = pow2(w * n as u32) - 1;
    let x = d.input("a", n, &bound);
    let out = comba_columns(&mut d, &x, &x.clone(), "");
    d.finish(&out, &bound.pow(2), Polynomial::default().plus(1, &[0, 0]), None)
}

/// `8 + (g ? a : 2)`.
fn chosen() -> Kernel {
    let mut d = Draft::new("chosen", 4);
    let (a, g) = (d.input("a", 1, &7.into())[0], d.input("g", 1, &1.into())[0]);
    let b = &mut d.b;
    let (one, two, eight) = (b.word_constant(1), b.word_constant(2), b.word_constant(8));
    let mask = b.equal(g, one);
    let s = b.select(mask, a, two);
    let out = b.add(s, eight);
    d.finish(&[out], &15.into(), Polynomial::constant(10).plus(1, &[0, 1]).plus(-2, &[1]), None)
}

/// `g ? a + b : a` of unmasked digits of two bits in words of four; the sum's carry goes on without being removed.
fn unmasked_choice() -> Kernel {
    let mut b = Builder::new("choice", 4);
    let (low, high) = (BigInt::from(15), BigInt::from(1));
    let maxima = [low.clone(), high];
    let out = b.output("out", 2, &[low.clone(), low]);
    let (x, y, g) = (b.input("a", 2, &maxima), b.input("b", 2, &maxima), b.input("g", 1, &[1.into()]));
    let number = |name: &str, array| Operand::new(name, array, &[0, 2], &maxima, 7.into()).unmasked(Some(2));
    let inputs = vec![number("a", x), number("b", y), Operand::new("g", g, &[0], &[1.into()], 1.into())];
    let (x, y, g) = (b.load_all(x), b.load_all(y), b.load_all(g));
    let zero = b.word_constant(0);
    let mask = b.less(zero, g[0]);
    let low: Vec<Value> = [x[0], y[0]].iter().map(|v| b.low_bits(*v, 2)).collect();
    let sum = b.add(low[0], low[1]);
    let carry = b.shr(sum, 2u32);
    let top = b.add(x[1], y[1]);
    let top = b.add(top, carry);
    let digits = [(sum, x[0]), (top, x[1])].map(|(s, x)| b.select(mask, s, x));
    b.store_all(out, &digits);
    let output = Operand::new("out", out, &[0, 2], &[15.into(), 3.into()], 15.into()).unmasked(Some(2));
    let claim =
        Claim::Value { output, factor: 1.into(), polynomial: Polynomial::input(0).plus(1, &[1, 2]), modulus: None };
    b.finish(Contract { facts: Vec::new(), inputs, claims: vec![claim] })
}

/// A kernel for lanes: digits of three bits in words of seven, unmasked.
fn lanes(modulus: &str, operation: Operation) -> Kernel {
    let field = Field::parse(modulus).unwrap_or_else(|e| panic!("{modulus}: {e:?}"));
    let layout = lane_layouts(&field, 7, 3)
        .into_iter()
        .find(|l| l.resting.low.is_some())
        .unwrap_or_else(|| panic!("{modulus} has no unmasked layout"));
    plans(&field, &layout, &operation)[0].write().unwrap_or_else(|e| panic!("{modulus}: {e}"))
}

/// Runs every admissible input; a description of the first that violates the contract.
pub fn exhaust(kernel: &Kernel) -> Option<String> {
    if evariste_ir::verify(kernel).is_err() {
        return None;
    }
    let mut axes = Vec::new();
    for operand in &kernel.contract.inputs {
        if operand.is_unmasked() {
            // Every element; the checker passes over what the number's bound excludes.
            axes.extend(operand.digits.iter().map(|d| Axis::element(d.array, d.index, 0, d.max.to_u64().unwrap_or(0))));
            continue;
        }
        let word = operand.digits.get(1).map_or(64, |d| d.weight);
        let regular = operand
            .digits
            .iter()
            .enumerate()
            .all(|(i, d)| d.array == operand.digits[0].array && d.index == i as u32 && d.weight == i as u32 * word);
        let bound = operand.bound.to_u64()?;
        assert!(regular, "toy numbers are plain");
        axes.push(Axis::number(operand.digits[0].array, operand.digits.len() as u32, word, 0, bound));
    }
    let interpreter = Interpreter::new(kernel);
    let mut checker = ClaimChecker::new(kernel);
    Product(axes).blocks(&interpreter, |batch, start, count| {
        checker.capture(batch);
        let report = interpreter.run(batch);
        checker.check(batch, &report, count).map(|lane| format!("input {}", start + lane as u128))
    })
}
