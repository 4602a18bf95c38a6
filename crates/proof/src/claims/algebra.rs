//! Multiplications of vectors over GF(2) that are commutative and associative: what fixed powers of bits rest on.
//! Squaring is then linear, and its k-th iterate the power `2^k`.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use evariste_ir::BitMap;
use num_bigint::BigUint;

use super::bits::image;
use crate::broken_rules::{Rule, broken};

/// A vector, bit by bit.
type Vector = Vec<u64>;
/// A linear map: the images of basis vectors.
type Matrix = Vec<Vector>;

/// A commutative and associative multiplication of vectors of m bits.
pub(super) struct Algebra {
    m: usize,
    square: Matrix,
    /// Squaring, so many times: powers of one kernel are made of few of these, each twice another or one more.
    iterates: RefCell<HashMap<u32, Rc<Matrix>>>,
}

impl Algebra {
    /// The multiplication of a map, which is shown to be commutative and associative.
    pub fn new(map: &BitMap) -> Result<Algebra, String> {
        let m = match map {
            BitMap::RotatingBilinear(rows) if broken(Rule::Associativity) => rows.len(),
            BitMap::RotatingBilinear(rows) => rotating(rows)?,
            BitMap::Convolution(images) => polynomials(images)?,
            BitMap::Bilinear(images) if broken(Rule::Associativity) => images.len().isqrt(),
            BitMap::Bilinear(images) => table(images)?,
            BitMap::Linear(_) => return Err("a map of one operand is no multiplication".into()),
        };
        let square = |i: usize| image(map, i * m + i, m).map(|coordinates| vector(&coordinates, m));
        let square = (0..m).map(square).collect::<Option<Matrix>>().ok_or("the map has too few images")?;
        Ok(Algebra { m, square, iterates: RefCell::default() })
    }

    /// The element that changes nothing in a product; `None` where none is known. One product with each basis element
    /// shows it, of maps that rotate one with the first: the others are rotations of that.
    pub fn unit(&self, map: &BitMap) -> Option<BigUint> {
        let all = (BigUint::from(1u32) << self.m) - 1u32;
        let basis = |i: usize| BigUint::from(1u32) << i;
        let shown = if matches!(map, BitMap::RotatingBilinear(_)) { 1 } else { self.m };
        let changes_nothing = |e: &BigUint| (0..shown).all(|i| self.product(map, e, &basis(i)) == Some(basis(i)));
        [basis(0), all].into_iter().find(changes_nothing)
    }

    /// The product of two elements as the bits of numbers, by the map that this was made of.
    pub fn product(&self, map: &BitMap, a: &BigUint, b: &BigUint) -> Option<BigUint> {
        let ones = |x: &BigUint| (0..self.m).filter(|i| x.bit(*i as u64)).collect::<Vec<_>>();
        let (mut sum, second) = (BigUint::ZERO, ones(b));
        for i in ones(a) {
            for j in &second {
                for k in image(map, i * self.m + j, self.m)? {
                    sum.set_bit(k.into(), !sum.bit(k.into()));
                }
            }
        }
        Some(sum)
    }

    /// The number of coordinates.
    pub fn size(&self) -> usize {
        self.m
    }

    /// The number of coordinates, if a rotation of them up by one is squaring.
    pub fn rotates(&self) -> Option<u32> {
        let turns = broken(Rule::Turn)
            || self.square.iter().enumerate().all(|(i, x)| *x == vector(&[(i as u32 + 1) % self.m as u32], self.m));
        turns.then_some(self.m as u32)
    }

    /// The least k, below m, with `x ↦ x^(2^k)` the linear map of these images.
    pub fn squarings(&self, images: &[Vec<u32>]) -> Option<u32> {
        if images.len() != self.m || images.iter().flatten().any(|c| *c as usize >= self.m) {
            return None;
        }
        let map: Matrix = images.iter().map(|image| vector(image, self.m)).collect();
        // What becomes of one basis vector hints at k.
        let mut x = vector(&[self.m as u32 - 1], self.m);
        for k in 0..self.m as u32 {
            if x == map[self.m - 1] {
                return (*self.iterate(k) == map).then_some(k);
            }
            x = apply(&self.square, &x);
        }
        None
    }

    /// Squaring, k times.
    fn iterate(&self, k: u32) -> Rc<Matrix> {
        if let Some(known) = self.iterates.borrow().get(&k) {
            return known.clone();
        }
        let compose = |a: &Matrix, b: &Matrix| b.iter().map(|x| apply(a, x)).collect::<Matrix>();
        let power = match k {
            0 => (0..self.m as u32).map(|i| vector(&[i], self.m)).collect(),
            1 => self.square.clone(),
            _ => {
                let half = self.iterate(k / 2);
                let twice = compose(&half, &half);
                if k % 2 == 1 { compose(&self.square, &twice) } else { twice }
            }
        };
        let power = Rc::new(power);
        self.iterates.borrow_mut().insert(k, power.clone());
        power
    }
}

