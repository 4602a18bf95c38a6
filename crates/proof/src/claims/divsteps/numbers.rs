//! Numbers that calls hand on, digit by digit, and what is known of each.

use evariste_ir::divsteps::Part;
use evariste_ir::range::pow2;
use evariste_ir::{Array, Operand, Polynomial};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::Zero;

use crate::broken_rules::{Rule, broken};
use crate::unroll::Arrays;

/// The matrix of the steps between two points, made by these calls of steps. Of an odd f all calls make the same; of an
/// even one each makes one whose rows keep to their bounds, but an entry of another call may be that of another matrix.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Matrix {
    pub from: u32,
    pub to: u32,
    pub calls: Vec<u32>,
}

impl Matrix {
    /// Of so many steps from a point on, by one call.
    pub fn of_call(from: u32, count: u32, call: u32) -> Matrix {
        let calls = if broken(Rule::DivisionMatrix) { Vec::new() } else { vec![call] };
        Matrix { from, to: from + count, calls }
    }

    /// The product with the matrix that begins where this one ends.
    pub fn then(&self, second: &Matrix) -> Matrix {
        Matrix { from: self.from, to: second.to, calls: [&self.calls[..], &second.calls].concat() }
    }

    pub fn steps(&self) -> u32 {
        self.to - self.from
    }
}

/// What a number is. Steps are counted from the kernel's start; a is the base whose inverse is asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Known {
    /// A constant.
    Constant { value: BigInt },
    /// The base, or the number from 0 to p − 1 that is congruent to it modulo p.
    Base { below: bool },
    /// ζ after so many steps, as a word.
    Zeta { at: u32 },
    /// f (row 0) or g after so many steps, modulo 2 to the power of `bits`.
    Low { row: u8, at: u32, bits: u32 },
    /// The second lowest bit of f after so many steps.
    Bit { at: u32 },
    /// An entry of a matrix, raised by 2 to the power of its number of steps.
    Entry { row: u8, column: u8, matrix: Matrix },
    /// d (row 0) or e: `d · a ≡ scale · f` modulo p, after so many steps; where a is 0, d is.
    Follower { row: u8, at: u32, scale: BigInt },
    /// A number x with `x · a ≡ scale` modulo p; where a is 0, x is.
    Result { scale: BigInt },
}

/// An element of an array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Cell {
    /// The digit of that weight of a number.
    Digit { number: usize, weight: u32 },
    /// A constant.
    Constant(BigInt),
    /// A value that nothing is known of.
    Unknown,
}

/// A number with the weights of the digits that it has; a digit may reach above the next one's weight.
pub(super) struct Number {
    pub known: Known,
    pub weights: Vec<u32>,
}

/// The numbers so far.
#[derive(Default)]
pub(super) struct Numbers(pub Vec<Number>);

impl Numbers {
    /// Writes a number to digits, each with its weight in it.
    pub fn write<'a>(
        &mut self,
        known: Known,
        digits: impl Iterator<Item = (&'a evariste_ir::Digit, u32)>,
        arrays: &mut Arrays<Cell>,
    ) {
        let number = self.0.len();
        let mut weights = Vec::new();
        for (d, weight) in digits {
            weights.push(weight);
            arrays[d.array.0 as usize][d.index as usize] = Some(Cell::Digit { number, weight });
        }
        self.0.push(Number { known, weights });
    }

