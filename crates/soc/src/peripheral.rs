//! The small peripherals: console, cycle counter, timer, DMA controller.

use std::collections::VecDeque;

use cocrypt_engine::Reply;

use cocrypt_isa::External;

/// The value of a peripheral's register on a read.
///
/// The counter shows the number of the cycle in which the transfer is answered, low half at offset 0,
/// high half at offset 4.
pub fn read_counter(offset: u32, cycle: u64) -> u32 {
    if offset & 4 == 0 { cycle as u32 } else { (cycle >> 32) as u32 }
}

/// Interrupts from a cycle on that the program sets, low half at offset 8, high half at 12; below is
/// what the counter shows.
#[derive(Clone, Debug)]
pub struct Timer {
    /// Its value, and the cycle up to which it had another; the last comes first. A core may ask for cycles
    /// that are over.
    settings: [(u64, u64); 4],
}

impl Default for Timer {
    fn default() -> Self {
        Self { settings: [(0, u64::MAX); 4] }
    }
}

impl Timer {
    /// The value of a register in a cycle.
    pub fn read(&self, offset: u32, cycle: u64) -> u32 {
        let shown = if offset & 8 == 0 { cycle } else { self.settings[0].1 };
        read_counter(offset, shown)
    }

    /// Sets a half in a cycle.
    pub fn write(&mut self, offset: u32, value: u32, cycle: u64) {
        if offset & 8 == 0 {
            return;
        }
        let (compare, value) = (self.settings[0].1, u64::from(value));
        let (low, high) = (compare & 0xffff_ffff, compare >> 32);
        let compare = if offset & 4 == 0 { high << 32 | value } else { value << 32 | low };
        self.settings.rotate_right(1);
        self.settings[0] = (cycle, compare);
    }

    /// Returns true if it interrupts in a cycle.
    pub fn interrupts(&self, cycle: u64) -> bool {
        let there = self.settings.iter().find(|(set, _)| cycle > *set);
        cycle >= there.unwrap_or(&self.settings[3]).1
    }

    /// The first cycle behind this one in which it begins to interrupt, or ends.
    pub fn next_change(&self, cycle: u64) -> u64 {
        let now = self.interrupts(cycle);
        let [(last, compare), ..] = self.settings;
        let changes = (cycle..=last).map(|before| before + 1);
        let first = changes.into_iter().find(|&at| self.interrupts(at) != now);
        first.unwrap_or(if compare > cycle { compare } else { u64::MAX })
    }
}

/// It is the first external interrupt of a core with peripherals of its own.
impl External for Timer {
    fn up(&self, cycle: u64) -> u32 {
        self.interrupts(cycle).into()
    }

    fn next_change(&self, cycle: u64) -> u64 {
        self.next_change(cycle)
    }
}

/// Characters from and to the program, at offset 0; offset 4 tells whether there is one to read.
#[derive(Clone, Debug, Default)]
pub struct Console {
    written: Vec<u8>,
    typed: VecDeque<u8>,
}

impl Console {
    /// Takes the low byte of what was written.
    pub fn write(&mut self, offset: u32, value: u32) {
        if offset & 4 == 0 {
            self.written.push(value as u8);
        }
    }

    /// The next character, or all ones where there is none; or whether there is one.
    pub fn read(&mut self, offset: u32) -> u32 {
        match offset & 4 {
            0 => self.typed.pop_front().map_or(u32::MAX, u32::from),
            _ => u32::from(!self.typed.is_empty()),
        }
    }

    /// Puts characters behind those that were not read yet.
    pub fn type_in(&mut self, characters: &[u8]) {
        self.typed.extend(characters);
    }

    /// Takes the next character, as the host does for the program.
    pub fn take(&mut self) -> Option<u8> {
        self.typed.pop_front()
    }

    /// Returns true if no character waits to be read.
    pub fn is_empty(&self) -> bool {
        self.typed.is_empty()
    }

    /// Everything written so far.
    pub fn written(&self) -> &[u8] {
        &self.written
    }
}

/// Words that a DMA controller copies at once, at most.
pub const LONGEST_COPY: u32 = 0xffff;

/// A DMA controller: + 0 source, + 4 target, + 8 words. Writing the latter starts it, and is answered when
/// all is copied; addresses are those of words.
#[derive(Clone, Copy, Default)]
pub struct Dma {
    source: u32,
    target: u32,
}

impl Dma {
    /// Takes a word at an offset, after so many cycles on the bus.
    pub fn write(&mut self, offset: u32, word: u32, wait: u32) -> Reply {
        match offset {
            0 => self.source = word & !3,
            4 => self.target = word & !3,
            8 if word & LONGEST_COPY != 0 => {
                let Self { source, target } = *self;
                return Reply::Copy { source, target, words: word & LONGEST_COPY, wait };
            }
            _ => {}
        }
        Reply::Done { value: 0, wait }
    }
}
