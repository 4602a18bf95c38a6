//! Division steps: what Bernstein and Yang's gcd does, in Wuille's form that starts at δ = 1/2.
//!
//! A step takes (ζ, f, g), f odd and ζ = −(δ + 1/2), to (−ζ − 2, g, (g − f)/2) where ζ < 0 and g is odd, and else to
//! (ζ − 1, f, (g + f·(g mod 2))/2). Steps look at the sign of ζ and at the lowest bit of g alone, so `count` of them are
//! known from the `count` lowest bits of f and g: they are the matrix (u v; q r) with
//! `2^count · f' = u·f + v·g` and `2^count · g' = q·f + r·g`, and |u| + |v| and |q| + |r| are at most `2^count`.

use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// What a number that steps give is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Part {
    /// ζ after the steps, as a word in two's complement.
    Zeta,
    /// An entry of the matrix, raised by `2^count`: by row (0: that of f) and column (0: what f is multiplied with).
    Entry(u8, u8),
}

/// Every part with its name, in the order of kernels' outputs.
pub const PARTS: [(&str, Part); 5] = [
    ("zeta", Part::Zeta),
    ("u", Part::Entry(0, 0)),
    ("v", Part::Entry(0, 1)),
    ("q", Part::Entry(1, 0)),
    ("r", Part::Entry(1, 1)),
];

impl Part {
    /// The name.
    pub fn name(self) -> &'static str {
        PARTS.iter().find(|(_, part)| *part == self).map_or("", |(name, _)| name)
    }

    /// The greatest number that it can be after so many steps, over words of `word` bits.
    pub fn most(self, word: u32, count: u32) -> BigInt {
        match self {
            Part::Zeta => (BigInt::from(1) << word) - 1,
            Part::Entry(..) => BigInt::from(1) << (count + 1),
        }
    }
}

/// The number that a part is after `count` steps from ζ, f and g, words of `word` bits; `None` where f is even (nothing
/// is said then) or there are more steps than the words have bits for.
pub fn after(word: u32, count: u32, part: Part, zeta: &BigInt, f: &BigInt, g: &BigInt) -> Option<BigInt> {
    let whole = 1i128 << word;
    let word_of = |x: &BigInt| x.to_i128().filter(|x| (0..whole).contains(x));
    let (mut zeta, mut f, mut g) = (word_of(zeta)?, word_of(f)?, word_of(g)?);
    if f & 1 == 0 || count + 2 > word || word > 64 {
        return None;
    }
    let [mut top, mut bottom] = [[1i128, 0], [0i128, 1]];
    for _ in 0..count {
        let odd = g & 1;
        if zeta >= whole / 2 && odd == 1 {
            (zeta, f, g) = (-zeta - 2, g, (g - f) / 2);
            (top, bottom) = (bottom.map(|x| 2 * x), [bottom[0] - top[0], bottom[1] - top[1]]);
        } else {
            (zeta, g) = (zeta - 1, (g + odd * f) / 2);
            (top, bottom) = (top.map(|x| 2 * x), [bottom[0] + odd * top[0], bottom[1] + odd * top[1]]);
        }
        zeta = zeta.rem_euclid(whole);
    }
    Some(BigInt::from(match part {
        Part::Zeta => zeta,
        Part::Entry(row, column) => [top, bottom][usize::from(row)][usize::from(column)] + (1 << count),
    }))
}

/// Steps after which g is 0 and f is the greatest common divisor or its negative, from ζ = −1 and `0 ≤ g ≤ f < 2^bits`,
/// f odd. Wuille's bound, which follows the convex hull of all pairs (f, g) that steps can lead to; the tests of this
/// crate compute that hull.
pub fn steps_needed(bits: u32) -> u32 {
    ((45_907 * u64::from(bits) + 26_313) / 19_929) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matrices_take_f_and_g_where_the_steps_do() {
        let (word, count) = (8, 6);
        for (zeta, f, g) in
            (0..256).step_by(5).flat_map(|z| (1..64).step_by(2).flat_map(move |f| (0..64).map(move |g| (z, f, g))))
        {
            let entry = |row, column| {
                after(word, count, Part::Entry(row, column), &zeta.into(), &f.into(), &g.into()).unwrap() - 64
            };
            let (mut z, mut x, mut y) = ((zeta as u8 as i8), f, g);
            for _ in 0..count {
                let odd = y & 1 != 0;
                if z < 0 && odd {
                    (z, x, y) = ((-2i8).wrapping_sub(z), y, (y - x) / 2);
                } else {
                    (z, y) = (z.wrapping_sub(1), (y + if odd { x } else { 0 }) / 2);
                }
            }
            let zeta_after = after(word, count, Part::Zeta, &zeta.into(), &f.into(), &g.into());
            assert_eq!(zeta_after, Some((z as u8).into()));
            for (row, now) in [(0, x), (1, y)] {
                let (a, b): (BigInt, BigInt) = (entry(row, 0), entry(row, 1));
                assert_eq!(&a * f + &b * g, BigInt::from(64 * now));
                assert!(BigInt::from(a.magnitude() + b.magnitude()) <= 64.into());
            }
        }
        assert_eq!(after(word, count, Part::Zeta, &0.into(), &2.into(), &1.into()), None, "f is odd");
    }
}
