//! Kernels and packages as C on other processors, by the runners of this machine: what a call takes there, counted.

use std::ffi::OsString;
use std::path::PathBuf;

use evariste_algorithms::Plan;
use evariste_emit::{File, MANIFEST, Manifest, Parameter, Role, c_source_apart};
use evariste_ir::Kernel;
use evariste_proof::Proved;
use evariste_run::RunError;
use evariste_run::runners::{Bench, Call, CallArgument, Counted, RUNNERS, Runner};
use evariste_tune::TuneError;
use evariste_tune::encode::{Arrays, named};
use evariste_tune::evaluate::interpret;
use evariste_tune::operands::{arrays, operand_values};

use crate::figure::{Axis, Drawing, Origin, Panel, Series};

/// Of what is counted, beside the runner's own. Equal functions are not to become one, which others jump to.
const FLAGS: [&str; 2] = ["-std=c99", "-fno-ipa-icf"];
/// Where operands begin.
const SEED: u64 = 0x5eed;

/// The runners that are wanted and can run here; of the others a note says why not.
pub fn benches(wanted: impl Fn(&Runner) -> bool, notes: &mut Vec<String>) -> Vec<Bench> {
    let mut all = Vec::new();
    for runner in RUNNERS.iter().filter(|r| wanted(r)) {
        match runner.bench() {
            Ok(bench) => all.push(bench),
            Err(why) => notes.push(format!("{}.", why.to_string().lines().next().unwrap_or_default())),
        }
    }
    all
}

/// The kind of a runner's numbers in figures.
pub fn origin(runner: &Runner) -> Origin {
    match runner.counts() {
        Counted::Instructions => Origin::Counted,
        Counted::Cycles => Origin::Simulated,
    }
}

/// The unit of a runner's numbers.
pub fn unit(runner: &Runner) -> &'static str {
    match runner.counts() {
        Counted::Instructions => "instructions",
        Counted::Cycles => "cycles",
    }
}

/// A panel of a runner's counts: lines by `x`.
pub fn panel(bench: &Bench, what: &str, x: &str, y: &str, series: Vec<Series>) -> Panel {
    Panel {
        title: format!(
            "{}, C by {}: {what}, {}",
            bench.runner.about,
            bench.compiler.name,
            bench.runner.counts().name()
        ),
        drawing: Drawing::Lines,
        x: Axis::new(x, ""),
        y: Axis::new(y, unit(bench.runner)),
        series,
    }
}

/// What a call of each kernel takes on random operands, as C that is not inlined. What cannot be counted is a note.
pub fn counted(all: &[(Plan, Proved)], bench: &Bench, notes: &mut Vec<String>) -> Vec<(Plan, u64)> {
    let counts = match count(all, bench) {
        Ok(counts) => counts,
        Err(why) => {
            notes.push(format!("{}: {}.", bench.runner.name, why.to_string().lines().next().unwrap_or_default()));
            return Vec::new();
        }
    };
    all.iter().zip(counts).map(|((plan, _), count)| (plan.clone(), count)).collect()
}

fn count(all: &[(Plan, Proved)], bench: &Bench) -> Result<Vec<u64>, TuneError> {
    let kernels: Vec<&Proved> = all.iter().map(|(_, proved)| proved).collect();
    let source = c_source_apart(&kernels, "evariste")?;
    let mut opening = String::new();
    let mut calls = Vec::new();
    for (proved, function) in kernels.iter().zip(&source.functions) {
        let ty = |p: &Parameter| format!("uint{}_t", 8 * p.element_bytes);
        let pointer = |p: &Parameter| format!("{}{} *", if p.role == Role::Input { "const " } else { "" }, ty(p));
        let types: Vec<String> = function.parameters.iter().map(pointer).collect();
        opening += &format!("void {}({});\n", function.symbol, types.join(", "));
        calls.push(Call { symbol: function.symbol.clone(), arguments: operands(proved, &function.parameters, ty)? });
    }
    let (folder, sources) = written(&[File { path: "kernels.c".into(), text: source.text }], "c")?;
    let counts = bench.count(&FLAGS, &sources, &opening, &calls)?;
    drop(folder);
    Ok(counts)
}

/// The arguments of a call on random operands, with its answer by the interpreter.
fn operands(
    proved: &Proved,
    parameters: &[Parameter],
    ty: impl Fn(&Parameter) -> String,
) -> Result<Vec<CallArgument>, TuneError> {
    let (statement, printed): (&Kernel, &Kernel) = (proved.statement(), proved.kernel());
    let none = || TuneError::Operand(format!("{} has no operands to be counted on", statement.name));
    // The second half is random.
    let values = operand_values(statement, 8, SEED).pop().ok_or_else(none)?;
    let before = arrays(statement, &statement.contract.inputs, &values).ok_or_else(none)?;
    let after = interpret(statement, &before)?;
    let of = |all: &Arrays, name: &str| -> Vec<String> {
        let words = named(statement, all).into_iter().find(|(known, _)| *known == name).map(|(_, words)| words);
        words.unwrap_or_default().iter().map(|word| format!("0x{word:x}ull")).collect()
    };
    let argument = |(array, parameter): (evariste_ir::Array, &Parameter)| {
        let name = printed.array(array).name.as_str();
        let is_read = parameter.role != Role::Output;
        CallArgument {
            ty: ty(parameter),
            len: Some(parameter.len as usize),
            given: if is_read { of(&before, name) } else { Vec::new() },
            expected: if parameter.role.is_written() { of(&after, name) } else { Vec::new() },
        }
    };
    Ok(printed.visible().zip(parameters).map(argument).collect())
}

/// What a call of a package's functions takes, by operation.
///
/// # Errors
/// A manifest that says nothing of a function; what the runner says.
pub fn counted_package(files: &[File], prefix: &str, bench: &Bench) -> Result<Vec<(String, u64)>, TuneError> {
    let text = |name: &str| files.iter().find(|f| f.path == name).map_or("", |f| f.text.as_str());
    let manifest: Manifest = serde_json::from_str(text(MANIFEST)).map_err(|e| TuneError::Operand(e.to_string()))?;
    let header = format!("{prefix}.h");
    let call = |function| Call::of(function, &format!("{prefix}_{}", function.operation), text(&header));
    let (names, calls): (Vec<String>, Vec<Call>) =
        manifest.functions.iter().filter_map(|f| Some((f.operation.clone(), call(f)?))).unzip();
    let (folder, mut sources) = written(files, "c")?;
    sources.retain(|path| PathBuf::from(path).file_name().is_some_and(|name| *name == *format!("{prefix}.c")));
    let opening = format!("#include \"{}\"", folder.path().join(&header).display());
    let counts = bench.count(&FLAGS, &sources, &opening, &calls)?;
    Ok(names.into_iter().zip(counts).collect())
}

/// The files in a folder of their own, and the paths of those with this extension.
pub fn written(files: &[File], extension: &str) -> Result<(tempfile::TempDir, Vec<OsString>), TuneError> {
    let io = |source| RunError::Io { doing: "write a temporary folder".into(), source };
    let folder = tempfile::Builder::new().prefix("evariste-reproduce-").tempdir().map_err(io)?;
    let mut paths = Vec::new();
    for file in files {
        let path = folder.path().join(&file.path);
        std::fs::write(&path, &file.text).map_err(io)?;
        if path.extension().is_some_and(|e| e == extension) {
            paths.push(path.into_os_string());
        }
    }
    Ok((folder, paths))
}
