//! `emit` and `check`: packages are whole or not there, and their answers are judged again.

use std::process::Command;

use crate::common::{Place, can_test, compiler, documented, own_test};

#[test]
fn a_package_holds_until_it_is_edited() {
    let place = Place::new();
    let text = place.run(&["emit", "2^61-1", "--ops", "mul,add,to_bytes,inv", "-o", "out"]).ok();
    assert!(text.contains("m61_vectors.h") || text.contains("mersenne61_vectors.h"), "{text}");
    assert!(text.ends_with("try: make -C out test\n"), "{text}");
    let vectors = place.path("out/mersenne61_vectors.h");

    let check = place.run(&["check", "out", "--json"]).ended(0);
    documented(&check.json());
    let json = check.json();
    assert_eq!(json["passed"], true);
    assert_eq!(json["operations"].as_array().map(Vec::len), Some(4));
    assert!(json["operations"][0]["vectors"].as_u64() >= Some(10));
    if compiler() {
        assert_eq!(json["tests"].as_array().map(Vec::len), Some(2), "plain, and with proved bounds asserted");
    }

    // Times on fixed and on random operands: a record; what it says is asserted nowhere.
    if compiler() {
        let timing = place.run(&["check", "out", "--timing", "--json"]).ended(0).json();
        documented(&timing);
        let functions = timing["timing"]["functions"].as_array().cloned().unwrap_or_default();
        assert_eq!(functions.len(), 4, "{timing}");
        for function in functions {
            assert!(
                function["t"].as_f64().is_some_and(f64::is_finite) && function["kept"].as_f64() <= Some(1.0),
                "{function}"
            );
            assert!(
                function["classes"]
                    .as_array()
                    .is_some_and(|c| c.len() == 2 && c.iter().all(|c| c["samples"].as_u64() > Some(100))),
                "{function}"
            );
        }
        let text = place.run(&["check", "out", "--timing"]).ok();
        assert!(
            text.contains("Welch's t, zeros against random operands, on ") && text.contains("  to_bytes "),
            "{text}"
        );
    }

    // A wrong answer is found, by the reference where the manifest has it, by the compiled test where its table has it.
    let manifest = place.path("out/package.json");
    let known = std::fs::read_to_string(&manifest).expect("a manifest");
    let at = known.find("\"operation\": \"add\"").expect("an operation");
    let digit = at + known[at..].find("\"outputs\":[[\"0x").expect("a word") + 15;
    let mut bad = known.clone();
    bad.replace_range(digit..digit + 1, if &known[digit..digit + 1] == "7" { "6" } else { "7" });
    assert_ne!(known, bad);
    std::fs::write(&manifest, &bad).expect("written");
    let run = place.run(&["check", "out"]).ended(1);
    assert!(run.out.contains("WRONG      add, vector 0: "), "{}", run.out);
    assert!(run.err.starts_with("error: the package does not hold\n"), "{}", run.err);
    let json = place.run(&["check", "out", "--json"]).ended(1).json();
    assert_eq!((&json["passed"], &json["error"]["kind"]), (&false.into(), &"failure".into()));
    if compiler() {
        std::fs::write(&manifest, &known).expect("written");
        let good = std::fs::read_to_string(&vectors).expect("vectors");
        let at = good.find("_add_out_expected").expect("a table");
        let digit = at + good[at..].find("{{").or(good[at..].find("  {")).expect("a row") + 3;
        let mut bad = good.clone();
        bad.replace_range(digit..digit + 1, if &good[digit..digit + 1] == "7" { "6" } else { "7" });
        std::fs::write(&vectors, &bad).expect("written");
        place.run(&["check", "out"]).ended(1);
        std::fs::write(&vectors, &good).expect("written");
    }

    // Missing answers and unreadable files are told of as well.
    for (was, is) in [("\"operation\": \"add\"", "\"operation\": \"sub\""), ("\"name\":\"a\"", "\"name\":\"x\"")] {
        assert!(known.contains(was), "{was}");
        std::fs::write(&manifest, known.replace(was, is)).expect("written");
        place.run(&["check", "out"]).ended(1);
    }
    for (text, why) in [("{", "package.json: EOF"), ("{\"format\": 1}", "package.json: missing field")] {
        std::fs::write(&manifest, text).expect("written");
        let run = place.run(&["check", "out"]).ended(1);
        assert!(run.err.starts_with(&format!("error: `out` cannot be checked: {why}")), "{}", run.err);
    }
    std::fs::write(&manifest, known.replace("evariste emit", "another emit")).expect("written");
    let run = place.run(&["check", "out"]).ended(1);
    assert!(run.err.contains("it names no `evariste emit` command"), "{}", run.err);
    // What lies in the folder is read only where it is a plain file, and run only if it may be.
    std::fs::write(&manifest, &known).expect("written");
    let check = place.run(&["check", "out", "--no-run", "--json"]).ended(0).json();
    assert_eq!((&check["passed"], check["tests"].as_array().map(Vec::len)), (&true.into(), Some(0)));
    #[cfg(unix)]
    for target in ["/dev/zero", "/etc/passwd"] {
        std::fs::remove_file(&manifest).expect("removed");
        std::os::unix::fs::symlink(target, &manifest).expect("a link");
        let run = place.run(&["check", "out"]).ended(1);
        assert!(run.err.contains("package.json is not a plain file"), "{}", run.err);
    }
    let run = place.run(&["check", "nowhere"]).ended(1);
    assert!(run.err.starts_with("error: `nowhere` cannot be checked: "), "{}", run.err);
    let run = place.run(&["check", "."]).ended(1);
    assert!(run.err.contains("package.json: "), "{}", run.err);
}

