//! Time of a product against the degree, every multiplier, on each target; the polynomial basis beside.

use evariste_backend::Kind;
use evariste_tune::TuneError;

use crate::crossing::crossing;
use crate::figure::{Axis, Comparison, Drawing, Figure, Panel, Series};
use crate::measure::{Subject, least_bound, machine, measure, series, subjects, targets};
use crate::reproduction::BRUMLEY_PAGE;
use crate::slicing::{TRANSPOSITION, transposition};
use crate::{Options, Reproduction, Watch};

/// The registry's line.
pub const REPRODUCTION: Reproduction = Reproduction {
    name: "nb-sweep",
    paper: BRUMLEY_PAGE,
    figure: "Figures 3 and 4",
    about: "time of a product against the degree: every multiplier, and the polynomial basis, on each target of this machine",
    make,
};

/// Degrees with a basis of type 2, the paper's and smaller ones.
const DEGREES: &[u32] = &[11, 29, 35, 53, 65, 81, 113, 131, 173, 191, 251];
/// Those of a quick run.
const DEGREES_QUICK: &[u32] = &[5, 9];

/// Speed-ups over Ning-Yin that the paper states, averages over degrees.
const PUBLISHED_SPEED_UPS: &str = "Core 2 11.2, Turion 6.4, Pentium 4 5.7, Atom 13.3, ARM7TDMI 1.8, ATmega128 1.6";
/// Degrees below which the paper's multipliers were faster than polynomial multiplication by mpFq.
const PUBLISHED_BREAK_EVEN: &str =
    "below m = 53 on Core 2, 35 on Turion, 81 on Pentium 4, 131 on Atom, against mpFq on single elements";

/// Multipliers that the paper measured; written out or rolled.
const OF_THE_PAPER: &[&str] = &["massey-omura", "matrix", "xesmpo", "aesmpo", "kwon", "fan-hasan"];

fn make(options: &Options, watch: Watch) -> Result<Figure, TuneError> {
    let mut notes = Vec::new();
    let targets = targets(&mut notes);
    let degrees = if options.quick { DEGREES_QUICK } else { DEGREES };
    let subjects = subjects(degrees, &[2, 0], &|_| true, watch, &mut notes);
    let kinds = Kinds::of(&subjects);
    let mut panels: Vec<Panel> = Vec::new();
    for target in &targets {
        let measured = measure(target, &subjects, options, watch, &mut notes)?;
        let mut series = series(&measured, |m| Some((f64::from(m.degree), m.ns)));
        series.push(least_bound(&measured));
        let apart = transposition(degrees, target.row, options)?;
        series.extend(included(&series, &apart, &kinds));
        series.push(apart);
        panels.push(Panel {
            title: target.title.clone(),
            drawing: Drawing::Lines,
            x: Axis::new("degree m", ""),
            y: Axis::new("time of a product", "ns"),
            series,
        });
    }
    // The paper's base line is single elements in C, whatever else has them in lanes.
    let in_c = targets.iter().zip(&panels).filter(|(target, _)| target.backend.entry().kind == Kind::Compiled);
    let single: Vec<Series> = in_c.flat_map(|(_, p)| &p.series).filter(|s| is_ning_yin(&s.name)).cloned().collect();
    let comparisons = panels.iter().flat_map(|p| compare(&p.title, &p.series, &single, &kinds)).collect();
    if single.is_empty() {
        notes.push("Ning-Yin: binary fields list no layout of whole words, so that it was not measured and the published speed-ups over it have nothing beside them.".into());
    }
    notes.push("Operands and products are sliced; the transposition from and to ordinary words is a series by itself, and the best multiplier with it another. Its code is that of arrays: a network of AVX-512, AVX2, plain words of 64 bits.".into());
    notes.push("mpFq works on one element at a time; the polynomial basis here is bit-sliced as all else.".into());
    Ok(Figure {
        name: REPRODUCTION.name.into(),
        paper: REPRODUCTION.paper.into(),
        figure: REPRODUCTION.figure.into(),
        title: "Time of a product against the degree, bases of type 2".into(),
        machine: Some(machine(&targets)),
        panels,
        comparisons,
        changed: [
            "Registers have grown from 128 bits to 512, and a call computes as many products; one instruction of AVX-512 takes three operands of any logic, an AND and the XOR after it.".into(),
            "Products through powers of the basis element (optimal-polynomial) have made normal bases of type 2 cost little more than polynomials, and squares still cost nothing.".into(),
        ],
        notes,
    })
}

