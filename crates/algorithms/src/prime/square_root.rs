//! Square roots, and whether there are any.
//!
//! * **computes** an x with `x² = a`, one of the two, where there is one; whether there is one.
//! * **needs** an odd prime modulus; kernels of the product, the square, the difference, the bytes of the canonical
//!   value and the choice; words of whole bytes; a resting operand. The output may be the operand.
//! * **gives** 1 as `valid` and a resting element, in Montgomery form if the operand is; 0 and 0 where a is no square. Of
//!   the question a word, 0 or 1; 0 is a square.
//! * **cost** for `p − 1 = q·2^s` with q odd: s = 1 (p ≡ 3 mod 4) the power `a^((p+1)/4)` and a square; else the power
//!   `a^((q−1)/2)`, two squares and products, `s(s−1)/2` squares, `2s − 2` products and `s − 1` comparisons. The question
//!   is a power and a comparison. Time and addresses do not depend on a.
//! * **source** Tonelli (1891), Shanks (1973), with all steps always: RFC 9380, appendix I.4; Euler's criterion.
//!
//! The power is proved; that the steps give a root is tested, over every element of small fields, and each call looks
//! whether the square is the operand.

use std::sync::Arc;

use evariste_descriptions::{Field, Modulus};
use evariste_ir::range::Interval;
use evariste_ir::{Array, ArrayKind, Builder, Claim, Contract, Kernel, Operand, Value};
use num_bigint::BigUint;
use num_traits::{One, Zero};

use super::equal::flag_output;
use super::power::{Callee, has_elements, power_kernel};
use super::representation::{kernel_name, modulus};
use super::to_bytes::{BYTE, byte_count};
use crate::layout::Layout;
use crate::lowering::digits_of;
use crate::operation::Operation;
use crate::recipe::{Composite, Need, Pick};
use crate::signature::{NotApplicable, input, output};

/// A root.
pub const TONELLI_SHANKS: Composite = Composite {
    name: "tonelli-shanks",
    applies: |f, l, op| *op == Operation::SQRT && has_roots(f, l),
    needs: NEEDS,
    write: |f, l, op, parts| write_root(&kernel_name(op, "tonelli_shanks"), parts, modulus(f)?, l),
};

/// Is there one?
pub const EULER: Composite = Composite {
    name: "euler",
    applies: |f, l, op| *op == Operation::IS_SQUARE && has_roots(f, l),
    needs: NEEDS,
    write: |f, l, op, parts| write_question(&kernel_name(op, "euler"), parts, modulus(f)?, l),
};

/// The operations that both are made of.
const NEEDS: &[Need] = &[
    Need::new(Operation::MUL, Pick::First),
    Need::new(Operation::SQUARE, Pick::First),
    Need::new(Operation::SUB, Pick::First),
    Need::new(Operation::TO_BYTES, Pick::First),
    Need::new(Operation::SELECTZNZ, Pick::First),
];

/// Is the modulus an odd prime, and are there bytes to compare?
fn has_roots(field: &Field, layout: &Layout) -> bool {
    let odd_prime = modulus(field).is_ok_and(|m| m.prime && m.value.bit(0));
    odd_prime && has_elements(field, layout) && layout.radix.is_none() && layout.word.is_multiple_of(8)
}

/// What is called, and where results lie.
struct Root<'a> {
    modulus: &'a Modulus,
    layout: &'a Layout,
    products: [Arc<Kernel>; 2],
    mul: Callee,
    square: Callee,
    sub: Callee,
    to_bytes: Callee,
    select: Callee,
    difference: Array,
    bytes: Array,
    /// Are two elements equal?
    is: Array,
}

