//! A window that shows a section of a memory: what a register selects.

use cocrypt_config as config;
use cocrypt_ir::Width;

/// The memory's bytes, and the register.
#[derive(Clone, Debug)]
pub struct Window {
    described: config::MemoryWindow,
    /// The memory's first address.
    first: u32,
    bytes: Vec<u8>,
    /// Cycles that a read waits.
    pub wait: u32,
    register: u8,
}

impl Window {
    /// That of a device, if it has one.
    pub fn of(device: &config::Device) -> Option<Self> {
        let described = device.window.clone()?;
        let memory = device.memories.iter().find(|memory| memory.name == described.memory)?;
        Some(Self {
            register: described.reset,
            first: memory.base as u32,
            bytes: vec![0; memory.size as usize],
            wait: memory.data_wait,
            described,
        })
    }

    /// The bytes put into the memory.
    pub fn put(&mut self, address: u32, bytes: &[u8]) {
        let Some(offset) = address.checked_sub(self.first).map(|offset| offset as usize) else {
            return;
        };
        if let Some(to) = self.bytes.get_mut(offset..offset + bytes.len()) {
            to.copy_from_slice(bytes);
        }
    }

    /// The value read at an address, if the window or its register has it.
    pub fn read(&self, address: u32, width: Width) -> Option<u64> {
        if self.selects(address) {
            return (width == Width::W8).then_some(self.register.into());
        }
        let bytes = self.get(address, width.bytes() as usize)?;
        Some(bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte)))
    }

    /// The bytes at an address of the window.
    pub fn get(&self, address: u32, size: usize) -> Option<&[u8]> {
        let offset = u64::from(address).checked_sub(self.described.base)?;
        if offset + size as u64 > self.described.size {
            return None;
        }
        // A section that the memory does not have is one that it has: it leaves the upper bits out.
        let from =
            (self.section() * self.described.size) as usize % self.bytes.len() + offset as usize;
        self.bytes.get(from..from + size)
    }

    /// Writes the register; whether it is there.
    pub fn write(&mut self, address: u32, value: u8) -> bool {
        let is_there = self.selects(address);
        if is_there && self.register & self.described.lock == 0 {
            self.register = value;
        }
        is_there
    }

    fn selects(&self, address: u32) -> bool {
        u64::from(address) == self.described.register
    }

    fn section(&self) -> u64 {
        let select = self.described.select;
        u64::from((self.register & select) >> select.trailing_zeros())
    }
}
