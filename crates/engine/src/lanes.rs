//! Many runs of one program in lock step: one machine runs, and the values of the others go along in lanes.
//!
//! Runs of a traced function begin in the same state but for some contents of memory. While they take the same path in
//! the same time, only one of them needs a machine: the leader. Behind each of its instructions the lanes evaluate the
//! same operations on their own cells and memory, by vector instructions of the host, and show that nothing that
//! decides about the path or about time differs from the leader: branches, guards, targets, operands that cost cycles,
//! the kind of memory of each access. A lane for which that does not hold is dropped, and its run is to be made
//! alone. Where the leader does what depends on more than cells and memory (peripherals, interrupts, counters), all
//! lanes are.
//!
//! Lane 0 repeats the leader's own run, so that what it computes is compared with the leader at each instruction.

// Only what is inlined is compiled for the vector instructions of the host.
#![allow(clippy::inline_always)]

mod compute;
mod memory;
mod step;
mod weigh;

use std::sync::Arc;

use cocrypt_simd::Instructions;

use self::memory::LaneMemory;
pub(crate) use self::memory::is_plain;
use self::step::{Part, Step};
use self::weigh::LaneLatches;
use crate::interpret::Cells;
use crate::leakage::{LeakageModel, MemoryAccess, Report};
use crate::ram::Ram;
use crate::source::Source;

/// The number of runs that go along at once; a bit of a word each.
pub const LANES: usize = 64;
/// As few lanes are not worth the effort for all of them.
const FEW: u32 = LANES as u32 / 8;
/// Contributions that are kept before they are handed on.
const KEPT: usize = 256;

/// A value of each lane.
pub(crate) type Row = [u64; LANES];

/// The sum of what each lane contributes to one sample.
#[derive(Clone, Debug)]
pub struct Contribution {
    /// The sample's index in the window.
    pub at: u64,
    /// The sum of each lane, in units of 1 / [`SCALE`](crate::SCALE).
    pub sums: [i64; LANES],
}

/// The lanes.
pub struct Lanes {
    instructions: Instructions,
    model: Arc<LeakageModel>,
    cells: Vec<Row>,
    memory: LaneMemory,
    latches: LaneLatches,
    /// The lanes that took the leader's path in its time so far, a bit each; none if they were given up.
    together: u64,
    /// The values of the written registers from before the instruction.
    before: Vec<Row>,
    contributions: Vec<Contribution>,
    /// The number of cells that are guest state.
    guest: usize,
    /// The leader's instruction whose access was refused because it is not aligned, with its place in the window.
    refused: Option<(Arc<Source>, u64)>,
}

impl Lanes {
    /// Lanes for runs that begin with this memory, where the guest state has `guest` cells.
    #[must_use]
    pub fn new(model: Arc<LeakageModel>, original: &Ram, guest: usize) -> Self {
        Self {
            instructions: Instructions::widest(),
            model,
            cells: vec![[0; LANES]; 256],
            memory: LaneMemory::new(original),
            latches: LaneLatches::default(),
            together: 0,
            before: vec![],
            contributions: Vec::with_capacity(KEPT + 1),
            guest,
            refused: None,
        }
    }

    /// Begins again: all lanes are together, with these cells and the original memory.
    pub fn begin(&mut self, cells: &[u64]) {
        for (row, &cell) in self.cells.iter_mut().zip(cells) {
            *row = [cell; LANES];
        }
        self.memory.clear();
        self.latches = LaneLatches::default();
        self.contributions.clear();
        self.refused = None;
        self.together = u64::MAX;
    }

    /// Puts bytes into a lane's memory; false if not all of them go to the directly mapped memory, or if one is code.
    #[must_use]
    pub fn load(
        &mut self,
        lane: usize,
        address: u32,
        bytes: &[u8],
        (original, ram): (&Ram, &Ram),
    ) -> bool {
        bytes.iter().zip(0..).all(|(&byte, offset)| {
            let at = address.wrapping_add(offset);
            !ram.is_code(at, 1) && self.memory.put(lane, at, byte, original)
        })
    }

    /// Bytes of a lane's memory, if all of them lie in memory that lanes have.
    #[must_use]
    pub fn read(&self, lane: usize, address: u32, size: usize, original: &Ram) -> Option<Vec<u8>> {
        let addresses = (0..size as u32).map(|offset| address.wrapping_add(offset));
        addresses.map(|at| self.memory.byte(lane, at, original)).collect()
    }

