//! Kernels on vectors: compiled by every compiler at hand and compared with the interpreter, lane by lane.

use std::process::Command;

use evariste_ir::range::pow2;
use evariste_ir::{Array, ArrayKind, Claim, Kernel};
use expect_test::{expect, expect_file};

use super::function::{functions, opening};
use super::level::Level;
use super::{PROCESSOR, has_form};
use crate::error::EmitError;
use crate::folder::write_package;
use crate::language::c::names;
use crate::language::c::package::of_content;
use crate::language::c::tests::compile::{compilers, run};
use crate::language::c::tests::{kernels, random, with_content};
use crate::manifest::params;
use crate::package::{Content, File};

/// Vectors of each kernel: no multiple of the lanes.
const ROWS: usize = 101;

/// A C program that runs kernels on the vectors of a level.
fn program(level: &Level, all: &[(String, Kernel)]) -> String {
    let mut out = format!("#include <stdint.h>\n#include <stdio.h>\n#include <string.h>\n{}", PROCESSOR.opening);
    out += &format!("\nstatic unsigned long checks, failures;\n{}", opening(level));
    let mut calls = String::new();
    let named: Vec<(&str, &Kernel)> = all.iter().map(|(name, kernel)| (name.as_str(), kernel)).collect();
    out += &functions(level, &named).unwrap_or_else(|e| panic!("{e}"));
    for (name, kernel) in all {
        out += &test_of(level, name, kernel);
        calls += &format!("  test_{name}();\n");
    }
    let (prepare, runs) = (PROCESSOR.prepare, level.runs);
    out + &format!(
        "\nint main(void) {{\n  {prepare}\n  if (!({runs})) {{\n    puts(\"not here\");\n    return 0;\n  }}\n{calls}  printf(\"%lu checks, %lu failures\\n\", checks, failures);\n  return failures != 0;\n}}\n"
    )
}

/// Its table of known answers, and the function that puts row `r + l` into lane l.
fn test_of(level: &Level, name: &str, kernel: &Kernel) -> String {
    let answers = random::vectors(name, kernel, ROWS, 1);
    let (read, written) = (params(kernel, false), params(kernel, true));
    let mut tables = String::new();
    let mut table = |kind: &str, a: Array, rows: Vec<Vec<String>>| {
        let (array, len) = (names::array(&kernel.array(a).name), kernel.array(a).len);
        let rows: String = rows.iter().map(|row| format!("  {{{}}},\n", row.join(", "))).collect();
        tables += &format!("static const uint64_t {name}_{array}_{kind}[{ROWS}][{len}] = {{\n{rows}}};\n");
        (format!("{name}_{array}_{kind}"), array, len)
    };
    let digits = |all: &[num_bigint::BigInt]| all.iter().map(|d| format!("0x{d:x}ull")).collect::<Vec<_>>();
    let (mut into, mut back) = (String::new(), String::new());
    for (i, a) in read.iter().enumerate() {
        let (table, array, len) = table("in", *a, answers.iter().map(|v| digits(&v.inputs[i])).collect());
        into += &format!(
            "    for (i = 0; i < {len}; i++) {{\n      for (l = 0; l < LANES; l++) words[l] = {table}[(r + l) % {ROWS}][i];\n      memcpy(&{array}[i], words, sizeof words);\n    }}\n"
        );
    }
    for (i, a) in written.iter().enumerate() {
        let (table, array, len) = table("out", *a, answers.iter().map(|v| digits(&v.outputs[i])).collect());
        back += &format!(
            "    for (i = 0; i < {len}; i++) {{\n      memcpy(words, &{array}[i], sizeof words);\n      for (l = 0; l < LANES; l++) {{\n        checks++;\n        if (words[l] != {table}[(r + l) % {ROWS}][i]) {{\n          failures++;\n          printf(\"FAILED: {name}, row %u, word %u\\n\", (r + l) % {ROWS}, i);\n        }}\n      }}\n    }}\n"
        );
    }
    let visible: Vec<Array> = kernel.visible().collect();
    let of = |a: &Array| (names::array(&kernel.array(*a).name), kernel.array(*a).len);
    let declared: String =
        visible.iter().map(of).map(|(a, len)| format!("    {} {a}[{len}];\n", level.vector)).collect();
    let arguments: Vec<String> = visible.iter().map(|a| of(a).0).collect();
    format!(
        "\n{tables}\n__attribute__((target(\"{}\"))) static void test_{name}(void) {{\n  unsigned r, i, l;\n  uint64_t words[LANES];\n  for (r = 0; r < {ROWS}; r++) {{\n{declared}{into}    {name}_lanes({});\n{back}  }}\n}}\n",
        level.target,
        arguments.join(", ")
    )
    .replace("LANES", &level.lanes().to_string())
}

