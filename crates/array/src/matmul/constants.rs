//! The numbers of products of matrices by residues, and why nothing overflows.
//!
//! Let entries be numbers up to B, sums of k products of them be C ≤ k·B², N moduli `m_i` below m with the product M.
//!
//! * A word x is reduced to `x − q·m_i`, q the nearest integer to x times the inverse in single precision: three roundings
//!   or two, so `|q − x/m_i| ≤ 1/2 + 3.01·2^-24·|x|/m_i`, and residues are at most that times `m_i` ([`Bounds`]).
//!   On vectors of 512 bits q is up to 2^21, in the lowest bits of a number of single precision between 2^23 and 2^24.
//! * Digits of entries are 16 bits less 2^15; so many of them as a pass has, times the weights that they have, and what
//!   the pass begins with, are below 2^31 ([`greatest`]).
//! * Products of `2·depth` residues of entries, and what a piece begins with, are below 2^31; and residues are signed
//!   numbers of 16 bits. A piece begins with the sum before it, as `l + h·c` with c of least size, the residue of 2^16,
//!   and signed halves l and h: at most `2^15·(1 + m/2)`.
//! * The left factor has residues of `a·(M/m_i)^-1`, so that sums are residues `y_i` with `Σ y_i·M/m_i = C + α·M`.
//!   M ≥ 8/7·k·B², hence `Σ y_i/m_i + 1/16` is at least 1/16 away from the integers α and α + 1 that it is between; with the
//!   nearest integers to `2^s/m_i` for `1/m_i` it is wrong by less than that, and α is what is left of it behind s bits.
//! * With `W_i = M/m_i` times the inverse of the Montgomery factor modulo p, of the least size, `V = Σ y_i·W_i − α·W` is
//!   the result modulo p. V/p is a sum of the same kind, of t + u bits behind the point ([`estimates`]): so much is taken
//!   away that it is not above, and e < 1/2 says by how much it is below at most. The quotient q is that, rounded down, so
//!   that `0 ≤ V − q·p < (1 + e)·p`, below 2p.
//! * That number is computed by columns of digits of d bits modulo a power of two above 2p; digits of weights are signed,
//!   `|w| ≤ 2^(d-1)`, and what residues, α and q add up to in a column is below 2^31 with the carry.

use evariste_algorithms::Layout;
use evariste_jit::residues::{Constants, Digit, Estimates, Into, MOST, MOST_DIGITS, Out, WORDS, pair};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::ToPrimitive;

use crate::engine::Kernels;

/// What sums must stay below: a reduction passes them by less than a modulus.
const MOST_SUM: f64 = 2147483648.0 - 65536.0;

/// Half a unit in the last place of 1 in single precision, and a little more for products of several.
const UNIT: f64 = 1.01 / 16777216.0;

/// Products that are added up before sums are reduced, at most.
const PIECE: usize = 512;

/// What it takes to reduce a sum at its end and to make it smaller between pieces, in products.
const REDUCED: f64 = 12.0;
const FOLDED: f64 = 3.0;

/// The greatest modulus that is tried, and the least.
const MODULI: [f64; 2] = [16384.0, 1000.0];

/// Entries at rest, cut into digits.
pub(super) struct Entries {
    /// Their digits.
    pub digits: Vec<Digit>,
    /// The greatest.
    bound: BigUint,
}

impl Entries {
    /// Elements as they rest, where their digits do not overlap.
    pub fn resting(kernels: &Kernels) -> Option<Entries> {
        let (layout, resting) = (&kernels.layout, &kernels.layout.resting);
        Entries::within(layout, &resting.digit_max, resting.low, resting.bound.magnitude())
    }

    /// Canonical elements, in the digits of the layout.
    pub fn canonical(kernels: &Kernels) -> Option<Entries> {
        let (layout, most) = (&kernels.layout, &kernels.limit - 1u32);
        let spacing = |i: usize| layout.weights.get(i + 1).map_or(u64::MAX, |next| u64::from(next - layout.weights[i]));
        let digit = |(i, weight): (usize, &u32)| {
            let above = BigInt::from(&most >> *weight);
            if spacing(i) < above.bits() { (BigInt::from(1) << spacing(i)) - 1u32 } else { above }
        };
        let digits: Vec<BigInt> = layout.weights.iter().enumerate().map(digit).collect();
        Entries::within(layout, &digits, None, &most)
    }

