//! Lines of caches: whether they are there, and what it costs if not.

use cocrypt_codegen::clif::{
    FunctionBuilder, InstBuilder, IntCC, Value,
    types::{I8, I32, I64},
};
use cocrypt_engine::{Fixed, LruTags, ResidentMap, lines_of};
use cocrypt_isa::{Caches, Geometry, Line};

use super::{Cursor, Emitter, FLAGS, Miss};
use crate::frame::at;
use crate::pool::{Function, Literal};

/// An access to a line.
#[derive(Clone, Copy)]
pub(super) struct LineAccess {
    pub address: Value,
    /// The number of the access within its instruction.
    pub order: usize,
    /// True if its line must has an entry.
    pub is_mapped: bool,
}

/// The tags of a cache as compiled code finds them.
#[derive(Clone, Copy)]
pub(super) struct Tags {
    shape: Geometry,
    /// Address and size of the memory whose lines have entries, if they do.
    memory: (u32, u32),
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    /// A hit if it is the first of its set.
    Sets { lines: Value },
    /// A resident map; lines outside of it may be the first of their sets.
    Resident { marks: Value, lines: Value },
    /// LRU tags: the way of each line of the memory, and the time stamp of each way; all other lines share an
    /// entry that is a miss.
    Lru { ways: Value, used: Value },
}

impl Tags {
    /// Those of the instruction cache.
    pub fn of_instructions(
        b: &mut FunctionBuilder<'_>,
        frame: Value,
        fixed: &Fixed,
    ) -> Option<Self> {
        let Caches { instruction, unified, .. } = fixed.caches;
        Some(Self::new(b, frame, instruction?, fixed.memory_of(!unified), at::INSTRUCTION_LINES))
    }

    /// Those of the data cache.
    pub fn of_data(b: &mut FunctionBuilder<'_>, frame: Value, fixed: &Fixed) -> Option<Self> {
        let Caches { data, data_of_rom, .. } = fixed.caches;
        Some(Self::new(b, frame, data?, fixed.memory_of(data_of_rom), at::DATA_LINES))
    }

    fn new(
        b: &mut FunctionBuilder<'_>,
        frame: Value,
        shape: Geometry,
        memory: (u32, u32),
        at: i32,
    ) -> Self {
        let mut field = |behind: i32| b.ins().load(I64, FLAGS, frame, at + behind);
        let kind = if LruTags::suits(&shape) {
            Kind::Lru { ways: field(at::WAYS), used: field(at::USED) }
        } else if ResidentMap::suits(&shape) {
            Kind::Resident { marks: field(at::MARKS), lines: field(at::SETS) }
        } else {
            Kind::Sets { lines: field(at::SETS) }
        };
        Self { shape, memory, kind }
    }

    /// Returns true if an address's line has an entry of its own.
    const fn list(&self, address: u32) -> bool {
        let (base, size) = self.memory;
        address.wrapping_sub(base) < size
    }
}

impl Emitter<'_, '_> {
    /// A line of the instruction cache.
    pub(super) fn fetch_line(&mut self, cursor: &Cursor<'_>, line: Line, order: usize) {
        let Some(tags) = self.instruction_lines else { return };
        let called = if line.clears { Function::ClearLines } else { Function::FetchLine };
        let is_absent = if line.clears {
            self.constant(I32, 1)
        } else {
            self.is_line_absent(cursor, tags, line.address, order)
        };
        let address = self.constant(I64, u64::from(line.address));
        let miss = Miss { cycles: line.miss, exit_state: line.exit_state };
        self.look_closer(cursor, is_absent, called, address, miss);
    }

    /// The same as [`Self::is_absent`] of an address that is known.
    fn is_line_absent(
        &mut self,
        cursor: &Cursor<'_>,
        tags: Tags,
        line: u32,
        order: usize,
    ) -> Value {
        let address = self.constant(I32, u64::from(line));
        if tags.list(line) {
            return self.is_absent(cursor, tags, LineAccess { address, order, is_mapped: true });
        }
        match tags.kind {
            Kind::Sets { lines } | Kind::Resident { lines, .. } => {
                self.is_not_first(tags.shape, lines, address)
            }
            Kind::Lru { used, .. } => {
                let absent = self.constant(I64, LruTags::ABSENT.into());
                self.note_use(cursor, used, absent, order);
                self.constant(I32, 1)
            }
        }
    }

    /// The line of an access to memory that the data cache is for.
    pub(super) fn touch(
        &mut self,
        cursor: &Cursor<'_>,
        asked: LineAccess,
        miss: Miss,
        write: bool,
    ) {
        let Some(tags) = self.data_lines else { return };
        let is_absent = self.is_absent(cursor, tags, asked);
        let address = self.b.ins().uextend(I64, asked.address);
        let written = self.constant(I64, u64::from(write) << 32);
        let address = self.b.ins().bor(address, written);
        let miss = Miss { exit_state: miss.exit_state.filter(|_| !write), ..miss };
        self.look_closer(cursor, is_absent, Function::DataLine, address, miss);
    }

    /// True if a data cache is for the memory that programs only read.
    pub(super) const fn caches_constants(&self) -> bool {
        self.data_lines.is_some() && self.machine.fixed.caches.data_of_rom
    }

