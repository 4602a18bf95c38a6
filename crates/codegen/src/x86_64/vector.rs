//! Vector instructions: what there is, how it is called, what it needs. Elements have 64, 32 or 8 bits
//! ([`Inst::bits`](super::instruction::Inst)); each works on its own element of every operand, so that what one element
//! does is what all do; but for carry-less products and what takes their double words apart, which [work on
//! pairs](Vector::pairs) of elements of 64 bits, and what [moves words](Vector::moves_words) of one element's own registers.

use std::fmt;

use super::instruction::Features;
use super::table::{Row, Timing};

/// Width of the registers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Width {
    /// 128 bits, sixteen registers, no masks, and no destination of its own: SSE2, which every x86-64 has.
    S,
    /// 128 bits, sixteen registers, no masks: AVX2 in its short forms.
    X,
    /// 256 bits, sixteen registers, no masks: AVX2.
    Y,
    /// 512 bits, thirty-two registers, seven masks: AVX-512.
    Z,
}

impl Width {
    /// Bytes of a register.
    pub fn bytes(self) -> u32 {
        match self {
            Width::S | Width::X => 16,
            Width::Y => 32,
            Width::Z => 64,
        }
    }

    /// Number of registers.
    pub fn registers(self) -> usize {
        match self {
            Width::S | Width::X | Width::Y => 16,
            Width::Z => 32,
        }
    }

    /// Are there mask registers, three-input logic and operands that are one element for all?
    pub fn has_masks(self) -> bool {
        self == Width::Z
    }

    /// Is the destination the first operand too, and every other one a register? Only [moves](Vector::Move) read memory
    /// then, since operands of 128 bits would have to lie at multiples of 16; and a constant for all elements lies in
    /// memory as often as it is loaded.
    pub fn two_operands(self) -> bool {
        self == Width::S
    }

    /// Words of 64 bits in memory that a constant for all elements takes.
    pub fn words_of_constant(self) -> usize {
        if self.two_operands() { self.bytes() as usize / 8 } else { 1 }
    }

    /// What the names of its registers begin with.
    pub fn prefix(self) -> &'static str {
        match self {
            Width::S | Width::X => "xmm",
            Width::Y => "ymm",
            Width::Z => "zmm",
        }
    }

    /// A register's name.
    pub fn register(self, n: u8) -> String {
        format!("{}{n}", self.prefix())
    }

    /// The name of its size in memory.
    pub fn size(self) -> &'static str {
        match self {
            Width::S | Width::X => "xmmword",
            Width::Y => "ymmword",
            Width::Z => "zmmword",
        }
    }
}

/// A comparison of two unsigned elements.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Comparison {
    Equal,
    Less,
    NotEqual,
    NotLess,
}

impl Comparison {
    /// The predicate of `vpcmpu`.
    pub fn predicate(self) -> u8 {
        match self {
            Comparison::Equal => 0,
            Comparison::Less => 1,
            Comparison::NotEqual => 4,
            Comparison::NotLess => 5,
        }
    }
}

