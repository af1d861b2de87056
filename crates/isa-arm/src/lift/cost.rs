//! What timing looks at: the class of an instruction, and the operand that decides about its cost.

use cocrypt_ir::{Binary, Condition, Unary, Value};

use super::Arm;
use super::builder::Builder;
use crate::architecture::Version;
use crate::class::{Class, SKIPPED};
use crate::instruction::{
    Access, DataOp, HalfProduct, Hint, Instruction, LongHalfProduct, LongProduct, Operand,
    Operation, Product, Register, Special, VectorMove,
};

/// The class of an instruction.
pub fn class(instruction: &Instruction) -> Class {
    match instruction.operation {
        Operation::Data { op, rd, operand, .. } => data(op, rd, operand),
        Operation::AddressOf { .. } | Operation::MoveHalf { .. } => Class::Alu,
        Operation::Multiply { product: Product::Mul, .. } => Class::Multiply,
        Operation::Multiply { .. } => Class::MultiplyAccumulate,
        Operation::MultiplyLong { product, .. } => match product {
            LongProduct::Umull | LongProduct::Smull => Class::MultiplyLong,
            _ => Class::MultiplyAccumulateLong,
        },
        Operation::MultiplyHalf { product, .. } => half(product),
        Operation::MultiplyHalfLong { product: LongHalfProduct::Smlal { .. }, .. } => {
            Class::MultiplyAccumulateHalfLong
        }
        Operation::MultiplyHalfLong { .. } => Class::MultiplyDualLong,
        Operation::Divide { .. } => Class::Divide,
        Operation::Saturate { .. }
        | Operation::SaturateHalves { .. }
        | Operation::SaturatingSum { .. } => Class::Saturate,
        Operation::Parallel { .. }
        | Operation::Select { .. }
        | Operation::SumOfDifferences { .. } => Class::Parallel,
        Operation::Extend { .. }
        | Operation::Pack { .. }
        | Operation::Bits { .. }
        | Operation::ExtractField { .. }
        | Operation::InsertField { .. } => Class::Bits,
        ref operation => other(operation),
    }
}

fn data(op: DataOp, rd: Register, operand: Operand) -> Class {
    let compares = matches!(op, DataOp::Tst | DataOp::Teq | DataOp::Cmp | DataOp::Cmn);
    match operand {
        _ if rd == 15 && !compares => Class::AluPc,
        Operand::Shifted { .. } => Class::ShiftRegister,
        _ => Class::Alu,
    }
}

const fn half(product: HalfProduct) -> Class {
    match product {
        HalfProduct::Smul { .. } | HalfProduct::Smulw { .. } => Class::MultiplyHalf,
        HalfProduct::Smla { .. } | HalfProduct::Smlaw { .. } => Class::MultiplyAccumulateHalf,
        _ => Class::MultiplyDual,
    }
}

fn other(operation: &Operation) -> Class {
    match *operation {
        Operation::Load { rt: 15, .. } => Class::LoadPc,
        Operation::Load { access: Access::Word, .. } => Class::Load,
        Operation::Load { .. } => Class::LoadNarrow,
        Operation::Store { .. } => Class::Store,
        Operation::LoadDouble { .. } => Class::LoadDouble,
        Operation::StoreDouble { .. } => Class::StoreDouble,
        Operation::LoadMultiple { .. } => Class::LoadMultiple,
        Operation::StoreMultiple { .. } => Class::StoreMultiple,
        Operation::LoadExclusive { .. } => Class::LoadExclusive,
        Operation::StoreExclusive { .. } => Class::StoreExclusive,
        Operation::Swap { .. } => Class::Swap,
        Operation::Preload => Class::Preload,
        Operation::Branch { link, .. } if link => Class::BranchLink,
        Operation::Branch { .. } => Class::Branch,
        Operation::BranchPrefix { .. } | Operation::BranchSuffix { .. } => Class::BranchLink,
        Operation::BranchExchange { link: true, .. } => Class::BranchLinkExchange,
        Operation::BranchExchange { .. } => Class::BranchExchange,
        Operation::CompareBranch { .. } => Class::CompareBranch,
        Operation::TableBranch { .. } => Class::TableBranch,
        Operation::It { .. } => Class::It,
        Operation::Hint(Hint::WaitForInterrupt | Hint::WaitForEvent) => Class::Wait,
        Operation::Hint(_) | Operation::ClearExclusive => Class::Hint,
        Operation::Barrier(_) => Class::Barrier,
        Operation::StatusRead { .. } => Class::StatusRead,
        Operation::StatusWrite { special, fields, .. } => status(special, fields),
        Operation::ChangeState { .. } => Class::ChangeState,
        Operation::Coprocessor { reads: true, .. } => Class::Coprocessor,
        Operation::Coprocessor { .. } => Class::CoprocessorWrite,
        Operation::VectorMove(
            VectorMove::PairFromGeneral { .. } | VectorMove::PairToGeneral { .. },
        ) => Class::VectorMovePair,
        Operation::VectorMove(_) => Class::VectorMove,
        Operation::VectorLoad { .. } => Class::VectorLoad,
        Operation::VectorStore { .. } => Class::VectorStore,
        Operation::VectorLoadMultiple { .. } => Class::VectorLoadMultiple,
        Operation::VectorStoreMultiple { .. } => Class::VectorStoreMultiple,
        Operation::SupervisorCall { .. } | Operation::Breakpoint { .. } => Class::System,
        _ => Class::Illegal,
    }
}

