//! ARM7TDMI: three stages on one bus, which every cycle of an instruction that is not internal uses.
//!
//! Source: DDI 0210C, chapter 6 (instruction cycle timings); DDI 0029G, 10.18 (speed summary). Its
//! cycles are N (to any address), S (to the next one) and I (none); a memory gives the wait of each
//! access, and a core's parameter what N cycles wait more. A fetch behind an I cycle may be begun in it
//! (DDI 0029E, p. 10-4); whether a memory does so is its own affair.

use super::outcome::Outcome;
use super::site::Site;
use super::table::Rule;
use super::walk::{InstructionTiming, Pipeline};
use crate::class::Class;

/// An ARM7TDMI.
#[derive(Clone, Debug)]
pub(super) struct Arm7 {
    /// Cycles that an N cycle of a fetch waits more than an S cycle.
    pub nonsequential: u32,
    /// Memories, by address and size, that do not merge I and S cycles.
    pub unmerged: Vec<(u32, u32)>,
}

impl Arm7 {
    /// The wait of fetches: each instruction makes one, and a jump two more, of which one is an N cycle. So
    /// is the fetch behind a store, a move to a coprocessor, and where the memory does not merge behind an
    /// I cycle.
    fn fetches(&self, site: &Site<'_>, outcome: Outcome) -> u32 {
        let wait = site.code.fetch_wait(site.insn.pc).saturating_sub(1);
        if outcome == Outcome::Skipped {
            return wait;
        }
        let jumps = u32::from(site.register_use.jumps);
        let breaks = site.register_use.jumps
            || site.register_use.stores
            || site.is(Class::CoprocessorWrite)
            || (self.is_unmerged(site.insn.pc) && ends_inside(site));
        wait * (1 + u32::from(is_pair(site)) + 2 * jumps) + self.nonsequential * u32::from(breaks)
    }

    fn is_unmerged(&self, pc: u64) -> bool {
        let holds = |&(base, size): &(u32, u32)| (pc as u32).wrapping_sub(base) < size;
        self.unmerged.iter().any(holds)
    }
}

/// Returns true if an instruction ends with an I cycle.
fn ends_inside(site: &Site<'_>) -> bool {
    let loads = site.register_use.accesses != 0 && !site.register_use.stores;
    loads
        || site.register_use.shifts
        || matches!(site.row.rule, Rule::Early)
        || site.is(Class::Coprocessor)
}

impl Pipeline for Arm7 {
    type Hazards = ();

    fn pass(&self, site: &Site<'_>, (): &(), outcome: Outcome) -> InstructionTiming<()> {
        let row = site.row;
        let jumps = if site.register_use.jumps { row.per_step } else { 0 };
        let shifts = u32::from(site.is(Class::AluPc) && site.register_use.shifts);
        let pair = u32::from(is_pair(site));
        let cycles = match (row.rule, outcome) {
            (_, Outcome::Skipped) => 1,
            (_, Outcome::Steps(steps)) => row.ask + steps,
            (Rule::Multiple, _) => site.waited(row.ask + site.register_use.accesses) + jumps,
            (Rule::Access, _) => site.waited(row.ask) + jumps,
            (Rule::Jump, _) => row.ask + jumps + shifts + pair,
            _ => row.ask,
        };
        // The address is computed in the first cycle.
        InstructionTiming { cycles: cycles + self.fetches(site, outcome), sample: 1, hazards: () }
    }

    fn counts_fetches(&self) -> bool {
        true
    }

    fn reset(&self) -> u64 {
        // The vector is fetched as the target of a jump is (DDI 0210C, chapter 6).
        3
    }
}

/// True if it is the two halves of Thumb's `bl` at once, of which the first takes a cycle of its own.
pub(super) fn is_pair(site: &Site<'_>) -> bool {
    site.is(Class::BranchLink)
        && site.instruction.is_some_and(|instruction| instruction.thumb && instruction.length == 4)
}
