//! Addition chains for fixed exponents, found at compile time.
//!
//! * **computes** an increasing chain of sums from 1 to an exponent.
//! * **needs** an exponent of at least 1, of any size.
//! * **gives** the shortest chain among those of its heuristics; two or three additions above the best known ones for
//!   255-bit exponents of few runs.
//! * **cost** at run time the chain's length: one squaring a doubling, one product an addition; to find it,
//!   milliseconds (0.2 s for 4096 bits).
//! * **source** Bos and Coster, "Addition chain heuristics" (1989), for the small numbers; the cuts are those of
//!   McLoughlin's `addchain` (2021).
//!
//! The exponent is cut into pieces from a small dictionary (odd windows, runs of ones), a chain for the dictionary is
//! built, and the pieces are put together from the top: doublings, then one addition a piece. Several dictionaries are
//! tried, and the shortest chain is kept.

use std::collections::{BTreeSet, HashMap};

use num_bigint::BigUint;
use num_traits::{One, ToPrimitive};

/// An addition chain: value 0 is 1, value `i + 1` is the sum of the two earlier values that `steps[i]` names.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Chain {
    /// Indices of the two values that each step adds.
    pub steps: Vec<(usize, usize)>,
}

impl Chain {
    /// All values; the last is the exponent.
    pub fn values(&self) -> Vec<BigUint> {
        let mut values = vec![BigUint::one()];
        for (i, j) in &self.steps {
            let sum = &values[*i] + &values[*j];
            values.push(sum);
        }
        values
    }

    /// Steps that add a value to itself: squarings of a power.
    pub fn doublings(&self) -> usize {
        self.steps.iter().filter(|(i, j)| i == j).count()
    }

    /// The other steps: multiplications of a power.
    pub fn additions(&self) -> usize {
        self.steps.len() - self.doublings()
    }
}

/// A chain under construction that never computes a value twice.
struct Growing {
    chain: Chain,
    values: Vec<BigUint>,
    place: HashMap<BigUint, usize>,
}

impl Growing {
    fn new() -> Growing {
        Growing { chain: Chain::default(), values: vec![BigUint::one()], place: HashMap::from([(BigUint::one(), 0)]) }
    }

    fn add(&mut self, i: usize, j: usize) -> usize {
        let sum = &self.values[i] + &self.values[j];
        if let Some(k) = self.place.get(&sum) {
            return *k;
        }
        self.chain.steps.push((i, j));
        self.values.push(sum.clone());
        self.place.insert(sum, self.values.len() - 1);
        self.values.len() - 1
    }

    fn double(&mut self, i: usize, times: u64) -> usize {
        (0..times).fold(i, |i, _| self.add(i, i))
    }

    fn find(&self, value: &BigUint) -> Option<usize> {
        self.place.get(value).copied()
    }
}

/// How an exponent is cut.
#[derive(Clone, Copy)]
struct Cut {
    /// Windows of that many bits, 1 or more.
    window: u64,
    /// Runs of ones longer than a window are taken whole, up to that length; 0: never.
    run: u64,
}

/// A piece of the exponent: `value·2^shift`.
struct Piece {
    value: BigUint,
    shift: u64,
}

/// The shortest chain that the heuristics find for `exponent ≥ 1`.
pub fn find(exponent: &BigUint) -> Chain {
    let runs = run_lengths(exponent);
    let mut cuts: Vec<Cut> = (1..=9).map(|window| Cut { window, run: 0 }).collect();
    for run in runs.iter().rev().take(6) {
        cuts.extend((1..=5).map(|window| Cut { window, run: *run }));
    }
    cuts.iter()
        .filter_map(|cut| build(exponent, *cut))
        .min_by_key(|c| (c.steps.len(), c.additions()))
        .unwrap_or_default()
}

/// The lengths of the runs of ones, without repetition, increasing.
fn run_lengths(e: &BigUint) -> Vec<u64> {
    let mut lengths = BTreeSet::new();
    let mut length = 0;
    for i in 0..=e.bits() {
        if e.bit(i) {
            length += 1;
        } else if length > 0 {
            lengths.insert(length);
            length = 0;
        }
    }
    lengths.into_iter().collect()
}

/// `2^r − 1`.
fn ones(r: u64) -> BigUint {
    (BigUint::one() << r) - 1u32
}

/// Cuts the exponent, highest piece first.
fn pieces(e: &BigUint, cut: Cut) -> Vec<Piece> {
    let mut all = Vec::new();
    // Bits below `top` are still to be taken.
    let mut top = e.bits();
    while top > 0 {
        if !e.bit(top - 1) {
            top -= 1;
            continue;
        }
        let run = (0..top).rev().take_while(|i| e.bit(*i)).count() as u64;
        let mut length = if cut.run > 0 && run > cut.window { run.min(cut.run) } else { cut.window.min(top) };
        while !e.bit(top - length) {
            length -= 1;
        }
        top -= length;
        all.push(Piece { value: (e >> top) & ones(length), shift: top });
    }
    all
}

