//! Cycles of a byte of WG's keystream: with one key in words; bit-sliced, conversions included, with a key in each slice
//! and with one stream in all of them.

use std::sync::Arc;

use evariste_algorithms::{Operation, Plan};
use evariste_backend::{Backend, Choice, Kind, Made, Repeat, found, usual};
use evariste_descriptions::Field;
use evariste_proof::Proved;
use evariste_run::Machine;
use evariste_tune::TuneError;
use evariste_tune::candidates::{all_plans, field_layouts};

use crate::figure::{Comparison, Figure, Panel};
use crate::plans::{proved, timed};
use crate::reproduction::BRUMLEY_PAGE;
use crate::wg_streams::Sliced;
use crate::{Options, Reproduction, Watch};

/// The registry's line.
pub const REPRODUCTION: Reproduction = Reproduction {
    name: "wg",
    paper: BRUMLEY_PAGE,
    figure: "Table II",
    about: "cycles of a byte of WG's keystream, serial and bit-sliced, on this machine and on the paper's six",
    make,
};

/// A machine, cycles of a byte serial and bit-sliced with conversions.
type Published = (&'static str, u32, u32);

/// The paper's table.
const ROWS: [Published; 6] = [
    ("Core 2", 22116, 1934),
    ("Turion", 17520, 2656),
    ("Pentium 4", 29967, 4832),
    ("Atom", 33157, 2987),
    ("ARM7TDMI", 61326, 33523),
    ("ATmega128", 787_904, 147_898),
];

/// Bytes of keystream of a call.
const BYTES: f64 = 8.0;
const SERIAL: &str = "serial";
const SLICED: &str = "bit-sliced";
/// The paper has a key in each slice alone; its numbers stand beside both.
const ONE: &str = "bit-sliced, one stream";

/// What was measured: where, in which form, by which plan.
struct Row {
    place: String,
    form: &'static str,
    plan: String,
    cycles: f64,
}

fn make(options: &Options, watch: Watch) -> Result<Figure, TuneError> {
    let mut notes = Vec::new();
    let wanted = [Operation::STREAM, Operation::JUMP];
    let plans = Field::parse("cipher:wg").map(|field| all_plans(&field, &field_layouts(&field, &[64]), &wanted));
    let judged = proved(&plans.unwrap_or_default(), watch, &mut notes);
    let mut rows: Vec<Row> = Vec::new();
    let vectors = found(|kind| matches!(kind, Kind::Lanes { bits } if bits > 128), None);
    for backend in usual().into_iter().chain(vectors) {
        let taken: Vec<_> = judged
            .iter()
            .filter(|(plan, proved)| takes(&backend, plan, proved.kernel().uses_floats()))
            .filter(|(plan, _)| plan.operation == Operation::STREAM)
            .cloned()
            .collect();
        let place = backend.entry().title.to_string();
        for timed in timed(&taken, &backend, options, watch, &mut notes)? {
            let plan = timed.plan.name();
            if timed.plan.layout.word != 1 {
                rows.push(Row { place: place.clone(), form: SERIAL, plan, cycles: timed.cycles / BYTES });
                continue;
            }
            match sliced(&judged, &*backend, &timed.plan, options)? {
                Ok(ns) => {
                    // Of the clock beside which the kernel alone was timed.
                    let clock = timed.cycles / timed.ns;
                    for (form, ns) in [SLICED, ONE].into_iter().zip(ns) {
                        rows.push(Row { place: place.clone(), form, plan: plan.clone(), cycles: ns * clock });
                    }
                }
                Err(why) => notes.push(format!("{plan}, {place}: {why}.")),
            }
        }
    }
    notes.push("Bit-sliced: with the conversion of registers into slices and of the stream into bytes; initialisation is not in these cycles.".into());
    notes.push("One stream: cut into as many stretches as there are slices, to which jumps lead; these are in its cycles, but for their coefficients, which depend on the length of a stretch alone. A stretch has 2048 bytes (quick: 64).".into());
    Ok(Figure {
        name: REPRODUCTION.name.into(),
        paper: REPRODUCTION.paper.into(),
        figure: REPRODUCTION.figure.into(),
        title: "Cycles of a byte of WG's keystream".into(),
        machine: Some(format!("{}; medians, all forms in turn", Machine::detect().identity(usual().iter().find_map(|b| b.compiler())))),
        panels: vec![panel(SERIAL, |row| row.1, &rows), panel(SLICED, |row| row.2, &rows), panel(ONE, |row| row.2, &rows)],
        comparisons: compared(&rows),
        changed: [
            "The field's products are of 29 bits: one element in words takes a carry-less product of the processor, which there was none of.".into(),
            "A register of 512 bits holds a key in each of 512 slices; the paper's widest had 128.".into(),
        ],
        notes,
    })
}

/// Nanoseconds of a byte from the code of a back end for one row of slices, with a key in each and of one stream; or why
/// there are none.
fn sliced(
    judged: &[(Plan, Proved)],
    backend: &dyn Backend,
    stream: &Plan,
    options: &Options,
) -> Result<Result<[f64; 2], String>, TuneError> {
    let made = |operation: &Operation| -> Result<Made, String> {
        let same = |plan: &Plan| plan.operation == *operation && plan.layout.name == stream.layout.name;
        let (_, proved) = judged.iter().find(|(plan, _)| same(plan)).ok_or("no kernel")?;
        let choice = Choice { repeat: Repeat::Once, ..Choice::default() };
        backend.make(proved, &choice).map_err(|why| why.to_string())
    };
    let (steps, jump) = match (made(&stream.operation), made(&Operation::JUMP)) {
        (Ok(steps), Ok(jump)) => (steps, jump),
        (Err(why), _) | (_, Err(why)) => return Ok(Err(why)),
    };
    if steps.lanes != jump.lanes {
        return Ok(Err("steps and jumps are of other slices".into()));
    }
    let code = Sliced { steps: &steps, jump: &jump };
    if !code.is_right()? {
        return Ok(Err("the stream is not the reference's".into()));
    }
    code.timed(options.quick).map(Ok)
}

fn takes(backend: &Arc<dyn Backend>, plan: &Plan, floats: bool) -> bool {
    let is_of_slices = plan.layout.word == 1;
    backend.takes(&plan.field, &plan.layout, floats) && (is_of_slices || !backend.entry().kind.has_lanes())
}

/// The least cycles of each form at each place.
fn least<'a>(rows: &'a [Row], form: &str) -> Vec<&'a Row> {
    let mut all: Vec<&Row> = Vec::new();
    for row in rows.iter().filter(|row| row.form == form) {
        match all.iter_mut().find(|known| known.place == row.place) {
            Some(known) if known.cycles > row.cycles => *known = row,
            Some(_) => {}
            None => all.push(row),
        }
    }
    all
}

