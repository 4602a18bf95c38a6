//! Montgomery multiplication in all its scans, with and without the last subtraction, for primes of 160 to 521 bits.

use evariste_algorithms::{Layout, Operation, Plan, layouts, plans};
use evariste_backend::usual;
use evariste_descriptions::Field;
use evariste_run::Machine;
use evariste_tune::TuneError;

use crate::figure::{Axis, Comparison, Drawing, Figure, Origin, Panel, Point, Series};
use crate::plans::{Timed, proved, timed};
use crate::processors::{benches, counted, origin, panel};
use crate::reproduction::HAMBURG;
use crate::{Options, Progress, Reproduction, Watch};

/// The registry's line.
pub const REPRODUCTION: Reproduction = Reproduction {
    name: "montgomery-scans",
    paper: HAMBURG,
    figure: "the scans",
    about: "cycles of a Montgomery product by SOS, CIOS, FIOS, FIPS and CIHS, with and without the last subtraction, for primes of 158 to 521 bits; instructions on ARM with and without UMAAL",
    make,
};

/// Primes of no special form: the greatest below π/4 · 2^n. Two bits and more of the words are free, so that both
/// kinds of layouts exist; with fewer there is no product without a last subtraction.
const PRIMES: &[(u32, &str)] = &[
    (158, "0x3243f6a8885a308d313198a2e03707344a4092fd"),
    (190, "0x3243f6a8885a308d313198a2e03707344a4093822299f233"),
    (222, "0x3243f6a8885a308d313198a2e03707344a4093822299f31d0082edc7"),
    (254, "0x3243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6ab"),
    (318, "0x3243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89452821e638d011b"),
    (382, "0x3243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89452821e638d01377be5466cf34e90bb"),
    (
        446,
        "0x3243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89452821e638d01377be5466cf34e90c6cc0ac29b7c97c46b",
    ),
    (
        510,
        "0x3243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89452821e638d01377be5466cf34e90c6cc0ac29b7c97c50dd3f84d5b5b547015",
    ),
    (
        521,
        "0x1921fb54442d18469898cc51701b839a252049c1114cf98e804177d4c76273644a29410f31c6809bbdf2a33679a748636605614dbe4be286e9fc26adadaa3848483",
    ),
];
/// Those of a quick run.
const QUICK: &[u32] = &[158, 254];

/// The scans by their names in plans; SOS is a product and its reduction.
const SCANS: [(&str, &str); 5] = [
    ("SOS", "operand-scanning+montgomery-sos"),
    ("CIOS", "montgomery-cios"),
    ("FIOS", "montgomery-fios"),
    ("FIPS", "montgomery-fips"),
    ("CIHS", "montgomery-cihs"),
];

/// The runners of the conjecture: one processor, with and without its product of two sums.
const UMAAL: [&str; 2] = ["armv6-umaal", "armv6"];

/// What the paper says of one scan on one processor.
const PUBLISHED: (u32, &str, &str) = (254, "FIPS", "about 100 cycles for 256 bits on a Sandy Bridge (x86-64)");

fn make(options: &Options, watch: Watch) -> Result<Figure, TuneError> {
    let mut notes = Vec::new();
    let fields: Vec<(u32, Field)> = PRIMES
        .iter()
        .filter(|(bits, _)| !options.quick || QUICK.contains(bits))
        .filter_map(|(bits, text)| Some((*bits, Field::parse(text).ok()?)))
        .collect();
    let mut panels: Vec<Panel> = Vec::new();
    let mut comparisons = Vec::new();
    let backends = usual();
    for backend in &backends {
        let title = backend.entry().title;
        let mut series: [Vec<Series>; 2] = [Vec::new(), Vec::new()];
        for (bits, field) in &fields {
            let scans = scans(field, 64);
            let all = proved(&scans, watch, &mut notes);
            for timed in timed(&all, backend, options, watch, &mut notes)? {
                add(&mut series, *bits, &timed);
            }
        }
        comparisons.extend(compared(title, &series[0]));
        for (series, what) in series.into_iter().zip(["of many independent products", "from operands to result"]) {
            panels.push(Panel {
                title: format!("{title}, {what}"),
                drawing: Drawing::Lines,
                x: Axis::new("bits of p", ""),
                y: Axis::new("a product", "cycles"),
                series,
            });
        }
    }
    let (more, compared) = arm(&fields, watch, &mut notes);
    panels.extend(more);
    comparisons.extend(compared);
    let compiler = backends.iter().find_map(|backend| backend.compiler());
    Ok(Figure {
        name: REPRODUCTION.name.into(),
        paper: REPRODUCTION.paper.into(),
        figure: REPRODUCTION.figure.into(),
        title: "Cycles of a Montgomery product by scan".into(),
        machine: Some(format!("{}; medians, all scans of a prime in turn", Machine::detect().identity(compiler))),
        panels,
        comparisons,
        changed: [
            "MULX, ADCX and ADOX (2013, 2014) carry two sums at once: scans by rows have the shorter code, where FIPS by columns was ahead with one carry flag.".into(),
            "Without the last subtraction numbers stay below 2p: the range of every number says whether 4p < R, so that nothing is subtracted where it does.".into(),
        ],
        notes,
    })
}

