//! Addresses, and loads and stores by them. **Trusted.**

use super::{Content, Fault, Machine};
use crate::x86_64::instruction::{Address, Base, Gpr, Operand};

impl Machine<'_> {
    pub(super) fn lea(&mut self, address: &Address) -> Result<Content, Fault> {
        let Base::Register(base) = address.base else {
            return match address.index {
                None => Ok(Content::Constants(address.displacement.into())),
                Some(_) => Err(Fault::Address),
            };
        };
        let base = self.registers[base.number() as usize];
        if let Some(offset) = self.known_offset(address)? {
            match base {
                Content::Known(x) => return Ok(Content::Known(x.wrapping_add(offset))),
                Content::Array(..) | Content::Stack(_) | Content::Frame(..) | Content::Constants(_) => {
                    return Self::moved(base, offset as i64);
                }
                _ => {}
            }
        }
        // No address, but a sum.
        let Some((x, 64)) = self.number(base) else {
            return Err(if base == Content::Undefined { Fault::Undefined("base") } else { Fault::Address });
        };
        let mut offset = self.terms.word_constant(i64::from(address.displacement) as u64);
        if let Some((index, scale)) = address.index {
            let x = self.read(Operand::Register(index), 64)?;
            let x = self.terms.shift_left(x, scale.trailing_zeros(), 64);
            offset = if address.displacement == 0 { x } else { self.terms.add(x, offset, 64) };
        }
        Ok(Content::Word(self.terms.add(x, offset, 64), 64))
    }

    /// What is added to the base of an address, where it derives from constants alone.
    fn known_offset(&self, address: &Address) -> Result<Option<u64>, Fault> {
        let displacement = i64::from(address.displacement) as u64;
        let Some((index, scale)) = address.index else { return Ok(Some(displacement)) };
        if index == Gpr::Rsp || ![1, 2, 4, 8].contains(&scale) {
            return Err(Fault::Form);
        }
        Ok(match self.registers[index.number() as usize] {
            Content::Known(x) => Some(x.wrapping_mul(u64::from(scale)).wrapping_add(displacement)),
            _ => None,
        })
    }

    pub(super) fn load(&mut self, address: &Address, bytes: u32) -> Result<Content, Fault> {
        if address.base == Base::Constants {
            return match address.index {
                None => self.constant_at(i64::from(address.displacement), bytes),
                Some(_) => Err(Fault::Access),
            };
        }
        let pointer = self.lea(address)?;
        self.load_at(pointer, bytes)
    }

    pub(super) fn store(&mut self, address: &Address, bytes: u32, content: Content) -> Result<(), Fault> {
        if address.base == Base::Constants {
            return Err(Fault::Access);
        }
        let pointer = self.lea(address)?;
        self.store_at(pointer, bytes, content)
    }
}
