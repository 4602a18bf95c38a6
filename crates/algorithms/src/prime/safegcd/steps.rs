//! Division steps in batches, on the lowest words of f and g.
//!
//! * **computes** the matrix of `count` division steps (`evariste_ir::divsteps`), and ζ after them.
//! * **needs** words of 7 bits at least; ζ as a word in two's complement. f is odd, or the matrix is that of no steps.
//! * **gives** entries raised by `2^count`, from 0 to `2^(count+1)`.
//! * **cost** 13 operations a step: f and its row of the matrix, g and its own, are one word each, a third of it for
//!   the low bits and a third for each entry. Batches are joined by eight products each.
//! * **source** Bernstein and Yang, "Fast constant-time gcd computation and modular inversion" (TCHES 2019); words that
//!   hold f, u and v at once as in s2n-bignum's `bignum_divstep` (Harrison, 2023).

use std::sync::Arc;

use evariste_ir::divsteps::PARTS;
use evariste_ir::range::{Interval, pow2};
use evariste_ir::{Array, ArrayKind, Builder, Claim, Contract, Kernel, Operand, Polynomial, Value, View};
use num_bigint::BigInt;
use num_traits::One;

/// Steps of a kernel that packs f and its row into a word: `3·count + 4` bits.
pub fn packed_steps(word: u32) -> u32 {
    word.saturating_sub(4) / 3
}

/// Steps of a batch: as many as three kernels that pack make, joined, and no more than digits of so many bits leave
/// room for.
pub fn batch_steps(word: u32, radix: u32) -> u32 {
    (3 * packed_steps(word)).min(radix.saturating_sub(4))
}

/// A word of a kernel as a number.
fn word_operand(name: &str, array: Array, index: u32, most: BigInt) -> Operand {
    let mut operand = Operand::new(name, array, &[0], std::slice::from_ref(&most), most.clone());
    operand.digits[0].index = index;
    operand
}

/// An input of one word.
fn input_word(b: &mut Builder, name: &str) -> (Array, Operand) {
    let most = pow2(b.word()) - 1;
    let array = b.input(name, 1, std::slice::from_ref(&most));
    (array, word_operand(name, array, 0, most))
}

/// The entries of a matrix as input numbers.
pub fn input_matrix(b: &mut Builder, name: &str, count: u32) -> (Array, Vec<Operand>) {
    let most = pow2(count + 1);
    let array = b.input(name, 4, std::slice::from_ref(&most));
    let entries = PARTS[1..].iter().zip(0..);
    (array, entries.map(|((part, _), i)| word_operand(&format!("{name}_{part}"), array, i, most.clone())).collect())
}

/// What a kernel of division steps takes and gives.
struct Signature {
    zeta_after: Array,
    matrix: Array,
    zeta: Array,
    f: Array,
    g: Array,
    contract: Contract,
}

impl Signature {
    fn new(b: &mut Builder, count: u32) -> Signature {
        let word = b.word();
        let full: BigInt = pow2(word) - 1;
        let zeta_after = b.output("zeta_after", 1, std::slice::from_ref(&full));
        let matrix = b.output("matrix", 4, std::slice::from_ref(&full));
        let ((zeta, z), (f, x), (g, y)) = (input_word(b, "zeta"), input_word(b, "f"), input_word(b, "g"));
        let places = [(zeta_after, 0), (matrix, 0), (matrix, 1), (matrix, 2), (matrix, 3)];
        let claims = PARTS.iter().zip(places).map(|((name, part), (array, i))| {
            let output = word_operand(&format!("{name}_after"), array, i, part.most(word, count));
            Claim::Divsteps { output, part: *part, count }
        });
        let contract = Contract { facts: Vec::new(), inputs: vec![z, x, y], claims: claims.collect() };
        Signature { zeta_after, matrix, zeta, f, g, contract }
    }
}

