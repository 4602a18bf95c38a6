//! Ctrl-C while `tune` works: a real process and a real signal.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::common::{Place, documented};

/// A field with some hundred candidates, each made in a moment.
const FIELD: &str = "babybear";

/// Where nothing can be measured there is nothing to interrupt.
fn measures() -> bool {
    let can =
        evariste::builder::BACKENDS.iter().any(|e| e.kind == evariste::builder::Kind::Scalar && (e.find)(None).is_ok());
    if !can {
        evariste_testing::lacks_feature("what interrupts a measurement", "x86-64");
    }
    can
}

/// `tune` with its own folder for temporary files, its two outputs piped.
fn started(place: &Place, more: &[&str]) -> Child {
    std::fs::create_dir_all(place.path("tmp")).expect("a folder");
    let mut command = place.command(&[&["tune", FIELD, "--keep"], more].concat());
    command.env("TMPDIR", place.path("tmp")).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the command starts")
}

/// Reads standard error until a line begins so; gives what was read.
fn until(lines: &mut impl Iterator<Item = std::io::Result<String>>, start: &str) -> Vec<String> {
    let mut read = Vec::new();
    for line in lines.by_ref().map_while(Result::ok) {
        read.push(line);
        if read.last().is_some_and(|line| line.starts_with(start)) {
            return read;
        }
    }
    panic!("no line begins with {start}: {read:#?}")
}

fn interrupt(child: &Child) {
    kill_process(Pid::from_child(child), Signal::INT).expect("a signal");
}

/// The folders that are left in the folder for temporary files.
fn left(place: &Place) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(place.path("tmp")).expect("a folder").flatten().map(|e| e.path());
    entries.filter(|path| path.is_dir()).collect()
}

#[test]
fn what_is_measured_is_shown_and_what_is_whole_is_remembered() {
    if !measures() {
        return;
    }
    let place = Place::new();
    let mut child = started(&place, &["--json"]);
    let mut lines = BufReader::new(child.stderr.take().expect("piped")).lines();
    let told = until(&mut lines, "measuring ");
    // How long it will take is said before, and then a line every few seconds.
    assert!(told[0].starts_with("note: babybear: ") && told[0].contains("; about "), "{told:#?}");
    interrupt(&child);
    let since = Instant::now();
    let mut out = String::new();
    child.stdout.take().expect("piped").read_to_string(&mut out).expect("text");
    let status = child.wait().expect("an end");
    let rest: Vec<String> = lines.map_while(Result::ok).collect();
    assert_eq!(status.code(), Some(130), "{rest:#?}\n{out}");
    assert!(since.elapsed() < Duration::from_secs(20), "{:?}", since.elapsed());
    assert_eq!(left(&place), Vec::<std::path::PathBuf>::new());

    let answer: Value = serde_json::from_str(&out).expect("JSON");
    documented(&answer);
    assert_eq!(answer["error"]["kind"], "interrupted", "{out}");
    // A signal before the first round leaves nothing to rank.
    let Some(whole) = answer["stopped"]["whole"].as_array() else {
        assert!(place.cached().is_empty());
        return;
    };
    assert!(answer["stopped"]["measured"].as_u64() < answer["stopped"]["of"].as_u64() || whole.len() < 4, "{whole:?}");
    let candidates = answer["candidates"].as_array().expect("candidates");
    assert!(candidates.iter().any(|c| !c["throughput_ns"].is_null()));
    assert!(candidates.iter().all(|c| !c["throughput_ns"].is_null() || !c["note"].is_null()), "only what is measured");
    assert_eq!(place.cached().is_empty(), whole.is_empty(), "{whole:?}");
    if let Some(file) = place.cached().first() {
        let kept: Value = serde_json::from_slice(&std::fs::read(file).expect("a file")).expect("JSON");
        let kept = kept["candidates"].as_array().expect("candidates");
        assert!(kept.iter().all(|c| whole.contains(&c["operation"])), "{whole:?}");
        assert!(place.run(&["rankings"]).ok().contains("babybear (partial)"));
    }
    // What is remembered of a part is of use, and harms nothing.
    assert_eq!(place.run(&["eval", FIELD, "add", "3", "5", "--json"]).ended(0).json()["kernel"], "8");
    assert_eq!(place.run(&["eval", FIELD, "mul", "3", "5", "--json"]).ended(0).json()["kernel"], "15");
}

