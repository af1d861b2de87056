//! Thumb against GNU binutils: which version has which instruction, what it is, and what IT blocks
//! make of it. `thumb.py` makes the files.

use std::collections::HashSet;

use cocrypt_isa::CodeMemory;
use cocrypt_isa_arm::architecture::{Architecture, Version};
use cocrypt_isa_arm::computation::Opcode::{self, Bfc, Bfi, Sbfx, Ubfx};
use cocrypt_isa_arm::decode::{Read, read};
use cocrypt_isa_arm::disasm::disassemble;
use cocrypt_isa_arm::instruction::{
    Condition, DataOp, Hint, Instruction, Operand, Operation, Selected,
};
use cocrypt_isa_arm::state::State;
use proptest::prelude::*;

const PC: u64 = 0x1000_0000;
/// Thumb, outside of any IT block.
const OUTSIDE: State = State::from_number(1);

/// The versions by their letters in the data.
const VERSIONS: [(char, Version, bool); 6] = [
    ('t', Version::V4T, false),
    ('e', Version::V5TE, false),
    ('0', Version::V6M, false),
    ('3', Version::V7M, false),
    ('4', Version::V7EM, false),
    ('f', Version::V7EM, true),
];

const V4T: Architecture = Architecture { version: Version::V4T, vector: false };
const V5TE: Architecture = Architecture { version: Version::V5TE, vector: false };
const V7M: Architecture = Architecture { version: Version::V7M, vector: false };
const V7EMF: Architecture = Architecture { version: Version::V7EM, vector: true };

/// Units from [`PC`] on; nothing answers behind them.
struct Units(Vec<u16>);

impl CodeMemory for Units {
    fn unit(&self, address: u64) -> Option<u16> {
        self.0.get(address.checked_sub(PC)? as usize / 2).copied()
    }

    fn fetch_wait(&self, _address: u64) -> u32 {
        0
    }

    fn is_boundary(&self, _address: u64) -> bool {
        false
    }
}

fn units(digits: &str) -> Vec<u16> {
    let unit = |at| u16::from_str_radix(&digits[at..at + 4], 16).expect("four digits");
    (0..digits.len()).step_by(4).map(unit).collect()
}

fn read_units(architecture: Architecture, units: &[u16], state: State) -> Read {
    read(architecture, &Units(units.to_vec()), PC, state)
}

/// The instruction of these units, which is all of them.
fn decoded(architecture: Architecture, units: &[u16], state: State) -> Option<Instruction> {
    match read_units(architecture, units, state) {
        Read::Instruction(instruction) => {
            assert_eq!(usize::from(instruction.length), 2 * units.len(), "{units:04x?}");
            assert!(instruction.thumb);
            Some(instruction)
        }
        Read::Illegal { .. } => None,
        Read::Unmapped(address) => panic!("{address:#x} was read for {units:04x?}"),
    }
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.starts_with('#'))
}

/// Encodings unpredictable in the older versions, which are read as later ones have them: `mov` and `add`
/// of low registers that leave the flags alone (DDI 0100, A7.1: ADD (4), MOV (3)).
fn is_unpredictable(have: &str, digits: &str) -> bool {
    !have.contains('t') && (digits.starts_with("44") || digits.starts_with("46"))
}

#[test]
fn every_version_has_what_the_assembler_accepts_for_it() {
    let (mut count, mut refused) = (0, 0);
    for line in lines(include_str!("thumb.txt")) {
        let [have, digits, text] = line.splitn(3, ' ').collect::<Vec<_>>()[..] else {
            panic!("{line}: not three fields");
        };
        for (letter, version, vector) in VERSIONS {
            let architecture = Architecture { version, vector };
            if have.contains(letter) {
                let instruction = decoded(architecture, &units(digits), OUTSIDE)
                    .unwrap_or_else(|| panic!("{line}: not decoded for {version:?}"));
                assert_eq!(disassemble(&instruction, PC), text, "{line}");
                count += 1;
            } else if (version.is_m() || digits.len() == 4) && !is_unpredictable(have, digits) {
                assert_eq!(decoded(architecture, &units(digits), OUTSIDE), None, "{line}");
                refused += 1;
            }
        }
    }
    assert!(count > 4000 && refused > 1000, "only {count} and {refused} cases");
}

/// A row without a case here would be held against nothing but itself.
#[test]
fn every_computation_is_among_what_the_assembler_encodes() {
    let met: HashSet<Opcode> = lines(include_str!("thumb.txt"))
        .filter_map(|line| decoded(V7EMF, &units(line.split(' ').nth(1)?), OUTSIDE))
        .filter_map(|instruction| match instruction.operation {
            Operation::Compute(computation) => Some(computation.op),
            _ => None,
        })
        .collect();
    let unmet: Vec<_> = Opcode::ALL.iter().filter(|op| !met.contains(op)).collect();
    assert!(unmet.is_empty(), "thumb.txt has no {unmet:?}");
}

