//! The host's access to a machine's memory.

use std::borrow::Cow;
use std::ops::Range;

use cocrypt_config as config;
use cocrypt_isa::Purpose;

use super::{LoadError, Machine};

/// An alias of a memory that has a place of its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Alias {
    /// First address, and that of the memory itself.
    pub at: u32,
    base: u32,
    size: u32,
}

impl Alias {
    /// That of a memory, if it has one.
    pub fn of(memory: &config::Memory) -> Option<Self> {
        let alias = memory.alias?;
        let base = (memory.base + alias.from) as u32;
        Some(Self { at: alias.base as u32, base, size: alias.size as u32 })
    }

    /// The memory that is there, as a description.
    pub fn memory(self, description: &config::Memory) -> config::Memory {
        let (base, size) = (self.at.into(), self.size.into());
        config::Memory { base, size, ..description.clone() }
    }

    /// The memory's own place for one that leads to it.
    fn original(self, physical: u32) -> Option<u32> {
        let offset = physical.wrapping_sub(self.at);
        (offset < self.size).then(|| self.base + offset)
    }

    /// The alias of a range of the memory, of which a part may have one: its address, and which bytes it has.
    fn copy(self, physical: u32, size: usize) -> Option<(u32, Range<usize>)> {
        let (first, last) = (u64::from(physical), u64::from(physical) + size as u64);
        let (base, end) = (u64::from(self.base), u64::from(self.base) + u64::from(self.size));
        let (from, to) = (first.max(base), last.min(end));
        let at = self.at + from.saturating_sub(base) as u32;
        (from < to).then(|| (at, (from - first) as usize..(to - first) as usize))
    }
}

impl Machine {
    /// Puts bytes into memory, as a loader does before reset is released, or a debugger at a stop. The
    /// address is translated as the program's are, whatever rights it has there.
    ///
    /// # Errors
    /// If no memory holds all of them; none is written then.
    pub fn load(&mut self, address: u32, bytes: &[u8]) -> Result<(), LoadError> {
        let size = bytes.len();
        let ranges = self.ram.physical_ranges(address, size).ok_or(LoadError { address, size })?;
        if !ranges.iter().all(|&(physical, size)| self.at(physical, size).is_some()) {
            return Err(LoadError { address, size });
        }
        let mut rest = bytes;
        for (physical, size) in ranges {
            let (here, behind) = rest.split_at(size);
            self.put(physical, here).ok_or(LoadError { address, size })?;
            rest = behind;
        }
        Ok(())
    }

    /// Puts bytes at a place in memory, and wherever they are seen.
    fn put(&mut self, physical: u32, bytes: &[u8]) -> Option<()> {
        let original = self.aliases.iter().find_map(|alias| alias.original(physical));
        let physical = original.unwrap_or(physical);
        if let Some(shown) = &mut self.bus.shown {
            shown.put(physical, bytes);
        }
        let copies = self.aliases.iter().filter_map(|alias| alias.copy(physical, bytes.len()));
        let all: Vec<_> = [(physical, 0..bytes.len())].into_iter().chain(copies).collect();
        for (physical, part) in all {
            let bytes = &bytes[part];
            let to = match self.ram.at_mut(physical, bytes.len()) {
                Some(to) => Some(to),
                None => self.bus.memory_mut(physical, bytes.len()),
            };
            to?.copy_from_slice(bytes);
            self.engine.host_wrote(&mut self.ram, physical, bytes.len() as u32);
        }
        Some(())
    }

    /// True if the program could write so many bytes at an address.
    pub(crate) fn is_written(&self, address: u32, size: u32) -> bool {
        let ends = [address, address.wrapping_add(size.saturating_sub(1))];
        let takes = |at: u32| self.ram.takes(at, Purpose::Write) || self.bus.is_written(at);
        size == 0 || self.read(address, size as usize).is_some() && ends.into_iter().all(takes)
    }

    /// The bytes at an address, if a memory holds all of them. It is translated as the program's are,
    /// whatever rights the program has there.
    #[must_use]
    pub fn read(&self, address: u32, size: usize) -> Option<Cow<'_, [u8]>> {
        match self.ram.physical_ranges(address, size)?[..] {
            [(physical, size)] => self.at(physical, size).map(Cow::Borrowed),
            ref ranges => {
                let pieces = ranges.iter().map(|&(physical, size)| self.at(physical, size));
                Some(pieces.collect::<Option<Vec<_>>>()?.concat().into())
            }
        }
    }

    /// The bytes at a place in memory.
    fn at(&self, physical: u32, size: usize) -> Option<&[u8]> {
        self.ram.at(physical, size).or_else(|| self.bus.memory(physical, size))
    }
}
