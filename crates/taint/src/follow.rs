//! A program run with its secrets: what it does with them that somebody could see from outside.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::rc::Rc;

use cocrypt_ir::{self as ir, Exit, Op, Slot, StopKind, Transfer, Value, Width};
use cocrypt_isa::{Extra, Frontend, LiftError, TimingModel};

use crate::cached::CachedBlock;
use crate::cells::{CELLS, Cells};
use crate::choice;
use crate::memory::Memory;
use crate::prepared::compared;
use crate::shadow::{self, Shadowed};

/// The channel by which a secret leaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Leak {
    /// Which way a branch goes.
    Branch,
    /// The target of a computed jump.
    Jump,
    /// From which address is read.
    Load,
    /// To which address is written.
    Store,
    /// How long an instruction takes on this core.
    Time,
}

/// An instruction that gives secrets away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Its address.
    pub pc: u64,
    /// How.
    pub leak: Leak,
    /// How often in this run.
    pub count: u64,
    /// The calls that led there the first time, outermost first, by the addresses behind them.
    pub calls: Vec<u64>,
}

/// The outcome of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The leaks, by address.
    pub found: Vec<Finding>,
    /// Instructions that ran.
    pub instructions: u64,
    /// How often secrets came into memory again, at the function that was named for it.
    pub entries: u64,
    /// How often something secret was read from memory.
    pub reads: u64,
    /// Why it ended.
    pub halt: Halt,
    /// The instruction at which it did.
    pub end: u64,
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// The program wrote to the exit device.
    Exit,
    /// The limit of instructions was reached.
    Limit,
    /// An instruction stopped the machine.
    Stop(StopKind),
    /// There is no memory at an address that was read or written.
    Fault {
        /// The address.
        address: u32,
    },
    /// There is no code where it jumped.
    NoCode,
    /// The function in which it began has returned, and it was to be followed no further.
    Returned,
    /// It stays at one instruction for ever, as programs do that have nowhere to return to.
    Stays,
    /// Somebody had enough.
    Interrupted,
}

/// The bus outside of the memory.
pub trait Outside {
    /// The value that is read at an address; nothing where nobody answers.
    fn load(&mut self, address: u32, width: Width) -> Option<u64>;
    /// Takes a value; whether the run goes on, or nothing where nobody answers.
    fn store(&mut self, address: u32, width: Width, value: u64) -> Option<bool>;
    /// Returns true while the run shall go on; called now and then.
    fn goes_on(&mut self) -> bool {
        true
    }
}

/// A function at whose beginning some memory is secret, each time that the program comes there.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its address.
    pub pc: u64,
    /// The memory, as addresses and sizes.
    pub places: Vec<(u32, u32)>,
}

/// A program that is about to run.
pub struct Program {
    /// Its first address.
    pub pc: u64,
    /// In which decode mode.
    pub mode: u32,
    /// The values of the guest's cells.
    pub cells: Vec<u64>,
    /// Its memory, with what is secret there.
    pub memory: Memory,
    /// The function at whose entry memory becomes secret again.
    pub entry: Option<Entry>,
    /// True if the run ends where its first function returns.
    pub until_return: bool,
}

/// Follows one program.
pub struct Follow<'a> {
    frontend: &'a dyn Frontend,
    timing: &'a dyn TimingModel,
    data_wait: u32,
    pc: u64,
    mode: u32,
    cells: Box<Cells>,
    memory: Memory,
    blocks: HashMap<Key, Rc<CachedBlock>>,
    /// The blocks that ran last, by their addresses: a quick answer for most.
    recent: Box<[Recent]>,
    calls: Vec<u64>,
    found: BTreeMap<(u64, Leak), (u64, Vec<u64>)>,
    instructions: u64,
    entry: Option<Entry>,
    entries: u64,
    reads: u64,
    until_return: bool,
    /// The instruction that runs.
    at: u64,
}

/// The key of a block: address and decode mode.
type Key = (u64, u32);
/// A block with its key, if there is one.
type Recent = Option<(Key, Rc<CachedBlock>)>;
/// Blocks that are found without their map.
const RECENT: usize = 1 << 12;
/// Blocks between two looks at whether anybody still wants to know.
const LOOK: u64 = 1 << 20;

