//! Instructions over physical registers, memory and constants.
//!
//! Programs follow the Arm procedure call standard (AAPCS64): the first eight parameters are in `x0` to `x7`, later ones
//! at the stack pointer. `x18` belongs to the system and `x29` to debuggers: no program touches them. Every operation is
//! on 64 bits; loads of fewer extend with zeros, stores write the low bits.

/// A general register, by its number: `x0` to `x30`, the stack pointer, the register that is always 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Gpr(u8);

impl Gpr {
    /// The register that holds the return address.
    pub const LINK: Gpr = Gpr(30);
    /// The stack pointer: a base of addresses, and an operand of sums with immediates.
    pub const SP: Gpr = Gpr(31);
    /// Reads as 0, forgets what is written.
    pub const ZERO: Gpr = Gpr(32);

    /// `x0` to `x30`.
    ///
    /// # Panics
    /// There are no more.
    pub const fn x(number: u8) -> Gpr {
        assert!(number < 31, "x0 to x30");
        Gpr(number)
    }

    /// The number that the checker knows it by; none of [`Gpr::ZERO`].
    pub fn place(self) -> Option<usize> {
        (self != Gpr::ZERO).then_some(self.0.into())
    }

    /// The number in an instruction: the stack pointer and the zero register share one.
    pub fn number(self) -> u8 {
        self.0.min(31)
    }
}

/// A sum or difference. The carry of a difference is set where nothing was borrowed.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sum {
    Add,
    /// With the flags, as all that end in `s`.
    Adds,
    Sub,
    Subs,
    /// With the carry.
    Adc,
    Adcs,
    Sbc,
    Sbcs,
}

impl Sum {
    /// Does it take the carry?
    pub fn takes_carry(self) -> bool {
        matches!(self, Sum::Adc | Sum::Adcs | Sum::Sbc | Sum::Sbcs)
    }

    /// Does it set the flags?
    pub fn sets_flags(self) -> bool {
        matches!(self, Sum::Adds | Sum::Subs | Sum::Adcs | Sum::Sbcs)
    }

    /// Is it a sum, and not a difference?
    pub fn is_plus(self) -> bool {
        matches!(self, Sum::Add | Sum::Adds | Sum::Adc | Sum::Adcs)
    }
}

/// An operation on bits; the last three complement their right operand.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Logic {
    And,
    Or,
    Xor,
    AndNot,
    OrNot,
    XorNot,
}

/// Which word of a product.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Half {
    Low,
    High,
}

/// A shift of one word; rotations go to the right.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shift {
    Left,
    Right,
    Signed,
    Rotate,
}

/// What becomes of the right operand of a selection, where it is chosen.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Chosen {
    AsIs,
    PlusOne,
    Complement,
}

/// What an immediate of 16 bits becomes a part of.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Wide {
    /// Zeros around it.
    Zeros,
    /// The complement of that.
    Ones,
    /// The other bits stay.
    Keep,
}

/// A right operand: a register, shifted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shifted {
    /// The register.
    pub register: Gpr,
    /// How it is shifted.
    pub shift: Shift,
    /// By how many places, 0 to 63.
    pub amount: u8,
}

impl From<Gpr> for Shifted {
    fn from(register: Gpr) -> Shifted {
        Shifted { register, shift: Shift::Left, amount: 0 }
    }
}

/// An address: a register and bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Address {
    /// The register.
    pub base: Gpr,
    /// Bytes.
    pub offset: i32,
}

