//! Faces of crates of Rust: other libraries' own tests on what is emitted, in the crates that `faces/` keeps with their
//! lock files.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::Place;
use crate::embedding::{env_cargo, runs};

/// The order of the group of P-384.
const P384_ORDER: &str =
    "0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973";

/// Where the crates are kept.
fn kept(face: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faces").join(face)
}

/// Emits the crate of a field, in its folder: `[folder, field, layout]`, the layout being that of the field when empty.
fn emit(place: &Place, language: &str, faces: &str, [folder, field, layout]: [&str; 3]) {
    let prefix = folder.replace('-', "_");
    let mut arguments = vec!["emit", field, "--lang", language, "--faces", faces, "--prefix", &prefix, "-o", folder];
    if !layout.is_empty() {
        arguments.extend(["--layout", layout]);
    }
    place.run(&arguments).ok();
}

/// Brings the crates that a lock file names; where there is no way to them, that is counted.
fn fetched(folder: &Path, what: &str) -> bool {
    let done = Command::new(env_cargo()).args(["fetch", "--locked"]).current_dir(folder).output().expect("cargo runs");
    let told = String::from_utf8_lossy(&done.stderr);
    // What else can go wrong is wrong here, not on the way.
    assert!(done.status.success() || !told.contains("lock file"), "{what}: {told}");
    if !done.status.success() {
        evariste_testing::lacks_tool(what, "a registry of crates");
    }
    done.status.success()
}

/// The tests of a kept crate on the crates of these fields; so many must pass. With machine code all of them have it.
fn suite(language: &str, face: &str, fields: &[[&str; 3]], count: usize) {
    let place = Place::new();
    for entry in std::fs::read_dir(kept(face)).expect("a crate is kept") {
        let path = entry.expect("a file").path();
        std::fs::copy(&path, place.path(&path.file_name().expect("a name").to_string_lossy())).expect("copied");
    }
    fields.iter().for_each(|field| emit(&place, language, face, *field));
    if fetched(&place.path("."), face) {
        let asm: Vec<String> = fields.iter().map(|[folder, ..]| format!("{folder}/asm")).collect();
        let features = if language == "rust-asm" { asm.join(",") } else { String::new() };
        let told = runs(&place.path("."), &env_cargo(), &["test", "--locked", "--offline", "--features", &features]);
        assert!(told.contains(&format!("test result: ok. {count} passed; 0 failed; 0 ignored")), "{told}");
        assert!(!told.contains("warning"), "{told}");
    }
}

/// What all faces have in common is that they are compiled, alone and together, without a warning.
#[test]
fn crates_with_every_face_compile() {
    let place = Place::new();
    emit(&place, "rust-asm", "ark,ff,rustcrypto", ["fe", "p256", ""]);
    std::fs::copy(kept("all/Cargo.lock"), place.path("fe/Cargo.lock")).expect("the lock file");
    let check = |folder: &str, more: &[&str]| {
        let told = runs(&place.path(folder), &env_cargo(), &[&["check", "--offline"][..], more].concat());
        assert!(!told.contains("warning"), "{more:?}: {told}");
    };
    if fetched(&place.path("fe"), "crates with every face") {
        let one_by_one = if evariste_testing::full() { &["ark", "ff", "rustcrypto", "asm"][..] } else { &[] };
        check("fe", &["--locked", "--all-features"]);
        one_by_one.iter().for_each(|face| check("fe", &["--locked", "--features", face]));
        check("fe", &["--locked"]);
    }
    // In place of fiat-crypto: no other crate is needed.
    emit(&place, "rust", "dalek", ["f25519", "25519", "5x51"]);
    check("f25519", &[]);
    let told = runs(&place.path("f25519"), &env_cargo(), &["test", "--offline"]);
    assert!(told.contains(" 0 failures"), "{told}");
    let cargo = std::fs::read_to_string(place.path("f25519/Cargo.toml")).expect("a manifest");
    assert!(cargo.contains("name = \"fiat-crypto\"\nversion = \"0.3.0\"\n"), "{cargo}");
    // The command that the readme names makes the same crate again.
    let json = place.run(&["check", "f25519", "--no-run", "--json"]).ended(0).json();
    assert_eq!(json["passed"], true, "{json}");
    let readme = |folder: &str| std::fs::read_to_string(place.path(folder).join("README.md")).expect("a readme");
    let text = readme("f25519");
    let line = text.lines().find_map(|line| line.strip_prefix("    evariste ")).expect("a command");
    place.run(&line.replace("-o .", "-o again").split(' ').collect::<Vec<_>>()).ok();
    assert_eq!(text, readme("again"));
}

#[test]
fn ff_has_what_it_promises() {
    let fields = [
        ["p256", "p256", ""],
        ["f25519", "25519", "5x51"],
        ["bls12_381_fr", "bls12-381-fr", ""],
        ["bls12_381_fp", "bls12-381-fp", ""],
        ["babybear", "babybear", ""],
    ];
    suite("rust", "ff", &fields, 20);
    if evariste_testing::full() && cfg!(target_arch = "x86_64") {
        suite("rust-asm", "ff", &fields, 20);
    }
}

