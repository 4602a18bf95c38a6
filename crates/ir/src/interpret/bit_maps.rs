//! Maps of bits on concrete vectors, a machine word of coordinates at a time.

use num_bigint::BigUint;

use crate::contract::BitMap;

/// A vector over GF(2): coordinate i is bit `i % 64` of word `i / 64`. Coordinates beyond the words are 0.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BitVector(Vec<u64>);

impl BitVector {
    /// The zero vector with room for so many coordinates.
    pub fn zero(coordinates: usize) -> BitVector {
        BitVector(vec![0; coordinates.div_ceil(64)])
    }

    /// The vector of these coordinates, first one first.
    pub fn of(bits: impl ExactSizeIterator<Item = bool>) -> BitVector {
        let mut vector = BitVector::zero(bits.len());
        bits.enumerate().filter(|(_, bit)| *bit).for_each(|(i, _)| vector.flip(i));
        vector
    }

    /// Coordinate i.
    pub fn bit(&self, i: usize) -> bool {
        self.0.get(i / 64).is_some_and(|word| word >> (i % 64) & 1 == 1)
    }

    /// Changes coordinate i, which must have room.
    fn flip(&mut self, i: usize) {
        self.0[i / 64] ^= 1 << (i % 64);
    }

    /// The coordinates that are 1, ascending.
    fn ones(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(i, word)| {
            let next = |x: &u64| Some(x & (x - 1)).filter(|rest| *rest != 0);
            std::iter::successors(Some(*word).filter(|x| *x != 0), next)
                .map(move |x| 64 * i + x.trailing_zeros() as usize)
        })
    }

    /// Adds another vector, moved up by so many coordinates (down: negative); what has no room is dropped.
    fn add_moved(&mut self, other: &BitVector, up: isize) {
        let (words, bits) = (up.div_euclid(64), up.rem_euclid(64) as u32);
        for (i, word) in other.0.iter().enumerate() {
            let parts = if bits == 0 { [*word, 0] } else { [word << bits, word >> (64 - bits)] };
            for (part, place) in parts.into_iter().zip(i as isize + words..) {
                if let Some(own) = usize::try_from(place).ok().and_then(|place| self.0.get_mut(place)) {
                    *own ^= part;
                }
            }
        }
    }

    /// The first m coordinates alone.
    fn cut(mut self, m: usize) -> BitVector {
        self.0.resize(m.div_ceil(64), 0);
        if let (Some(top), 1..) = (self.0.last_mut(), m % 64) {
            *top &= (1 << (m % 64)) - 1;
        }
        self
    }

    /// A vector of m coordinates with coordinate i at place i + k modulo m, k below m.
    fn rotated(&self, k: usize, m: usize) -> BitVector {
        let mut turned = BitVector::zero(m);
        turned.add_moved(self, k as isize);
        turned.add_moved(self, k as isize - m as isize);
        turned.cut(m)
    }

    fn and(mut self, other: &BitVector) -> BitVector {
        self.0.iter_mut().zip(other.0.iter().chain(std::iter::repeat(&0))).for_each(|(x, y)| *x &= y);
        self
    }
}

/// The image of bit vectors under a map; the second of them, if there is one, has `inputs_b` coordinates. Vectors that
/// the map does not speak of count as 0, and so do coordinates of the image that there is no room for.
pub fn apply(map: &BitMap, vectors: &[BitVector], inputs_b: usize, coordinates: usize) -> BitVector {
    let zero = BitVector::default();
    let (a, b) = (vectors.first().unwrap_or(&zero), vectors.get(1).unwrap_or(&zero));
    let mut image = BitVector::zero(coordinates);
    let mut add =
        |images: &[u32]| images.iter().filter(|k| (**k as usize) < coordinates).for_each(|k| image.flip(*k as usize));
    match map {
        BitMap::Linear(images) => a.ones().filter_map(|i| images.get(i)).for_each(|x| add(x)),
        BitMap::Bilinear(images) => {
            for i in a.ones() {
                b.ones().filter_map(|j| images.get(i * inputs_b.max(1) + j)).for_each(|x| add(x));
            }
        }
        BitMap::Convolution(images) => {
            // The product of the two as polynomials: coordinate s is the sum of a_i b_j with i + j = s.
            let mut sums = BitVector::zero(images.len());
            a.ones().for_each(|i| sums.add_moved(b, i as isize));
            sums.cut(images.len()).ones().filter_map(|s| images.get(s)).for_each(|x| add(x));
        }
        BitMap::RotatingBilinear(rows) => {
            let m = rows.len();
            let (a, b) = (a.clone().cut(m), b.clone().cut(m));
            // What is rotated by so many coordinates, once.
            let mut turned = vec![BitVector::zero(m); m];
            for (j, row) in rows.iter().enumerate() {
                // Coordinate i is a_i b_(i+j).
                let products = b.rotated((m - j) % m, m).and(&a);
                row.iter().for_each(|k| turned[*k as usize % m].add_moved(&products, 0));
            }
            let mut whole = BitVector::zero(m);
            turned.iter().enumerate().for_each(|(k, x)| whole.add_moved(&x.rotated(k, m), 0));
            image = whole.cut(coordinates);
        }
    }
    image
}

