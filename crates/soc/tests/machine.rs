//! Whole machines: memories with waits of their own, narrow accesses, counters, coprocessors.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cocrypt_config as config;
use cocrypt_diag::Source;
use cocrypt_soc::{BuildError, CoreError, Fsmd, Hardware, Machine, StopCause};

/// A PicoRV32 with a RAM, a flash that waits longer, and all peripherals on a bus of 5 cycles.
const DEVICE: &str = r#"
[device]
name = "test"
title = "Test"
core = "picorv32"
clock_hz = 1_000_000
[[memory]]
name = "ram"
base = 0
size = 0x1000
fetch_wait = 1
data_wait = 2
[[memory]]
name = "flash"
kind = "rom"
base = 0x1000_0000
size = 0x1000
fetch_wait = 4
data_wait = 7
[bus]
wait = 5
[[peripheral]]
kind = "console"
base = 0x8000_0000
size = 0x10
[[peripheral]]
kind = "counter"
base = 0x8000_0010
size = 0x10
[[peripheral]]
kind = "exit"
base = 0x8000_0020
size = 0x10
[[peripheral]]
kind = "coprocessor"
base = 0x8001_0000
size = 0x1000
"#;

const LUI_T0_PERIPHERALS: u32 = 0x8000_02b7; // lui t0, 0x80000
const LUI_T1_FLASH: u32 = 0x1000_0337; // lui t1, 0x10000
const SW_A0_EXIT: u32 = 0x02a2_a023; // sw a0, 32(t0)
const SW_ZERO_EXIT: u32 = 0x0202_a023; // sw zero, 32(t0)

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn device() -> config::Device {
    let core = config::Core::load(&root().join("devices/cores/picorv32.toml")).expect("a core");
    config::Device::parse("test", DEVICE, &core).expect("a device")
}

fn machine(words: &[u32]) -> Machine {
    let mut machine = Machine::new(&device(), Arc::from([0]), 0, vec![]).expect("a machine");
    load(&mut machine, 0, words);
    machine
}

fn load(machine: &mut Machine, address: u32, words: &[u32]) {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    machine.load(address, &bytes).expect("room for the program");
}

/// Runs until the exit and returns cycles and exit code.
fn exit(machine: &mut Machine) -> (u64, u32) {
    let stop = machine.run(100_000);
    match stop.cause {
        StopCause::Exit { code, .. } => (stop.cycles, code),
        other => panic!("{other:?} at {:#x}", stop.pc),
    }
}

#[test]
fn each_memory_waits_its_own_cycles() {
    // Cycle table of picorv32.v: reset 3+F, lui 3+F, load and store 5+F+D, with F the wait of the
    // fetch and D that of the data; here F = 1, and D = 2 in RAM, 7 in flash, 5 on the bus.
    let from_ram = exit(&mut machine(&[LUI_T0_PERIPHERALS, 0x0000_2503, SW_A0_EXIT])); // lw a0, 0(zero)
    assert_eq!(from_ram, (4 + 4 + 8 + 11, LUI_T0_PERIPHERALS));
    let mut with_flash = machine(&[LUI_T0_PERIPHERALS, LUI_T1_FLASH, 0x0003_2503, SW_A0_EXIT]); // lw a0, 0(t1)
    load(&mut with_flash, 0x1000_0000, &[42]);
    assert_eq!(exit(&mut with_flash), (4 + 4 + 4 + 13 + 11, 42));
}

#[test]
fn code_runs_from_any_memory() {
    // jalr zero, 0(t1) costs 6+F with the flash's F; there, lui 3+F and the store 5+F+D.
    let mut machine = machine(&[LUI_T1_FLASH, 0x0003_0067]);
    load(&mut machine, 0x1000_0000, &[LUI_T0_PERIPHERALS, SW_ZERO_EXIT]);
    assert_eq!(exit(&mut machine), (4 + 4 + 10 + 7 + 14, 0));
}

#[test]
fn flash_cannot_be_written() {
    let stop = machine(&[LUI_T1_FLASH, 0x0003_2023]).run(1000); // sw zero, 0(t1)
    assert!(matches!(stop.cause, StopCause::BusFault { address: 0x1000_0000, .. }), "{stop:?}");
}

