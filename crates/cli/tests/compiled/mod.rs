//! Machine code that compilers made of packages, read back: in C by gcc and clang at every level, in Rust, and in Java by
//! HotSpot, no branch, division or address depends on data; and planted ones are found and named.

mod flow;

use std::path::Path;
use std::process::Command;

use self::flow::{Function, JVM, NATIVE, Rules, findings, functions};
use crate::common::Place;

/// Are these tools here, and is this the processor whose code is read? A counted skip where not.
fn can_read(what: &str, tools: &[&str]) -> bool {
    if !cfg!(target_arch = "x86_64") {
        evariste_testing::lacks_feature(what, "x86-64");
        return false;
    }
    let lacks = |tool: &&&str| !Command::new(tool).arg("--version").output().is_ok_and(|o| o.status.success());
    match tools.iter().find(lacks) {
        Some(tool) => evariste_testing::lacks_tool(what, tool),
        None => return true,
    }
    false
}

/// What a command writes to standard output; it has to end well.
fn run(folder: &Path, program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).current_dir(folder).output().expect(program);
    assert!(output.status.success(), "{program} {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn disassembled(folder: &Path, file: &str) -> Vec<Function> {
    functions(&run(folder, "objdump", &["-d", "-C", "--no-show-raw-insn", file]))
}

/// What depends on data in all functions whose name has the word; there are some.
fn found(all: &[Function], word: &str, rules: &Rules) -> Vec<String> {
    let of: Vec<&Function> = all.iter().filter(|f| f.name.contains(word)).collect();
    assert!(!of.is_empty() && of.iter().all(|f| !f.code.is_empty()), "no function with `{word}`");
    of.iter().flat_map(|f| findings(f, rules)).collect()
}

/// Puts a line at the head of a function's body.
fn planted(text: &str, signature: &str, line: &str) -> String {
    let at = text.find(signature).unwrap_or_else(|| panic!("no `{signature}`"));
    let body = at + text[at..].find("{\n").expect("a body") + 2;
    format!("{}{line}\n{}", &text[..body], &text[body..])
}

/// Packages, and compilers with levels: one of each a day, all in a full run.
fn builds(package: &[&str]) -> Vec<(&'static str, &'static str)> {
    let all = ["gcc", "clang"].iter().flat_map(|cc| ["-O0", "-O1", "-O2", "-O3"].map(|level| (*cc, level))).collect();
    evariste_testing::sample(&format!("code of {}", package.concat()), all, usize::MAX, |(cc, _)| *cc)
}

/// Is a package in C89, and of what kind?
fn kind<'a>(package: &&[&'a str]) -> (bool, Option<&'a str>) {
    (package.contains(&"c89"), package[0].split_once(':').map(|(kind, _)| kind))
}

#[test]
fn c_depends_on_no_data() {
    let place = Place::new();
    let packages: Vec<&[&str]> = vec![
        &["p256", "--ops", "mul,square,add,sub,opp,selectznz,to_bytes"],
        &["25519", "--ops", "mul,add,inv"],
        &["448", "--lang", "c-portable", "--ops", "mul,add"],
        &["bls12-381-fp", "--ops", "mul,square,add,sub,opp,selectznz,to_montgomery,from_montgomery,inv"],
        &["secp256k1", "--ops", "mul,square,add,sub,opp,sqrt"],
        &["GF(2^233)", "--ops", "mul,square,add"],
        &["p256", "--lang", "c89", "--ops", "mul,square,add,sub,selectznz"],
        &["secp256k1", "--lang", "c89", "--ops", "mul,add,inv"],
        &["cipher:dfc", "--ops", "encrypt_block"],
        &["cipher:dfcv2", "--ops", "decrypt_block,expand_key"],
        &["mac:mmh32", "--ops", "hash,hash_wrapping,hash_signed"],
        &["mac:mmh64", "--ops", "hash,hash_wrapping"],
        &["mac:tmmh16"],
        &["mac:square-hash-32", "--ops", "hash,wrapping"],
        &["curve:p256", "--ops", "add,double,from_uncompressed"],
        &["curve:25519", "--ops", "ecdh"],
        &["curve:secp256k1", "--ops", "add,to_compressed"],
        &["curve:ed25519", "--ops", "add,double"],
    ];
    if !can_read("machine code of C", &["objdump", "gcc", "clang"]) {
        return;
    }
    // Not WG: at -O0 its counters lie on the stack beside arrays that are written at counters, and what follows data
    // takes these for data. Valgrind runs it.
    // By default a field, one in C89, a cipher, a hash function and a curve, others each day.
    for package in evariste_testing::sample("code of packages", packages, usize::MAX, kind) {
        place.run(&[&["emit"], package, &["--prefix", "fe", "-o", "out", "--force"]].concat()).ok();
        for (cc, level) in builds(package) {
            run(&place.path("out"), cc, &["-std=c99", level, "-c", "-o", "fe.o", "fe.c"]);
            let found = found(&disassembled(&place.path("out"), "fe.o"), "fe_", &NATIVE);
            assert!(found.is_empty(), "{package:?} by {cc} {level}: {found:#?}");
        }
    }
}

