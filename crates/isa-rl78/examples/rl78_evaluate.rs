//! Runs single instructions by the reference evaluator, and counts their cycles by the device's core:
//! `rl78_evaluate <device.toml>`, with commands as `tests/python/rl78/sim.c` takes them on standard input.

use std::fmt::Write as _;
use std::io::{BufRead, BufWriter, Write, stdin, stdout};
use std::path::Path;

use cocrypt_config::Device;
use cocrypt_ir::{
    Block, Counter, Environment, Exit, Fault, Outcome, Value, Width, condition, evaluate,
};
use cocrypt_isa::{CodeMemory, Core, MappedCell};
use cocrypt_isa_rl78::{ADDRESSES, RL78, cells};

/// Memory, of which every instruction is a block.
struct Memory(Vec<u8>);

/// The part of the last 64 KiB that shows flash memory, and the wait of reading there.
const MIRROR: std::ops::Range<usize> = 0xf_1000..0xf_8000;
const MIRROR_WAIT: u64 = 3;
/// RAM, of which a digest is printed.
const RAM: std::ops::Range<usize> = 0xf_8000..0xf_fee0;

impl Memory {
    /// The location of a byte, and whether it is flash memory that the mirror shows.
    fn location(address: u32) -> (usize, bool) {
        let at = address as usize & ADDRESSES as usize;
        if MIRROR.contains(&at) { (at - 0xf_0000, true) } else { (at, false) }
    }
}

impl CodeMemory for Memory {
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
    memory: &'a mut Memory,
    mapped: &'a [MappedCell],
    before: &'a [u64],
    written: Vec<(&'a MappedCell, u8)>,
    mirrored: u64,
}

impl<'a> Reached<'a> {
    fn cell(&self, address: u32) -> Option<&'a MappedCell> {
        let found = self.mapped.binary_search_by_key(&address, |cell| cell.address);
        found.ok().map(|at| &self.mapped[at])
    }

    fn byte(&self, address: u32) -> u8 {
        self.cell(address).map_or_else(
            || self.memory.0[Memory::location(address).0],
            |cell| cell.read(self.before),
        )
    }
}

impl Environment for Reached<'_> {
    fn load(&mut self, address: u32, width: Width) -> Result<u64, Fault> {
        self.mirrored += u64::from(Memory::location(address).1);
        let bytes = (0..width.bytes()).rev().map(|byte| self.byte(address + byte));
        Ok(bytes.fold(0, |value, byte| value << 8 | u64::from(byte)))
    }

    fn store(&mut self, address: u32, width: Width, value: u64) -> Result<(), Fault> {
        for at in 0..width.bytes() {
            let byte = (value >> (8 * at)) as u8;
            match self.cell(address + at) {
                Some(cell) => self.written.push((cell, byte)),
                None => self.memory.0[Memory::location(address + at).0] = byte,
            }
        }
        Ok(())
    }

    fn count(&mut self, _: Counter) -> u64 {
        0
    }
}

struct Machine {
    core: Core,
    memory: Memory,
    state: Vec<u64>,
    pc: u64,
    cycles: u64,
}

impl Machine {
    fn new(device: &Device) -> Self {
        let core = (RL78.build)(device).unwrap_or_else(|wrong| panic!("{wrong}"));
        let count = core.frontend.cells().len() + usize::from(core.frontend.temporaries());
        let memory = Memory(vec![0; ADDRESSES as usize + 1]);
        Self { core, memory, state: vec![0; count], pc: 0, cycles: 0 }
    }

    /// `s pc psw sp es cs accumulator registers seed`: a state, and RAM filled from the seed.
    fn set(&mut self, words: &[&str]) {
        let number = |at: usize| u64::from_str_radix(words[at], 16).expect("a number");
        self.pc = number(0);
        let status = number(1);
        for (bit, flag) in cells::FLAGS.into_iter().enumerate() {
            self.state[usize::from(flag.0)] = status >> bit & 1;
        }
        let mut cell = |cell: cocrypt_ir::Slot, value| self.state[usize::from(cell.0)] = value;
        cell(cells::SP, 0xf_0000 | number(2));
        cell(cells::ES, number(3));
        cell(cells::CS, number(4));
        cell(cells::MACR, number(5));
        self.memory.0[0xf_fff0..0xf_fff4].copy_from_slice(&(number(5) as u32).to_le_bytes());
        for (at, byte) in bytes(words[6]).into_iter().enumerate() {
            self.state[at] = byte.into();
        }
        self.fill(number(7) as u32);
        self.cycles = 0;
    }

