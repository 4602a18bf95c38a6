//! The special forms of a modulus that an algorithm can exploit.

use num_bigint::BigUint;
use num_traits::{One, Zero};
use std::fmt;

/// The most terms that still count as "few" signed powers.
const MAXIMUM_TERMS: usize = 8;
/// The fewest low bits that make a modulus Montgomery-friendly.
const FRIENDLY_BITS: u32 = 32;

/// A special form of a modulus p.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// p = 2^k − c with 0 < c and c² < 2^k.
    PseudoMersenne {
        /// The exponent; also the bit length of p.
        k: u32,
        /// What is missing to 2^k.
        c: BigUint,
    },
    /// p = 2^k + c with 0 < c and c² < 2^k; p has k + 1 bits.
    AbovePower {
        /// The exponent.
        k: u32,
        /// What p exceeds 2^k by.
        c: BigUint,
    },
    /// p = Σ sign·2^exponent, highest exponent first: the non-adjacent form, of at most 8 terms.
    SignedPowers(Vec<(i8, u32)>),
    /// p ≡ sign modulo 2^low_bits, with low_bits at least 32 and as large as possible.
    MontgomeryFriendly {
        /// How many low bits are known.
        low_bits: u32,
        /// +1 or −1.
        sign: i8,
    },
    /// p = 2^k·m with k at least 1 and m odd, 1 of powers of two.
    Even {
        /// The exponent.
        k: u32,
        /// The odd part.
        m: BigUint,
    },
    /// None of the others.
    Generic,
}

impl Shape {
    /// Every special form that `p` has, or `Generic` alone. `p` is at least 3.
    pub fn recognise(p: &BigUint) -> Vec<Shape> {
        let mut shapes = Vec::new();
        let twos = p.trailing_zeros().unwrap_or(0);
        if twos > 0 {
            shapes.push(Shape::Even { k: twos as u32, m: p >> twos });
        }
        if p.count_ones() == 1 {
            return shapes;
        }
        let bits = p.bits() as u32;
        let below = (BigUint::one() << bits) - p;
        let above = p - (BigUint::one() << (bits - 1));
        if small(&below, bits) {
            shapes.push(Shape::PseudoMersenne { k: bits, c: below });
        }
        if small(&above, bits - 1) {
            shapes.push(Shape::AbovePower { k: bits - 1, c: above });
        }
        let terms = non_adjacent_form(p);
        if terms.len() <= 3 || (terms.len() <= MAXIMUM_TERMS && 4 * terms.len() <= bits as usize) {
            shapes.push(Shape::SignedPowers(terms));
        }
        let (sign, low_bits) = low_sign(p);
        if low_bits >= FRIENDLY_BITS {
            shapes.push(Shape::MontgomeryFriendly { low_bits, sign });
        }
        if shapes.is_empty() {
            shapes.push(Shape::Generic);
        }
        shapes
    }
}

/// Whether c² < 2^k.
fn small(c: &BigUint, k: u32) -> bool {
    (c * c).bits() <= u64::from(k)
}

/// The sign s = ±1 and the largest n with p ≡ s modulo 2^n, for a p of at least 3.
pub(crate) fn low_sign(p: &BigUint) -> (i8, u32) {
    let trailing = |x: BigUint| x.trailing_zeros().unwrap_or(0) as u32;
    let (minus, plus) = (trailing(p + 1u32), trailing(p - 1u32));
    if minus > plus { (-1, minus) } else { (1, plus) }
}

/// The non-adjacent form of `value`: (sign, exponent), highest exponent first.
pub(crate) fn non_adjacent_form(value: &BigUint) -> Vec<(i8, u32)> {
    let mut terms = Vec::new();
    let mut rest = value.clone();
    let mut exponent = 0;
    while !rest.is_zero() {
        let shift = rest.trailing_zeros().unwrap_or(0);
        rest >>= shift;
        exponent += shift as u32;
        // The digit is 1 when rest ≡ 1 modulo 4, and −1 when rest ≡ 3.
        if rest.bit(1) {
            terms.push((-1, exponent));
            rest += 1u32;
        } else {
            terms.push((1, exponent));
            rest -= 1u32;
        }
    }
    terms.reverse();
    terms
}

/// Signed powers as an expression: `2^256 - 2^224 + 2^192 + 2^96 - 1`.
pub(crate) fn signed_powers_text(terms: &[(i8, u32)]) -> String {
    let mut text = String::new();
    for (position, &(sign, exponent)) in terms.iter().enumerate() {
        text.push_str(match (position, sign > 0) {
            (0, true) => "",
            (0, false) => "-",
            (_, true) => " + ",
            (_, false) => " - ",
        });
        match exponent {
            0 => text.push('1'),
            1 => text.push('2'),
            _ => text.push_str(&format!("2^{exponent}")),
        }
    }
    text
}

/// One line: the formula, then what it is called.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |c: &BigUint| {
            if c.bits() <= 64 { format!("{c}") } else { format!("{c:#x}") }
        };
        let size = |c: &BigUint| match c.bits() {
            1 => "1 bit".to_owned(),
            bits => format!("{bits} bits"),
        };
        match self {
            Shape::PseudoMersenne { k, c } => {
                write!(f, "2^{k} - {} (pseudo-Mersenne, c of {})", number(c), size(c))
            }
            Shape::AbovePower { k, c } => {
                write!(f, "2^{k} + {} (just above a power of two, c of {})", number(c), size(c))
            }
            Shape::SignedPowers(terms) => {
                write!(f, "{} ({} signed powers of two)", signed_powers_text(terms), terms.len())
            }
            Shape::MontgomeryFriendly { low_bits, sign } => {
                write!(f, "{sign:+} modulo 2^{low_bits} (Montgomery-friendly)")
            }
            Shape::Even { k, m } if m.is_one() => write!(f, "2^{k} (a power of two)"),
            Shape::Even { k, m } => write!(f, "2^{k} * {} (even, an odd part of {})", number(m), size(m)),
            Shape::Generic => write!(f, "no special form"),
        }
    }
}
