//! What is measured: every specimen alone, in a chain and beside every other; of what behaves alike one as one more copy
//! among many of every other kind.

use std::time::Instant;

use crate::bench::{Bench, ProbeError, Timed};
use crate::classes::Classes;
use crate::subject::{Pool, Probe, Specimen};

/// Copies of a loop, at least.
const COPIES: usize = 40;
/// Links of a chain.
const LINKS: usize = 40;
/// Loops between two reports of progress.
const STEP: usize = 100;
/// Copies of the second of two in a mix where they are not equally many.
pub const MORE: usize = 3;

/// Seconds that passes over the loops may take: of single specimens and pairs, and of mixes of classes.
const PASSES: [f64; 2] = [8.0, 6.0];
/// Passes end when few loops became faster in the last one: no more than this part of them, by more than that part of
/// their time.
const SETTLED: [f64; 2] = [0.001, 0.01];

/// Cycles.
#[derive(Clone, PartialEq, Debug)]
pub struct Measured {
    /// Of one copy among many, by specimen.
    pub alone: Vec<f64>,
    /// Of one link of a chain, by specimen.
    pub latencies: Vec<Option<f64>>,
    /// Of one copy of each of two, by specimen.
    pub pairs: Vec<Vec<f64>>,
    /// What behaves alike.
    pub classes: Classes,
    /// Of one copy of the first and [`MORE`] of the second, by class.
    pub mixes: Vec<Vec<f64>>,
    /// What one copy of the second adds to many of the first, by class.
    pub uses: Vec<Vec<f64>>,
}

/// Measures all specimens, and then mixes of one of each class.
///
/// # Errors
/// No executable memory; [`ProbeError::Stopped`].
pub fn measure<I: Probe>(
    bench: &mut Bench<I>,
    all: &[Specimen<I>],
    progress: &mut dyn FnMut(f64) -> bool,
) -> Result<Measured, ProbeError> {
    let whole = PASSES[0] + PASSES[1];
    let [first, second] = PASSES;
    let (alone, latencies, pairs) = each(bench, all, &mut |done| progress(done * first / whole))?;
    let classes = Classes::of(&alone, &pairs);
    let rest = &mut |done| progress((first + done * second) / whole);
    let (mixes, uses) = mixed(bench, all, &alone, &classes.leaders, rest)?;
    Ok(Measured { alone, latencies, pairs, classes, mixes, uses })
}

/// Cycles of every specimen alone, of its links, and of every two.
type Each = (Vec<f64>, Vec<Option<f64>>, Vec<Vec<f64>>);

fn each<I: Probe>(
    bench: &mut Bench<I>,
    all: &[Specimen<I>],
    progress: &mut dyn FnMut(f64) -> bool,
) -> Result<Each, ProbeError> {
    let n = all.len();
    let chains: Vec<usize> = (0..n).filter(|i| all[*i].link.is_some()).collect();
    let two: Vec<[usize; 2]> = (0..n).flat_map(|i| (i + 1..n).map(move |j| [i, j])).collect();
    let mut loops = Vec::new();
    for specimen in all {
        loops.push(alone(bench, specimen)?);
    }
    for i in &chains {
        loops.push(chain(bench, &all[*i])?);
    }
    for pair in &two {
        loops.push(beside_each_other(bench, all, *pair, [1, 1])?);
    }
    let times = least(bench, loops, PASSES[0], progress)?;
    let (alone, times) = times.split_at(n);
    let (links, times) = times.split_at(chains.len());
    let mut latencies = vec![None; n];
    chains.iter().zip(links).for_each(|(i, cycles)| latencies[*i] = Some(*cycles));
    let mut pairs = vec![vec![0.0; n]; n];
    two.iter().zip(times).for_each(|([i, j], cycles)| (pairs[*i][*j], pairs[*j][*i]) = (*cycles, *cycles));
    Ok((alone.to_vec(), latencies, pairs))
}

/// Cycles of one and [`MORE`], by class; and what one adds to many.
type Mixed = (Vec<Vec<f64>>, Vec<Vec<f64>>);

