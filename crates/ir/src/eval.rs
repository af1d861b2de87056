//! The reference evaluator: what each operation means, written for clarity.
//!
//! Every back end is tested against it, and may call [`binary`], [`unary`] and [`condition`] for what
//! it does not treat itself.

use crate::{
    Binary, Block, Condition, Counter, Exit, ORIGINALS, Op, SUBSTITUTES, Slot, StopKind, Unary,
    Value, Width,
};

/// The environment of the evaluated code: everything besides its cells.
pub trait Environment {
    /// Reads `width` bytes at `address`, zero-extended.
    ///
    /// # Errors
    /// A fault where the machine refuses the access.
    fn load(&mut self, address: u32, width: Width) -> Result<u64, Fault>;
    /// Writes the low `width` bytes of `value` at `address`.
    ///
    /// # Errors
    /// A fault where the machine refuses the access.
    fn store(&mut self, address: u32, width: Width, value: u64) -> Result<(), Fault>;
    /// Reads a counter, whole.
    fn count(&mut self, counter: Counter) -> u64;
}

/// An access that the machine refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The address.
    pub address: u32,
}

/// The target of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// On to this address.
    Goto(u64),
    /// The machine stops.
    Stop(StopKind),
}

/// The effect of one operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// On to the next operation.
    Next,
    /// Past this many operations.
    Skip(u16),
}

/// Evaluates a block on `cells`.
///
/// # Errors
/// The first fault that the environment returns; the cells hold what was written until then.
///
/// # Panics
/// If an operation names a cell outside `cells`.
pub fn evaluate(
    block: &Block,
    cells: &mut [u64],
    environment: &mut dyn Environment,
) -> Result<Outcome, Fault> {
    let mut at = 0;
    while let Some(op) = block.ops.get(at) {
        at += 1;
        if let Effect::Skip(ops) = step(op, cells, environment)? {
            at += usize::from(ops);
        }
    }
    Ok(leave(&block.exit, cells))
}

fn leave(exit: &Exit, cells: &[u64]) -> Outcome {
    match *exit {
        Exit::Next { pc } | Exit::YieldIf { next: pc, .. } => Outcome::Goto(pc),
        Exit::Jump { target } => Outcome::Goto(target),
        Exit::Branch { condition: c, width, a, b, taken, next } => {
            Outcome::Goto(if condition(c, width, get(cells, a), get(cells, b)) {
                taken
            } else {
                next
            })
        }
        Exit::Indirect { target } | Exit::Yield { target } => Outcome::Goto(get(cells, target)),
        Exit::Stop(kind) => Outcome::Stop(kind),
    }
}

fn get(cells: &[u64], value: Value) -> u64 {
    match value {
        Value::Slot(Slot(slot)) => cells[usize::from(slot)],
        Value::Const(value) => value,
    }
}

fn step(op: &Op, cells: &mut [u64], environment: &mut dyn Environment) -> Result<Effect, Fault> {
    let (dst, value) = match *op {
        Op::Move { dst, src } => (dst, get(cells, src)),
        Op::Binary { op, width, dst, a, b } => {
            (dst, binary(op, width, get(cells, a), get(cells, b)))
        }
        Op::Unary { op, width, dst, a } => (dst, unary(op, width, get(cells, a))),
        Op::Compare { condition: c, width, dst, a, b } => {
            (dst, u64::from(condition(c, width, get(cells, a), get(cells, b))))
        }
        Op::Select { dst, condition, a, b } => {
            (dst, get(cells, if get(cells, condition) == 0 { b } else { a }))
        }
        Op::Guard { condition, ops } => {
            return Ok(if get(cells, condition) == 0 { Effect::Skip(ops) } else { Effect::Next });
        }
        Op::Load { width, signed, dst, base, offset } => {
            let value = environment.load(address(get(cells, base), offset), width)?;
            (dst, extend(value, width, signed))
        }
        Op::Store { width, src, base, offset } => {
            let address = address(get(cells, base), offset);
            environment.store(address, width, width.truncate(get(cells, src)))?;
            return Ok(Effect::Next);
        }
        Op::Count { counter, dst, shift } => {
            (dst, Width::W32.truncate(environment.count(counter) >> shift))
        }
    };
    cells[usize::from(dst.0)] = value;
    Ok(Effect::Next)
}

fn address(base: u64, offset: i32) -> u32 {
    (base as u32).wrapping_add_signed(offset)
}

