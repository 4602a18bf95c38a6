//! Circuits of ANDs and XORs, each gate written once: two gates of the same inputs are the same gate.
//!
//! * **computes** nothing by itself: algorithms join wires, and only the gates that outputs need become operations of
//!   the kernel.
//! * **needs** one-bit words.
//! * **gives** the outputs as values; `None` is the zero wire, so that padding costs nothing.
//! * **cost** one operation a gate.
//! * **source** structural hashing as in logic synthesis; linear maps by the greedy sharing of pairs: Paar, "Optimized
//!   arithmetic for Reed-Solomon encoders" (1997).

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use evariste_ir::{Builder, Value};

/// Greatest degree for which sequential multipliers are written out: m² gates and more.
pub const UNROLLED_DEGREE: u32 = 131;

/// Greatest degree for which circuits of subquadratic size are written.
pub const CIRCUIT_DEGREE: u32 = 600;

/// A wire: an input or the output of a gate. `None`: zero.
pub type Wire = Option<u32>;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Gate {
    Input,
    And(u32, u32),
    Xor(u32, u32),
}

/// Gates in an order in which inputs come first.
#[derive(Default)]
pub struct Circuit {
    gates: Vec<Gate>,
    known: HashMap<Gate, u32>,
}

impl Circuit {
    /// So many further inputs.
    pub fn inputs(&mut self, n: usize) -> Vec<Wire> {
        let first = self.gates.len() as u32;
        self.gates.resize(self.gates.len() + n, Gate::Input);
        (first..first + n as u32).map(Some).collect()
    }

    fn gate(&mut self, gate: Gate) -> Wire {
        let next = self.gates.len() as u32;
        let at = *self.known.entry(gate).or_insert(next);
        if at == next {
            self.gates.push(gate);
        }
        Some(at)
    }

    /// `x + y`.
    pub fn xor(&mut self, x: Wire, y: Wire) -> Wire {
        match (x, y) {
            (None, z) | (z, None) => z,
            (Some(x), Some(y)) if x == y => None,
            (Some(x), Some(y)) => self.gate(Gate::Xor(x.min(y), x.max(y))),
        }
    }

    /// `x · y`.
    pub fn and(&mut self, x: Wire, y: Wire) -> Wire {
        match (x?, y?) {
            (x, y) if x == y => Some(x),
            (x, y) => self.gate(Gate::And(x.min(y), x.max(y))),
        }
    }

    /// The sum of wires, left to right.
    pub fn sum(&mut self, wires: impl IntoIterator<Item = Wire>) -> Wire {
        wires.into_iter().fold(None, |sum, w| self.xor(sum, w))
    }

    /// Coordinate by coordinate; the shorter vector is extended by zeros.
    pub fn add(&mut self, x: &[Wire], y: &[Wire]) -> Vec<Wire> {
        let at = |v: &[Wire], i: usize| v.get(i).copied().flatten();
        (0..x.len().max(y.len())).map(|i| self.xor(at(x, i), at(y, i))).collect()
    }

    /// `to[i + shift] += from[i]`; `to` grows where needed.
    pub fn add_shifted(&mut self, to: &mut Vec<Wire>, from: &[Wire], shift: usize) {
        if to.len() < from.len() + shift {
            to.resize(from.len() + shift, None);
        }
        for (i, w) in from.iter().enumerate() {
            to[i + shift] = self.xor(to[i + shift], *w);
        }
    }

    /// The images of `x` under a linear map, each a list of coordinates that add up to it: the pair that most of them
    /// have is added once, again and again.
    ///
    /// Source: Paar, "Optimized arithmetic for Reed-Solomon encoders" (1997).
    pub fn linear_map(&mut self, x: &[Wire], rows: Vec<Vec<usize>>) -> Vec<Wire> {
        let mut wires = x.to_vec();
        // The rows that have a wire, a bit each.
        let mut having = vec![vec![0u64; rows.len().div_ceil(64)]; wires.len()];
        let has = |having: &[u64], r: usize| having[r / 64] >> (r % 64) & 1 == 1;
        rows.iter().enumerate().for_each(|(r, row)| row.iter().for_each(|i| having[*i][r / 64] |= 1 << (r % 64)));
        let shared = |x: &[u64], y: &[u64]| x.iter().zip(y).map(|(x, y)| (x & y).count_ones()).sum::<u32>();
        // Pairs by how many rows have them, or had them when they were put there: that only falls.
        let mut pairs = BinaryHeap::new();
        let put = |pairs: &mut BinaryHeap<_>, n: u32, pair: (usize, usize)| {
            if n > 1 {
                pairs.push((n, Reverse(pair)));
            }
        };
        for j in 0..wires.len() {
            (0..j).for_each(|i| put(&mut pairs, shared(&having[i], &having[j]), (i, j)));
        }
        while let Some((n, Reverse((i, j)))) = pairs.pop() {
            let now = shared(&having[i], &having[j]);
            if now < n {
                put(&mut pairs, now, (i, j));
                continue;
            }
            let both: Vec<u64> = having[i].iter().zip(&having[j]).map(|(x, y)| x & y).collect();
            for k in [i, j] {
                having[k].iter_mut().zip(&both).for_each(|(x, both)| *x &= !both);
            }
            let new = wires.len();
            having.iter().enumerate().for_each(|(k, x)| put(&mut pairs, shared(x, &both), (k, new)));
            having.push(both);
            wires.push(self.xor(wires[i], wires[j]));
        }
        let sum = |(r, row): (usize, &Vec<usize>)| {
            let all = row.iter().copied().chain(x.len()..wires.len()).filter(|k| has(&having[*k], r));
            self.sum(all.map(|k| wires[k]))
        };
        rows.iter().enumerate().map(sum).collect()
    }

