//! The machine table of scalar x86-64: what each instruction costs on a wide core (Golden Cove, as measured for the
//! rows that matter), what it needs, and whether its time depends on data.
//!
//! Ports are sets: bit i stands for port i. The five integer ports are 0, 1, 5, 6 and 10; loads and stores have ports
//! of their own and are counted apart. The timing class follows Intel's list "Data Operand Independent Timing
//! Instructions" (edition of 23 February 2026; that of early 2024 lacks rotations and double shifts). There is no
//! opcode here for what is not on it (division, `sarx`, `cmc`, shifts by `cl`, `pdep`, …): what has no opcode cannot be
//! made.

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
    /// Ports that may take each of its operations, as a bit set; empty when the rename stage does it all.
    pub ports: u16,
    /// A second operation, on these ports.
    pub also: u16,
    /// Cycles until the result (the low word of a product; the high one takes a cycle more).
    pub latency: u8,
    /// Slots of the rename stage.
    pub slots: u8,
    /// Timing class.
    pub timing: Timing,
    /// What the processor must offer.
    pub needs: Features,
}

const P0: u16 = 1;
const P1: u16 = 1 << 1;
const P5: u16 = 1 << 5;
const P6: u16 = 1 << 6;
const P10: u16 = 1 << 10;
/// Any integer port.
pub const ANY: u16 = P0 | P1 | P5 | P6 | P10;
/// Ports of operations that take a flag, and of shifts.
pub const FLAGS: u16 = P0 | P6;
/// The multiplier.
pub const MULTIPLIER: u16 = P1;

/// The row of an instruction.
pub fn row(op: Opcode) -> Row {
    let make =
        |ports, latency, slots, needs| Row { ports, also: 0, latency, slots, timing: Timing::Independent, needs };
    let plain = |ports, latency, slots| make(ports, latency, slots, Features::BASELINE);
    let control = |ports, latency, slots| Row { timing: Timing::Control, ..plain(ports, latency, slots) };
    match op {
        // Moves between registers are done by renaming; loads and stores have their own ports.
        Opcode::Mov | Opcode::MovZeroExtend => plain(0, 0, 1),
        Opcode::Lea
        | Opcode::Add
        | Opcode::Sub
        | Opcode::Neg
        | Opcode::And
        | Opcode::Or
        | Opcode::Xor
        | Opcode::Not
        | Opcode::Cmp
        | Opcode::Test => plain(ANY, 1, 1),
        Opcode::Andn => make(P1 | P5, 1, 1, Features::BMI2),
        Opcode::Adc | Opcode::Sbb | Opcode::Set(_) | Opcode::Cmov(_) | Opcode::BitTest => plain(FLAGS, 1, 1),
        Opcode::Adcx | Opcode::Adox => make(FLAGS, 1, 1, Features { adx: true, ..Features::BASELINE }),
        Opcode::Imul => plain(MULTIPLIER, 3, 1),
        Opcode::Mul => Row { also: P5, ..plain(MULTIPLIER, 3, 2) },
        Opcode::Mulx => Row { also: P5, ..make(MULTIPLIER, 3, 2, Features::BMI2) },
        Opcode::Shl | Opcode::Shr | Opcode::Sar | Opcode::Rol => plain(FLAGS, 1, 1),
        Opcode::Shld | Opcode::Shrd => plain(P1, 3, 1),
        Opcode::Rorx | Opcode::Shlx | Opcode::Shrx => make(FLAGS, 1, 1, Features::BMI2),
        Opcode::ClearCarry => Row { timing: Timing::NoOperand, ..plain(0, 0, 1) },
        Opcode::SetCarry => Row { timing: Timing::NoOperand, ..plain(FLAGS, 1, 1) },
        Opcode::Push | Opcode::Pop => plain(0, 0, 1),
        Opcode::Label => control(0, 0, 0),
        Opcode::Jump | Opcode::JumpIf(_) => control(P6, 1, 1),
        Opcode::Call | Opcode::Return => control(P6, 1, 2),
        Opcode::EndBranch => control(0, 0, 1),
        Opcode::Vector(op, width) => super::vector::row(op, width),
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
    let ports = |set: u16| match set {
        0 => "-".to_string(),
        _ => {
            "p".to_string()
                + &(0..16)
                    .filter(|i| set >> i & 1 == 1)
                    .map(|i| if i == 10 { "A".into() } else { i.to_string() })
                    .collect::<String>()
        }
    };
    let mut text =
        format!("{:8} {:10} {:>7} {:>5}  {:11} {}\n", "name", "ports", "latency", "slots", "timing", "needs");
    for op in ALL {
        let r = row(op);
        let all = if r.also == 0 { ports(r.ports) } else { format!("{}+{}", ports(r.ports), ports(r.also)) };
        let timing = match r.timing {
            Timing::Independent => "independent",
            Timing::NoOperand => "no operand",
            Timing::Control => "control",
        };
        text += &format!("{:8} {all:10} {:>7} {:>5}  {timing:11} {}\n", op.to_string(), r.latency, r.slots, r.needs);
    }
    text
}
