//! Runs an ELF file of bare code by the reference evaluator: what the lifted form means, and nothing
//! else. The program may write to standard output and exit, as a Linux program does, or by semihosting.
//!
//! `evaluate <architecture> <file> [draft] [reset]`, the architecture `v4t`, `v5te`, `v6-m`, `v7-m` or
//! `v7e-m`; with `draft`, operations that nobody needs are evaluated too; with `reset`, a program of the
//! M profile begins where its vector table says.

use std::collections::HashMap;
use std::io::{Error, Write};
use std::rc::Rc;

use cocrypt_ir::{
    Block, Counter, Environment, Exit, Fault, Insn, Outcome, StopKind, Width, evaluate,
};
use cocrypt_isa::{CodeMemory, Frontend, Trap};
use cocrypt_isa_arm::architecture::{Architecture, Version};
use cocrypt_isa_arm::cells;
use cocrypt_isa_arm::lift::Arm;

/// The span of the file's segments.
struct Memory {
    base: u32,
    bytes: Vec<u8>,
}

impl Memory {
    fn place(&self, address: u32, size: u32) -> Option<std::ops::Range<usize>> {
        let from = address.checked_sub(self.base)? as usize;
        let place = from..from + size as usize;
        (place.end <= self.bytes.len()).then_some(place)
    }

    fn read(&self, address: u32, size: u32) -> Option<u64> {
        let place = self.place(address, size)?;
        Some(self.bytes[place].iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte)))
    }
}

impl CodeMemory for Memory {
    fn unit(&self, address: u64) -> Option<u16> {
        self.read(address as u32, 2).map(|unit| unit as u16)
    }
    fn fetch_wait(&self, _: u64) -> u32 {
        0
    }
    fn is_boundary(&self, _: u64) -> bool {
        false
    }
}

/// The memory as accesses see it: those that are not aligned are refused.
struct Aligned<'a>(&'a mut Memory);

impl Environment for Aligned<'_> {
    fn load(&mut self, address: u32, width: Width) -> Result<u64, Fault> {
        let value = self.0.read(address, width.bytes());
        value.filter(|_| address.is_multiple_of(width.bytes())).ok_or(Fault { address })
    }
    fn store(&mut self, address: u32, width: Width, value: u64) -> Result<(), Fault> {
        let place = self.0.place(address, width.bytes());
        let place = place.filter(|_| address.is_multiple_of(width.bytes()));
        let place = place.ok_or(Fault { address })?;
        self.0.bytes[place.clone()].copy_from_slice(&value.to_le_bytes()[..place.len()]);
        Ok(())
    }
    fn count(&mut self, _: Counter) -> u64 {
        0
    }
}

/// A block's instructions, each as a block of its own; all but the last go straight on.
fn pieces(block: &Block) -> Vec<Block> {
    let piece = |insn: &Insn| Block {
        start: insn.pc,
        mode: insn.mode,
        insns: vec![Insn { ops: 0..insn.ops.len(), ..insn.clone() }],
        ops: block.ops[insn.ops.clone()].to_vec(),
        exit: Exit::Next { pc: 0 },
        onward: block.onward,
        transfer: block.transfer,
    };
    let mut pieces: Vec<Block> = block.insns.iter().map(piece).collect();
    if let Some(last) = pieces.last_mut() {
        last.exit = block.exit;
    }
    pieces
}

struct Run {
    arm: Arm,
    draft: bool,
    /// True if system calls are the program's own business.
    bare: bool,
    memory: Memory,
    cells: Vec<u64>,
    pc: u64,
    mode: u32,
    blocks: HashMap<(u64, u32), Rc<Vec<Block>>>,
}

impl Run {
    /// The block at the current address.
    fn block(&mut self) -> Result<Rc<Vec<Block>>, Error> {
        let key = (self.pc, self.mode);
        if let Some(block) = self.blocks.get(&key) {
            return Ok(Rc::clone(block));
        }
        let lifted = if self.draft {
            self.arm.draft(&self.memory, self.pc, self.mode)
        } else {
            self.arm.lift(&self.memory, self.pc, self.mode)
        };
        let lifted = lifted.map_err(|error| self.error(&format!("{error:?}")))?;
        let block = Rc::new(pieces(&lifted));
        self.blocks.insert(key, Rc::clone(&block));
        Ok(block)
    }

    /// Runs a block; whether the program goes on.
    fn step(&mut self) -> Result<bool, Error> {
        let block = self.block()?;
        for piece in block.iter() {
            match evaluate(piece, &mut self.cells, &mut Aligned(&mut self.memory)) {
                Ok(Outcome::Goto(0)) if matches!(piece.exit, Exit::Next { pc: 0 }) => {}
                Ok(Outcome::Goto(target)) => self.go(piece, target),
                Ok(Outcome::Stop(kind)) => return self.stop(piece, kind),
                Err(Fault { address }) => {
                    let trap = Trap::Unaligned { address, writes: false };
                    return self.trap(piece, trap);
                }
            }
        }
        Ok(true)
    }

    fn error(&self, what: &str) -> Error {
        Error::other(format!("{what}; the block begins at {:#x}", self.pc))
    }

