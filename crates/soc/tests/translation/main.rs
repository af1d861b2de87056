//! Translated addresses on whole machines: a kernel, users, and what they have no right to.
//!
//! Expectations are those of the "ARM Architecture Reference Manual" (DDI 0100I): A2.6 for the entries into
//! handlers, B4 for tables of pages and faults, B8 for processes.

mod words;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use cocrypt_config as config;
use cocrypt_soc::{Debugger, Halt, Machine, Options, Stop, StopCause};

const CORES: [&str; 2] = ["arm926ej-s", "sa1110"];

const DEVICE: &str = r#"
[device]
name = "test"
title = "Test"
core = "arm926ej-s"
clock_hz = 1_000_000
[[memory]]
name = "ram"
base = 0
size = 0x2_0000
fetch_wait = 1
data_wait = 1
[bus]
wait = 3
[[peripheral]]
kind = "exit"
base = 0x8000_0020
size = 0x10
[[peripheral]]
kind = "timer"
base = 0x8000_0040
size = 0x10
"#;

const CACHES: &str = "[cache.instruction]\nsize = 256\nways = 2\nline = 16\nrefill = 9\n\
    [cache.data]\nsize = 128\nways = 2\nline = 16\nrefill = 9\n";

/// The addresses of a test's request to the kernel, and of its record.
const ASKED: u32 = 0x3200;
const LOG: u32 = 0x3000;
/// The tables: the first one, and one of small pages.
const FIRST: u32 = 0x4000;
const SECOND: u32 = 0x8000;
/// Rights of small pages: the kernel's, those of users who read, all.
const KERNEL: u32 = 0x55 << 4;
const READ: u32 = 0xaa << 4;
const ALL: u32 = 0xff << 4;
/// The addresses of user code: their code, their data, what is not mapped, their data again, their code
/// again.
const USER: u32 = 0x0010_0000;
const DATA: u32 = USER + 0x1000;
/// The exit code where the kernel has written down what it met.
const MET: u32 = 0x100;

/// The request to the kernel: where it goes, in which mode, where it runs itself, with which bits of the
/// control register, what a call adds, and which entry a first abort puts where.
struct Asked {
    to: u32,
    mode: u32,
    away: u32,
    control: u32,
    adds: u32,
    maps: (u32, u32),
}

const ASKS: Asked =
    Asked { to: USER, mode: 0xd0, away: 0xc000_0000, control: 1, adds: 7, maps: (0, 0) };
/// The part of the kernel that a test runs behind its start.
const WITHIN: Asked = Asked { to: 0xc000_2000, mode: 0xd3, ..ASKS };

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn put(machine: &mut Machine, address: u32, words: &[u32]) {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    machine.load(address, &bytes).expect("room for it");
}

fn words_at(machine: &Machine, address: u32, count: usize) -> Vec<u32> {
    let bytes = machine.read(address, 4 * count).expect("memory");
    let word = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().expect("four bytes"));
    bytes.chunks(4).map(word).collect()
}

/// A machine about to start the kernel, with tables of pages, and code at a place in memory.
fn machine_with(name: &str, more: &str, asked: &Asked, (place, code): (u32, &[u32])) -> Machine {
    let path = root().join("devices/cores").join(name).with_extension("toml");
    let description = config::Core::load(&path).expect("a core");
    let text = format!("{}{more}", DEVICE.replace("arm926ej-s", name));
    let device = config::Device::parse("test", &text, &description).expect("a device");
    let mut machine = Machine::new(&device, Arc::from([0]), 0, vec![]).expect("a machine");
    put(&mut machine, 0, words::KERNEL);
    let Asked { to, mode, away, control, adds, maps: (place_of, entry) } = *asked;
    put(&mut machine, ASKED, &[to, mode, away, control, adds, place_of, entry]);
    let section = |machine: &mut Machine, number: u32, entry: u32| {
        put(machine, FIRST + 4 * number, &[entry]);
    };
    let own = 1 << 10 | 2;
    section(&mut machine, 0, own);
    section(&mut machine, 0x041, own);
    section(&mut machine, 0xc00, own);
    section(&mut machine, 0x800, 0x8000_0000 | 3 << 10 | 2);
    section(&mut machine, 1, SECOND | 1);
    section(&mut machine, 0xfff, (SECOND + 0x400) | 1);
    let pages =
        [0x1_0000 | READ | 2, 0x1_1000 | ALL | 2, 0, 0x1_1000 | ALL | 2, 0x1_0000 | ALL | 2];
    put(&mut machine, SECOND, &pages);
    // The vectors, where they are high.
    put(&mut machine, SECOND + 0x400 + 4 * 0xf0, &[KERNEL | 2]);
    put(&mut machine, place, code);
    machine
}

