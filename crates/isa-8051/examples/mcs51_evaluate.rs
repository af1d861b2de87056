//! Runs single instructions by the reference evaluator, and counts their cycles by the device's core:
//! `mcs51_evaluate <device.toml>`, with commands on standard input. `p` and bytes in hexadecimal are memory for code,
//! `i` internal data, `x` external data; `s pc…` executes the instructions at these addresses and prints the state
//! behind each; `d` prints internal and external data.

use std::fmt::Write as _;
use std::io::{BufRead, BufWriter, Write, stdin, stdout};
use std::path::Path;

use cocrypt_config::Device;
use cocrypt_ir::{
    Block, Counter, Environment, Exit, Fault, Outcome, Slot, Value, Width, condition, evaluate,
};
use cocrypt_isa::{CodeMemory, Core, MappedCell};
use cocrypt_isa_8051::{EXTERNAL, INTERNAL, LATCH, MCS_51, SPECIAL, cells};

/// Memory for code, of which every instruction is a block.
struct Code(Vec<u8>);

impl CodeMemory for Code {
    fn unit(&self, address: u64) -> Option<u16> {
        let at = address as usize;
        Some(u16::from_le_bytes([*self.0.get(at)?, *self.0.get(at + 1)?]))
    }
    fn fetch_wait(&self, _: u64) -> u32 {
        1
    }
    fn is_boundary(&self, _: u64) -> bool {
        true
    }
}

/// The memory that an instruction reaches: memory as it is, mapped cells as they were before.
struct Reached<'a> {
    memory: &'a mut Vec<u8>,
    mapped: &'a [MappedCell],
    before: &'a [u64],
    written: Vec<(&'a MappedCell, u8)>,
}

impl<'a> Reached<'a> {
    fn cell(&self, address: u32) -> Option<&'a MappedCell> {
        let found = self.mapped.binary_search_by_key(&address, |cell| cell.address);
        found.ok().map(|at| &self.mapped[at])
    }
}

impl Environment for Reached<'_> {
    fn load(&mut self, address: u32, width: Width) -> Result<u64, Fault> {
        assert_eq!(width, Width::W8, "every access is one of a byte");
        if let Some(cell) = self.cell(address) {
            return Ok(cell.read(self.before).into());
        }
        let byte = self.memory.get(held(address) as usize);
        byte.map(|&byte| byte.into()).ok_or(Fault { address })
    }

    fn store(&mut self, address: u32, _: Width, value: u64) -> Result<(), Fault> {
        if let Some(cell) = self.cell(address) {
            self.written.push((cell, value as u8));
            return Ok(());
        }
        *self.memory.get_mut(held(address) as usize).ok_or(Fault { address })? = value as u8;
        Ok(())
    }

    fn count(&mut self, _: Counter) -> u64 {
        0
    }
}

/// The address that holds what is read or written: nothing drives pins, so that they show what latches hold.
const fn held(address: u32) -> u32 {
    if address >= SPECIAL + LATCH { address - LATCH } else { address }
}

struct Machine {
    core: Core,
    code: Code,
    state: Vec<u64>,
    memory: Vec<u8>,
}

impl Machine {
    fn new(device: &Device) -> Self {
        let core = (MCS_51.build)(device).unwrap_or_else(|wrong| panic!("{wrong}"));
        let count = core.frontend.cells().len() + usize::from(core.frontend.temporaries());
        let mut state = vec![0; count];
        for (cell, value) in core.frontend.reset() {
            state[usize::from(cell.0)] = value;
        }
        let mut memory = vec![0; SPECIAL as usize + 0x100];
        for port in [0x80, 0x90, 0xa0, 0xb0] {
            memory[SPECIAL as usize + port] = 0xff;
        }
        Self { core, code: Code(vec![]), state, memory }
    }

    fn load(&mut self, base: u32, bytes: &[u8]) {
        let base = base as usize;
        self.memory[base..base + bytes.len()].copy_from_slice(bytes);
    }

    fn load_internal(&mut self, bytes: &[u8]) {
        self.load(INTERNAL, bytes);
        for (cell, &byte) in self.core.frontend.mapped_cells().iter().zip(bytes) {
            cell.write(&mut self.state, byte);
        }
    }

