//! Whatever bytes a file holds, reading it ends in an image or in one diagnostic.

use cocrypt_diag::Diagnostic;
use cocrypt_image::{Image, SymbolKind, read_elf};
use cocrypt_isa_all::ALL;
use proptest::prelude::*;

/// A minimal executable: one segment of four bytes at 0x100, entry there.
fn minimal() -> Vec<u8> {
    let mut elf = vec![0; 52 + 32 + 4];
    elf[..7].copy_from_slice(b"\x7fELF\x01\x01\x01");
    put(&mut elf, 16, &2u16.to_le_bytes()); // e_type: executable
    put(&mut elf, 18, &243u16.to_le_bytes()); // e_machine: RISC-V
    put(&mut elf, 20, &1u32.to_le_bytes());
    put(&mut elf, 24, &0x100u32.to_le_bytes()); // e_entry
    put(&mut elf, 28, &52u32.to_le_bytes()); // e_phoff
    put(&mut elf, 40, &52u16.to_le_bytes()); // e_ehsize
    put(&mut elf, 42, &32u16.to_le_bytes()); // e_phentsize
    put(&mut elf, 44, &1u16.to_le_bytes()); // e_phnum
    put(&mut elf, 46, &40u16.to_le_bytes()); // e_shentsize
    for (word, value) in [1, 84, 0x100, 0x100, 4, 8, 5, 4].into_iter().enumerate() {
        put(&mut elf, 52 + 4 * word, &u32::to_le_bytes(value));
    }
    elf[84..].copy_from_slice(&[0x73, 0, 0x10, 0]);
    elf
}

fn put(elf: &mut [u8], at: usize, bytes: &[u8]) {
    elf[at..at + bytes.len()].copy_from_slice(bytes);
}

fn read(name: &str, bytes: &[u8]) -> Result<Image, Diagnostic> {
    read_elf(name, bytes, ALL)
}

#[test]
fn a_minimal_executable_is_read() {
    let image = read("a.elf", &minimal()).expect("an image");
    assert_eq!(image.entry, 0x100);
    assert_eq!(image.segments.len(), 1);
    let segment = &image.segments[0];
    assert_eq!((segment.address, segment.size, segment.bytes.len()), (0x100, 8, 4));
    assert!(segment.executable && !segment.writable);
    assert!(image.symbols.all().iter().all(|symbol| symbol.kind != SymbolKind::Function));
}

/// The same with a second segment of the same four bytes of the file, at an address.
fn with_second_segment(address: u32) -> Vec<u8> {
    let mut elf = minimal();
    put(&mut elf, 44, &2u16.to_le_bytes()); // e_phnum
    let mut second = elf[52..84].to_vec();
    second[8..16].copy_from_slice(&[address.to_le_bytes(), address.to_le_bytes()].concat());
    elf.splice(84..84, second);
    for at in [56, 88] {
        put(&mut elf, at, &116u32.to_le_bytes()); // p_offset
    }
    elf
}

#[test]
fn segments_that_overlap_are_refused() {
    for address in [0xfd, 0x100, 0x103] {
        let refused = read("a.elf", &with_second_segment(address)).expect_err("overlap");
        assert!(refused.message.contains("overlap in memory"), "{}", refused.message);
        assert!(refused.message.contains(&format!("{address:#010x}")), "{}", refused.message);
    }
    // What follows the first segment's bytes in the file is zero, as all memory is.
    for address in [0xfc, 0x104] {
        let image = read("a.elf", &with_second_segment(address)).expect("an image");
        assert_eq!(image.segments.len(), 2);
    }
    let refused = read("a.elf", &with_second_segment(0xffff_fffe)).expect_err("past the end");
    assert!(refused.message.contains("end of the address space"), "{}", refused.message);
}

