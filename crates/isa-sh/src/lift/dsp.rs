//! Moves between memory and the DSP, and what is computed beside them.
//!
//! Accesses come first, so that one that leads to an exception leaves the registers as they were. All operands are those
//! before the instruction.

use cocrypt_ir::{Binary, Slot, Unary, Value, Width};

use super::Lifter;
use crate::cells::{MOD, SR, register};
use crate::decode::Decoded;
use crate::dsp::{Move, Pointer, Register, Step, operation, parallel_moves, single};
use crate::status::{WRAPS_X, WRAPS_Y};
use crate::table::Opcode;

/// Cells with the values that they get.
pub(super) type Writes = Vec<(Slot, Value)>;

impl Lifter {
    /// An instruction of the DSP, which is one.
    pub(super) fn dsp(&mut self, insn: Decoded) {
        let moves = match insn.opcode {
            Opcode::SingleMove => [single(insn.word), None],
            _ => parallel_moves(insn.word).unwrap_or_default(),
        };
        let computes = operation(insn.second).filter(|_| insn.opcode == Opcode::Parallel);
        let mut writes: Writes = vec![];
        let mut loaded: Writes = vec![];
        for one in moves.into_iter().flatten() {
            self.access(one, &mut loaded);
        }
        if let Some(operation) = computes {
            self.operate(&operation, &mut writes);
        }
        writes.extend(loaded);
        for (cell, value) in writes {
            self.write(cell, value);
        }
    }

    /// Makes a move's access; what it writes is written later.
    fn access(&mut self, one: Move, writes: &mut Writes) {
        let pointer = register(one.at);
        let bytes = one.bytes();
        let offset = if one.step == Step::Down { -(bytes as i32) } else { 0 };
        let width = if one.is_long { Width::W32 } else { Width::W16 };
        if one.stores {
            let value = self.stored(one);
            self.builder.store(width, value, pointer, offset);
        } else {
            let value = self.builder.load(width, false, pointer, offset);
            self.loaded(one, value, writes);
        }
        if one.step != Step::No {
            let moved = self.moved(one);
            writes.push((Slot(one.at.into()), moved));
        }
    }

    /// The value that a move stores: the higher half of a register, or guard bits with their sign.
    fn stored(&mut self, one: Move) -> Value {
        let value = Value::Slot(one.data.cell());
        if one.data.is_guard() {
            return self.builder.unary(Unary::Extend8, value);
        }
        if one.is_long { value } else { self.builder.binary(Binary::Shr, value, Value::Const(16)) }
    }

    fn loaded(&mut self, one: Move, value: Value, writes: &mut Writes) {
        if one.data.is_guard() {
            let low = self.and(value, 0xff);
            return writes.push((one.data.cell(), low));
        }
        let value = if one.is_long {
            value
        } else {
            self.builder.binary(Binary::Shl, value, Value::Const(16))
        };
        self.put(one.data, value, writes);
    }

    /// A register gets 32 bits, and its guard bits their sign.
    pub(super) fn put(&mut self, to: Register, value: Value, writes: &mut Writes) {
        if let Some(guard) = to.guard() {
            let sign = self.builder.binary(Binary::Sar, value, Value::Const(31));
            let sign = self.and(sign, 0xff);
            writes.push((guard, sign));
        }
        writes.push((to.cell(), value));
    }

    /// The pointer behind a move.
    fn moved(&mut self, one: Move) -> Value {
        let pointer = register(one.at);
        let by = match one.step {
            Step::Down => Value::Const(one.bytes().wrapping_neg().into()),
            Step::Index(index) => register(index),
            Step::Up | Step::No => Value::Const(one.bytes().into()),
        };
        let sum = self.builder.binary(Binary::Add, pointer, by);
        let wraps = match one.pointer {
            Pointer::X => WRAPS_X,
            Pointer::Y => WRAPS_Y,
            Pointer::Any => return sum,
        };
        self.wrapped(pointer, sum, wraps)
    }

    /// The beginning of the buffer, if the pointer is at its end and pointers to this memory alone wrap; else the sum.
    fn wrapped(&mut self, pointer: Value, sum: Value, wraps: u32) -> Value {
        let both = self.and(Value::Slot(SR), u64::from(WRAPS_X | WRAPS_Y));
        let is_on = self.equal(both, Value::Const(wraps.into()));
        let end = self.builder.binary(Binary::Shr, Value::Slot(MOD), Value::Const(16));
        let low = self.and(pointer, 0xffff);
        let is_end = self.equal(low, end);
        let is_wrapped = self.builder.binary(Binary::And, is_on, is_end);
        let high = self.and(pointer, 0xffff_0000);
        let start = self.and(Value::Slot(MOD), 0xffff);
        let start = self.builder.binary(Binary::Or, high, start);
        self.builder.select(is_wrapped, start, sum)
    }

    pub(super) fn equal(&mut self, a: Value, b: Value) -> Value {
        self.builder.compare(cocrypt_ir::Condition::Equal, a, b)
    }
}
