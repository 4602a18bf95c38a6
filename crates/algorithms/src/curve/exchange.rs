//! Diffie–Hellman on bytes, with every check of what comes from outside.
//!
//! * **computes** on Weierstrass curves of cofactor 1 `ecdh`: the first coordinate of `k·P`, from k and the uncompressed
//!   point `04 x y`, highest byte first; `public_key`: the uncompressed point `k·G`; `from_uncompressed` and `to_uncompressed`: points and
//!   their bytes. On Montgomery curves `ecdh`: X25519 or
//!   X448, lowest byte first.
//! * **needs** nothing: any bytes.
//! * **gives** 1 as `valid` and the result, or 0 and bytes of 0: for a scalar that is 0 or not below the order, for a
//!   coordinate that is not below p, for a point that is not on the curve; on Montgomery curves for the result 0, whose
//!   point has a small order.
//! * **cost** that of a multiple or a ladder, an inverse, and some products. Time and addresses depend on no byte.
//! * **source** SEC 1 (2009), sections 2.3 and 3.3; NIST SP 800-56A (2018), section 5.6.2.3; RFC 7748.

use evariste_descriptions::{Curve, CurveShape, Modulus};
use evariste_ir::range::Interval;
use evariste_ir::{Array, ArrayKind, Builder, Claim, Contract, Kernel, Operand, Value, View};
use num_bigint::BigInt;
use num_traits::Zero;

use super::setting::{curve_of, scalar_bits};
use super::words::{Bytes, are_zero, choose, minus};
use crate::layout::Layout;
use crate::lowering::{Element, digits_of};
use crate::operation::Operation;
use crate::prime::power::Callee;
use crate::prime::representation::kernel_name;
use crate::prime::to_bytes::{BYTE, byte_count, byte_digits};
use crate::recipe::{Kind, Need, Of, Parts, Pick, Recipe, Setting};
use crate::signature::NotApplicable;

/// The exchange of a curve.
pub const EXCHANGE: Exchange = Exchange { operation: Operation::ECDH };
/// A point from its bytes.
pub const DECODE: Exchange = Exchange { operation: Operation::FROM_UNCOMPRESSED };
/// The bytes of a point.
pub const ENCODE: Exchange = Exchange { operation: Operation::TO_UNCOMPRESSED };
/// The point that belongs to a scalar.
pub const PUBLIC_KEY: Exchange = Exchange { operation: Operation::PUBLIC_KEY };

/// An operation on bytes.
pub struct Exchange {
    operation: Operation,
}

/// What is called: of the curve where the operation has something, of the field, and last the ways into and out of
/// Montgomery form.
macro_rules! needs {
    ($($own:ident)?) => {
        &[
            $(Need::new(Operation::$own, Pick::First),)?
            Need::ground(Operation::MUL),
            Need::ground(Operation::SQUARE),
            Need::ground(Operation::ADD),
            Need::ground(Operation::SUB),
            Need::ground(Operation::INVERSE),
            Need::ground(Operation::FROM_BYTES),
            Need::ground(Operation::TO_BYTES),
            Need::ground(Operation::TO_MONTGOMERY),
            Need::ground(Operation::FROM_MONTGOMERY),
        ]
    };
}

const ALONE: &[Need] = needs!();
const MULTIPLE: &[Need] = needs!(SCALAR_MUL);
const BASE: &[Need] = needs!(MUL_BASE);
const LADDER: &[Need] = needs!(CLAMPED_LADDER);

