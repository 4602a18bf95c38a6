//! Kernels in lanes that are too long for one graph: routines of one group, their calls and frames, and faults of both.

use std::sync::Arc;

use evariste_algorithms::{Layout, Operation, lane_layouts, plans};
use evariste_codegen::check::{CheckError, check_kernel};
use evariste_codegen::program::Lanes;
use evariste_codegen::x86_64::lanes::{Routines, routines};
use evariste_codegen::x86_64::vector::Width;
use evariste_codegen::x86_64::{Address, Features, Gpr, Inst, Opcode, Operand, Program};
use evariste_descriptions::Field;
use evariste_ir::{Kernel, times};

/// A product in Fp6, and its program on vectors of 512 bits.
fn product() -> (Kernel, Program) {
    let ground = Field::parse("bls12-381-fp").expect("a field");
    let layout: Layout = lane_layouts(&ground, 64, 52).remove(0);
    let tower = Field::parse("bls12-381-fp6").expect("a tower");
    let kernel = plans(&tower, &layout, &Operation::MUL)[0].write().expect("a kernel");
    let found = routines(&kernel, Features::AVX512, Width::Z).expect("routines").expect("a long kernel");
    let program = found.compile(Features::AVX512.into()).expect("a program");
    (kernel, program)
}

fn refused(kernel: &Kernel, program: &Program, what: &str) -> CheckError {
    match check_kernel(kernel, program) {
        Err(why) => why,
        Ok(_) => panic!("accepted: {what}"),
    }
}

/// Instructions of the function itself: up to where the first routine begins.
fn own(program: &Program) -> usize {
    program.code.iter().position(|inst| inst.op == Opcode::Label && is_routine(program, inst)).expect("a routine")
}

fn is_routine(program: &Program, inst: &Inst) -> bool {
    program.callees.iter().any(|callee| inst.operands[0] == Some(Operand::Label(callee.label)))
}

/// The same product of two groups side by side.
fn two_products() -> (Kernel, Program) {
    let (kernel, _) = product();
    let found = Routines::of_groups(&kernel, Features::AVX512, Width::Z, 2).expect("routines").expect("no longer");
    let program = found.compile(Features::AVX512.into()).expect("a program");
    (times(Arc::new(kernel), 2), program)
}

/// Two groups side by side are two calls of the kernel of one: one call of a routine for each, in turn, and no more
/// routines than one group has.
#[test]
fn groups_side_by_side_are_recognised() {
    let ((one, alone), (two, program)) = (product(), two_products());
    let report = check_kernel(&two, &program).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report.routines, program.callees.len());
    let calls = |program: &Program| -> Vec<Option<Operand>> {
        program.code.iter().filter(|inst| inst.op == Opcode::Call).map(|inst| inst.operands[0]).collect()
    };
    let (once, twice) = (calls(&alone), calls(&program));
    assert!(twice.len() == 2 * once.len() && twice.chunks(2).all(|pair| pair[0] == pair[1]), "{twice:?}");
    assert!(program.callees.iter().all(|callee| callee.path[0] == 0));
    // It is neither the kernel of one group nor that of three, and one group alone is not two.
    for (kernel, program) in [(&one, &program), (&times(Arc::new(one.clone()), 3), &program), (&two, &alone)] {
        refused(kernel, program, "other groups");
    }
}

/// Groups that meet: an address of one group's moved to the other's, a call left out, two groups' calls exchanged with
/// others', another frame.
#[test]
fn groups_that_meet_are_seen() {
    let (kernel, program) = two_products();
    let own = own(&program);
    let Some(Operand::Immediate(frame)) = program.code.iter().find(|i| i.op == Opcode::Sub).expect("one").operands[1]
    else {
        panic!("no size")
    };
    let leas: Vec<usize> = (0..own).filter(|at| program.code[*at].op == Opcode::Lea).collect();
    let (mut moved, mut seen) = (0, 0);
    for at in leas.iter().step_by(leas.len().div_ceil(40)) {
        let Some(Operand::Memory(address)) = program.code[*at].operands[1] else { panic!("no address") };
        // Half of the frame is one group's, and half of each array.
        let halves: &[i64] = if address.base == Address::at(Gpr::Rsp, 0).base { &[frame / 2] } else { &[6 * 8 * 64] };
        for bytes in halves.iter().flat_map(|half| [*half, -half]) {
            let mut wrong = program.clone();
            let displacement = address.displacement + bytes as i32;
            wrong.code[*at].operands[1] = Some(Operand::Memory(Address { displacement, ..address }));
            moved += 1;
            seen += usize::from(check_kernel(&kernel, &wrong).is_err());
        }
    }
    assert!(moved > 40 && seen == moved, "{seen} of {moved}");
    let calls: Vec<usize> = (0..own).filter(|at| program.code[*at].op == Opcode::Call).collect();
    for at in calls.iter().step_by(calls.len().div_ceil(10)) {
        let mut wrong = program.clone();
        wrong.code.remove(*at);
        refused(&kernel, &wrong, &format!("without the call at {at}"));
    }
}

