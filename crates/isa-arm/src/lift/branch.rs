//! Branches, and what else leaves straight-line code.
//!
//! A computed target says by its lowest bit which instruction set it means; where an instruction cannot
//! change that, the bit is made what it has to be first.

use cocrypt_ir::{Binary, Transfer, Value, Width};

use super::lifter::{Flow, Lifter};
use crate::cells;
use crate::instruction::{Address, DataOp, Index, Offset, Operand, Operation, Register, Selected};

/// Lifts a branch; nothing if it is something else.
pub fn lift(lifter: &mut Lifter<'_>, operation: &Operation) -> Option<Flow> {
    let pc = lifter.builder.pc;
    Some(match *operation {
        Operation::Branch { offset, link, selected } => {
            if link {
                set_link(lifter);
            }
            let thumb = lifter.state.thumb != (selected == Selected::Other);
            let base = if lifter.state.thumb && !thumb { pc & !3 } else { pc };
            Flow::Jump { target: base.wrapping_add_signed(offset), thumb }
        }
        Operation::BranchExchange { rm, link } => {
            let target = lifter.builder.register(rm);
            let target = if link { lifter.builder.copy(target) } else { target };
            if link {
                set_link(lifter);
            }
            Flow::Computed(target)
        }
        Operation::BranchPrefix { offset } => {
            let link = Value::Const(pc.wrapping_add_signed(offset).into());
            lifter.builder.write(cells::LR, link);
            Flow::On
        }
        Operation::BranchSuffix { offset, selected } => suffix(lifter, offset, selected),
        Operation::CompareBranch { nonzero, rn, offset } => {
            let value = lifter.builder.register(rn);
            Flow::Compare { target: pc.wrapping_add_signed(offset), value, nonzero }
        }
        Operation::TableBranch { rn, rm, half } => table(lifter, rn, rm, half),
        Operation::It { .. } => Flow::On,
        _ => return None,
    })
}

/// The link register becomes the address behind the instruction, with the instruction set.
fn set_link(lifter: &mut Lifter<'_>) {
    let link = Value::Const(lifter.behind_as_target().into());
    lifter.builder.write(cells::LR, link);
}

fn suffix(lifter: &mut Lifter<'_>, offset: u16, selected: Selected) -> Flow {
    let builder = &mut lifter.builder;
    let link = Value::Slot(cells::LR);
    let target = builder.binary(Binary::Add, link, Value::Const(offset.into()));
    let target = match selected {
        Selected::Same => builder.binary(Binary::Or, target, Value::Const(1)),
        Selected::Other => builder.binary(Binary::And, target, Value::Const(0xffff_fffc)),
    };
    set_link(lifter);
    Flow::Computed(target)
}

fn table(lifter: &mut Lifter<'_>, rn: Register, rm: Register, half: bool) -> Flow {
    let builder = &mut lifter.builder;
    let (base, index) = (builder.register(rn), builder.register(rm));
    let (width, scaled) = if half {
        (Width::W16, builder.binary(Binary::Shl, index, Value::Const(1)))
    } else {
        (Width::W8, index)
    };
    let at = builder.binary(Binary::Add, base, scaled);
    let entry = builder.load(width, false, at, 0);
    let twice = builder.binary(Binary::Shl, entry, Value::Const(1));
    let pc = Value::Const((builder.pc | 1).into());
    Flow::Computed(builder.binary(Binary::Add, twice, pc))
}

/// A jump that stays in the instruction set.
pub fn to_same_set(lifter: &mut Lifter<'_>, target: Value) -> Flow {
    Flow::Computed(lifter.same_set(target))
}

/// A jump to what was loaded: it may change the instruction set where the architecture says so.
pub fn to_loaded(lifter: &mut Lifter<'_>, target: Value) -> Flow {
    if lifter.arm.architecture.version.loads_interwork() {
        Flow::Computed(target)
    } else {
        to_same_set(lifter, target)
    }
}

/// What a branch means to calls, by the conventions of compilers.
pub fn transfer(operation: &Operation) -> Transfer {
    match *operation {
        Operation::Branch { link: true, .. }
        | Operation::BranchExchange { link: true, .. }
        | Operation::BranchSuffix { .. } => Transfer::Call,
        Operation::BranchExchange { rm: 14, .. } | Operation::LoadMultiple { rn: 13, .. } => {
            Transfer::Return
        }
        Operation::Data { op: DataOp::Mov, rd: 15, operand, .. } if is_link(operand) => {
            Transfer::Return
        }
        Operation::Load {
            rt: 15,
            address: Address { rn: 13, offset: Offset::Immediate(4), index: Index::After },
            ..
        } => Transfer::Return,
        _ => Transfer::Jump,
    }
}

const fn is_link(operand: Operand) -> bool {
    matches!(operand, Operand::Register { rm: 14, amount: 0, .. })
}
