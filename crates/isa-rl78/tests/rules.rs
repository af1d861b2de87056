//! Rules that the GNU simulator lacks, by examples that were worked out by hand from the manual
//! (docs/timing-rl78.md).

use std::collections::BTreeMap;
use std::path::Path;

use cocrypt_config::Device;
use cocrypt_ir::{Counter, Environment, Exit, Fault, Outcome, Slot, Value, Width, evaluate};
use cocrypt_isa::{CodeMemory, Core, Trap};
use cocrypt_isa_rl78::{RL78, cells};

struct Code(Vec<u8>, bool);

/// The same in a memory from which an instruction is fetched in two cycles.
struct Slow(Code);

impl CodeMemory for Slow {
    fn unit(&self, address: u64) -> Option<u16> {
        self.0.unit(address)
    }
    fn fetch_wait(&self, _: u64) -> u32 {
        2
    }
    fn is_boundary(&self, address: u64) -> bool {
        self.0.is_boundary(address)
    }
}

impl CodeMemory for Code {
    fn unit(&self, address: u64) -> Option<u16> {
        let byte = |at: u64| self.0.get(at as usize).copied().unwrap_or(0);
        Some(u16::from_le_bytes([byte(address), byte(address + 1)]))
    }
    fn fetch_wait(&self, _: u64) -> u32 {
        1
    }
    fn is_boundary(&self, _: u64) -> bool {
        self.1
    }
}

#[derive(Default)]
struct Memory(BTreeMap<u32, u8>);

impl Environment for Memory {
    fn load(&mut self, address: u32, width: Width) -> Result<u64, Fault> {
        let byte = |at| u64::from(self.0.get(&(address + at)).copied().unwrap_or(0));
        Ok((0..width.bytes()).rev().fold(0, |value, at| value << 8 | byte(at)))
    }
    fn store(&mut self, address: u32, width: Width, value: u64) -> Result<(), Fault> {
        for (at, byte) in value.to_le_bytes().into_iter().take(width.bytes() as usize).enumerate() {
            self.0.insert(address + at as u32, byte);
        }
        Ok(())
    }
    fn count(&mut self, _: Counter) -> u64 {
        0
    }
}

struct Machine {
    core: Core,
    state: Vec<u64>,
    memory: Memory,
}

impl Machine {
    fn new(device: &str) -> Self {
        let path = format!("{}/../../devices/{device}.toml", env!("CARGO_MANIFEST_DIR"));
        let device = Device::load(Path::new(&path)).expect("a good device");
        let core = (RL78.build)(&device).expect("a core");
        let count = core.frontend.cells().len() + usize::from(core.frontend.temporaries());
        let mut state = vec![0; count];
        for (cell, value) in core.frontend.reset() {
            state[usize::from(cell.0)] = value;
        }
        state[usize::from(cells::SP.0)] = 0xf_fe00;
        Self { core, state, memory: Memory::default() }
    }

    fn set(&mut self, name: &str, value: u64) {
        let found = self.core.frontend.cells().iter().position(|cell| *cell == name);
        self.state[found.expect("a cell")] = value;
    }

    fn cell(&self, cell: Slot) -> u64 {
        self.state[usize::from(cell.0)]
    }

    fn named(&self, name: &str) -> u64 {
        let found = self.core.frontend.cells().iter().position(|cell| *cell == name);
        self.state[found.expect("a cell")]
    }

    /// Executes an instruction, and returns where it goes.
    fn execute(&mut self, code: &[u8]) -> u64 {
        let mode = self.core.frontend.mode(&self.state);
        let code = Code(code.to_vec(), true);
        let block = self.core.frontend.lift(&code, 0, mode).expect("an instruction");
        match evaluate(&block, &mut self.state, &mut self.memory).expect("no fault") {
            Outcome::Goto(pc) => pc,
            Outcome::Stop(kind) => panic!("{kind:?}"),
        }
    }

    /// The cycles of each instruction of a block.
    fn cycles(&self, code: &[u8]) -> Vec<u32> {
        let code = Code(code.to_vec(), false);
        let block = self.core.frontend.lift(&code, 0, 0).expect("instructions");
        let cost = self.core.timing.cost(&block, &code, 1, 0);
        cost.insns.iter().map(|insn| insn.cycles).collect()
    }
}

