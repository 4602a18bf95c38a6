//! Bilinear maps without any run: which products of a coordinate of the first operand and one of the second add up to
//! each bit of the output. Forwards, each bit of a value that is linear in one operand is a list of its coordinates; a
//! value that is linear in each is a sum of moved values or a product of two lists. Backwards from each bit of the
//! output, the bits of those sums that reach it an odd number of times lead to the products.

use std::rc::Rc;

use evariste_ir::{ArrayKind, BitMap, Coordinate, Kernel, Op, Operand, Type};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::image;
use crate::broken_rules::{Rule, broken};
use crate::unroll::{Applied, Arrays, Domain, Failure, empty, pattern, run};

/// Most bits of the map, and most work of one kind; what takes more is left to the interpreter.
const MOST: usize = 1 << 31;

/// For each bit of a value the coordinates that it is the sum of, ascending.
#[derive(Default)]
struct Lists {
    ends: Vec<u32>,
    all: Vec<u32>,
}

impl Lists {
    fn push(&mut self, list: impl IntoIterator<Item = u32>) {
        self.all.extend(list);
        self.ends.push(self.all.len() as u32);
    }

    /// The sum of lists.
    fn push_sum<'a>(&mut self, mut lists: impl Iterator<Item = &'a [u32]>) {
        match (lists.next(), lists.next()) {
            (Some(one), None) => self.all.extend_from_slice(one),
            (Some(one), Some(other)) => {
                let all = lists.fold(super::added(one, other), |all, list| super::added(&all, list));
                self.all.extend(all);
            }
            (None, _) => {}
        }
        self.ends.push(self.all.len() as u32);
    }

    fn get(&self, bit: usize) -> &[u32] {
        let start = if bit == 0 { 0 } else { self.ends[bit - 1] };
        &self.all[start as usize..self.ends[bit] as usize]
    }

    /// The bits that are not always 0.
    fn possible(&self) -> u128 {
        let starts = std::iter::once(&0).chain(&self.ends);
        starts.zip(&self.ends).zip(0..).filter(|((start, end), _)| start < end).fold(0, |bits, (_, t)| bits | 1 << t)
    }
}

/// A value.
#[derive(Clone)]
enum Symbol {
    Constant(u128),
    /// Linear in that operand.
    Linear(usize, Rc<Lists>),
    /// Linear in each: the number of a node.
    Product(usize),
}

use Symbol::*;

/// Bits of a value, moved up (or down), of which those of the mask are kept.
type Part<V> = (V, i32, u128);

enum Node {
    Sum(Vec<Part<usize>>),
    And(Rc<Lists>, Rc<Lists>),
    Clmul(Rc<Lists>, Rc<Lists>),
}

/// All values that are linear in each operand, each with the bits that are not always 0; operands come first.
#[derive(Default)]
struct Nodes {
    all: Vec<(Node, u128)>,
    /// Entries of all lists.
    entries: usize,
}

fn moved(bits: u128, up: i32) -> u128 {
    let by = up.unsigned_abs();
    let shifted = if up < 0 { bits.checked_shr(by) } else { bits.checked_shl(by) };
    shifted.unwrap_or(0)
}

fn low(bits: u32) -> u128 {
    if bits >= 128 { u128::MAX } else { (1 << bits) - 1 }
}

impl Nodes {
    fn possible(&self, x: &Symbol) -> u128 {
        match x {
            Constant(c) => *c,
            Linear(_, lists) => lists.possible(),
            Product(i) => self.all[*i].1,
        }
    }

    fn node(&mut self, node: Node, possible: u128) -> Symbol {
        self.all.push((node, possible));
        Product(self.all.len() - 1)
    }

    fn lists(&mut self, operand: usize, lists: Lists) -> Result<Symbol, Failure> {
        self.entries += lists.all.len() + lists.ends.len();
        if self.entries > MOST / 64 {
            return Err("too many coordinates".into());
        }
        Ok(Linear(operand, Rc::new(lists)))
    }

