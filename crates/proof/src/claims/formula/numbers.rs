//! A kernel's calls in whole elements: what is only handed on from call to call is one unknown, whatever its digits.
//! What calls promise of vectors over GF(2) is in [`super::vectors`].

use std::collections::HashMap;
use std::sync::Arc;

use evariste_ir::{Array, ArrayKind, Claim, Digit, Kernel, Modulo, Multiplication, Op, Operand, Type, range::pow2};
use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::{One, Zero};

use super::recurrence::Summary;
use super::ring::{Polynomial, Ring, Unknown};
use crate::broken_rules::{Rule, broken};
use crate::unroll::{Applied, Arrays, Domain, Failure, Wholes, empty, pattern};

/// What an element holds.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Cell {
    /// The digit of that weight of a number, by so many of its bits (all: `None`).
    Digit { number: usize, weight: u32, bits: Option<u32> },
    /// A constant that is not negative.
    Constant(BigInt),
    /// A value that nothing is known of.
    Value(u32),
    /// What the element of an array held when an iteration of a loop that is taken as a whole began.
    Head { summary: usize, array: Array, index: u32 },
    /// What the element of an array held after a loop that was taken as a whole.
    Tail { summary: usize, array: Array, index: u32 },
    /// Element `base + stride · i` of an array that the loop does not write, in its iteration i.
    Element { summary: usize, array: Array, base: i64, stride: i64 },
}

/// A digit as an operand reads it: the element, its weight, the bits that count.
pub(super) type Reading = Vec<(Cell, u32, Option<u32>)>;

/// One number: what it is modulo the modulus, and the weights of the digits that may differ from zero.
struct Number {
    is: Polynomial,
    weights: Vec<u32>,
}

/// What a power of a sum is keyed by.
type PowerOf = (Polynomial, BigUint);

/// The domain.
pub(super) struct Numbers {
    /// What everything is an element of: numbers modulo a constant, or vectors.
    pub ring: Ring,
    known: Vec<Number>,
    next_value: u32,
    next_unknown: u32,
    /// The input numbers.
    pub inputs: Vec<Unknown>,
    /// Operands that are no whole number, by what they read: the same elements are the same unknown.
    readings: HashMap<Reading, Unknown>,
    /// The other way round.
    pub read_as: HashMap<Unknown, Reading>,
    powers: HashMap<PowerOf, Unknown>,
    /// Among vectors: what a number that is 0 or 1 is in products.
    pub scalars: HashMap<Unknown, Unknown>,
    /// Loops with this trip count are taken as a whole.
    whole: Option<u32>,
    /// The input arrays whose elements are all 0 or 1.
    flags: Vec<Array>,
    /// What the loops that were taken as a whole do.
    pub summaries: Vec<Summary>,
}

impl Numbers {
    pub fn new(ring: Ring, whole: Option<u32>) -> Numbers {
        Numbers {
            ring,
            known: Vec::new(),
            next_value: 0,
            next_unknown: 0,
            inputs: Vec::new(),
            readings: HashMap::new(),
            read_as: HashMap::new(),
            powers: HashMap::new(),
            scalars: HashMap::new(),
            whole,
            flags: Vec::new(),
            summaries: Vec::new(),
        }
    }

    /// A new unknown; a `flag` is 0 or 1. (As a vector the number 1 need not be its own square.)
    pub fn unknown(&mut self, flag: bool) -> Unknown {
        let flag = flag && matches!(self.ring, Ring::Integers(_));
        self.another(flag)
    }

    /// A new unknown.
    pub fn another(&mut self, flag: bool) -> Unknown {
        self.next_unknown += 1;
        Unknown { id: self.next_unknown - 1, flag }
    }

    /// An unknown as a polynomial.
    pub fn of(&self, x: Unknown) -> Polynomial {
        Polynomial::unknown(x, &self.ring)
    }

    /// The input numbers as polynomials.
    pub fn inputs(&self) -> Vec<Polynomial> {
        self.inputs.iter().map(|x| self.of(*x)).collect()
    }

    /// A new value.
    pub fn value(&mut self) -> Cell {
        self.next_value += 1;
        Cell::Value(self.next_value - 1)
    }

    /// The arrays on entry.
    pub fn enter(&mut self, kernel: &Kernel) -> Arrays<Cell> {
        let mut arrays = empty(kernel);
        for (info, cells) in kernel.arrays.iter().zip(&mut arrays) {
            if matches!(info.kind, ArrayKind::Input | ArrayKind::InOut) {
                cells.iter_mut().for_each(|cell: &mut Option<Cell>| *cell = Some(self.value()));
            }
        }
        let at_most_one =
            |a: &Array| kernel.array(*a).ranges.iter().all(|r| r.lo.sign() != Sign::Minus && r.hi <= BigInt::one());
        let inputs = kernel.params().filter(|a| kernel.array(*a).kind == ArrayKind::Input);
        self.flags = inputs.filter(at_most_one).collect();
        for operand in &kernel.contract.inputs {
            let number = self.unknown(operand.bound <= BigInt::one());
            self.inputs.push(number);
            self.write(self.of(number), operand, &mut arrays);
        }
        arrays
    }

