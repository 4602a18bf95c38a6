//! The table of unknowns and equations. All unknowns ("atoms") are integers `≥ 0`; an equation defines one or two new
//! atoms in terms of older ones, so that "newest first" is an order of elimination.
//!
//! Equal questions get equal answers: splits and definitions are shared. That alone proves that the low part which one
//! operation drops is the complement of the high part that another one keeps.

use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};

use super::hash::FastMap;
use super::mono::{Atom, Mono};
use super::poly::Poly;
use crate::broken_rules::{Rule, broken};

/// An equation: an index into [`System::nodes`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(pub u32);

/// What an equation says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Form {
    /// `lo = poly`.
    Def,
    /// `lo + 2^k hi = poly` with `0 ≤ lo < 2^k`.
    Split {
        /// Bits of the low part.
        k: u32,
    },
    /// `lo − 2^k hi = poly` with `0 ≤ lo < 2^k` and `hi` 0 or 1.
    Borrow {
        /// Bits of the low part.
        k: u32,
    },
    /// `lo + 2^k hi = poly` with `0 ≤ lo ≤ 2^k`, both ends included: `2^k hi` is a multiple nearest to
    /// `poly − 2^(k−1)`, and of two that are equally near either may be meant.
    Round {
        /// Bits of the low part.
        k: u32,
    },
    /// `lo = poly`, where `lo` is the lowest digit of a number that a call gave back.
    Digit {
        /// Index of the number.
        number: u32,
    },
    /// `poly ≡ 0` modulo `2^k`: what a fact says of the product of two numbers given from outside. `lo` is the newest
    /// of poly's atoms; nothing is defined.
    Product {
        /// Bits of the modulus.
        k: u32,
    },
    /// `lo ≡ poly` modulo a number; of use in congruences modulo its divisors only.
    Congruent {
        /// The modulus.
        modulus: BigInt,
    },
}

/// An equation. `hi`, where there is one, is the atom after `lo`.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it says.
    pub form: Form,
    /// The (low) defined atom.
    pub lo: Atom,
    /// The high defined atom of a split.
    pub hi: Option<Atom>,
    /// `±2^k` of a split, else 0.
    pub weight: BigInt,
    /// The right side, in older atoms.
    pub poly: Poly,
}

/// What is known of an atom.
#[derive(Clone, Debug)]
pub struct AtomInfo {
    /// Least value, not negative.
    pub min: BigInt,
    /// Greatest value.
    pub max: BigInt,
    /// The equation that defines it.
    pub node: Option<NodeId>,
    /// The number it is a digit of, and which digit.
    pub digit: Option<(u32, u32)>,
}

/// A number given from outside: `Σ weight·digit ≤ max`.
#[derive(Clone, Debug)]
pub struct Number {
    /// Digits.
    pub digits: Vec<Atom>,
    /// Their weights.
    pub weights: Vec<BigInt>,
    /// Greatest value of the whole.
    pub max: BigInt,
    /// The equation of its lowest digit, where it is an equation of integers.
    pub relation: Option<NodeId>,
}

/// `c0 + c1·atom`: what a word of a kernel means.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Affine {
    /// Constant part.
    pub c0: BigInt,
    /// Coefficient of the atom (0 without one).
    pub c1: BigInt,
    /// The atom.
    pub atom: Option<Atom>,
}

impl Affine {
    /// A constant.
    pub fn constant(c: impl Into<BigInt>) -> Affine {
        Affine { c0: c.into(), c1: BigInt::zero(), atom: None }
    }

    /// `c0 + c1·atom`.
    pub fn new(c0: BigInt, c1: BigInt, atom: Atom) -> Affine {
        if c1.is_zero() { Affine::constant(c0) } else { Affine { c0, c1, atom: Some(atom) } }
    }

    /// The value, when it is a constant.
    pub fn as_constant(&self) -> Option<&BigInt> {
        self.atom.is_none().then_some(&self.c0)
    }

    /// As a polynomial.
    pub fn poly(&self) -> Poly {
        let mut terms = vec![(Mono::ONE, self.c0.clone())];
        if let Some(a) = self.atom {
            terms.push((Mono::atom(a), self.c1.clone()));
        }
        Poly::from_terms(terms)
    }

