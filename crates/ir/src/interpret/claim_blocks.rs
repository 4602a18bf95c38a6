//! Contracts on blocks of lanes. At toy sizes (all numbers below 2^62, all digits non-negative) numbers are `u64` and
//! congruences one multiplication by an inverse; bit maps are evaluated bit-sliced; everything else falls back to big
//! integers, lane by lane.

use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::batch::Batch;
use super::bit_maps::for_each_product;
use super::claims::{Elements, broken_claim, inadmissible_elements};
use super::divisor::{Divisor, LIMIT};
use super::interpreter::decode;
use super::report::Report;
use super::small::{Small, gather, not_below, small, subtract_term};
use crate::contract::{BitMap, Claim, Modulo, Multiplication, Operand};
use crate::kernel::{Array, ArrayKind, Kernel, Type};
use crate::range::pow2;

/// What the two sides of a congruence may differ by.
enum Divisors {
    /// Nothing: an equality.
    Equal,
    /// A multiple of a constant.
    Constant(Divisor),
    /// A multiple of an input number, of another one on each lane.
    Input(u32),
}

/// A map of bits: coordinate `out` of the image contains the product of bits `i` and `j` (or the bit `i`), as
/// `(i, j, out)`.
type Products = Vec<(u32, Option<u32>, u32)>;

enum Rule {
    Congruent {
        output: Small,
        factor: u64,
        terms: Vec<(u64, Vec<u32>)>,
        divisor: Divisors,
    },
    Equal {
        output: Small,
        left: Vec<(Array, u32)>,
        right: Option<Vec<(Array, u32)>>,
    },
    Power {
        output: Small,
        base: u32,
        exponent: Vec<bool>,
        factor: u64,
        modulus: u64,
    },
    /// Bits of both inputs and the output.
    Bits {
        a: Vec<(Array, u32)>,
        b: Vec<(Array, u32)>,
        output: Vec<(Array, u32)>,
        products: Products,
    },
    /// Bits of the base and the output; the exponent's bits, highest first.
    BitPower {
        base: Vec<(Array, u32)>,
        output: Vec<(Array, u32)>,
        products: Products,
        exponent: Vec<bool>,
    },
    Within {
        output: Small,
    },
}

/// The fast form of a contract.
struct Fast {
    /// Facts about inputs: the input number, the other factor, terms, divisor.
    facts: Vec<(u32, Option<u32>, Vec<(u64, Vec<u32>)>, Divisor)>,
    /// `(array, element, lo, hi)` that are not full.
    ranges: Vec<(Array, u32, u64, u64)>,
    inputs: Vec<Option<Small>>,
    rules: Vec<Rule>,
}

/// Checks a kernel's contract on batches: [`ClaimChecker::capture`] the inputs, run the interpreter, then
/// [`ClaimChecker::check`].
pub struct ClaimChecker {
    kernel: Kernel,
    fast: Option<Fast>,
    numbers: Vec<Vec<u64>>,
    admissible: Vec<bool>,
    /// Per rule: whether inputs are equal (one entry per lane), or packed input bits.
    expected: Vec<Vec<u64>>,
    slow: Vec<Elements>,
    column: Vec<u64>,
    output: Vec<u64>,
    fails: Vec<u64>,
}

fn bits_of(kernel: &Kernel, operand: &Operand) -> Option<Vec<(Array, u32)>> {
    operand
        .digits
        .iter()
        .map(|d| {
            (kernel.array(d.array).ty.bits() == 1
                && !kernel.array(d.array).range(d.index).lo.is_negative()
                && d.max.is_positive())
            .then_some((d.array, d.index))
        })
        .collect()
}

