//! A few resources that explain what every instruction costs, alone and beside others.
//!
//! A resource is found by what saturates it: beside many copies of one instruction, what one more of another kind adds to
//! the time is its use of the resource. Every instruction is tried as the base of a resource; uses are lowered until no
//! mix that was seen contradicts them, so that each resource is a lower bound by itself; then those are taken, one after
//! the other, that explain most of what is not explained yet. After Palmed (Derumigny et al., CGO 2022) and PMEvo (Ritter
//! and Hack, PLDI 2020), whose measurements are of this kind too.

use crate::bench::{Bench, ProbeError};
use crate::subject::{Pool, Probe, Specimen};

/// A pair is explained when its time is within this part of what the resources say.
pub const EXPLAINED: f64 = 0.10;
/// Copies of a loop, at least.
const COPIES: usize = 40;
/// Copies of the second of two in a mix where they are not equally many.
const MORE: usize = 3;
/// Uses below this, or below that part of the instruction's own time, are noise.
const LEAST: [f64; 2] = [0.07, 0.06];
/// Measurements of the same code differ by as much.
const NOISE: f64 = 1.04;
/// A resource must mend as much: the sum of what mixes miss, each up to one.
const WORTH: f64 = 0.4;
/// Specimens of a class take as long, alone and beside others, up to that part.
const ALIKE: f64 = 0.06;
/// No core needs more.
const MOST: usize = 32;

/// What saturates a resource, and how much of it each class uses.
#[derive(Clone, Debug)]
pub struct Resource {
    /// The class that saturates it.
    pub by: usize,
    /// Units of work, by class.
    pub uses: Vec<f64>,
}

/// All that was measured, and what explains it.
#[derive(Clone, Debug)]
pub struct Fit {
    /// Cycles of each specimen alone.
    pub alone: Vec<f64>,
    /// The class of each specimen.
    pub class: Vec<usize>,
    /// A specimen of each class, the first.
    pub leaders: Vec<usize>,
    /// The resources.
    pub resources: Vec<Resource>,
    /// Cycles of one of each of two specimens, where the first comes before the second: measured, and as the resources
    /// say.
    pub pairs: Vec<(f64, f64)>,
}

/// Measures all specimens and finds the resources.
///
/// # Errors
/// No executable memory.
pub fn fit<I: Probe>(
    bench: &mut Bench<I>,
    all: &[Specimen<I>],
    progress: &mut dyn FnMut(f64) -> bool,
) -> Result<Fit, ProbeError> {
    let alone: Vec<f64> = all.iter().map(|s| self::alone(bench, s)).collect::<Result<_, _>>()?;
    let n = all.len();
    let (mut pairs, mut mixes, mut uses) = (vec![vec![0.0; n]; n], vec![vec![0.0; n]; n], Vec::with_capacity(n));
    for i in 0..n {
        if !progress(i as f64 / n as f64) {
            return Err(ProbeError::Stopped);
        }
        for j in i + 1..n {
            pairs[i][j] = pair(bench, all, [i, j], [1, 1])?;
            pairs[j][i] = pairs[i][j];
            mixes[i][j] = pair(bench, all, [i, j], [1, MORE])?;
            mixes[j][i] = pair(bench, all, [j, i], [1, MORE])?;
        }
        uses.push(beside_all(bench, all, &alone, i)?);
    }
    let (class, leaders) = classes(&alone, &pairs);
    let members = |c: usize| (0..n).filter(|i| class[*i] == c).collect::<Vec<_>>();
    let members: Vec<Vec<usize>> = (0..leaders.len()).map(members).collect();
    // Of each two classes the median of their members: what disturbed one measurement is gone.
    let of_classes = |table: &[Vec<f64>]| -> Vec<Vec<Option<f64>>> {
        let cell = |a: &[usize], b: &[usize]| {
            median(a.iter().flat_map(|i| b.iter().filter(move |j| *j != i).map(|j| table[*i][*j])).collect())
        };
        members.iter().map(|a| members.iter().map(|b| cell(a, b)).collect()).collect()
    };
    let time: Vec<f64> = members.iter().map(|m| median(m.iter().map(|i| alone[*i]).collect()).unwrap_or(0.0)).collect();
    let seen = Seen {
        time,
        pairs: of_classes(&pairs),
        mixes: of_classes(&mixes),
        members: members.iter().map(Vec::len).collect(),
    };
    let resources = seen.resources(&of_classes(&uses));
    let said = |i: usize, j: usize| resources.iter().map(|r| r.uses[class[i]] + r.uses[class[j]]).fold(0.0, f64::max);
    let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j))).map(|(i, j)| (pairs[i][j], said(i, j))).collect();
    Ok(Fit { alone, class, leaders, resources, pairs })
}

