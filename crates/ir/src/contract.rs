//! Contracts: what a caller guarantees and what a kernel promises. A contract is written from the *specification* (the
//! field, the operation), never from the kernel that it judges.

use std::sync::Arc;

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;

use crate::divsteps::Part;
use crate::interval::pow2;
use crate::recurrence::Recurrence;
use crate::types::Array;

/// One digit of a number: element `index` of `array`, worth `2^weight`, at most `max`. Where `bits` is given the digit
/// is *unmasked*: only the element modulo `2^bits` counts, and what is above (a carry that went on to the next digit and
/// was not removed) means nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Digit {
    /// The parameter.
    pub array: Array,
    /// The element.
    pub index: u32,
    /// Exponent of the weight.
    pub weight: u32,
    /// Greatest value of the element.
    pub max: BigInt,
    /// `Some(k)`: the digit's value is the element modulo `2^k`.
    pub bits: Option<u32>,
}

impl Digit {
    /// What an element of that value counts.
    pub fn value(&self, element: &BigInt) -> BigInt {
        match self.bits {
            Some(k) => element - ((element >> k) << k),
            None => element.clone(),
        }
    }

    /// The most that the digit can count.
    pub fn most(&self) -> BigInt {
        match self.bits {
            Some(k) => self.max.clone().min(pow2(k) - 1),
            None => self.max.clone(),
        }
    }

    /// An element that counts `value`, the meaningless bits taken from `noise` as far as the maximum allows.
    pub fn element(&self, value: &BigInt, noise: &BigInt) -> BigInt {
        match self.bits {
            Some(k) if value <= &self.max => {
                let most = (&self.max - value) >> k;
                value + ((noise % (most + 1u32)) << k)
            }
            _ => value.clone(),
        }
    }
}

/// A number held by parameters: `Σ digit·2^weight` (unmasked digits by their low bits), at most `bound`. For an input both
/// are guaranteed by the caller, for an output both are promised. An output may list ghost digits (elements of ghost
/// arrays).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operand {
    /// The number's name (usually that of its array).
    pub name: String,
    /// Digits, lowest weight first.
    pub digits: Vec<Digit>,
    /// Greatest value of the whole number.
    pub bound: BigInt,
    /// A bound that is known when the kernel runs.
    pub below: Option<Below>,
}

/// Less than a multiple of an input number: `x < multiple · number`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Below {
    /// The multiple.
    pub multiple: u32,
    /// The input number, which has no such bound itself.
    pub number: u32,
}

impl Below {
    /// What numbers of that bound are less than.
    pub fn limit(&self, inputs: &[BigInt]) -> BigInt {
        &inputs[self.number as usize] * self.multiple
    }

    /// The greatest number that it ever allows.
    pub fn greatest(&self, inputs: &[Operand]) -> BigInt {
        &inputs[self.number as usize].bound * self.multiple - 1
    }
}

/// A bit of an element of a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Coordinate {
    /// The parameter.
    pub array: Array,
    /// The element.
    pub index: u32,
    /// The bit.
    pub bit: u32,
}

impl Operand {
    /// The bits of the digits, lowest first, as the coordinates of a vector over GF(2). `None` unless the digits follow
    /// one another without a gap, each of them any number of so many bits.
    pub fn coordinates(&self) -> Option<Vec<Coordinate>> {
        let mut all = Vec::new();
        for d in &self.digits {
            let bits = d.max.bits() as u32;
            if d.bits.is_some() || d.max != pow2(bits) - 1u32 || d.weight != all.len() as u32 {
                return None;
            }
            all.extend((0..bits).map(|bit| Coordinate { array: d.array, index: d.index, bit }));
        }
        Some(all)
    }
}

/// A polynomial with integer coefficients in the input numbers (indices into [`Contract::inputs`]); each monomial lists
/// its factors, sorted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Polynomial(pub Vec<(BigInt, Vec<u32>)>);

impl Polynomial {
    /// A constant.
    pub fn constant(c: impl Into<BigInt>) -> Polynomial {
        Polynomial(vec![(c.into(), vec![])])
    }

    /// The input number `i`.
    pub fn input(i: u32) -> Polynomial {
        Polynomial(vec![(1.into(), vec![i])])
    }

    /// `self + c · Π factors`.
    pub fn plus(mut self, c: impl Into<BigInt>, factors: &[u32]) -> Polynomial {
        let mut factors = factors.to_vec();
        factors.sort_unstable();
        self.0.push((c.into(), factors));
        self
    }

