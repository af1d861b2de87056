//! The cycle counter of the data watchpoint and trace unit, DWT (DDI 0403, C1.8).

/// It counts while both of these are set: a bit of DEMCR, and one of its own control register.
const TRACES: u32 = 1 << 24;
const COUNTS: u32 = 1;
/// The writable bits of the control register, and its bits about the unit: four comparators.
const WRITABLE: u32 = 0x007f_1fff;
const COMPARATORS: u32 = 4 << 28;

/// A counter of the core's cycles.
#[derive(Clone, Debug, Default)]
pub struct CycleCounter {
    trace: u32,
    control: u32,
    /// The value that it showed, and the cycle in which it did.
    shown: u32,
    since: u64,
}

impl CycleCounter {
    const fn counts(&self) -> bool {
        self.trace & TRACES != 0 && self.control & COUNTS != 0
    }

    /// Its value in a cycle.
    pub fn count(&self, cycle: u64) -> u32 {
        let passed = if self.counts() { cycle.saturating_sub(self.since) } else { 0 };
        self.shown.wrapping_add(passed as u32)
    }

    /// Sets what it shows.
    pub fn set(&mut self, shown: u32, cycle: u64) {
        (self.shown, self.since) = (shown, cycle);
    }

    /// The control register.
    pub const fn control(&self) -> u32 {
        self.control | COMPARATORS
    }

    /// Writes the control register.
    pub fn set_control(&mut self, control: u32, cycle: u64) {
        self.set(self.count(cycle), cycle);
        self.control = control & WRITABLE;
    }

    /// DEMCR as far as it belongs here.
    pub const fn trace(&self) -> u32 {
        self.trace
    }

    /// Writes DEMCR.
    pub fn set_trace(&mut self, trace: u32, cycle: u64) {
        self.set(self.count(cycle), cycle);
        self.trace = trace & TRACES;
    }
}
