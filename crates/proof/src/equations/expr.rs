//! An expression under transformation. Whatever steps are taken, in whatever order, it stays what it claims to be:
//!
//! * modulo a number: congruent to the origin;
//! * over the integers: an upper bound of `2^scale · origin` wherever the assumed flags have the assumed values.
//!
//! The steps are: add a multiple of an equation ([`Expr::add_equation`]), replace an atom by what a fact says
//! ([`Expr::apply_fact`]), and over the integers add a term that is not negative ([`Expr::raise`],
//! [`Expr::raise_below`]). Equations and facts must be older than `limit`, so that no argument can lean on what it is
//! meant to show.

use std::collections::BinaryHeap;

use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{One, Zero};

use super::hash::FastMap;
use super::mono::{Atom, Mono};
use super::poly::Poly;
use super::system::{Form, NodeId, System, low};
use super::theorem::Fact;
use crate::broken_rules::{Rule, broken};

/// Where coefficients live.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ring {
    /// Modulo a number, odd or even.
    Modulo(BigInt),
    /// Modulo `2^k`, for low words: facts about products modulo powers of two serve too, congruences do not.
    Binary(u32),
    /// Integers, the origin scaled by `2^scale`.
    Integers {
        /// Bits of the scale.
        scale: u32,
    },
}

/// The expression.
pub struct Expr<'a> {
    sys: &'a System,
    ring: Ring,
    origin: Poly,
    assumed: Vec<(Atom, bool)>,
    limit: Atom,
    terms: FastMap<Mono, BigInt>,
    /// Greatest value of the terms by intervals; kept over the integers only.
    bound: BigInt,
    /// A degree passed the greatest one: nothing can be concluded any more.
    spoiled: bool,
    /// Atoms below it are still to be eliminated; bookkeeping for the walks.
    frontier: u32,
    buckets: FastMap<u32, Vec<Mono>>,
    queue: BinaryHeap<u32>,
    updates: u64,
}

