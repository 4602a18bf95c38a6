//! One method an operation, each with its simplifications.

use num_bigint::{BigInt, Sign};
use num_traits::{One, Zero};

use super::Builder;
use crate::kernel::{Array, Index, Type, Value};
use crate::op::Op;
use crate::range::{Interval, pow2};

impl Builder {
    /// Exact sum.
    pub fn add(&mut self, a: Value, b: Value) -> Value {
        if self.is_zero(a) {
            return b;
        }
        if self.is_zero(b) {
            return a;
        }
        self.op1(Op::Add, &[a, b], self.ty(a))
    }

    /// Exact difference.
    pub fn sub(&mut self, a: Value, b: Value) -> Value {
        if self.is_zero(b) { a } else { self.op1(Op::Sub, &[a, b], self.ty(a)) }
    }

    /// Exact product.
    pub fn mul(&mut self, a: Value, b: Value) -> Value {
        for (x, y) in [(a, b), (b, a)] {
            match self.constant_of(x) {
                Some(c) if c.is_zero() => return x,
                Some(c) if c.is_one() => return y,
                Some(c) if is_power(c) => return self.shl(y, c.bits() as u32 - 1),
                _ => {}
            }
        }
        self.op1(Op::Mul, &[a, b], self.ty(a))
    }

    /// Sum modulo 2^n.
    pub fn wrapping_add(&mut self, a: Value, b: Value) -> Value {
        if self.fits_add(a, b) { self.add(a, b) } else { self.op1(Op::WrappingAdd, &[a, b], self.ty(a)) }
    }

    /// Difference modulo 2^n.
    pub fn wrapping_sub(&mut self, a: Value, b: Value) -> Value {
        if self.is_zero(b) { a } else { self.op1(Op::WrappingSub, &[a, b], self.ty(a)) }
    }

    /// Product modulo 2^n.
    pub fn wrapping_mul(&mut self, a: Value, b: Value) -> Value {
        if self.fits_mul(a, b) {
            return self.mul(a, b);
        }
        for (x, y) in [(a, b), (b, a)] {
            match self.constant_of(x) {
                Some(c) if is_power(c) => {
                    let k = c.bits() as u32 - 1;
                    return self.wrapping_shl(y, k);
                }
                _ => {}
            }
        }
        self.op1(Op::WrappingMul, &[a, b], self.ty(a))
    }

    /// `(lo, hi)` of the product of two words.
    pub fn mul_wide(&mut self, a: Value, b: Value) -> (Value, Value) {
        let (ty, n) = (self.ty(a), self.ty(a).bits());
        for (x, y) in [(a, b), (b, a)] {
            match self.constant_of(x).cloned() {
                Some(c) if c.is_zero() => return (x, x),
                Some(c) if c.is_one() => {
                    let zero = self.zero(ty);
                    return (y, zero);
                }
                Some(c) if is_power(&c) => {
                    let k = c.bits() as u32 - 1;
                    let lo = self.wrapping_shl(y, k);
                    let hi = self.shr(y, n - k);
                    return (lo, hi);
                }
                _ => {}
            }
        }
        if self.fits_mul(a, b) {
            let zero = self.zero(ty);
            return (self.mul(a, b), zero);
        }
        self.op2(Op::MulWide, &[a, b], [ty, ty])
    }

    /// The unsplit product of two words.
    pub fn mul_full(&mut self, a: Value, b: Value) -> Value {
        let wide = Type::Wide(2 * self.ty(a).bits() as u8);
        for (x, y) in [(a, b), (b, a)] {
            match self.constant_of(x).cloned() {
                Some(c) if c.is_zero() => return self.zero(wide),
                Some(c) if is_power(&c) => {
                    let y = self.widen(y, wide);
                    return self.shl(y, c.bits() as u32 - 1);
                }
                _ => {}
            }
        }
        self.op1(Op::MulFull, &[a, b], wide)
    }

    /// `(lo, hi)` of `a·b + c + d`, words.
    pub fn mul_add_add(&mut self, a: Value, b: Value, c: Value, d: Value) -> (Value, Value) {
        let ty = self.ty(a);
        if self.is_zero(c) && self.is_zero(d) {
            return self.mul_wide(a, b);
        }
        for (x, y) in [(a, b), (b, a)] {
            match self.constant_of(x).cloned() {
                Some(k) if k.is_zero() => {
                    let none = self.no_flag();
                    let (s, carry) = self.add_carry(c, d, none);
                    let hi = self.flag_to_word(carry, ty);
                    return (s, hi);
                }
                Some(k) if is_power(&k) && (self.is_zero(c) || self.is_zero(d)) => {
                    // y·2^k + c: shifts instead of a product.
                    let addend = if self.is_zero(c) { d } else { c };
                    let (lo, hi) = self.mul_wide(x, y);
                    let none = self.no_flag();
                    let (s, carry) = self.add_carry(lo, addend, none);
                    let carry = self.flag_to_word(carry, ty);
                    let hi = self.add(hi, carry);
                    return (s, hi);
                }
                _ => {}
            }
        }
        self.op2(Op::MulAddAdd, &[a, b, c, d], [ty, ty])
    }

