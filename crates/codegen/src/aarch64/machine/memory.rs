//! Loads and stores. **Trusted.** Bytes lie with the lowest first.

use super::{Content, Fault, Machine};
use crate::aarch64::instruction::{Address, Gpr, Inst};

impl Machine<'_> {
    fn pointer(&self, address: Address) -> Result<Content, Fault> {
        Self::moved(self.base(address.base)?, address.offset.into())
    }

    pub(super) fn accesses(&mut self, inst: &Inst) -> Result<(), Fault> {
        match *inst {
            Inst::Load { bytes, to, address } => {
                let content = match bytes {
                    8 => self.load_at(self.pointer(address)?, 8)?,
                    1 | 2 | 4 => {
                        let pointer = self.pointer(address)?;
                        let bits = 8 * bytes;
                        match self.load_at(pointer, bytes.into())? {
                            // The bits above become 0.
                            Content::Word(x, defined) if defined >= bits => {
                                Content::Word(self.terms.low(x, bits.into()), 64)
                            }
                            _ => return Err(Fault::Undefined("loaded operand")),
                        }
                    }
                    _ => return Err(Fault::Form),
                };
                self.set(to, content)
            }
            Inst::Store { bytes: bytes @ (1 | 2 | 4 | 8), from, address } => {
                let content = self.content(from)?;
                self.store_at(self.pointer(address)?, bytes.into(), content)
            }
            Inst::LoadPair { first, second, address } => {
                let pointer = self.pointer(address)?;
                self.load_pair(first, second, pointer)
            }
            Inst::StorePair { first, second, address } => {
                let pointer = self.pointer(address)?;
                self.store_pair(first, second, pointer)
            }
            Inst::Push { first, second, bytes } => {
                let to = Self::moved(self.base(Gpr::SP)?, -i64::from(bytes))?;
                self.set_stack_pointer(to)?;
                self.store_pair(first, second, to)
            }
            Inst::Pop { first, second, bytes } => {
                let from = self.base(Gpr::SP)?;
                self.load_pair(first, second, from)?;
                self.set_stack_pointer(Self::moved(from, bytes.into())?)
            }
            Inst::Constant { to, offset } if offset % 8 == 0 => {
                let content = self.constant_at(offset.into(), 8)?;
                self.set(to, content)
            }
            _ => Err(Fault::Form),
        }
    }

    fn set_stack_pointer(&mut self, pointer: Content) -> Result<(), Fault> {
        self.set_general(Gpr::SP.place().ok_or(Fault::Form)?, pointer)
    }

    /// Both words are read before a register is written.
    fn load_pair(&mut self, first: Gpr, second: Gpr, pointer: Content) -> Result<(), Fault> {
        // What two loads into one register leave there is not said.
        if first == second {
            return Err(Fault::Form);
        }
        let low = self.load_at(pointer, 8)?;
        let high = self.load_at(Self::moved(pointer, 8)?, 8)?;
        self.set(first, low)?;
        self.set(second, high)
    }

    fn store_pair(&mut self, first: Gpr, second: Gpr, pointer: Content) -> Result<(), Fault> {
        let (low, high) = (self.content(first)?, self.content(second)?);
        self.store_at(pointer, 8, low)?;
        self.store_at(Self::moved(pointer, 8)?, 8, high)
    }
}
