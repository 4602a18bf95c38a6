//! What has been proved. These types can only be made here, from expressions and from each other.

use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{One, Zero};

use super::expr::{Expr, Ring};
use super::hash::FastMap;
use super::leaf::leaf_bound;
use super::mono::Atom;
use super::poly::Poly;
use super::system::{Affine, System};
use crate::broken_rules::{Rule, broken};

/// `poly ≤ max` wherever the assumed flags have the assumed values.
#[derive(Clone, Debug)]
pub struct Bounded {
    poly: Poly,
    max: BigInt,
    assumed: Vec<(Atom, bool)>,
    limit: Atom,
}

impl Bounded {
    /// By intervals of the expression, or (`leaf`) also by the bounds of whole numbers.
    pub fn from_expr(e: &Expr, max: &BigInt, leaf: bool) -> Option<Bounded> {
        let Ring::Integers { scale } = e.ring() else { return None };
        // Values are integers: below max + 1 is at most max.
        let edge: BigInt = (max + if broken(Rule::Edge) { 2 } else { 1 }) << scale;
        let below = e.bound() < &edge || (leaf && leaf_bound(e) < edge);
        (e.is_sound() && below).then(|| Bounded {
            poly: e.origin().clone(),
            max: max.clone(),
            assumed: e.assumed().to_vec(),
            limit: e.limit(),
        })
    }

    /// A flag is 0 or 1 (by its interval, or because `bit` says that it is at most 1): the same bound in both cases
    /// holds without the assumption.
    pub fn from_cases(
        sys: &System,
        flag: Atom,
        bit: Option<&Bounded>,
        zero: &Bounded,
        one: &Bounded,
    ) -> Option<Bounded> {
        let shown = bit.filter(|b| b.says(&Poly::atom(flag), &BigInt::one(), Atom(u32::MAX)));
        if !sys.is_flag(flag) && shown.is_none() {
            return None;
        }
        if broken(Rule::Cases) {
            let assumed = zero.assumed.iter().filter(|x| x.0 != flag).copied().collect();
            return Some(Bounded { assumed, ..zero.clone() });
        }
        let rest = |b: &Bounded, v: bool| {
            let i = b.assumed.iter().position(|x| *x == (flag, v))?;
            let mut rest = b.assumed.clone();
            rest.remove(i);
            Some(rest)
        };
        let (r0, r1) = (rest(zero, false)?, rest(one, true)?);
        let limit = zero.limit.max(one.limit).max(shown.map_or(Atom(0), |b| b.limit));
        (r0 == r1 && zero.poly == one.poly && zero.max == one.max).then(|| Bounded {
            poly: zero.poly.clone(),
            max: zero.max.clone(),
            assumed: r0,
            limit,
        })
    }

    /// When a polynomial is proved to lie below its least value, the assumptions contradict each other and anything
    /// follows from them.
    pub fn from_contradiction(sys: &System, impossible: &Bounded, poly: Poly, max: BigInt) -> Option<Bounded> {
        (impossible.max < sys.interval(&impossible.poly).0).then(|| Bounded {
            poly,
            max,
            assumed: impossible.assumed.clone(),
            limit: impossible.limit,
        })
    }

    /// Does it say `poly ≤ max` without assumptions, from atoms below `limit`?
    pub fn says(&self, poly: &Poly, max: &BigInt, limit: Atom) -> bool {
        self.assumed.is_empty() && &self.poly == poly && &self.max <= max && self.limit <= limit
    }

    /// The assumptions.
    pub fn assumed(&self) -> &[(Atom, bool)] {
        &self.assumed
    }
}

/// `atom = value`, where `value` uses older atoms.
#[derive(Clone, Debug)]
pub struct Fact {
    atom: Atom,
    value: Poly,
    limit: Atom,
}

