//! `evariste check DIR`.

use evariste::builder::{Class, LeakageOptions, TimingRecord, time_package};
use evariste::check_package;
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::arguments::Check;
use crate::failure::Failure;
use crate::progress::Bars;
use crate::session::Session;
use crate::tables::{indented, table};

/// Faults that are shown; all are counted.
const SHOWN: usize = 20;

/// Judges a package's vectors again and runs its test.
pub fn run(options: &Check, session: &Session) -> Result<Answer, Failure> {
    let compiler = if options.no_run { None } else { session.compiler("the package's test is not run") };
    let check = check_package(&options.folder, compiler.as_ref())?;
    let vectors: usize = check.operations.iter().map(|(_, n)| n).sum();
    let mut text = format!(
        "{} in layout {}: {} operations, {vectors} vectors\n",
        check.field.title(),
        check.layout,
        check.operations.len()
    );
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
        text += &format!(
            "{}  {} {}: {}\n",
            if run.passed { "test     " } else { "FAILED   " },
            run.compiler,
            run.flags,
            run.output
        );
    }
    let mut json = json!({
        "field": check.field.text(),
        "layout": check.layout,
        "prefix": check.prefix,
        "operations": check.operations.iter().map(|(name, n)| json!({ "operation": name, "vectors": n })).collect::<Vec<Value>>(),
        "faults": check.faults,
        "tests": check.runs.iter().map(|r| json!({ "compiler": r.compiler, "flags": r.flags, "passed": r.passed, "output": r.output })).collect::<Vec<Value>>(),
        "passed": check.passed(),
    });
    if options.timing {
        if !check.passed() {
            text += "timing     not measured: the package does not hold\n";
        } else if let Some(compiler) = &compiler {
            let bars = Bars::new();
            let progress = |done, all| bars.set("timing", done, all);
            let (folder, length) = (&options.folder, LeakageOptions::default());
            let record = time_package(folder, &check, compiler, &length, progress)?;
            drop(bars);
            text += &timing_text(&record);
            json["timing"] = timing_json(&record);
        }
    }
    let answer = Answer::new(text, json);
    Ok(if check.passed() {
        answer
    } else {
        answer.failed(Failure::failed("the package does not hold\nhelp: emit it again"))
    })
}

/// The record as a table.
fn timing_text(record: &TimingRecord) -> String {
    let row = |(name, found): &(String, evariste::builder::Leakage)| {
        let of = |class: &Class| [class.samples.to_string(), format!("{:.2}", class.mean)];
        [
            vec![name.clone(), format!("{:+.2}", found.t), format!("{:.1} %", 100.0 * found.kept)],
            of(&found.fixed).to_vec(),
            of(&found.random).to_vec(),
        ]
        .concat()
    };
    let rows = table(
        &["operation", ">t", ">kept", ">zeros", ">ticks", ">random", ">ticks"],
        record.functions.iter().map(row).collect(),
    );
    let different: Vec<&str> = record.different().map(|(name, _)| name.as_str()).collect();
    let verdict = match different.as_slice() {
        [] => "no |t| is above 10: no difference was found, which shows no more than that".to_string(),
        some => format!("|t| is above 10: times of {} depend on operands here", some.join(", ")),
    };
    format!(
        "timing     Welch's t, zeros against random operands, on {}\n           {} {}\n{}           {verdict}\n",
        record.processor,
        record.compiler,
        record.flags,
        indented(&rows)
    )
}

/// The record as JSON.
fn timing_json(record: &TimingRecord) -> Value {
    let class = |class: &Class, operands: &str| json!({ "operands": operands, "samples": class.samples, "mean_ticks": class.mean, "deviation_ticks": class.deviation });
    let functions = record.functions.iter().map(|(name, found)| {
        json!({ "operation": name, "t": found.t, "kept": found.kept, "calls": found.calls, "classes": [class(&found.fixed, &record.fixed), class(&found.random, "random")] })
    });
    json!({ "processor": record.processor, "compiler": record.compiler, "flags": record.flags, "functions": functions.collect::<Vec<Value>>() })
}