    /// The elements that an operand reads; `None` where one is not defined.
    pub fn reading(operand: &Operand, arrays: &Arrays<Cell>) -> Option<Reading> {
        let cell = |d: &Digit| arrays.get(d.array.0 as usize)?.get(d.index as usize)?.clone();
        operand.digits.iter().map(|d| Some((cell(d)?, d.weight, d.bits))).collect()
    }

    /// The number that these digits make: numbers moved up, all of whose digits are there, and constants; anything else
    /// is an unknown of its own.
    pub fn number(&mut self, reading: &Reading) -> Polynomial {
        if let Some(sum) = self.sum_of_numbers(reading) {
            return sum;
        }
        let unknown = match self.readings.get(reading) {
            Some(unknown) => *unknown,
            None => {
                let flag = matches!(reading.as_slice(), [(Cell::Element { array, .. }, 0, None)] if self.flags.contains(array));
                let unknown = self.unknown(flag);
                self.readings.insert(reading.clone(), unknown);
                self.read_as.insert(unknown, reading.clone());
                unknown
            }
        };
        self.of(unknown)
    }

    fn sum_of_numbers(&self, reading: &Reading) -> Option<Polynomial> {
        let (mut sum, mut constants) = (Polynomial::default(), false);
        // By number and how far it was moved up: the weights of its digits that are there.
        let mut parts: Vec<(usize, u32, Vec<u32>)> = Vec::new();
        for (cell, place, counted) in reading {
            match cell {
                Cell::Constant(c) => {
                    let counts = counted.map_or_else(|| c.clone(), |k| c.mod_floor(&pow2(k)));
                    constants = true;
                    let constant = Polynomial::constant(&(counts << place), &self.ring);
                    sum = sum.plus(&self.ring.one(), &constant, &self.ring);
                }
                Cell::Digit { number, weight, bits } if bits == counted && weight <= place => {
                    let up = place - weight;
                    match parts.iter_mut().find(|(n, k, _)| (*n, *k) == (*number, up)) {
                        Some((_, _, weights)) => weights.push(*weight),
                        None => parts.push((*number, up, vec![*weight])),
                    }
                }
                _ => return None,
            }
        }
        if matches!(self.ring, Ring::Bits(_))
            && !(parts.is_empty() || parts.len() == 1 && parts[0].1 == 0 && !constants)
        {
            // A vector is one number where it lies, or constants alone.
            return None;
        }
        for (number, up, present) in parts {
            let number = &self.known[number];
            let whole = broken(Rule::WholeNumber) || number.weights.iter().all(|w| present.contains(w));
            let factor = if up == 0 { self.ring.one() } else { pow2(up) };
            sum = whole.then(|| sum.plus(&factor, &number.is, &self.ring))?;
        }
        Some(sum)
    }

    /// Puts a number into an operand's digits.
    fn write(&mut self, is: Polynomial, operand: &Operand, arrays: &mut Arrays<Cell>) {
        let possible = |d: &&Digit| pow2(d.weight) <= operand.bound;
        self.known.push(Number { is, weights: operand.digits.iter().filter(possible).map(|d| d.weight).collect() });
        let number = self.known.len() - 1;
        for d in &operand.digits {
            let cell = Cell::Digit { number, weight: d.weight, bits: d.bits };
            arrays[d.array.0 as usize][d.index as usize] = Some(cell);
        }
    }

    /// A polynomial of a contract in these numbers.
    pub fn evaluate(&self, polynomial: &evariste_ir::Polynomial, numbers: &[Polynomial]) -> Option<Polynomial> {
        let m = &self.ring;
        polynomial.0.iter().try_fold(Polynomial::default(), |sum, (c, factors)| {
            let term = factors
                .iter()
                .try_fold(Polynomial::constant(c, m), |product, i| product.times(numbers.get(*i as usize)?, m))?;
            Some(sum.plus(&m.one(), &term, m))
        })
    }

