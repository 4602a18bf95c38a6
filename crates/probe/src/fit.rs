//! A few resources that explain what every instruction costs, alone and beside others.
//!
//! A resource is found by what saturates it: beside many copies of one instruction, what one more of another kind adds to
//! the time is its use of the resource. Every instruction is tried as the base of a resource; uses are lowered until no
//! mix that was seen contradicts them, so that each resource is a lower bound by itself; beside these, resources whose uses
//! are what mixes leave room for, and those that two kinds keep busy only together. Those are taken, one after the other,
//! that explain most of what is not explained yet. After Palmed (Derumigny et al., CGO 2022) and PMEvo (Ritter
//! and Hack, PLDI 2020), whose measurements are of this kind too.

use crate::measure::{MORE, Measured};

/// A pair is explained when its time is within this part of what the resources say.
pub const EXPLAINED: f64 = 0.10;
/// Uses below this, or below that part of the instruction's own time, are noise.
const LEAST: [f64; 2] = [0.07, 0.06];
/// Measurements of the same code differ by as much.
const NOISE: f64 = 1.04;
/// A resource must mend as much: the sum of what mixes miss, each up to one.
const WORTH: f64 = 0.3;
/// What a mix counts beside a pair: there are two of each two classes.
const MIXED: f64 = 0.5;
/// No core needs more.
const MOST: usize = 32;
/// Pairs that are tried as what keeps a resource busy together.
const JOINT: usize = 12;

/// A resource: what saturates it, and how much of it each class uses.
#[derive(Clone, Debug)]
pub struct Resource {
    /// The class that saturates it, or two that do so together.
    pub by: Vec<usize>,
    /// Units of work, by class.
    pub uses: Vec<f64>,
}

/// What explains all that was measured.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The resources.
    pub resources: Vec<Resource>,
    /// Two specimens, the first one before the second; the cycles of one of each: measured, and as the resources say.
    pub pairs: Vec<([usize; 2], f64, f64)>,
}

impl Fit {
    /// The pairs that the resources explain.
    pub fn explained(&self) -> impl Iterator<Item = [usize; 2]> + '_ {
        self.pairs.iter().filter(|(_, seen, said)| (said - seen).abs() <= EXPLAINED * seen).map(|(pair, ..)| *pair)
    }

    /// The pairs that no resources explain: they take longer than one after the other, or less than one alone.
    pub fn beyond<'a>(&'a self, measured: &'a Measured) -> impl Iterator<Item = [usize; 2]> + 'a {
        let is = |(pair, seen, _): &&([usize; 2], f64, f64)| {
            let [a, b] = pair.map(|i| measured.alone[i]);
            *seen > (1.0 + EXPLAINED) * (a + b) || (1.0 + EXPLAINED) * seen < a.max(b)
        };
        self.pairs.iter().filter(is).map(|(pair, ..)| *pair)
    }
}

/// The resources that explain what was measured.
pub fn fit(measured: &Measured) -> Fit {
    let Measured { alone, pairs, classes, mixes, uses, .. } = measured;
    let (n, class) = (alone.len(), &classes.class);
    let members = classes.members();
    // Of each two classes the median of their members: what disturbed one measurement is gone.
    let both = |a: &[usize], b: &[usize]| {
        median(a.iter().flat_map(|i| b.iter().filter(move |j| *j != i).map(|j| pairs[*i][*j])).collect())
    };
    let time: Vec<f64> = members.iter().map(|m| median(m.iter().map(|i| alone[*i]).collect()).unwrap_or(0.0)).collect();
    let seen = Seen {
        time,
        pairs: members.iter().map(|a| members.iter().map(|b| both(a, b)).collect()).collect(),
        mixes,
        members: members.iter().map(Vec::len).collect(),
    };
    let resources = seen.resources(uses);
    let said = |i: usize, j: usize| resources.iter().map(|r| r.uses[class[i]] + r.uses[class[j]]).fold(0.0, f64::max);
    let two = (0..n).flat_map(|i| (i + 1..n).map(move |j| [i, j]));
    let pairs = two.map(|[i, j]| ([i, j], pairs[i][j], said(i, j))).collect();
    Fit { resources, pairs }
}

/// The value in the middle.
fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

/// What was seen of classes of specimens.
struct Seen<'a> {
    /// Cycles alone.
    time: Vec<f64>,
    /// Cycles of one of each of two.
    pairs: Vec<Vec<Option<f64>>>,
    /// Cycles of one of the first and [`MORE`] of the second, which is another.
    mixes: &'a [Vec<f64>],
    /// How many specimens a class has.
    members: Vec<usize>,
}

