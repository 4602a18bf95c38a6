//! Each operation of the kernel language on one lane of a vector: words of one size, no carries but by comparison,
//! conditions in mask registers.

use evariste_ir::range::{Interval, pow2};
use evariste_ir::{Kernel, Op, Type, Value};
use num_traits::Signed;

use super::error::LowerError;
use super::flags::Reading;
use super::lane::{Lane, pattern};
use super::lowering::{Lowering, Rep};
use super::writer::{Flag, Writer};
use crate::graph::{Graph, Id, Kind, NONE, Node, Operation};

fn one(x: Id) -> Vec<Rep> {
    vec![Rep::Limbs([x, NONE])]
}

impl Lowering<'_, '_> {
    fn lane_word(&mut self, rep: Rep) -> Id {
        match rep {
            Rep::Limbs(x) => x[0],
            Rep::Flag(Flag::Bit(w)) => w,
            Rep::Flag(f) => {
                let (one, zero) = (self.writer.constant(1), self.writer.constant(0));
                self.writer.lane_select(f, one, zero)
            }
            Rep::Mask(f) => {
                let (ones, zero) = (self.writer.constant(u64::MAX), self.writer.constant(0));
                self.writer.lane_select(f, ones, zero)
            }
        }
    }

    fn lane_flag(&mut self, rep: Rep, lane: Lane) -> Flag {
        match rep {
            Rep::Flag(f) | Rep::Mask(f) => f,
            Rep::Limbs(x) if lane.masks => {
                let zero = self.writer.constant(0);
                self.writer.vector_flag(Operation::Less, zero, x[0])
            }
            Rep::Limbs(x) => {
                let one = self.writer.constant(1);
                Flag::Bit(self.writer.and(x[0], one))
            }
        }
    }

    /// Double words in lanes of 64 bits: two vectors, of each pair of lanes the double word of the even one and that of
    /// the odd one; of one lane the first alone.
    fn double_words(&mut self, op: &Op, reps: &[Rep], n: u32, out: u32, lane: Lane) -> Option<Vec<Rep>> {
        let (w, element) = (&mut self.writer, lane.bits);
        let words: Vec<_> =
            reps.iter().map(|r| if let Rep::Limbs(x) = r { Some(*x) } else { None }).collect::<Option<_>>()?;
        // A constant is a number in two limbs, which means the same when it is zero alone.
        let other_constant = |x: Id| x != NONE && w.graph.constant(x).is_some_and(|c| c != 0);
        if n == 128 && words.iter().flatten().any(|x| other_constant(*x)) {
            return None;
        }
        match (op, words.as_slice()) {
            (Op::Clmul, [x, y]) if element == 64 && n == 64 => {
                let (x, y) = (x[0], y[0]);
                if [x, y].iter().any(|v| w.graph.constant(*v) == Some(0)) {
                    let zero = w.constant(0);
                    return Some(vec![Rep::Limbs([zero, zero])]);
                }
                let even = w.vector_word(Operation::ClmulEven, &[x, y]);
                let odd = if lane.alone { NONE } else { w.vector_word(Operation::ClmulOdd, &[x, y]) };
                Some(vec![Rep::Limbs([even, odd])])
            }
            (Op::Xor, [x, y]) if lane.alone && n == 128 => Some(vec![Rep::Limbs([w.xor(x[0], y[0]), NONE])]),
            (Op::Split, [x]) if lane.alone && n == 128 && out == 64 => {
                let high = if w.graph.constant(x[0]) == Some(0) {
                    x[0]
                } else {
                    w.vector_word(Operation::UnpackOdd, &[x[0], x[0]])
                };
                Some(vec![Rep::Limbs([x[0], NONE]), Rep::Limbs([high, NONE])])
            }
            (Op::Xor, [x, y]) if element == 64 && n == 128 => {
                Some(vec![Rep::Limbs([w.xor(x[0], y[0]), w.xor(x[1], y[1])])])
            }
            (Op::Split, [x]) if element == 64 && n == 128 && out == 64 => {
                let part = |w: &mut Writer, op| {
                    if x.iter().all(|v| w.graph.constant(*v) == Some(0)) { x[0] } else { w.vector_word(op, x) }
                };
                Some(vec![
                    Rep::Limbs([part(w, Operation::UnpackEven), NONE]),
                    Rep::Limbs([part(w, Operation::UnpackOdd), NONE]),
                ])
            }
            _ => None,
        }
    }

