//! Binary fields of polynomials in whole words: every input at toy sizes, every polynomial; random numbers at real
//! sizes.

use std::collections::BTreeSet;

use crate::common::{Random, aliases, run, unsigned};
use evariste_algorithms::recipe::Kind;
use evariste_algorithms::{Layout, Operation, binary, layouts, plans, plans_vartime};
use evariste_descriptions::{BinaryField, Field};
use evariste_ir::Interpreter;
use num_bigint::{BigInt, BigUint};

fn reference(f: &BinaryField, op: &Operation, x: &[BigUint]) -> BigUint {
    match op.row().name {
        "mul" => f.multiply(&x[0], &x[1]),
        "square" => f.square(&x[0]),
        "add" => &x[0] ^ &x[1],
        _ => panic!("no reference for {op:?}"),
    }
}

fn words(f: &BinaryField, word: u32) -> (Field, Layout) {
    let field = Field::new(f.clone());
    let layout = layouts(&field, word).remove(0);
    assert_eq!((layout.word, layout.digits() as u32), (word, f.degree.div_ceil(word)));
    (field, layout)
}

/// Every irreducible polynomial of these degrees.
fn irreducible(degrees: std::ops::RangeInclusive<u32>) -> impl Iterator<Item = BinaryField> {
    degrees.flat_map(|m| (1u32 << m..2 << m).filter_map(|f| BinaryField::polynomial(&BigUint::from(f)).ok()))
}

#[test]
fn small_fields_exhaustively() {
    let (mut kernels, mut tried) = (0, BTreeSet::new());
    for f in irreducible(2..=7) {
        let m = f.degree;
        let table: Vec<u64> = (0..1usize << (2 * m))
            .map(|pair| {
                u64::try_from(f.multiply(&BigUint::from(pair & ((1 << m) - 1)), &BigUint::from(pair >> m)))
                    .expect("small")
            })
            .collect();
        for word in [2, 3, 4, 5, 8] {
            let (field, layout) = words(&f, word);
            for op in [Operation::MUL, Operation::SQUARE, Operation::ADD] {
                for plan in plans(&field, &layout, &op).into_iter().chain(plans_vartime(&field, &layout, &op)) {
                    let kernel = plan.write().expect("applies");
                    assert!(evariste_ir::verify(&kernel).is_ok(), "{} {}", f.text(), plan.name());
                    let interpreter = Interpreter::checking_ranges(&kernel);
                    let (a, out) = (kernel.find("a").expect("a"), kernel.find("out").expect("out"));
                    let second = kernel.find("b");
                    let lanes = if second.is_some() { 1 << (2 * m) } else { 1 << m };
                    let mut batch = interpreter.batch(lanes);
                    let digit = |x: usize, i: u32| (x >> (i * word) & ((1 << word) - 1)) as u128;
                    for lane in 0..lanes {
                        for i in 0..layout.digits() as u32 {
                            batch.set(a, i, lane, digit(lane & ((1 << m) - 1), i));
                            if let Some(b) = second {
                                batch.set(b, i, lane, digit(lane >> m, i));
                            }
                        }
                    }
                    assert!(interpreter.run(&mut batch).is_clean(), "{} {}", f.text(), plan.name());
                    for lane in 0..lanes {
                        let x: u128 = (0..layout.digits() as u32).map(|i| batch.get(out, i, lane) << (i * word)).sum();
                        let expected = match op.row().name {
                            "mul" => table[lane],
                            "square" => table[lane | lane << m],
                            _ => ((lane & ((1 << m) - 1)) ^ lane >> m) as u64,
                        };
                        assert_eq!(x, u128::from(expected), "{} {} of {lane:#x}", f.text(), plan.name());
                    }
                    tried.insert(plan.algorithm);
                    kernels += 1;
                }
            }
        }
    }
    println!("{kernels} kernels, {tried:?}");
    let parts: BTreeSet<&str> = tried.iter().flat_map(|name| name.split('+')).collect();
    let carryless = |kind| matches!(kind, Kind::CarrylessProduct | Kind::CarrylessReduction);
    let lines = binary::RECIPES.iter().filter(|r| carryless(r.kind())).map(|r| r.name());
    let all = lines.chain([binary::words::XOR.name]);
    let missing: Vec<&str> = all.filter(|name| !parts.contains(name)).collect();
    assert!(missing.is_empty(), "never tried: {missing:?}");
}

#[test]
fn real_fields_agree_with_the_reference() {
    let dense =
        BinaryField::polynomial(&BigUint::parse_bytes(b"d1d0d000d0000000d000000000000000d", 16).expect("hexadecimal"))
            .expect("irreducible");
    let standard =
        [57, 64, 113, 127, 128, 131, 163, 191, 233, 239, 283, 409, 571].into_iter().filter_map(BinaryField::standard);
    let mut kernels = 0;
    for f in standard.chain([dense]) {
        let most = (BigInt::from(1) << f.degree) - 1;
        for word in [64, 32, 8] {
            if word < 64 && f.degree > 24 * word {
                continue;
            }
            let (field, layout) = words(&f, word);
            for op in [Operation::MUL, Operation::SQUARE, Operation::ADD] {
                for plan in plans(&field, &layout, &op).into_iter().chain(plans_vartime(&field, &layout, &op)) {
                    let at = format!("{} {}", f.text(), plan.name());
                    let kernel = plan.write().expect("applies");
                    for alias in std::iter::once(None).chain(aliases(&kernel).into_iter().map(Some)) {
                        for lane in run(&kernel, &mut Random(f.degree.into()), 32, std::slice::from_ref(&most), alias)
                            .unwrap_or_else(|e| panic!("{at}: {e}"))
                        {
                            let mut x: Vec<BigUint> = lane.inputs.iter().map(unsigned).collect();
                            if op == Operation::ADD {
                                // Both operands are one vector of the contract.
                                x = vec![&x[0] & unsigned(&most), &x[0] >> f.degree];
                            }
                            assert_eq!(unsigned(&lane.output), reference(&f, &op, &x), "{at}");
                        }
                    }
                    kernels += 1;
                }
            }
        }
    }
    println!("{kernels} kernels");
    assert!(kernels > 300);
}
