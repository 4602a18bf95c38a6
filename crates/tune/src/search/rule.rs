//! When one function counts as faster than another: paired samples, judged by order statistics, in steps that get
//! longer as the candidate survives.
//!
//! Without the confirmation, and on a machine that is not quiet, thousands of lucky samples would be believed, and a
//! search would run backwards.

/// Pairs until a candidate may first be refused, until the second time, and until it is believed for a moment.
const STEPS: [usize; 3] = [4, 12, 48];
/// Fresh pairs that confirm it.
pub const CONFIRMATION: usize = 160;

/// What became of a candidate.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Verdict {
    /// Not faster, or not surely.
    Refused,
    /// It takes the place of the best; its time by the statistic of [`low_mean`].
    Taken(f64),
}

/// Samples of both in turn.
#[derive(Clone, Default, Debug)]
pub struct Pairs {
    /// Of the best so far.
    pub best: Vec<f64>,
    /// Of the candidate.
    pub candidate: Vec<f64>,
}

impl Pairs {
    /// Takes samples until there are `count` pairs; `sample(true)` is of the candidate, and the order of the two
    /// alternates.
    ///
    /// # Errors
    /// What `sample` fails with.
    pub fn fill<E>(&mut self, count: usize, sample: &mut impl FnMut(bool) -> Result<f64, E>) -> Result<(), E> {
        while self.best.len() < count {
            let first = self.best.len() % 2 == 1;
            for candidate in [first, !first] {
                let ticks = sample(candidate)?;
                if candidate { self.candidate.push(ticks) } else { self.best.push(ticks) }
            }
        }
        Ok(())
    }

    /// How much longer the candidate takes, as a fraction, by this statistic.
    fn excess(&self, statistic: impl Fn(&[f64]) -> f64) -> f64 {
        statistic(&self.candidate) / statistic(&self.best) - 1.0
    }
}

fn sorted(samples: &[f64]) -> Vec<f64> {
    let mut all = samples.to_vec();
    all.sort_by(f64::total_cmp);
    all
}

/// The `k`-th smallest, from 0; infinite where there are fewer.
fn smallest(samples: &[f64], k: usize) -> f64 {
    sorted(samples).get(k).copied().unwrap_or(f64::INFINITY)
}

/// The mean of the lower third but the very lowest: of 48 samples, of the 2nd to the 17th.
pub fn low_mean(samples: &[f64]) -> f64 {
    let all = sorted(samples);
    let (from, to) = (all.len() / 48, (all.len() * 17).div_ceil(48));
    all[from..to].iter().sum::<f64>() / (to - from) as f64
}

fn median(samples: &[f64]) -> f64 {
    smallest(samples, samples.len() / 2)
}

/// The first three steps: is the candidate, as far as 48 pairs tell, faster than the best by 0.15 %, or (where that is
/// enough, `aside`) equal to it?
///
/// # Errors
/// What `sample` fails with.
pub fn promising<E>(aside: bool, sample: &mut impl FnMut(bool) -> Result<f64, E>) -> Result<bool, E> {
    let mut pairs = Pairs::default();
    pairs.fill(STEPS[0], sample)?;
    if pairs.excess(|s| smallest(s, 0)) > 0.002 {
        return Ok(false);
    }
    pairs.fill(STEPS[1], sample)?;
    if pairs.excess(|s| smallest(s, 3)) > 0.0005 {
        return Ok(false);
    }
    pairs.fill(STEPS[2], sample)?;
    let mean = pairs.excess(low_mean);
    Ok(mean < -0.0015 && pairs.excess(median) < -0.0005 || aside && mean < 0.0003)
}

/// The confirmation by fresh pairs. `level` is what the best took when it became the best: a pair of which it does not
/// come within 1.5 % of that decides nothing.
///
/// # Errors
/// What `sample` fails with.
pub fn confirmed<E>(aside: bool, level: f64, sample: &mut impl FnMut(bool) -> Result<f64, E>) -> Result<Verdict, E> {
    let mut pairs = Pairs::default();
    pairs.fill(CONFIRMATION, sample)?;
    let quiet = low_mean(&pairs.best) <= 1.015 * level;
    let taken = pairs.excess(low_mean) < if aside { 0.0002 } else { -0.0008 };
    Ok(if quiet && taken { Verdict::Taken(low_mean(&pairs.candidate)) } else { Verdict::Refused })
}

#[cfg(test)]
mod tests {
    use super::*;
    use evariste_codegen::schedule::Random;

    /// Samples of two functions on a machine with interruptions: mostly a little noise, now and then a lot.
    fn machine(best: f64, candidate: f64, seed: u64) -> impl FnMut(bool) -> Result<f64, ()> {
        let mut random = Random::new(seed);
        move |of_candidate| {
            let noise = random.below(1000) as f64 / 1000.0;
            let burst = if random.below(10) == 0 { 1.5 } else { 1.0 };
            Ok((if of_candidate { candidate } else { best }) * burst * (1.0 + 0.02 * noise * noise))
        }
    }

    fn taken(best: f64, candidate: f64, aside: bool) -> usize {
        let run = |seed| {
            let mut sample = machine(best, candidate, seed);
            let sure = promising(aside, &mut sample)?
                && matches!(confirmed(aside, best * 1.001, &mut sample)?, Verdict::Taken(_));
            Ok::<bool, ()>(sure)
        };
        (0..1000).filter(|seed| run(*seed) == Ok(true)).count()
    }

    #[test]
    fn what_is_faster_is_taken_and_the_rest_is_not() {
        assert!(taken(1000.0, 990.0, false) > 800);
        assert!(taken(1000.0, 1000.0, false) < 10);
        assert_eq!(taken(1000.0, 1003.0, false), 0);
        assert_eq!(taken(1000.0, 1003.0, true), 0);
        // Equal functions pass as a side step, and only then.
        assert!(taken(1000.0, 1000.0, true) > 100);
    }

    #[test]
    fn nothing_is_decided_when_the_best_is_not_itself() {
        let mut sample = machine(1000.0, 900.0, 1);
        assert_eq!(confirmed(false, 950.0, &mut sample), Ok(Verdict::Refused));
        assert!(matches!(confirmed(false, 1000.0, &mut sample), Ok(Verdict::Taken(t)) if (890.0..920.0).contains(&t)));
    }

    #[test]
    fn the_order_of_a_pair_alternates() {
        let mut order = Vec::new();
        let mut pairs = Pairs::default();
        let mut sample = |candidate| -> Result<f64, ()> {
            order.push(candidate);
            Ok(1.0)
        };
        pairs.fill(2, &mut sample).expect("no error");
        assert_eq!(order, [false, true, true, false]);
        assert_eq!((pairs.best.len(), pairs.candidate.len()), (2, 2));
    }

    #[test]
    fn statistics() {
        let samples: Vec<f64> = (0..48).rev().map(f64::from).collect();
        assert_eq!((smallest(&samples, 0), smallest(&samples, 3), median(&samples)), (0.0, 3.0, 24.0));
        // The 2nd to the 17th: 1 to 16.
        assert_eq!(low_mean(&samples), 8.5);
    }
}
