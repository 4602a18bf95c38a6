//! Sums, differences and negatives in Montgomery layouts for lanes whose R leaves room: what is above `2^f` comes back
//! as `2^f mod p` times itself.
//!
//! * **computes** `a + b`, `a − b`, `−a` modulo p: columns, then with h what the top column holds from `2^f` on:
//!   `l + h·c`, c ≡ 2^f, and one chain of carries. h is read before the carries run, so it may be one too small; the
//!   bound at rest has room for that, and no comparison has to be exact.
//! * **needs** resting elements of a layout that [`Room`] found room for: about `p < 2^(K−3)`, K = kn. The output may
//!   be an operand. Sums of more elements fold at a lower bit.
//! * **gives** a resting element.
//! * **cost** 2n columns from unmasked digits, with cuts 3n − 2 (1 or 2 more a digit for differences), 2 for h and l, n +
//!   (digits of 2c above the radix), 2(n − 1) for carries: about 6n; a conditional subtraction needs a second chain.
//! * **source** the fold of Bernstein, "Curve25519" (2006), at a power of two that is none of the modulus; Walter
//!   (1999) for products of numbers above p.

use evariste_descriptions::{Field, Modulus};
use evariste_ir::range::pow2;
use evariste_ir::{Builder, Number, Value};
use num_bigint::BigInt;
use num_traits::Zero;

use super::normalise::cleaned;
use super::{add, columns, montgomery};
use crate::layout::Layout;
use crate::operation::Operation;
use crate::prime::representation::{modulus, prime};
use crate::recipe::Whole;
use crate::reduction::carry_pass::{covering_multiple, digits_at};
use crate::signature::NotApplicable;

/// Registry line.
pub const ANDS: Whole = Whole {
    name: "fold-top-lanes",
    applies,
    write: |f, l, op| add::write(f, l, op, "fold-top-lanes", |b, m, x, y| fold(b, m, l, op, x, y, Cut::Ands)),
};

/// Registry line.
pub const PRODUCTS: Whole = Whole {
    name: "fold-top-madd",
    applies: |f, l, op| *op != Operation::OPP && l.resting.low.is_some() && applies(f, l, op),
    write: |f, l, op| add::write(f, l, op, "fold-top-madd", |b, m, x, y| fold(b, m, l, op, x, y, Cut::Products)),
};

fn applies(field: &Field, layout: &Layout, op: &Operation) -> bool {
    add::sums(op) && add::of(field, layout, |m, l| montgomery::applies(m, l) && room_of(m, l).is_some())
}

/// How what is above an unmasked digit is dropped.
#[derive(Clone, Copy, PartialEq)]
enum Cut {
    /// `x mod 2^k`, then an addition.
    Ands,
    /// One multiply-add by 1.
    Products,
}

/// Where sums are folded, and what elements are then at rest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Room {
    /// Bits of the top digit below `2^f`.
    top: u32,
    /// c, congruent to `2^f`.
    c: BigInt,
    /// The greatest element at rest.
    pub bound: BigInt,
}

/// How much of the top column may be above `2^f`.
const MOST: u32 = 2;

impl Room {
    /// The cheapest fold for p in n digits of k bits; `None` where products or sums of what it leaves would not rest.
    pub fn new(p: &BigInt, k: u32, n: u32) -> Option<Room> {
        let weight = k * (n - 1);
        // The multiply-adds that `h·c` takes, then the bound.
        let price = |room: &Room| {
            let digits = digits_at(&room.c, &weights(k, n));
            let halves = digits.iter().map(|d| u32::from(!d.is_zero()) + u32::from(d * MOST >= pow2(k))).sum::<u32>();
            (halves, room.bound.clone())
        };
        let folds = (1..k).flat_map(|top| {
            let least = pow2(weight + top) % p;
            (0..8u32).map(move |times| (top, &least + p * times))
        });
        folds.filter_map(|(top, c)| Room::at(p, k, n, top, c)).min_by_key(price)
    }

    fn at(p: &BigInt, k: u32, n: u32, top: u32, c: BigInt) -> Option<Room> {
        let (weight, r) = (k * (n - 1), pow2(k * n));
        // The top digit of l, of h·c with a high half below MOST, and a carry of five at most: two operands, a digit of
        // h·c, what a cover has above the radix, carries.
        let most: BigInt = pow2(top) - 1u32 + (&c >> weight) * MOST + (if n == 1 { 0 } else { MOST + 5 });
        let bound: BigInt = ((&most + 1u32) << weight) - 1u32;
        let folded = |column: BigInt| column >> top <= BigInt::from(MOST);
        let rests = (&bound * &bound + (&r - 1u32) * p) / &r <= bound;
        // What a cover is takes the longest to reckon: few come as far.
        if most >= pow2(k) || !folded(&most * 2u32) || !rests {
            return None;
        }
        let mut greatest = vec![pow2(k) - 1u32; n as usize - 1];
        greatest.push(most.clone());
        let cover = covering_multiple(p, &weights(k, n), &greatest).pop()?;
        folded(most + cover).then_some(Room { top, c, bound })
    }
}

fn weights(k: u32, n: u32) -> Vec<u32> {
    (0..n).map(|i| k * i).collect()
}

/// A fold after which a sum of so many resting elements, less so many others, rests.
pub(crate) struct SumFold {
    top: u32,
    c: BigInt,
    /// The columns of the multiple of p that what is subtracted is taken from.
    cover: Vec<BigInt>,
}

