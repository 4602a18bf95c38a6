//! What a package is made from and what it consists of, in any language.

use evariste_codegen::assembly::{Printable, Target};
use evariste_ir::range::pow2;
use evariste_ir::{Array, Kernel};
use evariste_proof::Proved;
use num_bigint::BigInt;

use crate::agreement::difference;
use crate::error::EmitError;

/// A known answer of one operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Vector {
    /// The operation.
    pub operation: String,
    /// The contents of each parameter that is read, in calling order: one digit an element. In bit-sliced kernels the
    /// digits are the bits of one element; 64 vectors are packed together.
    pub inputs: Vec<Vec<BigInt>>,
    /// The contents of each parameter that is written, in calling order.
    pub outputs: Vec<Vec<BigInt>>,
}

/// The machine code of one operation, for processors that have what it needs.
#[derive(Clone, Debug)]
pub struct MachineCode {
    /// The operation.
    pub operation: String,
    /// Which plan and which schedule it is, in one line.
    pub plan: String,
    /// The program, checked against the operation's kernel, or against one of another plan with the same parameters and
    /// the same contract.
    pub program: Printable,
}

impl MachineCode {
    /// The [bits](evariste_codegen::assembly::Extension::bit) of what a processor must offer; what cannot be asked for is
    /// [refused](MachineCode::needs).
    pub(crate) fn bits(&self) -> u32 {
        self.program.extensions().unwrap_or_default()
    }

    /// What a processor must offer, in words.
    pub(crate) fn needed(&self) -> String {
        self.program.target().needs(self.bits())
    }

    /// The end of its function's name behind the operation.
    pub(crate) fn ending(&self) -> String {
        self.program.target().ending(self.bits())
    }

    /// The part of that end that tells it from code for most processors; may be empty.
    pub(crate) fn apart(&self) -> String {
        self.program.target().apart(self.bits())
    }

    /// The [bits](evariste_codegen::assembly::Extension::bit) of what a processor must offer, where it is the program of
    /// that kernel or of one that agrees with it, the parameters lie in memory as the emitted C has them, and C can ask for
    /// those bits. An error says what is different.
    pub(crate) fn needs(&self, kernel: &Kernel) -> Result<u32, EmitError> {
        let wrong = |why: String| EmitError::MachineCode { operation: self.operation.clone(), why };
        let own = self.program.proved().kernel();
        if let Some(what) = difference(kernel, own).filter(|_| !self.program.is_of(kernel)) {
            return Err(wrong(format!(
                "it was checked against another kernel, `{}`, {what} of `{}`; a package takes what `check` made of its own \
                 kernel, or of one with the same parameters and the same contract",
                own.name, kernel.name
            )));
        }
        let params = crate::language::c::parameters(kernel);
        if params.len() != self.program.params().len() {
            return Err(wrong(format!(
                "it takes {} parameters, the kernel {}",
                self.program.params().len(),
                params.len()
            )));
        }
        for (have, wanted) in self.program.params().iter().zip(&params) {
            if have.bytes() != wanted.bytes() || have.role.is_written() != wanted.role.is_written() {
                return Err(wrong(format!(
                    "its parameter `{}` has {} bytes, `{}` of the kernel {}",
                    have.name,
                    have.bytes(),
                    wanted.name,
                    wanted.bytes()
                )));
            }
        }
        self.program.extensions().ok_or_else(|| {
            wrong(format!("packages cannot ask a processor for all that it needs: {}", self.program.features()))
        })
    }
}

/// The product of elements in the lanes of some vectors, for functions on arrays.
#[derive(Clone, Copy, Debug)]
pub struct LaneProduct<'a> {
    /// The vectors, one of [`lane_levels`](crate::lane_levels).
    pub level: &'static str,
    /// A kernel that takes and gives what `mul` does, one word a lane.
    pub kernel: &'a Proved,
    /// Is it the way to squares too?
    pub squares: bool,
}

/// The elements of a field in a layout: what types, constants and the functions beside the kernels are made from.
#[derive(Clone, Debug)]
pub struct Elements {
    /// The modulus.
    pub modulus: BigInt,
    /// The factor R of the Montgomery form; 1 without.
    pub factor: BigInt,
    /// Bits of a word.
    pub word: u32,
    /// Exponent of each digit's weight, lowest first.
    pub weights: Vec<u32>,
    /// Greatest digits of an element at rest.
    pub digit_max: Vec<BigInt>,
    /// Greatest number that an element at rest is.
    pub bound: BigInt,
    /// Is the element at rest the only form of its value, in whole words?
    pub canonical: bool,
    /// The layout of a package for targets without integers of 128 bits, where this one needs them.
    pub narrow: Option<String>,
    /// Of a prime field, where a face asks for it.
    pub units: Option<Units>,
}

