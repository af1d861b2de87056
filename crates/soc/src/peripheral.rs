//! The small peripherals: console, cycle counter, exit.

/// What a peripheral's register gives on a read.
///
/// The counter shows the number of the cycle in which the transfer is answered, low half at offset 0,
/// high half at offset 4.
pub fn read_counter(offset: u32, cycle: u64) -> u32 {
    if offset & 4 == 0 { cycle as u32 } else { (cycle >> 32) as u32 }
}

/// Characters that the program has written.
#[derive(Clone, Debug, Default)]
pub struct Console {
    written: Vec<u8>,
}

impl Console {
    /// Takes the low byte of what was written.
    pub fn write(&mut self, value: u32) {
        self.written.push(value as u8);
    }

    /// Everything written so far.
    pub fn written(&self) -> &[u8] {
        &self.written
    }
}
