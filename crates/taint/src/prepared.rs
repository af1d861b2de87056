//! Operations that are decoded once: each is a function of its own for its kind, width and operands, so that
//! following a program does not find out again at every step what an operation is.
//!
//! They give what [`shadow`] gives. Only common forms are here; others are evaluated as they come.

use cocrypt_ir::{self as ir, Binary, Condition, Op, Slot, Value, Width};

use crate::cells::Cells;
use crate::shadow::{self, Shadowed};

/// An operation without memory, with the function that makes it.
#[derive(Clone, Copy)]
pub struct Prepared {
    make: Make,
    dst: Slot,
    a: Slot,
    b: Operand,
}

/// Reads operands from the cells and writes the result there.
type Make = fn(&Prepared, &mut Cells);

/// The second operand; which of the two is meant, the function of the operation knows.
#[derive(Clone, Copy)]
struct Operand {
    slot: Slot,
    constant: u64,
}

/// The function for a width that is known only now: `$apply` with each width as a constant.
macro_rules! for_width {
    ($given:expr, $apply:ident, $what:expr) => {
        match $given {
            Width::W8 => |op, cells| $apply(op, cells, $what, Width::W8),
            Width::W16 => |op, cells| $apply(op, cells, $what, Width::W16),
            Width::W32 => |op, cells| $apply(op, cells, $what, Width::W32),
            Width::W64 => |op, cells| $apply(op, cells, $what, Width::W64),
        }
    };
}

/// The same for an operation of those named.
macro_rules! for_each {
    ($given:expr, $width:expr, $apply:ident, $kind:ident: $($name:ident)+) => {
        match $given {
            $($kind::$name => for_width!($width, $apply, $kind::$name),)+
        }
    };
}

macro_rules! for_binary {
    ($given:expr, $width:expr, $apply:ident) => {
        for_each!($given, $width, $apply, Binary:
            Add Sub And Or Xor Shl Shr Sar Mul MulHighSigned MulHighUnsigned MulHighMixed DivSigned
            DivUnsigned RemSigned RemUnsigned RotateRight CarrylessMul CarrylessMulHigh)
    };
}

macro_rules! for_condition {
    ($given:expr, $width:expr, $apply:ident) => {
        for_each!($given, $width, $apply, Condition:
            Equal NotEqual LessSigned GreaterEqualSigned LessUnsigned GreaterEqualUnsigned)
    };
}

impl Prepared {
    /// The operation, if it has one of the forms that are prepared.
    #[must_use]
    pub fn new(op: &Op) -> Option<Self> {
        Some(match *op {
            Op::Move { dst, src: Value::Slot(src) } => Self::of(moved, dst, src, Value::Slot(src)),
            Op::Move { dst, src } => Self::of(set, dst, dst, src),
            // What is taken from itself is nothing, whatever it was.
            Op::Binary { op: Binary::Xor | Binary::Sub, dst, a, b, .. } if a == b => {
                Self::of(set, dst, dst, Value::Const(0))
            }
            Op::Binary { op, width, dst, a: Value::Slot(a), b } => {
                let make: Make = match b {
                    Value::Slot(_) => for_binary!(op, width, binary),
                    Value::Const(_) => for_binary!(op, width, binary_with_constant),
                };
                Self::of(make, dst, a, b)
            }
            Op::Compare { condition, width, dst, a: Value::Slot(a), b } => {
                let make: Make = match b {
                    Value::Slot(_) => for_condition!(condition, width, compare),
                    Value::Const(_) => for_condition!(condition, width, compare_with_constant),
                };
                Self::of(make, dst, a, b)
            }
            _ => return None,
        })
    }

    const fn of(make: Make, dst: Slot, a: Slot, b: Value) -> Self {
        let b = match b {
            Value::Slot(slot) => Operand { slot, constant: 0 },
            Value::Const(constant) => Operand { slot: a, constant },
        };
        Self { make, dst, a, b }
    }

    /// Makes it.
    #[inline]
    pub fn run(&self, cells: &mut Cells) {
        (self.make)(self, cells);
    }
}

fn moved(op: &Prepared, cells: &mut Cells) {
    cells.set(op.dst, cells.get(op.a));
}

fn set(op: &Prepared, cells: &mut Cells) {
    cells.set(op.dst, Shadowed::public(op.b.constant));
}

// Kind and width are constants where these are inlined, so that each becomes a few instructions.

#[inline]
fn binary(op: &Prepared, cells: &mut Cells, kind: Binary, width: Width) {
    let (a, b) = (cells.get(op.a), cells.get(op.b.slot));
    cells.set(op.dst, shadow::binary(kind, width, a, b));
}

#[inline]
fn binary_with_constant(op: &Prepared, cells: &mut Cells, kind: Binary, width: Width) {
    let (a, b) = (cells.get(op.a), Shadowed::public(op.b.constant));
    cells.set(op.dst, shadow::binary(kind, width, a, b));
}

#[inline]
fn compare(op: &Prepared, cells: &mut Cells, kind: Condition, width: Width) {
    let (a, b) = (cells.get(op.a), cells.get(op.b.slot));
    cells.set(op.dst, compared(kind, width, a, b));
}

#[inline]
fn compare_with_constant(op: &Prepared, cells: &mut Cells, kind: Condition, width: Width) {
    let (a, b) = (cells.get(op.a), Shadowed::public(op.b.constant));
    cells.set(op.dst, compared(kind, width, a, b));
}

/// The result of a comparison as a value, 1 or 0.
#[inline]
#[must_use]
pub fn compared(kind: Condition, width: Width, a: Shadowed, b: Shadowed) -> Shadowed {
    let value = u64::from(ir::condition(kind, width, a.value, b.value));
    Shadowed::new(value, shadow::compare(kind, width, a, b).into())
}
