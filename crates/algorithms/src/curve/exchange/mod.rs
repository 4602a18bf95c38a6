//! Functions on bytes, with every check of what comes from outside.
//!
//! * **computes** on Weierstrass and binary curves in the base point's group, `ecdh`: the first coordinate of `k·P`, from k
//!   and the uncompressed point `04 x y`, highest byte first; `public_key`: the uncompressed point `k·G`; `from_uncompressed`
//!   and `to_uncompressed`: points and their bytes. On Montgomery curves `ecdh`: X25519 or X448, lowest byte first, and
//!   `public_key`: that of the base point. On
//!   Weierstrass and Edwards curves `from_compressed` and `to_compressed`, on the former `ecdh_compressed` (`compressed`).
//!   On Edwards curves `from_compressed_in_subgroup`.
//!   Of curves over `Fp[i]` with `i² = −1` `from_uncompressed` and `to_uncompressed`: bytes of `x0 + x1·i` are those of x1,
//!   then those of x0.
//! * **needs** nothing: any bytes.
//! * **gives** 1 as `valid` and the result, or 0 and bytes of 0: for a scalar that is 0 or not below the order, for a
//!   coordinate that is not below p (has more bits than the binary field), for a point that is not on the curve, for one
//!   that is no multiple of the base point (on Edwards curves only where that is asked for); on Montgomery curves for the result 0, whose
//!   point has a small order.
//! * **cost** that of a multiple or a ladder, an inverse, and some products. Time and addresses depend on no byte.
//!   On binary curves see [`super::binary`] for what tells the group.
//! * **source** SEC 1 (2009), sections 2.3 and 3.3; NIST SP 800-56A (2018), section 5.6.2.3; RFC 7748.

mod compressed;
mod elligator;
mod field;
mod mapped;
mod points;
mod quadratic;
mod ratio;

use evariste_descriptions::{Curve, CurveShape, Tower};
use evariste_ir::{Builder, Kernel};

use self::field::FieldCalls;
use super::binary::{self, Member, member};
use super::coordinates;
use super::setting::curve_of;
use crate::operation::Operation;
use crate::prime::power::Callee;
use crate::prime::representation::kernel_name;
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

/// A point from its compressed bytes.
pub const DECOMPRESS: Exchange = Exchange { operation: Operation::FROM_COMPRESSED };
/// The same of multiples of the base point alone.
pub const DECOMPRESS_MEMBER: Exchange = Exchange { operation: Operation::FROM_COMPRESSED_IN_SUBGROUP };
/// The compressed bytes of a point.
pub const COMPRESS: Exchange = Exchange { operation: Operation::TO_COMPRESSED };
/// The exchange with a compressed point.
pub const COMPRESSED_EXCHANGE: Exchange = Exchange { operation: Operation::ECDH_COMPRESSED };

/// The point of an element of the field.
pub const MAP: Exchange = Exchange { operation: Operation::MAP_TO_CURVE };
/// On binary curves: is a point a multiple of the base point?
pub const MEMBER: Exchange = Exchange { operation: Operation::IN_SUBGROUP };

/// An operation on bytes, or on what bytes may hold.
pub struct Exchange {
    operation: Operation,
}

/// What is called: of the curve where the operation has something, a root where bytes are compressed, of the field, and
/// last the ways into and out of Montgomery form.
macro_rules! needs {
    ($($own:ident)* $(, $root:ident)?) => {
        &[
            $(Need::new(Operation::$own, Pick::First),)*
            $(Need::ground(Operation::$root),)?
            Need::ground(Operation::MUL),
            Need::ground(Operation::SQUARE),
            Need::ground(Operation::ADD),
            Need::ground(Operation::SUB),
            Need::ground(Operation::INVERSE),
            Need::ground(Operation::SELECTZNZ),
            Need::ground(Operation::FROM_BYTES),
            Need::ground(Operation::TO_BYTES),
            Need::ground(Operation::TO_MONTGOMERY),
            Need::ground(Operation::FROM_MONTGOMERY),
        ]
    };
}

