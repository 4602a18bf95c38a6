//! Which candidates are compiled, and which are measured for long: those that are not far behind.
//!
//! A compiler takes longer for a kernel than its measurement does. Where a product is joined with every reduction, the
//! time of a candidate is about the sum of what its two parts take: so first only as many are compiled that each product
//! and each reduction is in one ([`spanning`]), and measured briefly. What the sums ([`Sums`]) then put far behind the
//! best of its operation and layout, in throughput, latency and size, is not compiled, and its row says so.

use std::collections::HashMap;

use evariste_backend::Backend;
use evariste_proof::Proved;
use evariste_run::TimingOptions;

use crate::candidates::Judged;
use crate::ranking::{Candidate, Goal};
use crate::schedules::kernel_fingerprint;

/// A candidate whose parts are so many times the best is not compiled. (Measured on eight named fields: sums are wrong
/// by a third at most, and by more only for candidates that are faster than their sums and nevertheless far behind.)
pub(crate) const FAR: f64 = 1.6;

/// A candidate that takes so many times the best of its kind of code in a brief measurement has no longer one.
pub(crate) const BEHIND: f64 = 1.3;

/// How briefly all candidates are measured: about a millisecond each.
pub(crate) fn briefly(timing: &TimingOptions) -> TimingOptions {
    TimingOptions {
        rounds: timing.rounds.min(3),
        samples_per_round: timing.samples_per_round.min(8),
        warm_ns: timing.warm_ns.min(30_000.0),
        budget_ns: timing.budget_ns.min(1e7),
        ..*timing
    }
}

/// The product and the reduction that a candidate joins, numbered among all.
pub(crate) type Parts = Option<(usize, usize)>;

/// The parts of candidates: products are the same where their kernels are, reductions within a layout.
pub(crate) fn parts(judged: &[&Judged]) -> Vec<Parts> {
    let mut known: HashMap<String, usize> = HashMap::new();
    let mut number = |name: String| {
        let next = known.len();
        *known.entry(name).or_insert(next)
    };
    let of = |j: &&Judged| {
        let (part, callee) = (j.plan.parts.first()?, j.outcome.as_ref().ok()?.kernel().callees.first()?);
        let reduction = j.plan.algorithm.strip_prefix(part.algorithm.as_str())?;
        let (operation, layout) = (j.plan.operation.name(), &j.plan.layout.name);
        Some((
            number(format!("{operation} {:016x}", kernel_fingerprint(callee))),
            number(format!("{operation} {reduction}/{layout}")),
        ))
    };
    judged.iter().map(of).collect()
}

/// The shortest candidates that hold every part and are just enough to know what each part takes; and all that have no
/// parts.
pub(crate) fn spanning(parts: &[Parts], lengths: &[usize]) -> Vec<bool> {
    let mut group: Vec<usize> = (0..=parts.iter().flatten().map(|(p, r)| *p.max(r)).max().unwrap_or(0)).collect();
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|i| (lengths[*i], *i));
    let mut taken = vec![false; parts.len()];
    for i in order {
        let Some((product, reduction)) = parts[i] else {
            taken[i] = true;
            continue;
        };
        let (one, other) = (group[product], group[reduction]);
        if one != other {
            taken[i] = true;
            group.iter_mut().filter(|g| **g == one).for_each(|g| *g = other);
        }
    }
    taken
}

/// What each part takes, but for a number that the products of connected candidates have more and the reductions less.
pub(crate) struct Sums(HashMap<usize, (usize, f64)>);

impl Sums {
    /// From what was measured of candidates of which no two ways lead from one part to another ([`spanning`]).
    pub(crate) fn of(parts: &[Parts], measured: &[Option<f64>]) -> Sums {
        let mut beside: HashMap<usize, Vec<(usize, f64)>> = HashMap::new();
        for (part, time) in parts.iter().zip(measured) {
            if let (Some((product, reduction)), Some(time)) = (part, time) {
                beside.entry(*product).or_default().push((*reduction, *time));
                beside.entry(*reduction).or_default().push((*product, *time));
            }
        }
        let mut sums: HashMap<usize, (usize, f64)> = HashMap::new();
        for start in beside.keys() {
            let mut open = if sums.contains_key(start) { vec![] } else { vec![(*start, 0.0)] };
            while let Some((part, value)) = open.pop() {
                if sums.insert(part, (*start, value)).is_none() {
                    let next = beside[&part].iter().filter(|(other, _)| !sums.contains_key(other));
                    open.extend(next.map(|(other, time)| (*other, time - value)));
                }
            }
        }
        Sums(sums)
    }

    /// What a candidate takes by its parts, where both were measured and are connected.
    pub(crate) fn predicted(&self, parts: Parts) -> Option<f64> {
        let ((one, product), (other, reduction)) =
            parts.map(|(p, r)| (self.0.get(&p), self.0.get(&r))).and_then(|(p, r)| Some((*p?, *r?)))?;
        (one == other).then_some(product + reduction)
    }
}

