//! A block in the making, instruction by instruction.

use cocrypt_ir::{Block, Exit, Insn, StopKind, Transfer, Value, Width};

use super::builder::Builder;
use super::flags::{self, FlagTracker};
use super::term::of;
use super::{
    Arm, branch, compute, cost, data, exceptions, memory, multiple, parallel, system, vector,
};
use crate::cells;
use crate::class::Class;
use crate::instruction::{Condition, Hint, Instruction, Operation};
use crate::state::State;

/// The control flow behind an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlFlow {
    /// Straight on.
    Next,
    /// To a known address, in the instruction set that it says.
    Jump {
        /// The address.
        target: u32,
        /// True if Thumb is there.
        thumb: bool,
    },
    /// To a known address where a register is 0 or, with `nonzero`, where it is not.
    Compare {
        /// The address.
        target: u32,
        /// The register's value.
        value: Value,
        /// True if it must not be 0.
        nonzero: bool,
    },
    /// To a computed target, whose lowest bit selects the instruction set.
    Computed(Value),
    /// Straight on, once the machine has looked for interrupts and at the mode.
    YieldNext,
    /// To a computed address, after the same; the instruction set is already in its cell.
    Yield(Value),
    /// Nowhere.
    Stop(StopKind),
}

/// The effect of a misaligned access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unaligned {
    /// That is left to the machine.
    #[default]
    Refused,
    /// It goes to the multiple of its width below, and a loaded word is rotated (ARMv4, ARMv5).
    Rounded,
    /// It is made in parts, of which the first is so many bytes behind a word's (ARMv7-M).
    Split(u32),
}

/// Straight on behind what is an instruction.
const fn done(is_one: bool) -> ControlFlow {
    if is_one { ControlFlow::Next } else { ControlFlow::Stop(StopKind::IllegalInstruction) }
}

/// A block in the making.
pub struct Lifter<'a> {
    pub arm: &'a Arm,
    pub builder: Builder,
    /// The decode state of the current instruction.
    pub state: State,
    /// The treatment of misaligned accesses.
    pub unaligned: Unaligned,
    /// Address of the current instruction, and of the one behind it.
    pub pc: u32,
    pub behind: u32,
    flag_tracker: FlagTracker,
    block: Block,
    ended: bool,
    /// True behind an instruction that takes the address to return to.
    linked: bool,
}

impl<'a> Lifter<'a> {
    pub fn new(arm: &'a Arm, start: u64, mode: u32) -> Self {
        let block = Block::new(start, mode);
        let mut builder = Builder::default();
        builder.aligned_stack = arm.architecture.version.is_m();
        Self {
            arm,
            builder,
            state: State::from_number(mode),
            unaligned: Unaligned::Refused,
            pc: start as u32,
            behind: start as u32,
            flag_tracker: FlagTracker::default(),
            block,
            ended: false,
            linked: false,
        }
    }

    /// The address of the next instruction, and the number of them.
    pub const fn next(&self) -> (u64, usize) {
        (self.behind as u64, self.block.insns.len())
    }

    /// Returns true if the last instruction ended the block.
    pub const fn ended(&self) -> bool {
        self.ended
    }

    /// The block, which goes straight on if nothing ended it.
    pub fn finish(mut self) -> Block {
        if !self.ended {
            self.block.exit = Exit::Next { pc: self.behind.into() };
            self.block.onward = self.state.number();
        }
        self.block.ops = std::mem::take(&mut self.builder.ops);
        self.block
    }

    /// The encoding here is no instruction, or none that the model knows.
    pub fn illegal(mut self, length: u8, kind: StopKind) -> Block {
        self.pc = self.behind;
        self.behind = self.pc.wrapping_add(length.into());
        let first = self.builder.ops.len();
        self.note(Class::Illegal, length, None, first, 0);
        self.end(ControlFlow::Stop(kind), None);
        self.finish()
    }

