//! Products and squares of extensions and the floors above them: what every formula costs, beside the published counts, and
//! times over primes of five sizes, of one element and in Fp6 in lanes, with sums of products reduced at once and late.

mod counts;
mod rivals;

use std::sync::Arc;

use evariste_algorithms::kinds::ground;
use evariste_algorithms::{Layout, Operation, Plan, layouts, plans};
use evariste_backend::{Backend, Kind, found};
use evariste_descriptions::Field;
use evariste_run::Machine;
use evariste_tune::TuneError;
use evariste_tune::candidates::{Judged, judge};

use crate::figure::{Axis, Comparison, Drawing, Figure, Origin, Panel, Point, Series};
use crate::plans::{Timed, proved, timed};
use crate::reproduction::HAMBURG;
use crate::{Options, Progress, Reproduction, Watch};
use rivals::{Rivalry, name};

/// The registry's line.
pub const REPRODUCTION: Reproduction = Reproduction {
    name: "towers",
    paper: HAMBURG,
    figure: "the counts of extensions",
    about: "products and additions of every formula for cubic, quartic and sextic extensions beside what was published, and their times in Fp6, Fp8, Fp12 and Fp24 over primes of 160 to 448 bits, one element and in Fp6 in lanes",
    make,
};

/// Towers of one shape by the length of p, and whether they are timed in lanes too and Toom-Cook with i is compared.
struct Shape {
    field: &'static str,
    towers: &'static [(u32, &'static str)],
    in_lanes: bool,
}

/// The first floor has i, or a root of unity that formulas evaluate at.
const SHAPES: [Shape; 6] = [
    Shape {
        field: "Fp6",
        towers: &[
            (160, "ss-b160-fp6"),
            (254, "bn254-fp6"),
            (255, "2^255-765[u]/(u^2+1)[v]/(v^3-(1+2*u))"),
            (381, "bls12-381-fp6"),
            (448, "448[u]/(u^2+1)[v]/(v^3-(1+2*u))"),
        ],
        in_lanes: true,
    },
    Shape {
        field: "Fp12, by floors of degree 2, 3 and 2",
        towers: &[
            (160, "ss-b160-fp2[v]/(v^3-(3+u))[w]/(w^2-v)"),
            (254, "bn254-fp12"),
            (255, "2^255-765[u]/(u^2+1)[v]/(v^3-(1+2*u))[w]/(w^2-v)"),
            (381, "bls12-381-fp12"),
            (448, "448[u]/(u^2+1)[v]/(v^3-(2+3*u))[w]/(w^2-v)"),
        ],
        in_lanes: false,
    },
    Shape {
        field: "Fp12, by floors of degree 2 and 6",
        towers: &[
            (160, "ss-b160-fp2[x]/(x^6-(3+u))"),
            (254, "bn254-fp2[x]/(x^6-(9+u))"),
            (255, "2^255-765[u]/(u^2+1)[x]/(x^6-(1+2*u))"),
            (381, "bls12-381-fp2[x]/(x^6-(1+u))"),
            (448, "448[u]/(u^2+1)[x]/(x^6-(2+3*u))"),
        ],
        in_lanes: false,
    },
    Shape {
        field: "Fp8, by floors of degree 2 and 4",
        towers: &[
            (160, "ss-b160-fp2[x]/(x^4-(1+u))"),
            (254, "bn254-fp2[x]/(x^4-(1+2*u))"),
            (255, "2^255-765[u]/(u^2+1)[x]/(x^4-(1+u))"),
            (381, "bls12-381-fp2[x]/(x^4-(1+u))"),
            (448, "448[u]/(u^2+1)[x]/(x^4-(9+u))"),
        ],
        in_lanes: false,
    },
    Shape {
        field: "Fp8 over a third root of unity",
        towers: &[(160, "ss-b160-fp[w]/(w^2-w+1)[x]/(x^4-(1+2*w))"), (448, "448[w]/(w^2-w+1)[x]/(x^4-(1+2*w))")],
        in_lanes: false,
    },
    Shape {
        field: "Fp24 over a fifth root of unity",
        towers: &[(255, "2^255-765[z]/(z^4+z^3+z^2+z+1)[x]/(x^6-(2+z))")],
        in_lanes: false,
    },
];
/// The primes of a quick run.
const QUICK: [u32; 1] = [160];

