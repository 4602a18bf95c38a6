//! From an opcode and the kinds of its operands to the encoder's code. What is not in these tables cannot be encoded.

use evariste_codegen::x86_64::{Condition, Opcode};
use iced_x86::Code;

/// The kind of an operand, with the size that its immediate needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Register,
    Memory,
    /// Fits 8 bits, sign-extended.
    Byte,
    /// Fits 32 bits, sign-extended (or the operand's size, where that is less).
    Half,
    /// Anything else.
    Full,
}

/// For each of add adc sub sbb and or xor cmp and for each size: r/m ← r, r ← r/m, r/m ← byte, r/m ← immediate.
const ARITHMETIC: [[[Code; 4]; 4]; 8] = [
    [
        [Code::Add_rm8_r8, Code::Add_r8_rm8, Code::Add_rm8_imm8, Code::Add_rm8_imm8],
        [Code::Add_rm16_r16, Code::Add_r16_rm16, Code::Add_rm16_imm8, Code::Add_rm16_imm16],
        [Code::Add_rm32_r32, Code::Add_r32_rm32, Code::Add_rm32_imm8, Code::Add_rm32_imm32],
        [Code::Add_rm64_r64, Code::Add_r64_rm64, Code::Add_rm64_imm8, Code::Add_rm64_imm32],
    ],
    [
        [Code::Adc_rm8_r8, Code::Adc_r8_rm8, Code::Adc_rm8_imm8, Code::Adc_rm8_imm8],
        [Code::Adc_rm16_r16, Code::Adc_r16_rm16, Code::Adc_rm16_imm8, Code::Adc_rm16_imm16],
        [Code::Adc_rm32_r32, Code::Adc_r32_rm32, Code::Adc_rm32_imm8, Code::Adc_rm32_imm32],
        [Code::Adc_rm64_r64, Code::Adc_r64_rm64, Code::Adc_rm64_imm8, Code::Adc_rm64_imm32],
    ],
    [
        [Code::Sub_rm8_r8, Code::Sub_r8_rm8, Code::Sub_rm8_imm8, Code::Sub_rm8_imm8],
        [Code::Sub_rm16_r16, Code::Sub_r16_rm16, Code::Sub_rm16_imm8, Code::Sub_rm16_imm16],
        [Code::Sub_rm32_r32, Code::Sub_r32_rm32, Code::Sub_rm32_imm8, Code::Sub_rm32_imm32],
        [Code::Sub_rm64_r64, Code::Sub_r64_rm64, Code::Sub_rm64_imm8, Code::Sub_rm64_imm32],
    ],
    [
        [Code::Sbb_rm8_r8, Code::Sbb_r8_rm8, Code::Sbb_rm8_imm8, Code::Sbb_rm8_imm8],
        [Code::Sbb_rm16_r16, Code::Sbb_r16_rm16, Code::Sbb_rm16_imm8, Code::Sbb_rm16_imm16],
        [Code::Sbb_rm32_r32, Code::Sbb_r32_rm32, Code::Sbb_rm32_imm8, Code::Sbb_rm32_imm32],
        [Code::Sbb_rm64_r64, Code::Sbb_r64_rm64, Code::Sbb_rm64_imm8, Code::Sbb_rm64_imm32],
    ],
    [
        [Code::And_rm8_r8, Code::And_r8_rm8, Code::And_rm8_imm8, Code::And_rm8_imm8],
        [Code::And_rm16_r16, Code::And_r16_rm16, Code::And_rm16_imm8, Code::And_rm16_imm16],
        [Code::And_rm32_r32, Code::And_r32_rm32, Code::And_rm32_imm8, Code::And_rm32_imm32],
        [Code::And_rm64_r64, Code::And_r64_rm64, Code::And_rm64_imm8, Code::And_rm64_imm32],
    ],
    [
        [Code::Or_rm8_r8, Code::Or_r8_rm8, Code::Or_rm8_imm8, Code::Or_rm8_imm8],
        [Code::Or_rm16_r16, Code::Or_r16_rm16, Code::Or_rm16_imm8, Code::Or_rm16_imm16],
        [Code::Or_rm32_r32, Code::Or_r32_rm32, Code::Or_rm32_imm8, Code::Or_rm32_imm32],
        [Code::Or_rm64_r64, Code::Or_r64_rm64, Code::Or_rm64_imm8, Code::Or_rm64_imm32],
    ],
    [
        [Code::Xor_rm8_r8, Code::Xor_r8_rm8, Code::Xor_rm8_imm8, Code::Xor_rm8_imm8],
        [Code::Xor_rm16_r16, Code::Xor_r16_rm16, Code::Xor_rm16_imm8, Code::Xor_rm16_imm16],
        [Code::Xor_rm32_r32, Code::Xor_r32_rm32, Code::Xor_rm32_imm8, Code::Xor_rm32_imm32],
        [Code::Xor_rm64_r64, Code::Xor_r64_rm64, Code::Xor_rm64_imm8, Code::Xor_rm64_imm32],
    ],
    [
        [Code::Cmp_rm8_r8, Code::Cmp_r8_rm8, Code::Cmp_rm8_imm8, Code::Cmp_rm8_imm8],
        [Code::Cmp_rm16_r16, Code::Cmp_r16_rm16, Code::Cmp_rm16_imm8, Code::Cmp_rm16_imm16],
        [Code::Cmp_rm32_r32, Code::Cmp_r32_rm32, Code::Cmp_rm32_imm8, Code::Cmp_rm32_imm32],
        [Code::Cmp_rm64_r64, Code::Cmp_r64_rm64, Code::Cmp_rm64_imm8, Code::Cmp_rm64_imm32],
    ],
];

