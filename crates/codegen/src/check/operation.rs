//! What an operation of the kernel language means on forms. **Trusted**; it follows the table in `ir::op`.

mod conditions;
mod operands;
mod products;
mod shifts;
mod sizes;
mod sums;

use evariste_ir::{Op, Type};

pub use operands::{Item, Operands};
use operands::{one, widths};

use super::terms::Terms;
use super::words::FloatOp;

/// The format of doubles.
const DOUBLE: Type = Type::Float(53);

/// The results of an operation. `None`: the checker does not follow it.
pub fn execute(t: &mut Terms, op: &Op, on: &Operands<'_>) -> Option<Vec<Item>> {
    match op {
        // The caller knows the constant.
        Op::Const(_) => Some(Vec::new()),
        Op::Add | Op::WrappingAdd | Op::AddCarry => sums::sum(t, op, on),
        Op::Sub | Op::WrappingSub | Op::SubBorrow => sums::difference(t, op, on),
        Op::Mul | Op::WrappingMul | Op::MulFull => products::product(t, op, on),
        Op::MulWide | Op::MulAddAdd | Op::MaddLo(_) | Op::MaddHi(_) => products::with_sums(t, op, on),
        Op::FlagToWord | Op::FlagToMask | Op::MaskToFlag | Op::MaskToWord => conditions::converted(t, op, on),
        Op::Equal | Op::Less => conditions::compared(t, op, on),
        Op::Select => conditions::select(t, on),
        Op::Shl(_) | Op::WrappingShl(_) | Op::Shr(_) | Op::Sar(_) => shifts::shift(t, op, on),
        Op::Rotate(_) | Op::FunnelShift(_) => shifts::turn(t, op, on),
        Op::And | Op::Or | Op::Xor | Op::AndNot => bitwise(t, op, &on.args[0], &on.args[1], on.bits()),
        Op::Not => Some(vec![complement(t, &on.args[0], on.bits())]),
        Op::LowBits(_) | Op::Widen | Op::Narrow => sizes::resized(t, op, on),
        Op::Split => sizes::split(t, on),
        Op::Join => sizes::join(t, on),
        Op::BitsToFloat | Op::FloatToBits | Op::FloatAdd | Op::FloatSub | Op::FloatMul | Op::FloatFma => {
            float(t, op, on)
        }
        Op::Clmul if on.bits() == 64 => {
            let (lo, hi) = t.clmul(on.word(0)?, on.word(1)?);
            Some(vec![Item::Words(vec![lo, hi])])
        }
        Op::RijndaelMul if on.bits() == 8 => one(t.rijndael_mul(on.word(0)?, on.word(1)?)),
        Op::BitMatrix(images) if on.bits() == 8 => one(t.bit_matrix(*images, on.word(0)?)),
        Op::Clmul | Op::RijndaelMul | Op::BitMatrix(_) | Op::Lookup { .. } | Op::Defined(_) => None,
    }
}

/// Doubles, which are their patterns.
fn float(t: &mut Terms, op: &Op, on: &Operands<'_>) -> Option<Vec<Item>> {
    let (op, z) = match op {
        Op::BitsToFloat if on.to == [DOUBLE] => return one(on.word(0)?),
        Op::FloatToBits if on.from == [DOUBLE] => return one(on.word(0)?),
        _ if on.to != [DOUBLE] => return None,
        Op::FloatAdd => (FloatOp::Add, on.word(1)?),
        Op::FloatSub => (FloatOp::Sub, on.word(1)?),
        Op::FloatMul => (FloatOp::Mul, on.word(1)?),
        Op::FloatFma => (FloatOp::Fma, on.word(2)?),
        _ => return None,
    };
    one(t.float(op, on.word(0)?, on.word(1)?, z))
}

fn complement(t: &mut Terms, x: &Item, n: u32) -> Item {
    match x {
        Item::Words(limbs) => Item::Words(limbs.iter().zip(widths(n)).map(|(x, n)| t.not(*x, n)).collect()),
        Item::Flag(f) => Item::Flag(t.complement(*f)),
    }
}

fn bitwise(t: &mut Terms, op: &Op, x: &Item, y: &Item, n: u32) -> Option<Vec<Item>> {
    match (x, y) {
        (Item::Words(x), Item::Words(y)) => {
            let mut out = Vec::new();
            for ((x, y), n) in x.iter().zip(y).zip(widths(n)) {
                out.push(match op {
                    Op::And => t.and(*x, *y),
                    Op::Or => t.or(*x, *y),
                    Op::Xor => t.xor(*x, *y),
                    _ => t.and_not(*x, *y, n),
                });
            }
            Some(vec![Item::Words(out)])
        }
        (Item::Flag(f), Item::Flag(g)) => Some(vec![Item::Flag(match op {
            Op::And => t.flag_and(*f, *g),
            Op::Or => t.flag_or(*f, *g),
            Op::Xor => t.flag_xor(*f, *g),
            _ => {
                let g = t.complement(*g);
                t.flag_and(*f, g)
            }
        })]),
        _ => None,
    }
}
