//! The memory of all lanes: what is shared, and the words that a lane has written.

use cocrypt_ir::Width;

use super::compute::is_uniform;
use super::{LANES, Row};
use crate::ram::{Ram, Rom};

/// The word is the original one in all lanes.
const SHARED: u32 = u32::MAX;
/// Words that lanes may have of their own: 16 MB.
const OWN: usize = 1 << 16;

/// The memory in which an access goes to its place; time depends on no more than that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Ram,
    Rom,
}

/// The directly mapped memory, in which a word that any lane has written stands once for each lane.
pub struct LaneMemory {
    base: u32,
    size: u32,
    /// For each word, its place in `own`, or [`SHARED`].
    slots: Vec<u32>,
    own: Vec<[u32; LANES]>,
    /// The words in `own`, in this order.
    words: Vec<u32>,
}

impl LaneMemory {
    pub fn new(original: &Ram) -> Self {
        let (base, size) = original.range();
        let slots = vec![SHARED; size.div_ceil(4) as usize];
        Self { base, size, slots, own: vec![], words: vec![] }
    }

    /// All lanes have the original memory.
    pub fn clear(&mut self) {
        for &word in &self.words {
            self.slots[word as usize] = SHARED;
        }
        self.own.clear();
        self.words.clear();
    }

    /// The memory that an aligned access goes to, if lanes have it.
    fn place(&self, address: u32, width: Width, original: &Ram) -> Option<Place> {
        let bytes = width.bytes();
        let within = |(base, size): (u32, u32)| {
            let offset = address.wrapping_sub(base);
            offset < size && size - offset >= bytes
        };
        if !address.is_multiple_of(bytes) {
            None
        } else if within((self.base, self.size)) {
            Some(Place::Ram)
        } else {
            original.rom().filter(|rom| within(rom.range())).map(|_| Place::Rom)
        }
    }

    /// The values that lanes read, and the lanes that read from the memory that lane 0 reads from, a bit each;
    /// nothing if lane 0 reads elsewhere.
    #[inline(always)]
    pub fn read(&self, addresses: &Row, width: Width, original: &Ram) -> Option<(Row, u64)> {
        let first = addresses[0] as u32;
        let place = self.place(first, width, original)?;
        if width != Width::W64 && is_uniform(addresses) {
            return Some((self.read_same(first, width, place, original), u64::MAX));
        }
        let (mut values, mut same) = ([0; LANES], 0);
        for (lane, (value, &address)) in values.iter_mut().zip(addresses).enumerate() {
            let address = address as u32;
            if self.place(address, width, original) == Some(place) {
                *value = self.value(lane, address, width, (place, original));
                same |= 1 << lane;
            }
        }
        Some((values, same))
    }

    #[inline(always)]
    fn read_same(&self, address: u32, width: Width, place: Place, original: &Ram) -> Row {
        let shift = 8 * (address % 4);
        let offset = address.wrapping_sub(self.base);
        match self.slots.get(offset as usize / 4) {
            Some(&slot) if place == Place::Ram && slot != SHARED => {
                let mut values = [0; LANES];
                for (value, &word) in values.iter_mut().zip(&self.own[slot as usize]) {
                    *value = width.truncate(u64::from(word >> shift));
                }
                values
            }
            _ => [original.value(address, width).unwrap_or(0); LANES],
        }
    }

    /// The value that one lane reads.
    fn value(
        &self,
        lane: usize,
        address: u32,
        width: Width,
        (place, original): (Place, &Ram),
    ) -> u64 {
        let offset = address.wrapping_sub(self.base);
        let slot = |word: u32| self.slots.get(word as usize).copied().unwrap_or(SHARED);
        if place == Place::Rom {
            return original.value(address, width).unwrap_or(0);
        }
        if width == Width::W64 {
            let half = |at| self.value(lane, at, Width::W32, (place, original));
            return half(address) | half(address + 4) << 32;
        }
        match slot(offset / 4) {
            SHARED => original.value(address, width).unwrap_or(0),
            slot => width.truncate(u64::from(self.own[slot as usize][lane] >> (8 * (address % 4)))),
        }
    }

