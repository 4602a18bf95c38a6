//! What instructions do to the stack, for the notes of [`unwind`](crate::assembly::unwind).

use crate::assembly::unwind::{Flow, Frame};
use crate::x86_64::{Address, Base, Gpr, Inst, Opcode, Operand};

/// Where control goes from an instruction.
pub(super) fn flow(inst: &Inst) -> Flow {
    match (inst.op, inst.operands[0]) {
        (Opcode::Return, _) => Flow::Return,
        (Opcode::Label, _) => Flow::Behind,
        (Opcode::Jump, Some(Operand::Label(label))) => Flow::Jump(label),
        (Opcode::Call, Some(Operand::Label(label))) => Flow::Call(label),
        (_, Some(Operand::Label(label))) => Flow::Branch(label),
        _ => Flow::Behind,
    }
}

/// What it does to a frame.
pub(super) fn step(frame: &mut Frame, inst: &Inst) -> Result<(), &'static str> {
    let number = |r: Gpr| usize::from(r.number());
    let stack = |a: Address| (a.base == Base::Register(Gpr::Rsp) && a.index.is_none()).then_some(a.displacement);
    if frame.base() != number(Gpr::Rsp) {
        return away(frame, inst);
    }
    match (inst.op, inst.operands) {
        (Opcode::Mov, [Some(Operand::Register(r)), Some(Operand::Register(Gpr::Rsp)), None])
            if inst.bits == 64 && r != Gpr::Rsp =>
        {
            frame.reckon_from(number(r));
        }
        (Opcode::Sub | Opcode::Add, [Some(Operand::Register(Gpr::Rsp)), Some(Operand::Immediate(bytes)), None])
            if inst.bits == 64 =>
        {
            frame.grow(if inst.op == Opcode::Sub { bytes } else { bytes.saturating_neg() })?;
        }
        (Opcode::Push, [Some(Operand::Register(r)), None, None]) => {
            frame.grow(8)?;
            frame.store(number(r), 0);
        }
        (Opcode::Pop, [Some(Operand::Register(r)), None, None]) => {
            frame.load(number(r), 0);
            frame.grow(-8)?;
        }
        (Opcode::Mov, [Some(Operand::Memory(a)), Some(Operand::Register(r)), None])
            if inst.bits == 64 && stack(a).is_some() =>
        {
            frame.store(number(r), a.displacement);
        }
        (Opcode::Mov, [Some(Operand::Register(r)), Some(Operand::Memory(a)), None])
            if inst.bits == 64 && stack(a).is_some() =>
        {
            frame.load(number(r), a.displacement);
        }
        (op, [Some(Operand::Register(Gpr::Rsp)), ..])
            if !matches!(op, Opcode::Cmp | Opcode::Test | Opcode::BitTest) =>
        {
            return Err("writes the stack pointer");
        }
        _ => {}
    }
    Ok(())
}

