//! Numbers in the order of lanes, cut into words of 32 bits.

use super::{Task, Vector, Width};

/// A digit of a number: its weight is 2^weight, and its bits from `bits` on do not count.
#[derive(Clone, Copy, Debug)]
pub struct Digit {
    /// Exponent of its weight.
    pub weight: u32,
    /// Bits of it that count.
    pub bits: u32,
}

/// Words of 32 bits of some numbers, word by word.
#[derive(Clone, Default, Debug)]
pub struct Planes {
    words: Vec<i32>,
    /// Words of a plane.
    stride: usize,
    /// Where the first number's are.
    at: usize,
}

impl Planes {
    /// Word t of numbers from the first on, and of whatever numbers follow.
    #[inline(always)]
    pub(super) fn plane(&self, t: usize) -> &[i32] {
        &self.words[t * self.stride + self.at..][..self.stride - self.at]
    }

    /// Room for so many numbers of that many words, and for `more` that do not matter: residues of any words are bounded
    /// alike, and nobody asks for theirs.
    fn make_room(&mut self, count: usize, words: usize, more: usize) {
        self.stride = (count + more).next_multiple_of(16);
        self.words.resize(self.stride * words, 0);
    }

    /// Takes `count` numbers from number `first` on of `memory`: groups of `lanes` numbers, digit by digit. There is room for
    /// `more` behind them, which do not matter, nor do numbers that memory does not have.
    pub fn take(
        &mut self,
        width: Width,
        (memory, lanes, cuts): (&[u64], usize, &Cuts),
        [first, count]: [usize; 2],
        more: usize,
    ) {
        let group = lanes * cuts.digits;
        let groups = (first / lanes)..(first + count).div_ceil(lanes).min(memory.len() / group.max(1));
        self.at = first % lanes;
        self.make_room(self.at + count + lanes, cuts.count, more);
        let memory = &memory[(groups.start * group).min(groups.end * group)..groups.end * group];
        let cut = Cut { memory, cuts, planes: self };
        match lanes {
            8 => width.run(Lanes::<8>(cut)),
            4 => width.run(Lanes::<4>(cut)),
            _ => width.run(Lanes::<1>(cut)),
        }
    }

    /// Takes `count` numbers of one word of 32 bits from number `first` on of `memory`, one after the other.
    pub fn take_halves(&mut self, memory: &[u64], [first, count]: [usize; 2], [words, more]: [usize; 2]) {
        self.at = 0;
        self.make_room(count, words, more);
        let halves = super::halves_of(memory);
        let end = halves.len().min(first + count);
        let from = &halves[first.min(end)..end];
        // There is but one word of them: others are zero.
        self.words.fill(0);
        self.words[..from.len()].copy_from_slice(from);
    }

    /// All zeros.
    pub fn zero(&mut self, words: usize, more: usize) {
        self.at = 0;
        self.make_room(0, words, more);
        self.words.fill(0);
    }
}

/// A part of a word: of a digit the bits of `mask`, shifted.
#[derive(Clone, Copy, Debug)]
struct Source {
    digit: usize,
    right: u32,
    left: u32,
    mask: u64,
}

/// The parts of the two words from bit `from` on.
fn sources(digits: &[Digit], from: u32) -> Vec<Source> {
    let of = |(i, digit): (usize, &Digit)| {
        let (start, end) = (digit.weight, digit.weight + digit.bits);
        let mask = u64::MAX >> (64 - digit.bits);
        (end > from && start < from + 64).then_some(Source {
            digit: i,
            right: from.saturating_sub(start),
            left: start.saturating_sub(from),
            mask,
        })
    };
    digits.iter().enumerate().filter_map(of).collect()
}

/// Of which parts the words of numbers of some digits are, two by two.
#[derive(Clone, Debug)]
pub struct Cuts {
    digits: usize,
    count: usize,
    words: Vec<Vec<Source>>,
}

impl Cuts {
    /// So many words of numbers of such digits.
    pub fn new(digits: &[Digit], words: usize) -> Cuts {
        let two = (0..words.div_ceil(2) as u32).map(|t| sources(digits, 64 * t));
        Cuts { digits: digits.len(), count: words, words: two.collect() }
    }
}

struct Cut<'a> {
    memory: &'a [u64],
    cuts: &'a Cuts,
    planes: &'a mut Planes,
}

/// So many numbers side by side.
struct Lanes<'a, const L: usize>(Cut<'a>);

impl<const L: usize> Task for Lanes<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        let Cut { memory, cuts, planes } = self.0;
        let stride = planes.stride;
        for (g, group) in memory.as_chunks::<L>().0.chunks_exact(cuts.digits).enumerate() {
            let planes = planes.words.chunks_mut(2 * stride);
            for (sources, planes) in cuts.words.iter().zip(planes) {
                let mut word = [0u64; L];
                for source in sources {
                    let digit = &group[source.digit];
                    for l in 0..L {
                        word[l] |= (digit[l] & source.mask).wrapping_shr(source.right).wrapping_shl(source.left);
                    }
                }
                let (low, high) = planes.split_at_mut(stride);
                let low = &mut low[g * L..][..L];
                for l in 0..L {
                    low[l] = word[l] as i32;
                }
                // There is none of the last word where words are odd in number.
                if let Some(high) = high.get_mut(g * L..g * L + L) {
                    for l in 0..L {
                        high[l] = (word[l] >> 32) as i32;
                    }
                }
            }
        }
    }
}
