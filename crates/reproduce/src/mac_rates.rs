//! Bytes of messages that universal hash functions take in a second, a core, from the first cache: many keys in lanes, one
//! in machine code and in C, beside a copy of as many bytes.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use evariste_algorithms::Operation;
use evariste_algorithms::hash::WORDS;
use evariste_backend::{Backend, Choice, Kind, Made, Repeat, found};
use evariste_descriptions::{Field, Mmh, SquareHash, Tmmh};
use evariste_proof::Proved;
use evariste_run::Machine;
use evariste_tune::TuneError;
use evariste_tune::candidates::{all_plans, field_layouts};
use evariste_tune::measure::time;

use crate::figure::{Axis, Comparison, Drawing, Figure, Origin, Panel, Point, Series};
use crate::measure::timing;
use crate::plans::proved;
use crate::{Options, Progress, Reproduction, Watch};

/// The registry's line.
pub const REPRODUCTION: Reproduction = Reproduction {
    name: "mac-rates",
    paper: "Halevi and Krawczyk, \"MMH: Software message authentication in the Gbit/second rates\" (1997); Etzel, Patel and Ramzan, \"Square hash\" (1999)",
    figure: "the rates that titles and abstracts claim",
    about: "bytes of messages that MMH-32, square hash and TMMH/16 take in a second on a core, from the first cache: a key a lane with AVX-512 and with AVX2 alone, one key in machine code and in C, beside a copy of as many bytes",
    make,
};

/// The functions, and what a row is called.
const SUBJECTS: [(&str, Operation, &str); 6] = [
    ("mac:mmh32", Operation::HASH, "MMH-32, exact"),
    ("mac:mmh32", Operation::HASH_WRAPPING, "MMH-32, wrapping"),
    ("mac:mmh32", Operation::HASH_SIGNED, "MMH-32, signed"),
    ("mac:square-hash-32", Operation::HASH, "square hash 32"),
    ("mac:square-hash-32", Operation::WRAPPING, "square hash 32, wrapping"),
    ("mac:tmmh16", Operation::TAG_WORD, "TMMH/16, a word"),
];

/// Instruction sets of processors with vectors of 256 bits and nothing wider.
const NARROWER: &str = "bmi2+avx2+fma";

/// Groups of lanes of a call: operands of all stay in the first cache.
const GROUPS: u32 = 2;

/// Shapes of code on vectors that are timed.
const SHAPES: usize = 6;

/// Bytes of a copy: the messages of a call of eight lanes.
const COPIED: usize = 4096;

/// Who makes code, by title.
fn makers() -> Vec<(String, Arc<dyn Backend>)> {
    let wide = |bits: u32, sets| {
        let of = found(|kind| kind == Kind::Lanes { bits }, sets).into_iter();
        of.map(move |backend| (backend.entry().title.to_owned(), backend))
    };
    let single = found(|kind| matches!(kind, Kind::Scalar | Kind::Compiled), None).into_iter();
    let single = single.filter(|b| b.entry().is_native() || b.entry().kind == Kind::Compiled);
    let single = single.map(|b| (format!("{}, one key", b.entry().title), b));
    wide(512, None).chain(wide(256, Some(NARROWER))).chain(single).collect()
}

/// Bytes of a message of a call for one key.
fn message_bytes(field: &Field) -> u32 {
    let mmh = field.get::<Mmh>().map(|hash| hash.word);
    let square = || field.get::<SquareHash>().map(|hash| hash.word);
    let tmmh = || field.get::<Tmmh>().map(|_| 16);
    WORDS * mmh.or_else(square).or_else(tmmh).unwrap_or(0) / 8
}

/// The code of a kernel in the shapes that are timed.
fn made(proved: &Proved, backend: &dyn Backend) -> Vec<Made> {
    if !backend.entry().kind.has_lanes() {
        return backend.make(proved, &Choice::default()).into_iter().collect();
    }
    let one = |shape: String| {
        let choice = Choice { shape: Some(&shape), repeat: Repeat::Groups(GROUPS), ..Choice::default() };
        backend.make(proved, &choice).ok()
    };
    backend.shapes(proved.kernel()).into_iter().filter_map(one).take(SHAPES).collect()
}