impl<'a> Expr<'a> {
    /// Starts from `origin`, which may use atoms below `limit` only. `assumed` holds atoms with an assumed value 0 or 1
    /// (integers only).
    pub fn new(sys: &'a System, ring: Ring, origin: Poly, assumed: &[(Atom, bool)], limit: Atom) -> Expr<'a> {
        let mut e = Expr {
            sys,
            ring,
            origin: Poly::default(),
            assumed: assumed.to_vec(),
            limit,
            terms: FastMap::default(),
            bound: BigInt::zero(),
            spoiled: false,
            frontier: u32::MAX,
            buckets: FastMap::default(),
            queue: BinaryHeap::new(),
            updates: 0,
        };
        e.spoiled = origin.newest().is_some_and(|a| a >= limit);
        let scale = if let Ring::Integers { scale } = e.ring { scale } else { 0 };
        for (m, c) in origin.terms() {
            e.put(m, c << scale);
        }
        e.origin = origin;
        e
    }

    /// Adds `c·m`: the one place where coefficients change.
    fn put(&mut self, m: &Mono, c: BigInt) {
        self.updates += 1;
        let mut m = *m;
        for (f, v) in &self.assumed {
            while m.contains(*f) {
                if !*v {
                    return;
                }
                m = m.without(*f);
            }
        }
        let integers = matches!(self.ring, Ring::Integers { .. });
        match self.terms.entry(m) {
            std::collections::hash_map::Entry::Occupied(mut entry) => {
                let value = entry.get_mut();
                if integers {
                    self.bound += change(self.sys, &m, value, &c);
                }
                *value += c;
                match &self.ring {
                    Ring::Modulo(p) => *value = value.mod_floor(p),
                    Ring::Binary(k) => *value = low(value, *k),
                    Ring::Integers { .. } => {}
                }
                if value.is_zero() {
                    entry.remove();
                }
            }
            std::collections::hash_map::Entry::Vacant(entry) => {
                let new = match &self.ring {
                    Ring::Modulo(p) => c.mod_floor(p),
                    Ring::Binary(k) => low(&c, *k),
                    Ring::Integers { .. } => c,
                };
                if new.is_zero() {
                    return;
                }
                if integers {
                    self.bound += change(self.sys, &m, &BigInt::zero(), &new);
                }
                entry.insert(new);
                self.file(m);
            }
        }
    }

    /// Adds `factor · cofactor · (poly − lo − weight·hi)`, which is zero (in the ring); of a product, whose poly is
    /// zero by itself, `factor · cofactor · poly`.
    pub fn add_equation(&mut self, node: NodeId, cofactor: &Mono, factor: &BigInt) {
        if factor.is_zero() {
            return;
        }
        let sys = self.sys;
        let n = sys.node(node);
        let newest = n.hi.unwrap_or(n.lo);
        let usable = match (&n.form, &self.ring) {
            (Form::Congruent { modulus }, Ring::Modulo(p)) => (modulus % p).is_zero(),
            (Form::Product { k }, Ring::Binary(j)) => j <= k || broken(Rule::Product),
            (Form::Congruent { .. } | Form::Product { .. }, _) => false,
            _ => true,
        };
        if !usable || newest >= self.limit {
            self.spoiled = true;
            return;
        }
        for (m, c) in n.poly.terms() {
            self.put_product(m, cofactor, c * factor);
        }
        if let Form::Product { .. } = n.form {
            return;
        }
        self.put_product(&Mono::atom(n.lo), cofactor, -factor);
        if let Some(hi) = n.hi {
            self.put_product(&Mono::atom(hi), cofactor, -(factor * &n.weight));
        }
    }

    /// Replaces `c · cofactor · atom` by `c · cofactor · value` of a proved fact `atom = value`.
    pub fn apply_fact(&mut self, fact: &Fact, cofactor: &Mono, c: &BigInt) {
        if fact.limit() > self.limit {
            self.spoiled = true;
            return;
        }
        self.put_product(&Mono::atom(fact.atom()), cofactor, -c);
        for (m, d) in fact.value().terms() {
            self.put_product(m, cofactor, c * d);
        }
    }

    /// Subtracts a polynomial from the expression and from what it started from alike: they stay congruent.
    pub fn subtract(&mut self, poly: &Poly) {
        self.spoiled |= !matches!(self.ring, Ring::Modulo(_)) || poly.newest().is_some_and(|a| a >= self.limit);
        for (m, c) in poly.terms() {
            self.put(m, -c);
        }
        self.origin = self.origin.plus(&-BigInt::one(), poly);
    }

    /// Adds `c·atom`, `c ≥ 0`: never makes a bound smaller, since atoms are not negative.
    pub fn raise(&mut self, atom: Atom, c: &BigInt) {
        self.spoiled |= c.sign() == Sign::Minus || !matches!(self.ring, Ring::Integers { .. }) || atom >= self.limit;
        self.put(&Mono::atom(atom), c.clone());
    }

    /// Adds `c·cofactor·(max − atom)`, `c ≥ 0`: atoms are not negative.
    pub fn raise_below(&mut self, atom: Atom, cofactor: &Mono, c: &BigInt) {
        let newest = cofactor.newest().map_or(atom, |a| a.max(atom));
        self.spoiled |= c.sign() == Sign::Minus || !matches!(self.ring, Ring::Integers { .. }) || newest >= self.limit;
        self.put_product(&Mono::atom(atom), cofactor, -c);
        let max = &self.sys.atom(atom).max;
        self.put_product(&Mono::ONE, cofactor, if broken(Rule::WordSize) { c * (max >> 1u32) } else { c * max });
    }

    fn put_product(&mut self, m: &Mono, cofactor: &Mono, c: BigInt) {
        match m.times(cofactor, |a| self.sys.is_own_square(a)) {
            Some(product) => self.put(&product, c),
            None => self.spoiled = true,
        }
    }

    /// The coefficient of a monomial.
    pub fn coefficient(&self, m: &Mono) -> BigInt {
        self.terms.get(m).cloned().unwrap_or_default()
    }

    /// The terms, in no particular order.
    pub fn terms(&self) -> &FastMap<Mono, BigInt> {
        &self.terms
    }

    /// The greatest value by intervals (integers, scaled).
    pub fn bound(&self) -> &BigInt {
        &self.bound
    }

    /// The table.
    pub fn system(&self) -> &'a System {
        self.sys
    }

