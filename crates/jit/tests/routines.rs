//! Long kernels: routines, loops and calls, checked routine by routine and run.

use std::sync::Arc;
use std::time::Instant;

use evariste_algorithms::layouts;
use evariste_algorithms::{Operation, plans};
use evariste_codegen::check::check;
use evariste_codegen::outline::Limits;
use evariste_codegen::x86_64::X86_64;
use evariste_codegen::x86_64::{Features, Program, compile, compile_within};
use evariste_descriptions::Field;
use evariste_ir::verify::verify;
use evariste_ir::{Array, ArrayKind, Builder, Contract, Index, Interval, Kernel, Type, Value, View};
use evariste_jit::{constant_time, encode, features};
use evariste_proof::{Outcome, Proved, prove};
use evariste_testing::machine::Callable;
use num_bigint::BigUint;

use crate::common::{Rng, Vectors};
use crate::rolled::claims_hold;

fn level() -> Features {
    features::<X86_64>().unwrap_or(Features::ADX)
}

/// Bytes of code; no instruction whose time depends on data.
fn bytes(program: &Program) -> usize {
    let code = encode(program).unwrap_or_else(|e| panic!("{}: {e}", program.name));
    constant_time(&code).unwrap_or_else(|e| panic!("{}: {e}", program.name));
    code.bytes.len()
}

/// The program of an inverse with its routines, each compared once: operations that the kernel runs never were.
fn inverse(name: &str, proved: &Proved, rng: &mut Rng) {
    let program = compile(proved, level(), None).unwrap_or_else(|e| panic!("{name}: {e}"));
    let start = Instant::now();
    let checked = check(proved, &program).unwrap_or_else(|e| panic!("{name}: {e}"));
    let (time, report) = (start.elapsed(), checked.report());
    println!(
        "{name}: {} bytes, checked in {:.3} s, {} routines, {} instructions followed",
        bytes(&program),
        time.as_secs_f64(),
        report.routines,
        report.instructions
    );
    assert!(report.routines > 0 && report.instructions < 200_000, "{name}: {report:?}");
    let callable = Callable::new(&checked).unwrap_or_else(|e| panic!("{name}: {e}"));
    claims_hold(proved.kernel(), &callable, rng);
}

#[test]
fn every_inverse_of_bls12_381() {
    let field = Field::parse("bls12-381-fp").unwrap_or_else(|e| panic!("{e:?}"));
    let mut rng = Rng(381);
    let mut done = 0;
    for layout in layouts(&field, 64) {
        for plan in plans(&field, &layout, &Operation::INVERSE) {
            let Ok(kernel) = plan.write() else { continue };
            let Outcome::Proved(proved) = prove(&kernel) else { panic!("{} is not proved", plan.name()) };
            inverse(&plan.name(), &proved, &mut rng);
            done += 1;
        }
    }
    assert!(done > 1, "bls12-381-fp has inverses");
}

/// Arrays of the ladder and what it calls.
struct Ladder {
    b: Builder,
    /// Product, square, sum, difference.
    callees: [u32; 4],
}

impl Ladder {
    fn local(&mut self, name: &str) -> Array {
        let word = Type::Word(64);
        self.b.array(name, word, 4, ArrayKind::Local, vec![word.full()])
    }

    fn call(&mut self, callee: usize, arrays: &[Array]) {
        self.b.call(self.callees[callee], arrays.iter().map(|a| View::whole(*a)).collect());
    }

    /// Exchanges two arrays where the mask says so.
    fn exchange(&mut self, mask: Value, x: Array, y: Array) {
        for i in 0..4u32 {
            let (a, b) = (self.b.load(x, i), self.b.load(y, i));
            let (first, second) = (self.b.select(mask, b, a), self.b.select(mask, a, b));
            self.b.store(x, i, first);
            self.b.store(y, i, second);
        }
    }
}

const MUL: usize = 0;
const SQUARE: usize = 1;
const ADD: usize = 2;
const SUB: usize = 3;

