//! Random kernels of words and double words, rewritten for every machine: the same on every input.

use evariste_ir::{Builder, Op, Type, Value, legalise, verify};
use evariste_testing::Random;

use crate::legalise::{W, all_outputs, kernel, left_over, machines};

/// A random operation on words and double words; its results go there.
fn operation(b: &mut Builder, random: &mut Random, words: &mut Vec<Value>, wides: &mut Vec<Value>) {
    let (word, wide) = (Type::Word(W as u8), Type::Wide(2 * W as u8));
    let bits = u64::from(W);
    let pick = |random: &mut Random, from: &[Value]| from[from.len() - 1 - random.index(from.len().min(6))];
    let (x, y, z) = (pick(random, words), pick(random, words), pick(random, words));
    let (p, q) = (pick(random, wides), pick(random, wides));
    let (k, l) = (random.below(bits) as u32, random.below(2 * bits) as u32);
    let wrapping = [Op::WrappingAdd, Op::WrappingSub, Op::WrappingMul, Op::And, Op::Or, Op::Xor, Op::AndNot];
    let wrapping = wrapping[random.index(7)].clone();
    match random.below(16) {
        0 => words.push(b.op(wrapping, &[x, y], &[word])[0]),
        1 | 2 => wides.push(b.op(wrapping, &[p, q], &[wide])[0]),
        3 => wides.push(b.mul_full(x, y)),
        4 => words.extend(b.op(Op::MulAddAdd, &[x, y, z, x], &[word, word])),
        5 => wides.push(b.widen(x, wide)),
        6 | 7 => {
            let shift = [b.sar(p, l), b.shr(p, l), b.wrapping_shl(p, l)];
            wides.push(shift[random.index(3)]);
        }
        8 => words.extend([b.sar(x, k), b.shr(y, k), b.rotate(z, k), b.funnel_shift(x, z, k)]),
        9 => words.extend(b.split(p, W)),
        10 => {
            // Signed: a difference, and what a shift leaves of it.
            let (s, t) = (b.low_bits(x, W - 2), b.low_bits(y, W - 2));
            let difference = b.sub(s, t);
            let shifted = b.sar(difference, k);
            words.extend([b.and(shifted, z), b.low_bits(difference, W)]);
        }
        11 => {
            let (s, t) = (b.low_bits(p, 2 * W - 2), b.low_bits(q, 2 * W - 2));
            let difference = b.sub(s, t);
            wides.push(b.sar(difference, l));
            wides.push(b.add(s, t));
        }
        12 => {
            let (s, t) = (b.low_bits(p, W - 1), b.low_bits(q, 1 + l / 2));
            let product = b.mul(s, t);
            wides.push(product);
            let low = b.low_bits(product, W);
            words.push(b.narrow(low, word));
        }
        13 => {
            let mask = if random.below(2) == 0 { b.less(x, y) } else { b.equal(x, y) };
            wides.push(b.select(mask, p, q));
            words.push(b.select(mask, z, x));
        }
        14 => {
            let none = b.no_flag();
            let (sum, carry) = b.add_carry(x, y, none);
            let (difference, borrow) = b.sub_borrow(y, z, carry);
            words.extend([sum, difference, b.flag_to_word(borrow, word)]);
        }
        _ => {
            wides.extend([b.not(p), b.low_bits(q, 1 + l)]);
            words.push(b.not(x));
            wides.push(b.op(Op::Join, &[y, z], &[wide])[0]);
        }
    }
}

/// Random kernels, rewritten for every machine, on all inputs: those that a machine has a form for.
#[test]
fn random_kernels_agree() {
    let mut random = Random(0x6a09_e667_bb67_ae85);
    let (mut agreed, mut refused, mut kernels) = (0, 0, 0);
    while kernels < if evariste_testing::full() { 3000 } else { 60 } {
        let size = 2 + random.below(14);
        let original = kernel("random", |b, v| {
            let (mut words, mut wides) = (v.to_vec(), vec![b.mul_full(v[0], v[1])]);
            (0..size).for_each(|_| operation(b, &mut random, &mut words, &mut wides));
            let last = *wides.last().expect("there is one");
            let mut out = b.split(last, W);
            out.extend(words.iter().rev().take(4));
            out
        });
        if verify(&original).is_err() {
            continue;
        }
        kernels += 1;
        let expected = all_outputs(&original).unwrap_or_else(|report| panic!("{:?}\n{original}", report.violations));
        for machine in machines() {
            let Ok(legal) = legalise(&original, &machine) else {
                refused += 1;
                continue;
            };
            assert_eq!(verify(&legal), Ok(()), "{machine:?}\n{original}\n{legal}");
            assert_eq!(left_over(&legal, &machine), None, "{machine:?}\n{original}\n{legal}");
            let given = all_outputs(&legal);
            let faults = given.as_ref().map_err(|report| &report.violations).err();
            assert!(given.as_ref().ok() == Some(&expected), "{machine:?}: {faults:?}\n{original}\n{legal}");
            agreed += 1;
        }
    }
    println!("{kernels} kernels: {agreed} rewritten and the same on every input, {refused} have no form");
    assert!(agreed > refused, "{agreed} {refused}");
}