    /// `acc + lo_k(x·y)`.
    pub fn madd_lo(&mut self, k: u32, acc: Value, x: Value, y: Value) -> Value {
        self.op1(Op::MaddLo(k), &[acc, x, y], self.ty(acc))
    }

    /// `acc + hi_k(x·y)`.
    pub fn madd_hi(&mut self, k: u32, acc: Value, x: Value, y: Value) -> Value {
        self.op1(Op::MaddHi(k), &[acc, x, y], self.ty(acc))
    }

    /// Sum with carry; when no carry is possible this is a plain sum and the flag a known 0.
    pub fn add_carry(&mut self, a: Value, b: Value, carry: Value) -> (Value, Value) {
        let ty = self.ty(a);
        let sum = self.range(a).add(self.range(b)).add(self.range(carry));
        let zeros = [a, b, carry].iter().filter(|v| self.is_zero(**v)).count();
        if zeros >= 2 && !self.is_zero(carry) {
            let w = self.flag_to_word(carry, ty);
            let none = self.no_flag();
            return (w, none);
        }
        if sum.fits(ty) && self.is_zero(carry) {
            let none = self.no_flag();
            return (self.add(a, b), none);
        }
        self.op2(Op::AddCarry, &[a, b, carry], [ty, Type::Flag])
    }

    /// Difference with borrow; when no borrow is possible this is a plain difference and the flag a known 0.
    pub fn sub_borrow(&mut self, a: Value, b: Value, borrow: Value) -> (Value, Value) {
        let ty = self.ty(a);
        if self.is_zero(borrow) && self.range(a).lo >= self.range(b).hi {
            let none = self.no_flag();
            return (self.sub(a, b), none);
        }
        self.op2(Op::SubBorrow, &[a, b, borrow], [ty, Type::Flag])
    }

    /// A flag as a word 0 or 1.
    pub fn flag_to_word(&mut self, flag: Value, ty: Type) -> Value {
        match self.constant_of(flag).cloned() {
            Some(c) => self.constant(ty, c),
            None => self.op1(Op::FlagToWord, &[flag], ty),
        }
    }

    /// A flag as a mask of word size.
    pub fn flag_to_mask(&mut self, flag: Value) -> Value {
        let ty = Type::Mask(self.kernel.word as u8);
        self.op1(Op::FlagToMask, &[flag], ty)
    }

    /// A mask as a word.
    pub fn mask_to_word(&mut self, mask: Value) -> Value {
        let ty = Type::Word(self.ty(mask).bits() as u8);
        self.op1(Op::MaskToWord, &[mask], ty)
    }

    /// A mask as a flag.
    pub fn mask_to_flag(&mut self, mask: Value) -> Value {
        self.op1(Op::MaskToFlag, &[mask], Type::Flag)
    }

    /// Mask of `a == b`.
    pub fn equal(&mut self, a: Value, b: Value) -> Value {
        let ty = Type::Mask(self.ty(a).bits() as u8);
        self.op1(Op::Equal, &[a, b], ty)
    }

    /// Mask of `a < b`.
    pub fn less(&mut self, a: Value, b: Value) -> Value {
        let ty = Type::Mask(self.ty(a).bits() as u8);
        self.op1(Op::Less, &[a, b], ty)
    }

    /// `a` where the mask is all ones, else `b`.
    pub fn select(&mut self, mask: Value, a: Value, b: Value) -> Value {
        if a == b { a } else { self.op1(Op::Select, &[mask, a, b], self.ty(a)) }
    }

    /// Exact shift left.
    pub fn shl(&mut self, a: Value, k: impl Into<Index>) -> Value {
        let k = k.into();
        if k.constant() == Some(0) || self.is_zero(a) { a } else { self.op1(Op::Shl(k), &[a], self.ty(a)) }
    }

    /// Shift left, bits above the type dropped.
    pub fn wrapping_shl(&mut self, a: Value, k: impl Into<Index>) -> Value {
        let k = k.into();
        let (_, most) = self.index_range(&k);
        if self.range(a).shl(most.max(0) as u32).fits(self.ty(a)) {
            return self.shl(a, k);
        }
        self.op1(Op::WrappingShl(k), &[a], self.ty(a))
    }

    /// Logical shift right.
    pub fn shr(&mut self, a: Value, k: impl Into<Index>) -> Value {
        let k = k.into();
        if k.constant() == Some(0) {
            return a;
        }
        let (least, _) = self.index_range(&k);
        let range = self.range(a);
        if range.lo.sign() != Sign::Minus && (&range.hi >> least.max(0) as u32).is_zero() {
            return self.zero(self.ty(a));
        }
        self.op1(Op::Shr(k), &[a], self.ty(a))
    }

