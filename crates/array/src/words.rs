//! Operations on numbers in ordinary words: in lanes, to which words are brought and from which they return, or
//! [one by one](crate::one_by_one) as they lie.
//!
//! Which of both ways is quicker is measured when a product is first asked for, at lengths that are powers of two; lanes
//! are what runs from the length on from which they gain most. Of arrays beyond the caches, which lanes read and write
//! less evenly, the first product goes both ways, a part each in turn, and the quicker way is what runs from then on.
//! Both give the same numbers. A single number, and sums, gain nothing in lanes.

use std::ops::Range;
use std::time::{Duration, Instant};

use evariste_algorithms::Operation;
use num_bigint::BigUint;

use crate::code::{Code, In};
use crate::engine::Engine;
use crate::error::{ArrayError, same_length};
use crate::in_lanes::{Beside, InLanes};
use crate::one_by_one::{OneByOne, WORD, WordStep, is_long_above};
use crate::storage::Scratch;
use crate::transpose::{from_lanes, to_lanes};
use crate::trial::Trial;

/// Words of an array that is one chunk: three such fit the first cache.
const FEW: usize = 1024;
/// The longest product, in elements, that both ways are timed with, and how often.
const LONGEST: usize = 1024;
const ROUNDS: usize = 15;
/// Elements that are timed together, at least.
const TOGETHER: usize = 128;

/// Numbers that go to lanes and back directly before the way of the next ones is chosen.
const PIECE: usize = 512;
/// How many times as long one by one must take for lanes to compute a single group: where the arrays of whoever calls lie
/// changes the time of lanes by as much.
const MARGIN: f64 = 1.2;

/// Bytes of all operands and the result that no cache holds but a large one that cores share.
const BEYOND: usize = 16 << 20;
/// Parts of the first product that long, which go one way and the other by turns.
const PARTS: usize = 8;
/// Words of a page, or of a part of one.
const PAGE: usize = 512;

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

/// Numbers in ordinary words: where the result goes, and from which word on the operands are its.
struct Words<'a> {
    out: &'a mut [u64],
    inputs: &'a [&'a [u64]],
    start: usize,
}

impl<'a> Words<'a> {
    fn input(&self, i: usize) -> &'a [u64] {
        &self.inputs[i][self.start..self.start + self.out.len()]
    }

    /// The numbers of n words.
    fn range(&self, n: usize) -> Range<usize> {
        self.start / n..(self.start + self.out.len()) / n
    }

    fn are_beyond_caches(&self) -> bool {
        (self.inputs.len() + 1) * size_of_val(self.out) > BEYOND
    }
}

impl Engine {
    /// `out = a·b` of canonical numbers in ordinary words, chunk by chunk: nothing but them goes through memory, and
    /// nothing but words is stored in between.
    ///
    /// # Errors
    /// A number that is not below the modulus (but [`Engine::trusting`]); slices of different length, or of no whole
    /// number of elements. After an error there may be anything in the output.
    #[inline]
    pub fn mul_words_into(&self, out: &mut [u64], a: &[u64], b: &[u64]) -> Result<(), ArrayError> {
        self.two_words_into(WordStep::Product, out, a, b)
    }

    /// Multiplies numbers in the Montgomery form of scalar libraries, `x·2^(64n) mod p` in n words; the product is in
    /// that form too. Takes half as many multiplications as [`Engine::mul_words_into`].
    ///
    /// # Errors
    /// As [`Engine::mul_words_into`]; [`ArrayError::Kernel`] where the layout has no Montgomery form, or a factor below
    /// `2^(64n)`.
    #[inline]
    pub fn mul_montgomery_words_into(&self, out: &mut [u64], a: &[u64], b: &[u64]) -> Result<(), ArrayError> {
        self.two_words_into(WordStep::MontgomeryProduct, out, a, b)
    }

    /// `out` = the product of two factors or more, as [`Engine::mul_words_into`]: each is read, brought to lanes and
    /// tested once, and no product in between goes through memory.
    ///
    /// # Errors
    /// As [`Engine::mul_words_into`]; [`ArrayError::Operands`] of fewer than two.
    pub fn mul_all_words_into(&self, out: &mut [u64], factors: &[&[u64]]) -> Result<(), ArrayError> {
        self.all_words_into(WordStep::Product, out, factors)
    }

