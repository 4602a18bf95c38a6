//! Stored schedules: what is written is read, what cannot be read or belongs to another kernel is left out, and what is
//! left is rows of a ranking. No time is asserted.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::field;
use evariste_algorithms::{Operation, plans};
use evariste_backend::scalar::Scalar;
use evariste_codegen::check::check;
use evariste_codegen::lower::lower;
use evariste_codegen::schedule::Schedule;
use evariste_codegen::schedule::{Moves, Random};
use evariste_codegen::x86_64::X86_64;
use evariste_codegen::x86_64::{Features, compile, heuristic_schedule};
use evariste_codegen::{Aim, FoundOrders};
use evariste_descriptions::Field;
use evariste_proof::Proved;
use evariste_run::TimingOptions;
use evariste_tune::candidates::{field_layouts, judge};
use evariste_tune::choose::{Chosen, Source, choose};
use evariste_tune::given::Given;
use evariste_tune::machine_code::for_package;
use evariste_tune::package::{Request, package};
use evariste_tune::schedules::{ROUTINE, found_in};
use evariste_tune::{FoundSchedule, Goal, Options, Schedules, TuneError, tune};

const PLAN: &str = "comba+solinas/1x64";

fn proved(field: &Field, plan: &str, operation: &Operation) -> Option<Proved> {
    let all = field_layouts(field, &[64])
        .into_iter()
        .flat_map(|layout| plans(field, &layout, operation))
        .find(|p| p.name() == plan)?;
    judge(&all)?.outcome.ok()
}

/// A schedule of a small kernel: the heuristic's, as if it had been found.
pub fn schedule(goal: Goal) -> (FoundSchedule, Proved) {
    let proved = proved(&field("mersenne61"), PLAN, &Operation::MUL).expect("a proof");
    let schedule = heuristic_schedule(&proved, Features::ADX).expect("a graph");
    let schedule = FoundSchedule {
        field: "mersenne61".into(),
        operation: "mul".into(),
        plan: PLAN.into(),
        goal,
        sets: Features::ADX.to_string(),
        fingerprint: proved.kernel().fingerprint(),
        cycles: 3.25,
        heuristic_cycles: 4.5,
        core: "a|core".into(),
        schedule,
    };
    (schedule, proved)
}

#[test]
fn what_is_written_is_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = Schedules::file(&folder.path().join("new"));
    assert_eq!(Schedules::load(&path).expect("nothing is there"), Default::default());
    let (throughput, latency) = (schedule(Goal::Throughput).0, schedule(Goal::Latency).0);
    assert_eq!(Schedules::add_to(&path, &[latency.clone(), throughput.clone()]).expect("written"), 2);
    let (read, ignored) = Schedules::load(&path).expect("a file");
    let clean = |s: &FoundSchedule| FoundSchedule { core: "a core".into(), ..s.clone() };
    assert_eq!((read.all, ignored), (vec![clean(&throughput), clean(&latency)], vec![]));

    // Measured again it stays as it is; another one takes its place, and one of another core has its own.
    let text = std::fs::read_to_string(&path).expect("a file");
    assert_eq!(
        Schedules::add_to(&path, &[FoundSchedule { cycles: 1.0, ..latency.clone() }]).expect("nothing to do"),
        0
    );
    assert_eq!(std::fs::read_to_string(&path).expect("a file"), text);
    let mut other = FoundSchedule { cycles: 1.0, ..latency.clone() };
    other.schedule.chains.iter_mut().for_each(|c| *c = 3);
    assert_eq!(Schedules::add_to(&path, &[other.clone()]).expect("written"), 1);
    assert_eq!(Schedules::load(&path).expect("a file").0.all, [clean(&throughput), clean(&other)]);
    let elsewhere = FoundSchedule { core: "b core".into(), ..other.clone() };
    assert_eq!(Schedules::add_to(&path, std::slice::from_ref(&elsewhere)).expect("written"), 1);
    assert_eq!(Schedules::load(&path).expect("a file").0.all, [clean(&throughput), clean(&other), elsewhere]);
    assert_eq!(std::fs::read_dir(path.parent().expect("a folder")).expect("listed").count(), 1);
    // A folder is no file, and below a file there is none.
    assert!(matches!(Schedules::load(folder.path()), Err(TuneError::SchedulesUnreadable { .. })));
    assert!(matches!(
        Schedules::add_to(&path.join("x/schedules.txt"), &[other]),
        Err(TuneError::SchedulesWrite { .. })
    ));
}

