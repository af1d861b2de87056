//! Exceptions, interrupts, and control and status registers, as far as a core has them.
//!
//! Source: "The RISC-V Instruction Set Manual, Volume II: Privileged Architecture", 20190608, chapters
//! 2 and 3. What a core leaves out or does otherwise is data, in its core file.

use std::collections::BTreeMap;

use cocrypt_ir::{Binary, Block, Counter, Exit, Insn, Op, Slot, StopKind, Transfer, Value, Width};
use cocrypt_isa::{Lines, Trap};

use crate::table::Class;

/// The first cell behind the integer registers.
const FIRST: u16 = 32;

/// The cells of the registers that trap entry and return touch.
const MSTATUS: Slot = Slot(FIRST);
const MIE: Slot = Slot(FIRST + 1);
const MTVEC: Slot = Slot(FIRST + 2);
const MSCRATCH: Slot = Slot(FIRST + 3);
const MEPC: Slot = Slot(FIRST + 4);
const MCAUSE: Slot = Slot(FIRST + 5);
const MTVAL: Slot = Slot(FIRST + 6);
/// The mode: 3 for machines, 0 for users.
pub(crate) const PRIVILEGE: Slot = Slot(FIRST + 7);

/// The registers that have a cell, by their names in core files.
pub const CELLS: [(&str, Slot); 7] = [
    ("mstatus", MSTATUS),
    ("mie", MIE),
    ("mtvec", MTVEC),
    ("mscratch", MSCRATCH),
    ("mepc", MEPC),
    ("mcause", MCAUSE),
    ("mtval", MTVAL),
];

/// The temporary that holds where `mret` goes.
pub(crate) const RETURN: Slot = crate::lift::temporary(2);

/// Machine mode, as `mstatus` and the decode mode say it.
const MACHINE: u64 = 3;
const USER_MODE: u32 = 1;

const STATUS_MIE: u64 = 1 << 3;
const STATUS_MPIE: u64 = 1 << 7;
const STATUS_MPP: u64 = 3 << 11;

/// The storage behind a control and status register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CsrStorage {
    /// A cell.
    Cell(Slot),
    /// Always the same value.
    Constant(u32),
    /// A counter of the machine, shifted right.
    Counter(Counter, u8),
    /// The core has it, but nothing is known of it here.
    Unmodelled,
}

/// A control and status register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Csr {
    /// Its contents.
    pub storage: CsrStorage,
    /// Its value after reset.
    pub reset: u32,
    /// Its bits that a read shows.
    pub reads: u32,
    /// Its bits that a write changes.
    pub writes: u32,
}

/// The causes that lead from an instruction to the handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exception {
    /// An environment call.
    EnvironmentCall,
    /// A breakpoint.
    Breakpoint,
    /// An encoding that is no instruction.
    IllegalInstruction,
    /// An access at an address that its width does not allow.
    Unaligned,
}

impl Exception {
    /// The exception that a core file calls so.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "environment_call" => Self::EnvironmentCall,
            "breakpoint" => Self::Breakpoint,
            "illegal_instruction" => Self::IllegalInstruction,
            "unaligned" => Self::Unaligned,
            _ => return None,
        })
    }
}

/// The treatment of a misaligned access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unaligned {
    /// It leads to the handler if that is among the exceptions, and ends the run otherwise.
    #[default]
    Refuse,
    /// It is made in as many parts as it touches words.
    Split,
}

/// The treatment of an access to a control and status register that is not there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Absent {
    /// It is no instruction.
    #[default]
    Refuse,
    /// It reads 0 and writes nothing.
    Zero,
}

