//! Instructions on registers alone. **Trusted.**
//!
//! What derives from constants alone ([`Content::Known`]) stays so by plain arithmetic modulo 2^64; no form becomes a
//! constant again. Pointers move by such constants, and are copied.

use super::{Content, Fault, Machine};
use crate::aarch64::instruction::{Chosen, Gpr, Half, Inst, Logic, Shift, Shifted, Sum, Wide, is_pattern};

/// A sum without forms, and its carry: of a difference whether nothing was borrowed.
fn plain_sum(op: Sum, x: u64, y: u64) -> (u64, bool) {
    match op {
        Sum::Add | Sum::Adds => (x.wrapping_add(y), x.checked_add(y).is_none()),
        _ => (x.wrapping_sub(y), x >= y),
    }
}

fn plain_logic(op: Logic, x: u64, y: u64) -> u64 {
    match op {
        Logic::And => x & y,
        Logic::Or => x | y,
        Logic::Xor => x ^ y,
        Logic::AndNot => x & !y,
        Logic::OrNot => x | !y,
        Logic::XorNot => x ^ !y,
    }
}

impl Machine<'_> {
    /// A right operand, shifted.
    fn shifted(&mut self, right: Shifted) -> Result<Content, Fault> {
        let content = self.content(right.register)?;
        match right.amount {
            0 => Ok(content),
            1..64 => self.shift_of(content, right.shift, right.amount),
            _ => Err(Fault::Form),
        }
    }

    /// A word shifted by 1 to 63 places.
    fn shift_of(&mut self, content: Content, shift: Shift, amount: u8) -> Result<Content, Fault> {
        let k = u32::from(amount);
        if let Content::Known(x) = content {
            return Ok(Content::Known(match shift {
                Shift::Left => x << k,
                Shift::Right => x >> k,
                Shift::Signed => (x as i64 >> k) as u64,
                Shift::Rotate => x.rotate_right(k),
            }));
        }
        let x = self.word(content)?;
        let z = match shift {
            Shift::Left => self.terms.shift_left(x, k, 64),
            Shift::Right => self.terms.shift_right(x, k),
            Shift::Signed => self.terms.shift_right_signed(x, k, 64),
            // To the right here, to the left there.
            Shift::Rotate => self.terms.rotate(x, 64 - k, 64),
        };
        Ok(Content::Word(z, 64))
    }

    /// Sums and differences.
    pub(super) fn sums(&mut self, inst: &Inst) -> Result<(), Fault> {
        match *inst {
            Inst::Sum { op, to, left, right } => {
                let is_plain = right.shift == Shift::Left && right.amount == 0;
                if right.shift == Shift::Rotate || op.takes_carry() && !is_plain {
                    return Err(Fault::Form);
                }
                let (left, right) = (self.content(left)?, self.shifted(right)?);
                let sum = self.sum(op, left, right)?;
                self.set(to, sum)
            }
            Inst::SumOf { op, to, left, value, high } => {
                if op.takes_carry() || value >= 1 << 12 {
                    return Err(Fault::Form);
                }
                let value = u64::from(value) << if high { 12 } else { 0 };
                let left = self.base(left)?;
                let sum = self.sum(op, left, Content::Known(value))?;
                match to.place() {
                    // The stack pointer, or another register.
                    Some(place) if !op.sets_flags() => self.set_general(place, sum),
                    None if !op.sets_flags() => Err(Fault::Form),
                    _ => self.set(to, sum),
                }
            }
            _ => Err(Fault::Form),
        }
    }

    /// What a sum or difference gives; its flags are set.
    fn sum(&mut self, op: Sum, left: Content, right: Content) -> Result<Content, Fault> {
        match (left, right) {
            (Content::Known(x), Content::Known(y)) if !op.takes_carry() => {
                let (z, carry) = plain_sum(op, x, y);
                if op.sets_flags() {
                    self.own.carry = Some(self.known_flag(i128::from(carry)));
                }
                return Ok(Content::Known(z));
            }
            (pointer @ (Content::Array(..) | Content::Stack(_)), Content::Known(step)) => {
                return match op {
                    Sum::Add => Self::moved(pointer, step as i64),
                    Sum::Sub => Self::moved(pointer, (step as i64).wrapping_neg()),
                    _ => Err(Fault::Address),
                };
            }
            (Content::Known(step), pointer @ (Content::Array(..) | Content::Stack(_))) if op == Sum::Add => {
                return Self::moved(pointer, step as i64);
            }
            _ => {}
        }
        let (x, y) = (self.word(left)?, self.word(right)?);
        let (z, carry) = if op.is_plus() {
            let carry = if op.takes_carry() { self.carry()? } else { self.known_flag(0) };
            self.terms.add_carry(x, y, carry, 64)
        } else {
            // It borrows one more where the carry is not set.
            let borrow = if op.takes_carry() {
                let carry = self.carry()?;
                self.terms.complement(carry)
            } else {
                self.known_flag(0)
            };
            let (z, borrow) = self.terms.sub_borrow(x, y, borrow, 64);
            (z, self.terms.complement(borrow))
        };
        if op.sets_flags() {
            self.own.carry = Some(carry);
        }
        Ok(Content::Word(z, 64))
    }

    /// Operations on bits; none of these sets flags.
    pub(super) fn bits(&mut self, inst: &Inst) -> Result<(), Fault> {
        if let Some((from, to)) = inst.copied() {
            // A copy, of whatever it is.
            let content = self.content(from)?;
            return self.set(to, content);
        }
        match *inst {
            Inst::Logic { op, to, left, right } => {
                let (left, right) = (self.content(left)?, self.shifted(right)?);
                let z = self.logic(op, left, right)?;
                self.set(to, z)
            }
            Inst::LogicOf { op: op @ (Logic::And | Logic::Or | Logic::Xor), to, left, value } => {
                // With the zero register's number the result would go to the stack pointer.
                if !is_pattern(value) || to == Gpr::ZERO {
                    return Err(Fault::Form);
                }
                let left = self.content(left)?;
                let z = self.logic(op, left, Content::Known(value))?;
                self.set(to, z)
            }
            _ => Err(Fault::Form),
        }
    }

    fn logic(&mut self, op: Logic, left: Content, right: Content) -> Result<Content, Fault> {
        if let (Content::Known(x), Content::Known(y)) = (left, right) {
            return Ok(Content::Known(plain_logic(op, x, y)));
        }
        let (x, y) = (self.word(left)?, self.word(right)?);
        let z = match op {
            Logic::And => self.terms.and(x, y),
            Logic::Or | Logic::Xor if left == Content::Known(0) => y,
            Logic::Or => self.terms.or(x, y),
            Logic::Xor => self.terms.xor(x, y),
            Logic::AndNot => self.terms.and_not(x, y, 64),
            Logic::OrNot | Logic::XorNot => {
                let y = self.terms.not(y, 64);
                match op {
                    _ if left == Content::Known(0) => y,
                    Logic::OrNot => self.terms.or(x, y),
                    _ => self.terms.xor(x, y),
                }
            }
        };
        Ok(Content::Word(z, 64))
    }

    pub(super) fn products(&mut self, inst: &Inst) -> Result<(), Fault> {
        let (half, to, left, right, addend) = match *inst {
            Inst::Product { half, to, left, right } => (half, to, left, right, Gpr::ZERO),
            Inst::ProductSum { to, left, right, addend } => (Half::Low, to, left, right, addend),
            _ => return Err(Fault::Form),
        };
        let (left, right, addend) = (self.content(left)?, self.content(right)?, self.content(addend)?);
        if let (Half::Low, Content::Known(x), Content::Known(y), Content::Known(a)) = (half, left, right, addend) {
            return self.set(to, Content::Known(a.wrapping_add(x.wrapping_mul(y))));
        }
        let (x, y) = (self.word(left)?, self.word(right)?);
        let (low, high) = self.terms.mul(x, y);
        let z = match (half, addend) {
            (Half::High, _) => high,
            (Half::Low, Content::Known(0)) => low,
            (Half::Low, addend) => {
                let addend = self.word(addend)?;
                self.terms.add(addend, low, 64)
            }
        };
        self.set(to, Content::Word(z, 64))
    }

    pub(super) fn shifts(&mut self, inst: &Inst) -> Result<(), Fault> {
        let within = |amount: u8| if (1..64).contains(&amount) { Ok(u32::from(amount)) } else { Err(Fault::Form) };
        match *inst {
            Inst::Shift { shift, to, from, amount } => {
                within(amount)?;
                let from = self.content(from)?;
                let z = self.shift_of(from, shift, amount)?;
                self.set(to, z)
            }
            Inst::Extract { to, high, low, amount } => {
                let k = within(amount)?;
                let (high, low) = (self.content(high)?, self.content(low)?);
                let (high, low) = (self.word(high)?, self.word(low)?);
                let z = self.terms.funnel(high, low, k, 64);
                self.set(to, Content::Word(z, 64))
            }
            Inst::Field { to, from, from_bit, bits } => {
                // Up to the last bit it is a shift.
                if bits == 0 || from_bit >= 64 || bits >= 64 - from_bit {
                    return Err(Fault::Form);
                }
                let from = self.content(from)?;
                let x = self.word(from)?;
                let z = self.terms.shift_right(x, from_bit.into());
                let z = self.terms.low(z, bits.into());
                self.set(to, Content::Word(z, 64))
            }
            _ => Err(Fault::Form),
        }
    }

    pub(super) fn choices(&mut self, inst: &Inst) -> Result<(), Fault> {
        match *inst {
            Inst::Select { chosen, to, left, right, carry } => {
                let flag = self.carry()?;
                let flag = if carry { flag } else { self.terms.complement(flag) };
                let (left, right) = (self.content(left)?, self.content(right)?);
                let (x, y) = (self.word(left)?, self.word(right)?);
                let y = match (chosen, right) {
                    (Chosen::AsIs, _) => y,
                    (Chosen::PlusOne, Content::Known(y)) => self.terms.word_constant(y.wrapping_add(1)),
                    (Chosen::PlusOne, _) => {
                        let one = self.terms.word_constant(1);
                        self.terms.add(y, one, 64)
                    }
                    (Chosen::Complement, _) => self.terms.not(y, 64),
                };
                let z = self.terms.select(flag, x, y);
                self.set(to, Content::Word(z, 64))
            }
            Inst::Move { wide, to, value, place } => {
                if place > 3 {
                    return Err(Fault::Form);
                }
                let (value, mask) = (u64::from(value) << (16 * place), 0xffff << (16 * place));
                let z = match wide {
                    Wide::Zeros => value,
                    Wide::Ones => !value,
                    Wide::Keep => match self.content(to)? {
                        Content::Known(x) => x & !mask | value,
                        _ => return Err(Fault::Undefined("what is kept of a constant")),
                    },
                };
                self.set(to, Content::Known(z))
            }
            _ => Err(Fault::Form),
        }
    }
}