#[test]
fn the_program_status_word_is_the_higher_byte_on_the_stack() {
    let mut machine = Machine::new("rl78-g13");
    machine.execute(&[0x61, 0xdd]);
    assert_eq!(machine.cell(cells::SP), 0xf_fdfe);
    assert_eq!(machine.memory.0[&0xf_fdff], 0x06, "the value after reset");
    assert_eq!(machine.memory.0[&0xf_fdfe], 0);
    machine.memory.0.insert(0xf_fdff, 0x69);
    machine.execute(&[0x61, 0xcd]);
    assert_eq!(machine.core.frontend.status(&machine.state, 0), 0x69);
    assert_eq!(machine.core.frontend.mode(&machine.state), 3, "both bits of the bank");
    assert_eq!(machine.cell(cells::SP), 0xf_fe00);
}

#[test]
fn addresses_on_the_stack_have_16_bits() {
    let mut machine = Machine::new("rl78-g13");
    let stack = |machine: &mut Machine, pointer| {
        machine.state[usize::from(cells::SP.0)] = pointer;
        machine.memory.0.clear();
    };
    machine.set("x", 0x34);
    machine.set("a", 0x12);
    // movw sp, #0; push ax; pop bc.
    machine.execute(&[0xcb, 0xf8, 0, 0]);
    machine.execute(&[0xc1]);
    assert_eq!(machine.memory.0, BTreeMap::from([(0xf_fffe, 0x34), (0xf_ffff, 0x12)]));
    assert_eq!(machine.cell(cells::SP), 0xf_fffe);
    machine.execute(&[0xc2]);
    assert_eq!((machine.named("c"), machine.named("b")), (0x34, 0x12));
    assert_eq!(machine.cell(cells::SP), 0xf_0000);
    // push psw; pop psw.
    machine.execute(&[0x61, 0xdd]);
    assert_eq!(machine.memory.0, BTreeMap::from([(0xf_fffe, 0), (0xf_ffff, 6)]));
    machine.execute(&[0x61, 0xcd]);
    assert_eq!(machine.cell(cells::SP), 0xf_0000);
    // call !!1234H; ret.
    stack(&mut machine, 0xf_0002);
    assert_eq!(machine.execute(&[0xfc, 0x34, 0x12, 0]), 0x1234);
    let stacked = BTreeMap::from([(0xf_fffe, 4), (0xf_ffff, 0), (0xf_0000, 0)]);
    assert_eq!((&machine.memory.0, machine.cell(cells::SP)), (&stacked, 0xf_fffe));
    machine.memory.0.insert(0xf_0000, 1);
    assert_eq!(machine.execute(&[0xd7]), 0x1_0004);
    assert_eq!(machine.cell(cells::SP), 0xf_0002);
    // brk; reti.
    stack(&mut machine, 0xf_0000);
    let mut code = vec![0x61, 0xcc];
    code.resize(0x80, 0);
    machine.execute(&code);
    let stacked = [(0xf_fffc, 2), (0xf_fffd, 0), (0xf_fffe, 0), (0xf_ffff, 6)];
    assert_eq!(machine.memory.0, BTreeMap::from(stacked));
    stack(&mut machine, 0xf_fffe);
    machine.memory.0.insert(0xf_0001, 0x86);
    machine.execute(&[0x61, 0xfc]);
    assert_eq!(machine.core.frontend.status(&machine.state, 0), 0x86);
    // mov [sp+4], a; movw ax, [sp+4].
    stack(&mut machine, 0xf_fffe);
    machine.execute(&[0x98, 4]);
    assert_eq!(machine.memory.0, BTreeMap::from([(0xf_0002, 0x12)]));
    machine.execute(&[0xa8, 4]);
    assert_eq!((machine.named("x"), machine.named("a")), (0x12, 0));
}

#[test]
fn words_that_contain_the_status_change_what_follows() {
    let machine = Machine::new("rl78-g13");
    let exit = |code: &[u8]| {
        let code = Code(code.to_vec(), true);
        machine.core.frontend.lift(&code, 0, 0).expect("a block").exit
    };
    // movw !0FFFAH, ax; movw 0FFFFAH, ax; movw !0FFFEH, ax.
    assert_eq!(exit(&[0xbf, 0xfa, 0xff]), Exit::Yield { target: Value::Const(3) });
    assert_eq!(exit(&[0xbe, 0xfa]), Exit::Yield { target: Value::Const(2) });
    assert_eq!(exit(&[0xbf, 0xfe, 0xff]), Exit::Next { pc: 3 });
}

