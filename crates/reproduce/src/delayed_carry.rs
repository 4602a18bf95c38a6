//! Products and squares of integers of the lengths of NIST's primes by columns: Comba's, with a carry for each product,
//! and with carries delayed to the end of a column, by every compiler and in digits of 32 and 64 bits; beside GMP, and on
//! other processors.

use std::sync::Arc;

use evariste_algorithms::{Operation, Plan, layouts, plans};
use evariste_backend::c::{FLAGS, by};
use evariste_backend::{Backend, Kind, found};
use evariste_descriptions::Field;
use evariste_proof::Proved;
use evariste_run::runners::Bench;
use evariste_run::{Compiler, Machine};
use evariste_tune::TuneError;

use crate::apart::{self, Library};
use crate::columns_at_once::{by_opencl, lanes, on_threads, threads};
use crate::figure::{Axis, Comparison, Drawing, Figure, Origin, Panel, Point, Series};
use crate::plans::{proved, timed};
use crate::processors::{benches, counted, origin, panel};
use crate::reproduction::BRUMNIK;
use crate::{Options, Progress, Reproduction, Watch};

/// The registry's line.
pub const REPRODUCTION: Reproduction = Reproduction {
    name: "delayed-carry",
    paper: BRUMNIK,
    figure: "the comparison of column methods",
    about: "times of products and squares of 192 to 521 bits by Comba's columns and with delayed carries, in digits of 32 and 64 bits, by every C compiler, in machine code, in lanes, on all threads, by OpenCL, in C of 32-bit x86 and beside GMP; instructions and simulated cycles on other processors",
    make,
};

/// Lengths of P-192 to P-521.
const BITS: [u32; 5] = [192, 224, 256, 384, 521];
/// Those of a quick run.
const QUICK: [u32; 2] = [192, 256];

/// Columns by what they carry, and their names here.
const COLUMNS: [(&str, &str); 4] = [
    ("comba", "Comba"),
    ("comba-columns", "Comba, a wide sum"),
    ("comba-delayed", "delayed carry"),
    ("comba-delayed-3", "delayed carry, three sums"),
];
const COMBA: &str = "Comba";
const DELAYED: &str = "delayed carry";

/// What the paper says of delayed carries.
const PUBLISHED: &str = "1.5 to 2 times as fast";
/// And beside GMP.
const PUBLISHED_GMP: &str = "1.5 times as fast as GMP 4.1.2 on average";

/// The compiler of this processor's words of 32 bits.
const NARROW: &str = "gcc -m32";
/// Runners of a quick run.
const QUICK_RUNNERS: [&str; 2] = ["armv4t", "arm7tdmi"];

/// Products and squares of GMP, whose limbs are the digits.
const GMP: Library = Library {
    name: "GMP",
    flag: "-lgmp",
    opening: "#include <gmp.h>\ntypedef char limbs_are_words[sizeof(mp_limb_t) == sizeof(void *) ? 1 : -1];",
    body: "mp_limb_t r[2 * N];\n  mpn_mul_n(r, a, b, N);\n  memcpy(out, r, OUT * sizeof *out);",
};

/// The plans of every size that is asked for.
fn all_subjects(options: &Options, word: u32, operation: &Operation) -> Vec<Plan> {
    let sizes = BITS.iter().filter(|bits| !options.quick || QUICK.contains(bits));
    sizes.flat_map(|bits| subjects(*bits, word, operation)).collect()
}

fn make(options: &Options, watch: Watch) -> Result<Figure, TuneError> {
    let mut notes = Vec::new();
    let mut panels = Vec::new();
    let mut comparisons = Vec::new();
    let all: Vec<_> = makers().into_iter().chain(lanes()).collect();
    for (operation, what) in [(Operation::MUL, "products"), (Operation::SQUARE, "squares")] {
        for word in [64, 32] {
            let plans = all_subjects(options, word, &operation);
            let judged = proved(&plans, watch, &mut notes);
            for (title, backend) in &all {
                let taken: Vec<_> = judged
                    .iter()
                    .filter(|(plan, proved)| backend.takes(&plan.field, &plan.layout, proved.kernel().uses_floats()))
                    .cloned()
                    .collect();
                if taken.is_empty() {
                    continue;
                }
                let mut series: Vec<Series> = Vec::new();
                for timed in timed(&taken, backend, options, watch, &mut notes)? {
                    add(&mut series, &timed.plan, timed.ns);
                }
                comparisons.extend(compared(&format!("{title}, {what}, digits of {word} bits"), &series));
                panels.push(Panel {
                    title: format!("{title}: {what} in digits of {word} bits"),
                    drawing: Drawing::Lines,
                    x: Axis::new("bits of an operand", ""),
                    y: Axis::new("one of many independent ones", "ns"),
                    series,
                });
            }
        }
    }
    at_once(options, watch, &mut notes, &mut panels, &mut comparisons)?;
    let (more, compared) = elsewhere(options, watch, &mut notes)?;
    panels.extend(more);
    comparisons.extend(compared);
    notes.push("GMP is a library of this machine, in a process of its own: it is under the LGPL, and nothing that users build contains it.".into());
    notes.push("In lanes, on threads and by OpenCL every pair of operands has its own product: one product is not spread over them. OpenCL is its first device by the package's own benchmark (PoCL: this processor), arrays in memory, the least of some runs.".into());
    Ok(Figure {
        name: REPRODUCTION.name.into(),
        paper: REPRODUCTION.paper.into(),
        figure: REPRODUCTION.figure.into(),
        title: "Columns with a carry for each product, and with delayed carries".into(),
        machine: Some(format!("{}; C with {}; medians, all of one kind in turn", Machine::detect().identity(None), FLAGS.join(" "))),
        panels,
        comparisons,
        changed: [
            "Compilers have carry chains (`adc`) today, so that a carry for each product costs one instruction where it cost a comparison.".into(),
            "In digits of 64 bits a delayed carry needs sums of 128 bits and a third word, as Comba's columns do: what is saved is the chain between products.".into(),
        ],
        notes,
    })
}

