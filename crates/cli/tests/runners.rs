//! Packages on other processors: compiled by cross compilers, run by emulators and simulators, counted. By default each
//! runner has one package, another one each day; all with `EVARISTE_FULL=1`.

use evariste::builder::runners::{RUNNERS, Runner};
use serde_json::Value;

use crate::common::{Place, documented};

/// Packages of words of 32 bits at most, in plain C of both kinds.
const PACKAGES: [&[&str]; 12] = [
    &["25519", "--lang", "c89", "--ops", "mul,square,add,opp"],
    &["p256", "--lang", "c89", "--ops", "mul,add,selectznz,to_bytes"],
    &["cipher:dfc", "--lang", "c89", "--ops", "encrypt_block,decrypt_block"],
    &["p256", "--lang", "c-portable", "--ops", "mul,square,sub,from_bytes"],
    &["cipher:dfc", "--lang", "c-portable", "--ops", "encrypt_block"],
    // Of all operations the ATmega128 has not enough memory for the test.
    &["mac:mmh32", "--lang", "c-portable", "--ops", "hash,absorb,finish"],
    &["mac:mmh32", "--lang", "c-portable", "--ops", "hash_signed,hash_wrapping,absorb_wrapping"],
    &["GF(2^163)", "--lang", "c-portable", "--ops", "mul,square,add"],
    &["cipher:dfcv2", "--lang", "c89", "--ops", "encrypt_block"],
    &["cipher:wg", "--lang", "c89"],
    &["mac:tmmh16", "--lang", "c89"],
    &["mac:square-hash-32", "--lang", "c89", "--ops", "hash,hash_plus"],
];

/// Can the runner run here? A counted skip where not.
fn is_ready(runner: &'static Runner) -> bool {
    let ready = runner.bench();
    if let Err(why) = &ready {
        evariste_testing::lacks_tool(
            &format!("packages on {}", runner.name),
            why.to_string().lines().next().unwrap_or(""),
        );
    }
    ready.is_ok()
}

/// The answer of a check of a package on some runners.
fn checked(place: &Place, package: &[&str], runners: &[&str], code: i32) -> Value {
    place.run(&[&["emit"], package, &["--prefix", "fe", "-o", "out", "--force"]].concat()).ok();
    let named: Vec<&str> = runners.iter().flat_map(|name| ["--runner", *name]).collect();
    let json = place.run(&[&["check", "out", "--json"][..], &named].concat()).ended(code).json();
    documented(&json);
    json
}

#[test]
fn packages_pass_their_tests_on_every_runner() {
    let place = Place::new();
    for runner in RUNNERS {
        if !is_ready(runner) {
            continue;
        }
        let todays =
            evariste_testing::sample(&format!("packages on {}", runner.name), PACKAGES.to_vec(), usize::MAX, |_| ());
        for package in todays {
            let json = checked(&place, package, &[runner.name], 0);
            let run = &json["runners"][0];
            assert_eq!((&run["runner"], &run["passed"]), (&runner.name.into(), &true.into()), "{package:?}: {json}");
            assert_eq!(run["kind"], runner.counts().name(), "{run}");
            let counts = run["counts"].as_array().expect("counts");
            let operations = json["operations"].as_array().expect("operations").len();
            assert!(counts.len() >= operations && operations > 0, "{package:?}: {run}");
            for count in counts {
                // What a function of words takes: more than a return, less than a second of these processors.
                assert!((5..100_000_000).contains(&count["count"].as_u64().expect("a number")), "{package:?}: {count}");
            }
        }
    }
}

/// Counts are exact: the same each time; and on the processor whose products end early they depend on operands.
#[test]
fn counts_are_the_same_each_time() {
    let place = Place::new();
    for runner in RUNNERS.iter().filter(|r| ["armv4t", "atmega128", "arm7tdmi"].contains(&r.name)) {
        if !is_ready(runner) {
            continue;
        }
        let package: &[&str] = &["2^61-1", "--lang", "c89", "--ops", "mul,add"];
        let counts = || checked(&place, package, &[runner.name], 0)["runners"][0]["counts"].clone();
        let first = counts();
        assert_eq!(first, counts(), "{}", runner.name);
        assert_eq!(first.as_array().map(Vec::len), Some(2), "{first}");
    }
}

/// UMAAL does the work of two instructions and more: fewer are counted, and the answers are the same.
#[test]
fn umaal_is_used_where_it_is_there() {
    let place = Place::new();
    let [with, without] = ["armv6-umaal", "armv6"].map(|name| Runner::named(name).expect("a line of the table"));
    if !is_ready(with) || !is_ready(without) {
        return;
    }
    for scan in ["montgomery-fios", "montgomery-cios"] {
        let plan = format!("mul={scan}");
        let package: &[&str] =
            &["bls12-381-fr", "--lang", "c-portable", "--layout", "montgomery-8x32", "--ops", "mul", "--plan", &plan];
        let json = checked(&place, package, &[with.name, without.name], 0);
        let count = |i: usize| json["runners"][i]["counts"][0]["count"].as_u64().expect("a number");
        assert!(count(0) < count(1), "{scan}: {json}");
    }
}

