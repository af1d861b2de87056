//! Timers of a chip: counters of cycles that overflow or are cleared at a comparison, with flags that interrupt.
//!
//! Source: data sheets of AVR, "Timer/Counter", "Timing Diagrams": a flag is set with the step of the counter
//! that leaves the value compared with, or the greatest; a prescaler counts from reset on.

use cocrypt_config as config;
use cocrypt_isa::Lines;

/// A timer.
#[derive(Clone, Debug)]
pub struct ChipTimer {
    described: config::ChipTimer,
    modes: [u8; 2],
    /// The count in a cycle, since which it was left alone.
    count: u64,
    since: u64,
    compares: Vec<u64>,
    mask: u8,
    /// The flags that were up in that cycle.
    flags: u8,
    /// The upper half of a count that is read or written by bytes.
    upper: u8,
}

/// The settings of a timer that are not modelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownMode;

impl ChipTimer {
    /// A timer after reset.
    pub fn new(described: &config::ChipTimer) -> Self {
        Self {
            modes: [0; 2],
            count: 0,
            since: 0,
            compares: vec![0; described.compares.len()],
            mask: 0,
            flags: 0,
            upper: 0,
            described: described.clone(),
        }
    }

    /// Its name, for people.
    pub fn name(&self) -> &str {
        &self.described.name
    }

    /// The value of a byte in a cycle; nothing where it is none of its registers.
    pub fn read(&mut self, address: u32, cycle: u64) -> Option<u8> {
        let at = u64::from(address);
        let described = &self.described;
        if let Some(place) = self.place(described.count, at) {
            if place == 0 {
                let count = self.count_at(cycle);
                self.upper = (count >> 8) as u8;
                return Some(count as u8);
            }
            return Some(self.upper);
        }
        for (number, &base) in described.compares.iter().enumerate() {
            if let Some(place) = self.place(base, at) {
                return Some((self.compares[number] >> (8 * place)) as u8);
            }
        }
        match at {
            at if at == described.mode => Some(self.modes[0]),
            at if at == described.clock => Some(self.modes[1]),
            at if at == described.mask => Some(self.mask),
            at if at == described.flags => Some(self.flags_at(cycle)),
            _ => None,
        }
    }

    /// Writes a byte in a cycle; nothing where it is none of its registers.
    pub fn write(
        &mut self,
        address: u32,
        value: u8,
        cycle: u64,
    ) -> Option<Result<(), UnknownMode>> {
        let at = u64::from(address);
        let (counts, compared) = (self.place(self.described.count, at), self.compared(at));
        let registers =
            [self.described.mode, self.described.clock, self.described.mask, self.described.flags];
        let register = registers.iter().position(|&register| register == at);
        if counts.is_none() && compared.is_none() && register.is_none() {
            return None;
        }
        self.settle(cycle);
        let whole = u64::from(value) | self.higher();
        match (counts, compared, register) {
            (Some(0), ..) => self.count = whole,
            (_, Some((number, 0)), _) => self.compares[number] = whole,
            (.., Some(number @ (0 | 1))) => {
                self.modes[number] = value;
                let modes = u32::from(u16::from_le_bytes(self.modes));
                if modes & !self.described.modelled != 0 || self.divisor().is_none() {
                    return Some(Err(UnknownMode));
                }
            }
            (.., Some(2)) if u32::from(value) >> self.described.vectors.len() != 0 => {
                return Some(Err(UnknownMode));
            }
            (.., Some(2)) => self.mask = value,
            (.., Some(_)) => self.flags &= !value,
            _ => self.upper = value,
        }
        Some(Ok(()))
    }

    /// The interrupts that it asks for in a cycle.
    pub fn lines(&self, cycle: u64) -> Lines {
        let up = self.flags_at(cycle) & self.mask;
        let vectors = self.described.vectors.iter().enumerate();
        vectors.filter(|(flag, _)| up >> flag & 1 != 0).map(|(_, vector)| 1 << vector).sum()
    }

