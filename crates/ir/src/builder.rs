//! The operations of a block in the making, with fresh temporaries and constants folded.
//!
//! Values are computed into fresh temporaries and named by them; only [`Builder::write`] changes a cell
//! that has a name. What is known is computed at once, so that lifting functions need not look for
//! constants.

use crate::{Binary, Condition, Op, Slot, Unary, Value, Width, binary, condition, unary};

/// The operations of a block so far.
#[derive(Debug)]
pub struct Builder {
    /// All operations.
    pub ops: Vec<Op>,
    /// The cell of the first temporary.
    first: u16,
    /// The number of temporaries that a block may use.
    temporaries: u16,
    /// The next fresh temporary.
    fresh: u16,
    /// True if memory has the highest byte of a value first.
    is_big_endian: bool,
}

impl Builder {
    /// No operations yet, over so many temporaries, which lie behind the cells of the guest state.
    #[must_use]
    pub const fn new(state: u16, temporaries: u16) -> Self {
        Self { ops: vec![], first: state, temporaries, fresh: 0, is_big_endian: false }
    }

    /// The same for a core whose memory has the highest byte of a value first: what accesses read or write
    /// is turned around.
    #[must_use]
    pub const fn big_endian(mut self) -> Self {
        self.is_big_endian = true;
        self
    }

    /// Begins an instruction: its temporaries are free again, but the first `kept`.
    pub const fn begin(&mut self, kept: u16) {
        self.fresh = kept;
    }

    /// The number of temporaries left.
    #[must_use]
    pub const fn left(&self) -> u16 {
        self.temporaries - self.fresh
    }

    /// A fresh temporary.
    ///
    /// # Panics
    /// If an instruction needs more than there are, which is a mistake in its lifting function.
    pub fn temporary(&mut self) -> Slot {
        assert!(self.fresh < self.temporaries, "an instruction needs too many temporaries");
        self.fresh += 1;
        Slot(self.first + self.fresh - 1)
    }

    /// Writes a cell of the guest state, or a temporary that is to change.
    pub fn write(&mut self, dst: Slot, src: Value) {
        if src != Value::Slot(dst) {
            self.ops.push(Op::Move { dst, src });
        }
    }

    /// A copy of a value that stays when its cell changes.
    pub fn copy(&mut self, src: Value) -> Value {
        match src {
            Value::Const(_) => src,
            Value::Slot(_) => self.step(|dst| Op::Move { dst, src }),
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
        self.step(|dst| Op::Binary { op, width, dst, a, b })
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
        self.step(|dst| Op::Unary { op, width, dst, a })
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
        self.step(|dst| Op::Compare { condition: holds, width, dst, a, b })
    }

    /// `a` where the condition is not 0, else `b`.
    pub fn select(&mut self, condition: Value, a: Value, b: Value) -> Value {
        match condition {
            Value::Const(0) => b,
            Value::Const(_) => a,
            Value::Slot(_) if a == b => a,
            Value::Slot(_) => self.step(|dst| Op::Select { dst, condition, a, b }),
        }
    }

    /// The contents of memory at `base + offset`; of a signed value narrower than 32 bits, its sign above
    /// it.
    pub fn load(&mut self, width: Width, signed: bool, base: Value, offset: i32) -> Value {
        let signed_at_once = signed && !self.is_big_endian;
        let loaded = self.step(|dst| Op::Load { width, signed: signed_at_once, dst, base, offset });
        if !self.is_big_endian {
            return loaded;
        }
        let value = self.turned(width, loaded);
        match width {
            Width::W8 if signed => self.unary(Unary::Extend8, value),
            Width::W16 if signed => self.unary(Unary::Extend16, value),
            _ => value,
        }
    }

    /// Stores the low bits of a value at `base + offset`.
    pub fn store(&mut self, width: Width, src: Value, base: Value, offset: i32) {
        let src = if self.is_big_endian { self.turned(width, src) } else { src };
        self.ops.push(Op::Store { width, src, base, offset });
    }

    /// A value with its bytes in reverse order.
    fn turned(&mut self, width: Width, value: Value) -> Value {
        if width == Width::W8 { value } else { self.wide_unary(Unary::ReverseBytes, width, value) }
    }

    /// Opens a guard, which covers nothing before [`Builder::close`]; its place.
    pub fn guard(&mut self, condition: Value) -> usize {
        self.ops.push(Op::Guard { condition, ops: 0 });
        self.ops.len() - 1
    }

    /// Closes the guard at a place: it covers all operations since, and is gone if there are none.
    pub fn close(&mut self, at: usize) {
        let covered = self.ops.len() - at - 1;
        if covered == 0 {
            self.ops.truncate(at);
        } else if let Op::Guard { ops, .. } = &mut self.ops[at] {
            *ops = covered as u16;
        }
    }

    fn step(&mut self, op: impl FnOnce(Slot) -> Op) -> Value {
        let dst = self.temporary();
        self.ops.push(op(dst));
        Value::Slot(dst)
    }
}
