//! The order of the nodes of all groups: list scheduling by the longest path on the ports of the machine table, cycle
//! by cycle, a window of groups at a time.

use super::shape::Shape;
use crate::graph::{Graph, Id, Kind, NONE, Node, Operation};
use crate::x86_64::vector::Width;

/// Node `node` of group `group`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Step {
    pub(super) group: u32,
    pub(super) node: u32,
}

/// What a node takes of the machine.
#[derive(Clone, Copy)]
struct Cost {
    ports: u16,
    latency: u32,
}

fn cost(graph: &Graph, node: &Node, width: Width) -> Cost {
    super::cost::row(graph, node, width)
        .map_or(Cost { ports: 0, latency: 0 }, |r| Cost { ports: r.ports, latency: u32::from(r.latency) })
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
    costs: Vec<Cost>,
    height: Vec<u32>,
    /// Nodes that wait for a node, by values and by edges.
    followers: Vec<Vec<u32>>,
    waits: Vec<u32>,
    uses: Vec<u32>,
    order: Vec<Step>,
}

/// The order of all groups' nodes. Graphs that are longer than what is worth a schedule keep their own.
pub(super) fn order(graph: &Graph, shape: Shape) -> Vec<Step> {
    if shape.source || super::keeps_order(graph) {
        let nodes = source(graph);
        return (0..shape.groups).flat_map(|group| nodes.iter().map(move |node| Step { group, node: *node })).collect();
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
    let costs: Vec<Cost> = graph.nodes.iter().map(|n| cost(graph, n, shape.width)).collect();
    let height = heights(&followers, &costs);
    let mut scheduler =
        Scheduler { graph, shape, costs, height, followers, waits, uses: graph.use_counts(), order: Vec::new() };
    scheduler.run();
    scheduler.order
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
fn heights(followers: &[Vec<u32>], costs: &[Cost]) -> Vec<u32> {
    let mut height = vec![0u32; followers.len()];
    let mut open: Vec<usize> = followers.iter().map(Vec::len).collect();
    let mut before = vec![Vec::new(); followers.len()];
    for (i, all) in followers.iter().enumerate() {
        all.iter().for_each(|f| before[*f as usize].push(i));
    }
    let mut ready: Vec<usize> = (0..followers.len()).filter(|i| open[*i] == 0).collect();
    while let Some(i) = ready.pop() {
        height[i] = costs[i].latency + followers[i].iter().map(|f| height[*f as usize]).max().unwrap_or(0);
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
            // Ports 0, 5 and (256 bits) 1, each once a cycle.
            let mut free: u16 = if self.shape.width.has_masks() { 0b10_0001 } else { 0b10_0011 };
            while free != 0 {
                let Some((g, node, port)) = self.choose(&open, cycle, free) else { break };
                free &= !port;
                self.issue(&mut open, g, node, cycle);
            }
            open.retain(|(_, group)| group.left > 0);
            cycle += 1;
        }
    }

    /// The next node, of the oldest group that has one, and the port that it takes.
    fn choose(&self, open: &[(u32, Group)], cycle: u32, free: u16) -> Option<(usize, u32, u16)> {
        let alive: i64 = open.iter().map(|(_, g)| g.alive).sum();
        let registers = self.shape.width.registers() as i64;
        for (g, (_, group)) in open.iter().enumerate() {
            let can = |n: u32| {
                group.ready_at[n as usize] <= cycle
                    && (self.costs[n as usize].ports & free != 0 || self.costs[n as usize].ports == 0)
            };
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
                let ports = self.costs[n as usize].ports & free;
                // Port 5 first, where it can be: shifts need port 0.
                let port = if ports == 0 { 0 } else { 1 << (15 - ports.leading_zeros()) };
                return Some((g, n, port));
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
        for v in self.graph.nodes[n as usize].args() {
            group.uses[v as usize] -= 1;
            group.touched[v as usize] = true;
        }
        group.ready.retain(|m| *m != n);
        group.left -= 1;
        self.order.push(Step { group: *number, node: n });
        let done = cycle + self.costs[n as usize].latency;
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
