//! Cortex-M0, M0+, M3 and M4: three stages (M0+: two), of which the last one takes several cycles
//! where an instruction needs them.
//!
//! Sources: DDI 0432C (M0), DDI 0484C (M0+), DDI 0337 (M3) and DDI 0439 (M4), tables 3-1 and, of the
//! latter two, the section on load and store timings (3.3.2); DDI 0337G, table 15-3, which says in which
//! stage a branch sends the fetch stage to its target. What these leave open is settled by what others
//! measured on chips: the projects `CMEmu` (mimuw-distributed-systems-group/cmemu, CC2650 and STM32F100)
//! and "pipeline cycle test" (jnk0le/random, STM32F103 and STM32F407), or is an assumption;
//! docs/timing-arm.md lists all of them.

use cocrypt_isa::CodeMemory;

use super::outcome::Outcome;
use super::register_use::{RegisterUse, Registers};
use super::site::Site;
use super::table::Rule;
use super::walk::{InstructionTiming, Pipeline};
use crate::class::Class;
use crate::instruction::{Barrier, Condition, Hint, Instruction, Operand, Operation, Register};

/// A core of the M profile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cortex {
    /// Its properties beyond the table.
    pub overlaps: Overlaps,
    /// Cycles from the end of reset until the first instruction is issued.
    pub reset: u64,
}

/// A core's properties beyond the table: accesses one behind the other, addresses that come late, early
/// branches, and `it` for nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Overlaps {
    /// Nothing (M0, M0+).
    None,
    /// All of that; an access that changes its base does not overlap a load before it (M3).
    Plain,
    /// All of that, whatever becomes of the base (M4).
    Based,
}

const LINK: Register = 14;
const STACK: Register = 13;

/// The state that the last instruction left.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Hazards {
    /// Registers that it computed.
    computed: Registers,
    /// Registers of a single load that the next access can overlap: what was loaded, and a base register
    /// that was changed. No bits where there was none.
    loaded: Registers,
    /// True if it wrote the link register.
    link: bool,
    /// The other state that the next instruction meets.
    effect: NextEffect,
}

/// The effect of an instruction on the next one, whatever its registers are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
enum NextEffect {
    #[default]
    Nothing,
    /// A `nop` costs nothing.
    HidesNop,
    /// An `it` costs nothing.
    HidesIt,
    /// A load waits for the data of this store.
    Stored,
}

impl Cortex {
    fn has_overlaps(self) -> bool {
        self.overlaps != Overlaps::None
    }

    /// Cycles that an instruction waits for its address, which the cycle before computed: there is no way
    /// around the registers (DDI 0439, 3.3.2). What was loaded comes in time (`CMEmu`). A load also waits
    /// for the data of a store right before it ("pipeline cycle test").
    fn stall(self, site: &Site<'_>, hazards: &Hazards) -> u32 {
        let computed = site.register_use.address & hazards.computed != 0;
        let stored = hazards.effect == NextEffect::Stored
            && site.register_use.accesses != 0
            && !site.register_use.stores;
        u32::from(self.has_overlaps() && computed) + u32::from(stored)
    }

    /// Returns true if an access begins while a load before it ends.
    fn follows(self, site: &Site<'_>, hazards: &Hazards) -> bool {
        hazards.loaded != 0
            && is_single(site)
            && (site.register_use.base == 0 || self.overlaps == Overlaps::Based)
            && site.register_use.address & hazards.loaded == 0
    }

    /// Returns true if an instruction that an IT block skips goes beside a load before it, as `nop` does
    /// and an access whose address is known (`CMEmu`).
    fn skips_beside(self, site: &Site<'_>, hazards: &Hazards) -> bool {
        let goes = if site.register_use.accesses == 0 {
            hazards.loaded != 0 && !site.is(Class::Branch)
        } else {
            self.follows(site, hazards)
        };
        self.has_overlaps() && goes
    }

    /// Cycles of what leads away: 1 where the target is known while the instruction is decoded.
    fn refill(self, site: &Site<'_>, hazards: &Hazards) -> u32 {
        let steps = site.row.per_step;
        if !self.has_overlaps() {
            return steps;
        }
        match register_target(site) {
            Some(LINK) if !hazards.link => 1,
            Some(_) => steps.min(2),
            None => steps,
        }
    }

    fn cycles(self, site: &Site<'_>, hazards: &Hazards, outcome: Outcome) -> u32 {
        let row = site.row;
        match (row.rule, outcome) {
            (_, Outcome::Steps(steps)) => steps,
            (Rule::Fold, _) if hazards.effect == NextEffect::HidesIt => 0,
            (Rule::Multiple, _) => site.waited(row.ask + site.register_use.accesses),
            (Rule::Access, _) => {
                let hidden = u32::from(self.has_overlaps() && is_quick_store(site));
                let hidden = hidden + u32::from(self.follows(site, hazards));
                site.waited(row.ask).saturating_sub(hidden)
            }
            (Rule::Jump, _) if site.register_use.accesses != 0 => site.waited(row.ask),
            _ if hazards.effect == NextEffect::HidesNop && is_nop(site) => 0,
            // It takes as long as a jump from execute.
            _ if self.has_overlaps() && is_instruction_barrier(site) => row.ask + 2,
            _ => row.ask,
        }
    }