    /// The same in the Montgomery form of scalar libraries.
    ///
    /// # Errors
    /// As [`Engine::mul_montgomery_words_into`]; [`ArrayError::Operands`] of fewer than two factors.
    pub fn mul_all_montgomery_words_into(&self, out: &mut [u64], factors: &[&[u64]]) -> Result<(), ArrayError> {
        self.all_words_into(WordStep::MontgomeryProduct, out, factors)
    }

    /// `out` = the sum of two terms or more, canonical numbers in ordinary words, whatever their form.
    ///
    /// # Errors
    /// As [`Engine::mul_words_into`]; [`ArrayError::Operands`] of fewer than two terms.
    pub fn add_all_words_into(&self, out: &mut [u64], terms: &[&[u64]]) -> Result<(), ArrayError> {
        self.all_words_into(WordStep::Sum, out, terms)
    }

    /// One number at once; all else elsewhere, so that a call of one has no registers to save for it.
    #[inline(always)]
    fn two_words_into(&self, step: WordStep, out: &mut [u64], a: &[u64], b: &[u64]) -> Result<(), ArrayError> {
        if self.kernels.singles.made(step, self.trusts).is_some_and(|single| single.at_once(out, a, b)) {
            return Ok(());
        }
        self.some_two_words_into(step, out, a, b)
    }

    /// A few numbers one by one, where that is known to be quicker, in the time of a few instructions; else, and where
    /// something is wrong, as [`Engine::words_into`].
    #[inline(never)]
    fn some_two_words_into(&self, step: WordStep, out: &mut [u64], a: &[u64], b: &[u64]) -> Result<(), ArrayError> {
        let done = |single: &OneByOne| {
            single.few_at_once(out, a, b) || self.few_in_lanes(step, single, out, &[a, b]) || single.few(out, a, b)
        };
        if self.kernels.singles.made(step, self.trusts).is_some_and(done) {
            return Ok(());
        }
        self.words_into(step, out, &[a, b])
    }

    /// The same of two operands or more.
    #[inline(always)]
    fn all_words_into(&self, step: WordStep, out: &mut [u64], inputs: &[&[u64]]) -> Result<(), ArrayError> {
        if self.kernels.singles.made(step, self.trusts).is_some_and(|single| single.at_once_of(out, inputs)) {
            return Ok(());
        }
        self.some_words_into(step, out, inputs)
    }

    #[inline(never)]
    fn some_words_into(&self, step: WordStep, out: &mut [u64], inputs: &[&[u64]]) -> Result<(), ArrayError> {
        let done = |single: &OneByOne| {
            single.few_at_once_of(out, inputs)
                || self.few_in_lanes(step, single, out, inputs)
                || single.few_of(out, inputs)
        };
        if self.kernels.singles.made(step, self.trusts).is_some_and(done) {
            return Ok(());
        }
        self.words_into(step, out, inputs)
    }

    /// A few numbers, whole groups in lanes and others one by one where these are known to be quicker, by nothing but what
    /// they take. `false`: that was not done, or something is wrong.
    fn few_in_lanes(&self, step: WordStep, single: &OneByOne, out: &mut [u64], inputs: &[&[u64]]) -> bool {
        let (len, operands) = (out.len(), inputs.len());
        if len > FEW || !single.is_slower(len, operands) || inputs.iter().any(|input| input.len() != len) {
            return false;
        }
        let Some(lanes) = self.kernels.in_lanes(step) else { return false };
        let whole = lanes.whole(len);
        if whole == len || single.is_slower(len - whole, operands) || operands > 3 {
            return self.is_product(lanes, out, inputs, 0, false) == Some(false);
        }
        let (out, rest) = out.split_at_mut(whole);
        let of: [&[u64]; 3] = std::array::from_fn(|i| inputs.get(i).map_or(&[][..], |input| &input[whole..]));
        self.is_product(lanes, out, inputs, 0, false) == Some(false)
            && single.run(rest, &of[..operands], false) == Some(false)
    }

    fn is_product(
        &self,
        lanes: &InLanes,
        out: &mut [u64],
        inputs: &[&[u64]],
        start: usize,
        ahead: bool,
    ) -> Option<bool> {
        lanes.product(out, inputs, Beside { start, tested: !self.trusts, ahead })
    }

