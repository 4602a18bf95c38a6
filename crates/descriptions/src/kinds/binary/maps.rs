//! Linear maps of a whole binary field at once: traces, half-traces and solutions of quadratics of all basis elements,
//! from the squares of the basis elements alone. Element by element they take m² squares and more.

use num_bigint::BigUint;
use num_traits::Zero;

use super::BinaryField;

/// A linear map: entry i is the image of basis element i.
struct Map(Vec<BigUint>);

fn unit(i: usize) -> BigUint {
    BigUint::from(1u32) << i
}

impl Map {
    fn identity(degree: u32) -> Map {
        Map((0..degree as usize).map(unit).collect())
    }

    /// The image: the sum of those of the basis elements.
    fn of(&self, x: &BigUint) -> BigUint {
        let mut image = BigUint::zero();
        for (w, word) in x.iter_u64_digits().enumerate() {
            let mut rest = word;
            while rest != 0 {
                image ^= &self.0[64 * w + rest.trailing_zeros() as usize];
                rest &= rest - 1;
            }
        }
        image
    }

    /// x ↦ self(inner(x)).
    fn after(&self, inner: &Map) -> Map {
        Map(inner.0.iter().map(|x| self.of(x)).collect())
    }

    fn plus(&self, other: &Map) -> Map {
        Map(self.0.iter().zip(&other.0).map(|(x, y)| x ^ y).collect())
    }

    /// 1 + f + f² + … + f^(count − 1), and f^count: by halves, since `S(2n) = S(n) + f^n S(n)`.
    fn sum_of_powers(&self, count: u32) -> (Map, Map) {
        let degree = self.0.len() as u32;
        if count == 0 {
            return (Map(vec![BigUint::zero(); degree as usize]), Map::identity(degree));
        }
        let (sum, power) = self.sum_of_powers(count / 2);
        let (sum, power) = (sum.plus(&power.after(&sum)), power.after(&power));
        match count % 2 {
            0 => (sum, power),
            _ => (sum.plus(&power), self.after(&power)),
        }
    }
}

impl BinaryField {
    fn squares(&self) -> Map {
        Map((0..self.degree as usize).map(|i| self.square(&unit(i))).collect())
    }

    /// The traces of the basis elements: entry i is that of element i.
    pub fn traces(&self) -> Vec<bool> {
        // A trace is 0 or 1, and 1 is no sum of nothing.
        self.squares().sum_of_powers(self.degree).0.0.iter().map(|sum| !sum.is_zero()).collect()
    }

    /// The half-traces of the basis elements; `None` for an even degree.
    pub fn half_traces(&self) -> Option<Vec<BigUint>> {
        if self.degree.is_multiple_of(2) {
            return None;
        }
        let squares = self.squares();
        Some(squares.after(&squares).sum_of_powers(self.degree.div_ceil(2)).0.0)
    }

    /// The linear map that solves quadratics, `[i]` the image of basis element i: z² + z = a for the image z of every a
    /// of trace 0. Of the first basis element of trace 1 the image is 0.
    ///
    /// Of two solutions that whose coefficient of the first basis element is 0: other solutions of `z² + z = 0` than 0
    /// and 1 there are none, and 1 has that coefficient, so that z ↦ z² + z is one-to-one where it is 0.
    pub fn quadratic(&self) -> Vec<BigUint> {
        let degree = self.degree as usize;
        let squares = self.squares();
        let mut pivots: Vec<Option<(BigUint, BigUint)>> = vec![None; degree];
        for (i, square) in squares.0.iter().enumerate().skip(1) {
            let (rest, z) = eliminated(&pivots, square ^ unit(i), unit(i));
            if let Some(top) = top(&rest) {
                pivots[top] = Some((rest, z));
            }
        }
        // What elimination leaves of an element is 0 where its trace is 0.
        let solved = |x: BigUint| Some(eliminated(&pivots, x, BigUint::zero())).filter(|(rest, _)| rest.is_zero());
        let first = (0..degree).map(unit).find(|d| solved(d.clone()).is_none()).unwrap_or_default();
        let image = |x: BigUint| solved(x.clone()).or_else(|| solved(x ^ &first)).map(|(_, z)| z).unwrap_or_default();
        (0..degree).map(|i| image(unit(i))).collect()
    }
}

fn top(x: &BigUint) -> Option<usize> {
    (x.bits() as usize).checked_sub(1)
}

/// x and z, with images of pivots added to x until none has its leading bit, and what they are images of added to z.
fn eliminated(pivots: &[Option<(BigUint, BigUint)>], mut x: BigUint, mut z: BigUint) -> (BigUint, BigUint) {
    for (image, of) in pivots.iter().rev().flatten() {
        if top(image).is_some_and(|top| x.bit(top as u64)) {
            x ^= image;
            z ^= of;
        }
    }
    (x, z)
}
