//! Random kernels in C89 and C99 beside the interpreter: every operation that C89 has, in words of many sizes, with shifts by
//! counters, look-ups, signed words and double words that are split. Each package is compiled as it is, where
//! `unsigned long` has 64 bits, and once more with `unsigned int` in its place: what a machine has whose `unsigned long`
//! is as short as it may be.

use std::process::Command;

use evariste_ir::{ArrayKind, Builder, Contract, Index, Interval, Kernel, Op, Type, Value, legalise, verify};
use evariste_testing::Random;
use num_bigint::BigInt;

use super::compile::{check_with, compilers, run};
use super::{random, with_content};
use crate::folder::write_package;
use crate::language::c89::{C89, of_content};
use crate::package::File;

/// Values of each type that an operation may take.
struct Pools {
    words: Vec<Value>,
    flags: Vec<Value>,
    masks: Vec<Value>,
    wides: Vec<Value>,
    table: evariste_ir::Array,
}

fn pick(random: &mut Random, from: &[Value]) -> Value {
    let near = from.len().min(6);
    from[if random.below(3) == 0 { random.index(from.len()) } else { from.len() - 1 - random.index(near) }]
}

/// An amount of a shift: public, in a loop by the counter, which goes up to `last`.
fn amount(random: &mut Random, bits: u32, counter: Option<(evariste_ir::Counter, u32)>) -> Index {
    match counter {
        Some((counter, last)) if random.below(2) == 0 && last <= bits => {
            Index::counter(counter).offset(random.below(u64::from(bits - last) + 1) as i64)
        }
        _ => Index::at(random.below(u64::from(bits)) as i64),
    }
}

/// A random operation; its results go to the pools.
fn operation(b: &mut Builder, random: &mut Random, pools: &mut Pools, counter: Option<(evariste_ir::Counter, u32)>) {
    let ty = b.word_type();
    let (word, bits) = (b.word(), |v: &Builder, x| v.ty(x).bits());
    let (x, y, z) = (pick(random, &pools.words), pick(random, &pools.words), pick(random, &pools.words));
    let (f, g) = (pick(random, &pools.flags), pick(random, &pools.flags));
    let k = amount(random, bits(b, x), counter);
    let one = |b: &mut Builder, op: Op, args: &[Value]| b.op(op, args, &[ty])[0];
    match random.below(24) {
        0 | 1 => {
            let (s, c) = if random.below(2) == 0 { b.add_carry(x, y, f) } else { b.sub_borrow(x, y, f) };
            pools.words.push(s);
            pools.flags.push(c);
        }
        2 => pools.words.extend(b.op(Op::MulWide, &[x, y], &[ty, ty])),
        3 => pools.words.extend(b.op(Op::MulAddAdd, &[x, y, z, x], &[ty, ty])),
        4 => {
            let op = [Op::WrappingMul, Op::WrappingAdd, Op::WrappingSub][random.index(3)].clone();
            pools.words.push(one(b, op, &[x, y]));
        }
        5 => {
            let op = [Op::And, Op::Or, Op::Xor, Op::AndNot][random.index(4)].clone();
            pools.words.push(one(b, op, &[x, y]));
        }
        6 => pools.words.push(b.not(x)),
        7..=9 => {
            let op = [Op::WrappingShl(k.clone()), Op::Shr(k.clone()), Op::Sar(k.clone()), Op::Rotate(k)];
            pools.words.push(one(b, op[random.index(4)].clone(), &[x]));
        }
        10 => pools.words.push(one(b, Op::FunnelShift(k), &[x, y])),
        11 => pools.masks.push(if random.below(2) == 0 { b.less(x, y) } else { b.equal(x, y) }),
        12 => pools.masks.push(b.flag_to_mask(f)),
        13 | 14 if !pools.masks.is_empty() => {
            let m = pick(random, &pools.masks);
            let zero = b.word_constant(0);
            let (x, y) = [(x, y), (x, zero), (zero, y)][random.index(3)];
            pools.words.push(b.select(m, x, y));
        }
        15 if !pools.masks.is_empty() => {
            let m = pick(random, &pools.masks);
            let w = b.mask_to_word(m);
            pools.words.push(b.xor(w, x));
            pools.flags.push(b.mask_to_flag(m));
        }
        16 => {
            let op = [Op::And, Op::Or, Op::Xor][random.index(3)].clone();
            pools.flags.push(b.op(op, &[f, g], &[Type::Flag])[0]);
            let w = b.flag_to_word(f, ty);
            pools.words.push(b.wrapping_sub(x, w));
        }
        17 if word >= 3 => {
            // Signed: the difference of two short words, its sign, and what is left of it in a narrower one.
            let (s, t) = (b.low_bits(x, word - 2), b.low_bits(y, word - 2));
            let difference = b.sub(s, t);
            let shifted = b.sar(difference, Index::at(random.below(u64::from(word)) as i64));
            pools.words.push(b.and(shifted, z));
            pools.words.push(b.low_bits(difference, word));
        }
        18 if word >= 4 => {
            let part = 1 + random.below(u64::from(word) / 2) as u32;
            let s = b.low_bits(x, part);
            let t = b.low_bits(y, word - part);
            pools.words.push(b.mul(s, t));
            let acc = b.low_bits(z, word - 2);
            let part = (word - 2) / 2 + 1;
            let op = if random.below(2) == 0 { Op::MaddLo(part - 1) } else { Op::MaddHi(part - 1) };
            pools.words.push(one(b, op, &[acc, x, y]));
        }
        19 => {
            let index = b.low_bits(x, 2);
            pools.words.push(b.lookup(pools.table, index));
        }
        20 => pools.words.push(b.word_constant(BigInt::from(random.edge_word() & (u64::MAX >> (64 - word))))),
        21 if word % 2 == 0 && word >= 4 => {
            let parts = b.split(x, word / 2);
            let other = b.split(y, word / 2);
            pools.words.push(b.join(&[parts[1], other[0]], ty));
            pools.words.push(b.widen(parts[1], ty));
        }
        _ => {
            let wide = Type::Wide(2 * word as u8);
            let product = b.mul_full(x, y);
            pools.wides.push(product);
            let (v, w) = (pick(random, &pools.wides), pick(random, &pools.wides));
            let op = [Op::WrappingAdd, Op::WrappingSub, Op::And, Op::Xor][random.index(4)].clone();
            pools.wides.push(b.op(op, &[v, w], &[wide])[0]);
            let k = Index::at(random.below(2 * u64::from(word)) as i64);
            let op = [Op::WrappingShl(k.clone()), Op::Shr(k.clone()), Op::Sar(k)][random.index(3)].clone();
            pools.wides.push(b.op(op, &[v], &[wide])[0]);
            let v = pick(random, &pools.wides);
            pools.words.extend(b.split(v, word));
        }
    }
}

