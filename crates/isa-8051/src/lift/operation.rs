//! The operations of each instruction.

use cocrypt_ir::{Binary, Exit, Value};

use super::Lifter;
use super::flow::page;
use crate::cells::CY;
use crate::decode::Decoded;
use crate::table::Opcode as O;

impl Lifter {
    /// The operations of an instruction, and where it goes unless that is straight on.
    #[allow(clippy::too_many_lines)]
    pub(super) fn operations(&mut self, insn: &Decoded, following: u64) -> Option<Exit> {
        match insn.opcode() {
            O::Nop => {}
            O::Add => self.add(insn, Value::Const(0)),
            O::Addc => self.add(insn, Value::Slot(CY)),
            O::Subb => self.subtract(insn),
            O::Anl => self.logic(insn, Binary::And),
            O::Orl => self.logic(insn, Binary::Or),
            O::Xrl => self.logic(insn, Binary::Xor),
            O::Inc => self.count(insn, Binary::Add),
            O::Dec => self.count(insn, Binary::Sub),
            O::IncPointer => self.increment_pointer(),
            O::Mul => self.multiply(),
            O::Div => self.divide(),
            O::Da => self.adjust(),
            O::Clr => self.write(insn, 0, Value::Const(0)),
            O::Cpl => self.complement(),
            O::Rl => self.rotate(7),
            O::Rr => self.rotate(1),
            O::Swap => self.rotate(4),
            O::Rlc => self.rotate_left_through_carry(),
            O::Rrc => self.rotate_right_through_carry(),
            O::Mov | O::Movc | O::Movx => {
                let value = self.value(insn, 1);
                self.write(insn, 0, value);
            }
            O::Xch => self.exchange(insn),
            O::Xchd => self.exchange_halves(insn),
            O::Push => self.push_direct(insn),
            O::Pop => self.pop_direct(insn),

            O::ClearBit => self.clear_bit(insn),
            O::SetBit => self.change_bit(insn, |_, _| Value::Const(1)),
            O::ComplementBit => self.complement_bit(insn),
            O::MoveBit => self.move_bit(insn),
            O::AndBit => self.bit_logic(insn, Binary::And),
            O::OrBit => self.bit_logic(insn, Binary::Or),

            O::Jb => return Some(self.branch_bit(true, insn, following)),
            O::Jnb => return Some(self.branch_bit(false, insn, following)),
            O::Jbc => return Some(self.branch_and_clear(insn, following)),
            O::Jc => return Some(Self::branch_carry(true, insn, following)),
            O::Jnc => return Some(Self::branch_carry(false, insn, following)),
            O::Jz => return Some(Self::branch_zero(true, insn, following)),
            O::Jnz => return Some(Self::branch_zero(false, insn, following)),
            O::Cjne => return Some(self.compare(insn, following)),
            O::Djnz => return Some(self.count_down(insn, following)),
            O::Sjmp => return Some(Self::jump_relative(insn, following)),
            O::Ajmp => return Some(Exit::Jump { target: page(insn, following) }),
            O::Ljmp => return Some(Exit::Jump { target: insn.values[0] as u64 }),
            O::Jmp => return Some(Exit::Indirect { target: self.code_pointer() }),
            O::Acall => return Some(self.call(page(insn, following), following)),
            O::Lcall => return Some(self.call(insn.values[0] as u64, following)),
            O::Ret => return Some(self.return_to()),
            O::Reti => return Some(self.return_from_handler()),
        }
        None
    }
}