#[test]
fn strings_end_where_a_or_x_is_zero() {
    for (a, x, z, carry) in [(1, 1, 0, 0), (0, 1, 0, 1), (1, 0, 1, 1), (0, 0, 1, 1)] {
        let mut machine = Machine::new("rl78-g13");
        machine.set("a", a);
        machine.set("x", x);
        machine.set("h", 0xfd);
        machine.execute(&[0x61, 0xce, 0x02]);
        assert_eq!(u64::from(machine.memory.0[&0xf_fd02]), x);
        assert_eq!((machine.cell(cells::Z), machine.cell(cells::CY)), (z, carry), "movs {a} {x}");
    }
    for (a, x, memory, z, carry) in
        [(1, 5, 5, 1, 0), (1, 6, 5, 0, 1), (0, 5, 5, 1, 1), (1, 0, 0, 1, 1)]
    {
        let mut machine = Machine::new("rl78-g13");
        machine.set("a", a);
        machine.set("x", x);
        machine.memory.0.insert(0xf_0002, memory);
        machine.execute(&[0x61, 0xde, 0x02]);
        assert_eq!((machine.cell(cells::Z), machine.cell(cells::CY)), (z, carry), "cmps {a} {x}");
    }
}

#[test]
fn signed_sums_of_products_carry_where_they_overflow() {
    // The accumulator, AX and BC; the sum, CY and AC.
    let cases = [
        (0x7fff_ffff, 1, 1, 0x8000_0000, 1, 1),
        (0xffff_ffff, 1, 1, 0, 0, 0),
        (0x8000_0000, 0xffff, 1, 0x7fff_ffff, 1, 0),
        (5, 0xffff, 6, 0xffff_ffff, 0, 1),
    ];
    for (accumulator, ax, bc, sum, carry, sign) in cases {
        let mut machine = Machine::new("rl78-g14");
        machine.set("macr", accumulator);
        for (low, high, value) in [("x", "a", ax), ("c", "b", bc)] {
            machine.set(low, value & 0xff);
            machine.set(high, value >> 8);
        }
        machine.execute(&[0xce, 0xfb, 0x06]);
        let flags = (machine.cell(cells::CY), machine.cell(cells::AC));
        assert_eq!((machine.cell(cells::MACR), flags), (sum, (carry, sign)), "{accumulator:x}");
    }
}

#[test]
fn half_carries_are_those_of_bit_3() {
    for (code, a, carry) in [(0x0c, 0x0f, 1), (0x0c, 0x1e, 0), (0x2c, 0x10, 1), (0x2c, 0x1f, 0)] {
        let mut machine = Machine::new("rl78-g13");
        machine.set("a", a);
        machine.execute(&[code, 1]);
        assert_eq!(machine.cell(cells::AC), carry, "{code:x} {a:x}");
    }
}

#[test]
fn calls_by_the_table_and_software_interrupts_go_to_their_vectors() {
    let mut machine = Machine::new("rl78-g13");
    let mut code = vec![0x61, 0x84];
    code.resize(0x82, 0);
    code[0x7e..].copy_from_slice(&[0x56, 0x34, 0x78, 0x12]);
    assert_eq!(machine.execute(&code), 0x1278);
    assert_eq!(machine.cell(cells::SP), 0xf_fdfc);
    assert_eq!(machine.memory.0[&0xf_fdfc], 2, "the address of what follows");
    machine.set("ie", 1);
    code[1] = 0xcc;
    assert_eq!(machine.execute(&code), 0x3456);
    assert_eq!((machine.memory.0[&0xf_fdfb], machine.cell(cells::IE)), (0x86, 0));
}

#[test]
fn banks_are_selected_where_there_are_several() {
    let mut machine = Machine::new("rl78-g13");
    machine.execute(&[0x61, 0xdf]);
    machine.execute(&[0x51, 0x42]);
    assert_eq!((machine.named("a1"), machine.named("a")), (0x42, 0));
    let small = Machine::new("rl78-g10");
    let block = small.core.frontend.lift(&Code(vec![0x61, 0xdf], true), 0, 0).expect("a block");
    assert_eq!(block.exit, Exit::Stop(cocrypt_ir::StopKind::IllegalInstruction));
}

