//! The private peripherals of a Cortex-M: cycle counter, system timer, interrupt controller, on both
//! engines.
//!
//! The programs were assembled by the GNU assembler; each ends at a breakpoint.

use std::path::Path;
use std::sync::Arc;

use cocrypt_config::Device;
use cocrypt_jit::Options;
use cocrypt_soc::{BuildError, CoreError, Machine, Stop, StopCause, StopKind};

const COUNTS: &[u16] = &[
    0x4809, // 0: ldr r0, [pc, #36]
    0x490a, // 2: ldr r1, [pc, #40]
    0x4b0a, // 4: ldr r3, [pc, #40]
    0x6842, // 6: ldr r2, [r0, #4]
    0x2401, // 8: movs r4, #1
    0x6004, // a: str r4, [r0, #0]
    0x6845, // c: ldr r5, [r0, #4]
    0x0624, // e: lsls r4, r4, #24
    0x600c, // 10: str r4, [r1, #0]
    0x6846, // 12: ldr r6, [r0, #4]
    0x681f, // 14: ldr r7, [r3, #0]
    0x4364, // 16: muls r4, r4
    0xfbb4, 0xf4f0, // 18: udiv r4, r4, r0
    0xbf00, // 1c: nop
    0xf8d3, 0x8000, // 1e: ldr.w r8, [r3]
    0xf8d0, 0x9004, // 22: ldr.w r9, [r0, #4]
    0xbe00, // 26: bkpt 0x0000
    0x1000, 0xe000, // 28: .word 0xe0001000
    0xedfc, 0xe000, // 2c: .word 0xe000edfc
    0x0010, 0xc000, // 30: .word 0xc0000010
];

const TICKS: &[u16] = &[
    0x480f, // 0: ldr r0, [pc, #60]
    0xf240, 0x31e7, // 2: movw r1, #999
    0x6041, // 6: str r1, [r0, #4]
    0x2100, // 8: movs r1, #0
    0x6081, // a: str r1, [r0, #8]
    0x2107, // c: movs r1, #7
    0x6001, // e: str r1, [r0, #0]
    0x4a0c, // 10: ldr r2, [pc, #48]
    0x6813, // 12: ldr r3, [r2, #0]
    0xf644, 0x6420, // 14: movw r4, #20000
    0x2600, // 18: movs r6, #0
    0xfb04, 0xf504, // 1a: mul.w r5, r4, r4
    0xbf1c, // 1e: itt ne
    0x3601, // 20: addne r6, #1
    0x3602, // 22: addne r6, #2
    0xb460, // 24: push {r5, r6}
    0xbc60, // 26: pop {r5, r6}
    0x3c01, // 28: subs r4, #1
    0xd1f6, // 2a: bne.n 1a
    0xf8d2, 0x8000, // 2c: ldr.w r8, [r2]
    0x2100, // 30: movs r1, #0
    0x6001, // 32: str r1, [r0, #0]
    0xbe00, // 34: bkpt 0x0000
    // handler:
    0x4804, // 36: ldr r0, [pc, #16]
    0x6000, // 38: str r0, [r0, #0]
    0x3701, // 3a: adds r7, #1
    0x4770, // 3c: bx lr
    0xbf00, // 3e: nop
    0xe010, 0xe000, // 40: .word 0xe000e010
    0x0010, 0xc000, // 44: .word 0xc0000010
    0x0030, 0xc000, // 48: .word 0xc0000030
];

