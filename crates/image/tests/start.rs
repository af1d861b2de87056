//! The start of an image by a core of the M profile (DDI 0403, B1.5.3 and B1.5.5).

use cocrypt_image::{Board, Image, Start, read_hex, read_raw};

const FLASH: u32 = 0x0800_0000;
const RAM: (u32, u32) = (0x2000_0000, 0x2000_2000);
/// The message about a vector without the lowest bit.
const UNMARKED: &str = "whose bit 0 is clear";
/// `b .`, where tables lead to.
const CODE: [u32; 2] = [0xe7fe_e7fe, 0xe7fe_e7fe];

fn words(values: &[u32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn raw(at: u32, values: &[u32]) -> Image {
    read_raw("a.bin", &words(values), at)
}

/// The same as a file that names its entry.
fn linked(at: u32, values: &[u32], entry: u32) -> Image {
    Image { entry, says_entry: true, ..raw(at, values) }
}

fn start(image: &Image) -> Result<Start, String> {
    let word = |at: u32| {
        let segment = image
            .segments
            .iter()
            .find(|segment| at.wrapping_sub(segment.address) < segment.size)?;
        let bytes = segment.bytes.get((at - segment.address) as usize..)?.first_chunk()?;
        Some(u32::from_le_bytes(*bytes))
    };
    let board =
        Board { name: "board", vectors: FLASH, ram: &[RAM], word: &word, unmarked: UNMARKED };
    Start::of(image, &board).map_err(|wrong| wrong.message)
}

/// The first words of a table, and code behind them.
fn table(stack: u32, entry: u32) -> Vec<u32> {
    [&[stack, entry][..], &CODE].concat()
}

#[test]
fn the_table_gives_stack_pointer_and_entry_without_its_lowest_bit() {
    let words = table(RAM.1, FLASH + 9);
    let expected = Start { entry: FLASH + 8, stack: Some(RAM.1), vectors: Some(FLASH), note: None };
    for image in [raw(FLASH, &words), linked(FLASH, &words, FLASH + 12)] {
        assert_eq!(start(&image), Ok(expected.clone()));
    }
}

#[test]
fn an_application_behind_a_boot_loader_starts_from_its_own_table() {
    for at in [FLASH + 0x4000, RAM.0] {
        let started = start(&raw(at, &table(RAM.1, at + 9))).expect("a start");
        let Start { entry, stack, vectors, note } = started;
        assert_eq!((entry, stack, vectors, note), (at + 8, Some(RAM.1), Some(at), None));
    }
}

#[test]
fn code_without_a_table_starts_at_its_entry_and_says_so() {
    // `movs` instructions, an even second word, one that leads elsewhere, and one without RAM.
    let elsewhere = table(RAM.1, FLASH + 0x101);
    let no_ram = table(0x6000_0000, FLASH + 9);
    for words in [vec![0x2000_2001; 4], vec![RAM.1, FLASH + 8, 0, 0], elsewhere, no_ram] {
        let started = start(&linked(FLASH, &words, FLASH + 12)).expect("a start");
        assert_eq!((started.entry, started.stack), (FLASH + 12, None));
        assert!(started.note.is_some_and(|note| note.contains("no vector table")));
        if words[1] != FLASH + 9 {
            let refused = start(&raw(FLASH, &words)).expect_err("no table");
            assert!(refused.contains("no vector table"), "{refused}");
        }
    }
}

#[test]
fn a_reset_vector_without_its_thumb_bit_is_told() {
    let words = table(RAM.1, FLASH + 8);
    let refused = start(&raw(FLASH, &words)).expect_err("no table");
    let started = start(&linked(FLASH, &words, FLASH + 12)).expect("a start");
    for told in [refused, started.note.expect("a note")] {
        assert!(told.contains(&format!("0x08000008, the reset vector, {UNMARKED}")), "{told}");
    }
    // Data that leads nowhere is no vector that lacks the bit.
    let refused = start(&raw(FLASH, &[0x1234_5678; 4])).expect_err("no table");
    assert!(!refused.contains(UNMARKED), "{refused}");
}

#[test]
fn a_stack_outside_of_ram_is_told() {
    let started = start(&raw(FLASH, &table(0x2003_0000, FLASH + 9))).expect("a start");
    assert_eq!((started.entry, started.stack), (FLASH + 8, Some(0x2003_0000)));
    assert!(started.note.is_some_and(|note| note.contains("0x20030000")));
}

#[test]
fn a_hex_file_may_name_its_entry() {
    let named = read_hex(
        "a.hex",
        b":020000040800F2\n:0400000000BF00BF7E\n:0400000508000001EE\n:00000001FF\n",
    );
    let named = named.expect("an image");
    assert!(named.says_entry);
    assert_eq!(start(&named).expect("a start").entry, FLASH);
    let without = read_hex("a.hex", b":020000040800F2\n:0400000000BF00BF7E\n:00000001FF\n");
    assert!(start(&without.expect("an image")).is_err());
}
