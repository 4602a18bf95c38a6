//! The transfer functions of ranges contain every result: all intervals of words of 3 bits for one and two operands, a
//! stratified set of intervals for double words and for three and four operands; every value in short intervals, every
//! fifth and the ends of long ones.

use crate::common::{Case, Outcome, cases, combinations, evaluate, is_pattern};
use evariste_ir::range::{pow2, transfer};
use evariste_ir::{Interval, Op, Type};
use num_bigint::BigInt;

fn modulo(x: BigInt, n: u32) -> BigInt {
    let m = pow2(n);
    ((x % &m) + &m) % m
}

/// All intervals that fit, or every `step`-th bound and the extremes.
fn intervals(ty: Type, step: i64) -> Vec<Interval> {
    let n = ty.bits();
    if let Type::Mask(_) = ty {
        let top: BigInt = pow2(n) - 1;
        return vec![Interval::point(0), Interval::point(top.clone()), Interval::up_to(top)];
    }
    let (half, full) = (1i64 << (n - 1), 1i64 << n);
    let signed = if ty == Type::Flag { 0 } else { -half };
    let bounds: Vec<i64> = (signed..full)
        .filter(|b| {
            if step == 0 {
                [-1, 0, half - 1, full - 1].contains(b)
            } else {
                step == 1 || b % step == 0 || [-half, -1, 0, 1, half - 1, half, full - 1].contains(b)
            }
        })
        .collect();
    let mut all = Vec::new();
    for lo in &bounds {
        all.extend(bounds.iter().filter(|hi| *hi >= lo && (*lo >= 0 || **hi < half)).map(|hi| Interval::new(*lo, *hi)));
    }
    all
}

fn with_shift(op: &Op, k: u32) -> Op {
    let mut op = op.clone();
    if let Some(amount) = op.amount_mut() {
        *amount = k.into();
    }
    op
}

fn shift_of(op: &Op) -> Option<u32> {
    op.amount()?.constant().map(|k| k as u32)
}

/// All values of all combinations of intervals; counts them.
fn check(case: &Case, steps: i64, spread: u32) -> usize {
    let mut count = 0;
    let lists: Vec<Vec<Interval>> = case.args.iter().map(|t| intervals(*t, steps)).collect();
    let least = shift_of(&case.op).unwrap_or(0);
    let most = least + if shift_of(&case.op).is_some() { spread } else { 0 };
    for ranges in combinations(&lists) {
        let operands: Vec<(Type, &Interval)> = case.args.iter().copied().zip(&ranges).collect();
        let claimed = transfer(&case.op, &operands, &case.results, (least, most));
        assert_eq!(claimed.len(), case.results.len());
        let values: Vec<Vec<BigInt>> = ranges
            .iter()
            .zip(&case.args)
            .map(|(r, t)| {
                let mut v: Vec<BigInt> = Vec::new();
                let mut x = r.lo.clone();
                while x <= r.hi {
                    if is_pattern(*t, &modulo(x.clone(), t.bits())) {
                        v.push(x.clone());
                    }
                    x += 1;
                }
                // Long intervals: both ends and every fifth value.
                let last = v.len();
                v.into_iter()
                    .enumerate()
                    .filter(|(i, _)| last <= 8 || *i < 2 || i + 2 >= last || i % 5 == 0)
                    .map(|(_, x)| x)
                    .collect()
            })
            .collect();
        for k in least..=most {
            let case = Case { op: with_shift(&case.op, k), ..case.clone() };
            for values in combinations(&values) {
                let patterns: Vec<BigInt> =
                    values.iter().zip(&case.args).map(|(v, t)| modulo(v.clone(), t.bits())).collect();
                let results = match evaluate(&case, &patterns, &values) {
                    Outcome::Exact(x) => {
                        assert!(
                            claimed[0].contains(&x),
                            "{case:?} {ranges:?}: {x} from {values:?} is not in {claimed:?}"
                        );
                        continue;
                    }
                    Outcome::Patterns(p) => p,
                };
                for ((p, claim), t) in results.iter().zip(&claimed).zip(&case.results) {
                    let representative = &claim.lo + modulo(p - &claim.lo, t.bits());
                    assert!(
                        representative <= claim.hi,
                        "{case:?} {ranges:?}: {p} from {values:?} is not in {claimed:?}"
                    );
                }
                count += 1;
            }
        }
    }
    count
}

#[test]
fn no_result_leaves_its_interval() {
    let mut count = 0;
    for case in cases(3, &[0, 1, 2, 3, 4, 5]) {
        let integers: u32 =
            case.args.iter().filter(|t| !matches!(t, Type::Flag | Type::Mask(_))).map(|t| t.bits()).sum();
        let wide = case.args.iter().any(|t| matches!(t, Type::Wide(_)));
        let steps = match integers {
            0..=6 if !wide => 1,
            0..=6 => 5,
            7..=9 => 8,
            _ if wide => 64,
            _ => 0,
        };
        let shifts = matches!(shift_of(&case.op), Some(k) if k + 2 < case.args[0].bits());
        count += check(&case, steps, 0);
        if shifts {
            count += check(&case, steps, 2);
        }
    }
    assert!(count > 1_000_000, "{count}");
}
