//! Small RISC-V programs on the engine: stops, endless loops, code that writes code.

use std::collections::BTreeMap;
use std::sync::Arc;

use cocrypt_engine::{
    Access, Bus, Coefficients, Engine, KindModel, Leakage, LeakageModel, Ram, Reply, Stop,
    StopCause, Weights,
};
use cocrypt_ir::StopKind;
use cocrypt_isa::ClassCost;
use cocrypt_isa_riscv::{PicoRv32, Rv32, table::TABLE};

/// An exit device at the address `0x8000_0000` and nothing else, three cycles away.
struct ExitOnly;

impl Bus for ExitOnly {
    fn read(&mut self, _: &Access) -> Reply {
        Reply::Refused
    }
    fn write(&mut self, access: &Access, value: u64) -> Reply {
        match access.address {
            0x8000_0000 => Reply::Exit { code: value as u32, wait: 3 },
            _ => Reply::Refused,
        }
    }
    fn code_unit(&self, _: u32) -> Option<u16> {
        None
    }
    fn fetch_wait(&self, _: u32) -> u32 {
        3
    }
}

/// The default PicoRV32's class table, as far as these programs use it.
fn timing() -> PicoRv32 {
    let class =
        |ask, rule: Option<&str>| ClassCost { ask, rule: rule.map(str::to_owned), per_step: None };
    let table = BTreeMap::from([
        ("alu_immediate".to_owned(), class(2, None)),
        ("alu_register".to_owned(), class(2, None)),
        ("jump".to_owned(), class(1, Some("jump"))),
        ("jump_register".to_owned(), class(4, Some("jump_register"))),
        ("branch".to_owned(), class(2, Some("branch"))),
        ("load".to_owned(), class(2, Some("memory"))),
        ("store".to_owned(), class(2, Some("memory"))),
        ("system".to_owned(), class(3, Some("trap"))),
        ("illegal".to_owned(), class(3, Some("trap"))),
    ]);
    PicoRv32::new(&table).expect("known rules")
}

fn run(words: &[u32], limit: u64) -> (Stop, Engine, Ram) {
    let (mut engine, mut ram) = loaded(words);
    let stop = engine.run(&mut ram, &mut ExitOnly, limit);
    (stop, engine, ram)
}

fn loaded(words: &[u32]) -> (Engine, Ram) {
    let mut ram = Ram::new(0, 0x1000, 1, 1);
    for (index, word) in words.iter().enumerate() {
        let place = ram.at_mut(4 * index as u32, 4).expect("inside");
        place.copy_from_slice(&word.to_le_bytes());
    }
    let frontend =
        Rv32 { compressed: true, implemented: [true; TABLE.len()], privileged: None, irq: None };
    (Engine::new(Arc::new(frontend), Arc::new(timing()), Arc::from([]), 0), ram)
}

const LUI_T0_EXIT: u32 = 0x8000_02b7; // lui t0, 0x80000
const LI_A0_7: u32 = 0x0070_0513; // li a0, 7
const SW_A0_T0: u32 = 0x00a2_a023; // sw a0, 0(t0)
const EBREAK: u32 = 0x0010_0073;

/// Ten rounds of a loop of two instructions, then the exit.
const TEN_ROUNDS: [u32; 5] = [
    0x00a0_0313, // li t1, 10
    0xfff3_0313, // addi t1, t1, -1
    0xfe03_1ee3, // bnez t1, -4
    LUI_T0_EXIT,
    SW_A0_T0,
];

#[test]
fn an_exit_is_counted_to_the_cycle_that_accepts_it() {
    // Reset 3+W, two ALU instructions of 3+W, and a store of 5+W+3 (picorv32.v; W = 1).
    let (stop, ..) = run(&[LUI_T0_EXIT, LI_A0_7, SW_A0_T0], 1000);
    assert_eq!(stop.cycles, 4 + 4 + 4 + 9);
    assert_eq!(stop.instructions, 3);
    assert_eq!(stop.cause, StopCause::Exit { code: 7, cycle: stop.cycles - 1 });
    assert_eq!(stop.pc, 8);
}

