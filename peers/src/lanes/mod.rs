//! Products on vectors, an element a lane, beside other libraries, one core, throughput, paired in one run, packing
//! excluded and included.
//!
//! Our code works on elements that lie as it wants them: word by word, a vector of elements side by side. Peers are the
//! scalar functions of `prime`, one call a product, and libraries that work on arrays, one call an array. With packing
//! ours take and give arrays of canonical numbers in ordinary words; they are compared with peers whose elements lie
//! one behind the other, in the same form, plain or Montgomery's. Everything lies in the first-level cache; both sides
//! are checked against big integers before they are timed.

mod arrangement;
pub(crate) mod array_peer;
mod ours;
mod row;

use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use evariste_algorithms::Operation;
use evariste_backend::{Backend, vectors};
use evariste_descriptions::{BinaryField, Field};
use evariste_run::{Timing, TimingOptions, Workload};

use crate::contest::{self, PASS, Table, measured, note, noted};
use crate::packages::built;
use crate::prime::Options;
use crate::prime::kernels::Kernel;
use crate::prime::peer::{Loaded, PEERS};
use crate::prime::row::{Passes, Row as Pair, row};
use array_peer::{ARRAY_PEERS, LoadedArrays, OURS_WITH_PACKING};
use ours::Candidate;
use row::Row;
pub use row::print;

/// The structures whose products are compared.
pub const NAMES: [&str; 11] = [
    "bls12-381-fr",
    "bls12-381-fp",
    "25519",
    "secp256k1",
    "p256",
    "int256",
    "int384",
    "int521",
    "int1024",
    "babybear",
    "goldilocks",
];

/// Those of one word.
pub const SMALL: [&str; 4] = ["babybear", "koalabear", "mersenne31", "goldilocks"];

/// Binary fields of polynomials, `gf2^m` for GF(2^m).
pub const BINARY: [&str; 4] = ["gf2^131", "gf2^163", "gf2^233", "gf2^283"];

/// The scalar peers that take part: the best ones for these kernels.
const SCALAR: [&str; 7] = ["blst", "mcl", "dalek-u64", "libsecp256k1", "halo2curves-asm", "gmp", "gmp-system"];

/// A function of a peer.
struct Their {
    id: &'static str,
    version: String,
    contract: &'static str,
    /// Its elements lie one behind the other.
    dense: bool,
    /// Products of a call.
    products: f64,
    workload: Workload,
}

impl Their {
    /// Whether both take elements one behind the other, both in Montgomery form or neither.
    fn is_comparable(&self, ours: &Their) -> bool {
        let montgomery = |their: &Their| their.contract.starts_with("montgomery");
        self.dense && ours.dense && montgomery(self) == montgomery(ours)
    }
}

