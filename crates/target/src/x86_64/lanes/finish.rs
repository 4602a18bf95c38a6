//! A program around the body of an iteration: the loop, the stack, the end.

use super::allocate::{Body, SLOT};
use super::{Shape, lanes};
use crate::x86_64::graph::Graph;
use crate::x86_64::program::{Condition, Features, Gpr, Inst, Opcode, Operand, Program};
use crate::x86_64::table::row;
use crate::x86_64::vector::{Vector, Width};

const COUNTER: Gpr = Gpr::R10;
const STACK: Gpr = Gpr::R11;

pub(super) fn program(graph: &Graph, shape: Shape, body: Body) -> Program {
    let register = |r| Operand::Register(r);
    let bytes = shape.width.bytes();
    let mut code = Vec::with_capacity(body.code.len() + 16);
    let framed = body.slots > 0;
    if framed {
        // Room for the slots, from a multiple of 64 on.
        let room = i64::from(body.slots * SLOT);
        code.push(Inst::new(Opcode::Mov, &[register(STACK), register(Gpr::Rsp)]));
        code.push(Inst::new(Opcode::Sub, &[register(Gpr::Rsp), Operand::Immediate(room)]));
        code.push(Inst::new(Opcode::And, &[register(Gpr::Rsp), Operand::Immediate(-64)]));
    }
    let looped = shape.iterations > 1;
    if looped {
        code.push(Inst::new(Opcode::Mov, &[register(COUNTER), Operand::Immediate(i64::from(shape.iterations))]));
        code.push(Inst::new(Opcode::Label, &[Operand::Label(0)]));
    }
    code.extend(body.code);
    if looped {
        for (p, param) in graph.params.iter().enumerate() {
            let step = i64::from(param.len * shape.groups * bytes);
            code.push(Inst::new(Opcode::Add, &[register(Gpr::PARAMETERS[p]), Operand::Immediate(step)]));
        }
        code.push(Inst::new(Opcode::Sub, &[register(COUNTER), Operand::Immediate(1)]));
        code.push(Inst::new(Opcode::JumpIf(Condition::NotZero), &[Operand::Label(0)]));
    }
    if framed {
        code.push(Inst::new(Opcode::Mov, &[register(Gpr::Rsp), register(STACK)]));
    }
    code.push(Inst::new(Opcode::Vector(Vector::ZeroUpper, Width::Y), &[]));
    code.push(Inst::new(Opcode::Return, &[]));
    let features = code.iter().map(|inst| row(inst.op).needs).fold(Features::BASELINE, Features::and);
    let lanes = lanes(graph, shape);
    let mut params = graph.params.clone();
    params.iter_mut().for_each(|p| p.len *= lanes.elements());
    Program { name: graph.name.clone(), features, lanes, params, disjoint: graph.disjoint.clone(), constants: body.constants, code }
}