    #[allow(clippy::too_many_arguments)]
    pub(super) fn vector(
        &mut self,
        kernel: &Kernel,
        op: &Op,
        args: &[Value],
        reps: &[Rep],
        results: &[Value],
        k: u32,
        lane: Lane,
    ) -> Result<Vec<Rep>, LowerError> {
        let element = lane.bits;
        let unsupported = || LowerError::Unsupported(format!("the operation {} on vectors", op.name()));
        let ty = args.first().map_or(Type::Word(64), |v| kernel.value(*v).ty);
        let n = ty.bits();
        let (out, result_range) = (kernel.value(results[0]).ty.bits(), &kernel.value(results[0]).range);
        if (n > element || out > element)
            && let Some(reps) = self.double_words(op, reps, n, out, lane)
        {
            return Ok(reps);
        }
        if n > element || out > element || results.iter().any(|v| kernel.value(*v).ty.bits() > element) {
            return Err(unsupported());
        }
        // Bytes have no sums and shifts of their own, and their masks no logic.
        let bitwise = matches!(op, Op::And | Op::Or | Op::Xor | Op::AndNot | Op::Not) && matches!(ty, Type::Word(_));
        let of_bytes = bitwise || matches!(op, Op::Equal | Op::Less | Op::Select | Op::RijndaelMul | Op::BitMatrix(_));
        if (element == 8) != of_bytes && (element == 8 || matches!(op, Op::RijndaelMul | Op::BitMatrix(_))) {
            return Err(unsupported());
        }
        let range = |i: usize| &kernel.value(args[i]).range;
        let natural = args.iter().all(|v| !kernel.value(*v).range.lo.is_negative());
        let fits = |exact: Interval| natural && !exact.lo.is_negative() && exact.hi < pow2(n);
        let exact = natural && !result_range.lo.is_negative();
        if matches!(ty, Type::Flag | Type::Mask(_)) && matches!(op, Op::And | Op::Or | Op::Xor | Op::AndNot | Op::Not) {
            let flags: Vec<Flag> = reps.iter().map(|r| self.lane_flag(*r, lane)).collect();
            let flag = self.writer.flag_logic(op, &flags);
            return Ok(vec![if ty == Type::Flag { Rep::Flag(flag) } else { Rep::Mask(flag) }]);
        }
        // A difference of words that fill the lane: does its sign say whether it borrows?
        let half = pow2(element - 1);
        let two = args.len() >= 2 && natural;
        let signed = two && &range(0).hi - &range(1).lo < half && &range(1).hi + 1u32 - &range(0).lo <= half;
        let reading = Reading { sure: false, signed, small: two && range(0).hi < half && &range(1).hi + 1u32 < half };
        if matches!(op, Op::AddCarry | Op::SubBorrow) {
            let (a, b, c) = (self.lane_word(reps[0]), self.lane_word(reps[1]), self.lane_flag(reps[2], lane));
            let none = kernel.value(results[1]).range.hi.sign() == num_bigint::Sign::NoSign;
            let (sum, carry) = self
                .writer
                .lane_carry(matches!(op, Op::AddCarry), a, b, c, n, lane, Reading { sure: none, ..reading })
                .ok_or_else(unsupported)?;
            return Ok(vec![Rep::Limbs([sum, NONE]), Rep::Flag(carry)]);
        }
        if let Op::Select = op {
            let f = self.lane_flag(reps[0], lane);
            let (a, b) = (self.lane_word(reps[1]), self.lane_word(reps[2]));
            return Ok(one(self.writer.lane_select(f, a, b)));
        }
        let x: Vec<Id> = reps.iter().map(|r| self.lane_word(*r)).collect();
        let w = &mut self.writer;
        // A result that may have bits above its type loses them.
        let cut = |w: &mut Writer, x: Id, bits: u32, fits: bool| {
            if fits || bits == element { x } else { w.low_word(x, bits) }
        };
        Ok(match op {
            Op::Add | Op::WrappingAdd => {
                let fits = if matches!(op, Op::Add) { exact } else { fits(range(0).add(range(1))) };
                let sum = w.lane_add(x[0], x[1]);
                one(cut(w, sum, n, fits))
            }
            Op::Sub | Op::WrappingSub => {
                let fits = if matches!(op, Op::Sub) { exact } else { fits(range(0).sub(range(1))) };
                let difference = w.lane_sub(x[0], x[1]);
                one(cut(w, difference, n, fits))
            }
            Op::Mul | Op::WrappingMul | Op::MulFull => {
                let half = natural && element == 64 && range(0).hi < pow2(32) && range(1).hi < pow2(32);
                let fits = match op {
                    Op::WrappingMul => fits(range(0).mul(range(1))),
                    Op::Mul => exact,
                    _ => true,
                };
                let product = match element {
                    32 => w.short_mul_low(x[0], x[1], lane),
                    _ if half => w.mul_half(x[0], x[1]),
                    _ if !lane.masks => w.long_mul_low(x[0], x[1]),
                    _ => w.mul_low(x[0], x[1]),
                };
                one(cut(w, product, out, fits))
            }
            Op::MulWide | Op::MulAddAdd if element == 64 && n <= 32 => {
                let mut product = w.mul_half(x[0], x[1]);
                for c in &x[2..] {
                    product = w.lane_add(product, *c);
                }
                let (low, high) = (w.low_word(product, n), w.shr(product, n));
                vec![Rep::Limbs([low, NONE]), Rep::Limbs([high, NONE])]
            }
            Op::MulWide | Op::MulAddAdd if n == element => {
                let short = |i: usize| natural && range(i).hi < pow2(32);
                let (mut low, mut high) = if n == 32 {
                    w.short_mul_wide(x[0], x[1], lane)
                } else {
                    w.long_mul_wide([(x[0], short(0)), (x[1], short(1))])
                };
                for c in &x[2..] {
                    if w.graph.constant(*c).is_some_and(|c| c & pattern(n) == 0) {
                        continue;
                    }
                    let (sum, carry) = w
                        .lane_carry(true, low, *c, Flag::Known(false), n, lane, Reading::default())
                        .ok_or_else(unsupported)?;
                    let (one, zero) = (w.constant(1), w.constant(0));
                    let carry = w.lane_select(carry, one, zero);
                    (low, high) = (sum, w.lane_add(high, carry));
                }
                vec![Rep::Limbs([low, NONE]), Rep::Limbs([high, NONE])]
            }
            Op::MaddLo(52) if n == 64 => one(w.madd(Operation::MaddLow, x[0], x[1], x[2])),
            Op::MaddHi(52) if n == 64 => one(w.madd(Operation::MaddHigh, x[0], x[1], x[2])),
            Op::BitsToFloat | Op::FloatToBits | Op::FloatAdd | Op::FloatSub | Op::FloatMul | Op::FloatFma
                if element == 64 =>
            {
                one(w.float(op, kernel.value(results[0]).ty, ty, &x).ok_or_else(unsupported)?)
            }
            Op::RijndaelMul => one(w.vector_word(Operation::RijndaelMul, &x)),
            Op::BitMatrix(images) => one(w.vector_word(Operation::BitMatrix(*images), &x)),
            Op::FlagToWord => one(x[0]),
            Op::MaskToWord => {
                let m = self.lane_flag(reps[0], lane);
                let (ones, zero) = (self.writer.constant(pattern(out)), self.writer.constant(0));
                one(self.writer.lane_select(m, ones, zero))
            }
            Op::FlagToMask => vec![Rep::Mask(self.lane_flag(reps[0], lane))],
            Op::MaskToFlag => vec![Rep::Flag(self.lane_flag(reps[0], lane))],
            Op::Equal if lane.masks => vec![Rep::Mask(w.vector_flag(Operation::Equal, x[0], x[1]))],
            Op::Equal if n == element && n == 64 => {
                let (differ, one) = (w.xor(x[0], x[1]), w.constant(1));
                vec![Rep::Mask(w.below_whole(differ, one, false))]
            }
            Op::Equal if n < element => {
                // 0 where they are equal: one less is then below 0.
                let (differ, one) = (w.xor(x[0], x[1]), w.constant(1));
                vec![Rep::Mask(w.below(differ, one, element))]
            }
            Op::Less => vec![Rep::Mask(w.less_lane(x[0], x[1], n, lane, reading).ok_or_else(unsupported)?)],
            Op::Shl(_) | Op::WrappingShl(_) => {
                let shifted = w.lane_shl(x[0], k, element);
                one(cut(w, shifted, n, natural && range(0).shl(k).hi < pow2(n)))
            }
            Op::Shr(_) => one(if k >= n { w.constant(0) } else { w.shr(x[0], k) }),
            Op::Sar(_) => {
                let up = w.lane_shl(x[0], element - n, element);
                let k = (element - n + k).min(element - 1);
                let down = if element == 64 { w.sar(up, k) } else { w.sar_half(up, k) };
                one(cut(w, down, n, false))
            }
            Op::Rotate(_) if n == element && n == 64 => one(w.rol(x[0], k % n)),
            // Vectors of 256 bits have no funnel shift.
            Op::FunnelShift(_) if n == 64 && (lane.masks || k == 64) => one(w.funnel(x[0], x[1], k)),
            Op::FunnelShift(_) => {
                let up = w.lane_shl(x[0], n - k, element);
                let up = w.low_word(up, n);
                let down = w.shr(x[1], k);
                one(if k == 0 { x[1] } else { w.or(up, down) })
            }
            Op::And => one(w.and(x[0], x[1])),
            Op::Or => one(w.or(x[0], x[1])),
            Op::Xor => one(w.xor(x[0], x[1])),
            Op::AndNot => one(match w.graph.constant(x[1]) {
                Some(c) => {
                    let kept = w.constant(!c & pattern(n));
                    w.and(x[0], kept)
                }
                None => w.and_not(x[0], x[1]),
            }),
            Op::Not => {
                let ones = w.constant(pattern(n));
                one(w.xor(x[0], ones))
            }
            Op::LowBits(bits) => one(if natural && range(0).hi < pow2(*bits) { x[0] } else { w.low_word(x[0], *bits) }),
            Op::Widen => one(x[0]),
            Op::Narrow => one(cut(w, x[0], out, natural)),
            Op::Split => (0..results.len() as u32)
                .map(|i| {
                    let part = w.shr(x[0], i * out);
                    Rep::Limbs([if (i + 1) * out >= n { part } else { w.low_word(part, out) }, NONE])
                })
                .collect(),
            Op::Join => {
                let mut sum = x[0];
                for (i, part) in x.iter().enumerate().skip(1) {
                    let part = w.lane_shl(*part, n * i as u32, element);
                    sum = w.or(sum, part);
                }
                one(sum)
            }
            _ => return Err(unsupported()),
        })
    }
}

