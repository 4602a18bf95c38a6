//! x86-64: its instructions as specimens, and the loop around them.

mod specimens;

use evariste_codegen::program::{Lanes, Program};
use evariste_codegen::x86_64::{Address, Condition, Features, Gpr, Inst, Opcode, Operand, Vector, Width, X86_64};

use crate::subject::{Probe, Specimen};
use specimens::{COUNT, POINTER, WORD};

// SAFETY: a specimen writes registers of its pool, `rdx` (`mulx` reads it, `mul` writes it) and flags, and what it loads
// lies in the first 576 bytes behind the pointer, what it stores in 512 bytes from [`STORED`](specimens::STORED) on; a chain of loads reads the array's first word, which holds
// the array's own address. `repeated` saves all registers that functions keep, counts down what it was given, and returns.
// `apart` reads by the pointers alone, writes the first two words, and ends in the same way.
unsafe impl Probe for X86_64 {
    const KNOWN_BY: &'static [&'static str] =
        &["mulx", "shld", "setc", "store.ymm", "vpunpcklqdq.ymm", "vpclmulqdq.ymm", "vpaddq.zmm"];

    const SLOT: &'static str = "mov";

    const KINDS: &'static [(&'static str, &'static [&'static str])] = &[
        ("multiplier", &["mulx", "mul", "imul"]),
        ("integer", &["lea", "add", "sub", "neg", "and", "or", "xor", "not", "andn", "cmp", "test"]),
        ("carries", &["adc", "sbb", "adcx", "adox"]),
        ("shifts", &["shl", "shr", "sar", "rol", "rorx", "shlx", "shrx", "bt"]),
        ("loads", &["load", "load.xmm", "load.ymm", "load.zmm", "vpbroadcastq.ymm", "vpbroadcastd.ymm"]),
        ("stores", &["store", "store.xmm", "store.ymm", "store.zmm"]),
    ];

    fn specimens(features: Features) -> Vec<Specimen<X86_64>> {
        specimens::all(features)
    }

    fn repeated(body: &[Inst], features: Features) -> Program<X86_64> {
        let r = Operand::Register;
        let kept = Gpr::SAVED;
        let mut code: Vec<Inst> = kept.iter().map(|g| Inst::new(Opcode::Push, &[r(*g)])).collect();
        code.push(Inst::new(Opcode::Mov, &[r(COUNT), r(Gpr::Rsi)]));
        code.push(Inst::new(Opcode::Mov, &[r(WORD), Operand::Immediate(0x1234_5678)]));
        let given = [POINTER, WORD, COUNT, Gpr::Rsp, Gpr::Rbp];
        let written = Gpr::ALL.into_iter().filter(|g| !given.contains(g));
        code.extend(written.map(|g| Inst::new(Opcode::Mov, &[r(g), r(POINTER)])));
        // Registers are filled as wide as they are used, so that code of SSE2 alone has no upper halves to keep.
        let uses = |of: fn(Width) -> bool| body.iter().any(|i| matches!(i.op, Opcode::Vector(_, width) if of(width)));
        let (narrow, wide) = (uses(|width| width.two_operands()), uses(|width| !width.two_operands()));
        let filled = match (narrow, wide) {
            (_, true) if features.avx512 => Some((Vector::Broadcast, Width::Z)),
            (_, true) => Some((Vector::Broadcast, Width::Y)),
            (true, false) => Some((Vector::Move, Width::S)),
            (false, false) => None,
        };
        if let Some((op, width)) = filled {
            let one = Operand::Memory(Address::at(POINTER, 64));
            let fill = |v| Inst::new(Opcode::Vector(op, width), &[Operand::Vector(v), one]);
            code.extend((0..width.registers() as u8).map(fill));
        }
        // Flags that hold something.
        code.push(Inst::new(Opcode::Test, &[r(WORD), r(WORD)]));
        code.push(Inst::new(Opcode::Label, &[Operand::Label(0)]));
        code.extend_from_slice(body);
        code.push(Inst::new(Opcode::Sub, &[r(COUNT), Operand::Immediate(1)]));
        code.push(Inst::new(Opcode::JumpIf(Condition::NotZero), &[Operand::Label(0)]));
        if wide {
            code.push(Inst::new(Opcode::Vector(Vector::ZeroUpper, Width::Y), &[]));
        }
        code.extend(kept.iter().rev().map(|g| Inst::new(Opcode::Pop, &[r(*g)])));
        code.push(Inst::new(Opcode::Return, &[]));
        program(code, features)
    }

    fn apart(additions: usize) -> Program<X86_64> {
        let r = Operand::Register;
        let word = |i: i32| Operand::Memory(Address::at(POINTER, 8 * i));
        let heads = [Gpr::Rax, Gpr::Rcx];
        let free = [Gpr::Rdx, Gpr::R8, Gpr::R9, Gpr::R10, Gpr::R11];
        let mut code: Vec<Inst> =
            heads.iter().zip(0..).map(|(g, i)| Inst::new(Opcode::Mov, &[r(*g), word(i)])).collect();
        code.extend(free.iter().map(|g| Inst::new(Opcode::Mov, &[r(*g), r(WORD)])));
        code.push(Inst::new(Opcode::Label, &[Operand::Label(0)]));
        for head in heads {
            code.push(Inst::new(Opcode::Mov, &[r(head), Operand::Memory(Address::at(head, 0))]));
            let sum = |i: usize| Inst::new(Opcode::Add, &[r(free[i % free.len()]), r(POINTER)]);
            code.extend((0..additions).map(sum));
        }
        code.push(Inst::new(Opcode::Sub, &[r(WORD), Operand::Immediate(1)]));
        code.push(Inst::new(Opcode::JumpIf(Condition::NotZero), &[Operand::Label(0)]));
        code.extend(heads.iter().zip(0..).map(|(g, i)| Inst::new(Opcode::Mov, &[word(i), r(*g)])));
        code.push(Inst::new(Opcode::Return, &[]));
        program(code, Features::BASELINE)
    }
}

fn program(code: Vec<Inst>, features: Features) -> Program<X86_64> {
    Program {
        name: "probe".into(),
        features,
        lanes: Lanes::ONE,
        params: Vec::new(),
        disjoint: Vec::new(),
        constants: Vec::new(),
        code,
        callees: Vec::new(),
    }
}
