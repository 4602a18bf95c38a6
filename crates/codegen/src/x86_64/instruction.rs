//! Instructions over physical registers, memory and constants, and what a processor must offer for them.
//!
//! A [`Program`](super::Program) follows the System V calling convention: the first six parameters are in `rdi rsi rdx rcx r8 r9`, later
//! ones on the stack above the return address. Its constants are reached relative to the instruction pointer.

use std::fmt;

use super::vector::{Vector, Width};

/// A general register, by its encoding.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Gpr {
    Rax,
    Rcx,
    Rdx,
    Rbx,
    Rsp,
    Rbp,
    Rsi,
    Rdi,
    R8,
    R9,
    R10,
    R11,
    R12,
    R13,
    R14,
    R15,
}

impl Gpr {
    /// All sixteen, by encoding.
    pub const ALL: [Gpr; 16] = [
        Gpr::Rax,
        Gpr::Rcx,
        Gpr::Rdx,
        Gpr::Rbx,
        Gpr::Rsp,
        Gpr::Rbp,
        Gpr::Rsi,
        Gpr::Rdi,
        Gpr::R8,
        Gpr::R9,
        Gpr::R10,
        Gpr::R11,
        Gpr::R12,
        Gpr::R13,
        Gpr::R14,
        Gpr::R15,
    ];

    /// Registers that hold the first six parameters.
    pub const PARAMETERS: [Gpr; 6] = [Gpr::Rdi, Gpr::Rsi, Gpr::Rdx, Gpr::Rcx, Gpr::R8, Gpr::R9];

    /// Registers whose value a function must leave as it found it (`rsp` aside).
    pub const SAVED: [Gpr; 6] = [Gpr::Rbx, Gpr::Rbp, Gpr::R12, Gpr::R13, Gpr::R14, Gpr::R15];

    /// The encoding, 0 to 15.
    pub fn number(self) -> u8 {
        self as u8
    }
}

/// A condition of `setcc`, `cmovcc` and `jcc`.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Condition {
    Carry,
    NotCarry,
    Overflow,
    NotOverflow,
    Zero,
    NotZero,
}

/// An instruction's name. Operands are in Intel's order: the destination first.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Opcode {
    Mov,
    /// A load of 8, 16 or 32 bits with zero extension to the whole register (32 bits: a plain `mov` of the half
    /// register).
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
    /// `imul r, r/m` or `imul r, r/m, imm`: the low word.
    Imul,
    /// `mul r/m`: rdx:rax = rax · operand.
    Mul,
    /// `mulx hi, lo, r/m`: hi:lo = rdx · operand; no flags. With hi = lo the register gets the high word.
    Mulx,
    Shl,
    Shr,
    Sar,
    Rol,
    /// `shld a, b, k`: a = high word of (a:b) << k.
    Shld,
    /// `shrd a, b, k`: a = low word of (b:a) >> k.
    Shrd,
    /// `rorx r, r/m, k`: rotation that leaves the flags.
    Rorx,
    /// `shlx r, r/m, count`, and its fellow: shifts that leave the flags, by a register. (`sarx` is not on the list of
    /// the timing class.)
    Shlx,
    Shrx,
    Set(Condition),
    Cmov(Condition),
    ClearCarry,
    SetCarry,
    Push,
    Pop,
    Label,
    Jump,
    JumpIf(Condition),
    Call,
    Return,
    /// `endbr64`: where an indirect call may land.
    EndBranch,
    /// On vector registers of that width.
    Vector(Vector, Width),
}

/// What an address starts from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Base {
    /// A register.
    Register(Gpr),
    /// The program's table of constants, relative to the instruction pointer.
    Constants,
}

/// `[base + index·scale + displacement]`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Address {
    /// Base.
    pub base: Base,
    /// Index register (never rsp) and scale 1, 2, 4 or 8; not with [`Base::Constants`].
    pub index: Option<(Gpr, u8)>,
    /// Bytes added.
    pub displacement: i32,
}

impl Address {
    /// `[base + displacement]`.
    pub fn at(base: Gpr, displacement: i32) -> Address {
        Address { base: Base::Register(base), index: None, displacement }
    }

    /// Entry `i` of the program's constants.
    pub fn constant(i: usize) -> Address {
        Address { base: Base::Constants, index: None, displacement: 8 * i as i32 }
    }
}

