//! Inversion by a fixed power.
//!
//! * **computes** `1/a = (a^(2^(m−1) − 1))²`: with `e_n = a^(2^n − 1)`, `e_(i+j) = e_i^(2^j) · e_j` along an addition
//!   chain for m − 1; 0 for 0.
//! * **needs** any basis, and a product of the layout whose output may be an operand. The output may be the operand.
//! * **gives** the inverse's coordinates.
//! * **cost** as many products as the chain has steps, never more than `⌊log2(m−1)⌋ + weight(m−1) − 1`. Squarings: in
//!   normal bases rotations, written as copies; of polynomials m − 1, where a run of them costs more operations than
//!   the map of all of them, that map.
//! * **source** Itoh and Tsujii, "A fast algorithm for computing multiplicative inverses in GF(2^m) using normal bases"
//!   (1988); other chains than the binary one: Takagi, Yoshiki, Takagi (2001).

use std::collections::HashMap;
use std::sync::Arc;

use evariste_descriptions::{BinaryField, Field};
use evariste_ir::count::count;
use evariste_ir::range::Interval;
use evariste_ir::{Array, ArrayKind, Builder, Claim, Contract, Index, Kernel, Multiplication};
use num_bigint::BigUint;

use super::coordinates::{binary, element_in, element_out, product_map};
use super::frobenius;
use crate::layout::Layout;
use crate::operation::Operation;
use crate::prime::addition_chain::{self, Chain};
use crate::prime::power::Callee;
use crate::recipe::{Composite, Need, Pick};
use crate::signature::NotApplicable;

/// Made of straight-line products.
pub const STRAIGHT: Composite = Composite {
    name: "itoh-tsujii",
    applies,
    needs: &[STRAIGHT_PRODUCT, SQUARE],
    write: |f, l, op, parts| write(f, l, op, "itoh_tsujii", parts),
};
/// Made of products that are loops: short code.
pub const ROLLED: Composite = Composite {
    name: "itoh-tsujii-rolled",
    applies,
    needs: &[ROLLED_PRODUCT, SQUARE],
    write: |f, l, op, parts| write(f, l, op, "itoh_tsujii_rolled", parts),
};

/// The product that straight-line code is made of: bit-sliced the fastest of a list, in words the one of fewest
/// operations.
pub const STRAIGHT_PRODUCT: Need = Need::new(
    Operation::MUL,
    Pick::Preferred(&[
        &["optimal-polynomial-blocks"],
        &["via-polynomial-blocks"],
        &["kwon-unrolled"],
        &["fan-hasan"],
        &["matrix-unrolled"],
        &["polynomial-blocks"],
        &["rijndael"],
        &["clmul-schoolbook", "clmul-karatsuba"],
        &["ning-yin"],
    ]),
);
const ROLLED_PRODUCT: Need = Need::new(
    Operation::MUL,
    Pick::Preferred(&[
        &["optimal-polynomial-rolled"],
        &["polynomial-rolled"],
        &["kwon"],
        &["matrix"],
        &["comb-rolled"],
    ]),
);
const SQUARE: Need = Need::new(Operation::SQUARE, Pick::Fewest);

fn applies(field: &Field, _: &Layout, op: &Operation) -> bool {
    *op == Operation::INVERSE && field.get::<BinaryField>().is_some()
}

fn write(
    field: &Field,
    layout: &Layout,
    op: &Operation,
    name: &str,
    parts: &[Arc<Kernel>],
) -> Result<Kernel, NotApplicable> {
    let [mul, square] = parts else { return Err(NotApplicable("made of a product and a square".into())) };
    kernel(&format!("{}_{name}", op.name()), binary(field)?, layout, mul.clone(), square.clone())
}

/// How `a^(2^k)` is computed.
enum Raise {
    /// Copies, k coordinates further.
    Turn,
    /// As many calls.
    Calls(Callee, u32),
}

/// The ways of `a^(2^k)` that were needed so far.
struct Squarings<'a> {
    f: &'a BinaryField,
    layout: &'a Layout,
    square: Arc<Kernel>,
    known: HashMap<u32, Raise>,
}

