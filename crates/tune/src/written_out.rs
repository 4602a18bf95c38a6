//! What code costs in a language that has neither carries nor products of unsigned words, by its operations: how plans and
//! layouts are ordered that nobody measured as such code. A count of operations alone orders them wrongly: a carry is six
//! operations that wait for each other, and products of digits that have room need none.
//!
//! The weights are picoseconds that an operation adds to a product or a square of a prime field in Java. They were fitted
//! to 38 of them, in packages of 25519, Curve448, secp256k1, P-256, P-384, P-521 and BLS12-381 (p and r) in saturated and
//! unsaturated layouts, timed by the packages' own benchmarks on HotSpot 17 on an AMD EPYC of Zen 5: least squares of the
//! relative errors, which are at most 19 %, after 2 ns for a call. What is not in such kernels is guessed.

use std::collections::HashSet;

use evariste_ir::op::Counted;
use evariste_ir::range::pow2;
use evariste_ir::{Kernel, Op, Stmt, Value};

use crate::with_callees;

/// The low word of a product.
const LOW: u64 = 93;
/// The high word of a product of two words of which none has its highest bit.
const HIGH: u64 = 180;
/// What makes it the high word of a product of unsigned words.
const UNSIGNED: u64 = 206;
/// A carry or borrow.
const CARRY: u64 = 419;
/// A sum, a bitwise operation, a shift, an element read or written.
const STEP: u64 = 92;
/// A selection, a comparison, a look-up.
const CHOICE: u64 = 270;
/// A call.
const CALL: u64 = 1500;

/// What one run of a kernel costs that was rewritten for such a machine (saturating).
pub fn cost(kernel: &Kernel) -> u64 {
    with_callees::cost(kernel, CALL, &|kernel| {
        let read = read(kernel);
        with_callees::sum(kernel, |stmt| match stmt {
            Stmt::Op { op, args, results } => operation(kernel, op, args, &|i| read.contains(&results[i])),
            Stmt::Load { .. } | Stmt::Store { .. } => STEP,
            Stmt::Loop(_) | Stmt::Call { .. } => 0,
        })
    })
}

/// The values that something reads.
fn read(kernel: &Kernel) -> HashSet<Value> {
    let of = |stmt: &Stmt| match stmt {
        Stmt::Op { args, .. } => args.clone(),
        Stmt::Store { value, .. } => vec![*value],
        Stmt::Loop(l) => l.carried.iter().flat_map(|c| [c.init, c.next]).collect(),
        Stmt::Load { .. } | Stmt::Call { .. } => Vec::new(),
    };
    kernel.statements().flat_map(of).collect()
}

/// What one operation costs of which the results are read that `is_read` says.
fn operation(kernel: &Kernel, op: &Op, args: &[Value], is_read: &dyn Fn(usize) -> bool) -> u64 {
    let bits = args.first().map_or(0, |v| kernel.value(*v).ty.bits());
    let where_read = |i: usize, cost: u64| if is_read(i) { cost } else { 0 };
    let is_zero = |v: &Value| kernel.value(*v).range.constant().is_some_and(|c| c.sign() == num_bigint::Sign::NoSign);
    match op {
        Op::Const(_) => 0,
        Op::MulWide | Op::MulAddAdd => {
            let signless = args.iter().take(2).all(|v| kernel.value(*v).range.hi < pow2(bits.max(1) - 1));
            let addends = args.iter().skip(2).filter(|v| !is_zero(v)).count() as u64;
            let carries = where_read(1, addends * (CARRY + STEP)) + addends * STEP;
            let high = HIGH + if signless { 0 } else { UNSIGNED };
            where_read(0, LOW) + where_read(1, high) + carries
        }
        Op::AddCarry | Op::SubBorrow => {
            let addends = args.iter().filter(|v| !is_zero(v)).count() as u64;
            STEP * addends.saturating_sub(1) + where_read(1, CARRY)
        }
        Op::Less => CARRY + CHOICE,
        // What is shorter than a word of the language is cut at its size.
        Op::Add | Op::Sub | Op::Shl(_) if bits < 64 => 2 * STEP,
        _ => match op.row().counts {
            Counted::Constant | Counted::Move => 0,
            Counted::Product(additions) => LOW + additions * STEP,
            Counted::Select | Counted::LookUp => CHOICE,
            _ => STEP,
        },
    }
}
