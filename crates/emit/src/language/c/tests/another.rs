//! A package for a processor that no machine has: what is printed of it comes of its instruction set alone, and callers
//! name none.

use std::process::Command;

use evariste_codegen::assembly::Assembly;
use evariste_codegen::compile::Compile;
use evariste_codegen::x86_64::X86_64;
use evariste_ir::{Builder, Contract, Kernel};
use evariste_proof::{Outcome, prove};
use evariste_testing::small::Small;
use expect_test::expect_file;

use crate::folder::write_package;
use crate::package::{File, MachineCode};

use super::assembly::{files, vectors};
use super::compile::{compilers, run};

/// Sums over GF(2) of two words each: the first and the last operand, of three.
fn kernel() -> Kernel {
    let mut b = Builder::new("sums", 64);
    let full = vec![u64::MAX.into(); 2];
    let (out, x, y, z) =
        (b.output("out", 2, &full), b.input("a", 2, &full), b.input("b", 2, &full), b.input("d", 2, &full));
    let (x, y, z) = (b.load_all(x), b.load_all(y), b.load_all(z));
    let words: Vec<_> = (0..2)
        .map(|i| {
            let sum = b.xor(x[i], z[1 - i]);
            b.xor(sum, y[i])
        })
        .collect();
    b.store_all(out, &words);
    b.finish(Contract::default())
}

/// From a kernel to what packages take, for any processor.
fn machine_code<I: Compile + Assembly>(operation: &str, kernel: &Kernel) -> MachineCode {
    let Outcome::Proved(proved) = prove(kernel) else { panic!("{} is not proved", kernel.name) };
    let checked = I::checked(&proved, I::PACKAGED.into(), None).unwrap_or_else(|e| panic!("{}: {e}", I::NAME));
    MachineCode { operation: operation.into(), plan: "toy".into(), program: checked.into() }
}

fn text<'a>(files: &'a [File], name: &str) -> &'a str {
    files.iter().find(|f| f.path == name).map_or_else(|| panic!("no {name}"), |f| f.text.as_str())
}

#[test]
fn a_package_for_another_processor() {
    let kernels = [("sum", kernel())];
    let code = [machine_code::<Small>("sum", &kernels[0].1)];
    let made = files(&kernels, &code, &vectors(&kernels, 20)).expect("it can be printed");
    expect_file!["snapshots/toy_small.S.txt"].assert_eq(text(&made, "toy_small.S"));
    expect_file!["snapshots/toy_small_versions.h.txt"].assert_eq(text(&made, "toy_versions.h"));
    for (file, said) in [
        ("toy.c", "#if TOY_SMALL\n#include <small.h>\n"),
        ("toy.c", "  toy_sum_small(out, a, b, d);\n#else\n"),
        ("test.c", "\n#if TOY_SMALL\nstatic void test_sum_small(void)"),
        ("ct.c", "ct_sum_small();"),
        ("Makefile", "toy_small.o: toy_small.S toy_versions.h\n"),
        ("README.md", "machine code for Small (`toy_small.S`; its name ends in `_small`)"),
        ("README.md", "| `toy_sum` | any Small |"),
        ("README.md", "The assembly is the syntax of its manual, for ELF and Mach-O, with unwind notes. `"),
    ] {
        assert!(text(&made, file).contains(said), "{file} lacks {said}:\n{}", text(&made, file));
    }
    for file in &made {
        let other =
            ["x86", "cpuid", "endbr", "_CET_", "syntax prefix", "BMI"].iter().find(|name| file.text.contains(*name));
        assert_eq!(other, None, "{}", file.path);
    }
    // Here it is C.
    let folder = tempfile::tempdir().expect("a temporary folder");
    write_package(folder.path(), "toy", &made, false).expect("an empty folder");
    for cc in compilers() {
        let sources = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-o", "run_test", "test.c", "toy.c", "toy_small.S"];
        run(Command::new(cc).current_dir(folder.path()).args(sources));
        let told = run(&mut Command::new(folder.path().join("run_test")));
        assert!(told.contains(" 0 failures; 0 of 1 functions in machine code run here"), "{cc}: {told}");
    }
}

/// The same caller makes the code of a processor that there is; one package is for one of them.
#[test]
fn packages_are_for_one_processor() {
    let kernels = [("sum", kernel()), ("other", kernel())];
    let code = [machine_code::<Small>("sum", &kernels[0].1), machine_code::<X86_64>("other", &kernels[1].1)];
    assert_eq!([&code[0], &code[1]].map(|code| code.program.target().suffix), ["small", "x86_64"]);
    let refused = files(&kernels, &code, &vectors(&kernels, 1)).map(|_| ()).expect_err("refused").to_string();
    assert_eq!(
        refused,
        "the machine code of `other` cannot be printed: it is for x86-64, and that of the others for Small"
    );
}