    /// Numbers up to `bound` whose digits are at most such, or count modulo `2^low`.
    fn within(layout: &Layout, digit_max: &[BigInt], low: Option<u32>, bound: &BigUint) -> Option<Entries> {
        let top = layout.digits() - 1;
        let spacing = |i: usize| layout.weights.get(i + 1).map_or(64, |next| next - layout.weights[i]);
        let apart = (0..top).all(|i| low == Some(spacing(i)) || digit_max[i].bits() <= spacing(i).into());
        let bits = |i: usize| if i < top { spacing(i) } else { digit_max[i].bits().clamp(1, 64) as u32 };
        let digit = |i: usize| Digit { weight: layout.weights[i], bits: bits(i) };
        apart.then(|| Entries { digits: (0..=top).map(digit).collect(), bound: bound.clone() })
    }
}

/// How great residues get.
struct Bounds {
    /// Residues of sums are below that many times their modulus.
    sum: f64,
    /// Moduli are from the first of these on up to the second.
    moduli: [f64; 2],
}

/// What sums before a piece can be when it begins.
fn folded(m: f64) -> f64 {
    32768.0 * (1.0 + m / 2.0)
}

/// What the digits of entries of so many words are cut into: words of a pass, passes.
fn passes(words: usize) -> [usize; 2] {
    let pass = WORDS.into_iter().find(|w| *w >= words).unwrap_or(WORDS[WORDS.len() - 1]);
    [pass, words.div_ceil(pass)]
}

/// What the digits of a pass times their weights sum up to at most.
fn greatest(into: &Into, pass: usize) -> f64 {
    let size = |w: &i32| f64::from((w << 16 >> 16).abs() + (w >> 16).abs());
    into.weights.chunks(pass).map(|weights| 32768.0 * weights.iter().map(size).sum::<f64>()).fold(0.0, f64::max)
}

impl Bounds {
    /// With moduli from `low` to m, sums of k products of which so many are added up before a piece ends, and such sums
    /// of digits; `None`: something overflows.
    fn new([low, m]: [f64; 2], [terms, k]: [usize; 2], digits: f64) -> Option<Bounds> {
        let after = |x: f64| 0.5 + 3.01 * UNIT * x / low;
        let sum = after(MOST_SUM);
        // What a pass begins with is a residue.
        let digits = digits + sum * m;
        let entry = after(digits);
        let start = if terms < k { folded(m) } else { 0.0 };
        let products = terms as f64 * (entry * m) * (entry * m) + start;
        // Quotients are up to 2^21.
        let fits = low >= 1024.0 && digits < MOST_SUM && products < MOST_SUM && sum * m < 32767.0;
        fits.then_some(Bounds { sum, moduli: [low, m] })
    }
}

/// The greatest numbers up to m that have no common divisors, and at least m/2, whose product is that great.
fn coprime(m: f64, least: &BigUint) -> Option<(Vec<u32>, BigUint)> {
    let (mut moduli, mut product) = (Vec::<u32>::new(), BigUint::from(1u32));
    for candidate in ((m / 2.0) as u32 + 1..=m as u32).rev() {
        if product >= *least {
            return Some((moduli, product));
        }
        if moduli.iter().all(|other| other.gcd(&candidate) == 1) {
            product *= candidate;
            moduli.push(candidate);
        }
    }
    None
}

/// The number of least size that is x modulo m.
fn least_size(x: &BigUint, m: &BigUint) -> BigInt {
    let x = BigInt::from(x % m);
    let m = BigInt::from(m.clone());
    if &x * 2 > m { x - m } else { x }
}

/// Signed digits of a number modulo 2^(bits·count): from −2^(bits−1) on, below 2^(bits−1).
fn signed_digits(x: &BigInt, bits: u32, count: usize) -> Vec<i32> {
    let mut rest = x.mod_floor(&(BigInt::from(1) << (bits as usize * count)));
    (0..count)
        .map(|_| {
            let digit = rest.mod_floor(&BigInt::from(1u32 << bits)).to_i64().unwrap_or_default();
            let digit = if digit >= 1 << (bits - 1) { digit - (1 << bits) } else { digit };
            rest = (rest.clone() - digit) >> bits;
            digit as i32
        })
        .collect()
}

/// The number of least size that is x modulo m, for a residue x.
fn least_of(x: i64, m: i64) -> i32 {
    (if 2 * x > m { x - m } else { x }) as i32
}

/// What the digits of entries are multiplied with, where these are taken times a number for each modulus.
fn into(moduli: &[u32], words: usize, times: &[u32]) -> Into {
    let mut into = Into { start: Vec::new(), weights: Vec::new() };
    for (m, times) in moduli.iter().map(|m| i64::from(*m)).zip(times) {
        let small = |x: i64| least_of(x.mod_floor(&m), m);
        let mut weight = i64::from(*times) % m;
        let mut sum = 0;
        let mut next = || {
            let own = small(weight);
            sum += weight << 15;
            weight = (weight << 16) % m;
            own
        };
        for _ in 0..words {
            let low = next();
            into.weights.push(pair(low, next()));
        }
        into.start.push(small(sum));
    }
    into
}

