//! A machine: built from a device, loaded with a program, run.

mod attach;
mod host;
mod memory;
mod sampling;
mod start;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use cocrypt_config as config;
use cocrypt_engine::{
    Bus as _, ContextProfile, Contexts, Engine, Issue, Ram, Rom, Stop, StopCause, Upcoming,
};
use cocrypt_isa::{Core, CoreError, InstructionKind, InstructionSet, RegisterFile};
use cocrypt_jit::{Jit, Keeping, Options};

use crate::bus::{SystemBus, Target};
use crate::chip::Chip;
use crate::coprocessor::{Coprocessor, Hardware, Polling, Transfers};
use crate::core;
use crate::guest::{Guest, GuestCode, GuestSpent};
use crate::link::{self, Link, Packet, Sent};
use crate::multiplier::Multiplier;
use crate::network::Outside;
use crate::polls::{Turns, Unclear};
use crate::semihosting::{Answer, Facts, Host};
use crate::timer::ChipTimer;
use crate::watch::Transfer;
use crate::window::Window;

use attach::Attach;
pub use host::Fault;
use memory::Alias;

/// The reason for which a machine could not be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// The core is not one that we have.
    #[error(transparent)]
    Core(#[from] CoreError),
    /// There is nowhere to put a coprocessor.
    #[error(
        "the device `{device}` has no free {port} for the coprocessor `{coprocessor}`; add a [[peripheral]] of kind \"{kind}\" to it"
    )]
    NoWindow {
        /// The device.
        device: String,
        /// The coprocessor.
        coprocessor: String,
        /// The missing port: a window, or a link.
        port: &'static str,
        /// The kind of peripheral that is one.
        kind: &'static str,
    },
    /// The core has no links.
    #[error(
        "the core of `{0}` has no instructions for links; take each [[peripheral]] of kind \"link\" out of the device"
    )]
    NoLinks(String),
    /// The device has no memory.
    #[error("the device `{0}` has no memory")]
    NoMemory(String),
}

/// A program does not fit the device's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no memory of the device holds the {size} bytes at {address:#010x}")]
pub struct LoadError {
    /// The address for the bytes.
    pub address: u32,
    /// The number of them.
    pub size: usize,
}

/// The cycles spent between two region starts (functions, as a rule).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RegionProfile {
    /// Address of the region.
    pub start: u64,
    /// The number of times that its first instruction was reached as the start of a block.
    pub entries: u64,
    /// Cycles spent in it, waiting included, callees left out.
    pub cycles: u64,
    /// Transfers to coprocessors that its instructions made.
    pub transfers: Transfers,
}

/// The waiting of an instruction that polls a coprocessor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PollProfile {
    /// The coprocessor, in the order in which they were attached.
    pub coprocessor: usize,
    /// Address of the instruction.
    pub pc: u64,
    /// Its turns.
    pub turns: Turns,
    /// The addresses of the functions that its loop leads through; nothing where no loop is known.
    pub functions: Option<BTreeSet<u64>>,
}

/// A core with everything around it.
pub struct Machine {
    instructions: &'static InstructionSet,
    engine: Engine,
    ram: Ram,
    bus: SystemBus,
    regions: Arc<[u64]>,
    /// The aliases of memories.
    aliases: Vec<Alias>,
    /// The host that answers the program's calls, if there is one.
    host: Option<Host>,
    facts: Facts,
    /// The first fault that the program has handled.
    fault: Option<Fault>,
    /// Notes for people about its start.
    note: Option<String>,
    /// The final stop, until somebody changes something.
    ended: Option<Stop>,
    /// The program that its program interprets, if that is followed.
    guest: Option<Box<Guest>>,
}

