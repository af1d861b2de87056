//! Exception entry and return, accesses that are not aligned, and hints, by the architecture manuals.

mod machine;

use cocrypt_ir::{Block, Exit, Outcome, StopKind, Value, evaluate};
use cocrypt_isa::{CodeMemory, Frontend, Trap};
use cocrypt_isa_arm::architecture::{Architecture, Version};
use cocrypt_isa_arm::cells;
use cocrypt_isa_arm::class::Class;
use cocrypt_isa_arm::lift::Arm;
use cocrypt_isa_arm::state::State;
use machine::{Bytes, Code, cell};

const THUMB: State = State { thumb: true, it: 0, mode: 0, holds: false };
const SUPERVISOR: State = State { thumb: false, it: 0, mode: 0x13, holds: false };

fn arm(version: Version) -> Arm {
    Arm::new(Architecture { version, vector: false })
}

fn cells_of(arm: &Arm) -> Vec<u64> {
    let mut cells = vec![0; usize::from(cells::COUNT + arm.temporaries())];
    for (cell, value) in arm.reset() {
        cells[usize::from(cell.0)] = value;
    }
    cells
}

fn run(block: &Block, cells: &mut [u64], memory: &mut Bytes) -> Outcome {
    evaluate(block, cells, memory).expect("no access is refused")
}

/// A word at `address` as an unaligned access of `code` makes it, with the parts that it takes.
fn unaligned(version: Version, code: &Code, state: State, address: u32) -> Option<Block> {
    let (arm, trap) = (arm(version), Trap::Unaligned { address, writes: false });
    arm.trap(trap, code, 0, &cells_of(&arm), state.number())
}

#[test]
fn armv5_rotates_what_it_loads() {
    // ldr r0, [r1]: DDI 0100I, A2.8 and A4.1.23.
    let code = Code::words(0, &[0xe591_0000]);
    for offset in 1..4 {
        let mut memory = Bytes::default();
        memory.set_word(0x100, 0x4433_2211);
        let block = unaligned(Version::V5TE, &code, SUPERVISOR, 0x100 + offset).expect("a block");
        let mut cells = cells_of(&arm(Version::V5TE));
        cells[1] = u64::from(0x100 + offset);
        assert_eq!(run(&block, &mut cells, &mut memory), Outcome::Goto(4));
        assert_eq!(cell(&cells, cells::R0), 0x4433_2211_u32.rotate_right(8 * offset));
    }
}

#[test]
fn armv5_stores_where_it_can() {
    // str r0, [r1], #4: the base register keeps its lowest bits.
    let code = Code::words(0, &[0xe481_0004]);
    let block = unaligned(Version::V5TE, &code, SUPERVISOR, 0x103).expect("a block");
    let (mut cells, mut memory) = (cells_of(&arm(Version::V5TE)), Bytes::default());
    (cells[0], cells[1]) = (0x1234_5678, 0x103);
    run(&block, &mut cells, &mut memory);
    assert_eq!((memory.word(0x100), memory.word(0x104)), (0x1234_5678, 0));
    assert_eq!(cell(&cells, cells::R1), 0x107);
}

#[test]
fn armv5_loads_several_from_where_it_can() {
    // ldmia r1!, {r2, r3}
    let code = Code::words(0, &[0xe8b1_000c]);
    let block = unaligned(Version::V5TE, &code, SUPERVISOR, 0x102).expect("a block");
    let (mut cells, mut memory) = (cells_of(&arm(Version::V5TE)), Bytes::default());
    cells[1] = 0x102;
    memory.set_word(0x100, 5);
    memory.set_word(0x104, 6);
    run(&block, &mut cells, &mut memory);
    assert_eq!([1, 2, 3].map(|register: usize| cells[register]), [0x10a, 5, 6]);
}

