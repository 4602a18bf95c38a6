//! The documents show what the command says: every block that starts with `$ evariste …` in docs/tour.md is run again
//! and compared. `BLESS=1` (`cargo xtask bless`) writes what is said now.

use crate::common::Place;

/// A document with its command blocks run anew.
fn rendered(text: &str) -> String {
    let place = Place::new();
    let mut out = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        out += line;
        out.push('\n');
        let Some(command) = line.strip_prefix("$ evariste ") else { continue };
        let arguments = words(command);
        let run = place.run(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(run.code, Some(0), "`{line}` failed: {}", run.err);
        out += &timeless(run.out.trim_end());
        out += "\n```\n";
        for old in lines.by_ref() {
            if old == "```" {
                break;
            }
        }
    }
    out
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

#[test]
fn the_tour_shows_what_the_command_says() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/tour.md");
    let text = std::fs::read_to_string(path).expect("docs/tour.md");
    assert!(text.matches("$ evariste ").count() >= 6, "the tour shows every stage");
    let now = rendered(&text);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, &now).expect("docs/tour.md can be written");
    } else if now != text {
        let differs = now.lines().zip(text.lines()).find(|(a, b)| a != b);
        panic!("docs/tour.md is out of date (cargo xtask bless): first difference, now and there: {differs:#?}");
    }
}
