//! One element in registers of four words, each followed by itself: a program that moves its words about, and what breaks
//! a rule of that.

use std::sync::Arc;

use evariste_codegen::check::machine::Fault;
use evariste_codegen::check::{CheckError, check_kernel};
use evariste_codegen::program::{Lanes, Parameter, Role};
use evariste_codegen::x86_64::{
    Address, Features, Gpr, Inst, Opcode, Operand, Program, Vector, Width, compile_abreast, compile_kernel,
};
use evariste_ir::{ArrayKind, Builder, Contract, Interval, Kernel, Type, Value, View};

/// `out = a[3], a[2], a[1] + b, a[0]`.
const KERNEL: &str = "kernel k: word 64 {
    output out: 4 x w64
    input a: 4 x w64
    input b: 1 x w64

    %0: w64 = a[0]
    %1: w64 = a[1]
    %2: w64 = a[2]
    %3: w64 = a[3]
    %4: w64 = b[0]
    %5: w64 = wrapping_add %1, %4
    out[0] = %3
    out[1] = %2
    out[2] = %5
    out[3] = %0
}
";

const V: fn(u8) -> Operand = Operand::Vector;

fn at(base: Gpr, bytes: i32) -> Operand {
    Operand::Memory(Address::at(base, bytes))
}

fn y(op: Vector, operands: &[Operand]) -> Inst {
    Inst::new(Opcode::Vector(op, Width::Y), operands)
}

fn lowest(operands: &[Operand]) -> Inst {
    Inst::new(Opcode::Vector(Vector::MoveLowest, Width::X), operands)
}

/// a to register 0, word by word; b beside zeros to register 5; the sum, turned about, to 1; its words to the output by
/// way of a place on the stack.
fn code() -> Vec<Inst> {
    let (out, a, b) = (Gpr::Rdi, Gpr::Rsi, Gpr::Rdx);
    let register = |r| Operand::Register(r);
    let mut code = vec![
        Inst::new(Opcode::Mov, &[register(Gpr::R11), register(Gpr::Rsp)]),
        Inst::new(Opcode::Sub, &[register(Gpr::Rsp), Operand::Immediate(64)]),
        Inst::new(Opcode::And, &[register(Gpr::Rsp), Operand::Immediate(-64)]),
        y(Vector::Broadcast, &[V(0), at(a, 0)]),
    ];
    for l in 1..4u8 {
        code.push(y(Vector::Broadcast, &[V(1), at(a, 8 * i32::from(l))]));
        code.push(y(Vector::BlendWords(1 << l), &[V(0), V(0), V(1)]));
    }
    code.extend([
        lowest(&[V(5), at(b, 0)]),
        y(Vector::PermuteWords(0b11_11_00_11), &[V(5), V(5)]),
        y(Vector::Add, &[V(1), V(0), V(5)]),
        y(Vector::PermuteWords(0b00_01_10_11), &[V(1), V(1)]),
        y(Vector::Move, &[at(Gpr::Rsp, 32), V(1)]),
        y(Vector::Xor, &[V(1), V(1), V(1)]),
        y(Vector::Move, &[V(2), at(Gpr::Rsp, 32)]),
        lowest(&[at(out, 0), V(2)]),
    ]);
    for l in 1..4u8 {
        code.push(y(Vector::PermuteWords(l), &[V(3), V(2)]));
        code.push(lowest(&[at(out, 8 * i32::from(l)), V(3)]));
    }
    code.push(Inst::new(Opcode::Mov, &[register(Gpr::Rsp), register(Gpr::R11)]));
    code.push(y(Vector::ZeroUpper, &[]));
    code.push(Inst::new(Opcode::Return, &[]));
    code
}

fn program(code: Vec<Inst>) -> Program {
    let param = |name: &str, len, role| Parameter { name: name.into(), element_bytes: 8, len, role };
    Program {
        name: "k".into(),
        features: Features::AVX2,
        lanes: Lanes::ONE,
        params: vec![param("out", 4, Role::Output), param("a", 4, Role::Input), param("b", 1, Role::Input)],
        disjoint: vec![(0, 2), (1, 2)],
        constants: vec![],
        code,
        callees: Vec::new(),
    }
}

