//! Which candidates are compiled, and which are measured for long: those that are not far behind.
//!
//! A compiler takes longer for a kernel than its measurement does. Two things tell about what a candidate takes before it
//! is compiled. Machine code, which is made in a moment: what is far behind as machine code is not compiled
//! ([`behind_as_machine_code`]). And sums: the time of a candidate is about that of its product, of its reduction and of
//! what its layout asks of the operation ([`parts`]). So first only as many are compiled, and measured briefly, that what
//! all others take is a sum of these ([`Span`]). What the sums then put behind the best of its operation and layout, in
//! throughput, latency and size alike, is not compiled ([`behind`]), and its row says so.

use std::collections::{HashMap, HashSet};

use evariste_algorithms::Operation;
use evariste_backend::{Backend, Kind};
use evariste_ir::{Kernel, Stmt};
use evariste_proof::Proved;
use evariste_run::TimingOptions;

use crate::candidates::Judged;
use crate::ranking::{Candidate, Goal};

/// A candidate whose parts take so many times the best is not compiled. (Measured on nine fields: no winner of a layout
/// and operation by its C is lost with 1.2, and none by all code with 1.05.)
pub(crate) const FAR: f64 = 1.2;

/// The same of bytes of code, whose sums are more exact.
pub(crate) const FAR_IN_SIZE: f64 = 1.05;

/// A layout whose best takes so many times the best of all layouts is slow: what is nearly best in it is best in nothing.
/// So it is where machine code puts all C [far](FAR) behind.
pub(crate) const SLOW_LAYOUT: f64 = 2.0;

/// [`FAR`] in slow layouts.
pub(crate) const FAR_IN_SLOW_LAYOUT: f64 = 1.02;

/// A candidate whose machine code takes so many times the best is not compiled. (On the same fields winners by C take 1.41
/// times the best as machine code at most.)
pub(crate) const FAR_AS_MACHINE_CODE: f64 = 1.5;

/// A candidate that takes so many times the best of its kind of code in a brief measurement, and by more than its spread,
/// has no longer one.
pub(crate) const BEHIND: f64 = 1.1;

/// What is compared: time in two ways, and size; with how many times the best is far.
const MEASURES: [(&dyn Fn(&Candidate) -> Option<f64>, f64); 3] = [
    (&|c| c.time(Goal::Throughput), FAR),
    (&|c| c.time(Goal::Latency), FAR),
    (&|c| c.code_bytes.map(|bytes| bytes as f64), FAR_IN_SIZE),
];

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

/// What the time of a candidate is the sum of, numbered among all.
pub(crate) type Parts = Vec<usize>;

/// The parts of candidates: a product of so many digits, a reduction, what a layout asks of an operation. Algorithms that
/// are not made of two take the same for products and squares, but for what the layout asks.
pub(crate) fn parts(judged: &[&Judged]) -> Vec<Parts> {
    let mut known: HashMap<String, usize> = HashMap::new();
    let mut number = |name: String| {
        let next = known.len();
        *known.entry(name).or_insert(next)
    };
    judged.iter().map(|j| names(j).into_iter().map(&mut number).collect()).collect()
}

fn names(j: &Judged) -> Vec<String> {
    let (plan, layout) = (&j.plan, &j.plan.layout);
    let (algorithm, operation) = (&plan.algorithm, plan.operation.name());
    let place = format!("{operation} in {}", layout.name);
    let digits = format!("{} {:?}", layout.word, layout.weights);
    // Loops take other times than what is written out, and are compiled soon.
    if j.outcome.as_ref().is_ok_and(|p| repeats(p.kernel())) {
        return vec![format!("{algorithm}: {place}")];
    }
    let joined = plan.parts.first().and_then(|p| Some((&p.algorithm, algorithm.strip_prefix(p.algorithm.as_str())?)));
    match joined {
        Some((product, reduction)) => {
            vec![format!("{operation} {product} {digits}"), format!("{reduction} {digits}"), place]
        }
        None if plan.operation.is_any(&[Operation::MUL, Operation::SQUARE]) => {
            vec![format!("{algorithm} {digits}"), place]
        }
        None => vec![format!("{operation} {algorithm} {digits}"), place],
    }
}

