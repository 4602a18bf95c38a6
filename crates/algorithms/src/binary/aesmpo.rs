//! The AND-efficient sequential multiplier with parallel output in a normal basis (AESMPO), rolled and unrolled.
//!
//! * **computes** `a·b` as `Σ_i (a_i b_i B_0 + Σ_{1≤j≤v} (a_i + a_{i+j})(b_i + b_{i+j}) δ_j)^(2^i)`, `δ_j = B_0·B_j`, indices modulo m.
//! * **needs** an optimal normal basis of type 2: δ_j has two coordinates for every j. v = (m − 1)/2; for even m, which the paper leaves out, the
//!   pairs at distance m/2 follow once each. The output may be an operand.
//! * **gives** the product's coordinates.
//! * **cost** a clock: v + 1 ANDs and 4v + 1 XORs, accumulators included (m odd); m clocks: `m(m+1)/2` ANDs, `m(2m − 1)` XORs, less m XORs unrolled.
//!   Rolled: code and tables do not grow with m² (three tables of v entries).
//! * **source** Reyhani-Masoleh and Hasan, "Low complexity word-level sequential normal basis multipliers" (2005), as in Brumley and Page,
//!   "Bit-sliced binary normal basis multiplication" (2011), section II.

use evariste_ir::range::Interval;
use evariste_ir::{Array, Builder, Index, Kernel, Value};
use evariste_spec::{BinaryField, Field};
use num_bigint::BigInt;

use super::coordinates::{binary, element_in, element_out, one_bit_words, product_contract};
use crate::frame::NotApplicable;
use crate::layout::Layout;
use crate::operation::Operation;
use crate::registry::Whole;

/// Loops over clocks and distances; public tables hold where each δ goes.
pub const ROLLED: Whole = Whole { name: "aesmpo", applies, write: rolled };
/// Straight-line code.
pub const UNROLLED: Whole = Whole { name: "aesmpo-unrolled", applies, write: unrolled };

/// Greatest degree for which the straight-line form is offered: m² gates each way.
const UNROLLED_DEGREE: u32 = 131;

fn applies(field: &Field, layout: &Layout, op: &Operation) -> bool {
    *op == Operation::Mul && one_bit_words(field, layout)
}

/// For each distance j ≥ 1: the two coordinates of δ_j.
fn pairs(f: &BinaryField) -> Result<Vec<[u32; 2]>, NotApplicable> {
    let rows = f.delta();
    let pair = |row: &Vec<u32>| <[u32; 2]>::try_from(row.as_slice()).map_err(|_| NotApplicable("the basis is not optimal of type 2".into()));
    rows.iter().skip(1).map(pair).collect()
}

fn unrolled(field: &Field, layout: &Layout, op: &Operation) -> Result<Kernel, NotApplicable> {
    let f = binary(field)?;
    let m = f.degree as usize;
    if f.degree > UNROLLED_DEGREE {
        return Err(NotApplicable(format!("straight-line code is offered up to degree {UNROLLED_DEGREE}")));
    }
    let pairs = pairs(f)?;
    let mut b = Builder::new(format!("{}_aesmpo_unrolled", op.name()), 1);
    let (out, output) = element_out(&mut b, layout);
    let (x, y) = (element_in(&mut b, "a", layout), element_in(&mut b, "b", layout));
    let (p, q) = (b.load_all(x.array), b.load_all(y.array));
    let mut c: Vec<Option<Value>> = vec![None; m];
    let accumulate = |b: &mut Builder, c: &mut Vec<Option<Value>>, at: usize, v: Value| {
        let at = at % m;
        c[at] = Some(c[at].map_or(v, |old| b.xor(old, v)));
    };
    for i in 0..m {
        let diagonal = b.and(p[i], q[i]);
        accumulate(&mut b, &mut c, i, diagonal);
        for j in 1..=m / 2 {
            // At distance m/2 (m even) i and i + m/2 are the same pair.
            if 2 * j == m && i >= j {
                continue;
            }
            let k = (i + j) % m;
            let (s, t) = (b.xor(p[i], p[k]), b.xor(q[i], q[k]));
            let z = b.and(s, t);
            for w in pairs[j - 1] {
                accumulate(&mut b, &mut c, i + w as usize, z);
            }
        }
    }
    let zero = b.word_constant(0);
    let digits: Vec<Value> = c.into_iter().map(|v| v.unwrap_or(zero)).collect();
    b.store_all(out, &digits);
    Ok(b.finish(product_contract(f, output, vec![x.operand, y.operand])))
}

