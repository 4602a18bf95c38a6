//! Packages under Valgrind with secrets undefined (`make ct`): C and machine code. By default each package is built once,
//! by a compiler and at a level that change from package to package and from day to day; with `EVARISTE_FULL=1` by both
//! compilers at every level. And that a leak is found.

use std::path::Path;
use std::process::Command;

use crate::common::Place;

/// The compilers and levels of optimisation that a package is built with.
fn builds(package: &[&str], compilers: &[&'static str]) -> Vec<(&'static str, &'static str)> {
    let levels = ["-O0", "-O1", "-O2", "-O3"];
    let all = compilers.iter().flat_map(|cc| levels.map(|level| (*cc, level))).collect();
    evariste_testing::sample(&package.concat(), all, usize::MAX, |_| ())
}

/// One of [`compilers`], another one each day; all in a full run.
fn todays_compilers(what: &str) -> Vec<&'static str> {
    evariste_testing::sample(what, compilers(), usize::MAX, |_| ())
}

/// The compilers of this machine, if it has Valgrind.
fn compilers() -> Vec<&'static str> {
    let has = |tool: &str| Command::new(tool).arg("--version").output().is_ok_and(|o| o.status.success());
    if !has("valgrind") {
        evariste_testing::lacks_tool("constant time under Valgrind", "valgrind");
        return Vec::new();
    }
    let mut found = Vec::new();
    for cc in ["gcc", "clang"] {
        if has(cc) {
            found.push(cc);
        } else {
            evariste_testing::lacks_tool(&format!("constant time of what {cc} compiles"), cc);
        }
    }
    found
}

/// What `make` says, and whether it went well.
fn make(folder: &Path, arguments: &[&str]) -> (String, bool) {
    let output = Command::new("make").current_dir(folder).args(arguments).output().expect("make");
    (
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr),
        output.status.success(),
    )
}

/// The functions that a header declares.
fn declared(header: &str) -> Vec<String> {
    let declarations = header.lines().filter(|line| line.ends_with(");") && !line.starts_with([' ', '#', '/']));
    let before = declarations.filter_map(|line| line.split_once('('));
    before.filter_map(|(before, _)| before.rsplit(' ').next()).map(String::from).collect()
}

/// Emits a package, builds it in every way, and runs all its functions on secrets. Gives the number of runs of
/// functions.
fn all_ways(arguments: &[&str]) -> usize {
    let place = Place::new();
    let compilers = compilers();
    if compilers.is_empty() {
        return 0;
    }
    place.run(&[&["emit"], arguments, &["--prefix", "fe", "-o", "out"]].concat()).ok();
    let (header, ct) = (place.path("out/fe.h"), place.path("out/ct.c"));
    let ct = std::fs::read_to_string(ct).expect("ct.c");
    let declared = declared(&std::fs::read_to_string(header).expect("fe.h"));
    for name in &declared {
        let is_run = ["(", "_c("].iter().any(|end| ct.contains(&format!("  {name}{end}")))
            || ct.contains(&format!(" = {name}("));
        assert!(is_run, "{arguments:?}: make ct does not run {name}, of {declared:?}");
    }
    let mut functions = 0;
    for (cc, level) in builds(arguments, &compilers) {
        make(&place.path("out"), &["clean"]);
        let (told, passed) = make(&place.path("out"), &[&format!("CC={cc}"), &format!("CFLAGS={level} -Werror"), "ct"]);
        assert!(passed && told.contains(" functions, 0 failures: "), "{arguments:?} by {cc} {level}: {told}");
        let line = told.lines().last().unwrap_or_default();
        functions += line.split(' ').next().and_then(|n| n.parse::<usize>().ok()).unwrap_or_else(|| panic!("{told}"));
    }
    functions
}

/// Assembly packages hold the C of every function as well.
#[test]
fn prime_fields_with_machine_code() {
    // By default one of them, another one each day.
    let fields = vec!["2^255-19", "p256", "bls12-381-fr"];
    for field in evariste_testing::sample("constant time", fields, usize::MAX, |_| ()) {
        let functions = all_ways(&[field, "--lang", "asm"]);
        println!("{field}: {functions} runs of functions");
        assert!(functions == 0 || functions >= 20, "{field}: {functions}");
    }
}

#[test]
fn the_goldilocks_field_448() {
    all_ways(&["448", "--lang", "asm"]);
}

/// Tables, a prime that is no power's neighbour, results modulo 2^64; and bits in lanes.
#[test]
fn dfc_and_a_binary_field() {
    for field in ["dfc", "GF(2^11):onb2"] {
        all_ways(&[field, "--lang", "asm"]);
    }
    all_ways(&["dfc", "--ops", "affine_mod_2_64", "--plan", "affine_mod_2_64=complement-mul-table"]);
}