/// Kernels of 32-bit words, rewritten so that nothing wider is left and proved again.
#[test]
fn c89_has_words_of_32_bits() {
    let place = Place::new();
    let fields = vec![("p256", "mul,inv"), ("bn254-fr", "mul,square,sub,to_montgomery"), ("mersenne61", "mul,add")];
    for (field, ops) in evariste_testing::sample("c89", fields, usize::MAX, |_| ()) {
        let mut arguments = vec!["emit", field, "--lang", "c89", "--ops", ops, "-o", "out", "--force"];
        if ops.contains("montgomery") {
            arguments.extend(["--layout", "montgomery-8x32"]);
        }
        let text = place.run(&arguments).ok();
        assert!(text.contains("x32"), "{text}");
        let check = place.run(&["check", "out", "--json"]).ended(0).json();
        assert_eq!(
            (&check["passed"], &check["operations"].as_array().map(Vec::len)),
            (&true.into(), &Some(ops.split(',').count()))
        );
        if compiler() {
            let run = place.run(&["check", "out", "--timing"]).ended(1);
            assert!(run.err.contains("functions of `c89` cannot be timed here"), "{}", run.err);
            // The benchmark has a line for each function, with a time.
            let made =
                Command::new("make").args(["CFLAGS=-O2 -Werror", "bench"]).current_dir(place.path("out")).output();
            let made = made.expect("make runs");
            let told = String::from_utf8_lossy(&made.stdout);
            assert!(made.status.success(), "{field}: {told}{}", String::from_utf8_lossy(&made.stderr));
            let header = std::fs::read_to_string(place.path("out/README.md")).expect("a readme");
            for operation in ops.split(',') {
                let time = |line: &str| line.split_whitespace().nth(1)?.parse::<f64>().ok();
                let line = told
                    .lines()
                    .find(|line| line.split(' ').next().is_some_and(|n| n.ends_with(&format!("_{operation}"))));
                assert!(line.and_then(time).is_some_and(|ns| ns > 0.5), "{field} {operation}: {told}");
            }
            assert!(header.contains("`make bench`") && header.contains("`make ct`"), "{header}");
        }
    }
    let wide = ["emit", "goldilocks", "--lang", "c89", "--layout", "1x64", "--ops", "mul", "-o", "out", "--force"];
    let run = place.run(&wide).ended(2);
    assert!(run.err.contains("no layout `1x64` for goldilocks in words of at most 32 bits"), "{}", run.err);
}

/// What the language cannot print is made by the next plan, and the user is told; a plan that was named is refused.
#[test]
fn c89_takes_the_next_plan_where_it_cannot_print_the_first() {
    let place = Place::new();
    for field in ["goldilocks", "dfc", "GF(2^8)"] {
        let run = place.run(&["emit", field, "--lang", "c89", "-o", "out", "--force"]).ended(0);
        let other = field == "GF(2^8)";
        assert_eq!(run.err.contains("the first choice"), other, "{}", run.err);
        let readme = std::fs::read_to_string(place.path("out/README.md")).expect("a text");
        assert_eq!(readme.contains("the first choice"), other, "{readme}");
        assert!(place.run(&["check", "out", "--json"]).ended(0).json()["passed"] == true);
    }
    let named = ["emit", "GF(2^8)", "--lang", "c89", "--plan", "mul=clmul-schoolbook+barrett", "-o", "out", "--force"];
    let run = place.run(&named).ended(1);
    assert!(run.err.contains("a carry-less product is not available"), "{}", run.err);
}

#[test]
fn layouts_of_a_field_have_different_names() {
    let place = Place::new();
    let fields = place.run(&["list", "fields", "--json"]).ended(0).json();
    for field in fields["fields"].as_array().expect("a list") {
        let layouts =
            place.run(&["list", "layouts", field["name"].as_str().expect("a name"), "--json"]).ended(0).json();
        let names: Vec<&str> =
            layouts["layouts"].as_array().expect("a list").iter().filter_map(|l| l["name"].as_str()).collect();
        let distinct: std::collections::HashSet<&&str> = names.iter().collect();
        assert_eq!(distinct.len(), names.len(), "{field}: {names:?}");
    }
}

#[test]
fn bit_sliced_and_truncated_packages_hold() {
    let place = Place::new();
    for (field, arguments) in
        [("GF(2^11):onb2", vec![]), ("dfc", vec!["--ops", "affine_mod_2_64,mul"]), ("int128", vec![])]
    {
        let mut emit = vec!["emit", field, "-o", "out", "--force"];
        emit.extend(arguments);
        place.run(&emit).ok();
        let run = place.run(&["check", "out"]).ended(0);
        assert!(run.out.contains("every answer is right"), "{run:#?}");
        std::fs::remove_dir_all(place.path("out")).expect("removed");
    }
}

/// Who calls a function on bytes and looks at no status is warned; who looks is not.
#[test]
fn a_status_that_nobody_looks_at_is_a_warning() {
    let there = |cc: &&str| {
        std::process::Command::new(cc).arg("--version").output().is_ok_and(|output| output.status.success())
    };
    let Some(cc) = ["gcc", "clang"].into_iter().find(there) else {
        return evariste_testing::lacks_tool("a status that nobody looks at", "gcc");
    };
    let place = Place::new();
    for header_only in [&[][..], &["--header-only"]] {
        let emit = ["emit", "curve:p256", "--ops", "from_compressed", "--prefix", "c", "-o", "out", "--force"];
        place.run(&[&emit, header_only].concat()).ok();
        let compiled = |body: &str| {
            let text = format!(
                "#include \"c.h\"\nint main(void) {{\n  static uint64_t out[12];\n  static uint8_t p[33];\n{body}  return 0;\n}}\n"
            );
            std::fs::write(place.path("out/caller.c"), text).expect("written");
            let arguments = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-c", "caller.c"];
            let done = std::process::Command::new(cc).current_dir(place.path("out")).args(arguments).output();
            let done = done.expect("a compiler");
            (done.status.success(), String::from_utf8_lossy(&done.stderr).into_owned())
        };
        let (passed, told) = compiled("  if (!c_from_compressed(out, p)) return 1;\n");
        assert!(passed, "{told}");
        let (passed, told) = compiled("  c_from_compressed(out, p);\n");
        assert!(!passed && told.contains("unused"), "{told}");
    }
}