impl Writer {
    pub(super) fn vector_word(&mut self, op: Operation, args: &[Id]) -> Id {
        let r = self.value(Kind::Word);
        self.push(op, args, [r, NONE], true);
        r
    }

    pub(super) fn vector_flag(&mut self, op: Operation, x: Id, y: Id) -> Flag {
        let f = self.value(Kind::Flag);
        self.push(op, &[x, y], [f, NONE], false);
        Flag::Carry(f)
    }

    pub(super) fn low_word(&mut self, x: Id, bits: u32) -> Id {
        let mask = self.constant(pattern(bits));
        self.and(x, mask)
    }

    pub(super) fn lane_add(&mut self, x: Id, y: Id) -> Id {
        match (self.graph.constant(x), self.graph.constant(y)) {
            (Some(a), Some(b)) => self.constant(a.wrapping_add(b)),
            (Some(0), _) => y,
            (_, Some(0)) => x,
            _ => self.vector_word(Operation::Add, &[x, y]),
        }
    }

    pub(super) fn lane_sub(&mut self, x: Id, y: Id) -> Id {
        match (self.graph.constant(x), self.graph.constant(y)) {
            (Some(a), Some(b)) => self.constant(a.wrapping_sub(b)),
            (_, Some(0)) => x,
            _ => self.vector_word(Operation::Sub, &[x, y]),
        }
    }

