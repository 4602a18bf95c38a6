//! Programs with loops and calls: random kernels against the interpreter, long fields against big integers, mutants
//! against the checker.

use crate::common::judge as mutants;
use crate::kernels::rolled;

use std::sync::Arc;

use crate::common::{Rng, Vectors};
use evariste_algorithms::layouts;
use evariste_algorithms::{Operation, plans};
use evariste_codegen::check::{check, check_kernel};
use evariste_codegen::outline::Limits;
use evariste_codegen::x86_64::X86_64;
use evariste_codegen::x86_64::{Features, Opcode, Program, compile_within};
use evariste_descriptions::Field;
use evariste_ir::contract::{Claim, Multiplication, Operand};
use evariste_ir::{ArrayKind, Builder, Contract, Kernel, Type, View};
use evariste_jit::{constant_time, encode, features};
use evariste_proof::{Outcome, prove};
use evariste_testing::machine::Callable;
use num_bigint::BigInt;

/// All that there is, not only what is quick: with `EVARISTE_FULL=1`.
fn full() -> bool {
    std::env::var("EVARISTE_FULL").is_ok_and(|v| v == "1")
}

fn has(program: &Program, op: impl Fn(Opcode) -> bool) -> bool {
    program.code.iter().any(|inst| op(inst.op))
}

#[test]
fn random_kernels_run() {
    let mut rng = Rng(0xbb67_ae85_84ca_a73b);
    let (mut run, mut vectors, mut loops, mut calls, mut refused) = (0, 0, 0, 0, Vec::new());
    let kernels = if full() { 10_000 } else { 400 };
    for round in 0..kernels {
        let seed = rng.0;
        let kernel = rolled::kernel(&mut rng);
        let level = [Features::BASELINE, Features::BMI2, Features::ADX][round % 3];
        let limits = Limits {
            straight: 0,
            segment: [0, 4, 12, 40][rng.below(4) as usize],
            inline: [0, 0, 20][rng.below(3) as usize],
            data: 0,
        };
        let program =
            compile_within(&kernel, level, None, &limits).unwrap_or_else(|e| panic!("seed {seed:#x}: {e}\n{kernel}"));
        let code = encode(&program).unwrap_or_else(|e| panic!("seed {seed:#x} {level}: {e}"));
        constant_time(&code).unwrap_or_else(|e| panic!("seed {seed:#x} {level}: {e}"));
        let report = match check_kernel(&kernel, &program) {
            Ok(report) => report,
            Err(e) => {
                refused.push(format!("seed {seed:#x} {level} {limits:?}: {e}"));
                continue;
            }
        };
        let prepared = Vectors::new(&kernel, &program, &mut rng, 8);
        prepared
            .judge(report, &program)
            .unwrap_or_else(|e| panic!("seed {seed:#x} {level} {limits:?}: {e}\n{kernel}\n{program}"));
        run += 1;
        vectors += prepared.len();
        loops += usize::from(has(&program, |op| matches!(op, Opcode::JumpIf(_))));
        calls += usize::from(has(&program, |op| op == Opcode::Call));
    }
    println!(
        "{run} programs, {loops} with loops and {calls} with calls, ran on {vectors} vectors; the checker did not recognise {}",
        refused.len()
    );
    assert!(loops * 2 > run && calls * 20 > run, "the kernels are rolled");
    assert!(
        refused.len() * 200 <= kernels,
        "the checker recognises at least 199 programs of 200:\n{}",
        refused.join("\n")
    );
}

/// The number that an operand's digits make.
fn number(operand: &Operand, kernel: &Kernel, arrays: &[Vec<u64>]) -> BigInt {
    let place = |d: &evariste_ir::contract::Digit| kernel.params().position(|a| a == d.array);
    operand.digits.iter().filter_map(|d| Some(BigInt::from(arrays[place(d)?][d.index as usize]) << d.weight)).sum()
}

