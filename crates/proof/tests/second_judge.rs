//! A second judge of proofs: kernels with their contracts as SMT-LIB for a solver of bit vectors. Where the engine says
//! *proved*, no input may break the contract; where it shows a counterexample, the solver must find one too. The printer
//! (`smt/`) follows the language's documentation and shares nothing with the prover.
//!
//! A sample by default; every kernel and twenty times the mutants with `EVARISTE_FULL=1`.

use evariste_algorithms::field_set::operations;
use evariste_algorithms::layouts;
use evariste_algorithms::plans;
use evariste_descriptions::Field;
use evariste_ir::mutate::mutants;
use evariste_ir::{Kernel, Polynomial};
use evariste_proof::{Outcome, prove};

use crate::kernels::formulas::{Calls, power};
use crate::smt::solver::{Answer, Solver};
use crate::{attacked_calls, false_proofs, smt, toys};

/// Verdicts of the solver by those of the engine.
#[derive(Default, Debug)]
struct Table {
    proved: u32,
    refuted: u32,
    /// The solver gave up.
    open: u32,
    /// Not proved, not refuted: nothing to compare.
    unknown: u32,
    /// Floats, maps of bytes, long kernels.
    not_printed: u32,
}

impl Table {
    fn judge(&mut self, solver: &Solver, name: &str, kernel: &Kernel) {
        if evariste_ir::verify(kernel).is_err() {
            return;
        }
        let expected = match prove(kernel) {
            Outcome::Proved(_) => Answer::Unsatisfiable,
            Outcome::Refuted(_) => Answer::Satisfiable,
            Outcome::Unknown(_) => return self.unknown += 1,
        };
        let Some(script) = smt::counterexample(kernel) else { return self.not_printed += 1 };
        let answer = solver.ask(&script);
        assert!(answer == expected || answer == Answer::Open, "{name}: the solver says {answer:?}\n{kernel}\n{script}");
        match answer {
            Answer::Open => {
                println!("open: {name}");
                self.open += 1;
            }
            Answer::Unsatisfiable => self.proved += 1,
            Answer::Satisfiable => self.refuted += 1,
        }
    }
}

fn full() -> bool {
    std::env::var_os("EVARISTE_FULL").is_some()
}

fn solver(what: &str) -> Option<Solver> {
    let solver = Solver::find();
    if solver.is_none() {
        evariste_testing::lacks_tool(what, "z3");
    }
    solver
}

/// Kernels of the registry: one digit of four bits and two for all operations, words of eight bits for those without
/// products (whose remainders solvers of bit vectors do not finish).
fn registry() -> Vec<(String, Kernel)> {
    let mut all = Vec::new();
    let products = ["mul", "square", "inv", "power", "montgomery", "reduce"];
    for (text, word) in
        [("13", 4), ("31", 4), ("odd4", 4), ("GF(2^5)", 4), ("GF(2^3):onb2", 1), ("239", 8), ("2^13-1", 8)]
    {
        let field = Field::parse(text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
        for layout in layouts(&field, word) {
            for operation in operations(&field, &layout) {
                if word == 8 && products.iter().any(|p| operation.name().contains(p)) {
                    continue;
                }
                for plan in plans(&field, &layout, &operation) {
                    if let Ok(kernel) = plan.write() {
                        all.push((format!("{text} {word} {} {}", operation.name(), plan.name()), kernel));
                    }
                }
            }
        }
    }
    all
}

#[test]
fn kernels_of_the_registry() {
    let Some(solver) = solver("kernels judged by a solver of bit vectors") else { return };
    let mut table = Table::default();
    let all = registry();
    let every = if full() { 1 } else { all.len().div_ceil(60) };
    for (name, kernel) in all.into_iter().step_by(every) {
        table.judge(&solver, &name, &kernel);
    }
    println!("kernels of the registry: {table:?}");
    assert!(table.proved > 20 && table.open < table.proved, "{table:?}");
}

/// Calls with arrays in place, facts, bounds by numbers, remainders, even moduli, recurrences; signed digits.
#[test]
fn kernels_that_attack_calls() {
    let Some(solver) = solver("attacks judged by a solver of bit vectors") else { return };
    let mut table = Table::default();
    let mut all = attacked_calls::kernels();
    all.extend(false_proofs::signed_kernels());
    for (name, kernel) in all {
        table.judge(&solver, name, &kernel);
    }
    println!("attacks: {table:?}");
    assert!(table.proved > 6 && table.refuted > 4 && table.open == 0 && table.not_printed == 0, "{table:?}");
}

/// Calls of products and sums, in a line and in a loop.
#[test]
fn formulas() {
    let Some(solver) = solver("formulas judged by a solver of bit vectors") else { return };
    let mut table = Table::default();
    let field = Calls::plain("5", 3);
    for fault in ["", "start", "no square", "the other way"] {
        for steps in [1, 2, 3] {
            table.judge(&solver, &format!("power of {steps} bits, {fault}"), &power(&field, steps, fault));
        }
    }
    let claim = |polynomial| vec![("z", field.claim(polynomial, 1))];
    let square = Polynomial::default().plus(1, &[0, 0]).plus(-1, &[1, 1]);
    for (steps, polynomial) in [
        ("s = x + y; t = x - y; z = s * t", square.clone()),
        ("s = x + y; t = y - x; z = s * t", square.clone()),
        ("s = x * x; t = y * y; z = s - t", square.clone().plus(5, &[0])),
        ("s = x * x; t = y * y; z = s - t", square.plus(1, &[0])),
    ] {
        table.judge(&solver, steps, &field.kernel("difference", claim(polynomial), &["x", "y"], steps));
    }
    println!("formulas: {table:?}");
    assert!(table.proved > 2 && table.refuted > 3 && table.open < table.proved, "{table:?}");
}

#[test]
fn mutants_of_toy_kernels() {
    let Some(solver) = solver("mutants judged by a solver of bit vectors") else { return };
    let mut table = Table::default();
    for (name, kernel) in toys::toys() {
        table.judge(&solver, &name, &kernel);
        let all = mutants(&kernel);
        let few = all.len().div_ceil(if full() { 80 } else { 4 });
        for m in all.into_iter().skip(few / 2).step_by(few) {
            table.judge(&solver, &format!("{name}, {}", m.fault), &m.kernel);
        }
    }
    println!("mutants of toys: {table:?}");
    assert!(table.proved > 10 && table.refuted > 30 && table.open < table.proved, "{table:?}");
}
