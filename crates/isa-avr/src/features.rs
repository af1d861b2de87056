//! The features that tell AVRs apart.
//!
//! Source: DS40002198, section 5 and appendix A.

/// A variant of the instruction set (DS40002198, section 5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// Without products.
    Avre,
    /// With products, and jumps to anywhere.
    AvrePlus,
    /// XMEGA.
    Avrxm,
    /// tinyAVR from series 0 on, megaAVR from series 0 on, AVR Dx.
    Avrxt,
    /// The reduced core, of 16 registers.
    Avrrc,
}

impl Variant {
    /// All names, as core files have them.
    pub const NAMES: [(&'static str, Self); 5] = [
        ("avre", Self::Avre),
        ("avre+", Self::AvrePlus),
        ("avrxm", Self::Avrxm),
        ("avrxt", Self::Avrxt),
        ("avrrc", Self::Avrrc),
    ];

    /// The variant of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|&(_, variant)| variant)
    }

    /// Returns true if registers stand at the beginning of the data space, with the I/O space behind them.
    #[must_use]
    pub const fn maps_registers(self) -> bool {
        matches!(self, Self::Avre | Self::AvrePlus)
    }

    /// Returns true if a handler is known by a state of its own instead of I, which stays (section 6.89).
    #[must_use]
    pub const fn keeps_enable(self) -> bool {
        matches!(self, Self::Avrxm | Self::Avrxt)
    }
}

/// Words of flash memory that `rjmp` reaches all of, so that vectors are of one word.
const NEAR: u32 = 4096;
/// Words whose bytes Z alone can address.
const BYTES: u32 = 0x8000;

/// The features of a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features {
    /// Its variant.
    pub variant: Variant,
    /// Words of flash memory.
    pub flash_words: u32,
    /// True if the program counter has 22 bits, of which calls push three bytes.
    pub wide_counter: bool,
    /// True if the data space is larger than 64 KiB, so that RAMPD, RAMPX, RAMPY and RAMPZ belong to its
    /// addresses.
    pub large_data: bool,
    /// The address in the data space from which on accesses cost something else; nothing if they do not.
    pub boundary: Option<u32>,
    /// The last address of SRAM in the data space, which the stack pointer holds after reset.
    pub ram_end: u16,
}

impl Features {
    /// A core of a variant, with so much flash memory, a program counter of 16 bits, a data space of 64 KiB,
    /// and a stack pointer that begins at 0.
    #[must_use]
    pub const fn new(variant: Variant, flash_words: u32) -> Self {
        Self {
            variant,
            flash_words,
            wide_counter: false,
            large_data: false,
            boundary: None,
            ram_end: 0,
        }
    }

    /// The address of code that a sum of such addresses leads to: the program counter has as many bits as
    /// the flash memory needs (section 6.90, of `rjmp`).
    #[must_use]
    pub const fn wrap(&self, address: u64) -> u64 {
        address & (2 * self.flash_words.next_power_of_two() as u64 - 1)
    }

    /// Returns true if it has `jmp` and `call`.
    #[must_use]
    pub const fn jumps_far(&self) -> bool {
        match self.variant {
            Variant::Avre | Variant::AvrePlus => self.flash_words > NEAR,
            Variant::Avrxm | Variant::Avrxt => true,
            Variant::Avrrc => false,
        }
    }

    /// Returns true if it has `elpm`.
    #[must_use]
    pub const fn reads_far(&self) -> bool {
        self.flash_words > BYTES
    }

    /// Returns true if it has RAMPZ.
    #[must_use]
    pub const fn has_rampz(&self) -> bool {
        self.reads_far() || self.large_data
    }

    /// The address of an interrupt's handler: entries of the vector table are a `jmp`, or an `rjmp`
    /// where that reaches all of the flash memory.
    #[must_use]
    pub const fn vector(&self, number: u8) -> u64 {
        let bytes = if self.flash_words > NEAR { 4 } else { 2 };
        number as u64 * bytes
    }

    /// The address of an I/O register in the data space.
    #[must_use]
    pub const fn io(&self, register: u8) -> u32 {
        register as u32 + if self.variant.maps_registers() { 0x20 } else { 0 }
    }

    /// The number of bytes of the program counter that calls push.
    #[must_use]
    pub const fn counter_bytes(&self) -> u8 {
        if self.wide_counter { 3 } else { 2 }
    }
}
