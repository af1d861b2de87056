//! The resident lines of a memory, for caches whose replacement ignores hits.

use cocrypt_isa::Geometry;

/// A map of one memory's resident lines, so that a look-up is a load, in compiled code too.
#[derive(Clone, Debug)]
pub struct ResidentMap {
    /// Number of the first line of the memory.
    first: u32,
    /// 1 for each resident line, else 0. One more entry stands at the end for all lines outside, which are
    /// not looked up, and is 1.
    marks: Vec<u8>,
}

impl ResidentMap {
    /// Returns true if a cache of this kind may have such a map.
    #[must_use]
    pub const fn suits(geometry: &Geometry) -> bool {
        geometry.ignores_hits()
    }

    /// A map of `lines` lines from `first` on, none of which is resident.
    pub(super) fn new(first: u32, lines: u32) -> Self {
        let mut marks = vec![0; lines as usize + 1];
        marks[lines as usize] = 1;
        Self { first, marks }
    }

    /// Marks a line as resident or not.
    pub(super) fn mark(&mut self, line: u32, is_held: bool) {
        let last = self.marks.len() - 1;
        let number = line.wrapping_sub(self.first) as usize;
        if let Some(mark) = self.marks[..last].get_mut(number) {
            *mark = is_held.into();
        }
    }

    /// The marks: 1 for each resident line, and the entry for all others.
    #[must_use]
    pub fn marks(&self) -> &[u8] {
        &self.marks
    }
}
