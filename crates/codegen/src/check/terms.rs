//! Integers as linear forms over atoms, in a normal form. **Trusted.**
//!
//! Everything that a kernel or a program computes is an integer `c + Σ kᵢ·aᵢ`: `c`, `kᵢ` integers, `aᵢ` atoms. Forms
//! are hash-consed: two forms are the same integer for every input if they have the same number (the converse does not
//! hold: what is not recognised is refused). With `N = 2^w`, a word is kept as a form modulo N, coefficients between
//! −N/2 and N/2 − 1; a flag as a form whose value is 0 or 1.
//!
//! The one atom that does the work is `Over(L) = ⌊L / N⌋`. A word given by the form L is the integer `L − N·Over(L)`, a
//! carry is `⌊(x + y + c) / N⌋`, a borrow `−⌊(x − y − b) / N⌋`, a shift right by k is `⌊2^(w−k)·x / N⌋`. With carries
//! written so, sums telescope: the order in which rows and chains were added disappears. The rules, each an identity of
//! integers:
//!
//! 1. `Over(L + N·M) = M + Over(L)`: coefficients inside `Over` are reduced modulo N.
//! 2. `Over(−1 − L) = −1 − Over(L)`: one of the two is kept. So `x < 1` is `not (x ≠ 0)`, and a borrow is the
//!    complement of the carry of `x + not y + 1`.
//! 3. `Over(L) = q` when bounds of the atoms give `qN ≤ L < (q + 1)N`. And `Over(2^s·L)` is the sign of L, −1 or 0, for
//!    every s for which they give `−N ≤ 2^s·L < N`; for `L + 2^(w−s)·M` it is that and M.
//! 4. `Over(c + k·f) = Over(c) + f·(Over(c + k) − Over(c))` for a flag f: both cases are known.
//! 5. `f·(c + Σ kᵢ·aᵢ) = c·f + Σ kᵢ·(f·aᵢ)`, `(1 − f)·a = a − f·a`, `f·f = f`, `f·b = (1 − c)·f` for `f = c + b`,
//!    products of flags in one order.
//! 6. `⌊((p xor q) − 1) / N⌋` is −1 where p = q, else 0; `⌊((p xor q) + 1) / N⌋` is 1 where p = not q, else 0: written
//!    with the difference.
//! 7. `x − y` is z and borrows where the sum carried, for the sum `x = y + z − 2^n·carry` of two words below 2^n; and
//!    so for what a difference was taken from.
//! 8. `Over(H + r) = Over(H)` where H is a multiple of 2^s, s ≤ w, and `0 ≤ r < 2^s`: what lies below the lowest bit of
//!    H changes no quotient by N.
//! 9. `d + z` carries where `x − y` borrowed, for the difference `d = x − y + 2^n·borrow` and a word z, if bounds give
//!    `0 ≤ x − y + z < 2^n`; or `0 ≤ x − y + z` for a z that is 0 where the difference did not borrow.
//! 10. An equation that holds for every admissible input (`learn_zero`) defines its newest atom by older ones. The width
//!     w is 64 in use and 3 or 4 in the tests, which evaluate every form on all operands.

mod bounds;
mod differences;
mod forms;
mod products;
mod quotient;
#[cfg(test)]
mod tests;

use std::cell::Cell;

use self::bounds::{gcd, meet};
pub use self::forms::{Forms, Linear, Part};
use super::calls::Call;
use super::mixer::Map;
use super::words::FloatOp;

/// A form: an index into the table of all forms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Lin(pub u32);

/// A word, as a form reduced modulo N: its value is the form modulo N.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Word(pub Lin);

/// A flag, as a form whose value is 0 or 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Flag(pub Lin);

/// An index into the table of atoms. Atoms are numbered in order of creation: an atom is made of older ones only.
pub type AtomId = u32;