    /// The lanes whose runs took the leader's path in its time, a bit each.
    #[must_use]
    pub const fn together(&self) -> u64 {
        self.together
    }

    /// Returns true while there are lanes to go along.
    pub(crate) const fn go_along(&self) -> bool {
        self.together != 0
    }

    /// Gives all lanes up.
    pub fn give_up(&mut self) {
        self.together = 0;
    }

    /// Hands on what was contributed since the last call. The last sample may get more, and waits unless the window is
    /// over.
    pub fn hand_on(&mut self, is_over: bool, take: &mut dyn FnMut(&[Contribution])) {
        let waiting = usize::from(!is_over);
        let count = self.contributions.len().saturating_sub(waiting);
        take(&self.contributions[..count]);
        self.contributions.drain(..count);
    }

    /// Returns true if enough contributions are there to be handed on.
    pub(crate) const fn is_full(&self) -> bool {
        self.contributions.len() > KEPT
    }

    /// The leader's block of one instruction was left before it, to be issued again.
    pub(crate) fn left(&mut self, source: &Source, memories: (&Ram, &Ram)) {
        self.step(source, Part::Time, &[], memories);
    }

    /// The leader's instruction waits until it is known what becomes of its access, which is not aligned.
    pub(crate) fn suspend(&mut self, source: Arc<Source>, at: u64) {
        self.refused = Some((source, at));
    }

    /// Follows the instruction that waits, if there is one: the leader made its access in these parts, or did something
    /// else.
    pub(crate) fn resume(
        &mut self,
        report: Option<&Report>,
        leader: &Cells,
        memories: (&Ram, &Ram),
    ) {
        match (self.refused.take(), report) {
            (None, _) => {}
            (Some((source, at)), Some(report)) if !report.accesses.is_empty() => {
                self.follow_in((&source, at), &report.accesses, report, leader, memories);
            }
            _ => self.give_up(),
        }
    }

    /// The leader's instruction completed, which was issued `at` so many cycles in the window.
    pub(crate) fn follow(
        &mut self,
        (source, at): (&Source, u64),
        report: &Report,
        leader: &Cells,
        memories: (&Ram, &Ram),
    ) {
        self.follow_in((source, at), &[], report, leader, memories);
    }

    /// The same where the access is made in these parts.
    fn follow_in(
        &mut self,
        (source, at): (&Source, u64),
        parts: &[MemoryAccess],
        report: &Report,
        leader: &Cells,
        memories: (&Ram, &Ram),
    ) {
        let Some((skipped, sums)) = self.step(source, Part::Whole, parts, memories) else {
            return self.give_up();
        };
        let written = source.block.ops.iter().filter_map(cocrypt_ir::Op::dst);
        let mut written = written.map(|slot| usize::from(slot.0)).filter(|&cell| cell < self.guest);
        let is_same =
            skipped == report.skipped && written.all(|cell| self.cells[cell][0] == leader[cell]);
        if !is_same || self.together.count_ones() < FEW {
            return self.give_up();
        }
        self.contribute(at, &sums);
    }

    /// Returns true if lane 0 ends where the leader does, with the same cells and memory.
    #[must_use]
    pub fn agree(&self, leader: &[u64], ram: &Ram) -> bool {
        let mut cells = self.cells.iter().zip(leader).take(self.guest);
        cells.all(|(row, &cell)| row[0] == cell) && self.memory.agrees(ram)
    }

    fn step(
        &mut self,
        source: &Source,
        part: Part,
        parts: &[MemoryAccess],
        memories: (&Ram, &Ram),
    ) -> Option<(u64, [i64; LANES])> {
        let instructions = self.instructions;
        let observation = source.observation.as_ref()?;
        let outcome =
            instructions.run(Step { lanes: self, source, observation, part, parts, memories });
        if outcome.is_none() {
            self.give_up();
        }
        outcome
    }

    /// Adds to the sample at an index. Instructions are issued in the order of cycles.
    fn contribute(&mut self, at: u64, sums: &[i64; LANES]) {
        match self.contributions.last_mut() {
            Some(last) if last.at == at => {
                for (sum, more) in last.sums.iter_mut().zip(sums) {
                    *sum = sum.wrapping_add(*more);
                }
            }
            Some(last) if last.at > at => self.give_up(),
            _ => self.contributions.push(Contribution { at, sums: *sums }),
        }
    }
}
