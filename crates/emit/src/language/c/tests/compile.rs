//! Compiling packages and running their tests.

use std::path::Path;
use std::process::Command;

use evariste_ir::Kernel;

use crate::folder::write_package;

use super::super::package::of_content;
use super::{kernels, random, with_content};

/// The compilers that there are; a missing one is a counted skip.
pub(crate) fn compilers() -> Vec<&'static str> {
    let works = |cc: &&str| Command::new(cc).arg("--version").output().is_ok_and(|o| o.status.success());
    let (there, missing): (Vec<&str>, Vec<&str>) = ["gcc", "clang"].into_iter().partition(works);
    for cc in &missing {
        evariste_testing::lacks_tool("emitted C", cc);
    }
    there
}

pub(crate) fn run(command: &mut Command) -> String {
    let shown = format!("{command:?}");
    let output = command.output().unwrap_or_else(|e| panic!("{shown}: {e}"));
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{shown}\n{text}");
    text
}

/// Compiles the test program of a package in every way and runs it. In a default run each set of flags has one compiler,
/// which changes from day to day; in a full run (`EVARISTE_FULL=1`) every compiler.
pub(crate) fn check(folder: &Path, flags: &[&[&str]]) {
    let compilers = compilers();
    for (at, flags) in flags.iter().enumerate() {
        let todays = evariste_testing::turn(at, compilers.len());
        for cc in
            compilers.iter().enumerate().filter(|(k, _)| evariste_testing::full() || *k == todays).map(|(_, cc)| cc)
        {
            let mut build = Command::new(cc);
            build.current_dir(folder).args(["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror"]).args(*flags);
            run(build.args(["-o", "run_test", "test.c", "toy.c", "-lm"]));
            let told = run(&mut Command::new(folder.join("run_test")));
            assert!(told.contains(" 0 failures") && !told.starts_with("0 checks"), "{cc} {flags:?}: {told}");
        }
    }
}

fn package_in(folder: &Path, kernels: &[(&str, Kernel)], count: usize) {
    let vectors: Vec<_> = kernels
        .iter()
        .enumerate()
        .flat_map(|(i, (name, kernel))| random::vectors(name, kernel, count, i as u64))
        .collect();
    let files = with_content(kernels, &vectors, of_content).expect("the kernels can be printed");
    write_package(folder, "toy", &files, false).expect("the folder is ours");
}

pub(crate) fn check_with(kernels: &[(&str, Kernel)], flags: &[&[&str]]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path().join("toy");
    package_in(&folder, kernels, 100);
    check(&folder, flags);
}

/// Every kernel of the list, at every optimisation, plain, portable and verified.
fn check_everywhere(kernels: &[(&str, Kernel)]) {
    check_with(
        kernels,
        &[
            &["-O0"],
            &["-O2"],
            &["-O3"],
            &["-O3", "-march=native"],
            &["-O2", "-DEVARISTE_PORTABLE"],
            &["-O1", "-DEVARISTE_VERIFY"],
        ],
    );
}

/// As [`check_everywhere`], for words that no machine has.
fn check_briefly(kernels: &[(&str, Kernel)]) {
    check_with(kernels, &[&["-O2"], &["-O0", "-DEVARISTE_VERIFY"]]);
}

#[test]
fn numbers_of_64_bit_words() {
    check_everywhere(&kernels::numbers(64));
}

#[test]
fn numbers_of_32_bit_words() {
    check_everywhere(&kernels::numbers(32));
}

#[test]
fn numbers_of_toy_words() {
    check_everywhere(&kernels::numbers(5));
    check_briefly(&kernels::numbers(13));
}

#[test]
fn every_operation_at_many_word_sizes() {
    for w in [4, 8, 16, 24, 48] {
        check_briefly(&[("all", kernels::every_operation(w))]);
    }
    for w in [32, 64] {
        check_everywhere(&[("all", kernels::every_operation(w))]);
    }
}

#[test]
fn doubles_round_one_by_one() {
    check_with(
        &[("floats", kernels::floats())],
        &[
            &["-O0"],
            &["-O1"],
            &["-O2"],
            &["-O3"],
            &["-O0", "-march=native"],
            &["-O3", "-march=native"],
            &["-O3", "-march=native", "-ffp-contract=fast"],
        ],
    );
    let toy = Kernel::parse("kernel toy: word 8 {\n    %0: f3 = const(4)\n}\n").expect("a kernel");
    let refused = super::super::source(&[("toy".to_string(), &toy)], "toy", "").map(|_| ()).map_err(|e| e.to_string());
    assert_eq!(refused, Err("kernel `toy`: a floating-point number of fewer than 24 bits cannot be printed in C\nhelp: such formats are for tests in the interpreter; use words of 64 bits".to_string()));
}

