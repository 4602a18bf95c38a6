//! How elements lie in words. A layout is chosen per field; operations compete inside one layout, so that the results of each are
//! legal operands of every other.

use evariste_ir::range::pow2;
use evariste_spec::{Field, Shape};
use num_bigint::BigInt;

/// Bounds of a number: greatest value of each digit and of the whole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Greatest value of each digit.
    pub digit_max: Vec<BigInt>,
    /// Greatest value of the number.
    pub bound: BigInt,
}

/// Digits, radix, Montgomery factor and bounds of a field's elements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Name, unique among the layouts of a field: `4x64`, `4x64-redundant`, `montgomery-4x64`, `montgomery-4x64-lazy`, `5x51`.
    pub name: String,
    /// Word size in bits.
    pub word: u32,
    /// Exponent of each digit's weight, lowest first.
    pub weights: Vec<u32>,
    /// What every operation gives and accepts.
    pub resting: Bounds,
    /// What products accept: at least the resting bounds, more where the digits have headroom.
    pub loose: Bounds,
    /// `Some(r)`: an element x is held as `x·2^r mod p`.
    pub montgomery: Option<u32>,
}

impl Layout {
    /// Number of digits.
    pub fn digits(&self) -> usize {
        self.weights.len()
    }

    /// Are the digits whole words (weights `w·i`)?
    pub fn saturated(&self) -> bool {
        self.weights.iter().enumerate().all(|(i, w)| *w == i as u32 * self.word)
    }

    /// Saturated digits of `word` bits with a bound for the number.
    pub fn saturated_with(name: impl Into<String>, word: u32, n: usize, bound: BigInt, montgomery: Option<u32>) -> Layout {
        let weights: Vec<u32> = (0..n as u32).map(|i| i * word).collect();
        let bounds = saturated_bounds(word, &weights, bound);
        Layout { name: name.into(), word, weights, resting: bounds.clone(), loose: bounds, montgomery }
    }

    /// The factor `2^r` of the Montgomery form (1 without).
    pub fn factor(&self) -> BigInt {
        pow2(self.montgomery.unwrap_or(0))
    }
}

/// Every digit is a word, the top one no larger than the bound allows.
fn saturated_bounds(word: u32, weights: &[u32], bound: BigInt) -> Bounds {
    let digit_max = weights.iter().map(|w| std::cmp::min(pow2(word) - 1, &bound >> *w)).collect();
    Bounds { digit_max, bound }
}

/// Unsaturated digits for `2^k − c`: weights `⌈k·i/n⌉`; resting digits may exceed their radix by an eighth of it
/// (what one carry pass leaves), loose ones are up to three times the resting ones where the columns still fit a double word.
pub fn unsaturated(k: u32, n: u32, word: u32) -> Layout {
    let weights: Vec<u32> = (0..n).map(|i| (k * i).div_ceil(n)).collect();
    let sizes: Vec<u32> = (0..n).map(|i| (k * (i + 1)).div_ceil(n) - weights[i as usize]).collect();
    let bounds = |multiple: u32| {
        let digit_max: Vec<BigInt> = sizes.iter().map(|s| (pow2(*s) + (pow2(*s) >> 3u32)) * multiple).collect();
        let bound = digit_max.iter().zip(&weights).map(|(d, w)| d << *w).sum();
        Bounds { digit_max, bound }
    };
    let even = sizes.iter().all(|s| s == &sizes[0]);
    let name = if even { format!("{n}x{}", sizes[0]) } else { format!("{n}x{:.1}", k as f64 / n as f64) };
    let name = if word == 64 { name } else { format!("{name}-w{word}") };
    let (resting, loose) = (bounds(1), bounds(3));
    Layout { name, word, weights, resting, loose, montgomery: None }
}

/// The layouts of a field for one word size, most usual first.
///
/// Moduli: canonical saturated; redundant saturated (any n-word value) for `2^k ± c`; Montgomery canonical; Montgomery lazy
/// (`< 2p`, when `4p ≤ R`); unsaturated for `2^k − c` with small c. Integers: saturated. Binary fields: one bit a digit.
pub fn layouts(field: &Field, word: u32) -> Vec<Layout> {
    match field {
        Field::Integers(z) => {
            let n = z.bits.div_ceil(word) as usize;
            vec![Layout::saturated_with(format!("{n}x{word}"), word, n, pow2(z.bits) - 1, None)]
        }
        Field::Modular(m) => {
            let p = BigInt::from(m.value.clone());
            let n = m.bits.div_ceil(word) as usize;
            let r = n as u32 * word;
            let mut all = vec![Layout::saturated_with(format!("{n}x{word}"), word, n, &p - 1, None)];
            let folds = m.shapes.iter().any(|s| matches!(s, Shape::PseudoMersenne { .. }));
            if folds && p != pow2(r) {
                all.push(Layout::saturated_with(format!("{n}x{word}-redundant"), word, n, pow2(r) - 1, None));
            }
            if p.bit(0) {
                all.push(Layout::saturated_with(format!("montgomery-{n}x{word}"), word, n, &p - 1, Some(r)));
                if &p * 4 <= pow2(r) {
                    all.push(Layout::saturated_with(format!("montgomery-{n}x{word}-lazy"), word, n, &p * 2 - 1, Some(r)));
                }
            }
            for s in &m.shapes {
                if let Shape::PseudoMersenne { k, c } = s {
                    // c·n·(3·9/8)²·2^(2·size) and its carries must fit the double word; the digits need a few spare bits.
                    let c_bits = c.bits() as u32;
                    let n = (k.div_ceil(word - 4)..=k.div_ceil(word / 2)).find(|n| {
                        let size = k.div_ceil(*n);
                        *n > 1 && size + c_bits.max(3) + 2 <= word && 2 * size + c_bits + 5 + (32 - n.leading_zeros()) < 2 * word
                    });
                    if let (Some(n), true) = (n, c_bits < word / 2) {
                        all.push(unsaturated(*k, n, word));
                    }
                }
            }
            all
        }
        Field::Binary(f) => {
            let m = f.degree as usize;
            vec![Layout::saturated_with(format!("{m}x1"), 1, m, pow2(m as u32) - 1, None)]
        }
    }
}