fn rule(kernel: &Kernel, claim: &Claim) -> Option<Rule> {
    let inputs = &kernel.contract.inputs;
    let limit = pow2(LIMIT);
    let wrap = |x: &BigInt| x.to_i64().map(|x| x as u64);
    Some(match claim {
        Claim::Value { output, factor, polynomial, modulus } => {
            let output = small(kernel, output)?;
            if factor.abs() * output.most >= limit {
                return None;
            }
            let size = |i: &u32| inputs.get(*i as usize).map(|o| o.bound.clone());
            let mut total = BigInt::zero();
            for (c, factors) in &polynomial.0 {
                total += factors.iter().map(size).try_fold(c.abs(), |acc, b| b.map(|b| acc * b))?;
            }
            if total >= limit
                || modulus.as_ref().and_then(Modulo::constant).is_some_and(|m| !m.is_positive() || *m >= limit)
            {
                return None;
            }
            let terms = polynomial.0.iter().map(|(c, f)| wrap(c).map(|c| (c, f.clone()))).collect::<Option<_>>()?;
            let divisor = match modulus {
                None => Divisors::Equal,
                Some(Modulo::Constant(m)) => Divisors::Constant(Divisor::new(m.to_u64()?)),
                Some(Modulo::Input(i)) => Divisors::Input(*i),
            };
            Rule::Congruent { output, factor: wrap(factor)?, terms, divisor }
        }
        Claim::Equal { output, left, right } => {
            let digits = |i: u32| -> Option<Vec<(Array, u32)>> {
                let operand = inputs.get(i as usize)?;
                operand
                    .digits
                    .iter()
                    .map(|d| {
                        (kernel.array(d.array).ty.bits() <= 64
                            && !kernel.array(d.array).range(d.index).lo.is_negative())
                        .then_some((d.array, d.index))
                    })
                    .collect()
            };
            let left = digits(*left)?;
            let right = match right {
                Some(r) => Some(digits(*r)?),
                None => None,
            };
            if right.as_ref().is_some_and(|r| r.len() != left.len()) {
                return None;
            }
            Rule::Equal { output: small(kernel, output)?, left, right }
        }
        Claim::Power { output, base, exponent, product: Multiplication::Modular { factor, modulus } } => {
            if !modulus.is_positive() || *modulus >= pow2(32) {
                return None;
            }
            let e = BigInt::from(exponent.clone());
            let scale = if e.is_zero() {
                BigInt::zero()
            } else {
                (factor % modulus + modulus).modpow(&(&e - BigInt::one()), modulus)
            };
            // Exponent 0: the output itself is the factor.
            let factor = if e.is_zero() { (factor % modulus + modulus) % modulus } else { scale };
            Rule::Power {
                output: small(kernel, output)?,
                base: *base,
                exponent: highest_first(exponent),
                factor: factor.to_u64()?,
                modulus: modulus.to_u64()?,
            }
        }
        Claim::Bits { output, map } => {
            let a = bits_of(kernel, inputs.first()?)?;
            let b = match inputs.get(1) {
                Some(o) => bits_of(kernel, o)?,
                None => Vec::new(),
            };
            let output = any_bits(kernel, output)?;
            let products = products(map, a.len(), b.len(), output.len())?;
            Rule::Bits { a, b, output, products }
        }
        Claim::Power { output, base, exponent, product: Multiplication::Bits(map) } => {
            let (base, output) = (bits_of(kernel, inputs.get(*base as usize)?)?, any_bits(kernel, output)?);
            let m = base.len();
            if output.len() != m || exponent.is_zero() {
                return None;
            }
            Rule::BitPower { products: products(map, m, m, m)?, base, output, exponent: highest_first(exponent) }
        }
        // Steps by steps: with big integers.
        Claim::Polynomial { .. } | Claim::Iterate { .. } | Claim::Divsteps { .. } => return None,
        Claim::Step { output, .. } => Rule::Within { output: small(kernel, output)? },
    })
}

/// 1 in the lanes where all digits are equal, without `right` where all are 0. `columns`: room for a digit of each.
fn equality(
    batch: &Batch,
    left: &[(Array, u32)],
    right: Option<&[(Array, u32)]>,
    [column, other]: [&mut [u64]; 2],
    equal: &mut Vec<u64>,
) {
    equal.clear();
    equal.resize(column.len(), 1);
    for (k, (array, i)) in left.iter().enumerate() {
        batch.read(*array, *i, column);
        match right {
            Some(r) => batch.read(r[k].0, r[k].1, other),
            None => other.fill(0),
        }
        for ((e, x), y) in equal.iter_mut().zip(column.iter()).zip(other.iter()) {
            *e &= (x == y) as u64;
        }
    }
}

fn highest_first(exponent: &BigUint) -> Vec<bool> {
    (0..exponent.bits()).rev().map(|i| exponent.bit(i)).collect()
}

/// The triples of a map, if it speaks of so many bits only.
fn products(map: &BitMap, a: usize, b: usize, coordinates: usize) -> Option<Products> {
    let mut products = Vec::new();
    for_each_product(map, b, coordinates, |i, j, out| products.push((i as u32, j.map(|j| j as u32), out as u32)));
    let exist = products.iter().all(|(i, j, _)| (*i as usize) < a && j.is_none_or(|j| (j as usize) < b));
    exist.then_some(products)
}

