//! Operations on numbers in ordinary words, one by one as they lie: what a scalar library does, and a test of every
//! number.
//!
//! The code is that of the plan that `tune` remembers; where it remembers none the quickest here of the first plans by
//! estimate and those that were searched on a core that ships. It computes some elements a call, one after the other,
//! beside which the next ones are tested, or one element a call, whichever is quicker.

use std::cell::Cell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use evariste_algorithms::kinds::is_canonical;
use evariste_algorithms::{Layout, Operation, layouts};
use evariste_backend::{Kind, found};
use evariste_ir::range::pow2;
use evariste_jit::{Argument, Limit, OnPairs, is_above};
use evariste_tune::cache;
use evariste_tune::choose::{Chosen, Wish, choose_for};
use evariste_tune::element_code::ElementCode;
use num_bigint::BigUint;

use crate::engine::Kernels;

/// Bits of a word.
pub(crate) const WORD: u32 = 64;
/// Words of each array that are computed before the next operand's turn comes: of the result they stay in the first cache.
const PIECE: usize = 2048;
/// The same of arrays that no cache of a core holds: so few that all operands are read side by side, as a
/// processor that reads ahead wants them.
const PIECE_BEYOND: usize = 128;
/// The most numbers of a call.
const MOST_BLOCK: usize = 16;
/// Words and rounds by which the quickest code is found.
const TRIED: usize = 512;
const ROUNDS: usize = 40;

/// An operation on numbers in ordinary words.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum WordStep {
    /// Of numbers that stand for themselves.
    Product,
    /// Of `x·2^(64n)`, n words a number.
    MontgomeryProduct,
    /// Of either.
    Sum,
}

impl WordStep {
    /// The product that an operation of arrays is.
    pub(crate) fn of(step: &Operation) -> Option<WordStep> {
        [WordStep::Product, WordStep::MontgomeryProduct].into_iter().find(|own| own.step() == *step)
    }

    /// Is it the product that needs half as many multiplications?
    pub(crate) fn is_montgomery(self) -> bool {
        self == WordStep::MontgomeryProduct
    }

    /// The operation of arrays; of sums that on elements.
    pub(crate) fn step(self) -> Operation {
        match self {
            WordStep::Product => Operation::MUL_WORDS,
            WordStep::MontgomeryProduct => Operation::MUL_MONTGOMERY_WORDS,
            WordStep::Sum => Operation::ADD,
        }
    }
}

/// From how many elements on lanes are what runs, of some number of operands.
#[derive(Default)]
pub(crate) struct Lengths {
    /// Measured when it is first asked for.
    pub lanes_from: OnceLock<usize>,
    /// Are lanes quicker of arrays beyond the caches too? Measured at the first operation on such, where they are of
    /// shorter ones.
    pub lanes_beyond: OnceLock<bool>,
}

/// An operation one by one.
pub(crate) struct OneByOne {
    plan: String,
    /// Words of a number.
    n: usize,
    one: OnPairs,
    /// Of some numbers a call, the most first.
    many: Vec<OnPairs>,
    /// The modulus; none where every number of as many words is an element.
    limit: Option<Above>,
    /// Numbers are taken to be below the modulus.
    trusted: bool,
    /// Of two operands, and of more.
    lengths: [Lengths; 2],
    /// Words of an array from which on this is not known to be quicker, of two operands and of more.
    few: [AtomicUsize; 2],
}

/// What numbers must be below.
#[derive(Clone)]
struct Above {
    words: Vec<u64>,
    /// The same of a few words.
    short: Option<Limit>,
}

/// Operations on words one by one, with tests and without, each made when it is first asked for.
#[derive(Default)]
pub(crate) struct Singles([[OnceLock<Option<OneByOne>>; 3]; 2]);

impl Singles {
    /// What was made already.
    #[inline]
    pub(crate) fn made(&self, step: WordStep, trusted: bool) -> Option<&OneByOne> {
        self.0[usize::from(trusted)][step as usize].get().and_then(Option::as_ref)
    }
}

impl Kernels {
    pub(crate) fn one_by_one(&self, step: WordStep, trusted: bool) -> Option<&OneByOne> {
        // The interpreter alone, where that was asked for.
        self.backend.as_ref()?;
        self.singles.0[usize::from(trusted)][step as usize].get_or_init(|| OneByOne::new(self, step, trusted)).as_ref()
    }
}

