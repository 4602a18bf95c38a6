//! Operations on numbers in ordinary words, one by one as they lie: what a scalar library does, and a test of every
//! number.
//!
//! The code is that of the plan that `tune` remembers; where it remembers none the quickest here of the first plan by
//! estimate and those that were searched on a core that ships. It computes some elements a call, one after the other,
//! beside which the next ones are tested.

use std::cell::Cell;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use evariste_algorithms::kinds::is_canonical;
use evariste_algorithms::{Layout, Operation, layouts};
use evariste_backend::{Backend, Kind, found};
use evariste_ir::range::pow2;
use evariste_jit as jit;
use evariste_jit::{Argument, CallError, Function};
use evariste_tune::cache;
use evariste_tune::choose::{Chosen, Wish, choose_for};
use evariste_tune::element_code::ElementCode;
use num_bigint::BigUint;

use crate::engine::Kernels;

/// Bits of a word.
pub(crate) const WORD: u32 = 64;
/// Words of each array that are computed before the next operand's turn comes: four such fit the first cache.
const PIECE: usize = 512;
/// Words and rounds by which the quickest code is found.
const TRIED: usize = 512;
const ROUNDS: usize = 12;

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
    code: ElementCode,
    /// The modulus in words; none where every number of as many words is an element.
    limit: Option<Vec<u64>>,
    /// Of two operands, and of more.
    lengths: [Lengths; 2],
}

/// Operations on words one by one, each made when it is first asked for.
#[derive(Default)]
pub(crate) struct Singles([OnceLock<Option<OneByOne>>; 3]);

impl Singles {
    /// What was made already.
    #[inline]
    pub(crate) fn made(&self, step: WordStep) -> Option<&OneByOne> {
        self.0[step as usize].get().and_then(Option::as_ref)
    }
}

impl Kernels {
    pub(crate) fn one_by_one(&self, step: WordStep) -> Option<&OneByOne> {
        // The interpreter alone, where that was asked for.
        self.backend.as_ref()?;
        self.singles.0[step as usize].get_or_init(|| OneByOne::new(self, step)).as_ref()
    }
}

impl OneByOne {
    fn new(kernels: &Kernels, step: WordStep) -> Option<OneByOne> {
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
        let limit = words_of(&kernels.limit, n);
        let code = OneByOne::quickest(n, &chosen, &*backend, &operation)?;
        Some(OneByOne { code, limit, lengths: Default::default() })
    }

    /// The code that takes the least time, where there are several.
    fn quickest(n: usize, chosen: &Chosen, backend: &dyn Backend, operation: &Operation) -> Option<ElementCode> {
        let mut all = chosen.element_codes(backend, operation, 2);
        if all.len() < 2 {
            return all.pop();
        }
        // Of numbers, time tells nothing: these are zero.
        let len = TRIED.next_multiple_of(16 * n);
        let (zeros, mut out) = (vec![0u64; len], vec![0u64; len]);
        let mut least = vec![Duration::MAX; all.len()];
        for _ in 0..ROUNDS {
            for (code, least) in all.iter().zip(&mut least) {
                let (block, function) = code.many.as_ref().map_or((1, &code.one), |(block, many)| (*block, many));
                let begin = Instant::now();
                let arguments = [Argument::from(&mut out[..]), Argument::from(&zeros[..]), Argument::from(&zeros[..])];
                function.call_repeated(len / n / block, &arguments).ok()?;
                *least = (*least).min(begin.elapsed());
            }
        }
        let first = (0..all.len()).min_by_key(|i| least[*i])?;
        Some(all.swap_remove(first))
    }

    /// The plan.
    pub(crate) fn plan(&self) -> &str {
        &self.code.plan
    }

    /// What was measured of so many operands.
    #[inline]
    pub(crate) fn lengths(&self, operands: usize) -> &Lengths {
        &self.lengths[usize::from(operands > 2)]
    }

    /// `out` = the first operand, times or plus the others, of numbers of n words, two operands or more of the output's
    /// length. Is a number not below the modulus? No branch depends on one.
    #[inline]
    pub(crate) fn run(&self, n: usize, out: &mut [u64], inputs: &[&[u64]]) -> Result<bool, CallError> {
        match n {
            1 => self.run_in::<1>(out, inputs),
            2 => self.run_in::<2>(out, inputs),
            3 => self.run_in::<3>(out, inputs),
            4 => self.run_in::<4>(out, inputs),
            5 => self.run_in::<5>(out, inputs),
            6 => self.run_in::<6>(out, inputs),
            7 => self.run_in::<7>(out, inputs),
            8 => self.run_in::<8>(out, inputs),
            9 => self.run_in::<9>(out, inputs),
            _ => self.run_long(n, out, inputs),
        }
    }

