//! The documents show what commands say: every command of a block `console` in docs/tutorial.md and docs/tour.md is run
//! again and compared. `BLESS=1` (`cargo xtask bless`) writes what is said now.

use std::process::Command;

use crate::common::{Place, compiler};

/// A document with its command blocks run anew, one after the other in one folder, where the files lie that it shows: a
/// block that begins with `/* NAME */`.
fn rendered(text: &str) -> String {
    let place = Place::new();
    let mut out = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        out += line;
        out.push('\n');
        if let Some(name) = line.strip_prefix("/* ").and_then(|l| l.strip_suffix(" */")).filter(|n| n.contains('.')) {
            let mut file = String::new();
            while let Some(line) = lines.next_if(|line| *line != "```") {
                file += &format!("{line}\n");
            }
            out += &file;
            std::fs::write(place.path(name), file).expect("written");
        }
        let Some(command) = line.strip_prefix("$ ") else { continue };
        out += &timeless(said(&place, command).trim_end());
        out.push('\n');
        while lines.next_if(|line| *line != "```" && !line.starts_with("$ ")).is_some() {}
    }
    out
}

/// What a command writes.
fn said(place: &Place, command: &str) -> String {
    if let Some(command) = command.strip_prefix("evariste ") {
        let arguments = words(command);
        let run = place.run(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(run.code, Some(0), "`{command}` failed: {}", run.err);
        return run.out;
    }
    let output = Command::new("sh").args(["-c", command]).current_dir(place.path("")).output().expect("sh");
    assert!(output.status.success(), "`{command}` failed: {output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The text without measured times: `in 0.5 ms` becomes `in … ms`.
fn timeless(text: &str) -> String {
    let mut out = String::new();
    for (i, piece) in text.split(" in ").enumerate() {
        let number = piece.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(piece.len());
        let timed = i > 0 && number > 0 && piece[number..].starts_with(" ms");
        out += if i > 0 { " in " } else { "" };
        out += if timed { "…" } else { &piece[..number] };
        out += &piece[number..];
    }
    out
}

/// The words of a command line; double quotes keep spaces.
fn words(line: &str) -> Vec<String> {
    let parts: Vec<&str> = line.split('"').collect();
    let outside = |i: usize| i.is_multiple_of(2);
    parts
        .iter()
        .enumerate()
        .flat_map(
            |(i, p)| if outside(i) { p.split_whitespace().map(String::from).collect() } else { vec![p.to_string()] },
        )
        .collect()
}

/// Compares a document with what its commands say now, or writes that.
fn up_to_date(path: &str, commands: usize) {
    let path = format!("{}/../../docs/{path}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect(&path);
    assert!(text.matches("\n$ ").count() >= commands, "{path} shows every stage");
    let now = rendered(&text);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &now).expect("a document can be written");
    } else if now != text {
        let differs = now.lines().zip(text.lines()).find(|(a, b)| a != b);
        panic!("{path} is out of date (cargo xtask bless): first difference, now and there: {differs:#?}");
    }
}

#[test]
fn the_tour_shows_what_the_command_says() {
    up_to_date("tour.md", 6);
}

#[test]
fn the_tutorial_works() {
    let make = Command::new("make").arg("--version").output().is_ok_and(|o| o.status.success());
    if !compiler() || !make {
        evariste_testing::lacks_tool("the tutorial", "make and a C compiler");
        return;
    }
    up_to_date("tutorial.md", 4);
}
