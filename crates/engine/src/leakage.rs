//! Simulated power: samples from a leakage model over the values that instructions read, write and access.
//!
//! A run under a model executes single instructions, whose accesses the interpreter reports. Each
//! instruction's contribution goes to the cycle in which it is issued. Contributions are integers (a weight
//! of 1 is [`SCALE`]), so that their sum does not depend on an order. Runs without a model execute other
//! translations, which contain nothing of this.

mod latches;
mod model;

use std::sync::Arc;

use cocrypt_ir::{Block, Exit, Op, Transfer, Width};
use cocrypt_isa::{Frontend, InstructionKind, Role};

pub use model::{Coefficients, KindModel, LeakageModel, SCALE, Weights};

use self::latches::Latches;
use crate::interpret::Cells;
use crate::stop::Issue;

/// An access of an instruction, as the buses show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryAccess {
    /// Its address.
    pub address: u32,
    /// Its width.
    pub width: Width,
    /// The value read or written.
    pub value: u64,
    /// The previous content of the memory, where a write goes to one.
    pub replaced: Option<u64>,
}

/// The registers that an instruction reads and writes, as cells, with their kind for the model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Observation {
    pub(crate) kind: usize,
    pub(crate) reads: Vec<u8>,
    pub(crate) writes: Vec<ObservedWrite>,
    transfer: Transfer,
    /// True if the instruction may go back from a handler.
    resumes: bool,
}

/// A register that an instruction writes, unless one of these guards skips the write: a bit for each guard of
/// the instruction, from the lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ObservedWrite {
    pub cell: u8,
    pub guards: u64,
}

/// Returns true if the write of this number is made, where these guards skip. A register that is written in several
/// places takes one value.
pub(crate) fn takes_value(writes: &[ObservedWrite], number: usize, skipped: u64) -> bool {
    let is_made = |write: &ObservedWrite| write.guards & skipped == 0;
    let this = &writes[number];
    let mut before = writes[..number].iter();
    is_made(this) && !before.any(|before| before.cell == this.cell && is_made(before))
}

impl Observation {
    /// The observation of a block of one instruction.
    #[must_use]
    pub fn of(block: &Block, frontend: &dyn Frontend, kind: InstructionKind) -> Self {
        let registers = frontend.register_file().registers;
        let observed = |cell: u16| {
            let role = registers.get(usize::from(cell)).map(|register| register.role);
            matches!(role, Some(Role::General | Role::Stack | Role::Link))
        };
        let resumes =
            block.transfer == Transfer::Return || matches!(block.exit, Exit::Yield { .. });
        let mut found =
            Self { kind: kind as usize, transfer: block.transfer, resumes, ..Self::default() };
        let mut read = |slot: u16, written: &[ObservedWrite]| {
            let cell = slot as u8;
            let is_written = written.iter().any(|write| write.cell == cell);
            if observed(slot) && !is_written && !found.reads.contains(&cell) {
                found.reads.push(cell);
            }
        };
        let mut writes: Vec<ObservedWrite> = vec![];
        for (index, op) in block.ops.iter().enumerate() {
            let operands = op.operands();
            operands.iter().filter_map(|value| value.slot()).for_each(|slot| read(slot.0, &writes));
            if let Some(dst) = op.dst()
                && observed(dst.0)
                && *op != (Op::Move { dst, src: cocrypt_ir::Value::Slot(dst) })
            {
                let write = ObservedWrite { cell: dst.0 as u8, guards: guards(&block.ops, index) };
                if !writes.contains(&write) {
                    writes.push(write);
                }
            }
        }
        let exits = block.exit.operands();
        exits.iter().filter_map(|value| value.slot()).for_each(|slot| read(slot.0, &writes));
        found.writes = writes;
        found
    }
}

/// The guards that may skip the operation at an index, a bit each. An instruction has few; of more than 64,
/// the others do not count.
fn guards(ops: &[Op], index: usize) -> u64 {
    let guards = ops.iter().enumerate().filter_map(|(at, op)| match op {
        Op::Guard { ops, .. } => Some(at + usize::from(*ops)),
        _ => None,
    });
    let begun = ops[..index].iter().filter(|op| matches!(op, Op::Guard { .. })).count();
    let covering = guards.take(begun).enumerate().filter(|(_, last)| index <= *last);
    covering.fold(0, |bits, (number, _)| bits | guard_bit(number))
}

