//! The reader of remembered rankings on whatever a file may hold: it never panics, what it accepts it can write, and a
//! file that it refuses stays.
//!
//! The fuzz run is bounded and its stream fixed: a failure names its seed. Inputs that once failed are kept in
//! `tests/corpus/`.

use std::path::Path;

use evariste_tune::cache::{file, load, parse, store};
use evariste_tune::operands::Stream;
use evariste_tune::{Ranking, TuneError};

const FIELD: &str = "2^255 - 19";
const VALID: &[u8] = include_bytes!("corpus/ranking.json");

/// Mutants that are read.
const RUNS: u64 = 20_000;

/// Pieces that a parser may stumble on.
const PIECES: &[&str] = &[
    "",
    "null",
    "true",
    "-1",
    "0",
    "1",
    "2",
    "1e999",
    "-1e999",
    "1e-400",
    "-0.0",
    "18446744073709551616",
    "4294967296",
    "NaN",
    "\"\"",
    "[]",
    "{}",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "\"",
    "\\",
    "\\u0000",
    "\\ud800",
    "\u{feff}",
    "\0",
    "\"version\": 1,",
    "\"version\": 2,",
    "\"winner\": null",
    "2^255 - 19",
    "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
];

/// One to four changes: bytes flipped, cut out, doubled, moved, or a piece put in.
fn mutant(stream: &mut Stream) -> Vec<u8> {
    let mut text = VALID.to_vec();
    for _ in 0..1 + stream.word() % 4 {
        let mut below = |n: usize| (stream.word() % n.max(1) as u64) as usize;
        let (at, kind) = (below(text.len()), below(7));
        let to = (at + 1 + below(40)).min(text.len());
        match kind {
            0 if !text.is_empty() => text[at] ^= 1 << below(8),
            1 if !text.is_empty() => text[at] = below(256) as u8,
            2 => drop(text.drain(at.min(to)..to)),
            3 => {
                let piece = text[at.min(to)..to].to_vec();
                let place = below(text.len() + 1);
                text.splice(place..place, piece);
            }
            4 => text.truncate(at),
            // A digit becomes another one.
            5 => {
                if let Some(i) = (at..text.len()).find(|i| text[*i].is_ascii_digit()) {
                    text[i] = b'0' + below(10) as u8;
                }
            }
            _ => {
                let piece = PIECES[below(PIECES.len())].bytes();
                text.splice(at.min(to)..to, piece);
            }
        }
    }
    text
}

/// What the rest of the program relies on in a ranking that was read.
fn sound(ranking: &Ranking) -> Result<(), String> {
    let text = serde_json::to_vec(ranking).map_err(|e| format!("it cannot be written: {e}"))?;
    let again = parse(&text, FIELD).map_err(|e| format!("what is written cannot be read: {e}"))?;
    if again != *ranking {
        return Err("what is written reads differently".into());
    }
    let times = ranking.candidates.iter().flat_map(|c| {
        [c.latency_ns, c.throughput_ns, c.latency_cycles, c.throughput_cycles, Some(c.bound_cycles), Some(c.proof_ms)]
    });
    if times.flatten().any(|t| !t.is_finite() || t < 0.0) {
        return Err("a time is no time".into());
    }
    Ok(())
}

#[test]
fn the_valid_ranking_is_read_whole() {
    let ranking = parse(VALID, FIELD).expect("it is valid");
    assert_eq!(
        (ranking.candidates.len(), ranking.layouts.len(), ranking.winner.as_deref()),
        (2, 2, Some("fold-unsaturated/5x51"))
    );
    assert_eq!(ranking.candidates[0].throughput_ns, Some(10.5));
    assert_eq!(ranking.candidates[1].note.as_deref(), Some("not compiled: \"quoted\"\né"));
    sound(&ranking).expect("sound");
}

