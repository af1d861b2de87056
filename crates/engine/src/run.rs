//! The run loop: from block to block until the machine stops.

mod debug;

pub use debug::{Touch, Upcoming};

use std::sync::Arc;

use cocrypt_ir::{Block, StopKind, condition};
use cocrypt_isa::{BlockCost, CodeMemory, Frontend, LiftError, Pending, TimingModel};

use crate::access::{Outside, Refusal};
use crate::backend::{Backend, Blocks, Fixed, Left, Source, State};
use crate::bus::Bus;
use crate::cache::{BlockProfile, Cache, Count, Translated, Way};
use crate::caches::CacheState;
use crate::contexts::{ContextProfile, Contexts};
use crate::interpret::{Break, Cells, Clock, Context, interpret, operand};
use crate::ram::Ram;
use crate::translate::{translate, zero_cell};

/// Why the machine stopped, with the cycle in which the core shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopCause {
    /// The program wrote to the exit device.
    Exit {
        /// The exit code.
        code: u32,
        /// Cycle in which the write was answered.
        cycle: u64,
    },
    /// An access that nobody answers.
    BusFault {
        /// The address.
        address: u32,
        /// Cycle in which the request stood on the bus.
        cycle: u64,
    },
    /// An access at an address that its width does not allow.
    Unaligned {
        /// The address.
        address: u32,
        /// Cycle in which the request stood on the bus.
        cycle: u64,
    },
    /// A jump to an address that no instruction can start at.
    UnalignedJump {
        /// The address.
        address: u32,
    },
    /// A jump to where there is no memory.
    FetchFault {
        /// The address.
        address: u32,
    },
    /// The core met an instruction that stops it.
    Instruction(StopKind),
    /// The cycle limit was reached.
    CycleLimit,
    /// An empty endless loop: nothing can ever happen again.
    Deadlock,
    /// A debugger halted it.
    Halted,
}

/// Where and why a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop {
    /// Why.
    pub cause: StopCause,
    /// Address of the instruction at which it ended.
    pub pc: u64,
    /// Clock cycles from the release of reset, the one in which the machine stopped included.
    pub cycles: u64,
    /// Instructions launched.
    pub instructions: u64,
}

/// One launched instruction of a traced run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    /// Cycle of the launch.
    pub cycle: u64,
    /// Address of the instruction.
    pub pc: u64,
}

/// Where blocks are cut beside the boundaries.
#[derive(Clone, Debug, Default)]
struct Cuts {
    /// After every instruction.
    everywhere: bool,
    /// At these addresses, in ascending order, the boundaries among them; none if there are no others.
    at: Vec<u64>,
}

/// What leads to the next block.
#[derive(Clone, Copy, Debug)]
enum Link {
    /// One of the block's own links.
    Fixed(usize),
    /// A computed address.
    Computed,
    /// A block that is already chosen.
    Block(u32),
    /// Nothing but the address.
    Address,
}

/// How often a block runs before the back end is asked again, at most; a power of two.
const POLL: u32 = 64;

/// How often compiled code leads to a block until a region begins there.
const ARRIVALS: u32 = 32;

/// A core in execution.
pub struct Engine {
    frontend: Arc<dyn Frontend>,
    timing: Arc<dyn TimingModel>,
    boundaries: Arc<[u64]>,
    cells: Box<Cells>,
    clock: Clock,
    /// The clock at the end of the last block, its foreseen cycles not yet added.
    left: u64,
    pc: u64,
    mode: u32,
    /// What the core's pipeline holds from before `pc`.
    pending: Pending,
    caches: CacheState,
    /// The block to go on with after the cycle limit was reached.
    next: Option<u32>,
    cache: Cache,
    backend: Option<Box<dyn Backend>>,
    /// How often the interpreter runs a block before it offers it to the back end.
    hot: u32,
    /// How often a block runs before the back end is asked again.
    poll: u32,
    trace: Option<Vec<Launch>>,
    cuts: Cuts,
    /// What was spent by calling context, if that is asked for.
    contexts: Option<Box<Contexts>>,
}

