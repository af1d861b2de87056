//! The interpreter: runs one translated block.

use cocrypt_ir::{Binary, Counter, Op, Value, Width, binary, condition, unary};
use cocrypt_isa::{Extra, Line};

use crate::access::{Outside, Refusal};
use crate::bus::Access;
use crate::cache::Translated;
use crate::caches::CacheState;
use crate::micro::{Cell, General, Micro};

/// The file of cells: guest state, temporaries, one cell that stays 0.
pub type Cells = [u64; 256];

/// What a run counts while a block executes.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    /// Cycles at the block's start, plus whatever the block did not know beforehand.
    pub cycles: u64,
    /// Instructions launched before the block.
    pub instructions: u64,
    /// The lowest stack pointer seen.
    pub lowest_stack: u32,
}

/// A block was left before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Break {
    /// Index of the instruction.
    pub at: u8,
    /// Why.
    pub why: Refusal,
}

/// Everything a block works on.
pub struct Context<'a> {
    pub cells: &'a mut Cells,
    pub clock: &'a mut Clock,
    pub outside: Outside<'a>,
    pub caches: &'a mut CacheState,
    /// Instructions that reached beyond the directly mapped memory, as bits.
    pub elsewhere: &'a mut u64,
}

/// Runs a block from one of its interpreter instructions to its end, or to where it must be left.
#[allow(clippy::too_many_lines)] // One arm for each instruction: long, flat and all alike.
pub fn interpret(block: &Translated, from: u32, context: &mut Context<'_>) -> Result<(), Break> {
    let mut index = from as usize;
    while let Some(micro) = block.code.get(index) {
        index += 1;
        match *micro {
            // A move has no width: it copies the whole cell.
            Micro::MoveR { dst, a } => {
                context.cells[usize::from(dst)] = context.cells[usize::from(a)];
            }
            Micro::MoveI { dst, imm } => context.set(dst, imm),
            Micro::AddR { dst, a, b } => {
                context.set(dst, context.get(a).wrapping_add(context.get(b)));
            }
            Micro::AddI { dst, a, imm } => context.set(dst, context.get(a).wrapping_add(imm)),
            Micro::SubR { dst, a, b } => {
                context.set(dst, context.get(a).wrapping_sub(context.get(b)));
            }
            Micro::AndR { dst, a, b } => context.set(dst, context.get(a) & context.get(b)),
            Micro::AndI { dst, a, imm } => context.set(dst, context.get(a) & imm),
            Micro::OrR { dst, a, b } => context.set(dst, context.get(a) | context.get(b)),
            Micro::OrI { dst, a, imm } => context.set(dst, context.get(a) | imm),
            Micro::XorR { dst, a, b } => context.set(dst, context.get(a) ^ context.get(b)),
            Micro::XorI { dst, a, imm } => context.set(dst, context.get(a) ^ imm),
            Micro::ShlR { dst, a, b } => {
                context.set(dst, context.get(a).wrapping_shl(context.get(b)));
            }
            Micro::ShlI { dst, a, imm } => context.set(dst, context.get(a).wrapping_shl(imm)),
            Micro::ShrR { dst, a, b } => {
                context.set(dst, context.get(a).wrapping_shr(context.get(b)));
            }
            Micro::ShrI { dst, a, imm } => context.set(dst, context.get(a).wrapping_shr(imm)),
            Micro::SarR { dst, a, b } => {
                context.set(dst, context.signed(a).wrapping_shr(context.get(b)) as u32);
            }
            Micro::SarI { dst, a, imm } => {
                context.set(dst, context.signed(a).wrapping_shr(imm) as u32);
            }
            Micro::MulR { dst, a, b } => {
                context.set(dst, context.get(a).wrapping_mul(context.get(b)));
            }
            Micro::MulHighUnsignedR { dst, a, b } => {
                let product = u64::from(context.get(a)) * u64::from(context.get(b));
                context.set(dst, (product >> 32) as u32);
            }
            Micro::LessSignedR { dst, a, b } => {
                context.set(dst, u32::from(context.signed(a) < context.signed(b)));
            }
            Micro::LessSignedI { dst, a, imm } => {
                context.set(dst, u32::from(context.signed(a) < imm as i32));
            }
            Micro::LessUnsignedR { dst, a, b } => {
                context.set(dst, u32::from(context.get(a) < context.get(b)));
            }
            Micro::LessUnsignedI { dst, a, imm } => {
                context.set(dst, u32::from(context.get(a) < imm));
            }
            Micro::Load8 { dst, base, at, offset } => {
                let address = context.get(base).wrapping_add_signed(offset);
                match context.outside.ram.load::<1>(address) {
                    Some([byte]) => context.set(dst, u32::from(byte)),
                    None => context.slow_load(block, at, dst, address, Width::W8, false)?,
                }
            }
            Micro::Load8Signed { dst, base, at, offset } => {
                let address = context.get(base).wrapping_add_signed(offset);
                match context.outside.ram.load::<1>(address) {
                    Some([byte]) => context.set(dst, byte as i8 as u32),
                    None => context.slow_load(block, at, dst, address, Width::W8, true)?,
                }
            }
            Micro::Load16 { dst, base, at, offset } => {
                let address = context.get(base).wrapping_add_signed(offset);
                match context.outside.ram.load::<2>(address) {
                    Some(bytes) => context.set(dst, u32::from(u16::from_le_bytes(bytes))),
                    None => context.slow_load(block, at, dst, address, Width::W16, false)?,
                }
            }
            Micro::Load16Signed { dst, base, at, offset } => {
                let address = context.get(base).wrapping_add_signed(offset);
                match context.outside.ram.load::<2>(address) {
                    Some(bytes) => context.set(dst, i16::from_le_bytes(bytes) as u32),
                    None => context.slow_load(block, at, dst, address, Width::W16, true)?,
                }
            }
            Micro::Load32 { dst, base, at, offset } => {
                let address = context.get(base).wrapping_add_signed(offset);
                match context.outside.ram.load::<4>(address) {
                    Some(bytes) => context.set(dst, u32::from_le_bytes(bytes)),
                    None => context.slow_load(block, at, dst, address, Width::W32, false)?,
                }
            }
            Micro::Store8 { src, base, at, offset } => {
                let address = context.get(base).wrapping_add_signed(offset);
                let value = context.get(src);
                if !context.outside.ram.store(address, [value as u8]) {
                    context.slow_store(block, at, address, Width::W8, u64::from(value))?;
                }
            }
            Micro::Store16 { src, base, at, offset } => {
                let address = context.get(base).wrapping_add_signed(offset);
                let value = context.get(src);
                if !context.outside.ram.store(address, (value as u16).to_le_bytes()) {
                    context.slow_store(block, at, address, Width::W16, u64::from(value))?;
                }
            }
            Micro::Store32 { src, base, at, offset } => {
                let address = context.get(base).wrapping_add_signed(offset);
                let value = context.get(src);
                if !context.outside.ram.store(address, value.to_le_bytes()) {
                    context.slow_store(block, at, address, Width::W32, u64::from(value))?;
                }
            }
            Micro::Any { op, at } => {
                let general = block.general[op as usize];
                if !context.general(block, general, at)? {
                    index += general.skip as usize;
                }
            }
            Micro::Extra { operand, table } => {
                let Extra { select, table } = &block.extras[table as usize];
                let entry = select.index(context.get(operand), table.len());
                context.clock.cycles += u64::from(table[entry]);
            }
            Micro::FetchLine { line } => context.fetch_line(block.lines[line as usize]),
            Micro::DataLine { base, write, at, offset } => {
                let address = context.get(base).wrapping_add_signed(offset);
                context.data_line(address, write, block.moments[usize::from(at)].miss);
            }
            Micro::StackMark { pointer } => {
                let pointer = context.get(pointer);
                context.clock.lowest_stack = context.clock.lowest_stack.min(pointer);
            }
        }
    }
    Ok(())
}