    /// The return from a handler of the M profile, to which a branch to a number that is no address
    /// leads.
    pub fn exception_return(mut self) -> Block {
        let first = self.builder.ops.len();
        self.builder.begin(0);
        let flow = exceptions::unstack(&mut self.builder, self.pc, self.arm.architecture);
        self.note(Class::Return, 0, None, first, 0);
        self.block.transfer = Transfer::Return;
        self.end(flow, None);
        self.finish()
    }

    /// Appends an instruction.
    pub fn push(&mut self, instruction: &Instruction) {
        self.pc = self.behind;
        self.behind = self.pc.wrapping_add(instruction.length.into());
        self.builder.begin(instruction.pc_reads(self.pc.into()));
        let first = self.builder.ops.len();
        let always = instruction.condition == Condition::Always || self.state.holds;
        let class = cost::class(instruction);
        if let (Operation::Branch { link: false, .. }, false) = (instruction.operation, always) {
            return self.branch(instruction, class, first);
        }
        let condition = (!always).then(|| {
            flags::value(&mut self.builder, &self.flag_tracker.setter, instruction.condition)
        });
        let operand = cost::operand(&mut self.builder, instruction, class, condition, self.arm);
        let lead = self.builder.ops.len() - first;
        self.note_state();
        let flow = match condition {
            Some(condition) => self.guarded(condition, &instruction.operation),
            None => self.operation(&instruction.operation),
        };
        self.flag_tracker.follow(&mut self.builder, first, condition.is_some());
        self.note(class, instruction.length, operand, first, lead);
        if let Operation::It { first, mask } = instruction.operation {
            self.state.it = first << 4 | mask;
        } else {
            self.state = self.state.advanced();
        }
        self.block.transfer = branch::transfer(&instruction.operation, self.linked);
        self.linked = always && branch::links(&instruction.operation);
        if flow != ControlFlow::Next {
            self.end(flow, condition);
        }
    }

    /// A conditional branch to a known target: the exit is the comparison itself.
    fn branch(&mut self, instruction: &Instruction, class: Class, first: usize) {
        let test = flags::test(&mut self.builder, &self.flag_tracker.setter, instruction.condition);
        let flow = self.operation(&instruction.operation);
        self.note_state();
        self.note(class, instruction.length, None, first, 0);
        self.state = self.state.advanced();
        let ControlFlow::Jump { target, .. } = flow else { return };
        let (flags::Test { condition, a, b }, next) = (test, self.behind.into());
        let (width, taken) = (Width::W32, target.into());
        self.block.exit = Exit::Branch { condition, width, a, b, taken, next };
        self.block.onward = self.state.number();
        self.ended = true;
    }

    /// Forgets what a yield left behind for this instruction: what is left of an IT block, and that its
    /// condition holds.
    fn note_state(&mut self) {
        if self.block.insns.is_empty() && State::from_number(self.block.mode).is_in_it() {
            self.builder.write(cells::IT, Value::Const(0));
        }
        if self.state.holds {
            self.builder.write(cells::HOLDS, Value::Const(0));
        }
    }

    /// The operation of an instruction where a condition holds.
    fn guarded(&mut self, condition: Value, operation: &Operation) -> ControlFlow {
        let guard = self.builder.guard(condition);
        let flow = self.operation(operation);
        self.builder.close(guard);
        flow
    }

