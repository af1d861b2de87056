//! The bridge between a core with a narrow data bus and peripherals with registers of a word.

use cocrypt_engine::Access;

/// Cycles that an access waits which ends at the bridge, whatever the bus behind it takes.
pub const WAIT: u32 = 1;

/// Assembles a word's parts, in whatever order a compiler accesses them. The first read of a part reads
/// the register, and the other parts of the same word are of that moment until one is read again. A write
/// of the last part that was missing writes the register.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bridge {
    read: Parts,
    written: Parts,
}

/// Some bytes of a word.
#[derive(Clone, Copy, Debug, Default)]
struct Parts {
    /// The word's address.
    address: u32,
    /// The mask of bytes that were read or written.
    taken: u32,
    word: u32,
}

/// The transfer behind the bridge that an access causes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BridgeTransfer {
    /// It reaches the register: a read of it, or a write of this word.
    Through(u32),
    /// It ends at the bridge: a read of a part of this word, or a write that is kept.
    Held(u32),
}

impl Bridge {
    /// The transfer of a read.
    pub const fn reads(&mut self, access: &Access) -> BridgeTransfer {
        let (address, bytes) = place(access);
        let is_other = self.read.address != address || self.read.taken & bytes != 0;
        if is_other || self.read.taken == 0 {
            self.read = Parts { address, taken: bytes, word: 0 };
            return BridgeTransfer::Through(0);
        }
        self.read.taken |= bytes;
        BridgeTransfer::Held(self.read.word)
    }

    /// The register gave a word.
    pub const fn fill(&mut self, word: u32) {
        self.read.word = word;
    }

    /// The transfer of a write.
    pub const fn writes(&mut self, access: &Access, value: u64) -> BridgeTransfer {
        let (address, bytes) = place(access);
        if self.written.address != address {
            self.written = Parts { address, taken: 0, word: 0 };
        }
        let Parts { taken, word, .. } = &mut self.written;
        *taken |= bytes;
        *word = *word & !bytes | (value as u32) << (8 * (access.address & 3)) & bytes;
        if *taken != u32::MAX {
            return BridgeTransfer::Held(*word);
        }
        *taken = 0;
        BridgeTransfer::Through(*word)
    }
}

/// The word that an access goes to, and the bits of it that it reaches.
const fn place(access: &Access) -> (u32, u32) {
    let bits = access.width.mask() as u32;
    (access.address & !3, bits << (8 * (access.address & 3)))
}

#[cfg(test)]
mod tests {
    use cocrypt_ir::Width;

    use super::*;

    fn access(address: u32, width: Width) -> Access {
        Access { address, width, unwaited: 0, pc: 0, issued: 0 }
    }

    #[test]
    fn the_last_byte_that_was_missing_writes_the_word() {
        let bytes = [0x11u32, 0x22, 0x33, 0x44];
        for order in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 0, 3, 2]] {
            let mut bridge = Bridge::default();
            for _ in 0..2 {
                let mut write = |place: u32| {
                    let value = bytes[place as usize].into();
                    bridge.writes(&access(0x40 + place, Width::W8), value)
                };
                for place in &order[..3] {
                    assert!(matches!(write(*place), BridgeTransfer::Held(_)));
                }
                assert_eq!(write(order[3]), BridgeTransfer::Through(0x4433_2211));
            }
        }
    }

    #[test]
    fn two_halves_make_a_word() {
        let mut bridge = Bridge::default();
        assert!(matches!(
            bridge.writes(&access(0x42, Width::W16), 0x4433),
            BridgeTransfer::Held(_)
        ));
        let passage = bridge.writes(&access(0x40, Width::W16), 0x2211);
        assert_eq!(passage, BridgeTransfer::Through(0x4433_2211));
    }

    #[test]
    fn a_word_that_was_begun_is_dropped_for_another() {
        let mut bridge = Bridge::default();
        assert!(matches!(bridge.writes(&access(0x40, Width::W16), 1), BridgeTransfer::Held(_)));
        assert!(matches!(bridge.writes(&access(0x44, Width::W16), 2), BridgeTransfer::Held(_)));
        assert!(matches!(bridge.writes(&access(0x42, Width::W16), 3), BridgeTransfer::Held(_)));
    }

    #[test]
    fn the_parts_of_a_read_are_of_one_moment() {
        let mut bridge = Bridge::default();
        assert_eq!(bridge.reads(&access(0x41, Width::W8)), BridgeTransfer::Through(0));
        bridge.fill(0x4433_2211);
        for place in [0x40, 0x43, 0x42] {
            assert_eq!(bridge.reads(&access(place, Width::W8)), BridgeTransfer::Held(0x4433_2211));
        }
        assert_eq!(bridge.reads(&access(0x40, Width::W8)), BridgeTransfer::Through(0));
    }
}