    /// The first cycle behind this one in which it asks for another.
    pub fn next_change(&self, cycle: u64) -> u64 {
        let up = self.flags_at(cycle);
        let open =
            (0..self.described.vectors.len()).filter(|flag| self.mask & !up & 1 << flag != 0);
        open.map(|flag| self.first(flag)).filter(|&at| at > cycle).min().unwrap_or(u64::MAX)
    }

    /// The core goes to the handler of an interrupt, which clears its flag.
    pub fn took(&mut self, number: u8, cycle: u64) {
        let vectors = &self.described.vectors;
        if let Some(flag) = vectors.iter().position(|&vector| vector == i64::from(number)) {
            self.settle(cycle);
            self.flags &= !(1 << flag);
        }
    }

    fn place(&self, base: u64, at: u64) -> Option<u64> {
        at.checked_sub(base).filter(|&place| place < u64::from(self.described.bits.div_ceil(8)))
    }

    fn compared(&self, at: u64) -> Option<(usize, u64)> {
        let mut numbered = self.described.compares.iter().enumerate();
        numbered.find_map(|(number, &base)| Some((number, self.place(base, at)?)))
    }

    fn higher(&self) -> u64 {
        if self.described.bits > 8 { u64::from(self.upper) << 8 } else { 0 }
    }

    /// The divisor of the clock, 0 where it stands; nothing for one that is not there.
    fn divisor(&self) -> Option<u64> {
        let select = self.modes[1] & 7;
        self.described.divisors.get(usize::from(select)).map(|&divisor| divisor as u64)
    }

    fn greatest(&self) -> u64 {
        (1 << self.described.bits) - 1
    }

    /// The last value before it begins again, once it is not beyond.
    fn top(&self) -> u64 {
        let modes = u32::from(u16::from_le_bytes(self.modes));
        let clears =
            self.described.clears != 0 && modes & self.described.clears == self.described.clears;
        let first = self.compares.first().filter(|_| clears);
        first.copied().unwrap_or_else(|| self.greatest())
    }

    /// Steps of the counter from the cycle that it was left alone since.
    fn steps(&self, cycle: u64) -> u64 {
        match self.divisor() {
            Some(divisor) if divisor > 0 => (cycle / divisor).saturating_sub(self.since / divisor),
            _ => 0,
        }
    }

    fn count_at(&self, cycle: u64) -> u64 {
        let (steps, top) = (self.steps(cycle), self.top());
        // Beyond the top it goes on to its greatest value.
        let until = if self.count > top { self.greatest() + 1 - self.count } else { 0 };
        match steps.checked_sub(until) {
            None => self.count + steps,
            Some(steps) if until > 0 => steps % (top + 1),
            Some(steps) => (self.count + steps) % (top + 1),
        }
    }

    fn flags_at(&self, cycle: u64) -> u8 {
        let flags = 0..self.described.vectors.len();
        flags.filter(|&flag| self.first(flag) <= cycle).fold(self.flags, |up, flag| up | 1 << flag)
    }

    /// The cycle in which a flag is first set, from where it was left alone.
    fn first(&self, flag: usize) -> u64 {
        let value = if flag == 0 { self.greatest() } else { self.compares[flag - 1] };
        let (steps, divisor) = (self.steps_past(value), self.divisor().unwrap_or(0));
        let before = self.since.checked_div(divisor);
        let at = before.zip(steps).map(|(before, steps)| (before + steps) * divisor);
        at.unwrap_or(u64::MAX)
    }

    /// Steps until the counter leaves a value; nothing where it does not come there.
    fn steps_past(&self, value: u64) -> Option<u64> {
        let (count, top) = (self.count, self.top());
        let around = if count > top { self.greatest() + 1 - count } else { top + 1 - count };
        if value >= count && (count > top || value <= top) {
            return Some(value - count + 1);
        }
        (value <= top).then(|| around + value + 1)
    }

