//! What operations on words mean, as forms. Both executors use these functions and no others. **Trusted.**
//!
//! `n` is a width up to w: operands are words below 2^n, and so are the results. Results that are known to be words
//! although their form may leave 0..N go through [`Terms::seal`], which records the equation.

use super::terms::{Atom, Flag, Lin, Terms, Word};

/// An operation on doubles, rounded to nearest.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[rustfmt::skip]
pub enum FloatOp { Add, Sub, Mul, Fma }

impl Terms {
    /// The word of a form: modulo N.
    pub fn word(&mut self, l: Lin) -> Word {
        Word(self.reduce(l).0)
    }

    /// A constant word.
    pub fn word_constant(&mut self, c: u64) -> Word {
        let l = self.constant(i128::from(c));
        self.word(l)
    }

    /// The value of a word without atoms, in 0..N.
    pub fn word_value(&self, x: Word) -> Option<u64> {
        self.as_constant(x.0).map(|c| c.rem_euclid(self.n()) as u64)
    }

    /// A word as an integer in 0..N.
    pub fn int(&mut self, x: Word) -> Lin {
        let over = self.over(x.0);
        let n = self.n();
        self.sum(&[(x.0, 1), (over, -n)], 0)
    }

    /// The word of a form whose value lies in lo..=hi, within 0..N, for every admissible input.
    pub fn seal(&mut self, value: Lin, lo: i128, hi: i128) -> Word {
        let zero = self.constant(0);
        self.seal_above(value, zero, lo, hi)
    }

    /// The word of `value + N·above`, which lies in lo..=hi, within 0..N, for every admissible input.
    fn seal_above(&mut self, value: Lin, above: Lin, lo: i128, hi: i128) -> Word {
        let (reduced, rest) = self.reduce(value);
        let rest = self.sum(&[(rest, 1), (above, 1)], 0);
        // reduced + N·rest lies in 0..N, so ⌊reduced / N⌋ = −rest.
        let over = self.over(reduced);
        let zero = self.sum(&[(over, 1), (rest, 1)], 0);
        self.learn_zero(zero);
        if lo == hi {
            let zero = self.sum(&[(reduced, 1), (rest, self.n())], -lo);
            self.learn_zero(zero);
        }
        let word = self.refresh_word(Word(reduced));
        self.bound_word(word, lo, hi);
        word
    }

    /// A flag as a word 0 or 1.
    pub fn flag_word(&mut self, f: Flag) -> Word {
        self.word(f.0)
    }

    /// `2^n − 1` where the flag is 1, else 0.
    pub fn mask_word(&mut self, f: Flag, n: u32) -> Word {
        let l = self.sum(&[(f.0, (1 << n) - 1)], 0);
        self.word(l)
    }

    /// `⌊value / 2^n⌋` for any integer.
    pub fn floor(&mut self, value: Lin, n: u32) -> Lin {
        if let Some((lo, hi)) = self.bounds(value) {
            if lo >> n == hi >> n {
                return self.constant(lo >> n);
            }
            // The sign of a number that is small: the quotient is −1 or 0, and by every greater power of two it is the
            // same.
            if lo >> n == -1 && hi >> n == 0 {
                return self.over(value);
            }
        }
        let scale = 1i128 << (self.w() - n);
        let scaled = self.sum(&[(value, scale)], 0);
        self.over(scaled)
    }

    fn w(&self) -> u32 {
        self.width()
    }

    /// `x + y + c = s + 2^n·carry`.
    pub fn add_carry(&mut self, x: Word, y: Word, c: Flag, n: u32) -> (Word, Flag) {
        let (a, b) = (self.int(x), self.int(y));
        let total = self.sum(&[(a, 1), (b, 1), (c.0, 1)], 0);
        let carry = self.floor(total, n);
        let flag = self.flag(carry);
        let (xb, yb) = (self.word_bounds(x), self.word_bounds(y));
        let cb = self.bounds(c.0).unwrap_or((0, 1));
        let most = xb.1 + yb.1 + cb.1.min(1);
        if most >> n == 0 {
            self.learn_zero(carry);
        }
        self.learn_carry_of_difference(x, y, c, carry, n);
        self.learn_carry_of_difference(y, x, c, carry, n);
        let flag = self.refresh(flag);
        let top = (1i128 << n) - 1;
        let digit = self.digit(total, flag, -1, n, most.min(top));
        if self.as_constant(c.0) == Some(0) {
            self.keep_sum(digit, x, n, (y, flag));
            self.keep_sum(digit, y, n, (x, flag));
        }
        (digit, flag)
    }

