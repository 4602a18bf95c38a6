//! Rows of a ranking: a candidate, its kernel, and the function that was made of it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

use evariste_algorithms::Plan;
use evariste_backend::{Backend, Kind, Made, bit_lanes, bound, machine_bound};
use evariste_cores::Core;
use evariste_ir::Kernel;
use evariste_ir::count::count;
use evariste_proof::Proved;
use evariste_run::RunError;

use crate::candidates::Judged;
use crate::contract_line::contract_line;
use crate::error::TuneError;
use crate::measure::make_all;
use crate::narrow::{Span, behind, behind_as_machine_code, briefly, lengths, parts};
use crate::options::Options;
use crate::ranking::{Candidate, WithoutVectors};
use crate::timed::{groups, time_group};

/// Of layouts of scalar code.
const NOT_TAKEN: &str = "no vectors take their layout";

/// A candidate on its way.
pub(crate) struct Row<'a> {
    pub(crate) candidate: Candidate,
    pub(crate) judged: &'a Judged,
    pub(crate) function: Option<Made>,
}

/// One row for each kernel and each back end that takes it; what was not proved is one row, whatever could have been made
/// of it. Beside them what has no code on vectors, where there are some.
///
/// # Errors
/// When nothing can be timed.
pub(crate) fn make_rows<'a>(
    judged: &'a [Judged],
    options: &Options,
    made: impl Fn() + Sync,
) -> Result<(Vec<Row<'a>>, Vec<WithoutVectors>), TuneError> {
    let mut rows: Vec<Row> = Vec::new();
    let mut refused: HashMap<(String, String), String> = HashMap::new();
    for backend in &options.backends {
        let takes = |j: &&Judged| {
            backend.takes(&j.plan.field, &j.plan.layout, j.outcome.as_ref().is_ok_and(|p| p.kernel().uses_floats()))
        };
        let (proved, unproved): (Vec<&Judged>, Vec<&Judged>) =
            judged.iter().filter(takes).partition(|j| j.outcome.is_ok());
        if backend.entry().kind == Kind::Compiled && !options.every {
            if time_briefly(&mut rows, options)? {
                rows.extend(made_in_steps(&proved, &rows, &**backend, options, &made)?);
            }
        } else {
            let (made, without) = made_of(&proved, &**backend, options, &made);
            rows.extend(made);
            // The first, widest vectors say why.
            for (key, why) in without {
                refused.entry(key).or_insert(why);
            }
        }
        rows.extend(unproved.into_iter().map(|judged| Row {
            candidate: candidate(judged, &options.core.core),
            judged,
            function: None,
        }));
    }
    let mut seen = HashSet::new();
    rows.retain(|r| r.candidate.proved || seen.insert((r.candidate.plan.clone(), r.candidate.operation.clone())));
    let without = without_vectors(judged, &rows, &refused, options);
    Ok((rows, without))
}

/// The proved kernels that have no row of vectors, counted by the reason: words that vectors do not take, or what the
/// widest of them said. Nothing where no vectors were asked for.
fn without_vectors(
    judged: &[Judged],
    rows: &[Row],
    refused: &HashMap<(String, String), String>,
    options: &Options,
) -> Vec<WithoutVectors> {
    if !options.backends.iter().any(|b| b.entry().kind.has_lanes()) {
        return Vec::new();
    }
    let of = |row: &Row| row.candidate.code.is_some_and(|code| code.entry().kind.has_lanes());
    let key = |plan: &Plan| (plan.name(), plan.operation.name());
    let there: HashSet<(String, String)> = rows.iter().filter(|r| of(r)).map(|r| key(&r.judged.plan)).collect();
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for plan in judged.iter().filter(|j| j.outcome.is_ok()).map(|j| &j.plan).filter(|p| !there.contains(&key(p))) {
        let why = refused.get(&key(plan)).cloned();
        *reasons.entry(why.unwrap_or_else(|| NOT_TAKEN.into())).or_default() += 1;
    }
    let mut all: Vec<WithoutVectors> = reasons.into_iter().map(|(why, plans)| WithoutVectors { plans, why }).collect();
    all.sort_by_key(|w| Reverse(w.plans));
    all
}

/// The row of a proved kernel, before there is code of it.
fn row_of<'a>(judged: &'a Judged, backend: &dyn Backend, options: &Options) -> Row<'a> {
    let mut row = Row { candidate: candidate(judged, &options.core.core), judged, function: None };
    row.candidate.code = Some(backend.entry().into());
    if let Ok(proved) = &judged.outcome {
        row.candidate.code = Some(backend.ranked_as(proved.kernel()).into());
        row.candidate.bound_cycles = bound(backend, proved.kernel(), &options.core.core);
    }
    row
}

/// Plan and operation that have no form on vectors, and why.
type Refused = Vec<((String, String), String)>;

