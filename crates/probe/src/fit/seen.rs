//! What was seen of all specimens, and what resources say of it.

use super::grid::{is_unsure, simple, slots};
use super::pairs::{Pairs, grouped};
use super::subjects::Subjects;
use super::{EXPLAINED, Fit, NOISE, ROOM, Resource, explains};
use crate::observe::{Care, Mix, Observer};

/// Cycles that mixes took.
pub(super) struct Seen<'s> {
    pub subjects: &'s Subjects,
    /// Of one copy among many, as a simple fraction.
    pub cycles: Vec<f64>,
    alone: Vec<f64>,
    /// Of one each of two.
    pub pairs: Pairs,
    /// The kind of each specimen: what takes as long alone, and beside every other.
    pub kinds: Vec<usize>,
    /// A specimen of each kind, the first.
    pub leaders: Vec<usize>,
    /// What one more of each specimen adds to many of each leader.
    pub uses: Vec<Vec<f64>>,
    /// Kinds of which a second copy beside another adds less than the first: no sums do that.
    less: Vec<[usize; 2]>,
}

impl<'s> Seen<'s> {
    /// Everything that is asked of everything.
    pub fn of<O: Observer>(observer: &mut O, subjects: &'s Subjects) -> Result<Seen<'s>, O::Error> {
        let n = subjects.idle.len();
        let single: Vec<Mix> = (0..n).map(Mix::alone).collect();
        let before = observer.cycles(&single, Care::Thorough)?;
        let mut pairs = Pairs::of(&before);
        pairs.measure(observer, subjects, &before.iter().map(|cycles| simple(*cycles)).collect::<Vec<f64>>())?;
        // Everything rests on these: what disturbs us for a while is not there twice.
        let after = observer.cycles(&single, Care::Thorough)?;
        // Nothing is quicker with something else beside it: where one in ten is, the copies alone were disturbed.
        let least = |i: usize| {
            let (alone, beside) = (before[i].min(after[i]), pairs.of_one(i));
            beside.get(beside.len() / 10).map_or(alone, |least| alone.min(*least))
        };
        let alone: Vec<f64> = (0..n).map(least).collect();
        let cycles: Vec<f64> = alone.iter().map(|cycles| simple(*cycles)).collect();
        let groups = pairs.measure(observer, subjects, &cycles)?;
        pairs.fill(&groups);
        let (kinds, leaders) = groups;
        let mut seen = Seen { subjects, cycles, alone, pairs, kinds, leaders, uses: Vec::new(), less: Vec::new() };
        let all = (0..seen.leaders.len()).flat_map(|base| (0..n).map(move |other| (base, other)));
        let asked: Vec<(usize, usize)> = all.filter(|(base, other)| seen.meets(*base, *other)).collect();
        let mixes: Vec<Mix> = asked.iter().map(|(base, other)| seen.beside(*base, *other)).collect();
        let times = observer.cycles(&mixes, Care::Quick)?;
        // What is in no code beside it uses nothing of it.
        let unknown = |base| (0..n).map(|i| if seen.meets(base, i) { f64::MAX } else { 0.0 }).collect();
        seen.uses = (0..seen.leaders.len()).map(unknown).collect();
        for ((base, other), cycles) in asked.into_iter().zip(times) {
            seen.lower_beside(base, other, cycles);
        }
        Ok(seen)
    }

    /// May code have a specimen beside those of a kind?
    pub fn meets(&self, kind: usize, i: usize) -> bool {
        self.subjects.meet(self.leaders[kind], i)
    }

    /// Enough of a leader that nothing else is the limit, and one of another.
    pub fn beside(&self, base: usize, other: usize) -> Mix {
        Mix::beside(vec![self.leaders[base]], self.count(base, other), other)
    }

    fn count(&self, base: usize, other: usize) -> usize {
        (2.0 * self.cycles[other].max(0.75) / self.cycles[self.leaders[base]]).ceil().clamp(2.0, 24.0) as usize
    }

    /// Such a mix was seen to take so long.
    pub fn lower_beside(&mut self, base: usize, other: usize, cycles: f64) {
        let used = cycles - self.alone[self.leaders[base]] * self.count(base, other) as f64;
        self.uses[base][other] = self.uses[base][other].min(used);
    }

    /// A pair was seen to take so long.
    pub fn lower(&mut self, two: [usize; 2], cycles: f64) {
        self.pairs.lower(two, cycles);
    }

    /// What resources say of one each of two.
    pub fn said(&self, resources: &[Resource], i: usize, j: usize) -> f64 {
        resources.iter().map(|r| self.busy(r, i) + self.busy(r, j)).fold(0.0, f64::max)
    }

    /// How long a copy, with what is idle beside it, keeps a resource busy.
    fn busy(&self, r: &Resource, i: usize) -> f64 {
        let slot = if r.slots { r.uses[r.by[0]] } else { 0.0 };
        r.uses[i] + slot * self.subjects.idle[i]
    }

    /// Does one of two take the front end for a cycle or more?
    pub fn takes_front(&self, resources: &[Resource], two: [usize; 2]) -> bool {
        resources.iter().filter(|r| r.slots).any(|r| two.iter().any(|i| r.uses[*i] >= 1.0))
    }

    /// Does a copy, with what is idle beside it, take about as long as the slots of the front end? Then others that wait
    /// for slots seem to wait for what it saturates.
    pub fn is_idle(&self, i: usize) -> bool {
        let slot = self.subjects.slot.filter(|slot| *slot != i && self.subjects.idle[i] > 0.0);
        slot.is_some_and(|slot| (1.0 + self.subjects.idle[i]) * self.cycles[slot] > (1.0 - EXPLAINED) * self.cycles[i])
    }

    /// Pairs that resources do not explain.
    pub fn open(&self, resources: &[Resource]) -> Vec<[usize; 2]> {
        // Nearly unexplained is looked at again too.
        let is_open = |[i, j]: &[usize; 2]| {
            let (said, seen) = (self.said(resources, *i, *j), self.pairs.at(*i, *j));
            (said - seen).abs() > 0.8 * EXPLAINED * seen
        };
        self.pairs.seen().filter(is_open).collect()
    }

    /// Whole slots of what was measured: where that is between two numbers, what most of the kind use.
    pub fn slots(&self, used: &[f64], slot: f64) -> Vec<u32> {
        let own: Vec<u32> = used.iter().map(|used| slots(*used, slot)).collect();
        let of_kind = |i: usize| middle(self.members(self.kinds[i]).into_iter().map(|i| own[i]).collect());
        let of = |i: usize| if is_unsure(used[i], slot) { of_kind(i).unwrap_or(0) } else { own[i] };
        (0..used.len()).map(of).collect()
    }

    /// The specimens of a kind.
    pub fn members(&self, kind: usize) -> Vec<usize> {
        (0..self.kinds.len()).filter(|i| self.kinds[*i] == kind).collect()
    }

    /// Do they take as long together as one after the other?
    pub fn exclude(&self, i: usize, j: usize) -> bool {
        self.pairs.at(i, j) > (1.0 - NOISE) * (self.cycles[i] + self.cycles[j])
    }

    /// Of one each of two kinds: what most pairs took.
    pub fn both(&self, a: usize, b: usize) -> f64 {
        let (one, other) = (self.members(a), self.members(b));
        let times = one.iter().flat_map(|i| other.iter().filter(move |j| *j != i).map(move |j| (*i, *j)));
        let times = times.map(|(i, j)| (self.pairs.at(i, j) * 1e6) as u64).collect();
        middle(times).map_or(self.pairs.at(one[0], other[0]), |time| time as f64 / 1e6)
    }

    /// Of one each of two kinds: what the quickest pair took.
    pub fn least(&self, a: usize, b: usize) -> f64 {
        let (one, other) = (self.members(a), self.members(b));
        one.iter().flat_map(|i| other.iter().map(|j| self.pairs.at(*i, *j))).fold(f64::MAX, f64::min)
    }

    /// Lowers uses until no single and no two kinds take longer than was seen: the greater of two first, and never those
    /// of the kinds that saturate the resource. Of slots of the front end what takes all of them as long as it runs is
    /// lowered last, and nothing below one.
    pub fn lowered(&self, slot: f64, is_slots: bool, by: &dyn Fn(usize) -> bool, counts: &mut [u32]) {
        let fixed: Vec<bool> = (0..self.leaders.len()).map(by).collect();
        let most = |kind: usize| self.members(kind).iter().map(|i| counts[*i]).max().unwrap_or(0);
        let mut of: Vec<u32> = (0..self.leaders.len()).map(most).collect();
        self.lower_kinds(slot, is_slots, &fixed, &mut of);
        counts.iter_mut().zip(&self.kinds).for_each(|(count, kind)| *count = (*count).min(of[*kind]));
    }

    /// Does it take as long as what saturates a resource, and exclude it?
    pub fn is_beside(&self, by: usize, i: usize) -> bool {
        (self.cycles[i] - self.cycles[by]).abs() < 1e-9 && self.subjects.meet(i, by) && self.exclude(i, by)
    }

    fn lower_kinds(&self, slot: f64, is_slots: bool, fixed: &[bool], counts: &mut [u32]) {
        let n = counts.len();
        let whole = |count: u32| f64::from(count) * slot;
        let idle = |kind: usize| if is_slots { slot * self.subjects.idle[self.leaders[kind]] } else { 0.0 };
        let takes_all = |kind: usize, count: u32| {
            is_slots && count > 1 && whole(count) + idle(kind) > (1.0 - NOISE) * self.cycles[self.leaders[kind]]
        };
        for i in 0..n {
            while !fixed[i] && counts[i] > 0 && whole(counts[i]) > (1.0 + NOISE) * self.cycles[self.leaders[i]] {
                counts[i] -= 1;
            }
        }
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by_key(|i| std::cmp::Reverse(counts[*i]));
        for a in 0..n {
            for b in 0..a {
                let (i, j) = (order[b], order[a]);
                if !self.meets(i, self.leaders[j]) {
                    continue;
                }
                let room = (1.0 + ROOM) * self.both(i, j);
                while counts[i] > 0 && counts[j] > 0 && whole(counts[i] + counts[j]) + idle(i) + idle(j) > room {
                    let greater = match (fixed[i], fixed[j]) {
                        (true, true) => break,
                        (true, false) => j,
                        (false, true) => i,
                        _ if is_slots && counts[i].max(counts[j]) < 2 => break,
                        _ if counts[j] > 1 && takes_all(i, counts[i]) && !takes_all(j, counts[j]) => j,
                        _ if counts[i] > 1 && takes_all(j, counts[j]) && !takes_all(i, counts[i]) => i,
                        _ if counts[i] >= counts[j] => i,
                        _ => j,
                    };
                    counts[greater] -= 1;
                }
            }
        }
    }

    /// From here on a kind is what takes as long and uses as much of every resource.
    pub fn regroup(&mut self, resources: &[Resource]) {
        let alike = |i: usize, j: usize| {
            self.subjects.sets[i] == self.subjects.sets[j]
                && (self.cycles[i] - self.cycles[j]).abs() < 1e-9
                && resources.iter().all(|r| (r.uses[i] - r.uses[j]).abs() < 1e-9)
        };
        (self.kinds, self.leaders) = grouped(self.cycles.len(), alike);
        self.uses.clear();
    }

    /// One each of two kinds take longer than what one more of each adds.
    pub fn sums_to_less(&mut self, a: usize, b: usize) {
        self.less.push([a, b]);
    }

    /// What resources explain.
    pub fn judged(self, resources: Vec<Resource>) -> Fit {
        let told = |[i, j]: [usize; 2]| ([i, j], self.pairs.at(i, j), self.said(&resources, i, j));
        let pairs: Vec<([usize; 2], f64, f64)> = self.pairs.seen().map(told).collect();
        let beyond = |([i, j], seen, said): &&([usize; 2], f64, f64)| {
            let [a, b] = [self.cycles[*i], self.cycles[*j]];
            let kinds = [self.kinds[*i], self.kinds[*j]];
            let is_less = self.less.iter().any(|less| *less == kinds || [less[1], less[0]] == kinds);
            let is_out = *seen > (1.0 + EXPLAINED) * (a + b) || (1.0 + EXPLAINED) * seen < a.max(b);
            !explains(*said, *seen) && (is_less || is_out)
        };
        let beyond = pairs.iter().filter(beyond).count();
        Fit { cycles: self.cycles, resources, pairs, beyond }
    }
}

/// The value in the middle, the lower of two.
fn middle<T: Ord + Copy>(mut values: Vec<T>) -> Option<T> {
    values.sort_unstable();
    values.get(values.len().saturating_sub(1) / 2).copied()
}
