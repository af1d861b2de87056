//! Tags of fully associative caches with LRU replacement, as flash memories have them.

use cocrypt_isa::{Geometry, Replacement};

use super::EMPTY;

/// One entry for each way: as many as a byte can name, so that no bound is checked.
type PerWay<T> = Box<[T; 256]>;

/// The tags of such a cache.
///
/// A table of all lines of one memory gives the way of each, so that a look-up is a load and the note of a
/// use a store, in compiled code too. Lines of other memories are searched for way by way.
#[derive(Clone, Debug)]
pub struct LruTags {
    /// Number of the first line in the table.
    first: u32,
    /// The way that holds each line, [`LruTags::ABSENT`] if none does. One more entry stands at the end for
    /// all lines outside of the table.
    way_of: Vec<u8>,
    /// The line in each way.
    held: PerWay<u32>,
    /// The time stamp of each way's last use. That of the way for lines outside of the table means nothing;
    /// at [`LruTags::ABSENT`] stands the time of the last miss.
    used: PerWay<u64>,
    /// The ways in LRU order.
    queue: Queue,
    /// The latest time stamp, unless the tags were shared since.
    latest: u64,
    /// The number of ways.
    associativity: u8,
    /// True if compiled code may have used ways.
    shared: bool,
}

impl LruTags {
    /// The way of a line that is not held.
    pub const ABSENT: u8 = 0;

    /// Returns true if a cache of this kind has such tags.
    #[must_use]
    pub const fn suits(geometry: &Geometry) -> bool {
        matches!(geometry.replacement, Replacement::LeastRecent)
            && geometry.sets == 1
            && geometry.ways > 1
            && geometry.ways < u8::MAX as u32
    }

    /// An empty one, with a table of so many lines from the first on.
    pub(super) fn new(ways: u32, first: u32, lines: u32) -> Self {
        let ways = ways as u8;
        let mut table = vec![Self::ABSENT; lines as usize + 1];
        table[lines as usize] = ways + 1;
        Self {
            first,
            way_of: table,
            held: [EMPTY; _].into(),
            used: [0; _].into(),
            queue: Queue::new(ways),
            associativity: ways,
            latest: 0,
            shared: false,
        }
    }

    /// The way of each line of the memory, by the line's number in it, with the entry for all others, and
    /// the time stamp of each way's last use, which only grows. Compiled code may note its uses there until
    /// this is called again or a line is touched.
    pub fn share(&mut self) -> (&[u8], &mut [u64]) {
        self.shared = true;
        (&self.way_of, &mut self.used[..])
    }

    /// The way of a line.
    pub(super) fn way(&self, line: u32) -> Option<usize> {
        match self.way_of[..self.lines()].get(line.wrapping_sub(self.first) as usize) {
            Some(&Self::ABSENT) => None,
            Some(&way) => Some(way.into()),
            None => self.real().find(|&way| self.held[way] == line),
        }
    }

    /// Uses a line, fills it on a miss if `allocate` says so, and returns true on a hit.
    pub(super) fn touch(&mut self, line: u32, allocate: bool) -> bool {
        let now = self.now();
        self.touch_at(line, allocate, now)
    }

    /// The same for compiled code, which has noted at [`LruTags::ABSENT`] when that is.
    #[inline]
    pub(super) fn touch_noted(&mut self, line: u32, allocate: bool) -> bool {
        self.touch_at(line, allocate, self.used[usize::from(Self::ABSENT)])
    }

    #[inline]
    fn touch_at(&mut self, line: u32, allocate: bool, now: u64) -> bool {
        if let Some(way) = self.way(line) {
            self.used[way] = now;
            return true;
        }
        if allocate {
            self.fill(line, now);
        }
        false
    }

    /// The same for calls between what compiled code does, which may have used ways and may go on to.
    pub(super) fn touch_between(&mut self, line: u32, allocate: bool) -> bool {
        self.shared = true;
        let hit = self.touch(line, allocate);
        self.shared = true;
        hit
    }

    /// Nothing is held any more. Tables stay where they are, as compiled code may know them.
    pub(super) fn clear(&mut self) {
        let lines = self.lines();
        self.way_of[..lines].fill(Self::ABSENT);
        self.held.fill(EMPTY);
        self.used.fill(0);
        self.queue.clear();
    }

    #[inline]
    fn fill(&mut self, line: u32, now: u64) {
        let oldest = self.queue.renew(&self.used, now);
        self.set_way(self.held[usize::from(oldest)], Self::ABSENT);
        self.set_way(line, oldest);
        (self.held[usize::from(oldest)], self.used[usize::from(oldest)]) = (line, now);
    }

    fn set_way(&mut self, line: u32, way: u8) {
        let lines = self.lines();
        let number = line.wrapping_sub(self.first) as usize;
        if let Some(entry) = self.way_of[..lines].get_mut(number) {
            *entry = way;
        }
    }

