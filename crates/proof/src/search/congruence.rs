//! Congruences: `lo := poly − 2^k hi` everywhere, newest first; what stays on `hi` must vanish.

use num_bigint::BigInt;
use num_traits::{One, Zero};

use crate::equations::system::Form;
use crate::equations::{Atom, Expr, Mono, Node, NodeId, Poly, Ring, Vanishing};

use super::Search;
use crate::broken_rules::{Rule, broken};

/// A congruence that did not come out.
#[derive(Clone, Debug)]
pub struct Remainder {
    /// Terms left.
    pub terms: usize,
    /// The newest equation whose dropped part is not known, if any.
    pub dropped: Option<NodeId>,
}

impl std::fmt::Display for Remainder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.dropped {
            Some(node) => write!(f, "{} terms left; equation {} drops a part that is not known", self.terms, node.0),
            None => write!(f, "{} terms left; every word is accounted for, the sum is wrong", self.terms),
        }
    }
}

/// What became of a high part.
enum High {
    /// Nothing of it is left, or it will cancel by itself.
    Gone,
    /// It went on into the equation above.
    CarriedUpward,
    /// It stays.
    Kept,
}

/// Replaces every `lo` of an equation by its right side; true when no term holds it any more.
pub(super) fn fold_low(e: &mut Expr, id: NodeId, node: &Node) -> bool {
    for _ in 0..8 {
        let with_lo: Vec<(Mono, BigInt)> = e.bucket(node.lo.0).into_iter().filter(|t| t.0.contains(node.lo)).collect();
        if with_lo.is_empty() {
            return true;
        }
        for (m, c) in with_lo {
            e.add_equation(id, &m.without(node.lo), &c);
        }
    }
    false
}

/// The terms of an equation's bucket that hold its high part.
pub(super) fn on_high(e: &Expr, node: &Node) -> Vec<(Mono, BigInt)> {
    match node.hi {
        Some(hi) => e.bucket(node.lo.0).into_iter().filter(|t| t.0.contains(hi)).collect(),
        None => Vec::new(),
    }
}

impl<'a> Search<'a> {
    /// Shows `origin ≡ 0 (mod modulus)`; where a number is given, `origin − quotient·number ≡ 0` with a quotient that is
    /// found. Modulo `2^k·m` it is shown modulo `2^k`, where high words vanish by themselves, and modulo the odd m, where
    /// powers of two are units.
    pub fn congruence(
        &mut self,
        origin: &Poly,
        modulus: &BigInt,
        multiples: Option<(&Poly, &mut Poly)>,
    ) -> Result<Vanishing, Remainder> {
        let twos = modulus.trailing_zeros().unwrap_or(0);
        let odd = modulus >> twos;
        if twos == 0 || odd.is_one() || multiples.is_some() {
            return self.eliminated(origin, modulus, multiples);
        }
        let of_odd = self.eliminated(origin, &odd, None)?;
        if broken(Rule::Factors) {
            return Ok(of_odd);
        }
        let of_two = self.eliminated(origin, &(BigInt::one() << twos), None)?;
        Vanishing::from_factors(&of_odd, &of_two).ok_or(Remainder { terms: 0, dropped: None })
    }

    fn eliminated(
        &mut self,
        origin: &Poly,
        modulus: &BigInt,
        mut multiples: Option<(&Poly, &mut Poly)>,
    ) -> Result<Vanishing, Remainder> {
        let sys = self.sys;
        let mut e = Expr::new(sys, Ring::Modulo(modulus.clone()), origin.clone(), &[], Atom(u32::MAX));
        let mut dropped = None;
        while let Some(key) = e.next_key() {
            let Some(id) = sys.atom(Atom(key)).node else { break };
            let node = sys.node(id);
            self.stats.eliminations += 1;
            if let Some((number, quotient)) = &mut multiples
                && self.peel(&mut e, key, modulus, number, quotient)
            {
                continue;
            }
            let foreign = matches!(&node.form, Form::Congruent { modulus: m } if !(m % modulus).is_zero());
            if !foreign {
                fold_low(&mut e, id, node);
                match self.eliminate_high(&mut e, id, node, modulus) {
                    High::Gone => {}
                    // Newer equations have come back into the expression: they are next.
                    High::CarriedUpward if e.is_sound() => continue,
                    _ => dropped = dropped.or(Some(id)),
                }
            }
            e.close(key);
            if !e.is_sound() {
                break;
            }
        }
        if let Some((number, quotient)) = &mut multiples {
            let rest = e.terms().iter().map(|(m, c)| (*m, c.clone())).collect();
            self.peel_terms(&mut e, rest, modulus, number, quotient);
        }
        self.stats.updates += e.updates();
        Vanishing::from_expr(&e).ok_or(Remainder { terms: e.terms().len(), dropped })
    }

