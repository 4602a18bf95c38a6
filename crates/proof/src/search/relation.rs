//! Flag relations: a fixed carry (or borrow) says where the whole sum lies that it came out of.
//!
//! From the split of flag f the chain of carries is followed downward: `R = L − s·2^N·f`, where R is the number made of
//! the chain's low words, so `0 ≤ R ≤ 2^N − 1`, and s = 1 for sums, −1 for differences.

use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{One, Zero};

use crate::equations::system::{Form, pow2};
use crate::equations::{Atom, Expr, FastMap, Mono, NodeId, Poly, System};

/// Longest chain followed.
const LONGEST: usize = 200;
/// Carries below it are followed though they are no flags.
const SMALL: u32 = 64;

/// The chain of one assumed flag.
pub struct Relation {
    /// The flag's equation.
    pub top: Atom,
    /// Equations and their factors; their sum is `L' − R` under the assumption.
    chain: Vec<(NodeId, BigInt)>,
    /// Low words and their weights.
    digits: Vec<(Atom, BigInt)>,
    /// `L − s·2^N·value`.
    left: Poly,
    /// `2^N`.
    size: BigInt,
    used_below: bool,
    used_range: bool,
    spread: bool,
    top_word: bool,
}

/// Is `a` the flag that a split of the same kind carries out?
fn carries(sys: &System, a: Atom, borrow: bool) -> Option<(NodeId, u32)> {
    let id = sys.atom(a).node?;
    let n = sys.node(id);
    if n.hi != Some(a) || !sys.is_flag(a) {
        return None;
    }
    match n.form {
        Form::Split { k } if !borrow => Some((id, k)),
        Form::Borrow { k } if borrow => Some((id, k)),
        _ => None,
    }
}

/// As [`carries`], also for the small carries of sums of several words.
fn carries_small(sys: &System, a: Atom, borrow: bool) -> Option<(NodeId, u32)> {
    let id = sys.atom(a).node?;
    let n = sys.node(id);
    match n.form {
        Form::Split { k } if !borrow && n.hi == Some(a) && sys.atom(a).max < BigInt::from(SMALL) => Some((id, k)),
        _ => carries(sys, a, borrow),
    }
}

/// Is the atom, which counts `c` times, defined as a sum in which a small carry counts `sign` times?
fn hides_carry(sys: &System, a: Atom, c: &BigInt, sign: &BigInt, borrow: bool) -> bool {
    let Some(id) = sys.atom(a).node else { return false };
    let n = sys.node(id);
    n.form == Form::Def
        && n.poly
            .terms()
            .iter()
            .any(|(m, d)| m.degree() == 1 && c * d == *sign && carries_small(sys, m.atoms()[0], borrow).is_some())
}

/// For each carry (borrow) that another split of the same kind takes in: the low word of that split.
pub fn successors(sys: &System) -> FastMap<Atom, Atom> {
    let mut map = FastMap::default();
    for node in sys.nodes() {
        let (borrow, sign) = match node.form {
            Form::Borrow { .. } => (true, -BigInt::one()),
            Form::Split { .. } => (false, BigInt::one()),
            _ => continue,
        };
        for (m, c) in node.poly.terms() {
            if m.degree() == 1 && *c == sign && carries(sys, m.atoms()[0], borrow).is_some() {
                map.entry(m.atoms()[0]).or_insert(node.lo);
            }
        }
    }
    map
}

impl Relation {
    /// The chain below `flag`, assumed to be `value`; `None` when the flag is no carry.
    pub fn new(sys: &System, flag: Atom, value: bool) -> Option<Relation> {
        let id = sys.atom(flag).node?;
        // The flag is a carry, or the word at the top of the chain.
        let (borrow, k) = match sys.node(id).form {
            Form::Split { k } => (false, k),
            Form::Borrow { k } => (true, k),
            _ => return None,
        };
        let top_word = sys.node(id).lo == flag;
        if !top_word {
            carries(sys, flag, borrow)?;
        }
        let sign = if borrow { -BigInt::one() } else { BigInt::one() };
        let node = sys.node(id);
        let mut chain = vec![(id, BigInt::one())];
        let mut digits = vec![(node.lo, BigInt::one())];
        let mut left = node.poly.clone();
        let mut size = pow2(k);
        for _ in 0..LONGEST {
            let linear = |want: &dyn Fn(Atom, &BigInt) -> bool| {
                left.terms()
                    .iter()
                    .find(|(m, c)| m.degree() == 1 && want(m.atoms()[0], c))
                    .map(|(m, c)| (m.atoms()[0], c.clone()))
            };
            if let Some((g, _)) = linear(&|a, c| *c == sign && carries_small(sys, a, borrow).is_some()) {
                let Some((id, k)) = carries_small(sys, g, borrow) else { break };
                let scale = pow2(k);
                for x in chain.iter_mut() {
                    x.1 *= &scale;
                }
                for x in digits.iter_mut() {
                    x.1 *= &scale;
                }
                left = left.plus(&-&sign, &Poly::atom(g)).scaled(&scale).plus(&BigInt::one(), &sys.node(id).poly);
                size *= scale;
                chain.push((id, BigInt::one()));
                digits.push((sys.node(id).lo, BigInt::one()));
                continue;
            }
            // A definition that hides such a flag is opened.
            let Some((v, c)) = linear(&|a, c| hides_carry(sys, a, c, &sign, borrow)) else { break };
            let Some(id) = sys.atom(v).node else { break };
            left = left.plus(&-&c, &Poly::atom(v)).plus(&c, &sys.node(id).poly);
            chain.push((id, c));
        }
        let left = if value && !top_word { left.plus(&-(&sign * &size), &Poly::constant(1)) } else { left };
        Some(Relation {
            top: node.lo,
            chain,
            digits,
            left,
            size,
            used_below: false,
            used_range: top_word,
            spread: false,
            top_word,
        })
    }

