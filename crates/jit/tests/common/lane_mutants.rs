//! Mutants of programs on vectors.

use evariste_codegen::check::check_kernel;
use evariste_codegen::x86_64::vector::Comparison;
use evariste_codegen::x86_64::{Address, Gpr, Inst, Opcode, Operand, Program, Vector};
use evariste_ir::Kernel;
use evariste_jit::encode;

use super::Vectors;

/// What became of mutants.
#[derive(Default, Debug)]
pub struct Judged {
    /// By the checker.
    pub refused: usize,
    /// And right on every vector.
    pub accepted: usize,
}

impl Judged {
    /// Judges mutants of a kernel's program; panics when an accepted one is wrong.
    pub fn judge(&mut self, kernel: &Kernel, vectors: &Vectors, mutants: Vec<(String, Program)>) {
        for (what, mutant) in mutants {
            let Ok(checked) = check_kernel(kernel, &mutant) else {
                self.refused += 1;
                continue;
            };
            self.accepted += 1;
            // A form that the checker follows and the encoder has not is no program; nothing runs.
            if encode(&mutant).is_ok() {
                vectors
                    .judge(checked, &mutant)
                    .unwrap_or_else(|e| panic!("{what} is accepted, and wrong: {e}\n{kernel}\n{mutant}"));
            }
        }
    }
}

/// Every program that differs in one vector instruction: another operation, another register, another place in memory,
/// one instruction less, two exchanged.
#[allow(dead_code)]
pub fn lane_mutants(program: &Program) -> Vec<(String, Program)> {
    let families: [&[Vector]; 10] = [
        &[Vector::RijndaelMul, Vector::Xor, Vector::And],
        &[Vector::Move, Vector::MoveLowest],
        &[Vector::ClmulEven, Vector::ClmulOdd, Vector::UnpackEven, Vector::UnpackOdd],
        &[Vector::FloatAdd, Vector::FloatSub, Vector::FloatMul, Vector::FloatFma],
        &[
            Vector::Add,
            Vector::Sub,
            Vector::And,
            Vector::Or,
            Vector::Xor,
            Vector::AndNot,
            Vector::MaddLow,
            Vector::MaddHigh,
            Vector::MulHalf,
            Vector::MulLow,
        ],
        &[Vector::Shl(7), Vector::Shr(7), Vector::Sar(7), Vector::Rol(7), Vector::Shr(52), Vector::Shl(52)],
        &[Vector::MaskAnd, Vector::MaskOr, Vector::MaskXor, Vector::MaskAndNot],
        &[
            Vector::Compare(Comparison::Less),
            Vector::Compare(Comparison::Equal),
            Vector::Compare(Comparison::NotLess),
            Vector::Compare(Comparison::NotEqual),
        ],
        &[Vector::CopyLow, Vector::CopyHigh],
        &[Vector::BlendHalves(true), Vector::BlendHalves(false)],
    ];
    let mut all = Vec::new();
    for (at, inst) in program.code.iter().enumerate() {
        let mut push = |what: String, p: Program| all.push((format!("instruction {at} {inst}: {what}"), p));
        let changed = |inst: Inst| {
            let mut p = program.clone();
            p.code[at] = inst;
            p
        };
        let mut dropped = program.clone();
        dropped.code.remove(at);
        push("dropped".into(), dropped);
        if at + 1 < program.code.len() && program.code[at + 1] != *inst {
            let mut exchanged = program.clone();
            exchanged.code.swap(at, at + 1);
            push("exchanged with the next".into(), exchanged);
        }
        if let Opcode::Vector(op, width) = inst.op {
            let same = |x: &Vector, y: &Vector| std::mem::discriminant(x) == std::mem::discriminant(y);
            let family = families.iter().find(|f| f.iter().any(|x| same(x, &op))).copied().unwrap_or(&[]);
            for other in family.iter().filter(|x| **x != op) {
                push(format!("{other:?}"), changed(Inst { op: Opcode::Vector(*other, width), ..*inst }));
            }
            let moved = match op {
                Vector::PermuteWords(places) => (0..8).map(|bit| Vector::PermuteWords(places ^ 1 << bit)).collect(),
                Vector::BlendWords(words) => (0..4).map(|bit| Vector::BlendWords(words ^ 1 << bit)).collect(),
                _ => Vec::new(),
            };
            for other in moved {
                push(format!("{other:?}"), changed(Inst { op: Opcode::Vector(other, width), ..*inst }));
            }
            if let Vector::Ternary(table) = op {
                for bit in 0..8 {
                    push(
                        format!("table bit {bit}"),
                        changed(Inst { op: Opcode::Vector(Vector::Ternary(table ^ 1 << bit), width), ..*inst }),
                    );
                }
            }
        }
        for i in 0..3 {
            let mut replace = |operand: Operand| {
                let mut new = *inst;
                new.operands[i] = Some(operand);
                push(format!("operand {i} is {operand:?}"), changed(new));
            };
            match inst.operands[i] {
                Some(Operand::Vector(r)) => {
                    replace(Operand::Vector((r + 1) % 16));
                    replace(Operand::Vector((r + 3) % 16));
                    replace(Operand::Masked(r, 1));
                }
                Some(Operand::Masked(r, k)) => {
                    replace(Operand::Vector(r));
                    replace(Operand::Masked(r, k % 7 + 1));
                }
                Some(Operand::Mask(k)) => replace(Operand::Mask(k % 7 + 1)),
                Some(Operand::Memory(a)) => {
                    replace(Operand::Memory(Address { displacement: a.displacement + 64, ..a }));
                    replace(Operand::Memory(Address { displacement: a.displacement - 64, ..a }));
                    replace(Operand::Memory(Address { displacement: a.displacement + 8, ..a }));
                }
                Some(Operand::Broadcast(a)) => {
                    replace(Operand::Broadcast(Address { displacement: a.displacement ^ 8, ..a }))
                }
                Some(Operand::Register(r)) => replace(Operand::Register(Gpr::ALL[(usize::from(r.number()) + 1) % 16])),
                Some(Operand::Immediate(v)) => replace(Operand::Immediate(v + 1)),
                _ => {}
            }
        }
        if matches!(inst.op, Opcode::Vector(..)) {
            push("elements of another size".into(), changed(Inst { bits: 96 - inst.bits, ..*inst }));
        }
    }
    for i in 0..program.constants.len() {
        for bit in [40, 3, 14] {
            let mut p = program.clone();
            p.constants[i] ^= 1 << bit;
            all.push((format!("bit {bit} of constant {i}"), p));
        }
    }
    all
}