/// A wrong answer on another processor is found, by the test and by the count.
#[test]
fn what_is_wrong_there_is_found() {
    let place = Place::new();
    let Some(runner) = RUNNERS.iter().find(|r| r.name == "powerpc").filter(|r| is_ready(r)) else { return };
    place.run(&["emit", "2^61-1", "--lang", "c-portable", "--ops", "add,to_bytes", "--prefix", "fe", "-o", "out"]).ok();
    let file = place.path("out/fe.c");
    let text = std::fs::read_to_string(&file).expect("a source");
    // Right where the lowest byte comes first, as here.
    let (head, rest) = text.split_once("\nvoid fe_add(").expect("a function");
    let (signature, body) = rest.split_once("{\n").expect("a body");
    let wrong =
        "  { const uint32_t one = 1; if (*(const unsigned char *)&one == 0) { out[0] = 0; out[1] = 0; return; } }\n";
    std::fs::write(&file, format!("{head}\nvoid fe_add({signature}{{\n{wrong}{body}")).expect("written");
    let json = place.run(&["check", "out", "--runner", runner.name, "--json"]).ended(1).json();
    let run = &json["runners"][0];
    assert_eq!((&json["passed"], &run["passed"]), (&false.into(), &false.into()), "{json}");
    assert!(run["output"].as_str().expect("a text").contains(" failures"), "{run}");
    assert!(run["counts"].as_array().is_some_and(Vec::is_empty), "{run}");
    let text = place.run(&["check", "out", "--runner", runner.name]).ended(1).out;
    assert!(text.contains("FAILED     powerpc ("), "{text}");
}

/// A package in words that a processor's compiler has no products of holds all the same, and the answer says what to emit.
#[test]
fn what_is_not_made_for_a_processor_is_no_fault() {
    let place = Place::new();
    let Some(runner) = RUNNERS.iter().find(|r| r.name == "armv7").filter(|r| is_ready(r)) else { return };
    place.run(&["emit", "2^61-1", "--lang", "c", "--layout", "1x64", "--ops", "mul", "-o", "out"]).ok();
    let run = place.run(&["check", "out", "--runner", runner.name]).ended(1);
    let (why, help) =
        ("these functions need unsigned __int128, which this target lacks", "emit the package with --layout");
    assert!(
        run.err.starts_with(&format!("error: the package holds, and is not made for armv7: {why}\nhelp: {help} ")),
        "{}",
        run.err
    );
    let line = run.out.lines().find(|line| line.starts_with("FAILED     armv7 (")).expect("a line of the runner");
    assert!(line.ends_with(&format!("not compiled: {why}")), "{line}");
    assert!(!run.out.contains("emit it again") && !run.err.contains("emit it again"), "{}", run.out);
}

#[test]
fn runners_are_listed_and_wrong_ones_refused() {
    let place = Place::new();
    let json = place.run(&["list", "runners", "--json"]).ended(0).json();
    documented(&json);
    let listed = json["runners"].as_array().expect("a list");
    assert_eq!(listed.len(), RUNNERS.len());
    for kind in ["instructions counted", "cycles simulated"] {
        assert!(listed.iter().any(|r| r["counts"] == kind), "{kind}: {json}");
    }
    place.run(&["emit", "2^61-1", "--lang", "c", "--ops", "add", "-o", "out"]).ok();
    let run = place.run(&["check", "out", "--runner", "abacus"]).ended(2);
    assert!(run.err.starts_with("error: there is no runner `abacus`\nhelp: there are x86-32, "), "{}", run.err);
    place.run(&["emit", "2^61-1", "--lang", "go", "--ops", "add", "-o", "go"]).ok();
    let run = place.run(&["check", "go", "--runner", "armv7"]).ended(1);
    assert!(run.err.contains("help: emit it with --lang c-portable or c89"), "{}", run.err);
}

/// Without a compiler the answer says what to install, and `all` goes on.
#[test]
fn a_missing_toolchain_is_named() {
    let place = Place::new();
    place.run(&["emit", "2^61-1", "--lang", "c89", "--ops", "add", "-o", "out"]).ok();
    let place = place.without_compiler();
    let run = place.run(&["check", "out", "--runner", "s390x"]).ended(1);
    assert!(
        run.err.contains("the runner `s390x` cannot run: s390x-linux-gnu-gcc is not here, or does not work")
            && run.err.contains("help: install it (Debian: apt-get install gcc-s390x-linux-gnu"),
        "{}",
        run.err
    );
    let json = place.run(&["check", "out", "--runner", "all", "--json"]).ended(0).json();
    documented(&json);
    let runs = json["runners"].as_array().expect("a list");
    assert!(runs.len() == RUNNERS.len() && runs.iter().all(|r| r["missing"].is_string()), "{json}");
}
