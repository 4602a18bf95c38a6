//! Programs written by hand that try to get a wrong look-up past the checker. Each stands beside a right one that is
//! accepted and differs from it in one place.

use evariste_codegen::check::machine::Fault;
use evariste_codegen::check::{CheckError, check_kernel};
use evariste_codegen::outline::Limits;
use evariste_codegen::x86_64::lanes::{self, Shape, routines_within};
use evariste_codegen::x86_64::{
    Address, Base, Comparison, Features, Gpr, Inst, Opcode, Operand, Program, Vector, Width,
};
use evariste_ir::range::Interval;
use evariste_ir::{Array, ArrayKind, Builder, Contract, Kernel, Op, Type, Value, View};
use num_bigint::BigInt;
use std::sync::Arc;

/// Entries of 16 bits, all different and none of them 0.
fn entry(i: u64) -> u64 {
    i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48 | 1 << 8
}

/// Others.
fn other_entry(i: u64) -> u64 {
    entry(i) ^ 0x55aa
}

/// `out` of a kernel of one word `a` and a table of so many entries.
fn kernel(len: u64, out: impl Fn(&mut Builder, Array, Value) -> Value) -> Kernel {
    let mut b = Builder::new("k", 64);
    let ty = b.word_type();
    let to = b.array("out", ty, 1, ArrayKind::Output, vec![Interval::bits(64)]);
    let a = b.array("a", ty, 1, ArrayKind::Input, vec![Interval::bits(64)]);
    let table = b.table("t", (0..len).map(entry).map(BigInt::from).collect());
    let x = b.load(a, 0u32);
    let result = out(&mut b, table, x);
    b.store(to, 0u32, result);
    b.finish(Contract::default())
}

/// `t[(a >> shift) mod 2^bits]` of a table of `2^bits` entries.
fn part(bits: u32, shift: u32) -> Kernel {
    kernel(1 << bits, |b, table, x| {
        let x = b.shr(x, shift);
        let index = b.low_bits(x, bits);
        b.lookup(table, index)
    })
}

/// The constants of programs below: two lines of the table, two of the other one, then these words.
const WORDS: usize = 32;
const MASKS: [u64; 4] = [0xffff, 0x1_ffff, 0x1f, 0x3f];

fn constants(len: u64) -> Vec<u64> {
    let line = |of: fn(u64) -> u64, from: u64| {
        let entry = move |i: u64| if from + i < len { of(from + i) } else { 0 };
        (0..8).map(move |w| (0..4).fold(0, |word, i| word | entry(4 * w + i) << (16 * i)))
    };
    let tables = line(entry, 0).chain(line(entry, 32)).chain(line(other_entry, 0)).chain(line(other_entry, 32));
    tables.chain(MASKS).collect()
}

/// Where code goes, and what it may be.
const OUT: Operand = Operand::Memory(at(Gpr::Rdi));
const A: Operand = Operand::Memory(at(Gpr::Rsi));

const fn at(base: Gpr) -> Address {
    Address { base: Base::Register(base), index: None, displacement: 0 }
}

fn v(r: u8) -> Operand {
    Operand::Vector(r)
}

fn line(i: usize) -> Operand {
    Operand::Memory(Address::constant(8 * i))
}

fn mask(i: usize) -> Operand {
    Operand::Broadcast(Address::constant(WORDS + i))
}

fn z(op: Vector, operands: &[Operand]) -> Inst {
    sized(op, 64, operands)
}

fn sized(op: Vector, bits: u8, operands: &[Operand]) -> Inst {
    Inst::sized(Opcode::Vector(op, Width::Z), bits, operands)
}

/// The program of a kernel of one table with that code instead of its own.
fn program(kernel: &Kernel, len: u64, code: &[Inst]) -> Program {
    let base =
        lanes::compile_kernel(kernel, Features::AVX512, Shape::single(Width::Z)).unwrap_or_else(|e| panic!("{e}"));
    let code = code.iter().copied().chain([Inst::new(Opcode::Return, &[])]).collect();
    Program { features: Features::AVX512, code, constants: constants(len), ..base }
}