/// `test_field!` of ark-algebra.
#[test]
fn tests_of_ark_pass() {
    if !evariste_testing::full() {
        return;
    }
    let fields = [
        ["bls12_381_fr", "bls12-381-fr", ""],
        ["bls12_381_fp", "bls12-381-fp", ""],
        ["bn254_fr", "bn254-fr", ""],
        ["bn254_fp", "bn254-fp", ""],
        ["secp256k1", "secp256k1", "montgomery-4x64"],
        ["f25519", "25519", "4x64"],
        ["f25519_5x51", "25519", "5x51"],
    ];
    suite("rust", "ark", &fields, 90);
    if cfg!(target_arch = "x86_64") {
        suite("rust-asm", "ark", &fields, 90);
    }
}

/// The tests of primefield and primeorder, and every function beside fiat-crypto's.
#[test]
fn tests_of_rustcrypto_pass() {
    if !evariste_testing::full() {
        return;
    }
    let fields = [
        ["p256", "p256", "montgomery-4x64"],
        ["p256_scalar", "p256-order", "montgomery-4x64"],
        ["p384", "p384", "montgomery-6x64"],
        ["p384_scalar", P384_ORDER, "montgomery-6x64"],
    ];
    suite("rust", "rustcrypto", &fields, 74);
}

/// All that curve25519-dalek tests itself by, with a crate of ours where it takes fiat-crypto.
#[test]
fn tests_of_dalek_pass() {
    if !evariste_testing::full() {
        return;
    }
    let (place, kept) = (Place::new(), kept("dalek"));
    if !fetched(&kept, "the tests of curve25519-dalek") {
        return;
    }
    emit(&place, "rust", "dalek", ["f25519", "25519", "5x51"]);
    let told = runs(&kept, &env_cargo(), &["metadata", "--locked", "--offline", "--format-version", "1"]);
    let json: serde_json::Value = serde_json::from_str(told.lines().next().unwrap_or_default()).expect("JSON");
    let packages = json["packages"].as_array().cloned().unwrap_or_default();
    let dalek = packages.iter().find(|package| package["name"] == "curve25519-dalek").expect("it is there");
    let source = Path::new(dalek["manifest_path"].as_str().expect("a path")).parent().expect("a folder").to_path_buf();
    copy(&source, &place.path("dalek"));
    let manifest = place.path("dalek/Cargo.toml");
    let text = std::fs::read_to_string(&manifest).expect("a manifest");
    let patch = "\n[workspace]\n\n[patch.crates-io]\nfiat-crypto = { path = \"../f25519\" }\n";
    std::fs::write(&manifest, text + patch).expect("written");
    std::fs::copy(kept.join("suite.lock"), place.path("dalek/Cargo.lock")).expect("the lock file");
    if fetched(&place.path("dalek"), "the tests of curve25519-dalek") {
        let flags = r#"build.rustflags=["--cfg", "curve25519_dalek_backend=\"fiat\""]"#;
        let arguments = ["test", "--locked", "--offline", "--all-features", "--config", flags];
        let told = runs(&place.path("dalek"), &env_cargo(), &arguments);
        assert!(told.contains("Compiling fiat-crypto v0.3.0 (") && told.contains("/f25519)"), "{told}");
        assert!(told.contains("test result: ok. 148 passed; 0 failed; 0 ignored"), "{told}");
    }
}

/// A folder with all that is in it.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let path = entry.expect("a file").path();
        let to = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &to);
        } else {
            std::fs::write(&to, std::fs::read(&path).expect("read")).expect("written");
        }
    }
}

#[test]
fn what_has_no_face_says_why() {
    let place = Place::new();
    let refused = |arguments: &str, why: &str| {
        let arguments: Vec<&str> = arguments.split(' ').chain(["-o", "out"]).collect();
        let run = place.run(&[&["emit"], &arguments[..]].concat());
        assert!(run.code != Some(0) && run.err.contains(why) && !place.path("out").exists(), "{}", run.err);
    };
    refused("p256 --lang c --faces ff", "c has no face `ff`\nhelp: leave --faces out");
    refused("p256 --lang rust --faces fff", "rust has no face `fff`\nhelp: it has ark, dalek, ff, rustcrypto");
    refused("p256 --lang rust --faces dalek", "no face `dalek`: it is of 2^255 - 19 in five digits of 51 bits\nhelp: ");
    refused("25519 --lang rust --layout 5x51 --faces rustcrypto", "help: add --layout montgomery-4x64");
    refused("p256 --lang rust --ops mul,add --faces ff", "operations of the field are missing\nhelp: leave --ops out");
    refused("2^64 --lang rust --faces ff", "faces are of prime fields");
    refused("GF(2^29) --lang rust --faces ff", "faces are of prime fields");
    refused("p256 --lang rust --faces ff --generator 4", "4 is a square modulo p\nhelp: name a generator");
    refused("p256 --lang rust --generator 6", "--faces");
    // Another generator than the least.
    let with = "emit p256 --lang rust --faces ff --generator 7 --layout montgomery-4x64 -o given";
    let run = place.run(&with.split(' ').collect::<Vec<_>>());
    let is_square = run.err.contains("7 is a ");
    assert!(is_square || std::fs::read_to_string(place.path("given/ff.rs")).expect("a face").contains("generator 7 "));
}