    fn add(&self, e: &mut Expr, factor: &BigInt) {
        for (id, c) in &self.chain {
            e.add_equation(*id, &Mono::ONE, &(c * factor));
        }
    }

    /// Bounds the low words by the whole: `E += μ (L' − R)` with the least μ that leaves no low word a positive
    /// coefficient. Once, before the flag's equation is eliminated (`key` is next).
    pub fn spread(&mut self, e: &mut Expr, key: u32) -> bool {
        if self.used_below || key > self.top.0 {
            return false;
        }
        self.used_below = true;
        let ratio = |(a, w): &(Atom, BigInt)| e.coefficient(&Mono::atom(*a)).div_ceil(w);
        let factor = self.digits.iter().map(ratio).max().unwrap_or_default();
        if factor.sign() != Sign::Plus {
            return false;
        }
        self.spread = true;
        self.add(e, &factor);
        true
    }

    /// The equations of the chain.
    pub fn equations(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.chain.iter().map(|(id, _)| *id)
    }

    /// Uses `0 ≤ L' ≤ 2^N − 1` to cancel the newest atom of L', once, when that atom is next.
    pub fn confine(&mut self, e: &mut Expr, key: Option<u32>) -> bool {
        let Some(((m, l), x)) = self.left.terms().first().zip(self.left.newest()) else { return false };
        if self.used_range || self.spread || key.is_some_and(|key| x.0 < key) {
            return false;
        }
        self.used_range = true;
        let c = e.coefficient(m);
        if c.is_zero() {
            return false;
        }
        let factor = BigInt::from((&c / l).magnitude().clone());
        if (c.sign() == Sign::Plus) == (l.sign() == Sign::Plus) {
            for (a, w) in &self.digits {
                e.raise_below(*a, &Mono::ONE, &(w * &factor));
            }
            self.add(e, &-factor);
        } else {
            for (a, w) in &self.digits {
                e.raise(*a, &(w * &factor));
            }
            self.add(e, &factor);
        }
        true
    }

    /// `R ≤ −1` or `−R ≤ −2^N` would contradict the assumption.
    pub fn contradictions(&self) -> Vec<Attempt> {
        if self.top_word {
            return Vec::new();
        }
        let r = Poly::from_terms(self.digits.iter().map(|(a, w)| (Mono::atom(*a), w.clone())).collect());
        let minus = -BigInt::one();
        let chain = |sign: &BigInt| self.chain.iter().map(|(id, c)| (*id, c * sign)).collect();
        vec![
            Attempt { origin: r.clone(), max: minus.clone(), multiples: chain(&BigInt::one()) },
            Attempt { origin: r.scaled(&minus), max: -self.size.clone(), multiples: chain(&minus) },
        ]
    }
}

/// A bound that would contradict the assumptions, with the equations to start from.
pub struct Attempt {
    /// What is bounded.
    pub origin: Poly,
    /// Its bound, below its least value.
    pub max: BigInt,
    /// Multiples of equations to add first.
    pub multiples: Vec<(NodeId, BigInt)>,
}

/// A flag with a definition: assumed 0 where it is 1, `f ≤ −1` follows, and the same assumed 1 where it is 0.
pub fn contradiction_of_definition(sys: &System, flag: Atom, value: bool) -> Vec<Attempt> {
    let Some(id) = sys.atom(flag).node.filter(|id| sys.node(*id).form == Form::Def) else { return Vec::new() };
    // f + c (poly − f): −poly for f = 0 and c = −1; 2 poly − 1 for f = 1 and c = 2.
    let c = BigInt::from(if value { 2 } else { -1 });
    vec![Attempt { origin: Poly::atom(flag), max: -BigInt::one(), multiples: vec![(id, c)] }]
}
