//! Instructions as decode sees them: by single bits, some of which it also looks at where no instruction
//! stands.

use cocrypt_isa::CodeMemory;

/// The decoder's view of a word, be it an instruction or not.
#[derive(Clone, Copy)]
pub(super) struct Word(pub u32);

/// The properties of an instruction that matter to the stages.
pub(super) enum Kind {
    Load,
    Store,
    Shift,
    MulDiv,
    /// An environment call or a return: what stands behind it goes no further than decode.
    System,
    Csr,
    /// It jumps, or branches backwards: decode sends the fetch stages there.
    Jump,
    Other,
}

impl Word {
    pub fn at(pc: u64, code: &dyn CodeMemory) -> Option<Self> {
        Some(Self(u32::from(code.unit(pc + 2)?) << 16 | u32::from(code.unit(pc)?)))
    }

    pub const fn opcode(self) -> u32 {
        self.0 & 0x7f
    }

    pub const fn function(self) -> u32 {
        self.0 >> 12 & 7
    }

    pub const fn rd(self) -> u32 {
        self.0 >> 7 & 31
    }

    /// The first source register.
    pub const fn first(self) -> u32 {
        self.0 >> 15 & 31
    }

    /// The second one.
    pub const fn second(self) -> u32 {
        self.0 >> 20 & 31
    }

    /// Returns true if it is an environment call.
    pub const fn is_call(self) -> bool {
        self.0 == 0x73
    }

    /// Returns true if the width of a load or store does not allow its address, given the base.
    pub const fn is_unaligned(self, base: u32) -> bool {
        let offset = if self.opcode() == 0x03 { self.0 >> 20 } else { self.rd() };
        base.wrapping_add(offset) & ((1 << (self.function() & 3)) - 1) != 0
    }

    /// Returns true if it waits for a register (`decode_RS1_USE`, `decode_RS2_USE`, likewise).
    pub const fn reads(self, register: u32) -> bool {
        let word = self.0;
        let first = word & 0x44 == 0
            || word & 0x18 == 0
            || word & 0x5004 == 0x1000
            || word & 0x6004 == 0x2000;
        let second = word & 0x64 == 0x20 || word & 0x34 == 0x20;
        first && self.first() == register || second && self.second() == register
    }

    /// Returns true if it is an instruction (`decode_LEGAL_INSTRUCTION`); the lowest bit of the function is
    /// not looked at in shifts by an immediate amount, and an unsigned load of a word is one.
    pub const fn is_legal(self) -> bool {
        let (function, further) = (self.function(), self.0 >> 25);
        match self.opcode() {
            0x37 | 0x17 | 0x6f => true,
            0x03 => !matches!(function, 3 | 7),
            0x23 => function < 3,
            0x63 => !matches!(function, 2 | 3),
            0x67 => function == 0,
            0x0f => function < 2,
            0x13 => match function {
                1 => further >> 1 == 0,
                5 => further & 0x5e == 0,
                _ => true,
            },
            0x33 => match further {
                0 | 1 => true,
                0x20 => matches!(function, 0 | 5),
                _ => false,
            },
            0x73 => match function {
                0 => matches!(self.0, 0x73 | 0x3020_0073 | 0x1050_0073),
                4 => false,
                _ => true,
            },
            _ => false,
        }
    }

    pub const fn kind(self) -> Kind {
        match (self.opcode(), self.function()) {
            (0x03, _) => Kind::Load,
            (0x23, _) => Kind::Store,
            (0x33, _) if self.0 >> 25 == 1 => Kind::MulDiv,
            (0x13 | 0x33, 1 | 5) => Kind::Shift,
            (0x73, 0) => Kind::System,
            (0x73, _) => Kind::Csr,
            // Decode leaves alone what leads to no multiple of 4.
            (0x6f, _) if self.0 >> 21 & 1 == 0 => Kind::Jump,
            (0x63, _) if self.0 >> 31 == 1 && self.0 >> 8 & 1 == 0 => Kind::Jump,
            _ => Kind::Other,
        }
    }

    /// Returns true if it divides.
    pub const fn divides(self) -> bool {
        self.opcode() == 0x33 && self.0 >> 25 == 1 && self.function() >= 4
    }

    /// The shift amount, if it is an immediate.
    pub const fn amount(self) -> Option<i32> {
        if self.opcode() == 0x13 { Some((self.0 >> 20 & 31) as i32) } else { None }
    }
}
