//! The layouts of a field for lanes.
//!
//! * **computes** digits, bounds and Montgomery factor from the field, the word and the radix.
//! * **needs** words with room above the radix for 4n + 4 digits, or for a few whole products ([`whole`]); a layout that
//!   does not fit is not listed.
//! * **gives** layouts whose resting elements are legal operands of every operation.
//! * **cost** `⌈log2(4p)/k⌉` digits for Montgomery, `⌈B/k⌉` or one more for `2^B − c`.
//! * **source** Gueron, Krasnov (2016) for the two spare bits of `R ≥ 4p`; Walter, "Montgomery exponentiation needs no
//!   final subtractions" (1999).

use evariste_descriptions::Modulus;
use evariste_ir::range::pow2;
use num_bigint::BigInt;
use num_integer::Integer;

use super::barrett;
use super::columns::{doubles, halves, whole};
use super::fold_top::Room;
use super::{fold_columns, fold_doubles, fold_early_columns};
use crate::layout::{Bounds, Layout};
use crate::reduction::carry_pass::pseudo_mersenne;
use crate::reduction::complement::above_power;

/// The layouts of a modulus for words of `word` bits whose multiply-add takes `radix` bits, unmasked ones first:
///
/// * odd moduli: Montgomery with `R = 2^(radix·n) ≥ 4p`, at rest where sums are cheap ([`Room`]), or below 2p: products
///   of such numbers rest again, nothing is subtracted;
/// * `2^word + c`: canonical digits (of the constants of affine maps);
/// * even moduli: canonical digits, for products modulo `2^k` and by Barrett's reduction;
/// * digits with room for [whole products](whole): the Montgomery layouts in clean digits alone, and `2^k − c` in digits
///   that rest a little above their radix, all alike ([`fold_columns`]) or some of a bit less ([`fold_early_columns`]);
/// * digits that are multiplied as [doubles]: `2^k − c` alone ([`fold_doubles`]);
/// * `2^k − c`: at rest a little above `2^k` at most, when the top digit has room for that and `c·2^(radix·n − k)` is a
///   digit.
pub fn modulus_layouts(m: &Modulus, word: u32, radix: u32) -> Vec<Layout> {
    if doubles(word, radix).is_some() {
        return fold_doubles::layout(m, word, radix).into_iter().collect();
    }
    let mut all = Vec::new();
    // Whole products are of clean digits, and Montgomery's alone.
    let whole = whole(word, radix);
    let p = BigInt::from(m.value.clone());
    if p.bit(0) {
        let n = ((&p * 4u32 - 1u32).bits() as u32).div_ceil(radix);
        let bound = Room::new(&p, radix, n).map_or(&p * 2 - 1, |room| room.bound);
        let unmasked = [Some(true), Some(false)].into_iter().filter(|unmasked| !whole || *unmasked == Some(false));
        all.extend(
            unmasked
                .filter_map(|unmasked| layout("montgomery-", word, radix, n, bound.clone(), Some(radix * n), unmasked)),
        );
    }
    if p.is_even() {
        all.extend(canonical_layout(m, word, radix));
    }
    if let Some((k, _)) = above_power(m).filter(|(k, _)| *k == word) {
        all.extend(constant_layout(word, radix, (k + 1).div_ceil(radix), p.clone() - 1));
    }
    if whole {
        all.extend(fold_columns::layout(m, word, radix));
        all.extend(fold_early_columns::mixed_layout(m, word, radix));
        return all;
    }
    if let Some((k, c)) = pseudo_mersenne(m) {
        let fits = |n: &u32| folded_top(k, *n, radix).is_some() && &c << (radix * n - k) < pow2(radix);
        if let Some(n) = (k.div_ceil(radix).max(2)..).take(2).find(fits) {
            let weight = (n - 1) * radix;
            let bound: BigInt =
                folded_top(k, n, radix).map(|top| (top << weight) + pow2(weight) - 1).unwrap_or_default();
            all.extend(
                [Some(true), Some(false)]
                    .into_iter()
                    .filter_map(|unmasked| layout("", word, radix, n, bound.clone(), None, unmasked)),
            );
        }
    }
    // Of one digit there is nothing to be unmasked.
    all.dedup_by(|a, b| a.resting == b.resting && a.montgomery == b.montgomery);
    all
}

/// The radix for one element in words: Montgomery form of p below `2^bits` in the fewest digits whose columns of halves
/// fit, which are then as short as they can be.
pub fn radix_of_words(bits: u32, word: u32) -> Option<u32> {
    let radix = |n: u32| ((bits + 2).div_ceil(n)..word).find(|k| halves(word, *k)).filter(|k| columns_fit(word, *k, n));
    (1..=bits).find_map(radix)
}

