//! Calling contexts: what was spent in each block, told apart by the calls that led there.
//!
//! Every context has counts of its own, one for each block of its function, so that counting costs
//! what it costs without contexts; only a transfer between functions looks for the next context.
//! Deep recursion is folded: a context has bounded depth, and there is a bound on their number.

mod guests;

use std::collections::BTreeMap;
use std::sync::Arc;

use cocrypt_ir::{Exit, Transfer, Value};

use crate::cache::{Count, Translated};
use crate::context_transition::{ContextTransition, Jump};
use crate::source::Source;

/// Contexts at most; later calls are found below the root.
const CONTEXTS: usize = 1 << 16;
/// Calls in one another at most that are told apart.
const DEPTH: u32 = 192;
/// Open calls that are remembered.
const CALLS: usize = 1 << 16;
/// The number of open calls that a return searches for the one that it ends.
const RETURNS: usize = 64;
/// The context that nothing runs in; all others are below it.
const ROOT: u32 = 0;

/// The share of the time that went to one instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// The number of times that it was issued.
    pub executions: u64,
    /// Cycles, waiting included.
    pub cycles: u64,
}

impl Spent {
    /// Both together.
    pub fn add(&mut self, other: Self) {
        self.executions += other.executions;
        self.cycles = self.cycles.wrapping_add(other.cycles); // As `Count::add`.
    }
}

/// One calling context.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContextProfile {
    /// The context that called this one, by its index in the list; nothing calls the first.
    pub parent: Option<usize>,
    /// Address of the call.
    pub site: u64,
    /// Address at which the function begins, by the boundaries given; nothing before the first.
    pub function: Option<u64>,
    /// The method of an interpreted program for which the function runs in it, by its address.
    pub guest: Option<u64>,
    /// The number of times that it was called.
    pub calls: u64,
    /// The cycles of its instructions, by address; callees left out.
    pub instructions: BTreeMap<u64, Spent>,
}

#[derive(Clone, Debug)]
struct Context {
    parent: u32,
    depth: u32,
    function: u32,
    /// The method of an interpreted program for which the function runs in it.
    guest: Option<u64>,
    site: u64,
    /// (call, where it leads, context), the latest first.
    callees: Vec<(u64, u64, u32)>,
    /// The cycles and executions of blocks that are evicted by now.
    settled: BTreeMap<u64, Spent>,
}

/// What runs in a context: a function, and the method of an interpreted program that it interprets.
type Code = (u32, Option<u64>);

impl Context {
    const fn code(&self) -> Code {
        (self.function, self.guest)
    }
}

#[derive(Clone, Debug, Default)]
struct Function {
    /// The blocks of the function, by the index of their counters.
    blocks: Vec<u32>,
    /// Room for counts that each of its contexts has.
    room: usize,
    contexts: Vec<u32>,
}

/// The part of a context that compiled code needs.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Head {
    /// The index of its first counter among all counters; so do its callees among all callees.
    pub base: u64,
    /// The number of times that it was called.
    pub calls: u64,
}

/// The last target of the call at the end of a block.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Callee {
    /// The context; 0 where none is known.
    pub context: u32,
    /// The address.
    pub target: u32,
}

/// An open call.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Open {
    /// The context that called.
    pub context: u64,
    /// The address at which it goes on.
    pub behind: u64,
}

/// All calling contexts of a run.
#[derive(Clone, Debug)]
pub struct Contexts {
    boundaries: Arc<[u64]>,
    functions: Vec<Function>,
    tree: Vec<Context>,
    /// The tables that compiled code goes through: heads by context; counts and callees by the head's base
    /// plus the block's index; open calls, of which the first `open` count.
    pub heads: Vec<Head>,
    /// See `heads`.
    pub counts: Vec<Count>,
    /// See `heads`.
    pub callees: Vec<Callee>,
    /// See `heads`.
    pub calls: Box<[Open]>,
    /// See `heads`.
    pub open: usize,
    /// The current context.
    pub current: u32,
    /// The instruction of an interpreted program that is under way, from which the interpreter calls.
    guest_site: u64,
    /// Cycles that single accesses waited longer than their blocks predicted, by context and address.
    waits: BTreeMap<(u32, u64), i64>,
}

