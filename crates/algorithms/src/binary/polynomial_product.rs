//! Products of polynomials over GF(2) by circuits of few gates: the best of several splits at every size.
//!
//! * **computes** the 2n − 1 coefficients of `f·g`, f and g of n coefficients.
//! * **needs** nothing.
//! * **gives** a circuit; [`Cost::Gates`]: also by values at 0, 1, t, t + 1 and infinity, which are fewer gates and a
//!   depth of about n.
//! * **cost** in ANDs and XORs: M(n) of `Costs`: 57 for 6, 350 for 16, 1149 for 32, 3643 for 64.
//! * **source** Karatsuba refined: Bernstein, "Batch binary Edwards" (2009); shared levels: De Piccoli, Visconti,
//!   Rizzo, "Polynomial multiplication over binary finite fields: new upper bounds" (2018); three ways by six products:
//!   Weimerskirch and Paar (2003); by values: Bernstein (2009); five ways by thirteen products: Montgomery, "Five, six,
//!   and seven-term Karatsuba-like formulae" (2005).

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};

use super::circuit::{Circuit, Wire};
use super::five_parts::five_parts;

/// How a product is split.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Split {
    /// Every coefficient by every other.
    School,
    /// The last coefficient apart.
    Last,
    /// Two parts, the lower of h coefficients, with the factor 1 + t^h shared by all levels below.
    Two(usize),
    /// Three parts of q coefficients (the last may be shorter), six products.
    Three(usize),
    /// Three parts of q coefficients, by five values.
    Values(usize),
    /// Five parts of q coefficients, thirteen products.
    Five(usize),
}

/// What a split is judged by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cost {
    /// Gates.
    Gates,
    /// Gates of shallow circuits: no values at five places.
    ShallowGates,
    /// Instructions of a machine that multiplies and adds in one (`c + a·b`, bit by bit) and has some thirty registers:
    /// products by blocks that stay in registers, and between them additions whose operands come from memory.
    Instructions,
}

/// Instructions of an addition between blocks, loads and stores included, in halves.
const ADDITION: usize = 5;

/// Greatest block whose sums stay in registers.
const BLOCK: usize = 10;

/// Greatest n with a table.
const LARGEST: usize = 1024;

/// M(n) and its splits, for all n up to some size.
struct Costs {
    cost: Cost,
    best: Vec<(usize, Split)>,
    /// Sums of r products of blocks of N coefficients, the last of k: gates, and whether the blocks are halved.
    sums: HashMap<(usize, usize, usize), (usize, bool)>,
}

impl Costs {
    fn new(cost: Cost) -> Costs {
        Costs { cost, best: vec![(0, Split::School), (1, Split::School)], sums: HashMap::new() }
    }

    fn m(&self, n: usize) -> usize {
        self.best[n].0
    }

    /// Extends the table to n.
    fn extend(&mut self, n: usize) {
        while self.best.len() <= n {
            let n = self.best.len();
            if self.cost == Cost::Instructions {
                let block = (2 * (n * n + 4 * n), Split::School);
                let h = n.div_ceil(2);
                let halves = (2 * self.m(h) + self.m(n - h) + ADDITION * (3 * h + 4 * (n - h)), Split::Two(h));
                self.best.push(if n <= BLOCK && block.0 <= halves.0 { block } else { halves });
                continue;
            }
            let mut options = vec![(2 * n * n - 2 * n + 1, Split::School), (self.m(n - 1) + 4 * (n - 1), Split::Last)];
            for h in n.div_ceil(2)..=(2 * n / 3).max(n.div_ceil(2)) {
                if h < n {
                    options.push((self.halved(1, h, n - h), Split::Two(h)));
                }
            }
            let q = n.div_ceil(3);
            let j = 3 * q - n;
            if n >= 6 && q > j + 1 {
                options.push((5 * self.m(q) + self.m(q - j) + 18 * q - 6 - 6 * j, Split::Three(q)));
            }
            if self.cost == Cost::Gates && n >= 9 && q > j + 1 && q + 2 < n {
                let cost = if j == 0 {
                    3 * self.m(q) + 2 * self.m(q + 2) + 35 * q - 13
                } else {
                    2 * self.m(q) + self.m(q - j) + 2 * self.m(q + 1) + 35 * q - 12 - 14 * j
                };
                options.push((cost, Split::Values(q)));
            }
            if n.is_multiple_of(5) {
                options.push((13 * self.m(n / 5) + 55 * (n / 5) - 17, Split::Five(n / 5)));
            }
            let best = options.into_iter().min_by_key(|(gates, _)| *gates).unwrap_or((0, Split::School));
            self.best.push(best);
        }
    }