impl Engine {
    /// A core with all cells 0, about to come out of reset at `pc`. Blocks end at `boundaries`
    /// (sorted addresses), so that what is spent can be told apart there.
    ///
    /// # Panics
    /// If the front end has more cells than an engine can hold, which is a mistake in the front end.
    #[must_use]
    pub fn new(
        frontend: Arc<dyn Frontend>,
        timing: Arc<dyn TimingModel>,
        boundaries: Arc<[u64]>,
        pc: u64,
    ) -> Self {
        let cells = frontend.cells().len() + usize::from(frontend.temporaries());
        assert!(cells < 256, "{cells} cells are more than an engine can hold");
        let caches = timing.caches();
        Self {
            frontend,
            timing,
            boundaries,
            cells: Box::new([0; 256]),
            clock: Clock { lowest_stack: u32::MAX, ..Clock::default() },
            left: 0,
            pc,
            mode: 0,
            pending: 0,
            caches: CacheState::new(caches),
            next: None,
            cache: Cache::default(),
            backend: None,
            hot: POLL,
            poll: POLL,
            trace: None,
            cuts: Cuts::default(),
            contexts: None,
        }
    }

    /// A core in the same state, to go on independently: with all that was counted, without back end.
    #[must_use]
    pub fn fork(&self) -> Self {
        let mut fork = Self {
            frontend: Arc::clone(&self.frontend),
            timing: Arc::clone(&self.timing),
            boundaries: Arc::clone(&self.boundaries),
            cells: self.cells.clone(),
            clock: self.clock.clone(),
            left: self.left,
            pc: self.pc,
            mode: self.mode,
            pending: self.pending,
            caches: self.caches.clone(),
            next: None,
            cache: self.cache.fork(),
            backend: None,
            hot: self.hot,
            poll: self.poll,
            trace: self.trace.clone(),
            cuts: self.cuts.clone(),
            contexts: self.contexts.clone(),
        };
        if let Some(contexts) = &mut fork.contexts {
            contexts.settle(&self.cache.blocks);
        }
        fork
    }

    /// What compiled code for this core may rely on, given the directly mapped memory and the longest
    /// that an access to a peripheral waits.
    #[must_use]
    pub fn fixed(&self, ram: &Ram, longest_wait: u32) -> Fixed {
        Fixed {
            base: ram.base(),
            size: ram.size(),
            longest_wait,
            guest_cells: self.frontend.cells().len() as u16,
            stack_pointer: self.frontend.stack_pointer(),
            caches: self.timing.caches(),
        }
    }

    /// Lets a compiled back end run what the interpreter ran `hot` times, which is made a power of
    /// two. Nothing but speed depends on it.
    pub fn set_backend(&mut self, backend: Box<dyn Backend>, hot: u32) {
        self.backend = Some(backend);
        self.hot = hot.clamp(1, 1 << 20).next_power_of_two();
        self.poll = self.hot.min(POLL);
    }

    /// Ends every block after one instruction and records every launch from now on.
    pub fn trace_launches(&mut self) {
        self.trace = Some(vec![]);
        self.cuts.everywhere = true;
        self.backend = None;
    }

    /// The launches recorded so far.
    #[must_use]
    pub fn launches(&self) -> &[Launch] {
        self.trace.as_deref().unwrap_or_default()
    }

    /// The guest state's cells.
    #[must_use]
    pub fn cells(&self) -> &[u64] {
        &self.cells[..self.frontend.cells().len()]
    }

    /// The lowest value that the stack pointer took, if it ever moved.
    #[must_use]
    pub fn lowest_stack(&self) -> Option<u32> {
        (self.clock.lowest_stack != u32::MAX).then_some(self.clock.lowest_stack)
    }

    /// What the core's caches hold.
    #[must_use]
    pub const fn caches(&self) -> &CacheState {
        &self.caches
    }

    /// Tells apart from now on what is spent by the calls that led there; to be said before the first
    /// run.
    pub fn trace_contexts(&mut self) {
        self.contexts = Some(Box::new(Contexts::new(Arc::clone(&self.boundaries), self.pc)));
    }

    /// The instruction at an address in assembly, with its length in bytes.
    #[must_use]
    pub fn disassemble(&self, ram: &Ram, bus: &dyn Bus, pc: u64) -> Option<(String, u8)> {
        let code = Code { ram, bus, boundaries: &[], single: true, cut: None };
        self.frontend.disassemble(&code, pc)
    }

    /// The address at which the next run goes on.
    #[must_use]
    pub const fn pc(&self) -> u64 {
        self.pc
    }

    /// Cycles and launched instructions so far.
    #[must_use]
    pub fn counted(&self) -> (u64, u64) {
        (self.clock.cycles, self.clock.instructions)
    }