impl Squarings<'_> {
    /// `to = from^(2^k)`, another array.
    fn raise(&mut self, b: &mut Builder, to: Array, from: Array, k: u32) {
        let (f, layout, square) = (self.f, self.layout, &self.square);
        match self.known.entry(k).or_insert_with(|| way(b, f, layout, square, k)) {
            Raise::Turn => {
                b.repeat(f.degree, &[], |b, i, _| {
                    let v = b.load(from, Index::counter(i).offset(-i64::from(k)).modulo());
                    b.store(to, i, v);
                    vec![]
                });
            }
            Raise::Calls(callee, times) => {
                callee.call(b, to, &[from]);
                match *times - 1 {
                    0 => {}
                    1 => callee.call(b, to, &[to]),
                    more => {
                        b.repeat(more, &[], |b, _, _| {
                            callee.call(b, to, &[to]);
                            vec![]
                        });
                    }
                }
            }
        }
    }
}

/// The way of fewest operations.
fn way(b: &mut Builder, f: &BinaryField, layout: &Layout, square: &Arc<Kernel>, k: u32) -> Raise {
    if f.basis_type().is_some() && layout.word == 1 {
        return Raise::Turn;
    }
    if k > 1 {
        let name = format!("squarings_{k}");
        let map = frobenius::kernel(&name, f, layout, k);
        if count(&map).steps() < count(square).steps() * u64::from(k) {
            return Raise::Calls(Callee::new(b, Arc::new(map), &name), 1);
        }
    }
    Raise::Calls(Callee::new(b, square.clone(), "square"), k)
}

/// An array for each value of a chain, by number, over as few as the order allows: operands that die leave theirs
/// first. Array 0 holds the first value for ever.
fn places(chain: &Chain) -> (Vec<usize>, usize) {
    let last_use = |v: usize| chain.steps.iter().rposition(|(i, j)| *i == v || *j == v);
    let (mut place, mut free, mut count) = (vec![0], Vec::new(), 1);
    for (at, (i, j)) in chain.steps.iter().enumerate() {
        for v in if i == j { vec![*i] } else { vec![*i, *j] } {
            if v != 0 && last_use(v) == Some(at) {
                free.push(place[v]);
            }
        }
        place.push(free.pop().unwrap_or_else(|| {
            count += 1;
            count - 1
        }));
    }
    (place, count)
}

/// The kernel `out = 1/a` by calls of the given product and square of the layout.
///
/// # Errors
/// For products that forbid an output at the place of an operand.
pub fn kernel(
    name: &str,
    f: &BinaryField,
    layout: &Layout,
    mul: Arc<Kernel>,
    square: Arc<Kernel>,
) -> Result<Kernel, NotApplicable> {
    if !mul.disjoint.is_empty() || !square.disjoint.is_empty() {
        return Err(NotApplicable("the products must allow an output at the place of an operand".into()));
    }
    let mut b = Builder::new(name, layout.word);
    let (out, output) = element_out(&mut b, layout);
    let x = element_in(&mut b, "a", layout);
    let chain = addition_chain::find(&BigUint::from(f.degree - 1));
    let lengths: Vec<u32> = chain.values().iter().map(|n| n.iter_u32_digits().next().unwrap_or_default()).collect();
    let (place, count) = places(&chain);
    let ranges: Vec<Interval> = layout.resting.digit_max.iter().map(|d| Interval::up_to(d.clone())).collect();
    let (ty, n) = (b.word_type(), layout.digits() as u32);
    let mut local = |name: String| b.array(name, ty, n, ArrayKind::Local, ranges.clone());
    let raised = local("raised".into());
    let arrays: Vec<Array> = std::iter::once(x.array).chain((1..count).map(|i| local(format!("e{i}")))).collect();
    let mul = Callee::new(&mut b, mul, "mul");
    let mut squarings = Squarings { f, layout, square, known: HashMap::new() };
    for (at, (i, j)) in chain.steps.iter().enumerate() {
        let (long, short) = if lengths[*i] >= lengths[*j] { (*i, *j) } else { (*j, *i) };
        squarings.raise(&mut b, raised, arrays[place[long]], lengths[short]);
        mul.call(&mut b, arrays[place[at + 1]], &[raised, arrays[place[short]]]);
    }
    let last = arrays[place[chain.steps.len()]];
    if last == x.array {
        // GF(4): the inverse is the square, and nothing may be written before all is read.
        squarings.raise(&mut b, raised, last, 1);
        let digits = b.load_all(raised);
        b.store_all(out, &digits);
    } else {
        squarings.raise(&mut b, out, last, 1);
    }
    let exponent = (BigUint::from(1u32) << f.degree) - 2u32;
    let claim = Claim::Power { output, base: 0, exponent, product: Multiplication::Bits(product_map(f)) };
    Ok(b.finish(Contract { facts: Vec::new(), inputs: vec![x.operand], claims: vec![claim] }))
}
