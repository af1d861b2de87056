//! VexRiscv: five stages (fetch, decode, execute, memory, write-back) behind an instruction cache.
//!
//! Source: `VexRiscv_Lite.v` of litex-hub/pythondata-cpu-vexriscv 1.0.1.post407, made by the
//! generator of the project VexRiscv, whose signals are named in brackets. An instruction is launched in the first cycle in
//! which the execute stage would take it in if it depended on nothing; it may then stay in decode for
//! an operand. All times here are cycles counted from a launch.
//!
//! The stages move together: while memory is stuck, so are execute and decode, even across a gap. Only
//! the fetch stages run on, until decode is occupied. So what a block costs depends on what the stages
//! hold when it begins: [`State`], which is numbered as it is met.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};

use cocrypt_ir::{Block, Exit, Insn, Slot, Value};
use cocrypt_isa::{
    BlockCost, Caches, ClassCost, CodeMemory, Extra, Geometry, InsnCost, Line, Pending,
    Replacement, STAYS, Select, TimingModel,
};

use crate::table::Class;

use super::{Classes, UnknownRule};

/// Bytes of a line of the instruction cache.
const LINE: u32 = 32;
/// Words of a line; each is a transfer of its own.
const WORDS: i32 = LINE as i32 / 4;
/// Cycles from the one in which the fetch stages are sent elsewhere until decode holds what is there.
const REFETCH: i32 = 2;
/// Cycles from one in which decode holds what flushes the instruction cache until that takes in more.
const FLUSH: i32 = 67;
/// When decode takes in a launched instruction at the latest.
const IN_TIME: i32 = -1;
/// Cycles from the end of reset to the launch of the first instruction, were its line there: the cache
/// first clears all its tags.
const RESET: u64 = 69;

/// The timing model of a VexRiscv, made from its class table.
#[derive(Debug)]
pub struct VexRiscv {
    classes: Classes<Rule>,
    /// Lines of the instruction cache.
    lines: u32,
    states: Mutex<States>,
}

/// The dynamic rules that a core file may name: where an instruction stays, for `ask` cycles, and from
/// which stage its result can be forwarded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// In execute, and forwarded from there.
    Plain,
    /// In memory, and forwarded from there.
    MemoryStage,
    /// In execute, one cycle for each bit of the amount, and forwarded from there.
    SerialShift,
    Load,
    Store,
    Jump,
    JumpRegister,
    Branch,
}

/// What decode meets on a wrong way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Met {
    /// Code in this line.
    Line(u32),
    /// A word that makes the cache forget all lines.
    Flush,
}

/// What the stages hold at a launch, as far as it matters to what follows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    /// The first cycle in which memory is not stuck.
    stuck: i32,
    /// The first cycle in which the bus takes a command.
    bus: i32,
    /// Registers, and the first cycle in which execute may hold who reads them; ready ones left out.
    hazards: Vec<(u32, i32)>,
    /// When decode took in the instruction that is launched, where that matters: if its line may be
    /// absent.
    decoded: i32,
    /// The cycle in which a jump made in memory sent the fetch stages here.
    sent: i32,
    /// What decode had met on the wrong way until then, and when.
    wrong: Vec<(Met, i32)>,
    /// By how much the instruction shifts, or what follows it does if it is a jump, if that is known.
    amount: Option<u8>,
}

impl Default for State {
    fn default() -> Self {
        Self {
            stuck: 0,
            bus: 0,
            hazards: vec![],
            decoded: IN_TIME,
            sent: 0,
            wrong: vec![],
            amount: None,
        }
    }
}

impl State {
    /// The first cycle in which execute may hold an instruction that uses these registers.
    fn ready(&self, word: Word) -> i32 {
        let read = self.hazards.iter().filter(|hazard| word.reads(hazard.0));
        read.map(|hazard| hazard.1).max().unwrap_or(0)
    }