#[test]
fn a_data_abort_comes_where_alignment_is_checked() {
    let (arm, mut code) = (arm(Version::V5TE), Code::words(0x8000, &[0xe591_0000]));
    code.words.insert(0x10, 0xea00_0000);
    let mut cells = cells_of(&arm);
    cells[usize::from(cells::SYSTEM_CONTROL.0)] = 2;
    let trap = Trap::Unaligned { address: 0x101, writes: false };
    let mode = SUPERVISOR.number();
    let block = arm.trap(trap, &code, 0x8000, &cells, mode).expect("a handler");
    assert_eq!(run(&block, &mut cells, &mut Bytes::default()), Outcome::Goto(0x10));
    let seen = [cells::LR, cells::MODE, cells::FAULT_STATUS, cells::FAULT_ADDRESS];
    assert_eq!(seen.map(|slot| cell(&cells, slot)), [0x8008, 0x17, 1, 0x101]);
    assert_eq!(cell(&cells, cells::SPSR), 0xd3);
}

#[test]
fn armv7m_takes_accesses_apart() {
    // ldr r0, [r1]; ldrsh r0, [r1, r2]; the parts that each address gives (DDI 0439B, 3.3.2 counts
    // bytes and halves).
    for (unit, bytes, offset, parts) in [
        (0x6808, 4, 1, 3),
        (0x6808, 4, 2, 2),
        (0x6808, 4, 3, 3),
        (0x5e88, 2, 1, 2),
        (0x5e88, 2, 3, 2),
    ] {
        let block = unaligned(Version::V7M, &Code::new(0, vec![unit]), THUMB, 0x100 + offset);
        let block = block.expect("a block");
        let (mut cells, mut memory) = (cells_of(&arm(Version::V7M)), Bytes::default());
        memory.set_word(0x100, 0xa4a3_a2a1);
        memory.set_word(0x104, 0xa8a7_a6a5);
        cells[1] = u64::from(0x100 + offset);
        run(&block, &mut cells, &mut memory);
        let whole = 0xa8a7_a6a5_a4a3_a2a1_u64 >> (8 * offset);
        let expected = if bytes == 4 { whole as u32 } else { whole as u16 as i16 as u32 };
        assert_eq!(cell(&cells, cells::R0), expected, "{unit:#x} {offset}");
        assert_eq!(block.insns[0].operand, Some(Value::Const(parts)), "{unit:#x} {offset}");
    }
}

#[test]
fn armv7m_refuses_what_it_cannot_take_apart() {
    // ldmia r1!, {r2}; ldrd r2, r3, [r1]; ldrex r2, [r1]. Nothing handles the fault.
    for units in [vec![0xc904], vec![0xe9d1, 0x2300], vec![0xe851, 0x2f00]] {
        let code = Code::new(0x1000, units);
        let arm = arm(Version::V7M);
        let trap = Trap::Unaligned { address: 0x101, writes: false };
        assert_eq!(arm.trap(trap, &code, 0x1000, &cells_of(&arm), THUMB.number()), None);
    }
    assert_eq!(unaligned(Version::V6M, &Code::new(0x1000, vec![0x6808]), THUMB, 0x101), None);
}