/// The least time of these series at a degree, with the name.
fn best(series: &[Series], m: f64, of: impl Fn(&str) -> bool) -> Option<(&str, f64)> {
    series
        .iter()
        .filter(|s| of(&s.name))
        .filter_map(|s| Some((s.name.as_str(), s.at(m)?)))
        .min_by(|a, b| a.1.total_cmp(&b.1))
}

fn is_of_the_paper(name: &str) -> bool {
    OF_THE_PAPER.contains(&name.trim_end_matches("-unrolled").trim_end_matches("-2way"))
}

/// The best of each kind as one series.
fn envelope(series: &[Series], of: impl Fn(&str) -> bool + Copy) -> Option<Series> {
    let first = series.iter().find(|s| of(&s.name))?;
    let mut places: Vec<f64> =
        series.iter().filter(|s| of(&s.name)).flat_map(|s| s.points.iter().map(|p| p.x)).collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    let points = places
        .into_iter()
        .filter_map(|x| best(series, x, of).map(|(name, y)| crate::Point { label: name.into(), x, y }))
        .collect();
    Some(Series { name: "best".into(), origin: first.origin, points })
}

/// The name of the series with the transposition.
const INCLUDED: &str = "best multiplier, transposition included";

/// Names of multipliers by what they work on.
struct Kinds {
    /// Bit-sliced elements in a normal basis.
    normal: Vec<String>,
    /// Bit-sliced polynomials.
    polynomial: Vec<String>,
    /// Polynomials in whole words.
    words: Vec<String>,
}

impl Kinds {
    fn of(subjects: &[Subject]) -> Kinds {
        let named = |normal: bool, sliced: bool| {
            subjects
                .iter()
                .filter(|s| s.is_normal() == normal && (s.layout.word == 1) == sliced)
                .map(|s| s.name.clone())
                .collect()
        };
        Kinds { normal: named(true, true), polynomial: named(false, true), words: named(false, false) }
    }

    fn is_normal(&self, name: &str) -> bool {
        self.normal.iter().any(|n| n == name)
    }

    fn is_polynomial(&self, name: &str) -> bool {
        self.polynomial.iter().any(|n| n == name)
    }

    fn is_in_words(&self, name: &str) -> bool {
        self.words.iter().any(|n| n == name)
    }
}

/// The least time of a product at each degree with that of its transposition.
fn included(series: &[Series], transposition: &Series, kinds: &Kinds) -> Option<Series> {
    let mut best = envelope(series, |name| kinds.is_normal(name))?;
    best.name = INCLUDED.into();
    for p in &mut best.points {
        p.y += transposition.at(p.x)?;
    }
    Some(best)
}

fn is_ning_yin(name: &str) -> bool {
    name.starts_with("ning-yin")
}

/// The paper's statements, each with the figures of this machine beside it, where both sides were measured.
fn compare(target: &str, series: &[Series], single: &[Series], kinds: &Kinds) -> Vec<Comparison> {
    let Some(normal) = envelope(series, |name| kinds.is_normal(name)) else {
        return optimal_polynomial(target, series).into_iter().collect();
    };
    let polynomial = envelope(series, |name| kinds.is_polynomial(name));
    let words = envelope(series, |name| kinds.is_in_words(name));
    let all = [
        envelope(single, is_ning_yin).map(|base| speed_up(target, &normal, &base)),
        polynomial.map(|beside| break_even(target, &normal, &beside)),
        words.map(|words| over_words(target, &normal, &words)),
        transposition_share(target, series),
        optimal_polynomial(target, series),
    ];
    all.into_iter().flatten().collect()
}

