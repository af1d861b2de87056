//! Caches of a core: which lines they hold. What a miss costs, the timing model says.

mod lru;
mod resident;

pub use lru::LruTags;
pub use resident::ResidentMap;

use cocrypt_isa::{Geometry, Invalidation, Purpose, Replacement};

use crate::ram::{Ram, Rom};

/// No line has this number: addresses have 32 bits and lines at least two bytes.
const EMPTY: u32 = u32::MAX;

/// The tags of one cache.
#[derive(Clone, Debug)]
pub struct Tags {
    /// Line numbers, `ways` after one another for each set; the first is the last to be evicted. Empty
    /// if there are LRU tags.
    lines: Vec<u32>,
    /// The tags of a fully associative LRU cache.
    lru: Option<LruTags>,
    /// The resident lines of a memory, where a hit changes nothing.
    resident: Option<ResidentMap>,
    /// The lines that the cache has while it is switched off.
    kept: Option<Vec<u32>>,
    geometry: Geometry,
    shift: u32,
    /// The number of times that a line was brought in.
    misses: u64,
}

impl Tags {
    /// An empty cache.
    ///
    /// # Panics
    /// If sets or line length are no powers of two, which is a mistake in the timing model.
    #[must_use]
    pub fn new(geometry: Geometry) -> Self {
        assert!(geometry.sets.is_power_of_two() && geometry.line.is_power_of_two());
        assert!(geometry.line > 1 && geometry.ways > 0);
        Self {
            lines: vec![EMPTY; (geometry.sets * geometry.ways) as usize],
            lru: None,
            resident: None,
            kept: None,
            shift: geometry.line.trailing_zeros(),
            geometry,
            misses: 0,
        }
    }

    /// Says, before anything is read, which memory most of its lines are of: `size` bytes from `base` on.
    /// They are found at once then, if the cache is of a kind that has [`LruTags`] or a [`ResidentMap`].
    pub fn hold_of(&mut self, base: u32, size: u32) {
        let (has_lru, has_map) =
            (LruTags::suits(&self.geometry), ResidentMap::suits(&self.geometry));
        if self.lru.is_some() || self.resident.is_some() || !(has_lru || has_map) {
            return;
        }
        debug_assert!(self.lines.iter().all(|&line| line == EMPTY));
        let (first, lines) = lines_of(base, size, self.geometry.line);
        if has_lru {
            self.lru = Some(LruTags::new(self.geometry.ways, first, lines));
            self.lines.clear();
        } else {
            self.resident = Some(ResidentMap::new(first, lines));
        }
    }

    /// The number of times that a line was brought in.
    #[must_use]
    pub const fn misses(&self) -> u64 {
        self.misses
    }

    /// Reads through the cache; says whether the line was there, and brings it in if not.
    #[inline]
    pub fn read(&mut self, address: u32) -> bool {
        self.touch(address, self.kept.is_none())
    }

    /// Returns true if the line of an address is there.
    #[must_use]
    pub fn holds(&self, address: u32) -> bool {
        let line = address >> self.shift;
        if let Some(lru) = &self.lru {
            return lru.way(line).is_some();
        }
        let set = self.set(line);
        self.lines[set..set + self.geometry.ways as usize].contains(&line)
    }

    /// Writes; says whether the line was there.
    #[inline]
    pub fn write(&mut self, address: u32) -> bool {
        self.touch(address, self.geometry.allocate_on_write && self.kept.is_none())
    }

    /// Reads or writes between what compiled code does; says whether the line was there. Compiled code
    /// may have noted when that is, see [`LruTags::ABSENT`].
    #[inline]
    pub fn touch_between(&mut self, address: u32, write: bool, is_noted: bool) -> bool {
        let allocate = (!write || self.geometry.allocate_on_write) && self.kept.is_none();
        let Some(lru) = &mut self.lru else { return self.touch(address, allocate) };
        let line = address >> self.shift;
        let hit = if is_noted {
            lru.touch_noted(line, allocate)
        } else {
            lru.touch_between(line, allocate)
        };
        self.misses += u64::from(!hit && allocate);
        hit
    }

