//! What of a block's operations nobody needs: values that are overwritten before they are read.
//!
//! Every instruction that sets flags sets all of them, and few are ever read. From the end of the block
//! to its beginning, a write is left out where nothing reads its cell before the next write. Guest cells
//! are read by whoever may look at them from outside: at the block's end, at every access to memory (it
//! may be refused, or change what code does, or let an interrupt in), and where else the timing model
//! may leave a block. What a guard covers overwrites nothing. Then, results that are computed in a
//! temporary only to be moved are computed where they go.

use std::ops::Range;

use cocrypt_ir::{Block, Exit, Insn, Op, Slot, Value};

/// Where, beside accesses and its end, a block may be left so that its cells are looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exact {
    /// In front of instructions whose cost may depend on an operand.
    pub operands: bool,
    /// In front of instructions that reach into another line of the instruction cache than those before
    /// them; a line's bytes.
    pub line: Option<u32>,
}

impl Exact {
    fn asks_before(self, insn: &Insn) -> bool {
        let enters = |line: u32| {
            let within = insn.pc % u64::from(line);
            within == 0 || within + u64::from(insn.length) > line.into()
        };
        self.line.is_some_and(enters) || (self.operands && insn.operand.is_some())
    }
}

/// A set of cells.
#[derive(Clone, Copy, Debug, Default)]
struct Cells([u64; 4]);

impl Cells {
    fn below(number: u16) -> Self {
        let mut set = Self::default();
        (0..number).for_each(|cell| set.insert(Value::Slot(Slot(cell))));
        set
    }

    fn insert(&mut self, value: Value) {
        if let Value::Slot(Slot(cell)) = value {
            self.0[usize::from(cell) / 64] |= 1 << (cell % 64);
        }
    }

    fn remove(&mut self, Slot(cell): Slot) {
        self.0[usize::from(cell) / 64] &= !(1 << (cell % 64));
    }

    fn contains(&self, Slot(cell): Slot) -> bool {
        self.0[usize::from(cell) / 64] >> (cell % 64) & 1 != 0
    }

    fn add(&mut self, other: &Self) {
        for (word, more) in self.0.iter_mut().zip(other.0) {
            *word |= more;
        }
    }

    fn keep(&mut self, other: &Self) {
        for (word, more) in self.0.iter_mut().zip(other.0) {
            *word &= more;
        }
    }
}

/// Leaves out what nobody needs of a block over `state` guest cells, whose first `kept` temporaries may
/// be read by other instructions than the one that writes them.
pub fn tidy(block: &mut Block, state: u16, kept: u16, exact: Exact) {
    let needed = needed(block, state, kept, exact);
    retain(block, &needed);
    let mut needed = vec![true; block.ops.len()];
    for number in 0..block.insns.len() {
        place_results(block, number, state + kept, &mut needed);
    }
    retain(block, &needed);
}

const fn is_access(op: &Op) -> bool {
    matches!(op, Op::Load { .. } | Op::Store { .. })
}

/// For each operation of a range, up to where the innermost guard around it reaches; its own end if there
/// is none.
fn scopes(ops: &[Op]) -> Vec<usize> {
    let mut scopes = vec![ops.len(); ops.len()];
    for (at, op) in ops.iter().enumerate() {
        if let Op::Guard { ops: covered, .. } = *op {
            let end = at + 1 + usize::from(covered);
            // The one that begins last is the innermost.
            scopes[at + 1..end].fill(end);
        }
    }
    scopes
}

/// Which operations are needed.
fn needed(block: &Block, state: u16, kept: u16, exact: Exact) -> Vec<bool> {
    let guest = Cells::below(state);
    let lasting = Cells::below(state + kept);
    let mut live = guest;
    match block.exit {
        Exit::Branch { a, b, .. } => [a, b].into_iter().for_each(|value| live.insert(value)),
        Exit::Indirect { target } | Exit::Yield { target } => live.insert(target),
        Exit::Next { .. } | Exit::Jump { .. } | Exit::Stop(_) => {}
    }
    let mut needed = vec![true; block.ops.len()];
    for insn in block.insns.iter().rev() {
        let ops = &block.ops[insn.ops.clone()];
        let marks = &mut needed[insn.ops.clone()];
        if ops.iter().any(is_access) {
            live.add(&guest);
        }
        let lead = usize::from(insn.lead);
        needed_of(ops, lead..ops.len(), marks, &mut live, &guest);
        if let Some(operand) = insn.operand {
            live.insert(operand);
        }
        needed_of(ops, 0..lead, marks, &mut live, &guest);
        live.keep(&lasting);
        if exact.asks_before(insn) {
            live.add(&guest);
        }
    }
    needed
}

