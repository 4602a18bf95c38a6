//! Random kernels on vectors: compiled in several shapes, checked, encoded, called, and equal to the interpreter in
//! every lane.

use crate::common::{Judged, Rng, Vectors, lane_mutants};
use evariste_codegen::check::check_kernel;
use evariste_codegen::graph::Operation;
use evariste_codegen::program::Lanes;
use evariste_codegen::x86_64::lanes::{self, Shape};
use evariste_codegen::x86_64::{CompileError, Features, Program, Width};
use evariste_ir::{Array, ArrayKind, Builder, Contract, Index, Kernel, Op, Type, Value};
use evariste_jit::encode;
use evariste_testing::levels::levels;
use num_bigint::BigInt;

/// What [`kernel`] may use.
#[derive(Clone, Copy, PartialEq)]
pub enum Use {
    All,
    /// That, and look-ups in a table.
    LookUps,
    /// What has a form without mask registers and without products of 52 bits.
    Plain,
}

/// A random kernel of about `size` operations on words of `bits` bits (1: bit-sliced); `short`: its arrays have one
/// word each.
pub fn kernel(rng: &mut Rng, size: usize, bits: u8, short: bool, of: Use) -> Kernel {
    let word = Type::Word(bits);
    let mut b = Builder::new("random", u32::from(bits));
    let outputs = if short { 1 } else { 1 + rng.below(4) as u32 };
    let full = || vec![word.full()];
    let out = b.array("out", word, outputs, ArrayKind::Output, full());
    let mut inputs: Vec<Array> = Vec::new();
    for name in ["a", "b", "c", "d", "e"].iter().take(1 + rng.below(5) as usize) {
        let len = if short || rng.below(2) == 0 { outputs } else { 1 + rng.below(9) as u32 };
        inputs.push(b.array(*name, word, len, ArrayKind::Input, full()));
    }
    // Entries of 16 bits, the first one 0 or not; eight at most, which short vectors look up too, or 64.
    let table = (of == Use::LookUps && bits == 64).then(|| {
        let first = if rng.below(2) == 0 { 0 } else { rng.below(1 << 16) };
        let most = if rng.below(2) == 0 { 8 } else { 64 };
        let more = (0..rng.below(most)).map(|_| rng.below(1 << 16)).collect::<Vec<_>>();
        let entries: Vec<BigInt> = [first].into_iter().chain(more).map(BigInt::from).collect();
        (entries.len() as u32, b.table("t", entries))
    });
    let mut words: Vec<Value> = inputs.iter().flat_map(|a| b.load_all(*a)).collect();
    let none = b.no_flag();
    let (mut flags, mut masks): (Vec<Value>, Vec<Value>) = (vec![none], Vec::new());
    for _ in 0..size {
        let pick = |rng: &mut Rng, from: &[Value]| {
            let n = from.len() as u64;
            let near = n.min(60);
            from[if rng.below(3) == 0 { rng.below(n) } else { n - 1 - rng.below(near) } as usize]
        };
        let (x, y, z) = (pick(rng, &words), pick(rng, &words), pick(rng, &words));
        let k = Index::at(1 + rng.below(u64::from(bits.max(2)) - 1) as i64);
        let logic = [Op::And, Op::Or, Op::Xor, Op::AndNot][rng.below(4) as usize].clone();
        if bits == 8 {
            words.push(match rng.below(8) {
                0 | 1 => b.rijndael_mul(x, y),
                2 | 3 => b.bit_matrix(rng.word().to_le_bytes(), x),
                4 => b.word_constant(BigInt::from(rng.below(256))),
                5 => b.op(Op::Not, &[x], &[word])[0],
                _ => b.op(logic, &[x, y], &[word])[0],
            });
            continue;
        }
        if bits == 1 {
            let op = if rng.below(12) == 0 { Op::Not } else { logic };
            let args = if op == Op::Not { vec![x] } else { vec![x, y] };
            words.push(b.op(op, &args, &[word])[0]);
            continue;
        }
        let plain = of == Use::Plain;
        match if plain { [4, 5, 6, 7, 8, 9, 10, 16, 17, 18, 19, 19][rng.below(12) as usize] } else { rng.below(23) } {
            0..=3 if bits == 64 => {
                // An accumulator that has room, or none at all.
                let from_zero = rng.below(4) == 0;
                let room = if from_zero { b.word_constant(0) } else { b.op(Op::LowBits(62), &[z], &[word])[0] };
                let op = if rng.below(2) == 0 { Op::MaddLo(52) } else { Op::MaddHi(52) };
                let product = b.op(op, &[room, x, y], &[word])[0];
                words.push(if from_zero { b.wrapping_add(z, product) } else { product });
            }
            4 => {
                let half = u32::from(bits) / 2;
                let (p, q) = (b.op(Op::LowBits(half), &[x], &[word])[0], b.op(Op::LowBits(half), &[y], &[word])[0]);
                if bits == 64 {
                    words.push(b.op(Op::Mul, &[p, q], &[word])[0]);
                } else if short {
                    let (low, high) = if rng.below(2) == 0 { b.mul_wide(x, y) } else { b.mul_add_add(x, y, z, q) };
                    let product = b.wrapping_mul(low, z);
                    words.extend([low, high, product]);
                }
            }
            5 => words.push(b.wrapping_add(x, y)),
            6 => words.push(b.op(Op::WrappingSub, &[x, y], &[word])[0]),
            7 | 8 => {
                let inner = b.op(logic, &[x, y], &[word])[0];
                let op = [Op::And, Op::Or, Op::Xor][rng.below(3) as usize].clone();
                words.push(b.op(op, &[z, inner], &[word])[0]);
            }
            9 => {
                let op = [Op::WrappingShl(k.clone()), Op::Shr(k.clone()), Op::Sar(k)]
                    [rng.below(if plain { 2 } else { 3 }) as usize]
                    .clone();
                words.push(b.op(op, &[x], &[word])[0]);
            }
            10 if bits == 64 => words.push(if plain || rng.below(2) == 0 {
                b.funnel_shift(x, y, k)
            } else {
                b.op(Op::Rotate(k), &[x], &[word])[0]
            }),
            11 => masks.push(if rng.below(2) == 0 { b.less(x, y) } else { b.equal(x, y) }),
            12 | 13 => {
                if let Some(m) = masks.last().copied() {
                    let sum = if rng.below(2) == 0 {
                        b.wrapping_add(x, y)
                    } else {
                        b.op(Op::WrappingSub, &[x, y], &[word])[0]
                    };
                    let y = if rng.below(2) == 0 { sum } else { y };
                    words.push(if rng.below(2) == 0 { b.select(m, y, x) } else { b.select(m, x, y) });
                }
            }
            14 => {
                let f = pick(rng, &flags);
                let (s, c) = if rng.below(2) == 0 { b.add_carry(x, y, f) } else { b.sub_borrow(x, y, f) };
                words.push(s);
                flags.push(c);
            }
            15 => {
                let f = pick(rng, &flags);
                let w = b.flag_to_word(f, word);
                words.push(b.wrapping_add(x, w));
                if bits == 64 {
                    masks.push(b.flag_to_mask(f));
                }
            }
            16 => words.push(b.word_constant(BigInt::from(rng.edge_word() & (u64::MAX >> (64 - bits))))),
            17 => words.push(b.op(Op::LowBits(1 + rng.below(u64::from(bits)) as u32), &[x], &[word])[0]),
            20 | 21 if table.is_some() => {
                let Some((len, table)) = table else { continue };
                // The greatest power of two that is no longer than the table.
                let index = b.op(Op::LowBits(len.ilog2()), &[x], &[word])[0];
                let found = b.lookup(table, index);
                words.push(if rng.below(2) == 0 { found } else { b.op(Op::WrappingShl(k), &[found], &[word])[0] });
            }
            19 if bits == 64 => {
                // Double words, added before they are split.
                let (p, q) = (b.clmul(x, y), b.clmul(y, z));
                let sum = if rng.below(2) == 0 { b.xor(p, q) } else { p };
                words.extend(b.split(sum, 64));
            }
            18 if bits == 64 => {
                // Integers below 2^52 as doubles.
                let [p, q, r] = [x, y, z].map(|v| {
                    let (below, exponent) = (b.low_bits(v, 52), b.word_constant(0x433u64 << 52));
                    let pattern = b.or(below, exponent);
                    let biased = b.bits_to_float(pattern, Type::Float(53));
                    let base = b.constant(Type::Float(53), BigInt::from(1u64 << 52));
                    b.float_sub(biased, base)
                });
                let result = match rng.below(4) {
                    0 => b.float_add(p, q),
                    1 => b.float_sub(p, q),
                    2 => b.float_mul(p, q),
                    _ => b.float_fma(p, q, r),
                };
                words.push(b.float_to_bits(result));
            }
            _ => {
                let (f, g) = (pick(rng, &flags), pick(rng, &flags));
                let op = [Op::And, Op::Or, Op::Xor][rng.below(3) as usize].clone();
                flags.push(b.op(op, &[f, g], &[Type::Flag])[0]);
            }
        }
    }
    if rng.below(4) == 0 || size > 100 {
        // All that was computed is wanted at the end, the newest first: more than there are registers.
        let mut sum = words[words.len() - 1];
        for x in words.clone().into_iter().rev().skip(1) {
            sum = if matches!(bits, 1 | 8) { b.op(Op::Xor, &[sum, x], &[word])[0] } else { b.wrapping_add(sum, x) };
        }
        words.push(sum);
    }
    let last = words.len();
    for i in 0..outputs {
        let near = (last as u64).min(12);
        let v = words[last - 1 - rng.below(near) as usize];
        b.store(out, i, v);
    }
    b.finish(Contract::default())
}

