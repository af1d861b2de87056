//! The marks of an instruction set's program files, and the meaning of addresses in them.
//!
//! Source: "Tool Interface Standard, Executable and Linking Format", version 1.2, book I.

/// The order of a word's bytes in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByteOrder {
    /// The lowest byte first.
    Little,
    /// The highest byte first.
    Big,
}

impl ByteOrder {
    /// Its name as the GNU tools have it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Little => "little",
            Self::Big => "big",
        }
    }

    /// The number that some bytes are.
    #[must_use]
    pub fn number(self, bytes: &[u8]) -> u64 {
        let add = |number: u64, &byte: &u8| number << 8 | u64::from(byte);
        match self {
            Self::Little => bytes.iter().rev().fold(0, add),
            Self::Big => bytes.iter().fold(0, add),
        }
    }

    /// The lowest `size` bytes of a number.
    #[must_use]
    pub fn bytes(self, number: u64, size: usize) -> Vec<u8> {
        let mut bytes = number.to_le_bytes();
        match self {
            Self::Little => bytes[..size].to_vec(),
            Self::Big => {
                bytes.reverse();
                bytes[bytes.len() - size..].to_vec()
            }
        }
    }
}

/// The fields of an ELF file's header.
#[derive(Clone, Copy, Debug)]
pub struct Elf {
    /// `e_machine`.
    pub machine: u16,
    /// Bits of addresses, as `EI_CLASS` has it: 32 or 64.
    pub class: u8,
    /// `EI_DATA`.
    pub order: ByteOrder,
    /// The bits of `e_flags` that every file has.
    pub flags: u32,
    /// The prefix of the names of C's functions and objects, and so of all global symbols that C can refer to.
    pub prefix: &'static str,
}

/// A space of addresses. Where there are several, a file tells them apart by the addresses that it adds
/// to them.
#[derive(Clone, Copy, Debug)]
pub struct AddressSpace {
    /// Its name for people.
    pub name: &'static str,
    /// Bits of its addresses, 16 to 32.
    pub bits: u8,
    /// The address in files that stands for its address 0.
    pub origin: u32,
}

impl AddressSpace {
    /// Returns true if it has all bytes between two of a file's addresses.
    #[must_use]
    pub fn holds(&self, from: u64, to: u64) -> bool {
        let origin = u64::from(self.origin);
        origin <= from && to <= origin + (1 << self.bits)
    }
}

/// The encoding of a pointer to code, in a symbol or in memory: address and decode mode.
#[derive(Clone, Copy, Debug)]
pub struct Pointers {
    /// The bits that are no part of the address, but say how code is decoded there.
    pub modes: u32,
    /// Bytes that a pointer in memory counts as one, where the program counter counts words.
    pub unit: u8,
    /// The message about a pointer without those bits, with what to do, where the core needs them.
    pub unmarked: &'static str,
}

impl Pointers {
    /// The address that a file's pointer names, and its bits that say how code is decoded.
    #[must_use]
    pub const fn split(self, pointer: u32) -> (u32, u32) {
        (pointer & !self.modes, pointer & self.modes)
    }

    /// The pointer that a program holds in memory for an address, given how code is decoded there.
    #[must_use]
    pub const fn held(self, address: u32, mode: u32) -> u32 {
        let counted = address / self.unit as u32;
        counted | mode
    }
}
