//! Programs that differ from a right one in one place: refused, or right on every vector.

use evariste_codegen::check::check_kernel;
use evariste_codegen::x86_64::{Address, Condition, Gpr, Inst, Opcode, Operand, Program};
use evariste_ir::Kernel;
use evariste_jit::encode;

use super::{Rng, Vectors};

/// Opcodes that are easily mistaken for each other, with operands of one kind.
fn relatives(op: Opcode) -> Vec<Opcode> {
    use Opcode::*;
    let groups: &[&[Opcode]] = &[
        &[Add, Adc, Sub, Sbb, And, Or, Xor, Mov],
        &[Add, Adcx, Adox, Adc],
        &[Cmp, Test, Sub],
        &[Shl, Shr, Sar, Rol],
        &[Shld, Shrd],
        &[Shlx, Shrx],
        &[Neg, Not, Mul],
        &[Imul, Add, Mov],
        &[ClearCarry, SetCarry],
        &[Push, Pop],
        &[Mulx, Andn],
    ];
    let conditions = [
        Condition::Carry,
        Condition::NotCarry,
        Condition::Overflow,
        Condition::NotOverflow,
        Condition::Zero,
        Condition::NotZero,
    ];
    let mut found: Vec<Opcode> = match op {
        Cmov(_) => conditions.into_iter().map(Cmov).chain([Mov]).collect(),
        Set(_) => conditions.into_iter().map(Set).collect(),
        _ => groups.iter().filter(|g| g.contains(&op)).flat_map(|g| g.iter().copied()).collect(),
    };
    found.retain(|o| *o != op);
    found.dedup();
    found
}

/// Every program that differs in one place.
fn mutants(program: &Program) -> Vec<(String, Program)> {
    let mut all = Vec::new();
    let changed = |at: usize, inst: Inst| {
        let mut p = program.clone();
        p.code[at] = inst;
        p
    };
    for (at, inst) in program.code.iter().enumerate() {
        let mut push = |what: &str, p: Program| all.push((format!("instruction {at} {inst:?}: {what}"), p));
        let mut dropped = program.clone();
        dropped.code.remove(at);
        push("dropped", dropped);
        if at + 1 < program.code.len() && program.code[at + 1] != *inst {
            let mut exchanged = program.clone();
            exchanged.code.swap(at, at + 1);
            push("exchanged with the next", exchanged);
        }
        for op in relatives(inst.op) {
            push(&format!("{op:?}"), changed(at, Inst { op, ..*inst }));
        }
        for i in 0..2 {
            if inst.operands[i + 1].is_some() && inst.operands[i] != inst.operands[i + 1] {
                let mut new = *inst;
                new.operands.swap(i, i + 1);
                push("operands swapped", changed(at, new));
            }
        }
        for i in 0..3 {
            let mut replace = |operand: Operand| {
                let mut new = *inst;
                new.operands[i] = Some(operand);
                push(&format!("operand {i} is {operand:?}"), changed(at, new));
            };
            match inst.operands[i] {
                Some(Operand::Register(r)) => {
                    for step in [1, 2, 5, 9] {
                        replace(Operand::Register(Gpr::ALL[(r.number() as usize + step) % 16]));
                    }
                }
                Some(Operand::Immediate(v)) => {
                    replace(Operand::Immediate(v + 1));
                    replace(Operand::Immediate(v - 1));
                }
                Some(Operand::Memory(a)) => {
                    replace(Operand::Memory(Address { displacement: a.displacement + 8, ..a }));
                    replace(Operand::Memory(Address { displacement: a.displacement - 8, ..a }));
                }
                _ => {}
            }
        }
    }
    for i in 0..program.constants.len() {
        let mut p = program.clone();
        p.constants[i] ^= 1;
        all.push((format!("constant {i}"), p));
    }
    all
}

/// Refused and accepted mutants; panics when an accepted one is wrong.
pub fn judge(kernel: &Kernel, program: &Program, rng: &mut Rng) -> (usize, usize) {
    let vectors = Vectors::new(kernel, program, rng, 100);
    assert!(vectors.len() > 20, "{}: too few inputs within what the kernel admits", kernel.name);
    let report = check_kernel(kernel, program).unwrap_or_else(|e| panic!("{e}\n{kernel}\n{program}"));
    vectors.judge(report, program).unwrap_or_else(|e| panic!("{}: the program itself: {e}", kernel.name));
    let (mut refused, mut accepted) = (0, 0);
    for (what, mutant) in mutants(program) {
        match check_kernel(kernel, &mutant) {
            Err(_) => refused += 1,
            // A form that there is not.
            Ok(_) if encode(&mutant).is_err() => refused += 1,
            Ok(report) => {
                accepted += 1;
                vectors
                    .judge(report, &mutant)
                    .unwrap_or_else(|e| panic!("{}, {what}, was accepted: {e}\n{program}", kernel.name));
            }
        }
    }
    (refused, accepted)
}
