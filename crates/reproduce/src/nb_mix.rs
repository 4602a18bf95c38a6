//! Operations and instructions of every multiplier by class, for one degree of type 2 and one of type 4.

use std::sync::atomic::{AtomicUsize, Ordering};

use evariste_codegen::x86_64::lanes::{self, Shape};
use evariste_codegen::x86_64::vector::Vector;
use evariste_codegen::x86_64::{self, Base, Features, Gpr, Inst, Opcode, Operand, Width};
use evariste_proof::Proved;
use evariste_tune::TuneError;
use evariste_tune::measure::Maker;
use rayon::prelude::*;

use crate::figure::{Axis, Comparison, Drawing, Figure, Origin, Panel, Point, Series};
use crate::measure::{Subject, subjects};
use crate::multipliers::operations;
use crate::reproduction::BRUMLEY_PAGE;
use crate::{Options, Progress, Reproduction, Watch};

/// The registry's line.
pub const REPRODUCTION: Reproduction = Reproduction {
    name: "nb-mix",
    paper: BRUMLEY_PAGE,
    figure: "Figure 2",
    about: "operations by class (XOR, AND, load, store, other) of every multiplier for m = 131 of type 2 and m = 163 of type 4: in kernels and in machine code",
    make,
};

/// Degrees and types.
const BASES: &[(u32, u32)] = &[(131, 2), (163, 4)];
/// Those of a quick run.
const BASES_QUICK: &[(u32, u32)] = &[(11, 2), (13, 4)];
/// Operations, loops multiplied, beyond which there is no straight-line code.
const MOST: u64 = 45_000;

fn make(options: &Options, watch: Watch) -> Result<Figure, TuneError> {
    let mut notes = Vec::new();
    let mut panels = Vec::new();
    let mut comparisons = Vec::new();
    for (m, t) in if options.quick { BASES_QUICK } else { BASES } {
        let mut subjects = subjects(&[*m], &[*t], &|_| true, watch, &mut notes);
        subjects.retain(|s| s.layout.word == 1);
        let kernels = panel(format!("m = {m}, type {t}: kernels"), "operations of one product", kernel_mix(&subjects));
        comparisons.extend(shares(*m, *t, &kernels));
        panels.push(kernels);
        for maker in Maker::vectors() {
            let Maker::Vectors(features, width @ (Width::Y | Width::Z)) = maker else { continue };
            let name = if width == Width::Z { "AVX-512" } else { "AVX2" };
            let (series, left_out) = program_mix(&subjects, features, width, watch);
            if !left_out.is_empty() {
                notes.push(format!("{name}, m = {m}: no straight-line code of {}.", left_out.join("; ")));
            }
            if series.iter().any(|s| !s.points.is_empty()) {
                panels.push(panel(format!("m = {m}, type {t}: {name}"), "instructions of one call", series));
            }
        }
    }
    Ok(Figure {
        name: REPRODUCTION.name.into(),
        paper: REPRODUCTION.paper.into(),
        figure: REPRODUCTION.figure.into(),
        title: "Operations by class".into(),
        machine: None,
        panels,
        comparisons,
        changed: [
            "A call on AVX-512 performs an AND and the XOR after it, or two XORs, in one instruction (fused).".into(),
            "What does not fit the registers is seen apart: spill and reload are moves to and from the stack, load and store those of operands and results.".into(),
        ],
        notes,
    })
}

/// A panel of bars.
fn panel(title: String, y: &str, series: Vec<Series>) -> Panel {
    Panel { title, drawing: Drawing::Bars, x: Axis::new("multiplier", ""), y: Axis::new(y, ""), series }
}

/// Series of classes from a list of bars, each with one number a class.
fn by_class<const N: usize>(classes: [&str; N], bars: &[(String, [u64; N])]) -> Vec<Series> {
    let one = |(class, name): (usize, &&str)| Series {
        name: name.to_string(),
        origin: Origin::Counted,
        points: bars
            .iter()
            .enumerate()
            .map(|(i, (label, counts))| Point { label: label.clone(), x: i as f64, y: counts[class] as f64 })
            .collect(),
    };
    classes.iter().enumerate().map(one).collect()
}

