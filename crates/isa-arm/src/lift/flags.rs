//! Conditions, and which operands the flags stand for.
//!
//! The flags are cells. Beside them a block remembers what its last instruction that set flags compared,
//! so that a branch right behind it is one comparison of these values, and the flags themselves are not
//! computed where nobody else reads them.

use cocrypt_ir::{Condition as Holds, Slot, Value};

use super::builder::Builder;
use super::term::of;
use crate::cells::{self, COUNT};
use crate::instruction::Condition;

/// A 32-bit comparison that holds where a condition does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Test {
    /// The question.
    pub condition: Holds,
    /// First operand.
    pub a: Value,
    /// Second operand.
    pub b: Value,
}

/// The values that the flags stand for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Setter {
    /// The result that N and Z tell about.
    pub result: Option<Value>,
    /// The operands of the difference that all flags tell about.
    pub difference: Option<[Value; 2]>,
}

impl Setter {
    /// Returns true if a cell is among what the flags stand for.
    #[must_use]
    pub fn mentions(&self, slot: Slot) -> bool {
        let values = self.difference.unwrap_or([Value::Const(0); 2]).into_iter();
        values.chain(self.result).any(|value| value == Value::Slot(slot))
    }

    /// The comparison that a condition is, where the operands alone decide.
    #[must_use]
    pub fn test(&self, condition: Condition) -> Option<Test> {
        self.of_result(condition).or_else(|| self.of_difference(condition))
    }

    fn of_result(&self, condition: Condition) -> Option<Test> {
        let holds = match condition {
            Condition::Equal => Holds::Equal,
            Condition::NotEqual => Holds::NotEqual,
            Condition::Minus => Holds::LessSigned,
            Condition::Plus => Holds::GreaterEqualSigned,
            _ => return None,
        };
        Some(Test { condition: holds, a: self.result?, b: Value::Const(0) })
    }

    fn of_difference(&self, condition: Condition) -> Option<Test> {
        let [a, b] = self.difference?;
        let (condition, [a, b]) = match condition {
            Condition::Equal => (Holds::Equal, [a, b]),
            Condition::NotEqual => (Holds::NotEqual, [a, b]),
            Condition::CarrySet => (Holds::GreaterEqualUnsigned, [a, b]),
            Condition::CarryClear => (Holds::LessUnsigned, [a, b]),
            Condition::Higher => (Holds::LessUnsigned, [b, a]),
            Condition::LowerOrSame => (Holds::GreaterEqualUnsigned, [b, a]),
            Condition::GreaterOrEqual => (Holds::GreaterEqualSigned, [a, b]),
            Condition::Less => (Holds::LessSigned, [a, b]),
            Condition::Greater => (Holds::LessSigned, [b, a]),
            Condition::LessOrEqual => (Holds::GreaterEqualSigned, [b, a]),
            _ => return None,
        };
        Some(Test { condition, a, b })
    }
}

/// The comparison that a condition is, by the flags' cells.
fn by_cells(builder: &mut Builder, condition: Condition) -> Test {
    let [minus, equal, carry, over] = [cells::N, cells::Z, cells::C, cells::V].map(Value::Slot);
    let zero = Value::Const(0);
    let (condition, a, b) = match condition {
        Condition::Equal => (Holds::NotEqual, equal, zero),
        Condition::NotEqual => (Holds::Equal, equal, zero),
        Condition::CarrySet => (Holds::NotEqual, carry, zero),
        Condition::CarryClear => (Holds::Equal, carry, zero),
        Condition::Minus => (Holds::NotEqual, minus, zero),
        Condition::Plus => (Holds::Equal, minus, zero),
        Condition::Overflow => (Holds::NotEqual, over, zero),
        Condition::NoOverflow => (Holds::Equal, over, zero),
        Condition::Higher => (Holds::LessUnsigned, equal, carry),
        Condition::LowerOrSame => (Holds::GreaterEqualUnsigned, equal, carry),
        Condition::GreaterOrEqual => (Holds::Equal, minus, over),
        Condition::Less => (Holds::NotEqual, minus, over),
        Condition::Greater => {
            (Holds::LessUnsigned, equal, builder.compare(Holds::Equal, minus, over))
        }
        Condition::LessOrEqual => {
            (Holds::GreaterEqualUnsigned, equal, builder.compare(Holds::Equal, minus, over))
        }
        Condition::Always => (Holds::Equal, zero, zero),
    };
    Test { condition, a, b }
}

/// The comparison that a condition is.
pub fn test(builder: &mut Builder, setter: &Setter, condition: Condition) -> Test {
    setter.test(condition).unwrap_or_else(|| by_cells(builder, condition))
}

/// A condition as 0 or 1, in a temporary.
pub fn value(builder: &mut Builder, setter: &Setter, condition: Condition) -> Value {
    let test = test(builder, setter, condition);
    match test {
        Test { condition: Holds::NotEqual, a: Value::Slot(flag), b: Value::Const(0) }
            if [cells::N, cells::Z, cells::C, cells::V].contains(&flag) =>
        {
            builder.copy(test.a)
        }
        Test { condition, a, b } => builder.compare(condition, a, b),
    }
}

