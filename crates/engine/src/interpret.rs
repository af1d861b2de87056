//! The interpreter: runs one translated block.

use cocrypt_ir::{Binary, Counter, Op, Value, Width, binary, condition, unary};
use cocrypt_isa::{Extra, Line, PipelineState, Purpose, STAYS};

use crate::access::{Outside, Refusal};
use crate::bus::Access;
use crate::cache::{InsnTiming, ObservedMemory, Translated};
use crate::caches::CacheState;
use crate::contexts::Contexts;
use crate::leakage::{MemoryAccess, Report, guard_bit};
use crate::micro::{Cell, General, Micro};

/// The file of cells: guest state, temporaries, one cell that stays 0.
pub type Cells = [u64; 256];

/// The counters of a run while a block executes.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    /// Cycles at the block's start, plus whatever the block did not know beforehand.
    pub cycles: u64,
    /// Instructions issued before the block.
    pub instructions: u64,
    /// The lowest stack pointer seen.
    pub lowest_stack: u32,
    /// The effects of the instruction that runs, if a leakage model is told of them.
    pub report: Option<Box<Report>>,
}

/// A block was left before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Break {
    /// Index of the instruction.
    pub at: u8,
    /// The reason.
    pub why: Refusal,
    /// The operation, by its index among the block's general ones, if others of its instruction follow.
    pub op: Option<u32>,
}

/// Everything a block works on.
pub struct Context<'a> {
    pub clock: &'a mut Clock,
    pub outside: Outside<'a>,
    pub caches: &'a mut CacheState,
    /// The accesses of instructions seen so far.
    pub seen: &'a mut ObservedMemory,
    /// The observer of the wait of single accesses.
    pub contexts: Option<&'a mut Contexts>,
}

