//! Layouts that kinds of fields share ([`crate::kinds`]). Those for lanes are in [`crate::lanes::layouts`].

use evariste_descriptions::Modulus;
use evariste_ir::range::pow2;
use num_bigint::BigInt;

use crate::layout::{Bounds, Layout};
use crate::reduction::carry_pass::{covering_multiple, digit_sizes, folding, golden_ratio};
use crate::reduction::fold_golden;
use crate::reduction::fold_unsaturated::{Schedule, columns_fit, may_fold};

/// What a schedule for unsaturated digits needs to know of a modulus `2^k − c`.
#[derive(Clone, Copy, Debug)]
struct Crandall<'a> {
    k: u32,
    c: &'a BigInt,
}

/// Unsaturated digits for `2^k − c` at the given weights: a resting digit of s bits is at most `2^s + ⌊2^s/16⌋` (what
/// one carry pass leaves), a loose one `multiple` times that. `None` where a digit does not fit its word or leaves no
/// room for the multiple of p that a subtraction adds.
fn unsaturated(crandall: Crandall, weights: Vec<u32>, word: u32, multiple: u32) -> Option<Layout> {
    let Crandall { k, c } = crandall;
    let sizes = digit_sizes(&weights, k);
    if sizes.contains(&0) {
        return None;
    }
    let bounds = |multiple: u32| {
        let digit_max: Vec<BigInt> = sizes.iter().map(|s| (pow2(*s) + (pow2(*s) >> 4u32)) * multiple).collect();
        let bound = digit_max.iter().zip(&weights).map(|(d, w)| d << *w).sum();
        Bounds { digit_max, bound, low: None }
    };
    let (resting, loose) = (bounds(1), bounds(multiple));
    let cover = covering_multiple(&(pow2(k) - c), &weights, &resting.digit_max);
    let room = |d: &BigInt| d < &pow2(word);
    if !loose.digit_max.iter().all(room) || !resting.digit_max.iter().zip(&cover).all(|(d, m)| room(&(d + m))) {
        return None;
    }
    let n = weights.len();
    let even = sizes.iter().take(n - 1).all(|s| s == &sizes[0]);
    let name = if even { format!("{n}x{}", sizes[0]) } else { format!("{n}x{:.1}", k as f64 / n as f64) };
    // Words are named, but for those of 64 bits; these too where digits are as long as the words of another layout.
    let name = if word == 64 && name != format!("{n}x32") { name } else { format!("{name}-w{word}") };
    Some(Layout { name, word, weights, resting, loose, montgomery: None, radix: None, constants: false })
}

/// Unsaturated digits for `2^k − c` at the given weights, whose sums are carried before they are multiplied.
pub(crate) fn unsaturated_at(k: u32, c: &BigInt, weights: Vec<u32>, word: u32) -> Option<Layout> {
    unsaturated(Crandall { k, c }, weights, word, 1)
}

/// The unsaturated layouts of `2^k − c`: the fewest digits with which columns can be folded while they are summed (an
/// even radix before a mixed one), and the fewest with which they can be folded afterwards, where these are fewer.
pub(crate) fn unsaturated_layouts(k: u32, c: &BigInt, word: u32) -> Vec<Layout> {
    let crandall = Crandall { k, c };
    let first = |schedule: Schedule| {
        (k.div_ceil(word.saturating_sub(1).max(1))..=k.div_ceil((word / 2).max(1)) + 2).find_map(|n| {
            let radix = k.div_ceil(n);
            let even: Vec<u32> = (0..n).map(|i| radix * i).collect();
            let mixed: Vec<u32> = (0..n).map(|i| (k * i).div_ceil(n)).collect();
            let multiples: &[u32] = if n == 1 { &[1] } else { &[3, 2, 1] };
            [even, mixed].into_iter().filter(|w| may_fold(w, k, c, schedule)).find_map(|weights| {
                let fitting = |multiple: &u32| {
                    unsaturated(crandall, weights.clone(), word, *multiple).filter(|l| columns_fit(l, k, c, schedule))
                };
                multiples.iter().find_map(fitting)
            })
        })
    };
    let early = first(Schedule::Early);
    let late = first(Schedule::Late).filter(|late| early.as_ref().is_none_or(|e| late.digits() < e.digits()));
    early.into_iter().chain(late).collect()
}

/// The unsaturated layout of `2^(2h) − 2^h − 1`: the fewest digits of one radix of which one begins at 2^h.
pub(crate) fn golden_layouts(m: &Modulus, word: u32) -> Option<Layout> {
    let (half, (k, c)) = (golden_ratio(m)?, folding(m)?);
    let crandall = Crandall { k, c: &c };
    let digits = (1..=half).filter(|n| half.is_multiple_of(*n) && half / n < word);
    digits.take(3).find_map(|n| {
        let weights: Vec<u32> = (0..2 * n).map(|i| half / n * i).collect();
        [3, 2, 1].into_iter().find_map(|multiple| {
            unsaturated(crandall, weights.clone(), word, multiple).filter(|l| fold_golden::columns_fit(l, half))
        })
    })
}

/// The layouts of elements modulo odd numbers below `2^bits`: Montgomery form in the fewest words, at rest below p; and
/// in the fewest words with two bits to spare, at rest below 2p.
pub fn run_time_layouts(bits: u32, word: u32) -> Vec<Layout> {
    let greatest = pow2(bits) - 1u32;
    let one = |suffix: &str, bits: u32, bound: BigInt| {
        let n = bits.div_ceil(word);
        Layout::saturated_with(format!("montgomery-{n}x{word}{suffix}"), word, n as usize, bound, Some(n * word))
    };
    vec![one("", bits, &greatest - 1u32), one("-lazy", bits + 2, greatest * 2u32 - 1u32)]
}
