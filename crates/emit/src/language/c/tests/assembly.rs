//! Toy kernels as assembly packages: texts as they are, built and run in every way, and found out when an instruction
//! is another.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use evariste_codegen::assembly::Assembly;
use evariste_codegen::check::check;
use evariste_codegen::x86_64::{Features, X86_64, compile};
use evariste_ir::range::pow2;
use evariste_ir::{Builder, Claim, Contract, Digit, Interval, Kernel, Operand, View};
use evariste_proof::{Outcome, prove};
use expect_test::expect_file;

use crate::error::EmitError;
use crate::folder::write_package;
use crate::package::{Content, File, MachineCode, Vector};

use super::super::beside::of_content;
use super::compile::{compilers, run};
use super::{kernels, random};

fn machine_code(operation: &str, kernel: &Kernel) -> MachineCode {
    compiled(operation, kernel, Features::AVX2)
}

fn compiled(operation: &str, kernel: &Kernel, features: Features) -> MachineCode {
    let Outcome::Proved(proved) = prove(kernel) else { panic!("{} is not proved", kernel.name) };
    let program = compile(&proved, features, None).expect("it has a program");
    MachineCode {
        operation: operation.into(),
        plan: "toy".into(),
        program: check(&proved, &program).expect("the program is right").into(),
    }
}

pub(super) fn vectors(kernels: &[(&str, Kernel)], count: usize) -> Vec<Vector> {
    kernels.iter().enumerate().flat_map(|(i, (name, kernel))| random::vectors(name, kernel, count, i as u64)).collect()
}

pub(super) fn files(
    kernels: &[(&str, Kernel)],
    machine_code: &[MachineCode],
    vectors: &[Vector],
) -> Result<Vec<File>, EmitError> {
    of_content(&Content {
        prefix: "toy",
        title: "Kernels for a test",
        description: "Small kernels.",
        command_line: "cargo test",
        kernels: kernels.iter().map(|(name, kernel)| (name.to_string(), kernel)).collect(),
        machine_code,
        vectors,
        ..Content::default()
    })
}

/// A product, a sum modulo a number (with constants), and the same product under another name in C only.
fn toys() -> (Vec<(&'static str, Kernel)>, Vec<MachineCode>) {
    let sum = kernels::numbers(64).remove(4);
    let kernels =
        vec![("mul", kernels::operand_scanning(64, 2)), (sum.0, sum.1), ("other", kernels::operand_scanning(64, 3))];
    let code = kernels[..2].iter().map(|(name, kernel)| machine_code(name, kernel)).collect();
    (kernels, code)
}

/// Whole files. `UPDATE_EXPECT=1` writes them anew.
#[test]
fn texts() {
    let (kernels, code) = toys();
    let vectors = vectors(&kernels, 2);
    let made = files(&kernels, &code, &vectors).expect("it can be printed");
    assert_eq!(
        made,
        files(&kernels, &code, &vectors).expect("it can be printed"),
        "the same kernels give the same bytes"
    );
    let text = |name: &str| made.iter().find(|f| f.path == name).map_or("", |f| f.text.as_str());
    expect_file!["snapshots/toy_x86_64.S.txt"].assert_eq(text("toy_x86_64.S"));
    expect_file!["snapshots/toy_versions.h.txt"].assert_eq(text("toy_versions.h"));
    for file in &made {
        assert!(file.text.is_ascii(), "{}", file.path);
    }
    let c = text("toy.c");
    assert!(
        c.contains("void toy_mul_c(")
            && c.contains("void toy_mul(")
            && !c.contains("toy_other_c")
            && c.contains("void toy_other("),
        "{c}"
    );
}

fn is_x86_64() -> bool {
    cfg!(all(target_arch = "x86_64", unix))
}

/// Builds the test of a package and gives what it says and whether it passed.
fn build_and_run(cc: &str, folder: &Path, flags: &[&str]) -> (String, bool) {
    run(Command::new(cc)
        .current_dir(folder)
        .args(["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror"])
        .args(flags)
        .args(["-o", "run_test", "test.c", "toy.c", "toy_x86_64.S"]));
    let output = Command::new(folder.join("run_test")).output().expect("it was built");
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.success())
}