    #[inline]
    fn touch(&mut self, address: u32, allocate: bool) -> bool {
        let line = address >> self.shift;
        if let Some(lru) = &mut self.lru {
            let hit = lru.touch(line, allocate);
            self.misses += u64::from(!hit && allocate);
            return hit;
        }
        let set = self.set(line);
        self.lines[set] == line || self.further(line, set, allocate)
    }

    /// The line numbers, `ways` after one another for each set, for compiled code.
    pub fn lines_mut(&mut self) -> &mut [u32] {
        &mut self.lines
    }

    /// The tags of a fully associative LRU cache, for compiled code.
    pub fn lru_mut(&mut self) -> Option<&mut LruTags> {
        self.lru.as_mut()
    }

    /// The resident lines of a memory, for compiled code.
    #[must_use]
    pub const fn resident(&self) -> Option<&ResidentMap> {
        self.resident.as_ref()
    }

    /// Forgets all lines.
    pub fn clear(&mut self) {
        self.mark_lines(false);
        self.lines.fill(EMPTY);
        if let Some(kept) = &mut self.kept {
            kept.fill(EMPTY);
        }
        if let Some(lru) = &mut self.lru {
            lru.clear();
        }
    }

    /// Switches the cache on or off. While it is off, it keeps its lines, but finds none and brings none in.
    ///
    /// # Panics
    /// If it is fully associative with LRU replacement, which no core here switches.
    pub fn switch(&mut self, is_on: bool) {
        if is_on == self.kept.is_none() {
            return;
        }
        assert!(self.lru.is_none(), "a fully associative cache is not switched");
        if let Some(kept) = self.kept.take() {
            self.lines.copy_from_slice(&kept);
            self.mark_lines(true);
        } else {
            self.kept = Some(self.lines.clone());
            self.mark_lines(false);
            self.lines.fill(EMPTY);
        }
    }

    /// Takes the line of an address out, or whatever its set holds unless it is to be `matching`; while the cache
    /// is off too.
    ///
    /// # Panics
    /// If it is fully associative with LRU replacement, of which no core here takes lines out.
    pub fn invalidate(&mut self, address: u32, matching: bool) {
        assert!(self.lru.is_none(), "lines of a fully associative cache are not invalidated");
        let line = address >> self.shift;
        let first = self.set(line);
        let set = first..first + self.geometry.ways as usize;
        let lines = self.kept.as_mut().unwrap_or(&mut self.lines);
        for held in &mut lines[set] {
            if !matching || *held == line {
                let gone = std::mem::replace(held, EMPTY);
                self.resident.iter_mut().for_each(|resident| resident.mark(gone, false));
            }
        }
    }

    /// Marks the lines as resident or not.
    fn mark_lines(&mut self, is_held: bool) {
        if let Some(resident) = &mut self.resident {
            self.lines.iter().for_each(|&line| resident.mark(line, is_held));
        }
    }

    fn set(&self, line: u32) -> usize {
        ((line & (self.geometry.sets - 1)) * self.geometry.ways) as usize
    }

    /// The line is not the first of its set.
    #[cold]
    fn further(&mut self, line: u32, set: usize, allocate: bool) -> bool {
        let ways = &mut self.lines[set..set + self.geometry.ways as usize];
        let found = ways.iter().position(|&held| held == line);
        match (found, self.geometry.replacement) {
            (Some(way), Replacement::LeastRecent) => ways[..=way].rotate_right(1),
            (None, _) if allocate => {
                self.misses += 1;
                ways.rotate_right(1);
                let gone = std::mem::replace(&mut ways[0], line);
                if let Some(resident) = &mut self.resident {
                    resident.mark(gone, false);
                    resident.mark(line, true);
                }
            }
            (Some(_), Replacement::FirstIn) | (None, _) => {}
        }
        found.is_some()
    }
}

/// The number of a memory's first line, and how many it has, of so many bytes each.
#[must_use]
pub const fn lines_of(base: u32, size: u32, line: u32) -> (u32, u32) {
    let last = base + (size - 1);
    (base / line, last / line - base / line + 1)
}

/// The memory, as address and size, that a cache holds lines of as a rule: the directly mapped one, or
/// where there is one that is only read, and the cache is of that, this one. One of instructions is.
#[must_use]
pub fn memory_of(main: (u32, u32), rom: Option<(u32, u32)>, of_rom: bool) -> (u32, u32) {
    rom.filter(|_| of_rom).unwrap_or(main)
}

