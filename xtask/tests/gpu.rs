//! The program that measures a GPU: for the processor it is run, by NVIDIA's compiler it is compiled; and what becomes of its
//! answer. No GPU is needed, and none is measured.

use std::path::{Path, PathBuf};
use std::process::Command;

use evariste_testing::{ARCHITECTURES, Nvcc};
use xtask::gpu::{By, build, record};

/// An empty folder in the build folder.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// The command that the same build made, beside this program's folder.
fn evariste() -> Option<PathBuf> {
    let program = std::env::current_exe().expect("this program").ancestors().nth(2)?.join("evariste");
    if !program.exists() {
        evariste_testing::lacks_tool("the program that measures a GPU", "the command evariste: cargo build --release");
    }
    program.exists().then_some(program)
}

/// What a GPU may say.
const ANSWER: &str = r#"{
  "device": "NVIDIA \"H100\" 80GB", "emulated": false, "compute_capability": "9.0",
  "multiprocessors": 132, "clock_khz": 1980000, "driver": 13000, "compiler": 13000, "threads": 270336, "runs": 11,
  "per_second": [
    {"name": "mad.lo.u32", "least": 1.6e13, "median": 1.65e13, "most": 1.7e13},
    {"name": "mad.wide.u32", "least": 8.0e12, "median": 8.1e12, "most": 8.2e12},
    {"name": "25519 mul", "least": 8.0e10, "median": 8.1e10, "most": 8.2e10, "plan": "fold-early/4x64", "multiply_adds": 88},
    {"name": "p256 mul", "least": 4.0e10, "median": 4.05e10, "most": 4.1e10, "plan": "montgomery-cios-merge/montgomery-4x64", "multiply_adds": 128},
    {"name": "bls12-381-fp mul", "least": 2.0e10, "median": 2.025e10, "most": 2.1e10, "plan": "montgomery-cios/montgomery-6x64", "multiply_adds": 312},
    {"name": "x25519", "least": 2.9e7, "median": 3.0e7, "most": 3.1e7}
  ]
}"#;

#[test]
fn an_answer_is_kept_by_date_and_gpu() {
    let folder = folder("gpu-record");
    let path = record(&folder, ANSWER, "2026-11-26").expect("an answer");
    assert_eq!(path, folder.join("2026-11-26-nvidia-h100-80gb.json"));
    let kept: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).expect("a file")).expect("JSON");
    let ratio = |name: &str| kept["multiply_adds_in_the_time_of_one"][name].as_f64().expect("a ratio");
    assert_eq!((ratio("25519 mul"), ratio("p256 mul"), ratio("x25519")), (100.0, 200.0, 270_000.0));
    assert_eq!((&kept["date"], &kept["multiprocessors"]), (&"2026-11-26".into(), &132.into()));
}

#[test]
fn what_is_no_answer_of_a_gpu_is_refused() {
    let folder = folder("gpu-refused");
    let refused = |was: &str, is: &str| {
        assert!(ANSWER.contains(was), "{was}");
        format!("{:#}", record(&folder, &ANSWER.replace(was, is), "2026-11-26").expect_err(is))
    };
    assert!(refused("\"emulated\": false", "\"emulated\": true").contains("of no GPU"));
    assert!(refused("\"device\"", "\"machine\"").contains("no GPU is named"));
    assert!(refused("\"x25519\"", "\"x448\"").contains("the rates are of "));
    assert!(refused("2.9e7", "3.5e7").contains("no rate"));
    assert!(refused("2.9e7", "0").contains("no rate"));
    assert!(refused("\"least\": 2.9e7,", "").contains("no rate"));
    assert!(refused("{", "[").contains("no JSON"));
    assert_eq!(std::fs::read_dir(&folder).expect("a folder").count(), 0);
}

#[test]
fn the_program_runs_on_the_processor() {
    let Some(evariste) = evariste() else { return };
    if Command::new("c++").arg("--version").output().is_err() {
        return evariste_testing::lacks_tool("the program that measures a GPU", "c++");
    }
    let folder = folder("gpu-processor");
    let program = build(&evariste, &folder, &By::Cpp).expect("it compiles");
    let file = folder.join("answer.json");
    let run = |arguments: &[&Path]| Command::new(&program).args(arguments).output().expect("it runs");
    let output = run(&[&file]);
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(told.lines().filter(|line| line.ends_with(" checks, 0 failures")).count(), 4, "{told}");
    // As a GPU's answer it is kept, and each product has its count.
    let answer = std::fs::read_to_string(&file).expect("an answer");
    let refused = record(&folder, &answer, "2026-11-26").expect_err("no GPU");
    assert!(format!("{refused:#}").contains("of no GPU"));
    let pretended = answer.replace("\"emulated\": true", "\"emulated\": false");
    let path = record(&folder, &pretended, "2026-11-26").expect("an answer");
    let kept: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).expect("a file")).expect("JSON");
    for (at, words) in [(2, 4u64), (3, 4), (4, 6)] {
        let row = &kept["per_second"][at];
        let count = row["multiply_adds"].as_u64().expect("a count");
        assert!((4 * words * words..=4 * (2 * words * words + words)).contains(&count), "{row}");
    }
    // Without a file there is no answer, and no crash.
    assert_eq!(run(&[]).status.code(), Some(2));
    // A wrong answer of a package, and nothing is measured.
    let header = folder.join("f25519/f25519_vectors.h");
    let text = std::fs::read_to_string(&header).expect("the answers");
    let wrong = text.replacen("mul_known0[24][8] = {\n  {0x0u", "mul_known0[24][8] = {\n  {0x1u", 1);
    assert_ne!(text, wrong);
    std::fs::write(&header, wrong).expect("written");
    let sources = ["measure.cu", "package_f25519.cu", "package_p256.cu", "package_bls.cu", "package_x25519.cu"];
    let mut compile = Command::new("c++");
    compile.args(["-std=c++11", "-x", "c++", "-o", "measure"]).args(sources).current_dir(&folder);
    assert!(compile.status().expect("c++").success());
    std::fs::remove_file(&file).expect("there was an answer");
    let output = run(&[&file]);
    assert!(output.status.code() == Some(1) && !file.exists(), "{output:?}");
}

#[test]
fn the_program_is_compiled_for_every_gpu() {
    let Some(evariste) = evariste() else { return };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let Some(nvcc) = Nvcc::find(&root) else {
        return evariste_testing::lacks_tool("the program that measures a GPU", "nvcc");
    };
    // By default for one architecture, another one each day.
    let architectures =
        evariste_testing::sample("the program that measures", ARCHITECTURES.to_vec(), usize::MAX, |_| ());
    let program = build(&evariste, &folder("gpu-nvcc"), &By::Nvcc(nvcc, architectures)).expect("it compiles");
    let file = program.with_file_name("answer.json");
    let output = Command::new(&program).arg(&file).output().expect("it starts");
    // With a GPU it measures; without one it says so.
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && file.exists() || told.starts_with("measure: ") && !file.exists(), "{output:?}");
}
