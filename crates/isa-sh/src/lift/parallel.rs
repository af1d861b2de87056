//! What the DSP computes: on 40 bits, with flags of which one becomes DC.

use cocrypt_ir::{Binary, Condition as Relation, Slot, Unary, Value, Width};

use super::Lifter;
use super::dsp::Writes;
use crate::cells::{DSR, MACH, MACL};
use crate::dsp::{Condition, Kind, Operation, Register};

const W64: Width = Width::W64;
const ZERO: Value = Value::Const(0);
const BITS32: u64 = 0xffff_ffff;
const BITS40: u64 = 0xff_ffff_ffff;
/// The bits of DSR that choose what becomes DC.
const CHOICE: u64 = 0xe;

/// The flags behind an operation, each 0 or 1.
struct Flags {
    carry: Value,
    negative: Value,
    zero: Value,
    overflow: Value,
    greater: Value,
    greater_or_equal: Value,
}

impl Lifter {
    /// An operation of the DSP; what it writes is written later.
    pub(super) fn operate(&mut self, operation: &Operation, writes: &mut Writes) {
        if let Some([a, b, to]) = operation.product {
            self.fraction(a, b, to, writes);
        }
        let mut own = vec![];
        let flags = self.computed(operation, &mut own);
        if operation.condition == Condition::Always {
            if let Some(flags) = flags {
                let carries = matches!(operation.kind, Kind::Paddc | Kind::Psubc);
                let status = self.dsr(&flags, carries);
                own.push((DSR, status));
            }
        } else {
            let is_set = self.and(Value::Slot(DSR), 1);
            for (cell, value) in &mut own {
                let (yes, no) = if operation.condition == Condition::True {
                    (*value, Value::Slot(*cell))
                } else {
                    (Value::Slot(*cell), *value)
                };
                *value = self.builder.select(is_set, yes, no);
            }
        }
        writes.extend(own);
    }

    /// The flags of an operation, if it changes them, and its result.
    fn computed(&mut self, operation: &Operation, writes: &mut Writes) -> Option<Flags> {
        match operation.kind {
            Kind::Pmuls => None,
            Kind::PstsMach | Kind::PstsMacl => {
                let cell = if operation.kind == Kind::PstsMach { MACH } else { MACL };
                let value = self.builder.copy(Value::Slot(cell));
                self.put(operation.to?, value, writes);
                None
            }
            Kind::PldsMach | Kind::PldsMacl => {
                let cell = if operation.kind == Kind::PldsMach { MACH } else { MACL };
                let value = self.builder.copy(Value::Slot(operation.to?.cell()));
                writes.push((cell, value));
                None
            }
            Kind::Pand | Kind::Por | Kind::Pxor => self.logic(operation, writes),
            Kind::Pshl | Kind::PshlImmediate => self.shift_logical(operation, writes),
            Kind::Psha | Kind::PshaImmediate => self.shift_arithmetic(operation, writes),
            _ => Some(self.arithmetic(operation, writes)),
        }
    }

    /// The product of the higher halves as fractions: twice that of the integers.
    fn fraction(&mut self, a: Register, b: Register, to: Register, writes: &mut Writes) {
        let [a, b] = [a, b].map(|factor| {
            self.builder.binary(Binary::Sar, Value::Slot(factor.cell()), Value::Const(16))
        });
        let product = self.builder.binary(Binary::Mul, a, b);
        let doubled = self.builder.binary(Binary::Shl, product, Value::Const(1));
        // Only -1 times -1 leaves the range.
        let leaves = self.equal(doubled, Value::Const(0x8000_0000));
        let saturates = self.saturates();
        let saturates = self.builder.compare(Relation::NotEqual, saturates, ZERO);
        let bounded = self.builder.binary(Binary::And, leaves, saturates);
        let value = self.builder.select(bounded, Value::Const(0x7fff_ffff), doubled);
        if let Some(guard) = to.guard() {
            let sign = self.builder.binary(Binary::Sar, value, Value::Const(31));
            let sign = self.and(sign, 0xff);
            let sign = self.builder.select(leaves, ZERO, sign);
            writes.push((guard, sign));
        }
        writes.push((to.cell(), value));
    }

