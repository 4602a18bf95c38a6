//! Memory: regions with bounds and rights, and nothing between them.

use crate::fault::Fault;

/// What may be done to a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// Read only.
    Read,
    /// Read and written.
    ReadWrite,
}

/// Bytes at an address.
#[derive(Clone, Debug)]
pub struct Region {
    /// What it is, for messages.
    pub name: String,
    /// Address of the first byte.
    pub base: u64,
    /// Content.
    pub bytes: Vec<u8>,
    /// What may be done to it.
    pub access: Access,
    /// For each byte whether it holds something; `None`: all of them do. Bytes that hold nothing may not be read.
    pub defined: Option<Vec<bool>>,
}

/// All memory that a function can reach.
#[derive(Clone, Default, Debug)]
pub struct Memory {
    regions: Vec<Region>,
}

impl Memory {
    /// Adds a region.
    ///
    /// # Panics
    /// When it overlaps another one.
    pub fn add(&mut self, region: Region) {
        let end = region.base + region.bytes.len() as u64;
        let apart = |other: &Region| end <= other.base || other.base + other.bytes.len() as u64 <= region.base;
        assert!(self.regions.iter().all(apart), "{} overlaps another region", region.name);
        self.regions.push(region);
    }

    /// The region of that name.
    pub fn region(&self, name: &str) -> Option<&Region> {
        self.regions.iter().find(|region| region.name == name)
    }

    /// The region that holds all these bytes, and where in it they begin.
    fn find(&self, address: u64, bytes: usize) -> Result<(usize, usize), Fault> {
        self.regions
            .iter()
            .enumerate()
            .find_map(|(i, region)| {
                let at = usize::try_from(address.checked_sub(region.base)?).ok()?;
                (at.checked_add(bytes)? <= region.bytes.len()).then_some((i, at))
            })
            .ok_or(Fault::Outside { address, bytes })
    }

    /// Reads bytes.
    pub(crate) fn read(&self, address: u64, out: &mut [u8]) -> Result<(), Fault> {
        let (i, at) = self.find(address, out.len())?;
        let region = &self.regions[i];
        if region.defined.as_ref().is_some_and(|defined| defined[at..at + out.len()].contains(&false)) {
            return Err(Fault::Unwritten(region.name.clone()));
        }
        out.copy_from_slice(&region.bytes[at..at + out.len()]);
        Ok(())
    }

    /// Writes bytes.
    pub(crate) fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), Fault> {
        let (i, at) = self.find(address, bytes.len())?;
        let region = &mut self.regions[i];
        if region.access == Access::Read {
            return Err(Fault::ReadOnly(region.name.clone()));
        }
        region.bytes[at..at + bytes.len()].copy_from_slice(bytes);
        if let Some(defined) = &mut region.defined {
            defined[at..at + bytes.len()].fill(true);
        }
        Ok(())
    }
}