/// `count` steps at once: f is the low part of a word whose other parts hold its row of the matrix.
pub fn packed(word: u32, count: u32) -> Kernel {
    let mut b = Builder::new(format!("divsteps_{count}"), word);
    let signature = Signature::new(&mut b, count);
    let (zeta, f, g) = (b.load(signature.zeta, 0u32), b.load(signature.f, 0u32), b.load(signature.g, 0u32));
    // f − 2^(2k+1) and g − 2^(3k+2), their k low bits alone: every step halves what is subtracted with g.
    let (f, g) = (b.low_bits(f, count), b.low_bits(g, count));
    let (unit_f, unit_g) = (b.word_constant(pow2(2 * count + 1)), b.word_constant(pow2(3 * count + 2)));
    let (f, g) = (b.wrapping_sub(f, unit_f), b.wrapping_sub(g, unit_g));
    let full = b.word_type().full();
    let init = [zeta, f, g].map(|x| (x, full.clone()));
    let after = b.repeat(count, &init, |b, _, x| step(b, x[0], x[1], x[2]).to_vec());
    b.store(signature.zeta_after, 0u32, after[0]);
    // Raised by 2^k, each part is what its bits are.
    let raise = b.word_constant(pow2(count) + pow2(2 * count + 1) + pow2(3 * count + 2));
    let unit = b.word_constant(pow2(count + 1));
    for (row, x) in (0..2u32).zip(&after[1..]) {
        let raised = b.wrapping_add(*x, raise);
        for column in 0..2u32 {
            let down = b.shr(raised, (count + 1) * (column + 1));
            let part = b.low_bits(down, count + 1);
            let entry = b.sub(unit, part);
            b.store(signature.matrix, 2 * row + column, entry);
        }
    }
    b.finish(signature.contract)
}

/// One step.
fn step(b: &mut Builder, zeta: Value, f: Value, g: Value) -> [Value; 3] {
    let one = b.word_constant(1);
    let zero = b.word_constant(0);
    let odd = b.and(g, one);
    let odd = b.wrapping_sub(zero, odd);
    let negative = b.sar(zeta, b.word() - 1);
    // −f where ζ is negative; nothing where g is even.
    let flipped = b.xor(f, negative);
    let flipped = b.wrapping_sub(flipped, negative);
    let added = b.and(flipped, odd);
    let sum = b.wrapping_add(g, added);
    let swap = b.and(negative, odd);
    // Where they are exchanged the sum is g − f.
    let change = b.and(sum, swap);
    let zeta = b.xor(zeta, swap);
    [b.wrapping_sub(zeta, one), b.wrapping_add(f, change), b.sar(sum, 1u32)]
}

/// The steps of one kernel, then those of another: the lowest words of f and g after the first are what they are before
/// the second, and the matrices are multiplied.
pub fn joined(word: u32, first: (u32, Arc<Kernel>), second: (u32, Arc<Kernel>)) -> Kernel {
    let count = first.0 + second.0;
    let mut b = Builder::new(format!("divsteps_{count}"), word);
    let signature = Signature::new(&mut b, count);
    let local = |b: &mut Builder, name: &str, len| b.local(name, len, Interval::bits(word));
    let (zeta, x, y) = (local(&mut b, "zeta_between", 1), local(&mut b, "x", 1), local(&mut b, "y", 1));
    let (one, two) = (local(&mut b, "one", 4), local(&mut b, "two", 4));
    let call = |b: &mut Builder, kernel: Arc<Kernel>, arrays: &[Array]| {
        let callee = b.callee(kernel);
        let ghosts = ghost_locals(b, callee);
        b.call(callee, arrays.iter().copied().chain(ghosts).map(View::whole).collect());
    };
    call(&mut b, first.1, &[zeta, one, signature.zeta, signature.f, signature.g]);
    let update = Arc::new(super::update::division(word, first.0, 1, 1));
    call(&mut b, update, &[x, y, one, signature.f, signature.g]);
    call(&mut b, second.1, &[signature.zeta_after, two, zeta, x, y]);
    let product = Arc::new(matrix_product(word, first.0, second.0));
    call(&mut b, product, &[signature.matrix, one, two]);
    b.finish(signature.contract)
}

