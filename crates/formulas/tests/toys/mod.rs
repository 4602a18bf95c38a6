//! Toy fields, on which claims are tried with every element: GF(p) for small p, GF(2^m) for small m, and extensions.

pub mod curves;

use evariste_formulas::{Formula, Ring, evaluate};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::ToPrimitive;

/// A finite field with elements numbered from 0.
pub trait Toy: Ring<Element = u32> + Clone {
    /// How many elements there are.
    fn size(&self) -> u32;
}

/// GF(p).
#[derive(Clone)]
pub struct Prime(pub u32);

impl Toy for Prime {
    fn size(&self) -> u32 {
        self.0
    }
}

impl Ring for Prime {
    type Element = u32;

    fn integer(&mut self, x: &BigInt) -> u32 {
        x.mod_floor(&BigInt::from(self.0)).to_u32().unwrap()
    }
    fn add(&mut self, a: &u32, b: &u32) -> u32 {
        (a + b) % self.0
    }
    fn sub(&mut self, a: &u32, b: &u32) -> u32 {
        (a + self.0 - b) % self.0
    }
    fn mul(&mut self, a: &u32, b: &u32) -> u32 {
        a * b % self.0
    }
    fn halve(&mut self, a: &u32) -> Option<u32> {
        (self.0 % 2 == 1).then(|| a * self.0.div_ceil(2) % self.0)
    }
    fn invert(&mut self, a: &u32) -> Option<u32> {
        (1..self.0).find(|b| a * b % self.0 == 1)
    }
}

/// GF(2^m) with a polynomial, bit i for t^i.
#[derive(Clone)]
pub struct Binary {
    m: u32,
    polynomial: u32,
}

impl Binary {
    /// For m from 1 to 8.
    pub fn new(m: u32) -> Binary {
        Binary {
            m,
            polynomial: [0, 0b11, 0b111, 0b1011, 0b1_0011, 0b10_0101, 0b100_0011, 0b1000_0011, 0x11b][m as usize],
        }
    }
}

impl Toy for Binary {
    fn size(&self) -> u32 {
        1 << self.m
    }
}

impl Ring for Binary {
    type Element = u32;

    fn integer(&mut self, x: &BigInt) -> u32 {
        u32::from(x.is_odd())
    }
    fn add(&mut self, a: &u32, b: &u32) -> u32 {
        a ^ b
    }
    fn sub(&mut self, a: &u32, b: &u32) -> u32 {
        a ^ b
    }
    fn mul(&mut self, a: &u32, b: &u32) -> u32 {
        (0..self.m).rev().fold(0, |sum, i| {
            let doubled = sum << 1;
            let reduced = if doubled >> self.m & 1 == 1 { doubled ^ self.polynomial } else { doubled };
            reduced ^ if b >> i & 1 == 1 { *a } else { 0 }
        })
    }
    fn halve(&mut self, _: &u32) -> Option<u32> {
        None
    }
    fn invert(&mut self, a: &u32) -> Option<u32> {
        (1..self.size()).find(|b| self.mul(a, b) == 1)
    }
}

/// `Fp2 = Fp[u]/(u² + 1)`, an element `a + b u` as the number `a + p b`.
#[derive(Clone)]
pub struct Gauss(pub u32);

impl Gauss {
    pub fn pair(&self, a: u32) -> [u32; 2] {
        [a % self.0, a / self.0]
    }
    pub fn number(&self, [a, b]: [u32; 2]) -> u32 {
        a % self.0 + self.0 * (b % self.0)
    }
}

impl Toy for Gauss {
    fn size(&self) -> u32 {
        self.0 * self.0
    }
}

impl Ring for Gauss {
    type Element = u32;

    fn integer(&mut self, x: &BigInt) -> u32 {
        Prime(self.0).integer(x)
    }
    fn add(&mut self, a: &u32, b: &u32) -> u32 {
        let ([a, b], [c, d]) = (self.pair(*a), self.pair(*b));
        self.number([a + c, b + d])
    }
    fn sub(&mut self, a: &u32, b: &u32) -> u32 {
        let ([a, b], [c, d]) = (self.pair(*a), self.pair(*b));
        self.number([a + self.0 - c, b + self.0 - d])
    }
    fn mul(&mut self, a: &u32, b: &u32) -> u32 {
        let ([a, b], [c, d]) = (self.pair(*a), self.pair(*b));
        self.number([a * c + (self.0 - 1) * (b * d % self.0), a * d + b * c])
    }
    fn halve(&mut self, a: &u32) -> Option<u32> {
        let half = self.0.div_ceil(2);
        Some(self.mul(&half, a))
    }
    fn invert(&mut self, a: &u32) -> Option<u32> {
        (1..self.size()).find(|b| self.mul(a, b) == 1)
    }
}

