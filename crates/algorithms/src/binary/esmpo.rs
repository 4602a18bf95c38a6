//! The sequential multipliers with parallel output of Reyhani-Masoleh and Hasan: XESMPO (efficient in XORs) and AESMPO
//! (in ANDs), rolled and unrolled.
//!
//! * **computes** `a·b` as `Σ_i K_i^(2^i)`, with `δ_j = B_0·B_j` and indices modulo m: XESMPO
//!   `K_i = a_{i−1} b_{i−1} B_0 + Σ_{1≤j≤v} (a_i b_{i+j} + a_{i+j} b_i) δ_j`, AESMPO
//!   `K_i = a_i b_i B_0 + Σ_{1≤j≤v} (a_i + a_{i+j})(b_i + b_{i+j}) δ_j`.
//! * **needs** a Gaussian normal basis. v = ⌊(m − 1)/2⌋; for even m, which the paper leaves out, the pairs at distance
//!   m/2 follow once each. The output may be an operand.
//! * **gives** the product's coordinates.
//! * **cost** a clock, m odd, accumulators included, C the number of ones of the multiplication matrix: XESMPO m ANDs
//!   and (m + C)/2 XORs, AESMPO (m + 1)/2 ANDs and (2m + C − 1)/2 XORs. Unrolled: m XORs less in all. Rolled: code and
//!   tables do not grow with m².
//! * **source** Reyhani-Masoleh and Hasan, "Low complexity word-level sequential normal basis multipliers" (2005), as
//!   in Brumley and Page, "Bit-sliced binary normal basis multiplication" (2011), section II.

use evariste_descriptions::Field;
use evariste_ir::{Builder, Counter, Index, Kernel, Value};

use super::clocks::{Lists, Registers, at, kernel, lists};
use super::coordinates::{binary, circuit_product, normal_bits};
use crate::layout::Layout;
use crate::operation::Operation;
use crate::recipe::Whole;
use crate::signature::NotApplicable;

/// Loops over clocks and distances, few XORs.
pub const XESMPO: Whole = Whole { name: "xesmpo", applies, write: |f, l, op| rolled(f, l, op, Terms::Products) };
/// Straight-line code, few XORs.
pub const XESMPO_UNROLLED: Whole =
    Whole { name: "xesmpo-unrolled", applies: is_short, write: |f, l, op| unrolled(f, l, op, Terms::Products) };
/// Loops over clocks and distances, few ANDs.
pub const AESMPO: Whole = Whole { name: "aesmpo", applies, write: |f, l, op| rolled(f, l, op, Terms::Sums) };
/// Straight-line code, few ANDs.
pub const AESMPO_UNROLLED: Whole =
    Whole { name: "aesmpo-unrolled", applies: is_short, write: |f, l, op| unrolled(f, l, op, Terms::Sums) };

/// The factor of δ_j.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Terms {
    /// A sum of two products.
    Products,
    /// A product of two sums.
    Sums,
}

impl Terms {
    fn name(self) -> &'static str {
        if self == Terms::Products { "xesmpo" } else { "aesmpo" }
    }
}

fn applies(field: &Field, layout: &Layout, op: &Operation) -> bool {
    *op == Operation::MUL && normal_bits(field, layout)
}

fn is_short(field: &Field, layout: &Layout, op: &Operation) -> bool {
    applies(field, layout, op) && field.bits() <= super::circuit::UNROLLED_DEGREE
}

fn unrolled(field: &Field, layout: &Layout, op: &Operation, terms: Terms) -> Result<Kernel, NotApplicable> {
    circuit_product(field, layout, &format!("{}_{}_unrolled", op.name(), terms.name()), |f, c, x, y| {
        let (delta, m) = (f.delta(), f.degree as usize);
        let mut out = vec![None; m];
        for i in 0..m {
            let from = if terms == Terms::Products { (i + m - 1) % m } else { i };
            let diagonal = c.and(x[from], y[from]);
            out[i] = c.xor(out[i], diagonal);
            for j in 1..=m / 2 {
                // At distance m/2 (m even) i and i + m/2 are the same pair.
                if 2 * j == m && i >= j {
                    continue;
                }
                let k = (i + j) % m;
                let z = if terms == Terms::Products {
                    let (z, w) = (c.and(x[i], y[k]), c.and(x[k], y[i]));
                    c.xor(z, w)
                } else {
                    let (s, t) = (c.xor(x[i], x[k]), c.xor(y[i], y[k]));
                    c.and(s, t)
                };
                for w in &delta[j] {
                    let at = (i + *w as usize) % m;
                    out[at] = c.xor(out[at], z);
                }
            }
        }
        out
    })
}

/// The term of the pair (i, partner), given a_i and b_i.
fn term(b: &mut Builder, r: &Registers, terms: Terms, ai: Value, bi: Value, partner: &Index) -> Value {
    let (ak, bk) = (b.load(r.a, partner.clone()), b.load(r.b, partner.clone()));
    if terms == Terms::Products {
        let (z, w) = (b.and(ai, bk), b.and(ak, bi));
        b.xor(z, w)
    } else {
        let (s, t) = (b.xor(ai, ak), b.xor(bi, bk));
        b.and(s, t)
    }
}

fn rolled(field: &Field, layout: &Layout, op: &Operation, terms: Terms) -> Result<Kernel, NotApplicable> {
    let f = binary(field)?;
    let (m, delta) = (f.degree, f.delta());
    let pairs: Vec<(u32, Vec<u32>)> = (1..=(m - 1) / 2).map(|j| (j, delta[j as usize].clone())).collect();
    kernel(field, layout, &format!("{}_{}", op.name(), terms.name()), |b, r| {
        let groups = lists(b, "delta", &pairs);
        // Clock i adds K_i^(2^i): the registers stand still and the index rotates.
        b.repeat(m, &[], |b, i, _| {
            let (ai, bi) = (b.load(r.a, i), b.load(r.b, i));
            let diagonal = if terms == Terms::Products {
                // a_i b_i belongs to B_{i+1}.
                let z = b.and(ai, bi);
                (Index::counter(i).offset(1), z)
            } else {
                let z = b.and(ai, bi);
                (Index::counter(i), z)
            };
            r.accumulate(b, diagonal.0, diagonal.1);
            groups.iter().for_each(|group| distances(b, r, terms, group, i, (ai, bi)));
            vec![]
        });
        if m.is_multiple_of(2) {
            b.repeat(m / 2, &[], |b, i, _| {
                let (ai, bi) = (b.load(r.a, i), b.load(r.b, i));
                let z = term(b, r, terms, ai, bi, &Index::counter(i).offset(i64::from(m / 2)));
                for w in &delta[m as usize / 2] {
                    r.accumulate(b, Index::counter(i).offset(i64::from(*w)), z);
                }
                vec![]
            });
        }
    })
}

/// The pairs (i, i + j) for the distances j whose δ has one length.
fn distances(b: &mut Builder, r: &Registers, terms: Terms, group: &Lists, i: Counter, (ai, bi): (Value, Value)) {
    b.repeat(group.count, &[], |b, j, _| {
        let z = term(b, r, terms, ai, bi, &at(i, group.number, j).modulo());
        group.columns.iter().for_each(|table| r.accumulate(b, at(i, *table, j), z));
        vec![]
    });
}