fn package_in(folder: &Path) -> Vec<File> {
    let (kernels, code) = toys();
    let made = files(&kernels, &code, &vectors(&kernels, 50)).expect("it can be printed");
    write_package(folder, "toy", &made, true).expect("the folder is ours");
    made
}

#[test]
fn both_versions_run() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    package_in(folder.path());
    let here = Features::of_this_machine().is_some_and(|f| f.covers(Features::ADX));
    for cc in compilers() {
        for flags in [
            &["-O0"][..],
            &["-O3"],
            &["-O2", "-fcf-protection=full"],
            &["-O2", "-fPIC", "-pie"],
            &["-O1", "-DEVARISTE_VERIFY"],
        ] {
            let (told, passed) = build_and_run(cc, folder.path(), flags);
            assert!(
                passed && told.contains(" 0 failures; ") && (!here || !is_x86_64() || told.contains(" 2 of 2 ")),
                "{cc} {flags:?}: {told}"
            );
        }
        let (told, passed) = build_and_run(cc, folder.path(), &["-DEVARISTE_PORTABLE"]);
        assert!(passed && told.contains(" 0 of 2 functions in machine code"), "{cc}: {told}");
    }
}

/// A processor that has no such instructions: what needs them is not run, and every answer is right.
#[test]
fn an_older_processor_runs_c() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let made = package_in(folder.path());
    let c = made.iter().find(|f| f.path == "toy.c").map_or("", |f| f.text.as_str());
    let old = c.replace("__get_cpuid_max(0, 0) >= 7", "__get_cpuid_max(0, 0) >= 0x7fffffff");
    assert_ne!(c, old);
    std::fs::write(folder.path().join("toy.c"), old).expect("written");
    for cc in compilers() {
        let (told, passed) = build_and_run(cc, folder.path(), &["-O2"]);
        // The sum needs nothing beyond x86-64; the product needs mulx.
        assert!(passed && (!is_x86_64() || told.contains(" 1 of 2 functions in machine code")), "{cc}: {told}");
    }
}

/// The columns of a product of two polynomials of two words over GF(2).
fn carryless() -> Kernel {
    let mut b = Builder::new("carryless", 64);
    let full = |n| vec![pow2(64) - 1; n];
    let (out, x, y) = (b.output("out", 4, &full(4)), b.input("a", 2, &full(2)), b.input("b", 2, &full(2)));
    let (a, c) = (b.load_all(x), b.load_all(y));
    let (low, high) = (b.clmul(a[0], c[0]), b.clmul(a[1], c[1]));
    let (first, second) = (b.clmul(a[0], c[1]), b.clmul(a[1], c[0]));
    let middle = b.xor(first, second);
    let [low, middle, high] = [low, middle, high].map(|x| b.split(x, 64));
    let words = [low[0], b.xor(low[1], middle[0]), b.xor(high[0], middle[1]), high[1]];
    b.store_all(out, &words);
    b.finish(Contract::default())
}

/// Vector registers are used where the processor has them and the system keeps them.
#[test]
fn vector_registers_are_asked_for() {
    let kernels = [("mul", kernels::operand_scanning(64, 2)), ("carryless", carryless())];
    let code: Vec<MachineCode> = kernels.iter().map(|(name, kernel)| machine_code(name, kernel)).collect();
    let made = files(&kernels, &code, &vectors(&kernels, 50)).expect("it can be printed");
    let folder = tempfile::tempdir().expect("a temporary folder");
    write_package(folder.path(), "toy", &made, false).expect("an empty folder");
    let text = |name: &str| made.iter().find(|f| f.path == name).map_or("", |f| f.text.as_str());
    assert!(
        text("toy_versions.h").contains("#define TOY_CARRYLESS_NEEDS 40u /* AVX2 and PCLMULQDQ */"),
        "{}",
        text("toy_versions.h")
    );
    let here = Features::of_this_machine().is_some_and(|f| f.covers(Features::AVX2)) && is_x86_64();
    let old = text("toy.c").replace("(low & 6) == 6", "low == 0");
    assert_ne!(old, text("toy.c"));
    for cc in compilers() {
        let (told, passed) = build_and_run(cc, folder.path(), &["-O2"]);
        assert!(passed && (!here || told.contains(" 2 of 2 functions in machine code")), "{cc}: {told}");
    }
    std::fs::write(folder.path().join("toy.c"), old).expect("written");
    for cc in compilers() {
        let (told, passed) = build_and_run(cc, folder.path(), &["-O2"]);
        assert!(passed && (!here || told.contains(" 1 of 2 functions in machine code")), "{cc}: {told}");
    }
}