/// The bits, where all digits are single bits with nothing left to check (any bound).
fn any_bits(kernel: &Kernel, operand: &Operand) -> Option<Vec<(Array, u32)>> {
    let full: BigInt = operand.digits.iter().map(|d| BigInt::one() << d.weight).sum();
    bits_of(kernel, operand).filter(|_| operand.bound >= full)
}

/// The image of bits, each a row of `words` words of lanes, under a map.
fn image(products: &Products, a: &[u64], b: &[u64], coordinates: usize, words: usize) -> Vec<u64> {
    let mut image = vec![0u64; coordinates * words];
    for (i, j, out) in products {
        let row = |i: u32| i as usize * words..(i as usize + 1) * words;
        let target = &mut image[row(*out)];
        match j {
            Some(j) => target.iter_mut().zip(&a[row(*i)]).zip(&b[row(*j)]).for_each(|((t, x), y)| *t ^= x & y),
            None => target.iter_mut().zip(&a[row(*i)]).for_each(|(t, x)| *t ^= x),
        }
    }
    image
}

fn fast(kernel: &Kernel) -> Option<Fast> {
    let mut ranges = Vec::new();
    for (a, info) in
        kernel.arrays.iter().enumerate().filter(|(_, i)| matches!(i.kind, ArrayKind::Input | ArrayKind::InOut))
    {
        for i in 0..info.len {
            let range = info.range(i);
            // Of the patterns of a mask two are admissible.
            let patterns = matches!(info.ty, Type::Mask(_) | Type::Float(_));
            if *range == info.ty.full() && !patterns {
                continue;
            }
            if info.ty.bits() > 64 || patterns || range.lo.is_negative() {
                return None;
            }
            ranges.push((Array(a as u32), i, range.lo.to_u64()?, range.hi.to_u64()?));
        }
    }
    let mut inputs = Vec::new();
    for operand in &kernel.contract.inputs {
        // Numbers of bits may be as long as they like: no rule but `Bits`, `BitPower` and `Equal` speaks of them.
        inputs.push(match small(kernel, operand) {
            Some(s) => Some(s),
            None if any_bits(kernel, operand).is_some() => None,
            None => return None,
        });
    }
    // Bounds by input numbers are looked at where congruences are, and for numbers that fit words.
    let outputs = kernel.contract.claims.iter().filter(|c| !matches!(c, Claim::Value { .. })).map(Claim::output);
    let bounded = |o: &Operand| o.below.map(|b| b.number);
    if outputs.filter_map(bounded).next().is_some()
        || kernel
            .contract
            .inputs
            .iter()
            .chain(kernel.contract.claims.iter().map(Claim::output))
            .filter_map(bounded)
            .any(|i| inputs.get(i as usize).is_none_or(Option::is_none))
    {
        return None;
    }
    let rules: Vec<Rule> = kernel.contract.claims.iter().map(|c| rule(kernel, c)).collect::<Option<_>>()?;
    let needs = |i: u32| inputs.get(i as usize).is_some_and(Option::is_some);
    let known = rules.iter().all(|r| match r {
        Rule::Congruent { terms, divisor, .. } => {
            terms.iter().all(|(_, f)| f.iter().all(|i| needs(*i)))
                && if let Divisors::Input(i) = divisor { needs(*i) } else { true }
        }
        Rule::Power { base, .. } => needs(*base),
        _ => true,
    });
    let mut facts = Vec::new();
    for f in &kernel.contract.facts {
        // As for promises: both sides stay below the limit.
        let size = |i: &u32| kernel.contract.inputs.get(*i as usize).map(|o| o.bound.clone());
        let mut total = size(&f.number)? * f.times.as_ref().map_or(Some(BigInt::one()), size)?;
        for (c, factors) in &f.polynomial.0 {
            total += factors.iter().map(size).try_fold(c.abs(), |acc, b| b.map(|b| acc * b))?;
        }
        if total >= pow2(LIMIT)
            || f.modulus >= pow2(LIMIT)
            || !f.polynomial.0.iter().flat_map(|t| &t.1).chain([&f.number]).chain(&f.times).all(|i| needs(*i))
        {
            return None;
        }
        let terms = f
            .polynomial
            .0
            .iter()
            .map(|(c, factors)| c.to_i64().map(|c| (c as u64, factors.clone())))
            .collect::<Option<_>>()?;
        facts.push((f.number, f.times, terms, Divisor::new(f.modulus.to_u64()?)));
    }
    known.then_some(Fast { facts, ranges, inputs, rules })
}

