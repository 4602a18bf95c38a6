//! What an operation of the kernel language means on forms. **Trusted**; it follows the table in `ir::op`.

use evariste_ir::{Op, Type};

use super::terms::{Flag, Terms, Word};
use super::words::FloatOp;

/// A value: a word or the limbs of a wide one in base 2^64, lowest first; or a flag, which stands for a mask too.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// Limbs.
    Words(Vec<Word>),
    /// 0 or 1; all zeros or all ones.
    Flag(Flag),
}

impl Item {
    fn word(&self) -> Option<Word> {
        match self {
            Item::Words(limbs) if limbs.len() == 1 => Some(limbs[0]),
            _ => None,
        }
    }

    fn flag(&self) -> Option<Flag> {
        match self {
            Item::Flag(f) => Some(*f),
            Item::Words(_) => None,
        }
    }

    fn limbs(&self) -> Option<&[Word]> {
        match self {
            Item::Words(limbs) => Some(limbs),
            Item::Flag(_) => None,
        }
    }
}

/// The format of doubles.
const DOUBLE: Type = Type::Float(53);

fn one(x: Word) -> Option<Vec<Item>> {
    Some(vec![Item::Words(vec![x])])
}

/// Widths of the limbs of a number of that many bits.
fn widths(bits: u32) -> impl Iterator<Item = u32> {
    (0..bits.div_ceil(64)).map(move |i| (bits - 64 * i).min(64))
}

