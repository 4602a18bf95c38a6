//! Products of polynomials in five parts by thirteen products of parts.
//!
//! * **computes** `f·g`, both of 5q coefficients.
//! * **needs** a product of polynomials of q coefficients.
//! * **gives** a circuit.
//! * **cost** 13 products of q coefficients and 55q XORs: nine sums a coefficient and operand, 37 a coefficient to put
//!   the products' halves together. These were found on the transposed map, which has 21 sums, by the heuristic of
//!   Boyar and Peralta, "A new combinational logic minimization technique" (2010).
//! * **source** Montgomery, "Five, six, and seven-term Karatsuba-like formulae" (2005).

use std::collections::HashMap;

use super::circuit::{Circuit, Wire};
use super::polynomial_product::Products;

/// The parts whose sums are multiplied, as sets of bits.
pub const SETS: [u32; 13] = [
    0b00001, 0b00010, 0b01000, 0b10000, 0b00011, 0b10001, 0b11000, 0b01101, 0b10110, 0b11011, 0b11101, 0b10111, 0b11111,
];

/// Sums of two that make up the transposed output map: from blocks of the result (sets of bits) to the blocks that each
/// half of a product goes to.
pub const SUMS: [(u32, u32); 21] = [
    (2, 16),
    (4, 16),
    (4, 32),
    (8, 32),
    (18, 36),
    (16, 40),
    (8, 64),
    (16, 64),
    (36, 72),
    (32, 80),
    (16, 128),
    (32, 128),
    (72, 144),
    (54, 216),
    (32, 256),
    (144, 288),
    (108, 432),
    (512, 432),
    (8, 944),
    (1, 54),
    (64, 55),
];

/// For each of the nine coefficients in t^q: which products add up to it, as a set of bits.
///
/// A product of sums is a sum of the fifteen `f_i g_i` and `f_i g_j + f_j g_i`; elimination expresses each coefficient
/// by products.
pub fn combinations() -> [u32; 9] {
    let terms: Vec<(usize, usize)> = (0..5).flat_map(|i| (i..5).map(move |j| (i, j))).collect();
    let vector = |has: &dyn Fn(usize, usize) -> bool| {
        terms.iter().enumerate().filter(|(_, (i, j))| has(*i, *j)).fold(0u32, |v, (at, _)| v | 1 << at)
    };
    // Products in echelon form: (terms, products that add up to them).
    let mut rows: Vec<(u32, u32)> = Vec::new();
    let reduce = |rows: &[(u32, u32)], mut v: (u32, u32)| {
        for row in rows {
            if v.0 >> row.0.ilog2() & 1 == 1 {
                v = (v.0 ^ row.0, v.1 ^ row.1);
            }
        }
        v
    };
    for (k, set) in SETS.iter().enumerate() {
        let row = reduce(&rows, (vector(&|i, j| set >> i & 1 == 1 && set >> j & 1 == 1), 1 << k));
        if row.0 != 0 {
            rows.push(row);
            rows.sort_by_key(|r| std::cmp::Reverse(r.0));
        }
    }
    std::array::from_fn(|k| reduce(&rows, (vector(&|i, j| i + j == k), 0)).1)
}

/// The blocks of the result that a half of a product goes to.
pub fn blocks(product: usize, upper: bool) -> u32 {
    let coefficients = combinations()
        .iter()
        .enumerate()
        .filter(|(_, set)| *set >> product & 1 == 1)
        .fold(0, |blocks, (k, _)| blocks | 1 << k);
    if upper { coefficients << 1 } else { coefficients }
}

/// `f·g` of 5q coefficients each.
pub fn five_parts(products: &Products, c: &mut Circuit, f: &[Wire], g: &[Wire], q: usize) -> Vec<Wire> {
    let sums = |c: &mut Circuit, v: &[Wire]| {
        let part = |i: usize| v[i * q..(i + 1) * q].to_vec();
        let p: [Vec<Wire>; 5] = std::array::from_fn(part);
        let (s01, s04, s34) = (c.add(&p[0], &p[1]), c.add(&p[0], &p[4]), c.add(&p[3], &p[4]));
        let s0134 = c.add(&s01, &s34);
        let s01234 = c.add(&s0134, &p[2]);
        let (s0234, s0124) = (c.add(&s01234, &p[1]), c.add(&s01234, &p[3]));
        let (s023, s124) = (c.add(&s0234, &p[4]), c.add(&s0124, &p[0]));
        let [p0, p1, _, p3, p4] = p;
        [p0, p1, p3, p4, s01, s04, s34, s023, s124, s0134, s0234, s0124, s01234]
    };
    let (x, y) = (sums(c, f), sums(c, g));
    let parts: Vec<Vec<Wire>> = x.iter().zip(&y).map(|(x, y)| products.multiply(c, x, y)).collect();
    let places: Vec<[u32; 2]> = (0..13).map(|i| [blocks(i, false), blocks(i, true)]).collect();
    let mut out = vec![None; 10 * q];
    for i in 0..q {
        // What goes to the same blocks is added first; then every sum, the last one first, passes on to its two parts.
        let mut sums: HashMap<u32, Wire> = HashMap::new();
        let mut add = |c: &mut Circuit, at: u32, w: Wire| {
            let sum = sums.entry(at).or_default();
            *sum = c.xor(*sum, w);
            *sum
        };
        for (p, [lower, upper]) in parts.iter().zip(&places) {
            add(c, *lower, p[i]);
            add(c, *upper, p.get(q + i).copied().flatten());
        }
        for (x, y) in SUMS.iter().rev() {
            let sum = add(c, x ^ y, None);
            add(c, *x, sum);
            add(c, *y, sum);
        }
        for k in 0..10 {
            out[k * q + i] = add(c, 1 << k, None);
        }
    }
    out.truncate(2 * 5 * q - 1);
    out
}
