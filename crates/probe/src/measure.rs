//! What is measured: every specimen alone, beside every other, and as one more copy among many of every other.

use crate::bench::{Bench, ProbeError};
use crate::subject::{Pool, Probe, Specimen};

/// Copies of a loop, at least.
const COPIES: usize = 40;
/// Copies of the second of two in a mix where they are not equally many.
pub const MORE: usize = 3;

/// Cycles, by specimen.
#[derive(Clone, PartialEq, Debug)]
pub struct Measured {
    /// Of one copy among many.
    pub alone: Vec<f64>,
    /// Of one copy of each of two.
    pub pairs: Vec<Vec<f64>>,
    /// Of one copy of the first and [`MORE`] of the second.
    pub mixes: Vec<Vec<f64>>,
    /// What one copy of the second adds to many of the first.
    pub uses: Vec<Vec<f64>>,
}

/// Measures all specimens.
///
/// # Errors
/// No executable memory; [`ProbeError::Stopped`].
pub fn measure<I: Probe>(
    bench: &mut Bench<I>,
    all: &[Specimen<I>],
    progress: &mut dyn FnMut(f64) -> bool,
) -> Result<Measured, ProbeError> {
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
    Ok(Measured { alone, pairs, mixes, uses })
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