/// Kernels that are written and proved anew for their time: what is described, and an operation of it.
const PROVED: [(&str, Operation); 5] = [
    ("bls12-381-fp2", Operation::MUL),
    ("bls12-381-fp6", Operation::MUL),
    ("bls12-381-fp12", Operation::MUL),
    ("pairing:bls12-381", Operation::MILLER),
    ("pairing:bls12-381", Operation::PAIRING_MULTIPLE),
];

/// Lanes, and the instruction sets that they are to be made of.
const LANES: [(u32, Option<&str>); 2] = [(512, None), (256, Some("bmi2+adx+avx2+fma+pclmulqdq"))];

/// What makes code: its title, and itself.
type Way = (String, Arc<dyn Backend>);

/// Machine code for one element, and in lanes.
fn ways() -> Vec<Way> {
    let titled = |backend: Arc<dyn Backend>| match backend.entry().kind {
        Kind::Lanes { bits } => (format!("{}, {} elements side by side", backend.entry().title, bits / 64), backend),
        _ => (backend.entry().title.to_string(), backend),
    };
    let scalar = found(|kind| kind == Kind::Scalar, None).into_iter().filter(|backend| backend.entry().is_native());
    let lanes = LANES.into_iter().flat_map(|(bits, sets)| found(|kind| kind == Kind::Lanes { bits }, sets));
    scalar.chain(lanes).map(titled).collect()
}

fn make(options: &Options, watch: Watch) -> Result<Figure, TuneError> {
    let mut notes = Vec::new();
    let (mut panels, mut comparisons) = (counts::panels(), counts::comparisons());
    panels.push(proving(watch, &mut notes));
    for (title, backend) in ways() {
        for shape in SHAPES.iter().filter(|shape| shape.in_lanes || !backend.entry().kind.has_lanes()) {
            let timed = measured(shape, (&title, &backend), options, watch, &mut notes)?;
            panels.extend(timed.panels);
            comparisons.extend(timed.comparisons);
        }
    }
    notes.push("Toom-Cook of three parts at cube roots of unity, the golden ratio and √±2 is counted and not timed: no tower here has a floor of such a root below one of degree 3.".into());
    Ok(Figure {
        name: REPRODUCTION.name.into(),
        paper: REPRODUCTION.paper.into(),
        figure: REPRODUCTION.figure.into(),
        title: "Multiplication in extensions: counts and times".into(),
        machine: Some(format!("{}; medians, all formulas of a field in turn", Machine::detect().identity(None))),
        panels,
        comparisons,
        changed: [
            "Late reduction: sums of double-width products are reduced once for each coordinate, so that a product saved saves a third of one, and an addition is of twice the words.".into(),
            "Which sums are corrected follows from the range of each number; the paper's one bias for all values at 0, ±1 and ±i is what ranges find where the layout has the bits.".into(),
        ],
        notes,
    })
}

/// What was measured of a shape.
struct Measured {
    panels: Vec<Panel>,
    comparisons: Vec<Comparison>,
}

/// Times of products and squares in towers of one shape.
fn measured(
    shape: &Shape,
    (title, backend): (&str, &Arc<dyn Backend>),
    options: &Options,
    watch: Watch,
    notes: &mut Vec<String>,
) -> Result<Measured, TuneError> {
    let chosen: Vec<&(u32, &str)> =
        shape.towers.iter().filter(|(bits, _)| !options.quick || QUICK.contains(bits)).collect();
    let mut series: [Vec<Series>; 2] = [Vec::new(), Vec::new()];
    let mut rivals = Vec::new();
    for (done, (bits, text)) in chosen.iter().enumerate() {
        watch(Progress { stage: "measuring", done: done + 1, total: chosen.len() });
        let Some((all, floor)) = Field::parse(text).ok().and_then(|field| subjects(&field, &**backend)) else {
            notes.push(format!("{title}: {text} has no layout there."));
            continue;
        };
        let all = proved(&all, watch, notes);
        let times = timed(&all, backend, options, watch, notes)?;
        let base = timed(&proved(&floor, watch, notes), backend, options, watch, notes)?;
        times.iter().for_each(|timed| add(&mut series, *bits, timed));
        rivals.extend(Rivalry::of(*bits, &times, &base));
    }
    let mut comparisons = Vec::new();
    if shape.in_lanes {
        comparisons.extend(rivals.iter().flat_map(|rival| rival.comparisons(title)));
        comparisons.push(rivals::break_even(title, &rivals));
    }
    let drawn = series.into_iter().zip(["products", "squares"]).filter(|(series, _)| !series.is_empty());
    let panels = drawn.map(|(series, what)| Panel {
        title: format!("{title}: {what} in {}", shape.field),
        drawing: Drawing::Lines,
        x: Axis::new("bits of p", ""),
        y: Axis::new("one of many independent ones", "cycles"),
        series,
    });
    Ok(Measured { panels: panels.collect(), comparisons })
}