    /// `x − y − b = d − 2^n·borrow`.
    pub fn sub_borrow(&mut self, x: Word, y: Word, b: Flag, n: u32) -> (Word, Flag) {
        // x = y + z − 2^n·carry, 0 ≤ z < 2^n: what is left is z, and it borrows exactly where the sum carried.
        let sum = self.kept_sum(x, y, n).filter(|_| self.as_constant(b.0) == Some(0));
        if let Some((other, carry)) = sum {
            return (self.refresh_word(other), self.refresh(carry));
        }
        let (a, c) = (self.int(x), self.int(y));
        let total = self.sum(&[(a, 1), (c, -1), (b.0, -1)], 0);
        let (xb, yb) = (self.word_bounds(x), self.word_bounds(y));
        let bb = self.bounds(b.0).unwrap_or((0, 1));
        self.bound_form(total, xb.0 - yb.1 - bb.1.min(1), xb.1 - yb.0);
        self.keep_sign(total, n);
        let floor = self.floor(total, n);
        let borrow = self.sum(&[(floor, -1)], 0);
        let flag = self.flag(borrow);
        if xb.0 >= yb.1 + bb.1.min(1) {
            self.learn_zero(borrow);
        }
        let flag = self.refresh(flag);
        let digit = self.digit(total, flag, 1, n, (1 << n) - 1);
        if self.as_constant(b.0) == Some(0) {
            // x = d + y − 2^n·borrow.
            self.keep_sum(x, digit, n, (y, flag));
            self.keep_difference(digit, n, total, flag);
        }
        (digit, flag)
    }

    /// The word `total ± 2^n·flag`, at most `most`.
    fn digit(&mut self, total: Lin, flag: Flag, sign: i128, n: u32, most: i128) -> Word {
        if n == self.w() {
            let above = self.sum(&[(flag.0, sign)], 0);
            return self.seal_above(total, above, 0, most);
        }
        let value = self.sum(&[(total, 1), (flag.0, sign << n)], 0);
        self.seal(value, 0, most)
    }

    /// A flag with what was learned meanwhile.
    pub fn refresh(&mut self, f: Flag) -> Flag {
        let l = self.sum(&[(f.0, 1)], 0);
        self.flag(l)
    }

    /// A word with what was learned meanwhile.
    pub fn refresh_word(&mut self, x: Word) -> Word {
        let l = self.sum(&[(x.0, 1)], 0);
        self.word(l)
    }

    /// `x + y mod 2^n`.
    pub fn add(&mut self, x: Word, y: Word, n: u32) -> Word {
        let none = self.constant(0);
        self.add_carry(x, y, Flag(none), n).0
    }

    /// `x − y mod 2^n`.
    pub fn sub(&mut self, x: Word, y: Word, n: u32) -> Word {
        if n == self.w() {
            let l = self.sum(&[(x.0, 1), (y.0, -1)], 0);
            return self.word(l);
        }
        let none = self.constant(0);
        self.sub_borrow(x, y, Flag(none), n).0
    }

    /// `x·y = lo + N·hi`.
    pub fn mul(&mut self, x: Word, y: Word) -> (Word, Word) {
        let half = self.w() / 2;
        if self.split_products
            && self.w().is_multiple_of(2)
            && (self.word_bounds(x).1 | self.word_bounds(y).1) >> half != 0
        {
            return self.mul_by_halves(x, y, half);
        }
        self.mul_whole(x, y)
    }

    /// The product of words of 2h bits from four products of their halves: `(x₀ + 2^h·x₁)·(y₀ + 2^h·y₁)`, where the sums
    /// `x₁y₀ + ⌊x₀y₀ / 2^h⌋` and `x₀y₁` plus the lower half of that stay below N.
    fn mul_by_halves(&mut self, x: Word, y: Word, h: u32) -> (Word, Word) {
        let ([x0, y0], [x1, y1]) = ([x, y].map(|z| self.low(z, h)), [x, y].map(|z| self.shift_right(z, h)));
        let [low, left, right, high] = [(x0, y0), (x1, y0), (x0, y1), (x1, y1)].map(|(x, y)| self.mul_whole(x, y).0);
        let carried = self.shift_right(low, h);
        let first = self.add(left, carried, 2 * h);
        let rest = self.low(first, h);
        let second = self.add(right, rest, 2 * h);
        let (down, up) = (self.low(low, h), self.shift_left(second, h, 2 * h));
        // No bit in common: nothing is carried.
        let lo = self.or(down, up);
        let (first, second) = (self.shift_right(first, h), self.shift_right(second, h));
        let hi = self.add(high, first, 2 * h);
        (lo, self.add(hi, second, 2 * h))
    }

