//! Values in and out of a kernel's arrays: a number of the contract is split into its digits, or put together from
//! them.

use evariste_ir::{Array, Kernel, Operand};
use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};

/// Element values of the parameters of one call, by array.
pub type Arrays = Vec<(Array, Vec<BigInt>)>;

/// Writes `value` into the digits of `operand`: each digit takes the bits up to the next weight, the top one what is
/// left.
///
/// `None` when the value is negative, above the bound, or a digit would pass its maximum.
pub fn encode(operand: &Operand, value: &BigInt, arrays: &mut Arrays, kernel: &Kernel) -> Option<()> {
    if value.sign() == num_bigint::Sign::Minus || value > &operand.bound {
        return None;
    }
    let mut digits: Vec<_> = operand.digits.iter().collect();
    digits.sort_by_key(|d| d.weight);
    for (i, d) in digits.iter().enumerate() {
        let mut part = value >> d.weight;
        if let Some(next) = digits.get(i + 1) {
            part &= (BigInt::from(1) << (next.weight - d.weight)) - 1;
        }
        if part > d.most() {
            return None;
        }
        *element(arrays, kernel, d.array, d.index) = part;
    }
    Some(())
}

/// The value of an operand's digits.
pub fn decode(operand: &Operand, arrays: &Arrays) -> BigInt {
    operand
        .digits
        .iter()
        .filter_map(|d| {
            let (_, words) = arrays.iter().find(|(a, _)| *a == d.array)?;
            Some(d.value(&words[d.index as usize]) << d.weight)
        })
        .sum()
}

/// One element, created as zero with its array.
fn element<'a>(arrays: &'a mut Arrays, kernel: &Kernel, array: Array, index: u32) -> &'a mut BigInt {
    let at = match arrays.iter().position(|(a, _)| *a == array) {
        Some(at) => at,
        None => {
            arrays.push((array, vec![BigInt::zero(); kernel.array(array).len as usize]));
            arrays.len() - 1
        }
    };
    &mut arrays[at].1[index as usize]
}

/// An element as the bits that a machine word holds.
pub fn bits(x: &BigInt) -> u64 {
    x.to_u64().unwrap_or(u64::MAX)
}

/// Arrays by their names.
pub fn named<'a>(kernel: &'a Kernel, arrays: &Arrays) -> Vec<(&'a str, Vec<BigInt>)> {
    arrays.iter().map(|(a, v)| (kernel.array(*a).name.as_str(), v.clone())).collect()
}
