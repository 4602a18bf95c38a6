//! What a debugger or an exception needs at each instruction: how far the stack pointer is from the return address, and
//! where the caller's registers are.

use evariste_codegen::x86_64::{Address, Base, Gpr, Inst, Opcode, Operand, Program};

/// The stack before an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Frame {
    /// In a routine that the function calls, which keeps no register: nothing that it stores is the caller's.
    inner: bool,
    /// The register that the canonical frame address is reckoned from: the stack pointer, or one that holds what it was
    /// before it was aligned.
    base: Gpr,
    /// Bytes between the two (8 at the entry: the return address).
    depth: i32,
    /// Where the caller's value of each register of [`Gpr::SAVED`] lies, from the canonical frame address; `None`: in
    /// the register.
    saved: [Option<i32>; 6],
}

const ENTRY: Frame = Frame { inner: false, base: Gpr::Rsp, depth: 8, saved: [None; 6] };
/// At the entry of a routine that the function calls. An unwinder goes from its return address to the frame of the
/// function, which knows the caller's registers.
const ROUTINE: Frame = Frame { inner: true, ..ENTRY };

/// The frame before each instruction, `None` where control never comes. An error is a reason in words.
pub(super) fn frames(program: &Program) -> Result<Vec<Option<Frame>>, String> {
    let place = |label: u32| {
        program.code.iter().position(|inst| inst.op == Opcode::Label && inst.operands[0] == Some(Operand::Label(label)))
    };
    let mut frames: Vec<Option<Frame>> = vec![None; program.code.len()];
    let mut open = vec![(0, ENTRY)];
    while let Some((at, frame)) = open.pop() {
        let (Some(known), Some(inst)) = (frames.get_mut(at), program.code.get(at)) else {
            return Err("control runs over the end".to_string());
        };
        match known {
            Some(known) if *known == frame => continue,
            Some(_) => return Err(format!("two ways lead to instruction {at} with different stacks")),
            None => *known = Some(frame),
        }
        let after = step(frame, inst).map_err(|why| format!("instruction {at} ({inst}) {why}"))?;
        if let (false, Some(Operand::Label(label))) = (inst.op == Opcode::Label, inst.operands[0]) {
            let target = place(label).ok_or_else(|| format!("instruction {at} goes to a label that is not there"))?;
            open.push((target, if inst.op == Opcode::Call { ROUTINE } else { after }));
        }
        if !matches!(inst.op, Opcode::Return | Opcode::Jump) {
            open.push((at + 1, after));
        }
    }
    Ok(frames)
}

/// The frame after an instruction.
fn step(mut frame: Frame, inst: &Inst) -> Result<Frame, &'static str> {
    let number = |r: Gpr| Gpr::SAVED.iter().position(|s| *s == r);
    let stack = |a: Address| (a.base == Base::Register(Gpr::Rsp) && a.index.is_none()).then_some(a.displacement);
    if frame.base != Gpr::Rsp {
        // The stack pointer goes where it likes until it comes back.
        match (inst.op, inst.operands) {
            (Opcode::Mov, [Some(Operand::Register(Gpr::Rsp)), Some(Operand::Register(r)), None]) if r == frame.base => {
                frame.base = Gpr::Rsp
            }
            (Opcode::Push | Opcode::Pop | Opcode::Call | Opcode::Return, _) => {
                return Err("uses the stack of the caller before it is back");
            }
            (_, [Some(Operand::Register(r)), ..]) if r == frame.base => return Err("overwrites where the stack was"),
            _ => {}
        }
        return Ok(frame);
    }
    match (inst.op, inst.operands) {
        (Opcode::Mov, [Some(Operand::Register(r)), Some(Operand::Register(Gpr::Rsp)), None])
            if inst.bits == 64 && r != Gpr::Rsp =>
        {
            frame.base = r
        }
        (Opcode::Sub | Opcode::Add, [Some(Operand::Register(Gpr::Rsp)), Some(Operand::Immediate(bytes)), None])
            if inst.bits == 64 =>
        {
            let bytes =
                i32::try_from(bytes).ok().filter(|b| (0..1 << 24).contains(b)).ok_or("moves the stack too far")?;
            frame.depth += if inst.op == Opcode::Sub { bytes } else { -bytes };
        }
        (Opcode::Push, [Some(Operand::Register(r)), None, None]) => {
            frame.depth += 8;
            keep(&mut frame, number(r), 0);
        }
        (Opcode::Pop, [Some(Operand::Register(r)), None, None]) => {
            give_back(&mut frame, number(r), 0);
            frame.depth -= 8;
        }
        (Opcode::Mov, [Some(Operand::Memory(a)), Some(Operand::Register(r)), None])
            if inst.bits == 64 && stack(a).is_some() =>
        {
            keep(&mut frame, number(r), a.displacement);
        }
        (Opcode::Mov, [Some(Operand::Register(r)), Some(Operand::Memory(a)), None])
            if inst.bits == 64 && stack(a).is_some() =>
        {
            give_back(&mut frame, number(r), a.displacement);
        }
        (op, [Some(Operand::Register(Gpr::Rsp)), ..])
            if !matches!(op, Opcode::Cmp | Opcode::Test | Opcode::BitTest) =>
        {
            return Err("writes the stack pointer");
        }
        _ => {}
    }
    if frame.depth < 8 { Err("takes the return address from the stack") } else { Ok(frame) }
}

