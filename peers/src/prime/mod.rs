//! Products and squares beside those of other libraries, one core, throughput and latency, paired in one run.
//!
//! A peer is a package of `prime/` with functions on pointers, which `setup` compiled with everything that this
//! processor has; it is loaded, and checked against the reference before it is timed. For each kernel the peers' functions and the best of
//! our candidates for each contract take turns; rows compare within a contract.

pub(crate) mod form;
pub(crate) mod kernels;
pub mod ours;
pub(crate) mod peer;
pub(crate) mod row;

use std::collections::BTreeSet;
use std::sync::Arc;

use anyhow::{Result, bail};
use evariste_backend::{Backend, c};
use evariste_run::{Compiler, Timing, TimingOptions, Workload};
use evariste_tune::here;

use crate::contest::{self, PASS, Table, measured, note, noted};
use crate::packages::built;
use form::Form;
use kernels::{Kernel, kernels};
use ours::Candidate;
use peer::{Loaded, PEERS, Peer, PeerFunction};
use row::Passes;
pub use row::{Row, print};

/// What to compare.
pub struct Options {
    /// Only kernels whose id contains this.
    pub only: String,
    /// Only peers whose id contains this.
    pub peer: String,
    /// Three passes.
    pub quick: bool,
}

/// Measures. Progress goes to the error stream.
pub fn compare(options: &Options, compiler: Option<&Compiler>) -> Result<Table<Row>> {
    let (kernels, backends, mut missing) = (kernels(&options.only)?, backends(compiler)?, Vec::new());
    if kernels.is_empty() {
        bail!("no kernel of that name");
    }
    let peers = loaded(&PEERS, options, &mut missing)?;
    let mut contests = Vec::new();
    for kernel in kernels {
        contests.extend(Contest::new(kernel, &peers, &backends, &mut missing)?);
    }
    measured(contests, missing, options.quick)
}

/// What makes code of ours for one element: ourselves, and the C compiler.
pub(crate) fn backends(compiler: Option<&Compiler>) -> Result<Vec<Arc<dyn Backend>>> {
    let mut backends: Vec<Arc<dyn Backend>> = here::scalar(None).into_iter().collect();
    if backends.is_empty() {
        eprintln!("no machine code of our own");
    }
    backends.extend(compiler.cloned().map(c::by));
    if backends.is_empty() {
        bail!("neither machine code nor a C compiler");
    }
    Ok(backends)
}

/// Those of these peers that are built and asked for.
pub(crate) fn loaded(peers: &[Peer], options: &Options, missing: &mut Vec<String>) -> Result<Vec<Loaded>> {
    built::record()?;
    let mut all = Vec::new();
    for peer in peers.iter().filter(|peer| peer.id.contains(&options.peer)) {
        note(peer.packages[0], peer.load(), &mut all, missing);
    }
    Ok(all)
}

/// One kernel: the functions that take turns, and what they took in each pass.
pub(crate) struct Contest<'a> {
    pub kernel: Kernel,
    /// One form of each contract.
    forms: Vec<Form>,
    pub theirs: Vec<(&'a Loaded, PeerFunction)>,
    ours: Vec<Candidate>,
    /// One timing for each pass, for each of `theirs`, then of `ours`, then of what else takes turns.
    pub timings: Vec<Vec<Timing>>,
}