/// An operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    /// A register; the instruction's size says how much of it.
    Register(Gpr),
    /// Memory of the instruction's size.
    Memory(Address),
    /// A constant. Only `mov r64, imm` takes more than 32 bits (sign-extended).
    Immediate(i64),
    /// A place in the code.
    Label(u32),
    /// A vector register, 0 to 31.
    Vector(u8),
    /// A vector register of which only the elements are written whose bit in that mask register (1 to 7) is set; the
    /// others stay.
    Masked(u8, u8),
    /// A mask register, 1 to 7.
    Mask(u8),
    /// One element in memory, for all elements of a vector.
    Broadcast(Address),
}

/// One instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Inst {
    /// Name.
    pub op: Opcode,
    /// Size of the operation in bits: 64, 32, 16 or 8. For `MovZeroExtend` that of the source, for vectors that of an
    /// element.
    pub bits: u8,
    /// Operands, in Intel's order, without gaps.
    pub operands: [Option<Operand>; 3],
}

impl Inst {
    /// An instruction on 64 bits.
    pub fn new(op: Opcode, operands: &[Operand]) -> Inst {
        Inst::sized(op, 64, operands)
    }

    /// An instruction on that many bits.
    pub fn sized(op: Opcode, bits: u8, operands: &[Operand]) -> Inst {
        let mut all = [None; 3];
        for (place, operand) in all.iter_mut().zip(operands) {
            *place = Some(*operand);
        }
        Inst { op, bits, operands: all }
    }

    /// Does it read or write the register, or use it in an address?
    pub fn mentions(&self, r: Gpr) -> bool {
        self.operands().any(|operand| match operand {
            Operand::Register(x) => x == r,
            Operand::Memory(a) => a.base == Base::Register(r) || a.index.is_some_and(|(x, _)| x == r),
            _ => false,
        })
    }

    /// The operands that there are.
    pub fn operands(&self) -> impl Iterator<Item = Operand> + '_ {
        self.operands.iter().flatten().copied()
    }
}

/// Instruction sets beyond baseline x86-64.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Features {
    /// BMI1 and BMI2: `mulx`, `andn`, `rorx`, `shlx`.
    pub bmi2: bool,
    /// ADX: `adcx`, `adox`.
    pub adx: bool,
    /// AVX2: vectors of 256 bits.
    pub avx2: bool,
    /// FMA: products and sums of doubles, rounded once.
    pub fma: bool,
    /// AVX-512 F, DQ, BW and VL: vectors of 512 bits, mask registers, three-input logic.
    pub avx512: bool,
    /// AVX-512 IFMA: products of 52 bits.
    pub ifma: bool,
    /// AVX-512 VBMI and VBMI2: permutations of bytes, shifts of double words.
    pub vbmi2: bool,
    /// GFNI: affine maps and products of bytes over GF(2).
    pub gfni: bool,
    /// PCLMULQDQ: one carry-less product.
    pub pclmul: bool,
    /// VPCLMULQDQ: carry-less products in vectors.
    pub vpclmul: bool,
}

impl Features {
    /// Baseline: `mul`, `adc`.
    pub const BASELINE: Features = Features {
        bmi2: false,
        adx: false,
        avx2: false,
        fma: false,
        avx512: false,
        ifma: false,
        vbmi2: false,
        gfni: false,
        pclmul: false,
        vpclmul: false,
    };
    /// With `mulx`.
    pub const BMI2: Features = Features { bmi2: true, ..Features::BASELINE };
    /// With `mulx`, `adcx` and `adox`.
    pub const ADX: Features = Features { adx: true, ..Features::BMI2 };
    /// With vectors of 256 bits and all that Haswell and later processors have.
    pub const AVX2: Features = Features { avx2: true, fma: true, pclmul: true, ..Features::ADX };
    /// With vectors of 512 bits and all that Ice Lake and later processors have.
    pub const AVX512: Features =
        Features { avx512: true, ifma: true, vbmi2: true, gfni: true, vpclmul: true, ..Features::AVX2 };

