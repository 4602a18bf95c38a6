//! Every candidate of the named fields is compiled at every feature level, and the checker shows each program right.
//!
//! What the compiler declines (kernels that are too long, look-ups, floating point) is counted; what it makes must be
//! accepted. By default one candidate in [`STRIDE`] of each operation takes part, drawn anew each day; with
//! `EVARISTE_FULL=1` all do.

use std::time::Instant;

use evariste_algorithms::field_set::operations;
use evariste_algorithms::layouts;
use evariste_algorithms::plans;
use evariste_codegen::check::check;
use evariste_codegen::x86_64::{Features, compile};
use evariste_descriptions::Field;
use evariste_proof::{Outcome, prove};
use evariste_testing::{full, sample};

/// One candidate in that many takes part in a default run.
const STRIDE: usize = 16;

/// Compiles and checks candidates of the fields; how many were accepted, and what was refused.
fn refused(fields: &[&str], words: &[u32]) -> (usize, Vec<String>) {
    let (mut accepted, mut declined, mut failed) = (0, 0, Vec::new());
    let mut slowest = (0.0, String::new());
    for text in fields {
        let field = Field::parse(text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
        for word in words {
            for layout in layouts(&field, *word) {
                for op in operations(&field, &layout) {
                    let what = format!("{text} {word} {} {}", layout.name, op.name());
                    for plan in sample(&what, plans(&field, &layout, &op), STRIDE, |_| ()) {
                        let Ok(kernel) = plan.write() else { continue };
                        let Outcome::Proved(proved) = prove(&kernel) else { continue };
                        for features in [Features::BASELINE, Features::BMI2, Features::ADX] {
                            let name = format!("{text} {} {} {features}", op.name(), plan.name());
                            let program = match compile(&proved, features, None) {
                                Ok(program) => program,
                                Err(_) => {
                                    declined += 1;
                                    continue;
                                }
                            };
                            let start = Instant::now();
                            match check(&proved, &program) {
                                Ok(_) => accepted += 1,
                                Err(e) => failed.push(format!("{name}: {e}")),
                            }
                            let ms = start.elapsed().as_secs_f64() * 1e3;
                            if ms > slowest.0 {
                                slowest = (ms, name);
                            }
                        }
                    }
                }
            }
        }
    }
    println!(
        "{accepted} programs accepted, {} refused, {declined} not made; slowest check {:.0} ms: {}",
        failed.len(),
        slowest.0,
        slowest.1
    );
    assert!(accepted > 0);
    (accepted, failed)
}

fn all_accepted(fields: &[&str], words: &[u32]) {
    let (_, failed) = refused(fields, words);
    assert!(failed.is_empty(), "{} programs are refused:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn fields_of_256_bits() {
    all_accepted(&["2^255-19", "p256", "secp256k1", "sm2", "bn254-fp", "bn254-fr", "bls12-381-fr"], &[64]);
}

#[test]
fn longer_fields() {
    all_accepted(&["p384", "448", "bls12-381-fp"], &[64]);
}

#[test]
fn longest_fields() {
    all_accepted(&["p521"], &[64]);
}

const SHORT: [&str; 9] =
    ["dfc", "mmh", "goldilocks", "babybear", "koalabear", "mersenne31", "mersenne61", "p192", "p224"];

#[test]
fn short_fields() {
    all_accepted(&SHORT, &[64]);
}

/// Words of 32 bits in registers of 64: some right programs are not recognised (carries that were found once by a sum
/// in 64 bits, once in 32): fewer than one in twelve of all, and of a day's sample fewer than one in six.
#[test]
fn half_words() {
    let (accepted, failed) = refused(&SHORT, &[32]);
    assert!(
        failed.len() * if full() { 12 } else { 6 } < accepted,
        "{} programs are refused:\n{}",
        failed.len(),
        failed.join("\n")
    );
    // A word that is not recognised may be what a routine is called with.
    let unrecognised = ["is not shown to be", "the kernel makes no such call"];
    assert!(failed.iter().all(|f| unrecognised.iter().any(|u| f.contains(u))), "{}", failed.join("\n"));
}

#[test]
fn integers() {
    all_accepted(&["int192", "int256", "int384", "int512", "int521"], &[64]);
}

#[test]
fn binary_fields() {
    // The longest takes half a minute.
    let longest: &[&str] = if full() { &["GF(2^131):onb2"] } else { &[] };
    all_accepted(&[&["GF(2^29):onb2", "GF(2^53):onb2"], longest].concat(), &[1]);
}
