//! Forms that `yaxpeax-x86` 2.2 lacks, by forms with the same operands that it has: only the opcode differs.

use yaxpeax_x86::long_mode::Opcode;

use super::{Instruction, Operand, decode_known};
use crate::fault::Fault;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Vex,
    Evex,
}

/// An opcode with the fields of the prefix that belong to it; `None`: any.
struct Gap {
    encoding: Encoding,
    /// 1: `0F`, 2: `0F38`, 3: `0F3A`.
    map: u8,
    /// 0: none, 1: `66`.
    pp: u8,
    w: Option<u8>,
    /// The vector's length; of masks a part of the opcode.
    l: Option<u8>,
    /// Opcode and, where the manual says `/digit`, the digit in ModRM.
    opcode: (u8, Option<u8>),
    /// That of the form with the same operands.
    like: (u8, Option<u8>),
    /// What it is, and its name; `None`: no instruction, though the decoder takes it for one.
    is: Option<(Opcode, &'static str)>,
    /// Its registers are masks where the other form has vectors.
    masks: bool,
}

const VEX: Gap = Gap {
    encoding: Encoding::Vex,
    map: 1,
    pp: 1,
    w: None,
    l: None,
    opcode: (0, None),
    like: (0, None),
    is: None,
    masks: false,
};
const EVEX: Gap = Gap { encoding: Encoding::Evex, ..VEX };

/// VEX.L1.0F.W0 op /r, as `vandps ymm, ymm, ymm`.
const fn masks(opcode: u8, is: Opcode, name: &'static str) -> Gap {
    let (opcode, like) = ((opcode, None), (0x54, None));
    Gap { pp: 0, w: Some(0), l: Some(1), opcode, like, is: Some((is, name)), masks: true, ..VEX }
}

/// VEX.L0.0F.W0 op /r, as `vmovaps xmm, xmm/m`.
const fn mask(opcode: u8, is: Opcode, name: &'static str) -> Gap {
    Gap { l: Some(0), like: (0x28, None), ..masks(opcode, is, name) }
}

/// EVEX.66.0F.Ww op /digit ib, as `vpsrad` and `vpsraq` (72 /4 ib).
const fn shift(w: u8, opcode: u8, digit: u8, is: Option<(Opcode, &'static str)>) -> Gap {
    Gap { w: Some(w), opcode: (opcode, Some(digit)), like: (0x72, Some(4)), is, ..EVEX }
}

const GAPS: [Gap; 12] = [
    // VEX.66.0F38.W0 CF /r, as `vpshufb`.
    Gap {
        map: 2,
        w: Some(0),
        opcode: (0xcf, None),
        like: (0x00, None),
        is: Some((Opcode::VGF2P8MULB, "vgf2p8mulb")),
        ..VEX
    },
    // VEX.256.66.0F3A.WIG 44 /r ib, as `vpalignr`.
    Gap {
        map: 3,
        l: Some(1),
        opcode: (0x44, None),
        like: (0x0f, None),
        is: Some((Opcode::VPCLMULQDQ, "vpclmulqdq")),
        ..VEX
    },
    masks(0x41, Opcode::KANDW, "kandw"),
    masks(0x42, Opcode::KANDNW, "kandnw"),
    masks(0x45, Opcode::KORW, "korw"),
    masks(0x47, Opcode::KXORW, "kxorw"),
    mask(0x44, Opcode::KNOTW, "knotw"),
    mask(0x90, Opcode::KMOVW, "kmovw"),
    shift(0, 0x72, 6, Some((Opcode::VPSLLD, "vpslld"))),
    shift(0, 0x72, 5, None),
    shift(1, 0x73, 6, Some((Opcode::VPSLLQ, "vpsllq"))),
    shift(1, 0x73, 2, Some((Opcode::VPSRLQ, "vpsrlq"))),
];

/// Fields of a prefix, and where the opcode stands.
struct Prefix {
    encoding: Encoding,
    map: u8,
    pp: u8,
    w: u8,
    l: u8,
    opcode_at: usize,
}

fn prefix(bytes: &[u8]) -> Option<Prefix> {
    let (encoding, map, last, l, opcode_at) = match *bytes {
        // C5, R vvvv L pp.
        [0xc5, last, ..] => (Encoding::Vex, 1, last & 0x7f, last >> 2 & 1, 2),
        // C4, RXB mmmmm, W vvvv L pp.
        [0xc4, map, last, ..] => (Encoding::Vex, map & 0x1f, last, last >> 2 & 1, 3),
        // 62, RXBR' 0mmm, W vvvv 1 pp, z L'L b V' aaa.
        [0x62, map, last, length, ..] => (Encoding::Evex, map & 7, last, length >> 5 & 3, 4),
        _ => return None,
    };
    Some(Prefix { encoding, map, pp: last & 3, w: last >> 7, l, opcode_at })
}

/// The instruction at the start of the bytes, if it is of a form that the decoder lacks.
pub(super) fn decode(bytes: &[u8]) -> Option<Result<Instruction, Fault>> {
    let prefix = prefix(bytes)?;
    let (opcode, modrm) = (*bytes.get(prefix.opcode_at)?, *bytes.get(prefix.opcode_at + 1)?);
    let same = |wanted: Option<u8>, found: u8| wanted.is_none_or(|wanted| wanted == found);
    let gap = GAPS.iter().find(|gap| {
        gap.encoding == prefix.encoding
            && (gap.map, gap.pp, gap.opcode.0) == (prefix.map, prefix.pp, opcode)
            && same(gap.w, prefix.w)
            && same(gap.l, prefix.l)
            && same(gap.opcode.1, modrm >> 3 & 7)
    })?;
    let mut like = bytes[..bytes.len().min(15)].to_vec();
    like[prefix.opcode_at] = gap.like.0;
    if let Some(digit) = gap.like.1 {
        like[prefix.opcode_at + 1] = modrm & 0xc7 | digit << 3;
    }
    Some(decode_known(&like).and_then(|decoded| as_it_is(gap, decoded)))
}

/// The other form's operands under the name of this one.
fn as_it_is(gap: &Gap, mut decoded: Instruction) -> Result<Instruction, Fault> {
    let operands = decoded.text.find(' ').map_or("", |at| &decoded.text[at..]).to_string();
    let Some((opcode, name)) = gap.is else {
        return Err(Fault::Unknown(format!("opcode {:02x}{operands}", gap.opcode.0)));
    };
    (decoded.opcode, decoded.text) = (opcode, name.to_string() + &operands);
    for operand in &mut decoded.operands {
        if let (true, Operand::Vector { number, .. }) = (gap.masks, *operand) {
            if number > 7 {
                return Err(decoded.unknown());
            }
            *operand = Operand::Mask(number);
        }
    }
    Ok(decoded)
}
