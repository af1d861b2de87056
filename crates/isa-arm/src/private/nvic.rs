//! The interrupt controller's part in exceptions: which wait, which are wanted, which come first (DDI
//! 0403, B1.5.4 and B3.4).

use cocrypt_isa::Written;

use super::EXTERNAL;

/// The number of external interrupts: as many as lines beside the exceptions before them.
pub const LINES: u32 = 32 - EXTERNAL as u32;

/// The priority of an exception; less is more. What is lost in a group does not interrupt.
pub type Urgency = i16;

/// Exceptions that nothing switches off: what programs ask for, and the system timer.
const ALWAYS: u32 = 1 << super::PENDSV | 1 << super::SYSTICK;

/// The controller's registers.
#[derive(Clone, Debug)]
pub struct Nvic {
    /// The bits of a priority that there are.
    kept: u8,
    /// The bit up to which priorities are told apart only where both wait.
    group: u32,
    enabled: u32,
    pending: u32,
    active: u32,
    /// By the numbers of exceptions.
    priority: [u8; 32],
}

impl Nvic {
    /// A controller with so many bits in a priority.
    pub fn new(priority_bits: u32) -> Self {
        let kept = !(0xff_u32 >> priority_bits) as u8;
        Self { kept, group: 0, enabled: 0, pending: 0, active: 0, priority: [0; 32] }
    }

    /// The external interrupts that are enabled.
    pub const fn enabled(&self) -> u32 {
        self.enabled >> EXTERNAL
    }

    /// Enables external interrupts, or disables them.
    pub fn enable(&mut self, which: u32, on: bool) {
        set(&mut self.enabled, which << EXTERNAL, on);
    }

    /// The exceptions that programs let wait.
    pub const fn pending(&self) -> u32 {
        self.pending
    }

    /// Lets exceptions wait, or not any more.
    pub fn pend(&mut self, which: u32, on: bool) {
        set(&mut self.pending, which, on);
    }

    /// The exceptions whose handlers have begun and not ended.
    pub const fn active(&self) -> u32 {
        self.active
    }

    /// The core handles another exception than before; 0 is none.
    pub fn handles(&mut self, before: u8, now: u8) {
        if now == before {
            return;
        }
        let goes_back = now == 0 || self.active >> now & 1 != 0;
        set(&mut self.active, if goes_back { 1 << before } else { 1 << now }, !goes_back);
    }

    /// The priorities of four exceptions.
    pub fn priorities(&self, first: u32) -> u32 {
        u32::from_le_bytes(std::array::from_fn(|more| self.priority[first as usize + more]))
    }

    /// Writes some of the priorities of four exceptions.
    pub fn set_priorities(&mut self, first: u32, written: Written) {
        let bytes = written.over(self.priorities(first)).to_le_bytes();
        for (more, byte) in bytes.into_iter().enumerate() {
            self.priority[first as usize + more] = byte & self.kept;
        }
    }

    /// AIRCR's PRIGROUP.
    pub const fn group(&self) -> u32 {
        self.group
    }

    /// Sets it.
    pub fn set_group(&mut self, group: u32) {
        self.group = group;
    }

    /// The part of a priority that decides about preemption.
    pub fn grouped(&self, priority: u8) -> Urgency {
        let lost = (2_u32 << self.group) - 1;
        (u32::from(priority & self.kept) & !lost) as Urgency
    }

    /// The active priority of an exception while it is handled; nothing if it is none.
    pub fn urgency(&self, number: u8) -> Option<Urgency> {
        match number {
            0 => None,
            // Reset, what nothing masks, and the hard fault.
            1..4 => Some(i16::from(number) - 4),
            _ => Some(self.grouped(self.priority[usize::from(number)])),
        }
    }

    /// Those of the exceptions that wait which are enabled.
    const fn wanted(&self, pending: u32) -> u32 {
        pending & (self.enabled | ALWAYS)
    }

    /// The exception that comes first of those that wait, and how urgent it is.
    pub fn most_urgent(&self, pending: u32) -> Option<(u8, Urgency)> {
        let wanted = self.wanted(pending);
        let numbers = (0..32_u8).filter(|number| wanted >> number & 1 != 0);
        let first = numbers.min_by_key(|&number| (self.priority[usize::from(number)], number))?;
        Some((first, self.grouped(self.priority[usize::from(first)])))
    }
}

fn set(bits: &mut u32, which: u32, on: bool) {
    *bits = if on { *bits | which } else { *bits & !which };
}
