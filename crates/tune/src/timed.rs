//! Rows timed side by side: briefly all, for long those that are not far behind.

use evariste_algorithms::Operation;
use evariste_backend::Made;
use evariste_proof::Proved;
use evariste_run::{RunError, Stop, Timing, TimingOptions, Watcher, indistinguishable};

use crate::error::TuneError;
use crate::measure::time_until;
use crate::narrow::{briefly, far_behind};
use crate::options::Options;
use crate::ranking::Candidate;
use crate::rows::Row;
use crate::stopped::Stopped;

/// Measures all rows briefly. Those far behind keep that measurement, and are no longer among the [`groups`].
///
/// # Errors
/// As [`time_group`].
pub(crate) fn narrow(rows: &mut [Row], options: &Options, done: impl Fn()) -> Result<(), TuneError> {
    let timing = briefly(&options.timing);
    for members in groups(rows) {
        time_group(rows, &members, &timing, &options.stop)?;
        members.iter().for_each(|_| done());
    }
    let far = far_behind(&rows.iter().map(|r| &r.candidate).collect::<Vec<_>>());
    for (row, far) in rows.iter_mut().zip(far).filter(|(row, _)| row.function.is_some()) {
        row.candidate.brief = far;
    }
    Ok(())
}

/// Percent of spread that is usual on a quiet machine, for the median of all rows.
const USUAL_SPREAD: f64 = 3.0;

/// Why the measurements should not be relied on; nothing where the machine was quiet.
pub(crate) fn noise(watcher: &Watcher, timings: &[(Vec<usize>, Vec<Timing>)]) -> Vec<String> {
    let mut reasons = watcher.reasons();
    let mut spreads: Vec<f64> = timings
        .iter()
        .flat_map(|(_, all)| all)
        .map(|t| t.throughput.spread_percent())
        .filter(|s| s.is_finite())
        .collect();
    spreads.sort_by(f64::total_cmp);
    if let Some(median) = spreads.get(spreads.len() / 2).filter(|s| **s > USUAL_SPREAD) {
        reasons
            .push(format!("half of the rows have a spread of {median:.1} % or more, where {USUAL_SPREAD} % is usual"));
    }
    reasons
}

/// The rows of each operation and word size that are to be measured: what is timed side by side.
pub(crate) fn groups(rows: &[Row]) -> Vec<Vec<usize>> {
    let mut groups: Vec<(String, u32, Vec<usize>)> = Vec::new();
    for (i, row) in rows.iter().enumerate().filter(|(_, r)| r.function.is_some() && !r.candidate.brief) {
        let word = row.judged.plan.layout.word;
        match groups.iter_mut().find(|(op, w, _)| *op == row.candidate.operation && *w == word) {
            Some((_, _, members)) => members.push(i),
            None => groups.push((row.candidate.operation.clone(), word, vec![i])),
        }
    }
    groups.into_iter().map(|(_, _, members)| members).collect()
}

/// What was measured of groups of rows, each with its results.
pub(crate) type Timings = Vec<(Vec<usize>, Vec<Timing>)>;

/// Times all rows, one operation after the other, so that those of an interrupted run are whole; and says how far it
/// came where somebody asked to stop.
pub(crate) fn time_all<Done: Fn()>(
    rows: &mut [Row],
    operations: &[Operation],
    options: &Options,
    counter: impl Fn(usize) -> Done,
) -> Result<(Timings, Option<Stopped>), TuneError> {
    let mut groups = groups(rows);
    let operation = |members: &[usize]| rows[members[0]].candidate.operation.clone();
    groups.sort_by_key(|members| operations.iter().position(|op| op.name() == operation(members)));
    let mut came: Vec<_> = groups.iter().map(|members| (operation(members), members.len(), None)).collect();
    let done = counter(groups.iter().map(Vec::len).sum());
    let mut timings = Timings::new();
    for (members, (_, _, state)) in groups.into_iter().zip(&mut came) {
        let results = match time_group(rows, &members, &options.timing, &options.stop) {
            Err(TuneError::Run(RunError::Stopped)) => break,
            results => results?,
        };
        *state = Some(results.iter().all(|t| t.throughput.rounds_ns.len() >= options.timing.rounds.max(1)));
        members.iter().for_each(|_| done());
        timings.push((members, results));
    }
    Ok((timings, Stopped::of(&came)))
}

/// Times rows side by side, until somebody asks to stop, and fills in what was measured; one result for each.
pub(crate) fn time_group(
    rows: &mut [Row],
    members: &[usize],
    timing: &TimingOptions,
    stop: &Stop,
) -> Result<Vec<Timing>, TuneError> {
    let pairs: Vec<(&Proved, &Made)> = members
        .iter()
        .filter_map(|i| Some((rows[*i].judged.outcome.as_ref().ok()?, rows[*i].function.as_ref()?)))
        .collect();
    let timings = time_until(&pairs, timing, stop)?;
    for (i, timing) in members.iter().zip(&timings) {
        let Row { candidate, function, .. } = &mut rows[*i];
        if let Some(function) = function {
            measured(candidate, function, timing);
        }
    }
    Ok(timings)
}

/// Fills in what was measured, per element.
pub(crate) fn measured(row: &mut Candidate, compiled: &Made, timing: &Timing) {
    let lanes = compiled.lanes as f64;
    row.throughput_cycles = Some(timing.throughput.cycles / lanes);
    row.throughput_ns = Some(timing.throughput.ns / lanes);
    // From operand to result, many elements at once are no faster than the slowest way: nothing to compare.
    let latency = timing.latency.as_ref().filter(|_| compiled.shape.is_none());
    row.latency_cycles = latency.map(|f| f.cycles);
    row.latency_ns = latency.map(|f| f.ns);
    let spread = timing.throughput.spread_percent();
    row.throughput_spread = Some(spread).filter(|s| s.is_finite());
    row.latency_spread = latency.map(|f| f.spread_percent()).filter(|s| s.is_finite());
    // A table that has no costs of these instructions says nothing.
    let bounded = |cycles: &f64| *cycles > 0.0 && row.bound_cycles > 0.0;
    row.percent_of_bound = row.throughput_cycles.filter(bounded).and_then(|cycles| {
        let near = indistinguishable(row.bound_cycles, 0.0, cycles, spread);
        (cycles >= row.bound_cycles || near).then(|| (100.0 * row.bound_cycles / cycles).min(100.0))
    });
    row.code_bytes = compiled.code_bytes;
    row.shape = compiled.shape.clone();
}