/// What is not a sum. Words inside are in normal form, pairs in order of their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Atom {
    /// A word (or part of one) that nothing is known of but its bounds.
    Unknown(u32),
    /// `⌊form / N⌋`, for a reduced form.
    Over(Lin),
    /// `x·y mod N`.
    MulLo(Word, Word),
    /// `⌊x·y / N⌋`.
    MulHi(Word, Word),
    /// `x·y mod 2^k` of two words below 2^k, where nobody needs to know more of it.
    PartLo(u8, Word, Word),
    /// `⌊x·y / 2^k⌋` of the same.
    PartHi(u8, Word, Word),
    /// The low word of the carry-less product of two words, of which nothing else is known.
    ClmulLo(Word, Word),
    /// Its high word.
    ClmulHi(Word, Word),
    /// The product of two bytes modulo x^8 + x^4 + x^3 + x + 1.
    RijndaelMul(Word, Word),
    /// The sum of the images of the bits of a byte.
    BitMatrix(u64, Word),
    /// The entry of the how many-th table at an index that is one of its places.
    LookUp(u32, Word),
    /// Bitwise and.
    And(Word, Word),
    /// Bitwise exclusive or.
    Xor(Word, Word),
    /// The pattern of a sum, difference, product or product plus sum of doubles: an operation of which nothing is known
    /// but that it is a function of its operands.
    Float(FloatOp, Word, Word, Word),
    /// Element i of what a call of a kernel leaves in its outputs: a function of its inputs, of which the kernel's ranges
    /// are known. Which call: [`Terms::call`].
    Result(u32, u32),
    /// Flag times atom.
    Times(Flag, AtomId),
    /// Flag times a long form that is not multiplied out.
    TimesLong(Flag, Lin),
}

/// Bounds of an integer; `None`: nothing is known.
pub type Bounds = Option<(i128, i128)>;

/// The greatest absolute value of a constant or coefficient. What is computed of two of them stays within 128 bits, or
/// is a checked operation: this must not rest on how the crate is compiled.
const MOST: i128 = 1 << 126;

/// Parts of all forms together, at most: some two gigabytes. A loop without end could fill the memory within the
/// instructions that it is given, since each sum may be longer than the one before.
const MOST_PARTS: usize = 1 << 25;

/// The table of all forms, atoms and facts.
pub struct Terms {
    w: u32,
    forms: Forms,
    /// Room for the parts of a form that is being made.
    parts: Vec<Part>,
    /// Room for the forms that it is the sum of.
    work: Vec<(Lin, i128)>,
    atoms: Vec<Atom>,
    bounds: Vec<Bounds>,
    pub(super) atom_of: Map<Atom, AtomId>,
    /// What an atom was found to be.
    defined: Vec<Option<Lin>>,
    /// Bounds of whole forms that their atoms' bounds do not give.
    known: Map<Lin, (i128, i128)>,
    /// Bounds of words, as values in 0..N.
    word_known: Map<Lin, (i128, i128)>,
    /// Reduced forms L whose `Over(L)` is known by the sign of a difference.
    signs: Map<Lin, Lin>,
    /// Flags by the direction of their form, the newest coefficient positive: `direction ↦ c` where c + direction is a
    /// flag.
    flags: Map<Lin, i128>,
    unknowns: u32,
    /// Sums of two words of n bits: `(sum, one of them, n) ↦ (the other, the carry)`.
    sums: Map<(Word, Word, u32), (Word, Flag)>,
    /// Differences of two words of n bits: `(difference modulo 2^n, n) ↦ (the difference, the borrow)`.
    differences: Map<(Word, u32), (Lin, Flag)>,
    /// Calls of kernels, each a kernel's number and its inputs.
    pub(super) calls: Vec<Call>,
    pub(super) call_of: Map<Call, u32>,
    /// Tables in which words are looked up.
    pub(super) tables: Vec<Vec<u64>>,
    /// How often something new was learned of forms that were there already: what was computed of one since the last
    /// time is what it would be now.
    facts: u64,
    /// Of each form its bounds and its quotient, with what `facts` was then; 0: never.
    bounds_then: Vec<Cell<(u64, Bounds)>>,
    over_then: Vec<(u64, Lin)>,
    /// Are products of words of which one is 2^(w/2) or more sums of products of their halves?
    pub split_products: bool,
    /// Are the halves of a product of 52 bits atoms of their own? Where machine and kernel have the same operation for
    /// them, nothing else is needed.
    pub whole_products: bool,
    /// Are entries of tables atoms of their own, for the same reason? Else they are read by a scan.
    pub whole_look_ups: bool,
    /// A coefficient left 128 bits, or an equation contradicts itself: whoever compares must refuse.
    pub poisoned: Option<&'static str>,
}

