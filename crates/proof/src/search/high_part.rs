//! Dropped high parts: a small `hi` is shown to be 0, or (a flag) 1, or equal to an older mask flag or its opposite.
//! The last is "subtract p, add `p & mask` back, forget the carry".

use num_bigint::BigInt;
use num_traits::{One, Zero};

use crate::broken_rules::{Rule, broken};
use crate::equations::system::Affine;
use crate::equations::{Atom, Bounded, Fact, Poly};

use super::{Asked, Search};

/// High parts that may be larger than this are asked for only when they are 0 in every sample.
const SMALL: u32 = 16;

impl<'a> Search<'a> {
    /// What the high part `hi` equals, if that can be shown.
    pub fn high_part(&mut self, hi: Atom) -> Option<Fact> {
        if let Some(fact) = self.facts.get(hi) {
            return Some(fact.clone());
        }
        if self.asked.contains_key(&hi) || self.muted.contains(&hi) {
            return None;
        }
        self.asked.insert(hi, Asked::Busy);
        let found = self.find_high_part(hi);
        match &found {
            Some(fact) => self.facts.learn(fact.clone()),
            None => {
                self.asked.insert(hi, Asked::InVain);
            }
        }
        found
    }

    /// The fact that a dropped word is zero, if that can be shown (by any equations).
    pub(super) fn zero_word(&mut self, word: Atom) -> Option<Fact> {
        if let Some(fact) = self.facts.get(word) {
            return fact.value().is_zero().then(|| fact.clone());
        }
        if self.is_live(word) {
            return None;
        }
        let zero = BigInt::zero();
        let above = self.at_most(&Poly::atom(word), &zero, Atom(u32::MAX), &[])?;
        Fact::equal(self.sys, word, &Affine::constant(0), Some(&above), None)
    }

    fn find_high_part(&mut self, hi: Atom) -> Option<Fact> {
        let is_flag = self.sys.is_flag(hi);
        if self.sys.atom(hi).max >= BigInt::from(SMALL) && self.hopeless(&Poly::atom(hi), &BigInt::zero(), &[]) {
            return None;
        }
        let constants = if is_flag { vec![0, 1] } else { vec![0] };
        for c in constants {
            if let Some(fact) = self.equals(hi, &Affine::constant(c), None) {
                return Some(fact);
            }
        }
        if !is_flag {
            return None;
        }
        let masks: Vec<Atom> = (0..hi.0).rev().map(Atom).filter(|a| self.is_mask(*a)).take(2).collect();
        for f in masks {
            for value in [Affine::new(BigInt::zero(), BigInt::one(), f), Affine::new(BigInt::one(), -BigInt::one(), f)]
            {
                if let Some(fact) = self.equals(hi, &value, Some(f)) {
                    return Some(fact);
                }
            }
        }
        None
    }

    fn equals(&mut self, hi: Atom, value: &Affine, by: Option<Atom>) -> Option<Fact> {
        if broken(Rule::HighPart) {
            return Fact::equal(self.sys, hi, value, None, None);
        }
        let difference = Poly::atom(hi).plus(&-BigInt::one(), &value.poly());
        let opposite = difference.scaled(&-BigInt::one());
        let above = self.not_positive(difference, hi, by)?;
        let below = self.not_positive(opposite, hi, by)?;
        Fact::equal(self.sys, hi, value, Some(&above), Some(&below))
    }

    /// `poly ≤ 0`, by the two cases of `by` where given.
    fn not_positive(&mut self, poly: Poly, hi: Atom, by: Option<Atom>) -> Option<Bounded> {
        let limit = Atom(hi.0 + 1);
        let zero = BigInt::zero();
        match by {
            None => self.at_most(&poly, &zero, limit, &[]),
            Some(f) => {
                let one = self.at_most(&poly, &zero, limit, &[(f, true)])?;
                let none = self.at_most(&poly, &zero, limit, &[(f, false)])?;
                Bounded::from_cases(self.sys, f, None, &none, &one)
            }
        }
    }
}