/// The numbers of products of matrices with sums of k products, in that layout; `None`: they do not fit.
///
/// Shorter sums are reduced more often, but have greater moduli and fewer of them.
pub(super) fn constants(kernels: &Kernels, entries: &Entries, k: usize) -> Option<Constants> {
    let first = k.div_ceil(PIECE).max(1);
    let mut lengths: Vec<usize> = (first..first + 10).map(|pieces| k.div_ceil(pieces).next_multiple_of(2)).collect();
    lengths.dedup();
    let made = lengths.into_iter().filter_map(|terms| constants_of(kernels, entries, k, terms));
    let cost = |c: &Constants| {
        let folds = k.div_ceil(2 * c.depth).saturating_sub(1) as f64;
        c.moduli.len() as f64 * (k as f64 + FOLDED * folds + REDUCED)
    };
    made.min_by(|a, b| cost(a).total_cmp(&cost(b)))
}

/// The same, of which so many products are added up before sums are made smaller.
fn constants_of(kernels: &Kernels, entries: &Entries, k: usize, terms: usize) -> Option<Constants> {
    let least = &entries.bound * &entries.bound * 8u32 * k.max(1) / 7u32 + 1u32;
    let [pass, passes] = passes((entries.bound.bits() as usize).div_ceil(32));
    let words = pass * passes;
    let mut m = MODULI[0];
    while m > MODULI[1] {
        // What does not fit with all moduli as great as m, and weights of a size in between, need not be looked for.
        if Bounds::new([m, m], [terms, k], pass as f64 * 32768.0 * m / 2.0).is_some()
            && let Some((moduli, product)) = coprime(m, &least)
            && let Some(low) = moduli.last()
        {
            let inverse = |m: &u32| {
                let weight = ((&product / m) % m).to_i64().unwrap_or_default();
                weight.extended_gcd(&i64::from(*m)).x.mod_floor(&i64::from(*m)) as u32
            };
            let left = into(&moduli, words, &moduli.iter().map(inverse).collect::<Vec<_>>());
            let right = into(&moduli, words, &vec![1; moduli.len()]);
            let digits = greatest(&left, pass).max(greatest(&right, pass));
            if let Some(bounds) = Bounds::new([f64::from(*low), m], [terms, k], digits)
                && let Some(out) = out(kernels, &bounds, (&moduli, &product))
            {
                let fold = |m: &u32| pair(1, least_of((1 << 16) % i64::from(*m), i64::from(*m)));
                return Some(Constants {
                    inverses: moduli.iter().map(|m| 1.0 / *m as f32).collect(),
                    words,
                    left,
                    right,
                    halves: moduli.iter().map(|m| pair(*m as i32, *m as i32)).collect(),
                    folds: moduli.iter().map(fold).collect(),
                    moduli: moduli.into_iter().map(|m| m as i32).collect(),
                    depth: terms / 2,
                    out,
                });
            }
        }
        m *= 0.99;
    }
    None
}

/// The nearest integer to a quotient.
fn nearest(x: &BigInt, p: &BigInt) -> BigInt {
    (x * 2u32 + p).div_floor(&(p * 2u32))
}

/// How α and the quotient are found, of `W_i` and W. `None`: they are not.
fn estimates(moduli: &[u32], numbers: &[BigInt], whole: &BigInt, p: &BigUint, bounds: &Bounds) -> Option<Estimates> {
    let (count, power) = (moduli.len() as f64, |bits: u32| 2f64.powi(bits as i32));
    // What residues add up to, and what they do divided by their moduli, which is more than α.
    let [low, m] = bounds.moduli;
    let (residues, fractions) = (count * bounds.sum * m, count * bounds.sum + 1.0);
    let fits = |s: &u32| power(*s) < 32767.0 * low && (fractions + 1.0) * power(*s) + residues < MOST_SUM;
    let s = (8..=28).rev().find(fits)?;
    // Numbers `x/p` of t and u bits: those of weight 2^-t are up to 2^(t-1) + 1 in size, the others up to 2^(u-1).
    let all = residues + fractions;
    let t = (8..=15).rev().find(|t| all * (power(t - 1) + 3.0) < MOST_SUM)?;
    let u = (8..=15).rev().find(|u| all * power(u - 1) < MOST_SUM)?;
    // In units of 2^-t: roundings of these numbers, of a sum of the second ones another unit at most.
    let rounded = (all / 2.0 / power(u)).ceil() + 1.0;
    let wrong = (2.0 * rounded + 1.0) / power(t);
    if residues / 2.0 > power(s) / 20.0 || wrong > 0.45 || all > power(22) || fractions > 2048.0 {
        return None;
    }
    let p = BigInt::from(p.clone());
    let parts = |x: &BigInt| {
        let x = nearest(&(x << (t + u)), &p);
        let half = BigInt::from(1u32 << (u - 1));
        let whole = (&x + half) >> u;
        let part = &x - (&whole << u);
        [whole, part].map(|x| x.to_i32().unwrap_or_default())
    };
    let of = |(m, w): (&u32, &BigInt)| {
        let [whole, part] = parts(w);
        [(power(s) / f64::from(*m)).round() as i32, whole, part]
    };
    let mut all: Vec<[i32; 3]> = moduli.iter().zip(numbers).map(of).collect();
    all.resize(moduli.len().next_multiple_of(2), [0; 3]);
    Some(Estimates {
        weights: all.as_chunks::<2>().0.iter().map(|[a, b]| [0, 1, 2].map(|e| pair(a[e], b[e]))).collect(),
        start: [1 << (s - 4), -(rounded as i32), 0],
        bits: [s, t, u],
        alpha: parts(&-whole),
    })
}