impl Terms {
    /// An empty table for words of `w` bits, 2 to 64.
    pub fn new(w: u32) -> Terms {
        Terms {
            w,
            forms: Forms::new(MOST_PARTS),
            parts: Vec::new(),
            work: Vec::new(),
            atoms: Vec::new(),
            bounds: Vec::new(),
            atom_of: Map::default(),
            defined: Vec::new(),
            known: Map::default(),
            word_known: Map::default(),
            signs: Map::default(),
            flags: Map::default(),
            unknowns: 0,
            sums: Map::default(),
            differences: Map::default(),
            calls: Vec::new(),
            call_of: Map::default(),
            tables: Vec::new(),
            facts: 1,
            bounds_then: Vec::new(),
            over_then: Vec::new(),
            split_products: false,
            whole_products: false,
            whole_look_ups: false,
            poisoned: None,
        }
    }

    /// Bits of a word.
    pub fn width(&self) -> u32 {
        self.w
    }

    /// `N = 2^w`.
    pub fn n(&self) -> i128 {
        1 << self.w
    }

    /// The content of a form.
    pub fn form(&self, l: Lin) -> Linear<'_> {
        self.forms.get(l)
    }

    /// An atom.
    pub fn atom(&self, a: AtomId) -> Atom {
        self.atoms[a as usize]
    }

    /// Bounds of an atom.
    pub fn atom_bounds(&self, a: AtomId) -> Bounds {
        self.bounds[a as usize]
    }

    /// What an atom was found to be.
    pub fn definition(&self, a: AtomId) -> Option<Lin> {
        self.defined[a as usize]
    }

    /// Forms and atoms made so far.
    pub fn size(&self) -> (usize, usize) {
        (self.forms.count(), self.atoms.len())
    }

    fn intern(&mut self, form: Linear) -> Lin {
        match self.forms.intern(form) {
            Ok(l) => {
                if l.0 as usize == self.over_then.len() {
                    self.bounds_then.push(Cell::new((0, None)));
                    self.over_then.push((0, l));
                }
                l
            }
            Err(why) => {
                self.poison(why);
                Lin(0)
            }
        }
    }

    /// The form of these parts, in room that is used again.
    fn intern_parts(&mut self, constant: i128, parts: Vec<Part>) -> Lin {
        let l = self.intern(Linear { constant, parts: &parts });
        self.parts = parts;
        l
    }

    /// Empty room for parts.
    fn room(&mut self) -> Vec<Part> {
        let mut parts = std::mem::take(&mut self.parts);
        parts.clear();
        parts
    }

    fn poison(&mut self, why: &'static str) {
        self.poisoned.get_or_insert(why);
    }

    /// A constant.
    pub fn constant(&mut self, c: i128) -> Lin {
        self.intern(Linear { constant: c, parts: &[] })
    }

    /// The value of a form without atoms.
    pub fn as_constant(&self, l: Lin) -> Option<i128> {
        let form = self.form(l);
        form.parts.is_empty().then_some(form.constant)
    }

    /// `constant + Σ k·form`, with what atoms were found to be put in.
    pub fn sum(&mut self, terms: &[(Lin, i128)], constant: i128) -> Lin {
        match self.try_sum(terms, constant) {
            Some(l) => l,
            None => {
                self.poison("a coefficient leaves 126 bits");
                self.constant(0)
            }
        }
    }

    /// As [`Terms::sum`]; `None` when a coefficient would leave ±`MOST`.
    pub fn try_sum(&mut self, terms: &[(Lin, i128)], constant: i128) -> Option<Lin> {
        let (mut parts, mut work) = (self.room(), std::mem::take(&mut self.work));
        work.clear();
        work.extend_from_slice(terms);
        let total = self.add_up(&mut parts, &mut work, constant);
        self.work = work;
        Some(self.intern_parts(total?, parts))
    }

    /// Adds up the forms in `work`: the constant part, and the parts in their normal form.
    fn add_up(&self, parts: &mut Vec<Part>, work: &mut Vec<(Lin, i128)>, constant: i128) -> Option<i128> {
        let mut total = constant;
        while let Some((l, k)) = work.pop() {
            let form = self.form(l);
            total = total.checked_add(form.constant.checked_mul(k)?)?;
            for (a, c) in form.parts {
                let c = c.checked_mul(k)?;
                match self.defined[*a as usize] {
                    Some(other) => work.push((other, c)),
                    None => parts.push((*a, c)),
                }
            }
        }
        parts.sort_unstable_by_key(|p| p.0);
        let mut too_long = false;
        parts.dedup_by(|next, last| {
            let same = next.0 == last.0;
            if same {
                match last.1.checked_add(next.1) {
                    Some(sum) => last.1 = sum,
                    None => too_long = true,
                }
            }
            same
        });
        parts.retain(|p| p.1 != 0);
        let within = |c: &i128| (-MOST..=MOST).contains(c);
        (!too_long && within(&total) && parts.iter().all(|p| within(&p.1))).then_some(total)
    }

    /// The form of one atom.
    pub fn atom_form(&mut self, a: AtomId) -> Lin {
        match self.defined[a as usize] {
            Some(l) => self.sum(&[(l, 1)], 0),
            None => self.intern(Linear { constant: 0, parts: &[(a, 1)] }),
        }
    }

    /// An atom as a form; `bounds` are those of a new one.
    pub fn make(&mut self, atom: Atom, bounds: Bounds) -> Lin {
        let a = match self.atom_of.get(&atom) {
            Some(a) => *a,
            None => {
                let a = self.atoms.len() as AtomId;
                self.atoms.push(atom);
                self.bounds.push(bounds);
                self.defined.push(None);
                self.atom_of.insert(atom, a);
                a
            }
        };
        self.atom_form(a)
    }

    /// A fresh integer with these bounds.
    pub fn unknown(&mut self, lo: i128, hi: i128) -> Lin {
        self.unknowns += 1;
        let atom = Atom::Unknown(self.unknowns - 1);
        if lo == hi { self.constant(lo) } else { self.make(atom, Some((lo, hi))) }
    }

    /// Bounds of a form's value.
    pub fn bounds(&self, l: Lin) -> Bounds {
        let then = &self.bounds_then[l.0 as usize];
        if then.get().0 != self.facts {
            let form = self.form(l);
            then.set((self.facts, meet(self.bounds_of(form.constant, form.parts.iter()), self.known.get(&l).copied())));
        }
        then.get().1
    }

    /// Bounds of a sum by those of its atoms.
    fn bounds_of<'p>(&self, constant: i128, mut parts: impl Iterator<Item = &'p (AtomId, i128)>) -> Bounds {
        parts.try_fold((constant, constant), |(lo, hi), (a, k)| {
            let (x, y) = self.bounds[*a as usize]?;
            let (x, y) = (x.checked_mul(*k)?, y.checked_mul(*k)?);
            Some((lo.checked_add(x.min(y))?, hi.checked_add(x.max(y))?))
        })
    }

    /// Bounds of a word's value, within 0..N.
    pub fn word_bounds(&mut self, x: Word) -> (i128, i128) {
        if let Some(c) = self.as_constant(x.0) {
            let c = c.rem_euclid(self.n());
            return (c, c);
        }
        let top = self.n() - 1;
        let over = self.over(x.0);
        let mut found = meet(Some((0, top)), self.word_known.get(&x.0).copied());
        if self.as_constant(over) == Some(0) {
            found = meet(found, self.bounds(x.0));
        }
        found.map_or((0, top), |(lo, hi)| (lo.clamp(0, top), hi.clamp(0, top)))
    }

    /// States bounds of a form's value.
    pub fn bound_form(&mut self, l: Lin, lo: i128, hi: i128) {
        if let Some(new) = meet(self.known.get(&l).copied(), Some((lo, hi))) {
            self.facts += u64::from(self.known.insert(l, new) != Some(new));
        }
    }

    /// States bounds of an atom.
    fn bound_atom(&mut self, a: AtomId, lo: i128, hi: i128) {
        let (old, bounds) = (self.bounds[a as usize], &mut self.bounds[a as usize]);
        *bounds = meet(old, Some((lo, hi)));
        self.facts += u64::from(*bounds != old);
    }

    /// States bounds of a word.
    pub fn bound_word(&mut self, x: Word, lo: i128, hi: i128) {
        let old = self.word_known.get(&x.0).copied();
        if let Some(new) = meet(old, Some((lo, hi))) {
            self.facts += u64::from(self.word_known.insert(x.0, new) != Some(new));
        }
        // Where the form itself lies in 0..N it is the word's value.
        let over = self.over(x.0);
        if self.as_constant(over) != Some(0) {
            return;
        }
        self.bound_form(x.0, lo, hi);
        let form = self.form(x.0);
        if let (0, &[(a, 1)]) = (form.constant, form.parts) {
            self.bound_atom(a, lo, hi);
        }
    }

    /// `L = reduced + N·rest`.
    pub fn reduce(&mut self, l: Lin) -> (Lin, Lin) {
        let n = self.n();
        let form = self.form(l);
        let split = |k: i128| {
            let (low, high) = (k.rem_euclid(n), k.div_euclid(n));
            if low < n / 2 { (low, high) } else { (low - n, high + 1) }
        };
        let small = |k: i128| -n / 2 <= k && k < n / 2;
        if small(form.constant) && form.parts.iter().all(|p| small(p.1)) {
            let zero = self.constant(0);
            return (l, zero);
        }
        let (constant, constant_rest) = split(form.constant);
        let halves = form.parts.iter().map(|(a, k)| (*a, split(*k)));
        let (mut reduced, mut rest) = (Vec::with_capacity(form.parts.len()), Vec::new());
        for (a, (low, high)) in halves {
            reduced.extend((low != 0).then_some((a, low)));
            rest.extend((high != 0).then_some((a, high)));
        }
        let reduced = self.intern(Linear { constant, parts: &reduced });
        (reduced, self.intern(Linear { constant: constant_rest, parts: &rest }))
    }

    /// A form that depends on one flag only: the flag (its newest coefficient positive), and the form's values where it
    /// is 0 and where it is 1.
    pub fn flag_cases(&mut self, l: Lin) -> Option<(Flag, i128, i128)> {
        let (constant, content) = (self.form(l).constant, self.content(l));
        if content == 0 {
            return None;
        }
        let mut direction = self.room();
        let form = self.form(l);
        // The form is constant + k·direction.
        let k = if form.parts.last()?.1 < 0 { -content } else { content };
        direction.extend(form.parts.iter().map(|p| (p.0, p.1 / k)));
        let found = self.forms.find(Linear { constant: 0, parts: &direction });
        self.parts = direction;
        let direction = found?;
        let c = *self.flags.get(&direction)?;
        // direction = flag − c
        let at = |f: i128| {
            let value = constant.checked_add(k.checked_mul(f.checked_sub(c)?)?)?;
            (-MOST..=MOST).contains(&value).then_some(value)
        };
        let (at0, at1) = (at(0)?, at(1)?);
        let flag = self.sum(&[(direction, 1)], c);
        Some((Flag(flag), at0, at1))
    }

    /// Declares that a form is a flag.
    pub fn flag(&mut self, l: Lin) -> Flag {
        let Linear { constant, parts } = self.form(l);
        let Some(last) = parts.last() else {
            if !(0..=1).contains(&constant) {
                self.poison("a flag that is neither 0 nor 1");
            }
            return Flag(l);
        };
        let s = last.1.signum();
        if self.content(l) == 1 {
            let direction = self.sum(&[(l, s)], -s * constant);
            // Where s = −1, the complement is the one kept: 1 − flag = 1 − constant + direction.
            let at = if s > 0 { constant } else { 1 - constant };
            self.facts += u64::from(self.flags.insert(direction, at) != Some(at));
        }
        let complement = self.sum(&[(l, -1)], 1);
        for flag in [l, complement] {
            self.facts += u64::from(self.known.insert(flag, (0, 1)) != Some((0, 1)));
        }
        if let Linear { constant: 0, parts: &[(a, 1)] } = self.form(l) {
            self.bound_atom(a, 0, 1);
        }
        Flag(l)
    }

    /// States that a form is 0 for every admissible input.
    pub fn learn_zero(&mut self, l: Lin) {
        // Put in what is known by now.
        let l = self.sum(&[(l, 1)], 0);
        let mut others = self.room();
        let Linear { constant, parts } = self.form(l);
        match parts.split_last() {
            None if constant != 0 => self.poison("an equation contradicts itself"),
            // The newest atom is made of older ones, and so are the other parts: no definition goes in a circle.
            Some((&(a, k), older)) if k.abs() == gcd(constant, self.content(l)) => {
                others.extend(older.iter().map(|p| (p.0, -p.1 / k)));
                let rest = self.intern_parts(-constant / k, others);
                self.defined[a as usize] = Some(rest);
                self.facts += 1;
            }
            _ => {}
        }
    }

    /// The greatest common divisor of a form's coefficients; 0 of a constant.
    fn content(&self, l: Lin) -> i128 {
        let divisor = self.form(l).parts.iter().try_fold(0, |g, p| match gcd(g, p.1) {
            1 => Err(1),
            g => Ok(g),
        });
        divisor.unwrap_or_else(|one| one)
    }

    /// `1 − flag`.
    pub fn complement(&mut self, flag: Flag) -> Flag {
        let l = self.sum(&[(flag.0, -1)], 1);
        self.flag(l)
    }
}
