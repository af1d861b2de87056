//! The system timer, `SysTick`: it counts down to 0, asks for its exception, and starts again (DUI 0553A,
//! 4.4; DUI 0662A; DDI 0403, B3.3).
//!
//! The register is reloaded in the tick behind the one in which it shows 0, so a reload value of n
//! makes a period of n + 1 ticks.

/// Bits of the control and status register.
const RUNS: u32 = 1;
const ASKS: u32 = 1 << 1;
const CORE_CLOCK: u32 = 1 << 2;
const WRAPPED: u32 = 1 << 16;
/// Counts have 24 bits.
const LARGEST: u32 = 0x00ff_ffff;
/// Of the calibration register: there is no reference clock; how long 10 ms are is not exact.
const NO_REFERENCE: u32 = 1 << 31;
const SKEW: u32 = 1 << 30;

/// The system timer.
#[derive(Clone, Debug)]
pub struct SysTick {
    /// Cycles of the core in one of the reference clock, if there is one.
    reference: Option<u32>,
    control: u32,
    reload: u32,
    /// The value that it showed, and the cycle in which it did.
    shown: u32,
    since: u64,
    /// True if it had reached 0 up to then, and nobody had read that.
    wrapped: bool,
    /// True if it had asked for its exception up to then, and not been heard.
    pending: bool,
}

impl SysTick {
    /// A timer that does not run.
    pub fn new(reference: Option<u32>) -> Self {
        let control = if reference.is_none() { CORE_CLOCK } else { 0 };
        let (reload, shown, since) = (0, 0, 0);
        Self { reference, control, reload, shown, since, wrapped: false, pending: false }
    }

    /// Cycles of the core in a tick.
    fn divide(&self) -> u64 {
        let reference = self.reference.filter(|_| self.control & CORE_CLOCK == 0);
        reference.map_or(1, u64::from)
    }

    /// Ticks up to and including a cycle since it was last touched.
    fn ticks(&self, cycle: u64) -> u64 {
        let divide = self.divide();
        let runs = self.control & RUNS != 0;
        if runs { (cycle / divide).saturating_sub(self.since / divide) } else { 0 }
    }

    /// The tick in which it first reaches 0, and the ticks from there to the next time, if any.
    fn wraps(&self) -> (Option<u64>, Option<u64>) {
        let period = (self.reload != 0).then(|| u64::from(self.reload) + 1);
        let first = if self.shown == 0 { period } else { Some(self.shown.into()) };
        (first, period)
    }

    /// The number of times that it reaches 0 within so many ticks.
    fn wraps_within(&self, ticks: u64) -> u64 {
        let (first, period) = self.wraps();
        let Some(beyond) = first.and_then(|first| ticks.checked_sub(first)) else { return 0 };
        1 + period.map_or(0, |period| beyond / period)
    }

    /// Its value in a cycle.
    pub fn count(&self, cycle: u64) -> u32 {
        let (ticks, shown) = (self.ticks(cycle), u64::from(self.shown));
        let count = match ticks.checked_sub(shown + 1) {
            None => shown - ticks,
            Some(beyond) => u64::from(self.reload) - beyond % (u64::from(self.reload) + 1),
        };
        count as u32
    }

    /// Returns true if its exception waits in a cycle.
    pub fn is_pending(&self, cycle: u64) -> bool {
        let asked = self.control & ASKS != 0 && self.wraps_within(self.ticks(cycle)) != 0;
        self.pending || asked
    }

    /// The first cycle behind this one in which its exception waits, if it does not yet; else the last
    /// there can be.
    pub fn next_pending(&self, cycle: u64) -> u64 {
        let asks = self.control & (RUNS | ASKS) == RUNS | ASKS;
        match self.wraps().0 {
            Some(first) if asks && !self.is_pending(cycle) => {
                let divide = self.divide();
                (self.since / divide + first) * divide
            }
            _ => u64::MAX,
        }
    }