    /// The 40 bits of an operand, with their sign.
    fn operand(&mut self, register: Register) -> Value {
        let low = Value::Slot(register.cell());
        let Some(guard) = register.guard() else {
            return self.builder.wide_unary(Unary::Extend32, W64, low);
        };
        let high = self.builder.wide_unary(Unary::Extend8, W64, Value::Slot(guard));
        let high = self.wide(Binary::Shl, high, Value::Const(32));
        self.wide(Binary::Or, high, low)
    }

    fn arithmetic(&mut self, operation: &Operation, writes: &mut Writes) -> Flags {
        let a = operation.a.map_or(ZERO, |register| self.operand(register));
        let b = operation.b.map_or(ZERO, |register| self.operand(register));
        let is_integer = matches!(operation.kind, Kind::Pinc | Kind::Pdec);
        // Integers have no lower half.
        let a = if is_integer { self.wide(Binary::And, a, Value::Const(!0xffff)) } else { a };
        let dc = self.and(Value::Slot(DSR), 1);
        let (exact, carry) = match operation.kind {
            Kind::Psub | Kind::PsubPmuls | Kind::Pcmp => self.difference(a, b, ZERO),
            Kind::Psubc => self.difference(a, b, dc),
            Kind::Paddc => self.sum(a, b, dc),
            Kind::Pneg => self.difference(ZERO, a, ZERO),
            Kind::Pabs => self.absolute(a),
            Kind::Prnd => self.sum(a, Value::Const(0x8000), ZERO),
            Kind::Pinc => self.sum(a, Value::Const(0x1_0000), ZERO),
            Kind::Pdec => self.difference(a, Value::Const(0x1_0000), ZERO),
            Kind::Pdmsb => (self.shiftable(a), ZERO),
            // A sum, a copy, or nothing at all.
            _ => self.sum(a, b, ZERO),
        };
        let exact = match operation.kind {
            Kind::Prnd => self.wide(Binary::And, exact, Value::Const(!0xffff)),
            _ => exact,
        };
        let flags = self.arithmetic_result(operation.to, exact, carry, writes);
        if is_integer {
            self.clear_low(operation.to, writes);
        }
        flags
    }

    /// Clears the lower half of a result, which integers do not have.
    fn clear_low(&mut self, to: Option<Register>, writes: &mut Writes) {
        let Some(cell) = to.map(Register::cell) else { return };
        for (written, value) in writes {
            if *written == cell {
                *value = self.and(*value, 0xffff_0000);
            }
        }
    }

    /// A sum, and its carry, which leaves 32 bits: guard bits do not count.
    fn sum(&mut self, a: Value, b: Value, carry: Value) -> (Value, Value) {
        let exact = self.wide(Binary::Add, a, b);
        let exact = self.wide(Binary::Add, exact, carry);
        let [a, b] = [a, b].map(|value| self.wide(Binary::And, value, Value::Const(BITS32)));
        let unsigned = self.wide(Binary::Add, a, b);
        let unsigned = self.wide(Binary::Add, unsigned, carry);
        (exact, self.bit(unsigned, 32))
    }

    /// A difference, and its borrow.
    fn difference(&mut self, a: Value, b: Value, borrow: Value) -> (Value, Value) {
        let exact = self.wide(Binary::Sub, a, b);
        let exact = self.wide(Binary::Sub, exact, borrow);
        let [a, b] = [a, b].map(|value| self.wide(Binary::And, value, Value::Const(BITS32)));
        let unsigned = self.wide(Binary::Sub, a, b);
        let unsigned = self.wide(Binary::Sub, unsigned, borrow);
        (exact, self.bit(unsigned, 32))
    }

    fn absolute(&mut self, a: Value) -> (Value, Value) {
        let negative = self.builder.wide_compare(Relation::LessSigned, W64, a, ZERO);
        let (negated, borrow) = self.difference(ZERO, a, ZERO);
        let carry = self.builder.select(negative, borrow, ZERO);
        (self.builder.select(negative, negated, a), carry)
    }

