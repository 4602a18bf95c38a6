//! Products of numbers in ordinary words: in lanes, to which words are brought and from which they return, or one by one
//! as they lie.
//!
//! One by one is the code that a scalar library has: the plan of the product that `tune` remembers, else the first by
//! estimate. Which of both ways is quicker is measured when a product is first asked for, at lengths that are powers of
//! two; lanes are what runs from the length on from which they gain most. Of arrays beyond the caches, which lanes read
//! and write less evenly, the first product goes both ways, a part each in turn, and the quicker way is what runs from
//! then on. Both give the same numbers.

use std::fmt;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use evariste_algorithms::kinds::is_canonical;
use evariste_algorithms::{Layout, Operation, layouts};
use evariste_backend::{Kind, found};
use evariste_ir::range::pow2;
use evariste_jit as jit;
use evariste_jit::{Argument, CallError, Function};
use evariste_tune::cache;
use evariste_tune::choose::{Chosen, Wish, choose_for};
use num_bigint::BigUint;

use crate::code::In;
use crate::engine::{Engine, Kernels};
use crate::error::ArrayError;
use crate::storage::Scratch;
use crate::transpose::{from_lanes, to_lanes};
use crate::walk::same_length;

/// Bits of a word.
const WORD: u32 = 64;
/// Words of an array that is one chunk: three such fit the first cache.
const FEW: usize = 1024;
/// The longest product, in elements, that both ways are timed with, and how often.
const LONGEST: usize = 1024;
const ROUNDS: usize = 7;

/// Bytes of both factors and their product that no cache of a core holds.
const BEYOND: usize = 48 << 20;
/// Parts of the first product that long, which go one way and the other by turns.
const PARTS: usize = 8;

/// Products one by one.
pub(crate) struct OneByOne {
    plan: String,
    product: Function,
    /// The modulus in words; none where every number of as many words is an element.
    limit: Option<Vec<u64>>,
    /// From how many elements on lanes are quicker; measured at the first product.
    lanes_from: OnceLock<usize>,
    /// Are lanes quicker of arrays beyond the caches too? Measured at the first product of such, where they are of shorter
    /// ones.
    lanes_beyond: OnceLock<bool>,
}

impl OneByOne {
    fn new(kernels: &Kernels, form: WordForm) -> Option<OneByOne> {
        let n = kernels.bits.div_ceil(WORD as usize);
        let backend = found(|kind| kind == Kind::Scalar, kernels.sets.as_deref()).into_iter().next()?;
        let factor = match form {
            WordForm::Plain => pow2(0),
            WordForm::Montgomery => pow2(n as u32 * WORD),
        };
        let as_they_lie = |layout: &Layout| {
            let own = layout.saturated() && layout.digits() == n && layout.factor() == factor;
            own && is_canonical(&kernels.field, layout)
        };
        let layout = layouts(&kernels.field, WORD).into_iter().find(as_they_lie)?;
        let wish = Wish { code: Some(backend.entry().into()), ..Wish::default() };
        let ranking = if kernels.forgets { None } else { cache::recall(&kernels.field.text()).ok().flatten() };
        let chosen = choose_for(&kernels.field, &[WORD], Some(&layout.name), ranking, wish).ok()?;
        let chosen = Chosen { code: wish.code, ..chosen };
        let (plan, product) = chosen.element_code(&*backend, &Operation::MUL, 2)?;
        Some(OneByOne {
            plan,
            product,
            limit: words_of(&kernels.limit, n),
            lanes_from: OnceLock::new(),
            lanes_beyond: OnceLock::new(),
        })
    }

    /// The products of all these, each number tested beside the product before it. Is one of them not below the modulus?
    /// No branch depends on a number.
    fn products(&self, n: usize, out: &mut [u64], a: &[u64], b: &[u64]) -> Result<bool, CallError> {
        match n {
            1 => self.pairs::<1>(out, a, b),
            2 => self.pairs::<2>(out, a, b),
            3 => self.pairs::<3>(out, a, b),
            4 => self.pairs::<4>(out, a, b),
            5 => self.pairs::<5>(out, a, b),
            6 => self.pairs::<6>(out, a, b),
            7 => self.pairs::<7>(out, a, b),
            8 => self.pairs::<8>(out, a, b),
            9 => self.pairs::<9>(out, a, b),
            _ => {
                let above = |limit: &[u64], words: &[u64]| {
                    words.chunks_exact(n).fold(false, |any, number| any | is_above(limit, number))
                };
                let any = self.limit.as_deref().is_some_and(|limit| above(limit, a) | above(limit, b));
                let arguments = [Argument::from(&mut *out), Argument::from(a), Argument::from(b)];
                self.product.call_repeated(a.len() / n, &arguments).map(|()| any)
            }
        }
    }

