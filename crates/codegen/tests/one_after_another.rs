//! Programs for elements one after the other: the checker follows each of them with unknowns of its own, so that what
//! reads, writes or leaves out another element's words is refused.

use evariste_algorithms::{Layout, Operation, layouts, plans};
use evariste_codegen::aarch64::{self, Aarch64};
use evariste_codegen::check::check;
use evariste_codegen::compile::Compile;
use evariste_codegen::program::Lanes;
use evariste_codegen::x86_64::{Address, Base, Features, Gpr, Opcode, Operand, Program, X86_64};
use evariste_descriptions::Field;
use evariste_proof::{Outcome, Proved, prove};

/// The first plan of an operation in whole words.
fn proved(field: &str, operation: &Operation) -> Proved {
    let field = Field::parse(field).unwrap_or_else(|e| panic!("{e}"));
    let all = layouts(&field, 64).into_iter().filter(Layout::saturated);
    let kernel = all.flat_map(|layout| plans(&field, &layout, operation)).find_map(|plan| plan.write().ok());
    match prove(&kernel.unwrap_or_else(|| panic!("no plan"))) {
        Outcome::Proved(proved) => proved,
        other => panic!("{other:?}"),
    }
}

fn samples() -> Vec<Proved> {
    let all = [("2^61 - 1", Operation::MUL), ("25519", Operation::MUL), ("p256", Operation::ADD)];
    all.iter().map(|(field, operation)| proved(field, operation)).collect()
}

fn program(kernel: &Proved, times: u32) -> Program {
    X86_64::repeated(kernel, Features::ADX.into(), None, times).unwrap_or_else(|| panic!("no program"))
}

/// The program with another address in that operand of that instruction.
fn with(program: &Program, at: usize, operand: usize, address: Address) -> Program {
    let mut program = program.clone();
    program.code[at].operands[operand] = Some(Operand::Memory(address));
    program
}

/// Loads and stores of arrays: where, which operand, the address.
fn accesses(program: &Program) -> Vec<(usize, usize, Address)> {
    let operands = program.code.iter().enumerate().flat_map(|(at, inst)| {
        (0..3).filter_map(move |i| match inst.operands[i] {
            Some(Operand::Memory(address)) if inst.op != Opcode::Lea => Some((at, i, address)),
            _ => None,
        })
    });
    operands.filter(|(_, _, address)| !matches!(address.base, Base::Constants | Base::Register(Gpr::Rsp))).collect()
}

#[test]
fn each_element_is_computed() {
    for kernel in samples() {
        for times in 1..=4 {
            let program = program(&kernel, times);
            assert_eq!(program.lanes, Lanes { count: 1, groups: times });
            check(&kernel, &program).unwrap_or_else(|e| panic!("{e}\n{program}"));
            let other = Aarch64::repeated(&kernel, aarch64::Features.into(), None, times).expect("a program");
            check(&kernel, &other).unwrap_or_else(|e| panic!("{e}\n{other}"));
        }
    }
}

/// Every access of each element, moved to the same word of its neighbours: a program that reads or writes there is not
/// that of the kernel.
#[test]
fn no_element_stands_for_another() {
    let mut tried = 0;
    for kernel in samples() {
        let program = program(&kernel, 3);
        let bytes = 8 * program.params[0].len as i32 / 3;
        for (at, operand, address) in accesses(&program) {
            for step in [bytes, -bytes] {
                let moved = Address { displacement: address.displacement + step, ..address };
                tried += 1;
                assert!(check(&kernel, &with(&program, at, operand, moved)).is_err(), "{at}: {moved:?}\n{program}");
            }
        }
    }
    assert!(tried > 100, "{tried}");
}

/// All that two elements load, exchanged: each is the right result of the other's operands.
#[test]
fn elements_do_not_change_places() {
    for kernel in samples() {
        let program = program(&kernel, 2);
        let bytes = 8 * program.params[0].len as i32 / 2;
        let mut exchanged = program.clone();
        for (at, operand, address) in accesses(&program) {
            let store = operand == 0 && program.code[at].op == Opcode::Mov;
            if !store {
                let displacement = (address.displacement + bytes) % (2 * bytes);
                exchanged = with(&exchanged, at, operand, Address { displacement, ..address });
            }
        }
        assert!(check(&kernel, &exchanged).is_err(), "{exchanged}");
    }
}

/// What a program says of its elements must be so.
#[test]
fn elements_are_counted() {
    let kernel = proved("25519", &Operation::MUL);
    let program = program(&kernel, 2);
    for lanes in
        [Lanes::ONE, Lanes { count: 1, groups: 3 }, Lanes { count: 2, groups: 1 }, Lanes { count: 1, groups: 0 }]
    {
        assert!(check(&kernel, &Program { lanes, ..program.clone() }).is_err(), "{lanes:?}");
    }
    // An element that is left as it was.
    let half = self::program(&kernel, 1);
    assert!(check(&kernel, &Program { code: half.code, constants: half.constants, ..program }).is_err());
}
