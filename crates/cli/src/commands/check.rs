//! `evariste check DIR`.

use evariste::check_package;
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::arguments::Check;
use crate::failure::Failure;
use crate::session::Session;

/// Faults that are shown; all are counted.
const SHOWN: usize = 20;

/// Judges a package's vectors again and runs its test.
pub fn run(options: &Check, session: &Session) -> Result<Answer, Failure> {
    let compiler = session.compiler("the package's test is not run");
    let check = check_package(&options.folder, compiler.as_ref())?;
    let vectors: usize = check.operations.iter().map(|(_, n)| n).sum();
    let mut text = format!("{} in layout {}: {} operations, {vectors} vectors\n", check.field.text(), check.layout, check.operations.len());
    if check.faults.is_empty() {
        text += "vectors    every answer is right, by the definition of the field\n";
    }
    for fault in check.faults.iter().take(SHOWN) {
        text += &format!("WRONG      {fault}\n");
    }
    if check.faults.len() > SHOWN {
        text += &format!("           and {} more\n", check.faults.len() - SHOWN);
    }
    for run in &check.runs {
        text += &format!("{}  {} {}: {}\n", if run.passed { "test     " } else { "FAILED   " }, run.compiler, run.flags, run.output);
    }
    let json = json!({
        "field": check.field.text(),
        "layout": check.layout,
        "prefix": check.prefix,
        "operations": check.operations.iter().map(|(name, n)| json!({ "operation": name, "vectors": n })).collect::<Vec<Value>>(),
        "faults": check.faults,
        "tests": check.runs.iter().map(|r| json!({ "compiler": r.compiler, "flags": r.flags, "passed": r.passed, "output": r.output })).collect::<Vec<Value>>(),
        "passed": check.passed(),
    });
    let answer = Answer::new(text, json);
    Ok(if check.passed() { answer } else { answer.failed(Failure::failed("the package does not hold\nhelp: emit it again")) })
}