    fn words_into(&self, step: WordStep, out: &mut [u64], inputs: &[&[u64]]) -> Result<(), ArrayError> {
        let (n, name) = (self.words_per_element(), step.step().row().name);
        if inputs.len() < 2 {
            return Err(ArrayError::Operands { operation: name, given: inputs.len() });
        }
        let count = quotient(out.len(), n);
        if count * n != out.len() || inputs.iter().any(|input| input.len() != out.len()) {
            let mut lengths = std::iter::once(out.len()).chain(inputs.iter().map(|input| input.len()));
            let split = lengths.find(|len| len % n != 0);
            split.map_or(Ok(()), |given| Err(ArrayError::Pieces { unit: "words", given, per_element: n }))?;
            inputs.iter().try_for_each(|input| same_length(name, count, input.len() / n))?;
        }
        let words = Words { out, inputs, start: 0 };
        let Some(single) = self.kernels.one_by_one(step, self.trusts) else {
            return self.without_scalar_code(step, words);
        };
        let lengths = single.lengths(inputs.len());
        if count < self.lanes_from(step, single, inputs.len()) {
            return self.one_by_one(step, single, words);
        }
        if !words.are_beyond_caches() {
            return self.in_lanes(step, words);
        }
        match lengths.lanes_beyond.get() {
            Some(true) => self.in_lanes(step, words),
            Some(false) => self.one_by_one(step, single, words),
            None => self.by_turns(step, single, words),
        }
    }

    /// In lanes, or sums by way of arrays.
    fn without_scalar_code(&self, step: WordStep, words: Words) -> Result<(), ArrayError> {
        if step != WordStep::Sum {
            return self.in_lanes(step, words);
        }
        let mut sum = self.from_words(words.input(0))?;
        let mut term = sum.clone();
        for i in 1..words.inputs.len() {
            self.from_words_into(&mut term, words.input(i))?;
            self.add_assign(&mut sum, &term)?;
        }
        self.to_words_into(words.out, &sum)
    }

    /// A long product by both ways, a part each in turn; remembers which took less time in its best part.
    fn by_turns(&self, step: WordStep, single: &OneByOne, words: Words) -> Result<(), ArrayError> {
        let (Words { out, inputs, start }, n) = (words, self.words_per_element());
        let part = (out.len() / n).div_ceil(PARTS) * n;
        let mut least = [Duration::MAX; 2];
        for (turn, out) in out.chunks_mut(part).enumerate() {
            // A page that nobody touched before is got from the system at the first store: no time of either way.
            out.iter_mut().step_by(PAGE).for_each(|word| *word = std::hint::black_box(0));
            let words = Words { out, inputs, start: start + turn * part };
            let begin = Instant::now();
            let way = turn % 2;
            if way == 0 { self.in_lanes(step, words) } else { self.one_by_one(step, single, words) }?;
            if turn + 1 < PARTS {
                least[way] = least[way].min(begin.elapsed());
            }
        }
        single.lengths(inputs.len()).lanes_beyond.get_or_init(|| least[0] <= least[1]);
        Ok(())
    }

    /// From how many elements on lanes are quicker.
    pub(crate) fn lanes_from(&self, step: WordStep, single: &OneByOne, operands: usize) -> usize {
        *single.lengths(operands).lanes_from.get_or_init(|| {
            // No lanes, no code in lanes: one by one.
            let lanes = self.kernels.backend.as_ref().is_some_and(|backend| backend.entry().kind.has_lanes());
            let from =
                if lanes && step != WordStep::Sum { self.break_even(step, single, operands) } else { usize::MAX };
            single.is_quicker_below(from.saturating_mul(self.words_per_element()).min(FEW + 1), operands);
            from
        })
    }