/// Points, towers, and Diffie and Hellman on bytes.
#[test]
fn packages_of_curves_and_towers_hold() {
    let cases: &[&[&str]] = &[
        &["curve:p256", "--ops", "add,from_uncompressed,ecdh,from_compressed,to_compressed"],
        &["curve:25519", "--lang", "c89", "--ops", "ecdh"],
        &["curve:ed448", "--lang", "asm", "--ops", "add,double,from_compressed,to_compressed"],
        &["bls12-381-fp6", "--lang", "asm", "--ops", "mul,square,add"],
    ];
    for case in cases {
        let place = Place::new();
        let arguments: Vec<&str> = ["emit"].iter().chain(*case).chain(&["-o", "out"]).copied().collect();
        place.run(&arguments).ok();
        let json = place.run(&["check", "out", "--json"]).ended(0).json();
        assert_eq!(json["passed"], true, "{case:?}: {json}");
    }
}

/// One header of inline functions: its test as C99 and as C++ by every compiler, warnings being errors, and two packages
/// in one file.
#[test]
fn headers_of_inline_functions_hold_in_c_and_cpp() {
    let place = Place::new();
    let there = |cc: &&str| {
        let found =
            std::process::Command::new(cc).arg("--version").output().is_ok_and(|output| output.status.success());
        if !found {
            evariste_testing::lacks_tool("headers of inline functions", cc);
        }
        found
    };
    let compilers: Vec<&str> = ["gcc", "clang", "g++", "clang++"].into_iter().filter(there).collect();
    let build = |folder: &str, cc: &str, flags: &[&str], source: &str| {
        let language: &[&str] = if cc.ends_with("++") { &["-x", "c++"] } else { &["-std=c99"] };
        let built = std::process::Command::new(cc)
            .current_dir(place.path(folder))
            .args(language)
            .args(["-Wall", "-Wextra", "-Werror", "-pedantic", "-O1", "-o", "run", source])
            .args(flags)
            .output()
            .expect("a compiler");
        assert!(built.status.success(), "{folder} {cc} {flags:?}: {}", String::from_utf8_lossy(&built.stderr));
        let run = std::process::Command::new(place.path(folder).join("run")).output().expect("it was built");
        assert!(run.status.success(), "{folder} {cc} {flags:?}: {run:?}");
        String::from_utf8_lossy(&run.stdout).into_owned()
    };
    let drawn = evariste_testing::sample("headers of inline functions", vec!["fe", "fp", "nb"], usize::MAX, |_| ());
    for (field, prefix) in [("2^255-19", "fe"), ("p256", "fp"), ("GF(2^11):onb2", "nb")] {
        place.run(&["emit", field, "--lang", "c", "--header-only", "--prefix", prefix, "-o", prefix]).ok();
        assert!(!place.path(prefix).join(format!("{prefix}.c")).exists(), "{field}");
        let header = std::fs::read_to_string(place.path(prefix).join(format!("{prefix}.h"))).expect("a header");
        assert!(header.contains(&format!("static inline void {prefix}_mul(")), "{field}");
        assert!(!header.contains("pragma"), "{field}: a header must not set the user's options");
        let read = |name: &str| std::fs::read_to_string(place.path(prefix).join(name)).expect(name);
        assert!(read("README.md").contains("`-fno-tree-slp-vectorize`"), "{field}");
        // Loops of inline functions whose results nobody uses took no time at all.
        for call in read("bench.c").split("  while (n-- > 0) ").skip(1) {
            assert!(call.split("\n}\n").next().is_some_and(|body| body.contains("    LOOK(")), "{field}: {call}");
        }
        // By default one field each day goes through compilers.
        if !drawn.contains(&prefix) {
            continue;
        }
        let check = place.run(&["check", prefix, "--json"]).ended(0).json();
        assert_eq!(check["passed"], true, "{field}");
        // Every compiler plain and with checks; by default one of each language.
        let cases: Vec<(&str, bool)> = compilers.iter().flat_map(|cc| [(*cc, false), (*cc, true)]).collect();
        let what = format!("headers of inline functions of {field}");
        for (cc, verify) in evariste_testing::sample(&what, cases, usize::MAX, |(cc, _)| cc.ends_with("++")) {
            build(prefix, cc, &[], "bench.c");
            let told = build(prefix, cc, if verify { &["-DEVARISTE_VERIFY"] } else { &[] }, "test.c");
            assert!(told.ends_with(" 0 failures\n") && !told.starts_with("0 checks"), "{field} {cc}: {told}");
        }
    }
    let both = "#include \"fe/fe.h\"\n#include \"fp/fp.h\"\n#include \"nb/nb.h\"\n#include \"fe/fe.h\"\nint main(void) {\n  fe_element a;\n  fp_element b;\n  fe_mul(a, fe_one, fe_one);\n  fp_mul(b, fp_one, fp_one);\n  return !(fe_is_canonical(a) && fp_is_canonical(b) && b[0] == fp_one[0] && a[0] == 1);\n}\n";
    std::fs::write(place.path("both.c"), both).expect("written");
    for cc in &compilers {
        build(".", cc, &[], "both.c");
        build(".", cc, &["-DEVARISTE_VERIFY"], "both.c");
    }
    let run = place.run(&["emit", "p256", "--lang", "asm", "--header-only", "-o", "asm"]).ended(2);
    assert!(run.err.contains("only C has it: --lang c --header-only"), "{}", run.err);
    if compiler() {
        let run = place.run(&["check", "fe", "--timing"]).ended(1);
        assert!(run.err.contains("functions of `c-header` cannot be timed here"), "{}", run.err);
    }
}

