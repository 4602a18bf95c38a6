//! The Massey-Omura multiplier, rolled and unrolled.
//!
//! * **computes** `c_k = Σ_{1≤i≤p−2} a_{F(i+1)+k} b_{F(p−i)+k}`, indices modulo m; for odd types also
//!   `Σ_{j<m/2} (a_{j+k} b_{j+k+m/2} + a_{j+k+m/2} b_{j+k})`.
//! * **needs** a Gaussian normal basis. The output may be an operand.
//! * **gives** the product's coordinates.
//! * **cost** a coordinate, even types: Tm − 1 ANDs and Tm − 2 XORs. Unrolled, terms that occur twice cancel.
//! * **source** Massey and Omura, US patent 4587627 (1986), as in Brumley and Page, "Bit-sliced binary normal basis
//!   multiplication" (2011), equation (1).

use evariste_descriptions::{BinaryField, Field};
use evariste_ir::{Index, Kernel};

use super::clocks::{at, index_table, kernel};
use super::coordinates::{binary, circuit_product, normal_bits};
use crate::layout::Layout;
use crate::operation::Operation;
use crate::recipe::Whole;
use crate::signature::NotApplicable;

/// Loops over coordinates and terms.
pub const ROLLED: Whole = Whole { name: "massey-omura", applies, write: rolled };
/// Straight-line code.
pub const UNROLLED: Whole = Whole {
    name: "massey-omura-unrolled",
    applies: |f, l, op| applies(f, l, op) && f.bits() <= super::circuit::UNROLLED_DEGREE,
    write: unrolled,
};

fn applies(field: &Field, layout: &Layout, op: &Operation) -> bool {
    *op == Operation::MUL && normal_bits(field, layout)
}

/// The pairs (i, j) with a_i b_j a term of coordinate 0.
fn terms(f: &BinaryField) -> Vec<(u32, u32)> {
    let (index, m) = (f.index_sequence(), f.degree);
    let p = f.root_order().unwrap_or(1);
    let mut terms: Vec<(u32, u32)> = (1..p - 1).map(|i| (index[i as usize + 1], index[(p - i) as usize])).collect();
    if f.basis_type().is_some_and(|t| t % 2 == 1) {
        terms.extend((0..m / 2).flat_map(|j| [(j, j + m / 2), (j + m / 2, j)]));
    }
    terms
}

fn rolled(field: &Field, layout: &Layout, op: &Operation) -> Result<Kernel, NotApplicable> {
    let terms = terms(binary(field)?);
    kernel(field, layout, &format!("{}_massey_omura", op.name()), |b, r| {
        let (first, second): (Vec<u32>, Vec<u32>) = terms.iter().copied().unzip();
        let tables = [index_table(b, "first", &first), index_table(b, "second", &second)];
        b.repeat(r.m, &[], |b, k, _| {
            b.repeat(terms.len() as u32, &[], |b, i, _| {
                let (x, y) = (b.load(r.a, at(k, tables[0], i).modulo()), b.load(r.b, at(k, tables[1], i).modulo()));
                let z = b.and(x, y);
                r.accumulate(b, Index::counter(k), z);
                vec![]
            });
            vec![]
        });
    })
}

fn unrolled(field: &Field, layout: &Layout, op: &Operation) -> Result<Kernel, NotApplicable> {
    circuit_product(field, layout, &format!("{}_massey_omura_unrolled", op.name()), |f, c, x, y| {
        let (terms, m) = (terms(f), f.degree);
        let coordinate = |k: u32| {
            terms.iter().map(move |(i, j)| (((i + k) % m) as usize, ((j + k) % m) as usize)).collect::<Vec<_>>()
        };
        (0..m)
            .map(|k| {
                let products: Vec<_> = coordinate(k).into_iter().map(|(i, j)| c.and(x[i], y[j])).collect();
                c.sum(products)
            })
            .collect()
    })
}