impl<'a> Root<'a> {
    fn new(
        b: &mut Builder,
        parts: &[Arc<Kernel>],
        modulus: &'a Modulus,
        layout: &'a Layout,
    ) -> Result<Root<'a>, NotApplicable> {
        let [mul, square, sub, to_bytes, select] = parts else { return Err(NotApplicable("a part is missing".into())) };
        let products = [mul.clone(), square.clone()];
        let difference = element(b, layout, "difference");
        let bytes = b.array("bytes", BYTE, byte_count(modulus), ArrayKind::Local, vec![Interval::bits(8)]);
        let is = b.local("is", 1, Interval::bits(1));
        let mut callee = |kernel: &Arc<Kernel>, name: &str| Callee::new(b, kernel.clone(), name);
        let (mul, square) = (callee(mul, "mul"), callee(square, "square"));
        let (sub, to_bytes, select) = (callee(sub, "sub"), callee(to_bytes, "to_bytes"), callee(select, "select"));
        Ok(Root { modulus, layout, products, mul, square, sub, to_bytes, select, difference, bytes, is })
    }

    /// `to = x^exponent`.
    fn power(&self, b: &mut Builder, to: Array, x: Array, exponent: &BigUint) -> Result<(), NotApplicable> {
        if exponent.is_zero() {
            let one = self.constant(b, "power", &BigUint::one());
            self.copy(b, to, one);
            return Ok(());
        }
        let power = power_kernel("root_power", exponent, &self.products, self.modulus, self.layout)?;
        Callee::new(b, Arc::new(power), "power").call(b, to, &[x]);
        Ok(())
    }

    fn constant(&self, b: &mut Builder, name: &str, number: &BigUint) -> Array {
        b.table(name, digits_of(number, &self.modulus.value, self.layout))
    }

    /// Are two elements equal? As a word, which is kept too.
    fn equal(&self, b: &mut Builder, x: Array, y: Array) -> Value {
        self.sub.call(b, self.difference, &[x, y]);
        self.to_bytes.call(b, self.bytes, &[self.difference]);
        let bytes: Vec<Value> = (0..byte_count(self.modulus)).map(|i| b.load(self.bytes, i)).collect();
        let zero = b.zero(BYTE);
        let any = bytes.into_iter().fold(zero, |any, byte| b.or(any, byte));
        let is = b.equal(any, zero);
        let (flag, ty) = (b.mask_to_flag(is), b.word_type());
        let word = b.flag_to_word(flag, ty);
        b.store(self.is, 0u32, word);
        word
    }

    /// `to = x` where the elements that were compared last are not equal.
    fn set_unless(&self, b: &mut Builder, to: Array, x: Array) {
        self.select.call(b, to, &[self.is, x, to]);
    }

    fn copy(&self, b: &mut Builder, to: Array, x: Array) {
        for i in 0..self.layout.digits() as u32 {
            let digit = b.load(x, i);
            b.store(to, i, digit);
        }
    }

    /// Makes `z = a·w` with `y = a·w² = a^q` a root of a, where there is one: y becomes 1, and z² stays a·y.
    fn steps(&self, b: &mut Builder, twos: u32, root_of_unity: &BigUint, [w, y, z]: [Array; 3]) {
        let [t, c] = ["t", "c"].map(|name| element(b, self.layout, name));
        self.mul.call(b, y, &[z, w]);
        let one = self.constant(b, "one", &BigUint::one());
        let first = self.constant(b, "root_of_unity", root_of_unity);
        self.copy(b, c, first);
        for i in (2..=twos).rev() {
            // The order of y divides 2^(i − 1), and c has the order 2^i. Where y has just that order, both get a factor.
            self.copy(b, t, y);
            if i > 2 {
                b.repeat(i - 2, &[], |b, _, _| {
                    self.square.call(b, t, &[t]);
                    Vec::new()
                });
            }
            self.equal(b, t, one);
            self.mul.call(b, t, &[z, c]);
            self.set_unless(b, z, t);
            self.square.call(b, c, &[c]);
            self.mul.call(b, t, &[y, c]);
            self.set_unless(b, y, t);
        }
    }
}

/// A local for an element.
fn element(b: &mut Builder, layout: &Layout, name: &str) -> Array {
    let ranges = layout.resting.digit_max.iter().map(|d| Interval::up_to(d.clone())).collect();
    let ty = b.word_type();
    b.array(name, ty, layout.digits() as u32, ArrayKind::Local, ranges)
}

/// The kernel `out, valid = √a`.
fn write_root(name: &str, parts: &[Arc<Kernel>], m: &Modulus, layout: &Layout) -> Result<Kernel, NotApplicable> {
    let known = m.square_root().ok_or_else(|| NotApplicable("roots need a prime modulus".into()))?;
    let mut builder = Builder::new(name, layout.word);
    let b = &mut builder;
    let (out, output) = output(b, "out", &layout.weights, &layout.resting);
    let valid = b.output("valid", 1, &[1.into()]);
    let x = input(b, "a", &layout.weights, &layout.resting);
    let [w, y, z] = ["w", "y", "z"].map(|name| element(b, layout, name));
    let root = Root::new(b, parts, m, layout)?;
    if known.twos == 1 {
        // a·a^((q−1)/2) = a^((p+1)/4)
        root.power(b, z, x.array, &(known.exponent + 1u32))?;
    } else {
        root.power(b, w, x.array, &known.exponent)?;
        root.mul.call(b, z, &[x.array, w]);
        root.steps(b, known.twos, &known.root_of_unity, [w, y, z]);
    }
    root.square.call(b, y, &[z]);
    let is = root.equal(b, y, x.array);
    b.store(valid, 0u32, is);
    let zero = root.constant(b, "zero", &BigUint::zero());
    root.select.call(b, out, &[root.is, zero, z]);
    let valid = Operand::new("valid", valid, &[0], &[1.into()], 1.into());
    let claims = [output, valid].map(|output| Claim::Step { output, name: "square_root".into() }).into();
    Ok(builder.finish(Contract { facts: Vec::new(), inputs: vec![x.operand], claims }))
}

/// The kernel `out = 1` where a is a square, else 0: `a^((p−1)/2)` is −1 for all that are none.
fn write_question(name: &str, parts: &[Arc<Kernel>], m: &Modulus, layout: &Layout) -> Result<Kernel, NotApplicable> {
    let mut builder = Builder::new(name, layout.word);
    let b = &mut builder;
    let (out, output) = flag_output(b);
    let x = input(b, "a", &layout.weights, &layout.resting);
    let y = element(b, layout, "y");
    let root = Root::new(b, parts, m, layout)?;
    root.power(b, y, x.array, &(&m.value >> 1u32))?;
    let minus_one = root.constant(b, "minus_one", &(&m.value - 1u32));
    let is_none = root.equal(b, y, minus_one);
    let one = b.word_constant(1);
    let is = b.xor(is_none, one);
    b.store(out, 0u32, is);
    let claims = vec![Claim::Step { output, name: "is_square".into() }];
    Ok(builder.finish(Contract { facts: Vec::new(), inputs: vec![x.operand], claims }))
}