    /// The images of `x` under a linear map, each a list of coordinates that add up to it: all sums of a block of so
    /// many coordinates are made once.
    pub fn linear_map_by_blocks(&mut self, x: &[Wire], rows: &[Vec<usize>], block: usize) -> Vec<Wire> {
        let mut out = vec![None; rows.len()];
        for (start, wires) in (0..).step_by(block).zip(x.chunks(block)) {
            let mut sums = vec![None];
            wires.iter().for_each(|w| (0..sums.len()).for_each(|i| sums.push(self.xor(sums[i], *w))));
            for (out, row) in out.iter_mut().zip(rows) {
                let subset: usize =
                    row.iter().filter(|i| (start..start + block).contains(*i)).map(|i| 1 << (i - start)).sum();
                *out = self.xor(*out, sums[subset]);
            }
        }
        out
    }

    /// Which gates the outputs need.
    fn needed(&self, outputs: &[Wire]) -> Vec<bool> {
        let mut needed = vec![false; self.gates.len()];
        outputs.iter().flatten().for_each(|w| needed[*w as usize] = true);
        for i in (0..self.gates.len()).rev() {
            if let (true, Gate::And(x, y) | Gate::Xor(x, y)) = (needed[i], self.gates[i]) {
                needed[x as usize] = true;
                needed[y as usize] = true;
            }
        }
        needed
    }

    /// ANDs and XORs that the outputs need.
    pub fn size(&self, outputs: &[Wire]) -> (usize, usize) {
        let needed = self.needed(outputs);
        let count = |and: bool| {
            self.gates
                .iter()
                .zip(&needed)
                .filter(|(g, n)| **n && **g != Gate::Input && matches!(g, Gate::And(..)) == and)
                .count()
        };
        (count(true), count(false))
    }

    /// The outputs as values, given those of the inputs in order. Gates are written in the order in which they were
    /// made.
    pub fn write(&self, b: &mut Builder, inputs: &[Value], outputs: &[Wire]) -> Vec<Value> {
        let needed = self.needed(outputs);
        self.write_in_order(b, inputs, outputs, (0..self.gates.len()).filter(|i| needed[*i]))
    }

    /// As [`write`](Self::write), but each gate is written when the first output that needs it does: for outputs of few
    /// gates, of inputs that can be read again.
    pub fn write_on_demand(&self, b: &mut Builder, inputs: &[Value], outputs: &[Wire]) -> Vec<Value> {
        let mut order = Vec::new();
        let mut seen = vec![false; self.gates.len()];
        for output in outputs.iter().flatten() {
            // Gates whose inputs are still to come, and those whose inputs are there.
            let mut open = vec![(*output as usize, false)];
            while let Some((i, ready)) = open.pop() {
                if ready {
                    order.push(i);
                } else if !std::mem::replace(&mut seen[i], true) {
                    open.push((i, true));
                    if let Gate::And(x, y) | Gate::Xor(x, y) = self.gates[i] {
                        open.extend([(y as usize, false), (x as usize, false)]);
                    }
                }
            }
        }
        self.write_in_order(b, inputs, outputs, order)
    }

    fn write_in_order(
        &self,
        b: &mut Builder,
        inputs: &[Value],
        outputs: &[Wire],
        order: impl IntoIterator<Item = usize>,
    ) -> Vec<Value> {
        let mut given = inputs.iter();
        let mut values: Vec<Option<Value>> =
            self.gates.iter().map(|gate| if *gate == Gate::Input { given.next().copied() } else { None }).collect();
        for i in order {
            let pair = |x: u32, y: u32| values[x as usize].zip(values[y as usize]);
            values[i] = match self.gates[i] {
                Gate::Input => continue,
                Gate::And(x, y) => pair(x, y).map(|(x, y)| b.and(x, y)),
                Gate::Xor(x, y) => pair(x, y).map(|(x, y)| b.xor(x, y)),
            };
        }
        outputs.iter().map(|w| w.and_then(|w| values[w as usize]).unwrap_or_else(|| b.word_constant(0))).collect()
    }
}
