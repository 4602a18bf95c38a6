//! Numbers in the order of lanes, cut into words of 32 bits.

use super::{Task, Vector, Width};
use crate::Prefetch;

/// Words that are asked for before they are taken, at most.
const AHEAD: usize = 1 << 11;

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
    /// `more` behind them, which do not matter, nor do numbers that memory does not have. Those that lie `ahead` numbers
    /// further on are taken soon.
    pub fn take(
        &mut self,
        width: Width,
        (memory, lanes, cuts): (&[u64], usize, &Cuts),
        [first, count]: [usize; 2],
        [more, ahead]: [usize; 2],
    ) {
        let group = lanes * cuts.digits;
        let groups = (first / lanes)..(first + count).div_ceil(lanes).min(memory.len() / group.max(1));
        self.at = first % lanes;
        self.make_room(self.at + count + lanes, cuts.count, more);
        let memory = &memory[(groups.start * group).min(groups.end * group)..groups.end * group];
        // Longer rows come by themselves.
        Prefetch::read(&memory[..memory.len().min(AHEAD)], ahead * cuts.digits).now();
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
        for (sources, planes) in cuts.words.iter().zip(planes.words.chunks_mut(2 * stride)) {
            let (low, high) = planes.split_at_mut(stride);
            let two = Two { groups: memory, group: L * cuts.digits, lanes: L, low, high };
            if !(2 * L).is_multiple_of(V::LANES) {
                two.one_by_one(sources);
                continue;
            }
            // Of a known number of parts: masks stay in registers.
            match sources[..] {
                [a] => two.cut::<V>(&[a]),
                [a, b] => two.cut::<V>(&[a, b]),
                [a, b, c] => two.cut::<V>(&[a, b, c]),
                _ => two.cut::<V>(sources),
            }
        }
    }
}

/// Two planes of words, made of digits.
struct Two<'a> {
    groups: &'a [u64],
    /// Words of a group, and of a digit in it.
    group: usize,
    lanes: usize,
    low: &'a mut [i32],
    /// None where words are odd in number.
    high: &'a mut [i32],
}

impl Two<'_> {
    /// Numbers side by side in a whole number of vectors.
    #[inline(always)]
    fn cut<V: Vector>(self, sources: &[Source]) {
        let Two { groups, group, lanes, low, high } = self;
        let count = V::LANES / 2;
        for (g, group) in groups.chunks_exact(group).enumerate() {
            for first in (0..lanes).step_by(count) {
                let mut word = V::all(0);
                for source in sources {
                    let digit = &group[source.digit * lanes + first..][..count];
                    word = word.or(V::part(digit, source.mask, [source.right, source.left]));
                }
                let at = g * lanes + first;
                let none = high.is_empty();
                word.split(&mut low[at..at + count], if none { &mut [] } else { &mut high[at..at + count] });
            }
        }
    }

    /// Any numbers.
    #[inline(always)]
    fn one_by_one(self, sources: &[Source]) {
        let Two { groups, group, lanes, low, high } = self;
        for (g, group) in groups.chunks_exact(group).enumerate() {
            for lane in 0..lanes {
                let mut word = 0u64;
                for source in sources {
                    let digit = group[source.digit * lanes + lane] & source.mask;
                    word |= digit.wrapping_shr(source.right).wrapping_shl(source.left);
                }
                let at = g * lanes + lane;
                low[at] = word as i32;
                if let Some(high) = high.get_mut(at) {
                    *high = (word >> 32) as i32;
                }
            }
        }
    }
}

/// Numbers whose digits go to memory in the order of lanes.
pub(super) struct Put<'a> {
    /// Digits: of the next one `wide` words further on.
    pub from: &'a [u64],
    pub wide: usize,
    /// Numbers.
    pub count: usize,
    /// Groups of `lanes` numbers, digit by digit, of which the first number's place is this.
    pub to: &'a mut [u64],
    pub lanes: usize,
    pub digits: usize,
    pub place: usize,
}

impl Task for Put<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self) {
        match self.lanes {
            8 => self.of::<8>(),
            4 => self.of::<4>(),
            _ => self.of::<1>(),
        }
    }
}

impl Put<'_> {
    #[inline(always)]
    fn of<const L: usize>(self) {
        let Put { from, wide, count, to, digits, place, .. } = self;
        let mut at = 0;
        while at < count {
            let (group, lane) = ((place + at) / L * L * digits, (place + at) % L);
            let some = (L - lane).min(count - at);
            for d in 0..digits {
                let (from, to) = (&from[d * wide + at..][..some], &mut to[group + d * L + lane..][..some]);
                // A whole vector most times, which is not worth a call.
                match (to.first_chunk_mut::<L>(), from.first_chunk::<L>()) {
                    (Some(to), Some(from)) => *to = *from,
                    _ => to.copy_from_slice(from),
                }
            }
            at += some;
        }
    }
}
