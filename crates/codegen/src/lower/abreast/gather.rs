//! How the operands of a group come to the words of a register that its calls are: by permutations and blends of what
//! other groups left, as few as a choice of words makes them.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::WORDS;
use super::calls::{Call, Calls, Source};

/// A word as registers hold it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Word {
    /// Of a register that a group left: the how many-th word that its callee writes, and where in the register.
    Of { group: usize, word: usize, place: usize },
    /// In every word of a register.
    Everywhere(Source),
}

impl Word {
    /// The register that it lies in, by its first word.
    fn register(self) -> Word {
        match self {
            Word::Of { group, word, .. } => Word::Of { group, word, place: 0 },
            everywhere => everywhere,
        }
    }
}

/// A register whose words go to places: all at once, then those that are meant of what came before and this.
pub(super) struct Gather {
    /// Any of the words that it is for.
    pub(super) from: Word,
    /// As [`crate::graph::Operation::PermuteWords`]; `None`: they are where they are wanted.
    pub(super) places: Option<u8>,
    /// As [`crate::graph::Operation::BlendWords`].
    pub(super) words: u8,
}

/// Which word of its group's registers each call is.
pub(super) struct Places {
    of: Vec<(usize, usize)>,
}

impl Places {
    pub(super) fn word(&self, source: Source) -> Word {
        match source {
            Source::Result { call, word } => {
                let (group, place) = self.of[call as usize];
                Word::Of { group, word: word as usize, place }
            }
            other => Word::Everywhere(other),
        }
    }
}

/// What a group reads, word by word: of each the words of the register that are wanted.
pub(super) fn operands(calls: &[Call], group: &[u32], places: &Places) -> Vec<[Option<Word>; WORDS]> {
    let count = calls[group[0] as usize].inputs.len();
    let mut all = vec![[None; WORDS]; count];
    for call in group {
        let (_, place) = places.of[*call as usize];
        for (words, source) in all.iter_mut().zip(&calls[*call as usize].inputs) {
            words[place] = Some(places.word(*source));
        }
    }
    all
}

/// The registers that make up one, each once.
pub(super) fn gathers(words: &[Option<Word>; WORDS]) -> Vec<Gather> {
    let mut registers: Vec<Word> = words.iter().flatten().map(|word| word.register()).collect();
    let mut seen = HashSet::new();
    registers.retain(|register| seen.insert(*register));
    let gather = |from: Word| {
        let mut gather = Gather { from, places: None, words: 0 };
        let mut places = 0b11_10_01_00u8;
        for (l, word) in words.iter().enumerate().filter(|(_, w)| w.is_some_and(|w| w.register() == from)) {
            gather.words |= 1 << l;
            if let Some(Word::Of { place, .. }) = word {
                places = places & !(0b11 << (2 * l)) | (*place as u8) << (2 * l);
            }
        }
        gather.places = (places != 0b11_10_01_00).then_some(places);
        gather
    };
    registers.into_iter().map(gather).collect()
}

/// What permutations and blends cost beside each other: cycles on which the next step waits.
const PERMUTATION: usize = 3;
const BLEND: usize = 1;
/// How often all groups are gone through.
const ROUNDS: usize = 3;

/// A choice of words: group after group the best one beside those of the others, until nothing changes.
pub(super) fn places(calls: &Calls<'_>, groups: &[Vec<u32>]) -> Places {
    let mut places = Places { of: vec![(0, 0); calls.all.len()] };
    for (g, group) in groups.iter().enumerate() {
        group.iter().zip(0..).for_each(|(call, place)| places.of[*call as usize] = (g, place));
    }
    let costs = Costs::new(calls, groups, &places);
    for _ in 0..ROUNDS {
        let mut is_better = false;
        for (g, group) in groups.iter().enumerate() {
            let mut least = costs.around(g, &places);
            for order in orders(group.len()) {
                let old: Vec<_> = group.iter().map(|call| places.of[*call as usize]).collect();
                group.iter().zip(&order).for_each(|(call, place)| places.of[*call as usize] = (g, *place));
                let now = costs.around(g, &places);
                if now < least {
                    (least, is_better) = (now, true);
                } else {
                    group.iter().zip(old).for_each(|(call, old)| places.of[*call as usize] = old);
                }
            }
        }
        if !is_better {
            break;
        }
    }
    places
}