/// Canonical numbers of an even modulus: the fewest digits for powers of two, else two bits to spare for Barrett's
/// quotient.
fn canonical_layout(m: &Modulus, word: u32, radix: u32) -> Option<Layout> {
    let bound = BigInt::from(m.value.clone()) - 1u32;
    let of = |n| layout("", word, radix, n, bound.clone(), None, Some(false));
    if let Some(k) = m.power_of_two() {
        return of(k.div_ceil(radix));
    }
    let least = (m.bits + 2).div_ceil(radix).max(2);
    (least..least + 2).filter_map(of).find(|layout| barrett::is_plain(m, layout))
}

/// The layouts of integers: canonical digits.
pub fn integer_layouts(bits: u32, word: u32, radix: u32) -> Vec<Layout> {
    let clean = || layout("", word, radix, bits.div_ceil(radix), pow2(bits) - 1, None, None);
    if halves(word, radix) { clean().into_iter().collect() } else { Vec::new() }
}

/// The layouts of elements modulo odd numbers below `2^bits`, in words of `word` bits whose multiply-add takes `radix`
/// bits, at rest below 2p: unmasked digits first, then clean ones. None of digits that are multiplied otherwise.
pub fn run_time_layouts(bits: u32, word: u32, radix: u32) -> Vec<Layout> {
    if !halves(word, radix) {
        return Vec::new();
    }
    let n = (bits + 2).div_ceil(radix);
    let bound = (pow2(bits) - 1u32) * 2u32 - 1u32;
    let one = |unmasked| layout("montgomery-", word, radix, n, bound.clone(), Some(radix * n), Some(unmasked));
    let mut all: Vec<Layout> = [true, false].into_iter().filter_map(one).collect();
    all.dedup_by(|a, b| a.resting == b.resting);
    all
}

/// The greatest top digit at rest of numbers modulo `2^k − c` in n digits: its bits below `2^k`, and a last carry (a
/// column holds fewer than 4n + 4 digits). `None` where that passes the radix.
fn folded_top(k: u32, n: u32, radix: u32) -> Option<BigInt> {
    let top = pow2(k.checked_sub((n - 1) * radix)?) - 1u32 + 4 * n + 4;
    (top < pow2(radix)).then_some(top)
}

/// Do sums of products of n digits fit a word: two halves of n products, as many for a reduction, and a little more?
/// Columns of whole products carry where they have to.
fn columns_fit(word: u32, radix: u32, n: u32) -> bool {
    whole(word, radix) || pow2(radix) * BigInt::from(4 * n + 4) <= pow2(word)
}

/// One layout, with what its name begins; integers are clean and have no unmasked counterpart (`None`).
fn layout(
    prefix: &str,
    word: u32,
    radix: u32,
    n: u32,
    bound: BigInt,
    montgomery: Option<u32>,
    unmasked: Option<bool>,
) -> Option<Layout> {
    let n = n.max(1);
    columns_fit(word, radix, n).then(|| of_digits(prefix, word, radix, n, bound, montgomery, unmasked))
}

/// Canonical constants of affine maps: these have columns of two or three products, and look to them themselves.
fn constant_layout(word: u32, radix: u32, n: u32, bound: BigInt) -> Option<Layout> {
    Some(Layout { constants: true, ..of_digits("above-", word, radix, n, bound, None, None) })
}

fn of_digits(
    prefix: &str,
    word: u32,
    radix: u32,
    n: u32,
    bound: BigInt,
    montgomery: Option<u32>,
    unmasked: Option<bool>,
) -> Layout {
    let weights: Vec<u32> = (0..n).map(|i| radix * i).collect();
    let low = (unmasked == Some(true) && n > 1).then_some(radix);
    let below: BigInt = pow2(if low.is_some() { word } else { radix }) - 1u32;
    let digit_max = weights.iter().map(|w| if *w == radix * (n - 1) { &bound >> *w } else { below.clone() }).collect();
    let resting = Bounds { digit_max, bound, low };
    let size = if word == 64 { String::new() } else { format!("-w{word}") };
    let clean = if unmasked == Some(false) && n > 1 { "-clean" } else { "" };
    Layout {
        name: format!("{prefix}{n}x{radix}{size}{clean}"),
        word,
        weights,
        resting: resting.clone(),
        loose: resting,
        montgomery,
        radix: Some(radix),
        constants: false,
    }
}