fn user(name: &str, code: &[u32]) -> Machine {
    machine_with(name, "", &ASKS, (0x1_0000, code))
}

fn code_of(stop: &Stop) -> u32 {
    match stop.cause {
        StopCause::Exit { code, .. } => code,
        other => panic!("{other:?} at {:#x}", stop.pc),
    }
}

fn ends(machine: &mut Machine) -> u32 {
    code_of(&machine.run(100_000))
}

/// The kernel's record.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Met {
    /// The handler, by its vector's number.
    handler: u32,
    /// The instruction that it was for.
    pc: u32,
    /// About where the handler ran.
    ran: u32,
    /// Fault status of data, fault address, fault status of instructions.
    status: u32,
    address: u32,
    fetch_status: u32,
    /// The mode in which it was.
    mode: u32,
    registers: Vec<u32>,
}

fn met(machine: &mut Machine) -> Met {
    assert_eq!(ends(machine), MET);
    let log = words_at(machine, LOG, 23);
    Met {
        handler: log[16],
        pc: log[17],
        ran: log[18],
        status: log[19],
        address: log[20],
        fetch_status: log[21],
        mode: log[22] & 0x1f,
        registers: log[..15].to_vec(),
    }
}

#[test]
fn a_user_calls_the_kernel_and_goes_on() {
    for core in CORES {
        assert_eq!(ends(&mut user(core, words::CALLS)), 5 + 7 + 1 + 7);
    }
}

#[test]
fn the_kernel_runs_where_its_memory_is_not() {
    for core in CORES {
        let here = |away: u32| {
            let asked = Asked { to: away + 0x2000, away, ..WITHIN };
            ends(&mut machine_with(core, "", &asked, (0x2000, words::HERE)))
        };
        assert_eq!([here(0xc000_0000), here(0)], [0xc000_2008, 0x2008]);
    }
}

/// A user's program, how many of its instructions run before the one that is refused, fault status,
/// fault address, and what its registers are but for the first six, which are as at its start, and where
/// it has changed its base itself.
type Refused<'a> = (&'a [u32], u32, u32, u32, &'a [(usize, u32)]);

const REFUSED: [Refused<'_>; 9] = [
    (words::READS_KERNEL, 7, 0x0d, 0x3200, &[(6, 0x3200)]),
    (words::WRITES_CODE, 6, 0x0f, USER + 0x40, &[]),
    (words::LOADS_BEHIND, 7, 0x07, USER + 0x2000, &[(1, USER + 0x2000)]),
    (words::LOADS_BEFORE, 8, 0x07, USER + 0x2008, &[(1, USER + 0x1f00), (6, 0x108)]),
    (words::LOADS_SEVERAL, 8, 0x07, USER + 0x2000, &[(1, USER + 0x1ff8)]),
    (words::LOADS_ITS_BASE, 8, 0x07, USER + 0x2000, &[(1, USER + 0x1ff8)]),
    (words::STORES_SEVERAL, 8, 0x07, USER + 0x2000, &[(1, USER + 0x1ff8)]),
    (words::LOADS_UNALIGNED, 7, 0x0d, 0x3200, &[(6, 0x3200)]),
    (words::STORES_UNALIGNED, 7, 0x07, USER + 0x2000, &[(1, USER + 0x1ff0)]),
];

fn is_refused(name: &str, more: &str, &(code, at, status, address, changed): &Refused<'_>) {
    let mut machine = machine_with(name, more, &ASKS, (0x1_0000, code));
    let met = met(&mut machine);
    let mut registers = vec![USER, DATA, 22, 33, 44, 55];
    registers.resize(15, 0);
    for &(number, value) in changed {
        registers[number] = value;
    }
    // What the kernel left in them.
    registers[12] = ASKED;
    assert_eq!((met.handler, met.pc, met.mode), (4, USER + 4 * at, 0x10), "{name} {code:x?}");
    // Of an unaligned access the lowest bits are left open.
    assert_eq!((met.status, met.address & !3), (status, address), "{name} {code:x?}");
    assert_eq!(met.registers, registers, "{name} {code:x?}");
}

