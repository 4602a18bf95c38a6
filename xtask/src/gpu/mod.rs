//! `cargo xtask gpu`: what a GPU does a second, kept in record/ by the GPU's name: 32-bit multiply-adds, by kernels of its
//! own, and products and exchanges of packages in CUDA C++ as `emit` writes them, whose known answers are tried there first.
//!
//! One program holds it all, for every architecture ([`ARCHITECTURES`]), so that the machine with the GPU needs neither a compiler nor the
//! repository. Without CUDA the same text is a program for the processor, which tests run.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use evariste_testing::{ARCHITECTURES, Nvcc};
use serde_json::{Value, json};

use crate::record::{built, said, words};

/// A package, of which the first function is measured.
struct Measured {
    /// What the row is called.
    name: &'static str,
    field: &'static str,
    operation: &'static str,
    prefix: &'static str,
    /// Bits of an element, of which a thread multiplies one by the other again and again; else one call an element.
    bits: Option<u32>,
}

const PACKAGES: [Measured; 4] = [
    Measured { name: "25519 mul", field: "25519", operation: "mul", prefix: "f25519", bits: Some(256) },
    Measured { name: "p256 mul", field: "p256", operation: "mul", prefix: "p256", bits: Some(256) },
    Measured { name: "bls12-381-fp mul", field: "bls12-381-fp", operation: "mul", prefix: "bls", bits: Some(384) },
    Measured { name: "x25519", field: "curve:25519", operation: "ecdh", prefix: "x25519", bits: None },
];

/// Multiply-adds of 32 bits, as the program measures them: rows of the answer that are no package's.
const MULTIPLY_ADDS: [&str; 2] = ["mad.lo.u32", "mad.wide.u32"];

/// Who compiles the program.
pub enum By {
    /// For GPUs of these architectures.
    Nvcc(Nvcc, Vec<u32>),
    /// For the processor.
    Cpp,
}

/// Runs `cargo xtask gpu` with these words behind it. Whether all of it went well.
///
/// # Errors
/// No compiler, no GPU, an answer that is none of the program's.
pub fn run(root: &Path, words: &[&str]) -> Result<bool> {
    let recorded = |answer: &str| record(&root.join("record/gpu"), answer, &today()?);
    match words {
        ["build"] => println!("{}", program(root)?.display()),
        ["record", file] => {
            let answer = std::fs::read_to_string(file).with_context(|| format!("{file} cannot be read"))?;
            println!("{}", recorded(&answer)?.display());
        }
        [] => {
            let program = program(root)?;
            let answer = program.with_file_name("answer.json");
            let done = Command::new(&program).arg(&answer).status().context("the program does not start")?;
            ensure!(done.success(), "{} failed: {done}", program.display());
            println!("{}", recorded(&std::fs::read_to_string(answer)?)?.display());
        }
        _ => bail!("`gpu` takes nothing, `build`, or `record FILE`"),
    }
    Ok(true)
}

/// The program for GPUs, in the build folder.
fn program(root: &Path) -> Result<PathBuf> {
    let nvcc = Nvcc::find(root).context("there is no nvcc: install it, or let .ci/run fetch its wheels")?;
    build(&built(root)?, &root.join("target/gpu"), &By::Nvcc(nvcc, ARCHITECTURES.to_vec()))
}

/// Writes packages and program into a folder, and compiles them there.
///
/// # Errors
/// A command or a compiler that fails.
pub fn build(evariste: &Path, folder: &Path, by: &By) -> Result<PathBuf> {
    std::fs::create_dir_all(folder)?;
    let mut sources = vec!["measure.cu".to_string()];
    let [mut declared, mut tested, mut measured] = [const { String::new() }; 3];
    for (at, package) in PACKAGES.iter().enumerate() {
        let Measured { name, field, operation, prefix, bits } = package;
        let arguments =
            ["emit", field, "--ops", operation, "--lang", "cuda", "--prefix", prefix, "-o", prefix, "--force"];
        said(Command::new(evariste).args(arguments).current_dir(folder))?;
        let file = format!("package_{prefix}.cu");
        let text = include_str!("package.cu").replace("PREFIX", prefix);
        let sizes = format!("#define CHAINED {}\n#define BITS {}\n", u8::from(bits.is_some()), bits.unwrap_or(0));
        std::fs::write(folder.join(&file), sizes + &text)?;
        sources.push(file);
        declared += &format!("extern int test_{prefix}();\nextern rate rate_{prefix}();\n");
        tested += &format!("{}test_{prefix}()", if at == 0 { "" } else { " | " });
        let end = if at + 1 == PACKAGES.len() { "" } else { "," };
        let cost = cost(evariste, folder, package)?;
        measured += &format!("  print(out, \"{name}\", rate_{prefix}(), {:?}, \"{end}\");\n", cost);
    }
    let text = include_str!("measure.cu")
        .replace("FIRST", PACKAGES[0].prefix)
        .replace("/* DECLARED */\n", &declared)
        .replace("TESTED", &tested)
        .replace("  /* MEASURED */\n", &measured);
    std::fs::write(folder.join("measure.cu"), text)?;
    std::fs::write(folder.join("measure.h"), include_str!("measure.h"))?;
    let mut compile = match by {
        By::Nvcc(nvcc, architectures) => nvcc.command(architectures),
        By::Cpp => {
            let mut command = Command::new("c++");
            command.args(["-std=c++11", "-Wall", "-Wno-unused-function", "-Wno-unknown-pragmas", "-x", "c++"]);
            command
        }
    };
    said(compile.args(["-O2", "-o", "measure"]).args(sources).current_dir(folder))?;
    Ok(folder.join("measure"))
}