    /// The operation of an instruction, whatever its condition.
    fn operation(&mut self, operation: &Operation) -> ControlFlow {
        let builder = &mut self.builder;
        match *operation {
            Operation::Data { op, sets_flags, rd, rn, operand } => {
                return data::data(self, op, sets_flags, rd, rn, operand);
            }
            Operation::AddressOf { rd, offset } => {
                let address = (builder.pc & !3).wrapping_add_signed(offset);
                builder.write_register(rd, Value::Const(address.into()));
            }
            Operation::MoveHalf { rd, value, top } => data::move_half(builder, rd, value, top),
            Operation::Compute(computation) => return done(compute::lift(builder, &computation)),
            Operation::Parallel { kind, op, rd, rn, rm } => {
                let result = parallel::parallel(builder, kind, op, [rn, rm]);
                builder.write_register(rd, result);
            }
            Operation::Transfer { loads: true, access, rt, address, .. } => {
                return memory::load(self, access, rt, address);
            }
            Operation::Transfer { loads: false, access, rt, address, .. } => {
                memory::store(self, access, rt, address);
            }
            Operation::TransferDouble { loads: true, rt, rt2, address } => {
                memory::load_double(self, rt, rt2, address);
            }
            Operation::TransferDouble { loads: false, rt, rt2, address } => {
                memory::store_double(self, rt, rt2, address);
            }
            Operation::Multiple(transfer) => return multiple::lift(self, transfer),
            Operation::LoadExclusive { access, rt, rn, offset } => {
                memory::load_exclusive(builder, access, rt, rn, offset);
            }
            Operation::StoreExclusive { access, rd, rt, rn, offset } => {
                memory::store_exclusive(builder, access, [rd, rt, rn], offset);
            }
            Operation::ClearExclusive => builder.write(cells::RESERVED, Value::Const(0)),
            Operation::Swap { byte, rt, rt2, rn } => memory::swap(self, byte, rt, rt2, rn),
            Operation::Branch { offset, link, selected } => {
                return branch::near(self, offset, link, selected);
            }
            Operation::BranchExchange { rm, link } => return branch::exchange(self, rm, link),
            Operation::BranchPrefix { offset } => {
                let link = Value::Const(builder.pc.wrapping_add_signed(offset).into());
                builder.write(cells::LR, link);
            }
            Operation::BranchSuffix { offset, selected } => {
                return branch::suffix(self, offset, selected);
            }
            Operation::CompareBranch { nonzero, rn, offset } => {
                let (target, value) =
                    (builder.pc.wrapping_add_signed(offset), builder.register(rn));
                return ControlFlow::Compare { target, value, nonzero };
            }
            Operation::TableBranch { rn, rm, half } => return branch::table(self, rn, rm, half),
            Operation::StatusRead { rd, special } => {
                let value = system::read(self, special);
                self.builder.write_register(rd, value);
            }
            Operation::StatusWrite { special, fields, source } => {
                return system::write(self, special, fields, source);
            }
            Operation::ChangeState { disable, primask, faultmask } => {
                return system::change(self, disable, primask, faultmask);
            }
            Operation::SupervisorCall { .. } => {
                return ControlFlow::Stop(StopKind::EnvironmentCall);
            }
            Operation::Breakpoint { .. } => return ControlFlow::Stop(StopKind::Breakpoint),
            Operation::Hint(Hint::WaitForInterrupt) => return ControlFlow::Stop(StopKind::Wait),
            Operation::Coprocessor { reads, coprocessor: 15, rt, crn, crm, op2, .. } => {
                return system::coprocessor(self, reads, rt, [crn, crm, op2]);
            }
            Operation::VectorMove(moved) => {
                return self.vector(|builder| vector::moved(builder, moved));
            }
            Operation::VectorSingle { loads, registers, rn, offset } => {
                return self
                    .vector(|builder| vector::access(builder, loads, registers, rn, offset));
            }
            Operation::VectorMultiple { loads, registers, rn, up, writeback } => {
                return self.vector(|builder| {
                    vector::several(builder, loads, registers, rn, (up, writeback))
                });
            }
            // `wfe` may go on at any time, and does so at once: nobody else sends events.
            Operation::It { .. }
            | Operation::Preload
            | Operation::Hint(_)
            | Operation::Barrier(_) => {}
            Operation::Coprocessor { .. }
            | Operation::AbsentCoprocessor(_)
            | Operation::Undefined => return done(false),
        }
        ControlFlow::Next
    }

    /// An instruction of the floating-point extension, after which that is in use.
    fn vector(&mut self, lift: impl FnOnce(&mut Builder) -> bool) -> ControlFlow {
        let is_done = lift(&mut self.builder);
        if is_done {
            system::note_vector(&mut self.builder);
        }
        done(is_done)
    }

    /// Keeps what flags were just set by, before `rd` is written.
    pub fn keep_flags(&mut self, rd: Option<cocrypt_ir::Slot>) {
        self.flag_tracker.keep(&mut self.builder, rd);
    }