    /// `factor·self + shift`.
    pub fn map(&self, factor: &BigInt, shift: &BigInt) -> Affine {
        let c0 = &self.c0 * factor + shift;
        match self.atom {
            Some(a) => Affine::new(c0, &self.c1 * factor, a),
            None => Affine::constant(c0),
        }
    }
}

/// The table.
#[derive(Default, Debug)]
pub struct System {
    atoms: Vec<AtomInfo>,
    nodes: Vec<Node>,
    numbers: Vec<Number>,
    shared: FastMap<(Option<u32>, Poly), (Affine, Affine)>,
    ranged: FastMap<(Poly, BigInt, BigInt), Affine>,
    rounded: FastMap<(Poly, u32), Affine>,
    slacks: Vec<(Atom, Poly)>,
    odd: Vec<Atom>,
}

/// `2^k`.
pub fn pow2(k: u32) -> BigInt {
    BigInt::one() << k
}

/// `⌊x/w⌋`, w > 0: a shift where w is a power of two, as the weights of digits are.
pub fn div_floor(x: &BigInt, w: &BigInt) -> BigInt {
    match w.trailing_zeros().filter(|k| w.sign() == Sign::Plus && k + 1 == w.bits()) {
        // (Shifts of negative numbers round down.)
        Some(k) => x >> k,
        None => x.div_floor(w),
    }
}

/// `⌈x/w⌉`, as [`div_floor`].
pub fn div_ceil(x: &BigInt, w: &BigInt) -> BigInt {
    -div_floor(&-x, w)
}

fn trailing_zeros(c: &BigInt) -> u32 {
    c.trailing_zeros().and_then(|z| z.to_u32()).unwrap_or(u32::MAX)
}

impl System {
    /// An empty table.
    pub fn new() -> System {
        System::default()
    }

    /// What is known of an atom.
    pub fn atom(&self, a: Atom) -> &AtomInfo {
        &self.atoms[a.0 as usize]
    }

    /// Number of atoms.
    pub fn atoms(&self) -> u32 {
        self.atoms.len() as u32
    }

    /// All equations, oldest first.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// An equation.
    pub fn node(&self, n: NodeId) -> &Node {
        &self.nodes[n.0 as usize]
    }

    /// All numbers given from outside.
    pub fn numbers(&self) -> &[Number] {
        &self.numbers
    }

    /// Is the atom 0 or 1?
    pub fn is_flag(&self, a: Atom) -> bool {
        self.atom(a).max <= BigInt::one()
    }

    /// Is the atom's square the atom?
    pub fn is_own_square(&self, a: Atom) -> bool {
        self.is_flag(a) || (broken(Rule::Idempotence) && self.atom(a).max <= BigInt::from(3))
    }

    fn fresh(&mut self, min: BigInt, max: BigInt, node: Option<NodeId>) -> Atom {
        debug_assert!(min.sign() != Sign::Minus && min <= max);
        self.atoms.push(AtomInfo { min, max, node, digit: None });
        Atom(self.atoms.len() as u32 - 1)
    }

    /// An unknown of which only an interval is known.
    pub fn opaque(&mut self, min: &BigInt, max: &BigInt) -> Affine {
        if min == max {
            return Affine::constant(min.clone());
        }
        let a = self.fresh(BigInt::zero(), max - min, None);
        Affine::new(min.clone(), BigInt::one(), a)
    }

    /// An unknown that is not negative and not above a polynomial in older atoms.
    pub fn slack(&mut self, most: &Poly) -> Affine {
        let greatest = self.interval(most).1.max(BigInt::zero());
        let a = self.fresh(BigInt::zero(), greatest, None);
        self.slacks.push((a, most.clone()));
        Affine::new(BigInt::zero(), BigInt::one(), a)
    }

    /// Slacks, each with the polynomial that it is not above.
    pub fn slacks(&self) -> &[(Atom, Poly)] {
        &self.slacks
    }

    /// Says of a digit given from outside that it is odd, which the caller answers for.
    pub fn is_odd(&mut self, digit: Atom) {
        self.atoms[digit.0 as usize].min = BigInt::one();
        self.odd.push(digit);
    }

    /// The digits that are odd.
    pub fn odd(&self) -> &[Atom] {
        &self.odd
    }