fn kernel() -> Kernel {
    Kernel::parse(KERNEL).unwrap_or_else(|e| panic!("{e}"))
}

fn checked(program: &Program) -> Result<(), CheckError> {
    check_kernel(&kernel(), program).map(drop)
}

#[track_caller]
fn refused(code: Vec<Inst>) -> Option<Fault> {
    match checked(&program(code)) {
        Ok(()) => panic!("accepted"),
        Err(CheckError::Instruction { fault, .. }) => Some(fault),
        Err(CheckError::Differs { .. }) => None,
        Err(other) => panic!("{other}"),
    }
}

#[test]
fn words_that_are_moved_about_are_followed() {
    let program = program(code());
    assert_eq!(program.units_followed(), 4);
    checked(&program).unwrap_or_else(|e| panic!("{e}\n{program}"));
}

#[test]
fn every_other_move_of_words_is_another_program() {
    let right = code();
    let (mut moves, mut same) = (0, 0);
    for (place, inst) in right.iter().enumerate() {
        let others: Vec<Vector> = match inst.op {
            Opcode::Vector(Vector::PermuteWords(places), _) => {
                (0..=255).filter(|p| *p != places).map(Vector::PermuteWords).collect()
            }
            Opcode::Vector(Vector::BlendWords(words), _) => {
                (0..=255).filter(|w| *w != words).map(Vector::BlendWords).collect()
            }
            _ => continue,
        };
        for other in others {
            let mut wrong = right.clone();
            wrong[place].op = Opcode::Vector(other, Width::Y);
            moves += 1;
            match checked(&program(wrong)) {
                Err(_) => {}
                Ok(()) => {
                    same += 1;
                    let harmless = match (inst.op, other) {
                        // Words of which nobody reads: all but the lowest on the way to the output.
                        (Opcode::Vector(Vector::PermuteWords(was), _), Vector::PermuteWords(is)) => {
                            matches!(inst.operands[0], Some(Operand::Vector(3))) && was & 3 == is & 3
                                // Zeros, whichever they are.
                                || matches!(inst.operands[0], Some(Operand::Vector(5)))
                                    && (0..4).all(|l| (was >> (2 * l) & 3 == 0) == (is >> (2 * l) & 3 == 0))
                        }
                        // What the next blends write over.
                        (Opcode::Vector(Vector::BlendWords(was), _), Vector::BlendWords(is)) => {
                            is < 16 && (was ^ is) & (2 * was - 1) == 0
                        }
                        _ => false,
                    };
                    assert!(harmless, "{inst} as {other:?}");
                }
            }
        }
    }
    assert!(moves > 1000 && same < moves / 3, "{same} of {moves} are the same");
}

