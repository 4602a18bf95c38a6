//! Each operation on one-bit words as a C statement on all lanes: logic only.

use evariste_ir::{Op, Value};

use crate::error::EmitError;

use super::function::Printer;
use super::names;

impl Printer<'_> {
    /// Defines each live result by its expression.
    fn define_all(&mut self, results: &[Value], expressions: &[String]) {
        for (result, expression) in results.iter().zip(expressions) {
            if self.is_live(*result) {
                self.define(*result, expression);
            }
        }
    }

    /// Prints one live operation of a bit-sliced kernel; fails on the few that mean nothing on single bits.
    pub(super) fn lane_operation(&mut self, op: &Op, args: &[Value], results: &[Value]) -> Result<(), EmitError> {
        let a: Vec<String> = args.iter().map(|v| self.value(*v)).collect();
        let majority = |x: &str, y: &str, z: &str| format!("({x} & {y}) | ({z} & ({x} ^ {y}))");
        let expressions = match op {
            Op::Const(_) => vec![],
            Op::Add | Op::Sub | Op::WrappingAdd | Op::WrappingSub | Op::Xor => vec![format!("{} ^ {}", a[0], a[1])],
            Op::And | Op::Mul | Op::WrappingMul => vec![format!("{} & {}", a[0], a[1])],
            Op::Or => vec![format!("{} | {}", a[0], a[1])],
            Op::AndNot => vec![format!("{} & ~{}", a[0], a[1])],
            Op::Not => vec![format!("~{}", a[0])],
            Op::Equal => vec![format!("~({} ^ {})", a[0], a[1])],
            Op::Less => vec![format!("~{} & {}", a[0], a[1])],
            Op::Select => vec![format!("{} ^ ({} & ({} ^ {}))", a[2], a[0], a[1], a[2])],
            Op::MulWide => vec![format!("{} & {}", a[0], a[1]), "0".to_string()],
            Op::MulAddAdd => {
                let product = format!("({} & {})", a[0], a[1]);
                vec![format!("{product} ^ {} ^ {}", a[2], a[3]), majority(&a[2], &a[3], &product)]
            }
            Op::MaddLo(_) => vec![format!("{} ^ ({} & {})", a[0], a[1], a[2])],
            Op::AddCarry => vec![format!("{} ^ {} ^ {}", a[0], a[1], a[2]), majority(&a[0], &a[1], &a[2])],
            Op::SubBorrow => {
                vec![format!("{} ^ {} ^ {}", a[0], a[1], a[2]), majority(&format!("~{}", a[0]), &a[1], &a[2])]
            }
            Op::FlagToWord
            | Op::FlagToMask
            | Op::MaskToWord
            | Op::MaskToFlag
            | Op::MaddHi(_)
            | Op::LowBits(1)
            | Op::Widen
            | Op::Narrow
            | Op::Split
            | Op::Join => {
                vec![a[0].clone()]
            }
            Op::Rotate(_) => vec![a[0].clone()],
            Op::Shl(k) | Op::WrappingShl(k) | Op::Shr(k) | Op::Sar(k) if k.constant() == Some(0) => vec![a[0].clone()],
            Op::FunnelShift(k) if k.constant() == Some(0) => vec![a[1].clone()],
            Op::FunnelShift(k) if k.constant() == Some(1) => vec![a[0].clone()],
            Op::Lookup { table, .. } => {
                let info = self.prepared.kernel.array(*table);
                let name = names::array(&info.name);
                let one = if info.len > 1 { 1 } else { 0 };
                vec![format!("({} & {name}[{one}]) | (~{} & {name}[0])", a[0], a[0])]
            }
            _ => {
                return Err(EmitError::Unsupported {
                    kernel: self.prepared.kernel.name.clone(),
                    what: format!("`{}` on one-bit words", op.name()),
                    language: "bit-sliced C",
                    help: "write it with and, or, xor, not and select",
                });
            }
        };
        self.define_all(results, &expressions);
        Ok(())
    }
}