/// Loads a and the lines, does something, and stores register 0.
fn around(inside: &[Inst]) -> Vec<Inst> {
    let before = [z(Vector::Move, &[v(0), A]), z(Vector::Move, &[v(1), line(0)]), z(Vector::Move, &[v(2), line(1)])];
    before.iter().chain(inside).copied().chain([z(Vector::Move, &[OUT, v(0)])]).collect()
}

/// Looks up, and keeps so many bits.
fn found(keep: usize) -> [Inst; 2] {
    [z(Vector::LookUp, &[v(0), v(1), v(2)]), z(Vector::And, &[v(0), v(0), mask(keep)])]
}

#[track_caller]
fn accepted(kernel: &Kernel, program: &Program) {
    check_kernel(kernel, program).unwrap_or_else(|e| panic!("{e}\n{program}"));
}

#[track_caller]
fn differs(kernel: &Kernel, program: &Program) {
    let verdict = check_kernel(kernel, program);
    assert!(matches!(verdict, Err(CheckError::Differs { .. })), "{verdict:?}\n{program}");
}

#[track_caller]
fn refused(kernel: &Kernel, program: &Program) -> Fault {
    match check_kernel(kernel, program) {
        Err(CheckError::Instruction { fault, .. }) => fault,
        other => panic!("{other:?}\n{program}"),
    }
}

#[test]
fn bits_above_an_index_do_not_matter_and_those_of_it_do() {
    for (bits, cut, right) in [
        (6, None, true),
        (6, Some(3), true),
        (6, Some(2), false),
        (5, Some(2), true),
        (5, None, false),
        (5, Some(3), false),
    ] {
        let (kernel, len) = (part(bits, 0), 1 << bits);
        let cut = cut.map(|cut| z(Vector::And, &[v(0), v(0), mask(cut)]));
        let code: Vec<Inst> = cut.into_iter().chain(found(0)).collect();
        let program = program(&kernel, len, &around(&code));
        if right { accepted(&kernel, &program) } else { differs(&kernel, &program) }
    }
}

#[test]
fn what_the_other_places_of_a_word_find_is_there() {
    let kernel = part(6, 0);
    accepted(&kernel, &program(&kernel, 64, &around(&found(0))));
    // 17 bits of the result, and all of them.
    differs(&kernel, &program(&kernel, 64, &around(&found(1))));
    differs(&kernel, &program(&kernel, 64, &around(&found(0)[..1])));
}

#[test]
fn an_entry_lies_where_its_index_did() {
    for (wanted, kernel) in [0, 16, 32, 48].map(|shift| (shift, part(6, shift))) {
        for from in [0u8, 16, 32, 48] {
            let [find, keep] = found(0);
            let down = z(Vector::Shr(from), &[v(0), v(0)]);
            let program = program(&kernel, 64, &around(&[find, down, keep]));
            if u32::from(from) == wanted { accepted(&kernel, &program) } else { differs(&kernel, &program) }
        }
    }
}

/// The halves of 64 bits are numbers of their own where instructions on 32 bits wrote them.
#[test]
fn halves_of_a_word_are_not_exchanged() {
    for (shift, copy, right) in [
        (0, Vector::CopyLow, true),
        (0, Vector::CopyHigh, false),
        (32, Vector::CopyHigh, true),
        (32, Vector::CopyLow, false),
    ] {
        let kernel = part(6, shift);
        let [find, keep] = found(0);
        let program = program(&kernel, 64, &around(&[sized(copy, 32, &[v(0), v(0)]), find, keep]));
        if right { accepted(&kernel, &program) } else { differs(&kernel, &program) }
    }
    // What was found, in halves.
    for (copy, right) in [(Vector::CopyHigh, true), (Vector::CopyLow, false)] {
        let kernel = part(6, 32);
        let [find, keep] = found(0);
        let program = program(&kernel, 64, &around(&[find, sized(copy, 32, &[v(0), v(0)]), keep]));
        if right { accepted(&kernel, &program) } else { differs(&kernel, &program) }
    }
}

