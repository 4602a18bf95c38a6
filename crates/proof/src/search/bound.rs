//! Bounds: a walk over the integers. Any choice of multipliers gives a bound (weak duality); the rules below choose
//! good ones.

use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{One, Zero};

use crate::broken_rules::{Rule, broken};
use crate::equations::system::{Form, div_ceil};
use crate::equations::{Atom, Bounded, Expr, FastMap, FastSet, Mono, Node, NodeId, Poly, Ring, System};

use super::Search;
use super::relation::{Relation, contradiction_of_definition};

/// Flags assumed at once.
const DEEPEST: usize = 3;
/// Flags tried at each level.
const CANDIDATES: usize = 2;
/// Queries within queries.
const DEEPEST_QUERY: u32 = 40;
/// Terms above which a walk is given up.
const MOST_TERMS: usize = 20_000;

/// How a walk chooses.
#[derive(Clone, Copy)]
struct Mode {
    /// Bound low words by the sum that an assumed flag came from.
    spread: bool,
    /// Use the range of that sum.
    confine: bool,
    /// Follow the low part where the rules would keep it.
    eager: bool,
    /// Add the words that a carry chain goes on to where only its lower words are asked for.
    complete: bool,
    /// Stop at the first selection.
    stop_at_selection: bool,
}

const PLAIN: Mode = Mode { spread: false, confine: false, eager: false, complete: false, stop_at_selection: false };
const EAGER: Mode = Mode { eager: true, ..PLAIN };
const RELATIONS: Mode = Mode { spread: true, confine: true, ..PLAIN };
const CONFINE: Mode = Mode { confine: true, ..PLAIN };
const COMPLETE: Mode = Mode { complete: true, ..PLAIN };

impl<'a> Search<'a> {
    /// Shows `poly ≤ max` from equations below `limit`, where flags have the assumed values.
    pub fn at_most(&mut self, poly: &Poly, max: &BigInt, limit: Atom, assumed: &[(Atom, bool)]) -> Option<Bounded> {
        let query = (poly.clone(), max.clone(), assumed.to_vec());
        // A query that is being answered counts as failed: it may not ask for itself on the way.
        if self.depth >= DEEPEST_QUERY || !self.failed.insert(query.clone()) {
            return None;
        }
        self.depth += 1;
        self.stats.queries += 1;
        let outer = (std::mem::take(&mut self.cut_chain), self.selected.take(), std::mem::take(&mut self.tops));
        let proved = self.search_bound(poly, max, limit, assumed);
        (self.cut_chain, self.selected, self.tops) = outer;
        self.depth -= 1;
        if proved.is_some() {
            self.failed.remove(&query);
        }
        proved
    }

    /// One way after the other, cheapest first.
    fn search_bound(&mut self, poly: &Poly, max: &BigInt, limit: Atom, assumed: &[(Atom, bool)]) -> Option<Bounded> {
        let mut flags = Vec::new();
        // Questions of one kind follow one another: what answered the last may answer this one.
        if self.eager_last
            && assumed.is_empty()
            && let Some(proved) = self.walk(poly, max, limit, assumed, EAGER, &mut flags)
        {
            return Some(proved);
        }
        self.eager_last = false;
        flags.clear();
        let modes: &[Mode] = if assumed.is_empty() { &[PLAIN, EAGER] } else { &[RELATIONS, PLAIN, CONFINE, EAGER] };
        for (i, mode) in modes.iter().enumerate() {
            // At first a selection ends the walk: to fix its flag is cheaper than to carry both sides along.
            let first = Mode { stop_at_selection: i == 0 && assumed.len() < DEEPEST, ..*mode };
            if let Some(proved) = self.walk(poly, max, limit, assumed, first, &mut flags) {
                self.eager_last = assumed.is_empty() && mode.eager;
                return Some(proved);
            }
            if i == 0 && self.hopeless(poly, max, assumed) {
                return None;
            }
            if let Some(f) = self.selected.take() {
                if let Some(proved) = self.by_case(poly, max, limit, assumed, f) {
                    return Some(proved);
                }
                if let Some(proved) = self.walk(poly, max, limit, assumed, *mode, &mut flags) {
                    return Some(proved);
                }
            }
        }
        if self.cut_chain
            && let Some(proved) = self.walk(poly, max, limit, assumed, COMPLETE, &mut flags)
        {
            return Some(proved);
        }
        // Assumptions that a sample satisfies do not contradict each other.
        let possible = self.satisfied(assumed);
        let proved = if possible { None } else { self.impossible(poly, max, limit, assumed) };
        let proved = proved.or_else(|| self.by_top_word(poly, max, limit, assumed));
        proved.or_else(|| self.by_cases(poly, max, limit, assumed, flags))
    }

