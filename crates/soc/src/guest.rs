//! Programs that another program interprets: the cycles of each of their methods and instructions.
//!
//! The interpreter jumps to an address for each instruction of its program; there a register points to that
//! instruction. A method begins behind an instruction that calls, and ends with one that returns, or with an
//! exception, which goes on at a handler in the frame that the interpreter has on top of its stack then.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use cocrypt_engine::{ContextProfile, Spent, Stop, StopCause, Upcoming};
use cocrypt_ir::Width;

use crate::machine::Machine;

/// What an instruction of the interpreted program does to the stack of methods.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GuestInstruction {
    /// Nothing.
    #[default]
    Plain,
    /// It may begin methods.
    Call,
    /// It ends its method.
    Return,
}

/// A method of the interpreted program.
#[derive(Clone, Debug)]
pub struct GuestMethod {
    /// The addresses of its instructions.
    pub code: Range<u64>,
    /// Addresses at which exceptions are handled.
    pub handlers: Vec<u64>,
    /// Its instructions by their addresses.
    pub instructions: BTreeMap<u64, GuestInstruction>,
}

/// An interpreter and its program.
#[derive(Clone, Debug)]
pub struct GuestCode {
    /// The addresses at which the interpreter begins an instruction.
    pub stops: Vec<u64>,
    /// The register that points to the instruction there, or behind its beginning.
    pub register: usize,
    /// The bytes by which the register is ahead of the instruction.
    pub ahead: u64,
    /// The address of the instruction by which a run of the interpreter ends.
    pub leave: u64,
    /// The functions by which the interpreter calls native methods.
    pub natives: Vec<u64>,
    /// The address of the word that points to the end of the topmost frame.
    pub top: u32,
    /// Whether that word has its highest byte first.
    pub is_big_endian: bool,
    /// The size of a frame that has just begun, in bytes; one with an exception is `slot` larger.
    pub frame: u32,
    /// The size of a slot of the interpreter's stack, in bytes.
    pub slot: u32,
    /// The methods by their addresses.
    pub methods: Vec<GuestMethod>,
}

/// The cost of an instruction of the interpreted program, without what the interpreter calls for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GuestSpent {
    /// Its executions, and the interpreter's cycles.
    pub spent: Spent,
    /// The cycles among them in which it called a native method.
    pub interface: u64,
}

/// A method under way, or a run of the interpreter, which has no method.
#[derive(Clone, Copy, Debug)]
struct Frame {
    context: u32,
    method: Option<usize>,
    /// Its address on the interpreter's stack; 0 where that is not known.
    base: u64,
}

/// A halt of the interpreter at an instruction of its program.
#[derive(Clone, Copy)]
struct Visit {
    instruction: u64,
    context: u32,
    top: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Breakpoint {
    Stop,
    Native,
}

/// An interpreted program while it is followed.
#[derive(Clone, Debug)]
pub(crate) struct Guest {
    code: GuestCode,
    frames: Vec<Frame>,
    /// The instruction under way; nothing if the next one may begin a method.
    instruction: Option<u64>,
    kind: GuestInstruction,
    spent: BTreeMap<(u32, u64), GuestSpent>,
    meter: Meter,
}

/// The cycles of the instruction under way.
#[derive(Clone, Copy, Debug, Default)]
struct Meter {
    cycle: u64,
    context: u32,
    /// The interpreter's context.
    own: u32,
    spent: u64,
    calls_native: bool,
}

impl Meter {
    /// Cycles up to now belong to the context that ran; another runs from now on.
    fn pass(&mut self, cycle: u64, context: u32) {
        if self.context == self.own {
            self.spent += cycle - self.cycle;
        }
        (self.cycle, self.context) = (cycle, context);
    }
}

impl Guest {
    pub(crate) fn new(code: GuestCode) -> Self {
        Self {
            code,
            frames: vec![],
            instruction: None,
            kind: GuestInstruction::Plain,
            spent: BTreeMap::new(),
            meter: Meter::default(),
        }
    }