    /// The host changed memory: forgets what was made from code there.
    pub fn host_wrote(&mut self, ram: &mut Ram, address: u32, size: u32) {
        if ram.is_code(address, size) {
            self.next = None;
            self.forget(ram);
        }
    }

    /// Lets the next run go on at another address, after a stop that the host has dealt with.
    pub fn go_on_at(&mut self, pc: u64) {
        (self.pc, self.pending, self.next) = (pc, 0, None);
        self.find_context();
    }

    /// What was spent by calling context, callers before callees; nothing if nobody asked for it.
    #[must_use]
    pub fn contexts(&self) -> Vec<ContextProfile> {
        self.contexts
            .as_ref()
            .map_or_else(Vec::new, |contexts| contexts.profile(&self.cache.blocks))
    }

    /// What was spent, by block; nothing where contexts are told apart.
    #[must_use]
    pub fn profile(&self) -> Vec<BlockProfile> {
        self.cache.profile()
    }

    /// Runs until the machine stops, or a block starts in cycle `limit` or later. After the latter,
    /// another call goes on where this one ended.
    pub fn run(&mut self, ram: &mut Ram, bus: &mut dyn Bus, limit: u64) -> Stop {
        let mut index = match self.start(ram, bus) {
            Ok(index) => index,
            Err(stop) => return *stop,
        };
        loop {
            if self.clock.cycles >= limit {
                self.next = Some(index);
                return *self.stopped(StopCause::CycleLimit);
            }
            let was_compiled = self.begins(index);
            let (from, went) = if was_compiled {
                self.region(index, ram, bus, limit)
            } else {
                self.step(index, ram, bus)
            };
            let next = match went {
                Ok(link) => self.follow(from, link, ram, bus),
                Err(stop) => return *stop,
            };
            index = match next {
                Ok(index) => index,
                Err(stop) => return *stop,
            };
            if was_compiled {
                self.arrived(index);
            }
        }
    }

    /// The block to go on with, after reset at first.
    fn start(&mut self, ram: &mut Ram, bus: &dyn Bus) -> Result<u32, Box<Stop>> {
        if self.clock.cycles == 0 {
            let code = Code { ram, bus, boundaries: &self.boundaries, single: false, cut: None };
            self.clock.cycles = self.timing.reset(self.pc, &code);
        }
        self.next.take().map_or_else(|| self.enter(ram, bus), Ok)
    }

    fn begins(&self, index: u32) -> bool {
        self.backend.as_ref().is_some_and(|backend| backend.begins(index))
    }

    /// Compiled code led to a block. Where that happens again and again a region should begin.
    fn arrived(&mut self, index: u32) {
        if self.begins(index) {
            return;
        }
        let block = &mut self.cache.blocks[index as usize];
        block.arrivals = block.arrivals.wrapping_add(1);
        if let (ARRIVALS, Some(backend)) = (block.arrivals, &mut self.backend) {
            backend.compile(&Blocks(&self.cache), index, true);
        }
    }

    /// Interprets a block; its number, and what leads on from there.
    fn step(
        &mut self,
        index: u32,
        ram: &mut Ram,
        bus: &mut dyn Bus,
    ) -> (u32, Result<Link, Box<Stop>>) {
        if let Some(trace) = &mut self.trace {
            trace.push(Launch { cycle: self.clock.cycles, pc: self.pc });
        }
        (index, self.block(index, ram, bus))
    }

    /// Runs one block; on success `pc` is the next address, and the result what leads there.
    fn block(&mut self, index: u32, ram: &mut Ram, bus: &mut dyn Bus) -> Result<Link, Box<Stop>> {
        self.block_from(index, None, self.clock.cycles, ram, bus)
    }

