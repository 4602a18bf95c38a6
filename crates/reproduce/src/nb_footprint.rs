//! Time against the degree and against the size of the code: the sequential multiplier, rolled and written out, beside
//! those of subquadratic size.

use evariste_tune::TuneError;

use crate::crossing::crossing;
use crate::figure::{Axis, Comparison, Drawing, Figure, Panel};
use crate::measure::{Subject, least_bound, machine, measure, series, subjects, targets};
use crate::multipliers::operations;
use crate::reproduction::BRUMLEY_PAGE;
use crate::{Options, Reproduction, Watch};

/// The registry's line.
pub const REPRODUCTION: Reproduction = Reproduction {
    name: "nb-footprint",
    paper: BRUMLEY_PAGE,
    figure: "Figure 1b",
    about: "time of AESMPO, Fan-Hasan and optimal-polynomial against the degree and against bytes of code; where they cross",
    make,
};

/// Degrees with a basis of type 2.
const DEGREES: &[u32] = &[5, 9, 11, 23, 29, 33, 35, 39, 41, 51, 53, 65, 81, 113];
/// Those of a quick run.
const DEGREES_QUICK: &[u32] = &[5, 9];
/// What is compared.
const MULTIPLIERS: &[&str] = &[
    "aesmpo",
    "aesmpo-unrolled",
    "fan-hasan",
    "optimal-polynomial",
    "optimal-polynomial-blocks",
    "optimal-polynomial-rolled",
];

/// Where the times of AESMPO and Fan-Hasan cross in the paper's figure.
const PUBLISHED_CROSSING: &str = "the two cross at m = 29";

fn make(options: &Options, watch: Watch) -> Result<Figure, TuneError> {
    let mut notes = Vec::new();
    let targets = targets(&mut notes);
    let degrees = if options.quick { DEGREES_QUICK } else { DEGREES };
    let subjects = subjects(degrees, &[2], &|name| MULTIPLIERS.contains(&name), watch, &mut notes);
    let (mut panels, mut comparisons) = (Vec::new(), Vec::new());
    for target in &targets {
        let measured = measure(target, &subjects, options, watch, &mut notes)?;
        let mut by_degree = series(&measured, |m| Some((f64::from(m.degree), m.ns)));
        by_degree.push(least_bound(&measured));
        let find = |name: &str| by_degree.iter().find(|s| s.name == name);
        for other in ["fan-hasan", "optimal-polynomial"] {
            for aesmpo in ["aesmpo", "aesmpo-unrolled"] {
                let (Some(lower), Some(upper)) = (find(other), find(aesmpo)) else { continue };
                let from = crossing(lower, upper);
                let last = lower.points.iter().rev().find_map(|p| Some((p.x, upper.at(p.x)?)));
                let last = last.map_or_else(String::new, |(m, _)| format!(" (measured up to {m})"));
                comparisons.push(Comparison {
                    what: format!("{}: {other} no slower than {aesmpo}", target.title),
                    published: if other == "fan-hasan" { PUBLISHED_CROSSING.into() } else { "not in the paper".into() },
                    ours: from
                        .map_or_else(|| "not at the last degree that both have".into(), |m| format!("from m = {m} on"))
                        + &last,
                });
            }
        }
        let by_size = series(&measured, |m| Some((m.bytes? as f64, m.ns)));
        let time = || Axis::new("time of a product", "ns");
        panels.push(Panel {
            title: format!("{}, by degree", target.title),
            drawing: Drawing::Lines,
            x: Axis::new("degree m", ""),
            y: time(),
            series: by_degree,
        });
        panels.push(Panel {
            title: format!("{}, by size", target.title),
            drawing: Drawing::Lines,
            x: Axis::new("size of the code", "bytes"),
            y: time(),
            series: by_size,
        });
    }
    notes.push("On vectors loops are written out, but for those over the blocks of optimal-polynomial-rolled: the rolled and the unrolled AESMPO differ there in order and sharing alone.".into());
    Ok(Figure {
        name: REPRODUCTION.name.into(),
        paper: REPRODUCTION.paper.into(),
        figure: REPRODUCTION.figure.into(),
        title: "Time against degree and size of code, bases of type 2".into(),
        machine: Some(machine(&targets)),
        panels,
        comparisons,
        changed: [
            "AVX-512 has 32 registers of 512 bits, AVX2 16 of 256; on both the order and the registers are chosen here, spilling what is needed last. The paper's code came from compilers, on 128 bits or less.".into(),
            format!("optimal-polynomial (Bernstein and Lange 2010) is not in the paper{}.", gates(&subjects)),
        ],
        notes,
    })
}

/// Its gates against those of Fan-Hasan at the last degree.
fn gates(subjects: &[Subject]) -> String {
    let last = |name: &str| {
        subjects.iter().rfind(|s| s.name == name).map(|s| (s.degree, operations(s.proved.kernel()).gates()))
    };
    match (last("optimal-polynomial"), last("fan-hasan")) {
        (Some((m, new)), Some((n, old))) if m == n => format!("; at m = {m} it has {new} gates, Fan-Hasan {old}"),
        _ => String::new(),
    }
}
