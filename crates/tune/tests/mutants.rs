//! Every single-fault mutant of every algorithm at toy size: what is proved must be right on every input, what is
//! refuted must be wrong on the input that is given.
//!
//! By default every [`STRIDE`]-th mutant of each kernel is judged; with `EVARISTE_FULL=1` all of them are, and their
//! counts must be those of the record that SOUNDNESS.md sums up (`BLESS=1` makes a new one).

use crate::toy;

use std::path::Path;

/// One mutant in that many takes part in a default run.
const STRIDE: usize = 30;

/// One pair of faults in that many mutants is judged (in a full run, a pair for each).
const STRIDE_OF_PAIRS: usize = 120;

/// One mutant in that many of kernels for lanes, which have more inputs.
const STRIDE_IN_LANES: usize = 64;

#[test]
fn no_proved_mutant_is_wrong() {
    judge_all(&toy::cases(), STRIDE, "mutants");
}

#[test]
fn no_proved_mutant_for_lanes_is_wrong() {
    judge_all(&toy::lane_cases(), STRIDE_IN_LANES, "mutants for lanes");
}

/// Judges every `stride`-th mutant (all in a full run, whose table must be that of the record).
fn judge_all(cases: &[toy::Case], stride: usize, mark: &str) {
    let full = std::env::var_os("EVARISTE_FULL").is_some();
    let start = std::time::Instant::now();
    let stride = if full { 1 } else { stride };
    let (rows, contradictions) = toy::run(cases, |case| toy::sample(case, stride));
    println!("{}{}\n{:.1} s", toy::table::csv(&rows), toy::table::summary(&rows), start.elapsed().as_secs_f64());
    for name in rows.values().flat_map(|r| &r.unproved) {
        println!("right, but not proved: {name}");
    }
    assert!(contradictions.is_empty(), "{} contradictions\n{}", contradictions.len(), contradictions.join("\n"));
    if full {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        toy::table::check(&root, mark, &rows).unwrap_or_else(|difference| panic!("{difference}"));
    }
}

/// Two faults may make up for each other, or for each other's trace in the argument.
#[test]
fn no_proved_pair_of_faults_is_wrong() {
    let stride = if std::env::var_os("EVARISTE_FULL").is_some() { 1 } else { STRIDE_OF_PAIRS };
    let (rows, contradictions) = toy::run(&toy::cases(), |case| toy::doubles(case, stride));
    println!("{}", toy::table::summary(&rows));
    assert!(contradictions.is_empty(), "{} contradictions\n{}", contradictions.len(), contradictions.join("\n"));
}
