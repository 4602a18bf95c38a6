//! Intervals of integers and the transfer function of every operation: the smallest interval we know for each result,
//! given the operands' intervals. `proof` calls the same functions to compute ranges again.

use num_bigint::Sign;

pub use crate::interval::{Interval, bit_length, pow2};
use crate::op::{Applied, Op};
use crate::types::Type;

/// The intervals of an operation's results, given types and intervals of operands and the result types. `shift` is the
/// least and greatest public amount of a shift (equal outside loops).
///
/// For exact operations this is the interval of the exact result, which may leave the type: the caller clips it and
/// owes a proof.
pub fn transfer(op: &Op, args: &[(Type, &Interval)], results: &[Type], shift: (u32, u32)) -> Vec<Interval> {
    let row = op.row();
    if !row.reads_numbers && args.iter().any(|(_, x)| x.lo.sign() == Sign::Minus) {
        // Bit patterns of negative numbers: nothing better than the type is known.
        return results.iter().map(|t| t.full()).collect();
    }
    (row.transfer)(&Applied { op, args, results, shift })
}
