//! Operations on numbers in ordinary words, one by one as they lie: what a scalar library does, and a test of every
//! number.
//!
//! The code is that of the plan that `tune` remembers; where it remembers none the quickest here of the first plans by
//! estimate and those that were searched on a core that ships. It computes some elements a call, one after the other,
//! beside which the next ones are tested, or one element a call, whichever is quicker.

use std::array::from_fn;
use std::cell::Cell;
use std::hint::black_box;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use evariste_algorithms::kinds::is_canonical;
use evariste_algorithms::{Layout, Operation, layouts};
use evariste_backend::{Kind, found};
use evariste_ir::range::pow2;
use evariste_jit::{Argument, Limit, OnWords, Prefetch, is_above};
use evariste_tune::cache;
use evariste_tune::choose::{Chosen, Wish, choose_for};
use evariste_tune::element_code::ElementCode;
use num_bigint::BigUint;

use crate::engine::Kernels;

/// Bits of a word.
pub(crate) const WORD: u32 = 64;
/// Words of each array that are computed before the next operand's turn comes: of the result they stay in the first cache.
const PIECE: usize = 2048;
/// The same where memory is asked for ahead: a processor waits for few cache lines.
const PIECE_AHEAD: usize = 128;
/// The most numbers of a call.
const MOST_BLOCK: usize = 16;
/// Words and rounds by which the quickest code is found.
const TRIED: usize = 512;
const ROUNDS: usize = 100;
/// Numbers of short arrays.
const FEW: usize = 8;

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
    numbers: Numbers,
    pairs: Code<1>,
    /// Sums of three operands; products are made of pairs.
    triples: Option<Code<2>>,
    /// Of two operands, and of more.
    lengths: [Lengths; 2],
    /// Words of an array from which on this is not known to be quicker, of two operands and of more.
    few: [AtomicUsize; 2],
}

/// The numbers of all arrays.
#[derive(Clone)]
struct Numbers {
    /// Words of one.
    n: usize,
    /// The modulus; none where every number of as many words is an element.
    limit: Option<Above>,
    /// They are taken to be below the modulus.
    trusted: bool,
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
    #[inline(always)]
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

    /// Code that may compute an operation of so many operands.
    fn element_codes(&self, step: WordStep, operation: &Operation, operands: usize) -> Vec<ElementCode> {
        let n = self.words_of_a_number();
        let factor = if step.is_montgomery() { pow2(n as u32 * WORD) } else { pow2(0) };
        let as_they_lie = |layout: &Layout| {
            let own = layout.saturated() && layout.digits() == n && layout.factor() == factor;
            own && is_canonical(&self.field, layout)
        };
        let found = found(|kind| kind == Kind::Scalar, self.sets.as_deref()).into_iter().next();
        let layout = layouts(&self.field, WORD).into_iter().find(as_they_lie);
        let (Some(backend), Some(layout)) = (found, layout) else { return Vec::new() };
        let wish = Wish { code: Some(backend.entry().into()), ..Wish::default() };
        let ranking = if self.forgets { None } else { cache::recall(&self.field.text()).ok().flatten() };
        let Ok(chosen) = choose_for(&self.field, &[WORD], Some(&layout.name), ranking, wish) else {
            return Vec::new();
        };
        Chosen { code: wish.code, ..chosen }.element_codes(&*backend, operation, operands)
    }

    pub(crate) fn words_of_a_number(&self) -> usize {
        self.bits.div_ceil(WORD as usize)
    }
}

/// The function of one number, which is tested before.
type Single<const R: usize> = fn(&Code<R>, &Numbers, &mut [u64], Option<&[u64]>, &[&[u64]; R]) -> bool;

/// The function of whole numbers in slices of one length, as [`Code::run`].
type Step<const R: usize> = fn(&Code<R>, &Numbers, &mut [u64], Option<&[u64]>, &[&[u64]; R]) -> Option<bool>;