/// What an instruction does with each element. Operands in Intel's order: the destination first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Vector {
    /// Loads, stores and copies of whole registers.
    Move,
    /// Loads and stores of the lowest element alone; a load clears the others.
    MoveLowest,
    /// `d ← element in memory`, for all.
    Broadcast,
    /// `d ← a + b`.
    Add,
    /// `d ← a − b`.
    Sub,
    /// `d ← a and b`.
    And,
    /// `d ← a or b`.
    Or,
    /// `d ← a xor b`.
    Xor,
    /// `d ← b and not a`.
    AndNot,
    /// `d ← f(d, a, b)` bit by bit: bit `4d + 2a + b` of the table.
    Ternary(u8),
    /// `d ← a · 2^k`.
    Shl(u8),
    /// `d ← ⌊a / 2^k⌋`.
    Shr(u8),
    /// `d ← ⌊a / 2^k⌋` of the signed reading.
    Sar(u8),
    /// `d ← a rotated left by k`.
    Rol(u8),
    /// `d, a, b: d ← low element of (b:a) / 2^k`.
    Funnel(u8),
    /// `d ← (a mod 2^32) · (b mod 2^32)`, elements of 64 bits.
    MulHalf,
    /// `d ← the low half of the 64 bits` that the element is in, elements of 32 bits.
    CopyLow,
    /// `d ← the high half of the 64 bits` that the element is in, elements of 32 bits.
    CopyHigh,
    /// `d ← b for the high halves of 64 bits and a for the low ones`, or (false) the other way round; elements of 32
    /// bits.
    BlendHalves(bool),
    /// `d ← d + (a·b mod 2^52)` of the low 52 bits of a and b.
    MaddLow,
    /// `d ← d + ⌊a·b / 2^52⌋` of the low 52 bits of a and b.
    MaddHigh,
    /// `d ← low element of a·b`.
    MulLow,
    /// A pair of `d ←` low and high word of the carry-less product of the even elements of the pairs of a and b.
    ClmulEven,
    /// A pair of `d ←` low and high word of the carry-less product of the odd elements of the pairs of a and b.
    ClmulOdd,
    /// `d ← a·b` modulo x^8 + x^4 + x^3 + x + 1, elements of bytes.
    RijndaelMul,
    /// `d ← the linear map` of each byte of a whose matrix is the element of 64 bits of b.
    BitMatrix,
    /// `d ←` of each 16 bits of d the entry at their lowest six bits, of the 64 entries of 16 bits in a and b.
    LookUp,
    /// `d ←` of each 32 bits of a the entry at their lowest three bits, of the eight entries of 32 bits in b.
    LookUpHalves,
    /// `d ←` of each 32 bits of d the entry at their lowest five bits, of the 32 entries of 32 bits in a and b.
    LookUpHalvesOfTwo,
    /// A pair of `d ←` the even elements of the pairs of a and b.
    UnpackEven,
    /// A pair of `d ←` the odd elements of the pairs of a and b.
    UnpackOdd,
    /// `d ←` as its word l the word of a that bits 2l and 2l + 1 of the number name; registers of four words.
    PermuteWords(u8),
    /// `d ←` as its word l that of b where bit l of the number is set, else that of a; registers of four words.
    BlendWords(u8),
    /// `d ← a + b` of doubles, rounded to nearest.
    FloatAdd,
    /// `d ← a − b` of doubles.
    FloatSub,
    /// `d ← a · b` of doubles.
    FloatMul,
    /// `d ← d + a·b` of doubles, rounded once.
    FloatFma,
    /// `d ← all ones where a > b in the signed reading, else 0`.
    Greater,
    /// `d ← the lesser of a and b`, unsigned, elements of 32 bits.
    Lesser,
    /// Mask `← a ? b`.
    Compare(Comparison),
    /// Destination with mask, a, b: `d ← b where the mask is set, else a`.
    Blend,
    /// Mask `← a and b`.
    MaskAnd,
    /// Mask `← a or b`.
    MaskOr,
    /// Mask `← a xor b`.
    MaskXor,
    /// Mask `← b and not a`.
    MaskAndNot,
    /// Mask `← not a`.
    MaskNot,
    /// Mask `← 16 bits in memory`.
    MaskConstant,
    /// The upper halves of registers 0 to 15 are cleared: the end of a function.
    ZeroUpper,
}

impl Vector {
    /// The mnemonic for elements of that many bits.
    pub fn name(self, bits: u8, width: Width) -> String {
        let name = self.vex_name(bits, width);
        name.strip_prefix('v').filter(|_| width.two_operands()).map_or_else(|| name.clone(), str::to_string)
    }

    /// That of the form with a destination of its own.
    fn vex_name(self, bits: u8, width: Width) -> String {
        let element = match bits {
            8 => 'b',
            32 => 'd',
            _ => 'q',
        };
        // The forms of AVX2 say nothing of elements where it does not matter.
        let plain = if width.has_masks() { element.to_string() } else { String::new() };
        match self {
            Vector::MoveLowest => format!("vmov{element}"),
            Vector::Move if width.has_masks() => "vmovdqu64".into(),
            Vector::Move => "vmovdqu".into(),
            Vector::Broadcast => format!("vpbroadcast{element}"),
            Vector::RijndaelMul => "vgf2p8mulb".into(),
            Vector::BitMatrix => "vgf2p8affineqb".into(),
            Vector::LookUp => "vpermi2w".into(),
            Vector::LookUpHalves => "vpermd".into(),
            Vector::LookUpHalvesOfTwo => "vpermi2d".into(),
            Vector::Add => format!("vpadd{element}"),
            Vector::Sub => format!("vpsub{element}"),
            Vector::And => format!("vpand{plain}"),
            Vector::Or => format!("vpor{plain}"),
            Vector::Xor => format!("vpxor{plain}"),
            Vector::AndNot => format!("vpandn{plain}"),
            Vector::Ternary(_) => format!("vpternlog{element}"),
            Vector::Shl(_) => format!("vpsll{element}"),
            Vector::Shr(_) => format!("vpsrl{element}"),
            Vector::Sar(_) => format!("vpsra{element}"),
            Vector::Rol(_) => format!("vprol{element}"),
            Vector::Funnel(_) => format!("vpshrd{element}"),
            Vector::MulHalf => "vpmuludq".into(),
            Vector::CopyLow => "vmovsldup".into(),
            Vector::CopyHigh => "vmovshdup".into(),
            Vector::BlendHalves(_) => "vpblendd".into(),
            Vector::MaddLow => "vpmadd52luq".into(),
            Vector::MaddHigh => "vpmadd52huq".into(),
            Vector::MulLow => format!("vpmull{element}"),
            Vector::ClmulEven | Vector::ClmulOdd => "vpclmulqdq".into(),
            Vector::UnpackEven => "vpunpcklqdq".into(),
            Vector::UnpackOdd => "vpunpckhqdq".into(),
            Vector::PermuteWords(_) => "vpermq".into(),
            Vector::BlendWords(_) => "vpblendd".into(),
            Vector::FloatAdd => "vaddpd".into(),
            Vector::FloatSub => "vsubpd".into(),
            Vector::FloatMul => "vmulpd".into(),
            Vector::FloatFma => "vfmadd231pd".into(),
            Vector::Greater => format!("vpcmpgt{element}"),
            Vector::Lesser => "vpminud".into(),
            Vector::Compare(_) => format!("vpcmpu{element}"),
            Vector::Blend => format!("vpblendm{element}"),
            Vector::MaskAnd => "kandw".into(),
            Vector::MaskOr => "korw".into(),
            Vector::MaskXor => "kxorw".into(),
            Vector::MaskAndNot => "kandnw".into(),
            Vector::MaskNot => "knotw".into(),
            Vector::MaskConstant => "kmovw".into(),
            Vector::ZeroUpper => "vzeroupper".into(),
        }
    }

