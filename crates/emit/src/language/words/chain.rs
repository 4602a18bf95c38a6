//! Carry chains: sums (or differences) of which each takes the carry that the last one left. Where a language keeps carries in
//! a flag, a chain is one thing: other statements between its links stand before it or, where they need its results, behind it.
//! Both halves of a product that are two links next to each other are one link, a multiply-add.

use std::collections::{HashMap, HashSet};
use std::mem::take;

use num_traits::Zero;

use crate::unit::{Expression, Helper, Statement, Variable};

/// A chain; what its links are given is a `T`.
#[derive(Clone, Debug)]
pub struct Chain<'a, T> {
    /// Bits of the words: 32 or 64.
    pub bits: u32,
    /// Differences?
    pub subtracts: bool,
    /// The carry into the first link.
    pub carry: Option<T>,
    /// The links.
    pub links: Vec<Link<'a, T>>,
    /// Who takes the carry of the last link.
    pub out: Option<&'a str>,
}

/// A link of a chain.
#[derive(Clone, Debug)]
pub enum Link<'a, T> {
    /// `to = a + b + carry`.
    Sum { operands: [T; 2], to: Option<&'a str> },
    /// `to + 2^bits·to' = factor·factor' + onto + 2^bits·onto' + carry`.
    Product { factors: [T; 2], onto: [T; 2], to: [Option<&'a str>; 2] },
}

/// What is printed next.
#[derive(Debug)]
pub enum Step<'a> {
    /// A statement.
    One(&'a Statement),
    /// A chain.
    Chain(Chain<'a, &'a Expression>),
}

/// A statement that can be a link.
struct Sum<'a> {
    bits: u32,
    subtracts: bool,
    operands: [&'a Expression; 2],
    carry: &'a Expression,
    to: Option<&'a Variable>,
    out: Option<&'a Variable>,
}

impl<'a> Sum<'a> {
    fn of(statement: &'a Statement) -> Option<Sum<'a>> {
        let (helper, arguments, to, out) = match statement {
            Statement::Pair { helper, arguments, first, second, .. } => {
                (helper, arguments, first.as_ref(), Some(second))
            }
            Statement::Define { variable, value: Expression::Helper(helper, arguments) } => {
                (helper, arguments, Some(variable), None)
            }
            _ => return None,
        };
        let (bits, subtracts) = match (helper, out.is_some()) {
            (Helper::AddCarry(n), true) | (Helper::AddWithCarry(n), false) => (*n, false),
            (Helper::SubBorrow(n), true) | (Helper::SubWithBorrow(n), false) => (*n, true),
            _ => return None,
        };
        let [a, b, carry] = &arguments[..] else { return None };
        matches!(bits, 32 | 64).then_some(Sum { bits, subtracts, operands: [a, b], carry, to, out })
    }
}

/// The name that an expression is.
fn name(x: &Expression) -> Option<&str> {
    if let Expression::Name(name) = x { Some(name) } else { None }
}

/// The names that a statement reads and writes; `None`: it stays where it is.
fn touched<'a>(statement: &'a Statement, read: &mut HashSet<&'a str>) -> Option<Vec<&'a str>> {
    let mut reads = |x: &'a Expression| {
        super::body::each_name(x, &mut |name| {
            read.insert(name);
        })
    };
    match statement {
        Statement::Define { variable, value } => {
            reads(value);
            Some(vec![&variable.name])
        }
        Statement::Pair { arguments, first, second, .. } => {
            arguments.iter().for_each(reads);
            Some(first.iter().chain([second]).map(|v| v.name.as_str()).collect())
        }
        Statement::Choose { mask, choices, .. } => {
            reads(mask);
            choices.iter().for_each(|(_, a, b)| [a, b].into_iter().for_each(&mut reads));
            Some(choices.iter().map(|(name, _, _)| name.as_str()).collect())
        }
        Statement::Store { value, .. } => {
            reads(value);
            Some(Vec::new())
        }
        Statement::Within { .. } => Some(Vec::new()),
        _ => None,
    }
}

/// Does a statement read memory?
fn loads(statement: &Statement) -> bool {
    matches!(
        statement,
        Statement::Define {
            value: Expression::Element(..) | Expression::Entry(..) | Expression::Helper(Helper::Lookup(_), _),
            ..
        }
    )
}

/// The statements of a block in an order in which chains are together; `reads` says how often a name is read.
pub fn steps<'a>(body: &'a [Statement], reads: &HashMap<String, u32>) -> Vec<Step<'a>> {
    let sums: Vec<Option<Sum>> = body.iter().map(Sum::of).collect();
    let once = |name: &str| reads.get(name) == Some(&1);
    // Where the carry of a name is taken.
    let takers: HashMap<&str, usize> =
        sums.iter().enumerate().filter_map(|(i, sum)| Some((name(sum.as_ref()?.carry)?, i))).collect();
    let mut done = vec![false; body.len()];
    let mut steps = Vec::new();
    for i in 0..body.len() {
        if take(&mut done[i]) {
            continue;
        }
        let links = match &sums[i] {
            Some(first) => {
                Links::from(i, first, body, &sums, &|out| takers.get(out).copied().filter(|_| once(out)), &done)
            }
            None => Links::default(),
        };
        if links.at.len() < 2 {
            steps.push(Step::One(&body[i]));
            continue;
        }
        links.at.iter().chain(&links.before).chain(&links.behind).for_each(|k| done[*k] = *k > i);
        steps.extend(links.before.iter().map(|k| Step::One(&body[*k])));
        let of: Vec<&Sum> = links.at.iter().filter_map(|k| sums[*k].as_ref()).collect();
        steps.push(Step::Chain(chain(&of, reads)));
        steps.extend(links.behind.iter().map(|k| Step::One(&body[*k])));
    }
    with_products(steps, reads)
}

