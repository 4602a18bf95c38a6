//! Squaring in a normal basis.
//!
//! * **computes** `a²`: coordinate i of the square is coordinate i − 1 of a, modulo m.
//! * **needs** any normal basis. The output may be the operand.
//! * **gives** the square's coordinates.
//! * **cost** no operation: m loads and m stores, which disappear when the caller renames instead.
//! * **source** Massey and Omura, US patent 4587627 (1986).

use super::coordinates::{binary, normal_bits};
use super::frobenius;
use crate::operation::Operation;
use crate::recipe::Whole;

/// One-bit words.
pub const SQUARING: Whole = Whole {
    name: "squaring",
    applies: |f, l, op| *op == Operation::SQUARE && normal_bits(f, l),
    write: |f, l, op| Ok(frobenius::kernel(&format!("{}_squaring", op.name()), binary(f)?, l, 1)),
};
