//! Arithmetic on words: every word is `c0 + c1·atom`, every operation an equation.

use num_bigint::{BigInt, Sign};
use num_traits::One;

use crate::broken_rules::{Rule, broken};
use crate::equations::system::{Affine, pow2};
use crate::equations::{Atom, FastMap, FastSet, Poly, System};

/// Something to be proved before the kernel may leave: `lo ≤ poly ≤ hi`, from equations older than `limit`.
#[derive(Clone, Debug)]
pub struct Obligation {
    /// The polynomial.
    pub poly: Poly,
    /// Least value, where intervals do not show it.
    pub lo: Option<BigInt>,
    /// Greatest value, where intervals do not show it.
    pub hi: Option<BigInt>,
    /// Only older atoms may serve in the proof.
    pub limit: Atom,
    /// What it is about, for messages.
    pub what: String,
}

/// The equations so far, and what is owed.
#[derive(Default)]
pub struct Values {
    /// The table of equations.
    pub sys: System,
    /// What is owed, in program order.
    pub obligations: Vec<Obligation>,
    /// Flags that masks and selections are made of.
    pub masks: Vec<Atom>,
    /// High parts that mean nothing (of wrapping products).
    pub muted: FastSet<Atom>,
    /// Where unmasked digits of given numbers are cut.
    pub(super) unmasked: Vec<u32>,
    /// `X = a ^ b` for opaque X.
    pub(super) xors: FastMap<Atom, (Affine, Affine)>,
}

/// `[0, 2^n − 1]`, or with a sign `[−2^(n−1), 2^(n−1) − 1]`.
pub fn window(bits: u32, signed: bool) -> (BigInt, BigInt) {
    if signed { (-pow2(bits - 1), pow2(bits - 1) - 1) } else { (BigInt::from(0), pow2(bits) - 1) }
}

fn is_negative(x: &BigInt) -> bool {
    x.sign() == Sign::Minus
}

impl Values {
    /// The interval of a value.
    pub fn interval(&self, x: &Affine) -> (BigInt, BigInt) {
        self.sys.interval_of(x)
    }

    /// `a + factor·b` as a polynomial.
    pub fn sum(&self, a: &Affine, factor: i32, b: &Affine) -> Poly {
        a.poly().plus(&BigInt::from(factor), &b.poly())
    }

    /// `a·b` as a polynomial.
    pub fn product(&self, a: &Affine, b: &Affine) -> Poly {
        // Two affine values: the degree is 2 at most.
        a.poly().times(&b.poly(), |x| self.sys.is_own_square(x)).unwrap_or_default()
    }

    /// A value that must lie in `[lo, hi]`: clipped to it, and owed where intervals do not show it.
    pub fn within(&mut self, poly: &Poly, (lo, hi): (BigInt, BigInt), what: &dyn Fn() -> String) -> Affine {
        let (min, max) = self.sys.interval(poly);
        if min >= lo && max <= hi {
            return self.sys.value_of(poly);
        }
        let (low, high) = ((&min).max(&lo).clone(), (&max).min(&hi).clone());
        let limit = Atom(self.sys.atoms());
        let owed = |limit| Obligation {
            poly: poly.clone(),
            lo: (min < lo).then(|| lo.clone()),
            hi: (max > hi).then(|| hi.clone()),
            limit,
            what: what(),
        };
        if low > high {
            // It cannot hold: the obligation will fail, the value does not matter.
            self.obligations.push(owed(limit));
            return Affine::constant(lo);
        }
        let value = self.sys.value_within(poly, &low, &high);
        if value.atom.is_some_and(|a| a >= limit) {
            self.obligations.push(owed(limit));
        }
        value
    }

    /// Owes `lo ≤ x ≤ hi` of a value that stays as it is.
    pub fn owe(&mut self, x: &Affine, lo: &BigInt, hi: &BigInt, what: &dyn Fn() -> String) {
        let (min, max) = self.interval(x);
        if &min < lo || &max > hi {
            self.obligations.push(Obligation {
                poly: x.poly(),
                lo: (&min < lo).then(|| lo.clone()),
                hi: (&max > hi).then(|| hi.clone()),
                limit: Atom(self.sys.atoms()),
                what: what(),
            });
        }
    }

    /// The word's bits read as an unsigned number.
    pub fn unsigned(&mut self, x: &Affine, bits: u32) -> Affine {
        if is_negative(&self.interval(x).0) { self.sys.split(&x.poly(), bits).0 } else { x.clone() }
    }

    /// The word's bits as they are read where its declared range goes below 0 (two's complement) or does not.
    pub fn reading(&mut self, x: &Affine, bits: u32, signed: bool) -> Affine {
        let ((lo, hi), (least, most)) = (self.interval(x), window(bits, signed));
        if lo >= least && hi <= most {
            return x.clone();
        }
        let unsigned = self.split(x, bits).0;
        if !signed {
            return unsigned;
        }
        let top = self.split(&unsigned, bits - 1).1;
        let poly = unsigned.poly().plus(&-pow2(bits), &top.poly());
        self.sys.value_of(&poly)
    }

