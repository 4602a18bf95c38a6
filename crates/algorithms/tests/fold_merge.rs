//! Folding by a merge row, after the product or with its highest word early: counts, and the bound of what comes out.

use evariste_algorithms::{Operation, layouts, plans};
use evariste_descriptions::Field;
use evariste_ir::count::count;
use evariste_ir::range::pow2;
use evariste_ir::{Kernel, Op, Stmt};

/// The kernels by merge rows: layout, square or not, kernel.
fn kernels(text: &str) -> Vec<(String, bool, Kernel)> {
    kernels_of(text, "operand-scanning-merge+fold-merge")
}

/// The same of any algorithm.
fn kernels_of(text: &str, algorithm: &str) -> Vec<(String, bool, Kernel)> {
    let field = Field::parse(text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
    let mut all = Vec::new();
    for layout in layouts(&field, 64) {
        for operation in [Operation::MUL, Operation::SQUARE] {
            for plan in plans(&field, &layout, &operation).into_iter().filter(|p| p.algorithm == algorithm) {
                let kernel = plan.write().unwrap_or_else(|e| panic!("{text} {}: {e}", plan.name()));
                all.push((layout.name.clone(), operation == Operation::SQUARE, kernel));
            }
        }
    }
    all
}

/// Additions and subtractions with a carry that comes in, those of callees included.
fn links(kernel: &Kernel) -> usize {
    let here = kernel.body.iter().map(|s| match s {
        Stmt::Op { op: Op::AddCarry | Op::SubBorrow, args, .. } => {
            usize::from(kernel.value(args[2]).range.constant().is_none())
        }
        Stmt::Call { callee, .. } => links(&kernel.callees[*callee as usize]),
        _ => 0,
    });
    here.sum()
}

#[test]
fn a_spare_bit_takes_the_last_fold() {
    let kernels = kernels("2^255-19");
    assert_eq!(kernels.len(), 4);
    for (layout, square, kernel) in &kernels {
        let (multiplications, product) = if *square { (15, 18) } else { (21, 24) };
        let counts = count(kernel);
        assert_eq!(counts.multiplications, multiplications, "{layout}");
        if layout.ends_with("redundant") {
            // 2·4 − 1 for the row, 4 − 1 for the last chain; no mask, no flag as a word.
            assert_eq!(links(kernel), product + 7 + 3, "{layout}");
            assert_eq!((counts.moves, counts.selects), (0, 0), "{layout}");
        }
    }
}

/// A multiplication more than after the product; the highest word has no carries when it is multiplied.
#[test]
fn an_early_quotient_takes_a_multiplication_more() {
    for (text, number) in [("2^255-19", 4), ("secp256k1", 2)] {
        let kernels = kernels_of(text, "fold-early");
        assert_eq!(kernels.len(), number, "{text}");
        for (layout, square, kernel) in &kernels {
            assert_eq!(count(kernel).multiplications, if *square { 16 } else { 22 }, "{text} {layout}");
            let products: Vec<_> = kernel
                .body
                .iter()
                .filter_map(|s| match s {
                    Stmt::Op { op: Op::MulWide, args, results } => Some((args.clone(), results[1])),
                    _ => None,
                })
                .collect();
            let early = products.iter().any(|(args, _)| products.iter().any(|(_, high)| args[0] == *high));
            assert!(early, "{text} {layout}");
        }
    }
    // C has more than one word, or c = 1, or nothing is to be folded at 2^(wn).
    for text in ["p384", "p521", "p256"] {
        assert!(kernels_of(text, "fold-early").is_empty(), "{text}");
    }
}

/// With a quotient that is one greater the sum alone is kept: one word is selected for each word of `2^(wn) − p`, and
/// nothing else.
#[test]
fn a_greater_quotient_leaves_no_difference_to_choose() {
    for (text, selects) in [("secp256k1", 1), ("2^256-189", 1), ("2^255-19", 2)] {
        for (algorithm, early) in [("operand-scanning-merge+fold-ceiling", 0), ("fold-early-ceiling", 1)] {
            let kernels = kernels_of(text, algorithm);
            assert_eq!(kernels.len(), 2, "{text} {algorithm}");
            for (layout, square, kernel) in &kernels {
                let (multiplications, product) = if *square { (15, 18) } else { (21, 24) };
                let counts = count(kernel);
                let name = format!("{text} {algorithm} {layout}");
                assert_eq!(counts.multiplications, multiplications + early, "{name}");
                assert_eq!(counts.selects, selects, "{name}");
                // The row and the sum; what the quotient adds; what is subtracted. (The early quotient takes a sum of two
                // words, and has no row above the product's own words.)
                let links = links(kernel);
                assert!(links <= product + 7 + 3 + 3 + early as usize, "{name}: {links}");
            }
        }
    }
    // The only quotient of 2^521 − 1 is a sum, so that one more is a carry that comes in.
    let p521 = kernels_of("p521", "operand-scanning-merge+fold-ceiling");
    assert_eq!(p521.len(), 2);
    assert!(p521.iter().all(|(_, square, kernel)| count(kernel).multiplications == if *square { 45 } else { 81 }));
}

/// Any four-word operands: the result is below 2^255 + 2^11, so its top word is at most 2^63.
#[test]
fn the_result_is_hardly_above_the_power() {
    for (layout, _, kernel) in kernels("2^255-19").iter().filter(|k| k.0.ends_with("redundant")) {
        let top =
            kernel.body.iter().rev().find_map(|s| if let Stmt::Store { value, .. } = s { Some(*value) } else { None });
        let top = top.unwrap_or_else(|| panic!("{layout}: nothing is stored"));
        assert!(kernel.value(top).range.hi <= pow2(63), "{layout}: {}", kernel.value(top).range.hi);
    }
}

#[test]
fn full_words_take_a_carry_more() {
    for text in ["secp256k1", "2^256-189"] {
        let kernels = kernels(text);
        assert_eq!(kernels.len(), 4, "{text}");
        for (layout, square, kernel) in &kernels {
            assert_eq!(count(kernel).multiplications, if *square { 15 } else { 21 }, "{text} {layout}");
        }
    }
    // C has more than one word, or c = 1: folded by other rows.
    for text in ["2^130-5", "p521", "p384"] {
        assert!(kernels(text).is_empty(), "{text}");
    }
}
