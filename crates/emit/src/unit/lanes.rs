//! Each operation on one-bit words as logic on all lanes.

use evariste_ir::{Op, Value};

use crate::error::EmitError;

use super::build::Writer;
use super::data::Bitwise::{And, Or, Xor};
use super::data::Expression;
use super::place::Place;

fn and(a: &Expression, b: &Expression) -> Expression {
    Expression::logic(And, 1, a.clone(), b.clone())
}

fn or(a: &Expression, b: &Expression) -> Expression {
    Expression::logic(Or, 1, a.clone(), b.clone())
}

fn xor(a: &Expression, b: &Expression) -> Expression {
    Expression::logic(Xor, 1, a.clone(), b.clone())
}

fn not(a: &Expression) -> Expression {
    Expression::inverted(1, a.clone())
}

fn majority(x: &Expression, y: &Expression, z: &Expression) -> Expression {
    or(&and(x, y), &and(z, &xor(x, y)))
}

impl Writer<'_> {
    /// Writes one live operation of a bit-sliced kernel; fails on the few that mean nothing on single bits.
    pub(super) fn lane_operation(&mut self, op: &Op, args: &[Value], results: &[Value]) -> Result<(), EmitError> {
        let a: Vec<Expression> = args.iter().map(|v| self.value(*v)).collect();
        let zero = || Expression::Constant(evariste_ir::Type::Word(1), 0.into());
        let expressions = match op {
            Op::Const(_) => vec![],
            Op::Add | Op::Sub | Op::WrappingAdd | Op::WrappingSub | Op::Xor => vec![xor(&a[0], &a[1])],
            Op::And | Op::Mul | Op::WrappingMul => vec![and(&a[0], &a[1])],
            Op::Or => vec![or(&a[0], &a[1])],
            Op::AndNot => vec![and(&a[0], &not(&a[1]))],
            Op::Not => vec![not(&a[0])],
            Op::Equal => vec![not(&xor(&a[0], &a[1]))],
            Op::Less => vec![and(&not(&a[0]), &a[1])],
            Op::Select => vec![xor(&a[2], &and(&a[0], &xor(&a[1], &a[2])))],
            Op::MulWide => vec![and(&a[0], &a[1]), zero()],
            Op::MulAddAdd => {
                let product = and(&a[0], &a[1]);
                vec![xor(&xor(&product, &a[2]), &a[3]), majority(&a[2], &a[3], &product)]
            }
            Op::MaddLo(_) => vec![xor(&a[0], &and(&a[1], &a[2]))],
            Op::AddCarry => vec![xor(&xor(&a[0], &a[1]), &a[2]), majority(&a[0], &a[1], &a[2])],
            Op::SubBorrow => vec![xor(&xor(&a[0], &a[1]), &a[2]), majority(&not(&a[0]), &a[1], &a[2])],
            Op::FlagToWord
            | Op::FlagToMask
            | Op::MaskToWord
            | Op::MaskToFlag
            | Op::MaddHi(_)
            | Op::LowBits(1)
            | Op::Widen
            | Op::Narrow
            | Op::Split
            | Op::Join
            | Op::Rotate(_) => vec![a[0].clone()],
            Op::Shl(k) | Op::WrappingShl(k) | Op::Shr(k) | Op::Sar(k) if k.constant() == Some(0) => vec![a[0].clone()],
            Op::FunnelShift(k) if k.constant() == Some(0) => vec![a[1].clone()],
            Op::FunnelShift(k) if k.constant() == Some(1) => vec![a[0].clone()],
            Op::Lookup { table, .. } => {
                let info = self.prepared.kernel.array(*table);
                let name = self.words.name(&info.name);
                let entry = |i: u64| Expression::Element(name.clone(), Place::constant(i));
                vec![or(&and(&a[0], &entry(u64::from(info.len > 1))), &and(&not(&a[0]), &entry(0)))]
            }
            _ => {
                return Err(EmitError::Unsupported {
                    kernel: self.prepared.kernel.name.clone(),
                    what: format!("`{}` on one-bit words", op.name()),
                    language: self.words.language,
                    help: "write it with and, or, xor, not and select",
                });
            }
        };
        for (result, expression) in results.iter().zip(expressions) {
            if self.is_live(*result) {
                self.define(*result, expression);
            }
        }
        Ok(())
    }
}