/// Ciphers, hash functions and curves with their functions on bytes, and all of it in C89: by default one of each, others
/// each day.
#[test]
fn programs_and_c89() {
    let packages: Vec<&[&str]> = vec![
        &["cipher:dfc"],
        &["cipher:wg"],
        &["mac:mmh32"],
        &["mac:tmmh16"],
        &["mac:square-hash-32"],
        &["curve:p256", "--ops", "add,double,from_uncompressed,to_compressed"],
        &["curve:25519", "--ops", "ecdh"],
        &["secp256k1"],
        &["bls12-381-fp", "--ops", "mul,square,add,sub,to_montgomery,inv,sqrt"],
    ];
    let all = packages.iter().flat_map(|package| ["c", "c89"].map(|language| (*package, language))).collect();
    for (package, language) in
        evariste_testing::sample("programs under Valgrind", all, usize::MAX, |(package, language)| {
            (*language, package[0].contains(':'))
        })
    {
        let functions = all_ways(&[package, &["--lang", language]].concat());
        println!("{package:?} in {language}: {functions} runs of functions");
    }
}

/// Elements with several forms: tests for zero and equality go through the canonical form.
#[test]
fn redundant_elements() {
    all_ways(&["2^255-19", "--layout", "5x51", "--lang", "c"]);
}

/// A power in plain C; inverses are in the packages above.
#[test]
fn a_power_in_plain_c() {
    all_ways(&["p256", "--lang", "c", "--ops", "mul,pow_10001"]);
}

/// What a run of `ct.c` says when one function is another: `code` is C for the body of `fe_add`, before it does its
/// work.
fn with_a_leak(folder: &Path, cc: &str, code: &str) -> (String, Option<i32>) {
    let leak = format!(
        "#include <stdint.h>\nvoid fe_add(uint64_t *, const uint64_t *, const uint64_t *);\nvoid leaky_add(uint64_t *, const uint64_t *, const uint64_t *);\nstatic volatile unsigned char table[256];\n\
         void leaky_add(uint64_t *out, const uint64_t *a, const uint64_t *b) {{\n  {code}\n  fe_add(out, a, b);\n}}\n"
    );
    std::fs::write(folder.join("leak.c"), leak).expect("written");
    let run = |program: &str, arguments: &[&str]| {
        Command::new(program).current_dir(folder).args(arguments).output().expect(program)
    };
    assert!(run(cc, &["-std=c99", "-O1", "-c", "leak.c", "fe.c"]).status.success());
    let built = run(cc, &["-std=c99", "-O1", "-Dfe_add=leaky_add", "-o", "run_leak", "ct.c", "leak.o", "fe.o"]);
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let output = run("valgrind", &["-q", "./run_leak"]);
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
}

#[test]
fn a_leak_is_found() {
    let place = Place::new();
    for cc in todays_compilers("leaks") {
        place.run(&["emit", "2^61-1", "--ops", "add,sub", "--prefix", "fe", "-o", "out", "--force"]).ok();
        let folder = place.path("out");
        let harmless = with_a_leak(&folder, cc, "table[0] = (unsigned char)b[0];");
        assert_eq!(
            (harmless.0.contains("3 functions, 0 failures"), harmless.1),
            (true, Some(0)),
            "{cc}: {}",
            harmless.0
        );
        for leak in ["if (a[0] & 1) table[0] = 1;", "table[0] = table[b[0] & 255];", "table[b[0] & 255] = 1;"] {
            let (told, code) = with_a_leak(&folder, cc, leak);
            assert!(
                told.contains("FAILED: fe_add: a branch or an address depends on its inputs, "),
                "{cc}, {leak}: {told}"
            );
            assert_eq!((told.contains("3 functions, 1 failures"), code), (true, Some(1)), "{cc}, {leak}: {told}");
        }
        // A function that drops its inputs shows nothing.
        let (told, code) = with_a_leak(&folder, cc, "(void)a, (void)b; a = b = (const uint64_t[8]){0};");
        assert_eq!(
            (told.contains("FAILED: fe_add: nothing of its inputs is in its outputs"), code),
            (true, Some(1)),
            "{cc}: {told}"
        );
    }
}

