//! The demand order: chains follow each other as in the kernel; what a chain needs and would disturb its flags comes
//! before it; products, which disturb nothing, come just before the sum that wants them. Few values are alive at a
//! time, and flags never wait.

use super::Resources;
use crate::graph::{Chains, Graph, NONE, Node, Operation};

/// May the node stand inside a chain without touching the flags?
pub(super) fn is_quiet(node: &Node, resources: Resources) -> bool {
    matches!(node.op, Operation::Load | Operation::Store { .. }) || (resources.is_quiet)(node.op)
}

struct Demand<'g> {
    graph: &'g Graph,
    resources: Resources,
    chains: Chains,
    defined: Vec<u32>,
    /// Nodes that must come before a node beside those that compute its arguments.
    before: Vec<Vec<u32>>,
    done: Vec<bool>,
    /// Chains whose needs are being computed.
    open: Vec<bool>,
    /// The round in which a node's loud needs were last looked at; a round begins with each chain.
    looked: Vec<u32>,
    round: u32,
    order: Vec<u32>,
}

enum Task {
    /// Compute a node and all that it needs.
    Node(u32),
    /// All that a node needs is there.
    Emit(u32),
    /// Compute what would disturb the chain of a node, then the chain.
    Chain(u32),
    /// Compute what the node needs and would disturb a chain; leave the quiet rest for later.
    Loud(u32),
    /// The chain is done.
    Close(u32),
}

/// The demand order. It respects the graph.
pub fn demand_order(graph: &Graph, resources: Resources) -> Vec<u32> {
    // Quiet nodes wait until somebody wants them; stores are what is wanted in the end.
    let wanted = (0..graph.nodes.len() as u32).filter(|i| {
        let node = &graph.nodes[*i as usize];
        !is_quiet(node, resources) || matches!(node.op, Operation::Store { .. })
    });
    demand_in_order(graph, resources, wanted)
}

/// The demand order when the nodes are wanted in this order; those that it leaves out come last.
pub(super) fn demand_in_order(graph: &Graph, resources: Resources, wanted: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut before = vec![Vec::new(); graph.nodes.len()];
    for (a, b) in &graph.edges {
        before[*b as usize].push(*a);
    }
    let chains = Chains::of(graph);
    let open = vec![false; chains.nodes.len()];
    let mut demand = Demand {
        graph,
        resources,
        chains,
        defined: graph.definitions(),
        before,
        done: vec![false; graph.nodes.len()],
        open,
        looked: vec![0; graph.nodes.len()],
        round: 0,
        order: Vec::with_capacity(graph.nodes.len()),
    };
    for i in wanted {
        demand.run(i);
    }
    for i in 0..graph.nodes.len() as u32 {
        demand.run(i);
    }
    demand.order
}

impl Demand<'_> {
    /// Nodes that a node needs directly.
    fn needs(&self, n: u32) -> impl Iterator<Item = u32> + '_ {
        let args = self.graph.nodes[n as usize].args().map(|v| self.defined[v as usize]).filter(|d| *d != NONE);
        args.chain(self.before[n as usize].iter().copied())
    }

    fn run(&mut self, root: u32) {
        let mut stack = vec![Task::Node(root)];
        while let Some(task) = stack.pop() {
            match task {
                Task::Node(n) if self.done[n as usize] => {}
                Task::Node(n) => {
                    let chain = self.chains.of[n as usize];
                    if chain != NONE && !self.open[chain as usize] {
                        stack.push(Task::Node(n));
                        stack.push(Task::Chain(chain));
                    } else {
                        self.visit(n, &mut stack);
                    }
                }
                Task::Chain(chain) => {
                    self.open[chain as usize] = true;
                    self.round += 1;
                    stack.push(Task::Close(chain));
                    let members = self.chains.nodes[chain as usize].clone();
                    stack.extend(members.iter().rev().map(|n| Task::Node(*n)));
                    stack.extend(members.iter().rev().map(|n| Task::Loud(*n)));
                }
                Task::Close(chain) => self.open[chain as usize] = false,
                Task::Loud(n) if self.looked[n as usize] == self.round => {}
                Task::Loud(n) => {
                    self.looked[n as usize] = self.round;
                    // The members of an open chain are not computed here: they come in their turn.
                    let needs: Vec<u32> = self.needs(n).filter(|d| !self.done[*d as usize]).collect();
                    for d in needs.into_iter().rev() {
                        let chain = self.chains.of[d as usize];
                        if chain != NONE && self.open[chain as usize] {
                            continue;
                        }
                        stack.push(if is_quiet(&self.graph.nodes[d as usize], self.resources) {
                            Task::Loud(d)
                        } else {
                            Task::Node(d)
                        });
                    }
                }
                Task::Emit(n) => {
                    if !self.done[n as usize] {
                        self.done[n as usize] = true;
                        self.order.push(n);
                    }
                }
            }
        }
    }

    fn visit(&mut self, n: u32, stack: &mut Vec<Task>) {
        stack.push(Task::Emit(n));
        let needs: Vec<u32> = self.needs(n).filter(|d| !self.done[*d as usize]).collect();
        stack.extend(needs.into_iter().rev().map(Task::Node));
    }
}
