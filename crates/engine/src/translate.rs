//! Translation of a lifted and costed block into interpreter instructions.

mod narrow;

use std::sync::Arc;

use cocrypt_ir::{Binary, Block, Condition, Exit, Insn, Op, Slot, Value, Width};
use cocrypt_isa::{BlockCost, Extra, Frontend, PipelineState, Select};

use crate::cache::{InsnTiming, ObservedMemory, TARGETS, Terminator, Translated};
use crate::fuse::fuse;
use crate::micro::{Cell, General, Micro};
use crate::source::Source;

/// Translates a block; if it has an observation, all accesses are general ones, which report.
pub fn translate(
    source: Arc<Source>,
    pipeline_state: PipelineState,
    frontend: &dyn Frontend,
    data_cache: bool,
) -> Translated {
    let Source { block, cost, .. } = &*source;
    let mut translator = Translator {
        zero: zero_cell(frontend),
        stack: frontend.stack_pointer(),
        state: frontend.cells().len() as u16,
        data_cache,
        reports: source.observation.is_some(),
        code: vec![],
        general: vec![],
        extras: vec![],
    };
    let mut begins = Vec::with_capacity(block.insns.len());
    for (at, insn) in block.insns.iter().enumerate() {
        translator.lines(at as u8, cost);
        let (lead, rest) = block.ops[insn.ops.clone()].split_at(insn.lead.into());
        translator.ops(lead, at as u8);
        translator.extra_cost(insn, at as u8, cost);
        begins.push(translator.code.len() as u32);
        translator.ops(rest, at as u8);
    }
    let Translator { code, general, extras, .. } = translator;
    let (total, insn_timings) = insn_timings(block, cost, &begins);
    let last = cost.insns.last().map_or(0, |insn| insn.cycles);
    Translated {
        start: block.start,
        mode: block.mode,
        end: source.end(),
        code: fuse(&code).into(),
        plain: code.into(),
        general: general.into(),
        extras: extras.into(),
        lines: cost.lines.as_slice().into(),
        insn_timings: insn_timings.into(),
        terminator: terminator(&block.exit),
        onward: block.onward,
        cycles: total,
        taken: total - last + cost.taken,
        entry: cost.entry,
        refused: total - last + cost.refused,
        count: block.insns.len() as u32,
        counter: source.counter,
        pipeline_state,
        exit_states: cost.exit_states,
        links: [u32::MAX; 2],
        targets: [u32::MAX; TARGETS],
        seen: ObservedMemory::default(),
        heat: 0,
        arrivals: 0,
        source,
    }
}

/// A cell that always holds 0: the one behind the front end's cells.
pub fn zero_cell(frontend: &dyn Frontend) -> Cell {
    (frontend.cells().len() as u16 + frontend.temporaries()) as Cell
}

fn insn_timings(block: &Block, cost: &BlockCost, begins: &[u32]) -> (u32, Vec<InsnTiming>) {
    let mut issue = 0;
    let mut insn_timings = Vec::with_capacity(block.insns.len());
    for ((insn, cost), &code) in block.insns.iter().zip(&cost.insns).zip(begins) {
        insn_timings.push(InsnTiming {
            code,
            pc: insn.pc,
            mode: insn.mode,
            issue,
            sample: issue + cost.sample,
            miss: cost.miss,
            miss_exit_state: cost.miss_exit_state,
            elsewhere: cost.elsewhere,
            collides: !cost.collisions.is_empty(),
        });
        issue += cost.cycles;
    }
    (issue, insn_timings)
}

fn terminator(exit: &Exit) -> Terminator {
    match *exit {
        Exit::Next { pc } => Terminator::To(pc),
        Exit::Jump { target } => Terminator::To(target),
        Exit::Branch { condition, width, a, b, taken, next } => {
            Terminator::Branch { condition, width, a, b, taken, next }
        }
        Exit::Indirect { target } => Terminator::Computed(target),
        Exit::Yield { target } => Terminator::Yield(target),
        Exit::YieldIf { condition, next } => Terminator::YieldIf(condition, next),
        Exit::Stop(kind) => Terminator::Stop(kind),
    }
}

struct Translator {
    zero: Cell,
    stack: Slot,
    /// The number of cells that are guest state.
    state: u16,
    data_cache: bool,
    /// True if accesses are reported to a leakage model.
    reports: bool,
    code: Vec<Micro>,
    general: Vec<General>,
    extras: Vec<Extra>,
}

impl Translator {
    /// The lines of the instruction cache that an instruction is read from.
    fn lines(&mut self, at: u8, cost: &BlockCost) {
        for (number, line) in cost.lines.iter().enumerate() {
            if line.at == at {
                self.code.push(Micro::FetchLine { line: number as u32 });
            }
        }
    }

    /// The part of an operand that decides about an instruction's cost before it runs.
    fn extra_cost(&mut self, insn: &Insn, at: u8, cost: &BlockCost) {
        let extra = cost.insns[usize::from(at)].extra.as_ref();
        if let Some((extra, operand)) = extra.and_then(|extra| Some((extra, extra.operand(insn)?)))
        {
            self.extra(extra, operand, at);
        }
    }

