//! Elements of fields of polynomials in whole words: what products and reductions are, kernels made of the two, sums.
//!
//! * **computes** nothing by itself but sums.
//! * **needs** words of two bits and more, lowest coefficients first; nothing above x^(m−1).
//! * **gives** kernels whose contracts are written from the field: bit i of the words is the coefficient of x^i.
//! * **cost** that of the parts; a sum: n XORs.
//! * **source** Hankerson, Menezes, Vanstone, "Guide to Elliptic Curve Cryptography" (2004), 2.3.

use std::sync::Arc;

use evariste_descriptions::{BinaryField, Field};
use evariste_ir::range::pow2;
use evariste_ir::{BitMap, Builder, Claim, Contract, Index, Kernel, Op, Value};
use num_bigint::BigInt;

use super::coordinates::{binary, element_in, element_out, joined, linear_contract, powers, product_contract};
use crate::layout::{Bounds, Layout};
use crate::operation::Operation;
use crate::prime::representation::kernel_name;
use crate::recipe::{CarrylessProduct, CarrylessReduction, Kind, Need, Parts, Recipe, Setting, Whole};
use crate::signature::{NotApplicable, input, output};

/// Is it such a field in whole words?
pub fn polynomial_words(field: &Field, layout: &Layout) -> bool {
    field.get::<BinaryField>().is_some_and(|f| f.basis_type().is_none() && layout.word > 1)
}

impl Recipe for CarrylessProduct {
    fn name(&self) -> &'static str {
        self.name
    }

    fn kind(&self) -> Kind {
        Kind::CarrylessProduct
    }

    fn needs(&self, s: Setting) -> Option<&'static [Need]> {
        let there = *s.operation == Operation::MUL_WIDE && self.multiply.is_some()
            || *s.operation == Operation::SQUARE_WIDE && self.square.is_some();
        let applies = there && polynomial_words(s.field, s.layout);
        (applies && (self.applies)(s.layout.word, s.layout.digits())).then_some(&[])
    }

    fn write(&self, s: Setting, algorithm: &str, _: &dyn Parts) -> Result<Kernel, NotApplicable> {
        product_kernel(&kernel_name(s.operation, algorithm), self, s.field, s.layout, s.operation)
    }

    fn carryless_product(&self) -> Option<&CarrylessProduct> {
        Some(self)
    }
}

/// Behind a product it stands in the same kernel.
impl Recipe for CarrylessReduction {
    fn name(&self) -> &'static str {
        self.name
    }

    fn kind(&self) -> Kind {
        Kind::CarrylessReduction
    }

    fn needs(&self, s: Setting) -> Option<&'static [Need]> {
        let f = s.field.get::<BinaryField>()?;
        s.reduced().filter(|_| polynomial_words(s.field, s.layout) && (self.applies)(f, s.layout.word))
    }

    fn write(&self, s: Setting, algorithm: &str, parts: &dyn Parts) -> Result<Kernel, NotApplicable> {
        let name = kernel_name(s.operation, algorithm);
        if *s.operation == Operation::REDUCE {
            return reduction_kernel(&name, self, s.field, s.layout);
        }
        let product = parts.recipe(0).and_then(|part| part.carryless_product());
        let product = product.ok_or_else(|| NotApplicable("this product does not join this reduction".into()))?;
        kernel(&name, product, self, s.field, s.layout, s.operation)
    }
}

/// Weights and bounds of a whole product: 2m − 1 coefficients in 2n words.
fn wide(layout: &Layout, f: &BinaryField) -> (Vec<u32>, Bounds) {
    let weights: Vec<u32> = (0..2 * layout.digits() as u32).map(|i| i * layout.word).collect();
    let (bound, full): (BigInt, BigInt) = (pow2(2 * f.degree - 1) - 1, pow2(layout.word) - 1);
    let digit_max = weights.iter().map(|w| std::cmp::min(full.clone(), &bound >> *w)).collect();
    (weights, Bounds { digit_max, bound, low: None })
}

/// The whole product, or square, alone.
pub fn product_kernel(
    name: &str,
    p: &CarrylessProduct,
    field: &Field,
    layout: &Layout,
    op: &Operation,
) -> Result<Kernel, NotApplicable> {
    let f = binary(field)?;
    let mut b = Builder::new(name, layout.word);
    let (weights, bounds) = wide(layout, f);
    let (out, output) = output(&mut b, "out", &weights, &bounds);
    let x = element_in(&mut b, "a", layout);
    let contract;
    let words = match (*op == Operation::SQUARE_WIDE, p.multiply, p.square) {
        (false, Some(multiply), _) => {
            let y = element_in(&mut b, "b", layout);
            let (a, c) = (b.load_all(x.array), b.load_all(y.array));
            let powers = BitMap::Convolution(Arc::new((0..2 * f.degree - 1).map(|i| vec![i]).collect()));
            let claims = vec![Claim::Bits { output, map: powers }];
            contract = Contract { facts: Vec::new(), inputs: vec![x.operand, y.operand], claims };
            multiply(&mut b, &a, &c)
        }
        (true, _, Some(square)) => {
            let a = b.load_all(x.array);
            contract = linear_contract(output, x.operand, (0..f.degree).map(|i| vec![2 * i]).collect());
            square(&mut b, &a)
        }
        _ => return Err(NotApplicable(format!("{} has no {}", p.name, op.name()))),
    };
    b.store_all(out, &words);
    Ok(b.finish(contract))
}

