//! The peripherals that a core of the M profile has within itself, from `0xe000_0000` on.
//!
//! Sources: "ARMv7-M Architecture Reference Manual" (DDI 0403), B3.2 to B3.4 and C1.8; DDI 0419, B3.2 to
//! B3.4, of ARMv6-M. Registers that are not named here read as 0 and keep nothing: faults go to the
//! hard fault's handler, nothing is profiled but cycles, and there is no protection of memory.

mod cycles;
mod nvic;
mod systick;

use cocrypt_config as config;
use cocrypt_ir::Slot;
use cocrypt_isa::{Effect, External, Lines, Private, Written};

use crate::cells;
use cycles::CycleCounter;
use nvic::{LINES, Nvic, Urgency};
use systick::SysTick;

/// Their base address and size in bytes.
const BASE: u32 = 0xe000_0000;
const SIZE: u32 = 0x0010_0000;

/// Cycles from request to answer: within the core nothing waits.
const WAIT: u32 = 1;

/// The number of the system timer's exception, and of one that programs ask for themselves.
const SYSTICK: u8 = 15;
const PENDSV: u8 = 14;
/// The number of the first external interrupt's exception.
const EXTERNAL: u8 = 16;

/// Bits of the interrupt control and state register.
const SET_PENDSV: u32 = 1 << 28;
const CLEAR_PENDSV: u32 = 1 << 27;
const SET_SYSTICK: u32 = 1 << 26;
const CLEAR_SYSTICK: u32 = 1 << 25;
const SET_NMI: u32 = 1 << 31;
/// The key to be written to the upper half of AIRCR, and the value read there.
const KEY: u32 = 0x05fa;
const KEY_STATUS: u32 = 0xfa05_0000;
/// CCR: frames are aligned to 8 bytes, and unaligned accesses are refused.
const ALIGNS_STACK: u32 = 1 << 9;
const REFUSES_UNALIGNED: u32 = 1 << 3;
/// Part number of a core that has its vector table where it is (Cortex-M0).
const CORTEX_M0: u32 = 0xc20;

/// The private peripherals of a core.
#[derive(Clone, Debug)]
pub struct System {
    cpuid: u32,
    /// Of ARMv6-M, which has fewer registers.
    is_small: bool,
    cycles: CycleCounter,
    tick: SysTick,
    nvic: Nvic,
    /// The address of the vector table.
    vectors: u32,
    sleep: u32,
    control: u32,
    faults: u32,
    coprocessors: u32,
    /// The exception that is handled, and the priority up to which others wait.
    handled: u8,
    base_priority: u8,
}

impl System {
    /// The peripherals after reset, of a core of ARMv6-M or of ARMv7-M.
    pub fn new(description: &config::System, is_small: bool, vectors: u32) -> Self {
        let control = if is_small { REFUSES_UNALIGNED } else { 0 } | ALIGNS_STACK;
        Self {
            cpuid: description.cpuid,
            is_small,
            cycles: CycleCounter::default(),
            tick: SysTick::new(description.reference_divide),
            nvic: Nvic::new(description.priority_bits),
            vectors,
            sleep: 0,
            control,
            faults: 0,
            coprocessors: 0,
            handled: 0,
            base_priority: 0,
        }
    }

    fn read_control_block(&self, offset: u32, cycle: u64, external: &dyn External) -> u32 {
        match offset {
            0xed00 => self.cpuid,
            0xed04 => self.state(cycle, external),
            0xed08 => self.vectors,
            0xed0c => KEY_STATUS | self.nvic.group() << 8,
            0xed10 => self.sleep,
            0xed14 => self.control,
            0xed18 if self.is_small => 0,
            0xed18..0xed24 => self.nvic.priorities(4 + (offset - 0xed18)),
            0xed24 => self.faults,
            0xed88 => self.coprocessors,
            0xedfc => self.cycles.trace(),
            _ => 0,
        }
    }

    /// ICSR: what is handled, and what waits.
    fn state(&self, cycle: u64, external: &dyn External) -> u32 {
        let pending = self.pending(cycle, external);
        let next = self.nvic.most_urgent(pending).map_or(0, |(number, _)| number);
        let is_up = |number: u8, bit: u32| if pending >> number & 1 != 0 { bit } else { 0 };
        let others = self.nvic.active() & !(1 << self.handled);
        let to_base = u32::from(others == 0) << 11;
        let external = u32::from(pending >> EXTERNAL != 0) << 22;
        u32::from(self.handled)
            | to_base
            | u32::from(next) << 12
            | external
            | is_up(SYSTICK, SET_SYSTICK)
            | is_up(PENDSV, SET_PENDSV)
    }

    fn write_control_block(&mut self, offset: u32, written: Written, cycle: u64) -> Effect {
        match offset {
            0xed04 => return self.set_state(written.bits, cycle),
            0xed08 if self.cpuid >> 4 & 0xfff != CORTEX_M0 => {
                let multiple = if self.is_small { 0xff } else { 0x7f };
                self.vectors = written.over(self.vectors) & !multiple;
            }
            0xed0c => return self.set_reset(written.bits),
            0xed10 => self.sleep = written.over(self.sleep) & 0x16,
            0xed14 if !self.is_small => self.control = written.over(self.control) & 0x31b,
            0xed18 if self.is_small => {}
            0xed18..0xed24 => self.nvic.set_priorities(4 + (offset - 0xed18), written),
            0xed24 if !self.is_small => self.faults = written.over(self.faults) & 0x0007_0000,
            0xed88 if !self.is_small => {
                self.coprocessors = written.over(self.coprocessors) & 0x00f0_0000;
            }
            _ => {}
        }
        Effect::Changed
    }