/// A frame on the stack and back: DDI 0403, B1.5.6 to B1.5.8.
#[test]
fn an_interrupt_of_the_m_profile_comes_and_goes() {
    let (arm, mut code) = (arm(Version::V7M), Code::new(0x1000, vec![0xbf00]));
    code.words.insert(4 * 18, 0x2001);
    let mut cells = cells_of(&arm);
    for (number, cell) in (1..).zip(&mut cells[..13]) {
        *cell = number * 0x11;
    }
    cells[usize::from(cells::SP.0)] = 0x8004;
    cells[usize::from(cells::LR.0)] = 0x1235;
    cells[usize::from(cells::C.0)] = 1;
    let before = cells[..15].to_vec();
    // Two instructions are left of the IT block.
    let state = State { it: 0x18, ..THUMB };
    let trap = Trap::Interrupt { number: 18, note: 0 };
    let block = arm.trap(trap, &code, 0x1000, &cells, state.number()).expect("a handler");
    assert_eq!(block.insns[0].class, Class::Interrupt as u8);
    let mut memory = Bytes::default();
    assert_eq!(run(&block, &mut cells, &mut memory), Outcome::Goto(0x2000));
    assert_eq!(arm.mode(&cells), THUMB.number());
    let frame: Vec<u32> = (0..8).map(|word| memory.word(0x7fe0 + 4 * word)).collect();
    // xPSR: C, T, the IT block's 0x18 in bits 10 to 15, and that the stack was no multiple of 8.
    let status = 1 << 29 | 1 << 24 | 6 << 10 | 1 << 9;
    assert_eq!(frame, [0x11, 0x22, 0x33, 0x44, 0xdd, 0x1235, 0x1000, status]);
    let seen = [cells::SP, cells::LR, cells::IPSR].map(|slot| cell(&cells, slot));
    assert_eq!(seen, [0x7fe0, 0xffff_fff9, 18]);
    assert_eq!(arm.interrupt(&cells, 0), None, "the controller holds others back");

    // bx lr
    cells[0] = 0xdead;
    let back = Code::new(0x2000, vec![0x4770]);
    let block = arm.lift(&back, 0x2000, THUMB.number()).expect("a block");
    let Outcome::Goto(target) = run(&block, &mut cells, &mut memory) else { panic!("it goes on") };
    let (pc, mode) = arm.land(target, block.onward);
    let block = arm.lift(&back, pc, mode).expect("the way back");
    assert_eq!(run(&block, &mut cells, &mut memory), Outcome::Goto(0x1000));
    assert_eq!(arm.mode(&cells), state.number());
    assert_eq!(cells[..15], before[..]);
    assert_eq!(arm.interrupt(&cells, 1 << 18), Some(18));
}

#[test]
fn masks_hold_interrupts_back() {
    let arm = arm(Version::V7M);
    let mut cells = cells_of(&arm);
    assert_eq!(arm.interrupt(&cells, 1 << 20 | 1 << 17), Some(17));
    for mask in [cells::IRQ_OFF, cells::FIQ_OFF] {
        cells[usize::from(mask.0)] = 1;
        assert_eq!(arm.interrupt(&cells, !0), None);
        cells[usize::from(mask.0)] = 0;
    }
}

#[test]
fn the_a_profile_prefers_the_fast_interrupt() {
    let arm = arm(Version::V4);
    let mut cells = cells_of(&arm);
    assert_eq!(arm.interrupt(&cells, 3), None, "both are off after reset");
    cells[usize::from(cells::IRQ_OFF.0)] = 0;
    assert_eq!(arm.interrupt(&cells, 3), Some(0));
    cells[usize::from(cells::FIQ_OFF.0)] = 0;
    assert_eq!(arm.interrupt(&cells, 3), Some(1));
}

/// An interrupt of the A profile: DDI 0100I, A2.6.8; the return is `subs pc, lr, #4`.
#[test]
fn an_interrupt_of_the_a_profile_comes_and_goes() {
    let (arm, mut code) = (arm(Version::V5TE), Code::words(0x8000, &[0xe1a0_0000]));
    code.words.insert(0x18, 0xea00_0000);
    let mut cells = cells_of(&arm);
    (cells[usize::from(cells::SP.0)], cells[usize::from(cells::LR.0)]) = (0x7000, 0x77);
    (cells[usize::from(cells::IRQ_OFF.0)], cells[usize::from(cells::Z.0)]) = (0, 1);
    let state = State { thumb: true, ..SUPERVISOR };
    let trap = Trap::Interrupt { number: 0, note: 0 };
    let block = arm.trap(trap, &code, 0x8002, &cells, state.number()).expect("a handler");
    let mut memory = Bytes::default();
    assert_eq!(run(&block, &mut cells, &mut memory), Outcome::Goto(0x18));
    assert_eq!(arm.mode(&cells), State { mode: 0x12, ..SUPERVISOR }.number());
    assert_eq!(cell(&cells, cells::LR), 0x8006);
    assert_eq!(cell(&cells, cells::SPSR), 1 << 30 | 1 << 6 | 1 << 5 | 0x13);

    cells[usize::from(cells::Z.0)] = 0;
    let back = Code::words(0x18, &[0xe25e_f004]);
    let block = arm.lift(&back, 0x18, arm.mode(&cells)).expect("a block");
    assert!(matches!(block.exit, Exit::Yield { .. }));
    assert_eq!(run(&block, &mut cells, &mut memory), Outcome::Goto(0x8002));
    assert_eq!(arm.mode(&cells), state.number());
    let seen = [cells::SP, cells::LR, cells::Z].map(|slot| cell(&cells, slot));
    assert_eq!(seen, [0x7000, 0x77, 1]);
}