fn mixed<I: Probe>(
    bench: &mut Bench<I>,
    all: &[Specimen<I>],
    alone: &[f64],
    leaders: &[usize],
    progress: &mut dyn FnMut(f64) -> bool,
) -> Result<Mixed, ProbeError> {
    let m = leaders.len();
    let mut loops = Vec::new();
    for a in leaders {
        for b in leaders {
            // A class beside itself is never asked for.
            loops.push(beside_each_other(bench, all, [*a, *b], [1, MORE])?);
            loops.push(beside(bench, &all[*a], beside_how_many(alone, *a, *b), &all[*b])?);
        }
    }
    let times = least(bench, loops, PASSES[1], progress)?;
    let table = |cell: &dyn Fn(usize, usize) -> f64| (0..m).map(|a| (0..m).map(|b| cell(a, b)).collect()).collect();
    let mixes = table(&|a, b| times[2 * (m * a + b)]);
    let uses = table(&|a, b| {
        let [base, other] = [a, b].map(|class| leaders[class]);
        let without = alone[base] * beside_how_many(alone, base, other) as f64;
        (times[2 * (m * a + b) + 1] - without).clamp(0.0, alone[other])
    });
    Ok((mixes, uses))
}

/// The least of each loop's cycles in several passes over all of them: what shares the core with us is not there all the
/// time. Passes end when the time is over, or when they change little.
fn least<I: Probe>(
    bench: &mut Bench<I>,
    mut loops: Vec<Timed>,
    seconds: f64,
    progress: &mut dyn FnMut(f64) -> bool,
) -> Result<Vec<f64>, ProbeError> {
    let start = Instant::now();
    let spent = || start.elapsed().as_secs_f64() / seconds;
    for pass in 1.. {
        let mut lower = 0;
        for (k, timed) in loops.iter_mut().enumerate() {
            if k % STEP == 0 && !progress(spent().min(1.0)) {
                return Err(ProbeError::Stopped);
            }
            // The first pass is whole.
            if pass > 1 && spent() >= 1.0 {
                break;
            }
            let before = timed.per_copy();
            bench.run(timed);
            lower += usize::from(timed.per_copy() < before * (1.0 - SETTLED[1]));
        }
        if pass > 1 && lower as f64 <= SETTLED[0] * loops.len() as f64 || spent() >= 1.0 {
            break;
        }
    }
    Ok(loops.iter().map(Timed::per_copy).collect())
}

/// Many independent copies of one specimen.
///
/// # Errors
/// No executable memory.
pub fn alone<I: Probe>(bench: &mut Bench<I>, specimen: &Specimen<I>) -> Result<Timed, ProbeError> {
    let body: Vec<_> = (0..COPIES).flat_map(|i| (specimen.copy)(i, Pool::Many)).collect();
    bench.prepare(&body, COPIES)
}

/// A chain of a specimen's links.
fn chain<I: Probe>(bench: &mut Bench<I>, specimen: &Specimen<I>) -> Result<Timed, ProbeError> {
    let body = specimen.link.as_deref().unwrap_or_default().repeat(LINKS);
    bench.prepare(&body, LINKS)
}

/// Turns with so many copies of each of two.
fn beside_each_other<I: Probe>(
    bench: &mut Bench<I>,
    all: &[Specimen<I>],
    two: [usize; 2],
    count: [usize; 2],
) -> Result<Timed, ProbeError> {
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
    bench.prepare(&body, turns)
}

/// `count` copies of a base and one of another specimen in their middle.
fn beside<I: Probe>(
    bench: &mut Bench<I>,
    base: &Specimen<I>,
    count: usize,
    other: &Specimen<I>,
) -> Result<Timed, ProbeError> {
    // A multiple of ten copies, so that every register of a pool is written equally often.
    let units = (2..).find(|units| units * count >= COPIES && (units * count).is_multiple_of(10)).unwrap_or(10);
    let mut body = Vec::new();
    for copy in 0..units * count {
        body.extend((base.copy)(copy, Pool::Many));
        if copy % count == count / 2 {
            body.extend((other.copy)(copy / count, Pool::Few));
        }
    }
    bench.prepare(&body, units)
}

/// How many copies of a base stand beside one of another: enough that nothing but the base's resource can be the limit.
fn beside_how_many(alone: &[f64], base: usize, other: usize) -> usize {
    (2.0 * alone[other].max(0.5) / alone[base]).ceil().clamp(2.0, 24.0) as usize
}
