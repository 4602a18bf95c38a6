//! Bilinear maps without any run: which products of a coordinate of the first operand and one of the second add up to
//! each bit of the output. Forwards, each bit of a value that is linear in one operand is a list of its coordinates; a
//! value that is linear in each is a sum of moved values or a product of two lists. Backwards from each bit of the
//! output, the bits of those sums that reach it an odd number of times lead to the products.

use std::rc::Rc;

use evariste_ir::{ArrayKind, BitMap, Coordinate, Kernel, Op, Operand, Type};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::lists::{Lists, ones};
use super::visit_image;
use crate::broken_rules::{Rule, broken};
use crate::unroll::{Applied, Arrays, Domain, Failure, empty, pattern, run};

/// Most bits of the map, and most work of one kind; what takes more is left to the interpreter.
const MOST: usize = 1 << 31;

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

impl Symbol {
    /// Is it the same sum of coordinates in every bit?
    fn is_same(&self, other: &Symbol) -> bool {
        match (self, other) {
            (Constant(x), Constant(y)) => x == y,
            (Linear(i, x), Linear(j, y)) => {
                let list =
                    |lists: &Lists, t: usize| if t < lists.ends.len() { lists.get(t).to_vec() } else { Vec::new() };
                i == j && (0..x.ends.len().max(y.ends.len())).all(|t| list(x, t) == list(y, t))
            }
            _ => false,
        }
    }
}

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
    /// Tables whose entries were found to be sums of those at powers of two.
    tables: Vec<Vec<Symbol>>,
}

/// Are these the entries of that table, and not only equal ones?
fn is_same_table(known: &[Symbol], entries: &[Symbol]) -> bool {
    let same = |(x, y): (&Symbol, &Symbol)| match (x, y) {
        (Linear(_, x), Linear(_, y)) => Rc::ptr_eq(x, y),
        (Constant(x), Constant(y)) => x == y,
        _ => false,
    };
    known.len() == entries.len() && known.iter().zip(entries).all(same)
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
            Linear(_, lists) => lists.possible,
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
                let possible = x.possible & y.possible;
                Ok(self.node(Node::And(x.clone(), y.clone()), possible))
            }
            _ => Err("a product of what is not linear in different operands".into()),
        }
    }

    /// A look-up among entries that were computed: the sum of those at powers of two, each times its bit of the index,
    /// where every other entry is the sum of those at the powers that its place is the sum of (that at 0 is 0).
    fn looked_up(&mut self, index: &Symbol, entries: &[Symbol], n: u32) -> Result<Symbol, Failure> {
        let powers = entries.len().trailing_zeros();
        if !entries.len().is_power_of_two() || self.possible(index) >> powers != 0 {
            return Err("a table that is no power of two".into());
        }
        if !self.tables.iter().any(|known| is_same_table(known, entries)) {
            for (place, entry) in entries.iter().enumerate() {
                let parts = (0..powers).filter(|i| place >> i & 1 == 1).map(|i| (entries[1 << i].clone(), 0, low(n)));
                let sum = self.sum(parts.collect())?;
                let zero = self.possible(&sum) == 0 && self.possible(entry) == 0;
                if !zero && !sum.is_same(entry) {
                    return Err("a table that is not linear".into());
                }
            }
            self.tables.push(entries.to_vec());
        }
        let mut parts = Vec::new();
        for i in 0..powers as i32 {
            let all_bits = (0..n as i32).map(|t| (index.clone(), t - i, 1 << t)).collect();
            let mask = self.sum(all_bits)?;
            parts.push((self.and(&mask, &entries[1 << i])?, 0, low(n)));
        }
        self.sum(parts)
    }

    fn clmul(&mut self, a: &Symbol, b: &Symbol) -> Result<Symbol, Failure> {
        match (a, b) {
            _ if self.possible(a) == 0 || self.possible(b) == 0 => Ok(Constant(0)),
            (Constant(c), x) | (x, Constant(c)) => {
                let bits = (0..128).filter(|i| c >> i & 1 == 1);
                self.sum(bits.map(|i| (x.clone(), i, u128::MAX)).collect())
            }
            (Linear(0, x), Linear(1, y)) | (Linear(1, y), Linear(0, x)) => {
                let lengths = 256 - x.possible.leading_zeros() - y.possible.leading_zeros();
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
    let top = parts.iter().fold(0, |all, (x, up, mask)| all | moved(x.possible, *up) & mask);
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
        if o.types.iter().chain(o.arg_types).any(no_bits) {
            return Err("no integers".into());
        }
        if o.args.iter().any(|v| negative(*v)) {
            return Err("an operand may be negative".into());
        }
        let args: Option<Vec<Symbol>> = operands.iter().cloned().collect();
        let args = args.ok_or("an operand that is no input")?;
        if let ([index], entries @ [_, ..]) = args.split_at(o.args.len()) {
            return Ok(vec![Some(self.looked_up(index, entries, o.types[0].bits())?)]);
        }
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

/// The nodes that one is the sum of, itself first, each before those that it is the sum of.
fn below(nodes: &[(Node, u128)], node: usize) -> Vec<usize> {
    let mut reached = vec![false; node + 1];
    reached[node] = true;
    for i in (0..=node).rev().filter(|i| nodes[*i].1 != 0) {
        if let (true, Node::Sum(parts)) = (reached[i], &nodes[i].0) {
            parts.iter().for_each(|(from, ..)| reached[*from] = true);
        }
    }
    (0..=node).rev().filter(|i| reached[*i]).collect()
}

/// Adds the products of which a bit of the first of these nodes is the sum. `reaching` is all 0, before and after.
fn expand(nodes: &[(Node, u128)], below: &[usize], bit: u32, reaching: &mut [u128], pairs: &mut Pairs) {
    reaching[below[0]] = 1 << bit;
    for &i in below {
        let bits = std::mem::take(&mut reaching[i]) & nodes[i].1;
        if bits == 0 {
            continue;
        }
        match &nodes[i].0 {
            Node::Sum(parts) => {
                for (from, up, mask) in parts {
                    let more = moved(bits & mask, -up);
                    let known = if broken(Rule::Cancelling) { reaching[*from] & more } else { 0 };
                    reaching[*from] ^= more ^ known;
                }
            }
            Node::And(a, b) => ones(bits).for_each(|t| pairs.toggle(a.get(t), b.get(t))),
            Node::Clmul(a, b) => {
                for t in ones(bits) {
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
        let mut inside = true;
        visit_image(map, at, second.len(), |k| match wanted.get_mut(k as usize * words + at / 64) {
            Some(word) => *word ^= 1 << (at % 64),
            None => inside = false,
        })?;
        if !inside {
            return None;
        }
    }
    let mut reaching = vec![0; nodes.all.len()];
    let mut pairs = Pairs { second: second.len(), bits: vec![0; words], work: 0 };
    let mut k = 0;
    for d in &output.digits {
        let found = arrays[d.array.0 as usize][d.index as usize].as_ref()?.as_ref()?;
        let below = if let Product(node) = found { below(&nodes.all, *node) } else { Vec::new() };
        for bit in 0..kernel.array(d.array).ty.bits() {
            pairs.bits.fill(0);
            match found {
                Product(_) => expand(&nodes.all, &below, bit, &mut reaching, &mut pairs),
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