#[test]
fn lines_that_cannot_be_understood_are_ignored() {
    let good = schedule(Goal::Latency).0.to_string();
    let text = format!("# a comment\n\n{good}\n");
    for (from, to, why) in [
        (" | latency", "", "it has 8 parts, not 9"),
        ("latency", "size", "`size` is not a goal (throughput or latency)"),
        ("bmi2+adx", "avx", "`avx` names no instruction sets"),
        ("3.25", "-3.25", "`-3.25, 4.50` is not a pair of times"),
        ("3.25", "1e999", "`1e999, 4.50` is not a pair of times"),
        (", 4.50", "", "`3.25` is not a pair of times"),
        ("mersenne61", "", "a name is missing"),
        ("; ", "; x ", "this is not a schedule, which is three lists of numbers separated by semicolons"),
    ] {
        assert!(good.contains(from), "{from}");
        let (schedules, ignored) = Schedules::parse(&(text.clone() + &good.replacen(from, to, 1)));
        assert_eq!((schedules.all.len(), ignored), (1, vec![format!("line 4 is ignored: {why}")]));
    }
    let fingerprint = format!("{:016x}", schedule(Goal::Latency).0.fingerprint);
    assert_eq!(
        Schedules::parse(&good.replace(&fingerprint, "+")).1,
        ["line 1 is ignored: `+` is not a fingerprint (hexadecimal)"]
    );
    assert_eq!(Schedules::parse(&"|".repeat(1 << 20)).1.len(), 1);
}

#[test]
fn what_belongs_to_another_kernel_is_left_out() {
    let (schedule, proved) = schedule(Goal::Latency);
    let kernel = proved.kernel();
    let of = |s: FoundSchedule, sets: &str| {
        Schedules { all: vec![s.clone(), s] }.of("mersenne61", "mul", PLAN, kernel, sets).len()
    };
    let [adx, bmi2] = [Features::ADX, Features::BMI2].map(|features| features.to_string());
    assert_eq!(of(schedule.clone(), &adx), 1, "twice the same is once");
    let vectors = Features::AVX512.scalar().to_string();
    assert_eq!(of(schedule.clone(), &vectors), 1, "vectors change nothing");
    assert_eq!(of(schedule.clone(), &bmi2), 0);
    assert_eq!(of(FoundSchedule { fingerprint: schedule.fingerprint ^ 1, ..schedule.clone() }, &adx), 0);
    assert_eq!(of(FoundSchedule { plan: "comba+fold/1x64".into(), ..schedule.clone() }, &adx), 0);
    assert_eq!(of(FoundSchedule { operation: "square".into(), ..schedule.clone() }, &adx), 0);
    assert_eq!(of(FoundSchedule { field: "25519".into(), ..schedule }, &adx), 0);
}

#[test]
fn stored_schedules_are_rows_beside_the_heuristic_s() {
    let Ok(backend) = (Scalar::<X86_64>::ENTRY.find)(None) else {
        evariste_testing::lacks_feature("what needs machine code", "x86-64");
        return;
    };
    let (mut good, _) = schedule(Goal::Throughput);
    good.sets = backend.schedule_sets().expect("schedules of scalar code");
    // The right fingerprint and a schedule of no kernel: it is told of. The wrong fingerprint: as if it were not there.
    let broken = FoundSchedule { goal: Goal::Latency, schedule: "0; ; ".parse().expect("schedule"), ..good.clone() };
    let stale = FoundSchedule { fingerprint: 1, ..broken.clone() };
    let timing = TimingOptions {
        rounds: 3,
        samples_per_round: 5,
        warm_ns: 20_000.0,
        budget_ns: 2e6,
        ..TimingOptions::default()
    };
    let base = Options {
        words: vec![64],
        backends: vec![backend.clone()],
        timing,
        layouts: vec!["1x64".into()],
        ..Options::new().expect("a back end")
    };
    let options = |all: Vec<FoundSchedule>| Options { schedules: Schedules { all }, ..base.clone() };
    let rows = |all: Vec<FoundSchedule>| {
        let ranking = tune(&field("mersenne61"), &options(all), &|_| ()).expect("a ranking");
        assert!(ranking.candidates.iter().all(|c| c.layout == "1x64"));
        ranking.candidates.into_iter().filter(|c| c.searched.is_some()).collect::<Vec<_>>()
    };
    assert_eq!(rows(vec![stale.clone()]), []);
    let kept = rows(vec![broken, stale]);
    assert_eq!(kept.len(), 1);
    assert!(
        kept[0].note.as_ref().is_some_and(
            |note| note.starts_with("a stored schedule is ignored: ") && note.contains("belongs to another kernel")
        ),
        "{kept:?}"
    );
    assert!(kept[0].throughput_ns.is_none() && kept[0].schedule.is_none());
    // The same code as the heuristic's is dropped or, by luck, kept: then as a measured row from which the schedule can
    // be written again.
    for c in rows(vec![good.clone()]) {
        assert_eq!(
            (c.searched, c.schedule.as_ref(), c.fingerprint.as_ref()),
            (Some(Goal::Throughput), Some(&good.schedule.to_string()), Some(&format!("{:016x}", good.fingerprint)))
        );
        assert!(c.throughput_cycles < c.heuristic_cycles);
    }
}

