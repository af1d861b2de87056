//! Branches, and what else leaves straight-line code.
//!
//! A computed target says by its lowest bit which instruction set it means; where an instruction cannot
//! change that, the bit is made what it has to be first.

use cocrypt_ir::{Transfer, Value, Width};

use super::lifter::{ControlFlow, Lifter};
use super::term::of;
use crate::cells;
use crate::instruction::{
    Address, DataOp, Index, Multiple, Offset, Operand, Operation, Register, Selected,
};

/// Lifts a branch to a known target.
pub fn near(lifter: &mut Lifter<'_>, offset: i32, link: bool, selected: Selected) -> ControlFlow {
    let pc = lifter.builder.pc;
    if link {
        set_link(lifter);
    }
    let thumb = lifter.state.thumb != (selected == Selected::Other);
    let base = if lifter.state.thumb && !thumb { pc & !3 } else { pc };
    ControlFlow::Jump { target: base.wrapping_add_signed(offset), thumb }
}

/// Lifts a branch to a register.
pub fn exchange(lifter: &mut Lifter<'_>, rm: Register, link: bool) -> ControlFlow {
    let mut target = lifter.builder.register(rm);
    if link {
        target = lifter.builder.copy(target);
        set_link(lifter);
    }
    ControlFlow::Computed(target)
}

/// The link register becomes the address behind the instruction, with the instruction set.
fn set_link(lifter: &mut Lifter<'_>) {
    let link = Value::Const(lifter.behind_as_target().into());
    lifter.builder.write(cells::LR, link);
}

/// Lifts the second half of Thumb-1's `bl` or `blx`.
pub fn suffix(lifter: &mut Lifter<'_>, offset: u16, selected: Selected) -> ControlFlow {
    let builder = &mut lifter.builder;
    let link = Value::Slot(cells::LR);
    let target = of(link) + u32::from(offset);
    let target = builder.term(match selected {
        Selected::Same => target | 1,
        Selected::Other => target & 0xffff_fffc,
    });
    set_link(lifter);
    ControlFlow::Computed(target)
}

/// Lifts a branch by a table of distances.
pub fn table(lifter: &mut Lifter<'_>, rn: Register, rm: Register, half: bool) -> ControlFlow {
    let builder = &mut lifter.builder;
    let (base, index) = (builder.register(rn), builder.register(rm));
    let (width, scaled) = if half { (Width::W16, of(index) << 1) } else { (Width::W8, of(index)) };
    let at = builder.term(of(base) + scaled);
    let entry = builder.load(width, false, at, 0);
    let pc = builder.pc | 1;
    ControlFlow::Computed(builder.term((of(entry) << 1) + pc))
}

/// A jump that stays in the instruction set.
pub fn to_same_set(lifter: &mut Lifter<'_>, target: Value) -> ControlFlow {
    ControlFlow::Computed(lifter.same_set(target))
}

/// A jump to what was loaded: it may change the instruction set where the architecture says so.
pub fn to_loaded(lifter: &mut Lifter<'_>, target: Value) -> ControlFlow {
    if lifter.arm.architecture.version.loads_interwork() {
        ControlFlow::Computed(target)
    } else {
        to_same_set(lifter, target)
    }
}

/// The meaning of a branch for calls, by the conventions of compilers; `linked` says that the instruction
/// before it took the address to return to, since ARMv4 has no other call of a computed address.
pub fn transfer(operation: &Operation, linked: bool) -> Transfer {
    match *operation {
        Operation::Branch { link: true, .. }
        | Operation::BranchExchange { link: true, .. }
        | Operation::BranchSuffix { .. } => Transfer::Call,
        Operation::BranchExchange { rm: 14, .. }
        | Operation::Multiple(Multiple { loads: true, rn: 13, .. })
        | Operation::Transfer {
            loads: true,
            rt: 15,
            address: Address { rn: 13, offset: Offset::Immediate(4), index: Index::After },
            ..
        } => Transfer::Return,
        Operation::Data { op: DataOp::Mov, rd: 15, operand, .. } if is_link(operand) => {
            Transfer::Return
        }
        _ if linked => Transfer::Call,
        _ => Transfer::Jump,
    }
}

/// Returns true for `mov lr, pc`.
pub const fn links(operation: &Operation) -> bool {
    matches!(
        operation,
        Operation::Data {
            op: DataOp::Mov,
            rd: 14,
            operand: Operand::Register { rm: 15, amount: 0, .. },
            ..
        }
    )
}

const fn is_link(operand: Operand) -> bool {
    matches!(operand, Operand::Register { rm: 14, amount: 0, .. })
}
