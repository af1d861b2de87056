//! The memory accesses of an entry into a handler.

use cocrypt_ir::{Environment, Fault, Width};
use cocrypt_isa::{Purpose, Trap};

use crate::bus::Bus;
use crate::caches::Tags;
use crate::leakage::MemoryAccess;
use crate::mapped::Mapped;
use crate::ram::Ram;

/// The memory accesses of an entry into a handler: what the access at a wrong address does all the same.
pub(super) struct Memory<'a> {
    pub ram: &'a mut Ram,
    /// Other memories, which are as quick as that one.
    pub bus: &'a mut dyn Bus,
    /// The guest state that is memory too.
    pub mapped: &'a Mapped,
    /// The stores to guest state, which are made behind the entry.
    pub to_cells: Vec<(u32, Width, u64)>,
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

    /// A store to guest state, or to a memory that takes what the entry's cost assumes.
    fn store_beside(&mut self, address: u32, width: Width, value: u64) -> Result<(), Fault> {
        if self.mapped.holds(address, width) {
            self.to_cells.push((address, width, value));
            return Ok(());
        }
        let wait = self.bus.store(address, width, value);
        if wait == Some(self.ram.data_wait) { Ok(()) } else { Err(Fault { address }) }
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
            return self.store_beside(physical, width, value);
        }
        let hit = self.tags_of(physical).is_none_or(|tags| tags.write(address));
        self.misses += u64::from(!hit);
        Ok(())
    }

    fn count(&mut self, _: cocrypt_ir::Counter) -> u64 {
        0
    }
}
