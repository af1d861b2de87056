//! One instruction in all lanes.

use std::ops::Range;

use cocrypt_ir::{Exit, Op, Value, Width};
use cocrypt_isa::Extra;
use cocrypt_simd::Kernel;

use super::compute::{binaries, bits, compares, is_uniform, operand, same, selected, unaries};
use super::weigh::Sums;
use super::{LANES, Lanes, Row};
use crate::leakage::{MemoryAccess, Observation, guard_bit, takes_value};
use crate::ram::Ram;
use crate::source::Source;

/// The part of an instruction that is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// What its time depends on.
    Time,
    /// All of it.
    Whole,
}

/// The evaluation of a block of one instruction. The result is what the guards of lane 0 skip, and what each lane
/// contributes; nothing if the instruction is none that lanes evaluate.
pub struct Step<'a> {
    pub lanes: &'a mut Lanes,
    pub source: &'a Source,
    pub observation: &'a Observation,
    pub part: Part,
    /// The parts in which its access is made, if it is not aligned.
    pub parts: &'a [MemoryAccess],
    /// The memory from before the run, and the leader's.
    pub memories: (&'a Ram, &'a Ram),
}

impl Kernel for Step<'_> {
    type Output = Option<(u64, Sums)>;

    #[inline(always)]
    fn run(mut self) -> Self::Output {
        let [insn] = &self.source.block.insns[..] else { return None };
        let mut sums = [0; LANES];
        if self.part == Part::Whole {
            self.remember(&mut sums);
        }
        let lead = usize::from(insn.lead);
        let mut skipped = self.operations(0..lead, &mut sums)?;
        self.keep_time();
        if self.part == Part::Time {
            return Some((0, sums));
        }
        skipped |= self.operations(lead..self.source.block.ops.len(), &mut sums)?;
        self.keep_path()?;
        self.written(skipped, &mut sums);
        Some((skipped, sums))
    }
}

