//! A memory's lines with a mark at those that a cache holds, for caches that stay as they are when a line
//! is found.

use cocrypt_isa::Geometry;

/// Which lines of one memory are held, so that finding one is a load, in compiled code too.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Number of the first line of the memory.
    first: u32,
    /// Whether each is held: 1 or 0. One more stands at the end for all that lie elsewhere and are not
    /// looked for, and is 1.
    marks: Vec<u8>,
}

impl Listed {
    /// Whether a cache of this kind may have such a list.
    #[must_use]
    pub const fn suits(geometry: &Geometry) -> bool {
        geometry.ignores_hits()
    }

    /// Of so many lines from the first on, of which none is held.
    pub(super) fn new(first: u32, lines: u32) -> Self {
        let mut marks = vec![0; lines as usize + 1];
        marks[lines as usize] = 1;
        Self { first, marks }
    }

    /// Notes whether a line is held now.
    pub(super) fn mark(&mut self, line: u32, is_held: bool) {
        let last = self.marks.len() - 1;
        let number = line.wrapping_sub(self.first) as usize;
        if let Some(mark) = self.marks[..last].get_mut(number) {
            *mark = is_held.into();
        }
    }

    /// The marks.
    #[must_use]
    pub fn marks(&self) -> &[u8] {
        &self.marks
    }
}