    /// [`OneByOne::products`] of numbers of N words.
    fn pairs<const N: usize>(&self, out: &mut [u64], a: &[u64], b: &[u64]) -> Result<bool, CallError> {
        let mut any = false;
        match self.limit.as_deref().map(<&[u64; N]>::try_from) {
            Some(Ok(limit)) => self
                .product
                .call_on_pairs::<N>(out, a, b, |a, b| any |= jit::is_above(limit, a) | jit::is_above(limit, b))?,
            Some(Err(_)) => any = true,
            None => self.product.call_on_pairs::<N>(out, a, b, |_, _| ())?,
        }
        Ok(any)
    }

    /// The first of these numbers of n words that is not below the modulus.
    fn first_above(&self, n: usize, words: &[u64]) -> Option<usize> {
        let limit = self.limit.as_deref()?;
        words.chunks_exact(n).position(|number| is_above(limit, number))
    }
}

/// Is a number not below that limit? One borrow through all words.
#[inline(always)]
fn is_above(limit: &[u64], number: &[u64]) -> bool {
    !number.iter().zip(limit).fold(false, |borrow, (x, l)| {
        let (difference, below) = x.overflowing_sub(*l);
        below | difference.overflowing_sub(u64::from(borrow)).1
    })
}

/// How many elements of n words so many words hold, without a division where n is usual.
fn quotient(words: usize, n: usize) -> usize {
    match n {
        1 => words,
        2 => words / 2,
        4 => words / 4,
        6 => words / 6,
        _ => words / n,
    }
}

/// A number in n words, if it fits.
fn words_of(number: &BigUint, n: usize) -> Option<Vec<u64>> {
    let mut words = number.to_u64_digits();
    (words.len() <= n).then(|| {
        words.resize(n, 0);
        words
    })
}

/// What numbers in words stand for.
#[derive(Clone, Copy)]
pub(crate) enum WordForm {
    /// Themselves.
    Plain,
    /// `x·2^(64n)`.
    Montgomery,
}

impl WordForm {
    /// That of the operands of an operation of arrays.
    pub(crate) fn of(step: &Operation) -> Option<WordForm> {
        [WordForm::Plain, WordForm::Montgomery].into_iter().find(|form| form.step() == *step)
    }

    /// Is it the one that needs half as many multiplications?
    pub(crate) fn is_montgomery(self) -> bool {
        matches!(self, WordForm::Montgomery)
    }

    /// Their product.
    fn step(self) -> Operation {
        match self {
            WordForm::Plain => Operation::MUL_WORDS,
            WordForm::Montgomery => Operation::MUL_MONTGOMERY_WORDS,
        }
    }
}

/// How products of numbers in ordinary words are computed, and at which lengths.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProductsOfWords {
    /// The plan by which numbers are multiplied one by one as they lie; `None`: there is no such code.
    pub one_by_one: Option<String>,
    /// Plan and shape of the code that brings words to lanes and back; `None`: there is no such code.
    pub lanes: Option<String>,
    /// From how many elements on lanes are what runs; `None`: at no length.
    pub lanes_from: Option<usize>,
    /// Are they what runs of arrays beyond the caches? `None`: that is measured at the first product of such.
    pub lanes_beyond_caches: Option<bool>,
}

impl fmt::Display for ProductsOfWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (lanes, one_by_one) = (self.lanes.as_deref().unwrap_or_default(), self.one_by_one.as_deref());
        let beyond = if self.lanes_beyond_caches == Some(false) { " and beyond the caches" } else { "" };
        match (self.lanes_from, one_by_one) {
            (None, Some(plan)) => write!(f, "one by one: {plan}"),
            (Some(from), Some(plan)) if from > 1 || !beyond.is_empty() => {
                write!(f, "below {from} elements{beyond} one by one: {plan}; else {lanes}")
            }
            _ => f.write_str(lanes),
        }
    }
}

/// Products of words one by one, of each form.
#[derive(Default)]
pub(crate) struct Singles([OnceLock<Option<OneByOne>>; 2]);