/// Code of an operation on a first operand and R more.
struct Code<const R: usize> {
    plan: String,
    /// Of a number that is alone.
    one: OnWords<R>,
    /// Of some numbers a call, the most first, and of one.
    all: Vec<OnWords<R>>,
    single: Single<R>,
    step: Step<R>,
}

/// A function for numbers of that many words, from its versions for 1 to 9 words and that for more.
macro_rules! by_words {
    ($n:expr, $name:ident, $long:expr) => {
        match $n {
            1 => Self::$name::<1>,
            2 => Self::$name::<2>,
            3 => Self::$name::<3>,
            4 => Self::$name::<4>,
            5 => Self::$name::<5>,
            6 => Self::$name::<6>,
            7 => Self::$name::<7>,
            8 => Self::$name::<8>,
            9 => Self::$name::<9>,
            _ => $long,
        }
    };
}

pub(crate) use by_words;

impl<const R: usize> Code<R> {
    /// The code of a plan: with all its blocks, and without the longest ones, since the code of a block is not always as
    /// quick as calls.
    fn all(numbers: &Numbers, code: ElementCode) -> Vec<Code<R>> {
        let Some(one) = OnWords::<R>::new(code.one) else { return Vec::new() };
        let blocks = code.many.into_iter().filter_map(OnWords::new);
        let all: Vec<OnWords<R>> = blocks.chain([one.clone()]).collect();
        let single: Single<R> = by_words!(numbers.n, single, |_, _, _, _, _| false);
        let step: Step<R> = by_words!(numbers.n, step, Self::long_step);
        let made =
            |longest| Code { plan: code.plan.clone(), one: one.clone(), all: all[longest..].to_vec(), single, step };
        (0..all.len()).map(made).collect()
    }

    /// The code that takes the least time, with the tests that it makes: of some numbers a call, and of one, which may be
    /// another plan's.
    fn quickest(numbers: &Numbers, codes: Vec<ElementCode>) -> Option<Code<R>> {
        let mut all: Vec<Code<R>> = codes.into_iter().flat_map(|code| Code::all(numbers, code)).collect();
        if all.len() < 2 {
            return all.pop();
        }
        // Of numbers, time tells nothing: these are zero.
        let len = TRIED.next_multiple_of(MOST_BLOCK * numbers.n);
        let (zeros, mut out) = (vec![0u64; len], vec![0u64; len]);
        // Of all numbers a call, of a few, and of one.
        let mut least = vec![[Duration::MAX; 3]; all.len()];
        for _ in 0..ROUNDS {
            for (code, least) in all.iter().zip(&mut least) {
                for (least, count) in least.iter_mut().zip([len / numbers.n, FEW, 1]) {
                    if count > 1 || !code.has_blocks() {
                        let (begin, words) = (Instant::now(), ..count * numbers.n);
                        let calls = len / (count * numbers.n);
                        if code.calls(numbers, calls, &mut out[words], &zeros[words]) {
                            *least = (*least).min(begin.elapsed());
                        }
                    }
                }
            }
        }
        // Where lanes compute long arrays, these are short: both count.
        let first = (0..all.len()).min_by_key(|i| least[*i][0].saturating_add(least[*i][1]))?;
        let alone = (0..all.len()).filter(|i| !all[*i].has_blocks()).min_by_key(|i| least[*i][2])?;
        let (one, plan) = (all[alone].one.clone(), all[alone].plan.clone());
        let mut code = all.swap_remove(first);
        if plan != code.plan {
            code.plan = format!("{}, and single numbers by {plan}", code.plan);
        }
        Some(Code { one, ..code })
    }

    fn has_blocks(&self) -> bool {
        self.all.len() > 1
    }

    /// Calls of some numbers back to back, as whoever has no more of them makes them. `false`: they were not done.
    fn calls(&self, numbers: &Numbers, calls: usize, out: &mut [u64], zeros: &[u64]) -> bool {
        let alone = black_box(out.len() == numbers.n);
        (0..calls).all(|_| {
            let (out, others) = (black_box(&mut *out), [zeros; R]);
            let a = Some(zeros);
            if alone { self.one.alone(out, a, &others) } else { self.run(numbers, out, a, &others).is_some() }
        })
    }