/// Those eight and test, with an immediate on the accumulator, by size: a byte shorter, and what assemblers choose.
const ACCUMULATOR: [[Code; 4]; 9] = [
    [Code::Add_AL_imm8, Code::Add_AX_imm16, Code::Add_EAX_imm32, Code::Add_RAX_imm32],
    [Code::Adc_AL_imm8, Code::Adc_AX_imm16, Code::Adc_EAX_imm32, Code::Adc_RAX_imm32],
    [Code::Sub_AL_imm8, Code::Sub_AX_imm16, Code::Sub_EAX_imm32, Code::Sub_RAX_imm32],
    [Code::Sbb_AL_imm8, Code::Sbb_AX_imm16, Code::Sbb_EAX_imm32, Code::Sbb_RAX_imm32],
    [Code::And_AL_imm8, Code::And_AX_imm16, Code::And_EAX_imm32, Code::And_RAX_imm32],
    [Code::Or_AL_imm8, Code::Or_AX_imm16, Code::Or_EAX_imm32, Code::Or_RAX_imm32],
    [Code::Xor_AL_imm8, Code::Xor_AX_imm16, Code::Xor_EAX_imm32, Code::Xor_RAX_imm32],
    [Code::Cmp_AL_imm8, Code::Cmp_AX_imm16, Code::Cmp_EAX_imm32, Code::Cmp_RAX_imm32],
    [Code::Test_AL_imm8, Code::Test_AX_imm16, Code::Test_EAX_imm32, Code::Test_RAX_imm32],
];

/// neg, not, mul on 8, 16, 32, 64 bits.
const UNARY: [[Code; 4]; 3] = [
    [Code::Neg_rm8, Code::Neg_rm16, Code::Neg_rm32, Code::Neg_rm64],
    [Code::Not_rm8, Code::Not_rm16, Code::Not_rm32, Code::Not_rm64],
    [Code::Mul_rm8, Code::Mul_rm16, Code::Mul_rm32, Code::Mul_rm64],
];

/// shl, shr, sar, rol by a constant, on 8, 16, 32, 64 bits.
const SHIFT: [[Code; 4]; 4] = [
    [Code::Shl_rm8_imm8, Code::Shl_rm16_imm8, Code::Shl_rm32_imm8, Code::Shl_rm64_imm8],
    [Code::Shr_rm8_imm8, Code::Shr_rm16_imm8, Code::Shr_rm32_imm8, Code::Shr_rm64_imm8],
    [Code::Sar_rm8_imm8, Code::Sar_rm16_imm8, Code::Sar_rm32_imm8, Code::Sar_rm64_imm8],
    [Code::Rol_rm8_imm8, Code::Rol_rm16_imm8, Code::Rol_rm32_imm8, Code::Rol_rm64_imm8],
];

/// shl, shr, sar, rol by one: a byte shorter than by an immediate.
const SHIFT_BY_ONE: [[Code; 4]; 4] = [
    [Code::Shl_rm8_1, Code::Shl_rm16_1, Code::Shl_rm32_1, Code::Shl_rm64_1],
    [Code::Shr_rm8_1, Code::Shr_rm16_1, Code::Shr_rm32_1, Code::Shr_rm64_1],
    [Code::Sar_rm8_1, Code::Sar_rm16_1, Code::Sar_rm32_1, Code::Sar_rm64_1],
    [Code::Rol_rm8_1, Code::Rol_rm16_1, Code::Rol_rm32_1, Code::Rol_rm64_1],
];