/// How many times the best of its operation and layout each candidate takes by its parts, in what it is nearest to the
/// best in; `None` where it was measured, or nothing is known. `rows` are the briefly measured candidates.
pub(crate) fn behind(judged: &[&Judged], parts: &[Parts], rows: &[Option<Candidate>]) -> Vec<Option<f64>> {
    let measures: [&dyn Fn(&Candidate) -> Option<f64>; 3] =
        [&|c| c.time(Goal::Throughput), &|c| c.time(Goal::Latency), &|c| c.code_bytes.map(|bytes| bytes as f64)];
    let mut least: Vec<Option<f64>> = vec![None; judged.len()];
    let mut unknown: Vec<bool> = rows.iter().map(Option::is_some).collect();
    for measure in measures {
        let measured: Vec<Option<f64>> = rows.iter().map(|row| row.as_ref().and_then(measure)).collect();
        let sums = Sums::of(parts, &measured);
        let all: Vec<Option<f64>> =
            parts.iter().zip(&measured).map(|(p, m)| m.or_else(|| sums.predicted(*p))).collect();
        let mut best: HashMap<(&str, String), f64> = HashMap::new();
        let key = |i: usize| (judged[i].plan.layout.name.as_str(), judged[i].plan.operation.name());
        for (i, time) in all.iter().enumerate().filter_map(|(i, time)| Some((i, time.filter(|t| *t > 0.0)?))) {
            let best = best.entry(key(i)).or_insert(time);
            *best = best.min(time);
        }
        for (i, time) in all.iter().enumerate() {
            match (time, best.get(&key(i))) {
                (Some(time), Some(best)) => least[i] = Some(least[i].unwrap_or(f64::INFINITY).min(time / best)),
                // Nothing measured to compare with: of latency and size that is no reason by itself.
                (_, None) => {}
                (None, Some(_)) => unknown[i] = true,
            }
        }
    }
    least.into_iter().zip(unknown).map(|(least, unknown)| least.filter(|_| !unknown)).collect()
}

/// Operations of kernels by the estimate of a back end; those that it has none of are the longest.
pub(crate) fn lengths(kernels: &[&Proved], backend: &dyn Backend) -> Vec<usize> {
    kernels.iter().map(|p| backend.estimate(p.kernel()).map_or(usize::MAX, |estimate| estimate.operations)).collect()
}

/// Of briefly measured candidates those that need no longer measurement: far behind the best of their layout, operation
/// and kind of code, in throughput and latency. Rows of a plan whose schedules were searched stay together.
pub(crate) fn far_behind(rows: &[&Candidate]) -> Vec<bool> {
    let key = |c: &Candidate, goal| (c.layout.clone(), c.operation.clone(), c.code, goal);
    let mut least: HashMap<_, f64> = HashMap::new();
    for c in rows {
        for goal in [Goal::Throughput, Goal::Latency] {
            if let Some(time) = c.time(goal) {
                let best = least.entry(key(c, goal)).or_insert(time);
                *best = best.min(time);
            }
        }
    }
    let near = |c: &Candidate| {
        [Goal::Throughput, Goal::Latency]
            .into_iter()
            .any(|goal| c.time(goal).is_some_and(|time| time <= BEHIND * least[&key(c, goal)]))
    };
    let searched: Vec<(&str, &str)> =
        rows.iter().filter(|c| c.searched.is_some()).map(|c| (c.plan.as_str(), c.operation.as_str())).collect();
    rows.iter().map(|c| !near(c) && !searched.contains(&(c.plan.as_str(), c.operation.as_str()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Products 0 to 3, reductions 4 to 6, each pair a candidate, and one candidate without parts.
    fn grid() -> (Vec<Parts>, Vec<usize>) {
        let mut parts: Vec<Parts> = (0..4).flat_map(|p| (4..7).map(move |r| Some((p, r)))).collect();
        let mut lengths: Vec<usize> = parts.iter().flatten().map(|(p, r)| 10 * (p + 1) + r).collect();
        parts.push(None);
        lengths.push(1_000);
        (parts, lengths)
    }

    #[test]
    fn what_is_compiled_first_holds_every_part_and_tells_the_others() {
        let (parts, lengths) = grid();
        let first = spanning(&parts, &lengths);
        let taken: Vec<Parts> = parts.iter().zip(&first).filter(|(_, first)| **first).map(|(p, _)| *p).collect();
        // As many as parts less one, and the one without parts, however long.
        assert_eq!(taken.len(), 7);
        assert!(taken.contains(&None));
        assert!((0..7).all(|part| taken.iter().flatten().any(|(p, r)| *p == part || *r == part)));
        // The shortest product with every reduction, the shortest reduction with every product.
        assert!(taken.iter().flatten().all(|(p, r)| *p == 0 || *r == 4), "{taken:?}");
        let time = |p: usize, r: usize| (p * p) as f64 + 3.0 * r as f64;
        let measured: Vec<Option<f64>> =
            parts.iter().zip(&first).map(|(part, first)| part.filter(|_| *first).map(|(p, r)| time(p, r))).collect();
        let sums = Sums::of(&parts, &measured);
        for part in parts.iter().flatten() {
            let predicted = sums.predicted(Some(*part)).expect("both parts were measured");
            assert!((predicted - time(part.0, part.1)).abs() < 1e-9, "{part:?}: {predicted}");
        }
        assert_eq!(sums.predicted(None), None);
    }

    #[test]
    fn nothing_is_told_of_parts_that_are_not_connected() {
        let parts = [Some((0, 2)), Some((1, 3)), Some((0, 3))];
        // The third would connect them; it could not be measured.
        let sums = Sums::of(&parts, &[Some(5.0), Some(7.0), None]);
        assert_eq!(sums.predicted(Some((0, 2))), Some(5.0));
        assert_eq!([sums.predicted(Some((0, 3))), sums.predicted(Some((1, 2)))], [None, None]);
        assert_eq!(sums.predicted(Some((0, 9))), None);
    }
}