/// clang 14 at -O2 branched on whether bytes are below the modulus, when it knew that the flag is 0 or 1.
#[test]
fn bytes_are_read_without_a_branch() {
    let place = Place::new();
    place.run(&["emit", "2^255-19", "--ops", "from_bytes,from_bytes_be,mul", "--prefix", "fe", "-o", "out"]).ok();
    for cc in compilers() {
        for level in ["-O2", "-Os"] {
            make(&place.path("out"), &["clean"]);
            let (told, passed) = make(&place.path("out"), &[&format!("CC={cc}"), &format!("CFLAGS={level}"), "ct"]);
            assert!(passed && told.contains("9 functions, 0 failures"), "{cc} {level}: {told}");
        }
    }
}

/// A branch on the status of a square root or of bytes, in the C beside the kernels, is seen.
#[test]
fn a_leak_beside_the_kernels_is_found() {
    let place = Place::new();
    for cc in todays_compilers("leaks beside") {
        place.run(&["emit", "2^61-1", "--prefix", "fe", "-o", "out", "--force"]).ok();
        let file = place.path("out/fe.c");
        let text = std::fs::read_to_string(&file).expect("the functions");
        let seen = "static volatile int seen;";
        for (function, end, condition) in [
            ("fe_sqrt", "  return (int)valid[0];\n", "valid[0]"),
            ("fe_from_bytes", "  return (int)below;\n", "below"),
            ("fe_is_canonical", "  return (int)below;\n", "below"),
        ] {
            let body = text.find(&format!("\nint {function}(")).expect(function);
            let at = body + text[body..].find(end).expect("its end");
            let leaky = format!("{}  {{ {seen} if ({condition}) seen = 1; }}\n{}", &text[..at], &text[at..]);
            std::fs::write(&file, leaky).expect("written");
            let (told, passed) = make(&place.path("out"), &[&format!("CC={cc}"), "CFLAGS=-O1", "ct"]);
            let finding = format!("FAILED: {function}: a branch or an address depends on its inputs");
            assert!(!passed && told.contains(&finding) && told.contains(", 1 failures"), "{cc}: {told}");
        }
        std::fs::write(&file, text).expect("written");
    }
}

/// A branch in the machine code is seen too.
#[test]
fn a_leak_in_machine_code_is_found() {
    let place = Place::new();
    for cc in compilers() {
        place
            .run(&["emit", "2^61-1", "--ops", "add,mul", "--lang", "asm", "--prefix", "fe", "-o", "out", "--force"])
            .ok();
        let file = place.path("out/fe_x86_64.S");
        let text = std::fs::read_to_string(&file).expect("the assembly");
        let label =
            text.lines().find(|line| line.starts_with("EVARISTE_SYMBOL(fe_add_x86_64):")).expect("the function");
        let leaky =
            text.replace(&format!("{label}\n"), &format!("{label}\n    cmp qword ptr [rsi], 5\n    je 77f\n77:\n"));
        assert_ne!(text, leaky);
        std::fs::write(&file, leaky).expect("written");
        let (told, passed) = make(&place.path("out"), &[&format!("CC={cc}"), "ct"]);
        let found = told.contains("FAILED: fe_add_x86_64: a branch or an address depends on its inputs")
            && !told.contains("FAILED: fe_add_c");
        assert!(!cfg!(target_arch = "x86_64") || found && !passed, "{cc}: {told}");
        std::fs::write(&file, text).expect("written");
    }
}

/// What is missing is said.
#[test]
fn what_is_missing_is_said() {
    let place = Place::new();
    let Some(cc) = compilers().into_iter().next() else { return };
    place.run(&["emit", "2^61-1", "--ops", "add", "--prefix", "fe", "-o", "out"]).ok();
    let folder = place.path("out");
    let cc = format!("CC={cc}");
    let (told, passed) = make(&folder, &[&cc, "VALGRIND=no-such-valgrind", "ct"]);
    assert!(!passed && told.contains("make ct: there is no no-such-valgrind: install Valgrind\n"), "{told}");
    let alone = || {
        let output = Command::new(folder.join("run_ct")).output().expect("it was built");
        (String::from_utf8_lossy(&output.stderr).into_owned(), output.status.code())
    };
    assert_eq!(alone(), ("run_ct: it must run under Valgrind: make ct\n".to_string(), Some(2)));
    let text = std::fs::read_to_string(folder.join("ct.c")).expect("ct.c");
    std::fs::write(folder.join("ct.c"), text.replace("valgrind/memcheck.h", "valgrind/nowhere.h")).expect("written");
    make(&folder, &[&cc, "run_ct"]);
    let (told, code) = alone();
    assert!(
        code == Some(2)
            && told.contains("it was compiled without <valgrind/nowhere.h>: install Valgrind with its headers"),
        "{told}"
    );
}
