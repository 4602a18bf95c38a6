//! `evariste check DIR`.

use evariste::builder::runners::{RUNNERS, Runner};
use evariste::builder::{Class, LeakageOptions, ProcessorRun, RunError, TimingRecord, check_on, time_package};
use evariste::{Error, PackageCheck, check_package};
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
    let mut text = check_text(&check);
    let mut json = check_json(&check);
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
    let mut fault = (!check.passed()).then(|| "the package does not hold\nhelp: emit it again".to_owned());
    if !options.runner.is_empty() && fault.is_none() {
        let found = on_runners(options, &check)?;
        fault = fault_there(&found);
        text += &found.iter().map(|(runner, run)| run_text(runner, run)).collect::<String>();
        json["runners"] = found.iter().map(|(runner, run)| run_json(runner, run)).collect();
        json["passed"] = json!(fault.is_none());
    }
    let answer = Answer::new(text, json);
    Ok(match fault {
        None => answer,
        Some(fault) => answer.failed(Failure::failed(fault)),
    })
}

/// What a package needs and a processor lacks, and what to do: the source's `#error` line, whose two halves a colon parts,
/// or the linker's that the memory of programs is too short.
fn lacked(run: &ProcessorRun) -> Option<(String, String)> {
    let between = |before: &str, after: &str| {
        let (_, rest) = run.test.output.split_once(before)?;
        Some(rest.split_once(after)?.0.to_string())
    };
    if let Some(bytes) = between("region `text' overflowed by ", " bytes") {
        let why = format!("its test program is {bytes} bytes longer than the memory of programs");
        return Some((why, "emit fewer operations, by --ops".into()));
    }
    let line = between("#error \"", "\"")?;
    line.split_once(": ").map(|(why, help)| (why.into(), help.into()))
}

/// What is wrong with a package that holds here, where its test fails on other processors: that it is not made for them
/// is no fault of its answers.
fn fault_there(found: &[(&'static Runner, Result<ProcessorRun, String>)]) -> Option<String> {
    let failed =
        || found.iter().filter_map(|(of, run)| Some((*of, run.as_ref().ok()?))).filter(|(_, run)| !run.test.passed);
    let names = |all: Vec<&str>| all.join(", ");
    let wrong: Vec<&str> = failed().filter(|(_, run)| lacked(run).is_none()).map(|(of, _)| of.name).collect();
    if !wrong.is_empty() {
        return Some(format!("the package holds here, and fails on {}\nhelp: its answer above says why", names(wrong)));
    }
    let (_, run) = failed().next()?;
    let (why, help) = lacked(run)?;
    let names = names(failed().map(|(of, _)| of.name).collect());
    Some(format!("the package holds, and is not made for {names}: {why}\nhelp: {help}"))
}

/// What was found, a line a finding.
fn check_text(check: &PackageCheck) -> String {
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
    text
}

fn check_json(check: &PackageCheck) -> Value {
    json!({
        "field": check.field.text(),
        "layout": check.layout,
        "prefix": check.prefix,
        "operations": check.operations.iter().map(|(name, n)| json!({ "operation": name, "vectors": n })).collect::<Vec<Value>>(),
        "faults": check.faults,
        "tests": check.runs.iter().map(|r| json!({ "compiler": r.compiler, "flags": r.flags, "passed": r.passed, "output": r.output })).collect::<Vec<Value>>(),
        "passed": check.passed(),
    })
}

/// The package on the runners that were asked for. A runner that lacks something is an error where it was named, and a
/// finding among all.
fn on_runners(
    options: &Check,
    check: &PackageCheck,
) -> Result<Vec<(&'static Runner, Result<ProcessorRun, String>)>, Failure> {
    let is_all = options.runner.iter().any(|name| name == "all");
    let named = || options.runner.iter().map(|name| Runner::named(name)).collect::<Result<Vec<_>, _>>();
    let runners: Vec<&'static Runner> =
        if is_all { RUNNERS.iter().collect() } else { named().map_err(|e| Failure::usage(e.to_string()))? };
    let bars = Bars::new();
    let mut found = Vec::new();
    for (i, runner) in runners.iter().enumerate() {
        bars.set("runners", i, runners.len());
        let run = match check_on(&options.folder, check, runner) {
            Ok(run) => Ok(run),
            Err(Error::Run(lacks @ RunError::RunnerLacks { .. })) if is_all => Err(lacks.to_string()),
            Err(error) => return Err(error.into()),
        };
        found.push((*runner, run));
    }
    Ok(found)
}

/// What a runner found: its test, and counts with their kind.
fn run_text(runner: &Runner, run: &Result<ProcessorRun, String>) -> String {
    let run = match run {
        Ok(run) => run,
        Err(why) => return format!("runner     {}: not run: {}\n", runner.name, why.lines().next().unwrap_or("")),
    };
    let mut text = format!(
        "{}  {} ({}), {} by {}: {}\n",
        if run.test.passed { "runner   " } else { "FAILED   " },
        runner.name,
        runner.about,
        run.test.compiler,
        runner.run_by(),
        lacked(run).map_or_else(|| run.test.output.clone(), |(why, _)| format!("not compiled: {why}"))
    );
    if !run.counts.is_empty() {
        let rows = run.counts.iter().map(|(name, count)| vec![name.clone(), count.to_string()]).collect();
        text += &indented(&table(&["operation", &format!(">{}", runner.counts().name())], rows));
    }
    if let Some(remark) = runner.remark {
        text += &format!("           {remark}\n");
    }
    if !run.left_out.is_empty() {
        text += &format!("           not counted: {}\n", run.left_out.join(", "));
    }
    text
}

fn run_json(runner: &Runner, run: &Result<ProcessorRun, String>) -> Value {
    let run = match run {
        Ok(run) => run,
        Err(why) => return json!({ "runner": runner.name, "missing": why }),
    };
    let counts = run.counts.iter().map(|(name, count)| json!({ "operation": name, "count": count }));
    json!({
        "runner": runner.name, "compiler": run.test.compiler, "flags": run.test.flags, "run_by": runner.run_by(), "passed": run.test.passed,
        "output": run.test.output, "kind": runner.counts().name(), "counts": counts.collect::<Vec<Value>>(), "left_out": run.left_out,
        "remark": runner.remark,
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
