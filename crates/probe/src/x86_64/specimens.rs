//! Instructions to measure: independent copies of each, and a chain where each copy waits for the one before.
//!
//! A specimen takes its registers from a [`Pool`], so that two specimens in one loop never wait for each other. Chains of
//! flags are cut by a zeroing idiom every [few](CHAIN) copies; an idiom takes a slot of the front end and nothing else.

use evariste_codegen::x86_64::vector::ALL as VECTORS;
use evariste_codegen::x86_64::{Address, Base, Condition, Features, Gpr, Inst, Opcode, Operand, Vector, Width};
use evariste_codegen::x86_64::{X86_64, table, vector};

use crate::subject::{Pool, Specimen};

/// Registers of a pool.
struct Registers {
    general: &'static [Gpr],
    /// Of 256 bits.
    vectors: std::ops::Range<u8>,
    /// Of 512 bits.
    wide: std::ops::Range<u8>,
    masks: std::ops::Range<u8>,
}

/// The pools; every register of one is written equally often where the number of copies is a multiple of its own.
const fn registers(pool: Pool) -> Registers {
    use Gpr::*;
    match pool {
        Pool::Many => {
            Registers { general: &[Rax, Rbx, Rcx, R8, R9, R10, R11], vectors: 0..10, wide: 16..26, masks: 1..5 }
        }
        Pool::Few => Registers { general: &[R12, R13], vectors: 10..14, wide: 26..32, masks: 5..6 },
        Pool::Left => Registers { general: &[Rax, Rbx, Rcx, R8], vectors: 0..5, wide: 0..10, masks: 1..3 },
        Pool::Right => Registers { general: &[R9, R10, R11, R14], vectors: 5..10, wide: 16..26, masks: 3..5 },
    }
}

/// Registers that are read and never written: a pointer to memory, two words.
pub const POINTER: Gpr = Gpr::Rdi;
/// A word that is never zero.
pub const WORD: Gpr = Gpr::Rsi;
/// The count of the loop.
pub const COUNT: Gpr = Gpr::R15;
/// Two vectors.
pub const SOURCES: [u8; 2] = [14, 15];

impl Registers {
    fn general(&self, i: usize) -> Operand {
        Operand::Register(self.general[i % self.general.len()])
    }

    fn vector(&self, width: Width, i: usize) -> Operand {
        Operand::Vector(self.range(width).start + (i % self.count(width)) as u8)
    }

    fn range(&self, width: Width) -> &std::ops::Range<u8> {
        if width == Width::Z { &self.wide } else { &self.vectors }
    }

    fn count(&self, width: Width) -> usize {
        self.range(width).len()
    }

    fn mask(&self, i: usize) -> u8 {
        self.masks.start + (i % self.masks.len()) as u8
    }
}

/// Copies that wait for each other's flags: few enough that many chains are in flight.
const CHAIN: usize = 2;
/// Sums in a register until an idiom clears it.
const SUMS: usize = 4;
/// Where stores go: to no line that is loaded, which would have to wait for them, nor to displacements that are those of
/// loads but for a multiple of 1024. (By these Zen 5 guesses what a load gets from a store; a wrong guess takes five to
/// eight cycles.)
pub const STORED: usize = 1536;

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    /// An instruction on general registers.
    Scalar(Opcode),
    /// A load of a word.
    Load,
    /// A store of a word.
    Store,
    /// An instruction on vectors of a width, elements of that many bits.
    Vector(Vector, Width, u8),
    /// A load of a vector.
    VectorLoad(Width),
    /// A store of a vector.
    VectorStore(Width),
}

/// The instructions on general registers; what needs flags or a count is there once.
const SCALAR: [Opcode; 32] = {
    use Opcode::*;
    [
        Mov,
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
        Imul,
        Mul,
        Mulx,
        Shl,
        Shr,
        Sar,
        Rol,
        Shld,
        Shrd,
        Rorx,
        Shlx,
        Shrx,
        Set(Condition::Carry),
        Cmov(Condition::Carry),
    ]
};

/// Everything that a processor with these features can be asked.
pub fn all(features: Features) -> Vec<Specimen<X86_64>> {
    let mut forms = vec![("load".to_string(), Form::Load), ("store".to_string(), Form::Store)];
    let scalar = SCALAR.into_iter().filter(|op| features.covers(table::row(*op).needs));
    forms.extend(scalar.map(|op| (op.to_string(), Form::Scalar(op))));
    let widths = [(Width::S, true), (Width::Y, features.avx2), (Width::Z, features.avx512)];
    for (width, _) in widths.into_iter().filter(|(_, has)| *has) {
        forms.extend(vectors(width, features, &forms));
    }
    forms.into_iter().map(|(name, form)| form.specimen(name)).collect()
}