/// Chunk by chunk what pairs of residues, the quotient in two parts and α are multiplied with.
fn multiplied(numbers: &[BigInt], p: &BigUint, whole: &BigInt, bits: u32, [count, chunk]: [usize; 2]) -> Vec<i32> {
    let p = BigInt::from(p.clone());
    let digits = |x: &BigInt| signed_digits(x, bits, count);
    let pairs = numbers.chunks(2).map(|two| [digits(&two[0]), two.get(1).map_or(vec![0; count], digits)]);
    let others = [[digits(&-&p), digits(&-(&p << 12u32))], [digits(&-whole), vec![0; count]]];
    let rows: Vec<[Vec<i32>; 2]> = pairs.chain(others).collect();
    let columns = |first: usize| {
        rows.iter().flat_map(move |[a, b]| (first..first + chunk).map(|d| pair(a[d], b[d]))).collect::<Vec<i32>>()
    };
    (0..count).step_by(chunk).flat_map(columns).collect()
}

/// The way back.
fn out(kernels: &Kernels, bounds: &Bounds, (moduli, product): (&[u32], &BigUint)) -> Option<Out> {
    let (p, layout) = (&kernels.limit, &kernels.layout);
    let radix = match layout.digits() {
        1 => layout.word,
        _ => layout.weights[1],
    };
    let even = layout.weights.iter().enumerate().all(|(i, w)| *w == i as u32 * radix);
    let residues = moduli.len() as f64 * bounds.sum * bounds.moduli[1];
    // Residues, the lower part of the quotient, its upper part and α.
    let column = |bits: u32| (residues + 8192.0) * 2f64.powi(bits as i32 - 1) + 2f64.powi(32 - bits as i32) < MOST_SUM;
    let whole = |parts: &usize| {
        let bits = radix / *parts as u32;
        radix.is_multiple_of(*parts as u32) && (8..=16).contains(&bits) && column(bits)
    };
    // Parts of a digit of the layout if that goes, else as many bits as fit.
    let (bits, parts) = match [1, 2, 4].into_iter().find(whole) {
        Some(parts) => (radix / parts as u32, parts),
        None => ((8..=16).rev().find(|bits| column(*bits))?, 0),
    };
    if !even || radix > 64 {
        return None;
    }
    let least = (layout.digits() * radix as usize).max(p.bits() as usize + 1).div_ceil(bits as usize);
    let chunk = (1..=MOST_DIGITS).min_by_key(|chunk| (least.next_multiple_of(*chunk), MOST_DIGITS - chunk))?;
    let count = least.next_multiple_of(chunk);
    let factor = layout.factor().magnitude().modinv(p)?;
    let weight = |x: &BigUint| least_size(&(x * &factor), p);
    let numbers: Vec<BigInt> = moduli.iter().map(|m| weight(&(product / m))).collect();
    let whole = weight(product);
    let estimates = estimates(moduli, &numbers, &whole, p, bounds)?;
    if count > MOST {
        return None;
    }
    // What is below 2p may rest where that is not above the bound.
    let canonical = *layout.resting.bound.magnitude() < p * 2u32 - 1u32;
    let modulus = |d: usize| ((p >> (d * bits as usize)) % (1u32 << bits)).to_i32().unwrap_or_default();
    Some(Out {
        bits,
        chunk,
        weights: multiplied(&numbers, p, &whole, bits, [count, chunk]),
        estimates,
        modulus: if canonical { (0..count).map(modulus).collect() } else { Vec::new() },
        parts,
        radix,
        result: layout.digits(),
    })
}