#[test]
fn the_counter_shows_the_cycle_of_its_answer() {
    // The load is issued in cycle 8, its successor 5+F+D later, and its answer comes in the cycle
    // before that; generated programs compare the same with RTL.
    let (_, shown) = exit(&mut machine(&[LUI_T0_PERIPHERALS, 0x0102_a503, SW_A0_EXIT])); // lw a0, 16(t0)
    assert_eq!(shown, 8 + (5 + 1 + 5) - 1);
    let (_, cycle) = exit(&mut machine(&[LUI_T0_PERIPHERALS, 0xc000_2573, SW_A0_EXIT])); // rdcycle a0
    assert_eq!(cycle, 8 + 1);
}

#[test]
fn narrow_accesses_see_their_lane() {
    // A byte goes out on all lanes; a byte comes in from its own.
    let mut machine = machine(&[
        LUI_T0_PERIPHERALS,
        0x0410_0513, // li a0, 65
        0x00a2_8023, // sb a0, 0(t0)
        0x0112_c583, // lbu a1, 17(t0): second byte of the cycle count
        0x02b2_a023, // sw a1, 32(t0)
    ]);
    assert_eq!(exit(&mut machine).1, 0, "fewer than 256 cycles have passed");
    assert_eq!(machine.console(), b"A");
}

fn adder() -> (config::Coprocessor, Box<dyn Hardware>) {
    let path = root().join("docs/examples/coprocessor/adder.fdl");
    with_design(&fs::read_to_string(path).expect("a design"))
}

/// A design behind the register map of the adder.
fn with_design(text: &str) -> (config::Coprocessor, Box<dyn Hardware>) {
    let path = root().join("docs/examples/coprocessor/registers.toml");
    let map = config::Coprocessor::load(&path).expect("a register map");
    let model = cocrypt_fdl::load(&Source::new("design.fdl", text)).expect("no mistakes");
    let netlist = cocrypt_fdl::netlist(&model, None).expect("a netlist");
    let hardware = Fsmd::new(&map.name, Arc::new(netlist)).expect("the register face");
    (map, Box::new(hardware))
}

#[test]
fn a_design_that_fails_while_it_runs_is_not_passed_over() {
    let design = "dp d(in address : ns(12); in wdata : ns(32); in write, read : ns(1); \
                  out rdata : ns(32)) { lookup t : ns(32) = {1, 2}; \
                  always { rdata = read ? t(address) : 0; } }";
    let program = [LUI_T0_PERIPHERALS, 0x8001_0337, 0x0083_2503, SW_A0_EXIT]; // lw a0, 8(t1)
    let coprocessors = vec![with_design(design)];
    let mut machine = Machine::new(&device(), Arc::from([0]), 0, coprocessors).expect("a machine");
    load(&mut machine, 0, &program);
    assert!(machine.faults().is_empty());
    exit(&mut machine);
    let faults = machine.faults();
    assert_eq!(faults.len(), 1);
    assert!(faults[0].contains("`adder`") && faults[0].contains("past its end"), "{faults:?}");
}

#[test]
fn a_coprocessor_computes_and_its_transfers_are_counted() {
    let program = [
        LUI_T0_PERIPHERALS,
        0x8001_0337, // lui t1, 0x80010
        0x0280_0513, // li a0, 40
        0x00a3_2023, // sw a0, 0(t1)
        0x0020_0513, // li a0, 2
        0x00a3_2223, // sw a0, 4(t1)
        0x0083_2503, // lw a0, 8(t1)
        SW_A0_EXIT,
    ];
    let mut machine =
        Machine::new(&device(), Arc::from([0, 16]), 0, vec![adder()]).expect("a machine");
    load(&mut machine, 0, &program);
    assert_eq!(exit(&mut machine).1, 42);
    let total = machine.transfers()[0];
    assert_eq!((total.input, total.output, total.control, total.status), (2, 1, 0, 0));
    let profile = machine.profile();
    let inputs: Vec<_> = profile.iter().map(|region| region.transfers.input).collect();
    assert_eq!(inputs, [1, 1], "one before the region at 16, one in it");
}

