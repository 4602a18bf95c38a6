//! WG's field by polynomials modulo `t^29 + t^2 + 1`, where a product is a carry-less one of the processor.
//!
//! * **computes** the map from the normal basis to polynomials and its inverse; the trace of powers of t.
//! * **needs** words of 64 bits, a product and a square of the polynomials there.
//! * **gives** elements; `theta` is a root of its minimal polynomial among the polynomials.
//! * **cost** a map: four operations a coordinate, once each for a stage of the register before and after all steps.
//! * **source** any two fields of 2^29 elements are isomorphic; the root was found by trying all polynomials in turn.

use std::sync::Arc;

use evariste_descriptions::Field;
use evariste_ir::range::pow2;
use evariste_ir::{ArrayKind, BitMap, Builder, Claim, Contract, Kernel, Value};
use num_bigint::BigInt;

use super::elements::{load, parameter};
use super::given::DEGREE;
use crate::layout::Layout;
use crate::operation::Operation;
use crate::signature::NotApplicable;

/// The least polynomial that is a root of theta's minimal one.
const THETA: u64 = 0xdf_5cc5;

/// What the register computes with.
pub(super) struct Polynomials {
    /// A product.
    pub(super) product: Arc<Kernel>,
    /// A square.
    pub(super) square: Arc<Kernel>,
    /// From the normal basis.
    pub(super) enter: Arc<Kernel>,
    /// To it.
    pub(super) leave: Arc<Kernel>,
}

impl Polynomials {
    /// Of the first kernels of the field in such words.
    pub(super) fn new(layout: &Layout) -> Result<Polynomials, NotApplicable> {
        let missing = || NotApplicable("no products of polynomials of degree 28 in such words".into());
        let field = Field::parse("GF(2^29)").map_err(|_| missing())?;
        let of = crate::layouts(&field, layout.word).into_iter().find(|l| l.digits() == 1).ok_or_else(missing)?;
        let first = |operation| crate::plans(&field, &of, operation).first().ok_or_else(missing)?.write().map(Arc::new);
        let map = |name, images| Arc::new(map_in_words(name, layout, images));
        Ok(Polynomials {
            product: first(&Operation::MUL)?,
            square: first(&Operation::SQUARE)?,
            enter: map("to_polynomial", coordinates(&entering())),
            leave: map("to_normal", coordinates(&leaving())),
        })
    }
}

/// `x·y` of polynomials.
fn times(x: u64, y: u64) -> u64 {
    let product = (0..DEGREE).filter(|i| y >> i & 1 == 1).fold(0, |sum, i| sum ^ x << i);
    (DEGREE..2 * DEGREE)
        .rev()
        .fold(product, |rest, i| if rest >> i & 1 == 1 { rest ^ 0x2000_0005 << (i - DEGREE) } else { rest })
}

/// The polynomials of the normal basis.
fn entering() -> Vec<u64> {
    std::iter::successors(Some(THETA), |x| Some(times(*x, *x))).take(DEGREE as usize).collect()
}

/// The coordinates in the normal basis of the powers of t, the first one lowest.
fn leaving() -> Vec<u64> {
    // Columns of the map beside the basis; elimination turns the left part into powers of t.
    let mut rows: Vec<(u64, u64)> = entering().into_iter().zip((0..DEGREE).map(|i| 1 << i)).collect();
    for power in 0..rows.len() {
        let pivot = (power..rows.len()).find(|i| rows[*i].0 >> power & 1 == 1);
        pivot.into_iter().for_each(|i| rows.swap(power, i));
        let (left, right) = rows[power];
        for (i, row) in rows.iter_mut().enumerate() {
            if i != power && row.0 >> power & 1 == 1 {
                *row = (row.0 ^ left, row.1 ^ right);
            }
        }
    }
    rows.into_iter().map(|(_, right)| right).collect()
}

/// The polynomial of an element whose first coordinate is the lowest bit.
pub(super) fn entered(x: u64) -> BigInt {
    let of = entering();
    (0..DEGREE).filter(|i| x >> i & 1 == 1).fold(0, |sum, i| sum ^ of[i as usize]).into()
}

/// The powers of t whose trace is 1.
pub(super) fn traces() -> BigInt {
    let odd = |x: &u64| x.count_ones() % 2 == 1;
    leaving().iter().zip(0u32..).filter(|(x, _)| odd(x)).map(|(_, i)| pow2(i)).sum()
}

fn coordinates(images: &[u64]) -> Vec<Vec<u32>> {
    images.iter().map(|image| (0..DEGREE).filter(|k| image >> k & 1 == 1).collect()).collect()
}

/// The image of an element of one word under a linear map.
pub(super) fn linear(b: &mut Builder, word: u32, x: Value, images: &[Vec<u32>]) -> Value {
    let top = word - 1;
    let mut sum = b.word_constant(0);
    for (i, image) in (0..).zip(images) {
        let up = b.wrapping_shl(x, top - i);
        let mask = b.sar(up, top);
        let image = b.word_constant(image.iter().map(|k| pow2(*k)).sum::<BigInt>());
        let term = b.and(mask, image);
        sum = b.xor(sum, term);
    }
    sum
}

/// The kernel of a linear map of elements of one word.
fn map_in_words(name: &str, layout: &Layout, images: Vec<Vec<u32>>) -> Kernel {
    let mut b = Builder::new(name, layout.word);
    let (out, mut outputs) = parameter(&mut b, layout, "out", ArrayKind::Output, 1);
    let (a, inputs) = parameter(&mut b, layout, "a", ArrayKind::Input, 1);
    let x = load(&mut b, layout, a, 0);
    let image = linear(&mut b, layout.word, x[0], &images);
    b.store(out, 0u32, image);
    let claims = vec![Claim::Bits { output: outputs.remove(0), map: BitMap::Linear(Arc::new(images)) }];
    b.finish(Contract { facts: Vec::new(), inputs, claims })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_polynomial_is_the_fields() {
        let field = Field::parse("GF(2^29)").expect("a field");
        let binary = field.get::<evariste_descriptions::BinaryField>().expect("a binary field");
        assert_eq!(binary.modulus(), Some(&0x2000_0005u32.into()));
    }

    #[test]
    fn theta_generates_an_optimal_normal_basis() {
        // Products of the basis as WG's field has them, and the map back.
        let all = entering();
        let polynomial =
            |word: u32| (0..DEGREE).filter(|i| word >> (31 - i) & 1 == 1).fold(0, |sum, i| sum ^ all[i as usize]);
        for i in 0..DEGREE {
            for j in 0..DEGREE {
                let right = evariste_descriptions::wg_field::multiply(1 << (31 - i), 1 << (31 - j));
                assert_eq!(times(all[i as usize], all[j as usize]), polynomial(right), "{i} {j}");
            }
        }
        for (power, image) in leaving().into_iter().enumerate() {
            assert_eq!(entered(image), pow2(power as u32));
        }
    }
}
