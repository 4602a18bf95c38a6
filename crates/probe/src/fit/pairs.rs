//! Pairs of instructions side by side, and the kinds that they show. What is alike beside some instruction of every kind
//! is alike beside all of them: so each is run beside the first of each kind, and not beside all others.

use super::grid::NOISE;
use super::subjects::Subjects;
use crate::observe::{Care, Mix, Observer};

/// Cycles of one each of two.
pub(super) struct Pairs {
    /// By both; of a pair that was not run, what the first of its kind took.
    cycles: Vec<Vec<f64>>,
    /// Was it run?
    seen: Vec<Vec<bool>>,
}

/// The kind of each specimen, and the first of each kind.
pub(super) type Kinds = (Vec<usize>, Vec<usize>);

impl Pairs {
    /// None yet: specimens that take so long alone.
    pub fn of(alone: &[f64]) -> Pairs {
        let n = alone.len();
        Pairs { cycles: alone.iter().map(|cycles| vec![2.0 * cycles; n]).collect(), seen: vec![vec![false; n]; n] }
    }

    /// Runs everything beside the first of each kind, until these kinds show no more of them.
    ///
    /// # Errors
    /// The observer's.
    pub fn measure<O: Observer>(
        &mut self,
        observer: &mut O,
        subjects: &Subjects,
        alone: &[f64],
    ) -> Result<Kinds, O::Error> {
        loop {
            let of_one_set = |i: usize, j: usize| subjects.sets[i] == subjects.sets[j];
            let alike = |i: usize, leader: usize| of_one_set(i, leader) && self.are_alike(i, leader, alone);
            let (kinds, leaders) = grouped(alone.len(), alike);
            let mut open: Vec<[usize; 2]> = Vec::new();
            for leader in &leaders {
                let is_new = |i: &usize| i != leader && !self.seen[*i][*leader] && subjects.meet(*i, *leader);
                let beside = (0..alone.len()).filter(is_new);
                for two in beside.map(|i| [i.min(*leader), i.max(*leader)]) {
                    if !open.contains(&two) {
                        open.push(two);
                    }
                }
            }
            if open.is_empty() {
                return Ok((kinds, leaders));
            }
            let mixes: Vec<Mix> = open.iter().map(|[i, j]| Mix::pair(*i, *j)).collect();
            let times = observer.cycles(&mixes, Care::Quick)?;
            open.iter().zip(times).for_each(|(two, cycles)| self.set(*two, cycles));
        }
    }

    /// Do two take as long alone and beside all that both were run with, and exclude each other?
    fn are_alike(&self, i: usize, leader: usize, alone: &[f64]) -> bool {
        let both = (0..alone.len()).filter(|k| *k != i && *k != leader && self.seen[i][*k] && self.seen[leader][*k]);
        let parts: Vec<f64> = both.map(|k| (self.cycles[i][k] / self.cycles[leader][k] - 1.0).abs().min(0.5)).collect();
        let exclude = !self.seen[i][leader] || self.cycles[i][leader] > (1.0 - NOISE) * 2.0 * alone[leader];
        (alone[i] - alone[leader]).abs() < 1e-9 && exclude && parts.iter().sum::<f64>() <= NOISE * parts.len() as f64
    }

    fn set(&mut self, [i, j]: [usize; 2], cycles: f64) {
        (self.cycles[i][j], self.cycles[j][i]) = (cycles, cycles);
        (self.seen[i][j], self.seen[j][i]) = (true, true);
    }

    /// What the first of its kind took stands for a pair that was not run.
    pub fn fill(&mut self, (kinds, leaders): &Kinds) {
        for i in 0..kinds.len() {
            for j in (0..kinds.len()).filter(|j| *j != i) {
                if !self.seen[i][j] && leaders[kinds[i]] != j {
                    self.cycles[i][j] = self.cycles[leaders[kinds[i]]][j];
                }
            }
        }
    }

    /// A pair was seen to take so long.
    pub fn lower(&mut self, [i, j]: [usize; 2], cycles: f64) {
        self.set([i, j], self.cycles[i][j].min(cycles));
    }

    /// Cycles of one each of two.
    pub fn at(&self, i: usize, j: usize) -> f64 {
        self.cycles[i][j]
    }

    /// The pairs that were run, the lesser first.
    pub fn seen(&self) -> impl Iterator<Item = [usize; 2]> + '_ {
        let n = self.seen.len();
        (0..n).flat_map(move |i| (i + 1..n).filter(move |j| self.seen[i][*j]).map(move |j| [i, j]))
    }

    /// Cycles of all pairs of one that were run, the least first.
    pub fn of_one(&self, i: usize) -> Vec<f64> {
        let mut cycles: Vec<f64> =
            (0..self.seen.len()).filter(|j| self.seen[i][*j]).map(|j| self.cycles[i][j]).collect();
        cycles.sort_by(f64::total_cmp);
        cycles
    }
}

/// Each in the first group whose first it is like; the group of each, and the firsts.
pub(super) fn grouped(n: usize, alike: impl Fn(usize, usize) -> bool) -> Kinds {
    let (mut groups, mut firsts): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
    for i in 0..n {
        let group = firsts.iter().position(|first| alike(i, *first)).unwrap_or(firsts.len());
        if group == firsts.len() {
            firsts.push(i);
        }
        groups.push(group);
    }
    (groups, firsts)
}