/// The bit of an instruction's guard, by its number.
pub(crate) fn guard_bit(number: usize) -> u64 {
    1_u64.checked_shl(number as u32).unwrap_or(0)
}

/// The effects of an instruction, as the interpreter reports them.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Its accesses.
    pub accesses: Vec<MemoryAccess>,
    /// Its guards that did not hold, a bit each.
    pub skipped: u64,
}

impl Report {
    /// Nothing is reported yet.
    pub(crate) fn clear(&mut self) {
        self.accesses.clear();
        self.skipped = 0;
    }
}

/// The samples of one window, and the state of the hardware that its instructions share.
#[derive(Clone, Debug)]
pub struct Leakage {
    model: Arc<LeakageModel>,
    latches: Latches,
    began: u64,
    samples: Vec<i64>,
    issues: Option<Vec<Issue>>,
    /// The bytes that each of these accessed.
    accessed: Vec<u32>,
    digest: u64,
    depth: u32,
    /// The interrupted addresses that handlers are to go back to; the innermost comes last.
    interrupted: Vec<Interrupted>,
    instructions: u64,
    running: Running,
    /// The instruction that runs, whose access was refused because it is not aligned.
    pending: Option<Issue>,
    /// True if the access of the last such instruction was made in parts.
    in_parts: bool,
}

/// The addresses at which a program goes on behind a handler: at the interrupted instruction, or behind it.
#[derive(Clone, Copy, Debug)]
struct Interrupted {
    at: u64,
    behind: u64,
}

/// The instruction that runs, with the values from before it.
#[derive(Clone, Debug, Default)]
struct Running {
    kind: usize,
    transfer: Transfer,
    resumes: bool,
    reads: Vec<u64>,
    writes: Vec<ObservedWrite>,
    /// The contents of the written registers.
    contents: Vec<u64>,
}

/// The parameters of the digest of issues (FNV-1a, of words).
const DIGEST: (u64, u64) = (0xcbf2_9ce4_8422_2325, 0x0000_0100_0000_01b3);

impl Leakage {
    /// No samples yet, from a cycle on; all buses and latches hold 0. Issues are kept if `issues` is set.
    #[must_use]
    pub fn new(model: Arc<LeakageModel>, began: u64, issues: bool) -> Self {
        Self {
            model,
            latches: Latches::default(),
            began,
            samples: vec![],
            issues: issues.then(Vec::new),
            accessed: vec![],
            digest: DIGEST.0,
            depth: 0,
            interrupted: vec![],
            instructions: 0,
            running: Running::default(),
            pending: None,
            in_parts: false,
        }
    }

    /// Starts again in a cycle; keeps the memory of the samples.
    pub fn restart(&mut self, began: u64, issues: bool) {
        let (model, mut samples) = (Arc::clone(&self.model), std::mem::take(&mut self.samples));
        samples.clear();
        *self = Self { samples, ..Self::new(model, began, issues) };
    }

    /// The samples, one for each cycle from the first on, in units of 1 / [`SCALE`].
    #[must_use]
    pub fn samples(&self) -> &[i64] {
        &self.samples
    }

    /// The instructions issued in the window, if they are kept.
    #[must_use]
    pub fn issues(&self) -> Option<&[Issue]> {
        self.issues.as_deref()
    }

    /// The bytes that each of `issues` accessed, in all its accesses; 0 of one that makes none.
    #[must_use]
    pub fn accessed(&self) -> &[u32] {
        &self.accessed
    }

    /// A digest of the cycles (from the window's first on) and addresses of all issues.
    #[must_use]
    pub const fn digest(&self) -> u64 {
        self.digest
    }

    /// The sample of an instruction that is issued in a cycle.
    pub(crate) const fn index(&self, cycle: u64) -> u64 {
        cycle.saturating_sub(self.began)
    }

