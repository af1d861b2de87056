//! Runs single instructions by the reference evaluator, and counts their cycles by the device's core:
//! `avr_evaluate <device.toml>`, with commands as `tests/python/avr/simavr.c` takes them on standard input.

use std::fmt::Write as _;
use std::io::{BufRead, BufWriter, Write, stdin, stdout};
use std::path::Path;

use cocrypt_config::Device;
use cocrypt_ir::{Block, Counter, Environment, Exit, Fault, Outcome, Width, condition, evaluate};
use cocrypt_isa::{CodeMemory, Core, MappedCell};
use cocrypt_isa_avr::{AVR, DATA, cells};

/// Program memory, of which every instruction is a block.
struct Flash(Vec<u8>);

impl CodeMemory for Flash {
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
    flash: &'a Flash,
    data: &'a mut Vec<u8>,
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
        let found = match address.checked_sub(DATA) {
            Some(at) => self.data.get(at as usize),
            None => self.flash.0.get(address as usize),
        };
        found.map(|&byte| byte.into()).ok_or(Fault { address })
    }

    fn store(&mut self, address: u32, _: Width, value: u64) -> Result<(), Fault> {
        if let Some(cell) = self.cell(address) {
            self.written.push((cell, value as u8));
            return Ok(());
        }
        let at = address.checked_sub(DATA).ok_or(Fault { address })?;
        *self.data.get_mut(at as usize).ok_or(Fault { address })? = value as u8;
        Ok(())
    }

    fn count(&mut self, _: Counter) -> u64 {
        0
    }
}

struct Machine {
    core: Core,
    flash: Flash,
    state: Vec<u64>,
    data: Vec<u8>,
    /// The beginning of SRAM.
    first: usize,
    pc: u64,
    cycles: u64,
    last: u64,
}

impl Machine {
    fn new(device: &Device) -> Self {
        let core = (AVR.build)(device).unwrap_or_else(|wrong| panic!("{wrong}"));
        let memory =
            |at: usize| (device.memories[at].base as usize, device.memories[at].size as usize);
        let ((_, flash), (base, sram)) = (memory(0), memory(1));
        let first = base - DATA as usize;
        let count = core.frontend.cells().len() + usize::from(core.frontend.temporaries());
        Self {
            core,
            flash: Flash(vec![0; flash]),
            state: vec![0; count],
            data: vec![0; first + sram],
            first,
            pc: 0,
            cycles: 0,
            last: flash as u64 - 1,
        }
    }

    /// `s pc sreg sp rampz eind registers seed`: a state, and SRAM filled from the seed.
    fn set(&mut self, words: &[&str]) {
        let number = |at: usize| u64::from_str_radix(words[at], 16).expect("a number");
        self.pc = number(0);
        for (flag, value) in self.core.frontend.with_status(number(1) as u32) {
            self.state[usize::from(flag.0)] = value;
        }
        let mut cell = |cell: cocrypt_ir::Slot, value| self.state[usize::from(cell.0)] = value;
        cell(cells::SP, u64::from(DATA) | number(2));
        cell(cells::RAMPZ, number(3));
        cell(cells::EIND, number(4));
        for (at, byte) in bytes(words[5]).into_iter().enumerate() {
            self.state[at] = byte.into();
        }
        let mut seed = number(6) as u32;
        for byte in &mut self.data[self.first..] {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *byte = (seed >> 24) as u8;
        }
        self.cycles = 0;
    }

    fn step(&mut self) -> Result<(), Fault> {
        let block = self.core.frontend.lift(&self.flash, self.pc, 0).expect("an instruction");
        let before = self.state.clone();
        let mut reached = Reached {
            flash: &self.flash,
            data: &mut self.data,
            mapped: self.core.frontend.mapped_cells(),
            before: &before,
            written: vec![],
        };
        let outcome = evaluate(&block, &mut self.state, &mut reached)?;
        for (cell, byte) in std::mem::take(&mut reached.written) {
            cell.write(&mut self.state, byte);
        }
        let Outcome::Goto(pc) = outcome else { panic!("{:#x}: {outcome:?}", self.pc) };
        self.cycles += u64::from(self.cost(&block));
        self.pc = pc;
        Ok(())
    }

    /// The cycles of a block of one instruction, behind which the cells are those of now.
    fn cost(&self, block: &Block) -> u32 {
        let cost = self.core.timing.cost(block, &self.flash, 1, 0);
        let value = |value| match value {
            cocrypt_ir::Value::Slot(slot) => self.state[usize::from(slot.0)],
            cocrypt_ir::Value::Const(value) => value,
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

    fn print(&self, out: &mut impl Write, watched: &[usize]) {
        let cell = |cell: cocrypt_ir::Slot| self.state[usize::from(cell.0)];
        let status = self.core.frontend.status(&self.state, 0);
        let mut line = format!(
            "{:06x} {status:02x} {:04x} {:02x} {:02x} ",
            self.pc & self.last,
            cell(cells::SP) & 0xffff,
            cell(cells::RAMPZ),
            cell(cells::EIND)
        );
        let bytes = |line: &mut String, bytes: &mut dyn Iterator<Item = u64>| {
            bytes.for_each(|byte| write!(line, "{byte:02x}").expect("room"));
        };
        bytes(&mut line, &mut self.state[..32].iter().copied());
        line.push(' ');
        bytes(&mut line, &mut watched.iter().map(|&at| self.data[at].into()));
        let digest = digest(&self.data[self.first..]);
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
    let (mut machine, mut watched) = (Machine::new(&device), vec![]);
    let mut out = BufWriter::new(stdout().lock());
    for line in stdin().lock().lines() {
        let line = line.expect("text");
        let words: Vec<&str> = line.split(' ').collect();
        match words[0] {
            "p" => {
                let image = bytes(words[1]);
                machine.flash.0[..image.len()].copy_from_slice(&image);
            }
            "w" => watched = words[1..].iter().map(|at| at.parse().expect("a number")).collect(),
            "s" => machine.set(&words[1..]),
            "r" => {
                for _ in 0..words[1].parse::<u64>().expect("a number") {
                    if let Err(Fault { address }) = machine.step() {
                        writeln!(out, "fault {address:#x}").expect("an open output");
                        break;
                    }
                    machine.print(&mut out, &watched);
                }
            }
            other => panic!("the command {other} is not known"),
        }
    }
}
