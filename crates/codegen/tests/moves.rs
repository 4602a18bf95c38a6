//! What a search proposes: orders that the strict allocator takes give programs that the checker takes; the same seed
//! proposes the same.

use evariste_algorithms::layouts;
use evariste_algorithms::{Operation, plans};
use evariste_codegen::Checker;
use evariste_codegen::lower::lower;
use evariste_codegen::schedule::{Moves, Random, candidates};
use evariste_codegen::x86_64::allocate::Allocator;
use evariste_codegen::x86_64::compile::program;
use evariste_codegen::x86_64::schedule::{heuristic, resources};
use evariste_codegen::x86_64::{Features, compile};
use evariste_descriptions::Field;
use evariste_proof::{Proved, prove};

/// Proposals that are tried of each kernel.
const PROPOSALS: usize = 400;

fn proved(field: &str, layout: &str, operation: &Operation, algorithm: &str) -> Proved {
    let field = Field::parse(field).expect("a field");
    let layout = layouts(&field, 64).into_iter().find(|l| l.name == layout).expect("a layout");
    let plan = plans(&field, &layout, operation).into_iter().find(|p| p.algorithm == algorithm).expect("a plan");
    prove(&plan.write().expect("a kernel")).proved().expect("a proof")
}

#[test]
fn every_proposal_that_is_taken_replays_in_the_checker() {
    let kernels = [
        ("25519", "4x64", Operation::MUL, "comba+fold"),
        ("p256", "montgomery-4x64", Operation::MUL, "montgomery-cios-merge"),
        ("p256", "montgomery-4x64", Operation::SQUARE, "comba+montgomery-sos-merge"),
        ("mersenne61", "1x64", Operation::MUL, "comba+solinas"),
    ];
    for (field, layout, operation, algorithm) in kernels {
        let title = format!("{field} {} {algorithm}", operation.name());
        let proved = proved(field, layout, &operation, algorithm);
        let graph = lower(proved.kernel()).expect("a graph");
        for features in [Features::BMI2, Features::ADX] {
            let mut allocator = Allocator::new(&graph, features);
            let moves = Moves::new(&graph);
            let mut random = Random::new(1);
            let start =
                candidates(&graph, resources(features.into())).into_iter().find(|g| allocator.run(g, true).is_ok());
            let strict = start.is_some();
            let mut schedule = start.unwrap_or_else(|| heuristic(&graph, features.into()));
            let (mut taken, mut proposal) = (0, schedule.clone());
            // One table for all programs of the walk.
            let mut checker = Checker::new(&proved);
            let mut checking = std::time::Duration::ZERO;
            for _ in 0..PROPOSALS {
                moves.propose(&schedule, &mut random, &mut proposal);
                assert!(proposal.fits(&graph), "{title}: {proposal}");
                if let Ok(allocated) = allocator.run(&proposal, strict) {
                    let program = program(&graph, allocated);
                    let start = std::time::Instant::now();
                    checker
                        .check(&program)
                        .unwrap_or_else(|e| panic!("{title} {features}: {e}\n{proposal}\n{program}"));
                    checking += start.elapsed();
                    taken += 1;
                    // A walk: it goes on from where it is.
                    std::mem::swap(&mut schedule, &mut proposal);
                }
            }
            println!(
                "{title} {features}: strict {strict}, {taken} of {PROPOSALS} taken, a check takes {:.1} ms",
                checking.as_secs_f64() * 1e3 / f64::from(taken.max(1) as u32)
            );
            assert!(taken > PROPOSALS / 10, "{title} {features}: {taken} taken");
            // The text of the schedule gives the same program again.
            let program = compile(&proved, features, Some(&schedule)).expect("a program");
            assert_eq!(compile(&proved, features, Some(&schedule.to_string().parse().expect("schedule"))), Ok(program));
        }
    }
}

#[test]
fn a_seed_decides_everything() {
    let proved = proved("25519", "4x64", &Operation::MUL, "comba+fold");
    let graph = lower(proved.kernel()).expect("a graph");
    let start = heuristic(&graph, Features::ADX.into());
    let walk = |seed: u64| {
        let (moves, mut random, mut schedule) = (Moves::new(&graph), Random::new(seed), start.clone());
        let mut walked = Vec::new();
        for _ in 0..50 {
            let mut next = schedule.clone();
            moves.propose(&schedule, &mut random, &mut next);
            walked.push(next.to_string());
            schedule = next;
        }
        walked
    };
    assert_eq!(walk(3), walk(3));
    assert_ne!(walk(3), walk(4));
}