impl<'a> Contest<'a> {
    /// The peers' functions and our best candidates for their contracts; `None` when no peer has the kernel.
    pub fn new(
        kernel: Kernel,
        peers: &'a [Loaded],
        backends: &[Arc<dyn Backend>],
        missing: &mut Vec<String>,
    ) -> Result<Option<Self>> {
        let mut theirs = Vec::new();
        for peer in peers {
            let functions = noted(peer.functions(&kernel), missing).unwrap_or_default();
            theirs.extend(functions.into_iter().map(|function| (peer, function)));
        }
        if theirs.is_empty() {
            return Ok(None);
        }
        let mut forms: Vec<Form> = Vec::new();
        for (_, function) in &theirs {
            if !forms.iter().any(|form| form.contract() == function.form.contract()) {
                forms.push(function.form);
            }
        }
        let ours = ours::finalists(&kernel, &forms, backends)?;
        eprintln!("{}: {} functions of peers, {} of ours", kernel.id(), theirs.len(), ours.len());
        let timings = vec![Vec::new(); theirs.len() + ours.len()];
        Ok(Some(Contest { kernel, forms, theirs, ours, timings }))
    }
}

impl Contest<'_> {
    /// What took so long beside a peer's best function of a form's contract; none, where a peer has none of that mode.
    pub fn beside(&self, plan: &str, ours: &Passes, form: Form, mode: &'static str, id: &str) -> Option<Row> {
        let of_peer = |(peer, function): &(&Loaded, PeerFunction)| {
            // Of what is repeated within a call, no result waits for another.
            let tells = mode == "throughput" || function.repeats == 1;
            tells && peer.id == id && function.form.contract() == form.contract()
        };
        let functions = self.theirs.iter().zip(&self.timings).filter(|(of, _)| of_peer(of));
        let passes = functions.filter_map(|((peer, function), t)| {
            let passes = Passes::of(t, mode, function.repeats as f64)?;
            Some((*peer, function.workload.function.symbol(), passes))
        });
        let (peer, symbol, passes) = passes.min_by(|a, b| a.2.ns.total_cmp(&b.2.ns))?;
        Some(Row {
            kernel: self.kernel.id(),
            mode,
            contract: form.contract(),
            peer: peer.id.to_string(),
            peer_version: peer.version.clone(),
            ..row::row(plan, ours, symbol, &passes)
        })
    }

    /// The peers that have a function of a form's contract.
    pub fn peers(&self, form: Form) -> Vec<&str> {
        let of = self.theirs.iter().filter(|(_, function)| function.form.contract() == form.contract());
        let mut ids: Vec<&str> = of.map(|(peer, _)| peer.id).collect();
        ids.dedup();
        ids
    }
}

impl contest::Contest for Contest<'_> {
    type Row = Row;

    const PASS: TimingOptions = TimingOptions { latency: true, ..PASS };

    fn workloads(&self) -> Vec<Workload> {
        let theirs = self.theirs.iter().map(|(_, function)| &function.workload);
        theirs.chain(self.ours.iter().map(|c| &c.workload)).cloned().collect()
    }

    fn timings(&mut self) -> &mut [Vec<Timing>] {
        &mut self.timings
    }

    /// In each contract and mode, our best beside each peer's best; those that promise less are another contract.
    fn rows(&self) -> Vec<Row> {
        let our_times = &self.timings[self.theirs.len()..];
        let mut rows = Vec::new();
        for (form, mode) in self.forms.iter().flat_map(|form| ["throughput", "latency"].map(|mode| (form, mode))) {
            let met = self.ours.iter().zip(our_times).filter(|(c, _)| form.is_met_by(&c.layout));
            let promised = |c: &Candidate| form.promised(&self.kernel.field, &c.layout);
            let contracts: BTreeSet<&str> = met.clone().map(|(c, _)| promised(c)).collect();
            for contract in contracts {
                let of_ours = met
                    .clone()
                    .filter(|(c, _)| promised(c) == contract)
                    .filter_map(|(c, t)| Some((c.plan.as_str(), Passes::of(t, mode, 1.0)?)));
                let Some((plan, best)) = of_ours.min_by(|a, b| a.1.ns.total_cmp(&b.1.ns)) else { continue };
                let beside = |id| Some(Row { contract, ..self.beside(plan, &best, *form, mode, id)? });
                rows.extend(self.peers(*form).into_iter().filter_map(beside));
            }
        }
        rows
    }
}