/// Fields of every form in machine code beside C: built and run as the user would, with every compiler, warnings being
/// errors.
#[test]
fn assembly_packages_hold() {
    let place = Place::new();
    let compilers: Vec<&str> = ["gcc", "clang"]
        .into_iter()
        .filter(|cc| std::process::Command::new(cc).arg("--version").output().is_ok_and(|o| o.status.success()))
        .collect();
    // By default DFC and one other, another one each day.
    let fields = vec!["p256", "2^255-19", "bls12-381-fr", "p521", "dfc"];
    for field in evariste_testing::sample("assembly", fields, usize::MAX, |field| *field == "dfc") {
        place.run(&["emit", field, "--lang", "asm", "--prefix", "fe", "-o", "out"]).ok();
        let check = place.run(&["check", "out", "--json"]).ended(0);
        documented(&check.json());
        assert_eq!(check.json()["passed"], true, "{field}");
        // By default one compiler, another one each day.
        let drawn = evariste_testing::sample(&format!("assembly of {field}"), compilers.clone(), usize::MAX, |_| ());
        for cc in drawn {
            let portable = if field == "dfc" { &["-O1 -Werror -DEVARISTE_PORTABLE"][..] } else { &[] };
            for flags in ["-O1 -Werror -fcf-protection=full"].iter().chain(portable) {
                let make = |target: &str| {
                    let output = std::process::Command::new("make")
                        .current_dir(place.path("out"))
                        .args([&format!("CC={cc}"), &format!("CFLAGS={flags}"), target])
                        .output()
                        .expect("make");
                    let text =
                        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
                    assert!(output.status.success(), "{field} {cc} {flags} {target}: {text}");
                    text
                };
                make("clean");
                let told = make("test");
                assert!(told.contains(" 0 failures; ") && !told.contains("\n0 checks"), "{field} {cc} {flags}: {told}");
                assert!(
                    !cfg!(target_arch = "x86_64") || flags.contains("PORTABLE") || !told.contains("; 0 of"),
                    "{field} {cc} {flags}: {told}"
                );
            }
        }
        std::fs::remove_dir_all(place.path("out")).expect("removed");
    }
}

/// A function may have a version for processors that have more than most: in C and in Rust, and of layouts for such code
/// alone too. The command in the package gives it again, and a plan can be named, or none.
#[test]
fn versions_for_some_processors_hold() {
    #[cfg(target_arch = "x86_64")]
    if !std::is_x86_feature_detected!("avx512ifma") {
        evariste_testing::lacks_feature(
            "versions for some processors, which are built and not run",
            "AVX-512 with IFMA",
        );
    }
    let place = Place::new();
    let read = |folder: &str, file: &str| std::fs::read_to_string(place.path(folder).join(file)).unwrap_or_default();
    let packages = [
        ("curve:25519", "5x51", "clamped_ladder", "montgomery-ladder-side-by-side"),
        ("bls12-381-fp2", "montgomery-8x52-clean", "mul", ""),
    ];
    for (field, layout, op, plan) in packages {
        let arguments =
            ["emit", field, "--lang", "asm", "--target", "x86-64", "--layout", layout, "--ops", op, "--prefix", "fe"];
        place.run(&[&arguments[..], &["-o", "out"]].concat()).ok();
        let (readme, source) = (read("out", "README.md"), read("out", "fe.c"));
        assert!(readme.contains(&format!("| `fe_{op}_x86_64_ifma` | ")), "{field}: {readme}");
        assert_eq!(readme.contains(&format!("| `fe_{op}` | ")), layout == "5x51", "{field}: {readme}");
        assert!(
            source.contains(&format!("fe_{op}_x86_64_ifma(")) && source.contains(&format!("fe_{op}_c(")),
            "{source}"
        );
        assert_eq!(place.run(&["check", "out", "--json"]).ended(0).json()["passed"], true, "{field}");
        let line = source.lines().find_map(|l| l.strip_prefix(" *   evariste ")).expect("the command");
        assert!(line.contains(&format!(" --plan {op}@x86-64-ifma={plan}")), "{line}");
        let again = line.replace(" -o .", " -o again").replace('\'', "");
        place.run(&again.split(' ').collect::<Vec<_>>()).ok();
        for file in ["fe.c", "fe_x86_64.S", "README.md", "package.json"] {
            assert!(read("out", file) == read("again", file), "{field}: {file}");
        }
        std::fs::remove_dir_all(place.path("out")).expect("removed");
        std::fs::remove_dir_all(place.path("again")).expect("removed");
    }
    let named = |plan: &str| {
        let curve = ["emit", "curve:25519", "--layout", "5x51", "--lang", "asm", "--target", "x86-64"];
        let rest = ["--ops", "ladder", "--plan", plan, "--prefix", "fe", "-o", "named"];
        place.run(&[&curve[..], &rest].concat())
    };
    named("ladder@x86-64-ifma=none").ok();
    let source = read("named", "fe.c");
    assert!(!source.contains("_ifma(") && source.contains(" --plan ladder@x86-64-ifma=none"), "{source}");
    let told = named("ladder@x86-64-ifma=montgomery-ladder").ended(1);
    assert!(told.err.contains("gains nothing as x86-64-ifma code"), "{}", told.err);
    let told = named("ladder@abacus=montgomery-ladder").ended(2);
    assert!(told.err.contains("help: write ladder@x86-64-ifma"), "{}", told.err);
    let told = place.run(&["tune", "p256", "--code", "x86-64-ifma"]).ended(2);
    assert!(told.err.contains("is made among x86-64 code"), "{}", told.err);
    // Rust takes the same code.
    let rust =
        ["emit", "curve:25519", "--layout", "5x51", "--ops", "clamped_ladder", "--lang", "rust-asm", "--prefix", "fe"];
    place.run(&[&rust[..], &["-o", "crate"]].concat()).ok();
    assert!(read("crate", "x86_64.rs").contains("_clamped_ladder_x86_64_ifma("), "{}", read("crate", "x86_64.rs"));
    assert_eq!(place.run(&["check", "crate", "--json"]).ended(0).json()["passed"], true);
    wrong_versions_are_found(&place.path("crate"));
}

/// The crate's own tests pass, and fail where any version that this processor runs computes something else.
fn wrong_versions_are_found(folder: &std::path::Path) {
    let source = folder.join("x86_64.rs");
    let right = std::fs::read_to_string(&source).expect("machine code");
    let passes = || {
        let mut cargo = std::process::Command::new(crate::embedding::env_cargo());
        cargo.args(["test", "--offline", "--release", "--quiet", "--features", "asm"]).current_dir(folder);
        cargo.env_remove("CARGO_TARGET_DIR").output().expect("cargo runs").status.success()
    };
    assert!(passes());
    for version in versions() {
        let start = right.lines().position(|line| line.ends_with(&format!("{version}:"))).expect(version);
        // The stack pointer apart, a sum becomes a difference.
        let is_sum = |line: &str| line.starts_with("    add ") && !line.contains("rsp");
        let sum = start + right.lines().skip(start).position(is_sum).expect("a sum");
        let planted = |(i, line): (usize, &str)| if i == sum { line.replace("add ", "sub ") } else { line.into() };
        let wrong: Vec<String> = right.lines().enumerate().map(planted).collect();
        std::fs::write(&source, wrong.join("\n") + "\n").expect("written");
        assert!(!passes(), "{version}: line {}", sum + 1);
    }
}