/// Runs the code on random numbers within its contract and asks big integers whether the claim holds.
pub fn claims_hold(kernel: &Kernel, callable: &Callable, rng: &mut Rng) {
    for round in 0..12 {
        let mut arrays: Vec<Vec<u64>> = kernel.params().map(|a| vec![0; kernel.array(a).len as usize]).collect();
        for input in &kernel.contract.inputs {
            // Digits at edges now and then; from the top, so that the number stays below its bound.
            let mut left = input.bound.clone();
            for d in input.digits.iter().rev() {
                let most = (&left >> d.weight).min(d.max.clone());
                let most = u64::try_from(&most).unwrap_or(u64::MAX);
                let x = match round {
                    0 => 0,
                    1 => most,
                    _ => rng.edge_word() % most.saturating_add(1).max(1),
                };
                left -= BigInt::from(x) << d.weight;
                let place =
                    kernel.params().position(|a| a == d.array).unwrap_or_else(|| panic!("a digit of no parameter"));
                arrays[place][d.index as usize] = x;
            }
        }
        let inputs: Vec<BigInt> = kernel.contract.inputs.iter().map(|input| number(input, kernel, &arrays)).collect();
        callable.call(&mut arrays).unwrap_or_else(|e| panic!("{}: {e}", kernel.name));
        for claim in &kernel.contract.claims {
            let output = number(claim.output(), kernel, &arrays);
            assert!(output <= claim.output().bound, "{}: {output} is above its bound", kernel.name);
            let difference = match claim {
                Claim::Value { factor, polynomial, modulus, .. } => {
                    let difference = factor * &output - polynomial.evaluate(&inputs);
                    modulus.as_ref().map_or(difference.clone(), |m| difference % m.value(&inputs))
                }
                Claim::Power { base, exponent, product: Multiplication::Modular { factor, modulus }, .. } => {
                    let exponent = BigInt::from(exponent.clone());
                    let left = output * factor.modpow(&(&exponent - 1), modulus);
                    (left - inputs[*base as usize].modpow(&exponent, modulus)) % modulus
                }
                _ => panic!("{}: no claim about numbers", kernel.name),
            };
            assert_eq!(difference, BigInt::from(0), "{} on {inputs:?}", kernel.name);
        }
    }
}

/// Every plan of an operation whose word has 64 bits, rolled, checked and run; the bytes of code.
fn long(field: &str, operation: &Operation, wanted: impl Fn(&str) -> bool) {
    let here = features::<X86_64>().unwrap_or(Features::ADX);
    let parsed = Field::parse(field).unwrap_or_else(|e| panic!("{field}: {e:?}"));
    let mut rng = Rng(7);
    let mut done = 0;
    for layout in layouts(&parsed, 64) {
        for plan in plans(&parsed, &layout, operation).into_iter().filter(|p| wanted(&p.name())) {
            let Ok(kernel) = plan.write() else { continue };
            let Outcome::Proved(proved) = prove(&kernel) else { panic!("{field} {} is not proved", plan.name()) };
            let program = compile_within(proved.kernel(), here, None, &Limits::default())
                .unwrap_or_else(|e| panic!("{field} {}: {e}", plan.name()));
            let is_rolled = has(&program, |op| matches!(op, Opcode::JumpIf(_) | Opcode::Call));
            assert!(is_rolled, "{field} {} has loops or calls", plan.name());
            let checked = check(&proved, &program).unwrap_or_else(|e| panic!("{field} {}: {e}", plan.name()));
            let callable = Callable::new(&checked).unwrap_or_else(|e| panic!("{field} {}: {e}", plan.name()));
            let bytes = encode(&program).map_or(0, |code| code.bytes.len());
            println!("{field} {} by {}: {bytes} bytes", operation.name(), plan.name());
            assert!(bytes < 1 << 15, "rolled code fits the instruction cache");
            claims_hold(proved.kernel(), &callable, &mut rng);
            done += 1;
        }
    }
    assert!(done > 0, "{field} has a plan for {}", operation.name());
}

