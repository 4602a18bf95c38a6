//! Low words, dropped ones above all: coefficients modulo `2^k`, starting at the word itself. If the walk ends in a
//! constant, in an existing low word, a multiple of one below `2^k` or the complement of one, the word is that: both lie
//! in `[0, 2^k)`.

use num_bigint::{BigInt, Sign};
use num_traits::{One, Zero};

use crate::broken_rules::{Rule, broken};
use crate::equations::system::{Affine, Form, low, pow2};
use crate::equations::{Atom, Expr, Fact, Mono, Poly, Ring};

use super::Search;
use super::congruence::{fold_low, on_high};

/// Equations that one walk may use.
const MOST_STEPS: usize = 60;
/// Terms above which a walk is given up.
const MOST_TERMS: usize = 400;

impl<'a> Search<'a> {
    /// Asks for every dropped low word, and for the last bits of whole words, which may be those of another one. Cheap: most
    /// walks meet the definition of their quotient digit after a few equations.
    pub fn low_words(&mut self) {
        let mut recent: Vec<Atom> = Vec::new();
        for node in self.sys.nodes() {
            let (Form::Split { k } | Form::Borrow { k }) = node.form else { continue };
            let is_dropped = !self.is_live(node.lo);
            if is_dropped || is_of_a_word(&node.poly) {
                match self.low_word(node.lo, k, &recent) {
                    Some(fact) => self.facts.learn(fact),
                    None if is_dropped => recent.push(node.lo),
                    None => {}
                }
            }
            self.low_forms.entry((k, modulo(&node.poly, k))).or_insert(node.lo);
        }
    }

    fn low_word(&mut self, lo: Atom, k: u32, recent: &[Atom]) -> Option<Fact> {
        let sys = self.sys;
        let mut e = Expr::new(sys, Ring::Binary(k), Poly::atom(lo), &[], Atom(lo.0 + 2));
        let mut candidate = None;
        let mut forms = Vec::new();
        self.stats.walks += 1;
        for _ in 0..MOST_STEPS {
            let Some(key) = e.next_key() else { break };
            if !self.step(&mut e, key) {
                break;
            }
            self.use_products(&mut e);
            if e.terms().len() <= 3 {
                let form = Poly::from_terms(e.terms().iter().map(|(m, c)| (*m, c.clone())).collect());
                candidate = self.recognise(lo, k, &form);
                forms.push(form);
                if candidate.is_some() {
                    break;
                }
            }
        }
        self.stats.updates += e.updates();
        for form in forms {
            self.low_forms.entry((k, form)).or_insert(lo);
        }
        let partners = recent.iter().rev().filter(|u| sys.atom(**u).max < pow2(k)).take(2);
        let complement = |u: &Atom| Affine::new(pow2(k) - 1, -BigInt::one(), *u);
        if broken(Rule::LowWord) {
            return self.low_equals(lo, k, &Affine::constant(0));
        }
        match candidate {
            Some(value) => self.low_equals(lo, k, &value),
            None => partners.map(complement).collect::<Vec<_>>().iter().find_map(|v| self.low_equals(lo, k, v)),
        }
    }

    /// What a word congruent to `form` modulo `2^k` must be.
    fn recognise(&self, lo: Atom, k: u32, form: &Poly) -> Option<Affine> {
        if let Some(c) = form.as_constant() {
            return Some(Affine::constant(low(&c, k)));
        }
        let known = |form: &Poly| {
            if let Some(u) = self.low_forms.get(&(k, form.clone())) {
                return Some(*u).filter(|u| *u < lo);
            }
            match form.terms() {
                [(m, c)] if m.degree() == 1 && c.is_one() && self.sys.atom(m.atoms()[0]).max < pow2(k) => m.newest(),
                _ => None,
            }
        };
        if let Some(u) = known(form) {
            return Some(Affine::new(BigInt::zero(), BigInt::one(), u));
        }
        // A multiple of an older one that stays below 2^k.
        if let [(m, c)] = form.terms()
            && m.degree() == 1
            && c.sign() == Sign::Plus
            && c * &self.sys.atom(m.atoms()[0]).max < pow2(k)
        {
            return m.newest().map(|u| Affine::new(BigInt::zero(), c.clone(), u));
        }
        let complement = modulo(&Poly::constant(-1).plus(&-BigInt::one(), form), k);
        known(&complement).map(|u| Affine::new(pow2(k) - 1, -BigInt::one(), u))
    }

    fn low_equals(&mut self, lo: Atom, k: u32, value: &Affine) -> Option<Fact> {
        let origin = Poly::atom(lo).plus(&-BigInt::one(), &value.poly());
        let mut e = Expr::new(self.sys, Ring::Binary(k), origin, &[], Atom(lo.0 + 2));
        for _ in 0..2 * MOST_STEPS {
            let Some(key) = e.next_key() else { break };
            if !self.step(&mut e, key) {
                break;
            }
            self.use_products(&mut e);
        }
        self.stats.updates += e.updates();
        Fact::low_word(&e, lo, value)
    }

    /// Replaces products of given numbers by what facts say of them, before the other factors are followed.
    fn use_products(&self, e: &mut Expr) {
        for (id, product) in &self.products {
            let [first, second] = product.atoms() else { continue };
            let mut held: Vec<(Mono, BigInt)> = e
                .terms()
                .iter()
                .filter(|(m, _)| m.contains(*first) && m.without(*first).contains(*second))
                .map(|(m, c)| (*m, c.clone()))
                .collect();
            held.sort_unstable_by_key(|t| t.0);
            for (m, c) in held {
                e.add_equation(*id, &m.without(*first).without(*second), &-c);
            }
        }
    }

    /// Eliminates one equation; false when its high part stays, which nothing later can cancel.
    fn step(&mut self, e: &mut Expr, key: u32) -> bool {
        let Some(id) = self.sys.atom(Atom(key)).node else { return false };
        let node = self.sys.node(id);
        self.stats.eliminations += 1;
        let folded =
            fold_low(e, id, node) && on_high(e, node).is_empty() && e.terms().len() <= MOST_TERMS && e.is_sound();
        e.close(key);
        folded
    }
}

/// Is it one word, as it is?
fn is_of_a_word(poly: &Poly) -> bool {
    matches!(poly.terms(), [(m, c)] if m.degree() == 1 && c.is_one())
}

fn modulo(poly: &Poly, k: u32) -> Poly {
    poly.map(|c| low(c, k))
}
