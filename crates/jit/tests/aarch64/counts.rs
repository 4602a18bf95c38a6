//! How many instructions Montgomery products take: no more than those that people wrote by hand.

use evariste_algorithms::{Operation, layouts, plans};
use evariste_codegen::aarch64::count::count;
use evariste_codegen::aarch64::{Features, compile_kernel};
use evariste_codegen::assembly::Counts;
use evariste_descriptions::Field;
use evariste_proof::{Outcome, prove};

fn counts(field: &str, plan: &str) -> Counts {
    let field = Field::parse(field).unwrap_or_else(|e| panic!("{e:?}"));
    let all = layouts(&field, 64).into_iter().flat_map(|layout| plans(&field, &layout, &Operation::MUL));
    let plan = all.into_iter().find(|p| p.name() == plan).expect("a plan");
    let Ok(Outcome::Proved(proved)) = plan.write().map(|kernel| prove(&kernel)) else { panic!("not proved") };
    count(&compile_kernel(proved.kernel(), Features, None).unwrap_or_else(|e| panic!("{e}")))
}

/// Of blst's `mul_mont_sparse_256` and `mul_mont_384` for AArch64: 165 and 370 instructions, and of each digit one product
/// less than of the textbook, since the lowest word of a multiple of the modulus is known. Of s2n-bignum's
/// `bignum_montmul_p256_alt` and `bignum_montmul_p384_alt`: 114 and 276, 40 and 90 of them products.
#[test]
fn montgomery_products_take_no_more_than_by_hand() {
    for (field, plan, instructions, products) in [
        ("bls12-381-fr", "montgomery-cios-merge/montgomery-4x64", 165, 64),
        ("bls12-381-fp", "montgomery-cios-mixed/montgomery-6x64", 370, 144),
        ("p256", "operand-scanning-chains+montgomery-sos/montgomery-4x64", 114, 40),
        ("p384", "operand-scanning-chains+montgomery-sos/montgomery-6x64", 276, 90),
    ] {
        let counts = counts(field, plan);
        println!("{field}, {plan}: {counts}");
        assert!(counts.instructions <= instructions && counts.products <= products, "{field}: {counts}");
    }
}
