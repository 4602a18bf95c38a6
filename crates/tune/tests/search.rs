//! The search for schedules: whatever it finds in a moment is a program that the checker takes and that computes what
//! the kernel says. No time is asserted.

use std::time::Duration;

use crate::support::field;
use evariste_algorithms::{Operation, Plan, plans};
use evariste_backend::scalar::Scalar;
use evariste_backend::{Backend, Choice, Made, Refusal};
use evariste_codegen::schedule::Schedule;
use evariste_codegen::x86_64::X86_64;
use evariste_proof::Proved;
use evariste_run::Goal;
use evariste_tune::budget::{affordable, allotted, searches, share};
use evariste_tune::cache;
use evariste_tune::candidates::{field_layouts, judge};
use evariste_tune::measure::call;
use evariste_tune::operands::{arrays, operand_values};
use evariste_tune::search::search;
use evariste_tune::{Options, Progress, Stage, tune};

fn proved(name: &str, layout: &str, operation: &Operation, algorithm: &str) -> Proved {
    let field = field(name);
    let layout = field_layouts(&field, &[64]).into_iter().find(|l| l.name == layout).expect("a layout");
    let plan: Plan = plans(&field, &layout, operation).into_iter().find(|p| p.algorithm == algorithm).expect("a plan");
    judge(&plan).expect("it applies").outcome.expect("a proof")
}

fn make(backend: &dyn Backend, proved: &Proved, schedule: Option<&Schedule>) -> Result<Made, Refusal> {
    backend.make(proved, &Choice { schedule, ..Choice::default() })
}

#[test]
fn what_is_found_is_checked_and_right() {
    let Ok(backend) = (Scalar::<X86_64>::ENTRY.find)(None) else {
        evariste_testing::lacks_feature("what needs machine code", "x86-64");
        return;
    };
    for (name, layout, operation, algorithm) in [
        ("mersenne61", "1x64", Operation::MUL, "comba+solinas"),
        ("25519", "4x64", Operation::MUL, "operand-scanning-merge+fold"),
        ("p256", "montgomery-4x64", Operation::SQUARE, "montgomery-cios-merge"),
    ] {
        let proved = proved(name, layout, &operation, algorithm);
        let kernel = proved.kernel();
        for goal in [Goal::Throughput, Goal::Latency] {
            let found = search(&proved, &*backend, goal, Duration::from_millis(300), 1, &[], &|best| {
                assert!(best > 0.0 && best <= 1.0, "{best}");
                true
            })
            .expect("a search");
            assert_eq!(found.wrong, 0, "{name}: every candidate of the allocator is right");
            let Some(schedule) = found.schedule else { continue };
            assert!(found.ratio < 1.0);
            // What is kept is the text.
            let compiled = make(&*backend, &proved, Some(&schedule.to_string().parse().expect("schedule")))
                .expect("a checked program");
            let heuristic = make(&*backend, &proved, None).expect("a checked program");
            for values in operand_values(kernel, 60, 5) {
                let Some(inputs) = arrays(kernel, &kernel.contract.inputs, &values) else { continue };
                assert_eq!(
                    call(kernel, &compiled, &inputs).expect("a call"),
                    call(kernel, &heuristic, &inputs).expect("a call"),
                    "{name} at {values:?}"
                );
            }
        }
    }
}

#[test]
fn schedules_of_other_kernels_are_refused() {
    let Ok(backend) = (Scalar::<X86_64>::ENTRY.find)(None) else {
        evariste_testing::lacks_feature("what needs machine code", "x86-64");
        return;
    };
    let proved = proved("mersenne61", "1x64", &Operation::MUL, "comba+solinas");
    for text in ["0; ; ", "0 0 0; 0; ", "0 -1; ; "] {
        let refused = make(&*backend, &proved, Some(&text.parse().expect("schedule")));
        assert!(
            matches!(&refused, Err(Refusal::Code(why)) if why.contains("belongs to another kernel")),
            "{text}: {:?}",
            refused.err()
        );
    }
}

/// A remembered ranking of one machine-code row, with these members added to it.
fn remembered(members: &str) -> Result<evariste_tune::Ranking, String> {
    let row = |extra: &str, throughput: f64, latency: f64| {
        format!(
            "{{\"plan\": \"fold/4x64\", \"code\": \"x86-64\", \"operation\": \"mul\", \"layout\": \"4x64\", \"proved\": true, \"contract\": \"\", \"multiplications\": 1, \"additions\": 1, \
             \"moves\": 1, \"proof_ms\": 1.0, \"bound_cycles\": 1.0, \"throughput_ns\": {throughput}, \"latency_ns\": {latency}{extra}}}"
        )
    };
    let layout = "{\"layout\": \"4x64\", \"description\": \"\", \"mix_ns\": 1.0, \"throughput\": [], \"latency\": [], \"size\": []}";
    let rows = format!("{}, {}", row("", 5.0, 9.0), row(members, 4.0, 8.0));
    let text = format!(
        "{{\"version\": 2, \"field\": \"f\", \"target\": \"\", \"mix\": \"\", \"candidates\": [{rows}], \"layouts\": [{layout}], \"winner\": null, \"winner_code\": null}}"
    );
    cache::parse(text.as_bytes(), "f")
}