    /// The sum of some parts.
    fn sum(&mut self, mut parts: Vec<Part<Symbol>>) -> Result<Symbol, Failure> {
        parts.retain(|(x, up, mask)| moved(self.possible(x), *up) & mask != 0);
        match parts.first() {
            None => Ok(Constant(0)),
            Some((Constant(_), ..)) => parts.iter().try_fold(Constant(0), |sum, part| match (sum, part) {
                (Constant(sum), (Constant(c), up, mask)) => Ok(Constant(sum ^ moved(*c, *up) & mask)),
                _ => Err("a constant is added".into()),
            }),
            Some((Linear(..), 0, mask)) if parts.len() == 1 && self.possible(&parts[0].0) & !mask == 0 => {
                Ok(parts.swap_remove(0).0)
            }
            Some((Linear(operand, _), ..)) => {
                let operand = *operand;
                let lists = parts.iter().map(|(x, up, mask)| match x {
                    Linear(of, lists) if *of == operand => Ok((lists, *up, *mask)),
                    _ => Err("linear in different ways".into()),
                });
                let sum = added(&lists.collect::<Result<Vec<_>, Failure>>()?);
                self.lists(operand, sum)
            }
            Some((Product(_), ..)) => {
                let possible = parts.iter().fold(0, |all, (x, up, mask)| all | moved(self.possible(x), *up) & mask);
                let parts = parts.into_iter().map(|(x, up, mask)| match x {
                    Product(i) => Ok((i, up, mask)),
                    _ => Err("linear and bilinear".into()),
                });
                let parts = parts.collect::<Result<_, Failure>>()?;
                Ok(self.node(Node::Sum(parts), possible))
            }
        }
    }

    /// Bit by bit.
    fn and(&mut self, a: &Symbol, b: &Symbol) -> Result<Symbol, Failure> {
        match (a, b) {
            (Constant(c), x) | (x, Constant(c)) => self.sum(vec![(x.clone(), 0, *c)]),
            (Linear(0, x), Linear(1, y)) | (Linear(1, y), Linear(0, x)) => {
                let possible = x.possible() & y.possible();
                Ok(self.node(Node::And(x.clone(), y.clone()), possible))
            }
            _ => Err("a product of what is not linear in different operands".into()),
        }
    }

    fn clmul(&mut self, a: &Symbol, b: &Symbol) -> Result<Symbol, Failure> {
        match (a, b) {
            _ if self.possible(a) == 0 || self.possible(b) == 0 => Ok(Constant(0)),
            (Constant(c), x) | (x, Constant(c)) => {
                let bits = (0..128).filter(|i| c >> i & 1 == 1);
                self.sum(bits.map(|i| (x.clone(), i, u128::MAX)).collect())
            }
            (Linear(0, x), Linear(1, y)) | (Linear(1, y), Linear(0, x)) => {
                let lengths = 256 - x.possible().leading_zeros() - y.possible().leading_zeros();
                Ok(self.node(Node::Clmul(x.clone(), y.clone()), low(lengths - 1)))
            }
            // No two different bits meet an odd number of times.
            (Linear(i, x), Linear(j, y)) if i == j && Rc::ptr_eq(x, y) => {
                let mut square = Lists::default();
                for t in 0..(2 * x.ends.len()).min(128) {
                    square.push(if t % 2 == 0 { x.get(t / 2).to_vec() } else { Vec::new() });
                }
                self.lists(*i, square)
            }
            _ => Err("a product of what is not linear in different operands".into()),
        }
    }
}

/// The sum of moved lists.
fn added(parts: &[Part<&Rc<Lists>>]) -> Lists {
    let top = parts.iter().fold(0, |all, (x, up, mask)| all | moved(x.possible(), *up) & mask);
    let mut sum = Lists::default();
    for t in 0..128 - top.leading_zeros() as i32 {
        let from = parts.iter().filter(|(_, _, mask)| mask >> t & 1 == 1).filter_map(|(x, up, _)| {
            let from = usize::try_from(t - up).ok().filter(|from| *from < x.ends.len())?;
            Some(x.get(from)).filter(|list| !list.is_empty())
        });
        sum.push_sum(from);
    }
    sum
}

impl Domain for Nodes {
    type V = Option<Symbol>;

    fn apply(&mut self, o: &Applied, operands: &[Option<Symbol>]) -> Result<Vec<Option<Symbol>>, Failure> {
        let no_bits = |t: &Type| matches!(t, Type::Float(_)) || t.bits() > 128;
        let negative = |v| o.kernel.value(v).range.lo.sign() == num_bigint::Sign::Minus;
        if operands.len() > o.args.len() || o.types.iter().chain(o.arg_types).any(no_bits) {
            return Err("a look-up, or no integers".into());
        }
        if o.args.iter().any(|v| negative(*v)) {
            return Err("an operand may be negative".into());
        }
        let args: Option<Vec<Symbol>> = operands.iter().cloned().collect();
        let args = args.ok_or("an operand that is no input")?;
        let parts = match products(self, o, &args)? {
            Some(x) => return Ok(vec![Some(x)]),
            None => sums(o, &args).ok_or_else(|| format!("{} is left to the interpreter", o.op.name()))?,
        };
        let kept = |(x, up, mask): &Part<Symbol>| {
            let bits = self.possible(x);
            (moved(bits, *up) & mask).count_ones() == bits.count_ones()
        };
        if o.op.row().exact && !parts.iter().flatten().all(kept) {
            return Err("a bit may be lost".into());
        }
        parts.into_iter().map(|parts| self.sum(parts).map(Some)).collect()
    }