#[test]
fn rotations_of_16_bits_are_not_known_by_their_index() {
    // The low six bits are those of another place.
    let kernel = part(6, 58);
    let [find, keep] = found(0);
    accepted(&kernel, &program(&kernel, 64, &around(&[z(Vector::Shr(58), &[v(0), v(0)]), find, keep])));
    for other in [Vector::Shr(57), Vector::Shr(48), Vector::Rol(58), Vector::Shl(58), Vector::Sar(57)] {
        let wrong = program(&kernel, 64, &around(&[z(other, &[v(0), v(0)]), find, keep]));
        differs(&kernel, &wrong);
    }
}

/// No table of more entries than two lines hold is found in them, nor a shorter one in another.
#[test]
fn longer_tables_are_others() {
    let long = part(7, 0);
    let short = part(6, 0);
    let code = around(&found(0));
    let short_program = program(&short, 64, &code);
    accepted(&short, &short_program);
    differs(&long, &short_program);
    // A table of 128 entries that are 64 entries twice.
    let twice = |b: &mut Builder| b.table("u", (0..128).map(|i| BigInt::from(entry(i % 64))).collect());
    let kernel = kernel(64, |b, _, x| {
        let table = twice(b);
        let index = b.low_bits(x, 7);
        b.lookup(table, index)
    });
    // It is right, and not recognised: that nothing else is shown of it.
    differs(&kernel, &short_program);
}

/// A kernel of two tables, both at the same index.
fn two_tables() -> Kernel {
    kernel(64, |b, table, x| {
        let other = b.table("u", (0..64).map(other_entry).map(BigInt::from).collect());
        let index = b.low_bits(x, 6);
        let (x, y) = (b.lookup(table, index), b.lookup(other, index));
        let y = b.wrapping_shl(y, 20u32);
        b.or(x, y)
    })
}

/// Finds in both: the index of the second look-up in that register.
fn both(lines: [usize; 4], index: u8, from: [u8; 2]) -> Vec<Inst> {
    let mut code = vec![z(Vector::Move, &[v(0), A])];
    code.extend((0..4).map(|i| z(Vector::Move, &[v(1 + i), line(lines[usize::from(i)])])));
    code.push(z(Vector::Move, &[v(5), v(0)]));
    code.push(z(Vector::LookUp, &[v(0), v(1), v(2)]));
    code.push(z(Vector::Move, &[v(6), v(0)]));
    code.push(z(Vector::LookUp, &[v(index), v(3), v(4)]));
    code.extend([0, 1].map(|i| z(Vector::And, &[v(7 + i), v(from[usize::from(i)]), mask(0)])));
    code.push(z(Vector::Shl(20), &[v(8), v(8)]));
    code.push(z(Vector::Or, &[v(0), v(7), v(8)]));
    code.push(z(Vector::Move, &[OUT, v(0)]));
    code
}

#[test]
fn lines_of_two_tables_are_not_exchanged() {
    let kernel = two_tables();
    let program = |code: &[Inst]| program(&kernel, 64, code);
    accepted(&kernel, &program(&both([0, 1, 2, 3], 5, [6, 5])));
    for a in 0..4 {
        for b in 0..4 {
            for c in 0..4 {
                for d in 0..4 {
                    if [a, b, c, d] != [0, 1, 2, 3] {
                        differs(&kernel, &program(&both([a, b, c, d], 5, [6, 5])));
                    }
                }
            }
        }
    }
}

#[test]
fn an_index_is_written_over() {
    let kernel = two_tables();
    let program = |code: &[Inst]| program(&kernel, 64, code);
    // What was found as the second index, and what was the index as what was found.
    differs(&kernel, &program(&both([0, 1, 2, 3], 0, [6, 0])));
    differs(&kernel, &program(&both([0, 1, 2, 3], 6, [0, 6])));
    differs(&kernel, &program(&both([0, 1, 2, 3], 5, [5, 6])));
    differs(&kernel, &program(&both([0, 1, 2, 3], 5, [5, 5])));
    differs(&kernel, &program(&both([0, 1, 2, 3], 5, [6, 6])));
}