fn vector(coordinates: &[u32], m: usize) -> Vector {
    let mut x = vec![0; m.div_ceil(64)];
    coordinates.iter().for_each(|c| x[*c as usize / 64] ^= 1 << (c % 64));
    x
}

fn apply(map: &Matrix, x: &Vector) -> Vector {
    let mut sum = vec![0; x.len()];
    for (_, image) in map.iter().enumerate().filter(|(i, _)| x[i / 64] >> (i % 64) & 1 == 1) {
        sum.iter_mut().zip(image).for_each(|(s, y)| *s ^= y);
    }
    sum
}

/// Products of polynomials modulo one of degree m: image k is that of x^k. It is enough that the first m are x^k
/// themselves and that each further one is x times the one before, x^m replaced by image m: that is the ring of
/// polynomials modulo `x^m + image m`.
fn polynomials(images: &[Vec<u32>]) -> Result<usize, String> {
    let no = || "the images are no powers of x modulo a polynomial".to_string();
    let m = images.len().div_ceil(2);
    if m == 0 || images.iter().flatten().any(|c| *c as usize >= m) {
        return Err(no());
    }
    let all: Matrix = images.iter().map(|image| vector(image, m)).collect();
    for (k, x) in all.iter().enumerate() {
        let right = if k < m { vector(&[k as u32], m) } else { times_x(&all[k - 1], &all[m], m) };
        if *x != right {
            return Err(no());
        }
    }
    Ok(m)
}

/// `x · y`, where x^m is `top`.
fn times_x(y: &Vector, top: &Vector, m: usize) -> Vector {
    let moved = (0..m - 1).filter(|i| y[i / 64] >> (i % 64) & 1 == 1).map(|i| i as u32 + 1).collect::<Vec<_>>();
    let mut x = vector(&moved, m);
    if y[(m - 1) / 64] >> ((m - 1) % 64) & 1 == 1 {
        x.iter_mut().zip(top).for_each(|(x, t)| *x ^= t);
    }
    x
}

/// Most coordinates of a map whose images are all written down: shown are m³ triples of basis elements.
const MOST_OF_A_TABLE: usize = 64;

/// Any map by its m² images, which gives both laws on basis elements, and so on all.
fn table(images: &[Vec<u32>]) -> Result<usize, String> {
    let m = images.len().isqrt();
    if m == 0 || m > MOST_OF_A_TABLE || m * m != images.len() || images.iter().flatten().any(|c| *c as usize >= m) {
        return Err("a map of this size is not known to be commutative and associative".into());
    }
    // At most 64 coordinates: one word.
    let all: Vec<u64> = images.iter().map(|image| vector(image, m)[0]).collect();
    let product = |i: usize, j: usize| all[i * m + j];
    let sum =
        |x: u64, image: &dyn Fn(usize) -> u64| (0..m).filter(|c| x >> c & 1 == 1).fold(0, |sum, c| sum ^ image(c));
    if (0..m * m).any(|at| product(at / m, at % m) != product(at % m, at / m)) {
        return Err("the map is not commutative".into());
    }
    for (i, j) in (0..m * m).map(|at| (at / m, at % m)) {
        if (0..m).any(|k| sum(product(i, j), &|c| product(c, k)) != sum(product(j, k), &|c| product(i, c))) {
            return Err("the map is not associative".into());
        }
    }
    Ok(m)
}

/// A map that rotates: on basis elements, `B_0 B_j` is row j and `B_i B_(i+j)` that row i further. Shown are
/// `B_0 B_j = B_j B_0` and `(B_0 B_i) B_j = B_0 (B_i B_j)`; all others are rotations of these.
fn rotating(rows: &[Vec<u32>]) -> Result<usize, String> {
    let m = rows.len();
    if m == 0 || rows.iter().flatten().any(|c| *c as usize >= m) {
        return Err("the rows have coordinates beyond the map".into());
    }
    let product = |i: usize, j: usize| rows[(j + m - i) % m].iter().map(move |c| (*c as usize + i) % m);
    let matrix: Matrix = rows.iter().map(|row| vector(row, m)).collect();
    for j in 0..m {
        let other: Vec<u32> = product(j, 0).map(|c| c as u32).collect();
        if vector(&other, m) != matrix[j] {
            return Err("the map is not commutative".into());
        }
    }
    for i in 0..m {
        for j in 0..m {
            let mut difference = vec![0; m.div_ceil(64)];
            let mut flip = |c: usize| difference[c / 64] ^= 1u64 << (c % 64);
            rows[i].iter().for_each(|k| product(*k as usize, j).for_each(&mut flip));
            product(i, j).for_each(|k| rows[k].iter().for_each(|c| flip(*c as usize)));
            if difference.iter().any(|d| *d != 0) {
                return Err("the map is not associative".into());
            }
        }
    }
    Ok(m)
}