    /// Splits on a flag: masks first, then the newest.
    fn by_cases(
        &mut self,
        poly: &Poly,
        max: &BigInt,
        limit: Atom,
        assumed: &[(Atom, bool)],
        mut flags: Vec<Atom>,
    ) -> Option<Bounded> {
        if assumed.len() >= DEEPEST {
            return None;
        }
        flags.retain(|f| assumed.iter().all(|(g, _)| f != g));
        flags.sort_unstable_by_key(|f| (!self.is_mask(*f), std::cmp::Reverse(*f)));
        flags.dedup();
        flags.into_iter().take(CANDIDATES).find_map(|f| self.by_case(poly, max, limit, assumed, f))
    }

    /// Both cases of one flag.
    fn by_case(
        &mut self,
        poly: &Poly,
        max: &BigInt,
        limit: Atom,
        assumed: &[(Atom, bool)],
        f: Atom,
    ) -> Option<Bounded> {
        let case = |v| [assumed, &[(f, v)]].concat();
        let one = self.at_most(poly, max, limit, &case(true));
        if broken(Rule::Cases) {
            let any = one.or_else(|| self.at_most(poly, max, limit, &case(false)))?;
            return Bounded::from_cases(self.sys, f, None, &any, &any);
        }
        let one = one?;
        let zero = self.at_most(poly, max, limit, &case(false))?;
        Bounded::from_cases(self.sys, f, None, &zero, &one)
    }

    /// Both cases of a word at the top of a chain that can be shown to be 0 or 1.
    fn by_top_word(&mut self, poly: &Poly, max: &BigInt, limit: Atom, assumed: &[(Atom, bool)]) -> Option<Bounded> {
        if assumed.len() >= DEEPEST {
            return None;
        }
        let mut words = std::mem::take(&mut self.tops);
        words.sort_unstable();
        words.dedup();
        words.retain(|x| assumed.iter().all(|(g, _)| x != g));
        words.into_iter().rev().take(CANDIDATES).find_map(|x| {
            let x_at_most_one = (&Poly::atom(x), &BigInt::one());
            if self.hopeless(x_at_most_one.0, x_at_most_one.1, &[]) {
                return None;
            }
            let bit = self.at_most(x_at_most_one.0, x_at_most_one.1, limit, &[])?;
            let case = |v| [assumed, &[(x, v)]].concat();
            let one = self.at_most(poly, max, limit, &case(true))?;
            let zero = self.at_most(poly, max, limit, &case(false))?;
            Bounded::from_cases(self.sys, x, Some(&bit), &zero, &one)
        })
    }

    /// The assumptions may contradict each other: the sum that a flag came from lies outside its range, or a flag's
    /// definition has the other value.
    fn impossible(&mut self, poly: &Poly, max: &BigInt, limit: Atom, assumed: &[(Atom, bool)]) -> Option<Bounded> {
        for (flag, value) in assumed.iter().rev() {
            let attempts = match Relation::new(self.sys, *flag, *value) {
                Some(relation) => relation.contradictions(),
                None => contradiction_of_definition(self.sys, *flag, *value),
            };
            for attempt in attempts {
                let mut e = Expr::new(self.sys, Ring::Integers { scale: self.scale }, attempt.origin, assumed, limit);
                for (id, c) in &attempt.multiples {
                    e.add_equation(*id, &Mono::ONE, &(c << self.scale));
                }
                let proved = self.descend(&mut e, &attempt.max, PLAIN, &mut [], &mut Vec::new());
                self.stats.updates += e.updates();
                if let Some(b) =
                    proved.and_then(|b| Bounded::from_contradiction(self.sys, &b, poly.clone(), max.clone()))
                {
                    return Some(b);
                }
            }
        }
        None
    }