/// What names of functions end with of which this processor runs the version.
fn versions() -> Vec<&'static str> {
    let mut all = Vec::new();
    #[cfg(target_arch = "x86_64")]
    {
        if std::is_x86_feature_detected!("adx") && std::is_x86_feature_detected!("bmi2") {
            all.push("_x86_64");
        }
        if std::is_x86_feature_detected!("avx512ifma") {
            all.push("_x86_64_ifma");
        }
    }
    all
}

/// Products of arrays at every level that C has: built with every compiler, plain and with sanitizers; and the command
/// that is in the files gives them again.
#[test]
fn products_of_arrays_hold_at_every_level() {
    let place = Place::new();
    let there = |cc: &&str| std::process::Command::new(cc).arg("--version").output().is_ok_and(|o| o.status.success());
    let compilers: Vec<&str> = ["gcc", "clang"].into_iter().filter(there).collect();
    let fields = vec!["2^255-19", "p256", "bls12-381-fp", "goldilocks", "babybear"];
    for field in evariste_testing::sample("products of arrays", fields, 2, |field| *field == "goldilocks") {
        let arguments =
            ["emit", field, "--lanes", "avx2", "--lanes", "avx-512", "--ops", "mul,square", "--prefix", "fe"];
        place.run(&[&arguments[..], &["-o", "out"]].concat()).ok();
        assert_eq!(place.run(&["check", "out", "--json"]).ended(0).json()["passed"], true, "{field}");
        let read = |folder: &str, file: &str| std::fs::read_to_string(place.path(folder).join(file)).expect(file);
        let text = read("out", "fe_arrays.c");
        assert!(text.contains("_mm256_") && text.contains("_mm512_"), "{field}");
        // Squares too, on the widest vectors at least.
        assert!(
            text.contains("fe_square_array_avx512(") && read("out", "fe.h").contains("fe_square_array("),
            "{field}"
        );
        assert!(read("out", "test.c").contains("fe_square_array_at("), "{field}");
        let line = text.lines().find_map(|l| l.strip_prefix(" *   evariste ")).expect("the command");
        let again = line.replace(" -o .", " -o again").replace('\'', "");
        place.run(&again.split(' ').collect::<Vec<_>>()).ok();
        assert_eq!(text, read("again", "fe_arrays.c"), "{field}");
        for cc in &compilers {
            for flags in ["-O2 -Wconversion -Werror", "-O1 -fsanitize=address,undefined -fno-sanitize-recover=all"] {
                let make = |target: &str| {
                    let built = std::process::Command::new("make")
                        .current_dir(place.path("out"))
                        .args([&format!("CC={cc}"), &format!("CFLAGS={flags}"), target])
                        .output()
                        .expect("make");
                    let told =
                        String::from_utf8_lossy(&built.stdout).into_owned() + &String::from_utf8_lossy(&built.stderr);
                    assert!(built.status.success(), "{field} {cc} {flags} {target}: {told}");
                    told
                };
                make("clean");
                // The functions of one element convert signs as they please.
                make(if flags.contains("-Wconversion") { "fe_arrays.o" } else { "test" });
            }
        }
        std::fs::remove_dir_all(place.path("out")).expect("removed");
        std::fs::remove_dir_all(place.path("again")).expect("removed");
    }
    place.run(&["emit", "p256", "--lanes", "none", "--ops", "mul", "--prefix", "fe", "-o", "out"]).ok();
    let text = std::fs::read_to_string(place.path("out/fe_arrays.c")).expect("a file");
    assert!(!text.contains("immintrin") && text.contains("fe_mul_array("), "{text}");
    // Without squares of one element there are none of arrays.
    assert!(!text.contains("square"), "{text}");
}

/// The names of the functions in a header.
fn functions(header: &str) -> std::collections::BTreeSet<String> {
    let declared = header.lines().filter(|l| l.ends_with(");") && l.contains("fe_"));
    declared.filter_map(|l| Some(l.split_once('(')?.0.split_whitespace().last()?.to_string())).collect()
}

