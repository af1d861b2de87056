//! Lifting of arbitrary code: every block is well formed, and leaving out what nobody needs changes
//! nothing that anybody sees.

mod machine;

use cocrypt_ir::{Block, Exact, Exit, Invalid, Op, Transfer, evaluate, verify};
use cocrypt_isa::{Frontend, LiftError};
use cocrypt_isa_arm::architecture::{Architecture, Version};
use cocrypt_isa_arm::cells;
use cocrypt_isa_arm::lift::Arm;
use cocrypt_isa_arm::state::State;
use machine::{Code, Noise};
use proptest::prelude::*;

const VERSIONS: [Version; 6] =
    [Version::V4, Version::V4T, Version::V5TE, Version::V6M, Version::V7M, Version::V7EM];

fn arm(version: Version) -> Arm {
    Arm::new(Architecture { version, vector: version == Version::V7EM })
}

/// Any state that a core of a version can be in.
fn state(version: Version) -> impl Strategy<Value = State> {
    let thumb = match version {
        Version::V4 => Just(false).boxed(),
        Version::V4T | Version::V5TE => any::<bool>().boxed(),
        _ => Just(true).boxed(),
    };
    let mode = if version.is_m() {
        Just(0).boxed()
    } else {
        prop::sample::select(vec![0x10_u8, 0x11, 0x12, 0x13, 0x17, 0x1b, 0x1f]).boxed()
    };
    let it = if version.has_thumb2() { any::<u8>().boxed() } else { Just(0).boxed() };
    (thumb, mode, it, any::<bool>()).prop_map(|(thumb, mode, it, holds)| {
        let it = if it.trailing_zeros() >= 4 || it >= 0xe0 { 0 } else { it };
        State { thumb, it, mode, holds }
    })
}

/// A version, a state of it, and code: units of which most are instructions. Words of A32 have their
/// condition and half of the rest by chance.
fn program() -> impl Strategy<Value = (Version, State, Vec<u16>)> {
    let version = prop::sample::select(VERSIONS.to_vec());
    version.prop_flat_map(|version| {
        (Just(version), state(version), prop::collection::vec(any::<u16>(), 2..60))
    })
}

fn well_formed(block: &Block) -> Result<(), Invalid> {
    let temporaries = cocrypt_isa_arm::lift::builder::TEMPORARIES;
    verify(block, cells::COUNT, cells::COUNT + temporaries)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: cocrypt_sample::cases(20_000), failure_persistence: None, ..ProptestConfig::default()
    })]
    #[test]
    fn any_code_gives_well_formed_blocks((version, state, units) in program()) {
        let (arm, code) = (arm(version), Code::new(0, units));
        let block = match arm.draft(&code, 0, state.number()) {
            Ok(block) => block,
            Err(error) => {
                prop_assert_eq!(error, LiftError::Unmapped { address: 2 });
                return Ok(());
            }
        };
        prop_assert_eq!(well_formed(&block), Ok(()));
        let optimised = arm.lift(&code, 0, state.number()).expect("the same block");
        prop_assert_eq!(well_formed(&optimised), Ok(()));
        prop_assert!(optimised.ops.len() <= block.ops.len());
        prop_assert_eq!(optimised.insns.len(), block.insns.len());
        for insn in &optimised.insns {
            prop_assert!(usize::from(insn.lead) <= insn.ops.len());
            for op in &optimised.ops[insn.ops.clone()][..insn.lead.into()] {
                let only_temporaries = op.dst().is_none_or(|dst| dst.0 >= cells::COUNT);
                prop_assert!(only_temporaries, "{op:?} computes no operand");
            }
        }
        for insn in &optimised.insns[1..] {
            prop_assert!(insn.pc != machine::BOUNDARY, "a block runs across a boundary");
        }
    }

    #[test]
    fn what_is_left_out_nobody_sees(
        (version, state, units) in program(),
        seed in any::<u64>(),
        operands in any::<bool>(),
        line in prop::option::of(Just(16_u32)),
    ) {
        let mut arm = arm(version);
        arm.exact = Exact { operands, line };
        let code = Code::new(0, units);
        let Ok(draft) = arm.draft(&code, 0, state.number()) else { return Ok(()) };
        let optimised = arm.lift(&code, 0, state.number()).expect("the same block");
        let run = |block: &Block| {
            let mut noise = Noise::new(seed);
            let mut cells = noise.cells(&arm, state);
            let outcome = evaluate(block, &mut cells, &mut noise);
            cells.truncate(cells::COUNT.into());
            (outcome, cells, noise.accesses)
        };
        prop_assert_eq!(run(&draft), run(&optimised));
    }

    #[test]
    fn instructions_one_by_one_do_what_the_block_does(
        (version, state, units) in program(),
        seed in any::<u64>(),
    ) {
        let (arm, code) = (arm(version), Code::new(0, units));
        let Ok(whole) = arm.lift(&code, 0, state.number()) else { return Ok(()) };
        let mut noise = Noise::new(seed);
        let mut cells = noise.cells(&arm, state);
        let outcome = evaluate(&whole, &mut cells, &mut noise);
        let mut alone_noise = Noise::new(seed);
        let mut alone = alone_noise.cells(&arm, state);
        let mut outcome_alone = None;
        let single = code.single();
        for insn in &whole.insns {
            let block = arm.lift(&single, insn.pc, insn.mode).expect("one instruction");
            outcome_alone = Some(evaluate(&block, &mut alone, &mut alone_noise));
            if outcome_alone.is_some_and(|outcome| outcome.is_err()) {
                break;
            }
        }
        prop_assert_eq!(Some(outcome), outcome_alone);
        let count = usize::from(cells::COUNT);
        prop_assert_eq!(&cells[..count], &alone[..count]);
        prop_assert_eq!(noise.accesses, alone_noise.accesses);
    }
}