/// Products of many pairs on all threads, and by OpenCL.
fn at_once(
    options: &Options,
    watch: Watch,
    notes: &mut Vec<String>,
    panels: &mut Vec<Panel>,
    comparisons: &mut Vec<Comparison>,
) -> Result<(), TuneError> {
    let mut add_panel = |title: String, what: &str, times: Vec<(Plan, f64)>| {
        let mut series: Vec<Series> = Vec::new();
        times.iter().for_each(|(plan, ns)| add(&mut series, plan, *ns));
        comparisons.extend(compared(&title, &series));
        if !series.is_empty() {
            let (x, y) = (Axis::new("bits of an operand", ""), Axis::new(what, "ns"));
            panels.push(Panel { title, drawing: Drawing::Lines, x, y, series });
        }
    };
    for word in [64, 32] {
        let plans = all_subjects(options, word, &Operation::MUL);
        let judged = proved(&plans, watch, notes);
        for (title, backend) in makers().into_iter().chain(lanes()) {
            let takes = |(plan, proved): &&(Plan, Proved)| {
                backend.takes(&plan.field, &plan.layout, proved.kernel().uses_floats())
            };
            let taken: Vec<_> = judged.iter().filter(takes).cloned().collect();
            let times = on_threads(&taken, &*backend, options, watch)?;
            let title = format!("{title}, {} threads: products in digits of {word} bits", threads());
            add_panel(title, "one of many on all threads", times);
        }
        let both =
            |plan: &&Plan| COLUMNS.iter().any(|(name, of)| plan.algorithm == *name && [COMBA, DELAYED].contains(of));
        let most = if options.quick { 2 * usize::from(word == 64) } else { usize::MAX };
        let chosen: Vec<Plan> = plans.iter().filter(both).take(most).cloned().collect();
        let times = by_opencl(&chosen, watch, notes);
        add_panel(format!("OpenCL: products in digits of {word} bits"), "one of 65,536", times);
    }
    Ok(())
}

/// Both forms in processes of their own, GMP beside them, and on other processors.
fn elsewhere(
    options: &Options,
    watch: Watch,
    notes: &mut Vec<String>,
) -> Result<(Vec<Panel>, Vec<Comparison>), TuneError> {
    let benches = benches(|runner| if options.quick { QUICK_RUNNERS.contains(&runner.name) } else { true }, notes);
    let narrow = Compiler::named(NARROW).ok().filter(|c| c.supports("-O2"));
    if narrow.is_none() {
        notes.push(format!("x86 of 32 bits is not measured: `{NARROW}` does not work here."));
    }
    let (mut panels, mut comparisons) = (Vec::new(), Vec::new());
    for (operation, what) in [(Operation::MUL, "products"), (Operation::SQUARE, "squares")] {
        for word in [64, 32] {
            let plans = all_subjects(options, word, &operation);
            let judged = proved(&plans, watch, notes);
            let kind = format!("{what} in digits of {word} bits");
            let native = Compiler::find().ok().filter(|_| word == 64);
            for compiler in native.iter().chain(narrow.iter().filter(|_| word == 32)) {
                let (series, library) = apart(&judged, compiler, options, notes)?;
                let title = format!("C by {}, a process of its own", called(compiler));
                comparisons.extend(compared(&format!("{title}, {kind}"), &series));
                comparisons.extend(library.then(|| over_gmp(&format!("{title}, {kind}"), &series)).flatten());
                panels.push(Panel {
                    title: format!("{title}: {kind}"),
                    drawing: Drawing::Lines,
                    x: Axis::new("bits of an operand", ""),
                    y: Axis::new("a call after another", "ns"),
                    series,
                });
            }
            for (done, bench) in benches.iter().enumerate().filter(|(_, b)| word == 32 || b.runner.wide) {
                watch(Progress { stage: "counting", done: done + 1, total: benches.len() });
                let mut series: Vec<Series> = Vec::new();
                for (plan, count) in counted(&judged, bench, notes) {
                    add_of(&mut series, &plan, origin(bench.runner), count as f64);
                }
                comparisons.extend(counts_compared(&format!("{}, {kind}", bench.runner.name), bench, &series));
                panels.push(panel(bench, &kind, "bits of an operand", "a call", series));
            }
        }
    }
    Ok((panels, comparisons))
}