/// More members of a product's row: its plan, and the 32-bit multiply-adds that it has: one for each product of words, four where they
/// have 64 bits.
fn cost(evariste: &Path, folder: &Path, package: &Measured) -> Result<String> {
    if package.bits.is_none() {
        return Ok(String::new());
    }
    let manifest = std::fs::read_to_string(folder.join(package.prefix).join("package.json"))?;
    let command = serde_json::from_str::<Value>(&manifest)?["command"].as_str().unwrap_or_default().to_string();
    let behind = |option: &str| command.split_whitespace().skip_while(move |word| *word != option).nth(1);
    let (layout, plan) = (behind("--layout"), behind("--plan").and_then(|plan| plan.strip_prefix("mul=")));
    let plan = format!("{}/{}", plan.context("no plan in the manifest")?, layout.context("no layout in it")?);
    let plans = said(Command::new(evariste).args(["show", "plans", package.field, "--json"]).current_dir(folder))?;
    let plans: Value = serde_json::from_str(&plans)?;
    let mut all = plans["plans"].as_array().into_iter().flatten();
    let row = all.find(|row| row["plan"] == plan.as_str()).with_context(|| format!("no plan {plan}"))?;
    let products = row["multiplications"].as_u64().context("no count of products")?;
    let each = if plan.contains("x32") { 1 } else { 4 };
    Ok(format!(", \"plan\": \"{plan}\", \"multiply_adds\": {}", each * products))
}

/// Today's date.
fn today() -> Result<String> {
    Ok(said(Command::new("date").arg("+%Y-%m-%d"))?.trim().to_string())
}

/// Keeps an answer in a file named after date and GPU, and beside each rate how many 32-bit multiply-adds with 64-bit sums
/// the GPU does in the time of one.
///
/// # Errors
/// An answer that is not the program's, of no GPU, or with a rate that is none.
pub fn record(folder: &Path, answer: &str, date: &str) -> Result<PathBuf> {
    let mut answer: Value = serde_json::from_str(answer).context("the answer is no JSON")?;
    ensure!(answer["emulated"] == false, "the answer is of no GPU: its numbers say nothing");
    let device = answer["device"].as_str().filter(|name| !name.is_empty()).context("no GPU is named")?;
    let path = folder.join(format!("{date}-{}.json", words(device)));
    let rows = answer["per_second"].as_array().context("there are no rates")?;
    let expected: Vec<&str> = MULTIPLY_ADDS.into_iter().chain(PACKAGES.iter().map(|package| package.name)).collect();
    let names: Vec<&str> = rows.iter().filter_map(|row| row["name"].as_str()).collect();
    ensure!(names == expected, "the rates are of {}, not of {}", names.join(", "), expected.join(", "));
    let mut medians = Vec::new();
    for row in rows {
        let [least, median, most] = ["least", "median", "most"].map(|key| row[key].as_f64().unwrap_or(f64::NAN));
        ensure!(0.0 < least && least <= median && median <= most && most.is_finite(), "no rate: {row}");
        medians.push(median);
    }
    let all: serde_json::Map<String, Value> = std::iter::zip(names, &medians)
        .skip(MULTIPLY_ADDS.len())
        .map(|(name, rate)| (name.to_string(), json!(medians[1] / rate)))
        .collect();
    answer["multiply_adds_in_the_time_of_one"] = Value::Object(all);
    answer["date"] = json!(date);
    std::fs::create_dir_all(folder)?;
    std::fs::write(&path, serde_json::to_string_pretty(&answer)? + "\n")?;
    Ok(path)
}
