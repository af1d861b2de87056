//! What instructions have not finished when the next one begins.
//!
//! A pipeline state has the loaded register, counted from 1, in its lowest five bits; above are three bits each of the cycles for
//! which the multiplier is busy, and until a control register is there.

use cocrypt_isa::PipelineState;

use super::usage::Usage;

/// The longest time that a state has room for.
const LONGEST: u32 = 7;

/// Unfinished work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pending {
    /// The register that a load writes one cycle late.
    loaded: Option<u8>,
    /// Cycles for which the multiplier is busy.
    pub multiplier: u32,
    /// Cycles until the control register is there.
    pub control: u32,
}

impl Pending {
    /// That of a state.
    pub const fn of(state: PipelineState) -> Self {
        let register = (state & 31) as u8;
        let loaded = if register == 0 { None } else { Some(register - 1) };
        Self { loaded, multiplier: state >> 5 & LONGEST, control: state >> 8 & LONGEST }
    }

    /// The state that says so.
    pub fn state(self) -> PipelineState {
        let register = self.loaded.map_or(0, |register| u32::from(register) + 1);
        register | self.multiplier.min(LONGEST) << 5 | self.control.min(LONGEST) << 8
    }

    /// Cycles for which an instruction waits.
    pub fn wait(self, used: Usage) -> u32 {
        let load = self.loaded.is_some_and(|register| used.reads >> register & 1 != 0);
        let multiplier = if used.multiplier { self.multiplier } else { 0 };
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
