//! Instructions that are composed of several operations: a value out of values.
//!
//! Every step goes to a temporary of its own, and the last one to the destination. Nothing is
//! computed here; `ir` says what the steps mean.

use cocrypt_ir::{Binary, Condition, Op, Slot, Unary, Value, Width};

use super::FIRST_TEMPORARY;

/// The operations of one instruction in the making.
#[derive(Default)]
pub struct Composer {
    ops: Vec<Op>,
}

impl Composer {
    /// The operations, of which the one that computes `value` writes `dst` instead of a temporary.
    pub fn finish(mut self, value: Value, dst: Slot) -> Vec<Op> {
        match self.ops.last_mut() {
            Some(last) if last.dst().map(Value::Slot) == Some(value) => last.set_dst(dst),
            _ => self.ops.push(Op::Move { dst, src: value }),
        }
        self.ops
    }

    fn step(&mut self, op: impl FnOnce(Slot) -> Op) -> Value {
        let dst = Slot(FIRST_TEMPORARY + self.ops.len() as u16);
        self.ops.push(op(dst));
        Value::Slot(dst)
    }

    /// A binary operation of 32 bits.
    pub fn binary(&mut self, op: Binary, a: Value, b: Value) -> Value {
        self.step(|dst| Op::Binary { op, width: Width::W32, dst, a, b })
    }

    /// The same with a constant.
    pub fn with(&mut self, op: Binary, a: Value, constant: u32) -> Value {
        self.binary(op, a, Value::Const(constant.into()))
    }

    /// A unary operation of 32 bits.
    pub fn unary(&mut self, op: Unary, a: Value) -> Value {
        self.step(|dst| Op::Unary { op, width: Width::W32, dst, a })
    }

    /// Whichever of the two the condition, asked of `a` and `b`, chooses: `a` where it holds.
    pub fn either(&mut self, condition: Condition, a: Value, b: Value) -> Value {
        let holds = self.step(|dst| Op::Compare { condition, width: Width::W32, dst, a, b });
        self.step(|dst| Op::Select { dst, condition: holds, a, b })
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
