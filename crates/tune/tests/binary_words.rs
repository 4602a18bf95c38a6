//! Binary fields of polynomials in whole words: every plan is proved, and gives the shared vectors by the interpreter
//! and by C of gcc and clang; by carry-less products also in lanes.

use crate::support;

use crate::support::{
    Case, check_compiled, compilers, field, flag_sets, full, interpret, light_sets, prove_plans, run_compiled,
};
use evariste_algorithms::{Operation, layouts, plans};
use evariste_backend::assemble;
use evariste_backend::features;
use evariste_codegen::program::{Lanes, Parameter};
use evariste_codegen::x86_64::X86_64;
use evariste_codegen::x86_64::lanes::{Shape, graph, operations, shapes};
use evariste_codegen::x86_64::{self, Features, Width};
use evariste_descriptions::{BinaryField, Field};
use evariste_ir::Interpreter;
use evariste_testing::machine::Callable;
use evariste_testing::turn;
use evariste_tune::operands::Stream;
use num_bigint::{BigInt, BigUint};
use rayon::prelude::*;
use serde_json::Value;

/// One plan in that many is compiled by a compiler in a default run.
const STRIDE: usize = 24;

/// The same of fields longer than a word in a full run, others each day: compilers take too long for all.
const STRIDE_FULL: usize = 6;

fn hex(v: &Value) -> BigInt {
    BigUint::parse_bytes(v.as_str().expect("a string").as_bytes(), 16).expect("hexadecimal").into()
}

/// Operands and results of the operation.
fn vectors(entry: &Value, op: &Operation) -> Vec<(Vec<BigInt>, BigInt)> {
    let m = entry["m"].as_u64().expect("a degree");
    let case = |c: &Value| match op.row().name {
        "mul" => (vec![hex(&c[0]), hex(&c[1])], hex(&c[2])),
        "square" => (vec![hex(&c[0])], hex(&c[3])),
        // Both operands are one vector of the contract.
        "add" => (vec![hex(&c[0]) + (hex(&c[1]) << m)], hex(&c[0]) ^ hex(&c[1])),
        _ => (vec![1.into(), hex(&c[0]), hex(&c[1])], hex(&c[1])),
    };
    entry["cases"].as_array().expect("cases").iter().map(case).collect()
}

fn wrong(case: &Case, entry: &Value, results: &[BigInt]) -> Vec<String> {
    let all = vectors(entry, &case.plan.operation);
    assert_eq!(all.len(), results.len());
    let differ = all.iter().zip(results).filter(|((_, right), result)| right != *result);
    differ.map(|((x, right), result)| format!("{}: {x:x?} gives {result:x}, not {right:x}", case.title())).collect()
}