/// Another schedule than the heuristic's, with another program.
fn found(proved: &Proved) -> Schedule {
    let graph = lower(proved.kernel()).expect("a graph");
    let heuristic = heuristic_schedule(proved, Features::ADX).expect("a graph");
    let usual = compile(proved, Features::ADX, None).expect("a program").to_string();
    let (moves, mut random, mut schedule) = (Moves::new(&graph), Random::new(1), heuristic.clone());
    let mut other = || {
        moves.propose(&heuristic, &mut random, &mut schedule);
        compile(proved, Features::ADX, Some(&schedule))
            .is_ok_and(|program| program.to_string() != usual)
            .then(|| schedule.clone())
    };
    (0..1000).find_map(|_| other()).expect("another program")
}

/// A ranking made by hand, in which the searched schedule wins by throughput and the heuristic's by latency: packages
/// have the winner's code, and their command and their file of schedules give them again.
#[test]
fn packages_have_the_schedule_that_won() {
    let field = field("mersenne61");
    let (_, proved) = schedule(Goal::Throughput);
    let searched = found(&proved);
    let row = |extra: &str, throughput: f64, latency: f64| {
        format!(
            "{{\"plan\": \"{PLAN}\", \"code\": \"x86-64\", \"operation\": \"mul\", \"layout\": \"1x64\", \"proved\": true, \"contract\": \"\", \"multiplications\": 1, \
             \"additions\": 1, \"moves\": 1, \"proof_ms\": 1.0, \"bound_cycles\": 1.0, \"throughput_ns\": {throughput}, \"latency_ns\": {latency}, \"throughput_cycles\": 3.25{extra}}}"
        )
    };
    let rows = row("", 5.0, 8.0)
        + ", "
        + &row(
            &format!(", \"searched\": \"throughput\", \"genes\": \"{searched}\", \"heuristic_cycles\": 4.5"),
            4.0,
            9.0,
        );
    let layout = "{\"layout\": \"1x64\", \"description\": \"\", \"mix_ns\": 1.0, \"throughput\": [], \"latency\": [], \"size\": []}";
    let text = format!(
        "{{\"version\": 2, \"field\": \"f\", \"target\": \"linux; a core; x\", \"mix\": \"\", \"candidates\": [{rows}], \"layouts\": [{layout}], \"winner\": null, \"winner_code\": null}}"
    );
    let ranking = evariste_tune::cache::parse(text.as_bytes(), "f").expect("it is valid");
    let mut chosen = choose(&field, &[64], None, Some(ranking)).expect("a layout");
    let request = Request {
        language: "asm".into(),
        prefix: "m".into(),
        operations: vec!["mul".into()],
        command_line: "evariste emit x".into(),
        ..Request::default()
    };
    let files = |chosen: &Chosen| -> BTreeMap<String, String> {
        package(chosen, &request, |_, _| ()).expect("a package").files.into_iter().map(|f| (f.path, f.text)).collect()
    };
    let packaged = chosen.packaged().1;
    let body = |schedule: Option<&FoundSchedule>| {
        let code = for_package(packaged, "mul", PLAN, &proved, schedule, &[]).expect("a program");
        evariste_emit::assembly(&[(&code, &proved)], "m").expect("a text")
    };
    // The function as it is printed: from its name to its end, without the file's opening.
    let function = |text: &str| text[text.find("EVARISTE_FUNCTION(m_mul_x86_64)").expect("the function")..].to_string();

    let written = files(&chosen);
    let kept = Schedules::parse(&written["m_schedules.txt"]).0.all;
    assert_eq!(
        kept,
        [FoundSchedule { schedule: searched.clone(), core: "a core".into(), ..schedule(Goal::Throughput).0 }]
    );
    assert_eq!(function(&written["m_x86_64.S"]), function(&body(Some(&kept[0]))));
    assert_ne!(function(&written["m_x86_64.S"]), function(&body(None)));
    assert!(
        written["m_x86_64.S"].contains("comba+solinas/1x64, schedule searched for throughput on a core"),
        "{}",
        written["m_x86_64.S"]
    );
    let command = written["README.md"].lines().find(|line| line.contains("evariste emit x")).expect("the command");
    assert!(
        command.contains("evariste emit x --plan mul=comba+solinas ")
            && command.ends_with(" --schedules m_schedules.txt --searched-on a-core"),
        "{command}"
    );

    chosen.goal = Goal::Latency;
    let heuristic = files(&chosen);
    assert!(!heuristic.contains_key("m_schedules.txt") && heuristic["README.md"].contains("--schedules heuristic\n"));
    assert_eq!(function(&heuristic["m_x86_64.S"]), function(&body(None)));
    chosen.schedules = Source::Given(Given { schedules: Schedules { all: kept }, core: "a-core".into(), named: true });
    assert_eq!(files(&chosen), written);
    (chosen.goal, chosen.schedules) = (Goal::Throughput, Source::Heuristic);
    assert_eq!(files(&chosen), heuristic);
}

