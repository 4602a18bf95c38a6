//! How the operands of a group come to the words of a register that its calls are: by permutations and blends of what
//! other groups left, as few as a choice of words makes them.

use std::collections::HashSet;

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
    let register = |word: Word| match word {
        Word::Of { group, word, .. } => Word::Of { group, word, place: 0 },
        other => other,
    };
    let mut registers: Vec<Word> = words.iter().flatten().map(|word| register(*word)).collect();
    let mut seen = HashSet::new();
    registers.retain(|register| seen.insert(*register));
    let gather = |from: Word| {
        let mut gather = Gather { from, places: None, words: 0 };
        let mut places = 0b11_10_01_00u8;
        for (l, word) in words.iter().enumerate().filter(|(_, w)| w.is_some_and(|w| register(w) == from)) {
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
/// Up to so many calls a choice is looked for; more stay in their order.
const MOST_CHOSEN: usize = 64;
/// How often all groups are gone through.
const ROUNDS: usize = 3;

/// A choice of words: group after group the best one beside those of the others, until nothing changes.
pub(super) fn places(calls: &Calls<'_>, groups: &[Vec<u32>]) -> Places {
    let mut places = Places { of: vec![(0, 0); calls.all.len()] };
    for (g, group) in groups.iter().enumerate() {
        group.iter().zip(0..).for_each(|(call, place)| places.of[*call as usize] = (g, place));
    }
    if calls.all.len() > MOST_CHOSEN {
        return places;
    }
    let mut least = cost(calls, groups, &places);
    for _ in 0..ROUNDS {
        let before = least;
        for (g, group) in groups.iter().enumerate() {
            for order in orders(group.len()) {
                let old: Vec<_> = group.iter().map(|call| places.of[*call as usize]).collect();
                group.iter().zip(&order).for_each(|(call, place)| places.of[*call as usize] = (g, *place));
                let now = cost(calls, groups, &places);
                if now < least {
                    least = now;
                } else {
                    group.iter().zip(old).for_each(|(call, old)| places.of[*call as usize] = old);
                }
            }
        }
        if least == before {
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

/// What all gathers cost, equal ones once.
fn cost(calls: &Calls<'_>, groups: &[Vec<u32>], places: &Places) -> usize {
    let mut permuted = HashSet::new();
    let mut blends = 0;
    let mut gathered = HashSet::new();
    let operands = groups.iter().flat_map(|group| operands(&calls.all, group, places));
    let outputs = calls.outputs.iter().flatten().flatten().map(|source| [Some(places.word(*source)), None, None, None]);
    for words in operands.chain(outputs) {
        if !gathered.insert(words) {
            continue;
        }
        let all = gathers(&words);
        blends += all.len().saturating_sub(1);
        permuted.extend(all.into_iter().filter_map(|gather| Some((gather.from, gather.places?))));
    }
    permuted.len() * PERMUTATION + blends * BLEND
}
