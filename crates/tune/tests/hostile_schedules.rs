//! Files of schedules that somebody damaged, made up or put links into: a line is ignored with a sentence or it is a
//! schedule; a schedule gives a checked program that computes what its kernel says, or none; nothing but the file itself
//! is written.

use std::path::Path;

use evariste_backend::assemble;
use evariste_backend::features;
use evariste_backend::{Made, Refusal};
use evariste_codegen::x86_64::X86_64;
use evariste_proof::Proved;
use evariste_testing::{Random, seed};
use evariste_tune::measure::call;
use evariste_tune::operands::{arrays, operand_values};
use evariste_tune::{FoundSchedule, Goal, Schedules, TuneError};

use crate::schedules::schedule;

/// Damaged texts that are read.
const TEXTS: usize = 20_000;
/// Damaged schedules of which programs are made.
const PROGRAMS: usize = 400;

/// Pieces that a reader may stumble on.
const PIECES: &[&str] = &[
    "",
    " ",
    "|",
    "||",
    ";",
    ";;",
    "\n",
    "\r\n",
    "\0",
    "#",
    "-1",
    "0",
    "1",
    "63",
    "64",
    "65535",
    "65536",
    "4294967296",
    "18446744073709551615",
    "18446744073709551616",
    "99999999999999999999999999",
    "1e308",
    "1e999",
    "NaN",
    "inf",
    "+7",
    "0x10",
    "ffffffffffffffff",
    "10000000000000000",
    "latency",
    "throughput",
    "\u{feff}",
    "\u{202e}",
    "é",
    "../../x",
];

/// One to four changes: characters cut out, doubled, moved or replaced, or a piece put in.
fn damaged(text: &str, random: &mut Random) -> String {
    let mut all: Vec<char> = text.chars().collect();
    for _ in 0..1 + random.below(4) {
        let at = random.index(all.len().max(1)).min(all.len());
        let end = (at + random.index(24)).min(all.len());
        match random.below(4) {
            0 => drop(all.drain(at..end)),
            1 => {
                let part: Vec<char> = all[at..end].to_vec();
                all.splice(at..at, part);
            }
            2 => drop(all.splice(at..end, random.pick(PIECES).chars())),
            _ => drop(all.splice(at..at, random.pick(PIECES).chars())),
        }
    }
    all.into_iter().collect()
}

#[test]
fn whatever_a_file_holds_a_line_is_a_schedule_or_a_sentence() {
    let text = format!("{}\n{}\n", schedule(Goal::Latency).0, schedule(Goal::Throughput).0);
    let mut random = Random(seed());
    let (mut read, mut refused) = (0, 0);
    for _ in 0..TEXTS {
        let text = damaged(&text, &mut random);
        let (schedules, ignored) = Schedules::parse(&text);
        let lines = text.lines().filter(|l| !l.trim().is_empty() && !l.starts_with('#')).count();
        assert_eq!(schedules.all.len() + ignored.len(), lines, "{text:?}");
        assert!(ignored.iter().all(|why| why.starts_with("line ") && why.len() < 300), "{ignored:?}");
        // What is read is written such that it is read again.
        for s in &schedules.all {
            assert!(s.cycles.is_finite() && s.heuristic_cycles.is_finite(), "{text:?}");
            let (again, none) = Schedules::parse(&s.to_string());
            assert!(
                none.is_empty() && again.all[0].schedule == s.schedule && again.all[0].fingerprint == s.fingerprint
            );
        }
        read += schedules.all.len();
        refused += ignored.len();
    }
    assert!(read > TEXTS / 4 && refused > TEXTS / 4, "{read} {refused}");
    // Cut anywhere, a line is no shorter schedule of the same kernel.
    let (whole, _) = schedule(Goal::Latency);
    let line = whole.to_string();
    for end in (1..line.len()).filter(|end| line.is_char_boundary(*end)) {
        for cut in Schedules::parse(&line[..end]).0.all {
            assert!(cut.schedule != whole.schedule || line[end..].trim().is_empty(), "{end}");
        }
    }
}

/// Does the code compute what the code of the heuristic's schedule does?
fn same(proved: &Proved, one: &Made, other: &Made) -> bool {
    let kernel = proved.kernel();
    operand_values(kernel, 24, 3).iter().all(|values| {
        let Some(inputs) = arrays(kernel, &kernel.contract.inputs, values) else { return true };
        call(kernel, one, &inputs).expect("a call") == call(kernel, other, &inputs).expect("a call")
    })
}