/// What faces say of the units of a prime field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Units {
    /// A generator, as far as is known.
    pub generator: BigInt,
    /// How often 2 divides p - 1.
    pub twos: u32,
    /// The power of the generator whose order is `2^twos`.
    pub root: BigInt,
    /// Is it known that the generator is one?
    pub complete: bool,
}

impl Elements {
    /// The digits of a number in this layout, lowest first.
    pub(crate) fn digits(&self, x: &BigInt) -> Vec<BigInt> {
        let ends = self.weights.iter().skip(1).map(|w| Some(*w)).chain([None]);
        let digit = |(from, to): (&u32, Option<u32>)| match to {
            Some(to) => (x >> *from) % pow2(to - from),
            None => x >> *from,
        };
        self.weights.iter().zip(ends).map(digit).collect()
    }

    /// All numbers that are congruent to x and that an element at rest may be, four at most.
    pub(crate) fn forms(&self, x: u32) -> Vec<BigInt> {
        let congruent = (0..4u32).map(|k| &self.modulus * k + x);
        let rests = |x: &BigInt| {
            *x <= self.bound && self.digits(x).iter().zip(&self.digit_max).all(|(digit, most)| digit <= most)
        };
        congruent.filter(rests).collect()
    }
}

/// A function that gives as its status whether a kernel has results: what the kernel writes to an array of one word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Status {
    /// The function's name behind the prefix.
    pub function: String,
    /// That of the kernel's own function.
    pub kernel: String,
    /// The kernel's array: 1, or 0 where there are no results.
    pub flag: String,
}

/// Such a function with its kernel and the kernel's array.
pub struct Flagged<'a> {
    /// The function.
    pub status: &'a Status,
    /// What it calls.
    pub kernel: &'a Kernel,
    /// The array of the status.
    pub flag: Array,
}

/// A block cipher of blocks of 16 bytes whose functions on buffers stand beside its kernels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlockCipher {
    /// The 32 bytes that pad a key, behind it.
    pub padding: Vec<u8>,
    /// Known answers.
    pub answers: Vec<BufferAnswer>,
}

/// A known answer of a block cipher on a buffer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BufferAnswer {
    /// The key.
    pub key: Vec<u8>,
    /// What is encrypted.
    pub text: Vec<u8>,
    /// The counter of its first block.
    pub counter: [u8; 16],
    /// The whole blocks of the text, each encrypted by itself.
    pub ecb: Vec<u8>,
    /// The text with the encrypted counters added.
    pub ctr: Vec<u8>,
    /// The counter of the block after the text.
    pub next: [u8; 16],
}

/// A stream cipher with a key, an initial value and a register of eleven stages, whose functions on bytes stand beside its
/// kernels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StreamCipher {
    /// Where the bytes of a key and of an initial value as long go, of 33, three to a stage.
    pub places: [[u8; 16]; 2],
    /// Known answers, all of as many bytes.
    pub answers: Vec<StreamAnswer>,
}

/// A known answer of a stream cipher.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StreamAnswer {
    /// The key.
    pub key: Vec<u8>,
    /// The initial value.
    pub iv: Vec<u8>,
    /// The first bytes of the keystream.
    pub stream: Vec<u8>,
}

/// A hash function of words with a running sum, whose functions on messages of bytes stand beside its kernels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunningHash {
    /// Bits of a word.
    pub word: u32,
    /// Bits of a hash.
    pub result: u32,
    /// Known answers.
    pub answers: Vec<HashAnswer>,
}

/// A known answer of a hash function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HashAnswer {
    /// The key, as long as the message or longer.
    pub key: Vec<u8>,
    /// The message.
    pub message: Vec<u8>,
    /// The hash as it is defined, and the one that wraps.
    pub hashes: [Vec<u8>; 2],
}

