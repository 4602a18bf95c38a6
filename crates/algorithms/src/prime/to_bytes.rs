//! Bytes of the canonical value.
//!
//! * **computes** the `⌈bits/8⌉` bytes of the canonical value, lowest first (`to_bytes`) or highest first
//!   (`to_bytes_be`).
//! * **needs** a resting operand of any layout; in Montgomery layouts a plain value (`from_montgomery` first), as in
//!   fiat-crypto.
//! * **gives** bytes of a number below p.
//! * **cost** the canonical form where the layout is not canonical; then one split a word. Unsaturated digits are first
//!   cut and joined to words.
//! * **source** the function `to_bytes` of fiat-crypto (2019).

use evariste_descriptions::{Field, Modulus};
use evariste_ir::range::{Interval, pow2};
use evariste_ir::{ArrayKind, Builder, Contract, Kernel, Number, Operand, Polynomial, Type, Value};
use num_bigint::BigInt;

use super::canonical::canonical;
use super::repack::repack;
use super::representation::{canonical_layout, kernel_name, modulus, prime, resting_of};
use crate::lanes::forms;
use crate::lanes::mul_words::Steps;
use crate::layout::Layout;
use crate::operation::Operation;
use crate::recipe::Whole;
use crate::signature::{NotApplicable, ValueClaim, input};

/// The type of a byte.
pub const BYTE: Type = Type::Word(8);

/// Every layout that rests in a way that is known, and of those for lanes the clean ones in Montgomery form.
pub const SPLIT: Whole = Whole {
    name: "split",
    applies: |f, l, op| op.is_any(&[Operation::TO_BYTES, Operation::TO_BYTES_BE]) && has_bytes(f, l),
    write: |f, l, op| write(f, l, op, *op == Operation::TO_BYTES_BE),
};

/// Have elements of the layout bytes?
pub fn has_bytes(field: &Field, layout: &Layout) -> bool {
    resting_of(field, layout).is_some() || forms::has_bytes(field, layout)
}

/// Bytes of a canonical value.
pub fn byte_count(m: &Modulus) -> u32 {
    m.bits.div_ceil(8)
}

/// The bytes of a number below p as an operand: the greatest value of each, lowest weight first, and the array's
/// element of each.
pub fn byte_digits(m: &Modulus, big_endian: bool) -> (Vec<BigInt>, Vec<u32>) {
    let (count, bound) = (byte_count(m), prime(m) - 1);
    let maxima = (0..count).map(|i| std::cmp::min(BigInt::from(255), &bound >> (8 * i))).collect();
    let index = (0..count).map(|i| if big_endian { count - 1 - i } else { i }).collect();
    (maxima, index)
}

/// The operand of a byte array that holds a number below p.
pub fn byte_operand(m: &Modulus, array: evariste_ir::Array, name: &str, big_endian: bool) -> Operand {
    let (maxima, index) = byte_digits(m, big_endian);
    let mut operand = Operand { name: name.into(), digits: Vec::new(), bound: prime(m) - 1, below: None };
    for (i, (max, index)) in maxima.into_iter().zip(index).enumerate() {
        operand = operand.with_digit(array, index, 8 * i as u32, max);
    }
    operand
}