/// The product of the matrices of `first` steps and of `second` steps after them, each raised by as many bits.
fn matrix_product(word: u32, first: u32, second: u32) -> Kernel {
    let mut b = Builder::new(format!("join_{first}_{second}"), word);
    let full: BigInt = pow2(word) - 1;
    let out = b.output("product", 4, std::slice::from_ref(&full));
    let (one, ones) = input_matrix(&mut b, "one", first);
    let (two, twos) = input_matrix(&mut b, "two", second);
    let (x, y) = (b.load_all(one), b.load_all(two));
    // (y − 2^s)·(x − 2^k) + (y' − 2^s)·(x' − 2^k) + 2^(k+s).
    let constant = b.word_constant(BigInt::from(3) << (first + second));
    let mut claims = Vec::new();
    for (row, column) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let (i, j) = (2 * row, 2 * row + 1);
        let (k, l) = (column, 2 + column);
        let products = [(i, k), (j, l)].map(|(i, k)| b.wrapping_mul(y[i], x[k]));
        let sum = b.wrapping_add(products[0], products[1]);
        let sum = b.wrapping_add(sum, constant);
        let (ys, xs) = (b.wrapping_add(y[i], y[j]), b.wrapping_add(x[k], x[l]));
        let (ys, xs) = (b.wrapping_shl(ys, first), b.wrapping_shl(xs, second));
        let both = b.wrapping_add(ys, xs);
        let entry = b.wrapping_sub(sum, both);
        let place = 2 * row + column;
        b.store(out, place as u32, entry);
        let output = word_operand(&format!("product_{}", PARTS[1 + place].0), out, place as u32, full.clone());
        let (i, j, k, l) = (4 + i as u32, 4 + j as u32, k as u32, l as u32);
        let polynomial = Polynomial::constant(BigInt::from(3) << (first + second))
            .plus(1, &[i, k])
            .plus(1, &[j, l])
            .plus(-pow2(first), &[i])
            .plus(-pow2(first), &[j])
            .plus(-pow2(second), &[k])
            .plus(-pow2(second), &[l]);
        let modulus = Some(pow2(word).into());
        claims.push(Claim::Value { output, factor: BigInt::one(), polynomial, modulus });
    }
    b.finish(Contract { facts: Vec::new(), inputs: ones.into_iter().chain(twos).collect(), claims })
}

/// The kernel of so many steps, of the fewest that pack, joined one after the other.
pub fn batch(word: u32, count: u32) -> Arc<Kernel> {
    let parts = count.div_ceil(packed_steps(word));
    let share = |i: u32| count * (i + 1) / parts - count * i / parts;
    let mut made: Vec<(u32, Arc<Kernel>)> = Vec::new();
    let mut packed = |steps: u32| {
        let known = made.iter().find(|(known, _)| *known == steps).map(|(_, kernel)| kernel.clone());
        known.unwrap_or_else(|| {
            made.push((steps, Arc::new(packed(word, steps))));
            made[made.len() - 1].1.clone()
        })
    };
    let first = (share(0), packed(share(0)));
    let all = (1..parts).fold(first, |before, i| {
        let next = (share(i), packed(share(i)));
        (before.0 + next.0, Arc::new(joined(word, before, next)))
    });
    all.1
}

/// Locals for what the callee keeps for its contract alone.
pub fn ghost_locals(b: &mut Builder, callee: u32) -> Vec<Array> {
    let kernel = b.kernel().callees[callee as usize].clone();
    let ghosts = kernel.params().filter(|a| kernel.array(*a).kind == ArrayKind::Ghost).map(|a| kernel.array(a).clone());
    let place = b.kernel().arrays.len();
    ghosts
        .enumerate()
        .map(|(i, a)| b.array(format!("ghost_{place}_{i}"), a.ty, a.len, ArrayKind::Local, vec![a.ty.full()]))
        .collect()
}
