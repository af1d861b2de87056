//! Decoder and disassembler of A32 against GNU binutils: each case is a line of a data file.

use cocrypt_isa_arm::architecture::{Architecture, Version};
use cocrypt_isa_arm::decode::a32;
use cocrypt_isa_arm::disasm::disassemble;
use cocrypt_isa_arm::instruction::{Instruction, Operand, Operation};
use proptest::prelude::*;

const PC: u64 = 0x20_0000;
const VERSIONS: [(&str, Version); 3] =
    [("v4", Version::V4), ("v4t", Version::V4T), ("v5te", Version::V5TE)];

fn decoded(word: u32, version: Version) -> Option<Instruction> {
    a32(word, Architecture { version, vector: false })
}

fn cases() -> impl Iterator<Item = (usize, u32, &'static str)> {
    let lines = include_str!("a32.txt").lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let mut fields = line.splitn(3, ' ');
        let mut field = || fields.next().expect("three fields");
        let (name, word, text) = (field(), field(), field());
        let first = VERSIONS.iter().position(|version| version.0 == name).expect("a version");
        (first, u32::from_str_radix(word, 16).expect("a hexadecimal word"), text)
    })
}

#[test]
fn disassembles_what_the_assembler_encoded() {
    for (first, word, text) in cases() {
        for (_, version) in &VERSIONS[first..] {
            let instruction =
                decoded(word, *version).unwrap_or_else(|| panic!("{word:08x} {text}"));
            assert_eq!(disassemble(&instruction, PC), text, "{word:08x}");
            assert_eq!((instruction.length, instruction.thumb), (4, false));
        }
    }
    assert!(cases().count() > 380, "only {} cases", cases().count());
}

#[test]
fn versions_lack_what_came_later() {
    let mut count = 0;
    for (first, word, text) in cases() {
        for (name, version) in &VERSIONS[..first] {
            assert_eq!(decoded(word, *version), None, "{text} in {name}");
            count += 1;
        }
    }
    assert!(count > 100, "only {count} cases");
}

#[test]
fn the_m_profile_has_no_a32() {
    for version in [Version::V6M, Version::V7M, Version::V7EM] {
        assert_eq!(decoded(0xe081_0002, version), None);
    }
}

#[test]
fn rotated_constants_give_a_carry() {
    // DDI 0100I, A5.1.3: bit 31 of the constant, unless nothing is rotated.
    for (word, constant, carry) in [
        (0xe3b0_0004, 4, None),
        (0xe3b0_0102, 0x8000_0000, Some(true)),
        (0xe3b0_0f01, 4, Some(false)),
        (0xe3b0_0400, 0, Some(false)),
        (0xe3b0_04ff, 0xff00_0000, Some(true)),
    ] {
        let Some(Operation::Data { operand, .. }) =
            decoded(word, Version::V4).map(|instruction| instruction.operation)
        else {
            panic!("{word:08x} is no data processing");
        };
        assert_eq!(operand, Operand::Immediate { value: constant, carry }, "{word:08x}");
    }
}

#[test]
fn what_is_unpredictable_or_undefined_is_no_instruction() {
    // DDI 0100I, A3.2.1, A5.1.8, and the pages of the instructions in A4.1 and A5.
    for (word, why) in [
        (0xf082_0001u32, "the condition that is none"),
        (0xe110_1002, "tst: Rd should be zero"),
        (0xe1a1_0002, "mov: Rn should be zero"),
        (0xe08f_0312, "add: the program counter and a shift by a register"),
        (0xe00f_0291, "mul to the program counter"),
        (0xe001_3291, "mul: bits 15 to 12 should be zero"),
        (0xe142_0191, "swpb: bits 11 to 8 should be zero"),
        (0xe5bf_0004, "ldr: the base that changes is the program counter"),
        (0xe5d1_f000, "ldrb to the program counter"),
        (0xe791_000f, "ldr: the offset is the program counter"),
        (0xe0f1_00b2, "ldrh: after the access, with bit 21 set"),
        (0xe1c1_10d0, "ldrd to an odd register"),
        (0xe1c1_e0d0, "ldrd to the link register and the program counter"),
        (0xe890_0000, "ldm of no register"),
        (0xe8f0_0002, "ldm of the user's registers, whose base changes"),
        (0x0120_0070, "bkpt with a condition"),
        (0xe30f_0fff, "movw, which ARMv5 lacks"),
        (0xe6bf_0f31, "rev, which ARMv5 lacks"),
    ] {
        assert_eq!(decoded(word, Version::V5TE), None, "{word:08x}: {why}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cocrypt_sample::cases(20_000)))]

    #[test]
    fn later_versions_keep_what_earlier_ones_have(word: u32) {
        let [v4, v4t, v5te] = VERSIONS.map(|(_, version)| decoded(word, version));
        prop_assert!(v4.is_none() || v4 == v4t);
        prop_assert!(v4t.is_none() || v4t == v5te);
        if let Some(instruction) = v5te {
            prop_assert!(!disassemble(&instruction, u64::from(word)).is_empty());
        }
    }
}