/// A form on the paper's machines and here.
fn panel(form: &str, published: fn(&Published) -> u32, rows: &[Row]) -> Panel {
    let theirs = ROWS.iter().map(|row| (row.0.to_string(), f64::from(published(row)))).collect();
    let ours = least(rows, form).into_iter().map(|row| (row.place.clone(), row.cycles)).collect();
    Panel::of_machines(form, ("a byte of keystream", "cycles"), theirs, ours)
}

fn compared(rows: &[Row]) -> Vec<Comparison> {
    let best = |form: &str| least(rows, form).into_iter().min_by(|a, b| a.cycles.total_cmp(&b.cycles));
    let published = |of: fn(&Published) -> u32| {
        let row = ROWS.iter().min_by_key(|row| of(row)).unwrap_or(&ROWS[0]);
        format!("{} ({})", of(row), row.0)
    };
    let text = |row: Option<&Row>| {
        row.map_or_else(|| "not measured".into(), |r| format!("{:.0} ({}, {})", r.cycles, r.place, r.plan))
    };
    let (serial, sliced, one) = (best(SERIAL), best(SLICED), best(ONE));
    let mut all = vec![
        Comparison { what: "cycles of a byte, serial".into(), published: published(|r| r.1), ours: text(serial) },
        Comparison { what: "cycles of a byte, bit-sliced".into(), published: published(|r| r.2), ours: text(sliced) },
        Comparison {
            what: "cycles of a byte, bit-sliced, one stream".into(),
            published: "none".into(),
            ours: text(one),
        },
    ];
    if let (Some(serial), Some(sliced)) = (serial, sliced) {
        let ratio = |r: &Published| f64::from(r.1) / f64::from(r.2);
        let of = |f: fn(f64, f64) -> f64, start: f64| ROWS.iter().map(ratio).fold(start, f);
        all.push(Comparison {
            what: "speed of bit-slicing over serial".into(),
            published: format!("{:.1} to {:.1}", of(f64::min, f64::MAX), of(f64::max, 0.0)),
            ours: format!("{:.1}", serial.cycles / sliced.cycles),
        });
    }
    all
}
