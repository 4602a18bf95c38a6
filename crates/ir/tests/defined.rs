//! Operations that are defined by a body: written out they are an ordinary kernel that gives the same.

use evariste_ir::op::{Op, Row, defined_row, types};
use evariste_ir::{ArrayKind, Builder, Contract, Interpreter, Interval, Kernel, Type, Value, verify};
use num_bigint::BigInt;

fn apply(row: &'static Row, b: &mut Builder, args: &[Value], ty: Type) -> Value {
    b.op(Op::Defined(row), args, &[ty])[0]
}

/// ⌊(a + b)/2⌋.
static AVERAGE: Row = defined_row(
    "average",
    || Op::Defined(&AVERAGE),
    types::INTEGERS,
    |w, args| {
        let both = w.same(Op::And, args);
        let differ = w.same(Op::Xor, args);
        let half = w.same(Op::Shr(1u32.into()), &[differ]);
        vec![w.same(Op::WrappingAdd, &[both, half])]
    },
);

/// The average of a number and its average with another: a body that uses a body.
static NEARER: Row = defined_row(
    "nearer",
    || Op::Defined(&NEARER),
    types::INTEGERS,
    |w, args| {
        let middle = w.same(Op::Defined(&AVERAGE), args);
        vec![w.same(Op::Defined(&AVERAGE), &[args[0], middle])]
    },
);

/// The first operand: a body that makes nothing.
static FIRST: Row = defined_row("first", || Op::Defined(&FIRST), types::INTEGERS, |_, args| vec![args[0]]);

/// out = row(a, b), in a loop of that many rounds that goes on with the result.
fn kernel(row: &'static Row, bits: u8, rounds: u32, range: &Interval) -> Kernel {
    let ty = Type::Word(bits);
    let mut b = Builder::new("k", bits.into());
    let out = b.array("out", ty, 1, ArrayKind::Output, vec![ty.full()]);
    let [x, y] = ["a", "b"].map(|name| b.array(name, ty, 1, ArrayKind::Input, vec![range.clone()]));
    let (x, y) = (b.load(x, 0u32), b.load(y, 0u32));
    let first = apply(row, &mut b, &[x, y], ty);
    let results = b.repeat(rounds, &[(first, ty.full())], |b, _, inner| vec![apply(row, b, &[inner[0], y], ty)]);
    b.store(out, 0u32, results[0]);
    b.finish(Contract::default())
}

fn average(x: i64, y: i64) -> i64 {
    (x + y) / 2
}

#[test]
fn bodies_are_what_runs() {
    let meanings: [(&'static Row, fn(i64, i64) -> i64); 3] =
        [(&AVERAGE, average), (&NEARER, |x, y| average(x, average(x, y))), (&FIRST, |x, _| x)];
    for (row, meaning) in meanings {
        let signed = Interval::new(-4, 3);
        for (bits, range) in [(3, Type::Word(3).full()), (5, Type::Word(5).full()), (3, signed)] {
            let kernel = kernel(row, bits, 2, &range);
            assert_eq!(verify(&kernel), Ok(()), "{kernel}");
            let written = kernel.written_out();
            assert_eq!(verify(&written), Ok(()), "{written}");
            assert!(!written.to_string().contains(row.name), "{written}");
            assert_eq!(kernel.values, written.values[..kernel.values.len()]);
            // The pattern of a negative number is what a body sees.
            let all: Vec<i64> = (0..1 << bits).collect();
            let pairs: Vec<(i64, i64)> = all.iter().flat_map(|x| all.iter().map(|y| (*x, *y))).collect();
            for k in [&kernel, &*written] {
                let interpreter = Interpreter::new(k);
                let mut batch = interpreter.batch(pairs.len());
                let [out, a, b] = ["out", "a", "b"].map(|name| k.find(name).unwrap());
                for (lane, (x, y)) in pairs.iter().enumerate() {
                    batch.set(a, 0, lane, *x as u128);
                    batch.set(b, 0, lane, *y as u128);
                }
                assert!(interpreter.run(&mut batch).violations.is_empty());
                for (lane, (x, y)) in pairs.iter().enumerate() {
                    let wanted = (0..3).fold(*x, |sum, _| meaning(sum, *y));
                    assert_eq!(batch.get(out, 0, lane), wanted as u128, "{} of {x}, {y}, {bits} bits", row.name);
                }
            }
        }
    }
}

/// The high word of a product: a body with a type that is wider than the kernel's own.
static HIGH: Row = defined_row(
    "high",
    || Op::Defined(&HIGH),
    types::WORDS,
    |w, args| {
        let word = w.ty(args[0]);
        let product = w.op1(Op::MulFull, args, Type::Wide(2 * word.bits() as u8));
        vec![w.op(Op::Split, &[product], &[word, word])[1]]
    },
);

#[test]
fn bodies_may_be_wider_than_the_kernel() {
    let kernel = kernel(&HIGH, 16, 1, &Type::Word(16).full());
    let interpreter = Interpreter::new(&kernel);
    let mut batch = interpreter.batch(1);
    let [out, a, b] = ["out", "a", "b"].map(|name| kernel.find(name).unwrap());
    batch.set(a, 0, 0, 0xfedc);
    batch.set(b, 0, 0, 0xba98);
    assert!(interpreter.run(&mut batch).violations.is_empty());
    // The result goes through the operation twice.
    let high = |x: u128| x * 0xba98 >> 16;
    assert_eq!(batch.get(out, 0, 0), high(high(0xfedc)));
}

#[test]
fn kernels_without_bodies_are_themselves() {
    let mut b = Builder::new("k", 8);
    let out = b.output("out", 1, &[BigInt::from(255)]);
    let a = b.input("a", 1, &[BigInt::from(255)]);
    let x = b.load(a, 0u32);
    b.store(out, 0u32, x);
    let kernel = b.finish(Contract::default());
    assert!(matches!(kernel.written_out(), std::borrow::Cow::Borrowed(_)));
    assert!(matches!(kernel.all_written_out(), std::borrow::Cow::Borrowed(_)));
}

#[test]
fn types_and_counts_are_those_of_the_body() {
    let good = kernel(&AVERAGE, 8, 2, &Type::Word(8).full());
    let counts = evariste_ir::count::count(&good);
    // The first, and two rounds.
    assert_eq!((counts.logic, counts.shifts, counts.additions), (6, 3, 3));
    let mut wrong = good.clone();
    wrong.values[0].ty = Type::Word(7);
    assert!(verify(&wrong).is_err());
}