    fn settle(&mut self, cycle: u64) {
        (self.count, self.flags) = (self.count_at(cycle), self.flags_at(cycle));
        self.since = self.since.max(cycle);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLOCK: u32 = 0x81;
    const COUNT: u32 = 0x84;
    const COMPARES: [u32; 2] = [0x88, 0x8a];
    const MASK: u32 = 0x6f;
    const FLAGS: u32 = 0x36;
    const CLEARS: u8 = 8;

    fn timer() -> ChipTimer {
        ChipTimer::new(&config::ChipTimer {
            bits: 8,
            mode: 0x80,
            clock: CLOCK.into(),
            count: COUNT.into(),
            compares: COMPARES.map(u64::from).to_vec(),
            mask: MASK.into(),
            flags: FLAGS.into(),
            clears: u32::from(CLEARS) << 8,
            modelled: 0x0f00,
            divisors: vec![0, 1, 8, 64],
            vectors: vec![20, 17, 18],
            ..config::ChipTimer::default()
        })
    }

    /// A counter that goes from cycle to cycle, as data sheets draw it.
    struct Drawn {
        divisor: u64,
        top: u8,
        compares: [u8; 2],
        count: u8,
        flags: u8,
    }

    impl Drawn {
        fn pass(&mut self, cycle: u64) {
            if !cycle.is_multiple_of(self.divisor) {
                return;
            }
            self.flags |= u8::from(self.count == u8::MAX);
            for (number, &compare) in self.compares.iter().enumerate() {
                self.flags |= u8::from(self.count == compare) << (number + 1);
            }
            self.count = if self.count == self.top { 0 } else { self.count.wrapping_add(1) };
        }
    }

    /// All settings, from counts below and above the top.
    #[test]
    fn it_counts_as_it_does_from_cycle_to_cycle() {
        for (select, divisor) in [(1u8, 1u64), (2, 8), (3, 64)] {
            for clears in [0, CLEARS] {
                for (count, compares) in
                    [(0, [9, 3]), (0, [0, 255]), (5, [5, 4]), (250, [9, 252]), (255, [255, 255])]
                {
                    let top = if clears == 0 { u8::MAX } else { compares[0] };
                    check(select | clears, Drawn { divisor, top, compares, count, flags: 0 });
                }
            }
        }
    }

    fn check(clock: u8, mut drawn: Drawn) {
        let (mut timer, since) = (timer(), 100);
        let registers = [(COMPARES[0], drawn.compares[0]), (COMPARES[1], drawn.compares[1])];
        for (at, value) in registers.into_iter().chain([(COUNT, drawn.count), (MASK, 7)]) {
            assert_eq!(timer.write(at, value, since), Some(Ok(())));
        }
        assert_eq!(timer.write(CLOCK, clock, since), Some(Ok(())));
        let mut next = timer.next_change(since);
        for cycle in since + 1..since + 600 * drawn.divisor {
            let before = drawn.flags;
            drawn.pass(cycle);
            assert_eq!(timer.read(COUNT, cycle), Some(drawn.count), "{cycle}");
            assert_eq!(timer.read(FLAGS, cycle), Some(drawn.flags), "{cycle}");
            if drawn.flags != before {
                assert_eq!(next, cycle);
                next = timer.next_change(cycle);
            }
        }
        assert_eq!(next, u64::MAX);
    }

    #[test]
    fn a_handler_and_a_1_clear_a_flag() {
        let mut timer = timer();
        for (at, value) in [(COMPARES[0], 9), (COMPARES[1], 9), (MASK, 6), (CLOCK, 1)] {
            assert_eq!(timer.write(at, value, 0), Some(Ok(())));
        }
        assert_eq!(timer.lines(9), 0);
        assert_eq!(timer.lines(10), 1 << 17 | 1 << 18);
        timer.took(17, 12);
        assert_eq!(timer.lines(12), 1 << 18);
        assert_eq!(timer.write(FLAGS, 4, 13), Some(Ok(())));
        assert_eq!(timer.lines(13), 0);
        assert_eq!(timer.lines(10 + 256), 1 << 17 | 1 << 18);
    }

    #[test]
    fn what_is_not_modelled_is_said() {
        for (at, value) in [(0x80, 1), (CLOCK, 7), (CLOCK, 0x11), (MASK, 8)] {
            assert_eq!(timer().write(at, value, 0), Some(Err(UnknownMode)));
        }
        assert_eq!(timer().write(0x82, 0, 0), None);
    }
}
