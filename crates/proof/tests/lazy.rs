//! Formulas lowered with sums of whole products: counts, proofs in the layouts of real fields, every operand of toys.

use std::sync::Arc;
use std::time::Instant;

use evariste_algorithms::lowering::Ground;
use evariste_algorithms::lowering::lazy::{self, Calls, Supply, Whole};
use evariste_algorithms::{Layout, Operation, layouts, plans};
use evariste_descriptions::{Field, Modulus};
use evariste_formulas::{Checked, flatten};
use evariste_ir::{Kernel, Stmt};
use evariste_proof::{Outcome, prove};
use num_bigint::BigUint;

use crate::lowered::{checked, every, gauss, operations};

/// The kernel of a formula by sums of whole products.
pub fn lazily(formula: &Checked, field: &Field, layout: &Layout, calls: Option<Calls>) -> Result<Kernel, String> {
    let modulus = field.get::<Modulus>().unwrap();
    let whole = |whole, layout: &Layout| {
        let operation = match whole {
            Whole::Product => Operation::MUL_WIDE,
            Whole::Square => Operation::SQUARE_WIDE,
            Whole::Reduction => Operation::REDUCE,
            Whole::ReducedProduct => Operation::MUL,
            Whole::ReducedSquare => Operation::SQUARE,
        };
        let plans = plans(field, layout, &operation);
        Ok(plans.iter().filter_map(|p| p.write().ok()).find(|k| k.disjoint.is_empty()).map(Arc::new).unwrap())
    };
    let supply = Supply { operations: operations(field, layout).ok_or("no operations")?, whole: &whole };
    let number = |name: &str| (name == "beta").then(|| &modulus.value - 1u32);
    lazy::lower("lazy", formula, Ground { modulus, layout }, &number, &supply, calls).map_err(|why| why.to_string())
}

/// How often a kernel calls what has such a name.
fn calls(kernel: &Kernel, name: &str) -> usize {
    let called =
        |s: &&Stmt| matches!(s, Stmt::Call { callee, .. } if kernel.callees[*callee as usize].name.starts_with(name));
    kernel.body.iter().filter(called).count()
}

#[test]
fn sums_of_products_are_reduced_once() {
    let over = |formula: &str, product: &str| flatten(&checked(formula), &gauss(product)).unwrap();
    for text in ["bls12-381-fp", "bn254-fp"] {
        let field = Field::parse(text).unwrap();
        for layout in layouts(&field, 64).iter().filter(|l| l.name.starts_with("montgomery")) {
            for (formula, products, reductions) in [
                (checked("quadratic-karatsuba"), 3, 2),
                (checked("quadratic-schoolbook"), 4, 2),
                (over("karatsuba-3-shared", "quadratic-karatsuba"), 18, 6),
                (over("toom-3i", "quadratic-karatsuba"), 15, 6),
                (over("twelve-karatsuba", "quadratic-karatsuba"), 54, 12),
            ] {
                let start = Instant::now();
                let kernel = lazily(&formula, &field, layout, None).unwrap();
                let written = start.elapsed();
                let outcome = prove(&kernel);
                let name = &formula.formula().name;
                let all = kernel.body.iter().filter(|s| matches!(s, Stmt::Call { .. })).count();
                println!(
                    "{text} {} {name}: {} whole products, {} reductions, {} reduced products, {all} calls of {}; written in {written:.0?}, all in {:.0?}",
                    layout.name,
                    calls(&kernel, "multiply"),
                    calls(&kernel, "reduce"),
                    calls(&kernel, "mul_"),
                    kernel
                        .callees
                        .iter()
                        .map(|k| format!("{}*{}", k.name, calls(&kernel, &k.name)))
                        .collect::<Vec<_>>()
                        .join(" "),
                    start.elapsed(),
                );
                assert!(matches!(outcome, Outcome::Proved(_)), "{text} {}: {name}: {outcome:?}", layout.name);
                assert_eq!((calls(&kernel, "multiply"), calls(&kernel, "reduce")), (products, reductions));
            }
        }
    }
}

/// Products of the lowest floor as kernels of their own, whole or reduced.
#[test]
fn products_of_the_lowest_floor_are_called() {
    for text in ["bls12-381-fp", "bn254-fp"] {
        let field = Field::parse(text).unwrap();
        for layout in layouts(&field, 64).iter().filter(|l| l.name.starts_with("montgomery")) {
            for (name, products) in
                [("karatsuba-3-shared", 6), ("toom-3i", 5), ("twelve-karatsuba", 18), ("twelve-complex-square", 12)]
            {
                let formula = flatten(&checked(name), &gauss("quadratic-karatsuba").with_calls()).unwrap();
                for (way, reductions) in [(Calls::Whole, formula.formula().output_list().count()), (Calls::Reduced, 0)]
                {
                    let start = Instant::now();
                    let kernel = lazily(&formula, &field, layout, Some(way)).unwrap();
                    let outcome = prove(&kernel);
                    println!(
                        "{text} {} {name} {way:?}: {:.0?} {}",
                        layout.name,
                        start.elapsed(),
                        kernel
                            .callees
                            .iter()
                            .map(|k| format!("{}*{}", k.name, calls(&kernel, &k.name)))
                            .collect::<Vec<_>>()
                            .join(" ")
                    );
                    assert!(
                        matches!(outcome, Outcome::Proved(_)),
                        "{text} {}: {name} {way:?}: {outcome:?}",
                        layout.name
                    );
                    assert_eq!(calls(&kernel, "quadratic") + calls(&kernel, "gauss"), products, "{name}");
                    assert_eq!(calls(&kernel, "reduce"), reductions, "{name}");
                }
            }
        }
    }
}

/// Every pair of elements of Fp2 over toy primes.
#[test]
fn every_element_over_toy_primes() {
    let mut tried = 0u64;
    for (p, word) in [(3u32, 3u32), (7, 4), (11, 5)] {
        let field = Field::new(Modulus::new(BigUint::from(p)).unwrap());
        for layout in layouts(&field, word) {
            for name in
                ["quadratic-schoolbook", "quadratic-karatsuba", "quadratic-complex-square", "gauss-complex-square"]
            {
                let formula = checked(name);
                let Ok(kernel) = lazily(&formula, &field, &layout, None) else { continue };
                let outcome = prove(&kernel);
                assert!(matches!(outcome, Outcome::Proved(_)), "{p} {} {name}: {outcome:?}", layout.name);
                tried += every(&kernel, formula.formula(), p, &layout);
            }
        }
    }
    assert!(tried > 10_000, "{tried} operands");
}