    fn mul_whole(&mut self, x: Word, y: Word) -> (Word, Word) {
        for (c, z) in [(x, y), (y, x)] {
            let Some(c) = self.word_value(c) else { continue };
            let c = i128::from(c);
            let over = self.over(z.0);
            let Some(product) = self.try_sum(&[(z.0, c)], 0) else { continue };
            let lo = self.word(product);
            // ⌊c·(L − N·⌊L/N⌋) / N⌋
            let high = self.over(product);
            let hi = self.sum(&[(high, 1), (over, -c)], 0);
            let most = c as u128 * self.word_bounds(z).1 as u128;
            let hi = self.seal(hi, 0, (most >> self.w()) as i128);
            let lo = self.refresh_word(lo);
            if most >> self.w() == 0 {
                self.bound_word(lo, 0, most as i128);
            }
            return (lo, hi);
        }
        let pair = if x <= y { (x, y) } else { (y, x) };
        let most = self.word_bounds(x).1 as u128 * self.word_bounds(y).1 as u128;
        let top = self.n() - 1;
        let hi_most = (most >> self.w()) as i128;
        let lo_most = if hi_most == 0 { most as i128 } else { top };
        let hi =
            if hi_most == 0 { self.constant(0) } else { self.make(Atom::MulHi(pair.0, pair.1), Some((0, hi_most))) };
        let lo = self.make(Atom::MulLo(pair.0, pair.1), Some((0, lo_most)));
        (self.seal(lo, 0, lo_most), self.seal(hi, 0, hi_most))
    }

    /// `x·y + c + d = lo + 2^n·hi` for words below 2^n.
    pub fn mul_add_add(&mut self, x: Word, y: Word, c: Word, d: Word, n: u32) -> (Word, Word) {
        let (lo, hi) = self.mul(x, y);
        let (lo, hi, c, d) = (self.int(lo), self.int(hi), self.int(c), self.int(d));
        let low = self.sum(&[(lo, 1), (c, 1), (d, 1)], 0);
        let over = self.over(low);
        let n_big = self.n();
        let lo = self.sum(&[(low, 1), (over, -n_big)], 0);
        let hi = self.sum(&[(hi, 1), (over, 1)], 0);
        let top = n_big - 1;
        let (lo, hi) = (self.seal(lo, 0, top), self.seal(hi, 0, top));
        if n == self.w() {
            return (lo, hi);
        }
        // lo + N·hi below 2^2n: its digits in base 2^n.
        let digit = self.low(lo, n);
        let above = self.shift_right(lo, n);
        let (above, hi) = (self.int(above), self.int(hi));
        let high = self.sum(&[(above, 1), (hi, 1 << (self.w() - n))], 0);
        (digit, self.seal(high, 0, (1 << n) - 1))
    }

    /// `x·y = lo + 2^k·hi` for words below 2^k.
    pub fn halves(&mut self, x: Word, y: Word, k: u32) -> (Word, Word) {
        let zero = self.word_constant(0);
        if !self.whole_products || self.word_value(x).is_some() && self.word_value(y).is_some() {
            return self.mul_add_add(x, y, zero, zero, k);
        }
        if self.word_value(x) == Some(0) || self.word_value(y) == Some(0) {
            return (zero, zero);
        }
        let (x, y, top) = (x.min(y), x.max(y), (1i128 << k) - 1);
        let (lo, hi) = (
            self.make(Atom::PartLo(k as u8, x, y), Some((0, top))),
            self.make(Atom::PartHi(k as u8, x, y), Some((0, top))),
        );
        (self.word(lo), self.word(hi))
    }

    /// The pattern of an operation on doubles, words being patterns; z counts for [`FloatOp::Fma`] only, which is
    /// `x·y + z`. Sums and products are the same with their operands exchanged.
    pub fn float(&mut self, op: FloatOp, x: Word, y: Word, z: Word) -> Word {
        let (x, y) = if op == FloatOp::Sub { (x, y) } else { (x.min(y), x.max(y)) };
        let z = if op == FloatOp::Fma { z } else { self.word_constant(0) };
        let top = self.n() - 1;
        let made = self.make(Atom::Float(op, x, y, z), Some((0, top)));
        self.word(made)
    }