/// `out = a·b` by the low and the high half of 52 bits, and a kernel that calls it twice, so that calls stand side by side;
/// in two ways, which give the same: `turned` exchanges the factors.
fn halves(turned: bool) -> Kernel {
    let (small, full) = ([pow2(52) - 1], [pow2(64) - 1]);
    let mut b = Builder::new("halves", 64);
    let (out, x, y) = (b.output("out", 2, &full), b.input("a", 2, &small), b.input("b", 2, &small));
    let (a, c) = (b.load_all(x), b.load_all(y));
    let zero = b.word_constant(0);
    let (first, second) = if turned { (c[0], a[0]) } else { (a[0], c[0]) };
    let (low, high) = (b.madd_lo(52, zero, first, second), b.madd_hi(52, zero, a[1], c[1]));
    b.store_all(out, &[low, high]);
    let part = Arc::new(b.finish(Contract::default()));
    let mut b = Builder::new(if turned { "turned" } else { "twice" }, 64);
    let (out, x, y) = (b.output("out", 4, &full), b.input("a", 2, &small), b.input("b", 2, &small));
    let callee = b.callee(part);
    for (at, pair) in [(0u32, [x, y]), (2, [x, x])] {
        let [left, right] = pair.map(View::whole);
        b.call(callee, vec![View::from(out, at), left, right]);
    }
    let digit = |index| Digit { array: out, index, weight: 64 * index, max: pow2(64) - 1, bits: None };
    let output = Operand { name: "out".into(), digits: (0..4).map(digit).collect(), bound: pow2(256) - 1, below: None };
    b.finish(Contract { claims: vec![Claim::Step { output, name: "halves".into() }], ..Contract::default() })
}