    fn constant(&mut self, c: &BigInt, ty: Type) -> Option<Symbol> {
        pattern(c, ty).to_u128().map(Constant)
    }
}

/// The result of an operation that multiplies.
fn products(nodes: &mut Nodes, o: &Applied, args: &[Symbol]) -> Result<Option<Symbol>, Failure> {
    let n = o.types[0].bits();
    let bit = n == 1 && o.arg_types.iter().all(|t| t.bits() == 1);
    let all = low(n);
    let x = match (o.op, args) {
        (Op::And, [a, b]) => nodes.and(a, b)?,
        (Op::WrappingMul | Op::Mul, [a, b]) if bit => nodes.and(a, b)?,
        (Op::Clmul, [a, b]) => nodes.clmul(a, b)?,
        (Op::AndNot, [x, Constant(c)]) => nodes.sum(vec![(x.clone(), 0, all & !c)])?,
        // b + m (a + b)
        (Op::Select, [mask, a, b]) if o.arg_types.iter().all(|t| t.bits() == n) => {
            let both = nodes.sum(vec![(a.clone(), 0, all), (b.clone(), 0, all)])?;
            let chosen = nodes.and(mask, &both)?;
            nodes.sum(vec![(chosen, 0, all), (b.clone(), 0, all)])?
        }
        _ => return Ok(None),
    };
    Ok(Some(x))
}

/// The results of an operation that moves bits and adds them up, each as a sum of parts.
fn sums(o: &Applied, args: &[Symbol]) -> Option<Vec<Vec<Part<Symbol>>>> {
    let n = o.types[0].bits();
    let (all, up, size) = (low(n), o.shift as i32, n as i32);
    let bit = n == 1 && o.arg_types.iter().all(|t| t.bits() == 1);
    let part = |i: usize, up: i32, mask: u128| (args[i].clone(), up, mask);
    Some(vec![match o.op {
        Op::Const(c) => vec![(Constant(pattern(c, o.types[0]).to_u128()?), 0, all)],
        Op::Xor => vec![part(0, 0, all), part(1, 0, all)],
        Op::WrappingAdd | Op::WrappingSub if bit => vec![part(0, 0, all), part(1, 0, all)],
        Op::Shl(_) | Op::WrappingShl(_) => vec![part(0, up, all)],
        Op::Shr(_) => vec![part(0, -up, all)],
        Op::Rotate(_) => vec![part(0, up % size, all), part(0, up % size - size, all)],
        Op::FunnelShift(_) => vec![part(0, size - up, all), part(1, -up, all)],
        Op::LowBits(k) => vec![part(0, 0, low(*k))],
        Op::Widen | Op::Narrow | Op::FlagToWord | Op::MaskToWord => vec![part(0, 0, all)],
        // The bits of a mask are equal.
        Op::MaskToFlag => vec![part(0, 0, 1)],
        Op::FlagToMask => (0..size).map(|t| part(0, t, 1 << t)).collect(),
        Op::Split => return Some(split(o, &args[0])),
        Op::Join => {
            let starts = o.arg_types.iter().scan(0, |at, t| Some(std::mem::replace(at, *at + t.bits() as i32)));
            starts.enumerate().map(|(i, at)| part(i, at, all)).collect()
        }
        _ => return None,
    }])
}

fn split(o: &Applied, whole: &Symbol) -> Vec<Vec<Part<Symbol>>> {
    let starts = o.types.iter().scan(0, |at, t| Some((std::mem::replace(at, *at + t.bits() as i32), low(t.bits()))));
    starts.map(|(at, mask)| vec![(whole.clone(), -at, mask)]).collect()
}

/// The pairs of coordinates whose products are in a sum: that of i and j at `i * second + j`.
struct Pairs {
    second: usize,
    bits: Vec<u64>,
    /// How many were counted, over all outputs.
    work: usize,
}

