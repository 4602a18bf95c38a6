//! Scalar multiplications on binary curves, for every degree of the paper's table: the ladder of López and Dahab bit-sliced,
//! in whole words on vectors and on one element, all over polynomials, beside the paper's cycles and OpenSSL's here.

use std::process::Command;

use evariste_algorithms::{Layout, Operation, layouts, plans};
use evariste_backend::{Choice, Made, Repeat, bound};
use evariste_descriptions::{Curve, Field};
use evariste_proof::{Outcome, Proved, prove};
use evariste_tune::TuneError;
use evariste_tune::measure::time;

use crate::figure::{Axis, Comparison, Drawing, Figure, Origin, Panel, Point, Series};
use crate::measure::{Target, machine, targets, timing};
use crate::reproduction::BRUMLEY_PAGE;
use crate::{Options, Progress, Reproduction, Watch};

/// The registry's line.
pub const REPRODUCTION: Reproduction = Reproduction {
    name: "nb-ecc",
    paper: BRUMLEY_PAGE,
    figure: "Table I",
    about: "cycles of a scalar multiplication for every degree: ladders bit-sliced, by carry-less products in lanes and on one element, the published cycles, and OpenSSL's here",
    make,
};

/// The machines of the paper's columns.
const MACHINES: [&str; 6] = ["Core 2", "Turion", "Pentium 4", "Atom", "ARM7TDMI", "ATmega128"];

/// A row of the paper's table: degree, type of the basis, thousands of cycles by machine.
type Row = (u32, u32, [u32; 6]);

/// The table.
const ROWS: &[Row] = &[
    (131, 2, [255, 410, 678, 430, 4598, 25143]),
    (139, 4, [511, 800, 1013, 751, 8801, 46784]),
    (163, 4, [859, 1287, 1631, 1213, 5421, 77509]),
    (173, 2, [579, 961, 1600, 1040, 10572, 56580]),
    (179, 2, [644, 1075, 1738, 1146, 11635, 63083]),
    (191, 2, [798, 1337, 2241, 1414, 14319, 76507]),
    (193, 4, [1434, 2103, 2861, 2016, 23481, 134_299]),
    (199, 4, [1602, 2313, 3417, 2215, 26032, 150_572]),
    (233, 2, [1417, 2333, 3855, 2607, 25584, 139_032]),
    (239, 2, [1532, 2521, 4133, 2669, 27501, 149_848]),
    (251, 2, [1873, 2979, 4780, 3107, 31962, 174_027]),
];

/// The row of a quick run.
const QUICK: u32 = 131;

/// Degrees of which `openssl speed` has a curve with any b.
const OPENSSL: [u32; 2] = [163, 233];

/// A ladder that is measured.
struct Ladder {
    series: String,
    proved: Proved,
    made: Made,
}

fn make(options: &Options, watch: Watch) -> Result<Figure, TuneError> {
    let mut notes = Vec::new();
    let rows: Vec<&Row> = ROWS.iter().filter(|(m, ..)| !options.quick || *m == QUICK).collect();
    let targets = targets(&mut notes);
    let mut series: Vec<Series> = Vec::new();
    let mut add = |name: &str, origin: Origin, (m, t): (u32, u32), y: f64| {
        let point = Point { label: format!("m = {m}, type {t}"), x: f64::from(m), y };
        match series.iter_mut().find(|s| s.name == name) {
            Some(series) => series.points.push(point),
            None => series.push(Series { name: name.into(), origin, points: vec![point] }),
        }
    };
    for (done, (m, t, published)) in rows.iter().enumerate() {
        MACHINES.iter().zip(published).for_each(|(name, y)| add(name, Origin::Published, (*m, *t), f64::from(*y)));
        for target in &targets {
            let ladders = ladders(*m, target, &mut notes);
            let pairs: Vec<(&Proved, &Made)> = ladders.iter().map(|l| (&l.proved, &l.made)).collect();
            for (ladder, timing) in ladders.iter().zip(time(&pairs, &timing(options))?) {
                let cycles = timing.throughput.ns * timing.throughput.clock_ghz / f64::from(ladder.made.lanes);
                add(&ladder.series, Origin::Measured, (*m, *t), cycles / 1e3);
                let least = bound(&*target.backend, ladder.proved.kernel(), &options.core.core);
                if least > 0.0 {
                    add(&format!("bound of {}", ladder.series), Origin::Bound, (*m, *t), least / 1e3);
                }
                if OPENSSL.contains(m)
                    && ladder.made.lanes == 1
                    && let Some(seconds) = openssl(*m, options.quick)
                {
                    let cycles = seconds * 1e9 * timing.throughput.clock_ghz;
                    add("OpenSSL, ecdh over the curve B of NIST", Origin::Measured, (*m, *t), cycles / 1e3);
                }
            }
        }
        watch(Progress { stage: "measuring", done: done + 1, total: rows.len() });
    }
    if series.iter().all(|s| !s.name.starts_with("OpenSSL")) {
        notes.push("OpenSSL: no `openssl speed` here, or no degree that it has a curve of.".into());
    }
    let comparisons = rows.iter().filter_map(|(m, _, published)| comparison(*m, published, &series)).collect();
    Ok(figure(machine(&targets), series, comparisons, notes))
}

