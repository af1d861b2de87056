//! VexRiscv: five stages (fetch, decode, execute, memory, write-back) behind an instruction cache, and
//! for the full variant a data cache.
//!
//! Source: `VexRiscv.v` and `VexRiscv_Lite.v` of litex-hub/pythondata-cpu-vexriscv 1.0.1.post407, made by
//! the generator of the project VexRiscv, whose signals are named in brackets. An instruction is
//! issued in the first cycle in which the execute stage would take it in if it depended on nothing;
//! it may then stay in decode for an operand. All times here are cycles counted from an issue.
//!
//! The stages move together: while one is stuck, so are all before it, even across a gap. So what a
//! block costs depends on what the stages hold when it begins: [`State`], which is numbered as it is met.
//! Only the caches fetch lines meanwhile. What cannot be known before is left to the run: a block is
//! left before an instruction whose line is missed, say, and another is entered whose state knows it.

mod ahead;
mod interrupt;
mod state;
mod word;

use std::collections::BTreeMap;

use cocrypt_ir::{Block, Exit, Insn, Value};
use cocrypt_isa::{
    BlockCost, Caches, ClassCost, CodeMemory, Collision, Extra, Geometry, InsnCost,
    InterruptTiming, Line, PipelineState, Replacement, STAYS, Select, TimingModel,
};

use self::ahead::WrongPath;
use self::state::{
    Flush, IN_TIME, InFlight, OperandInfo, RecentStore, State, States, WrongPathEvent,
    WrongPathInsn,
};
use self::word::{Kind, Word};
use super::{Classes, UnknownRule};
use crate::table::Class;

/// Bytes of a line of either cache.
const LINE: u32 = 32;
/// Words of a line; each is a transfer of its own.
const WORDS: i32 = LINE as i32 / 4;
/// Cycles from the one in which the fetch stages are sent elsewhere until decode holds what is there.
const REFETCH: i32 = 2;

/// A variant of the core, by the name of its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// `VexRiscv_Lite.v`: 2 kB of instruction cache; loads and stores go to the bus from execute.
    Lite,
    /// `VexRiscv.v`: 4 kB of instruction and of data cache, which is written through; loads and stores
    /// go to the cache, and to the bus from write-back.
    Full,
}

impl Variant {
    /// Lines of the instruction cache.
    const fn lines(self) -> u32 {
        match self {
            Self::Lite => 2048 / LINE,
            Self::Full => 4096 / LINE,
        }
    }

    /// Cycles from one in which decode holds what flushes the instruction cache until that takes in
    /// more: it clears a line a cycle.
    const fn flush(self) -> i32 {
        self.lines() as i32 + 3
    }

    /// Cycles from the end of reset to the issue of the first instruction, were its line there: the
    /// caches first clear all their lines.
    const fn reset(self) -> u64 {
        match self {
            Self::Lite => 69,
            Self::Full => 133,
        }
    }
}

/// The timing model of a VexRiscv, made from its class table.
#[derive(Debug)]
pub struct VexRiscv {
    classes: Classes<Rule>,
    variant: Variant,
    states: States,
}

/// The dynamic rules that a core file may name: where an instruction stays, for `ask` cycles, and from
/// which stage its result can be forwarded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// In execute, and forwarded from there.
    Plain,
    /// In memory, and forwarded from there.
    MemoryStage,
    /// In memory and write-back, and forwarded from the latter.
    WriteBack,
    /// In execute, until memory and write-back are empty, and forwarded from memory.
    Csr,
    /// In execute, one cycle for each bit of the amount, and forwarded from there.
    SerialShift,
    Load,
    Store,
    /// The entry into a handler, of which the cost stands with what leads there.
    Enter,
    /// The entry into a handler from an access at an address that its width does not allow.
    Refused,
    Jump,
    JumpRegister,
    Branch,
    /// In execute; decode empties the instruction cache for it.
    FenceInstructions,
}