    /// `x mod 2^k`, 0 ≤ k ≤ w.
    pub fn low(&mut self, x: Word, k: u32) -> Word {
        if self.word_bounds(x).1 >> k == 0 {
            return x;
        }
        let value = self.low_int(x, k);
        self.seal(value, 0, (1 << k) - 1)
    }

    /// `x mod 2^k = L − 2^k·⌊L / 2^k⌋`: for L modulo N as well, because 2^k divides N.
    fn low_int(&mut self, x: Word, k: u32) -> Lin {
        if k == 0 {
            return self.constant(0);
        }
        let floor = self.floor(x.0, k);
        self.sum(&[(x.0, 1), (floor, -(1 << k))], 0)
    }

    /// `⌊x / 2^k⌋`, 0 ≤ k < w.
    pub fn shift_right(&mut self, x: Word, k: u32) -> Word {
        if k == 0 {
            return x;
        }
        let value = self.shift_right_int(x, k);
        let (lo, hi) = self.word_bounds(x);
        self.seal(value, lo >> k, hi >> k)
    }

    fn shift_right_int(&mut self, x: Word, k: u32) -> Lin {
        let floor = self.floor(x.0, k);
        let over = self.over(x.0);
        let scale = 1i128 << (self.w() - k);
        self.sum(&[(floor, 1), (over, -scale)], 0)
    }

    /// Bit k of a word.
    pub fn bit(&mut self, x: Word, k: u32) -> Flag {
        let shifted = self.shift_right(x, k);
        let bit = self.low(shifted, 1);
        let l = self.int(bit);
        self.flag(l)
    }

    /// `x·2^k mod 2^n`, 0 ≤ k ≤ n.
    pub fn shift_left(&mut self, x: Word, k: u32, n: u32) -> Word {
        let l = self.sum(&[(x.0, 1 << k)], 0);
        let word = self.word(l);
        let (lo, hi) = self.word_bounds(x);
        if (hi << k) >> self.w() == 0 {
            let value = self.int(x);
            let value = self.sum(&[(value, 1 << k)], 0);
            self.seal(value, lo << k, hi << k);
        }
        self.low(word, n)
    }

    /// The arithmetic shift right of the two's complement reading of n bits.
    pub fn shift_right_signed(&mut self, x: Word, k: u32, n: u32) -> Word {
        // ⌊(x − 2^n·sign) / 2^k⌋ mod 2^n
        let sign = self.bit(x, n - 1);
        let shifted = self.shift_right(x, k);
        let (shifted, extend) = (self.int(shifted), (1 << n) - (1i128 << (n - k)));
        let value = self.sum(&[(shifted, 1), (sign.0, extend)], 0);
        self.seal(value, 0, (1 << n) - 1)
    }

    /// Rotation left of n bits by 0 ≤ k < n.
    pub fn rotate(&mut self, x: Word, k: u32, n: u32) -> Word {
        let (up, down) = (self.shift_left(x, k, n), self.shift_right(x, n - k - u32::from(k == 0)));
        if k == 0 {
            return x;
        }
        self.place(up, down, n)
    }

    /// Low n bits of `(hi·2^n + lo) >> k`, 0 < k < n.
    pub fn funnel(&mut self, hi: Word, lo: Word, k: u32, n: u32) -> Word {
        let (up, down) = (self.shift_left(hi, n - k, n), self.shift_right(lo, k));
        self.place(up, down, n)
    }

    /// The sum of two words that have no bit in common.
    fn place(&mut self, x: Word, y: Word, n: u32) -> Word {
        let (x, y) = (self.int(x), self.int(y));
        let value = self.sum(&[(x, 1), (y, 1)], 0);
        self.seal(value, 0, (1 << n) - 1)
    }

    /// `−1 − x mod 2^n`.
    pub fn not(&mut self, x: Word, n: u32) -> Word {
        if n == self.w() {
            let l = self.sum(&[(x.0, -1)], -1);
            return self.word(l);
        }
        let top = (1i128 << n) - 1;
        let x = self.int(x);
        let value = self.sum(&[(x, -1)], top);
        self.seal(value, 0, top)
    }

