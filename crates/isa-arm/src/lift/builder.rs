//! Operations in the making: what lifting functions write instructions with.
//!
//! Values are computed into fresh temporaries and named by them; only [`Builder::write`] changes the
//! guest state. What is known is computed at once, so that lifting functions need not look for
//! constants.

use cocrypt_ir::{Binary, Condition, Op, Slot, Unary, Value, Width, binary, condition, unary};

use super::flags::{KEPT, Setter};
use crate::cells::{self, COUNT};
use crate::instruction::Register;

/// Temporaries that a block may use beyond the guest state.
pub const TEMPORARIES: u16 = 144;

/// The operations of a block so far.
#[derive(Debug, Default)]
pub struct Builder {
    /// All operations.
    pub ops: Vec<Op>,
    /// What the program counter reads as in the current instruction.
    pub pc: u32,
    /// Whether the stack pointer is always a multiple of 4 (M profile).
    pub aligned_stack: bool,
    /// What the current instruction sets flags by, as far as it says.
    pub(super) setter: Option<Setter>,
    /// The next fresh temporary.
    fresh: u16,
}

impl Builder {
    /// Begins an instruction in which the program counter reads as `pc`; its temporaries are free again,
    /// but the first, which hold what the flags stand for.
    pub fn begin(&mut self, pc: u32) {
        (self.pc, self.fresh) = (pc, KEPT);
    }

    /// How many temporaries are left.
    #[must_use]
    pub const fn left(&self) -> u16 {
        TEMPORARIES - self.fresh
    }

    /// A fresh temporary.
    ///
    /// # Panics
    /// If an instruction needs more than there are, which is a mistake in its lifting function.
    pub fn temporary(&mut self) -> Slot {
        assert!(self.fresh < TEMPORARIES, "an instruction needs too many temporaries");
        self.fresh += 1;
        Slot(COUNT + self.fresh - 1)
    }

    /// What a general register holds; of 15, what it reads as.
    #[must_use]
    pub fn register(&self, register: Register) -> Value {
        if register == 15 {
            Value::Const(self.pc.into())
        } else {
            Value::Slot(cells::general(register))
        }
    }

    /// Writes a cell of the guest state, or a temporary that is to change.
    pub fn write(&mut self, dst: Slot, src: Value) {
        if src != Value::Slot(dst) {
            self.ops.push(Op::Move { dst, src });
        }
    }

    /// Writes a general register other than 15.
    pub fn write_register(&mut self, register: Register, value: Value) {
        let aligned = match (register, self.aligned_stack) {
            (13, true) => self.binary(Binary::And, value, Value::Const(0xffff_fffc)),
            _ => value,
        };
        self.write(cells::general(register), aligned);
    }

    /// A copy of a value that stays when its cell changes.
    pub fn copy(&mut self, src: Value) -> Value {
        match src {
            Value::Const(_) => src,
            Value::Slot(_) => {
                let dst = self.temporary();
                self.ops.push(Op::Move { dst, src });
                Value::Slot(dst)
            }
        }
    }

    /// A 32-bit operation on two operands.
    pub fn binary(&mut self, op: Binary, a: Value, b: Value) -> Value {
        self.wide_binary(op, Width::W32, a, b)
    }

    /// An operation on two operands of any width; 64 bits for what has two words.
    pub fn wide_binary(&mut self, op: Binary, width: Width, a: Value, b: Value) -> Value {
        if let (Value::Const(a), Value::Const(b)) = (a, b) {
            return Value::Const(binary(op, width, a, b));
        }
        let dst = self.temporary();
        self.ops.push(Op::Binary { op, width, dst, a, b });
        Value::Slot(dst)
    }

    /// A 32-bit operation on one operand.
    pub fn unary(&mut self, op: Unary, a: Value) -> Value {
        self.wide_unary(op, Width::W32, a)
    }

    /// An operation on one operand of any width.
    pub fn wide_unary(&mut self, op: Unary, width: Width, a: Value) -> Value {
        if let Value::Const(a) = a {
            return Value::Const(unary(op, width, a));
        }
        let dst = self.temporary();
        self.ops.push(Op::Unary { op, width, dst, a });
        Value::Slot(dst)
    }

    /// 1 where a condition holds between 32-bit operands, else 0.
    pub fn compare(&mut self, condition: Condition, a: Value, b: Value) -> Value {
        self.wide_compare(condition, Width::W32, a, b)
    }

    /// The same of any width.
    pub fn wide_compare(&mut self, holds: Condition, width: Width, a: Value, b: Value) -> Value {
        if let (Value::Const(a), Value::Const(b)) = (a, b) {
            return Value::Const(condition(holds, width, a, b).into());
        }
        let dst = self.temporary();
        self.ops.push(Op::Compare { condition: holds, width, dst, a, b });
        Value::Slot(dst)
    }

    /// `a` where the condition is not 0, else `b`.
    pub fn select(&mut self, condition: Value, a: Value, b: Value) -> Value {
        match condition {
            Value::Const(0) => b,
            Value::Const(_) => a,
            Value::Slot(_) if a == b => a,
            Value::Slot(_) => {
                let dst = self.temporary();
                self.ops.push(Op::Select { dst, condition, a, b });
                Value::Slot(dst)
            }
        }
    }

    /// What memory holds at `base + offset`.
    pub fn load(&mut self, width: Width, signed: bool, base: Value, offset: i32) -> Value {
        let dst = self.temporary();
        self.ops.push(Op::Load { width, signed, dst, base, offset });
        Value::Slot(dst)
    }

    /// Stores the low bits of a value at `base + offset`.
    pub fn store(&mut self, width: Width, src: Value, base: Value, offset: i32) {
        self.ops.push(Op::Store { width, src, base, offset });
    }

    /// Makes the operations that `body` writes depend on a condition.
    pub fn guarded(&mut self, condition: Value, body: impl FnOnce(&mut Self)) {
        let at = self.ops.len();
        self.ops.push(Op::Guard { condition, ops: 0 });
        body(self);
        let skipped = (self.ops.len() - at - 1) as u16;
        self.ops[at] = Op::Guard { condition, ops: skipped };
    }

    /// Sets N and Z by a 32-bit result.
    pub fn set_nz(&mut self, result: Value) {
        let negative = self.binary(Binary::Shr, result, Value::Const(31));
        let zero = self.compare(Condition::Equal, result, Value::Const(0));
        self.write(cells::N, negative);
        self.write(cells::Z, zero);
    }

    /// Sets Q where a condition is not 0; it stays set otherwise.
    pub fn set_q_if(&mut self, condition: Value) {
        let set = self.binary(Binary::Or, Value::Slot(cells::Q), condition);
        self.write(cells::Q, set);
    }
}