/// A compiler as it was called.
fn called(compiler: &Compiler) -> String {
    compiler.arguments.iter().fold(compiler.name.clone(), |line, word| format!("{line} {word}"))
}

/// Both forms by a compiler in a process of their own, with GMP where it is there.
fn apart(
    judged: &[(Plan, Proved)],
    compiler: &Compiler,
    options: &Options,
    notes: &mut Vec<String>,
) -> Result<(Vec<Series>, bool), TuneError> {
    // On the operands of one form.
    let beside: Vec<usize> = (0..judged.len()).filter(|i| judged[*i].0.algorithm == "comba").collect();
    let with = apart::timed(judged, compiler, Some((&GMP, &beside)), options);
    let times = match with {
        Ok(times) => times,
        Err(_) => {
            let line = format!("{}: no GMP with its header for it here.", called(compiler));
            if !notes.contains(&line) {
                notes.push(line);
            }
            apart::timed(judged, compiler, None, options)?
        }
    };
    let mut series: Vec<Series> = Vec::new();
    for ((plan, _), ns) in judged.iter().zip(&times.kernels) {
        add(&mut series, plan, *ns);
    }
    let points: Vec<Point> = times.library.iter().map(|(at, ns)| point(&judged[*at].0, *ns)).collect();
    let has_library = !points.is_empty();
    if has_library {
        series.push(Series { name: GMP.name.into(), origin: Origin::Measured, points });
    }
    Ok((series, has_library))
}

/// Every C compiler, and machine code of our own, each with its title.
fn makers() -> Vec<(String, Arc<dyn Backend>)> {
    let compiled = Compiler::all().into_iter().map(|c| (format!("C by {}", c.name), by(c)));
    let own = found(|kind| kind == Kind::Scalar, None).into_iter().filter(|b| b.entry().is_native());
    compiled.chain(own.map(|b| (b.entry().title.to_string(), b))).collect()
}

/// Every form by columns of an operation on so many bits in digits of a word.
fn subjects(bits: u32, word: u32, operation: &Operation) -> Vec<Plan> {
    let Ok(field) = Field::parse(&format!("int{bits}")) else { return Vec::new() };
    let saturated = layouts(&field, word).into_iter().filter(|layout| layout.word == word && layout.radix.is_none());
    let all = saturated.flat_map(|layout| plans(&field, &layout, operation));
    all.filter(|plan| COLUMNS.iter().any(|(name, _)| plan.algorithm == *name)).collect()
}

fn add(series: &mut Vec<Series>, plan: &Plan, y: f64) {
    add_of(series, plan, Origin::Measured, y);
}

fn add_of(series: &mut Vec<Series>, plan: &Plan, origin: Origin, y: f64) {
    let Some((_, name)) = COLUMNS.iter().find(|(name, _)| plan.algorithm == *name) else { return };
    let point = point(plan, y);
    match series.iter_mut().find(|s| s.name == *name) {
        Some(s) => s.points.push(point),
        None => series.push(Series { name: (*name).into(), origin, points: vec![point] }),
    }
}

fn point(plan: &Plan, y: f64) -> Point {
    let bits = plan.field.bits();
    Point { label: format!("{bits} bits"), x: f64::from(bits), y }
}

/// The ratios of one series to another, by length.
fn ratios(series: &[Series], above: &str, below: &str) -> Option<String> {
    let of = |name: &str| series.iter().find(|s| s.name == name);
    let (above, below) = (of(above)?, of(below)?);
    let ratio = |p: &Point| Some(format!("{:.2} ({})", p.y / below.at(p.x)?, p.label));
    Some(above.points.iter().filter_map(ratio).collect::<Vec<_>>().join(", "))
}

/// How many fewer instructions or simulated cycles delayed carries take, by length.
fn counts_compared(what: &str, bench: &Bench, series: &[Series]) -> Option<Comparison> {
    let what = format!("{what}: Comba over delayed carry, {}", bench.runner.counts().name());
    Some(Comparison { what, published: PUBLISHED.into(), ours: ratios(series, COMBA, DELAYED)? })
}

/// How much faster than GMP delayed carries are, by length.
fn over_gmp(what: &str, series: &[Series]) -> Option<Comparison> {
    let what = format!("{what}: time of GMP over delayed carry");
    Some(Comparison { what, published: PUBLISHED_GMP.into(), ours: ratios(series, GMP.name, DELAYED)? })
}

/// How much faster delayed carries are, by length.
fn compared(what: &str, series: &[Series]) -> Option<Comparison> {
    let what = format!("{what}: time of Comba over delayed carry");
    Some(Comparison { what, published: PUBLISHED.into(), ours: ratios(series, COMBA, DELAYED)? })
}