    /// Each set with its name.
    fn parts(self) -> [(&'static str, bool); 10] {
        [
            ("bmi2", self.bmi2),
            ("adx", self.adx),
            ("avx2", self.avx2),
            ("fma", self.fma),
            ("avx512", self.avx512),
            ("ifma", self.ifma),
            ("vbmi2", self.vbmi2),
            ("gfni", self.gfni),
            ("pclmulqdq", self.pclmul),
            ("vpclmulqdq", self.vpclmul),
        ]
    }

    /// What this machine offers, by CPUID, without what the environment variable `EVARISTE_WITHOUT` names
    /// (`avx512,gfni`, names as printed): so that a machine can stand for a lesser one. `None` when it is no x86-64.
    pub fn of_this_machine() -> Option<Features> {
        static FOUND: std::sync::OnceLock<Option<Features>> = std::sync::OnceLock::new();
        *FOUND
            .get_or_init(|| Some(Features::by_cpuid()?.without(&std::env::var("EVARISTE_WITHOUT").unwrap_or_default())))
    }

    /// What is wrong with a list of sets separated by commas.
    pub fn misnamed(names: &str) -> Option<String> {
        let known: Vec<&str> = Features::default().parts().iter().map(|(name, _)| *name).collect();
        let wrong = names.split(',').map(str::trim).find(|name| !name.is_empty() && !known.contains(name))?;
        let parts: Vec<&str> = wrong.split('+').map(str::trim).collect();
        let meant = if parts.iter().all(|name| known.contains(name)) { parts.join(",") } else { known.join(",") };
        let wrong: String = wrong.chars().take(60).map(|c| if c.is_control() { ' ' } else { c }).collect();
        Some(format!("`{wrong}` names no instruction set\nhelp: names are separated by commas: {meant}"))
    }

    /// Without the sets that a list separated by commas names, and what is of no use without them.
    fn without(self, names: &str) -> Features {
        let has = |name: &str| !names.split(',').any(|other| other.trim() == name);
        let avx2 = self.avx2 && has("avx2");
        let avx512 = avx2 && self.avx512 && has("avx512");
        let bmi2 = self.bmi2 && has("bmi2");
        Features {
            bmi2,
            adx: bmi2 && self.adx && has("adx"),
            avx2,
            fma: avx2 && self.fma && has("fma"),
            avx512,
            ifma: avx512 && self.ifma && has("ifma"),
            vbmi2: avx512 && self.vbmi2 && has("vbmi2"),
            gfni: self.gfni && has("gfni"),
            pclmul: self.pclmul && has("pclmulqdq"),
            vpclmul: avx2 && self.vpclmul && has("vpclmulqdq"),
        }
    }

    /// Those of the sets that a text names, as [printed](fmt::Display).
    pub fn only(self, names: &str) -> Features {
        let others: Vec<&str> = self
            .parts()
            .into_iter()
            .map(|(name, _)| name)
            .filter(|name| names.split('+').all(|n| n != *name))
            .collect();
        self.without(&others.join(","))
    }

    fn by_cpuid() -> Option<Features> {
        #[cfg(target_arch = "x86_64")]
        {
            use std::is_x86_feature_detected as has;
            let avx512 = has!("avx512f") && has!("avx512dq") && has!("avx512bw") && has!("avx512vl");
            Some(Features {
                bmi2: has!("bmi1") && has!("bmi2"),
                adx: has!("adx"),
                avx2: has!("avx2"),
                fma: has!("fma"),
                avx512,
                ifma: avx512 && has!("avx512ifma"),
                vbmi2: avx512 && has!("avx512vbmi") && has!("avx512vbmi2"),
                gfni: has!("gfni"),
                pclmul: has!("pclmulqdq"),
                vpclmul: has!("vpclmulqdq"),
            })
        }
        #[cfg(not(target_arch = "x86_64"))]
        None
    }

    /// Does a processor with `self` run what needs `other`?
    pub fn covers(self, other: Features) -> bool {
        self.parts().iter().zip(other.parts()).all(|((_, has), (_, needs))| *has || !needs)
    }

    /// What either needs.
    pub fn and(self, other: Features) -> Features {
        Features {
            bmi2: self.bmi2 || other.bmi2,
            adx: self.adx || other.adx,
            avx2: self.avx2 || other.avx2,
            fma: self.fma || other.fma,
            avx512: self.avx512 || other.avx512,
            ifma: self.ifma || other.ifma,
            vbmi2: self.vbmi2 || other.vbmi2,
            gfni: self.gfni || other.gfni,
            pclmul: self.pclmul || other.pclmul,
            vpclmul: self.vpclmul || other.vpclmul,
        }
    }

    /// The scalar instruction sets alone.
    pub fn scalar(self) -> Features {
        Features { bmi2: self.bmi2, adx: self.adx, ..Features::BASELINE }
    }
}

impl fmt::Display for Features {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.parts().into_iter().filter_map(|(name, has)| has.then_some(name)).collect();
        f.write_str(&if names.is_empty() { "baseline".to_string() } else { names.join("+") })
    }
}