const ALONE: &[Need] = needs!();
/// Over a tower its operations are made here.
const TOWER: &[Need] = needs!(, OPP);
const ROOT: &[Need] = needs!(, SQRT);
const MULTIPLE: &[Need] = needs!(SCALAR_MUL);
const ROOT_MULTIPLE: &[Need] = needs!(SCALAR_MUL, SQRT);
const BASE: &[Need] = needs!(MUL_BASE);
/// Where points may be other than multiples of the base point.
const MEMBER_ALONE: &[Need] = needs!(IN_SUBGROUP);
const MEMBER_ROOT: &[Need] = needs!(IN_SUBGROUP, SQRT);
const MEMBER_TOWER: &[Need] = needs!(IN_SUBGROUP, OPP);
const MEMBER_MULTIPLE: &[Need] = needs!(IN_SUBGROUP SCALAR_MUL);
const MEMBER_ROOT_MULTIPLE: &[Need] = needs!(IN_SUBGROUP SCALAR_MUL, SQRT);
const LADDER: &[Need] = needs!(CLAMPED_LADDER);
const LADDER_BASE: &[Need] = needs!(CLAMPED_MUL_BASE);

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
        op if *op == Operation::IN_SUBGROUP && !curve.has_other_points() => None,
        op if op.is_any(&[Operation::FROM_UNCOMPRESSED, Operation::IN_SUBGROUP]) && member == Member::Multiple => {
            Some(BITS_MULTIPLE)
        }
        op if *op == Operation::IN_SUBGROUP => Some(BITS_ALONE),
        op if op.is_any(&[Operation::FROM_UNCOMPRESSED, Operation::TO_UNCOMPRESSED]) => Some(BITS_ALONE),
        _ => None,
    }
}

/// What operations of curves over prime fields need.
fn needs_of_numbers(curve: &Curve, operation: &Operation) -> Option<&'static [Need]> {
    let is = |all: &[Operation]| operation.is_any(all);
    if curve.clamps() && is(&[Operation::ECDH]) {
        return Some(LADDER);
    }
    if curve.clamps() && curve.base.is_some() && is(&[Operation::PUBLIC_KEY]) {
        return Some(LADDER_BASE);
    }
    let has_other_points = curve.has_other_points();
    if curve.equation.shape == CurveShape::Edwards {
        return match () {
            () if is(&[Operation::FROM_COMPRESSED]) => Some(ROOT),
            () if is(&[Operation::FROM_COMPRESSED_IN_SUBGROUP]) && has_other_points => Some(MEMBER_ROOT),
            () if is(&[Operation::TO_COMPRESSED]) => Some(ALONE),
            () => None,
        };
    }
    let has_multiples = coordinates::have_sums(curve) && curve.order.is_some() && curve.cofactor.is_some();
    if curve.equation.shape != CurveShape::Weierstrass || !has_multiples {
        return None;
    }
    let of = |plain, member| Some(if has_other_points { member } else { plain });
    match () {
        () if is(&[Operation::FROM_UNCOMPRESSED]) => of(ALONE, MEMBER_ALONE),
        () if is(&[Operation::FROM_COMPRESSED]) => of(ROOT, MEMBER_ROOT),
        () if is(&[Operation::TO_UNCOMPRESSED, Operation::TO_COMPRESSED]) => Some(ALONE),
        () if is(&[Operation::ECDH]) => of(MULTIPLE, MEMBER_MULTIPLE),
        () if is(&[Operation::ECDH_COMPRESSED]) => of(ROOT_MULTIPLE, MEMBER_ROOT_MULTIPLE),
        () if is(&[Operation::PUBLIC_KEY]) && curve.base.is_some() => Some(BASE),
        () => None,
    }
}

