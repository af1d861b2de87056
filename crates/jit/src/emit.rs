//! Code generation for a region: control flow, counting, entries and exits.

mod access;
mod home;
mod leave;
mod lines;
mod operation;
mod transfer;

use std::collections::HashMap;
use std::mem::size_of;
use std::ops::Range;

use cocrypt_codegen::clif::{
    Block, FunctionBuilder, InstBuilder, IntCC, MemFlagsData, SigRef, Signature, Switch, Type,
    Value, Variable, types::I8, types::I16, types::I32, types::I64,
};
use cocrypt_codegen::symbol_address;
use cocrypt_engine::{Count, Fixed, marks_stack};
use cocrypt_ir::{CellSet, Condition, Exit, Op, Slot, Value as Operand, Width, lasting};
use cocrypt_isa::{Extra, InsnCost, PipelineState, STAYS, Select};

use crate::deferred::{ALL_COMPUTED, CELLS, Cells, Deferred};
use crate::frame::at;
use crate::pool::{Function, Literal, offsets};
use crate::recipe::Machine;
use crate::region::{Edge, Member, Region};
use lines::Tags;

/// The types of functions.
#[derive(Clone)]
pub struct Signatures {
    /// A region.
    pub region: Signature,
    /// The signature of functions with four or five arguments and one result, as the host's are.
    pub four: Signature,
    /// Five.
    pub five: Signature,
    /// The bridge.
    pub bridge: Signature,
}

/// The symbols of a region's code: its slots, and its literal pool.
pub const SLOTS: u32 = 0;
pub const POOL: u32 = 1;

const FLAGS: MemFlagsData = MemFlagsData::trusted();
/// Of what never changes, so that it may be loaded before a loop.
const CONSTANT: MemFlagsData = FLAGS.with_readonly().with_can_move();

/// Builds the function of a region for a machine.
pub fn emit(
    builder: &mut FunctionBuilder<'_>,
    region: &Region,
    machine: &Machine,
    signatures: &Signatures,
) {
    let blocks = region.members.iter().map(|_| builder.create_block()).collect();
    let mut emitter = Emitter::enter(builder, region, (machine, signatures), blocks);
    for member in 0..region.members.len() {
        emitter.member(member);
    }
    emitter.leave_block();
}

/// A function in the making.
struct Emitter<'a, 'b> {
    b: &'a mut FunctionBuilder<'b>,
    region: &'a Region,
    machine: &'a Machine,
    /// The block at which each member begins.
    blocks: Vec<Block>,
    /// The block that all exits lead to.
    out: Block,
    /// Variables of cells, once there are any.
    cells: Vec<Option<Variable>>,
    cycles: Variable,
    instructions: Variable,
    lowest_stack: Variable,
    /// The cycle in which the current block began.
    began: Variable,
    frame: Value,
    file: Value,
    ram: Value,
    /// The host's memory that each check found, by the operation that it stands before.
    found: HashMap<usize, HostMemory>,
    near: Value,
    /// The addresses of the slots and of the literal pool.
    slots: Value,
    pool: Value,
    /// The offsets in the literal pool.
    literals: HashMap<Literal, i32>,
    store_from: Value,
    /// The address of the counters; another address in each calling context.
    counts: Option<Variable>,
    instruction_lines: Option<Tags>,
    data_lines: Option<Tags>,
    called: CalleeSignatures,
    deferred: Deferred,
    /// The expressions of cells behind each member that was emitted.
    deferred_behind: Vec<Option<Cells>>,
    /// The cells in memory whose value the emitter has loaded, or made, where it stands.
    loaded: CellSet,
    /// The same behind each member that was emitted.
    loaded_behind: Vec<CellSet>,
}

#[derive(Clone, Copy)]
struct CalleeSignatures {
    region: SigRef,
    four: SigRef,
    five: SigRef,
    bridge: SigRef,
}

/// The memory in which a check found the location of a load.
#[derive(Clone, Copy)]
struct HostMemory {
    /// The host's address of the guest's address 0.
    zero: Value,
    /// Cycles that each load takes longer there, if they depend on the memory.
    more: Option<Value>,
    /// True if it is the one that is only read for certain.
    is_constant: bool,
}

