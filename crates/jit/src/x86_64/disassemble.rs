//! Code as text, read back by the decoder, and the list of instructions that constant-time code may consist of.

use iced_x86::{Decoder, DecoderOptions, Formatter, Instruction, IntelFormatter, Mnemonic, OpKind};

use crate::code::{Code, NotConstantTime, TimingClass};

/// The instructions of some code with their offsets.
fn decode(code: &Code) -> impl Iterator<Item = Instruction> {
    let mut decoder = Decoder::with_ip(64, &code.bytes[..code.code_len], 0, DecoderOptions::NONE);
    std::iter::from_fn(move || decoder.can_decode().then(|| decoder.decode()))
}

/// One instruction a line: offset, bytes, Intel's syntax. Then the constants.
pub fn disassemble(code: &Code) -> String {
    let mut formatter = IntelFormatter::new();
    formatter.options_mut().set_rip_relative_addresses(true);
    let mut text = String::new();
    for instruction in decode(code) {
        let at = instruction.ip() as usize;
        let bytes: String = code.bytes[at..at + instruction.len()].iter().map(|b| format!("{b:02x}")).collect();
        text += &format!("{at:5x}  {bytes:<22} ");
        formatter.format(&instruction, &mut text);
        text.push('\n');
    }
    for (i, constant) in code.bytes[code.constants_at..].as_chunks::<8>().0.iter().enumerate() {
        text += &format!("{:5x}  .quad {:#018x}\n", code.constants_at + 8 * i, u64::from_le_bytes(*constant));
    }
    text
}

/// Instructions whose time does not depend on the values of their operands: a part of Intel's list "Data Operand
/// Independent Timing Instructions", edition of 23 February 2026 (that of early 2024 lacks `rol`, `rorx`, `shld` and
/// `shrd`). General registers only; shifts by a constant or by `shlx` and `shrx`. Not on Intel's list, and so not here:
/// division, `sarx`, `cmc`, `rcl`, `rcr`, `bsf`, `bsr`, `lzcnt`, `tzcnt`, `popcnt`, `pdep`, `pext`, `xchg`. Shifts by
/// `cl` are refused beside: nothing here needs them.
const DATA_INDEPENDENT: &[Mnemonic] = &[
    Mnemonic::Adc,
    Mnemonic::Adcx,
    Mnemonic::Add,
    Mnemonic::Adox,
    Mnemonic::And,
    Mnemonic::Andn,
    Mnemonic::Bt,
    Mnemonic::Cmovae,
    Mnemonic::Cmovb,
    Mnemonic::Cmove,
    Mnemonic::Cmovne,
    Mnemonic::Cmovno,
    Mnemonic::Cmovo,
    Mnemonic::Cmp,
    Mnemonic::Imul,
    Mnemonic::Lea,
    Mnemonic::Mov,
    Mnemonic::Movzx,
    Mnemonic::Mul,
    Mnemonic::Mulx,
    Mnemonic::Neg,
    Mnemonic::Not,
    Mnemonic::Or,
    Mnemonic::Pop,
    Mnemonic::Push,
    Mnemonic::Rol,
    Mnemonic::Rorx,
    Mnemonic::Sar,
    Mnemonic::Sbb,
    Mnemonic::Setae,
    Mnemonic::Setb,
    Mnemonic::Sete,
    Mnemonic::Setne,
    Mnemonic::Setno,
    Mnemonic::Seto,
    Mnemonic::Shl,
    Mnemonic::Shld,
    Mnemonic::Shlx,
    Mnemonic::Shr,
    Mnemonic::Shrd,
    Mnemonic::Shrx,
    Mnemonic::Sub,
    Mnemonic::Test,
    Mnemonic::Xor,
];