impl Context<'_> {
    #[inline]
    fn get(&self, cell: Cell) -> u32 {
        self.cells[usize::from(cell)] as u32
    }

    #[inline]
    fn signed(&self, cell: Cell) -> i32 {
        self.get(cell) as i32
    }

    #[inline]
    fn set(&mut self, cell: Cell, value: u32) {
        self.cells[usize::from(cell)] = u64::from(value);
    }

    pub fn value(&self, value: Value) -> u64 {
        match value {
            Value::Slot(slot) => self.cells[usize::from(slot.0 as Cell)],
            Value::Const(value) => value,
        }
    }

    fn note_elsewhere(&mut self, at: u8, address: u32) {
        if !self.outside.ram.contains(address) {
            *self.elsewhere |= 1 << (at % 64);
        }
    }

    fn access(&self, block: &Translated, at: u8, address: u32, width: Width) -> Access {
        let moment = &block.moments[usize::from(at)];
        let unwaited = self.clock.cycles + u64::from(moment.sample);
        Access { address, width, unwaited, pc: moment.pc }
    }

    fn fetch_line(&mut self, line: Line) {
        if let Some(tags) = &mut self.caches.instruction
            && !tags.read(line.address)
        {
            self.clock.cycles += u64::from(line.miss);
        }
    }

    fn data_line(&mut self, address: u32, write: bool, miss: u32) {
        let Some(tags) = &mut self.caches.data else { return };
        if !self.outside.ram.contains(address) {
            return;
        }
        let hit = if write { tags.write(address) } else { tags.read(address) };
        if !hit {
            self.clock.cycles += u64::from(miss);
        }
    }

    #[cold]
    #[inline(never)]
    fn slow_load(
        &mut self,
        block: &Translated,
        at: u8,
        dst: Cell,
        address: u32,
        width: Width,
        signed: bool,
    ) -> Result<(), Break> {
        let value = self.read(block, at, address, width)?;
        let value = if signed { width.sign_extend(value) as u64 } else { value };
        self.cells[usize::from(dst)] = Width::W32.truncate(value);
        Ok(())
    }

    fn read(
        &mut self,
        block: &Translated,
        at: u8,
        address: u32,
        width: Width,
    ) -> Result<u64, Break> {
        let access = self.access(block, at, address, width);
        self.note_elsewhere(at, address);
        let (value, more) = self.outside.read(&access).map_err(|why| Break { at, why })?;
        self.clock.cycles = self.clock.cycles.wrapping_add_signed(more);
        Ok(value)
    }

    #[cold]
    #[inline(never)]
    fn slow_store(
        &mut self,
        block: &Translated,
        at: u8,
        address: u32,
        width: Width,
        value: u64,
    ) -> Result<(), Break> {
        let access = self.access(block, at, address, width);
        self.note_elsewhere(at, address);
        let more = self.outside.write(&access, value).map_err(|why| Break { at, why })?;
        self.clock.cycles = self.clock.cycles.wrapping_add_signed(more);
        Ok(())
    }

    /// Evaluates any operation; false where a guard skips.
    fn general(&mut self, block: &Translated, general: General, at: u8) -> Result<bool, Break> {
        let (dst, value) = match general.op {
            Op::Move { dst, src } => (dst, self.value(src)),
            Op::Binary { op, width, dst, a, b } => {
                (dst, binary(op, width, self.value(a), self.value(b)))
            }
            Op::Unary { op, width, dst, a } => (dst, unary(op, width, self.value(a))),
            Op::Compare { condition: c, width, dst, a, b } => {
                (dst, u64::from(condition(c, width, self.value(a), self.value(b))))
            }
            Op::Select { dst, condition, a, b } => {
                (dst, self.value(if self.value(condition) == 0 { b } else { a }))
            }
            Op::Guard { condition, .. } => return Ok(self.value(condition) != 0),
            Op::Load { width, signed, dst, base, offset } => {
                let address = self.address(base, offset);
                self.data_line(address, false, block.moments[usize::from(at)].miss);
                let value = self.read(block, at, address, width)?;
                let value = if signed { width.sign_extend(value) as u64 } else { value };
                (dst, if width == Width::W64 { value } else { Width::W32.truncate(value) })
            }
            Op::Store { width, src, base, offset } => {
                let (address, value) = (self.address(base, offset), self.value(src));
                self.data_line(address, true, block.moments[usize::from(at)].miss);
                self.slow_store(block, at, address, width, value)?;
                return Ok(true);
            }
            Op::Count { counter, dst, shift } => (dst, self.count(block, counter, at) >> shift),
        };
        let narrow = matches!(general.op, Op::Count { .. });
        self.cells[usize::from(dst.0 as Cell)] =
            if narrow { Width::W32.truncate(value) } else { value };
        Ok(true)
    }

    fn address(&self, base: Value, offset: i32) -> u32 {
        binary(Binary::Add, Width::W32, self.value(base), offset as u64) as u32
    }

    fn count(&self, block: &Translated, counter: Counter, at: u8) -> u64 {
        match counter {
            Counter::Cycles => self.clock.cycles + u64::from(block.moments[usize::from(at)].sample),
            Counter::Instructions => self.clock.instructions + u64::from(at) + 1,
        }
    }
}
