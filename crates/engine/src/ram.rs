//! The directly mapped memory: where code, data and stack of most programs live.

use std::ops::Range;

use cocrypt_ir::Width;

/// A memory that the engine reaches without asking the bus.
#[derive(Clone, Debug)]
pub struct Ram {
    base: u32,
    bytes: Vec<u8>,
    /// Cycles from request to answer of an instruction fetch.
    pub fetch_wait: u32,
    /// Cycles from request to answer of a data access.
    pub data_wait: u32,
    /// The offsets between which code was translated: a quick answer for most writes.
    code: Range<u32>,
    /// One bit for each two bytes of memory, set where code was translated.
    translated: Vec<u64>,
}

impl Ram {
    /// The first address, and how many bytes there are.
    #[must_use]
    pub fn range(&self) -> (u32, u32) {
        (self.base, self.bytes.len() as u32)
    }

    /// A zeroed memory of `size` bytes at `base`.
    #[must_use]
    pub fn new(base: u32, size: u32, fetch_wait: u32, data_wait: u32) -> Self {
        Self {
            base,
            bytes: vec![0; size as usize],
            fetch_wait,
            data_wait,
            code: 0..0,
            translated: vec![0; size as usize / 128 + 1],
        }
    }

    /// Address of its first byte.
    #[must_use]
    pub const fn base(&self) -> u32 {
        self.base
    }

    /// Its size in bytes.
    #[must_use]
    pub const fn size(&self) -> u32 {
        self.bytes.len() as u32
    }

    /// All bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes at `address`, if all of them lie in this memory.
    #[must_use]
    pub fn get(&self, address: u32, size: usize) -> Option<&[u8]> {
        let from = address.wrapping_sub(self.base) as usize;
        self.bytes.get(from..from.checked_add(size)?)
    }

    /// The bytes at `address`, to be written from outside the program.
    pub fn get_mut(&mut self, address: u32, size: usize) -> Option<&mut [u8]> {
        let from = address.wrapping_sub(self.base) as usize;
        self.bytes.get_mut(from..from.checked_add(size)?)
    }

    /// The little-endian value at `address`, zero-extended, if all its bytes lie in this memory.
    #[must_use]
    pub fn read(&self, address: u32, width: Width) -> Option<u64> {
        let bytes = self.get(address, width.bytes() as usize)?;
        Some(bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte)))
    }

    /// Writes the low bytes of `value`, if all of them lie in this memory; says whether they do.
    pub fn write(&mut self, address: u32, width: Width, value: u64) -> bool {
        let Some(bytes) = self.get_mut(address, width.bytes() as usize) else { return false };
        let count = bytes.len();
        bytes.copy_from_slice(&value.to_le_bytes()[..count]);
        true
    }

    /// Whether the address lies in this memory.
    #[must_use]
    pub fn contains(&self, address: u32) -> bool {
        (address.wrapping_sub(self.base) as usize) < self.bytes.len()
    }

    /// Remembers that blocks were made from these addresses, so that writes there are noticed.
    pub(crate) fn mark_code(&mut self, code: Range<u32>) {
        let last = (self.bytes.len() as u32).min(code.end.wrapping_sub(self.base));
        let offset = code.start.wrapping_sub(self.base)..last;
        for unit in offset.start / 2..offset.end.div_ceil(2) {
            self.translated[unit as usize / 64] |= 1 << (unit % 64);
        }
        self.code = if self.code.is_empty() {
            offset
        } else {
            self.code.start.min(offset.start)..self.code.end.max(offset.end)
        };
    }

    /// All its bytes, for compiled code.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }

    /// The offset from which on no code was translated.
    #[must_use]
    pub const fn unwatched_from(&self) -> u32 {
        self.code.end
    }

    /// Forgets from where blocks were made.
    pub fn forget_code(&mut self) {
        self.code = 0..0;
        self.translated.fill(0);
    }

    /// Whether a write of `size` bytes at this address changes code that was translated.
    pub(crate) fn is_code(&self, address: u32, size: u32) -> bool {
        let offset = address.wrapping_sub(self.base);
        (offset / 2..(offset + size).div_ceil(2)).any(|unit| {
            self.translated.get(unit as usize / 64).is_some_and(|bits| bits >> (unit % 64) & 1 != 0)
        })
    }

    #[inline]
    pub(crate) fn load<const N: usize>(&self, address: u32) -> Option<[u8; N]> {
        let offset = address.wrapping_sub(self.base);
        if offset & (N as u32 - 1) != 0 {
            return None;
        }
        self.bytes.get(offset as usize..)?.first_chunk::<N>().copied()
    }

    /// Stores, unless the address is unaligned, elsewhere or among translated code.
    #[inline]
    pub(crate) fn store<const N: usize>(&mut self, address: u32, value: [u8; N]) -> bool {
        let offset = address.wrapping_sub(self.base);
        let in_code = offset.wrapping_sub(self.code.start) < self.code.end - self.code.start;
        if offset & (N as u32 - 1) != 0 || in_code {
            return false;
        }
        let Some(place) = self.bytes.get_mut(offset as usize..) else { return false };
        let Some(place) = place.first_chunk_mut::<N>() else { return false };
        *place = value;
        true
    }
}
