//! Sums of whole numbers in lanes, of as many terms as there are.
//!
//! Columns carry nothing, so that a sum of several numbers takes no more steps than its additions one by one. What is
//! read by one other sum alone becomes part of it: it is never written to memory, and all that is subtracted has one
//! multiple of p. A short sum of products that nothing else reads is made and reduced in one kernel, row by row: its
//! columns stay in registers.

use num_bigint::BigInt;

use super::form::Size;
use super::limits::Limits;
use super::steps::{From, Kind, Known, Node, Program};

/// The most terms of a sum.
const MOST: usize = 8;

/// The most products that are summed in one kernel: those of a coordinate over a quadratic floor.
const PRODUCTS: usize = 2;

/// The program with sums of sums in one piece.
pub(super) fn merged(program: Program, limits: &Limits) -> Program {
    if !limits.has_columns() {
        return program;
    }
    let fits = |program: &Program| program.numbers.iter().all(|x| !x.wide || x.size.is_within(limits.limit(true)));
    let alike = written(&program, limits, true);
    let program = if fits(&alike) { alike } else { written(&program, limits, false) };
    rested(fused(program, limits), limits)
}

/// How often each number is read.
fn uses(Program { numbers, outputs }: &Program) -> Vec<usize> {
    let mut uses = vec![0; numbers.len()];
    let operands = numbers.iter().flat_map(|number| number.from.operands());
    operands.chain(outputs).for_each(|node| uses[node.0] += 1);
    uses
}

/// The program with short sums of products in one piece with their reductions. What is subtracted has the negative of a
/// factor, so that all sums are of one kernel.
fn fused(program: Program, limits: &Limits) -> Program {
    let uses = uses(&program);
    let mut changes = vec![Change::None; program.numbers.len()];
    for (at, number) in program.numbers.iter().enumerate() {
        let From::Call(Kind::Reduce(_), operands) = &number.from else { continue };
        let Some(sum) = products(&program.numbers, &uses, operands[0], limits) else { continue };
        sum.parts.into_iter().for_each(|node| changes[node.0] = Change::Gone);
        changes[at] = Change::To(Box::new(From::Call(Kind::Products(sum.greatest), sum.factors)), sum.negated);
    }
    changed(program, changes, limits)
}

/// A sum that is nothing but a few products, which nothing else reads.
struct Products {
    /// The greatest factor of each.
    greatest: Vec<BigInt>,
    /// The factors, two for each.
    factors: Vec<Node>,
    /// The places of those whose negatives are multiplied.
    negated: Vec<usize>,
    /// The numbers that are no more.
    parts: Vec<Node>,
}

fn products(numbers: &[Known], uses: &[usize], sum: Node, limits: &Limits) -> Option<Products> {
    let From::Call(Kind::Combination(combination), terms) = &numbers[sum.0].from else { return None };
    let alone = |node: &Node| uses[node.0] == 1;
    if terms.len() > PRODUCTS || !terms.iter().chain([&sum]).all(alone) {
        return None;
    }
    let mut all = Products { greatest: Vec::new(), factors: Vec::new(), negated: Vec::new(), parts: vec![sum] };
    for (term, (_, minus)) in terms.iter().zip(&combination.terms) {
        let From::Call(Kind::MulWide(most), operands) = &numbers[term.0].from else { return None };
        if *minus && *most > limits.resting {
            return None;
        }
        all.negated.extend(minus.then_some(all.factors.len()));
        all.greatest.push(most.clone());
        all.factors.extend(operands);
        all.parts.push(*term);
    }
    let bound: BigInt = all.greatest.iter().map(|most| most * most).sum();
    (bound <= limits.double.bound).then_some(all)
}

/// The program in which sums of elements that rest are one sum with those that nothing else reads: nothing is folded twice.
fn rested(program: Program, limits: &Limits) -> Program {
    let uses = uses(&program);
    let mut changes = vec![Change::None; program.numbers.len()];
    let mut terms: Vec<Vec<(Node, bool)>> = Vec::with_capacity(program.numbers.len());
    for (at, number) in program.numbers.iter().enumerate() {
        let mut own: Vec<(Node, bool)> = match &number.from {
            From::Call(kind @ (Kind::Add | Kind::Sub), operands) => {
                operands.iter().copied().zip([false, *kind == Kind::Sub]).collect()
            }
            _ => Vec::new(),
        };
        for (node, minus) in own.clone() {
            let parts = &terms[node.0];
            if uses[node.0] != 1 || parts.is_empty() {
                continue;
            }
            let mut longer: Vec<(Node, bool)> = own.iter().filter(|(term, _)| *term != node).copied().collect();
            longer.extend(parts.iter().map(|(node, own)| (*node, *own ^ minus)));
            let subtracted = longer.iter().filter(|(_, minus)| *minus).count();
            if longer.len() <= MOST && limits.rests(longer.len() - subtracted, subtracted) {
                own = longer;
                changes[node.0] = Change::Gone;
            }
        }
        if own.len() > 2 {
            let (operands, signs) = own.iter().copied().unzip();
            changes[at] = Change::To(Box::new(From::Call(Kind::Rested(signs), operands)), Vec::new());
        }
        terms.push(own);
    }
    changed(program, changes, limits)
}

/// What becomes of a number.
#[derive(Clone, Debug)]
enum Change {
    None,
    Gone,
    /// It is made otherwise, of the negatives of the operands at these places.
    To(Box<From>, Vec<usize>),
}

/// The program after a change for each number.
fn changed(program: Program, changes: Vec<Change>, limits: &Limits) -> Program {
    let mut place: Vec<Node> = Vec::with_capacity(program.numbers.len());
    let mut all: Vec<Known> = Vec::new();
    for (number, change) in program.numbers.into_iter().zip(changes) {
        let (from, negated) = match change {
            Change::Gone => {
                place.push(Node(all.len()));
                continue;
            }
            Change::To(from, negated) => (*from, negated),
            Change::None => (number.from, Vec::new()),
        };
        let moved = |all: Vec<Node>| all.into_iter().map(|node| place[node.0]).collect::<Vec<_>>();
        let from = match from {
            From::Call(kind, operands) => {
                let mut operands = moved(operands);
                for i in negated {
                    let from = From::Call(Kind::Opp, vec![operands[i]]);
                    operands[i] = Node(all.len());
                    all.push(Known { size: Size::of(limits.resting.clone()), wide: false, from });
                }
                From::Call(kind, operands)
            }
            From::Output { block, index, operands } => From::Output { block, index, operands: moved(operands) },
            from => from,
        };
        place.push(Node(all.len()));
        all.push(Known { from, ..number });
    }
    let outputs = program.outputs.iter().map(|node| place[node.0]).collect();
    Program { numbers: all, outputs }
}

/// The program; terms of sums have few sizes where `alike`.
fn written(program: &Program, limits: &Limits, alike: bool) -> Program {
    let Program { numbers, outputs } = program;
    let terms = terms(numbers, &uses(program));
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