impl Kernels {
    fn one_by_one(&self, form: WordForm) -> Option<&OneByOne> {
        // The interpreter alone, where that was asked for.
        self.backend.as_ref()?;
        self.singles.0[form as usize].get_or_init(|| OneByOne::new(self, form)).as_ref()
    }
}

/// Numbers in ordinary words: where the product goes, and its factors.
struct Words<'a> {
    out: &'a mut [u64],
    a: &'a [u64],
    b: &'a [u64],
}

impl Engine {
    /// `out = a·b` of canonical numbers in ordinary words, chunk by chunk: nothing but them goes through memory, and
    /// nothing but words is stored in between.
    ///
    /// # Errors
    /// A number that is not below the modulus; slices of different length, or of no whole number of elements. After an
    /// error there may be anything in the output.
    pub fn mul_words_into(&self, out: &mut [u64], a: &[u64], b: &[u64]) -> Result<(), ArrayError> {
        if self.few_one_by_one(WordForm::Plain, out, a, b) {
            return Ok(());
        }
        self.words_into(WordForm::Plain, Words { out, a, b })
    }

    /// Multiplies numbers in the Montgomery form of scalar libraries, `x·2^(64n) mod p` in n words; the product is in
    /// that form too. Takes half as many multiplications as [`Engine::mul_words_into`].
    ///
    /// # Errors
    /// As [`Engine::mul_words_into`]; [`ArrayError::Kernel`] where the layout has no Montgomery form, or a factor below
    /// `2^(64n)`.
    pub fn mul_montgomery_words_into(&self, out: &mut [u64], a: &[u64], b: &[u64]) -> Result<(), ArrayError> {
        if self.few_one_by_one(WordForm::Montgomery, out, a, b) {
            return Ok(());
        }
        self.words_into(WordForm::Montgomery, Words { out, a, b })
    }

    /// Multiplies a few numbers one by one, where that is known to be quicker, in the time of a few instructions. `false`:
    /// that was not so, or something is wrong, and [`Engine::words_into`] says what.
    #[inline]
    fn few_one_by_one(&self, form: WordForm, out: &mut [u64], a: &[u64], b: &[u64]) -> bool {
        let (len, n) = (out.len(), self.words_per_element());
        if a.len() != len || b.len() != len || len > FEW {
            return false;
        }
        let Some(Some(single)) = self.kernels.singles.0[form as usize].get() else { return false };
        let count = quotient(len, n);
        let fewer = single.lanes_from.get().is_some_and(|from| count < *from);
        fewer && count * n == len && matches!(single.products(n, out, a, b), Ok(false))
    }

    fn words_into(&self, form: WordForm, words: Words) -> Result<(), ArrayError> {
        let (Words { out, a, b }, n) = (&words, self.words_per_element());
        let count = quotient(out.len(), n);
        if count * n != out.len() || a.len() != out.len() || b.len() != out.len() {
            let split = [out.len(), a.len(), b.len()].into_iter().find(|len| len % n != 0);
            split.map_or(Ok(()), |given| Err(ArrayError::Pieces { unit: "words", given, per_element: n }))?;
            same_length(form.step().row().name, count, a.len() / n)?;
            same_length(form.step().row().name, count, b.len() / n)?;
        }
        match self.kernels.one_by_one(form) {
            Some(single) if count < self.lanes_from(form, single) => self.one_by_one(form, single, words),
            Some(single) if 3 * size_of_val(words.out) > BEYOND => match single.lanes_beyond.get() {
                Some(true) => self.in_lanes(form, words),
                Some(false) => self.one_by_one(form, single, words),
                None => self.by_turns(form, single, words),
            },
            _ => self.in_lanes(form, words),
        }
    }

    /// A long product by both ways, a part each in turn; remembers which took less time in its best part.
    fn by_turns(&self, form: WordForm, single: &OneByOne, words: Words) -> Result<(), ArrayError> {
        let (Words { out, a, b }, n) = (words, self.words_per_element());
        let part = (out.len() / n).div_ceil(PARTS) * n;
        let mut least = [Duration::MAX; 2];
        for (turn, out) in out.chunks_mut(part).enumerate() {
            let range = turn * part..turn * part + out.len();
            let (words, whole) = (Words { a: &a[range.clone()], b: &b[range], out: &mut *out }, turn + 1 < PARTS);
            let begin = Instant::now();
            let way = turn % 2;
            let done = if way == 0 { self.in_lanes(form, words) } else { self.one_by_one(form, single, words) };
            done.map_err(|error| error.behind(turn * part / n))?;
            if whole {
                least[way] = least[way].min(begin.elapsed());
            }
        }
        single.lanes_beyond.get_or_init(|| least[0] <= least[1]);
        Ok(())
    }