    fn go(&mut self, block: &Block, target: u64) {
        (self.pc, self.mode) = match block.exit {
            Exit::Indirect { .. } => self.arm.land(target, block.onward),
            Exit::Yield { .. } => (target, self.arm.mode(&self.cells)),
            _ => (target, block.onward),
        };
    }

    /// Goes on in the program's handler.
    fn trap(&mut self, piece: &Block, trap: Trap) -> Result<bool, Error> {
        let block = self.arm.trap(trap, &self.memory, piece.start, &self.cells, piece.mode);
        let refused = || self.error(&format!("{trap:?} at {:#x}", piece.start));
        let block = block.ok_or_else(refused)?;
        match evaluate(&block, &mut self.cells, &mut Aligned(&mut self.memory)) {
            Ok(Outcome::Goto(target)) => self.go(&block, target),
            other => return Err(self.error(&format!("{other:?} for {trap:?}"))),
        }
        Ok(true)
    }

    /// The program asks for something of its host, or its own handler.
    fn stop(&mut self, piece: &Block, kind: StopKind) -> Result<bool, Error> {
        let word = self.memory.read(piece.start as u32, 4).unwrap_or(0);
        let goes_on = match (kind, piece.insns[0].length) {
            (StopKind::Breakpoint, 2) if word & 0xffff == 0xbeab => self.semihosting()?,
            (StopKind::EnvironmentCall, 4) if word & 0xff_ffff == 0x12_3456 => {
                self.semihosting()?
            }
            (StopKind::EnvironmentCall, _) if !self.bare => self.call()?,
            _ => return self.trap(piece, Trap::Instruction(kind)),
        };
        self.pc = piece.start + u64::from(piece.insns[0].length);
        self.mode = piece.onward;
        Ok(goes_on)
    }

    fn print(&self, address: u32, size: u32) -> Result<(), Error> {
        let place = self.memory.place(address, size);
        let place = place.ok_or_else(|| self.error("no such memory"))?;
        std::io::stdout().write_all(&self.memory.bytes[place])
    }

    /// `write` and `exit` of Linux.
    fn call(&mut self) -> Result<bool, Error> {
        let [address, size, number] = [1, 2, 7].map(|register: usize| self.cells[register] as u32);
        if number == 4 {
            self.print(address, size)?;
        }
        Ok(number == 4)
    }

    /// `SYS_OPEN`, `SYS_WRITE` and `SYS_EXIT`.
    fn semihosting(&mut self) -> Result<bool, Error> {
        let (number, block) = (self.cells[0] as u32, self.cells[1] as u32);
        let field = |at: u32| self.memory.read(block + 4 * at, 4).unwrap_or(0) as u32;
        match number {
            1 => self.cells[0] = 1,
            5 => {
                self.print(field(1), field(2))?;
                self.cells[0] = 0;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

fn word(file: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(file[at..at + 4].try_into().expect("four bytes"))
}

/// The memory that an ELF file describes, and its entry.
fn load(file: &[u8]) -> (Memory, u32) {
    let (headers, count) = (word(file, 28) as usize, usize::from(file[44]));
    let segments: Vec<[u32; 6]> = (0..count)
        .map(|number| std::array::from_fn(|field| word(file, headers + 32 * number + 4 * field)))
        .filter(|segment: &[u32; 6]| segment[0] == 1)
        .collect();
    let base = segments.iter().map(|segment| segment[2]).min().unwrap_or(0);
    let end = segments.iter().map(|segment| segment[2] + segment[5]).max().unwrap_or(0);
    let mut bytes = vec![0; (end - base) as usize];
    for [_, offset, address, _, size, _] in segments {
        let place = (address - base) as usize..(address - base + size) as usize;
        bytes[place].copy_from_slice(&file[offset as usize..(offset + size) as usize]);
    }
    (Memory { base, bytes }, word(file, 24))
}

fn main() -> Result<(), Error> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [architecture, path, rest @ ..] = &arguments[..] else {
        return Err(Error::other("evaluate <architecture> <file> [draft]"));
    };
    let version = match architecture.as_str() {
        "v4t" => Version::V4T,
        "v5te" => Version::V5TE,
        "v6-m" => Version::V6M,
        "v7-m" => Version::V7M,
        "v7e-m" => Version::V7EM,
        other => return Err(Error::other(format!("no architecture `{other}`"))),
    };
    let arm = Arm {
        stored_pc: 8,
        ..Arm::new(Architecture { version, vector: version == Version::V7EM })
    };
    let (memory, entry) = load(&std::fs::read(path)?);
    let mut cells = vec![0; usize::from(cells::COUNT) + usize::from(arm.temporaries())];
    for (cell, value) in arm.reset() {
        cells[usize::from(cell.0)] = value;
    }
    let has = |word: &str| rest.iter().any(|argument| argument == word);
    let (draft, bare) = (has("draft"), has("reset"));
    let mut entry = u64::from(entry);
    if bare && version.is_m() {
        cells[usize::from(cells::SP.0)] = memory.read(0, 4).unwrap_or(0);
        entry = memory.read(4, 4).unwrap_or(0);
    }
    let (pc, mode) = arm.land(entry, arm.mode(&cells));
    let mut run = Run { arm, draft, bare, memory, cells, pc, mode, blocks: HashMap::new() };
    while run.step()? {}
    Ok(())
}