#[test]
fn what_does_not_fit_is_said() {
    let two = Machine::new(&device(), Arc::from([]), 0, vec![adder(), adder()]);
    assert!(matches!(two, Err(BuildError::NoWindow { .. })));
    let portless = Source::new("design.fdl", "dp d(out o : ns(1)) { always { o = 0; } }");
    let model = cocrypt_fdl::load(&portless).expect("no mistakes");
    let netlist = cocrypt_fdl::netlist(&model, None).expect("a netlist");
    let refused = Fsmd::new("d", Arc::new(netlist)).err().expect("no register face");
    assert_eq!((refused.port, refused.direction), ("address", "input"));
    let mut machine = machine(&[]);
    assert!(machine.load(0x0fff, &[0, 0]).is_err(), "past the end of the RAM");
    assert!(machine.read(0x2000_0000, 1).is_none());
}

#[test]
fn a_core_leaves_programs_in_one_way() {
    let text = fs::read_to_string(root().join("devices/cores/picorv32.toml")).expect("a core");
    let core = config::Core::parse("both", &format!("{text}\n[traps]\n")).expect("a good core");
    let device = format!("{DEVICE}\n[parameters]\nENABLE_IRQ = true\n");
    let device = config::Device::parse("test", &device, &core).expect("a device");
    let both = Machine::new(&device, Arc::from([0]), 0, vec![]);
    assert!(matches!(both, Err(BuildError::Core(CoreError::BothSchemes))));
}

/// Cycles of a program that ends by the exit device, on the device with this section `[cache]`.
fn cycles_with(caches: &str, words: &[u32]) -> u64 {
    cycles_on("picorv32", caches, words)
}

/// The same on such a device around another core.
fn cycles_on(name: &str, caches: &str, words: &[u32]) -> u64 {
    let device = DEVICE.replace("picorv32", name).replace("fetch_wait = 4", "fetch_wait = 1");
    cycles_of(name, &format!("{device}{caches}"), words)
}

/// The same on a device in text.
fn cycles_of(core: &str, device: &str, words: &[u32]) -> u64 {
    let core = root().join("devices/cores").join(core).with_extension("toml");
    let core = config::Core::load(&core).expect("a core");
    let device = config::Device::parse("test", device, &core);
    let regions = Arc::from([0]);
    let mut machine =
        Machine::new(&device.expect("a device"), regions, 0, vec![]).expect("a machine");
    load(&mut machine, 0, words);
    exit(&mut machine).0
}

#[test]
fn each_line_that_is_fetched_again_costs_its_refill() {
    let nop = 0x0000_0013;
    // Thirty words, the last two of which end the run: eight lines of sixteen bytes.
    let mut straight = vec![nop; 28];
    straight.extend([LUI_T0_PERIPHERALS, SW_ZERO_EXIT]);
    let cache = "[cache.instruction]\nsize = 64\nways = 1\nline = 16\nrefill = 100\n";
    let more = cycles_with(cache, &straight) - cycles_with("", &straight);
    assert_eq!(more, 800);
    // A loop of six words, three times: its two lines come once, what ends the run is in a third.
    let looped = [
        0x0030_0093, // li ra, 3
        nop,
        nop,
        nop,
        0xfff0_8093, // addi ra, ra, -1
        0xfe00_98e3, // bnez ra, -16
        nop,
        nop,
        LUI_T0_PERIPHERALS,
        SW_ZERO_EXIT,
    ];
    assert_eq!(cycles_with(cache, &looped) - cycles_with("", &looped), 300);
}

#[test]
fn the_rule_decides_which_line_gives_way() {
    let load = |address: u32| address << 20 | 0x2083; // lw ra, address(zero)
    // Three lines for the two places of one set, the first of them again and again.
    let mut code = [0x100, 0x200, 0x100, 0x300, 0x100].map(load).to_vec();
    code.extend([LUI_T0_PERIPHERALS, SW_ZERO_EXIT]);
    let cache = "[cache.data]\nsize = 32\nways = 2\nline = 16\nrefill = 1000\n";
    let misses = |rule: &str| {
        let cache = format!("{cache}replacement = \"{rule}\"\n");
        (cycles_with(&cache, &code) - cycles_with("", &code)) / 1000
    };
    assert_eq!((misses("lru"), misses("fifo")), (3, 4));
}