    /// Runs a machine as it does without compiled code, and follows the interpreter.
    pub(crate) fn run(&mut self, machine: &mut Machine, limit: u64) -> Stop {
        let breakpoints = self.breakpoints();
        loop {
            let mut visit = None;
            let (meter, code) = (&mut self.meter, &self.code);
            let stop = machine.debug(limit, &mut |upcoming| {
                let breakpoint = breakpoints.get(&upcoming.pc);
                if breakpoint == Some(&Breakpoint::Native) && meter.context == meter.own {
                    meter.calls_native = true;
                }
                meter.pass(upcoming.cycle, upcoming.context);
                visit = (breakpoint == Some(&Breakpoint::Stop)).then(|| visited(code, upcoming));
                visit.is_some()
            });
            let Some(visit) = visit.filter(|_| stop.cause == StopCause::Halted) else {
                self.meter.pass(stop.cycles, self.meter.context);
                self.settle();
                return stop;
            };
            self.visit(visit, machine);
        }
    }

    fn breakpoints(&self) -> HashMap<u64, Breakpoint> {
        let stops = self.code.stops.iter().map(|&stop| (stop, Breakpoint::Stop));
        stops.chain(self.code.natives.iter().map(|&native| (native, Breakpoint::Native))).collect()
    }

    /// Adds what the instruction under way has spent so far.
    fn settle(&mut self) {
        let (Some(instruction), Some(frame)) = (self.instruction, self.frames.last()) else {
            self.meter.spent = 0;
            return;
        };
        let spent = std::mem::take(&mut self.meter.spent);
        let cost = self.spent.entry((frame.context, instruction)).or_default();
        cost.spent.cycles += spent;
        cost.interface += if self.meter.calls_native { spent } else { 0 };
    }

    /// Goes on with the instruction that the interpreter begins.
    fn visit(&mut self, visit: Visit, machine: &mut Machine) {
        self.settle();
        self.synchronise(visit.context, machine);
        if visit.instruction == self.code.leave {
            while self.frames.last().is_some_and(|frame| frame.method.is_some()) {
                self.frames.pop();
            }
            (self.instruction, self.kind) = (None, GuestInstruction::Plain);
        } else if let Some(method) = self.method(visit.instruction) {
            self.arrive(visit, method, machine);
        }
        self.resume(machine);
    }

    /// Leaves the runs of the interpreter that have ended, and enters one that has begun.
    fn synchronise(&mut self, context: u32, machine: &mut Machine) {
        if let Some(depth) = self.frames.iter().rposition(|frame| frame.context == context) {
            if depth + 1 < self.frames.len() {
                self.frames.truncate(depth + 1);
                self.kind = GuestInstruction::Plain;
            }
            return;
        }
        let last = self.frames.last().map(|frame| frame.context);
        // A part of the interpreter that the compiler has made a function of.
        let is_part = machine
            .current_contexts()
            .zip(last)
            .is_some_and(|(contexts, last)| contexts.are_siblings(context, last));
        if !is_part {
            self.frames.push(Frame { context, method: None, base: 0 });
            (self.instruction, self.kind) = (None, GuestInstruction::Plain);
        }
    }

    fn arrive(&mut self, visit: Visit, method: usize, machine: &mut Machine) {
        let code = &self.code.methods[method];
        let is_first = code.code.start == visit.instruction;
        let is_handled = code.handlers.contains(&visit.instruction)
            && self.unwind(method, visit.top.map(|top| top - u64::from(self.code.slot)));
        if !is_handled {
            if self.kind == GuestInstruction::Return {
                self.frames.pop();
            }
            let may_begin = self.instruction.is_none() || self.kind != GuestInstruction::Plain;
            if (may_begin && is_first) || !self.unwind(method, None) {
                self.begin(visit, method, machine);
            }
        }
        self.instruction = Some(visit.instruction);
        let code = &self.code.methods[method];
        self.kind = code.instructions.get(&visit.instruction).copied().unwrap_or_default();
        if let Some(frame) = self.frames.last() {
            let cost = self.spent.entry((frame.context, visit.instruction)).or_default();
            cost.spent.executions += 1;
        }
    }

