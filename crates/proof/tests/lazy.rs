//! Formulas lowered with sums of whole products: counts, proofs in the layouts of real fields, every operand of toys.

use std::sync::Arc;
use std::time::Instant;

use evariste_algorithms::kinds::ground;
use evariste_algorithms::lowering::Ground;
use evariste_algorithms::lowering::lazy::{self, Calls, Supply, Whole};
use evariste_algorithms::{Layout, Operation, lane_layouts, layouts, plans};
use evariste_descriptions::{Field, Modulus};
use evariste_formulas::{Checked, flatten};
use evariste_ir::mutate::mutants;
use evariste_ir::{Kernel, Stmt, refute};
use evariste_proof::{Outcome, prove};
use evariste_testing::Random;
use num_bigint::{BigInt, BigUint};

use crate::lowered::{checked, every, gauss, operations};

/// The Montgomery layouts of a field in words of 64 bits, and those for lanes: multiply-adds of 52 bits, and products of 32
/// bits in digits of so many.
fn montgomery_layouts(field: &Field, whole: u32) -> Vec<Layout> {
    let lanes = [52, whole].into_iter().flat_map(|radix| lane_layouts(field, 64, radix));
    layouts(field, 64).into_iter().chain(lanes).filter(|l| l.name.starts_with("montgomery")).collect()
}

/// Does R leave so few bits in lanes that some sums are of products that were reduced, or that there is no kernel? In
/// words sums are corrected.
fn is_tight(field: &Field, layout: &Layout) -> bool {
    layout.radix.is_some() && layout.montgomery < Some(field.bits() + 16)
}

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
    for (text, whole) in [("bls12-381-fp", 30), ("bn254-fp", 29)] {
        let field = Field::parse(text).unwrap();
        for layout in &montgomery_layouts(&field, whole) {
            for (formula, products, reductions) in [
                (checked("quadratic-karatsuba"), 3, 2),
                (checked("quadratic-schoolbook"), 4, 2),
                (over("karatsuba-3-shared", "quadratic-karatsuba"), 18, 6),
                (over("toom-3i", "quadratic-karatsuba"), 15, 6),
                (over("twelve-karatsuba", "quadratic-karatsuba"), 54, 12),
            ] {
                let start = Instant::now();
                let tight = is_tight(&field, layout);
                let kernel = match lazily(&formula, &field, layout, None) {
                    Err(_) if tight => continue,
                    kernel => kernel.unwrap(),
                };
                let written = start.elapsed();
                let outcome = prove(&kernel);
                let name = &formula.formula().name;
                let all = kernel.body.iter().filter(|s| matches!(s, Stmt::Call { .. })).count();
                println!(
                    "{text} {} {name}: {} whole products, {} reductions, {} reduced products, {all} calls of {}; written in {written:.0?}, all in {:.0?}",
                    layout.name,
                    calls(&kernel, "multiply") + calls(&kernel, "mul_wide"),
                    calls(&kernel, "reduce"),
                    calls(&kernel, "mul_montgomery"),
                    kernel
                        .callees
                        .iter()
                        .map(|k| format!("{}*{}", k.name, calls(&kernel, &k.name)))
                        .collect::<Vec<_>>()
                        .join(" "),
                    start.elapsed(),
                );
                assert!(matches!(outcome, Outcome::Proved(_)), "{text} {}: {name}: {outcome:?}", layout.name);
                let whole = calls(&kernel, "multiply") + calls(&kernel, "mul_wide");
                // In lanes sums of two products that nothing else reads are never whole.
                let fused = calls(&kernel, "sum_of_products");
                assert_eq!(fused > 0, layout.radix.is_some() && name == "quadratic-schoolbook", "{text} {name}");
                assert!(
                    whole + 2 * fused == products && (calls(&kernel, "reduce") + fused == reductions || tight),
                    "{text} {}: {name}",
                    layout.name
                );
            }
        }
    }
}

/// Products of the lowest floor as kernels of their own, whole or reduced.
#[test]
fn products_of_the_lowest_floor_are_called() {
    for (text, whole) in [("bls12-381-fp", 30), ("bn254-fp", 29)] {
        let field = Field::parse(text).unwrap();
        for layout in &montgomery_layouts(&field, whole) {
            for (name, products) in
                [("karatsuba-3-shared", 6), ("toom-3i", 5), ("twelve-karatsuba", 18), ("twelve-complex-square", 12)]
            {
                let formula = flatten(&checked(name), &gauss("quadratic-karatsuba").with_calls()).unwrap();
                for (way, reductions) in [(Calls::Whole, formula.formula().output_list().count()), (Calls::Reduced, 0)]
                {
                    let start = Instant::now();
                    let tight = is_tight(&field, layout);
                    let kernel = match lazily(&formula, &field, layout, Some(way)) {
                        Err(_) if tight => continue,
                        kernel => kernel.unwrap(),
                    };
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
                    assert!(calls(&kernel, "reduce") == reductions || tight, "{text} {}: {name}", layout.name);
                }
            }
        }
    }
}

