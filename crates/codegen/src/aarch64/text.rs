//! The text form of programs, which is also that of assemblers: GNU's and Apple's read the same instructions.

use std::fmt;

use super::instruction::{Address, Chosen, Gpr, Half, Inst, Logic, Shift, Shifted, Sum, Wide};
use crate::assembly::{CONSTANTS, Local};

const NAMES: [&str; 33] = [
    "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17",
    "x18", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x29", "x30", "sp", "xzr",
];
const HALVES: [&str; 33] = [
    "w0", "w1", "w2", "w3", "w4", "w5", "w6", "w7", "w8", "w9", "w10", "w11", "w12", "w13", "w14", "w15", "w16", "w17",
    "w18", "w19", "w20", "w21", "w22", "w23", "w24", "w25", "w26", "w27", "w28", "w29", "w30", "wsp", "wzr",
];

impl Gpr {
    /// The register's name.
    pub fn name(self) -> &'static str {
        NAMES[self.place().unwrap_or(32)]
    }

    /// The name of its low half.
    fn half(self) -> &'static str {
        HALVES[self.place().unwrap_or(32)]
    }
}

impl fmt::Display for Gpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Sum {
    /// The mnemonic.
    pub fn name(self) -> &'static str {
        match self {
            Sum::Add => "add",
            Sum::Adds => "adds",
            Sum::Sub => "sub",
            Sum::Subs => "subs",
            Sum::Adc => "adc",
            Sum::Adcs => "adcs",
            Sum::Sbc => "sbc",
            Sum::Sbcs => "sbcs",
        }
    }
}

impl Logic {
    /// The mnemonic.
    pub fn name(self) -> &'static str {
        match self {
            Logic::And => "and",
            Logic::Or => "orr",
            Logic::Xor => "eor",
            Logic::AndNot => "bic",
            Logic::OrNot => "orn",
            Logic::XorNot => "eon",
        }
    }
}

impl Shift {
    /// The mnemonic.
    pub fn name(self) -> &'static str {
        match self {
            Shift::Left => "lsl",
            Shift::Right => "lsr",
            Shift::Signed => "asr",
            Shift::Rotate => "ror",
        }
    }
}

impl fmt::Display for Shifted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.amount {
            0 if self.shift == Shift::Left => write!(f, "{}", self.register),
            amount => write!(f, "{}, {} #{amount}", self.register, self.shift.name()),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.offset {
            0 => write!(f, "[{}]", self.base),
            offset => write!(f, "[{}, #{offset}]", self.base),
        }
    }
}

impl Inst {
    /// The mnemonic.
    pub fn name(&self) -> &'static str {
        match self {
            Inst::Sum { op, .. } | Inst::SumOf { op, .. } => op.name(),
            Inst::Logic { op, .. } | Inst::LogicOf { op, .. } => op.name(),
            Inst::Product { half: Half::Low, .. } => "mul",
            Inst::Product { half: Half::High, .. } => "umulh",
            Inst::ProductSum { .. } => "madd",
            Inst::Shift { shift, .. } => shift.name(),
            Inst::Extract { .. } => "extr",
            Inst::Field { .. } => "ubfx",
            Inst::Select { chosen: Chosen::AsIs, .. } => "csel",
            Inst::Select { chosen: Chosen::PlusOne, .. } => "csinc",
            Inst::Select { chosen: Chosen::Complement, .. } => "csinv",
            Inst::Move { wide: Wide::Zeros, .. } => "movz",
            Inst::Move { wide: Wide::Ones, .. } => "movn",
            Inst::Move { wide: Wide::Keep, .. } => "movk",
            Inst::Load { bytes: 1, .. } => "ldrb",
            Inst::Load { bytes: 2, .. } => "ldrh",
            Inst::Load { .. } | Inst::Constant { .. } => "ldr",
            Inst::Store { bytes: 1, .. } => "strb",
            Inst::Store { bytes: 2, .. } => "strh",
            Inst::Store { .. } => "str",
            Inst::LoadPair { .. } | Inst::Pop { .. } => "ldp",
            Inst::StorePair { .. } | Inst::Push { .. } => "stp",
            Inst::Label(_) => "",
            Inst::Jump(_) => "b",
            Inst::JumpUnlessZero { .. } => "cbnz",
            Inst::Call(_) => "bl",
            Inst::Return => "ret",
        }
    }

    /// The line of an assembler; a label as its name.
    pub fn line(&self, local: Local<'_>) -> String {
        let name = self.name();
        let sized = |bytes: u8, register: Gpr| if bytes == 8 { register.name() } else { register.half() };
        match *self {
            Inst::Sum { to, left, right, .. } => format!("{name} {to}, {left}, {right}"),
            Inst::SumOf { to, left, value, high, .. } => {
                format!("{name} {to}, {left}, #{value}{}", if high { ", lsl #12" } else { "" })
            }
            Inst::Logic { to, left, right, .. } => match self.copied() {
                Some((from, to)) => format!("mov {to}, {from}"),
                None => format!("{name} {to}, {left}, {right}"),
            },
            Inst::LogicOf { to, left, value, .. } => format!("{name} {to}, {left}, #{value:#x}"),
            Inst::Product { to, left, right, .. } => format!("{name} {to}, {left}, {right}"),
            Inst::ProductSum { to, left, right, addend } => format!("{name} {to}, {left}, {right}, {addend}"),
            Inst::Shift { to, from, amount, .. } => format!("{name} {to}, {from}, #{amount}"),
            Inst::Extract { to, high, low, amount } => format!("{name} {to}, {high}, {low}, #{amount}"),
            Inst::Field { to, from, from_bit, bits } => format!("{name} {to}, {from}, #{from_bit}, #{bits}"),
            Inst::Select { to, left, right, carry, .. } => {
                format!("{name} {to}, {left}, {right}, {}", if carry { "cs" } else { "cc" })
            }
            Inst::Move { to, value, place, .. } => match place {
                0 => format!("{name} {to}, #{value:#x}"),
                _ => format!("{name} {to}, #{value:#x}, lsl #{}", 16 * u32::from(place)),
            },
            Inst::Load { bytes, to, address } => format!("{name} {}, {address}", sized(bytes, to)),
            Inst::Store { bytes, from, address } => format!("{name} {}, {address}", sized(bytes, from)),
            Inst::LoadPair { first, second, address } | Inst::StorePair { first, second, address } => {
                format!("{name} {first}, {second}, {address}")
            }
            Inst::Push { first, second, bytes } => format!("{name} {first}, {second}, [sp, #-{bytes}]!"),
            Inst::Pop { first, second, bytes } => format!("{name} {first}, {second}, [sp], #{bytes}"),
            Inst::Constant { to, offset } => match offset {
                0 => format!("{name} {to}, {}", local(CONSTANTS)),
                _ => format!("{name} {to}, {} + {offset}", local(CONSTANTS)),
            },
            Inst::Label(label) => local(&label.to_string()),
            Inst::Jump(label) | Inst::Call(label) => format!("{name} {}", local(&label.to_string())),
            Inst::JumpUnlessZero { register, label } => format!("{name} {register}, {}", local(&label.to_string())),
            Inst::Return => name.to_string(),
        }
    }
}

impl fmt::Display for Inst {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Inst::Label(label) => write!(f, "{label}:"),
            _ => f.write_str(&self.line(&|what| what.to_string())),
        }
    }
}
