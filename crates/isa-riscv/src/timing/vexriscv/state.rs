//! The state of the stages, and one instruction's passage through them.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use cocrypt_isa::{InsnCost, PipelineState};

use super::word::Word;

/// The latest cycle in which decode takes in an issued instruction.
pub(super) const IN_TIME: i32 = -1;
/// A cycle so long ago that it does not matter any more.
const LONG_AGO: i32 = -2;

/// The instructions that decode meets on a wrong path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum WrongPathInsn {
    /// Code in this line.
    Line(u32),
    /// A word that makes the cache forget all lines.
    Flush,
}

/// That `fence.i` empties the instruction cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Flush {
    /// The last cycle in which decode holds it.
    pub at: i32,
    /// True if the next instruction is what the fetch stages had taken in before.
    pub next: bool,
}

impl Flush {
    /// That of a `fence.i` which decode holds until `last`, behind another one perhaps. The cache begins
    /// once the fetch stages are empty, and again every other cycle as long as it is asked to
    /// (`lineLoader_flushPending`).
    pub fn behind(other: Option<Self>, last: i32) -> Self {
        match other {
            Some(Self { at, .. }) => Self { at: at + (last - at) / 2 * 2, next: false },
            None => Self { at: last, next: true },
        }
    }
}

/// That decode meets something on a wrong path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct WrongPathEvent {
    pub what: WrongPathInsn,
    /// The cycle.
    pub at: i32,
    /// It comes to it later, or not at all, if an interrupt holds decode in this one.
    pub unless: Option<i32>,
    /// The last cycle in which it can come to it.
    pub until: i32,
}

impl WrongPathEvent {
    /// The event of an instruction that comes to decode when that lets its predecessor go, or until a cycle.
    pub const fn new(what: WrongPathInsn, at: i32, until: i32) -> Self {
        Self { what, at, unless: Some(at - 1), until }
    }

    /// The event of an instruction that is in decode by then whatever interrupts do.
    pub const fn always(what: WrongPathInsn, at: i32) -> Self {
        Self { what, at, unless: None, until: at }
    }

    /// The same, seen from an issue `by` cycles later.
    pub fn later(self, by: i32) -> Self {
        let unless = self.unless.map(|at| at - by);
        Self { at: self.at - by, unless, until: self.until - by, ..self }
    }

    /// The outcome of meetings, one behind the other, if interrupts hold decode in such cycles.
    pub fn held(meetings: &[Self], holds: &dyn Fn(i32) -> bool) -> Vec<Self> {
        let mut later = 0;
        let meets = |meeting: &Self| {
            let Some(unless) = meeting.unless else { return Some(*meeting) };
            while meeting.at + later <= meeting.until && holds(unless + later) {
                later += 1;
            }
            let at = meeting.at + later;
            let unless = (later == 0).then_some(unless);
            (at <= meeting.until).then_some(Self { at, unless, ..*meeting })
        };
        meetings.iter().filter_map(meets).collect()
    }
}

/// A store that a load right behind it may have to wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct RecentStore {
    /// The first and the last cycle in which write-back holds it.
    pub from: i32,
    pub to: i32,
    /// Its width in bytes.
    pub bytes: u32,
}

/// The operand information for which a block was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum OperandInfo {
    /// The shift amount of the instruction, or of its successor if it is a jump.
    Amount(u8),
    /// That it loads past the cache.
    Uncached,
    /// That it accesses an address that its width does not allow.
    Refused,
    /// That what follows it, a jump, has an address that its width does not allow.
    Unaligned,
}

/// The state of the stages at an issue, as far as it matters to what follows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct State {
    /// The first cycle in which memory is not stuck, so that decode moves on.
    pub stuck: i32,
    /// From when on nothing is stuck any more, apart from that cycle: the last in which write-back holds
    /// what was issued before, or -1.
    pub free: i32,
    /// The last cycle that the last access to the bus takes, and the one before it.
    pub bus: [i32; 2],
    /// The first cycle in which a line that comes does not hold up execute any more.
    pub refill: i32,
    /// Registers, and the first cycle in which execute may hold who reads them; ready ones left out.
    pub hazards: Vec<(u32, i32)>,
    /// Stores that loads may meet, the last one first.
    pub stored: Vec<RecentStore>,
    /// The cycle in which decode took in the issued instruction, where that matters: if its line may be
    /// absent.
    pub decoded: i32,
    /// The cycle in which a jump made in memory sent the fetch stages here.
    pub sent: i32,
    /// The cycle of a jump resolved in the memory stage that is late by a cycle if an interrupt holds what
    /// is in decode then, and whether there is something to be held: if decode was held in the cycle
    /// before, and else.
    pub late: Option<(i32, [bool; 2])>,
    /// The state in place of this one, a cycle earlier, if an interrupt held decode in a cycle: what held up
    /// the jump was then not there.
    pub instead: Option<(i32, PipelineState)>,
    /// The wrong path that decode had met until then.
    pub wrong: Vec<WrongPathEvent>,
    /// The event that the fetch stages wait for before they take in more.
    pub flush: Option<Flush>,
    /// The first cycle in which execute may hold the instruction, if an interrupt that went away held it
    /// up in decode.
    pub held: i32,
    /// The known operand information of the instruction.
    pub known: Option<OperandInfo>,
}

