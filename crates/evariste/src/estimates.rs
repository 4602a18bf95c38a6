//! What nobody measured: cycles of a kernel on the cores whose tables ship, by those tables and by `llvm-mca`.

use std::io::Write;
use std::process::{Command, Stdio};

use evariste_backend::{Entry, machine_bound};
use evariste_codegen::assembly::Printable;
use evariste_cores::{Core, shipped};
use evariste_ir::Kernel;

/// Calls of which `llvm-mca` takes the mean.
const CALLS: u32 = 100;

/// Cycles of one of many independent calls on a core; none of them is measured.
#[derive(Clone, PartialEq, Debug)]
pub struct Estimate {
    /// The core.
    pub core: &'static str,
    /// Where its table is from.
    pub source: &'static str,
    /// The least that any code takes, by the table.
    pub bound: f64,
    /// What our code takes, by the table; `None`: it has loops.
    pub modelled: Option<f64>,
    /// What `llvm-mca` makes of our code, or why it says nothing.
    pub llvm_mca: Result<f64, String>,
}

/// The estimates of a kernel and its program, for each core that the back end has a table of.
pub fn estimates(entry: &'static Entry, kernel: &Kernel, program: &Printable) -> Vec<Estimate> {
    let of = |core: &'static std::sync::Arc<Core>| {
        let model = entry.machine.map(|machine| (machine.model)());
        Estimate {
            core: &core.name,
            source: &core.source,
            bound: machine_bound(kernel, core),
            modelled: model.and_then(|model| model.on(core)?.modelled(kernel)),
            llvm_mca: llvm_mca(core, program),
        }
    };
    shipped().iter().filter(|core| core.architecture == entry.name).map(of).collect()
}

/// What `llvm-mca` makes of straight-line code.
fn llvm_mca(core: &Core, program: &Printable) -> Result<f64, String> {
    let cpu = core.llvm.as_ref().ok_or("LLVM is not known to have a model of this core")?;
    let lines = program.lines(&|what| format!("L{what}"))?;
    if lines.iter().any(|line| line.ends_with(':')) {
        return Err("the code has loops or calls".into());
    }
    let target = program.target();
    let code: String =
        lines.iter().filter(|line| !line.trim_start().starts_with(".cfi")).map(|line| format!("{line}\n")).collect();
    let text = format!("{}\n{code}", target.dialect.opening);
    let arguments = [
        format!("-mtriple={}", target.suffix),
        format!("-mcpu={cpu}"),
        format!("-iterations={CALLS}"),
        "-all-views=false".into(),
        "-summary-view".into(),
    ];
    let cycles = asked(&arguments, &text)?;
    Ok(cycles / f64::from(CALLS))
}

/// Its total cycles for a text.
fn asked(arguments: &[String], text: &str) -> Result<f64, String> {
    let piped =
        |command: &mut Command| command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child =
        piped(Command::new("llvm-mca").args(arguments)).map_err(|e| format!("llvm-mca does not run: {e}"))?;
    let mut stdin = child.stdin.take().ok_or("llvm-mca has no input")?;
    let text = text.to_string();
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().map_err(|e| e.to_string())?;
    // What it does not read it complains of.
    let _ = writer.join();
    let said = String::from_utf8_lossy(&output.stdout);
    let total = said.lines().find_map(|line| line.strip_prefix("Total Cycles:")?.trim().parse().ok());
    let complaint = || String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or("it says nothing").to_string();
    total.ok_or_else(|| format!("llvm-mca: {}", complaint()))
}