    /// `(x mod 2^k, ⌊x / 2^k⌋)`.
    pub fn split(&mut self, x: &Affine, k: u32) -> (Affine, Affine) {
        self.sys.split(&x.poly(), k)
    }

    /// The low `bits` of a product whose high part is dropped on purpose.
    pub fn wrapping_product(&mut self, a: &Affine, b: &Affine, bits: u32) -> Affine {
        let known = self.sys.atoms();
        let poly = self.product(a, b);
        let (lo, hi) = self.sys.split(&poly, bits);
        if let Some(h) = hi.atom.filter(|h| h.0 >= known) {
            self.muted.insert(h);
        }
        lo
    }

    /// The product of the low k bits of two words, split at k.
    pub fn low_product(&mut self, x: &Affine, y: &Affine, k: u32) -> (Affine, Affine) {
        let (x, y) = (self.split(x, k).0, self.split(y, k).0);
        let poly = self.product(&x, &y);
        self.sys.split(&poly, k)
    }

    /// `(d, borrow)` of `a − b − c`.
    pub fn difference(&mut self, a: &Affine, b: &Affine, c: &Affine, bits: u32) -> (Affine, Affine) {
        let poly = self.sum(a, -1, b).plus(&-BigInt::one(), &c.poly());
        let (d, high) = self.sys.split(&poly, bits);
        (d, high.map(&-BigInt::one(), &BigInt::from(0)))
    }

    /// The only flag that a two-valued value depends on, and its two values.
    pub fn cases(&self, x: &Affine) -> Option<(Option<Atom>, BigInt, BigInt)> {
        match x.atom {
            None => Some((None, x.c0.clone(), x.c0.clone())),
            Some(f) if self.sys.is_flag(f) => Some((Some(f), x.c0.clone(), &x.c0 + &x.c1)),
            _ => None,
        }
    }

    /// A flag that nothing is known of.
    pub fn opaque_flag(&mut self) -> Affine {
        self.sys.opaque(&BigInt::from(0), &BigInt::one())
    }

    /// A flag as `bits` equal bits.
    pub fn mask(&mut self, flag: &Affine, bits: u32) -> Affine {
        let flag = if self.cases(flag).is_some() {
            flag.clone()
        } else {
            self.within(&flag.poly(), (BigInt::from(0), BigInt::one()), &|| "a flag is 0 or 1".to_string())
        };
        self.masks.extend(flag.atom);
        flag.map(&(pow2(bits) - 1), &BigInt::from(0))
    }

    /// `mask ? a : b`.
    pub fn select(&mut self, mask: &Affine, a: &Affine, b: &Affine, bits: u32) -> Affine {
        let ones = pow2(bits) - 1;
        let choice = |m: &BigInt| {
            if m.sign() == Sign::NoSign {
                Some(b)
            } else if *m == ones {
                Some(a)
            } else {
                None
            }
        };
        if let Some((flag, m0, m1)) = self.cases(mask)
            && let (Some(v0), Some(v1)) = (choice(&m0), choice(&m1))
        {
            let Some(f) = flag else { return v0.clone() };
            self.masks.push(f);
            let (v1, v0) = (v1.clone(), v0.clone());
            let chosen = self.multiplex(f, &v1, &v0);
            // The parts of a selection are selections of the parts.
            for k in self.unmasked.clone() {
                if let (Some((l1, h1)), Some((l0, h0))) = (self.sys.known_parts(&v1, k), self.sys.known_parts(&v0, k)) {
                    let (low, high) = (self.multiplex(f, &l1, &l0), self.multiplex(f, &h1, &h0));
                    self.sys.split_is(&chosen, k, low, high);
                }
            }
            return chosen;
        }
        let ((al, ah), (bl, bh)) = (self.interval(a), self.interval(b));
        self.sys.opaque(&al.min(bl), &ah.max(bh))
    }

    /// `b + g·(a − b)`, within the hull of both.
    pub fn multiplex(&mut self, g: Atom, a: &Affine, b: &Affine) -> Affine {
        let (pa, pb) = (a.poly(), b.poly());
        let difference = pa.plus(&-BigInt::one(), &pb);
        let chosen = difference.times(&Poly::atom(g), |x| self.sys.is_own_square(x)).unwrap_or_default();
        let poly = pb.plus(&BigInt::one(), &chosen);
        let ((al, ah), (bl, bh)) = (self.interval(a), self.interval(b));
        let (lo, hi) = if broken(Rule::Selection) { (al.min(bl), ah.min(bh)) } else { (al.min(bl), ah.max(bh)) };
        if poly.terms().iter().all(|t| t.0.degree() <= 1)
            && poly.terms().iter().filter(|t| t.0.degree() == 1).count() <= 1
        {
            return self.sys.value_of(&poly);
        }
        self.sys.value_within(&poly, &lo, &hi)
    }
}