#[test]
fn what_is_refused_leaves_the_registers_as_they_were() {
    for core in CORES {
        for refused in &REFUSED {
            is_refused(core, "", refused);
            is_refused(core, CACHES, refused);
        }
    }
    let two = (words::LOADS_TWO, 7, 0x07, USER + 0x2000, &[(1, USER + 0x1ff0)][..]);
    is_refused("arm926ej-s", "", &two);
    let swaps = (words::SWAPS, 6, 0x0f, USER, &[][..]);
    is_refused("arm926ej-s", "", &swaps);
}

#[test]
fn an_unaligned_access_is_rotated_or_refused_as_the_control_register_says() {
    let run = |control| {
        let asked = Asked { control, ..ASKS };
        let mut machine = machine_with("arm926ej-s", "", &asked, (0x1_0000, words::ROTATES));
        put(&mut machine, 0x1_1000, &[0x4433_2211]);
        machine
    };
    assert_eq!(ends(&mut run(1)), 0x2211_4433);
    let met = met(&mut run(3));
    assert_eq!((met.handler, met.status & 0xd, met.address), (4, 1, DATA + 2));
}

#[test]
fn where_users_may_not_go_the_fetch_is_refused() {
    for core in CORES {
        for (to, status) in [(0x0020_0000, 0x05), (USER + 0x2000, 0x07), (0xc000_2000, 0x0d)] {
            let code = [words::JUMPS, &[to]].concat();
            let met = met(&mut user(core, &code));
            assert_eq!((met.handler, met.pc, met.mode), (3, to, 0x10), "{core}");
            // Those of data stay as they were.
            assert_eq!((met.fetch_status, met.status, met.address), (status, 0, 0), "{core}");
            assert_eq!(met.registers[2], 22);
        }
        let asked = Asked { to: USER + 0x4ff8, ..ASKS };
        let met = met(&mut machine_with(core, "", &asked, (0x1_0ff8, words::RUNS_ON)));
        assert_eq!((met.handler, met.pc, met.fetch_status), (3, USER + 0x5000, 0x07));
        assert_eq!(met.registers[2..4], [22, 33]);
    }
}

#[test]
fn users_stay_users() {
    for core in CORES {
        let met_of = |code| met(&mut user(core, code));
        let met = met_of(words::LEAVES_USER);
        assert_eq!((met.handler, met.status, met.address, met.mode), (4, 0x0d, 0x3200, 0x10));
        let met = met_of(words::COPROCESSOR);
        assert_eq!((met.handler, met.pc, met.mode), (1, USER + 4, 0x10));
    }
}

#[test]
fn a_page_comes_when_it_is_needed() {
    for core in CORES {
        for more in ["", CACHES] {
            let asked = Asked { maps: (SECOND + 8, 0x1_3000 | ALL | 2), ..ASKS };
            let mut machine = machine_with(core, more, &asked, (0x1_0000, words::STORES_TWICE));
            assert_eq!(ends(&mut machine), 0x4321, "{core} {more}");
            assert_eq!(words_at(&machine, 0x1_1ff8, 2), [1, 2]);
            assert_eq!(words_at(&machine, 0x1_3000, 2), [3, 4]);
        }
    }
}

#[test]
fn changed_tables_are_seen() {
    for core in CORES {
        let mut machine = machine_with(core, "", &WITHIN, (0x2000, words::TABLES));
        put(&mut machine, 0x1_1000, &[0x11]);
        put(&mut machine, 0x1_2000, &[0x22]);
        assert_eq!(ends(&mut machine), 0x0007_2211);
    }
}

#[test]
fn code_that_is_changed_by_another_address_is_seen() {
    for core in CORES {
        assert_eq!(ends(&mut user(core, words::CHANGES_ITSELF)), 0x11122);
    }
}

#[test]
fn translation_ends_and_begins_again() {
    for core in CORES {
        let asked = Asked { to: 0x2000, away: 0, ..WITHIN };
        assert_eq!(ends(&mut machine_with(core, "", &asked, (0x2000, words::SWITCHES_OFF))), 21);
    }
}

#[test]
fn the_lowest_addresses_follow_the_process() {
    for core in CORES {
        let mut machine = machine_with(core, "", &WITHIN, (0x2000, words::PROCESSES));
        put(&mut machine, 0x1000, &[0x11]);
        put(&mut machine, 0x1_1000, &[0x22]);
        assert_eq!(ends(&mut machine), 0x2211);
    }
}