/// Those on vectors of a width, but for what is known already.
fn vectors(width: Width, features: Features, known: &[(String, Form)]) -> Vec<(String, Form)> {
    let mut forms = vec![
        (format!("load.{}", width.prefix()), Form::VectorLoad(width)),
        (format!("store.{}", width.prefix()), Form::VectorStore(width)),
    ];
    let moves = |op: &Vector| matches!(op, Vector::MoveLowest | Vector::ZeroUpper | Vector::MaskConstant);
    for op in VECTORS.into_iter().filter(|op| !moves(op) && features.covers(vector::row(*op, width).needs)) {
        for bits in op.element_bits(width) {
            let name = format!("{}.{}", op.name(*bits, width), width.prefix());
            if forms.iter().chain(known).all(|(known, _)| *known != name) {
                forms.push((name, Form::Vector(op, width, *bits)));
            }
        }
    }
    forms
}

impl Form {
    fn specimen(self, name: String) -> Specimen<X86_64> {
        Specimen {
            name,
            copy: Box::new(move |i, pool| self.copy(i, &registers(pool))),
            link: self.link(),
            set: self.width().map(|width| 8 * width.bytes()),
            idle: self.idle(),
        }
    }

    /// Of its vectors.
    fn width(self) -> Option<Width> {
        match self {
            Form::Vector(_, width, _) | Form::VectorLoad(width) | Form::VectorStore(width) => Some(width),
            Form::Scalar(_) | Form::Load | Form::Store => None,
        }
    }

    fn copy(self, i: usize, pool: &Registers) -> Vec<Inst> {
        let word = Operand::Memory(at(8 * (i % 8)));
        let line = |width: Width, from: usize| Operand::Memory(at(from + width.bytes() as usize * (i % 8)));
        let stored = Operand::Memory(at(STORED + 8 * (i % 8)));
        let moved =
            |width, operands: [Operand; 2]| vec![Inst::sized(Opcode::Vector(Vector::Move, width), 64, &operands)];
        match self {
            Form::Scalar(op) => scalar(op, i, pool, Operand::Register(WORD)),
            Form::Load => vec![Inst::new(Opcode::Mov, &[pool.general(i), word])],
            Form::Store => vec![Inst::new(Opcode::Mov, &[stored, Operand::Register(WORD)])],
            // Adds to its register: an idiom clears it now and then.
            Form::Vector(op, width, bits) if adds(op, width) && (i / pool.count(width)).is_multiple_of(SUMS) => {
                let zero = &[pool.vector(width, i); 3][usize::from(width.two_operands())..];
                vec![Inst::sized(Opcode::Vector(Vector::Xor, width), 64, zero), vector(op, width, bits, i, pool, None)]
            }
            Form::Vector(op, width, bits) => vec![vector(op, width, bits, i, pool, None)],
            Form::VectorLoad(width) => moved(width, [pool.vector(width, i), line(width, 0)]),
            Form::VectorStore(width) => moved(width, [line(width, STORED), Operand::Vector(SOURCES[0])]),
        }
    }

    /// The idioms that cut chains of flags and sums; the copy of a word before a product of two registers.
    fn idle(self) -> f64 {
        use Opcode::*;
        match self {
            Form::Scalar(Adc | Sbb | Adcx | Adox) => 1.0 / CHAIN as f64,
            Form::Scalar(Mul) => 1.0,
            Form::Vector(op, width, _) if adds(op, width) => 1.0 / SUMS as f64,
            _ => 0.0,
        }
    }

    fn link(self) -> Option<Vec<Inst>> {
        let r = Operand::Register(Gpr::Rax);
        match self {
            Form::Scalar(op) => link(op),
            Form::Load => Some(vec![Inst::new(Opcode::Mov, &[r, Operand::Memory(Address::at(Gpr::Rax, 0))])]),
            Form::Vector(Vector::Broadcast | Vector::Compare(_) | Vector::Blend, ..) => None,
            // A register that is moved to itself is renamed.
            Form::Vector(Vector::Move, width, _) if width.two_operands() => None,
            Form::Vector(op, width, bits) => Some(vec![vector(op, width, bits, 0, &registers(Pool::Many), Some(0))]),
            Form::Store | Form::VectorLoad(_) | Form::VectorStore(_) => None,
        }
    }
}

/// Does it read the register that it writes?
fn adds(op: Vector, width: Width) -> bool {
    matches!(op, Vector::FloatFma | Vector::MaddLow | Vector::MaddHigh) || width.two_operands() && op != Vector::Move
}

fn at(displacement: usize) -> Address {
    Address::at(POINTER, displacement as i32)
}