fn shapes(rng: &mut Rng, widths: Vec<Width>) -> Vec<Shape> {
    let random = |rng: &mut Rng, width| Shape {
        width,
        groups: 1 + rng.below(4) as u32,
        iterations: 1 + rng.below(3) as u32,
        active: 1 + rng.below(3) as u32,
        reserve: rng.below(8) as u32,
        fold: rng.below(2) == 0,
        source: rng.below(4) == 0,
        lag: [0, 1, 5][rng.below(3) as usize],
        rolled: false,
    };
    let mut all = Vec::new();
    for width in widths {
        all.extend([Shape::single(width), random(rng, width)]);
    }
    all
}

/// Half of a product that is added to a word takes one instruction.
#[test]
fn a_multiply_add_begins_at_the_word_that_it_is_added_to() {
    let mut b = Builder::new("sum", 64);
    let word = b.word_type();
    let [out, a] = [("out", 2, ArrayKind::Output), ("a", 3, ArrayKind::Input)]
        .map(|(name, n, kind)| b.array(name, word, n, kind, vec![word.full()]));
    let x = b.load_all(a);
    let zero = b.word_constant(0);
    for (i, op) in (0u32..).zip([Op::MaddLo(52), Op::MaddHi(52)]) {
        let half = b.op(op, &[zero, x[1], x[2]], &[word])[0];
        let sum = b.wrapping_add(x[0], half);
        b.store(out, i, sum);
    }
    let kernel = b.finish(Contract::default());
    let graph = lanes::graph(&kernel, Features::AVX512, Width::Z).expect("code");
    let count = |op: Operation| graph.nodes.iter().filter(|node| node.op == op).count();
    let found = [Operation::MaddLow, Operation::MaddHigh, Operation::Add].map(count);
    assert_eq!(found, [1, 1, 0]);
}

