//! Look-ups in registers: the table of a program on vectors differs from lane to lane, and no other instruction may find
//! anything there.

use evariste_codegen::check::machine::Fault;
use evariste_codegen::check::{CheckError, check_kernel};
use evariste_codegen::x86_64::lanes::{self, Shape};
use evariste_codegen::x86_64::{Address, Base, Features, Gpr, Inst, Opcode, Operand, Program, Vector, Width};
use evariste_ir::range::Interval;
use evariste_ir::{Array, ArrayKind, Builder, Contract, Kernel};
use num_bigint::BigInt;

/// Entries of 16 bits, all different.
fn entry(i: u64) -> u64 {
    i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48 ^ i
}

/// `t[a >> 58] + a`, with a table of so many entries; indices beyond it are not admissible.
fn kernel(len: u64) -> Kernel {
    let mut b = Builder::new("k", 64);
    let ty = b.word_type();
    let out: Array = b.array("out", ty, 1, ArrayKind::Output, vec![Interval::bits(64)]);
    let most = BigInt::from((len as u128) << 58) - 1;
    let a = b.array("a", ty, 1, ArrayKind::Input, vec![Interval::up_to(most)]);
    let table = b.table("t", (0..len).map(entry).map(BigInt::from).collect());
    let x = b.load(a, 0u32);
    let index = b.shr(x, 58u32);
    let found = b.lookup(table, index);
    let sum = b.wrapping_add(found, x);
    b.store(out, 0u32, sum);
    b.finish(Contract::default())
}

fn program(kernel: &Kernel) -> Program {
    let program = lanes::compile_kernel(kernel, Features::AVX512, Shape::single(Width::Z));
    program.unwrap_or_else(|e| panic!("{e}"))
}

fn place(program: &Program, wanted: impl Fn(&Inst) -> bool) -> usize {
    program.code.iter().position(wanted).unwrap_or_else(|| panic!("no such instruction:\n{program}"))
}

fn look_up(program: &Program) -> usize {
    place(program, |inst| matches!(inst.op, Opcode::Vector(Vector::LookUp, _)))
}

fn is_line(inst: &Inst) -> bool {
    let of_constants = matches!(inst.operands[1], Some(Operand::Memory(Address { base: Base::Constants, .. })));
    matches!(inst.op, Opcode::Vector(Vector::Move, _)) && of_constants
}

fn vector(op: Vector, operands: &[Operand]) -> Inst {
    Inst::sized(Opcode::Vector(op, Width::Z), 64, operands)
}

#[track_caller]
fn faults(kernel: &Kernel, program: &Program, wanted: Fault) {
    match check_kernel(kernel, program) {
        Err(CheckError::Instruction { fault, .. }) => assert_eq!(fault, wanted, "{program}"),
        other => panic!("{other:?}\n{program}"),
    }
}

#[track_caller]
fn differs(kernel: &Kernel, program: &Program) {
    let verdict = check_kernel(kernel, program);
    assert!(matches!(verdict, Err(CheckError::Differs { .. })), "{verdict:?}\n{program}");
}

#[test]
fn tables_of_every_length_are_looked_up() {
    for len in 1..=64 {
        let kernel = kernel(len);
        let program = program(&kernel);
        check_kernel(&kernel, &program).unwrap_or_else(|e| panic!("{len}: {e}\n{program}"));
    }
    // Another length is another table, as far as an index may go.
    let (short, long) = (kernel(5), kernel(6));
    differs(&long, &program(&short));
}

#[test]
fn every_bit_of_every_entry_counts() {
    let kernel = kernel(64);
    let program = program(&kernel);
    let table = place(&program, is_line);
    let Some(Operand::Memory(first)) = program.code[table].operands[1] else { panic!("{program}") };
    for word in 0..16 {
        for bit in 0..64 {
            let mut other = program.clone();
            other.constants[first.displacement as usize / 8 + word] ^= 1 << bit;
            differs(&kernel, &other);
        }
    }
}

