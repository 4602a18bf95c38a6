//! Every operation once more, directly on big integers: what the interpreter and the transfer functions are compared
//! with.
#![allow(dead_code)]

use evariste_ir::range::pow2;
use evariste_ir::{Interval, Op, Type};
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive, Zero};

/// One operation with its types.
#[derive(Clone, Debug)]
pub struct Case {
    pub op: Op,
    pub args: Vec<Type>,
    pub results: Vec<Type>,
}

/// What an operation gives: patterns, or the exact integer that must fit.
pub enum Outcome {
    Patterns(Vec<BigInt>),
    Exact(BigInt),
}

fn modulo(x: &BigInt, n: u32) -> BigInt {
    let m = pow2(n);
    ((x % &m) + &m) % m
}

/// The signed or unsigned reading of a pattern.
pub fn decode(pattern: &BigInt, ty: Type, range: &Interval) -> BigInt {
    if range.lo < BigInt::zero() && *pattern >= pow2(ty.bits() - 1) {
        pattern - pow2(ty.bits())
    } else {
        pattern.clone()
    }
}

fn bitwise(a: &BigInt, b: &BigInt, n: u32, f: impl Fn(bool, bool) -> bool) -> BigInt {
    (0..n).filter(|i| f(a.bit(*i as u64), b.bit(*i as u64))).map(pow2).sum()
}

fn amount(index: &evariste_ir::Index) -> u32 {
    index.constant().unwrap().to_u32().unwrap()
}

/// `patterns` and their readings `values`.
pub fn evaluate(case: &Case, patterns: &[BigInt], values: &[BigInt]) -> Outcome {
    use Op::*;
    use Outcome::*;
    let (p, v) = (patterns, values);
    let n = case.results[0].bits();
    let split = |x: BigInt| Patterns(vec![modulo(&x, n), x >> n]);
    let one = |x: BigInt| Patterns(vec![x]);
    let top: BigInt = pow2(n) - 1;
    let mask = |b: bool| Patterns(vec![if b { top.clone() } else { BigInt::zero() }]);
    let low = |x: &BigInt, k: u32| modulo(x, k);
    match &case.op {
        Const(c) => one(modulo(c, n)),
        Add => Exact(&v[0] + &v[1]),
        Sub => Exact(&v[0] - &v[1]),
        Mul => Exact(&v[0] * &v[1]),
        WrappingAdd => one(modulo(&(&p[0] + &p[1]), n)),
        WrappingSub => one(modulo(&(&p[0] - &p[1]), n)),
        WrappingMul => one(modulo(&(&p[0] * &p[1]), n)),
        MulWide => split(&p[0] * &p[1]),
        MulFull => one(&p[0] * &p[1]),
        MulAddAdd => split(&p[0] * &p[1] + &p[2] + &p[3]),
        MaddLo(k) => Exact(&v[0] + low(&(low(&p[1], *k) * low(&p[2], *k)), *k)),
        MaddHi(k) => Exact(&v[0] + ((low(&p[1], *k) * low(&p[2], *k)) >> *k)),
        AddCarry => split(&p[0] + &p[1] + &p[2]),
        SubBorrow => {
            let d = &p[0] - &p[1] - &p[2];
            let borrow = BigInt::from((d < BigInt::zero()) as u32);
            Patterns(vec![modulo(&d, n), borrow])
        }
        FlagToWord | MaskToWord | Widen => one(p[0].clone()),
        FlagToMask => mask(p[0].is_one()),
        MaskToFlag => one(BigInt::from(!p[0].is_zero() as u32)),
        Equal => mask(p[0] == p[1]),
        Less => mask(p[0] < p[1]),
        Select => one(if p[0].is_zero() { p[2].clone() } else { p[1].clone() }),
        Shl(k) => Exact(&v[0] << amount(k)),
        WrappingShl(k) => one(modulo(&(&p[0] << amount(k)), n)),
        Shr(k) => one(&p[0] >> amount(k)),
        Sar(k) => {
            let signed = if p[0] >= pow2(n - 1) { &p[0] - pow2(n) } else { p[0].clone() };
            one(modulo(&(signed >> amount(k)), n))
        }
        Rotate(k) => {
            let k = amount(k) % n;
            one(modulo(&(&p[0] << k), n) + (&p[0] >> (n - k)))
        }
        FunnelShift(k) => one(modulo(&(((&p[0] << n) + &p[1]) >> amount(k)), n)),
        And => one(bitwise(&p[0], &p[1], n, |a, b| a && b)),
        Or => one(bitwise(&p[0], &p[1], n, |a, b| a || b)),
        Xor => one(bitwise(&p[0], &p[1], n, |a, b| a != b)),
        Not => one(&top - &p[0]),
        AndNot => one(bitwise(&p[0], &p[1], n, |a, b| a && !b)),
        LowBits(k) => one(modulo(&p[0], *k)),
        Narrow => Exact(v[0].clone()),
        Split => {
            let mut rest = p[0].clone();
            Patterns(
                case.results
                    .iter()
                    .map(|t| {
                        let part = modulo(&rest, t.bits());
                        rest >>= t.bits();
                        part
                    })
                    .collect(),
            )
        }
        Join => {
            let mut at = 0;
            let mut sum = BigInt::zero();
            for (t, x) in case.args.iter().zip(p) {
                sum += x << at;
                at += t.bits();
            }
            one(sum)
        }
        RijndaelMul => {
            // Long division of the product by the polynomial.
            let mut x = (0..8).filter(|i| p[1].bit(*i)).fold(BigInt::zero(), |acc, i| acc ^ (&p[0] << i));
            for i in (0..7u32).rev() {
                if x.bit(u64::from(i) + 8) {
                    x ^= BigInt::from(0x11b) << i;
                }
            }
            one(x)
        }
        BitMatrix(images) => one((0..8)
            .filter(|j| p[0].bit(*j))
            .fold(BigInt::zero(), |acc, j| acc ^ BigInt::from(images >> (8 * j) & 0xff))),
        Clmul => one((0..case.args[1].bits())
            .filter(|i| p[1].bit(*i as u64))
            .fold(BigInt::zero(), |acc, i| acc ^ (&p[0] << i))),
        Lookup { .. } | BitsToFloat | FloatToBits | FloatAdd | FloatSub | FloatMul | FloatFma | Defined(_) => {
            panic!("floats, look-ups and what is defined by others are tested apart")
        }
    }
}