    /// Whether a serial shift behind a jump takes more than a cycle.
    fn shifts(&self, word: Word) -> bool {
        word.amount().unwrap_or_else(|| self.amount.map_or(0, u32::from)) > 1
    }

    /// The same, seen from a launch `by` cycles later.
    fn later(mut self, by: i32) -> Self {
        for at in [&mut self.stuck, &mut self.bus] {
            *at = if *at == 0 { 0 } else { (*at - by).max(0) };
        }
        for (_, at) in &mut self.hazards {
            *at -= by;
        }
        for (_, at) in &mut self.wrong {
            *at -= by;
        }
        self.hazards.retain(|&(_, at)| at > 0);
        self.hazards.sort_unstable();
        self.hazards.dedup();
        self.decoded -= by;
        self.sent = if self.wrong.is_empty() { 0 } else { self.sent - by };
        self
    }
}

/// The states that were met, by number.
#[derive(Debug)]
struct States {
    all: Vec<State>,
    numbers: HashMap<State, Pending>,
}

impl Default for States {
    fn default() -> Self {
        let rest = State::default();
        Self { all: vec![rest.clone()], numbers: HashMap::from([(rest, 0)]) }
    }
}

/// One instruction on its way; times are counted from its launch.
struct Passage {
    /// When decode takes it in; when it enters execute, memory and write-back.
    decode: i32,
    execute: i32,
    memory: i32,
    write_back: i32,
    /// What the stages held at its launch, and hold then.
    before: State,
    behind: State,
    cost: InsnCost,
}

impl Passage {
    /// The first cycle, at or behind `from`, in which decode and fetch move on.
    fn moves(&self, from: i32) -> i32 {
        let steps = [self.decode - 1, self.execute - 1, self.memory - 1];
        let step = steps.into_iter().find(|&step| step >= from);
        step.unwrap_or_else(|| from.max(self.write_back - 1))
    }

    /// The launch of what the fetch stages take in at `from`, or as soon as they move, and what the
    /// stages hold then.
    fn fetches(&self, from: i32) -> (i32, State) {
        let taken_in = self.moves(from);
        let decoded = self.moves(taken_in + 1) + 1;
        let launch = self.moves(decoded) + 1;
        let behind = State { decoded, ..self.behind.clone() };
        (launch, behind.later(launch))
    }
}

impl VexRiscv {
    /// Builds the model from a core's class table, by class name, and the size of its instruction
    /// cache in bytes.
    ///
    /// # Errors
    /// If a class names a rule that is not known here.
    pub fn new(
        table: &BTreeMap<String, ClassCost>,
        instruction_cache: u32,
    ) -> Result<Self, UnknownRule> {
        let known = |rule: Option<&str>| match rule {
            None => Some(Rule::Plain),
            Some("memory_stage") => Some(Rule::MemoryStage),
            Some("serial_shift") => Some(Rule::SerialShift),
            Some("load") => Some(Rule::Load),
            Some("store") => Some(Rule::Store),
            Some("jump") => Some(Rule::Jump),
            Some("jump_register") => Some(Rule::JumpRegister),
            Some("branch") => Some(Rule::Branch),
            Some(_) => None,
        };
        let (lines, states) = (instruction_cache / LINE, Mutex::default());
        Ok(Self { classes: Classes::new(table, known)?, lines, states })
    }

    fn state(&self, number: Pending) -> State {
        let states = self.states.lock().unwrap_or_else(PoisonError::into_inner);
        states.all.get(number as usize).cloned().unwrap_or_default()
    }

