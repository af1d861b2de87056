//! Peripherals that a core has within itself, before any bus.

use cocrypt_ir::Slot;

use crate::Lines;

/// The effect of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing beyond the register.
    Kept,
    /// Other interrupts may come, or the core may go on otherwise.
    Changed,
    /// Something that is not modelled: a reset, or an interrupt that nothing masks.
    Unmodelled,
}

/// A write: a word of which some bits are written.
#[derive(Clone, Copy, Debug)]
pub struct Written {
    /// The value written; 0 in bits that are not.
    pub bits: u32,
    /// The mask of these bits.
    pub mask: u32,
}

impl Written {
    /// The value of a register then.
    #[must_use]
    pub const fn over(self, old: u32) -> u32 {
        old & !self.mask | self.bits
    }
}

/// The device's own lines as they are seen from here: external interrupts, the first in bit 0.
pub trait External {
    /// The lines that are up in a cycle.
    fn up(&self, cycle: u64) -> u32;
    /// The first cycle behind this one in which others are.
    fn next_change(&self, cycle: u64) -> u64;
}

/// The private peripherals of a core: interrupt controller, system timer, counters.
pub trait Private: Send + Sync {
    /// Their base address and size in bytes.
    fn range(&self) -> (u32, u32);
    /// Cycles from request to answer.
    fn wait(&self) -> u32;
    /// The value of the word at an offset in a cycle.
    fn read(&mut self, offset: u32, cycle: u64, external: &dyn External) -> u32;
    /// Writes the word at an offset in a cycle.
    fn write(&mut self, offset: u32, written: Written, cycle: u64) -> Effect;
    /// The exception that interrupts the core in a cycle unless it holds all back, as a bit.
    fn lines(&self, cycle: u64, external: &dyn External) -> Lines;
    /// The first cycle behind this one in which another exception would interrupt.
    fn next_change(&self, cycle: u64, external: &dyn External) -> u64;
    /// The core goes to the handler of an exception that waited.
    fn took(&mut self, number: u8, cycle: u64);
    /// The core's registers have changed that decide about exceptions.
    fn sees(&mut self, state: &[u64]);
    /// The effects of registers here on the core.
    fn decides(&self) -> Vec<(Slot, u64)>;
    /// The vector table is somewhere else after reset.
    fn set_vectors(&mut self, vectors: u32);
    /// Others in the same state.
    fn copy(&self) -> Box<dyn Private>;
}

impl Clone for Box<dyn Private> {
    fn clone(&self) -> Self {
        (**self).copy()
    }
}