/// The first store of a register that the caller wants back is its place; what is stored later is another value.
fn keep(frame: &mut Frame, register: Option<usize>, displacement: i32) {
    if let Some(i) = register.filter(|_| !frame.inner) {
        frame.saved[i] = frame.saved[i].or(Some(displacement - frame.depth));
    }
}

fn give_back(frame: &mut Frame, register: Option<usize>, displacement: i32) {
    if let Some(i) = register
        && frame.saved[i] == Some(displacement - frame.depth)
    {
        frame.saved[i] = None;
    }
}

/// The directives between two frames.
pub(super) fn directives(from: Frame, to: Frame) -> Vec<String> {
    let mut lines = Vec::new();
    if from.base != to.base {
        lines.push(format!(".cfi_def_cfa {}, {}", to.base, to.depth));
    } else if from.depth != to.depth {
        lines.push(format!(".cfi_def_cfa_offset {}", to.depth));
    }
    for (i, r) in Gpr::SAVED.iter().enumerate() {
        match (from.saved[i], to.saved[i]) {
            (old, new) if old == new => {}
            (_, Some(offset)) => lines.push(format!(".cfi_offset {r}, {offset}")),
            (_, None) => lines.push(format!(".cfi_restore {r}")),
        }
    }
    lines
}

/// The frame at a function's entry.
pub(super) fn entry() -> Frame {
    ENTRY
}

#[cfg(test)]
mod tests {
    use evariste_codegen::x86_64::Features;

    use super::*;

    fn program(code: Vec<Inst>) -> Program {
        Program {
            name: "f".into(),
            features: Features::BASELINE,
            lanes: evariste_codegen::program::Lanes::ONE,
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

    /// All directives of a program, with the instructions that they stand before.
    fn notes(program: &Program) -> Result<Vec<String>, String> {
        let mut now = ENTRY;
        let mut all = Vec::new();
        for (at, frame) in frames(program)?.into_iter().enumerate() {
            if let Some(frame) = frame {
                all.extend(directives(now, frame).into_iter().map(|line| format!("{at}: {line}")));
                now = frame;
            }
        }
        Ok(all)
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
    fn loops_calls_and_what_is_refused() {
        let label = |l| Inst::new(Opcode::Label, &[Operand::Label(l)]);
        let looped = |inside: Vec<Inst>| {
            let mut code = vec![Inst::new(Opcode::Push, &[r(Gpr::Rbx)]), label(0)];
            code.extend(inside);
            code.push(Inst::new(Opcode::JumpIf(evariste_codegen::x86_64::Condition::NotZero), &[Operand::Label(0)]));
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
        assert!(frames(&grows).is_err_and(|why| why.contains("different stacks")));
        let called = program(vec![
            Inst::new(Opcode::Call, &[Operand::Label(1)]),
            Inst::new(Opcode::Return, &[]),
            label(1),
            Inst::new(Opcode::Return, &[]),
        ]);
        assert_eq!(notes(&called).expect("frames"), Vec::<String>::new());
        // A routine begins a frame of its own, from wherever it is called, and what it stores is not the caller's.
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
        assert!(frames(&aligned(Gpr::R10)).is_err_and(|why| why.contains("stack of the caller")));
        for bad in [
            Inst::new(Opcode::Mov, &[r(Gpr::Rsp), r(Gpr::Rax)]),
            Inst::new(Opcode::Pop, &[r(Gpr::Rax)]),
            Inst::new(Opcode::Jump, &[Operand::Label(7)]),
            Inst::new(Opcode::ClearCarry, &[]),
        ] {
            assert!(frames(&program(vec![bad])).is_err(), "{bad}");
        }
    }
}
