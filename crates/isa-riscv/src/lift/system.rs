//! Control and status registers, and the return from a handler.

use cocrypt_ir::{Binary, Exit, Op, StopKind, Value, Width};

use super::{Lifter, register, temporary};
use crate::decode::Decoded;
use crate::privileged::{Absent, Csr, CsrStorage, Privileged, RETURN, with_cell, with_constant};

/// The change of a control and status register by an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// To its operand.
    Write,
    /// Sets the operand's bits.
    Set,
    /// Clears the operand's bits.
    Clear,
}

impl Lifter<'_> {
    /// Reads and changes a control and status register; how that ends the block, if it does.
    pub(super) fn csr(&mut self, insn: &Decoded, change: Change, by: Value) -> Option<Exit> {
        let illegal = Some(Exit::Stop(StopKind::IllegalInstruction));
        let Some(privileged) = self.privileged else { return illegal };
        let number = insn.imm as u16 & 0xfff;
        let Some(csr) = privileged.csrs.get(&number) else {
            if privileged.absent == Absent::Zero {
                self.set(insn, Value::Const(0));
                return None;
            }
            return illegal;
        };
        let asks_only = change != Change::Write && insn.rs1 == 0;
        let writes = !asks_only || privileged.writes_always;
        let is_constant = number >> 10 == 3;
        let is_above = Privileged::is_user(self.block.mode) && number >> 8 & 3 != 0;
        if is_above || (is_constant && !asks_only) {
            return illegal;
        }
        let old = temporary(0);
        match csr.storage {
            CsrStorage::Unmodelled => return Some(Exit::Stop(StopKind::Unmodelled)),
            CsrStorage::Counter(..) if !asks_only => return Some(Exit::Stop(StopKind::Unmodelled)),
            CsrStorage::Counter(counter, shift) => {
                self.emit(Op::Count { counter, dst: old, shift });
            }
            CsrStorage::Constant(value) => {
                self.emit(Op::Move { dst: old, src: Value::Const(value.into()) });
            }
            CsrStorage::Cell(cell) => {
                self.emit(with_constant(Binary::And, old, cell, csr.reads.into()));
            }
        }
        if writes {
            self.change(privileged, csr, change, by);
        }
        self.set(insn, Value::Slot(old));
        let lets_in = writes && Privileged::decides(csr);
        lets_in.then(|| Exit::Yield { target: Value::Const(super::behind(insn, self.next)) })
    }

    /// Writes what becomes of a register whose old value is in the first temporary.
    fn change(&mut self, privileged: &Privileged, csr: &Csr, change: Change, by: Value) {
        let CsrStorage::Cell(cell) = csr.storage else { return };
        let [old, new, rest] = [0, 1, 2].map(temporary);
        match change {
            Change::Write => self.emit(Op::Move { dst: new, src: by }),
            Change::Set => self.emit(Op::Binary {
                op: Binary::Or,
                width: Width::W32,
                dst: new,
                a: Value::Slot(old),
                b: by,
            }),
            Change::Clear => {
                let (width, all) = (Width::W32, Value::Const(0xffff_ffff));
                self.emit(Op::Binary { op: Binary::Xor, width, dst: new, a: by, b: all });
                self.emit(with_cell(Binary::And, new, new, old));
            }
        }
        for op in privileged.legal(csr, new) {
            self.emit(op);
        }
        self.emit(with_constant(Binary::And, new, new, csr.writes.into()));
        self.emit(with_constant(Binary::And, rest, cell, (!csr.writes).into()));
        self.emit(with_cell(Binary::Or, cell, rest, new));
    }

    /// `mret`.
    pub(super) fn machine_return(&mut self) -> Exit {
        let user = Privileged::is_user(self.block.mode);
        let Some(privileged) = self.privileged.filter(|_| !user) else {
            return Exit::Stop(StopKind::IllegalInstruction);
        };
        for op in privileged.leave() {
            self.emit(op);
        }
        Exit::Yield { target: Value::Slot(RETURN) }
    }
}

impl Privileged {
    /// True if an instruction writes what decides about interrupts, or sets bits of it.
    pub(super) fn flushes(&self, insn: &Decoded, change: Change) -> bool {
        let decides = self.csrs.get(&(insn.imm as u16 & 0xfff)).is_some_and(Self::decides);
        decides && (change == Change::Write || (change == Change::Set && insn.rs1 != 0))
    }
}

/// The operand of an instruction on a control and status register.
pub fn operand(insn: &Decoded, immediate: bool) -> Value {
    if immediate { Value::Const(insn.rs1.into()) } else { register(insn.rs1) }
}
