//! The ring in which formulas are checked: polynomials modulo relations, with denominators that are kept apart.

use std::cell::Cell;

use num_bigint::BigInt;
use num_traits::One;

use crate::evaluate::Ring;
use crate::polynomial::{Polynomial, Variable};
use crate::relations::Relations;

/// Most products of terms in one product: seconds.
const MOST_PRODUCTS: usize = 1 << 24;

/// A quotient of polynomials.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Quantity {
    pub numerator: Polynomial,
    pub denominator: Polynomial,
}

impl Quantity {
    pub fn whole(numerator: Polynomial) -> Quantity {
        Quantity { numerator, denominator: Polynomial::constant(1) }
    }

    pub fn variable(v: Variable) -> Quantity {
        Quantity::whole(Polynomial::variable(v))
    }

    /// Is there no denominator?
    pub fn is_whole(&self) -> bool {
        self.denominator == Polynomial::constant(1)
    }
}

/// All quantities of one formula.
pub(crate) struct Quantities {
    pub relations: Relations,
    /// By what may be divided: conditions, in normal form.
    pub conditions: Vec<Polynomial>,
    /// May be divided by 2?
    pub halves: bool,
    /// What something was divided by without a condition.
    pub undeclared: Option<Polynomial>,
    /// Quotients of steps: a new variable each, with what it is the inverse of.
    pub inverses: Vec<(Variable, Polynomial)>,
    /// The next new variable.
    pub next: u32,
    /// Did a product have more terms than anything that is meant?
    pub too_large: Cell<bool>,
    /// Do divisions make a new variable (steps), or a denominator (definitions)?
    pub in_steps: bool,
}

impl Quantities {
    fn allowed(&mut self, divisor: &Polynomial) -> bool {
        let negative = self.relations.reduce(divisor.scaled(&BigInt::from(-1)));
        let named = self.conditions.iter().any(|c| c == divisor || *c == negative);
        if !named && !self.is_power_of_two(divisor) {
            self.undeclared.get_or_insert_with(|| divisor.clone());
            return false;
        }
        true
    }

    fn is_power_of_two(&self, p: &Polynomial) -> bool {
        let term = p.first().filter(|(m, _)| p.count() == 1 && m.powers().is_empty());
        term.is_some_and(|(_, c)| c.magnitude().count_ones() == 1 && (self.halves || c.magnitude().is_one()))
    }

    /// `a·b` of polynomials, without work for the 1.
    fn times(&self, a: &Polynomial, b: &Polynomial) -> Polynomial {
        let one = Polynomial::constant(1);
        match () {
            () if *a == one => b.clone(),
            () if *b == one => a.clone(),
            () if a.count().saturating_mul(b.count()) > MOST_PRODUCTS => {
                self.too_large.set(true);
                Polynomial::default()
            }
            () => self.relations.times(a, b),
        }
    }

    fn combine(&self, a: &Quantity, b: &Quantity, sign: i32) -> Quantity {
        let sign = BigInt::from(sign);
        let (mut numerator, denominator) = if a.denominator == b.denominator {
            let mut sum = a.numerator.clone();
            sum.add_scaled(&b.numerator, &sign);
            (sum, a.denominator.clone())
        } else {
            let mut sum = self.times(&a.numerator, &b.denominator);
            sum.add_scaled(&self.times(&b.numerator, &a.denominator), &sign);
            (sum, self.times(&a.denominator, &b.denominator))
        };
        if self.relations.modulo_two() {
            numerator = self.relations.reduce(numerator);
        }
        Quantity { numerator, denominator }
    }

    /// The norm of an element of an extension by a root: the determinant of the map that multiplies by it.
    pub fn norm(&self, p: &Polynomial, root: Variable, degree: usize) -> Polynomial {
        let mut rows: Vec<Vec<Polynomial>> = Vec::new();
        let mut multiple = p.clone();
        for _ in 0..degree {
            let mut row = multiple.coefficients(root);
            row.resize(degree, Polynomial::default());
            rows.push(row);
            multiple = self.times(&multiple, &Polynomial::variable(root));
        }
        self.determinant(&rows, &(0..degree).collect::<Vec<_>>())
    }

    /// Of the last rows and these columns, by the first of those rows.
    fn determinant(&self, rows: &[Vec<Polynomial>], columns: &[usize]) -> Polynomial {
        let Some(row) = rows.get(rows.len() - columns.len()).filter(|_| !columns.is_empty()) else {
            return Polynomial::constant(1);
        };
        let mut sum = Polynomial::default();
        for (at, column) in columns.iter().enumerate().filter(|(_, column)| !row[**column].is_zero()) {
            let rest: Vec<usize> = columns.iter().copied().filter(|c| c != column).collect();
            let minor = self.times(&row[*column], &self.determinant(rows, &rest));
            sum.add_scaled(&minor, &BigInt::from(if at % 2 == 0 { 1 } else { -1 }));
        }
        self.relations.reduce(sum)
    }

    /// The numerator with the inverses of steps multiplied away, in normal form: zero if and only if the quantity is,
    /// where no condition fails.
    pub fn cleared(&self, q: &Quantity) -> Polynomial {
        let mut p = self.relations.reduce(q.numerator.clone());
        // A later one may be the inverse of something with an earlier one in it.
        for (v, of) in self.inverses.iter().rev() {
            let coefficients = p.coefficients(*v);
            let top = coefficients.len() - 1;
            let mut sum = Polynomial::default();
            for (k, c) in coefficients.iter().enumerate() {
                let power = (k..top).fold(Polynomial::constant(1), |power, _| self.times(&power, of));
                sum.add_scaled(&self.times(c, &power), &BigInt::one());
            }
            p = self.relations.reduce(sum);
        }
        p
    }
}

impl Ring for Quantities {
    type Element = Quantity;

    fn integer(&mut self, x: &BigInt) -> Quantity {
        Quantity::whole(self.relations.reduce(Polynomial::constant(x.clone())))
    }

    fn add(&mut self, a: &Quantity, b: &Quantity) -> Quantity {
        self.combine(a, b, 1)
    }

    fn sub(&mut self, a: &Quantity, b: &Quantity) -> Quantity {
        self.combine(a, b, -1)
    }

    fn mul(&mut self, a: &Quantity, b: &Quantity) -> Quantity {
        let numerator = self.times(&a.numerator, &b.numerator);
        Quantity { numerator, denominator: self.times(&a.denominator, &b.denominator) }
    }

    fn halve(&mut self, a: &Quantity) -> Option<Quantity> {
        let denominator = a.denominator.scaled(&BigInt::from(2));
        self.halves.then(|| Quantity { numerator: a.numerator.clone(), denominator })
    }

    fn invert(&mut self, a: &Quantity) -> Option<Quantity> {
        let divisor = self.relations.reduce(a.numerator.clone());
        if !self.allowed(&divisor) {
            return None;
        }
        if !self.in_steps {
            return Some(Quantity { numerator: a.denominator.clone(), denominator: divisor });
        }
        let v = Variable(self.next);
        self.next += 1;
        self.inverses.push((v, divisor));
        Some(Quantity {
            numerator: self.times(&Polynomial::variable(v), &a.denominator),
            denominator: Polynomial::constant(1),
        })
    }
}