    fn number(&self, state: State) -> Pending {
        let mut states = self.states.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&number) = states.numbers.get(&state) {
            return number;
        }
        let number = states.all.len() as Pending;
        states.all.push(state.clone());
        states.numbers.insert(state, number);
        number
    }

    /// An instruction's way through execute and memory.
    fn pass(&self, insn: &Insn, word: Word, before: &State, data_wait: i32) -> Passage {
        let (class, rule) = self.classes.of(insn);
        let ready = before.ready(word);
        let execute = if ready > 0 { ready.max(before.stuck + 1) } else { 0 };
        let mut behind = before.clone();
        let mut cost = InsnCost::default();
        // What stays in execute does so while memory moves.
        let mut works = execute.max(before.stuck);
        let mut in_memory = 1;
        let mut forwarded = None;
        match rule {
            Rule::Plain | Rule::Branch => {}
            // What a jump links is forwarded from execute and write-back, but not from memory.
            Rule::Jump | Rule::JumpRegister => forwarded = Some(1),
            Rule::SerialShift => works += before.amount.map_or(0, |amount| i32::from(amount) - 1),
            Rule::MemoryStage => {
                in_memory = class.ask as i32;
                forwarded = Some(0);
            }
            Rule::Load | Rule::Store => {
                works = works.max(before.bus);
                cost.sample = works as u32 + 1;
                behind.bus = works + 2 + data_wait;
                if rule == Rule::Load {
                    in_memory = data_wait + 1;
                    forwarded = Some(1);
                }
            }
        }
        let memory = works + 1;
        let write_back = memory + in_memory;
        if let (Some(after), true) = (forwarded, word.rd() != 0) {
            behind.hazards.push((word.rd(), write_back + after));
        }
        behind.stuck = write_back - 1;
        (behind.wrong, behind.amount) = (vec![], None);
        let (decode, before) = (before.decoded, before.clone());
        Passage { decode, execute, memory, write_back, before, behind, cost }
    }

    /// What a shift by a register costs more than by one bit. Where that decides about what is behind
    /// it too, the block is left before it, and entered anew knowing the amount.
    fn serial_shift(&self, before: &State, behind: impl Fn(&State) -> State) -> Extra {
        let knowing = |amount: u8| State { amount: Some(amount.max(1)), ..before.clone() };
        let least = behind(&knowing(1));
        let leaves = |amount: u8| {
            let known = knowing(amount);
            if behind(&known) == least { STAYS } else { self.number(known) }
        };
        Extra {
            select: Select::Low,
            table: (0..32u32).map(|amount| amount.max(1) - 1).collect(),
            leaves: (0..32).map(leaves).collect(),
            of: None,
        }
    }

    /// A jump that is made in memory is late by a cycle if what follows it shifts by a register that
    /// says more than one bit: the block is left before the jump where it does, and entered anew.
    fn shift_behind(&self, insn: &Insn, before: &State, code: &dyn CodeMemory) -> Option<Extra> {
        let next = Word::at(insn.pc + u64::from(insn.length), code)?;
        let amount = (next.0 >> 20 & 31) as u16;
        let shifts = next.is_legal() && matches!(next.kind(), Kind::Shift);
        if !shifts || !self.has_serial_shifter() || next.amount().is_some() || amount == 0 {
            return None;
        }
        let known = self.number(State { amount: Some(2), ..before.clone() });
        let (select, table, of) = (Select::Low, vec![0; 32], Some(Slot(amount)));
        let leaves = (0..32).map(|amount| if amount > 1 { known } else { STAYS }).collect();
        Some(Extra { select, table, leaves, of })
    }

    /// The lines that an instruction waits for, whose launch `before` describes, and `before` without
    /// those on the wrong way.
    fn meet(&self, insn: &Insn, at: u8, before: &mut State, code: &dyn CodeMemory) -> Vec<Line> {
        let mut lines = vec![];
        let fill = |address: u32| WORDS * (code.fetch_wait(address.into()) as i32 + 1) + 2;
        let wrong = std::mem::take(&mut before.wrong);
        for (what, met) in wrong {
            // The jump sends the fetch stages here when the cache is ready.
            let (address, ready) = match what {
                Met::Line(address) => (address, met + fill(address)),
                Met::Flush => (0, met + FLUSH),
            };
            let decoded = before.sent.max(ready) + REFETCH;
            let launch = decoded + 1;
            let behind = State { decoded, ..before.clone() }.later(launch);
            let line = self.line(at, address, launch, behind);
            lines.push(Line { clears: what == Met::Flush, ..line });
        }
        before.sent = 0;
        let address = insn.pc as u32;
        if at == 0 || address.is_multiple_of(LINE) {
            let moves = |from: i32| if from <= -1 { -1 } else { from.max(before.stuck) };
            let taken_in = moves(before.decoded + fill(address));
            let decoded = moves(taken_in + 1) + 1;
            let launch = moves(decoded) + 1;
            let behind = State { decoded, ..before.clone() }.later(launch);
            lines.push(self.line(at, address, launch, behind));
        }
        lines
    }

    fn line(&self, at: u8, address: u32, launch: i32, behind: State) -> Line {
        let leaves = Some(self.number(behind));
        Line { at, address, clears: false, miss: launch, leaves }
    }

    /// What follows an instruction in memory order. When decode took it in matters only if a line
    /// begins there.
    fn straight(passage: &Passage, next: u64) -> (i32, State) {
        let (launch, mut behind) = passage.fetches(passage.decode - 1);
        if !(next as u32).is_multiple_of(LINE) {
            behind.decoded = IN_TIME;
        }
        (launch, behind)
    }

    /// What follows a jump that decode makes.
    fn decoded_jump(passage: &Passage) -> (i32, State) {
        passage.fetches(passage.execute - 1)
    }

    /// What follows a jump that is made in memory, with what decode met meanwhile.
    fn late_jump(passage: &Passage, wrong: Wrong) -> (i32, State) {
        let sent = passage.memory + i32::from(wrong.holds);
        let (launch, mut behind) = passage.fetches(sent);
        (behind.sent, behind.wrong) = (passage.memory - launch, wrong.met);
        for (_, at) in &mut behind.wrong {
            *at -= launch;
        }
        (launch, behind)
    }

    /// What follows the last instruction of a block: if it falls through or has one way, and if it is
    /// taken.
    fn ways(
        &self,
        block: &Block,
        insn: &Insn,
        passage: &Passage,
        code: &dyn CodeMemory,
    ) -> [(i32, State); 2] {
        let next = insn.pc + u64::from(insn.length);
        match block.exit {
            Exit::Next { .. } | Exit::Stop(_) => {
                let way = Self::straight(passage, next);
                [way.clone(), way]
            }
            Exit::Jump { .. } => {
                let way = Self::decoded_jump(passage);
                [way.clone(), way]
            }
            Exit::Indirect { .. } => {
                let way = Self::late_jump(passage, self.behind(next, passage, code));
                [way.clone(), way]
            }
            // Decode goes where a branch leads backwards, and straight on otherwise.
            Exit::Branch { taken, .. } if taken < insn.pc => {
                let mut met = vec![(Met::Line(taken as u32), passage.memory)];
                if Word::at(taken, code).is_some_and(Word::flushes) {
                    met.push((Met::Flush, passage.memory));
                }
                let wrong = Wrong { met, holds: false };
                [Self::late_jump(passage, wrong), Self::decoded_jump(passage)]
            }
            Exit::Branch { .. } => {
                let wrong = self.behind(next, passage, code);
                [Self::straight(passage, next), Self::late_jump(passage, wrong)]
            }
        }
    }

    /// What decode meets behind a jump that is made in memory, when it goes straight on meanwhile.
    fn behind(&self, pc: u64, passage: &Passage, code: &dyn CodeMemory) -> Wrong {
        let mut wrong = Wrong { met: vec![(Met::Line(pc as u32), passage.execute)], holds: false };
        let Some(first) = Word::at(pc, code) else { return wrong };
        if first.flushes() {
            // What is no instruction leaves decode at once, what is one when it can.
            let last = if first.is_legal() { passage.memory - 1 } else { passage.execute };
            wrong.met.push((Met::Flush, last));
        }
        if !first.is_legal() {
            return wrong;
        }
        // It takes what the jump links from execute.
        let ready = passage.before.ready(first);
        if ready > passage.memory {
            // The first is in decode when the jump is made, and may wait there still.
            wrong.holds = ready > passage.memory + 1;
            return wrong;
        }
        // The first is in execute when the jump is made.
        wrong.holds = match first.kind() {
            Kind::Load | Kind::Store => passage.behind.bus > passage.memory,
            Kind::Shift => self.has_serial_shifter() && passage.before.shifts(first),
            // It waits until the stages behind are empty.
            Kind::Csr => true,
            Kind::Jump => return wrong,
            Kind::MulDiv | Kind::Other => false,
        };
        let next = pc + 4;
        wrong.met.push((Met::Line(next as u32), passage.memory));
        let Some(second) = Word::at(next, code) else { return wrong };
        if second.flushes() {
            wrong.met.push((Met::Flush, passage.memory));
        }
        let is_late = matches!(first.kind(), Kind::Load | Kind::MulDiv);
        wrong.holds |= passage.behind.ready(second) > passage.memory + 1
            || is_late && first.rd() != 0 && second.reads(first.rd());
        wrong
    }

    /// Whether shifts take a cycle for each bit.
    fn has_serial_shifter(&self) -> bool {
        self.classes.rule(Class::ShiftRegister as u8) == Some(Rule::SerialShift)
    }
}