/// `xor r, r`: no operation of any port, and the flags are fresh.
fn fresh(register: Operand) -> Inst {
    Inst::sized(Opcode::Xor, 32, &[register, register])
}

fn scalar(op: Opcode, i: usize, pool: &Registers, word: Operand) -> Vec<Inst> {
    use Opcode::*;
    let (d, k) = (pool.general(i), Operand::Immediate(7));
    let one = |operands: &[Operand]| vec![Inst::new(op, operands)];
    match op {
        MovZeroExtend => vec![Inst::sized(op, 32, &[d, word])],
        Lea => {
            let Operand::Register(base) = word else { return Vec::new() };
            one(&[d, Operand::Memory(Address { base: Base::Register(base), index: Some((WORD, 1)), displacement: 0 })])
        }
        // The idiom clears the flags of both chains.
        Adc | Sbb | Adcx | Adox if i.is_multiple_of(CHAIN) => vec![fresh(d), Inst::new(op, &[d, word])],
        Neg | Not => one(&[d]),
        Cmp | Test => one(&[word, Operand::Register(POINTER)]),
        BitTest => one(&[word, k]),
        Shl | Shr | Sar | Rol => one(&[d, k]),
        Shld | Shrd => one(&[d, word, k]),
        // Of three operands: of two it waits for what it writes over, longer than a pool has registers for.
        Imul | Rorx => one(&[d, word, k]),
        Shlx | Shrx | Andn => one(&[d, word, word]),
        Mulx => one(&[d, pool.general(i + 1), word]),
        // Reads rax and writes rdx and rax: a copy of a word cuts the chain.
        Mul => {
            let rax = Operand::Register(Gpr::Rax);
            vec![Inst::new(Mov, &[rax, word]), Inst::new(op, &[word])]
        }
        Set(_) => vec![Inst::sized(op, 8, &[d])],
        _ => one(&[d, word]),
    }
}

fn link(op: Opcode) -> Option<Vec<Inst>> {
    use Opcode::*;
    let (r, k) = (Operand::Register(Gpr::Rax), Operand::Immediate(7));
    let word = Operand::Register(WORD);
    let one = |operands: &[Operand]| Some(vec![Inst::new(op, operands)]);
    match op {
        Cmp | Test | BitTest | Mov | Set(_) => None,
        MovZeroExtend => Some(vec![Inst::sized(op, 32, &[r, r])]),
        Lea => one(&[
            r,
            Operand::Memory(Address { base: Base::Register(Gpr::Rax), index: Some((WORD, 1)), displacement: 0 }),
        ]),
        Neg | Not => one(&[r]),
        Shl | Shr | Sar | Rol => one(&[r, k]),
        Shld | Shrd => one(&[r, word, k]),
        Rorx => one(&[r, r, k]),
        Shlx | Shrx | Andn => one(&[r, r, word]),
        // The low word goes on.
        Mulx => one(&[Operand::Register(Gpr::Rbx), r, r]),
        Mul => one(&[r]),
        _ => one(&[r, word]),
    }
}

fn vector(op: Vector, width: Width, bits: u8, i: usize, pool: &Registers, chain: Option<u8>) -> Inst {
    let [a, b] = SOURCES.map(Operand::Vector);
    let d = chain.map_or(pool.vector(width, i), Operand::Vector);
    let a = chain.map_or(a, Operand::Vector);
    let m = |n: usize| Operand::Mask(chain.map_or(pool.mask(i + n), |_| 1));
    let operands: Vec<Operand> = match op {
        Vector::Shl(_) | Vector::Shr(_) if width.two_operands() => vec![d],
        _ if width.two_operands() => vec![d, if chain.is_some() { b } else { a }],
        Vector::Move | Vector::CopyLow | Vector::CopyHigh | Vector::PermuteWords(_) => vec![d, a],
        Vector::Shl(_) | Vector::Shr(_) | Vector::Sar(_) | Vector::Rol(_) => vec![d, a],
        Vector::Broadcast => vec![d, Operand::Memory(at(8 * (i % 8)))],
        Vector::Compare(_) => vec![m(0), a, b],
        Vector::Blend => match d {
            Operand::Vector(n) => vec![Operand::Masked(n, 7), a, b],
            other => vec![other, a, b],
        },
        Vector::MaskAnd | Vector::MaskOr | Vector::MaskXor | Vector::MaskAndNot => {
            vec![m(0), if chain.is_some() { m(0) } else { Operand::Mask(6) }, Operand::Mask(7)]
        }
        Vector::MaskNot => vec![m(0), if chain.is_some() { m(0) } else { Operand::Mask(7) }],
        _ => vec![d, a, b],
    };
    Inst::sized(Opcode::Vector(op, width), bits, &operands)
}
