//! Toy kernels, small enough for every input, and the exhaustive check.

use evariste_ir::interpret::Axis;
use evariste_ir::{ClaimChecker, Interpreter, Kernel, Polynomial, Product};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

use crate::kernels::{Draft, pow2};
use crate::kernels::fields::{add_mod, lazy_sub, sub_mod};
use crate::kernels::integers::{comba, comba_columns, comba_delayed, karatsuba, operand_scanning, rolled};
use crate::kernels::montgomery::{End, cios, cios_no_carry, fios, fips, sos};
use crate::kernels::montgomery_rows::cios_merge;

/// Names and kernels.
pub fn toys() -> Vec<(String, Kernel)> {
    let p = |x: u32| x.into();
    vec![
        ("operand scanning 2x3".into(), operand_scanning(3, 2, "")),
        ("square 1x2".into(), square(2, 1)),
        ("square 2x3".into(), square(3, 2)),
        ("chosen 1x4".into(), chosen()),
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

/// Runs every admissible input; a description of the first that violates the contract.
pub fn exhaust(kernel: &Kernel) -> Option<String> {
    if evariste_ir::verify(kernel).is_err() {
        return None;
    }
    let mut axes = Vec::new();
    for operand in &kernel.contract.inputs {
        let word = operand.digits.get(1).map_or(64, |d| d.weight);
        let regular = operand.digits.iter().enumerate().all(|(i, d)| d.array == operand.digits[0].array && d.index == i as u32 && d.weight == i as u32 * word);
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
