//! Interlocks: results that are not there yet when the next instruction begins.
//!
//! A pipeline state has the loaded register, counted from 1, in its lowest five bits; above are three bits each of the
//! cycles for which an access to the multiplier waits, and until a control register is there. The highest bit says that the next
//! instruction is fetched already.

use cocrypt_ir::Insn;
use cocrypt_isa::{CodeMemory, PipelineState};

use super::usage::Usage;

/// The longest time that a state has room for.
pub const LONGEST: u32 = 7;
/// The number of the bit of a fetched instruction.
const FETCHED: u32 = 11;

/// The interlocks behind an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Interlocks {
    /// The register that a load writes one cycle late.
    loaded: Option<u8>,
    /// Cycles for which an access to the multiplier waits that the next instruction makes at once.
    pub multiplier: u32,
    /// Cycles until the control register is there.
    pub control: u32,
    /// True if the next instruction came in by the fetch of the last one, which waited.
    fetched: bool,
}

impl Interlocks {
    /// The interlocks that a pipeline state has.
    pub const fn of(state: PipelineState) -> Self {
        let register = (state & 31) as u8;
        let loaded = if register == 0 { None } else { Some(register - 1) };
        Self {
            loaded,
            multiplier: state >> 5 & LONGEST,
            control: state >> 8 & LONGEST,
            fetched: state >> FETCHED & 1 != 0,
        }
    }

    /// The pipeline state that has them.
    pub fn state(self) -> PipelineState {
        let register = self.loaded.map_or(0, |register| u32::from(register) + 1);
        let fetched = u32::from(self.fetched) << FETCHED;
        register | self.multiplier << 5 | self.control << 8 | fetched
    }

    /// Cycles for which an instruction's fetch waits. One at a multiple of 4 brings in the next instruction too, and
    /// where it does not wait, nothing is noted of it, so that blocks have one state in most memories.
    pub fn fetch(&mut self, insn: &Insn, code: &dyn CodeMemory) -> u32 {
        let wait = if insn.length == 0 { 0 } else { code.fetch_wait(insn.pc) - 1 };
        let is_fetched = std::mem::replace(&mut self.fetched, wait > 0 && insn.pc & 2 == 0);
        if is_fetched { 0 } else { wait }
    }

    /// The same of a copy where the program goes on elsewhere, which is fetched first.
    pub const fn elsewhere(mut self) -> Self {
        self.fetched = false;
        self
    }

    /// Cycles for which an instruction waits.
    pub fn wait(self, used: Usage) -> u32 {
        let load = self.loaded.is_some_and(|register| used.reads >> register & 1 != 0);
        let multiplier = if used.multiplier { self.multiplier } else { 0 };
        // Only the last access is to the multiplier.
        let multiplier = multiplier.saturating_sub(used.accesses.saturating_sub(1));
        let control = if used.control { self.control } else { 0 };
        u32::from(load).max(multiplier).max(control)
    }

    /// Cycles pass, of which the next instruction begins in the last.
    pub fn pass(&mut self, cycles: u32) {
        if cycles > 0 {
            self.loaded = None;
        }
        self.multiplier = self.multiplier.saturating_sub(cycles);
        self.control = self.control.saturating_sub(cycles);
    }

    /// The same of a copy.
    pub fn after(mut self, cycles: u32) -> Self {
        self.pass(cycles);
        self
    }

    /// A load's register is late.
    pub fn load(&mut self, register: Option<u8>, cycles: u32) {
        self.loaded = register.filter(|_| cycles != 0);
    }
}
