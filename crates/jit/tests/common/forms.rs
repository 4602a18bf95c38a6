//! Every form of every instruction that the encoder writes.
#![allow(dead_code)] // Each test file uses a part.

use evariste_codegen::x86_64::{Address, Base, Condition, Gpr, Inst, Opcode, Operand, Vector, Width};

/// All conditions.
pub const CONDITIONS: [Condition; 6] = [
    Condition::Carry,
    Condition::NotCarry,
    Condition::Overflow,
    Condition::NotOverflow,
    Condition::Zero,
    Condition::NotZero,
];

fn addresses() -> Vec<Address> {
    let mut all = vec![Address::constant(0), Address::constant(2)];
    for base in Gpr::ALL {
        for displacement in [0, 8, -8, 127, 128, -128, -129, 4096, i32::MAX, i32::MIN] {
            all.push(Address::at(base, displacement));
        }
        for (index, scale) in [(Gpr::Rax, 1), (Gpr::Rbp, 2), (Gpr::R12, 4), (Gpr::R13, 8)] {
            for displacement in [0, 16, -1000] {
                all.push(Address { base: Base::Register(base), index: Some((index, scale)), displacement });
            }
        }
    }
    all
}

/// Every form of every opcode: which operands, in which sizes.
fn by_kinds() -> Vec<(Opcode, Vec<u8>, &'static [&'static str])> {
    use Opcode::*;
    const TWO: &[&str] = &["rr", "rm", "mr", "ri", "mi"];
    let all = || vec![8, 16, 32, 64];
    let q = || vec![64];
    let mut forms = vec![
        (Mov, all(), TWO),
        (MovZeroExtend, vec![8, 16, 32], &["rr", "rm"][..]),
        (Lea, q(), &["rm"]),
        (Add, all(), TWO),
        (Adc, all(), TWO),
        (Sub, all(), TWO),
        (Sbb, all(), TWO),
        (Adcx, q(), &["rr", "rm"]),
        (Adox, q(), &["rr", "rm"]),
        (Neg, all(), &["r", "m"]),
        (And, all(), TWO),
        (Or, all(), TWO),
        (Xor, all(), TWO),
        (Not, all(), &["r", "m"]),
        (Andn, q(), &["rrr", "rrm"]),
        (Cmp, all(), TWO),
        (Test, all(), &["rr", "mr", "ri", "mi"]),
        (BitTest, vec![32, 64], &["rk", "mk"]),
        (Imul, vec![32, 64], &["rr", "rm", "rri", "rmi"]),
        (Mul, vec![32, 64], &["r", "m"]),
        (Mulx, q(), &["rrr", "rrm"]),
        (Shl, all(), &["rk", "mk"]),
        (Shr, all(), &["rk", "mk"]),
        (Sar, all(), &["rk", "mk"]),
        (Rol, all(), &["rk", "mk"]),
        (Shld, q(), &["rrk", "mrk"]),
        (Shrd, q(), &["rrk", "mrk"]),
        (Rorx, q(), &["rrk", "rmk"]),
        (Shlx, q(), &["rrr", "rmr"]),
        (Shrx, q(), &["rrr", "rmr"]),
        (ClearCarry, q(), &[""]),
        (SetCarry, q(), &[""]),
        (Push, q(), &["r"]),
        (Pop, q(), &["r"]),
        (Return, q(), &[""]),
        (EndBranch, q(), &[""]),
    ];
    for c in CONDITIONS {
        forms.push((Set(c), vec![8], &["r", "m"]));
        forms.push((Cmov(c), q(), &["rr", "rm"]));
    }
    forms
}

/// Every form of every opcode on general registers, with many registers, addresses and constants; no branches, labels
/// and vectors.
pub fn scalar() -> Vec<Inst> {
    let addresses = addresses();
    let mut code = Vec::new();
    for (op, sizes, shapes) in by_kinds() {
        for bits in sizes {
            for shape in shapes {
                // Each operand runs through all that it can be while the others turn.
                for turn in 0..addresses.len().max(16) {
                    let mut operands = Vec::new();
                    for (i, c) in shape.chars().enumerate() {
                        operands.push(match c {
                            'r' => Operand::Register(Gpr::ALL[(turn * (2 * i + 1) + 5 * i) % 16]),
                            'm' => Operand::Memory(addresses[turn % addresses.len()]),
                            'k' => Operand::Immediate(turn as i64 % i64::from(bits)),
                            _ => {
                                let edges = [
                                    0,
                                    1,
                                    -1,
                                    127,
                                    -128,
                                    128,
                                    1000,
                                    -1000,
                                    i64::from(i32::MAX),
                                    i64::from(i32::MIN),
                                    200,
                                    255,
                                ];
                                let v = edges[turn % edges.len()];
                                Operand::Immediate(if bits == 8 {
                                    v.clamp(-128, 255)
                                } else if bits == 16 {
                                    v.clamp(-32768, 65535)
                                } else {
                                    v
                                })
                            }
                        });
                    }
                    code.push(Inst::sized(op, bits, &operands));
                }
            }
        }
    }
    for v in [i64::MAX, i64::MIN, 1 << 31, u32::MAX.into(), 1 << 32, -(1 << 31) - 1] {
        code.push(Inst::new(Opcode::Mov, &[Operand::Register(Gpr::R9), Operand::Immediate(v)]));
        code.push(Inst::new(Opcode::Mov, &[Operand::Register(Gpr::Rcx), Operand::Immediate(v)]));
    }
    code
}

