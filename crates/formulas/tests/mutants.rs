//! Every single-fault mutant of every formula is refused, or is an equal formula: its outputs are the same polynomials, or all
//! of them carry a factor that the definition does not see, because coordinates are projective.
//!
//! By default some mutants of each formula, drawn anew each day; a full run takes all and compares the numbers with the table
//! (`UPDATE_EXPECT=1` then writes a new one).

use std::collections::BTreeMap;

use evariste_formulas::{Characteristic, Formula, Mutant, check, mutants, same};
use evariste_testing::{full, sample};
use expect_test::expect_file;

use crate::checks::all;

/// Why an accepted mutant is an equal formula.
fn reason(formula: &Formula, mutant: &Mutant) -> &'static str {
    let same = same(formula, &mutant.formula).unwrap();
    match mutant.class {
        "sign" if same && formula.characteristic == Characteristic::Two => "sign in characteristic 2",
        "sign" if same => "sign of what is squared",
        _ if same => "same polynomials",
        "scale" if formula.definition.0.iter().any(|line| line.to_string().starts_with("nonzero Z")) => "projective",
        _ => panic!("{}, {}: accepted, and another formula\n{}", formula.name, mutant.fault, mutant.formula),
    }
}

#[test]
fn every_mutant_is_refused_or_an_equal_formula() {
    let mut table = vec!["formula | mutants | refused | equal formulas".to_string()];
    for formula in all() {
        let found = sample(&format!("mutants of {}", formula.name), mutants(&formula), 12, |m| m.class);
        let mut equal: BTreeMap<&str, usize> = BTreeMap::new();
        for mutant in found.iter().filter(|m| check(&m.formula).is_ok()) {
            *equal.entry(reason(&formula, mutant)).or_default() += 1;
        }
        let refused = found.len() - equal.values().sum::<usize>();
        assert!(refused > 0, "{}", formula.name);
        let equal: Vec<String> = equal.iter().map(|(why, n)| format!("{n} {why}")).collect();
        table.push(format!("{} | {} | {refused} | {}", formula.name, found.len(), equal.join(", ")));
    }
    if full() {
        expect_file!["mutants.txt"].assert_eq(&format!("{}\n", table.join("\n")));
    }
}