/// Montgomery's ladder on Curve25519 as RFC 7748 writes it: `(x2 : z2)` of k·P from the affine x of P and the bits of k,
/// the lowest first. A step has four squares, five products and one by (A − 2)/4, four sums and four differences.
fn ladder(steps: u32, callees: [Arc<Kernel>; 4]) -> Kernel {
    let word = Type::Word(64);
    let mut b = Builder::new("ladder", 64);
    let full = || vec![word.full()];
    let (x2, z2) =
        (b.array("x2", word, 4, ArrayKind::Output, full()), b.array("z2", word, 4, ArrayKind::Output, full()));
    let x1 = b.array("x1", word, 4, ArrayKind::Input, full());
    let bits = b.array("bits", word, steps, ArrayKind::Input, vec![Interval::new(0, 1)]);
    for (p, q) in [(x2, x1), (z2, x1)] {
        b.must_be_disjoint(p, q);
    }
    let callees = callees.map(|k| b.callee(k));
    let mut l = Ladder { b, callees };
    let [xa, za, xb, zb, a24] = ["xa", "za", "xb", "zb", "a24"].map(|name| l.local(name));
    let [a, aa, b, bb, e, c, d, da, cb] = ["a", "aa", "b", "bb", "e", "c", "d", "da", "cb"].map(|name| l.local(name));
    for i in 0..4u32 {
        let [zero, one] = [0, 1].map(|x| l.b.word_constant(if i == 0 { x } else { 0 }));
        let factor = l.b.word_constant(if i == 0 { 121_665 } else { 0 });
        let x = l.b.load(x1, i);
        for (array, value) in [(xa, one), (za, zero), (xb, x), (zb, one), (a24, factor)] {
            l.b.store(array, i, value);
        }
    }
    let none = l.b.word_constant(0);
    let mut lent = std::mem::replace(&mut l.b, Builder::new("", 64));
    let last = lent.repeat(steps, &[(none, Interval::new(0, 1))], |lent, counter, swapped| {
        std::mem::swap(&mut l.b, lent);
        let bit = l.b.load(bits, Index::at(i64::from(steps) - 1).plus(counter, -1));
        let changes = l.b.xor(bit, swapped[0]);
        let zero = l.b.word_constant(0);
        let mask = l.b.less(zero, changes);
        l.exchange(mask, xa, xb);
        l.exchange(mask, za, zb);
        l.call(ADD, &[a, xa, za]);
        l.call(SQUARE, &[aa, a]);
        l.call(SUB, &[b, xa, za]);
        l.call(SQUARE, &[bb, b]);
        l.call(SUB, &[e, aa, bb]);
        l.call(ADD, &[c, xb, zb]);
        l.call(SUB, &[d, xb, zb]);
        l.call(MUL, &[da, d, a]);
        l.call(MUL, &[cb, c, b]);
        l.call(ADD, &[xb, da, cb]);
        l.call(SQUARE, &[xb, xb]);
        l.call(SUB, &[zb, da, cb]);
        l.call(SQUARE, &[zb, zb]);
        l.call(MUL, &[zb, x1, zb]);
        l.call(MUL, &[xa, aa, bb]);
        l.call(MUL, &[za, a24, e]);
        l.call(ADD, &[za, aa, za]);
        l.call(MUL, &[za, e, za]);
        std::mem::swap(&mut l.b, lent);
        vec![bit]
    });
    l.b = lent;
    let zero = l.b.word_constant(0);
    let mask = l.b.less(zero, last[0]);
    l.exchange(mask, xa, xb);
    l.exchange(mask, za, zb);
    for i in 0..4u32 {
        for (to, from) in [(x2, xa), (z2, za)] {
            let v = l.b.load(from, i);
            l.b.store(to, i, v);
        }
    }
    let kernel = l.b.finish(Contract::default());
    assert!(verify(&kernel).is_ok(), "{:?}", verify(&kernel));
    kernel
}