    /// How products of numbers in ordinary words are computed, those of [`Engine::mul_words_into`] or, in `montgomery`
    /// form, those of [`Engine::mul_montgomery_words_into`]: both ways are timed unless a product was asked for before.
    ///
    /// # Errors
    /// Neither way has code.
    pub fn products_of_words(&self, montgomery: bool) -> Result<ProductsOfWords, ArrayError> {
        let form = if montgomery { WordForm::Montgomery } else { WordForm::Plain };
        if montgomery && self.kernels.binary().is_some() {
            return Err(self.no_montgomery_form(form));
        }
        let lanes = self.kernels.code(&self.in_lanes_by(form)).map(|code| code.description.clone());
        let Some(single) = self.kernels.one_by_one(form) else {
            return lanes.map(|lanes| ProductsOfWords {
                one_by_one: None,
                lanes: Some(lanes),
                lanes_from: Some(1),
                lanes_beyond_caches: Some(true),
            });
        };
        let lanes_from = match self.lanes_from(form, single) {
            // Lanes cannot, and say why.
            0 => return Err(lanes.err().unwrap_or_else(|| self.no_montgomery_form(form))),
            usize::MAX => None,
            from => Some(from),
        };
        let lanes_beyond_caches = if lanes_from.is_some() { single.lanes_beyond.get().copied() } else { Some(false) };
        let one_by_one = Some(single.plan.clone());
        Ok(ProductsOfWords { one_by_one, lanes: lanes.ok(), lanes_from, lanes_beyond_caches })
    }

    /// From how many elements on lanes are quicker.
    fn lanes_from(&self, form: WordForm, single: &OneByOne) -> usize {
        *single.lanes_from.get_or_init(|| {
            // No lanes, no code in lanes: one by one.
            let lanes = self.kernels.backend.as_ref().is_some_and(|backend| backend.entry().kind.has_lanes());
            if lanes { self.break_even(form, single) } else { usize::MAX }
        })
    }

    /// The length of 1, 2, 4, … from which on lanes gain most; `usize::MAX`: they gain at none.
    fn break_even(&self, form: WordForm, single: &OneByOne) -> usize {
        let n = self.words_per_element();
        // Of numbers, time tells nothing: these are zero.
        let (zeros, mut out) = (vec![0; LONGEST * n], vec![0; LONGEST * n]);
        let alone = Engine { kernels: self.kernels.clone(), pool: None };
        let mut timed = |lanes: bool, len: usize| {
            let (factor, out) = (&zeros[..len * n], &mut out[..len * n]);
            let words = Words { out, a: factor, b: factor };
            let begin = Instant::now();
            let done = if lanes { alone.in_lanes(form, words) } else { alone.one_by_one(form, single, words) };
            done.map(|()| begin.elapsed())
        };
        // What lanes gain at all lengths from this one on, as a sum of logarithms: one time that something else disturbed
        // does not decide.
        let (mut gain, mut best, mut from) = (0.0, 0.0, usize::MAX);
        for len in (0..=LONGEST.ilog2()).rev().map(|k| 1 << k) {
            let mut least = [Duration::MAX; 2];
            for _ in 0..ROUNDS {
                // Whoever asked gets the error of lanes.
                let (Ok(lanes), Ok(one_by_one)) = (timed(true, len), timed(false, len)) else { return 0 };
                least = [least[0].min(lanes), least[1].min(one_by_one)];
            }
            let nanoseconds = least.map(|time| time.as_nanos().max(1) as f64);
            gain += (nanoseconds[1] / nanoseconds[0]).ln();
            if gain > best {
                (best, from) = (gain, len);
            }
        }
        from
    }

