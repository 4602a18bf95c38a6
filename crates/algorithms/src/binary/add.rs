//! Sum and difference over GF(2).
//!
//! * **computes** `a + b` and `a − b`, which are the same, coordinate by coordinate.
//! * **needs** any basis. The output may be an operand.
//! * **gives** the sum's coordinates.
//! * **cost** m XORs.
//! * **source** the definition. The contract takes both operands as one vector of 2m bits, of which the sum is a linear
//!   map.

use evariste_ir::{Builder, Value};

use super::coordinates::{binary, element_in, element_out, joined, linear_contract, one_bit_words};
use crate::operation::Operation;
use crate::recipe::Whole;

/// One-bit words.
pub const XOR: Whole = Whole {
    name: "xor",
    applies: |f, l, op| op.is_any(&[Operation::ADD, Operation::SUB]) && one_bit_words(f, l),
    write: |f, l, op| {
        let m = binary(f)?.degree;
        let mut b = Builder::new(format!("{}_xor", op.name()), 1);
        let (out, output) = element_out(&mut b, l);
        let (x, y) = (element_in(&mut b, "a", l), element_in(&mut b, "b", l));
        let (p, q) = (b.load_all(x.array), b.load_all(y.array));
        let sum: Vec<Value> = p.iter().zip(&q).map(|(p, q)| b.xor(*p, *q)).collect();
        b.store_all(out, &sum);
        let images = (0..2 * m).map(|i| vec![i % m]).collect();
        Ok(b.finish(linear_contract(output, joined(x.operand, y.operand), images)))
    },
};