/// Compiles and runs a program in every way.
fn check(level: &Level, all: &[(String, Kernel)]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("test.c"), program(level, all)).expect("written");
    for cc in compilers() {
        for flags in [&["-O0"][..], &["-O2"]] {
            let mut build = Command::new(cc);
            build.current_dir(folder.path()).args([
                "-std=c99",
                "-Wall",
                "-Wextra",
                "-Wconversion",
                "-pedantic",
                "-Werror",
            ]);
            run(build.args(flags).args(["-o", "run_test", "test.c"]));
            let told = run(&mut Command::new(folder.path().join("run_test")));
            if told.starts_with("not here") {
                evariste_testing::lacks_feature("emitted C on vectors", level.title);
                return;
            }
            assert!(told.contains(" 0 failures") && !told.starts_with("0 checks"), "{cc} {flags:?}: {told}");
        }
    }
}

#[test]
fn kernels_in_lanes_agree_with_the_interpreter() {
    if !cfg!(target_arch = "x86_64") {
        evariste_testing::lacks_feature("emitted C on vectors", PROCESSOR.name);
        return;
    }
    for level in PROCESSOR.levels {
        let mut all: Vec<(String, Kernel)> =
            [4, 8, 16, 32, 64].map(|w| (format!("words_of_{w}"), kernels::in_lanes(w))).into();
        let named = |w: u32, name: &str| {
            let found = kernels::numbers(w).into_iter().find(|(own, _)| *own == name).map(|(_, kernel)| kernel);
            (format!("{name}_{w}"), found.unwrap_or_else(|| panic!("no {name}")))
        };
        all.extend([
            named(16, "mul3"),
            named(32, "mul4"),
            named(32, "wide"),
            named(64, "square4"),
            named(64, "add_mod"),
        ]);
        let called = kernels::structures(64).into_iter().find(|(name, _)| *name == "step");
        all.extend(called.map(|(name, kernel)| (name.to_string(), kernel)));
        if level.name == "avx-512" {
            all.push(("multiply_adds".into(), kernels::multiply_adds()));
        }
        check(level, &all);
    }
}

/// The program above finds a wrong answer.
#[test]
fn a_wrong_lane_is_found() {
    let [level, ..] = PROCESSOR.levels else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = program(level, &[("words".into(), kernels::in_lanes(64))]);
    let broken = text.replace("_mm256_cmpeq_epi64(a, b)", "_mm256_cmpgt_epi64(a, b)");
    assert_ne!(text, broken);
    std::fs::write(folder.path().join("test.c"), broken).expect("written");
    for cc in compilers().into_iter().take(1).filter(|_| cfg!(target_arch = "x86_64")) {
        run(Command::new(cc).current_dir(folder.path()).args(["-O1", "-o", "run_test", "test.c"]));
        let told = Command::new(folder.path().join("run_test")).output().expect("it was built");
        let told = String::from_utf8_lossy(&told.stdout).into_owned();
        assert!(told.starts_with("not here") || told.contains("FAILED: words, row "), "{told}");
    }
}