impl Machine {
    /// Builds a machine that comes out of reset at `entry`. `regions` are the addresses at which
    /// functions start, in ascending order.
    ///
    /// # Errors
    /// If the core is unknown or a coprocessor does not fit.
    pub fn new(
        device: &config::Device,
        regions: Arc<[u64]>,
        entry: u64,
        coprocessors: Vec<(config::Coprocessor, Box<dyn Hardware>)>,
    ) -> Result<Self, BuildError> {
        let (instructions, core) = core::build(device)?;
        let Core { frontend, timing, private, timer_line, data_bits, links, .. } = core;
        let [main, beside] = direct(&device.memories);
        let main = main.ok_or_else(|| BuildError::NoMemory(device.name.clone()))?;
        let ram = memory(main).beside(beside.map(constant));
        let mut bus = SystemBus::new(&device.bus, timer_line, data_bits, instructions.elf.order);
        if let Some(private) = private {
            bus.equip(private);
        }
        bus.chip = Chip::new(&device.registers);
        bus.multiplier = device.multiplier.map(Multiplier::new);
        bus.timers = device.timers.iter().map(ChipTimer::new).collect();
        bus.shown = Window::of(device);
        let is_direct = |memory: &config::Memory| [Some(main), beside].contains(&Some(memory));
        for description in device.memories.iter().filter(|memory| !is_direct(memory)) {
            bus.add_memory(description.kind, memory(description));
        }
        let mut aliases = vec![];
        for (alias, description) in
            device.memories.iter().filter_map(|memory| Some((Alias::of(memory)?, memory)))
        {
            let there = alias.memory(description);
            bus.add_memory(config::MemoryKind::Rom, memory(&there));
            aliases.push(alias);
        }
        let mut attach = Attach::new(device, &mut bus, coprocessors);
        attach.windows();
        attach.links(links, main.data_wait)?;
        attach.finish()?;
        let engine = Engine::new(frontend, timing, Arc::clone(&regions), entry);
        let facts = host::facts(device);
        let (host, fault, note, ended) = (None, None, None, None);
        Ok(Self {
            instructions,
            engine,
            ram,
            bus,
            regions,
            aliases,
            host,
            facts,
            fault,
            note,
            ended,
            guest: None,
        })
    }

    /// A machine in the same state, to go on independently of this one; it interprets until it is told
    /// to compile.
    #[must_use]
    pub fn fork(&self) -> Self {
        let mut ram = self.ram.clone();
        ram.forget_code();
        Self {
            instructions: self.instructions,
            engine: self.engine.fork(),
            ram,
            bus: self.bus.clone(),
            regions: Arc::clone(&self.regions),
            aliases: self.aliases.clone(),
            host: self.host.clone(),
            facts: self.facts,
            fault: self.fault.clone(),
            note: self.note.clone(),
            ended: self.ended,
            guest: self.guest.clone(),
        }
    }

    /// Compiles hot code for this host from now on, instead of interpreting it; says whether this
    /// host can. Nothing but speed depends on it, and the profile if `options` does not ask for it.
    pub fn compile(&mut self, options: Options, hot: u32) -> bool {
        self.compile_with(options, hot, None)
    }

    /// The same, with a store of code that earlier machines compiled, and that this one adds to.
    pub fn compile_with(&mut self, options: Options, hot: u32, keeping: Option<Keeping>) -> bool {
        let fixed = self.engine.fixed(&self.ram, self.bus.longest_wait());
        let Ok(jit) = Jit::with_store(fixed, options, keeping) else { return false };
        self.engine.set_backend(Box::new(jit), hot);
        true
    }

