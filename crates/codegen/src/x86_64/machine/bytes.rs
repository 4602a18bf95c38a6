//! Vector instructions on elements of bytes, on forms. **Trusted.**
//!
//! Every instruction that is known here works on each byte of its operands alone, and so does memory: word i of a group
//! of elements is one vector. So a register stands for a byte of it, any of them.

use super::registers::Parts;
use super::{Content, Fault, Machine};
use crate::check::terms::Word;
use crate::x86_64::instruction::{Base, Operand};
use crate::x86_64::vector::{Vector, Width};

/// The images of the bits of a byte under the matrix that `vgf2p8affineqb` takes: bit i of the result is the parity of
/// byte 7 − i of the matrix and the operand.
fn images(matrix: u64) -> u64 {
    let rows = matrix.to_be_bytes();
    (0..64).filter(|at| rows[at % 8] >> (at / 8) & 1 == 1).fold(0, |all, at| all | 1 << at)
}

impl Machine<'_> {
    /// An instruction of a program whose elements are bytes.
    pub(super) fn bytes(&mut self, op: Vector, operands: &[Operand], n: u32, width: Width) -> Result<(), Fault> {
        // What works bit by bit may call its elements what it likes.
        if if op.counts_bytes() { n != 8 } else { !matches!(n, 32 | 64) } {
            return Err(Fault::Form);
        }
        let (register, word) = match (op, operands) {
            (Vector::ZeroUpper, []) => {
                self.own.vectors[0][..16].fill(None);
                return Ok(());
            }
            (Vector::Move, [Operand::Memory(address), Operand::Vector(r)]) => {
                let x = self.byte(Operand::Vector(*r), width)?;
                return self.store_vector(address, width, Parts::Whole(x));
            }
            (Vector::Move, [Operand::Vector(r), from @ (Operand::Vector(_) | Operand::Memory(_))]) => {
                (*r, self.byte(*from, width)?)
            }
            (Vector::Broadcast, [Operand::Vector(r), Operand::Memory(address)]) if address.base == Base::Constants => {
                match self.load(address, 1)? {
                    Content::Word(x, 8) => (*r, x),
                    _ => return Err(Fault::Form),
                }
            }
            // The result does not depend on the register.
            (Vector::Xor, [Operand::Vector(r), Operand::Vector(a), Operand::Vector(b)]) if a == b => {
                (*r, self.terms.word_constant(0))
            }
            (Vector::BitMatrix, [Operand::Vector(r), a @ Operand::Vector(_), Operand::Broadcast(address)])
                if width.has_masks() && address.base == Base::Constants =>
            {
                let Content::Word(matrix, 64) = self.load(address, 8)? else { return Err(Fault::Form) };
                let matrix = self.terms.word_value(matrix).ok_or(Fault::Form)?;
                let x = self.byte(*a, width)?;
                (*r, self.terms.bit_matrix(images(matrix), x))
            }
            (Vector::Compare(comparison), [Operand::Mask(k), a @ Operand::Vector(_), b]) if width.has_masks() => {
                let (x, y) = (self.byte(*a, width)?, self.byte(*b, width)?);
                let flag = self.compared(comparison, x, y, 8);
                return self.set_mask(*k, Parts::Whole(flag));
            }
            (Vector::Blend, [Operand::Masked(r, k), a @ Operand::Vector(_), b]) if width.has_masks() => {
                // Of this mask one bit for a byte: no other program has set it.
                let flag = self.mask(*k, 64, 0)?;
                let (x, y) = (self.byte(*a, width)?, self.byte(*b, width)?);
                (*r, self.terms.select(flag, y, x))
            }
            (_, [Operand::Vector(r), a @ Operand::Vector(_), b]) => {
                let (x, y) = (self.byte(*a, width)?, self.byte(*b, width)?);
                (*r, self.byte_of_two(op, *r, x, y, width)?)
            }
            _ => return Err(Fault::Form),
        };
        self.set_register(register, width, Parts::Whole(word))
    }

    /// What an instruction makes of two bytes, and of the one in its destination.
    fn byte_of_two(&mut self, op: Vector, d: u8, x: Word, y: Word, width: Width) -> Result<Word, Fault> {
        Ok(match op {
            Vector::And => self.terms.and(x, y),
            Vector::Or => self.terms.or(x, y),
            Vector::Xor => self.terms.xor(x, y),
            Vector::AndNot => self.terms.and_not(y, x, 8),
            Vector::RijndaelMul => self.terms.rijndael_mul(x, y),
            Vector::Ternary(table) if width.has_masks() => {
                let d = self.byte(Operand::Vector(d), width)?;
                self.logic_of_three(table, [d, x, y], 8)?
            }
            _ => return Err(Fault::Form),
        })
    }

    /// What a register or a vector in memory holds in the byte that is followed.
    fn byte(&mut self, operand: Operand, width: Width) -> Result<Word, Fault> {
        match operand {
            Operand::Vector(_) | Operand::Memory(_) => match self.held(operand, 8, width)? {
                Parts::Whole(x) => Ok(self.terms.low(x, 8)),
                Parts::Halves(..) => Err(Fault::Form),
            },
            _ => Err(Fault::Form),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::images;

    #[test]
    fn matrices_by_their_images() {
        // The identity as the instruction has it: byte 7 has bit 0.
        assert_eq!(images(0x0102_0408_1020_4080), 0x8040_2010_0804_0201);
        // Bit 0 of the result is bit 3 of the operand.
        assert_eq!(images(0x0800_0000_0000_0000), 0x0000_0000_0100_0000);
    }
}