impl Recipe for Exchange {
    fn name(&self) -> &'static str {
        "checked"
    }

    fn kind(&self) -> Kind {
        Kind::Composite
    }

    fn needs(&self, s: Setting) -> Option<&'static [Need]> {
        let (curve, _) = curve_of(s.field).ok()?;
        if *s.operation != self.operation || !s.layout.word.is_multiple_of(8) {
            return None;
        }
        let is_prime = curve.cofactor.as_ref().is_some_and(|h| *h == 1u32.into()) && curve.order.is_some();
        let points = curve.equation.shape == CurveShape::Weierstrass && is_prime;
        let all = match &self.operation {
            op if *op == Operation::ECDH && curve.clamps() => LADDER,
            _ if !points => return None,
            op if *op == Operation::ECDH => MULTIPLE,
            op if *op == Operation::PUBLIC_KEY && curve.base.is_some() => BASE,
            op if op.is_any(&[Operation::FROM_UNCOMPRESSED, Operation::TO_UNCOMPRESSED]) => ALONE,
            _ => return None,
        };
        Some(if s.layout.montgomery.is_some() { all } else { &all[..all.len() - 2] })
    }

    fn write(&self, s: Setting, algorithm: &str, parts: &dyn Parts) -> Result<Kernel, NotApplicable> {
        let (curve, modulus) = curve_of(s.field)?;
        let mut b = Builder::new(kernel_name(s.operation, algorithm), s.layout.word);
        let needs = self.needs(s).unwrap_or_default();
        let mut calls = Vec::new();
        for (i, need) in needs.iter().enumerate() {
            calls.push(Callee::new(&mut b, parts.kernel(i)?, need.operation.row().name));
        }
        // Of the curve, where the operation has one.
        let multiple = needs.first().is_some_and(|need| need.of == Of::Itself).then(|| calls.remove(0));
        let has_forms = s.layout.montgomery.is_some();
        let mut calls = calls.into_iter();
        let mut next = || calls.next().ok_or_else(|| NotApplicable("a part is missing".into()));
        let field = FieldCalls {
            modulus,
            layout: s.layout,
            mul: next()?,
            square: next()?,
            add: next()?,
            sub: next()?,
            inverse: next()?,
            from_bytes: next()?,
            to_bytes: next()?,
            forms: if has_forms { Some([next()?, next()?]) } else { None },
        };
        let b = &mut b;
        let exchanged = match (&self.operation, &multiple) {
            (_, Some(ladder)) if curve.equation.shape == CurveShape::Montgomery => field.ladder(b, ladder),
            (op, Some(multiple)) if *op == Operation::ECDH => field.shared(b, curve, multiple)?,
            (_, Some(multiple)) => field.public(b, curve, multiple)?,
            (op, None) if *op == Operation::FROM_UNCOMPRESSED => field.decoded(b, curve),
            _ => field.encoded(b),
        };
        let kernel = std::mem::replace(b, Builder::new("", s.layout.word));
        Ok(exchanged.finish(kernel))
    }
}

/// The numbers of an exchange, once its body is written.
struct Exchanged {
    inputs: Vec<Operand>,
    out: Vec<Operand>,
    valid: Array,
}

impl Exchanged {
    fn finish(self, b: Builder) -> Kernel {
        let valid = Operand::new("valid", self.valid, &[0], &[1.into()], 1.into());
        let step = |output: Operand| Claim::Step { output, name: "exchange".into() };
        let claims = self.out.into_iter().chain([valid]).map(step).collect();
        b.finish(Contract { facts: Vec::new(), inputs: self.inputs, claims })
    }
}

/// Kernels of the prime field.
struct FieldCalls<'a> {
    modulus: &'a Modulus,
    layout: &'a Layout,
    mul: Callee,
    square: Callee,
    add: Callee,
    sub: Callee,
    inverse: Callee,
    from_bytes: Callee,
    to_bytes: Callee,
    forms: Option<[Callee; 2]>,
}

