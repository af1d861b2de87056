//! The small peripherals: console, cycle counter.

use std::collections::VecDeque;

/// What a peripheral's register gives on a read.
///
/// The counter shows the number of the cycle in which the transfer is answered, low half at offset 0,
/// high half at offset 4.
pub fn read_counter(offset: u32, cycle: u64) -> u32 {
    if offset & 4 == 0 { cycle as u32 } else { (cycle >> 32) as u32 }
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

    /// Everything written so far.
    pub fn written(&self) -> &[u8] {
        &self.written
    }
}