    /// The length of 2, 4, 8, … from which on lanes gain most; `usize::MAX`: they gain at none.
    fn break_even(&self, step: WordStep, single: &OneByOne, operands: usize) -> usize {
        let n = self.words_per_element();
        // Of numbers, time tells nothing: these are zero.
        let (zeros, mut out) = (vec![0; LONGEST * n], vec![0; LONGEST * n]);
        let inputs = vec![&zeros[..]; operands.min(3)];
        let (alone, direct) = (Engine { pool: None, ..self.clone() }, self.kernels.in_lanes(step));
        let mut timed = |lanes: bool, len: usize| {
            // Short ones one after the other, as whoever has many of them computes: a processor begins the next while the one
            // before ends.
            let (calls, short) = ((TOGETHER / len).max(1), vec![&zeros[..len * n]; inputs.len()]);
            let begin = Instant::now();
            for _ in 0..calls {
                let out = &mut out[..len * n];
                let done = match lanes {
                    true => direct.is_some_and(|lanes| alone.is_product(lanes, out, &short, 0, false).is_some()),
                    false => single.some_at_once_of(out, &short),
                };
                if done {
                    continue;
                }
                let words = Words { out, inputs: &inputs, start: 0 };
                if lanes { alone.in_lanes(step, words) } else { alone.one_by_one(step, single, words) }?;
            }
            Ok::<_, ArrayError>(begin.elapsed())
        };
        // What lanes gain at all lengths from this one on, as a sum of logarithms: one time that something else disturbed
        // does not decide.
        let (mut gain, mut best, mut from) = (0.0, 0.0, usize::MAX);
        for len in (1..=LONGEST.ilog2()).rev().map(|k| 1 << k) {
            let mut least = [Duration::MAX; 2];
            for _ in 0..ROUNDS {
                // Whoever asked gets the error of lanes.
                let (Ok(lanes), Ok(one_by_one)) = (timed(true, len), timed(false, len)) else { return 0 };
                least = [least[0].min(lanes), least[1].min(one_by_one)];
            }
            let nanoseconds = least.map(|time| time.as_nanos().max(1) as f64);
            let margin = if len > self.lanes() { 1.0 } else { MARGIN };
            gain += (nanoseconds[1] / (margin * nanoseconds[0])).ln();
            if gain > best {
                (best, from) = (gain, len);
            }
        }
        from
    }

    fn one_by_one(&self, step: WordStep, single: &OneByOne, words: Words) -> Result<(), ArrayError> {
        let (Words { out, inputs, start }, n) = (words, self.words_per_element());
        let run = |at: usize, out: &mut [u64], ahead: bool| {
            let words = Words { out, inputs, start: start + at * n };
            let done = match inputs {
                [_, _] => single.run(words.out, &[words.input(0), words.input(1)], ahead),
                _ => {
                    let inputs: Vec<&[u64]> = (0..inputs.len()).map(|i| words.input(i)).collect();
                    single.run(words.out, &inputs, ahead)
                }
            };
            match done {
                Some(false) => Ok(()),
                Some(true) => Err(self.out_of_range(inputs, words.range(n))),
                None => Err(self.kernels.fault(step.step().row().name, "scalar code refuses arrays that fit".into())),
            }
        };
        let trial = Trial::of((inputs.len() + 1) * size_of_val(out));
        if out.len() <= FEW || self.pool.is_none() && !trial.is_far() {
            return run(0, out, false);
        }
        let piece = (FEW / n).next_multiple_of(16);
        self.parallel(out, piece * n, self.kernels.grain(piece.div_ceil(self.lanes())), |i, out, _| {
            trial.run(i, |ahead| run(i * piece, out, ahead))
        })
    }

    /// The error that names the first of these numbers that is not below the modulus, of the first operand that has one
    /// among those elements.
    #[cold]
    fn out_of_range(&self, inputs: &[&[u64]], range: Range<usize>) -> ArrayError {
        let (n, limit) = (self.words_per_element(), self.kernels.limit.to_u64_digits());
        let above = |input: &&[u64]| {
            let words = &input[range.start * n..range.end * n];
            let i = words.chunks_exact(n).position(|number| is_long_above(&limit, number))?;
            Some((i, (0..n).rev().fold(BigUint::ZERO, |value, j| (value << WORD) + words[i * n + j])))
        };
        let (i, value) = inputs.iter().find_map(above).unwrap_or_default();
        ArrayError::Range { index: range.start + i, value, limit: self.kernels.limit.clone() }
    }

    /// The operation of lanes that products of words are made of: elements that are words, or halves of words, and those of
    /// binary fields are moved around a product of elements.
    pub(crate) fn in_lanes_by(&self, step: WordStep) -> Operation {
        if self.kernels.words_alone() || self.kernels.binary().is_some() { Operation::MUL } else { step.step() }
    }

    pub(crate) fn no_montgomery_form(&self, step: WordStep) -> ArrayError {
        self.kernels.fault(step.step().row().name, "the field has no Montgomery form in lanes".into())
    }