    fn walk(
        &mut self,
        poly: &Poly,
        max: &BigInt,
        limit: Atom,
        assumed: &[(Atom, bool)],
        mode: Mode,
        flags: &mut Vec<Atom>,
    ) -> Option<Bounded> {
        let mut relations: Vec<Relation> = match mode.confine {
            true => assumed.iter().filter_map(|(f, v)| Relation::new(self.sys, *f, *v)).collect(),
            false => Vec::new(),
        };
        let mut e = Expr::new(self.sys, Ring::Integers { scale: self.scale }, poly.clone(), assumed, limit);
        let proved = self.descend(&mut e, max, mode, &mut relations, flags);
        self.stats.updates += e.updates();
        proved
    }

    fn descend(
        &mut self,
        e: &mut Expr<'a>,
        max: &BigInt,
        mode: Mode,
        relations: &mut [Relation],
        flags: &mut Vec<Atom>,
    ) -> Option<Bounded> {
        self.stats.walks += 1;
        let mut completed = FastSet::default();
        let mut kept = FastSet::default();
        loop {
            if let Some(proved) = Bounded::from_expr(e, max, false) {
                return Some(proved);
            }
            if !e.is_sound() || e.terms().len() > MOST_TERMS {
                return None;
            }
            let key = e.next_key();
            if let Some(key) = key
                && mode.spread
                && let Some(r) = relations.iter_mut().find_map(|r| r.spread(e, key).then_some(r))
            {
                // Its low words have done their part: to eliminate them would undo the step.
                kept.extend(r.equations());
                continue;
            }
            if relations.iter_mut().any(|r| r.confine(e, key)) {
                continue;
            }
            let Some(key) = key else { break };
            let Some(id) = self.sys.atom(Atom(key)).node else { break };
            if let Some((above, c)) = self.chain_above(e, id) {
                self.cut_chain = true;
                if mode.complete && completed.insert(above) {
                    e.raise(above, &c);
                    continue;
                }
            }
            if mode.stop_at_selection
                && let Some(f) = self.selection(e, id)
            {
                self.selected = Some(f);
                return None;
            }
            self.stats.eliminations += 1;
            self.eliminate(e, id, mode, kept.contains(&id), flags);
            e.close(key);
        }
        flags.extend(e.terms().keys().flat_map(|m| m.atoms().iter().copied()).filter(|a| self.sys.is_flag(*a)));
        let proved = Bounded::from_expr(e, max, true);
        if proved.is_some() || self.sys.slacks().is_empty() {
            return proved;
        }
        raise_to_multiples(e);
        Bounded::from_expr(e, max, true).or_else(|| {
            subtract_what_is_below(e);
            Bounded::from_expr(e, max, true)
        })
    }

    /// The flag that a definition selects by, while it is not assumed.
    fn selection(&self, e: &Expr, id: NodeId) -> Option<Atom> {
        let node = self.sys.node(id);
        let products = node.poly.terms().iter().filter(|(m, _)| node.form == Form::Def && m.degree() > 1);
        let flag = products.flat_map(|(m, _)| m.atoms()).find(|a| self.is_mask(**a) && self.sys.is_flag(**a))?;
        e.assumed().iter().all(|(g, _)| g != flag).then_some(*flag)
    }

    /// Where the low word of a carry chain is asked for and the word that its carry goes on to is not: that word, and
    /// the coefficient that makes the carry vanish.
    fn chain_above(&self, e: &Expr, id: NodeId) -> Option<(Atom, BigInt)> {
        let node = self.sys.node(id);
        let hi = node.hi?;
        let above = *self.successors.get(&hi)?;
        let c = e.coefficient(&Mono::atom(node.lo));
        let free = c.sign() == Sign::Plus
            && e.coefficient(&Mono::atom(hi)).is_zero()
            && e.coefficient(&Mono::atom(above)).is_zero();
        (free && e.is_open(Atom(above.0 + 1)) && self.facts.get(hi).is_none())
            .then(|| (above, c * BigInt::from(node.weight.magnitude().clone())))
    }