    /// What it started from.
    pub fn origin(&self) -> &Poly {
        &self.origin
    }

    /// Flags with assumed values.
    pub fn assumed(&self) -> &[(Atom, bool)] {
        &self.assumed
    }

    /// Only equations below this atom were used.
    pub fn limit(&self) -> Atom {
        self.limit
    }

    /// Where coefficients live.
    pub fn ring(&self) -> &Ring {
        &self.ring
    }

    /// May anything be concluded from it?
    pub fn is_sound(&self) -> bool {
        !self.spoiled
    }

    /// Number of coefficient updates.
    pub fn updates(&self) -> u64 {
        self.updates
    }

    // Bookkeeping for the walks: which equations are next. Nothing below changes a coefficient.

    fn key(&self, m: &Mono) -> Option<u32> {
        let congruence = matches!(self.ring, Ring::Modulo(_));
        m.atoms().iter().filter(|a| a.0 < self.frontier).find_map(|a| {
            let info = self.sys.atom(*a);
            // Over the integers every digit of a number leads to the number's equation.
            let related = || {
                info.digit
                    .filter(|_| matches!(self.ring, Ring::Integers { .. }))
                    .and_then(|(n, _)| self.sys.numbers()[n as usize].relation)
            };
            let n = self.sys.node(info.node.or_else(related)?);
            (n.lo.0 < self.frontier && (congruence || !matches!(n.form, Form::Congruent { .. }))).then_some(n.lo.0)
        })
    }

    /// Is the atom's equation still to come, and old enough to be used?
    pub fn is_open(&self, a: Atom) -> bool {
        a.0 < self.frontier && a < self.limit
    }

    fn file(&mut self, m: Mono) {
        if let Some(key) = self.key(&m) {
            let queue = &mut self.queue;
            self.buckets
                .entry(key)
                .or_insert_with(|| {
                    queue.push(key);
                    Vec::new()
                })
                .push(m);
        }
    }

    /// The lowest atom of the newest equation that some term still asks for.
    pub fn next_key(&mut self) -> Option<u32> {
        while let Some(key) = self.queue.peek().copied() {
            let alive = self.buckets.get(&key).is_some_and(|b| b.iter().any(|m| self.terms.contains_key(m)));
            if alive {
                return Some(key);
            }
            self.queue.pop();
            self.buckets.remove(&key);
        }
        None
    }

    /// The terms that hold an atom of that equation and no newer open one.
    pub fn bucket(&self, key: u32) -> Vec<(Mono, BigInt)> {
        let mut terms: Vec<(Mono, BigInt)> = self
            .buckets
            .get(&key)
            .into_iter()
            .flatten()
            .filter_map(|m| Some((*m, self.terms.get(m)?.clone())))
            .collect();
        terms.sort_unstable_by_key(|term| std::cmp::Reverse(term.0));
        terms.dedup_by(|a, b| a.0 == b.0);
        terms
    }

    /// Closes an equation: terms that still hold its atoms are carried on as they are.
    pub fn close(&mut self, key: u32) {
        let left = self.bucket(key);
        self.buckets.remove(&key);
        if self.queue.peek() == Some(&key) {
            self.queue.pop();
        }
        self.frontier = self.frontier.min(key);
        for (m, _) in left {
            self.file(m);
        }
    }
}

/// Change of the interval bound when c is added to a coefficient.
fn change(sys: &System, m: &Mono, old: &BigInt, c: &BigInt) -> BigInt {
    let counted = |part: &BigInt, greatest: bool| {
        let extreme = sys.extreme(m, greatest);
        if extreme.is_one() { part.clone() } else { part * extreme }
    };
    let opposite = old.sign() != Sign::NoSign && c.sign() != old.sign();
    if !opposite {
        // Of one sign before and after.
        return counted(c, c.sign() == Sign::Plus);
    }
    let new = old + c;
    if new.sign() == Sign::NoSign || new.sign() == old.sign() {
        return counted(c, old.sign() == Sign::Plus);
    }
    counted(&new, new.sign() == Sign::Plus) - counted(old, old.sign() == Sign::Plus)
}