#[test]
fn memory_has_its_own_order() {
    let replaced = |from: fn(&Inst) -> bool, to: Inst| {
        let mut wrong = code();
        let place = wrong.iter().position(from).expect("there is one");
        wrong[place] = to;
        refused(wrong)
    };
    let broadcast: fn(&Inst) -> bool = |inst| matches!(inst.op, Opcode::Vector(Vector::Broadcast, _));
    let spill: fn(&Inst) -> bool =
        |inst| matches!((inst.op, inst.operands[0]), (Opcode::Vector(Vector::Move, _), Some(Operand::Memory(_))));
    let fill: fn(&Inst) -> bool =
        |inst| matches!((inst.op, inst.operands[0]), (Opcode::Vector(Vector::Move, _), Some(Operand::Vector(_))));
    let store: fn(&Inst) -> bool =
        |inst| matches!((inst.op, inst.operands[0]), (Opcode::Vector(Vector::MoveLowest, _), Some(Operand::Memory(_))));
    // Words beyond an array, and parts of words.
    for bytes in [-8, 4, 32] {
        assert_eq!(replaced(broadcast, y(Vector::Broadcast, &[V(0), at(Gpr::Rsi, bytes)])), Some(Fault::Access));
    }
    // Four words of an array at once are none of the forms.
    assert_eq!(replaced(broadcast, y(Vector::Move, &[V(0), at(Gpr::Rsi, 0)])), Some(Fault::Access));
    assert_eq!(replaced(store, y(Vector::Move, &[at(Gpr::Rdi, 0), V(2)])), Some(Fault::Access));
    assert_eq!(replaced(store, lowest(&[at(Gpr::Rsi, 0), V(2)])), Some(Fault::Access));
    assert_eq!(replaced(store, lowest(&[at(Gpr::Rdi, 32), V(2)])), Some(Fault::Access));
    // Whole vectors in their places on the stack alone.
    for bytes in [8, 16, 48, 64, -32] {
        assert_eq!(replaced(spill, y(Vector::Move, &[at(Gpr::Rsp, bytes), V(1)])), Some(Fault::Stack));
    }
    for bytes in [0, 8, 16] {
        assert_eq!(
            replaced(fill, y(Vector::Move, &[V(2), at(Gpr::Rsp, bytes)])),
            Some(Fault::Undefined("stack slot")),
            "{bytes}"
        );
    }
    assert_eq!(replaced(fill, lowest(&[V(2), at(Gpr::Rsp, 32)])), Some(Fault::Address));
    assert_eq!(replaced(fill, y(Vector::Broadcast, &[V(2), at(Gpr::Rsp, 32)])), Some(Fault::Address));
    // Another length would lie over a part of a vector.
    let narrow = |op, operands: &[Operand]| Inst::new(Opcode::Vector(op, Width::X), operands);
    assert_eq!(replaced(spill, narrow(Vector::Move, &[at(Gpr::Rsp, 32), V(1)])), Some(Fault::Form));
    assert_eq!(replaced(fill, narrow(Vector::Move, &[V(2), at(Gpr::Rsp, 32)])), Some(Fault::Form));
}

/// What moves words takes them from the stack as from a register.
#[test]
fn words_move_from_the_stack() {
    let place = at(Gpr::Rsp, 32);
    let with = |blended: Operand, permuted: Operand| {
        let mut code = code();
        let fill = code.iter().position(|inst| inst.operands[1] == Some(place)).expect("it is read back");
        // The words that are there already.
        code.insert(fill + 1, y(Vector::BlendWords(0b0101), &[V(2), V(2), blended]));
        for inst in &mut code[fill + 2..] {
            if matches!(inst.op, Opcode::Vector(Vector::PermuteWords(_), _)) {
                inst.operands[1] = Some(permuted);
            }
        }
        program(code)
    };
    checked(&with(place, place)).unwrap_or_else(|e| panic!("{e}"));
    for (blended, permuted) in [(at(Gpr::Rsp, 0), place), (place, at(Gpr::Rsp, 0))] {
        let refused = checked(&with(blended, permuted));
        let fault = Fault::Undefined("stack slot");
        assert!(matches!(refused, Err(CheckError::Instruction { fault: is, .. }) if is == fault));
    }
}

#[test]
fn a_load_of_the_lowest_word_clears_the_others() {
    // b where b beside zeros is wanted: b + a[0] and so on.
    let mut wrong = code();
    let place = wrong.iter().position(|inst| inst.operands[1] == Some(at(Gpr::Rdx, 0))).expect("a load of b");
    wrong[place] = y(Vector::Broadcast, &[V(5), at(Gpr::Rdx, 0)]);
    assert_eq!(refused(wrong), None);
    // And the other way round.
    let mut wrong = code();
    let place = wrong.iter().position(|inst| inst.operands[1] == Some(at(Gpr::Rsi, 8))).expect("a load of a[1]");
    wrong[place] = lowest(&[V(1), at(Gpr::Rsi, 8)]);
    assert_eq!(refused(wrong), None);
}