fn write(field: &Field, layout: &Layout, op: &Operation, big_endian: bool) -> Result<Kernel, NotApplicable> {
    let m = modulus(field)?;
    // Where words have no bit to spare, bits that the canonical value lacks would be shifted out of them.
    if layout.radix.is_some() && layout.resting.bound >= prime(m) && m.bits.is_multiple_of(layout.word) {
        return write_in_steps(field, layout, op, big_endian);
    }
    let mut b = Builder::new(kernel_name(op, "split"), layout.word);
    let out = b.array("out", BYTE, byte_count(m), ArrayKind::Output, vec![Interval::bits(8)]);
    let mut operand = byte_operand(m, out, "out", big_endian);
    let x = input(&mut b, "a", &layout.weights, &layout.resting);
    let a = x.load(&mut b);
    let value = match layout.radix {
        Some(_) => forms::canonical(&mut b, m, layout, &a)?,
        None => canonical(&mut b, m, layout, a)?,
    };
    let bytes = bytes_of(&mut b, layout, &value);
    let count = operand.digits.len();
    for (digit, byte) in operand.digits.iter().zip(&bytes) {
        b.store(out, digit.index, *byte);
    }
    // Bytes of the words above the last one of p are zero because the number is below p: the contract has them as
    // ghosts.
    let extra = bytes.len().saturating_sub(count);
    if extra > 0 {
        let ghost = b.array("ghost", BYTE, extra as u32, ArrayKind::Ghost, vec![Interval::bits(8)]);
        for (i, byte) in bytes[count..].iter().enumerate() {
            b.store(ghost, i, *byte);
            operand = operand.with_digit(ghost, i as u32, 8 * (count + i) as u32, 255.into());
        }
    }
    let claim = ValueClaim::plain(Polynomial::input(0), Some(prime(m))).on(operand);
    Ok(b.finish(Contract { facts: Vec::new(), inputs: vec![x.operand], claims: vec![claim] }))
}

/// The canonical value by a kernel of its own, then its bytes: what its contract says of the digits bounds the shifts.
fn write_in_steps(field: &Field, layout: &Layout, op: &Operation, big_endian: bool) -> Result<Kernel, NotApplicable> {
    let m = modulus(field)?;
    let name = kernel_name(op, "split");
    let mut b = Builder::new(&name, layout.word);
    let out = b.array("out", BYTE, byte_count(m), ArrayKind::Output, vec![Interval::bits(8)]);
    let x = input(&mut b, "a", &layout.weights, &layout.resting);
    let canonical = forms::canonical_of(m, layout, &layout.resting, &format!("{name}_canonical"))?;
    let mut bytes = write(field, &canonical_layout(m, layout), op, big_endian)?;
    bytes.name = format!("{name}_bytes");
    let mut steps = Steps { b, layout };
    let digits = steps.call("canonical", canonical, &[x.array]);
    let b = steps.last("bytes", bytes, out, digits);
    let operand = byte_operand(m, out, "out", big_endian);
    let claim = ValueClaim::plain(Polynomial::input(0), Some(prime(m))).on(operand);
    Ok(b.finish(Contract { facts: Vec::new(), inputs: vec![x.operand], claims: vec![claim] }))
}

/// All bytes of a number in digits that do not overlap, lowest first, at least as many as its bound needs.
fn bytes_of(b: &mut Builder, layout: &Layout, value: &Number) -> Vec<Value> {
    let word = layout.word;
    let bits: u32 =
        value.digits.iter().zip(&value.weights).map(|(d, w)| w + b.max(*d).bits() as u32).max().unwrap_or(0);
    let bits = bits.max(value.bits());
    if word.is_multiple_of(8) {
        let to: Vec<u32> = (0..bits.div_ceil(word)).map(|i| i * word).collect();
        let words =
            if value.weights == to { value.digits.clone() } else { repack(b, &value.digits, &value.weights, &to) };
        return words.into_iter().flat_map(|w| if word == 8 { vec![w] } else { b.split(w, 8) }).collect();
    }
    // Word sizes of tests: the pieces are put together in the larger of a word and a byte.
    let ty = Type::Word(word.max(8) as u8);
    let digits: Vec<Value> = value.digits.iter().map(|d| b.widen(*d, ty)).collect();
    let to: Vec<u32> = (0..bits.div_ceil(8)).map(|i| 8 * i).collect();
    let bytes = repack(b, &digits, &value.weights, &to);
    debug_assert!(bytes.iter().all(|v| b.max(*v) < &pow2(8)));
    bytes.into_iter().map(|v| b.narrow(v, BYTE)).collect()
}
