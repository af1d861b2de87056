//! Encodings as the manuals draw them: bits that are fixed, and letters for fields.
//!
//! A pattern's symbols stand for bits from the highest on: `0` and `1` are fixed, `-` may be anything,
//! and all bits of one letter, together, are a field. The letters a, d, m, n, r, t and u are registers;
//! in lower case they are not the program counter. `c` is the condition, and `=` has to be what `m` is.

use crate::architecture::{Architecture, Version};
use crate::instruction::{Condition, Operation, Register};

/// Letters that stand for registers.
const REGISTERS: &[u8] = b"admnrtu";
const LETTERS: usize = 27;

/// The feature that a core must have for an encoding to be an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Need {
    Any,
    FromV4T,
    FromV5,
    V5TE,
    /// The A profile's versions.
    Classic,
    /// The M profile.
    M,
    Thumb2,
    Dsp,
    /// The floating-point extension.
    Vector,
}

impl Need {
    /// Returns true if a core has it.
    #[must_use]
    pub const fn is_met(self, architecture: Architecture) -> bool {
        let version = architecture.version;
        match self {
            Self::Any => true,
            Self::FromV4T => !matches!(version, Version::V4),
            Self::FromV5 => version.loads_interwork(),
            Self::V5TE => matches!(version, Version::V5TE),
            Self::Classic => !version.is_m(),
            Self::M => version.is_m(),
            Self::Thumb2 => version.has_thumb2(),
            Self::Dsp => matches!(version, Version::V7EM),
            Self::Vector => version.has_thumb2() && architecture.vector,
        }
    }
}

/// A drawing of an encoding, and what of it is fixed.
#[derive(Clone, Copy, Debug)]
pub struct Pattern {
    text: &'static str,
    mask: u32,
    bits: u32,
    /// The letters in lower case, and `=`, by their slots.
    letters: u32,
}

impl Pattern {
    /// Reads a drawing.
    ///
    /// # Panics
    /// If it has not as many symbols as an encoding has bits, while it is compiled.
    #[must_use]
    pub const fn new(text: &'static str) -> Self {
        let (mut mask, mut bits, mut letters, mut at, mut count) = (0, 0, 0, 0, 0);
        while at < text.len() {
            let symbol = text.as_bytes()[at];
            if symbol != b' ' {
                mask = mask << 1 | matches!(symbol, b'0' | b'1') as u32;
                bits = bits << 1 | (symbol == b'1') as u32;
                count += 1;
            }
            if let (false, Some(slot)) = (symbol.is_ascii_uppercase(), slot(symbol)) {
                letters |= 1 << slot;
            }
            at += 1;
        }
        assert!(count == 16 || count == 32, "a pattern of 16 or 32 bits");
        Self { text, mask, bits, letters }
    }

    /// The drawing.
    #[must_use]
    pub const fn text(&self) -> &'static str {
        self.text
    }

    /// Returns true if an encoding has the bits that are fixed.
    #[must_use]
    pub const fn draws(&self, encoding: u32) -> bool {
        encoding & self.mask == self.bits
    }

    /// The fields of an encoding that it draws.
    #[must_use]
    pub fn fields(&self, encoding: u32) -> Option<Fields> {
        if !self.draws(encoding) {
            return None;
        }
        let mut fields = Fields { values: [0; LETTERS], in_it: false };
        let symbols = self.text.bytes().rev().filter(|symbol| *symbol != b' ');
        let mut places = [0; LETTERS];
        for (at, symbol) in symbols.enumerate() {
            let Some(slot) = slot(symbol) else { continue };
            fields.values[slot] |= (encoding >> at & 1) << places[slot];
            places[slot] += 1;
        }
        self.is_known(&fields).then_some(fields)
    }

    /// Returns true if there is a letter in lower case.
    const fn has(&self, letter: u8) -> bool {
        match slot(letter) {
            Some(slot) => self.letters >> slot & 1 != 0,
            None => false,
        }
    }

    fn is_known(&self, fields: &Fields) -> bool {
        let is_general = |letter: &u8| !(self.has(*letter) && fields.at(*letter) == 15);
        REGISTERS.iter().all(is_general) && (!self.has(b'=') || fields.at(b'=') == fields.at(b'm'))
    }

    /// The condition of an encoding; nothing where its field is none.
    #[must_use]
    pub fn condition(&self, fields: &Fields) -> Option<Condition> {
        if self.has(b'c') { Condition::from_bits(fields.get('c')) } else { Some(Condition::Always) }
    }
}

const fn slot(symbol: u8) -> Option<usize> {
    match symbol {
        b'a'..=b'z' => Some((symbol - b'a') as usize),
        b'A'..=b'Z' => Some((symbol - b'A') as usize),
        b'=' => Some(LETTERS - 1),
        _ => None,
    }
}

/// An encoding's fields.
#[derive(Clone, Copy, Debug)]
pub struct Fields {
    values: [u32; LETTERS],
    /// True if it stands in an IT block, where most narrow instructions leave the flags alone.
    pub in_it: bool,
}

impl Fields {
    const fn at(&self, symbol: u8) -> u32 {
        match slot(symbol) {
            Some(slot) => self.values[slot],
            None => 0,
        }
    }

    /// The field of a letter; 0 where there is none.
    #[must_use]
    pub const fn get(&self, letter: char) -> u32 {
        self.at(letter as u8)
    }

    /// A field as a register.
    #[must_use]
    pub const fn reg(&self, letter: char) -> Register {
        self.get(letter) as Register
    }

    /// A field as a small number.
    #[must_use]
    pub const fn byte(&self, letter: char) -> u8 {
        self.get(letter) as u8
    }

    /// A field as a list of registers.
    #[must_use]
    pub const fn list(&self, letter: char) -> u16 {
        self.get(letter) as u16
    }

    /// Returns true if a field is not 0.
    #[must_use]
    pub const fn is(&self, letter: char) -> bool {
        self.get(letter) != 0
    }

    /// Returns true if a narrow instruction sets flags.
    #[must_use]
    pub const fn sets_flags(&self) -> bool {
        !self.in_it
    }
}

/// An encoding, and what it stands for.
#[derive(Debug)]
pub struct Encoding {
    /// The feature that a core must have.
    pub need: Need,
    /// The distribution that it is drawn from.
    pub pattern: Pattern,
    /// Its operation; nothing where fields do not fit together.
    pub operation: fn(&Fields) -> Option<Operation>,
}

/// A table of encodings: what a core must have, a pattern, and the operation that its fields give.
macro_rules! encodings {
    ($table:ident |$fields:ident| { $($need:ident $pattern:literal => $operation:expr;)* }) => {
        #[allow(unused_variables)] // Some encodings have no fields.
        pub(super) static $table: &[Encoding] = &[$(Encoding {
            need: Need::$need,
            pattern: Pattern::new($pattern),
            operation: |$fields: &Fields| Option::from($operation),
        },)*];
    };
}
pub(crate) use encodings;
