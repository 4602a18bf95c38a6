//! The order of the nodes of all groups: list scheduling by the longest path on the resources of a core, cycle by cycle, a
//! window of groups at a time.

use std::collections::BTreeMap;

use evariste_cores::Core;

use super::shape::Shape;
use crate::graph::{Graph, Id, Kind, NONE, Operation};
use crate::x86_64::cost::latency;
use crate::x86_64::vector::Width;

/// A bit-sliced kernel of more nodes than that has more values alive than registers: a schedule for latencies only adds
/// to them.
pub(super) const LONG_LOGIC: u32 = 1 << 8;
/// Instructions that the body of the loop over groups has at most: what fits the caches of decoded instructions is
/// faster, and the code stays short.
pub(super) const MOST_INSTRUCTIONS: u32 = 2600;
/// How far work in a cycle may exceed it: measured costs are not exact.
const SLACK: f64 = 0.05;
/// Cycles of one resource that an instruction is believed to take at most.
const LONGEST: f64 = 16.0;

/// Node `node` of group `group`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Step {
    pub(super) group: u32,
    pub(super) node: u32,
}

/// What an instruction asks of the core.
#[derive(Default)]
struct Cost {
    /// Cycles that it keeps resources busy, by their number.
    uses: Vec<(usize, f64)>,
    latency: u32,
}

impl Cost {
    fn of(core: &Core, instruction: &str) -> Cost {
        let number = |name: &String| core.resources.iter().position(|r| r == name);
        let uses = core.cost(instruction).into_iter().flat_map(|cost| &cost.uses);
        Cost {
            uses: uses.filter_map(|(name, units)| Some((number(name)?, units.min(LONGEST)))).collect(),
            latency: latency(core, instruction),
        }
    }
}

/// What instructions ask, and which of them each node is; the first one stands for those that only move.
struct Costs {
    of: Vec<usize>,
    all: Vec<Cost>,
    /// Of each instruction: does it compute?
    computes: Vec<bool>,
}

impl Costs {
    fn new(graph: &Graph, core: &Core, width: Width) -> Costs {
        let (mut all, mut known) = (vec![Cost::default()], BTreeMap::new());
        let mut number = |name: String| {
            *known.entry(name).or_insert_with_key(|name| {
                all.push(Cost::of(core, name));
                all.len() - 1
            })
        };
        let of: Vec<usize> =
            graph.nodes.iter().map(|node| super::cost::name(graph, node, width, core).map_or(0, &mut number)).collect();
        let mut computes = vec![false; all.len()];
        for (node, i) in graph.nodes.iter().zip(&of) {
            computes[*i] = super::cost::computes(graph, node);
        }
        Costs { of, all, computes }
    }

    fn node(&self, n: u32) -> &Cost {
        &self.all[self.of[n as usize]]
    }
}

/// Cycles that each resource has to work on what was issued.
struct Backlog(Vec<f64>);

impl Backlog {
    /// Which instructions can begin in this cycle; `None`: none that computes, and what only moves waits for those.
    fn fitting(&self, costs: &Costs) -> Option<Vec<bool>> {
        let fits = |(r, units): &(usize, f64)| self.0[*r] + units.min(1.0) <= 1.0 + SLACK;
        let fitting: Vec<bool> = costs.all.iter().map(|cost| cost.uses.iter().all(fits)).collect();
        let computes = |(fits, computes): (&bool, &bool)| *fits && *computes;
        let goes_on = !costs.computes.contains(&true) || fitting.iter().zip(&costs.computes).any(computes);
        goes_on.then_some(fitting)
    }

    fn add(&mut self, cost: &Cost) {
        cost.uses.iter().for_each(|(r, units)| self.0[*r] += units);
    }

    fn next_cycle(&mut self) {
        self.0.iter_mut().for_each(|work| *work = (*work - 1.0).max(0.0));
    }
}

/// One group on its way.
struct Group {
    /// Unfinished needs of each node.
    waits: Vec<u32>,
    /// The cycle from which a node's operands are there.
    ready_at: Vec<u32>,
    /// Nodes whose needs are all issued.
    ready: Vec<u32>,
    /// Uses of each value that are still to come; inputs count as alive from their first use on.
    uses: Vec<u32>,
    touched: Vec<bool>,
    alive: i64,
    left: usize,
}

struct Scheduler<'g> {
    graph: &'g Graph,
    shape: Shape,
    costs: Costs,
    backlog: Backlog,
    height: Vec<u32>,
    /// Nodes that wait for a node, by values and by edges.
    followers: Vec<Vec<u32>>,
    waits: Vec<u32>,
    uses: Vec<u32>,
    order: Vec<Step>,
}