impl VexRiscv {
    /// Builds the model from a core's class table, by class name.
    ///
    /// # Errors
    /// If a class names a rule that is not known here.
    pub fn new(table: &BTreeMap<String, ClassCost>, variant: Variant) -> Result<Self, UnknownRule> {
        let known = |rule: Option<&str>| match rule {
            None => Some(Rule::Plain),
            Some("memory_stage") => Some(Rule::MemoryStage),
            Some("write_back") => Some(Rule::WriteBack),
            Some("serial_shift") => Some(Rule::SerialShift),
            Some("csr") => Some(Rule::Csr),
            Some("enter") => Some(Rule::Enter),
            Some("refused") => Some(Rule::Refused),
            Some("load") => Some(Rule::Load),
            Some("store") => Some(Rule::Store),
            Some("jump") => Some(Rule::Jump),
            Some("jump_register") => Some(Rule::JumpRegister),
            Some("branch") => Some(Rule::Branch),
            Some("fence_instructions") => Some(Rule::FenceInstructions),
            Some(_) => None,
        };
        Ok(Self { classes: Classes::new(table, known)?, variant, states: States::default() })
    }

    /// An instruction's passage through execute, memory and write-back.
    fn pass(
        &self,
        insn: &Insn,
        word: Word,
        before: &State,
        data_wait: i32,
        code: &dyn CodeMemory,
    ) -> InFlight {
        let (class, rule) = self.classes.of(insn);
        let ready = before.ready(word);
        let execute = if ready > 0 { before.moves(ready - 1) + 1 } else { 0 };
        // What stays in execute does so while the stages behind move.
        let works = before.moves(execute.max(before.refill));
        let mut passage = InFlight {
            decode: before.decoded,
            execute,
            memory: works + 1,
            write_back: 0,
            last: 0,
            before: before.clone(),
            behind: before.clone(),
            cost: InsnCost::default(),
        };
        let mut stays = 1;
        let is_refused = before.known == Some(OperandInfo::Refused);
        match rule {
            Rule::SerialShift => passage.memory += before.amount().map_or(0, |amount| amount - 1),
            Rule::Csr => passage.memory = works.max(before.free + 1) + 1,
            Rule::MemoryStage => stays = class.ask as i32,
            Rule::Load | Rule::Store if is_refused => {}
            Rule::Load | Rule::Store if self.variant == Variant::Lite => {
                let request = passage.request(data_wait);
                if rule == Rule::Load {
                    stays += request;
                }
            }
            _ => {}
        }
        passage.write_back = (passage.memory + stays - 1).max(before.free) + 1;
        passage.last = passage.write_back;
        if self.variant == Variant::Full && !is_refused {
            match rule {
                Rule::Load => self.load(insn, word, &mut passage, data_wait, code),
                Rule::Store => Self::store(word, &mut passage, data_wait),
                _ => {}
            }
        }
        let ready = match rule {
            Rule::MemoryStage | Rule::Csr => Some(passage.write_back),
            Rule::WriteBack | Rule::Load => Some(passage.last + 1),
            // What a jump links is forwarded from execute and write-back, but not from memory.
            Rule::Jump | Rule::JumpRegister if self.variant == Variant::Lite => {
                Some(passage.last + 1)
            }
            _ => None,
        };
        let behind = &mut passage.behind;
        if let (Some(ready), true) = (ready, word.rd() != 0) {
            behind.hazards.push((word.rd(), ready));
        }
        (behind.stuck, behind.free) = (passage.write_back - 1, passage.last);
        (behind.refill, behind.known, behind.wrong) = (0, None, vec![]);
        behind.flush = match (rule, before.flush) {
            (Rule::FenceInstructions, flush) => Some(Flush::behind(flush, passage.execute - 1)),
            (_, Some(flush)) => Some(Flush { next: false, ..flush }),
            _ => None,
        };
        (behind.held, behind.late, behind.instead) = (0, None, None);
        passage
    }

