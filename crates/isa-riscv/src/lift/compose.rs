//! Instructions that are composed of several operations: a value out of values.
//!
//! Every step goes to a temporary of its own, and the last one to the destination; `ir` says what the
//! steps mean, and computes those of constants.

use cocrypt_ir::{Binary, Builder, Condition, Op, Slot, Unary, Value};

use super::{FIRST_TEMPORARY, TEMPORARIES};

/// The operations of one instruction in the making.
pub struct Composer(Builder);

impl Composer {
    /// No operations yet.
    pub const fn new() -> Self {
        Self(Builder::new(FIRST_TEMPORARY, TEMPORARIES))
    }

    /// The operations, of which the one that computes `value` writes `dst` instead of a temporary.
    pub fn finish(mut self, value: Value, dst: Slot) -> Vec<Op> {
        match self.0.ops.last_mut() {
            Some(last) if last.dst().map(Value::Slot) == Some(value) => last.set_dst(dst),
            _ => self.0.ops.push(Op::Move { dst, src: value }),
        }
        self.0.ops
    }

    /// A binary operation of 32 bits.
    pub fn binary(&mut self, op: Binary, a: Value, b: Value) -> Value {
        self.0.binary(op, a, b)
    }

    /// The same with a constant.
    pub fn with(&mut self, op: Binary, a: Value, constant: u32) -> Value {
        self.binary(op, a, Value::Const(constant.into()))
    }

    /// A unary operation of 32 bits.
    pub fn unary(&mut self, op: Unary, a: Value) -> Value {
        self.0.unary(op, a)
    }

    /// Whichever of the two the condition, asked of `a` and `b`, chooses: `a` where it holds.
    pub fn either(&mut self, condition: Condition, a: Value, b: Value) -> Value {
        let holds = self.0.compare(condition, a, b);
        self.0.select(holds, a, b)
    }

    /// The exclusive or of several values.
    pub fn sum(&mut self, values: &[Value]) -> Value {
        let mut sum = values[0];
        for &value in &values[1..] {
            sum = self.binary(Binary::Xor, sum, value);
        }
        sum
    }
}