/// The exceptions and interrupts of a core.
#[derive(Clone, Debug, Default)]
pub struct Privileged {
    /// The causes that lead to the handler.
    pub exceptions: Vec<Exception>,
    /// Those of them whose instruction or address `mtval` then holds.
    pub values: Vec<Exception>,
    /// The treatment of a misaligned access.
    pub unaligned: Unaligned,
    /// The value of `mtval` behind an interrupt, if that changes it.
    pub interrupt_value: Option<u32>,
    /// The interrupts, the first first.
    pub interrupts: Vec<u8>,
    /// Bits of `mtvec` that are the handler's address.
    pub handler: u32,
    /// True if interrupt n goes to the handler's address and 4n.
    pub vectored: bool,
    /// True if there is a user mode.
    pub user: bool,
    /// True if an instruction that asks only for a register's value writes it back.
    pub writes_always: bool,
    /// The treatment of an access to a control and status register that is not there.
    pub absent: Absent,
    /// The number of the highest bits of `mepc` that come too late where an interrupt or an access leads to
    /// the handler. The core's register file takes them in a cycle in which it selects a register by the
    /// instruction again (`o_wreg1` in `serv_rf_if.v`), so that they go there.
    pub late: u32,
    /// Bits of `mstatus` that are set on entry into the handler.
    pub enter_sets: u32,
    /// Bits of `mstatus` that `mret` sets.
    pub return_sets: u32,
    /// Bits of `mstatus` that `mret` clears.
    pub return_clears: u32,
    /// The registers, by number.
    pub csrs: BTreeMap<u16, Csr>,
}

impl Privileged {
    /// The reset values of cells.
    pub(crate) fn reset(&self) -> Vec<(Slot, u64)> {
        let cell = |csr: &Csr| match csr.storage {
            CsrStorage::Cell(slot) => Some((slot, u64::from(csr.reset))),
            _ => None,
        };
        self.csrs.values().filter_map(cell).chain([(PRIVILEGE, MACHINE)]).collect()
    }

    /// The decode mode.
    pub(crate) fn mode(cells: &[u64]) -> u32 {
        u32::from(cell(cells, PRIVILEGE) != MACHINE) * USER_MODE
    }

    /// True if a decode mode is that of users.
    pub(crate) const fn is_user(mode: u32) -> bool {
        mode & USER_MODE != 0
    }

    /// The classes of the entries into its handler.
    pub(crate) fn required(&self) -> Vec<Class> {
        let way = |exception: &Exception| match exception {
            Exception::EnvironmentCall | Exception::Breakpoint => Class::EnterSystem,
            Exception::IllegalInstruction => Class::EnterIllegal,
            Exception::Unaligned => Class::EnterUnaligned,
        };
        let interrupt = (!self.interrupts.is_empty()).then_some(Class::Interrupt);
        self.exceptions.iter().map(way).chain(interrupt).collect()
    }

    /// SERV looks for interrupts at the end of an exception, before it switches them off (`o_new_irq` in
    /// `serv_csr.v`).
    pub(crate) const fn interrupts_exceptions(&self) -> bool {
        self.late != 0
    }

    /// The interrupt that is taken next.
    pub(crate) fn interrupt(&self, cells: &[u64], lines: Lines) -> Option<u8> {
        let user = cell(cells, PRIVILEGE) != MACHINE;
        let enabled = user || cell(cells, MSTATUS) & STATUS_MIE != 0;
        let up = u64::from(lines) & cell(cells, MIE);
        let taken = |&&number: &&u8| enabled && up >> number & 1 != 0;
        self.interrupts.iter().find(taken).copied()
    }