impl<'a> Follow<'a> {
    /// Gets ready; `data_wait` is what the core's timing model is told of the memory.
    ///
    /// # Panics
    /// If the front end has more cells than can be followed, which is a mistake in the front end.
    #[must_use]
    pub fn new(
        frontend: &'a dyn Frontend,
        timing: &'a dyn TimingModel,
        data_wait: u32,
        program: Program,
    ) -> Self {
        let count = frontend.cells().len() + usize::from(frontend.temporaries());
        assert!(count <= CELLS, "{count} cells are more than can be followed");
        Self {
            frontend,
            timing,
            data_wait,
            pc: program.pc,
            mode: program.mode,
            cells: Box::new(Cells::new(&program.cells)),
            memory: program.memory,
            blocks: HashMap::new(),
            recent: vec![None; RECENT].into(),
            calls: vec![],
            found: BTreeMap::new(),
            instructions: 0,
            entry: program.entry,
            entries: 0,
            reads: 0,
            until_return: program.until_return,
            at: program.pc,
        }
    }

    /// Runs to the end, or until so many instructions have run; `report` says what was found.
    pub fn run(&mut self, limit: u64, outside: &mut dyn Outside) -> Halt {
        let mut blocks = 0_u64;
        loop {
            if self.instructions >= limit {
                return Halt::Limit;
            }
            blocks += 1;
            if blocks.is_multiple_of(LOOK) && !outside.goes_on() {
                return Halt::Interrupted;
            }
            let Ok(known) = self.block() else { return Halt::NoCode };
            if let Err(halt) = self.pass(&known, outside) {
                return halt;
            }
        }
    }

    /// The instruction at which it is, with the mode that it is read in.
    #[must_use]
    pub const fn at(&self) -> (u64, u32) {
        (self.at, self.mode)
    }

    /// Its memory.
    #[must_use]
    pub const fn memory(&self) -> &Memory {
        &self.memory
    }

    /// The value of a cell.
    #[must_use]
    pub fn cell(&self, slot: Slot) -> u64 {
        self.cells.get(slot).value
    }

    /// Lets the program go on somewhere else, with a public value in a cell.
    pub fn go_on_at(&mut self, pc: u64, slot: Slot, value: u64) {
        self.cells.set(slot, Shadowed::public(value));
        self.pc = pc;
    }

    /// The leaks up to the halt.
    #[must_use]
    pub fn report(self, halt: Halt) -> Report {
        let found = self.found.into_iter().map(|((pc, leak), (count, calls))| Finding {
            pc,
            leak,
            count,
            calls,
        });
        Report {
            found: found.collect(),
            instructions: self.instructions,
            entries: self.entries,
            reads: self.reads,
            halt,
            end: self.at,
        }
    }

    /// Lets memory be secret where an instruction is the first one of the function that was named.
    fn enter(&mut self, pc: u64) {
        let Some(entry) = self.entry.as_ref().filter(|entry| entry.pc == pc) else { return };
        for &(address, size) in &entry.places {
            self.memory.hide(address, size as usize);
        }
        self.entries += 1;
    }

    fn block(&mut self) -> Result<Rc<CachedBlock>, LiftError> {
        let key = (self.pc, self.mode);
        let slot = (key.0 >> 1) as usize % RECENT;
        if let Some((recent, block)) = &self.recent[slot]
            && *recent == key
        {
            return Ok(Rc::clone(block));
        }
        let block = match self.blocks.get(&key) {
            Some(known) => Rc::clone(known),
            None => self.translated(key)?,
        };
        self.recent[slot] = Some((key, Rc::clone(&block)));
        Ok(block)
    }

    fn translated(&mut self, key: Key) -> Result<Rc<CachedBlock>, LiftError> {
        let block = self.frontend.lift(&self.memory, key.0, key.1)?;
        let cost = self.timing.cost(&block, &self.memory, self.data_wait, 0);
        let extras = cost.insns.into_iter().map(|insn| insn.extra.filter(differs)).collect();
        let revealed = |pc| self.frontend.revealed(&self.memory, pc);
        let guest = self.frontend.cells().len() as u16;
        let block = Rc::new(CachedBlock::new(block, extras, revealed, guest));
        self.blocks.insert(key, Rc::clone(&block));
        Ok(block)
    }

