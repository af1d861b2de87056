//! Caches without sets, as flash memories have them: any line may lie anywhere, and the one that was not
//! used for the longest time is evicted.

use cocrypt_isa::{Geometry, Replacement};

use super::EMPTY;

/// Something for each place: as many as a byte can name, so that no bound is to be checked.
type PerPlace<T> = Box<[T; 256]>;

/// Which lines such a cache holds.
///
/// Where a line of one memory is held stands in a table of all its lines, so that to find one and to
/// note that it is used is a load and a store, in compiled code too. Lines of other memories are looked
/// for one by one.
#[derive(Clone, Debug)]
pub struct Roll {
    /// Number of the first line in the table.
    first: u32,
    /// Where each line is held, [`Roll::ABSENT`] if nowhere. One more stands at the end for all that lie
    /// elsewhere.
    places: Vec<u8>,
    /// The line in each place.
    held: PerPlace<u32>,
    /// When each place was used last: a later use has a greater number. What stands at the place for lines
    /// elsewhere means nothing; at [`Roll::ABSENT`] stands when a line was last looked for in vain.
    used: PerPlace<u64>,
    /// In which order they were used.
    queue: Queue,
    /// No place was used later, unless the roll was shared since.
    latest: u64,
    /// How many places lines are held in.
    ways: u8,
    /// Whether compiled code may have used places.
    shared: bool,
}

impl Roll {
    /// The place of a line that is not held.
    pub const ABSENT: u8 = 0;

