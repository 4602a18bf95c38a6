//! Sample solutions of the equations. A question that a sample answers with "no" cannot be proved, so it need not be
//! asked; most failing questions are found out that way at the price of a few evaluations.
//!
//! Samples are biased to edges: 0, 1, bounds, digits all zero or all ones. Values of which only an interval is known
//! are drawn from it.

use num_bigint::{BigInt, Sign};
use num_traits::{One, Zero};

use crate::equations::system::{Form, Number, div_floor, low};
use crate::equations::{Atom, Node, Poly, System};

/// How many samples are drawn.
const COUNT: u64 = 28;

/// One solution: a value for each atom.
struct Sample {
    values: Vec<BigInt>,
    /// Atoms from here on are no solution (an obligation that is still owed fails).
    valid: u32,
}

/// The samples.
pub struct Samples {
    rows: Vec<Sample>,
}

/// splitmix64: small, fast, the same everywhere.
#[derive(Clone)]
pub struct Random(pub u64);

impl Random {
    /// The next 64 bits.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.word() % n
    }

    /// An integer in `[0, max]`, often an edge.
    pub fn edge(&mut self, max: &BigInt) -> BigInt {
        match self.below(8) {
            0 => BigInt::zero(),
            1 => BigInt::one().min(max.clone()),
            2 | 3 => max.clone(),
            4 => BigInt::zero().max(max - 1),
            5 => (BigInt::one() << (self.below(max.bits().max(1)) as u32)).min(max.clone()),
            _ => self.uniform(max),
        }
    }

    /// An integer in `[0, max]`.
    pub fn uniform(&mut self, max: &BigInt) -> BigInt {
        let mut x = BigInt::zero();
        for _ in 0..max.bits() / 64 + 2 {
            x = (x << 64) + self.word();
        }
        x % (max + 1)
    }
}

/// Digits of `x` by weight, the greatest weights first, each at most its maximum; `None` when something is left over.
pub fn digits_of(x: &BigInt, weights: &[BigInt], maxima: &[BigInt]) -> Option<Vec<BigInt>> {
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by(|a, b| weights[*b].cmp(&weights[*a]));
    let mut rest = x.clone();
    let mut digits = vec![BigInt::zero(); weights.len()];
    for i in order {
        let d = div_floor(&rest, &weights[i]).min(maxima[i].clone());
        rest -= &d * &weights[i];
        digits[i] = d;
    }
    rest.is_zero().then_some(digits)
}

/// Digits of a number within its bound, often at an edge.
pub fn draw_number(r: &mut Random, weights: &[BigInt], maxima: &[BigInt], bound: &BigInt) -> Vec<BigInt> {
    if r.below(4) == 0 {
        let digits: Vec<BigInt> = maxima.iter().map(|m| r.edge(m)).collect();
        let sum: BigInt = digits.iter().zip(weights).map(|(d, w)| d * w).sum();
        if &sum <= bound {
            return digits;
        }
    }
    let greatest: BigInt = maxima.iter().zip(weights).map(|(m, w)| m * w).sum();
    for _ in 0..4 {
        let x = r.edge(&greatest.clone().min(bound.clone()));
        if let Some(digits) = digits_of(&x, weights, maxima) {
            return digits;
        }
    }
    vec![BigInt::zero(); weights.len()]
}

fn evaluate(poly: &Poly, values: &[BigInt]) -> BigInt {
    let mut sum = BigInt::zero();
    for (m, c) in poly.terms() {
        let mut product = c.clone();
        for a in m.atoms() {
            let v = &values[a.0 as usize];
            if v.is_zero() {
                product = BigInt::zero();
                break;
            }
            product *= v;
        }
        sum += product;
    }
    sum
}

impl Samples {
    /// Draws solutions of all equations.
    pub fn new(sys: &System) -> Samples {
        Samples { rows: (0..COUNT).map(|i| draw(sys, &mut Random(i))).collect() }
    }

    /// Is there a sample with the assumed flags?
    pub fn satisfy(&self, assumed: &[(Atom, bool)]) -> bool {
        self.rows.iter().any(|s| assumed.iter().all(|(f, v)| f.0 < s.valid && s.values[f.0 as usize].is_one() == *v))
    }