#[test]
fn a_table_is_two_registers_in_their_order() {
    let kernel = kernel(64);
    let program = program(&kernel);
    let at = look_up(&program);
    let [d, low, high] = program.code[at].operands;
    let with = |operands: [Option<Operand>; 3]| {
        let mut other = program.clone();
        other.code[at].operands = operands;
        other
    };
    differs(&kernel, &with([d, high, low]));
    differs(&kernel, &with([d, low, low]));
    // The index is no table, and a table no index; nor is what lies in memory.
    faults(&kernel, &with([d, d, high]), Fault::Undefined("table"));
    faults(&kernel, &with([low, low, high]), Fault::Undefined("vector register"));
    faults(&kernel, &with([d, low, Some(Operand::Memory(Address::at(Gpr::Rsi, 0)))]), Fault::Form);
    let mut other = program.clone();
    other.code[at].bits = 32;
    faults(&kernel, &other, Fault::Form);
}

#[test]
fn nothing_else_reads_a_line() {
    let kernel = kernel(64);
    let program = program(&kernel);
    let at = look_up(&program);
    let [Some(Operand::Vector(index)), Some(line @ Operand::Vector(low)), _] = program.code[at].operands else {
        panic!("{program}")
    };
    let d = Operand::Vector(29);
    let stored = Operand::Memory(Address::at(Gpr::Rdi, 0));
    for inst in [
        vector(Vector::Move, &[d, line]),
        vector(Vector::Move, &[stored, line]),
        vector(Vector::Add, &[d, line, Operand::Vector(index)]),
        vector(Vector::Xor, &[d, Operand::Vector(index), line]),
        vector(Vector::Shr(1), &[d, line]),
        vector(Vector::Compare(evariste_codegen::x86_64::Comparison::Less), &[Operand::Mask(1), line, line]),
    ] {
        let mut other = program.clone();
        other.code.insert(at, inst);
        faults(&kernel, &other, Fault::Undefined("vector register"));
    }
    // What is written over is no line any more.
    for inst in [
        vector(Vector::Move, &[line, Operand::Vector(index)]),
        vector(Vector::Add, &[line, Operand::Vector(index), Operand::Vector(index)]),
        vector(Vector::Xor, &[line, line, line]),
    ] {
        let mut other = program.clone();
        other.code.insert(at, inst);
        faults(&kernel, &other, Fault::Undefined("table"));
    }
    assert!(low < 16, "{program}");
    let mut other = program.clone();
    other.code.insert(at, Inst::sized(Opcode::Vector(Vector::ZeroUpper, Width::Y), 64, &[]));
    assert!(check_kernel(&kernel, &other).is_err());
}

#[test]
fn a_line_lies_in_the_constants_as_a_whole() {
    let kernel = kernel(64);
    let program = program(&kernel);
    let at = place(&program, is_line);
    let Some(Operand::Memory(address)) = program.code[at].operands[1] else { panic!("{program}") };
    let end = 8 * program.constants.len() as i32;
    for (displacement, wanted) in [
        (end - 56, Some(Fault::Access)),
        (end, Some(Fault::Access)),
        (-8, Some(Fault::Access)),
        (address.displacement + 4, Some(Fault::Access)),
        // Whole, and another table.
        (address.displacement + 8, None),
    ] {
        let mut other = program.clone();
        other.code[at].operands[1] = Some(Operand::Memory(Address { displacement, ..address }));
        match wanted {
            Some(fault) => faults(&kernel, &other, fault),
            None => differs(&kernel, &other),
        }
    }
}

#[test]
fn vectors_without_such_look_ups_have_no_code_of_them() {
    let kernel = kernel(64);
    for (width, features) in [(Width::Y, Features::AVX2), (Width::S, Features::BASELINE)] {
        assert!(lanes::compile_kernel(&kernel, features, Shape::single(width)).is_err());
    }
}

