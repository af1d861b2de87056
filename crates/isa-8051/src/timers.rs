//! Timers 0 and 1: counters of machine cycles, whose overflow asks for an interrupt.
//!
//! Source: 272383-002, chapter 3, "Timer/Counters", "Interrupts" and the figures of TMOD and TCON. The pins T0, T1,
//! INT0 and INT1 stay high: nothing is counted by them, a gate is open, and an external interrupt is one that the
//! program asks for in TCON.

use cocrypt_ir::Slot;
use cocrypt_isa::{Effect, External, Lines, Private, Written};

use crate::SPECIAL;

/// Clocks of a machine cycle, which is a step; cores with shorter ones count so after reset too.
const STEP: u64 = 12;
/// The first register, and the number of them: TCON, TMOD, TL0, TL1, TH0, TH1.
const BASE: u32 = SPECIAL + 0x88;
const COUNT: usize = 6;
const TCON: usize = 0;
const TMOD: usize = 1;
/// The lower and the higher register of each timer.
const TL: [usize; 2] = [2, 3];
const TH: [usize; 2] = [4, 5];
/// The bits of TCON that overflows set, and that let a timer run, by timer.
const OVERFLOW: [u8; 2] = [0x20, 0x80];
const RUN: [u8; 2] = [0x10, 0x40];
/// The bits of TCON by which external interrupts are asked for, and that let only an edge do so.
const EDGE_SEEN: [u8; 2] = [0x02, 0x08];
const BY_EDGE: [u8; 2] = [0x01, 0x04];
/// The bits of TCON that ask for an interrupt, by its line.
const ASKS: [u8; 4] = [EDGE_SEEN[0], OVERFLOW[0], EDGE_SEEN[1], OVERFLOW[1]];
/// Bits of a timer's half of TMOD.
const MODE: u8 = 0x03;
const COUNTS_PINS: u8 = 0x04;
/// The line of the device's own timer, which it shares with timer 0.
const SHARED_LINE: Lines = 1 << 1;

/// The timers and the registers that control them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Timers {
    /// The values of the registers in a cycle, since which nobody wrote them.
    registers: [u8; COUNT],
    since: u64,
}

/// A counter of one or two registers.
#[derive(Clone, Copy, Debug)]
struct Counter {
    value: u32,
    /// The first value that it does not have, and the one that follows the last.
    end: u32,
    reload: u32,
    /// The bit of TCON that an overflow sets, if there is one.
    flag: u8,
}

impl Counter {
    /// Counts on; returns true if it went past its last value.
    fn advance(&mut self, steps: u64) -> bool {
        let until = u64::from(self.end - self.value);
        if steps < until {
            self.value += steps as u32;
            return false;
        }
        let around = u64::from(self.end - self.reload);
        self.value = self.reload + ((steps - until) % around) as u32;
        true
    }
}

/// The register or registers that a counter is made of.
#[derive(Clone, Copy, Debug)]
enum Part {
    /// All of a timer, or TL0 where timer 0 is two counters.
    Timer(usize),
    /// TH0 where timer 0 is two counters.
    Upper,
}

const PARTS: [Part; 3] = [Part::Timer(0), Part::Timer(1), Part::Upper];

impl Timers {
    /// A timer's half of TMOD.
    const fn control(&self, timer: usize) -> u8 {
        self.registers[TMOD] >> (4 * timer) & 0x0f
    }

    const fn mode(&self, timer: usize) -> u8 {
        self.control(timer) & MODE
    }

    /// Returns true if timer 0 is two counters, of which the upper has the control bits of timer 1.
    const fn is_split(&self) -> bool {
        self.mode(0) == 3
    }

    /// A counter as it stands, if it runs.
    fn running(&self, part: Part) -> Option<Counter> {
        match part {
            Part::Upper => {
                let runs = self.is_split() && self.registers[TCON] & RUN[1] != 0;
                let value = self.registers[TH[0]].into();
                runs.then_some(Counter { value, end: 0x100, reload: 0, flag: OVERFLOW[1] })
            }
            Part::Timer(timer) => {
                let is_freed = timer == 1 && self.is_split();
                let runs = is_freed || self.registers[TCON] & RUN[timer] != 0;
                let flag = if is_freed { 0 } else { OVERFLOW[timer] };
                let counts = runs && self.control(timer) & COUNTS_PINS == 0;
                counts.then(|| self.counter(timer, flag)).flatten()
            }
        }
    }