#[test]
fn a_program_without_vectors_stops() {
    // svc #0
    let code = Code::new(0x1000, vec![0xdf00]);
    for version in [Version::V6M, Version::V7M] {
        let arm = arm(version);
        let block = arm.lift(&code, 0x1000, THUMB.number()).expect("a block");
        assert_eq!(block.exit, Exit::Stop(StopKind::EnvironmentCall));
        let trap = Trap::Instruction(StopKind::EnvironmentCall);
        assert_eq!(arm.trap(trap, &code, 0x1000, &cells_of(&arm), THUMB.number()), None);
    }
}

/// A conditional `svc` looks at its condition in one block, and stops in another.
#[test]
fn a_conditional_call_stops_only_where_its_condition_holds() {
    let (arm, code) = (arm(Version::V5TE), Code::words(0, &[0x0f00_0000])); // svceq #0
    for equal in [0, 1] {
        let mut cells = cells_of(&arm);
        cells[usize::from(cells::Z.0)] = equal;
        let block = arm.lift(&code, 0, SUPERVISOR.number()).expect("a block");
        let outcome = run(&block, &mut cells, &mut Bytes::default());
        if equal == 0 {
            assert_eq!(outcome, Outcome::Goto(4));
            assert_eq!(arm.mode(&cells), SUPERVISOR.number());
            continue;
        }
        assert_eq!(outcome, Outcome::Goto(0));
        let block = arm.lift(&code, 0, arm.mode(&cells)).expect("a block");
        let outcome = run(&block, &mut cells, &mut Bytes::default());
        assert_eq!(outcome, Outcome::Stop(StopKind::EnvironmentCall));
        assert_eq!(cell(&cells, cells::HOLDS), 0);
    }
}

#[test]
fn a_jump_out_of_thumb_is_an_invalid_state_of_the_m_profile() {
    // DDI 0403, A4.1.1: INVSTATE, wherever the address leads.
    let arm = arm(Version::V7M);
    for target in [0x2000, 0x2002] {
        let (pc, mode) = arm.land(target, THUMB.number());
        let block = arm.lift(&Code::new(0x2000, vec![0xbf00, 0xbf00]), pc, mode).expect("a block");
        assert_eq!(block.exit, Exit::Stop(StopKind::InvalidState));
    }
}

/// The message about an interrupt that has no handler; `words` are those of the vector table.
fn no_handler(arm: &Arm, number: u8, table: u32, words: &[(u32, u32)]) -> String {
    let mut code = Code::new(0x1000, vec![0xbf00]);
    code.words.extend(words.iter().copied());
    let mut cells = cells_of(arm);
    cells[usize::from(cells::VECTORS.0)] = table.into();
    let trap = Trap::Interrupt { number, note: 0 };
    let block = arm.trap(trap, &code, 0x1000, &cells, arm.mode(&cells)).expect("a stop");
    let Exit::Stop(kind) = block.exit else { panic!("{:?}", block.exit) };
    assert_eq!(kind, StopKind::NoHandler { number });
    arm.reason(kind, &code, 0x1000, &cells).expect("a reason")
}

