//! Products and squares beside those of other libraries, one core, throughput and latency, paired in one run.
//!
//! A peer is a package of `prime/` with functions on pointers, compiled with everything that this processor has, loaded, and checked against the reference before it
//! is timed. For each kernel the peers' functions and the best of our candidates for each contract take turns; rows compare within a contract.

mod form;
mod kernels;
mod ours;
mod peer;
mod row;

use anyhow::{Result, bail};
use evariste_run::{Compiler, Timing, TimingOptions, time_paired};
use evariste_tune::measure::{Maker, machine_code};

use form::Form;
use kernels::{Kernel, kernels};
use peer::{Loaded, PEERS, PeerFunction};
pub use row::{Row, print};

/// What to compare.
pub struct Options {
    /// Only kernels whose id contains this.
    pub only: String,
    /// Only peers whose id contains this.
    pub peer: String,
    /// A quarter of the rounds.
    pub quick: bool,
}

/// The table, and a line for each peer that could not be built.
pub struct Table {
    /// The rows.
    pub rows: Vec<Row>,
    /// Peers without rows, and why.
    pub missing: Vec<String>,
}

/// Measures. Progress goes to the error stream.
pub fn compare(options: &Options, compiler: Option<&Compiler>) -> Result<Table> {
    let kernels = kernels(&options.only)?;
    let mut makers = Vec::new();
    match machine_code() {
        Ok(features) => makers.push(Maker::Machine(features)),
        Err(error) => eprintln!("no machine code of our own: {error}"),
    }
    makers.extend(compiler.cloned().map(Maker::C));
    if kernels.is_empty() || makers.is_empty() {
        bail!("{}", if kernels.is_empty() { "no kernel of that name" } else { "neither machine code nor a C compiler" });
    }
    let mut missing = Vec::new();
    let mut peers = Vec::new();
    for peer in PEERS.iter().filter(|peer| peer.id.contains(&options.peer)) {
        eprintln!("peer {}", peer.id);
        match peer.load() {
            Ok(loaded) => peers.push(loaded),
            Err(error) => {
                eprintln!("{}: {error:#}", peer.id);
                missing.push(format!("{}: {error:#}", peer.id));
            }
        }
    }
    let mut rows = Vec::new();
    for kernel in &kernels {
        rows.extend(kernel_rows(kernel, &peers, &makers, options)?);
    }
    Ok(Table { rows, missing })
}

/// The rows of one kernel.
fn kernel_rows(kernel: &Kernel, peers: &[Loaded], makers: &[Maker], options: &Options) -> Result<Vec<Row>> {
    let mut theirs: Vec<(&Loaded, PeerFunction)> = Vec::new();
    for peer in peers {
        theirs.extend(peer.functions(kernel)?.into_iter().map(|function| (peer, function)));
    }
    if theirs.is_empty() {
        return Ok(vec![]);
    }
    // One form a contract suffices to choose ours.
    let mut forms: Vec<Form> = Vec::new();
    for (_, function) in &theirs {
        if !forms.iter().any(|form| form.contract() == function.form.contract()) {
            forms.push(function.form);
        }
    }
    let ours = ours::finalists(ours::candidates(kernel, &forms, makers), &forms)?;
    eprintln!("{}: {} functions of peers, {} of ours", kernel.id(), theirs.len(), ours.len());
    let workloads: Vec<_> = theirs.iter().map(|(_, function)| &function.workload).chain(ours.iter().map(|c| &c.workload)).cloned().collect();
    let rounds = if options.quick { 5 } else { 20 };
    let timings = time_paired(&workloads, &TimingOptions { rounds, budget_ns: 1.5e8, ..TimingOptions::default() })?;
    let (their_times, our_times) = timings.split_at(theirs.len());
    let mut rows = Vec::new();
    for form in forms {
        for mode in ["throughput", "latency"] {
            let figure = |t: &Timing| if mode == "latency" { t.latency.clone() } else { Some(t.throughput.clone()) };
            let of_ours = ours.iter().zip(our_times).filter(|(c, _)| form.is_met_by(&c.layout)).filter_map(|(c, t)| Some((c.plan.as_str(), figure(t)?)));
            let Some((plan, best)) = of_ours.min_by(|a, b| row::best_round(&a.1).total_cmp(&row::best_round(&b.1))) else { continue };
            for peer in peers {
                // A peer's fastest function of that contract.
                let functions = theirs.iter().zip(their_times).filter(|((of, function), _)| of.id == peer.id && function.form.contract() == form.contract());
                let figures = functions.filter_map(|((_, function), t)| Some((function.workload.function.symbol(), figure(t)?)));
                if let Some((symbol, figure)) = figures.min_by(|a, b| row::best_round(&a.1).total_cmp(&row::best_round(&b.1))) {
                    rows.push(Row {
                        kernel: kernel.id(),
                        mode,
                        contract: form.contract(),
                        peer: peer.id.to_string(),
                        peer_version: peer.version.clone(),
                        ..row::row(plan, &best, symbol, &figure)
                    });
                }
            }
        }
    }
    Ok(rows)
}