/// What decode makes of a word, be it an instruction or not.
#[derive(Clone, Copy)]
struct Word(u32);

/// What matters to the stages of an instruction.
enum Kind {
    Load,
    Store,
    Shift,
    MulDiv,
    Csr,
    /// It jumps, or branches backwards: decode sends the fetch stages there.
    Jump,
    Other,
}

impl Word {
    fn at(pc: u64, code: &dyn CodeMemory) -> Option<Self> {
        Some(Self(u32::from(code.unit(pc + 2)?) << 16 | u32::from(code.unit(pc)?)))
    }

    const fn opcode(self) -> u32 {
        self.0 & 0x7f
    }

    const fn function(self) -> u32 {
        self.0 >> 12 & 7
    }

    const fn rd(self) -> u32 {
        self.0 >> 7 & 31
    }

    /// Whether it flushes the instruction cache, as `fence.i` does; decode looks at these bits alone,
    /// also of what is no instruction (`decode_FLUSH_ALL`).
    const fn flushes(self) -> bool {
        self.0 & 0x1048 == 0x1008
    }

    /// Whether it waits for a register (`decode_RS1_USE`, `decode_RS2_USE`, likewise).
    const fn reads(self, register: u32) -> bool {
        let word = self.0;
        let first = word & 0x44 == 0
            || word & 0x18 == 0
            || word & 0x5004 == 0x1000
            || word & 0x6004 == 0x2000;
        let second = word & 0x64 == 0x20 || word & 0x34 == 0x20;
        first && word >> 15 & 31 == register || second && word >> 20 & 31 == register
    }