impl OneByOne {
    fn new(kernels: &Kernels, step: WordStep, trusted: bool) -> Option<OneByOne> {
        let n = kernels.bits.div_ceil(WORD as usize);
        let backend = found(|kind| kind == Kind::Scalar, kernels.sets.as_deref()).into_iter().next()?;
        let factor = if step.is_montgomery() { pow2(n as u32 * WORD) } else { pow2(0) };
        let as_they_lie = |layout: &Layout| {
            let own = layout.saturated() && layout.digits() == n && layout.factor() == factor;
            own && is_canonical(&kernels.field, layout)
        };
        let layout = layouts(&kernels.field, WORD).into_iter().find(as_they_lie)?;
        let wish = Wish { code: Some(backend.entry().into()), ..Wish::default() };
        let ranking = if kernels.forgets { None } else { cache::recall(&kernels.field.text()).ok().flatten() };
        let chosen = choose_for(&kernels.field, &[WORD], Some(&layout.name), ranking, wish).ok()?;
        let chosen = Chosen { code: wish.code, ..chosen };
        let operation = if step == WordStep::Sum { Operation::ADD } else { Operation::MUL };
        let limit = words_of(&kernels.limit, n).map(|words| Above { short: Limit::new(&words), words });
        // With all its blocks, and without the longest ones: the code of a block is not always as quick as calls.
        let made = |code: ElementCode| {
            let (plan, one) = (code.plan, OnPairs::new(code.one)?);
            let many: Vec<OnPairs> = code.many.into_iter().filter_map(OnPairs::new).collect();
            let limit = limit.clone();
            Some((0..=many.len()).map(move |longest| OneByOne {
                plan: plan.clone(),
                n,
                one: one.clone(),
                many: many[longest..].to_vec(),
                limit: limit.clone(),
                trusted,
                lengths: Default::default(),
                few: Default::default(),
            }))
        };
        let codes = chosen.element_codes(&*backend, &operation, 2);
        OneByOne::quickest(n, codes.into_iter().filter_map(made).flatten().collect())
    }

    /// The code that takes the least time, with the tests that it makes.
    fn quickest(n: usize, mut all: Vec<OneByOne>) -> Option<OneByOne> {
        if all.len() < 2 {
            return all.pop();
        }
        // Of numbers, time tells nothing: these are zero.
        let len = TRIED.next_multiple_of(MOST_BLOCK * n);
        let (zeros, mut out) = (vec![0u64; len], vec![0u64; len]);
        let mut least = vec![Duration::MAX; all.len()];
        for _ in 0..ROUNDS {
            for (code, least) in all.iter().zip(&mut least) {
                let begin = Instant::now();
                if code.pairs(&mut out, &zeros, &zeros).is_some() {
                    *least = (*least).min(begin.elapsed());
                }
            }
        }
        let first = (0..all.len()).min_by_key(|i| least[*i])?;
        Some(all.swap_remove(first))
    }

    /// The plan.
    pub(crate) fn plan(&self) -> &str {
        &self.plan
    }

    /// What was measured of so many operands.
    #[inline]
    pub(crate) fn lengths(&self, operands: usize) -> &Lengths {
        &self.lengths[usize::from(operands > 2)]
    }

    /// Keeps that this is quicker for arrays of fewer words.
    pub(crate) fn is_quicker_below(&self, words: usize, operands: usize) {
        self.few[usize::from(operands > 2)].store(words, Ordering::Relaxed);
    }

    /// The function of a few numbers for which it is known to be quicker, in the time of a few instructions. `false`: it
    /// is not, or something is wrong.
    #[inline]
    pub(crate) fn few(&self, out: &mut [u64], a: &[u64], b: &[u64]) -> bool {
        let len = out.len();
        if a.len() != len || b.len() != len || len >= self.few[0].load(Ordering::Relaxed) {
            return false;
        }
        if self.trusted && len == self.n { self.one.alone(out, a, b) } else { self.whole_few(out, a, b) }
    }

    /// The same of the first operand and all others.
    #[inline]
    pub(crate) fn few_of(&self, out: &mut [u64], inputs: &[&[u64]]) -> bool {
        let len = out.len();
        if inputs.iter().any(|input| input.len() != len) || len >= self.few[1].load(Ordering::Relaxed) {
            return false;
        }
        match inputs {
            [a, b, c] if self.trusted && len == self.n => self.one.alone(out, a, b) && self.one.alone_in_place(out, c),
            [_, _, _, ..] => len.is_multiple_of(self.n) && self.run(out, inputs, false) == Some(false),
            _ => false,
        }
    }

    #[inline(never)]
    fn whole_few(&self, out: &mut [u64], a: &[u64], b: &[u64]) -> bool {
        out.len().is_multiple_of(self.n) && self.pairs(out, a, b) == Some(false)
    }

    /// `out = a·b`, or `a + b`, of whole numbers in slices of one length. Is one not below the modulus? No branch depends
    /// on one, and where all are trusted none is tested. `None`: that was not done.
    #[inline]
    pub(crate) fn pairs(&self, out: &mut [u64], a: &[u64], b: &[u64]) -> Option<bool> {
        match self.n {
            1 => self.step::<1>(out, Some(a), b),
            2 => self.step::<2>(out, Some(a), b),
            3 => self.step::<3>(out, Some(a), b),
            4 => self.step::<4>(out, Some(a), b),
            5 => self.step::<5>(out, Some(a), b),
            6 => self.step::<6>(out, Some(a), b),
            7 => self.step::<7>(out, Some(a), b),
            8 => self.step::<8>(out, Some(a), b),
            9 => self.step::<9>(out, Some(a), b),
            _ => self.long_step(out, Some(a), b),
        }
    }