    fn set_state(&mut self, bits: u32, cycle: u64) -> Effect {
        if bits & SET_NMI != 0 {
            return Effect::Unmodelled;
        }
        for (bit, up) in [(CLEAR_PENDSV, false), (SET_PENDSV, true)] {
            if bits & bit != 0 {
                self.nvic.pend(1 << PENDSV, up);
            }
        }
        for (bit, up) in [(CLEAR_SYSTICK, false), (SET_SYSTICK, true)] {
            if bits & bit != 0 {
                self.tick.pend(up, cycle);
            }
        }
        Effect::Changed
    }

    /// AIRCR: how priorities are grouped, and resets.
    fn set_reset(&mut self, bits: u32) -> Effect {
        if bits >> 16 != KEY {
            return Effect::Kept;
        }
        if bits & 5 != 0 {
            return Effect::Unmodelled;
        }
        if !self.is_small {
            self.nvic.set_group(bits >> 8 & 7);
        }
        Effect::Changed
    }

    /// The exceptions that wait, as bits by their numbers.
    fn pending(&self, cycle: u64, external: &dyn External) -> u32 {
        let tick = u32::from(self.tick.is_pending(cycle)) << SYSTICK;
        self.nvic.pending() | tick | external.up(cycle) << EXTERNAL
    }
}

impl Private for System {
    fn range(&self) -> (u32, u32) {
        (BASE, SIZE)
    }

    fn wait(&self) -> u32 {
        WAIT
    }

    fn read(&mut self, offset: u32, cycle: u64, external: &dyn External) -> u32 {
        match offset {
            0x1000..0x2000 if self.is_small => 0,
            0x1000 => self.cycles.control(),
            0x1004 => self.cycles.count(cycle),
            0xe010 => self.tick.read_control(cycle),
            0xe014 => self.tick.reload(),
            0xe018 => self.tick.count(cycle),
            0xe01c => self.tick.calibration(),
            0xe100 | 0xe180 => self.nvic.enabled(),
            0xe200 | 0xe280 => self.pending(cycle, external) >> EXTERNAL,
            0xe300 => self.nvic.active() >> EXTERNAL,
            0xe400..0xe410 => self.nvic.priorities(u32::from(EXTERNAL) + (offset - 0xe400)),
            0xed00..0xee00 => self.read_control_block(offset, cycle, external),
            _ => 0,
        }
    }

    fn write(&mut self, offset: u32, written: Written, cycle: u64) -> Effect {
        match offset {
            0x1000..0x2000 if self.is_small => return Effect::Kept,
            0x1000 => self.cycles.set_control(written.over(self.cycles.control()), cycle),
            0x1004 => self.cycles.set(written.over(self.cycles.count(cycle)), cycle),
            0xedfc => self.cycles.set_trace(written.over(self.cycles.trace()), cycle),
            0xe010 => self.tick.set_control(written.over(self.tick.control()), cycle),
            0xe014 => self.tick.set_reload(written.over(self.tick.reload()), cycle),
            0xe018 => self.tick.clear(cycle),
            0xe100 => self.nvic.enable(written.bits, true),
            0xe180 => self.nvic.enable(written.bits, false),
            0xe200 => self.nvic.pend(written.bits << EXTERNAL, true),
            0xe280 => self.nvic.pend(written.bits << EXTERNAL, false),
            0xe400..0xe410 => {
                let first = u32::from(EXTERNAL) + (offset - 0xe400);
                self.nvic.set_priorities(first, written);
            }
            0xef00 if !self.is_small && written.bits & 0x1ff < LINES => {
                self.nvic.pend(1 << (u32::from(EXTERNAL) + (written.bits & 0x1ff)), true);
            }
            0xed00..0xee00 => return self.write_control_block(offset, written, cycle),
            _ => return Effect::Kept,
        }
        if offset < 0xe000 || offset == 0xedfc { Effect::Kept } else { Effect::Changed }
    }

    fn lines(&self, cycle: u64, external: &dyn External) -> Lines {
        let Some((number, urgency)) = self.nvic.most_urgent(self.pending(cycle, external)) else {
            return 0;
        };
        let handled = self.nvic.urgency(self.handled);
        let base = (self.base_priority != 0).then(|| self.nvic.grouped(self.base_priority));
        let is_held = |by: Option<Urgency>| by.is_some_and(|by| by <= urgency);
        if is_held(handled) || is_held(base) { 0 } else { 1 << number }
    }

    fn next_change(&self, cycle: u64, external: &dyn External) -> u64 {
        let (now, mut at) = (self.lines(cycle, external), cycle);
        loop {
            at = self.tick.next_pending(at).min(external.next_change(at));
            if at == u64::MAX || self.lines(at, external) != now {
                return at;
            }
        }
    }

    fn took(&mut self, number: u8, cycle: u64) {
        if number == SYSTICK {
            self.tick.pend(false, cycle);
        } else {
            self.nvic.pend(1 << number, false);
        }
    }

    fn sees(&mut self, state: &[u64]) {
        let now = |cell: Slot| state[usize::from(cell.0)];
        let (before, handled) = (self.handled, now(cells::IPSR) as u8 & 31);
        (self.handled, self.base_priority) = (handled, now(cells::BASEPRI) as u8);
        self.nvic.handles(before, handled);
    }

    fn decides(&self) -> Vec<(Slot, u64)> {
        let refuses = !self.is_small && self.control & REFUSES_UNALIGNED != 0;
        vec![
            (cells::VECTORS, self.vectors.into()),
            (cells::SYSTEM_CONTROL, if refuses { 2 } else { 0 }),
        ]
    }

    fn set_vectors(&mut self, vectors: u32) {
        self.vectors = vectors;
    }

    fn copy(&self) -> Box<dyn Private> {
        Box::new(self.clone())
    }
}
