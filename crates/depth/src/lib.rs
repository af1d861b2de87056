//! Static bounds of the stack that code needs.
//!
//! Every path through a function is followed, with what is known of its cells: where a frame is made,
//! by how much is a constant. There is no bound where a function calls itself, where it jumps or calls
//! through a register whose value cannot be seen, and where the stack pointer becomes something else.

use std::collections::HashMap;

use cocrypt_ir::{self as ir, Binary, Block, Exit, Op, Slot, Transfer, Value};
use cocrypt_isa::{CodeMemory, Frontend};

/// The reason for which there is no bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unbounded {
    /// A function calls itself, directly or by others.
    Recursion {
        /// Its address.
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

/// A place in the code: its address and decode mode.
type CodeAddress = (u64, u32);

/// Looks at code.
pub struct Depth<'a> {
    frontend: &'a dyn Frontend,
    code: &'a dyn CodeMemory,
    known: HashMap<CodeAddress, Result<u64, Unbounded>>,
    /// The functions that are being looked at.
    open: Vec<CodeAddress>,
}

/// The abstract value of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AbstractValue {
    /// It holds this.
    Constant(u64),
    /// It holds what the stack pointer was at the function's entry, and so much more.
    Frame(i64),
}

/// The abstract state at a point of the code: how far the stack pointer is below its place at the entry,
/// and of other cells.
#[derive(Clone, Debug, Default)]
struct State {
    depth: i64,
    cells: Vec<(Slot, AbstractValue)>,
}

impl State {
    /// Meets with another path's state; returns true if less is known then.
    fn forget(&mut self, other: &Self) -> bool {
        let before = self.cells.len();
        self.cells.retain(|cell| other.cells.contains(cell));
        self.cells.len() < before
    }

    fn set(&mut self, slot: Slot, value: Option<AbstractValue>) {
        self.cells.retain(|&(known, _)| known != slot);
        self.cells.extend(value.map(|value| (slot, value)));
    }
}

impl<'a> Depth<'a> {
    /// Looks at code through a front end.
    #[must_use]
    pub fn new(frontend: &'a dyn Frontend, code: &'a dyn CodeMemory) -> Self {
        Self { frontend, code, known: HashMap::new(), open: vec![] }
    }

    /// Bytes below the stack pointer of a caller that the function at an address, in a decode mode, can
    /// reach, with all that it calls.
    ///
    /// # Errors
    /// Why there is no bound.
    pub fn of(&mut self, function: u64, mode: u32) -> Result<u64, Unbounded> {
        let place = (function, mode);
        if let Some(&known) = self.known.get(&place) {
            return known;
        }
        if self.open.contains(&place) {
            return Err(Unbounded::Recursion { function });
        }
        self.open.push(place);
        let found = self.follow(place);
        self.open.pop();
        self.known.insert(place, found);
        found
    }

    /// All successors from a function's entry.
    fn follow(&mut self, entry: CodeAddress) -> Result<u64, Unbounded> {
        let mut deepest = 0;
        let mut seen: HashMap<(CodeAddress, i64), State> = HashMap::new();
        let mut successors = vec![(entry, State::default())];
        while let Some((place, mut state)) = successors.pop() {
            let (pc, mode) = place;
            // Where successors meet, what both know stays known; there is less of it each time, so this ends.
            if let Some(known) = seen.get_mut(&(place, state.depth)) {
                if !known.forget(&state) {
                    continue;
                }
                state = known.clone();
            } else if seen.len() > MOST {
                return Err(Unbounded::Pointer { block: pc });
            } else {
                seen.insert((place, state.depth), state.clone());
            }
            let block = self.frontend.lift(self.code, pc, mode);
            let block = block.map_err(|_| Unbounded::NoCode { address: pc })?;
            deepest = deepest.max(self.pass(&block, &mut state)?);
            deepest = deepest.max(self.leave(&block, state, &mut successors)?);
        }
        Ok(deepest)
    }

    /// Through a block's operations; how deep the stack pointer goes in them.
    fn pass(&self, block: &Block, state: &mut State) -> Result<u64, Unbounded> {
        let pointer = self.frontend.stack_pointer();
        let (mut deepest, mut guarded) = (0, 0);
        for op in &block.ops {
            let depends = guarded > 0;
            guarded = match op {
                Op::Guard { ops, .. } => guarded.max(*ops),
                _ => u16::saturating_sub(guarded, 1),
            };
            let Some(dst) = op.dst() else { continue };
            let made = self.computed(op, state);
            if dst != pointer {
                state.set(dst, made.filter(|_| !depends));
                continue;
            }
            let Some(AbstractValue::Frame(above)) = made else {
                return Err(Unbounded::Pointer { block: block.start });
            };
            deepest = deepest.max((-above).max(0).unsigned_abs());
            // What gives its frame back under a condition returns then; what goes on has it still.
            if !depends {
                state.depth = -above;
            }
        }
        Ok(deepest)
    }

