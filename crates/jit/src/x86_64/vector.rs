//! Vector instructions: from an opcode to the encoder's code, and the operands that only they have.

use evariste_codegen::x86_64::{Inst, Operand, Program, Vector, Width};
use iced_x86::{Code, Instruction, OpKind, Register};

use super::encode::{BadAddress, memory, no_form};
use crate::error::EncodeError;

/// The encoder's code; what is not in this table cannot be encoded. `to_memory`: a store.
fn code(op: Vector, bits: u8, width: Width, to_memory: bool) -> Option<Code> {
    let quad = bits == 64;
    let pick = |q: Code, d: Code| Some(if quad { q } else { d });
    match (op, width) {
        (Vector::ZeroUpper, _) if bits != 8 => Some(Code::VEX_Vzeroupper),
        (Vector::Broadcast, _) if bits == 8 => Some(match width {
            Width::X => Code::VEX_Vpbroadcastb_xmm_xmmm8,
            Width::Y => Code::VEX_Vpbroadcastb_ymm_xmmm8,
            Width::Z => Code::EVEX_Vpbroadcastb_zmm_k1z_xmmm8,
        }),
        (Vector::RijndaelMul, _) if bits == 8 => Some(match width {
            Width::X => Code::VEX_Vgf2p8mulb_xmm_xmm_xmmm128,
            Width::Y => Code::VEX_Vgf2p8mulb_ymm_ymm_ymmm256,
            Width::Z => Code::EVEX_Vgf2p8mulb_zmm_k1z_zmm_zmmm512,
        }),
        (Vector::BitMatrix, Width::Z) if bits == 8 => Some(Code::EVEX_Vgf2p8affineqb_zmm_k1z_zmm_zmmm512b64_imm8),
        (Vector::Compare(_), Width::Z) if bits == 8 => Some(Code::EVEX_Vpcmpub_kr_k1_zmm_zmmm512_imm8),
        (Vector::Blend, Width::Z) if bits == 8 => Some(Code::EVEX_Vpblendmb_zmm_k1z_zmm_zmmm512),
        (_, _) if bits == 8 => None,
        (Vector::Move, Width::Z) => {
            Some(if to_memory { Code::EVEX_Vmovdqu64_zmmm512_k1z_zmm } else { Code::EVEX_Vmovdqu64_zmm_k1z_zmmm512 })
        }
        (Vector::MoveLowest, Width::X) if quad => {
            Some(if to_memory { Code::VEX_Vmovq_xmmm64_xmm } else { Code::VEX_Vmovq_xmm_xmmm64 })
        }
        (Vector::Move, Width::Y) => {
            Some(if to_memory { Code::VEX_Vmovdqu_ymmm256_ymm } else { Code::VEX_Vmovdqu_ymm_ymmm256 })
        }
        (Vector::Move, Width::X) => {
            Some(if to_memory { Code::VEX_Vmovdqu_xmmm128_xmm } else { Code::VEX_Vmovdqu_xmm_xmmm128 })
        }
        (Vector::Broadcast, Width::Z) => {
            pick(Code::EVEX_Vpbroadcastq_zmm_k1z_xmmm64, Code::EVEX_Vpbroadcastd_zmm_k1z_xmmm32)
        }
        (Vector::Broadcast, Width::Y) => pick(Code::VEX_Vpbroadcastq_ymm_xmmm64, Code::VEX_Vpbroadcastd_ymm_xmmm32),
        (Vector::Broadcast, Width::X) => pick(Code::VEX_Vpbroadcastq_xmm_xmmm64, Code::VEX_Vpbroadcastd_xmm_xmmm32),
        (Vector::Add, Width::Z) => {
            pick(Code::EVEX_Vpaddq_zmm_k1z_zmm_zmmm512b64, Code::EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32)
        }
        (Vector::Add, Width::Y) => pick(Code::VEX_Vpaddq_ymm_ymm_ymmm256, Code::VEX_Vpaddd_ymm_ymm_ymmm256),
        (Vector::Add, Width::X) => pick(Code::VEX_Vpaddq_xmm_xmm_xmmm128, Code::VEX_Vpaddd_xmm_xmm_xmmm128),
        (Vector::Sub, Width::Z) => {
            pick(Code::EVEX_Vpsubq_zmm_k1z_zmm_zmmm512b64, Code::EVEX_Vpsubd_zmm_k1z_zmm_zmmm512b32)
        }
        (Vector::Sub, Width::Y) => pick(Code::VEX_Vpsubq_ymm_ymm_ymmm256, Code::VEX_Vpsubd_ymm_ymm_ymmm256),
        (Vector::Sub, Width::X) => pick(Code::VEX_Vpsubq_xmm_xmm_xmmm128, Code::VEX_Vpsubd_xmm_xmm_xmmm128),
        (Vector::And, Width::Z) => {
            pick(Code::EVEX_Vpandq_zmm_k1z_zmm_zmmm512b64, Code::EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32)
        }
        (Vector::And, Width::Y) => Some(Code::VEX_Vpand_ymm_ymm_ymmm256),
        (Vector::And, Width::X) => Some(Code::VEX_Vpand_xmm_xmm_xmmm128),
        (Vector::Or, Width::Z) => {
            pick(Code::EVEX_Vporq_zmm_k1z_zmm_zmmm512b64, Code::EVEX_Vpord_zmm_k1z_zmm_zmmm512b32)
        }
        (Vector::Or, Width::Y) => Some(Code::VEX_Vpor_ymm_ymm_ymmm256),
        (Vector::Or, Width::X) => Some(Code::VEX_Vpor_xmm_xmm_xmmm128),
        (Vector::Xor, Width::Z) => {
            pick(Code::EVEX_Vpxorq_zmm_k1z_zmm_zmmm512b64, Code::EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32)
        }
        (Vector::Xor, Width::Y) => Some(Code::VEX_Vpxor_ymm_ymm_ymmm256),
        (Vector::Xor, Width::X) => Some(Code::VEX_Vpxor_xmm_xmm_xmmm128),
        (Vector::AndNot, Width::Z) => {
            pick(Code::EVEX_Vpandnq_zmm_k1z_zmm_zmmm512b64, Code::EVEX_Vpandnd_zmm_k1z_zmm_zmmm512b32)
        }
        (Vector::AndNot, Width::Y) => Some(Code::VEX_Vpandn_ymm_ymm_ymmm256),
        (Vector::AndNot, Width::X) => Some(Code::VEX_Vpandn_xmm_xmm_xmmm128),
        (Vector::Ternary(_), Width::Z) => {
            pick(Code::EVEX_Vpternlogq_zmm_k1z_zmm_zmmm512b64_imm8, Code::EVEX_Vpternlogd_zmm_k1z_zmm_zmmm512b32_imm8)
        }
        (Vector::Shl(_), Width::Z) => {
            pick(Code::EVEX_Vpsllq_zmm_k1z_zmmm512b64_imm8, Code::EVEX_Vpslld_zmm_k1z_zmmm512b32_imm8)
        }
        (Vector::Shl(_), Width::Y) => pick(Code::VEX_Vpsllq_ymm_ymm_imm8, Code::VEX_Vpslld_ymm_ymm_imm8),
        (Vector::Shl(_), Width::X) => pick(Code::VEX_Vpsllq_xmm_xmm_imm8, Code::VEX_Vpslld_xmm_xmm_imm8),
        (Vector::Shr(_), Width::Z) => {
            pick(Code::EVEX_Vpsrlq_zmm_k1z_zmmm512b64_imm8, Code::EVEX_Vpsrld_zmm_k1z_zmmm512b32_imm8)
        }
        (Vector::Shr(_), Width::Y) => pick(Code::VEX_Vpsrlq_ymm_ymm_imm8, Code::VEX_Vpsrld_ymm_ymm_imm8),
        (Vector::Shr(_), Width::X) => pick(Code::VEX_Vpsrlq_xmm_xmm_imm8, Code::VEX_Vpsrld_xmm_xmm_imm8),
        (Vector::Sar(_), Width::Z) => {
            pick(Code::EVEX_Vpsraq_zmm_k1z_zmmm512b64_imm8, Code::EVEX_Vpsrad_zmm_k1z_zmmm512b32_imm8)
        }
        (Vector::Sar(_), Width::Y) if !quad => Some(Code::VEX_Vpsrad_ymm_ymm_imm8),
        (Vector::Sar(_), Width::X) if !quad => Some(Code::VEX_Vpsrad_xmm_xmm_imm8),
        (Vector::Rol(_), Width::Z) => {
            pick(Code::EVEX_Vprolq_zmm_k1z_zmmm512b64_imm8, Code::EVEX_Vprold_zmm_k1z_zmmm512b32_imm8)
        }
        (Vector::Funnel(_), Width::Z) => {
            pick(Code::EVEX_Vpshrdq_zmm_k1z_zmm_zmmm512b64_imm8, Code::EVEX_Vpshrdd_zmm_k1z_zmm_zmmm512b32_imm8)
        }
        (Vector::MulHalf, Width::Z) if quad => Some(Code::EVEX_Vpmuludq_zmm_k1z_zmm_zmmm512b64),
        (Vector::MulHalf, Width::Y) if quad => Some(Code::VEX_Vpmuludq_ymm_ymm_ymmm256),
        (Vector::MulHalf, Width::X) if quad => Some(Code::VEX_Vpmuludq_xmm_xmm_xmmm128),
        (Vector::CopyLow, Width::Z) if !quad => Some(Code::EVEX_Vmovsldup_zmm_k1z_zmmm512),
        (Vector::CopyLow, Width::Y) if !quad => Some(Code::VEX_Vmovsldup_ymm_ymmm256),
        (Vector::CopyLow, Width::X) if !quad => Some(Code::VEX_Vmovsldup_xmm_xmmm128),
        (Vector::CopyHigh, Width::Z) if !quad => Some(Code::EVEX_Vmovshdup_zmm_k1z_zmmm512),
        (Vector::CopyHigh, Width::Y) if !quad => Some(Code::VEX_Vmovshdup_ymm_ymmm256),
        (Vector::CopyHigh, Width::X) if !quad => Some(Code::VEX_Vmovshdup_xmm_xmmm128),
        (Vector::BlendHalves(_), Width::Y) if !quad => Some(Code::VEX_Vpblendd_ymm_ymm_ymmm256_imm8),
        (Vector::BlendHalves(_), Width::X) if !quad => Some(Code::VEX_Vpblendd_xmm_xmm_xmmm128_imm8),
        (Vector::MaddLow, Width::Z) if quad => Some(Code::EVEX_Vpmadd52luq_zmm_k1z_zmm_zmmm512b64),
        (Vector::MaddHigh, Width::Z) if quad => Some(Code::EVEX_Vpmadd52huq_zmm_k1z_zmm_zmmm512b64),
        (Vector::FloatAdd, Width::Z) if quad => Some(Code::EVEX_Vaddpd_zmm_k1z_zmm_zmmm512b64_er),
        (Vector::FloatAdd, Width::Y) if quad => Some(Code::VEX_Vaddpd_ymm_ymm_ymmm256),
        (Vector::FloatAdd, Width::X) if quad => Some(Code::VEX_Vaddpd_xmm_xmm_xmmm128),
        (Vector::FloatSub, Width::Z) if quad => Some(Code::EVEX_Vsubpd_zmm_k1z_zmm_zmmm512b64_er),
        (Vector::FloatSub, Width::Y) if quad => Some(Code::VEX_Vsubpd_ymm_ymm_ymmm256),
        (Vector::FloatSub, Width::X) if quad => Some(Code::VEX_Vsubpd_xmm_xmm_xmmm128),
        (Vector::FloatMul, Width::Z) if quad => Some(Code::EVEX_Vmulpd_zmm_k1z_zmm_zmmm512b64_er),
        (Vector::FloatMul, Width::Y) if quad => Some(Code::VEX_Vmulpd_ymm_ymm_ymmm256),
        (Vector::FloatMul, Width::X) if quad => Some(Code::VEX_Vmulpd_xmm_xmm_xmmm128),
        (Vector::FloatFma, Width::Z) if quad => Some(Code::EVEX_Vfmadd231pd_zmm_k1z_zmm_zmmm512b64_er),
        (Vector::FloatFma, Width::Y) if quad => Some(Code::VEX_Vfmadd231pd_ymm_ymm_ymmm256),
        (Vector::FloatFma, Width::X) if quad => Some(Code::VEX_Vfmadd231pd_xmm_xmm_xmmm128),
        (Vector::MulLow, Width::Z) => {
            pick(Code::EVEX_Vpmullq_zmm_k1z_zmm_zmmm512b64, Code::EVEX_Vpmulld_zmm_k1z_zmm_zmmm512b32)
        }
        (Vector::MulLow, Width::Y) if !quad => Some(Code::VEX_Vpmulld_ymm_ymm_ymmm256),
        (Vector::MulLow, Width::X) if !quad => Some(Code::VEX_Vpmulld_xmm_xmm_xmmm128),
        (Vector::ClmulEven | Vector::ClmulOdd, Width::Z) if quad => Some(Code::EVEX_Vpclmulqdq_zmm_zmm_zmmm512_imm8),
        (Vector::ClmulEven | Vector::ClmulOdd, Width::Y) if quad => Some(Code::VEX_Vpclmulqdq_ymm_ymm_ymmm256_imm8),
        (Vector::ClmulEven | Vector::ClmulOdd, Width::X) if quad => Some(Code::VEX_Vpclmulqdq_xmm_xmm_xmmm128_imm8),
        (Vector::UnpackEven, Width::Y) if quad => Some(Code::VEX_Vpunpcklqdq_ymm_ymm_ymmm256),
        (Vector::UnpackEven, Width::X) if quad => Some(Code::VEX_Vpunpcklqdq_xmm_xmm_xmmm128),
        (Vector::UnpackOdd, Width::Y) if quad => Some(Code::VEX_Vpunpckhqdq_ymm_ymm_ymmm256),
        (Vector::UnpackOdd, Width::X) if quad => Some(Code::VEX_Vpunpckhqdq_xmm_xmm_xmmm128),
        (Vector::UnpackEven, Width::Z) if quad => Some(Code::EVEX_Vpunpcklqdq_zmm_k1z_zmm_zmmm512b64),
        (Vector::UnpackOdd, Width::Z) if quad => Some(Code::EVEX_Vpunpckhqdq_zmm_k1z_zmm_zmmm512b64),
        (Vector::Greater, Width::Y) if quad => Some(Code::VEX_Vpcmpgtq_ymm_ymm_ymmm256),
        (Vector::Greater, Width::X) if quad => Some(Code::VEX_Vpcmpgtq_xmm_xmm_xmmm128),
        (Vector::Compare(_), Width::Z) => {
            pick(Code::EVEX_Vpcmpuq_kr_k1_zmm_zmmm512b64_imm8, Code::EVEX_Vpcmpud_kr_k1_zmm_zmmm512b32_imm8)
        }
        (Vector::Blend, Width::Z) => {
            pick(Code::EVEX_Vpblendmq_zmm_k1z_zmm_zmmm512b64, Code::EVEX_Vpblendmd_zmm_k1z_zmm_zmmm512b32)
        }
        (Vector::MaskAnd, Width::Z) => Some(Code::VEX_Kandw_kr_kr_kr),
        (Vector::MaskOr, Width::Z) => Some(Code::VEX_Korw_kr_kr_kr),
        (Vector::MaskXor, Width::Z) => Some(Code::VEX_Kxorw_kr_kr_kr),
        (Vector::MaskAndNot, Width::Z) => Some(Code::VEX_Kandnw_kr_kr_kr),
        (Vector::MaskConstant, Width::Z) => Some(Code::VEX_Kmovw_kr_km16),
        (Vector::MaskNot, Width::Z) => Some(Code::VEX_Knotw_kr_kr),
        _ => None,
    }
}

