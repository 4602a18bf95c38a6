//! Normal forms: polynomials modulo monic relations `v^n = …`, each in one more variable than those before it.
//!
//! A ring that is built up by such relations is free over the integers, with the monomials in which every `v` stays
//! below its `n` as a basis. So a polynomial is zero there if and only if its normal form has no terms.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::One;

use crate::polynomial::{Monomial, Polynomial, Variable};

/// `variable^power = is`.
#[derive(Clone, Debug)]
struct Rule {
    power: u32,
    is: Polynomial,
}

/// Why a relation cannot be taken.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadRelation {
    /// Two relations of one variable.
    #[error("it has a relation already")]
    Second,
    /// The right side is of too high a degree in the variable.
    #[error("the right side must be of lower degree in it than the left")]
    Degree,
    /// An earlier relation speaks of it.
    #[error("an earlier relation speaks of it: relations go from what is known to what is new")]
    Known,
    /// `v^0`.
    #[error("the exponent must be at least 1")]
    Exponent,
}

/// The ring Z\[variables\]/(relations), or the same modulo 2.
#[derive(Clone, Debug, Default)]
pub struct Relations {
    rules: Vec<Option<Rule>>,
    modulo_two: bool,
}

impl Relations {
    /// No relations yet; coefficients are integers, or integers modulo 2.
    pub fn new(modulo_two: bool) -> Relations {
        Relations { rules: Vec::new(), modulo_two }
    }

    /// Adds `variable^power = is`.
    ///
    /// # Errors
    /// When normal forms would not be unique, or not be found.
    pub fn add(&mut self, variable: Variable, power: u32, is: &Polynomial) -> Result<(), BadRelation> {
        let is = self.reduce(is.clone());
        if power == 0 {
            return Err(BadRelation::Exponent);
        }
        if self.rule(variable).is_some() {
            return Err(BadRelation::Second);
        }
        if is.degree(variable) >= power {
            return Err(BadRelation::Degree);
        }
        if self.rules.iter().flatten().any(|rule| rule.is.mentions(variable)) {
            return Err(BadRelation::Known);
        }
        let at = variable.0 as usize;
        if self.rules.len() <= at {
            self.rules.resize(at + 1, None);
        }
        self.rules[at] = Some(Rule { power, is });
        Ok(())
    }

    fn rule(&self, v: Variable) -> Option<&Rule> {
        self.rules.get(v.0 as usize)?.as_ref()
    }

    /// Is the variable one with a relation?
    pub fn bound(&self, v: Variable) -> bool {
        self.rule(v).is_some()
    }

    /// Are coefficients taken modulo 2?
    pub fn modulo_two(&self) -> bool {
        self.modulo_two
    }

    /// The normal form.
    pub fn reduce(&self, p: Polynomial) -> Polynomial {
        let mut done = Polynomial::default();
        let mut open = p;
        while !open.is_zero() {
            let mut next = Polynomial::default();
            for (m, c) in open.into_terms() {
                if self.modulo_two && c.is_even() {
                    continue;
                }
                match self.reducible(&m) {
                    None => done.add_term(m, c),
                    Some((v, rule)) => {
                        let e = m.exponent(v) - rule.power;
                        let mut rest = Polynomial::term(m.without(v), c);
                        if e > 0 {
                            rest = rest.times(&power_of(v, e));
                        }
                        next.add_scaled(&rest.times(&rule.is), &BigInt::one());
                    }
                }
            }
            open = next;
        }
        if self.modulo_two { self.odd(done) } else { done }
    }

    /// Modulo 2.
    fn odd(&self, p: Polynomial) -> Polynomial {
        let mut all = Polynomial::default();
        p.into_terms().filter(|(_, c)| c.is_odd()).for_each(|(m, _)| all.add_term(m, BigInt::one()));
        all
    }

    fn reducible(&self, m: &Monomial) -> Option<(Variable, &Rule)> {
        m.powers().iter().find_map(|(v, e)| self.rule(*v).filter(|rule| *e >= rule.power).map(|rule| (*v, rule)))
    }

    /// The normal form of a product.
    pub fn times(&self, a: &Polynomial, b: &Polynomial) -> Polynomial {
        self.reduce(a.times(b))
    }

    /// The normal form of a power.
    pub fn power(&self, a: &Polynomial, e: u32) -> Polynomial {
        let mut result = Polynomial::constant(1);
        for bit in (0..32 - e.leading_zeros()).rev() {
            result = self.times(&result, &result);
            if e >> bit & 1 == 1 {
                result = self.times(&result, a);
            }
        }
        result
    }
}

/// `v^e`.
fn power_of(v: Variable, e: u32) -> Polynomial {
    (0..e).fold(Polynomial::constant(1), |p, _| p.times(&Polynomial::variable(v)))
}