#[test]
fn damaged_schedules_compute_what_the_kernel_says_or_nothing() {
    let Ok(features) = features::<X86_64>() else {
        evariste_testing::lacks_feature("what needs machine code", "x86-64");
        return;
    };
    let (good, proved) = schedule(Goal::Throughput);
    let heuristic = assemble::<X86_64>(&proved, features, None).expect("a program");
    let mut random = Random(seed());
    let (mut made, mut refused) = (0, 0);
    while made + refused < PROGRAMS {
        let schedule = damaged(&good.schedule.to_string(), &mut random);
        let Ok(schedule) = schedule.parse() else { continue };
        // Whoever writes the line can write the right fingerprint too: the program alone is judged.
        match assemble::<X86_64>(&proved, features, Some(&schedule)) {
            Ok(compiled) => {
                assert!(same(&proved, &compiled, &heuristic), "{schedule}");
                made += 1;
            }
            Err(Refusal::Code(_)) => refused += 1,
            Err(other) => panic!("{other}"),
        }
    }
    assert!(made > 0 && refused > 0, "{made} made, {refused} refused");
}

#[test]
fn another_kernel_s_fingerprint_finds_nothing() {
    let (good, proved) = schedule(Goal::Throughput);
    for fingerprint in [0, 1, u64::MAX, good.fingerprint ^ 1, good.fingerprint.swap_bytes()] {
        let all = Schedules { all: vec![FoundSchedule { fingerprint, ..good.clone() }] };
        assert!(all.of("mersenne61", "mul", &good.plan, proved.kernel(), &good.sets).is_empty());
    }
}

#[test]
fn a_file_of_somebody_else_is_not_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("notes.txt");
    let new = [schedule(Goal::Latency).0];
    for text in ["Dear diary,\ntoday\n", "a | b | c | d | e | f | g | h | i\n", "\u{feff}# Schedules of machine code\n"]
    {
        std::fs::write(&path, text).expect("written");
        for result in [Schedules::load(&path).map(|_| 0), Schedules::add_to(&path, &new)] {
            let error = result.expect_err(text).to_string();
            assert!(
                error.contains("notes.txt cannot be read: it is not a file of schedules: line 1 is ignored: "),
                "{error}"
            );
        }
        assert_eq!(std::fs::read_to_string(&path).expect("it stayed"), text);
    }
    // A damaged file of our own is repaired, and an empty one filled.
    for text in ["", "# Schedules of machine code, damaged\nx | y\n"] {
        std::fs::write(&path, text).expect("written");
        assert_eq!(Schedules::add_to(&path, &new).expect("written"), 1);
        assert_eq!(Schedules::load(&path).expect("a file").1, Vec::<String>::new());
    }
    std::fs::write(&path, b"\xff\xfe|").expect("written");
    assert!(matches!(Schedules::add_to(&path, &new), Err(TuneError::SchedulesUnreadable { .. })));
}

#[cfg(unix)]
#[test]
fn links_and_devices_are_not_followed_to_harm() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("schedules.txt");
    let new = [schedule(Goal::Latency).0];
    for device in [Path::new("/dev/zero"), Path::new("/dev/null"), folder.path()] {
        symlink(device, &path).expect("a link");
        let error = Schedules::add_to(&path, &new).expect_err("no file").to_string();
        assert!(error.contains("it is not a plain file"), "{error}");
        std::fs::remove_file(&path).expect("removed");
    }
    // A link to a file: what it leads to stays, the link gives way to a file.
    let elsewhere = folder.path().join("elsewhere");
    std::fs::write(&elsewhere, format!("{}\n", schedule(Goal::Throughput).0)).expect("written");
    let before = std::fs::read(&elsewhere).expect("a file");
    symlink(&elsewhere, &path).expect("a link");
    assert_eq!(Schedules::add_to(&path, &new).expect("written"), 1);
    assert_eq!(std::fs::read(&elsewhere).expect("a file"), before);
    assert!(!path.symlink_metadata().expect("a file").is_symlink());
    assert_eq!(Schedules::load(&path).expect("a file").0.all.len(), 2);
    // One that leads nowhere is no file yet, and what it names is not made.
    std::fs::remove_file(&path).and_then(|()| symlink(folder.path().join("nowhere"), &path)).expect("a link");
    assert_eq!(Schedules::add_to(&path, &new).expect("written"), 1);
    assert!(!folder.path().join("nowhere").exists());
    assert_eq!(std::fs::read_dir(folder.path()).expect("listed").count(), 2);
}

#[test]
fn writers_at_the_same_time_lose_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("schedules.txt");
    let (good, _) = schedule(Goal::Latency);
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let (path, good) = (&path, &good);
            scope.spawn(move || {
                for i in 0..8 {
                    let one = FoundSchedule { field: format!("field-{writer}-{i}"), ..good.clone() };
                    assert_eq!(Schedules::add_to(path, &[one]).expect("written"), 1);
                    // Whoever reads meanwhile sees a whole file.
                    assert!(Schedules::load(path).expect("a file").1.is_empty());
                }
            });
        }
    });
    assert_eq!(Schedules::load(&path).expect("a file").0.all.len(), 32);
    assert_eq!(std::fs::read_dir(folder.path()).expect("listed").count(), 1);
}
