//! What languages have a body for, beyond operators: named by what it computes, asked for by who calls it.

use std::collections::BTreeSet;

use super::model::container;

/// A helper function; the first number is always the bits of the operands. The order is the order of printing: users
/// come after what they use.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Helper {
    /// Hides a value's origin from the compiler.
    Barrier(u32),
    /// A flag as a mask.
    Mask(u32),
    /// Sum with carry in and out.
    AddCarry(u32),
    /// Sum with carry in.
    AddWithCarry(u32),
    /// Difference with borrow in and out.
    SubBorrow(u32),
    /// Difference with borrow in.
    SubWithBorrow(u32),
    /// Both words of a product.
    MulWide(u32),
    /// Both words of a·b + c + d.
    MulAddAdd(u32),
    /// Accumulator plus low half of a product of k-bit parts.
    MaddLo(u32, u32),
    /// Accumulator plus high half of a product of k-bit parts.
    MaddHi(u32, u32),
    /// Mask of equality.
    Equal(u32),
    /// Mask of unsigned less-than.
    Less(u32),
    /// One selection.
    Select(u32),
    /// That many selections by one mask.
    SelectGroup(u32, u32),
    /// Arithmetic shift right.
    Sar(u32),
    /// Rotation to the left.
    Rotate(u32),
    /// The low word of a double word shifted right.
    Funnel(u32),
    /// Carry-less product.
    Clmul(u32),
    /// Product of two bytes modulo x^8 + x^4 + x^3 + x + 1.
    RijndaelMul,
    /// Sum of the images of the bits of a byte.
    BitMatrix,
    /// Entry of a constant table at a secret index, by reading all of it.
    Lookup(u32),
    /// Bits as a double.
    BitsToFloat,
    /// A double as bits.
    FloatToBits,
    /// A public index into a ring, less than twice its length.
    WrapIndex,
    /// Any public index into a ring.
    FloorIndex,
}

use Helper::*;

impl Helper {
    /// Adds it and what its body uses.
    pub fn add_to(self, all: &mut BTreeSet<Helper>) {
        if !all.insert(self) {
            return;
        }
        let uses = match self {
            Mask(n) => vec![Barrier(container(n))],
            Equal(n) => vec![Mask(n)],
            Less(n) => vec![SubBorrow(n), Mask(n)],
            Lookup(_) => vec![Equal(64)],
            _ => vec![],
        };
        uses.into_iter().for_each(|helper| helper.add_to(all));
    }

    /// Its name in every language.
    pub fn name(self) -> String {
        match self {
            Barrier(n) => format!("barrier_{n}"),
            Mask(n) => format!("mask_{n}"),
            AddCarry(n) => format!("add_carry_{n}"),
            AddWithCarry(n) => format!("add_with_carry_{n}"),
            SubBorrow(n) => format!("sub_borrow_{n}"),
            SubWithBorrow(n) => format!("sub_with_borrow_{n}"),
            MulWide(n) => format!("mul_wide_{n}"),
            MulAddAdd(n) => format!("mul_add_add_{n}"),
            MaddLo(n, k) => format!("madd_lo_{k}_of_{n}"),
            MaddHi(n, k) => format!("madd_hi_{k}_of_{n}"),
            Equal(n) => format!("equal_{n}"),
            Less(n) => format!("less_{n}"),
            Select(n) => format!("select_{n}"),
            SelectGroup(n, count) => format!("select_{n}_times_{count}"),
            Sar(n) => format!("shift_right_signed_{n}"),
            Rotate(n) => format!("rotate_left_{n}"),
            Funnel(n) => format!("shift_right_double_{n}"),
            Clmul(n) => format!("carryless_mul_{n}"),
            RijndaelMul => "rijndael_mul".to_string(),
            BitMatrix => "bit_matrix".to_string(),
            Lookup(n) => format!("lookup_{n}"),
            BitsToFloat => "bits_to_double".to_string(),
            FloatToBits => "double_to_bits".to_string(),
            WrapIndex => "wrap_index".to_string(),
            FloorIndex => "ring_index".to_string(),
        }
    }
}
