//! The encoder's codes of vector instructions.

use evariste_codegen::x86_64::Comparison::Less;
use evariste_codegen::x86_64::Vector::{self, *};
use evariste_codegen::x86_64::Width;
use iced_x86::Code::{self, *};

/// Instruction, bits of an element, and the codes on registers of 128, 256 and 512 bits; `INVALID` where there is no
/// form. What an instruction's immediate says does not matter here.
#[rustfmt::skip] // One form a line.
const FORMS: &[(Vector, u8, [Code; 3])] = &[
    (Move, 64, [VEX_Vmovdqu_xmm_xmmm128, VEX_Vmovdqu_ymm_ymmm256, EVEX_Vmovdqu64_zmm_k1z_zmmm512]),
    (Move, 32, [VEX_Vmovdqu_xmm_xmmm128, VEX_Vmovdqu_ymm_ymmm256, EVEX_Vmovdqu64_zmm_k1z_zmmm512]),
    (MoveLowest, 64, [VEX_Vmovq_xmm_xmmm64, INVALID, INVALID]),
    (Broadcast, 64, [VEX_Vpbroadcastq_xmm_xmmm64, VEX_Vpbroadcastq_ymm_xmmm64, EVEX_Vpbroadcastq_zmm_k1z_xmmm64]),
    (Broadcast, 32, [VEX_Vpbroadcastd_xmm_xmmm32, VEX_Vpbroadcastd_ymm_xmmm32, EVEX_Vpbroadcastd_zmm_k1z_xmmm32]),
    (Broadcast, 8, [VEX_Vpbroadcastb_xmm_xmmm8, VEX_Vpbroadcastb_ymm_xmmm8, EVEX_Vpbroadcastb_zmm_k1z_xmmm8]),
    (RijndaelMul, 8, [VEX_Vgf2p8mulb_xmm_xmm_xmmm128, VEX_Vgf2p8mulb_ymm_ymm_ymmm256,
        EVEX_Vgf2p8mulb_zmm_k1z_zmm_zmmm512]),
    (BitMatrix, 8, [INVALID, INVALID, EVEX_Vgf2p8affineqb_zmm_k1z_zmm_zmmm512b64_imm8]),
    (LookUp, 64, [INVALID, INVALID, EVEX_Vpermi2w_zmm_k1z_zmm_zmmm512]),
    (LookUpHalves, 64, [INVALID, VEX_Vpermd_ymm_ymm_ymmm256, INVALID]),
    (LookUpHalvesOfTwo, 64, [INVALID, INVALID, EVEX_Vpermi2d_zmm_k1z_zmm_zmmm512b32]),
    (Compare(Less), 64, [INVALID, INVALID, EVEX_Vpcmpuq_kr_k1_zmm_zmmm512b64_imm8]),
    (Compare(Less), 32, [INVALID, INVALID, EVEX_Vpcmpud_kr_k1_zmm_zmmm512b32_imm8]),
    (Compare(Less), 8, [INVALID, INVALID, EVEX_Vpcmpub_kr_k1_zmm_zmmm512_imm8]),
    (Blend, 64, [INVALID, INVALID, EVEX_Vpblendmq_zmm_k1z_zmm_zmmm512b64]),
    (Blend, 32, [INVALID, INVALID, EVEX_Vpblendmd_zmm_k1z_zmm_zmmm512b32]),
    (Blend, 8, [INVALID, INVALID, EVEX_Vpblendmb_zmm_k1z_zmm_zmmm512]),
    (Add, 64, [VEX_Vpaddq_xmm_xmm_xmmm128, VEX_Vpaddq_ymm_ymm_ymmm256, EVEX_Vpaddq_zmm_k1z_zmm_zmmm512b64]),
    (Add, 32, [VEX_Vpaddd_xmm_xmm_xmmm128, VEX_Vpaddd_ymm_ymm_ymmm256, EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32]),
    (Sub, 64, [VEX_Vpsubq_xmm_xmm_xmmm128, VEX_Vpsubq_ymm_ymm_ymmm256, EVEX_Vpsubq_zmm_k1z_zmm_zmmm512b64]),
    (Sub, 32, [VEX_Vpsubd_xmm_xmm_xmmm128, VEX_Vpsubd_ymm_ymm_ymmm256, EVEX_Vpsubd_zmm_k1z_zmm_zmmm512b32]),
    (And, 64, [VEX_Vpand_xmm_xmm_xmmm128, VEX_Vpand_ymm_ymm_ymmm256, EVEX_Vpandq_zmm_k1z_zmm_zmmm512b64]),
    (And, 32, [VEX_Vpand_xmm_xmm_xmmm128, VEX_Vpand_ymm_ymm_ymmm256, EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32]),
    (Or, 64, [VEX_Vpor_xmm_xmm_xmmm128, VEX_Vpor_ymm_ymm_ymmm256, EVEX_Vporq_zmm_k1z_zmm_zmmm512b64]),
    (Or, 32, [VEX_Vpor_xmm_xmm_xmmm128, VEX_Vpor_ymm_ymm_ymmm256, EVEX_Vpord_zmm_k1z_zmm_zmmm512b32]),
    (Xor, 64, [VEX_Vpxor_xmm_xmm_xmmm128, VEX_Vpxor_ymm_ymm_ymmm256, EVEX_Vpxorq_zmm_k1z_zmm_zmmm512b64]),
    (Xor, 32, [VEX_Vpxor_xmm_xmm_xmmm128, VEX_Vpxor_ymm_ymm_ymmm256, EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32]),
    (AndNot, 64, [VEX_Vpandn_xmm_xmm_xmmm128, VEX_Vpandn_ymm_ymm_ymmm256, EVEX_Vpandnq_zmm_k1z_zmm_zmmm512b64]),
    (AndNot, 32, [VEX_Vpandn_xmm_xmm_xmmm128, VEX_Vpandn_ymm_ymm_ymmm256, EVEX_Vpandnd_zmm_k1z_zmm_zmmm512b32]),
    (Ternary(0), 64, [INVALID, INVALID, EVEX_Vpternlogq_zmm_k1z_zmm_zmmm512b64_imm8]),
    (Ternary(0), 32, [INVALID, INVALID, EVEX_Vpternlogd_zmm_k1z_zmm_zmmm512b32_imm8]),
    (Shl(0), 64, [VEX_Vpsllq_xmm_xmm_imm8, VEX_Vpsllq_ymm_ymm_imm8, EVEX_Vpsllq_zmm_k1z_zmmm512b64_imm8]),
    (Shl(0), 32, [VEX_Vpslld_xmm_xmm_imm8, VEX_Vpslld_ymm_ymm_imm8, EVEX_Vpslld_zmm_k1z_zmmm512b32_imm8]),
    (Shr(0), 64, [VEX_Vpsrlq_xmm_xmm_imm8, VEX_Vpsrlq_ymm_ymm_imm8, EVEX_Vpsrlq_zmm_k1z_zmmm512b64_imm8]),
    (Shr(0), 32, [VEX_Vpsrld_xmm_xmm_imm8, VEX_Vpsrld_ymm_ymm_imm8, EVEX_Vpsrld_zmm_k1z_zmmm512b32_imm8]),
    (Sar(0), 64, [INVALID, INVALID, EVEX_Vpsraq_zmm_k1z_zmmm512b64_imm8]),
    (Sar(0), 32, [VEX_Vpsrad_xmm_xmm_imm8, VEX_Vpsrad_ymm_ymm_imm8, EVEX_Vpsrad_zmm_k1z_zmmm512b32_imm8]),
    (Rol(0), 64, [INVALID, INVALID, EVEX_Vprolq_zmm_k1z_zmmm512b64_imm8]),
    (Rol(0), 32, [INVALID, INVALID, EVEX_Vprold_zmm_k1z_zmmm512b32_imm8]),
    (Funnel(0), 64, [INVALID, INVALID, EVEX_Vpshrdq_zmm_k1z_zmm_zmmm512b64_imm8]),
    (Funnel(0), 32, [INVALID, INVALID, EVEX_Vpshrdd_zmm_k1z_zmm_zmmm512b32_imm8]),
    (MulHalf, 64, [VEX_Vpmuludq_xmm_xmm_xmmm128, VEX_Vpmuludq_ymm_ymm_ymmm256, EVEX_Vpmuludq_zmm_k1z_zmm_zmmm512b64]),
    (CopyLow, 32, [VEX_Vmovsldup_xmm_xmmm128, VEX_Vmovsldup_ymm_ymmm256, EVEX_Vmovsldup_zmm_k1z_zmmm512]),
    (CopyHigh, 32, [VEX_Vmovshdup_xmm_xmmm128, VEX_Vmovshdup_ymm_ymmm256, EVEX_Vmovshdup_zmm_k1z_zmmm512]),
    (BlendHalves(true), 32, [VEX_Vpblendd_xmm_xmm_xmmm128_imm8, VEX_Vpblendd_ymm_ymm_ymmm256_imm8, INVALID]),
    (PermuteWords(0), 64, [INVALID, VEX_Vpermq_ymm_ymmm256_imm8, INVALID]),
    (BlendWords(0), 64, [INVALID, VEX_Vpblendd_ymm_ymm_ymmm256_imm8, INVALID]),
    (MaddLow, 64, [INVALID, EVEX_Vpmadd52luq_ymm_k1z_ymm_ymmm256b64, EVEX_Vpmadd52luq_zmm_k1z_zmm_zmmm512b64]),
    (MaddHigh, 64, [INVALID, EVEX_Vpmadd52huq_ymm_k1z_ymm_ymmm256b64, EVEX_Vpmadd52huq_zmm_k1z_zmm_zmmm512b64]),
    (FloatAdd, 64, [VEX_Vaddpd_xmm_xmm_xmmm128, VEX_Vaddpd_ymm_ymm_ymmm256, EVEX_Vaddpd_zmm_k1z_zmm_zmmm512b64_er]),
    (FloatSub, 64, [VEX_Vsubpd_xmm_xmm_xmmm128, VEX_Vsubpd_ymm_ymm_ymmm256, EVEX_Vsubpd_zmm_k1z_zmm_zmmm512b64_er]),
    (FloatMul, 64, [VEX_Vmulpd_xmm_xmm_xmmm128, VEX_Vmulpd_ymm_ymm_ymmm256, EVEX_Vmulpd_zmm_k1z_zmm_zmmm512b64_er]),
    (FloatFma, 64, [VEX_Vfmadd231pd_xmm_xmm_xmmm128, VEX_Vfmadd231pd_ymm_ymm_ymmm256,
        EVEX_Vfmadd231pd_zmm_k1z_zmm_zmmm512b64_er]),
    (MulLow, 64, [INVALID, INVALID, EVEX_Vpmullq_zmm_k1z_zmm_zmmm512b64]),
    (MulLow, 32, [VEX_Vpmulld_xmm_xmm_xmmm128, VEX_Vpmulld_ymm_ymm_ymmm256, EVEX_Vpmulld_zmm_k1z_zmm_zmmm512b32]),
    (ClmulEven, 64, [VEX_Vpclmulqdq_xmm_xmm_xmmm128_imm8, VEX_Vpclmulqdq_ymm_ymm_ymmm256_imm8,
        EVEX_Vpclmulqdq_zmm_zmm_zmmm512_imm8]),
    (ClmulOdd, 64, [VEX_Vpclmulqdq_xmm_xmm_xmmm128_imm8, VEX_Vpclmulqdq_ymm_ymm_ymmm256_imm8,
        EVEX_Vpclmulqdq_zmm_zmm_zmmm512_imm8]),
    (UnpackEven, 64, [VEX_Vpunpcklqdq_xmm_xmm_xmmm128, VEX_Vpunpcklqdq_ymm_ymm_ymmm256,
        EVEX_Vpunpcklqdq_zmm_k1z_zmm_zmmm512b64]),
    (UnpackOdd, 64, [VEX_Vpunpckhqdq_xmm_xmm_xmmm128, VEX_Vpunpckhqdq_ymm_ymm_ymmm256,
        EVEX_Vpunpckhqdq_zmm_k1z_zmm_zmmm512b64]),
    (Greater, 32, [VEX_Vpcmpgtd_xmm_xmm_xmmm128, VEX_Vpcmpgtd_ymm_ymm_ymmm256, INVALID]),
    (Lesser, 32, [VEX_Vpminud_xmm_xmm_xmmm128, VEX_Vpminud_ymm_ymm_ymmm256, EVEX_Vpminud_zmm_k1z_zmm_zmmm512b32]),
    (Greater, 64, [VEX_Vpcmpgtq_xmm_xmm_xmmm128, VEX_Vpcmpgtq_ymm_ymm_ymmm256, INVALID]),
    (MaskAnd, 64, [INVALID, INVALID, VEX_Kandw_kr_kr_kr]),
    (MaskAnd, 32, [INVALID, INVALID, VEX_Kandw_kr_kr_kr]),
    (MaskOr, 64, [INVALID, INVALID, VEX_Korw_kr_kr_kr]),
    (MaskOr, 32, [INVALID, INVALID, VEX_Korw_kr_kr_kr]),
    (MaskXor, 64, [INVALID, INVALID, VEX_Kxorw_kr_kr_kr]),
    (MaskXor, 32, [INVALID, INVALID, VEX_Kxorw_kr_kr_kr]),
    (MaskAndNot, 64, [INVALID, INVALID, VEX_Kandnw_kr_kr_kr]),
    (MaskAndNot, 32, [INVALID, INVALID, VEX_Kandnw_kr_kr_kr]),
    (MaskConstant, 64, [INVALID, INVALID, VEX_Kmovw_kr_km16]),
    (MaskConstant, 32, [INVALID, INVALID, VEX_Kmovw_kr_km16]),
    (MaskNot, 64, [INVALID, INVALID, VEX_Knotw_kr_kr]),
    (MaskNot, 32, [INVALID, INVALID, VEX_Knotw_kr_kr]),
    (ZeroUpper, 64, [VEX_Vzeroupper, VEX_Vzeroupper, VEX_Vzeroupper]),
    (ZeroUpper, 32, [VEX_Vzeroupper, VEX_Vzeroupper, VEX_Vzeroupper]),
];