#[test]
fn long_products() {
    long("int4096", &Operation::MUL, |_| true);
    if full() {
        long("int4096", &Operation::SQUARE, |_| true);
        long("2^4096 - 2549", &Operation::MUL, |name| name.contains("rolled"));
    }
}

#[test]
fn inverses_and_powers() {
    long("25519", &Operation::INVERSE, |name| name.ends_with("/4x64"));
    long("bls12-381-fp", &Operation::INVERSE, |name| name == "safegcd/6x64");
    long("25519", &Operation::POWER.with((num_bigint::BigUint::from(1u32) << 252) - 3u32), |name| {
        name.ends_with("/5x51")
    });
    if full() {
        long("p256", &Operation::INVERSE, |_| true);
        long("p521", &Operation::INVERSE, |name| name.starts_with("addition-chain"));
    }
}

/// A product of n digits by rows: a loop of calls, or of what is inlined.
fn product(n: u32, twice: bool) -> Kernel {
    let word = Type::Word(64);
    let full = || vec![word.full()];
    let mut b = Builder::new("row", 64);
    let t = b.array("t", word, n + 1, ArrayKind::InOut, full());
    let x = b.array("x", word, n, ArrayKind::Input, full());
    let y = b.array("y", word, 1, ArrayKind::Input, full());
    for (p, q) in [(t, x), (t, y)] {
        b.must_be_disjoint(p, q);
    }
    let factor = b.load(y, 0u32);
    let none = b.zero(word);
    let carry = b.repeat(n, &[(none, word.full())], |b, c, carry| {
        let (old, digit) = (b.load(t, c), b.load(x, c));
        let (low, high) = b.mul_add_add(digit, factor, old, carry[0]);
        b.store(t, c, low);
        vec![high]
    });
    b.store(t, n, carry[0]);
    let row = Arc::new(b.finish(Contract::default()));
    let mut b = Builder::new("product", 64);
    let out = b.array("out", word, 2 * n, ArrayKind::Output, full());
    let (x, y) = (b.array("x", word, n, ArrayKind::Input, full()), b.array("y", word, n, ArrayKind::Input, full()));
    let sum = b.array("sum", word, 2 * n, ArrayKind::Local, full());
    let zero = b.zero(word);
    b.repeat(2 * n, &[], |b, c, _| {
        b.store(sum, c, zero);
        Vec::new()
    });
    let row = b.callee(row);
    b.repeat(if twice { n - 1 } else { n }, &[], |b, c, _| {
        b.call(row, vec![View::from(sum, c), View::whole(x), View::from(y, c)]);
        Vec::new()
    });
    if twice {
        b.call(row, vec![View::from(sum, n - 1), View::whole(x), View::from(y, n - 1)]);
    }
    b.repeat(2 * n, &[], |b, c, _| {
        let v = b.load(sum, c);
        b.store(out, c, v);
        Vec::new()
    });
    b.finish(Contract::default())
}

#[test]
fn mutants_are_refused() {
    let level = features::<X86_64>().unwrap_or(Features::ADX);
    let mut rng = Rng(11);
    for (twice, segment, inline) in [(false, 0, 0), (false, 12, 0), (true, 0, 0), (true, 0, 100)] {
        let kernel = product(3, twice);
        let limits = Limits { straight: 0, segment, inline, data: 0 };
        let program = compile_within(&kernel, level, None, &limits).unwrap_or_else(|e| panic!("{e}\n{kernel}"));
        assert!(
            has(&program, |op| matches!(op, Opcode::JumpIf(_)))
                && has(&program, |op| op == Opcode::Call) == (inline == 0),
            "{program}"
        );
        let (refused, accepted) = mutants::judge(&kernel, &program, &mut rng);
        println!("{} instructions: {refused} mutants refused, {accepted} accepted and right", program.code.len());
        assert!(refused > 5 * accepted);
    }
}