/// The arrays of the rolled form.
struct Registers {
    a: Array,
    b: Array,
    c: Array,
    m: u32,
}

impl Registers {
    /// `c[i + at] ^= v`, the index modulo m.
    fn accumulate(&self, b: &mut Builder, at: Index, v: Value) {
        let old = b.load(self.c, at.clone().modulo());
        let new = b.xor(old, v);
        b.store(self.c, at.modulo(), new);
    }

    /// The term of the pair (i, i + distance): a product of sums, given a_i and b_i.
    fn term(&self, b: &mut Builder, ai: Value, bi: Value, partner: &Index) -> Value {
        let (ak, bk) = (b.load(self.a, partner.clone()), b.load(self.b, partner.clone()));
        let (s, t) = (b.xor(ai, ak), b.xor(bi, bk));
        b.and(s, t)
    }
}

fn rolled(field: &Field, layout: &Layout, op: &Operation) -> Result<Kernel, NotApplicable> {
    let f = binary(field)?;
    let m = f.degree;
    let pairs = pairs(f)?;
    let v = (m - 1) / 2;
    let mut b = Builder::new(format!("{}_aesmpo", op.name()), 1);
    let (out, output) = element_out(&mut b, layout);
    let (x, y) = (element_in(&mut b, "a", layout), element_in(&mut b, "b", layout));
    let bit = Interval::bits(1);
    let r = Registers { a: x.array, b: y.array, c: b.local("c", m, bit), m };
    let column = |side: usize| pairs[..v as usize].iter().map(|p| BigInt::from(p[side])).collect::<Vec<_>>();
    let tables = if v > 0 { Some([0, 1].map(|side| index_table(&mut b, ["delta_first", "delta_second"][side], column(side)))) } else { None };
    b.repeat(m, &[], |b, i, _| {
        let zero = b.word_constant(0);
        b.store(r.c, i, zero);
        vec![]
    });
    // Clock i adds K_i^(2^i) to c: the registers stand still and the index rotates.
    b.repeat(m, &[], |b, i, _| {
        let (ai, bi) = (b.load(r.a, i), b.load(r.b, i));
        let diagonal = b.and(ai, bi);
        r.accumulate(b, Index::counter(i), diagonal);
        if let Some(tables) = tables {
            b.repeat(v, &[], |b, j, _| {
                let partner = Index::counter(i).plus(j, 1).offset(1).modulo();
                let z = r.term(b, ai, bi, &partner);
                for table in tables {
                    r.accumulate(b, Index::counter(i).with_table(table, Index::counter(j)), z);
                }
                vec![]
            });
        }
        vec![]
    });
    if m.is_multiple_of(2) {
        b.repeat(m / 2, &[], |b, i, _| {
            let (ai, bi) = (b.load(r.a, i), b.load(r.b, i));
            let z = r.term(b, ai, bi, &Index::counter(i).offset(i64::from(r.m / 2)));
            for w in pairs[m as usize / 2 - 1] {
                r.accumulate(b, Index::counter(i).offset(i64::from(w)), z);
            }
            vec![]
        });
    }
    b.repeat(m, &[], |b, i, _| {
        let v = b.load(r.c, i);
        b.store(out, i, v);
        vec![]
    });
    Ok(b.finish(product_contract(f, output, vec![x.operand, y.operand])))
}

/// A public table of indices (its entries need more than the one bit of the kernel's words).
fn index_table(b: &mut Builder, name: &str, entries: Vec<BigInt>) -> Array {
    let top = entries.iter().max().cloned().unwrap_or_default();
    b.array(name, evariste_ir::Type::Word(16), entries.len() as u32, evariste_ir::ArrayKind::Table(entries), vec![Interval::up_to(top)])
}
