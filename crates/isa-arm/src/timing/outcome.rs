//! The dynamic part of an instruction's cost, and the operand that decides about it.

use cocrypt_isa::Select;

use super::site::Site;
use super::table::{Row, Rule};
use crate::class::{Class, SKIPPED};
use crate::computation::Opcode;
use crate::instruction::Operation;

/// The outcome of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Outcome {
    /// It is executed; a branch is taken.
    Executed,
    /// Its condition does not hold; a branch is not taken.
    Skipped,
    /// It is executed, in so many steps of its rule.
    Steps(u32),
}

/// All outcomes, by what the instruction's operand selects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Outcomes {
    pub select: Select,
    /// One for each entry.
    pub table: Vec<Outcome>,
    /// The case for which costs are predicted.
    pub predicted: Outcome,
}

impl Outcomes {
    /// Those of an instruction, if it has an operand that tells about them.
    pub fn of(site: &Site<'_>) -> Option<Self> {
        site.insn.operand?;
        let tells = !site.conditional || site.is_shaped();
        if let Some(steps) = steps(site).filter(|_| tells) {
            return Some(steps);
        }
        let predicted = Self::unknown(site);
        if site.is_shaped() {
            // It is the length of a factor, or the like, for cores to which that makes a difference.
            let outcome = |entry| if entry < SKIPPED { predicted } else { Outcome::Skipped };
            let table = (0..2 * SKIPPED).map(outcome).collect();
            return Some(Self { select: Select::Low, table, predicted });
        }
        let table = vec![Outcome::Skipped, predicted];
        site.conditional.then_some(Self { select: Select::NonZero, table, predicted })
    }

    /// The one where nothing tells: the longest.
    pub fn unknown(site: &Site<'_>) -> Outcome {
        match site.row.rule {
            Rule::Early | Rule::EarlyResult => Outcome::Steps(early(site.row, 32)),
            Rule::Halves => Outcome::Steps(halves(site, 0xf)),
            Rule::Divide => Outcome::Steps(quotient(33)),
            _ => Outcome::Executed,
        }
    }
}

/// Outcomes of what takes steps.
fn steps(site: &Site<'_>) -> Option<Outcomes> {
    let steps = |entry| match site.row.rule {
        Rule::Early | Rule::EarlyResult => Some(early(site.row, entry)),
        Rule::Halves => Some(halves(site, entry)),
        Rule::Divide => Some(quotient(entry)),
        _ => None,
    };
    steps(0)?;
    let (select, entries) = match site.row.rule {
        _ if site.conditional => (Select::Low, 128),
        Rule::Early | Rule::EarlyResult if site.is_unsigned() => (Select::Length, 64),
        Rule::Early | Rule::EarlyResult => (Select::SignedLength, 32),
        _ => (Select::Low, 64),
    };
    let outcome = |entry| match steps(entry) {
        Some(steps) if entry < SKIPPED => Outcome::Steps(steps),
        _ => Outcome::Skipped,
    };
    let table = (0..entries).map(outcome).collect();
    Some(Outcomes { select, table, predicted: Outcomes::unknown(site) })
}

/// Steps of a multiplier that ends where the rest of its second factor, `length` bits long without
/// what only repeats its sign, is all zeros or all ones (DDI 0029, 4.7.4: 8 bits a step). `StrongARM`'s
/// steps take 12 bits, of which the first also holds the sign.
fn early(row: Row, length: u32) -> u32 {
    let bits = row.per_step.max(1);
    let sign = u32::from(row.rule == Rule::EarlyResult);
    (length.min(32) + sign).div_ceil(bits).clamp(1, 32_u32.div_ceil(bits))
}

/// Cycles of the division of Cortex-M3 and M4, which gives four bits a cycle. Measured, to the cycle, by
/// the project `CMEmu` (mimuw-distributed-systems-group/cmemu); the manuals say 2 to 12 (DDI 0337, DDI
/// 0439, table 3-1).
const fn quotient(entry: u32) -> u32 {
    match entry {
        0 => 2,
        1 => 3,
        2..=33 => 5 + (entry - 2) / 4,
        _ => 12,
    }
}

/// Cycles of the long products of Cortex-M3, by which halves of the factors are not zero (bits 0 to 3)
/// and which are negative (4 and 5). Measured by the project `CMEmu`; the manual says 3 to 5, and 4 to 7
/// with a sum (DDI 0337, table 3-1).
fn halves(site: &Site<'_>, entry: u32) -> u32 {
    let (first, second) = (entry & 3, entry >> 2 & 3);
    let signs = entry >> 4 & 3;
    let adds = site.insn.class == Class::MultiplyAccumulateLong as u8;
    let zero = first == 0 || second == 0;
    let (low, high, both) = (1, 2, 3);
    // Only of signed products, of which the lower half alone is positive.
    let negative =
        u32::from(if first >= high && second == high { signs != 0 } else { signs & 2 != 0 });
    let parts = match (first, second) {
        _ if zero => return 3,
        (a, b) if a == low && b == low => return 3,
        (a, b) if a == high && b == high => u32::from(adds) + negative,
        (a, b) if a == both && b == both => 2 + u32::from(adds),
        (a, b) if a == both && b == high => 1 + u32::from(adds) + negative,
        (a, b) if a == high && b == both => 1 + u32::from(adds),
        _ => 1 + negative,
    };
    3 + parts + u32::from(adds)
}

impl Site<'_> {
    /// Returns true if it is a product of unsigned words of which both halves are kept.
    fn is_unsigned(&self) -> bool {
        use Opcode::{Umaal, Umlal, Umull};
        let operation = self.instruction.map(|instruction| instruction.operation);
        let Some(Operation::Compute(computation)) = operation else { return false };
        matches!(computation.op, Umull | Umlal | Umaal)
    }
}