mod halves {
    use super::{differs, faults, place};
    use evariste_codegen::check::check_kernel;
    use evariste_codegen::check::machine::Fault;
    use evariste_codegen::x86_64::lanes::{self, Shape};
    use evariste_codegen::x86_64::{Address, Features, Gpr, Inst, Opcode, Operand, Program, Vector, Width};
    use evariste_ir::range::Interval;
    use evariste_ir::{Array, ArrayKind, Builder, Contract, Kernel};
    use num_bigint::BigInt;

    /// Entries of 32 bits, all different.
    fn entry(i: u64) -> u64 {
        i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32 ^ i
    }

    /// The entries at `k` bits and `above` bits of the word `a`, moved down by `shift`, side by side; tables of so many entries.
    fn kernel([len, other]: [u64; 2], shift: u32, above: u32) -> Kernel {
        let mut b = Builder::new("k", 64);
        let ty = b.word_type();
        let out: Array = b.array("out", ty, 1, ArrayKind::Output, vec![Interval::bits(64)]);
        let a = b.array("a", ty, 1, ArrayKind::Input, vec![Interval::bits(64)]);
        let tables = [("t", len), ("u", other)]
            .map(|(name, len)| (len.ilog2(), b.table(name, (0..len).map(entry).map(BigInt::from).collect())));
        let x = b.load(a, 0u32);
        let low = b.shr(x, shift);
        let high = b.shr(low, above);
        let [low, high] = [(low, tables[0]), (high, tables[1])].map(|(word, (bits, table))| {
            let index = b.low_bits(word, bits);
            b.lookup(table, index)
        });
        let high = b.shl(high, 32u32);
        let sum = b.add(low, high);
        b.store(out, 0u32, sum);
        b.finish(Contract::default())
    }

    fn program(kernel: &Kernel) -> Program {
        let program = lanes::compile_kernel(kernel, Features::AVX2, Shape::single(Width::Y));
        program.unwrap_or_else(|e| panic!("{e}"))
    }

    fn look_ups(program: &Program) -> usize {
        program.code.iter().filter(|inst| matches!(inst.op, Opcode::Vector(Vector::LookUpHalves, _))).count()
    }

    /// Among 32 entries, where there are masks.
    fn of_masked(kernel: &Kernel) -> Program {
        let program = lanes::compile_kernel(kernel, Features::AVX512, Shape::single(Width::Z));
        program.unwrap_or_else(|e| panic!("{e}"))
    }

    fn of_two(inst: &Inst) -> bool {
        matches!(inst.op, Opcode::Vector(Vector::LookUpHalvesOfTwo, _))
    }

    #[test]
    fn two_among_32_side_by_side_are_one() {
        for shift in 0..28 {
            let kernel = kernel([32, 32], shift, 32);
            let program = of_masked(&kernel);
            check_kernel(&kernel, &program).unwrap_or_else(|e| panic!("{shift}: {e}\n{program}"));
            assert_eq!(program.code.iter().filter(|inst| of_two(inst)).count(), 1, "{program}");
        }
        for (lengths, above) in [([32, 32], 31), ([32, 32], 27), ([32, 32], 5), ([32, 16], 32), ([2, 32], 32)] {
            let kernel = kernel(lengths, 2, above);
            let program = of_masked(&kernel);
            check_kernel(&kernel, &program).unwrap_or_else(|e| panic!("{lengths:?} {above}: {e}\n{program}"));
            assert_eq!(program.code.iter().filter(|inst| of_two(inst)).count(), 2, "{program}");
        }
    }