/// The caches of a core, as far as it has any.
#[derive(Clone, Debug, Default)]
pub struct CacheState {
    /// Of instructions, or of both.
    pub instruction: Option<Tags>,
    /// Of data; nothing if one cache is for both.
    data: Option<Tags>,
    /// True if one cache is for both.
    is_unified: bool,
    /// True if that is of the memory that programs only read.
    pub data_of_rom: bool,
    /// The addresses of the last store and the one before, if a data cache is for what is written; compiled code
    /// notes them only where stores collide with loads.
    pub stored: [u32; 2],
}

impl CacheState {
    /// Returns true if an access goes through the data cache.
    #[must_use]
    pub fn covers(&self, ram: &Ram, address: u32, purpose: Purpose) -> bool {
        let in_rom = || ram.rom_more(address).is_some();
        if self.data_of_rom { in_rom() } else { ram.takes(address, purpose) }
    }

    /// The tags of the cache that data is in.
    #[must_use]
    pub const fn data(&self) -> Option<&Tags> {
        if self.is_unified { self.instruction.as_ref() } else { self.data.as_ref() }
    }

    /// The same, to change them.
    pub const fn data_mut(&mut self) -> Option<&mut Tags> {
        if self.is_unified { self.instruction.as_mut() } else { self.data.as_mut() }
    }

    /// Says where the memories are that the caches hold lines of.
    pub fn hold_of(&mut self, ram: &Ram) {
        let (main, rom) = (ram.range(), ram.rom().map(Rom::range));
        let of_instructions = !self.is_unified;
        let both = [(&mut self.instruction, of_instructions), (&mut self.data, self.data_of_rom)];
        for (tags, of_rom) in both {
            let (base, size) = memory_of(main, rom, of_rom);
            if let Some(tags) = tags {
                tags.hold_of(base, size);
            }
        }
    }

    /// Takes a line out of a cache, if there is one.
    pub fn invalidate(&mut self, line: Invalidation) {
        let cache = if line.of_instructions { self.instruction.as_mut() } else { self.data_mut() };
        if let Some(tags) = cache {
            tags.invalidate(line.address, line.matching);
        }
    }

    /// Switches the data cache on or off, if there is one. Blocks of code for which the instruction cache is off
    /// do not ask for lines.
    pub fn switch_data(&mut self, is_on: bool) {
        if let Some(tags) = self.data_mut() {
            tags.switch(is_on);
        }
    }

    /// Empty caches.
    ///
    /// # Panics
    /// If one cache is for both and they differ, which is a mistake in the timing model.
    #[must_use]
    pub fn new(caches: cocrypt_isa::Caches) -> Self {
        let cocrypt_isa::Caches { instruction, data, data_of_rom, unified, .. } = caches;
        assert!(!unified || instruction == data, "one cache has one shape");
        let data = data.filter(|_| !unified).map(Tags::new);
        let instruction = instruction.map(Tags::new);
        Self { instruction, data, is_unified: unified, data_of_rom, stored: [u32::MAX; 2] }
    }
}

#[cfg(test)]
mod tests {
    use cocrypt_isa::Caches;

    use super::*;

    fn geometry(ways: u32, replacement: Replacement) -> Geometry {
        Geometry { sets: 2, ways, line: 16, replacement, allocate_on_write: false }
    }

    fn tags(ways: u32, replacement: Replacement) -> Tags {
        Tags::new(geometry(ways, replacement))
    }

    /// Reads the addresses; `h` for each that is there, `m` for each that is not.
    fn reads(tags: &mut Tags, addresses: &[u32]) -> String {
        addresses.iter().map(|&address| if tags.read(address) { 'h' } else { 'm' }).collect()
    }

    #[test]
    fn one_way_holds_one_line_a_set() {
        let mut direct_mapped = tags(1, Replacement::LeastRecent);
        assert_eq!(reads(&mut direct_mapped, &[0, 15, 16, 32, 16, 0]), "mhmmhm");
        assert_eq!(direct_mapped.misses(), 4);
    }

    #[test]
    fn the_policy_decides_which_line_goes() {
        // 0, 32 and 64 share a set; reading 0 again saves it only where recency counts.
        let order = [0, 32, 0, 64, 0, 32];
        assert_eq!(reads(&mut tags(2, Replacement::LeastRecent), &order), "mmhmhm");
        assert_eq!(reads(&mut tags(2, Replacement::FirstIn), &order), "mmhmmm");
    }