impl Step<'_> {
    #[inline(always)]
    fn operand(&self, value: Value) -> Row {
        operand(&self.lanes.cells, value)
    }

    /// Weighs what the instruction reads, and remembers what it replaces.
    #[inline(always)]
    fn remember(&mut self, sums: &mut Sums) {
        let Lanes { cells, latches, before, model, .. } = &mut *self.lanes;
        let model = &model.kinds[self.observation.kind];
        for sum in sums.iter_mut() {
            *sum = model.constant;
        }
        for (number, &cell) in self.observation.reads.iter().enumerate() {
            latches.operand(model, number, &cells[usize::from(cell)], sums);
        }
        before.clear();
        before.extend(self.observation.writes.iter().map(|write| cells[usize::from(write.cell)]));
    }

    /// Evaluates some of the operations; what the guards among them skip in lane 0.
    #[inline(always)]
    fn operations(&mut self, range: Range<usize>, sums: &mut Sums) -> Option<u64> {
        let (source, mut skipped, mut at) = (self.source, 0, range.start);
        while at < range.end {
            let op = &source.block.ops[at];
            at += 1;
            if let Op::Guard { condition, ops } = *op {
                let holds = bits(&self.operand(condition), |value| value != 0);
                let is_skipped = holds & 1 == 0;
                self.lanes.together &= if is_skipped { !holds } else { holds };
                if is_skipped {
                    let before = source.block.ops[..at - 1].iter();
                    let number = before.filter(|op| matches!(op, Op::Guard { .. })).count();
                    skipped |= guard_bit(number);
                    at += usize::from(ops);
                }
            } else {
                self.operation(op, sums)?;
            }
        }
        Some(skipped)
    }

    #[inline(always)]
    fn operation(&mut self, op: &Op, sums: &mut Sums) -> Option<()> {
        let (dst, row) = match *op {
            Op::Move { dst, src } => (dst, self.operand(src)),
            Op::Binary { op, width, dst, a, b } => {
                (dst, binaries(op, width, &self.operand(a), &self.operand(b)))
            }
            Op::Unary { op, width, dst, a } => (dst, unaries(op, width, &self.operand(a))),
            Op::Compare { condition, width, dst, a, b } => {
                (dst, compares(condition, width, &self.operand(a), &self.operand(b)))
            }
            Op::Select { dst, condition, a, b } => {
                (dst, selected(&self.operand(condition), &self.operand(a), &self.operand(b)))
            }
            Op::Load { width, signed, dst, base, offset } => {
                let addresses = self.addresses(base, offset);
                let row = self.load(&addresses, width, sums)?;
                (dst, if signed { extended(&row, width) } else { row })
            }
            Op::Store { width, src, base, offset } => {
                let addresses = self.addresses(base, offset);
                return self.store(&addresses, &self.operand(src), width, sums);
            }
            // A counter belongs to the leader, and guards are treated before.
            Op::Guard { .. } | Op::Count { .. } => return None,
        };
        self.lanes.cells[usize::from(dst.0)] = row;
        Some(())
    }

    #[inline(always)]
    fn addresses(&self, base: Value, offset: i32) -> Row {
        moved(&self.operand(base), offset as u32)
    }

    /// The parts of an access: the place of each behind the address, and its width.
    fn parts_of(&mut self, addresses: &Row, width: Width) -> Option<Vec<(u32, Width)>> {
        if self.parts.is_empty() {
            return Some(vec![(0, width)]);
        }
        let accesses = self.source.block.ops.iter().filter(|op| op.is_access()).count();
        let first = addresses[0] as u32;
        let part = |part: &MemoryAccess| (part.address.wrapping_sub(first), part.width);
        let parts: Vec<_> = self.parts.iter().map(part).collect();
        let bytes: u32 = parts.iter().map(|(_, width)| width.bytes()).sum();
        let is_within = parts.iter().all(|&(offset, width)| offset < bytes && width != Width::W64);
        // What parts there are, and what they cost, depends on the place within a few words.
        self.lanes.together &= bits(addresses, |address| address % 8 == u64::from(first % 8));
        (accesses == 1 && bytes == width.bytes() && is_within).then_some(parts)
    }

    #[inline(always)]
    fn load(&mut self, addresses: &Row, width: Width, sums: &mut Sums) -> Option<Row> {
        let mut whole = [0; LANES];
        for (offset, width) in self.parts_of(addresses, width)? {
            let addresses = moved(addresses, offset);
            let (values, places) = self.lanes.memory.read(&addresses, width, self.memories.0)?;
            self.lanes.together &= places;
            let Lanes { latches, model, .. } = &mut *self.lanes;
            let model = &model.kinds[self.observation.kind];
            latches.access(model, [&addresses, &values], None, sums);
            for (whole, &value) in whole.iter_mut().zip(&values) {
                *whole |= value << (8 * offset);
            }
        }
        Some(whole)
    }

    #[inline(always)]
    fn store(&mut self, addresses: &Row, whole: &Row, width: Width, sums: &mut Sums) -> Option<()> {
        for (offset, width) in self.parts_of(addresses, width)? {
            let (addresses, mut values) = (moved(addresses, offset), *whole);
            for value in &mut values {
                *value = width.truncate(*value >> (8 * offset));
            }
            let Lanes { memory, latches, model, together, .. } = &mut *self.lanes;
            let (replaced, _) = memory.read(&addresses, width, self.memories.0)?;
            *together &= memory.write((&addresses, &values), width, *together, self.memories)?;
            let model = &model.kinds[self.observation.kind];
            latches.access(model, [&addresses, &values], Some(&replaced), sums);
        }
        Some(())
    }

    /// Weighs the registers that take a value.
    #[inline(always)]
    fn written(&mut self, skipped: u64, sums: &mut Sums) {
        let Lanes { cells, latches, before, model, .. } = &mut *self.lanes;
        let (model, writes) = (&model.kinds[self.observation.kind], &self.observation.writes);
        for (number, before) in before.iter().enumerate() {
            if takes_value(writes, number, skipped) {
                latches.write(model, &cells[usize::from(writes[number].cell)], before, sums);
            }
        }
    }

    /// Keeps the lanes in which the instruction costs what it costs in lane 0.
    #[inline(always)]
    fn keep_time(&mut self) {
        let (insns, costs) = (&self.source.block.insns, &self.source.cost.insns);
        let extra = costs.first().and_then(|cost| cost.extra.as_ref());
        let Some((extra, insn)) = extra.zip(insns.first()) else { return };
        let Some(operand) = extra.operand(insn) else { return };
        let row = self.operand(operand);
        if !is_uniform(&row) {
            let Extra { select, table, exit_states, .. } = extra;
            let cost = |operand: u64| {
                let entry = select.index(operand as u32, table.len());
                (table[entry], exit_states.get(entry))
            };
            let expected = cost(row[0]);
            self.lanes.together &= bits(&row, |operand| cost(operand) == expected);
        }
    }

    /// Keeps the lanes that go where lane 0 goes; nothing where more than cells decides about that.
    #[inline(always)]
    fn keep_path(&mut self) -> Option<()> {
        let decides = match self.source.block.exit {
            Exit::Next { .. } | Exit::Jump { .. } => return Some(()),
            Exit::Branch { condition, width, a, b, .. } => {
                compares(condition, width, &self.operand(a), &self.operand(b))
            }
            Exit::Indirect { target } => self.operand(target),
            Exit::YieldIf { condition, .. } => {
                let row = self.operand(condition);
                if row[0] != 0 {
                    return None;
                }
                row
            }
            Exit::Yield { .. } | Exit::Stop(_) => return None,
        };
        self.lanes.together &= same(&decides);
        Some(())
    }
}

/// Addresses that lie so many bytes behind these, modulo 2^32.
#[inline(always)]
fn moved(addresses: &Row, by: u32) -> Row {
    let mut out = *addresses;
    for address in &mut out {
        *address = u64::from((*address as u32).wrapping_add(by));
    }
    out
}

/// Sign-extends loaded values to 32 bits.
#[inline(always)]
fn extended(row: &Row, width: Width) -> Row {
    let mut out = *row;
    for value in &mut out {
        *value = Width::W32.truncate(width.sign_extend(*value) as u64);
    }
    out
}