/// The fastest code of an operation: bytes of messages in a nanosecond, and its plan.
fn best(
    field: &Field,
    operation: &Operation,
    backend: &dyn Backend,
    options: &Options,
    watch: Watch,
    notes: &mut Vec<String>,
) -> Result<Option<(f64, String)>, TuneError> {
    let layouts = field_layouts(field, &[64, 32]);
    let layouts: Vec<_> = layouts.into_iter().filter(|layout| backend.takes(field, layout, false)).collect();
    let judged = proved(&all_plans(field, &layouts, std::slice::from_ref(operation)), watch, notes);
    let codes: Vec<(String, &Proved, Made)> = judged
        .iter()
        .flat_map(|(plan, proved)| made(proved, backend).into_iter().map(move |made| (plan.name(), proved, made)))
        .collect();
    let pairs: Vec<(&Proved, &Made)> = codes.iter().map(|(_, proved, made)| (*proved, made)).collect();
    if pairs.is_empty() {
        return Ok(None);
    }
    let times = time(&pairs, &timing(options))?;
    let rate = |((name, _, made), time): (&(String, &Proved, Made), evariste_run::Timing)| {
        (f64::from(message_bytes(field) * made.lanes) / time.throughput.ns, name.clone())
    };
    Ok(codes.iter().zip(times).map(rate).max_by(|a, b| a.0.total_cmp(&b.0)))
}

/// Bytes that are copied in a nanosecond, from the first cache to it: the median of some.
fn copied(options: &Options) -> f64 {
    let (from, mut to) = (vec![0x5au8; COPIED], vec![0u8; COPIED]);
    let calls = 10_000;
    let mut rates: Vec<f64> = (0..if options.quick { 3 } else { 15 })
        .map(|_| {
            let start = Instant::now();
            for _ in 0..calls {
                to.copy_from_slice(black_box(&from));
                black_box(&mut to);
            }
            (COPIED * calls) as f64 / start.elapsed().as_nanos().max(1) as f64
        })
        .collect();
    rates.sort_by(f64::total_cmp);
    rates[rates.len() / 2]
}

fn make(options: &Options, watch: Watch) -> Result<Figure, TuneError> {
    let (mut notes, mut series, mut lines) = (Vec::new(), Vec::new(), Vec::new());
    let makers = makers();
    for (done, (title, backend)) in makers.iter().enumerate() {
        watch(Progress { stage: "measuring", done: done + 1, total: makers.len() });
        let mut points = Vec::new();
        for (at, (text, operation, name)) in SUBJECTS.iter().enumerate() {
            let field = Field::parse(text).map_err(|e| TuneError::Operand(e.to_string()))?;
            match best(&field, operation, &**backend, options, watch, &mut notes)? {
                Some((rate, plan)) => {
                    points.push(Point { label: (*name).into(), x: at as f64, y: rate });
                    lines.push((at, format!("{rate:.1} ({title}, {plan})")));
                }
                None => notes.push(format!("{title}: no code of {name}.")),
            }
        }
        series.push(Series { name: title.clone(), origin: Origin::Measured, points });
    }
    let copy = copied(options);
    let point = |(at, (.., name)): (usize, &(_, _, &str))| Point { label: (*name).into(), x: at as f64, y: copy };
    series.push(Series {
        name: "a copy of as many bytes".into(),
        origin: Origin::Measured,
        points: SUBJECTS.iter().enumerate().map(point).collect(),
    });
    notes.push("In lanes every key has its own message, and each word fills a lane, as kernels have them: bytes are those of messages, without the zeros beside short words; bringing words to lanes is not counted.".into());
    notes.push(format!("A call in lanes computes {GROUPS} groups of them, whose operands the first cache holds. A copy is one of {COPIED} bytes by the standard library."));
    let comparison = |(at, (.., name)): (usize, &(_, _, &str))| {
        let ours: Vec<String> = lines.iter().filter(|(of, _)| *of == at).map(|(_, line)| line.clone()).collect();
        let published = if at < 3 { "Gbit/second rates (the title)" } else { "none in GB/s" };
        let what = format!("{name}: GB/s of messages on a core, beside a copy at {copy:.1}");
        (!ours.is_empty()).then(|| Comparison { what, published: published.into(), ours: ours.join(", ") })
    };
    Ok(Figure {
        name: REPRODUCTION.name.into(),
        paper: REPRODUCTION.paper.into(),
        figure: REPRODUCTION.figure.into(),
        title: "Messages that universal hash functions take".into(),
        machine: Some(format!("{}; medians, all codes of a function and a maker in turn", Machine::detect().identity(None))),
        panels: vec![Panel {
            title: "messages a core, from the first cache".into(),
            drawing: Drawing::Bars,
            x: Axis::new("hash function", ""),
            y: Axis::new("bytes of messages", "GB/s"),
            series,
        }],
        comparisons: SUBJECTS.iter().enumerate().filter_map(comparison).collect(),
        changed: [
            "A vector multiplies eight words of 32 bits at once, where the papers' processors took one and several cycles.".into(),
            "One key fills no lanes here: each lane has a key and a message of its own.".into(),
        ],
        notes,
    })
}
