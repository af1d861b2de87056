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

impl CodeMemory for Code<'_> {
    fn unit(&self, address: u64) -> Option<u16> {
        let address = address as u32;
        match self.ram.get(address, 2) {
            Some(&[low, high]) => Some(u16::from_le_bytes([low, high])),
            _ => self.bus.code_unit(address),
        }
    }

    fn fetch_wait(&self, address: u64) -> u32 {
        let address = address as u32;
        let rom = self.ram.rom().filter(|rom| rom.contains(address));
        let beside = || rom.map_or_else(|| self.bus.fetch_wait(address), |rom| rom.fetch_wait);
        if self.ram.contains(address) { self.ram.fetch_wait } else { beside() }
    }

    fn is_boundary(&self, address: u64) -> bool {
        self.single || self.cut == Some(address) || self.boundaries.binary_search(&address).is_ok()
    }
}
