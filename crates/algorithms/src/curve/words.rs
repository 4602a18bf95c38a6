//! Numbers in bytes and in words, beside the kernels of a field: reading, comparing, choosing.
//!
//! * **computes** the words of a byte array; `x − m` with its borrow for a constant m; a choice of words by a mask.
//! * **needs** words of a multiple of 8 bits.
//! * **gives** words, lowest first.
//! * **cost** one join a word; one subtraction with borrow a word; one choice a word.
//! * **source** Menezes, van Oorschot, Vanstone, Handbook of Applied Cryptography, algorithm 14.9.

use evariste_ir::range::{Interval, pow2};
use evariste_ir::{Array, ArrayKind, Builder, Operand, Value};
use num_bigint::BigInt;

use crate::prime::to_bytes::BYTE;

/// A byte array that holds one number.
pub(crate) struct Bytes {
    /// The array.
    pub array: Array,
    /// Its number.
    pub operand: Operand,
}

impl Bytes {
    /// A parameter of so many bytes, of any values.
    pub(crate) fn new(b: &mut Builder, name: &str, kind: ArrayKind, count: u32, big_endian: bool) -> Bytes {
        let array = b.array(name, BYTE, count, kind, vec![Interval::bits(8)]);
        let mut operand = Operand { name: name.into(), digits: Vec::new(), bound: pow2(8 * count) - 1, below: None };
        for i in 0..count {
            let index = if big_endian { count - 1 - i } else { i };
            operand = operand.with_digit(array, index, 8 * i, 255.into());
        }
        Bytes { array, operand }
    }

    /// The words of `count` bytes of the number from that byte on, counted from the lowest.
    pub(super) fn words(&self, b: &mut Builder, from: u32, count: u32) -> Vec<Value> {
        let (zero, ty) = (b.zero(BYTE), b.word_type());
        let each = (b.word() / 8) as usize;
        let digits = &self.operand.digits[from as usize..(from + count) as usize];
        let bytes: Vec<Value> = digits.iter().map(|digit| b.load(self.array, digit.index)).collect();
        let word = |part: &[Value]| {
            let mut part = part.to_vec();
            part.resize(each, zero);
            if each == 1 { part[0] } else { b.join(&part, ty) }
        };
        bytes.chunks(each).map(word).collect()
    }
}

/// The words of `x − m`, and the flag of its borrow: x is below m.
pub(super) fn minus(b: &mut Builder, x: &[Value], m: &BigInt) -> (Vec<Value>, Value) {
    let word = b.word();
    let mut borrow = b.no_flag();
    let mut difference = Vec::new();
    for (i, x) in (0..).zip(x) {
        let m = b.word_constant((m >> (i * word)) % pow2(word));
        let (d, next) = b.sub_borrow(*x, m, borrow);
        difference.push(d);
        borrow = next;
    }
    (difference, borrow)
}

/// x where the flag is 1, else y, word by word.
pub(super) fn choose(b: &mut Builder, flag: Value, x: &[Value], y: &[Value]) -> Vec<Value> {
    let mask = b.flag_to_mask(flag);
    x.iter().zip(y).map(|(x, y)| b.select(mask, *x, *y)).collect()
}

/// The mask that says whether all words are 0.
pub(super) fn are_zero(b: &mut Builder, words: &[Value]) -> Value {
    let zero = b.zero(b.ty(words[0]));
    let any = words.iter().skip(1).fold(words[0], |any, word| b.or(any, *word));
    b.equal(any, zero)
}

/// A mask as 0 or 1 in a word.
pub(super) fn truth(b: &mut Builder, mask: Value) -> Value {
    let (flag, ty) = (b.mask_to_flag(mask), b.word_type());
    b.flag_to_word(flag, ty)
}