#[test]
fn before_anything_is_measured_nothing_is_left() {
    let place = Place::new();
    // A field that takes long to prove.
    let mut child = {
        std::fs::create_dir_all(place.path("tmp")).expect("a folder");
        let mut command = place.command(&["tune", "bls12-381-fp"]);
        command.env("TMPDIR", place.path("tmp")).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("the command starts")
    };
    let mut lines = BufReader::new(child.stderr.take().expect("piped")).lines();
    until(&mut lines, "note: bls12-381-fp: ");
    interrupt(&child);
    let status = child.wait().expect("an end");
    let rest: Vec<String> = lines.map_while(Result::ok).collect();
    assert_eq!(status.code(), Some(130), "{rest:#?}");
    assert!(rest.iter().any(|line| line == "error: stopped while proving: nothing was measured"), "{rest:#?}");
    assert!(place.cached().is_empty() && left(&place).is_empty());
}

#[test]
fn a_search_keeps_what_it_confirmed() {
    if !measures() {
        return;
    }
    let place = Place::new();
    let mut child = started(&place, &["--quick", "--search", "20", "--json"]);
    let mut lines = BufReader::new(child.stderr.take().expect("piped")).lines();
    until(&mut lines, "note: searching for schedules: ");
    // The line that comes every few seconds says what the best so far takes.
    let told = until(&mut lines, "searching ");
    assert!(told.iter().any(|line| line.ends_with(" % of the heuristic's time")), "{told:#?}");
    interrupt(&child);
    let since = Instant::now();
    let mut out = String::new();
    child.stdout.take().expect("piped").read_to_string(&mut out).expect("text");
    let status = child.wait().expect("an end");
    assert_eq!(status.code(), Some(130), "{out}");
    // The first search alone would have taken until then, and there are several.
    assert!(since.elapsed() < Duration::from_secs(60), "{:?}", since.elapsed());
    assert_eq!(left(&place), Vec::<std::path::PathBuf>::new());
    let answer: Value = serde_json::from_str(&out).expect("JSON");
    documented(&answer);
    assert_eq!(answer["error"]["kind"], "interrupted", "{out}");
    // Every row was measured before, so the ranking is whole, and is kept.
    assert!(answer["stopped"].is_null() && answer["winner"].is_string());
    let searches = answer["searches"].as_array().expect("searches");
    assert!((1..8).contains(&searches.len()), "{searches:?}");
    for search in searches {
        let found = |c: &Value| {
            ["operation", "plan"].iter().all(|k| c[*k] == search[*k])
                && c["searched"] == search["goal"]
                && !c["throughput_ns"].is_null()
        };
        let rows = answer["candidates"].as_array().expect("candidates");
        assert_eq!(rows.iter().any(found), search["better"] == true, "{search}");
    }
    assert!(!place.cached().is_empty());
}

#[test]
fn the_second_signal_ends_it_at_once() {
    if !measures() {
        return;
    }
    let place = Place::new();
    let mut child = started(&place, &[]);
    let mut lines = BufReader::new(child.stderr.take().expect("piped")).lines();
    until(&mut lines, "note: babybear: ");
    interrupt(&child);
    // Two signals that come together are one; between these the first is seen.
    std::thread::sleep(Duration::from_millis(20));
    interrupt(&child);
    let status = child.wait().expect("an end");
    assert_eq!(status.code(), Some(130));
    assert!(place.cached().is_empty());
}
