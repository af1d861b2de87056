//! Everything beyond the directly mapped memory.

use cocrypt_ir::{Slot, Width};
use cocrypt_isa::Lines;

/// One access, as the core makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Byte address.
    pub address: u32,
    /// Width.
    pub width: Width,
    /// The cycle in which the access would be answered if nothing waited.
    pub unwaited: u64,
    /// Address of the instruction that makes it.
    pub pc: u64,
    /// The number of instructions issued before that one.
    pub issued: u64,
}

/// The machine's answer to an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Done after `wait` cycles; `value` is what was read (0 for a write).
    Done {
        /// The value, zero-extended.
        value: u64,
        /// Cycles from request to answer.
        wait: u32,
    },
    /// The same of a write that may have changed which interrupt lines are up.
    Changed {
        /// Cycles from request to answer.
        wait: u32,
    },
    /// A controller copies words from one place to another before it answers; it begins after `wait`
    /// cycles.
    Copy {
        /// Address of the first word to read.
        source: u32,
        /// Address of the first word to write.
        target: u32,
        /// The number of words.
        words: u32,
        /// Cycles from request to where it begins.
        wait: u32,
    },
    /// The program asked to stop, after `wait` cycles.
    Exit {
        /// Its exit code.
        code: u32,
        /// Cycles from request to answer.
        wait: u32,
    },
    /// The one who is asked keeps the core waiting, and nothing can end that.
    Never,
    /// Nobody answers at this address, or not to this kind of access.
    Refused,
    /// The machine does something then that its model does not know.
    Unmodelled,
}

/// Everything that the core reaches over its bus, except the directly mapped memory.
pub trait Bus {
    /// Reads.
    fn read(&mut self, access: &Access) -> Reply;
    /// Writes the low bits of `value`.
    fn write(&mut self, access: &Access, value: u64) -> Reply;
    /// Writes to a memory, if one takes it; cycles from request to answer.
    fn store(&mut self, _address: u32, _width: Width, _value: u64) -> Option<u32> {
        None
    }
    /// The 16-bit unit of code at an even address, where the bus holds memory.
    fn code_unit(&self, address: u32) -> Option<u16>;
    /// Cycles from request to answer of an instruction fetch at this address.
    fn fetch_wait(&self, address: u32) -> u32;
    /// The longest that an access waits.
    fn longest_wait(&self) -> u32 {
        0
    }
    /// The interrupt lines that are up in a cycle.
    fn lines(&self, _cycle: u64) -> Lines {
        0
    }
    /// The interrupt lines that were up in any of the cycles from one to another.
    fn lines_within(&self, _from: u64, _to: u64) -> Lines {
        0
    }
    /// The first cycle behind this one in which other lines are up, if the program leaves everything
    /// as it is; the last there can be if that never happens.
    fn next_change(&self, _cycle: u64) -> u64 {
        u64::MAX
    }
    /// The core leaves the program for the handler of an interrupt, in a cycle, with so many instructions
    /// issued before.
    fn took(&mut self, _number: u8, _cycle: u64, _issued: u64) {}
    /// The guest state, wherever what decides about interrupts may have changed.
    fn sees(&mut self, _state: &[u64]) {}
    /// Cells of the guest state that registers on the bus decide, with what they hold.
    fn decides(&self) -> Vec<(Slot, u64)> {
        vec![]
    }
    /// Returns true if the write that was answered as `Changed` holds the core: the run stops behind it,
    /// until the host lets it go on.
    fn holds(&self) -> bool {
        false
    }
}
