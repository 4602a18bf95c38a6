//! Every candidate of the fields that matter is proved: none unknown.
//!
//! By default one product, drawn anew each day, stands before each reduction, whose proof knows only the product's
//! contract; products by themselves are candidates of [`integers`]. With `EVARISTE_FULL=1` every pair is proved.

use std::time::Instant;

use evariste_algorithms::field_set::operations;
use evariste_algorithms::{Layout, lane_layouts, layouts, plans};
use evariste_descriptions::Field;
use evariste_proof::{Outcome, prove};
use evariste_testing::{reduction_of, sample};

/// Proves all candidates of a field; the names of those that are not proved.
fn all(text: &str, words: &[u32]) -> Vec<String> {
    let field = Field::parse(text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
    let layouts = words.iter().flat_map(|word| layouts(&field, *word));
    layouts.flat_map(|layout| all_in(text, &field, &layout)).collect()
}

/// Proves all candidates of a field in one layout; the names of those that are not proved.
fn all_in(text: &str, field: &Field, layout: &Layout) -> Vec<String> {
    let mut failed = Vec::new();
    for op in operations(field, layout) {
        let what = format!("{text} {} {}", layout.name, op.name());
        let all = plans(field, layout, &op);
        for plan in sample(&what, all, usize::MAX, |plan| reduction_of(&plan.algorithm).to_string()) {
            let Ok(kernel) = plan.write() else { continue };
            let start = Instant::now();
            let outcome = prove(&kernel);
            let ms = start.elapsed().as_secs_f64() * 1e3;
            let verdict = match &outcome {
                Outcome::Proved(_) => "proved".to_string(),
                Outcome::Refuted(c) => format!("REFUTED {}", c.violation),
                Outcome::Unknown(o) => format!("UNKNOWN {}: {}", o.what, o.detail),
            };
            let name = format!("{text} {} {}", op.name(), plan.name());
            if ms > 50.0 || !matches!(outcome, Outcome::Proved(_)) {
                println!("{name:70} {ms:8.1} ms {verdict}");
            }
            if !matches!(outcome, Outcome::Proved(_)) {
                failed.push(format!("{name}: {verdict}"));
            }
        }
    }
    failed
}

fn none(failed: Vec<String>) {
    assert!(failed.is_empty(), "{} candidates are not proved:\n{}", failed.len(), failed.join("\n"));
}

fn none_open(fields: &[&str], words: &[u32]) {
    none(fields.iter().flat_map(|f| all(f, words)).collect());
}

#[test]
fn fields_of_256_bits() {
    none_open(&["2^255-19", "p256", "secp256k1", "sm2", "bn254-fp", "bn254-fr", "bls12-381-fr"], &[64, 32]);
}

#[test]
fn longer_fields() {
    none_open(&["p384", "448", "bls12-381-fp"], &[64, 32]);
}

#[test]
fn longest_fields() {
    none_open(&["p521"], &[64, 32]);
}

#[test]
fn short_fields() {
    none_open(
        &["dfc", "mmh", "goldilocks", "babybear", "koalabear", "mersenne31", "mersenne61", "p192", "p224"],
        &[64, 32],
    );
}

#[test]
fn even_moduli() {
    let fields =
        ["2^64", "2^100", "2^256", "1000", "2^255 - 20", "2^64*(2^64 - 59)", "2^40*(2^61 - 1)", "2*(2^127 - 1)"];
    none_open(&fields, &[64, 32]);
    for text in fields {
        let field = Field::parse(text).expect("a modulus");
        let layouts =
            [(64, 52), (64, 29), (32, 12)].into_iter().flat_map(|(word, radix)| lane_layouts(&field, word, radix));
        none(layouts.flat_map(|layout| all_in(text, &field, &layout)).collect());
    }
}

#[test]
fn integers() {
    none_open(&["int256", "int521", "int1024"], &[64, 32]);
}

#[test]
fn binary_fields() {
    none_open(&["GF(2^29):onb2", "GF(2^131):onb2"], &[1]);
}