const ORDER: &[u16] = &[
    0x481b, // 0: ldr r0, [pc, #108]
    0xf04f, 0x4440, // 2: mov.w r4, #3221225472
    0x21e0, // 6: movs r1, #224
    0xf880, 0x1022, // 8: strb.w r1, [r0, #34]
    0x2140, // c: movs r1, #64
    0xf880, 0x1023, // e: strb.w r1, [r0, #35]
    0x2101, // 12: movs r1, #1
    0x070d, // 14: lsls r5, r1, #28
    0x068e, // 16: lsls r6, r1, #26
    0x2261, // 18: movs r2, #97
    0x6022, // 1a: str r2, [r4, #0]
    0x6045, // 1c: str r5, [r0, #4]
    0x2264, // 1e: movs r2, #100
    0x6022, // 20: str r2, [r4, #0]
    0x2140, // 22: movs r1, #64
    0xf381, 0x8811, // 24: msr BASEPRI, r1
    0x6046, // 28: str r6, [r0, #4]
    0x2265, // 2a: movs r2, #101
    0x6022, // 2c: str r2, [r4, #0]
    0x2100, // 2e: movs r1, #0
    0xf381, 0x8811, // 30: msr BASEPRI, r1
    0x2266, // 34: movs r2, #102
    0x6022, // 36: str r2, [r4, #0]
    0xb672, // 38: cpsid i
    0x6045, // 3a: str r5, [r0, #4]
    0x2267, // 3c: movs r2, #103
    0x6022, // 3e: str r2, [r4, #0]
    0x086f, // 40: lsrs r7, r5, #1
    0x6047, // 42: str r7, [r0, #4]
    0xb662, // 44: cpsie i
    0x2268, // 46: movs r2, #104
    0x6022, // 48: str r2, [r4, #0]
    0xbe00, // 4a: bkpt 0x0000
    // pendsv:
    0x2362, // 4c: movs r3, #98
    0x6023, // 4e: str r3, [r4, #0]
    0x6046, // 50: str r6, [r0, #4]
    0xf8d0, 0x8004, // 52: ldr.w r8, [r0, #4]
    0x2363, // 56: movs r3, #99
    0x6023, // 58: str r3, [r4, #0]
    0x4770, // 5a: bx lr
    // systick:
    0x2374, // 5c: movs r3, #116
    0x6023, // 5e: str r3, [r4, #0]
    0xf8d0, 0x9004, // 60: ldr.w r9, [r0, #4]
    0x6045, // 64: str r5, [r0, #4]
    0xf8d0, 0xa004, // 66: ldr.w sl, [r0, #4]
    0x086b, // 6a: lsrs r3, r5, #1
    0x6043, // 6c: str r3, [r0, #4]
    0x4770, // 6e: bx lr
    0xed00, 0xe000, // 70: .word 0xe000ed00
];

const SLEEPS: &[u16] = &[
    0x480a, // 0: ldr r0, [pc, #40]
    0xf241, 0x3187, // 2: movw r1, #4999
    0x6041, // 6: str r1, [r0, #4]
    0x6081, // 8: str r1, [r0, #8]
    0x2107, // a: movs r1, #7
    0xb672, // c: cpsid i
    0x6001, // e: str r1, [r0, #0]
    0x4a07, // 10: ldr r2, [pc, #28]
    0x6813, // 12: ldr r3, [r2, #0]
    0xbf30, // 14: wfi
    0x6884, // 16: ldr r4, [r0, #8]
    0xb662, // 18: cpsie i
    0xbf00, // 1a: nop
    0x2100, // 1c: movs r1, #0
    0x6001, // 1e: str r1, [r0, #0]
    0xbf30, // 20: wfi
    0xbe00, // 22: bkpt 0x0000
    // handler:
    0x3701, // 24: adds r7, #1
    0xf04f, 0x5800, // 26: mov.w r8, #536870912
    0x4770, // 2a: bx lr
    0xe010, 0xe000, // 2c: .word 0xe000e010
    0x0010, 0xc000, // 30: .word 0xc0000010
];

const TABLE: &[u16] = &[
    0x480d, // 0: ldr r0, [pc, #52]
    0x6885, // 2: ldr r5, [r0, #8]
    0x490d, // 4: ldr r1, [pc, #52]
    0x6081, // 6: str r1, [r0, #8]
    0x6886, // 8: ldr r6, [r0, #8]
    0x4a0d, // a: ldr r2, [pc, #52]
    0x2301, // c: movs r3, #1
    0x6013, // e: str r3, [r2, #0]
    0x4c0c, // 10: ldr r4, [pc, #48]
    0xf240, 0x132c, // 12: movw r3, #300
    0x60a3, // 16: str r3, [r4, #8]
    0x2300, // 18: movs r3, #0
    0x60e3, // 1a: str r3, [r4, #12]
    0x2f00, // 1c: cmp r7, #0
    0xd0fd, // 1e: beq.n 1c
    0xbe00, // 20: bkpt 0x0000
    // handler:
    0xf3ef, 0x8705, // 22: mrs r7, IPSR
    0xf8d0, 0x8004, // 26: ldr.w r8, [r0, #4]
    0xf8d4, 0x9000, // 2a: ldr.w r9, [r4]
    0xf06f, 0x0300, // 2e: mvn.w r3, #0
    0x60e3, // 32: str r3, [r4, #12]
    0x4770, // 34: bx lr
    0xbf00, // 36: nop
    0xed00, 0xe000, // 38: .word 0xe000ed00
    0x0400, 0x2000, // 3c: .word 0x20000400
    0xe100, 0xe000, // 40: .word 0xe000e100
    0x0040, 0xc000, // 44: .word 0xc0000040
];