/// The same of stores.
#[rustfmt::skip] // One form a line.
const STORES: &[(Vector, u8, [Code; 3])] = &[
    (Move, 64, [VEX_Vmovdqu_xmmm128_xmm, VEX_Vmovdqu_ymmm256_ymm, EVEX_Vmovdqu64_zmmm512_k1z_zmm]),
    (Move, 32, [VEX_Vmovdqu_xmmm128_xmm, VEX_Vmovdqu_ymmm256_ymm, EVEX_Vmovdqu64_zmmm512_k1z_zmm]),
    (MoveLowest, 64, [VEX_Vmovq_xmmm64_xmm, INVALID, INVALID]),
];

/// Forms that write over their first operand, on elements of 64 bits.
const TWO_OPERANDS: &[(Vector, Code)] = &[
    (Move, Movdqu_xmm_xmmm128),
    (Add, Paddq_xmm_xmmm128),
    (Sub, Psubq_xmm_xmmm128),
    (And, Pand_xmm_xmmm128),
    (Or, Por_xmm_xmmm128),
    (Xor, Pxor_xmm_xmmm128),
    (AndNot, Pandn_xmm_xmmm128),
    (Shl(0), Psllq_xmm_imm8),
    (Shr(0), Psrlq_xmm_imm8),
    (MulHalf, Pmuludq_xmm_xmmm128),
];

/// The code of a vector instruction on elements of that many bits; what is in no table cannot be encoded. `to_memory`:
/// a store.
pub(super) fn code(op: Vector, bits: u8, width: Width, to_memory: bool) -> Option<Code> {
    let kind = std::mem::discriminant(&op);
    let place = match width {
        Width::S if to_memory => return (op == Move).then_some(Movdqu_xmmm128_xmm),
        Width::S => {
            let known = |(other, _): &&(Vector, Code)| std::mem::discriminant(other) == kind && bits == 64;
            return TWO_OPERANDS.iter().find(known).map(|(_, code)| *code);
        }
        Width::X => 0,
        Width::Y => 1,
        Width::Z => 2,
    };
    let table = if to_memory { STORES } else { FORMS };
    let (_, _, codes) = table.iter().find(|(op, n, _)| std::mem::discriminant(op) == kind && *n == bits)?;
    Some(codes[place]).filter(|code| *code != INVALID)
}