    /// The counter that a mode makes of a timer; mode 3 stops timer 1.
    fn counter(&self, timer: usize, flag: u8) -> Option<Counter> {
        let (low, high) = (self.registers[TL[timer]], self.registers[TH[timer]]);
        let (low, high) = (u32::from(low), u32::from(high));
        let (value, end, reload) = match (self.mode(timer), timer) {
            (0, _) => (high << 5 | low & 0x1f, 0x2000, 0),
            (1, _) => (high << 8 | low, 0x1_0000, 0),
            (2, _) => (low, 0x100, high),
            (_, 0) => (low, 0x100, 0),
            _ => return None,
        };
        Some(Counter { value, end, reload, flag })
    }

    /// Puts a counter's value into its registers; the upper bits of TL, which the manual leaves open in mode 0, are 0
    /// then.
    fn put(&mut self, part: Part, value: u32) {
        let Part::Timer(timer) = part else {
            self.registers[TH[0]] = value as u8;
            return;
        };
        let (low, high) = (TL[timer], TH[timer]);
        match self.mode(timer) {
            0 => {
                self.registers[low] = value as u8 & 0x1f;
                self.registers[high] = (value >> 5) as u8;
            }
            1 => {
                self.registers[low] = value as u8;
                self.registers[high] = (value >> 8) as u8;
            }
            _ => self.registers[low] = value as u8,
        }
    }

    /// The timers in a cycle, if nobody writes them until then.
    fn at(mut self, cycle: u64) -> Self {
        let steps = (cycle / STEP).saturating_sub(self.since / STEP);
        for part in PARTS {
            let Some(mut counter) = self.running(part) else { continue };
            if counter.advance(steps) {
                self.registers[TCON] |= counter.flag;
            }
            self.put(part, counter.value);
        }
        self.since = self.since.max(cycle);
        self
    }

    /// A level asks as long as the pin is low, which it is not.
    fn drop_levels(&mut self) {
        for (seen, by_edge) in EDGE_SEEN.into_iter().zip(BY_EDGE) {
            if self.registers[TCON] & by_edge == 0 {
                self.registers[TCON] &= !seen;
            }
        }
    }
}

impl Private for Timers {
    fn range(&self) -> (u32, u32) {
        (BASE, COUNT as u32)
    }

    fn wait(&self) -> u32 {
        1
    }

    fn read(&mut self, offset: u32, cycle: u64, _: &dyn External) -> u32 {
        let registers = self.at(cycle).registers;
        let bytes = registers.iter().skip(offset as usize).take(4);
        bytes.rev().fold(0, |word, &byte| word << 8 | u32::from(byte))
    }

    fn write(&mut self, offset: u32, written: Written, cycle: u64) -> Effect {
        *self = self.at(cycle);
        let registers = self.registers.iter_mut().skip(offset as usize);
        for (at, register) in registers.take(4).enumerate() {
            let [bits, mask] = [written.bits, written.mask].map(|word| (word >> (8 * at)) as u8);
            *register = *register & !mask | bits;
        }
        self.drop_levels();
        Effect::Changed
    }

    fn lines(&self, cycle: u64, external: &dyn External) -> Lines {
        let control = self.at(cycle).registers[TCON];
        let up = |line: usize| Lines::from(control & ASKS[line] != 0) << line;
        let shared = if external.up(cycle) & 1 != 0 { SHARED_LINE } else { 0 };
        (0..ASKS.len()).map(up).sum::<Lines>() | shared
    }

    fn next_change(&self, cycle: u64, external: &dyn External) -> u64 {
        let now = self.at(cycle);
        let overflow = |part| {
            let counter = now.running(part)?;
            let is_new = counter.flag & !now.registers[TCON] != 0;
            let steps = u64::from(counter.end - counter.value);
            is_new.then_some((cycle / STEP + steps) * STEP)
        };
        let own = PARTS.into_iter().filter_map(overflow).min().unwrap_or(u64::MAX);
        own.min(external.next_change(cycle))
    }

    /// The core goes to a handler, which clears what asked for it.
    fn took(&mut self, number: u8, cycle: u64) {
        *self = self.at(cycle);
        self.registers[TCON] &= !ASKS.get(usize::from(number)).copied().unwrap_or(0);
    }

    fn sees(&mut self, _: &[u64]) {}

    fn decides(&self) -> Vec<(Slot, u64)> {
        vec![]
    }

    fn set_vectors(&mut self, _: u32) {}

