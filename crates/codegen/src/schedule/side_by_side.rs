//! Orders for processors with two carry flags: two chains run side by side, in a flag each. Few words are alive, and what
//! one chain gives the other takes at once.
//!
//! A chain runs as in the demand order. The first chain of sums that waits for what it gives, and for nothing else that
//! touches flags, begins beside it, where it has sums alone, and follows it link by link; what is left of it when the other has ended is the next to run.

use super::Resources;
use super::demand::is_quiet;
use super::lists::{IN_OVERFLOW, KEEPS_OVERFLOW, Schedule};
use super::stores;
use crate::graph::{Chains, Graph, NONE, Operation};

/// Graphs beyond this have no such orders: which chain may follow is asked at each link.
const MOST_NODES: usize = 4096;

/// The kernel's own order, and orders of pairs of chains, in which a chain that follows waits for products or has them
/// computed. Stores stand as early as they may.
pub(super) fn side_by_side(graph: &Graph, resources: Resources) -> Vec<Schedule> {
    if graph.nodes.len() > MOST_NODES {
        return Vec::new();
    }
    let own = (0..graph.nodes.len() as u32).collect();
    let pairs = [false, true].map(|eager| Pairs::new(graph, resources, eager).run());
    let mut all: Vec<Schedule> = Vec::new();
    for order in [vec![own], pairs.to_vec()].concat() {
        let schedule = in_two_flags(graph, stores::early(graph, &order));
        if !all.contains(&schedule) {
            all.push(schedule);
        }
    }
    all
}

/// The order with a flag for each chain: one that begins while another is open takes the flag that is left.
fn in_two_flags(graph: &Graph, order: Vec<u32>) -> Schedule {
    let mut schedule = Schedule::of_order(graph, order);
    let mut open: Vec<(usize, usize)> = Vec::new();
    for (chain, begin, end) in spans(graph, &schedule.order) {
        open.retain(|(_, end)| *end > begin);
        let in_overflow = |c: usize| schedule.chains[c] & IN_OVERFLOW != 0;
        let in_carry = open.iter().map(|o| o.0).find(|c| !in_overflow(*c));
        let overflow_is_taken = open.iter().any(|o| in_overflow(o.0));
        match in_carry {
            Some(other) if !overflow_is_taken => {
                schedule.chains[chain] |= IN_OVERFLOW;
                // Before this chain begins, the other one must leave its flag alone too.
                schedule.chains[other] |= KEEPS_OVERFLOW;
            }
            None if overflow_is_taken => schedule.chains[chain] |= KEEPS_OVERFLOW,
            _ => {}
        }
        open.push((chain, end));
    }
    schedule
}

/// The chains in the order in which they begin: number, first place, and last place where one of its flags is wanted.
fn spans(graph: &Graph, order: &[u32]) -> Vec<(usize, usize, usize)> {
    let mut place = vec![0; graph.nodes.len()];
    let mut last_use = vec![0; graph.values.len()];
    for (at, n) in order.iter().enumerate() {
        place[*n as usize] = at;
        graph.nodes[*n as usize].args().for_each(|v| last_use[v as usize] = at);
    }
    let span = |(chain, nodes): (usize, &Vec<u32>)| {
        let begin = nodes.iter().map(|n| place[*n as usize]).min().unwrap_or(0);
        let end = |n: &u32| {
            let carry = graph.nodes[*n as usize].results[1] as usize;
            last_use.get(carry).copied().unwrap_or(0).max(place[*n as usize])
        };
        (chain, begin, nodes.iter().map(end).max().unwrap_or(begin))
    };
    let mut spans: Vec<_> = Chains::of(graph).nodes.iter().enumerate().map(span).collect();
    spans.sort_unstable_by_key(|(_, begin, _)| *begin);
    spans
}

struct Pairs<'g> {
    graph: &'g Graph,
    resources: Resources,
    /// Does the chain that follows have products computed?
    eager: bool,
    chains: Chains,
    defined: Vec<u32>,
    before: Vec<Vec<u32>>,
    done: Vec<bool>,
    /// Links of each chain that have run.
    ran: Vec<usize>,
    /// Chains that are running or whose needs are being computed.
    open: Vec<bool>,
    order: Vec<u32>,
}

