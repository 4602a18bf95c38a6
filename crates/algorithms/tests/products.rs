//! Products of plain integers: every input at toy word sizes, edge-biased operands at 32 and 64 bits against two
//! big-integer libraries, and multiplication counts against the formulas of the documentation.

use crate::exhaust;

use crate::common::{Random, edges, run, share};
use dashu_int::UBig;
use evariste_algorithms::integer::{self, operand_scanning_rolled};
use evariste_algorithms::recipe::{Kind, Setting};
use evariste_algorithms::{Layout, Operation};
use evariste_descriptions::Field;
use evariste_ir::{Kernel, Op, Stmt};
use num_bigint::BigInt;

/// All kernels for numbers of `n` words up to `bound`: name, squares or not, kernel.
fn kernels(word: u32, n: usize, bound: &BigInt) -> Vec<(&'static str, bool, Kernel)> {
    let layout = Layout::saturated_with("test", word, n, bound.clone(), None);
    let mut all = Vec::new();
    for square in [false, true] {
        let integers = Field::parse("int256").unwrap_or_else(|e| panic!("{e:?}"));
        let operation = if square { Operation::SQUARE } else { Operation::MUL };
        let setting = Setting { field: &integers, layout: &layout, operation: &operation };
        let products = integer::RECIPES.iter().filter(|r| r.kind() == Kind::Product);
        for recipe in products.filter(|r| r.needs(setting).is_some()) {
            let kernel = recipe.write(setting, recipe.name(), &());
            all.push((recipe.name(), square, kernel.unwrap_or_else(|e| panic!("{}: {e}", recipe.name()))));
        }
        let kernel = operand_scanning_rolled::write(&integers, &layout, &operation).unwrap_or_else(|e| panic!("{e}"));
        all.push(("operand-scanning-rolled", square, kernel));
    }
    all
}

fn top(word: u32, n: usize) -> BigInt {
    (BigInt::from(1) << (word * n as u32)) - 1
}

#[test]
fn every_input_at_toy_sizes() {
    let mut tried = 0;
    for (word, n, bound) in [
        (3, 1, top(3, 1)),
        (3, 2, top(3, 2)),
        (3, 3, top(3, 3)),
        (3, 2, BigInt::from(37)),
        (3, 4, BigInt::from(520)),
        (4, 1, top(4, 1)),
        (4, 2, top(4, 2)),
        (4, 3, BigInt::from(700)),
        (4, 4, BigInt::from(4100)),
        (5, 1, top(5, 1)),
        (5, 2, top(5, 2)),
    ] {
        for (name, _, kernel) in kernels(word, n, &bound) {
            tried += exhaust::every_input(&kernel).unwrap_or_else(|e| panic!("{name} {n}x{word} up to {bound}: {e}"));
        }
    }
    println!("{tried} inputs");
    assert!(tried > 10_000_000);
}

/// Long numbers at toy sizes, where every delayed form has run out of headroom but one.
#[test]
fn delayed_carries_with_little_headroom() {
    for (word, n) in [(3, 4), (4, 8), (5, 16), (6, 17)] {
        let bound = top(word, n);
        for (name, square, kernel) in kernels(word, n, &bound) {
            let mut r = Random(n as u64 + u64::from(square));
            for lane in run(&kernel, &mut r, share(2000), &edges(&bound, word), None)
                .unwrap_or_else(|e| panic!("{name} {n}x{word}: {e}"))
            {
                assert_eq!(
                    lane.output,
                    &lane.inputs[0] * lane.inputs.last().unwrap_or(&lane.inputs[0]),
                    "{name} {n}x{word}"
                );
            }
        }
    }
}

