//! The how-tos that put a package into another build: their commands and files are taken from the pages, and built.

use std::path::Path;
use std::process::Command;

use crate::common::{Place, compiler};

/// A page of docs/how-to.
fn page(name: &str) -> String {
    let path = format!("{}/../../docs/how-to/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).expect(&path)
}

/// The blocks of a page in this language, as it stands behind the fence.
fn blocks<'a>(page: &'a str, language: &str) -> Vec<&'a str> {
    let after = page.split(&format!("\n```{language}\n")).skip(1).collect::<Vec<_>>();
    after.into_iter().filter_map(|text| text.split_once("```").map(|(block, _)| block)).collect()
}

/// Runs the page's `evariste emit` command, in this language.
fn emit(place: &Place, page: &str, language: &str) {
    let mut commands = page.lines().filter_map(|line| line.strip_prefix("    evariste "));
    let line = commands.find(|line| line.contains("--lang c ")).expect("the page emits a package");
    let line = line.replace("--lang c ", &format!("--lang {language} "));
    assert!(line.contains(&format!("--lang {language} ")), "{line}");
    place.run(&line.split(' ').chain(["--force"]).collect::<Vec<_>>()).ok();
}

/// A program that multiplies 3 by 5 with the package `fe`.
const MAIN: &str = r#"#include "fe.h"
int main(void) {
  static const uint8_t three[32] = {3}, five[32] = {5};
  uint8_t product[32];
  fe_element a, b;
  if (!fe_from_bytes(a, three) || !fe_from_bytes(b, five)) return 1;
  fe_mul_array(a, a, b, 1);
  fe_to_bytes(product, a);
  return product[0] == 15 ? 0 : 2;
}
"#;

/// Runs a program, which must go well; what it says.
#[track_caller]
pub fn runs(folder: &Path, program: &str, arguments: &[&str]) -> String {
    let mut command = Command::new(program);
    // What a build under Cargo sets would reach a build in the test.
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("CARGO_")) {
        command.env_remove(name);
    }
    for name in ["RUSTFLAGS", "MAKEFLAGS", "EVARISTE_CACHE"] {
        command.env_remove(name);
    }
    if let Some(home) = std::env::var_os("CARGO_HOME") {
        command.env("CARGO_HOME", home);
    }
    let output = command.args(arguments).current_dir(folder).output().expect(program);
    let told = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program} {arguments:?}: {told}");
    told
}

/// Is there this tool? Where there is none, that is counted.
fn has(tool: &str, what: &str) -> bool {
    let found = Command::new(tool).arg("--version").output().is_ok_and(|o| o.status.success());
    if !found {
        evariste_testing::lacks_tool(what, tool);
    }
    found
}

#[test]
fn the_rules_for_make_build_a_package() {
    if !compiler() || !has("make", "the rules for make of embed-c.md") {
        return;
    }
    let page = page("embed-c.md");
    let rules = blocks(&page, "make");
    let [c, assembly, arrays] = rules[..] else { panic!("C, assembly beside it, and arrays: {rules:?}") };
    for (language, rules) in [("c", &[c, arrays][..]), ("asm", &[c, assembly, arrays])] {
        let place = Place::new();
        emit(&place, &page, language);
        std::fs::write(place.path("main.c"), MAIN).expect("written");
        let objects = if language == "asm" { "fe.o fe_arrays.o fe_x86_64.o" } else { "fe.o fe_arrays.o" };
        let first = format!("main: main.c {objects}\n\t$(CC) -Ithird_party/fe -o $@ main.c {objects}\n\n");
        std::fs::write(place.path("Makefile"), first + &rules.join("\n")).expect("written");
        runs(&place.path("."), "make", &["main"]);
        runs(&place.path("."), "./main", &[]);
    }
}