/// Are there loops in a kernel or in what it calls?
fn repeats(kernel: &Kernel) -> bool {
    kernel.statements().any(|s| matches!(s, Stmt::Loop(_))) || kernel.callees.iter().any(|callee| repeats(callee))
}

/// Candidates of whose parts those of all others are sums and differences.
pub(crate) struct Span {
    /// The candidates, in the order in which they were taken.
    pub(crate) taken: Vec<usize>,
    /// Of each the parts less those of the ones before it, 1 at the pivot, where all that follow have 0.
    rows: Vec<(usize, Combination)>,
}

/// Parts, and the sum of taken candidates that has them.
#[derive(Clone)]
struct Combination {
    parts: Vec<f64>,
    of: Vec<f64>,
}

impl Combination {
    /// This less so many times another.
    fn less(&mut self, times: f64, other: &Combination) {
        for (a, b) in [(&mut self.parts, &other.parts), (&mut self.of, &other.of)] {
            a.iter_mut().zip(b).for_each(|(a, b)| *a -= times * b);
        }
    }
}

/// What is less is nothing: parts and their multiples are small integers.
const NOTHING: f64 = 1e-6;

impl Span {
    /// Takes candidates in the order of their lengths, each that is no sum of those before.
    pub(crate) fn of(parts: &[Parts], lengths: &[usize]) -> Span {
        let mut order: Vec<usize> = (0..parts.len()).collect();
        order.sort_by_key(|i| (lengths[*i], *i));
        let count = parts.iter().flatten().max().map_or(0, |greatest| greatest + 1);
        let mut span = Span { taken: Vec::new(), rows: Vec::new() };
        for i in order {
            let mut left = span.less_known(&parts[i], count);
            let Some(pivot) = (0..count).find(|p| left.parts[*p].abs() > NOTHING) else { continue };
            left.of[span.taken.len()] = 1.0;
            let scale = left.parts[pivot];
            left.parts.iter_mut().chain(&mut left.of).for_each(|x| *x /= scale);
            span.taken.push(i);
            span.rows.push((pivot, left));
        }
        span
    }

    /// These parts less what taken candidates have of them.
    fn less_known(&self, parts: &Parts, count: usize) -> Combination {
        let mut left = Combination { parts: vec![0.0; count], of: vec![0.0; count] };
        parts.iter().for_each(|p| left.parts[*p] += 1.0);
        for (pivot, row) in &self.rows {
            left.less(left.parts[*pivot], row);
        }
        left
    }

    /// What these parts take, by what each taken candidate takes; `None` where one that matters was not measured.
    pub(crate) fn sum(&self, parts: &Parts, measured: &[Option<f64>]) -> Option<f64> {
        let count = self.rows.first().map_or(0, |(_, row)| row.parts.len());
        let left = self.less_known(parts, count);
        if left.parts.iter().any(|x| x.abs() > NOTHING) {
            return None;
        }
        let terms = self.taken.iter().zip(&left.of).filter(|(_, times)| times.abs() > NOTHING);
        terms.map(|(i, times)| Some(-times * measured[*i]?)).sum()
    }
}