    /// Lets the program reach something outside at its addresses; `offset` is what the outside takes the
    /// first of them for.
    ///
    /// # Errors
    /// Returns the name of the peripheral or memory that occupies the address.
    pub fn reach(
        &mut self,
        base: u32,
        size: u32,
        outside: Arc<dyn Outside>,
        offset: u32,
    ) -> Result<(), &'static str> {
        if let Some(occupant) = self.bus.occupant(&self.ram, base, size) {
            return Err(occupant);
        }
        self.bus.reach(base, size, outside, offset);
        Ok(())
    }

    /// Lets the store of a byte at an address end the program, with 0.
    pub fn end_by(&mut self, address: u32, byte: u8) {
        self.bus.ends = Some((address, byte));
    }

    /// Plugs the link of a network in, as the node of a number; `base` is its first address.
    ///
    /// # Errors
    /// Returns the name of the peripheral or memory that occupies the address.
    pub fn plug_in(&mut self, base: u32, number: u32) -> Result<(), &'static str> {
        if let Some(occupant) = self.bus.occupant(&self.ram, base, link::SIZE) {
            return Err(occupant);
        }
        self.bus.map(base, link::SIZE, Target::Link);
        self.bus.link = Some(Link::new(number));
        Ok(())
    }

    /// The greatest number of cycles that the program waits for a packet, if it does.
    #[must_use]
    pub fn waits(&self) -> Option<u32> {
        self.bus.link.as_ref()?.patience
    }

    /// Lets a program that waits go on in a cycle, or at once if that is over, with a packet or without.
    pub fn answer(&mut self, cycle: u64, packet: Option<Packet>) {
        if let Some(link) = &mut self.bus.link {
            link.open(packet);
            self.ended = None;
            self.engine.pass(cycle);
        }
    }

    /// Takes the packets that the program has sent since the last call.
    #[must_use]
    pub fn sent(&mut self) -> Vec<Sent> {
        self.bus.link.as_mut().map(Link::sent).unwrap_or_default()
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }

    pub(crate) fn ram(&self) -> &Ram {
        &self.ram
    }

    /// The memories beside the directly mapped one.
    pub(crate) fn held(&self) -> impl Iterator<Item = (config::MemoryKind, u32, &[u8])> {
        self.bus.held()
    }

    pub(crate) fn target(&self, address: u32) -> Option<Target> {
        self.bus.target(address)
    }

    /// Runs until the machine stops, or a block starts in cycle `limit` or later; after the latter,
    /// another call goes on. Once it has stopped for another reason, it stays so.
    pub fn run(&mut self, limit: u64) -> Stop {
        if let Some(mut guest) = self.guest.take() {
            let stop = guest.run(self, limit);
            self.guest = Some(guest);
            return stop;
        }
        self.go(|engine, ram, bus| engine.run(ram, bus, limit))
    }

    /// The same without compiled code, halting before what `halts` says, but not before what comes
    /// first, which it is shown too. What it is shown is single instructions, or blocks, as `cut` said.
    pub fn debug(&mut self, limit: u64, halts: &mut dyn FnMut(&Upcoming<'_>) -> bool) -> Stop {
        let (_, began) = self.engine.counted();
        self.go(|engine, ram, bus| engine.debug(ram, bus, limit, began, halts))
    }

    /// Goes back to the state of the machine from which this one was forked, and keeps what was translated
    /// and compiled since, as far as it still holds: in place of another fork, which would begin without.
    pub fn rewind(&mut self, to: &Self) {
        let is_other_code = self.engine.has_code_beside(&self.ram) && !self.held().eq(to.held());
        let changed = self.ram.restore(&to.ram) || is_other_code;
        self.bus = to.bus.clone();
        self.host.clone_from(&to.host);
        self.fault.clone_from(&to.fault);
        self.note.clone_from(&to.note);
        self.ended = to.ended;
        self.guest.clone_from(&to.guest);
        self.engine.rewind(&to.engine, &mut self.ram, changed);
    }

    fn go(&mut self, mut run: impl FnMut(&mut Engine, &mut Ram, &mut SystemBus) -> Stop) -> Stop {
        if let Some(stop) = self.ended {
            return stop;
        }
        let stop = self.served(&mut run);
        let goes_on = matches!(stop.cause, StopCause::CycleLimit | StopCause::Halted);
        self.ended = (!goes_on).then_some(stop);
        stop
    }

    /// Runs, answers the program's calls to its host, and goes on in its handlers of exceptions.
    fn served(
        &mut self,
        run: &mut impl FnMut(&mut Engine, &mut Ram, &mut SystemBus) -> Stop,
    ) -> Stop {
        loop {
            let stop = run(&mut self.engine, &mut self.ram, &mut self.bus);
            match self.answered(&stop) {
                None => {
                    let fault = self.as_fault(&stop);
                    if let Err(stop) = self.engine.handle(&mut self.ram, &mut self.bus, &stop) {
                        return stop;
                    }
                    self.note_fault(fault);
                }
                Some((_, Answer::Unknown)) => return stop,
                Some((call, Answer::Return(value))) => self.go_on_behind(call, &stop, value),
                Some((_, Answer::Exit(code))) => {
                    let cause = StopCause::Exit { code, cycle: stop.cycles };
                    return Stop { cause, ..stop };
                }
            }
        }
    }

    /// Cuts what is run in pieces: single instructions if `everywhere`, or else also at these
    /// addresses.
    pub fn cut(&mut self, everywhere: bool, addresses: &[u64]) {
        self.engine.cut(&mut self.ram, everywhere, addresses);
    }

    /// Looks at what comes next; nothing if the machine has stopped or stops there.
    pub fn upcoming<T>(&mut self, look: impl FnOnce(&Upcoming<'_>) -> T) -> Option<T> {
        if self.ended.is_some() {
            return None;
        }
        self.engine.next(&mut self.ram, &self.bus, look)
    }

    /// The address of the instruction that comes next, or at which the machine stopped.
    #[must_use]
    pub fn pc(&self) -> u64 {
        self.ended.map_or_else(|| self.engine.pc(), |stop| stop.pc)
    }

    /// Lets the machine go on at another address, even if it had stopped.
    pub fn go_on_at(&mut self, pc: u64) {
        self.ended = None;
        self.engine.go_on_at(pc);
    }

    /// Sets a register.
    pub fn set_register(&mut self, number: usize, value: u64) {
        self.engine.set_cell(number, value);
    }

    /// Cycles and instructions so far.
    #[must_use]
    pub fn counted(&self) -> (u64, u64) {
        self.ended.map_or_else(|| self.engine.counted(), |stop| (stop.cycles, stop.instructions))
    }

    /// Records transfers to everything but the directly mapped memory from now on.
    pub fn record_transfers(&mut self) {
        self.bus.transfers.get_or_insert_default();
    }

    /// The transfers recorded since the last call.
    #[must_use]
    pub fn recorded(&mut self) -> Vec<Transfer> {
        self.bus.transfers.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Returns true if what was read or executed before decides about cycles: the core or the device has
    /// caches.
    #[must_use]
    pub fn has_caches(&self) -> bool {
        let caches = self.engine.caches();
        caches.instruction.is_some() || caches.data().is_some()
    }

    /// Cycles that a load or store of the directly mapped memory waits, where no cache answers it.
    pub(crate) fn data_wait(&self) -> u64 {
        let cached = self.engine.caches().data().is_some();
        if cached { 0 } else { self.ram.data_wait.into() }
    }

    /// Counts by calling context from now on; to be said before the first run.
    pub fn trace_contexts(&mut self) {
        self.engine.trace_contexts();
    }

    /// Follows the program that this one interprets, too, which takes compiled code; to be said before the
    /// first run, and counts by calling context.
    pub fn follow_guest(&mut self, code: GuestCode) {
        let guest = Guest::new(code);
        self.cut(false, guest.stops());
        self.trace_contexts();
        self.guest = Some(Box::new(guest));
    }

    /// The cost of each instruction of the program that this one interprets, by address; nothing if it is
    /// not followed.
    #[must_use]
    pub fn guest_instructions(&self) -> BTreeMap<u64, GuestSpent> {
        self.guest.as_ref().map(|guest| guest.instructions()).unwrap_or_default()
    }

    pub(crate) fn current_contexts(&mut self) -> Option<&mut Contexts> {
        self.engine.current_contexts()
    }

    /// The cycles and executions by calling context, callers before callees; nothing if nobody asked for
    /// it. An interpreter that is followed has those of its program's methods in place of its own.
    #[must_use]
    pub fn contexts(&self) -> Vec<ContextProfile> {
        let mut contexts = self.engine.contexts();
        if let Some(guest) = &self.guest {
            guest.attribute(&mut contexts);
        }
        contexts
    }

    /// The same with the instructions of the interpreter itself.
    #[must_use]
    pub fn plain_contexts(&self) -> Vec<ContextProfile> {
        self.engine.contexts()
    }

    /// The instruction at an address in assembly.
    #[must_use]
    pub fn disassemble(&self, pc: u64) -> Option<String> {
        self.decoded(pc).map(|(text, _)| text)
    }

    /// The same with its length in bytes.
    #[must_use]
    pub fn decoded(&self, pc: u64) -> Option<(String, u8)> {
        self.engine.disassemble(&self.ram, &self.bus, pc)
    }

    /// The effect of the instruction at an address on the device's energy.
    #[must_use]
    pub fn kind(&self, pc: u64) -> InstructionKind {
        self.engine.kind(&self.ram, &self.bus, pc)
    }

    /// Counts from now on how many bits of the coprocessors change, at the price of speed.
    pub fn count_toggles(&mut self) {
        self.bus.coprocessors.iter_mut().for_each(Coprocessor::count_toggles);
    }

    /// Transfers to peripherals so far, and those among them that continued a burst.
    #[must_use]
    pub fn moved(&self) -> (u64, u64) {
        self.bus.moved
    }

    /// The polling of each coprocessor so far.
    #[must_use]
    pub fn polling(&self) -> Vec<Polling> {
        self.bus.coprocessors.iter().map(Coprocessor::polling).collect()
    }

    /// The loops in which the program waited for coprocessors.
    #[must_use]
    pub fn polls(&self) -> Vec<PollProfile> {
        let found: Vec<_> = self.bus.polls.found().collect();
        let from: Vec<u64> = found.iter().map(|((_, pc), _)| *pc).collect();
        let functions = self.engine.functions_of_turns(&from);
        let both = found.into_iter().zip(functions);
        both.map(|(((coprocessor, pc), turns), functions)| PollProfile {
            coprocessor,
            pc,
            turns,
            functions,
        })
        .collect()
    }

    /// Of each coprocessor, why nobody can tell if the program waited for it; nothing where one can.
    #[must_use]
    pub fn unclear_polls(&self) -> Vec<Option<Unclear>> {
        (0..self.bus.coprocessors.len()).map(|number| self.bus.polls.unclear(number)).collect()
    }

    /// Of each coprocessor, how many bits have changed since they are counted; nothing where they cannot
    /// be, as in a design in Verilog.
    #[must_use]
    pub fn toggles(&self) -> Vec<Option<u64>> {
        self.bus.coprocessors.iter().map(Coprocessor::toggles).collect()
    }

    /// Records every issued instruction from now on, at the price of speed.
    pub fn trace_issues(&mut self) {
        self.engine.trace_issues();
    }

    /// The issues recorded so far.
    #[must_use]
    pub fn issued(&self) -> &[Issue] {
        self.engine.issued()
    }

    /// The instruction set of the core.
    #[must_use]
    pub const fn instructions(&self) -> &'static InstructionSet {
        self.instructions
    }

    /// The debugger's view of the core's registers.
    #[must_use]
    pub fn register_file(&self) -> RegisterFile {
        self.engine.frontend().register_file()
    }

    /// The status register, where the register file has one.
    #[must_use]
    pub fn status(&self) -> u32 {
        self.engine.frontend().status(self.engine.cells(), self.engine.mode())
    }

    /// Sets the flags of the status register.
    pub fn set_status(&mut self, status: u32) {
        for (cell, value) in self.engine.frontend().with_status(status) {
            self.engine.set_cell(cell.0.into(), value);
        }
    }

    /// The core's registers.
    #[must_use]
    pub fn registers(&self) -> &[u64] {
        &self.engine.cells()[..self.instructions.registers.len()]
    }

    /// The lowest value that the stack pointer took, if it ever moved.
    #[must_use]
    pub fn lowest_stack(&self) -> Option<u32> {
        self.engine.lowest_stack()
    }

    /// Forgets how low the stack pointer was, so that from now on another lowest value counts.
    pub fn forget_stack(&mut self) {
        self.engine.forget_stack();
    }

    /// The program's output to the console.
    #[must_use]
    pub fn console(&self) -> &[u8] {
        self.bus.console.written()
    }

    /// Gives the program characters to read from the console, behind those that it has not read yet.
    pub fn type_in(&mut self, characters: &[u8]) {
        self.bus.console.type_in(characters);
    }

    /// Cycle and value of each mark that the program set.
    #[must_use]
    pub fn marks(&self) -> &[(u64, u32)] {
        &self.bus.marks
    }

    /// All transfers of each coprocessor, in the order in which they were attached.
    #[must_use]
    pub fn transfers(&self) -> Vec<Transfers> {
        let sum = |coprocessor: &Coprocessor| {
            let mut sum = Transfers::default();
            coprocessor.transfers().values().for_each(|transfers| sum.add(transfers));
            sum
        };
        self.bus.coprocessors.iter().map(sum).collect()
    }

    /// The failures inside coprocessors while they ran: a table read past its end, say.
    #[must_use]
    pub fn faults(&self) -> Vec<String> {
        self.bus.coprocessors.iter().filter_map(Coprocessor::fault).collect()
    }

    /// The cycles spent in each region, regions without any left out.
    #[must_use]
    pub fn profile(&self) -> Vec<RegionProfile> {
        let mut profile: Vec<RegionProfile> = self
            .regions
            .iter()
            .map(|&start| RegionProfile { start, ..RegionProfile::default() })
            .collect();
        for context in self.engine.contexts() {
            for (&pc, spent) in &context.instructions {
                if let Some(region) = region(&mut profile, pc) {
                    region.cycles = region.cycles.wrapping_add(spent.cycles); // As `Count`.
                }
            }
            let entered = context.function.filter(|_| context.guest.is_none());
            if let Some(region) = entered.and_then(|start| region(&mut profile, start)) {
                region.entries += context.calls;
            }
        }
        for block in self.engine.profile() {
            if let Some(region) = region(&mut profile, block.start) {
                region.cycles = region.cycles.wrapping_add(block.cycles);
                if region.start == block.start {
                    region.entries += block.executions;
                }
            }
        }
        for coprocessor in &self.bus.coprocessors {
            for (pc, transfers) in coprocessor.transfers() {
                if let Some(region) = region(&mut profile, pc) {
                    region.transfers.add(&transfers);
                }
            }
        }
        profile.retain(|region| region.cycles != 0);
        profile
    }
}

/// The region that an address belongs to.
fn region(profile: &mut [RegionProfile], address: u64) -> Option<&mut RegionProfile> {
    let behind = profile.partition_point(|region| region.start <= address);
    profile[..behind].last_mut()
}

/// The memories that the engine reaches without asking the bus: the first that programs write, and the
/// first that they only read.
fn direct(memories: &[config::Memory]) -> [Option<&config::Memory>; 2] {
    let first = |kind| memories.iter().find(|memory| memory.kind == kind);
    [first(config::MemoryKind::Ram), first(config::MemoryKind::Rom)]
}

fn constant(description: &config::Memory) -> Rom {
    let config::Memory { base, size, fetch_wait, data_wait, .. } = *description;
    Rom::new(base as u32, size as u32, fetch_wait, data_wait)
}

fn memory(description: &config::Memory) -> Ram {
    Ram::new(
        description.base as u32,
        description.size as u32,
        description.fetch_wait,
        description.data_wait,
    )
}