    fn in_lanes(&self, form: WordStep, words: Words) -> Result<(), ArrayError> {
        let (Words { out, inputs, start: first }, lanes, n) = (words, self.lanes(), self.words_per_element());
        let code = self.kernels.code(&self.in_lanes_by(form))?;
        if self.kernels.binary().is_some() && form.is_montgomery() {
            return Err(self.no_montgomery_form(form));
        }
        let direct = self.kernels.in_lanes(form);
        let product = |at: usize, out: &mut [u64], scratch: &mut Scratch, ahead: bool| {
            let words = Words { out, inputs, start: first + at * n };
            match direct {
                Some(lanes) => self.directly(form, lanes, words, ahead),
                None => self.by_areas(form, code, words, scratch),
            }
        };
        if (1..=FEW).contains(&out.len()) {
            return product(0, out, &mut Scratch::default(), false);
        }
        let piece = if direct.is_some() { PIECE.div_ceil(lanes) } else { self.kernels.chunk(code.block_groups()) };
        let trial = Trial::of((inputs.len() + 1) * size_of_val(out));
        self.parallel(out, piece * lanes * n, self.kernels.grain(piece), |i, out, scratch| {
            trial.run(i, |ahead| product(i * piece * lanes, out, scratch, ahead))
        })
    }

    fn directly(&self, form: WordStep, lanes: &InLanes, words: Words, ahead: bool) -> Result<(), ArrayError> {
        let range = words.range(self.words_per_element());
        match self.is_product(lanes, words.out, words.inputs, words.start, ahead) {
            Some(false) => Ok(()),
            Some(true) => Err(self.out_of_range(words.inputs, range)),
            None => Err(self.kernels.fault(form.step().row().name, "code in lanes refuses arrays that fit".into())),
        }
    }