/// The same of some of an instruction's operations, given what is live behind them.
fn needed_of(
    ops: &[Op],
    range: Range<usize>,
    needed: &mut [bool],
    live: &mut Cells,
    guest: &Cells,
) {
    for at in range.rev() {
        let op = &ops[at];
        needed[at] = match op {
            Op::Guard { ops, .. } => needed[at + 1..][..usize::from(*ops)].contains(&true),
            Op::Load { .. } | Op::Store { .. } | Op::Count { .. } => true,
            _ => op.dst().is_some_and(|dst| live.contains(dst)),
        };
        if !needed[at] {
            continue;
        }
        if let Some(dst) = op.dst().filter(|_| !is_guarded(ops, at)) {
            live.remove(dst);
        }
        if is_access(op) {
            live.add(guest);
        }
        op.operands().into_iter().for_each(|value| live.insert(value));
    }
}

/// Whether a guard covers an operation.
fn is_guarded(ops: &[Op], at: usize) -> bool {
    ops[..at].iter().enumerate().any(|(guard, op)| {
        matches!(op, Op::Guard { ops: covered, .. } if guard + usize::from(*covered) >= at)
    })
}

/// Computes results where they are moved to.
fn place_results(block: &mut Block, number: usize, temporaries: u16, needed: &mut [bool]) {
    let insn = block.insns[number].clone();
    let is_last = number + 1 == block.insns.len();
    for at in insn.ops.clone() {
        let Op::Move { dst, src: Value::Slot(from) } = block.ops[at] else { continue };
        if from.0 < temporaries || (is_last && leaves_by(&block.exit, from)) {
            continue;
        }
        if insn.operand == Some(Value::Slot(from)) {
            continue;
        }
        let Some(maker) = maker(&block.ops[insn.ops.clone()], at - insn.ops.start, from) else {
            continue;
        };
        let maker = insn.ops.start + maker;
        let leads = maker < insn.ops.start + usize::from(insn.lead);
        if !leads && is_free(&block.ops[maker..=at], dst, needed, maker) {
            block.ops[maker].set_dst(dst);
            needed[at] = false;
            // What is left out must not look as if it wrote.
            block.ops[at] = Op::Move { dst, src: Value::Slot(dst) };
        }
    }
}

fn leaves_by(exit: &Exit, slot: Slot) -> bool {
    match *exit {
        Exit::Branch { a, b, .. } => [a, b].contains(&Value::Slot(slot)),
        Exit::Indirect { target } | Exit::Yield { target } => target == Value::Slot(slot),
        Exit::Next { .. } | Exit::Jump { .. } | Exit::Stop(_) => false,
    }
}

/// The operation that alone makes what the move at `at` alone reads, under the same guards.
fn maker(ops: &[Op], at: usize, from: Slot) -> Option<usize> {
    let mut makers = ops.iter().enumerate().filter(|(_, op)| op.dst() == Some(from));
    let (maker, _) = makers.next()?;
    let is_alone = makers.next().is_none();
    let reads = ops.iter().flat_map(Op::operands).filter(|&value| value == Value::Slot(from));
    let scopes = scopes(ops);
    let is_same = scopes[maker] == scopes[at] && is_guarded(ops, maker) == is_guarded(ops, at);
    let no_guard = !ops[maker..at].iter().any(|op| matches!(op, Op::Guard { .. }));
    (is_alone && reads.count() == 1 && maker < at && is_same && no_guard).then_some(maker)
}

/// Whether a cell can be written by the first operation instead of the last: nothing between them reads
/// or writes it, or looks at the guest state.
fn is_free(ops: &[Op], dst: Slot, needed: &[bool], first: usize) -> bool {
    let between = &ops[1..ops.len() - 1];
    between.iter().enumerate().all(|(at, op)| {
        let touches = op.dst() == Some(dst) || op.operands().contains(&Value::Slot(dst));
        !needed[first + 1 + at] || (!touches && !is_access(op))
    })
}

/// Leaves out operations.
fn retain(block: &mut Block, needed: &[bool]) {
    // How many are left before each.
    let before: Vec<usize> = needed
        .iter()
        .scan(0, |count, &needed| {
            let now = *count;
            *count += usize::from(needed);
            Some(now)
        })
        .chain([needed.iter().filter(|&&needed| needed).count()])
        .collect();
    for (at, op) in block.ops.iter_mut().enumerate() {
        if let Op::Guard { ops, .. } = op {
            let end = at + 1 + usize::from(*ops);
            *ops = (before[end] - before[at + 1]) as u16;
        }
    }
    for insn in &mut block.insns {
        let lead = insn.ops.start + usize::from(insn.lead);
        insn.lead = (before[lead] - before[insn.ops.start]) as u16;
        insn.ops = before[insn.ops.start]..before[insn.ops.end];
    }
    let mut at = 0;
    block.ops.retain(|_| {
        at += 1;
        needed[at - 1]
    });
}
