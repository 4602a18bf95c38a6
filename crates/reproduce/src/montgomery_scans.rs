//! Montgomery multiplication in all its scans, with and without the last subtraction, for primes of 160 to 521 bits.

use evariste_algorithms::{Layout, Operation, Plan, layouts, plans};
use evariste_backend::usual;
use evariste_descriptions::Field;
use evariste_run::Machine;
use evariste_tune::TuneError;

use crate::figure::{Axis, Comparison, Drawing, Figure, Origin, Panel, Point, Series};
use crate::plans::{Timed, proved, timed};
use crate::reproduction::HAMBURG;
use crate::{Options, Reproduction, Watch};

/// The registry's line.
pub const REPRODUCTION: Reproduction = Reproduction {
    name: "montgomery-scans",
    paper: HAMBURG,
    figure: "the scans",
    about: "cycles of a Montgomery product by SOS, CIOS, FIOS, FIPS and CIHS, with and without the last subtraction, for primes of 158 to 521 bits",
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
            let scans = scans(field);
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
    notes.push(
        "ARM with UMAAL, of which the paper thinks that FIOS wins there: there is no machine code for it here.".into(),
    );
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

/// Every scan in both Montgomery layouts of 64-bit words.
fn scans(field: &Field) -> Vec<Plan> {
    let is_montgomery = |layout: &Layout| layout.word == 64 && layout.montgomery.is_some();
    let of = |layout: Layout| plans(field, &layout, &Operation::MUL);
    let all = layouts(field, 64).into_iter().filter(is_montgomery).flat_map(of);
    all.filter(|plan| SCANS.iter().any(|(_, name)| plan.algorithm == *name)).collect()
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
        match series.iter_mut().find(|s| s.name == name) {
            // A prime may have two layouts of one kind: the quicker one counts.
            Some(s) if s.at(point.x).is_some() => {
                s.points.iter_mut().filter(|p| p.x == point.x).for_each(|p| p.y = p.y.min(y))
            }
            Some(s) => s.points.push(point),
            None => series.push(Series { name: name.clone(), origin: Origin::Measured, points: vec![point] }),
        }
    }
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
    let firsts: Vec<String> = PRIMES
        .iter()
        .filter_map(|(bits, _)| {
            let with = series.iter().filter_map(|s| Some((at(s, *bits)?, &s.name)));
            with.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(cycles, name)| format!("{bits}: {name} ({cycles:.0})"))
        })
        .collect();
    all.push(Comparison {
        what: format!("{title}: the scan with the fewest cycles, by bits of p"),
        published: "FIPS above all".into(),
        ours: firsts.join("; "),
    });
    all
}
