//! The interpreter against direct evaluation on big integers: every operation, exhaustively at words of 1 and 3 to 5
//! bits, on edges and pseudo-random values at 64 bits, with operands of both signs.

use std::sync::Arc;

use crate::common::{Case, Outcome, cases, combinations, decode, evaluate, is_pattern, operand_ranges};
use evariste_ir::interpret::{Fault, RunError};
use evariste_ir::prune::prune;
use evariste_ir::range::pow2;
use evariste_ir::verify::verify;
use evariste_ir::{Array, ArrayKind, Builder, Contract, Index, Interpreter, Interval, Kernel, Op, Type, View};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// A kernel of one operation: one array of one element for each operand and result.
fn kernel(case: &Case, ranges: &[Interval], w: u32) -> (Kernel, Vec<Array>, Vec<Array>) {
    let mut k = Builder::new("one", w);
    let outs: Vec<Array> = case
        .results
        .iter()
        .enumerate()
        .map(|(i, t)| k.array(format!("r{i}"), *t, 1, ArrayKind::Output, vec![t.full()]))
        .collect();
    let ins: Vec<Array> = case
        .args
        .iter()
        .zip(ranges)
        .enumerate()
        .map(|(i, (t, r))| k.array(format!("a{i}"), *t, 1, ArrayKind::Input, vec![r.clone()]))
        .collect();
    let args: Vec<_> = ins.iter().map(|a| k.load(*a, 0u32)).collect();
    let results = k.op(case.op.clone(), &args, &case.results);
    for (array, v) in outs.iter().zip(results) {
        k.store(*array, 0u32, v);
    }
    (k.finish(Contract::default()), outs, ins)
}

/// Compares one operation on the given operand patterns (all combinations); counts the comparisons.
fn compare(case: &Case, w: u32, patterns: &[Vec<BigInt>]) -> usize {
    let mut compared = 0;
    let ranges: Vec<Vec<Interval>> = case.args.iter().map(|t| operand_ranges(*t)).collect();
    for ranges in combinations(&ranges) {
        let (kernel, outs, ins) = kernel(case, &ranges, w);
        let result_range = kernel.values[kernel.values.len() - case.results.len()].range.clone();
        let interpreter = Interpreter::new(&kernel);
        let inputs: Vec<Vec<BigInt>> = combinations(patterns)
            .into_iter()
            .filter(|c| {
                c.iter()
                    .zip(&case.args)
                    .zip(&ranges)
                    .all(|((p, t), r)| is_pattern(*t, p) && r.contains(&decode(p, *t, r)))
            })
            .collect();
        if inputs.is_empty() {
            continue;
        }
        let mut batch = interpreter.batch(inputs.len());
        for (lane, input) in inputs.iter().enumerate() {
            for (a, p) in ins.iter().zip(input) {
                batch.set(*a, 0, lane, p.to_u128().unwrap());
            }
        }
        let report = interpreter.run(&mut batch);
        for (lane, input) in inputs.iter().enumerate() {
            let values: Vec<BigInt> =
                input.iter().zip(&case.args).zip(&ranges).map(|((p, t), r)| decode(p, *t, r)).collect();
            let got: Vec<BigInt> = outs.iter().map(|o| BigInt::from(batch.get(*o, 0, lane))).collect();
            let show = || format!("{case:?} {ranges:?} {values:?}");
            match evaluate(case, input, &values) {
                Outcome::Patterns(expected) => {
                    assert_eq!(got, expected, "{}", show());
                    assert!(!report.lane_is_bad(lane), "{}", show());
                }
                Outcome::Exact(exact) => {
                    let fits = decode(&got[0], case.results[0], &result_range) == exact;
                    let window = if result_range.lo < BigInt::ZERO {
                        Interval::new(-pow2(case.results[0].bits() - 1), pow2(case.results[0].bits() - 1) - 1)
                    } else {
                        case.results[0].full()
                    };
                    assert_eq!(fits, window.contains(&exact), "{} gives {}", show(), got[0]);
                    assert_eq!(report.lane_is_bad(lane), !fits, "{}", show());
                }
            }
            compared += 1;
        }
    }
    compared
}