    /// Is there a form that writes over its first operand?
    fn overwrites(self) -> bool {
        matches!(
            self,
            Vector::Move
                | Vector::Add
                | Vector::Sub
                | Vector::And
                | Vector::Or
                | Vector::Xor
                | Vector::AndNot
                | Vector::Shl(_)
                | Vector::Shr(_)
                | Vector::MulHalf
        )
    }

    /// Are there forms where there are mask registers alone?
    fn needs_masks(self) -> bool {
        matches!(
            self,
            Vector::Ternary(_)
                | Vector::Rol(_)
                | Vector::Funnel(_)
                | Vector::Compare(_)
                | Vector::Blend
                | Vector::MaskAnd
                | Vector::MaskOr
                | Vector::MaskXor
                | Vector::MaskAndNot
                | Vector::MaskNot
                | Vector::MaskConstant
                | Vector::LookUp
                | Vector::LookUpHalvesOfTwo
        )
    }

    /// Bits of the elements for which there is a form of that width.
    pub fn element_bits(self, width: Width) -> &'static [u8] {
        if width.two_operands() {
            return if self.overwrites() { &[64] } else { &[] };
        }
        match (self, width.has_masks()) {
            (op, false) if op.needs_masks() => &[],
            // (Those of 256 bits are AVX-512's, on the registers that AVX2 has too.)
            (Vector::MaddLow | Vector::MaddHigh, false) if width != Width::Y => &[],
            (Vector::BlendHalves(_) | Vector::Greater, true) => &[],
            (Vector::LookUpHalves | Vector::PermuteWords(_) | Vector::BlendWords(_), _) => {
                if width == Width::Y {
                    &[64]
                } else {
                    &[]
                }
            }
            (Vector::MoveLowest, _) => {
                if width == Width::X {
                    &[64]
                } else {
                    &[]
                }
            }
            (Vector::RijndaelMul, _) => &[8],
            (Vector::BitMatrix, masks) => {
                if masks {
                    &[8]
                } else {
                    &[]
                }
            }
            (Vector::Broadcast, _) | (Vector::Compare(_) | Vector::Blend, true) => &[64, 32, 8],
            (Vector::ClmulEven | Vector::ClmulOdd | Vector::UnpackEven | Vector::UnpackOdd, _) => &[64],
            (Vector::CopyLow | Vector::CopyHigh | Vector::BlendHalves(_), _) => &[32],
            (Vector::Sar(_) | Vector::MulLow, false) | (Vector::Lesser, _) => &[32],
            (
                Vector::MulHalf
                | Vector::MaddLow
                | Vector::MaddHigh
                | Vector::FloatAdd
                | Vector::FloatSub
                | Vector::FloatMul
                | Vector::FloatFma
                | Vector::LookUp
                | Vector::LookUpHalvesOfTwo,
                _,
            ) => &[64],
            _ => &[64, 32],
        }
    }

    /// The immediate that ends the operands.
    pub fn immediate(self) -> Option<u8> {
        match self {
            Vector::Ternary(k)
            | Vector::Shl(k)
            | Vector::Shr(k)
            | Vector::Sar(k)
            | Vector::Rol(k)
            | Vector::Funnel(k) => Some(k),
            Vector::Compare(c) => Some(c.predicate()),
            Vector::ClmulEven | Vector::BitMatrix => Some(0x00),
            Vector::ClmulOdd => Some(0x11),
            Vector::BlendHalves(high) => Some(if high { 0xaa } else { 0x55 }),
            Vector::PermuteWords(places) => Some(places),
            // Two halves a word.
            Vector::BlendWords(words) => Some((0..4).fold(0, |all, l| all | (words >> l & 1) * 0b11 << (2 * l))),
            _ => None,
        }
    }

    /// Does an element of 64 bits of the result depend on the other one of its pair (elements 2i and 2i + 1)? On more
    /// none ever does.
    pub fn pairs(self) -> bool {
        matches!(self, Vector::ClmulEven | Vector::ClmulOdd | Vector::UnpackEven | Vector::UnpackOdd)
    }

    /// Does a word of the result come from another place of a register of four words? Where an element is a lane none ever
    /// does.
    pub fn moves_words(self) -> bool {
        matches!(self, Vector::PermuteWords(_) | Vector::BlendWords(_))
    }

    /// Is there a form for elements of bytes, and do they need one? What works bit by bit does not.
    pub fn counts_bytes(self) -> bool {
        matches!(self, Vector::Broadcast | Vector::RijndaelMul | Vector::BitMatrix | Vector::Compare(_) | Vector::Blend)
    }

    /// Can the last operand be an element in memory that is taken for all?
    pub fn takes_broadcast(self) -> bool {
        !matches!(
            self,
            Vector::ClmulEven
                | Vector::ClmulOdd
                | Vector::RijndaelMul
                | Vector::LookUp
                | Vector::LookUpHalves
                | Vector::LookUpHalvesOfTwo
        )
    }

    /// Is the destination also an operand?
    pub fn reads_destination(self) -> bool {
        matches!(
            self,
            Vector::Ternary(_)
                | Vector::MaddLow
                | Vector::MaddHigh
                | Vector::FloatFma
                | Vector::LookUp
                | Vector::LookUpHalvesOfTwo
        )
    }
}