/// Powers of one vector under a map of two operands of m coordinates each, from the leading bit of the exponent on: a
/// square, then the product with the base where the bit is set.
pub(super) fn power(map: &BitMap, base: &BitVector, exponent: &BigUint, m: usize) -> BitVector {
    // The product with the base is linear, and so is the square of a commutative map, whose mixed terms cancel.
    let by_base: Vec<BitVector> = (0..m).map(|i| image_of_one(map, i, base, m)).collect();
    let squares: Option<Vec<BitVector>> = is_commutative(map, m).then(|| {
        let unit = |i| BitVector::of((0..m).map(|k| k == i));
        (0..m).map(|i| image_of_one(map, i, &unit(i), m)).collect()
    });
    let linear = |images: &[BitVector], x: &BitVector| {
        let mut image = BitVector::zero(m);
        x.ones().for_each(|i| image.add_moved(&images[i], 0));
        image
    };
    (0..exponent.bits().saturating_sub(1)).rev().fold(base.clone(), |x, i| {
        let square = match &squares {
            Some(squares) => linear(squares, &x),
            None => apply(map, &[x.clone(), x], m, m),
        };
        if exponent.bit(i) { linear(&by_base, &square) } else { square }
    })
}

/// The image of basis vector i and another vector under a map of two operands of m coordinates each.
fn image_of_one(map: &BitMap, i: usize, b: &BitVector, m: usize) -> BitVector {
    let mut image = BitVector::zero(m);
    let mut add = |images: &[u32], up: usize, modulo: usize| {
        images.iter().map(|k| (*k as usize + up) % modulo).filter(|k| *k < m).for_each(|k| image.flip(k));
    };
    match map {
        BitMap::Linear(_) => {}
        BitMap::Bilinear(images) => {
            b.ones().filter_map(|j| images.get(i * m + j)).for_each(|image| add(image, 0, usize::MAX));
        }
        BitMap::Convolution(images) => {
            b.ones().filter_map(|j| images.get(i + j)).for_each(|image| add(image, 0, usize::MAX));
        }
        BitMap::RotatingBilinear(rows) => {
            let n = rows.len();
            if i < n {
                b.ones().filter(|j| *j < n).for_each(|j| add(&rows[(j + n - i) % n], i, n));
            }
        }
    }
    image
}

/// Are the images of two basis vectors the same in both orders, of m coordinates each?
fn is_commutative(map: &BitMap, m: usize) -> bool {
    let vector = |images: &[u32], up: usize| {
        let mut vector = BitVector::zero(m);
        images.iter().map(|k| (*k as usize + up) % m).for_each(|k| vector.flip(k));
        vector
    };
    match map {
        BitMap::Convolution(_) => true,
        BitMap::RotatingBilinear(rows) if rows.len() == m => {
            (0..m).all(|j| vector(&rows[j], 0) == vector(&rows[(m - j) % m], j))
        }
        _ => false,
    }
}