#[test]
fn every_way_to_stop_says_where() {
    let nop = 0x0000_0013;
    let cases = [
        (vec![nop, EBREAK], StopCause::Instruction(StopKind::Breakpoint), 4),
        (vec![nop, 0x0000_0073], StopCause::Instruction(StopKind::EnvironmentCall), 4),
        (vec![nop, 0xffff_ffff], StopCause::Instruction(StopKind::IllegalInstruction), 4),
        (vec![nop, 0x0000_006f], StopCause::Deadlock, 4), // j .
        (vec![nop, nop, 0xffdf_f06f], StopCause::Deadlock, 4), // j .-4
        (vec![0x0012_8293, 0xffdf_f06f], StopCause::CycleLimit, 0), // addi t0, t0, 1; j .-4
        (
            vec![LUI_T0_EXIT, 0x0002_8067],
            StopCause::FetchFault { address: 0x8000_0000 },
            0x8000_0000,
        ),
    ];
    for (words, cause, pc) in cases {
        let (stop, ..) = run(&words, 1000);
        assert_eq!((stop.cause, stop.pc), (cause, pc), "{words:x?}");
    }
    let (stop, ..) = run(&[LUI_T0_EXIT, 0x0042_a503], 1000); // lw a0, 4(t0)
    assert!(matches!(stop.cause, StopCause::BusFault { address: 0x8000_0004, .. }));
    let (stop, ..) = run(&[0x0020_2503], 1000); // lw a0, 2(zero)
    assert!(matches!(stop.cause, StopCause::Unaligned { address: 2, .. }));
}

#[test]
fn code_that_writes_code_runs_what_it_wrote() {
    // The loop's body is `li a1, 1` in the first round; it is then overwritten by `li a1, 2`.
    let words = [
        0x0000_0617, // auipc a2, 0
        0x0000_0693, // li a3, 0
        0x0010_0593, // li a1, 1      <- overwritten in the first round
        0x0206_9263, // bnez a3, +36  -> the breakpoint
        0x0200_2703, // lw a4, 32(zero)
        0x00e6_2423, // sw a4, 8(a2)
        0x0010_0693, // li a3, 1
        0xfedf_f06f, // j -20         -> the overwritten instruction
        0x0020_0593, // li a1, 2: what is written
    ];
    let mut program = words.to_vec();
    program.resize(12, 0x0000_0013);
    program.push(EBREAK);
    let (stop, engine, _) = run(&program, 1000);
    assert_eq!(stop.cause, StopCause::Instruction(StopKind::Breakpoint));
    assert_eq!(engine.cells()[11], 2);
}

#[test]
fn a_store_comes_too_late_for_the_instruction_behind_it() {
    // picorv32.v, cpu_state_stmem: the successor is fetched before the store is made.
    let words = [
        0x0140_2703, // lw a4, 20(zero)
        0x00e0_2423, // sw a4, 8(zero): the next instruction becomes `li a1, 2`
        0x0010_0593, // li a1, 1
        0x0005_9463, // bnez a1, +8 -> the breakpoint
        0x0000_0013,
        0x0020_0593, // li a1, 2: what is written
        EBREAK,
    ];
    let mut program = words.to_vec();
    program[3] = 0x0060_0613; // li a2, 6
    program[4] = EBREAK;
    let (_, engine, ram) = run(&program, 1000);
    assert_eq!(engine.cells()[11], 1, "the instruction that was already fetched");
    assert_eq!(engine.cells()[12], 6);
    assert_eq!(ram.get(8, 4), Some(&0x0020_0593u32.to_le_bytes()[..]));
}

#[test]
fn a_run_in_slices_is_the_same_run() {
    let (whole, ..) = run(&TEN_ROUNDS, 10_000);
    let (mut stop, mut engine, mut ram) = run(&TEN_ROUNDS, 1);
    let mut limit = 1;
    while stop.cause == StopCause::CycleLimit {
        limit += 7;
        stop = engine.run(&mut ram, &mut ExitOnly, limit);
    }
    assert_eq!(stop, whole);
    assert_eq!(engine.profile().iter().map(|block| block.executions).sum::<u64>(), 11);
}

