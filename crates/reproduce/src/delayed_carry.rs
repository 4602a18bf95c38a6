//! Products and squares of integers of the lengths of NIST's primes by columns: Comba's, with a carry for each product,
//! and with carries delayed to the end of a column, by every compiler and in digits of 32 and 64 bits.

use std::sync::Arc;

use evariste_algorithms::{Operation, Plan, layouts, plans};
use evariste_backend::c::{FLAGS, by};
use evariste_backend::{Backend, Kind, found};
use evariste_descriptions::Field;
use evariste_run::{Compiler, Machine};
use evariste_tune::TuneError;

use crate::figure::{Axis, Comparison, Drawing, Figure, Origin, Panel, Point, Series};
use crate::plans::{proved, timed};
use crate::reproduction::BRUMNIK;
use crate::{Options, Reproduction, Watch};

/// The registry's line.
pub const REPRODUCTION: Reproduction = Reproduction {
    name: "delayed-carry",
    paper: BRUMNIK,
    figure: "the comparison of column methods",
    about: "times of products and squares of 192 to 521 bits by Comba's columns and with delayed carries, in digits of 32 and 64 bits, by every C compiler and in machine code",
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

fn make(options: &Options, watch: Watch) -> Result<Figure, TuneError> {
    let mut notes = Vec::new();
    let mut panels = Vec::new();
    let mut comparisons = Vec::new();
    let all = makers();
    for (operation, what) in [(Operation::MUL, "products"), (Operation::SQUARE, "squares")] {
        for word in [64, 32] {
            let plans: Vec<Plan> = BITS
                .iter()
                .filter(|bits| !options.quick || QUICK.contains(bits))
                .flat_map(|bits| subjects(*bits, word, &operation))
                .collect();
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
    notes.push("GMP is beside these in `peers` (delayed-carry, prime): it is under the LGPL, and nothing that users build contains it.".into());
    notes.push("x86 of 32 bits, ARM, columns over threads and OpenCL: not measured here.".into());
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
    let Some((_, name)) = COLUMNS.iter().find(|(name, _)| plan.algorithm == *name) else { return };
    let bits = plan.field.bits();
    let point = Point { label: format!("{bits} bits"), x: f64::from(bits), y };
    match series.iter_mut().find(|s| s.name == *name) {
        Some(s) => s.points.push(point),
        None => series.push(Series { name: (*name).into(), origin: Origin::Measured, points: vec![point] }),
    }
}

/// How much faster delayed carries are, by length.
fn compared(what: &str, series: &[Series]) -> Option<Comparison> {
    let of = |name: &str| series.iter().find(|s| s.name == name);
    let (comba, delayed) = (of(COMBA)?, of(DELAYED)?);
    let ratios = comba.points.iter().filter_map(|p| Some(format!("{:.2} ({})", p.y / delayed.at(p.x)?, p.label)));
    Some(Comparison {
        what: format!("{what}: time of Comba over delayed carry"),
        published: PUBLISHED.into(),
        ours: ratios.collect::<Vec<_>>().join(", "),
    })
}
