//! The table: encodings are disjoint, and each is decoded as itself.

mod common;

use cocrypt_isa_microblaze::decode;
use cocrypt_isa_microblaze::table::TABLE;

#[test]
fn encodings_are_disjoint() {
    for (number, row) in TABLE.iter().enumerate() {
        assert_eq!(row.bits & !row.mask, 0, "{}", row.name);
        for other in &TABLE[number + 1..] {
            let common = row.mask & other.mask;
            assert_ne!(row.bits & common, other.bits & common, "{} {}", row.name, other.name);
        }
    }
}

#[test]
fn what_is_encoded_is_decoded() {
    for row in TABLE {
        for free in [0, 0xffff_ffff, 0x5555_5555, 0xaaaa_aaaa] {
            let decoded = decode(row.bits | free & !row.mask).expect("an instruction");
            assert_eq!(decoded.opcode, row.opcode, "{}", row.name);
        }
    }
}

/// Lines for the assembler of these tests, each with what the disassembler prints of it at address 0.
const LINES: [(&str, &str); 12] = [
    ("addik r1 r1 -28", "addik r1, r1, -28"),
    ("xor r3 r4 r5", "xor r3, r4, r5"),
    ("bslli r3 r4 5", "bslli r3, r4, 5"),
    ("sext8 r3 r4", "sext8 r3, r4"),
    ("lwi r3 r4 -4", "lwi r3, r4, -4"),
    ("bneid r3 64", "bneid r3, 0x40"),
    ("beq r3 r4", "beq r3, r4"),
    ("brlid r15 64", "brlid r15, 0x40"),
    ("bra r3", "bra r3"),
    ("rtsd r15 8", "rtsd r15, 8"),
    ("mfs r3 1", "mfs r3, rmsr"),
    ("msrset r3 4", "msrset r3, 0x4"),
];

/// Accesses to links, as the GNU assembler encodes and prints them.
const LINKS: [(u32, &str); 8] = [
    (0x6c60_0000, "get r3, rfsl0"),
    (0x6c60_4003, "nget r3, rfsl3"),
    (0x6c60_7c00, "tnecaget r3, rfsl0"),
    (0x6c04_8000, "put r4, rfsl0"),
    (0x6c04_e80f, "ncaput r4, rfsl15"),
    (0x6c00_d001, "tnput rfsl1"),
    (0x4c60_2900, "cgetd r3, r5"),
    (0x4c04_2e00, "nputd r4, r5"),
];

#[test]
fn instructions_are_printed_as_the_gnu_assembler_reads_them() {
    let core = common::core("");
    let printed = |words: Vec<u32>, pc| core.frontend.disassemble(&common::Words(words), pc);
    for (line, text) in LINES {
        assert_eq!(printed(vec![common::assemble(line)], 0), Some((text.to_owned(), 4)));
    }
    let prefixed = ["imm 4660", "brlid r15 64"].map(common::assemble).to_vec();
    assert_eq!(printed(prefixed, 4), Some(("brlid r15, 0x12340044".to_owned(), 4)));
    for (word, text) in LINKS {
        let insn = cocrypt_isa_microblaze::decode(word).expect("an access to a link");
        assert_eq!(cocrypt_isa_microblaze::disassemble(insn, 0, 0), text);
    }
}
