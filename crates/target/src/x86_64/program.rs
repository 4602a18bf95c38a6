//! The one form between a proved kernel and what runs: x86-64 instructions over physical registers, stack slots, arrays and constants.
//!
//! A program follows the System V calling convention: the parameters are pointers to arrays, the first six in `rdi rsi rdx rcx r8 r9`, later ones on the
//! stack above the return address. It is written by the scheduler, replayed against its kernel by the checker, encoded by `jit`, printed as assembly
//! by `emit`. Nothing in it is symbolic but labels: what the checker reads is what the processor executes.

use std::fmt;

/// A general register, by its encoding.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Gpr { Rax, Rcx, Rdx, Rbx, Rsp, Rbp, Rsi, Rdi, R8, R9, R10, R11, R12, R13, R14, R15 }

impl Gpr {
    /// All sixteen, by encoding.
    pub const ALL: [Gpr; 16] = [
        Gpr::Rax, Gpr::Rcx, Gpr::Rdx, Gpr::Rbx, Gpr::Rsp, Gpr::Rbp, Gpr::Rsi, Gpr::Rdi, Gpr::R8, Gpr::R9, Gpr::R10, Gpr::R11, Gpr::R12, Gpr::R13, Gpr::R14, Gpr::R15,
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
pub enum Condition { Carry, NotCarry, Overflow, NotOverflow, Zero, NotZero }

/// An instruction's name. Operands are in Intel's order: the destination first.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Opcode {
    Mov,
    /// A load of 8, 16 or 32 bits with zero extension to the whole register (32 bits: a plain `mov` of the half register).
    MovZeroExtend,
    Lea,
    Add, Adc, Sub, Sbb, Adcx, Adox, Neg,
    And, Or, Xor, Not, Andn,
    Cmp, Test, BitTest,
    /// `imul r, r/m` or `imul r, r/m, imm`: the low word.
    Imul,
    /// `mul r/m`: rdx:rax = rax · operand.
    Mul,
    /// `mulx hi, lo, r/m`: hi:lo = rdx · operand; no flags. With hi = lo the register gets the high word.
    Mulx,
    Shl, Shr, Sar, Rol,
    /// `shld a, b, k`: a = high word of (a:b) << k.
    Shld,
    /// `shrd a, b, k`: a = low word of (b:a) >> k.
    Shrd,
    /// `rorx r, r/m, k`: rotation that leaves the flags.
    Rorx,
    /// `shlx r, r/m, count`, and its fellow: shifts that leave the flags, by a register. (`sarx` is not on the list of the timing class.)
    Shlx, Shrx,
    Set(Condition), Cmov(Condition),
    ClearCarry, SetCarry,
    Push, Pop,
    Label, Jump, JumpIf(Condition), Call, Return,
    /// `endbr64`: where an indirect call may land.
    EndBranch,
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
}

/// One instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Inst {
    /// Name.
    pub op: Opcode,
    /// Size of the operation in bits: 64, 32, 16 or 8. For `MovZeroExtend` that of the source.
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
}

impl Features {
    /// Baseline: `mul`, `adc`.
    pub const BASELINE: Features = Features { bmi2: false, adx: false };
    /// With `mulx`.
    pub const BMI2: Features = Features { bmi2: true, adx: false };
    /// With `mulx`, `adcx` and `adox`.
    pub const ADX: Features = Features { bmi2: true, adx: true };

    /// What this machine offers, by CPUID; `None` when it is no x86-64.
    pub fn of_this_machine() -> Option<Features> {
        #[cfg(target_arch = "x86_64")]
        {
            let bmi2 = std::is_x86_feature_detected!("bmi1") && std::is_x86_feature_detected!("bmi2");
            Some(Features { bmi2, adx: std::is_x86_feature_detected!("adx") })
        }
        #[cfg(not(target_arch = "x86_64"))]
        None
    }

    /// Does a processor with `self` run what needs `other`?
    pub fn covers(self, other: Features) -> bool {
        (self.bmi2 || !other.bmi2) && (self.adx || !other.adx)
    }
}

impl fmt::Display for Features {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self.bmi2, self.adx) {
            (false, false) => "baseline",
            (true, false) => "bmi2",
            (false, true) => "adx",
            (true, true) => "bmi2+adx",
        })
    }
}

/// A parameter: a pointer to an array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Param {
    /// Name.
    pub name: String,
    /// Bytes of an element in memory: 1, 2, 4 or 8.
    pub element_bytes: u32,
    /// Number of elements.
    pub len: u32,
    /// May the program write to it?
    pub written: bool,
    /// May it be read before it is written?
    pub read: bool,
}

/// A function in machine code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// Name, an identifier.
    pub name: String,
    /// What a processor must offer.
    pub features: Features,
    /// Parameters in calling order.
    pub params: Vec<Param>,
    /// Pairs of parameters (positions in `params`, lower first, sorted) that must not overlap: those of `Kernel::disjoint`, and pairs of different type or
    /// length. In every other pair of which exactly one is written, the two may be the same array (same address). Nothing that is written overlaps otherwise.
    pub disjoint: Vec<(u32, u32)>,
    /// Constants that are reached relative to the instruction pointer.
    pub constants: Vec<u64>,
    /// The instructions. The first is where a call lands.
    pub code: Vec<Inst>,
}