    fn pass(&mut self, known: &CachedBlock, outside: &mut dyn Outside) -> Result<(), Halt> {
        for step in &known.steps {
            self.instructions += 1;
            self.at = step.pc;
            self.enter(step.pc);
            if let Some((extra, operand)) = &step.extra {
                self.operations(known, (step.pc, step.lead.clone()), outside)?;
                let operand = self.get(*operand);
                if operand.is_secret() && choice::varies(extra, operand) {
                    self.note(step.pc, Leak::Time);
                }
                self.operations(known, (step.pc, step.rest.clone()), outside)?;
            } else {
                let all = step.lead.start..step.rest.end;
                self.operations(known, (step.pc, all), outside)?;
            }
            if let Some(slot) = step.revealed {
                self.cells.reveal(slot);
            }
        }
        self.leave(known)
    }

    fn note(&mut self, pc: u64, leak: Leak) {
        let calls = &self.calls;
        self.found.entry((pc, leak)).or_insert_with(|| (0, calls.clone())).0 += 1;
    }

    #[inline]
    fn get(&self, value: Value) -> Shadowed {
        match value {
            Value::Slot(slot) => self.cells.get(slot),
            Value::Const(value) => Shadowed::public(value),
        }
    }

    fn operations(
        &mut self,
        CachedBlock { block, prepared, .. }: &CachedBlock,
        (pc, ops): (u64, Range<usize>),
        outside: &mut dyn Outside,
    ) -> Result<(), Halt> {
        let mut at = ops.start;
        while at < ops.end {
            if let Some(op) = &prepared[at] {
                op.run(&mut self.cells);
                at += 1;
                continue;
            }
            let op = &block.ops[at];
            at += 1;
            let made = match *op {
                Op::Guard { condition, ops } => {
                    let condition = self.get(condition);
                    let behind = at + usize::from(ops);
                    let decides = condition.may_be_zero_or_not();
                    if decides && block.ops[at..behind].iter().all(is_silent) {
                        self.both_ways(condition, &block.ops[at..behind]);
                        at = behind;
                        continue;
                    }
                    if decides {
                        self.note(pc, Leak::Branch);
                    }
                    if condition.value == 0 {
                        at = behind;
                    }
                    continue;
                }
                Op::Store { width, src, base, offset } => {
                    self.store(pc, width, src, (base, offset), outside)?;
                    continue;
                }
                Op::Load { width, signed, base, offset, .. } => {
                    self.load(pc, (width, signed), (base, offset), outside)?
                }
                _ => self.computed(op),
            };
            if let Some(slot) = op.dst() {
                self.cells.set(slot, made);
            }
        }
        Ok(())
    }

    /// Operations of which nobody sees from outside whether they are made: an instruction that is skipped
    /// in no other time. What they write is secret where it would differ.
    fn both_ways(&mut self, condition: Shadowed, ops: &[Op]) {
        let written: Vec<_> = ops.iter().filter_map(Op::dst).collect();
        let before: Vec<_> = written.iter().map(|&slot| self.cells.get(slot)).collect();
        for (op, &slot) in ops.iter().zip(&written) {
            self.cells.set(slot, self.computed(op));
        }
        let made: Vec<_> = written.iter().map(|&slot| self.cells.get(slot)).collect();
        for ((&slot, before), made) in written.iter().zip(before).zip(made) {
            self.cells.set(slot, shadow::select(condition, made, before));
        }
    }

    /// The result of an operation without memory.
    #[inline]
    fn computed(&self, op: &Op) -> Shadowed {
        match *op {
            Op::Move { src, .. } => self.get(src),
            // What is taken from itself is nothing, whatever it was.
            Op::Binary { op: ir::Binary::Xor | ir::Binary::Sub, a, b, .. } if a == b => {
                Shadowed::public(0)
            }
            Op::Binary { op, width, a, b, .. } => {
                shadow::binary(op, width, self.get(a), self.get(b))
            }
            Op::Unary { op, width, a, .. } => {
                let a = self.get(a);
                let secret = shadow::unary(op, width, a);
                Shadowed::new(ir::unary(op, width, a.value), secret)
            }
            Op::Compare { condition, width, a, b, .. } => {
                compared(condition, width, self.get(a), self.get(b))
            }
            Op::Select { condition, a, b, .. } => {
                let (condition, a, b) = (self.get(condition), self.get(a), self.get(b));
                shadow::select(condition, a, b)
            }
            // The clock is public; how far it is follows what was found.
            Op::Count { shift, .. } => {
                Shadowed::public(Width::W32.truncate(self.instructions >> shift))
            }
            Op::Guard { .. } | Op::Load { .. } | Op::Store { .. } => Shadowed::default(),
        }
    }

