//! Points in compressed bytes: one coordinate, and a bit that says which of two the other is.
//!
//! * **computes** on Weierstrass curves points from `02 x` and `03 x`, highest byte first, where the prefix
//!   says whether y is odd; on Edwards curves points from y, lowest byte first, with the bit "x is odd" as the highest of
//!   all (RFC 8032); these bytes of points; and the shared secret from a compressed point.
//! * **needs** nothing: any bytes. Of Edwards curves `from_compressed` reads points of any order: what wants a multiple of
//!   the base point asks for one, or multiplies by the cofactor.
//! * **gives** 1 as `valid` and the result, or 0 and the neutral element, or bytes of 0: for another prefix, a coordinate
//!   that is not below p, one that no point has, on Edwards curves x = 0 with the bit set; for a point outside of the base point's group
//!   where that counts; for what has no bytes.
//! * **cost** a square root; on Edwards curves an inverse too. Time and addresses depend on no byte.
//! * **source** SEC 1 (2009), sections 2.3.3 and 2.3.4; RFC 8032 (2017), sections 5.1.2, 5.1.3, 5.2.2 and 5.2.3.

use evariste_descriptions::{Curve, CurveShape};
use evariste_ir::range::Interval;
use evariste_ir::{Array, ArrayKind, Builder, Value, View};
use num_bigint::BigUint;
use num_traits::One;

use super::super::coordinates;
use super::super::words::{Bytes, are_zero};
use super::field::{Exchanged, FieldCalls, FieldOf};
use crate::lowering::Element;
use crate::prime::power::Callee;
use crate::prime::to_bytes::BYTE;
use crate::signature::NotApplicable;