fn build(e: &BigUint, cut: Cut) -> Option<Chain> {
    let pieces = pieces(e, cut);
    let mut g = Growing::new();
    // Runs that are longer than a window first: they give ones(r) for many r.
    let long = |v: &BigUint| cut.run > 0 && v.bits() > cut.window;
    let runs: BTreeSet<u64> = pieces.iter().filter(|p| long(&p.value)).map(|p| p.value.bits()).collect();
    for (a, b) in sequence(&runs, 1) {
        // ones(a + b) = ones(a)·2^b + ones(b), b ≤ a.
        let (x, y) = (g.find(&ones(a))?, g.find(&ones(b))?);
        let shifted = g.double(x, b);
        g.add(shifted, y);
    }
    let windows: BTreeSet<u64> =
        pieces.iter().filter(|p| !long(&p.value)).map(|p| p.value.to_u64()).collect::<Option<_>>()?;
    for (a, b) in sequence(&windows, 0) {
        let (x, y) = (g.find(&a.into())?, g.find(&b.into())?);
        g.add(x, y);
    }
    let first = pieces.first()?;
    let (mut at, mut shift) = (g.find(&first.value)?, first.shift);
    for piece in &pieces[1..] {
        at = g.double(at, shift - piece.shift);
        let y = g.find(&piece.value)?;
        at = g.add(at, y);
        shift = piece.shift;
    }
    at = g.double(at, shift);
    // The last step must be the exponent: always so, except that a value found early may have been the exponent itself.
    (at + 1 == g.values.len() && &g.values[at] == e).then_some(g.chain)
}

/// What to do with the largest number still to be made, f, when it is not a sum of two numbers that are there; g is the
/// next one.
#[derive(Clone, Copy)]
enum Rule {
    /// f = g + (f − g).
    Difference,
    /// f = g·2^i + rest, the largest power.
    Division,
    /// f = g·⌊f/g⌋ + f mod g, and multiples of g as in a division.
    Remainder,
    /// f = f/2 + f/2, or 1 + (f − 1).
    Halving,
}

/// The best of the sequences that the rules give, by the number of sums plus `doublings` times the smaller summand of
/// each.
fn sequence(targets: &BTreeSet<u64>, doublings: u64) -> Vec<(u64, u64)> {
    let rules = [Rule::Difference, Rule::Division, Rule::Remainder, Rule::Halving];
    let thresholds = [1, 2, 3, 4, 6, 8, 12, 24, 48];
    let all = rules.iter().flat_map(|r| thresholds.iter().map(|t| sums(targets, *r, *t)));
    let cost = |s: &Vec<(u64, u64)>| s.iter().map(|(_, b)| 1 + doublings * b).sum::<u64>();
    all.min_by_key(cost).unwrap_or_default()
}

/// Sums `(a, b)`, b ≤ a, in an order in which 1 and earlier sums suffice, that reach every target: from the largest
/// number down, by two numbers that are there if possible, else by halving when the next number is at most `threshold`,
/// else by the rule (after Bos and Coster).
fn sums(targets: &BTreeSet<u64>, rule: Rule, threshold: u64) -> Vec<(u64, u64)> {
    let mut open: BTreeSet<u64> = targets.iter().copied().filter(|t| *t > 1).collect();
    let mut sums = Vec::new();
    while let Some(f) = open.pop_last() {
        let known = |x: u64| x == 1 || open.contains(&x);
        let g = open.last().copied().unwrap_or(1);
        let there = open.iter().rev().copied().chain([1]).find(|x| known(f - x));
        let halves = if f.is_multiple_of(2) { f / 2 } else { f - 1 };
        let a = match (there, rule) {
            (Some(x), _) => x,
            _ if g <= threshold => halves,
            (None, Rule::Halving) => halves,
            (None, Rule::Difference) => g,
            (None, Rule::Remainder) if f > 2 * g && !f.is_multiple_of(g) => f - f % g,
            (None, Rule::Division | Rule::Remainder) => {
                // The largest g·2^i ≤ f; for f itself its half.
                let i = (f / g).ilog2();
                open.extend((1..i).map(|i| g << i));
                if g << i == f { f / 2 } else { g << i }
            }
        };
        sums.push((a.max(f - a), a.min(f - a)));
        open.extend([a, f - a].into_iter().filter(|x| *x > 1));
    }
    sums.reverse();
    sums
}