#[test]
fn what_has_another_meaning_there_has_none() {
    let inserted = |inst: Inst| {
        let mut wrong = code();
        wrong.insert(4, inst);
        refused(wrong)
    };
    for op in [Vector::UnpackEven, Vector::UnpackOdd] {
        assert_eq!(inserted(y(op, &[V(9), V(0), V(0)])), Some(Fault::Form));
    }
    assert_eq!(inserted(y(Vector::ClmulEven, &[V(9), V(0), V(0)])), Some(Fault::Feature));
    for width in [Width::X, Width::S] {
        assert_eq!(inserted(Inst::new(Opcode::Vector(Vector::Add, width), &[V(9), V(0), V(0)])), Some(Fault::Form));
    }
    assert_eq!(inserted(y(Vector::PermuteWords(0), &[V(16), V(0)])), Some(Fault::Form));
    assert_eq!(inserted(y(Vector::PermuteWords(0), &[V(9), at(Gpr::Rsi, 0)])), Some(Fault::Access));
    assert_eq!(inserted(y(Vector::BlendWords(1), &[V(9), V(0), at(Gpr::Rsi, 0)])), Some(Fault::Access));
    // It reads all of its operand, though it takes no word of it.
    assert_eq!(inserted(y(Vector::BlendWords(0), &[V(9), V(0), at(Gpr::Rsi, 0)])), Some(Fault::Access));
    assert_eq!(inserted(y(Vector::BlendWords(1), &[V(9), at(Gpr::Rsi, 0), V(0)])), Some(Fault::Form));
    assert_eq!(inserted(y(Vector::BlendWords(1), &[V(9), V(0)])), Some(Fault::Form));
    assert_eq!(
        inserted(Inst::sized(Opcode::Vector(Vector::PermuteWords(0), Width::Y), 32, &[V(9), V(0)])),
        Some(Fault::Form)
    );
    assert_eq!(inserted(y(Vector::PermuteWords(0), &[V(9), V(8)])), Some(Fault::Undefined("vector register")));
    // Products of 52 bits on 256 are AVX-512's.
    assert_eq!(inserted(y(Vector::MaddLow, &[V(0), V(0), V(0)])), Some(Fault::Feature));
    let mut lesser = program(code());
    lesser.features = Features::ADX;
    assert!(matches!(checked(&lesser), Err(CheckError::Instruction { fault: Fault::Feature, .. })));
}

/// Where each word of a register is another element nothing moves from one to the other.
#[test]
fn words_of_other_elements_stay_where_they_are() {
    let text = "kernel k: word 64 {
    output out: 1 x w64
    input a: 1 x w64

    %0: w64 = a[0]
    out[0] = %0
}
";
    let kernel = Kernel::parse(text).unwrap_or_else(|e| panic!("{e}"));
    let code = |op: Vector, operands: &[Operand]| {
        vec![
            y(Vector::Move, &[V(0), at(Gpr::Rsi, 0)]),
            y(op, operands),
            y(Vector::Move, &[at(Gpr::Rdi, 0), V(0)]),
            y(Vector::ZeroUpper, &[]),
            Inst::new(Opcode::Return, &[]),
        ]
    };
    let of = |code: Vec<Inst>| {
        let param = |name: &str, role| Parameter { name: name.into(), element_bytes: 8, len: 4, role };
        let params = vec![param("out", Role::Output), param("a", Role::Input)];
        Program { lanes: Lanes { count: 4, groups: 1 }, params, disjoint: vec![], ..program(code) }
    };
    let right = of(code(Vector::Or, &[V(0), V(0), V(0)]));
    check_kernel(&kernel, &right).unwrap_or_else(|e| panic!("{e}"));
    // Even those that move nothing.
    for (op, operands) in [
        (Vector::PermuteWords(0b11_10_01_00), vec![V(0), V(0)]),
        (Vector::PermuteWords(0b00_10_01_11), vec![V(0), V(0)]),
        (Vector::BlendWords(5), vec![V(0), V(0), V(0)]),
    ] {
        let refused = check_kernel(&kernel, &of(code(op, &operands)));
        assert!(matches!(refused, Err(CheckError::Instruction { fault: Fault::Form, .. })), "{op:?}: {refused:?}");
    }
}