    /// A number given from outside: digits of the given weights and greatest values, the whole at most `max`.
    pub fn number(&mut self, weights: &[BigInt], maxima: &[BigInt], max: &BigInt) -> u32 {
        let digits: Vec<Atom> = weights
            .iter()
            .zip(maxima)
            .map(|(w, m)| self.fresh(BigInt::zero(), m.min(&div_floor(max, w)).clone(), None))
            .collect();
        let id = self.numbers.len() as u32;
        for (i, d) in digits.iter().enumerate() {
            self.atoms[d.0 as usize].digit = Some((id, i as u32));
        }
        self.numbers.push(Number { digits, weights: weights.to_vec(), max: max.clone(), relation: None });
        id
    }

    /// Says of a number's digit (the newest atom of the number, of weight 1) that it equals `poly` in older atoms, or
    /// is congruent to it.
    pub fn relate_digit(&mut self, digit: Atom, poly: Poly, modulus: Option<BigInt>) {
        let Some((number, _)) = self.atom(digit).digit else { return };
        if poly.newest().is_some_and(|a| a >= digit) || self.atom(digit).node.is_some() {
            return;
        }
        let form = match modulus {
            Some(modulus) => Form::Congruent { modulus },
            None => {
                self.numbers[number as usize].relation = Some(NodeId(self.nodes.len() as u32));
                Form::Digit { number }
            }
        };
        self.nodes.push(Node { form, lo: digit, hi: None, weight: BigInt::zero(), poly });
        self.atoms[digit.0 as usize].node = Some(NodeId(self.nodes.len() as u32 - 1));
    }

    /// Says of a polynomial in atoms given from outside that it is 0 modulo `2^k`, which the caller answers for.
    pub fn relate_product(&mut self, poly: Poly, k: u32) {
        let poly = poly.map(|c| low(c, k));
        if let Some(lo) = poly.newest() {
            self.nodes.push(Node { form: Form::Product { k }, lo, hi: None, weight: BigInt::zero(), poly });
        }
    }

    /// The product of the greatest (least) values of a monomial's atoms.
    pub fn extreme(&self, m: &Mono, greatest: bool) -> BigInt {
        let mut product = BigInt::one();
        for a in m.atoms() {
            let info = self.atom(*a);
            let x = if greatest { &info.max } else { &info.min };
            if x.is_zero() {
                return BigInt::zero();
            }
            if !x.is_one() {
                product *= x;
            }
        }
        product
    }

    /// The interval of a polynomial: each term by itself.
    pub fn interval(&self, poly: &Poly) -> (BigInt, BigInt) {
        let (mut lo, mut hi) = (BigInt::zero(), BigInt::zero());
        for (m, c) in poly.terms() {
            let positive = c.sign() == Sign::Plus;
            lo += c * self.extreme(m, !positive);
            hi += c * self.extreme(m, positive);
        }
        (lo, hi)
    }

    /// The interval of an affine value.
    pub fn interval_of(&self, x: &Affine) -> (BigInt, BigInt) {
        let Some(a) = x.atom else { return (x.c0.clone(), x.c0.clone()) };
        let info = self.atom(a);
        let (p, q) = (&x.c0 + &x.c1 * &info.min, &x.c0 + &x.c1 * &info.max);
        if p <= q { (p, q) } else { (q, p) }
    }

    fn affine(poly: &Poly) -> Option<Affine> {
        match poly.terms() {
            [] => Some(Affine::constant(0)),
            [(m, c)] if m.degree() == 0 => Some(Affine::constant(c.clone())),
            [(m, c)] if m.degree() == 1 => Some(Affine::new(BigInt::zero(), c.clone(), m.atoms()[0])),
            [(m, c), (one, d)] if m.degree() == 1 && one.degree() == 0 => {
                Some(Affine::new(d.clone(), c.clone(), m.atoms()[0]))
            }
            _ => None,
        }
    }

    /// The polynomial as a value: itself when affine, else a new atom with its definition (shared).
    pub fn value_of(&mut self, poly: &Poly) -> Affine {
        if let Some(x) = System::affine(poly) {
            return x;
        }
        let key = (None, poly.clone());
        if let Some((x, _)) = self.shared.get(&key) {
            return x.clone();
        }
        let (lo, hi) = self.interval(poly);
        let x = self.define(poly, &lo, &hi);
        self.shared.insert(key, (x.clone(), Affine::constant(0)));
        x
    }

