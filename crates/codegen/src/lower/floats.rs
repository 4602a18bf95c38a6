//! Doubles in lanes: a double is the word of its pattern.

use evariste_ir::float::Format;
use evariste_ir::{Op, Type};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::error::LowerError;
use super::writer::Writer;
use crate::graph::{Id, Kind, NONE, Operation};

/// The doubles; vectors have no others here.
const DOUBLE: Type = Type::Float(53);

/// The pattern of a constant double.
pub(super) fn pattern(c: &BigInt, ty: Type) -> Result<u64, LowerError> {
    let held = ty == DOUBLE && Format::new(53).is_some_and(|f| f.holds(c));
    let x = c
        .to_f64()
        .filter(|_| held)
        .ok_or_else(|| LowerError::Unsupported(format!("the floating-point constant {c}")))?;
    Ok(x.to_bits())
}

impl Writer {
    /// An operation on doubles, or one between them and their patterns; `None` for other formats.
    pub(super) fn float(&mut self, op: &Op, to: Type, from: Type, x: &[Id]) -> Option<Id> {
        if to != DOUBLE && from != DOUBLE {
            return None;
        }
        let (op, args) = match op {
            Op::BitsToFloat | Op::FloatToBits => return x.first().copied(),
            Op::FloatAdd => (Operation::FloatAdd, vec![x[0], x[1]]),
            Op::FloatSub => (Operation::FloatSub, vec![x[0], x[1]]),
            Op::FloatMul => (Operation::FloatMul, vec![x[0], x[1]]),
            Op::FloatFma => (Operation::FloatFma, vec![x[2], x[0], x[1]]),
            _ => return None,
        };
        let r = self.value(Kind::Word);
        self.push(op, &args, [r, NONE], true);
        Some(r)
    }
}