    /// Takes the multiples of a number out of the terms that are next, before what they are multiples by is replaced;
    /// true when there were any.
    fn peel(&self, e: &mut Expr, key: u32, modulus: &BigInt, number: &Poly, quotient: &mut Poly) -> bool {
        let terms = e.bucket(key);
        self.peel_terms(e, terms, modulus, number, quotient)
    }

    fn peel_terms(
        &self,
        e: &mut Expr,
        terms: Vec<(Mono, BigInt)>,
        modulus: &BigInt,
        number: &Poly,
        quotient: &mut Poly,
    ) -> bool {
        // The number's lowest digit has coefficient 1.
        let Some(lowest) = number.terms().iter().find(|t| t.1.is_one() && t.0.degree() == 1).and_then(|t| t.0.newest())
        else {
            return false;
        };
        let half = modulus >> 1u32;
        let mut peeled = false;
        for (m, c) in terms.into_iter().filter(|t| t.0.contains(lowest)) {
            let cofactor = m.without(lowest);
            let own = |a| self.sys.is_own_square(a);
            let whole = number.terms().iter().all(|(d, w)| {
                d.times(&cofactor, own).is_some_and(|n| ((&c * w - e.coefficient(&n)) % modulus).is_zero())
            });
            if !whole {
                continue;
            }
            let c = if c > half { c - modulus } else { c };
            let Some(multiple) = number.times(&Poly::from_terms(vec![(cofactor, c.clone())]), own) else { continue };
            e.subtract(&multiple);
            *quotient = quotient.plus(&BigInt::one(), &Poly::from_terms(vec![(cofactor, c)]));
            peeled = true;
        }
        peeled
    }

    /// Gets rid of what is left on the high part.
    fn eliminate_high(&mut self, e: &mut Expr, id: NodeId, node: &Node, modulus: &BigInt) -> High {
        let Some(hi) = node.hi else { return High::Gone };
        for _ in 0..4 {
            let rest = on_high(e, node);
            if rest.is_empty() {
                return High::Gone;
            }
            if let Some(fact) = self.facts.get(hi) {
                for (m, c) in rest {
                    e.apply_fact(fact, &m.without(hi), &c);
                }
                continue;
            }
            // A mask's flag cancels later, by x² = x.
            if self.is_mask(hi) && rest.iter().all(|(m, _)| m.degree() > 1) {
                return High::Gone;
            }
            if let Some(fact) = self.facts.get(node.lo) {
                // hi = (poly − F) / 2^k, and 2^k is invertible.
                let Some(inverse) = node.weight.modinv(modulus) else { return High::Kept };
                for (m, c) in rest {
                    let factor = c * &inverse % modulus;
                    let cofactor = m.without(hi);
                    e.add_equation(id, &cofactor, &factor);
                    e.apply_fact(fact, &cofactor, &-&factor);
                }
                continue;
            }
            if self.carry_upward(e, hi, &rest) {
                return High::CarriedUpward;
            }
            if self.high_part(hi).is_none() {
                return High::Kept;
            }
        }
        High::Kept
    }

    /// A carry into words that are known to be zero: it is what the equation above says, without that word.
    fn carry_upward(&mut self, e: &mut Expr, carry: Atom, rest: &[(Mono, BigInt)]) -> bool {
        let Some(above) = self.successors.get(&carry).copied().filter(|a| e.is_open(Atom(a.0 + 1))) else {
            return false;
        };
        let Some(id) = self.sys.atom(above).node else { return false };
        let Some(sign) = self.sys.node(id).poly.coefficient(&Mono::atom(carry)).cloned() else { return false };
        let Some(fact) = self.zero_word(above) else { return false };
        for (m, c) in rest {
            let (cofactor, factor) = (m.without(carry), -(c * &sign));
            e.add_equation(id, &cofactor, &factor);
            e.apply_fact(&fact, &cofactor, &-&factor);
        }
        true
    }
}
