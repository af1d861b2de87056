//! The instructions, by the module that describes them.

use cocrypt_ir::{Binary, Exit, StopKind, Value, Width};

use super::Lifter;
use super::arithmetic::{Carry, Sum};
use super::flow::Flag;
use super::is_word;
use super::product::Division;
use super::shift::Shift;
use crate::cells::{CY, IE, RBS0, RBS1};
use crate::decode::Decoded;
use crate::table::{Opcode, Operand};

const BYTE: Width = Width::W8;
const WORD: Width = Width::W16;

impl Lifter<'_> {
    /// The operations of an instruction behind which `following` stands; its exit, if it ends the block.
    #[rustfmt::skip]
    pub(super) fn operations(&mut self, insn: &Decoded, following: u64) -> Option<Exit> {
        use Opcode as O;
        let next = Value::Const(following);
        let changes = match insn.opcode() {
            O::Nop => false,
            O::Mov => self.copy(insn, BYTE),
            O::Movw => self.copy(insn, WORD),
            O::Movs => { self.move_string(insn); false }
            O::Xch => self.exchange(insn, BYTE),
            O::Xchw => self.exchange(insn, WORD),
            O::Clrb => self.set(insn, BYTE, 0),
            O::Oneb => self.set(insn, BYTE, 1),
            O::Clrw => self.set(insn, WORD, 0),
            O::Onew => self.set(insn, WORD, 1),

            O::Add => self.sum(insn, Sum { op: Binary::Add, width: BYTE, carry: Carry::Without, writes: true }),
            O::Addc => self.sum(insn, Sum { op: Binary::Add, width: BYTE, carry: Carry::With, writes: true }),
            O::Sub => self.sum(insn, Sum { op: Binary::Sub, width: BYTE, carry: Carry::Without, writes: true }),
            O::Subc => self.sum(insn, Sum { op: Binary::Sub, width: BYTE, carry: Carry::With, writes: true }),
            O::Cmp => self.sum(insn, Sum { op: Binary::Sub, width: BYTE, carry: Carry::Without, writes: false }),
            O::Addw => self.sum(insn, Sum { op: Binary::Add, width: WORD, carry: Carry::Without, writes: true }),
            O::Subw => self.sum(insn, Sum { op: Binary::Sub, width: WORD, carry: Carry::Without, writes: true }),
            O::Cmpw => self.sum(insn, Sum { op: Binary::Sub, width: WORD, carry: Carry::Without, writes: false }),
            O::Cmp0 => { self.compare_zero(insn); false }
            O::Cmps => { self.compare_string(insn); false }
            O::And => self.logic(insn, Binary::And),
            O::Or => self.logic(insn, Binary::Or),
            O::Xor => self.logic(insn, Binary::Xor),
            O::Inc => self.count(insn, Binary::Add),
            O::Dec => self.count(insn, Binary::Sub),
            O::Incw => self.count_word(insn, Binary::Add),
            O::Decw => self.count_word(insn, Binary::Sub),

            O::Rol => { self.rotate(insn, true, false); false }
            O::Rolc | O::Rolwc => { self.rotate(insn, true, true); false }
            O::Ror => { self.rotate(insn, false, false); false }
            O::Rorc => { self.rotate(insn, false, true); false }
            O::Shl | O::Shlw => { self.shift(insn, Shift::Left); false }
            O::Shr | O::Shrw => { self.shift(insn, Shift::Right); false }
            O::Sar | O::Sarw => { self.shift(insn, Shift::Arithmetic); false }

            O::Mulu => { self.multiply_bytes(); false }
            O::Mulhu => { self.multiply_words(false); false }
            O::Mulh => { self.multiply_words(true); false }
            O::Divhu => { self.divide(Division::Word); false }
            O::Divwu => { self.divide(Division::Long); false }
            O::Machu => { self.accumulate(false); false }
            O::Mach => { self.accumulate(true); false }

            O::Mov1 => self.move_bit(insn),
            O::And1 => { self.combine_bit(insn, Binary::And); false }
            O::Or1 => { self.combine_bit(insn, Binary::Or); false }
            O::Xor1 => { self.combine_bit(insn, Binary::Xor); false }
            O::Set1 => self.set_bit(insn, true),
            O::Clr1 => self.set_bit(insn, false),
            O::Not1 => {
                let carry = self.bytes(Binary::Xor, Value::Slot(CY), Value::Const(1));
                self.builder.write(CY, carry);
                false
            }
            O::Ei => { self.builder.write(IE, Value::Const(1)); true }
            O::Di => { self.builder.write(IE, Value::Const(0)); true }

            O::Push => { self.push_pair(insn); false }
            O::Pop => { self.pop_pair(insn); false }
            O::PushStatus => { self.push_status(); false }
            O::PopStatus => { self.pop_status(); true }
            O::Sel => return Some(self.select(insn.field, following)),

            O::Bc => return Some(self.branch(insn, Flag::Carry, true, following)),
            O::Bnc => return Some(self.branch(insn, Flag::Carry, false, following)),
            O::Bz => return Some(self.branch(insn, Flag::Zero, true, following)),
            O::Bnz => return Some(self.branch(insn, Flag::Zero, false, following)),
            O::Bh => return Some(self.branch(insn, Flag::NotHigher, false, following)),
            O::Bnh => return Some(self.branch(insn, Flag::NotHigher, true, following)),
            O::Bt => return Some(self.branch_bit(insn, true, following)),
            O::Bf => return Some(self.branch_bit(insn, false, following)),
            O::Btclr => return Some(self.branch_clear(insn, following)),
            O::Skc => return Some(self.skip(Flag::Carry, true, following)),
            O::Sknc => return Some(self.skip(Flag::Carry, false, following)),
            O::Skz => return Some(self.skip(Flag::Zero, true, following)),
            O::Sknz => return Some(self.skip(Flag::Zero, false, following)),
            O::Skh => return Some(self.skip(Flag::NotHigher, false, following)),
            O::Sknh => return Some(self.skip(Flag::NotHigher, true, following)),
            O::Br => return Some(self.jump(insn, following)),
            O::Call => return Some(self.call(insn, following)),
            O::Callt => return Some(self.call_table(insn.field, following)),
            O::Ret => return Some(self.return_to()),
            O::Reti => return Some(self.return_from_handler()),
            O::Brk => return Some(self.software_interrupt(following)),
            O::Brk1 => return Some(Exit::Stop(StopKind::Breakpoint)),
            O::Halt | O::Stop => return Some(Exit::Stop(StopKind::Wait)),
        };
        changes.then_some(Exit::Yield { target: next })
    }

    fn copy(&mut self, insn: &Decoded, width: Width) -> bool {
        let value = self.source(insn, 1, width);
        let location = self.location(insn, 0);
        self.write(location, width, value)
    }

    fn set(&mut self, insn: &Decoded, width: Width, value: u64) -> bool {
        let location = self.location(insn, 0);
        self.write(location, width, Value::Const(value))
    }

    fn exchange(&mut self, insn: &Decoded, width: Width) -> bool {
        let [first, second] = [0, 1].map(|operand| self.location(insn, operand));
        let [old, new] = [first, second].map(|location| self.read(location, width));
        let [old, new] = [old, new].map(|value| self.builder.copy(value));
        let changes = self.write(second, width, old);
        self.write(first, width, new);
        changes
    }

    /// Selects a register bank (section 5.5, "SEL").
    fn select(&mut self, bank: u8, following: u64) -> Exit {
        self.builder.write(RBS0, Value::Const(u64::from(bank & 1)));
        self.builder.write(RBS1, Value::Const(u64::from(bank >> 1)));
        self.block.onward = bank.into();
        Exit::Jump { target: following }
    }

    /// The width of an instruction's first operand.
    pub(super) fn width(insn: &Decoded) -> Width {
        let operand: Operand = insn.row.operands[0];
        if is_word(operand) { WORD } else { BYTE }
    }
}