    /// One number, of `a` and the others, or of what is in the output and the others, in the time of a few instructions.
    /// `false`: the slices are no numbers of N words below the limit, and nothing was done.
    fn single<const N: usize>(
        &self,
        numbers: &Numbers,
        out: &mut [u64],
        a: Option<&[u64]>,
        others: &[&[u64]; R],
    ) -> bool {
        let limit = numbers.limit.as_ref().and_then(|limit| limit.short.as_ref()).and_then(Limit::words::<N>);
        let above = |number: &[u64]| match (<&[u64; N]>::try_from(number), limit) {
            (Ok(number), Some(limit)) => is_above(limit, number),
            _ => true,
        };
        let any = a.iter().chain(others).fold(false, |any, number| any | above(number));
        !any && self.one.alone(out, a, others)
    }

    /// Numbers in slices of one length, `a` and the others, or what is in the output and the others, of which then these
    /// alone are tested. Is one not below the modulus? No branch depends on one, and where all are trusted none is
    /// tested. `None`: that was not done.
    #[inline(always)]
    fn run(&self, numbers: &Numbers, out: &mut [u64], a: Option<&[u64]>, others: &[&[u64]; R]) -> Option<bool> {
        (self.step)(self, numbers, out, a, others)
    }

    /// Of numbers of N words.
    fn step<const N: usize>(
        &self,
        numbers: &Numbers,
        out: &mut [u64],
        a: Option<&[u64]>,
        others: &[&[u64]; R],
    ) -> Option<bool> {
        let Some(limit) = numbers.limit.as_ref().and_then(|limit| limit.short.as_ref()) else {
            return self.long_step(numbers, out, a, others);
        };
        let ((out, []), a) = (out.as_chunks_mut::<N>(), a.map(|a| a.as_chunks::<N>().0)) else { return None };
        // One by one: arrays of slices are written in halves, and a processor waits where it reads them whole.
        let others: [_; R] = from_fn(|i| others[i].as_chunks::<N>().0);
        let (mut at, mut any) = (0, false);
        for code in &self.all {
            // Blocks are of 2^k numbers.
            let end = at + ((out.len() - at) & !(code.words() / N - 1));
            if end > at {
                let (out, a, others) = (&mut out[at..end], a.map(|a| &a[at..end]), from_fn(|i| &others[i][at..end]));
                any |= match numbers.trusted {
                    true => code.blocks(out, a, &others).then_some(false),
                    false => code.tested::<N>(limit, out, a, &others),
                }?;
                at = end;
            }
        }
        (at == out.len()).then_some(any)
    }

    /// By a call that checks its arguments, after all tests.
    fn long_step(&self, numbers: &Numbers, out: &mut [u64], a: Option<&[u64]>, others: &[&[u64]; R]) -> Option<bool> {
        let above = |words: &[u64]| match &numbers.limit {
            Some(limit) if !numbers.trusted => {
                words.chunks_exact(numbers.n).fold(false, |any, number| any | is_long_above(&limit.words, number))
            }
            _ => false,
        };
        let any = a.iter().chain(others).fold(false, |any, words| any | above(words));
        let times = out.len() / numbers.n;
        let cells = Cell::from_mut(out).as_slice_of_cells();
        let first = a.map_or_else(|| Argument::from(cells), Argument::from);
        let mut arguments = vec![Argument::from(cells), first];
        arguments.extend(others.iter().map(|other| Argument::from(*other)));
        self.one.function().call_repeated(times, &arguments).ok()?;
        Some(any)
    }
}

