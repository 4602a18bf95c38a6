//! Arithmetic of towers a second time, in another way: polynomials in all variables at once, as sets of terms, in which
//! powers of variables are replaced until none is too high; inverses by linear equations.

use std::collections::BTreeMap;

use num_bigint::BigUint;
use num_traits::{One, Zero};

use super::Tower;
use crate::{Field, Structure};

/// The arithmetic again.
#[derive(Debug)]
struct Again(Tower);

/// Coefficients by the exponents of the variables, lowest floor first.
type Terms = BTreeMap<Vec<usize>, BigUint>;

/// The arithmetic of a tower, again.
pub(super) fn again(field: &Field) -> Box<dyn Structure> {
    match field.get::<Tower>() {
        Some(tower) => Box::new(Again(tower.clone())),
        None => unreachable!("the table asks each kind about its own fields"),
    }
}

impl Again {
    fn terms(&self, mut number: BigUint) -> Terms {
        let bits = self.0.base.bits;
        let degrees: Vec<usize> = self.0.ring.floors.iter().map(|floor| floor.polynomial.len()).collect();
        let mut terms = Terms::new();
        let mut exponents = vec![0; degrees.len()];
        while !number.is_zero() {
            let coordinate = &number % (BigUint::one() << bits);
            number >>= bits;
            terms.insert(exponents.clone(), coordinate);
            for (exponent, degree) in exponents.iter_mut().zip(&degrees) {
                *exponent += 1;
                if *exponent < *degree {
                    break;
                }
                *exponent = 0;
            }
        }
        terms
    }

    fn number(&self, terms: &Terms) -> BigUint {
        let degrees = self.0.ring.floors.iter().map(|floor| floor.polynomial.len());
        let place = |exponents: &Vec<usize>| {
            let digits = exponents.iter().zip(degrees.clone());
            digits.fold((0, 1), |(place, size), (exponent, degree)| (place + exponent * size, size * degree)).0
        };
        terms.iter().map(|(exponents, c)| c << (place(exponents) * self.0.base.bits as usize)).sum()
    }

    /// Powers that are too high are replaced, of the highest variable first.
    fn reduced(&self, mut terms: Terms) -> Terms {
        let p = &self.0.base.value;
        for (i, floor) in self.0.ring.floors.iter().enumerate().rev() {
            let degree = floor.polynomial.len();
            while let Some(high) = terms.keys().filter(|e| e[i] >= degree).max_by_key(|e| e[i]).cloned() {
                let coefficient = terms.remove(&high).unwrap_or_default();
                for (power, below) in floor.polynomial.iter().enumerate() {
                    let below = self.terms(self.0.packed(below));
                    for (exponents, factor) in below {
                        let mut exponents: Vec<usize> = exponents.iter().zip(&high).map(|(a, b)| a + b).collect();
                        exponents[i] = high[i] - degree + power;
                        let sum = terms.entry(exponents).or_default();
                        *sum = (&*sum + (p - &coefficient * factor % p)) % p;
                    }
                }
            }
        }
        terms
    }
}

impl Structure for Again {
    fn name(&self) -> String {
        self.0.name()
    }

    fn text(&self) -> String {
        self.0.text()
    }

    fn description(&self) -> String {
        self.0.description()
    }

    fn bits(&self) -> u32 {
        self.0.bits()
    }

    fn order(&self) -> BigUint {
        self.0.order()
    }

    fn multiply(&self, a: &BigUint, b: &BigUint) -> Option<BigUint> {
        let (a, b) = (self.terms(a.clone()), self.terms(b.clone()));
        let mut product = Terms::new();
        for (x, s) in &a {
            for (y, t) in &b {
                let exponents = x.iter().zip(y).map(|(x, y)| x + y).collect();
                let sum = product.entry(exponents).or_default();
                *sum = (&*sum + s * t) % &self.0.base.value;
            }
        }
        Some(self.number(&self.reduced(product)))
    }

    fn add(&self, a: &BigUint, b: &BigUint) -> Option<BigUint> {
        let mut sum = self.terms(a.clone());
        for (exponents, b) in self.terms(b.clone()) {
            let a = sum.entry(exponents).or_default();
            *a = (&*a + b) % &self.0.base.value;
        }
        Some(self.number(&sum))
    }

    fn negate(&self, a: &BigUint) -> Option<BigUint> {
        let p = &self.0.base.value;
        let negative = self.terms(a.clone()).into_iter().map(|(exponents, a)| (exponents, (p - a) % p)).collect();
        Some(self.number(&negative))
    }

    /// Row i of the equations: what coordinate i of `a·x` is in the coordinates of x; solved by elimination.
    fn inverse(&self, a: &BigUint) -> Option<BigUint> {
        let (n, bits, p) = (self.0.degree(), self.0.base.bits as usize, &self.0.base.value);
        let columns: Option<Vec<_>> = (0..n).map(|j| self.multiply(a, &(BigUint::one() << (j * bits)))).collect();
        let columns: Vec<_> = columns?.iter().map(|column| self.0.unpacked(column)).collect();
        let right = |i: usize| if i == 0 { BigUint::one() } else { BigUint::zero() };
        let row = |i: usize| columns.iter().map(|column| column[i].clone()).chain([right(i)]).collect::<Vec<_>>();
        let mut rows: Vec<Vec<BigUint>> = (0..n).map(row).collect();
        for i in 0..n {
            let pivot = (i..n).find(|k| !rows[*k][i].is_zero())?;
            rows.swap(i, pivot);
            let inverse = self.0.base.inverse(&rows[i][i])?;
            rows[i].iter_mut().for_each(|x| *x = &*x * &inverse % p);
            let own = rows[i].clone();
            for other in rows.iter_mut().enumerate().filter(|(k, _)| *k != i).map(|(_, row)| row) {
                let factor = p - &other[i];
                other.iter_mut().zip(&own).for_each(|(x, y)| *x = (&*x + &factor * y) % p);
            }
        }
        Some(self.0.packed(&rows.iter().map(|row| row[n].clone()).collect::<Vec<_>>()))
    }
}