impl ClaimChecker {
    /// Prepares the contract of a kernel.
    pub fn new(kernel: &Kernel) -> ClaimChecker {
        let fast = fast(kernel);
        ClaimChecker {
            kernel: kernel.clone(),
            fast,
            numbers: Vec::new(),
            admissible: Vec::new(),
            expected: Vec::new(),
            slow: Vec::new(),
            column: Vec::new(),
            output: Vec::new(),
            fails: Vec::new(),
        }
    }

    /// Does the whole contract have the fast form?
    pub fn is_fast(&self) -> bool {
        self.fast.is_some()
    }

    /// Reads the inputs of a filled batch, before it is run (outputs may overwrite them).
    pub fn capture(&mut self, batch: &Batch) {
        let lanes = batch.lanes();
        self.admissible.clear();
        self.admissible.resize(lanes, true);
        let Some(fast) = &self.fast else {
            self.slow = (0..lanes).map(|lane| elements(&self.kernel, batch, lane)).collect();
            for (ok, e) in self.admissible.iter_mut().zip(&self.slow) {
                *ok = inadmissible_elements(&self.kernel, e).is_none();
            }
            return;
        };
        self.column.resize(lanes, 0);
        for (array, i, lo, hi) in &fast.ranges {
            batch.read(*array, *i, &mut self.column);
            for (ok, x) in self.admissible.iter_mut().zip(&self.column) {
                *ok &= lo <= x && x <= hi;
            }
        }
        self.numbers.resize(fast.inputs.len(), Vec::new());
        self.fails.clear();
        self.fails.resize(lanes, 0);
        for (number, operand) in self.numbers.iter_mut().zip(&fast.inputs) {
            if let Some(operand) = operand {
                gather(batch, operand, number, &mut self.column, &mut self.fails);
            }
        }
        for (number, operand) in self.numbers.iter().zip(&fast.inputs) {
            not_below(operand.as_ref().and_then(|o| o.below), number, &self.numbers, &mut self.fails);
        }
        for (ok, bad) in self.admissible.iter_mut().zip(&self.fails) {
            *ok &= *bad == 0;
        }
        for (number, times, terms, divisor) in &fast.facts {
            self.output.clone_from(&self.numbers[*number as usize]);
            if let Some(times) = times {
                self.output.iter_mut().zip(&self.numbers[*times as usize]).for_each(|(x, y)| *x = x.wrapping_mul(*y));
            }
            for (c, factors) in terms {
                subtract_term(&mut self.output, *c, factors, &self.numbers);
            }
            self.admissible.iter_mut().zip(&self.output).for_each(|(ok, x)| *ok &= divisor.divides(*x));
        }
        self.expected.resize(fast.rules.len(), Vec::new());
        for (expected, rule) in self.expected.iter_mut().zip(&fast.rules) {
            match rule {
                Rule::Equal { left, right, .. } => {
                    self.output.resize(lanes, 0);
                    equality(batch, left, right.as_deref(), [&mut self.column, &mut self.output], expected);
                }
                Rule::Bits { a, b, .. } => read_rows(batch, &[a, b], expected),
                Rule::BitPower { base, .. } => read_rows(batch, &[base], expected),
                _ => {}
            }
        }
    }

    /// May the caller pass the captured inputs of this lane?
    pub fn is_admissible(&self, lane: usize) -> bool {
        self.admissible.get(lane).copied().unwrap_or(false)
    }