/// A field with arithmetic on numbers, for references.
#[derive(Clone)]
pub struct F<T>(pub T);

impl<T: Toy> F<T> {
    pub fn all(&self) -> std::ops::Range<u32> {
        0..self.0.size()
    }
    pub fn int(&self, x: i64) -> u32 {
        self.0.clone().integer(&BigInt::from(x))
    }
    pub fn add(&self, a: u32, b: u32) -> u32 {
        self.0.clone().add(&a, &b)
    }
    pub fn sub(&self, a: u32, b: u32) -> u32 {
        self.0.clone().sub(&a, &b)
    }
    pub fn mul(&self, a: u32, b: u32) -> u32 {
        self.0.clone().mul(&a, &b)
    }
    pub fn sum(&self, all: &[u32]) -> u32 {
        all.iter().fold(0, |s, a| self.add(s, *a))
    }
    pub fn product(&self, all: &[u32]) -> u32 {
        all.iter().fold(1, |s, a| self.mul(s, *a))
    }
    pub fn inv(&self, a: u32) -> Option<u32> {
        self.0.clone().invert(&a)
    }
    pub fn div(&self, a: u32, b: u32) -> Option<u32> {
        Some(self.mul(a, self.inv(b)?))
    }
    pub fn is_square(&self, a: u32) -> bool {
        self.all().any(|r| self.mul(r, r) == a)
    }
    /// A formula's outputs.
    pub fn run(&self, formula: &Formula, inputs: &[u32], bits: &[u32], constants: &[(&str, u32)]) -> Vec<u32> {
        let named = |name: &str| constants.iter().find(|(n, _)| *n == name).map(|(_, v)| *v);
        evaluate(formula, &mut self.0.clone(), inputs, bits, &named).unwrap_or_else(|e| panic!("{}: {e}", formula.name))
    }
    /// (x : z) for x/z, None for z = 0; both zero is no point.
    pub fn ratio(&self, x: u32, z: u32) -> Option<Option<u32>> {
        match (x, z) {
            (0, 0) => None,
            (_, 0) => Some(None),
            _ => Some(self.div(x, z)),
        }
    }
}

/// A point, `None` for the identity where the curve has it at infinity.
pub type Point = Option<(u32, u32)>;

/// A group of points with its law.
pub struct Group {
    pub points: Vec<Point>,
    pub sum: Vec<Vec<usize>>,
}

impl Group {
    /// Of all points, by the affine law.
    pub fn new(points: Vec<Point>, law: impl Fn(Point, Point) -> Point) -> Group {
        let at = |p: Point| points.iter().position(|q| *q == p).expect("the sum is on the curve");
        let sum = points.iter().map(|p| points.iter().map(|q| at(law(*p, *q))).collect()).collect();
        let group = Group { sum, points };
        // The reference itself: an identity, opposites, and (on all triples) associativity.
        let n = group.points.len();
        assert!((0..n).all(|i| group.sum[i][group.identity()] == i && group.sum[i].contains(&group.identity())));
        for (i, j, k) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j, (7 * i + 3 * j + 1) % n))) {
            assert_eq!(group.sum[group.sum[i][j]][k], group.sum[i][group.sum[j][k]]);
        }
        group
    }

    pub fn identity(&self) -> usize {
        (0..self.points.len()).find(|i| self.sum[*i][*i] == *i).expect("an identity")
    }

    /// k·P.
    pub fn multiple(&self, k: usize, p: usize) -> usize {
        (0..k).fold(self.identity(), |sum, _| self.sum[sum][p])
    }

    pub fn opposite(&self, p: usize) -> usize {
        (0..self.points.len()).find(|q| self.sum[p][*q] == self.identity()).unwrap()
    }
}