    /// Σ t^(iN) f_i g_i of r blocks, the last of k coefficients.
    fn sum(&mut self, r: usize, n: usize, k: usize) -> usize {
        if r == 1 {
            return self.m(k);
        }
        if let Some((gates, _)) = self.sums.get(&(r, n, k)) {
            return *gates;
        }
        let direct = self.sum(r - 1, n, n) + self.m(k) + (n - 1).min(2 * k - 1);
        let split = if n.is_multiple_of(2) && k > n / 2 { self.halved(r, n / 2, k - n / 2) } else { usize::MAX };
        self.sums.insert((r, n, k), (direct.min(split), split < direct));
        direct.min(split)
    }

    /// Operations of the sum with blocks of 2h coefficients halved; the last upper half has k.
    fn halved(&mut self, r: usize, h: usize, k: usize) -> usize {
        let u = ((2 * r - 1) * h + 2 * k - 1).max(2 * r * h - 1);
        let sums = 2 * (r - 1) * h + 2 * k;
        let joins: usize = (0..r).map(|i| (2 * h - 1).min(u - 2 * i * h)).sum();
        self.sum(2 * r, h, k) + r * self.m(h) + sums + (u - h) + joins
    }
}

/// The tables.
fn costs(cost: Cost) -> &'static Mutex<Costs> {
    static TABLES: OnceLock<[Mutex<Costs>; 3]> = OnceLock::new();
    let tables = TABLES
        .get_or_init(|| [Cost::Gates, Cost::ShallowGates, Cost::Instructions].map(|cost| Mutex::new(Costs::new(cost))));
    &tables[cost as usize]
}

/// Writes products into a circuit.
pub struct Products {
    splits: Vec<Split>,
    halve: HashMap<(usize, usize, usize), bool>,
}

impl Products {
    /// For factors of up to n coefficients.
    pub fn new(n: usize, cost: Cost) -> Products {
        let mut costs = costs(cost).lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        costs.extend((n + 2).min(LARGEST + 2));
        Products {
            splits: costs.best.iter().map(|(_, s)| *s).collect(),
            halve: costs.sums.iter().map(|(k, (_, split))| (*k, *split)).collect(),
        }
    }

    /// The coefficients of `f·g`, lowest first.
    pub fn multiply(&self, c: &mut Circuit, f: &[Wire], g: &[Wire]) -> Vec<Wire> {
        let n = f.len();
        if n == 0 {
            return Vec::new();
        }
        match self.splits[n] {
            Split::School => {
                let mut out = vec![None; 2 * n - 1];
                for (j, y) in g.iter().enumerate() {
                    for (i, x) in f.iter().enumerate() {
                        let z = c.and(*x, *y);
                        out[i + j] = c.xor(out[i + j], z);
                    }
                }
                out
            }
            Split::Last => {
                let mut out = self.multiply(c, &f[..n - 1], &g[..n - 1]);
                out.resize(2 * n - 1, None);
                for i in 0..n - 1 {
                    let (z, y) = (c.and(f[i], g[n - 1]), c.and(f[n - 1], g[i]));
                    let z = c.xor(out[i + n - 1], z);
                    out[i + n - 1] = c.xor(z, y);
                }
                out[2 * n - 2] = c.and(f[n - 1], g[n - 1]);
                out
            }
            Split::Two(h) => self.halved(c, &[(f, g)], h),
            Split::Three(q) => self.three(c, f, g, q),
            Split::Values(q) => self.values(c, f, g, q),
            Split::Five(q) => five_parts(self, c, f, g, q),
        }
    }

    /// Σ t^(iN) f_i g_i: all blocks but the last have N coefficients.
    fn sum(&self, c: &mut Circuit, blocks: &[(&[Wire], &[Wire])], n: usize) -> Vec<Wire> {
        let Some(((f, g), rest)) = blocks.split_last() else { return Vec::new() };
        if !rest.is_empty() && self.halve.get(&(blocks.len(), n, f.len())).copied().unwrap_or(false) {
            return self.halved(c, blocks, n / 2);
        }
        let mut out = self.sum(c, rest, n);
        let product = self.multiply(c, f, g);
        c.add_shifted(&mut out, &product, rest.len() * n);
        out
    }

    /// The sum of products with every block halved: `(1 + t^h) Σ t^(jh) (halves) + t^h Σ t^(iN) (sums of halves)`.
    fn halved(&self, c: &mut Circuit, blocks: &[(&[Wire], &[Wire])], h: usize) -> Vec<Wire> {
        let halves: Vec<(&[Wire], &[Wire])> =
            blocks.iter().flat_map(|(f, g)| [(&f[..h], &g[..h]), (&f[h..], &g[h..])]).collect();
        let inner = self.sum(c, &halves, h);
        let mut out = inner.clone();
        c.add_shifted(&mut out, &inner, h);
        for (i, (f, g)) in blocks.iter().enumerate() {
            let (x, y) = (c.add(&f[..h], &f[h..]), c.add(&g[..h], &g[h..]));
            let product = self.multiply(c, &x, &y);
            c.add_shifted(&mut out, &product, 2 * i * h + h);
        }
        let (last, _) = blocks[blocks.len() - 1];
        out.truncate(2 * (blocks.len() - 1) * h + 2 * last.len() - 1);
        out
    }