/// `cmp r0, r1` and a branch are one comparison, and the flags are computed only for the block's end.
#[test]
fn a_branch_behind_a_comparison_compares() {
    let conditions = [(0, "eq"), (1, "ne"), (2, "cs"), (3, "cc"), (8, "hi"), (9, "ls"), (10, "ge")];
    for (number, name) in conditions.into_iter().chain([(11, "lt"), (12, "gt"), (13, "le")]) {
        // cmp r0, r1; b<condition> .+4
        let code = Code::new(0, vec![0x4288, 0xd000 | number << 8]);
        let block = arm(Version::V6M).lift(&code, 0, 1).expect("a block");
        let Exit::Branch { a, b, .. } = block.exit else { panic!("{name} does not branch") };
        let registers = [cells::R0, cells::R1].map(cocrypt_ir::Value::Slot);
        assert!(registers.contains(&a) && registers.contains(&b), "{name}: {a:?} {b:?}");
        let last = block.insns.last().expect("the branch");
        assert!(last.ops.is_empty(), "{name} computes something");
    }
}

/// Of two instructions that set flags only the last one's are computed, if no access is between them.
#[test]
fn flags_that_are_overwritten_are_not_computed() {
    let writes = |units: Vec<u16>| {
        let block = arm(Version::V6M).lift(&Code::new(0, units), 0, 1).expect("a block");
        block.ops.iter().filter(|op| op.dst() == Some(cells::N)).count()
    };
    // adds r0, r0, r1; adds r2, r2, r3 and the same with ldr r4, [r5] between them.
    assert_eq!(writes(vec![0x1840, 0x18d2]), 1);
    assert_eq!(writes(vec![0x1840, 0x682c, 0x18d2]), 2);
}

/// All flags are materialised where the timing model may leave a block for an operand or a line.
#[test]
fn flags_are_exact_where_a_block_may_be_left() {
    let writes = |operands: bool, line: Option<u32>| {
        // adds r0, r0, r1; it eq; moveq r2, r3; adds r2, r2, r3, at the end of a line of 8 bytes.
        let code = Code::new(0x102, vec![0x1840, 0xbf08, 0x461a, 0x18d2]);
        let mut arm = arm(Version::V7M);
        arm.exact = Exact { operands, line };
        let block = arm.lift(&code, 0x102, 1).expect("a block");
        block.ops.iter().filter(|op| op.dst() == Some(cells::N)).count()
    };
    assert_eq!(writes(false, None), 1);
    assert_eq!(writes(true, None), 2);
    assert_eq!(writes(false, Some(8)), 2);
    assert_eq!(writes(false, Some(16)), 1);
}

/// Live operations stay, and guarded ones kill nothing.
#[test]
fn a_guarded_write_overwrites_nothing() {
    // it eq; moveq r0, r1; the block ends with what either leaves in r0.
    let units = vec![0x2005, 0xbf08, 0x4608];
    let block = arm(Version::V7M).lift(&Code::new(0, units), 0, 1).expect("a block");
    let writes = block.ops.iter().filter(|op| op.dst() == Some(cells::R0));
    assert_eq!(writes.count(), 2);
    assert!(block.ops.iter().any(|op| matches!(op, Op::Guard { ops: 1, .. })));
}

/// ARMv4 has no instruction that calls a computed address: compilers take the address to return to before.
#[test]
fn a_jump_behind_the_link_is_a_call() {
    let (link, jump, other) = (0xe1a0_e00f, 0xe1a0_f001, 0xe1a0_0000);
    let transfer = |words: &[u32]| {
        let code = Code::words(0, words);
        let state = State { thumb: false, it: 0, mode: 0x13, holds: false };
        arm(Version::V4).lift(&code, 0, state.number()).expect("a block").transfer
    };
    assert_eq!(transfer(&[link, jump]), Transfer::Call);
    assert_eq!(transfer(&[jump]), Transfer::Jump);
    assert_eq!(transfer(&[link, other, jump]), Transfer::Jump);
}
