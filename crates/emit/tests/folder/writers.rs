//! Two writers of one folder, and writers that are killed: the folder is one package as a whole.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use evariste_emit::{File, write_package};

const WRITERS: &str = "EVARISTE_WRITER_OF";

/// Ten files, all of which say whose they are; and one that only this package has.
fn files(who: &str) -> Vec<File> {
    let file = |path: String| File { path, text: format!("{who}\n").repeat(50) };
    (0..10).map(|i| file(format!("f{i}.c"))).chain([file(format!("only_{who}.c"))]).collect()
}

/// Whose package lies in the folder; a mixture, a half or a lost file of the user is a failure.
fn owner(folder: &Path, round: usize) -> String {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    let first = fs::read_to_string(folder.join("f0.c")).unwrap();
    let who = first.lines().next().unwrap().to_string();
    let mut wanted: Vec<String> = files(&who).into_iter().map(|f| f.path).collect();
    wanted.extend(["evariste.json", "mine.txt"].map(String::from));
    wanted.sort();
    assert_eq!(names, wanted, "round {round}");
    for file in files(&who) {
        assert_eq!(fs::read_to_string(folder.join(&file.path)).unwrap(), file.text, "round {round}: {}", file.path);
    }
    assert_eq!(fs::read_to_string(folder.join("mine.txt")).unwrap(), "mine");
    who
}

fn nothing_is_left_beside(folder: &Path) {
    let beside: Vec<_> = fs::read_dir(folder.parent().unwrap()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(beside, [folder.file_name().unwrap()]);
}

#[test]
fn two_writers_one_after_the_other() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("out");
    let mut last = [0, 0];
    for round in 0..100 {
        write_package(&folder, "p", &files("old"), false).unwrap();
        fs::write(folder.join("mine.txt"), "mine").unwrap();
        let barrier = std::sync::Barrier::new(2);
        std::thread::scope(|scope| {
            for who in ["a", "b"] {
                let (folder, barrier, files) = (&folder, &barrier, files(who));
                scope.spawn(move || {
                    barrier.wait();
                    write_package(folder, "p", &files, false).unwrap();
                });
            }
        });
        last[usize::from(owner(&folder, round) == "b")] += 1;
    }
    assert_eq!(last[0] + last[1], 100);
    nothing_is_left_beside(&folder);
}

#[test]
fn two_that_make_the_folder() {
    for round in 0..50 {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("out");
        let write = |who: &'static str| write_package(&folder, "p", &files(who), false);
        std::thread::scope(|scope| {
            let both = ["a", "b"].map(|who| scope.spawn(move || write(who)));
            both.into_iter().for_each(|one| one.join().unwrap().unwrap());
        });
        fs::write(folder.join("mine.txt"), "mine").unwrap();
        owner(&folder, round);
        nothing_is_left_beside(&folder);
    }
}

/// What the killed process does: it writes one package after the other. As a test of its own it does nothing.
#[test]
fn writer() {
    let Ok(folder) = std::env::var(WRITERS) else { return };
    loop {
        for who in ["a", "b"] {
            write_package(Path::new(&folder), "p", &files(who), false).unwrap();
        }
    }
}

#[test]
fn killed_at_any_moment() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("out");
    let rounds = if std::env::var_os("EVARISTE_FULL").is_some() { 2000 } else { 60 };
    let (mut random, mut unfinished) = (0x9e37_79b9_7f4a_7c15u64, 0);
    let mut seen = std::collections::BTreeMap::new();
    for round in 0..rounds {
        write_package(&folder, "p", &files("old"), false).unwrap();
        fs::write(folder.join("mine.txt"), "mine").unwrap();
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "writers::writer", "--nocapture", "--test-threads=1"])
            .env(WRITERS, &folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // It has begun when the old package is gone; then some microseconds more.
        let start = Instant::now();
        while folder.join("only_old.c").exists() {
            assert!(start.elapsed() < Duration::from_secs(30), "the writer does not begin");
        }
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let start = Instant::now();
        while start.elapsed() < Duration::from_micros(random % 3000) {}
        child.kill().unwrap();
        child.wait().unwrap();
        *seen.entry(owner(&folder, round)).or_insert(0) += 1;
        unfinished += usize::from(folder.with_file_name(".evariste-out").exists());
        // The next one finds its way.
        write_package(&folder, "p", &files("next"), false).unwrap();
        assert_eq!(owner(&folder, round), "next");
        nothing_is_left_beside(&folder);
    }
    assert!(unfinished > 0, "no writer was killed at work");
    println!("{rounds} writers killed, {unfinished} at work; packages left: {seen:?}");
}