/// Every layout has the same functions, forms apart; those that are made in C hold with every compiler, and the example
/// of the readme runs.
#[test]
fn every_layout_has_the_same_functions_and_its_example_runs() {
    let place = Place::new();
    let compilers: Vec<&str> = ["gcc", "clang"]
        .into_iter()
        .filter(|cc| std::process::Command::new(cc).arg("--version").output().is_ok_and(|o| o.status.success()))
        .collect();
    let mut levels = ["-O0", "-O1", "-O2", "-O3"].into_iter().cycle();
    let full = std::env::var_os("EVARISTE_FULL").is_some();
    let layouts = |field: &str| -> Vec<String> {
        let listed = place.run(&["list", "layouts", field, "--json"]).ended(0).json();
        let names = listed["layouts"].as_array().cloned().unwrap_or_default();
        // Some are of packages in another language alone.
        let here = names.iter().filter(|l| l["language"].is_null());
        here.filter_map(|l| Some(l["name"].as_str()?.to_string())).collect()
    };
    let fields = vec![
        ("2^255-19", &["4x64", "4x64-redundant", "5x51", "montgomery-8x32-lazy"][..]),
        ("p224", &["montgomery-4x64-lazy"]),
        ("babybear", &["montgomery-1x32", "1x64"]),
        ("p256", &["montgomery-4x64"]),
    ];
    // By default one field of several layouts and one of a single one, others each day.
    for (field, some) in evariste_testing::sample("layouts", fields, usize::MAX, |(_, some)| some.len() > 1) {
        let mut seen = None;
        for layout in layouts(field).iter().filter(|l| full || some.contains(&l.as_str())) {
            place.run(&["emit", field, "--prefix", "fe", "--layout", layout, "-o", "out"]).ok();
            let read = |name: &str| std::fs::read_to_string(place.path("out").join(name)).expect("a file");
            let mut has = functions(&read("fe.h"));
            has.retain(|name| {
                !["to_montgomery", "from_montgomery", "canonical"].iter().any(|op| *name == format!("fe_{op}"))
            });
            let before = seen.get_or_insert_with(|| has.clone());
            assert_eq!(*before, has, "{field} {layout}");
            for wanted in ["fe_is_zero", "fe_equal", "fe_is_canonical", "fe_from_bytes", "fe_from_bytes_be", "fe_sqrt"]
            {
                assert!(has.contains(wanted), "{field} {layout}: {wanted}");
            }
            let readme = read("README.md");
            let example = readme.split("## Example\n\n```c\n").nth(1).and_then(|rest| rest.split("```").next());
            std::fs::write(place.path("out/example.c"), example.expect("an example")).expect("written");
            for (cc, level) in compilers.iter().zip(&mut levels) {
                for (program, says) in [("example", "3 * 5 = 15\n"), ("test", " 0 failures\n")] {
                    let source = format!("{program}.c");
                    let built = std::process::Command::new(cc)
                        .current_dir(place.path("out"))
                        .args([
                            "-std=c99",
                            "-Wall",
                            "-Wextra",
                            "-pedantic",
                            "-Werror",
                            level,
                            "-o",
                            "run",
                            &source,
                            "fe.c",
                            "fe_arrays.c",
                        ])
                        .output()
                        .expect("a compiler");
                    let text = String::from_utf8_lossy(&built.stderr).into_owned();
                    assert!(built.status.success(), "{field} {layout} {cc} {level}: {text}");
                    let run = std::process::Command::new(place.path("out/run")).output().expect("it was built");
                    let told = String::from_utf8_lossy(&run.stdout).into_owned();
                    assert!(run.status.success() && told.ends_with(says), "{field} {layout} {cc} {level}: {told}");
                }
            }
        }
        assert!(seen.is_some(), "{field} has none of {some:?}");
        std::fs::remove_dir_all(place.path("out")).expect("removed");
    }
}

/// A status that nobody looks at is a warning; where there are no integers of 128 bits, the text says what to emit.
#[test]
fn what_compilers_say_of_misuse() {
    let place = Place::new();
    place.run(&["emit", "p256", "--prefix", "fe", "--ops", "mul,from_bytes", "-o", "out"]).ok();
    let text = std::fs::read_to_string(place.path("out/fe.c")).expect("the functions");
    assert!(
        text.contains("#if !defined(__SIZEOF_INT128__)\n#error \"these functions need unsigned __int128, which this target lacks: emit the package with --layout montgomery-8x32\"\n"),
        "{text}"
    );
    if !compiler() {
        return;
    }
    let say = |text: &str| {
        std::fs::write(place.path("out/use.c"), text).expect("written");
        let run = std::process::Command::new("cc")
            .current_dir(place.path("out"))
            .args(["-std=c99", "-Wall", "-c", "-o", "use.o", "use.c"])
            .output()
            .expect("cc");
        String::from_utf8_lossy(&run.stderr).into_owned()
    };
    let with = |call: &str| {
        format!(
            "#include \"fe.h\"\nint main(void) {{\n  const uint8_t bytes[32] = {{1}};\n  fe_plain a;\n  {call};\n  return 0;\n}}\n"
        )
    };
    assert!(say(&with("fe_from_bytes(a, bytes)")).contains("unused"), "the status must be looked at");
    assert_eq!(say(&with("return fe_from_bytes(a, bytes)")), "");
}

#[test]
fn schedules_come_from_where_they_are_asked_for() {
    let place = Place::new();
    let emit = |name: &str, more: &[&str]| {
        place.run(&[&["emit", "2^61-1", "--lang", "asm", "--ops", "mul", "-o", name][..], more].concat())
    };
    emit("one", &[]).ok();
    let readme = std::fs::read_to_string(place.path("one/README.md")).expect("a readme");
    assert!(
        readme.contains(" --schedules heuristic\n") && readme.contains("; machine code: heuristic schedule"),
        "{readme}"
    );
    // A file without the kernel's schedule, and with a line that means nothing.
    std::fs::write(place.path("mine.txt"), "# Schedules of machine code\nmersenne61 | mul\n").expect("written");
    let run = emit("two", &["--schedules", "mine.txt", "--goal", "latency"]).ended(0);
    assert!(run.err.contains("note: mine.txt: line 2 is ignored: it has 2 parts, not 9"), "{}", run.err);
    for file in ["mersenne61_x86_64.S", "README.md"] {
        let read = |folder: &str| std::fs::read_to_string(place.path(folder).join(file)).expect("a file");
        assert_eq!(read("one"), read("two"), "{file}");
    }
    std::fs::write(place.path("letter.txt"), "Dear Sophie,\n").expect("written");
    let run = emit("three", &["--schedules", "letter.txt"]).ended(1);
    assert!(
        run.err.contains("letter.txt cannot be read: it is not a file of schedules") && !place.path("three").exists(),
        "{}",
        run.err
    );
    let run = emit("three", &["--schedules", "nowhere.txt"]).ended(2);
    assert!(
        run.err.starts_with("error: there is no file `nowhere.txt`\nhelp: ") && !place.path("three").exists(),
        "{}",
        run.err
    );
}

#[test]
fn machine_code_is_shown() {
    let place = Place::new();
    let text = place.run(&["show", "program", "2^61-1", "--op", "add"]).ok();
    assert!(
        text.contains(" for baseline\n") && text.contains("    ret\n") && text.contains(" instructions: "),
        "{text}"
    );
    let text = place.run(&["show", "asm", "2^61-1", "--op", "mul"]).ok();
    assert!(text.contains("EVARISTE_FUNCTION(mersenne61_mul_x86_64)\n"), "{text}");
    for what in ["program", "asm"] {
        let run = place.run(&["show", what, "p256", "--json"]).ended(0);
        documented(&run.json());
    }
}