    fn one_by_one(&self, form: WordForm, single: &OneByOne, words: Words) -> Result<(), ArrayError> {
        let (Words { out, a, b }, n) = (words, self.words_per_element());
        let products = |start: usize, out: &mut [u64]| {
            let (a, b) = (&a[start * n..start * n + out.len()], &b[start * n..start * n + out.len()]);
            match single.products(n, out, a, b) {
                Ok(false) => Ok(()),
                Ok(true) => Err(self.out_of_range(single, start, [a, b])),
                Err(why) => Err(self.kernels.fault(form.step().row().name, why.to_string())),
            }
        };
        if self.pool.is_none() || out.len() <= FEW {
            return products(0, out);
        }
        let piece = (FEW / n).max(1);
        self.parallel(out, piece * n, self.kernels.grain(piece.div_ceil(self.lanes())), |i, out, _| {
            products(i * piece, out)
        })
    }

    /// The error that names the first of these numbers that is not below the modulus, from element `start` on.
    #[cold]
    fn out_of_range(&self, single: &OneByOne, start: usize, factors: [&[u64]; 2]) -> ArrayError {
        let n = self.words_per_element();
        let found = factors.into_iter().find_map(|factor| Some((factor, single.first_above(n, factor)?)));
        let (factor, i) = found.unwrap_or((factors[0], 0));
        let value = (0..n).rev().fold(BigUint::ZERO, |value, j| (value << WORD) + factor[i * n + j]);
        ArrayError::Range { index: start + i, value, limit: self.kernels.limit.clone() }
    }

    /// The operation of lanes that products of words are made of: short elements and those of binary fields are moved
    /// around a product of elements.
    fn in_lanes_by(&self, form: WordForm) -> Operation {
        if self.kernels.short() || self.kernels.binary().is_some() { Operation::MUL } else { form.step() }
    }

    fn no_montgomery_form(&self, form: WordForm) -> ArrayError {
        self.kernels.fault(form.step().row().name, "the field has no Montgomery form in lanes".into())
    }