    fn begin(&mut self, visit: Visit, method: usize, machine: &mut Machine) {
        let start = self.code.methods[method].code.start;
        // What no instruction calls is called by its first one.
        let site = self.instruction.unwrap_or(start);
        let caller = self.frames.last().map_or(visit.context, |frame| frame.context);
        let Some(contexts) = machine.current_contexts() else { return };
        let context = contexts.begin_guest(caller, site, start);
        let base = visit.top.map_or(0, |top| top - u64::from(self.code.frame));
        self.frames.push(Frame { context, method: Some(method), base });
    }

    /// Leaves methods until one is on top, with its frame at the end of the stack if that is given. Returns
    /// false, with all as it was, if it is not under way in this run of the interpreter.
    fn unwind(&mut self, method: usize, end: Option<u64>) -> bool {
        let base = end.map(|end| end.saturating_sub(self.code.frame.into()));
        let run = self.frames.iter().rposition(|frame| frame.method.is_none()).unwrap_or(0);
        let is_there = |frame: &Frame| {
            frame.method == Some(method) && base.is_none_or(|base| [0, base].contains(&frame.base))
        };
        let found = self.frames[run..].iter().rposition(is_there);
        if let Some(depth) = found {
            self.frames.truncate(run + depth + 1);
        }
        found.is_some()
    }

    fn resume(&mut self, machine: &mut Machine) {
        let Some(frame) = self.frames.last() else { return };
        let instruction = self.instruction.unwrap_or(self.code.leave);
        if let Some(contexts) = machine.current_contexts() {
            contexts.resume_guest(frame.context, instruction);
        }
        self.meter.calls_native = false;
        (self.meter.own, self.meter.context) = (frame.context, frame.context);
    }

    /// The method that an address is in.
    fn method(&self, address: u64) -> Option<usize> {
        let behind = self.code.methods.partition_point(|each| each.code.start <= address);
        let number = behind.checked_sub(1)?;
        self.code.methods[number].code.contains(&address).then_some(number)
    }

    /// Gives the contexts of the interpreter the instructions of the methods in place of its own.
    pub(crate) fn attribute(&self, contexts: &mut [ContextProfile]) {
        for context in contexts.iter_mut().filter(|context| context.guest.is_some()) {
            context.function = context.guest;
            context.instructions.clear();
        }
        for (&(context, instruction), cost) in &self.spent {
            // The list leaves the root out.
            let listed = contexts.get_mut((context as usize).wrapping_sub(1));
            if let Some(listed) = listed.filter(|listed| listed.guest.is_some()) {
                listed.instructions.entry(instruction).or_default().add(cost.spent);
            }
        }
    }

    /// The cost of each instruction, in all contexts.
    pub(crate) fn instructions(&self) -> BTreeMap<u64, GuestSpent> {
        let mut costs: BTreeMap<u64, GuestSpent> = BTreeMap::new();
        for (&(_, instruction), cost) in &self.spent {
            let sum = costs.entry(instruction).or_default();
            sum.spent.add(cost.spent);
            sum.interface += cost.interface;
        }
        costs
    }

    /// The addresses at which blocks of the interpreter end.
    pub(crate) fn stops(&self) -> &[u64] {
        &self.code.stops
    }
}

fn visited(code: &GuestCode, upcoming: &Upcoming<'_>) -> Visit {
    let top = upcoming.peek(code.top, Width::W32);
    let swapped = |top: u64| u64::from((top as u32).swap_bytes());
    Visit {
        instruction: upcoming.cell(code.register).wrapping_sub(code.ahead),
        context: upcoming.context,
        top: if code.is_big_endian { top.map(swapped) } else { top },
    }
}