/// The rows of these proved kernels, with code of all; what has no form on vectors is ranked as scalar code only, and
/// named beside.
fn made_of<'a>(
    judged: &[&'a Judged],
    backend: &dyn Backend,
    options: &Options,
    made: &(dyn Fn() + Sync),
) -> (Vec<Row<'a>>, Refused) {
    let kernels: Vec<&Proved> = judged.iter().filter_map(|j| j.outcome.as_ref().ok()).collect();
    let functions = make_all(&kernels, backend, &options.stop, made);
    let mut refused = Vec::new();
    let row = |(judged, function): (&&'a Judged, Result<Made, TuneError>)| {
        let mut row = row_of(judged, backend, options);
        match function {
            Ok(function) => row.function = Some(function),
            Err(TuneError::NoVectors(why)) => {
                refused.push(((judged.plan.name(), judged.plan.operation.name()), why));
                return None;
            }
            Err(e @ TuneError::MachineCode(_)) => row.candidate.note = Some(e.to_string()),
            Err(e) => row.candidate.note = Some(format!("not compiled: {e}")),
        }
        Some(row)
    };
    let rows = judged.iter().zip(functions).filter_map(row).collect();
    (rows, refused)
}

/// Measures the rows that have code and no time yet; false where somebody asked to stop.
fn time_briefly(rows: &mut [Row], options: &Options) -> Result<bool, TuneError> {
    for members in groups(rows) {
        match time_group(rows, &members, &briefly(&options.timing), &options.stop) {
            Err(TuneError::Run(RunError::Stopped)) => return Ok(false),
            timed => timed?,
        };
    }
    Ok(true)
}

/// The same where code takes long: not of what is far behind as machine code; of the others first of those that tell what
/// the parts of all take, then of what is not behind by that. The rows that remain without code say why.
fn made_in_steps<'a>(
    judged: &[&'a Judged],
    known: &[Row],
    backend: &dyn Backend,
    options: &Options,
    made: &(dyn Fn() + Sync),
) -> Result<Vec<Row<'a>>, TuneError> {
    let left_out = |judged: &'a Judged, why: String| {
        let mut row = row_of(judged, backend, options);
        row.candidate.note = Some(format!("not compiled: {why}"));
        made();
        row
    };
    let known: Vec<&Candidate> = known.iter().map(|row| &row.candidate).collect();
    let mut out: Vec<Row> = Vec::new();
    let mut worth: Vec<&Judged> = Vec::new();
    for (judged, times) in judged.iter().zip(behind_as_machine_code(judged, &known)) {
        match times {
            Some(times) => out.push(left_out(judged, format!("about {times:.1} × the best as machine code"))),
            None => worth.push(judged),
        }
    }

    let kernels: Vec<&Proved> = worth.iter().filter_map(|j| j.outcome.as_ref().ok()).collect();
    let parts = parts(&worth);
    let span = Span::of(&parts, &lengths(&kernels, backend));
    let first: Vec<&Judged> = span.taken.iter().map(|i| worth[*i]).collect();
    let mut rows = made_of(&first, backend, options, made).0;
    if first.len() == worth.len() || options.stop.is_asked() || !time_briefly(&mut rows, options)? {
        rows.extend(out);
        return Ok(rows);
    }
    let mut measured: Vec<Option<Candidate>> = vec![None; worth.len()];
    for (i, row) in span.taken.iter().zip(&rows) {
        measured[*i] = Some(row.candidate.clone());
    }
    let mut left: Vec<&Judged> = Vec::new();
    for (i, behind) in behind(&worth, &parts, &span, &measured, &known).into_iter().enumerate() {
        match behind {
            Some(times) => {
                let why = format!("about {times:.2} × the best, by what its parts take in others");
                out.push(left_out(worth[i], why));
            }
            None if measured[i].is_none() => left.push(worth[i]),
            None => {}
        }
    }
    rows.extend(made_of(&left, backend, options, made).0);
    rows.extend(out);
    Ok(rows)
}

/// A candidate's row before it is measured, with its bound on a core.
pub fn candidate(j: &Judged, core: &Core) -> Candidate {
    let plan: &Plan = &j.plan;
    let mut row = Candidate {
        plan: plan.name(),
        also: j.also.clone(),
        code: None,
        searched: None,
        schedule: None,
        fingerprint: None,
        heuristic_cycles: None,
        shape: None,
        operation: plan.operation.name(),
        layout: plan.layout.name.clone(),
        proved: j.outcome.is_ok(),
        contract: String::new(),
        note: j.outcome.as_ref().err().cloned(),
        multiplications: 0,
        additions: 0,
        moves: 0,
        proof_ms: j.proof_ms,
        bound_cycles: 0.0,
        latency_cycles: None,
        latency_ns: None,
        throughput_cycles: None,
        throughput_ns: None,
        latency_spread: None,
        throughput_spread: None,
        percent_of_bound: None,
        code_bytes: None,
        brief: false,
    };
    if let Ok(proved) = &j.outcome {
        let kernel: &Kernel = proved.kernel();
        let counts = count(kernel);
        row.contract = contract_line(proved.statement());
        row.multiplications = counts.multiplications;
        row.additions = counts.additions;
        row.moves = counts.loads + counts.stores + counts.moves;
        row.bound_cycles = machine_bound(kernel, core) / f64::from(bit_lanes(kernel));
    }
    row
}
