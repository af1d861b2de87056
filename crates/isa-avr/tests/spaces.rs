//! The targets of accesses on cores that simavr does not know: XMEGA's long addresses and exchanges, I/O
//! registers without registers before them, and the reduced core's short addresses.
//!
//! Source: DS40002198, sections 2.1, 6.63 to 6.71, 6.117, 6.118 and 6.124, of which each case is an example.

use std::collections::BTreeMap;

use cocrypt_ir::{Counter, Environment, Fault, Slot, Width, evaluate};
use cocrypt_isa::{CodeMemory, Frontend as _};
use cocrypt_isa_avr::class::CLASSES;
use cocrypt_isa_avr::{Avr, DATA, Features, Variant, cells};

struct Words([u16; 2]);

impl CodeMemory for Words {
    fn unit(&self, address: u64) -> Option<u16> {
        Some(*self.0.get(address as usize / 2).unwrap_or(&0))
    }
    fn fetch_wait(&self, _: u64) -> u32 {
        1
    }
    fn is_boundary(&self, _: u64) -> bool {
        true
    }
}

/// The contents of each address; nothing else may be reached.
#[derive(Default)]
struct Memory(BTreeMap<u32, u64>);

impl Environment for Memory {
    fn load(&mut self, address: u32, _: Width) -> Result<u64, Fault> {
        self.0.get(&address).copied().ok_or(Fault { address })
    }
    fn store(&mut self, address: u32, _: Width, value: u64) -> Result<(), Fault> {
        *self.0.get_mut(&address).ok_or(Fault { address })? = value;
        Ok(())
    }
    fn count(&mut self, _: Counter) -> u64 {
        0
    }
}

/// XMEGA with more than 64 KiB of data.
fn large() -> Features {
    Features { large_data: true, ..Features::new(Variant::Avrxm, 65536) }
}

/// Runs an instruction, with a byte at one address, on some cells: that byte and those cells afterwards.
fn run(
    core: Features,
    words: [u16; 2],
    (address, byte): (u32, u64),
    given: &[(Slot, u64)],
) -> (u64, Vec<u64>) {
    let frontend = Avr::new(core, [true; CLASSES.len()]);
    let count = frontend.cells().len() + usize::from(frontend.temporaries());
    let mut state = vec![0; count];
    for &(cell, value) in given {
        state[usize::from(cell.0)] = value;
    }
    let mut memory = Memory(BTreeMap::from([(DATA + address, byte)]));
    let block = frontend.lift(&Words(words), 0, 0).expect("there are words");
    evaluate(&block, &mut state, &mut memory).expect("the address is the one");
    let cells = given.iter().map(|&(cell, _)| state[usize::from(cell.0)]).collect();
    (memory.0[&(DATA + address)], cells)
}

const R16: Slot = Slot(16);
const X: [Slot; 2] = [Slot(26), Slot(27)];
const Y: [Slot; 2] = [Slot(28), Slot(29)];
const Z: [Slot; 2] = [Slot(30), Slot(31)];

#[test]
fn pointers_have_a_byte_above_them() {
    use cells::{RAMPX, RAMPY, RAMPZ};
    // `ld r16, X+`.
    let given = [(R16, 0), (X[0], 0xff), (X[1], 0xff), (RAMPX, 1)];
    assert_eq!(run(large(), [0x910d, 0], (0x1_ffff, 7), &given), (7, vec![7, 0, 0, 2]));
    // `ld r16, -Y`.
    let given = [(R16, 0), (Y[0], 0), (Y[1], 0), (RAMPY, 1)];
    assert_eq!(run(large(), [0x910a, 0], (0xffff, 7), &given), (7, vec![7, 0xff, 0xff, 0]));
    // `std Z+2, r16`.
    let given = [(R16, 9), (Z[0], 0xff), (Z[1], 0xff), (RAMPZ, 1)];
    assert_eq!(run(large(), [0x8302, 0], (0x2_0001, 7), &given), (9, vec![9, 0xff, 0xff, 1]));
}