/// Between the loads and the look-up something writes to a line, or reads it.
#[test]
fn a_line_that_is_touched_is_none() {
    let kernel = part(6, 0);
    let touched = |inst: &[Inst]| program(&kernel, 64, &around(&[inst, &found(0)].concat()));
    accepted(&kernel, &touched(&[]));
    let set = z(Vector::Compare(Comparison::Less), &[Operand::Mask(1), v(0), mask(0)]);
    accepted(&kernel, &touched(&[set]));
    let (broadcast, masked) = (Operand::Memory(Address::constant(WORDS)), |r| Operand::Masked(r, 1));
    for r in [1, 2] {
        for inst in [
            // In part.
            z(Vector::Move, &[masked(r), v(0)]),
            z(Vector::Move, &[masked(r), line(0)]),
            z(Vector::Move, &[masked(r), A]),
            z(Vector::Broadcast, &[masked(r), broadcast]),
            z(Vector::Blend, &[masked(r), v(r), v(0)]),
            z(Vector::Blend, &[masked(r), v(0), v(r)]),
            z(Vector::Blend, &[masked(r), v(0), v(0)]),
            z(Vector::Add, &[masked(r), v(0), v(0)]),
            z(Vector::Shr(1), &[masked(r), v(0)]),
            sized(Vector::CopyLow, 32, &[masked(r), v(0)]),
            sized(Vector::Lesser, 32, &[masked(r), v(0), v(0)]),
            z(Vector::Ternary(0x96), &[v(r), v(0), v(0)]),
            z(Vector::Ternary(0xaa), &[v(0), v(r), v(0)]),
            z(Vector::MaddLow, &[v(r), v(0), v(0)]),
            z(Vector::FloatFma, &[v(r), v(0), v(0)]),
            z(Vector::LookUp, &[v(r), v(1), v(2)]),
            z(Vector::LookUp, &[masked(0), v(1), v(2)]),
            z(Vector::LookUp, &[masked(r), v(1), v(2)]),
            // As a whole.
            z(Vector::Broadcast, &[v(r), broadcast]),
            z(Vector::Move, &[v(r), A]),
            z(Vector::Sub, &[v(r), v(0), v(0)]),
            z(Vector::Xor, &[v(r), v(0), v(0)]),
            z(Vector::Xor, &[v(r), v(r), v(r)]),
            sized(Vector::Xor, 32, &[v(r), v(r), v(r)]),
            sized(Vector::MulHalf, 64, &[v(r), v(0), v(0)]),
            // Read.
            z(Vector::Move, &[v(3), v(r)]),
            z(Vector::Move, &[OUT, v(r)]),
            z(Vector::Blend, &[masked(3), v(0), v(r)]),
            z(Vector::Sub, &[v(3), v(r), v(r)]),
            z(Vector::And, &[v(3), v(r), mask(0)]),
            z(Vector::MulHalf, &[v(3), v(r), v(0)]),
            z(Vector::Funnel(3), &[v(3), v(0), v(r)]),
            sized(Vector::CopyHigh, 32, &[v(3), v(r)]),
            z(Vector::Compare(Comparison::Equal), &[Operand::Mask(2), v(0), v(r)]),
            z(Vector::Compare(Comparison::Equal), &[Operand::Mask(2), v(r), v(0)]),
            // Of another width.
            z(Vector::ZeroUpper, &[]),
            Inst::sized(Opcode::Vector(Vector::Move, Width::Y), 64, &[v(r), line(0)]),
            Inst::sized(Opcode::Vector(Vector::Move, Width::X), 64, &[v(r), A]),
            Inst::sized(Opcode::Vector(Vector::Xor, Width::X), 64, &[v(r), v(r), v(r)]),
            Inst::sized(Opcode::Vector(Vector::Xor, Width::S), 64, &[v(r), v(r)]),
            Inst::sized(Opcode::Vector(Vector::MoveLowest, Width::X), 64, &[v(r), A]),
        ] {
            let fault = refused(&kernel, &touched(&[set, inst]));
            assert!(matches!(fault, Fault::Undefined(_) | Fault::Form | Fault::Access), "{inst:?}: {fault:?}");
        }
        // A line is loaded again, and the mask that was set before changes nothing.
        accepted(
            &kernel,
            &touched(&[z(Vector::Xor, &[v(r), v(r), v(r)]), z(Vector::Move, &[v(r), line(r as usize - 1)])]),
        );
        differs(&kernel, &touched(&[z(Vector::Move, &[v(r), line(r as usize)])]));
    }
}