    /// The value at the given inputs.
    pub fn evaluate(&self, inputs: &[BigInt]) -> BigInt {
        self.0.iter().map(|(c, factors)| factors.iter().fold(c.clone(), |acc, i| acc * &inputs[*i as usize])).sum()
    }
}

/// A linear or bilinear map over GF(2), given by the images of basis vectors (pairs): lists of output coordinates that
/// are 1. Coordinates are the bits of a number's digits ([`Operand::coordinates`]).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BitMap {
    /// `images[i]`: the image of basis vector i of the only input.
    Linear(Arc<Vec<Vec<u32>>>),
    /// `images[i * inputs_b + j]`: the product of basis vectors i of the first and j of the second input.
    Bilinear(Arc<Vec<Vec<u32>>>),
    /// A bilinear map on m × m coordinates that commutes with rotation: `rows[j]` is the image of the pair (0, j); the
    /// image of (i, i + j) is `rows[j]` with i added to every coordinate, modulo m. Normal bases are of this kind.
    RotatingBilinear(Arc<Vec<Vec<u32>>>),
    /// A bilinear map in which only the sum of the places matters: `images[i + j]` is the image of the pair (i, j).
    /// Products of polynomials are of this kind.
    Convolution(Arc<Vec<Vec<u32>>>),
}

impl BitMap {
    /// Number of operands.
    pub fn operands(&self) -> usize {
        if matches!(self, BitMap::Linear(_)) { 1 } else { 2 }
    }
}

/// The multiplication that a fixed power is made of: commutative and associative.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Multiplication {
    /// Integers modulo a number; the product z of x and y has `factor · z ≡ x · y`: Montgomery's where the factor is R.
    Modular {
        /// The factor.
        factor: BigInt,
        /// The modulus.
        modulus: BigInt,
    },
    /// Vectors over GF(2) as the bits of numbers, by a bilinear map of two of them.
    Bits(BitMap),
}

impl Multiplication {
    /// The modulus of integers.
    pub fn modulus(&self) -> Option<&BigInt> {
        match self {
            Multiplication::Modular { modulus, .. } => Some(modulus),
            Multiplication::Bits(_) => None,
        }
    }
}

/// What a congruence is modulo.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Modulo {
    /// A number that is known when the kernel is written.
    Constant(BigInt),
    /// An input number: a modulus that is known when the kernel runs.
    Input(u32),
}

impl Modulo {
    /// The number, where it is known when the kernel is written.
    pub fn constant(&self) -> Option<&BigInt> {
        match self {
            Modulo::Constant(m) => Some(m),
            Modulo::Input(_) => None,
        }
    }

    /// The number, for these input numbers.
    pub fn value<'a>(&'a self, inputs: &'a [BigInt]) -> &'a BigInt {
        match self {
            Modulo::Constant(m) => m,
            Modulo::Input(i) => &inputs[*i as usize],
        }
    }
}

impl From<BigInt> for Modulo {
    fn from(m: BigInt) -> Modulo {
        Modulo::Constant(m)
    }
}

/// One promise. Each variant's text names its fields.
#[allow(missing_docs)]
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Claim {
    /// `factor · output ≡ polynomial (mod modulus)`, and the output lies within its digits and bound. Without modulus:
    /// equality of integers.
    ///
    /// The canonical value is this with bound `modulus − 1`; `div` or `mod 2^k` is equality with ghost digits;
    /// `select` is the polynomial `b + g·(a − b)` with an input `g ≤ 1`.
    Value { output: Operand, factor: BigInt, polynomial: Polynomial, modulus: Option<Modulo> },
    /// The only digit of `output` is 1 when input number `left` equals input number `right` digit by digit (`None`: is
    /// zero), else 0.
    Equal { output: Operand, left: u32, right: Option<u32> },
    /// A fixed power of input number `base` under a multiplication. Of integers:
    /// `output · factor^(exponent−1) ≡ base^exponent (mod modulus)`, in Montgomery form when the factor is R (with
    /// `x = base/R`: `output/R ≡ x^exponent`).
    Power { output: Operand, base: u32, exponent: BigUint, product: Multiplication },
    /// The output's bits are the image of the inputs' bits under the map; bits of its elements above the digits' maxima
    /// are zero.
    Bits { output: Operand, map: BitMap },
    /// The output's bits are a polynomial in the input numbers as vectors over GF(2): sums are XOR, products the map,
    /// coefficients vectors. Formulas over binary fields.
    Polynomial { output: Operand, polynomial: Polynomial, map: BitMap },
    /// A component of a recurrence's state after its last step, in its ring: ladders, powers by loops. The proof
    /// shows where it starts and what one step does.
    Iterate { output: Operand, recurrence: Arc<Recurrence>, component: u32 },
    /// A part of what `count` division steps give from ζ, f and g, words that are the first three input numbers; see
    /// [`crate::divsteps`]. The bounds of parts hold for all words, and what they are is said where f is odd.
    Divsteps { output: Operand, part: Part, count: u32 },
    /// The output is one step of a named recurrence: kernels that only vectors judge. `proof` proves the structure
    /// (ranges), and says so.
    Step { output: Operand, name: String },
}

