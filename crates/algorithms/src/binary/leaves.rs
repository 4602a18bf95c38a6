//! Products of polynomials over GF(2) by Karatsuba's method with all products of the last level in one loop: short
//! code, whatever the degree is.
//!
//! * **computes** the factors in 2^L blocks of q coefficients; of each pair of halves the sum, down to blocks: 3^L of
//!   them; their products, in a loop; and, in a loop over the q places of a block, `P0 + t^h (P0 + P1 + P01) + t^2h P1`
//!   from the last level up.
//! * **needs** one-bit words; factors of at most 2^L q coefficients.
//! * **gives** the product's coefficients. All that is multiplied lies in one array W of blocks of 2q, pairs from the
//!   last to the first: pair j is blocks 2j and 2j + 1, each with q coefficients of both factors; their sum goes to
//!   block 2j + 2, the products, from the sum's on, each one block further than its factors, and what they add up to
//!   into blocks 2j + 2 and 2j + 3. Whatever is overwritten is not wanted any more, so that W is as short as can be: it
//!   is the first data cache that bounds such code.
//! * **cost** 3^L products of q coefficients; 2(3^L − 2^L)q XORs before and about 4(3^L − 2^L)q after them; memory for
//!   4q(3^(L−1) + 1) coefficients.
//! * **source** Karatsuba, Ofman (1962), refined as by Bernstein, "Batch binary Edwards" (2009). That code which does
//!   not fit the caches of instructions is slow: Brumley and Page, "Bit-sliced binary normal basis multiplication"
//!   (2011).

use std::ops::Range;

use evariste_descriptions::Field;
use evariste_ir::range::Interval;
use evariste_ir::{Array, Builder, Index, Kernel, Value};

use super::circuit::{Circuit, Wire};
use super::coordinates::{binary, element_in, element_out, product_contract};
use super::polynomial_product::{Cost, Products};
use crate::layout::Layout;
use crate::signature::NotApplicable;

/// The most coefficients of a block: the code of a larger product does not fit the first cache beside anything else.
const BLOCK: usize = 48;

/// Levels of halves for factors of n coefficients.
pub fn levels(n: usize) -> u32 {
    n.div_ceil(BLOCK).next_power_of_two().ilog2()
}

/// The pairs of blocks of 2q coefficients whose products are made: those of the lower half, of the upper half, of their
/// sum.
fn sums(c: &mut Circuit, x: &[Wire], block: usize) -> Vec<Wire> {
    if x.len() == block {
        return x.to_vec();
    }
    let (low, high) = x.split_at(x.len() / 2);
    let both = c.add(low, high);
    [low, high, &both].into_iter().flat_map(|part| sums(c, part, block)).collect()
}

/// The halves of the product from those of the products of blocks, at one place of a block.
fn joined(c: &mut Circuit, products: &[Wire]) -> Vec<Wire> {
    if products.len() == 2 {
        return products.to_vec();
    }
    let parts: Vec<Vec<Wire>> = products.chunks(products.len() / 3).map(|part| joined(c, part)).collect();
    let [low, high, both] = [&parts[0], &parts[1], &parts[2]];
    let h = low.len() / 2;
    let middle = c.add(&low[h..], &high[..h]);
    let mut out = low[..h].to_vec();
    for (outer, inner) in [(&low[..h], &both[..h]), (&high[h..], &both[h..])] {
        let sum = c.add(&middle, outer);
        out.extend(c.add(&sum, inner));
    }
    out.extend(&high[h..]);
    out
}

/// A circuit from elements of arrays to elements of arrays; `demanded`: in the order in which results demand its gates.
fn circuit(
    b: &mut Builder,
    from: &[(Array, Index)],
    to: &[(Array, Index)],
    demanded: bool,
    build: impl FnOnce(&mut Circuit, &[Wire]) -> Vec<Wire>,
) {
    let mut c = Circuit::default();
    let inputs = c.inputs(from.len());
    let wires = build(&mut c, &inputs);
    let given: Vec<Value> = from.iter().map(|(array, index)| b.load(*array, index.clone())).collect();
    let values = if demanded { c.write_on_demand(b, &given, &wires) } else { c.write(b, &given, &wires) };
    for (i, (place, v)) in to.iter().zip(values).enumerate() {
        // What stays where it is need not be written.
        if from.iter().position(|p| p == place).is_none_or(|p| wires[i].is_none() || wires[i] != inputs[p]) {
            b.store(place.0, place.1.clone(), v);
        }
    }
}

