//! What each instruction of x86-64 needs, and whether its time depends on data. What it costs is in the tables of
//! [cores](evariste_cores).
//!
//! The timing class follows Intel's list "Data Operand Independent Timing Instructions" (edition of 23 February 2026;
//! that of early 2024 lacks rotations and double shifts). There is no opcode here for what is not on it (division,
//! `sarx`, `cmc`, shifts by `cl`, `pdep`, …): what has no opcode cannot be made.

use super::instruction::{Features, Opcode};

/// Does an instruction's time depend on its operands' values?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Timing {
    /// On the list of instructions whose time does not.
    Independent,
    /// Not on the list, but has no operand at all: `clc`, `stc`.
    NoOperand,
    /// Not on the list, but moves control in public ways only: calls, returns, branches on counters.
    Control,
}

/// One row: an instruction with register operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// Timing class.
    pub timing: Timing,
    /// What the processor must offer.
    pub needs: Features,
}

/// The row of an instruction.
pub fn row(op: Opcode) -> Row {
    let of = |timing, needs| Row { timing, needs };
    match op {
        Opcode::Andn | Opcode::Mulx | Opcode::Rorx | Opcode::Shlx | Opcode::Shrx => {
            of(Timing::Independent, Features::BMI2)
        }
        Opcode::Adcx | Opcode::Adox => of(Timing::Independent, Features { adx: true, ..Features::BASELINE }),
        Opcode::ClearCarry | Opcode::SetCarry => of(Timing::NoOperand, Features::BASELINE),
        Opcode::Label | Opcode::Jump | Opcode::JumpIf(_) | Opcode::Call | Opcode::Return | Opcode::EndBranch => {
            of(Timing::Control, Features::BASELINE)
        }
        Opcode::Vector(op, width) => super::vector::row(op, width),
        Opcode::Mov
        | Opcode::MovZeroExtend
        | Opcode::Lea
        | Opcode::Add
        | Opcode::Adc
        | Opcode::Sub
        | Opcode::Sbb
        | Opcode::Neg
        | Opcode::And
        | Opcode::Or
        | Opcode::Xor
        | Opcode::Not
        | Opcode::Cmp
        | Opcode::Test
        | Opcode::BitTest
        | Opcode::Imul
        | Opcode::Mul
        | Opcode::Shl
        | Opcode::Shr
        | Opcode::Sar
        | Opcode::Rol
        | Opcode::Shld
        | Opcode::Shrd
        | Opcode::Set(_)
        | Opcode::Cmov(_)
        | Opcode::Push
        | Opcode::Pop => of(Timing::Independent, Features::BASELINE),
    }
}

/// Every instruction that the compiler knows, once.
pub const ALL: [Opcode; 41] = {
    use super::instruction::Condition::*;
    use Opcode::*;
    [
        Mov,
        MovZeroExtend,
        Lea,
        Add,
        Adc,
        Sub,
        Sbb,
        Adcx,
        Adox,
        Neg,
        And,
        Or,
        Xor,
        Not,
        Andn,
        Cmp,
        Test,
        BitTest,
        Imul,
        Mul,
        Mulx,
        Shl,
        Shr,
        Sar,
        Rol,
        Shld,
        Shrd,
        Rorx,
        Shlx,
        Shrx,
        Set(Carry),
        Cmov(Carry),
        ClearCarry,
        SetCarry,
        Push,
        Pop,
        Jump,
        JumpIf(NotZero),
        Call,
        Return,
        EndBranch,
    ]
};

/// The table as text.
pub fn listing() -> String {
    let mut text = format!("{:8} {:11} {}\n", "name", "timing", "needs");
    for op in ALL {
        let r = row(op);
        let timing = match r.timing {
            Timing::Independent => "independent",
            Timing::NoOperand => "no operand",
            Timing::Control => "control",
        };
        text += &format!("{:8} {timing:11} {}\n", op.to_string(), r.needs);
    }
    text
}
