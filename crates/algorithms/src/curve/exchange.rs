//! Diffie–Hellman on bytes, with every check of what comes from outside.
//!
//! * **computes** on Weierstrass curves of cofactor 1, and on binary curves in the base point's group, `ecdh`: the first coordinate of `k·P`, from k and the uncompressed
//!   point `04 x y`, highest byte first; `public_key`: the uncompressed point `k·G`; `from_uncompressed` and `to_uncompressed`: points and
//!   their bytes. On Montgomery curves `ecdh`: X25519 or
//!   X448, lowest byte first.
//! * **needs** nothing: any bytes.
//! * **gives** 1 as `valid` and the result, or 0 and bytes of 0: for a scalar that is 0 or not below the order, for a
//!   coordinate that is not below p (has more bits than the binary field), for a point that is not on the curve, on
//!   binary curves for one that is no multiple of the base point; on Montgomery curves for the result 0, whose
//!   point has a small order.
//! * **cost** that of a multiple or a ladder, an inverse, and some products. Time and addresses depend on no byte.
//!   On binary curves see [`super::binary`] for what tells the group.
//! * **source** SEC 1 (2009), sections 2.3 and 3.3; NIST SP 800-56A (2018), section 5.6.2.3; RFC 7748.

use evariste_descriptions::{BinaryField, Curve, CurveShape, Modulus};
use evariste_ir::range::{Interval, pow2};
use evariste_ir::{Array, ArrayKind, Builder, Claim, Contract, Kernel, Operand, Value, View};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};

use super::binary::{self, Member, Traces, member};
use super::setting::{over_prime, scalar_bits};
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

/// The same on binary curves, whose elements are their own bytes.
macro_rules! needs_of_bits {
    ($($own:ident)?) => {
        &[
            $(Need::new(Operation::$own, Pick::First),)?
            Need::ground(Operation::MUL),
            Need::ground(Operation::SQUARE),
            Need::ground(Operation::ADD),
            Need::ground(Operation::INVERSE),
        ]
    };
}

const BITS_ALONE: &[Need] = needs_of_bits!();
const BITS_MULTIPLE: &[Need] = needs_of_bits!(SCALAR_MUL);
const BITS_BASE: &[Need] = needs_of_bits!(MUL_BASE);

/// What operations of binary curves need; those that read points also what tells the group.
fn needs_of_bits(curve: &Curve, operation: &Operation) -> Option<&'static [Need]> {
    let member = member(curve)?;
    match operation {
        op if *op == Operation::ECDH => Some(BITS_MULTIPLE),
        op if *op == Operation::PUBLIC_KEY && curve.base.is_some() => Some(BITS_BASE),
        op if *op == Operation::FROM_UNCOMPRESSED && member == Member::Multiple => Some(BITS_MULTIPLE),
        op if op.is_any(&[Operation::FROM_UNCOMPRESSED, Operation::TO_UNCOMPRESSED]) => Some(BITS_ALONE),
        _ => None,
    }
}

impl Recipe for Exchange {
    fn name(&self) -> &'static str {
        "checked"
    }

    fn kind(&self) -> Kind {
        Kind::Composite
    }

    fn needs(&self, s: Setting) -> Option<&'static [Need]> {
        if *s.operation != self.operation || !s.layout.word.is_multiple_of(8) {
            return None;
        }
        if let Ok((curve, _)) = binary::curve_of(s.field) {
            return needs_of_bits(curve, &self.operation);
        }
        let (curve, _) = over_prime(s.field).ok()?;
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
        let curve = s.field.get::<Curve>().ok_or_else(|| NotApplicable("this needs a curve".into()))?;
        let mut b = Builder::new(kernel_name(s.operation, algorithm), s.layout.word);
        let needs = self.needs(s).unwrap_or_default();
        let mut calls = Vec::new();
        for (i, need) in needs.iter().enumerate() {
            calls.push(Callee::new(&mut b, parts.kernel(i)?, need.operation.row().name));
        }
        // Of the curve, where the operation has one.
        let multiple = needs.first().is_some_and(|need| need.of == Of::Itself).then(|| calls.remove(0));
        let field = FieldCalls::new(curve, s.layout, calls)?;
        let b = &mut b;
        let exchanged = match (&self.operation, &multiple) {
            (_, Some(ladder)) if curve.equation.shape == CurveShape::Montgomery => field.ladder(b, ladder),
            (op, Some(multiple)) if *op == Operation::ECDH => field.shared(b, curve, multiple)?,
            (op, multiple) if *op == Operation::FROM_UNCOMPRESSED => field.decoded(b, curve, multiple.as_ref())?,
            (_, Some(multiple)) => field.public(b, curve, multiple)?,
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

/// Kernels of the field.
struct FieldCalls<'a> {
    layout: &'a Layout,
    /// Bytes of an element.
    length: u32,
    /// What canonical numbers are below.
    limit: BigUint,
    mul: Callee,
    square: Callee,
    add: Callee,
    sub: Option<Callee>,
    inverse: Callee,
    of: FieldOf<'a>,
}