    /// Arithmetic shift right.
    pub fn sar(&mut self, a: Value, k: impl Into<Index>) -> Value {
        self.op1(Op::Sar(k.into()), &[a], self.ty(a))
    }

    /// Rotate left.
    pub fn rotate(&mut self, a: Value, k: impl Into<Index>) -> Value {
        self.op1(Op::Rotate(k.into()), &[a], self.ty(a))
    }

    /// Low word of `(hi·2^n + lo) >> k`.
    pub fn funnel_shift(&mut self, hi: Value, lo: Value, k: impl Into<Index>) -> Value {
        let k = k.into();
        match k.constant() {
            Some(0) => lo,
            Some(k) if k == self.ty(hi).bits() as i64 => hi,
            Some(k) if self.is_zero(hi) => self.shr(lo, k as u32),
            _ => self.op1(Op::FunnelShift(k), &[hi, lo], self.ty(hi)),
        }
    }

    /// Bitwise and.
    pub fn and(&mut self, a: Value, b: Value) -> Value {
        self.op1(Op::And, &[a, b], self.ty(a))
    }

    /// Bitwise or.
    pub fn or(&mut self, a: Value, b: Value) -> Value {
        if self.is_zero(a) {
            return b;
        }
        if self.is_zero(b) { a } else { self.op1(Op::Or, &[a, b], self.ty(a)) }
    }

    /// Bitwise exclusive or.
    pub fn xor(&mut self, a: Value, b: Value) -> Value {
        if self.is_zero(a) {
            return b;
        }
        if self.is_zero(b) { a } else { self.op1(Op::Xor, &[a, b], self.ty(a)) }
    }

    /// Complement.
    pub fn not(&mut self, a: Value) -> Value {
        self.op1(Op::Not, &[a], self.ty(a))
    }

    /// `a and not b`.
    pub fn and_not(&mut self, a: Value, b: Value) -> Value {
        self.op1(Op::AndNot, &[a, b], self.ty(a))
    }

    /// `a mod 2^k`; free when the range says so.
    pub fn low_bits(&mut self, a: Value, k: u32) -> Value {
        if self.range(a).within(&Interval::bits(k)) { a } else { self.op1(Op::LowBits(k), &[a], self.ty(a)) }
    }

    /// Zero extension.
    pub fn widen(&mut self, a: Value, ty: Type) -> Value {
        match self.constant_of(a).cloned() {
            Some(c) => self.constant(ty, c),
            None if self.ty(a) == ty => a,
            None => self.op1(Op::Widen, &[a], ty),
        }
    }

    /// The value in a narrower type; exact.
    pub fn narrow(&mut self, a: Value, ty: Type) -> Value {
        if self.ty(a) == ty { a } else { self.op1(Op::Narrow, &[a], ty) }
    }

    /// Words of `part` bits, lowest first.
    pub fn split(&mut self, a: Value, part: u32) -> Vec<Value> {
        let n = self.ty(a).bits() / part;
        self.op(Op::Split, &[a], &vec![Type::Word(part as u8); n as usize])
    }

    /// Parts, lowest first, as one word.
    pub fn join(&mut self, parts: &[Value], ty: Type) -> Value {
        self.op1(Op::Join, parts, ty)
    }

    /// Carry-less product of two words.
    pub fn clmul(&mut self, a: Value, b: Value) -> Value {
        let wide = Type::Wide(2 * self.ty(a).bits() as u8);
        self.op1(Op::Clmul, &[a, b], wide)
    }

    /// The product of two bytes modulo x^8 + x^4 + x^3 + x + 1.
    pub fn rijndael_mul(&mut self, a: Value, b: Value) -> Value {
        self.op1(Op::RijndaelMul, &[a, b], Type::Word(8))
    }

    /// The sum of the images of the bits of a byte.
    pub fn bit_matrix(&mut self, images: [u8; 8], a: Value) -> Value {
        self.op1(Op::BitMatrix(u64::from_le_bytes(images)), &[a], Type::Word(8))
    }

    /// An entry of a constant table, or of a local array that is written whole, at a secret index, constant-time.
    pub fn lookup(&mut self, table: Array, index: Value) -> Value {
        self.entry(table, index, false)
    }

    /// A look-up by an address that depends on the index: the kernel's name must end in `_vartime`.
    pub fn lookup_vartime(&mut self, table: Array, index: Value) -> Value {
        self.entry(table, index, true)
    }

    fn entry(&mut self, table: Array, index: Value, vartime: bool) -> Value {
        let info = self.kernel.array(table);
        let (ty, range) = (info.ty, info.ranges[0].clone());
        let v = self.op1(Op::Lookup { table, vartime }, &[index], ty);
        self.kernel.values[v.0 as usize].range = range;
        v
    }
}

/// Is `c` a power of two (1 included)?
fn is_power(c: &BigInt) -> bool {
    c.sign() == Sign::Plus && *c == pow2(c.bits() as u32 - 1)
}