/// The cost of a miss, and the pipeline state behind it if the block is left there.
#[derive(Clone, Copy)]
struct Miss {
    cycles: i32,
    exit_state: Option<PipelineState>,
}

/// The emitter's position in the guest's code.
#[derive(Clone, Copy)]
struct Cursor<'a> {
    member: &'a Member,
    /// The member's number.
    number: usize,
    /// Guest cells that memory may hold older values of.
    stale: CellSet,
    /// Temporaries that instructions behind the one that wrote them read.
    kept: CellSet,
    /// Index of the instruction.
    at: usize,
    /// Cycles from the block's beginning to the instruction's access.
    sample: u32,
}

impl<'a> Cursor<'a> {
    /// Notes that operations were made.
    fn keep(&mut self, ops: &[Op], lasting: &CellSet) {
        for dst in ops.iter().filter_map(Op::dst).filter(|&dst| lasting.contains(dst)) {
            self.kept.insert(dst);
        }
    }

    /// The cost of the instruction.
    fn cost(&self) -> &'a InsnCost {
        &self.member.source.cost.insns[self.at]
    }
}

impl<'a, 'b> Emitter<'a, 'b> {
    fn enter(
        b: &'a mut FunctionBuilder<'b>,
        region: &'a Region,
        (machine, signatures): (&'a Machine, &Signatures),
        blocks: Vec<Block>,
    ) -> Self {
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        let [frame, now, issued, chosen] = *b.block_params(entry) else {
            unreachable!("a region takes four values")
        };
        let out = b.create_block();
        let [cycles, instructions, began] = [I64; 3].map(|ty| b.declare_var(ty));
        let lowest_stack = b.declare_var(I32);
        b.def_var(cycles, now);
        b.def_var(instructions, issued);
        let mut field = |ty: Type, at: i32| b.ins().load(ty, FLAGS, frame, at);
        let file = field(I64, at::CELLS);
        let ram = field(I64, at::RAM);
        let limit = field(I64, at::LIMIT);
        let store_from = field(I32, at::STORE_FROM);
        let lowest = field(I32, at::LOWEST_STACK);
        let counted = machine.profile.then(|| field(I64, at::COUNTS));
        let instruction_lines = Tags::of_instructions(b, frame, &machine.fixed);
        let data_lines = if machine.fixed.caches.unified {
            instruction_lines
        } else {
            Tags::of_data(b, frame, &machine.fixed)
        };
        b.def_var(lowest_stack, lowest);
        let counts = counted.map(|value| {
            let counts = b.declare_var(I64);
            b.def_var(counts, value);
            counts
        });
        let near = near(b, limit, region.slack);
        let [slots, pool] = [SLOTS, POOL].map(|symbol| symbol_address(b, symbol));
        let called = CalleeSignatures {
            region: b.import_signature(signatures.region.clone()),
            four: b.import_signature(signatures.four.clone()),
            five: b.import_signature(signatures.five.clone()),
            bridge: b.import_signature(signatures.bridge.clone()),
        };
        let mut emitter = Self {
            b,
            region,
            machine,
            blocks,
            out,
            cells: vec![None; CELLS],
            cycles,
            instructions,
            lowest_stack,
            began,
            frame,
            file,
            ram,
            found: HashMap::new(),
            near,
            slots,
            pool,
            literals: offsets(region.members.iter().map(|member| &*member.source), machine.profile),
            store_from,
            counts,
            instruction_lines,
            data_lines,
            called,
            deferred: Deferred::new(),
            deferred_behind: vec![None; region.members.len()],
            loaded: CellSet::default(),
            loaded_behind: vec![CellSet::default(); region.members.len()],
        };
        emitter.load_cells();
        emitter.go_in(chosen);
        emitter
    }

    fn load_cells(&mut self) {
        for slot in self.region.needed.iter() {
            self.load_cell(slot);
        }
    }

    /// Goes to the chosen entry.
    fn go_in(&mut self, chosen: Value) {
        let mut switch = Switch::new();
        let entries = &self.region.entries;
        let is_looked_at_before = |entry: usize| self.region.members[entry].at_edges;
        let entry_blocks: Vec<_> = entries
            .iter()
            .map(|&entry| {
                if is_looked_at_before(entry) { self.b.create_block() } else { self.blocks[entry] }
            })
            .collect();
        for (number, &block) in entry_blocks.iter().enumerate().skip(1) {
            switch.set_entry(number as u128, block);
        }
        switch.emit(self.b, chosen, entry_blocks[0]);
        for (&entry, block) in
            entries.iter().zip(entry_blocks).filter(|(entry, _)| is_looked_at_before(**entry))
        {
            self.b.switch_to_block(block);
            self.look_at_limit(&CellSet::default(), entry);
            self.b.ins().jump(self.blocks[entry], &[]);
        }
    }

    fn member(&mut self, number: usize) {
        let member = &self.region.members[number];
        self.b.switch_to_block(self.blocks[number]);
        self.found.clear();
        self.deferred.cells = self.deferred_before(number);
        self.loaded = member
            .only_predecessor
            .map_or_else(CellSet::default, |before| self.loaded_behind[before]);
        let mut cursor = Cursor {
            member,
            number,
            stale: member.written.may.intersection(&self.machine.guest).without(&self.region.homed),
            kept: CellSet::default(),
            at: 0,
            sample: 0,
        };
        if member.header && !member.at_edges {
            self.look_at_limit(&cursor.stale, number);
        }
        if self.counts.is_some() {
            let now = self.b.use_var(self.cycles);
            self.b.def_var(self.began, now);
        }
        let mut issue = 0;
        let (block, cost) = (&member.source.block, &member.source.cost);
        let lasting = lasting(block, &self.machine.guest);
        for (at, (insn, cost_of)) in block.insns.iter().zip(&cost.insns).enumerate() {
            cursor.at = at;
            cursor.sample = issue + cost_of.sample;
            issue += cost_of.cycles;
            let lines = cost.lines.iter().filter(|line| usize::from(line.at) == at);
            for (order, line) in lines.enumerate() {
                self.fetch_line(&cursor, *line, order);
            }
            let miss = Miss { cycles: cost_of.miss as i32, exit_state: cost_of.miss_exit_state };
            let (first, behind) = (insn.ops.start, insn.ops.start + usize::from(insn.lead));
            self.operations(first..behind, &mut cursor, miss);
            cursor.keep(&block.ops[first..behind], &lasting);
            let extra = cost_of.extra.as_ref();
            if let Some((extra, operand)) =
                extra.and_then(|extra| Some((extra, extra.operand(insn)?)))
            {
                self.extra(&cursor, extra, operand);
            }
            self.operations(behind..insn.ops.end, &mut cursor, miss);
            cursor.keep(&block.ops[behind..insn.ops.end], &lasting);
        }
        self.compute_deep_cells(&cursor.stale);
        self.store_homed(&mut cursor);
        self.deferred_behind[number] = Some(self.deferred.cells);
        self.need_operands(block.exit.operands());
        self.loaded_behind[number] = self.loaded;
        self.exit(&cursor, issue);
    }

    /// The expressions of cells where a member begins: those behind the member before it. Where paths meet,
    /// values that differ are computed; those that are the same on all paths are taken as computed too, so
    /// that an exit may compute more of them than elsewhere.
    fn deferred_before(&self, number: usize) -> Cells {
        let before = self.region.members[number].only_predecessor;
        before.and_then(|before| self.deferred_behind[before]).unwrap_or(ALL_COMPUTED)
    }

    /// Stores the cells that the exits behind this point would compute at length, so that the value is
    /// computed here, once.
    fn compute_deep_cells(&mut self, stale: &CellSet) {
        for slot in stale.iter() {
            if self.deferred.is_deep(slot) {
                self.deferred.compute(Operand::Slot(slot));
                self.store_cell(slot);
            }
        }
    }

    /// The operations of one instruction, and the stack's depth behind them.
    fn operations(&mut self, range: Range<usize>, cursor: &mut Cursor<'_>, miss: Miss) {
        let ops = &cursor.member.source.block.ops[range.clone()];
        let checks = &cursor.member.checks[range.clone()];
        let is_guarded = ops.iter().any(|op| matches!(op, Op::Guard { .. }));
        let mut ends = vec![];
        for (number, op) in ops.iter().enumerate() {
            while ends.last().is_some_and(|&(end, _)| end == number) {
                self.close(&mut ends);
            }
            if let Op::Guard { condition, ops: guarded } = *op {
                let end = number + 1 + usize::from(guarded);
                self.need_all(&ops[number + 1..end]);
                let after = self.guard(condition);
                ends.push((end, after));
                continue;
            }
            if op.is_access() {
                self.compute_deep_cells(&cursor.stale);
            }
            self.operation((range.start + number, op), cursor, miss, checks[number]);
            if ends.is_empty() {
                self.deferred.note(op);
            } else {
                self.deferred.note_guarded(op);
            }
            if let Some(dst) = op.dst()
                && self.machine.guest.contains(dst)
            {
                cursor.stale.insert(dst);
            }
            if !is_guarded {
                self.stack_mark(op);
            }
        }
        while !ends.is_empty() {
            self.close(&mut ends);
        }
        for op in ops.iter().filter(|_| is_guarded) {
            self.stack_mark(op);
        }
    }

    fn guard(&mut self, condition: Operand) -> Block {
        self.deferred.compute(condition);
        let condition = self.read(condition, Width::W64);
        let (then, after) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(condition, then, &[], after, &[]);
        self.b.switch_to_block(then);
        after
    }

    fn close(&mut self, ends: &mut Vec<(usize, Block)>) {
        if let Some((_, after)) = ends.pop() {
            self.b.ins().jump(after, &[]);
            self.b.switch_to_block(after);
        }
    }

    fn stack_mark(&mut self, op: &Op) {
        let Fixed { stack_pointer: stack, guest_cells, .. } = self.machine.fixed;
        if marks_stack(op, stack, guest_cells) {
            let pointer = self.read(Operand::Slot(stack), Width::W32);
            let lowest = self.b.use_var(self.lowest_stack);
            let lower = self.b.ins().umin(lowest, pointer);
            self.b.def_var(self.lowest_stack, lower);
        }
    }

    /// The variable of a cell. All are 64 bits wide; what is narrower is zero-extended, as in the
    /// file, which costs nothing on hosts whose narrow operations do so anyway.
    fn variable(&mut self, slot: Slot) -> Variable {
        let index = usize::from(slot.0);
        if let Some(variable) = self.cells[index] {
            return variable;
        }
        let variable = self.b.declare_var(I64);
        self.cells[index] = Some(variable);
        variable
    }

    fn constant(&mut self, ty: Type, value: u64) -> Value {
        self.b.ins().iconst(ty, value as i64)
    }

    /// An address, or a number, that is another one in each process.
    fn literal(&mut self, literal: Literal, flags: MemFlagsData) -> Value {
        self.b.ins().load(I64, flags, self.pool, self.literals[&literal])
    }

    /// An operand as a value of the width's type.
    fn read(&mut self, operand: Operand, width: Width) -> Value {
        let ty = integer(width);
        match operand {
            Operand::Const(value) => self.constant(ty, value & width.mask()),
            Operand::Slot(slot) => {
                self.need(slot);
                let variable = self.variable(slot);
                let value = self.b.use_var(variable);
                if ty == I64 { value } else { self.b.ins().ireduce(ty, value) }
            }
        }
    }

    /// Writes a cell; a narrow value is extended by zeros.
    fn write(&mut self, slot: Slot, value: Value) {
        let wide = self.widened(value);
        let variable = self.variable(slot);
        self.b.def_var(variable, wide);
        self.loaded.insert(slot);
    }

    fn widened(&mut self, value: Value) -> Value {
        let ty = self.b.func.dfg.value_type(value);
        if ty == I64 { value } else { self.b.ins().uextend(I64, value) }
    }

    fn compare(&mut self, condition: Condition, width: Width, a: Operand, b: Operand) -> Value {
        let (a, b) = (self.read(a, width), self.read(b, width));
        self.b.ins().icmp(code(condition), a, b)
    }

    fn add_cycles(&mut self, more: Value) {
        let cycles = self.b.use_var(self.cycles);
        let cycles = self.b.ins().iadd(cycles, more);
        self.b.def_var(self.cycles, cycles);
    }

    fn add_constant_cycles(&mut self, more: u32) {
        if more != 0 {
            let more = self.constant(I64, u64::from(more));
            self.add_cycles(more);
        }
    }

    /// Operand-dependent cycles, out of the timing model's own table, which the region keeps alive.
    fn extra(&mut self, cursor: &Cursor<'_>, extra: &Extra, operand: Operand) {
        let entries = extra.table.len();
        if let Operand::Const(value) = operand {
            self.add_constant_cycles(extra.table[extra.select.index(value as u32, entries)]);
            return;
        }
        let operand = self.read(operand, Width::W32);
        let index = self.index(extra.select, operand);
        let mask = self.constant(I64, entries as u64 - 1);
        let index = self.widened(index);
        let index = self.b.ins().band(index, mask);
        let scale = self.constant(I64, size_of::<u32>().trailing_zeros().into());
        let offset = self.b.ins().ishl(index, scale);
        if !extra.exit_states.is_empty() {
            self.leave_knowing(cursor, offset);
        }
        let table = self.literal(Literal::Cycles(cursor.number, cursor.at), CONSTANT);
        let entry = self.b.ins().iadd(table, offset);
        let more = self.b.ins().load(I32, FLAGS.with_readonly(), entry, 0);
        let more = self.widened(more);
        self.add_cycles(more);
    }

    /// Leaves before an instruction whose operand decides about what follows too.
    fn leave_knowing(&mut self, cursor: &Cursor<'_>, offset: Value) {
        let table = self.literal(Literal::States(cursor.number, cursor.at), CONSTANT);
        let entry = self.b.ins().iadd(table, offset);
        let pipeline_state = self.b.ins().load(I32, FLAGS.with_readonly(), entry, 0);
        let stays = self.constant(I32, Width::W32.sign_extend(STAYS.into()) as u64);
        let is_other = self.b.ins().icmp(IntCC::NotEqual, pipeline_state, stays);
        let (leave, stay) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(leave);
        self.b.ins().brif(is_other, leave, &[], stay, &[]);
        self.b.switch_to_block(leave);
        let (zero, pipeline_state) = (self.constant(I64, 0), self.widened(pipeline_state));
        self.leave_for(cursor, zero, pipeline_state);
        self.b.switch_to_block(stay);
    }

    /// Leaves before an instruction, which is issued again so many cycles later in this pipeline state.
    fn leave_for(&mut self, cursor: &Cursor<'_>, cycles: Value, pipeline_state: Value) {
        let function = self.literal(Literal::Function(Function::NoteKnown), FLAGS);
        let zero = self.constant(I64, 0);
        let arguments = [self.frame, zero, cycles, pipeline_state];
        self.b.ins().call_indirect(self.called.four, function, &arguments);
        self.leave_broken(cursor);
    }

    fn index(&mut self, select: Select, operand: Value) -> Value {
        let bits = self.constant(I32, 32);
        match select {
            Select::Low => operand,
            Select::Length => {
                let zeros = self.b.ins().clz(operand);
                self.b.ins().isub(bits, zeros)
            }
            Select::SignedLength => {
                let most = self.constant(I32, 31);
                let sign = self.b.ins().sshr(operand, most);
                let folded = self.b.ins().bxor(operand, sign);
                let zeros = self.b.ins().clz(folded);
                self.b.ins().isub(bits, zeros)
            }
            Select::NonZero => {
                let zero = self.constant(I32, 0);
                let nonzero = self.b.ins().icmp(IntCC::NotEqual, operand, zero);
                self.b.ins().uextend(I32, nonzero)
            }
        }
    }

    /// Emits the count of the block's cost and its exit.
    fn exit(&mut self, cursor: &Cursor<'_>, cycles: u32) {
        let source = &cursor.member.source;
        let issued = self.b.use_var(self.instructions);
        let count = self.constant(I64, source.block.insns.len() as u64);
        let issued = self.b.ins().iadd(issued, count);
        match source.block.exit {
            Exit::Branch { condition, width, a, b, .. } => {
                let taken = self.compare(condition, width, a, b);
                self.b.def_var(self.instructions, issued);
                let last = source.cost.insns.last().map_or(0, |insn| insn.cycles);
                let targets = [self.b.create_block(), self.b.create_block()];
                self.b.ins().brif(taken, targets[1], &[], targets[0], &[]);
                for (link, cycles) in
                    [cycles, cycles - last + source.cost.taken].into_iter().enumerate()
                {
                    self.b.switch_to_block(targets[link]);
                    self.spent(cursor, cycles);
                    self.go(cursor, link);
                }
            }
            Exit::Indirect { target } => {
                self.b.def_var(self.instructions, issued);
                self.spent(cursor, cycles);
                self.go_computed(cursor, target);
            }
            Exit::YieldIf { condition, next } => {
                let changed = self.read(condition, Width::W64);
                self.b.def_var(self.instructions, issued);
                self.spent(cursor, cycles);
                self.yield_if(cursor, changed, next);
                self.go(cursor, 0);
            }
            Exit::Next { .. } | Exit::Jump { .. } | Exit::Yield { .. } | Exit::Stop(_) => {
                self.b.def_var(self.instructions, issued);
                self.spent(cursor, cycles);
                self.go(cursor, 0);
            }
        }
    }

    fn go(&mut self, cursor: &Cursor<'_>, link: usize) {
        match cursor.member.edges[link] {
            Edge::Inside(member) => {
                self.transfer_by(cursor, link);
                if cursor.member.closes[link] && self.region.members[member].at_edges {
                    self.look_at_limit(&cursor.stale, member);
                }
                let block = self.blocks[member];
                self.b.ins().jump(block, &[]);
            }
            Edge::Outside(slot) => self.leave_by(cursor, slot, link),
        }
    }

    /// Adds a block's predicted cycles, and counts them with those that were not predicted.
    fn spent(&mut self, cursor: &Cursor<'_>, cycles: u32) {
        self.add_constant_cycles(cycles);
        let Some(counts) = self.counts else { return };
        let now = self.b.use_var(self.cycles);
        let began = self.b.use_var(self.began);
        let spent = self.b.ins().isub(now, began);
        let counts = self.b.use_var(counts);
        let count = cursor.member.source.counter as usize * size_of::<Count>();
        let one = self.constant(I64, 1);
        for (offset, more) in [(0, one), (8, spent)] {
            let at = (count + offset) as i32;
            let before = self.b.ins().load(I64, FLAGS, counts, at);
            let after = self.b.ins().iadd(before, more);
            self.b.ins().store(FLAGS, after, counts, at);
        }
    }
}

/// The cycle in which the limit is too near for this region: `slack` before it.
fn near(b: &mut FunctionBuilder<'_>, limit: Value, slack: u64) -> Value {
    let slack = b.ins().iconst(I64, slack as i64);
    let far = b.ins().icmp(IntCC::UnsignedGreaterThan, limit, slack);
    let before = b.ins().isub(limit, slack);
    let zero = b.ins().iconst(I64, 0);
    b.ins().select(far, before, zero)
}

/// The integers of a width.
const fn integer(width: Width) -> Type {
    match width {
        Width::W8 => I8,
        Width::W16 => I16,
        Width::W32 => I32,
        Width::W64 => I64,
    }
}

const fn code(condition: Condition) -> IntCC {
    match condition {
        Condition::Equal => IntCC::Equal,
        Condition::NotEqual => IntCC::NotEqual,
        Condition::LessSigned => IntCC::SignedLessThan,
        Condition::GreaterEqualSigned => IntCC::SignedGreaterThanOrEqual,
        Condition::LessUnsigned => IntCC::UnsignedLessThan,
        Condition::GreaterEqualUnsigned => IntCC::UnsignedGreaterThanOrEqual,
    }
}
