//! An element from the bytes of a canonical value.
//!
//! * **computes** the element whose value the bytes hold, lowest first (`from_bytes`) or highest first
//!   (`from_bytes_be`).
//! * **needs** `⌈bits/8⌉` bytes of a number below p; the caller has compared it with p, or knows it.
//! * **gives** a canonical element; in Montgomery layouts a plain value (`to_montgomery` next), as in fiat-crypto.
//! * **cost** one join a word; unsaturated digits are then cut out of the words.
//! * **source** the function `from_bytes` of fiat-crypto (2019).

use evariste_descriptions::{Field, Modulus};
use evariste_ir::range::Interval;
use evariste_ir::{ArrayKind, Builder, Contract, Kernel, Number, Polynomial, Type, Value};

use super::repack::repack;
use super::representation::{canonical_bounds, kernel_name, modulus, prime};
use super::to_bytes::{BYTE, byte_count, byte_digits, byte_operand, has_bytes};
use crate::layout::Layout;
use crate::operation::Operation;
use crate::recipe::Whole;
use crate::signature::{NotApplicable, ValueClaim, output, store_result};

/// The layouts of [`super::to_bytes::SPLIT`].
pub const JOIN: Whole = Whole {
    name: "join",
    applies: |f, l, op| op.is_any(&[Operation::FROM_BYTES, Operation::FROM_BYTES_BE]) && has_bytes(f, l),
    write: |f, l, op| write(f, l, op, *op == Operation::FROM_BYTES_BE),
};

fn write(field: &Field, layout: &Layout, op: &Operation, big_endian: bool) -> Result<Kernel, NotApplicable> {
    let m = modulus(field)?;
    let mut b = Builder::new(kernel_name(op, "join"), layout.word);
    let (out, operand) = output(&mut b, "out", &layout.weights, &canonical_bounds(m, layout));
    let bytes = b.array("bytes", BYTE, byte_count(m), ArrayKind::Input, byte_ranges(m, big_endian));
    let number = byte_operand(m, bytes, "bytes", big_endian);
    let loaded: Vec<Value> = number.digits.iter().map(|d| b.load(bytes, d.index)).collect();
    let digits = digits_of(&mut b, layout, &loaded);
    let result = Number { digits, weights: layout.weights.clone(), bound: number.bound.clone() };
    let operand = store_result(&mut b, out, operand, &result)?;
    let claim = ValueClaim::plain(Polynomial::input(0), Some(prime(m))).on(operand);
    Ok(b.finish(Contract { facts: Vec::new(), inputs: vec![number], claims: vec![claim] }))
}

/// Ranges of the elements of the byte array, in its order.
fn byte_ranges(m: &Modulus, big_endian: bool) -> Vec<Interval> {
    let (maxima, index) = byte_digits(m, big_endian);
    let mut ranges = vec![Interval::bits(8); maxima.len()];
    for (max, index) in maxima.into_iter().zip(index) {
        ranges[index as usize] = Interval::up_to(max);
    }
    ranges
}

/// The layout's digits of a number given by bytes, lowest first.
fn digits_of(b: &mut Builder, layout: &Layout, bytes: &[Value]) -> Vec<Value> {
    let (word, ty) = (layout.word, b.word_type());
    if word.is_multiple_of(8) {
        let zero = b.zero(BYTE);
        let words: Vec<Value> = bytes
            .chunks(word as usize / 8)
            .map(|part| {
                let mut part = part.to_vec();
                part.resize(word as usize / 8, zero);
                if part.len() == 1 { part[0] } else { b.join(&part, ty) }
            })
            .collect();
        let from: Vec<u32> = (0..words.len() as u32).map(|i| i * word).collect();
        return if from == layout.weights { words } else { repack(b, &words, &from, &layout.weights) };
    }
    let wide = Type::Word(word.max(8) as u8);
    let widened: Vec<Value> = bytes.iter().map(|v| b.widen(*v, wide)).collect();
    let from: Vec<u32> = (0..bytes.len() as u32).map(|i| 8 * i).collect();
    let digits = repack(b, &widened, &from, &layout.weights);
    digits.into_iter().map(|v| b.narrow(v, ty)).collect()
}
