//! The checker gives every group of elements the same unknowns, since no group of a program may depend on another: here
//! they do, and it must see that.

use evariste_algorithms::{Operation, lane_layouts, plans};
use evariste_codegen::check::machine::Fault;
use evariste_codegen::check::{CheckError, check};
use evariste_codegen::x86_64::lanes::{Shape, compile};
use evariste_codegen::x86_64::{Address, Base, Features, Gpr, Opcode, Operand, Program, Vector, Width};
use evariste_descriptions::Field;
use evariste_proof::{Outcome, Proved, prove};

fn proved(field: &str, operation: Operation) -> Proved {
    let field = Field::parse(field).unwrap_or_else(|e| panic!("{e:?}"));
    let all = lane_layouts(&field, 64, 52).into_iter().flat_map(|layout| plans(&field, &layout, &operation));
    let kernel = all.into_iter().find_map(|p| p.write().ok()).unwrap_or_else(|| panic!("no plan"));
    match prove(&kernel) {
        Outcome::Proved(proved) => proved,
        other => panic!("{other:?}"),
    }
}

fn shapes() -> Vec<Shape> {
    let shape = Shape { groups: 2, active: 2, ..Shape::single(Width::Z) };
    // In a loop, one after the other, and side by side.
    vec![Shape { groups: 1, iterations: 2, active: 1, ..shape }, Shape { active: 1, ..shape }, shape]
}

/// The program with that operand of that instruction at another place.
fn moved(program: &Program, at: usize, operand: usize, address: Address, bytes: i32) -> Program {
    let mut program = program.clone();
    program.code[at].operands[operand] =
        Some(Operand::Memory(Address { displacement: address.displacement + bytes, ..address }));
    program
}

/// Loads and stores of arrays: where, which operand, the address, and is it a store.
fn accesses(program: &Program) -> Vec<(usize, usize, Address, bool)> {
    let all = program.code.iter().enumerate().filter(|(_, inst)| matches!(inst.op, Opcode::Vector(..)));
    all.flat_map(|(at, inst)| {
        (0..3).filter_map(move |i| match inst.operands[i] {
            Some(Operand::Memory(address)) if address.base != Base::Register(Gpr::Rsp) => {
                Some((at, i, address, i == 0 && matches!(inst.op, Opcode::Vector(Vector::Move, _))))
            }
            _ => None,
        })
    })
    .collect()
}

fn faults(kernel: &Proved, program: &Program) -> bool {
    match check(kernel, program) {
        Ok(_) => panic!("accepted:\n{program}"),
        Err(CheckError::Instruction { fault: Fault::Groups, .. }) => true,
        Err(_) => false,
    }
}

#[test]
fn no_group_reads_another() {
    let (mut seen, mut tried) = (0, 0);
    for operation in [Operation::ADD, Operation::MUL] {
        let kernel = proved("25519", operation);
        for shape in shapes() {
            let program = compile(&kernel, Features::AVX512, shape).unwrap_or_else(|e| panic!("{shape}: {e}"));
            check(&kernel, &program).unwrap_or_else(|e| panic!("{shape}: {e}"));
            // Five digits of eight elements: the same word of the other group.
            let group = 5 * 64;
            for (at, operand, address, _) in accesses(&program) {
                for bytes in [group, -group] {
                    tried += 1;
                    seen += usize::from(faults(&kernel, &moved(&program, at, operand, address, bytes)));
                }
            }
        }
    }
    // Others leave their array, or leave an element as it was.
    assert!(2 * seen > tried / 2, "{seen} of {tried}");
}

/// All that one group loads and stores, moved to the other one and back: the right numbers in the wrong places.
#[test]
fn groups_do_not_change_places() {
    let kernel = proved("25519", Operation::ADD);
    let shape = Shape { groups: 2, active: 1, ..Shape::single(Width::Z) };
    let program = compile(&kernel, Features::AVX512, shape).unwrap_or_else(|e| panic!("{e}"));
    let mut stores = program.clone();
    for (at, operand, address, store) in accesses(&program) {
        if store {
            let bytes = if address.displacement < 5 * 64 { 5 * 64 } else { -5 * 64 };
            stores = moved(&stores, at, operand, address, bytes);
        }
    }
    assert_ne!(stores, program);
    assert!(faults(&kernel, &stores));
}