#[test]
fn random_kernels_run_on_vectors() {
    let mut rng = Rng(0xbb67_ae85_84ca_a73b);
    let (mut run, mut made, mut narrow, mut spilled, mut without_masks, mut refused) =
        (0u32, 0u32, 0u32, 0u32, 0u32, Vec::new());
    let kernels = if std::env::var_os("EVARISTE_FULL").is_some() { 10_000 } else { 250 };
    let levels = levels("random kernels on vectors");
    for round in 0..kernels {
        let seed = rng.0;
        let level = levels[round / 5 % levels.len()];
        let size = 1 + rng.below(if round % 6 == 0 { 150 } else { 40 }) as usize;
        let bits = [64, 64, 32, 1, 8][round % 5];
        let kernel = kernel(&mut rng, size, bits, bits == 8 || round % 10 == 2, Use::LookUps);
        let mut vectors: Option<Vectors> = None;
        for shape in shapes(&mut rng, level.widths()) {
            let program = match lanes::compile_kernel(&kernel, level.features, shape) {
                Ok(program) => program,
                Err(CompileError::Lower(_)) if !shape.width.has_masks() || level.features != Features::AVX512 => {
                    narrow += 1;
                    continue;
                }
                Err(CompileError::Infeasible(_)) => {
                    without_masks += 1;
                    continue;
                }
                Err(e) => panic!("seed {seed:#x} {shape}: {e}\n{kernel}"),
            };
            made += 1;
            spilled += u32::from(program.to_string().contains("[rsp"));
            let checked = match check_kernel(&kernel, &program) {
                Ok(checked) => checked,
                Err(e) => {
                    refused.push(format!("seed {seed:#x} {shape}: {e}"));
                    if std::env::var_os("SHOW").is_some()
                        && kernel.body.len() < 30
                        && shape.groups == 1
                        && shape.iterations == 1
                    {
                        println!("{e}\n{kernel}\n{program}");
                    }
                    continue;
                }
            };
            encode(&program).unwrap_or_else(|e| panic!("seed {seed:#x} {shape}: {e}"));
            let vectors = vectors.get_or_insert_with(|| Vectors::new(&kernel, &program, &mut rng, 24));
            vectors
                .judge(checked, &program)
                .unwrap_or_else(|e| panic!("seed {seed:#x} {shape}: {e}\n{kernel}\n{program}"));
            run += 1;
        }
    }
    println!(
        "{made} programs made, {run} ran ({spilled} with vectors on the stack); {narrow} have no form at their level, {without_masks} need more masks than there are; the checker did not recognise {}",
        refused.len()
    );
    for line in refused.iter().take(20) {
        println!("{line}");
    }
    assert!(spilled > 0, "some programs use the stack");
    assert!(without_masks * 4 <= made, "{without_masks} of {made} programs need more masks than there are");
    assert!(refused.len() as u32 * 20 <= made, "the checker recognises at least 19 of 20:\n{}", refused.join("\n"));
}

