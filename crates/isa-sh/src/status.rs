//! The status register: its bits, and the banks of registers that it selects.
//!
//! Source: "SH-4 Software Manual", section 2.2.4, "Control Registers".

use cocrypt_ir::{Binary, Builder, Condition, Slot, Value};

use crate::cells::{BANK, BANKED, M, MODE, Q, SR, T};
use crate::generation::Generation;

/// T.
pub const TRUE: u32 = 1;
/// S: accumulation saturates.
pub const SATURATES: u32 = 1 << 1;
/// The lowest bit of the level up to which interrupts are masked.
pub const MASK: u32 = 4;
/// Q.
pub const QUOTIENT: u32 = 1 << 8;
/// M.
pub const DIVISOR: u32 = 1 << 9;
/// DMX: pointers to X memory wrap.
pub const WRAPS_X: u32 = 1 << 10;
/// DMY: pointers to Y memory wrap.
pub const WRAPS_Y: u32 = 1 << 11;
/// DSP: the core has the instructions of the DSP.
pub const HAS_DSP: u32 = 1 << 12;
/// RC: how often a repeat loop is still gone through, from this bit on.
pub const REPEATS: u32 = 16;
/// The bits of RC.
pub const REPEAT_MASK: u32 = 0xfff << REPEATS;
/// BL: exceptions and interrupts are blocked.
pub const BLOCKED: u32 = 1 << 28;
/// RB: registers R0 to R7 are those of bank 1.
pub const BANK1: u32 = 1 << 29;
/// MD: privileged mode.
pub const PRIVILEGED: u32 = 1 << 30;

/// Bits that have cells of their own.
const APART: u32 = TRUE | QUOTIENT | DIVISOR;
/// Bits of mode and bank, which have a cell for both.
pub const BANKS: u32 = PRIVILEGED | BANK1;
/// The bits that programs write.
const WRITTEN: u32 = BANKS | BLOCKED | APART | 15 << MASK | SATURATES;
/// Those of an SH3-DSP, with RF, which nothing here reads.
const WRITTEN_DSP: u32 = WRITTEN | REPEAT_MASK | HAS_DSP | WRAPS_X | WRAPS_Y | 3 << 2;
/// The bits of SH-1 and SH-2 (SH-1/SH-2/SH-DSP Programming Manual, "Status Register", whose `rte` keeps 0x3f3).
const WRITTEN_SH2: u32 = APART | 15 << MASK | SATURATES;
/// The cells of an SH-1 or SH-2 behind reset: interrupts are masked (SH7604 Hardware Manual, section 4.2).
pub const RESET_SH2: [(Slot, u64); 1] = [(SR, (15 << MASK) as u64)];
/// The cells behind reset.
pub const RESET: [(Slot, u64); 2] = [(SR, (BLOCKED | 15 << MASK) as u64), (MODE, BANKS as u64)];

/// The status register that the cells compose.
pub fn composed(cells: &[u64]) -> u32 {
    let bit = |slot: Slot, bit| if cells[usize::from(slot.0)] == 0 { 0 } else { bit };
    at(cells, SR) | at(cells, MODE) | bit(T, TRUE) | bit(M, DIVISOR) | bit(Q, QUOTIENT)
}

/// The values of the cells that compose it. Mode and bank stay.
pub fn parts(generation: Generation, status: u32) -> Vec<(Slot, u64)> {
    let bit = |bit: u32| u64::from(status & bit != 0);
    let others = status & written(generation) & !APART & !BANKS;
    vec![(SR, others.into()), (T, bit(TRUE)), (M, bit(DIVISOR)), (Q, bit(QUOTIENT))]
}

/// The bits that programs write.
const fn written(generation: Generation) -> u32 {
    match generation {
        Generation::Sh2 => WRITTEN_SH2,
        Generation::Sh3Dsp => WRITTEN_DSP,
        Generation::Sh3 | Generation::Sh4 => WRITTEN,
    }
}

/// The value of a cell.
pub fn at(cells: &[u64], slot: Slot) -> u32 {
    cells[usize::from(slot.0)] as u32
}

/// Returns true if R0 to R7 are those of bank 1.
pub const fn has_bank1(status: u32) -> bool {
    status & BANKS == BANKS
}

/// The value of the register.
pub fn read(builder: &mut Builder) -> Value {
    let mut value = builder.binary(Binary::Or, Value::Slot(SR), Value::Slot(MODE));
    for (cell, shift) in [(T, 0), (Q, 8), (M, 9)] {
        let bit = builder.binary(Binary::Shl, Value::Slot(cell), Value::Const(shift));
        value = builder.binary(Binary::Or, value, bit);
    }
    value
}

/// Writes the register, and lets the banks change places if it selects the other one.
pub fn write(builder: &mut Builder, generation: Generation, value: Value) {
    let value = builder.copy(value);
    if generation != Generation::Sh2 {
        select_bank(builder, value);
        let mode = builder.binary(Binary::And, value, Value::Const(BANKS.into()));
        builder.write(MODE, mode);
    }
    for (cell, shift) in [(T, 0), (Q, 8), (M, 9)] {
        let bit = builder.binary(Binary::Shr, value, Value::Const(shift));
        let bit = builder.binary(Binary::And, bit, Value::Const(1));
        builder.write(cell, bit);
    }
    let others = Value::Const((written(generation) & !APART & !BANKS).into());
    let kept = builder.binary(Binary::And, value, others);
    builder.write(SR, kept);
}

/// Lets the banks change places if a value of the register selects the other one.
fn select_bank(builder: &mut Builder, value: Value) {
    let banks = [Value::Slot(MODE), value].map(|status| {
        let both = Value::Const(BANKS.into());
        let bits = builder.binary(Binary::And, status, both);
        builder.compare(Condition::Equal, bits, both)
    });
    let change = builder.binary(Binary::Xor, banks[0], banks[1]);
    let guard = builder.guard(change);
    exchange(builder);
    builder.close(guard);
}

/// Lets the banks change places.
pub fn exchange(builder: &mut Builder) {
    for number in 0..BANKED {
        let (used, other) = (Slot(number), Slot(BANK.0 + number));
        let before = builder.copy(Value::Slot(used));
        builder.write(used, Value::Slot(other));
        builder.write(other, before);
    }
}
