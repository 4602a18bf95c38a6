//! Vector instructions on forms. **Trusted.**
//!
//! All of them treat every 64 bits of a register alike (and most of them every element), and so does memory: word i of
//! a group of elements is one vector. So a register stands for 64 bits of it, any of them: for one lane of 64 bits, or
//! for two neighbouring ones of 32. It [holds](Held) a number below 2^64, or two below 2^32, whichever the instruction
//! that wrote it makes; `whole = low + 2^32·high` reads one as the other. A mask has a bit for each element, so it
//! holds one flag or two, and serves elements of that size alone. Carry-less products, and what takes their double
//! words apart, work on pairs of 64 bits (2i and 2i + 1), all pairs alike: where a program has such an instruction a
//! register stands for a pair, any of them, and every other instruction is run for each of the two. A program for one
//! element has it in the lowest 64 bits of 128: these are what a register stands for, or the first of its pair; [loads
//! and stores](Vector::MoveLowest) of them alone are the only ones from and to arrays, which lie as in scalar code. Where
//! such a program has registers of 256 bits, each of their four words is followed by itself: every instruction is run for
//! each, [those that move words](Vector::moves_words) read the one that they name, and a load may put a word of an array
//! into all. No other width is there then but that of loads and stores of the lowest word, so that vectors on the stack
//! have one length. The
//! stack holds vectors in a part of its own that begins at a multiple of 64: `and rsp, -64` opens it. What differs from
//! lane to lane is a line (`lines.rs`), which look-ups alone read.

use super::registers::Parts;
use super::{Content, Fault, Machine};
use super::{Flag, Terms, Word};
use crate::check::tables::{ENTRIES, ENTRY_BITS, HALF_BITS, OF_MASKED_HALVES};
use crate::check::words::FloatOp;
use crate::program::Lanes;
use crate::x86_64::instruction::{Address, Base, Inst, Operand};
use crate::x86_64::vector::{Comparison, Vector, Width};

/// A function of two bits: bit 2x + y of the table.
type Table = u8;

/// All functions of two bits, those first that kernels are written with.
const NATURAL: [Table; 16] = [
    0b1000, 0b1110, 0b0110, 0b0100, 0b0010, 0b1001, 0b0111, 0b0001, 0b1011, 0b1101, 0b1100, 0b1010, 0b0011, 0b0101,
    0b0000, 0b1111,
];

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

/// The operands of an instruction whose destination is its first operand, with the destination apart. Moves have one;
/// other operands are registers, since memory would have to be aligned.
fn with_destination(op: Vector, operands: &[Operand]) -> Result<Vec<Operand>, Fault> {
    match operands {
        [_, _] if op == Vector::Move => Ok(operands.to_vec()),
        [d @ Operand::Vector(_)] if matches!(op, Vector::Shl(_) | Vector::Shr(_)) => Ok(vec![*d, *d]),
        [d @ Operand::Vector(_), b @ Operand::Vector(_)] if !matches!(op, Vector::Shl(_) | Vector::Shr(_)) => {
            Ok(vec![*d, *d, *b])
        }
        _ => Err(Fault::Form),
    }
}

/// What an instruction makes of an element.
enum Made {
    Word(Word),
    Flag(Flag),
}

