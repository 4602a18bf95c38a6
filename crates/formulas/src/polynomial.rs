//! Polynomials in many variables with big integer coefficients: exact, terms in a hash table.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use num_bigint::BigInt;
use num_traits::{One, Zero};

/// A variable. Who makes polynomials keeps the names.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Variable(pub u32);

/// A product of powers of variables: variables in order, exponents at least 1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Monomial(Vec<(Variable, u32)>);

impl Monomial {
    /// The variables with their exponents, in order.
    pub fn powers(&self) -> &[(Variable, u32)] {
        &self.0
    }

    /// The exponent of a variable.
    pub fn exponent(&self, v: Variable) -> u32 {
        self.0.iter().find(|(w, _)| *w == v).map_or(0, |(_, e)| *e)
    }

    /// What is left when a variable is taken out.
    pub fn without(&self, v: Variable) -> Monomial {
        self.only(|w| w != v)
    }

    /// The part in the variables that are asked for.
    pub fn only(&self, keep: impl Fn(Variable) -> bool) -> Monomial {
        Monomial(self.0.iter().filter(|(w, _)| keep(*w)).copied().collect())
    }

    /// The product.
    pub fn times(&self, other: &Monomial) -> Monomial {
        let (a, b) = (&self.0, &other.0);
        let mut all = Vec::with_capacity(a.len() + b.len());
        let (mut i, mut j) = (0, 0);
        while i < a.len() && j < b.len() {
            match a[i].0.cmp(&b[j].0) {
                std::cmp::Ordering::Less => {
                    all.push(a[i]);
                    i += 1;
                }
                std::cmp::Ordering::Greater => {
                    all.push(b[j]);
                    j += 1;
                }
                std::cmp::Ordering::Equal => {
                    all.push((a[i].0, a[i].1 + b[j].1));
                    (i, j) = (i + 1, j + 1);
                }
            }
        }
        all.extend_from_slice(&a[i..]);
        all.extend_from_slice(&b[j..]);
        Monomial(all)
    }
}

/// A quick hash for monomials, whose numbers are small.
#[derive(Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|b| self.write_u64(u64::from(*b)));
    }

    fn write_u32(&mut self, x: u32) {
        self.write_u64(u64::from(x));
    }

    fn write_usize(&mut self, x: usize) {
        self.write_u64(x as u64);
    }

    fn write_u64(&mut self, x: u64) {
        self.0 = (self.0.rotate_left(23) ^ x).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

type Terms = HashMap<Monomial, BigInt, BuildHasherDefault<Mix>>;

/// A polynomial: no term has the coefficient 0.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Polynomial {
    terms: Terms,
}

impl Polynomial {
    /// A constant.
    pub fn constant(c: impl Into<BigInt>) -> Polynomial {
        Polynomial::term(Monomial::default(), c.into())
    }

    /// A variable.
    pub fn variable(v: Variable) -> Polynomial {
        Polynomial::term(Monomial(vec![(v, 1)]), BigInt::one())
    }

    /// A single term.
    pub fn term(monomial: Monomial, coefficient: BigInt) -> Polynomial {
        let mut p = Polynomial::default();
        p.add_term(monomial, coefficient);
        p
    }

    /// The terms, in no order.
    pub fn terms(&self) -> impl Iterator<Item = (&Monomial, &BigInt)> {
        self.terms.iter()
    }

    /// The terms, each taken out.
    pub fn into_terms(self) -> impl Iterator<Item = (Monomial, BigInt)> {
        self.terms.into_iter()
    }

    /// How many terms there are.
    pub fn count(&self) -> usize {
        self.terms.len()
    }

    /// Is it zero?
    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// The least monomial in the order of variables, with its coefficient: the same one on every run.
    pub fn first(&self) -> Option<(&Monomial, &BigInt)> {
        self.terms.iter().min_by(|a, b| a.0.cmp(b.0))
    }

    /// The greatest exponent of a variable.
    pub fn degree(&self, v: Variable) -> u32 {
        self.terms.keys().map(|m| m.exponent(v)).max().unwrap_or(0)
    }

    /// Does the variable occur?
    pub fn mentions(&self, v: Variable) -> bool {
        self.degree(v) > 0
    }

    /// Adds a term.
    pub fn add_term(&mut self, monomial: Monomial, coefficient: BigInt) {
        if coefficient.is_zero() {
            return;
        }
        match self.terms.entry(monomial) {
            std::collections::hash_map::Entry::Occupied(mut old) => {
                *old.get_mut() += coefficient;
                if old.get().is_zero() {
                    old.remove();
                }
            }
            std::collections::hash_map::Entry::Vacant(new) => {
                new.insert(coefficient);
            }
        }
    }

    /// Adds `factor · other`.
    pub fn add_scaled(&mut self, other: &Polynomial, factor: &BigInt) {
        for (m, c) in &other.terms {
            self.add_term(m.clone(), c * factor);
        }
    }

    /// `self + other`.
    pub fn plus(&self, other: &Polynomial) -> Polynomial {
        let mut sum = self.clone();
        sum.add_scaled(other, &BigInt::one());
        sum
    }

    /// `self − other`.
    pub fn minus(&self, other: &Polynomial) -> Polynomial {
        let mut sum = self.clone();
        sum.add_scaled(other, &BigInt::from(-1));
        sum
    }

    /// `factor · self`.
    pub fn scaled(&self, factor: &BigInt) -> Polynomial {
        let mut product = Polynomial::default();
        product.add_scaled(self, factor);
        product
    }

    /// `self · other`, as it is.
    pub fn times(&self, other: &Polynomial) -> Polynomial {
        let mut product = Polynomial::default();
        for (m, c) in &self.terms {
            for (n, d) in &other.terms {
                product.add_term(m.times(n), c * d);
            }
        }
        product
    }

    /// The coefficients of the powers of a variable, from 0 on.
    pub fn coefficients(&self, v: Variable) -> Vec<Polynomial> {
        let mut all = vec![Polynomial::default(); self.degree(v) as usize + 1];
        for (m, c) in &self.terms {
            all[m.exponent(v) as usize].add_term(m.without(v), c.clone());
        }
        all
    }

    /// The polynomial in other variables, each of which is asked for once.
    pub fn renamed(&self, name: impl Fn(Variable) -> Variable) -> Polynomial {
        let mut all = Polynomial::default();
        for (m, c) in &self.terms {
            let mut powers: Vec<(Variable, u32)> = m.0.iter().map(|(v, e)| (name(*v), *e)).collect();
            powers.sort_unstable();
            all.add_term(Monomial(powers), c.clone());
        }
        all
    }
}
