//! What a default run takes of what is too much for it. A full run (`EVARISTE_FULL=1`, `cargo xtask test --full`) takes
//! all.
//!
//! Samples change from day to day, so that a month of runs sees most of what there is; `EVARISTE_SEED` brings one back.
//! A test that draws a sample says so in its first lines, and keeps what it must always see out of the draw.

use std::collections::BTreeMap;

use crate::Random;

/// Whether everything is asked for: `EVARISTE_FULL=1`.
pub fn full() -> bool {
    std::env::var_os("EVARISTE_FULL").is_some_and(|value| value != "0")
}

/// The seed of this run's samples: `EVARISTE_SEED`, or the day. `cargo xtask test` prints it.
pub fn seed() -> u64 {
    match std::env::var("EVARISTE_SEED") {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("EVARISTE_SEED={text} is not a number")),
        Err(_) => seed_of_the_day(),
    }
}

/// The number of the day, from 1 January 1970.
pub fn seed_of_the_day() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |since| since.as_secs() / 86_400)
}

/// One in so many items of each stratum, at least one of each, drawn by the seed of this run; all in a full run. The
/// order stays. Draws of one run that differ in `what` (the field, the test) are independent.
///
/// With `usize::MAX` one of each stratum.
pub fn sample<T, K: Ord>(what: &str, items: Vec<T>, one_in: usize, stratum: impl Fn(&T) -> K) -> Vec<T> {
    if full() { items } else { draw(items, one_in, stratum, seed_of(what)) }
}

/// One item of each stratum, drawn as by [`sample`], in a full run too: where the others would say the same again.
pub fn one_of_each<T, K: Ord>(what: &str, items: Vec<T>, stratum: impl Fn(&T) -> K) -> Vec<T> {
    draw(items, usize::MAX, stratum, seed_of(what))
}

/// One item of each stratum, the same on every day: for what is compared with a record.
pub fn always_one_of_each<T, K: Ord>(what: &str, items: Vec<T>, stratum: impl Fn(&T) -> K) -> Vec<T> {
    draw(items, usize::MAX, stratum, hash(what, 0))
}

/// The number of an alternative out of so many: another one each day. Neighbours in `at` take turns.
pub fn turn(at: usize, of: usize) -> usize {
    (seed() as usize).wrapping_add(at) % of.max(1)
}

/// The stratum of an algorithm whose name is `PRODUCT+REDUCTION`: the reduction. Its proof knows only the product's
/// contract, so that one product, another one each day, says of it what all do. Other algorithms are strata of their
/// own.
pub fn reduction_of(algorithm: &str) -> &str {
    algorithm.split_once('+').map_or(algorithm, |(_, reduction)| reduction)
}

/// The seed of draws for something.
fn seed_of(what: &str) -> u64 {
    hash(what, seed())
}

/// FNV-1a.
fn hash(what: &str, seed: u64) -> u64 {
    what.bytes().fold(seed ^ 0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

fn draw<T, K: Ord>(items: Vec<T>, one_in: usize, stratum: impl Fn(&T) -> K, seed: u64) -> Vec<T> {
    let mut strata: BTreeMap<K, Vec<usize>> = BTreeMap::new();
    for (at, item) in items.iter().enumerate() {
        strata.entry(stratum(item)).or_default().push(at);
    }
    let mut random = Random(seed);
    let mut taken = vec![false; items.len()];
    for members in strata.into_values() {
        let stride = one_in.clamp(1, members.len());
        members.iter().skip(random.index(stride)).step_by(stride).for_each(|at| taken[*at] = true);
    }
    items.into_iter().zip(taken).filter_map(|(item, taken)| taken.then_some(item)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(one_in: usize, seed: u64) -> Vec<u32> {
        draw((0..100).collect(), one_in, |x| *x >= 97, seed)
    }

    #[test]
    fn every_stratum_is_seen() {
        for seed in 0..50 {
            let all = drawn(10, seed);
            let small = all.iter().filter(|x| **x < 97).count();
            assert!((9..=10).contains(&small) && all.len() == small + 1, "{all:?}");
            assert!(all.is_sorted());
            assert_eq!(drawn(usize::MAX, seed).len(), 2);
        }
        assert_eq!(drawn(1, 0), (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn the_days_see_everything() {
        let seen: std::collections::BTreeSet<u32> = (0..200).flat_map(|seed| drawn(10, seed)).collect();
        assert_eq!(seen.len(), 100);
        assert_eq!(drawn(10, 7), drawn(10, 7));
        let turns: std::collections::BTreeSet<usize> = (0..3).map(|at| turn(at, 3)).collect();
        assert_eq!(turns.len(), 3);
    }

    #[test]
    fn products_of_one_reduction_are_one_stratum() {
        assert_eq!(["comba+solinas", "karatsuba-2+solinas", "fips"].map(reduction_of), ["solinas", "solinas", "fips"]);
    }
}
