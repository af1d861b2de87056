//! The core's ways into its handlers.
//!
//! Source: UG984, chapter 2, "Reset, Interrupts, Exceptions, and Break": the vectors, the registers with the
//! addresses to return to, the exception status register.

use cocrypt_ir::{Block, Exit, Insn, Op, Slot, StopKind, Transfer, Value};
use cocrypt_isa::Trap;

use crate::cells::{BTR, EAR, ESR, MSR, RESERVATION, TARGET, msr};
use crate::class::Class;
use crate::decode::Decoded;
use crate::lift::width;
use crate::mode;

/// The exceptions that a core is configured with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exceptions {
    /// `C_BASE_VECTORS`: the address of the reset vector.
    pub base: u32,
    /// `C_UNALIGNED_EXCEPTIONS`: accesses that are not aligned lead to the handler.
    pub unaligned: bool,
    /// `C_ILL_OPCODE_EXCEPTION`: what is no instruction leads to the handler.
    pub illegal: bool,
}

/// Vectors, from the base on.
const INTERRUPT: u32 = 0x10;
const EXCEPTION: u32 = 0x20;

/// Causes in the exception status register, and its bits: in a delay slot, an access to a word, a store.
const UNALIGNED: u32 = 1;
const ILLEGAL: u32 = 2;
const IN_SLOT: u32 = 1 << 12;
const WORD: u32 = 1 << 11;
const STORES: u32 = 1 << 10;
/// The lowest bit of the number of the register that an access reads or writes.
const REGISTER: u32 = 5;

/// The registers with addresses to return to.
const BEHIND_INTERRUPT: Slot = Slot(14);
const BEHIND_EXCEPTION: Slot = Slot(17);

/// The entry into a handler, as a block of one instruction; nothing if the core has none for it, or its status
/// register says that it is not taken.
pub fn entry(
    has: Exceptions,
    trap: Trap,
    pc: u64,
    insn: Option<Decoded>,
    cells: &[u64],
    mode: u32,
) -> Option<Block> {
    let status = cells[usize::from(MSR.0)] as u32;
    let is_open = status & (msr::EE | msr::EIP) == msr::EE;
    match trap {
        Trap::Interrupt { .. } => Some(interrupt(has, pc, mode, status)),
        Trap::Instruction(StopKind::Wait) => Some(awake(pc, mode)),
        Trap::Instruction(StopKind::IllegalInstruction) if has.illegal && is_open => {
            Some(exception(has, pc, mode, status, ILLEGAL, cells, None))
        }
        Trap::Unaligned { address, writes } if has.unaligned && is_open => {
            let cause = UNALIGNED | access(insn?, writes);
            Some(exception(has, pc, mode, status, cause, cells, Some(address)))
        }
        _ => None,
    }
}

/// The core goes on behind an instruction that let it sleep.
fn awake(pc: u64, mode: u32) -> Block {
    let insn = Insn::new(pc, 4, mode, Class::Barrier as u8);
    Block::single(insn, vec![], Exit::Next { pc: (pc + 4) & 0xffff_ffff })
}

fn interrupt(has: Exceptions, pc: u64, mode: u32, status: u32) -> Block {
    let ops = vec![
        written(BEHIND_INTERRUPT, pc as u32),
        written(MSR, status & !msr::IE),
        written(RESERVATION, 0),
    ];
    handled(pc, mode::lasting(mode), Class::Interrupt, ops, has.base.wrapping_add(INTERRUPT))
}

fn exception(
    has: Exceptions,
    pc: u64,
    mode: u32,
    status: u32,
    cause: u32,
    cells: &[u64],
    address: Option<u32>,
) -> Block {
    let in_slot = mode::slot(mode).is_some();
    let mut ops = vec![
        written(ESR, cause | if in_slot { IN_SLOT } else { 0 }),
        written(MSR, status & !msr::EE | msr::EIP),
        written(RESERVATION, 0),
    ];
    ops.extend(address.map(|address| written(EAR, address)));
    // In a delay slot the register is invalid, and the handler returns to where the branch leads.
    if in_slot {
        ops.push(written(BTR, cells[usize::from(TARGET.0)] as u32));
    }
    ops.push(written(BEHIND_EXCEPTION, (pc as u32).wrapping_add(4)));
    handled(pc, mode, Class::Exception, ops, has.base.wrapping_add(EXCEPTION))
}

fn handled(pc: u64, mode: u32, class: Class, ops: Vec<Op>, handler: u32) -> Block {
    let insn = Insn::new(pc, 0, mode, class as u8);
    let mut block = Block::single(insn, ops, Exit::Jump { target: handler.into() });
    (block.onward, block.transfer) = (mode::lasting(mode), Transfer::Call);
    block
}

/// The bits of the exception status register about an access.
fn access(insn: Decoded, writes: bool) -> u32 {
    let is_word = width(insn.opcode).bytes() == 4;
    let bits = if is_word { WORD } else { 0 } | if writes { STORES } else { 0 };
    bits | u32::from(insn.d) << REGISTER
}

fn written(dst: Slot, value: u32) -> Op {
    Op::Move { dst, src: Value::Const(value.into()) }
}