fn all_patterns(ty: Type) -> Vec<BigInt> {
    match ty {
        Type::Flag => vec![0.into(), 1.into()],
        Type::Mask(n) => vec![0.into(), pow2(n as u32) - 1],
        _ => (0..1u64 << ty.bits()).map(BigInt::from).collect(),
    }
}

fn exhaust(w: u8, widest: u32) -> usize {
    let shifts: Vec<u32> = (0..=2 * w as u32).collect();
    cases(w, &shifts)
        .iter()
        .filter(|c| c.args.iter().map(|t| if matches!(t, Type::Mask(_)) { 1 } else { t.bits() }).sum::<u32>() <= widest)
        .map(|case| compare(case, w as u32, &case.args.iter().map(|t| all_patterns(*t)).collect::<Vec<_>>()))
        .sum()
}

#[test]
fn every_operation_on_every_input_of_toy_words() {
    assert!(exhaust(1, 9) > 1000);
    assert!(exhaust(3, 13) > 100_000);
    assert!(exhaust(4, 13) > 100_000);
    assert!(exhaust(5, 13) > 100_000);
}

/// Edges of a type's values, and some value between them; a few only of what has many operands.
fn edges(ty: Type, few: bool) -> Vec<BigInt> {
    if matches!(ty, Type::Flag | Type::Mask(_)) {
        return all_patterns(ty);
    }
    let n = ty.bits();
    let random = BigInt::parse_bytes(b"9e3779b97f4a7c15f39cc0605cedc834", 16).unwrap() % pow2(n);
    let mut v: Vec<BigInt> = vec![0.into(), 1.into(), pow2(n) - 1, pow2(n - 1), pow2(n - 1) - 1, random.clone()];
    if !few {
        v.extend([pow2(n) - 2, pow2(n / 2), pow2(n / 2) - 1, pow2(n / 2) + 1, random >> 3, 2.into()]);
    }
    v.retain(|x| *x >= 0.into() && *x < pow2(n));
    v
}

fn on_edges(w: u8, shifts: &[u32], few: bool) -> usize {
    let compared = |case: &Case| {
        let few = few || case.args.len() > 3;
        compare(case, w as u32, &case.args.iter().map(|t| edges(*t, few)).collect::<Vec<_>>())
    };
    cases(w, shifts).iter().map(compared).sum()
}

#[test]
fn every_operation_on_edges_of_large_words() {
    for w in [16u8, 32, 52, 64] {
        let total = on_edges(w, &[0, 1, 13, w as u32 - 1, w as u32, w as u32 + 3], false);
        assert!(total > 50_000, "{total}");
    }
}

/// Words of every length, the odd ones that no machine has among them; in a default run every seventh, from day to day
/// others.
#[test]
fn every_operation_on_edges_of_words_of_every_length() {
    for w in (2..=64u8).filter(|w| evariste_testing::full() || evariste_testing::turn(usize::from(*w), 7) == 0) {
        let total = on_edges(w, &[1, w as u32 - 1, w as u32], true);
        assert!(total > 5_000, "{w}: {total}");
    }
}

#[test]
fn look_ups_report_indices_outside_of_the_table() {
    for w in [1u32, 3, 64] {
        let mut k = Builder::new("look", w);
        let top: BigInt = pow2(w) - 1;
        let r = k.output("r", 1, std::slice::from_ref(&top));
        let a = k.input("a", 1, &[top]);
        let t = k.table("t", vec![1.into()]);
        let i = k.load(a, 0u32);
        let v = k.lookup(t, i);
        k.store(r, 0u32, v);
        let interpreter = Interpreter::new(&k.finish(Contract::default()));
        let mut batch = interpreter.batch(2);
        batch.set(a, 0, 1, 1);
        let report = interpreter.run(&mut batch);
        assert_eq!(batch.get(r, 0, 0), 1);
        assert_eq!((report.lane_is_bad(0), report.lane_is_bad(1)), (false, true));
        assert_eq!(report.violations[0].fault, Fault::Lookup);
    }
}