/// The kernels of 25519 whose elements are all numbers below 2^256: product, square, sum, difference.
fn callees() -> [Arc<Kernel>; 4] {
    let field = Field::parse("25519").unwrap_or_else(|e| panic!("{e:?}"));
    let all = layouts(&field, 64);
    let layout = all.iter().find(|l| l.name == "4x64-redundant").unwrap_or_else(|| panic!("no such layout"));
    [Operation::MUL, Operation::SQUARE, Operation::ADD, Operation::SUB].map(|operation| {
        let plan = plans(&field, layout, &operation).into_iter().next().unwrap_or_else(|| panic!("a plan"));
        let kernel = plan.write().unwrap_or_else(|e| panic!("{}: {e:?}", plan.name()));
        match prove(&kernel) {
            Outcome::Proved(proved) => Arc::new(proved.kernel().clone()),
            _ => panic!("{} is not proved", plan.name()),
        }
    })
}

/// RFC 7748's ladder in big integers.
fn reference(x1: &BigUint, bits: &[u64]) -> (BigUint, BigUint) {
    let p = (BigUint::from(1u32) << 255) - 19u32;
    let sub = |x: &BigUint, y: &BigUint| (x + &p - y % &p) % &p;
    let [mut xa, mut za, mut xb, mut zb] = [1u32.into(), 0u32.into(), x1 % &p, BigUint::from(1u32)];
    for bit in bits.iter().rev() {
        if *bit == 1 {
            std::mem::swap(&mut xa, &mut xb);
            std::mem::swap(&mut za, &mut zb);
        }
        let (a, b) = ((&xa + &za) % &p, sub(&xa, &za));
        let (aa, bb) = (&a * &a % &p, &b * &b % &p);
        let e = sub(&aa, &bb);
        let (da, cb) = (sub(&xb, &zb) * &a % &p, (&xb + &zb) * &b % &p);
        let (sum, difference) = (&da + &cb, sub(&da, &cb));
        (xb, zb) = (&sum * &sum % &p, x1 * &difference * &difference % &p);
        (xa, za) = (&aa * &bb % &p, &e * (&aa + 121_665u32 * &e) % &p);
        if *bit == 1 {
            std::mem::swap(&mut xa, &mut xb);
            std::mem::swap(&mut za, &mut zb);
        }
    }
    (xa, za)
}

#[test]
fn a_ladder_of_255_steps() {
    let kernel = ladder(255, callees());
    // Its contract says that it runs on all words: what it computes is tested.
    let Outcome::Proved(proved) = prove(&kernel) else { panic!("the ladder is not proved") };
    let program = compile(&proved, level(), None).unwrap_or_else(|e| panic!("{e}"));
    let start = Instant::now();
    let checked = check(&proved, &program).unwrap_or_else(|e| panic!("{e}"));
    let (time, report) = (start.elapsed(), checked.report());
    println!(
        "the ladder: {} bytes, checked in {:.3} s, {} routines, {} instructions followed",
        bytes(&program),
        time.as_secs_f64(),
        report.routines,
        report.instructions
    );
    assert!(report.routines >= 2 && report.instructions < 400_000, "{report:?}");
    let callable = Callable::new(&checked).unwrap_or_else(|e| panic!("{e}"));
    let mut rng = Rng(25519);
    let p = (BigUint::from(1u32) << 255) - 19u32;
    let number = |x: &[u64]| x.iter().rev().fold(BigUint::ZERO, |sum, w| (sum << 64) + *w);
    for _ in 0..20 {
        let x1: Vec<u64> = (0..4).map(|_| rng.word()).collect();
        let bits: Vec<u64> = (0..255).map(|_| rng.below(2)).collect();
        let mut arrays = vec![vec![0; 4], vec![0; 4], x1.clone(), bits.clone()];
        callable.call(&mut arrays).unwrap_or_else(|e| panic!("{e}"));
        let (x2, z2) = reference(&number(&x1), &bits);
        assert_eq!((number(&arrays[0]) % &p, number(&arrays[1]) % &p), (x2, z2));
    }
}