/// The value in the middle.
fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

/// Specimens that take as long alone, and beside every other: the class of each, and the first of each class.
fn classes(alone: &[f64], pairs: &[Vec<f64>]) -> (Vec<usize>, Vec<usize>) {
    let (mut class, mut leaders): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
    for i in 0..alone.len() {
        let apart = |l: usize| {
            let others = (0..alone.len()).filter(|k| *k != i && *k != l);
            let parts: Vec<f64> = others.map(|k| (pairs[i][k] / pairs[l][k] - 1.0).abs()).collect();
            parts.iter().sum::<f64>() / parts.len().max(1) as f64
        };
        let like = |l: usize| (alone[i] - alone[l]).abs() <= 0.01 + ALIKE * alone[l];
        let near = leaders.iter().enumerate().filter(|(_, l)| like(**l)).map(|(c, l)| (c, apart(*l)));
        match near.min_by(|a, b| a.1.total_cmp(&b.1)) {
            Some((c, apart)) if apart <= ALIKE => class.push(c),
            _ => {
                class.push(leaders.len());
                leaders.push(i);
            }
        }
    }
    (class, leaders)
}

/// Cycles of one specimen, of many independent copies.
///
/// # Errors
/// No executable memory.
pub fn alone<I: Probe>(bench: &mut Bench<I>, specimen: &Specimen<I>) -> Result<f64, ProbeError> {
    let body: Vec<_> = (0..COPIES).flat_map(|i| (specimen.copy)(i, Pool::Many)).collect();
    Ok(bench.cycles(&body)? / COPIES as f64)
}

/// Cycles of a turn with so many copies of each of two.
fn pair<I: Probe>(
    bench: &mut Bench<I>,
    all: &[Specimen<I>],
    two: [usize; 2],
    count: [usize; 2],
) -> Result<f64, ProbeError> {
    // What adds up in its register takes the longer half of them.
    let pools = if all[two[1]].accumulates { [Pool::Right, Pool::Left] } else { [Pool::Left, Pool::Right] };
    let turns = COPIES / count[0].max(count[1]).min(2);
    let mut body = Vec::new();
    for turn in 0..turns {
        for side in 0..2 {
            let copies = count[side] * turn..count[side] * (turn + 1);
            body.extend(copies.flat_map(|n| (all[two[side]].copy)(n, pools[side])));
        }
    }
    Ok(bench.cycles(&body)? / turns as f64)
}

/// Cycles of `count` copies of a base and one of another specimen in their middle.
fn beside<I: Probe>(
    bench: &mut Bench<I>,
    base: &Specimen<I>,
    count: usize,
    other: &Specimen<I>,
) -> Result<f64, ProbeError> {
    // A multiple of ten copies, so that every register of a pool is written equally often.
    let units = (2..).find(|units| units * count >= COPIES && (units * count).is_multiple_of(10)).unwrap_or(10);
    let mut body = Vec::new();
    for copy in 0..units * count {
        body.extend((base.copy)(copy, Pool::Many));
        if copy % count == count / 2 {
            body.extend((other.copy)(copy / count, Pool::Few));
        }
    }
    Ok(bench.cycles(&body)? / units as f64)
}

/// What one copy of each other specimen adds to the time of many of one.
fn beside_all<I: Probe>(
    bench: &mut Bench<I>,
    all: &[Specimen<I>],
    alone: &[f64],
    by: usize,
) -> Result<Vec<f64>, ProbeError> {
    let mut uses = Vec::with_capacity(all.len());
    for (j, other) in all.iter().enumerate() {
        // Enough of the base that nothing else can be the limit.
        let count = (2.0 * alone[j].max(0.5) / alone[by]).ceil().clamp(2.0, 24.0) as usize;
        let more = beside(bench, &all[by], count, other)? - alone[by] * count as f64;
        uses.push(more.clamp(0.0, alone[j]));
    }
    Ok(uses)
}