/// Runs instructions of a block, to its end or to where it must be left.
#[allow(clippy::too_many_lines)] // One arm for each instruction: long, flat and all alike.
pub fn interpret(
    block: &Translated,
    code: &[Micro],
    cells: &mut Cells,
    context: &mut Context<'_>,
) -> Result<(), Break> {
    let mut index = 0;
    while let Some(micro) = code.get(index) {
        index += 1;
        match *micro {
            // A move has no width: it copies the whole cell.
            Micro::MoveR { dst, a } => {
                cells[usize::from(dst)] = cells[usize::from(a)];
            }
            Micro::MoveI { dst, imm } => set(cells, dst, imm),
            Micro::AddR { dst, a, b } => {
                set(cells, dst, get(cells, a).wrapping_add(get(cells, b)));
            }
            Micro::AddI { dst, a, imm } => set(cells, dst, get(cells, a).wrapping_add(imm)),
            Micro::SubR { dst, a, b } => {
                set(cells, dst, get(cells, a).wrapping_sub(get(cells, b)));
            }
            Micro::AndR { dst, a, b } => set(cells, dst, get(cells, a) & get(cells, b)),
            Micro::AndI { dst, a, imm } => set(cells, dst, get(cells, a) & imm),
            Micro::OrR { dst, a, b } => set(cells, dst, get(cells, a) | get(cells, b)),
            Micro::OrI { dst, a, imm } => set(cells, dst, get(cells, a) | imm),
            Micro::XorR { dst, a, b } => set(cells, dst, get(cells, a) ^ get(cells, b)),
            Micro::XorI { dst, a, imm } => set(cells, dst, get(cells, a) ^ imm),
            Micro::ShlR { dst, a, b } => {
                set(cells, dst, get(cells, a).wrapping_shl(get(cells, b)));
            }
            Micro::ShlI { dst, a, imm } => set(cells, dst, get(cells, a).wrapping_shl(imm)),
            Micro::ShrR { dst, a, b } => {
                set(cells, dst, get(cells, a).wrapping_shr(get(cells, b)));
            }
            Micro::ShrI { dst, a, imm } => set(cells, dst, get(cells, a).wrapping_shr(imm)),
            Micro::SarR { dst, a, b } => {
                set(cells, dst, signed(cells, a).wrapping_shr(get(cells, b)) as u32);
            }
            Micro::SarI { dst, a, imm } => {
                set(cells, dst, signed(cells, a).wrapping_shr(imm) as u32);
            }
            Micro::MulR { dst, a, b } => {
                set(cells, dst, get(cells, a).wrapping_mul(get(cells, b)));
            }
            Micro::MulHighUnsignedR { dst, a, b } => {
                let product = u64::from(get(cells, a)) * u64::from(get(cells, b));
                set(cells, dst, (product >> 32) as u32);
            }
            Micro::LessSignedR { dst, a, b } => {
                set(cells, dst, u32::from(signed(cells, a) < signed(cells, b)));
            }
            Micro::LessSignedI { dst, a, imm } => {
                set(cells, dst, u32::from(signed(cells, a) < imm as i32));
            }
            Micro::LessUnsignedR { dst, a, b } => {
                set(cells, dst, u32::from(get(cells, a) < get(cells, b)));
            }
            Micro::LessUnsignedI { dst, a, imm } => {
                set(cells, dst, u32::from(get(cells, a) < imm));
            }
            Micro::NarrowAddR { dst, a, b, mask } => {
                set(cells, dst, get(cells, a).wrapping_add(get(cells, b)) & u32::from(mask));
            }
            Micro::NarrowSubR { dst, a, b, mask } => {
                set(cells, dst, get(cells, a).wrapping_sub(get(cells, b)) & u32::from(mask));
            }
            Micro::NarrowMulR { dst, a, b, mask } => {
                set(cells, dst, get(cells, a).wrapping_mul(get(cells, b)) & u32::from(mask));
            }
            Micro::NarrowAndR { dst, a, b, mask } => {
                set(cells, dst, (get(cells, a) & get(cells, b)) & u32::from(mask));
            }
            Micro::NarrowOrR { dst, a, b, mask } => {
                set(cells, dst, (get(cells, a) | get(cells, b)) & u32::from(mask));
            }
            Micro::NarrowXorR { dst, a, b, mask } => {
                set(cells, dst, (get(cells, a) ^ get(cells, b)) & u32::from(mask));
            }
            Micro::NarrowAddI { dst, a, imm, mask } => {
                set(cells, dst, get(cells, a).wrapping_add(imm.into()) & u32::from(mask));
            }
            Micro::NarrowAndI { dst, a, imm, mask } => {
                set(cells, dst, (get(cells, a) & u32::from(imm)) & u32::from(mask));
            }
            Micro::NarrowOrI { dst, a, imm, mask } => {
                set(cells, dst, (get(cells, a) | u32::from(imm)) & u32::from(mask));
            }
            Micro::NarrowXorI { dst, a, imm, mask } => {
                set(cells, dst, (get(cells, a) ^ u32::from(imm)) & u32::from(mask));
            }
            Micro::NarrowShlI { dst, a, by, mask } => {
                set(cells, dst, get(cells, a).wrapping_shl(by.into()) & u32::from(mask));
            }
            Micro::NarrowShrI { dst, a, by, mask } => {
                set(cells, dst, (get(cells, a) & u32::from(mask)).wrapping_shr(by.into()));
            }
            Micro::NarrowSarI { dst, a, by, width } => {
                let value = width.sign_extend(get(cells, a).into()) >> by;
                set(cells, dst, width.truncate(value as u64) as u32);
            }
            Micro::NarrowEqualR { dst, a, b, mask } => {
                let differing = (get(cells, a) ^ get(cells, b)) & u32::from(mask);
                set(cells, dst, u32::from(differing == 0));
            }
            Micro::NarrowEqualI { dst, a, imm, mask } => {
                set(cells, dst, u32::from(get(cells, a) & u32::from(mask) == u32::from(imm)));
            }
            Micro::NarrowLessUnsignedR { dst, a, b, mask } => {
                let [a, b] = [a, b].map(|cell| get(cells, cell) & u32::from(mask));
                set(cells, dst, u32::from(a < b));
            }
            Micro::NarrowLessUnsignedI { dst, a, imm, mask } => {
                set(cells, dst, u32::from(get(cells, a) & u32::from(mask) < u32::from(imm)));
            }
            Micro::Load8 { dst, base, at, offset } => {
                let address = get(cells, base).wrapping_add_signed(offset);
                let value = match context.outside.ram.load::<1>(address) {
                    Some([byte]) => u32::from(byte),
                    None => context.slow_load(block, cells, at, address, Width::W8, false)?,
                };
                set(cells, dst, value);
            }
            Micro::Load8Signed { dst, base, at, offset } => {
                let address = get(cells, base).wrapping_add_signed(offset);
                let value = match context.outside.ram.load::<1>(address) {
                    Some([byte]) => byte as i8 as u32,
                    None => context.slow_load(block, cells, at, address, Width::W8, true)?,
                };
                set(cells, dst, value);
            }
            Micro::Load16 { dst, base, at, offset } => {
                let address = get(cells, base).wrapping_add_signed(offset);
                let value = match context.outside.ram.load::<2>(address) {
                    Some(bytes) => u32::from(u16::from_le_bytes(bytes)),
                    None => context.slow_load(block, cells, at, address, Width::W16, false)?,
                };
                set(cells, dst, value);
            }
            Micro::Load16Signed { dst, base, at, offset } => {
                let address = get(cells, base).wrapping_add_signed(offset);
                let value = match context.outside.ram.load::<2>(address) {
                    Some(bytes) => i16::from_le_bytes(bytes) as u32,
                    None => context.slow_load(block, cells, at, address, Width::W16, true)?,
                };
                set(cells, dst, value);
            }
            Micro::Load32 { dst, base, at, offset } => {
                let address = get(cells, base).wrapping_add_signed(offset);
                let value = match context.outside.ram.load::<4>(address) {
                    Some(bytes) => u32::from_le_bytes(bytes),
                    None => context.slow_load(block, cells, at, address, Width::W32, false)?,
                };
                set(cells, dst, value);
            }
            Micro::Store8 { src, base, at, offset } => {
                let address = get(cells, base).wrapping_add_signed(offset);
                let value = get(cells, src);
                if !context.outside.ram.store(address, [value as u8]) {
                    context.slow_store(block, cells, at, address, Width::W8, u64::from(value))?;
                }
            }
            Micro::Store16 { src, base, at, offset } => {
                let address = get(cells, base).wrapping_add_signed(offset);
                let value = get(cells, src);
                if !context.outside.ram.store(address, (value as u16).to_le_bytes()) {
                    context.slow_store(block, cells, at, address, Width::W16, u64::from(value))?;
                }
            }
            Micro::Store32 { src, base, at, offset } => {
                let address = get(cells, base).wrapping_add_signed(offset);
                let value = get(cells, src);
                if !context.outside.ram.store(address, value.to_le_bytes()) {
                    context.slow_store(block, cells, at, address, Width::W32, u64::from(value))?;
                }
            }
            Micro::Rotate { dst, left, right, a, by } => {
                let (value, by) = (get(cells, a), u32::from(by));
                set(cells, left, value.wrapping_shl(by));
                set(cells, right, value.wrapping_shr(32 - by));
                set(cells, dst, value.rotate_left(by));
            }
            Micro::XorXor { first, second } => {
                two(cells, first, |a, b| a ^ b);
                two(cells, second, |a, b| a ^ b);
            }
            Micro::AddAdd { first, second } => {
                two(cells, first, u32::wrapping_add);
                two(cells, second, u32::wrapping_add);
            }
            Micro::AndXor { first, second } => {
                two(cells, first, |a, b| a & b);
                two(cells, second, |a, b| a ^ b);
            }
            Micro::XorAnd { first, second } => {
                two(cells, first, |a, b| a ^ b);
                two(cells, second, |a, b| a & b);
            }
            Micro::AddLoad8 { dst, sum, a, b, at, offset } => {
                two(cells, [sum, a, b], u32::wrapping_add);
                let address = get(cells, sum).wrapping_add_signed(offset.into());
                let value = match context.outside.ram.load::<1>(address) {
                    Some([byte]) => u32::from(byte),
                    None => context.slow_load(block, cells, at, address, Width::W8, false)?,
                };
                set(cells, dst, value);
            }
            Micro::ShlSar { dst, middle, a, left, right } => {
                let shifted = get(cells, a).wrapping_shl(left.into());
                set(cells, middle, shifted);
                set(cells, dst, (shifted as i32).wrapping_shr(right.into()) as u32);
            }
            Micro::ShlShr { dst, middle, a, left, right } => {
                let shifted = get(cells, a).wrapping_shl(left.into());
                set(cells, middle, shifted);
                set(cells, dst, shifted.wrapping_shr(right.into()));
            }
            Micro::Any { op, at } => {
                let general = block.general[op as usize];
                let goes_on = context.general(block, cells, general, at);
                if !goes_on.map_err(|broken| Break { op: Some(op), ..broken })? {
                    context.skips(block, op as usize);
                    index += general.skip as usize;
                }
            }
            Micro::Extra { operand, table, at } => {
                let Extra { select, table, exit_states, .. } = &block.extras[table as usize];
                let entry = select.index(get(cells, operand), table.len());
                let exit_state = exit_states
                    .get(entry)
                    .copied()
                    .filter(|&pipeline_state| pipeline_state != STAYS);
                match exit_state {
                    None => context.clock.cycles += u64::from(table[entry]),
                    Some(_) => context.missed(at, 0, exit_state)?,
                }
            }
            Micro::FetchLine { line } => context.fetch_line(block.lines[line as usize])?,
            Micro::LineRead { base, width, at, offset } => {
                let address = get(cells, base).wrapping_add_signed(offset);
                context.line_read(block, at, address, width)?;
            }
            Micro::LineWrite { base, at, offset } => {
                let address = get(cells, base).wrapping_add_signed(offset);
                context.line_write(block, at, address)?;
            }
            Micro::StackMark { pointer } => {
                let pointer = get(cells, pointer);
                context.clock.lowest_stack = context.clock.lowest_stack.min(pointer);
            }
        }
    }
    Ok(())
}