    /// Operations of one instruction that no guard skips the end of.
    fn ops(&mut self, ops: &[Op], at: u8) {
        if let Some(shift) = masked_shift(ops, self.state) {
            self.code.push(shift);
            for op in ops {
                self.stack_mark(op);
            }
            return;
        }
        let guarded = ops.iter().any(|op| matches!(op, Op::Guard { .. }));
        if guarded || goes_on_behind_store(ops) {
            // A guard counts operations: one interpreter instruction each, and marks behind them. So does
            // what completes an instruction behind a store that its block is left for.
            for op in ops {
                self.any(*op, at);
            }
            for op in ops {
                self.stack_mark(op);
            }
            return;
        }
        for op in ops {
            self.op(op, at);
            self.stack_mark(op);
        }
    }

    fn extra(&mut self, extra: &Extra, operand: Value, at: u8) {
        let entry = self.extras.len() as u32;
        match operand {
            Value::Slot(slot) => {
                self.extras.push(extra.clone());
                self.code.push(Micro::Extra { operand: slot.0 as Cell, table: entry, at });
            }
            Value::Const(value) => {
                let cycles = extra.table[extra.select.index(value as u32, extra.table.len())];
                self.extras.push(Extra {
                    select: Select::Low,
                    table: vec![cycles],
                    exit_states: vec![],
                    of: None,
                });
                self.code.push(Micro::Extra { operand: self.zero, table: entry, at });
            }
        }
    }

    /// The line that an access with an instruction of its own is about to touch.
    fn data_line(&mut self, op: &Op, at: u8) {
        if !self.data_cache {
            return;
        }
        let micro = match *op {
            Op::Load { width, base, offset, .. } => {
                let (base, offset) = self.operand_address(base, offset);
                Micro::LineRead { base, width, at, offset }
            }
            Op::Store { base, offset, .. } => {
                let (base, offset) = self.operand_address(base, offset);
                Micro::LineWrite { base, at, offset }
            }
            _ => return,
        };
        self.code.push(micro);
    }

    fn stack_mark(&mut self, op: &Op) {
        if marks_stack(op, self.stack, self.state) {
            self.code.push(Micro::StackMark { pointer: self.stack.0 as Cell });
        }
    }

    fn any(&mut self, op: Op, at: u8) {
        let skip = if let Op::Guard { ops, .. } = op { u32::from(ops) } else { 0 };
        self.code.push(Micro::Any { op: self.general.len() as u32, at });
        self.general.push(General { op, skip, at });
    }

    fn op(&mut self, op: &Op, at: u8) {
        let direct = if self.reports && op.is_access() { None } else { self.direct(op, at) };
        match direct {
            Some(micro) => {
                self.data_line(op, at);
                self.code.push(micro);
            }
            None => self.any(*op, at),
        }
    }

    fn direct(&self, op: &Op, at: u8) -> Option<Micro> {
        match *op {
            Op::Move { dst, src } => {
                let dst = cell(dst);
                Some(match src {
                    Value::Slot(a) => Micro::MoveR { dst, a: cell(a) },
                    Value::Const(imm) => Micro::MoveI { dst, imm: u32::try_from(imm).ok()? },
                })
            }
            Op::Binary { op, width: Width::W32, dst, a, b } => self.binary(op, cell(dst), a, b),
            Op::Binary { op, width, dst, a, b } => narrow::binary(self, op, width, cell(dst), a, b),
            Op::Compare { condition, width: Width::W32, dst, a, b } => {
                self.compare(condition, cell(dst), a, b)
            }
            Op::Compare { condition, width, dst, a, b } => {
                narrow::compare(self, condition, width, cell(dst), a, b)
            }
            Op::Load { width, signed, dst, base, offset } => {
                let dst = cell(dst);
                let (base, offset) = self.operand_address(base, offset);
                Some(match (width, signed) {
                    (Width::W8, false) => Micro::Load8 { dst, base, at, offset },
                    (Width::W8, true) => Micro::Load8Signed { dst, base, at, offset },
                    (Width::W16, false) => Micro::Load16 { dst, base, at, offset },
                    (Width::W16, true) => Micro::Load16Signed { dst, base, at, offset },
                    (Width::W32, _) => Micro::Load32 { dst, base, at, offset },
                    (Width::W64, _) => return None,
                })
            }
            Op::Store { width, src, base, offset } => {
                let src = self.operand(src)?;
                let (base, offset) = self.operand_address(base, offset);
                Some(match width {
                    Width::W8 => Micro::Store8 { src, base, at, offset },
                    Width::W16 => Micro::Store16 { src, base, at, offset },
                    Width::W32 => Micro::Store32 { src, base, at, offset },
                    Width::W64 => return None,
                })
            }
            _ => None,
        }
    }