/// The order of all groups' nodes. Graphs that are longer than what is worth a schedule keep their own.
pub(super) fn order(graph: &Graph, core: &Core, shape: Shape) -> Vec<Step> {
    if shape.source && shape.lag > 0 {
        return skewed(graph, shape.groups, shape.lag);
    }
    if shape.source || keeps_order(graph) {
        return in_source_order(graph, shape.groups);
    }
    let defined = graph.definitions();
    let mut followers = vec![Vec::new(); graph.nodes.len()];
    let mut waits = vec![0; graph.nodes.len()];
    let needs =
        |i: usize| graph.nodes[i].args().map(|v| defined[v as usize]).filter(|d| *d != NONE).collect::<Vec<_>>();
    for i in 0..graph.nodes.len() {
        let mut before = needs(i);
        before.extend(graph.edges.iter().filter(|(_, b)| *b as usize == i).map(|(a, _)| *a));
        before.sort_unstable();
        before.dedup();
        waits[i] = before.len() as u32;
        before.iter().for_each(|d| followers[*d as usize].push(i as u32));
    }
    let costs = Costs::new(graph, core, shape.width);
    let height = heights(&followers, &costs);
    let backlog = Backlog(vec![0.0; core.resources.len()]);
    let uses = graph.use_counts();
    let mut scheduler = Scheduler { graph, shape, costs, backlog, height, followers, waits, uses, order: Vec::new() };
    scheduler.run();
    scheduler.order
}

/// Group after group in the kernel's own order.
pub(super) fn in_source_order(graph: &Graph, groups: u32) -> Vec<Step> {
    let nodes = source(graph);
    (0..groups).flat_map(|group| nodes.iter().map(move |node| Step { group, node: *node })).collect()
}

/// All groups in the kernel's own order, each so many nodes behind the one before it: while one waits for carries, the
/// next one multiplies, and it takes few registers more than one alone.
fn skewed(graph: &Graph, groups: u32, lag: u32) -> Vec<Step> {
    let nodes = source(graph);
    let place = |group: u32, at: usize| at + (group * lag) as usize;
    let mut order: Vec<(usize, Step)> = (0..groups)
        .flat_map(|group| {
            nodes.iter().enumerate().map(move |(at, node)| (place(group, at), Step { group, node: *node }))
        })
        .collect();
    order.sort_by_key(|(place, _)| *place);
    order.into_iter().map(|(_, step)| step).collect()
}

/// The kernel's own order, but that a store comes as soon as it may.
fn source(graph: &Graph) -> Vec<u32> {
    let defined = graph.definitions();
    // For each node the stores that wait for it, and for each store how many nodes it waits for.
    let mut stores: Vec<Vec<u32>> = vec![Vec::new(); graph.nodes.len()];
    let mut waits = vec![0u32; graph.nodes.len()];
    let is_store = |n: u32| matches!(graph.nodes[n as usize].op, Operation::Store { .. });
    let values = (0..graph.nodes.len() as u32)
        .flat_map(|n| graph.nodes[n as usize].args().map(move |v| (v, n)))
        .map(|(v, n)| (defined[v as usize], n));
    for (before, store) in
        values.chain(graph.edges.iter().copied()).filter(|(before, n)| *before != NONE && is_store(*n))
    {
        stores[before as usize].push(store);
        waits[store as usize] += 1;
    }
    let free: Vec<u32> = (0..graph.nodes.len() as u32).filter(|n| !is_store(*n) || waits[*n as usize] == 0).collect();
    let mut order = Vec::with_capacity(graph.nodes.len());
    for n in free {
        let mut ready = vec![n];
        while let Some(n) = ready.pop() {
            order.push(n);
            for store in &stores[n as usize] {
                waits[*store as usize] -= 1;
                if waits[*store as usize] == 0 {
                    ready.push(*store);
                }
            }
        }
    }
    order
}

/// The longest way from each node's start to the end.
fn heights(followers: &[Vec<u32>], costs: &Costs) -> Vec<u32> {
    let mut height = vec![0u32; followers.len()];
    let mut open: Vec<usize> = followers.iter().map(Vec::len).collect();
    let mut before = vec![Vec::new(); followers.len()];
    for (i, all) in followers.iter().enumerate() {
        all.iter().for_each(|f| before[*f as usize].push(i));
    }
    let mut ready: Vec<usize> = (0..followers.len()).filter(|i| open[*i] == 0).collect();
    while let Some(i) = ready.pop() {
        height[i] = costs.node(i as u32).latency + followers[i].iter().map(|f| height[*f as usize]).max().unwrap_or(0);
        for d in &before[i] {
            open[*d] -= 1;
            if open[*d] == 0 {
                ready.push(*d);
            }
        }
    }
    height
}