    #[test]
    fn lru_tags_hold_what_a_set_does() {
        let tags = || Tags::new(Geometry { sets: 1, ..geometry(3, Replacement::LeastRecent) });
        let (mut set, mut lru) = (tags(), tags());
        // The last of the addresses lie outside.
        lru.hold_of(64, 64);
        let mut draw = 1u32;
        for _ in 0..2_000 {
            draw = draw.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let address = draw >> 16 & 0x7f | 0x40;
            assert_eq!(lru.holds(address ^ 16), set.holds(address ^ 16));
            let both = [&mut set, &mut lru]
                .map(|tags| if draw >> 30 == 0 { tags.write(address) } else { tags.read(address) });
            assert_eq!(both[0], both[1]);
        }
        assert_eq!(set.misses(), lru.misses());
        lru.clear();
        assert!((0x40..0xc0).all(|address| !lru.holds(address)));
    }

    #[test]
    fn a_resident_map_marks_what_is_held() {
        let mut tags = tags(3, Replacement::FirstIn);
        // Two of the lines lie outside, and the last of the memory is not whole.
        tags.hold_of(64, 92);
        let mut random = 1_u32;
        for _ in 0..1000 {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            tags.read(48 + (random >> 8) % 128);
            for entry in 0..6 {
                let mark = tags.resident().expect("a resident map").marks()[entry];
                assert_eq!(mark != 0, tags.holds(64 + 16 * entry as u32));
            }
        }
        tags.clear();
        assert_eq!(tags.resident().expect("a resident map").marks(), [0, 0, 0, 0, 0, 0, 1]);
    }

    #[test]
    fn a_cache_that_is_off_keeps_its_lines_and_finds_none() {
        for has_map in [false, true] {
            let mut tags = tags(1, Replacement::LeastRecent);
            if has_map {
                tags.hold_of(0, 64);
            }
            assert_eq!(reads(&mut tags, &[0, 16]), "mm");
            tags.switch(false);
            assert_eq!(reads(&mut tags, &[0, 0, 32, 32]), "mmmm");
            tags.invalidate(16, true);
            tags.switch(true);
            assert_eq!(reads(&mut tags, &[0, 16]), "hm");
            assert_eq!(tags.misses(), 3);
        }
    }

    #[test]
    fn instructions_and_data_evict_one_another_in_one_cache() {
        let shape = Some(geometry(1, Replacement::LeastRecent));
        let caches = |unified| {
            let shapes = Caches { instruction: shape, data: shape, unified, ..Caches::default() };
            CacheState::new(shapes)
        };
        for (unified, hits) in [(true, [true, false]), (false, [false, true])] {
            let mut caches = caches(unified);
            let fetch = |caches: &mut CacheState, address| {
                caches.instruction.as_mut().is_some_and(|tags| tags.read(address))
            };
            let data = |caches: &mut CacheState, address| {
                caches.data_mut().is_some_and(|tags| tags.read(address))
            };
            assert!(!fetch(&mut caches, 0));
            // The line that a fetch brought in, and one of the same set.
            assert_eq!(data(&mut caches, 4), hits[0]);
            assert!(!data(&mut caches, 32));
            assert_eq!(fetch(&mut caches, 0), hits[1]);
        }
    }

    #[test]
    fn a_line_is_invalidated_by_its_address_or_its_set() {
        let mut tags = tags(2, Replacement::LeastRecent);
        assert_eq!(reads(&mut tags, &[0, 32, 16]), "mmm");
        // 64 is of the same set as 0 and 32, and absent.
        tags.invalidate(64, true);
        assert_eq!(reads(&mut tags, &[0, 32]), "hh");
        tags.invalidate(36, true);
        assert!(tags.holds(0) && !tags.holds(32));
        tags.invalidate(64, false);
        assert!(!tags.holds(0) && tags.holds(16));
    }

    #[test]
    fn a_store_brings_no_line_in_unless_told() {
        let mut through = tags(1, Replacement::LeastRecent);
        assert!(!through.write(0));
        assert!(!through.read(0));
        assert!(through.write(4));
    }
}
