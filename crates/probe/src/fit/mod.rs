//! A few resources that explain what every instruction costs, alone and beside others.
//!
//! A resource is found by what saturates it: beside many copies of one instruction, what one more of another kind adds to
//! the time is its use of the resource. Where ports are shared out well that is a whole number of slots, and a slot is one
//! cycle over the number of ports: so uses are [rounded](grid) to slots, which two probes find alike whatever the noise.
//! Every instruction that takes a simple part of a cycle is tried, [alone](saturated) and, where pairs stay unexplained,
//! [with another](joint). Uses that a pair contradicts are lowered, so that each resource is a lower bound by itself.
//! After Palmed (Derumigny et al., CGO 2022) and PMEvo (Ritter and Hack, PLDI 2020), whose measurements are of this kind
//! too.

mod grid;
mod joint;
mod pairs;
mod saturated;
mod seen;
mod subjects;

use crate::observe::{Care, Mix, Observer};
use grid::NOISE;
pub use grid::simple;
use seen::Seen;
pub use subjects::Subjects;

/// A pair is explained when its time is within this part of what the resources say.
pub const EXPLAINED: f64 = 0.10;
/// What resources say of a pair may be above what was seen by this part, and no more.
const ROOM: f64 = 0.08;
/// Turns in which what nothing explains is measured again.
const AGAIN: usize = 6;

/// A resource: what saturates it, and how much of it each specimen uses.
#[derive(Clone, PartialEq, Debug)]
pub struct Resource {
    /// The specimen that saturates it, or two that do so together.
    pub by: Vec<usize>,
    /// Cycles that a copy keeps it busy, by specimen.
    pub uses: Vec<f64>,
    /// Does it give out slots, of which idle instructions beside a copy take one each?
    pub slots: bool,
}

/// What explains all that was measured.
#[derive(Clone, Debug)]
pub struct Fit {
    /// Cycles of one copy among many, by specimen: the simplest fraction within the noise.
    pub cycles: Vec<f64>,
    /// The resources.
    pub resources: Vec<Resource>,
    /// Two specimens, the first one before the second; the cycles of one of each: measured, and as the resources say.
    pub pairs: Vec<([usize; 2], f64, f64)>,
    /// How many pairs that are not explained take longer than one after the other, less than one of the two alone, or longer
    /// than what one more of each adds to one of each: no sums explain those.
    pub beyond: usize,
}

impl Fit {
    /// The pairs that the resources explain.
    pub fn explained(&self) -> impl Iterator<Item = [usize; 2]> + '_ {
        self.pairs.iter().filter(|(_, seen, said)| explains(*said, *seen)).map(|(pair, ..)| *pair)
    }

    /// The others.
    pub fn open(&self) -> impl Iterator<Item = ([usize; 2], f64, f64)> + '_ {
        self.pairs.iter().filter(|(_, seen, said)| !explains(*said, *seen)).copied()
    }
}

fn explains(said: f64, seen: f64) -> bool {
    (said - seen).abs() <= EXPLAINED * seen
}

/// Asks an observer for what decides, and gives the resources that explain it. `done` is told the part that is finished.
///
/// # Errors
/// The observer's.
pub fn fit<O: Observer>(observer: &mut O, subjects: &Subjects) -> Result<Fit, O::Error> {
    let mut seen = Seen::of(observer, subjects)?;
    let mut resources = saturated::resources(&seen);
    for _ in 0..AGAIN {
        let open = seen.open(&resources);
        if open.is_empty() {
            break;
        }
        let mixes: Vec<Mix> = open.iter().map(|[i, j]| Mix::pair(*i, *j)).collect();
        let again = observer.cycles(&mixes, Care::Thorough)?;
        open.iter().zip(again).for_each(|(pair, cycles)| seen.lower(*pair, cycles));
        let unsure = saturated::unsure(&seen);
        let mixes: Vec<Mix> = unsure.iter().map(|(base, other)| seen.beside(*base, *other)).collect();
        let again = observer.cycles(&mixes, Care::Thorough)?;
        unsure.iter().zip(again).for_each(|((base, other), cycles)| seen.lower_beside(*base, *other, cycles));
        resources = saturated::resources(&seen);
    }
    joint::add(observer, &mut seen, &mut resources)?;
    Ok(seen.judged(without_lesser(resources)))
}

/// Without resources of which everything uses as much of another.
fn without_lesser(resources: Vec<Resource>) -> Vec<Resource> {
    let covers = |a: &Resource, b: &Resource| a.uses.iter().zip(&b.uses).all(|(a, b)| *a >= b - 1e-9);
    let lesser = |i: usize| {
        (0..resources.len())
            .any(|j| j != i && covers(&resources[j], &resources[i]) && (j < i || !covers(&resources[i], &resources[j])))
    };
    let keep: Vec<bool> = (0..resources.len()).map(|i| !lesser(i)).collect();
    resources.into_iter().zip(keep).filter_map(|(r, keep)| keep.then_some(r)).collect()
}
