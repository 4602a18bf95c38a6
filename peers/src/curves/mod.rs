//! Multiples of points and pairings beside those of other libraries, one core, paired in one run: one element by machine
//! code of our own, and arrays of elements in lanes, each time divided by the elements.
//!
//! Where standards have bytes, both sides go from bytes to bytes, with the checks that they make; in groups of pairings
//! both have coordinates. Arrays of ours lie in the order of lanes; where libraries give bytes, affine coordinates are in
//! our time. All results are compared with the reference's before anything is timed.

pub(crate) mod many;
pub(crate) mod ours;
pub(crate) mod peer;
mod row;
pub(crate) mod subject;

use anyhow::{Result, bail};
use evariste_run::{Timing, TimingOptions, Workload};

use crate::contest::{self, PASS, Table, measured, note, noted};
use crate::packages::built;
use crate::prime::Options;
use crate::prime::row::{Passes, Row as Pair, row as pair};
use ours::Own;
use peer::{Loaded, PEERS, Their};
pub use row::{Row, print};
use subject::{Subject, Task};

/// Measures. Progress goes to the error stream.
pub fn compare(subjects: &[Subject], options: &Options) -> Result<Table<Row>> {
    let chosen: Vec<&Subject> = subjects.iter().filter(|subject| subject.id.contains(&options.only)).collect();
    if chosen.is_empty() {
        bail!("nothing of that name: there are {}", subjects.iter().map(|s| s.id).collect::<Vec<_>>().join(", "));
    }
    built::record()?;
    let (mut missing, mut peers) = (Vec::new(), Vec::new());
    for peer in PEERS.iter().filter(|peer| peer.id.contains(&options.peer)) {
        note(peer.package, peer.load(), &mut peers, &mut missing);
    }
    let mut contests = Vec::new();
    for subject in chosen {
        contests.extend(Contest::new(Task::new(subject)?, &peers, &mut missing)?);
    }
    measured(contests, missing, options.quick)
}

/// One subject: the functions that take turns, and what they took in each pass.
struct Contest<'a> {
    id: &'static str,
    theirs: Vec<(&'a Loaded, Their)>,
    ours: Vec<Own>,
    /// One timing for each pass, for each of `theirs`, then of `ours`.
    timings: Vec<Vec<Timing>>,
}

impl<'a> Contest<'a> {
    /// The peers' functions and ours; `None` when no peer has the operation.
    fn new(task: Task, peers: &'a [Loaded], missing: &mut Vec<String>) -> Result<Option<Self>> {
        let mut theirs = Vec::new();
        for peer in peers {
            let functions = noted(peer.functions(&task), missing).unwrap_or_default();
            theirs.extend(functions.into_iter().map(|function| (peer, function)));
        }
        if theirs.is_empty() {
            return Ok(None);
        }
        let mut ours = ours::finalists(&task)?;
        ours.extend(many::arrays(&task, missing)?);
        eprintln!("{}: {} functions of peers, {} of ours", task.subject.id, theirs.len(), ours.len());
        let timings = vec![Vec::new(); theirs.len() + ours.len()];
        Ok(Some(Contest { id: task.subject.id, theirs, ours, timings }))
    }
}

impl contest::Contest for Contest<'_> {
    type Row = Row;

    const PASS: TimingOptions = TimingOptions { rounds: 5, samples_per_round: 4, budget_ns: 2e7, ..PASS };

    fn workloads(&self) -> Vec<Workload> {
        let theirs = self.theirs.iter().map(|(_, their)| &their.workload);
        theirs.chain(self.ours.iter().map(|own| &own.workload)).cloned().collect()
    }

    fn timings(&mut self) -> &mut [Vec<Timing>] {
        &mut self.timings
    }

    /// Our best of one and of many beside each peer's best; arrays of a peer's take part where ours do.
    fn rows(&self) -> Vec<Row> {
        let (their_times, our_times) = self.timings.split_at(self.theirs.len());
        let mut rows = Vec::new();
        let mut kinds: Vec<&str> = self.ours.iter().map(|own| own.elements).collect();
        kinds.dedup();
        for elements in kinds {
            let ours = self.ours.iter().zip(our_times).filter(|(own, _)| own.elements == elements);
            let passes = ours.filter_map(|(own, t)| Some((own, Passes::of(t, "throughput", own.count as f64)?)));
            let Some((own, best)) = passes.min_by(|a, b| a.1.ns.total_cmp(&b.1.ns)) else { continue };
            let mut sides: Vec<(&str, &str)> =
                self.theirs.iter().map(|(peer, their)| (peer.id, their.contract)).collect();
            sides.dedup();
            for side in sides {
                let of_side = self.theirs.iter().zip(their_times).filter(|((peer, their), _)| {
                    (peer.id, their.contract) == side && (their.elements == 1 || elements != "one")
                });
                let passes = of_side.filter_map(|((peer, their), t)| {
                    Some((*peer, their, Passes::of(t, "throughput", their.elements as f64)?))
                });
                let Some((peer, their, theirs)) = passes.min_by(|a, b| a.2.ns.total_cmp(&b.2.ns)) else { continue };
                rows.push(Row {
                    elements,
                    pair: Pair {
                        kernel: self.id.into(),
                        mode: "throughput",
                        contract: their.contract,
                        peer: peer.id.into(),
                        peer_version: peer.version.clone(),
                        ..pair(&own.plan, &best, their.workload.function.symbol(), &theirs)
                    },
                });
            }
        }
        rows
    }
}