/// A random kernel of words of one of these lengths, well formed; those that are not are counted.
fn well_formed(random: &mut Random, lengths: &[u32], malformed: &mut usize) -> Kernel {
    loop {
        let word = lengths[random.index(lengths.len())];
        let kernel = kernel(random, word);
        if verify(&kernel).is_ok() {
            return kernel;
        }
        *malformed += 1;
        assert!(*malformed < 10_000, "{:?}\n{kernel}", verify(&kernel));
    }
}

/// A random kernel of words of so many bits: some operations, a loop that carries words and a flag, and others.
fn kernel(random: &mut Random, word: u32) -> Kernel {
    let mut b = Builder::new("random", word);
    let ty = b.word_type();
    let outputs = 6;
    let out = b.array("out", ty, outputs, ArrayKind::Output, vec![ty.full()]);
    let a = b.array("a", ty, 2, ArrayKind::Input, vec![ty.full()]);
    let c = b.array("c", ty, outputs, ArrayKind::Input, vec![ty.full()]);
    let table = b.local("made", 4, ty.full());
    let words: Vec<Value> = [a, c].iter().flat_map(|a| b.load_all(*a)).collect();
    (0..4usize).for_each(|i| b.store(table, i, words[i]));
    let flags = vec![b.no_flag()];
    let mut pools = Pools { words, flags, masks: Vec::new(), wides: Vec::new(), table };
    (0..10).for_each(|_| operation(&mut b, random, &mut pools, None));
    let count = 1 + random.below(u64::from(word.min(5))) as u32;
    let full = |ty: Type| -> Interval { ty.full() };
    let carried: Vec<(Value, Interval)> =
        [pick(random, &pools.words), pick(random, &pools.words), pick(random, &pools.flags)]
            .into_iter()
            .map(|v| (v, full(b.ty(v))))
            .collect();
    let results = b.repeat(count, &carried, |b, counter, inner| {
        let mut own = Pools {
            words: pools.words.iter().copied().chain([inner[0], inner[1]]).collect(),
            flags: pools.flags.iter().copied().chain([inner[2]]).collect(),
            masks: pools.masks.clone(),
            wides: pools.wides.clone(),
            table,
        };
        (0..8).for_each(|_| operation(b, random, &mut own, Some((counter, count - 1))));
        // An exchange now and then.
        let first = if random.below(3) == 0 { inner[1] } else { pick(random, &own.words) };
        let second = if random.below(3) == 0 { inner[0] } else { pick(random, &own.words) };
        vec![first, second, pick(random, &own.flags)]
    });
    pools.words.extend([results[0], results[1]]);
    pools.flags.push(results[2]);
    (0..6).for_each(|_| operation(&mut b, random, &mut pools, None));
    // Every array matters.
    for i in 0..outputs {
        let v = pick(random, &pools.words);
        let v = b.xor(v, pools.words[i as usize]);
        b.store(out, i, v);
    }
    b.finish(Contract::default())
}