    /// Eliminates one equation with the best multipliers known.
    fn eliminate(&mut self, e: &mut Expr<'a>, id: NodeId, mode: Mode, kept: bool, flags: &mut Vec<Atom>) {
        let sys = self.sys;
        let node = sys.node(id);
        let Some(hi) = node.hi else { return self.eliminate_single(e, id) };
        self.apply_facts(e, node, hi);
        if !self.is_live(hi)
            && !self.successors.contains_key(&hi)
            && !sys.is_flag(node.lo)
            && !e.coefficient(&Mono::atom(node.lo)).is_zero()
        {
            self.tops.push(node.lo);
        }
        let fixed = e.assumed().iter().any(|(f, _)| *f == hi);
        let folded = self.fold_squares(e, id, hi, fixed);
        for (m, _) in e.bucket(node.lo.0) {
            let strong = m.degree() > 1;
            flags.extend(m.atoms().iter().filter(|a| sys.is_flag(**a) && (strong || self.is_mask(**a))));
        }
        let follow = fixed || folded || self.facts.get(hi).is_some();
        for (cofactor, [alpha, beta]) in cofactors(e, node.lo, hi) {
            if kept && beta.is_zero() && alpha.sign() == Sign::Minus {
                continue;
            }
            let factor = self.choose(node, &alpha, &beta, follow, mode);
            e.add_equation(id, &cofactor, &factor);
        }
        self.apply_facts(e, node, hi);
    }

    /// Eliminates an equation without a high part: a number by its digits, or a low part by its congruence.
    fn eliminate_single(&self, e: &mut Expr<'a>, id: NodeId) {
        let node = self.sys.node(id);
        let Form::Digit { number } = node.form else {
            super::congruence::fold_low(e, id, node);
            return;
        };
        // What is subtracted of a number below another one is at least 0 as it is.
        let subtracted = e.coefficient(&Mono::atom(node.lo)).sign() != Sign::Plus
            && self.sys.slacks().iter().any(|(s, _)| node.poly.coefficient(&Mono::atom(*s)).is_some());
        if !subtracted {
            whole_number(e, id, number);
        }
        whole_number_in_products(e, id, number);
    }

    /// Puts what is known of a node's two parts in their place.
    fn apply_facts(&self, e: &mut Expr<'a>, node: &Node, hi: Atom) {
        for (atom, fact) in [(node.lo, self.facts.get(node.lo)), (hi, self.facts.get(hi))] {
            if let Some(fact) = fact {
                replace(e, node.lo.0, atom, |e, m, c| e.apply_fact(fact, m, c));
            }
        }
    }

    /// Folds squares of the low part, then products of both parts, where that makes them whole or the high part is a
    /// mask or fixed. Was there any?
    fn fold_squares(&self, e: &mut Expr<'a>, id: NodeId, hi: Atom, fixed: bool) -> bool {
        let node = self.sys.node(id);
        let mask = self.is_mask(hi);
        let mut folded = false;
        // Squares of the low part first: what they leave holds it once.
        for (m, c) in e.bucket(node.lo.0) {
            let rest = m.without(node.lo);
            if m.contains(node.lo)
                && rest.contains(node.lo)
                && (mask || fixed || square_of_both(e, node, hi, &rest, &c))
            {
                e.add_equation(id, &rest, &c);
                folded = true;
            }
        }
        if mask || fixed || folded {
            for (m, c) in e.bucket(node.lo.0) {
                if m.contains(node.lo) && m.without(node.lo).contains(hi) {
                    e.add_equation(id, &m.without(node.lo), &c);
                    folded = true;
                }
            }
        }
        folded
    }

    /// The multiplier for `α·lo + β·hi`.
    fn choose(&mut self, node: &Node, alpha: &BigInt, beta: &BigInt, follow: bool, mode: Mode) -> BigInt {
        let Some(hi) = node.hi else { return alpha.clone() };
        if follow && !alpha.is_zero() {
            return alpha.clone();
        }
        if let Form::Borrow { .. } = node.form {
            if beta.is_zero() && !self.is_live(hi) && !self.successors.contains_key(&hi) {
                // A last borrow that is dropped: learned, and put in afterwards.
                self.high_part(hi);
            }
            // A quotient digit keeps its surplus: what the borrow asks for is added, no more.
            let by_high = beta.div_floor(&node.weight);
            return if alpha.is_zero() || !beta.is_zero() && !mode.eager { by_high } else { alpha.clone() };
        }
        // Rounded up: what is left on hi is then not positive.
        let by_high = beta.div_ceil(&node.weight);
        if alpha.is_zero() || *beta == alpha * &node.weight {
            return by_high;
        }
        if mode.eager {
            return alpha.clone();
        }
        let is_flag = self.sys.is_flag(hi);
        let live = self.is_live(hi);
        if !live && (is_flag || beta.is_zero()) && self.high_part(hi).is_some_and(|f| f.value().as_constant().is_some())
        {
            return alpha.clone();
        }
        if beta.is_zero() {
            return if is_flag && live { alpha.clone() } else { BigInt::zero() };
        }
        by_high
    }
}