    /// After the run: the first of the lanes `0..count` with admissible inputs that had a fault or breaks a promise.
    pub fn check(&mut self, batch: &Batch, report: &Report, count: usize) -> Option<usize> {
        let lanes = batch.lanes();
        let count = count.min(lanes).min(self.admissible.len());
        let Some(fast) = &self.fast else {
            return (0..count).find(|lane| {
                self.admissible[*lane]
                    && (report.lane_is_bad(*lane)
                        || broken_claim(&self.kernel, &self.slow[*lane], &elements(&self.kernel, batch, *lane))
                            .is_some())
            });
        };
        self.fails.clear();
        self.fails.resize(lanes, 0);
        self.column.resize(lanes, 0);
        for (rule, expected) in fast.rules.iter().zip(&self.expected) {
            match rule {
                Rule::Congruent { output, factor, terms, divisor } => {
                    gather(batch, output, &mut self.output, &mut self.column, &mut self.fails);
                    not_below(output.below, &self.output, &self.numbers, &mut self.fails);
                    for x in self.output.iter_mut() {
                        *x = x.wrapping_mul(*factor);
                    }
                    for (c, factors) in terms {
                        subtract_term(&mut self.output, *c, factors, &self.numbers);
                    }
                    match divisor {
                        Divisors::Constant(d) => {
                            self.fails.iter_mut().zip(&self.output).for_each(|(f, x)| *f |= !d.divides(*x) as u64)
                        }
                        Divisors::Equal => self.fails.iter_mut().zip(&self.output).for_each(|(f, x)| *f |= *x),
                        Divisors::Input(i) => {
                            for ((f, x), m) in self.fails.iter_mut().zip(&self.output).zip(&self.numbers[*i as usize]) {
                                // The difference is below 2^62 either way. Modulo 0 it is 0.
                                *f |= (*x as i64).unsigned_abs().checked_rem(*m).unwrap_or(*x);
                            }
                        }
                    }
                }
                Rule::Equal { output, .. } => {
                    gather(batch, output, &mut self.output, &mut self.column, &mut self.fails);
                    self.fails.iter_mut().zip(&self.output).zip(expected).for_each(|((f, x), e)| *f |= x ^ e);
                }
                Rule::Power { output, base, exponent, factor, modulus } => {
                    gather(batch, output, &mut self.output, &mut self.column, &mut self.fails);
                    for ((f, x), b) in self.fails.iter_mut().zip(&self.output).zip(&self.numbers[*base as usize]) {
                        let b = b % modulus;
                        let power = exponent.iter().fold(1 % modulus, |acc, bit| {
                            let square = acc * acc % modulus;
                            if *bit { square * b % modulus } else { square }
                        });
                        let fine = if exponent.is_empty() {
                            x % modulus == *factor
                        } else {
                            (x % modulus) * factor % modulus == power
                        };
                        *f |= !fine as u64;
                    }
                }
                Rule::Bits { a, output, products, .. } => {
                    let words = lanes.div_ceil(64);
                    let (x, y) = expected.split_at(a.len() * words);
                    let right = image(products, x, y, output.len(), words);
                    differing(batch, output, &right, &mut self.fails);
                }
                Rule::BitPower { output, products, exponent, .. } => {
                    let words = lanes.div_ceil(64);
                    let product = |x: &[u64], y: &[u64]| image(products, x, y, output.len(), words);
                    let right = exponent[1..].iter().fold(expected.clone(), |x, bit| {
                        let square = product(&x, &x);
                        if *bit { product(&square, expected) } else { square }
                    });
                    differing(batch, output, &right, &mut self.fails);
                }
                Rule::Within { output } => gather(batch, output, &mut self.output, &mut self.column, &mut self.fails),
            }
        }
        (0..count).find(|lane| self.admissible[*lane] && (self.fails[*lane] != 0 || report.lane_is_bad(*lane)))
    }
}

/// Rows of lanes of these bits.
fn read_rows(batch: &Batch, bits: &[&[(Array, u32)]], rows: &mut Vec<u64>) {
    let words = batch.lanes().div_ceil(64);
    rows.resize(bits.iter().map(|b| b.len()).sum::<usize>() * words, 0);
    bits.iter()
        .copied()
        .flatten()
        .zip(rows.chunks_mut(words))
        .for_each(|((array, i), row)| batch.read_bits(*array, *i, row));
}

/// `fails` becomes non-zero in lanes where a bit is not as in these rows.
fn differing(batch: &Batch, bits: &[(Array, u32)], rows: &[u64], fails: &mut [u64]) {
    let words = batch.lanes().div_ceil(64);
    let (mut wrong, mut found) = (vec![0u64; words], vec![0u64; words]);
    for ((array, i), row) in bits.iter().zip(rows.chunks(words)) {
        batch.read_bits(*array, *i, &mut found);
        wrong.iter_mut().zip(&found).zip(row).for_each(|((w, x), e)| *w |= x ^ e);
    }
    fails.iter_mut().enumerate().for_each(|(lane, f)| *f |= wrong[lane / 64] >> (lane % 64) & 1);
}

/// All parameters of one lane.
fn elements(kernel: &Kernel, batch: &Batch, lane: usize) -> Elements {
    (0..kernel.arrays.len() as u32)
        .map(Array)
        .map(|a| {
            let info = kernel.array(a);
            info.is_param()
                .then(|| (0..info.len).map(|i| decode(batch.get(a, i, lane), info.ty, info.range(i))).collect())
        })
        .collect()
}