    /// The entry into the handler, if there is one and the program has said where. `word` is the
    /// instruction at `pc`, the one that it stands for first.
    pub(crate) fn trap(
        &self,
        trap: Trap,
        pc: u64,
        word: (u32, u32),
        cells: &[u64],
        mode: u32,
    ) -> Option<Block> {
        let vector = cell(cells, MTVEC);
        let reset = self.csrs.values().find(|csr| csr.storage == CsrStorage::Cell(MTVEC))?.reset;
        if vector == u64::from(reset) {
            return matches!(trap, Trap::Interrupt { .. }).then(|| unknown(pc, mode));
        }
        let user = Self::is_user(mode);
        let [word, raw] = [word.0, word.1].map(u64::from);
        if self.late != 0 && matches!(trap, Trap::Interrupt { .. }) && word & 0x7f == SYSTEM {
            return Some(unknown(pc, mode));
        }
        let (class, cause, exception, value) = match trap {
            Trap::Instruction(StopKind::EnvironmentCall) => {
                let cause = if user { 8 } else { 11 };
                (Class::EnterSystem, cause, Some(Exception::EnvironmentCall), raw)
            }
            Trap::Instruction(StopKind::Breakpoint)
                if self.exceptions.contains(&Exception::Breakpoint) =>
            {
                (Class::EnterSystem, 3, Some(Exception::Breakpoint), pc)
            }
            // A core without breakpoints takes one for no instruction.
            Trap::Instruction(StopKind::IllegalInstruction | StopKind::Breakpoint) => {
                (Class::EnterIllegal, 2, Some(Exception::IllegalInstruction), raw)
            }
            Trap::Unaligned { address, writes } => {
                let cause = if writes { 6 } else { 4 };
                (Class::EnterUnaligned, cause, Some(Exception::Unaligned), address.into())
            }
            Trap::Interrupt { number, .. } => {
                (Class::Interrupt, 1 << 31 | u64::from(number), None, 0)
            }
            Trap::Instruction(_) | Trap::UnalignedJump | Trap::Refused { .. } => return None,
        };
        if exception.is_some_and(|cause| !self.exceptions.contains(&cause)) {
            return None;
        }
        let shown = exception.is_some_and(|cause| self.values.contains(&cause));
        let base = vector & u64::from(self.handler);
        let offset = match trap {
            Trap::Interrupt { number, .. } if self.vectored => 4 * u64::from(number),
            _ => 0,
        };
        let mut ops = self.enter(user);
        if self.late != 0 && matches!(trap, Trap::Interrupt { note: RETURNING, .. }) {
            // SERV still sees the return, which switches interrupts off before they are kept (`i_mret`
            // in `serv_csr.v`).
            ops.push(with_constant(Binary::And, MSTATUS, MSTATUS, !STATUS_MPIE));
        }
        match trap {
            Trap::Instruction(_) | Trap::UnalignedJump => {
                ops.push(Op::Move { dst: MEPC, src: Value::Const(pc) });
            }
            Trap::Unaligned { .. } | Trap::Interrupt { .. } | Trap::Refused { .. } => {
                ops.extend(self.torn(pc, word));
            }
        }
        ops.push(Op::Move { dst: MCAUSE, src: Value::Const(cause) });
        let value = match exception {
            Some(_) => Some(if shown { value } else { 0 }),
            None => self.interrupt_value.map(u64::from),
        };
        ops.extend(value.map(|value| Op::Move { dst: MTVAL, src: Value::Const(value) }));
        let exit = Exit::Jump { target: (base + offset) & 0xffff_ffff };
        let block = Block::single(Insn::new(pc, 0, mode, class as u8), ops, exit);
        Some(Block { transfer: Transfer::Call, ..block })
    }

    /// `mepc` becomes `pc`, as far as it comes in time.
    fn torn(&self, pc: u64, word: u64) -> [Op; 4] {
        let early = 0xffff_ffff >> self.late;
        let bit = |at: u32| word >> at & 1 != 0;
        // `co_csr_addr` in `serv_decode.v`, by which these four are selected.
        let other = match (bit(26), bit(26) && bit(20), !bit(26) || bit(21)) {
            (_, false, false) => MSCRATCH,
            (_, false, true) => MTVEC,
            (_, true, false) => MEPC,
            (_, true, true) => MTVAL,
        };
        [
            with_constant(Binary::And, MEPC, MEPC, !early),
            with_constant(Binary::Or, MEPC, MEPC, pc & early),
            with_constant(Binary::And, other, other, early),
            with_constant(Binary::Or, other, other, pc & !early),
        ]
    }

