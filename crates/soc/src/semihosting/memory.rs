//! The program's memory and console, as its host sees them.

use crate::machine::Machine;
use crate::peripheral::Console;

/// The program's side of a call.
pub struct Guest<'a>(pub &'a mut Machine);

impl Guest<'_> {
    /// The word at an address.
    pub fn word(&self, at: u32) -> Option<u32> {
        let bytes = self.0.read(at, 4)?;
        Some(self.0.instructions().elf.order.number(&bytes) as u32)
    }

    /// Puts words where the program could write them; says whether it could.
    pub fn put_words(&mut self, at: u32, words: &[u32]) -> bool {
        let order = self.0.instructions().elf.order;
        let bytes = words.iter().flat_map(|&word| order.bytes(word.into(), 4)).collect::<Vec<_>>();
        self.put(at, &bytes)
    }

    /// So many bytes from an address on.
    pub fn bytes(&self, at: u32, size: u32) -> Option<Vec<u8>> {
        self.0.read(at, size as usize).map(|bytes| bytes.to_vec())
    }

    /// The bytes from an address on, up to a zero or to where no memory is.
    pub fn text(&self, at: u32, longest: u32) -> Vec<u8> {
        let byte = |more: u32| self.0.read(at.wrapping_add(more), 1).map(|bytes| bytes[0]);
        (0..longest).map_while(byte).take_while(|&byte| byte != 0).collect()
    }

    /// Returns true if the program could write so many bytes there.
    pub fn is_written(&self, at: u32, size: u32) -> bool {
        self.0.is_written(at, size)
    }

    /// Puts bytes where the program could write them; says whether it could.
    pub fn put(&mut self, at: u32, bytes: &[u8]) -> bool {
        bytes.is_empty()
            || self.is_written(at, bytes.len() as u32) && self.0.load(at, bytes).is_ok()
    }

    pub fn console(&mut self) -> &mut Console {
        self.0.console_mut()
    }

    /// Shows bytes on the console.
    pub fn say(&mut self, bytes: &[u8]) {
        let console = self.console();
        for &byte in bytes {
            console.write(0, byte.into());
        }
    }

    /// The input from the terminal, up to so many bytes.
    pub fn typed(&mut self, size: u32) -> Vec<u8> {
        let console = self.console();
        (0..size).map_while(|_| console.take()).collect()
    }
}
