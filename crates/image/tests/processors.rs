//! The instruction set of a file, and the bits that tell Thumb from A32 in it ("ELF for the Arm
//! Architecture", IHI 0044, 4.5.3 and 4.5.5).

use cocrypt_image::{Image, Symbol, read_elf, read_hex};
use cocrypt_isa_all::ALL;

const RISC_V: u16 = 243;
const ARM: u16 = 40;
const RL78: u16 = 197;
/// Bindings and types of symbols: the first one is local.
const LABEL_OF_A_FILE: u8 = 0x00;
const NO_TYPE: u8 = 0x10;
const OBJECT: u8 = 0x11;
const FUNCTION: u8 = 0x12;

/// An executable of one segment of eight bytes at 0x100, with these symbols in it.
fn executable(machine: u16, entry: u32, symbols: &[(&str, u32, u8)]) -> Vec<u8> {
    let (mut names, mut table) = (vec![0u8], vec![0u8; 16]);
    for &(name, value, kind) in symbols {
        words(&mut table, &[names.len() as u32, value, 4]);
        table.extend([kind, 0, 1, 0]); // in section 1
        names.extend(name.bytes().chain([0]));
    }
    let (code, at_table) = (84u32, 92u32);
    let at_names = at_table + table.len() as u32;
    let sections = at_names + names.len() as u32;
    let mut elf = b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
    halves(&mut elf, &[2, machine]);
    words(&mut elf, &[1, entry, 52, sections, 0]);
    halves(&mut elf, &[52, 32, 1, 40, 4, 3]);
    words(&mut elf, &[1, code, 0x100, 0x100, 8, 8, 5, 4]);
    elf.extend([0; 8]);
    elf.extend(table.iter().chain(&names));
    words(&mut elf, &[0; 10]);
    words(&mut elf, &[0, 1, 6, 0x100, code, 8, 0, 0, 4, 0]); // what is loaded
    words(&mut elf, &[0, 2, 0, 0, at_table, table.len() as u32, 3, 1, 4, 16]); // symbols
    words(&mut elf, &[0, 3, 0, 0, at_names, names.len() as u32, 0, 0, 1, 0]); // their names
    elf
}

fn read(bytes: &[u8]) -> Image {
    read_elf("a.elf", bytes, ALL).expect("an image")
}

fn words(to: &mut Vec<u8>, values: &[u32]) {
    to.extend(values.iter().flat_map(|value| value.to_le_bytes()));
}

fn halves(to: &mut Vec<u8>, values: &[u16]) {
    to.extend(values.iter().flat_map(|value| value.to_le_bytes()));
}

#[test]
fn a_file_says_whose_instructions_it_holds() {
    let name = |bytes: &[u8]| read(bytes).instructions.map(|set| set.name);
    assert_eq!(name(&executable(RISC_V, 0x100, &[])), Some("RISC-V"));
    assert_eq!(name(&executable(ARM, 0x100, &[])), Some("ARM"));
    let hex = read_hex("a.hex", b":0100000000FF\n:00000001FF\n").expect("an image");
    assert_eq!((hex.instructions, hex.mode), (None, 0));
}

#[test]
fn bit_0_of_the_entry_says_thumb_on_arm() {
    let entered = |machine, entry| {
        let image = read(&executable(machine, entry, &[]));
        (image.entry, image.mode)
    };
    assert_eq!(entered(ARM, 0x104), (0x104, 0));
    assert_eq!(entered(ARM, 0x105), (0x104, 1));
    assert_eq!(entered(RISC_V, 0x104), (0x104, 0));
    let hash = |entry| read(&executable(ARM, entry, &[])).hash();
    assert_ne!(hash(0x104), hash(0x105));
}

#[test]
fn a_file_of_the_other_byte_order_is_foreign() {
    let mut elf = executable(RISC_V, 0x100, &[]);
    elf[5] = 2;
    elf[16..20].copy_from_slice(&[0, 2, 0, 243]);
    let refused = read_elf("a.elf", &elf, ALL).expect_err("big-endian");
    assert!(refused.message.contains("it is big-endian"), "{}", refused.message);
}

#[test]
fn functions_of_thumb_are_where_their_code_is() {
    let symbols = [
        ("thumb", 0x103, FUNCTION),
        ("arm", 0x104, FUNCTION),
        ("text", 0x101, OBJECT),
        ("label", 0x103, NO_TYPE),
        ("$t", 0x102, NO_TYPE),
        ("$a", 0x104, NO_TYPE),
        ("$d.1", 0x106, NO_TYPE),
    ];
    let image = read(&executable(ARM, 0x103, &symbols));
    let all: Vec<_> = image.symbols.all().iter().map(named).collect();
    assert_eq!(all, [("text", 0x101), ("thumb", 0x102), ("label", 0x103), ("arm", 0x104)]);
    let code: Vec<_> = image.symbols.code().iter().map(named).collect();
    assert_eq!(code, [("thumb", 0x102), ("arm", 0x104)]);
    assert_eq!(image.symbols.function_at(0x102).map(named), Some(("thumb", 0x102)));
}

#[test]
fn global_names_are_as_c_has_them() {
    let symbols = [
        ("_main", 0x100, FUNCTION),
        ("_stack_top", 0x101, OBJECT),
        ("__stack_top", 0x102, NO_TYPE),
        ("_again", 0x103, LABEL_OF_A_FILE),
        ("else", 0x104, NO_TYPE),
    ];
    let image = read(&executable(RL78, 0x100, &symbols));
    let names: Vec<_> = image.symbols.all().iter().map(|symbol| &*symbol.name).collect();
    assert_eq!(names, ["main", "stack_top", "_stack_top", "_again", "else"]);
}

fn named(symbol: &Symbol) -> (&str, u32) {
    (&symbol.name, symbol.address)
}
