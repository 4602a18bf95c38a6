//! The search: which multiples of which equations to add. Everything here may be wrong without harm; what it finds is
//! checked step by step in [`crate::equations`].
//!
//! * [`congruence`]: modulo a number, substitute until nothing is left;
//! * [`low_word`]: a dropped low word is a constant, another low word, or its complement;
//! * [`high_part`]: a dropped high part is 0, 1, or equal to an older flag;
//! * [`bound`]: the greatest value of a polynomial, by weights chosen equation by equation, with flags fixed to 0 and 1
//!   where needed;
//! * [`relation`]: what a fixed carry says about the whole sum that it came from;
//! * [`samples`]: solutions of the equations that show a question to be hopeless.

pub mod bound;
pub mod congruence;
pub mod high_part;
pub mod low_word;
pub mod relation;
pub mod samples;

use num_bigint::BigInt;
use num_traits::One;

use crate::equations::system::Form;
use crate::equations::{Atom, Facts, FastMap, FastSet, Mono, NodeId, Poly, System};

/// Counts of work done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Bound queries.
    pub queries: u64,
    /// Walks (a query takes one or more).
    pub walks: u64,
    /// Equations eliminated.
    pub eliminations: u64,
    /// Coefficient updates.
    pub updates: u64,
}

/// What a high part is known to be, or that it was asked for in vain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Asked {
    Busy,
    InVain,
}

/// A polynomial, a claimed bound, and the flags assumed.
type Query = (Poly, BigInt, Vec<(Atom, bool)>);

/// The state of a search over one table of equations.
pub struct Search<'a> {
    sys: &'a System,
    /// Facts proved so far.
    pub facts: Facts,
    /// Work done.
    pub stats: Stats,
    scale: u32,
    live: Vec<bool>,
    masks: Vec<bool>,
    muted: FastSet<Atom>,
    asked: FastMap<Atom, Asked>,
    failed: FastSet<Query>,
    depth: u32,
    low_forms: FastMap<(u32, Poly), Atom>,
    /// What facts say of products, with the product that has coefficient 1.
    products: Vec<(NodeId, Mono)>,
    samples: Option<samples::Samples>,
    /// The low word of the equation that takes in a carry, by the carry.
    successors: FastMap<Atom, Atom>,
    /// Did the present query meet a carry chain of which it asks for the lower words only?
    cut_chain: bool,
    /// The flag of the selection that ended the last walk.
    selected: Option<Atom>,
    /// Words at the top of carry chains that the present query met.
    tops: Vec<Atom>,
    /// Did an eager walk answer the last question without assumptions?
    eager_last: bool,
}

impl<'a> Search<'a> {
    /// A search; `roots` are the atoms that outputs use, `masks` the flags that masks and selections are made of,
    /// `muted` the high parts that mean nothing.
    pub fn new(sys: &'a System, roots: &[Atom], masks: &[Atom], muted: FastSet<Atom>) -> Search<'a> {
        let n = sys.atoms() as usize;
        let mut live = vec![false; n];
        for a in roots {
            live[a.0 as usize] = true;
        }
        for node in sys.nodes().iter().rev() {
            if live[node.lo.0 as usize] || node.hi.is_some_and(|h| live[h.0 as usize]) {
                for a in node.poly.terms().iter().flat_map(|t| t.0.atoms()) {
                    live[a.0 as usize] = true;
                }
            }
        }
        let mut mask = vec![false; n];
        for a in masks {
            mask[a.0 as usize] = true;
        }
        // Room for exact divisions by the weights of two numbers and a word.
        let widest = sys.numbers().iter().map(|n| n.max.bits()).max().unwrap_or(0) as u32;
        Search {
            sys,
            facts: Facts::default(),
            stats: Stats::default(),
            scale: 2 * widest + 192,
            live,
            masks: mask,
            muted,
            asked: FastMap::default(),
            failed: FastSet::default(),
            depth: 0,
            low_forms: FastMap::default(),
            products: products(sys),
            samples: None,
            successors: relation::successors(sys),
            cut_chain: false,
            selected: None,
            tops: Vec::new(),
            eager_last: false,
        }
    }

    /// The table.
    pub fn system(&self) -> &'a System {
        self.sys
    }

    /// Does a sample solution violate `poly ≤ max`?
    fn hopeless(&mut self, poly: &Poly, max: &BigInt, assumed: &[(Atom, bool)]) -> bool {
        let sys = self.sys;
        self.samples.get_or_insert_with(|| samples::Samples::new(sys)).refute(poly, max, assumed)
    }

    /// Does a sample solution have these values of flags?
    fn satisfied(&mut self, assumed: &[(Atom, bool)]) -> bool {
        let sys = self.sys;
        self.samples.get_or_insert_with(|| samples::Samples::new(sys)).satisfy(assumed)
    }

    fn is_live(&self, a: Atom) -> bool {
        self.live[a.0 as usize]
    }

    fn is_mask(&self, a: Atom) -> bool {
        self.masks[a.0 as usize]
    }
}

/// The equations of products, each with its monomial of two factors that has coefficient 1.
fn products(sys: &System) -> Vec<(NodeId, Mono)> {
    let of = |(i, node): (usize, &crate::equations::Node)| {
        let (m, _) = node.poly.terms().iter().find(|(m, c)| m.degree() == 2 && c.is_one())?;
        matches!(node.form, Form::Product { .. }).then_some((NodeId(i as u32), *m))
    };
    sys.nodes().iter().enumerate().filter_map(of).collect()
}