/// What kernels perform.
fn kernel_mix(subjects: &[Subject]) -> Vec<Series> {
    let bars: Vec<_> = subjects
        .iter()
        .map(|s| {
            let o = operations(s.proved.kernel());
            (s.name.clone(), [o.xor, o.and, o.loads, o.stores, o.other])
        })
        .collect();
    by_class(["XOR", "AND", "load", "store", "other"], &bars)
}

/// The share of loads and stores of the extremes.
fn shares(m: u32, t: u32, kernels: &Panel) -> Option<Comparison> {
    let total = |i: f64| kernels.series.iter().filter_map(|s| s.at(i)).sum::<f64>();
    let moves = |i: f64| {
        kernels.series.iter().filter(|s| s.name == "load" || s.name == "store").filter_map(|s| s.at(i)).sum::<f64>()
    };
    let mut all: Vec<(f64, &str)> =
        kernels.places().into_iter().map(|(i, label)| (100.0 * moves(i) / total(i).max(1.0), label)).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (least, most) = (all.first()?, all.last()?);
    Some(Comparison {
        what: format!("m = {m}, type {t}: loads and stores among the operations of a kernel"),
        published: "bars without printed numbers".into(),
        ours: format!("{:.0} % ({}) to {:.0} % ({})", least.0, least.1, most.0, most.1),
    })
}

/// Classes of instructions on vectors.
const CLASSES: [&str; 8] = ["XOR", "AND", "fused", "load", "store", "spill", "reload", "other"];

/// What programs of one register a coordinate perform: they are straight-line, so that what is written is what runs.
/// Programs are checked as all that is executed. Also the names of those without.
fn program_mix(subjects: &[Subject], features: Features, width: Width, watch: Watch) -> (Vec<Series>, Vec<String>) {
    let done = AtomicUsize::new(0);
    let one = |subject: &Subject| {
        let counts = count(&subject.proved, features, width);
        watch(Progress { stage: "making", done: 1 + done.fetch_add(1, Ordering::Relaxed), total: subjects.len() });
        (subject.name.clone(), counts)
    };
    let all: Vec<(String, Result<[u64; 8], String>)> = subjects.par_iter().map(one).collect();
    let mut left_out: Vec<(String, Vec<String>)> = Vec::new();
    let mut bars = Vec::new();
    for (name, counts) in all {
        match counts {
            Ok(counts) => bars.push((name, counts)),
            Err(why) => match left_out.iter_mut().find(|(w, _)| *w == why) {
                Some((_, names)) => names.push(name),
                None => left_out.push((why, vec![name])),
            },
        }
    }
    (
        by_class(CLASSES, &bars),
        left_out.into_iter().map(|(why, names)| format!("{} ({why})", names.join(", "))).collect(),
    )
}

fn count(proved: &Proved, features: Features, width: Width) -> Result<[u64; 8], String> {
    if evariste_ir::count::count_operations(proved.kernel(), &|_| true) > MOST {
        return Err(format!("more than {MOST} operations"));
    }
    let program = lanes::compile(proved, features, Shape::single(width)).map_err(|e| e.to_string())?;
    let checked = x86_64::check(proved, &program).map_err(|e| e.to_string())?;
    let mut counts = [0; 8];
    for inst in checked.program().code.iter().filter(|i| i.op != Opcode::Label) {
        counts[class(inst)] += 1;
    }
    Ok(counts)
}

/// An instruction's place in [`CLASSES`]; one that computes counts as what it computes, wherever its operands come
/// from.
fn class(inst: &Inst) -> usize {
    let stack = |o: Option<Operand>| matches!(o, Some(Operand::Memory(a)) if a.base == Base::Register(Gpr::Rsp));
    let memory = |o: Option<Operand>| matches!(o, Some(Operand::Memory(_) | Operand::Broadcast(_)));
    let (to, from) = (inst.operands[0], inst.operands[1]);
    match inst.op {
        Opcode::Vector(Vector::Xor, _) => 0,
        Opcode::Vector(Vector::And | Vector::AndNot, _) => 1,
        Opcode::Vector(Vector::Ternary(_), _) => 2,
        Opcode::Vector(Vector::Move, _) if stack(to) => 5,
        Opcode::Vector(Vector::Move, _) if stack(from) => 6,
        Opcode::Vector(Vector::Move, _) if memory(to) => 4,
        Opcode::Vector(Vector::Move | Vector::Broadcast, _) if memory(from) => 3,
        _ => 7,
    }
}
