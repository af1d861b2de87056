//! The ways into handlers of SH-3 and SH-4.
//!
//! Source: "SH-4 Software Manual", section 5, "Exceptions", which is that of SH-3 in what is modelled here: the codes and
//! the offsets of the vectors, the registers that are saved. An exception while SR.BL is set resets the core; here it ends
//! the run.

use cocrypt_ir::{Block, Builder, Exit, Insn, StopKind, Transfer, Value};
use cocrypt_isa::Trap;

use crate::cause::Cause;
use crate::cells::{COUNT, EXPEVT, INTEVT, MODE, SGR, SPC, SR, SSR, STACK, TEA, TRA, VBR};
use crate::class::Class;
use crate::decode::Decoded;
use crate::lift::TEMPORARIES;
use crate::mode;
use crate::status::{self, BANKS, BLOCKED, MASK};

/// Vectors, from VBR on.
const GENERAL: u32 = 0x100;
const INTERRUPT: u32 = 0x600;

/// Codes of exceptions; a fetch has that of a read.
const ADDRESS_READ: u32 = 0x0e0;
const ADDRESS_WRITE: u32 = 0x100;
const TRAPPED: u32 = 0x160;
const ILLEGAL: u32 = 0x180;
const ILLEGAL_SLOT: u32 = 0x1a0;
/// The code of the interrupt of line 0, that of the first timer's underflow, and the distance to the next line's.
const FIRST_LINE: u32 = 0x400;
const PER_LINE: u32 = 0x20;

/// The entry into a handler, as a block of one instruction; nothing if the core is reset instead.
pub fn entry(
    trap: Trap,
    pc: u64,
    insn: Option<Decoded>,
    cells: &[u64],
    mode: u32,
) -> Option<Block> {
    // In a delay slot, the branch is executed again.
    let in_slot = mode::slot(mode).is_some();
    let back = if in_slot { pc.wrapping_sub(2) & 0xffff_ffff } else { pc };
    let cause = match trap {
        Trap::Interrupt { number, .. } => {
            return Some(interrupt(pc, mode, cells, number));
        }
        Trap::Instruction(StopKind::Wait) => return Some(awake(pc, mode)),
        Trap::Instruction(StopKind::EnvironmentCall) => {
            let number = insn?.unsigned() << 2;
            let cause = Cause::new(TRAPPED, behind(pc)).with(TRA, number);
            Cause { class: Class::Trap, ..cause }
        }
        Trap::Instruction(StopKind::IllegalInstruction) => {
            Cause::new(if in_slot { ILLEGAL_SLOT } else { ILLEGAL }, back)
        }
        Trap::Unaligned { address, writes } => {
            let code = if writes { ADDRESS_WRITE } else { ADDRESS_READ };
            Cause::new(code, back).with(TEA, address)
        }
        // The branch is over, with its delay slot: the fetch at the target is what fails.
        Trap::UnalignedJump => Cause::new(ADDRESS_READ, pc).with(TEA, pc as u32),
        _ => return None,
    };
    let is_blocked = status::at(cells, SR) & BLOCKED != 0;
    (!is_blocked).then(|| exception(pc, mode, cells, &cause))
}

/// The core goes on behind an instruction that let it sleep.
pub fn awake(pc: u64, mode: u32) -> Block {
    let insn = Insn::new(pc, 2, mode, Class::Sleep as u8);
    Block::single(insn, vec![], Exit::Next { pc: behind(pc) })
}

fn interrupt(pc: u64, mode: u32, cells: &[u64], number: u8) -> Block {
    let mut builder = saved(pc, cells);
    let code = FIRST_LINE + PER_LINE * u32::from(number);
    builder.write(INTEVT, Value::Const(code.into()));
    handled(pc, mode, Class::Interrupt, builder, cells, INTERRUPT)
}

fn exception(pc: u64, mode: u32, cells: &[u64], cause: &Cause) -> Block {
    let mut builder = saved(cause.back, cells);
    builder.write(EXPEVT, Value::Const(cause.number.into()));
    if let Some((register, value)) = cause.more {
        builder.write(register, Value::Const(value.into()));
    }
    handled(pc, mode, cause.class, builder, cells, GENERAL)
}

/// The operations that save the registers, given the address to return to.
fn saved(back: u64, cells: &[u64]) -> Builder {
    let mut builder = Builder::new(COUNT, TEMPORARIES);
    let status = status::composed(cells);
    builder.write(SSR, Value::Const(status.into()));
    builder.write(SPC, Value::Const(back));
    builder.write(SGR, Value::Slot(STACK));
    if !status::has_bank1(status) {
        status::exchange(&mut builder);
    }
    let handler = status::at(cells, SR) | BLOCKED;
    builder.write(SR, Value::Const(handler.into()));
    builder.write(MODE, Value::Const(BANKS.into()));
    builder
}

fn handled(
    pc: u64,
    mode: u32,
    class: Class,
    builder: Builder,
    cells: &[u64],
    vector: u32,
) -> Block {
    let handler = status::at(cells, VBR).wrapping_add(vector);
    let insn = Insn::new(pc, 0, mode, class as u8);
    let mut block = Block::single(insn, builder.ops, Exit::Jump { target: handler.into() });
    let onward = mode::of_status(status::at(cells, SR) | BANKS);
    (block.onward, block.transfer) = (onward, Transfer::Call);
    block
}

/// The interrupt line that is taken: the lowest one, if its level is above what the status register masks.
pub const fn accepted(status: u32, lines: u32, level: u32) -> Option<u8> {
    let is_open = status & BLOCKED == 0 && level > status >> MASK & 15;
    if is_open && lines != 0 { Some(lines.trailing_zeros() as u8) } else { None }
}

/// The address behind the instruction at `pc`.
pub const fn behind(pc: u64) -> u64 {
    (pc + 2) & 0xffff_ffff
}