impl Pairs {
    fn toggle(&mut self, a: &[u32], b: &[u32]) {
        self.work += a.len() * b.len();
        for i in a {
            for j in b {
                let at = *i as usize * self.second + *j as usize;
                self.bits[at / 64] ^= 1 << (at % 64);
            }
        }
    }
}

/// Adds the products of which a bit of a node is the sum. `reaching` is all 0, before and after.
fn expand(nodes: &[(Node, u128)], node: usize, bit: u32, reaching: &mut [u128], pairs: &mut Pairs) {
    reaching[node] = 1 << bit;
    for i in (0..=node).rev() {
        let bits = std::mem::take(&mut reaching[i]) & nodes[i].1;
        if bits == 0 {
            continue;
        }
        let each = (0..128).filter(|t| bits >> t & 1 == 1);
        match &nodes[i].0 {
            Node::Sum(parts) => {
                for (from, up, mask) in parts {
                    let more = moved(bits & mask, -up);
                    let known = if broken(Rule::Cancelling) { reaching[*from] & more } else { 0 };
                    reaching[*from] ^= more ^ known;
                }
            }
            Node::And(a, b) => each.for_each(|t| pairs.toggle(a.get(t), b.get(t))),
            Node::Clmul(a, b) => {
                for t in each {
                    for u in (t + 1).saturating_sub(b.ends.len())..a.ends.len().min(t + 1) {
                        pairs.toggle(a.get(u), b.get(t - u));
                    }
                }
            }
        }
    }
}

/// What the inputs are, all else unknown.
fn inputs(kernel: &Kernel, vectors: &[Vec<Coordinate>]) -> Arrays<Option<Symbol>> {
    let mut arrays: Arrays<Option<Symbol>> = empty(kernel);
    for (info, cells) in kernel.arrays.iter().zip(&mut arrays) {
        if matches!(info.kind, ArrayKind::Input | ArrayKind::InOut) {
            cells.iter_mut().for_each(|c| *c = Some(None));
        }
    }
    for (operand, vector) in vectors.iter().enumerate() {
        let mut next = 0;
        for digit in vector.chunk_by(|x, y| (x.array, x.index) == (y.array, y.index)) {
            let mut lists = Lists::default();
            digit.iter().zip(next..).for_each(|(_, i)| lists.push([i]));
            next += digit.len() as u32;
            let cell = &mut arrays[digit[0].array.0 as usize][digit[0].index as usize];
            *cell = Some(Some(Linear(operand, Rc::new(lists))));
        }
    }
    arrays
}

/// Is the output the image of the two inputs? `None` where that is left to the interpreter.
pub(crate) fn is_image(kernel: &Kernel, output: &Operand, vectors: &[Vec<Coordinate>], map: &BitMap) -> Option<bool> {
    let [first, second] = vectors else { return None };
    let result = output.coordinates()?;
    let total = first.len() * second.len();
    let words = total.div_ceil(64);
    if words * 64 * result.len() > MOST {
        return None;
    }
    let mut nodes = Nodes::default();
    let arrays = run(&mut nodes, kernel, inputs(kernel, vectors)).ok()?.0;
    if nodes.all.len() * result.len() > MOST {
        return None;
    }
    let mut wanted = vec![0u64; words * result.len()];
    for at in 0..total {
        for k in image(map, at, second.len())? {
            *wanted.get_mut(k as usize * words + at / 64)? ^= 1 << (at % 64);
        }
    }
    let mut reaching = vec![0; nodes.all.len()];
    let mut pairs = Pairs { second: second.len(), bits: vec![0; words], work: 0 };
    let mut k = 0;
    for d in &output.digits {
        let found = arrays[d.array.0 as usize][d.index as usize].as_ref()?.as_ref()?;
        for bit in 0..kernel.array(d.array).ty.bits() {
            pairs.bits.fill(0);
            match found {
                Product(node) => expand(&nodes.all, *node, bit, &mut reaching, &mut pairs),
                Constant(c) if c >> bit & 1 == 0 => {}
                _ => return None,
            }
            if pairs.work > MOST {
                return None;
            }
            let coordinate = result.get(k).is_some_and(|c| (c.array, c.index, c.bit) == (d.array, d.index, bit));
            let right = if coordinate {
                pairs.bits == wanted[k * words..][..words]
            } else {
                pairs.bits.iter().all(|w| *w == 0)
            };
            if !right {
                return Some(false);
            }
            k += coordinate as usize;
        }
    }
    Some(k == result.len())
}
