//! Measures the interpreter: lane-operations per second (one statement of the kernel in one lane) for each lane type,
//! and the rate of exhaustive checks with a contract.
//!
//!     cargo run --release -p evariste-ir --example rate

use std::time::Instant;

use evariste_ir::contract::{Claim, Contract, Operand, Polynomial};
use evariste_ir::interpret::{Axis, ClaimChecker, Product};
use evariste_ir::{Builder, Interpreter, Interval, Kernel, Type, Value};
use num_bigint::BigInt;

/// Operand scanning, `n` by `n` words of `w` bits.
fn product(w: u32, n: u32) -> Kernel {
    let mut k = Builder::new("product", w);
    let top = BigInt::from((1u128 << w) - 1);
    let r = k.output("r", 2 * n, std::slice::from_ref(&top));
    let a = k.input("a", n, std::slice::from_ref(&top));
    let b = k.input("b", n, &[top]);
    let (xs, ys) = (k.load_all(a), k.load_all(b));
    let zero = k.word_constant(0);
    let mut t = vec![zero; 2 * n as usize];
    for (i, x) in xs.iter().enumerate() {
        let mut carry = zero;
        for (j, y) in ys.iter().enumerate() {
            (t[i + j], carry) = k.mul_add_add(*x, *y, t[i + j], carry);
        }
        t[i + n as usize] = carry;
    }
    k.store_all(r, &t);
    let number = |name: &str, array, n: u32| {
        let weights: Vec<u32> = (0..n).map(|i| i * w).collect();
        Operand::new(name, array, &weights, &[BigInt::from((1u128 << w) - 1)], (BigInt::from(1) << (n * w)) - 1)
    };
    let claim = Claim::Value {
        output: number("r", r, 2 * n),
        factor: 1.into(),
        polynomial: Polynomial::default().plus(1, &[0, 1]),
        modulus: None,
    };
    k.finish(Contract { facts: Vec::new(), inputs: vec![number("a", a, n), number("b", b, n)], claims: vec![claim] })
}

/// Additions with carry, masks and selections: the other half of a modular operation.
fn carries(w: u32, n: u32) -> Kernel {
    let mut k = Builder::new("carries", w);
    let top = BigInt::from((1u128 << w) - 1);
    let r = k.output("r", n, std::slice::from_ref(&top));
    let a = k.input("a", n, std::slice::from_ref(&top));
    let b = k.input("b", n, &[top]);
    let (xs, ys) = (k.load_all(a), k.load_all(b));
    let mut flag = k.no_flag();
    let mut sums = Vec::new();
    for (x, y) in xs.iter().zip(&ys) {
        let (s, c) = k.add_carry(*x, *y, flag);
        sums.push(s);
        flag = c;
    }
    let mask = k.flag_to_mask(flag);
    let chosen: Vec<Value> = sums.iter().zip(&xs).map(|(s, x)| k.select(mask, *s, *x)).collect();
    k.store_all(r, &chosen);
    k.finish(Contract::default())
}

/// Products of polynomials over GF(2), one bit a word.
fn bits(n: usize) -> Kernel {
    let mut k = Builder::new("bits", 1);
    let bit = Interval::bits(1);
    let r = k.array("r", Type::Word(1), 2 * n as u32 - 1, evariste_ir::ArrayKind::Output, vec![bit]);
    let one = [BigInt::from(1)];
    let a = k.input("a", n as u32, &one);
    let b = k.input("b", n as u32, &one);
    let (xs, ys) = (k.load_all(a), k.load_all(b));
    let zero = k.word_constant(0);
    let mut t = vec![zero; 2 * n - 1];
    for i in 0..n {
        for j in 0..n {
            let p = k.and(xs[i], ys[j]);
            t[i + j] = k.xor(t[i + j], p);
        }
    }
    k.store_all(r, &t);
    k.finish(Contract::default())
}

fn measure(what: &str, kernel: &Kernel) {
    let statements = kernel.body.len();
    let interpreter = Interpreter::new(kernel);
    let mut batch = interpreter.batch(interpreter.block_lanes());
    let mut state = 1u64;
    for array in kernel.params() {
        for i in 0..kernel.array(array).len {
            for lane in 0..batch.lanes() {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                batch.set(array, i, lane, (state >> (64 - kernel.word)) as u128);
            }
        }
    }
    let (mut best, mut runs) = (f64::INFINITY, 0);
    let begin = Instant::now();
    while runs < 20 || begin.elapsed().as_secs_f64() < 0.5 {
        let start = Instant::now();
        assert!(interpreter.run(&mut batch).is_clean());
        best = best.min(start.elapsed().as_secs_f64());
        runs += 1;
    }
    let rate = statements as f64 * batch.lanes() as f64 / best;
    println!(
        "{what:42} {statements:6} statements {:6} lanes of {:3} bits {:8.2} G lane-operations/s",
        batch.lanes(),
        interpreter.lane_bits(),
        rate / 1e9
    );
}

/// Every input of a product of two numbers of two words, with its contract.
fn exhaust(w: u32) {
    let kernel = product(w, 2);
    let (interpreter, mut checker) = (Interpreter::new(&kernel), ClaimChecker::new(&kernel));
    let number = |name| Axis::number(kernel.find(name).expect("a parameter"), 2, w, 0, (1 << (2 * w)) - 1);
    let inputs = Product(vec![number("a"), number("b")]);
    let start = Instant::now();
    let wrong = inputs.blocks(&interpreter, |batch, _, count| {
        checker.capture(batch);
        let report = interpreter.run(batch);
        checker.check(batch, &report, count)
    });
    assert_eq!(wrong, None);
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "every product of two words of {w} bits, contract checked: {} inputs, {:.1} million inputs/s",
        inputs.len(),
        inputs.len() as f64 / seconds / 1e6
    );
}

fn main() {
    measure("product, 3 words of 3 bits", &product(3, 3));
    measure("product, 3 words of 5 bits", &product(5, 3));
    measure("carries and selection, 3 words of 5 bits", &carries(5, 3));
    measure("product, 8 words of 32 bits", &product(32, 8));
    measure("product, 4 words of 64 bits", &product(64, 4));
    measure("carries and selection, 4 words of 64 bits", &carries(64, 4));
    measure("GF(2) product of 64 bits", &bits(64));
    exhaust(5);
    exhaust(6);
}
