//! Vector instructions on forms. **Trusted.**
//!
//! All of them treat every lane alike, and so does memory: word i of a group of elements is one vector. So a register stands for one lane, any of them, and holds a
//! word. The stack holds vectors in a part of its own that begins at a multiple of 64: `and rsp, -64` opens it.

use super::{Content, Fault, Machine};
use crate::x86_64::program::{Address, Base, Inst, Operand};
use super::{Flag, Word};
use crate::x86_64::vector::{Comparison, Vector, Width};

/// A function of two bits: bit 2x + y of the table.
type Table = u8;

/// All functions of two bits, those first that kernels are written with.
const NATURAL: [Table; 16] = [0b1000, 0b1110, 0b0110, 0b0100, 0b0010, 0b1001, 0b0111, 0b0001, 0b1011, 0b1101, 0b1100, 0b1010, 0b0011, 0b0101, 0b0000, 0b1111];

/// The outer function of d and an inner one of a and b that make up a function of three, if there are such.
fn split(table: u8) -> Option<(Table, Table)> {
    let value = |t: u8, x: u8, y: u8| t >> (2 * x + y) & 1;
    NATURAL.iter().flat_map(|outer| NATURAL.iter().map(move |inner| (*outer, *inner))).find(|(outer, inner)| {
        (0..8u8).all(|i| {
            let (d, a, b) = (i >> 2, i >> 1 & 1, i & 1);
            table >> i & 1 == value(*outer, d, value(*inner, a, b))
        })
    })
}

