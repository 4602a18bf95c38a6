//! Registers, and one step after the other.

use crate::decode::{Address, Base, Instruction, Operand};
use crate::fault::Fault;
use crate::flags::Flags;
use crate::memory::Memory;

/// What executes an instruction.
pub(crate) type Operation = fn(&mut Machine, &Instruction) -> Result<(), Fault>;

/// The number of `rsp`.
pub(crate) const RSP: usize = 4;

/// Bytes below `rsp` that a function may use (System V ABI, section 3.2.2).
const RED_ZONE: u64 = 128;

/// The state of a processor.
#[derive(Clone, Debug)]
pub struct Machine {
    /// General registers, by encoding.
    pub general: [u64; 16],
    /// Vector registers.
    pub vectors: [[u8; 64]; 32],
    /// Mask registers.
    pub masks: [u64; 8],
    /// Status flags.
    pub flags: Flags,
    /// Memory.
    pub memory: Memory,
    /// Where the stack ends: accesses from here to `stack_top` keep above the red zone's end.
    pub(crate) stack: std::ops::Range<u64>,
    /// Address of the next instruction.
    pub(crate) rip: u64,
}

impl Machine {
    /// A machine whose registers hold pseudorandom values that the seed chooses, and whose flags are undefined.
    pub fn new(mut seed: u64) -> Machine {
        let mut next = || {
            seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let z = (seed ^ seed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb)
        };
        let mut vectors = [[0; 64]; 32];
        vectors.iter_mut().flatten().for_each(|byte| *byte = (next() >> 32) as u8);
        Machine {
            general: std::array::from_fn(|_| next()),
            vectors,
            masks: std::array::from_fn(|_| next()),
            flags: Flags::default(),
            memory: Memory::default(),
            stack: 0..0,
            rip: 0,
        }
    }

    /// The address that an operand in memory has.
    pub(crate) fn address(&self, address: Address) -> u64 {
        let base = match address.base {
            Base::General(number) => self.general[number],
            Base::NextInstruction => self.rip,
            Base::None => 0,
        };
        let index = address.index.map_or(0, |(number, scale)| self.general[number].wrapping_mul(scale));
        base.wrapping_add(index).wrapping_add_signed(address.displacement)
    }

    /// The stack is used above the end of the red zone only.
    fn above_red_zone(&self, address: u64) -> Result<(), Fault> {
        let rsp = self.general[RSP];
        if self.stack.contains(&address) && address < rsp.saturating_sub(RED_ZONE) {
            return Err(Fault::BelowRedZone { address, rsp });
        }
        Ok(())
    }

    pub(crate) fn read(&self, address: u64, out: &mut [u8]) -> Result<(), Fault> {
        self.above_red_zone(address)?;
        self.memory.read(address, out)
    }

    pub(crate) fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), Fault> {
        self.above_red_zone(address)?;
        self.memory.write(address, bytes)
    }

    /// Reads a little-endian integer of so many bits.
    pub(crate) fn read_integer(&self, address: u64, bits: u32) -> Result<u64, Fault> {
        let mut bytes = [0; 8];
        self.read(address, &mut bytes[..bits as usize / 8])?;
        Ok(u64::from_le_bytes(bytes))
    }

    /// Writes a little-endian integer of so many bits.
    pub(crate) fn write_integer(&mut self, address: u64, bits: u32, value: u64) -> Result<(), Fault> {
        self.write(address, &value.to_le_bytes()[..bits as usize / 8])
    }

    /// The size of an instruction on general registers and memory: that of its register, or what the encoding says.
    pub(crate) fn size(instruction: &Instruction) -> Result<u32, Fault> {
        match instruction.operand(0)? {
            Operand::General { bits, .. } => Ok(bits),
            Operand::Memory(_) => {
                instruction.memory_bytes.map(|bytes| bytes as u32 * 8).ok_or_else(|| instruction.unknown())
            }
            _ => Err(instruction.unknown()),
        }
    }

    /// Operand `i` as an integer of so many bits.
    pub(crate) fn get(&self, instruction: &Instruction, i: usize, bits: u32) -> Result<u64, Fault> {
        match instruction.operand(i)? {
            Operand::General { number, bits: own } if own == bits => Ok(self.general[number] & ones(bits)),
            Operand::Immediate(value) => Ok(value.cast_unsigned() & ones(bits)),
            Operand::Memory(address) => self.read_integer(self.address(address), bits),
            _ => Err(instruction.unknown()),
        }
    }

    /// Writes operand `i`: 32 bits clear the upper half of a register, 8 and 16 leave the rest of it.
    pub(crate) fn set(&mut self, instruction: &Instruction, i: usize, bits: u32, value: u64) -> Result<(), Fault> {
        match instruction.operand(i)? {
            Operand::General { number, bits: own } if own == bits => {
                let register = &mut self.general[number];
                *register = match bits {
                    64 | 32 => value & ones(bits),
                    _ => *register & !ones(bits) | value & ones(bits),
                };
                Ok(())
            }
            Operand::Memory(address) => self.write_integer(self.address(address), bits, value),
            _ => Err(instruction.unknown()),
        }
    }
}

/// The greatest integer of so many bits.
pub(crate) fn ones(bits: u32) -> u64 {
    u64::MAX >> (64 - bits)
}