#[test]
fn it_blocks_give_conditions_and_leave_flags_alone() {
    let mut state = OUTSIDE;
    let mut count = 0;
    for line in lines(include_str!("thumb_blocks.txt")) {
        let Some((digits, text)) = line.split_once(' ') else {
            assert_eq!(state, OUTSIDE, "a block ends where its mask does");
            continue;
        };
        let instruction = decoded(V7EMF, &units(digits), state)
            .unwrap_or_else(|| panic!("{line}: not decoded in {state:?}"));
        assert_eq!(disassemble(&instruction, PC), text, "{line} in {state:?}");
        state = match instruction.operation {
            Operation::It { first, mask } => State { it: first << 4 | mask, ..state },
            _ => state.advanced(),
        };
        count += 1;
    }
    assert!(count > 150, "only {count} cases");
}

#[test]
fn narrow_sums_and_moves_set_flags_only_outside_of_it_blocks() {
    let inside = State { it: 0x08, ..OUTSIDE };
    // adds, movs with a constant, lsls, muls, negs, ands: DDI 0403, A7.7.
    for unit in [0x1888, 0x2001, 0x0048, 0x4348, 0x4248, 0x4008] {
        for (state, sets) in [(OUTSIDE, true), (inside, false)] {
            let operation = decoded(V7M, &[unit], state).expect("an instruction").operation;
            let sets_flags = match operation {
                Operation::Data { sets_flags, .. } => sets_flags,
                Operation::Compute(computation) => computation.sets_flags,
                _ => panic!("{operation:?}"),
            };
            assert_eq!(sets_flags, sets, "{unit:04x}");
        }
    }
    // Comparisons always do: cmp, cmn, tst.
    for unit in [0x2801, 0x42c8, 0x4208] {
        let operation = decoded(V7M, &[unit], inside).expect("an instruction").operation;
        assert!(matches!(operation, Operation::Data { sets_flags: true, .. }), "{unit:04x}");
    }
}

#[test]
fn it_blocks_refuse_what_must_not_stand_in_them() {
    let inside = State { it: 0x08, ..OUTSIDE };
    // it, cbz, cpsid, beq, beq.w: DDI 0403, A7.7.
    for units in [&[0xbf08][..], &[0xb100], &[0xb672], &[0xd000], &[0xf000, 0x8000]] {
        assert!(decoded(V7M, units, OUTSIDE).is_some(), "{units:04x?}");
        assert_eq!(decoded(V7M, units, inside), None, "{units:04x?}");
    }
    // `bkpt` is executed whatever the condition is, `svc` is not.
    let condition = |units| decoded(V7M, units, inside).map(|instruction| instruction.condition);
    assert_eq!(condition(&[0xbe00]), Some(Condition::Always));
    assert_eq!(condition(&[0xdf00]), Some(Condition::Equal));
}

#[test]
fn halves_of_bl_are_one_instruction_where_they_stand_together() {
    let operation = |architecture, units: &[u16]| {
        decoded(architecture, units, OUTSIDE).map(|instruction| instruction.operation)
    };
    let linked = |offset, selected| Some(Operation::Branch { offset, link: true, selected });
    // DDI 0100, A7.1: the upper eleven bits of the distance are signed, the lower count half words.
    assert_eq!(operation(V4T, &[0xf000, 0xf801]), linked(2, Selected::Same));
    assert_eq!(operation(V4T, &[0xf7ff, 0xffff]), linked(-2, Selected::Same));
    assert_eq!(operation(V4T, &[0xf400, 0xf800]), linked(-0x40_0000, Selected::Same));
    assert_eq!(operation(V5TE, &[0xf3ff, 0xeffe]), linked(0x3f_fffc, Selected::Other));
    assert_eq!(operation(V4T, &[0xf001]), Some(Operation::BranchPrefix { offset: 0x1000 }));
    let suffix = |offset, selected| Some(Operation::BranchSuffix { offset, selected });
    assert_eq!(operation(V4T, &[0xffff]), suffix(0xffe, Selected::Same));
    assert_eq!(operation(V5TE, &[0xeffe]), suffix(0xffc, Selected::Other));
    // `blx` goes to words, and ARMv4T has none; a prefix before anything else stands alone.
    assert_eq!(operation(V5TE, &[0xefff]), None);
    assert_eq!(operation(V4T, &[0xeffe]), None);
    let Read::Instruction(prefix) = read_units(V4T, &[0xf001, 0xe800], OUTSIDE) else {
        panic!("the prefix is an instruction");
    };
    assert_eq!((prefix.length, prefix.operation), (2, Operation::BranchPrefix { offset: 0x1000 }));
}