/// Vector instructions whose time does not depend on data: moves, sums, logic, shifts by a constant, products, comparisons into masks.
const VECTORS: &[Mnemonic] = &[
    Mnemonic::Kandnw,
    Mnemonic::Kandw,
    Mnemonic::Kmovw,
    Mnemonic::Knotw,
    Mnemonic::Korw,
    Mnemonic::Kxorw,
    Mnemonic::Movdqu,
    Mnemonic::Paddq,
    Mnemonic::Pand,
    Mnemonic::Pandn,
    Mnemonic::Pmuludq,
    Mnemonic::Por,
    Mnemonic::Psllq,
    Mnemonic::Psrlq,
    Mnemonic::Psubq,
    Mnemonic::Pxor,
    Mnemonic::Vgf2p8affineqb,
    Mnemonic::Vgf2p8mulb,
    Mnemonic::Vmovdqu,
    Mnemonic::Vmovdqu64,
    Mnemonic::Vmovq,
    Mnemonic::Vmovshdup,
    Mnemonic::Vmovsldup,
    Mnemonic::Vpaddd,
    Mnemonic::Vpaddq,
    Mnemonic::Vpand,
    Mnemonic::Vpandd,
    Mnemonic::Vpandn,
    Mnemonic::Vpandnd,
    Mnemonic::Vpandnq,
    Mnemonic::Vpandq,
    Mnemonic::Vpblendd,
    Mnemonic::Vpblendmb,
    Mnemonic::Vpblendmd,
    Mnemonic::Vpblendmq,
    Mnemonic::Vpbroadcastb,
    Mnemonic::Vpbroadcastd,
    Mnemonic::Vpbroadcastq,
    Mnemonic::Vpclmulqdq,
    Mnemonic::Vpcmpub,
    Mnemonic::Vpcmpud,
    Mnemonic::Vpcmpuq,
    Mnemonic::Vpermd,
    Mnemonic::Vpermi2d,
    Mnemonic::Vpermi2w,
    Mnemonic::Vpermq,
    Mnemonic::Vpmadd52huq,
    Mnemonic::Vpmadd52luq,
    Mnemonic::Vpmulld,
    Mnemonic::Vpmullq,
    Mnemonic::Vpmuludq,
    Mnemonic::Vpcmpgtd,
    Mnemonic::Vpcmpgtq,
    Mnemonic::Vpminud,
    Mnemonic::Vpor,
    Mnemonic::Vpord,
    Mnemonic::Vporq,
    Mnemonic::Vprold,
    Mnemonic::Vprolq,
    Mnemonic::Vpshrdd,
    Mnemonic::Vpshrdq,
    Mnemonic::Vpslld,
    Mnemonic::Vpsllq,
    Mnemonic::Vpsrad,
    Mnemonic::Vpsraq,
    Mnemonic::Vpsrld,
    Mnemonic::Vpsrlq,
    Mnemonic::Vpsubd,
    Mnemonic::Vpsubq,
    Mnemonic::Vpternlogd,
    Mnemonic::Vpternlogq,
    Mnemonic::Vpunpckhqdq,
    Mnemonic::Vpunpcklqdq,
    Mnemonic::Vpxor,
    Mnemonic::Vpxord,
    Mnemonic::Vpxorq,
];

/// Arithmetic on doubles, on no list of Intel's: its time is known to depend on operands where these or the result are
/// subnormal (or not finite), and on nothing else where they are normal or 0, by every published measurement. Kernels
/// have no others: the proof shows that each double is an integer of its format.
const DOUBLES: &[Mnemonic] = &[Mnemonic::Vaddpd, Mnemonic::Vfmadd231pd, Mnemonic::Vmulpd, Mnemonic::Vsubpd];

/// Instructions without operands, which are on no list: they have nothing to depend on.
const WITHOUT_OPERANDS: &[Mnemonic] = &[Mnemonic::Clc, Mnemonic::Stc, Mnemonic::Vzeroupper];

/// Shifts whose amount must be written in the instruction.
const BY_CONSTANT: &[Mnemonic] =
    &[Mnemonic::Rol, Mnemonic::Sar, Mnemonic::Shl, Mnemonic::Shld, Mnemonic::Shr, Mnemonic::Shrd];

/// Vector shifts whose amount must be written in the instruction.
const VECTOR_SHIFTS: &[Mnemonic] = &[
    Mnemonic::Psllq,
    Mnemonic::Psrlq,
    Mnemonic::Vpslld,
    Mnemonic::Vpsllq,
    Mnemonic::Vpsrad,
    Mnemonic::Vpsraq,
    Mnemonic::Vpsrld,
    Mnemonic::Vpsrlq,
];

/// Where control goes. Calls, returns and jumps take no data; conditional jumps are for loop counters: that the counter
/// is no secret is shown by the checker (every condition is a constant), not by this list. By zero only: counters end
/// at 0.
const CONTROL: &[Mnemonic] =
    &[Mnemonic::Call, Mnemonic::Endbr64, Mnemonic::Je, Mnemonic::Jmp, Mnemonic::Jne, Mnemonic::Ret];

/// Judges every instruction by the allow-list. Jumps on zero pass.
///
/// # Errors
/// The first instruction that is not in it.
pub fn constant_time(code: &Code) -> Result<TimingClass, NotConstantTime> {
    let mut class = TimingClass::default();
    for instruction in decode(code) {
        let mnemonic = instruction.mnemonic();
        let by_register = BY_CONSTANT.contains(&mnemonic)
            && instruction.op_kind(instruction.op_count().saturating_sub(1)) != OpKind::Immediate8;
        let by_vector = VECTOR_SHIFTS.contains(&mnemonic)
            && instruction.op_kind(instruction.op_count().saturating_sub(1)) != OpKind::Immediate8;
        let independent =
            DATA_INDEPENDENT.contains(&mnemonic) && !by_register || VECTORS.contains(&mnemonic) && !by_vector;
        if instruction.is_invalid()
            || !(independent
                || DOUBLES.contains(&mnemonic)
                || WITHOUT_OPERANDS.contains(&mnemonic)
                || CONTROL.contains(&mnemonic))
        {
            let mut text = String::new();
            IntelFormatter::new().format(&instruction, &mut text);
            return Err(NotConstantTime {
                program: code.name.clone(),
                offset: instruction.ip() as usize,
                instruction: text,
            });
        }
        class.instructions += 1;
        class.independent += usize::from(independent);
        class.doubles += usize::from(DOUBLES.contains(&mnemonic));
        class.conditional_jumps += usize::from(matches!(mnemonic, Mnemonic::Je | Mnemonic::Jne));
    }
    Ok(class)
}