    /// By way of memory, as elements of one word, those of binary fields and those of many words go.
    fn by_areas(&self, form: WordStep, code: &Code, words: Words, scratch: &mut Scratch) -> Result<(), ArrayError> {
        let (step, name) = (&form.step(), form.step().row().name);
        let (lanes, n, first) = (self.lanes(), self.words_per_element(), words.start);
        let (alone, binary) = (self.kernels.words_alone(), self.kernels.binary().is_some());
        let size = words.out.len().next_multiple_of(lanes * n);
        let [operands, flags] = scratch.areas::<2>(words.inputs.len() * size);
        for (i, area) in operands.chunks_exact_mut(size).enumerate() {
            to_lanes(n, lanes, words.input(i), area);
        }
        if !self.trusts && !self.below(operands, flags)? {
            operands.chunks_exact(size).try_for_each(|area| self.check(first / n, area, flags))?;
        }
        let (x, others) = operands.split_at_mut(size);
        for y in others.chunks_exact_mut(size) {
            if alone {
                self.word_product(name, step, x, y, &mut flags[..size])?;
            } else if binary {
                // Elements at rest take no more words than canonical numbers.
                let resting = size / (lanes * n) * self.kernels.group();
                self.moved_in(x, &mut flags[..resting]);
                self.moved_in(y, &mut x[..resting]);
                code.run(&mut flags[..resting], &[In::Out(0), In::Words(&x[..resting])])
                    .map_err(|why| self.kernels.fault(name, why))?;
                self.moved_out(&flags[..resting], x);
            } else {
                code.run(x, &[In::Out(0), In::Words(y)]).map_err(|why| self.kernels.fault(name, why))?;
            }
        }
        from_lanes(n, lanes, x, words.out);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Options;
    use crate::one_by_one::words_of;
    use evariste_descriptions::Field;
    use evariste_ir::range::pow2;

    /// Lengths about a chunk, of any remainder.
    const LENGTHS: [usize; 9] = [0, 1, 2, 7, 65, 255, 257, 1024, 3001];

    /// A long product that goes both ways by turns is the product, and its error names the element.
    #[test]
    fn by_turns_is_the_product() {
        let field = Field::parse("p256").unwrap();
        let engine = Engine::with(&field, Options { threads: 1, ..Options::default() }).unwrap();
        let Some(single) =
            engine.kernels.one_by_one(WordStep::Product, false).filter(|_| engine.describe("mul").is_ok())
        else {
            return;
        };
        for len in [PARTS - 1, 257, 1000] {
            let a: Vec<u64> = (0..4 * len as u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 1).collect();
            let (mut wanted, mut given) = (vec![0; a.len()], vec![7; a.len()]);
            engine
                .one_by_one(WordStep::Product, single, Words { out: &mut wanted, inputs: &[&a, &a], start: 0 })
                .unwrap();
            engine.by_turns(WordStep::Product, single, Words { out: &mut given, inputs: &[&a, &a], start: 0 }).unwrap();
            assert_eq!(given, wanted);
            for at in [0, len / 3, len - 1] {
                let mut wrong = a.clone();
                wrong[4 * at..4 * at + 4].fill(u64::MAX);
                let error = engine.by_turns(
                    WordStep::Product,
                    single,
                    Words { out: &mut given, inputs: &[&a, &wrong], start: 0 },
                );
                assert!(matches!(error, Err(ArrayError::Range { index, .. }) if index == at), "{error:?}");
            }
        }
    }

    fn way(engine: &Engine, form: WordStep, lanes: bool, a: &[u64], b: &[u64]) -> Result<Vec<u64>, ArrayError> {
        let mut out = vec![7; a.len()];
        let words = Words { out: &mut out, inputs: &[a, b], start: 0 };
        if lanes {
            engine.in_lanes(form, words)?;
        } else {
            let single = engine.kernels.one_by_one(form, false).expect("scalar code of the product");
            engine.one_by_one(form, single, words)?;
        }
        Ok(out)
    }

    /// Long sums, of which memory is asked for ahead by turns, are those of their parts, and an error names the element.
    #[test]
    fn long_sums_are_those_of_their_parts() {
        for (text, len) in [("p256", 20_003), ("2^521 - 1", 9_001)] {
            let field = Field::parse(text).unwrap();
            for threads in [1, 2] {
                let engine = Engine::with(&field, Options { threads, ..Options::default() }).unwrap();
                let n = engine.words_per_element();
                // Numbers below the modulus: of p521 the highest word has nine bits.
                let shift = if n == 9 { 56 } else { 1 };
                let word = |i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> shift;
                let all: Vec<Vec<u64>> =
                    (1..5).map(|seed| (0..(n * len) as u64).map(|i| word(i * seed + seed)).collect()).collect();
                for operands in 2..=4 {
                    let inputs: Vec<&[u64]> = all[..operands].iter().map(Vec::as_slice).collect();
                    assert!(Trial::of((operands + 1) * size_of_val(inputs[0])).is_far() || operands < 4, "{text}");
                    let (mut given, mut wanted) = (vec![7; n * len], vec![7; n * len]);
                    engine.add_all_words_into(&mut given, &inputs).unwrap();
                    for (at, out) in wanted.chunks_mut(500 * n).enumerate() {
                        let range = 500 * n * at..500 * n * at + out.len();
                        let part: Vec<&[u64]> = inputs.iter().map(|input| &input[range.clone()]).collect();
                        engine.add_all_words_into(out, &part).unwrap();
                    }
                    assert!(given == wanted, "{text}, {operands} operands, {threads} threads");
                    for at in [0, len / 2, len - 1] {
                        let mut wrong = all[0].clone();
                        wrong[n * at..n * (at + 1)].fill(u64::MAX);
                        let inputs = [&[&wrong[..]], &inputs[1..]].concat();
                        let error = engine.add_all_words_into(&mut given, &inputs);
                        assert!(matches!(error, Err(ArrayError::Range { index, .. }) if index == at), "{error:?}");
                    }
                }
            }
        }
    }

    /// Both ways give the product, and the same error where a number is not below the modulus.
    #[test]
    fn both_ways_give_the_same() {
        for text in
            ["p256", "25519", "bls12-381-fp", "2^521 - 1", "2^192 - 2^64 - 1", "goldilocks", "babybear", "mersenne31"]
        {
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
                    LENGTHS.iter().flat_map(|len| [(*len, WordStep::Product), (*len, WordStep::MontgomeryProduct)])
                {
                    let lanes = engine.describe(form.step().row().name).is_ok();
                    if engine.kernels.one_by_one(form, false).is_none() {
                        assert!(lanes, "{text}: no product of words");
                        continue;
                    }
                    let (x, y) = (numbers(3, len), numbers(5, len));
                    let factor = if matches!(form, WordStep::Product) { BigUint::from(1u32) } else { scale.clone() };
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