/// Every scan in both Montgomery layouts of these words.
fn scans(field: &Field, word: u32) -> Vec<Plan> {
    let is_montgomery = |layout: &Layout| layout.word == word && layout.montgomery.is_some();
    let of = |layout: Layout| plans(field, &layout, &Operation::MUL);
    let all = layouts(field, word).into_iter().filter(is_montgomery).flat_map(of);
    all.filter(|plan| SCANS.iter().any(|(_, name)| plan.algorithm == *name)).collect()
}

/// Instructions of every scan on the processor of which the paper has a conjecture, with its product of two sums
/// (UMAAL) and without it.
fn arm(fields: &[(u32, Field)], watch: Watch, notes: &mut Vec<String>) -> (Vec<Panel>, Vec<Comparison>) {
    let benches = benches(|runner| UMAAL.contains(&runner.name), notes);
    let judged: Vec<(u32, Vec<_>)> = if benches.is_empty() {
        Vec::new()
    } else {
        fields.iter().map(|(bits, field)| (*bits, proved(&scans(field, 32), watch, notes))).collect()
    };
    let (mut panels, mut comparisons) = (Vec::new(), Vec::new());
    for bench in &benches {
        let mut series: Vec<Series> = Vec::new();
        for (done, (bits, all)) in judged.iter().enumerate() {
            for (plan, count) in counted(all, bench, notes) {
                let Some(name) = name(&plan) else { continue };
                let point = Point { label: format!("{bits} bits"), x: f64::from(*bits), y: count as f64 };
                keep(&mut series, name, origin(bench.runner), point);
            }
            watch(Progress { stage: "counting", done: done + 1, total: judged.len() });
        }
        comparisons.push(Comparison {
            what: format!("{}: the scan with the fewest instructions, by bits of p", bench.runner.about),
            published: "FIOS with UMAAL (a conjecture)".into(),
            ours: firsts(&series),
        });
        panels.push(panel(bench, "Montgomery products", "bits of p", "a product", series));
    }
    (panels, comparisons)
}

/// The series of a plan: its scan, and whether its result is below p.
fn name(plan: &Plan) -> Option<String> {
    let (scan, _) = SCANS.iter().find(|(_, name)| plan.algorithm == *name)?;
    let p = plan.field.get::<evariste_descriptions::Modulus>()?.value.clone();
    let is_reduced = plan.layout.resting.bound < num_bigint::BigInt::from(p);
    Some(if is_reduced { scan.to_string() } else { format!("{scan}, no last subtraction") })
}

fn add(series: &mut [Vec<Series>; 2], bits: u32, timed: &Timed) {
    let Some(name) = name(&timed.plan) else { return };
    for (series, y) in series.iter_mut().zip([Some(timed.cycles), timed.latency]) {
        let Some(y) = y else { continue };
        let point = Point { label: format!("{bits} bits"), x: f64::from(bits), y };
        keep(series, name.clone(), Origin::Measured, point);
    }
}

/// Adds a point to a series. A prime may have two layouts of one kind: the quicker one counts.
fn keep(series: &mut Vec<Series>, name: String, origin: Origin, point: Point) {
    match series.iter_mut().find(|s| s.name == name) {
        Some(s) if s.at(point.x).is_some() => {
            s.points.iter_mut().filter(|p| p.x == point.x).for_each(|p| p.y = p.y.min(point.y))
        }
        Some(s) => s.points.push(point),
        None => series.push(Series { name, origin, points: vec![point] }),
    }
}

/// Which scan is first at each length, with its number.
fn firsts(series: &[Series]) -> String {
    let first = |(bits, _): &(u32, &str)| {
        let with = series.iter().filter_map(|s| Some((s.at(f64::from(*bits))?, &s.name)));
        with.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(y, name)| format!("{bits}: {name} ({y:.0})"))
    };
    PRIMES.iter().filter_map(first).collect::<Vec<_>>().join("; ")
}

/// What the paper prints beside this run, and which scan is first at each length.
fn compared(title: &str, series: &[Series]) -> Vec<Comparison> {
    let (bits, scan, text) = PUBLISHED;
    let at = |s: &Series, bits: u32| s.at(f64::from(bits));
    let mine: Vec<String> = series
        .iter()
        .filter(|s| s.name.starts_with(scan))
        .filter_map(|s| Some(format!("{:.0} cycles ({})", at(s, bits)?, s.name)))
        .collect();
    let mut all = Vec::new();
    if !mine.is_empty() {
        let what = format!("{title}: {scan} at {bits} bits");
        all.push(Comparison { what, published: text.into(), ours: mine.join(", ") });
    }
    all.push(Comparison {
        what: format!("{title}: the scan with the fewest cycles, by bits of p"),
        published: "FIPS above all".into(),
        ours: firsts(series),
    });
    all
}