const RESETS: &[u16] = &[
    0x4802, // 0: ldr r0, [pc, #8]
    0x4903, // 2: ldr r1, [pc, #12]
    0x2204, // 4: movs r2, #4
    0x6002, // 6: str r2, [r0, #0]
    0x6001, // 8: str r1, [r0, #0]
    0xbf00, // a: nop
    0xed0c, 0xe000, // c: .word 0xe000ed0c
    0x0004, 0x05fa, // 10: .word 0x05fa0004
];

/// The board's flash memory, where the vector table is, and where the programs lie in it.
const FLASH: u32 = 0x0800_0000;
const CODE: u32 = FLASH + 0x100;
const STACK: u32 = 0x2000_8000;
/// Numbers of exceptions.
const PENDSV: u32 = 14;
const SYSTICK: u32 = 15;

/// A Cortex-M4 with memories that do not wait and peripherals of its own.
fn device() -> Device {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../devices/stm32f4-24mhz.toml");
    Device::load(&path).expect("a good device")
}

fn machine(program: &[u16], handlers: &[(u32, u32)]) -> Machine {
    let mut machine =
        Machine::new(&device(), Arc::from([]), u64::from(CODE | 1), vec![]).expect("a machine");
    let bytes: Vec<u8> = program.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    machine.load(CODE, &bytes).expect("room for the program");
    for &(number, offset) in handlers {
        let handler = (CODE + offset) | 1;
        machine.load(FLASH + 4 * number, &handler.to_le_bytes()).expect("room for a vector");
    }
    machine.set_register(13, STACK.into());
    machine
}

/// Runs a machine in one piece on either engine, and in many; all must see the same. The first of them.
fn run(program: &[u16], handlers: &[(u32, u32)]) -> (Machine, Stop) {
    let mut first = machine(program, handlers);
    let stop = first.run(1_000_000);
    let mut compiled = machine(program, handlers);
    assert!(compiled.compile(Options { profile: true, at_once: true, ..Options::default() }, 2));
    let mut rewound = compiled.fork();
    assert!(rewound.compile(Options { profile: true, at_once: true, ..Options::default() }, 2));
    rewound.run(stop.cycles / 2);
    rewound.rewind(&compiled);
    let mut pieces = machine(program, handlers);
    let piece = (stop.cycles as usize / 400).max(7);
    for limit in (0..stop.cycles).step_by(piece) {
        pieces.run(limit);
        pieces = pieces.fork();
    }
    for machine in [&mut compiled, &mut pieces, &mut rewound] {
        assert_eq!(machine.run(1_000_000), stop);
        assert_eq!(machine.registers(), first.registers());
        assert_eq!((machine.marks(), machine.console()), (first.marks(), first.console()));
    }
    (first, stop)
}

const fn breakpoint() -> StopCause {
    StopCause::Instruction(StopKind::Breakpoint)
}

fn ended(stop: Stop) {
    assert_eq!(stop.cause, breakpoint(), "{stop:?}");
}

#[test]
fn the_cycle_counter_shows_cycles_since_it_was_let() {
    ended(run(COUNTS, &[]).1);
    let mut machine = machine(COUNTS, &[]);
    machine.record_transfers();
    machine.run(1_000_000);
    let transfers = machine.recorded();
    let let_go =
        transfers.iter().find(|transfer| transfer.writes && transfer.address == 0xe000_edfc);
    let since = let_go.expect("it is let").answer;
    let mut shown = vec![];
    for read in transfers.iter().filter(|transfer| !transfer.writes) {
        let passed = read.answer.saturating_sub(since);
        let wanted = if read.address == 0xc000_0010 { read.answer } else { passed };
        assert_eq!(read.value, wanted, "{read:?}");
        shown.push(read.value);
    }
    assert_eq!(shown.len(), 6);
    assert_eq!(shown[..2], [0, 0], "neither switch alone lets it count");
    assert!(shown[5] - shown[2] > 3);
}

#[test]
fn the_system_timer_interrupts_every_thousand_cycles() {
    let (machine, stop) = run(TICKS, &[(SYSTICK, 0x36)]);
    ended(stop);
    let registers = machine.registers();
    let (ticks, passed) = (registers[7], registers[8] - registers[3]);
    assert!((20..980).contains(&(passed % 1000)), "{passed}");
    assert!(ticks > 100);
    assert_eq!(ticks, passed / 1000);
    let marks = machine.marks();
    assert_eq!(marks.len() as u64, ticks);
    for (tick, &(cycle, _)) in marks.iter().enumerate() {
        let since = cycle - marks[0].0;
        assert!(since.abs_diff(1000 * tick as u64) < 16, "tick {tick} after {since} cycles");
    }
}

