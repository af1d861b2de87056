//! The data registers of the DSP, and their numbers in the fields of instructions.

use cocrypt_ir::Slot;

use crate::cells;

/// A data register, or the guard bits of an accumulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Register {
    /// An accumulator of 32 bits, with 8 guard bits above.
    A0,
    /// The other one.
    A1,
    /// The guard bits of A0.
    A0G,
    /// The guard bits of A1.
    A1G,
    /// A product.
    M0,
    /// Another product.
    M1,
    /// An operand from X memory.
    X0,
    /// Another operand from X memory.
    X1,
    /// An operand from Y memory.
    Y0,
    /// Another operand from Y memory.
    Y1,
}

use Register::{A0, A0G, A1, A1G, M0, M1, X0, X1, Y0, Y1};

impl Register {
    /// The cell of its 32 bits, or of its guard bits.
    pub const fn cell(self) -> Slot {
        match self {
            A0 => cells::A0,
            A1 => cells::A1,
            A0G => cells::A0G,
            A1G => cells::A1G,
            M0 => cells::M0,
            M1 => cells::M1,
            X0 => cells::X0,
            X1 => cells::X1,
            Y0 => cells::Y0,
            Y1 => cells::Y1,
        }
    }

    /// The cell of its guard bits, if it is an accumulator.
    pub const fn guard(self) -> Option<Slot> {
        match self {
            A0 => Some(cells::A0G),
            A1 => Some(cells::A1G),
            _ => None,
        }
    }

    /// Returns true if it is guard bits.
    pub const fn is_guard(self) -> bool {
        matches!(self, A0G | A1G)
    }

    /// Its name in assembly.
    pub const fn name(self) -> &'static str {
        cells::STATE[self.cell().0 as usize]
    }

    /// The one of a field of four bits, of single moves and results.
    pub const fn of(field: u16) -> Option<Self> {
        Some(match field & 15 {
            5 => A1,
            7 => A0,
            8 => X0,
            9 => X1,
            10 => Y0,
            11 => Y1,
            12 => M0,
            13 => A1G,
            14 => M1,
            15 => A0G,
            _ => return None,
        })
    }
}

/// The first operands of operations (`Sx`), by field.
pub const SX: [Register; 4] = [X0, X1, A0, A1];
/// The second ones (`Sy`).
pub const SY: [Register; 4] = [Y0, Y1, M0, M1];
/// The first factors (`Se`).
pub const SE: [Register; 4] = [X0, X1, Y0, A1];
/// The second ones (`Sf`).
pub const SF: [Register; 4] = [Y0, Y1, X0, A1];
/// The products (`Dg`).
pub const DG: [Register; 4] = [M0, M1, A0, A1];
/// The results of operations beside a product (`Du`).
pub const DU: [Register; 4] = [X0, Y0, A0, A1];
/// What is loaded from X memory.
pub const DX: [Register; 2] = [X0, X1];
/// What is loaded from Y memory.
pub const DY: [Register; 2] = [Y0, Y1];
/// What is stored to either.
pub const DA: [Register; 2] = [A0, A1];
