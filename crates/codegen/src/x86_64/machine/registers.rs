//! What vector registers and masks hold, and how they meet memory. **Trusted.**

use super::{Content, Fault, Machine};
use super::{Flag, Word};
use crate::program::Lanes;
use crate::x86_64::instruction::{Address, Base, Operand};
use crate::x86_64::vector::Width;

/// What 64 bits hold: a number for all of them, or one for each half, the low one first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Parts<T> {
    Whole(T),
    Halves(T, T),
}

/// 64 bits of a vector register.
pub(super) type Held = Parts<Word>;

impl<T: Copy> Parts<T> {
    /// Of what was computed for each element.
    pub(super) fn of(all: &[T]) -> Option<Parts<T>> {
        match all {
            [x] => Some(Parts::Whole(*x)),
            [x, y] => Some(Parts::Halves(*x, *y)),
            _ => None,
        }
    }
}

/// What a register holds, and the group of elements that it depends on: `None` where it depends on constants alone.
pub(super) type Grouped<T> = (T, Option<usize>);

impl Machine<'_> {
    /// What was read, by an instruction that has read of no other group.
    pub(super) fn known<T>(&mut self, (held, group): Grouped<T>) -> Result<T, Fault> {
        match (self.own.group, group) {
            (Some(before), Some(now)) if before != now => return Err(Fault::Groups),
            (before, now) => self.own.group = before.or(now),
        }
        Ok(held)
    }

    pub(super) fn register(&mut self, r: u8, width: Width) -> Result<Held, Fault> {
        let held = self.own.vectors[self.own.unit]
            .get(usize::from(r))
            .filter(|_| usize::from(r) < width.registers())
            .ok_or(Fault::Form)?;
        self.known(held.ok_or(Fault::Undefined("vector register"))?)
    }

    pub(super) fn set_register(&mut self, r: u8, width: Width, x: Held) -> Result<(), Fault> {
        *self.own.vectors[self.own.unit]
            .get_mut(usize::from(r))
            .filter(|_| usize::from(r) < width.registers())
            .ok_or(Fault::Form)? = Some((x, self.own.group));
        self.own.lines[usize::from(r)] = None;
        Ok(())
    }

    /// The flag of one element of n bits.
    pub(super) fn mask(&mut self, k: u8, n: u32, part: usize) -> Result<Flag, Fault> {
        let held = self.own.masks[self.own.unit].get(usize::from(k)).filter(|_| k > 0).ok_or(Fault::Form)?;
        match (self.known(held.ok_or(Fault::Undefined("mask register"))?)?, n, part) {
            (Parts::Whole(f), 64, 0) | (Parts::Halves(f, _), 32, 0) | (Parts::Halves(_, f), 32, 1) => Ok(f),
            _ => Err(Fault::Undefined("mask of elements of another size")),
        }
    }

    pub(super) fn set_mask(&mut self, k: u8, flags: Parts<Flag>) -> Result<(), Fault> {
        *self.own.masks[self.own.unit].get_mut(usize::from(k)).filter(|_| k > 0).ok_or(Fault::Form)? =
            Some((flags, self.own.group));
        Ok(())
    }

    /// What an operand holds; a constant of n bits is the same in every element.
    pub(super) fn held(&mut self, operand: Operand, n: u32, width: Width) -> Result<Held, Fault> {
        match operand {
            Operand::Vector(r) => self.register(r, width),
            Operand::Memory(address) => self.load_vector(&address, width),
            // A word of an array is one for all where all that there is is one element's.
            Operand::Broadcast(address) if n == 64 && self.program().lanes == Lanes::ONE => {
                match self.load(&address, 8)? {
                    Content::Word(x, 64) => Ok(Parts::Whole(x)),
                    _ => Err(Fault::Undefined("operand")),
                }
            }
            Operand::Broadcast(address) => match self.load_constant(&address, n / 8)? {
                Content::Word(x, _) if n == 32 => Ok(Parts::Halves(x, x)),
                Content::Word(x, _) => Ok(Parts::Whole(x)),
                _ => Err(Fault::Form),
            },
            _ => Err(Fault::Form),
        }
    }

    /// One element of an operand, as a number below 2^n.
    pub(super) fn element(&mut self, operand: Operand, n: u32, part: usize, width: Width) -> Result<Word, Fault> {
        let held = self.held(operand, n, width)?;
        self.part_of(held, n, part)
    }

    /// One element of n bits.
    pub(super) fn part_of(&mut self, held: Held, n: u32, part: usize) -> Result<Word, Fault> {
        let x = match (held, n, part) {
            (Parts::Whole(x), 64, 0) | (Parts::Halves(x, _), 32, 0) | (Parts::Halves(_, x), 32, 1) => x,
            (Parts::Whole(x), 32, 0) => x,
            (Parts::Whole(x), 32, 1) => self.terms.shift_right(x, 32),
            (Parts::Halves(low, high), 64, 0) => {
                let (low, high) = (self.terms.low(low, 32), self.terms.low(high, 32));
                let (low, high) = (self.terms.int(low), self.terms.int(high));
                let whole = self.terms.sum(&[(low, 1), (high, 1 << 32)], 0);
                self.terms.seal(whole, 0, u64::MAX.into())
            }
            _ => return Err(Fault::Form),
        };
        Ok(self.terms.low(x, n))
    }

    /// The low half of 64 bits of an operand; a broadcast constant has 64.
    pub(super) fn low_half(&mut self, operand: Operand, width: Width) -> Result<Word, Fault> {
        let held = self.held(operand, 64, width)?;
        let (Parts::Whole(x) | Parts::Halves(x, _)) = held;
        Ok(self.terms.low(x, 32))
    }

    pub(super) fn load_constant(&mut self, address: &Address, bytes: u32) -> Result<Content, Fault> {
        if address.base != Base::Constants {
            return Err(Fault::Access);
        }
        self.load(address, bytes)
    }

    /// Which group of an array an offset means, and which elements for the 64 bits in work: one for each lane that is
    /// followed there.
    pub(super) fn vector_of(&self, param: usize, offset: i64, width: Width) -> Result<Grouped<Vec<usize>>, Fault> {
        let (info, lanes, bytes) = (&self.program().params[param], self.program().lanes, i64::from(width.bytes()));
        let whole = i64::from(info.element_bytes) * i64::from(lanes.count) == bytes
            && (info.element_bytes * self.own.each == 8 || info.element_bytes == 1);
        let at = usize::try_from(offset / bytes).map_err(|_| Fault::Access)?;
        // Word i of group g.
        let len = (info.len / lanes.elements().max(1)).max(1) as usize;
        let (group, i, each) = (at / len, at % len, self.own.each as usize);
        if !whole
            || offset < 0
            || offset % bytes != 0
            || (group + 1) * self.own.units * each * len > self.elements(param)
        {
            return Err(Fault::Access);
        }
        Ok((
            (0..each).map(|lane| ((group * self.own.units + self.own.unit) * each + lane) * len + i).collect(),
            Some(group),
        ))
    }

    /// A constant that lies in memory once for each 64 bits of a register, where nothing loads one word for all.
    fn load_repeated(&mut self, address: &Address, width: Width) -> Result<Held, Fault> {
        let first = self.load_constant(address, 8)?;
        let Content::Word(x, 64) = first else { return Err(Fault::Form) };
        for i in 1..width.words_of_constant() as i32 {
            let next = Address { displacement: address.displacement + 8 * i, ..*address };
            let Content::Word(y, 64) = self.load_constant(&next, 8)? else { return Err(Fault::Form) };
            if self.terms.word_value(x).is_none() || self.terms.word_value(x) != self.terms.word_value(y) {
                return Err(Fault::Form);
            }
        }
        Ok(Parts::Whole(x))
    }

    pub(super) fn load_vector(&mut self, address: &Address, width: Width) -> Result<Held, Fault> {
        if address.base == Base::Constants {
            return if width.two_operands() { self.load_repeated(address, width) } else { Err(Fault::Access) };
        }
        match self.lea(address)? {
            Content::Array(param, offset) => {
                let at = self.vector_of(param, offset, width)?;
                let at = self.known(at)?;
                let words = at.into_iter().map(|i| self.element_of(param, i)).collect::<Result<Vec<Word>, _>>()?;
                Parts::of(&words).ok_or(Fault::Form)
            }
            Content::Frame(number, offset) if number == self.own.frame_number => {
                let held = self.own.frame[self.own.unit].get(&offset).copied();
                self.known(held.ok_or(Fault::Undefined("stack slot"))?)
            }
            _ => Err(Fault::Address),
        }
    }

    pub(super) fn store_vector(&mut self, address: &Address, width: Width, x: Held) -> Result<(), Fault> {
        if address.base == Base::Constants {
            return Err(Fault::Access);
        }
        match self.lea(address)? {
            Content::Array(param, offset) => {
                if !self.program().params[param].role.is_written() {
                    return Err(Fault::Access);
                }
                // A store reads of its own group alone.
                let at = self.vector_of(param, offset, width)?;
                for (part, i) in self.known(at)?.into_iter().enumerate() {
                    // A lane has no more bits than its place.
                    let x = self.part_of(x, 64 / self.own.each, part)?;
                    let x = if self.program().has_bytes() { self.terms.low(x, 8) } else { x };
                    self.set_element(param, i, x);
                }
                Ok(())
            }
            // All vectors of a program have one width.
            Content::Frame(number, offset)
                if number == self.own.frame_number
                    && offset >= 0
                    && offset % i64::from(width.bytes()) == 0
                    && offset <= self.own.frame_bytes - i64::from(width.bytes()) =>
            {
                self.own.frame[self.own.unit].insert(offset, (x, self.own.group));
                Ok(())
            }
            _ => Err(Fault::Stack),
        }
    }
}