impl<'g> Pairs<'g> {
    fn new(graph: &'g Graph, resources: Resources, eager: bool) -> Self {
        let mut before = vec![Vec::new(); graph.nodes.len()];
        graph.edges.iter().for_each(|(a, b)| before[*b as usize].push(*a));
        let chains = Chains::of(graph);
        Pairs {
            graph,
            resources,
            eager,
            defined: graph.definitions(),
            before,
            done: vec![false; graph.nodes.len()],
            ran: vec![0; chains.nodes.len()],
            open: vec![false; chains.nodes.len()],
            chains,
            order: Vec::with_capacity(graph.nodes.len()),
        }
    }

    fn run(mut self) -> Vec<u32> {
        let loud: Vec<u32> = (0..self.graph.nodes.len() as u32).filter(|n| !self.is_quiet(*n)).collect();
        loud.into_iter().for_each(|n| self.node(n));
        (0..self.graph.nodes.len() as u32).for_each(|n| self.node(n));
        self.order
    }

    fn is_quiet(&self, n: u32) -> bool {
        is_quiet(&self.graph.nodes[n as usize], self.resources)
    }

    fn chain_of(&self, n: u32) -> Option<usize> {
        Some(self.chains.of[n as usize]).filter(|c| *c != NONE).map(|c| c as usize)
    }

    /// What a node waits for that is not there yet.
    fn needs(&self, n: u32) -> Vec<u32> {
        let arguments = self.graph.nodes[n as usize].args().map(|v| self.defined[v as usize]).filter(|d| *d != NONE);
        arguments.chain(self.before[n as usize].iter().copied()).filter(|d| !self.done[*d as usize]).collect()
    }

    /// Computes a node and all that it needs.
    fn node(&mut self, n: u32) {
        if self.done[n as usize] {
            return;
        }
        if let Some(chain) = self.chain_of(n).filter(|c| !self.open[*c]) {
            self.chain(chain);
        }
        for need in self.needs(n) {
            self.node(need);
        }
        if !self.done[n as usize] {
            self.done[n as usize] = true;
            self.order.push(n);
        }
    }

    /// Computes what a node needs and would disturb a flag.
    fn loud_needs(&mut self, n: u32) {
        for need in self.needs(n) {
            if self.chain_of(need).is_some_and(|c| self.open[c]) {
                continue;
            }
            if self.is_quiet(need) { self.loud_needs(need) } else { self.node(need) }
        }
    }

    /// Runs a chain, and beside each the one that follows it.
    fn chain(&mut self, chain: usize) {
        let mut next = Some(chain);
        while let Some(chain) = next.take() {
            self.open[chain] = true;
            for n in self.chains.nodes[chain].clone() {
                self.loud_needs(n);
            }
            while let Some(n) = self.chains.nodes[chain].get(self.ran[chain]).copied() {
                self.ran[chain] += 1;
                self.node(n);
                next = next.or_else(|| self.follower(chain));
                if let Some(other) = next {
                    self.follow(other);
                }
            }
        }
    }

    /// Has the chain sums alone? Differences have the first flag only, and destroy the second.
    fn is_of_sums(&self, chain: usize) -> bool {
        self.chains.nodes[chain].iter().all(|n| self.graph.nodes[*n as usize].op != Operation::Sub)
    }

    /// The first chain that may begin beside one that runs.
    fn follower(&self, chain: usize) -> Option<usize> {
        if !self.is_of_sums(chain) {
            return None;
        }
        let others = (0..self.chains.nodes.len()).filter(|c| !self.open[*c] && self.is_of_sums(*c));
        let begins = |c: &usize| self.chains.nodes[*c].first().is_some_and(|n| self.is_ready(*n));
        let beside = |c: &usize| self.chains.nodes[*c].iter().all(|n| self.waits_only_for(*n, [chain, *c]));
        others.filter(begins).find(beside)
    }

    /// Runs the links that wait for nothing that the other chain has yet to give.
    fn follow(&mut self, chain: usize) {
        self.open[chain] = true;
        while let Some(n) = self.chains.nodes[chain].get(self.ran[chain]).copied().filter(|n| self.is_ready(*n)) {
            self.ran[chain] += 1;
            self.node(n);
        }
    }

    /// Is all there that the node needs, or (eagerly) can be without touching a flag?
    fn is_ready(&self, n: u32) -> bool {
        self.needs(n).iter().all(|d| self.eager && self.is_quiet(*d) && self.is_ready(*d))
    }

    /// Does nothing that the node still needs touch a flag but links of these chains?
    fn waits_only_for(&self, n: u32, chains: [usize; 2]) -> bool {
        self.needs(n).iter().all(|d| match self.chain_of(*d) {
            Some(chain) => chains.contains(&chain),
            None => self.is_quiet(*d) && self.waits_only_for(*d, chains),
        })
    }
}
