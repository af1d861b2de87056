//! Accesses at addresses that their width does not allow, on cores that make them all the same.

use cocrypt_ir::{Binary, Block, Exit, Insn, Op, Slot, Value, Width};

use crate::decode::Decoded;
use crate::lift::temporary;
use crate::privileged::{with_cell, with_constant};
use crate::table::{Class, Opcode};

/// The width of an access, and whether it extends a sign.
const fn shape(insn: &Decoded) -> Option<(Width, bool)> {
    Some(match insn.opcode {
        Opcode::Lh => (Width::W16, true),
        Opcode::Lhu | Opcode::Sh => (Width::W16, false),
        Opcode::Lw | Opcode::Sw => (Width::W32, false),
        _ => return None,
    })
}

const fn writes(insn: &Decoded) -> bool {
    matches!(insn.opcode, Opcode::Sh | Opcode::Sw)
}

/// The cell of a load's value, which nobody sees of x0.
const fn destination(insn: &Decoded) -> Slot {
    if insn.rd == 0 { temporary(0) } else { Slot(insn.rd as u16) }
}

const fn source(insn: &Decoded) -> Value {
    if insn.rs2 == 0 { Value::Const(0) } else { Value::Slot(Slot(insn.rs2 as u16)) }
}

/// The access that a core makes at the multiple of the width below.
pub fn rounded(insn: &Decoded, address: u32) -> Option<Op> {
    let (width, signed) = shape(insn)?;
    let base = Value::Const((address & !(width.bytes() - 1)).into());
    Some(if writes(insn) {
        Op::Store { width, src: source(insn), base, offset: 0 }
    } else {
        Op::Load { width, signed, dst: destination(insn), base, offset: 0 }
    })
}

/// The instruction at `pc` on a core that makes an access in as many parts as it touches words, which is
/// what its cost looks at.
pub fn split(insn: &Decoded, pc: u64, address: u32, mode: u32) -> Option<Block> {
    let (width, signed) = shape(insn)?;
    let bytes = width.bytes();
    let ops = if writes(insn) {
        stores(source(insn), address, bytes)
    } else {
        loads(destination(insn), signed, address, bytes)
    };
    let parts = (address % 4 + bytes).div_ceil(4);
    let class = if writes(insn) { Class::Store } else { Class::Load } as u8;
    let operand = Some(Value::Const(parts.into()));
    let exit = Exit::Next { pc: (pc + u64::from(insn.length)) & 0xffff_ffff };
    let insn = Insn { operand, ..Insn::new(pc, insn.length, mode, class) };
    Some(Block::single(insn, ops, exit))
}

fn loads(dst: Slot, signed: bool, address: u32, bytes: u32) -> Vec<Op> {
    let [sum, byte] = [1, 2].map(temporary);
    let mut ops = vec![Op::Move { dst: sum, src: Value::Const(0) }];
    for number in 0..bytes {
        let base = Value::Const(address.wrapping_add(number).into());
        let signed = signed && number == bytes - 1;
        ops.push(Op::Load { width: Width::W8, signed, dst: byte, base, offset: 0 });
        ops.push(with_constant(Binary::Shl, byte, byte, (8 * number).into()));
        ops.push(with_cell(Binary::Or, sum, sum, byte));
    }
    ops.push(Op::Move { dst, src: Value::Slot(sum) });
    ops
}

fn stores(src: Value, address: u32, bytes: u32) -> Vec<Op> {
    let rest = temporary(1);
    let mut ops = vec![Op::Move { dst: rest, src }];
    for number in 0..bytes {
        let base = Value::Const(address.wrapping_add(number).into());
        let src = Value::Slot(rest);
        ops.push(Op::Store { width: Width::W8, src, base, offset: 0 });
        ops.push(with_constant(Binary::Shr, rest, rest, 8));
    }
    ops
}