/// The statements of a chain, and those among them that stand before it and behind it.
#[derive(Default)]
struct Links {
    at: Vec<usize>,
    before: Vec<usize>,
    behind: Vec<usize>,
}

impl Links {
    /// The chain that begins with statement i.
    fn from<'a>(
        i: usize,
        first: &Sum<'a>,
        body: &'a [Statement],
        sums: &[Option<Sum<'a>>],
        taker: &dyn Fn(&str) -> Option<usize>,
        done: &[bool],
    ) -> Links {
        let mut links = Links { at: vec![i], ..Links::default() };
        let mut late: HashSet<&str> = first.to.iter().map(|v| v.name.as_str()).collect();
        let (mut last, mut stored) = (first, false);
        while let Some(out) = last.out
            && let Some(next) = taker(&out.name)
            && let Some(sum) = &sums[next]
            && (sum.bits, sum.subtracts) == (last.bits, last.subtracts)
            && let Some(&from) = links.at.last()
            && from < next
        {
            let (mut before, mut behind, mut later, mut stores) = (Vec::new(), Vec::new(), late.clone(), stored);
            later.insert(&out.name);
            let mut stays = false;
            for k in (from + 1..next).filter(|k| !done[*k]) {
                let mut read = HashSet::new();
                let Some(written) = touched(&body[k], &mut read) else {
                    stays = true;
                    break;
                };
                let store = matches!(body[k], Statement::Store { .. });
                if store || stores && loads(&body[k]) || !read.is_disjoint(&later) {
                    stores |= store;
                    later.extend(written);
                    behind.push(k);
                } else {
                    before.push(k);
                }
            }
            if stays || sum.operands.iter().filter_map(|x| name(x)).any(|x| later.contains(x)) {
                break;
            }
            links.before.append(&mut before);
            links.behind.append(&mut behind);
            links.at.push(next);
            (late, stored, last) = (later, stores, sum);
            late.extend(sum.to.iter().map(|v| v.name.as_str()));
        }
        links
    }
}