/// How elements go to bytes and back.
enum FieldOf<'a> {
    /// By kernels.
    Prime { modulus: &'a Modulus, from_bytes: Callee, to_bytes: Callee, forms: Option<[Callee; 2]> },
    /// The words are those of the bytes.
    Bits(&'a BinaryField),
}

impl<'a> FieldCalls<'a> {
    fn new(curve: &'a Curve, layout: &'a Layout, calls: Vec<Callee>) -> Result<FieldCalls<'a>, NotApplicable> {
        let mut calls = calls.into_iter();
        let mut next = || calls.next().ok_or_else(|| NotApplicable("a part is missing".into()));
        let (mul, square, add) = (next()?, next()?, next()?);
        if let Some(f) = curve.field().get::<BinaryField>() {
            let (length, limit) = (f.degree.div_ceil(8), BigUint::one() << f.degree);
            let inverse = next()?;
            return Ok(FieldCalls {
                layout,
                length,
                limit,
                mul,
                square,
                add,
                sub: None,
                inverse,
                of: FieldOf::Bits(f),
            });
        }
        let modulus = curve.field().get::<Modulus>();
        let modulus = modulus.ok_or_else(|| NotApplicable("this needs a prime field or a binary one".into()))?;
        let (length, limit) = (byte_count(modulus), modulus.value.clone());
        let (sub, inverse) = (Some(next()?), next()?);
        let (from_bytes, to_bytes) = (next()?, next()?);
        let forms = if layout.montgomery.is_some() { Some([next()?, next()?]) } else { None };
        let of = FieldOf::Prime { modulus, from_bytes, to_bytes, forms };
        Ok(FieldCalls { layout, length, limit, mul, square, add, sub, inverse, of })
    }

    fn element(&self, b: &mut Builder, name: &str) -> Array {
        let ranges = self.layout.resting.digit_max.iter().map(|d| Interval::up_to(d.clone())).collect::<Vec<_>>();
        let ty = b.word_type();
        b.array(name, ty, ranges.len() as u32, ArrayKind::Local, ranges)
    }

    fn bytes(&self, b: &mut Builder, name: &str) -> Array {
        b.array(name, BYTE, self.length, ArrayKind::Local, vec![Interval::bits(8)])
    }

    /// `a − b`, which is `a + b` over binary fields.
    fn sub(&self) -> &Callee {
        self.sub.as_ref().unwrap_or(&self.add)
    }

    /// The element whose canonical value these words are.
    fn enter(&self, b: &mut Builder, words: &[Value], name: &str) -> Array {
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
    fn leave(&self, b: &mut Builder, element: View, name: &str) -> Vec<Value> {
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

    fn one(&self) -> BigUint {
        if let FieldOf::Bits(f) = self.of { f.one() } else { BigUint::one() }
    }

    fn constant(&self, b: &mut Builder, name: &str, number: &BigUint) -> Array {
        b.table(name, digits_of(number, &self.limit, self.layout))
    }

    /// Words of a coordinate, or 0 where they are not below p; the flag says which.
    fn coordinate(&self, b: &mut Builder, bytes: &Bytes, from: u32) -> (Vec<Value>, Value) {
        let words = bytes.words(b, from, self.length);
        self.below(b, &words, &self.limit.clone().into())
    }

    fn below(&self, b: &mut Builder, words: &[Value], limit: &BigInt) -> (Vec<Value>, Value) {
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
        if let FieldOf::Bits(_) = self.of {
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
        self.square.call(b, t, &[x]);
        if !c0.is_zero() {
            let a = self.constant(b, "a", c0);
            self.add.call(b, t, &[t, a]);
        }
        self.mul.call(b, t, &[t, x]);
        let c = self.constant(b, "b", c1);
        self.add.call(b, t, &[t, c]);
        self.square.call(b, u, &[y]);
        self.equal(b, t, u)
    }

    /// `t = u` as a flag; t is lost.
    fn equal(&self, b: &mut Builder, t: Array, u: Array) -> Value {
        self.sub().call(b, t, &[t, u]);
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
    fn read(
        &self,
        b: &mut Builder,
        curve: &Curve,
        p: &Bytes,
        multiple: Option<&Callee>,
    ) -> Result<(Array, Value), NotApplicable> {
        let (length, size) = (self.length, self.layout.digits() as u32);
        let prefix = p.words(b, 2 * length, 1)[0];
        let uncompressed = b.word_constant(4);
        let is_uncompressed = b.equal(prefix, uncompressed);
        let (x, below) = self.coordinate(b, p, length);
        let (y, also) = self.coordinate(b, p, 0);
        let (x, y) = (self.enter(b, &x, "x"), self.enter(b, &y, "y"));
        let one = self.constant(b, "one", &self.one());
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
        if let FieldOf::Bits(f) = self.of {
            let member = self.is_member(b, curve, f, point, multiple)?;
            is = b.and(is, member);
        }
        Ok((point, is))
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

    fn decoded(&self, b: &mut Builder, curve: &Curve, multiple: Option<&Callee>) -> Result<Exchanged, NotApplicable> {
        let (length, size) = (self.length, self.layout.digits() as u32);
        let out = Element::output(b, self.layout, "out", 3);
        let valid = b.output("valid", 1, &[1.into()]);
        let p = Bytes::new(b, "p", ArrayKind::Input, 1 + 2 * length, true);
        let (point, is) = self.read(b, curve, &p, multiple)?;
        let mask = b.flag_to_mask(is);
        let neutral = [BigUint::ZERO, self.one(), BigUint::ZERO].map(|c| digits_of(&c, &self.limit, self.layout));
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
        Ok(Exchanged { inputs: vec![p.operand], out: out.numbered(self.layout), valid })
    }

    fn encoded(&self, b: &mut Builder) -> Exchanged {
        let (length, size) = (self.length, self.layout.digits() as u32);
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
        let (length, size) = (self.length, self.layout.digits() as u32);
        let (out, valid) = self.outputs(b, length, true);
        let k = Bytes::new(b, "k", ArrayKind::Input, scalar_bytes(curve), true);
        let p = Bytes::new(b, "p", ArrayKind::Input, 1 + 2 * length, true);
        let (scalar, is) = self.scalar(b, curve, &k)?;
        let (from, is_point) = self.read(b, curve, &p, Some(multiple))?;
        let to = self.point(b, "to");
        multiple.call(b, to, &[scalar, from]);
        let (affine, finite) = self.affine(b, to, size, 1);
        let is = b.and(is, is_point);
        let is = b.and(is, finite);
        self.give(b, &out, valid, &affine[0], is);
        Ok(Exchanged { inputs: vec![k.operand, p.operand], out: vec![out.operand], valid })
    }

    fn public(&self, b: &mut Builder, curve: &Curve, multiple: &Callee) -> Result<Exchanged, NotApplicable> {
        let (length, size) = (self.length, self.layout.digits() as u32);
        let (out, valid) = self.outputs(b, 1 + 2 * length, true);
        let k = Bytes::new(b, "k", ArrayKind::Input, scalar_bytes(curve), true);
        let (scalar, is) = self.scalar(b, curve, &k)?;
        let to = self.point(b, "to");
        multiple.call(b, to, &[scalar]);
        self.uncompressed(b, to, size, Some(is), &out, valid);
        Ok(Exchanged { inputs: vec![k.operand], out: vec![out.operand], valid })
    }

    fn ladder(&self, b: &mut Builder, ladder: &Callee) -> Exchanged {
        let length = self.length;
        let (out, valid) = self.outputs(b, length, false);
        let k = Bytes::new(b, "k", ArrayKind::Input, length, false);
        let u = Bytes::new(b, "u", ArrayKind::Input, length, false);
        let words = k.words(b, 0, length);
        let scalar = b.local("scalar", words.len() as u32, Interval::bits(b.word()));
        b.store_all(scalar, &words);
        // Bits above those of the field are dropped, and what is not below p is taken modulo p.
        let mut words = u.words(b, 0, length);
        let bits = self.limit.bits() as u32;
        if let Some(top) = words.last_mut() {
            *top = b.low_bits(*top, (bits - 1) % b.word() + 1);
        }
        let (less, below) = minus(b, &words, &self.limit.clone().into());
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