/// Sets N and Z by a result.
pub fn set_by_result(builder: &mut Builder, result: Value) {
    builder.set_nz(result);
    let result = Some(result);
    builder.setter = Some(Setter { result, difference: None });
}

/// The sum `a + b`; all flags are set by it where that is asked for.
pub fn add(builder: &mut Builder, a: Value, b: Value, sets_flags: bool) -> Value {
    let sum = builder.term(of(a) + b);
    if !sets_flags {
        return sum;
    }
    let carry = builder.compare(Holds::LessUnsigned, sum, a);
    set_all(builder, [a, b], sum, carry);
    sum
}

/// The difference `a - b`, as [`add`].
pub fn subtract(builder: &mut Builder, a: Value, b: Value, sets_flags: bool) -> Value {
    let difference = builder.term(of(a) - b);
    if !sets_flags {
        return difference;
    }
    let carry = builder.compare(Holds::GreaterEqualUnsigned, a, b);
    let overflow = builder.term(((of(a) ^ b) & (of(a) ^ difference)) >> 31);
    builder.set_nz(difference);
    builder.write(cells::C, carry);
    builder.write(cells::V, overflow);
    builder.setter = Some(Setter { result: Some(difference), difference: Some([a, b]) });
    difference
}

/// `a + b` and the carry.
pub fn add_with_carry(builder: &mut Builder, a: Value, b: Value, sets_flags: bool) -> Value {
    let sum = of(a) + b + cells::C;
    if !sets_flags {
        return builder.term(sum);
    }
    let sum = builder.wide_term(sum);
    let low = builder.term(of(sum) & 0xffff_ffff);
    let carry = builder.wide_term(of(sum) >> 32);
    set_all(builder, [a, b], low, carry);
    low
}

/// `a - b` less what was borrowed.
pub fn subtract_with_carry(builder: &mut Builder, a: Value, b: Value, sets_flags: bool) -> Value {
    let complement = builder.term(of(b) ^ 0xffff_ffff);
    add_with_carry(builder, a, complement, sets_flags)
}

/// Sets all flags by the sum of two operands (and perhaps a carry).
fn set_all(builder: &mut Builder, [a, b]: [Value; 2], sum: Value, carry: Value) {
    let overflow = builder.term(((of(a) ^ sum) & (of(b) ^ sum)) >> 31);
    builder.set_nz(sum);
    builder.write(cells::C, carry);
    builder.write(cells::V, overflow);
    builder.setter = Some(Setter { result: Some(sum), difference: None });
}

/// Follows what the flags stand for from instruction to instruction.
#[derive(Debug, Default)]
pub struct FlagTracker {
    /// The values that they stand for in front of the current instruction.
    pub setter: Setter,
    /// The one of the two slots of kept temporaries that is written next.
    second: bool,
}

/// Temporaries that hold what the flags stand for: three for each of two instructions, so that one can
/// read them while it sets flags itself.
pub const KEPT: u16 = 6;

impl FlagTracker {
    /// Keeps values that flags were just set by, before the instruction writes `rd`; the result is what
    /// that cell then holds.
    pub fn keep(&mut self, builder: &mut Builder, rd: Option<Slot>) {
        let Some(setter) = builder.setter else { return };
        let first = COUNT + if self.second { KEPT / 2 } else { 0 };
        self.second = !self.second;
        let mut lasting = |value: Value, number: u16| match value {
            Value::Slot(slot) if slot.0 >= COUNT || Some(slot) == rd => {
                let kept = Slot(first + number);
                builder.write(kept, value);
                Value::Slot(kept)
            }
            value => value,
        };
        let difference = setter.difference.map(|[a, b]| [lasting(a, 0), lasting(b, 1)]);
        let result = match (setter.result, rd) {
            (Some(_), Some(rd)) => Some(Value::Slot(rd)),
            // A comparison's operands tell what its result does.
            (Some(result), None) if difference.is_none() => Some(lasting(result, 2)),
            _ => None,
        };
        builder.setter = Some(Setter { result, difference });
    }

    /// An instruction's operations are complete; whether it was executed may have depended on a
    /// condition.
    pub fn follow(&mut self, builder: &mut Builder, first: usize, conditional: bool) {
        let written = || builder.ops[first..].iter().filter_map(cocrypt_ir::Op::dst);
        let flags = [cells::N, cells::Z, cells::C, cells::V];
        if written().any(|dst| flags.contains(&dst)) {
            let set = builder.setter.filter(|_| !conditional);
            self.setter = set.unwrap_or_default();
        } else if written().any(|dst| self.setter.mentions(dst)) {
            self.setter = Setter::default();
        }
        builder.setter = None;
    }
}
