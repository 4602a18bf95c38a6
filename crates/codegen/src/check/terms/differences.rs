//! What a sum or difference of two words was made of: rules 7 and 9 of the [forms](super). **Trusted.**

use super::{Flag, Lin, Terms, Word};

impl Terms {
    /// A sum of two words of n bits: what is needed to take one of them from it again.
    pub(in crate::check) fn keep_sum(&mut self, sum: Word, x: Word, n: u32, rest: (Word, Flag)) {
        self.facts += u64::from(self.sums.insert((sum, x, n), rest) != Some(rest));
    }

    /// The other word of such a sum, and the carry.
    pub(in crate::check) fn kept_sum(&self, sum: Word, x: Word, n: u32) -> Option<(Word, Flag)> {
        self.sums.get(&(sum, x, n)).copied()
    }

    /// A difference of two words of n bits, as an integer, and its borrow.
    pub(in crate::check) fn keep_difference(&mut self, word: Word, n: u32, difference: Lin, borrow: Flag) {
        let kept = (difference, borrow);
        self.facts += u64::from(self.differences.insert((word, n), kept) != Some(kept));
    }

    /// That of which a word is the difference modulo 2^n.
    pub(in crate::check) fn kept_difference(&self, word: Word, n: u32) -> Option<(Lin, Flag)> {
        self.differences.get(&(word, n)).copied()
    }

    /// `d + z` carries where d borrowed: rule 9, for a word z and for one that is 0 where d did not borrow.
    pub(in crate::check) fn learn_carry_of_difference(&mut self, d: Word, z: Word, c: Flag, carry: Lin, n: u32) {
        let Some((difference, borrow)) = self.kept_difference(d, n) else { return };
        let Some((lo, hi)) = self.bounds(difference).filter(|_| self.as_constant(c.0) == Some(0)) else { return };
        let (least, most) = self.word_bounds(z);
        let same = match self.zero_without(borrow, z) {
            Some(z) => lo + z >= 0,
            None => lo + least >= 0 && hi + most < 1 << n,
        };
        if same {
            let zero = self.sum(&[(carry, 1), (borrow.0, -1)], 0);
            self.learn_zero(zero);
        }
    }

    /// The value where the flag is set of a word that is 0 where it is not.
    fn zero_without(&mut self, flag: Flag, x: Word) -> Option<i128> {
        let (other, at0, at1) = self.flag_cases(x.0)?;
        let (flag, complement) = (self.refresh(flag), self.complement(other));
        let (without, with) = match flag {
            f if f == other => (at0, at1),
            f if f == complement => (at1, at0),
            _ => return None,
        };
        (without.rem_euclid(self.n()) == 0).then(|| with.rem_euclid(self.n()))
    }
}