    /// Runs a block that began in cycle `began`, from its instruction `at` on, to whose cost nothing
    /// is to be added any more, or else from its beginning.
    fn block_from(
        &mut self,
        index: u32,
        at: Option<u8>,
        began: u64,
        ram: &mut Ram,
        bus: &mut dyn Bus,
    ) -> Result<Link, Box<Stop>> {
        let block = &mut self.cache.blocks[index as usize];
        let (cells, clock, caches) = (&mut self.cells, &mut self.clock, &mut self.caches);
        let outside = Outside { ram: &mut *ram, bus: &mut *bus };
        let code = match at {
            None => &block.code[..],
            Some(at) => &block.plain[block.moments[usize::from(at)].code as usize..],
        };
        let mut elsewhere = 0;
        let contexts = self.contexts.as_deref_mut();
        let mut context = Context { clock, outside, caches, elsewhere: &mut elsewhere, contexts };
        block.heat = block.heat.wrapping_add(1);
        let broken = interpret(block, code, cells, &mut context);
        block.elsewhere |= elsewhere;
        if let Err(Break { at, why }) = broken {
            return self.leave_early(index, at, why, began, ram, bus);
        }
        let (target, cycles, link) = match block.way {
            Way::To(pc) => (pc, block.cycles, Link::Fixed(0)),
            Way::Branch { condition: c, width, a, b, taken, next } => {
                if condition(c, width, operand(&self.cells, a), operand(&self.cells, b)) {
                    (taken, block.taken, Link::Fixed(1))
                } else {
                    (next, block.cycles, Link::Fixed(0))
                }
            }
            Way::Computed(target) => (operand(&self.cells, target), block.cycles, Link::Computed),
            Way::Stop(kind) => return Err(self.stop_at_end(index, kind, began)),
        };
        self.left = self.clock.cycles;
        self.clock.cycles += u64::from(cycles);
        self.clock.instructions += u64::from(block.count);
        let counts = match &mut self.contexts {
            None => &mut self.cache.counts[..],
            Some(contexts) => contexts.current_counts(),
        };
        counts[block.place as usize]
            .add(Count { executions: 1, cycles: self.clock.cycles - began });
        self.pc = target;
        self.pending = block.leaves[usize::from(matches!(link, Link::Fixed(1)))];
        if block.heat & (self.poll - 1) == 0 {
            self.warm(index);
        }
        Ok(link)
    }

    /// Lets the back end take in what it compiled, and offers it this block if it is hot by now.
    #[cold]
    fn warm(&mut self, index: u32) {
        let Some(backend) = &mut self.backend else { return };
        backend.poll();
        let heat = self.cache.blocks[index as usize].heat;
        if heat >= self.hot && heat.is_power_of_two() {
            backend.compile(&Blocks(&self.cache), index, false);
        }
    }

    /// Runs the compiled region that begins with a block.
    fn region(
        &mut self,
        index: u32,
        ram: &mut Ram,
        bus: &mut dyn Bus,
        limit: u64,
    ) -> (u32, Result<Link, Box<Stop>>) {
        let Some(backend) = &mut self.backend else { return (index, Ok(Link::Block(index))) };
        let mut state = State {
            cells: &mut self.cells,
            clock: &mut self.clock,
            outside: Outside { ram: &mut *ram, bus: &mut *bus },
            caches: &mut self.caches,
            counts: &mut self.cache.counts,
            contexts: self.contexts.as_deref_mut(),
            limit,
        };
        let left = backend.run(index, &mut state);
        match left {
            Left::Link { from, link, exit } => (from, Ok(self.compiled_link(from, link, exit))),
            Left::Computed { from, target } => {
                self.arrive(from, target, 0);
                (from, Ok(Link::Computed))
            }
            Left::Near { block } => (block, self.block_near(block, ram, bus, limit)),
            Left::Resume { block, at, began, again } => {
                if let Some(head) = again {
                    backend.compile(&Blocks(&self.cache), head, true);
                }
                (block, self.block_from(block, Some(at), began, ram, bus))
            }
            Left::Broken { block, at, began, why } => {
                (block, self.leave_early(block, at, why, began, ram, bus))
            }
        }
    }

    /// The interpreter runs the blocks for which compiled code does not look at the limit closely
    /// enough.
    fn block_near(
        &mut self,
        index: u32,
        ram: &mut Ram,
        bus: &mut dyn Bus,
        limit: u64,
    ) -> Result<Link, Box<Stop>> {
        let block = &self.cache.blocks[index as usize];
        (self.pc, self.pending) = (block.start, block.pending);
        if self.clock.cycles >= limit {
            return Ok(Link::Block(index));
        }
        self.block(index, ram, bus)
    }

    fn compiled_link(&mut self, from: u32, link: u8, exit: u32) -> Link {
        let block = &self.cache.blocks[from as usize];
        let target = match block.way {
            Way::To(target) => target,
            Way::Branch { taken, next, .. } => {
                if link == 1 {
                    taken
                } else {
                    next
                }
            }
            Way::Computed(_) | Way::Stop(_) => block.end,
        };
        self.arrive(from, target, link);
        let known = self.cache.blocks[from as usize].links[usize::from(link)];
        if known != u32::MAX
            && let Some(backend) = &mut self.backend
        {
            backend.link(exit, known);
        }
        Link::Fixed(usize::from(link))
    }