#[test]
fn the_command_of_a_package_gives_the_package_again() {
    let place = Place::new();
    place.run(&["emit", "2^61-1", "--ops", "mul,sub", "--prefix", "m61", "--layout", "1x61", "-o", "one"]).ok();
    let header = std::fs::read_to_string(place.path("one/m61.h")).expect("a header");
    let line = header.lines().find_map(|l| l.strip_prefix(" *   evariste ")).expect("the command");
    let words: Vec<&str> = line
        .split('\'')
        .enumerate()
        .flat_map(|(i, part)| if i % 2 == 1 { vec![part] } else { part.split_whitespace().collect() })
        .collect();
    std::fs::create_dir(place.path("two")).expect("a folder");
    let status = place.command(&words).current_dir(place.path("two")).output().expect("the command starts").status;
    assert!(status.success());
    for file in ["m61.h", "m61.c", "m61_vectors.h", "test.c", "README.md", "evariste.json"] {
        let read = |folder: &str| std::fs::read_to_string(place.path(folder).join(file)).expect("a file");
        assert_eq!(read("one"), read("two"), "{file}");
    }
}

#[test]
fn a_plan_can_be_named() {
    let place = Place::new();
    place
        .run(&[
            "emit",
            "2^61-1",
            "--ops",
            "mul",
            "--layout",
            "montgomery-1x64",
            "--plan",
            "mul=montgomery-fips",
            "-o",
            "out",
        ])
        .ok();
    let readme = std::fs::read_to_string(place.path("out/README.md")).expect("a readme");
    assert!(readme.contains("montgomery-fips/montgomery-1x64"), "{readme}");
    // Variable time is asked for by name, and says so in every name.
    place
        .run(&[
            "emit",
            "GF(2^29)",
            "--ops",
            "mul",
            "--layout",
            "1x64",
            "--plan",
            "mul=comb-window+fold_vartime",
            "-o",
            "leaky",
        ])
        .ok();
    let header = std::fs::read_to_string(place.path("leaky/gf2_29.h")).expect("a header");
    assert!(
        header.contains("gf2_29_mul_vartime(") && !header.contains("_mul(") && header.contains("NOT constant-time"),
        "{header}"
    );
    place.run(&["check", "leaky"]).ok();
    let run = place.run(&["emit", "2^61-1", "--plan", "mul=karat", "-o", "other"]).ended(2);
    assert!(run.err.contains("no plan `karat`") && !place.path("other").exists(), "{}", run.err);
}

#[test]
fn foreign_folders_and_unwritable_paths_are_left_alone() {
    let place = Place::new();
    std::fs::create_dir(place.path("mine")).expect("a folder");
    std::fs::write(place.path("mine/diary.txt"), "dear diary").expect("written");
    let emit =
        |path: &str, more: &[&str]| place.run(&[&["emit", "int64", "--ops", "mul", "-o", path][..], more].concat());
    let run = emit("mine", &[]).ended(1);
    assert!(run.err.contains("help: choose another folder, or add --force"), "{}", run.err);
    assert_eq!(std::fs::read_dir(place.path("mine")).expect("a folder").count(), 1);
    emit("mine", &["--force"]).ended(0);
    assert_eq!(std::fs::read_to_string(place.path("mine/diary.txt")).expect("kept"), "dear diary");

    // The package of another field stays.
    place.run(&["emit", "int64", "--ops", "mul", "-o", "other"]).ok();
    let run = place.run(&["emit", "int128", "--ops", "mul", "-o", "other"]).ended(1);
    assert_eq!(
        run.err,
        "error: `other` holds a package of int64\nhelp: choose another folder, such as -o int128, or add --force to replace it by one of int128\n"
    );
    assert!(place.path("other/int64.c").exists());
    place.run(&["emit", "int128", "--ops", "mul", "-o", "other", "--force"]).ok();
    assert!(place.path("other/int128.c").exists() && !place.path("other/int64.c").exists());

    // Below a file, nothing can be written, whoever asks.
    let run = emit("mine/diary.txt/out", &["--json"]).ended(1);
    assert_eq!(run.json()["error"]["kind"], "failure");
    let run = emit("mine/diary.txt", &["--force"]).ended(1);
    assert!(run.err.contains("is not a folder"), "{}", run.err);
    assert_eq!(std::fs::read_to_string(place.path("mine/diary.txt")).expect("kept"), "dear diary");
}

/// Known answers, by the test that the package brings: whatever the table of languages has.
#[test]
fn packages_of_every_language_pass_their_own_test() {
    let place = Place::new();
    for language in evariste::LANGUAGES {
        if !can_test(language) {
            continue;
        }
        for (field, operations) in [("p256", "mul,add,sub,selectznz,to_bytes"), ("mersenne61", "mul,square,opp")] {
            place.run(&["emit", field, "--lang", language.name, "--ops", operations, "-o", "out", "--force"]).ok();
            own_test(language, &place.path("out"), &[]);
        }
    }
}