    /// Whether it is an instruction (`decode_LEGAL_INSTRUCTION`); the lowest bit of the function is not
    /// looked at in shifts by an immediate amount, and an unsigned load of a word is one.
    const fn is_legal(self) -> bool {
        let (function, further) = (self.function(), self.0 >> 25);
        match self.opcode() {
            0x37 | 0x17 | 0x6f => true,
            0x03 => !matches!(function, 3 | 7),
            0x23 => function < 3,
            0x63 => !matches!(function, 2 | 3),
            0x67 => function == 0,
            0x0f => function < 2,
            0x13 => match function {
                1 => further >> 1 == 0,
                5 => further & 0x5e == 0,
                _ => true,
            },
            0x33 => match further {
                0 | 1 => true,
                0x20 => matches!(function, 0 | 5),
                _ => false,
            },
            0x73 => match function {
                0 => matches!(self.0, 0x73 | 0x3020_0073 | 0x1050_0073),
                4 => false,
                _ => true,
            },
            _ => false,
        }
    }

    const fn kind(self) -> Kind {
        match (self.opcode(), self.function()) {
            (0x03, _) => Kind::Load,
            (0x23, _) => Kind::Store,
            (0x33, _) if self.0 >> 25 == 1 => Kind::MulDiv,
            (0x13 | 0x33, 1 | 5) => Kind::Shift,
            (0x73, 1..) => Kind::Csr,
            // Decode leaves alone what leads to no multiple of 4.
            (0x6f, _) if self.0 >> 21 & 1 == 0 => Kind::Jump,
            (0x63, _) if self.0 >> 31 == 1 && self.0 >> 8 & 1 == 0 => Kind::Jump,
            _ => Kind::Other,
        }
    }

