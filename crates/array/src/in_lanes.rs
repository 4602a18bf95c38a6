//! Products of numbers in ordinary words in lanes: some numbers at once are tested, brought to lanes, multiplied by code
//! that takes them as they lie there, and brought back. They stay in the first cache, beside nothing else, so that this
//! is quick for a few numbers and for many.

use std::sync::OnceLock;

use evariste_jit::transpose::{deinterleave, interleave};
use evariste_jit::{Limit, OnPairs, Prefetch, any_above};

use crate::engine::Kernels;
use crate::one_by_one::{WordStep, by_words, words_of};

/// The most numbers that are brought to lanes at once.
const PART: usize = 32;
/// So few that it takes less time to make room for them alone.
const FEW: usize = 8;
/// The most words of each array that memory is asked for at once: a processor waits for few cache lines.
const ASKED: usize = 128;
/// How many numbers further on that is.
const AHEAD: usize = 2 * PART;

/// Products in lanes, of numbers that stand for themselves and of Montgomery forms, each made when it is first asked for.
#[derive(Default)]
pub(crate) struct AllInLanes([OnceLock<Option<InLanes>>; 2]);

/// Room for P numbers of N words in lanes, whose rows are whole cache lines.
#[repr(align(64))]
struct Area<const N: usize, const P: usize>([[u64; N]; P]);

impl<const N: usize, const P: usize> Area<N, P> {
    const EMPTY: Self = Area([[0; N]; P]);

    fn words(&mut self) -> &mut [u64] {
        self.0.as_flattened_mut()
    }
}

/// What to do beside the products.
#[derive(Clone, Copy)]
pub(crate) struct Beside {
    /// The word of the inputs that the product begins with.
    pub start: usize,
    /// Test every number.
    pub tested: bool,
    /// Ask for memory ahead.
    pub ahead: bool,
}

/// The function of numbers of N words, as [`InLanes::product`].
type Run = fn(&InLanes, &mut [u64], &[&[u64]], Beside) -> Option<bool>;

/// A product in lanes.
pub(crate) struct InLanes {
    /// Of some groups a call, the most first, and of one.
    codes: Vec<OnPairs>,
    lanes: usize,
    /// Words of a group.
    group: usize,
    /// The modulus; none where every number of as many words is an element.
    limit: Option<Limit>,
    run: Run,
}

impl Kernels {
    /// What computes products of words in lanes. `None`: they are of one word, of a binary field or very long, or there is
    /// no such code.
    #[inline]
    pub(crate) fn in_lanes(&self, step: WordStep) -> Option<&InLanes> {
        self.all_in_lanes.0.get(step as usize)?.get_or_init(|| InLanes::new(self, step)).as_ref()
    }
}

impl InLanes {
    fn new(kernels: &Kernels, step: WordStep) -> Option<InLanes> {
        if kernels.words_alone() || kernels.binary().is_some() {
            return None;
        }
        let (n, lanes) = (kernels.words_of_a_number(), kernels.lanes());
        let functions = kernels.code(&step.step()).ok()?.functions()?;
        let codes = functions.into_iter().map(OnPairs::new).collect::<Option<Vec<_>>>()?;
        let limit = match words_of(&kernels.limit, n) {
            Some(words) => Some(Limit::new(&words)?),
            None => None,
        };
        let own = InLanes { codes, lanes, group: n * lanes, limit, run: by_words!(n, run, return None) };
        // Is there a way to lanes and back, and code of a single group in place?
        let (group, beside) = (vec![0; own.group], Beside { start: 0, tested: false, ahead: false });
        let fits = lanes.is_power_of_two() && lanes <= PART;
        (fits && own.product(&mut group.clone(), &[&group, &group], beside).is_some()).then_some(own)
    }

    /// `out` = the product of as many whole numbers of all operands, two or more, from the word `beside.start` on. Is one of
    /// them not below the modulus? No branch depends on one. `None`: there are other lengths, and anything is in the
    /// output.
    #[inline]
    pub(crate) fn product(&self, out: &mut [u64], inputs: &[&[u64]], beside: Beside) -> Option<bool> {
        (self.run)(self, out, inputs, beside)
    }

    /// Words of the whole groups that so many words begin with.
    #[inline]
    pub(crate) fn whole(&self, words: usize) -> usize {
        // Without a division where there is one.
        if words == self.group { words } else { words - words % self.group }
    }

    fn run<const N: usize>(&self, out: &mut [u64], inputs: &[&[u64]], beside: Beside) -> Option<bool> {
        let (start, end) = (beside.start, beside.start.checked_add(out.len())?);
        if inputs.len() < 2 || !out.len().is_multiple_of(N) || inputs.iter().any(|input| input.len() < end) {
            return None;
        }
        if out.len() <= FEW * N && self.lanes <= FEW {
            let (mut areas, inputs) =
                ([const { Area::<N, FEW>::EMPTY }; 2], inputs.iter().map(|input| &input[start..end]));
            return self.part(out, inputs, &mut areas, beside.tested);
        }
        let (mut areas, mut any, len, part) = ([const { Area::<N, PART>::EMPTY }; 2], false, out.len(), PART * N);
        // Fewer numbers where memory is asked for.
        let part = if beside.ahead { part.min(N << (ASKED / N).ilog2()) } else { part };
        for at in (0..len).step_by(part) {
            let range = at..len.min(at + part);
            let out = &mut out[range.clone()];
            let range = start + range.start..start + range.end;
            if beside.ahead {
                inputs.iter().for_each(|input| Prefetch::read(&input[range.clone()], AHEAD * N).now());
                Prefetch::write(out, AHEAD * N).now();
            }
            any |= self.part(out, inputs.iter().map(|input| &input[range.clone()]), &mut areas, beside.tested)?;
        }
        Some(any)
    }

    /// Of numbers that are brought to lanes at once.
    #[inline(always)]
    fn part<'a, const N: usize, const P: usize>(
        &self,
        out: &mut [u64],
        mut inputs: impl Iterator<Item = &'a [u64]>,
        areas: &mut [Area<N, P>; 2],
        tested: bool,
    ) -> Option<bool> {
        let len = out.len();
        let words = if len == P * N { len } else { len.next_multiple_of(self.lanes * N) };
        let [x, y] = areas.each_mut().map(|area| &mut area.words()[..words]);
        // What is no whole group, and zeros behind it.
        let (mut last, mut any) = (None, false);
        let mut to_lanes = |from: &[u64], to: &mut [u64]| {
            if let (true, Some(limit)) = (tested, &self.limit) {
                any |= any_above::<N>(limit, from.as_chunks().0)?;
            }
            let from = match len == words {
                true => from,
                false => {
                    let last = last.get_or_insert(Area::<N, P>::EMPTY).words();
                    last[..len].copy_from_slice(from);
                    &last[..words]
                }
            };
            interleave(self.lanes, N, from, to).then_some(())
        };
        to_lanes(inputs.next()?, x)?;
        for input in inputs {
            to_lanes(input, y)?;
            OnPairs::some_at_once(&self.codes, x, None, &[y]).then_some(())?;
        }
        if len == words {
            return deinterleave(self.lanes, N, x, out).then_some(any);
        }
        deinterleave(self.lanes, N, x, &mut y[..]).then(|| out.copy_from_slice(&y[..len]))?;
        Some(any)
    }
}
