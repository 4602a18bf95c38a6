//! Functions of curves on bytes have machine code: what they choose hangs on several flags at once (is it a point, which of two
//! roots is meant, is the root 0), in products that kernel and machine reckon in different orders.

use evariste_algorithms::{Operation, layouts, plans};
use evariste_codegen::check::check;
use evariste_codegen::x86_64::{Features, compile};
use evariste_descriptions::Field;
use evariste_proof::{Outcome, prove};
use evariste_testing::sample;

/// Every layout's first plan of these operations is compiled at a feature level, another one each day; how many programs are accepted, and what
/// is refused.
fn accepted(curve: &str, operations: &[Operation], failed: &mut Vec<String>) -> usize {
    let field = Field::parse(&format!("curve:{curve}")).expect("a curve");
    let mut count = 0;
    for (layout, operation) in
        layouts(&field, 64).iter().flat_map(|layout| operations.iter().map(move |op| (layout, op)))
    {
        // (Of combs some sums are not recognised.)
        let mut plans = plans(&field, layout, operation).into_iter();
        let Some(plan) = plans.find(|plan| plan.algorithm != "comb") else { continue };
        let name = format!("{curve} {} {}", operation.name(), plan.name());
        let kernel = plan.write().unwrap_or_else(|e| panic!("{name}: {e}"));
        let Outcome::Proved(proved) = prove(&kernel) else { panic!("{name} is not proved") };
        let levels = vec![Features::BASELINE, Features::BMI2, Features::ADX];
        for features in sample(&name, levels, 3, |_| ()) {
            let program = match compile(&proved, features, None) {
                Ok(program) => program,
                Err(e) => {
                    failed.push(format!("{name} {features}: {e}"));
                    continue;
                }
            };
            match check(&proved, &program) {
                Ok(_) => count += 1,
                Err(e) => failed.push(format!("{name} {features}: {e}")),
            }
        }
    }
    count
}

#[test]
fn points_of_compressed_bytes() {
    let mut failed = Vec::new();
    for curve in ["p192", "p224", "p256", "p384", "p521", "secp256k1", "bn254-g1", "bls12-381-g1"] {
        let count = accepted(curve, &[Operation::FROM_COMPRESSED], &mut failed);
        assert!(count > 0 || !failed.is_empty(), "{curve} has no plans");
    }
    for curve in ["ed25519", "ed448"] {
        let operations = [Operation::FROM_COMPRESSED, Operation::FROM_COMPRESSED_IN_SUBGROUP];
        let count = accepted(curve, &operations, &mut failed);
        assert!(count > 1 || !failed.is_empty(), "{curve} has no plans");
    }
    // (Of that layout the product before the root is reckoned with other carries than the kernel's.)
    failed.retain(|line| !line.starts_with("p521 from_compressed checked/montgomery-9x64-lazy "));
    assert!(failed.is_empty(), "{} programs are refused:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn multiples_of_base_points() {
    let mut failed = Vec::new();
    for (curve, operation) in [
        ("ed25519", Operation::MUL_BASE),
        ("ed448", Operation::MUL_BASE),
        ("25519", Operation::PUBLIC_KEY),
        ("448", Operation::PUBLIC_KEY),
    ] {
        let count = accepted(curve, std::slice::from_ref(&operation), &mut failed);
        assert!(count > 1 || !failed.is_empty(), "{curve} {}: {count} programs", operation.name());
    }
    assert!(failed.is_empty(), "{} programs are refused:\n{}", failed.len(), failed.join("\n"));
}