    /// The amount by which a value can be shifted to the left without leaving 32 bits, in the higher half.
    fn shiftable(&mut self, a: Value) -> Value {
        let sign = self.wide(Binary::Sar, a, Value::Const(63));
        let turned = self.wide(Binary::Xor, a, sign);
        let zeros = self.builder.wide_unary(Unary::LeadingZeros, W64, turned);
        let amount = self.wide(Binary::Sub, zeros, Value::Const(33));
        self.wide(Binary::Shl, amount, Value::Const(16))
    }

    /// Flags of a result that is exact, and the result with as many bits as there are.
    fn arithmetic_result(
        &mut self,
        to: Option<Register>,
        exact: Value,
        carry: Value,
        writes: &mut Writes,
    ) -> Flags {
        let narrow = self.builder.wide_unary(Unary::Extend32, W64, exact);
        let overflow = self.builder.wide_compare(Relation::NotEqual, W64, narrow, exact);
        let negative = self.bit(exact, 39);
        let bits = self.wide(Binary::And, exact, Value::Const(BITS40));
        let zero = self.builder.wide_compare(Relation::Equal, W64, bits, ZERO);
        let greater = self.builder.wide_compare(Relation::LessSigned, W64, ZERO, exact);
        let less = self.builder.wide_compare(Relation::LessSigned, W64, exact, ZERO);
        let greater_or_equal = self.builder.binary(Binary::Xor, less, Value::Const(1));
        let saturates = self.saturates();
        let saturates = self.builder.compare(Relation::NotEqual, saturates, ZERO);
        let is_bounded = self.builder.binary(Binary::And, overflow, saturates);
        // What stays within the bounds has not left them.
        let overflow = self.builder.binary(Binary::Xor, overflow, is_bounded);
        if let Some(to) = to {
            // The sign is that of 40 bits, which the exact result may have left too.
            let bound = self.builder.select(
                negative,
                Value::Const((-0x8000_0000_i64) as u64),
                Value::Const(0x7fff_ffff),
            );
            let value = self.builder.select(is_bounded, bound, exact);
            self.put40(to, value, writes);
        }
        Flags { carry, negative, zero, overflow, greater, greater_or_equal }
    }

    fn put40(&mut self, to: Register, value: Value, writes: &mut Writes) {
        if let Some(guard) = to.guard() {
            let high = self.wide(Binary::Shr, value, Value::Const(32));
            let high = self.wide(Binary::And, high, Value::Const(0xff));
            writes.push((guard, high));
        }
        let low = self.wide(Binary::And, value, Value::Const(0xffff_ffff));
        writes.push((to.cell(), low));
    }

    /// `pand` and its like: on the higher halves; the rest of the result is 0.
    fn logic(&mut self, operation: &Operation, writes: &mut Writes) -> Option<Flags> {
        let [a, b] = [operation.a?, operation.b?].map(|register| Value::Slot(register.cell()));
        let op = match operation.kind {
            Kind::Pand => Binary::And,
            Kind::Por => Binary::Or,
            _ => Binary::Xor,
        };
        let value = self.builder.binary(op, a, b);
        Some(self.logic_result(operation.to?, value, ZERO, writes))
    }

    fn logic_result(
        &mut self,
        to: Register,
        value: Value,
        carry: Value,
        writes: &mut Writes,
    ) -> Flags {
        let value = self.and(value, 0xffff_0000);
        let negative = self.builder.binary(Binary::Shr, value, Value::Const(31));
        let zero = self.equal(value, ZERO);
        if let Some(guard) = to.guard() {
            writes.push((guard, ZERO));
        }
        writes.push((to.cell(), value));
        Flags { carry, negative, zero, overflow: ZERO, greater: ZERO, greater_or_equal: ZERO }
    }

    /// The amount of a shift with its sign, from the operation or from a register, where it has so many bits.
    fn amount(&mut self, operation: &Operation, bits: u64) -> Value {
        let Some(register) = operation.b else {
            return Value::Const(u64::from(i32::from(operation.amount) as u32));
        };
        let up = Value::Const(16 - bits);
        let value = self.builder.binary(Binary::Shl, Value::Slot(register.cell()), up);
        self.builder.binary(Binary::Sar, value, Value::Const(32 - bits))
    }