impl Default for State {
    fn default() -> Self {
        Self {
            stuck: 0,
            free: -1,
            bus: [LONG_AGO; 2],
            refill: 0,
            hazards: vec![],
            stored: vec![],
            decoded: IN_TIME,
            sent: 0,
            late: None,
            instead: None,
            wrong: vec![],
            flush: None,
            held: 0,
            known: None,
        }
    }
}

impl State {
    /// The first cycle in which execute may hold an instruction that uses these registers.
    pub fn ready(&self, word: Word) -> i32 {
        let read = self.hazards.iter().filter(|hazard| word.reads(hazard.0));
        read.map(|hazard| hazard.1).max().unwrap_or(0).max(self.held)
    }

    /// The first cycle, at or behind `from`, in which decode moves on while nothing new comes.
    pub fn moves(&self, from: i32) -> i32 {
        match from {
            ..0 => -1,
            _ if from <= self.stuck => self.stuck,
            _ => from.max(self.free),
        }
    }

    /// The cycles in which the bus takes an access that write-back offers, and in which that stands on it:
    /// one may wait behind the one that it is busy with.
    pub fn accepted(&self, offered: i32) -> (i32, i32) {
        let accepted = offered.max(self.bus[0] + 1);
        (accepted, (accepted + 1).max(self.bus[1] + 1))
    }

    /// The shift amount of an instruction, if that is known.
    pub fn amount(&self) -> Option<i32> {
        match self.known {
            Some(OperandInfo::Amount(amount)) => Some(amount.into()),
            _ => None,
        }
    }

    /// The same, seen from an issue `by` cycles later.
    pub fn later(mut self, by: i32) -> Self {
        for at in [&mut self.refill, &mut self.held] {
            *at = if *at == 0 { 0 } else { (*at - by).max(0) };
        }
        self.stuck = match self.stuck {
            // Once that cycle is over, the next is the one in which write-back is free.
            stuck if stuck < by => (self.free - by).max(0),
            0 => 0,
            stuck => stuck - by,
        };
        self.free = (self.free - by).max(if self.stuck == 0 { -1 } else { self.stuck });
        for at in &mut self.bus {
            *at = if *at == LONG_AGO { LONG_AGO } else { (*at - by).max(LONG_AGO) };
        }
        if let Some((at, _)) = &mut self.late {
            *at -= by;
        }
        if let Some((at, _)) = &mut self.instead {
            *at -= by;
        }
        for (_, at) in &mut self.hazards {
            *at -= by;
        }
        if let Some(flush) = &mut self.flush {
            flush.at -= by;
        }
        for meeting in &mut self.wrong {
            *meeting = meeting.later(by);
        }
        for stored in &mut self.stored {
            (stored.from, stored.to) = (stored.from - by, stored.to - by);
        }
        self.hazards.retain(|&(_, at)| at > 0);
        self.hazards.sort_unstable();
        self.hazards.dedup();
        self.stored.retain(|stored| stored.to >= 0);
        self.decoded -= by;
        self.sent = if self.wrong.is_empty() { 0 } else { self.sent - by };
        self
    }
}

/// The states that were met, by number; number 0 is that of empty stages.
#[derive(Debug, Default)]
pub(super) struct States(Mutex<StateTable>);

#[derive(Debug)]
struct StateTable {
    all: Vec<State>,
    numbers: HashMap<State, PipelineState>,
}

impl Default for StateTable {
    fn default() -> Self {
        let rest = State::default();
        Self { all: vec![rest.clone()], numbers: HashMap::from([(rest, 0)]) }
    }
}

impl States {
    /// The state of a number.
    pub fn get(&self, number: PipelineState) -> State {
        let states = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        states.all.get(number as usize).cloned().unwrap_or_default()
    }

    /// The number of a state.
    pub fn number(&self, state: State) -> PipelineState {
        let mut states = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&number) = states.numbers.get(&state) {
            return number;
        }
        let number = states.all.len() as PipelineState;
        states.all.push(state.clone());
        states.numbers.insert(state, number);
        number
    }
}

/// One instruction in flight; times are counted from its issue.
pub(super) struct InFlight {
    /// The cycle in which decode takes it in; when it enters execute, memory and write-back.
    pub decode: i32,
    pub execute: i32,
    pub memory: i32,
    pub write_back: i32,
    /// The last cycle in which write-back holds it.
    pub last: i32,
    /// The state of the stages at its issue, and then.
    pub before: State,
    pub behind: State,
    pub cost: InsnCost,
}

impl InFlight {
    /// The first cycle, at or behind `from`, in which decode and fetch move on.
    pub fn moves(&self, from: i32) -> i32 {
        let entries = [self.decode, self.execute, self.memory, self.write_back];
        let step = entries.into_iter().map(|entry| entry - 1).find(|&step| step >= from);
        step.unwrap_or_else(|| from.max(self.last))
    }

    /// Makes a request from execute, when the bus is free; how long the answer takes after that.
    pub fn request(&mut self, wait: i32) -> i32 {
        let busy = self.before.bus[1];
        self.memory = self.memory.max(busy + 2);
        self.cost.sample = self.memory as u32;
        self.behind.bus = [busy, self.memory + wait];
        wait
    }

    /// The issue of what the fetch stages take in at `from`, or as soon as they move, and what the
    /// stages hold then.
    pub fn fetches(&self, from: i32) -> (i32, State) {
        let taken_in = self.moves(from);
        let decoded = self.moves(taken_in + 1) + 1;
        let issue = self.moves(decoded) + 1;
        let behind = State { decoded, ..self.behind.clone() };
        (issue, behind.later(issue))
    }
}