    /// Writes values, and returns the lanes for which that is nothing but a write to memory, a bit each; nothing
    /// if it is more for lane 0. Lanes outside `together` write nothing where their addresses differ.
    #[inline(always)]
    pub fn write(
        &mut self,
        (addresses, values): (&Row, &Row),
        width: Width,
        together: u64,
        (original, ram): (&Ram, &Ram),
    ) -> Option<u64> {
        let is_memory = |memory: &Self, address: u32| {
            let place = memory.place(address, width, original);
            place == Some(Place::Ram) && !ram.is_code(address, width.bytes())
        };
        let first = addresses[0] as u32;
        if !is_memory(self, first) || self.own.len() >= OWN {
            return None;
        }
        if width != Width::W64 && is_uniform(addresses) {
            let (mask, shift) = (width.mask() as u32, 8 * (first % 4));
            for (word, &value) in self.own(first, original).iter_mut().zip(values) {
                *word = *word & !(mask << shift) | (value as u32 & mask) << shift;
            }
            return Some(u64::MAX);
        }
        let mut same = 0;
        for (lane, (&address, &value)) in addresses.iter().zip(values).enumerate() {
            let address = address as u32;
            if together >> lane & 1 != 0 && is_memory(self, address) {
                self.set(lane, address, width, value, original);
                same |= 1 << lane;
            }
        }
        Some(same)
    }

    /// Writes a value in one lane.
    fn set(&mut self, lane: usize, address: u32, width: Width, value: u64, original: &Ram) {
        if width == Width::W64 {
            self.set(lane, address, Width::W32, value, original);
            return self.set(lane, address + 4, Width::W32, value >> 32, original);
        }
        let (mask, shift) = (width.mask() as u32, 8 * (address % 4));
        let word = &mut self.own(address, original)[lane];
        *word = *word & !(mask << shift) | (value as u32 & mask) << shift;
    }

    /// The word at an address of the directly mapped memory, for all lanes.
    fn own(&mut self, address: u32, original: &Ram) -> &mut [u32; LANES] {
        let word = address.wrapping_sub(self.base) / 4;
        let slot = &mut self.slots[word as usize];
        if *slot == SHARED {
            *slot = self.own.len() as u32;
            let value = original.value(address & !3, Width::W32).unwrap_or(0);
            self.own.push([value as u32; LANES]);
            self.words.push(word);
        }
        &mut self.own[*slot as usize]
    }

    /// Puts a byte into the memory of one lane; false if it is not the directly mapped one.
    pub fn put(&mut self, lane: usize, address: u32, byte: u8, original: &Ram) -> bool {
        let is_there = self.place(address, Width::W8, original) == Some(Place::Ram);
        if is_there {
            self.set(lane, address, Width::W8, byte.into(), original);
        }
        is_there
    }

    /// A byte of one lane's memory.
    pub fn byte(&self, lane: usize, address: u32, original: &Ram) -> Option<u8> {
        let place = self.place(address, Width::W8, original)?;
        Some(self.value(lane, address, Width::W8, (place, original)) as u8)
    }

    /// Returns true if lane 0 has written what the leader has.
    pub fn agrees(&self, leader: &Ram) -> bool {
        self.words.iter().zip(&self.own).all(|(&word, own)| {
            let address = self.base.wrapping_add(4 * word);
            leader.value(address, Width::W32) == Some(own[0].into())
        })
    }
}

/// Returns true if lanes can have memory like this: whole words, and no address that is translated.
pub fn is_plain(ram: &Ram) -> bool {
    let is_whole = |(base, size): (u32, u32)| base.is_multiple_of(4) && size.is_multiple_of(4);
    ram.translation().is_none()
        && is_whole(ram.range())
        && ram.rom().map(Rom::range).is_none_or(is_whole)
}
