//! Points in uncompressed bytes, and Diffie–Hellman with them.
//!
//! * **computes** points from `04 x y` and their bytes; shared secrets, public keys; X25519 and X448.
//! * **needs** nothing: any bytes.
//! * **gives** `valid` and the result, as [`super`] says.
//! * **cost** a multiple or a ladder, an inverse, and some products.
//! * **source** SEC 1 (2009), sections 2.3 and 3.3; RFC 7748.

use evariste_descriptions::{BinaryField, Curve};
use evariste_ir::range::{Interval, pow2};
use evariste_ir::{Array, ArrayKind, Builder, Claim, Contract, Value, View};
use num_bigint::BigInt;
use num_traits::Zero;

use super::super::binary::{Member, Traces, member};
use super::super::setting::scalar_bits;
use super::super::words::{Bytes, are_zero, choose, minus};
use super::field::{Exchanged, FieldCalls, FieldOf, scalar_bytes};
use crate::lowering::Element;
use crate::prime::equal::flag_output;
use crate::prime::power::Callee;
use crate::prime::to_bytes::BYTE;
use crate::signature::NotApplicable;

impl FieldCalls<'_> {
    /// `y² = x³ + a x + b` as a flag.
    fn on_curve(&self, b: &mut Builder, curve: &Curve, x: Array, y: Array) -> Value {
        let [c0, c1] = &curve.equation.coefficients;
        let u = self.element(b, "u");
        if let FieldOf::Bits(_) = self.of {
            let t = self.element(b, "t");
            // (x + a)·x² + b and (x + y)·y
            let [a, c] = [("a", c0), ("b", c1)].map(|(name, number)| self.constant(b, name, number));
            self.square.call(b, t, &[x]);
            self.add.call(b, u, &[x, a]);
            self.mul.call(b, t, &[t, u]);
            self.add.call(b, t, &[t, c]);
            self.add.call(b, u, &[x, y]);
            self.mul.call(b, u, &[u, y]);
            return self.equal(b, t, u);
        }
        let t = self.cubic(b, curve, x);
        self.square.call(b, u, &[y]);
        self.equal(b, t, u)
    }

    /// `x³ + a x + b`.
    pub(super) fn cubic(&self, b: &mut Builder, curve: &Curve, x: Array) -> Array {
        let [c0, c1] = &curve.equation.coefficients;
        let t = self.element(b, "t");
        self.square.call(b, t, &[x]);
        if !c0.is_zero() {
            let a = self.constant(b, "a", c0);
            self.add.call(b, t, &[t, a]);
        }
        self.mul.call(b, t, &[t, x]);
        let c = self.constant(b, "b", c1);
        self.add.call(b, t, &[t, c]);
        t
    }

    /// The point of bytes `04 x y`, and whether it is one of the curve.
    fn read(
        &self,
        b: &mut Builder,
        curve: &Curve,
        p: &Bytes,
        multiple: Option<&Callee>,
    ) -> Result<(Array, Value), NotApplicable> {
        let length = self.bytes_of_element();
        let prefix = p.words(b, 2 * length, 1)[0];
        let uncompressed = b.word_constant(4);
        let is_uncompressed = b.equal(prefix, uncompressed);
        let (x, below) = self.read_element(b, p, length, "x");
        let (y, also) = self.read_element(b, p, 0, "y");
        let one = self.constant(b, "one", &self.one());
        let mut is = b.mask_to_flag(is_uncompressed);
        for flag in [below, also, self.on_curve(b, curve, x, y)] {
            is = b.and(is, flag);
        }
        let point = self.joined(b, "from", &[x, y, one]);
        if let FieldOf::Bits(f) = self.of {
            let member = self.is_member(b, curve, f, point, multiple)?;
            is = b.and(is, member);
        }
        Ok((point, self.also_member(b, point, is)))
    }

    /// The flag, where a curve over a prime field has other points also of what tells multiples of the base point.
    pub(super) fn also_member(&self, b: &mut Builder, point: Array, is: Value) -> Value {
        let Some(member) = &self.member else { return is };
        let flag = b.local("member", 1, Interval::bits(1));
        member.call(b, flag, &[point]);
        let (word, none) = (b.load(flag, 0u32), b.word_constant(0));
        let is_member = b.less(none, word);
        let is_member = b.mask_to_flag(is_member);
        b.and(is, is_member)
    }

    /// Is a point of a binary curve one of the base point's group?
    fn is_member(
        &self,
        b: &mut Builder,
        curve: &Curve,
        f: &BinaryField,
        point: Array,
        multiple: Option<&Callee>,
    ) -> Result<Value, NotApplicable> {
        let size = self.layout.digits() as u32;
        let missing = || NotApplicable("the order is not known".into());
        let way = member(curve).ok_or_else(missing)?;
        if way != Member::Multiple {
            let traces = Traces { f, layout: self.layout, mul: &self.mul, square: &self.square, add: &self.add };
            let [x, y] = [("member_x", 0), ("member_y", 1)].map(|(name, c)| {
                let to = self.element(b, name);
                for i in 0..size {
                    let digit = b.load(point, c * size + i);
                    b.store(to, i, digit);
                }
                to
            });
            return Ok(traces.is_member(b, curve, way, x, y));
        }
        let multiple = multiple.ok_or_else(|| NotApplicable("a part is missing".into()))?;
        let (word, bits) = (self.layout.word, scalar_bits(curve));
        let order = BigInt::from(curve.order.clone().ok_or_else(missing)?);
        let words = (0..bits.div_ceil(word)).map(|i| (&order >> (i * word)) % pow2(word)).collect();
        let order = b.table("order", words);
        let to = self.point(b, "nothing");
        multiple.call(b, to, &[order, point]);
        let words: Vec<Value> = (2 * size..3 * size).map(|i| b.load(to, i)).collect();
        let is_zero = are_zero(b, &words);
        Ok(b.mask_to_flag(is_zero))
    }

    /// Is a point in projective coordinates one of the base point's group? The neutral element is.
    pub(super) fn member(
        &self,
        b: &mut Builder,
        curve: &Curve,
        multiple: Option<&Callee>,
    ) -> Result<Contract, NotApplicable> {
        let FieldOf::Bits(f) = self.of else { return Err(NotApplicable("this is for binary curves".into())) };
        let (out, output) = flag_output(b);
        let a = Element::input(b, self.layout, "a", 3);
        let (size, [x, y, inverse]) = (self.size(), ["x", "y", "inverse"].map(|name| self.element(b, name)));
        let z = View::from(a.array, 2 * size);
        self.inverse.call_views(b, View::whole(inverse), &[z]);
        for (i, to) in (0..).zip([x, y]) {
            self.mul.call_views(b, View::whole(to), &[View::from(a.array, i * size), View::whole(inverse)]);
        }
        let one = self.constant(b, "one", &self.one());
        let affine = self.joined(b, "from", &[x, y, one]);
        let from = if multiple.is_some() { a.array } else { affine };
        let is = self.is_member(b, curve, f, from, multiple)?;
        let z: Vec<Value> = (2 * size..3 * size).map(|i| b.load(a.array, i)).collect();
        let is_neutral = are_zero(b, &z);
        let is_neutral = b.mask_to_flag(is_neutral);
        let is = b.or(is, is_neutral);
        let ty = b.word_type();
        let word = b.flag_to_word(is, ty);
        b.store(out, 0u32, word);
        let claims = vec![Claim::Step { output, name: "in_subgroup".into() }];
        Ok(Contract { facts: Vec::new(), inputs: a.numbered(self.layout), claims })
    }

    pub(super) fn decoded(
        &self,
        b: &mut Builder,
        curve: &Curve,
        multiple: Option<&Callee>,
    ) -> Result<Exchanged, NotApplicable> {
        let to = self.point_outputs(b);
        let p = Bytes::new(b, "p", ArrayKind::Input, 1 + 2 * self.bytes_of_element(), true);
        let (point, is) = self.read(b, curve, &p, multiple)?;
        self.give_point(b, curve, &to, point, is);
        Ok(Exchanged { inputs: vec![p.operand], out: to.0.numbered(self.layout), valid: to.1 })
    }

    pub(super) fn encoded(&self, b: &mut Builder) -> Exchanged {
        let (out, valid) = self.outputs(b, 1 + 2 * self.bytes_of_element(), true);
        let a = Element::input(b, self.layout, "a", 3 * self.degree());
        self.uncompressed(b, a.array, self.size(), None, &out, valid);
        Exchanged { inputs: a.numbered(self.layout), out: vec![out.operand], valid }
    }

    /// Gives the bytes `04 x y` of a point, where it has any and the flag does not forbid it.
    fn uncompressed(&self, b: &mut Builder, point: Array, size: u32, is: Option<Value>, out: &Bytes, valid: Array) {
        let (affine, finite) = self.affine(b, point, size, 2);
        let is = is.map_or(finite, |is| b.and(is, finite));
        let prefix = b.constant(BYTE, 4);
        let bytes: Vec<Value> = affine[1].iter().chain(&affine[0]).copied().chain([prefix]).collect();
        self.give(b, out, valid, &bytes, is);
    }

    /// The secret from a point in uncompressed bytes.
    pub(super) fn shared(&self, b: &mut Builder, curve: &Curve, multiple: &Callee) -> Result<Exchanged, NotApplicable> {
        self.shared_from(b, curve, multiple, 1 + 2 * self.length, &|b, p| self.read(b, curve, p, Some(multiple)))
    }

    /// The secret from a point in so many bytes, read by `read`.
    pub(super) fn shared_from(
        &self,
        b: &mut Builder,
        curve: &Curve,
        multiple: &Callee,
        bytes: u32,
        read: &dyn Fn(&mut Builder, &Bytes) -> Result<(Array, Value), NotApplicable>,
    ) -> Result<Exchanged, NotApplicable> {
        let (out, valid) = self.outputs(b, self.length, true);
        let k = Bytes::new(b, "k", ArrayKind::Input, scalar_bytes(curve), true);
        let p = Bytes::new(b, "p", ArrayKind::Input, bytes, true);
        let (scalar, is) = self.scalar(b, curve, &k)?;
        let (from, is_point) = read(b, &p)?;
        let to = self.point(b, "to");
        multiple.call(b, to, &[scalar, from]);
        let (affine, finite) = self.affine(b, to, self.size(), 1);
        let is = b.and(is, is_point);
        let is = b.and(is, finite);
        self.give(b, &out, valid, &affine[0], is);
        Ok(Exchanged { inputs: vec![k.operand, p.operand], out: vec![out.operand], valid })
    }

    pub(super) fn public(&self, b: &mut Builder, curve: &Curve, multiple: &Callee) -> Result<Exchanged, NotApplicable> {
        let length = self.length;
        let (out, valid) = self.outputs(b, 1 + 2 * length, true);
        let k = Bytes::new(b, "k", ArrayKind::Input, scalar_bytes(curve), true);
        let (scalar, is) = self.scalar(b, curve, &k)?;
        let to = self.point(b, "to");
        multiple.call(b, to, &[scalar]);
        self.uncompressed(b, to, self.size(), Some(is), &out, valid);
        Ok(Exchanged { inputs: vec![k.operand], out: vec![out.operand], valid })
    }

    /// X25519 and X448: of a given first coordinate, or by the multiples of the base point.
    pub(super) fn ladder(&self, b: &mut Builder, multiple: &Callee, given: bool) -> Exchanged {
        let length = self.length;
        let (out, valid) = self.outputs(b, length, false);
        let k = Bytes::new(b, "k", ArrayKind::Input, length, false);
        let u = given.then(|| Bytes::new(b, "u", ArrayKind::Input, length, false));
        let words = k.words(b, 0, length);
        let scalar = b.local("scalar", words.len() as u32, Interval::bits(b.word()));
        b.store_all(scalar, &words);
        let mut operands = vec![scalar];
        operands.extend(u.as_ref().map(|u| self.first_coordinate(b, u)));
        let to = self.element(b, "to");
        multiple.call(b, to, &operands);
        let bytes = self.leave(b, View::whole(to), "to");
        let is_zero = are_zero(b, &bytes);
        let is_zero = b.mask_to_flag(is_zero);
        let is = b.not(is_zero);
        self.give(b, &out, valid, &bytes, is);
        let inputs = std::iter::once(k).chain(u).map(|bytes| bytes.operand).collect();
        Exchanged { inputs, out: vec![out.operand], valid }
    }

    /// The element of bytes, lowest first.
    fn first_coordinate(&self, b: &mut Builder, u: &Bytes) -> Array {
        // Bits above those of the field are dropped, and what is not below p is taken modulo p.
        let mut words = u.words(b, 0, self.length);
        let bits = self.limit.bits() as u32;
        if let Some(top) = words.last_mut() {
            *top = b.low_bits(*top, (bits - 1) % b.word() + 1);
        }
        let (less, below) = minus(b, &words, &self.limit.clone().into());
        let words = choose(b, below, &words, &less);
        self.enter(b, &words, "from")
    }
}
