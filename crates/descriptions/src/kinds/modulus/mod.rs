//! A modulus, and reference arithmetic modulo it: slow and obviously right.

pub(crate) mod description;
pub(crate) mod shape;
pub(crate) mod square_root;
mod structure;
mod units;

pub(crate) use self::description::KIND;
pub use self::shape::Shape;
use self::shape::{low_sign, non_adjacent_form, signed_powers_text};
pub use self::square_root::SquareRoot;
pub use self::units::Units;
use crate::limits::{MAXIMUM_BITS, MINIMUM_BITS};
use crate::names::{self, Named};
use crate::prime;
use num_bigint::BigUint;
use num_traits::{CheckedSub, One};

/// A modulus p of at least 3, whose elements have 2 to 4096 bits: the ring of the integers modulo p, a field when p is
/// prime. Even moduli are rings like others.
///
/// Arithmetic takes any natural numbers and gives the representative in 0 … p − 1.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Modulus {
    /// The name, where the value has one: see [`crate::named`].
    pub name: Option<&'static str>,
    /// An expression that parses to this modulus: the shortest usual one.
    pub text: String,
    /// p itself.
    pub value: BigUint,
    /// Bits of an element: the bit length of p − 1, which is that of p but for powers of two.
    pub bits: u32,
    /// Every special form that p has, or `Generic` alone.
    pub shapes: Vec<Shape>,
    /// Whether p passes Baillie-PSW.
    pub prime: bool,
    /// The least prime factor of a composite p, where it is below 2^10.
    pub small_factor: Option<u32>,
}

impl Modulus {
    /// Describes `value`; `None` if its elements do not have 2 to 4096 bits.
    pub fn new(value: BigUint) -> Option<Self> {
        let bits = u32::try_from(value.checked_sub(&BigUint::one())?.bits()).ok()?;
        if !(MINIMUM_BITS..=MAXIMUM_BITS).contains(&bits) {
            return None;
        }
        let named = names::by_value(&value);
        let shapes = Shape::recognise(&value);
        Some(Self {
            name: named.map(|named| named.name),
            text: named.map_or_else(|| canonical_text(&value, &shapes), |named| named.expression.to_owned()),
            bits,
            prime: prime::is_prime(&value),
            small_factor: prime::small_factor(&value),
            shapes,
            value,
        })
    }

    /// The entry of the table of names that this modulus has.
    pub fn named(&self) -> Option<&'static Named> {
        names::by_value(&self.value)
    }

    /// The k of `p = 2^k·m` with m odd: 0 of odd moduli.
    pub fn twos(&self) -> u32 {
        self.value.trailing_zeros().unwrap_or(0) as u32
    }

    /// The odd m of `p = 2^k·m`: 1 of powers of two.
    pub fn odd_part(&self) -> BigUint {
        &self.value >> self.twos()
    }

    /// The k of `p = 2^k`.
    pub fn power_of_two(&self) -> Option<u32> {
        self.odd_part().is_one().then(|| self.twos())
    }

    /// The sign s = ±1 and the largest n with p ≡ s modulo 2^n.
    pub fn low_sign(&self) -> (i8, u32) {
        low_sign(&self.value)
    }

    /// a mod p.
    pub fn reduce(&self, a: &BigUint) -> BigUint {
        a % &self.value
    }

    /// a + b mod p.
    pub fn add(&self, a: &BigUint, b: &BigUint) -> BigUint {
        (a + b) % &self.value
    }

    /// a − b mod p.
    pub fn sub(&self, a: &BigUint, b: &BigUint) -> BigUint {
        (a % &self.value + (&self.value - b % &self.value)) % &self.value
    }

    /// −a mod p.
    pub fn neg(&self, a: &BigUint) -> BigUint {
        (&self.value - a % &self.value) % &self.value
    }

    /// a·b mod p.
    pub fn mul(&self, a: &BigUint, b: &BigUint) -> BigUint {
        (a * b) % &self.value
    }

    /// a² mod p.
    pub fn square(&self, a: &BigUint) -> BigUint {
        (a * a) % &self.value
    }

    /// a^exponent mod p, with a^0 = 1: square and multiply from the top bit.
    pub fn pow(&self, a: &BigUint, exponent: &BigUint) -> BigUint {
        let mut power = BigUint::one();
        for i in (0..exponent.bits()).rev() {
            power = self.square(&power);
            if exponent.bit(i) {
                power = self.mul(&power, a);
            }
        }
        power
    }

    /// The b with a·b ≡ 1 mod p; `None` when a is not a unit (0, and the multiples of a factor of p).
    pub fn inverse(&self, a: &BigUint) -> Option<BigUint> {
        a.modinv(&self.value)
    }

    /// a·x + b mod p.
    pub fn affine(&self, a: &BigUint, x: &BigUint, b: &BigUint) -> BigUint {
        (a * x + b) % &self.value
    }

    /// (a·x + b mod p) mod 2^k.
    pub fn affine_mod_power(&self, a: &BigUint, x: &BigUint, b: &BigUint, k: u32) -> BigUint {
        self.affine(a, x, b) % (BigUint::one() << k)
    }
}

/// The shortest usual expression of an unnamed modulus.
fn canonical_text(value: &BigUint, shapes: &[Shape]) -> String {
    if value.count_ones() == 1 && value.bits() > 8 {
        return format!("2^{}", value.bits() - 1);
    }
    let digits = non_adjacent_form(value);
    for shape in shapes {
        match shape {
            Shape::PseudoMersenne { k, c } if *k >= 8 && c.bits() <= 10 => {
                return format!("2^{k} - {c}");
            }
            Shape::AbovePower { k, c } if *k >= 8 && c.bits() <= 10 => {
                return format!("2^{k} + {c}");
            }
            _ => {}
        }
    }
    if value.bits() <= 32 && digits.len() > 3 || value.bits() <= 8 {
        // A bare number that is also a name would be read as the name.
        let decimal = value.to_string();
        return if names::by_name(&decimal).is_some() { format!("({decimal})") } else { decimal };
    }
    for shape in shapes {
        match shape {
            Shape::SignedPowers(terms) if terms.len() <= 6 => return signed_powers_text(terms),
            Shape::PseudoMersenne { k, c } if c.bits() <= 64 => return format!("2^{k} - {c}"),
            Shape::AbovePower { k, c } if c.bits() <= 64 => return format!("2^{k} + {c}"),
            _ => {}
        }
    }
    format!("{value:#x}")
}