#[test]
fn the_lines_for_cmake_build_and_test_a_package() {
    if !compiler() || !has("cmake", "the lines for CMake of embed-c.md") {
        return;
    }
    let page = page("embed-c.md");
    let lines = blocks(&page, "cmake");
    assert_eq!(lines.len(), 1);
    for language in ["c", "asm"] {
        let place = Place::new();
        emit(&place, &page, language);
        std::fs::write(place.path("main.c"), MAIN).expect("written");
        std::fs::write(place.path("CMakeLists.txt"), lines[0]).expect("written");
        runs(&place.path("."), "cmake", &["-S", ".", "-B", "build"]);
        runs(&place.path("."), "cmake", &["--build", "build"]);
        runs(&place.path("build"), "./main", &[]);
        let told = runs(&place.path("build"), "ctest", &[]);
        assert!(told.contains("100% tests passed, 0 tests failed out of 1"), "{told}");
    }
}

#[test]
fn the_build_script_builds_a_package() {
    if !compiler() {
        return;
    }
    let page = page("embed-rust.md");
    let (dependency, code) = (blocks(&page, "toml"), blocks(&page, "rust,ignore"));
    assert_eq!(
        (dependency.len(), code.len()),
        (2, 5),
        "Cargo.toml, build.rs, src/lib.rs, behind those of a crate in Rust and of a module"
    );
    let (dependency, code) = (&dependency[1..], &code[3..]);
    for language in ["c", "asm"] {
        let place = Place::new();
        emit(&place, &page, language);
        let cargo = format!("[package]\nname = \"uses-fe\"\nedition = \"2024\"\n\n[workspace]\n\n{}", dependency[0]);
        let test = "\n#[test]\nfn three_times_five() {\n    let product = Fe([3, 0, 0, 0, 0]) * Fe([5, 0, 0, 0, 0]);\n    assert_eq!(product.0, [15, 0, 0, 0, 0]);\n}\n";
        std::fs::create_dir(place.path("src")).expect("a folder");
        for (path, text) in
            [("Cargo.toml", cargo), ("build.rs", code[0].into()), ("src/lib.rs", code[1].to_string() + test)]
        {
            std::fs::write(place.path(path), text).expect("written");
        }
        // The crate `cc` is there in this version, since the tests of this package ask for it.
        let lock = format!("{}/../../Cargo.lock", env!("CARGO_MANIFEST_DIR"));
        std::fs::copy(lock, place.path("Cargo.lock")).expect("the lock file");
        let told = runs(&place.path("."), &env_cargo(), &["test", "--offline", "--lib"]);
        assert!(told.contains("1 passed") && !told.contains("warning"), "{language}: {told}");
    }
}

#[test]
fn the_crate_in_rust_is_a_dependency() {
    let page = page("embed-rust.md");
    let (dependency, code) = (blocks(&page, "toml")[0], blocks(&page, "rust,ignore")[0]);
    let mut commands = page.lines().filter_map(|line| line.strip_prefix("    evariste "));
    let command = commands.find(|line| line.contains("--lang rust ")).expect("the page emits a crate");
    let place = Place::new();
    place.run(&command.split(' ').collect::<Vec<_>>()).ok();
    let cargo = format!("[package]\nname = \"uses-fe\"\nedition = \"2024\"\n\n[workspace]\n\n{dependency}");
    let test = "\n#[test]\nfn a_sum() {\n    assert_eq!(sum_of_squares(&[3, 4, 12])[0], 169);\n    const ONE: Element = Element::ONE.mul(&Element::ONE);\n    assert_eq!(ONE, Element::from(1));\n}\n";
    std::fs::create_dir(place.path("src")).expect("a folder");
    std::fs::write(place.path("Cargo.toml"), cargo).expect("written");
    std::fs::write(place.path("src/lib.rs"), code.to_string() + test).expect("written");
    let told = runs(&place.path("."), &env_cargo(), &["test", "--offline", "--lib"]);
    assert!(told.contains("1 passed") && !told.contains("warning"), "{told}");
}

/// The Cargo that runs the tests.
pub fn env_cargo() -> String {
    std::env::var("CARGO").unwrap_or_else(|_| "cargo".into())
}