/// Of a file of schedules only lines of the core in use and of the goal count, whatever stands first; where there is
/// none, the order is the heuristic's, and a note says what was passed over.
#[test]
fn schedules_of_another_core_are_not_used() {
    let field = field("mersenne61");
    let (line, proved) = schedule(Goal::Throughput);
    let searched = found(&proved);
    let of = |core: &str, goal: Goal, schedule: &Schedule| FoundSchedule {
        core: core.into(),
        goal,
        schedule: schedule.clone(),
        ..line.clone()
    };
    let lines = vec![
        of("Zen 4", Goal::Throughput, &searched),
        of("Zen 5", Goal::Latency, &searched),
        of("Zen 5", Goal::Throughput, &line.schedule),
    ];
    let mut chosen = choose(&field, &[64], Some("1x64"), None).expect("a layout");
    chosen.pin(&Operation::MUL, PLAN).expect("a plan");
    let mut taken = |lines: &[FoundSchedule], core: &str, goal: Goal, named: bool| {
        let schedules = Schedules { all: lines.to_vec() };
        chosen.goal = goal;
        chosen.schedules = Source::Given(Given { schedules, core: core.into(), named });
        let line = chosen.schedule(&Operation::MUL, PLAN, proved.kernel()).expect("schedules");
        let request = Request { language: "asm".into(), operations: vec!["mul".into()], ..Request::default() };
        let notes = package(&chosen, &request, |_, _| ()).expect("a package").notes;
        (line.map(|line| (line.core, line.goal)), notes)
    };
    let used = |core: &str, goal| (Some((core.to_string(), goal)), Vec::new());
    assert_eq!(taken(&lines, "Zen 5", Goal::Throughput, false), used("Zen 5", Goal::Throughput));
    assert_eq!(taken(&lines, "Zen 5", Goal::Latency, false), used("Zen 5", Goal::Latency));
    let passed_over = |core: &str, goal: Goal, others: &str| {
        vec![format!(
            "mul by {PLAN} has the heuristic's order: schedules searched on {others} are passed over, and there is none searched on {core} for {goal}; \
             `evariste tune mersenne61 --save FILE` measures them here, and --searched-on takes those of another core unmeasured"
        )]
    };
    let all = "Zen 4 for throughput, on Zen 5 for latency, on Zen 5 for throughput";
    assert_eq!(taken(&lines, "Zen 3", Goal::Throughput, false), (None, passed_over("Zen 3", Goal::Throughput, all)));
    let one = "Zen 4 for throughput";
    assert_eq!(taken(&lines[..1], "Zen 4", Goal::Latency, false), (None, passed_over("Zen 4", Goal::Latency, one)));
    // Named by hand, another goal's will do; a file without the kernel is nothing to speak of.
    assert_eq!(taken(&lines[..1], "zen-4", Goal::Latency, true), used("Zen 4", Goal::Throughput));
    assert_eq!(taken(&[], "Zen 4", Goal::Latency, false), (None, Vec::new()));
}

