//! Sums of whole numbers in lanes, of as many terms as there are.
//!
//! Columns carry nothing, so that a sum of several numbers takes no more steps than its additions one by one. What is
//! read by one other sum alone becomes part of it: it is never written to memory, and all that is subtracted has one
//! multiple of p.

use super::limits::Limits;
use super::steps::{From, Kind, Known, Node, Program};

/// The most terms of a sum.
const MOST: usize = 8;

/// The program with sums of sums in one piece.
pub(super) fn merged(program: Program, limits: &Limits) -> Program {
    if !limits.has_columns() {
        return program;
    }
    let fits = |program: &Program| program.numbers.iter().all(|x| !x.wide || x.size.is_within(limits.limit(true)));
    let alike = written(&program, limits, true);
    if fits(&alike) { alike } else { written(&program, limits, false) }
}

/// The program; terms of sums have few sizes where `alike`.
fn written(program: &Program, limits: &Limits, alike: bool) -> Program {
    let Program { numbers, outputs } = program;
    let mut uses = vec![0; numbers.len()];
    let operands = numbers.iter().flat_map(|number| number.from.operands());
    operands.chain(outputs).for_each(|node| uses[node.0] += 1);
    let terms = terms(numbers, &uses);
    let mut is_part = vec![false; numbers.len()];
    for (at, number) in numbers.iter().enumerate() {
        let kept = |node: &&Node| terms[at].iter().any(|(term, _)| term == *node);
        if !terms[at].is_empty() {
            number.from.operands().iter().filter(|node| !kept(node)).for_each(|node| is_part[node.0] = true);
        }
    }
    let mut place = vec![Node(0); numbers.len()];
    let mut all: Vec<Known> = Vec::new();
    for at in order(numbers).into_iter().filter(|at| !is_part[*at]) {
        let number = numbers[at].clone();
        let moved = |node: &Node| place[node.0];
        let number = match number.from {
            From::Call(Kind::Sum(sum), _) if sum.wide => {
                // What is added comes first.
                let mut terms: Vec<(Node, bool)> =
                    terms[at].iter().map(|(node, minus)| (moved(node), *minus)).collect();
                terms.sort_by_key(|(_, minus)| *minus);
                let sizes = terms.iter().map(|(node, minus)| (all[node.0].size.clone(), *minus)).collect();
                let sum = limits.combination(sizes, alike);
                let operands = terms.into_iter().map(|(node, _)| node).collect();
                Known { size: sum.size(), wide: true, from: From::Call(Kind::Combination(sum), operands) }
            }
            From::Call(kind, operands) => {
                Known { from: From::Call(kind, operands.iter().map(moved).collect()), ..number }
            }
            From::Output { block, index, operands } => {
                let operands = operands.iter().map(moved).collect();
                Known { from: From::Output { block, index, operands }, ..number }
            }
            from => Known { from, ..number },
        };
        place[at] = Node(all.len());
        all.push(number);
    }
    Program { numbers: all, outputs: outputs.iter().map(|node| place[node.0]).collect() }
}

/// The numbers in an order in which what is reduced is reduced at once: whole numbers take twice the room. Outputs of a
/// formula that is called stay together.
fn order(numbers: &[Known]) -> Vec<usize> {
    let reduced = |at: &usize| match &numbers[*at].from {
        From::Call(Kind::Reduce(_), operands) => operands.first().map(|node| node.0),
        _ => None,
    };
    let reductions: Vec<(usize, usize)> = (0..numbers.len()).filter_map(|at| Some((reduced(&at)?, at))).collect();
    let mut order = Vec::with_capacity(numbers.len());
    let mut done = 0;
    for at in (0..numbers.len()).filter(|at| reduced(at).is_none()) {
        order.push(at);
        let goes_on = |next: &Known| matches!(&next.from, From::Output { index, .. } if *index > 0);
        if !numbers.get(at + 1).is_some_and(goes_on) {
            order.extend(reductions.iter().filter(|(of, _)| (done..=at).contains(of)).map(|(_, at)| *at));
            done = at + 1;
        }
    }
    order
}

/// The terms of each sum of whole numbers, and whether they are subtracted.
fn terms(numbers: &[Known], uses: &[usize]) -> Vec<Vec<(Node, bool)>> {
    let mut terms: Vec<Vec<(Node, bool)>> = Vec::with_capacity(numbers.len());
    for number in numbers {
        let mut own = Vec::new();
        if let From::Call(Kind::Sum(sum), operands) = &number.from
            && sum.wide
        {
            for (i, (node, minus)) in operands.iter().zip([false, sum.is_difference()]).enumerate() {
                // Room for a term of each operand that follows.
                let room = MOST - own.len() - (1 - i);
                let parts = &terms[node.0];
                if uses[node.0] == 1 && !parts.is_empty() && parts.len() <= room {
                    own.extend(parts.iter().map(|(node, own)| (*node, *own ^ minus)));
                } else {
                    own.push((*node, minus));
                }
            }
        }
        terms.push(own);
    }
    terms
}
