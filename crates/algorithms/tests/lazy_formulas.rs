//! Where reductions fall in the formulas of towers.

use evariste_algorithms::{Layout, Operation, kinds, lane_layouts, layouts, plan_named};
use evariste_descriptions::{Field, Modulus};
use num_bigint::BigInt;

fn explained(field: &str, layout: &str, operation: &Operation, algorithm: &str) -> String {
    let field = Field::parse(field).unwrap();
    let lanes = [52, 30].into_iter().flat_map(|radix| lane_layouts(&kinds::ground(&field), 64, radix));
    let layout = layouts(&field, 64).into_iter().chain(lanes).find(|l| l.name == layout).unwrap();
    explained_in(&field, &layout, operation, algorithm)
}

fn explained_in(field: &Field, layout: &Layout, operation: &Operation, algorithm: &str) -> String {
    let plan = plan_named(field, layout, operation, algorithm).unwrap();
    plan.explanation().unwrap()
}

const ALONE: &str = "nothing but reductions keeps numbers in range";

/// With 32 bits above p a cubic product by Toom-3i needs nothing but its six reductions; with three it needs more.
#[test]
fn ranges_decide_what_is_corrected() {
    for algorithm in ["toom-3i-lazy", "karatsuba-3-shared-lazy", "toom-3i-lazy-calls"] {
        let wide = explained("ss-b160-fp6", "montgomery-3x64-lazy", &Operation::MUL, algorithm);
        assert!(wide.contains(ALONE), "{algorithm}: {wide}");
        assert!(wide.contains("6 reductions"), "{algorithm}: {wide}");
        let narrow = explained("bls12-381-fp6", "montgomery-6x64", &Operation::MUL, algorithm);
        assert!(!narrow.contains(ALONE), "{algorithm}: {narrow}");
        assert!(narrow.contains("corrected, which would pass that"), "{algorithm}: {narrow}");
    }
}

/// In digits of 52 bits the towers of BLS12-381 have 35 bits above p: nothing is corrected, floor upon floor, and each
/// coordinate is reduced once. A spare word does the same in whole words, where BN254 has 66 bits. The 2.4 bits of four
/// words, the six of 5×52 and the nine of 13×30 do not suffice.
#[test]
fn chains_are_fully_lazy_where_the_layout_has_the_bits() {
    for layout in ["montgomery-8x52", "montgomery-8x52-clean"] {
        for (field, algorithm, counts) in [
            ("bls12-381-fp2", "quadratic-karatsuba-lazy", "3 whole products, 2 reductions"),
            ("bls12-381-fp6", "karatsuba-3-shared-lazy", "18 whole products, 6 reductions"),
            ("bls12-381-fp6", "toom-3i-lazy", "15 whole products, 6 reductions"),
            ("bls12-381-fp12", "quadratic-karatsuba-lazy", "54 whole products, 12 reductions"),
        ] {
            let text = explained(field, layout, &Operation::MUL, algorithm);
            assert!(text.contains(counts), "{field} {layout} {algorithm}: {text}");
            assert!(text.contains(ALONE), "{field} {layout} {algorithm}: {text}");
        }
    }
    for (text, words) in [("bls12-381-fp12", 7), ("bn254-fp12", 5)] {
        let field = Field::parse(text).unwrap();
        let ground = kinds::ground(&field);
        let p = BigInt::from(ground.get::<Modulus>().unwrap().value.clone());
        let spare = Layout::saturated_with("spare", 64, words, &p * 2 - 1, Some(64 * words as u32));
        let text = explained_in(&field, &spare, &Operation::MUL, "quadratic-karatsuba-lazy");
        assert!(text.contains(ALONE) && text.contains("54 whole products, 12 reductions"), "{text}");
    }
    let narrow = explained("bn254-fp12", "montgomery-4x64", &Operation::MUL, "quadratic-karatsuba-lazy");
    assert!(!narrow.contains(ALONE), "{narrow}");
    for (text, radix) in [("bn254-fp12", 52), ("bls12-381-fp12", 30)] {
        let field = Field::parse(text).unwrap();
        let layout = lane_layouts(&kinds::ground(&field), 64, radix).remove(0);
        let plan = plan_named(&field, &layout, &Operation::MUL, "quadratic-karatsuba-lazy");
        let told = plan.and_then(|plan| plan.explanation());
        assert!(told.as_ref().is_none_or(|text| !text.contains(ALONE)), "{text} {}: {told:?}", layout.name);
    }
}

/// Squares of Fp2 double an operand, not the product: both products are reduced at once.
#[test]
fn complex_squares_have_no_whole_products() {
    let text = explained("bls12-381-fp2", "montgomery-6x64", &Operation::SQUARE, "gauss-complex-square-lazy");
    assert!(text.contains("0 whole products, 0 reductions, 2 products reduced at once"), "{text}");
}

/// Towers without a floor below the highest call no products of it.
#[test]
fn only_higher_floors_call_products() {
    let field = Field::parse("bls12-381-fp2").unwrap();
    let layout = layouts(&field, 64).into_iter().find(|l| l.name == "montgomery-6x64").unwrap();
    assert!(plan_named(&field, &layout, &Operation::MUL, "quadratic-karatsuba-lazy-calls").is_none());
    assert!(plan_named(&field, &layout, &Operation::MUL, "quadratic-karatsuba-calls").is_none());
}