/// Visits `(i, j, out)`: coordinate `out` of the image contains the product of bits `i` and `j` (or the bit `i`).
pub(super) fn for_each_product(
    map: &BitMap,
    inputs_b: usize,
    coordinates: usize,
    mut visit: impl FnMut(usize, Option<usize>, usize),
) {
    let fits = |k: &&u32| (**k as usize) < coordinates;
    match map {
        BitMap::Linear(images) => {
            for (i, image) in images.iter().enumerate() {
                image.iter().filter(fits).for_each(|k| visit(i, None, *k as usize));
            }
        }
        BitMap::Bilinear(images) => {
            for (at, image) in images.iter().enumerate() {
                let (i, j) = (at / inputs_b.max(1), at % inputs_b.max(1));
                image.iter().filter(fits).for_each(|k| visit(i, Some(j), *k as usize));
            }
        }
        BitMap::Convolution(images) => {
            for (sum, image) in images.iter().enumerate() {
                for j in 0..inputs_b.min(sum + 1) {
                    image.iter().filter(fits).for_each(|k| visit(sum - j, Some(j), *k as usize));
                }
            }
        }
        BitMap::RotatingBilinear(rows) => {
            let m = rows.len();
            for (j, row) in rows.iter().enumerate() {
                for i in 0..m {
                    for k in row.iter().map(|k| (*k as usize + i) % m).filter(|k| *k < coordinates) {
                        visit(i, Some((i + j) % m), k);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use evariste_testing::Random;

    use super::*;

    /// Powers by linear maps are powers by products: of a field in its normal basis, where rows are symmetric, of
    /// polynomials, and of maps that obey no law.
    #[test]
    fn powers_are_repeated_products() {
        let mut random = Random(11);
        for m in [1, 3, 11, 64, 65] {
            let mut images = |n: usize| {
                Vec::from_iter((0..n).map(|_| Vec::from_iter((0..3).map(|_| random.below(m as u64) as u32))))
            };
            // Row m − j rotated by j is row j.
            let mut symmetric = images(m);
            for j in 1..m.div_ceil(2) {
                symmetric[j] = symmetric[m - j].iter().map(|k| (k + j as u32) % m as u32).collect();
            }
            if m % 2 == 0 {
                // (This one is its own opposite.)
                symmetric[m / 2] = vec![1, 1 + m as u32 / 2];
            }
            let maps = [
                BitMap::Bilinear(Arc::new(images(m * m))),
                BitMap::RotatingBilinear(Arc::new(images(m))),
                BitMap::RotatingBilinear(Arc::new(symmetric)),
                BitMap::Convolution(Arc::new(images(2 * m - 1))),
            ];
            assert!(is_commutative(&maps[2], m) && (m < 11 || !is_commutative(&maps[1], m)), "{m} coordinates");
            for map in &maps {
                let base = BitVector::of((0..m).map(|_| random.word() & 1 == 1).collect::<Vec<_>>().into_iter());
                let product = |x: &BitVector, y: &BitVector| apply(map, &[x.clone(), y.clone()], m, m);
                for exponent in 1..12u32 {
                    let steps = (0..exponent.ilog2()).rev().fold(base.clone(), |x, i| {
                        let square = product(&x, &x);
                        if exponent >> i & 1 == 1 { product(&square, &base) } else { square }
                    });
                    assert_eq!(power(map, &base, &exponent.into(), m), steps, "{m} coordinates, power {exponent}");
                }
            }
        }
    }

    /// Word by word is bit by bit, for maps of every form, also of sizes that are no multiples of a word.
    #[test]
    fn images_are_sums_of_products_of_bits() {
        let mut random = Random(7);
        for m in [1, 2, 7, 63, 64, 65, 130] {
            let mut images =
                |n: usize| Arc::new((0..n).map(|_| (0..3).map(|_| random.below(m as u64) as u32).collect()).collect());
            let maps = [
                BitMap::Linear(images(m)),
                BitMap::Bilinear(images(m * m)),
                BitMap::RotatingBilinear(images(m)),
                BitMap::Convolution(images(2 * m - 1)),
            ];
            for map in &maps {
                let mut draw = || BitVector::of((0..m).map(|_| random.word() & 1 == 1).collect::<Vec<_>>().into_iter());
                let (a, b) = (draw(), draw());
                let mut right = BitVector::zero(m);
                for_each_product(map, m, m, |i, j, out| {
                    if a.bit(i) && j.is_none_or(|j| b.bit(j)) {
                        right.flip(out);
                    }
                });
                assert_eq!(apply(map, &[a, b], m, m), right, "{m} coordinates, {map:?}");
            }
        }
    }
}