/// Mutants that must be refused for the test to say something.
const ENOUGH: usize = 500;

#[test]
fn mutants_are_refused_or_right() {
    let mut rng = Rng(0x1f83_d9ab_fb41_bd6b);
    let kernels = if std::env::var_os("EVARISTE_FULL").is_some() { 400 } else { 7 };
    let mut judged = Judged::default();
    let levels = levels("mutants on vectors");
    // More where kernels are short at the levels of the day.
    for round in 0..400 {
        if round >= kernels && judged.refused > ENOUGH {
            break;
        }
        // One kernel in two is for the highest level.
        let level = levels[levels.len() - 1 - round % 2 * (1 + round / 2 % (levels.len() - 1))];
        let widths = level.widths();
        let kernel =
            kernel(&mut rng, 8 + round % 40, [64, 32, 64, 1, 8][round % 5], matches!(round % 5, 1 | 4), Use::LookUps);
        let shape = Shape {
            width: widths[[0, 2, 1, 0, 0][round % 5] % widths.len()],
            groups: 2,
            iterations: 1 + round as u32 % 2,
            active: 2,
            reserve: 2,
            fold: round % 3 == 0,
            source: round % 5 == 0,
            lag: round as u32 % 3,
            rolled: false,
        };
        let Ok(program) = lanes::compile_kernel(&kernel, level.features, shape) else { continue };
        if check_kernel(&kernel, &program).is_err() {
            continue;
        }
        let vectors = Vectors::new(&kernel, &program, &mut rng, 40);
        judged.judge(&kernel, &vectors, lane_mutants(&program));
    }
    let Judged { refused, accepted } = judged;
    println!("{refused} mutants refused, {accepted} accepted and right");
    assert!(refused > 20 * accepted / 10 && refused > ENOUGH, "{refused} refused, {accepted} accepted");
}

/// A random kernel with its program for one element.
fn one(rng: &mut Rng, size: usize) -> (Kernel, Program) {
    let kernel = kernel(rng, size, 64, false, Use::Plain);
    let program = lanes::compile_one(&kernel, Features::AVX2).unwrap_or_else(|e| panic!("{e}\n{kernel}"));
    (kernel, program)
}

#[test]
fn random_kernels_run_in_one_lane() {
    let mut rng = Rng(0x510e_527f_ade6_82d1);
    let (mut run, mut spilled, mut pairs, mut refused) = (0u32, 0u32, 0u32, Vec::new());
    let wanted = if std::env::var_os("EVARISTE_FULL").is_some() { 4000 } else { 150 };
    for round in 0..wanted {
        let seed = rng.0;
        let size = 1 + rng.below(if round % 6 == 0 { 120 } else { 30 }) as usize;
        let (kernel, program) = one(&mut rng, size);
        assert_eq!(program.lanes, Lanes::ONE);
        spilled += u32::from(program.to_string().contains("[rsp"));
        pairs += u32::from(program.units_followed() == 2);
        run += 1;
        let checked = match check_kernel(&kernel, &program) {
            Ok(checked) => checked,
            Err(e) => {
                refused.push(format!("seed {seed:#x}: {e}"));
                continue;
            }
        };
        Vectors::new(&kernel, &program, &mut rng, 24)
            .judge(checked, &program)
            .unwrap_or_else(|e| panic!("seed {seed:#x}: {e}\n{kernel}\n{program}"));
    }
    println!(
        "{run} programs ran, {spilled} with vectors on the stack, {pairs} with double words; the checker did not recognise {}",
        refused.len()
    );
    assert!(spilled > 0 && pairs > 0, "some programs use the stack, some double words");
    assert!(refused.len() as u32 * 20 <= run, "the checker recognises at least 19 of 20:\n{}", refused.join("\n"));
}

#[test]
fn mutants_in_one_lane_are_refused_or_right() {
    let mut rng = Rng(0x9b05_688c_2b3e_6c1f);
    let kernels = if std::env::var_os("EVARISTE_FULL").is_some() { 200 } else { 8 };
    let (mut made, mut judged) = (0, Judged::default());
    while made < kernels {
        let (kernel, program) = one(&mut rng, 4 + made % 24);
        if check_kernel(&kernel, &program).is_err() {
            continue;
        }
        made += 1;
        let vectors = Vectors::new(&kernel, &program, &mut rng, 40);
        judged.judge(&kernel, &vectors, lane_mutants(&program));
    }
    let Judged { refused, accepted } = judged;
    println!("{refused} mutants refused, {accepted} accepted and right");
    assert!(refused > 2 * accepted && refused > 200, "{refused} refused, {accepted} accepted");
}