/// An instruction. Names of fields are those of the manual's operands: what is written comes first.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Inst {
    /// `add adds sub subs adc adcs sbc sbcs`.
    Sum {
        op: Sum,
        to: Gpr,
        left: Gpr,
        right: Shifted,
    },
    /// `add adds sub subs` of 12 bits, or of 12 bits times 2^12.
    SumOf {
        op: Sum,
        to: Gpr,
        left: Gpr,
        value: u16,
        high: bool,
    },
    /// `and orr eor bic orn eon`.
    Logic {
        op: Logic,
        to: Gpr,
        left: Gpr,
        right: Shifted,
    },
    /// `and orr eor` of a [pattern](is_pattern).
    LogicOf {
        op: Logic,
        to: Gpr,
        left: Gpr,
        value: u64,
    },
    /// `mul umulh`.
    Product {
        half: Half,
        to: Gpr,
        left: Gpr,
        right: Gpr,
    },
    /// `madd`: `addend + left·right`, the low word.
    ProductSum {
        to: Gpr,
        left: Gpr,
        right: Gpr,
        addend: Gpr,
    },
    /// `lsl lsr asr ror` by a constant.
    Shift {
        shift: Shift,
        to: Gpr,
        from: Gpr,
        amount: u8,
    },
    /// `extr`: the low word of `(high:low) / 2^amount`.
    Extract {
        to: Gpr,
        high: Gpr,
        low: Gpr,
        amount: u8,
    },
    /// `ubfx`: `bits` bits from bit `from_bit` on.
    Field {
        to: Gpr,
        from: Gpr,
        from_bit: u8,
        bits: u8,
    },
    /// `csel csinc csinv`: `left` where the carry is as `carry` says, else what is made of `right`.
    Select {
        chosen: Chosen,
        to: Gpr,
        left: Gpr,
        right: Gpr,
        carry: bool,
    },
    /// `movz movn movk`: 16 bits, `place` times 16 places to the left.
    Move {
        wide: Wide,
        to: Gpr,
        value: u16,
        place: u8,
    },
    /// `ldr ldrb ldrh`.
    Load {
        bytes: u8,
        to: Gpr,
        address: Address,
    },
    /// `str strb strh`.
    Store {
        bytes: u8,
        from: Gpr,
        address: Address,
    },
    /// `ldp` of words.
    LoadPair {
        first: Gpr,
        second: Gpr,
        address: Address,
    },
    /// `stp` of words.
    StorePair {
        first: Gpr,
        second: Gpr,
        address: Address,
    },
    /// `stp` below the stack pointer, which moves down by so many bytes to the pair.
    Push {
        first: Gpr,
        second: Gpr,
        bytes: u16,
    },
    /// `ldp` at the stack pointer, which then moves up by so many bytes.
    Pop {
        first: Gpr,
        second: Gpr,
        bytes: u16,
    },
    /// `ldr` of the program's constants, so many bytes from their start.
    Constant {
        to: Gpr,
        offset: u32,
    },
    Label(u32),
    Jump(u32),
    /// `cbnz`: a jump unless the register is 0.
    JumpUnlessZero {
        register: Gpr,
        label: u32,
    },
    /// `bl`.
    Call(u32),
    /// `ret`.
    Return,
}

impl Inst {
    /// A sum or difference of registers.
    pub fn sum(op: Sum, to: Gpr, left: Gpr, right: impl Into<Shifted>) -> Inst {
        Inst::Sum { op, to, left, right: right.into() }
    }

    /// An operation on bits of registers.
    pub fn logic(op: Logic, to: Gpr, left: Gpr, right: impl Into<Shifted>) -> Inst {
        Inst::Logic { op, to, left, right: right.into() }
    }

    /// A copy.
    pub fn copy(to: Gpr, from: Gpr) -> Inst {
        Inst::logic(Logic::Or, to, Gpr::ZERO, from)
    }

    /// The register that it copies to another as it is, and the other.
    pub fn copied(&self) -> Option<(Gpr, Gpr)> {
        match *self {
            Inst::Logic { op: Logic::Or, to, left: Gpr::ZERO, right: Shifted { register, amount: 0, .. } } => {
                Some((register, to))
            }
            _ => None,
        }
    }

    /// The registers that it writes; what is read of the zero register and written to it is no register.
    pub fn writes(&self) -> impl Iterator<Item = Gpr> + use<> {
        let [a, b] = match *self {
            Inst::Sum { to, .. }
            | Inst::SumOf { to, .. }
            | Inst::Logic { to, .. }
            | Inst::LogicOf { to, .. }
            | Inst::Product { to, .. }
            | Inst::ProductSum { to, .. }
            | Inst::Shift { to, .. }
            | Inst::Extract { to, .. }
            | Inst::Field { to, .. }
            | Inst::Select { to, .. }
            | Inst::Move { to, .. }
            | Inst::Load { to, .. }
            | Inst::Constant { to, .. } => [Some(to), None],
            Inst::LoadPair { first, second, .. } => [Some(first), Some(second)],
            Inst::Pop { first, second, .. } => [Some(first), Some(second)],
            _ => [None, None],
        };
        [a, b].into_iter().flatten().filter(|r| *r != Gpr::ZERO)
    }