    /// Brings what is known of it to a cycle.
    fn advance(&mut self, cycle: u64) {
        let wrapped = self.wraps_within(self.ticks(cycle)) != 0;
        (self.pending, self.shown) = (self.is_pending(cycle), self.count(cycle));
        self.wrapped |= wrapped;
        self.since = self.since.max(cycle);
    }

    /// The control register without what reading it changes.
    pub const fn control(&self) -> u32 {
        self.control
    }

    /// Reads the control register, which forgets that it has reached 0.
    pub fn read_control(&mut self, cycle: u64) -> u32 {
        self.advance(cycle);
        let wrapped = std::mem::take(&mut self.wrapped);
        self.control | if wrapped { WRAPPED } else { 0 }
    }

    /// Writes the control register.
    pub fn set_control(&mut self, control: u32, cycle: u64) {
        self.advance(cycle);
        let always = if self.reference.is_none() { CORE_CLOCK } else { 0 };
        self.control = control & (RUNS | ASKS | CORE_CLOCK) | always;
    }

    /// Its start value.
    pub const fn reload(&self) -> u32 {
        self.reload
    }

    /// Sets what it starts from the next time.
    pub fn set_reload(&mut self, reload: u32, cycle: u64) {
        self.advance(cycle);
        self.reload = reload & LARGEST;
    }

    /// A write of what it shows: it becomes 0, without asking for anything.
    pub fn clear(&mut self, cycle: u64) {
        self.advance(cycle);
        (self.shown, self.wrapped) = (0, false);
    }

    /// Lets its exception wait, or takes that back.
    pub fn pend(&mut self, pending: bool, cycle: u64) {
        self.advance(cycle);
        self.pending = pending;
    }

    /// The duration of 10 ms is not known.
    pub const fn calibration(&self) -> u32 {
        if self.reference.is_none() { NO_REFERENCE | SKEW } else { SKEW }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A timer as somebody would build it: a register that ticks.
    struct Register {
        reload: u32,
        shown: u32,
        wraps: u64,
    }

    impl Register {
        fn tick(&mut self) {
            let before = self.shown;
            self.shown = if before == 0 { self.reload } else { before - 1 };
            self.wraps += u64::from(before == 1);
        }
    }

    #[test]
    fn it_shows_what_a_register_shows_that_ticks() {
        for divide in [None, Some(1), Some(3), Some(8)] {
            for (reload, shown) in [(0, 0), (0, 4), (1, 0), (6, 0), (6, 3), (6, 11), (1, 1)] {
                let mut timer = SysTick { reload, shown, ..SysTick::new(divide) };
                timer.set_control(RUNS | ASKS, 5);
                let mut register = Register { reload, shown, wraps: 0 };
                let period = divide.map_or(1, u64::from);
                let mut first = None;
                for cycle in 6..200 {
                    if cycle % period == 0 {
                        register.tick();
                    }
                    if register.wraps != 0 && first.is_none() {
                        first = Some(cycle);
                    }
                    assert_eq!(timer.count(cycle), register.shown, "{reload} {shown} {cycle}");
                    assert_eq!(timer.is_pending(cycle), register.wraps != 0);
                }
                assert_eq!(timer.next_pending(5), first.unwrap_or(u64::MAX), "{reload} {shown}");
            }
        }
    }

    #[test]
    fn it_says_once_that_it_reached_zero() {
        let mut timer = SysTick::new(None);
        timer.set_reload(9, 0);
        timer.set_control(RUNS, 0);
        assert_eq!(timer.read_control(9), CORE_CLOCK | RUNS);
        assert_eq!(timer.read_control(10), CORE_CLOCK | RUNS | WRAPPED);
        assert_eq!(timer.read_control(11), CORE_CLOCK | RUNS);
        assert!(!timer.is_pending(100), "nobody asked for the exception");
        timer.clear(105);
        assert_eq!((timer.count(105), timer.count(106)), (0, 9));
        assert_eq!(timer.read_control(114), CORE_CLOCK | RUNS, "the write took it back");
    }
}