/// What a package is made from. It carries no time and no machine: the same specification gives the same bytes.
#[derive(Clone, Debug)]
pub struct PackageSpec<'a> {
    /// Start of every name, an identifier.
    pub prefix: String,
    /// One line: what the package is, such as `Arithmetic modulo 2^255 - 19`.
    pub title: String,
    /// The field and the representation of its elements, in one or more lines.
    pub description: String,
    /// The command that wrote the package.
    pub command_line: String,
    /// Operations, `mul`, `square`, …, with their kernels, in the order of the header.
    pub kernels: Vec<(String, &'a Proved)>,
    /// Machine code of operations, for languages that take it ([`Language::machine_code`](crate::Language)): of an operation
    /// several, of which a processor takes the first whose needs it meets.
    pub machine_code: Vec<MachineCode>,
    /// Functions with a status, of languages that have them: C, whatever else stands beside it.
    pub statuses: Vec<Status>,
    /// The block cipher that the operations are of, for functions on buffers.
    pub cipher: Option<BlockCipher>,
    /// The stream cipher that the operations are of, for functions on bytes.
    pub stream: Option<StreamCipher>,
    /// The hash function that the operations are of, for functions on messages.
    pub running_hash: Option<RunningHash>,
    /// The elements, where the operations are those of a field of numbers.
    pub elements: Option<Elements>,
    /// Products in lanes for functions on arrays, for each level at which they are faster than `mul` one by one; `None`:
    /// no such functions.
    pub arrays: Option<Vec<LaneProduct<'a>>>,
    /// By which names of other libraries the package is called too, of those that the language has
    /// ([`Language::faces`](crate::Language)).
    pub faces: Vec<String>,
    /// Known answers; every operation needs at least one.
    pub vectors: Vec<Vector>,
    /// Paragraphs for the readme: what the user should know of these plans.
    pub notes: Vec<String>,
}

/// As [`PackageSpec`], over kernels.
#[derive(Clone, Debug, Default)]
pub(crate) struct Content<'a> {
    pub prefix: &'a str,
    pub title: &'a str,
    pub description: &'a str,
    pub command_line: &'a str,
    pub kernels: Vec<(String, &'a Kernel)>,
    pub machine_code: &'a [MachineCode],
    /// Functions with a status.
    pub statuses: &'a [Status],
    pub cipher: Option<&'a BlockCipher>,
    pub stream: Option<&'a StreamCipher>,
    pub running_hash: Option<&'a RunningHash>,
    pub elements: Option<&'a Elements>,
    pub arrays: Option<Vec<(&'static str, &'a Kernel, bool)>>,
    pub faces: &'a [String],
    pub vectors: &'a [Vector],
    pub notes: &'a [String],
    /// Is all of it one header of inline functions?
    pub header_only: bool,
}

impl Content<'_> {
    /// Is there a kernel of that operation?
    pub(crate) fn has(&self, operation: &str) -> bool {
        self.kernels.iter().any(|(name, _)| name == operation)
    }

    /// The functions with a status whose kernels are here.
    pub(crate) fn flagged(&self) -> impl Iterator<Item = Flagged<'_>> {
        self.statuses.iter().filter_map(|status| {
            let kernel = self.kernels.iter().find(|(name, _)| *name == status.kernel)?.1;
            Some(Flagged { status, kernel, flag: kernel.find(&status.flag)? })
        })
    }

    /// Is the test of elements (`is_zero`, `equal`) made of `canonical`?
    pub(crate) fn through_canonical(&self, operation: &str) -> bool {
        self.elements.is_some() && self.has("canonical") && !self.has(operation)
    }

    /// What stands before each function that users call.
    pub fn linkage(&self) -> &'static str {
        if self.header_only { "static inline " } else { "" }
    }

    /// What stands before each function that users do not call.
    pub fn own_linkage(&self) -> &'static str {
        if self.header_only { "static inline " } else { "static " }
    }

    /// The processor of its machine code; `None`: there is none.
    pub fn target(&self) -> Option<&'static Target> {
        self.machine_code.first().map(|code| code.program.target())
    }

    /// The machine code of an operation: a processor takes the first that it has all of.
    pub fn machine_codes(&self, operation: &str) -> impl Iterator<Item = &MachineCode> {
        self.machine_code.iter().filter(move |code| code.operation == operation)
    }

    /// Has an operation machine code?
    pub fn has_machine_code(&self, operation: &str) -> bool {
        self.machine_codes(operation).next().is_some()
    }
}

impl<'a> PackageSpec<'a> {
    pub(crate) fn content(&'a self) -> Content<'a> {
        Content {
            prefix: &self.prefix,
            title: &self.title,
            description: &self.description,
            command_line: &self.command_line,
            kernels: self.kernels.iter().map(|(name, proved)| (name.clone(), proved.kernel())).collect(),
            machine_code: &self.machine_code,
            statuses: &self.statuses,
            cipher: self.cipher.as_ref(),
            stream: self.stream.as_ref(),
            running_hash: self.running_hash.as_ref(),
            elements: self.elements.as_ref(),
            arrays: self
                .arrays
                .as_ref()
                .map(|all| all.iter().map(|one| (one.level, one.kernel.kernel(), one.squares)).collect()),
            faces: &self.faces,
            vectors: &self.vectors,
            notes: &self.notes,
            header_only: false,
        }
    }
}

/// A file of a package.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// Name inside the package's folder.
    pub path: String,
    /// The whole text.
    pub text: String,
}