    fn run_long(&self, n: usize, out: &mut [u64], inputs: &[&[u64]]) -> Result<bool, CallError> {
        let any = inputs.iter().fold(false, |any, input| {
            self.limit.as_deref().is_some_and(|limit| {
                input.chunks_exact(n).fold(any, |any, number| any | is_above(limit, number))
            })
        });
        let times = out.len() / n;
        let [a, b, others @ ..] = inputs else { return Ok(any) };
        self.code.one.call_repeated(times, &[Argument::from(&mut *out), Argument::from(*a), Argument::from(*b)])?;
        others.iter().try_for_each(|other| in_place(&self.code.one, times, out, other))?;
        Ok(any)
    }

    /// [`OneByOne::run`] of numbers of N words.
    fn run_in<const N: usize>(&self, out: &mut [u64], inputs: &[&[u64]]) -> Result<bool, CallError> {
        let limit = match self.limit.as_deref().map(<&[u64; N]>::try_from) {
            Some(Ok(limit)) => Some(limit),
            Some(Err(_)) => return Ok(true),
            None => None,
        };
        let [a, b, others @ ..] = inputs else { return Ok(true) };
        if others.is_empty() {
            return self.pairs::<N>(limit, out, Some(a), b);
        }
        let (piece, mut any) = ((PIECE / (16 * N)).max(1) * 16 * N, false);
        for (at, out) in out.chunks_mut(piece).enumerate() {
            let range = at * piece..at * piece + out.len();
            any |= self.pairs::<N>(limit, out, Some(&a[range.clone()]), &b[range.clone()])?;
            for other in others {
                any |= self.pairs::<N>(limit, out, None, &other[range.clone()])?;
            }
        }
        Ok(any)
    }

    /// One step: of two operands, or of what the output holds and one, of which the former is not tested.
    fn pairs<const N: usize>(
        &self,
        limit: Option<&[u64; N]>,
        out: &mut [u64],
        a: Option<&[u64]>,
        b: &[u64],
    ) -> Result<bool, CallError> {
        let mut any = false;
        let mut whole = 0;
        if let Some((block, many)) = self.code.many.as_ref().filter(|(block, _)| out.len() >= block * N) {
            whole = out.len() / (block * N) * (block * N);
            let (out, a, b) = (&mut out[..whole], a.map(|a| &a[..whole]), &b[..whole]);
            any = match (limit, a) {
                (Some(limit), _) => many.call_tested::<N>(limit, out, a, b)?,
                (None, Some(a)) => {
                    let arguments = [Argument::from(&mut *out), Argument::from(a), Argument::from(b)];
                    many.call_repeated(whole / (block * N), &arguments).map(|()| false)?
                }
                (None, None) => in_place(many, whole / (block * N), out, b).map(|()| false)?,
            };
        }
        let (out, b) = (&mut out[whole..], &b[whole..]);
        match (limit, a.map(|a| &a[whole..])) {
            _ if out.is_empty() => {}
            (Some(limit), Some(a)) => self
                .code
                .one
                .call_on_pairs::<N>(out, a, b, |a, b| any |= jit::is_above(limit, a) | jit::is_above(limit, b))?,
            (None, Some(a)) => self.code.one.call_on_pairs::<N>(out, a, b, |_, _| ())?,
            (Some(limit), None) => any |= self.code.one.call_tested::<N>(limit, out, None, b)?,
            (None, None) => in_place(&self.code.one, out.len() / N, out, b)?,
        }
        Ok(any)
    }

    /// The first of these numbers of n words that is not below the modulus.
    pub(crate) fn first_above(&self, n: usize, words: &[u64]) -> Option<usize> {
        let limit = self.limit.as_deref()?;
        words.chunks_exact(n).position(|number| is_above(limit, number))
    }
}

/// `out = f(out, b)`, so many times.
fn in_place(function: &Function, times: usize, out: &mut [u64], b: &[u64]) -> Result<(), CallError> {
    let cells = Cell::from_mut(out).as_slice_of_cells();
    function.call_repeated(times, &[Argument::from(cells), Argument::from(cells), Argument::from(b)])
}

/// Is a number not below that limit? One borrow through all words.
fn is_above(limit: &[u64], number: &[u64]) -> bool {
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