/// How long it takes to write a kernel, with all that it calls, and to prove it: the first plan of each.
fn proving(watch: Watch, notes: &mut Vec<String>) -> Panel {
    let mut points = Vec::new();
    for (at, (text, operation)) in PROVED.iter().enumerate() {
        watch(Progress { stage: "proving", done: at + 1, total: PROVED.len() });
        let label = format!("{text} {}", operation.name());
        let field = Field::parse(text).ok();
        let plan = field.and_then(|field| {
            let layout = saturated(&field)?;
            plans(&field, &layout, operation).into_iter().next()
        });
        match plan.and_then(|plan| judge(&plan)) {
            Some(Judged { outcome: Ok(_), proof_ms, .. }) => points.push(Point { label, x: at as f64, y: proof_ms }),
            Some(Judged { outcome: Err(why), .. }) => notes.push(format!("{label}: {why}.")),
            None => notes.push(format!("{label}: no plan.")),
        }
    }
    Panel {
        title: "a kernel written and proved".into(),
        drawing: Drawing::Bars,
        x: Axis::new("kernel", ""),
        y: Axis::new("once, on one core", "ms"),
        series: vec![Series { name: "writing and proving".into(), origin: Origin::Measured, points }],
    }
}

/// The first layout of whole words in Montgomery form.
fn saturated(field: &Field) -> Option<Layout> {
    layouts(field, 64).into_iter().find(|layout| layout.word == 64 && layout.montgomery.is_some())
}

/// Plans of a product and of a square in a layout of a tower, and of a product and a sum in the field that it stands on.
/// In lanes those of the formulas that are compared, in the layout whose product of the prime field takes the least
/// cycles by the core's table.
fn subjects(field: &Field, backend: &dyn Backend) -> Option<(Vec<Plan>, Vec<Plan>)> {
    let (ground, in_lanes) = (ground(field), backend.entry().kind.has_lanes());
    let cycles = |plan: &Plan| Some(backend.estimate(&plan.write().ok()?).ok()?.cycles);
    let quickest = |layout: &Layout, operation: &Operation| {
        let all = plans(&ground, layout, operation).into_iter().filter_map(|plan| Some((cycles(&plan)?, plan)));
        all.min_by(|a, b| a.0.total_cmp(&b.0))
    };
    let layout = if in_lanes {
        let all =
            backend.layouts(&ground).into_iter().filter(|l| l.montgomery.is_some() && backend.takes(&ground, l, false));
        let timed = all.filter_map(|layout| Some((quickest(&layout, &Operation::MUL)?.0, layout)));
        timed.min_by(|a, b| a.0.total_cmp(&b.0))?.1
    } else {
        saturated(field)?
    };
    let operations = [Operation::MUL, Operation::SQUARE];
    let mut all: Vec<Plan> = operations.iter().flat_map(|operation| plans(field, &layout, operation)).collect();
    all.retain(|plan| !in_lanes || rivals::takes_part(plan));
    let one = |operation: Operation| match in_lanes {
        true => Some(quickest(&layout, &operation)?.1),
        false => plans(&ground, &layout, &operation).into_iter().next(),
    };
    Some((all, vec![one(Operation::MUL)?, one(Operation::ADD)?]))
}

/// Adds the quickest of all forms of a formula: products written out or called.
fn add(series: &mut [Vec<Series>; 2], bits: u32, timed: &Timed) {
    let of_square = usize::from(timed.plan.operation == Operation::SQUARE);
    let (formula, late) = name(&timed.plan);
    let name = if late { format!("{formula}, reduced late") } else { formula.to_string() };
    let point = Point { label: format!("{bits} bits"), x: f64::from(bits), y: timed.cycles };
    match series[of_square].iter_mut().find(|s| s.name == name) {
        Some(s) => match s.points.iter_mut().find(|p| p.x == point.x) {
            Some(p) => p.y = p.y.min(point.y),
            None => s.points.push(point),
        },
        None => series[of_square].push(Series { name, origin: Origin::Measured, points: vec![point] }),
    }
}