/// Every way to give so many calls words of their own.
fn orders(count: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..count {
        let more = |order: &Vec<usize>| {
            let free = (0..WORDS).filter(|place| !order.contains(place));
            free.map(|place| [order.as_slice(), &[place]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(more).collect();
    }
    all
}

/// What gathers cost, group by group.
struct Costs<'a> {
    calls: &'a [Call],
    groups: &'a [Vec<u32>],
    /// Words that a group reads, one of each kind that comes from the same calls, and how many there are.
    reads: Vec<Vec<(usize, usize)>>,
    /// The groups that read what a group leaves, and it itself.
    around: Vec<Vec<usize>>,
    /// How many words of a call are outputs.
    outputs: Vec<usize>,
}

impl<'a> Costs<'a> {
    fn new(calls: &'a Calls<'_>, groups: &'a [Vec<u32>], places: &Places) -> Costs<'a> {
        let mut around: Vec<BTreeSet<usize>> = (0..groups.len()).map(|g| BTreeSet::from([g])).collect();
        let mut reads = Vec::with_capacity(groups.len());
        for (g, group) in groups.iter().enumerate() {
            let inputs = |i: usize| group.iter().map(move |call| calls.all[*call as usize].inputs[i]);
            let mut kinds: BTreeMap<Vec<(usize, u64)>, (usize, usize)> = BTreeMap::new();
            for i in 0..calls.all[group[0] as usize].inputs.len() {
                let place = |source: Source| match source {
                    Source::Result { call, word } => (call as usize + 2, u64::from(word)),
                    Source::Input { param, index } => (0, u64::from(param) << 32 | u64::from(index)),
                    Source::Constant(c) => (1, c),
                };
                let first = inputs(i).next().map_or(0, |source| place(source).1);
                let kind = inputs(i).map(place).map(|(of, word)| (of, word.wrapping_sub(first))).collect();
                kinds.entry(kind).or_insert((i, 0)).1 += 1;
                for source in inputs(i) {
                    if let Source::Result { call, .. } = source {
                        around[places.of[call as usize].0].insert(g);
                    }
                }
            }
            reads.push(kinds.into_values().collect());
        }
        let mut outputs = vec![0; calls.all.len()];
        for source in calls.outputs.iter().flatten().flatten() {
            if let Source::Result { call, .. } = source {
                outputs[*call as usize] += 1;
            }
        }
        let around = around.into_iter().map(|groups| groups.into_iter().collect()).collect();
        Costs { calls: &calls.all, groups, reads, around, outputs }
    }

    /// What depends on the words that the calls of a group are.
    fn around(&self, g: usize, places: &Places) -> usize {
        let stored = self.groups[g].iter().filter(|call| places.of[**call as usize].1 > 0);
        let stored: usize = stored.map(|call| self.outputs[*call as usize] * PERMUTATION).sum();
        stored + self.around[g].iter().map(|reader| self.of_group(*reader, places)).sum::<usize>()
    }

    fn of_group(&self, g: usize, places: &Places) -> usize {
        let one = |(i, times): &(usize, usize)| {
            let mut words = [None; WORDS];
            for call in &self.groups[g] {
                words[places.of[*call as usize].1] = Some(places.word(self.calls[*call as usize].inputs[*i]));
            }
            times * of_register(&words)
        };
        self.reads[g].iter().map(one).sum()
    }
}

/// What [`gathers`] of one register cost.
fn of_register(words: &[Option<Word>; WORDS]) -> usize {
    let is_moved = |l: usize| matches!(words[l], Some(Word::Of { place, .. }) if place != l);
    let mut cost = 0;
    let mut registers = 0;
    for (l, word) in words.iter().enumerate() {
        let Some(from) = word.map(Word::register) else { continue };
        if words[..l].iter().flatten().any(|before| before.register() == from) {
            continue;
        }
        registers += 1;
        if (l..WORDS).any(|at| words[at].map(Word::register) == Some(from) && is_moved(at)) {
            cost += PERMUTATION;
        }
    }
    cost + (registers - usize::from(registers > 0)) * BLEND
}