/// The terms in one of two atoms, by what stands beside it: for each cofactor the coefficients of its products with `lo`
/// and with `hi`.
fn cofactors(e: &Expr, lo: Atom, hi: Atom) -> Vec<(Mono, [BigInt; 2])> {
    let mut pairs: Vec<(Mono, [BigInt; 2])> = Vec::new();
    let mut places: FastMap<Mono, usize> = FastMap::default();
    for (m, c) in e.bucket(lo.0) {
        let (with_lo, with_hi) = (m.contains(lo), m.contains(hi));
        let part = usize::from(with_hi);
        let cofactor = m.without(if with_hi { hi } else { lo });
        if (with_lo && with_hi) || cofactor.contains(lo) || cofactor.contains(hi) {
            continue;
        }
        let place = *places.entry(cofactor).or_insert_with(|| {
            pairs.push((cofactor, [BigInt::zero(), BigInt::zero()]));
            pairs.len() - 1
        });
        pairs[place].1[part] = c;
    }
    pairs
}

/// Do `c·lo²` and the term in `lo·hi` (with the same other factors, `rest` = `lo` and these) belong to the square of
/// `lo + weight·hi`?
fn square_of_both(e: &Expr, node: &Node, hi: Atom, rest: &Mono, c: &BigInt) -> bool {
    let others = rest.without(node.lo);
    let mixed = others.times(&Mono::atom(node.lo), |_| false).and_then(|m| m.times(&Mono::atom(hi), |_| false));
    mixed.is_some_and(|m| e.coefficient(&m) == c * &node.weight * 2)
}

/// Rewrites every term of a bucket that holds `atom`.
fn replace<'a>(e: &mut Expr<'a>, key: u32, atom: Atom, mut rewrite: impl FnMut(&mut Expr<'a>, &Mono, &BigInt)) {
    for _ in 0..3 {
        let terms: Vec<(Mono, BigInt)> = e.bucket(key).into_iter().filter(|t| t.0.contains(atom)).collect();
        if terms.is_empty() {
            return;
        }
        for (m, c) in terms {
            rewrite(e, &m.without(atom), &c);
        }
    }
}

/// Uses the equation of a number that a call gave back, where its digits occur in proportion to their weights, or its
/// highest digit leads: the other digits are then raised to the proportion. (A single low digit says nothing of the
/// whole and stays.)
fn whole_number(e: &mut Expr, id: NodeId, number: u32) {
    let n = &e.system().numbers()[number as usize];
    let Some((top, greatest)) = n.digits.iter().zip(&n.weights).max_by_key(|(_, w)| *w) else { return };
    let leading = e.coefficient(&Mono::atom(*top));
    if leading.is_zero() {
        return;
    }
    let unit = div_ceil(&leading, greatest);
    // How much each digit lacks of its proportion.
    let lacks: Vec<BigInt> =
        n.digits.iter().zip(&n.weights).map(|(d, w)| &unit * w - e.coefficient(&Mono::atom(*d))).collect();
    let exact = lacks.iter().all(Zero::is_zero);
    let leads = unit.sign() == Sign::Plus && lacks.iter().all(|x| x.sign() != Sign::Minus);
    if !exact && !leads {
        return;
    }
    for (d, missing) in n.digits.iter().zip(lacks) {
        if missing.sign() == Sign::Plus {
            e.raise(*d, &missing);
        }
    }
    e.add_equation(id, &Mono::ONE, &unit);
}