/// Every entry of a table that each lane makes for itself, also after pruning.
#[test]
fn look_ups_in_local_arrays() {
    for w in [1u32, 3, 64] {
        let mut k = Builder::new("look", w);
        let top: BigInt = pow2(w) - 1;
        let r = k.output("r", 1, std::slice::from_ref(&top));
        let (a, i) = (k.input("a", 2, std::slice::from_ref(&top)), k.input("i", 1, &[top]));
        let t = k.local("t", 3, Interval::bits(w));
        let entries = k.load_all(a);
        let sum = k.xor(entries[0], entries[1]);
        [entries[0], entries[1], sum].iter().enumerate().for_each(|(u, v)| k.store(t, u as u32, *v));
        let index = k.load(i, 0u32);
        let v = k.lookup(t, index);
        k.store(r, 0u32, v);
        let kernel = k.finish(Contract::default());
        for kernel in [&kernel, &prune(&kernel)] {
            verify(kernel).expect("well formed");
            let interpreter = Interpreter::new(kernel);
            let mut batch = interpreter.batch(200);
            let mask = u128::from(u64::MAX >> (64 - w));
            let value = |lane: usize, which: u32| (lane as u128 * 5 + u128::from(which) * 3 + lane as u128 / 7) & mask;
            let index = |lane: usize| lane as u128 % 4 & mask;
            for lane in 0..200 {
                (0..2).for_each(|which| batch.set(a, which, lane, value(lane, which)));
                batch.set(i, 0, lane, index(lane));
            }
            let report = interpreter.run(&mut batch);
            for lane in 0..200 {
                let (x, y) = (value(lane, 0), value(lane, 1));
                let right = [x, y, x ^ y].get(index(lane) as usize).copied();
                assert_eq!(report.lane_is_bad(lane), right.is_none(), "words of {w}, lane {lane}");
                assert!(right.is_none_or(|x| batch.get(r, 0, lane) == x), "words of {w}, lane {lane}");
            }
        }
    }
}

/// `f64` bits as an integer.
fn bits(x: f64) -> BigInt {
    x.to_bits().into()
}

#[test]
fn floats_are_binary64() {
    let mut k = Builder::new("floats", 64);
    let top = [pow2(64) - 1];
    let r = k.output("r", 4, &top);
    let a = k.input("a", 3, &top);
    let f = Type::Float(53);
    let x: Vec<_> = k.load_all(a).into_iter().map(|v| k.op(Op::BitsToFloat, &[v], &[f])[0]).collect();
    let results = [
        k.op(Op::FloatAdd, &x[..2], &[f])[0],
        k.op(Op::FloatSub, &x[..2], &[f])[0],
        k.op(Op::FloatMul, &x[..2], &[f])[0],
        k.op(Op::FloatFma, &x, &[f])[0],
    ];
    for (i, v) in results.into_iter().enumerate() {
        let v = k.op(Op::FloatToBits, &[v], &[Type::Word(64)])[0];
        k.store(r, i, v);
    }
    let interpreter = Interpreter::new(&k.finish(Contract::default()));
    for (x, y, z) in [(1.5, -2.25, 3.0), (9007199254740993.0, 3.0, -1e30), (0.1, 0.2, 0.3), (1e200, 1e200, -1.0)] {
        let got = interpreter.run_one(&[("a", vec![bits(x), bits(y), bits(z)])]).unwrap();
        assert_eq!(got[0].1, [x + y, x - y, x * y, x.mul_add(y, z)].map(bits));
    }
}