#[test]
fn routines_in_lanes_are_recognised() {
    let (kernel, program) = product();
    assert_eq!(program.lanes, Lanes { count: 8, groups: 1 });
    let report = check_kernel(&kernel, &program).unwrap_or_else(|e| panic!("{e}"));
    assert!(report.routines == program.callees.len() && report.routines > 1, "{report:?}");
    // The frame holds the values in between, and each routine has its own below it.
    assert!(report.stack > 64 * 8 * 6, "{report:?}");
}

/// An instruction left out of what calls is seen: pointers, calls, the frame and what lies above it.
#[test]
fn what_is_left_out_is_seen() {
    let (kernel, program) = product();
    let (own, of) = (own(&program), |op| program.code.iter().position(|inst| inst.op == op).expect("one"));
    // (Before the first call pointers are still where the caller put them.)
    let (frame, call) = (of(Opcode::And) + 1, of(Opcode::Call));
    for at in (0..frame).chain((call..own).step_by((own - call).div_ceil(40))).chain(own - 4..own) {
        if matches!(program.code[at].op, Opcode::Vector(..)) && at + 4 >= own {
            // (That the upper halves are cleared at the end is good manners.)
            continue;
        }
        let mut wrong = program.clone();
        let left = wrong.code.remove(at);
        refused(&kernel, &wrong, &format!("without {left:?} at {at}"));
    }
}

/// Arguments that show other memory than the routine was checked on.
#[test]
fn other_arguments_are_seen() {
    let (kernel, program) = product();
    let own = own(&program);
    let leas: Vec<usize> = (0..own).filter(|at| program.code[*at].op == Opcode::Lea).collect();
    assert!(leas.len() > 20, "{} addresses", leas.len());
    for at in leas.iter().step_by(leas.len().div_ceil(10)) {
        // A neighbour, half a vector, far below and far above.
        for bytes in [64, 8, -(1 << 20), 1 << 20] {
            let mut wrong = program.clone();
            let Some(Operand::Memory(address)) = &mut wrong.code[*at].operands[1] else { panic!("no address") };
            address.displacement += bytes;
            refused(&kernel, &wrong, &format!("{:?} by {bytes}", program.code[*at]));
        }
    }
    let calls: Vec<usize> = (0..own).filter(|at| program.code[*at].op == Opcode::Call).collect();
    for at in calls.iter().step_by(calls.len().div_ceil(8)) {
        for callee in &program.callees {
            let (mut wrong, label) = (program.clone(), Some(Operand::Label(callee.label)));
            if wrong.code[*at].operands[0] != label {
                wrong.code[*at].operands[0] = label;
                refused(&kernel, &wrong, &format!("another routine at {at}"));
            }
        }
    }
}

/// Stores to what is not the function's: the return address, what it saved, the aligned part of the stack by words, and
/// reads of what a call left in registers.
#[test]
fn other_memory_is_seen() {
    let (kernel, program) = product();
    let call = program.code.iter().position(|inst| inst.op == Opcode::Call).expect("a call");
    let (rax, at) = (Operand::Register(Gpr::Rax), |base, bytes| Operand::Memory(Address::at(base, bytes)));
    let zero = Inst::new(Opcode::Mov, &[rax, Operand::Immediate(0)]);
    for place in
        [at(Gpr::Rbp, 8), at(Gpr::Rbp, 16), at(Gpr::Rbp, 0), at(Gpr::Rsp, 0), at(Gpr::Rsp, -8), at(Gpr::Rbp, -512)]
    {
        let mut wrong = program.clone();
        wrong.code.insert(call + 1, Inst::new(Opcode::Mov, &[place, rax]));
        wrong.code.insert(call + 1, zero);
        refused(&kernel, &wrong, &format!("a store to {place:?}"));
    }
    let vector =
        program.code.iter().find(|inst| matches!(inst.op, Opcode::Vector(..)) && stores(inst)).expect("a store");
    let mut wrong = program.clone();
    wrong.code.insert(call + 1, *vector);
    refused(&kernel, &wrong, "a vector that a call left");
}

fn stores(inst: &Inst) -> bool {
    matches!(inst.operands[0], Some(Operand::Memory(_)))
}

/// A frame that is shorter than what lies in it, and programs that the checker does not follow.
#[test]
fn other_frames_and_lanes_are_seen() {
    let (kernel, program) = product();
    let sub = program.code.iter().position(|inst| inst.op == Opcode::Sub).expect("a frame");
    let Some(Operand::Immediate(bytes)) = program.code[sub].operands[1] else { panic!("no size") };
    for other in [64, bytes - 64, bytes / 2, 1 << 20] {
        let mut wrong = program.clone();
        wrong.code[sub].operands[1] = Some(Operand::Immediate(other));
        refused(&kernel, &wrong, &format!("a frame of {other} bytes instead of {bytes}"));
    }
    let mut wrong = program.clone();
    let double = |params: &mut Vec<evariste_codegen::program::Parameter>| params.iter_mut().for_each(|p| p.len *= 2);
    wrong.lanes.groups = 2;
    double(&mut wrong.params);
    wrong.callees.iter_mut().for_each(|callee| double(&mut callee.params));
    assert!(matches!(refused(&kernel, &wrong, "two groups"), CheckError::Parameters(_)));
}