/// Completes an instruction behind the operation `op` that its block is left for; why it is left then.
pub fn finish(
    block: &Translated,
    cells: &mut Cells,
    context: &mut Context<'_>,
    first: Break,
    op: u32,
) -> Break {
    let (at, mut why, mut index) = (first.at, first.why, op as usize + 1);
    while let Some(&general) = block.general.get(index).filter(|general| general.at == at) {
        index += 1;
        match context.general(block, cells, general, at) {
            Ok(true) => {}
            Ok(false) => {
                context.skips(block, index - 1);
                index += general.skip as usize;
            }
            Err(next) => match context.both(why, next.why) {
                Some(both) => why = both,
                None => return next,
            },
        }
    }
    Break { at, why, op: None }
}

impl Context<'_> {
    /// The exit of a block that two writes of one instruction make it leave; nothing if it stops.
    fn both(&mut self, first: Refusal, next: Refusal) -> Option<Refusal> {
        match (first, next) {
            (Refusal::Changed { more }, Refusal::Changed { more: further }) => {
                Some(Refusal::Changed { more: more + further })
            }
            (code @ Refusal::CodeWritten { .. }, Refusal::Changed { more })
            | (Refusal::Changed { more }, code @ Refusal::CodeWritten { .. }) => {
                self.clock.cycles = self.clock.cycles.wrapping_add_signed(more);
                Some(code)
            }
            (
                code @ Refusal::CodeWritten { .. },
                Refusal::CodeWritten { address, width, value },
            ) => {
                self.outside.ram.write(address, width, value);
                Some(code)
            }
            _ => None,
        }
    }

    fn note_elsewhere(&mut self, at: u8, address: u32) {
        let ram = &self.outside.ram;
        if ram.contains(address) {
            return;
        }
        let in_rom = ram.rom_more(address).is_some();
        *if in_rom { &mut self.seen.rom } else { &mut self.seen.elsewhere } |= 1 << (at % 64);
    }

    fn access(&self, block: &Translated, at: u8, address: u32, width: Width) -> Access {
        let timing = &block.insn_timings[usize::from(at)];
        let unwaited = self.clock.cycles + u64::from(timing.sample);
        let issued = self.clock.instructions + u64::from(at);
        Access { address, width, unwaited, pc: timing.pc, issued }
    }

    fn fetch_line(&mut self, line: Line) -> Result<(), Break> {
        let Some(tags) = &mut self.caches.instruction else { return Ok(()) };
        if line.clears {
            tags.clear();
        }
        let hit = !line.clears && tags.read(line.address);
        if hit { Ok(()) } else { self.missed(line.at, line.miss, line.exit_state) }
    }

    fn line_read(
        &mut self,
        block: &Translated,
        at: u8,
        address: u32,
        width: Width,
    ) -> Result<(), Break> {
        let is_covered = self.caches.covers(self.outside.ram, address, Purpose::Read);
        let Some(tags) = self.caches.data_mut() else { return Ok(()) };
        let InsnTiming { miss, miss_exit_state, elsewhere, collides, .. } =
            block.insn_timings[usize::from(at)];
        if address & (width.bytes() - 1) != 0 {
            // It is refused before it waits for a line, but behind a store that holds it up. That is
            // looked at within a word.
            let held = collides && is_covered && tags.holds(address);
            let bytes = width.bytes().min(4 - address % 4);
            return if held { self.collide(block, at, address, bytes) } else { Ok(()) };
        }
        if !is_covered {
            self.note_elsewhere(at, address);
            let beyond = !self.outside.ram.takes(address, Purpose::Read);
            let exit_state = elsewhere.filter(|_| beyond);
            return if exit_state.is_some() { self.missed(at, 0, exit_state) } else { Ok(()) };
        }
        if !tags.read(address) {
            return self.missed(at, miss as i32, miss_exit_state);
        }
        if collides { self.collide(block, at, address, width.bytes()) } else { Ok(()) }
    }

    fn line_write(&mut self, block: &Translated, at: u8, address: u32) -> Result<(), Break> {
        let is_covered = self.caches.covers(self.outside.ram, address, Purpose::Write);
        let before = self.caches.stored[0];
        let Some(tags) = self.caches.data_mut() else { return Ok(()) };
        let hit = !is_covered || tags.write(address);
        self.caches.stored = [address, before];
        let miss = block.insn_timings[usize::from(at)].miss;
        self.missed(at, if hit { 0 } else { miss as i32 }, None)
    }

    /// Looks whether a store right before a load holds it up.
    fn collide(
        &mut self,
        block: &Translated,
        at: u8,
        address: u32,
        bytes: u32,
    ) -> Result<(), Break> {
        let collisions = &block.source.cost.insns[usize::from(at)].collisions;
        let stored = self.caches.stored;
        let met = collisions.iter().find(|collision| {
            collision.meets(stored[usize::from(collision.recent)], address, bytes)
        });
        met.map_or(Ok(()), |met| self.missed(at, met.cycles, Some(met.exit_state)))
    }

    fn missed(
        &mut self,
        at: u8,
        cycles: i32,
        exit_state: Option<PipelineState>,
    ) -> Result<(), Break> {
        if let Some(pipeline_state) = exit_state {
            return Err(Break { at, why: Refusal::Missed { cycles, pipeline_state }, op: None });
        }
        self.clock.cycles = self.clock.cycles.wrapping_add_signed(cycles.into());
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn slow_load(
        &mut self,
        block: &Translated,
        cells: &Cells,
        at: u8,
        address: u32,
        width: Width,
        signed: bool,
    ) -> Result<u32, Break> {
        let value = self.read(block, cells, at, address, width)?;
        Ok(if signed { width.sign_extend(value) as u32 } else { value as u32 })
    }

    fn read(
        &mut self,
        block: &Translated,
        cells: &Cells,
        at: u8,
        address: u32,
        width: Width,
    ) -> Result<u64, Break> {
        self.note_elsewhere(at, address);
        if let Some((value, more)) = self.outside.ram.direct(address, width) {
            self.waited(block.insn_timings[usize::from(at)].pc, more);
            return Ok(value);
        }
        let access = self.access(block, at, address, width);
        let mapped = self.outside.mapped;
        let (value, more) = match self.outside.read(&access) {
            Err(Refusal::Mapped) => (mapped.read(&cells[..], address, width).unwrap_or(0), 0),
            answer => answer.map_err(|why| Break { at, why, op: None })?,
        };
        self.waited(access.pc, more);
        Ok(value)
    }

    fn waited(&mut self, pc: u64, more: i64) {
        self.clock.cycles = self.clock.cycles.wrapping_add_signed(more);
        if let Some(contexts) = &mut self.contexts {
            contexts.wait(pc, more);
        }
    }

    #[cold]
    #[inline(never)]
    fn slow_store(
        &mut self,
        block: &Translated,
        cells: &mut Cells,
        at: u8,
        address: u32,
        width: Width,
        value: u64,
    ) -> Result<(), Break> {
        let access = self.access(block, at, address, width);
        self.note_elsewhere(at, address);
        let mapped = self.outside.mapped;
        let answer = self.outside.write(&access, value).map_err(|why| match why {
            Refusal::Mapped => {
                mapped.write(&mut cells[..], address, width, value);
                // It may have let interrupts in.
                Refusal::Changed { more: 0 }
            }
            _ => why,
        });
        let more = answer.map_err(|why| Break { at, why, op: None })?;
        self.waited(access.pc, more);
        Ok(())
    }

    /// Evaluates any operation; false where a guard skips.
    fn general(
        &mut self,
        block: &Translated,
        cells: &mut Cells,
        general: General,
        at: u8,
    ) -> Result<bool, Break> {
        let (dst, value) = match general.op {
            Op::Move { dst, src } => (dst, operand(cells, src)),
            Op::Binary { op, width, dst, a, b } => {
                (dst, binary(op, width, operand(cells, a), operand(cells, b)))
            }
            Op::Unary { op, width, dst, a } => (dst, unary(op, width, operand(cells, a))),
            Op::Compare { condition: c, width, dst, a, b } => {
                (dst, u64::from(condition(c, width, operand(cells, a), operand(cells, b))))
            }
            Op::Select { dst, condition, a, b } => {
                (dst, operand(cells, if operand(cells, condition) == 0 { b } else { a }))
            }
            Op::Guard { condition, .. } => return Ok(operand(cells, condition) != 0),
            Op::Load { width, signed, dst, base, offset } => {
                let address = address(cells, base, offset);
                self.line_read(block, at, address, width)?;
                let value = self.read(block, cells, at, address, width)?;
                if self.clock.report.is_some() {
                    self.observe(address, width, value, false);
                }
                let value = if signed { width.sign_extend(value) as u64 } else { value };
                (dst, if width == Width::W64 { value } else { Width::W32.truncate(value) })
            }
            Op::Store { width, src, base, offset } => {
                let (address, value) = (address(cells, base, offset), operand(cells, src));
                self.line_write(block, at, address)?;
                if self.clock.report.is_some() {
                    self.observe(address, width, width.truncate(value), true);
                }
                self.slow_store(block, cells, at, address, width, value)?;
                return Ok(true);
            }
            Op::Count { counter, dst, shift } => (dst, self.count(block, counter, at) >> shift),
        };
        let narrow = matches!(general.op, Op::Count { .. });
        cells[usize::from(dst.0 as Cell)] = if narrow { Width::W32.truncate(value) } else { value };
        Ok(true)
    }

    /// Reports an access to the leakage model.
    #[cold]
    #[inline(never)]
    fn observe(&mut self, address: u32, width: Width, value: u64, writes: bool) {
        let replaced = writes.then(|| self.outside.ram.read(address, width)).flatten();
        if let Some(report) = &mut self.clock.report {
            report.accesses.push(MemoryAccess { address, width, value, replaced });
        }
    }

    /// Reports to the leakage model that a guard did not hold, given its index among the general operations.
    fn skips(&mut self, block: &Translated, op: usize) {
        if let Some(report) = &mut self.clock.report {
            let before = block.general[..op].iter();
            let number = before.filter(|general| matches!(general.op, Op::Guard { .. })).count();
            report.skipped |= guard_bit(number);
        }
    }

    fn count(&self, block: &Translated, counter: Counter, at: u8) -> u64 {
        match counter {
            Counter::Cycles => {
                self.clock.cycles + u64::from(block.insn_timings[usize::from(at)].sample)
            }
            Counter::Instructions => self.clock.instructions + u64::from(at) + 1,
        }
    }
}

/// The value of an operand.
pub fn operand(cells: &Cells, value: Value) -> u64 {
    match value {
        Value::Slot(slot) => cells[usize::from(slot.0 as Cell)],
        Value::Const(value) => value,
    }
}

fn address(cells: &Cells, base: Value, offset: i32) -> u32 {
    binary(Binary::Add, Width::W32, operand(cells, base), offset as u64) as u32
}

#[inline]
fn get(cells: &Cells, cell: Cell) -> u32 {
    cells[usize::from(cell)] as u32
}

#[inline]
fn signed(cells: &Cells, cell: Cell) -> i32 {
    get(cells, cell) as i32
}

#[inline]
fn set(cells: &mut Cells, cell: Cell, value: u32) {
    cells[usize::from(cell)] = u64::from(value);
}

/// Computes a cell from two others.
#[inline]
fn two(cells: &mut Cells, [dst, a, b]: [Cell; 3], compute: impl Fn(u32, u32) -> u32) {
    set(cells, dst, compute(get(cells, a), get(cells, b)));
}