/// All integer operations at word size `w`, shifts by `shifts` where they are below the operand's bits.
pub fn cases(w: u8, shifts: &[u32]) -> Vec<Case> {
    use Op::*;
    let (word, wide, flag, mask) = (Type::Word(w), Type::Wide(2 * w), Type::Flag, Type::Mask(w));
    let mut all = Vec::new();
    let mut add =
        |op: Op, args: &[Type], results: &[Type]| all.push(Case { op, args: args.to_vec(), results: results.to_vec() });
    for t in [word, wide] {
        for op in [Add, Sub, Mul, WrappingAdd, WrappingSub, WrappingMul, And, Or, Xor, AndNot] {
            add(op, &[t, t], &[t]);
        }
        add(Not, &[t], &[t]);
        for k in shifts.iter().filter(|k| **k < t.bits()) {
            for op in [Shl, WrappingShl, Shr, Sar, Rotate] {
                add(op((*k).into()), &[t], &[t]);
            }
        }
        for k in shifts.iter().filter(|k| **k <= t.bits()) {
            add(LowBits(*k), &[t], &[t]);
        }
        let m = Type::Mask(t.bits() as u8);
        add(Equal, &[t, t], &[m]);
        add(Less, &[t, t], &[m]);
        add(Select, &[m, t, t], &[t]);
        add(AddCarry, &[t, t, flag], &[t, flag]);
        add(SubBorrow, &[t, t, flag], &[t, flag]);
        add(Const(BigInt::from(5)), &[], &[t]);
    }
    for op in [And, Or, Xor, AndNot] {
        add(op.clone(), &[flag, flag], &[flag]);
        add(op, &[mask, mask], &[mask]);
    }
    add(Not, &[flag], &[flag]);
    add(Not, &[mask], &[mask]);
    add(MulWide, &[word, word], &[word, word]);
    add(MulFull, &[word, word], &[wide]);
    add(Clmul, &[word, word], &[wide]);
    if w == 8 {
        add(RijndaelMul, &[word, word], &[word]);
        add(BitMatrix(0x8d4b_2f61_9e07_c35a), &[word], &[word]);
    }
    add(MulAddAdd, &[word, word, word, word], &[word, word]);
    for k in shifts.iter().filter(|k| **k <= w as u32) {
        add(MaddLo(*k), &[word, word, word], &[word]);
        add(MaddHi(*k), &[word, word, word], &[word]);
        add(FunnelShift((*k).into()), &[word, word], &[word]);
    }
    add(FlagToWord, &[flag], &[word]);
    add(FlagToWord, &[flag], &[wide]);
    add(FlagToMask, &[flag], &[mask]);
    add(MaskToWord, &[mask], &[word]);
    add(MaskToFlag, &[mask], &[flag]);
    add(Widen, &[word], &[wide]);
    add(Narrow, &[wide], &[word]);
    add(Split, &[wide], &[word, word]);
    add(Join, &[word, word], &[wide]);
    all
}

/// Intervals to give an operand: full, half, and two that reach below 0 where the type is an integer.
pub fn operand_ranges(ty: Type) -> Vec<Interval> {
    let n = ty.bits();
    match ty {
        Type::Word(_) | Type::Wide(_) => vec![
            ty.full(),
            Interval::up_to(pow2(n - 1) - 1),
            Interval::new(-pow2(n - 1), pow2(n - 1) - 1),
            Interval::new(-BigInt::from(2), 1),
        ],
        _ => vec![ty.full()],
    }
}

/// The patterns that a type can hold: all words, 0 and 1, or 0 and all ones.
pub fn is_pattern(ty: Type, p: &BigInt) -> bool {
    !matches!(ty, Type::Mask(n) if !p.is_zero() && *p != pow2(n as u32) - 1)
}

/// All combinations of one entry of each list.
pub fn combinations<T: Clone>(lists: &[Vec<T>]) -> Vec<Vec<T>> {
    lists.iter().fold(vec![Vec::new()], |all, list| {
        all.iter().flat_map(|c| list.iter().map(|x| c.iter().cloned().chain([x.clone()]).collect())).collect()
    })
}