/// Packages of everything that has kernels, in every language but C with words of 64 bits and C89: built, run, judged. By default
/// each language has two of them, others each day.
#[test]
fn packages_in_other_languages_hold() {
    let place = Place::new();
    let cases: Vec<&[&str]> = vec![
        &["25519"],
        &["p256"],
        &["bls12-381-fp", "--ops", "mul,square,add,sub,opp,to_montgomery,from_montgomery,from_bytes,to_bytes"],
        &["babybear"],
        &["2^64"],
        &["GF(2^233)"],
        &["GF(2^11):onb2"],
        &["bls12-381-fp6", "--ops", "mul,square,add"],
        &["curve:p256", "--ops", "add,double,from_uncompressed"],
        &["curve:25519", "--ops", "ecdh"],
        &["cipher:dfc"],
        &["cipher:dfcv2", "--ops", "encrypt_block,expand_key"],
        &["cipher:wg"],
        &["mac:mmh32"],
        &["mac:square-hash-32"],
    ];
    for language in ["rust", "java", "go", "opencl", "cuda", "wasm", "c-portable"] {
        let row = evariste::language(language).expect("it is there");
        if !can_test(row) {
            continue;
        }
        // What failed in one language alone is tried there each day: layouts that only it has; a modulus of one bit more
        // than elements have bytes.
        let always = match language {
            "java" => "p256",
            "go" => "2^64",
            _ => "",
        };
        let kind = |case: &&[&str]| (case[0].contains(':'), case[0] == always);
        for case in evariste_testing::sample(&format!("packages in {language}"), cases.clone(), usize::MAX, kind) {
            let arguments = [&["emit"], case, &["--lang", language, "--prefix", "fe", "-o", "out"]].concat();
            place.run(&arguments).ok();
            let run = place.run(&["check", "out", "--json"]).ended(0);
            documented(&run.json());
            let json = run.json();
            assert_eq!(json["passed"], true, "{case:?} in {language}: {json}");
            if compiler() {
                let runs = if row.is_c { 2 } else { 1 };
                assert_eq!(json["tests"].as_array().map(Vec::len), Some(runs), "{case:?} in {language}: {json}");
            }
            // The same command gives the same files.
            let text = |name: &str| std::fs::read_to_string(place.path("out").join(name)).expect(name);
            let (before, readme) = (text("package.json"), text("README.md"));
            place.run(&[&arguments[..], &["--force"]].concat()).ok();
            assert_eq!((before, readme), (text("package.json"), text("README.md")), "{case:?} in {language}");
            std::fs::remove_dir_all(place.path("out")).expect("removed");
        }
    }
}

/// Prefixes that are names of the language or of what every program has.
#[test]
fn a_prefix_may_be_a_name_of_the_language() {
    let place = Place::new();
    for (name, prefixes) in [("rust", ["fn", "test"]), ("go", ["main", "element"]), ("java", ["string", "long"])] {
        let language = evariste::language(name).expect("it is there");
        if !can_test(language) {
            continue;
        }
        for prefix in prefixes {
            place
                .run(&["emit", "mersenne61", "--lang", name, "--ops", "mul,add", "--prefix", prefix, "-o", "out"])
                .ok();
            own_test(language, &place.path("out"), &[]);
            std::fs::remove_dir_all(place.path("out")).expect("removed");
        }
    }
}

/// A wrong answer in a package of another language is found by its own test.
#[test]
fn a_wrong_answer_in_rust_is_found() {
    let place = Place::new();
    place.run(&["emit", "mersenne61", "--lang", "rust", "--ops", "mul", "--prefix", "fe", "-o", "out"]).ok();
    let tests = place.path("out/tests.rs");
    let text = std::fs::read_to_string(&tests).expect("a test");
    let (head, rest) = text.split_once("static MUL_OUT0").expect("answers");
    std::fs::write(&tests, format!("{head}static MUL_OUT0{}", rest.replacen("    [", "    [1 + ", 1)))
        .expect("written");
    if compiler() {
        let run = place.run(&["check", "out"]).ended(1);
        assert!(run.out.contains("FAILED") && run.out.contains("1 failures"), "{}", run.out);
    }
}

/// Packages of every processor that this one is not: written here, compiled by a cross compiler, run by an emulator.
#[test]
fn packages_for_another_processor_pass_their_tests() {
    let tools = ["aarch64-linux-gnu-gcc", "qemu-aarch64", "make"];
    let lacks = |tool: &&str| !Command::new(tool).arg("--version").output().is_ok_and(|o| o.status.success());
    if let Some(tool) = tools.into_iter().find(lacks) {
        return evariste_testing::lacks_tool("packages for AArch64", tool);
    }
    let place = Place::new();
    for field in ["p256", "25519", "bls12-381-fp", "p521"] {
        place.run(&["emit", field, "--lang", "asm", "--target", "aarch64", "-o", field]).ok();
        let variables = ["CC=aarch64-linux-gnu-gcc", "CFLAGS=-O1 -static", "RUN=qemu-aarch64"];
        let made = Command::new("make").args(variables).arg("test").current_dir(place.path(field)).output();
        let made = made.expect("make runs");
        let said = String::from_utf8_lossy(&made.stdout);
        assert!(made.status.success(), "{field}: {said}{}", String::from_utf8_lossy(&made.stderr));
        // All of them in machine code.
        let last = said.lines().last().unwrap_or_default();
        let counts: Vec<&str> = last.split_once("; ").map_or("", |(_, rest)| rest).split(' ').take(3).collect();
        assert!(last.contains(" 0 failures; ") && counts.len() == 3 && counts[0] == counts[2], "{field}: {last}");
    }
    // The command in it makes the same package again.
    let readme = std::fs::read_to_string(place.path("p256/README.md")).expect("a readme");
    assert!(readme.contains(" --target aarch64 "), "{readme}");
    let run = place.run(&["emit", "p256", "--lang", "asm", "--target", "abacus", "-o", "none"]).ended(2);
    assert!(run.err.contains("there is no assembly for `abacus`\nhelp: --target takes "), "{}", run.err);
    let run = place.run(&["emit", "p256", "--lang", "c", "--target", "aarch64", "-o", "none"]).ended(2);
    assert!(run.err.contains("only assembly has it: --lang asm"), "{}", run.err);
}

#[test]
fn estimates_say_that_nothing_was_measured() {
    let place = Place::new();
    let show = ["show", "estimates", "p256", "--target", "aarch64"];
    let text = place.run(&show).ok();
    assert!(text.contains("none is measured") && text.contains("not measured here"), "{text}");
    let json = place.run(&[&show[..], &["--json"]].concat()).ended(0).json();
    documented(&json);
    let all = json["estimates"].as_array().cloned().unwrap_or_default();
    assert_eq!(all.len(), 3, "{json}");
    let has_llvm = Command::new("llvm-mca").arg("--version").output().is_ok_and(|o| o.status.success());
    for estimate in all {
        let number = |key: &str| estimate[key].as_f64().unwrap_or(0.0);
        assert!(number("bound") > 1.0 && number("code") >= number("bound"), "{estimate}");
        // An older one does not know every core.
        assert!(!has_llvm || estimate["core"] != "Neoverse V1" || number("llvm_mca") > 1.0, "{estimate}");
    }
    if !has_llvm {
        evariste_testing::lacks_tool("estimates by llvm-mca", "llvm-mca");
    }
}
