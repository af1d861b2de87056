//! Cortex-M0, M0+, M3 and M4: three stages (M0+: two), of which the last one takes several cycles
//! where an instruction needs them.
//!
//! Sources: DDI 0432C (M0), DDI 0484C (M0+), DDI 0337 (M3) and DDI 0439 (M4), tables 3-1 and, of the
//! latter two, the section on load and store timings (3.3.2); DDI 0337G, table 15-3, which says in which
//! stage a branch sends the fetch stage to its target. What these leave open is settled by what others
//! measured, as each rule says, or an assumption; docs/timing-arm.md lists all of them.

use cocrypt_isa::CodeMemory;

use super::flow::{Flow, Registers};
use super::outcome::Outcome;
use super::site::Site;
use super::table::Rule;
use super::walk::{Pipeline, Way};
use crate::class::Class;
use crate::instruction::{Barrier, Instruction, Operand, Operation, Register};

/// A core of the M profile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cortex {
    /// Whether it has what M3 and M4 have beyond the table: accesses one behind the other, addresses that
    /// come late, early branches, and `it` for nothing.
    pub overlaps: bool,
    /// Cycles from the end of reset until the first instruction is launched.
    pub reset: u64,
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
    /// Whether an `it` behind it costs nothing.
    takes_it: bool,
}

impl Cortex {
    /// Cycles that an instruction waits for its address, which the cycle before computed: there is no way
    /// around the registers (DDI 0439, 3.3.2). What was loaded comes in time (measured by `CMEmu`).
    fn stall(self, site: &Site<'_>, held: &Held) -> u32 {
        u32::from(self.overlaps && site.flow.address & held.computed != 0)
    }

    /// Whether an access begins while a load before it ends.
    fn follows(self, site: &Site<'_>, held: &Held) -> bool {
        self.overlaps
            && held.loaded != 0
            && is_single(site)
            && site.flow.base == 0
            && site.flow.address & held.loaded == 0
            && !is_quick_store(site)
    }

    /// Cycles of what leads away: 1 where the target is known while the instruction is decoded.
    fn refill(self, site: &Site<'_>, held: &Held) -> u32 {
        let steps = site.row.per_step;
        if !self.overlaps {
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
            (Rule::Fold, _) if held.takes_it => 0,
            (Rule::Multiple, _) => site.waited(row.ask + site.flow.accesses),
            (Rule::Access, _) if self.overlaps && is_quick_store(site) => site.waited(row.ask - 1),
            (Rule::Access, _) => site.waited(row.ask) - u32::from(self.follows(site, held)),
            (Rule::Jump, _) if site.flow.accesses != 0 => site.waited(row.ask),
            // It takes as long as a jump from execute.
            _ if self.overlaps && is_instruction_barrier(site) => row.ask + 2,
            _ => row.ask,
        }
    }

    fn behind(self, site: &Site<'_>, held: &Held, cycles: u32) -> Held {
        if !self.overlaps || site.flow.jumps {
            return Held::default();
        }
        if site.row.rule == Rule::Fold {
            let kept = if cycles == 0 { held.clone() } else { Held::default() };
            return Held { takes_it: false, loaded: 0, ..kept };
        }
        let flow = &site.flow;
        let loads = is_single(site) && !flow.stores && flow.last != Some(STACK);
        let narrow = site.insn.length == 2 && cycles == 1;
        Held {
            computed: if flow.accesses == 0 { flow.results } else { 0 },
            loaded: if loads { flow.loaded | flow.base } else { 0 },
            link: flow.writes() & 1 << LINK != 0,
            takes_it: narrow && flow.accesses == 0 && !site.is(Class::ChangeState),
        }
    }
}

impl Pipeline for Cortex {
    type Held = Held;

    fn pass(&self, site: &Site<'_>, held: &Held, outcome: Outcome) -> Way<Held> {
        if outcome == Outcome::Skipped {
            return Way { cycles: 1, sample: 0, held: Held::default() };
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
        let single = flow.accesses == 1 && flow.base == 0;
        let returns = matches!(next.operation, Operation::BranchExchange { .. })
            || flow.results & 1 << 15 != 0;
        let is_it = matches!(next.operation, Operation::It { .. });
        Held {
            // An `it` that costs nothing hands on what was before it.
            computed: if is_it { held.computed } else { held.computed & flow.address },
            loaded: if single { held.loaded } else { 0 },
            link: held.link && (returns || is_it),
            takes_it: held.takes_it && is_it,
        }
    }

    /// A wide instruction in two words takes a fetch more before it can be decoded. DDI 0439 says that
    /// width and alignment of the target count; that it is one cycle was measured on a Cortex-M4
    /// (compendium.i-0.nl, "Alignment rules").
    fn entrance(&self, target: u64, code: &dyn CodeMemory) -> Option<u32> {
        let is_wide = code.unit(target).is_some_and(|unit| unit >= 0xe800);
        self.overlaps.then_some(u32::from(target & 2 != 0 && is_wide))
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

/// A store to a base register and a constant, which is made while the next instruction runs. One that
/// changes its base takes its data a cycle later (measured by `CMEmu`).
fn is_quick_store(site: &Site<'_>) -> bool {
    site.is(Class::Store) && !site.flow.indexed && site.flow.base == 0
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
