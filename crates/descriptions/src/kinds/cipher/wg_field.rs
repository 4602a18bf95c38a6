//! The field of the stream cipher WG, and its transformation, by their definitions.
//!
//! An element is a word of 32 bits: the coefficient of `theta_0` in bit 31, that of `theta_28` in bit 3. `theta_i` is
//! `z^(2^i) + z^-(2^i)` for a 59th root of unity z.

use std::sync::OnceLock;

/// The degree.
pub const DEGREE: u32 = 29;
/// The order of z.
const ORDER: u32 = 59;
/// The element 1.
pub const ONE: u32 = 0xffff_fff8;

/// `2^i` modulo 59, folded into 1 … 29: the exponent of `theta_i`.
fn exponent(i: u32) -> u32 {
    let power = (0..i).fold(1, |power, _| 2 * power % ORDER);
    power.min(ORDER - power)
}

/// The word of `z^k + z^-k`.
fn conjugates(k: u32) -> u32 {
    let folded = (k % ORDER).min(ORDER - k % ORDER);
    // z^0 + z^0 = 0.
    (0..DEGREE).find(|i| exponent(*i) == folded).map_or(0, |i| 1 << (31 - i))
}

/// The products of `theta_i` and `theta_j`, computed once.
fn products() -> &'static [u32] {
    static ALL: OnceLock<Vec<u32>> = OnceLock::new();
    ALL.get_or_init(|| {
        let product = |i: u32, j: u32| {
            let (x, y) = (exponent(i), exponent(j));
            conjugates(x + y) ^ conjugates(x + ORDER - y)
        };
        (0..DEGREE * DEGREE).map(|at| product(at / DEGREE, at % DEGREE)).collect()
    })
}

fn coefficients(a: u32) -> impl Iterator<Item = u32> {
    (0..DEGREE).filter(move |i| a >> (31 - i) & 1 == 1)
}

/// `a·b`, term by term.
pub fn multiply(a: u32, b: u32) -> u32 {
    let all = products();
    let row = |i: u32| coefficients(b).fold(0, |sum, j| sum ^ all[(i * DEGREE + j) as usize]);
    coefficients(a).fold(0, |sum, i| sum ^ row(i))
}

/// `a^(2^k)`: the 29 bits, rotated right by k.
pub fn frobenius(a: u32, k: u32) -> u32 {
    let bits = a >> 3;
    let k = k % DEGREE;
    let rotated = bits >> k | bits << (DEGREE - k);
    rotated << 3
}

/// `a^-1`, 0 for 0: the power of exponent `2^29 − 2`.
pub fn inverse(a: u32) -> u32 {
    (1..DEGREE).fold(ONE, |product, k| multiply(product, frobenius(a, k)))
}

/// The sum of all conjugates: the parity of the bits.
pub fn trace(a: u32) -> bool {
    a.count_ones() % 2 == 1
}

/// `y + y^e1 + y^e2 + y^e3 + y^e4` with exponents as the sums and differences of powers of two that they are.
fn sum_of_powers(x: u32, exponents: [&[(bool, u32)]; 4]) -> u32 {
    let y = x ^ ONE;
    let inverse = inverse(y);
    let power = |terms: &[(bool, u32)]| {
        let factor = |(negative, k): &(bool, u32)| frobenius(if *negative { inverse } else { y }, *k);
        terms.iter().map(factor).fold(ONE, multiply)
    };
    exponents.iter().fold(y, |sum, terms| sum ^ power(terms)) ^ ONE
}

/// Q as the designers' source feeds it back: exponents `2^10+1`, `2^19+2^9+1`, `2^19−2^9+1`, `2^19+2^10−1`.
pub fn feedback(x: u32) -> u32 {
    let exponents: [&[(bool, u32)]; 4] = [
        &[(false, 10), (false, 0)],
        &[(false, 19), (false, 9), (false, 0)],
        &[(false, 19), (true, 9), (false, 0)],
        &[(false, 19), (false, 10), (true, 0)],
    ];
    sum_of_powers(x, exponents)
}

/// The WG permutation: conjugate exponents `2^10+1`, `2^20+2^10+1`, `2^20+2^10−1`, `2^20−2^10+1`.
pub fn permutation(x: u32) -> u32 {
    let exponents: [&[(bool, u32)]; 4] = [
        &[(false, 10), (false, 0)],
        &[(false, 20), (false, 10), (false, 0)],
        &[(false, 20), (false, 10), (true, 0)],
        &[(false, 20), (true, 10), (false, 0)],
    ];
    sum_of_powers(x, exponents)
}

/// The WG transformation: the trace of Q.
pub fn transformation(x: u32) -> bool {
    trace(feedback(x))
}