/// Runs an operation. `from` and `to`: types of operands and results; `amount`: of a shift; `unsigned`: no operand and
/// no result can be negative, so that an exact operation's result is the plain integer. `None`: the checker does not
/// follow it.
pub fn execute(
    t: &mut Terms,
    op: &Op,
    from: &[Type],
    args: &[Item],
    to: &[Type],
    amount: u32,
    unsigned: bool,
) -> Option<Vec<Item>> {
    let n = from.first().map_or(0, |ty| ty.bits());
    let word = |i: usize| args.get(i).and_then(Item::word);
    let flag = |i: usize| args.get(i).and_then(Item::flag);
    let none = Flag(t.constant(0));
    match op {
        // The caller knows the constant.
        Op::Const(_) => Some(Vec::new()),
        Op::Add | Op::WrappingAdd => {
            let (limbs, carry) = add(t, args[0].limbs()?, args[1].limbs()?, none, n);
            if *op == Op::Add && unsigned {
                t.learn_zero(carry.0);
            }
            Some(vec![words(t, limbs)])
        }
        Op::Sub | Op::WrappingSub => {
            let (limbs, borrow) = sub(t, args[0].limbs()?, args[1].limbs()?, none, n);
            if *op == Op::Sub && unsigned {
                t.learn_zero(borrow.0);
            }
            Some(vec![words(t, limbs)])
        }
        Op::AddCarry => {
            let (limbs, carry) = add(t, args[0].limbs()?, args[1].limbs()?, flag(2)?, n);
            Some(vec![Item::Words(limbs), Item::Flag(carry)])
        }
        Op::SubBorrow => {
            let (limbs, borrow) = sub(t, args[0].limbs()?, args[1].limbs()?, flag(2)?, n);
            Some(vec![Item::Words(limbs), Item::Flag(borrow)])
        }
        Op::Mul => {
            let (lo, hi) = t.mul(word(0)?, word(1)?);
            if unsigned {
                // The product is below 2^n.
                let high = t.int(hi);
                t.learn_zero(high);
                t.bound_word(lo, 0, (1 << n) - 1);
            }
            let lo = t.refresh_word(lo);
            let lo = t.low(lo, n);
            one(lo)
        }
        Op::WrappingMul if n > 64 => {
            let (x, y) = (args[0].limbs()?, args[1].limbs()?);
            let ([x0, x1], [y0, y1]) = (x, y) else { return None };
            let (lo, hi) = t.mul(*x0, *y0);
            let (cross, other) = (t.mul(*x0, *y1).0, t.mul(*x1, *y0).0);
            let hi = t.add(hi, cross, 64);
            let hi = t.add(hi, other, 64);
            Some(vec![Item::Words(vec![lo, t.low(hi, n - 64)])])
        }
        Op::WrappingMul => {
            let (lo, _) = t.mul(word(0)?, word(1)?);
            let lo = t.low(lo, n);
            one(lo)
        }
        Op::MulWide | Op::MulAddAdd => {
            let zero = t.word_constant(0);
            let (c, d) = if *op == Op::MulWide { (zero, zero) } else { (word(2)?, word(3)?) };
            let (lo, hi) = t.mul_add_add(word(0)?, word(1)?, c, d, n);
            Some(vec![Item::Words(vec![lo]), Item::Words(vec![hi])])
        }
        Op::MulFull => {
            let (lo, hi) = t.mul(word(0)?, word(1)?);
            Some(vec![Item::Words(if 2 * n <= 64 { vec![lo] } else { vec![lo, hi] })])
        }
        Op::MaddLo(k) | Op::MaddHi(k) => {
            let (x, y) = (t.low(word(1)?, *k), t.low(word(2)?, *k));
            let (lo, hi) = t.halves(x, y, *k);
            let part = if matches!(op, Op::MaddLo(_)) { lo } else { hi };
            let (sum, carry) = t.add_carry(word(0)?, part, none, n);
            if unsigned {
                t.learn_zero(carry.0);
            }
            let sum = t.refresh_word(sum);
            one(sum)
        }
        Op::FlagToWord => {
            let x = t.flag_word(flag(0)?);
            Some(vec![Item::Words(place(t, &[x], 0, to.first()?.bits()))])
        }
        Op::FlagToMask | Op::MaskToFlag => Some(vec![Item::Flag(flag(0)?)]),
        Op::MaskToWord => {
            let x = t.mask_word(flag(0)?, n);
            one(x)
        }
        Op::Equal => {
            let mut differ = none;
            for (x, y) in args[0].limbs()?.iter().zip(args[1].limbs()?) {
                let difference = t.sub(*x, *y, 64);
                let more = t.nonzero(difference);
                differ = t.flag_or(differ, more);
            }
            Some(vec![Item::Flag(t.complement(differ))])
        }
        Op::Less => Some(vec![Item::Flag(sub(t, args[0].limbs()?, args[1].limbs()?, none, n).1)]),
        Op::Select => {
            let f = flag(0)?;
            match (&args[1], &args[2]) {
                (Item::Words(x), Item::Words(y)) => {
                    Some(vec![Item::Words(x.iter().zip(y).map(|(x, y)| t.select(f, *x, *y)).collect())])
                }
                (Item::Flag(x), Item::Flag(y)) => {
                    let difference = t.sum(&[(x.0, 1), (y.0, -1)], 0);
                    let product = t.times(f, difference);
                    let l = t.sum(&[(y.0, 1), (product, 1)], 0);
                    Some(vec![Item::Flag(t.flag(l))])
                }
                _ => None,
            }
        }
        Op::Shl(_) | Op::WrappingShl(_) => {
            let limbs = args[0].limbs()?;
            if let (Op::Shl(_), true, [x]) = (op, unsigned, limbs) {
                // x·2^k stays below 2^n.
                let x = t.int(*x);
                let value = t.sum(&[(x, 1 << amount)], 0);
                let word = t.seal(value, 0, (1 << n) - 1);
                return one(word);
            }
            Some(vec![Item::Words(place(t, limbs, i64::from(amount), n))])
        }
        Op::Shr(_) => Some(vec![Item::Words(place(t, args[0].limbs()?, -i64::from(amount), n))]),
        Op::Sar(_) if n > 64 => {
            let limbs = args[0].limbs()?.to_vec();
            let sign = t.bit(*limbs.last()?, n - 65);
            let shifted = place(t, &limbs, -i64::from(amount), n);
            // The bits that come in from above are the sign.
            let above = (u128::MAX >> (128 - n)) & !(u128::MAX.checked_shr(128 - n + amount).unwrap_or(0));
            let mut out = Vec::new();
            for ((i, x), n) in shifted.into_iter().enumerate().zip(widths(n)) {
                let extend = (above >> (64 * i)) as u64;
                let x = t.int(x);
                let value = t.sum(&[(x, 1), (sign.0, i128::from(extend))], 0);
                out.push(t.seal(value, 0, (1 << n) - 1));
            }
            Some(vec![Item::Words(out)])
        }
        Op::Sar(_) => {
            let x = t.shift_right_signed(word(0)?, amount, n);
            one(x)
        }
        Op::Rotate(_) => {
            let x = t.rotate(word(0)?, amount % n, n);
            one(x)
        }
        Op::FunnelShift(_) => {
            let (hi, lo) = (word(0)?, word(1)?);
            let x = match amount {
                0 => lo,
                k if k == n => hi,
                k => t.funnel(hi, lo, k, n),
            };
            one(x)
        }
        Op::And | Op::Or | Op::Xor | Op::AndNot => bitwise(t, op, &args[0], &args[1], n),
        Op::Not => match &args[0] {
            Item::Words(limbs) => {
                Some(vec![Item::Words(limbs.iter().zip(widths(n)).map(|(x, n)| t.not(*x, n)).collect())])
            }
            Item::Flag(f) => Some(vec![Item::Flag(t.complement(*f))]),
        },
        Op::LowBits(k) => {
            let limbs = args[0].limbs()?.iter().enumerate();
            Some(vec![Item::Words(limbs.map(|(i, x)| t.low(*x, k.saturating_sub(64 * i as u32).min(64))).collect())])
        }
        Op::Widen | Op::Narrow => {
            let target = to.first()?.bits();
            let limbs = args[0].limbs()?;
            if *op == Op::Narrow && unsigned {
                // The value fits: what is above is zero.
                let mut above = place(t, limbs, -i64::from(target), n);
                for x in &mut above {
                    let value = t.int(*x);
                    t.learn_zero(value);
                }
            }
            Some(vec![Item::Words(place(t, limbs, 0, target))])
        }
        Op::Split => {
            let limbs = args[0].limbs()?.to_vec();
            let mut at = 0;
            let mut out = Vec::new();
            for ty in to {
                let moved = place(t, &limbs, -at, n);
                out.push(Item::Words(place(t, &moved, 0, ty.bits())));
                at += i64::from(ty.bits());
            }
            Some(out)
        }
        Op::Join => {
            let target = to.first()?.bits();
            let mut sum: Vec<Word> = widths(target).map(|_| t.word_constant(0)).collect();
            let mut at = 0;
            for (item, ty) in args.iter().zip(from) {
                let moved = place(t, item.limbs()?, at, target);
                // No bit in common: no carry.
                sum = sum.iter().zip(&moved).zip(widths(target)).map(|((x, y), n)| joined(t, *x, *y, n)).collect();
                at += i64::from(ty.bits());
            }
            Some(vec![Item::Words(sum)])
        }
        // Doubles are their patterns.
        Op::BitsToFloat if to == [DOUBLE] => one(word(0)?),
        Op::FloatToBits if from == [DOUBLE] => one(word(0)?),
        Op::FloatAdd | Op::FloatSub | Op::FloatMul | Op::FloatFma if to == [DOUBLE] => {
            let (op, z) = match op {
                Op::FloatAdd => (FloatOp::Add, word(1)?),
                Op::FloatSub => (FloatOp::Sub, word(1)?),
                Op::FloatMul => (FloatOp::Mul, word(1)?),
                _ => (FloatOp::Fma, word(2)?),
            };
            one(t.float(op, word(0)?, word(1)?, z))
        }
        Op::Clmul if n == 64 => {
            let (lo, hi) = t.clmul(word(0)?, word(1)?);
            Some(vec![Item::Words(vec![lo, hi])])
        }
        Op::RijndaelMul if n == 8 => one(t.rijndael_mul(word(0)?, word(1)?)),
        Op::BitMatrix(images) if n == 8 => one(t.bit_matrix(*images, word(0)?)),
        Op::Clmul
        | Op::RijndaelMul
        | Op::BitMatrix(_)
        | Op::BitsToFloat
        | Op::FloatToBits
        | Op::FloatAdd
        | Op::FloatSub
        | Op::FloatMul
        | Op::FloatFma
        | Op::Lookup { .. }
        | Op::Defined(_) => None,
    }
}