/// What ships is canonical text, and each schedule whose kernel is still the same gives a program that the checker
/// takes.
#[test]
fn what_ships_is_checked() {
    let text = include_str!("../src/schedules.txt");
    let (all, ignored) = Schedules::parse(text);
    assert_eq!(ignored, Vec::<String>::new());
    let again = all.to_string();
    for (line, (kept, written)) in (1..).zip(text.lines().zip(again.lines())) {
        assert!(kept == written, "schedules.txt, line {line}: here stands\n{written}\nwhen the file is written again");
    }
    assert_eq!(again.len(), text.len());
    let mut stale = Vec::new();
    let (of_routines, of_operations): (Vec<_>, Vec<_>) = all.all.iter().partition(|s| s.operation == ROUTINE);
    for s in of_operations {
        let operation = Operation::parse(&s.operation).expect("an operation");
        match proved(&field(&s.field), &s.plan, &operation) {
            Some(proved) if proved.kernel().fingerprint() == s.fingerprint => {
                let program = compile(&proved, Features::ADX.only(&s.sets), Some(&s.schedule))
                    .unwrap_or_else(|e| panic!("{} of {} by {}: {e}", s.operation, s.field, s.plan));
                check(&proved, &program)
                    .unwrap_or_else(|e| panic!("{} of {} by {}: {e}", s.operation, s.field, s.plan));
            }
            _ => stale.push(format!("{} {} {} {}", s.field, s.operation, s.plan, s.goal)),
        }
    }
    // Routines: those that one operation has are checked together, in its program.
    for (field_name, plan) in of_routines.iter().map(|s| (&s.field, &s.plan)).collect::<BTreeSet<_>>() {
        let (operation, plan) = found_in(plan).expect("where it was found");
        let is_of =
            |s: &&&FoundSchedule| s.field == *field_name && found_in(&s.plan) == Some((operation.clone(), plan));
        let lines: Vec<&FoundSchedule> = of_routines.iter().filter(is_of).copied().collect();
        let layout = plan.split_once('/').expect("a plan").1;
        let mut chosen = choose(&field(field_name), &[64], Some(layout), None).expect("a layout");
        chosen.pin(&operation, plan).expect("a plan");
        let (_, proved) = chosen.proved_plan(&operation).expect("proved");
        let found: FoundOrders = lines.iter().map(|s| (s.fingerprint, s.schedule.clone())).collect();
        let features = Features::ADX.only(&lines[0].sets);
        let program = |found| {
            let aim = Aim { found, ..features.into() };
            compile(&proved, aim, None).unwrap_or_else(|e| panic!("{plan}: {e}"))
        };
        check(&proved, &program(&found)).unwrap_or_else(|e| panic!("{plan}: {e}"));
        let without = program(FoundOrders::none()).code;
        if program(&found).code == without {
            stale.push(format!("{field_name} {plan}"));
        }
        // Orders that do not fit are passed over.
        let shortened = |s: &&FoundSchedule| {
            let order = s.schedule.order.split_last().map_or(Vec::new(), |(_, rest)| rest.to_vec());
            (s.fingerprint, Schedule { order, ..s.schedule.clone() })
        };
        let backwards = |s: &&FoundSchedule| {
            let order = s.schedule.order.iter().rev().copied().collect();
            (s.fingerprint, Schedule { order, ..s.schedule.clone() })
        };
        let wrong: [FoundOrders; 2] = [lines.iter().map(shortened).collect(), lines.iter().map(backwards).collect()];
        for found in &wrong {
            assert!(program(found).code == without, "{plan}");
        }
    }
    println!("{} schedules; {} of kernels that are no longer the same: {stale:?}", all.all.len(), stale.len());
    assert!(
        stale.len() < all.all.len() || all.all.is_empty(),
        "all are stale: search again (docs/how-to/refresh-schedules.md)"
    );
}