/// What a register held before it held a line is gone.
#[test]
fn a_line_takes_the_place_of_a_number() {
    let kernel = part(6, 0);
    let with = |last: &[Inst]| program(&kernel, 64, &around(&[last, &found(0)].concat()));
    for r in [1, 2] {
        let before = z(Vector::Move, &[v(r), A]);
        let loaded = z(Vector::Move, &[v(r), line(usize::from(r) - 1)]);
        accepted(&kernel, &with(&[before, loaded]));
        for read in
            [z(Vector::Move, &[v(0), v(r)]), z(Vector::Or, &[v(0), v(0), v(r)]), z(Vector::LookUp, &[v(r), v(1), v(2)])]
        {
            let fault = refused(&kernel, &with(&[before, loaded, read]));
            assert_eq!(fault, Fault::Undefined("vector register"), "{read:?}");
        }
    }
}

/// Widths of look-ups and lines other than 512 bits, and elements other than 64.
#[test]
fn look_ups_have_one_width() {
    let kernel = part(6, 0);
    let [find, keep] = found(0);
    for (width, bits) in [(Width::Y, 64), (Width::X, 64), (Width::S, 64), (Width::Z, 32), (Width::Z, 8), (Width::Z, 16)]
    {
        let other = Inst::sized(Opcode::Vector(Vector::LookUp, width), bits, &[v(0), v(1), v(2)]);
        assert_eq!(refused(&kernel, &program(&kernel, 64, &around(&[other, keep]))), Fault::Form, "{width:?} {bits}");
    }
    for inst in [
        z(Vector::LookUp, &[v(0), v(1), line(1)]),
        z(Vector::LookUp, &[v(0), v(1), Operand::Broadcast(Address::constant(8))]),
        z(Vector::LookUp, &[v(0), v(1)]),
        z(Vector::LookUp, &[OUT, v(1), v(2)]),
        z(Vector::LookUp, &[v(0), v(33), v(2)]),
        z(Vector::LookUp, &[v(32), v(1), v(2)]),
    ] {
        assert!(check_kernel(&kernel, &program(&kernel, 64, &around(&[inst, keep]))).is_err(), "{inst:?}");
    }
    let mut none = program(&kernel, 64, &around(&[find, keep]));
    none.features.avx512 = false;
    assert_eq!(refused(&kernel, &none), Fault::Feature);
}

/// Where constants lie is no number, and a pointer there loads no line.
#[test]
fn a_line_is_not_loaded_through_a_pointer() {
    let kernel = part(6, 0);
    let taken = Inst::new(Opcode::Lea, &[Operand::Register(Gpr::Rax), line(0)]);
    let through = z(Vector::Move, &[v(1), Operand::Memory(at(Gpr::Rax))]);
    let with = |inst: &[Inst]| program(&kernel, 64, &around(&[inst, &found(0)].concat()));
    accepted(&kernel, &with(&[taken]));
    refused(&kernel, &with(&[taken, through]));
    let indexed = Address { index: Some((Gpr::Rax, 1)), ..Address::constant(0) };
    let zero = Inst::new(Opcode::Xor, &[Operand::Register(Gpr::Rax), Operand::Register(Gpr::Rax)]);
    assert_eq!(refused(&kernel, &with(&[zero, z(Vector::Move, &[v(1), Operand::Memory(indexed)])])), Fault::Access);
    // Nothing is stored there.
    assert_eq!(refused(&kernel, &with(&[z(Vector::Move, &[line(0), v(0)])])), Fault::Access);
    let lea_store = [taken, z(Vector::Move, &[Operand::Memory(at(Gpr::Rax)), v(0)])];
    assert_eq!(refused(&kernel, &with(&lea_store)), Fault::Stack);
}

