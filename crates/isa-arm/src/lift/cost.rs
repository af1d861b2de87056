//! The operands that timing looks at: the class of an instruction, and the operand that decides about its
//! cost.

use cocrypt_ir::{Condition, Unary, Value};

use super::Arm;
use super::builder::Builder;
use super::term::{Term, of};
use crate::architecture::Version;
use crate::class::{Class, SKIPPED};
use crate::computation::{Computation, Opcode};
use crate::instruction::{
    Access, Hint, Instruction, Operand, Operation, Register, Special, VectorMove,
};

/// The class of an instruction.
pub fn class(instruction: &Instruction) -> Class {
    match instruction.operation {
        Operation::Data { op, rd, .. } if rd == 15 && !op.compares() => Class::AluPc,
        Operation::Data { operand: Operand::Shifted { .. }, .. } => Class::ShiftRegister,
        Operation::Data { .. } | Operation::AddressOf { .. } | Operation::MoveHalf { .. } => {
            Class::Alu
        }
        Operation::Compute(computation) => computation.op.row().class,
        Operation::Parallel { .. } => Class::Parallel,
        Operation::Transfer { loads: false, .. } => Class::Store,
        Operation::Transfer { rt: 15, .. } => Class::LoadPc,
        Operation::Transfer { access: Access::Word, .. } => Class::Load,
        Operation::Transfer { .. } => Class::LoadNarrow,
        Operation::TransferDouble { loads, .. } => {
            either(loads, Class::LoadDouble, Class::StoreDouble)
        }
        Operation::Multiple(transfer) => {
            either(transfer.loads, Class::LoadMultiple, Class::StoreMultiple)
        }
        Operation::LoadExclusive { .. } => Class::LoadExclusive,
        Operation::StoreExclusive { .. } => Class::StoreExclusive,
        Operation::Swap { .. } => Class::Swap,
        Operation::Preload => Class::Preload,
        Operation::Branch { link, .. } => either(link, Class::BranchLink, Class::Branch),
        Operation::BranchPrefix { .. } | Operation::BranchSuffix { .. } => Class::BranchLink,
        Operation::BranchExchange { link, .. } => {
            either(link, Class::BranchLinkExchange, Class::BranchExchange)
        }
        Operation::CompareBranch { .. } => Class::CompareBranch,
        Operation::TableBranch { .. } => Class::TableBranch,
        Operation::It { .. } => Class::It,
        Operation::Hint(Hint::WaitForInterrupt | Hint::WaitForEvent) => Class::Wait,
        Operation::Hint(_) | Operation::ClearExclusive => Class::Hint,
        Operation::Barrier(_) => Class::Barrier,
        Operation::StatusRead { .. } => Class::StatusRead,
        Operation::StatusWrite { special, fields, .. } => status(special, fields),
        Operation::ChangeState { .. } => Class::ChangeState,
        Operation::Coprocessor { reads, .. } => {
            either(reads, Class::Coprocessor, Class::CoprocessorWrite)
        }
        Operation::VectorMove(
            VectorMove::PairFromGeneral { .. } | VectorMove::PairToGeneral { .. },
        ) => Class::VectorMovePair,
        Operation::VectorMove(_) => Class::VectorMove,
        Operation::VectorSingle { loads, .. } => {
            either(loads, Class::VectorLoad, Class::VectorStore)
        }
        Operation::VectorMultiple { loads, .. } => {
            either(loads, Class::VectorLoadMultiple, Class::VectorStoreMultiple)
        }
        Operation::SupervisorCall { .. } | Operation::Breakpoint { .. } => Class::System,
        Operation::AbsentCoprocessor(_) | Operation::Undefined => Class::Illegal,
    }
}

const fn either(condition: bool, chosen: Class, otherwise: Class) -> Class {
    if condition { chosen } else { otherwise }
}

const fn status(special: Special, fields: u8) -> Class {
    match special {
        Special::Current if matches!(fields, 0 | 8) => Class::StatusWriteFlags,
        Special::Apsr | Special::Iapsr | Special::Eapsr | Special::Xpsr => Class::StatusWriteFlags,
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
    let Operation::Compute(Computation { op, rn, rm, .. }) = instruction.operation else {
        return condition;
    };
    if !Class::has_shape(class as u8, version) {
        return condition;
    }
    let shape = match class {
        Class::Divide => quotient(builder, op == Opcode::Sdiv, rn, rm),
        _ if version == Version::V7M => {
            halves(builder, rn, rm, matches!(op, Opcode::Smull | Opcode::Smlal))
        }
        _ if condition.is_none() => return Some(builder.register(rm)),
        _ => ends_early(builder, matches!(op, Opcode::Umull | Opcode::Umlal), rm),
    };
    Some(skipped_or(builder, condition, shape))
}

fn skipped_or(builder: &mut Builder, condition: Option<Value>, value: Value) -> Value {
    let skipped = Value::Const(SKIPPED.into());
    condition.map_or(value, |condition| builder.select(condition, value, skipped))
}

/// Bits up to the highest one.
fn length(value: impl Into<Term>) -> Term {
    of(32) - value.into().unary(Unary::LeadingZeros)
}

/// A value, or its negative where that is positive.
fn magnitude(builder: &mut Builder, value: Value) -> Value {
    let sign = builder.term(of(value).sar(31));
    builder.term((of(value) ^ sign) - sign)
}

/// The length of the second factor of a conditional product on a core whose multiplier ends early; of a
/// signed one that is negative, that of its complement.
fn ends_early(builder: &mut Builder, unsigned: bool, rm: Register) -> Value {
    let factor = builder.register(rm);
    let seen = if unsigned { of(factor) } else { of(factor) ^ of(factor).sar(31) };
    builder.term(length(seen))
}

/// The halves of two factors that are not zero, and the factors that are negative.
fn halves(builder: &mut Builder, rn: Register, rm: Register, signed: bool) -> Value {
    let mut shape = of(0);
    for (number, register) in [(0, rn), (1, rm)] {
        let factor = builder.register(register);
        let [low, high] = [of(factor) & 0xffff, of(factor) >> 16].map(|half| builder.term(half));
        for (half, at) in [(low, 0), (high, 1)] {
            shape = shape | (of(half).is(Condition::NotEqual, 0) << (2 * number + at));
            shape = of(builder.term(shape));
        }
        if signed {
            shape = of(builder.term(shape | ((of(factor) >> 31) << (4 + number))));
        }
    }
    builder.term(shape)
}

/// The length of a quotient.
fn quotient(builder: &mut Builder, signed: bool, rn: Register, rm: Register) -> Value {
    let [dividend, divisor] = [rn, rm].map(|register| {
        let value = builder.register(register);
        let positive = if signed { magnitude(builder, value) } else { value };
        builder.term(length(positive))
    });
    let shorter = of(dividend).is(Condition::LessUnsigned, divisor);
    let digits = builder.term(shorter.choose(1, of(dividend) - divisor + 2));
    builder.term((of(dividend) * divisor).choose(digits, 0))
}