/// Where some processors have more, a function has several versions, and takes the best that there is; another kernel of
/// the same parameters and contract may give it.
#[test]
fn the_best_version_is_taken() {
    let apart = X86_64::PACKAGED_APART.expect("instructions that most processors lack").0;
    let kernels = [("twice", halves(false)), ("mul", kernels::operand_scanning(64, 2))];
    let code = [
        compiled("twice", &halves(true), apart),
        machine_code("twice", &kernels[0].1),
        machine_code("mul", &kernels[1].1),
    ];
    let vectors = vectors(&kernels, 30);
    let made = files(&kernels, &code, &vectors).expect("it can be printed");
    let text = |name: &str| made.iter().find(|f| f.path == name).map_or("", |f| f.text.as_str());
    expect_file!["snapshots/toy_apart_versions.h.txt"].assert_eq(text("toy_versions.h"));
    for (file, said) in [
        (
            "toy.c",
            "  if ((toy_cpu() & TOY_TWICE_IFMA_NEEDS) == TOY_TWICE_IFMA_NEEDS) {\n    toy_twice_x86_64_ifma(out, a, b);\n    return;\n  }\n",
        ),
        ("README.md", "| `toy_twice_x86_64_ifma` | "),
        ("README.md", "Versions whose names end in `_x86_64_ifma` are for processors"),
        ("bench.c", "toy_twice_x86_64("),
        ("ct.c", "else puts(\"toy_twice_x86_64_ifma: not run"),
        ("package.json", "{\"name\":\"twice_x86_64_ifma\",\"needs\":"),
    ] {
        assert!(text(file).contains(said), "{file} lacks {said}:\n{}", text(file));
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    write_package(folder.path(), "toy", &made, false).expect("an empty folder");
    let here = Features::of_this_machine().filter(|_| is_x86_64());
    let count = |has: bool| match here {
        None => 0,
        Some(f) => 2 * usize::from(f.covers(Features::ADX)) + usize::from(has && f.covers(apart)),
    };
    if count(true) < 3 {
        evariste_testing::lacks_feature("the best of several versions", "AVX-512 with IFMA");
    }
    // The system keeps masks and long registers, keeps none of them, keeps the masks alone.
    let c = text("toy.c");
    for (kept, has) in [("(low & 0xe6) == 0xe6", true), ("low == 0xe6e6", false), ("(low & 0x26) == 0", false)] {
        std::fs::write(folder.path().join("toy.c"), c.replace("(low & 0xe6) == 0xe6", kept)).expect("written");
        for cc in compilers() {
            let (told, passed) = build_and_run(cc, folder.path(), &["-O2"]);
            let wanted = format!(" 0 failures; {} of 3 functions in machine code", count(has));
            assert!(passed && told.contains(&wanted), "{cc} {kept}: {told}, not {wanted}");
        }
    }
    // One version for one kind of processor, and no kernel of other parameters.
    let refused = |code: &[MachineCode]| files(&kernels, code, &vectors).map(|_| ()).expect_err("refused").to_string();
    assert!(refused(&[code[0].clone(), code[0].clone()]).starts_with("two kernels would both become the function"));
    let other = MachineCode { operation: "mul".into(), ..code[0].clone() };
    assert!(refused(&[other]).contains("whose parameters are not those of `operand_scanning_2`"));
}

/// Every product, sum and store that is another one is noticed by the vectors.
#[test]
fn a_changed_instruction_is_found() {
    if !is_x86_64() || !Features::of_this_machine().is_some_and(|f| f.covers(Features::ADX)) {
        return evariste_testing::lacks_feature("changed instructions", "BMI2 and ADX");
    }
    let Some(cc) = compilers().into_iter().next() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let made = package_in(folder.path());
    let text = made.iter().find(|f| f.path == "toy_x86_64.S").map_or("", |f| f.text.as_str());
    run(Command::new(cc).current_dir(folder.path()).args(["-O1", "-c", "test.c", "toy.c"]));
    let mut tried = 0;
    let lines: Vec<&str> = text.lines().collect();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| line.starts_with("    ")) {
        let replaced = ["    mulx ", "    add ", "    sub ", "    mov qword ptr [rdi"]
            .iter()
            .position(|start| line.starts_with(start));
        let changed = match replaced {
            Some(0) => line.replacen("mulx", "andn", 1),
            Some(1) => line.replacen("add", "xor", 1),
            Some(2) => line.replacen("sub", "add", 1),
            Some(_) => "    nop".to_string(),
            None => continue,
        };
        let bad: Vec<&str> =
            lines.iter().enumerate().map(|(i, line)| if i == at { changed.as_str() } else { line }).collect();
        std::fs::write(folder.path().join("toy_x86_64.S"), bad.join("\n") + "\n").expect("written");
        run(Command::new(cc).current_dir(folder.path()).args(["-o", "run_test", "test.o", "toy.o", "toy_x86_64.S"]));
        let output = Command::new(folder.path().join("run_test")).output().expect("it was built");
        assert_eq!(output.status.code(), Some(1), "line {}: {line} became {changed}", at + 1);
        assert!(String::from_utf8_lossy(&output.stdout).contains("_x86_64"));
        tried += 1;
    }
    assert!(tried >= 10, "{tried}");
}