#[test]
fn direct_addresses_have_a_byte_above_them() {
    // `lds r16, 0x1234` and `sts 0x1234, r16`.
    let given = [(R16, 9), (cells::RAMPD, 3)];
    assert_eq!(run(large(), [0x9100, 0x1234], (0x3_1234, 7), &given), (7, vec![7, 3]));
    assert_eq!(run(large(), [0x9300, 0x1234], (0x3_1234, 7), &given), (9, vec![9, 3]));
}

#[test]
fn smaller_cores_have_addresses_of_16_bits() {
    for variant in [Variant::AvrePlus, Variant::Avrxm, Variant::Avrxt] {
        let core = Features::new(variant, 65536);
        let given = [(R16, 0), (X[0], 0xff), (X[1], 0xff), (cells::RAMPX, 1)];
        assert_eq!(run(core, [0x910d, 0], (0xffff, 7), &given), (7, vec![7, 0, 0, 1]));
        // `ldd r16, Z+2` begins again at 0.
        let given = [(R16, 0), (Z[0], 0xff), (Z[1], 0xff)];
        assert_eq!(run(core, [0x8102, 0], (1, 7), &given), (7, vec![7, 0xff, 0xff]));
    }
}

#[test]
fn exchanges_leave_what_was_there_in_the_register() {
    let core = Features::new(Variant::Avrxm, 16384);
    let given = [(R16, 0b0011), (Z[1], 0x20)];
    for (word, left, name) in [
        (0x9304, 0b0011, "xch"),
        (0x9305, 0b0111, "las"),
        (0x9306, 0b0100, "lac"),
        (0x9307, 0b0110, "lat"),
    ] {
        let found = run(core, [word, 0], (0x2000, 0b0101), &given);
        assert_eq!(found, (left, vec![0b0101, 0x20]), "{name}");
    }
}

#[test]
fn io_registers_stand_behind_registers_where_these_are_in_memory() {
    // `in r16, 0x1e` and `sbi 0x1e, 7`.
    for (variant, address) in [
        (Variant::Avre, 0x3e),
        (Variant::AvrePlus, 0x3e),
        (Variant::Avrxm, 0x1e),
        (Variant::Avrxt, 0x1e),
        (Variant::Avrrc, 0x1e),
    ] {
        let core = Features::new(variant, 512);
        assert_eq!(run(core, [0xb30e, 0], (address, 7), &[(R16, 0)]), (7, vec![7]));
        assert_eq!(run(core, [0x9af7, 0], (address, 1), &[]), (0x81, vec![]));
    }
}

#[test]
fn the_reduced_core_has_short_addresses() {
    let core = Features::new(Variant::Avrrc, 512);
    // `lds r16, k`: of bits 7 to 0 the word has not 8, 8, 10, 9, and 3 to 0.
    for (word, address) in [(0xa100, 0x40), (0xa70f, 0x7f), (0xa000, 0x80), (0xa60f, 0xbf)] {
        let found = run(core, [word, 0], (address, 7), &[(R16, 0)]);
        assert_eq!(found, (7, vec![7]), "{word:#06x}");
        let stored = run(core, [word | 0x0800, 0], (address, 7), &[(R16, 9)]);
        assert_eq!(stored, (9, vec![9]), "{word:#06x}");
    }
}

#[test]
fn the_status_register_is_composed_of_flags() {
    let core = Features::new(Variant::Avrxt, 16384);
    // `in r16, 0x3f` and `out 0x3f, r16`.
    let given = [(R16, 0), (cells::C, 1), (cells::I, 1), (cells::H, 1)];
    assert_eq!(run(core, [0xb70f, 0], (0x100, 0), &given).1, [0xa1, 1, 1, 1]);
    let given = [(R16, 0x42), (cells::C, 1), (cells::Z, 0), (cells::T, 0), (cells::N, 1)];
    assert_eq!(run(core, [0xbf0f, 0], (0x100, 0), &given).1, [0x42, 0, 1, 1, 0]);
    // `out 0x3e, r16`, the stack pointer's higher byte.
    let given = [(R16, 0x7f), (cells::SP, u64::from(DATA) | 0x1234)];
    let found = run(core, [0xbf0e, 0], (0x100, 0), &given).1;
    assert_eq!(found[1], u64::from(DATA) | 0x7f34);
}
