//! The languages of words: texts as they are, and kernels of every operation, printed, built by their own tools and run on
//! inputs whose answers come from the kernel language's interpreter.

mod random_chains;

use std::process::Command;

use evariste_ir::{Kernel, legalise};
use expect_test::expect_file;

use super::super::c::tests::{kernels, random, with_content};
use super::super::row::Language;
use super::super::{cuda, go, java, opencl, rust, wasm};
use crate::error::EmitError;
use crate::folder::write_package;
use crate::package::{Content, File};

type Print = fn(&Content) -> Result<Vec<File>, EmitError>;

/// The languages, and what prints kernels that are legal in them.
fn languages() -> [(&'static Language, Print); 6] {
    [
        (&rust::RUST, rust::of_content),
        (&java::JAVA, java::of_content),
        (&go::GO, go::of_content),
        (&opencl::OPENCL, opencl::of_content),
        (&cuda::CUDA, cuda::of_content),
        (&wasm::WASM, wasm::of_content),
    ]
}

/// Kernels in the operations of a language; those that it has not are left out.
fn legal(language: &Language, kernels: Vec<(&'static str, Kernel)>) -> Vec<(&'static str, Kernel)> {
    let legal = |kernel: Kernel| match &language.machine {
        Some(machine) => legalise(&kernel, machine).ok(),
        None => Some(kernel),
    };
    kernels.into_iter().filter_map(|(name, kernel)| Some((name, legal(kernel)?))).collect()
}

fn lacks(language: &Language) -> bool {
    let lacks = |tool: &&&str| Command::new(tool).arg("--version").output().is_err();
    let tool = language.tools.iter().find(lacks);
    if let Some(tool) = tool {
        evariste_testing::lacks_tool(&format!("kernels in {}", language.name), tool);
    }
    tool.is_some()
}

/// The kernels of words of w bits, under names that say so.
fn all(w: u32) -> Vec<(&'static str, Kernel)> {
    let of = if w == 1 { kernels::bits() } else { [kernels::numbers(w), kernels::structures(w)].concat() };
    of.into_iter().map(|(name, kernel)| (&*format!("{name}_{w}").leak(), kernel)).collect()
}

#[test]
fn kernels_of_every_operation_hold() {
    for (language, print) in languages() {
        if lacks(language) {
            continue;
        }
        let word = language.machine.map_or(64, |machine| machine.word);
        let everything: Vec<_> = [1, 5, 32, 64].into_iter().filter(|w| *w <= word).flat_map(all).collect();
        let count = everything.len();
        let kernels = legal(language, everything);
        assert!(2 * kernels.len() > count, "{} of {count} in {}", kernels.len(), language.name);
        let vectors: Vec<_> =
            kernels.iter().enumerate().flat_map(|(i, (name, k))| random::vectors(name, k, 20, i as u64)).collect();
        // What the language refuses by itself goes, one after the other.
        let printed =
            |kernel: &(&'static str, Kernel)| with_content(std::slice::from_ref(kernel), &vectors, print).is_ok();
        let kernels: Vec<_> = kernels.into_iter().filter(printed).collect();
        assert!(2 * kernels.len() > count, "{} of {count} are printed in {}", kernels.len(), language.name);
        let files = with_content(&kernels, &vectors, print).expect("each of them can be printed");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let folder = folder.path().join("toy");
        write_package(&folder, "toy", &files, false).expect("the folder is ours");
        let (program, arguments) = language.test.split_first().expect("a command");
        let mut command = Command::new(program);
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("CARGO_")) {
            if name != "CARGO_HOME" {
                command.env_remove(name);
            }
        }
        let output =
            command.args(arguments).current_dir(&folder).env("RUSTFLAGS", "-D warnings").output().expect(program);
        let told = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success() && told.contains(" checks, 0 failures"),
            "{}: {told}{}",
            language.name,
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

/// The functions, whole. `UPDATE_EXPECT=1` writes them anew.
#[test]
fn sources() {
    for ((language, print), file) in
        languages().into_iter().zip(["lib.rs", "Toy.java", "functions.go", "toy.cl", "toy.cuh", "toy.mjs"])
    {
        let word = language.machine.map_or(64, |machine| machine.word);
        let kernels = vec![("mul", kernels::operand_scanning(word, 2)), kernels::numbers(word).remove(4)];
        let kernels = legal(language, kernels);
        let vectors: Vec<_> = kernels.iter().flat_map(|(name, kernel)| random::vectors(name, kernel, 2, 1)).collect();
        let files = with_content(&kernels, &vectors, print).expect("the kernels can be printed");
        assert_eq!(
            files,
            with_content(&kernels, &vectors, print).expect("again"),
            "the same kernels give the same bytes"
        );
        let text = files.iter().find(|f| f.path == file).map_or("", |f| f.text.as_str());
        expect_file![format!("snapshots/{}.txt", language.name)].assert_eq(text);
    }
}

#[test]
fn what_they_lack_is_refused() {
    let kernels = vec![("floats", kernels::floats())];
    let vectors: Vec<_> = kernels.iter().flat_map(|(name, k)| random::vectors(name, k, 1, 1)).collect();
    for (language, print) in languages() {
        let refused = with_content(&kernels, &vectors, print).map(|_| ());
        assert!(matches!(refused, Err(EmitError::Unsupported { .. })), "{}: {refused:?}", language.name);
        let none = with_content(&[], &[], print).map(|_| ());
        assert!(matches!(none, Err(EmitError::NoKernels)), "{}", language.name);
    }
}