#[test]
fn makefile() {
    if Command::new("make").arg("--version").output().is_err() {
        return evariste_testing::lacks_tool("the makefile of a package", "make");
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    package_in(folder.path());
    for cc in compilers() {
        let make = |target: &str| {
            run(Command::new("make").current_dir(folder.path()).args([
                &format!("CC={cc}"),
                "CFLAGS=-O1 -Werror",
                target,
            ]))
        };
        make("all");
        assert!(make("test").contains(" 0 failures"));
        assert!(make("verify").contains(" 0 failures"));
        assert!(make("bench").contains("toy_mul_c"));
        make("clean");
        assert!(!folder.path().join("toy_x86_64.o").exists());
    }
}

/// `part`, and a kernel that calls it twice.
fn caller() -> [(&'static str, Kernel); 2] {
    let full = [pow2(64) - 1];
    let mut b = Builder::new("part", 64);
    let (out, x, y) = (b.output("out", 2, &full), b.input("a", 2, &full), b.input("b", 2, &full));
    let (a, c) = (b.load_all(x), b.load_all(y));
    let words: Vec<_> = (0..2).map(|i| b.wrapping_mul(a[i], c[1 - i])).collect();
    b.store_all(out, &words);
    let part = b.finish(Contract::default());
    let mut b = Builder::new("caller", 64);
    let (out, x) = (b.output("out", 2, &full), b.input("a", 2, &full));
    let work = b.local("work", 2, Interval::bits(64));
    let callee = b.callee(Arc::new(part.clone()));
    b.call(callee, vec![View::whole(work), View::whole(x), View::whole(x)]);
    b.call(callee, vec![View::whole(work), View::whole(work), View::whole(x)]);
    for i in 0..2u32 {
        let v = b.load(work, i);
        b.store(out, i, v);
    }
    [("part", part), ("caller", b.finish(Contract::default()))]
}

/// Where a C-only operation is made of one with machine code, it calls the function that chooses; C versions call C.
#[test]
fn callers_call_what_chooses() {
    let kernels = caller();
    let made_with = |code: &[MachineCode]| files(&kernels, code, &vectors(&kernels, 20)).expect("it can be printed");
    let made = made_with(&[machine_code("part", &kernels[0].1)]);
    let text = |made: &[File]| made.iter().find(|f| f.path == "toy.c").map_or(String::new(), |f| f.text.clone());
    let body = |c: &str, symbol: &str| {
        c.split(&format!("\nvoid {symbol}("))
            .nth(1)
            .and_then(|rest| rest.split("\n}\n").next())
            .unwrap_or_default()
            .to_string()
    };
    let c = text(&made);
    assert!(body(&c, "toy_caller").matches("  toy_part(").count() == 2 && !c.contains("toy_inner"), "{c}");
    let folder = tempfile::tempdir().expect("a temporary folder");
    write_package(folder.path(), "toy", &made, false).expect("an empty folder");
    for cc in compilers() {
        let (told, passed) = build_and_run(cc, folder.path(), &["-O1"]);
        assert!(passed, "{told}");
    }
    let both: Vec<MachineCode> = kernels.iter().map(|(name, kernel)| machine_code(name, kernel)).collect();
    let c = text(&made_with(&both));
    assert!(body(&c, "toy_caller_c").matches("  toy_inner_part(").count() == 2, "{c}");
}

#[test]
fn what_does_not_fit_is_refused() {
    let (kernels, code) = toys();
    let all = vectors(&kernels, 1);
    let refused = |kernels: &[(&str, Kernel)], code: &[MachineCode]| {
        files(kernels, code, &all).map(|_| ()).expect_err("refused").to_string()
    };
    assert!(refused(&kernels, &[]).starts_with("none of the operations has machine code"));
    assert!(matches!(files(&[], &code, &all), Err(EmitError::NoKernels)));
    let stranger = [MachineCode { operation: "stranger".into(), ..code[0].clone() }];
    assert_eq!(
        refused(&kernels, &stranger),
        "the machine code of `stranger` cannot be printed: the package has no such operation"
    );
    let another = [MachineCode { operation: "other".into(), ..code[0].clone() }];
    assert_eq!(
        refused(&kernels, &another),
        "the machine code of `other` cannot be printed: it was checked against another kernel, `operand_scanning_2`, whose parameters \
         are not those of `operand_scanning_3`; a package takes what `check` made of its own kernel, or of one with the same \
         parameters and the same contract"
    );
    let mut clash = kernels.clone();
    clash[2].0 = "mul_c";
    assert!(refused(&clash, &code).starts_with("two kernels would both become the function `toy_mul"));
}
