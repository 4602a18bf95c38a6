//! How many instructions are in flight at once: two loads that miss all caches overlap as long as both are.

use evariste_jit::{Executable, encode};

use crate::bench::{ProbeError, called};
use crate::subject::Probe;

/// Bytes of a cache line.
const LINE: usize = 64;
/// Lines to wander through: more than any cache holds.
const LINES: usize = 1 << 21;
/// Additions between loads that are tried: up to so many, in such steps.
const MOST: usize = 1024;
const STEP: usize = 16;
/// Pairs of loads of a run, and runs of which the best counts.
const TURNS: u64 = 100;
const ROUNDS: usize = 40;
/// Loads that do not overlap take longer than those that do by this much at least.
const APART: f64 = 1.4;

/// Instructions in flight at most, in steps of sixteen; `None` where that cannot be seen.
///
/// # Errors
/// No executable memory.
pub fn window<I: Probe>() -> Result<Option<u32>, ProbeError> {
    let mut lines = wandering();
    let base = lines.as_mut_ptr() as u64;
    // Two places far apart on one way through all lines.
    let mut heads = [base, lines[0]];
    for _ in 0..LINES / 2 {
        heads[1] = lines[(heads[1] - base) as usize / 8];
    }
    let mut times = vec![u64::MAX; MOST / STEP];
    let codes = (STEP..=MOST).step_by(STEP).map(|additions| {
        let code = encode(&I::apart(additions))?;
        // SAFETY: it is called below alone, as what the trait says that it is.
        Ok(unsafe { Executable::new(&code) }?)
    });
    let codes: Vec<Executable> = codes.collect::<Result<_, ProbeError>>()?;
    // Round by round, so that what disturbs one round is not in all runs of a distance.
    for _ in 0..ROUNDS {
        for (code, least) in codes.iter().zip(&mut times) {
            // SAFETY: the heads and all lines point to lines, which live until the end; the count is not zero.
            *least = (*least).min(unsafe { called(code, heads.as_mut_ptr(), TURNS) });
        }
    }
    let times: Vec<f64> = times.into_iter().map(|ticks| ticks as f64 / TURNS as f64).collect();
    Ok(edge(&times).map(|i| ((i + 1) * STEP) as u32))
}

/// A way through all lines, in no order: the first word of each says where the next one is.
fn wandering() -> Vec<u64> {
    let words = LINE / 8;
    let mut lines = vec![0u64; LINES * words];
    let base = lines.as_mut_ptr() as u64;
    // Sattolo's shuffle gives one circle.
    let mut next: Vec<u32> = (0..LINES as u32).collect();
    let mut seed = 0x9e37_79b9_7f4a_7c15u64;
    for i in (1..LINES).rev() {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        next.swap(i, (seed % i as u64) as usize);
    }
    for (i, n) in next.into_iter().enumerate() {
        lines[i * words] = base + (n as usize * LINE) as u64;
    }
    lines
}

/// The last distance at which loads overlap: behind it all take long, up to it most do not.
fn edge(times: &[f64]) -> Option<usize> {
    let median = |part: &[f64]| {
        let mut sorted = part.to_vec();
        sorted.sort_by(f64::total_cmp);
        sorted.get(part.len() / 2).copied().unwrap_or(f64::NAN)
    };
    let cost = |split: usize| {
        let (near, far) = times.split_at(split);
        let off = |part: &[f64]| {
            let middle = median(part);
            part.iter().map(|t| (t - middle).abs()).sum::<f64>()
        };
        off(near) + off(far)
    };
    let split = (2..times.len().saturating_sub(1)).min_by(|a, b| cost(*a).total_cmp(&cost(*b)))?;
    let (near, far) = times.split_at(split);
    (median(far) >= APART * median(near)).then_some(split - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_edge_is_where_times_rise() {
        let times = |edge: usize, n: usize| (0..n).map(move |i| if i <= edge { 100.0 } else { 190.0 } + (i % 3) as f64);
        for at in [2, 13, 19, 40] {
            assert_eq!(edge(&times(at, 64).collect::<Vec<f64>>()), Some(at));
        }
        // One noisy run moves nothing; where nothing rises there is none.
        let mut noisy: Vec<f64> = times(19, 64).collect();
        (noisy[5], noisy[30]) = (400.0, 100.0);
        assert_eq!(edge(&noisy), Some(19));
        assert_eq!(edge(&times(100, 64).collect::<Vec<f64>>()), None);
        assert_eq!(edge(&[]), None);
    }

    #[test]
    fn the_way_leads_through_all_lines() {
        let lines = wandering();
        let base = lines.as_ptr() as u64;
        let (mut at, mut steps) = (0, 0);
        loop {
            at = (lines[at] - base) as usize / 8;
            steps += 1;
            if at == 0 {
                break;
            }
        }
        assert_eq!(steps, LINES);
    }
}
