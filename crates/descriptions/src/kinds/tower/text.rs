//! Polynomials and elements of towers as they are written: `v^3-(1+u)`.

use num_bigint::BigUint;
use num_traits::{One, Zero};

use super::polynomials::Polynomial;
use super::ring::Ring;

/// Bits of numbers that are written in decimal.
const DECIMAL_BITS: u64 = 64;

/// A term of an element: is it negative, its size, and the powers of variables.
type Term = (bool, BigUint, String);

/// The terms of an element of a floor, lowest powers first.
fn terms(ring: &Ring, floor: usize, a: &[BigUint]) -> Vec<Term> {
    let Some(own) = floor.checked_sub(1).map(|below| &ring.floors[below]) else {
        let negative = &a[0] * 2u32 > ring.p;
        let size = if negative { &ring.p - &a[0] } else { a[0].clone() };
        return if size.is_zero() { Vec::new() } else { vec![(negative, size, String::new())] };
    };
    let of = |(i, coefficient): (usize, &[BigUint])| {
        let power = power(&own.variable, i);
        let joined = move |(negative, size, rest): Term| (negative, size, joined(&rest, &power));
        terms(ring, floor - 1, coefficient).into_iter().map(joined).collect::<Vec<_>>()
    };
    a.chunks(ring.size(floor - 1)).enumerate().flat_map(of).collect()
}

fn power(variable: &str, exponent: usize) -> String {
    match exponent {
        0 => String::new(),
        1 => variable.to_owned(),
        _ => format!("{variable}^{exponent}"),
    }
}

fn joined(a: &str, b: &str) -> String {
    if a.is_empty() || b.is_empty() { format!("{a}{b}") } else { format!("{a}*{b}") }
}

/// A term without its sign.
fn sized(size: &BigUint, powers: &str) -> String {
    match (size.is_one(), powers.is_empty()) {
        (true, false) => powers.to_owned(),
        _ if size.bits() <= DECIMAL_BITS => joined(&size.to_string(), powers),
        _ => joined(&format!("{size:#x}"), powers),
    }
}

/// An element, as a sum of terms; the signs change where `opposite`.
fn sum(terms: &[Term], opposite: bool) -> String {
    let mut text = String::new();
    for (negative, size, powers) in terms {
        let sign = if *negative != opposite { "-" } else { "+" };
        text += if text.is_empty() && sign == "+" { "" } else { sign };
        text += &sized(size, powers);
    }
    text
}

/// An element of a floor as text: `1+u`.
pub(crate) fn element(ring: &Ring, floor: usize, a: &[BigUint]) -> String {
    let terms = terms(ring, floor, a);
    if terms.is_empty() { "0".to_owned() } else { sum(&terms, false) }
}

/// A polynomial over a floor, highest power first: `v^3-(1+u)`.
pub(crate) fn polynomial(ring: &Ring, floor: usize, variable: &str, polynomial: &Polynomial) -> String {
    let mut text = String::new();
    for (i, coefficient) in polynomial.iter().enumerate().rev() {
        let powers = power(variable, i);
        let terms = terms(ring, floor, coefficient);
        let Some((negative, size, rest)) = terms.first() else { continue };
        text += match (*negative, text.is_empty()) {
            (true, _) => "-",
            (false, true) => "",
            (false, false) => "+",
        };
        text += &if terms.len() == 1 {
            sized(size, &joined(rest, &powers))
        } else {
            joined(&format!("({})", sum(&terms, *negative)), &powers)
        };
    }
    if text.is_empty() { "0".to_owned() } else { text }
}
