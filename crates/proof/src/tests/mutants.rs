//! Every single-fault mutant of toy kernels: what is proved is true on every input. And the same search finds false
//! proofs as soon as any one rule of the engine is broken.

use std::time::{Duration, Instant};

use evariste_ir::Kernel;
use evariste_ir::mutate::mutants;

use crate::broken_rules::{Rule, breaking};
use crate::toys::{exhaust, toys};
use crate::{Outcome, prove};

/// Verdicts on the mutants of one kernel.
#[derive(Default)]
struct Table {
    proved: u32,
    refuted: u32,
    unknown: u32,
    /// Unknown although no input violates anything.
    harmless: u32,
}

#[test]
fn toy_kernels_are_proved_and_true() {
    let mut open = Vec::new();
    for (name, kernel) in toys() {
        let violation = exhaust(&kernel);
        match prove(&kernel) {
            Outcome::Proved(_) => assert_eq!(violation, None, "{name} is proved and false"),
            other => {
                assert!(!matches!(other, Outcome::Refuted(_)) || violation.is_some(), "{name} is refuted and true");
                open.push(format!("{name}: {other:?}"));
            }
        }
    }
    assert!(open.is_empty(), "not proved:\n{}", open.join("\n"));
}

#[test]
fn no_mutant_is_proved_wrongly() {
    let mut total = Table::default();
    println!("{:40} {:>7} {:>7} {:>7} {:>9}", "kernel", "proved", "refuted", "unknown", "(harmless)");
    for (name, kernel) in toys() {
        let mut table = Table::default();
        for m in mutants(&kernel) {
            match prove(&m.kernel) {
                Outcome::Proved(_) => {
                    table.proved += 1;
                    assert_eq!(exhaust(&m.kernel), None, "{name}, {}: proved and false", m.fault);
                }
                Outcome::Refuted(_) => table.refuted += 1,
                Outcome::Unknown(_) => {
                    table.unknown += 1;
                    table.harmless += exhaust(&m.kernel).is_none() as u32;
                }
            }
        }
        println!("{name:40} {:7} {:7} {:7} {:9}", table.proved, table.refuted, table.unknown, table.harmless);
        total.proved += table.proved;
        total.refuted += table.refuted;
        total.unknown += table.unknown;
        total.harmless += table.harmless;
    }
    println!("{:40} {:7} {:7} {:7} {:9}", "total", total.proved, total.refuted, total.unknown, total.harmless);
    assert!(total.proved > 0 && total.refuted > total.unknown);
}

/// Looks for a false proof for a while.
fn false_proof(time: Duration) -> Option<(String, Kernel)> {
    let start = Instant::now();
    for (name, kernel) in toys() {
        for m in mutants(&kernel) {
            if matches!(prove(&m.kernel), Outcome::Proved(_)) && exhaust(&m.kernel).is_some() {
                return Some((format!("{name}, {}", m.fault), m.kernel));
            }
            if start.elapsed() > time {
                return None;
            }
        }
    }
    None
}

#[test]
fn the_search_for_false_proofs_finds_them_when_a_rule_is_broken() {
    let rules = [
        Rule::LowWord,
        Rule::HighPart,
        Rule::Obligation,
        Rule::Idempotence,
        Rule::WordSize,
        Rule::Leaf,
        Rule::Edge,
        Rule::Cases,
        Rule::Selection,
        Rule::Parts,
    ];
    let (mut missed, mut caught) = (Vec::new(), 0);
    for rule in rules {
        let found = breaking(&[rule, Rule::Nets], || false_proof(Duration::from_secs(120)));
        match found {
            Some((found, kernel)) => {
                let net = matches!(breaking(&[rule], || prove(&kernel)), Outcome::Unknown(_));
                println!("{rule:?}: {found}{}", if net { ", caught by a net" } else { "" });
                caught += u32::from(net);
            }
            None => missed.push(rule),
        }
    }
    assert!(missed.is_empty(), "broken rules that no mutant shows: {missed:?}");
    // Nets are samples: they need not catch every false proof, but most.
    assert!(2 * caught > rules.len() as u32, "nets caught {caught} of {}", rules.len());
}
