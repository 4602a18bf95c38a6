//! The text form of programs: one instruction a line, operands in Intel's order, memory with its size where no register
//! says it.

use std::fmt;

use super::instruction::{Address, Base, Condition, Gpr, Inst, Opcode, Operand};
use super::vector::{Vector, Width};

const NAMES_64: [&str; 16] =
    ["rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"];
const NAMES_32: [&str; 16] = [
    "eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi", "r8d", "r9d", "r10d", "r11d", "r12d", "r13d", "r14d",
    "r15d",
];
const NAMES_16: [&str; 16] =
    ["ax", "cx", "dx", "bx", "sp", "bp", "si", "di", "r8w", "r9w", "r10w", "r11w", "r12w", "r13w", "r14w", "r15w"];
const NAMES_8: [&str; 16] =
    ["al", "cl", "dl", "bl", "spl", "bpl", "sil", "dil", "r8b", "r9b", "r10b", "r11b", "r12b", "r13b", "r14b", "r15b"];

impl Gpr {
    /// The register's name as seen by an instruction of that many bits.
    pub fn name(self, bits: u8) -> &'static str {
        let names = match bits {
            8 => &NAMES_8,
            16 => &NAMES_16,
            32 => &NAMES_32,
            _ => &NAMES_64,
        };
        names[self as usize]
    }
}

impl fmt::Display for Gpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name(64))
    }
}

impl Condition {
    /// The suffix of `set`, `cmov` and `j`.
    pub fn suffix(self) -> &'static str {
        match self {
            Condition::Carry => "c",
            Condition::NotCarry => "nc",
            Condition::Overflow => "o",
            Condition::NotOverflow => "no",
            Condition::Zero => "z",
            Condition::NotZero => "nz",
        }
    }
}

impl fmt::Display for Opcode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Opcode::Mov => "mov",
            Opcode::MovZeroExtend => "movzx",
            Opcode::Lea => "lea",
            Opcode::Add => "add",
            Opcode::Adc => "adc",
            Opcode::Sub => "sub",
            Opcode::Sbb => "sbb",
            Opcode::Adcx => "adcx",
            Opcode::Adox => "adox",
            Opcode::Neg => "neg",
            Opcode::And => "and",
            Opcode::Or => "or",
            Opcode::Xor => "xor",
            Opcode::Not => "not",
            Opcode::Andn => "andn",
            Opcode::Cmp => "cmp",
            Opcode::Test => "test",
            Opcode::BitTest => "bt",
            Opcode::Imul => "imul",
            Opcode::Mul => "mul",
            Opcode::Mulx => "mulx",
            Opcode::Shl => "shl",
            Opcode::Shr => "shr",
            Opcode::Sar => "sar",
            Opcode::Rol => "rol",
            Opcode::Shld => "shld",
            Opcode::Shrd => "shrd",
            Opcode::Rorx => "rorx",
            Opcode::Shlx => "shlx",
            Opcode::Shrx => "shrx",
            Opcode::Set(c) => return write!(f, "set{}", c.suffix()),
            Opcode::Cmov(c) => return write!(f, "cmov{}", c.suffix()),
            Opcode::ClearCarry => "clc",
            Opcode::SetCarry => "stc",
            Opcode::Push => "push",
            Opcode::Pop => "pop",
            Opcode::Label => "label",
            Opcode::Jump => "jmp",
            Opcode::JumpIf(c) => return write!(f, "j{}", c.suffix()),
            Opcode::Call => "call",
            Opcode::Return => "ret",
            Opcode::EndBranch => "endbr64",
            Opcode::Vector(op, width) => return f.write_str(&op.name(64, *width)),
        };
        f.write_str(name)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.base {
            Base::Constants => write!(f, "[constants")?,
            Base::Register(r) => write!(f, "[{r}")?,
        }
        if let Some((index, scale)) = self.index {
            write!(f, " + {index}*{scale}")?;
        }
        match self.displacement {
            0 => f.write_str("]"),
            d if d < 0 => write!(f, " - {}]", d.unsigned_abs()),
            d => write!(f, " + {d}]"),
        }
    }
}

impl fmt::Display for Inst {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let (Opcode::Label, Some(Operand::Label(l))) = (self.op, self.operands[0]) {
            return write!(f, ".{l}:");
        }
        if let Opcode::Vector(op, width) = self.op {
            return write!(f, "{}", self.vector_text(op, width, |a| a.to_string()));
        }
        write!(f, "{}", self.op)?;
        let sized = self.operands().any(|o| matches!(o, Operand::Register(_))) && self.op != Opcode::MovZeroExtend;
        for (i, operand) in self.operands().enumerate() {
            f.write_str(if i == 0 { " " } else { ", " })?;
            match operand {
                // A zero extension names the size of its source; its destination is the whole register.
                Operand::Register(r) if self.op == Opcode::MovZeroExtend && i == 0 => write!(f, "{r}")?,
                Operand::Register(r) => f.write_str(r.name(self.bits))?,
                Operand::Memory(a) if !sized && self.op != Opcode::Lea => write!(f, "{} {a}", size(self.bits))?,
                Operand::Memory(a) => write!(f, "{a}")?,
                Operand::Immediate(c) if (-9..10).contains(&c) => write!(f, "{c}")?,
                Operand::Immediate(c) if c < 0 => write!(f, "-{:#x}", c.unsigned_abs())?,
                Operand::Immediate(c) => write!(f, "{c:#x}")?,
                Operand::Label(l) => write!(f, ".{l}")?,
                // Of vector instructions only, which are written elsewhere.
                Operand::Vector(n) | Operand::Masked(n, _) => write!(f, "zmm{n}")?,
                Operand::Mask(k) => write!(f, "k{k}")?,
                Operand::Broadcast(a) => write!(f, "{a}{{1to}}")?,
            }
        }
        Ok(())
    }
}

impl Inst {
    /// A vector instruction in Intel's syntax; `place` writes addresses.
    pub fn vector_text(&self, op: Vector, width: Width, place: impl Fn(&Address) -> String) -> String {
        // Matrices are words of 64 bits, whatever they multiply; masks in memory are words of 16.
        let bits = match op {
            Vector::BitMatrix => 64,
            Vector::MaskConstant => 16,
            _ => self.bits.max(8),
        };
        let (element, count) = (size(bits), 8 * width.bytes() / u32::from(bits));
        let mut operands: Vec<String> = Vec::new();
        for operand in self.operands() {
            operands.push(match operand {
                Operand::Vector(n) => width.register(n),
                Operand::Masked(n, k) => format!("{}{{k{k}}}", width.register(n)),
                Operand::Mask(k) => format!("k{k}"),
                Operand::Memory(a) if matches!(op, Vector::Broadcast | Vector::MoveLowest | Vector::MaskConstant) => {
                    format!("{element} ptr {}", place(&a))
                }
                Operand::Memory(a) => format!("{} ptr {}", width.size(), place(&a)),
                Operand::Broadcast(a) => format!("{element} ptr {}{{1to{count}}}", place(&a)),
                Operand::Register(r) => r.to_string(),
                Operand::Immediate(c) => c.to_string(),
                Operand::Label(l) => format!(".{l}"),
            });
        }
        operands.extend(op.immediate().map(|k| k.to_string()));
        let name = op.name(self.bits, width);
        if operands.is_empty() { name } else { format!("{name} {}", operands.join(", ")) }
    }
}

/// What an operand in memory of so many bits is called.
pub fn size(bits: u8) -> &'static str {
    match bits {
        8 => "byte",
        16 => "word",
        32 => "dword",
        _ => "qword",
    }
}