/// The reduction of a whole product alone.
pub fn reduction_kernel(
    name: &str,
    r: &CarrylessReduction,
    field: &Field,
    layout: &Layout,
) -> Result<Kernel, NotApplicable> {
    let f = binary(field)?;
    let mut b = Builder::new(name, layout.word);
    let (out, output) = element_out(&mut b, layout);
    let (weights, bounds) = wide(layout, f);
    let x = input(&mut b, "a", &weights, &bounds);
    let words = b.load_all(x.array);
    let result = (r.reduce)(&mut b, f, &words);
    b.store_all(out, &result);
    Ok(b.finish(linear_contract(output, x.operand, powers(f, 2 * f.degree - 1))))
}

/// A product or a square, then a reduction.
pub fn kernel(
    name: &str,
    p: &CarrylessProduct,
    r: &CarrylessReduction,
    field: &Field,
    layout: &Layout,
    op: &Operation,
) -> Result<Kernel, NotApplicable> {
    let f = binary(field)?;
    let mut b = Builder::new(name, layout.word);
    let (out, output) = element_out(&mut b, layout);
    let x = element_in(&mut b, "a", layout);
    let contract;
    let words = match (*op == Operation::SQUARE, p.multiply, p.square) {
        (false, Some(multiply), _) => {
            let y = element_in(&mut b, "b", layout);
            let (a, c) = (b.load_all(x.array), b.load_all(y.array));
            contract = product_contract(f, output, vec![x.operand, y.operand]);
            multiply(&mut b, &a, &c)
        }
        (true, _, Some(square)) => {
            let a = b.load_all(x.array);
            contract = linear_contract(output, x.operand, powers(f, 2 * f.degree - 1).into_iter().step_by(2).collect());
            square(&mut b, &a)
        }
        _ => return Err(NotApplicable(format!("{} has no {}", p.name, op.name()))),
    };
    let result = (r.reduce)(&mut b, f, &words);
    b.store_all(out, &result);
    Ok(b.finish(contract))
}

/// Sums and differences.
pub const XOR: Whole = Whole {
    name: "xor-words",
    applies: |f, l, op| op.is_any(&[Operation::ADD, Operation::SUB]) && polynomial_words(f, l),
    write: |_, l, op| {
        let mut b = Builder::new(format!("{}_xor_words", op.name()), l.word);
        let (out, output) = element_out(&mut b, l);
        let (x, y) = (element_in(&mut b, "a", l), element_in(&mut b, "b", l));
        let (p, q) = (b.load_all(x.array), b.load_all(y.array));
        let sum: Vec<Value> = p.iter().zip(&q).map(|(p, q)| b.xor(*p, *q)).collect();
        b.store_all(out, &sum);
        let m = l.resting.bound.bits() as u32;
        let images = (0..2 * m).map(|i| vec![i % m]).collect();
        Ok(b.finish(linear_contract(output, joined(x.operand, y.operand), images)))
    },
};

/// Word i, zero beyond both ends.
pub fn at(b: &mut Builder, x: &[Value], i: i64) -> Value {
    match usize::try_from(i).ok().and_then(|i| x.get(i)) {
        Some(v) => *v,
        None => b.word_constant(0),
    }
}

/// The lowest n words of `⌊x / 2^k⌋`.
pub fn shifted_right(b: &mut Builder, x: &[Value], k: u32, n: usize) -> Vec<Value> {
    let (q, r) = (i64::from(k / b.word()), k % b.word());
    let word = |i: usize| {
        let (low, high) = (at(b, x, q + i as i64), at(b, x, q + i as i64 + 1));
        window(b, high, low, r)
    };
    (0..n).map(word).collect()
}

/// The lowest n words of `x·2^k`.
pub fn shifted_left(b: &mut Builder, x: &[Value], k: u32, n: usize) -> Vec<Value> {
    let (w, q, r) = (b.word(), i64::from(k / b.word()), k % b.word());
    let word = |i: usize| {
        let (high, low) = (at(b, x, i as i64 - q), at(b, x, i as i64 - q - 1));
        if r == 0 { high } else { window(b, high, low, w - r) }
    };
    (0..n).map(word).collect()
}

/// The low word of `(high, low) / 2^k`, k below the word size.
fn window(b: &mut Builder, high: Value, low: Value, k: u32) -> Value {
    if k > 0 && b.is_zero(low) {
        return shl(b, high, b.word() - k);
    }
    b.funnel_shift(high, low, k)
}

/// A shift that drops what leaves the word: whether anything does is no matter for a proof.
pub fn shl(b: &mut Builder, x: Value, k: u32) -> Value {
    if k == 0 || b.is_zero(x) { x } else { b.op(Op::WrappingShl(Index::from(k)), &[x], &[b.word_type()])[0] }
}

/// Words without the bits from m upwards; that there are none is not asked, but made so.
pub fn low_part(b: &mut Builder, x: &[Value], m: u32) -> Vec<Value> {
    let (w, n) = (b.word(), x.len());
    let (mut out, k) = (x.to_vec(), m - (n as u32 - 1) * w);
    if k < w {
        out[n - 1] = b.op(Op::LowBits(k), &[out[n - 1]], &[b.word_type()])[0];
    }
    out
}