impl FieldCalls<'_> {
    fn element(&self, b: &mut Builder, name: &str) -> Array {
        let ranges = self.layout.resting.digit_max.iter().map(|d| Interval::up_to(d.clone())).collect::<Vec<_>>();
        let ty = b.word_type();
        b.array(name, ty, ranges.len() as u32, ArrayKind::Local, ranges)
    }

    fn bytes(&self, b: &mut Builder, name: &str) -> Array {
        b.array(name, BYTE, byte_count(self.modulus), ArrayKind::Local, vec![Interval::bits(8)])
    }

    /// The element whose canonical value these words are.
    fn enter(&self, b: &mut Builder, words: &[Value], name: &str) -> Array {
        let maxima = byte_digits(self.modulus, false).0;
        let ranges = maxima.into_iter().map(Interval::up_to).collect();
        let bytes = b.array(format!("{name}_bytes"), BYTE, byte_count(self.modulus), ArrayKind::Local, ranges);
        let word = b.word();
        let split = words.iter().flat_map(|w| if word == 8 { vec![*w] } else { b.split(*w, 8) }).collect::<Vec<_>>();
        for (i, byte) in (0..byte_count(self.modulus)).zip(split) {
            b.store(bytes, i, byte);
        }
        let element = self.element(b, name);
        self.from_bytes.call(b, element, &[bytes]);
        if let Some([into, _]) = &self.forms {
            into.call(b, element, &[element]);
        }
        element
    }

    /// The canonical value of an element: its bytes, lowest first.
    fn leave(&self, b: &mut Builder, element: View, name: &str) -> Vec<Value> {
        let bytes = self.bytes(b, &format!("{name}_bytes"));
        let from = match &self.forms {
            Some([_, out]) => {
                let plain = self.element(b, &format!("{name}_plain"));
                out.call_views(b, View::whole(plain), &[element]);
                View::whole(plain)
            }
            None => element,
        };
        self.to_bytes.call_views(b, View::whole(bytes), &[from]);
        (0..byte_count(self.modulus)).map(|i| b.load(bytes, i)).collect()
    }

    fn constant(&self, b: &mut Builder, name: &str, number: &num_bigint::BigUint) -> Array {
        b.table(name, digits_of(number, &self.modulus.value, self.layout))
    }

    /// Words of a coordinate, or 0 where they are not below p; the flag says which.
    fn coordinate(&self, b: &mut Builder, bytes: &Bytes, from: u32) -> (Vec<Value>, Value) {
        let words = bytes.words(b, from, byte_count(self.modulus));
        self.below(b, &words, &self.modulus.value.clone().into())
    }

    fn below(&self, b: &mut Builder, words: &[Value], limit: &BigInt) -> (Vec<Value>, Value) {
        let (_, below) = minus(b, words, limit);
        let zero = b.word_constant(0);
        (choose(b, below, words, &vec![zero; words.len()]), below)
    }

    /// The words of a scalar, or 0 where it is not below the order, and the flag of a scalar from 1 on below it.
    fn scalar(&self, b: &mut Builder, curve: &Curve, bytes: &Bytes) -> Result<(Array, Value), NotApplicable> {
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

    /// `y² = x³ + a x + b` as a flag.
    fn on_curve(&self, b: &mut Builder, curve: &Curve, x: Array, y: Array) -> Value {
        let [c0, c1] = &curve.equation.coefficients;
        let [t, u] = ["t", "u"].map(|name| self.element(b, name));
        self.square.call(b, t, &[x]);
        if !c0.is_zero() {
            let a = self.constant(b, "a", c0);
            self.add.call(b, t, &[t, a]);
        }
        self.mul.call(b, t, &[t, x]);
        let c = self.constant(b, "b", c1);
        self.add.call(b, t, &[t, c]);
        self.square.call(b, u, &[y]);
        self.sub.call(b, t, &[t, u]);
        let bytes = self.leave(b, View::whole(t), "difference");
        let is_zero = are_zero(b, &bytes);
        b.mask_to_flag(is_zero)
    }

    /// The affine coordinates of a point, and whether it has any.
    fn affine(&self, b: &mut Builder, point: Array, size: u32, count: u32) -> (Vec<Vec<Value>>, Value) {
        let z = View::from(point, 2 * size);
        let inverse = self.element(b, "inverse");
        self.inverse.call_views(b, View::whole(inverse), std::slice::from_ref(&z));
        let coordinate = |b: &mut Builder, i: u32| {
            let x = self.element(b, &format!("affine{i}"));
            self.mul.call_views(b, View::whole(x), &[View::from(point, i * size), View::whole(inverse)]);
            self.leave(b, View::whole(x), &format!("affine{i}"))
        };
        let all = (0..count).map(|i| coordinate(b, i)).collect();
        let z = self.leave(b, z, "z");
        let is_zero = are_zero(b, &z);
        let is_zero = b.mask_to_flag(is_zero);
        (all, b.not(is_zero))
    }

    /// Stores a result of bytes, lowest first, and whether it is one: 0 where not.
    fn give(&self, b: &mut Builder, out: &Bytes, valid: Array, bytes: &[Value], is: Value) {
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

    fn outputs(&self, b: &mut Builder, bytes: u32, big_endian: bool) -> (Bytes, Array) {
        let out = Bytes::new(b, "out", ArrayKind::Output, bytes, big_endian);
        let valid = b.output("valid", 1, &[1.into()]);
        (out, valid)
    }

    /// A local array for a point.
    fn point(&self, b: &mut Builder, name: &str) -> Array {
        let one = &self.layout.resting.digit_max;
        let ranges: Vec<Interval> = (0..3).flat_map(|_| one.iter().map(|d| Interval::up_to(d.clone()))).collect();
        let ty = b.word_type();
        b.array(name, ty, ranges.len() as u32, ArrayKind::Local, ranges)
    }

    /// The point of bytes `04 x y`, and whether it is one of the curve.
    fn read(&self, b: &mut Builder, curve: &Curve, p: &Bytes) -> (Array, Value) {
        let (length, size) = (byte_count(self.modulus), self.layout.digits() as u32);
        let prefix = p.words(b, 2 * length, 1)[0];
        let uncompressed = b.word_constant(4);
        let is_uncompressed = b.equal(prefix, uncompressed);
        let (x, below) = self.coordinate(b, p, length);
        let (y, also) = self.coordinate(b, p, 0);
        let (x, y) = (self.enter(b, &x, "x"), self.enter(b, &y, "y"));
        let one = self.constant(b, "one", &1u32.into());
        let mut is = b.mask_to_flag(is_uncompressed);
        for flag in [below, also, self.on_curve(b, curve, x, y)] {
            is = b.and(is, flag);
        }
        let point = self.point(b, "from");
        for (c, part) in (0..).zip([x, y, one]) {
            for i in 0..size {
                let digit = b.load(part, i);
                b.store(point, c * size + i, digit);
            }
        }
        (point, is)
    }

    fn decoded(&self, b: &mut Builder, curve: &Curve) -> Exchanged {
        let (length, size) = (byte_count(self.modulus), self.layout.digits() as u32);
        let out = Element::output(b, self.layout, "out", 3);
        let valid = b.output("valid", 1, &[1.into()]);
        let p = Bytes::new(b, "p", ArrayKind::Input, 1 + 2 * length, true);
        let (point, is) = self.read(b, curve, &p);
        let mask = b.flag_to_mask(is);
        let neutral = [0u32, 1, 0].map(|c| digits_of(&c.into(), &self.modulus.value, self.layout));
        for (c, digits) in (0..).zip(&neutral) {
            for (i, digit) in (0..).zip(digits) {
                let (found, none) = (b.load(point, c * size + i), b.word_constant(digit.clone()));
                let chosen = b.select(mask, found, none);
                b.store(out.array, c * size + i, chosen);
            }
        }
        let ty = b.word_type();
        let word = b.flag_to_word(is, ty);
        b.store(valid, 0u32, word);
        Exchanged { inputs: vec![p.operand], out: out.numbered(self.layout), valid }
    }

    fn encoded(&self, b: &mut Builder) -> Exchanged {
        let (length, size) = (byte_count(self.modulus), self.layout.digits() as u32);
        let (out, valid) = self.outputs(b, 1 + 2 * length, true);
        let a = Element::input(b, self.layout, "a", 3);
        self.uncompressed(b, a.array, size, None, &out, valid);
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

    fn shared(&self, b: &mut Builder, curve: &Curve, multiple: &Callee) -> Result<Exchanged, NotApplicable> {
        let (length, size) = (byte_count(self.modulus), self.layout.digits() as u32);
        let (out, valid) = self.outputs(b, length, true);
        let k = Bytes::new(b, "k", ArrayKind::Input, scalar_bytes(curve), true);
        let p = Bytes::new(b, "p", ArrayKind::Input, 1 + 2 * length, true);
        let (scalar, is) = self.scalar(b, curve, &k)?;
        let (from, is_point) = self.read(b, curve, &p);
        let to = self.point(b, "to");
        multiple.call(b, to, &[scalar, from]);
        let (affine, finite) = self.affine(b, to, size, 1);
        let is = b.and(is, is_point);
        let is = b.and(is, finite);
        self.give(b, &out, valid, &affine[0], is);
        Ok(Exchanged { inputs: vec![k.operand, p.operand], out: vec![out.operand], valid })
    }

    fn public(&self, b: &mut Builder, curve: &Curve, multiple: &Callee) -> Result<Exchanged, NotApplicable> {
        let (length, size) = (byte_count(self.modulus), self.layout.digits() as u32);
        let (out, valid) = self.outputs(b, 1 + 2 * length, true);
        let k = Bytes::new(b, "k", ArrayKind::Input, scalar_bytes(curve), true);
        let (scalar, is) = self.scalar(b, curve, &k)?;
        let to = self.point(b, "to");
        multiple.call(b, to, &[scalar]);
        self.uncompressed(b, to, size, Some(is), &out, valid);
        Ok(Exchanged { inputs: vec![k.operand], out: vec![out.operand], valid })
    }

    fn ladder(&self, b: &mut Builder, ladder: &Callee) -> Exchanged {
        let length = byte_count(self.modulus);
        let (out, valid) = self.outputs(b, length, false);
        let k = Bytes::new(b, "k", ArrayKind::Input, length, false);
        let u = Bytes::new(b, "u", ArrayKind::Input, length, false);
        let words = k.words(b, 0, length);
        let scalar = b.local("scalar", words.len() as u32, Interval::bits(b.word()));
        b.store_all(scalar, &words);
        // Bits above those of the field are dropped, and what is not below p is taken modulo p.
        let mut words = u.words(b, 0, length);
        let bits = self.modulus.bits;
        if let Some(top) = words.last_mut() {
            *top = b.low_bits(*top, (bits - 1) % b.word() + 1);
        }
        let (less, below) = minus(b, &words, &self.modulus.value.clone().into());
        let words = choose(b, below, &words, &less);
        let from = self.enter(b, &words, "from");
        let to = self.element(b, "to");
        ladder.call(b, to, &[scalar, from]);
        let bytes = self.leave(b, View::whole(to), "to");
        let is_zero = are_zero(b, &bytes);
        let is_zero = b.mask_to_flag(is_zero);
        let is = b.not(is_zero);
        self.give(b, &out, valid, &bytes, is);
        Exchanged { inputs: vec![k.operand, u.operand], out: vec![out.operand], valid }
    }
}

/// Bytes of a scalar.
fn scalar_bytes(curve: &Curve) -> u32 {
    curve.order.as_ref().map_or(0, |order| order.bits().div_ceil(8) as u32)
}