    /// The same of the first operand and all others, two or more in all, each of the output's length. What is computed of
    /// two is in the first cache when the third one's turn comes. Are they `beyond` the caches?
    pub(crate) fn run(&self, out: &mut [u64], inputs: &[&[u64]], beyond: bool) -> Option<bool> {
        match inputs {
            [a, b] => self.pairs(out, a, b),
            [a, b, others @ ..] => {
                let piece = if beyond { PIECE_BEYOND } else { PIECE };
                let (piece, mut any) = ((piece / self.n).next_multiple_of(MOST_BLOCK) * self.n, false);
                for (at, out) in out.chunks_mut(piece).enumerate() {
                    let range = at * piece..at * piece + out.len();
                    any |= self.pairs(out, &a[range.clone()], &b[range.clone()])?;
                    for other in others {
                        let other = &other[range.clone()];
                        any |= match self.n {
                            1 => self.step::<1>(out, None, other),
                            2 => self.step::<2>(out, None, other),
                            3 => self.step::<3>(out, None, other),
                            4 => self.step::<4>(out, None, other),
                            5 => self.step::<5>(out, None, other),
                            6 => self.step::<6>(out, None, other),
                            7 => self.step::<7>(out, None, other),
                            8 => self.step::<8>(out, None, other),
                            9 => self.step::<9>(out, None, other),
                            _ => self.long_step(out, None, other),
                        }?;
                    }
                }
                Some(any)
            }
            _ => None,
        }
    }

    /// `out = f(a, b)` of numbers of N words, or `f(out, b)`, of which then b alone is tested.
    #[inline]
    fn step<const N: usize>(&self, out: &mut [u64], a: Option<&[u64]>, b: &[u64]) -> Option<bool> {
        let Some(limit) = self.limit.as_ref().and_then(|limit| limit.short.as_ref()) else {
            return self.long_step(out, a, b);
        };
        let (mut out, mut a) = (out.as_chunks_mut::<N>().0, a.map(|a| a.as_chunks::<N>().0));
        let (mut b, mut any) = (b.as_chunks::<N>().0, false);
        for many in &self.many {
            // Blocks are of 2^k numbers.
            let whole = out.len() & !(many.words() / N - 1);
            if whole > 0 {
                let (first, rest) = out.split_at_mut(whole);
                let (x, y) = (a.map(|a| &a[..whole]), &b[..whole]);
                any |= match self.trusted {
                    true => many.blocks(first, x, y).then_some(false),
                    false => many.tested::<N>(limit, first, x, y),
                }?;
                (out, a, b) = (rest, a.map(|a| &a[whole..]), &b[whole..]);
            }
        }
        if out.is_empty() {
            return Some(any);
        }
        let words = limit.words::<N>()?;
        let done = match (a, self.trusted) {
            (Some(a), true) => self.one.each::<N>(out, a, b, |_, _| ()),
            (Some(a), false) => self.one.each::<N>(out, a, b, |a, b| any |= is_above(words, a) | is_above(words, b)),
            (None, true) => self.one.each_in_place::<N>(out, b, |_| ()),
            (None, false) => self.one.each_in_place::<N>(out, b, |b| any |= is_above(words, b)),
        };
        done.then_some(any)
    }

    /// The same by a call that checks its arguments, after all tests.
    fn long_step(&self, out: &mut [u64], a: Option<&[u64]>, b: &[u64]) -> Option<bool> {
        let tested = |any: bool, words: &[u64]| match &self.limit {
            Some(limit) if !self.trusted => {
                words.chunks_exact(self.n).fold(any, |any, number| any | is_long_above(&limit.words, number))
            }
            _ => any,
        };
        let (any, times) = (tested(a.is_some_and(|a| tested(false, a)), b), out.len() / self.n);
        let cells = Cell::from_mut(out).as_slice_of_cells();
        let first = a.map_or_else(|| Argument::from(cells), Argument::from);
        self.one.function().call_repeated(times, &[Argument::from(cells), first, Argument::from(b)]).ok()?;
        Some(any)
    }

    /// The first of these numbers that is not below the modulus.
    pub(crate) fn first_above(&self, words: &[u64]) -> Option<usize> {
        let limit = self.limit.as_ref()?;
        words.chunks_exact(self.n).position(|number| is_long_above(&limit.words, number))
    }
}

/// Is a number not below that limit? One borrow through all words.
fn is_long_above(limit: &[u64], number: &[u64]) -> bool {
    !number.iter().zip(limit).fold(false, |borrow, (x, l)| {
        let (difference, below) = x.overflowing_sub(*l);
        below | difference.overflowing_sub(u64::from(borrow)).1
    })
}

/// A number in n words, if it fits.
pub(crate) fn words_of(number: &BigUint, n: usize) -> Option<Vec<u64>> {
    let mut words = number.to_u64_digits();
    (words.len() <= n).then(|| {
        words.resize(n, 0);
        words
    })
}