    /// The polynomial as a value that is known (or owed to be proved) to lie in `[lo, hi]`. Shared only with the same
    /// claim.
    pub fn value_within(&mut self, poly: &Poly, lo: &BigInt, hi: &BigInt) -> Affine {
        let key = (poly.clone(), lo.clone(), hi.clone());
        if let Some(x) = self.ranged.get(&key) {
            return x.clone();
        }
        let x = self.define(poly, lo, hi);
        self.ranged.insert(key, x.clone());
        x
    }

    fn define(&mut self, poly: &Poly, lo: &BigInt, hi: &BigInt) -> Affine {
        // Atoms are not negative: a polynomial that may be is defined without its least value.
        let shift = if lo.sign() == Sign::Minus { lo.clone() } else { BigInt::zero() };
        let v = self.fresh(lo - &shift, hi - &shift, Some(NodeId(self.nodes.len() as u32)));
        let poly = poly.plus(&-BigInt::one(), &Poly::constant(shift.clone()));
        self.nodes.push(Node { form: Form::Def, lo: v, hi: None, weight: BigInt::zero(), poly });
        Affine::new(shift, BigInt::one(), v)
    }

    /// `(poly mod 2^k, ⌊poly / 2^k⌋)`.
    pub fn split(&mut self, poly: &Poly, k: u32) -> (Affine, Affine) {
        if k == 0 {
            return (Affine::constant(0), self.value_of(poly));
        }
        let modulus = pow2(k);
        // A value of one flag: both parts by its two values.
        if let Some(x) = System::affine(poly) {
            match x.atom {
                None => return (Affine::constant(low(&x.c0, k)), Affine::constant(&x.c0 >> k)),
                Some(f) if self.is_flag(f) => {
                    let one = &x.c0 + &x.c1;
                    let (l0, h0, l1, h1) = (low(&x.c0, k), &x.c0 >> k, low(&one, k), &one >> k);
                    return (Affine::new(l0.clone(), l1 - l0, f), Affine::new(h0.clone(), h1 - h0, f));
                }
                _ => {}
            }
        }
        let (min, max) = self.interval(poly);
        let quotient = &min >> k;
        if &max >> k == quotient {
            // The quotient is known.
            let low = self.value_of(&poly.plus(&-(&quotient << k), &Poly::constant(1)));
            return (low, Affine::constant(quotient));
        }
        // A common factor 2^g of all but the constant: floor((2^g P + r) / 2^k) = floor(P / 2^(k−g)) for 0 ≤ r < 2^g.
        let common =
            poly.terms().iter().filter(|t| t.0 != Mono::ONE).map(|t| trailing_zeros(&t.1)).min().unwrap_or(0).min(k);
        if common > 0 {
            let rest = low(&poly.constant_term(), common);
            let reduced = poly.plus(&-&rest, &Poly::constant(1)).map(|c| c >> common);
            if common == k {
                return (Affine::constant(rest), self.value_of(&reduced));
            }
            let (l, h) = self.split(&reduced, k - common);
            return (l.map(&pow2(common), &rest), h);
        }
        let borrow = quotient == -BigInt::one() && max < modulus;
        let poly = if borrow { poly.clone() } else { poly.plus(&-(&quotient << k), &Poly::constant(1)) };
        let key = (Some(k), poly.clone());
        let shift = if borrow { BigInt::zero() } else { quotient.clone() };
        if let Some((l, h)) = self.shared.get(&key) {
            return (l.clone(), h.map(&BigInt::one(), &shift));
        }
        let id = Some(NodeId(self.nodes.len() as u32));
        let lo = self.fresh(BigInt::zero(), &modulus - 1, id);
        let top = if borrow { BigInt::one() } else { (&max >> k) - &quotient };
        let hi = self.fresh(BigInt::zero(), top, id);
        let (form, weight, sign) = match borrow {
            true => (Form::Borrow { k }, -modulus, -BigInt::one()),
            false => (Form::Split { k }, modulus, BigInt::one()),
        };
        self.nodes.push(Node { form, lo, hi: Some(hi), weight, poly });
        let parts = (Affine::new(BigInt::zero(), BigInt::one(), lo), Affine::new(BigInt::zero(), sign, hi));
        self.shared.insert(key, parts.clone());
        (parts.0, parts.1.map(&BigInt::one(), &shift))
    }

