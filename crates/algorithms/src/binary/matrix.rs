//! The multiplier by the multiplication matrix, rolled and unrolled.
//!
//! * **computes** `c_k = Σ_i a_{i+k} Σ_{j in row i} b_{j+k}`, indices modulo m.
//! * **needs** a Gaussian normal basis. The output may be an operand.
//! * **gives** the product's coordinates.
//! * **cost** a coordinate: m ANDs, C − 1 XORs, C the number of ones of the matrix. Unrolled, sums of two coordinates
//!   that occur twice are made once.
//! * **source** Mullin, Onyszchuk, Vanstone, Wilson, "Optimal normal bases in GF(p^n)" (1989); Brumley and Page,
//!   "Bit-sliced binary normal basis multiplication" (2011), equation (2).

use evariste_descriptions::Field;
use evariste_ir::{Index, Kernel};

use super::clocks::{at, kernel, lists, sum};
use super::coordinates::{binary, circuit_product, normal_bits};
use crate::layout::Layout;
use crate::operation::Operation;
use crate::recipe::Whole;
use crate::signature::NotApplicable;

/// Loops over coordinates and rows.
pub const ROLLED: Whole = Whole { name: "matrix", applies, write: rolled };
/// Straight-line code.
pub const UNROLLED: Whole = Whole {
    name: "matrix-unrolled",
    applies: |f, l, op| applies(f, l, op) && f.bits() <= super::circuit::UNROLLED_DEGREE,
    write: unrolled,
};

fn applies(field: &Field, layout: &Layout, op: &Operation) -> bool {
    *op == Operation::MUL && normal_bits(field, layout)
}

fn rolled(field: &Field, layout: &Layout, op: &Operation) -> Result<Kernel, NotApplicable> {
    let rows: Vec<(u32, Vec<u32>)> = (0..).zip(binary(field)?.matrix()).collect();
    kernel(field, layout, &format!("{}_matrix", op.name()), |b, r| {
        let groups = lists(b, "row", &rows);
        b.repeat(r.m, &[], |b, k, _| {
            for group in &groups {
                b.repeat(group.count, &[], |b, i, _| {
                    let x = b.load(r.a, at(k, group.number, i).modulo());
                    if let Some(s) = sum(b, r.b, &group.columns, k, i) {
                        let z = b.and(x, s);
                        r.accumulate(b, Index::counter(k), z);
                    }
                    vec![]
                });
            }
            vec![]
        });
    })
}

fn unrolled(field: &Field, layout: &Layout, op: &Operation) -> Result<Kernel, NotApplicable> {
    circuit_product(field, layout, &format!("{}_matrix_unrolled", op.name()), |f, c, x, y| {
        let (rows, m) = (f.matrix(), f.degree as usize);
        (0..m)
            .map(|k| {
                let products: Vec<_> = rows
                    .iter()
                    .enumerate()
                    .map(|(i, row)| {
                        let s = c.sum(row.iter().map(|j| y[(*j as usize + k) % m]));
                        c.and(x[(i + k) % m], s)
                    })
                    .collect();
                c.sum(products)
            })
            .collect()
    })
}
