//! Addresses, loads and stores.

use super::constants::moved;
use super::{Content, Fault, Machine, RED_ZONE};
use crate::check::terms::Word;
use crate::x86_64::program::{Address, Base, Gpr, Operand};

impl Machine<'_> {
    pub(super) fn load_slot(&self, offset: i64) -> Result<Content, Fault> {
        if offset % 8 != 0 {
            return Err(Fault::Stack);
        }
        self.stack.get(&offset).copied().ok_or(Fault::Undefined("stack slot"))
    }

    /// Only below the return address, and not below the red zone.
    pub(super) fn store_slot(&mut self, offset: i64, content: Content) -> Result<(), Fault> {
        if offset % 8 != 0 || offset >= 0 || offset < self.top()? - RED_ZONE {
            return Err(Fault::Stack);
        }
        self.stack.insert(offset, content);
        Ok(())
    }

    pub(super) fn lea(&mut self, address: &Address) -> Result<Content, Fault> {
        let Base::Register(base) = address.base else { return Err(Fault::Address) };
        let base = self.registers[base.number() as usize];
        if let Some(offset) = self.known_offset(address)? {
            match base {
                Content::Known(x) => return Ok(Content::Known(x.wrapping_add(offset))),
                Content::Array(..) | Content::Stack(_) | Content::Frame(..) => return moved(base, offset as i64),
                _ => {}
            }
        }
        // No address, but a sum.
        let Some((x, 64)) = self.number(base) else {
            return Err(if base == Content::Undefined { Fault::Undefined("base") } else { Fault::Address });
        };
        let mut offset = self.terms.word_constant(i64::from(address.displacement) as u64);
        if let Some((index, scale)) = address.index {
            let x = self.read(Operand::Register(index), 64)?;
            let x = self.terms.shift_left(x, scale.trailing_zeros(), 64);
            offset = if address.displacement == 0 { x } else { self.terms.add(x, offset, 64) };
        }
        Ok(Content::Word(self.terms.add(x, offset, 64), 64))
    }

    /// What is added to the base of an address, where it derives from constants alone.
    fn known_offset(&self, address: &Address) -> Result<Option<u64>, Fault> {
        let displacement = i64::from(address.displacement) as u64;
        let Some((index, scale)) = address.index else { return Ok(Some(displacement)) };
        if index == Gpr::Rsp || ![1, 2, 4, 8].contains(&scale) {
            return Err(Fault::Form);
        }
        Ok(match self.registers[index.number() as usize] {
            Content::Known(x) => Some(x.wrapping_mul(u64::from(scale)).wrapping_add(displacement)),
            _ => None,
        })
    }

    pub(super) fn load(&mut self, address: &Address, bytes: u32) -> Result<Content, Fault> {
        if address.base == Base::Constants {
            let at = i64::from(address.displacement);
            let last = at + i64::from(bytes) - 1;
            let fits = address.index.is_none()
                && at >= 0
                && last < 8 * self.program.constants.len() as i64
                && at / 8 == last / 8;
            if !fits {
                return Err(Fault::Access);
            }
            let word = self.program.constants[(at / 8) as usize] >> (8 * (at % 8));
            let word = if bytes == 8 { word } else { word & ((1 << (8 * bytes)) - 1) };
            return Ok(Content::Word(self.terms.word_constant(word), (8 * bytes) as u8));
        }
        match self.lea(address)? {
            Content::Stack(offset) if bytes == 8 => self.load_slot(offset),
            Content::Stack(_) => Err(Fault::Stack),
            Content::Array(param, offset) => self.load_array(param, offset, bytes),
            _ => Err(Fault::Address),
        }
    }

    /// Reads an element of a parameter's array.
    pub(super) fn element_of(&mut self, param: usize, i: usize) -> Result<Word, Fault> {
        self.order.read(param, i);
        self.memory.elements[self.memory.class[param]][i].ok_or(Fault::Undefined("array element"))
    }

    /// Writes one.
    pub(super) fn set_element(&mut self, param: usize, i: usize, x: Word) {
        self.order.write(param, i);
        self.memory.elements[self.memory.class[param]][i] = Some(x);
    }

    fn load_array(&mut self, param: usize, offset: i64, bytes: u32) -> Result<Content, Fault> {
        let info = &self.program.params[param];
        if self.program.lanes.count != 1 {
            // Only whole vectors are elements of all lanes.
            return Err(Fault::Access);
        }
        let size = i64::from(info.element_bytes);
        let bytes = i64::from(bytes);
        if offset < 0 || offset + bytes > size * i64::from(info.len) {
            return Err(Fault::Access);
        }
        let (first, inside) = (offset / size, offset % size);
        if bytes < size {
            // A part of one element.
            if inside + bytes > size {
                return Err(Fault::Access);
            }
            let x = self.element_of(param, first as usize)?;
            let x = self.terms.shift_right(x, 8 * inside as u32);
            let x = self.terms.low(x, 8 * bytes as u32);
            return Ok(Content::Word(x, 8 * bytes as u8));
        }
        if inside != 0 || bytes % size != 0 {
            return Err(Fault::Access);
        }
        let mut parts = Vec::new();
        for i in 0..bytes / size {
            let x = self.element_of(param, (first + i) as usize)?;
            parts.push((self.terms.int(x), 1i128 << (8 * size * i)));
        }
        let value = self.terms.sum(&parts, 0);
        let top = (1i128 << (8 * bytes)) - 1;
        Ok(Content::Word(self.terms.seal(value, 0, top), 8 * bytes as u8))
    }

    pub(super) fn store(&mut self, address: &Address, bytes: u32, content: Content) -> Result<(), Fault> {
        if address.base == Base::Constants {
            return Err(Fault::Access);
        }
        match self.lea(address)? {
            Content::Stack(offset) if bytes == 8 => self.store_slot(offset, content),
            Content::Stack(_) => Err(Fault::Stack),
            Content::Array(param, offset) => self.store_array(param, offset, bytes, content),
            _ => Err(Fault::Address),
        }
    }

    fn store_array(&mut self, param: usize, offset: i64, bytes: u32, content: Content) -> Result<(), Fault> {
        let info = &self.program.params[param];
        if self.program.lanes.count != 1 {
            return Err(Fault::Access);
        }
        let (size, len) = (i64::from(info.element_bytes), i64::from(info.len));
        let bytes = i64::from(bytes);
        if !info.written || offset < 0 || offset + bytes > size * len || offset % size != 0 || bytes % size != 0 {
            return Err(Fault::Access);
        }
        let (x, bits) = self.number(content).ok_or(Fault::Undefined("stored operand"))?;
        if i64::from(bits) < 8 * bytes {
            return Err(Fault::Undefined("stored operand"));
        }
        let x = self.terms.low(x, 8 * bytes as u32);
        for i in 0..bytes / size {
            let part = self.terms.shift_right(x, (8 * size * i) as u32);
            let part = self.terms.low(part, 8 * size as u32);
            self.set_element(param, (offset / size + i) as usize, part);
        }
        Ok(())
    }
}