/// Sums of so many parameters, every third of them an output: `out[j] = Σ (i + 1)·in_i[j]`.
fn sums(arity: u32) -> Kernel {
    let word = Type::Word(64);
    let mut b = Builder::new("sums", 64);
    let full = || vec![word.full()];
    let outputs: Vec<Array> =
        (0..arity / 3).map(|i| b.array(format!("out{i}"), word, 2, ArrayKind::Output, full())).collect();
    let inputs: Vec<Array> =
        (arity / 3..arity).map(|i| b.array(format!("in{i}"), word, 2, ArrayKind::Input, full())).collect();
    let sums: Vec<Value> = (0..2u32)
        .map(|j| {
            let mut sum = b.word_constant(0);
            for (i, input) in inputs.iter().enumerate() {
                let (x, factor) = (b.load(*input, j), b.word_constant(i as u64 + 1));
                let product = b.wrapping_mul(x, factor);
                sum = b.wrapping_add(sum, product);
            }
            sum
        })
        .collect();
    for (i, out) in outputs.iter().enumerate() {
        for (j, sum) in (0..2u32).zip(&sums) {
            let more = b.word_constant(i as u64);
            let sum = b.wrapping_add(*sum, more);
            b.store(*out, j, sum);
        }
    }
    b.finish(Contract::default())
}

/// Sums by two calls, of which the second has other outputs for inputs.
fn sums_of_sums(arity: u32) -> Kernel {
    let word = Type::Word(64);
    let mut b = Builder::new("sums_of_sums", 64);
    let callee = Arc::new(sums(arity));
    let arrays: Vec<Array> = callee
        .params()
        .map(|a| {
            let info = callee.array(a);
            b.array(info.name.clone(), word, 2, info.kind.clone(), info.ranges.clone())
        })
        .collect();
    let outputs = (arity / 3) as usize;
    for out in &arrays[..outputs] {
        arrays[outputs..].iter().for_each(|input| b.must_be_disjoint(*out, *input));
    }
    let t: Vec<Array> =
        (0..outputs).map(|i| b.array(format!("t{i}"), word, 2, ArrayKind::Local, vec![word.full()])).collect();
    let callee = b.callee(callee);
    b.call(callee, t.iter().chain(&arrays[outputs..]).map(|a| View::whole(*a)).collect());
    let second: Vec<Array> = t.iter().chain(&arrays[2 * outputs..]).copied().collect();
    b.call(callee, arrays[..outputs].iter().chain(&second).map(|a| View::whole(*a)).collect());
    b.finish(Contract::default())
}

/// Up to sixteen pointers: the seventh and later ones are passed on the stack, to functions and to routines.
#[test]
fn functions_of_many_parameters() {
    let mut rng = Rng(16);
    for arity in 3..=16 {
        for twice in [false, true] {
            let kernel = if twice { sums_of_sums(arity) } else { sums(arity) };
            let Outcome::Proved(proved) = prove(&kernel) else { panic!("{kernel} is not proved") };
            let limits =
                Limits { straight: if twice { 0 } else { Limits::default().straight }, inline: 0, segment: 0, data: 0 };
            let program = compile_within(proved.kernel(), level(), None, &limits).unwrap_or_else(|e| panic!("{e}"));
            let checked = check(&proved, &program).unwrap_or_else(|e| panic!("{arity}: {e}\n{program}"));
            assert_eq!((checked.report().routines, checked.report().patterns), if twice { (1, 2) } else { (0, 1) });
            let callable = Callable::new(&checked).unwrap_or_else(|e| panic!("{arity}: {e}"));
            let interpreter = Vectors::new(proved.kernel(), &program, &mut rng, 6);
            interpreter.judge(checked.report(), &program).unwrap_or_else(|e| panic!("{arity}: {e}"));
            let outputs = (arity / 3) as usize;
            let mut arrays: Vec<Vec<u64>> = (0..arity).map(|_| vec![rng.word(), rng.word()]).collect();
            let sum = |of: &[Vec<u64>], j: usize| {
                of.iter().zip(1u64..).fold(0u64, |sum, (x, i)| sum.wrapping_add(x[j].wrapping_mul(i)))
            };
            let mut inputs = arrays[outputs..].to_vec();
            if twice {
                let t: Vec<Vec<u64>> =
                    (0..outputs as u64).map(|i| (0..2).map(|j| sum(&inputs, j).wrapping_add(i)).collect()).collect();
                inputs = t.into_iter().chain(arrays[2 * outputs..].iter().cloned()).collect();
            }
            callable.call(&mut arrays).unwrap_or_else(|e| panic!("{arity}: {e}"));
            for (out, i) in arrays[..outputs].iter().zip(0u64..) {
                assert_eq!(*out, [0, 1].map(|j| sum(&inputs, j).wrapping_add(i)), "{arity}");
            }
        }
    }
}

