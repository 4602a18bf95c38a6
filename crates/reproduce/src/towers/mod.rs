//! Products and squares of cubic extensions and the floors above them: what every formula costs, beside the published
//! counts, and times over primes of five sizes, with sums of products reduced at once and late.

use evariste_algorithms::kinds::ground;
use evariste_algorithms::{Layout, Operation, Plan, layouts, plans};
use evariste_backend::{Kind, found};
use evariste_descriptions::Field;
use evariste_formulas::{Counts, count, registry};
use evariste_run::Machine;
use evariste_tune::TuneError;

use crate::figure::{Axis, Comparison, Drawing, Figure, Origin, Panel, Point, Series};
use crate::plans::{Timed, proved, timed};
use crate::reproduction::HAMBURG;
use crate::{Options, Progress, Reproduction, Watch};

/// The registry's line.
pub const REPRODUCTION: Reproduction = Reproduction {
    name: "towers",
    paper: HAMBURG,
    figure: "the counts of extensions",
    about: "products and additions of every formula for cubic, quartic and sextic extensions, and times of a product and a square in Fp6 for primes of 160 to 448 bits",
    make,
};

/// Families of formulas whose counts are shown.
const FAMILIES: [(&str, &str); 4] = [
    ("cubic-product", "products in K[v]/(v³ − ξ)"),
    ("cubic-square", "squares in K[v]/(v³ − ξ)"),
    ("quartic-product", "products in K[x]/(x⁴ − ξ)"),
    ("sextic-product", "products in K[x]/(x⁶ − ξ)"),
];

/// Additions that the paper prints, by formula, and how it counts them.
const ADDITIONS: [(&str, u32); 3] = [("karatsuba-3", 15), ("toom-3", 35), ("toom-3i", 27)];

/// Towers of degree 6 whose first floor has i, by the length of p.
const TOWERS: [(u32, &str); 5] = [
    (160, "ss-b160-fp6"),
    (254, "bn254-fp6"),
    (255, "2^255-765[u]/(u^2+1)[v]/(v^3-(1+2*u))"),
    (381, "bls12-381-fp6"),
    (448, "448[u]/(u^2+1)[v]/(v^3-(1+2*u))"),
];
/// Those of a quick run.
const QUICK: [u32; 1] = [160];

/// Products against additions in Fp beyond which Toom-3i is ahead of Karatsuba by the counts over Fp2: 3m > 17a.
const BREAK_EVEN: f64 = 17.0 / 3.0;
/// The formulas that are compared there.
const RIVALS: [&str; 2] = ["toom-3i", "karatsuba-3-shared"];