/// The same where the stack pointer goes where it likes until it comes back.
fn away(frame: &mut Frame, inst: &Inst) -> Result<(), &'static str> {
    let base = |r: Gpr| usize::from(r.number()) == frame.base();
    match (inst.op, inst.operands) {
        (Opcode::Mov, [Some(Operand::Register(Gpr::Rsp)), Some(Operand::Register(r)), None]) if base(r) => {
            frame.reckon_from(usize::from(Gpr::Rsp.number()));
            Ok(())
        }
        (Opcode::Push | Opcode::Pop | Opcode::Call | Opcode::Return, _) => {
            Err("uses the stack of the caller before it is back")
        }
        (_, [Some(Operand::Register(r)), ..]) if base(r) => Err("overwrites where the stack was"),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use crate::assembly::unwind::numbered as notes;
    use crate::x86_64::{Condition, Features, Program};

    use super::*;

    fn program(code: Vec<Inst>) -> Program {
        Program {
            name: "f".into(),
            features: Features::BASELINE,
            lanes: crate::program::Lanes::ONE,
            params: vec![],
            disjoint: vec![],
            constants: vec![],
            code,
            callees: Vec::new(),
        }
    }

    fn r(r: Gpr) -> Operand {
        Operand::Register(r)
    }

    fn slot(d: i32) -> Operand {
        Operand::Memory(Address::at(Gpr::Rsp, d))
    }

    #[test]
    fn red_zone_frame_and_pushes() {
        let red_zone = program(vec![
            Inst::new(Opcode::Mov, &[slot(-8), r(Gpr::Rbx)]),
            Inst::new(Opcode::Mov, &[slot(-16), r(Gpr::Rax)]),
            Inst::new(Opcode::Mov, &[slot(-24), r(Gpr::Rbx)]),
            Inst::new(Opcode::Mov, &[r(Gpr::Rbx), slot(-24)]),
            Inst::new(Opcode::Mov, &[r(Gpr::Rbx), slot(-8)]),
            Inst::new(Opcode::Return, &[]),
        ]);
        assert_eq!(notes(&red_zone).expect("frames"), ["1: .cfi_offset rbx, -16", "5: .cfi_restore rbx"]);
        let framed = program(vec![
            Inst::new(Opcode::Sub, &[r(Gpr::Rsp), Operand::Immediate(40)]),
            Inst::new(Opcode::Mov, &[slot(-8), r(Gpr::R12)]),
            Inst::new(Opcode::Push, &[r(Gpr::Rbp)]),
            Inst::new(Opcode::Pop, &[r(Gpr::Rbp)]),
            Inst::new(Opcode::Mov, &[r(Gpr::R12), slot(-8)]),
            Inst::new(Opcode::Add, &[r(Gpr::Rsp), Operand::Immediate(40)]),
            Inst::new(Opcode::Return, &[]),
        ]);
        let wanted = [
            "1: .cfi_def_cfa_offset 48",
            "2: .cfi_offset r12, -56",
            "3: .cfi_def_cfa_offset 56",
            "3: .cfi_offset rbp, -56",
            "4: .cfi_def_cfa_offset 48",
            "4: .cfi_restore rbp",
            "5: .cfi_restore r12",
            "6: .cfi_def_cfa_offset 8",
        ];
        assert_eq!(notes(&framed).expect("frames"), wanted);
    }

    #[test]
    fn loops_and_calls() {
        let label = |l| Inst::new(Opcode::Label, &[Operand::Label(l)]);
        let looped = |inside: Vec<Inst>| {
            let mut code = vec![Inst::new(Opcode::Push, &[r(Gpr::Rbx)]), label(0)];
            code.extend(inside);
            code.push(Inst::new(Opcode::JumpIf(Condition::NotZero), &[Operand::Label(0)]));
            code.push(Inst::new(Opcode::Pop, &[r(Gpr::Rbx)]));
            code.push(Inst::new(Opcode::Return, &[]));
            program(code)
        };
        let fine = looped(vec![Inst::new(Opcode::Sub, &[r(Gpr::Rbx), Operand::Immediate(1)])]);
        assert_eq!(
            notes(&fine).expect("frames"),
            ["1: .cfi_def_cfa_offset 16", "1: .cfi_offset rbx, -16", "5: .cfi_def_cfa_offset 8", "5: .cfi_restore rbx"]
        );
        let grows = looped(vec![Inst::new(Opcode::Push, &[r(Gpr::Rax)])]);
        assert!(notes(&grows).is_err_and(|why| why.contains("different stacks")));
        let called = program(vec![
            Inst::new(Opcode::Call, &[Operand::Label(1)]),
            Inst::new(Opcode::Return, &[]),
            label(1),
            Inst::new(Opcode::Return, &[]),
        ]);
        assert_eq!(notes(&called).expect("frames"), Vec::<String>::new());
    }

    /// A routine begins a frame of its own, from wherever it is called, and what it stores is not the caller's.
    #[test]
    fn routines() {
        let label = |l| Inst::new(Opcode::Label, &[Operand::Label(l)]);
        let framed = program(vec![
            Inst::new(Opcode::Sub, &[r(Gpr::Rsp), Operand::Immediate(40)]),
            Inst::new(Opcode::Mov, &[slot(32), r(Gpr::Rbx)]),
            Inst::new(Opcode::Call, &[Operand::Label(1)]),
            Inst::new(Opcode::Mov, &[r(Gpr::Rbx), slot(32)]),
            Inst::new(Opcode::Add, &[r(Gpr::Rsp), Operand::Immediate(40)]),
            Inst::new(Opcode::Return, &[]),
            label(1),
            Inst::new(Opcode::Mov, &[slot(-8), r(Gpr::Rbx)]),
            Inst::new(Opcode::Return, &[]),
        ]);
        let wanted =
            ["1: .cfi_def_cfa_offset 48", "2: .cfi_offset rbx, -16", "4: .cfi_restore rbx", "5: .cfi_def_cfa_offset 8"];
        assert_eq!(notes(&framed).expect("frames"), wanted);
    }

    #[test]
    fn aligned_frames_and_what_is_refused() {
        let aligned = |end: Gpr| {
            program(vec![
                Inst::new(Opcode::Push, &[r(Gpr::Rbx)]),
                Inst::new(Opcode::Mov, &[r(Gpr::R11), r(Gpr::Rsp)]),
                Inst::new(Opcode::Sub, &[r(Gpr::Rsp), Operand::Immediate(64)]),
                Inst::new(Opcode::And, &[r(Gpr::Rsp), Operand::Immediate(-64)]),
                Inst::new(Opcode::Mov, &[r(Gpr::Rsp), r(end)]),
                Inst::new(Opcode::Pop, &[r(Gpr::Rbx)]),
                Inst::new(Opcode::Return, &[]),
            ])
        };
        let wanted = [
            "1: .cfi_def_cfa_offset 16",
            "1: .cfi_offset rbx, -16",
            "2: .cfi_def_cfa r11, 16",
            "5: .cfi_def_cfa rsp, 16",
            "6: .cfi_def_cfa_offset 8",
            "6: .cfi_restore rbx",
        ];
        assert_eq!(notes(&aligned(Gpr::R11)).expect("frames"), wanted);
        assert!(notes(&aligned(Gpr::R10)).is_err_and(|why| why.contains("stack of the caller")));
        for bad in [
            Inst::new(Opcode::Mov, &[r(Gpr::Rsp), r(Gpr::Rax)]),
            Inst::new(Opcode::Pop, &[r(Gpr::Rax)]),
            Inst::new(Opcode::Jump, &[Operand::Label(7)]),
            Inst::new(Opcode::ClearCarry, &[]),
        ] {
            assert!(notes(&program(vec![bad])).is_err(), "{bad}");
        }
    }
}