/// How many times as fast the normal basis is as Ning and Yin's code.
fn speed_up(target: &str, normal: &Series, base: &Series) -> Comparison {
    let ratios: Vec<f64> = normal.points.iter().filter_map(|p| Some(base.at(p.x)? / p.y)).collect();
    let mean = ratios.iter().sum::<f64>() / ratios.len().max(1) as f64;
    Comparison {
        what: format!("{target}: speed-up over Ning-Yin, average"),
        published: PUBLISHED_SPEED_UPS.into(),
        ours: format!("{mean:.1}"),
    }
}

/// At which degrees the normal basis is faster than bit-sliced polynomials.
fn break_even(target: &str, normal: &Series, beside: &Series) -> Comparison {
    let faster = normal.points.iter().filter(|p| beside.at(p.x).is_some_and(|y| p.y < y));
    let faster = faster.map(|p| p.x.to_string()).collect::<Vec<_>>().join(", ");
    let faster = if faster.is_empty() { "at no degree measured".into() } else { format!("at m = {faster}") };
    let ratio = normal.points.last().and_then(|p| Some((p.x, p.y / beside.at(p.x)?)));
    let ratio = ratio.map_or_else(String::new, |(m, r)| format!("; at m = {m} it takes {r:.2} times as long"));
    Comparison {
        what: format!("{target}: normal basis faster than polynomials"),
        published: PUBLISHED_BREAK_EVEN.into(),
        ours: format!("{faster}, against bit-sliced polynomials{ratio}"),
    }
}

/// Polynomials in whole words over the normal basis, degree by degree.
fn over_words(target: &str, normal: &Series, words: &Series) -> Comparison {
    let ratio = |p: &crate::Point| Some(format!("{:.2} at m = {}", words.at(p.x)? / p.y, p.x));
    Comparison {
        what: format!("{target}: time of polynomials in whole words over that of the normal basis"),
        published: "not in the paper".into(),
        ours: normal.points.iter().filter_map(ratio).collect::<Vec<_>>().join(", "),
    }
}

/// How much of a product from and to ordinary words is transposition.
fn transposition_share(target: &str, series: &[Series]) -> Option<Comparison> {
    let named = |name: &str| series.iter().find(|s| s.name == name);
    let (apart, whole) = (named(TRANSPOSITION)?, named(INCLUDED)?);
    let share = |p: &crate::Point| Some(format!("{:.0} % at m = {}", 100.0 * apart.at(p.x)? / p.y, p.x));
    Some(Comparison {
        what: format!("{target}: share of the transposition in a product from and to ordinary words"),
        published: "conversions are in its Table II, not stated apart".into(),
        ours: whole.points.iter().filter_map(share).collect::<Vec<_>>().join(", "),
    })
}

/// From which degree on products through powers are no slower than the best of the paper's.
fn optimal_polynomial(target: &str, series: &[Series]) -> Option<Comparison> {
    let old = envelope(series, is_of_the_paper)?;
    let new = envelope(series, |name| name.starts_with("optimal-polynomial"))?;
    let from = crossing(&new, &old);
    let ratio = new.points.last().and_then(|p| Some((p.x, old.at(p.x)? / p.y)));
    let ratio = ratio
        .map_or_else(String::new, |(m, r)| format!("; at m = {m} the best of the paper's takes {r:.2} times as long"));
    let from = from.map_or_else(|| "not at the last degree that both have".into(), |m| format!("from m = {m} on"));
    Some(Comparison {
        what: format!("{target}: optimal-polynomial no slower than every multiplier of the paper"),
        published: "not in the paper".into(),
        ours: from + &ratio,
    })
}
