//! The greatest value of what is left after a walk: intervals, or the bound of a whole number where that is better.
//!
//! For coefficients `c_i` of the digits `a_i` of a number `Σ W_i a_i ≤ A` and any `λ ≥ 0`:
//! `Σ c_i a_i ≤ λ A + Σ max(0, c_i − λ W_i) max(a_i)`, since digits are not negative. With products of two numbers the
//! same with `W_i W_j` and `A B`.

use num_bigint::{BigInt, Sign};
use num_traits::{One, Zero};

use super::expr::Expr;
use super::hash::FastMap;
use super::mono::{Atom, Mono};
use super::system::{System, div_ceil};
use crate::broken_rules::{Rule, broken};

/// One group: terms with the same numbers and the same other factors.
type Group = (Vec<u32>, Mono);

/// A term of a group: coefficient, weight within the product of the numbers, greatest value of its digits.
struct Share {
    coefficient: BigInt,
    weight: BigInt,
    max: BigInt,
}

/// The greatest value of the expression (scaled as it is).
pub fn leaf_bound(e: &Expr) -> BigInt {
    if broken(Rule::Leaf) {
        return grouped(e, false) * 9 / 10;
    }
    let plain = grouped(e, false);
    // A digit that is 0 or 1 is its own square, and may belong to the square of its number.
    let has_flag = e
        .terms()
        .keys()
        .any(|m| m.atoms().iter().any(|a| e.system().atom(*a).digit.is_some() && e.system().is_flag(*a)));
    if has_flag { plain.min(grouped(e, true)) } else { plain }
}

fn grouped(e: &Expr, square_flags: bool) -> BigInt {
    let sys = e.system();
    let mut total = BigInt::zero();
    let mut groups: FastMap<Group, Vec<Share>> = FastMap::default();
    for (m, c) in e.terms() {
        match classify(sys, m, square_flags) {
            Some((group, weight, max)) => {
                groups.entry(group).or_default().push(Share { coefficient: c.clone(), weight, max })
            }
            None => total += c * sys.extreme(m, c.sign() == Sign::Plus),
        }
    }
    for ((numbers, cofactor), shares) in &groups {
        let whole: BigInt = numbers.iter().map(|n| &sys.numbers()[*n as usize].max).product();
        total += group_bound(shares, &whole) * sys.extreme(cofactor, true);
    }
    total
}

/// The greatest value of `Σ coefficient · digits` (0 or more).
fn group_bound(shares: &[Share], whole: &BigInt) -> BigInt {
    let positive: Vec<&Share> = shares.iter().filter(|s| s.coefficient.sign() == Sign::Plus).collect();
    let plain: BigInt = positive.iter().map(|s| &s.coefficient * &s.max).sum();
    // λ = the greatest ratio: every term is covered. Computed as max ⌈c A / W⌉.
    let covered = positive.iter().map(|s| div_ceil(&(&s.coefficient * whole), &s.weight)).max().unwrap_or_default();
    let mut best = plain.min(covered);
    // Where all ratios are one, λ is that one.
    let is_one = |s: &&Share| &s.coefficient * &positive[0].weight == &positive[0].coefficient * &s.weight;
    if positive.len() > 1 && positive.len() <= 40 && !positive.iter().all(is_one) {
        // λ = the ratio of one term: the others above it keep their surplus, by their own maxima.
        for pivot in &positive {
            let mut sum = div_ceil(&(&pivot.coefficient * whole), &pivot.weight);
            for s in &positive {
                let surplus = &s.coefficient * &pivot.weight - &pivot.coefficient * &s.weight;
                if surplus.sign() == Sign::Plus {
                    sum += div_ceil(&(surplus * &s.max), &pivot.weight);
                }
            }
            best = best.min(sum);
        }
    }
    best
}

/// Splits a monomial into digits of one or two numbers and the rest.
fn classify(sys: &System, m: &Mono, square_flags: bool) -> Option<(Group, BigInt, BigInt)> {
    let mut digits: Vec<Atom> = m.atoms().iter().copied().filter(|a| sys.atom(*a).digit.is_some()).take(2).collect();
    match digits.as_slice() {
        [] => return None,
        [f] if square_flags && sys.is_flag(*f) => digits.push(*f),
        _ => {}
    }
    let mut cofactor = *m;
    let mut numbers = Vec::new();
    let mut weight = BigInt::one();
    let mut max = BigInt::one();
    for a in &digits {
        let (number, index) = sys.atom(*a).digit?;
        cofactor = cofactor.without(*a);
        numbers.push(number);
        weight *= &sys.numbers()[number as usize].weights[index as usize];
        max *= &sys.atom(*a).max;
    }
    if numbers.len() == 2 && numbers[0] == numbers[1] && digits[0] != digits[1] {
        // The square of a number holds each product of different digits twice.
        weight *= 2;
    }
    numbers.sort_unstable();
    Some(((numbers, cofactor), weight, max))
}