    /// A load through the data cache, or past it.
    fn load(
        &self,
        insn: &Insn,
        word: Word,
        passage: &mut InFlight,
        data_wait: i32,
        code: &dyn CodeMemory,
    ) {
        let before = &passage.before;
        let (accepted, first) = before.accepted(passage.write_back);
        if before.known == Some(OperandInfo::Uncached) {
            passage.last = first + data_wait + 1;
            passage.cost.sample = first as u32;
            passage.behind.bus = [before.bus[1], first + data_wait];
            return;
        }
        let uncached = State { known: Some(OperandInfo::Uncached), ..before.clone() };
        // A missed line is asked for; the load is then replayed, and waits in execute for the line.
        let comes = first + WORDS * (data_wait + 1) - 1;
        let bus = [before.bus[1], comes];
        let next = insn.pc + u64::from(insn.length);
        let ahead = self.ahead(next, word, passage, accepted + 1, code);
        let missed = State { bus, refill: comes + 2, ..State::default() };
        let (miss, missed) = replay(accepted + 2, &ahead, missed);
        let ahead = self.ahead(next, word, passage, passage.write_back, code);
        let collisions = self.collisions(passage, &ahead);
        passage.cost.elsewhere = Some(self.states.number(uncached));
        passage.cost.miss = miss as u32;
        passage.cost.miss_exit_state = Some(self.states.number(missed));
        passage.cost.collisions = collisions;
    }

    /// The stores that write to the cache what a load has read from it already: the load is replayed.
    fn collisions(&self, passage: &InFlight, ahead: &WrongPath) -> Vec<Collision> {
        let InFlight { before, memory, write_back, .. } = passage;
        let again = State { bus: before.bus, ..State::default() };
        let (cycles, mut again) = replay(write_back + i32::from(ahead.holds), ahead, again);
        again.late = (!ahead.holds).then_some((write_back - cycles, ahead.there));
        let exit_state = self.states.number(again);
        let reads = [memory - 1, write_back - 1];
        let meets =
            |store: &RecentStore| reads.iter().any(|at| (store.from..=store.to).contains(at));
        let stores = before.stored.iter().enumerate().filter(|(_, store)| meets(store));
        let collision = |(recent, store): (usize, &RecentStore)| Collision {
            recent: recent as u8,
            bytes: store.bytes,
            cycles,
            exit_state,
        };
        stores.map(collision).collect()
    }

    /// A store through the data cache, which hands it on to the bus.
    fn store(word: Word, passage: &mut InFlight, data_wait: i32) {
        let before = &passage.before;
        let (accepted, first) = before.accepted(passage.write_back);
        passage.last = accepted;
        passage.cost.sample = first as u32;
        passage.behind.bus = [before.bus[1], first + data_wait];
        let (from, bytes) = (passage.write_back, 1 << (word.function() & 3));
        passage.behind.stored.insert(0, RecentStore { from, to: accepted, bytes });
        passage.behind.stored.truncate(2);
    }

    /// The extra cost of a shift by a register over one by one bit. Where that decides about what is behind
    /// it too, the block is left before it, and re-entered knowing the amount.
    fn serial_shift(&self, before: &State, behind: impl Fn(&State) -> State) -> Extra {
        let knowing = |amount: u8| {
            let known = Some(OperandInfo::Amount(amount.max(1)));
            State { known, ..before.clone() }
        };
        let least = behind(&knowing(1));
        let exit_state = |amount: u8| {
            let known = knowing(amount);
            if behind(&known) == least { STAYS } else { self.states.number(known) }
        };
        Extra {
            select: Select::Low,
            table: (0..32u32).map(|amount| amount.max(1) - 1).collect(),
            exit_states: (0..32).map(exit_state).collect(),
            of: None,
        }
    }

    /// The lines that an instruction waits for, whose issue `before` describes, and `before` without
    /// those on the wrong path.
    fn meet(&self, insn: &Insn, at: u8, before: &mut State, code: &dyn CodeMemory) -> Vec<Line> {
        let mut lines = vec![];
        let fill = |address: u32| WORDS * (code.fetch_wait(address.into()) as i32 + 1) + 2;
        let wrong = std::mem::take(&mut before.wrong);
        for WrongPathEvent { what, at: met, .. } in wrong {
            // The jump sends the fetch stages here when the cache is ready.
            let (address, ready) = match what {
                WrongPathInsn::Line(address) => (address, met + fill(address)),
                WrongPathInsn::Flush => (0, met + self.variant.flush()),
            };
            let decoded = before.sent.max(ready) + REFETCH;
            let issue = decoded + 1;
            // Decode had nothing to hold.
            let behind =
                State { decoded, late: None, instead: None, ..before.clone() }.later(issue);
            let line = self.line(at, address, issue, behind);
            lines.push(Line { clears: what == WrongPathInsn::Flush, ..line });
        }
        before.sent = 0;
        let address = insn.pc as u32;
        if let Some(flush) = before.flush.take_if(|flush| !flush.next) {
            let taken_in = before.moves(flush.at + self.variant.flush());
            let decoded = (taken_in + REFETCH).max(before.decoded);
            let issue = decoded + 1;
            let behind =
                State { decoded, late: None, instead: None, ..before.clone() }.later(issue);
            lines.push(Line { clears: true, ..self.line(at, address, issue, behind) });
        }
        if let Some(flush) = before.flush {
            // Were its line not there, it would have to wait too.
            let waits = Some(Flush { next: false, ..flush });
            lines.push(self.line(at, address, 0, State { flush: waits, ..before.clone() }));
        } else if at == 0 || address.is_multiple_of(LINE) {
            let taken_in = before.moves(before.decoded + fill(address));
            let decoded = before.moves(taken_in + 1) + 1;
            let issue = before.moves(decoded) + 1;
            let behind = State { decoded, ..before.clone() }.later(issue);
            lines.push(self.line(at, address, issue, behind));
        }
        lines
    }