    /// Bitwise and.
    pub fn and(&mut self, x: Word, y: Word) -> Word {
        let most = self.word_bounds(x).1.min(self.word_bounds(y).1);
        let value = self.and_int(x, y);
        self.seal(value, 0, most)
    }

    /// `x and not y` of words of n bits: `x − (x and y)`, or with the complement where that is a constant.
    pub fn and_not(&mut self, x: Word, y: Word, n: u32) -> Word {
        if self.word_value(y).is_some() {
            let y = self.not(y, n);
            return self.and(x, y);
        }
        let both = self.and_int(x, y);
        let most = self.word_bounds(x).1;
        let x = self.int(x);
        let value = self.sum(&[(x, 1), (both, -1)], 0);
        self.seal(value, 0, most)
    }

    fn and_int(&mut self, x: Word, y: Word) -> Lin {
        if x == y {
            return self.int(x);
        }
        let top = (self.n() - 1) as u64;
        for (c, z) in [(x, y), (y, x)] {
            match (self.word_value(c), self.word_value(z)) {
                (Some(0), _) => return self.constant(0),
                (Some(c), Some(z)) => return self.constant(i128::from(c & z)),
                (Some(c), None) if c == top => return self.int(z),
                (Some(c), None) => {
                    // What hangs on one flag has two values, of which bits are taken.
                    if let Some(value) = self.by_cases(x, y, Terms::and_int) {
                        return value;
                    }
                    // A run of ones: x mod 2^j − x mod 2^i. A run of zeros: what that leaves.
                    if let Some(run) = self.run(c, z) {
                        return run;
                    }
                    if let Some(run) = self.run(!c & top, z) {
                        let z = self.int(z);
                        return self.sum(&[(z, 1), (run, -1)], 0);
                    }
                }
                _ => {}
            }
        }
        if let Some(value) = self.by_cases(x, y, Terms::and_int) {
            return value;
        }
        for (m, z) in [(x, y), (y, x)] {
            // Multiples of 2^k and words below 2^k have no bit in common.
            let form = self.form(m.0);
            let zeros = form
                .parts
                .iter()
                .map(|p| p.1.trailing_zeros())
                .chain([form.constant.trailing_zeros()])
                .min()
                .unwrap_or(0);
            if zeros >= self.w() || self.word_bounds(z).1 >> zeros == 0 {
                return self.constant(0);
            }
        }
        for (m, z) in [(x, y), (y, x)] {
            if self.is_flipped(m.0) {
                // (not a) and z = z − (a and z)
                let m = self.not(m, self.w());
                let other = self.and_int(m, z);
                let z = self.int(z);
                return self.sum(&[(z, 1), (other, -1)], 0);
            }
        }
        let most = self.word_bounds(x).1.min(self.word_bounds(y).1);
        self.make(Atom::And(x.min(y), x.max(y)), Some((0, most)))
    }

    /// A symmetric operation where one operand depends on a flag only: a case for each value of the flag. Only where
    /// both cases are simple: the operand is 0 or ones in each, or the other one is a constant or hangs on a flag too.
    fn by_cases(&mut self, x: Word, y: Word, operation: fn(&mut Terms, Word, Word) -> Lin) -> Option<Lin> {
        let n = self.n();
        for (m, z) in [(x, y), (y, x)] {
            let Some((flag, at0, at1)) = self.flag_cases(m.0) else { continue };
            let (at0, at1) = (at0.rem_euclid(n), at1.rem_euclid(n));
            // All ones, as far as the other operand goes.
            let most = self.word_bounds(z).1;
            let simple = [at0, at1].iter().all(|v| *v == 0 || *v & (*v + 1) == 0 && *v >= most);
            if simple || self.word_value(z).is_some() || self.flag_cases(z.0).is_some() {
                let (at0, at1) = (self.word_constant(at0 as u64), self.word_constant(at1 as u64));
                let (at0, at1) = (operation(self, at0, z), operation(self, at1, z));
                let difference = self.sum(&[(at1, 1), (at0, -1)], 0);
                let product = self.times(flag, difference);
                return Some(self.sum(&[(at0, 1), (product, 1)], 0));
            }
        }
        None
    }

