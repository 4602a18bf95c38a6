//! Polynomials with integer coefficients: sorted lists of terms.

use num_bigint::BigInt;
use num_traits::Zero;

use super::mono::{Atom, Mono};

/// A polynomial; terms sorted by monomial, greatest first, no zero coefficient.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Poly {
    terms: Vec<(Mono, BigInt)>,
}

impl Poly {
    /// The constant `c`.
    pub fn constant(c: impl Into<BigInt>) -> Poly {
        Poly::from_terms(vec![(Mono::ONE, c.into())])
    }

    /// The atom `a`.
    pub fn atom(a: Atom) -> Poly {
        Poly { terms: vec![(Mono::atom(a), BigInt::from(1))] }
    }

    /// Sorts and merges terms.
    pub fn from_terms(mut terms: Vec<(Mono, BigInt)>) -> Poly {
        terms.sort_by_key(|term| std::cmp::Reverse(term.0));
        terms.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += &next.1;
            }
            same
        });
        terms.retain(|t| !t.1.is_zero());
        Poly { terms }
    }

    /// The terms, greatest monomial first.
    pub fn terms(&self) -> &[(Mono, BigInt)] {
        &self.terms
    }

    /// Is it the zero polynomial?
    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// The coefficient of the empty monomial.
    pub fn constant_term(&self) -> BigInt {
        self.terms.last().filter(|t| t.0 == Mono::ONE).map(|t| t.1.clone()).unwrap_or_default()
    }

    /// The coefficient of a monomial.
    pub fn coefficient(&self, m: &Mono) -> Option<&BigInt> {
        self.terms.binary_search_by(|t| m.cmp(&t.0)).ok().map(|i| &self.terms[i].1)
    }

    /// The value, when there are no atoms.
    pub fn as_constant(&self) -> Option<BigInt> {
        self.terms.iter().all(|t| t.0 == Mono::ONE).then(|| self.constant_term())
    }

    /// The newest atom.
    pub fn newest(&self) -> Option<Atom> {
        self.terms.iter().filter_map(|t| t.0.newest()).max()
    }

    /// `self + factor·other`.
    pub fn plus(&self, factor: &BigInt, other: &Poly) -> Poly {
        let mut terms = self.terms.clone();
        terms.extend(other.terms.iter().map(|(m, c)| (*m, c * factor)));
        Poly::from_terms(terms)
    }

    /// `factor·self`.
    pub fn scaled(&self, factor: &BigInt) -> Poly {
        Poly::default().plus(factor, self)
    }

    /// The product; `None` when a degree passes the greatest one.
    pub fn times(&self, other: &Poly, is_flag: impl Fn(Atom) -> bool + Copy) -> Option<Poly> {
        let mut terms = Vec::with_capacity(self.terms.len() * other.terms.len());
        for (m, c) in &self.terms {
            for (n, d) in &other.terms {
                terms.push((m.times(n, is_flag)?, c * d));
            }
        }
        Some(Poly::from_terms(terms))
    }

    /// Every coefficient mapped.
    pub fn map(&self, f: impl Fn(&BigInt) -> BigInt) -> Poly {
        Poly { terms: self.terms.iter().map(|(m, c)| (*m, f(c))).filter(|t| !t.1.is_zero()).collect() }
    }
}
