//! Products of polynomials over GF(2) and linear maps of bytes.

use super::operation::Op;
use super::row::{Counted, OverBits, Public, Row, row, run};
use super::types;
use crate::interval::{Interval, bit_length};
use crate::lanes::lane::Word;
use crate::lanes::vectors::{Inst, Vectors};

pub(super) static CLMUL: Row = Row {
    over_bits: OverBits::Bilinear,
    symmetric: |_, _| true,
    ..row(
        "clmul",
        Public::Nothing(|| Op::Clmul),
        types::TO_WIDE,
        |x| {
            let bits = bit_length(&x.range(0).hi) + bit_length(&x.range(1).hi);
            vec![Interval::bits(bits.saturating_sub(1))]
        },
        run!(clmul),
        Counted::Product(0),
    )
};

/// Bit by bit of the second operand: proofs run it on vectors with a single one.
fn clmul<L: Word>(m: &mut Vectors<L>, x: &Inst<L>, _: u32) {
    m.map2(x, |a, mut b| {
        let mut sum = L::ZERO;
        while b != L::ZERO {
            let bit = b & L::ZERO.sub(b);
            sum = sum ^ a.mul(bit);
            b = b ^ bit;
        }
        sum
    });
}

pub(super) static RIJNDAEL_MUL: Row = Row {
    over_bits: OverBits::Bilinear,
    symmetric: |_, _| true,
    ..row(
        "rijndael_mul",
        Public::Nothing(|| Op::RijndaelMul),
        types::BYTES,
        |x| x.full(),
        run!(rijndael_mul),
        Counted::Product(0),
    )
};

/// All ones where bit j is set.
#[inline(always)]
fn spread<L: Word>(a: L, j: u32) -> L {
    L::ZERO.sub(a.shr(j) & L::ONE)
}

fn rijndael_mul<L: Word>(m: &mut Vectors<L>, x: &Inst<L>, _: u32) {
    let (byte, rest) = (L::mask(8), L::broadcast(0x1b));
    m.map2(x, |mut a, b| {
        let mut sum = L::ZERO;
        for j in 0..8 {
            sum = sum ^ a & spread(b, j);
            // Times x.
            a = a.shl(1) & byte ^ rest & spread(a, 7);
        }
        sum
    });
}

pub(super) static BIT_MATRIX: Row = Row {
    over_bits: OverBits::Linear,
    ..row("bit_matrix", Public::Images(Op::BitMatrix), types::BYTE, |x| x.full(), run!(bit_matrix), Counted::Logic)
};

fn bit_matrix<L: Word>(m: &mut Vectors<L>, x: &Inst<L>, _: u32) {
    if let Op::BitMatrix(images) = x.op {
        let images = images.to_le_bytes().map(|image| L::broadcast(image.into()));
        m.map1(x, |a| (0..).zip(images).fold(L::ZERO, |sum, (j, image)| sum ^ image & spread(a, j)));
    }
}
