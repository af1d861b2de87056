//! What stands between a core with a narrow data bus and peripherals with registers of a word.

use cocrypt_engine::Access;

/// Assembles a word's parts. A read of a word's lowest part reads the register, and the parts above it
/// are those of that moment; a write of its highest part writes the register, together with the parts
/// below it that were written before.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bridge {
    read: u32,
    written: u32,
}

/// What an access is to the peripheral behind the bridge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passage {
    /// It reaches the register: a read of it, or a write of this word.
    Through(u32),
    /// It ends at the bridge: a read of a part of this word, or a write that is kept.
    Held(u32),
}

impl Bridge {
    /// What a read is.
    pub const fn reads(self, access: &Access) -> Passage {
        if access.address.is_multiple_of(4) {
            Passage::Through(0)
        } else {
            Passage::Held(self.read)
        }
    }

    /// The register gave a word.
    pub const fn fill(&mut self, word: u32) {
        self.read = word;
    }

    /// What a write is.
    pub const fn writes(&mut self, access: &Access, value: u64) -> Passage {
        let lowest = 8 * (access.address & 3);
        let mask = (access.width.mask() as u32) << lowest;
        self.written = self.written & !mask | (value as u32) << lowest & mask;
        let is_highest = lowest + access.width.bits() >= u32::BITS;
        if is_highest { Passage::Through(self.written) } else { Passage::Held(self.written) }
    }
}

#[cfg(test)]
mod tests {
    use cocrypt_ir::Width;

    use super::*;

    fn access(address: u32, width: Width) -> Access {
        Access { address, width, unwaited: 0, pc: 0, launched: 0 }
    }

    #[test]
    fn the_highest_byte_writes_the_word() {
        let mut bridge = Bridge::default();
        for (place, byte) in [0x11, 0x22, 0x33].into_iter().enumerate() {
            let passage = bridge.writes(&access(0x40 + place as u32, Width::W8), byte);
            assert!(matches!(passage, Passage::Held(_)));
        }
        let passage = bridge.writes(&access(0x43, Width::W8), 0x44);
        assert_eq!(passage, Passage::Through(0x4433_2211));
    }

    #[test]
    fn two_halves_make_a_word() {
        let mut bridge = Bridge::default();
        assert!(matches!(bridge.writes(&access(0x40, Width::W16), 0x2211), Passage::Held(_)));
        let passage = bridge.writes(&access(0x42, Width::W16), 0x4433);
        assert_eq!(passage, Passage::Through(0x4433_2211));
    }

    #[test]
    fn the_lowest_byte_reads_the_word_and_the_others_are_of_that_moment() {
        let mut bridge = Bridge::default();
        assert_eq!(bridge.reads(&access(0x40, Width::W8)), Passage::Through(0));
        bridge.fill(0x4433_2211);
        assert_eq!(bridge.reads(&access(0x43, Width::W8)), Passage::Held(0x4433_2211));
    }
}