/// Products of the floor above the lowest are calls of one kernel, which calls those of the lowest.
#[test]
fn products_that_call_are_called() {
    for text in ["bls12-381-fp12", "bn254-fp12"] {
        let field = Field::parse(text).unwrap();
        for layout in lane_layouts(&ground(&field), 64, 52).iter().filter(|l| l.montgomery.is_some()) {
            for (name, products) in [("quadratic-schoolbook", 4), ("quadratic-karatsuba", 3)] {
                let plans = plans(&field, layout, &Operation::MUL);
                let plan = plans.iter().find(|plan| plan.name() == format!("{name}-nested-calls/{}", layout.name));
                let Some(kernel) = plan.and_then(|plan| plan.write().ok()) else {
                    assert!(is_tight(&ground(&field), layout), "{text} {name}/{}", layout.name);
                    continue;
                };
                let long: Vec<_> = kernel.callees.iter().filter(|k| k.name.starts_with("karatsuba_3")).collect();
                assert_eq!(long.len(), 1, "{text} {name}/{}", layout.name);
                assert_eq!(calls(&kernel, "karatsuba_3"), products, "{text} {name}/{}", layout.name);
                assert_eq!(calls(long[0], "quadratic"), 6, "{text} {name}/{}", layout.name);
                let outcome = prove(&kernel);
                assert!(matches!(outcome, Outcome::Proved(_)), "{text} {name}/{}: {outcome:?}", layout.name);
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

/// Toy primes with words and digits for lanes: halves of products, and whole products.
const LANES: [(u32, u32, u32); 4] = [(3, 7, 3), (3, 9, 3), (7, 9, 3), (7, 10, 3)];

const QUADRATIC: [&str; 4] =
    ["quadratic-schoolbook", "quadratic-karatsuba", "quadratic-complex-square", "gauss-complex-square"];

/// The lazily reduced quadratic formulas over toy primes in lanes.
fn toys() -> Vec<(u32, Layout, &'static str, Kernel)> {
    let mut all = Vec::new();
    for (p, word, radix) in LANES {
        let field = Field::new(Modulus::new(BigUint::from(p)).unwrap());
        for layout in lane_layouts(&field, word, radix) {
            let kernels = QUADRATIC.map(|name| (name, lazily(&checked(name), &field, &layout, None)));
            all.extend(kernels.into_iter().filter_map(|(name, k)| Some((p, layout.clone(), name, k.ok()?))));
        }
    }
    all
}

/// Every pair of elements of Fp2 in lanes.
#[test]
fn every_element_in_lanes_over_toy_primes() {
    let (mut tried, mut wide, mut fused) = (0u64, 0, 0);
    for (p, layout, name, kernel) in toys() {
        let outcome = prove(&kernel);
        assert!(matches!(outcome, Outcome::Proved(_)), "{p} {} {name}: {outcome:?}", layout.name);
        wide += calls(&kernel, "sum_wide");
        fused += calls(&kernel, "sum_of_products");
        tried += every(&kernel, checked(name).formula(), p, &layout);
    }
    assert!(tried > 5_000 && wide > 10 && fused > 5, "{tried} operands, {wide} sums, {fused} of products");
}

/// Digits of admissible operands: any, and at the edges.
fn operands(kernel: &Kernel, random: &mut Random) -> Vec<(String, Vec<BigInt>)> {
    let of = |operand: &evariste_ir::Operand| {
        let mut left = operand.bound.clone();
        let digits = operand.digits.iter().rev().map(|digit| {
            let most = digit.most().min(&left >> digit.weight);
            let any = BigInt::from(random.word());
            let value = match random.below(4) {
                0 => most.clone(),
                1 => BigInt::ZERO,
                _ => any % (&most + 1u32),
            };
            left -= &value << digit.weight;
            digit.element(&value, &random.word().into())
        });
        let mut digits: Vec<BigInt> = digits.collect();
        digits.reverse();
        (operand.name.clone(), digits)
    };
    kernel.contract.inputs.iter().map(of).collect()
}

/// Single faults of everything that such a kernel calls: what is proved is right.
#[test]
fn no_mutant_of_a_callee_is_proved_wrongly() {
    let (mut judged, mut proved, mut seen) = (0, 0, Vec::<Kernel>::new());
    let mut random = Random(7);
    for (p, layout, name, kernel) in toys() {
        for callee in &kernel.callees {
            if seen.iter().any(|other| other == &**callee) {
                continue;
            }
            seen.push((**callee).clone());
            for (i, mutant) in mutants(callee).into_iter().enumerate().filter(|(i, _)| i % 4 == 0) {
                judged += 1;
                let Outcome::Proved(_) = prove(&mutant.kernel) else { continue };
                proved += 1;
                for _ in 0..200 {
                    let inputs = operands(&mutant.kernel, &mut random);
                    let inputs: Vec<(&str, Vec<BigInt>)> =
                        inputs.iter().map(|(name, digits)| (name.as_str(), digits.clone())).collect();
                    let wrong = refute(&mutant.kernel, &inputs);
                    assert!(
                        wrong.is_none(),
                        "{p} {} {name}: {}, mutant {i}, {}: proved and false for {inputs:?}",
                        layout.name,
                        callee.name,
                        mutant.fault
                    );
                }
            }
        }
    }
    println!("{judged} mutants of {} kernels, {proved} proved", seen.len());
    assert!(proved > 0 && judged > 5 * proved && seen.len() > 20);
}