    /// True if a line may be absent. Notes the use, at its way on a hit.
    fn is_absent(&mut self, cursor: &Cursor<'_>, tags: Tags, asked: LineAccess) -> Value {
        match tags.kind {
            Kind::Sets { lines } => self.is_not_first(tags.shape, lines, asked.address),
            Kind::Resident { marks, .. } => {
                let index = self.entry(tags, asked);
                let entry = self.b.ins().iadd(marks, index);
                let mark = self.b.ins().load(I8, FLAGS, entry, 0);
                let absent = self.b.ins().iconst(I8, 0);
                self.b.ins().icmp(IntCC::Equal, mark, absent)
            }
            Kind::Lru { ways, used } => {
                let index = self.entry(tags, asked);
                let entry = self.b.ins().iadd(ways, index);
                let held = self.b.ins().uload8(I64, FLAGS, entry, 0);
                self.note_use(cursor, used, held, asked.order);
                let absent = self.constant(I64, LruTags::ABSENT.into());
                self.b.ins().icmp(IntCC::Equal, held, absent)
            }
        }
    }

    /// True if a line is not its set's first.
    fn is_not_first(&mut self, shape: Geometry, lines: Value, address: Value) -> Value {
        let bits = self.constant(I32, u64::from(shape.line.trailing_zeros()));
        let number = self.b.ins().ushr(address, bits);
        let first = self.first_of_set(shape, address, number);
        let first = self.b.ins().uextend(I64, first);
        let first = self.b.ins().iadd(lines, first);
        let held = self.b.ins().load(I32, FLAGS, first, 0);
        // The load may be an operand of the comparison in this order.
        self.b.ins().icmp(IntCC::NotEqual, number, held)
    }

    /// The offset of the line number that is the first of an address's set.
    fn first_of_set(&mut self, shape: Geometry, address: Value, number: Value) -> Value {
        let size = 4 * shape.ways;
        if size == shape.line {
            let mask = self.constant(I32, u64::from((shape.sets - 1) * size));
            return self.b.ins().band(address, mask);
        }
        let mask = self.constant(I32, u64::from(shape.sets - 1));
        let set = self.b.ins().band(number, mask);
        let size = self.constant(I32, u64::from(size));
        self.b.ins().imul(set, size)
    }

    /// The entry of an address's line: its number in the memory, or the one behind the last.
    fn entry(&mut self, tags: Tags, asked: LineAccess) -> Value {
        let (line, (base, size)) = (tags.shape.line, tags.memory);
        let (first, lines) = lines_of(base, size, line);
        let start = self.constant(I32, u64::from(first * line));
        let offset = self.b.ins().isub(asked.address, start);
        let bits = self.constant(I32, u64::from(line.trailing_zeros()));
        let mut number = self.b.ins().ushr(offset, bits);
        if !asked.is_mapped {
            let elsewhere = self.constant(I32, u64::from(lines));
            number = self.b.ins().umin(number, elsewhere);
        }
        self.b.ins().uextend(I64, number)
    }

    /// Writes the time stamp of a use: the count of instructions, which only grows.
    fn note_use(&mut self, cursor: &Cursor<'_>, used: Value, held: Value, order: usize) {
        let instructions = self.b.use_var(self.instructions);
        let bits = self.constant(I64, ORDERS.trailing_zeros().into());
        let shifted = self.b.ins().ishl(instructions, bits);
        let within = self.constant(I64, (ORDERS * (cursor.at + 1) + order) as u64);
        let now = self.b.ins().iadd(shifted, within);
        let bits = self.constant(I64, size_of::<u64>().trailing_zeros().into());
        let scaled = self.b.ins().ishl(held, bits);
        let entry = self.b.ins().iadd(used, scaled);
        self.b.ins().store(FLAGS, now, entry, 0);
    }

    /// Calls for the line at `address` if `other` holds; if it was not there, adds what the miss costs, or
    /// leaves the block.
    fn look_closer(
        &mut self,
        cursor: &Cursor<'_>,
        other: Value,
        called: Function,
        address: Value,
        miss: Miss,
    ) {
        let (closer, after) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(closer);
        self.b.ins().brif(other, closer, &[], after, &[]);
        self.b.switch_to_block(closer);
        let function = self.literal(Literal::Function(called), FLAGS);
        let cycles = self.constant(I64, i64::from(miss.cycles) as u64);
        let pipeline_state = self.constant(I64, miss.exit_state.unwrap_or(0).into());
        for (value, at) in [
            (function, at::ASKED_FUNCTION),
            (address, at::ASKED_ADDRESS),
            (cycles, at::ASKED_CYCLES),
            (pipeline_state, at::ASKED_STATE),
        ] {
            self.b.ins().store(FLAGS, value, self.frame, at);
        }
        let bridge = self.literal(Literal::Bridge, FLAGS);
        self.b.ins().call_indirect(self.called.bridge, bridge, &[self.frame]);
        let missed = self.b.ins().load(I64, FLAGS, self.frame, at::MISSED);
        if miss.exit_state.is_some() {
            let leave = self.b.create_block();
            self.b.ins().brif(missed, leave, &[], after, &[]);
            self.b.switch_to_block(leave);
            self.leave_broken(cursor);
        } else {
            let more = self.b.ins().imul(missed, cycles);
            self.add_cycles(more);
            self.b.ins().jump(after, &[]);
        }
        self.b.switch_to_block(after);
    }
}

/// The number of uses of one instruction that have time stamps of their own: more than it has accesses.
const ORDERS: usize = 256;