    /// Compiled code has left a block at its end.
    fn arrive(&mut self, from: u32, target: u64, link: u8) {
        let block = &self.cache.blocks[from as usize];
        let foreseen = if link == 1 { block.taken } else { block.cycles };
        self.left = self.clock.cycles.wrapping_sub(u64::from(foreseen));
        self.pc = target;
        self.pending = block.leaves[usize::from(link)];
    }

    /// Finds the block that comes next, through the link if it was followed before.
    fn follow(
        &mut self,
        from: u32,
        link: Link,
        ram: &mut Ram,
        bus: &mut dyn Bus,
    ) -> Result<u32, Box<Stop>> {
        let link = match link {
            Link::Fixed(link) => link,
            Link::Computed => return self.follow_computed(from, ram, bus),
            Link::Block(index) => return Ok(index),
            Link::Address => {
                self.find_context();
                return self.enter(ram, bus);
            }
        };
        let block = &self.cache.blocks[from as usize];
        let known = block.links[link];
        if known != u32::MAX {
            self.transfer(from, link);
            return Ok(known);
        }
        if block.way == Way::To(block.start) && block.code.is_empty() {
            return Err(self.stopped(StopCause::Deadlock));
        }
        let index = self.enter_from(from, ram, bus)?;
        self.cache.blocks[from as usize].links[link] = index;
        self.transfer(from, link);
        Ok(index)
    }

    /// Tells contexts that a link of a block was followed to `pc`.
    fn transfer(&mut self, from: u32, link: usize) {
        if let Some(contexts) = &mut self.contexts {
            let source = &self.cache.blocks[from as usize].source;
            contexts.go(source.flows[link], source.jump, self.pc);
        }
    }

    /// Makes sure that the context is one of the function at `pc`, where no link led there.
    fn find_context(&mut self) {
        if let Some(contexts) = &mut self.contexts {
            contexts.enter(self.pc);
        }
    }

    /// The block at `pc`, to which block `from` leads. A target that no instruction can start at is
    /// found at another time than the one at which the next instruction would have been launched.
    fn enter_from(&mut self, from: u32, ram: &mut Ram, bus: &dyn Bus) -> Result<u32, Box<Stop>> {
        self.enter(ram, bus).map_err(|stop| match stop.cause {
            StopCause::UnalignedJump { .. } => {
                let refused = self.cache.blocks[from as usize].refused;
                Box::new(Stop { cycles: self.left + u64::from(refused), ..*stop })
            }
            _ => stop,
        })
    }

    fn follow_computed(
        &mut self,
        from: u32,
        ram: &mut Ram,
        bus: &mut dyn Bus,
    ) -> Result<u32, Box<Stop>> {
        let index = self.enter_from(from, ram, bus)?;
        let entry = u64::from(self.cache.blocks[index as usize].entry);
        self.clock.cycles += entry;
        let place = self.cache.blocks[from as usize].place;
        self.counts()[place as usize].cycles += entry;
        self.cache.blocks[from as usize].lead(index);
        self.transfer(from, 0);
        if let Some(backend) = &mut self.backend {
            backend.computed(self.pending, self.pc, index, entry as u32);
        }
        Ok(index)
    }

    /// The block at `pc`, translated now if it was not before.
    fn enter(&mut self, ram: &mut Ram, bus: &dyn Bus) -> Result<u32, Box<Stop>> {
        if let Some(index) = self.cache.find((self.pc, self.mode, self.pending)) {
            return Ok(index);
        }
        let Cuts { everywhere: single, at } = &self.cuts;
        let boundaries = if at.is_empty() { &self.boundaries[..] } else { at };
        let code = Code { ram, bus, boundaries, single: *single, cut: None };
        let block = match self.frontend.lift(&code, self.pc, self.mode) {
            Ok(block) => block,
            Err(error) => return Err(self.stopped(lift_cause(error))),
        };
        let translated = self.translate(block, ram, bus);
        Ok(self.cache.insert(translated))
    }