    /// `c and z` where the ones of c are one run.
    fn run(&mut self, c: u64, z: Word) -> Option<Lin> {
        if c == 0 {
            return None;
        }
        let start = c.trailing_zeros();
        let ones = (c >> start).trailing_ones();
        if ones + start < 64 && c >> (start + ones) != 0 {
            return None;
        }
        let (above, below) = (self.low_int(z, (start + ones).min(self.w())), self.low_int(z, start));
        Some(self.sum(&[(above, 1), (below, -1)], 0))
    }

    /// Bitwise or: `x + y − (x and y)`.
    pub fn or(&mut self, x: Word, y: Word) -> Word {
        let both = self.and_int(x, y);
        let (a, b) = (self.int(x), self.int(y));
        let value = self.sum(&[(a, 1), (b, 1), (both, -1)], 0);
        let most = ones_up_to(self.word_bounds(x).1 | self.word_bounds(y).1);
        self.seal(value, 0, most)
    }

    /// Bitwise exclusive or.
    pub fn xor(&mut self, x: Word, y: Word) -> Word {
        let most = ones_up_to(self.word_bounds(x).1 | self.word_bounds(y).1);
        let value = self.xor_int(x, y);
        self.seal(value, 0, most)
    }

    fn xor_int(&mut self, x: Word, y: Word) -> Lin {
        let n = self.n();
        if x == y {
            return self.constant(0);
        }
        for (c, z) in [(x, y), (y, x)] {
            match (self.word_value(c), self.word_value(z)) {
                (Some(c), Some(z)) => return self.constant(i128::from(c ^ z)),
                (Some(0), None) => return self.int(z),
                (Some(c), None) if i128::from(c) == n - 1 => {
                    let z = self.int(z);
                    return self.sum(&[(z, -1)], n - 1);
                }
                (Some(c), None) if (c + 1).is_power_of_two() && self.word_bounds(z).1 <= i128::from(c) => {
                    // The complement within the bits that there are.
                    let z = self.int(z);
                    return self.sum(&[(z, -1)], i128::from(c));
                }
                _ => {}
            }
        }
        if let Some(value) = self.by_cases(x, y, Terms::xor_int) {
            return value;
        }
        for (m, z) in [(x, y), (y, x)] {
            if self.is_flipped(m.0) {
                let m = self.not(m, self.w());
                let other = self.xor_int(m, z);
                return self.sum(&[(other, -1)], n - 1);
            }
        }
        let most = ones_up_to(self.word_bounds(x).1 | self.word_bounds(y).1);
        self.make(Atom::Xor(x.min(y), x.max(y)), Some((0, most)))
    }

    /// 1 where `x ≠ 0`: `−⌊−X/N⌋` for X in 0..N.
    pub fn nonzero(&mut self, x: Word) -> Flag {
        let negative = self.sum(&[(x.0, -1)], 0);
        let (up, down) = (self.over(x.0), self.over(negative));
        let value = self.sum(&[(up, -1), (down, -1)], 0);
        self.flag(value)
    }

    /// `x` where the flag is 1, else `y`.
    pub fn select(&mut self, flag: Flag, x: Word, y: Word) -> Word {
        if x == y {
            return x;
        }
        let (a, b) = (self.int(x), self.int(y));
        let difference = self.sum(&[(a, 1), (b, -1)], 0);
        let product = self.times(flag, difference);
        let value = self.sum(&[(b, 1), (product, 1)], 0);
        let (xb, yb) = (self.word_bounds(x), self.word_bounds(y));
        self.seal(value, xb.0.min(yb.0), xb.1.max(yb.1))
    }

    /// Both flags.
    pub fn flag_and(&mut self, f: Flag, g: Flag) -> Flag {
        let (f, g) = (f.min(g), f.max(g));
        let l = self.times(f, g.0);
        self.flag(l)
    }

    /// One flag or both.
    pub fn flag_or(&mut self, f: Flag, g: Flag) -> Flag {
        let both = self.flag_and(f, g);
        let l = self.sum(&[(f.0, 1), (g.0, 1), (both.0, -1)], 0);
        self.flag(l)
    }

    /// One flag but not both.
    pub fn flag_xor(&mut self, f: Flag, g: Flag) -> Flag {
        let both = self.flag_and(f, g);
        let l = self.sum(&[(f.0, 1), (g.0, 1), (both.0, -2)], 0);
        self.flag(l)
    }
}

/// The least 2^k − 1 that is not below x.
fn ones_up_to(x: i128) -> i128 {
    if x <= 0 { 0 } else { i128::MAX >> (x.leading_zeros() - 1) }
}