/// Measures the products of these structures. Progress goes to the error stream.
pub fn compare(names: &[&'static str], options: &Options) -> Result<Table<Row>> {
    let mut kernels = products(names)?;
    kernels.retain(|kernel| kernel.id().contains(&options.only));
    // The widest vectors of this machine.
    let backends: Vec<Arc<dyn Backend>> = vectors().into_iter().take(1).collect();
    if kernels.is_empty() || backends.is_empty() {
        bail!("{}", if kernels.is_empty() { "no kernel of that name" } else { "no vectors on this machine" });
    }
    built::record()?;
    let mut missing = Vec::new();
    let mut scalar: Vec<Loaded> = Vec::new();
    let binary = kernels.iter().all(|kernel| kernel.field.get::<BinaryField>().is_some());
    for peer in PEERS.iter().filter(|peer| !binary && SCALAR.contains(&peer.id) && peer.id.contains(&options.peer)) {
        note(peer.id, peer.load(), &mut scalar, &mut missing);
    }
    let mut arrays: Vec<LoadedArrays> = Vec::new();
    for peer in ARRAY_PEERS.iter().filter(|peer| peer.id.contains(&options.peer) && peer.has_one_of(&kernels)) {
        note(peer.id, peer.load(), &mut arrays, &mut missing);
    }
    let mut packing: Vec<LoadedArrays> = Vec::new();
    for ours in OURS_WITH_PACKING.iter().filter(|ours| ours.has_one_of(&kernels)) {
        note(ours.id, ours.load(), &mut packing, &mut missing);
    }
    let mut contests = Vec::new();
    for kernel in kernels {
        contests.extend(Contest::new(kernel, &scalar, &arrays, &packing, &backends, &mut missing)?);
    }
    measured(contests, missing, options.quick)
}

/// The products of these structures.
fn products(names: &[&'static str]) -> Result<Vec<Kernel>> {
    let kernel = |&name: &&'static str| {
        let field = Field::parse(&description(name)).map_err(|e| anyhow!("{e}"))?;
        Ok(Kernel { name, field, operation: Operation::MUL })
    };
    names.iter().map(kernel).collect()
}

/// All kernels that functions on arrays are compared for.
pub(crate) fn all_kernels() -> Result<Vec<Kernel>> {
    let mut names = [&NAMES[..], &SMALL, &BINARY].concat();
    names.sort_unstable();
    names.dedup();
    products(&names)
}

/// What a name stands for.
fn description(name: &str) -> String {
    name.strip_prefix("gf2^").map_or(name.into(), |m| format!("GF(2^{m})"))
}

/// One kernel: the functions that take turns, and what they took in each pass.
struct Contest {
    kernel: Kernel,
    theirs: Vec<Their>,
    ours: Vec<Candidate>,
    /// Ours on ordinary words, in both forms.
    packing: Vec<Their>,
    /// One timing for each pass, for each of `theirs`, then of `packing`, then of `ours`.
    timings: Vec<Vec<Timing>>,
}

impl Contest {
    /// The peers' functions and our best candidates; `None` when no peer has the kernel.
    fn new(
        kernel: Kernel,
        scalar: &[Loaded],
        arrays: &[LoadedArrays],
        packing: &[LoadedArrays],
        backends: &[Arc<dyn Backend>],
        missing: &mut Vec<String>,
    ) -> Result<Option<Self>> {
        let mut theirs = Vec::new();
        for peer in scalar {
            let functions = noted(peer.functions(&kernel), missing).unwrap_or_default();
            theirs.extend(functions.into_iter().map(|f| Their {
                id: peer.id,
                version: peer.version.clone(),
                contract: f.form.contract(),
                dense: true,
                products: 1.0,
                workload: f.workload,
            }));
        }
        let on_arrays = |peer: &LoadedArrays| -> Result<Option<Their>> {
            Ok(peer.function(&kernel)?.map(|f| Their {
                id: peer.id,
                version: peer.version.clone(),
                contract: f.contract,
                dense: f.dense,
                products: f.products as f64,
                workload: f.workload,
            }))
        };
        for peer in arrays {
            theirs.extend(noted(on_arrays(peer), missing).flatten());
        }
        let packing: Vec<Their> =
            packing.iter().filter_map(|ours| on_arrays(ours).transpose()).collect::<Result<_>>()?;
        if theirs.is_empty() {
            return Ok(None);
        }
        let ours = ours::finalists(&kernel, backends)?;
        eprintln!("{}: {} functions of peers, {} of ours", kernel.id(), theirs.len(), ours.len());
        let timings = vec![Vec::new(); theirs.len() + ours.len() + packing.len()];
        Ok(Some(Contest { kernel, theirs, ours, packing, timings }))
    }
}

impl contest::Contest for Contest {
    type Row = Row;

    const PASS: TimingOptions = PASS;

    fn workloads(&self) -> Vec<Workload> {
        let theirs = self.theirs.iter().chain(&self.packing).map(|their| &their.workload);
        theirs.chain(self.ours.iter().map(|c| &c.workload)).cloned().collect()
    }

    fn timings(&mut self) -> &mut [Vec<Timing>] {
        &mut self.timings
    }

    fn rows(&self) -> Vec<Row> {
        let (their_times, our_times) = self.timings.split_at(self.theirs.len());
        let (packing_times, our_times) = our_times.split_at(self.packing.len());
        let ours = self
            .ours
            .iter()
            .zip(our_times)
            .filter_map(|(c, t)| Some((c, Passes::of(t, "throughput", f64::from(c.elements))?)));
        let Some((best, passes)) = ours.min_by(|a, b| a.1.ns.total_cmp(&b.1.ns)) else { return Vec::new() };
        let mut ids: Vec<&str> = self.theirs.iter().map(|their| their.id).collect();
        ids.dedup();
        let mut rows = Vec::new();
        for id in ids {
            let functions = self
                .theirs
                .iter()
                .zip(their_times)
                .filter(|(their, _)| their.id == id)
                .filter_map(|(their, t)| Some((their, Passes::of(t, "throughput", their.products)?)));
            let Some((their, theirs)) = functions.min_by(|a, b| a.1.ns.total_cmp(&b.1.ns)) else { continue };
            let pair = |contract, plan: &str, ours: &Passes| Pair {
                kernel: self.kernel.id(),
                mode: "throughput",
                contract,
                peer: id.to_string(),
                peer_version: their.version.clone(),
                ..row(plan, ours, their.workload.function.symbol(), &theirs)
            };
            rows.push(Row {
                pair: pair(best.contract, &best.plan, &passes),
                packing: "excluded",
                peer_contract: their.contract,
                bound_cycles: best.bound_cycles,
                percent_of_bound: 100.0 * best.bound_cycles / passes.cycles,
                ours_clock_ghz: passes.clock(),
                peer_clock_ghz: theirs.clock(),
                ours_shape: best.shape.clone(),
            });
            let packing = self.packing.iter().zip(packing_times).filter(|(ours, _)| their.is_comparable(ours));
            for (ours, times) in packing {
                let Some(passes) = Passes::of(times, "throughput", ours.products) else { continue };
                rows.push(Row {
                    pair: pair(ours.contract, ours.id, &passes),
                    packing: "included",
                    peer_contract: their.contract,
                    // Several programs and a transposition: no bound is known.
                    bound_cycles: f64::NAN,
                    percent_of_bound: f64::NAN,
                    ours_clock_ghz: passes.clock(),
                    peer_clock_ghz: theirs.clock(),
                    ours_shape: String::new(),
                });
            }
        }
        rows
    }
}