    /// Is there a sample with the assumed flags where `poly > max`?
    pub fn refute(&self, poly: &Poly, max: &BigInt, assumed: &[(Atom, bool)]) -> bool {
        let newest = poly.newest().into_iter().chain(assumed.iter().map(|f| f.0)).max().map_or(0, |a| a.0);
        self.rows.iter().any(|s| {
            newest < s.valid
                && assumed.iter().all(|(f, v)| s.values[f.0 as usize].is_one() == *v)
                && &evaluate(poly, &s.values) > max
        })
    }
}

fn number_digits(sys: &System, r: &mut Random, number: &Number, values: &[BigInt]) -> Vec<BigInt> {
    let maxima: Vec<BigInt> = number.digits.iter().map(|d| sys.atom(*d).max.clone()).collect();
    let whole = number
        .digits
        .last()
        .and_then(|d| sys.atom(*d).node)
        .map(|id| sys.node(id))
        .filter(|n| matches!(n.form, Form::Digit { .. }));
    if let Some(node) = whole {
        // The lowest digit is the whole minus the other digits: with those at 0 it is the whole.
        if let Some(digits) = digits_of(&evaluate(&node.poly, values), &number.weights, &maxima) {
            return digits;
        }
    }
    draw_number(r, &number.weights, &maxima, &number.max)
}

fn draw(sys: &System, r: &mut Random) -> Sample {
    let mut values = vec![BigInt::zero(); sys.atoms() as usize];
    let mut valid = u32::MAX;
    let products: Vec<&Node> = sys.nodes().iter().filter(|n| matches!(n.form, Form::Product { .. })).collect();
    let mut numbers_done = vec![false; sys.numbers().len()];
    let mut i = 0;
    while i < sys.atoms() {
        let info = sys.atom(Atom(i));
        let (at, mut next) = (i as usize, i + 1);
        match (info.digit, info.node) {
            (Some((n, _)), _) => {
                if !numbers_done[n as usize] {
                    numbers_done[n as usize] = true;
                    let number = &sys.numbers()[n as usize];
                    for (d, mut v) in number.digits.iter().zip(number_digits(sys, r, number, &values)) {
                        v.set_bit(0, v.bit(0) || sys.odd().contains(d));
                        values[d.0 as usize] = v;
                    }
                }
            }
            (None, None) => {
                let slack = sys
                    .slacks()
                    .iter()
                    .find(|(a, _)| a.0 == i)
                    .map(|(_, most)| evaluate(most, &values).max(BigInt::zero()));
                let most = slack.map_or_else(|| info.max.clone(), |most| most.min(info.max.clone()));
                values[at] = &info.min + r.edge(&(&most - &info.min));
            }
            (None, Some(id)) => {
                let node = sys.node(id);
                let x = evaluate(&node.poly, &values);
                match node.form {
                    Form::Split { k } => (values[at], values[at + 1]) = (low(&x, k), x >> k),
                    Form::Round { k } => (values[at], values[at + 1]) = (low(&x, k), x >> k),
                    Form::Borrow { k } => (values[at], values[at + 1]) = (low(&x, k), -(x >> k)),
                    _ => values[at] = x,
                }
                next = node.hi.map_or(next, |h| h.0 + 1);
            }
        }
        for node in products.iter().filter(|n| n.lo.0 == i) {
            let Form::Product { k } = node.form else { continue };
            if !solve_product(sys, node, k, &mut values) {
                valid = 0;
            }
        }
        for a in i..next {
            let (x, info) = (&values[a as usize], sys.atom(Atom(a)));
            if x.sign() == Sign::Minus || x < &info.min || x > &info.max {
                valid = valid.min(a);
            }
        }
        i = next;
    }
    Sample { values, valid }
}

/// Makes a digit what the fact about its product with older ones says; false where it cannot be. The older factor is
/// made odd first.
fn solve_product(sys: &System, node: &Node, k: u32, values: &mut [BigInt]) -> bool {
    let Some((product, _)) =
        node.poly.terms().iter().find(|(m, c)| m.degree() == 2 && c.is_one() && m.contains(node.lo))
    else {
        return false;
    };
    let other = product.without(node.lo).atoms()[0];
    values[other.0 as usize].set_bit(0, true);
    values[node.lo.0 as usize] = BigInt::zero();
    let rest = evaluate(&node.poly, values);
    values[node.lo.0 as usize] = BigInt::one();
    let factor = evaluate(&node.poly, values) - &rest;
    let modulus = BigInt::one() << k;
    let Some(inverse) = factor.modinv(&modulus) else { return false };
    values[node.lo.0 as usize] = low(&(-rest * inverse), k);
    values[other.0 as usize] <= sys.atom(other).max
}