#[test]
fn bits_in_lanes() {
    check_everywhere(&kernels::bits());
    check_with(
        &kernels::bits(),
        &[
            &["-O2", "-DEVARISTE_LANES=32"],
            &["-O0", "-DEVARISTE_LANES=16"],
            &["-O3", "-DEVARISTE_LANES=8"],
            &["-O2", "-DEVARISTE_LANES=128"],
        ],
    );
}

#[test]
fn loops_calls_and_views() {
    for w in [5, 32, 64] {
        check_everywhere(&kernels::structures(w));
    }
}

/// More statements than one function gets.
#[test]
fn long_kernels_in_parts() {
    // Words of 7 bits, which take long to compile, with `EVARISTE_FULL=1`.
    let words: &[u32] = if std::env::var_os("EVARISTE_FULL").is_some() { &[7, 64] } else { &[64] };
    for &w in words {
        let kernels = [("long", kernels::long(w))];
        let text =
            super::super::source(&[("long".to_string(), &kernels[0].1)], "toy", "").expect("it can be printed").text;
        assert!(text.contains("part_3_of_toy_long"), "it is long enough to be cut");
        check_everywhere(&kernels);
    }
}

/// The makefile builds without a warning, its targets work, and the header is C++ too.
#[test]
fn makefile_and_cplusplus() {
    if Command::new("make").arg("--version").output().is_err() {
        evariste_testing::lacks_tool("the makefile of a package", "make");
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path().join("toy");
    package_in(&folder, &kernels::numbers(64), 5);
    for cc in compilers() {
        let make = |target: &str| {
            run(Command::new("make").current_dir(&folder).args([&format!("CC={cc}"), "CFLAGS=-O1 -Werror", target]))
        };
        make("all");
        assert!(make("test").contains(" 0 failures"));
        assert!(make("verify").contains(" 0 failures"));
        assert!(make("bench").contains("toy_mul3"));
        make("clean");
        assert!(!folder.join("toy.o").exists());
    }
    if Command::new("g++").arg("--version").output().is_ok() {
        run(Command::new("g++").current_dir(&folder).args([
            "-Wall",
            "-Wextra",
            "-Werror",
            "-pedantic",
            "-fsyntax-only",
            "-x",
            "c++",
            "toy.h",
        ]));
    } else {
        evariste_testing::lacks_tool("headers in C++", "g++");
    }
}

/// A wrong answer must be noticed, and so must a broken bound.
#[test]
fn the_tests_can_fail() {
    let kernels = kernels::numbers(64);
    let mut vectors: Vec<_> = kernels.iter().flat_map(|(name, kernel)| random::vectors(name, kernel, 3, 7)).collect();
    vectors[1].outputs[0][0] += 1;
    for cc in compilers() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let files = with_content(&kernels, &vectors, of_content).expect("the kernels can be printed");
        write_package(folder.path(), "toy", &files, false).expect("an empty folder");
        run(Command::new(cc).current_dir(folder.path()).args(["-o", "run_test", "test.c", "toy.c"]));
        let failed = Command::new(folder.path().join("run_test")).output().expect("it was built");
        assert_eq!(failed.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&failed.stdout).contains("FAILED: mul2"));
        // a = m is outside of add_mod's contract.
        let misuse = "#include \"toy.h\"\nint main(void) { uint64_t a[2] = {0xffffffffffffffffull, 0x7fffffffffffffffull}, b[2] = {0}, o[2]; toy_add_mod(o, a, b); return 0; }\n";
        std::fs::write(folder.path().join("misuse.c"), misuse).expect("a folder to write into");
        run(Command::new(cc).current_dir(folder.path()).args([
            "-DEVARISTE_VERIFY",
            "-o",
            "misuse",
            "misuse.c",
            "toy.c",
        ]));
        let aborted = Command::new(folder.path().join("misuse")).output().expect("it was built");
        assert!(!aborted.status.success());
        assert!(
            String::from_utf8_lossy(&aborted.stderr).contains("inputs_of_toy_add_mod: a proved bound does not hold"),
            "{aborted:?}"
        );
    }
}
