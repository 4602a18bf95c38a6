//! How numbers lie: of n digits and of 2n, in whole words or in lanes.
//!
//! In whole words a number says by its bound what its words can be. In lanes a whole product is columns, which are not
//! carried: each has a greatest value of its own, and sums add these up.

use evariste_descriptions::Modulus;
use evariste_ir::range::pow2;
use num_bigint::BigInt;

use crate::lanes::whole_products;
use crate::layout::{Bounds, Layout};
use crate::prime::representation::{Resting, resting};

/// How large a number may be: its greatest value, and of columns that of each.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Size {
    pub bound: BigInt,
    /// Of numbers of 2n digits in lanes; else none.
    pub columns: Vec<BigInt>,
}

impl Size {
    /// A number whose digits need no telling.
    pub fn of(bound: BigInt) -> Size {
        Size { bound, columns: Vec::new() }
    }

    /// That of a sum.
    pub fn plus(&self, other: &Size) -> Size {
        let columns = self.columns.iter().zip(&other.columns).map(|(a, b)| a + b).collect();
        Size { bound: &self.bound + &other.bound, columns }
    }

    /// The next size of few: powers of two.
    pub fn rounded(&self) -> Size {
        let up = |x: &BigInt| pow2(x.bits() as u32) - 1u32;
        Size { bound: up(&self.bound), columns: self.columns.iter().map(up).collect() }
    }

    /// Is all of it at most as large?
    pub fn is_within(&self, limit: &Size) -> bool {
        self.bound <= limit.bound && self.columns.iter().zip(&limit.columns).all(|(a, most)| a <= most)
    }
}

impl From<Bounds> for Size {
    fn from(bounds: Bounds) -> Size {
        Size { bound: bounds.bound, columns: bounds.digit_max }
    }
}

/// Is it a layout that sums of whole products are reduced in?
pub(super) fn takes(modulus: &Modulus, layout: &Layout) -> bool {
    if layout.radix.is_some() {
        return whole_products::applies(modulus, layout);
    }
    let bits = layout.word * layout.digits() as u32;
    layout.saturated() && layout.montgomery == Some(bits) && matches!(resting(modulus, layout), Some(Resting::Below(_)))
}

/// Bits of a digit.
pub(super) fn radix(layout: &Layout) -> u32 {
    layout.radix.unwrap_or(layout.word)
}

/// What n digits hold: all of them are factors of products.
pub(super) fn capacity(layout: &Layout) -> BigInt {
    pow2(radix(layout) * layout.digits() as u32) - 1u32
}

/// Weights of the digits of a number.
pub(super) fn weights(layout: &Layout, wide: bool) -> Vec<u32> {
    let n = layout.digits() as u32 * if wide { 2 } else { 1 };
    (0..n).map(|i| i * radix(layout)).collect()
}

/// Bounds of a number of n digits or of 2n.
pub(super) fn bounds(layout: &Layout, wide: bool, size: &Size) -> Bounds {
    if !wide {
        return layout.up_to(&size.bound);
    }
    let words =
        || weights(layout, true).into_iter().map(|w| (pow2(layout.word) - 1u32).min(&size.bound >> w)).collect();
    let digit_max = if size.columns.is_empty() { words() } else { size.columns.clone() };
    Bounds { digit_max, bound: size.bound.clone(), low: None }
}

/// The layout whose products take numbers up to that one.
pub(super) fn loose(layout: &Layout, bound: &BigInt) -> Layout {
    Layout { loose: layout.up_to(bound), ..layout.clone() }
}

/// The size of a product of two numbers up to that one, or of a square.
pub(super) fn product(layout: &Layout, bound: &BigInt, square: bool) -> Size {
    match layout.radix {
        Some(_) => whole_products::bounds(&loose(layout, bound), square).into(),
        None => Size::of(bound * bound),
    }
}

/// The greatest number that a reduction brings to rest with the fewest corrections, and one of 2n digits.
pub(super) fn reduced(modulus: &Modulus, layout: &Layout) -> [Size; 2] {
    let in_lanes = layout.radix.and_then(|_| whole_products::most(modulus, layout)).map(Size::from);
    let p = BigInt::from(modulus.value.clone());
    let words = || {
        let most = pow2(2 * layout.word * layout.digits() as u32) - 1u32;
        // T below p·R leaves (T + (R − 1)·p)/R below 2p: one correction, or none where elements rest below 2p.
        let double: BigInt = &p * layout.factor() - 1u32;
        [double.min(most.clone()), most].map(Size::of)
    };
    in_lanes.map_or_else(words, |most| [most.clone(), most])
}