impl FieldCalls<'_> {
    /// Bytes of a compressed point, and whether the highest comes first.
    fn compressed_form(&self, curve: &Curve) -> (u32, bool) {
        match curve.equation.shape {
            // A bit more than an element has.
            CurveShape::Edwards => (self.limit.bits() as u32 / 8 + 1, false),
            _ => (1 + self.length, true),
        }
    }

    /// The point of compressed bytes.
    pub(super) fn decompressed(&self, b: &mut Builder, curve: &Curve, root: &Callee) -> Exchanged {
        let to = self.point_outputs(b);
        let (count, big_endian) = self.compressed_form(curve);
        let p = Bytes::new(b, "p", ArrayKind::Input, count, big_endian);
        let (point, is) = self.read_compressed(b, curve, &p, root);
        self.give_point(b, curve, &to, point, is);
        Exchanged { inputs: vec![p.operand], out: to.0.numbered(self.layout), valid: to.1 }
    }

    /// The secret from a compressed point.
    pub(super) fn shared_compressed(
        &self,
        b: &mut Builder,
        curve: &Curve,
        multiple: &Callee,
        root: &Callee,
    ) -> Result<Exchanged, NotApplicable> {
        let count = self.compressed_form(curve).0;
        self.shared_from(b, curve, multiple, count, &|b, p| Ok(self.read_compressed(b, curve, p, root)))
    }

    /// The compressed bytes of a point.
    pub(super) fn compressed(&self, b: &mut Builder, curve: &Curve) -> Exchanged {
        let (count, big_endian) = self.compressed_form(curve);
        let (out, valid) = self.outputs(b, count, big_endian);
        let a = Element::input(b, self.layout, "a", coordinates::count(curve));
        let (affine, finite) = self.affine(b, a.array, self.size(), 2);
        let [x, y] = [&affine[0], &affine[1]];
        let bytes = if curve.equation.shape == CurveShape::Edwards {
            let mut bytes = y.clone();
            let zero = b.zero(BYTE);
            bytes.resize(count as usize, zero);
            let (odd, top) = (b.low_bits(x[0], 1), bytes.len() - 1);
            let sign = b.shl(odd, 7u32);
            // (A byte of a number below p: its highest bit is free.)
            let low = b.low_bits(bytes[top], 7);
            bytes[top] = b.or(low, sign);
            bytes
        } else {
            let (odd, two) = (b.low_bits(y[0], 1), b.constant(BYTE, 2));
            let prefix = b.or(two, odd);
            x.iter().copied().chain([prefix]).collect()
        };
        self.give(b, &out, valid, &bytes, finite);
        Exchanged { inputs: a.numbered(self.layout), out: vec![out.operand], valid }
    }

    fn read_compressed(&self, b: &mut Builder, curve: &Curve, p: &Bytes, root: &Callee) -> (Array, Value) {
        let (point, is) = match curve.equation.shape {
            CurveShape::Edwards => self.read_edwards(b, curve, p, root),
            _ => self.read_weierstrass(b, curve, p, root),
        };
        (point, self.also_member(b, point, is))
    }

    /// `y² = x³ + a x + b`, y odd or even as the prefix says.
    fn read_weierstrass(&self, b: &mut Builder, curve: &Curve, p: &Bytes, root: &Callee) -> (Array, Value) {
        let prefix = p.words(b, self.length, 1)[0];
        let [is_even, is_odd] = [2u32, 3].map(|number| {
            let number = b.word_constant(number);
            let is = b.equal(prefix, number);
            b.mask_to_flag(is)
        });
        let prefixed = b.or(is_even, is_odd);
        let odd = b.low_bits(prefix, 1);
        let (x, below) = self.coordinate(b, p, 0);
        let x = self.enter(b, &x, "x");
        let right = self.cubic(b, curve, x);
        let (y, is_square) = self.root(b, root, right, "y");
        let (y, _) = self.with_parity(b, y, odd);
        let one = self.constant(b, "one", &BigUint::from(1u32));
        let is = b.and(prefixed, below);
        let is = b.and(is, is_square);
        (self.joined(b, "from", &[x, y, one]), is)
    }

    /// `x² = (1 − y²)/(a − d y²)`, x odd or even as the highest bit says. The denominator is never 0: `a/d` is no square.
    fn read_edwards(&self, b: &mut Builder, curve: &Curve, p: &Bytes, root: &Callee) -> (Array, Value) {
        let count = p.operand.digits.len() as u32;
        let mut words = p.words(b, 0, count);
        let word = b.word();
        let top_bit = (8 * count - 1) % word;
        let top = words[words.len() - 1];
        let sign = b.shr(top, top_bit);
        let none = b.word_constant(0);
        let is_odd = b.less(none, sign);
        let is_odd = b.mask_to_flag(is_odd);
        let last = words.len() - 1;
        words[last] = b.low_bits(top, top_bit);
        let (y, below) = self.below(b, &words, &self.limit.clone().into());
        let y = self.enter(b, &y, "y");
        let [c0, c1] = &curve.equation.coefficients;
        let [a, d] = [("a", c0), ("d", c1)].map(|(name, number)| self.constant(b, name, number));
        let one = self.constant(b, "one", &BigUint::from(1u32));
        let [u, v, xy] = ["u", "v", "xy"].map(|name| self.element(b, name));
        self.square.call(b, v, &[y]);
        self.sub().call(b, u, &[one, v]);
        self.mul.call(b, v, &[d, v]);
        self.sub().call(b, v, &[a, v]);
        self.inverse.call(b, v, &[v]);
        self.mul.call(b, u, &[u, v]);
        let (x, is_square) = self.root(b, root, u, "x");
        let (x, is_zero) = self.with_parity(b, x, sign);
        let zero_with_sign = b.and(is_zero, is_odd);
        let allowed = b.not(zero_with_sign);
        self.mul.call(b, xy, &[x, y]);
        let is = b.and(below, is_square);
        let is = b.and(is, allowed);
        (self.joined(b, "from", &[x, y, one, xy]), is)
    }

    /// A square root, and whether there is one.
    fn root(&self, b: &mut Builder, root: &Callee, of: Array, name: &str) -> (Array, Value) {
        let to = self.element(b, &format!("{name}_root"));
        let valid = b.local("has_root", 1, Interval::bits(1));
        root.call_each(b, &[View::whole(to), View::whole(valid)], &[View::whole(of)]);
        let (word, none) = (b.load(valid, 0u32), b.word_constant(0));
        let is = b.less(none, word);
        (to, b.mask_to_flag(is))
    }

    /// Of an element and its opposite the one whose canonical value is odd where the word is 1; and whether it is 0.
    fn with_parity(&self, b: &mut Builder, element: Array, odd: Value) -> (Array, Value) {
        let bytes = self.leave(b, View::whole(element), "root");
        let is_zero = are_zero(b, &bytes);
        let is_zero = b.mask_to_flag(is_zero);
        let (mut low, ty) = (b.low_bits(bytes[0], 1), b.word_type());
        if b.word() != 8 {
            low = b.widen(low, ty);
        }
        let differs = b.xor(low, odd);
        // A product with 1 or −1: a choice of the element or its opposite would hang on the parity and on whether the
        // difference from 0 borrows, and what is made of it on the checks too.
        let [one, minus] = [("plus", BigUint::one()), ("minus", &self.limit - 1u32)]
            .map(|(name, number)| self.constant(b, name, &number));
        let [sign, signed] = ["sign", "signed"].map(|name| self.element(b, name));
        if let FieldOf::Prime { select, .. } = &self.of {
            let cond = b.local("differs", 1, Interval::bits(1));
            b.store(cond, 0u32, differs);
            select.call(b, sign, &[cond, one, minus]);
        }
        self.mul.call(b, signed, &[element, sign]);
        (signed, is_zero)
    }
}