/// Four products, of each element of the input and the next.
fn products() -> Kernel {
    let word = Type::Word(64);
    let small = || vec![Interval::up_to(1000)];
    let mut b = Builder::new("product", 64);
    let out = b.array("out", word, 1, ArrayKind::Output, vec![word.full()]);
    let [x, y] = ["a", "b"].map(|name| b.array(name, word, 1, ArrayKind::Input, small()));
    let (x, y, zero) = (b.load(x, 0u32), b.load(y, 0u32), b.word_constant(0));
    let product = b.madd_lo(52, zero, x, y);
    b.store(out, 0u32, product);
    let product = Arc::new(b.finish(Contract::default()));
    let mut b = Builder::new("products", 64);
    let out = b.array("out", word, 4, ArrayKind::Output, vec![word.full()]);
    let a = b.array("a", word, 5, ArrayKind::Input, small());
    let product = b.callee(product);
    for i in 0..4u32 {
        b.call(product, vec![View::from(out, i), View::from(a, i), View::from(a, i + 1)]);
    }
    b.finish(Contract::default())
}

/// `x·y + y·y` of four pairs of words, by calls of products and a sum.
fn sums_of_products() -> Kernel {
    let word = Type::Word(64);
    let small = || vec![Interval::up_to(1000)];
    let of_two = |name: &str, most: u32, body: &dyn Fn(&mut Builder, Value, Value) -> Value| {
        let mut b = Builder::new(name, 64);
        let out = b.array("out", word, 1, ArrayKind::Output, vec![Interval::up_to(2 * most)]);
        let [x, y] = ["x", "y"].map(|name| b.array(name, word, 1, ArrayKind::Input, vec![Interval::up_to(most)]));
        let (x, y) = (b.load(x, 0u32), b.load(y, 0u32));
        let z = body(&mut b, x, y);
        b.store(out, 0u32, z);
        Arc::new(b.finish(Contract::default()))
    };
    let product = of_two("product", 1000, &|b, x, y| {
        let zero = b.word_constant(0);
        let product = b.madd_lo(52, zero, x, y);
        b.low_bits(product, 10)
    });
    let sum = of_two("sum", 2000, &|b, x, y| b.add(x, y));
    let mut b = Builder::new("products_and_sum", 64);
    let out = b.array("out", word, 1, ArrayKind::Output, vec![Interval::up_to(4000)]);
    let [x, y] = ["x", "y"].map(|name| b.array(name, word, 1, ArrayKind::Input, small()));
    let [s, t] = ["s", "t"].map(|name| b.array(name, word, 1, ArrayKind::Local, vec![Interval::up_to(2000)]));
    let [product, sum] = [product, sum].map(|callee| b.callee(callee));
    b.call(product, [s, x, y].map(View::whole).to_vec());
    b.call(product, [t, y, y].map(View::whole).to_vec());
    b.call(sum, [out, s, t].map(View::whole).to_vec());
    let both = Arc::new(b.finish(Contract::default()));
    let mut b = Builder::new("sums_of_products", 64);
    let out = b.array("out", word, 4, ArrayKind::Output, vec![Interval::up_to(4000)]);
    let a = b.array("a", word, 5, ArrayKind::Input, small());
    let both = b.callee(both);
    for i in 0..4u32 {
        b.call(both, vec![View::from(out, i), View::from(a, i), View::from(a, i + 1)]);
    }
    b.finish(Contract::default())
}

