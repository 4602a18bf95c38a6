//! The kinds of fields, and arithmetic in them that shares nothing with the project: big integers, polynomials as lists
//! of exponents, normal bases as cyclic vectors. A kind that says its arithmetic a second time (`again` of its row)
//! brings the field and the arithmetic from its own file.

use std::sync::Arc;

use evariste::builder::{BinaryField, Integers, Modulus};
use evariste::{BigUint, Field};
use evariste_descriptions::Structure;
use evariste_descriptions::kinds::KINDS;
use num_bigint::BigInt;
use num_integer::Integer;

/// A kind of field, by what defines it.
#[derive(Clone, Debug)]
pub enum Kind {
    /// Integers modulo a number, odd or even.
    Modulus(BigUint),
    /// Plain integers of that many bits.
    Integers(u32),
    /// Odd moduli of that many bits supplied at run time.
    Given(u32),
    /// Polynomials over GF(2) modulo the sum of these powers, highest first.
    Polynomial(&'static [u32]),
    /// The Gaussian normal basis of degree m and type t.
    Normal(u32, u32),
    /// What the kind's own file says a second time.
    Again(Arc<dyn Structure>),
}

/// A description with its meaning.
pub struct Subject {
    pub text: &'static str,
    pub kind: Kind,
}

fn number(hex: &str) -> BigUint {
    BigUint::parse_bytes(hex.as_bytes(), 16).expect("hexadecimal digits")
}

/// One field of each kind, and of each shape of modulus that has algorithms of its own.
pub fn subjects() -> Vec<Subject> {
    let again = KINDS.iter().filter_map(|kind| {
        let field = Field::parse(kind.example).expect("a description");
        // What has no kernels is tested where its reference is; elements that are not consecutive numbers in `towers`.
        let again = kind.again.filter(|_| field.has_kernels() && field.spec().coordinates() == 1)?;
        Some(Subject { text: kind.example, kind: Kind::Again(again(field.spec()).into()) })
    });
    said_here().into_iter().chain(again).collect()
}

/// The fields whose arithmetic is said in this file.
pub fn said_here() -> Vec<Subject> {
    let two = |k: u32| BigUint::from(1u32) << k;
    let subject = |text, kind| Subject { text, kind };
    let p256 = "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff";
    let r = "73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001";
    vec![
        subject("2^255 - 19", Kind::Modulus(two(255) - 19u32)),
        subject("p256", Kind::Modulus(number(p256))),
        subject("bls12-381-fr", Kind::Modulus(number(r))),
        subject("goldilocks", Kind::Modulus(number("ffffffff00000001"))),
        subject("2^61 - 1", Kind::Modulus(two(61) - 1u32)),
        subject("babybear", Kind::Modulus(number("78000001"))),
        subject("dfc", Kind::Modulus(two(64) + 13u32)),
        subject("2^100 - 1", Kind::Modulus(two(100) - 1u32)),
        subject("0xfedcba98765432100123456789abcdef", Kind::Modulus(number("fedcba98765432100123456789abcdef"))),
        subject("2^64", Kind::Modulus(two(64))),
        subject("2^100", Kind::Modulus(two(100))),
        subject("1000", Kind::Modulus(1000u32.into())),
        subject("2^70 * (2^61 - 1)", Kind::Modulus((two(61) - 1u32) << 70)),
        subject("int192", Kind::Integers(192)),
        subject("odd64", Kind::Given(64)),
        subject("odd130", Kind::Given(130)),
        subject("GF(2^8)", Kind::Polynomial(&[8, 4, 3, 1, 0])),
        subject("GF(2^163)", Kind::Polynomial(&[163, 7, 6, 3, 0])),
        subject("GF(2^12):onb1", Kind::Normal(12, 1)),
        subject("GF(2^23):onb2", Kind::Normal(23, 2)),
        subject("GF(2^15):gnb4", Kind::Normal(15, 4)),
    ]
}

/// Kinds whose operations are about strings of bits: their vectors say what is right (`tests/ciphers.rs`).
const OF_STRINGS: [&str; 2] = ["cipher:", "mac:"];

/// Kinds whose values are compared with the definition elsewhere (`tests/pairings.rs`).
const ELSEWHERE: [&str; 1] = ["pairing:"];

/// Every kind of description that does not say its arithmetic a second time, and normal bases of every sort, have a
/// subject.
pub fn kinds_are_all_there() {
    let mut found = [false; 7];
    let examples = KINDS.iter().filter(|kind| kind.again.is_none()).map(|kind| kind.example);
    for text in said_here().iter().map(|subject| subject.text).chain(examples) {
        let field = Field::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        let (modulus, binary) = (field.spec().get::<Modulus>(), field.spec().get::<BinaryField>());
        let kind = match (modulus, binary) {
            (Some(m), _) => usize::from(!m.prime),
            (_, Some(f)) if f.basis_type().is_none() => 4,
            (_, Some(f)) => {
                if f.basis_type().is_some_and(|t| t <= 2) {
                    5
                } else {
                    6
                }
            }
            _ if field.spec().get::<Integers>().is_some() => 2,
            _ if field.takes_modulus() => 3,
            _ if !field.has_kernels() || OF_STRINGS.iter().chain(&ELSEWHERE).any(|kind| text.starts_with(kind)) => {
                continue;
            }
            _ => panic!("{field} is of a new kind: its row says its arithmetic `again`"),
        };
        found[kind] = true;
    }
    assert_eq!(found, [true; 7]);
}

impl Kind {
    /// How many numbers are elements: the numbers below. Of run-time moduli: of the greatest.
    pub fn limit(&self) -> BigUint {
        match self {
            Kind::Modulus(p) => p.clone(),
            Kind::Integers(bits) | Kind::Given(bits) => BigUint::from(1u32) << *bits,
            Kind::Polynomial(powers) => BigUint::from(1u32) << powers[0],
            Kind::Normal(m, _) => BigUint::from(1u32) << *m,
            Kind::Again(structure) => structure.order(),
        }
    }