/// Uses the equation of a number where its products with something occur in proportion to its digits: `u·m·x` becomes
/// `u·m` times what x is. (With u < 0 it stays: what is subtracted is at least 0 as it is.)
fn whole_number_in_products(e: &mut Expr, id: NodeId, number: u32) {
    let sys = e.system();
    let n = &sys.numbers()[number as usize];
    let node = sys.node(id);
    let Some(lowest) = n.digits.iter().zip(&n.weights).find(|(d, w)| **d == node.lo && w.is_one()).map(|(d, _)| *d)
    else {
        return;
    };
    let own = |a: &Atom| n.digits.contains(a);
    let digits = || n.digits.iter().zip(&n.weights);
    let times = |m: &Mono, d: &Atom| m.times(&Mono::atom(*d), |a| sys.is_own_square(a));
    // The square: u·x² is u·x times what x is. (The square of a digit that is 0 or 1 is the digit.)
    let square = e.coefficient(&Mono::atom(lowest).times(&Mono::atom(lowest), |_| false).unwrap_or(Mono::ONE));
    let complete = |e: &Expr, (d, w): (&Atom, &BigInt), (f, v): (&Atom, &BigInt)| {
        let expected = &square * w * v * if d == f { 1 } else { 2 };
        times(&Mono::atom(*d), f).is_some_and(|m| {
            if m.degree() == 1 { e.coefficient(&m) >= expected } else { e.coefficient(&m) == expected }
        })
    };
    if square.sign() == Sign::Plus && digits().all(|x| digits().all(|y| complete(e, x, y))) {
        for (d, w) in digits() {
            e.add_equation(id, &Mono::atom(*d), &(&square * w));
        }
    }
    for (m, unit) in e.bucket(node.lo.0) {
        let cofactor = m.without(lowest);
        let proportional =
            |e: &Expr| digits().all(|(d, w)| times(&cofactor, d).is_some_and(|m| e.coefficient(&m) == &unit * w));
        if m.contains(lowest)
            && cofactor != Mono::ONE
            && !cofactor.atoms().iter().any(own)
            && unit.sign() == Sign::Plus
            && proportional(e)
        {
            e.add_equation(id, &cofactor, &unit);
        }
    }
}

/// The numbers that bound others, by their digits.
fn bounding(sys: &System) -> FastSet<Atom> {
    sys.slacks().iter().flat_map(|(_, most)| most.terms()).filter_map(|(m, _)| m.newest()).collect()
}

/// Where a number that bounds others is subtracted, products with it are raised to as many times it as the other factor
/// can be: what both leave is a multiple of it.
fn raise_to_multiples(e: &mut Expr) {
    let bounding = bounding(e.system());
    let subtracted = |m: &Mono, c: &BigInt| {
        m.degree() == 1 && m.atoms().iter().all(|a| bounding.contains(a)) && c.sign() == Sign::Minus
    };
    if !e.terms().iter().any(|(m, c)| subtracted(m, c)) {
        return;
    }
    loop {
        let products = e.terms().iter().filter(|(m, c)| {
            m.degree() > 1 && c.sign() == Sign::Plus && m.atoms().iter().any(|a| bounding.contains(a))
        });
        let Some((m, c)) = products.map(|(m, c)| (*m, c.clone())).next() else { return };
        let Some(kept) = m.atoms().iter().rev().find(|a| bounding.contains(a)) else { return };
        let Some(factor) = m.without(*kept).newest() else { return };
        // Of two digits of such a number each is kept once.
        let half = if bounding.contains(&factor) { &c >> 1u32 } else { BigInt::zero() };
        e.raise_below(factor, &m.without(factor), &(c - &half));
        e.raise_below(*kept, &m.without(*kept), &half);
    }
}

/// A number P that is subtracted is more than one that lies below it: `−P` is `−1 − x − s` for `x = P − 1 − s`.
fn subtract_what_is_below(e: &mut Expr) {
    let sys = e.system();
    let Some((slack, most)) = sys.slacks().first() else { return };
    let related = |n: &&Node| matches!(n.form, Form::Digit { .. }) && n.poly.coefficient(&Mono::atom(*slack)).is_some();
    let Some(id) = sys.nodes().iter().position(|n| related(&n)) else { return };
    let times = most
        .terms()
        .iter()
        .filter(|(m, _)| m.degree() == 1)
        .map(|(m, c)| (-e.coefficient(m)).div_floor(c))
        .min()
        .unwrap_or_default();
    if times.sign() == Sign::Plus {
        e.add_equation(NodeId(id as u32), &Mono::ONE, &times);
    }
}