    /// Whether a cache of this kind has a roll.
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
            places: table,
            held: [EMPTY; _].into(),
            used: [0; _].into(),
            queue: Queue::new(ways),
            ways,
            latest: 0,
            shared: false,
        }
    }

    /// Where each line of the memory is held, by its number in that memory, and what stands for all
    /// others; and when each place was used last, which must be later than before. Until this is asked
    /// for again, or a line is touched, compiled code may note there what it uses.
    pub fn share(&mut self) -> (&[u8], &mut [u64]) {
        self.shared = true;
        (&self.places, &mut self.used[..])
    }

    /// The place of a line.
    pub(super) fn place(&self, line: u32) -> Option<usize> {
        match self.places[..self.lines()].get(line.wrapping_sub(self.first) as usize) {
            Some(&Self::ABSENT) => None,
            Some(&place) => Some(place.into()),
            None => self.real().find(|&place| self.held[place] == line),
        }
    }

    /// Uses a line, and brings it in if it is not there and is to be; whether it was there.
    pub(super) fn touch(&mut self, line: u32, allocate: bool) -> bool {
        let now = self.now();
        self.touch_at(line, allocate, now)
    }

    /// The same for compiled code, which has noted at [`Roll::ABSENT`] when that is.
    #[inline]
    pub(super) fn touch_noted(&mut self, line: u32, allocate: bool) -> bool {
        self.touch_at(line, allocate, self.used[usize::from(Self::ABSENT)])
    }

    #[inline]
    fn touch_at(&mut self, line: u32, allocate: bool, now: u64) -> bool {
        if let Some(place) = self.place(line) {
            self.used[place] = now;
            return true;
        }
        if allocate {
            self.bring(line, now);
        }
        false
    }

    /// The same for calls between what compiled code does, which may have used places and may go on to.
    pub(super) fn touch_between(&mut self, line: u32, allocate: bool) -> bool {
        self.shared = true;
        let hit = self.touch(line, allocate);
        self.shared = true;
        hit
    }

    /// Nothing is held any more. Tables stay where they are, as compiled code may know them.
    pub(super) fn clear(&mut self) {
        let lines = self.lines();
        self.places[..lines].fill(Self::ABSENT);
        self.held.fill(EMPTY);
        self.used.fill(0);
        self.queue.clear();
    }

    #[inline]
    fn bring(&mut self, line: u32, now: u64) {
        let oldest = self.queue.renew(&self.used, now);
        self.list(self.held[usize::from(oldest)], Self::ABSENT);
        self.list(line, oldest);
        (self.held[usize::from(oldest)], self.used[usize::from(oldest)]) = (line, now);
    }

    fn list(&mut self, line: u32, place: u8) {
        let lines = self.lines();
        let number = line.wrapping_sub(self.first) as usize;
        if let Some(listed) = self.places[..lines].get_mut(number) {
            *listed = place;
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

    /// The places that lines are held in.
    fn real(&self) -> std::ops::Range<usize> {
        1..usize::from(self.ways) + 1
    }

    /// How many lines the table has.
    fn lines(&self) -> usize {
        self.places.len() - 1
    }
}

/// The places of a [`Roll`] in the order of their last uses, as far as these are known here.
///
/// A place may be used without a word to the queue, which never makes that use earlier than what is
/// known of it. So when the first place's last use is not later than what is known of the second's, no
/// place was unused for longer; else it is put where it belongs, and the next one is looked at. As what
/// is known is brought up to date only where that decides, a line is brought in without a look at all
/// places.
#[derive(Clone, Debug)]
struct Queue {
    /// In a ring.
    places: Vec<u8>,
    /// Where the ring begins.
    first: usize,
    /// What is known of each place's last use: it grows along the ring.
    known: PerPlace<u64>,
}

impl Queue {
    /// Of the places from 1 to this one.
    fn new(last: u8) -> Self {
        Self { places: (1..=last).collect(), first: 0, known: [0; _].into() }
    }

    /// Takes the place that was not used for the longest time, and says that it is used now, later than
    /// all others.
    #[inline]
    fn renew(&mut self, used: &PerPlace<u64>, now: u64) -> u8 {
        loop {
            let place = self.places[self.first];
            let latest = used[usize::from(place)];
            // What was the first is the last now.
            self.first = self.behind(self.first);
            let second = self.places[self.first];
            if latest <= self.known[usize::from(second)] {
                self.known[usize::from(place)] = now;
                return place;
            }
            self.sort_in(place, latest);
        }
    }

    /// Puts the last place behind those that are known to be used no later.
    #[cold]
    fn sort_in(&mut self, place: u8, latest: u64) {
        let mut at = self.before(self.first);
        while at != self.first {
            let before = self.before(at);
            let other = self.places[before];
            if self.known[usize::from(other)] <= latest {
                break;
            }
            self.places[at] = other;
            at = before;
        }
        self.places[at] = place;
        self.known[usize::from(place)] = latest;
    }

    fn behind(&self, at: usize) -> usize {
        if at + 1 == self.places.len() { 0 } else { at + 1 }
    }

    fn before(&self, at: usize) -> usize {
        at.checked_sub(1).unwrap_or(self.places.len() - 1)
    }

    /// Nothing is known of any place any more.
    fn clear(&mut self) {
        self.known.fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a roll ought to hold: lines, the one used last at the end.
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
    fn use_compiled(roll: &mut Roll, line: u32, now: u64) -> bool {
        let (places, used) = roll.share();
        let entry = (line.wrapping_sub(FIRST) as usize).min(places.len() - 1);
        let place = if entry + 1 == places.len() { Roll::ABSENT } else { places[entry] };
        used[usize::from(place)] = now;
        place != Roll::ABSENT || roll.touch_noted(line, true)
    }

    const FIRST: u32 = 100;

    #[test]
    fn the_line_unused_for_longest_gives_way_whoever_used_it() {
        for ways in [2, 3, 8, 64, 254] {
            let (mut roll, mut list) = (Roll::new(ways, FIRST, ways), List::default());
            let mut random = 0x2545_f491_u32;
            for step in 1..20_000_u64 {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                // More lines than places, some of them outside of the table, and runs of the same few.
                let line = FIRST + (random >> 8) % (ways + 1 + random % 7);
                let hit = match random >> 30 {
                    0 => roll.touch(line, true),
                    1 => roll.touch_between(line, true),
                    _ => use_compiled(&mut roll, line, step << 8),
                };
                assert_eq!(hit, list.touch(line, ways as usize), "{ways} ways, step {step}");
                assert!(list.0.iter().all(|&line| roll.place(line).is_some()));
            }
        }
    }

    #[test]
    fn what_is_cleared_is_empty_and_works_on() {
        let (mut roll, mut list) = (Roll::new(3, FIRST, 40), List::default());
        for line in [100, 101, 102, 103] {
            roll.touch(line, true);
        }
        roll.clear();
        for line in [103, 102, 101, 104, 102, 103] {
            assert_eq!(roll.touch(line, true), list.touch(line, 3), "line {line}");
        }
    }
}