    /// Are there arrays of its elements?
    pub fn has_arrays(&self) -> bool {
        match self {
            Kind::Integers(_) | Kind::Given(_) | Kind::Again(_) => false,
            Kind::Modulus(_) | Kind::Polynomial(_) | Kind::Normal(..) => true,
        }
    }

    /// Is it of characteristic two?
    pub fn is_binary(&self) -> bool {
        matches!(self, Kind::Polynomial(_) | Kind::Normal(..))
    }

    /// The element one.
    pub fn one(&self) -> BigUint {
        match self {
            Kind::Normal(..) => self.limit() - 1u32,
            Kind::Again(structure) => structure.one(),
            _ => BigUint::from(1u32),
        }
    }

    /// The sum; `p` is the modulus supplied at run time.
    pub fn add(&self, a: &BigUint, b: &BigUint, p: &BigUint) -> BigUint {
        match self {
            Kind::Again(structure) => structure.add(a, b).expect("sums"),
            _ if self.is_binary() => a ^ b,
            _ => (a + b) % p,
        }
    }

    /// The difference.
    pub fn sub(&self, a: &BigUint, b: &BigUint, p: &BigUint) -> BigUint {
        match self {
            Kind::Again(structure) => structure.subtract(a, b).expect("differences"),
            _ if self.is_binary() => a ^ b,
            _ => (a + p - b) % p,
        }
    }

    /// The product.
    pub fn mul(&self, a: &BigUint, b: &BigUint, p: &BigUint) -> BigUint {
        match self {
            Kind::Modulus(_) | Kind::Given(_) => a * b % p,
            Kind::Integers(_) => a * b,
            Kind::Polynomial(powers) => polynomial_product(powers, a, b),
            Kind::Normal(m, t) => normal_product(*m, *t, a, b),
            Kind::Again(structure) => structure.multiply(a, b).expect("products"),
        }
    }

    /// The power.
    pub fn pow(&self, a: &BigUint, e: &BigUint, p: &BigUint) -> BigUint {
        (0..e.bits()).rev().fold(self.one(), |x, i| {
            let x = self.mul(&x, &x, p);
            if e.bit(i) { self.mul(&x, a, p) } else { x }
        })
    }

    /// Is `x` the inverse of `a`, and zero that of zero?
    pub fn is_inverse(&self, a: &BigUint, x: &BigUint, p: &BigUint) -> bool {
        if *a == BigUint::ZERO { *x == BigUint::ZERO } else { self.mul(a, x, p) == self.one() }
    }