impl Scheduler<'_> {
    fn group(&self) -> Group {
        Group {
            waits: self.waits.clone(),
            ready_at: vec![0; self.waits.len()],
            ready: (0..self.waits.len() as u32).filter(|i| self.waits[*i as usize] == 0).collect(),
            uses: self.uses.clone(),
            touched: vec![false; self.uses.len()],
            alive: 0,
            left: self.waits.len(),
        }
    }

    fn run(&mut self) {
        let total = self.shape.groups;
        let mut started = 0;
        let mut open: Vec<(u32, Group)> = Vec::new();
        let mut cycle = 0u32;
        while started < total || !open.is_empty() {
            while open.len() < self.shape.active as usize && started < total {
                open.push((started, self.group()));
                started += 1;
            }
            while let Some((g, node)) = self.choose(&open, cycle) {
                self.issue(&mut open, g, node, cycle);
            }
            open.retain(|(_, group)| group.left > 0);
            self.backlog.next_cycle();
            cycle += 1;
        }
    }

    /// The next node of this cycle, of the oldest group that has one.
    fn choose(&self, open: &[(u32, Group)], cycle: u32) -> Option<(usize, u32)> {
        let fitting = self.backlog.fitting(&self.costs)?;
        let alive: i64 = open.iter().map(|(_, g)| g.alive).sum();
        let registers = self.shape.width.registers() as i64;
        for (g, (_, group)) in open.iter().enumerate() {
            let can = |n: u32| group.ready_at[n as usize] <= cycle && fitting[self.costs.of[n as usize]];
            let fits = |n: u32| {
                g == 0
                    || alive + self.growth(group, n).max(0) <= registers - i64::from(self.shape.reserve)
                    || self.growth(group, n) < 0
            };
            let best = group
                .ready
                .iter()
                .copied()
                .filter(|n| can(*n) && fits(*n))
                .max_by_key(|n| (self.height[*n as usize], std::cmp::Reverse(*n)));
            if let Some(n) = best {
                return Some((g, n));
            }
        }
        None
    }

    /// Registers that are alive after a node and were not before, less those that it frees.
    fn growth(&self, group: &Group, n: u32) -> i64 {
        let node = &self.graph.nodes[n as usize];
        let mut change = node.results().filter(|v| self.graph.values[*v as usize] == Kind::Word).count() as i64;
        let mut args: Vec<Id> = node.args().collect();
        args.sort_unstable();
        let counts = args.chunk_by(|a, b| a == b).map(|all| (all[0], all.len() as u32));
        for (v, count) in counts {
            match self.graph.values[v as usize] {
                Kind::Word => change -= i64::from(group.uses[v as usize] == count),
                Kind::Input { .. } if group.uses[v as usize] == count => change -= i64::from(group.touched[v as usize]),
                Kind::Input { .. } => change += i64::from(!group.touched[v as usize]),
                _ => {}
            }
        }
        change
    }

    fn issue(&mut self, open: &mut [(u32, Group)], g: usize, n: u32, cycle: u32) {
        let (number, group) = &mut open[g];
        group.alive += self.growth(group, n);
        self.backlog.add(self.costs.node(n));
        for v in self.graph.nodes[n as usize].args() {
            group.uses[v as usize] -= 1;
            group.touched[v as usize] = true;
        }
        group.ready.retain(|m| *m != n);
        group.left -= 1;
        self.order.push(Step { group: *number, node: n });
        let done = cycle + self.costs.node(n).latency;
        let mut stores = Vec::new();
        for f in &self.followers[n as usize] {
            let i = *f as usize;
            group.ready_at[i] = group.ready_at[i].max(done);
            group.waits[i] -= 1;
            if group.waits[i] == 0 {
                // A store comes right behind what it stores.
                if matches!(self.graph.nodes[i].op, Operation::Store { .. }) {
                    stores.push(*f)
                } else {
                    group.ready.push(*f)
                }
            }
        }
        for store in stores {
            open[g].1.ready.push(store);
            self.issue(open, g, store, cycle);
        }
    }
}

/// Does a graph keep its own order whatever the shape says?
pub(super) fn keeps_order(graph: &Graph) -> bool {
    let nodes = graph.nodes.len() as u32;
    nodes > MOST_INSTRUCTIONS || nodes > LONG_LOGIC && is_logic(graph)
}

/// Bit-slicing: every result is there at once, and what is made soon wants to be used soon.
pub(super) fn is_logic(graph: &Graph) -> bool {
    graph.nodes.iter().all(|n| {
        matches!(
            n.op,
            Operation::And
                | Operation::Or
                | Operation::Xor
                | Operation::AndNot
                | Operation::Ternary(_)
                | Operation::Load
                | Operation::Store { .. }
        )
    })
}