/// The files with `unsigned int` for `unsigned long`.
fn shortened(files: &[File]) -> Vec<File> {
    let short = |text: &str| text.replace("unsigned long", "unsigned int").replace("%lu", "%u").replace("UL", "U");
    files.iter().map(|f| File { path: f.path.clone(), text: short(&f.text) }).collect()
}

#[test]
fn random_kernels_in_c89_do_what_the_interpreter_does() {
    let machine = C89.machine.expect("it has a machine");
    let mut random = Random(0x2b7e_1516_28ae_d2a6);
    let wanted = if evariste_testing::full() { 600 } else { 27 };
    let (mut all, mut malformed, mut refused): (Vec<(String, Kernel)>, usize, usize) = (Vec::new(), 0, 0);
    while all.len() < wanted {
        let lengths = [3, 5, 7, 8, 12, 15, 16, 17, 20, 24, 31, 32, 32];
        let kernel = well_formed(&mut random, &lengths, &mut malformed);
        // Products of words of an odd size, negative double words that are shifted.
        let Ok(legal) = legalise(&kernel, &machine) else {
            refused += 1;
            assert!(refused < 10 * wanted, "{:?}\n{kernel}", legalise(&kernel, &machine).err());
            continue;
        };
        assert_eq!(verify(&legal), Ok(()), "{kernel}\n{legal}");
        let same = |k: &Kernel| random::vectors("k", k, 30, 1).into_iter().map(|v| v.outputs).collect::<Vec<_>>();
        assert_eq!(same(&kernel), same(&legal), "{kernel}\n{legal}");
        all.push((format!("k{}", all.len()), legal));
    }
    println!("{} kernels; {malformed} were malformed, {refused} have no form in words of 32 bits", all.len());
    for (at, some) in all.chunks(27).enumerate() {
        let kernels: Vec<(&str, Kernel)> = some.iter().map(|(name, k)| (name.as_str(), k.clone())).collect();
        let vectors: Vec<_> = kernels.iter().flat_map(|(name, k)| random::vectors(name, k, 30, at as u64)).collect();
        let files = with_content(&kernels, &vectors, of_content).unwrap_or_else(|e| panic!("{e}"));
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (turn, files) in [files.clone(), shortened(&files)].into_iter().enumerate() {
            let folder = folder.path().join(format!("toy{turn}"));
            write_package(&folder, "toy", &files, false).expect("the folder is ours");
            let compilers = compilers();
            let Some(cc) = compilers.get(evariste_testing::turn(turn + at, compilers.len())) else { return };
            let mut build = Command::new(cc);
            build.current_dir(&folder).args(["-std=c89", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O1"]);
            run(build.args(["-o", "run_test", "test.c", "toy.c"]));
            let told = run(&mut Command::new(folder.join("run_test")));
            assert!(told.contains(" 0 failures") && !told.starts_with("0 checks"), "{cc}, {turn}: {told}");
            println!("{cc}: {told}");
        }
    }
}

/// In C99, where undefined behaviour ends the program: short words are promoted to `int`, whose products, sums and shifts
/// must not leave it.
#[test]
fn random_kernels_in_c99_have_no_undefined_behaviour() {
    const SANITIZED: [&str; 3] = ["-O1", "-fsanitize=undefined,float-divide-by-zero", "-fno-sanitize-recover=all"];
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (batches, mut malformed) = (if evariste_testing::full() { 20 } else { 1 }, 0);
    for batch in 0..batches {
        let lengths = [2, 7, 8, 8, 13, 16, 16, 24, 31, 32, 32, 48, 63, 64];
        let all: Vec<(String, Kernel)> =
            (0..30).map(|k| (format!("k{k}"), well_formed(&mut random, &lengths, &mut malformed))).collect();
        let kernels: Vec<(&str, Kernel)> = all.iter().map(|(name, k)| (name.as_str(), k.clone())).collect();
        let flags: [&[&str]; 3] = [&SANITIZED, &["-O3"], &["-O0", "-DEVARISTE_VERIFY"]];
        check_with(&kernels, &flags[..if batch == 0 { 3 } else { 1 }]);
    }
}
