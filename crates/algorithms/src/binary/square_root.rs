//! Square roots: every element has one.
//!
//! * **computes** `√a = a^(2^(m−1))`, a linear map.
//! * **needs** any basis; polynomials in one-bit words a degree of at most 300. The output may be the operand.
//! * **gives** the root's coordinates, and 1 as `valid`: so that programs of any field call a root alike.
//! * **cost** that of the map (`frobenius`): in normal bases a rotation.
//! * **source** Fong, Hankerson, López, Menezes, "Field inversion and point halving revisited" (2004), section 3.3, by
//!   the map instead of a product by `√x`.

use std::sync::Arc;

use evariste_ir::{Builder, Operand, Polynomial};

use super::coordinates::{binary, element_in, element_out, linear_contract, polynomial_bits};
use super::frobenius;
use super::linear::DENSE_DEGREE;
use crate::operation::Operation;
use crate::prime::power::Callee;
use crate::recipe::Whole;
use crate::signature::ValueClaim;

/// By the map.
pub const HALF_FROBENIUS: Whole = Whole {
    name: "linear-root",
    applies: |f, l, op| {
        let short = !polynomial_bits(f, l) || f.bits() <= DENSE_DEGREE;
        *op == Operation::SQRT && binary(f).is_ok() && l.radix.is_none() && (l.word == 1 || l.word >= 8) && short
    },
    write: |field, l, _| {
        let f = binary(field)?;
        let map = frobenius::kernel("root_map", f, l, f.degree - 1);
        let mut b = Builder::new("sqrt_linear", l.word);
        let (out, output) = element_out(&mut b, l);
        let valid = b.output("valid", 1, &[1.into()]);
        let x = element_in(&mut b, "a", l);
        Callee::new(&mut b, Arc::new(map), "map").call(&mut b, out, &[x.array]);
        let one = b.word_constant(1);
        b.store(valid, 0u32, one);
        let mut contract = linear_contract(output, x.operand, frobenius::images(f, f.degree - 1));
        let valid = Operand::new("valid", valid, &[0], &[1.into()], 1.into());
        contract.claims.push(ValueClaim::plain(Polynomial::constant(1), None).on(valid));
        Ok(b.finish(contract))
    },
};
