//! The registers that instructions read and write.

use cocrypt_ir::Insn;
use cocrypt_isa::{ByteOrder, CodeMemory};

use crate::class::Class;
use crate::decode::{Decoded, decode, word};
use crate::table::{Format, Opcode};

/// The registers of an instruction; 0 where it has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operands {
    /// Those that it reads.
    pub reads: [u8; 3],
    /// The one that it writes.
    pub writes: u8,
}

/// The registers of an instruction of a block; nothing for entries into handlers and what is no instruction.
pub fn operands(insn: &Insn, code: &dyn CodeMemory, order: ByteOrder) -> Option<Operands> {
    if insn.length == 0 || insn.class == Class::Illegal as u8 {
        return None;
    }
    word(code, order, insn.pc).and_then(decode).map(of)
}

fn of(insn: Decoded) -> Operands {
    let Decoded { d, a, b, .. } = insn;
    let (reads, writes) = match insn.opcode.row().format {
        // Of an access to a link, the field that it does not have is 0.
        Format::Registers | Format::DynamicStream => ([a, b, 0], d),
        Format::Immediate | Format::Shift | Format::Field | Format::Unary | Format::Stream => {
            ([a, 0, 0], d)
        }
        Format::Cache | Format::Condition => ([a, b, 0], 0),
        Format::Target => ([b, 0, 0], 0),
        Format::LinkTarget => ([b, 0, 0], d),
        Format::LinkDistance | Format::LinkAddress | Format::FromSpecial | Format::Status => {
            ([0; 3], d)
        }
        Format::ConditionDistance | Format::Return | Format::ToSpecial => ([a, 0, 0], 0),
        Format::Prefix | Format::Distance | Format::Address | Format::Barrier => ([0; 3], 0),
    };
    match insn.opcode.row().class {
        // A store reads the register that others write.
        Class::Store => Operands { reads: [reads[0], reads[1], d], writes: 0 },
        _ if insn.opcode == Opcode::Bsifi => Operands { reads: [a, d, 0], writes },
        _ => Operands { reads, writes },
    }
}