fn make(options: &Options, watch: Watch) -> Result<Figure, TuneError> {
    let mut notes = Vec::new();
    let mut panels: Vec<Panel> = FAMILIES.iter().map(|(family, title)| counts(family, title)).collect();
    let mut comparisons = published();
    let chosen: Vec<&(u32, &str)> = TOWERS.iter().filter(|(bits, _)| !options.quick || QUICK.contains(bits)).collect();
    for backend in found(|kind| kind == Kind::Scalar, None).into_iter().filter(|b| b.entry().is_native()) {
        let title = backend.entry().title;
        let mut series: [Vec<Series>; 2] = [Vec::new(), Vec::new()];
        let mut rivals = Vec::new();
        for (done, (bits, text)) in chosen.iter().enumerate() {
            let Ok(field) = Field::parse(text) else { continue };
            let Some((all, floor)) = subjects(&field) else { continue };
            let all = proved(&all, watch, &mut notes);
            let times = timed(&all, &backend, options, watch, &mut notes)?;
            let base = timed(&proved(&floor, watch, &mut notes), &backend, options, watch, &mut notes)?;
            times.iter().for_each(|timed| add(&mut series, *bits, timed));
            rivals.extend(rivalry(*bits, &times, &base));
            watch(Progress { stage: "measuring", done: done + 1, total: chosen.len() });
        }
        comparisons.extend(rivals.iter().map(|rival| rival.comparison(title)));
        comparisons.push(break_even(title, &rivals));
        for (series, what) in series.into_iter().zip(["products in Fp6", "squares in Fp6"]) {
            panels.push(Panel {
                title: format!("{title}: {what}"),
                drawing: Drawing::Lines,
                x: Axis::new("bits of p", ""),
                y: Axis::new("one of many independent ones", "cycles"),
                series,
            });
        }
    }
    notes.push("Toom-Cook at cube roots of unity, the golden ratio and √±2, at sixth and fifth roots: the towers here are over i, so that these are counted and not timed.".into());
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

/// Counts of a family's formulas, each a bar.
fn counts(family: &str, title: &str) -> Panel {
    let formulas: Vec<(&str, Counts)> = registry()
        .iter()
        .filter(|f| f.name == family)
        .flat_map(|f| f.formulas)
        .filter_map(|entry| Some((entry.name, count(&entry.formula().ok()?))))
        .collect();
    let kinds: [(&str, fn(&Counts) -> u32); 4] = [
        ("products", |c| c.mul),
        ("squares", |c| c.square),
        ("products with constants", Counts::by_constants),
        ("additions", |c| c.add),
    ];
    let series = |(name, of): (&str, fn(&Counts) -> u32)| Series {
        name: name.into(),
        origin: Origin::Counted,
        points: formulas
            .iter()
            .enumerate()
            .map(|(i, (label, counts))| Point { label: label.to_string(), x: i as f64, y: f64::from(of(counts)) })
            .collect(),
    };
    Panel {
        title: title.into(),
        drawing: Drawing::Bars,
        x: Axis::new("formula", ""),
        y: Axis::new("operations in K", ""),
        series: kinds.into_iter().map(series).collect(),
    }
}

/// The paper's additions beside ours.
fn published() -> Vec<Comparison> {
    let all = registry();
    let formulas = || all.iter().filter(|f| f.name == "cubic-product").flat_map(|f| f.formulas);
    let one = |(name, additions): &(&str, u32)| {
        let entry = formulas().find(|entry| entry.name == *name)?;
        let counts = count(&entry.formula().ok()?);
        Some(Comparison {
            what: format!("{name}: products and additions in K"),
            published: format!("{additions} additions"),
            ours: counts.to_string(),
        })
    };
    let mut rows: Vec<Comparison> = ADDITIONS.iter().filter_map(one).collect();
    let least = all.iter().filter(|f| f.name == "cubic-square").flat_map(|f| f.formulas);
    let without =
        least.filter_map(|entry| Some((entry.name, count(&entry.formula().ok()?)))).filter(|(_, c)| c.mul == 0);
    let text: Vec<String> = without.map(|(name, counts)| format!("{name} {counts}")).collect();
    rows.push(Comparison {
        what: "a square by five squares and no product".into(),
        published: "may be ahead of Chung and Hasan's".into(),
        ours: text.join("; "),
    });
    rows
}

/// Plans of a product and of a square in the layout of a tower, and of a product and a sum in the field that it stands on.
fn subjects(field: &Field) -> Option<(Vec<Plan>, Vec<Plan>)> {
    let ground = ground(field);
    let is_ours = |layout: &Layout| layout.word == 64 && layout.montgomery.is_some();
    let layout = layouts(field, 64).into_iter().find(is_ours)?;
    let of = |field: &Field, operations: [Operation; 2]| {
        operations.iter().flat_map(|operation| plans(field, &layout, operation)).collect::<Vec<Plan>>()
    };
    let first = |mut all: Vec<Plan>| {
        let mut seen: Vec<Operation> = Vec::new();
        all.retain(|plan| {
            !seen.contains(&plan.operation) && {
                seen.push(plan.operation.clone());
                true
            }
        });
        all
    };
    Some((of(field, [Operation::MUL, Operation::SQUARE]), first(of(&ground, [Operation::MUL, Operation::ADD]))))
}

/// A plan's formula, and whether its sums are reduced late.
fn name(plan: &Plan) -> (&str, bool) {
    let whole = plan.algorithm.trim_end_matches("-calls");
    (whole.trim_end_matches("-lazy"), whole.ends_with("-lazy"))
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

/// Toom-3i beside Karatsuba over one prime.
struct Rivalry {
    bits: u32,
    /// A product over a sum in Fp.
    ratio: f64,
    /// Cycles of both, with sums reduced at once, and late.
    cycles: Vec<(bool, [f64; 2])>,
}

fn rivalry(bits: u32, times: &[Timed], base: &[Timed]) -> Option<Rivalry> {
    let of = |operation: &Operation| base.iter().find(|t| t.plan.operation == *operation).map(|t| t.cycles);
    let ratio = of(&Operation::MUL)? / of(&Operation::ADD)?;
    let least = |formula: &str, late: bool| {
        let all = times.iter().filter(|t| t.plan.operation == Operation::MUL && name(&t.plan) == (formula, late));
        all.map(|t| t.cycles).min_by(f64::total_cmp)
    };
    let both = |late: bool| Some((late, [least(RIVALS[0], late)?, least(RIVALS[1], late)?]));
    Some(Rivalry { bits, ratio, cycles: [false, true].into_iter().filter_map(both).collect() })
}

impl Rivalry {
    fn comparison(&self, title: &str) -> Comparison {
        let said = if self.ratio > BREAK_EVEN { "ahead" } else { "behind" };
        let ours = |(late, [toom, karatsuba]): &(bool, [f64; 2])| {
            let how = if *late { "reduced late" } else { "each product reduced" };
            format!("{:.2} ({how})", karatsuba / toom)
        };
        let ours: Vec<String> = self.cycles.iter().map(ours).collect();
        Comparison {
            what: format!("{title}, {} bits, m/a = {:.1}: {} over {}", self.bits, self.ratio, RIVALS[0], RIVALS[1]),
            published: format!("{said} by the counts (m/a > {BREAK_EVEN:.1})"),
            ours: format!("speed × {}", ours.join(", × ")),
        }
    }
}

/// The ratio m/a at which both take as long: between the primes on either side, by a straight line.
fn break_even(title: &str, rivals: &[Rivalry]) -> Comparison {
    let of = |late: bool| {
        let advantage =
            |r: &Rivalry| r.cycles.iter().find(|(l, _)| *l == late).map(|(_, [t, k])| (r.ratio, k / t - 1.0));
        let mut all: Vec<(f64, f64)> = rivals.iter().filter_map(advantage).collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        let crossing = all.windows(2).find(|two| (two[0].1 < 0.0) != (two[1].1 < 0.0));
        match (crossing, all.first(), all.last()) {
            (Some(&[(x, y), (z, w)]), ..) => format!("{:.1}", x + (z - x) * y / (y - w)),
            (_, Some((least, y)), Some((most, _))) => {
                let how = if *y < 0.0 { "behind" } else { "ahead" };
                format!("none, {how} at m/a from {least:.1} to {most:.1}")
            }
            _ => "not measured".into(),
        }
    };
    Comparison {
        what: format!("{title}: m/a where {} takes as long as {}", RIVALS[0], RIVALS[1]),
        published: format!("{BREAK_EVEN:.1} by the counts"),
        ours: format!("{} (each product reduced); {} (reduced late)", of(false), of(true)),
    }
}
