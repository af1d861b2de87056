//! The memory of a program, with a mask of secret bits for each byte.

use cocrypt_ir::Width;
use cocrypt_isa::CodeMemory;

use crate::shadow::Shadowed;

/// One piece of memory, little-endian.
#[derive(Clone, Debug)]
pub struct Memory {
    base: u32,
    bytes: Vec<u8>,
    secret: Vec<u8>,
    /// What lies elsewhere and is only read: where, and what is there.
    constant: (u32, Vec<u8>),
}

impl Memory {
    /// Memory that holds these bytes, none of which is secret.
    #[must_use]
    pub fn new(base: u32, bytes: Vec<u8>) -> Self {
        let secret = vec![0; bytes.len()];
        Self { base, bytes, secret, constant: (0, vec![]) }
    }

    /// The same with what lies elsewhere, is only read, and is no secret.
    #[must_use]
    pub fn beside(self, base: u32, bytes: Vec<u8>) -> Self {
        Self { constant: (base, bytes), ..self }
    }

    /// Says that all bits of some bytes are secret; whether all of them lie in this memory.
    pub fn hide(&mut self, address: u32, size: usize) -> bool {
        let Some(from) = self.place(address, size) else { return false };
        self.secret[from..from + size].fill(0xff);
        true
    }

    /// The value at an address, if all of it lies in this memory.
    #[must_use]
    pub fn load(&self, address: u32, width: Width) -> Option<Shadowed> {
        let size = width.bytes() as usize;
        let Some(from) = self.place(address, size) else { return self.constant(address, size) };
        let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |all, &one| all << 8 | u64::from(one));
        let (value, secret) = (&self.bytes[from..from + size], &self.secret[from..from + size]);
        Some(Shadowed::new(word(value), word(secret)))
    }

    fn constant(&self, address: u32, size: usize) -> Option<Shadowed> {
        let from = address.wrapping_sub(self.constant.0) as usize;
        let bytes = self.constant.1.get(from..from.checked_add(size)?)?;
        let value = bytes.iter().rev().fold(0, |all, &one| all << 8 | u64::from(one));
        Some(Shadowed::public(value))
    }

    /// Writes a value; whether all of it lies in this memory.
    pub fn store(&mut self, address: u32, width: Width, what: Shadowed) -> bool {
        let size = width.bytes() as usize;
        let Some(from) = self.place(address, size) else { return false };
        self.bytes[from..from + size].copy_from_slice(&what.value.to_le_bytes()[..size]);
        self.secret[from..from + size].copy_from_slice(&what.secret.to_le_bytes()[..size]);
        true
    }

    /// Where so many bytes stand, if all of them lie in this memory.
    fn place(&self, address: u32, size: usize) -> Option<usize> {
        let from = address.wrapping_sub(self.base) as usize;
        (from.checked_add(size)? <= self.bytes.len()).then_some(from)
    }
}

impl CodeMemory for Memory {
    fn unit(&self, address: u64) -> Option<u16> {
        let found = self.load(u32::try_from(address).ok()?, Width::W16)?;
        Some(found.value as u16)
    }

    fn fetch_wait(&self, _address: u64) -> u32 {
        1
    }

    fn is_boundary(&self, _address: u64) -> bool {
        false
    }
}