#[test]
fn shared_vectors() {
    let all: Value = serde_json::from_str(include_str!("../../../vectors/binary-fields.json")).expect("JSON");
    let (mut complaints, mut proved, mut compiled, mut assembled) = (Vec::new(), 0, 0, 0);
    // Machine code of carry-less products needs vector registers for one element too.
    let features =
        features::<X86_64>().ok().filter(|f| f.covers(Features { avx2: true, pclmul: true, ..Features::BASELINE }));
    for (at, entry) in all["fields"].as_array().expect("fields").iter().enumerate() {
        let f = field(entry["field"].as_str().expect("a field"));
        let m = entry["m"].as_u64().expect("a degree") as u32;
        let words: &[u32] = match m {
            ..=64 => &[64, 32, 16, 8],
            65..=131 => &[64, 8],
            _ if full() => [&[64, 32], &[64, 16], &[64, 8]][at % 3],
            _ => &[64],
        };
        let operations = [Operation::MUL, Operation::SQUARE, Operation::ADD, Operation::SELECTZNZ];
        let mut candidates = Vec::new();
        for layout in words.iter().flat_map(|w| layouts(&f, *w)) {
            candidates.extend(operations.iter().flat_map(|op| plans(&f, &layout, op)));
        }
        // Long kernels take seconds each to be proved: a few of them by default.
        let long = |p: &evariste_algorithms::Plan| {
            m > 200 && !full() && (p.algorithm.contains("comb") || p.algorithm.contains("barrett"))
        };
        candidates.retain(|p| !long(p));
        let start = std::time::Instant::now();
        let (cases, failures) = prove_plans(&candidates);
        complaints.extend(failures);
        proved += cases.len();
        let operands = |case: &Case| -> Vec<Vec<BigInt>> {
            vectors(entry, &case.plan.operation).into_iter().map(|(x, _)| x).collect()
        };
        let interpreted = |case: &Case| match interpret(&Interpreter::checking_ranges(case.kernel()), &operands(case)) {
            Ok(results) => wrong(case, entry, &results),
            Err(e) => vec![format!("{}: {e}", case.title())],
        };
        complaints.extend(cases.par_iter().flat_map_iter(interpreted).collect::<Vec<_>>());
        for case in cases.iter().filter(|c| c.plan.layout.word == 64 && c.plan.algorithm.contains("clmul")) {
            let Some(features) = features else { continue };
            let code =
                assemble::<X86_64>(&case.proved, features, None).unwrap_or_else(|e| panic!("{}: {e}", case.title()));
            assembled += 1;
            let results: Vec<BigInt> = operands(case).iter().map(|x| run_compiled(case.kernel(), &code, x)).collect();
            complaints.extend(wrong(case, entry, &results));
        }
        let seconds = start.elapsed().as_secs_f64();
        for (k, compiler) in compilers("binary fields").iter().enumerate() {
            let drawn = |i: usize| match full() {
                true => m <= 64 || turn(i + at + k * STRIDE_FULL / 2, STRIDE_FULL) == 0,
                false => (i + at + k * 5).is_multiple_of(STRIDE),
            };
            let chosen: Vec<&Case> = cases.iter().enumerate().filter(|(i, _)| drawn(*i)).map(|(_, c)| c).collect();
            compiled += chosen.len();
            let more: [&[&str]; 2] = [&["-O1", "-DEVARISTE_PORTABLE"], &["-O1", "-mpclmul"]];
            let sets = if m <= 64 { flag_sets() } else { light_sets() };
            let all: Vec<&[&str]> = sets.into_iter().chain(more.into_iter().filter(|_| full())).collect();
            // Long kernels are compiled by -O1, and in one more way by turns.
            let taken = |i: usize| m <= 64 || i == 0 || i == 1 + (at + k) % (all.len() - 1).max(1);
            for flags in all.iter().enumerate().filter(|(i, _)| taken(*i)).map(|(_, flags)| *flags) {
                complaints.extend(check_compiled(&chosen, compiler, flags, |case, function| {
                    let results: Vec<BigInt> =
                        operands(case).iter().map(|x| run_compiled(case.kernel(), function, x)).collect();
                    wrong(case, entry, &results)
                }));
            }
        }
        let slowest = cases.iter().max_by(|a, b| a.ms.total_cmp(&b.ms)).expect("a case");
        println!(
            "{m:>4}: {:>3} plans, {seconds:.1} s, {:.1} s in all; slowest {:.0} ms: {}",
            cases.len(),
            start.elapsed().as_secs_f64(),
            slowest.ms,
            slowest.plan.name()
        );
    }
    support::none(&complaints);
    println!("{proved} plans proved, {compiled} compiled, {assembled} in machine code");
    assert!(features.is_none() || assembled > 50, "{assembled} in machine code");
    assert!(proved > 350 && compiled >= 20, "{proved} plans, {compiled} compiled");
}

/// Calls code for lanes on as many elements as it takes; a word of an element is its lane of a vector.
fn call_lanes(callable: &Callable, order: Lanes, len: usize, elements: &[Vec<BigInt>]) -> Vec<BigInt> {
    let count = order.count as usize;
    let place = |element: usize, word: usize| (element / count * len + word) * count + element % count;
    let operand = |i: usize| {
        let mut words = vec![0u64; len * order.elements() as usize];
        for (e, values) in elements.iter().enumerate() {
            for (word, digit) in values[i].to_u64_digits().1.into_iter().enumerate() {
                words[place(e, word)] = digit;
            }
        }
        words
    };
    let mut inputs = 0..;
    let mut array = |param: &Parameter| match param.role.is_written() {
        true => vec![0; param.len as usize],
        false => operand(inputs.next().unwrap_or_default()),
    };
    let mut arrays: Vec<Vec<u64>> = callable.params().iter().map(&mut array).collect();
    callable.call(&mut arrays).expect("it runs");
    let out = &arrays[callable.params().iter().position(|param| param.role.is_written()).expect("an output")];
    let number = |e: usize| (0..len).rev().fold(BigInt::ZERO, |x, word| (x << 64u32) + out[place(e, word)]);
    (0..elements.len()).map(number).collect()
}

