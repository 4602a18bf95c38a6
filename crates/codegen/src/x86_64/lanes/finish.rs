//! A program around the body of an iteration: the loop, the stack, the end.

use super::shape::Shape;
use crate::program::{Lanes, Parameter};
use crate::x86_64::Program;
use crate::x86_64::instruction::{Address, Condition, Features, Gpr, Inst, Opcode, Operand};
use crate::x86_64::table::row;
use crate::x86_64::vector::{Vector, Width};

const COUNTER: Gpr = Gpr::R10;
const STACK: Gpr = Gpr::R11;

/// Bytes of the stack that are not the frame's, at most: saved registers, and what alignment takes.
pub(super) const BESIDE: i64 = 256;

/// Registers of the pointers to arrays: the first six come in theirs, the others on the stack.
pub(super) const POINTERS: [Gpr; 12] = {
    let ([a, b, c, d, e, f], [g, h, i, j, k, l]) = (Gpr::PARAMETERS, Gpr::SAVED);
    [a, b, c, d, e, f, g, h, i, j, k, l]
};

/// The label of the loop over groups.
pub(super) const LOOP: u32 = 0;

/// What a function is called and called with, for one group.
pub(super) struct Heading<'a> {
    pub(super) name: &'a str,
    pub(super) params: &'a [Parameter],
    pub(super) disjoint: &'a [(u32, u32)],
}

/// The body of one iteration.
pub(super) struct Body {
    pub(super) code: Vec<Inst>,
    pub(super) constants: Vec<u64>,
    /// Bytes of the frame.
    pub(super) frame: u32,
}

pub(super) fn program(heading: &Heading<'_>, shape: Shape, lanes: Lanes, body: Body) -> Program {
    let register = |r| Operand::Register(r);
    let bytes = shape.width.bytes();
    let pointers = &POINTERS[..heading.params.len()];
    let saved = saved(&body.code, pointers);
    let mut code = Vec::with_capacity(body.code.len() + 16);
    code.extend(saved.iter().map(|r| Inst::new(Opcode::Push, &[register(*r)])));
    // Above the saved registers and the return address.
    let on_stack = pointers.iter().skip(Gpr::PARAMETERS.len()).zip(saved.len() as i32 + 1..);
    code.extend(
        on_stack.map(|(r, place)| {
            Inst::new(Opcode::Mov, &[register(*r), Operand::Memory(Address::at(Gpr::Rsp, 8 * place))])
        }),
    );
    let framed = body.frame > 0;
    if framed {
        // From a multiple of 64 on.
        code.push(Inst::new(Opcode::Mov, &[register(STACK), register(Gpr::Rsp)]));
        code.push(Inst::new(Opcode::Sub, &[register(Gpr::Rsp), Operand::Immediate(i64::from(body.frame))]));
        code.push(Inst::new(Opcode::And, &[register(Gpr::Rsp), Operand::Immediate(-64)]));
    }
    let looped = shape.iterations > 1;
    if looped {
        code.push(Inst::new(Opcode::Mov, &[register(COUNTER), Operand::Immediate(i64::from(shape.iterations))]));
        code.push(Inst::new(Opcode::Label, &[Operand::Label(LOOP)]));
    }
    code.extend(body.code);
    if looped {
        for (pointer, param) in pointers.iter().zip(heading.params) {
            let step = i64::from(param.len * shape.groups * bytes);
            code.push(Inst::new(Opcode::Add, &[register(*pointer), Operand::Immediate(step)]));
        }
        code.push(Inst::new(Opcode::Sub, &[register(COUNTER), Operand::Immediate(1)]));
        code.push(Inst::new(Opcode::JumpIf(Condition::NotZero), &[Operand::Label(LOOP)]));
    }
    if framed {
        code.push(Inst::new(Opcode::Mov, &[register(Gpr::Rsp), register(STACK)]));
    }
    code.extend(saved.iter().rev().map(|r| Inst::new(Opcode::Pop, &[register(*r)])));
    if shape.width.bytes() > Width::X.bytes() {
        code.push(Inst::new(Opcode::Vector(Vector::ZeroUpper, Width::Y), &[]));
    }
    code.push(Inst::new(Opcode::Return, &[]));
    let features = code.iter().map(|inst| row(inst.op).needs).fold(Features::BASELINE, Features::and);
    let mut params = heading.params.to_vec();
    params.iter_mut().for_each(|p| p.len *= lanes.elements());
    Program {
        name: heading.name.to_string(),
        features,
        lanes,
        params,
        disjoint: heading.disjoint.to_vec(),
        constants: body.constants,
        code,
        callees: Vec::new(),
    }
}

/// The registers to be saved that code uses, or that hold pointers.
fn saved(code: &[Inst], pointers: &[Gpr]) -> Vec<Gpr> {
    let used = |r: &Gpr| pointers.contains(r) || code.iter().any(|inst| inst.mentions(*r));
    Gpr::SAVED.into_iter().filter(used).collect()
}
