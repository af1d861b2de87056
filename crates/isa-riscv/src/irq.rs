//! PicoRV32's own interrupts: exceptions and lines ask by a bit each, which waits until it is taken.
//!
//! Source: README.md of YosysHQ/picorv32, "Custom Instructions for IRQ Handling", and picorv32.v
//! (`irq_pending`, `irq_mask`, `irq_active`, `irq_delay`, `irq_state`).

use cocrypt_ir::{
    Binary, Block, Condition, Counter, Exit, Insn, Op, Slot, StopKind, Transfer, Value, Width,
};
use cocrypt_isa::{Latch, Lines, Trap};

use crate::decode::Decoded;
use crate::lift::temporary;
use crate::privileged::{PRIVILEGE, cell, unknown, with_cell, with_constant};
use crate::table::{Class, Opcode};
use crate::unaligned::rounded;

/// The cells behind those of the privileged architecture.
const FIRST: u16 = PRIVILEGE.0 + 1;
/// The registers q0 to q3.
const OWN: Slot = Slot(FIRST);
const MASK: Slot = Slot(FIRST + 4);
const PENDING: Slot = Slot(FIRST + 5);
const ACTIVE: Slot = Slot(FIRST + 6);
const SHIELD: Slot = Slot(FIRST + 7);
const ALARM: Slot = Slot(FIRST + 8);

/// The names of these cells.
pub const OWN_CELLS: [&str; 9] =
    ["q0", "q1", "q2", "q3", "irq_mask", "irq_pending", "irq_active", "irq_delay", "timer"];

/// PicoRV32's interrupt numbers (`irq_timer`, `irq_ebreak`, `irq_buserror`).
const TIMER: u64 = 1;
const BREAK: u64 = 2;
const BUS_ERROR: u64 = 4;

/// The timing model's note that the core remembers a 16-bit instruction before an interrupt.
pub(crate) const BEHIND_SHORT: u32 = 1;

/// The memory of a handler that has no registers of its own: x3 and x4.
const RETURN_REGISTER: Slot = Slot(3);
const REASON_REGISTER: Slot = Slot(4);

/// PicoRV32's own scheme of interrupts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Irq {
    /// Address of the handler.
    pub handler: u32,
    /// True if the core has the registers q0 to q3.
    pub registers: bool,
}

impl Irq {
    /// The reset values of cells.
    pub(crate) fn reset() -> Vec<(Slot, u64)> {
        vec![(MASK, u32::MAX.into())]
    }

    /// The interrupt that is taken: the lowest number of those that ask.
    pub(crate) fn interrupt(cells: &[u64], lines: Lines) -> Option<u8> {
        let asks = (cell(cells, PENDING) | u64::from(lines)) & !cell(cells, MASK);
        (cell(cells, ACTIVE) == 0 && asks != 0).then(|| asks.trailing_zeros() as u8)
    }

    /// Returns true if an exception asks for an interrupt instead of stopping the core.
    fn takes(cells: &[u64], reason: u64) -> bool {
        cell(cells, ACTIVE) == 0 && cell(cells, MASK) & reason == 0
    }

    /// The core's entry into a handler, for an exception or an interrupt.
    pub(crate) fn trap(
        &self,
        trap: Trap,
        pc: u64,
        insn: Option<&Decoded>,
        length: u8,
        cells: &[u64],
    ) -> Option<Block> {
        let next = (pc + u64::from(length)) & 0xffff_ffff;
        let exit = Exit::Next { pc: next };
        let remember = |reason| with_constant(Binary::Or, PENDING, PENDING, reason);
        let (class, length, ops, exit) = match trap {
            Trap::Interrupt { note, .. } => {
                let exit = Exit::Jump { target: self.handler.into() };
                (Class::Interrupt, 0, self.enter(pc, note == BEHIND_SHORT), exit)
            }
            Trap::Instruction(StopKind::Wait) => {
                let rd = insn.map_or(0, |insn| insn.rd);
                let src = Value::Slot(PENDING);
                let read = (rd != 0).then(|| Op::Move { dst: Slot(rd.into()), src });
                (Class::Wait, length, read.into_iter().collect(), exit)
            }
            Trap::Instruction(StopKind::Unmodelled) | Trap::Refused { .. } => return None,
            Trap::Instruction(kind) => {
                let class = match kind {
                    StopKind::IllegalInstruction => Class::Illegal,
                    _ => Class::System,
                };
                Self::takes(cells, BREAK).then_some((class, length, vec![remember(BREAK)], exit))?
            }
            Trap::Unaligned { address, writes } => {
                let access = rounded(insn?, address)?;
                let class = if writes { Class::Store } else { Class::Load };
                let ops = vec![access, remember(BUS_ERROR)];
                Self::takes(cells, BUS_ERROR).then_some((class, length, ops, exit))?
            }
            // The core goes on with the word that holds the address, which nobody means.
            Trap::UnalignedJump => return Self::takes(cells, BUS_ERROR).then(|| unknown(pc, 0)),
        };
        let block = Block::single(Insn::new(pc, length, 0, class as u8), ops, exit);
        Some(Block { transfer: Transfer::Call, ..block })
    }