    pub(super) fn lane_shl(&mut self, x: Id, k: u32, element: u32) -> Id {
        if k >= element { self.constant(0) } else { self.shl(x, k) }
    }

    fn sar_half(&mut self, x: Id, k: u32) -> Id {
        match self.graph.constant(x) {
            _ if k == 0 => x,
            Some(a) => self.constant(u64::from((a as u32 as i32 >> k) as u32)),
            None => self.vector_word(Operation::Sar(k as u8), &[x]),
        }
    }

    pub(super) fn mul_half(&mut self, x: Id, y: Id) -> Id {
        match (self.graph.constant(x), self.graph.constant(y)) {
            (Some(a), Some(b)) => self.constant((a & 0xffff_ffff) * (b & 0xffff_ffff)),
            (Some(0), _) | (_, Some(0)) => self.constant(0),
            (Some(1), _) => y,
            (_, Some(1)) => x,
            _ => self.vector_word(Operation::MulHalf, &[x, y]),
        }
    }

    fn madd(&mut self, op: Operation, accumulator: Id, x: Id, y: Id) -> Id {
        let low = |v: u64| u128::from(v & pattern(52));
        match (self.graph.constant(accumulator), self.graph.constant(x), self.graph.constant(y)) {
            (Some(c), Some(a), Some(b)) => {
                let product = low(a) * low(b);
                let part = if op == Operation::MaddLow { product as u64 & pattern(52) } else { (product >> 52) as u64 };
                self.constant(c.wrapping_add(part))
            }
            (_, Some(a), _) if low(a) == 0 => accumulator,
            (_, _, Some(b)) if low(b) == 0 => accumulator,
            _ => self.vector_word(op, &[accumulator, x, y]),
        }
    }
}

