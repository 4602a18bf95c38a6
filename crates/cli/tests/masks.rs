//! `EVARISTE_WITHOUT`: whatever it masks, the command works and says what is left.
//!
//! By default each instruction set is masked alone, and a sample of the other masks, another one each day; all of them with
//! `EVARISTE_FULL=1`. Each mask has one command, by turns.

use serde_json::Value;

use crate::common::{Place, Run};

/// The instruction sets in lines such as `machine code: bmi2+adx`.
fn sets(code: &Value) -> Vec<String> {
    let lines = code.as_array().into_iter().flatten().filter_map(Value::as_str);
    lines.filter_map(|line| line.rsplit_once(": ")).flat_map(|(_, sets)| sets.split('+')).map(String::from).collect()
}

const COMMANDS: [&[&str]; 5] = [
    &["tune", "babybear", "--quick", "--lanes", "--no-cache", "--code", "x86-64", "--only", "comba+montgomery"],
    &["emit", "goldilocks", "--lang", "asm", "-o", "out", "--force"],
    &["show", "program", "GF(2^8)"],
    &["eval", "GF(2^163)", "mul", "3", "5"],
    &["doctor", "--json"],
];

/// No fault of ours: a refusal is told with a reason.
fn ended(run: Run, what: &str) -> Run {
    assert!(matches!(run.code, Some(0 | 1)) && !run.err.contains("panicked"), "{what}: {run:#?}");
    run
}

#[test]
fn every_mask_is_obeyed() {
    let place = || Place::new().without_compiler();
    let all = sets(&place().run(&["doctor", "--json"]).ended(0).json()["code"]);
    let names: Vec<&String> = all.iter().filter(|name| **name != "baseline").collect();
    let mut known: Vec<&String> = Vec::new();
    names.into_iter().for_each(|name| {
        if !known.contains(&name) {
            known.push(name)
        }
    });
    let masks: Vec<u32> = (0..1 << known.len()).collect();
    let alone = |mask: &u32| if mask.count_ones() == 1 { *mask } else { 0 };
    let drawn = evariste_testing::sample("masks", masks, 64, alone);
    for (at, mask) in drawn.iter().enumerate() {
        let without: Vec<&str> =
            known.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1).map(|(_, name)| name.as_str()).collect();
        let names = without.join(",");
        let place = place().with("EVARISTE_WITHOUT", Some(&names));
        let command = COMMANDS[evariste_testing::turn(at, COMMANDS.len())];
        let run = ended(place.run(command), &format!("without {names}: {command:?}"));
        if command[0] == "doctor" {
            let json = run.json();
            let left = sets(&json["code"]);
            assert!(without.iter().all(|name| !left.iter().any(|set| set == name)), "without {names}: {left:?}");
            let told = json["features"].as_array().into_iter().flatten().any(|f| *f == format!("without:{names}"));
            assert!(told || names.is_empty(), "without {names}: {json}");
        }
    }
    println!("{} masks of {} instruction sets", drawn.len(), known.len());
}

/// What names nothing would leave everything as it is, and nobody would know.
#[test]
fn what_is_no_mask_is_refused() {
    for (names, wrong, meant) in [
        ("nonsense", "nonsense", "bmi2,adx,avx2,fma,avx512,ifma,vbmi2,gfni,pclmulqdq,vpclmulqdq"),
        ("avx512+avx2", "avx512+avx2", "avx512,avx2"),
        ("gfni, AVX2", "AVX2", "bmi2,adx,avx2,fma,avx512,ifma,vbmi2,gfni,pclmulqdq,vpclmulqdq"),
    ] {
        let run = Place::new().with("EVARISTE_WITHOUT", Some(names)).run(&["eval", "2^61-1", "mul", "3", "5"]);
        if !evariste::builder::machine().is_native() {
            evariste_testing::lacks_feature("masks of instruction sets", "x86-64");
            return;
        }
        assert_eq!(
            run.ended(2).err,
            format!(
                "error: EVARISTE_WITHOUT: `{wrong}` names no instruction set\nhelp: names are separated by commas: {meant}\n"
            )
        );
    }
    // Nothing at all, and a comma too many, are no names.
    for names in ["", "gfni,", " avx512 , gfni"] {
        Place::new().with("EVARISTE_WITHOUT", Some(names)).run(&["eval", "2^61-1", "mul", "3", "5"]).ended(0);
    }
}

