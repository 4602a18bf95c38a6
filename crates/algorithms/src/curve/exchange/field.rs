//! What functions on bytes are made of: elements from bytes and back, with the checks of numbers and scalars.
//!
//! * **computes** elements from the words of their canonical values and back, comparisons with limits, affine coordinates,
//!   results that are 0 where they are none.
//! * **needs** kernels of the field's operations; words of a multiple of 8 bits.
//! * **gives** values, and flags of what was checked.
//! * **cost** that of the kernels; a subtraction and a choice for each comparison.
//! * **source** SEC 1 (2009), section 2.3.

use evariste_descriptions::{BinaryField, Curve, Modulus, Structure, Tower};
use evariste_ir::range::Interval;
use evariste_ir::{Array, ArrayKind, Builder, Claim, Contract, Kernel, Operand, Value, View};
use num_bigint::{BigInt, BigUint};
use num_traits::One;

use super::super::coordinates;
use super::super::setting::scalar_bits;
use super::super::words::{Bytes, are_zero, choose, minus};
use crate::layout::Layout;
use crate::lowering::{Element, digits_of};
use crate::prime::power::Callee;
use crate::prime::to_bytes::{BYTE, byte_count, byte_digits};
use crate::signature::NotApplicable;
use crate::tower::room;

/// The numbers of an exchange, once its body is written.
pub(super) struct Exchanged {
    pub(super) inputs: Vec<Operand>,
    pub(super) out: Vec<Operand>,
    pub(super) valid: Array,
}

impl Exchanged {
    pub(super) fn finish(self, b: Builder) -> Kernel {
        let valid = Operand::new("valid", self.valid, &[0], &[1.into()], 1.into());
        let step = |output: Operand| Claim::Step { output, name: "exchange".into() };
        let claims = self.out.into_iter().chain([valid]).map(step).collect();
        b.finish(Contract { facts: Vec::new(), inputs: self.inputs, claims })
    }
}

/// Kernels of the field.
pub(super) struct FieldCalls<'a> {
    pub(super) layout: &'a Layout,
    /// Coordinates of a point.
    coordinates: usize,
    /// Bytes of an element.
    pub(super) length: u32,
    /// What canonical numbers are below.
    pub(super) limit: BigUint,
    pub(super) mul: Callee,
    pub(super) square: Callee,
    pub(super) add: Callee,
    sub: Option<Callee>,
    pub(super) inverse: Callee,
    pub(super) of: FieldOf<'a>,
    /// Tells multiples of the base point, where there are other points.
    pub(super) member: Option<Callee>,
    /// Of a tower: the operations of the prime field.
    ground: Option<Box<FieldCalls<'a>>>,
}