#[test]
fn an_interrupt_without_a_handler_names_its_vector() {
    let arm_m = arm(Version::V7M);
    for (number, name, at) in [
        (14, "PendSV (exception 14)", 0x2038),
        (15, "SysTick (exception 15)", 0x203c),
        (21, "the interrupt 5 (exception 21)", 0x2054),
    ] {
        let told = no_handler(&arm_m, number, 0x2000, &[(at, 0)]);
        let holds = format!("{name} has no handler: its vector at {at:#010x} holds 0x00000000; ");
        assert!(told.starts_with(&holds) && told.contains("with bit 0 set"), "{told}");
        let told = no_handler(&arm_m, number, 0x2000, &[]);
        let lacks = format!("{name} has no handler: no memory answers at {at:#010x}, ");
        assert!(told.starts_with(&lacks) && told.contains("VTOR"), "{told}");
    }
    for (number, name, at) in [(0, "the IRQ", 0x18), (1, "the FIQ", 0x1c)] {
        let told = no_handler(&arm(Version::V4), number, 0, &[(at, 0)]);
        let holds = format!("{name} has no handler: its vector at {at:#010x} holds 0x00000000; ");
        assert!(told.starts_with(&holds) && told.contains("a branch"), "{told}");
    }
}

#[test]
fn a_vector_without_its_thumb_bit_is_named() {
    for handler in [0x3000, 0x3002] {
        let (arm, mut code) = (arm(Version::V7M), Code::new(0x1000, vec![0xbf00]));
        code.words.insert(4 * 15, handler);
        let mut cells = cells_of(&arm);
        cells[usize::from(cells::SP.0)] = 0x8000;
        let trap = Trap::Interrupt { number: 15, note: 0 };
        let block = arm.trap(trap, &code, 0x1000, &cells, THUMB.number()).expect("a handler");
        let reached = run(&block, &mut cells, &mut Bytes::default());
        assert_eq!(reached, Outcome::Goto(handler.into()));
        let block = arm.lift(&code, handler.into(), arm.mode(&cells)).expect("a block");
        assert_eq!(block.exit, Exit::Stop(StopKind::InvalidState));
        let told = arm.reason(StopKind::InvalidState, &code, handler.into(), &cells);
        let told = told.expect("a reason");
        let holds = format!(
            "the vector of SysTick (exception 15) at 0x0000003c holds {handler:#010x}, whose bit 0, the \
             Thumb bit, is clear"
        );
        assert!(told.starts_with(&holds) && told.contains(".thumb_func"), "{told}");
        // A jump of the handler's own is not the vector's fault.
        let told = arm.reason(StopKind::InvalidState, &code, 0x5000, &cells).expect("a reason");
        assert!(told.contains("go on at 0x00005000 with the Thumb bit clear"), "{told}");
    }
}

#[test]
fn hints_give_values_away() {
    // bic r5, r5, #0; bic r5, r6, #0; bics r5, r5, #0
    for (word, register) in [(0xe3c5_5000, Some(5)), (0xe3c6_5000, None), (0xe3d5_5000, None)] {
        let given = arm(Version::V4).revealed(&Code::words(0, &[word]), 0);
        assert_eq!(given.map(|slot| slot.0), register, "{word:#x}");
    }
    // mov r3, r3; mov r8, r8; mov r3, r4; movs r3, r3
    for (unit, register) in [(0x461b, Some(3)), (0x46c0, None), (0x4623, None), (0x001b, None)] {
        let given = arm(Version::V6M).revealed(&Code::new(0, vec![unit]), 0);
        assert_eq!(given.map(|slot| slot.0), register, "{unit:#x}");
    }
}

#[test]
fn a_class_that_the_core_lacks_is_no_instruction() {
    let code = Code::new(0, vec![0xfb91, 0xf0f2]); // sdiv r0, r1, r2
    let mut lacking = arm(Version::V7M);
    assert!(code.unit(0).is_some());
    assert!(matches!(lacking.lift(&code, 0, 1).expect("a block").exit, Exit::Next { pc: 4 }));
    lacking.implemented[Class::Divide as usize] = false;
    assert!(matches!(lacking.lift(&code, 0, 1).expect("a block").exit, Exit::Stop(_)));
}