/// What operations of curves over a quadratic field need.
fn needs_over_tower(curve: &Curve, tower: &Tower, operation: &Operation) -> Option<&'static [Need]> {
    quadratic::prime_of(tower)?;
    if !curve.has_other_points() || curve.order.is_none() || curve.cofactor.is_none() {
        return None;
    }
    match operation {
        op if *op == Operation::FROM_UNCOMPRESSED => Some(MEMBER_TOWER),
        op if *op == Operation::TO_UNCOMPRESSED => Some(TOWER),
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
        if self.operation == Operation::MAP_TO_CURVE {
            let (curve, _) = curve_of(s.field).ok()?;
            let all = if curve.field().get::<Tower>().is_some() { TOWER } else { ALONE };
            let count = all.len() - if s.layout.montgomery.is_some() { 0 } else { 2 };
            return mapped::map_of(curve).map(|_| &all[..count]);
        }
        let (curve, _) = curve_of(s.field).ok()?;
        let all = match curve.field().get::<Tower>() {
            Some(tower) => needs_over_tower(curve, tower, &self.operation)?,
            None => needs_of_numbers(curve, &self.operation)?,
        };
        Some(if s.layout.montgomery.is_some() { all } else { &all[..all.len() - 2] })
    }

    fn write(&self, s: Setting, algorithm: &str, parts: &dyn Parts) -> Result<Kernel, NotApplicable> {
        let curve = s.field.get::<Curve>().ok_or_else(|| NotApplicable("this needs a curve".into()))?;
        let mut b = Builder::new(kernel_name(s.operation, algorithm), s.layout.word);
        let needs = self.needs(s).unwrap_or_default();
        let kernels = (0..needs.len()).map(|i| parts.kernel(i)).collect::<Result<Vec<_>, _>>()?;
        let calls = needs.iter().zip(&kernels);
        let mut calls: Vec<Callee> =
            calls.map(|(need, kernel)| Callee::new(&mut b, kernel.clone(), need.operation.row().name)).collect();
        // Of the curve, where the operation has some: what tells the group, and a multiple.
        let member = needs.first().is_some_and(|need| need.operation == Operation::IN_SUBGROUP);
        let member = member.then(|| calls.remove(0));
        let own = needs.iter().filter(|need| need.of == Of::Itself).count();
        let multiple = (own > usize::from(member.is_some())).then(|| calls.remove(0));
        let root = self.reads_compressed().then(|| calls.remove(0));
        let tower = curve.field().get::<Tower>();
        if tower.is_some() {
            calls.remove(0);
        }
        let mut field = FieldCalls::new(curve, s.layout, calls)?;
        if let Some(tower) = tower {
            field = field.above(tower, quadratic::callees(&mut b, tower, s.layout, &kernels[own..])?);
        }
        field.member = member;
        let b = &mut b;
        if self.operation.is_any(&[Operation::IN_SUBGROUP, Operation::MAP_TO_CURVE]) {
            let contract = match self.operation == Operation::IN_SUBGROUP {
                true => field.member(b, curve, multiple.as_ref())?,
                // (The product and the square come first, over a tower after the opposite.)
                false => {
                    let first = usize::from(tower.is_some());
                    field.mapped(b, curve, &kernels[first..first + 2])?
                }
            };
            return Ok(std::mem::replace(b, Builder::new("", s.layout.word)).finish(contract));
        }
        let exchanged = match (&self.operation, &multiple, &root) {
            (op, Some(multiple), _) if curve.equation.shape == CurveShape::Montgomery => {
                field.ladder(b, multiple, *op == Operation::ECDH)
            }
            (_, Some(multiple), Some(root)) => field.shared_compressed(b, curve, multiple, root)?,
            (_, None, Some(root)) => field.decompressed(b, curve, root),
            (op, ..) if *op == Operation::TO_COMPRESSED => field.compressed(b, curve),
            (op, Some(multiple), _) if *op == Operation::ECDH => field.shared(b, curve, multiple)?,
            (op, multiple, _) if *op == Operation::FROM_UNCOMPRESSED => field.decoded(b, curve, multiple.as_ref())?,
            (_, Some(multiple), _) => field.public(b, curve, multiple)?,
            _ => field.encoded(b),
        };
        let kernel = std::mem::replace(b, Builder::new("", s.layout.word));
        Ok(exchanged.finish(kernel))
    }
}

impl Exchange {
    fn reads_compressed(&self) -> bool {
        let compressed =
            [Operation::FROM_COMPRESSED, Operation::FROM_COMPRESSED_IN_SUBGROUP, Operation::ECDH_COMPRESSED];
        self.operation.is_any(&compressed)
    }
}