    /// A moment later than all before.
    fn now(&mut self) -> u64 {
        if self.shared {
            let used = self.used[self.real()].iter().max();
            self.latest = self.latest.max(used.copied().unwrap_or(0));
            self.shared = false;
        }
        self.latest += 1;
        self.latest
    }

    /// The ways that lines are held in.
    fn real(&self) -> std::ops::Range<usize> {
        1..usize::from(self.associativity) + 1
    }

    /// The number of lines in the table.
    fn lines(&self) -> usize {
        self.way_of.len() - 1
    }
}

/// The ways of [`LruTags`] in the order of their last uses, as far as these are known here.
///
/// A way may be used without a word to the queue, which never makes that use earlier than what is
/// known of it. So when the first way's last use is not later than what is known of the second's, no
/// way was unused for longer; else it is put where it belongs, and the next one is looked at. As what
/// is known is brought up to date only where that decides, a line is brought in without a look at all
/// ways.
#[derive(Clone, Debug)]
struct Queue {
    /// In a ring.
    ways: Vec<u8>,
    /// The index at which the ring begins.
    first: usize,
    /// The known time stamp of each way's last use: it grows along the ring.
    known: PerWay<u64>,
}

impl Queue {
    /// Of the ways from 1 to this one.
    fn new(last: u8) -> Self {
        Self { ways: (1..=last).collect(), first: 0, known: [0; _].into() }
    }

    /// Takes the way that was not used for the longest time, and says that it is used now, later than
    /// all others.
    #[inline]
    fn renew(&mut self, used: &PerWay<u64>, now: u64) -> u8 {
        loop {
            let way = self.ways[self.first];
            let latest = used[usize::from(way)];
            // What was the first is the last now.
            self.first = self.behind(self.first);
            let second = self.ways[self.first];
            if latest <= self.known[usize::from(second)] {
                self.known[usize::from(way)] = now;
                return way;
            }
            self.sort_in(way, latest);
        }
    }

    /// Puts the last way behind those that are known to be used no later.
    #[cold]
    fn sort_in(&mut self, way: u8, latest: u64) {
        let mut at = self.before(self.first);
        while at != self.first {
            let before = self.before(at);
            let earlier = self.ways[before];
            if self.known[usize::from(earlier)] <= latest {
                break;
            }
            self.ways[at] = earlier;
            at = before;
        }
        self.ways[at] = way;
        self.known[usize::from(way)] = latest;
    }

    fn behind(&self, at: usize) -> usize {
        if at + 1 == self.ways.len() { 0 } else { at + 1 }
    }

    fn before(&self, at: usize) -> usize {
        at.checked_sub(1).unwrap_or(self.ways.len() - 1)
    }

    /// Nothing is known of any way any more.
    fn clear(&mut self) {
        self.known.fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reference: the lines held, the one used last at the end.
    #[derive(Default)]
    struct List(Vec<u32>);

    impl List {
        fn touch(&mut self, line: u32, ways: usize) -> bool {
            let found = self.0.iter().position(|&held| held == line);
            if let Some(at) = found {
                self.0.remove(at);
            } else if self.0.len() == ways {
                self.0.remove(0);
            }
            self.0.push(line);
            found.is_some()
        }
    }

    /// Uses a line as compiled code does: what is there is noted without a word, the rest is asked for.
    fn use_compiled(lru: &mut LruTags, line: u32, now: u64) -> bool {
        let (ways, used) = lru.share();
        let entry = (line.wrapping_sub(FIRST) as usize).min(ways.len() - 1);
        let way = if entry + 1 == ways.len() { LruTags::ABSENT } else { ways[entry] };
        used[usize::from(way)] = now;
        way != LruTags::ABSENT || lru.touch_noted(line, true)
    }

    const FIRST: u32 = 100;

    #[test]
    fn the_least_recently_used_line_is_evicted_whoever_used_it() {
        for ways in [2, 3, 8, 64, 254] {
            let (mut lru, mut list) = (LruTags::new(ways, FIRST, ways), List::default());
            let mut random = 0x2545_f491_u32;
            for step in 1..20_000_u64 {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                // More lines than ways, some of them outside of the table, and runs of the same few.
                let line = FIRST + (random >> 8) % (ways + 1 + random % 7);
                let hit = match random >> 30 {
                    0 => lru.touch(line, true),
                    1 => lru.touch_between(line, true),
                    _ => use_compiled(&mut lru, line, step << 8),
                };
                assert_eq!(hit, list.touch(line, ways as usize), "{ways} ways, step {step}");
                assert!(list.0.iter().all(|&line| lru.way(line).is_some()));
            }
        }
    }

    #[test]
    fn what_is_cleared_is_empty_and_works_on() {
        let (mut lru, mut list) = (LruTags::new(3, FIRST, 40), List::default());
        for line in [100, 101, 102, 103] {
            lru.touch(line, true);
        }
        lru.clear();
        for line in [103, 102, 101, 104, 102, 103] {
            assert_eq!(lru.touch(line, true), list.touch(line, 3), "line {line}");
        }
    }
}
