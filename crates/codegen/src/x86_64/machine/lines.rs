//! Registers that hold a line of the constants, and look-ups in two of them. **Trusted.**
//!
//! What a register holds is alike for every 64 bits of it, but for one that a whole line of the program's constants was
//! loaded into: that one holds these 64 bytes and no forms, so that every other instruction finds nothing in it. A look-up
//! takes its table from two such registers. Which 16 or 32 bits of the index are in work does not matter to what they find
//! there: the table is the same for all, so the result is alike for every 64 bits again. A look-up of halves reads its line
//! where it lies, the same for all 32 bits of a register.

use super::registers::Parts;
use super::{Content, Fault, Machine};
use crate::check::tables::{HALF_BITS, OF_HALVES};
use crate::x86_64::instruction::{Base, Operand};
use crate::x86_64::vector::Width;

impl Machine<'_> {
    /// Loads a line of the constants, all of which must be there.
    pub(super) fn load_line(&mut self, r: u8, from: &Operand, width: Width) -> Result<(), Fault> {
        let Operand::Memory(address) = from else { return Err(Fault::Form) };
        let at = i64::from(address.displacement);
        if address.base != Base::Constants
            || address.index.is_some()
            || at % 8 != 0
            || usize::from(r) >= width.registers()
        {
            return Err(Fault::Access);
        }
        for word in 0..i64::from(width.bytes()) / 8 {
            self.constant_at(at + 8 * word, 8)?;
        }
        for unit in 0..self.own.units {
            self.own.vectors[unit][usize::from(r)] = None;
        }
        self.own.lines[usize::from(r)] = Some(at);
        Ok(())
    }

    /// So many entries that lie at a place of the constants.
    fn entries_at(&mut self, at: i64, count: usize, bits: u32) -> Result<Vec<u64>, Fault> {
        let mut entries = Vec::new();
        for i in 0..count as i64 {
            let Content::Word(entry, _) = self.constant_at(at + i64::from(bits / 8) * i, bits / 8)? else {
                return Err(Fault::Form);
            };
            entries.push(self.terms.word_value(entry).ok_or(Fault::Form)?);
        }
        Ok(entries)
    }

    /// The entries of the line in a register, of so many bits each.
    fn entries(&mut self, operand: Operand, bits: u32, width: Width) -> Result<Vec<u64>, Fault> {
        let Operand::Vector(r) = operand else { return Err(Fault::Form) };
        let line = self.own.lines.get(usize::from(r)).copied().flatten().ok_or(Fault::Undefined("table"))?;
        self.entries_at(line, (8 * width.bytes() / bits) as usize, bits)
    }

    /// Of each part of so many bits of the destination the entry at their lowest ones, of so many in two lines.
    pub(super) fn look_up(
        &mut self,
        operands: &[Operand],
        n: u32,
        width: Width,
        (count, bits): (usize, u32),
    ) -> Result<(), Fault> {
        let [d @ Operand::Vector(r), low, high] = operands else { return Err(Fault::Form) };
        if !width.has_masks() || n != 64 || self.own.each != 1 {
            return Err(Fault::Form);
        }
        let mut entries = self.entries(*low, bits, width)?;
        entries.extend(self.entries(*high, bits, width)?);
        if entries.len() != count {
            return Err(Fault::Form);
        }
        self.found(*r, *d, &entries, bits, width)
    }

    /// Of each 32 bits of the index the entry at their lowest three, of a line in the constants.
    pub(super) fn look_up_halves(&mut self, operands: &[Operand], n: u32, width: Width) -> Result<(), Fault> {
        let [Operand::Vector(r), index @ Operand::Vector(_), Operand::Memory(address)] = operands else {
            return Err(Fault::Form);
        };
        if width != Width::Y || n != 64 || self.own.each != 1 {
            return Err(Fault::Form);
        }
        if address.base != Base::Constants || address.index.is_some() {
            return Err(Fault::Access);
        }
        let entries = self.entries_at(address.displacement.into(), OF_HALVES, HALF_BITS)?;
        self.found(*r, *index, &entries, HALF_BITS, width)
    }

    /// Writes, for so many bits of the index each, the entry at their lowest bits.
    fn found(&mut self, r: u8, index: Operand, entries: &[u64], bits: u32, width: Width) -> Result<(), Fault> {
        for unit in 0..self.own.units {
            self.own.unit = unit;
            let x = self.element(index, 64, 0, width)?;
            let mut parts = Vec::new();
            for shift in (0..64).step_by(bits as usize) {
                let at = self.terms.shift_right(x, shift);
                let at = self.terms.low(at, entries.len().ilog2());
                let found = self.terms.look_up(entries, at);
                parts.push((self.terms.int(found), 1i128 << shift));
            }
            let whole = self.terms.sum(&parts, 0);
            let whole = self.terms.seal(whole, 0, u64::MAX.into());
            self.set_register(r, width, Parts::Whole(whole))?;
        }
        Ok(())
    }
}