/// `vzeroupper` leaves registers from 16 on as they are, lines too.
#[test]
fn the_upper_registers_keep_their_lines() {
    let kernel = part(6, 0);
    let code = |low: u8, high: u8| {
        program(
            &kernel,
            64,
            &[
                z(Vector::Move, &[v(low), line(0)]),
                z(Vector::Move, &[v(high), line(1)]),
                z(Vector::ZeroUpper, &[]),
                z(Vector::Move, &[v(0), A]),
                z(Vector::LookUp, &[v(0), v(low), v(high)]),
                z(Vector::And, &[v(0), v(0), mask(0)]),
                z(Vector::Move, &[OUT, v(0)]),
            ],
        )
    };
    accepted(&kernel, &code(16, 31));
    assert_eq!(refused(&kernel, &code(15, 31)), Fault::Undefined("table"));
    assert_eq!(refused(&kernel, &code(16, 3)), Fault::Undefined("table"));
}

/// A line on the stack is no line, and what lies there is none when it comes back.
#[test]
fn lines_are_not_spilled() {
    let kernel = part(6, 0);
    let rsp = |op, x| Inst::new(op, &[Operand::Register(Gpr::Rsp), x]);
    let frame = [
        Inst::new(Opcode::Mov, &[Operand::Register(Gpr::Rax), Operand::Register(Gpr::Rsp)]),
        rsp(Opcode::Sub, Operand::Immediate(256)),
        rsp(Opcode::And, Operand::Immediate(-64)),
    ];
    let back = rsp(Opcode::Mov, Operand::Register(Gpr::Rax));
    let slot = Operand::Memory(at(Gpr::Rsp));
    let with = |inside: &[Inst]| program(&kernel, 64, &around(&[&frame[..], inside, &found(0), &[back]].concat()));
    accepted(&kernel, &with(&[]));
    accepted(&kernel, &with(&[z(Vector::Move, &[slot, v(0)]), z(Vector::Move, &[v(0), slot])]));
    for line in [v(1), v(2)] {
        assert_eq!(refused(&kernel, &with(&[z(Vector::Move, &[slot, line])])), Fault::Undefined("vector register"));
        let other = [z(Vector::Move, &[slot, v(0)]), z(Vector::Move, &[line, slot])];
        assert_eq!(refused(&kernel, &with(&other)), Fault::Undefined("table"));
    }
}

/// Words of two lanes in 64 bits, and bytes: nothing is looked up there.
#[test]
fn other_elements_have_no_lines() {
    let sum = |bits: u8| {
        let mut b = Builder::new("sum", u32::from(bits));
        let word = Type::Word(bits);
        let out = b.array("out", word, 1, ArrayKind::Output, vec![word.full()]);
        let a = b.array("a", word, 1, ArrayKind::Input, vec![word.full()]);
        let x = b.load(a, 0u32);
        let y = if bits == 8 { b.op(Op::Not, &[x], &[word])[0] } else { b.wrapping_add(x, x) };
        b.store(out, 0u32, y);
        b.finish(Contract::default())
    };
    for bits in [32, 8] {
        let kernel = sum(bits);
        let base = lanes::compile_kernel(&kernel, Features::AVX512, Shape::single(Width::Z)).expect("a program");
        accepted(&kernel, &base);
        let load = base.code.iter().position(|i| matches!(i.op, Opcode::Vector(..))).expect("a load");
        let Some(Operand::Vector(r)) = base.code[load].operands[0] else { panic!("{base}") };
        for size in [64, 32, 8] {
            let mut other = base.clone();
            other.constants.resize(16, 0);
            let lines = [20, 21].map(|r| sized(Vector::Move, 64, &[v(r), line(usize::from(r) - 20)]));
            let find = sized(Vector::LookUp, size, &[v(r), v(20), v(21)]);
            other.code.splice(load + 1..load + 1, [lines[0], lines[1], find]);
            assert!(check_kernel(&kernel, &other).is_err(), "{bits} {size}\n{other}");
        }
    }
}

