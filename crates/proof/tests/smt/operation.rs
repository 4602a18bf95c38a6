//! The operations, from the table in `evariste_ir::Op`.

use evariste_ir::{Array, ArrayKind, Kernel, Op, Type, Value};
use num_bigint::BigInt;

use super::{Cells, Script, constant, extended};

/// An operand: its term, its bits, and whether it is a number with a sign.
pub(super) struct Operand {
    pub term: String,
    pub bits: u32,
    pub signed: bool,
}

impl Operand {
    pub fn new(kernel: &Kernel, v: Value, term: String) -> Operand {
        let info = kernel.value(v);
        Operand { term, bits: info.ty.bits(), signed: info.range.lo < 0.into() }
    }

    /// The number with more bits above.
    fn wider(&self, more: u32) -> String {
        extended(&self.term, more, self.signed)
    }
}

fn low(term: &str, bits: u32) -> String {
    part(term, 0, bits)
}

fn part(term: &str, from: u32, bits: u32) -> String {
    format!("((_ extract {} {from}) {term})", from + bits - 1)
}

/// The lowest k of n bits, zeros above.
fn low_bits(term: &str, k: u32, n: u32) -> String {
    if k == 0 { constant(&0.into(), n) } else { extended(&low(term, k), n - k, false) }
}