/// Sums as a chain.
fn chain<'a>(sums: &[&Sum<'a>], reads: &HashMap<String, u32>) -> Chain<'a, &'a Expression> {
    let read = |v: &'a Variable| reads.contains_key(&v.name).then_some(v.name.as_str());
    let [first, last] = [sums[0], sums[sums.len() - 1]];
    let is_none = matches!(first.carry, Expression::Constant(_, c) if c.is_zero());
    Chain {
        bits: first.bits,
        subtracts: first.subtracts,
        carry: (!is_none).then_some(first.carry),
        links: sums.iter().map(|s| Link::Sum { operands: s.operands, to: s.to.and_then(read) }).collect(),
        out: last.out.and_then(read),
    }
}

/// Products of which both halves are links next to each other, and nothing else, become links.
fn with_products<'a>(steps: Vec<Step<'a>>, reads: &HashMap<String, u32>) -> Vec<Step<'a>> {
    let mut products = HashMap::new();
    for step in &steps {
        if let Step::One(Statement::Pair { helper: Helper::MulWide(32), arguments, first: Some(low), second, .. }) =
            step
            && [low, second].iter().all(|half| reads.get(&half.name) == Some(&1))
            && let [x, y] = &arguments[..]
        {
            products.insert(low.name.as_str(), (second.name.as_str(), [x, y]));
        }
    }
    let mut fused = HashSet::new();
    let mut out = Vec::with_capacity(steps.len());
    for step in steps {
        match step {
            Step::Chain(chain) if chain.bits == 32 && !chain.subtracts => {
                out.push(Step::Chain(fuse(chain, &products, &mut fused)));
            }
            other => out.push(other),
        }
    }
    let is_fused = |low: &Option<Variable>| low.as_ref().is_some_and(|low| fused.contains(low.name.as_str()));
    out.retain(|step| !matches!(step, Step::One(Statement::Pair { first, .. }) if is_fused(first)));
    out
}

fn fuse<'a>(
    chain: Chain<'a, &'a Expression>,
    products: &HashMap<&'a str, (&'a str, [&'a Expression; 2])>,
    fused: &mut HashSet<&'a str>,
) -> Chain<'a, &'a Expression> {
    // Which operand is that name, and the other one.
    let split = |operands: &[&'a Expression; 2], is: &dyn Fn(&'a str) -> bool| {
        let at = operands.iter().position(|x| name(x).is_some_and(is))?;
        Some((name(operands[at])?, operands[1 - at]))
    };
    let mut links = Vec::with_capacity(chain.links.len());
    let mut rest = chain.links.into_iter().peekable();
    while let Some(link) = rest.next() {
        if let (Link::Sum { operands, to }, Some(Link::Sum { operands: above, to: to_above })) = (&link, rest.peek())
            && let Some((low, onto)) = split(operands, &|x| products.contains_key(x))
            && let Some((high, factors)) = products.get(low)
            && let Some((_, onto_above)) = split(above, &|x| x == *high)
        {
            fused.insert(low);
            links.push(Link::Product { factors: *factors, onto: [onto, onto_above], to: [*to, *to_above] });
            rest.next();
        } else {
            links.push(link);
        }
    }
    Chain { links, ..chain }
}

impl<'a, T> Chain<'a, T> {
    /// What links are given, written otherwise.
    pub fn map<U>(&self, of: &dyn Fn(&T) -> U) -> Chain<'a, U> {
        let link = |link: &Link<'a, T>| match link {
            Link::Sum { operands: [a, b], to } => Link::Sum { operands: [of(a), of(b)], to: *to },
            Link::Product { factors: [x, y], onto: [a, b], to } => {
                Link::Product { factors: [of(x), of(y)], onto: [of(a), of(b)], to: *to }
            }
        };
        Chain {
            bits: self.bits,
            subtracts: self.subtracts,
            carry: self.carry.as_ref().map(of),
            links: self.links.iter().map(link).collect(),
            out: self.out,
        }
    }

    /// The names of its results: `None` where nobody reads one.
    pub fn results(&self) -> Vec<Option<&'a str>> {
        let of = |link: &Link<'a, T>| match link {
            Link::Sum { to, .. } => vec![*to],
            Link::Product { to, .. } => to.to_vec(),
        };
        self.links.iter().flat_map(of).collect()
    }
}
