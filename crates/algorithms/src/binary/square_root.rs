//! Square roots: every element has one.
//!
//! * **computes** `√a = a^(2^(m−1))`, a linear map.
//! * **needs** any basis; polynomials in one-bit words a degree of at most 300. The output may be the operand.
//! * **gives** the root's coordinates, and no flag: there is always one.
//! * **cost** that of the map (`frobenius`): in normal bases a rotation.
//! * **source** Fong, Hankerson, López, Menezes, "Field inversion and point halving revisited" (2004), section 3.3, by
//!   the map instead of a product by `√x`.

use super::coordinates::{binary, polynomial_bits};
use super::frobenius;
use super::linear::DENSE_DEGREE;
use crate::operation::Operation;
use crate::recipe::Whole;

/// By the map.
pub const HALF_FROBENIUS: Whole = Whole {
    name: "linear-root",
    applies: |f, l, op| {
        let short = !polynomial_bits(f, l) || f.bits() <= DENSE_DEGREE;
        *op == Operation::SQRT && binary(f).is_ok() && l.radix.is_none() && (l.word == 1 || l.word >= 8) && short
    },
    write: |field, l, _| {
        let f = binary(field)?;
        Ok(frobenius::kernel("sqrt_linear", f, l, f.degree - 1))
    },
};
