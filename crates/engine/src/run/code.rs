//! The code around a block.

use cocrypt_isa::CodeMemory;

use crate::bus::Bus;
use crate::ram::Ram;

/// The code as front end and timing model see it.
pub(super) struct Code<'a> {
    pub ram: &'a Ram,
    pub bus: &'a dyn Bus,
    pub boundaries: &'a [u64],
    pub single: bool,
    /// One more boundary.
    pub cut: Option<u64>,
}

impl Code<'_> {
    /// The bytes at an address, whatever rights the program has there.
    fn any(&self, address: u32) -> Option<u16> {
        let physical = self.ram.physical(address)?;
        match self.ram.at(physical, 2) {
            Some(&[low, high]) => Some(u16::from_le_bytes([low, high])),
            _ => self.bus.code_unit(physical),
        }
    }
}

impl CodeMemory for Code<'_> {
    fn unit(&self, address: u64) -> Option<u16> {
        let address = address as u32;
        self.ram.may_fetch(address).then(|| self.any(address))?
    }

    fn fetch_wait(&self, address: u64) -> u32 {
        let Some(address) = self.ram.physical(address as u32) else { return 1 };
        let rom = self.ram.rom().filter(|rom| rom.contains(address));
        let beside = || rom.map_or_else(|| self.bus.fetch_wait(address), |rom| rom.fetch_wait);
        if self.ram.holds(address) { self.ram.fetch_wait } else { beside() }
    }

    fn is_boundary(&self, address: u64) -> bool {
        self.single || self.cut == Some(address) || self.boundaries.binary_search(&address).is_ok()
    }
}

/// The same code, whatever rights the program has to it: as a debugger reads it, or a core that looks for
/// a handler.
pub(super) struct UncheckedCode<'a>(pub Code<'a>);

impl CodeMemory for UncheckedCode<'_> {
    fn unit(&self, address: u64) -> Option<u16> {
        self.0.any(address as u32)
    }

    fn fetch_wait(&self, address: u64) -> u32 {
        self.0.fetch_wait(address)
    }

    fn is_boundary(&self, address: u64) -> bool {
        self.0.is_boundary(address)
    }
}
