//! Simulated power: samples from a leakage model over the values that instructions read, write and access.
//!
//! A run under a model executes single instructions, whose accesses the interpreter reports. Each
//! instruction's contribution goes to the cycle in which it is issued. Contributions are integers (a weight
//! of 1 is [`SCALE`]), so that their sum does not depend on an order. Runs without a model execute other
//! translations, which contain nothing of this.

mod latches;
mod model;

use std::sync::Arc;

use cocrypt_ir::{Block, Op, Transfer, Width};
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
    kind: usize,
    reads: Vec<u8>,
    writes: Vec<u8>,
    transfer: Transfer,
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
        let mut found = Self { kind: kind as usize, transfer: block.transfer, ..Self::default() };
        let mut read = |slot: u16, written: &[u8]| {
            let cell = slot as u8;
            if observed(slot) && !written.contains(&cell) && !found.reads.contains(&cell) {
                found.reads.push(cell);
            }
        };
        let mut writes = vec![];
        for op in &block.ops {
            let operands = op.operands();
            operands.iter().filter_map(|value| value.slot()).for_each(|slot| read(slot.0, &writes));
            if let Some(dst) = op.dst()
                && observed(dst.0)
                && !writes.contains(&(dst.0 as u8))
                && *op != (Op::Move { dst, src: cocrypt_ir::Value::Slot(dst) })
            {
                writes.push(dst.0 as u8);
            }
        }
        let exits = block.exit.operands();
        exits.iter().filter_map(|value| value.slot()).for_each(|slot| read(slot.0, &writes));
        found.writes = writes;
        found
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
    digest: u64,
    depth: u32,
    instructions: u64,
    running: Running,
}

/// The instruction that runs, with the values from before it.
#[derive(Clone, Debug, Default)]
struct Running {
    kind: usize,
    transfer: Transfer,
    reads: Vec<u64>,
    writes: Vec<(u8, u64)>,
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
            digest: DIGEST.0,
            depth: 0,
            instructions: 0,
            running: Running::default(),
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

    /// A digest of the cycles (from the window's first on) and addresses of all issues.
    #[must_use]
    pub const fn digest(&self) -> u64 {
        self.digest
    }

    /// The number of instructions in the window.
    #[must_use]
    pub const fn instructions(&self) -> u64 {
        self.instructions
    }

    /// Remembers the values before an instruction.
    pub(crate) fn before(&mut self, observation: &Observation, cells: &Cells) {
        let Running { kind, transfer, reads, writes } = &mut self.running;
        (*kind, *transfer) = (observation.kind, observation.transfer);
        reads.clear();
        reads.extend(observation.reads.iter().map(|&cell| cells[usize::from(cell)]));
        writes.clear();
        writes.extend(observation.writes.iter().map(|&cell| (cell, cells[usize::from(cell)])));
    }

    /// Adds the contribution of an instruction that was issued in a cycle, has made these accesses, and has
    /// completed.
    pub(crate) fn after(&mut self, issue: Issue, cells: &Cells, accesses: &[MemoryAccess]) {
        let at = issue.cycle.saturating_sub(self.began);
        for word in [at, issue.pc] {
            self.digest = (self.digest ^ word).wrapping_mul(DIGEST.1);
        }
        self.instructions += 1;
        if let Some(issues) = &mut self.issues {
            issues.push(issue);
        }
        let Running { kind, reads, writes, .. } = &self.running;
        let model = &self.model.kinds[*kind];
        let mut sum = model.constant;
        sum += self.latches.operands(model, reads);
        for access in accesses {
            sum += self.latches.access(model, access);
        }
        for &(cell, old) in writes {
            sum += self.latches.write(model, cells[usize::from(cell)], old);
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

    /// Follows calls and returns: true if the function in which the window began has returned. An
    /// instruction that leads on to `next`, straight behind itself, was not taken.
    pub(crate) fn returned(&mut self, end: u64, next: u64) -> bool {
        if next == end {
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