impl fmt::Display for Vector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name(64, Width::Z))
    }
}

/// The row of the table.
pub fn row(op: Vector, width: Width) -> Row {
    let base = match width {
        Width::Z => Features { avx512: true, ..Features::BASELINE },
        Width::X | Width::Y => Features { avx2: true, ..Features::BASELINE },
        Width::S => Features::BASELINE,
    };
    let needs = match op {
        Vector::Funnel(_) => Features { vbmi2: true, ..base },
        Vector::MaddLow | Vector::MaddHigh => Features { avx512: true, ifma: true, ..base },
        Vector::FloatFma => Features { fma: true, ..base },
        Vector::ClmulEven | Vector::ClmulOdd if width == Width::X => Features { pclmul: true, ..base },
        Vector::ClmulEven | Vector::ClmulOdd => Features { vpclmul: true, ..base },
        Vector::RijndaelMul | Vector::BitMatrix => Features { gfni: true, ..base },
        Vector::ZeroUpper => Features { avx2: true, ..Features::BASELINE },
        _ => base,
    };
    Row { timing: if op == Vector::ZeroUpper { Timing::NoOperand } else { Timing::Independent }, needs }
}

/// Every vector instruction, once.
pub const ALL: [Vector; 48] = [
    Vector::Move,
    Vector::MoveLowest,
    Vector::Broadcast,
    Vector::Add,
    Vector::Sub,
    Vector::And,
    Vector::Or,
    Vector::Xor,
    Vector::AndNot,
    Vector::Ternary(0x96),
    Vector::Shl(1),
    Vector::Shr(1),
    Vector::Sar(1),
    Vector::Rol(1),
    Vector::Funnel(1),
    Vector::MulHalf,
    Vector::MaddLow,
    Vector::MaddHigh,
    Vector::FloatAdd,
    Vector::FloatSub,
    Vector::FloatMul,
    Vector::FloatFma,
    Vector::MulLow,
    Vector::Compare(Comparison::Less),
    Vector::Blend,
    Vector::MaskAnd,
    Vector::MaskOr,
    Vector::MaskXor,
    Vector::MaskAndNot,
    Vector::MaskNot,
    Vector::ZeroUpper,
    Vector::CopyLow,
    Vector::CopyHigh,
    Vector::BlendHalves(true),
    Vector::MaskConstant,
    Vector::ClmulEven,
    Vector::ClmulOdd,
    Vector::UnpackEven,
    Vector::UnpackOdd,
    Vector::PermuteWords(0x4e),
    Vector::BlendWords(0b1010),
    Vector::RijndaelMul,
    Vector::BitMatrix,
    Vector::Greater,
    Vector::Lesser,
    Vector::LookUp,
    Vector::LookUpHalves,
    Vector::LookUpHalvesOfTwo,
];
