//! Code at its place, decoded once.

use crate::decode::{Instruction, decode};
use crate::fault::Fault;
use crate::machine::{Machine, Operation};
use crate::memory::{Access, Region};
use crate::{general, vector};

/// An instruction with its operation, or why there is none.
pub(crate) type Entry = Result<(Instruction, Operation), Fault>;

/// Longer than any function runs that we write.
const MOST_STEPS: u64 = 50_000_000;

/// No instruction begins there.
const NONE: u32 = u32::MAX;

/// The bytes of a function, with the constants behind its instructions.
#[derive(Clone, Debug)]
pub struct Image {
    pub(crate) base: u64,
    entries: Vec<Entry>,
    /// For each byte the number of the entry that begins there, or [`NONE`].
    begins: Vec<u32>,
    pub(crate) constants: Vec<u8>,
    pub(crate) constants_at: usize,
}

impl Image {
    /// Code that lies at `base`, whose first `instructions` bytes are instructions and whose bytes from `constants_at`
    /// on are data.
    ///
    /// Bytes that are no instruction, and instructions that the emulator does not know, fault when control reaches them.
    ///
    /// # Panics
    /// When the bytes are fewer than that.
    pub fn new(base: u64, bytes: &[u8], instructions: usize, constants_at: usize) -> Image {
        let (mut entries, mut begins) = (Vec::new(), vec![NONE; instructions]);
        let mut at = 0;
        while at < instructions {
            let entry: Entry = decode(&bytes[at..instructions]).and_then(|instruction| {
                let operation = general::operation(instruction.opcode)
                    .or_else(|| vector::operation(instruction.opcode))
                    .ok_or_else(|| instruction.unknown())?;
                Ok((instruction, operation))
            });
            begins[at] = entries.len() as u32;
            at = entry.as_ref().map_or(instructions, |(instruction, _)| at + instruction.bytes);
            entries.push(entry);
        }
        Image { base, entries, begins, constants: bytes[constants_at..].to_vec(), constants_at }
    }

    /// The instruction that begins at an address.
    pub(crate) fn at(&self, address: u64) -> Result<&(Instruction, Operation), Fault> {
        usize::try_from(address.wrapping_sub(self.base))
            .ok()
            .and_then(|at| self.entries.get(*self.begins.get(at)? as usize))
            .ok_or(Fault::NoInstruction(address))?
            .as_ref()
            .map_err(Clone::clone)
    }

    /// Does the other code consist of the same instructions at the same places, and of the same constants? Bits that an
    /// encoding ignores may differ.
    pub fn reads_as(&self, other: &Image) -> bool {
        let same = |(a, b): (&Entry, &Entry)| match (a, b) {
            (Ok((a, _)), Ok((b, _))) => a == b,
            (Err(a), Err(b)) => a == b,
            _ => false,
        };
        self.begins == other.begins
            && self.constants == other.constants
            && self.entries.iter().zip(&other.entries).all(same)
    }

    /// The constants as a region of memory.
    pub fn constants(&self) -> Region {
        Region {
            name: "the constants".into(),
            base: self.base + self.constants_at as u64,
            bytes: self.constants.clone(),
            access: Access::Read,
            defined: None,
        }
    }
}

impl Machine {
    /// Runs the code from offset `entry` until control reaches `end`; gives the number of instructions.
    ///
    /// # Errors
    /// The first fault, with its place.
    pub fn run(&mut self, image: &Image, entry: u64, end: u64) -> Result<u64, Fault> {
        self.rip = image.base + entry;
        for steps in 0..MOST_STEPS {
            if self.rip == end {
                return Ok(steps);
            }
            let offset = self.rip.wrapping_sub(image.base);
            let (instruction, operation) = image.at(self.rip)?;
            self.rip = self.rip.wrapping_add(instruction.bytes as u64);
            operation(self, instruction).map_err(|fault| Fault::At {
                offset,
                instruction: instruction.text.clone(),
                fault: Box::new(fault),
            })?;
        }
        Err(Fault::Endless(MOST_STEPS))
    }
}