    /// What a claim of a callee says of its output, where that is a congruence that serves here.
    fn promised(&mut self, claim: &Claim, inputs: &[Polynomial], constants: &[Option<BigInt>]) -> Option<Polynomial> {
        let Ring::Integers(m) = &self.ring else { return None };
        let m = m.clone();
        match claim {
            Claim::Value { factor, polynomial, modulus, .. } => {
                let serves = match modulus {
                    None => true,
                    Some(Modulo::Constant(of_call)) => broken(Rule::CallModulus) || of_call.is_multiple_of(&m),
                    Some(Modulo::Input(i)) => {
                        let of_call = constants.get(*i as usize)?.as_ref();
                        of_call.is_some_and(|of_call| {
                            of_call.sign() == Sign::Plus && (broken(Rule::CallModulus) || of_call.is_multiple_of(&m))
                        })
                    }
                };
                let inverse = factor.modinv(&m).filter(|_| serves)?;
                let right = self.evaluate(polynomial, inputs)?;
                Some(Polynomial::default().plus(&inverse, &right, &self.ring))
            }
            Claim::Power { base, exponent, product: Multiplication::Modular { factor, modulus }, .. } => {
                if !modulus.is_multiple_of(&m) || exponent.is_zero() {
                    return None;
                }
                // output · factor^(e−1) ≡ base^e.
                let scale = factor.modpow(&BigInt::from(exponent - 1u32), &m).modinv(&m)?;
                let power = self.power(inputs.get(*base as usize)?, exponent);
                Some(Polynomial::default().plus(&scale, &power, &self.ring))
            }
            _ => None,
        }
    }

    /// A power: of one term by its exponents, of a sum an unknown, the same for the same sum and exponent.
    pub fn power(&mut self, base: &Polynomial, exponent: &BigUint) -> Polynomial {
        if let Some(power) = base.power_of_term(exponent, &self.ring) {
            return power;
        }
        let key = (base.clone(), exponent.clone());
        let unknown = match self.powers.get(&key) {
            Some(unknown) => *unknown,
            None => {
                let unknown = self.unknown(false);
                self.powers.insert(key, unknown);
                unknown
            }
        };
        self.of(unknown)
    }
}

/// The integer that digits make which are all constants.
fn constant(reading: &Reading) -> Option<BigInt> {
    let counts = |c: &BigInt, bits: &Option<u32>| bits.map_or_else(|| c.clone(), |k| c.mod_floor(&pow2(k)));
    let digit = |(cell, weight, bits): &(Cell, u32, Option<u32>)| match cell {
        Cell::Constant(c) => Some(counts(c, bits) << weight),
        _ => None,
    };
    reading.iter().map(digit).sum()
}

impl Domain for Numbers {
    type V = Cell;

    fn apply(&mut self, o: &Applied, _: &[Cell]) -> Result<Vec<Cell>, Failure> {
        match o.op {
            Op::Const(c) => Ok(vec![self.constant(c, o.types[0])]),
            _ => Ok(o.types.iter().map(|_| self.value()).collect()),
        }
    }

    fn constant(&mut self, c: &BigInt, ty: Type) -> Cell {
        match ty {
            Type::Word(_) | Type::Wide(_) | Type::Flag if c.sign() != Sign::Minus => Cell::Constant(pattern(c, ty)),
            _ => self.value(),
        }
    }

    fn call(&mut self, callee: &Arc<Kernel>, arrays: &Arrays<Cell>) -> Result<Option<Arrays<Cell>>, Failure> {
        let (mut inputs, mut constants, mut readings) = (Vec::new(), Vec::new(), Vec::new());
        for operand in &callee.contract.inputs {
            let reading = Numbers::reading(operand, arrays)
                .ok_or_else(|| format!("argument {} of {} is not defined", operand.name, callee.name))?;
            inputs.push(self.number(&reading));
            constants.push(constant(&reading));
            readings.push(reading);
        }
        let mut results: Arrays<Cell> = empty(callee);
        for (info, cells) in callee.arrays.iter().zip(&mut results).filter(|(info, _)| info.is_param()) {
            if info.kind != ArrayKind::Input {
                cells.iter_mut().for_each(|cell| *cell = Some(self.value()));
            }
        }
        for claim in &callee.contract.claims {
            let promised = match &self.ring {
                Ring::Integers(_) => self.promised(claim, &inputs, &constants),
                Ring::Bits(_) => self.promised_vectors(callee, claim, &inputs, &readings),
            };
            let is = match promised {
                Some(is) => is,
                None => {
                    let unknown = self.unknown(claim.output().bound <= BigInt::one());
                    self.of(unknown)
                }
            };
            self.write(is, claim.output(), &mut results);
        }
        Ok(Some(results))
    }

    fn wholes(&mut self) -> Option<&mut dyn Wholes<Cell>> {
        Some(self)
    }
}

impl Wholes<Cell> for Numbers {
    fn takes(&self, trips: u32) -> bool {
        self.whole == Some(trips)
    }

    fn begin(&mut self) {}

    fn opaque(&mut self) -> Cell {
        self.value()
    }

    fn head(&mut self, array: Array, index: u32) -> Cell {
        Cell::Head { summary: self.summaries.len(), array, index }
    }

    fn element(&mut self, array: Array, base: i64, stride: i64) -> Cell {
        Cell::Element { summary: self.summaries.len(), array, base, stride }
    }

    fn end(&mut self, before: Arrays<Cell>, after: &Arrays<Cell>) {
        self.summaries.push(Summary { before, after: after.clone() });
    }

    fn tail(&mut self, array: Array, index: u32) -> Cell {
        Cell::Tail { summary: self.summaries.len() - 1, array, index }
    }
}