    /// Amounts to the left and to the right, one of which is 0.
    fn amounts(&mut self, amount: Value) -> [Value; 2] {
        let is_right = self.builder.compare(Relation::LessSigned, amount, ZERO);
        let right = self.builder.unary(Unary::Neg, amount);
        let left = self.builder.select(is_right, ZERO, amount);
        let right = self.builder.select(is_right, right, ZERO);
        [left, right]
    }

    fn shift_logical(&mut self, operation: &Operation, writes: &mut Writes) -> Option<Flags> {
        let from = operation.a.or(operation.to)?;
        let value = self.and(Value::Slot(from.cell()), 0xffff_0000);
        let amount = self.amount(operation, 6);
        let [left, right] = self.amounts(amount);
        let up = self.wide(Binary::Shl, value, left);
        let down = self.wide(Binary::Shr, up, right);
        // What leaves on the left is above 32 bits, what leaves on the right was right below the lowest bit that stays.
        let out = self.bit(up, 32);
        let before = self.wide(Binary::Shl, value, Value::Const(1));
        let before = self.wide(Binary::Shr, before, right);
        let below = self.bit(before, 16);
        let is_left = self.equal(right, ZERO);
        let carry = self.builder.select(is_left, out, below);
        Some(self.logic_result(operation.to?, down, carry, writes))
    }

    fn shift_arithmetic(&mut self, operation: &Operation, writes: &mut Writes) -> Option<Flags> {
        let from = operation.a.or(operation.to)?;
        let value = self.operand(from);
        let amount = self.amount(operation, 7);
        let [left, right] = self.amounts(amount);
        let up = self.wide(Binary::Shl, value, left);
        // Of what leaves 40 bits nothing is left, not even an overflow.
        let up = self.wide(Binary::Shl, up, Value::Const(24));
        let up = self.wide(Binary::Sar, up, Value::Const(24));
        let down = self.wide(Binary::Sar, up, right);
        let out = self.bit(up, 32);
        let before = self.wide(Binary::Shl, value, Value::Const(1));
        let before = self.wide(Binary::Sar, before, right);
        let below = self.bit(before, 0);
        let is_left = self.equal(right, ZERO);
        let carry = self.builder.select(is_left, out, below);
        Some(self.arithmetic_result(operation.to, down, carry, writes))
    }

    fn bit(&mut self, value: Value, at: u64) -> Value {
        let shifted = self.wide(Binary::Shr, value, Value::Const(at));
        self.wide(Binary::And, shifted, Value::Const(1))
    }

    /// The status register of the DSP with new flags. DC is the one that it chooses, or the carry.
    fn dsr(&mut self, flags: &Flags, carries: bool) -> Value {
        let choices = [
            flags.carry,
            flags.negative,
            flags.zero,
            flags.overflow,
            flags.greater,
            flags.greater_or_equal,
        ];
        let dc = if carries {
            flags.carry
        } else {
            let all = self.packed(&choices, 0);
            let choice = self.builder.binary(Binary::Shr, Value::Slot(DSR), Value::Const(1));
            let choice = self.and(choice, 7);
            let chosen = self.builder.binary(Binary::Shr, all, choice);
            self.and(chosen, 1)
        };
        let signs = [flags.overflow, flags.negative, flags.zero, flags.greater];
        let signs = self.packed(&signs, 4);
        let kept = self.and(Value::Slot(DSR), CHOICE);
        let status = self.builder.binary(Binary::Or, kept, signs);
        self.builder.binary(Binary::Or, status, dc)
    }

    /// Flags as bits, the first one at `from`.
    fn packed(&mut self, flags: &[Value], from: u64) -> Value {
        let mut all = ZERO;
        for (flag, at) in flags.iter().zip(from..) {
            let bit = self.builder.binary(Binary::Shl, *flag, Value::Const(at));
            all = self.builder.binary(Binary::Or, all, bit);
        }
        all
    }
}

/// A register of the DSP gets what a general register or memory has: 32 bits, with their sign as guard bits.
pub(super) const fn guard_of(cell: Slot) -> Option<Slot> {
    use crate::cells::{A0, A0G, A1, A1G};
    if cell.0 == A0.0 {
        Some(A0G)
    } else if cell.0 == A1.0 {
        Some(A1G)
    } else {
        None
    }
}