/// The encoder's form of a vector instruction, and how far into the constants its address points.
pub(crate) fn instruction(
    program: &Program,
    at: usize,
    inst: &Inst,
    op: Vector,
    width: Width,
) -> Result<(Instruction, Option<i32>), EncodeError> {
    let refused = |reason: &str| EncodeError::Refused { at, inst: format!("{inst:?}"), reason: reason.to_string() };
    let to_memory = matches!(inst.operands[0], Some(Operand::Memory(_)));
    let mut out = Instruction::default();
    out.set_code(code(op, inst.bits, width, to_memory).ok_or_else(|| no_form(at, inst))?);
    let first = match width {
        Width::X => Register::XMM0,
        Width::Y => Register::YMM0,
        Width::Z => Register::ZMM0,
    };
    let vector = |n: u8| {
        if usize::from(n) < width.registers() { Ok(first + u32::from(n)) } else { Err(refused("no such register")) }
    };
    let mask = |k: u8| {
        if (1..8).contains(&k) { Ok(Register::K0 + u32::from(k)) } else { Err(refused("mask registers are k1 to k7")) }
    };
    let mut constant = None;
    let mut count = 0;
    for (place, operand) in (0u32..).zip(inst.operands()) {
        count = place + 1;
        let mut address = |out: &mut Instruction, address| {
            out.set_op_kind(place, OpKind::Memory);
            constant = memory(program, out, address).map_err(|e| match e {
                BadAddress::Constant => EncodeError::NoConstant { at },
                BadAddress::Index => refused("rsp is no index, and scales are 1, 2, 4 and 8"),
            })?;
            // A distance in whole vectors or elements takes a byte: the encoder sees to it.
            if out.memory_displ_size() == 8 && out.memory_base() != Register::RIP {
                out.set_memory_displ_size(1);
            }
            Ok(())
        };
        match operand {
            Operand::Vector(n) | Operand::Masked(n, _) => {
                out.set_op_kind(place, OpKind::Register);
                out.set_op_register(place, vector(n)?);
                if let Operand::Masked(_, k) = operand {
                    out.set_op_mask(mask(k)?);
                }
            }
            Operand::Mask(k) => {
                out.set_op_kind(place, OpKind::Register);
                out.set_op_register(place, mask(k)?);
            }
            Operand::Memory(a) => address(&mut out, &a)?,
            Operand::Broadcast(a) if width.has_masks() => {
                address(&mut out, &a)?;
                out.set_is_broadcast(true);
            }
            _ => return Err(no_form(at, inst)),
        }
    }
    if let Some(value) = op.immediate() {
        out.set_op_kind(count, OpKind::Immediate8);
        out.set_immediate8(value);
    }
    Ok((out, constant))
}
