//! What the table of operations says, tried: names, what is linear or bilinear over bits, which operands can be
//! exchanged. The meaning of the operations is that of `common`, which shares nothing with the interpreter.

use std::collections::HashSet;

use crate::common::{Case, Outcome, cases, evaluate, is_pattern};
use evariste_ir::op::defined::DEFINED;
use evariste_ir::op::{OverBits, Public, ROWS};
use evariste_ir::range::pow2;
use evariste_ir::{Array, Index, Op, Type};
use num_bigint::BigInt;
use num_traits::Zero;

#[test]
fn every_row_is_that_of_the_operation_it_makes() {
    let mut names = HashSet::new();
    for row in ROWS.iter().chain(DEFINED) {
        assert!(names.insert(row.name), "{} stands twice", row.name);
        let op = match row.public {
            Public::Nothing(make) => make(),
            Public::Constant => Op::Const(BigInt::from(3)),
            Public::Bits(make) | Public::FactorBits(make) => make(2),
            Public::Amount(make) => make(Index::at(1)),
            Public::Images(make) => make(7),
            Public::Table(make) => make(Array(0)),
        };
        assert_eq!(op.name(), row.name);
        for slip in (row.slips)(&op) {
            assert_eq!(slip.operands(), op.operands(), "{} and {}", row.name, slip.name());
        }
    }
}

/// The numbers with one bit set; a mask has one.
fn basis(ty: Type) -> Vec<BigInt> {
    match ty {
        Type::Mask(n) => vec![pow2(n.into()) - 1],
        _ => (0..ty.bits()).map(pow2).collect(),
    }
}

fn patterns(ty: Type) -> Vec<BigInt> {
    (0..1u64 << ty.bits()).map(BigInt::from).filter(|x| is_pattern(ty, x)).collect()
}

/// The basis vectors whose sum it is.
fn parts(x: &BigInt, ty: Type) -> Vec<BigInt> {
    basis(ty).into_iter().filter(|e| !(x & e).is_zero()).collect()
}

/// The results as patterns; `None` where an exact one leaves its type.
fn apply(case: &Case, args: &[BigInt]) -> Option<Vec<BigInt>> {
    match evaluate(case, args, args) {
        Outcome::Patterns(results) => Some(results),
        Outcome::Exact(x) => (x.sign() != num_bigint::Sign::Minus && x < pow2(case.results[0].bits())).then(|| vec![x]),
    }
}

fn sum(all: impl Iterator<Item = Vec<BigInt>>, results: usize) -> Vec<BigInt> {
    all.fold(vec![BigInt::zero(); results], |sum, x| sum.iter().zip(x).map(|(a, b)| a ^ b).collect())
}

/// Are all results the sums of those of the basis vectors?
fn is_linear(case: &Case) -> bool {
    let one = |i: usize, e: &BigInt| {
        let mut args = vec![BigInt::zero(); case.args.len()];
        args[i] = e.clone();
        apply(case, &args)
    };
    crate::common::combinations(&case.args.iter().map(|t| patterns(*t)).collect::<Vec<_>>()).iter().all(|args| {
        let Some(whole) = apply(case, args) else { return true };
        let all: Option<Vec<_>> = (0..args.len())
            .flat_map(|i| parts(&args[i], case.args[i]).into_iter().map(move |e| (i, e)))
            .map(|(i, e)| one(i, &e))
            .collect();
        all.is_some_and(|all| sum(all.into_iter(), whole.len()) == whole)
    })
}

/// Are all results the sums of those of the pairs of basis vectors?
fn is_bilinear(case: &Case) -> bool {
    let [s, t] = case.args[..] else { return false };
    let lists = [patterns(s), patterns(t)];
    crate::common::combinations(&lists).iter().all(|args| {
        let Some(whole) = apply(case, args) else { return true };
        let right = parts(&args[1], t);
        let pairs = parts(&args[0], s).into_iter().flat_map(|x| right.iter().map(move |y| [x.clone(), y.clone()]));
        let all: Option<Vec<_>> = pairs.map(|pair| apply(case, &pair)).collect();
        all.is_some_and(|all| sum(all.into_iter(), whole.len()) == whole)
    })
}

#[test]
fn what_is_linear_or_bilinear_by_the_table_is() {
    let small = cases(3, &[0, 1, 2]);
    let bytes = cases(8, &[]).into_iter().filter(|c| matches!(c.op, Op::RijndaelMul | Op::BitMatrix(_)));
    let mut tried = HashSet::new();
    for case in small.into_iter().chain(bytes) {
        let row = case.op.row();
        match row.over_bits {
            OverBits::Linear => assert!(is_linear(&case), "{} {:?}", row.name, case.args),
            OverBits::Bilinear => assert!(is_bilinear(&case), "{} {:?}", row.name, case.args),
            OverBits::Other => continue,
        }
        tried.insert(row.name);
    }
    let said: HashSet<&str> = ROWS.iter().filter(|r| r.over_bits != OverBits::Other).map(|r| r.name).collect();
    assert_eq!(tried, said);
    // A wrong mark would be seen.
    for case in cases(3, &[1]) {
        if matches!(case.op, Op::Or | Op::Add | Op::WrappingAdd | Op::Not | Op::AndNot) && case.args[0] == Type::Word(3)
        {
            assert!(!is_linear(&case), "{}", case.op.name());
        }
        if matches!(case.op, Op::Or | Op::WrappingMul | Op::MulFull | Op::Equal) && case.args[0] == Type::Word(3) {
            assert!(!is_bilinear(&case), "{}", case.op.name());
        }
    }
}

#[test]
fn operands_that_can_be_exchanged_by_the_table_can() {
    for case in cases(3, &[1, 2]).iter().filter(|c| c.args.iter().map(|t| t.bits()).sum::<u32>() <= 12) {
        for args in crate::common::combinations(&case.args.iter().map(|t| patterns(*t)).collect::<Vec<_>>()) {
            for i in 0..args.len() {
                for j in (i + 1..args.len()).filter(|j| case.args[i] == case.args[*j]) {
                    let mut exchanged = args.clone();
                    exchanged.swap(i, j);
                    if (case.op.row().symmetric)(i, j) {
                        assert_eq!(apply(case, &args), apply(case, &exchanged), "{} {i} {j}", case.op.name());
                    }
                }
            }
        }
    }
}