    fn in_lanes(&self, form: WordForm, words: Words) -> Result<(), ArrayError> {
        let (step, name) = (&form.step(), form.step().row().name);
        let (Words { out, a, b }, lanes, n) = (words, self.lanes(), self.words_per_element());
        let (short, binary) = (self.kernels.short(), self.kernels.binary().is_some());
        let code = self.kernels.code(&self.in_lanes_by(form))?;
        let product = |start: usize, out: &mut [u64], scratch: &mut Scratch| {
            let range = start * n..start * n + out.len();
            let words = out.len().next_multiple_of(lanes * n);
            let [operands, flags] = scratch.areas::<2>(2 * words);
            operands
                .chunks_exact_mut(words)
                .zip([a, b])
                .for_each(|(area, from)| to_lanes(n, lanes, &from[range.clone()], area));
            if !self.below(operands, flags)? {
                operands.chunks_exact(words).try_for_each(|area| self.check(start, area, flags))?;
            }
            let (x, y) = operands.split_at_mut(words);
            if short {
                self.short_product(name, step, x, y, flags)?;
            } else if binary {
                if form.is_montgomery() {
                    return Err(self.no_montgomery_form(form));
                }
                // Elements at rest take no more words than canonical numbers.
                let size = x.len() / (lanes * n) * self.kernels.group();
                self.moved_in(x, &mut flags[..size]);
                self.moved_in(y, &mut x[..size]);
                code.run(&mut flags[..size], &[In::Out(0), In::Words(&x[..size])])
                    .map_err(|why| self.kernels.fault(name, why))?;
                self.moved_out(&flags[..size], x);
            } else {
                code.run(x, &[In::Out(0), In::Words(y)]).map_err(|why| self.kernels.fault(name, why))?;
            }
            from_lanes(n, lanes, x, out);
            Ok(())
        };
        if (1..=FEW).contains(&out.len()) {
            return product(0, out, &mut Scratch::default());
        }
        let piece = self.kernels.chunk(code.block_groups());
        self.parallel(out, piece * lanes * n, self.kernels.grain(piece), |i, out, scratch| {
            product(i * piece * lanes, out, scratch)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Options;
    use evariste_descriptions::Field;

    /// Lengths about a chunk, of any remainder.
    const LENGTHS: [usize; 9] = [0, 1, 2, 7, 65, 255, 257, 1024, 3001];

    /// A long product that goes both ways by turns is the product, and its error names the element.
    #[test]
    fn by_turns_is_the_product() {
        let field = Field::parse("p256").unwrap();
        let engine = Engine::with(&field, Options { threads: 1, ..Options::default() }).unwrap();
        let Some(single) = engine.kernels.one_by_one(WordForm::Plain).filter(|_| engine.describe("mul").is_ok()) else {
            return;
        };
        for len in [PARTS - 1, 257, 1000] {
            let a: Vec<u64> = (0..4 * len as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 1).collect();
            let (mut wanted, mut given) = (vec![0; a.len()], vec![7; a.len()]);
            engine.one_by_one(WordForm::Plain, single, Words { out: &mut wanted, a: &a, b: &a }).unwrap();
            engine.by_turns(WordForm::Plain, single, Words { out: &mut given, a: &a, b: &a }).unwrap();
            assert_eq!(given, wanted);
            for at in [0, len / 3, len - 1] {
                let mut wrong = a.clone();
                wrong[4 * at..4 * at + 4].fill(u64::MAX);
                let error = engine.by_turns(WordForm::Plain, single, Words { out: &mut given, a: &a, b: &wrong });
                assert!(matches!(error, Err(ArrayError::Range { index, .. }) if index == at), "{error:?}");
            }
        }
    }

    fn way(engine: &Engine, form: WordForm, lanes: bool, a: &[u64], b: &[u64]) -> Result<Vec<u64>, ArrayError> {
        let mut out = vec![7; a.len()];
        let words = Words { out: &mut out, a, b };
        if lanes {
            engine.in_lanes(form, words)?;
        } else {
            let single = engine.kernels.one_by_one(form).expect("scalar code of the product");
            engine.one_by_one(form, single, words)?;
        }
        Ok(out)
    }

    /// Both ways give the product, and the same error where a number is not below the modulus.
    #[test]
    fn both_ways_give_the_same() {
        for text in ["p256", "25519", "bls12-381-fp", "2^521 - 1", "2^192 - 2^64 - 1", "goldilocks", "babybear"] {
            let field = Field::parse(text).unwrap();
            for threads in [1, 2] {
                let engine = Engine::with(&field, Options { threads, ..Options::default() }).unwrap();
                if engine.kernels.backend.is_none() {
                    continue;
                }
                let (n, p) = (engine.words_per_element(), &engine.kernels.limit);
                let scale = pow2(64 * n as u32).to_biguint().unwrap().modinv(p).unwrap();
                let numbers = |seed: u32, len: usize| -> Vec<BigUint> {
                    // Zero, the greatest, and any.
                    let any = |i: usize| BigUint::from(seed).pow(700 + i as u32) % p;
                    (0..len)
                        .map(|i| match i % 5 {
                            0 => p - 1u32,
                            1 => BigUint::ZERO,
                            _ => any(i % 19),
                        })
                        .collect()
                };
                let words = |x: &[BigUint]| -> Vec<u64> { x.iter().flat_map(|x| words_of(x, n).unwrap()).collect() };
                for (len, form) in
                    LENGTHS.iter().flat_map(|len| [(*len, WordForm::Plain), (*len, WordForm::Montgomery)])
                {
                    let lanes = engine.describe(form.step().row().name).is_ok();
                    if engine.kernels.one_by_one(form).is_none() {
                        assert!(lanes, "{text}: no product of words");
                        continue;
                    }
                    let (x, y) = (numbers(3, len), numbers(5, len));
                    let factor = if matches!(form, WordForm::Plain) { BigUint::from(1u32) } else { scale.clone() };
                    let product: Vec<BigUint> = x.iter().zip(&y).map(|(x, y)| x * y * &factor % p).collect();
                    for in_lanes in [false, true] {
                        if in_lanes && !lanes {
                            continue;
                        }
                        let given = way(&engine, form, in_lanes, &words(&x), &words(&y)).unwrap();
                        assert!(given == words(&product), "{text}, {len} elements, in lanes: {in_lanes}");
                        for at in [0, len / 2, len.saturating_sub(1)].into_iter().filter(|at| *at < len) {
                            let mut wrong = words(&x);
                            wrong[at * n..(at + 1) * n].copy_from_slice(&words_of(p, n).unwrap());
                            let error = Err(ArrayError::Range { index: at, value: p.clone(), limit: p.clone() });
                            assert_eq!(way(&engine, form, in_lanes, &wrong, &words(&y)), error, "{text}");
                            assert_eq!(way(&engine, form, in_lanes, &words(&y), &wrong), error, "{text}");
                        }
                    }
                }
            }
        }
    }
}