    fn line(&self, at: u8, address: u32, issue: i32, behind: State) -> Line {
        let exit_state = Some(self.states.number(behind));
        Line { at, address, clears: false, miss: issue, exit_state }
    }

    /// The state behind an instruction in memory order. When decode took it in matters only if a line
    /// begins there, or decode refuses it.
    fn straight(passage: &InFlight, next: u64, code: &dyn CodeMemory) -> (i32, State) {
        let (issue, mut behind) = passage.fetches(passage.decode - 1);
        let refused = Word::at(next, code).is_some_and(|word| !word.is_legal());
        if !(next as u32).is_multiple_of(LINE) && !refused {
            behind.decoded = IN_TIME;
        }
        (issue, behind)
    }

    /// The state behind a jump that decode resolves.
    fn decoded_jump(passage: &InFlight) -> (i32, State) {
        passage.fetches(passage.execute - 1)
    }

    /// The state behind a jump that resolves in the memory stage, with the wrong path that decode met
    /// meanwhile.
    fn late_jump(&self, passage: &InFlight, wrong: WrongPath) -> (i32, State) {
        let wrong = WrongPath::halted(passage).unwrap_or(wrong);
        // If memory is stuck, what was there has gone when it moves.
        let sent = passage.moves(passage.memory);
        let holds = wrong.holds && sent == passage.memory;
        if let (true, Some(at)) = (holds, wrong.unless) {
            let (_, instead) = self.late_jump(passage, WrongPath { holds: false, ..wrong.clone() });
            let wrong = WrongPath { unless: None, ..wrong };
            let (issue, behind) = self.late_jump(passage, wrong);
            let instead = Some((at - issue, self.states.number(instead)));
            return (issue, State { instead, ..behind });
        }
        let (issue, mut behind) = passage.fetches(sent + i32::from(holds));
        (behind.sent, behind.wrong, behind.flush) = (sent - issue, wrong.met, None);
        let late = !holds && sent == passage.memory;
        behind.late = late.then_some((sent - issue, wrong.there));
        for meeting in &mut behind.wrong {
            *meeting = meeting.later(issue);
        }
        (issue, behind)
    }

    /// The state behind an instruction for which write-back redirects the fetch stages, which take that up
    /// in a cycle: they are halted in the one before. What stands behind it, at `next`, gets as far as
    /// decode, and stays there until the cycle `waits`.
    fn sent_by_write_back(
        &self,
        passage: &InFlight,
        sent: i32,
        waits: i32,
        next: u64,
        code: &dyn CodeMemory,
    ) -> (i32, State) {
        let until = passage.write_back;
        let mut met =
            vec![WrongPathEvent::new(WrongPathInsn::Line(next as u32), passage.execute, until)];
        if let Some(word) = Word::at(next, code).filter(|&word| self.flushes(word)) {
            // What is no instruction leaves decode at once, what is one may wait there.
            let last = if word.is_legal() { waits } else { passage.execute };
            met.push(WrongPathEvent::new(WrongPathInsn::Flush, last, last));
        }
        Self::sent(passage, sent, met)
    }