fn extend(value: u64, width: Width, signed: bool) -> u64 {
    if signed { Width::W32.truncate(width.sign_extend(value) as u64) } else { value }
}

/// The result of a binary operation on operands cut to `width`.
#[allow(clippy::inline_always)] // Loops over many operands become vector instructions only where it is inlined.
#[inline(always)]
#[must_use]
pub fn binary(op: Binary, width: Width, a: u64, b: u64) -> u64 {
    let (a, b) = (width.truncate(a), width.truncate(b));
    let (sa, sb) = (width.sign_extend(a), width.sign_extend(b));
    let result = match op {
        Binary::Add => a.wrapping_add(b),
        Binary::Sub => a.wrapping_sub(b),
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::Shl if b < u64::from(width.bits()) => a << b,
        Binary::Shr if b < u64::from(width.bits()) => a >> b,
        Binary::Shl | Binary::Shr => 0,
        Binary::Sar => (sa >> b.min(63)) as u64,
        Binary::Mul => a.wrapping_mul(b),
        Binary::MulHighSigned => high(i128::from(sa) * i128::from(sb), width),
        Binary::MulHighUnsigned => ((u128::from(a) * u128::from(b)) >> width.bits()) as u64,
        Binary::MulHighMixed => high(i128::from(sa) * i128::from(b), width),
        Binary::DivSigned if b == 0 => u64::MAX,
        Binary::DivSigned => sa.wrapping_div(sb) as u64,
        Binary::DivUnsigned => a.checked_div(b).unwrap_or(u64::MAX),
        Binary::RemSigned if b == 0 => a,
        Binary::RemSigned => sa.wrapping_rem(sb) as u64,
        Binary::RemUnsigned => a.checked_rem(b).unwrap_or(a),
        Binary::RotateRight => rotate_right(a, b as u32 % width.bits(), width),
        Binary::CarrylessMul => carryless(a, b) as u64,
        Binary::CarrylessMulHigh => (carryless(a, b) >> width.bits()) as u64,
    };
    width.truncate(result)
}

fn high(product: i128, width: Width) -> u64 {
    (product >> width.bits()) as u64
}

fn rotate_right(a: u64, by: u32, width: Width) -> u64 {
    if by == 0 { a } else { a >> by | a << (width.bits() - by) }
}

fn carryless(a: u64, b: u64) -> u128 {
    let bits = (0..64).filter(|bit| b >> bit & 1 == 1);
    bits.fold(0, |product, bit| product ^ u128::from(a) << bit)
}

/// The result of a unary operation on an operand cut to `width`.
#[must_use]
pub fn unary(op: Unary, width: Width, a: u64) -> u64 {
    let a = width.truncate(a);
    let result = match op {
        Unary::Not => !a,
        Unary::Neg => a.wrapping_neg(),
        Unary::Extend8 => Width::W8.sign_extend(a) as u64,
        Unary::Extend16 => Width::W16.sign_extend(a) as u64,
        Unary::Extend32 => Width::W32.sign_extend(a) as u64,
        Unary::LeadingZeros => u64::from(a.leading_zeros() - (64 - width.bits())),
        Unary::TrailingZeros => u64::from(a.trailing_zeros().min(width.bits())),
        Unary::PopCount => u64::from(a.count_ones()),
        Unary::ReverseBytes => a.swap_bytes() >> (64 - width.bits()),
        Unary::ReverseBits => a.reverse_bits() >> (64 - width.bits()),
        Unary::AesSubstitute => SUBSTITUTES[a as usize & 0xff].into(),
        Unary::AesOriginal => ORIGINALS[a as usize & 0xff].into(),
    };
    width.truncate(result)
}

/// Returns true if a condition holds between operands cut to `width`.
#[allow(clippy::inline_always)] // As `binary`.
#[inline(always)]
#[must_use]
pub fn condition(condition: Condition, width: Width, a: u64, b: u64) -> bool {
    let (a, b) = (width.truncate(a), width.truncate(b));
    let (sa, sb) = (width.sign_extend(a), width.sign_extend(b));
    match condition {
        Condition::Equal => a == b,
        Condition::NotEqual => a != b,
        Condition::LessSigned => sa < sb,
        Condition::GreaterEqualSigned => sa >= sb,
        Condition::LessUnsigned => a < b,
        Condition::GreaterEqualUnsigned => a >= b,
    }
}
