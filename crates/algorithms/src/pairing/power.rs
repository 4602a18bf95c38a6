//! Signed digits of public exponents, for groups in which inverses are free.
//!
//! * **computes** the digits of an exponent for windows; the runs of doublings of a loop between its digits.
//! * **needs** a positive number.
//! * **gives** odd digits from the highest, with the places between them: of the window that costs fewest products.
//! * **cost** at run time a square for each place and a product for each digit but the first.
//! * **source** Reitwiesner (1960) for −1, 0 and 1; Solinas (2000) for windows.

use evariste_ir::Builder;
use num_bigint::{BigInt, BigUint};
use num_traits::{One, ToPrimitive, Zero};

/// An odd digit, and how many places are between it and the next, or the end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Digit {
    /// An odd number.
    pub odd: i32,
    /// Places below it, to the next digit or the end.
    pub below: u32,
}

/// The digits of a positive exponent from the highest, of the window for which powers cost fewest products.
pub(crate) fn signed_windows(exponent: &BigUint) -> Vec<Digit> {
    let products = |digits: &Vec<Digit>| products(digits) + u64::from(largest(digits) > 1);
    (1..=5).map(|w| digits(exponent, w)).min_by_key(products).unwrap_or_default()
}

fn largest(digits: &[Digit]) -> u32 {
    digits.iter().map(|digit| digit.odd.unsigned_abs()).max().unwrap_or(1)
}

/// A product a digit but the first, and one for each odd power but the first.
fn products(digits: &[Digit]) -> u64 {
    (digits.len() + largest(digits) as usize / 2).saturating_sub(1) as u64
}

/// How many squares and products a power by these digits takes.
pub(super) fn operations(digits: &[Digit]) -> [u64; 2] {
    let places: u32 = digits.iter().map(|digit| digit.below).sum();
    [u64::from(places) + u64::from(largest(digits) > 1), products(digits)]
}

/// Digits of less than `2^(w−1)`, at least w places apart; bits for w = 1.
pub fn digits(exponent: &BigUint, w: u32) -> Vec<Digit> {
    let mut rest = BigInt::from(exponent.clone());
    let window = BigInt::one() << w;
    let (mut all, mut place, mut last) = (Vec::new(), 0, 0);
    while !rest.is_zero() {
        let zeros = rest.trailing_zeros().unwrap_or(0) as u32;
        rest >>= zeros;
        place += zeros;
        let mut digit = &rest % &window;
        if &digit * 2u32 > window {
            digit -= &window;
        }
        rest -= &digit;
        all.push(Digit { odd: digit.to_i32().unwrap_or_default(), below: place - last });
        last = place;
    }
    all.reverse();
    all
}

/// The steps of a loop over a positive number, from its second highest digit: so many doublings, then the sum with that
/// multiple of the point, −1, 0 or 1.
pub fn runs(number: &BigUint) -> Vec<(u32, i32)> {
    let cost = |digits: &Vec<Digit>| digits.len() as u32 + digits.iter().map(|digit| digit.below).sum::<u32>();
    runs_of(&(1..=2).map(|w| digits(number, w)).min_by_key(cost).unwrap_or_default())
}

/// The steps of a loop over these digits.
pub fn runs_of(digits: &[Digit]) -> Vec<(u32, i32)> {
    let next = digits.iter().skip(1).map(|digit| digit.odd).chain([0]);
    digits.iter().map(|digit| digit.below).zip(next).filter(|(doublings, _)| *doublings > 0).collect()
}

/// Steps that are repeated so many times, as a loop where there are several.
pub(crate) fn repeated(b: &mut Builder, count: u32, steps: impl Fn(&mut Builder)) {
    match count {
        0 => {}
        1 => steps(b),
        _ => {
            b.repeat(count, &[], |b, _, _| {
                steps(b);
                Vec::new()
            });
        }
    }
}