    /// The state that the core saves on entry into its handler: the address, with a bit for a short
    /// instruction before it, and what asked.
    fn enter(&self, pc: u64, short: bool) -> Vec<Op> {
        let (address, reason) = if self.registers {
            (OWN, Slot(OWN.0 + 1))
        } else {
            (RETURN_REGISTER, REASON_REGISTER)
        };
        let taken = temporary(0);
        vec![
            Op::Move { dst: address, src: Value::Const(pc | u64::from(short)) },
            with_constant(Binary::Xor, taken, MASK, u32::MAX.into()),
            with_cell(Binary::And, reason, PENDING, taken),
            with_cell(Binary::And, PENDING, PENDING, MASK),
            Op::Move { dst: ACTIVE, src: Value::Const(1) },
        ]
    }

    /// The operations of one of the instructions of this scheme, and how it ends its block.
    pub(crate) fn lift(&self, insn: &Decoded, next: u64) -> (Vec<Op>, Option<Exit>) {
        let set = |src| {
            (insn.rd != 0).then(|| Op::Move { dst: Slot(insn.rd.into()), src: Value::Slot(src) })
        };
        let rs1 = match insn.rs1 {
            0 => Value::Const(0),
            number => Value::Slot(Slot(number.into())),
        };
        let looks = Some(Exit::Yield { target: Value::Const(next) });
        let beyond = |number| (number > 3).then_some(Exit::Stop(StopKind::Unmodelled));
        match insn.opcode {
            Opcode::Getq => {
                let own = Slot(OWN.0 + u16::from(insn.rs1 & 3));
                (set(own).into_iter().collect(), beyond(insn.rs1))
            }
            Opcode::Setq => {
                let own = Slot(OWN.0 + u16::from(insn.rd & 3));
                (vec![Op::Move { dst: own, src: rs1 }], beyond(insn.rd))
            }
            Opcode::Maskirq => {
                let old = temporary(0);
                let mut ops = vec![
                    Op::Move { dst: old, src: Value::Slot(MASK) },
                    Op::Move { dst: MASK, src: rs1 },
                ];
                ops.extend(set(old));
                (ops, looks)
            }
            Opcode::Timer => (timer(rs1, set(temporary(4))), looks),
            Opcode::Waitirq => (vec![], Some(Exit::Stop(StopKind::Wait))),
            _ => self.leave(),
        }
    }

    /// `retirq`: the next instruction is safe from interrupts, if this comes from a handler.
    fn leave(&self) -> (Vec<Op>, Option<Exit>) {
        let (address, target) = (if self.registers { OWN } else { RETURN_REGISTER }, temporary(0));
        let ops = vec![
            Op::Move { dst: SHIELD, src: Value::Slot(ACTIVE) },
            Op::Move { dst: ACTIVE, src: Value::Const(0) },
            with_constant(Binary::And, target, address, 0xffff_fffe),
        ];
        (ops, Some(Exit::Yield { target: Value::Slot(target) }))
    }
}

impl Latch for Irq {
    fn take_in(&self, cells: &mut [u64], lines: Lines, seen: u64) {
        let [pending, alarm] = [PENDING, ALARM].map(|cell| usize::from(cell.0));
        cells[pending] |= u64::from(lines);
        if (1..=seen + 1).contains(&cells[alarm]) {
            cells[alarm] = 0;
            cells[pending] |= TIMER;
        }
    }

    /// The cell holds the cycle behind the one in which the timer is due, or 0 if none runs.
    fn next_change(&self, cells: &[u64]) -> u64 {
        cell(cells, ALARM).checked_sub(1).unwrap_or(u64::MAX)
    }

    fn asks(&self, cells: &[u64]) -> bool {
        cell(cells, PENDING) != 0
    }

    fn shields(&self, cells: &[u64]) -> bool {
        cell(cells, SHIELD) != 0
    }

    fn issued(&self, cells: &mut [u64]) {
        cells[usize::from(SHIELD.0)] = 0;
    }
}

/// `timer`: what is left of it goes to the fifth temporary and from there to `set`, and it counts again
/// from the cycle behind the one that it is read in.
fn timer(rs1: Value, set: Option<Op>) -> Vec<Op> {
    let [now, high, due, left, shown] = [0, 1, 2, 3, 4].map(temporary);
    let wide = |op, dst, a, b| Op::Binary { op, width: Width::W64, dst, a, b };
    let less = |dst, a, b| Op::Compare {
        condition: Condition::LessUnsigned,
        width: Width::W64,
        dst,
        a,
        b,
    };
    let (counter, cell, one) = (Counter::Cycles, Value::Slot, Value::Const(1));
    let mut ops = vec![
        Op::Count { counter, dst: now, shift: 0 },
        Op::Count { counter, dst: high, shift: 32 },
        wide(Binary::Shl, high, cell(high), Value::Const(32)),
        wide(Binary::Or, now, cell(now), cell(high)),
        wide(Binary::Sub, left, cell(ALARM), cell(now)),
        less(due, cell(now), cell(ALARM)),
        Op::Select { dst: shown, condition: cell(due), a: cell(left), b: Value::Const(0) },
        // What it reached by now, it has asked for.
        wide(Binary::Sub, left, cell(ALARM), one),
        wide(Binary::Add, now, cell(now), one),
        less(due, cell(left), cell(now)),
        wide(Binary::Mul, due, cell(due), Value::Const(TIMER)),
        with_cell(Binary::Or, PENDING, PENDING, due),
        wide(Binary::Add, now, cell(now), rs1),
        Op::Select { dst: ALARM, condition: rs1, a: cell(now), b: Value::Const(0) },
    ];
    ops.extend(set);
    ops
}
