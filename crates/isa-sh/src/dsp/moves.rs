//! Moves between memory and the DSP: two at once from X and Y memory, or a single one.

use super::Register;
use super::registers::{DA, DX, DY};

/// The change of a pointer by a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// None.
    No,
    /// It is decremented before by the access's width.
    Down,
    /// It is incremented behind by the access's width.
    Up,
    /// An index register is added behind.
    Index(u8),
}

/// The memory that a pointer leads to, which decides whether it wraps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pointer {
    /// X memory, of which the pointer wraps with SR.DMX.
    X,
    /// Y memory, with SR.DMY.
    Y,
    /// Any; it never wraps.
    Any,
}

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The memory.
    pub pointer: Pointer,
    /// The number of the general register that points there.
    pub at: u8,
    /// The change of that register.
    pub step: Step,
    /// The register of the DSP.
    pub data: Register,
    /// True if it is stored.
    pub stores: bool,
    /// True if it is a move of 32 bits, else of 16.
    pub is_long: bool,
}

/// The moves beside an operation, or alone, by the lowest ten bits of their encoding; nothing if these mean nothing.
pub fn parallel_moves(word: u16) -> Option<[Option<Move>; 2]> {
    Some([half(word, Pointer::X)?, half(word, Pointer::Y)?])
}

/// The move from or to one memory: nothing, or no move.
#[expect(
    clippy::option_option,
    reason = "an encoding that means nothing is not one without a move"
)]
fn half(word: u16, pointer: Pointer) -> Option<Option<Move>> {
    let is_x = pointer == Pointer::X;
    let bits = if is_x { word >> 1 } else { word };
    let bit = |at: u32| usize::from(bits >> at & 1);
    let (second, data, stores) = (bit(8), bit(6), bit(4) != 0);
    let kind = if is_x { word >> 2 } else { word } & 3;
    let (first, index, loaded) = if is_x { (4, 8, DX) } else { (6, 9, DY) };
    let step = match kind {
        0 if second == 0 && data == 0 && !stores => return Some(None),
        0 => return None,
        1 => Step::No,
        2 => Step::Up,
        _ => Step::Index(index),
    };
    let data = if stores { DA[data] } else { loaded[data] };
    let at = first + second as u8;
    Some(Some(Move { pointer, at, step, data, stores, is_long: false }))
}

/// A single move.
pub fn single(word: u16) -> Option<Move> {
    let at = [4, 5, 2, 3][usize::from(word >> 8 & 3)];
    let step = [Step::Down, Step::No, Step::Up, Step::Index(8)][usize::from(word >> 2 & 3)];
    let data = Register::of(word >> 4)?;
    let (stores, is_long) = (word & 1 != 0, word & 2 != 0);
    Some(Move { pointer: Pointer::Any, at, step, data, stores, is_long })
}

impl Move {
    /// Its text, as the GNU tools print it.
    pub fn text(self) -> String {
        let name = match self.pointer {
            Pointer::X => "movx",
            Pointer::Y => "movy",
            Pointer::Any => "movs",
        };
        let width = if self.is_long { "l" } else { "w" };
        let at = self.at;
        let place = match self.step {
            Step::No => format!("@r{at}"),
            Step::Down => format!("@-r{at}"),
            Step::Up => format!("@r{at}+"),
            Step::Index(index) => format!("@r{at}+r{index}"),
        };
        let data = self.data.name();
        let operands =
            if self.stores { format!("{data},{place}") } else { format!("{place},{data}") };
        format!("{name}.{width} {operands}")
    }

    /// Bytes of its access.
    pub const fn bytes(self) -> u32 {
        if self.is_long { 4 } else { 2 }
    }
}
