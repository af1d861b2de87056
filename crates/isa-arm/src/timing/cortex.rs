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

use super::flow::{Flow, Registers};
use super::outcome::Outcome;
use super::site::Site;
use super::table::Rule;
use super::walk::{Pipeline, Way};
use crate::class::Class;
use crate::instruction::{Barrier, Condition, Hint, Instruction, Operand, Operation, Register};

/// A core of the M profile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cortex {
    /// What it has beyond the table.
    pub overlaps: Overlaps,
    /// Cycles from the end of reset until the first instruction is issued.
    pub reset: u64,
}

/// What a core has beyond the table: accesses one behind the other, addresses that come late, early
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

/// What the last instruction left.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Held {
    /// Registers that it computed.
    computed: Registers,
    /// Registers of a single load that the next access can overlap: what was loaded, and a base register
    /// that was changed. No bits where there was none.
    loaded: Registers,
    /// Whether it wrote the link register.
    link: bool,
    /// What else the next instruction meets.
    beside: Beside,
}

/// What an instruction does to the next one, whatever its registers are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
enum Beside {
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
    fn stall(self, site: &Site<'_>, held: &Held) -> u32 {
        let computed = site.flow.address & held.computed != 0;
        let stored = held.beside == Beside::Stored && site.flow.accesses != 0 && !site.flow.stores;
        u32::from(self.has_overlaps() && computed) + u32::from(stored)
    }

    /// Whether an access begins while a load before it ends.
    fn follows(self, site: &Site<'_>, held: &Held) -> bool {
        held.loaded != 0
            && is_single(site)
            && (site.flow.base == 0 || self.overlaps == Overlaps::Based)
            && site.flow.address & held.loaded == 0
    }

    /// Whether an instruction that an IT block skips goes beside a load before it, as `nop` does and an
    /// access whose address is known (`CMEmu`).
    fn skips_beside(self, site: &Site<'_>, held: &Held) -> bool {
        let goes = if site.flow.accesses == 0 {
            held.loaded != 0 && !site.is(Class::Branch)
        } else {
            self.follows(site, held)
        };
        self.has_overlaps() && goes
    }

    /// Cycles of what leads away: 1 where the target is known while the instruction is decoded.
    fn refill(self, site: &Site<'_>, held: &Held) -> u32 {
        let steps = site.row.per_step;
        if !self.has_overlaps() {
            return steps;
        }
        match register_target(site) {
            Some(LINK) if !held.link => 1,
            Some(_) => steps.min(2),
            None => steps,
        }
    }

    fn cycles(self, site: &Site<'_>, held: &Held, outcome: Outcome) -> u32 {
        let row = site.row;
        match (row.rule, outcome) {
            (_, Outcome::Steps(steps)) => steps,
            (Rule::Fold, _) if held.beside == Beside::HidesIt => 0,
            (Rule::Multiple, _) => site.waited(row.ask + site.flow.accesses),
            (Rule::Access, _) => {
                let hidden = u32::from(self.has_overlaps() && is_quick_store(site));
                let hidden = hidden + u32::from(self.follows(site, held));
                site.waited(row.ask).saturating_sub(hidden)
            }
            (Rule::Jump, _) if site.flow.accesses != 0 => site.waited(row.ask),
            _ if held.beside == Beside::HidesNop && is_nop(site) => 0,
            // It takes as long as a jump from execute.
            _ if self.has_overlaps() && is_instruction_barrier(site) => row.ask + 2,
            _ => row.ask,
        }
    }

    fn behind(self, site: &Site<'_>, held: &Held, cycles: u32) -> Held {
        if !self.has_overlaps() || site.flow.jumps {
            return Held::default();
        }
        if site.row.rule == Rule::Fold {
            let kept = if cycles == 0 { held.computed } else { 0 };
            return Held { computed: kept, link: held.link && cycles == 0, ..Held::default() };
        }
        let flow = &site.flow;
        let single = is_single(site);
        let loads = single && !flow.stores && flow.last != Some(STACK);
        let narrow = site.insn.length == 2 && cycles == 1;
        Held {
            // A changed base is computed, too; behind a load it only ends what overlaps.
            computed: match flow.accesses {
                0 => flow.results,
                _ if flow.stores => flow.base,
                _ => 0,
            },
            loaded: if loads { flow.loaded | flow.base } else { 0 },
            link: flow.writes() & 1 << LINK != 0,
            beside: match flow.accesses {
                0 if narrow && !site.is(Class::ChangeState) => Beside::HidesIt,
                1.. if is_quick_store(site) => Beside::Stored,
                1.. if loads || single && flow.stores && flow.indexed => Beside::HidesNop,
                _ => Beside::Nothing,
            },
        }
    }
}

impl Pipeline for Cortex {
    type Held = Held;

    fn pass(&self, site: &Site<'_>, held: &Held, outcome: Outcome) -> Way<Held> {
        if outcome == Outcome::Skipped {
            let cycles = u32::from(!self.skips_beside(site, held));
            return Way { cycles, sample: 0, held: Held::default() };
        }
        let stall = self.stall(site, held);
        let mut cycles = self.cycles(site, held, outcome);
        if site.flow.jumps && matches!(site.row.rule, Rule::Jump | Rule::Access | Rule::Multiple) {
            cycles += self.refill(site, held);
        }
        let behind = self.behind(site, held, cycles + stall);
        Way { cycles: cycles + stall, sample: stall, held: behind }
    }

    fn settle(&self, held: Held, next: &Instruction) -> Held {
        let flow = Flow::of(next);
        let conditional = next.condition != Condition::Always;
        let keeps = flow.accesses == 1 || (conditional && flow.accesses == 0);
        let returns = matches!(next.operation, Operation::BranchExchange { .. })
            || flow.results & 1 << 15 != 0;
        let is_it = matches!(next.operation, Operation::It { .. });
        let beside = match held.beside {
            Beside::Nothing => false,
            Beside::HidesNop => next.operation == Operation::Hint(Hint::Nop),
            Beside::HidesIt => is_it,
            Beside::Stored => flow.accesses != 0 && !flow.stores,
        };
        Held {
            // An `it` that costs nothing hands on what was before it.
            computed: if is_it { held.computed } else { held.computed & flow.address },
            loaded: if keeps { held.loaded } else { 0 },
            link: held.link && (returns || is_it),
            beside: if beside { held.beside } else { Beside::Nothing },
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
    !site.flow.jumps && single.iter().any(|&class| site.is(class))
}

/// A store to a base register and a constant, whose data is on its way while the next instruction runs.
fn is_quick_store(site: &Site<'_>) -> bool {
    site.is(Class::Store) && !site.flow.indexed
}

fn is_nop(site: &Site<'_>) -> bool {
    site.instruction.map(|it| it.operation) == Some(Operation::Hint(Hint::Nop))
}

fn is_instruction_barrier(site: &Site<'_>) -> bool {
    let operation = site.instruction.map(|it| it.operation);
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