impl SumFold {
    /// `None` where there is none: what is folded needs more room than elements at rest have.
    pub fn new(m: &Modulus, layout: &Layout, added: usize, subtracted: usize) -> Option<SumFold> {
        let room = room_of(m, layout)?;
        let (p, k, last) = (prime(m), layout.radix?, layout.digits() - 1);
        let digit: BigInt = pow2(k) - 1u32;
        let most: Vec<BigInt> = layout.resting.digit_max.iter().map(|most| most.min(&digit).clone()).collect();
        let least: Vec<BigInt> = most.iter().map(|most| most * subtracted).collect();
        let cover = match subtracted {
            0 => vec![BigInt::zero(); last + 1],
            _ => covering_multiple(&p, &layout.weights, &least),
        };
        let columns: Vec<BigInt> = most.iter().zip(&cover).map(|(most, cover)| most * added + cover).collect();
        let fits = |top: u32| {
            let c = pow2(layout.weights[last] + top) % &p;
            let h = &columns[last] >> top;
            let digits = digits_at(&c, &layout.weights);
            // What a column may hold beyond its digit goes up, column by column.
            let carry = columns[..last]
                .iter()
                .zip(&digits)
                .fold(BigInt::zero(), |carry, (column, c)| (column + &h * c + carry) >> k);
            let greatest = (pow2(top) - 1u32).min(columns[last].clone()) + &h * &digits[last] + carry;
            (h < pow2(k) && greatest <= most[last]).then_some(c)
        };
        let (top, c) = (1..=room.top).rev().find_map(|top| Some((top, fits(top)?)))?;
        Some(SumFold { top, c, cover })
    }

    /// The sum of resting elements, those with `true` subtracted.
    pub fn write(&self, b: &mut Builder, layout: &Layout, terms: &[(Number, bool)]) -> Number {
        let mut t: Vec<Value> = self.cover.iter().map(|cover| b.word_constant(cover.clone())).collect();
        for (x, _) in terms.iter().filter(|(_, minus)| *minus) {
            let digits = cleaned(b, layout, x);
            t = t.into_iter().zip(digits).map(|(t, x)| b.sub(t, x)).collect();
        }
        for (x, _) in terms.iter().filter(|(_, minus)| !*minus) {
            plus(b, layout, &mut t, x, Cut::Ands);
        }
        back(b, layout, t, self.top, &self.c)
    }
}

/// The room of a layout, where its elements rest accordingly.
fn room_of(m: &Modulus, layout: &Layout) -> Option<Room> {
    let n = layout.digits() as u32;
    Room::new(&prime(m), layout.radix?, n).filter(|room| room.bound == layout.resting.bound)
}

/// `x + y`, `x − y` or `−y`.
fn fold(
    b: &mut Builder,
    field: &Field,
    layout: &Layout,
    op: &Operation,
    x: Option<&Number>,
    y: &Number,
    cut: Cut,
) -> Result<Number, NotApplicable> {
    let m = modulus(field)?;
    let Some(room) = room_of(m, layout) else { return Err(NotApplicable("R leaves no room for this fold".into())) };
    let mut t = if *op == Operation::ADD {
        y.digits.iter().map(|_| b.word_constant(0)).collect()
    } else {
        opposite(b, m, layout, y)
    };
    let summands = x.into_iter().chain((*op == Operation::ADD).then_some(y));
    for number in summands {
        plus(b, layout, &mut t, number, cut);
    }
    Ok(back(b, layout, t, room.top, &room.c))
}

/// Columns with what is above bit `top` of the last one folded: an element at rest.
fn back(b: &mut Builder, layout: &Layout, mut t: Vec<Value>, top: u32, c: &BigInt) -> Number {
    let (k, last) = (layout.radix.unwrap_or(layout.word), t.len() - 1);
    let h = b.shr(t[last], top);
    t[last] = b.low_bits(t[last], top);
    for (i, c) in digits_at(c, &layout.weights).into_iter().enumerate() {
        let c = b.word_constant(c);
        columns::add_low(b, k, &mut t, i, h, c);
        if i < last {
            columns::add_high(b, k, &mut t, i + 1, h, c);
        }
    }
    columns::digits(b, layout, t, layout.resting.bound.clone())
}

/// Adds a number to columns.
fn plus(b: &mut Builder, layout: &Layout, t: &mut [Value], x: &Number, cut: Cut) {
    let top = t.len() - 1;
    let digits = if cut == Cut::Ands { cleaned(b, layout, x) } else { x.digits.clone() };
    let one = b.word_constant(1);
    for (i, digit) in digits.into_iter().enumerate() {
        match (cut, layout.resting.low) {
            (Cut::Products, Some(k)) if i < top => columns::add_low(b, k, t, i, digit, one),
            _ => t[i] = b.add(t[i], digit),
        }
    }
}

/// The columns of a multiple of p less y.
fn opposite(b: &mut Builder, m: &Modulus, layout: &Layout, y: &Number) -> Vec<Value> {
    let digits = cleaned(b, layout, y);
    let most: Vec<_> = digits.iter().map(|y| b.max(*y).clone()).collect();
    let cover = covering_multiple(&prime(m), &layout.weights, &most);
    let columns = cover.into_iter().zip(digits);
    columns
        .map(|(cover, y)| {
            let cover = b.word_constant(cover);
            b.sub(cover, y)
        })
        .collect()
}
