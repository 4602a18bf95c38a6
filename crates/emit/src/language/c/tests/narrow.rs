//! Kernels in C with words of 32 bits, of C89 and of C99: rewritten, printed, compiled strictly and run; those of C99 on a
//! big-endian processor too.

use std::process::Command;

use evariste_ir::{Kernel, legalise};

use super::compile::{compilers, run};
use super::{kernels, random, with_content};
use crate::error::EmitError;
use crate::folder::write_package;
use crate::language::c::{PORTABLE, package};
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

/// C99 without integers of 128 bits: by every compiler, and by an emulator of a processor whose highest byte comes first.
#[test]
fn portable_c_has_no_wider_integers() {
    let machine = PORTABLE.machine.expect("it has a machine");
    let all = [kernels::numbers(32), kernels::structures(32), kernels::numbers(5), kernels::bits()];
    let cross = [("powerpc-linux-gnu-gcc", "qemu-ppc")];
    let lacks = |tool: &str| Command::new(tool).arg("--version").output().is_err();
    for kernels in all {
        let kernels: Vec<_> = kernels
            .into_iter()
            .map(|(name, k)| (name, legalise(&k, &machine).unwrap_or_else(|e| panic!("{e}"))))
            .collect();
        let vectors: Vec<_> =
            kernels.iter().enumerate().flat_map(|(i, (name, k))| random::vectors(name, k, 40, i as u64)).collect();
        let files = with_content(&kernels, &vectors, package::of_content).expect("the kernels can be printed");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let folder = folder.path().join("toy");
        write_package(&folder, "toy", &files, false).expect("the folder is ours");
        let words = files.iter().find(|f| f.path == "toy.c").map_or("", |f| f.text.as_str());
        assert!(!words.contains("int128"), "nothing wider than 64 bits");
        for (cc, run_by) in compilers().into_iter().map(|cc| (cc, None)).chain(cross.map(|(cc, by)| (cc, Some(by)))) {
            if let Some(tool) = [Some(cc), run_by].into_iter().flatten().find(|tool| lacks(tool)) {
                evariste_testing::lacks_tool("portable C on a big-endian processor", tool);
                continue;
            }
            let mut build = Command::new(cc);
            build.current_dir(&folder).args(["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O1"]);
            run(build.args(run_by.map(|_| "-static")).args(["-o", "run_test", "test.c", "toy.c"]));
            let program = folder.join("run_test");
            let told = run(&mut run_by.map_or(Command::new(&program), |by| {
                let mut command = Command::new(by);
                command.arg(&program);
                command
            }));
            assert!(told.contains(" 0 failures") && !told.starts_with("0 checks"), "{cc}: {told}");
        }
    }
}