/// Coefficients of the product that are replaced in place before all else: `count` runs of them, `stride` apart.
pub struct Runs<'f> {
    /// The first run.
    pub first: Range<usize>,
    /// From one run to the next.
    pub stride: usize,
    /// How many.
    pub count: usize,
    /// What each becomes.
    pub map: &'f dyn Fn(&mut Circuit, &[Wire]) -> Vec<Wire>,
}

/// What comes before and after a product of polynomials.
pub struct Ends<'f> {
    /// The coefficients of a factor.
    pub before: &'f dyn Fn(&mut Circuit, &[Wire]) -> Vec<Wire>,
    /// What is done in place.
    pub runs: Option<Runs<'f>>,
    /// The coordinates of the product.
    pub after: &'f dyn Fn(&mut Circuit, &[Wire]) -> Vec<Wire>,
}

/// The kernel of a product.
pub fn rolled_product(field: &Field, layout: &Layout, name: &str, ends: &Ends<'_>) -> Result<Kernel, NotApplicable> {
    let (f, m) = (binary(field)?, layout.digits());
    let levels = levels(m);
    let (q, pairs) = (m.div_ceil(1 << levels), 3usize.pow(levels.saturating_sub(1)));
    let products = Products::new(q, Cost::Instructions);
    let mut b = Builder::new(name, 1);
    let (out, output) = element_out(&mut b, layout);
    let (x, y) = (element_in(&mut b, "a", layout), element_in(&mut b, "b", layout));
    let work = b.local("w", (4 * q * (pairs + 1)) as u32, Interval::bits(1));
    let all = |array: Array, n: usize| (0..n).map(|i| (array, Index::at(i as i64))).collect::<Vec<_>>();
    for (side, factor) in [&x, &y].into_iter().enumerate() {
        let places: Vec<_> =
            (0..2 * q * pairs).map(|i| (work, Index::at((2 * q * (i / q) + side * q + i % q) as i64))).collect();
        circuit(&mut b, &all(factor.array, m), &places, true, |c, x| {
            let mut x = (ends.before)(c, x);
            x.resize(q << levels, None);
            sums(c, &x, 2 * q)
        });
    }
    b.repeat(pairs as u32, &[], |b, j, _| {
        // Place k of W, counted from the first block of the pair.
        let at = |k: usize| Index::at((k + 4 * q * (pairs - 1)) as i64).plus(j, -4 * q as i64);
        b.repeat(2 * q as u32, &[], |b, k, _| {
            let block = |i: usize| (work, at(2 * q * i).plus(k, 1));
            circuit(b, &[block(0), block(1)], &[block(2)], false, |c, x| vec![c.xor(x[0], x[1])]);
            Vec::new()
        });
        b.repeat(3, &[], |b, i, _| {
            let block =
                |n: usize| (0..2 * q).map(|k| (work, at(2 * q * n + k).plus(i, -2 * q as i64))).collect::<Vec<_>>();
            circuit(b, &block(2), &block(3), false, |c, x| {
                let mut product = products.multiply(c, &x[..q], &x[q..]);
                product.push(None);
                product
            });
            Vec::new()
        });
        b.repeat(q as u32, &[], |b, k, _| {
            let halves = |first: usize, count: usize| {
                (0..count).map(|half| (work, at(2 * q * first + half * q).plus(k, 1))).collect::<Vec<_>>()
            };
            circuit(b, &halves(1, 6), &halves(2, 4), false, joined);
            Vec::new()
        });
        Vec::new()
    });
    if pairs > 1 {
        b.repeat(2 * q as u32, &[], |b, k, _| {
            let halves = |count: usize| {
                (0..count).map(|half| (work, Index::at((2 * q * (half + 2)) as i64).plus(k, 1))).collect::<Vec<_>>()
            };
            circuit(b, &halves(2 * pairs), &halves(1 << levels), false, joined);
            Vec::new()
        });
    }
    let coefficient = |i: usize| Index::at((4 * q + i) as i64);
    if let Some(runs) = &ends.runs {
        b.repeat(runs.count as u32, &[], |b, n, _| {
            let run: Vec<_> = runs.first.clone().map(|i| (work, coefficient(i).plus(n, runs.stride as i64))).collect();
            circuit(b, &run, &run, false, runs.map);
            Vec::new()
        });
    }
    let coefficients: Vec<_> = (0..2 * m - 1).map(|i| (work, coefficient(i))).collect();
    circuit(&mut b, &coefficients, &all(out, m), true, ends.after);
    Ok(b.finish(product_contract(f, output, vec![x.operand, y.operand])))
}
