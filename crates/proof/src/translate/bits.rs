//! Bit operations on values. Four rules are enough for field arithmetic:
//!
//! 1. operands that depend on one flag: both cases are evaluated;
//! 2. operands that depend on two flags: all four cases;
//! 3. an operand that is 0 or all ones by a flag: a multiplexer (conditional complement, masking);
//! 4. `b ^ (g·(a ^ b))`: a selection.
//!
//! Further: constant masks of consecutive bits, and operands with disjoint bits. Anything else is a value of which only
//! an interval is known.

use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{One, ToPrimitive, Zero};

use crate::equations::system::{Affine, Form, pow2};
use crate::equations::{Atom, Mono, Poly};

use super::values::Values;

/// A bitwise operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bitwise {
    /// `a & b`.
    And,
    /// `a | b`.
    Or,
    /// `a ^ b`.
    Xor,
    /// `a & !b`.
    AndNot,
}

impl Bitwise {
    /// On non-negative integers.
    pub fn apply(self, a: &BigInt, b: &BigInt) -> BigInt {
        match self {
            Bitwise::And => a & b,
            Bitwise::Or => a | b,
            Bitwise::Xor => a ^ b,
            Bitwise::AndNot => a - (a & b),
        }
    }
}

impl Values {
    /// `op(a, b)` of words of `bits` bits, both not negative.
    pub fn bitwise(&mut self, op: Bitwise, a: &Affine, b: &Affine, bits: u32) -> Affine {
        if a == b {
            return match op {
                Bitwise::And | Bitwise::Or => a.clone(),
                Bitwise::Xor | Bitwise::AndNot => Affine::constant(0),
            };
        }
        if let (Some(x), Some(y)) = (self.cases(a), self.cases(b)) {
            return self.of_flags(op, x, y);
        }
        if op == Bitwise::AndNot && self.cases(a).is_some() {
            let not_b = b.map(&-BigInt::one(), &(pow2(bits) - 1));
            return self.by_mask(Bitwise::And, &not_b, a, bits);
        }
        if self.cases(a).is_some() {
            return self.by_mask(op, b, a, bits);
        }
        if self.cases(b).is_some() {
            return self.by_mask(op, a, b, bits);
        }
        if let Some(sum) = self.disjoint(op, a, b) {
            return sum;
        }
        if op == Bitwise::Xor
            && let Some(selected) = self.xor_select(a, b).or_else(|| self.xor_select(b, a))
        {
            return selected;
        }
        let x = self.opaque_result(op, a, b);
        if let (Bitwise::Xor, Some(atom)) = (op, x.atom) {
            self.xors.insert(atom, (a.clone(), b.clone()));
        }
        x
    }

    /// Rules 1 and 2: all cases of one or two flags.
    fn of_flags(
        &mut self,
        op: Bitwise,
        (f, a0, a1): (Option<Atom>, BigInt, BigInt),
        (g, b0, b1): (Option<Atom>, BigInt, BigInt),
    ) -> Affine {
        let t00 = op.apply(&a0, &b0);
        let (f, g) = match (f, g) {
            (None, None) => return Affine::constant(t00),
            (Some(f), Some(g)) if f != g => (f, g),
            (Some(f), _) | (_, Some(f)) => return Affine::new(t00.clone(), op.apply(&a1, &b1) - t00, f),
        };
        let (t10, t01, t11) = (op.apply(&a1, &b0), op.apply(&a0, &b1), op.apply(&a1, &b1));
        // t = t00 + (t10 − t00) f + (t01 − t00) g + (t11 − t10 − t01 + t00) f g; two different entries make it a
        // multiple of a new flag.
        let values = [&t00, &t10, &t01, &t11];
        let least = values.iter().copied().min().cloned().unwrap_or_default();
        let spread = values.iter().copied().max().map(|m| m - &least).unwrap_or_default();
        if spread.is_zero() {
            return Affine::constant(least);
        }
        let scale =
            if values.iter().all(|t| **t == least || **t == &least + &spread) { spread.clone() } else { BigInt::one() };
        let [t00, t10, t01, t11] = values.map(|t| (t - &least) / &scale);
        let both = Mono::atom(f).times(&Mono::atom(g), |_| true).unwrap_or(Mono::ONE);
        let poly = Poly::from_terms(vec![
            (Mono::ONE, t00.clone()),
            (Mono::atom(f), &t10 - &t00),
            (Mono::atom(g), &t01 - &t00),
            (both, &t11 - &t10 - &t01 + &t00),
        ]);
        let s = self.sys.value_within(&poly, &BigInt::zero(), &(&spread / &scale));
        s.map(&scale, &least)
    }

    /// `op(x, m)` where m is a constant or takes two values by a flag.
    fn by_mask(&mut self, op: Bitwise, x: &Affine, m: &Affine, bits: u32) -> Affine {
        let Some((flag, m0, m1)) = self.cases(m) else { return self.opaque_result(op, x, m) };
        let known = |v: &mut Values, c: &BigInt| v.with_constant(op, x, c, bits);
        if let (Some(x0), Some(x1)) = (known(self, &m0), known(self, &m1)) {
            let Some(f) = flag else { return x0 };
            self.masks.push(f);
            return self.multiplex(f, &x1, &x0);
        }
        if let Some(sum) = self.disjoint(op, x, m) {
            return sum;
        }
        self.opaque_result(op, x, m)
    }

