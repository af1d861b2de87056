//! ARM926EJ-S and SA-1110: five stages with results that come late.
//!
//! Sources: DDI 0222B, chapter 8 (the ARM9EJ-S that the ARM926EJ-S is made of); DDI 0165B, chapter 8,
//! for its interlocks; for SA-1110, Intel's "SA-1110 Microprocessor Developer's Manual" (278240) and
//! Sloss, Symes and Wright, "ARM System Developer's Guide", appendix D.4. Caches are the device's.

use super::arm7::is_pair;
use super::outcome::Outcome;
use super::register_use::{RegisterUse, Registers};
use super::site::Site;
use super::table::Rule;
use super::walk::{InstructionTiming, Pipeline};
use crate::class::Class;
use crate::instruction::{Access, DataOp, Instruction, Multiple, Operand, Operation, Register};

/// A core with interlocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Interlocked {
    /// ARM9EJ-S.
    Arm9,
    /// SA-1110.
    StrongArm,
}

/// A register that cannot be used at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct LateResult {
    register: Register,
    /// Cycles until it can.
    cycles: u32,
    /// True if it is a product, which can be added to another at once.
    product: bool,
}

/// Results that are not available yet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Hazards {
    late: Vec<LateResult>,
    /// Cycles until the multiplier can begin.
    multiplier: u32,
}

const fn has(registers: Registers, register: Register) -> bool {
    registers >> register & 1 != 0
}

impl Interlocked {
    /// Cycles that an instruction waits for what it reads. Conditions are looked at later, so that it
    /// waits even if its own does not hold.
    fn stall(self, site: &Site<'_>, hazards: &Hazards) -> u32 {
        let registers = hazards.late.iter().map(|late| {
            let shift = stored_later(site, late.register);
            let added = late.product
                && self == Self::Arm9
                && has(site.register_use.accumulates, late.register);
            let reads = has(site.register_use.reads, late.register) && !added;
            if reads { late.cycles.saturating_sub(shift) } else { 0 }
        });
        let multiplier = if multiplies(site) { hazards.multiplier } else { 0 };
        registers.max().unwrap_or(0).max(multiplier)
    }

    fn cycles(self, site: &Site<'_>) -> u32 {
        let (row, register_use) = (site.row, &site.register_use);
        let jumps = if register_use.jumps { row.per_step } else { 0 };
        let ask = row.ask;
        match row.rule {
            Rule::Multiple => site.waited(register_use.accesses.max(ask)) + jumps,
            Rule::Access => site.waited(ask) + u32::from(self == Self::Arm9 && register_use.scaled),
            Rule::Jump => ask + jumps + self.late_target(site) + u32::from(is_pair(site)),
            Rule::Late if register_use.flags => ask + 2,
            _ => ask,
        }
    }

    /// A target that is computed by a logical operation or with a shift comes a cycle later (DDI 0222B,
    /// table 8-2).
    fn late_target(self, site: &Site<'_>) -> u32 {
        let Some(Operation::Data { op, operand, .. }) =
            site.instruction.map(|instruction| instruction.operation)
        else {
            return 0;
        };
        let shifted = match operand {
            Operand::Register { amount, .. } => amount != 0,
            Operand::Shifted { .. } => true,
            Operand::Immediate { .. } => false,
        };
        let sums =
            matches!(op, DataOp::Add | DataOp::Sub | DataOp::Rsb | DataOp::Adc | DataOp::Sbc);
        u32::from(self == Self::Arm9 && (shifted || !sums))
    }

    /// The latency of an instruction's results, register by register.
    fn results(self, site: &Site<'_>, outcome: Outcome) -> Vec<LateResult> {
        let (row, register_use) = (site.row, &site.register_use);
        let each = |registers: Registers, cycles: u32, product: bool| {
            (0..15)
                .filter(|&register| cycles != 0 && has(registers, register))
                .map(|register| LateResult { register, cycles, product })
                .collect()
        };
        let last = register_use.last.map_or(0, |last| 1 << last);
        match (row.rule, outcome) {
            (Rule::EarlyResult, Outcome::Steps(steps)) => each(register_use.results, steps, true),
            (Rule::Late, _) if register_use.flags && self == Self::Arm9 => vec![],
            (Rule::Late, _) => each(register_use.results, row.per_step, multiplies(site)),
            (Rule::Access, _) if register_use.jumps || register_use.stores => vec![],
            (Rule::Access, _) if self == Self::StrongArm && is_signed(site) => {
                each(last, row.per_step + 1, false)
            }
            (Rule::Access, _) => each(last, row.per_step, false),
            (Rule::Multiple, _) if register_use.accesses > 1 && !register_use.jumps => {
                each(last, 1, false)
            }
            _ => vec![],
        }
    }
}

impl Pipeline for Interlocked {
    type Hazards = Hazards;

    fn pass(
        &self,
        site: &Site<'_>,
        hazards: &Hazards,
        outcome: Outcome,
    ) -> InstructionTiming<Hazards> {
        let stall = self.stall(site, hazards);
        let skipped = outcome == Outcome::Skipped;
        let cycles = stall + if skipped { 1 } else { self.cycles(site) };
        let writes = if skipped { 0 } else { site.register_use.writes() };
        let aged = hazards.late.iter().filter(|late| !has(writes, late.register));
        let aged =
            aged.map(|late| LateResult { cycles: late.cycles.saturating_sub(cycles), ..*late });
        let mut late: Vec<_> = aged.filter(|late| late.cycles != 0).collect();
        let mut multiplier = hazards.multiplier.saturating_sub(cycles);
        if !skipped {
            late.extend(self.results(site, outcome));
            if let (Rule::EarlyResult, Outcome::Steps(steps)) = (site.row.rule, outcome) {
                multiplier = steps;
            }
        }
        late.sort_unstable();
        InstructionTiming { cycles, sample: stall, hazards: Hazards { late, multiplier } }
    }

    fn settle(&self, mut hazards: Hazards, next: &Instruction) -> Hazards {
        // Any instruction takes a cycle.
        let reads = RegisterUse::of(next).reads;
        hazards.late.retain(|late| late.cycles > 1 || has(reads, late.register));
        if hazards.multiplier == 1 && !multiplies_words(next) {
            hazards.multiplier = 0;
        }
        hazards
    }

    fn reset(&self) -> u64 {
        // The vector is fetched as the target of a jump is.
        3
    }
}

/// The cycle of a store of several registers in which one is read that is not needed for the address.
fn stored_later(site: &Site<'_>, register: Register) -> u32 {
    let operation = site.instruction.map(|instruction| instruction.operation);
    let Some(Operation::Multiple(Multiple { loads: false, rn, list, .. })) = operation else {
        return 0;
    };
    let below = list & ((1 << register) - 1);
    if rn == register { 0 } else { below.count_ones() }
}

fn is_signed(site: &Site<'_>) -> bool {
    let operation = site.instruction.map(|instruction| instruction.operation);
    matches!(
        operation,
        Some(Operation::Transfer {
            loads: true,
            access: Access::SignedByte | Access::SignedHalf,
            ..
        })
    )
}

/// Returns true if it is a product of words.
fn multiplies_words(instruction: &Instruction) -> bool {
    let classes = Class::Multiply as u8..=Class::MultiplyAccumulateLong as u8;
    matches!(instruction.operation, Operation::Compute(computation) if classes.contains(&(computation.op.row().class as u8)))
}

fn multiplies(site: &Site<'_>) -> bool {
    let first = Class::Multiply as u8;
    (first..=Class::MultiplyDualLong as u8).contains(&site.insn.class)
}
