//! The table: every first word is one instruction of a core at most, and every row is lifted.

use cocrypt_ir::{Exit, StopKind, verify};
use cocrypt_isa::{CodeMemory, Frontend as _};
use cocrypt_isa_avr::class::CLASSES;
use cocrypt_isa_avr::table::{Has, Opcode, Row, TABLE};
use cocrypt_isa_avr::{Avr, Features, Variant, decode};

/// One of each kind of core.
fn cores() -> Vec<Features> {
    let wide = |core: Features| Features { wide_counter: true, ..core };
    let large = |core: Features| Features { large_data: true, boundary: Some(0x1000), ..core };
    vec![
        Features::new(Variant::Avre, 4096),
        Features::new(Variant::Avre, 8192),
        Features::new(Variant::AvrePlus, 16384),
        Features::new(Variant::AvrePlus, 65536),
        wide(Features::new(Variant::AvrePlus, 131_072)),
        Features::new(Variant::Avrxm, 16384),
        large(wide(Features::new(Variant::Avrxm, 262_144))),
        Features { boundary: Some(0x8000), ..Features::new(Variant::Avrxt, 65536) },
        Features::new(Variant::Avrrc, 512),
    ]
}

/// Code that begins with two words, and of which every instruction is a block.
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

fn rows_of(core: &Features, word: u16) -> Vec<&'static str> {
    let rows = TABLE.iter().filter(|row| row.matches(word) && row.has.holds(core));
    rows.map(|row| row.name).collect()
}

#[test]
fn no_word_is_two_instructions_of_a_core() {
    for core in cores() {
        for word in 0..=u16::MAX {
            let rows = rows_of(&core, word);
            assert!(rows.len() <= 1, "{word:#06x} of {core:?}: {rows:?}");
        }
    }
}

#[test]
fn every_word_is_decoded_or_illegal() {
    for core in cores() {
        let frontend = Avr::new(core, [true; CLASSES.len()]);
        for word in 0..=u16::MAX {
            let block = frontend.lift(&Words([word, 0x0100]), 0, 0).expect("there are words");
            let is_illegal = block.exit == Exit::Stop(StopKind::IllegalInstruction);
            let decoded = decode(&core, word, 0x0100);
            assert_eq!(decoded.is_none(), is_illegal, "{word:#06x} of {core:?}");
            let state = frontend.cells().len() as u16;
            let formed = verify(&block, state, state + frontend.temporaries());
            assert_eq!(formed, Ok(()), "{word:#06x} of {core:?}");
        }
    }
}

#[test]
fn rows_stand_in_the_order_of_their_opcodes() {
    for (place, row) in TABLE.iter().enumerate() {
        assert_eq!(row.opcode as usize, place, "{}", row.name);
        assert_eq!(
            row.pattern.split(' ').map(str::len).collect::<Vec<_>>(),
            [4; 4],
            "{}",
            row.name
        );
    }
}

/// The operations of a row's instruction, of operands that are not 0, on the first core that has it.
fn does_something(row: &Row) -> bool {
    let core = cores().into_iter().find(|core| row.has.holds(core)).expect("a core has it");
    let word = row.bits | 0x0101 & !row.mask | 0x0030 & !row.mask;
    let word = if row.matches(word) { word } else { row.bits | !row.mask };
    let frontend = Avr::new(core, [true; CLASSES.len()]);
    let block = frontend.lift(&Words([word, 0x0100]), 0, 0).expect("there are words");
    !block.ops.is_empty() || !matches!(block.exit, Exit::Next { .. })
}

#[test]
fn every_row_does_something() {
    for row in TABLE {
        let is_idle = row.opcode == Opcode::Nop;
        assert_eq!(does_something(row), !is_idle, "`{}` ({}) is not lifted", row.name, row.pattern);
    }
}

#[test]
fn the_reduced_core_has_sixteen_registers() {
    let core = Features::new(Variant::Avrrc, 512);
    // `add r16, r15`, `add r15, r16`, `add r16, r17`.
    for (word, is_there) in [(0x0d0f, false), (0x0ef0, false), (0x0f01, true)] {
        assert_eq!(decode(&core, word, 0).is_some(), is_there, "{word:#06x}");
    }
    let reduced = TABLE.iter().filter(|row| row.has == Has::Reduced).count();
    assert_eq!(reduced, 2, "its short forms of lds and sts");
}