#[test]
fn constants_say_what_they_make_of_the_carry() {
    // DDI 0403, A5.3.2: `movs r0, #c` in its kinds; only the last is rotated.
    let cases = [
        ([0xf05f, 0x00ab], 0x0000_00ab, None),
        ([0xf05f, 0x10ab], 0x00ab_00ab, None),
        ([0xf05f, 0x20ab], 0xab00_ab00, None),
        ([0xf05f, 0x30ab], 0xabab_abab, None),
        ([0xf05f, 0x402b], 0xab00_0000, Some(true)),
        ([0xf45f, 0x00ab], 0x0055_8000, Some(false)),
    ];
    for (units, value, carry) in cases {
        let instruction = decoded(V7M, &units, OUTSIDE).expect("an instruction");
        let operand = Operand::Immediate { value, carry };
        let expected = Operation::Data { op: DataOp::Mov, sets_flags: true, rd: 0, rn: 0, operand };
        assert_eq!(instruction.operation, expected, "{units:04x?}");
    }
}

#[test]
fn hints_without_a_meaning_and_halves_of_double_registers_are_instructions() {
    let operation = |architecture, units: &[u16]| {
        decoded(architecture, units, OUTSIDE).map(|instruction| instruction.operation)
    };
    // `dbg #3`, and hints that DDI 0403, A5.2.5 and A5.3.4 leave free ("executes as NOP").
    for (units, number) in
        [(&[0xf3af, 0x80f3][..], 0xf3), (&[0xf3af, 0x8014], 0x14), (&[0xbf70], 7)]
    {
        assert_eq!(operation(V7M, units), Some(Operation::Hint(Hint::Other(number))));
    }
    // `vmov.32 d3[1], r2` is `vmov s7, r2` (DDI 0403, A7.7: VMOV (ARM core register to scalar)).
    assert_eq!(operation(V7EMF, &[0xee23, 0x2b10]), operation(V7EMF, &[0xee03, 0x2a90]));
    assert!(operation(V7EMF, &[0xee23, 0x2b10]).is_some());
}

#[test]
fn what_is_not_there_is_unmapped_and_what_is_none_has_a_length() {
    let unmapped = |units: &[u16]| read_units(V7M, units, OUTSIDE);
    assert_eq!(unmapped(&[]), Read::Unmapped(PC));
    assert_eq!(unmapped(&[0xf000]), Read::Unmapped(PC + 2));
    assert_eq!(unmapped(&[0xde00, 0]), unmapped(&[0xde00]));
    // 0xb100 is `cbz`, 0xfb00 begins `mul.w`: ARMv6-M has neither.
    let v6m = Architecture { version: Version::V6M, vector: false };
    assert_eq!(read_units(v6m, &[0xb100], OUTSIDE), Read::Illegal { length: 2 });
    assert_eq!(read_units(v6m, &[0xfb00, 0xf000], OUTSIDE), Read::Illegal { length: 4 });
    assert_eq!(read_units(V4T, &[0xb100], OUTSIDE), Read::Illegal { length: 2 });
}

/// Returns true if fields lie within a word and lists name registers that there are, which lifting relies
/// on.
fn is_sound(instruction: &Instruction) -> bool {
    match instruction.operation {
        Operation::Compute(computation) if matches!(computation.op, Sbfx | Ubfx | Bfi | Bfc) => {
            computation.width > 0 && computation.amount + computation.width <= 32
        }
        Operation::Multiple(transfer) => transfer.list != 0,
        Operation::VectorMultiple { registers, .. } => {
            registers.count > 0 && registers.first + registers.count <= 32
        }
        _ => true,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn anything_is_an_instruction_or_none(first: u16, second: u16, it: u8, version in 0..6usize) {
        let (_, version, vector) = VERSIONS[version];
        let state = State { it, ..OUTSIDE };
        let code = [first, second];
        match read_units(Architecture { version, vector }, &code, state) {
            Read::Instruction(instruction) => {
                prop_assert!(is_sound(&instruction), "{instruction:?}");
                prop_assert!(!disassemble(&instruction, PC).is_empty());
                prop_assert!([2, 4].contains(&instruction.length));
            }
            Read::Illegal { length } => prop_assert!([2, 4].contains(&length)),
            Read::Unmapped(address) => prop_assert!(false, "{address:#x} is there"),
        }
    }
}
