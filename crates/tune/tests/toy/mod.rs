//! Toy kernels: every algorithm of the registry at words of three bits and two digits (one bit for normal bases; in
//! lanes digits of three and five bits in words of seven and nine), the mutants of each, and the verdict of the proof
//! engine on each beside the truth.

pub mod exhaust;
pub mod table;

use std::collections::BTreeMap;

use evariste_algorithms::{Layout, Operation, Plan, field_set, lane_layouts, layouts, plans};
use evariste_descriptions::{Field, Modulus};
use evariste_ir::Kernel;
use evariste_ir::mutate::{Mutant, mutant, mutants};
use evariste_proof::Outcome;
use evariste_testing::{always_one_of_each, full, one_of_each, reduction_of};
use num_bigint::BigUint;
use rayon::prelude::*;

use table::Row;

/// Moduli of two digits of three bits: dense with the top bit set, top digit 1, −1 modulo 8, `2^6 − 3`, `2^5 + 5`,
/// `2^5 − 1`, the sums of powers `2^6 − 2^3 − 1` and `2^6 − 2^3 + 1` (composite: rings), `2^4 + 1`, dense in five bits,
/// `2^6 − 5`, dense with the top digit 5; `2^6`, `2^4 · 3`, `2 · 29`, `2^5`. An algorithm gets the first [`MODULI_EACH`] to which it applies.
const MODULI: &[u32] = &[53, 11, 47, 61, 37, 31, 55, 57, 17, 29, 59, 43, 64, 48, 58, 32];

/// Structures, words and digits for lanes: moduli of one digit and of two, with room for a fold of sums (digits of five
/// bits) and without, −1 and 1 modulo a digit, `2^9 − 3`, powers of two
/// and their multiples, integers; `2^7 − 1` in digits of three bits and two, `2^6 − 1` and `2^5 − 1` in digits that are multiplied as floats.
const LANES: &[(&str, u32, u32)] = &[
    ("(3)", 9, 5),
    ("(7)", 9, 5),
    ("(11)", 9, 5),
    ("(31)", 9, 5),
    ("(101)", 9, 5),
    ("2^9 - 3", 9, 5),
    ("2^7 - 1", 12, 3),
    ("2^6 - 1", 5, 3),
    ("2^5 - 1", 5, 3),
    ("(3)", 7, 3),
    ("(7)", 7, 3),
    ("(9)", 7, 3),
    ("(13)", 7, 3),
    ("2^5 - 1", 7, 3),
    ("2^9", 9, 5),
    ("2^7 * 3", 9, 5),
    ("2^5", 7, 3),
    ("2^3 * 3", 7, 3),
    ("int5", 7, 3),
    ("int6", 7, 3),
];

/// Kernels of an algorithm for an operation in a kind of layout.
const MODULI_EACH: usize = 4;

/// A kernel without fault.
pub struct Case {
    /// The row of the table: the algorithm, with its operation where that is not a product.
    pub row: String,
    /// Operation, algorithm, layout, modulus.
    pub name: String,
    /// The kernel.
    pub kernel: Kernel,
}

fn cases_of(
    field: &Field,
    label: &str,
    layouts: Vec<Layout>,
    extra: &[Operation],
    seen: &mut BTreeMap<String, usize>,
    all: &mut Vec<Case>,
) {
    for l in layouts {
        let most = if l.radix.is_some() { exhaust::MOST_IN_LANES } else { exhaust::MOST };
        let mut operations = field_set::operations(field, &l);
        operations.extend(extra.iter().cloned());
        for op in operations {
            // Mutants of a reduction are the same under every product: one product stands for all.
            let what = format!("mutants {label} {} {}", l.name, op.name());
            for plan in drawn(&what, plans(field, &l, &op)) {
                let algorithm = match plan.algorithm.split_once('+') {
                    Some((_, reduction)) => format!("a product+{reduction}"),
                    None => plan.algorithm.clone(),
                };
                let row = match op.row().name {
                    "mul" | "square" => algorithm,
                    "affine" | "affine_mod_2_K" => format!("affine {algorithm}"),
                    "pow_HEX" => format!("power {algorithm}"),
                    _ => format!("{} {algorithm}", op.name()),
                };
                // Moduli of five and of six bits have the same layouts; unsaturated ones differ by their radix.
                let kind = if l.saturated() || l.radix.is_some() { l.name.as_str() } else { "unsaturated" };
                let truncated = op.is_any(&[Operation::AFFINE_MOD]);
                let count = seen
                    .entry(format!("{row} {} {kind} {truncated}", op.name().split("_2_").next().unwrap_or_default()))
                    .or_default();
                if *count == MODULI_EACH {
                    continue;
                }
                // A plan may find that it does not apply only while it is written.
                if let Some(kernel) = plan.write().ok().filter(|k| exhaust::is_small(k, most)) {
                    *count += 1;
                    all.push(Case { row, name: format!("{} {} of {label}", op.name(), plan.name()), kernel });
                }
            }
        }
    }
}

/// One plan for each reduction, with another product each day; in a full run, whose table is kept, always the same.
fn drawn(what: &str, all: Vec<Plan>) -> Vec<Plan> {
    let reduction = |plan: &Plan| reduction_of(&plan.algorithm).to_string();
    if full() { always_one_of_each(what, all, reduction) } else { one_of_each(what, all, reduction) }
}

