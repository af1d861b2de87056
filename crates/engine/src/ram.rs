//! The directly mapped memory: where code, data and stack of most programs live; and beside it, on
//! devices that have one, the memory of code and constants that programs do not write.

use std::ops::Range;

use cocrypt_ir::Width;
use cocrypt_isa::Purpose;

use crate::translation::Translation;

/// A memory that programs only read: flash, as a rule.
#[derive(Clone, Debug)]
pub struct Rom {
    base: u32,
    bytes: Vec<u8>,
    /// Cycles from request to answer of an instruction fetch.
    pub fetch_wait: u32,
    /// Cycles from request to answer of a data access.
    pub data_wait: u32,
}

impl Rom {
    /// A zeroed memory of `size` bytes at `base`.
    #[must_use]
    pub fn new(base: u32, size: u32, fetch_wait: u32, data_wait: u32) -> Self {
        Self { base, bytes: vec![0; size as usize], fetch_wait, data_wait }
    }

    /// The first address, and how many bytes there are.
    #[must_use]
    pub const fn range(&self) -> (u32, u32) {
        (self.base, self.bytes.len() as u32)
    }

    /// All bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns true if the address lies in this memory.
    #[must_use]
    pub fn contains(&self, address: u32) -> bool {
        (address.wrapping_sub(self.base) as usize) < self.bytes.len()
    }
}

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
    /// The memory beside it that is only read.
    rom: Option<Rom>,
    /// The address translation, if there is one; nothing is reached directly then.
    translation: Option<Translation>,
    /// The bytes while addresses are translated; `bytes` is empty then.
    behind: Vec<u8>,
}