    /// What was spent, by place.
    fn counts(&mut self) -> &mut [Count] {
        match &mut self.contexts {
            None => &mut self.cache.counts,
            Some(contexts) => contexts.current_counts(),
        }
    }

    fn translate(&mut self, block: Block, ram: &mut Ram, bus: &dyn Bus) -> Translated {
        let code = Code { ram, bus, boundaries: &self.boundaries, single: false, cut: None };
        let mut cost = self.timing.cost(&block, &code, ram.data_wait, self.pending);
        let mut block = block;
        let number = self.cache.blocks.len() as u32;
        let (mut place, mut flows) = (number, Default::default());
        let (mut jump, mut function) = Default::default();
        if let Some(contexts) = &mut self.contexts {
            if let Some(cut) = dynamic(&block, &cost) {
                let code = Code { cut: Some(cut), ..code };
                if let Ok(shorter) = self.frontend.lift(&code, block.start, self.mode) {
                    cost = self.timing.cost(&shorter, &code, ram.data_wait, self.pending);
                    block = shorter;
                }
            }
            (place, flows) = (contexts.place(block.start, number), contexts.flows(&block));
            (jump, function) = contexts.jump(&block, place);
        }
        let data_cache = self.caches.data.is_some();
        let source = Arc::new(Source { block, cost, place, flows, jump, function });
        let translated = translate(source, self.pending, &*self.frontend, data_cache);
        mark(&translated, ram);
        translated
    }

    /// The instruction at `pc` as the core has already taken it in, if it has.
    fn taken_in(&self, ram: &Ram, bus: &dyn Bus) -> Option<Block> {
        let code = Code { ram, bus, boundaries: &self.boundaries, single: true, cut: None };
        let ahead = self.timing.fetches_ahead();
        ahead.then(|| self.frontend.lift(&code, self.pc, self.mode).ok())?
    }

    fn leave_early(
        &mut self,
        index: u32,
        at: u8,
        why: Refusal,
        began: u64,
        ram: &mut Ram,
        bus: &dyn Bus,
    ) -> Result<Link, Box<Stop>> {
        let block = &self.cache.blocks[index as usize];
        match why {
            Refusal::Stop(cause) => {
                self.pc = block.moments[usize::from(at)].pc;
                self.clock.instructions += u64::from(at) + 1;
                self.clock.cycles = shown(cause).unwrap_or(self.clock.cycles);
                self.left_within(index, at, began);
                Err(self.stopped(cause))
            }
            Refusal::Missed { cycles, pending } => {
                let moment = block.moments[usize::from(at)];
                (self.pc, self.pending) = (moment.pc, pending);
                let passed = i64::from(moment.launch) + i64::from(cycles);
                self.clock.cycles = self.clock.cycles.wrapping_add_signed(passed);
                self.clock.instructions += u64::from(at);
                self.left_before(index, at, began);
                if let Some(trace) = &mut self.trace {
                    // It is launched anew.
                    trace.pop();
                }
                Ok(Link::Address)
            }
            Refusal::CodeWritten { address, width, value } => {
                let next = usize::from(at) + 1;
                let (pc, cycles) = block
                    .moments
                    .get(next)
                    .map_or((block.end, block.cycles), |moment| (moment.pc, moment.launch));
                self.pc = pc;
                self.pending = 0;
                self.clock.cycles += u64::from(cycles);
                self.clock.instructions += next as u64;
                self.left_within(index, at, began);
                let ahead = self.taken_in(ram, bus);
                ram.write(address, width, value);
                self.forget(ram);
                Ok(ahead.map_or(Link::Address, |block| {
                    let translated = self.translate(block, ram, bus);
                    Link::Block(self.cache.insert_unlisted(translated))
                }))
            }
        }
    }

    /// Counts a block that was left before its instruction `at`. It is not entered again if that is
    /// its first one: the block that follows is.
    fn left_before(&mut self, index: u32, at: u8, began: u64) {
        let block = &self.cache.blocks[index as usize];
        let cycles = self.clock.cycles.saturating_sub(began);
        let executions = u64::from(at != 0);
        match &mut self.contexts {
            None => self.cache.counts[block.place as usize].add(Count { executions, cycles }),
            Some(contexts) => contexts.left_before(&block.source, usize::from(at), cycles),
        }
    }

