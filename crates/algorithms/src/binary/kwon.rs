//! The multiplier of Kwon, Gaj, Kim and Hong: sums that serve two coordinates, rolled and unrolled.
//!
//! * **computes** for each clock t: `c_t += a_t b_{t+1}`; for 1 ≤ h ≤ v, with `S = Σ_{j in row 2h} b_{j+t−h}`:
//!   `c_{t−h} += a_{t+h} S` and `c_{t+h} += a_{t−h} S`; indices modulo m.
//! * **needs** a Gaussian normal basis of even type and odd degree m = 2v + 1. The output may be an operand.
//! * **gives** the product's coordinates.
//! * **cost** a clock: m ANDs and (m + C)/2 XORs, C the number of ones of the matrix. Unrolled, m XORs less, and for
//!   types above 2 sums of pairs that occur twice are made once.
//! * **source** Kwon, Gaj, Kim, Hong, "Efficient linear array for multiplication in GF(2^m) using a normal basis for
//!   elliptic curve cryptography" (2004): derived anew from the symmetry `M[−i][j] = M[i][j + i]` of the multiplication
//!   matrix; the paper's registers may lie otherwise.

use evariste_descriptions::{BinaryField, Field};
use evariste_ir::{Index, Kernel};

use super::clocks::{at, kernel, lists, sum};
use super::coordinates::{binary, circuit_product, normal_bits};
use crate::layout::Layout;
use crate::operation::Operation;
use crate::recipe::Whole;
use crate::signature::NotApplicable;

/// Loops over clocks and pairs.
pub const ROLLED: Whole = Whole { name: "kwon", applies, write: rolled };
/// Straight-line code.
pub const UNROLLED: Whole = Whole {
    name: "kwon-unrolled",
    applies: |f, l, op| applies(f, l, op) && f.bits() <= super::circuit::UNROLLED_DEGREE,
    write: unrolled,
};

fn applies(field: &Field, layout: &Layout, op: &Operation) -> bool {
    let fits = |f: &Field| {
        f.get::<BinaryField>().is_some_and(|f| f.degree % 2 == 1 && f.basis_type().is_some_and(|t| t % 2 == 0))
    };
    *op == Operation::MUL && normal_bits(field, layout) && fits(field)
}

fn rolled(field: &Field, layout: &Layout, op: &Operation) -> Result<Kernel, NotApplicable> {
    let f = binary(field)?;
    let (m, rows) = (f.degree, f.matrix());
    // Row 2h shifted down by h.
    let pairs: Vec<(u32, Vec<u32>)> =
        (1..=(m - 1) / 2).map(|h| (h, rows[(2 * h % m) as usize].iter().map(|j| (j + m - h) % m).collect())).collect();
    kernel(field, layout, &format!("{}_kwon", op.name()), |b, r| {
        let groups = lists(b, "row", &pairs);
        // m − h for each h.
        let negative: Vec<_> = groups
            .iter()
            .enumerate()
            .map(|(n, group)| {
                let entries: Vec<u32> =
                    pairs.iter().filter(|(_, l)| l.len() == group.columns.len()).map(|(h, _)| m - h).collect();
                super::clocks::index_table(b, &format!("negative_{n}"), &entries)
            })
            .collect();
        b.repeat(m, &[], |b, t, _| {
            let (x, y) = (b.load(r.a, t), b.load(r.b, Index::counter(t).offset(1).modulo()));
            let z = b.and(x, y);
            r.accumulate(b, Index::counter(t), z);
            for (group, negative) in groups.iter().zip(&negative) {
                b.repeat(group.count, &[], |b, h, _| {
                    let Some(s) = sum(b, r.b, &group.columns, t, h) else { return vec![] };
                    for (from, to) in [(group.number, *negative), (*negative, group.number)] {
                        let x = b.load(r.a, at(t, from, h).modulo());
                        let z = b.and(x, s);
                        r.accumulate(b, at(t, to, h), z);
                    }
                    vec![]
                });
            }
            vec![]
        });
    })
}

fn unrolled(field: &Field, layout: &Layout, op: &Operation) -> Result<Kernel, NotApplicable> {
    circuit_product(field, layout, &format!("{}_kwon_unrolled", op.name()), |f, c, x, y| {
        let (rows, m) = (f.matrix(), f.degree as usize);
        let mut out = vec![None; m];
        for t in 0..m {
            let z = c.and(x[t], y[(t + 1) % m]);
            out[t] = c.xor(out[t], z);
            for h in 1..=(m - 1) / 2 {
                let s = c.sum(rows[2 * h % m].iter().map(|j| y[(*j as usize + t + m - h) % m]));
                let (up, down) = ((t + h) % m, (t + m - h) % m);
                for (from, to) in [(up, down), (down, up)] {
                    let z = c.and(x[from], s);
                    out[to] = c.xor(out[to], z);
                }
            }
        }
        out
    })
}