    /// The new `mstatus` and mode on entry into the handler: interrupts are off, and whether they were on
    /// is kept.
    fn enter(&self, user: bool) -> Vec<Op> {
        let keep = !(STATUS_MIE | STATUS_MPIE | if self.user { STATUS_MPP } else { 0 });
        let sets = match (self.user, user) {
            (true, true) => 0,
            (true, false) => STATUS_MPP,
            (false, _) => u64::from(self.enter_sets),
        };
        let (t, status) = (crate::lift::temporary(0), MSTATUS);
        vec![
            with_constant(Binary::And, t, status, STATUS_MIE),
            with_constant(Binary::Shl, t, t, 4),
            with_constant(Binary::And, status, status, keep),
            with_cell(Binary::Or, status, status, t),
            with_constant(Binary::Or, status, status, sets),
            Op::Move { dst: PRIVILEGE, src: Value::Const(MACHINE) },
        ]
    }

    /// The effect of `mret` on `mstatus` and the mode, and on [`RETURN`].
    pub(crate) fn leave(&self) -> Vec<Op> {
        let status = MSTATUS;
        let [on, mode] = [0, 1].map(crate::lift::temporary);
        let mut ops = vec![
            with_constant(Binary::And, on, status, STATUS_MPIE),
            with_constant(Binary::Shr, on, on, 4),
        ];
        if self.user {
            ops.push(with_constant(Binary::Shr, mode, status, 11));
            ops.push(with_constant(Binary::And, PRIVILEGE, mode, MACHINE));
        }
        let keep = !(STATUS_MIE | u64::from(self.return_clears));
        ops.push(with_constant(Binary::And, status, status, keep));
        ops.push(with_cell(Binary::Or, status, status, on));
        ops.push(with_constant(Binary::Or, status, status, self.return_sets.into()));
        ops.push(with_constant(Binary::And, RETURN, MEPC, 0xffff_fffe));
        ops
    }

    /// True if writing a register may let an interrupt in.
    pub(crate) fn decides(csr: &Csr) -> bool {
        matches!(csr.storage, CsrStorage::Cell(MSTATUS | MIE))
    }

    /// Makes what is written to `mstatus` legal: there are no modes but two.
    pub(crate) fn legal(&self, csr: &Csr, value: Slot) -> Vec<Op> {
        if !self.user || csr.storage != CsrStorage::Cell(MSTATUS) {
            return vec![];
        }
        let [low, high] = [4, 5].map(crate::lift::temporary);
        vec![
            with_constant(Binary::And, low, value, 1 << 11),
            with_constant(Binary::Shl, high, low, 1),
            with_constant(Binary::And, low, value, 1 << 12),
            with_cell(Binary::And, high, high, low),
            with_constant(Binary::Shr, low, high, 1),
            with_cell(Binary::Or, high, high, low),
            with_constant(Binary::And, value, value, !STATUS_MPP),
            with_cell(Binary::Or, value, value, high),
        ]
    }
}

/// The timing model's note that the instruction before an interrupt came back from a handler.
pub(crate) const RETURNING: u32 = 1;

/// The opcode of system instructions. Where an interrupt comes in place of one of them, SERV takes bits
/// of it for its own (`o_rreg1` in `serv_rf_if.v`), and may go anywhere.
const SYSTEM: u64 = 0x73;

/// An entry that nobody knows, or to nowhere.
pub(crate) fn unknown(pc: u64, mode: u32) -> Block {
    let insn = Insn::new(pc, 0, mode, Class::Interrupt as u8);
    Block::single(insn, vec![], Exit::Stop(StopKind::Unmodelled))
}

pub(crate) fn cell(cells: &[u64], slot: Slot) -> u64 {
    cells[usize::from(slot.0)]
}

/// An operation with a constant.
pub(crate) fn with_constant(op: Binary, dst: Slot, a: Slot, b: u64) -> Op {
    let b = Value::Const(b & 0xffff_ffff);
    Op::Binary { op, width: Width::W32, dst, a: Value::Slot(a), b }
}

/// An operation on two cells.
pub(crate) fn with_cell(op: Binary, dst: Slot, a: Slot, b: Slot) -> Op {
    Op::Binary { op, width: Width::W32, dst, a: Value::Slot(a), b: Value::Slot(b) }
}
