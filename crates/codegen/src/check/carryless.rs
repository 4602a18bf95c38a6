//! Carry-less products, products of bytes and linear maps of them: atoms of their own, since kernel and machine have
//! the same operation. **Trusted.**

use super::terms::{Atom, Terms, Word};

impl Terms {
    /// Low and high word of the carry-less product.
    pub fn clmul(&mut self, x: Word, y: Word) -> (Word, Word) {
        if self.word_value(x) == Some(0) || self.word_value(y) == Some(0) {
            let zero = self.word_constant(0);
            return (zero, zero);
        }
        // Its degree is the sum of theirs.
        let bits = |x: i128| 128 - x.max(1).leading_zeros();
        let degree = bits(self.word_bounds(x).1) + bits(self.word_bounds(y).1) - 2;
        let top = |degree: u32| (2i128 << degree) - 1;
        let (x, y, w) = (x.min(y), x.max(y), self.width());
        let lo = self.make(Atom::ClmulLo(x, y), Some((0, top(degree.min(w - 1)))));
        let hi = if degree < w { self.constant(0) } else { self.make(Atom::ClmulHi(x, y), Some((0, top(degree - w)))) };
        (self.word(lo), self.word(hi))
    }
    /// The product of two bytes modulo x^8 + x^4 + x^3 + x + 1.
    pub fn rijndael_mul(&mut self, x: Word, y: Word) -> Word {
        let z = self.make(Atom::RijndaelMul(x.min(y), x.max(y)), Some((0, 255)));
        self.word(z)
    }

    /// The sum of those bytes of the constant whose bit is set in the byte x.
    pub fn bit_matrix(&mut self, images: u64, x: Word) -> Word {
        let z = self.make(Atom::BitMatrix(images, x), Some((0, 255)));
        self.word(z)
    }
}