    /// The model that is sampled.
    #[must_use]
    pub fn model(&self) -> Arc<LeakageModel> {
        Arc::clone(&self.model)
    }

    /// The number of instructions in the window.
    #[must_use]
    pub const fn instructions(&self) -> u64 {
        self.instructions
    }

    /// Remembers the values before an instruction.
    pub(crate) fn before(&mut self, observation: &Observation, cells: &Cells) {
        let Running { kind, transfer, resumes, reads, writes, contents } = &mut self.running;
        (*kind, *transfer) = (observation.kind, observation.transfer);
        *resumes = observation.resumes;
        reads.clear();
        reads.extend(observation.reads.iter().map(|&cell| cells[usize::from(cell)]));
        writes.clone_from(&observation.writes);
        contents.clear();
        contents.extend(writes.iter().map(|write| cells[usize::from(write.cell)]));
    }

    /// Keeps an instruction whose access was refused because it is not aligned, until it is known what
    /// becomes of it.
    pub(crate) const fn suspend(&mut self, issue: Issue) {
        (self.pending, self.in_parts) = (Some(issue), false);
    }

    /// Returns true if the access of the last instruction that was kept was made in parts.
    pub(crate) const fn in_parts(&self) -> bool {
        self.in_parts
    }

    /// Adds the contribution of an instruction that was kept, if there is one, with what was reported of it.
    pub(crate) fn resume(&mut self, cells: &Cells, report: &Report, in_parts: bool) {
        if let Some(issue) = self.pending.take() {
            self.in_parts = in_parts;
            self.after(issue, cells, report);
        }
    }

    /// Adds the contribution of an instruction that was issued in a cycle, did what was reported, and has
    /// completed.
    pub(crate) fn after(&mut self, issue: Issue, cells: &Cells, report: &Report) {
        let at = self.index(issue.cycle);
        for word in [at, issue.pc] {
            self.digest = (self.digest ^ word).wrapping_mul(DIGEST.1);
        }
        self.instructions += 1;
        if let Some(issues) = &mut self.issues {
            issues.push(issue);
            self.accessed.push(report.accesses.iter().map(|access| access.width.bytes()).sum());
        }
        let Running { kind, reads, writes, contents, .. } = &self.running;
        let model = &self.model.kinds[*kind];
        let mut sum = model.constant;
        sum += self.latches.operands(model, reads);
        for access in &report.accesses {
            sum += self.latches.access(model, access);
        }
        for (number, (write, &old)) in writes.iter().zip(contents).enumerate() {
            if takes_value(writes, number, report.skipped) {
                sum += self.latches.write(model, cells[usize::from(write.cell)], old);
            }
        }
        let index = at as usize;
        if self.samples.len() <= index {
            self.samples.resize(index + 1, 0);
        }
        self.samples[index] += sum;
    }

    /// Makes the window end before a cycle: as many samples as it has cycles.
    pub(crate) fn end(&mut self, cycle: u64) {
        self.samples.resize(cycle.saturating_sub(self.began) as usize, 0);
    }

    /// A handler is entered in place of the instruction at an address, which goes back there, or `behind`
    /// the instruction.
    pub(crate) fn interrupt(&mut self, at: u64, behind: u64) {
        self.interrupted.push(Interrupted { at, behind });
    }

    /// Follows calls and returns: true if the function in which the window began has returned. An
    /// instruction that leads on to `next`, straight behind itself, was not taken. Calls and returns in a
    /// handler do not count, nor does the return from it.
    pub(crate) fn returned(&mut self, end: u64, next: u64) -> bool {
        if next == end {
            return false;
        }
        if let Some(&Interrupted { at, behind }) = self.interrupted.last() {
            if self.running.resumes && (next == at || next == behind) {
                self.interrupted.pop();
            }
            return false;
        }
        match self.running.transfer {
            Transfer::Jump => {}
            Transfer::Call => self.depth += 1,
            Transfer::Return if self.depth == 0 => return true,
            Transfer::Return => self.depth -= 1,
        }
        false
    }
}