    fn fill(&mut self, mut seed: u32) {
        for byte in &mut self.memory.0[RAM] {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *byte = (seed >> 24) as u8;
        }
    }

    fn step(&mut self) -> Result<(), Fault> {
        let mode = self.core.frontend.mode(&self.state);
        let block = self.core.frontend.lift(&self.memory, self.pc, mode).expect("an instruction");
        let cost = self.core.timing.cost(&block, &self.memory, 1, 0);
        self.cycles += u64::from(cost.insns[0].cycles);
        let before = self.state.clone();
        let mut reached = Reached {
            memory: &mut self.memory,
            mapped: self.core.frontend.mapped_cells(),
            before: &before,
            written: vec![],
            mirrored: 0,
        };
        let outcome = evaluate(&block, &mut self.state, &mut reached)?;
        self.cycles += MIRROR_WAIT * reached.mirrored;
        for (cell, byte) in std::mem::take(&mut reached.written) {
            cell.write(&mut self.state, byte);
        }
        let Outcome::Goto(pc) = outcome else { panic!("{:#x}: {outcome:?}", self.pc) };
        if let Some((extra, operand)) = cost.insns[0].extra.as_ref().zip(block.insns[0].operand) {
            let operand = self.value(operand) as u32;
            self.cycles += u64::from(extra.table[extra.select.index(operand, extra.table.len())]);
        }
        if self.is_taken(&block) {
            self.cycles += u64::from(cost.taken - cost.insns[0].cycles);
        }
        self.pc = pc;
        Ok(())
    }

    fn value(&self, value: Value) -> u64 {
        match value {
            Value::Slot(slot) => self.state[usize::from(slot.0)],
            Value::Const(value) => value,
        }
    }

    fn is_taken(&self, block: &Block) -> bool {
        match block.exit {
            Exit::Branch { condition: holds, width, a, b, .. } => {
                condition(holds, width, self.value(a), self.value(b))
            }
            _ => false,
        }
    }

    fn print(&self, out: &mut impl Write) {
        let cell = |cell: cocrypt_ir::Slot| self.state[usize::from(cell.0)];
        let status = self.core.frontend.status(&self.state, 0);
        let has_accumulator = self.core.frontend.mapped_cells().len() == 32 + 9;
        let accumulator = if has_accumulator {
            cell(cells::MACR)
        } else {
            u32::from_le_bytes(self.memory.0[0xf_fff0..0xf_fff4].try_into().expect("4")).into()
        };
        let mut line = format!(
            "{:05x} {status:02x} {:04x} {:x} {:x} {accumulator:08x} ",
            self.pc,
            cell(cells::SP) & 0xffff,
            cell(cells::ES),
            cell(cells::CS),
        );
        for byte in &self.state[..32] {
            write!(line, "{byte:02x}").expect("room");
        }
        let digest = digest(&self.memory.0[RAM]);
        writeln!(out, "{line} {digest:016x} {}", self.cycles).expect("an open output");
    }
}

fn digest(bytes: &[u8]) -> u64 {
    let words = bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().expect("8")));
    words
        .fold(0, |digest, word| (digest ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23))
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
                let image = bytes(words[1]);
                machine.memory.0[..image.len()].copy_from_slice(&image);
            }
            "s" => machine.set(&words[1..]),
            "r" => {
                for _ in 0..words[1].parse::<u64>().expect("a number") {
                    match machine.step() {
                        Ok(()) => machine.print(&mut out),
                        Err(Fault { address }) => {
                            writeln!(out, "fault {address:#x}").expect("an open output");
                            break;
                        }
                    }
                }
            }
            other => panic!("the command {other} is not known"),
        }
    }
}
