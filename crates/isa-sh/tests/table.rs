//! The table: encodings are disjoint, and each is decoded as itself.

mod common;

use cocrypt_ir::{Exit, StopKind};
use cocrypt_isa::CodePointer;
use cocrypt_isa_sh::table::TABLE;
use cocrypt_isa_sh::{SUPERH, decode, disassemble};

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
        for free in [0, 0xffff, 0x5555, 0xaaaa] {
            let decoded = decode(row.bits | free & !row.mask).expect("an instruction");
            assert_eq!(decoded.opcode, row.opcode, "{}", row.name);
        }
    }
}

/// Lines for the assembler of these tests, each with what the disassembler prints of it at address 0.
const LINES: [(&str, &str); 8] = [
    ("mov #-5,r1", "mov #-5,r1"),
    ("mov.l @r15+,r8", "mov.l @r15+,r8"),
    ("mov.l r1,@(3,r2)", "mov.l r1,@(12,r2)"),
    ("mov.w @(3,gbr),r0", "mov.w @(6,gbr),r0"),
    ("and.b #255,@(r0,gbr)", "and.b #255,@(r0,gbr)"),
    ("ldc.l @r3+,r2_bank", "ldc.l @r3+,r2_bank"),
    ("bf.s 4", "bf.s 0xc"),
    ("rts", "rts"),
];

#[test]
fn instructions_are_printed_as_the_gnu_tools_print_them() {
    let sh3 = common::core("");
    for (line, text) in LINES {
        let code = common::Code(vec![common::assemble(line)]);
        assert_eq!(sh3.frontend.disassemble(&code, 0), Some((text.to_owned(), 2)));
    }
}

#[test]
fn instructions_of_later_cores_are_illegal_but_disassembled() {
    let cores = [common::core(""), common::core("SH4 = true")];
    for (line, has) in [
        ("stc sgr,r1", [false, true]),
        ("stc.l sgr,@-r1", [false, true]),
        ("ldc r1,sgr", [false, false]),
        ("ldc.l @r1+,sgr", [false, false]),
    ] {
        let code = common::Code(vec![common::assemble(line)]);
        for (core, has) in cores.iter().zip(has) {
            assert_eq!(core.frontend.disassemble(&code, 0).is_some(), has, "{line}");
            assert_eq!(core.frontend.explain(&code, 0).as_deref(), Some(line));
        }
    }
}

#[test]
fn what_counts_from_the_program_counter_is_illegal_in_a_slot_of_an_sh4_alone() {
    let kinds = [("", StopKind::Unmodelled), ("SH4 = true", StopKind::IllegalInstruction)];
    for line in ["mova 1,r0", "mov.w 1,r1", "mov.l 1,r1"] {
        let code = common::Code(vec![common::assemble("bra 4"), common::assemble(line)]);
        for (parameters, kind) in kinds {
            let block = common::core(parameters).frontend.lift(&code, 0, 0).expect("code");
            assert_eq!((block.insns.len(), block.exit), (2, Exit::Stop(kind)), "{line}");
        }
    }
}

#[test]
fn the_jump_over_a_function_loads_its_target_from_behind_it() {
    let to = CodePointer { address: 0x8c12_3456, mode: 0 };
    for (address, place) in [(0x100, 8), (0x102, 6)] {
        let jump = (SUPERH.jump)("superh", CodePointer { address, mode: 0 }, to, 0);
        let units = jump.code.chunks(2).map(|unit| u16::from_be_bytes([unit[0], unit[1]]));
        let instructions: Vec<String> = units
            .take(3)
            .zip((u64::from(address)..).step_by(2))
            .map(|(unit, pc)| disassemble(decode(unit).expect("an instruction"), pc))
            .collect();
        let load = format!("mov.l {:#x},r1", address + place);
        assert_eq!(instructions, [load.as_str(), "jmp @r1", "nop"]);
        assert_eq!(jump.code[place as usize..], to.address.to_be_bytes());
    }
}
