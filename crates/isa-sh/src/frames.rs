//! The ways into handlers of SH-1 and SH-2: a table of vectors, and a frame on the stack.
//!
//! Source: "SH7604 Hardware Manual", section 4, "Exception Handling" (vectors: table 4.3, page 67), and "SH7615 Hardware
//! Manual", Rev. 2.00, sections 4.1.3 and 4.5 (page 137), whose core is the same.

use cocrypt_ir::{Block, Builder, Exit, Insn, StopKind, Transfer, Value, Width};
use cocrypt_isa::{ByteOrder, Trap};

use crate::cause::Cause;
use crate::cells::{COUNT, SR, STACK, TARGET, VBR};
use crate::class::Class;
use crate::decode::Decoded;
use crate::exceptions::{awake, behind};
use crate::lift::TEMPORARIES;
use crate::mode;
use crate::status::{self, MASK};

/// Numbers of vectors; those of traps are their own, and those of interrupt lines begin behind them.
const ILLEGAL: u32 = 4;
const ILLEGAL_SLOT: u32 = 6;
const ADDRESS: u32 = 9;
const FIRST_LINE: u32 = 64;

/// Bytes of a vector, and of each of the two words of a frame.
const WORD: u32 = 4;

/// Returns true if an exception has a place for its frame. Elsewhere the frame itself would raise an address error.
pub fn has_stack(cells: &[u64]) -> bool {
    status::at(cells, STACK).is_multiple_of(WORD)
}

/// The entry into a handler, as a block of one instruction; nothing if the frame has no place.
pub fn entry(
    order: ByteOrder,
    trap: Trap,
    pc: u64,
    insn: Option<Decoded>,
    (cells, mode): (&[u64], u32),
    level: u32,
) -> Option<Block> {
    let in_slot = mode::slot(mode).is_some();
    // In a delay slot, what comes behind is the branch's target.
    let following = if in_slot { status::at(cells, TARGET).into() } else { behind(pc) };
    let cause = match trap {
        Trap::Instruction(StopKind::Wait) => return Some(awake(pc, mode)),
        Trap::Interrupt { number, .. } => {
            let vector = FIRST_LINE + u32::from(number);
            Cause { class: Class::Interrupt, ..Cause::new(vector, pc) }
        }
        Trap::Instruction(StopKind::EnvironmentCall) => {
            Cause { class: Class::Trap, ..Cause::new(insn?.unsigned(), following) }
        }
        Trap::Instruction(StopKind::IllegalInstruction) if in_slot => {
            Cause::new(ILLEGAL_SLOT, following)
        }
        Trap::Instruction(StopKind::IllegalInstruction) => Cause::new(ILLEGAL, pc),
        Trap::Unaligned { .. } => Cause::new(ADDRESS, following),
        // The branch is over, and the fetch at its target is what fails.
        Trap::UnalignedJump => Cause::new(ADDRESS, pc),
        _ => return None,
    };
    has_stack(cells).then(|| handled(order, pc, cells, &cause, level))
}

/// Pushes SR and then PC, and goes where the vector says. An interrupt masks those up to its own level.
fn handled(order: ByteOrder, pc: u64, cells: &[u64], cause: &Cause, level: u32) -> Block {
    let builder = Builder::new(COUNT, TEMPORARIES);
    let mut builder = if order == ByteOrder::Big { builder.big_endian() } else { builder };
    let stack = status::at(cells, STACK);
    let [status_at, back_at] = [1, 2].map(|words| stack.wrapping_sub(words * WORD));
    for (at, value) in [(status_at, status::composed(cells).into()), (back_at, cause.back)] {
        builder.store(Width::W32, Value::Const(value), Value::Const(at.into()), 0);
    }
    let vector = status::at(cells, VBR).wrapping_add(cause.number * WORD);
    let handler = builder.load(Width::W32, false, Value::Const(vector.into()), 0);
    builder.write(STACK, Value::Const(back_at.into()));
    if cause.class == Class::Interrupt {
        let masked = status::at(cells, SR) & !(15 << MASK) | level << MASK;
        builder.write(SR, Value::Const(masked.into()));
    }
    let insn = Insn::new(pc, 0, mode::CODE, cause.class as u8);
    let mut block = Block::single(insn, builder.ops, Exit::Indirect { target: handler });
    block.transfer = Transfer::Call;
    block
}