    /// The multiple of `2^k` nearest to a polynomial, k ≥ 1; one question has one answer, whichever it is where two are
    /// equally near.
    pub fn round(&mut self, poly: &Poly, k: u32) -> Affine {
        let key = (poly.clone(), k);
        if let Some(x) = self.rounded.get(&key) {
            return x.clone();
        }
        let (min, max) = self.interval(poly);
        let half = pow2(if broken(Rule::Rounding) { k.saturating_sub(2) } else { k - 1 });
        // From ⌈(min − half) / 2^k⌉ to ⌊(max + half) / 2^k⌋.
        let (least, most) = (-((&half - &min) >> k), (&max + &half) >> k);
        let x = if least == most {
            Affine::constant(least << k)
        } else {
            let id = Some(NodeId(self.nodes.len() as u32));
            let lo = self.fresh(BigInt::zero(), &half * 2, id);
            let hi = self.fresh(BigInt::zero(), &most - &least, id);
            let poly = poly.plus(&(half - (&least << k)), &Poly::constant(1));
            self.nodes.push(Node { form: Form::Round { k }, lo, hi: Some(hi), weight: pow2(k), poly });
            Affine::new(least << k, pow2(k), hi)
        };
        self.rounded.insert(key, x.clone());
        x
    }

    /// The polynomial with multiples of the equations of roundings added, where that makes its interval shorter: what a
    /// rounding left is then named by one atom.
    pub fn shortened(&self, poly: &Poly) -> Poly {
        let mut poly = poly.clone();
        let width = |p: &Poly| {
            let (lo, hi) = self.interval(p);
            hi - lo
        };
        loop {
            let shorter = poly.terms().iter().filter(|(m, _)| m.degree() == 1).find_map(|(m, c)| {
                let node = self.node(self.atom(m.atoms()[0]).node?);
                let usable = matches!(node.form, Form::Round { .. })
                    && node.hi == Some(m.atoms()[0])
                    && (c % &node.weight).is_zero();
                let factor = usable.then(|| c / &node.weight)?;
                // factor · (poly − lo − weight·hi) is 0.
                let zero = node
                    .poly
                    .plus(&-BigInt::one(), &Poly::atom(node.lo))
                    .plus(&-&node.weight, &Poly::atom(m.atoms()[0]));
                let changed = poly.plus(&factor, &zero);
                (width(&changed) < width(&poly)).then_some(changed)
            });
            match shorter {
                Some(p) => poly = p,
                None => return poly,
            }
        }
    }

    /// `low + 2^k·high`, known (or owed to be proved) to be at most `max`. Where `0 ≤ low < 2^k` these are its parts:
    /// that is what a split at k gives from now on.
    pub fn joined(&mut self, low: &Affine, high: &Affine, k: u32, max: &BigInt) -> Affine {
        let poly = low.poly().plus(&pow2(k), &high.poly());
        let x = self.value_within(&poly, &BigInt::zero(), max);
        if x.atom.is_some() {
            self.split_is(&x, k, low.clone(), high.clone());
        }
        x
    }

    /// Remembers that `x = low + 2^k·high`, which the caller answers for; of use only where `0 ≤ low < 2^k`, when these
    /// are its parts.
    pub fn split_is(&mut self, x: &Affine, k: u32, low: Affine, high: Affine) {
        let (min, most) = self.interval_of(&low);
        let parts = min.sign() != Sign::Minus && most < pow2(if broken(Rule::Parts) { k + 1 } else { k });
        if parts && x.c0.is_zero() && x.c1.is_one() && self.interval_of(x).1 >= pow2(k) {
            self.shared.entry((Some(k), x.poly())).or_insert((low, high));
        }
    }

    /// The parts of a value at k: by its interval or constant, or as a split of exactly it that exists.
    pub fn known_parts(&self, x: &Affine, k: u32) -> Option<(Affine, Affine)> {
        let (lo, hi) = self.interval_of(x);
        if lo.sign() != Sign::Minus && hi < pow2(if broken(Rule::Parts) { k + 1 } else { k }) {
            return Some((x.clone(), Affine::constant(0)));
        }
        self.find_split(&x.poly(), k).cloned()
    }

    /// An existing split of exactly this polynomial at `k`.
    pub fn find_split(&self, poly: &Poly, k: u32) -> Option<&(Affine, Affine)> {
        self.shared.get(&(Some(k), poly.clone()))
    }
}

/// `c mod 2^k`, not negative.
pub fn low(c: &BigInt, k: u32) -> BigInt {
    c - ((c >> k) << k)
}