impl Contexts {
    /// No context but that of the function at `pc`.
    #[must_use]
    pub fn new(boundaries: Arc<[u64]>, pc: u64) -> Self {
        let functions = vec![Function::default(); boundaries.len() + 1];
        let root = Context {
            parent: ROOT,
            depth: 0,
            function: u32::MAX,
            guest: None,
            site: 0,
            callees: vec![],
            settled: BTreeMap::new(),
        };
        let mut contexts = Self {
            boundaries,
            functions,
            tree: vec![root],
            heads: vec![Head::default()],
            counts: vec![],
            callees: vec![],
            calls: vec![Open::default(); CALLS].into(),
            open: 0,
            current: ROOT,
            guest_site: 0,
            waits: BTreeMap::new(),
        };
        contexts.current = contexts.callee(ROOT, 0, pc, true);
        contexts
    }

    /// The function that an address belongs to: 0 before the first boundary.
    fn function_of(&self, address: u64) -> u32 {
        self.boundaries.partition_point(|&boundary| boundary <= address) as u32
    }

    /// The jump at the end of a block with this counter, and the block's function.
    #[must_use]
    pub fn jump(&self, block: &cocrypt_ir::Block, counter: u32) -> (Jump, u32) {
        let last = block.insns.last();
        let site = last.map_or(block.start, |insn| insn.pc);
        let end = last.map_or(block.start, |insn| insn.pc + u64::from(insn.length));
        let own = self.function_of(block.start);
        let behind = if self.function_of(end) == own { end } else { u64::MAX };
        (Jump { counter, site, behind }, own)
    }

    /// The context transition of each of a block's links.
    #[must_use]
    pub fn transitions(&self, source: &cocrypt_ir::Block) -> [ContextTransition; 2] {
        let own = self.function_of(source.start);
        let to = |target: u64| {
            if self.function_of(target) == own {
                ContextTransition::Stay
            } else {
                ContextTransition::Cross
            }
        };
        let computed = match source.transfer {
            Transfer::Jump => ContextTransition::Cross,
            Transfer::Call => ContextTransition::Call,
            Transfer::Return => ContextTransition::Return,
        };
        match (source.exit, source.transfer) {
            (Exit::Next { pc } | Exit::YieldIf { next: pc, .. }, _) => {
                [to(pc), ContextTransition::Stay]
            }
            (Exit::Jump { target }, Transfer::Jump) => [to(target), ContextTransition::Stay],
            (Exit::Branch { taken, next, .. }, _) => [to(next), to(taken)],
            (
                Exit::Jump { .. } | Exit::Indirect { .. } | Exit::Yield { target: Value::Slot(_) },
                _,
            ) => [computed, ContextTransition::Stay],
            (Exit::Yield { .. } | Exit::Stop(_), _) => [ContextTransition::Stay; 2],
        }
    }

    /// Makes a counter for a block that begins at `start`, in whatever context; returns its index.
    pub fn new_counter(&mut self, start: u64, block: u32) -> u32 {
        let number = self.function_of(start) as usize;
        let function = &mut self.functions[number];
        function.blocks.push(block);
        if function.blocks.len() > function.room {
            let before = function.room;
            function.room = (2 * before).max(16);
            let (room, counter) = (function.room, function.blocks.len() as u32 - 1);
            for context in function.contexts.clone() {
                self.move_counts(context, before, room);
            }
            return counter;
        }
        function.blocks.len() as u32 - 1
    }

    /// Gives a context room for so many counts, behind all others.
    fn move_counts(&mut self, context: u32, before: usize, room: usize) {
        let from = self.heads[context as usize].base as usize;
        let to = self.counts.len();
        self.counts.extend_from_within(from..from + before);
        self.callees.extend_from_within(from..from + before);
        self.counts[from..from + before].fill(Count::default());
        self.counts.resize(to + room, Count::default());
        self.callees.resize(to + room, Callee::default());
        self.heads[context as usize].base = to as u64;
    }

    /// Makes sure that the current context is one of the function in which a block begins.
    pub fn enter(&mut self, start: u64) {
        if self.tree[self.current as usize].function != self.function_of(start) {
            self.cross(start);
        }
    }

    /// The counters of the current context, by index.
    pub fn current_counts(&mut self) -> &mut [Count] {
        let base = self.heads[self.current as usize].base as usize;
        &mut self.counts[base..]
    }

    /// An access of the instruction at `pc` took `more` cycles than its block predicted.
    pub fn wait(&mut self, pc: u64, more: i64) {
        if more != 0 {
            *self.waits.entry((self.current, pc)).or_default() += more;
        }
    }