/// The destinations and the other operands that an instruction takes.
pub fn vector(op: Vector, width: Width, bits: u8) -> Vec<Vec<Operand>> {
    let wide = width.has_masks();
    let high = width.registers() as u8 - 1;
    let memory = |d: i32| Operand::Memory(Address::at(Gpr::Rsi, d));
    let (v, m) = (Operand::Vector, Operand::Mask);
    if width.two_operands() {
        return match op {
            Vector::Move => vec![
                vec![v(3), v(high)],
                vec![v(high), memory(64)],
                vec![v(0), Operand::Memory(Address::constant(1))],
                vec![memory(-12345), v(9)],
                vec![Operand::Memory(Address::at(Gpr::Rsp, 64)), v(9)],
            ],
            Vector::Shl(_) | Vector::Shr(_) => vec![vec![v(0)], vec![v(high)]],
            _ => vec![vec![v(0), v(high)], vec![v(high), v(4)], vec![v(3), v(3)]],
        };
    }
    match op {
        Vector::ZeroUpper => vec![vec![]],
        Vector::Move => vec![
            vec![v(3), v(high)],
            vec![v(high), memory(64)],
            vec![v(0), memory(-12345)],
            vec![memory(128 * 64), v(9)],
            vec![Operand::Memory(Address::at(Gpr::Rsp, 64)), v(9)],
        ],
        Vector::MoveLowest => vec![
            vec![v(high), memory(64)],
            vec![v(0), Operand::Memory(Address::constant(1))],
            vec![memory(-8), v(9)],
            vec![memory(12345), v(high)],
        ],
        Vector::BitMatrix if wide => vec![vec![v(high), v(4), Operand::Broadcast(Address::constant(2))]],
        Vector::RijndaelMul => vec![vec![v(high), v(4), v(0)], vec![v(9), v(high), memory(64)]],
        Vector::Broadcast => vec![vec![v(high), Operand::Memory(Address::constant(1))]],
        Vector::MaskNot => vec![vec![m(1), m(7)]],
        Vector::MaskConstant => vec![vec![m(7), Operand::Memory(Address::constant(1))]],
        Vector::CopyLow | Vector::CopyHigh if wide => {
            vec![vec![v(high), v(4)], vec![Operand::Masked(2, 5), v(high)], vec![v(9), memory(64)]]
        }
        Vector::CopyLow | Vector::CopyHigh => vec![vec![v(high), v(4)], vec![v(9), memory(96)]],
        Vector::PermuteWords(_) => vec![vec![v(high), v(4)], vec![v(9), memory(96)]],
        Vector::MaskAnd | Vector::MaskOr | Vector::MaskXor | Vector::MaskAndNot => vec![vec![m(1), m(7), m(3)]],
        Vector::Shl(_) | Vector::Shr(_) | Vector::Sar(_) | Vector::Rol(_) if wide => {
            vec![vec![v(high), v(4)], vec![Operand::Masked(2, 5), v(high)]]
        }
        Vector::Shl(_) | Vector::Shr(_) | Vector::Sar(_) | Vector::Rol(_) => vec![vec![v(high), v(4)]],
        _ => {
            let last = if !op.takes_broadcast() || wide && bits == 8 {
                vec![v(high), memory(64), memory(100_000)]
            } else if wide {
                vec![v(high), memory(64), memory(100_000), Operand::Broadcast(Address::constant(2))]
            } else {
                vec![v(high), memory(96)]
            };
            let first = match op {
                Vector::Compare(_) => vec![m(2), m(7)],
                Vector::Blend => vec![Operand::Masked(high, 1)],
                _ if !op.takes_broadcast() => vec![v(0), v(high)],
                _ if wide => vec![v(0), v(high), Operand::Masked(17, 6)],
                _ => vec![v(0), v(high)],
            };
            first.iter().flat_map(|d| last.iter().map(|l| vec![*d, v(11), *l])).collect()
        }
    }
}
