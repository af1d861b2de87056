//! Interrupts that a core keeps in registers of its own until it takes them.

use crate::Lines;

/// The latch of a core's lines; `cells` is the guest state. A core that has one does not count an
/// instruction that waits until something asks.
pub trait Latch: Send + Sync {
    /// Takes in the lines that were up in any cycle since the last time, up to and including `seen`, and
    /// what asked from within the core in these cycles.
    fn take_in(&self, cells: &mut [u64], lines: Lines, seen: u64);
    /// The cycle in which the core itself asks for an interrupt, or the last there can be.
    fn next_change(&self, cells: &[u64]) -> u64;
    /// Returns true if anything that was taken in is not yet taken, be it enabled or not.
    fn asks(&self, cells: &[u64]) -> bool;
    /// Returns true if the next instruction is issued whatever asks.
    fn shields(&self, cells: &[u64]) -> bool;
    /// An instruction is issued, behind which none is shielded any more.
    fn issued(&self, cells: &mut [u64]);
}