impl Script {
    /// The terms of an operation's results.
    pub(super) fn operation(
        &mut self,
        kernel: &Kernel,
        op: &Op,
        args: &[Operand],
        results: &[Value],
        amount: Option<i64>,
        cells: &Cells,
    ) -> Option<Vec<String>> {
        use Op::*;
        let result = kernel.value(results[0]);
        let (n, signed) = (result.ty.bits(), result.range.lo < 0.into());
        let a = |i: usize| args[i].term.as_str();
        let k = amount.map_or(0, |k| k as u32);
        let amount = constant(&k.into(), n);
        let ones = constant(&(-1).into(), n);
        let zeros = constant(&0.into(), n);
        // The term of an exact result: it must be the number that its low bits are read as.
        let exact = |script: &mut Script, wide: String, bits: u32| {
            let wide = script.define(bits, &wide);
            let result = low(&wide, n);
            script.owed.push(format!("(= {wide} {})", extended(&result, bits - n, signed)));
            result
        };
        let unsigned = |i: usize, more: u32| extended(a(i), more, false);
        let one = match op {
            Const(c) => constant(c, n),
            Add => exact(self, format!("(bvadd {} {})", args[0].wider(2), args[1].wider(2)), n + 2),
            Sub => exact(self, format!("(bvsub {} {})", args[0].wider(2), args[1].wider(2)), n + 2),
            Mul => {
                let more = n + 2;
                exact(self, format!("(bvmul {} {})", args[0].wider(more), args[1].wider(more)), n + more)
            }
            Shl(_) => {
                let wide = format!("(bvshl {} {})", args[0].wider(k + 1), constant(&k.into(), n + k + 1));
                exact(self, wide, n + k + 1)
            }
            Narrow => {
                let bits = args[0].bits + 1;
                exact(self, args[0].wider(1), bits)
            }
            MaddLo(k) | MaddHi(k) => {
                let factor = |i: usize| extended(&low(a(i), *k), *k, false);
                let product = self.define(2 * k, &format!("(bvmul {} {})", factor(1), factor(2)));
                let half = part(&product, if matches!(op, MaddLo(_)) { 0 } else { *k }, *k);
                let sum = format!("(bvadd {} {})", args[0].wider(2), extended(&half, n + 2 - k, false));
                exact(self, sum, n + 2)
            }
            WrappingAdd => format!("(bvadd {} {})", a(0), a(1)),
            WrappingSub => format!("(bvsub {} {})", a(0), a(1)),
            WrappingMul => format!("(bvmul {} {})", a(0), a(1)),
            WrappingShl(_) => format!("(bvshl {} {amount})", a(0)),
            Shr(_) => format!("(bvlshr {} {amount})", a(0)),
            Sar(_) => format!("(bvashr {} {amount})", a(0)),
            Rotate(_) => format!("((_ rotate_left {k}) {})", a(0)),
            FunnelShift(_) => part(&format!("(concat {} {})", a(0), a(1)), k, n),
            MulFull => format!("(bvmul {} {})", unsigned(0, n / 2), unsigned(1, n / 2)),
            MulWide | MulAddAdd => {
                let mut sum = format!("(bvmul {} {})", unsigned(0, n), unsigned(1, n));
                for i in 2..args.len() {
                    sum = format!("(bvadd {sum} {})", unsigned(i, n));
                }
                let sum = self.define(2 * n, &sum);
                return Some(vec![low(&sum, n), part(&sum, n, n)]);
            }
            AddCarry | SubBorrow => {
                let name = if *op == AddCarry { "bvadd" } else { "bvsub" };
                let first = format!("({name} {} {})", unsigned(0, 1), unsigned(1, 1));
                let sum = self.define(n + 1, &format!("({name} {first} {})", unsigned(2, n)));
                return Some(vec![low(&sum, n), part(&sum, n, 1)]);
            }
            FlagToWord | Widen => extended(a(0), n - args[0].bits, false),
            FlagToMask => format!("(ite (= {} #b1) {ones} {zeros})", a(0)),
            MaskToWord => a(0).to_string(),
            MaskToFlag => low(a(0), 1),
            Equal => format!("(ite (= {} {}) {ones} {zeros})", a(0), a(1)),
            Less => format!("(ite (bvult {} {}) {ones} {zeros})", a(0), a(1)),
            Select => {
                let none = constant(&0.into(), args[0].bits);
                format!("(ite (= {} {none}) {} {})", a(0), a(2), a(1))
            }
            And => format!("(bvand {} {})", a(0), a(1)),
            Or => format!("(bvor {} {})", a(0), a(1)),
            Xor => format!("(bvxor {} {})", a(0), a(1)),
            Not => format!("(bvnot {})", a(0)),
            AndNot => format!("(bvand {} (bvnot {}))", a(0), a(1)),
            LowBits(k) => low_bits(a(0), *k, n),
            Split => return Some((0..results.len() as u32).map(|i| part(a(0), i * n, n)).collect()),
            Join => args.iter().skip(1).fold(a(0).to_string(), |below, x| format!("(concat {} {below})", x.term)),
            Clmul => {
                let shifted = |i: u32| {
                    let bit = format!("(= {} #b1)", part(a(1), i, 1));
                    let x = format!("(bvshl {} {})", unsigned(0, n / 2), constant(&i.into(), n));
                    format!("(ite {bit} {x} {zeros})")
                };
                (1..n / 2).fold(shifted(0), |sum, i| format!("(bvxor {sum} {})", shifted(i)))
            }
            Lookup { table, .. } => return self.look_up(kernel, *table, &args[0], cells).map(|x| vec![x]),
            RijndaelMul | BitMatrix(_) | BitsToFloat | FloatToBits | FloatAdd | FloatSub | FloatMul | FloatFma
            | Defined(_) => {
                return None;
            }
        };
        Some(vec![one])
    }

    fn look_up(&mut self, kernel: &Kernel, table: Array, index: &Operand, cells: &Cells) -> Option<String> {
        let info = kernel.array(table);
        let entries: Vec<String> = cells[table.0 as usize].iter().cloned().collect::<Option<_>>()?;
        debug_assert!(matches!(info.kind, ArrayKind::Table(_) | ArrayKind::Local));
        let last: BigInt = BigInt::from(entries.len()) - 1u32;
        if last.bits() <= u64::from(index.bits) {
            self.owed.push(format!("(bvule {} {})", index.term, constant(&last, index.bits)));
        }
        let mut found = entries.last()?.clone();
        for (i, entry) in entries.iter().enumerate().rev().skip(1) {
            let here = constant(&i.into(), index.bits);
            found = format!("(ite (= {} {here}) {entry} {found})", index.term);
        }
        debug_assert!(!matches!(info.ty, Type::Float(_)));
        Some(found)
    }
}
