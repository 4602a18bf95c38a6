//! Loads and stores: the function's own stack, its arrays, its constants. **Trusted.**

use super::{Content, Fault, Machine, Meaning};
use crate::check::terms::Word;

impl<I: Meaning> Machine<'_, I> {
    pub(super) fn load_slot(&self, offset: i64) -> Result<Content, Fault> {
        if offset % 8 != 0 {
            return Err(Fault::Stack);
        }
        self.stack.get(&offset).copied().ok_or(Fault::Undefined("stack slot"))
    }

    /// Only below the return address, and not below the red zone. While there is an aligned part of the stack, words
    /// that were pushed before alone: they lie above it.
    pub(super) fn store_slot(&mut self, offset: i64, content: Content) -> Result<(), Fault> {
        let owned = match self.registers[I::CONVENTION.stack_pointer] {
            Content::Frame(..) => self.stack.contains_key(&offset),
            _ => offset >= self.top()? - I::CONVENTION.red_zone,
        };
        if offset % 8 != 0 || offset >= 0 || !owned {
            return Err(Fault::Stack);
        }
        self.stack.insert(offset, content);
        Ok(())
    }

    /// A pointer moved by some bytes; offsets stay far from the ends of the address space.
    ///
    /// # Errors
    /// It is no pointer, or goes too far.
    pub fn moved(pointer: Content, step: i64) -> Result<Content, Fault> {
        let add = |at: i64| at.checked_add(step).filter(|at| at.unsigned_abs() < 1 << 40).ok_or(Fault::Address);
        match pointer {
            Content::Array(param, at) => Ok(Content::Array(param, add(at)?)),
            Content::Stack(at) => Ok(Content::Stack(add(at)?)),
            Content::Frame(number, at) => Ok(Content::Frame(number, add(at)?)),
            Content::Constants(at) => Ok(Content::Constants(add(at)?)),
            _ => Err(Fault::Address),
        }
    }

    /// What lies in the program's constants, so many bytes from their start.
    ///
    /// # Errors
    /// Outside of them, or over the end of a word.
    pub fn constant_at(&mut self, at: i64, bytes: u32) -> Result<Content, Fault> {
        let last = at + i64::from(bytes) - 1;
        if at < 0 || last >= 8 * self.program.constants.len() as i64 || at / 8 != last / 8 {
            return Err(Fault::Access);
        }
        let word = self.program.constants[(at / 8) as usize] >> (8 * (at % 8));
        let word = if bytes == 8 { word } else { word & ((1 << (8 * bytes)) - 1) };
        Ok(Content::Word(self.terms.word_constant(word), (8 * bytes) as u8))
    }

    /// What lies where a pointer goes: one, two, four or eight bytes.
    ///
    /// # Errors
    /// It is no pointer, or goes where nothing is the function's to read.
    pub fn load_at(&mut self, pointer: Content, bytes: u32) -> Result<Content, Fault> {
        match pointer {
            Content::Stack(offset) if bytes == 8 => self.load_slot(offset),
            Content::Stack(_) => Err(Fault::Stack),
            Content::Array(param, offset) => self.load_array(param, offset, bytes),
            Content::Constants(offset) => self.constant_at(offset, bytes),
            _ => Err(Fault::Address),
        }
    }

    /// Writes there.
    ///
    /// # Errors
    /// It is no pointer, or goes where nothing is the function's to write.
    pub fn store_at(&mut self, pointer: Content, bytes: u32, content: Content) -> Result<(), Fault> {
        match pointer {
            Content::Stack(offset) if bytes == 8 => self.store_slot(offset, content),
            Content::Stack(_) => Err(Fault::Stack),
            Content::Array(param, offset) => self.store_array(param, offset, bytes, content),
            _ => Err(Fault::Address),
        }
    }

    /// How many elements of a parameter are followed.
    pub fn elements(&self, param: usize) -> usize {
        self.memory.elements[self.memory.class[param]].len()
    }

    /// Reads an element of a parameter's array.
    pub fn element_of(&mut self, param: usize, i: usize) -> Result<Word, Fault> {
        self.order.read(param, i);
        self.memory.elements[self.memory.class[param]][i].ok_or(Fault::Undefined("array element"))
    }

    /// Writes one.
    pub fn set_element(&mut self, param: usize, i: usize, x: Word) {
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

    fn store_array(&mut self, param: usize, offset: i64, bytes: u32, content: Content) -> Result<(), Fault> {
        let info = &self.program.params[param];
        if self.program.lanes.count != 1 {
            return Err(Fault::Access);
        }
        let (size, len) = (i64::from(info.element_bytes), i64::from(info.len));
        let bytes = i64::from(bytes);
        if !info.role.is_written()
            || offset < 0
            || offset + bytes > size * len
            || offset % size != 0
            || bytes % size != 0
        {
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