const fn status(special: Special, fields: u8) -> Class {
    match special {
        Special::Current if matches!(fields, 0 | 8) => Class::StatusWriteFlags,
        Special::Numbered(0..=3) => Class::StatusWriteFlags,
        _ => Class::StatusWrite,
    }
}

/// The operand that timing looks at; what it needs is computed in front of the instruction. What each
/// class gives is said beside [`Class`].
pub fn operand(
    builder: &mut Builder,
    instruction: &Instruction,
    class: Class,
    condition: Option<Value>,
    arm: &Arm,
) -> Option<Value> {
    let version = arm.architecture.version;
    let own = match instruction.operation {
        Operation::Multiply { rm, .. } | Operation::MultiplyLong { rm, .. } if !version.is_m() => {
            let Some(condition) = condition else { return Some(builder.register(rm)) };
            Some(ends_early(builder, &instruction.operation, rm, condition))
        }
        Operation::MultiplyLong { rn, rm, product, .. } if version == Version::V7M => {
            let signed = matches!(product, LongProduct::Smull | LongProduct::Smlal);
            let shape = halves(builder, rn, rm, signed);
            Some(skipped_or(builder, condition, shape))
        }
        Operation::Divide { signed, rn, rm, .. } => {
            let shape = quotient(builder, signed, rn, rm);
            Some(skipped_or(builder, condition, shape))
        }
        _ => None,
    };
    debug_assert_eq!(own.is_some(), Class::has_shape(class as u8, version), "{class:?}");
    own.or(condition)
}

fn skipped_or(builder: &mut Builder, condition: Option<Value>, value: Value) -> Value {
    let skipped = Value::Const(SKIPPED.into());
    condition.map_or(value, |condition| builder.select(condition, value, skipped))
}

/// Bits up to the highest one.
fn length(builder: &mut Builder, value: Value) -> Value {
    let zeros = builder.unary(Unary::LeadingZeros, value);
    builder.binary(Binary::Sub, Value::Const(32), zeros)
}

/// A value, or its complement where it is negative.
fn folded(builder: &mut Builder, value: Value) -> Value {
    let sign = builder.binary(Binary::Sar, value, Value::Const(31));
    builder.binary(Binary::Xor, value, sign)
}

/// A value, or its negative where that is positive.
fn magnitude(builder: &mut Builder, value: Value) -> Value {
    let sign = builder.binary(Binary::Sar, value, Value::Const(31));
    let complement = builder.binary(Binary::Xor, value, sign);
    builder.binary(Binary::Sub, complement, sign)
}

/// The length of the second factor of a conditional product on a core whose multiplier ends early.
fn ends_early(
    builder: &mut Builder,
    operation: &Operation,
    rm: Register,
    condition: Value,
) -> Value {
    let unsigned = matches!(
        operation,
        Operation::MultiplyLong { product: LongProduct::Umull | LongProduct::Umlal, .. }
    );
    let factor = builder.register(rm);
    let seen = if unsigned { factor } else { folded(builder, factor) };
    let length = length(builder, seen);
    skipped_or(builder, Some(condition), length)
}

/// Which halves of two factors are not zero, and which factors are negative.
fn halves(builder: &mut Builder, rn: Register, rm: Register, signed: bool) -> Value {
    let mut shape = Value::Const(0);
    let mut add = |builder: &mut Builder, bit: Value, at: u64| {
        let placed = builder.binary(Binary::Shl, bit, Value::Const(at));
        shape = builder.binary(Binary::Or, shape, placed);
    };
    for (number, register) in [(0, rn), (1, rm)] {
        let factor = builder.register(register);
        let low = builder.binary(Binary::And, factor, Value::Const(0xffff));
        let high = builder.binary(Binary::Shr, factor, Value::Const(16));
        for (half, at) in [(low, 0), (high, 1)] {
            let bit = builder.compare(Condition::NotEqual, half, Value::Const(0));
            add(builder, bit, 2 * number + at);
        }
        if signed {
            let sign = builder.binary(Binary::Shr, factor, Value::Const(31));
            add(builder, sign, 4 + number);
        }
    }
    shape
}

/// How long a quotient is.
fn quotient(builder: &mut Builder, signed: bool, rn: Register, rm: Register) -> Value {
    let [dividend, divisor] = [rn, rm].map(|register| {
        let value = builder.register(register);
        let positive = if signed { magnitude(builder, value) } else { value };
        length(builder, positive)
    });
    let shorter = builder.compare(Condition::LessUnsigned, dividend, divisor);
    let difference = builder.binary(Binary::Sub, dividend, divisor);
    let digits = builder.binary(Binary::Add, difference, Value::Const(2));
    let one = Value::Const(1);
    let digits = builder.select(shorter, one, digits);
    let product = builder.binary(Binary::Mul, dividend, divisor);
    builder.select(product, digits, Value::Const(0))
}
