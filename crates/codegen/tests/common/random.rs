//! Random straight-line kernels over words of 64 bits: words, flags, masks, wides, shifts, selections, tables of
//! constants.
#![allow(dead_code)] // Each test file uses a part.

use evariste_ir::range::Interval;
use evariste_ir::{Array, ArrayKind, Builder, Contract, Kernel, Op, Type, Value};
use num_bigint::BigInt;

use super::Rng;

const WORD: Type = Type::Word(64);

/// A random kernel of about `size` operations.
pub fn kernel(rng: &mut Rng, size: usize) -> Kernel {
    let mut b = Builder::new("random", 64);
    let outputs = 1 + rng.below(4) as u32;
    let full = || vec![WORD.full()];
    let out = b.array("out", WORD, outputs, ArrayKind::Output, full());
    let mut inputs: Vec<Array> = Vec::new();
    for name in ["a", "b", "c", "d", "e", "f", "g"].iter().take(1 + rng.below(7) as usize) {
        // Often the output's length, so that it may be the output.
        let len = if rng.below(2) == 0 { outputs } else { 1 + rng.below(5) as u32 };
        inputs.push(b.array(*name, WORD, len, ArrayKind::Input, full()));
    }
    if rng.below(3) == 0 {
        b.must_be_disjoint(out, inputs[0]);
    }
    let words: Vec<Value> = inputs.iter().flat_map(|a| b.load_all(*a)).collect();
    let mut pools = Pools { words, flags: vec![b.no_flag()], masks: Vec::new(), wides: Vec::new() };
    for _ in 0..size {
        operation(&mut b, rng, &mut pools);
    }
    let words = pools.words;
    let last = words.len();
    for i in 0..outputs {
        let near = (last as u64).min(12);
        let v = words[last - 1 - rng.below(near) as usize];
        b.store(out, i, v);
    }
    b.finish(Contract::default())
}

/// Values of each type that an operation may take.
pub struct Pools {
    /// Words of 64 bits; at least one.
    pub words: Vec<Value>,
    /// Flags; at least one.
    pub flags: Vec<Value>,
    /// Masks of 64 bits.
    pub masks: Vec<Value>,
    /// Words of 128 bits.
    pub wides: Vec<Value>,
}

/// A random operation on values of the pools; its results go there.
pub fn operation(b: &mut Builder, rng: &mut Rng, pools: &mut Pools) {
    let Pools { words, flags, masks, wides } = pools;
    // Recent values mostly, so that chains form.
    let pick = |rng: &mut Rng, from: &[Value]| {
        let n = from.len() as u64;
        let near = n.min(6);
        from[if rng.below(3) == 0 { rng.below(n) } else { n - 1 - rng.below(near) } as usize]
    };
    let (x, y) = (pick(rng, words), pick(rng, words));
    let k = 1 + rng.below(63) as i64;
    match rng.below(26) {
        0..=4 => {
            let f = pick(rng, flags);
            let (s, c) = b.add_carry(x, y, f);
            words.push(s);
            flags.push(c);
        }
        5..=6 => {
            let f = pick(rng, flags);
            let (s, c) = b.sub_borrow(x, y, f);
            words.push(s);
            flags.push(c);
        }
        7..=9 => {
            let (low, high) = b.mul_wide(x, y);
            words.push(high);
            words.push(low);
        }
        10 => words.push(b.wrapping_mul(x, y)),
        11 => {
            let (c, d) = (pick(rng, words), pick(rng, words));
            let (low, high) = b.mul_add_add(x, y, c, d);
            words.extend([low, high]);
        }
        12 => words.push(b.wrapping_add(x, y)),
        13 => {
            let f = pick(rng, flags);
            let w = b.flag_to_word(f, WORD);
            words.push(b.wrapping_add(x, w));
        }
        14 => {
            let f = pick(rng, flags);
            masks.push(b.flag_to_mask(f));
        }
        15 => masks.push(if rng.below(2) == 0 { b.less(x, y) } else { b.equal(x, y) }),
        16 | 17 => {
            if let Some(m) = masks.last().copied() {
                words.push(b.select(m, x, y));
            }
        }
        18 => {
            if let Some(m) = masks.last().copied() {
                let w = b.mask_to_word(m);
                words.push(b.and(x, w));
                flags.push(b.mask_to_flag(m));
            }
        }
        19 => {
            let op = [Op::And, Op::Or, Op::Xor, Op::AndNot][rng.below(4) as usize].clone();
            words.push(b.op(op, &[x, y], &[WORD])[0]);
        }
        20 => {
            let op = [
                Op::WrappingShl(k.into_index()),
                Op::Shr(k.into_index()),
                Op::Sar(k.into_index()),
                Op::Rotate(k.into_index()),
            ][rng.below(4) as usize]
                .clone();
            words.push(b.op(op, &[x], &[WORD])[0]);
        }
        21 => words.push(b.funnel_shift(x, y, k.into_index())),
        22 => words.push(b.op(Op::Not, &[x], &[WORD])[0]),
        23 => {
            let c = BigInt::from(rng.edge_word());
            words.push(b.word_constant(c));
        }
        24 => {
            let wide = b.mul_full(x, y);
            wides.push(wide);
            let (v, w) = (pick(rng, wides), pick(rng, wides));
            let op =
                [Op::WrappingAdd, Op::WrappingSub, Op::WrappingMul, Op::And, Op::Xor][rng.below(5) as usize].clone();
            wides.push(b.op(op, &[v, w], &[Type::Wide(128)])[0]);
            let shifted = 1 + rng.below(127) as i64;
            let op =
                [Op::WrappingShl(shifted.into_index()), Op::Shr(shifted.into_index()), Op::Sar(shifted.into_index())]
                    [rng.below(3) as usize]
                    .clone();
            wides.push(b.op(op, &[v], &[Type::Wide(128)])[0]);
            let halves = b.op(Op::Split, &[pick(rng, wides)], &[WORD, WORD]);
            words.extend(halves);
        }
        _ => {
            let (f, g) = (pick(rng, flags), pick(rng, flags));
            let op = [Op::And, Op::Or, Op::Xor][rng.below(3) as usize].clone();
            flags.push(b.op(op, &[f, g], &[Type::Flag])[0]);
            let low = b.op(Op::LowBits(k as u32), &[x], &[WORD])[0];
            words.push(low);
        }
    }
}

trait IntoIndex {
    fn into_index(self) -> evariste_ir::Index;
}

impl IntoIndex for i64 {
    fn into_index(self) -> evariste_ir::Index {
        evariste_ir::Index::at(self)
    }
}

/// An interval of all words of that many bits.
pub fn bits(k: u32) -> Interval {
    Interval::bits(k)
}