#[test]
fn real_sizes_against_big_integers() {
    let mut count = 0;
    for word in [32, 64] {
        for n in 1..=17 {
            // Full words, and a top word that is 1 at most.
            for bound in [top(word, n), top(word, n) >> (word - 1)] {
                let edges = edges(&bound, word);
                for (name, square, kernel) in kernels(word, n, &bound) {
                    count += 1;
                    let seed = (n as u64) << 8 | u64::from(word);
                    for lane in run(&kernel, &mut Random(seed), share(60), &edges, None)
                        .unwrap_or_else(|e| panic!("{name} {n}x{word}, seed {seed}: {e}"))
                    {
                        let (a, b) = (&lane.inputs[0], &lane.inputs[lane.inputs.len() - 1]);
                        assert_eq!(lane.output, a * b, "{name} {n}x{word} square {square}, seed {seed}");
                        let second = UBig::from_le_bytes(&a.to_bytes_le().1) * UBig::from_le_bytes(&b.to_bytes_le().1);
                        assert_eq!(
                            UBig::from_le_bytes(&lane.output.to_bytes_le().1),
                            second,
                            "{name} {n}x{word}, seed {seed}"
                        );
                    }
                }
            }
        }
    }
    assert!(count > 800);
}

/// Rows in chains: 2n − 1 additions take a carry in each row, n − 1 in the first; no flag leaves its chain.
#[test]
fn rows_are_chains() {
    for word in [32, 64] {
        for n in 1..=17u64 {
            for (name, square, kernel) in kernels(word, n as usize, &top(word, n as usize)) {
                if !["operand-scanning-merge", "operand-scanning-two-pass", "operand-scanning-mixed"].contains(&name) {
                    continue;
                }
                assert_eq!(
                    evariste_ir::count::count(&kernel).moves,
                    0,
                    "{name} {n}x{word} square {square}: a flag as a word"
                );
                // Squares: (n − 1)(n − 2) in the triangle, 2n − 2 each for doubling and the squares of the words.
                let expected = if square { (n - 1) * (n + 2) } else { (n - 1) * 2 * n };
                assert_eq!(links(&kernel), expected, "{name} {n}x{word} square {square}");
            }
        }
    }
}

/// Additions with a carry that comes in.
fn links(kernel: &Kernel) -> u64 {
    let links = |s: &&Stmt| matches!(s, Stmt::Op { op: Op::AddCarry, args, .. } if kernel.value(args[2]).range.constant().is_none());
    kernel.body.iter().filter(links).count() as u64
}

/// 4096 bits: the rolled kernel is short, and right.
#[test]
fn long_products_are_short_kernels() {
    for word in [32, 64] {
        let n = 4096 / word as usize;
        let bound = top(word, n);
        for (name, _, kernel) in kernels(word, n, &bound) {
            assert_eq!(name, "operand-scanning-rolled", "straight-line code of 4096 bits");
            let statements: usize = kernel.body.len() + kernel.callees.iter().map(|k| k.body.len()).sum::<usize>();
            assert!(statements < 100, "{statements} statements");
            for lane in
                run(&kernel, &mut Random(4096), 8, &edges(&bound, word), None).unwrap_or_else(|e| panic!("{name}: {e}"))
            {
                assert_eq!(lane.output, &lane.inputs[0] * &lane.inputs[lane.inputs.len() - 1]);
            }
        }
    }
}

/// The formulas of the documentation.
#[test]
fn multiplication_counts() {
    for word in [32, 64] {
        for n in 1..=17u64 {
            let h = n.div_ceil(2);
            let squares = |k: u64| k * (k + 1) / 2;
            for (name, square, kernel) in kernels(word, n as usize, &top(word, n as usize)) {
                // Digits shorter than words: their own files say how many products they take.
                if name.starts_with("float") {
                    continue;
                }
                let expected = match (name, square) {
                    ("operand-scanning-rolled", _) => n * n,
                    ("karatsuba" | "karatsuba-two-pass", false) => 2 * h * h + (n - h) * (n - h),
                    ("karatsuba" | "karatsuba-two-pass", true) => 2 * squares(h) + squares(n - h),
                    (_, false) => n * n,
                    (_, true) => squares(n),
                };
                let counts = evariste_ir::count::count(&kernel);
                assert_eq!(counts.multiplications, expected, "{name} {n}x{word} square {square}");
                if name == "comba-delayed" && !square {
                    // One for each half of a product, one for each column's carry; those to an empty sum are not
                    // written.
                    assert!(counts.wide_additions < 2 * n * n + 2 * n, "{name}: {counts:?}");
                    assert!(counts.wide_additions + 4 * n >= 2 * n * n, "{name}: {counts:?}");
                }
            }
        }
    }
}
