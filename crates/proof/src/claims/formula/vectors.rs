//! What calls promise of vectors over GF(2): products by the map, sums and squarings as linear maps, choices by a bit,
//! powers, polynomials. Anything else is an unknown.
//!
//! A vector is a number's bits. An operand whose digits follow one another without a gap has no others, so the number
//! that was read tells the vector; numbers that are 0 or 1 choose between vectors as scalars ([`Numbers::scalar`]).

use evariste_ir::{BitMap, Claim, Kernel, Multiplication, Operand};
use num_bigint::BigInt;
use num_traits::{One, Zero};

use super::numbers::{Numbers, Reading};
use super::ring::{Polynomial, Ring, Unknown};
use crate::broken_rules::{Rule, broken};

impl Numbers {
    /// What a number that is 0 or 1 is in products; of integers itself.
    pub fn scalar(&mut self, number: Unknown) -> Unknown {
        if matches!(self.ring, Ring::Integers(_)) {
            return number;
        }
        if let Some(known) = self.scalars.get(&number) {
            return *known;
        }
        let scalar = self.another(true);
        self.scalars.insert(number, scalar);
        scalar
    }

    /// What a claim of a callee says of its output as a vector.
    pub fn promised_vectors(
        &mut self,
        callee: &Kernel,
        claim: &Claim,
        inputs: &[Polynomial],
        readings: &[Reading],
    ) -> Option<Polynomial> {
        match claim {
            Claim::Bits { map: BitMap::Linear(images), output } => {
                self.sum_of_parts(callee.contract.inputs.first()?, readings.first()?, images, output)
            }
            Claim::Bits { map, output } => {
                let operands = callee.contract.inputs.iter().chain([output]);
                let fits = self.is_product(map) && operands.into_iter().all(|o| self.is_element(o));
                fits.then(|| inputs.first()?.times(inputs.get(1)?, &self.ring)).flatten()
            }
            Claim::Power { base, exponent, product: Multiplication::Bits(map), output } => {
                let of = callee.contract.inputs.get(*base as usize)?;
                let fits = self.is_product(map) && self.is_element(of) && self.is_element(output);
                let base = inputs.get(*base as usize).filter(|_| fits && !exponent.is_zero())?;
                Some(self.power(base, exponent))
            }
            Claim::Polynomial { polynomial, map, .. } if self.is_product(map) => self.evaluate(polynomial, inputs),
            Claim::Value { factor, polynomial, modulus: None, .. } if factor.is_one() => {
                self.chosen(callee, &polynomial.0, inputs)
            }
            _ => None,
        }
    }

    /// Is it the multiplication of this ring?
    fn is_product(&self, map: &BitMap) -> bool {
        broken(Rule::VectorMap) || matches!(&self.ring, Ring::Bits(vectors) if vectors.map == *map)
    }

    /// Has it as many bits as elements?
    fn is_element(&self, operand: &Operand) -> bool {
        let Ring::Bits(vectors) = &self.ring else { return false };
        operand.coordinates().is_some_and(|all| all.len() == vectors.algebra.size())
    }

    /// The image of elements that lie one after the other in one operand, where the map squares each of them some times
    /// and adds up.
    fn sum_of_parts(
        &mut self,
        operand: &Operand,
        reading: &Reading,
        images: &[Vec<u32>],
        output: &Operand,
    ) -> Option<Polynomial> {
        let Ring::Bits(vectors) = &self.ring else { return None };
        let m = vectors.algebra.size();
        let count = operand.coordinates()?.len();
        if count == 0 || !count.is_multiple_of(m) || images.len() != count || !self.is_element(output) {
            return None;
        }
        let times: Vec<u32> =
            images.chunks(m).map(|images| vectors.algebra.squarings(images)).collect::<Option<_>>()?;
        let mut sum = Polynomial::default();
        for (part, times) in times.into_iter().enumerate() {
            let from = (part * m) as u32;
            let end = from + m as u32;
            let mut own = Reading::new();
            for (digit, (cell, weight, bits)) in operand.digits.iter().zip(reading) {
                let top = digit.weight + digit.max.bits() as u32;
                match (digit.weight >= from && digit.weight < end, top > from && top <= end) {
                    (true, true) => own.push((cell.clone(), weight - from, *bits)),
                    // A digit with bits of two elements.
                    (true, false) => return None,
                    (false, _) => {}
                }
            }
            let element = self.number(&own).squared(times, &self.ring);
            sum = sum.plus(&self.ring.one(), &element, &self.ring);
        }
        Some(sum)
    }

    /// Of equalities of integers: a number itself, and `a + g·(c − a)` for g of 0 or 1.
    fn chosen(&mut self, callee: &Kernel, terms: &[(BigInt, Vec<u32>)], inputs: &[Polynomial]) -> Option<Polynomial> {
        let number = |i: u32| inputs.get(i as usize).cloned();
        let plus = terms.iter().filter(|(c, _)| c.is_one());
        let minus: Vec<&[u32]> =
            terms.iter().filter(|(c, _)| *c == -BigInt::one()).map(|(_, f)| f.as_slice()).collect();
        let single: Vec<u32> = plus.clone().filter(|(_, f)| f.len() == 1).map(|(_, f)| f[0]).collect();
        let products: Vec<&[u32]> = plus.filter(|(_, f)| f.len() == 2).map(|(_, f)| f.as_slice()).collect();
        match (terms.len(), single.as_slice(), products.as_slice(), minus.as_slice()) {
            (1, [a], [], []) => number(*a),
            (3, [a], [[x, y]], [[u, v]]) => {
                let is_bit = |i: u32| {
                    callee.contract.inputs.get(i as usize).is_some_and(|o| o.bound <= BigInt::one())
                        || broken(Rule::VectorChoice)
                };
                let other = |pair: (u32, u32), g: u32| match pair {
                    (p, q) if p == g => Some(q),
                    (p, q) if q == g => Some(p),
                    _ => None,
                };
                let fits = |g: u32| is_bit(g) && other((*u, *v), g) == Some(*a);
                let g = [*x, *y].into_iter().find(|g| fits(*g))?;
                let c = other((*x, *y), g)?;
                let bit = self.bit(&number(g)?)?;
                let (a, c) = (number(*a)?, number(c)?);
                let change = a.clone().plus(&self.ring.one(), &c, &self.ring).times(&bit, &self.ring)?;
                Some(a.plus(&self.ring.one(), &change, &self.ring))
            }
            _ => None,
        }
    }

    /// A number that is 0 or 1, as a scalar.
    fn bit(&mut self, number: &Polynomial) -> Option<Polynomial> {
        if number.len() == 0 {
            return Some(Polynomial::default());
        }
        if *number == Polynomial::constant(&BigInt::one(), &self.ring) {
            return Some(Polynomial::constant(&self.ring.one(), &self.ring));
        }
        let unknown = number.as_unknown(&self.ring)?;
        let scalar = self.scalar(unknown);
        Some(self.of(scalar))
    }
}
