//! Words of the array that need not be loaded, since they are at hand.

use cocrypt_codegen::{KernelBuilder, LaneWidth, Lanes, Vectors, Word};
use rustc_hash::FxHashMap;

/// Words of the array that are computed and not stored, or that have not changed since they were loaded.
#[derive(Debug, Default)]
pub(in crate::sim) struct Known {
    /// Present values, which were computed where all later code comes by.
    pub words: FxHashMap<u32, Word>,
    /// Of words that only copy others: what they copy.
    pub copies: FxHashMap<u32, u32>,
    /// Of words that are in lanes of vectors: where.
    pub in_lanes: FxHashMap<u32, InLanes>,
}

/// A lane in which a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sim) enum InLanes {
    /// A vector that was computed. Of a mask all bits stand for one.
    Computed { lanes: Lanes, width: LaneWidth, lane: usize, is_mask: bool },
    /// One of the function's own vectors.
    Stored { vectors: Vectors, at: u32, width: LaneWidth, lane: usize, is_mask: bool },
}

impl InLanes {
    pub const fn width(&self) -> LaneWidth {
        let (Self::Computed { width, .. } | Self::Stored { width, .. }) = self;
        *width
    }

    pub const fn lane(&self) -> usize {
        let (Self::Computed { lane, .. } | Self::Stored { lane, .. }) = self;
        *lane
    }

    pub const fn is_mask(&self) -> bool {
        let (Self::Computed { is_mask, .. } | Self::Stored { is_mask, .. }) = self;
        *is_mask
    }

    /// Another lane of the same vector.
    pub fn in_lane(&self, other: usize) -> Self {
        let mut moved = *self;
        let (Self::Computed { lane, .. } | Self::Stored { lane, .. }) = &mut moved;
        *lane = other;
        moved
    }

    /// The word.
    pub fn word(&self, builder: &mut KernelBuilder<'_, '_>) -> Word {
        let word = match *self {
            Self::Computed { lanes, lane, .. } => builder.lane(lanes, lane),
            Self::Stored { vectors, at, width, lane, .. } => {
                builder.load_lane(width, vectors, at, lane)
            }
        };
        if !self.is_mask() {
            return word;
        }
        let one = builder.constant(1);
        builder.and(word, one)
    }
}

impl Known {
    /// The word whose value a word has.
    pub fn origin(&self, limb: u32) -> u32 {
        self.copies.get(&limb).copied().unwrap_or(limb)
    }

    /// Loads a word that is not computed.
    pub fn load(&self, builder: &mut KernelBuilder<'_, '_>, limb: u32) -> Word {
        match self.in_lanes.get(&limb) {
            Some(in_lanes) => in_lanes.word(builder),
            None => builder.load(limb),
        }
    }
}
