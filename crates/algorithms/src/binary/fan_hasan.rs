//! The multiplier of Fan and Hasan: products of Toeplitz matrices and vectors, of subquadratic size.
//!
//! * **computes** type 2, coordinates permuted by `B_i = c_{π(i)}`, `π(i) = min(2^i mod p, −2^i mod p)`, a_0 = 0:
//!   `c_k = Σ_j a_{|k−j|} b_j + Σ_j a_{fold(k+j)} b_j`, two products of Toeplitz matrices and one vector (the second
//!   with its rows reversed). Type 1: `c_k = Σ_j a_{(k−j) mod p} b_j + s`, `s = Σ_j a_{−j mod p} b_j`, one such
//!   product.
//! * **needs** an optimal normal basis. The output may be an operand.
//! * **gives** the product's coordinates.
//! * **cost** 21,892 gates for m = 131; of the order of m^1.58.
//! * **source** Fan and Hasan, "Subquadratic computational complexity schemes for extended binary field multiplication
//!   using optimal normal bases" (2007).

use evariste_descriptions::{BinaryField, Field};
use evariste_ir::Kernel;

use super::circuit::{Circuit, Wire};
use super::coordinates::{circuit_product, normal_bits};
use super::toeplitz::{Splits, Toeplitz};
use crate::layout::Layout;
use crate::operation::Operation;
use crate::recipe::Whole;
use crate::signature::NotApplicable;

/// The best split at each size.
pub const BEST: Whole =
    Whole { name: "fan-hasan", applies, write: |f, l, op| write(f, l, op, "fan_hasan", Splits::All) };
/// Halves only.
pub const TWO_WAY: Whole =
    Whole { name: "fan-hasan-2way", applies, write: |f, l, op| write(f, l, op, "fan_hasan_2way", Splits::TwoWay) };

fn applies(field: &Field, layout: &Layout, op: &Operation) -> bool {
    let fits = |f: &Field| {
        f.get::<BinaryField>()
            .is_some_and(|f| f.basis_type().is_some_and(|t| t <= 2) && f.degree <= super::circuit::CIRCUIT_DEGREE)
    };
    *op == Operation::MUL && normal_bits(field, layout) && fits(field)
}

fn write(field: &Field, layout: &Layout, op: &Operation, name: &str, splits: Splits) -> Result<Kernel, NotApplicable> {
    circuit_product(field, layout, &format!("{}_{name}", op.name()), |f, c, x, y| {
        let toeplitz = Toeplitz::new(layout.digits(), splits);
        if f.basis_type() == Some(1) { type_one(f, &toeplitz, c, x, y) } else { type_two(f, &toeplitz, c, x, y) }
    })
}

/// Where basis element i goes: `2^i mod p`, and of a residue and its negative the smaller one for type 2.
pub fn places(f: &BinaryField) -> Vec<usize> {
    let p = f.root_order().unwrap_or(1) as usize;
    let fold = |n: usize| if f.basis_type() == Some(2) { n.min(p - n) } else { n };
    let powers = std::iter::successors(Some(1usize), |x| Some(2 * x % p));
    powers.take(f.degree as usize).map(fold).collect()
}

/// Coordinates at their places; place 0 is zero.
pub fn permuted(places: &[usize], x: &[Wire]) -> Vec<Wire> {
    let mut out = vec![None; x.len() + 1];
    places.iter().zip(x).for_each(|(at, w)| out[*at] = *w);
    out
}

fn type_two(f: &BinaryField, toeplitz: &Toeplitz, c: &mut Circuit, x: &[Wire], y: &[Wire]) -> Vec<Wire> {
    let (m, places) = (x.len(), places(f));
    let (a, b) = (permuted(&places, x), permuted(&places, y));
    let p = 2 * m + 1;
    // Entry d of the first matrix: k − j = d − (m − 1); of the second, rows reversed: k + j = 2m − d.
    let first: Vec<Wire> = (0..2 * m - 1).map(|d| a[d.abs_diff(m - 1)]).collect();
    let second: Vec<Wire> = (0..2 * m - 1).map(|d| a[(d + 2).min(p - (d + 2))]).collect();
    // With rows in reverse order, row r is k = m − r, column s is j = s + 1: k + j = m + 1 − (r − s).
    let second: Vec<Wire> = second.into_iter().rev().collect();
    let (u, mut v) = (toeplitz.multiply(c, &first, &b[1..]), toeplitz.multiply(c, &second, &b[1..]));
    v.reverse();
    let sums = c.add(&u, &v);
    places.iter().map(|at| sums[at - 1]).collect()
}

fn type_one(f: &BinaryField, toeplitz: &Toeplitz, c: &mut Circuit, x: &[Wire], y: &[Wire]) -> Vec<Wire> {
    let (m, places) = (x.len(), places(f));
    let (a, b) = (permuted(&places, x), permuted(&places, y));
    let p = m + 1;
    let matrix: Vec<Wire> = (0..2 * m - 1).map(|d| a[(d + p - (m - 1)) % p]).collect();
    let u = toeplitz.multiply(c, &matrix, &b[1..]);
    let products: Vec<Wire> = (1..=m).map(|j| c.and(a[p - j], b[j])).collect();
    let s = c.sum(products);
    places.iter().map(|at| c.xor(u[at - 1], s)).collect()
}