/// A file of 160 KiB would take 800 MB: all its headers name the same bytes.
#[test]
fn segments_that_share_their_bytes_take_no_more_memory_than_a_file_may_have() {
    const COUNT: u32 = 5000;
    let length = 52 + 32 * COUNT;
    let mut elf = minimal();
    elf.resize(length as usize, 0);
    put(&mut elf, 44, &(COUNT as u16).to_le_bytes()); // e_phnum
    for number in 0..COUNT {
        let address = number * 0x30000;
        for (word, value) in [1, 0, address, address, length, length, 5, 4].into_iter().enumerate()
        {
            let at = 52 + 32 * number as usize + 4 * word;
            put(&mut elf, at, &u32::to_le_bytes(value));
        }
    }
    let wrong = read("a.elf", &elf).expect_err("refused");
    assert!(wrong.message.contains("more than 256 MiB"), "{}", wrong.message);
}

#[test]
fn the_hash_follows_what_is_loaded_and_nothing_else() {
    let plain = read("a.elf", &minimal()).expect("an image").hash();
    let mut padded = minimal();
    padded.extend_from_slice(b"debug sections and such");
    assert_eq!(read("b.elf", &padded).expect("an image").hash(), plain);
    let mut swapped = minimal();
    swapped[84] ^= 1;
    assert_ne!(read("a.elf", &swapped).expect("an image").hash(), plain);
    let mut entered = minimal();
    put(&mut entered, 24, &0x104u32.to_le_bytes());
    assert_ne!(read("a.elf", &entered).expect("an image").hash(), plain);
}

#[test]
fn foreign_and_broken_files_are_told_apart() {
    let change = |at: usize, bytes: &[u8]| {
        let mut elf = minimal();
        put(&mut elf, at, bytes);
        elf
    };
    let cases: [(&str, Vec<u8>, &str); 7] = [
        ("text", b"int main(void) {}".to_vec(), "image.foreign"),
        ("empty", vec![], "image.foreign"),
        ("64-bit", change(4, &[2]), "image.foreign"),
        ("big-endian", change(5, &[2]), "image.foreign"),
        ("for an 80386", change(18, &3u16.to_le_bytes()), "image.foreign"),
        ("cut short", minimal()[..86].to_vec(), "image.broken"),
        ("larger than in memory", change(52 + 20, &2u32.to_le_bytes()), "image.broken"),
    ];
    for (what, bytes, code) in cases {
        let wrong = read("a.elf", &bytes).expect_err(what);
        assert_eq!(wrong.code, code, "{what}: {}", wrong.message);
        assert!(wrong.message.contains("a.elf"), "{what}: {}", wrong.message);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn damaged_files_never_panic(
        damage in prop::collection::vec((0usize..88, any::<u8>()), 1..8),
        length in 0usize..=88,
    ) {
        let mut elf = minimal();
        for (at, byte) in damage {
            elf[at] = byte;
        }
        elf.truncate(length);
        let _ = read("a.elf", &elf);
    }

    #[test]
    fn any_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = cocrypt_image::read("a", &bytes, None, ALL);
        let _ = cocrypt_image::read("a", &bytes, Some(0x100), ALL);
    }

    #[test]
    fn any_records_never_panic(
        records in prop::collection::vec((any::<[u8; 4]>(), prop::collection::vec(any::<u8>(), 0..9)), 0..6),
        right in any::<bool>(),
        damage in prop::option::weighted(0.3, (0usize..60, any::<u8>())),
    ) {
        let mut text: Vec<u8> = records
            .into_iter()
            .flat_map(|([length, high, low, kind], data)| record(right, length, [high, low], kind, &data))
            .collect();
        text.extend(b":00000001FF\n");
        if let Some((at, byte)) = damage {
            let at = at % text.len();
            text[at] = byte;
        }
        let _ = cocrypt_image::read("a.hex", &text, None, ALL);
    }
}

/// A record of Intel HEX; if it is to be right, its length, kind and sum are.
fn record(right: bool, length: u8, address: [u8; 2], kind: u8, data: &[u8]) -> Vec<u8> {
    let (length, kind) = if right { (data.len() as u8, kind % 6) } else { (length, kind) };
    let mut bytes = vec![length, address[0], address[1], kind];
    bytes.extend(data);
    let sum = bytes.iter().fold(0u8, |sum, &byte| sum.wrapping_add(byte));
    bytes.push(if right { sum.wrapping_neg() } else { sum });
    let digits = bytes.iter().map(|byte| format!("{byte:02X}"));
    format!(":{}\n", digits.collect::<String>()).into_bytes()
}