/// What is called four times is one word each time, with all that it calls: nothing moves between its own calls.
#[test]
fn what_is_called_often_is_taken_whole() {
    let kernel = sums_of_products();
    let program = compile_kernel(&kernel, Features::AVX512, None).unwrap_or_else(|e| panic!("{e}"));
    check_kernel(&kernel, &program).unwrap_or_else(|e| panic!("{e}\n{program}"));
    let count = |wanted: fn(Vector) -> bool| {
        program.code.iter().filter(|inst| matches!(inst.op, Opcode::Vector(op, Width::Y) if wanted(op))).count()
    };
    assert_eq!(count(|op| op == Vector::MaddLow), 2, "{program}");
    // The results, but for the lowest, are moved down to be stored; operands come from five words into two registers.
    assert_eq!(count(|op| matches!(op, Vector::PermuteWords(_))), 3, "{program}");
    assert_eq!(count(|op| matches!(op, Vector::BlendWords(_))), 6, "{program}");
}

/// The code of general registers has products of 52 bits written out, beside routines that have them as they are.
#[test]
fn products_are_read_as_each_part_has_them() {
    let word = Type::Word(64);
    let digit = || vec![Interval::bits(52)];
    let mut b = Builder::new("chosen", 64);
    let out = b.array("out", word, 1, ArrayKind::Output, vec![word.full()]);
    let [x, y] = ["x", "y"].map(|name| b.array(name, word, 1, ArrayKind::Input, digit()));
    let (x, y, zero) = (b.load(x, 0u32), b.load(y, 0u32), b.word_constant(0));
    let (low, high) = (b.madd_lo(52, zero, x, y), b.madd_hi(52, zero, x, y));
    let less = b.less(low, high);
    let chosen = b.select(less, low, high);
    b.store(out, 0u32, chosen);
    let chosen = Arc::new(b.finish(Contract::default()));
    let mut b = Builder::new("both", 64);
    let out = b.array("out", word, 5, ArrayKind::Output, vec![word.full()]);
    // (Another length than the output's: they do not overlap.)
    let a = b.array("a", word, 6, ArrayKind::Input, vec![Interval::up_to(1000)]);
    let held = b.array("held", word, 2, ArrayKind::Local, vec![word.full()]);
    let (products, chosen) = (b.callee(Arc::new(products())), b.callee(chosen));
    b.call(products, vec![View::from(out, 0u32), View::from(a, 0u32)]);
    b.call(chosen, vec![View::from(held, 0u32), View::from(a, 0u32), View::from(a, 1u32)]);
    b.call(chosen, vec![View::from(held, 1u32), View::from(a, 2u32), View::from(a, 3u32)]);
    // No call: the kernel is none of those that are side by side.
    let (x, y) = (b.load(held, 0u32), b.load(held, 1u32));
    let both = b.or(x, y);
    b.store(out, 4u32, both);
    let kernel = b.finish(Contract::default());
    let program = compile_kernel(&kernel, Features::AVX512, None).unwrap_or_else(|e| panic!("{e}"));
    let count = |wanted: fn(Opcode) -> bool| program.code.iter().filter(|inst| wanted(inst.op)).count();
    assert_eq!(count(|op| op == Opcode::Vector(Vector::MaddLow, Width::Y)), 1, "{program}");
    assert!(count(|op| matches!(op, Opcode::Mulx | Opcode::Mul)) >= 2, "{program}");
    check_kernel(&kernel, &program).unwrap_or_else(|e| panic!("{e}\n{program}"));
}

/// What calls products of 52 bits is scalar code without them, and otherwise in registers of four words; what is no call is
/// never.
#[test]
fn calls_are_side_by_side_where_they_gain() {
    let kernel = products();
    let program = compile_kernel(&kernel, Features::AVX512, None).unwrap_or_else(|e| panic!("{e}"));
    let count = |wanted: Vector| program.code.iter().filter(|inst| inst.op == Opcode::Vector(wanted, Width::Y)).count();
    assert_eq!(count(Vector::MaddLow), 1, "one for four:\n{program}");
    check_kernel(&kernel, &program).unwrap_or_else(|e| panic!("{e}\n{program}"));
    let scalar = compile_kernel(&kernel, Features::AVX2, None).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(scalar.units_followed(), 1);
    check_kernel(&kernel, &scalar).unwrap_or_else(|e| panic!("{e}\n{scalar}"));
    assert!(compile_abreast(&self::kernel(), Features::AVX512).is_err(), "it calls nothing");
}