    #[test]
    fn every_bit_of_32_entries_counts() {
        let kernel = kernel([32, 32], 3, 32);
        let program = of_masked(&kernel);
        check_kernel(&kernel, &program).unwrap_or_else(|e| panic!("{e}\n{program}"));
        for (word, bit) in (0..16).flat_map(|word| (0..64).map(move |bit| (word, bit))) {
            let mut other = program.clone();
            other.constants[word] ^= 1 << bit;
            differs(&kernel, &other);
        }
        let at = place(&program, of_two);
        let with = |op: Vector, width: Width, bits: u8, operands: [Option<Operand>; 3]| {
            let mut other = program.clone();
            (other.code[at].op, other.code[at].bits) = (Opcode::Vector(op, width), bits);
            other.code[at].operands = operands;
            other
        };
        let [d, low, high] = program.code[at].operands;
        // The entries of 16 bits that the lines are too are others; the lines have an order.
        differs(&kernel, &with(Vector::LookUp, Width::Z, 64, [d, low, high]));
        differs(&kernel, &with(Vector::LookUpHalvesOfTwo, Width::Z, 64, [d, high, low]));
        for (width, bits) in [(Width::X, 64), (Width::Y, 64), (Width::Z, 32)] {
            faults(&kernel, &with(Vector::LookUpHalvesOfTwo, width, bits, [d, low, high]), Fault::Form);
        }
        let of_data = with(Vector::LookUpHalvesOfTwo, Width::Z, 64, [d, low, d]);
        faults(&kernel, &of_data, Fault::Undefined("table"));
        let line = Some(Operand::Memory(Address::constant(0)));
        faults(&kernel, &with(Vector::LookUpHalvesOfTwo, Width::Z, 64, [d, low, line]), Fault::Form);
    }

    fn load() -> Inst {
        ymm(Vector::Move, &[Operand::Vector(0), Operand::Memory(Address::at(Gpr::Rsi, 0))])
    }

    fn ymm(op: Vector, operands: &[Operand]) -> Inst {
        Inst::sized(Opcode::Vector(op, Width::Y), 64, operands)
    }

    #[test]
    fn two_side_by_side_are_one() {
        for shift in 0..30 {
            let kernel = kernel([8, 8], shift, 32);
            let program = program(&kernel);
            check_kernel(&kernel, &program).unwrap_or_else(|e| panic!("{shift}: {e}\n{program}"));
            assert_eq!(look_ups(&program), 1, "{program}");
        }
    }

    #[test]
    fn others_stay_two() {
        for (lengths, above) in
            [([8, 8], 31), ([8, 8], 29), ([8, 8], 3), ([8, 4], 32), ([2, 8], 32), ([4, 4], 32), ([1, 2], 32)]
        {
            let kernel = kernel(lengths, 2, above);
            let program = program(&kernel);
            check_kernel(&kernel, &program).unwrap_or_else(|e| panic!("{lengths:?} {above}: {e}\n{program}"));
            assert!(look_ups(&program) <= 2, "{program}");
        }
    }

    #[test]
    fn every_bit_of_every_entry_counts() {
        let kernel = kernel([8, 8], 3, 32);
        let program = program(&kernel);
        for word in 0..4 {
            for bit in 0..64 {
                let mut other = program.clone();
                other.constants[word] ^= 1 << bit;
                differs(&kernel, &other);
            }
        }
        // What lies behind the eighth is not read.
        let mut other = program.clone();
        other.constants.truncate(4);
        check_kernel(&kernel, &other).unwrap_or_else(|e| panic!("{e}\n{other}"));
        other.constants.truncate(3);
        faults(&kernel, &other, Fault::Access);
    }