#[test]
fn exceptions_come_in_the_order_of_their_priorities() {
    let (machine, stop) = run(ORDER, &[(PENDSV, 0x4c), (SYSTICK, 0x5c)]);
    ended(stop);
    assert_eq!(machine.console(), b"abtcdetfgh");
    // ICSR: the exception that is handled, whether it is the only one (bit 11), and which one waits.
    let [in_pendsv, in_systick, waiting] = [8, 9, 10].map(|number| machine.registers()[number]);
    assert_eq!(in_pendsv, 1 << 11 | u64::from(PENDSV));
    // The last time the system timer's handler ran it had interrupted no other.
    assert_eq!(in_systick, 1 << 11 | u64::from(SYSTICK));
    assert_eq!(waiting, 1 << 28 | u64::from(PENDSV) << 12 | in_systick);
}

#[test]
fn a_core_sleeps_until_an_exception_waits() {
    let (machine, stop) = run(SLEEPS, &[(SYSTICK, 0x24)]);
    // Nothing runs any more that could wake it.
    assert_eq!(stop.cause, StopCause::Deadlock);
    assert!((5_000..5_100).contains(&stop.cycles), "{}", stop.cycles);
    let registers = machine.registers();
    assert_eq!(registers[4], 4999, "the register was reloaded in the cycle behind");
    assert_eq!(registers[7], 1, "what had waited came once it could");
    assert_eq!(registers[8], 0x2000_0000);
}

#[test]
fn the_device_s_timer_is_the_first_external_interrupt() {
    let program = |machine: &mut Machine| {
        let handler = (CODE + 0x22) | 1;
        machine.load(0x2000_0400 + 4 * 16, &handler.to_le_bytes()).expect("room for a vector");
    };
    let mut machine = machine(TABLE, &[]);
    program(&mut machine);
    ended(machine.run(10_000));
    let registers = machine.registers();
    assert_eq!([registers[5], registers[6]], [FLASH.into(), 0x2000_0400]);
    assert_eq!([registers[7], registers[8] & 0x1ff], [16, 16]);
    assert!((300..340).contains(&registers[9]), "{}", registers[9]);
}

#[test]
fn a_reset_is_not_modelled_and_says_so() {
    let stop = machine(RESETS, &[]).run(1_000);
    assert_eq!(stop.cause, StopCause::Instruction(StopKind::Unmodelled));
    assert_eq!(stop.pc, u64::from(CODE) + 8, "without its key a write does nothing");
}

#[test]
fn an_interrupt_without_a_handler_stops_and_says_why() {
    let (machine, stop) = run(TICKS, &[]);
    assert_eq!(stop.cause, StopCause::Instruction(StopKind::NoHandler { number: SYSTICK as u8 }));
    let told = machine.reason(&stop).expect("a reason");
    assert!(told.contains("SysTick (exception 15)"), "{told}");
    assert!(told.contains(&format!("{:#010x} holds 0x00000000", FLASH + 4 * SYSTICK)), "{told}");
}

#[test]
fn a_vector_without_its_thumb_bit_leads_to_the_hard_fault() {
    // The machine itself sets bit 0 of what it is given; here it is taken off the timer's vector.
    let program = |handlers: &[(u32, u32)]| {
        let mut machine = machine(TICKS, handlers);
        let handler = CODE + 0x36;
        machine.load(FLASH + 4 * SYSTICK, &handler.to_le_bytes()).expect("room for a vector");
        let stop = machine.run(1_000_000);
        (machine, stop)
    };
    let vector = format!("{:#010x} holds {:#010x}", FLASH + 4 * SYSTICK, CODE + 0x36);
    let (machine, stop) = program(&[]);
    assert_eq!(stop.cause, StopCause::Instruction(StopKind::InvalidState));
    let told = machine.reason(&stop).expect("a reason");
    assert!(told.contains(&vector), "{told}");
    // With a handler of the hard fault (`bkpt`) the run ends there, and the first fault is known.
    let (machine, stop) = program(&[(3, 0x34)]);
    assert_eq!((stop.cause, stop.pc), (breakpoint(), u64::from(CODE) + 0x34));
    let fault = machine.first_fault().expect("a fault");
    assert_eq!(fault.stop.cause, StopCause::Instruction(StopKind::InvalidState));
    assert!(fault.reason.as_ref().is_some_and(|told| told.contains(&vector)), "{fault:?}");
}

#[test]
fn other_cores_have_no_such_peripherals() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../devices");
    let picorv32 = Device::load(&folder.join("picorv32.toml")).expect("a good device");
    let wrong = Device { system: device().system, ..picorv32 };
    let built = Machine::new(&wrong, Arc::from([]), 0, vec![]);
    assert!(matches!(built, Err(BuildError::Core(CoreError::NoSystem(_)))));
}
