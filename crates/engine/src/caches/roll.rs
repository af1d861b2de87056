//! Caches without sets, as flash memories have them: any line may lie anywhere, and the one that was not
//! used for the longest time gives way.

use cocrypt_isa::{Geometry, Replacement};

use super::EMPTY;

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
    /// elsewhere, and says [`Roll::elsewhere`].
    places: Vec<u8>,
    /// The line in each place.
    held: Vec<u32>,
    /// When each place was used last: a later use has a greater number. What stands at the places
    /// [`Roll::ABSENT`] and [`Roll::elsewhere`] means nothing.
    used: Vec<u64>,
    /// No place was used later, unless the roll was shared since.
    latest: u64,
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
        let places = ways as usize + 2;
        let mut table = vec![Self::ABSENT; lines as usize + 1];
        table[lines as usize] = ways as u8 + 1;
        Self {
            first,
            places: table,
            held: vec![EMPTY; places],
            used: vec![0; places],
            latest: 0,
            shared: false,
        }
    }

    /// Where each line of the memory is held, by its number in that memory, and what stands for all
    /// others; and when each place was used last, which must be later than before. Until this is asked
    /// for again, or a line is touched, compiled code may note there what it uses.
    pub fn share(&mut self) -> (&[u8], &mut [u64]) {
        self.shared = true;
        (&self.places, &mut self.used)
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
        if let Some(place) = self.place(line) {
            self.used[place] = self.now();
            return true;
        }
        if allocate {
            self.bring(line);
        }
        false
    }

    /// The same between what compiled code does, which may have used places and may go on to.
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
    }

    #[cold]
    fn bring(&mut self, line: u32) {
        let (oldest, latest) = self.survey();
        self.latest = self.latest.max(latest) + 1;
        self.shared = false;
        self.list(self.held[oldest], Self::ABSENT);
        self.list(line, oldest as u8);
        (self.held[oldest], self.used[oldest]) = (line, self.latest);
    }

    /// The place that was not used for the longest time, and when any was used last.
    fn survey(&self) -> (usize, u64) {
        let real = self.real();
        let (mut oldest, mut least, mut latest) = (real.start, u64::MAX, 0);
        for (place, &used) in real.clone().zip(&self.used[real]) {
            if used < least {
                (oldest, least) = (place, used);
            }
            latest = latest.max(used);
        }
        (oldest, latest)
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
            self.latest = self.latest.max(self.survey().1);
            self.shared = false;
        }
        self.latest += 1;
        self.latest
    }

    /// The places that lines are held in.
    fn real(&self) -> std::ops::Range<usize> {
        1..self.held.len() - 1
    }

    /// How many lines the table has.
    fn lines(&self) -> usize {
        self.places.len() - 1
    }
}
