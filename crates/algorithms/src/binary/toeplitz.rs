//! Products of a Toeplitz matrix and a vector over GF(2), by circuits.
//!
//! * **computes** `Σ_s t[r − s + n − 1] v[s]` for r < n.
//! * **needs** 2n − 1 entries of the matrix, from the upper right corner to the lower left one.
//! * **gives** a circuit; the split of each size is the best of schoolbook, border, two and three ways, or two ways
//!   alone.
//! * **cost** two ways: `3 X(n/2) + 3n − 1` XORs before gates are shared; three ways: six products of a third.
//! * **source** Fan and Hasan, "A new approach to subquadratic space complexity parallel multipliers for extended
//!   binary fields" (2007).

use std::collections::HashMap;
use std::sync::Mutex;

use super::circuit::{Circuit, Wire};

/// Greatest size that is considered for schoolbook.
const LARGEST_SCHOOL: usize = 12;

/// How a product is split.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Split {
    School,
    /// The last row and column apart.
    Border,
    Two,
    Three,
}

/// The splits that may be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Splits {
    /// All, the best for each size.
    All,
    /// Halves only, odd sizes padded.
    TwoWay,
}

/// Gates and split of the sizes that were wanted so far.
type Table = HashMap<usize, (usize, Split)>;

/// Writes products into a circuit.
#[derive(Clone)]
pub struct Toeplitz {
    table: Table,
    splits: Splits,
}

impl Toeplitz {
    /// For matrices of n rows: at every size that comes up the split whose circuit is the smallest.
    pub fn new(n: usize, splits: Splits) -> Toeplitz {
        static KNOWN: Mutex<Option<[Toeplitz; 2]>> = Mutex::new(None);
        let mut known = KNOWN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let both = known.get_or_insert_with(|| {
            [Splits::All, Splits::TwoWay].map(|splits| Toeplitz { table: Table::new(), splits })
        });
        let toeplitz = &mut both[usize::from(splits == Splits::TwoWay)];
        toeplitz.learn(n);
        toeplitz.clone()
    }

    fn learn(&mut self, n: usize) {
        if self.table.contains_key(&n) {
            return;
        }
        let mut options = Vec::new();
        if n <= 1 || self.splits == Splits::All && n <= LARGEST_SCHOOL {
            options.push((Split::School, 0));
        }
        // A last row and column are worth setting apart where the rest then divides.
        if self.splits == Splits::All && n >= 2 && (n <= LARGEST_SCHOOL || n % 2 == 1 || n % 3 == 1) {
            options.push((Split::Border, n - 1));
        }
        if n >= 2 {
            options.push((Split::Two, n.div_ceil(2)));
        }
        if self.splits == Splits::All && n >= 3 {
            options.push((Split::Three, n.div_ceil(3)));
        }
        let mut best = (usize::MAX, Split::School);
        for (split, part) in options {
            if part > 0 {
                self.learn(part);
            }
            self.table.insert(n, (0, split));
            let mut c = Circuit::default();
            let (t, v) = (c.inputs(2 * n - 1), c.inputs(n));
            let out = self.multiply(&mut c, &t, &v);
            let (ands, xors) = c.size(&out);
            best = std::cmp::min_by_key(best, (ands + xors, split), |(gates, _)| *gates);
        }
        self.table.insert(n, best);
    }

    /// The product; `t` has `2n − 1` entries.
    pub fn multiply(&self, c: &mut Circuit, t: &[Wire], v: &[Wire]) -> Vec<Wire> {
        let n = v.len();
        match self.table.get(&n).map_or(Split::School, |(_, split)| *split) {
            Split::School => (0..n)
                .map(|r| {
                    let terms: Vec<Wire> = (0..n).map(|s| c.and(t[r + n - 1 - s], v[s])).collect();
                    c.sum(terms)
                })
                .collect(),
            Split::Border => {
                let mut out = self.multiply(c, &t[1..2 * n - 2], &v[..n - 1]);
                for (r, w) in out.iter_mut().enumerate() {
                    let z = c.and(t[r], v[n - 1]);
                    *w = c.xor(*w, z);
                }
                let terms: Vec<Wire> = (0..n).map(|s| c.and(t[2 * n - 2 - s], v[s])).collect();
                out.push(c.sum(terms));
                out
            }
            Split::Two => self.parts(c, t, v, n.div_ceil(2), 2),
            Split::Three => self.parts(c, t, v, n.div_ceil(3), 3),
        }
    }

    /// Pads to k parts of q, and multiplies those.
    fn parts(&self, c: &mut Circuit, t: &[Wire], v: &[Wire], q: usize, k: usize) -> Vec<Wire> {
        let n = v.len();
        let pad = k * q - n;
        // Rows and columns of zeros are added below and to the right.
        let t: Vec<Wire> =
            std::iter::repeat_n(None, pad).chain(t.iter().copied()).chain(std::iter::repeat_n(None, pad)).collect();
        let v: Vec<Wire> = v.iter().copied().chain(std::iter::repeat_n(None, pad)).collect();
        // Block i has the entries of diagonals around i·q, from the upper right.
        let block = |i: usize| t[i * q..i * q + 2 * q - 1].to_vec();
        let part = |i: usize| v[i * q..(i + 1) * q].to_vec();
        let mut out = if k == 2 {
            let [t0, t1, t2] = std::array::from_fn(block);
            let [v0, v1] = std::array::from_fn(part);
            let (x, y, z) = (c.add(&t0, &t1), c.add(&t1, &t2), c.add(&v0, &v1));
            let (p0, p1, p2) = (self.multiply(c, &x, &v1), self.multiply(c, &y, &v0), self.multiply(c, &t1, &z));
            [c.add(&p0, &p2), c.add(&p1, &p2)].concat()
        } else {
            let [t0, t1, t2, t3, t4] = std::array::from_fn(block);
            let [v0, v1, v2] = std::array::from_fn(part);
            // Differences of neighbours are shared by the three sums.
            let (s12, s23) = (c.add(&t1, &t2), c.add(&t2, &t3));
            let (x0, x1, x2) = (c.add(&t0, &s12), c.add(&s12, &t3), c.add(&s23, &t4));
            let (z12, z02, z01) = (c.add(&v1, &v2), c.add(&v0, &v2), c.add(&v0, &v1));
            let (p0, p1, p2) = (self.multiply(c, &x0, &v2), self.multiply(c, &x1, &v1), self.multiply(c, &x2, &v0));
            let (p3, p4, p5) = (self.multiply(c, &t1, &z12), self.multiply(c, &t2, &z02), self.multiply(c, &t3, &z01));
            let three = |c: &mut Circuit, a: &[Wire], b: &[Wire], d: &[Wire]| {
                let sum = c.add(a, b);
                c.add(&sum, d)
            };
            [three(c, &p0, &p3, &p4), three(c, &p1, &p3, &p5), three(c, &p2, &p4, &p5)].concat()
        };
        out.truncate(n);
        out
    }
}