/// What a function and one of its routines both call is named after both.
#[test]
fn a_routine_that_two_others_call() {
    let [mul, square, ..] = callees();
    let word = Type::Word(64);
    let full = || vec![word.full()];
    let four = |squares: &Arc<Kernel>, name: &str, count: u32, first: &Arc<Kernel>| {
        let mut b = Builder::new(name, 64);
        let (out, a) =
            (b.array("out", word, 4, ArrayKind::Output, full()), b.array("a", word, 4, ArrayKind::Input, full()));
        b.must_be_disjoint(out, a);
        let (squares, first) = (b.callee(squares.clone()), b.callee(first.clone()));
        for i in 0..count {
            let from = if i == 0 { a } else { out };
            b.call(squares, [out, from].map(View::whole).to_vec());
        }
        for _ in 0..2 {
            let views = [out, out, a].map(View::whole);
            b.call(first, views.to_vec());
        }
        Arc::new(b.finish(Contract::default()))
    };
    // The square comes first in the function, and again in its routine, written apart.
    let inner = four(&Arc::new(Kernel::clone(&square)), "inner", 3, &mul);
    let mut b = Builder::new("outer", 64);
    let (out, a) =
        (b.array("out", word, 4, ArrayKind::Output, full()), b.array("a", word, 4, ArrayKind::Input, full()));
    b.must_be_disjoint(out, a);
    let t = b.array("t", word, 4, ArrayKind::Local, full());
    let (square, inner) = (b.callee(square), b.callee(inner));
    b.call(square, [out, a].map(View::whole).to_vec());
    b.call(square, [t, out].map(View::whole).to_vec());
    b.call(inner, [out, t].map(View::whole).to_vec());
    b.call(inner, [t, out].map(View::whole).to_vec());
    b.call(square, [out, t].map(View::whole).to_vec());
    let kernel = b.finish(Contract::default());
    let Outcome::Proved(proved) = prove(&kernel) else { panic!("not proved") };
    let limits = Limits { straight: 0, inline: 0, segment: 0, data: 0 };
    let program = compile_within(proved.kernel(), level(), None, &limits).unwrap_or_else(|e| panic!("{e}"));
    let checked = check(&proved, &program).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(checked.report().routines, program.callees.len());
    assert_eq!(program.callees.len(), 3, "{program}");
    let callable = Callable::new(&checked).unwrap_or_else(|e| panic!("{e}"));
    let p = (BigUint::from(1u32) << 255) - 19u32;
    let mut rng = Rng(10);
    let a: Vec<u64> = (0..4).map(|_| rng.word()).collect();
    let number = |x: &[u64]| x.iter().rev().fold(BigUint::ZERO, |sum, w| (sum << 64) + *w);
    let mut arrays = vec![vec![0; 4], a.clone()];
    callable.call(&mut arrays).unwrap_or_else(|e| panic!("{e}"));
    // Three squares and two products by the operand make x^10 of x.
    assert_eq!(number(&arrays[0]) % &p, number(&a).modpow(&(4u32 * 100u32 * 2).into(), &p));
}