/// `r = Σ a[i]` by a loop over a callee that adds one element: loops, carried swaps, calls with rotated views, locals.
#[test]
fn loops_calls_and_views() {
    let w = 8;
    let top = [pow2(w) - 1];
    let mut c = Builder::new("first_two", w);
    let out = c.output("out", 1, &top);
    let v = c.input("v", 2, &top);
    let (x, y) = (c.load(v, 0u32), c.load(v, 1u32));
    let s = c.wrapping_sub(x, y);
    c.store(out, 0u32, s);
    let callee = Arc::new(c.finish(Contract::default()));

    let mut k = Builder::new("pairs", w);
    let r = k.output("r", 4, &top);
    let a = k.input("a", 3, &top);
    let t = k.local("t", 3, Interval::bits(w));
    let order = k.table("order", vec![1.into(), 0.into()]);
    let f = k.callee(callee);
    k.repeat(3, &[], |k, i, _| {
        // t[i] = a[i + 1] − a[i], indices modulo 3.
        let view = View { array: a, start: Index::counter(i).modulo(), order: Some(order) };
        k.call(f, vec![View::from(t, i), view]);
        vec![]
    });
    let (one, zero) = (k.word_constant(1), k.word_constant(0));
    let full = Interval::bits(w);
    let swapped = k.repeat(3, &[(zero, full.clone()), (one, full)], |k, i, x| {
        let d = k.load(t, i);
        let y = k.wrapping_add(x[0], d);
        vec![x[1], y]
    });
    k.store(r, 0u32, swapped[0]);
    k.store(r, 1u32, swapped[1]);
    let d = k.load(t, 2u32);
    k.store(r, 2u32, d);
    let e = k.load(t, Index::at(-1).modulo());
    k.store(r, 3u32, e);
    let kernel = k.finish(Contract::default());
    let got = Interpreter::checking_ranges(&kernel).run_one(&[("a", vec![10.into(), 17.into(), 40.into()])]).unwrap();
    // t = 7, 23, 226. (0, 1) → (1, 7) → (7, 24) → (24, 233).
    assert_eq!(got[0].1, [24, 233, 226, 226].map(BigInt::from));
}

#[test]
fn ranges_are_checked_on_demand() {
    let mut k = Builder::new("narrowed", 8);
    let r = k.output("r", 1, &[BigInt::from(9)]);
    let a = k.input("a", 1, &[BigInt::from(255)]);
    let zero = k.word_constant(0);
    let x = k.load(a, 0u32);
    let sums = k.repeat(2, &[(zero, Interval::up_to(10))], |k, _, s| vec![k.wrapping_add(s[0], x)]);
    k.store(r, 0u32, sums[0]);
    let kernel = k.finish(Contract::default());
    let run = |x: u32| Interpreter::checking_ranges(&kernel).run_one(&[("a", vec![x.into()])]);
    let fault = |x: u32| match run(x) {
        Err(RunError::Violation(v)) => Some((v.fault, v.path)),
        _ => None,
    };
    assert_eq!(run(4).unwrap()[0].1, [BigInt::from(8)]);
    assert_eq!(fault(6), Some((Fault::InvariantAtStep, vec![2])));
    assert_eq!(fault(5), Some((Fault::OutsideRange, vec![3])));
    assert!(Interpreter::new(&kernel).run_one(&[("a", vec![6.into()])]).is_ok());
}

#[test]
fn outputs_may_share_storage_with_inputs() {
    let mut k = Builder::new("double", 16);
    let top = [pow2(16) - 1];
    let r = k.output("r", 2, &top);
    let a = k.input("a", 2, &top);
    let (x, y) = (k.load(a, 0u32), k.load(a, 1u32));
    k.store(r, 0u32, y);
    k.store(r, 1u32, x);
    let interpreter = Interpreter::new(&k.finish(Contract::default()));
    let mut batch = interpreter.batch(3);
    batch.alias(r, a);
    batch.write(a, 0, &[1, 2, 3]);
    batch.write(a, 1, &[4, 5, 6]);
    assert!(interpreter.run(&mut batch).is_clean());
    let mut out = [0; 3];
    batch.read(r, 0, &mut out);
    assert_eq!(out, [4, 5, 6]);
    batch.read(a, 1, &mut out);
    assert_eq!(out, [1, 2, 3]);
}

#[test]
fn bad_inputs_are_errors() {
    let case = Case { op: Op::Not, args: vec![Type::Word(8)], results: vec![Type::Word(8)] };
    let (kernel, ..) = kernel(&case, &[Interval::bits(8)], 8);
    let interpreter = Interpreter::new(&kernel);
    let error = |inputs: &[(&str, Vec<BigInt>)]| interpreter.run_one(inputs).unwrap_err().to_string();
    assert_eq!(error(&[("b", vec![])]), "the kernel has no parameter b");
    assert_eq!(error(&[("a0", vec![])]), "a0 has 1 elements, not 0");
    assert_eq!(error(&[("a0", vec![256.into()])]), "a0[0] cannot hold 256");
}