#[test]
fn schedules_are_remembered() {
    use evariste_tune::Goal::{Latency, Throughput};
    let ranking = remembered(", \"searched\": \"latency\", \"genes\": \"1 -1; 0; \", \"heuristic_cycles\": 3.5")
        .expect("it is valid");
    assert_eq!(
        ranking.schedule("mul", "fold/4x64", Throughput).expect("schedule").map(|(c, s)| (c.searched, s.order)),
        Some((Some(Latency), vec![1, 0]))
    );
    assert_eq!(ranking.schedule("square", "fold/4x64", Latency), Ok(None));
    assert_eq!(remembered("").expect("it is valid").schedule("mul", "fold/4x64", Latency), Ok(None));
    assert_eq!(
        remembered(", \"genes\": \"1 -2; 0; \""),
        Err("the schedule of `fold/4x64`: this is not a schedule, which is three lists of numbers separated by semicolons"
            .into())
    );
    assert_eq!(remembered(", \"heuristic_cycles\": -1"), Err("a number of `fold/4x64` is not a time".into()));
}

#[test]
fn searches_go_by_what_they_are_worth() {
    use evariste_tune::Goal::{Latency, Throughput};
    let ranking = remembered("").expect("it is valid");
    let mix = [(Operation::MUL, 3), (Operation::SQUARE, 2), (Operation::ADD, 6)];
    let all = searches(&ranking, &mix);
    // Two rows of one plan, of 4 and 5 ns, with a latency of 8 and 9: 3·4, 3·4/2, 3·8/2, 3·8/4.
    let found: Vec<(&str, evariste_tune::Goal, f64)> =
        all.iter().map(|job| (job.operation.as_str(), job.goal, job.worth)).collect();
    assert_eq!(
        found,
        [("mul", Throughput, 12.0), ("mul", Latency, 12.0), ("mul", Throughput, 6.0), ("mul", Latency, 6.0)]
    );
    let parts: Vec<f64> = (0..4).map(|k| share(&all, k)).collect();
    assert_eq!(parts, [1.0 / 3.0, 0.5, 0.5, 1.0]);
    // A second is the least: of six everyone gets one, of four the two worthiest get two.
    let count = |seconds| affordable(all.clone(), seconds).len();
    assert_eq!([6.0, 4.0, 1.9, 0.1].map(count), [4, 2, 1, 1]);
    assert_eq!(affordable(Vec::new(), 10.0), []);
    // A long ranking leaves less, and never nothing.
    assert_eq!([0.0, 15.0, 40.0, 90.0].map(|spent| allotted(30.0, spent)), [30.0, 25.0, 5.0, 5.0]);
    // Schedules that were searched are not searched again; operations that were not measured are left out.
    let again = remembered(", \"searched\": \"latency\", \"genes\": \"0; ; \"").expect("it is valid");
    assert_eq!(searches(&again, &mix).len(), 2);
    assert_eq!(searches(&ranking, &mix[1..]), []);
}

#[test]
fn what_cannot_win_is_not_searched() {
    let throughput = |ranking: &evariste_tune::Ranking| {
        let jobs = searches(ranking, &[(Operation::MUL, 1)]);
        jobs.iter().filter(|job| job.goal == evariste_tune::Goal::Throughput).count()
    };
    let ranking = |best: f64, bounds: [f64; 2]| {
        let mut ranking = remembered("").expect("it is valid");
        for (c, bound) in ranking.candidates.iter_mut().zip(bounds) {
            (c.throughput_cycles, c.bound_cycles) = (Some(best), bound);
        }
        ranking
    };
    assert_eq!(throughput(&ranking(40.0, [30.0, 35.0])), 2);
    // One stands on its bound, the other one's is above what the best takes.
    assert_eq!(throughput(&ranking(40.0, [30.0, 40.0])), 1);
    assert_eq!(throughput(&ranking(40.0, [41.0, 39.9])), 0);
}

/// Ctrl-C in a search: what was found before stays, confirmed side by side with its rivals.
#[test]
fn a_search_that_is_stopped_keeps_what_it_found() {
    let Ok(backend) = (Scalar::<X86_64>::ENTRY.find)(None) else {
        evariste_testing::lacks_feature("what needs machine code", "x86-64");
        return;
    };
    let mut options = Options::new().expect("options");
    options.backends = vec![backend];
    options.only = vec!["comba".into()];
    options.layouts = vec!["1x64".into()];
    options.timing.rounds = 4;
    options.search = 12.0;
    let stop = options.stop.clone();
    let ranking = tune(&field("mersenne61"), &options, &|p: Progress| {
        if p.stage == Stage::Search && p.done >= 1 {
            stop.ask();
        }
    })
    .expect("a ranking");
    assert!(ranking.stopped.is_none() && options.stop.is_asked());
    assert!((1..5).contains(&ranking.searches.len()), "{} searches", ranking.searches.len());
    for searched in &ranking.searches {
        assert!(searched.measured > 0 || searched.infeasible > 0, "{searched:?}");
        let mut rows = ranking.candidates.iter().filter(|c| c.searched == Some(searched.goal));
        let row = rows.find(|c| c.plan == searched.plan && c.operation == searched.operation);
        assert_eq!(searched.better, row.is_some_and(|c| c.schedule.is_some() && c.throughput_ns.is_some()));
    }
}