/// The table of a two-input operation: bit 2x + y.
fn table_of(op: Operation) -> Option<u8> {
    match op {
        Operation::And => Some(0b1000),
        Operation::Or => Some(0b1110),
        Operation::Xor => Some(0b0110),
        Operation::AndNot => Some(0b0100),
        _ => None,
    }
}

/// Merges what one instruction does: logic of three words (where the machine has that, `three`) where nobody else wants
/// the inner result, sums and differences under a condition.
pub(super) fn fuse(graph: &mut Graph, three: bool) {
    if graph.nodes.iter().any(|n| n.op == Operation::Not) {
        graph.values.push(Kind::Constant(u64::MAX));
        let ones = graph.values.len() as Id - 1;
        for node in graph.nodes.iter_mut().filter(|n| n.op == Operation::Not) {
            *node = Node { op: Operation::Xor, args: [node.args[0], ones, NONE], ..*node };
        }
    }
    let defined = graph.definitions();
    let mut uses = graph.use_counts();
    for i in 0..graph.nodes.len() {
        let node = graph.nodes[i];
        let inner = |v: Id, uses: &[u32]| {
            let d = *defined.get(v as usize)?;
            (d != NONE && uses[v as usize] == 1).then(|| graph.nodes[d as usize])
        };
        if node.op == Operation::And {
            // y where a flag is set, else 0.
            let short = graph.params.first().is_some_and(|p| p.element_bytes == 4);
            let ones =
                |v: Id| graph.constant(v).is_some_and(|c| if short { c as u32 == u32::MAX } else { c == u64::MAX });
            let found = [1, 0].into_iter().find_map(|side| {
                let merged = inner(node.args[side], &uses)?;
                let mask =
                    merged.op == Operation::Select && ones(merged.args[1]) && graph.constant(merged.args[2]) == Some(0);
                mask.then_some((side, merged))
            });
            if let Some((side, merged)) = found {
                uses[node.args[side] as usize] = 0;
                graph.nodes[i] =
                    Node { op: Operation::Select, args: [merged.args[0], node.args[1 - side], merged.args[2]], ..node };
                continue;
            }
        }
        if let Some(outer) = table_of(node.op).filter(|_| three) {
            // The second operand first: sums of products are written with the new product last.
            let found = [1, 0].into_iter().find_map(|side| {
                let merged = inner(node.args[side], &uses)?;
                let table = table_of(merged.op)?;
                Some((side, merged, table))
            });
            let Some((side, merged, inner_table)) = found else { continue };
            let value = |t: u8, x: u8, y: u8| t >> (2 * x + y) & 1;
            let table = (0..8u8).fold(0u8, |t, i| {
                let (d, a, b) = (i >> 2, i >> 1 & 1, i & 1);
                let z = value(inner_table, a, b);
                t | (if side == 1 { value(outer, d, z) } else { value(outer, z, d) }) << i
            });
            uses[node.args[side] as usize] = 0;
            graph.nodes[i] = Node {
                op: Operation::Ternary(table),
                args: [node.args[1 - side], merged.args[0], merged.args[1]],
                ..node
            };
            continue;
        }
        if node.op == Operation::Select {
            // x ± y where the flag is set, else x.
            let Some(merged) = inner(node.args[1], &uses) else { continue };
            let other = node.args[2];
            let (op, y) = match merged.op {
                Operation::Add if merged.args[0] == other => (Operation::AddWhere, merged.args[1]),
                Operation::Add if merged.args[1] == other => (Operation::AddWhere, merged.args[0]),
                Operation::Sub if merged.args[0] == other => (Operation::SubWhere, merged.args[1]),
                _ => continue,
            };
            uses[node.args[1] as usize] = 0;
            uses[other as usize] -= 1;
            graph.nodes[i] = Node { op, args: [node.args[0], other, y], ..node };
            continue;
        }
        if matches!(node.op, Operation::Add | Operation::Sub) {
            // x ± (y where the flag is set, else 0).
            let sides: &[usize] = if node.op == Operation::Add { &[1, 0] } else { &[1] };
            let found = sides.iter().find_map(|side| {
                let merged = inner(node.args[*side], &uses)?;
                let zero = merged.op == Operation::Select && graph.constant(merged.args[2]) == Some(0);
                zero.then_some((*side, merged))
            });
            let Some((side, merged)) = found else { continue };
            uses[node.args[side] as usize] = 0;
            let op = if node.op == Operation::Add { Operation::AddWhere } else { Operation::SubWhere };
            graph.nodes[i] = Node { op, args: [merged.args[0], node.args[1 - side], merged.args[1]], ..node };
        }
    }
}
