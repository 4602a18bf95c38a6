//! Squaring in a normal basis.
//!
//! * **computes** `a²`: coordinate i of the square is coordinate i − 1 of a, modulo m.
//! * **needs** any normal basis. The output may be the operand.
//! * **gives** the square's coordinates.
//! * **cost** no operation: m loads and m stores, which disappear when the caller renames instead.
//! * **source** Massey and Omura, US patent 4587627 (1986).

use evariste_ir::{Builder, Value};

use super::coordinates::{binary, element_in, element_out, linear_contract, normal_bits};
use crate::operation::Operation;
use crate::registry::Whole;

/// One-bit words.
pub const SQUARING: Whole = Whole {
    name: "squaring",
    applies: |f, l, op| *op == Operation::Square && normal_bits(f, l),
    write: |f, l, op| {
        let m = binary(f)?.degree;
        let mut b = Builder::new(format!("{}_squaring", op.name()), 1);
        let (out, output) = element_out(&mut b, l);
        let x = element_in(&mut b, "a", l);
        let a = b.load_all(x.array);
        let rotated: Vec<Value> = (0..m as usize).map(|i| a[(i + m as usize - 1) % m as usize]).collect();
        b.store_all(out, &rotated);
        let images = (0..m).map(|i| vec![(i + 1) % m]).collect();
        Ok(b.finish(linear_contract(output, x.operand, images)))
    },
};
