//! Arrays that are read and written, and views of them by an order table: callees that write in place, inlined or by
//! their contract, on elements in any order.

use std::sync::Arc;

use evariste_ir::range::pow2;
use evariste_ir::{Array, ArrayKind, Claim, Contract, Index, Interval, Kernel, Modulo, Op, Operand, Stmt, Type, View};
use evariste_testing::Random;
use num_bigint::BigInt;

use super::inputs::Runs;
use super::random::{Draws, Flavour, Writer};
use super::{consider, greatest, images, through_corners, tried, whole};

/// A kernel to be called that writes `z` in place: `z[0] + 2^w·z[1] = z[0]·x[0] + z[1]` as it promises, or random steps.
fn in_place(random: &mut Random, word: u8, flavour: Flavour) -> Kernel {
    let ty = Type::Word(word);
    let product = random.one_in(2) && flavour == Flavour::Arithmetic;
    let mut w = Writer::new(random, "inner", word, flavour);
    let z = w.array("z", ty, 2, ArrayKind::InOut, vec![ty.full()]);
    let x = w.array("x", ty, 2, ArrayKind::Input, vec![ty.full()]);
    let [p, q, r] = [(z, 0u32), (z, 1), (x, 0)].map(|(a, i)| w.load(a, i));
    let mut results = [p, q];
    if product {
        let plain = |w: &mut Writer, op, args: &[_], types: &[Type]| {
            let first = w.apply(op, args, types);
            for (v, ty) in (first.0..).zip(types) {
                w.kernel.values[v as usize].range = ty.full();
            }
            first
        };
        let low = plain(&mut w, Op::MulWide, &[p, r], &[ty, ty]);
        let none = plain(&mut w, Op::Const(0.into()), &[], &[Type::Flag]);
        let sum = plain(&mut w, Op::AddCarry, &[low, q, none], &[ty, Type::Flag]);
        let carry = plain(&mut w, Op::FlagToWord, &[evariste_ir::Value(sum.0 + 1)], &[ty]);
        let high = plain(&mut w, Op::Add, &[evariste_ir::Value(low.0 + 1), carry], &[ty]);
        results = [sum, high];
    } else {
        w.load(x, 1u32);
        (0..3).for_each(|_| w.step());
        results = results.map(|_| w.unsigned());
    }
    (0u32..).zip(results).for_each(|(i, v)| w.store(z, i, v));
    let mut kernel = w.finish();
    if product {
        let top: BigInt = pow2(word.into()) - 1;
        let digit = |name: &str, array, i| {
            let mut number = Operand::new(name, array, &[0], std::slice::from_ref(&top), top.clone());
            number.digits[0].index = i;
            number
        };
        kernel.contract = Contract {
            inputs: vec![digit("p", z, 0), digit("q", z, 1), digit("r", x, 0)],
            claims: vec![Claim::Value {
                output: Operand::new("z", z, &[0, word.into()], &[top.clone(), top.clone()], &top * &top + &top),
                factor: 1.into(),
                polynomial: evariste_ir::Polynomial::default().plus(1, &[0, 2]).plus(1, &[1]),
                modulus: None,
            }],
            ..Contract::default()
        };
    }
    kernel
}

/// A view of two elements of an array of `len`: from anywhere, often by a table, which now and then says one twice.
fn view(w: &mut Writer, array: Array, len: u64) -> View {
    let order = (!w.random.one_in(3)).then(|| {
        let first = w.random.below(len);
        let second = if w.random.one_in(12) { first } else { (first + 1 + w.random.below(len - 1)) % len };
        let name = format!("o{}", w.kernel.arrays.len());
        let ty = w.word();
        w.array(&name, ty, 2, ArrayKind::Table(vec![first.into(), second.into()]), vec![ty.full()])
    });
    let start = Index::at(w.random.below(len) as i64).modulo();
    View { array, start, order }
}

/// `out` is given and written, `a` is given: calls on them and on a local, with steps between.
fn kernel(random: &mut Random, word: u8, flavour: Flavour) -> Kernel {
    let inner = Arc::new(in_place(random, word, flavour));
    let mut w = Writer::new(random, "views", word, flavour);
    w.kernel.callees.push(inner);
    let ty = w.word();
    let out = w.array("out", ty, 2, ArrayKind::InOut, vec![ty.full()]);
    let a = w.array("a", ty, 2, ArrayKind::Input, vec![ty.full()]);
    let local = w.array("t", ty, 3, ArrayKind::Local, vec![ty.full()]);
    let mut known = Vec::new();
    for (array, i) in [(a, 0u32), (out, 0), (out, 1)] {
        known.push(w.load(array, i));
    }
    (0..w.random.below(2)).for_each(|_| w.step());
    for i in 0..3u32 {
        let x = if w.random.one_in(3) { w.unsigned() } else { w.random.one_of(&known) };
        w.store(local, i, x);
    }
    for _ in 0..1 + w.random.below(2) {
        let (to, len) = w.random.one_of(&[(out, 2), (local, 3)]);
        let (from, from_len) = w.random.one_of(&[(a, 2), (local, 3), (out, 2)]);
        let args = vec![view(&mut w, to, len), view(&mut w, from, from_len)];
        w.push(Stmt::Call { callee: 0, args });
    }
    if w.random.one_in(2) {
        let (i, j) = (w.random.below(3) as u32, w.random.below(2) as u32);
        let x = w.load(local, i);
        w.store(out, j, x);
    }
    w.finish()
}

#[test]
fn arrays_in_place_and_views_in_order() {
    let tally = tried("in place, by views", 10, |random, tally| {
        let flavour = random.one_of(&[Flavour::Arithmetic, Flavour::Bits]);
        let word = random.one_of(&[2, 2, 3]);
        let mut k = kernel(random, word, flavour);
        if random.one_in(4) {
            // Fewer inputs: some claims hold of them alone.
            k.arrays.iter_mut().filter(|a| a.name == "a").for_each(|a| a.ranges = vec![Interval::bits(1)]);
        }
        let number = |name: &str, array: &str| whole(name, &k, k.find(array).expect("an array"));
        let (x, y, z) = (number("x", "a"), number("y", "out"), number("z", "out"));
        let mut contract = Contract { inputs: vec![x, y], ..Contract::default() };
        k.contract = contract.clone();
        let Some(runs) = Runs::new(&k).filter(|r| r.is_clean() && evariste_ir::verify(&k).is_ok()) else {
            return tally.malformed += 1;
        };
        let Some(most) = greatest(&runs, &z) else { return };
        let step = |bound: BigInt| Claim::Step { output: Operand { bound, ..z.clone() }, name: "nothing".into() };
        let mut claims = vec![step(most.clone()), step((most - 1u32).max(0.into()))];
        if let Some(polynomial) = through_corners(&runs, &contract, &z) {
            claims.extend([None, Some(3), Some(5)].map(|m: Option<u32>| Claim::Value {
                output: z.clone(),
                factor: 1.into(),
                polynomial: polynomial.clone(),
                modulus: m.map(|m| Modulo::Constant(m.into())),
            }));
        }
        // Rows of bits have every digit full.
        if flavour == Flavour::Bits && contract.inputs[0].bound == contract.inputs[1].bound {
            claims.push(Claim::Bits { output: z.clone(), map: images(&runs, &contract, &z) });
        }
        for claim in claims {
            contract.claims = vec![claim];
            k.contract = contract.clone();
            consider(random, tally, k.clone(), 4);
        }
    });
    tally.proves(400);
}