    #[test]
    fn tables_are_constants_and_indices_are_words() {
        let kernel = kernel([8, 8], 0, 32);
        let program = program(&kernel);
        let at = place(&program, |inst| matches!(inst.op, Opcode::Vector(Vector::LookUpHalves, _)));
        let [d, index, Some(Operand::Memory(table))] = program.code[at].operands else { panic!("{program}") };
        let with = |operands: [Option<Operand>; 3], bits: u8| {
            let mut other = program.clone();
            (other.code[at].operands, other.code[at].bits) = (operands, bits);
            other
        };
        let moved = |displacement: i32| Some(Operand::Memory(Address { displacement, ..table }));
        assert_eq!(table.displacement, 0, "{program}");
        differs(&kernel, &with([d, index, moved(4)], 64));
        differs(&kernel, &with([d, index, moved(8)], 64));
        faults(&kernel, &with([d, index, moved(2)], 64), Fault::Access);
        faults(&kernel, &with([d, index, moved(-4)], 64), Fault::Access);
        faults(&kernel, &with([d, index, moved(8 * program.constants.len() as i32 - 28)], 64), Fault::Access);
        // Words of data are no table, in a register or in memory; nor is an address that they say.
        let data = Some(Operand::Memory(Address::at(Gpr::Rsi, 0)));
        faults(&kernel, &with([d, index, data], 64), Fault::Access);
        faults(&kernel, &with([d, index, index], 64), Fault::Form);
        faults(&kernel, &with([d, index, Some(Operand::Broadcast(table))], 64), Fault::Form);
        let indexed = Address { index: Some((Gpr::Rsi, 1)), ..table };
        faults(&kernel, &with([d, index, Some(Operand::Memory(indexed))], 64), Fault::Access);
        // Lanes of 32 bits have none, nor have vectors of other lengths.
        faults(&kernel, &with([d, index, moved(0)], 32), Fault::Form);
        faults(&kernel, &with([d, Some(Operand::Vector(9)), moved(0)], 64), Fault::Undefined("vector register"));
        faults(&kernel, &with([d, moved(0), moved(0)], 64), Fault::Form);
        for width in [Width::S, Width::X, Width::Z] {
            let mut other = program.clone();
            (other.code[at].op, other.features) = (Opcode::Vector(Vector::LookUpHalves, width), Features::AVX512);
            faults(&kernel, &other, Fault::Form);
        }
        assert!(lanes::compile_kernel(&kernel, Features::BASELINE, Shape::single(Width::S)).is_err());
    }

    /// What shifts and masks make of a word before, and where the entries of its halves are found.
    #[test]
    fn an_index_is_the_lowest_three_bits_of_a_half() {
        let kernel = kernel([8, 8], 3, 32);
        let program = program(&kernel);
        let at = place(&program, |inst| matches!(inst.op, Opcode::Vector(Vector::LookUpHalves, _)));
        let shift = place(&program, |inst| matches!(inst.op, Opcode::Vector(Vector::Shr(_), _)));
        let wrong = |k: u8| {
            let mut other = program.clone();
            other.code[shift].op = Opcode::Vector(Vector::Shr(k), Width::Y);
            other
        };
        for k in [1, 2, 4, 6, 34, 35, 36] {
            differs(&kernel, &wrong(k));
        }
        // Bits above an index may be any, those of it not.
        for (mask, right) in [(u64::MAX >> 3, true), (u64::MAX >> 30, false), (!1, false), (7, false)] {
            let mut other = program.clone();
            other.constants.push(mask);
            let place = Address::constant(other.constants.len() - 1);
            let [_, index, _] = program.code[at].operands;
            let Some(index @ Operand::Vector(_)) = index else { panic!("{program}") };
            let loaded = Operand::Vector(7);
            other.code.insert(at, ymm(Vector::And, &[index, index, loaded]));
            other.code.insert(at, ymm(Vector::Broadcast, &[loaded, Operand::Memory(place)]));
            if right {
                check_kernel(&kernel, &other).unwrap_or_else(|e| panic!("{e}\n{other}"));
            } else {
                differs(&kernel, &other);
            }
        }
        // A register that is loaded of constants holds them in every lane, not a table.
        let mut other = program.clone();
        other.code.insert(at, load());
        differs(&kernel, &other);
        let line = Operand::Memory(Address::constant(0));
        other.code[at] = ymm(Vector::Move, &[Operand::Vector(0), line]);
        assert!(check_kernel(&kernel, &other).is_err(), "{other}");
    }
}
