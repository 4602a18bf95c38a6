//! The numbers of products of matrices by residues, and why nothing overflows.
//!
//! Let entries be numbers up to B, sums of k products of them be C ≤ k·B², N moduli `m_i` below m with the product M.
//!
//! * A word x is reduced to `x − q·m_i`, q the nearest integer to x times the inverse in single precision: three roundings,
//!   so `|q − x/m_i| ≤ 1/2 + 3.01·2^-24·|x|/m_i`, and residues are at most that times `m_i` ([`Bounds`]).
//! * Digits of entries are 16 bits less 2^15; so many of them as a pass has, times residues of weights up to m/2, and what
//!   the pass begins with, are below 2^31.
//! * Products of `2·depth` residues of entries, and what a piece begins with, are below 2^31; and residues are signed
//!   numbers of 16 bits.
//! * The left factor has residues of `a·(M/m_i)^-1`, so that sums are residues `y_i` with `Σ y_i·M/m_i = C + α·M`.
//!   M ≥ 2·k·B², hence `Σ y_i/m_i − 1/4` is within 1/4 of α, and the roundings of N products and sums in single precision
//!   take less than 1/4: α is the nearest integer.
//! * With `W_i = M/m_i` times the inverse of the Montgomery factor modulo p, of the least size, `V = Σ y_i·W_i − α·W` is
//!   the result modulo p. Roundings make V/p in single precision wrong by e < 1/2 at most; the quotient q is that less e,
//!   rounded down, so that `0 ≤ V − q·p < (1 + 2e)·p`, below 2p.
//! * That number is computed by columns of digits of d bits modulo a power of two above 2p; digits of weights are signed,
//!   `|w| ≤ 2^(d-1)`, and what residues, α and q add up to in a column is below 2^31 with the carry.

use evariste_algorithms::Layout;
use evariste_jit::residues::{Constants, Digit, Into, MOST, MOST_DIGITS, Out, WORDS, pair};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive};

use crate::engine::Kernels;

/// What sums must stay below: a reduction passes them by less than a modulus.
const MOST_SUM: f64 = 2147483648.0 - 65536.0;

/// Half a unit in the last place of 1 in single precision, and a little more for products of several.
const UNIT: f64 = 1.01 / 16777216.0;

/// Products that are added up before sums are reduced, at most.
const PIECE: usize = 512;

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

/// Passes over the words of an entry, and how great residues get.
struct Bounds {
    /// Words of a pass.
    pass: usize,
    /// Passes.
    passes: usize,
    /// Residues of sums are below that many times m.
    sum: f64,
}

impl Bounds {
    /// With moduli between m/2 and m, sums of `terms` products, entries of so many words; `None`: something overflows.
    fn new(m: f64, terms: usize, words: usize) -> Option<Bounds> {
        let most = WORDS[WORDS.len() - 1];
        let pass = WORDS.into_iter().find(|w| *w >= words).unwrap_or(most);
        let after = |x: f64| 0.5 + 3.01 * UNIT * x / (m / 2.0);
        let sum = after(MOST_SUM);
        // What a pass begins with is a residue.
        let digits = 2.0 * pass as f64 * 32768.0 * (m / 2.0) + sum * m;
        let entry = after(digits);
        let products = terms as f64 * (entry * m) * (entry * m) + sum * m;
        let fits = digits < MOST_SUM && products < MOST_SUM && sum * m < 32767.0;
        fits.then_some(Bounds { pass, passes: words.div_ceil(pass), sum })
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

/// What the digits of entries are multiplied with, where these are taken times a number for each modulus.
fn into(moduli: &[u32], words: usize, times: &[u32]) -> Into {
    let mut into = Into { start: Vec::new(), weights: Vec::new() };
    for (m, times) in moduli.iter().map(|m| i64::from(*m)).zip(times) {
        let small = |x: i64| {
            let x = x.mod_floor(&m);
            (if 2 * x > m { x - m } else { x }) as i32
        };
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
pub(super) fn constants(kernels: &Kernels, entries: &Entries, k: usize) -> Option<Constants> {
    let least = &entries.bound * &entries.bound * 2u32 * k.max(1);
    let words = (entries.bound.bits() as usize).div_ceil(32);
    let terms = k.div_ceil(k.div_ceil(PIECE)).next_multiple_of(2);
    let mut m = MODULI[0];
    while m > MODULI[1] {
        if let Some(bounds) = Bounds::new(m, terms, words)
            && let Some((moduli, product)) = coprime(m, &least)
            && let Some(out) = out(kernels, m, &bounds, (&moduli, &product))
        {
            let words = bounds.pass * bounds.passes;
            let inverse = |m: &u32| {
                let weight = ((&product / m) % m).to_i64().unwrap_or_default();
                weight.extended_gcd(&i64::from(*m)).x.mod_floor(&i64::from(*m)) as u32
            };
            return Some(Constants {
                inverses: moduli.iter().map(|m| 1.0 / *m as f32).collect(),
                words,
                left: into(&moduli, words, &moduli.iter().map(inverse).collect::<Vec<_>>()),
                right: into(&moduli, words, &vec![1; moduli.len()]),
                moduli: moduli.into_iter().map(|m| m as i32).collect(),
                depth: terms / 2,
                out,
            });
        }
        m *= 0.99;
    }
    None
}

/// The quotient of two numbers, the nearest in single precision or beside it.
fn share(x: &BigInt, p: &BigUint) -> f32 {
    // 64 bits behind the point are more than enough.
    let scaled = ((x.abs() << 96u32) / BigInt::from(p.clone())).to_f64().unwrap_or_default() / 2f64.powi(96);
    (if x.is_negative() { -scaled } else { scaled }) as f32
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
fn out(kernels: &Kernels, m: f64, bounds: &Bounds, (moduli, product): (&[u32], &BigUint)) -> Option<Out> {
    let (p, layout) = (&kernels.limit, &kernels.layout);
    let radix = match layout.digits() {
        1 => layout.word,
        _ => layout.weights[1],
    };
    let even = layout.weights.iter().enumerate().all(|(i, w)| *w == i as u32 * radix);
    let residues = moduli.len() as f64 * bounds.sum * m;
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
    let shares: Vec<f32> = numbers.iter().map(|w| share(w, p)).collect();
    let alpha = -share(&whole, p);
    // The greatest sums in single precision, and what all roundings can make of them.
    let fractions = moduli.len() as f64 * bounds.sum * 2.0;
    let quotient = bounds.sum * m * shares.iter().map(|s| f64::from(s.abs())).sum::<f64>() + fractions;
    let steps = moduli.len() as f64 + 8.0;
    let margin = (UNIT * steps * quotient) as f32 * 1.01;
    if UNIT * steps * fractions > 0.2 || margin > 0.45 || quotient > 2f64.powi(22) || count > MOST {
        return None;
    }
    let modulus = |d: usize| ((p >> (d * bits as usize)) % (1u32 << bits)).to_i32().unwrap_or_default();
    let mut pairs: Vec<[f32; 2]> = moduli.iter().zip(&shares).map(|(m, share)| [1.0 / *m as f32, *share]).collect();
    pairs.resize(moduli.len().next_multiple_of(2), [0.0; 2]);
    Some(Out {
        bits,
        chunk,
        weights: multiplied(&numbers, p, &whole, bits, [count, chunk]),
        shares: pairs.as_chunks::<2>().0.to_vec(),
        alpha,
        margin,
        modulus: (0..count).map(modulus).collect(),
        parts,
        radix,
        result: layout.digits(),
    })
}