/// Carry-less products in vectors of 256 bits.
const NARROW: Features = Features { vpclmul: true, ..Features::AVX2 };

/// Operations that the best product with reduction may take for eight elements.
const MOST_OPERATIONS: [(u32, u32); 2] = [(131, 70), (163, 70)];

#[test]
fn lanes() {
    let (mut made, mut ran) = (0, 0);
    for m in if full() { vec![8, 57, 64, 113, 131, 163, 233, 283, 409, 571] } else { vec![8, 64, 131, 163, 233, 283] } {
        let f = Field::new(evariste_descriptions::BinaryField::standard(m).expect("a degree"));
        let Some(reference) = f.get::<BinaryField>() else { panic!("a binary field") };
        let layout = layouts(&f, 64).remove(0);
        let mut candidates: Vec<_> =
            [Operation::MUL, Operation::SQUARE].iter().flat_map(|op| plans(&f, &layout, op)).collect();
        candidates
            .retain(|p| p.algorithm.starts_with("clmul") && (m < 200 || full() || !p.algorithm.ends_with("barrett")));
        let (cases, failures) = prove_plans(&candidates);
        assert!(failures.is_empty(), "{failures:?}");
        let mut best = u32::MAX;
        for case in &cases {
            let g =
                graph(case.kernel(), Features::AVX512, Width::Z).unwrap_or_else(|e| panic!("{}: {e}", case.title()));
            let operations = operations(&g);
            println!(
                "{m:>4} {:<40} {operations:>4} operations, bound {:.2} cycles",
                case.title(),
                x86_64::lanes::bound(&g, Width::Z, evariste_cores::reference())
            );
            if case.plan.operation == Operation::MUL {
                best = best.min(operations);
            }
            let narrow = graph(case.kernel(), NARROW, Width::Y).unwrap_or_else(|e| panic!("{}: {e}", case.title()));
            let narrow = [Shape::single(Width::Y)]
                .into_iter()
                .chain(shapes(case.kernel(), &narrow, Width::Y).into_iter().take(if full() { 8 } else { 0 }));
            for shape in [Shape::single(Width::Z)]
                .into_iter()
                .chain(shapes(case.kernel(), &g, Width::Z).into_iter().take(if full() { 8 } else { 1 }))
                .chain(narrow)
            {
                let program = x86_64::lanes::compile(&case.proved, Features::AVX512, shape)
                    .unwrap_or_else(|e| panic!("{} {shape}: {e}", case.title()));
                let checked = evariste_codegen::check::check(&case.proved, &program)
                    .unwrap_or_else(|e| panic!("{} {shape}: {e}", case.title()));
                let callable = Callable::new(&checked).unwrap_or_else(|e| panic!("{} {shape}: {e}", case.title()));
                made += 1;
                let elements = program.lanes.elements() as usize;
                let mut stream = Stream::new(u64::from(m));
                let most: BigInt = (BigInt::from(1) << m) - 1;
                let operands = case.kernel().contract.inputs.len();
                let sets: Vec<Vec<BigInt>> = (0..elements)
                    .map(|e| {
                        (0..operands).map(|i| if e % 8 == i { most.clone() } else { stream.number(&most) }).collect()
                    })
                    .collect();
                for (x, z) in sets.iter().zip(call_lanes(&callable, program.lanes, layout.digits(), &sets)) {
                    let x: Vec<BigUint> = x.iter().map(|x| x.magnitude().clone()).collect();
                    let right = if operands == 2 { reference.multiply(&x[0], &x[1]) } else { reference.square(&x[0]) };
                    assert_eq!(*z.magnitude(), right, "{} {shape} of {x:x?}", case.title());
                }
                ran += elements;
            }
        }
        if let Some((_, most)) = MOST_OPERATIONS.iter().find(|(d, _)| *d == m) {
            assert!(best <= *most, "m = {m}: {best} operations, {most} at most");
        }
    }
    println!("{made} programs, {ran} results compared");
}