    fn behind(self, site: &Site<'_>, hazards: &Hazards, cycles: u32) -> Hazards {
        if !self.has_overlaps() || site.register_use.jumps {
            return Hazards::default();
        }
        if site.row.rule == Rule::Fold {
            let kept = if cycles == 0 { hazards.computed } else { 0 };
            return Hazards {
                computed: kept,
                link: hazards.link && cycles == 0,
                ..Hazards::default()
            };
        }
        let register_use = &site.register_use;
        let single = is_single(site);
        let loads = single && !register_use.stores && register_use.last != Some(STACK);
        let narrow = site.insn.length == 2 && cycles == 1;
        Hazards {
            // A changed base is computed, too; behind a load it only ends what overlaps.
            computed: match register_use.accesses {
                0 => register_use.results,
                _ if register_use.stores => register_use.base,
                _ => 0,
            },
            loaded: if loads { register_use.loaded | register_use.base } else { 0 },
            link: register_use.writes() & 1 << LINK != 0,
            effect: match register_use.accesses {
                0 if narrow && !site.is(Class::ChangeState) => NextEffect::HidesIt,
                1.. if is_quick_store(site) => NextEffect::Stored,
                1.. if loads || single && register_use.stores && register_use.indexed => {
                    NextEffect::HidesNop
                }
                _ => NextEffect::Nothing,
            },
        }
    }
}

impl Pipeline for Cortex {
    type Hazards = Hazards;

    fn pass(
        &self,
        site: &Site<'_>,
        hazards: &Hazards,
        outcome: Outcome,
    ) -> InstructionTiming<Hazards> {
        if outcome == Outcome::Skipped {
            let cycles = u32::from(!self.skips_beside(site, hazards));
            return InstructionTiming { cycles, sample: 0, hazards: Hazards::default() };
        }
        let stall = self.stall(site, hazards);
        let mut cycles = self.cycles(site, hazards, outcome);
        if site.register_use.jumps
            && matches!(site.row.rule, Rule::Jump | Rule::Access | Rule::Multiple)
        {
            cycles += self.refill(site, hazards);
        }
        let behind = self.behind(site, hazards, cycles + stall);
        InstructionTiming { cycles: cycles + stall, sample: stall, hazards: behind }
    }

    fn settle(&self, hazards: Hazards, next: &Instruction) -> Hazards {
        let register_use = RegisterUse::of(next);
        let conditional = next.condition != Condition::Always;
        let keeps = register_use.accesses == 1 || (conditional && register_use.accesses == 0);
        let returns = matches!(next.operation, Operation::BranchExchange { .. })
            || register_use.results & 1 << 15 != 0;
        let is_it = matches!(next.operation, Operation::It { .. });
        let effect = match hazards.effect {
            NextEffect::Nothing => false,
            NextEffect::HidesNop => next.operation == Operation::Hint(Hint::Nop),
            NextEffect::HidesIt => is_it,
            NextEffect::Stored => register_use.accesses != 0 && !register_use.stores,
        };
        Hazards {
            // An `it` that costs nothing hands on what was before it.
            computed: if is_it {
                hazards.computed
            } else {
                hazards.computed & register_use.address
            },
            loaded: if keeps { hazards.loaded } else { 0 },
            link: hazards.link && (returns || is_it),
            effect: if effect { hazards.effect } else { NextEffect::Nothing },
        }
    }

    /// A wide instruction in two words takes a fetch more before it can be decoded. DDI 0439 says that
    /// width and alignment of the target count; that it is one cycle was measured on a Cortex-M4
    /// (compendium.i-0.nl, "Alignment rules").
    fn entrance(&self, target: u64, code: &dyn CodeMemory) -> Option<u32> {
        let is_wide = code.unit(target).is_some_and(|unit| unit >= 0xe800);
        self.has_overlaps().then_some(u32::from(target & 2 != 0 && is_wide))
    }

    fn reset(&self) -> u64 {
        self.reset
    }
}

/// A load or store of one register, alone.
fn is_single(site: &Site<'_>) -> bool {
    let single =
        [Class::Load, Class::LoadNarrow, Class::LoadExclusive, Class::StoreExclusive, Class::Store];
    !site.register_use.jumps && single.iter().any(|&class| site.is(class))
}

/// A store to a base register and a constant, whose data is on its way while the next instruction runs.
fn is_quick_store(site: &Site<'_>) -> bool {
    site.is(Class::Store) && !site.register_use.indexed
}

fn is_nop(site: &Site<'_>) -> bool {
    site.instruction.map(|instruction| instruction.operation) == Some(Operation::Hint(Hint::Nop))
}

fn is_instruction_barrier(site: &Site<'_>) -> bool {
    let operation = site.instruction.map(|instruction| instruction.operation);
    operation == Some(Operation::Barrier(Barrier::Instruction))
}

/// The register that a jump takes its target from as it is.
fn register_target(site: &Site<'_>) -> Option<Register> {
    use crate::instruction::{DataOp::Mov, Shift};
    match site.instruction?.operation {
        Operation::BranchExchange { rm, .. }
        | Operation::Data {
            op: Mov,
            operand: Operand::Register { rm, shift: Shift::Left, amount: 0 },
            ..
        } => Some(rm),
        _ => None,
    }
}