    /// Cycles were spent at an address beside those of blocks.
    pub fn spend(&mut self, at: u64, cycles: u64) {
        let spent = &mut self.tree[self.current as usize].settled;
        spent.entry(at).or_default().add(Spent { executions: 0, cycles });
    }

    /// A block was left behind its instruction `at`, after `cycles`.
    pub fn left(&mut self, source: &Source, at: usize, cycles: u64) {
        let issued = source.block.insns.iter().zip(&source.cost.insns).take(at + 1);
        let spent = &mut self.tree[self.current as usize].settled;
        let mut rest = cycles;
        for (number, (insn, cost)) in issued.enumerate() {
            let waited = self.waits.remove(&(self.current, insn.pc)).unwrap_or(0);
            let own = u64::from(cost.cycles).saturating_add_signed(waited).min(rest);
            let own = if number == at { rest } else { own };
            rest -= own;
            spent.entry(insn.pc).or_default().add(Spent { executions: 1, cycles: own });
        }
    }

    /// A block was left before its instruction `at`, after `cycles`.
    pub fn left_before(&mut self, source: &Source, at: usize, cycles: u64) {
        if let Some(last) = at.checked_sub(1) {
            return self.left(source, last, cycles);
        }
        let spent = &mut self.tree[self.current as usize].settled;
        spent.entry(source.block.start).or_default().add(Spent { executions: 0, cycles });
    }

    /// Goes on at `target` by a link of a block.
    pub fn go(&mut self, transition: ContextTransition, jump: Jump, target: u64) {
        match transition {
            ContextTransition::Stay => {}
            ContextTransition::Cross => self.enter(target),
            ContextTransition::Call => self.call(jump, target),
            ContextTransition::Return => {
                let recent = self.open.saturating_sub(RETURNS);
                let open = self.calls[recent..self.open].iter();
                if let Some(open) = open.rev().position(|call| call.behind == target) {
                    self.open -= open + 1;
                    self.current = self.calls[self.open].context as u32;
                }
                self.enter(target);
            }
        }
    }

    fn call(&mut self, jump: Jump, target: u64) {
        self.open_call(jump.behind);
        // A subroutine within the function is part of it. It is no callee, so compiled code comes here too.
        let function = self.tree[self.current as usize].function;
        if self.function_of(target) == function && !self.is_start(target) {
            return;
        }
        let known = self.heads[self.current as usize].base as usize + jump.counter as usize;
        let context = self.callee(self.current, self.site(jump.site), target, true);
        self.callees[known] = Callee { context, target: target as u32 };
        self.current = context;
    }

    /// Remembers where the current context goes on behind a call.
    fn open_call(&mut self, behind: u64) {
        if self.open == CALLS {
            self.calls.copy_within(CALLS / 2.., 0);
            self.open = CALLS / 2;
        }
        self.calls[self.open] = Open { context: self.current.into(), behind };
        self.open += 1;
    }

    /// A handler is called at the instruction at `at`, and returns to `behind`.
    pub fn interrupt(&mut self, at: u64, behind: u64, handler: u64) {
        self.open_call(behind);
        self.current = self.callee(self.current, at, handler, true);
    }

    /// Another function takes the place of the current one: a call in its last place, if that is where the
    /// other begins.
    fn cross(&mut self, target: u64) {
        let Context { parent, site, .. } = self.tree[self.current as usize];
        self.current = self.callee(parent, site, target, self.is_start(target));
    }

    /// Returns true if a function begins at an address.
    fn is_start(&self, address: u64) -> bool {
        self.boundaries.binary_search(&address).is_ok()
    }

    /// The context of what a call leads to; `counts` says whether it is one.
    fn callee(&mut self, caller: u32, site: u64, target: u64, counts: bool) -> u32 {
        let code = (self.function_of(target), None);
        self.called(caller, (site, target), code, counts)
    }

    /// The context of a call, given its site and target, and the code that runs in it.
    fn called(&mut self, caller: u32, (site, target): (u64, u64), code: Code, counts: bool) -> u32 {
        let callees = &mut self.tree[caller as usize].callees;
        let known = callees.iter().position(|&(from, to, _)| (from, to) == (site, target));
        let context = if let Some(place) = known {
            callees[..=place].rotate_right(1);
            callees[0].2
        } else {
            let context = self.resolve(caller, site, code);
            self.tree[caller as usize].callees.insert(0, (site, target, context));
            context
        };
        self.heads[context as usize].calls += u64::from(counts);
        context
    }