    /// By how much it shifts, if that stands in it.
    const fn amount(self) -> Option<u32> {
        if self.opcode() == 0x13 { Some(self.0 >> 20 & 31) } else { None }
    }
}

/// What the fetch stages bring before a jump is made in memory.
struct Wrong {
    /// What decode meets, and when.
    met: Vec<(Met, i32)>,
    /// Whether what is there by then holds decode, and so the jump, for a cycle.
    holds: bool,
}

impl TimingModel for VexRiscv {
    fn cost(
        &self,
        block: &Block,
        code: &dyn CodeMemory,
        data_wait: u32,
        pending: Pending,
    ) -> BlockCost {
        let data_wait = data_wait as i32;
        let mut state = self.state(pending);
        let mut cost = BlockCost::default();
        let last = block.insns.len() - 1;
        for (at, insn) in block.insns.iter().enumerate() {
            cost.lines.extend(self.meet(insn, at as u8, &mut state, code));
            // A lifted instruction is there, or no block would hold it.
            let word = Word::at(insn.pc, code).unwrap_or(Word(0));
            let next = insn.pc + u64::from(insn.length);
            let shifts = self.classes.of(insn).1 == Rule::SerialShift;
            if let (true, Some(Value::Const(amount))) = (shifts, insn.operand) {
                state.amount = Some(amount.max(1) as u8);
            }
            let mut passage = self.pass(insn, word, &state, data_wait);
            if shifts && state.amount.is_none() {
                let behind = |before: &State| {
                    Self::straight(&self.pass(insn, word, before, data_wait), next).1
                };
                passage.cost.extra = Some(self.serial_shift(&state, behind));
            }
            let late = matches!(block.exit, Exit::Indirect { .. })
                || matches!(block.exit, Exit::Branch { taken, .. } if taken >= insn.pc);
            if at == last && late && state.amount.is_none() {
                passage.cost.extra = self.shift_behind(insn, &state, code);
            }
            let ways = if at == last {
                self.ways(block, insn, &passage, code)
            } else {
                let way = Self::straight(&passage, next);
                [way.clone(), way]
            };
            passage.cost.cycles = ways[0].0 as u32;
            cost.taken = ways[1].0 as u32;
            cost.insns.push(passage.cost);
            if at == last {
                cost.leaves = ways.map(|(_, behind)| self.number(behind));
            } else {
                let [(_, behind), _] = ways;
                state = behind;
            }
        }
        cost.refused = cost.taken;
        cost
    }

    fn reset(&self, _: u64, _: &dyn CodeMemory) -> u64 {
        RESET
    }

    fn fetches_ahead(&self) -> bool {
        false
    }

    fn caches(&self) -> Caches {
        let instruction = Geometry {
            sets: self.lines,
            ways: 1,
            line: LINE,
            replacement: Replacement::LeastRecent,
            allocate_on_write: false,
        };
        Caches { instruction: Some(instruction), data: None }
    }

    fn implements(&self, class: u8) -> bool {
        self.classes.has(class)
    }
}