/// Two groups: what one looks up is not what the other does, though both have the same unknowns.
#[test]
fn groups_look_up_for_themselves() {
    let kernel = part(6, 58);
    for shape in
        [Shape { groups: 2, active: 2, ..Shape::single(Width::Z) }, Shape { groups: 2, ..Shape::single(Width::Z) }]
    {
        let program = lanes::compile_kernel(&kernel, Features::AVX512, shape).unwrap_or_else(|e| panic!("{e}"));
        accepted(&kernel, &program);
        // Of each group a load, and a store.
        let of_array = |i: usize| {
            let code = &program.code;
            let here = (0..code.len()).filter(move |at| {
                let Some(Operand::Memory(a)) = code[*at].operands[i] else { return false };
                matches!(code[*at].op, Opcode::Vector(Vector::Move, _)) && a.base != Base::Constants
            });
            here.collect::<Vec<usize>>()
        };
        let (loads, stores) = (of_array(1), of_array(0));
        assert!(loads.len() == 2 && stores.len() == 2, "{program}");
        let exchanged = |places: &[usize], operand: usize| {
            let mut other = program.clone();
            other.code[places[0]].operands[operand] = program.code[places[1]].operands[operand];
            other.code[places[1]].operands[operand] = program.code[places[0]].operands[operand];
            other
        };
        assert_eq!(refused(&kernel, &exchanged(&loads, 1)), Fault::Groups);
        assert_eq!(refused(&kernel, &exchanged(&stores, 0)), Fault::Groups);
    }
}

/// In a loop a line that an iteration writes over is none for the next.
#[test]
fn a_line_outlives_an_iteration_as_long_as_nothing_is_written_to_it() {
    let kernel = part(6, 58);
    let shape = Shape { iterations: 3, ..Shape::single(Width::Z) };
    let program = lanes::compile_kernel(&kernel, Features::AVX512, shape).unwrap_or_else(|e| panic!("{e}"));
    accepted(&kernel, &program);
    let is_line = |inst: &Inst| {
        let of_constants = matches!(inst.operands[1], Some(Operand::Memory(Address { base: Base::Constants, .. })));
        matches!(inst.op, Opcode::Vector(Vector::Move, _)) && of_constants
    };
    let (lines, mut rest): (Vec<Inst>, Vec<Inst>) = program.code.iter().partition(|inst| is_line(inst));
    let [Some(low), Some(high)] = [0, 1].map(|i| lines.get(i).copied()) else { panic!("{program}") };
    // In registers of their own.
    let kept = |line: Inst, r: u8| z(Vector::Move, &[v(r), line.operands[1].expect("an address")]);
    for inst in rest.iter_mut().filter(|inst| matches!(inst.op, Opcode::Vector(Vector::LookUp, _))) {
        let low_first = inst.operands[1] == low.operands[0];
        inst.operands[1..].copy_from_slice(&if low_first { [20, 21] } else { [21, 20] }.map(|r| Some(v(r))));
    }
    rest.splice(0..0, [kept(low, 20), kept(high, 21)]);
    let hoisted = Program { code: rest, ..program.clone() };
    accepted(&kernel, &hoisted);
    let find = hoisted.code.iter().position(|i| matches!(i.op, Opcode::Vector(Vector::LookUp, _))).expect("a look-up");
    let [index, low, high] = hoisted.code[find].operands.map(|o| o.expect("an operand"));
    for line in [low, high] {
        let mut other = hoisted.clone();
        other.code.insert(find + 1, z(Vector::Move, &[line, index]));
        assert_eq!(refused(&kernel, &other), Fault::Undefined("table"));
    }
    // The other line from the second iteration on.
    let mut other = hoisted.clone();
    let Some(again) = if low == v(20) { hoisted.code[0] } else { hoisted.code[1] }.operands[1] else {
        panic!("a line")
    };
    other.code.insert(find + 1, z(Vector::Move, &[high, again]));
    differs(&kernel, &other);
}