    /// Counts a block that was left behind its instruction `at`.
    fn left_within(&mut self, index: u32, at: u8, began: u64) {
        let block = &self.cache.blocks[index as usize];
        let cycles = self.clock.cycles - began;
        match &mut self.contexts {
            None => self.cache.counts[block.place as usize].add(Count { executions: 1, cycles }),
            Some(contexts) => contexts.left(&block.source, usize::from(at), cycles),
        }
    }

    /// Forgets everything that was made from code.
    fn forget(&mut self, ram: &mut Ram) {
        if let Some(contexts) = &mut self.contexts {
            contexts.settle(&self.cache.blocks);
        }
        self.cache.clear();
        ram.forget_code();
        if let Some(backend) = &mut self.backend {
            backend.forget();
        }
    }

    #[allow(clippy::unnecessary_box_returns)] // As below.
    fn stop_at_end(&mut self, index: u32, kind: StopKind, began: u64) -> Box<Stop> {
        let block = &mut self.cache.blocks[index as usize];
        self.pc = block.moments.last().map_or(block.start, |moment| moment.pc);
        self.clock.cycles += u64::from(block.cycles);
        self.clock.instructions += u64::from(block.count);
        let (place, cycles) = (block.place, self.clock.cycles - began);
        self.counts()[place as usize].add(Count { executions: 1, cycles });
        self.stopped(StopCause::Instruction(kind))
    }

    /// In a box, since what a block gives back must be small: it is copied after every block.
    #[allow(clippy::unnecessary_box_returns)] // What it goes into is copied often, this is not.
    fn stopped(&self, cause: StopCause) -> Box<Stop> {
        let Clock { cycles, instructions, .. } = self.clock;
        Box::new(Stop { cause, pc: self.pc, cycles, instructions })
    }

    /// Sets a cell of the guest state.
    pub fn set_cell(&mut self, index: usize, value: u64) {
        debug_assert!(index < usize::from(zero_cell(&*self.frontend)));
        self.cells[index] = value;
    }
}

/// Where a block must be cut so that what its cost depends on is its last instruction's.
fn dynamic(block: &Block, cost: &BlockCost) -> Option<u64> {
    let found = cost.insns.iter().position(|insn| insn.extra.is_some() || insn.miss != 0)?;
    block.insns.get(found + 1).map(|insn| insn.pc)
}

/// Remembers what a block was made from; its cost may depend on the instruction that comes next.
/// Behind a jump that is always taken there may be data, which does not matter.
fn mark(block: &Translated, ram: &mut Ram) {
    let mut mark = |from: u64, to: u64| {
        if ram.contains(from as u32) {
            ram.mark_code(from as u32..to as u32);
        }
    };
    mark(block.start, block.end);
    match block.way {
        Way::To(target) => mark(target, target + 4),
        Way::Branch { taken, next, .. } => {
            mark(taken, taken + 4);
            mark(next, next + 4);
        }
        Way::Computed(_) | Way::Stop(_) => {}
    }
}

/// The number of cycles that have passed when the machine shows that it stopped.
fn shown(cause: StopCause) -> Option<u64> {
    match cause {
        StopCause::Exit { cycle, .. } | StopCause::BusFault { cycle, .. } => Some(cycle + 1),
        // The core's `trap` output rises one cycle after the request.
        StopCause::Unaligned { cycle, .. } => Some(cycle + 2),
        _ => None,
    }
}

fn lift_cause(error: LiftError) -> StopCause {
    match error {
        LiftError::Unmapped { address } => StopCause::FetchFault { address: address as u32 },
        LiftError::Unaligned { address } => StopCause::UnalignedJump { address: address as u32 },
    }
}

/// The code as front end and timing model see it.
struct Code<'a> {
    ram: &'a Ram,
    bus: &'a dyn Bus,
    boundaries: &'a [u64],
    single: bool,
    /// One more boundary.
    cut: Option<u64>,
}

impl CodeMemory for Code<'_> {
    fn unit(&self, address: u64) -> Option<u16> {
        let address = address as u32;
        match self.ram.get(address, 2) {
            Some(&[low, high]) => Some(u16::from_le_bytes([low, high])),
            _ => self.bus.code_unit(address),
        }
    }

    fn fetch_wait(&self, address: u64) -> u32 {
        let address = address as u32;
        if self.ram.contains(address) { self.ram.fetch_wait } else { self.bus.fetch_wait(address) }
    }

    fn is_boundary(&self, address: u64) -> bool {
        self.single || self.cut == Some(address) || self.boundaries.binary_search(&address).is_ok()
    }
}