    /// The address of an access; an address that holds a secret is a leak.
    fn address(&mut self, pc: u64, (base, offset): (Value, i32), leak: Leak) -> (u32, bool) {
        let base = self.get(base);
        if base.is_secret() {
            self.note(pc, leak);
        }
        ((base.value as u32).wrapping_add_signed(offset), base.is_secret())
    }

    fn load(
        &mut self,
        pc: u64,
        (width, signed): (Width, bool),
        place: (Value, i32),
        outside: &mut dyn Outside,
    ) -> Result<Shadowed, Halt> {
        let (address, hidden) = self.address(pc, place, Leak::Load);
        let found = match self.memory.load(address, width) {
            Some(found) => found,
            None => {
                outside.load(address, width).map(Shadowed::public).ok_or(Halt::Fault { address })?
            }
        };
        self.reads += u64::from(found.secret != 0);
        let secret = if hidden { width.mask() } else { found.secret };
        let value = shadow::extended(found.value, width, signed);
        Ok(Shadowed::new(value, shadow::extended(secret, width, signed)))
    }

    fn store(
        &mut self,
        pc: u64,
        width: Width,
        src: Value,
        place: (Value, i32),
        outside: &mut dyn Outside,
    ) -> Result<(), Halt> {
        let (address, _) = self.address(pc, place, Leak::Store);
        let what = self.get(src);
        if self.memory.store(address, width, what) {
            return Ok(());
        }
        match outside.store(address, width, width.truncate(what.value)) {
            Some(true) => Ok(()),
            Some(false) => Err(Halt::Exit),
            None => Err(Halt::Fault { address }),
        }
    }

    /// The target of a computed jump; a block that yields continues at its address.
    fn land(&mut self, exit: &Exit, target: u64) -> u64 {
        if matches!(exit, Exit::Yield { .. }) {
            return target;
        }
        let (pc, mode) = self.frontend.land(target, self.mode);
        self.mode = mode;
        pc
    }

    fn leave(&mut self, known: &CachedBlock) -> Result<(), Halt> {
        let CachedBlock { block, behind, .. } = known;
        let (last, behind) = (known.steps.last().map_or(block.start, |step| step.pc), *behind);
        self.mode = block.onward;
        if block.exit == (Exit::Jump { target: block.start }) && block.ops.is_empty() {
            return Err(Halt::Stays);
        }
        self.pc = match block.exit {
            Exit::Next { pc } | Exit::YieldIf { next: pc, .. } => pc,
            Exit::Jump { target } => target,
            Exit::Branch { condition, width, a, b, taken, next } => {
                let (a, b) = (self.get(a), self.get(b));
                if shadow::compare(condition, width, a, b) {
                    self.note(last, Leak::Branch);
                }
                if ir::condition(condition, width, a.value, b.value) { taken } else { next }
            }
            Exit::Indirect { target } | Exit::Yield { target } => {
                let target = self.get(target);
                if target.is_secret() {
                    self.note(last, Leak::Jump);
                }
                if matches!(block.exit, Exit::Yield { .. }) {
                    self.mode = self.frontend.mode(self.cells.values());
                }
                self.land(&block.exit, target.value)
            }
            Exit::Stop(kind) => return Err(Halt::Stop(kind)),
        };
        match block.transfer {
            // Under a condition neither may be made.
            Transfer::Call if self.pc != behind => self.calls.push(behind),
            Transfer::Return if self.pc != behind => return self.come_back(),
            Transfer::Call | Transfer::Return | Transfer::Jump => {}
        }
        Ok(())
    }

    /// Goes back to behind the last call from there; from none of them it is the function in which the run
    /// began that has returned.
    fn come_back(&mut self) -> Result<(), Halt> {
        match self.calls.iter().rposition(|&behind| behind == self.pc) {
            Some(place) => self.calls.truncate(place),
            None if self.until_return => return Err(Halt::Returned),
            None => {}
        }
        Ok(())
    }
}

/// Returns true if an operation only computes.
const fn is_silent(op: &Op) -> bool {
    !matches!(op, Op::Load { .. } | Op::Store { .. } | Op::Guard { .. })
}

/// Returns true if the operand affects the cost.
fn differs(extra: &Extra) -> bool {
    extra.table.windows(2).any(|pair| pair[0] != pair[1])
        || extra.exit_states.windows(2).any(|pair| pair[0] != pair[1])
}