impl Seen<'_> {
    /// The resources, the one that explains most first.
    fn resources(&self, uses: &[Vec<f64>]) -> Vec<Resource> {
        let n = self.time.len();
        let saturated: Vec<Resource> = (0..n).map(|by| self.saturated(by, &uses[by])).collect();
        let mut said = Said { alone: vec![0.0; n], pairs: vec![vec![0.0; n]; n], mixes: vec![vec![0.0; n]; n] };
        let mut resources = Vec::new();
        while resources.len() < MOST {
            let shared = (0..n).map(|by| self.shared(by, &said.pairs));
            let joint = self.open_pairs(&said.pairs).into_iter().filter_map(|pair| self.joint(pair, &said.pairs));
            let candidates = saturated.iter().cloned().chain(shared).chain(joint);
            let gains = candidates.map(|r| (self.gain(&r, &said), r));
            let Some((_, r)) = gains.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|(gain, _)| *gain > WORTH) else {
                break;
            };
            said.raise(&r);
            resources.push(r);
        }
        resources
    }

    /// The resource that a class saturates: uses above the noise, lowered until no mix would take longer than was seen.
    fn saturated(&self, by: usize, uses: &[f64]) -> Resource {
        let used = |a: usize| if uses[a] >= self.noise(a) { uses[a].min(self.time[a]) } else { 0.0 };
        let mut r = Resource { by: vec![by], uses: (0..self.time.len()).map(used).collect() };
        r.uses[by] = self.time[by];
        for a in (0..self.time.len()).filter(|a| *a != by) {
            r.uses[a] = r.uses[a].min(self.room(&r, a, by));
        }
        for a in (0..self.time.len()).filter(|a| *a != by) {
            for b in (0..self.time.len()).filter(|b| *b != by) {
                for (seen, more) in [(self.pairs[a][b], 1.0), (self.mix(a, b), MORE as f64)] {
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

    /// A resource that a class keeps busy while it is alone, and that others use as much as mixes leave room for.
    fn shared(&self, by: usize, said: &[Vec<f64>]) -> Resource {
        self.filled(&[(by, self.time[by])], said)
    }

    /// A resource that two classes keep busy only together, as ports do of which each has a part.
    fn joint(&self, [a, b]: [usize; 2], said: &[Vec<f64>]) -> Option<Resource> {
        let seen = self.pairs[a][b]?;
        // The most of one: what it takes alone, and what is left of a mix in which it is there more often.
        let more = (MORE - 1) as f64;
        let most = |a: usize, b: usize| self.time[a].min((self.mixes[b][a] - seen) / more).clamp(0.0, seen);
        let (of_a, of_b) = (most(a, b), most(b, a));
        // No resource explains what takes longer together than one after the other.
        if of_a + of_b < seen {
            return None;
        }
        let used = (of_a + seen - of_b) / 2.0;
        Some(self.filled(&[(a, used), (b, seen - used)], said))
    }

    /// A resource of which some uses are known: others use as much as mixes leave room for, those first of whose pairs
    /// with the known ones most is not explained yet.
    fn filled(&self, known: &[(usize, f64)], said: &[Vec<f64>]) -> Resource {
        let n = self.time.len();
        let mut fixed: Vec<usize> = known.iter().map(|(a, _)| *a).collect();
        let mut r = Resource { by: fixed.clone(), uses: vec![0.0; n] };
        known.iter().for_each(|(a, used)| r.uses[*a] = *used);
        let one = |a: usize, b: usize| self.pairs[a][b].map_or(0.0, |seen| missed(said[a][b], seen));
        let open = |a: &usize| fixed.iter().map(|b| one(*a, *b)).sum::<f64>();
        let mut order: Vec<(f64, usize)> = (0..n).filter(|a| !fixed.contains(a)).map(|a| (open(&a), a)).collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        for (_, a) in order {
            let room = fixed.iter().map(|b| self.room(&r, a, *b)).fold(self.time[a], f64::min);
            if room >= self.noise(a) {
                r.uses[a] = room;
                fixed.push(a);
            }
        }
        r
    }

    /// The pairs of classes of which most is not explained yet.
    fn open_pairs(&self, said: &[Vec<f64>]) -> Vec<[usize; 2]> {
        let n = self.time.len();
        let one = |a: usize, b: usize| Some((self.weight(a, b) * missed(said[a][b], self.pairs[a][b]?), [a, b]));
        let mut all: Vec<(f64, [usize; 2])> = (0..n)
            .flat_map(|a| (a + 1..n).filter_map(move |b| one(a, b)))
            .filter(|(missed, _)| *missed > 0.0)
            .collect();
        all.sort_by(|a, b| b.0.total_cmp(&a.0));
        all.into_iter().take(JOINT).map(|(_, pair)| pair).collect()
    }

    /// Cycles of one of the first and [`MORE`] of the second, if that is another.
    fn mix(&self, a: usize, b: usize) -> Option<f64> {
        (a != b).then(|| self.mixes[a][b])
    }

    /// Pairs count less than by number: a class of many members does not hide one of few.
    fn weight(&self, a: usize, b: usize) -> f64 {
        ((self.members[a] * self.members[b]) as f64).sqrt()
    }

    /// Uses of a class below this are noise.
    fn noise(&self, a: usize) -> f64 {
        LEAST[0].max(LEAST[1] * self.time[a])
    }

    /// The most that a class may use of a resource beside what another one uses.
    fn room(&self, r: &Resource, a: usize, b: usize) -> f64 {
        let used = r.uses[b];
        let seen =
            [(self.pairs[a][b], 1.0, 1.0), (self.mix(b, a), 1.0, MORE as f64), (self.mix(a, b), MORE as f64, 1.0)];
        let room = |(seen, of_b, of_a): (Option<f64>, f64, f64)| Some(((seen? * NOISE - of_b * used) / of_a).max(0.0));
        seen.into_iter().filter_map(room).fold(f64::MAX, f64::min)
    }

    /// How much better singles, pairs and mixes are explained with one more resource.
    fn gain(&self, r: &Resource, said: &Said) -> f64 {
        let better = |said: f64, with: f64, seen: f64| missed(said, seen) - missed(said.max(with), seen);
        let mut gain = 0.0;
        for a in 0..self.time.len() {
            gain += self.members[a] as f64 * better(said.alone[a], r.uses[a], self.time[a]);
            for b in a..self.time.len() {
                let Some(seen) = self.pairs[a][b] else { continue };
                gain += self.weight(a, b) * better(said.pairs[a][b], r.uses[a] + r.uses[b], seen);
            }
            for b in 0..self.time.len() {
                let Some(seen) = self.mix(a, b) else { continue };
                gain += MIXED * self.weight(a, b) * better(said.mixes[a][b], r.uses[a] + MORE as f64 * r.uses[b], seen);
            }
        }
        gain
    }
}

/// What resources say so far, by class.
struct Said {
    alone: Vec<f64>,
    pairs: Vec<Vec<f64>>,
    mixes: Vec<Vec<f64>>,
}

impl Said {
    /// With one more resource.
    fn raise(&mut self, r: &Resource) {
        let uses = &r.uses;
        for (a, mine) in uses.iter().enumerate() {
            self.alone[a] = self.alone[a].max(*mine);
            for (b, other) in uses.iter().enumerate() {
                self.pairs[a][b] = self.pairs[a][b].max(mine + other);
                self.mixes[a][b] = self.mixes[a][b].max(mine + MORE as f64 * other);
            }
        }
    }
}

/// By which part the resources say less than was measured, beyond what counts as explained.
fn missed(said: f64, measured: f64) -> f64 {
    ((measured - said) / measured.max(0.1) - EXPLAINED / 2.0).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use evariste_cores::{Core, shipped};

    use super::*;
    use crate::classes::Classes;

    /// What a bench would see of a core that does what its table says.
    fn seen(core: &Core) -> Measured {
        let names: Vec<&str> =
            core.costs.keys().map(String::as_str).filter(|name| core.load([(*name, 1.0)]).cycles > 0.0).collect();
        let cycles = |mix: &[(usize, f64)]| core.load(mix.iter().map(|(i, count)| (names[*i], *count))).cycles;
        let all = || 0..names.len();
        let alone: Vec<f64> = all().map(|i| cycles(&[(i, 1.0)])).collect();
        let pairs: Vec<Vec<f64>> = all().map(|i| all().map(|j| cycles(&[(i, 1.0), (j, 1.0)])).collect()).collect();
        let classes = Classes::of(&alone, &pairs);
        let table = |cell: &dyn Fn(usize, usize) -> f64| {
            classes.leaders.iter().map(|i| classes.leaders.iter().map(|j| cell(*i, *j)).collect()).collect()
        };
        Measured {
            mixes: table(&|i, j| cycles(&[(i, 1.0), (j, MORE as f64)])),
            uses: table(&|i, j| cycles(&[(i, 24.0), (j, 1.0)]) - cycles(&[(i, 24.0)])),
            latencies: vec![None; names.len()],
            alone,
            pairs,
            classes,
        }
    }

    #[test]
    fn a_core_that_does_what_its_table_says_is_explained() {
        for core in shipped() {
            let fit = fit(&seen(core));
            let (explained, all) = (fit.explained().count(), fit.pairs.len());
            println!("{}: {explained} of {all} by {} resources", core.name, fit.resources.len());
            assert!(100 * explained >= 99 * all, "{}: {explained} of {all}", core.name);
        }
    }
}
