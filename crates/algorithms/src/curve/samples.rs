//! Operands for vectors: points of the curve, scalars, and their bytes.
//!
//! * **computes** operands of the operations of points, in the order of contracts.
//! * **needs** a curve with a base point; without one there are none.
//! * **gives** coordinates as a layout holds them, scalars, bytes as numbers.
//! * **cost** some multiples by the reference.
//! * **source** the definitions.

use evariste_descriptions::{Curve, CurveShape, Field, Tower};
use num_bigint::BigUint;
use num_traits::Zero;

use super::coordinates;
use super::setting::curve_of;
use crate::form::Form;
use crate::layout::Layout;
use crate::operation::{Holds, Operation};

/// How many there are of an operation.
const COUNT: u32 = 6;

/// The operands.
pub fn samples(field: &Field, layout: &Layout, operation: &Operation) -> Vec<Vec<BigUint>> {
    let Some(curve) = field.get::<Curve>() else { return Vec::new() };
    // (Binary fields have no modulus, and elements as they are.)
    let modulus = curve_of(field).ok().map(|(_, modulus)| modulus);
    let Some(order) = curve.order.clone().filter(|_| curve.base.is_some()) else { return Vec::new() };
    let form = Form::modulo(modulus.map(|m| &m.value), layout);
    // Multiples that no rule connects: powers of a number modulo the order.
    let scalar = |i: u32| BigUint::from(0x9e37_79b9_7f4a_7c15u64).modpow(&(3 * i + 1).into(), &order);
    let point = |i: u32| curve.scale_base(&scalar(i)).unwrap_or_default();
    let held = |i: u32| -> Vec<BigUint> {
        let neutral = i == COUNT - 1;
        let point = if neutral { evariste_descriptions::Structure::zero(curve) } else { point(i) };
        coordinates::of(curve, &point).iter().map(|x| form.held(x)).collect()
    };
    // Beside multiples of the base point other points, where the question is whether a point is one.
    let other = |i: u32| -> Option<Vec<BigUint>> {
        let point = (i..i + 1000).find_map(|x| curve.lifted(&x.into()))?;
        Some(coordinates::of(curve, &point).iter().map(|x| form.held(x)).collect())
    };
    let compressed = operation.is_any(&[
        Operation::FROM_COMPRESSED,
        Operation::FROM_COMPRESSED_IN_SUBGROUP,
        Operation::ECDH_COMPRESSED,
    ]);
    let operands = |i: u32| -> Option<Vec<BigUint>> {
        let mut all = Vec::new();
        for (place, slot) in (0..).zip(operation.row().inputs) {
            match slot.holds {
                Holds::Element if *operation == Operation::IN_SUBGROUP && [1, 3].contains(&i) => all.extend(other(i)?),
                Holds::Element => all.extend(held((i + place) % COUNT)),
                Holds::Part(evariste_descriptions::Part::Points) => all.extend(held(i)),
                Holds::Part(evariste_descriptions::Part::Coordinates) => {
                    let degree = curve.field().get::<Tower>().map_or(1, Tower::degree) as u32;
                    all.extend((0..degree).map(|c| form.held(&scalar(i + c))));
                }
                Holds::Part(evariste_descriptions::Part::Scalars) => all.push(scalar(i + place + 7)),
                Holds::Bytes if slot.name == "k" => all.push(scalar(i + 7)),
                Holds::Bytes if compressed => all.push(compressed_bytes(curve, &point(i))?),
                Holds::Bytes => all.push(uncompressed(curve, &point(i))?),
                _ => return None,
            }
        }
        Some(all)
    };
    let are_points = coordinates::have_sums(curve) || *operation == Operation::MAP_TO_CURVE;
    if are_points { (0..COUNT).filter_map(operands).collect() } else { Vec::new() }
}

/// Compressed bytes as a number: `02 x` or `03 x`, or y with the bit "x is odd" on top.
fn compressed_bytes(curve: &Curve, point: &BigUint) -> Option<BigUint> {
    let (x, y) = curve.unpacked(point)?;
    let bits = curve.field().bits();
    if curve.equation.shape == CurveShape::Edwards {
        return Some((BigUint::from(u32::from(x.bit(0))) << (8 * (bits / 8) + 7)) + y);
    }
    let prefix = BigUint::from(2 + u32::from(y.bit(0)));
    Some((prefix << (8 * bits.div_ceil(8))) + x)
}

/// The bytes `04 x y` as a number, highest byte first; of several coordinates the first one last.
pub fn uncompressed(curve: &Curve, point: &BigUint) -> Option<BigUint> {
    let (x, y) = curve.unpacked(point)?;
    if x.is_zero() && y.is_zero() {
        return None;
    }
    let tower = curve.field().get::<Tower>();
    let each = tower.map_or(curve.field().bits(), |tower| tower.base.bits).div_ceil(8);
    let length = each * tower.map_or(1, Tower::degree) as u32;
    let bytes = |x: &BigUint| match tower {
        Some(tower) => tower.unpacked(x).iter().rev().fold(BigUint::zero(), |all, x| (all << (8 * each)) + x),
        None => x.clone(),
    };
    let [x, y] = [&x, &y].map(bytes);
    Some((BigUint::from(4u32) << (16 * length)) + (x << (8 * length)) + y)
}