/// The figure of these series.
fn figure(machine: String, series: Vec<Series>, comparisons: Vec<Comparison>, notes: Vec<String>) -> Figure {
    Figure {
        name: REPRODUCTION.name.into(),
        paper: REPRODUCTION.paper.into(),
        figure: REPRODUCTION.figure.into(),
        title: "Thousands of cycles of a scalar multiplication".into(),
        machine: Some(machine),
        comparisons,
        panels: vec![Panel {
            title: "Scalar multiplication".into(),
            drawing: Drawing::Lines,
            x: Axis::new("degree m", ""),
            y: Axis::new("a scalar multiplication", "thousands of cycles"),
            series,
        }],
        changed: [
            "Bit-sliced code is over the polynomial basis (curves have no others here), in C on words of 64 bits and in machine code on vectors, of products that are loops, so that it stays short; the paper's is over normal bases, on up to 128 bits, with the best multiplier of each degree.".into(),
            "Processors multiply polynomials (PCLMULQDQ) since the paper: one element in words takes fewer cycles than one of a batch did, and vectors multiply several (VPCLMULQDQ).".into(),
        ],
        notes,
    }
}

/// The least of the paper's beside the least of ours.
fn comparison(m: u32, published: &[u32; 6], series: &[Series]) -> Option<Comparison> {
    let (machine, least) = MACHINES.iter().zip(published).min_by_key(|(_, y)| **y)?;
    let of = |s: &Series| (s.origin == Origin::Measured).then(|| Some((s.name.clone(), s.at(f64::from(m))?))).flatten();
    let ours: Vec<String> = series.iter().filter_map(of).map(|(name, y)| format!("{y:.0} ({name})")).collect();
    (!ours.is_empty()).then(|| Comparison {
        what: format!("m = {m}: thousands of cycles"),
        published: format!("{least} ({machine}, batched)"),
        ours: ours.join(", "),
    })
}

/// The ladders of a degree as code of a target: bit-sliced, and on elements in words. What is missing is a note.
fn ladders(m: u32, target: &Target, notes: &mut Vec<String>) -> Vec<Ladder> {
    let mut all = Vec::new();
    for word in [1, 64] {
        match ladder(&format!("curve:timing{m}"), word, target) {
            Ok((proved, made)) => {
                let series = match (word, made.lanes) {
                    (1, _) => format!("bit-sliced ladder, {}", target.title),
                    (_, 1) => format!("ladder on one element, {}", target.backend.entry().title),
                    (_, lanes) => format!("ladder in words, {}, {lanes} lanes", target.backend.entry().title),
                };
                all.push(Ladder { series, proved, made });
            }
            Err(why) => notes.push(format!("m = {m}, words of {word}, {}: {why}.", target.backend.entry().title)),
        }
    }
    all
}

/// The ladder of a curve in a layout of its field with words of so many bits.
fn ladder(text: &str, word: u32, target: &Target) -> Result<(Proved, Made), String> {
    let field = Field::parse(text).map_err(|e| e.to_string())?;
    let curve = field.get::<Curve>().ok_or("no curve")?;
    let layout: Layout =
        layouts(curve.field(), word).into_iter().find(|l| l.word == word).ok_or("no layout of such words")?;
    let plan = plans(&field, &layout, &Operation::LADDER).into_iter().next().ok_or("no plan of a ladder")?;
    let kernel = plan.write().map_err(|e| e.to_string())?;
    let proved = match prove(&kernel) {
        Outcome::Proved(proved) => proved,
        other => return Err(evariste_tune::candidates::verdict(&other)),
    };
    let choice = Choice { repeat: Repeat::Once, ..Choice::default() };
    let made = target.backend.make(&proved, &choice).map_err(|e| e.to_string())?;
    Ok((proved, made))
}

/// Seconds of one exchange by OpenSSL on the curve of that degree, where the command is there.
fn openssl(m: u32, quick: bool) -> Option<f64> {
    let seconds = if quick { "1" } else { "3" };
    let output = Command::new("openssl").args(["speed", "-seconds", seconds, &format!("ecdhb{m}")]).output().ok()?;
    // ` 233 bits ecdh (nistb233)   0.0003s   3409.2`: seconds of one, and how many a second.
    let text = String::from_utf8(output.stdout).ok()?;
    let line = text.lines().find(|line| line.contains(&format!("(nistb{m})")))?;
    let each: f64 = line.split_whitespace().last()?.parse().ok()?;
    (each > 0.0).then(|| 1.0 / each)
}