#[test]
fn mutants_are_refused_or_sound() {
    let (mut accepted, mut refused) = (0, 0);
    for seed in 0..RUNS {
        let text = mutant(&mut Stream::new(seed));
        match std::panic::catch_unwind(|| parse(&text, FIELD)) {
            Err(_) => panic!("seed {seed}: the reader panicked on {}", String::from_utf8_lossy(&text)),
            Ok(Err(why)) => {
                assert!(!why.is_empty() && why.len() < 4096, "seed {seed}: an error of {} bytes", why.len());
                refused += 1;
            }
            Ok(Ok(ranking)) => {
                sound(&ranking).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{}", String::from_utf8_lossy(&text)));
                accepted += 1;
            }
        }
    }
    println!("{accepted} accepted, {refused} refused");
    assert!(
        accepted > RUNS / 50 && refused > RUNS / 4,
        "{accepted} accepted, {refused} refused: the mutations are too weak or too strong"
    );
}

#[test]
fn every_prefix_is_refused() {
    let end = VALID.iter().rposition(|b| *b == b'}').expect("an object");
    for n in 0..=end {
        assert!(parse(&VALID[..n], FIELD).is_err(), "the first {n} bytes");
    }
    assert!(parse(&VALID[..=end], FIELD).is_ok());
}

#[test]
fn nesting_does_not_exhaust_the_stack() {
    for opening in ["[", "{\"a\":", "[{\"layouts\":"] {
        assert!(parse(opening.repeat(1 << 20).as_bytes(), FIELD).is_err());
    }
}

/// The valid text with one piece replaced.
fn with(from: &str, to: &str) -> Vec<u8> {
    let text = std::str::from_utf8(VALID).expect("UTF-8");
    assert!(text.contains(from), "{from}");
    text.replacen(from, to, 1).into_bytes()
}

#[test]
fn the_reason_of_a_refusal_is_said() {
    let reason = |text: &[u8], field: &str| parse(text, field).expect_err("refused");
    for version in ["0", "1", "4294967295"] {
        assert_eq!(
            reason(&with("\"version\": 2", &format!("\"version\": {version}")), FIELD),
            format!("version {version} where 2 is read")
        );
    }
    assert_eq!(reason(VALID, "2^127 - 1"), "it is about `2^255 - 19`, not `2^127 - 1`");
    for time in ["-1", "-1e300"] {
        assert_eq!(
            reason(&with("\"throughput_ns\": 10.5", &format!("\"throughput_ns\": {time}")), FIELD),
            "a number of `fold-unsaturated/5x51` is not a time"
        );
    }
    assert!(
        reason(&with("\"throughput_ns\": 10.5", "\"throughput_ns\": 1e999"), FIELD).contains("number out of range")
    );
    assert!(reason(&with("\"multiplications\": 25", "\"multiplications\": -25"), FIELD).contains("invalid value"));
    assert!(reason(&with("\"mix\"", "\"max\""), FIELD).contains("missing field `mix`"));
    assert!(reason(b"", FIELD).contains("EOF"));
}