/// A look-up, a call that looks up, and another look-up.
fn calls() -> (Kernel, Program) {
    let callee = part(6, 3);
    let mut b = Builder::new("caller", 64);
    let ty = b.word_type();
    let full = || vec![Interval::bits(64)];
    let out = b.array("out", ty, 1, ArrayKind::Output, full());
    let a = b.array("a", ty, 1, ArrayKind::Input, full());
    let [s, t] = ["s", "t"].map(|name| b.array(name, ty, 1, ArrayKind::Local, full()));
    let table = b.table("t", (0..64).map(entry).map(BigInt::from).collect());
    let callee = b.callee(Arc::new(callee));
    let x = b.load(a, 0u32);
    let index = b.low_bits(x, 6);
    let y = b.lookup(table, index);
    b.store(s, 0u32, y);
    b.call(callee, vec![View::whole(t), View::whole(s)]);
    b.call(callee, vec![View::whole(s), View::whole(t)]);
    let x = b.load(s, 0u32);
    let index = b.low_bits(x, 6);
    let y = b.lookup(table, index);
    b.store(out, 0u32, y);
    let kernel = b.finish(Contract::default());
    let limits = Limits { straight: 0, segment: 0, inline: 0, data: 0 };
    let found = routines_within(&kernel, Features::AVX512, Width::Z, &limits).expect("routines").expect("a call");
    let program = found.compile(Features::AVX512.into()).unwrap_or_else(|e| panic!("{e}"));
    (kernel, program)
}

#[test]
fn a_call_keeps_no_line() {
    let (kernel, program) = calls();
    let report = check_kernel(&kernel, &program).unwrap_or_else(|e| panic!("{e}\n{program}"));
    assert!(report.routines > 0, "{program}");
    let mut tried = 0;
    for at in 0..program.code.len() {
        let inst = program.code[at];
        let Some(Operand::Memory(Address { base: Base::Constants, .. })) = inst.operands[1] else { continue };
        if !matches!(inst.op, Opcode::Vector(Vector::Move, _)) {
            continue;
        }
        tried += 1;
        let mut other = program.clone();
        other.code.remove(at);
        let why = check_kernel(&kernel, &other).expect_err("a line that somebody else has loaded");
        let CheckError::Instruction { fault, .. } = (match why {
            CheckError::Routine { why, .. } => *why,
            why => why,
        }) else {
            panic!("no instruction\n{other}")
        };
        assert_eq!(fault, Fault::Undefined("table"), "{other}");
    }
    // Two of the caller before its calls, two behind them, two of the routine.
    assert!(tried >= 6, "{tried}\n{program}");
}

/// Where carry-less products are, two words are followed.
#[test]
fn pairs_look_up_each_for_itself() {
    let kernel = kernel(64, |b, table, x| {
        let index = b.low_bits(x, 6);
        let found = b.lookup(table, index);
        let product = b.clmul(found, x);
        b.split(product, 64)[0]
    });
    let program =
        lanes::compile_kernel(&kernel, Features::AVX512, Shape::single(Width::Z)).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(program.units_followed(), 2);
    accepted(&kernel, &program);
    let find = program.code.iter().position(|i| matches!(i.op, Opcode::Vector(Vector::LookUp, _))).expect("a look-up");
    let [index, low, high] = program.code[find].operands.map(|o| o.expect("an operand"));
    for inst in [z(Vector::UnpackEven, &[index, index, index]), z(Vector::UnpackOdd, &[index, index, index])] {
        // Both words of a pair are one of them.
        for at in [find, find + 1] {
            let mut other = program.clone();
            other.code.insert(at, inst);
            differs(&kernel, &other);
        }
    }
    for inst in [
        z(Vector::UnpackEven, &[v(29), low, index]),
        z(Vector::UnpackOdd, &[low, index, index]),
        z(Vector::ClmulEven, &[high, index, index]),
        z(Vector::ClmulOdd, &[v(29), index, high]),
    ] {
        let mut other = program.clone();
        other.code.insert(find, inst);
        assert!(matches!(refused(&kernel, &other), Fault::Undefined(_)), "{inst:?}");
    }
}
