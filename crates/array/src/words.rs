//! Products of numbers in ordinary words: in lanes, to which words are brought and from which they return, or one by one
//! as they lie.
//!
//! One by one is the code that a scalar library has: the plan of the product that `tune` remembers, else the first by
//! estimate. Which of both ways is quicker is measured when a product is first asked for, at lengths that are powers of
//! two; from the least length on from which lanes are never slower, they are what runs. Both give the same numbers.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use evariste_algorithms::kinds::is_canonical;
use evariste_algorithms::{Layout, Operation, layouts};
use evariste_backend::{Kind, found};
use evariste_ir::range::pow2;
use evariste_jit::{Argument, Function};
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

/// Products one by one.
pub(crate) struct OneByOne {
    plan: String,
    product: Function,
    /// The modulus in words; none where every number of as many words is an element.
    limit: Option<Vec<u64>>,
    /// From how many elements on lanes are quicker; measured at the first product.
    lanes_from: OnceLock<usize>,
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
        Some(OneByOne { plan, product, limit: words_of(&kernels.limit, n), lanes_from: OnceLock::new() })
    }

    /// The first of these numbers that is not below the modulus. No branch depends on a number where all are.
    fn first_above(&self, n: usize, words: &[u64]) -> Option<usize> {
        let limit = self.limit.as_deref()?;
        let any = match n {
            1 => any_above::<1>(limit, words),
            2 => any_above::<2>(limit, words),
            3 => any_above::<3>(limit, words),
            4 => any_above::<4>(limit, words),
            6 => any_above::<6>(limit, words),
            _ => words.chunks_exact(n).fold(false, |any, number| any | is_above(limit, number)),
        };
        if any { words.chunks_exact(n).position(|number| is_above(limit, number)) } else { None }
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

/// Is one of these numbers of N words?
fn any_above<const N: usize>(limit: &[u64], words: &[u64]) -> bool {
    let Ok(limit) = <&[u64; N]>::try_from(limit) else { return true };
    words.as_chunks::<N>().0.iter().fold(false, |any, number| any | is_above(limit, number))
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

    /// Their product.
    fn step(self) -> Operation {
        match self {
            WordForm::Plain => Operation::MUL_WORDS,
            WordForm::Montgomery => Operation::MUL_MONTGOMERY_WORDS,
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
        self.words_into(WordForm::Plain, Words { out, a, b })
    }

    /// Multiplies numbers in the Montgomery form of scalar libraries, `x·2^(64n) mod p` in n words; the product is in
    /// that form too. Takes half as many multiplications as [`Engine::mul_words_into`].
    ///
    /// # Errors
    /// As [`Engine::mul_words_into`]; [`ArrayError::Kernel`] where the layout has no Montgomery form, or a factor below
    /// `2^(64n)`.
    pub fn mul_montgomery_words_into(&self, out: &mut [u64], a: &[u64], b: &[u64]) -> Result<(), ArrayError> {
        self.words_into(WordForm::Montgomery, Words { out, a, b })
    }

    fn words_into(&self, form: WordForm, words: Words) -> Result<(), ArrayError> {
        let (Words { out, a, b }, n) = (&words, self.words_per_element());
        let count = out.len() / n;
        if count * n != out.len() || a.len() != out.len() || b.len() != out.len() {
            let split = [out.len(), a.len(), b.len()].into_iter().find(|len| len % n != 0);
            split.map_or(Ok(()), |given| Err(ArrayError::Pieces { unit: "words", given, per_element: n }))?;
            same_length(form.step().row().name, count, a.len() / n)?;
            same_length(form.step().row().name, count, b.len() / n)?;
        }
        match self.kernels.one_by_one(form) {
            Some(single) if count < self.lanes_from(form, single) => self.one_by_one(form, single, count, words),
            _ => self.in_lanes(form, words),
        }
    }

    /// How a product of words is computed, and at which lengths.
    ///
    /// # Errors
    /// As [`Engine::describe`].
    pub(crate) fn describe_words(&self, form: WordForm, lanes: &str) -> String {
        let Some(single) = self.kernels.one_by_one(form) else { return lanes.to_string() };
        let plan = &single.plan;
        match self.lanes_from(form, single) {
            0 | 1 => lanes.to_string(),
            usize::MAX => format!("one by one: {plan}"),
            from => format!("below {from} elements one by one: {plan}; else {lanes}"),
        }
    }

    /// From how many elements on lanes are quicker.
    fn lanes_from(&self, form: WordForm, single: &OneByOne) -> usize {
        *single.lanes_from.get_or_init(|| {
            // No lanes, no code in lanes: one by one.
            let lanes = self.kernels.backend.as_ref().is_some_and(|backend| backend.entry().kind.has_lanes());
            if lanes { self.break_even(form, single) } else { usize::MAX }
        })
    }

    /// The least of the lengths 1, 2, 4, … from which on lanes are never slower; `usize::MAX`: they are at the longest.
    fn break_even(&self, form: WordForm, single: &OneByOne) -> usize {
        let n = self.words_per_element();
        // Of numbers, time tells nothing: these are zero.
        let (zeros, mut out) = (vec![0; LONGEST * n], vec![0; LONGEST * n]);
        let alone = Engine { kernels: self.kernels.clone(), pool: None };
        let mut timed = |lanes: bool, len: usize| {
            let (factor, out) = (&zeros[..len * n], &mut out[..len * n]);
            let words = Words { out, a: factor, b: factor };
            let begin = Instant::now();
            let done = if lanes { alone.in_lanes(form, words) } else { alone.one_by_one(form, single, len, words) };
            done.map(|()| begin.elapsed())
        };
        let mut from = usize::MAX;
        for len in (0..=LONGEST.ilog2()).rev().map(|k| 1 << k) {
            let mut least = [Duration::MAX; 2];
            for _ in 0..ROUNDS {
                // Whoever asked gets the error of lanes.
                let (Ok(lanes), Ok(one_by_one)) = (timed(true, len), timed(false, len)) else { return 0 };
                least = [least[0].min(lanes), least[1].min(one_by_one)];
            }
            if least[0] > least[1] {
                break;
            }
            from = len;
        }
        from
    }

    fn one_by_one(&self, form: WordForm, single: &OneByOne, count: usize, words: Words) -> Result<(), ArrayError> {
        let (Words { out, a, b }, n) = (words, self.words_per_element());
        let product = |start: usize, times: usize, out: &mut [u64]| {
            let range = start * n..start * n + out.len();
            for factor in [a, b] {
                if let Some(i) = single.first_above(n, &factor[range.clone()]) {
                    let at = (start + i) * n;
                    let value = (0..n).rev().fold(BigUint::ZERO, |value, j| (value << WORD) + factor[at + j]);
                    return Err(ArrayError::Range { index: start + i, value, limit: self.kernels.limit.clone() });
                }
            }
            let arguments = [Argument::from(out), Argument::from(&a[range.clone()]), Argument::from(&b[range])];
            single
                .product
                .call_repeated(times, &arguments)
                .map_err(|why| self.kernels.fault(form.step().row().name, why.to_string()))
        };
        if out.len() <= FEW {
            return product(0, count, out);
        }
        let piece = (FEW / n).max(1);
        self.parallel(out, piece * n, self.kernels.grain(piece.div_ceil(self.lanes())), |i, out, _| {
            product(i * piece, out.len() / n, out)
        })
    }

    fn in_lanes(&self, form: WordForm, words: Words) -> Result<(), ArrayError> {
        let (step, name) = (&form.step(), form.step().row().name);
        let (Words { out, a, b }, lanes, n) = (words, self.lanes(), self.words_per_element());
        let (short, binary) = (self.kernels.short(), self.kernels.binary().is_some());
        let product = Operation::MUL;
        let code = self.kernels.code(if short || binary { &product } else { step })?;
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
                if matches!(form, WordForm::Montgomery) {
                    return Err(self.kernels.fault(name, "a binary field has no Montgomery form".into()));
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

    fn way(engine: &Engine, form: WordForm, lanes: bool, a: &[u64], b: &[u64]) -> Result<Vec<u64>, ArrayError> {
        let (mut out, n) = (vec![7; a.len()], engine.words_per_element());
        let words = Words { out: &mut out, a, b };
        if lanes {
            engine.in_lanes(form, words)?;
        } else {
            let single = engine.kernels.one_by_one(form).expect("scalar code of the product");
            engine.one_by_one(form, single, a.len() / n, words)?;
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