/// What was seen of classes of specimens.
struct Seen {
    /// Cycles alone.
    time: Vec<f64>,
    /// Cycles of one of each of two.
    pairs: Vec<Vec<Option<f64>>>,
    /// Cycles of one of the first and [`MORE`] of the second.
    mixes: Vec<Vec<Option<f64>>>,
    /// How many specimens a class has.
    members: Vec<usize>,
}

impl Seen {
    /// The resources, the one that explains most first.
    fn resources(&self, uses: &[Vec<Option<f64>>]) -> Vec<Resource> {
        let candidates: Vec<Resource> = (0..self.time.len()).map(|by| self.candidate(by, &uses[by])).collect();
        let mut said = vec![vec![0.0; self.time.len()]; self.time.len()];
        let mut alone = vec![0.0; self.time.len()];
        let mut resources = Vec::new();
        while resources.len() < MOST {
            let gains = candidates.iter().map(|r| self.gain(r, &alone, &said)).enumerate();
            let Some((best, _)) = gains.max_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, gain)| *gain > WORTH) else {
                break;
            };
            let r = candidates[best].clone();
            for (a, said) in said.iter_mut().enumerate() {
                alone[a] = r.uses[a].max(alone[a]);
                said.iter_mut().zip(&r.uses).for_each(|(said, other)| *said = (r.uses[a] + other).max(*said));
            }
            resources.push(r);
        }
        resources
    }

    /// The resource that a class saturates: uses above the noise, lowered until no mix would take longer than was seen.
    fn candidate(&self, by: usize, uses: &[Option<f64>]) -> Resource {
        let noise = |a: usize| LEAST[0].max(LEAST[1] * self.time[a]);
        let used = |a: usize| uses[a].filter(|u| *u >= noise(a)).unwrap_or(0.0).min(self.time[a]);
        let mut r = Resource { by, uses: (0..self.time.len()).map(used).collect() };
        r.uses[by] = self.time[by];
        for a in (0..self.time.len()).filter(|a| *a != by) {
            for (seen, more) in [(self.pairs[by][a], 1.0), (self.mixes[by][a], MORE as f64)] {
                let Some(seen) = seen else { continue };
                r.uses[a] = r.uses[a].min(((seen * NOISE - r.uses[by]) / more).max(0.0));
            }
        }
        for a in (0..self.time.len()).filter(|a| *a != by) {
            for b in (0..self.time.len()).filter(|b| *b != by) {
                for (seen, more) in [(self.pairs[a][b], 1.0), (self.mixes[a][b], MORE as f64)] {
                    let Some(room) = seen.map(|seen| seen * NOISE) else { continue };
                    let sum = r.uses[a] + more * r.uses[b];
                    if sum > room && r.uses[a] > 0.0 && r.uses[b] > 0.0 {
                        r.uses[a] *= room / sum;
                        r.uses[b] *= if a == b { 1.0 } else { room / sum };
                    }
                }
            }
        }
        r
    }

    /// How much better singles and pairs are explained with one more resource.
    fn gain(&self, r: &Resource, alone: &[f64], said: &[Vec<f64>]) -> f64 {
        let mut gain = 0.0;
        for a in 0..self.time.len() {
            let weight = self.members[a] as f64;
            gain += weight * (missed(alone[a], self.time[a]) - missed(alone[a].max(r.uses[a]), self.time[a]));
            for (b, said) in said[a].iter().enumerate().skip(a) {
                let Some(seen) = self.pairs[a][b] else { continue };
                let with = said.max(r.uses[a] + r.uses[b]);
                // Weighed less than by number: a class of many members does not hide one of few.
                let weight = ((self.members[a] * self.members[b]) as f64).sqrt();
                gain += weight * (missed(*said, seen) - missed(with, seen));
            }
        }
        gain
    }
}

/// By which part the resources say less than was measured, beyond what counts as explained.
fn missed(said: f64, measured: f64) -> f64 {
    ((measured - said) / measured.max(0.1) - EXPLAINED / 2.0).clamp(0.0, 1.0)
}