/// The limbs with what was learned meanwhile.
fn words(t: &mut Terms, limbs: Vec<Word>) -> Item {
    Item::Words(limbs.into_iter().map(|x| t.refresh_word(x)).collect())
}

fn add(t: &mut Terms, x: &[Word], y: &[Word], carry: Flag, bits: u32) -> (Vec<Word>, Flag) {
    let mut carry = carry;
    let mut out = Vec::new();
    for ((x, y), n) in x.iter().zip(y).zip(widths(bits)) {
        let (s, c) = t.add_carry(*x, *y, carry, n);
        out.push(s);
        carry = c;
    }
    (out, carry)
}

fn sub(t: &mut Terms, x: &[Word], y: &[Word], borrow: Flag, bits: u32) -> (Vec<Word>, Flag) {
    let mut borrow = borrow;
    let mut out = Vec::new();
    for ((x, y), n) in x.iter().zip(y).zip(widths(bits)) {
        let (d, b) = t.sub_borrow(*x, *y, borrow, n);
        out.push(d);
        borrow = b;
    }
    (out, borrow)
}

/// `x + y` below 2^n, for words without a common bit.
fn joined(t: &mut Terms, x: Word, y: Word, n: u32) -> Word {
    let (x, y) = (t.int(x), t.int(y));
    let value = t.sum(&[(x, 1), (y, 1)], 0);
    t.seal(value, 0, (1 << n) - 1)
}