    fn binary(&self, op: Binary, dst: Cell, a: Value, b: Value) -> Option<Micro> {
        let a = self.operand(a)?;
        if let Value::Const(imm) = b
            && imm != 0
        {
            return immediate(op, dst, a, imm as u32);
        }
        let b = self.operand(b)?;
        match op {
            Binary::Add => Some(Micro::AddR { dst, a, b }),
            Binary::Sub => Some(Micro::SubR { dst, a, b }),
            Binary::And => Some(Micro::AndR { dst, a, b }),
            Binary::Or => Some(Micro::OrR { dst, a, b }),
            Binary::Xor => Some(Micro::XorR { dst, a, b }),
            Binary::Mul => Some(Micro::MulR { dst, a, b }),
            Binary::MulHighUnsigned => Some(Micro::MulHighUnsignedR { dst, a, b }),
            _ => None,
        }
    }

    fn compare(&self, condition: Condition, dst: Cell, a: Value, b: Value) -> Option<Micro> {
        let a = self.operand(a)?;
        match (condition, b) {
            (Condition::LessSigned, Value::Const(imm)) => {
                Some(Micro::LessSignedI { dst, a, imm: imm as u32 })
            }
            (Condition::LessUnsigned, Value::Const(imm)) => {
                Some(Micro::LessUnsignedI { dst, a, imm: imm as u32 })
            }
            (Condition::LessSigned, Value::Slot(b)) => {
                Some(Micro::LessSignedR { dst, a, b: cell(b) })
            }
            (Condition::LessUnsigned, Value::Slot(b)) => {
                Some(Micro::LessUnsignedR { dst, a, b: cell(b) })
            }
            _ => None,
        }
    }

    /// The cell that an access's base is in, and what is added to it.
    fn operand_address(&self, base: Value, offset: i32) -> (Cell, i32) {
        match base {
            Value::Slot(slot) => (cell(slot), offset),
            Value::Const(base) => (self.zero, offset.wrapping_add(base as i32)),
        }
    }

    /// The cell of an operand; a constant 0 has one too.
    fn operand(&self, value: Value) -> Option<Cell> {
        match value {
            Value::Slot(slot) => Some(cell(slot)),
            Value::Const(0) => Some(self.zero),
            Value::Const(_) => None,
        }
    }
}

fn immediate(op: Binary, dst: Cell, a: Cell, imm: u32) -> Option<Micro> {
    match op {
        Binary::Add => Some(Micro::AddI { dst, a, imm }),
        Binary::Sub => Some(Micro::AddI { dst, a, imm: imm.wrapping_neg() }),
        Binary::And => Some(Micro::AndI { dst, a, imm }),
        Binary::Or => Some(Micro::OrI { dst, a, imm }),
        Binary::Xor => Some(Micro::XorI { dst, a, imm }),
        Binary::Shl if imm < 32 => Some(Micro::ShlI { dst, a, imm }),
        Binary::Shr if imm < 32 => Some(Micro::ShrI { dst, a, imm }),
        Binary::Sar if imm < 32 => Some(Micro::SarI { dst, a, imm }),
        _ => None,
    }
}

/// Returns true if an instruction does more behind a store of its own.
fn goes_on_behind_store(ops: &[Op]) -> bool {
    let before = ops.len().saturating_sub(1);
    ops[..before].iter().any(|op| matches!(op, Op::Store { .. }))
}

/// Returns true if the stack's depth changes: where its pointer is computed from itself, or moved from the
/// temporary that it was computed in. When it is loaded with a new value, that may happen in two steps of
/// which the first means nothing.
#[must_use]
pub fn marks_stack(op: &Op, stack: Slot, state: u16) -> bool {
    let from_temporary = matches!(op, Op::Move { src: Value::Slot(src), .. } if src.0 >= state);
    let from_itself = op.operands().contains(&Value::Slot(stack));
    op.dst() == Some(stack) && (from_itself || from_temporary)
}

/// A shift whose amount is first cut to five bits in a temporary, as one instruction.
fn masked_shift(ops: &[Op], state: u16) -> Option<Micro> {
    let [
        Op::Binary {
            op: Binary::And,
            width: Width::W32,
            dst: t,
            a: Value::Slot(b),
            b: Value::Const(31),
        },
        Op::Binary { op, width: Width::W32, dst, a: Value::Slot(a), b: Value::Slot(amount) },
    ] = *ops
    else {
        return None;
    };
    if amount != t || t.0 < state {
        return None;
    }
    let (dst, a, b) = (cell(dst), cell(a), cell(b));
    match op {
        Binary::Shl => Some(Micro::ShlR { dst, a, b }),
        Binary::Shr => Some(Micro::ShrR { dst, a, b }),
        Binary::Sar => Some(Micro::SarR { dst, a, b }),
        _ => None,
    }
}

/// Front ends have fewer than 256 cells, which the engine checks when it is made.
fn cell(slot: Slot) -> Cell {
    slot.0 as Cell
}
