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
    #[inline]
    #[must_use]
    pub fn load(&self, address: u32, width: Width) -> Option<Shadowed> {
        self.regions.iter().find_map(|region| region.load(address, width))
    }

    /// Writes a value; whether all of it lies in one piece that may be written.
    #[inline]
    pub fn store(&mut self, address: u32, width: Width, what: Shadowed) -> bool {
        let mut written = self.regions.iter_mut().filter(|region| region.is_written);
        written.any(|region| region.store(address, width, what).is_some())
    }
}

impl Region {
    fn new(base: u32, bytes: Vec<u8>, is_written: bool) -> Self {
        let secret = vec![0; bytes.len()];
        Self { base, bytes, secret, is_written }
    }

    #[inline]
    fn load(&self, address: u32, width: Width) -> Option<Shadowed> {
        match width {
            Width::W8 => self.load_bytes::<1>(address),
            Width::W16 => self.load_bytes::<2>(address),
            Width::W32 => self.load_bytes::<4>(address),
            Width::W64 => self.load_bytes::<8>(address),
        }
    }

    /// A size that is known when it is compiled makes one access of each copy.
    #[inline]
    fn load_bytes<const SIZE: usize>(&self, address: u32) -> Option<Shadowed> {
        let from = address.wrapping_sub(self.base) as usize;
        let value = self.bytes.get(from..)?.first_chunk::<SIZE>()?;
        let secret = self.secret.get(from..)?.first_chunk::<SIZE>()?;
        Some(Shadowed::new(word(value), word(secret)))
    }

    /// Nothing if it is not all in this memory.
    #[inline]
    fn store(&mut self, address: u32, width: Width, what: Shadowed) -> Option<()> {
        match width {
            Width::W8 => self.store_bytes::<1>(address, what),
            Width::W16 => self.store_bytes::<2>(address, what),
            Width::W32 => self.store_bytes::<4>(address, what),
            Width::W64 => self.store_bytes::<8>(address, what),
        }
    }

    #[inline]
    fn store_bytes<const SIZE: usize>(&mut self, address: u32, what: Shadowed) -> Option<()> {
        let from = address.wrapping_sub(self.base) as usize;
        let value = self.bytes.get_mut(from..)?.first_chunk_mut::<SIZE>()?;
        value.copy_from_slice(&what.value.to_le_bytes()[..SIZE]);
        let secret = self.secret.get_mut(from..)?.first_chunk_mut::<SIZE>()?;
        secret.copy_from_slice(&what.secret.to_le_bytes()[..SIZE]);
        Some(())
    }

    /// The offset of so many bytes, if all of them are in this memory.
    fn offset(&self, address: u32, size: usize) -> Option<usize> {
        let from = address.wrapping_sub(self.base) as usize;
        (from.checked_add(size)? <= self.bytes.len()).then_some(from)
    }
}

/// Bytes as a number, the lowest first.
#[inline]
fn word<const SIZE: usize>(bytes: &[u8; SIZE]) -> u64 {
    let mut all = [0; 8];
    all[..SIZE].copy_from_slice(bytes);
    u64::from_le_bytes(all)
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