#[test]
fn what_is_spent_adds_up() {
    let (stop, engine, _) = run(&TEN_ROUNDS, 10_000);
    let profile = engine.profile();
    let spent: u64 = profile.iter().map(|block| block.cycles).sum();
    // The reset sequence, 3+W cycles, belongs to no block.
    assert_eq!(spent + 4, stop.cycles);
    assert_eq!(profile.iter().map(|block| block.executions).sum::<u64>(), 1 + 9 + 1);
}

/// A model in which sources have weights of different sizes, so that a sum shows what it consists of.
fn digits() -> LeakageModel {
    let each = |weight, distance| Weights {
        weight: Coefficients::Each(weight),
        distance: Coefficients::Each(distance),
        identity: 0,
    };
    let kind = KindModel {
        constant: 0,
        result: each(1, 0),
        register: each(0, 100),
        operands: [each(10_000, 0), each(0, 1_000_000)],
        address: each(100_000_000, 0),
        data: each(10_000_000_000, 0),
        memory: each(0, 1_000_000_000_000),
    };
    LeakageModel { kinds: std::array::from_fn(|_| kind.clone()) }
}

#[test]
fn samples_are_sums_of_what_instructions_read_write_and_access() {
    let words = [
        LI_A0_7,     // result 7: 3 bits, all of them new in a0
        0x0ff5_0593, // addi a1, a0, 255: reads 7; result 0x106 has 3 bits, new in a1
        0x10a5_0ca3, // sb a0, 281(a0): to 0x120
        EBREAK,
    ];
    let (mut engine, mut ram) = loaded(&words);
    ram.at_mut(0x120, 1).expect("inside")[0] = 0x0f;
    engine.observe(&mut ram, Arc::new(digits()));
    engine.begin_window(true);
    let stop = engine.sample(&mut ram, &mut ExitOnly, 1000);
    engine.end_window();
    assert_eq!(stop.cause, StopCause::Instruction(StopKind::Breakpoint));
    let leakage = engine.leakage().expect("it samples");
    let issues = leakage.issues().expect("they are kept");
    let sample = |number: usize| leakage.samples()[issues[number].cycle as usize];
    assert_eq!(sample(0), 3 + 300);
    assert_eq!(sample(1), 3 + 300 + 30_000);
    // The store reads a0 (7) once, for value and address: its address 0x120 has 2 bits; 7 replaces 0x0f.
    assert_eq!(sample(2), 30_000 + 200_000_000 + 30_000_000_000 + 1_000_000_000_000);
    let contributes = |at: &usize| leakage.samples()[*at] != 0;
    assert_eq!((0..leakage.samples().len()).filter(contributes).count(), 3);
}

#[test]
fn the_bytes_of_accesses_are_those_of_the_instructions() {
    let words = [
        LI_A0_7,
        0x1200_2503, // lw a0, 288(zero)
        0x1200_5503, // lhu a0, 288(zero)
        0x1200_0503, // lb a0, 288(zero)
        0x12a0_2023, // sw a0, 288(zero)
        0x12a0_1023, // sh a0, 288(zero)
        0x12a0_0023, // sb a0, 288(zero)
        EBREAK,
    ];
    let (mut engine, mut ram) = loaded(&words);
    engine.observe(&mut ram, Arc::new(digits()));
    engine.begin_window(true);
    engine.sample(&mut ram, &mut ExitOnly, 1000);
    let leakage = engine.leakage().expect("it samples");
    assert_eq!(leakage.accessed(), [0, 4, 2, 1, 4, 2, 1, 0]);
    assert_eq!(leakage.issues().map(<[_]>::len), Some(8));
}

#[test]
fn a_sampled_run_takes_the_same_cycles() {
    let (expected, ..) = run(&TEN_ROUNDS, 1000);
    let (mut engine, mut ram) = loaded(&TEN_ROUNDS);
    engine.observe(&mut ram, Arc::new(digits()));
    engine.begin_window(false);
    assert_eq!(engine.sample(&mut ram, &mut ExitOnly, 1000), expected);
    assert_eq!(engine.leakage().map(Leakage::instructions), Some(expected.instructions));
}