    /// Out of a block, to all places where it can lead; how deep a call goes from there.
    fn leave(
        &mut self,
        block: &Block,
        mut state: State,
        successors: &mut Vec<(CodeAddress, State)>,
    ) -> Result<u64, Unbounded> {
        let mode = block.onward;
        let target = match block.exit {
            Exit::Next { pc } | Exit::YieldIf { next: pc, .. } => (pc, mode),
            Exit::Jump { target } => (target, mode),
            Exit::Branch { taken, next, .. } => {
                successors.push(((taken, mode), state.clone()));
                (next, mode)
            }
            Exit::Indirect { target } if block.transfer == Transfer::Return => {
                let stays = otherwise(block, target).map(|next| self.frontend.land(next, mode));
                successors.extend(stays.map(|place| (place, state)));
                return Ok(0);
            }
            Exit::Indirect { target } | Exit::Yield { target } => {
                let Some(AbstractValue::Constant(target)) = self.get(&state, target) else {
                    return Err(Unbounded::Indirect { block: block.start });
                };
                self.frontend.land(target, mode)
            }
            Exit::Stop(_) => return Err(Unbounded::NoCode { address: block.start }),
        };
        if block.transfer != Transfer::Call {
            successors.push((target, state));
            return Ok(0);
        }
        let below = self.of(target.0, target.1)?;
        let last = block.insns.last();
        // A function returns to the instruction set that it was called from.
        let behind =
            last.map_or((block.start, mode), |insn| (insn.pc + u64::from(insn.length), insn.mode));
        let depth = state.depth.max(0).unsigned_abs() + below;
        // A function may leave anything in the cells, but for the stack pointer.
        state.cells.clear();
        successors.push((behind, state));
        Ok(depth)
    }

    /// A fact about a value.
    fn get(&self, state: &State, value: Value) -> Option<AbstractValue> {
        match value {
            Value::Const(value) => Some(AbstractValue::Constant(value)),
            Value::Slot(slot) if slot == self.frontend.stack_pointer() => {
                Some(AbstractValue::Frame(-state.depth))
            }
            Value::Slot(slot) => {
                state.cells.iter().find(|(known, _)| *known == slot).map(|&(_, value)| value)
            }
        }
    }

    /// The abstract result of an operation.
    fn computed(&self, op: &Op, state: &State) -> Option<AbstractValue> {
        match *op {
            Op::Move { src, .. } => self.get(state, src),
            Op::Binary { op, width, a, b, .. } => {
                match (op, self.get(state, a)?, self.get(state, b)?) {
                    (_, AbstractValue::Constant(a), AbstractValue::Constant(b)) => {
                        Some(AbstractValue::Constant(ir::binary(op, width, a, b)))
                    }
                    (Binary::Add, AbstractValue::Frame(frame), AbstractValue::Constant(by))
                    | (Binary::Add, AbstractValue::Constant(by), AbstractValue::Frame(frame)) => {
                        Some(AbstractValue::Frame(frame + signed(by)))
                    }
                    (Binary::Sub, AbstractValue::Frame(frame), AbstractValue::Constant(by)) => {
                        Some(AbstractValue::Frame(frame - signed(by)))
                    }
                    _ => None,
                }
            }
            Op::Unary { op, width, a, .. } => match self.get(state, a)? {
                AbstractValue::Constant(a) => {
                    Some(AbstractValue::Constant(ir::unary(op, width, a)))
                }
                AbstractValue::Frame(_) => None,
            },
            _ => None,
        }
    }
}

/// A word as a signed number.
const fn signed(word: u64) -> i64 {
    word as u32 as i32 as i64
}

/// The successor of a conditional return that is not taken.
fn otherwise(block: &Block, target: Value) -> Option<u64> {
    block.ops.iter().rev().find_map(|op| match *op {
        Op::Select { dst, a, b, .. } if target == Value::Slot(dst) => {
            [a, b].into_iter().find_map(|value| match value {
                Value::Const(next) => Some(next),
                Value::Slot(_) => None,
            })
        }
        _ => None,
    })
}
