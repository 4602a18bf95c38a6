//! What derives from the program's constants alone: counters, pointers and the branches on them, by plain arithmetic
//! modulo 2^64. **Trusted.** That a function keeps to its arrays and that its branches are public rests on this file and
//! on nothing that a kernel's contract says: no form is read here, and none becomes a constant again.

use super::{Content, Fault, Machine, Zero};
use crate::x86_64::instruction::{Condition, Gpr, Opcode, Operand};

impl Machine<'_> {
    /// Runs an instruction on 64 bits of which all operands are constants, or of which the first is a pointer and the
    /// second moves or is compared with it. `false`: it is none, and nothing was done.
    pub(super) fn on_constants(&mut self, op: Opcode, operands: &[Operand]) -> Result<bool, Fault> {
        match (op, operands) {
            // The result does not depend on the register.
            (Opcode::Xor | Opcode::Sub, [Operand::Register(a), Operand::Register(b)]) if a == b => {
                self.set(*a, Content::Known(0))?;
                self.flags_of_constants(0, Some(false), op == Opcode::Xor);
                Ok(true)
            }
            (Opcode::Add | Opcode::Sub | Opcode::Cmp | Opcode::Imul | Opcode::Shl, [Operand::Register(r), b]) => {
                let Some(y) = self.constant_or_pointer(*b) else { return Ok(false) };
                match (self.registers[r.number() as usize], y) {
                    (Content::Known(x), Content::Known(y)) => {
                        let (z, carry) = match op {
                            Opcode::Add => (x.wrapping_add(y), Some(x.checked_add(y).is_none())),
                            Opcode::Sub | Opcode::Cmp => (x.wrapping_sub(y), Some(x < y)),
                            Opcode::Imul => (x.wrapping_mul(y), None),
                            // A shift by no place leaves the flags; nobody needs it.
                            Opcode::Shl if (1..64).contains(&y) => (x << y, None),
                            _ => return Ok(false),
                        };
                        if op != Opcode::Cmp {
                            self.set(*r, Content::Known(z))?;
                        }
                        match op {
                            Opcode::Imul => (self.own.carry, self.own.overflow, self.own.zero) = (None, None, None),
                            _ => self.flags_of_constants(z, carry, false),
                        }
                        Ok(true)
                    }
                    (x @ (Content::Array(..) | Content::Stack(_) | Content::Frame(..) | Content::Constants(_)), y) => {
                        self.pointer_arithmetic(op, *r, x, y)?;
                        Ok(true)
                    }
                    _ => Ok(false),
                }
            }
            (Opcode::Imul, [Operand::Register(r), b, c]) => match (self.constant_or_pointer(*b), c) {
                (Some(Content::Known(x)), Operand::Immediate(y)) => {
                    self.set(*r, Content::Known(x.wrapping_mul(*y as u64)))?;
                    (self.own.carry, self.own.overflow, self.own.zero) = (None, None, None);
                    Ok(true)
                }
                _ => Ok(false),
            },
            _ => Ok(false),
        }
    }

    /// An operand in a register or in the code; what lies in memory becomes a constant by `mov` only.
    fn constant_or_pointer(&self, operand: Operand) -> Option<Content> {
        match operand {
            Operand::Immediate(x) => Some(Content::Known(x as u64)),
            Operand::Register(r) => Some(self.registers[r.number() as usize])
                .filter(|x| matches!(x, Content::Known(_) | Content::Array(..) | Content::Stack(_))),
            _ => None,
        }
    }

    fn flags_of_constants(&mut self, z: u64, carry: Option<bool>, clears_overflow: bool) {
        self.own.carry = carry.map(|carry| self.known_flag(i128::from(carry)));
        self.own.overflow = clears_overflow.then(|| self.known_flag(0));
        self.own.zero = Some(Zero::Known(z == 0));
    }

    /// Is the branch taken? Only a zero flag that constants or two pointers into one array made says so.
    pub(super) fn known_condition(&self, condition: Condition) -> Result<bool, Fault> {
        match (condition, self.own.zero) {
            (Condition::Zero, Some(Zero::Known(zero))) => Ok(zero),
            (Condition::NotZero, Some(Zero::Known(zero))) => Ok(!zero),
            _ => Err(Fault::SecretBranch),
        }
    }

    /// Steps of pointers by constants, and comparisons of two pointers into one array.
    fn pointer_arithmetic(&mut self, op: Opcode, r: Gpr, x: Content, y: Content) -> Result<(), Fault> {
        let difference = match (x, y) {
            (Content::Array(p, i), Content::Array(q, j)) if p == q => i.checked_sub(j),
            (Content::Stack(i), Content::Stack(j)) => i.checked_sub(j),
            _ => None,
        };
        (self.own.carry, self.own.overflow, self.own.zero) = (None, None, None);
        match (op, difference, y) {
            (Opcode::Cmp | Opcode::Sub, Some(difference), _) => {
                if op == Opcode::Sub {
                    self.set(r, Content::Known(difference as u64))?;
                }
                self.own.zero = Some(Zero::Known(difference == 0));
                Ok(())
            }
            (Opcode::Add, None, Content::Known(step)) => self.set(r, Self::moved(x, step as i64)?),
            (Opcode::Sub, None, Content::Known(step)) => self.set(r, Self::moved(x, (step as i64).wrapping_neg())?),
            _ => Err(Fault::Address),
        }
    }
}