    /// A target in the instruction set of the current instruction, whatever its lowest bit says.
    pub fn same_set(&mut self, target: Value) -> Value {
        let target = of(target);
        self.builder.term(if self.state.thumb { target | 1 } else { target & 0xffff_fffc })
    }

    /// The address behind the current instruction as a computed target.
    pub fn behind_as_target(&self) -> u32 {
        self.behind | u32::from(self.state.thumb)
    }

    fn note(
        &mut self,
        class: Class,
        length: u8,
        operand: Option<Value>,
        first: usize,
        lead: usize,
    ) {
        self.block.insns.push(Insn {
            pc: self.pc.into(),
            length,
            mode: self.state.number(),
            class: class as u8,
            operand,
            lead: lead as u16,
            ops: first..self.builder.ops.len(),
        });
    }

    /// Ends the block where its last instruction leads, if its condition holds.
    fn end(&mut self, flow: ControlFlow, condition: Option<Value>) {
        let next = Value::Const(self.behind.into());
        let exit = match (flow, condition) {
            (ControlFlow::Next, _) => return,
            (ControlFlow::Stop(kind), None) => Exit::Stop(kind),
            (ControlFlow::Stop(_), Some(condition)) => self.look_again(condition),
            (ControlFlow::Jump { target, .. }, None) => Exit::Jump { target: target.into() },
            (ControlFlow::Jump { target, .. }, Some(condition)) => {
                self.either(condition, true, target)
            }
            (ControlFlow::Compare { target, value, nonzero }, _) => {
                self.either(value, nonzero, target)
            }
            (ControlFlow::Computed(target), condition) => {
                let stays = Value::Const(self.behind_as_target().into());
                Exit::Indirect { target: self.chosen(condition, target, stays) }
            }
            (ControlFlow::YieldNext, _) => self.yields(next),
            (ControlFlow::Yield(target), condition) => {
                Exit::Yield { target: self.chosen(condition, target, next) }
            }
        };
        self.block.exit = exit;
        let mut onward = self.state;
        if let ControlFlow::Jump { thumb, .. } = flow {
            onward.thumb = thumb;
        }
        self.block.onward = onward.number();
        self.ended = true;
        if let Some(last) = self.block.insns.last_mut() {
            last.ops.end = self.builder.ops.len();
        }
    }

    fn either(&self, value: Value, nonzero: bool, target: u32) -> Exit {
        use cocrypt_ir::Condition::{Equal, NotEqual};
        let condition = if nonzero { NotEqual } else { Equal };
        let (b, taken, next) = (Value::Const(0), target.into(), self.behind.into());
        Exit::Branch { condition, width: Width::W32, a: value, b, taken, next }
    }

    fn chosen(&mut self, condition: Option<Value>, target: Value, stays: Value) -> Value {
        condition.map_or(target, |condition| self.builder.select(condition, target, stays))
    }

    /// A yield in the instruction set of the current instruction; `state` is what lies behind it.
    fn yields(&mut self, target: Value) -> Exit {
        self.builder.write(cells::THUMB, Value::Const(self.state.thumb.into()));
        self.builder.write(cells::IT, Value::Const(self.state.it.into()));
        Exit::Yield { target }
    }

    /// An instruction that stops the machine is met again where its condition holds, and then without
    /// one.
    fn look_again(&mut self, condition: Value) -> Exit {
        let last = self.block.insns.last().map_or(0, |insn| insn.mode);
        let [here, behind] = [State::from_number(last), self.state].map(|state| state.it);
        let constant = |value: u32| Value::Const(value.into());
        let (pc, next) = (constant(self.pc), constant(self.behind));
        let target = self.builder.select(condition, pc, next);
        let it = self.builder.select(condition, constant(here.into()), constant(behind.into()));
        self.builder.write(cells::THUMB, Value::Const(self.state.thumb.into()));
        self.builder.write(cells::IT, it);
        self.builder.write(cells::HOLDS, condition);
        Exit::Yield { target }
    }
}