#[test]
fn an_interrupt_is_accepted_by_priority_and_stacks_the_status() {
    let mut machine = Machine::new("rl78-g13");
    assert_eq!(machine.core.frontend.interrupt(&machine.state, 1 << 20), None);
    machine.set("ie", 1);
    assert_eq!(machine.core.frontend.interrupt(&machine.state, 1 << 20), Some(20));
    let mut code = vec![0; 0x2e];
    code[0x2c..].copy_from_slice(&[0x00, 0x10]);
    let trap = Trap::Interrupt { number: 20, note: 0 };
    let block = machine.core.frontend.trap(trap, &Code(code, true), 0x1_2345, &machine.state, 0);
    let block = block.expect("an entry");
    let outcome = evaluate(&block, &mut machine.state, &mut machine.memory).expect("no fault");
    assert!(matches!(outcome, Outcome::Goto(0x1000)));
    let stacked = [0xf_fdfc, 0xf_fdfd, 0xf_fdfe, 0xf_fdff].map(|at| machine.memory.0[&at]);
    assert_eq!(stacked, [0x45, 0x23, 0x01, 0x86]);
    assert_eq!(machine.core.frontend.interrupt(&machine.state, 1 << 20), None);
    machine.execute(&[0x61, 0xfc]);
    assert_eq!(machine.core.frontend.status(&machine.state, 0), 0x86);
}

#[test]
fn an_address_by_a_register_that_was_just_written_waits() {
    let machine = Machine::new("rl78-g13");
    // movw hl, #16-bit; mov a, [hl]; mov a, [hl]; incw de; mov a, [de]; inc b; mov a, [hl+b]
    let code = [0x36, 0, 0xfd, 0x8b, 0x8b, 0xa5, 0x89, 0x83, 0x61, 0xc9, 0xff];
    assert_eq!(machine.cycles(&code), [1, 2, 1, 1, 2, 1, 2, 5]);
    // mov a, es:[hl]; cmpw ax, hl; mov a, [hl]; movw sp, ax; push ax; push ax
    let code = [0x11, 0x8b, 0x47, 0x8b, 0xbe, 0xf8, 0xc1, 0xc1, 0xff];
    assert_eq!(machine.cycles(&code), [2, 1, 1, 1, 2, 1, 5]);
}

#[test]
fn a_bit_of_the_status_that_is_branched_on_and_cleared_decides_about_time() {
    let machine = Machine::new("rl78-g13");
    let code = Code(vec![0x31, 0x80, 0xfa, 0x10], true);
    let block = machine.core.frontend.lift(&code, 0, 0).expect("a block");
    let cost = machine.core.timing.cost(&block, &code, 1, 0);
    assert!(matches!(block.insns[0].operand, Some(Value::Slot(_))));
    assert_eq!(cost.insns[0].cycles, 3);
    assert_eq!(cost.insns[0].extra.as_ref().expect("more if it is taken").table, [0, 2]);
}

#[test]
fn instructions_that_are_fetched_from_ram_take_twice_as_long_and_jumps_six_more() {
    let machine = Machine::new("rl78-g13");
    let cost = |code: &[u8]| {
        let code = Slow(Code(code.to_vec(), false));
        let block = machine.core.frontend.lift(&code, 0, 0).expect("instructions");
        let cost = machine.core.timing.cost(&block, &code, 1, 0);
        (cost.insns.iter().map(|insn| insn.cycles).collect::<Vec<_>>(), cost.taken)
    };
    // movw hl, #16-bit; mov a, [hl]; bz $0.
    assert_eq!(cost(&[0x36, 0, 0xfd, 0x8b, 0xdd, 0xfa]), (vec![2, 4, 4], 14));
    // sarw ax, 15; br !0; ret; skc.
    assert_eq!(cost(&[0x31, 0xff, 0xed, 0, 0]), (vec![2, 12], 12));
    assert_eq!(cost(&[0xd7]), (vec![18], 18));
    assert_eq!(cost(&[0x61, 0xc8]), (vec![2], 2));
}