/// The number shifted up by `by` bits (down when negative), modulo 2^bits.
fn place(t: &mut Terms, limbs: &[Word], by: i64, bits: u32) -> Vec<Word> {
    let (whole, part) = (by.div_euclid(64), by.rem_euclid(64) as u32);
    let at = |i: i64| usize::try_from(i).ok().and_then(|i| limbs.get(i)).copied();
    let zero = t.word_constant(0);
    widths(bits)
        .enumerate()
        .map(|(i, n)| {
            let i = i as i64 - whole;
            let (here, below) = (at(i).unwrap_or(zero), at(i - 1).unwrap_or(zero));
            let word = match part {
                0 => here,
                k => {
                    let (up, down) = (t.shift_left(here, k, 64), t.shift_right(below, 64 - k));
                    joined(t, up, down, 64)
                }
            };
            t.low(word, n)
        })
        .collect()
}

fn bitwise(t: &mut Terms, op: &Op, x: &Item, y: &Item, n: u32) -> Option<Vec<Item>> {
    match (x, y) {
        (Item::Words(x), Item::Words(y)) => {
            let mut out = Vec::new();
            for ((x, y), n) in x.iter().zip(y).zip(widths(n)) {
                out.push(match op {
                    Op::And => t.and(*x, *y),
                    Op::Or => t.or(*x, *y),
                    Op::Xor => t.xor(*x, *y),
                    _ => t.and_not(*x, *y, n),
                });
            }
            Some(vec![Item::Words(out)])
        }
        (Item::Flag(f), Item::Flag(g)) => Some(vec![Item::Flag(match op {
            Op::And => t.flag_and(*f, *g),
            Op::Or => t.flag_or(*f, *g),
            Op::Xor => t.flag_xor(*f, *g),
            _ => {
                let g = t.complement(*g);
                t.flag_and(*f, g)
            }
        })]),
        _ => None,
    }
}