#[test]
fn handlers_are_found_by_the_kernel_s_own_rights_wherever_they_are() {
    for core in CORES {
        for (control, high) in [(1, 0), (0x2001, 0xffff_0000_u32)] {
            let asked = Asked { control, mode: 0x50, ..ASKS };
            let mut machine = machine_with(core, "", &asked, (0x1_0000, words::WAITS));
            let met = met(&mut machine);
            assert_eq!((met.handler, met.mode, met.ran & 0xffff_f000), (6, 0x10, high), "{core}");
            assert!((USER + 0x14..USER + 0x1c).contains(&met.pc), "{met:x?}");
            let mut machine = machine_with(core, "", &asked, (0x1_0000, words::CALLS));
            assert_eq!(ends(&mut machine), 20);
        }
    }
}

#[test]
fn without_a_handler_the_machine_says_what_was_refused() {
    let mut machine = user("arm926ej-s", words::READS_KERNEL);
    put(&mut machine, 0x10, &[0]);
    let stop = machine.run(100_000);
    assert_eq!(stop.pc, u64::from(USER) + 28);
    let StopCause::Refused { address: 0x3200, status: 0x0d, cycle, .. } = stop.cause else {
        panic!("{stop:?}");
    };
    assert_eq!(stop.cycles, cycle + 1);
}

#[test]
fn the_host_sees_what_the_program_sees() {
    let mut machine = user("arm926ej-s", words::CHANGES_ITSELF);
    // Within the second of the loops.
    let mut debugger = Debugger::new(&mut machine);
    debugger.set_breakpoint(USER + 0x34, true);
    assert_eq!(debugger.resume(100_000), Some(Halt::Breakpoint));
    let seen = debugger.machine_mut();
    put(seen, USER + 0x3000, &[0x55]);
    assert_eq!(words_at(seen, DATA, 1), [0x55]);
    assert_eq!(words_at(seen, 0x3200, 2), [USER, 0xd0], "what the user has no right to");
    assert!(seen.read(USER + 0x2000, 1).is_none());
    assert!(seen.read(USER + 0x1fff, 2).is_none());
    // The end of one page and the beginning of another that is not behind it.
    put(seen, USER + 0x3ffc, &[0x1234_5678, words::CHANGES_ITSELF[0]]);
    assert_eq!(words_at(seen, USER + 0x3ffc, 2), [0x1234_5678, words::CHANGES_ITSELF[0]]);
    assert_eq!(words_at(seen, USER + 0x1ffc, 1), [0x1234_5678]);
    assert!(seen.load(USER + 0x1ffe, &[1; 4]).is_err());
    assert_eq!(words_at(seen, USER + 0x1ffc, 1), [0x1234_5678], "nothing of it was written");
    assert_eq!(seen.disassemble(USER.into()).as_deref(), Some("mov r5, #0"));
    assert!(seen.disassemble(0).is_some());
    // Code that the program runs, by its other address: `mov r0, #3`.
    put(seen, USER + 0x4000 + 0x48, &[0xe3a0_0003]);
    drop(debugger);
    assert_eq!(ends(&mut machine), 0x11123);
}

#[test]
fn copies_and_compiled_code_do_the_same() {
    for core in CORES {
        for (code, asked) in [(words::CHANGES_ITSELF, ASKS), (words::CALLS, ASKS)] {
            let whole = machine_with(core, CACHES, &asked, (0x1_0000, code)).run(100_000);
            let mut compiled = machine_with(core, CACHES, &asked, (0x1_0000, code));
            compiled.compile(Options { at_once: true, ..Options::default() }, 1);
            assert_eq!(compiled.run(100_000), whole);
            for limit in (1..whole.cycles).step_by(17) {
                let mut first = machine_with(core, CACHES, &asked, (0x1_0000, code));
                let part = first.run(limit);
                // What begins before the limit may end behind it.
                assert!(part == whole || part.cause == StopCause::CycleLimit, "{part:?}");
                let mut copy = first.fork();
                assert_eq!(first.run(100_000), whole, "{limit}");
                assert_eq!(copy.run(100_000), whole, "{limit}");
            }
        }
    }
}

#[test]
fn what_was_spent_is_counted_where_translation_begins() {
    for contexts in [false, true] {
        let mut machine = user("arm926ej-s", words::CALLS);
        if contexts {
            machine.trace_contexts();
        }
        let stop = machine.run(100_000);
        let spent: u64 = if contexts {
            let instructions = |context: &cocrypt_soc::ContextProfile| {
                context.instructions.values().map(|spent| spent.cycles).sum::<u64>()
            };
            machine.contexts().iter().map(instructions).sum()
        } else {
            machine.profile().iter().map(|region| region.cycles).sum()
        };
        assert!(spent <= stop.cycles && spent + 20 > stop.cycles, "{spent} {}", stop.cycles);
    }
}
