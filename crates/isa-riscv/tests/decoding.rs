//! Decoder and disassembler against GNU binutils: each case is a line of a data file.

use cocrypt_isa_riscv::{decode, disassemble};

const PC: u64 = 0x20_0000;

fn cases(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.starts_with('#'))
}

fn halves(word: &str) -> (u16, u16) {
    let word = u32::from_str_radix(word, 16).expect("a hexadecimal word");
    (word as u16, (word >> 16) as u16)
}

#[test]
fn disassembles_what_the_assembler_encoded() {
    let mut count = 0;
    for case in cases(include_str!("encodings.txt")) {
        let (word, text) = case.split_once(' ').expect("a word and its text");
        let (low, high) = halves(word);
        let decoded = decode(low, high).unwrap_or_else(|| panic!("{case} is not decoded"));
        assert_eq!(disassemble(&decoded, PC), text, "{case}");
        assert_eq!(decoded.length, 4);
        count += 1;
    }
    assert!(count > 150, "only {count} cases");
}

#[test]
fn expands_16_bit_instructions_as_the_assembler_does() {
    let mut count = 0;
    for case in cases(include_str!("compressed.txt")) {
        let mut fields = case.splitn(3, ' ');
        let mut field = || fields.next().expect("three fields");
        let (half, _) = halves(field());
        let (low, high) = halves(field());
        let short = decode(half, 0).unwrap_or_else(|| panic!("{case} is not decoded"));
        let long = decode(low, high).expect("a 32-bit instruction");
        assert_eq!(short.length, 2, "{case}");
        assert_eq!(disassemble(&short, PC), disassemble(&long, PC), "{case}");
        count += 1;
    }
    assert!(count > 90, "only {count} cases");
}

#[test]
fn knows_what_is_picorv32s_own() {
    // README.md of YosysHQ/picorv32, "Custom Instructions for IRQ Handling": the fields between opcode
    // and funct7, and funct3, may hold anything where nothing is read from them.
    for (funct7, funct3, text) in [
        (0, 4, "getq t0, q2"),
        (1, 2, "setq q1, t1"),
        (2, 0, "retirq"),
        (3, 6, "maskirq t0, sp"),
        (4, 4, "waitirq t0"),
        (5, 6, "timer t0, sp"),
    ] {
        let (rd, rs1) = if funct7 == 1 { (1, 6) } else { (5, 2) };
        let word: u32 = funct7 << 25 | rs1 << 15 | funct3 << 12 | rd << 7 | 0x0b;
        let decoded = decode(word as u16, (word >> 16) as u16).expect("an instruction");
        assert_eq!(disassemble(&decoded, PC), text);
    }
}

#[test]
fn reserved_encodings_are_not_instructions() {
    // Unprivileged manual, tables 16.5 to 16.7: all zeros, `c.addi4spn` of 0, `c.lui` and `c.addi16sp`
    // of 0, `c.lwsp` to x0, `c.jr` of x0, shifts by 32 and more, the 64-bit forms.
    for half in [0x0000u16, 0x0004, 0x6081, 0x6101, 0x4002, 0x8002, 0x9005, 0x1082, 0x9c01, 0x2000]
    {
        assert_eq!(decode(half, 0), None, "{half:#06x}");
    }
    for word in [0xffff_ffffu32, 0x0000_4073, 0x0000_200f, 0x4000_1013, 0x0400_0033] {
        assert_eq!(decode(word as u16, (word >> 16) as u16), None, "{word:#010x}");
    }
}
