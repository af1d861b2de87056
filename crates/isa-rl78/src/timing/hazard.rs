//! The wait of an instruction that addresses memory or code by a register which the one before it wrote.
//!
//! Source: hardware manuals of RL78, "Hazards related to combination of instructions". The state between two
//! instructions is the set of such registers that the first one writes.

use cocrypt_isa::PipelineState;

use crate::decode::Decoded;
use crate::table::{Opcode, Operand};

const AX: PipelineState = 1;
const B: PipelineState = 2;
const C: PipelineState = 4;
const DE: PipelineState = 8;
const HL: PipelineState = 16;
const SP: PipelineState = 32;
const CS: PipelineState = 64;
/// The address of the stack pointer.
const STACK: u32 = 0xf_fff8;
/// That of its higher byte.
const STACK_HIGH: u32 = 0xf_fff9;
/// That of CS.
const SEGMENT: u32 = 0xf_fffc;

/// The registers by which an instruction addresses memory or code.
pub fn addresses(insn: &Decoded) -> PipelineState {
    let operands = insn.row.operands.map(|operand| match operand {
        Operand::AtDe | Operand::AtDeByte => DE,
        Operand::AtHl | Operand::AtHlByte | Operand::BitHl => HL,
        Operand::AtHlB => HL | B,
        Operand::AtHlC => HL | C,
        Operand::IndexB => B,
        Operand::IndexC => C,
        Operand::IndexBc => B | C,
        Operand::AtSpByte => SP,
        _ => 0,
    });
    operands[0] | operands[1] | by_opcode(insn)
}

/// Those that an instruction uses without naming them as memory.
fn by_opcode(insn: &Decoded) -> PipelineState {
    use Opcode as O;
    match (insn.opcode(), insn.row.operands[0]) {
        (O::Br, Operand::Ax) => AX | CS,
        (O::Call, Operand::Pair) => pair(insn.field) | CS | SP,
        (
            O::Call
            | O::Callt
            | O::Brk
            | O::Ret
            | O::Reti
            | O::Push
            | O::Pop
            | O::PushStatus
            | O::PopStatus,
            _,
        ) => SP,
        _ => 0,
    }
}

/// The registers of those that an instruction writes.
pub fn written(insn: &Decoded) -> PipelineState {
    use Opcode as O;
    match insn.opcode() {
        O::Cmp | O::Cmp0 | O::Cmpw | O::Cmps | O::Push | O::Call | O::Br | O::Bt | O::Bf => 0,
        O::Xch | O::Xchw => destination(insn, 0) | destination(insn, 1),
        O::Mulu => AX,
        O::Mulhu | O::Mulh => AX | B | C,
        O::Divhu => AX | DE,
        O::Divwu => AX | B | C | DE | HL,
        _ => destination(insn, 0),
    }
}

fn destination(insn: &Decoded, index: usize) -> PipelineState {
    match (insn.row.operands[index], insn.known(index)) {
        (_, Some(STACK | STACK_HIGH)) | (Operand::Sp, _) => SP,
        (_, Some(SEGMENT)) => CS,
        (Operand::X | Operand::A | Operand::Ax | Operand::BitA, _) => AX,
        (Operand::B, _) => B,
        (Operand::C, _) => C,
        (Operand::Bc, _) => B | C,
        (Operand::Register | Operand::LowRegister | Operand::Other | Operand::Others, _) => {
            [AX, AX, C, B, DE, DE, HL, HL][usize::from(insn.field)]
        }
        (Operand::Pair | Operand::OtherPair, _) => pair(insn.field),
        _ => 0,
    }
}

fn pair(field: u8) -> PipelineState {
    [AX, B | C, DE, HL][usize::from(field)]
}
