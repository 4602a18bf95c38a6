//! Where reductions fall in the formulas of towers.

use evariste_algorithms::{Operation, layouts, plan_named};
use evariste_descriptions::Field;

fn explained(field: &str, layout: &str, operation: &Operation, algorithm: &str) -> String {
    let field = Field::parse(field).unwrap();
    let layout = layouts(&field, 64).into_iter().find(|l| l.name == layout).unwrap();
    let plan = plan_named(&field, &layout, operation, algorithm).unwrap();
    plan.explanation().unwrap()
}

/// With 32 bits above p a cubic product by Toom-3i needs nothing but its six reductions; with three it needs more.
#[test]
fn ranges_decide_what_is_corrected() {
    let alone = "nothing but reductions keeps numbers in range";
    for algorithm in ["toom-3i-lazy", "karatsuba-3-shared-lazy", "toom-3i-lazy-calls"] {
        let wide = explained("ss-b160-fp6", "montgomery-3x64-lazy", &Operation::MUL, algorithm);
        assert!(wide.contains(alone), "{algorithm}: {wide}");
        assert!(wide.contains("6 reductions"), "{algorithm}: {wide}");
        let narrow = explained("bls12-381-fp6", "montgomery-6x64", &Operation::MUL, algorithm);
        assert!(!narrow.contains(alone), "{algorithm}: {narrow}");
        assert!(narrow.contains("corrected, which would pass that"), "{algorithm}: {narrow}");
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