impl Fact {
    /// From `atom − value ≡ 0 (mod 2^k)`, both in `[0, 2^k)`.
    pub fn low_word(e: &Expr, atom: Atom, value: &Affine) -> Option<Fact> {
        let Ring::Binary(k) = e.ring() else { return None };
        let sys = e.system();
        let modulus = BigInt::one() << k;
        let (min, max) = sys.interval_of(value);
        let zero = broken(Rule::LowWord) || e.is_sound() && e.terms().is_empty() && e.assumed().is_empty();
        let difference = Poly::atom(atom).plus(&-BigInt::one(), &value.poly());
        let older = value.atom.is_none_or(|a| a < atom);
        let small = min.sign() != Sign::Minus && max < modulus && sys.atom(atom).max < modulus;
        (zero && older && small && e.origin() == &difference).then(|| Fact {
            atom,
            value: value.poly(),
            limit: e.limit(),
        })
    }

    /// From `atom − value ≤ 0` and `value − atom ≤ 0`.
    pub fn equal(
        sys: &System,
        atom: Atom,
        value: &Affine,
        above: Option<&Bounded>,
        below: Option<&Bounded>,
    ) -> Option<Fact> {
        let difference = Poly::atom(atom).plus(&-BigInt::one(), &value.poly());
        let opposite = difference.scaled(&-BigInt::one());
        let zero = BigInt::zero();
        let mut limit = Atom(atom.0 + 1);
        for (poly, proved) in [(difference, above), (opposite, below)] {
            let trivial = sys.interval(&poly).1 <= zero || broken(Rule::HighPart);
            if let Some(b) = proved.filter(|b| b.says(&poly, &zero, Atom(u32::MAX))) {
                limit = limit.max(b.limit);
            } else if !trivial {
                return None;
            }
        }
        value.atom.is_none_or(|a| a < atom).then(|| Fact { atom, value: value.poly(), limit })
    }

    /// The atom.
    pub fn atom(&self) -> Atom {
        self.atom
    }

    /// What it equals.
    pub fn value(&self) -> &Poly {
        &self.value
    }

    /// Equations below this atom were used.
    pub fn limit(&self) -> Atom {
        self.limit
    }
}

/// Facts by atom.
#[derive(Default, Debug)]
pub struct Facts {
    map: FastMap<Atom, Fact>,
}

impl Facts {
    /// Remembers a fact.
    pub fn learn(&mut self, fact: Fact) {
        self.map.insert(fact.atom, fact);
    }

    /// What is known of an atom.
    pub fn get(&self, atom: Atom) -> Option<&Fact> {
        self.map.get(&atom)
    }
}

/// `poly ≡ 0` modulo a positive number.
#[derive(Clone, Debug)]
pub struct Vanishing {
    poly: Poly,
    modulus: BigInt,
}

impl Vanishing {
    /// By elimination: nothing is left of the expression. Every step added a multiple of zero, so that the modulus need
    /// not be odd: nothing was divided.
    pub fn from_expr(e: &Expr) -> Option<Vanishing> {
        let Ring::Modulo(modulus) = e.ring() else { return None };
        let vanishes = modulus.sign() == Sign::Plus && e.is_sound() && e.assumed().is_empty() && e.terms().is_empty();
        vanishes.then(|| Vanishing { poly: e.origin().clone(), modulus: modulus.clone() })
    }

    /// What vanishes modulo two numbers vanishes modulo their least common multiple.
    pub fn from_factors(first: &Vanishing, second: &Vanishing) -> Option<Vanishing> {
        (first.poly == second.poly)
            .then(|| Vanishing { poly: first.poly.clone(), modulus: first.modulus.lcm(&second.modulus) })
    }

    /// Does it say `poly ≡ 0 (mod modulus)`?
    pub fn says(&self, poly: &Poly, modulus: &BigInt) -> bool {
        let whole = &self.modulus == modulus;
        &self.poly == poly && (whole || broken(Rule::Factors) && modulus.is_multiple_of(&self.modulus))
    }
}
