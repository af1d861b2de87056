//! The state that the engine keeps for interrupts: when the next may come, and what ran before it.

use std::collections::VecDeque;
use std::sync::Arc;

use cocrypt_isa::Registers;

use crate::source::Source;

/// The number of changes of interrupt conditions that are kept, and the number of cycles for which one is
/// watched: as long as an instruction stays in a pipeline.
const REMEMBERED: usize = 4;
const WATCHED: u64 = 8;

/// Of a block's mode: it is of one instruction, for the time in which an interrupt is near.
const ALONE: u32 = 1 << 31;

/// The cycle in which the next interrupt may come.
#[derive(Clone, Debug)]
pub(super) struct Interrupts {
    /// No block may start in this cycle or later without a look.
    pub near: u64,
    /// The cycle in which a line may rise that the program is interrupted for.
    event: u64,
    /// Cycles that the longest block takes.
    longest: u64,
    /// True if every instruction is looked at, whatever the lines do.
    watched: bool,
    /// True if single instructions run.
    pub is_alone: bool,
    /// The block that runs alone, or did.
    previous: Option<Arc<Source>>,
    /// The last block that may have let an interrupt in, and the cycle in which it ended.
    yielded: Option<(Arc<Source>, u64)>,
    /// The guest state in front of it.
    before: Vec<u64>,
    /// The earlier guest state, with the cycle from which on it held; the last comes last, and only where
    /// the timing model may ask.
    history: VecDeque<(u64, Vec<u64>)>,
    /// The cycle behind the last return from a handler.
    returned: u64,
    /// The first cycle whose lines the core has not yet kept.
    pub latched: u64,
    /// Bytes of the instruction that was left in this cycle, where no block tells.
    left: Option<(u8, u64)>,
}

impl Default for Interrupts {
    fn default() -> Self {
        Self {
            near: u64::MAX,
            event: u64::MAX,
            longest: 0,
            watched: false,
            is_alone: false,
            previous: None,
            yielded: None,
            before: vec![],
            history: VecDeque::new(),
            returned: u64::MAX,
            latched: 0,
            left: None,
        }
    }
}

impl Interrupts {
    /// The bits of a block's mode beside those for decoding.
    pub const fn alone(&self) -> u32 {
        if self.is_alone { ALONE } else { 0 }
    }

    /// Goes back to an earlier state; the blocks that there are by now stay.
    pub fn rewind(&mut self, to: &Self) {
        let longest = self.longest;
        self.clone_from(to);
        self.longer(longest);
    }

    /// There is a block that takes so many cycles.
    pub fn longer(&mut self, cycles: u64) {
        self.longest = self.longest.max(cycles);
        self.expect(self.event);
    }

    /// A line may rise in this cycle that the program is interrupted for.
    pub fn expect(&mut self, event: u64) {
        self.event = event;
        // Nothing is near to what never comes.
        self.near = match event {
            _ if self.watched => 0,
            u64::MAX => event,
            _ => event.saturating_sub(self.longest),
        };
    }

    /// A change that may have come too late for what is in the pipeline is still to be watched in this
    /// cycle.
    pub fn watch(&mut self, cycle: u64) {
        let last = self.history.back();
        self.watched = last.is_some_and(|(since, _)| cycle < since + WATCHED);
    }

    /// A block ended in this cycle that may have let an interrupt in.
    pub fn yielded(&mut self, block: Arc<Source>, returns: bool, cycle: u64) {
        self.yielded = Some((block, cycle));
        if self.is_alone {
            // What masked the interrupt may have come too late.
            self.watched = true;
            self.expect(self.event);
        }
        if returns {
            self.returned = cycle;
        }
    }

    /// A block was left within, behind an instruction of so many bytes, in this cycle.
    pub fn left_within(&mut self, length: u8, cycle: u64) {
        (self.previous, self.yielded) = (None, None);
        self.left_behind(length, cycle);
    }

    /// An instruction of so many bytes ended in this cycle where no block tells of it.
    pub fn left_behind(&mut self, length: u8, cycle: u64) {
        self.left = Some((length, cycle));
    }

    /// A block is about to be issued, in front of which the guest state is this.
    pub fn issues(&mut self, block: &Arc<Source>, state: &[u64]) {
        self.previous = self.is_alone.then(|| Arc::clone(block));
        self.before.clear();
        self.before.extend_from_slice(state);
    }

    /// From this cycle on the guest state is this one.
    pub fn changed(&mut self, since: u64, state: Vec<u64>) {
        if self.history.len() == REMEMBERED {
            self.history.pop_front();
        }
        self.history.push_back((since, state));
    }

    /// The block that ended in this cycle, if it was looked at.
    pub fn previous(&self, cycle: u64) -> Option<&Source> {
        let yielded = self.yielded.as_ref().filter(|(_, end)| *end == cycle);
        yielded.map(|(block, _)| &**block).or(self.previous.as_deref())
    }

    /// Returns true if the instruction that ended in this cycle came back from a handler.
    pub const fn has_returned(&self, cycle: u64) -> bool {
        self.returned == cycle
    }

    /// Bytes of the instruction that ended in this cycle, where no block tells.
    pub fn left(&self, cycle: u64) -> Option<u8> {
        self.left.filter(|(_, end)| *end == cycle).map(|(length, _)| length)
    }

    /// The guest state by which a core decides in front of an instruction that would be issued in cycle
    /// `issue`, given what it is `now`; nothing where that is not known.
    pub fn state<'a>(
        &'a self,
        registers: Registers,
        issue: u64,
        now: &'a [u64],
    ) -> Option<&'a [u64]> {
        match registers {
            Registers::Now => Some(now),
            Registers::Before => {
                let is_known = self.previous.is_some() && !self.before.is_empty();
                is_known.then_some(&self.before)
            }
            Registers::At(cycle) => {
                let at = issue.saturating_add_signed(cycle.into());
                let mut then = self.history.iter().rev().filter(|(since, _)| *since <= at);
                then.next().map(|(_, state)| &state[..])
            }
        }
    }
}
