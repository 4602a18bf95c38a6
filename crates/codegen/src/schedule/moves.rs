//! Small changes of a schedule, for a search: a node moves inside its dependence window, a chain changes its flag or style,
//! a product its operands.

use super::lists::{IN_OVERFLOW, KEEPS_OVERFLOW, Schedule};
use crate::graph::{Chains, Graph, NONE, Operation};

/// The most changes from one schedule to the next.
const MOST_CHANGES: u64 = 7;

/// How far the shorter half of the moves goes.
const NEAR: usize = 4;

/// A small generator of random numbers (splitmix64): the same seed gives the same numbers everywhere.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator of its own for each seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `n`, which must not be 0.
    pub fn below(&mut self, n: usize) -> usize {
        // The high word of a product; the bias is below n / 2^64.
        ((u128::from(self.bits()) * n as u128) >> 64) as usize
    }
}

/// What can change in the schedule of a graph.
#[derive(Clone, Debug)]
pub struct Moves {
    /// For each node those that must come before it.
    before: Vec<Vec<u32>>,
    /// For each node those that must come after it.
    after: Vec<Vec<u32>>,
    /// Chains whose flag and style the allocator looks at: those with a sum.
    chains: Vec<u32>,
    /// Nodes whose operands may change roles: products of two words.
    products: Vec<u32>,
}

impl Moves {
    /// Prepares a graph.
    pub fn new(graph: &Graph) -> Moves {
        let defined = graph.definitions();
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); graph.nodes.len()];
        for (i, node) in graph.nodes.iter().enumerate() {
            before[i].extend(node.args().map(|v| defined[v as usize]).filter(|d| *d != NONE));
        }
        graph.edges.iter().for_each(|(a, b)| before[*b as usize].push(*a));
        let mut after: Vec<Vec<u32>> = vec![Vec::new(); graph.nodes.len()];
        for (i, list) in before.iter_mut().enumerate() {
            list.sort_unstable();
            list.dedup();
            list.iter().for_each(|d| after[*d as usize].push(i as u32));
        }
        let is_sum = |n: &u32| graph.nodes[*n as usize].op == Operation::Add;
        let chains = Chains::of(graph)
            .nodes
            .iter()
            .enumerate()
            .filter(|(_, nodes)| nodes.iter().any(is_sum))
            .map(|(c, _)| c as u32)
            .collect();
        let products = graph
            .nodes
            .iter()
            .enumerate()
            .filter(|(_, n)| n.op == Operation::Mul && n.args[0] != n.args[1])
            .map(|(i, _)| i as u32)
            .collect();
        Moves { before, after, chains, products }
    }

    /// Writes a schedule that differs from `from` by one to seven random changes into `to`. If `from` fits the graph, so does
    /// the result.
    pub fn propose(&self, from: &Schedule, random: &mut Random, to: &mut Schedule) {
        to.clone_from(from);
        for _ in 0..1 + random.below(MOST_CHANGES as usize) {
            match random.below(20) {
                0 => self.flip(IN_OVERFLOW, random, to),
                1 => self.flip(KEEPS_OVERFLOW, random, to),
                2 => self.exchange(random, to),
                3 => self.swap(random, to),
                _ => self.shift(random, to),
            }
        }
    }

    /// One node goes elsewhere inside its window.
    fn shift(&self, random: &mut Random, schedule: &mut Schedule) {
        let order = &mut schedule.order;
        if order.is_empty() {
            return;
        }
        let at = random.below(order.len());
        let node = order[at] as usize;
        let reach = if random.below(2) == 0 { NEAR } else { order.len() };
        // The window ends before what must come after the node, and begins after what must come before it.
        let first = order[at.saturating_sub(reach)..at]
            .iter()
            .rposition(|n| self.before[node].contains(n))
            .map_or(at.saturating_sub(reach), |i| at.saturating_sub(reach) + i + 1);
        let end = (at + 1 + reach).min(order.len());
        let last = order[at + 1..end].iter().position(|n| self.after[node].contains(n)).map_or(end - 1, |i| at + i);
        let to = first + random.below(last - first + 1);
        if to < at {
            order[to..=at].rotate_right(1);
        } else {
            order[at..=to].rotate_left(1);
        }
    }

    fn chain(&self, random: &mut Random) -> Option<usize> {
        (!self.chains.is_empty()).then(|| self.chains[random.below(self.chains.len())] as usize)
    }

    fn flip(&self, bit: u8, random: &mut Random, schedule: &mut Schedule) {
        if let Some(chain) = self.chain(random) {
            schedule.chains[chain] ^= bit;
        }
    }

    /// Two chains exchange flags and styles.
    fn exchange(&self, random: &mut Random, schedule: &mut Schedule) {
        if let (Some(a), Some(b)) = (self.chain(random), self.chain(random)) {
            schedule.chains.swap(a, b);
        }
    }

    /// The other operand of a product goes to the register where the processor wants one.
    fn swap(&self, random: &mut Random, schedule: &mut Schedule) {
        if !self.products.is_empty() {
            schedule.swaps[self.products[random.below(self.products.len())] as usize] ^= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_is_splitmix() {
        // The first numbers of splitmix64 from 1234567, as its author publishes them.
        let mut random = Random::new(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| random.bits()).collect();
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
        let mut seen = [0; 7];
        (0..7000).for_each(|_| seen[random.below(7)] += 1);
        assert!(seen.iter().all(|n| (800..1200).contains(n)), "{seen:?}");
    }
}