/// Where all that is known puts a candidate behind, about how many times the best of its operation and layout it takes;
/// `None` where it was measured, may be near the best, or nothing is known. `rows` are the briefly measured candidates, `made`
/// those measured as machine code.
pub(crate) fn behind(
    judged: &[&Judged],
    parts: &[Parts],
    span: &Span,
    rows: &[Option<Candidate>],
    made: &[&Candidate],
) -> Vec<Option<f64>> {
    let key = |i: usize| (judged[i].plan.layout.name.as_str(), judged[i].plan.operation.name());
    let mut near: Vec<bool> = rows.iter().map(Option::is_some).collect();
    let mut least: Vec<Option<f64>> = vec![None; judged.len()];
    let mut slow: Option<HashSet<_>> = None;
    for (measure, far) in MEASURES {
        let measured: Vec<Option<f64>> = rows.iter().map(|row| row.as_ref().and_then(measure)).collect();
        let sum = |(p, m): (&Parts, &Option<f64>)| m.or_else(|| span.sum(p, &measured)).filter(|sum| *sum > 0.0);
        let all: Vec<Option<f64>> = parts.iter().zip(&measured).map(sum).collect();
        let mut best: HashMap<_, f64> = HashMap::new();
        for (i, time) in all.iter().enumerate().filter_map(|(i, time)| Some((i, (*time)?))) {
            let best = best.entry(key(i)).or_insert(time);
            *best = best.min(time);
        }
        // By throughput, which comes first.
        let slow = slow.get_or_insert_with(|| slow_layouts(&best, &best_times(made)));
        for (i, time) in all.iter().enumerate() {
            match (time, best.get(&key(i))) {
                (Some(time), Some(best)) => {
                    let far = if slow.contains(&key(i)) { FAR_IN_SLOW_LAYOUT.min(far) } else { far };
                    near[i] |= *time <= far * best;
                    least[i] = Some(least[i].unwrap_or(f64::INFINITY).min(time / best));
                }
                // Nothing measured to compare with: of latency and size that is no reason by itself.
                (_, None) => {}
                (None, Some(_)) => near[i] = true,
            }
        }
    }
    least.into_iter().zip(near).map(|(least, near)| least.filter(|_| !near)).collect()
}

/// A layout and an operation.
type Key<'a> = (&'a str, String);

/// Of layouts and operations, and the best time of each as C and as machine code, those that are slow as C.
fn slow_layouts<'a>(best: &HashMap<Key<'a>, f64>, made: &HashMap<Key<'a>, f64>) -> HashSet<Key<'a>> {
    let least = |operation: &str| {
        let times = best.iter().chain(made).filter(|((_, of), _)| of == operation).map(|(_, time)| *time);
        times.fold(f64::INFINITY, f64::min)
    };
    let slow = |(key, time): &(&Key<'a>, &f64)| {
        **time > SLOW_LAYOUT * least(&key.1) || made.get(key).is_some_and(|made| **time > FAR * made)
    };
    best.iter().filter(slow).map(|(key, _)| key.clone()).collect()
}

/// The best time of each layout and operation.
fn best_times<'a>(rows: &[&'a Candidate]) -> HashMap<Key<'a>, f64> {
    let mut best = HashMap::new();
    for (c, time) in rows.iter().filter_map(|c| Some((c, c.time(Goal::Throughput)?))) {
        let best = best.entry((c.layout.as_str(), c.operation.clone())).or_insert(time);
        *best = best.min(time);
    }
    best
}