/// How elements go to bytes and back.
pub(super) enum FieldOf<'a> {
    /// By kernels.
    Prime { modulus: &'a Modulus, select: Callee, from_bytes: Callee, to_bytes: Callee, forms: Option<[Callee; 2]> },
    /// The words are those of the bytes.
    Bits(&'a BinaryField),
    /// Coordinate by coordinate.
    Tower(&'a Tower),
}

impl<'a> FieldCalls<'a> {
    pub(super) fn new(
        curve: &'a Curve,
        layout: &'a Layout,
        calls: Vec<Callee>,
    ) -> Result<FieldCalls<'a>, NotApplicable> {
        let mut calls = calls.into_iter();
        let mut next = || calls.next().ok_or_else(|| NotApplicable("a part is missing".into()));
        let (mul, square, add) = (next()?, next()?, next()?);
        let (length, limit, sub, inverse, of);
        if let Some(f) = curve.field().get::<BinaryField>() {
            (length, limit) = (f.degree.div_ceil(8), BigUint::one() << f.degree);
            (sub, inverse, of) = (None, next()?, FieldOf::Bits(f));
        } else {
            let below = || curve.field().get::<Tower>().map(|tower| &tower.base);
            let modulus = curve.field().get::<Modulus>().or_else(below);
            let modulus = modulus.ok_or_else(|| NotApplicable("this needs a prime field or a binary one".into()))?;
            (length, limit) = (byte_count(modulus), modulus.value.clone());
            (sub, inverse) = (Some(next()?), next()?);
            let (select, from_bytes, to_bytes) = (next()?, next()?, next()?);
            let forms = if layout.montgomery.is_some() { Some([next()?, next()?]) } else { None };
            of = FieldOf::Prime { modulus, select, from_bytes, to_bytes, forms };
        }
        let coordinates = coordinates::count(curve);
        let (member, ground) = (None, None);
        Ok(FieldCalls { layout, coordinates, length, limit, mul, square, add, sub, inverse, of, member, ground })
    }

    /// Those of a tower over this prime field, by its product, square, sum and difference.
    pub(super) fn above(self, tower: &'a Tower, [mul, square, add, sub]: [Callee; 4]) -> FieldCalls<'a> {
        FieldCalls {
            layout: self.layout,
            coordinates: self.coordinates,
            length: self.length,
            limit: self.limit.clone(),
            mul,
            square,
            add,
            sub: Some(sub),
            inverse: self.inverse.clone(),
            of: FieldOf::Tower(tower),
            member: None,
            ground: Some(Box::new(self)),
        }
    }

    /// The operations of the prime field, below a tower or themselves.
    pub(super) fn prime(&self) -> &FieldCalls<'a> {
        self.ground.as_deref().unwrap_or(self)
    }

    /// Coordinates of an element.
    pub(super) fn degree(&self) -> usize {
        if let FieldOf::Tower(tower) = self.of { tower.degree() } else { 1 }
    }

    /// The coordinates of an element.
    pub(super) fn views(&self, element: Array) -> Vec<View> {
        self.views_from(&View::whole(element))
    }

    /// Those of an element that begins there.
    fn views_from(&self, element: &View) -> Vec<View> {
        let digits = self.layout.digits() as u32;
        let at = |i: u32| View { start: element.start.clone().offset((i * digits).into()), ..element.clone() };
        if self.degree() == 1 { vec![element.clone()] } else { (0..self.degree() as u32).map(at).collect() }
    }

    pub(super) fn element(&self, b: &mut Builder, name: &str) -> Array {
        room(b, self.layout, name, self.degree())
    }

    fn bytes(&self, b: &mut Builder, name: &str) -> Array {
        b.array(name, BYTE, self.length, ArrayKind::Local, vec![Interval::bits(8)])
    }

    /// `a − b`, which is `a + b` over binary fields.
    pub(super) fn sub(&self) -> &Callee {
        self.sub.as_ref().unwrap_or(&self.add)
    }

    /// The element whose canonical value these words are.
    pub(super) fn enter(&self, b: &mut Builder, words: &[Value], name: &str) -> Array {
        let FieldOf::Prime { modulus, from_bytes, forms, .. } = &self.of else {
            let element = self.element(b, name);
            for (i, max) in (0u32..).zip(&self.layout.resting.digit_max) {
                // (Below the limit: nothing is lost.)
                let word = words.get(i as usize).copied().unwrap_or_else(|| b.word_constant(0));
                let word = b.low_bits(word, max.bits() as u32);
                b.store(element, i, word);
            }
            return element;
        };
        let maxima = byte_digits(modulus, false).0;
        let ranges = maxima.into_iter().map(Interval::up_to).collect();
        let bytes = b.array(format!("{name}_bytes"), BYTE, self.length, ArrayKind::Local, ranges);
        let word = b.word();
        let split = words.iter().flat_map(|w| if word == 8 { vec![*w] } else { b.split(*w, 8) }).collect::<Vec<_>>();
        for (i, byte) in (0..self.length).zip(split) {
            b.store(bytes, i, byte);
        }
        let element = self.element(b, name);
        from_bytes.call(b, element, &[bytes]);
        if let Some([into, _]) = forms {
            into.call(b, element, &[element]);
        }
        element
    }

    /// The canonical value of an element: its bytes, lowest first.
    pub(super) fn leave(&self, b: &mut Builder, element: View, name: &str) -> Vec<Value> {
        let FieldOf::Prime { to_bytes, forms, .. } = &self.of else {
            let words = (0..self.layout.digits() as u32).map(|i| element.start.clone().offset(i.into()));
            let words: Vec<Value> = words.map(|at| b.load(element.array, at)).collect();
            let word = b.word();
            let bytes = words.into_iter().flat_map(|w| if word == 8 { vec![w] } else { b.split(w, 8) });
            return bytes.take(self.length as usize).collect();
        };
        let bytes = self.bytes(b, &format!("{name}_bytes"));
        let from = match forms {
            Some([_, out]) => {
                let plain = self.element(b, &format!("{name}_plain"));
                out.call_views(b, View::whole(plain), &[element]);
                View::whole(plain)
            }
            None => element,
        };
        to_bytes.call_views(b, View::whole(bytes), &[from]);
        (0..self.length).map(|i| b.load(bytes, i)).collect()
    }

    pub(super) fn one(&self) -> BigUint {
        if let FieldOf::Bits(f) = self.of { f.one() } else { BigUint::one() }
    }

    pub(super) fn constant(&self, b: &mut Builder, name: &str, number: &BigUint) -> Array {
        let digits = |number: &BigUint| digits_of(number, &self.limit, self.layout);
        let all = match self.of {
            FieldOf::Tower(tower) => tower.unpacked(number).iter().flat_map(digits).collect(),
            _ => digits(number),
        };
        b.table(name, all)
    }

    /// Digits of an element.
    pub(super) fn size(&self) -> u32 {
        (self.layout.digits() * self.degree()) as u32
    }

    /// The element of bytes, the first coordinate lowest, and whether all are below p; 0 for those that are not.
    pub(super) fn read_element(&self, b: &mut Builder, bytes: &Bytes, from: u32, name: &str) -> (Array, Value) {
        let (below, degree) = (self.prime(), self.degree() as u32);
        if degree == 1 {
            let (words, is) = self.coordinate(b, bytes, from);
            return (self.enter(b, &words, name), is);
        }
        let to = self.element(b, name);
        let mut all: Option<Value> = None;
        for i in 0..degree {
            let (words, is) = below.coordinate(b, bytes, from + i * self.length);
            let part = below.enter(b, &words, &format!("{name}{i}"));
            below.copied(b, to, i, part);
            all = Some(all.map_or(is, |all| b.and(all, is)));
        }
        let none = b.no_flag();
        (to, all.unwrap_or(none))
    }

    /// Bytes of an element.
    pub(super) fn bytes_of_element(&self) -> u32 {
        self.length * self.degree() as u32
    }

    /// Words of a coordinate, or 0 where they are not below p; the flag says which.
    pub(super) fn coordinate(&self, b: &mut Builder, bytes: &Bytes, from: u32) -> (Vec<Value>, Value) {
        let words = bytes.words(b, from, self.length);
        self.below(b, &words, &self.limit.clone().into())
    }

    pub(super) fn below(&self, b: &mut Builder, words: &[Value], limit: &BigInt) -> (Vec<Value>, Value) {
        if limit.bits() > u64::from(b.word()) * words.len() as u64 {
            // Every number of so many words.
            let zero = b.word_constant(0);
            let is = b.equal(zero, zero);
            return (words.to_vec(), b.mask_to_flag(is));
        }
        let (_, below) = minus(b, words, limit);
        let zero = b.word_constant(0);
        (choose(b, below, words, &vec![zero; words.len()]), below)
    }

    /// The words of a scalar, or 0 where it is not below the order, and the flag of a scalar from 1 on below it.
    pub(super) fn scalar(
        &self,
        b: &mut Builder,
        curve: &Curve,
        bytes: &Bytes,
    ) -> Result<(Array, Value), NotApplicable> {
        let order: BigInt = curve.order.clone().ok_or_else(|| NotApplicable("the order is not known".into()))?.into();
        let words = bytes.words(b, 0, bytes.operand.digits.len() as u32);
        let (words, below) = self.below(b, &words, &order);
        let is_zero = are_zero(b, &words);
        let is_zero = b.mask_to_flag(is_zero);
        let not_zero = b.not(is_zero);
        let (word, bits) = (b.word(), scalar_bits(curve));
        let maxima = (0..bits.div_ceil(word)).map(|i| Interval::bits((bits - i * word).min(word)));
        let maxima: Vec<Interval> = maxima.collect();
        let ty = b.word_type();
        let count = maxima.len();
        let k = b.array("scalar", ty, count as u32, ArrayKind::Local, maxima.clone());
        for i in 0..count {
            // The number is below the order: nothing is lost.
            let digit = match words.get(i) {
                Some(digit) => b.low_bits(*digit, (bits - i as u32 * word).min(word)),
                None => b.word_constant(0),
            };
            b.store(k, i as u32, digit);
        }
        Ok((k, b.and(below, not_zero)))
    }

    /// `t = u` as a flag; t is lost.
    pub(super) fn equal(&self, b: &mut Builder, t: Array, u: Array) -> Value {
        self.sub().call(b, t, &[t, u]);
        let bytes = self.left(b, t, "difference").concat();
        let is_zero = are_zero(b, &bytes);
        b.mask_to_flag(is_zero)
    }

    /// The affine coordinates of a point, and whether it has any.
    pub(super) fn affine(&self, b: &mut Builder, point: Array, size: u32, count: u32) -> (Vec<Vec<Value>>, Value) {
        let z = View::from(point, 2 * size);
        let inverse = self.element(b, "inverse");
        self.invert(b, inverse, &z);
        let coordinate = |b: &mut Builder, i: u32| {
            let x = self.element(b, &format!("affine{i}"));
            self.mul.call_views(b, View::whole(x), &[View::from(point, i * size), View::whole(inverse)]);
            self.left(b, x, &format!("affine{i}")).concat()
        };
        let all = (0..count).map(|i| coordinate(b, i)).collect();
        let z = self.left_at(b, &z, "z").concat();
        let is_zero = are_zero(b, &z);
        let is_zero = b.mask_to_flag(is_zero);
        (all, b.not(is_zero))
    }

    /// The bytes of each coordinate of an element.
    pub(super) fn left(&self, b: &mut Builder, element: Array, name: &str) -> Vec<Vec<Value>> {
        self.left_at(b, &View::whole(element), name)
    }

    /// The same of an element that begins there.
    fn left_at(&self, b: &mut Builder, element: &View, name: &str) -> Vec<Vec<Value>> {
        let parts = self.views_from(element);
        let name = |i: usize| if parts.len() == 1 { name.into() } else { format!("{name}{i}") };
        parts.iter().enumerate().map(|(i, part)| self.prime().leave(b, part.clone(), &name(i))).collect()
    }

    /// Stores a result of bytes, lowest first, and whether it is one: 0 where not.
    pub(super) fn give(&self, b: &mut Builder, out: &Bytes, valid: Array, bytes: &[Value], is: Value) {
        let ty = b.word_type();
        let word = b.flag_to_word(is, ty);
        b.store(valid, 0u32, word);
        let none = b.word_constant(0);
        let mask = b.less(none, word);
        for (digit, byte) in out.operand.digits.iter().zip(bytes) {
            let wide = b.widen(*byte, ty);
            let chosen = b.select(mask, wide, none);
            let chosen = b.low_bits(chosen, 8);
            let chosen = b.narrow(chosen, BYTE);
            b.store(out.array, digit.index, chosen);
        }
    }

    pub(super) fn outputs(&self, b: &mut Builder, bytes: u32, big_endian: bool) -> (Bytes, Array) {
        let out = Bytes::new(b, "out", ArrayKind::Output, bytes, big_endian);
        let valid = b.output("valid", 1, &[1.into()]);
        (out, valid)
    }

    /// A local array for a point.
    pub(super) fn point(&self, b: &mut Builder, name: &str) -> Array {
        let one = &self.layout.resting.digit_max;
        let ranges: Vec<Interval> =
            (0..self.coordinates).flat_map(|_| one.iter().map(|d| Interval::up_to(d.clone()))).collect();
        let ty = b.word_type();
        b.array(name, ty, ranges.len() as u32, ArrayKind::Local, ranges)
    }

    /// A local point of these coordinates.
    pub(super) fn joined(&self, b: &mut Builder, name: &str, parts: &[Array]) -> Array {
        let (size, point) = (self.size(), self.point(b, name));
        for (c, part) in (0..).zip(parts) {
            for i in 0..size {
                let digit = b.load(*part, i);
                b.store(point, c * size + i, digit);
            }
        }
        point
    }

    /// A point as a result, with its flag. Outputs come before operands.
    pub(super) fn point_outputs(&self, b: &mut Builder) -> (Element, Array) {
        let out = Element::output(b, self.layout, "out", self.coordinates);
        let valid = b.output("valid", 1, &[1.into()]);
        (out, valid)
    }

    /// Gives a point where the flag is 1, else the neutral element.
    pub(super) fn give_point(&self, b: &mut Builder, curve: &Curve, to: &(Element, Array), point: Array, is: Value) {
        let size = self.prime().size();
        let mask = b.flag_to_mask(is);
        for (c, number) in (0..).zip(coordinates::of(curve, &curve.zero())) {
            for (i, digit) in (0..).zip(digits_of(&number, &self.limit, self.layout)) {
                let (found, none) = (b.load(point, c * size + i), b.word_constant(digit));
                let chosen = b.select(mask, found, none);
                b.store(to.0.array, c * size + i, chosen);
            }
        }
        let ty = b.word_type();
        let word = b.flag_to_word(is, ty);
        b.store(to.1, 0u32, word);
    }
}

/// Bytes of a scalar.
pub(super) fn scalar_bytes(curve: &Curve) -> u32 {
    curve.order.as_ref().map_or(0, |order| order.bits().div_ceil(8) as u32)
}