#[test]
fn leaks_in_c_are_found() {
    let place = Place::new();
    if !can_read("machine code of C", &["objdump", "gcc", "clang"]) {
        return;
    }
    place.run(&["emit", "2^61-1", "--lang", "c", "--ops", "add", "--prefix", "fe", "-o", "out"]).ok();
    let text = std::fs::read_to_string(place.path("out/fe.c")).expect("a source");
    let leaks = [
        ("  static volatile unsigned char seen; if (a[0] & 1) seen = 1;", "a branch depends on data"),
        ("  static volatile uint64_t seen; seen = a[0] / (b[0] | 1);", "a division of data"),
        ("  static volatile unsigned char seen[256]; seen[a[0] & 255] = 1;", "an address depends on data"),
    ];
    for (leak, what) in leaks {
        std::fs::write(place.path("out/leak.c"), planted(&text, "\nvoid fe_add(", leak)).expect("written");
        for cc in ["gcc", "clang"] {
            for level in ["-O0", "-O1", "-O2", "-O3"] {
                run(&place.path("out"), cc, &["-std=c99", level, "-c", "-o", "leak.o", "leak.c"]);
                let found = found(&disassembled(&place.path("out"), "leak.o"), "fe_", &NATIVE);
                let named = |line: &String| line.starts_with(&format!("fe_add: {what}: "));
                assert!(found.iter().any(named), "{cc} {level}, {leak}: {found:#?}");
            }
        }
    }
}

/// The functions of a crate that stands alone, at a level of optimisation: they keep their names when nothing else calls
/// them.
fn rust(folder: &Path, level: &str) -> Vec<Function> {
    let text = std::fs::read_to_string(folder.join("lib.rs")).expect("a source");
    let exported =
        text.replace("\npub const fn fe_", "\n#[no_mangle]\npub const fn fe_").replace("#![forbid(unsafe_code)]", "");
    std::fs::write(folder.join("exported.rs"), exported).expect("written");
    let level = format!("opt-level={level}");
    let arguments = [
        "--edition=2021",
        "--crate-type=lib",
        "--emit=obj",
        "-Awarnings",
        "-C",
        &level,
        "-C",
        "overflow-checks=off",
        "-o",
        "fe.o",
        "exported.rs",
    ];
    run(folder, "rustc", &arguments);
    disassembled(folder, "fe.o")
}

#[test]
fn rust_depends_on_no_data() {
    let place = Place::new();
    if !can_read("machine code of Rust", &["objdump", "rustc"]) {
        return;
    }
    let packages: [&[&str]; 3] = [
        &["p256", "--ops", "mul,square,add,sub,opp,selectznz,to_bytes"],
        &["25519", "--ops", "mul,add,selectznz"],
        &["cipher:dfc", "--ops", "encrypt_block"],
    ];
    for package in packages {
        place.run(&[&["emit"], package, &["--lang", "rust", "--prefix", "fe", "-o", "out", "--force"]].concat()).ok();
        for level in
            evariste_testing::sample(&format!("Rust of {}", package[0]), vec!["1", "2", "3", "s"], usize::MAX, |_| ())
        {
            let found = found(&rust(&place.path("out"), level), "fe_", &NATIVE);
            assert!(found.is_empty(), "{package:?} at {level}: {found:#?}");
        }
    }
    // Planted ones.
    place.run(&["emit", "2^61-1", "--lang", "rust", "--ops", "add", "--prefix", "fe", "-o", "out", "--force"]).ok();
    let source = place.path("out/lib.rs");
    let text = std::fs::read_to_string(&source).expect("a source");
    for (leak, what) in [
        ("    if a[0] & 1 == 1 { loop { if b[0] != 0 { break; } } }", "a branch depends on data"),
        ("    let a = &[a[0] / (b[0] | 1)];", "a division of data"),
    ] {
        std::fs::write(&source, planted(&text, "pub const fn fe_add(", leak)).expect("written");
        for level in ["1", "2", "3"] {
            let found = found(&rust(&place.path("out"), level), "fe_", &NATIVE);
            let named = |line: &String| line.starts_with(&format!("fe_add: {what}: "));
            assert!(found.iter().any(named), "{level}, {leak}: {found:#?}");
        }
    }
}