    /// `op(x, c)` for a constant whose ones are consecutive bits (or none).
    fn with_constant(&mut self, op: Bitwise, x: &Affine, c: &BigInt, bits: u32) -> Option<Affine> {
        let ones = pow2(bits) - 1;
        if c.is_zero() {
            return Some(if op == Bitwise::And { Affine::constant(0) } else { x.clone() });
        }
        if *c == ones {
            return Some(match op {
                Bitwise::And => x.clone(),
                Bitwise::Or => Affine::constant(ones),
                Bitwise::Xor => x.map(&-BigInt::one(), &ones),
                Bitwise::AndNot => Affine::constant(0),
            });
        }
        let from = c.trailing_zeros()? as u32;
        let count = (c >> from).bits() as u32;
        if (c >> from) != pow2(count) - 1 {
            return None;
        }
        // x & c = 2^from · ((x >> from) mod 2^count)
        let above = self.split(x, from).1;
        let part = self.split(&above, count).0.map(&pow2(from), &BigInt::zero());
        let (factor_x, factor_c, factor_part) = match op {
            Bitwise::And => (0, 0, 1),
            Bitwise::Or => (1, 1, -1),
            Bitwise::Xor => (1, 1, -2),
            Bitwise::AndNot => (1, 0, -1),
        };
        let poly = x
            .poly()
            .scaled(&BigInt::from(factor_x))
            .plus(&BigInt::from(factor_part), &part.poly())
            .plus(&BigInt::from(factor_c), &Poly::constant(c.clone()));
        let hi = match op {
            Bitwise::And => c.clone(),
            Bitwise::AndNot => self.interval(x).1,
            Bitwise::Or | Bitwise::Xor => pow2(self.interval(x).1.bits().max(c.bits()) as u32) - 1,
        };
        let (lo, top) = self.sys.interval(&poly);
        if lo.sign() != Sign::Minus && top <= hi {
            return Some(self.sys.value_of(&poly));
        }
        Some(self.sys.value_within(&poly, &lo.max(BigInt::zero()), &top.min(hi)))
    }

    /// `or` and `xor` of operands without a common bit are sums.
    fn disjoint(&mut self, op: Bitwise, a: &Affine, b: &Affine) -> Option<Affine> {
        if op != Bitwise::Or && op != Bitwise::Xor {
            return None;
        }
        let zeros = |x: &Affine| {
            let z = |c: &BigInt| c.trailing_zeros().and_then(|z| z.to_u64()).unwrap_or(u64::MAX);
            z(&x.c0).min(z(&x.c1))
        };
        let (top_a, top_b) = (self.interval(a).1.bits(), self.interval(b).1.bits());
        (zeros(a) >= top_b || zeros(b) >= top_a).then(|| {
            let poly = self.sum(a, 1, b);
            self.sys.value_of(&poly)
        })
    }

    /// `b ^ Y` with `Y = g·(a ^ b)`.
    fn xor_select(&mut self, b: &Affine, y: &Affine) -> Option<Affine> {
        let atom = y.atom.filter(|_| y.c0.is_zero() && y.c1.is_one())?;
        let node = self.sys.node(self.sys.atom(atom).node?);
        let [(m, c)] = node.poly.terms() else { return None };
        let [p, q] = m.atoms() else { return None };
        if node.form != Form::Def || !c.is_one() {
            return None;
        }
        let (x, g) = if self.xors.contains_key(p) { (*p, *q) } else { (*q, *p) };
        let (u, v) = self.xors.get(&x)?.clone();
        let a = if &v == b {
            u
        } else if &u == b {
            v
        } else {
            return None;
        };
        self.sys.is_flag(g).then(|| self.multiplex(g, &a, b))
    }

    fn opaque_result(&mut self, op: Bitwise, a: &Affine, b: &Affine) -> Affine {
        let ((al, ah), (bl, bh)) = (self.interval(a), self.interval(b));
        let ones: BigInt = pow2(ah.bits().max(bh.bits()) as u32) - 1;
        let (lo, hi) = match op {
            Bitwise::And => (BigInt::zero(), ah.min(bh)),
            Bitwise::AndNot => (BigInt::zero(), ah),
            Bitwise::Or => (al.max(bl), ones.min(ah + bh)),
            Bitwise::Xor => (BigInt::zero(), ones.min(ah + bh)),
        };
        self.sys.opaque(&lo, &hi)
    }

    /// `⌊mask / (2^n − 1)⌋` of a mask: its flag.
    pub fn flag_of_mask(&mut self, mask: &Affine, bits: u32) -> Affine {
        let ones = pow2(bits) - 1;
        if mask.c0.is_multiple_of(&ones) && mask.c1.is_multiple_of(&ones) {
            let divide = |c: &BigInt| c / &ones;
            return match mask.atom {
                Some(a) => Affine::new(divide(&mask.c0), divide(&mask.c1), a),
                None => Affine::constant(divide(&mask.c0)),
            };
        }
        self.opaque_flag()
    }
}