/// The form without a general operand, where there is one: of an instruction on the accumulator with an immediate that
/// needs more than a byte (or has one byte in all), and of a shift by one.
pub(crate) fn short(op: Opcode, bits: u8, kinds: &[Kind], accumulator: bool, immediate: Option<i64>) -> Option<Code> {
    let size = [8, 16, 32, 64].iter().position(|n| *n == bits)?;
    let shift = [Opcode::Shl, Opcode::Shr, Opcode::Sar, Opcode::Rol].iter().position(|o| *o == op);
    if let (Some(shift), Some(1)) = (shift, immediate) {
        return Some(SHIFT_BY_ONE[shift][size]);
    }
    let family = if op == Opcode::Test { 8 } else { arithmetic(op)? };
    let long = bits == 8 || op == Opcode::Test || kinds.get(1) == Some(&Kind::Half);
    (accumulator && long && immediate.is_some() && kinds.len() == 2).then(|| ACCUMULATOR[family][size])
}

fn arithmetic(op: Opcode) -> Option<usize> {
    use Opcode::*;
    [Add, Adc, Sub, Sbb, And, Or, Xor, Cmp].iter().position(|o| *o == op)
}

/// The code of an instruction that is no branch and no label; `None` when there is no such form.
pub(crate) fn code(op: Opcode, bits: u8, kinds: &[Kind]) -> Option<Code> {
    use Kind::*;
    let size = [8, 16, 32, 64].iter().position(|n| *n == bits)?;
    if let Some(family) = arithmetic(op) {
        let forms = &ARITHMETIC[family][size];
        return match kinds {
            [Register | Memory, Register] => Some(forms[0]),
            [Register, Memory] => Some(forms[1]),
            [Register | Memory, Byte] => Some(forms[2]),
            [Register | Memory, Half] => Some(forms[3]),
            _ => None,
        };
    }
    let wide = bits == 64;
    Some(match (op, kinds) {
        (Opcode::Neg, [Register | Memory]) => UNARY[0][size],
        (Opcode::Not, [Register | Memory]) => UNARY[1][size],
        (Opcode::Mul, [Register | Memory]) if bits >= 32 => UNARY[2][size],
        (Opcode::Shl, [Register | Memory, Byte | Half]) => SHIFT[0][size],
        (Opcode::Shr, [Register | Memory, Byte | Half]) => SHIFT[1][size],
        (Opcode::Sar, [Register | Memory, Byte | Half]) => SHIFT[2][size],
        (Opcode::Rol, [Register | Memory, Byte | Half]) => SHIFT[3][size],
        (Opcode::Mov, [Register | Memory, Register]) => {
            [Code::Mov_rm8_r8, Code::Mov_rm16_r16, Code::Mov_rm32_r32, Code::Mov_rm64_r64][size]
        }
        (Opcode::Mov, [Register, Memory]) => {
            [Code::Mov_r8_rm8, Code::Mov_r16_rm16, Code::Mov_r32_rm32, Code::Mov_r64_rm64][size]
        }
        (Opcode::Mov, [Memory, Byte | Half]) => {
            [Code::Mov_rm8_imm8, Code::Mov_rm16_imm16, Code::Mov_rm32_imm32, Code::Mov_rm64_imm32][size]
        }
        (Opcode::Mov, [Register, Byte | Half]) => {
            [Code::Mov_r8_imm8, Code::Mov_r16_imm16, Code::Mov_r32_imm32, Code::Mov_rm64_imm32][size]
        }
        (Opcode::Mov, [Register, Full]) if wide => Code::Mov_r64_imm64,
        (Opcode::MovZeroExtend, [Register, Register | Memory]) if !wide => {
            [Code::Movzx_r32_rm8, Code::Movzx_r32_rm16, Code::Mov_r32_rm32][size]
        }
        (Opcode::Lea, [Register, Memory]) if wide => Code::Lea_r64_m,
        (Opcode::Adcx, [Register, Register | Memory]) if wide => Code::Adcx_r64_rm64,
        (Opcode::Adox, [Register, Register | Memory]) if wide => Code::Adox_r64_rm64,
        (Opcode::Andn, [Register, Register, Register | Memory]) if wide => Code::VEX_Andn_r64_r64_rm64,
        (Opcode::Test, [Register | Memory, Register]) => {
            [Code::Test_rm8_r8, Code::Test_rm16_r16, Code::Test_rm32_r32, Code::Test_rm64_r64][size]
        }
        (Opcode::Test, [Register | Memory, Byte | Half]) => {
            [Code::Test_rm8_imm8, Code::Test_rm16_imm16, Code::Test_rm32_imm32, Code::Test_rm64_imm32][size]
        }
        (Opcode::BitTest, [Register | Memory, Byte | Half]) if wide => Code::Bt_rm64_imm8,
        (Opcode::BitTest, [Register | Memory, Byte | Half]) if bits == 32 => Code::Bt_rm32_imm8,
        (Opcode::Imul, [Register, Register | Memory]) if wide => Code::Imul_r64_rm64,
        (Opcode::Imul, [Register, Register | Memory]) if bits == 32 => Code::Imul_r32_rm32,
        (Opcode::Imul, [Register, Register | Memory, Byte]) if wide => Code::Imul_r64_rm64_imm8,
        (Opcode::Imul, [Register, Register | Memory, Half]) if wide => Code::Imul_r64_rm64_imm32,
        (Opcode::Imul, [Register, Register | Memory, Byte]) if bits == 32 => Code::Imul_r32_rm32_imm8,
        (Opcode::Imul, [Register, Register | Memory, Half]) if bits == 32 => Code::Imul_r32_rm32_imm32,
        (Opcode::Mulx, [Register, Register, Register | Memory]) if wide => Code::VEX_Mulx_r64_r64_rm64,
        (Opcode::Shld, [Register | Memory, Register, Byte | Half]) if wide => Code::Shld_rm64_r64_imm8,
        (Opcode::Shrd, [Register | Memory, Register, Byte | Half]) if wide => Code::Shrd_rm64_r64_imm8,
        (Opcode::Rorx, [Register, Register | Memory, Byte | Half]) if wide => Code::VEX_Rorx_r64_rm64_imm8,
        (Opcode::Shlx, [Register, Register | Memory, Register]) if wide => Code::VEX_Shlx_r64_rm64_r64,
        (Opcode::Shrx, [Register, Register | Memory, Register]) if wide => Code::VEX_Shrx_r64_rm64_r64,
        (Opcode::Set(condition), [Register | Memory]) if bits == 8 => {
            [Code::Setb_rm8, Code::Setae_rm8, Code::Seto_rm8, Code::Setno_rm8, Code::Sete_rm8, Code::Setne_rm8]
                [position(condition)]
        }
        (Opcode::Cmov(condition), [Register, Register | Memory]) if wide => [
            Code::Cmovb_r64_rm64,
            Code::Cmovae_r64_rm64,
            Code::Cmovo_r64_rm64,
            Code::Cmovno_r64_rm64,
            Code::Cmove_r64_rm64,
            Code::Cmovne_r64_rm64,
        ][position(condition)],
        (Opcode::ClearCarry, []) => Code::Clc,
        (Opcode::SetCarry, []) => Code::Stc,
        (Opcode::Push, [Register]) if wide => Code::Push_r64,
        (Opcode::Pop, [Register]) if wide => Code::Pop_r64,
        (Opcode::Return, []) => Code::Retnq,
        (Opcode::EndBranch, []) => Code::Endbr64,
        _ => return None,
    })
}

