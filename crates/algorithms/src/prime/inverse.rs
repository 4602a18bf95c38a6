//! Inverse.
//!
//! * **computes** `1/a = a^(p−2) mod p`; 0 for 0.
//! * **needs** a prime modulus, and what `power` needs. The output may be the operand.
//! * **gives** a resting element; in Montgomery form if the operand is (`R/x` from `x·R`, times R: `x⁻¹·R`).
//! * **cost** that of the power: log2 p squarings and the chain's products.
//! * **source** Fermat's little theorem; see `power` and `addition_chain`. `safegcd` is faster from two words on.

use super::power::{PRODUCTS, has_elements, power_kernel};
use super::representation::{kernel_name, modulus};
use crate::operation::Operation;
use crate::recipe::Composite;

/// Every layout of a prime field that has products.
pub const ADDITION_CHAIN: Composite = Composite {
    name: "addition-chain",
    applies: |f, l, op| *op == Operation::INVERSE && modulus(f).is_ok_and(|m| m.prime) && has_elements(f, l),
    needs: PRODUCTS,
    write: |f, l, op, parts| {
        let m = modulus(f)?;
        power_kernel(&kernel_name(op, "addition-chain"), &(&m.value - 2u32), parts, m, l)
    },
};