#[test]
fn what_has_no_form_is_refused() {
    let refused =
        |level: &str, kernel: &Kernel| has_form(level, kernel).map_err(|e| e.to_string()).err().unwrap_or_default();
    let find = |all: Vec<(&str, Kernel)>, name: &str| {
        let found = all.into_iter().find(|(own, _)| *own == name).map(|(_, kernel)| kernel);
        found.unwrap_or_else(|| panic!("no {name}"))
    };
    let all = [
        refused("avx2", &kernels::operand_scanning(64, 2)),
        refused("avx2", &kernels::multiply_adds()),
        refused("avx-512", &kernels::every_operation(64)),
        refused("avx-512", &kernels::floats()),
        refused("avx-512", &kernels::long(64)),
        refused("avx2", &find(kernels::bits(), "logic")),
        refused("avx2", &find(kernels::structures(64), "looped")),
        refused("neon", &kernels::multiply_adds()),
    ];
    expect![[r#"
        kernel `operand_scanning_2`: `mul_add_add_64` cannot be printed in AVX2
        help: take another plan, or arrays without this level
        kernel `multiply_adds`: `madd_lo_52_of_64` cannot be printed in AVX2
        help: take another plan, or arrays without this level
        kernel `every_operation`: `mul_add_add_64` cannot be printed in AVX-512 with IFMA
        help: take another plan, or arrays without this level
        kernel `floats`: `bits_to_double` cannot be printed in AVX-512 with IFMA
        help: take another plan, or arrays without this level
        kernel `long`: a function of thousands of statements cannot be printed in AVX-512 with IFMA
        help: take another plan, or arrays without this level
        kernel `logic`: a bit-sliced function cannot be printed in AVX2
        help: take another plan, or arrays without this level
        kernel `looped`: an index into a ring cannot be printed in AVX2
        help: take another plan, or arrays without this level
        no products in lanes for `neon`: there are avx2, avx-512"#]]
    .assert_eq(&all.join("\n"));
}

/// A package whose product is a sum modulo 2^127 − 1, and the same kernel in lanes.
fn files(change: impl FnOnce(&mut Kernel), levels: &[&'static str]) -> Result<Vec<File>, EmitError> {
    let sum = kernels::numbers(64).into_iter().find(|(name, _)| *name == "add_mod").map(|(_, kernel)| kernel);
    let sum = sum.expect("a sum");
    let mut lanes = sum.clone();
    change(&mut lanes);
    let vectors = random::vectors("mul", &sum, 20, 1);
    with_content(&[("mul", sum)], &vectors, |content| {
        let arrays = levels.iter().map(|level| (*level, &lanes, true)).collect();
        of_content(&Content { arrays: Some(arrays), prefix: "toy", kernels: content.kernels.clone(), ..*content })
    })
}

#[test]
fn a_package_with_products_of_arrays() {
    let made = files(|_| {}, &["avx-512", "avx2"]).expect("it can be printed");
    let text = made.iter().find(|f| f.path == "toy_arrays.c").map(|f| f.text.clone()).unwrap_or_default();
    let behind = text.split_once(" */\n").map_or("", |(_, rest)| rest);
    expect_file!["snapshots/toy_arrays.c.txt"].assert_eq(behind);
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (made, of) in [(made, "vectors"), (files(|_| {}, &[]).expect("it can be printed"), "one by one")] {
        write_package(folder.path(), "toy", &made, true).expect("a folder");
        for cc in compilers() {
            for flags in [
                "-O0 -Werror",
                "-O2 -Werror -Wconversion",
                "-O1 -DEVARISTE_PORTABLE -Werror",
                "-O1 -g -fsanitize=address,undefined",
            ] {
                let make = |target: &str| {
                    run(Command::new("make").current_dir(folder.path()).args([
                        &format!("CC={cc}"),
                        &format!("CFLAGS={flags}"),
                        target,
                    ]))
                };
                make("clean");
                let told = make("test");
                assert!(told.contains(" 0 failures") && !told.contains("\n0 checks"), "{of} {cc} {flags}: {told}");
            }
            assert!(
                run(Command::new("make").current_dir(folder.path()).args([&format!("CC={cc}"), "clean", "bench"]))
                    .contains("loop over toy_mul")
            );
        }
    }
}

/// A package's test finds a product in lanes that is wrong: here one that is the sum of other numbers.
#[cfg(target_arch = "x86_64")]
#[test]
fn the_test_of_a_package_finds_a_wrong_product() {
    let mut made = files(|_| {}, &["avx2"]).expect("it can be printed");
    for file in made.iter_mut().filter(|f| f.path == "toy_arrays.c") {
        let broken = file
            .text
            .replace("  toy_avx2_in(y, b + i * 2);", "  toy_avx2_in(y, a + i * 2);")
            .replace("if (level == 1)", "if (1)");
        assert_ne!(broken, file.text);
        file.text = broken;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    write_package(folder.path(), "toy", &made, false).expect("a folder");
    for cc in compilers().into_iter().take(1).filter(|_| std::is_x86_feature_detected!("avx2")) {
        let told = Command::new("make").current_dir(folder.path()).args([&format!("CC={cc}"), "test"]).output();
        let told = told.expect("make");
        assert!(
            !told.status.success() && String::from_utf8_lossy(&told.stdout).contains("FAILED: mul_array"),
            "{told:?}"
        );
    }
}

#[test]
fn a_kernel_in_lanes_promises_what_the_product_does() {
    let refused = |change: fn(&mut Kernel)| {
        files(change, &["avx2"]).map(|_| ()).map_err(|e| e.to_string()).err().unwrap_or_default()
    };
    let all = [
        refused(|k| k.contract.inputs[0].bound = 5.into()),
        refused(|k| k.contract.inputs[1].digits[0].max = 5.into()),
        refused(|k| k.contract.inputs.truncate(1)),
        refused(|k| k.contract.inputs.swap(0, 1)),
        refused(|k| k.contract.claims.clear()),
        refused(|k| {
            if let Some(Claim::Value { factor, .. }) = k.contract.claims.first_mut() {
                *factor = 2.into();
            }
        }),
        refused(|k| {
            if let Some(Claim::Value { output, .. }) = k.contract.claims.first_mut() {
                output.bound = pow2(127);
            }
        }),
        refused(|k| {
            if let Some(array) = k.arrays.iter_mut().find(|a| a.kind == ArrayKind::Input) {
                array.kind = ArrayKind::InOut;
            }
        }),
    ];
    expect![[r#"
        no products in lanes for `avx2`: the operands of `add_mod` are not those of `add_mod`
        no products in lanes for `avx2`: the operands of `add_mod` are not those of `add_mod`
        no products in lanes for `avx2`: the operands of `add_mod` are not those of `add_mod`
        no products in lanes for `avx2`: the operands of `add_mod` are not those of `add_mod`
        no products in lanes for `avx2`: the claims of `add_mod` are not those of `add_mod`
        no products in lanes for `avx2`: the results of `add_mod` are not those of `add_mod`
        no products in lanes for `avx2`: the results of `add_mod` are not those of `add_mod`
        no products in lanes for `avx2`: the parameters of `add_mod` are not those of `add_mod`"#]]
    .assert_eq(&all.join("\n"));
    assert_eq!(
        files(|_| {}, &["neon"]).map(|_| ()).map_err(|e| e.to_string()),
        Err("no products in lanes for `neon`: there are no such vectors in C".to_string())
    );
}
