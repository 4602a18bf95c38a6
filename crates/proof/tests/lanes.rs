//! Every candidate in the layouts for lanes is proved, in little time.

use std::time::Instant;

use evariste_algorithms::field_set::operations;
use evariste_algorithms::{lane_layouts, plans};
use evariste_descriptions::Field;
use evariste_proof::{Outcome, prove};

/// Proves all candidates of a field in digits of that many bits; the names of those that are not proved.
fn all(text: &str, radix: u32) -> Vec<String> {
    let field = Field::parse(text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
    let mut failed = Vec::new();
    let layouts = lane_layouts(&field, 64, radix);
    assert!(!layouts.is_empty(), "{text} has no layout for lanes");
    for layout in layouts {
        for op in operations(&field, &layout) {
            for plan in plans(&field, &layout, &op) {
                let name = format!("{text} {} {}", op.name(), plan.name());
                let start = Instant::now();
                let kernel = match plan.write() {
                    Ok(kernel) => kernel,
                    Err(e) => {
                        failed.push(format!("{name}: {e}"));
                        continue;
                    }
                };
                let outcome = prove(&kernel);
                let ms = start.elapsed().as_secs_f64() * 1e3;
                let verdict = match &outcome {
                    Outcome::Proved(_) => "proved".into(),
                    Outcome::Refuted(c) => format!("REFUTED {}", c.violation),
                    Outcome::Unknown(o) => format!("UNKNOWN {}: {}", o.what, o.detail),
                };
                println!("{name:70} {ms:8.1} ms {verdict}");
                if !matches!(outcome, Outcome::Proved(_)) {
                    failed.push(format!("{name}: {verdict}"));
                }
            }
        }
    }
    failed
}

fn none_open(fields: &[&str]) {
    none_in(fields.iter().map(|field| (*field, 52)));
}

fn none_in<'a>(fields: impl Iterator<Item = (&'a str, u32)>) {
    let failed: Vec<String> = fields.flat_map(|(field, radix)| all(field, radix)).collect();
    assert!(failed.is_empty(), "{} candidates are not proved:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn fields_of_256_bits() {
    none_open(&["2^255-19", "p256", "secp256k1", "sm2", "bn254-fp", "bls12-381-fr"]);
}

#[test]
fn longer_fields() {
    none_open(&["p384", "448", "bls12-381-fp", "p521"]);
}

#[test]
fn short_fields() {
    none_open(&["dfc", "mmh", "goldilocks", "mersenne61", "p192", "p224", "babybear", "2^127 - 1", "2^251 - 9"]);
}

/// Digits whose products are whole, of one radix and of mixed ones, and digits that are multiplied as doubles.
#[test]
fn folds_of_other_digits() {
    none_in(
        [("2^255-19", 26), ("2^255-19", 29), ("2^255-19", 51), ("p521", 28), ("p521", 29), ("p521", 48)].into_iter(),
    );
    none_in([("2^251 - 9", 51), ("2^127 - 1", 26), ("2^130 - 5", 26), ("2^414 - 17", 46)].into_iter());
}

#[test]
fn integers() {
    none_open(&["int192", "int256", "int384", "int521", "int1024", "int4096"]);
}