#[test]
fn a_corrupt_file_is_an_error_and_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = file(folder.path(), "machine", FIELD);
    assert!(matches!(load(&path, FIELD), Ok(None)), "nothing is remembered yet");
    #[cfg(unix)]
    {
        // A file without an end.
        std::os::unix::fs::symlink("/dev/zero", &path).expect("a link");
        assert!(load(&path, FIELD).is_err_and(|e| e.to_string().contains("it is not a plain file")));
        std::fs::remove_file(&path).expect("removed");
    }
    for content in [&b"{"[..], b"", b"\xff\xfe", &with("\"version\": 2", "\"version\": 9")] {
        std::fs::write(&path, content).expect("written");
        match load(&path, FIELD) {
            Err(e @ TuneError::CacheCorrupt { .. }) => {
                assert!(e.to_string().contains(&path.display().to_string()) && e.to_string().contains("help:"), "{e}")
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(std::fs::read(&path).expect("it stayed"), content);
    }
    // One byte more than is read at all.
    std::fs::File::create(&path).and_then(|f| f.set_len((16 << 20) + 1)).expect("a long file");
    assert!(matches!(load(&path, FIELD), Err(TuneError::CacheCorrupt { why, .. }) if why.contains("too long")));
    // A folder where the file should be.
    std::fs::remove_file(&path).and_then(|()| std::fs::create_dir(&path)).expect("a folder");
    assert!(matches!(load(&path, FIELD), Err(TuneError::CacheCorrupt { .. })));
    assert!(path.is_dir());
}

#[test]
fn what_is_stored_is_loaded() {
    let folder = tempfile::tempdir().expect("a folder");
    let ranking = parse(VALID, FIELD).expect("it is valid");
    let path = file(&folder.path().join("new/folder"), "machine", FIELD);
    store(&path, &ranking).expect("stored");
    assert_eq!(load(&path, FIELD).expect("loaded"), Some(ranking.clone()));
    // Beside the file nothing is left, and a second time replaces it.
    store(&path, &ranking).expect("stored again");
    assert_eq!(std::fs::read_dir(path.parent().expect("a folder")).expect("listed").count(), 1);
    assert!(matches!(load(&path, "p256"), Err(TuneError::CacheCorrupt { .. })));
    assert!(matches!(store(Path::new("/dev/null/ranking.json"), &ranking), Err(TuneError::CacheWrite { .. })));
}

const WRITER: &str = "EVARISTE_RANKINGS_OF";

/// A ranking of one size or another: a mixture of two would not be read.
fn of_size(rows: usize) -> Ranking {
    let mut ranking = parse(VALID, FIELD).expect("it is valid");
    let row = ranking.candidates[0].clone();
    ranking.candidates = vec![row; rows];
    ranking
}

/// What the killed process does: it remembers one ranking after the other. As a test of its own it does nothing.
#[test]
fn writer() {
    let Ok(path) = std::env::var(WRITER) else { return };
    loop {
        [40, 400].iter().for_each(|rows| store(Path::new(&path), &of_size(*rows)).expect("stored"));
    }
}

#[test]
fn two_writers_who_are_killed_leave_a_whole_ranking() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = file(folder.path(), "machine", FIELD);
    let start = || {
        let mut command = std::process::Command::new(std::env::current_exe().expect("this program"));
        command.args(["--exact", "cache::writer", "--test-threads=1"]).env(WRITER, &path);
        command.stdout(std::process::Stdio::null()).spawn().expect("it starts")
    };
    let rounds = if evariste_testing::full() { 500 } else { 25 };
    let mut stream = Stream::new(evariste_testing::seed());
    for round in 0..rounds {
        store(&path, &of_size(3)).expect("stored");
        let mut writers = [start(), start()];
        let begun = std::time::Instant::now();
        let whole = || load(&path, FIELD).expect("it is read").expect("it is there").candidates.len();
        while whole() == 3 {
            assert!(begun.elapsed().as_secs() < 60, "no writer begins");
        }
        std::thread::sleep(std::time::Duration::from_micros(stream.word() % 3000));
        for child in &mut writers {
            // Whoever reads meanwhile sees one of them, whole.
            assert!([40, 400].contains(&whole()), "round {round}");
            child.kill().and_then(|()| child.wait()).expect("it is killed");
        }
        assert!([40, 400].contains(&whole()), "round {round}");
    }
}

#[test]
fn fields_and_machines_have_files_of_their_own() {
    let name = |identity: &str, field: &str| file(Path::new("cache"), identity, field);
    let names = [
        name("m", FIELD),
        name("n", FIELD),
        name("m", "2^255_- 19"),
        name("m", "p/../../256"),
        name("m", &"9".repeat(4000)),
    ];
    for (i, a) in names.iter().enumerate() {
        assert_eq!(a.parent(), Some(Path::new("cache")), "{}", a.display());
        assert!(a.file_name().is_some_and(|n| n.len() < 128));
        assert!(names[..i].iter().all(|b| a != b), "{}", a.display());
    }
}