impl OneByOne {
    fn new(kernels: &Kernels, step: WordStep, trusted: bool) -> Option<OneByOne> {
        let n = kernels.words_of_a_number();
        let limit = words_of(&kernels.limit, n).map(|words| Above { short: Limit::new(&words), words });
        let numbers = Numbers { n, limit, trusted };
        let (two, three) = match step {
            WordStep::Sum => (Operation::ADD, Some(Operation::ADD_ADD)),
            WordStep::Product | WordStep::MontgomeryProduct => (Operation::MUL, None),
        };
        let pairs = Code::quickest(&numbers, kernels.element_codes(step, &two, 2))?;
        let triples = three.and_then(|three| Code::quickest(&numbers, kernels.element_codes(step, &three, 3)));
        Some(OneByOne { numbers, pairs, triples, lengths: Default::default(), few: Default::default() })
    }

    /// The plan, of so many operands.
    pub(crate) fn plan(&self, operands: usize) -> &str {
        self.triples.as_ref().filter(|_| operands > 2).map_or(&self.pairs.plan, |code| &code.plan)
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

    /// One number.
    #[inline(always)]
    fn single<const R: usize>(&self, code: &Code<R>, out: &mut [u64], a: Option<&[u64]>, others: &[&[u64]; R]) -> bool {
        match self.numbers.trusted {
            true => code.one.alone(out, a, others),
            false => (code.single)(code, &self.numbers, out, a, others),
        }
    }

    /// Of one number that is not tested, by nothing but the call.
    #[inline(always)]
    pub(crate) fn at_once(&self, out: &mut [u64], a: &[u64], b: &[u64]) -> bool {
        self.numbers.trusted && self.pairs.one.at_once(out, Some(a), &[b])
    }

    /// The same of three operands, by a call or two.
    #[inline(always)]
    pub(crate) fn at_once_of(&self, out: &mut [u64], inputs: &[&[u64]]) -> bool {
        match (inputs, &self.triples) {
            ([a, b, c], Some(code)) => self.numbers.trusted && code.one.at_once(out, Some(a), &[b, c]),
            ([a, b, c], None) => self.at_once(out, a, b) && self.pairs.one.at_once(out, None, &[c]),
            _ => false,
        }
    }

    /// Of a few numbers that are not tested, for which this is known to be quicker, by nothing but the calls. `false`: it
    /// is not, or something is wrong.
    #[inline(always)]
    pub(crate) fn few_at_once(&self, out: &mut [u64], a: &[u64], b: &[u64]) -> bool {
        self.is_quicker(out.len(), 2) && self.some_at_once(out, a, b)
    }

    /// The same of two operands or three.
    #[inline(always)]
    pub(crate) fn few_at_once_of(&self, out: &mut [u64], inputs: &[&[u64]]) -> bool {
        self.is_quicker(out.len(), inputs.len()) && self.some_at_once_of(out, inputs)
    }

    /// Of any numbers that are not tested, by nothing but the calls. `false`: something is wrong.
    #[inline(always)]
    fn some_at_once(&self, out: &mut [u64], a: &[u64], b: &[u64]) -> bool {
        self.numbers.trusted && OnWords::some_at_once(&self.pairs.all, out, Some(a), &[b])
    }

    /// The same of two operands or three.
    #[inline(always)]
    pub(crate) fn some_at_once_of(&self, out: &mut [u64], inputs: &[&[u64]]) -> bool {
        match (inputs, &self.triples) {
            ([a, b], _) => self.some_at_once(out, a, b),
            ([a, b, c], Some(code)) => self.numbers.trusted && OnWords::some_at_once(&code.all, out, Some(a), &[b, c]),
            ([a, b, c], None) => {
                self.some_at_once(out, a, b) && OnWords::some_at_once(&self.pairs.all, out, None, &[c])
            }
            _ => false,
        }
    }

    /// Are lanes known to be quicker for arrays of so many words?
    #[inline(always)]
    pub(crate) fn is_slower(&self, words: usize, operands: usize) -> bool {
        (1..=words).contains(&self.few[usize::from(operands > 2)].load(Ordering::Relaxed))
    }

    /// Is this known to be?
    #[inline(always)]
    fn is_quicker(&self, words: usize, operands: usize) -> bool {
        words < self.few[usize::from(operands > 2)].load(Ordering::Relaxed)
    }

    /// The function of a few numbers for which it is known to be quicker, in the time of a few instructions. `false`: it
    /// is not, or something is wrong.
    #[inline(always)]
    pub(crate) fn few(&self, out: &mut [u64], a: &[u64], b: &[u64]) -> bool {
        let others = [b];
        self.single(&self.pairs, out, Some(a), &others) || self.some(&self.pairs, out, a, &others)
    }

    /// The same of the first operand and all others, two or more in all.
    #[inline(always)]
    pub(crate) fn few_of(&self, out: &mut [u64], inputs: &[&[u64]]) -> bool {
        match (inputs, &self.triples) {
            ([a, b, c], Some(code)) => {
                let others = [*b, *c];
                self.single(code, out, Some(a), &others) || self.some(code, out, a, &others)
            }
            ([a, b, c], None) if out.len() == self.numbers.n => {
                self.single(&self.pairs, out, Some(a), &[b]) && self.single(&self.pairs, out, None, &[c])
            }
            _ => self.some_of(out, inputs),
        }
    }

    /// Of some numbers.
    #[inline(never)]
    fn some<const R: usize>(&self, code: &Code<R>, out: &mut [u64], a: &[u64], others: &[&[u64]; R]) -> bool {
        let len = out.len();
        let equal = a.len() == len && others.iter().all(|other| other.len() == len);
        equal && self.is_quicker(len, R + 1) && code.run(&self.numbers, out, Some(a), others) == Some(false)
    }

    /// Of some numbers and any operands.
    #[inline(never)]
    fn some_of(&self, out: &mut [u64], inputs: &[&[u64]]) -> bool {
        let len = out.len();
        let equal = self.is_quicker(len, inputs.len()) && inputs.iter().all(|input| input.len() == len);
        equal && self.run(out, inputs, false) == Some(false)
    }

    /// `out = a·b`, or `a + b`, of whole numbers in slices of one length. Is one not below the modulus? No branch depends
    /// on one, and where all are trusted none is tested. `None`: that was not done.
    #[inline]
    pub(crate) fn pairs(&self, out: &mut [u64], a: &[u64], b: &[u64]) -> Option<bool> {
        self.pairs.run(&self.numbers, out, Some(a), &[b])
    }

    /// The same of the first operand and all others, two or more in all, each of the output's length. What is computed of
    /// the first ones is in the first cache when the next one's turn comes. Memory is asked for `ahead` where that pays.
    pub(crate) fn run(&self, out: &mut [u64], inputs: &[&[u64]], ahead: bool) -> Option<bool> {
        match (inputs, &self.triples) {
            ([a, b], _) if !ahead => return self.pairs(out, a, b),
            ([a, b, c], Some(code)) if !ahead => return code.run(&self.numbers, out, Some(a), &[b, c]),
            _ => {}
        }
        let (n, piece) = (self.numbers.n, if ahead { PIECE_AHEAD } else { PIECE });
        let (piece, mut any) = ((piece / n).next_multiple_of(MOST_BLOCK) * n, false);
        for (at, out) in out.chunks_mut(piece).enumerate() {
            let range = at * piece..at * piece + out.len();
            if ahead {
                inputs.iter().for_each(|input| Prefetch::read(&input[range.clone()], 2 * piece).now());
                Prefetch::write(out, 2 * piece).now();
            }
            let (first, others) = match (inputs, &self.triples) {
                ([a, b, c, others @ ..], Some(code)) => {
                    let two = [&b[range.clone()], &c[range.clone()]];
                    (code.run(&self.numbers, out, Some(&a[range.clone()]), &two)?, others)
                }
                ([a, b, others @ ..], _) => (self.pairs(out, &a[range.clone()], &b[range.clone()])?, others),
                _ => return None,
            };
            any |= first;
            for other in others {
                any |= self.pairs.run(&self.numbers, out, None, &[&other[range.clone()]])?;
            }
        }
        Some(any)
    }
}

/// Is a number not below that limit? One borrow through all words.
pub(crate) fn is_long_above(limit: &[u64], number: &[u64]) -> bool {
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
