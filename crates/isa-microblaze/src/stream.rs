//! The variants of `get` and `put`, which five bits of their encoding choose.
//!
//! Source: UG984 (2026.1), chapter 5, `get`, `getd`, `put`, `putd`.

use crate::decode::Decoded;
use crate::table::Opcode;

/// A variant of an access to a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // Each is a bit of the encoding.
pub struct Variant {
    /// It does not wait, and the carry tells if it failed (`n`).
    pub tries: bool,
    /// It sends a word with its control bit set, or expects one (`c`).
    pub control: bool,
    /// It moves no word (`t`).
    pub tests: bool,
    /// Neither it nor what is behind it can be interrupted (`a`).
    pub atomic: bool,
    /// It leads to an exception if the control bit is another, on a core with `C_FSL_EXCEPTION` (`e`).
    pub raises: bool,
}

impl Variant {
    /// The variant of an instruction; nothing if it accesses no link.
    pub const fn of(insn: Decoded) -> Option<Self> {
        // The five bits end at the 10th bit, and at the 5th where a register has the number of the link.
        let bits = match insn.opcode {
            Opcode::Get | Opcode::Put => insn.low >> 10,
            Opcode::Getd | Opcode::Putd => insn.low >> 5,
            _ => return None,
        };
        let is_get = matches!(insn.opcode, Opcode::Get | Opcode::Getd);
        Some(Self {
            tries: bits & 16 != 0,
            control: bits & 8 != 0,
            tests: bits & 4 != 0,
            atomic: bits & 2 != 0,
            raises: is_get && bits & 1 != 0,
        })
    }

    /// Returns true if only cores with `C_USE_EXTENDED_FSL_INSTR` have it.
    pub const fn is_extended(self) -> bool {
        self.tests || self.atomic || self.raises
    }

    /// The letters in front of `get` and `put`, in the order of the GNU assembler.
    pub fn letters(self) -> String {
        let all = [
            (self.tests, 't'),
            (self.tries, 'n'),
            (self.raises, 'e'),
            (self.control, 'c'),
            (self.atomic, 'a'),
        ];
        all.iter().filter(|(is_set, _)| *is_set).map(|(_, letter)| letter).collect()
    }
}