#[test]
fn stores_go_around_a_cache_or_bring_their_line_in() {
    let (store, load) = (0x1000_2023, 0x1000_2083); // sw zero, 256(zero); lw ra, 256(zero)
    let code = [store, store, load, load, LUI_T0_PERIPHERALS, SW_ZERO_EXIT];
    let cache = "[cache.data]\nsize = 32\nways = 1\nline = 16\nrefill = 1000\n";
    let more = |writes: &str| {
        let cache = format!("{cache}writes = \"{writes}\"\n");
        cycles_with(&cache, &code) - cycles_with("", &code)
    };
    assert_eq!((more("around"), more("allocate")), (1000, 1000));
    let stores = [store, store, LUI_T0_PERIPHERALS, SW_ZERO_EXIT];
    let cache = |writes| format!("{cache}writes = \"{writes}\"\n");
    let plain = cycles_with("", &stores);
    assert_eq!(cycles_with(&cache("around"), &stores) - plain, 0);
    assert_eq!(cycles_with(&cache("allocate"), &stores) - plain, 1000);
}

#[test]
fn each_part_of_an_access_looks_for_its_line() {
    let access = |write: bool| if write { 0x1000_2723 } else { 0x10e0_2083 }; // of 0x10e
    let cache = "[cache.data]\nsize = 32\nways = 1\nline = 16\nrefill = 1000\n";
    let lines = |code: &[bool]| {
        let mut code: Vec<u32> = code.iter().map(|&write| access(write)).collect();
        code.extend([LUI_T0_PERIPHERALS, SW_ZERO_EXIT]);
        let cache = format!("{cache}writes = \"allocate\"\n");
        (cycles_on("ibex", &cache, &code) - cycles_on("ibex", "", &code)) / 1000
    };
    assert_eq!((lines(&[false]), lines(&[true])), (2, 2));
    // The second access finds both lines.
    assert_eq!((lines(&[false, true]), lines(&[true, false])), (2, 2));
}

#[test]
fn a_fetch_behind_an_internal_cycle_is_merged_where_the_memory_does_so() {
    // mov r9, 0x80000000; two loads; str r0, [r9, 32]
    let code = [0xe3a0_9102, 0xe591_0000, 0xe591_0000, 0xe589_0020];
    let device = DEVICE.replace("picorv32", "arm7tdmi");
    let device = format!("{device}[parameters]\nNONSEQUENTIAL = 10\n");
    let unmerged = device.replacen("data_wait = 2", "data_wait = 2\nunmerged = true", 1);
    let cycles = |device: &str| cycles_of("arm7tdmi", device, &code);
    assert_eq!(cycles(&unmerged), cycles(&device) + 20);
    // That of another memory is its own affair.
    let unmerged = device.replacen("data_wait = 7", "data_wait = 7\nunmerged = true", 1);
    assert_eq!(cycles(&unmerged), cycles(&device));
}

#[test]
fn what_an_arm_core_skips_looks_for_no_line() {
    // mov r9, 0x80000000; three of these; str r0, [r9, 32]
    let around = |three: [u32; 3]| [[0xe3a0_9102].as_slice(), &three, &[0xe589_0020]].concat();
    let nops = around([0xe1a0_0000; 3]);
    // ldreq r0, [r1]; streq r0, [r1]; ldmeq r1, {r2, r3}; Z is 0
    let skipped = around([0x0591_0000, 0x0581_0000, 0x0891_000c]);
    // ldrne r0, [r1]
    let loads = around([0x1591_0000, 0xe1a0_0000, 0xe1a0_0000]);
    let cache = "[cache.data]\nsize = 32\nways = 1\nline = 16\nrefill = 1000\n";
    let cache = format!("{cache}writes = \"allocate\"\n");
    for core in ["arm926ej-s", "sa1110", "arm7tdmi"] {
        let cycles = |code: &[u32]| cycles_on(core, &cache, code);
        assert_eq!(cycles(&skipped), cycles(&nops), "{core}");
        assert!(cycles(&loads) > cycles(&nops) + 1000, "{core}");
    }
}

#[test]
fn a_core_with_caches_takes_no_others() {
    let folder = root().join("devices");
    let core = config::Core::load(&folder.join("cores/vexriscv.toml")).expect("a core");
    let text = fs::read_to_string(folder.join("vexriscv.toml")).expect("a device");
    let cache = "[cache.data]\nsize = 32\nways = 1\nline = 16\nrefill = 1\n";
    let device = config::Device::parse("test", &format!("{text}{cache}"), &core).expect("a device");
    let refused = Machine::new(&device, Arc::from([0]), 0, vec![]);
    assert!(matches!(refused, Err(BuildError::Core(CoreError::OwnCaches(_)))));
}