    /// The context of a call that was not met before: a new one, unless there are too many.
    fn resolve(&mut self, caller: u32, site: u64, code: Code) -> u32 {
        let depth = self.tree[caller as usize].depth + 1;
        if depth <= DEPTH && self.tree.len() < CONTEXTS {
            return self.find(caller, site, code);
        }
        let mut above = caller;
        while above != ROOT {
            if self.tree[above as usize].code() == code {
                return above;
            }
            above = self.tree[above as usize].parent;
        }
        self.find(ROOT, 0, code)
    }

    /// A context by caller, call and code, whichever address of the function the call led to.
    fn find(&mut self, caller: u32, site: u64, code: Code) -> u32 {
        let callees = &self.tree[caller as usize].callees;
        let same = |&&(from, _, context): &&(u64, u64, u32)| {
            let context = &self.tree[context as usize];
            from == site && context.code() == code && context.parent == caller
        };
        if let Some(&(.., context)) = callees.iter().find(same) {
            return context;
        }
        let (function, guest) = code;
        let context = self.tree.len() as u32;
        self.tree.push(Context {
            parent: caller,
            depth: self.tree[caller as usize].depth + 1,
            function,
            guest,
            site,
            callees: vec![],
            settled: BTreeMap::new(),
        });
        self.heads.push(Head::default());
        let function = &mut self.functions[function as usize];
        function.contexts.push(context);
        let room = function.room;
        self.move_counts(context, 0, room);
        context
    }

    /// Takes down what was spent in all blocks, since they are about to be forgotten.
    pub fn settle(&mut self, blocks: &[Translated]) {
        for context in 0..self.tree.len() as u32 {
            self.settle_context(context, blocks);
        }
        for function in &mut self.functions {
            function.blocks.clear();
        }
    }

    fn settle_context(&mut self, number: u32, blocks: &[Translated]) {
        let context = &mut self.tree[number as usize];
        let Some(function) = self.functions.get(context.function as usize) else { return };
        let base = self.heads[number as usize].base as usize;
        for (place, &block) in function.blocks.iter().enumerate() {
            self.callees[base + place] = Callee::default();
            let count = std::mem::take(&mut self.counts[base + place]);
            if count != Count::default() {
                let waited = |pc: u64| self.waits.remove(&(number, pc)).unwrap_or(0);
                let source = &blocks[block as usize].source;
                distribute(source, count, waited, &mut context.settled);
            }
        }
    }

    /// The cycles and executions of each context, in an order in which callers come before callees.
    #[must_use]
    pub fn profile(&self, blocks: &[Translated]) -> Vec<ContextProfile> {
        let mut settled = self.clone();
        settled.settle(blocks);
        let shown = |(context, head): (Context, &Head)| ContextProfile {
            parent: (context.parent != ROOT).then(|| context.parent as usize - 1),
            site: context.site,
            function: self.boundaries.get((context.function as usize).wrapping_sub(1)).copied(),
            guest: context.guest,
            calls: head.calls,
            instructions: context.settled,
        };
        let heads = self.heads.iter();
        settled.tree.into_iter().zip(heads).skip(1).map(shown).collect()
    }
}

/// Distributes what was spent in a block over its instructions. What is known beforehand, and what
/// single accesses waited, belongs to its instruction; the rest to the last one, since blocks are cut
/// behind instructions whose cost depends on operands: the edge that a branch took, such an operand, a
/// computed jump's arrival, and the lines of an instruction cache.
fn distribute(
    source: &Source,
    count: Count,
    mut waited: impl FnMut(u64) -> i64,
    spent: &mut BTreeMap<u64, Spent>,
) {
    let mut rest = count.cycles;
    let mut last = None;
    for (insn, cost) in source.block.insns.iter().zip(&source.cost.insns) {
        let own = count.executions * u64::from(cost.cycles);
        let own = own.saturating_add_signed(waited(insn.pc)).min(rest);
        rest -= own;
        let share = Spent { executions: count.executions, cycles: own };
        spent.entry(insn.pc).or_default().add(share);
        last = Some(insn.pc);
    }
    if let Some(entry) = last.and_then(|pc| spent.get_mut(&pc)) {
        entry.cycles += rest;
    }
}
