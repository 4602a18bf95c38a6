//! Kernels in C89 with words of 32 bits: rewritten, printed, compiled strictly and run.

use std::process::Command;

use evariste_ir::{Kernel, legalise};

use super::compile::{compilers, run};
use super::{kernels, random, with_content};
use crate::error::EmitError;
use crate::folder::write_package;
use crate::language::c89::{C89, of_content};

fn legal(kernels: Vec<(&'static str, Kernel)>) -> Vec<(&'static str, Kernel)> {
    let machine = C89.machine.expect("it has a machine");
    kernels.into_iter().map(|(name, k)| (name, legalise(&k, &machine).unwrap_or_else(|e| panic!("{e}")))).collect()
}

#[test]
fn numbers_loops_and_calls() {
    let all = [kernels::numbers(32), kernels::structures(32), kernels::structures(5)];
    for kernels in all.map(legal) {
        let vectors: Vec<_> =
            kernels.iter().enumerate().flat_map(|(i, (name, k))| random::vectors(name, k, 40, i as u64)).collect();
        let files = with_content(&kernels, &vectors, of_content).expect("the kernels can be printed");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let folder = folder.path().join("toy");
        write_package(&folder, "toy", &files, false).expect("the folder is ours");
        for cc in compilers() {
            let mut build = Command::new(cc);
            build.current_dir(&folder).args(["-std=c89", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O1"]);
            run(build.args(["-o", "run_test", "test.c", "toy.c"]));
            let told = run(&mut Command::new(folder.join("run_test")));
            assert!(told.contains(" 0 failures") && !told.starts_with("0 checks"), "{cc}: {told}");
            let words = files.iter().find(|f| f.path == "toy.c").map_or("", |f| f.text.as_str());
            assert!(!words.contains("long long") && !words.contains("uint"), "nothing but unsigned long");
        }
    }
}

#[test]
fn what_it_lacks_is_refused() {
    for kernels in [kernels::bits(), vec![("floats", kernels::floats())], kernels::numbers(64)] {
        let vectors: Vec<_> = kernels.iter().flat_map(|(name, k)| random::vectors(name, k, 1, 1)).collect();
        let refused = with_content(&kernels, &vectors, of_content).map(|_| ());
        assert!(matches!(refused, Err(EmitError::Unsupported { language: "C89", .. })), "{refused:?}");
    }
}