    /// The registers that it reads.
    pub fn reads(&self) -> impl Iterator<Item = Gpr> + use<> {
        let all = match *self {
            Inst::Sum { left, right, .. } | Inst::Logic { left, right, .. } => [Some(left), Some(right.register), None],
            Inst::SumOf { left, .. } | Inst::LogicOf { left, .. } => [Some(left), None, None],
            Inst::Product { left, right, .. } | Inst::Select { left, right, .. } => [Some(left), Some(right), None],
            Inst::ProductSum { left, right, addend, .. } => [Some(left), Some(right), Some(addend)],
            Inst::Shift { from, .. } | Inst::Field { from, .. } => [Some(from), None, None],
            Inst::Extract { high, low, .. } => [Some(high), Some(low), None],
            Inst::Move { wide: Wide::Keep, to, .. } => [Some(to), None, None],
            Inst::Load { address, .. } | Inst::LoadPair { address, .. } => [Some(address.base), None, None],
            Inst::Store { from, address, .. } => [Some(from), Some(address.base), None],
            Inst::StorePair { first, second, address } => [Some(first), Some(second), Some(address.base)],
            Inst::Push { first, second, .. } => [Some(first), Some(second), Some(Gpr::SP)],
            Inst::Pop { .. } => [Some(Gpr::SP), None, None],
            Inst::JumpUnlessZero { register, .. } => [Some(register), None, None],
            Inst::Return => [Some(Gpr::LINK), None, None],
            _ => [None, None, None],
        };
        all.into_iter().flatten().filter(|r| *r != Gpr::ZERO)
    }

    /// Does it read or write the register?
    pub fn mentions(&self, register: Gpr) -> bool {
        self.reads().chain(self.writes()).any(|r| r == register)
    }

    /// Does it take the carry?
    pub fn takes_carry(&self) -> bool {
        matches!(self, Inst::Sum { op, .. } if op.takes_carry()) || matches!(self, Inst::Select { .. })
    }

    /// Does it set the flags?
    pub fn sets_flags(&self) -> bool {
        matches!(self, Inst::Sum { op, .. } | Inst::SumOf { op, .. } if op.sets_flags())
    }
}

/// Can a bitwise instruction hold this immediate: a run of ones, turned, that repeats every 2, 4, …, 64 bits?
pub fn is_pattern(value: u64) -> bool {
    pattern(value).is_some()
}

/// The fields `N`, `immr` and `imms` of such an immediate.
pub fn pattern(value: u64) -> Option<(u32, u32, u32)> {
    if value == 0 || value == u64::MAX {
        return None;
    }
    let size = [2, 4, 8, 16, 32, 64].into_iter().find(|size| *size == 64 || value.rotate_right(*size) == value)?;
    let mask = if size == 64 { u64::MAX } else { (1 << size) - 1 };
    let element = value & mask;
    let turned = |by: u32| if by == 0 { element } else { (element >> by | element << (size - by)) & mask };
    // The place of the lowest one of the run: turned there, it is 2^ones − 1.
    let ones = element.count_ones();
    let start = (0..size).find(|by| turned(*by) == (1u64 << ones) - 1)?;
    let rotation = (size - start) % size;
    // Above the number of ones less one, ones that end in a zero say the size.
    let imms = (!(2 * size - 1) & 0x3f) | (ones - 1);
    Some((u32::from(size == 64), rotation, imms))
}

/// What a processor must offer: nothing beyond the first version of the architecture.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Features;

impl std::fmt::Display for Features {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("baseline")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// There are 5334 patterns: for each size s, s − 1 numbers of ones and s turns of each.
    #[test]
    fn patterns_are_those_of_the_manual() {
        let mut all = std::collections::BTreeSet::new();
        for size in [2u32, 4, 8, 16, 32, 64] {
            for ones in 1..size {
                for turn in 0..size {
                    let mask = u64::MAX >> (64 - size);
                    let run = (1u64 << ones) - 1;
                    let element = if turn == 0 { run } else { (run >> turn | run << (size - turn)) & mask };
                    let value = (0..64 / size).fold(0, |value, i| value | element << (size * i));
                    let imms = (!(2 * size - 1) & 0x3f) | (ones - 1);
                    assert_eq!(pattern(value), Some((u32::from(size == 64), turn, imms)), "{value:#x}");
                    all.insert(value);
                }
            }
        }
        assert_eq!(all.len(), 5334);
        assert!([0, u64::MAX, 5, 0x1234_5678].iter().all(|value| !is_pattern(*value)));
    }
}