    /// The state behind a redirection of the fetch stages in the cycle `sent`.
    fn sent(passage: &InFlight, sent: i32, met: Vec<WrongPathEvent>) -> (i32, State) {
        let met = WrongPath::halted(passage).map_or(met, |wrong| wrong.met);
        let (issue, mut behind) = passage.fetches(sent);
        (behind.sent, behind.wrong, behind.flush) = (sent - issue, met, None);
        for meeting in &mut behind.wrong {
            *meeting = meeting.later(issue);
        }
        (issue, behind)
    }

    /// The entry into the handler from an access that is refused: in write-back, or in memory where that makes
    /// it. It is never asked for, although the block that it was left in counts when it would be.
    fn refused(
        &self,
        insn: &Insn,
        before: &State,
        data_wait: i32,
        code: &dyn CodeMemory,
    ) -> BlockCost {
        let word = Word::at(insn.pc, code).unwrap_or(Word(0));
        let class = if matches!(word.kind(), Kind::Store) { Class::Store } else { Class::Load };
        let insn = Insn { class: class as u8, length: 4, ..insn.clone() };
        let asked = self.pass(&insn, word, before, data_wait, code);
        let refused = State { known: Some(OperandInfo::Refused), ..before.clone() };
        let mut passage = self.pass(&insn, word, &refused, data_wait, code);
        if class == Class::Load && word.rd() != 0 {
            // Who needs what is never loaded stays in decode.
            passage.before.hazards.push((word.rd(), i32::MAX));
        }
        let next = insn.pc + u64::from(insn.length);
        let wrong = match self.variant {
            Variant::Lite => self.behind(next, 0, &passage, code),
            Variant::Full => self.ahead(next, word, &passage, passage.write_back, code),
        };
        // Memory waits for an answer in the first cycle.
        let late = i32::from(self.variant == Variant::Lite && class == Class::Load);
        let (issue, behind) = Self::sent(&passage, passage.write_back + 2 + late, wrong.met);
        let sample = asked.cost.sample;
        let insns = vec![InsnCost { cycles: issue as u32, sample, ..InsnCost::default() }];
        BlockCost { insns, exit_states: [self.states.number(behind); 2], ..BlockCost::default() }
    }

    /// The state behind the last instruction of a block: if it falls through or has one successor, and if it is
    /// taken.
    fn ways(
        &self,
        block: &Block,
        insn: &Insn,
        word: Word,
        passage: &InFlight,
        code: &dyn CodeMemory,
    ) -> [(i32, State); 2] {
        let next = insn.pc + u64::from(insn.length);
        match block.exit {
            Exit::Yield { target: Value::Slot(_) } => {
                let last = passage.write_back;
                let way = self.sent_by_write_back(passage, last + 1, last, next, code);
                [way.clone(), way]
            }
            Exit::Jump { .. } if self.classes.of(insn).1 == Rule::FenceInstructions => {
                let way = Self::straight(passage, next, code);
                [way.clone(), way]
            }
            // If there is a handler, the exception goes there once it has left write-back.
            Exit::Stop(_) => {
                let sent = passage.write_back + 2;
                let way = if word.is_legal() {
                    self.sent_by_write_back(passage, sent, passage.execute, next, code)
                } else {
                    let flush = WrongPathEvent::always(WrongPathInsn::Flush, passage.decode);
                    let met = self.flushes(word).then_some(flush);
                    Self::sent(passage, sent, met.into_iter().collect())
                };
                [way.clone(), way]
            }
            Exit::Next { .. } | Exit::Yield { .. } | Exit::YieldIf { .. } => {
                let way = Self::straight(passage, next, code);
                [way.clone(), way]
            }
            Exit::Jump { .. } => {
                let way = Self::decoded_jump(passage);
                [way.clone(), way]
            }
            Exit::Indirect { .. } => {
                let way = self.late_jump(passage, self.behind(next, word.rd(), passage, code));
                [way.clone(), way]
            }
            // Decode goes where a branch leads backwards, and straight on otherwise.
            Exit::Branch { taken, .. } if taken < insn.pc => {
                // Once the branch has left decode, nothing is there to be held before that.
                let (unless, at) = (Some(passage.execute - 1), passage.memory);
                let meeting = |what| WrongPathEvent { what, at, unless, until: at };
                let mut met = vec![meeting(WrongPathInsn::Line(taken as u32))];
                if Word::at(taken, code).is_some_and(|word| self.flushes(word)) {
                    met.push(meeting(WrongPathInsn::Flush));
                }
                let there = [Word::at(taken, code).is_some(); 2];
                let wrong = WrongPath { met, holds: false, unless: None, there };
                [self.late_jump(passage, wrong), Self::decoded_jump(passage)]
            }
            Exit::Branch { .. } => {
                let wrong = self.behind(next, 0, passage, code);
                [Self::straight(passage, next, code), self.late_jump(passage, wrong)]
            }
        }
    }
}

