//! Code and memories for tests of lifting.
#![allow(dead_code)] // Every test uses some of it.

use std::collections::HashMap;

use cocrypt_ir::{Counter, Environment, Fault, Slot, Width};
use cocrypt_isa::{CodeMemory, Frontend};
use cocrypt_isa_arm::cells;
use cocrypt_isa_arm::lift::Arm;
use cocrypt_isa_arm::state::State;

/// The addresses at which blocks of [`Code`] must end.
pub const BOUNDARY: u64 = 40;

/// Code from an address on.
#[derive(Clone)]
pub struct Code {
    base: u64,
    units: Vec<u16>,
    single: bool,
    /// Words elsewhere.
    pub words: HashMap<u32, u32>,
}

impl Code {
    pub fn new(base: u64, units: Vec<u16>) -> Self {
        Self { base, units, single: false, words: HashMap::new() }
    }

    /// A32 code.
    pub fn words(base: u64, words: &[u32]) -> Self {
        Self::new(base, words.iter().flat_map(|word| [*word as u16, (word >> 16) as u16]).collect())
    }

    /// The same, but every block has one instruction.
    pub fn single(&self) -> Self {
        Self { single: true, ..self.clone() }
    }
}

impl CodeMemory for Code {
    fn unit(&self, address: u64) -> Option<u16> {
        if let Some(word) = self.words.get(&(address as u32 & !3)) {
            return Some((word >> (8 * (address & 2))) as u16);
        }
        let index = address.checked_sub(self.base)? / 2;
        self.units.get(index as usize).copied()
    }
    fn fetch_wait(&self, _: u64) -> u32 {
        0
    }
    fn is_boundary(&self, address: u64) -> bool {
        self.single || address == BOUNDARY
    }
}

/// A memory that answers by chance, and refuses some accesses.
pub struct Noise {
    seed: u64,
    /// The accesses made: address, width, and what was stored.
    pub accesses: Vec<(u32, Width, Option<u64>)>,
}

impl Noise {
    pub fn new(seed: u64) -> Self {
        Self { seed, accesses: vec![] }
    }

    fn next(&mut self) -> u64 {
        // SplitMix64.
        self.seed = self.seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.seed ^ self.seed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A guest state by chance, with room for temporaries that hold something as well.
    pub fn cells(&mut self, arm: &Arm, state: State) -> Vec<u64> {
        let count = usize::from(cells::COUNT + arm.temporaries());
        let mut all: Vec<u64> = (0..count).map(|_| u64::from(self.next() as u32)).collect();
        let flags = [cells::N, cells::Z, cells::C, cells::V, cells::Q];
        for cell in flags.into_iter().chain([cells::IRQ_OFF, cells::FIQ_OFF]) {
            all[usize::from(cell.0)] &= 1;
        }
        let corners = [0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];
        for cell in &mut all[..15] {
            let choice = self.next() as usize;
            if choice.is_multiple_of(3) {
                *cell = corners[choice / 3 % corners.len()];
            }
        }
        all[usize::from(cells::GE.0)] &= 0xf;
        all[usize::from(cells::MODE.0)] = state.mode.into();
        all[usize::from(cells::THUMB.0)] = state.thumb.into();
        all[usize::from(cells::HOLDS.0)] = 0;
        all[usize::from(cells::IT.0)] = 0;
        all[usize::from(cells::SP.0)] &= !3;
        all
    }
}

impl Environment for Noise {
    fn load(&mut self, address: u32, width: Width) -> Result<u64, Fault> {
        self.accesses.push((address, width, None));
        let value = self.next();
        if value >> 60 == 0 { Err(Fault { address }) } else { Ok(width.truncate(value)) }
    }
    fn store(&mut self, address: u32, width: Width, value: u64) -> Result<(), Fault> {
        self.accesses.push((address, width, Some(value)));
        if self.next() >> 60 == 0 { Err(Fault { address }) } else { Ok(()) }
    }
    fn count(&mut self, _: Counter) -> u64 {
        self.next()
    }
}

/// A small memory of bytes, at addresses that their width allows.
#[derive(Default)]
pub struct Bytes(pub HashMap<u32, u8>);

impl Bytes {
    pub fn word(&self, address: u32) -> u32 {
        let byte = |at: u32| u32::from(self.0.get(&(address + at)).copied().unwrap_or(0));
        (0..4).map(|at| byte(at) << (8 * at)).sum()
    }

    pub fn set_word(&mut self, address: u32, word: u32) {
        for (at, byte) in (0..).zip(word.to_le_bytes()) {
            self.0.insert(address + at, byte);
        }
    }
}

impl Environment for Bytes {
    fn load(&mut self, address: u32, width: Width) -> Result<u64, Fault> {
        if !address.is_multiple_of(width.bytes()) {
            return Err(Fault { address });
        }
        Ok(width.truncate(self.word(address).into()))
    }
    fn store(&mut self, address: u32, width: Width, value: u64) -> Result<(), Fault> {
        if !address.is_multiple_of(width.bytes()) {
            return Err(Fault { address });
        }
        for at in 0..width.bytes() {
            self.0.insert(address + at, (value >> (8 * at)) as u8);
        }
        Ok(())
    }
    fn count(&mut self, _: Counter) -> u64 {
        0
    }
}

/// The value of a cell.
pub fn cell(cells: &[u64], slot: Slot) -> u32 {
    cells[usize::from(slot.0)] as u32
}