/// The short (8-bit distance, if there is one) and the near form of a branch.
pub(crate) fn branch(op: Opcode) -> Option<(Option<Code>, Code)> {
    const SHORT: [Code; 6] =
        [Code::Jb_rel8_64, Code::Jae_rel8_64, Code::Jo_rel8_64, Code::Jno_rel8_64, Code::Je_rel8_64, Code::Jne_rel8_64];
    const NEAR: [Code; 6] = [
        Code::Jb_rel32_64,
        Code::Jae_rel32_64,
        Code::Jo_rel32_64,
        Code::Jno_rel32_64,
        Code::Je_rel32_64,
        Code::Jne_rel32_64,
    ];
    match op {
        Opcode::Jump => Some((Some(Code::Jmp_rel8_64), Code::Jmp_rel32_64)),
        Opcode::JumpIf(condition) => Some((Some(SHORT[position(condition)]), NEAR[position(condition)])),
        Opcode::Call => Some((None, Code::Call_rel32_64)),
        _ => None,
    }
}

/// The conditions' order in the tables above.
fn position(condition: Condition) -> usize {
    use Condition::*;
    match condition {
        Carry => 0,
        NotCarry => 1,
        Overflow => 2,
        NotOverflow => 3,
        Zero => 4,
        NotZero => 5,
    }
}