/// A re-issue of an instruction that write-back sends the fetch stages for, which take it in in this
/// cycle at the earliest, and what the stages hold then.
fn replay(taken_in: i32, ahead: &WrongPath, behind: State) -> (i32, State) {
    let decoded = taken_in + REFETCH;
    let issue = decoded + 1;
    let wrong = ahead.met.clone();
    (issue, State { decoded, sent: taken_in, wrong, ..behind }.later(issue))
}

impl TimingModel for VexRiscv {
    fn cost(
        &self,
        block: &Block,
        code: &dyn CodeMemory,
        data_wait: u32,
        pipeline_state: PipelineState,
    ) -> BlockCost {
        let data_wait = data_wait as i32;
        let mut state = self.states.get(pipeline_state);
        if let [insn] = &block.insns[..] {
            match self.classes.of(insn).1 {
                // What led here already counted the entry.
                Rule::Enter => {
                    let insns = vec![InsnCost::default()];
                    return BlockCost {
                        insns,
                        exit_states: [pipeline_state; 2],
                        ..BlockCost::default()
                    };
                }
                Rule::Refused => return self.refused(insn, &state, data_wait, code),
                _ => {}
            }
        }
        let mut cost = BlockCost::default();
        let last = block.insns.len() - 1;
        for (at, insn) in block.insns.iter().enumerate() {
            cost.lines.extend(self.meet(insn, at as u8, &mut state, code));
            // A lifted instruction is there, or no block would hold it.
            let word = Word::at(insn.pc, code).unwrap_or(Word(0));
            let next = insn.pc + u64::from(insn.length);
            let shifts = self.classes.of(insn).1 == Rule::SerialShift;
            if let (true, Some(Value::Const(amount))) = (shifts, insn.operand) {
                state.known = Some(OperandInfo::Amount(amount.max(1) as u8));
            }
            let mut passage = self.pass(insn, word, &state, data_wait, code);
            if shifts && state.amount().is_none() {
                let behind = |before: &State| {
                    let passage = self.pass(insn, word, before, data_wait, code);
                    Self::straight(&passage, next, code).1
                };
                passage.cost.extra = Some(self.serial_shift(&state, behind));
            }
            let late = matches!(block.exit, Exit::Indirect { .. })
                || matches!(block.exit, Exit::Branch { taken, .. } if taken >= insn.pc);
            if at == last && late && state.known.is_none() {
                passage.cost.extra = self.behind_jump(insn, &passage, code);
            }
            let ways = if at == last {
                self.ways(block, insn, word, &passage, code)
            } else {
                let way = Self::straight(&passage, next, code);
                [way.clone(), way]
            };
            passage.cost.cycles = ways[0].0 as u32;
            cost.taken = ways[1].0 as u32;
            cost.insns.push(passage.cost);
            if at == last {
                cost.exit_states = ways.map(|(_, behind)| self.states.number(behind));
            } else {
                let [(_, behind), _] = ways;
                state = behind;
            }
        }
        cost.refused = cost.taken;
        cost
    }

    fn reset(&self, _: u64, _: &dyn CodeMemory) -> u64 {
        self.variant.reset()
    }

    fn interrupts(&self) -> &dyn InterruptTiming {
        self
    }

    fn fetches_ahead(&self) -> bool {
        false
    }

    fn caches(&self) -> Caches {
        let instruction = Geometry {
            sets: self.variant.lines(),
            ways: 1,
            line: LINE,
            replacement: Replacement::LeastRecent,
            allocate_on_write: false,
        };
        let data = (self.variant == Variant::Full).then_some(instruction);
        let instruction = Some(instruction);
        Caches { instruction, data, stores_collide: data.is_some(), ..Caches::default() }
    }

    fn implements(&self, class: u8) -> bool {
        self.classes.has(class)
    }
}