    /// What an operand is, from the contents of arrays. Digits of f and g from the lowest on say f and g modulo the least
    /// weight of all others.
    pub fn read(&self, operand: &Operand, arrays: &Arrays<Cell>) -> Option<Known> {
        let cell = |array: Array, index: u32| arrays[array.0 as usize][index as usize].as_ref();
        let mut of = None;
        let (mut digits, mut rest) = (Vec::new(), BigInt::zero());
        for d in &operand.digits {
            if d.bits.is_some() {
                return None;
            }
            match cell(d.array, d.index)? {
                Cell::Constant(c) => rest += c << d.weight,
                Cell::Digit { number, weight } if *of.get_or_insert(*number) == *number => {
                    digits.push((d.weight, *weight));
                }
                _ => return None,
            }
        }
        let Some(of) = of else { return Some(Known::Constant { value: rest }) };
        let Number { known, weights } = &self.0[of];
        // A single bit of f stands alone.
        if let (Known::Bit { .. }, [(0, 1)]) = (known, &digits[..]) {
            return rest.is_zero().then(|| known.clone());
        }
        let in_place = digits.iter().all(|(here, there)| here == there);
        let lowest = digits.iter().zip(weights).all(|((here, _), weight)| here == weight);
        let whole = digits.len() == weights.len();
        if !in_place || !lowest || !rest.is_zero() {
            return None;
        }
        let others = weights.iter().skip(digits.len());
        let least = if broken(Rule::DivisionLeast) { others.max() } else { others.min() };
        let below = least.filter(|_| !broken(Rule::DivisionDigits)).copied().unwrap_or(u32::MAX);
        match known {
            Known::Low { row, at, bits } => Some(Known::Low { row: *row, at: *at, bits: (*bits).min(below) }),
            // Where division steps begin, g is the base.
            Known::Base { below: true } if !whole => Some(Known::Low { row: 1, at: 0, bits: below }),
            Known::Bit { .. } if !broken(Rule::DivisionBit) => None,
            known => whole.then(|| known.clone()),
        }
    }
}

/// A polynomial in what operands are: terms with a coefficient other than 0, each with its factors in order.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Terms(Vec<(Vec<u32>, BigInt)>);

impl Terms {
    /// Of a polynomial in operands; modulo a number, or exactly. Operands that are equal are still two.
    pub fn of(polynomial: &Polynomial, modulus: Option<&BigInt>) -> Terms {
        let mut terms: Vec<(Vec<u32>, BigInt)> = Vec::new();
        for (c, factors) in &polynomial.0 {
            let mut factors = factors.clone();
            factors.sort_unstable();
            match terms.iter_mut().find(|(f, _)| *f == factors) {
                Some((_, sum)) => *sum += c,
                None => terms.push((factors, c.clone())),
            }
        }
        terms.iter_mut().for_each(|(_, c)| *c = modulus.map_or_else(|| c.clone(), |m| c.mod_floor(m)));
        terms.retain(|(_, c)| !c.is_zero());
        terms.sort();
        Terms(terms)
    }

    /// `(x − 2^s)·y + (x' − 2^s)·y'`.
    pub fn row(entries: [u32; 2], numbers: [u32; 2], steps: u32) -> Polynomial {
        let ([x, x2], [y, y2], raised) = (entries, numbers, -pow2(steps));
        Polynomial::default().plus(1, &[x, y]).plus(1, &[x2, y2]).plus(raised.clone(), &[y]).plus(raised, &[y2])
    }

    /// The entry of a product of matrices, raised: `(x − 2^s)·(y − 2^k) + (x' − 2^s)·(y' − 2^k) + 2^(k+s)`.
    pub fn product(second: [u32; 2], first: [u32; 2], s: u32, k: u32) -> Polynomial {
        let ([x, x2], [y, y2]) = (second, first);
        Polynomial::constant(pow2(k + s) * 3)
            .plus(1, &[x, y])
            .plus(1, &[x2, y2])
            .plus(-pow2(k), &[x])
            .plus(-pow2(k), &[x2])
            .plus(-pow2(s), &[y])
            .plus(-pow2(s), &[y2])
    }
}

/// The part of division steps that a number is.
pub(super) fn of_part(part: Part, matrix: Matrix) -> Known {
    match part {
        Part::Zeta => Known::Zeta { at: matrix.to },
        Part::Entry(row, column) => Known::Entry { row, column, matrix },
    }
}