    /// `a + a^s + a^(s²) + …`, that many terms: the trace for s = 2, the half-trace for s = 4.
    pub fn sum_of_powers(&self, a: &BigUint, squarings: u32, terms: u32) -> BigUint {
        let (mut power, mut sum) = (a.clone(), BigUint::ZERO);
        for _ in 0..terms {
            sum ^= &power;
            (0..squarings).for_each(|_| power = self.mul(&power, &power, &BigUint::ZERO));
        }
        sum
    }
}

/// That arithmetic, to which rows of operations say what they mean.
#[derive(Debug)]
pub struct Exact {
    pub kind: Kind,
    /// The modulus, where there is one.
    pub p: BigUint,
}

impl Structure for Exact {
    fn name(&self) -> String {
        format!("{:?}", self.kind)
    }

    fn text(&self) -> String {
        self.name()
    }

    fn description(&self) -> String {
        self.name()
    }

    fn bits(&self) -> u32 {
        (self.kind.limit() - 1u32).bits() as u32
    }

    fn one(&self) -> BigUint {
        self.kind.one()
    }

    fn multiply(&self, a: &BigUint, b: &BigUint) -> Option<BigUint> {
        Some(self.kind.mul(a, b, &self.p))
    }

    fn add(&self, a: &BigUint, b: &BigUint) -> Option<BigUint> {
        Some(self.kind.add(a, b, &self.p))
    }

    fn subtract(&self, a: &BigUint, b: &BigUint) -> Option<BigUint> {
        Some(self.kind.sub(a, b, &self.p))
    }

    fn negate(&self, a: &BigUint) -> Option<BigUint> {
        Some(self.kind.sub(&BigUint::ZERO, a, &self.p))
    }
}

/// Shift and exclusive or, then the powers from the top.
fn polynomial_product(powers: &[u32], a: &BigUint, b: &BigUint) -> BigUint {
    let (m, mut x) = (powers[0], BigUint::ZERO);
    for i in (0..b.bits()).filter(|i| b.bit(*i)) {
        x ^= a << i;
    }
    for i in (u64::from(m)..x.bits()).rev() {
        if x.bit(i) {
            powers.iter().for_each(|power| x ^= BigUint::from(1u32) << (i - u64::from(m - power)));
        }
    }
    x
}

/// With z of order p = t·m + 1: element Σ aᵢβ^(2^i), β the sum of z^u over the u with u^t = 1, as a cyclic vector of
/// coefficients of z^j; 1 + z + … + z^(p−1) is 0.
fn normal_product(m: u32, t: u32, a: &BigUint, b: &BigUint) -> BigUint {
    let p = u64::from(t * m + 1);
    let power = |base: u64, e: u64| (0..e).fold(1u64, |x, _| x * base % p);
    let roots: Vec<u64> = (1..p).filter(|u| power(*u, u64::from(t)) == 1).collect();
    let spread = |x: &BigUint| -> Vec<bool> {
        let mut vector = vec![false; p as usize];
        for i in (0..m).filter(|i| x.bit(u64::from(*i))) {
            roots.iter().for_each(|u| vector[(u * power(2, u64::from(i)) % p) as usize] ^= true);
        }
        vector
    };
    let (x, y) = (spread(a), spread(b));
    let mut product = vec![false; p as usize];
    for i in (0..p as usize).filter(|i| x[*i]) {
        for j in (0..p as usize).filter(|j| y[*j]) {
            product[(i + j) % p as usize] ^= true;
        }
    }
    // A constant is that times the sum of all other powers.
    let coordinate = |i: &u32| product[power(2, u64::from(*i)) as usize] ^ product[0];
    (0..m).filter(coordinate).fold(BigUint::ZERO, |sum, i| sum | BigUint::from(1u32) << i)
}

/// `x⁻¹` modulo a number, or nothing.
pub fn inverse(x: &BigUint, p: &BigUint) -> Option<BigUint> {
    let (x, p) = (BigInt::from(x.clone()), BigInt::from(p.clone()));
    let gcd = x.extended_gcd(&p);
    if gcd.gcd == BigInt::from(1) { gcd.x.mod_floor(&p).to_biguint() } else { None }
}