/// All kernels without fault, in a fixed order.
pub fn cases() -> Vec<Case> {
    let mut all = Vec::new();
    let mut seen = BTreeMap::new();
    for p in MODULI {
        let field = Field::new(Modulus::new(BigUint::from(*p)).expect("a modulus"));
        cases_of(
            &field,
            &p.to_string(),
            layouts(&field, 3),
            &[Operation::POWER.with(BigUint::from(11u32))],
            &mut seen,
            &mut all,
        );
    }
    let integers = Field::parse("int6").expect("plain integers");
    cases_of(&integers, "int6", layouts(&integers, 3), &[], &mut seen, &mut all);
    for m in [3, 5, 9] {
        let field = Field::parse(&format!("GF(2^{m}):onb2")).expect("a field with a type-2 basis");
        cases_of(&field, &format!("2^{m}"), layouts(&field, 1), &[], &mut seen, &mut all);
    }
    all
}

/// Toy cases of the layouts for lanes.
pub fn lane_cases() -> Vec<Case> {
    let mut all = Vec::new();
    let mut seen = BTreeMap::new();
    for (text, word, radix) in LANES {
        let field = Field::parse(text).expect("a modulus or plain integers");
        let parts = [Operation::MUL_WIDE, Operation::SQUARE_WIDE, Operation::REDUCE];
        cases_of(&field, text, lane_layouts(&field, *word, *radix), &parts, &mut seen, &mut all);
    }
    all
}

/// A mutant beside the truth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Proved, and right on every input.
    Proved,
    /// Refuted by an input that replays.
    Refuted,
    /// Refused by the structural verifier, before any proof.
    Malformed,
    /// Not proved; is it right on every input?
    Unknown {
        /// It is.
        right: bool,
    },
    /// The engine contradicts exhaustion: what it said and what is so.
    Contradiction(String),
}

/// The engine's verdict on a kernel, compared with all inputs.
pub fn judge(kernel: &Kernel) -> Verdict {
    let defect = evariste_ir::verify(kernel).err();
    match (evariste_proof::prove(kernel), defect) {
        (Outcome::Proved(_), Some(defect)) => Verdict::Contradiction(format!("proved, but malformed: {defect:?}")),
        (_, Some(_)) => Verdict::Malformed,
        (outcome, None) => compare(kernel, outcome),
    }
}

/// The engine's verdict on a well-formed kernel, compared with all inputs.
fn compare(kernel: &Kernel, outcome: Outcome) -> Verdict {
    match outcome {
        Outcome::Proved(proved) => {
            if let Some(input) = exhaust::wrong(kernel) {
                return Verdict::Contradiction(format!("proved, but wrong for {input}"));
            }
            match exhaust::cleaning_is_wrong(kernel, proved.kernel()) {
                Some(what) => {
                    Verdict::Contradiction(format!("the kernel that leaves is not the one that was proved: {what}"))
                }
                None => Verdict::Proved,
            }
        }
        Outcome::Refuted(found) => {
            let inputs: Vec<(&str, Vec<_>)> = found.inputs.iter().map(|(name, x)| (name.as_str(), x.clone())).collect();
            match evariste_ir::refute(kernel, &inputs) {
                Some(_) => Verdict::Refuted,
                None => Verdict::Contradiction(format!(
                    "refuted ({}), but the input does not replay: {inputs:?}",
                    found.violation
                )),
            }
        }
        Outcome::Unknown(_) => Verdict::Unknown { right: exhaust::wrong(kernel).is_none() },
    }
}

/// The mutants of a case that take part, with their places among all: every `stride`-th, starting at a place that the
/// case's name decides.
pub fn sample(case: &Case, stride: usize) -> Vec<Mutant> {
    let start = case.name.bytes().fold(0u64, |h, b| h.wrapping_mul(31).wrapping_add(u64::from(b))) % stride as u64;
    mutants(&case.kernel).into_iter().skip(start as usize).step_by(stride).collect()
}

/// Mutants of mutants of a case: one for every `stride`-th mutant, its second fault chosen by its place.
pub fn doubles(case: &Case, stride: usize) -> Vec<Mutant> {
    let second = |(i, first): (usize, Mutant)| {
        let draw = i.wrapping_mul(0x9e37_79b9).wrapping_add(case.name.len() * 7919);
        mutant(&first.kernel, draw).map(|m| Mutant { fault: format!("{}; {}", first.fault, m.fault), ..m })
    };
    sample(case, stride).into_iter().enumerate().filter_map(second).collect()
}

/// Judges kernels and mutants; rows of the table by algorithm, and every contradiction in words.
pub fn run(cases: &[Case], select: impl Fn(&Case) -> Vec<Mutant> + Sync) -> (BTreeMap<String, Row>, Vec<String>) {
    let judged: Vec<(Row, Vec<String>)> = cases
        .par_iter()
        .map(|case| {
            let mut row = Row { kernels: 1, ..Row::default() };
            let mut contradictions = Vec::new();
            let base = judge(&case.kernel);
            match &base {
                Verdict::Proved => row.kernels_proved += 1,
                Verdict::Unknown { right: true } => row.unproved.push(case.name.clone()),
                other => contradictions.push(format!("{} without a fault: {other:?}", case.name)),
            }
            for mutant in select(case) {
                let verdict = judge(&mutant.kernel);
                row.count(&verdict);
                if let Verdict::Contradiction(what) = verdict {
                    contradictions.push(format!("{}, {}: {what}", case.name, mutant.fault));
                }
            }
            (row, contradictions)
        })
        .collect();
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    let mut contradictions = Vec::new();
    for (case, (row, wrong)) in cases.iter().zip(judged) {
        rows.entry(case.row.clone()).or_default().add(row);
        contradictions.extend(wrong);
    }
    (rows, contradictions)
}
