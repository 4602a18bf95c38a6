//! What instructions on general registers do. **Trusted.**

use super::{Fault, Machine, Zero};
use crate::check::machine::Content;
use crate::check::terms::{Flag, Word};
use crate::x86_64::instruction::{Condition, Gpr, Inst, Opcode, Operand};

impl Machine<'_> {
    pub(super) fn execute(&mut self, inst: &Inst) -> Result<(), Fault> {
        let n = u32::from(inst.bits);
        let operands: Vec<Operand> = inst.operands().collect();
        if n == 64 && self.on_constants(inst.op, &operands)? {
            return Ok(());
        }
        match (inst.op, operands.as_slice()) {
            (op @ (Opcode::Xor | Opcode::Sub | Opcode::Sbb), [Operand::Register(a), Operand::Register(b)])
                if a == b && n >= 32 =>
            {
                self.with_itself(op, *a, n)
            }
            (op @ (Opcode::Push | Opcode::Pop | Opcode::Mov | Opcode::MovZeroExtend | Opcode::Lea), operands) => {
                self.moves(op, operands, n)
            }
            (op @ (Opcode::Add | Opcode::Adc | Opcode::Sub | Opcode::Sbb | Opcode::Cmp), [a, b]) => {
                self.sum(op, *a, *b, n)
            }
            (op @ (Opcode::Adcx | Opcode::Adox | Opcode::Neg | Opcode::ClearCarry | Opcode::SetCarry), operands) => {
                self.carries(op, operands, n)
            }
            (op @ (Opcode::Not | Opcode::And | Opcode::Or | Opcode::Xor | Opcode::Test), operands) => {
                self.logic(op, operands, n)
            }
            (op @ (Opcode::Andn | Opcode::BitTest), operands) => self.logic(op, operands, n),
            (op @ (Opcode::Imul | Opcode::Mul | Opcode::Mulx), operands) => self.product(op, operands, n),
            (op @ (Opcode::Shl | Opcode::Shr | Opcode::Sar | Opcode::Rol), [a, Operand::Immediate(k)]) => {
                self.shift(op, *a, *k, n)
            }
            (op @ (Opcode::Shld | Opcode::Shrd | Opcode::Rorx | Opcode::Shlx | Opcode::Shrx), operands) if n == 64 => {
                self.long_shift(op, operands)
            }
            (op @ (Opcode::Set(condition) | Opcode::Cmov(condition)), operands) => {
                self.chosen(op, condition, operands, n)
            }
            _ => Err(Fault::Form),
        }
    }

    /// What an operation of a register with itself gives, which does not depend on the register.
    fn with_itself(&mut self, op: Opcode, a: Gpr, n: u32) -> Result<(), Fault> {
        let borrow = if op == Opcode::Sbb { self.condition(Condition::Carry)? } else { self.known_flag(0) };
        let x = self.terms.mask_word(borrow, n);
        self.set(a, Content::Word(x, 64))?;
        self.own.carry = Some(borrow);
        self.own.overflow = if op == Opcode::Xor { Some(borrow) } else { None };
        self.own.zero = Some(Zero::Of(x));
        Ok(())
    }

    fn moves(&mut self, op: Opcode, operands: &[Operand], n: u32) -> Result<(), Fault> {
        match (op, operands) {
            (Opcode::Push, [Operand::Register(r)]) => {
                let content = self.registers[r.number() as usize];
                self.push(content)
            }
            (Opcode::Pop, [Operand::Register(r)]) => {
                let content = self.pop()?;
                self.set(*r, content)
            }
            (Opcode::Mov, [to, from]) if n == 64 => {
                let content = self.content(*from)?;
                self.put(*to, content)
            }
            (Opcode::Mov, [to, from]) => {
                let x = self.read(*from, n)?;
                self.write(*to, x, n)
            }
            (Opcode::MovZeroExtend, [Operand::Register(r), from]) if n < 64 => {
                let x = self.read(*from, n)?;
                self.set(*r, Content::Word(x, 64))
            }
            (Opcode::Lea, [Operand::Register(r), Operand::Memory(address)]) if n == 64 => {
                let content = self.lea(address)?;
                self.set(*r, content)
            }
            _ => Err(Fault::Form),
        }
    }

    /// Sums and differences that set the carry.
    fn sum(&mut self, op: Opcode, a: Operand, b: Operand, n: u32) -> Result<(), Fault> {
        let (x, y) = (self.read(a, n)?, self.read(b, n)?);
        let takes_carry = matches!(op, Opcode::Adc | Opcode::Sbb);
        let carry = if takes_carry { self.condition(Condition::Carry)? } else { self.known_flag(0) };
        let plus = matches!(op, Opcode::Add | Opcode::Adc);
        let (z, carry) =
            if plus { self.terms.add_carry(x, y, carry, n) } else { self.terms.sub_borrow(x, y, carry, n) };
        if op != Opcode::Cmp {
            self.write(a, z, n)?;
        }
        self.sum_flags(z, carry);
        Ok(())
    }

    /// What touches one flag alone, and the negative.
    fn carries(&mut self, op: Opcode, operands: &[Operand], n: u32) -> Result<(), Fault> {
        match (op, operands) {
            (Opcode::ClearCarry, []) => self.own.carry = Some(self.known_flag(0)),
            (Opcode::SetCarry, []) => self.own.carry = Some(self.known_flag(1)),
            (Opcode::Adcx | Opcode::Adox, [a @ Operand::Register(r), b]) if n == 64 => {
                let (x, y) = (self.read(*a, n)?, self.read(*b, n)?);
                let condition = if op == Opcode::Adcx { Condition::Carry } else { Condition::Overflow };
                let carry = self.condition(condition)?;
                let (z, carry) = self.terms.add_carry(x, y, carry, n);
                self.set(*r, Content::Word(z, 64))?;
                let flag = if op == Opcode::Adcx { &mut self.own.carry } else { &mut self.own.overflow };
                *flag = Some(carry);
            }
            (Opcode::Neg, [a]) => {
                let x = self.read(*a, n)?;
                let (zero, none) = (self.terms.word_constant(0), self.known_flag(0));
                let (z, carry) = self.terms.sub_borrow(zero, x, none, n);
                self.write(*a, z, n)?;
                self.sum_flags(z, carry);
            }
            _ => return Err(Fault::Form),
        }
        Ok(())
    }

    fn logic(&mut self, op: Opcode, operands: &[Operand], n: u32) -> Result<(), Fault> {
        match (op, operands) {
            (Opcode::Not, [a]) => {
                let x = self.read(*a, n)?;
                let z = self.terms.not(x, n);
                self.write(*a, z, n)?;
            }
            (Opcode::And | Opcode::Or | Opcode::Xor | Opcode::Test, [a, b]) => {
                let (x, y) = (self.read(*a, n)?, self.read(*b, n)?);
                let z = match op {
                    Opcode::Or => self.terms.or(x, y),
                    Opcode::Xor => self.terms.xor(x, y),
                    _ => self.terms.and(x, y),
                };
                if op != Opcode::Test {
                    self.write(*a, z, n)?;
                }
                self.logic_flags(z);
            }
            (Opcode::Andn, [Operand::Register(a), b, c]) if n == 64 => {
                let (x, y) = (self.read(*b, n)?, self.read(*c, n)?);
                let z = self.terms.and_not(y, x, n);
                self.set(*a, Content::Word(z, 64))?;
                self.logic_flags(z);
            }
            (Opcode::BitTest, [a, Operand::Immediate(k)]) if (0..i64::from(n)).contains(k) => {
                let x = self.read(*a, n)?;
                self.own.carry = Some(self.terms.bit(x, *k as u32));
                self.own.overflow = None;
            }
            _ => return Err(Fault::Form),
        }
        Ok(())
    }

    fn product(&mut self, op: Opcode, operands: &[Operand], n: u32) -> Result<(), Fault> {
        match (op, operands) {
            (Opcode::Imul, [a @ Operand::Register(_), rest @ ..]) if matches!(rest.len(), 1 | 2) => {
                let (b, c) = if rest.len() == 1 { (*a, rest[0]) } else { (rest[0], rest[1]) };
                let (x, y) = (self.read(b, n)?, self.read(c, n)?);
                let (lo, _) = self.terms.mul(x, y);
                let lo = self.terms.low(lo, n);
                self.write(*a, lo, n)?;
                (self.own.carry, self.own.overflow, self.own.zero) = (None, None, None);
            }
            (Opcode::Mul, [b]) if n == 64 => {
                let (x, y) = (self.read(Operand::Register(Gpr::Rax), n)?, self.read(*b, n)?);
                let (lo, hi) = self.terms.mul(x, y);
                self.set(Gpr::Rax, Content::Word(lo, 64))?;
                self.set(Gpr::Rdx, Content::Word(hi, 64))?;
                (self.own.carry, self.own.overflow, self.own.zero) = (None, None, None);
            }
            (Opcode::Mulx, [Operand::Register(high), Operand::Register(low), b]) if n == 64 => {
                let (x, y) = (self.read(Operand::Register(Gpr::Rdx), n)?, self.read(*b, n)?);
                let (lo, hi) = self.terms.mul(x, y);
                // The high word is written last.
                self.set(*low, Content::Word(lo, 64))?;
                self.set(*high, Content::Word(hi, 64))?;
            }
            _ => return Err(Fault::Form),
        }
        Ok(())
    }

    fn shift(&mut self, op: Opcode, a: Operand, k: i64, n: u32) -> Result<(), Fault> {
        let k = u32::try_from(k).ok().filter(|k| *k < n).ok_or(Fault::Form)?;
        let x = self.read(a, n)?;
        let z = match op {
            Opcode::Shl => self.terms.shift_left(x, k, n),
            Opcode::Shr => self.terms.shift_right(x, k),
            Opcode::Sar => self.terms.shift_right_signed(x, k, n),
            _ => self.terms.rotate(x, k, n),
        };
        self.write(a, z, n)?;
        if k == 0 {
            return Ok(());
        }
        // The carry is the last bit that was shifted out; nobody is to use it.
        self.own.carry = None;
        self.own.overflow = None;
        if op != Opcode::Rol {
            self.own.zero = Some(Zero::Of(z));
        }
        Ok(())
    }

    /// Shifts of 64 bits through two words, and those that leave the flags alone.
    fn long_shift(&mut self, op: Opcode, operands: &[Operand]) -> Result<(), Fault> {
        match (op, operands) {
            (Opcode::Shld | Opcode::Shrd, [a, b, Operand::Immediate(k)]) if (1..64).contains(k) => {
                let (x, y, k) = (self.read(*a, 64)?, self.read(*b, 64)?, *k as u32);
                let left = op == Opcode::Shld;
                let z = if left { self.terms.funnel(x, y, 64 - k, 64) } else { self.terms.funnel(y, x, k, 64) };
                self.write(*a, z, 64)?;
                (self.own.carry, self.own.overflow, self.own.zero) = (None, None, Some(Zero::Of(z)));
                Ok(())
            }
            (Opcode::Rorx, [Operand::Register(a), b, Operand::Immediate(k)]) if (0..64).contains(k) => {
                let x = self.read(*b, 64)?;
                let z = self.terms.rotate(x, (64 - *k as u32) % 64, 64);
                self.set(*a, Content::Word(z, 64))
            }
            (Opcode::Shlx | Opcode::Shrx, [Operand::Register(a), b, count]) => {
                let (x, count) = (self.read(*b, 64)?, self.read(*count, 64)?);
                // The amount must be public; the processor takes it modulo 64.
                let k = (self.terms.word_value(count).ok_or(Fault::Undefined("amount of a shift"))? % 64) as u32;
                let left = op == Opcode::Shlx;
                let z = if left { self.terms.shift_left(x, k, 64) } else { self.terms.shift_right(x, k) };
                self.set(*a, Content::Word(z, 64))
            }
            _ => Err(Fault::Form),
        }
    }

    /// A flag as a byte, or a word that is moved where it is set.
    fn chosen(&mut self, op: Opcode, condition: Condition, operands: &[Operand], n: u32) -> Result<(), Fault> {
        match (op, operands) {
            (Opcode::Set(_), [a]) if n == 8 => {
                let flag = self.condition(condition)?;
                let x = self.terms.flag_word(flag);
                self.write(*a, x, 8)
            }
            (Opcode::Cmov(_), [a @ Operand::Register(r), b]) if n == 64 => {
                let flag = self.condition(condition)?;
                let (x, y) = (self.read(*a, n)?, self.read(*b, n)?);
                let z = self.terms.select(flag, y, x);
                self.set(*r, Content::Word(z, 64))
            }
            _ => Err(Fault::Form),
        }
    }

    /// The flags behind a sum or difference.
    fn sum_flags(&mut self, z: Word, carry: Flag) {
        (self.own.carry, self.own.overflow, self.own.zero) = (Some(carry), None, Some(Zero::Of(z)));
    }

    fn logic_flags(&mut self, z: Word) {
        let zero = self.known_flag(0);
        (self.own.carry, self.own.overflow, self.own.zero) = (Some(zero), Some(zero), Some(Zero::Of(z)));
    }
}
