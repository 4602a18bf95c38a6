//! `cargo xtask`: the repository's chores.

use std::path::Path;
use std::process::ExitCode;

use xtask::run_tests::Extent;
use xtask::{clock, format, gpu, record, run_tests, tidy};

const USAGE: &str = "\
cargo xtask test [CRATE…]            the rules of `tidy`, then the tests (or those of some crates); the last line counts them. Long ones take
                                     samples of the day, and slow ones take turns by day where no crate is named
cargo xtask test --every [CRATE…]    every test, with the samples of the day; writes the list of slow ones, xtask/slow-tests.txt
cargo xtask test --full [CRATE…]     every test whole, the long exhaustive runs too, by EVARISTE_FULL=1
cargo xtask fmt [--check]            formats every source file, also those that a macro declares
cargo xtask tidy                     the repository's rules, without building it
cargo xtask bless [CRATE…]           runs the tests and lets them rewrite their expected texts; look at the diff
cargo xtask record                   measures anew what the README shows, on a quiet machine, and keeps all of it in record/
cargo xtask record all | PAGE…       answers the questions of docs/measurements again on this machine
cargo xtask record tables            writes the tables of the documents anew from record/
cargo xtask gpu                      what the GPU of this machine does a second, kept in record/gpu by its name
cargo xtask gpu build                the program that measures, for every GPU: run it where one is, with a file to write
cargo xtask gpu record FILE          keeps what it wrote there
cargo xtask clock [FIELD…]           seconds of `tune` and `tune --search 30` for every named field, beside the most that they may take
                                     (EVARISTE_COMMAND=FILE: by that command, not by one that is built)";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."));
    let result = match words[..] {
        ["test", "--full", ref crates @ ..] if are_names(crates) => test(root, crates, Extent::Full, &[]),
        ["test", "--every", ref crates @ ..] if are_names(crates) => {
            test(root, crates, Extent::EveryTest { list: true }, &[])
        }
        ["test", ref crates @ ..] if are_names(crates) => test(root, crates, Extent::Day, &[]),
        // What is expected is rewritten by every test that has a say in it.
        ["bless", ref crates @ ..] if are_names(crates) => {
            test(root, crates, Extent::EveryTest { list: false }, &[("UPDATE_EXPECT", "1"), ("BLESS", "1")])
        }
        ["fmt"] => format::run(root, false),
        ["fmt", "--check"] => format::run(root, true),
        ["tidy"] => show_tidy(root),
        ["clock", ref names @ ..] if are_names(names) => clock::run(root, names),
        ["gpu", ref words @ ..] if are_names(words) => gpu::run(root, words),
        ["record", ref words @ ..] if are_names(words) => record::run(root, words),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Whether no word is an option.
fn are_names(words: &[&str]) -> bool {
    words.iter().all(|word| !word.starts_with('-'))
}

/// Shows what breaks a rule; whether nothing does.
fn show_tidy(root: &Path) -> anyhow::Result<bool> {
    let violations = tidy::check(root)?;
    for violation in &violations {
        println!("{violation}");
    }
    println!("tidy: {} violations", violations.len());
    Ok(violations.is_empty())
}

/// The rules, then the tests. The rules are a test too, so that they are counted once, there.
fn test(root: &Path, crates: &[&str], extent: Extent, environment: &[(&str, &str)]) -> anyhow::Result<bool> {
    if let Err(error) = show_tidy(root) {
        println!("tidy: {error:#}");
    }
    run_tests::run(root, crates, extent, environment)
}