/// Where the costs in use say nothing of code, there is no bound, and none is written as a number: also of SSE2 alone,
/// where tables have costs of these vectors or of wider ones.
#[test]
fn code_without_costs_has_no_bound() {
    let tune =
        ["tune", "mersenne61", "--quick", "--lanes", "--no-cache", "--code", "x86-64", "--only", "montgomery-columns"];
    let place = Place::new().without_compiler().with("EVARISTE_WITHOUT", Some("avx2"));
    let table = place.path("nothing.toml");
    let text = "name = \"nothing\"\narchitecture = \"x86-64\"\nprocessor = \"none\"\nsource = \"this test\"\nresources = [\"r\"]\n\
         [costs]\n\"pause\" = { cycles = 40.0, uses = { \"r\" = 40.0 } }\n";
    std::fs::write(&table, text).expect("written");
    let place = place.with("EVARISTE_CORE", table.to_str());
    let run = ended(place.run(&tune), "without costs");
    if run.code == Some(1) {
        evariste_testing::lacks_feature("vectors of 128 bits", "SSE2");
        return;
    }
    assert!(run.out.contains("ns, no bound: the costs in use say nothing of this code\n"), "{}", run.out);
    assert!(!run.out.contains("bound 0"), "{}", run.out);
    let bounds = |place: &Place| -> Vec<Option<f64>> {
        let json = ended(place.run(&[&tune[..], &["--json"]].concat()), "without avx2").json();
        let rows = json["candidates"].as_array().cloned().unwrap_or_default();
        let measured = rows.iter().filter(|row| row["code"] == "sse2" && row["throughput_cycles"].is_f64());
        measured.map(|row| row["bound_cycles"].as_f64()).collect()
    };
    let without = bounds(&place);
    assert!(!without.is_empty() && without.iter().all(Option::is_none), "{without:?}");
    for core in ["golden-cove", "zen-5"] {
        let known = bounds(
            &Place::new().without_compiler().with("EVARISTE_WITHOUT", Some("avx2")).with("EVARISTE_CORE", Some(core)),
        );
        assert!(known.len() == without.len() && known.iter().all(|b| *b > Some(0.0)), "{core}: {known:?}");
    }
}

#[test]
fn code_for_lesser_processors_is_measured_by_request() {
    let tune = ["tune", "mersenne61", "--quick", "--no-cache", "--only", "comba+fold", "--json", "--code"];
    for sets in ["baseline", "bmi2", "bmi2+adx"] {
        let code = format!("x86-64:{sets}");
        let run = ended(Place::new().run(&[&tune[..], &[&code]].concat()), sets);
        if run.err.contains("this processor has not") || run.err.contains("machine code") {
            evariste_testing::lacks_feature("machine code of fewer instruction sets", sets);
            continue;
        }
        let line = format!("machine code: {sets}");
        let json = run.ended(0).json();
        assert!(json["target"].as_str().is_some_and(|target| target.ends_with(&line)), "{json}");
        assert!(json["candidates"].as_array().is_some_and(|rows| rows.iter().all(|row| row["code"] == "x86-64")));
    }
    // More than there is: no code of another kind takes its place.
    let place = Place::new().with("EVARISTE_WITHOUT", Some("bmi2"));
    let run = ended(place.run(&[&tune[..], &["x86-64:bmi2"]].concat()), "bmi2");
    assert!(run.code == Some(1) && run.err.contains("has not all of bmi2"), "{run:#?}");
}
