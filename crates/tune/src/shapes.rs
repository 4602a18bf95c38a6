//! Which interleaving of groups of lanes is fastest: a handful of shapes, timed side by side. Models do not see how the
//! clock answers to the mix of instructions.

use evariste_backend::{Choice, Made};
use evariste_run::{RunError, TimingOptions};
use rayon::prelude::*;

use crate::error::TuneError;
use crate::measure::time_until;
use crate::options::Options;
use crate::rows::Row;
use crate::timed::measured;

/// Rows of each operation whose shape is chosen by time; the others keep the likeliest one.
const ROWS: usize = 2;

/// Times the other shapes of the fastest rows on vectors of each operation, and keeps the fastest of each.
///
/// # Errors
/// When nothing can be timed.
pub(crate) fn choose(rows: &mut [Row], options: &Options) -> Result<(), TuneError> {
    let mut operations: Vec<String> = Vec::new();
    for row in rows.iter() {
        if !operations.contains(&row.candidate.operation) {
            operations.push(row.candidate.operation.clone());
        }
    }
    for operation in operations {
        let mut best: Vec<(f64, usize)> = Vec::new();
        for (i, row) in rows.iter().enumerate() {
            let vector = row.function.as_ref().is_some_and(|f| f.shape.is_some());
            if let (true, true, Some(ns)) = (vector, row.candidate.operation == operation, row.candidate.throughput_ns)
            {
                best.push((ns, i));
            }
        }
        best.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (_, i) in best.into_iter().take(ROWS).take_while(|_| !options.stop.is_asked()) {
            choose_one(&mut rows[i], options)?;
        }
    }
    Ok(())
}

fn choose_one(row: &mut Row, options: &Options) -> Result<(), TuneError> {
    let (Ok(proved), true) = (&row.judged.outcome, row.function.as_ref().is_some_and(|f| f.shape.is_some())) else {
        return Ok(());
    };
    let Some(backend) = options.backends.iter().find(|b| row.candidate.code == Some(b.entry().into())) else {
        return Ok(());
    };
    // What a shape cannot be made in is not a choice.
    let all: Vec<Made> = backend
        .shapes(proved.kernel())
        .par_iter()
        .filter_map(|shape| backend.make(proved, &Choice { shape: Some(shape), ..Choice::default() }).ok())
        .collect();
    let timing = TimingOptions { latency: false, ..options.timing };
    let pairs: Vec<_> = all.iter().map(|c| (proved, c)).collect();
    let timings = match time_until(&pairs, &timing, &options.stop) {
        // The likeliest shape stays.
        Err(RunError::Stopped) => return Ok(()),
        timings => timings?,
    };
    let each = |i: usize| timings[i].throughput.ns / f64::from(all[i].lanes);
    if let Some(fastest) = (0..all.len()).min_by(|a, b| each(*a).total_cmp(&each(*b))) {
        let latency = (row.candidate.latency_cycles, row.candidate.latency_ns);
        let function = all.into_iter().nth(fastest);
        if let Some(function) = &function {
            measured(&mut row.candidate, function, &timings[fastest]);
        }
        (row.candidate.latency_cycles, row.candidate.latency_ns) = latency;
        row.function = function;
    }
    Ok(())
}
