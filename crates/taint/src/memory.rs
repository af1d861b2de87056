//! The memory of a program, with a mask of secret bits for each byte.

use cocrypt_ir::Width;
use cocrypt_isa::CodeMemory;

use crate::shadow::Shadowed;

/// Memory in pieces, little-endian.
#[derive(Clone, Debug)]
pub struct Memory {
    /// The first one is where programs reach most of the time.
    regions: Vec<Region>,
}

/// One piece.
#[derive(Clone, Debug)]
struct Region {
    base: u32,
    bytes: Vec<u8>,
    secret: Vec<u8>,
    /// True if the program may write there.
    is_written: bool,
}

impl Memory {
    /// Memory that holds these bytes, none of which is secret.
    #[must_use]
    pub fn new(base: u32, bytes: Vec<u8>) -> Self {
        Self { regions: vec![Region::new(base, bytes, true)] }
    }

    /// The same with what lies elsewhere and is only read.
    #[must_use]
    pub fn beside(self, base: u32, bytes: Vec<u8>) -> Self {
        self.with(Region::new(base, bytes, false))
    }

    /// The same with what lies elsewhere and may be written.
    #[must_use]
    pub fn and(self, base: u32, bytes: Vec<u8>) -> Self {
        self.with(Region::new(base, bytes, true))
    }

    fn with(mut self, region: Region) -> Self {
        self.regions.push(region);
        self
    }

    /// Says that all bits of some bytes are secret; whether all of them lie in one piece of memory.
    pub fn hide(&mut self, address: u32, size: usize) -> bool {
        let found = self
            .regions
            .iter_mut()
            .find_map(|region| Some((region.offset(address, size)?, region)));
        let Some((from, region)) = found else { return false };
        region.secret[from..from + size].fill(0xff);
        true
    }

    /// Puts bytes that are no secret into one piece of memory, one that programs only read too; whether all
    /// of them lie in it.
    pub fn put(&mut self, address: u32, bytes: &[u8]) -> bool {
        let size = bytes.len();
        let found = self
            .regions
            .iter_mut()
            .find_map(|region| Some((region.offset(address, size)?, region)));
        let Some((from, region)) = found else { return false };
        region.bytes[from..from + size].copy_from_slice(bytes);
        region.secret[from..from + size].fill(0);
        true
    }

    /// The bytes at an address, if all of them lie in one piece of memory.
    #[must_use]
    pub fn bytes(&self, address: u32, size: usize) -> Option<Vec<u8>> {
        self.regions.iter().find_map(|region| {
            let from = region.offset(address, size)?;
            Some(region.bytes[from..from + size].to_vec())
        })
    }

    /// The value at an address, if all of it lies in one piece of memory.
    #[must_use]
    pub fn load(&self, address: u32, width: Width) -> Option<Shadowed> {
        self.regions.iter().find_map(|region| region.load(address, width.bytes() as usize))
    }

    /// Writes a value; whether all of it lies in one piece that may be written.
    pub fn store(&mut self, address: u32, width: Width, what: Shadowed) -> bool {
        let size = width.bytes() as usize;
        let mut written = self.regions.iter_mut().filter(|region| region.is_written);
        written.any(|region| region.store(address, size, what))
    }
}

impl Region {
    fn new(base: u32, bytes: Vec<u8>, is_written: bool) -> Self {
        let secret = vec![0; bytes.len()];
        Self { base, bytes, secret, is_written }
    }

    fn load(&self, address: u32, size: usize) -> Option<Shadowed> {
        let from = self.offset(address, size)?;
        let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |all, &one| all << 8 | u64::from(one));
        let (value, secret) = (&self.bytes[from..from + size], &self.secret[from..from + size]);
        Some(Shadowed::new(word(value), word(secret)))
    }

    fn store(&mut self, address: u32, size: usize, what: Shadowed) -> bool {
        let Some(from) = self.offset(address, size) else { return false };
        self.bytes[from..from + size].copy_from_slice(&what.value.to_le_bytes()[..size]);
        self.secret[from..from + size].copy_from_slice(&what.secret.to_le_bytes()[..size]);
        true
    }

    /// The offset of so many bytes, if all of them are in this memory.
    fn offset(&self, address: u32, size: usize) -> Option<usize> {
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