    fn copy(&self) -> Box<dyn Private> {
        Box::new(*self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Nobody;

    impl External for Nobody {
        fn up(&self, _: u64) -> u32 {
            0
        }
        fn next_change(&self, _: u64) -> u64 {
            u64::MAX
        }
    }

    fn write(timers: &mut Timers, register: usize, value: u8, cycle: u64) {
        let shift = 8 * (register & 3);
        let written = Written { bits: u32::from(value) << shift, mask: 0xff << shift };
        timers.write((register & !3) as u32, written, cycle);
    }

    fn registers(timers: &mut Timers, cycle: u64) -> [u8; COUNT] {
        let [low, high] = [0, 4].map(|offset| timers.read(offset, cycle, &Nobody).to_le_bytes());
        [low[0], low[1], low[2], low[3], high[0], high[1]]
    }

    /// One step of both timers, as the manual's figures of the four modes draw them.
    fn drawn([mut tcon, tmod, mut tl0, mut tl1, mut th0, mut th1]: [u8; COUNT]) -> [u8; COUNT] {
        let (first, second) = (tmod & 3, tmod >> 4 & 3);
        let is_split = first == 3;
        let before = tcon;
        if before & 0x10 != 0 && tmod & 4 == 0 {
            let most = if first == 0 { 0x1f } else { 0xff };
            let carries = tl0 & most == most;
            tl0 = tl0.wrapping_add(1) & most;
            if carries && first < 2 {
                th0 = th0.wrapping_add(1);
                tcon |= if th0 == 0 { 0x20 } else { 0 };
            } else if carries {
                tl0 = if first == 2 { th0 } else { 0 };
                tcon |= 0x20;
            }
        }
        if (is_split || before & 0x40 != 0) && tmod & 0x40 == 0 && second != 3 {
            let overflow = if is_split { 0 } else { 0x80 };
            let most = if second == 0 { 0x1f } else { 0xff };
            let carries = tl1 & most == most;
            tl1 = tl1.wrapping_add(1) & most;
            if carries && second < 2 {
                th1 = th1.wrapping_add(1);
                tcon |= if th1 == 0 { overflow } else { 0 };
            } else if carries {
                tl1 = th1;
                tcon |= overflow;
            }
        }
        if is_split && before & 0x40 != 0 {
            th0 = th0.wrapping_add(1);
            tcon |= if th0 == 0 { 0x80 } else { 0 };
        }
        [tcon, tmod, tl0, tl1, th0, th1]
    }

    /// All modes, running or not, from before their overflows on, seen in every machine cycle and in the last alone.
    #[test]
    fn they_count_as_the_manual_draws_them() {
        for tmod in 0..=0xff {
            for tcon in [0x00, 0x10, 0x40, 0x50] {
                let start = [tcon, tmod, 0xf0, 0xfa, 0xff, 0xfe];
                let mut timers = Timers::default();
                for (register, &value) in start.iter().enumerate() {
                    write(&mut timers, register, value, 100);
                }
                let (mut expected, mut next) = (start, timers.next_change(100, &Nobody));
                for step in 1..600 {
                    let cycle = 96 + step * STEP;
                    let before = expected[TCON];
                    expected = drawn(expected);
                    assert_eq!(
                        registers(&mut timers, cycle),
                        expected,
                        "{tmod:#x} {tcon:#x} {step}"
                    );
                    assert_eq!(
                        next == cycle,
                        expected[TCON] != before,
                        "{tmod:#x} {tcon:#x} {step}"
                    );
                    next = timers.next_change(cycle, &Nobody);
                }
            }
        }
    }

    #[test]
    fn a_handler_clears_what_asked_for_it() {
        let mut timers = Timers::default();
        write(&mut timers, TCON, 0xaf, 0);
        assert_eq!(timers.lines(1, &Nobody), 0x0f);
        for (number, left) in [(0, 0x0e), (1, 0x0c), (2, 0x08), (3, 0x00)] {
            timers.took(number, 2);
            assert_eq!(timers.lines(3, &Nobody), left);
        }
        assert_eq!(registers(&mut timers, 4)[TCON], 0x05);
    }

    #[test]
    fn a_level_that_no_pin_has_asks_for_nothing() {
        let mut timers = Timers::default();
        write(&mut timers, TCON, 0x0a, 0);
        assert_eq!((timers.lines(1, &Nobody), registers(&mut timers, 1)[TCON]), (0, 0));
    }
}