/// The functions of a package's class as HotSpot's optimising compiler translates them: it prints their bytes without
/// any plug-in.
fn java(folder: &Path) -> Vec<Function> {
    run(folder, "make", &["-s", "all"]);
    let print = ["compileonly,Fe::fe_*", "print,Fe::fe_*"].map(|what| format!("-XX:CompileCommand={what}"));
    let arguments =
        ["-Xbatch", "-Xcomp", "-XX:-TieredCompilation", "-XX:CompileCommand=quiet", "-XX:+UnlockDiagnosticVMOptions"];
    let all = [&arguments[..], &[&print[0], &print[1], "-cp", "build", "FeTest"]].concat();
    let text = run(folder, "java", &all);
    let mut functions = Vec::new();
    for method in text.split("Compiled method (c2)").skip(1) {
        let (Some(name), Some(code)) = (method.split("Fe::").nth(1), method.split("[MachCode]").nth(1)) else {
            continue;
        };
        // Methods that take places in arrays hold the arithmetic; those above look at lengths, and make messages of them.
        if !code.lines().any(|line| line.contains("# {method}") && line.contains("[JI")) {
            continue;
        }
        let name = name.split(' ').next().unwrap_or_default().to_string();
        let code = ["[/MachCode]", "[Stub Code]", "[Exception Handler]"]
            .iter()
            .fold(code, |code, end| code.split(end).next().unwrap_or(code));
        let hex: String = code
            .lines()
            .filter_map(|line| line.trim().strip_prefix("0x")?.split_once(": "))
            .map(|(_, hex)| hex)
            .filter(|hex| !hex.contains(';'))
            .collect();
        let digits: Vec<u8> = hex.bytes().filter(u8::is_ascii_hexdigit).collect();
        let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).expect("digits"), 16).expect("a byte");
        let bytes: Vec<u8> = digits.chunks_exact(2).map(byte).collect();
        std::fs::write(folder.join("method.bin"), bytes).expect("written");
        let listing =
            run(folder, "objdump", &["-D", "-b", "binary", "-m", "i386:x86-64", "--no-show-raw-insn", "method.bin"]);
        let lines = format!("0 <{name}>:\n{}", listing.split("<.data>:").nth(1).unwrap_or_default());
        functions.extend(self::functions(&lines));
    }
    functions
}

#[test]
fn java_depends_on_no_data() {
    let place = Place::new();
    if !can_read("machine code of Java", &["objdump", "make", "javac", "java"]) {
        return;
    }
    let emit = |package: &[&str]| {
        place.run(&[&["emit"], package, &["--lang", "java", "--prefix", "fe", "-o", "out", "--force"]].concat()).ok()
    };
    let packages: Vec<&[&str]> = vec![
        &["p256", "--ops", "mul,add,selectznz"],
        &["25519", "--ops", "mul,sub"],
        &["cipher:dfc", "--ops", "encrypt_block"],
    ];
    for package in evariste_testing::sample("machine code of Java", packages, usize::MAX, |_| ()) {
        emit(package);
        let found = found(&java(&place.path("out")), "fe_", &JVM);
        assert!(found.is_empty(), "{package:?}: {found:#?}");
    }
    emit(&["2^61-1", "--ops", "add"]);
    let source = place.path("out/Fe.java");
    let text = std::fs::read_to_string(&source).expect("a source");
    let text = planted(&text, "public final class Fe ", "    public static volatile long seen;");
    for (leak, what) in [
        ("        if ((a[a_at] & 1) != 0) seen = 1;", "a branch depends on data"),
        ("        seen = a[a_at] / (b[b_at] | 1);", "a division of data"),
    ] {
        std::fs::write(&source, planted(&text, "private static void fe_add(", leak)).expect("written");
        let found = found(&java(&place.path("out")), "fe_", &JVM);
        let named = |line: &String| line.starts_with(&format!("fe_add: {what}: "));
        assert!(found.iter().any(named), "{leak}: {found:#?}");
    }
}