impl Ram {
    /// The first address, and how many bytes there are.
    #[must_use]
    pub fn range(&self) -> (u32, u32) {
        (self.base, self.size())
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
            rom: None,
            translation: None,
            behind: vec![],
        }
    }

    /// Puts a memory beside it that programs only read.
    #[must_use]
    pub fn beside(self, rom: Option<Rom>) -> Self {
        Self { rom, ..self }
    }

    /// The memory beside it that programs only read.
    #[must_use]
    pub const fn rom(&self) -> Option<&Rom> {
        self.rom.as_ref()
    }

    /// Cycles that a load takes longer from the memory beside it than from this one; nothing if it does
    /// not go there.
    #[must_use]
    pub fn rom_more(&self, address: u32) -> Option<i64> {
        let rom = self.rom.as_ref().filter(|rom| rom.contains(address))?;
        Some(i64::from(rom.data_wait) - i64::from(self.data_wait))
    }

    /// Address of its first byte.
    #[must_use]
    pub const fn base(&self) -> u32 {
        self.base
    }

    /// Its size in bytes.
    #[must_use]
    pub fn size(&self) -> u32 {
        self.all().len() as u32
    }

    /// All bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.all()
    }

    /// The bytes at `address`, if all of them lie in this memory or in the one beside it, one behind the
    /// other. No rights are asked for.
    #[must_use]
    pub fn get(&self, address: u32, size: usize) -> Option<&[u8]> {
        match self.physical_ranges(address, size)?[..] {
            [(physical, size)] => self.at(physical, size),
            _ => None,
        }
    }

    /// The translation of a range of addresses, as physical ranges in order, each with
    /// its size; nothing if one of them leads nowhere.
    #[must_use]
    pub fn physical_ranges(&self, address: u32, size: usize) -> Option<Vec<(u32, usize)>> {
        let Some(translation) = &self.translation else { return Some(vec![(address, size)]) };
        let (mut ranges, mut done) = (vec![], 0);
        while done < size || ranges.is_empty() {
            let at = address.wrapping_add(done as u32);
            let page = translation.page(at, &|at| self.word(at)).ok()?;
            let here = (page.size - (at - page.from)) as usize;
            let (physical, more) = (page.leads(at), here.min(size - done));
            match ranges.last_mut() {
                Some((from, known)) if *from + *known as u32 == physical => *known += more,
                _ => ranges.push((physical, more)),
            }
            done += more;
        }
        Some(ranges)
    }

    /// The physical address of an address, whatever rights the program has there.
    #[must_use]
    pub fn physical(&self, address: u32) -> Option<u32> {
        let Some(translation) = &self.translation else { return Some(address) };
        let page = translation.page(address, &|at| self.word(at));
        page.ok().map(|page| page.leads(address))
    }

    /// The physical address of an access that the program makes for this purpose.
    ///
    /// # Errors
    /// The core's fault status, where it has no right to it.
    pub fn reach(&mut self, address: u32, purpose: Purpose) -> Result<u32, u32> {
        let Some(translation) = &self.translation else { return Ok(address) };
        let (physical, page) = translation.reach(address, purpose, &|at| self.word(at))?;
        if let Some(translation) = &mut self.translation {
            translation.keep(address, page);
        }
        Ok(physical)
    }

    /// Returns true if the program has a right to instructions at an address.
    #[must_use]
    pub fn may_fetch(&self, address: u32) -> bool {
        self.translation.as_ref().is_none_or(|translation| {
            translation.reach(address, Purpose::Fetch, &|at| self.word(at)).is_ok()
        })
    }

    /// The address translation.
    #[must_use]
    pub const fn translation(&self) -> Option<&Translation> {
        self.translation.as_ref()
    }

    /// Has addresses translated from now on, or not any more.
    pub fn translate(&mut self, translation: Option<Translation>) {
        if self.translation.is_some() != translation.is_some() {
            std::mem::swap(&mut self.bytes, &mut self.behind);
        }
        self.translation = translation;
    }

    /// The bytes at a physical address, if all of them lie in this memory or in the one beside it.
    #[must_use]
    pub fn at(&self, physical: u32, size: usize) -> Option<&[u8]> {
        let from = |base: u32| physical.wrapping_sub(base) as usize;
        let within = |base: u32| Some(from(base)..from(base).checked_add(size)?);
        let here = self.all().get(within(self.base)?);
        here.or_else(|| self.rom.as_ref().and_then(|rom| rom.bytes.get(within(rom.base)?)))
    }

    /// The bytes at a physical address, to be written from outside the program.
    pub fn at_mut(&mut self, physical: u32, size: usize) -> Option<&mut [u8]> {
        let from = |base: u32| physical.wrapping_sub(base) as usize;
        let within = |base: u32| Some(from(base)..from(base).checked_add(size)?);
        let all = if self.translation.is_some() { &mut self.behind } else { &mut self.bytes };
        let here = all.get_mut(within(self.base)?);
        here.or_else(|| self.rom.as_mut().and_then(|rom| rom.bytes.get_mut(within(rom.base)?)))
    }

    fn all(&self) -> &[u8] {
        if self.translation.is_some() { &self.behind } else { &self.bytes }
    }

    /// The word at a physical address.
    fn word(&self, physical: u32) -> Option<u32> {
        Some(u32::from_le_bytes(self.at(physical, 4)?.try_into().ok()?))
    }

    /// The little-endian value at `address`, zero-extended, if all its bytes lie in this memory or in the
    /// one beside it.
    #[must_use]
    pub fn read(&self, address: u32, width: Width) -> Option<u64> {
        self.value(self.physical(address)?, width)
    }

    /// The same at a physical address.
    #[must_use]
    pub fn value(&self, physical: u32, width: Width) -> Option<u64> {
        let size = width.bytes() as usize;
        let mut value = [0; size_of::<u64>()];
        value[..size].copy_from_slice(self.at(physical, size)?);
        Some(u64::from_le_bytes(value))
    }

    /// The value of an aligned load from this memory or the one beside it where addresses are not translated, and
    /// the cycles that it takes longer than from this one.
    #[inline]
    pub(crate) fn direct(&self, address: u32, width: Width) -> Option<(u64, i64)> {
        let is_aligned = address & (width.bytes() - 1) == 0;
        let value = match self.translation {
            None if is_aligned => self.value(address, width)?,
            _ => return None,
        };
        Some((value, self.rom_more(address).unwrap_or(0)))
    }

    /// Writes the low bytes of `value`, if all of them lie in this memory; says whether they do.
    pub fn write(&mut self, address: u32, width: Width, value: u64) -> bool {
        self.physical(address).is_some_and(|physical| self.set(physical, width, value))
    }

    /// The same at a physical address.
    pub fn set(&mut self, physical: u32, width: Width, value: u64) -> bool {
        let is_here = self.holds(physical);
        let bytes = self.at_mut(physical, width.bytes() as usize);
        let Some(bytes) = bytes.filter(|_| is_here) else { return false };
        let count = bytes.len();
        bytes.copy_from_slice(&value.to_le_bytes()[..count]);
        true
    }

    /// Returns true if a physical address lies in this memory.
    #[must_use]
    pub fn holds(&self, physical: u32) -> bool {
        (physical.wrapping_sub(self.base) as usize) < self.all().len()
    }

    /// Returns true if the address lies in this memory.
    #[must_use]
    pub fn contains(&self, address: u32) -> bool {
        match self.translation {
            None => (address.wrapping_sub(self.base) as usize) < self.bytes.len(),
            Some(_) => self.physical(address).is_some_and(|physical| self.holds(physical)),
        }
    }

    /// Returns true if an access is made to this memory that the program makes at this address.
    #[must_use]
    pub fn takes(&self, address: u32, purpose: Purpose) -> bool {
        let Some(translation) = &self.translation else { return self.contains(address) };
        let reached = translation.reach(address, purpose, &|at| self.word(at));
        reached.is_ok_and(|(physical, _)| self.holds(physical))
    }

    /// Remembers that blocks were made from these addresses, so that writes there are noticed.
    pub(crate) fn mark_code(&mut self, code: Range<u32>) {
        if self.translation.is_none() {
            return self.mark(code);
        }
        // Addresses that follow one another may have physical addresses that do not.
        for address in (code.start..code.end).step_by(2) {
            if let Some(physical) = self.physical(address) {
                self.mark(physical..physical + 2);
            }
        }
    }

    fn mark(&mut self, code: Range<u32>) {
        if !self.holds(code.start) {
            return;
        }
        let last = self.size().min(code.end.wrapping_sub(self.base));
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

    /// True if code may have been translated from somewhere in what the host wrote at this physical address.
    pub(crate) fn may_be_code(&self, physical: u32, size: u32) -> bool {
        let in_rom = self.rom.as_ref().is_some_and(|rom| rom.contains(physical));
        in_rom || self.is_code(physical, size)
    }

    /// Takes the contents of another memory of the same size; true if that changed translated code.
    pub fn restore(&mut self, from: &Self) -> bool {
        let same = |unit: usize| {
            self.bytes.get(2 * unit..2 * unit + 2) == from.bytes.get(2 * unit..2 * unit + 2)
        };
        let words = self.translated.iter().enumerate().filter(|(_, bits)| **bits != 0);
        let mut units = words.flat_map(|(word, bits)| {
            (0..64).filter(move |bit| bits >> bit & 1 != 0).map(move |bit| 64 * word + bit)
        });
        let is_other_rom = self.rom.as_ref().map(Rom::bytes) != from.rom.as_ref().map(Rom::bytes);
        let is_translated = self.translation.is_some() || from.translation.is_some();
        let changed = is_translated || is_other_rom || !units.all(same);
        self.bytes.clone_from(&from.bytes);
        self.behind.clone_from(&from.behind);
        if is_other_rom {
            self.rom.clone_from(&from.rom);
        }
        self.translation.clone_from(&from.translation);
        changed
    }

    /// Forgets from where blocks were made.
    pub fn forget_code(&mut self) {
        self.code = 0..0;
        self.translated.fill(0);
    }

    /// True if a write of `size` bytes at this physical address changes code that was translated.
    pub(crate) fn is_code(&self, physical: u32, size: u32) -> bool {
        let offset = physical.wrapping_sub(self.base);
        (offset / 2..offset.saturating_add(size).div_ceil(2)).any(|unit| {
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
        let Some(bytes) = self.bytes.get_mut(offset as usize..) else { return false };
        let Some(bytes) = bytes.first_chunk_mut::<N>() else { return false };
        *bytes = value;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_code_is_beyond_the_end_of_all_addresses() {
        let mut ram = Ram::new(0, 0x100, 1, 1);
        ram.translated[0] = 1;
        assert!(ram.is_code(0, 4));
        assert!(!ram.is_code(u32::MAX - 1, 4));
    }
}