    /// Executes an instruction; the address of the next one and the cycles.
    fn step(&mut self, pc: u64) -> Result<(u64, u32), Fault> {
        let mode = self.core.frontend.mode(&self.state);
        let block = self.core.frontend.lift(&self.code, pc, mode).expect("an instruction");
        let before = self.state.clone();
        let mut reached = Reached {
            memory: &mut self.memory,
            mapped: self.core.frontend.mapped_cells(),
            before: &before,
            written: vec![],
        };
        let outcome = evaluate(&block, &mut self.state, &mut reached)?;
        for (cell, byte) in std::mem::take(&mut reached.written) {
            cell.write(&mut self.state, byte);
        }
        let Outcome::Goto(target) = outcome else { panic!("{pc:#x}: {outcome:?}") };
        Ok((target & 0xffff, self.cost(&block)))
    }

    /// The cycles of a block of one instruction, behind which the cells are those of now.
    fn cost(&self, block: &Block) -> u32 {
        let cost = self.core.timing.cost(block, &self.code, 1, 0);
        let value = |value| match value {
            Value::Slot(slot) => self.cell(slot),
            Value::Const(value) => value,
        };
        let taken = match block.exit {
            Exit::Branch { condition: holds, width, a, b, .. } => {
                condition(holds, width, value(a), value(b))
            }
            _ => false,
        };
        let extra = cost.insns[0].extra.as_ref().zip(block.insns[0].operand);
        let extra = extra.map_or(0, |(extra, operand)| {
            extra.table[extra.select.index(value(operand) as u32, extra.table.len())]
        });
        extra + if taken { cost.taken } else { cost.insns[0].cycles }
    }

    fn cell(&self, cell: Slot) -> u64 {
        self.state[usize::from(cell.0)]
    }

    fn print(&self, out: &mut impl Write, pc: u64, cycles: u32) {
        let psw = self.core.frontend.status(&self.state, 0);
        let bank = self.core.frontend.mode(&self.state) as usize * 8;
        let registers = hex(self.state[bank..bank + 8].iter().copied());
        writeln!(
            out,
            "{pc:04x} {cycles} {:02x} {:02x} {psw:02x} {:02x} {:04x} {registers}",
            self.cell(cells::A),
            self.cell(cells::B),
            self.cell(cells::SP) & 0xff,
            self.cell(cells::DPTR),
        )
        .expect("an open output");
    }

    fn dump(&self, out: &mut impl Write) {
        let mapped = self.core.frontend.mapped_cells().iter();
        let mut internal: Vec<u64> = mapped.map(|cell| cell.read(&self.state).into()).collect();
        let byte = |address: u32| u64::from(self.memory[address as usize]);
        internal.extend((internal.len() as u32..0x100).map(|at| byte(INTERNAL + at)));
        let external = (0..0x1_0000).map(|at| byte(EXTERNAL + at));
        writeln!(out, "{}\n{}", hex(internal), hex(external)).expect("an open output");
    }
}

fn hex(bytes: impl IntoIterator<Item = u64>) -> String {
    bytes.into_iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("room");
        text
    })
}

fn bytes(hex: &str) -> Vec<u8> {
    let pairs = hex.as_bytes().chunks_exact(2);
    let text = |pair| std::str::from_utf8(pair).expect("text");
    pairs.map(|pair| u8::from_str_radix(text(pair), 16).expect("a byte")).collect()
}

fn main() {
    let path = std::env::args().nth(1).expect("a device");
    let device = Device::load(Path::new(&path)).expect("a good device");
    let mut machine = Machine::new(&device);
    let mut out = BufWriter::new(stdout().lock());
    for line in stdin().lock().lines() {
        let line = line.expect("text");
        let words: Vec<&str> = line.split(' ').collect();
        match words[0] {
            "p" => {
                machine.code = Code(bytes(words[1]));
                machine.load(0, &bytes(words[1]));
            }
            "i" => machine.load_internal(&bytes(words[1])),
            "x" => machine.load(EXTERNAL, &bytes(words[1])),
            "s" => {
                for pc in &words[1..] {
                    let pc = u64::from_str_radix(pc, 16).expect("an address");
                    match machine.step(pc) {
                        Ok((target, cycles)) => machine.print(&mut out, target, cycles),
                        Err(Fault { address }) => panic!("{pc:#x}: no memory at {address:#x}"),
                    }
                }
            }
            "d" => machine.dump(&mut out),
            other => panic!("the command {other} is not known"),
        }
    }
}
