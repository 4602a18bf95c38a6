//! Two words by one store.

use std::collections::{HashMap, HashSet};

use crate::aarch64::instruction::{Address, Gpr, Inst};
use crate::graph::{Graph, Operation};

/// How many nodes a store waits for the store beside it.
const PATIENCE: usize = 48;

/// The order in which stores of neighbouring words, at an even place and the odd one behind it, stand side by side: the
/// earlier one waits, where nothing that must come after it stands between.
pub(super) fn stores_side_by_side(graph: &Graph, order: &[u32]) -> Vec<u32> {
    let mut followers: HashMap<u32, Vec<u32>> = HashMap::new();
    graph.edges.iter().for_each(|(before, after)| followers.entry(*before).or_default().push(*after));
    let store = |n: u32| match graph.nodes[n as usize].op {
        Operation::Store { param, index } if graph.element_bytes(param) == 8 => Some((param, index)),
        _ => None,
    };
    let places: HashMap<(u16, u32), usize> =
        order.iter().enumerate().filter_map(|(at, n)| Some((store(*n)?, at))).collect();
    // Place → stores that wait until it.
    let mut waiting: HashMap<usize, Vec<u32>> = HashMap::new();
    let mut moved: HashSet<u32> = HashSet::new();
    for (at, n) in order.iter().enumerate() {
        let Some((param, index)) = store(*n) else { continue };
        let Some(beside) = places.get(&(param, index ^ 1)).copied().filter(|other| *other > at) else { continue };
        let between = &order[at + 1..=beside];
        let must_follow = followers.get(n).is_some_and(|after| after.iter().any(|a| between.contains(a)));
        if between.len() <= PATIENCE && !must_follow && !moved.contains(&order[beside]) {
            waiting.entry(beside).or_default().push(*n);
            moved.insert(*n);
        }
    }
    let mut sorted = Vec::with_capacity(order.len());
    for (at, n) in order.iter().enumerate() {
        sorted.extend(waiting.remove(&at).unwrap_or_default());
        if !moved.contains(n) {
            sorted.push(*n);
        }
    }
    sorted
}

/// Stores of two words that stand one after the other become one.
pub(super) fn join_stores(code: Vec<Inst>) -> Vec<Inst> {
    let mut joined: Vec<Inst> = Vec::with_capacity(code.len());
    for inst in code {
        let pair = joined.last().and_then(|last| pair(last, &inst));
        match pair {
            Some(pair) => {
                joined.pop();
                joined.push(pair);
            }
            None => joined.push(inst),
        }
    }
    joined
}

fn pair(one: &Inst, other: &Inst) -> Option<Inst> {
    let store = |inst: &Inst| match *inst {
        Inst::Store { bytes: 8, from, address } => Some((from, address)),
        _ => None,
    };
    let ((a, at), (b, beside)): ((Gpr, Address), (Gpr, Address)) = (store(one)?, store(other)?);
    if at.base != beside.base {
        return None;
    }
    let (first, second, offset) = match beside.offset - at.offset {
        8 => (a, b, at.offset),
        -8 => (b, a, beside.offset),
        _ => return None,
    };
    let fits = offset % 8 == 0 && (-512..=504).contains(&offset);
    fits.then_some(Inst::StorePair { first, second, address: Address { base: at.base, offset } })
}