    /// `(1 + T + T²)(P0 + T P1 + T² P2) + T P01 + T² P02 + T³ P12` with T = t^q.
    fn three(&self, c: &mut Circuit, f: &[Wire], g: &[Wire], q: usize) -> Vec<Wire> {
        let part = |v: &[Wire], i: usize| v[i * q..((i + 1) * q).min(v.len())].to_vec();
        let [f0, f1, f2] = [0, 1, 2].map(|i| part(f, i));
        let [g0, g1, g2] = [0, 1, 2].map(|i| part(g, i));
        let mut inner = self.multiply(c, &f0, &g0);
        for (i, (x, y)) in [(&f1, &g1), (&f2, &g2)].into_iter().enumerate() {
            let p = self.multiply(c, x, y);
            c.add_shifted(&mut inner, &p, (i + 1) * q);
        }
        // (1 + T + T²) X: of the blocks of X those two sums that neighbours share are made once.
        let x = |i: usize| inner.get(i).copied().flatten();
        let mut out: Vec<Wire> = (0..inner.len() + 2 * q)
            .map(|i| match i / q {
                0 => x(i),
                1 => c.xor(x(i - q), x(i)),
                2 => {
                    let sum = c.xor(x(i - 2 * q), x(i - q));
                    c.xor(sum, x(i))
                }
                3 => {
                    let sum = c.xor(x(i - q), x(i));
                    c.xor(x(i - 2 * q), sum)
                }
                4 => c.xor(x(i - 2 * q), x(i - q)),
                _ => x(i - 2 * q),
            })
            .collect();
        for (shift, (x0, x1), (y0, y1)) in
            [(1, (&f0, &f1), (&g0, &g1)), (2, (&f0, &f2), (&g0, &g2)), (3, (&f1, &f2), (&g1, &g2))]
        {
            let (x, y) = (c.add(x0, x1), c.add(y0, y1));
            let p = self.multiply(c, &x, &y);
            c.add_shifted(&mut out, &p, shift * q);
        }
        out.truncate(2 * f.len() - 1);
        out
    }

    /// By values at 0, 1, t, t + 1 and infinity.
    fn values(&self, c: &mut Circuit, f: &[Wire], g: &[Wire], q: usize) -> Vec<Wire> {
        let n = f.len();
        let points = |c: &mut Circuit, v: &[Wire]| {
            let part = |i: usize| v[i * q..((i + 1) * q).min(n)].to_vec();
            let (v0, v1, v2) = (part(0), part(1), part(2));
            let mut s = Vec::new();
            c.add_shifted(&mut s, &v1, 1);
            c.add_shifted(&mut s, &v2, 2);
            let at_t = c.add(&v0, &s);
            let sum = c.add(&v0, &v1);
            let at_1 = c.add(&sum, &v2);
            let at_t1 = c.add(&at_1, &s);
            (v0, at_1, at_t, at_t1, v2)
        };
        let (f0, f1, ft, ft1, fi) = points(c, f);
        let (g0, g1, gt, gt1, gi) = points(c, g);
        let h0 = self.multiply(c, &f0, &g0);
        let h1 = self.multiply(c, &f1, &g1);
        let ht = self.multiply(c, &ft, &gt);
        let ht1 = self.multiply(c, &ft1, &gt1);
        let hi = self.multiply(c, &fi, &gi);
        // U = H0 + (H0 + H1) X, V = Ht + (Ht + Ht1)(X + t), X = t^q.
        let d01 = c.add(&h0, &h1);
        let mut u = h0.clone();
        c.add_shifted(&mut u, &d01, q);
        // The highest coefficient of both agrees, and the next one where no part is shorter: their sum is known to be
        // zero.
        let mut dt = c.add(&ht, &ht1);
        dt.truncate(dt.len() - if 3 * q == n { 2 } else { 1 });
        let mut v = ht;
        c.add_shifted(&mut v, &dt, q);
        c.add_shifted(&mut v, &dt, 1);
        // W = (U + V + Hi (t⁴ + t)) / (t² + t), exactly.
        let mut w = c.add(&u, &v);
        c.add_shifted(&mut w, &hi, 4);
        c.add_shifted(&mut w, &hi, 1);
        // The division by t drops a zero; that by t + 1 adds up from below.
        let mut carry = None;
        let quotient: Vec<Wire> = w[1..n.min(w.len())]
            .iter()
            .map(|w| {
                carry = c.xor(carry, *w);
                carry
            })
            .collect();
        // H = U + Hi (X⁴ + X) + W (X² + X).
        let mut out = u;
        c.add_shifted(&mut out, &hi, 4 * q);
        c.add_shifted(&mut out, &hi, q);
        c.add_shifted(&mut out, &quotient, 2 * q);
        c.add_shifted(&mut out, &quotient, q);
        out.truncate(2 * n - 1);
        out
    }
}