impl Machine<'_> {
    pub(super) fn vector(&mut self, inst: &Inst, op: Vector, width: Width) -> Result<(), Fault> {
        let needs = crate::x86_64::vector::row(op, width).needs;
        if !self.program().features.covers(needs) {
            return Err(Fault::Feature);
        }
        let n = u32::from(inst.bits);
        let mut operands: Vec<Operand> = inst.operands().collect();
        if width.two_operands() {
            // A constant lies there for each 64 bits, so that smaller elements would not have it.
            let other_elements = self.program().has_bytes() || self.own.each != 1;
            if other_elements || !op.element_bits(width).contains(&inst.bits) {
                return Err(Fault::Form);
            }
            operands = with_destination(op, &operands)?;
        }
        if self.program().has_bytes() {
            return if op == Vector::ZeroUpper || self.program().lanes.count == width.bytes() {
                self.bytes(op, &operands, n, width)
            } else {
                Err(Fault::Form)
            };
        }
        let lanes = 8 * width.bytes() / 64 * self.own.each;
        // A program for one element has it in the lowest 64 bits, or in four words each of which is followed.
        let whole = if self.own.units == 4 { Width::Y } else { Width::X };
        let one = self.program().lanes == Lanes::ONE
            && if op == Vector::MoveLowest { width == Width::X } else { width == whole };
        if !matches!(n, 32 | 64)
            || op != Vector::ZeroUpper && (lanes != self.program().lanes.count && !one || operands.len() > 3)
        {
            return Err(Fault::Form);
        }
        if let (Vector::Move, [Operand::Vector(r), Operand::Memory(Address { base: Base::Constants, .. })]) =
            (op, operands.as_slice())
            && width.has_masks()
        {
            return self.load_line(*r, &operands[1], width);
        }
        match op {
            Vector::LookUp => return self.look_up(&operands, n, width, (ENTRIES, ENTRY_BITS)),
            Vector::LookUpHalvesOfTwo => return self.look_up(&operands, n, width, (OF_MASKED_HALVES, HALF_BITS)),
            Vector::LookUpHalves => return self.look_up_halves(&operands, n, width),
            _ => {}
        }
        if op == Vector::MoveLowest {
            return if one { self.lowest(&operands, n, width) } else { Err(Fault::Form) };
        }
        if op.pairs() {
            return self.pair(op, &operands, n, width);
        }
        if op.moves_words() {
            return if one { self.words_moved(op, &operands, n, width) } else { Err(Fault::Form) };
        }
        for unit in 0..self.own.units {
            self.own.unit = unit;
            self.each_unit(op, &operands, n, width)?;
        }
        Ok(())
    }

    /// An instruction on pairs of 64 bits.
    fn pair(&mut self, op: Vector, operands: &[Operand], n: u32, width: Width) -> Result<(), Fault> {
        let [Operand::Vector(r), a @ Operand::Vector(_), b @ (Operand::Vector(_) | Operand::Memory(_))] = operands
        else {
            return Err(Fault::Form);
        };
        if n != 64 || self.own.units != 2 {
            return Err(Fault::Form);
        }
        // Which of the two is read.
        self.own.unit = usize::from(matches!(op, Vector::ClmulOdd | Vector::UnpackOdd));
        let (x, y) = (self.element(*a, n, 0, width)?, self.element(*b, n, 0, width)?);
        let results = if matches!(op, Vector::ClmulEven | Vector::ClmulOdd) { self.terms.clmul(x, y) } else { (x, y) };
        for (unit, z) in [results.0, results.1].into_iter().enumerate() {
            self.own.unit = unit;
            self.set_register(*r, width, Parts::Whole(z))?;
        }
        Ok(())
    }

    /// An instruction whose result has words of other places, of registers whose four words are followed.
    fn words_moved(&mut self, op: Vector, operands: &[Operand], n: u32, width: Width) -> Result<(), Fault> {
        if n != 64 || self.own.units != 4 {
            return Err(Fault::Form);
        }
        // The processor reads all of an operand in memory, whichever words are taken.
        if let Some(whole @ Operand::Memory(_)) = operands.last() {
            self.own.unit = 0;
            self.held(*whole, n, width)?;
        }
        let mut words = Vec::new();
        for l in 0..4usize {
            let (from, unit) = match (op, operands) {
                (Vector::PermuteWords(places), [Operand::Vector(_), a @ (Operand::Vector(_) | Operand::Memory(_))]) => {
                    (*a, usize::from(places >> (2 * l) & 3))
                }
                (
                    Vector::BlendWords(words),
                    [Operand::Vector(_), a @ Operand::Vector(_), b @ (Operand::Vector(_) | Operand::Memory(_))],
                ) if words < 16 => (if words >> l & 1 == 1 { *b } else { *a }, l),
                _ => return Err(Fault::Form),
            };
            self.own.unit = unit;
            words.push(self.held(from, n, width)?);
        }
        let Some(Operand::Vector(r)) = operands.first() else { return Err(Fault::Form) };
        for (l, held) in words.into_iter().enumerate() {
            self.own.unit = l;
            self.set_register(*r, width, held)?;
        }
        Ok(())
    }

    /// A load or a store of the lowest 64 bits; a load clears the others.
    fn lowest(&mut self, operands: &[Operand], n: u32, width: Width) -> Result<(), Fault> {
        match operands {
            [Operand::Vector(r), Operand::Memory(address)] if n == 64 => {
                let Content::Word(x, 64) = self.load(address, 8)? else { return Err(Fault::Undefined("operand")) };
                for unit in 0..self.own.units {
                    self.own.unit = unit;
                    let held = if unit == 0 { x } else { self.terms.word_constant(0) };
                    self.set_register(*r, width, Parts::Whole(held))?;
                }
                Ok(())
            }
            [Operand::Memory(address), Operand::Vector(r)] if n == 64 => {
                self.own.unit = 0;
                let held = self.register(*r, width)?;
                let x = self.part_of(held, n, 0)?;
                self.store(address, 8, Content::Word(x, 64))
            }
            _ => Err(Fault::Form),
        }
    }

    /// An instruction on the 64 bits in work.
    fn each_unit(&mut self, op: Vector, operands: &[Operand], n: u32, width: Width) -> Result<(), Fault> {
        match (op, operands) {
            (Vector::ZeroUpper, []) => {
                self.own.vectors[self.own.unit][..16].fill(None);
                self.own.lines[..16].fill(None);
                return Ok(());
            }
            (Vector::Move, [Operand::Memory(address), Operand::Vector(r)]) => {
                let x = self.register(*r, width)?;
                return self.store_vector(address, width, x);
            }
            (Vector::Move, [Operand::Vector(r), from @ (Operand::Vector(_) | Operand::Memory(_))]) => {
                let x = self.held(*from, n, width)?;
                return self.set_register(*r, width, x);
            }
            (Vector::MaskConstant, [Operand::Mask(k), Operand::Memory(address)]) if width.has_masks() => {
                return self.mask_constant(*k, address, n);
            }
            _ => {}
        }
        let mut words: Vec<Word> = Vec::new();
        let mut flags: Vec<Flag> = Vec::new();
        for part in 0..64 / n {
            match self.part(op, operands, n, part as usize, width)? {
                Made::Word(x) => words.push(x),
                Made::Flag(f) => flags.push(f),
            }
        }
        match operands.first() {
            Some(Operand::Mask(k)) => self.set_mask(*k, Parts::of(&flags).ok_or(Fault::Form)?),
            Some(Operand::Vector(r) | Operand::Masked(r, _)) => {
                self.set_register(*r, width, Parts::of(&words).ok_or(Fault::Form)?)
            }
            _ => Err(Fault::Form),
        }
    }

    /// What an instruction makes of one element of n bits: that one, or in elements of 32 bits the low (0) or the high
    /// one (1).
    fn part(&mut self, op: Vector, operands: &[Operand], n: u32, part: usize, width: Width) -> Result<Made, Fault> {
        match op {
            Vector::Compare(_)
            | Vector::MaskNot
            | Vector::MaskAnd
            | Vector::MaskOr
            | Vector::MaskXor
            | Vector::MaskAndNot => self.flag_of(op, operands, n, part, width).map(Made::Flag),
            Vector::Broadcast | Vector::Blend | Vector::BlendHalves(_) | Vector::CopyLow | Vector::CopyHigh => {
                self.copied(op, operands, n, part, width).map(Made::Word)
            }
            Vector::Shl(k) | Vector::Shr(k) | Vector::Sar(k) | Vector::Rol(k) => {
                self.shifted(op, k.into(), operands, n, part, width).map(Made::Word)
            }
            _ => self.computed(op, operands, n, part, width).map(Made::Word),
        }
    }

    /// Comparisons, and logic of masks.
    fn flag_of(&mut self, op: Vector, operands: &[Operand], n: u32, part: usize, width: Width) -> Result<Flag, Fault> {
        match (op, operands) {
            (Vector::Compare(comparison), [Operand::Mask(_), a @ Operand::Vector(_), b]) if width.has_masks() => {
                let (x, y) = (self.element(*a, n, part, width)?, self.element(*b, n, part, width)?);
                Ok(self.compared(comparison, x, y, n))
            }
            (Vector::MaskNot, [Operand::Mask(_), Operand::Mask(a)]) => {
                let flag = self.mask(*a, n, part)?;
                Ok(self.terms.complement(flag))
            }
            (_, [Operand::Mask(_), Operand::Mask(a), Operand::Mask(b)]) => {
                let (f, g) = (self.mask(*a, n, part)?, self.mask(*b, n, part)?);
                match op {
                    Vector::MaskAnd => Ok(self.terms.flag_and(f, g)),
                    Vector::MaskOr => Ok(self.terms.flag_or(f, g)),
                    Vector::MaskXor => Ok(self.terms.flag_xor(f, g)),
                    Vector::MaskAndNot => {
                        let f = self.terms.complement(f);
                        Ok(self.terms.flag_and(f, g))
                    }
                    _ => Err(Fault::Form),
                }
            }
            _ => Err(Fault::Form),
        }
    }

    /// Elements that go somewhere else, and choices between two.
    fn copied(&mut self, op: Vector, operands: &[Operand], n: u32, part: usize, width: Width) -> Result<Word, Fault> {
        match (op, operands) {
            (Vector::Broadcast, [d @ Operand::Vector(_), Operand::Memory(address)]) => {
                let x = self.element(Operand::Broadcast(*address), n, part, width)?;
                self.masked(*d, n, part, width, x)
            }
            (Vector::Blend, [Operand::Masked(_, k), a @ Operand::Vector(_), b]) if width.has_masks() => {
                let flag = self.mask(*k, n, part)?;
                let (x, y) = (self.element(*a, n, part, width)?, self.element(*b, n, part, width)?);
                Ok(self.terms.select(flag, y, x))
            }
            // Bits of the immediate go by elements of 128 or 256 bits: every two alike, or what is followed is not all.
            (Vector::BlendHalves(high), [Operand::Vector(_), a @ Operand::Vector(_), b])
                if n == 32 && !width.has_masks() =>
            {
                let from_second = (part == 1) == high;
                self.element(if from_second { *b } else { *a }, n, part, width)
            }
            (Vector::CopyLow | Vector::CopyHigh, [d, a]) if n == 32 => {
                let x = self.element(*a, n, usize::from(op == Vector::CopyHigh), width)?;
                self.masked(*d, n, part, width, x)
            }
            _ => Err(Fault::Form),
        }
    }

    /// Shifts and rotations by k bits.
    fn shifted(
        &mut self,
        op: Vector,
        k: u32,
        operands: &[Operand],
        n: u32,
        part: usize,
        width: Width,
    ) -> Result<Word, Fault> {
        let [d, a @ Operand::Vector(_)] = operands else { return Err(Fault::Form) };
        let needs_masks = matches!(op, Vector::Rol(_)) || matches!(op, Vector::Sar(_)) && n == 64;
        if k >= n || !width.has_masks() && needs_masks {
            return Err(Fault::Form);
        }
        let x = self.element(*a, n, part, width)?;
        let z = match op {
            Vector::Shl(_) => self.terms.shift_left(x, k, n),
            Vector::Shr(_) => self.terms.shift_right(x, k),
            Vector::Sar(_) => self.terms.shift_right_signed(x, k, n),
            _ => self.terms.rotate(x, k, n),
        };
        self.masked(*d, n, part, width, z)
    }

    /// What is computed of two elements, and of the destination's.
    fn computed(&mut self, op: Vector, operands: &[Operand], n: u32, part: usize, width: Width) -> Result<Word, Fault> {
        match (op, operands) {
            // The result does not depend on the register.
            (Vector::Xor, [Operand::Vector(_), Operand::Vector(a), Operand::Vector(b)]) if a == b => {
                Ok(self.terms.word_constant(0))
            }
            // x > y in the signed reading: y − 2^(n − 1) is below x − 2^(n − 1), both modulo 2^n.
            (Vector::Greater, [Operand::Vector(_), a @ Operand::Vector(_), b]) if n >= 32 && !width.has_masks() => {
                let (x, y) = (self.element(*a, n, part, width)?, self.element(*b, n, part, width)?);
                let half = self.terms.word_constant(1 << (n - 1));
                let none = self.known_flag(0);
                let [x, y] = [x, y].map(|v| self.terms.sub_borrow(v, half, none, n).0);
                let flag = self.compared(Comparison::Less, y, x, n);
                Ok(self.terms.mask_word(flag, n))
            }
            // y where it is below x, else x.
            (Vector::Lesser, [d, a @ Operand::Vector(_), b]) if n == 32 => {
                let (x, y) = (self.element(*a, n, part, width)?, self.element(*b, n, part, width)?);
                let flag = self.compared(Comparison::Less, y, x, n);
                let z = self.terms.select(flag, y, x);
                self.masked(*d, n, part, width, z)
            }
            // x ± y where the mask is set, else x: also x ± (y where the mask is set, else 0), which is the same
            // number.
            (Vector::Add | Vector::Sub, [Operand::Masked(d, k), Operand::Vector(a), b])
                if width.has_masks() && d == a =>
            {
                let flag = self.mask(*k, n, part)?;
                let (x, y) = (self.element(Operand::Vector(*a), n, part, width)?, self.element(*b, n, part, width)?);
                Ok(self.sum_where(op, flag, x, y, n))
            }
            // Products of the low halves of 64 bits.
            (Vector::MulHalf, [d, a @ Operand::Vector(_), b]) if n == 64 => {
                let (x, y) = (self.low_half(*a, width)?, self.low_half(*b, width)?);
                let z = self.terms.mul(x, y).0;
                self.masked(*d, n, part, width, z)
            }
            (_, [d, a @ Operand::Vector(_), b]) => {
                let (x, y) = (self.element(*a, n, part, width)?, self.element(*b, n, part, width)?);
                let z = self.arithmetic(op, *d, x, y, n, part, width)?;
                self.masked(*d, n, part, width, z)
            }
            _ => Err(Fault::Form),
        }
    }

    /// `x ± y` where the flag is set, else `x`.
    fn sum_where(&mut self, op: Vector, flag: Flag, x: Word, y: Word, n: u32) -> Word {
        let sum = |t: &mut Terms, y| if op == Vector::Add { t.add(x, y, n) } else { t.sub(x, y, n) };
        let all = sum(self.terms, y);
        let zero = self.terms.word_constant(0);
        let part = self.terms.select(flag, y, zero);
        let one = sum(self.terms, part);
        let other = self.terms.select(flag, all, x);
        let (first, second) = (self.terms.int(one), self.terms.int(other));
        let zero = self.terms.sum(&[(first, 1), (second, -1)], 0);
        self.terms.learn_zero(zero);
        self.terms.refresh_word(one)
    }

    /// A mask from 16 bits of a constant, alike for every 64 bits of a register: a bit for each in elements of 64 bits
    /// (the low eight), two in elements of 32.
    fn mask_constant(&mut self, k: u8, address: &Address, n: u32) -> Result<(), Fault> {
        let Content::Word(x, _) = self.load_constant(address, 2)? else { return Err(Fault::Form) };
        let bits = self.terms.word_value(x).ok_or(Fault::Form)?;
        let each = 64 / n;
        let first = bits & ((1 << each) - 1);
        if (0..8).any(|i| bits >> (i * each) & ((1 << each) - 1) != first) {
            return Err(Fault::Form);
        }
        let flags: Vec<Flag> = (0..each).map(|i| self.known_flag(i128::from(first >> i & 1))).collect();
        self.set_mask(k, Parts::of(&flags).ok_or(Fault::Form)?)
    }

    #[allow(clippy::too_many_arguments)]
    fn arithmetic(
        &mut self,
        op: Vector,
        d: Operand,
        x: Word,
        y: Word,
        n: u32,
        part: usize,
        width: Width,
    ) -> Result<Word, Fault> {
        let wide = width.has_masks();
        Ok(match op {
            Vector::Add => self.terms.add(x, y, n),
            Vector::Sub => self.terms.sub(x, y, n),
            Vector::And => self.terms.and(x, y),
            Vector::Or => self.terms.or(x, y),
            Vector::Xor => self.terms.xor(x, y),
            Vector::AndNot => self.terms.and_not(y, x, n),
            Vector::Funnel(k) if wide && (1..n).contains(&u32::from(k)) => self.terms.funnel(y, x, u32::from(k), n),
            Vector::MulLow if wide || n == 32 => {
                let z = self.terms.mul(x, y).0;
                self.terms.low(z, n)
            }
            Vector::MaddLow | Vector::MaddHigh if (wide || width == Width::Y) && n == 64 => {
                let (x, y) = (self.terms.low(x, 52), self.terms.low(y, 52));
                let (low, high) = self.terms.halves(x, y, 52);
                let accumulator = self.destination(d, n, part, width)?;
                self.terms.add(accumulator, if op == Vector::MaddLow { low } else { high }, 64)
            }
            Vector::FloatAdd if n == 64 => self.terms.float(FloatOp::Add, x, y, x),
            Vector::FloatSub if n == 64 => self.terms.float(FloatOp::Sub, x, y, x),
            Vector::FloatMul if n == 64 => self.terms.float(FloatOp::Mul, x, y, x),
            Vector::FloatFma if n == 64 => {
                let accumulator = self.destination(d, n, part, width)?;
                self.terms.float(FloatOp::Fma, x, y, accumulator)
            }
            Vector::Ternary(table) if wide => {
                let accumulator = self.destination(d, n, part, width)?;
                self.logic_of_three(table, [accumulator, x, y], n)?
            }
            _ => return Err(Fault::Form),
        })
    }

    /// What a comparison of two elements of n bits says.
    pub(super) fn compared(&mut self, comparison: Comparison, x: Word, y: Word, n: u32) -> Flag {
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
        if negate { self.terms.complement(flag) } else { flag }
    }

    /// A function of three words, bit by bit.
    pub(super) fn logic_of_three(&mut self, table: u8, [d, x, y]: [Word; 3], n: u32) -> Result<Word, Fault> {
        let (outer, inner) = split(table).ok_or(Fault::Form)?;
        let z = self.logic_of_two(inner, x, y, n);
        Ok(self.logic_of_two(outer, d, z, n))
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
    fn destination(&mut self, d: Operand, n: u32, part: usize, width: Width) -> Result<Word, Fault> {
        match d {
            Operand::Vector(r) | Operand::Masked(r, _) => self.element(Operand::Vector(r), n, part, width),
            _ => Err(Fault::Form),
        }
    }

    /// What is written where a result goes: with a mask, the old element where its bit is not set.
    fn masked(&mut self, to: Operand, n: u32, part: usize, width: Width, x: Word) -> Result<Word, Fault> {
        match to {
            Operand::Vector(_) => Ok(x),
            Operand::Masked(r, k) if width.has_masks() => {
                let (flag, old) = (self.mask(k, n, part)?, self.element(Operand::Vector(r), n, part, width)?);
                Ok(self.terms.select(flag, x, old))
            }
            _ => Err(Fault::Form),
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
