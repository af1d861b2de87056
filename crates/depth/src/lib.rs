//! How much stack code can need at most, seen without running it.
//!
//! Every way through a function is followed, with what is known of its cells: where a frame is made,
//! by how much is a constant. There is no bound where a function calls itself, where it jumps or calls
//! through a register whose value cannot be seen, and where the stack pointer becomes something else.

use std::collections::HashMap;

use cocrypt_ir::{self as ir, Block, Exit, Op, Slot, Transfer, Value};
use cocrypt_isa::{CodeMemory, Frontend};

/// Why there is no bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unbounded {
    /// A function calls itself, directly or by others.
    Recursion {
        /// Where it begins.
        function: u64,
    },
    /// A jump or a call leads where a register says.
    Indirect {
        /// The block that ends with it.
        block: u64,
    },
    /// The stack pointer becomes something that cannot be seen.
    Pointer {
        /// The block in which it does.
        block: u64,
    },
    /// There is no code, or what is there stops the core.
    NoCode {
        /// The address.
        address: u64,
    },
}

/// Places, each with a depth, that a function may have; a stack that grows in a loop has more.
const MOST: usize = 100_000;

/// Looks at code.
pub struct Depth<'a> {
    frontend: &'a dyn Frontend,
    code: &'a dyn CodeMemory,
    known: HashMap<u64, Result<u64, Unbounded>>,
    /// The functions that are being looked at.
    open: Vec<u64>,
}

/// What is known of the cells: how far the stack pointer is below its place at the entry, and others
/// that hold constants.
#[derive(Clone, Debug, Default)]
struct State {
    depth: i64,
    constants: Vec<(Slot, u64)>,
}

impl State {
    /// Keeps what another way knows as well; whether that was less.
    fn forget(&mut self, other: &Self) -> bool {
        let before = self.constants.len();
        self.constants.retain(|constant| other.constants.contains(constant));
        self.constants.len() < before
    }

    fn get(&self, value: Value) -> Option<u64> {
        match value {
            Value::Const(value) => Some(value),
            Value::Slot(slot) => {
                self.constants.iter().find(|(known, _)| *known == slot).map(|&(_, value)| value)
            }
        }
    }

    fn set(&mut self, slot: Slot, value: Option<u64>) {
        self.constants.retain(|&(known, _)| known != slot);
        self.constants.extend(value.map(|value| (slot, value)));
    }
}

impl<'a> Depth<'a> {
    /// Looks at code through a front end.
    #[must_use]
    pub fn new(frontend: &'a dyn Frontend, code: &'a dyn CodeMemory) -> Self {
        Self { frontend, code, known: HashMap::new(), open: vec![] }
    }

    /// Bytes below the stack pointer of a caller that a function can reach, with all that it calls.
    ///
    /// # Errors
    /// Why there is no bound.
    pub fn of(&mut self, function: u64) -> Result<u64, Unbounded> {
        if let Some(&known) = self.known.get(&function) {
            return known;
        }
        if self.open.contains(&function) {
            return Err(Unbounded::Recursion { function });
        }
        self.open.push(function);
        let found = self.follow(function);
        self.open.pop();
        self.known.insert(function, found);
        found
    }

    /// All ways from a function's entry.
    fn follow(&mut self, function: u64) -> Result<u64, Unbounded> {
        let mut deepest = 0;
        let mut seen: HashMap<(u64, i64), State> = HashMap::new();
        let mut ways = vec![(function, State::default())];
        while let Some((pc, mut state)) = ways.pop() {
            // Where ways meet, what both know stays known; there is less of it each time, so this ends.
            if let Some(known) = seen.get_mut(&(pc, state.depth)) {
                if !known.forget(&state) {
                    continue;
                }
                state = known.clone();
            } else if seen.len() > MOST {
                return Err(Unbounded::Pointer { block: pc });
            } else {
                seen.insert((pc, state.depth), state.clone());
            }
            let block = self.frontend.lift(self.code, pc, 0);
            let block = block.map_err(|_| Unbounded::NoCode { address: pc })?;
            deepest = deepest.max(self.pass(&block, &mut state)?);
            deepest = deepest.max(self.leave(&block, state, &mut ways)?);
        }
        Ok(deepest)
    }

    /// Through a block's operations; how deep the stack pointer goes in them.
    fn pass(&self, block: &Block, state: &mut State) -> Result<u64, Unbounded> {
        let pointer = self.frontend.stack_pointer();
        let mut deepest = 0;
        for op in &block.ops {
            let Some(dst) = op.dst() else { continue };
            if dst != pointer {
                let made = computed(op, state);
                state.set(dst, made);
                continue;
            }
            let by = moved(op, pointer, state).ok_or(Unbounded::Pointer { block: block.start })?;
            state.depth -= by;
            deepest = deepest.max(state.depth.max(0).unsigned_abs());
        }
        Ok(deepest)
    }

    /// Out of a block, to all places where it can lead; how deep a call goes from there.
    fn leave(
        &mut self,
        block: &Block,
        mut state: State,
        ways: &mut Vec<(u64, State)>,
    ) -> Result<u64, Unbounded> {
        let nowhere = Unbounded::Indirect { block: block.start };
        let target = match block.exit {
            Exit::Next { pc } => pc,
            Exit::Jump { target } => target,
            Exit::Branch { taken, next, .. } => {
                ways.push((taken, state.clone()));
                next
            }
            Exit::Indirect { .. } if block.transfer == Transfer::Return => return Ok(0),
            Exit::Indirect { target } | Exit::Yield { target } => {
                state.get(target).ok_or(nowhere)?
            }
            Exit::Stop(_) => return Err(Unbounded::NoCode { address: block.start }),
        };
        if block.transfer != Transfer::Call {
            ways.push((target, state));
            return Ok(0);
        }
        let below = self.of(target)?;
        let last = block.insns.last().map_or(block.start, |insn| insn.pc + u64::from(insn.length));
        let depth = state.depth.max(0).unsigned_abs() + below;
        // A function may leave anything in the cells, but for the stack pointer.
        state.constants.clear();
        ways.push((last, state));
        Ok(depth)
    }
}

/// By how much an operation raises the stack pointer.
fn moved(op: &Op, pointer: Slot, state: &State) -> Option<i64> {
    let signed = |value: u64| i64::from(value as u32 as i32);
    match *op {
        Op::Binary { op: ir::Binary::Add, a, b, .. } => {
            let other = if a == Value::Slot(pointer) { b } else { a };
            let is_own = a == Value::Slot(pointer) || b == Value::Slot(pointer);
            state.get(other).filter(|_| is_own).map(signed)
        }
        Op::Binary { op: ir::Binary::Sub, a, b, .. } if a == Value::Slot(pointer) => {
            state.get(b).map(|value| -signed(value))
        }
        Op::Move { src, .. } if src == Value::Slot(pointer) => Some(0),
        _ => None,
    }
}

/// The constant that an operation makes, if it makes one.
fn computed(op: &Op, state: &State) -> Option<u64> {
    match *op {
        Op::Move { src, .. } => state.get(src),
        Op::Binary { op, width, a, b, .. } => {
            Some(ir::binary(op, width, state.get(a)?, state.get(b)?))
        }
        Op::Unary { op, width, a, .. } => Some(ir::unary(op, width, state.get(a)?)),
        _ => None,
    }
}
