//! Kernels rewritten for lesser machines keep their contracts: each is proved again.
//!
//! By default each named field meets one machine, another each day, with one plan for each of its
//! reductions; with `EVARISTE_FULL=1` every plan meets every machine.

use evariste_algorithms::field_set::operations;
use evariste_algorithms::plans;
use evariste_algorithms::{halved_layouts, layouts};
use evariste_descriptions::Field;
use evariste_ir::{Carries, Machine, Products, legalise, verify};
use evariste_proof::{Outcome, prove};
use evariste_testing::{full, one_of_each, reduction_of, turn};

const MACHINES: [(&str, Machine); 6] = [
    (
        "64 bits, high words of products",
        Machine { word: 64, products: Products::High, flags: true, unsigned: true, carries: Carries::Flag },
    ),
    (
        "64 bits, low words of products",
        Machine { word: 64, products: Products::Low, flags: true, unsigned: true, carries: Carries::Flag },
    ),
    ("Java", Machine::JAVA),
    (
        "64 bits, neither carries nor comparisons",
        Machine { word: 64, products: Products::Low, flags: false, unsigned: false, carries: Carries::Flag },
    ),
    (
        "32 bits, low words of products",
        Machine { word: 32, products: Products::Low, flags: true, unsigned: true, carries: Carries::Flag },
    ),
    ("32 bits, no carries", Machine::C32),
];

/// The plan that is proved where there are double words alone.
const IN_DOUBLE_WORDS: &str = "quotient-by-halves";

/// Proves the plans of a field for a machine; their number, and those that are not proved.
fn proved(field: &Field, machine: &Machine, failed: &mut Vec<String>) -> usize {
    let mut count = 0;
    let halved = if machine.carries == Carries::Written { halved_layouts(field, machine.word) } else { Vec::new() };
    for layout in layouts(field, machine.word).into_iter().chain(halved) {
        for op in operations(field, &layout) {
            let what = format!("{} {} {}", field.text(), layout.name, op.name());
            let all = plans(field, &layout, &op);
            let some = if full() { all } else { one_of_each(&what, all, |p| reduction_of(&p.algorithm).to_string()) };
            for plan in some {
                let Ok(kernel) = plan.write() else { continue };
                let legal = match legalise(&kernel, machine) {
                    Ok(legal) => legal,
                    Err(e) => {
                        failed.push(format!("{what} {}: {e}", plan.name()));
                        continue;
                    }
                };
                assert_eq!(verify(&legal), Ok(()), "{what} {}", plan.name());
                assert_eq!(legal.contract, kernel.contract);
                match prove(&legal) {
                    Outcome::Proved(_) => count += 1,
                    // Its proof asks for a difference of double words, which lesser machines have not: there it is passed over.
                    Outcome::Unknown(_) if plan.algorithm == IN_DOUBLE_WORDS => {}
                    Outcome::Refuted(c) => failed.push(format!("{what} {}: REFUTED {}", plan.name(), c.violation)),
                    Outcome::Unknown(o) => failed.push(format!("{what} {}: {} {}", plan.name(), o.what, o.detail)),
                }
            }
        }
    }
    count
}

/// By default every second field, by turns, for one machine each.
fn all_proved(fields: &[&str]) {
    let todays = |at: &usize| full() || turn(*at, 2) == 0;
    for (at, text) in (0..fields.len()).filter(todays).map(|at| (at, fields[at])) {
        let field = Field::parse(text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
        let todays = turn(at, MACHINES.len());
        for (k, (name, machine)) in MACHINES.iter().enumerate().filter(|(k, _)| full() || *k == todays) {
            let mut failed = Vec::new();
            let count = proved(&field, machine, &mut failed);
            println!("{text}, {name}: {count} proved");
            assert!(failed.is_empty(), "{text}, {name} ({k}): {} not proved:\n{}", failed.len(), failed.join("\n"));
            assert!(count > 5, "{text}, {name}: {count}");
        }
    }
}

#[test]
fn short_fields() {
    all_proved(&["goldilocks", "babybear", "koalabear", "mersenne31", "mersenne61", "dfc", "mmh"]);
}

#[test]
fn fields_of_192_to_256_bits() {
    all_proved(&[
        "p192",
        "p224",
        "p256",
        "secp256k1",
        "p256-order",
        "secp256k1-order",
        "25519",
        "25519-order",
        "bn254-fp",
        "bn254-fr",
        "bls12-381-fr",
        "bls12-377-fr",
        "pallas",
        "vesta",
        "stark",
        "sm2",
    ]);
}

#[test]
fn longer_fields() {
    all_proved(&["p384", "448", "bls12-381-fp", "bls12-377-fp", "p521"]);
}