/// Of candidates that were measured as machine code and are far behind in it, how many times the best of their operation
/// and layout they take. What is a loop is short, and may win by that as C: of it nothing is told.
pub(crate) fn behind_as_machine_code(judged: &[&Judged], rows: &[&Candidate]) -> Vec<Option<f64>> {
    let made = || rows.iter().filter(|c| c.code.is_some_and(|code| code.entry().kind == Kind::Scalar));
    let mut least: HashMap<(&str, &str), f64> = HashMap::new();
    for (measure, _) in MEASURES {
        let mut best: HashMap<(&str, &str), f64> = HashMap::new();
        for (c, time) in made().filter_map(|c| Some((c, measure(c)?))) {
            let best = best.entry((&c.layout, &c.operation)).or_insert(time);
            *best = best.min(time);
        }
        for (c, time) in made().filter_map(|c| Some((c, measure(c)?))) {
            let times = time / best[&(c.layout.as_str(), c.operation.as_str())];
            let least = least.entry((&c.plan, &c.operation)).or_insert(times);
            *least = least.min(times);
        }
    }
    let of = |j: &&Judged| {
        let written_out = j.outcome.as_ref().is_ok_and(|p| !repeats(p.kernel()));
        let times = least.get(&(j.plan.name().as_str(), j.plan.operation.name().as_str())).copied();
        times.filter(|times| written_out && *times > FAR_AS_MACHINE_CODE)
    };
    judged.iter().map(of).collect()
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
            .any(|goal| c.time(goal).is_some_and(|t| t <= (BEHIND + c.spread(goal) / 100.0) * least[&key(c, goal)]))
    };
    let searched: Vec<(&str, &str)> =
        rows.iter().filter(|c| c.searched.is_some()).map(|c| (c.plan.as_str(), c.operation.as_str())).collect();
    rows.iter().map(|c| !near(c) && !searched.contains(&(c.plan.as_str(), c.operation.as_str()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Products 0 to 3, reductions 4 to 6 and layouts 7 and 8, each three a candidate, and one with a part of its own.
    fn grid() -> (Vec<Parts>, Vec<usize>) {
        let pairs = (0..4).flat_map(|p| (4..7).map(move |r| (p, r)));
        let mut parts: Vec<Parts> = pairs.flat_map(|(p, r)| [vec![p, r, 7], vec![p, r, 8]]).collect();
        let mut lengths: Vec<usize> = parts.iter().map(|p| 100 * p[0] + 10 * p[1] + p[2]).collect();
        parts.push(vec![9]);
        lengths.push(10_000);
        (parts, lengths)
    }

    #[test]
    fn what_is_compiled_first_tells_what_the_others_take() {
        let (parts, lengths) = grid();
        let span = Span::of(&parts, &lengths);
        // Every part once: four products, two more reductions, one more layout, and the one that is alone, however long.
        assert_eq!(span.taken.len(), 8);
        assert!(span.taken.contains(&(parts.len() - 1)));
        // The shortest are taken: no more than one part is another than in the shortest of all.
        let others = |i: usize| parts[i].iter().zip(&parts[0]).filter(|(a, b)| a != b).count();
        assert!(span.taken.iter().all(|i| others(*i) <= 1), "{:?}", span.taken);
        let time = |p: &Parts| p.iter().map(|p| (p * p) as f64 + 3.0).sum::<f64>();
        let measured: Vec<Option<f64>> =
            (0..parts.len()).map(|i| span.taken.contains(&i).then(|| time(&parts[i]))).collect();
        for part in &parts {
            let sum = span.sum(part, &measured).expect("its parts were measured");
            assert!((sum - time(part)).abs() < 1e-6, "{part:?}: {sum}");
        }
    }

    #[test]
    fn a_layout_is_slow_beside_others_and_beside_machine_code() {
        let of = |times: &[(&'static str, &str, f64)]| -> HashMap<Key<'static>, f64> {
            times.iter().map(|(layout, op, time)| ((*layout, op.to_string()), *time)).collect()
        };
        let best =
            of(&[("a", "mul", 10.0), ("b", "mul", 20.0), ("c", "mul", 21.0), ("c", "add", 3.0), ("d", "add", 5.0)]);
        let slow = |made: &[(&'static str, &str, f64)]| {
            let mut slow: Vec<_> = slow_layouts(&best, &of(made)).into_iter().collect();
            slow.sort();
            slow
        };
        let pair = |layout: &'static str, op: &str| (layout, op.to_string());
        assert_eq!(slow(&[]), [pair("c", "mul")]);
        // Machine code of its own layout that is far faster, and one that is not; and one of another layout.
        assert_eq!(slow(&[("a", "mul", 10.0), ("d", "add", 4.0)]), [pair("c", "mul"), pair("d", "add")]);
        assert_eq!(slow(&[("a", "mul", 9.9)]), [pair("b", "mul"), pair("c", "mul")]);
    }

    #[test]
    fn nothing_is_told_of_parts_that_were_not_measured() {
        let (parts, lengths) = grid();
        let span = Span::of(&parts, &lengths);
        let mut measured: Vec<Option<f64>> = (0..parts.len()).map(|i| span.taken.contains(&i).then_some(1.0)).collect();
        // The second layout cannot be measured.
        measured[span.taken[1]] = None;
        assert_eq!(parts[span.taken[1]], [0, 4, 8]);
        for part in &parts {
            assert_eq!(span.sum(part, &measured).is_none(), part.contains(&8), "{part:?}");
        }
    }
}