impl Machine<'_> {
    pub(super) fn vector(&mut self, inst: &Inst, op: Vector, width: Width) -> Result<(), Fault> {
        let needs = crate::x86_64::vector::row(op, width).needs;
        if !self.program.features.covers(needs) {
            return Err(Fault::Feature);
        }
        let n = u32::from(inst.bits);
        let operands: Vec<Operand> = inst.operands().collect();
        let lanes = 8 * width.bytes() / n.max(1);
        if !matches!(n, 32 | 64) || op != Vector::ZeroUpper && (lanes != self.program.lanes.count || operands.len() > 3) {
            return Err(Fault::Form);
        }
        match (op, operands.as_slice()) {
            (Vector::ZeroUpper, []) => {
                self.vectors[..16].fill(None);
                Ok(())
            }
            (Vector::Move, [Operand::Memory(address), Operand::Vector(r)]) => {
                let x = self.register(*r, width)?;
                self.store_vector(address, width, x)
            }
            (Vector::Move, [to, from @ (Operand::Vector(_) | Operand::Memory(_))]) => {
                let x = self.element(*from, n, width)?;
                self.put_vector(*to, n, width, x)
            }
            (Vector::Broadcast, [Operand::Vector(r), Operand::Memory(address)]) => {
                let x = self.element(Operand::Broadcast(*address), n, width)?;
                self.put_vector(Operand::Vector(*r), n, width, x)
            }
            // The result does not depend on the register.
            (Vector::Xor, [Operand::Vector(d), Operand::Vector(a), Operand::Vector(b)]) if a == b => {
                let zero = self.terms.word_constant(0);
                self.put_vector(Operand::Vector(*d), n, width, zero)
            }
            (Vector::Compare(comparison), [Operand::Mask(k), a @ Operand::Vector(_), b]) if width == Width::Z => {
                let (x, y) = (self.element(*a, n, width)?, self.element(*b, n, width)?);
                let flag = match comparison {
                    Comparison::Less | Comparison::NotLess => {
                        let none = self.known_flag(0);
                        self.terms.sub_borrow(x, y, none, n).1
                    }
                    Comparison::Equal | Comparison::NotEqual => {
                        let difference = self.terms.sub(x, y, 64);
                        self.terms.nonzero(difference)
                    }
                };
                let negate = matches!(comparison, Comparison::NotLess | Comparison::Equal);
                let flag = if negate { self.terms.complement(flag) } else { flag };
                self.set_mask(*k, flag)
            }
            (Vector::MaskNot, [Operand::Mask(k), Operand::Mask(a)]) => {
                let flag = self.mask(*a)?;
                let flag = self.terms.complement(flag);
                self.set_mask(*k, flag)
            }
            (Vector::MaskAnd | Vector::MaskOr | Vector::MaskXor | Vector::MaskAndNot, [Operand::Mask(k), Operand::Mask(a), Operand::Mask(b)]) => {
                let (f, g) = (self.mask(*a)?, self.mask(*b)?);
                let flag = match op {
                    Vector::MaskAnd => self.terms.flag_and(f, g),
                    Vector::MaskOr => self.terms.flag_or(f, g),
                    Vector::MaskXor => self.terms.flag_xor(f, g),
                    _ => {
                        let f = self.terms.complement(f);
                        self.terms.flag_and(f, g)
                    }
                };
                self.set_mask(*k, flag)
            }
            (Vector::Blend, [Operand::Masked(d, k), a @ Operand::Vector(_), b]) if width == Width::Z => {
                let flag = self.mask(*k)?;
                let (x, y) = (self.element(*a, n, width)?, self.element(*b, n, width)?);
                let z = self.terms.select(flag, y, x);
                self.put_vector(Operand::Vector(*d), n, width, z)
            }
            (Vector::Shl(k) | Vector::Shr(k) | Vector::Sar(k) | Vector::Rol(k), [d, a @ Operand::Vector(_)]) => {
                let k = u32::from(k);
                if k >= n || width == Width::Y && (matches!(op, Vector::Rol(_)) || matches!(op, Vector::Sar(_)) && n == 64) {
                    return Err(Fault::Form);
                }
                let x = self.element(*a, n, width)?;
                let z = match op {
                    Vector::Shl(_) => self.terms.shift_left(x, k, n),
                    Vector::Shr(_) => self.terms.shift_right(x, k),
                    Vector::Sar(_) => self.terms.shift_right_signed(x, k, n),
                    _ => self.terms.rotate(x, k, n),
                };
                self.put_vector(*d, n, width, z)
            }
            // x ± y where the mask is set, else x: also x ± (y where the mask is set, else 0), which is the same number.
            (Vector::Add | Vector::Sub, [Operand::Masked(d, k), Operand::Vector(a), b]) if width == Width::Z && d == a => {
                let flag = self.mask(*k)?;
                let (x, y) = (self.element(Operand::Vector(*a), n, width)?, self.element(*b, n, width)?);
                let all = self.arithmetic(op, Operand::Vector(*d), x, y, n, width)?;
                let zero = self.terms.word_constant(0);
                let part = self.terms.select(flag, y, zero);
                let one = self.arithmetic(op, Operand::Vector(*d), x, part, n, width)?;
                let other = self.terms.select(flag, all, x);
                let (first, second) = (self.terms.int(one), self.terms.int(other));
                let zero = self.terms.sum(&[(first, 1), (second, -1)], 0);
                self.terms.learn_zero(zero);
                let one = self.terms.refresh_word(one);
                self.put_vector(Operand::Vector(*d), n, width, one)
            }
            (_, [d, a @ Operand::Vector(_), b]) => {
                let (x, y) = (self.element(*a, n, width)?, self.element(*b, n, width)?);
                let z = self.arithmetic(op, *d, x, y, n, width)?;
                self.put_vector(*d, n, width, z)
            }
            _ => Err(Fault::Form),
        }
    }

    fn arithmetic(&mut self, op: Vector, d: Operand, x: Word, y: Word, n: u32, width: Width) -> Result<Word, Fault> {
        let wide = width == Width::Z;
        Ok(match op {
            Vector::Add => self.terms.add(x, y, n),
            Vector::Sub => self.terms.sub(x, y, n),
            Vector::And => self.terms.and(x, y),
            Vector::Or => self.terms.or(x, y),
            Vector::Xor => self.terms.xor(x, y),
            Vector::AndNot => self.terms.and_not(y, x, n),
            Vector::Funnel(k) if wide && (1..n).contains(&u32::from(k)) => self.terms.funnel(y, x, u32::from(k), n),
            Vector::MulHalf if n == 64 => {
                let (x, y) = (self.terms.low(x, 32), self.terms.low(y, 32));
                self.terms.mul(x, y).0
            }
            Vector::MulLow if wide || n == 32 => {
                let z = self.terms.mul(x, y).0;
                self.terms.low(z, n)
            }
            Vector::MaddLow | Vector::MaddHigh if wide && n == 64 => {
                let (x, y) = (self.terms.low(x, 52), self.terms.low(y, 52));
                let (low, high) = self.terms.halves(x, y, 52);
                let accumulator = self.destination(d, width)?;
                self.terms.add(accumulator, if op == Vector::MaddLow { low } else { high }, 64)
            }
            Vector::Ternary(table) if wide => {
                let (outer, inner) = split(table).ok_or(Fault::Form)?;
                let accumulator = self.destination(d, width)?;
                let z = self.logic_of_two(inner, x, y, n);
                self.logic_of_two(outer, accumulator, z, n)
            }
            _ => return Err(Fault::Form),
        })
    }

    /// A function of two words, bit by bit.
    fn logic_of_two(&mut self, table: Table, x: Word, y: Word, n: u32) -> Word {
        let t = &mut *self.terms;
        match table & 15 {
            0b0000 => t.word_constant(0),
            0b1000 => t.and(x, y),
            0b1110 => t.or(x, y),
            0b0110 => t.xor(x, y),
            0b1100 => x,
            0b1010 => y,
            0b0100 => t.and_not(x, y, n),
            0b0010 => t.and_not(y, x, n),
            // What is true for two zeros is the complement of what is not.
            other => {
                let z = self.logic_of_two(!other & 15, x, y, n);
                self.terms.not(z, n)
            }
        }
    }

    /// What the destination holds before.
    fn destination(&mut self, d: Operand, width: Width) -> Result<Word, Fault> {
        match d {
            Operand::Vector(r) | Operand::Masked(r, _) => self.register(r, width),
            _ => Err(Fault::Form),
        }
    }

    fn register(&self, r: u8, width: Width) -> Result<Word, Fault> {
        let held = self.vectors.get(usize::from(r)).filter(|_| usize::from(r) < width.registers()).ok_or(Fault::Form)?;
        held.ok_or(Fault::Undefined("vector register"))
    }

    fn mask(&self, k: u8) -> Result<Flag, Fault> {
        let held = self.masks.get(usize::from(k)).filter(|_| k > 0).ok_or(Fault::Form)?;
        held.ok_or(Fault::Undefined("mask register"))
    }

    fn set_mask(&mut self, k: u8, flag: Flag) -> Result<(), Fault> {
        *self.masks.get_mut(usize::from(k)).filter(|_| k > 0).ok_or(Fault::Form)? = Some(flag);
        Ok(())
    }

    /// One lane of an operand, as a number below 2^n.
    fn element(&mut self, operand: Operand, n: u32, width: Width) -> Result<Word, Fault> {
        let x = match operand {
            Operand::Vector(r) => self.register(r, width)?,
            Operand::Memory(address) => self.load_vector(&address, width)?,
            Operand::Broadcast(address) => match self.load_constant(&address, n / 8)? {
                Content::Word(x, _) => x,
                _ => return Err(Fault::Form),
            },
            _ => return Err(Fault::Form),
        };
        Ok(self.terms.low(x, n))
    }

    fn load_constant(&mut self, address: &Address, bytes: u32) -> Result<Content, Fault> {
        if address.base != Base::Constants {
            return Err(Fault::Access);
        }
        self.load(address, bytes)
    }

    fn put_vector(&mut self, to: Operand, n: u32, width: Width, x: Word) -> Result<(), Fault> {
        let (r, x) = match to {
            Operand::Vector(r) => (r, x),
            Operand::Masked(r, k) if width == Width::Z => {
                let (flag, old) = (self.mask(k)?, self.register(r, width)?);
                let old = self.terms.low(old, n);
                (r, self.terms.select(flag, x, old))
            }
            _ => return Err(Fault::Form),
        };
        *self.vectors.get_mut(usize::from(r)).filter(|_| usize::from(r) < width.registers()).ok_or(Fault::Form)? = Some(x);
        Ok(())
    }

    /// Which vector of an array an offset means.
    fn vector_of(&self, param: usize, offset: i64, width: Width) -> Result<usize, Fault> {
        let (info, bytes) = (&self.program.params[param], i64::from(width.bytes()));
        let whole = i64::from(info.element_bytes) * i64::from(self.program.lanes.count) == bytes;
        let at = usize::try_from(offset / bytes).map_err(|_| Fault::Access)?;
        if !whole || offset < 0 || offset % bytes != 0 || at >= self.memory.elements[self.memory.class[param]].len() {
            return Err(Fault::Access);
        }
        Ok(at)
    }

    fn load_vector(&mut self, address: &Address, width: Width) -> Result<Word, Fault> {
        if address.base == Base::Constants {
            return Err(Fault::Access);
        }
        match self.lea(address)? {
            Content::Array(param, offset) => {
                let at = self.vector_of(param, offset, width)?;
                self.memory.elements[self.memory.class[param]][at].ok_or(Fault::Undefined("array element"))
            }
            Content::Frame(offset) => self.frame.get(&offset).copied().ok_or(Fault::Undefined("stack slot")),
            _ => Err(Fault::Address),
        }
    }

    fn store_vector(&mut self, address: &Address, width: Width, x: Word) -> Result<(), Fault> {
        if address.base == Base::Constants {
            return Err(Fault::Access);
        }
        match self.lea(address)? {
            Content::Array(param, offset) => {
                let at = self.vector_of(param, offset, width)?;
                if !self.program.params[param].written {
                    return Err(Fault::Access);
                }
                let class = self.memory.class[param];
                // A lane has no more bits than its place.
                let x = self.terms.low(x, 8 * self.program.params[param].element_bytes);
                self.memory.elements[class][at] = Some(x);
                self.memory.written[class][at] = true;
                Ok(())
            }
            Content::Frame(offset) if offset >= 0 && offset % 64 == 0 && offset + i64::from(width.bytes()) <= self.frame_bytes => {
                self.frame.insert(offset, x);
                Ok(())
            }
            _ => Err(Fault::Stack),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_split_into_two() {
        assert_eq!(split(0x96), Some((0b0110, 0b0110)));
        // d xor (a and b)
        assert_eq!(split(0x78), Some((0b0110, 0b1000)));
        // d or (a and b)
        assert_eq!(split(0xf8), Some((0b1110, 0b1000)));
        // The majority of three does not.
        assert_eq!(split(0xe8), None);
    }
}