impl Claim {
    /// The number that the claim is about.
    pub fn output(&self) -> &Operand {
        match self {
            Claim::Value { output, .. }
            | Claim::Equal { output, .. }
            | Claim::Power { output, .. }
            | Claim::Bits { output, .. }
            | Claim::Polynomial { output, .. }
            | Claim::Iterate { output, .. }
            | Claim::Divsteps { output, .. }
            | Claim::Step { output, .. } => output,
        }
    }

    /// The same number, to be changed.
    pub fn output_mut(&mut self) -> &mut Operand {
        match self {
            Claim::Value { output, .. }
            | Claim::Equal { output, .. }
            | Claim::Power { output, .. }
            | Claim::Bits { output, .. }
            | Claim::Polynomial { output, .. }
            | Claim::Iterate { output, .. }
            | Claim::Divsteps { output, .. }
            | Claim::Step { output, .. } => output,
        }
    }
}

/// A fact that the caller guarantees of a run-time constant: input number `number`, times input number `times` where
/// that is given, is congruent to the polynomial modulo the modulus. The polynomial and the other factor are in the
/// inputs before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fact {
    /// The input number.
    pub number: u32,
    /// Another input number that it is multiplied with.
    pub times: Option<u32>,
    /// What it is congruent to.
    pub polynomial: Polynomial,
    /// The modulus.
    pub modulus: BigInt,
}

impl Fact {
    /// The least number that the fact allows, for these numbers before it; `None` where the other factor has no
    /// inverse.
    pub fn least(&self, earlier: &[BigInt]) -> Option<BigInt> {
        let right = self.polynomial.evaluate(earlier);
        let number = match self.times {
            None => right,
            Some(i) => right * earlier[i as usize].modinv(&self.modulus)?,
        };
        Some(number.mod_floor(&self.modulus))
    }

    /// Does it ask for an odd number: input number `i`, which it multiplies to an odd constant modulo an even power of
    /// two?
    pub fn asks_for_odd(&self, i: u32) -> bool {
        let constant = self.polynomial.0.iter().all(|(_, factors)| factors.is_empty());
        self.times == Some(i)
            && constant
            && self.polynomial.evaluate(&[]).bit(0)
            && self.modulus.bits() > 1
            && self.modulus.magnitude().count_ones() == 1
    }

    /// Does it hold of these input numbers?
    pub fn holds(&self, inputs: &[BigInt]) -> bool {
        let number = &inputs[self.number as usize];
        let left = self.times.map_or_else(|| number.clone(), |i| number * &inputs[i as usize]);
        (left - self.polynomial.evaluate(inputs)).is_multiple_of(&self.modulus)
    }
}

/// What a kernel needs and what it gives.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Contract {
    /// Input numbers. Elements of input arrays that belong to no number are bounded by their array's ranges alone.
    pub inputs: Vec<Operand>,
    /// What is known of input numbers beyond their bounds.
    pub facts: Vec<Fact>,
    /// Promises, one per output number.
    pub claims: Vec<Claim>,
}

impl Contract {
    /// Brings numbers below the bounds that are known now, by their remainders. (Nothing is below 0: such a bound
    /// becomes 1.)
    pub fn bring_below(&self, numbers: &mut [BigInt]) {
        for (i, below) in self.inputs.iter().enumerate().filter_map(|(i, o)| Some((i, o.below?))) {
            let bounding = below.number as usize;
            if numbers[bounding] == BigInt::ZERO {
                numbers[bounding] = 1.into();
            }
            numbers[i] = &numbers[i] % below.limit(numbers);
        }
    }
}
