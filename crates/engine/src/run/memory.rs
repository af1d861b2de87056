//! The memory accesses of an entry into a handler.

use cocrypt_ir::{Environment, Fault, Width};
use cocrypt_isa::{Purpose, Trap};

use crate::caches::Tags;
use crate::leakage::MemoryAccess;
use crate::ram::Ram;

/// The memory accesses of an entry into a handler: what the access at a wrong address does all the same.
pub(super) struct Memory<'a> {
    pub ram: &'a mut Ram,
    /// The tags of the data cache, if there is one.
    pub tags: Option<&'a mut Tags>,
    /// True if that is of the memory that programs only read.
    pub of_rom: bool,
    /// The number of lines that it lacked.
    pub misses: u64,
    /// True if code was written.
    pub code: bool,
    /// The access that the program has no right to.
    pub refused: Option<Trap>,
    /// The accesses, if a leakage model is told of them.
    pub accesses: Option<Vec<MemoryAccess>>,
}

impl Memory<'_> {
    fn reach(&mut self, address: u32, purpose: Purpose) -> Result<u32, Fault> {
        self.ram.reach(address, purpose).map_err(|status| {
            self.refused = Some(Trap::Refused { address, purpose, status });
            Fault { address }
        })
    }

    /// The data cache, if it is for what lies at a physical address.
    fn tags_of(&mut self, physical: u32) -> Option<&mut Tags> {
        let is_covered = !self.of_rom || self.ram.rom_more(physical).is_some();
        self.tags.as_deref_mut().filter(|_| is_covered)
    }
}

impl Environment for Memory<'_> {
    fn load(&mut self, address: u32, width: Width) -> Result<u64, Fault> {
        let physical = self.reach(address, Purpose::Read)?;
        let value = self.ram.value(physical, width).ok_or(Fault { address })?;
        let hit = self.tags_of(physical).is_none_or(|tags| tags.read(address));
        self.misses += u64::from(!hit);
        if let Some(accesses) = &mut self.accesses {
            accesses.push(MemoryAccess { address, width, value, replaced: None });
        }
        Ok(value)
    }

    fn store(&mut self, address: u32, width: Width, value: u64) -> Result<(), Fault> {
        let physical = self.reach(address, Purpose::Write)?;
        self.code |= self.ram.is_code(physical, width.bytes());
        if let Some(accesses) = &mut self.accesses {
            let replaced = self.ram.value(physical, width);
            accesses.push(MemoryAccess { address, width, value, replaced });
        }
        if !self.ram.set(physical, width, value) {
            return Err(Fault { address });
        }
        let hit = self.tags_of(physical).is_none_or(|tags| tags.write(address));
        self.misses += u64::from(!hit);
        Ok(())
    }

    fn count(&mut self, _: cocrypt_ir::Counter) -> u64 {
        0
    }
}
