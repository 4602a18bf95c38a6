//! What the checker learns of an exact shift: that `x·2^k` has nothing above its word. It is true on all inputs of random
//! kernels in words of 2 to 4 bits, of every amount; and where a program relies on it the kernel must have said so: no
//! shift modulo 2^64, no signed number, no other amount, no other number.

use evariste_codegen::check::check_kernel;
use evariste_codegen::program::{Lanes, Parameter, Role};
use evariste_codegen::x86_64::{Address, Features, Gpr, Inst, Opcode, Operand, Program};
use evariste_ir::range::pow2;
use evariste_ir::{ArrayKind, Builder, Contract, Index, Interval, Kernel, Op, Type, Value};
use evariste_testing::Random;

use crate::check_operations::{Case, Tally};

/// An operation on words of n bits, of values that are there.
fn step(case: &mut Case, n: u32, values: &mut Vec<Value>, random: &mut Random) {
    let mut any = |values: &[Value]| values[(random.word() % values.len() as u64) as usize];
    let (x, y) = (any(values), any(values));
    let (of, by) = (random.word() % 14, Index::at((random.word() % u64::from(n)) as i64));
    let word = Type::Word(n as u8);
    // Signed operands have other rules.
    let op = match of {
        0 => Op::And,
        1 => Op::Or,
        2 => Op::Xor,
        3 => Op::WrappingAdd,
        4 => Op::Add,
        5 => Op::Shr(by),
        6 => Op::WrappingShl(by),
        7 => Op::LowBits(1 + (random.word() % u64::from(n)) as u32),
        8 | 9 => {
            let wide = case.b.op(Op::MulWide, &[x, y], &[word, word]);
            return values.extend(wide);
        }
        _ => Op::Shl(by),
    };
    let operands = if matches!(op, Op::Shl(_) | Op::WrappingShl(_) | Op::Shr(_) | Op::LowBits(_)) { 1 } else { 2 };
    let z = case.b.op(op, &[x, y][..operands], &[word])[0];
    values.push(z);
}

#[test]
fn they_are_true_on_all_inputs_of_small_words() {
    let (mut random, mut tally) = (Random(7), Tally { may_refuse: true, ..Tally::default() });
    for n in 2..=4 {
        for _ in 0..200 {
            let mut case = Case::new(n);
            let mut values: Vec<Value> = (0..2).map(|_| case.word(n, Interval::bits(n))).collect();
            for _ in 0..1 + random.word() % 5 {
                step(&mut case, n, &mut values, &mut random);
            }
            values.drain(2..).collect::<Vec<_>>().into_iter().for_each(|v| case.show(v));
            tally.compare("exact shifts", case, &mut random);
        }
    }
    let [beyond, seen] = tally.beyond;
    let (followed, refused) = (tally.followed["exact shifts"], tally.unknown.get("exact shifts").copied().unwrap_or(0));
    println!(
        "{followed} kernels, {refused} refused, {} values; {beyond} inputs beyond a type, {seen} seen",
        tally.compared
    );
    assert!(followed > 9 * refused, "{followed} and {refused}");
    // A fact that is not true would be seen: where a shift does lose bits it is.
    assert!(tally.compared > 100_000 && seen > 10_000, "{} and {seen}", tally.compared);
}

/// `out = a[0]·2^k`, a[0] and a[1] of a range.
fn kernel(op: fn(Index) -> Op, k: u32, range: Interval) -> Kernel {
    let mut b = Builder::new("k", 64);
    let word = Type::Word(64);
    let a = b.array("a", word, 2, ArrayKind::Input, vec![range]);
    let x = b.load(a, 0u32);
    let y = b.op(op(Index::at(k.into())), &[x], &[word])[0];
    let range = b.range(y).clone();
    let out = b.array("out", word, 1, ArrayKind::Output, vec![range]);
    b.store(out, 0u32, y);
    b.finish(Contract::default())
}

/// `a[0]·2^k + ⌊a[of] / 2^j⌋`.
fn program(k: u32, of: i32, j: u32) -> Program {
    let r = Operand::Register;
    let m = |base, at| Operand::Memory(Address::at(base, at));
    let i = |value: u32| Operand::Immediate(value.into());
    let (a, out) = (Gpr::PARAMETERS[0], Gpr::PARAMETERS[1]);
    let code: [(Opcode, &[Operand]); 7] = [
        (Opcode::Mov, &[r(Gpr::Rax), m(a, 0)]),
        (Opcode::Mov, &[r(Gpr::Rcx), m(a, of)]),
        (Opcode::Shl, &[r(Gpr::Rax), i(k)]),
        (Opcode::Shr, &[r(Gpr::Rcx), i(j)]),
        (Opcode::Add, &[r(Gpr::Rax), r(Gpr::Rcx)]),
        (Opcode::Mov, &[m(out, 0), r(Gpr::Rax)]),
        (Opcode::Return, &[]),
    ];
    let param = |name: &str, len, role| Parameter { name: name.into(), element_bytes: 8, len, role };
    Program {
        name: "k".into(),
        features: Features::BASELINE,
        lanes: Lanes::ONE,
        params: vec![param("a", 2, Role::Input), param("out", 1, Role::Output)],
        disjoint: vec![(0, 1)],
        constants: vec![],
        code: code.into_iter().map(|(op, operands)| Inst::new(op, operands)).collect(),
        callees: Vec::new(),
    }
}

#[test]
fn a_program_that_relies_on_one_has_a_kernel_that_says_so() {
    let whole = || Interval::bits(64);
    let signed = || Interval::new(-pow2(63), pow2(63) - 1);
    let (mut accepted, mut refused) = (0, 0);
    for k in 1..63 {
        let exact = kernel(Op::Shl, k, whole());
        let others = [kernel(Op::WrappingShl, k, whole()), kernel(Op::Shl, k, signed())];
        for j in 1..64 {
            let (own, other) = (program(k, 0, j), program(k, 8, j));
            let what = || format!("a shift by {k}, what is above {j} bits");
            match check_kernel(&exact, &own) {
                // x < 2^(64 − k), and so nothing is above 64 − k bits.
                Ok(_) => {
                    assert!(j >= 64 - k, "{}", what());
                    accepted += 1;
                }
                Err(why) => {
                    assert_ne!(j, 64 - k, "{}: {why}", what());
                    refused += 1;
                }
            }
            assert!(check_kernel(&exact, &other).is_err(), "another number: {}", what());
            for kernel in &others {
                assert!(check_kernel(kernel, &own).is_err(), "{}\n{kernel}", what());
            }
            refused += 3;
        }
        let amounts = [k - 1, k + 1].into_iter().filter(|amount| (1..63).contains(amount));
        for amount in amounts {
            assert!(check_kernel(&exact, &program(amount, 0, 64 - k)).is_err(), "by {amount} and not {k}");
            refused += 1;
        }
    }
    println!("{accepted} accepted, {refused} refused");
    assert!(accepted >= 62 && refused > 10_000);
}
