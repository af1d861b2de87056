//! The decode mode: under what state of the core an instruction was read.

/// The part of the core's state that decides about decoding; a number to the engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct State {
    /// True if the code is Thumb.
    pub thumb: bool,
    /// ITSTATE: the condition and what is left of the mask; 0 outside of an IT block (DDI 0403,
    /// A7.3.3).
    pub it: u8,
    /// The mode bits of the CPSR in the A profile; 0 in the M profile, whose instructions look at the
    /// cells where it matters.
    pub mode: u8,
    /// True if the condition of the first instruction was already found to hold: a conditional `svc` (or
    /// anything else that stops) comes in two blocks, of which the first looks at the condition.
    pub holds: bool,
}

impl State {
    /// As the engine's number.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.thumb as u32
            | (self.it as u32) << 1
            | (self.mode as u32 & 0x1f) << 9
            | (self.holds as u32) << 14
    }

    /// From the engine's number.
    #[must_use]
    pub const fn from_number(number: u32) -> Self {
        Self {
            thumb: number & 1 != 0,
            it: (number >> 1) as u8,
            mode: (number >> 9 & 0x1f) as u8,
            holds: number >> 14 & 1 != 0,
        }
    }

    /// Returns true if an IT block goes on here.
    #[must_use]
    pub const fn is_in_it(self) -> bool {
        self.it & 0xf != 0
    }

    /// Behind one more instruction of an IT block, or outside of one.
    #[must_use]
    pub const fn advanced(self) -> Self {
        // The lowest bit that is set marks the end of the mask.
        let it =
            if self.it.trailing_zeros() >= 3 { 0 } else { self.it & 0xe0 | self.it << 1 & 0x1f };
        Self { it, holds: false, ..self }
    }
}
