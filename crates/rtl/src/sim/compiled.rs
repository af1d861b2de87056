//! Designs as machine code: the plans of the states that controllers reach together become one function.
//!
//! The function runs cycle after cycle within the states that it knows, without looking anything up:
//! what each controller does next is a jump. It returns when its cycles are used up, when nothing
//! changes any more, or when the controllers reach states together that it does not know. Values that
//! last no longer than a cycle never reach memory.
//!
//! The plans say which of them belongs to which steps, and the operations of each; there is no other
//! semantics here than that of [`super::code`].

pub(super) mod emit;

use std::collections::{HashMap, HashSet};
use std::slice;

use cocrypt_codegen::{Compiler, Effort, Kernel, KernelBuilder, Label, Word};

use super::plan;
use super::program::{Choice, Program};
pub(super) use emit::limb_masks;
use emit::{Emitter, Noted};
use rustc_hash::FxHashMap;

/// Words that compiled code and the simulator tell one another by, before the controllers' states: the
/// cycles that are left, whether nothing changes any more, what was accessed past its end and one, the
/// cycles that were left then, and two of [`super::divided`].
pub(super) const EXCHANGED: usize = 6;
pub(super) const LEFT: u32 = 0;
const SETTLED: u32 = 1;
pub(super) const PAST: u32 = 2;
pub(super) const PAST_LEFT: u32 = 3;

/// States of all controllers together, combinations of their steps, and instructions of the plans that one
/// function has at most. A design that needs more is divided into units; see [`super::divide`].
const STATES: usize = 128;
const COMBINATIONS: usize = 512;
const INSTRUCTIONS: usize = 20_000;

/// A design as machine code, as far as it was compiled.
#[derive(Debug)]
pub(super) struct Compiled {
    kernel: Kernel,
    /// The states of all controllers that it knows, by number.
    state_numbers: StateNumbers,
    /// Places of the words exchanged.
    exchange: usize,
    /// The instructions that it was made of.
    pub size: usize,
}

/// The extent to which the states of a design that are reached are compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// All of them, or none.
    Whole,
    /// As many as limits allow; the interpreter runs the others.
    Part,
}

/// Numbers of states of all controllers together.
#[derive(Debug)]
enum StateNumbers {
    /// Of one controller alone, by its state; the last number there can be where it is not known.
    One(Vec<u64>),
    /// Of several controllers.
    Several(FxHashMap<Vec<u32>, u64>),
}

impl StateNumbers {
    fn of(states: Vec<Vec<u32>>) -> Self {
        let alone = |states: &Vec<u32>| <[u32; 1]>::try_from(&states[..]).ok();
        let Some(single) = states.iter().map(alone).collect::<Option<Vec<_>>>() else {
            return Self::Several(states.into_iter().zip(0..).collect());
        };
        let most = single.iter().map(|[state]| *state as usize).max().unwrap_or(0);
        let mut numbers = vec![u64::MAX; most + 1];
        for ([state], number) in single.into_iter().zip(0..) {
            numbers[state as usize] = number;
        }
        Self::One(numbers)
    }

    fn number(&self, states: &[u32]) -> Option<u64> {
        match (self, states) {
            (Self::One(numbers), &[state]) => {
                numbers.get(state as usize).copied().filter(|&number| number != u64::MAX)
            }
            (Self::One(_), _) => None,
            (Self::Several(numbers), _) => numbers.get(states).copied(),
        }
    }
}

/// The outcome of a compiled run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RunOutcome {
    /// Cycles that were not run.
    pub left: u64,
    /// True if nothing changes until an input does.
    pub settled: bool,
    /// The first table or memory (tables are numbered first) accessed past its end, and how many cycles
    /// were left then.
    pub past: Option<(usize, u64)>,
}

impl Compiled {
    /// Compiles what can be reached from these states. Nothing where the host cannot run it, where a
    /// combinational loop is to be settled by trying, or where it is too much.
    pub fn new(program: &Program, states: &[u32], room: usize, extent: Extent) -> Option<Self> {
        let reached = ReachableStates::from(program, states, room.min(INSTRUCTIONS), extent)?;
        let mut compiler = Compiler::new(Effort::Good).ok()?;
        let words = program.layout.initial.len();
        let exchange = program.layout.exchange;
        let kernel = Kernel::new(&mut compiler, words, |builder, number| {
            Writer { program, reached: &reached, builder, labels: vec![], away: None }
                .write(number);
        });
        let (state_numbers, size) = (StateNumbers::of(reached.states), reached.instructions);
        Some(Self { kernel: kernel.ok()?, state_numbers, exchange: exchange as usize, size })
    }

    /// Returns true if it knows these states.
    pub fn knows(&self, states: &[u32]) -> bool {
        self.state_numbers.number(states).is_some()
    }

    /// Runs so many cycles at most; nothing where the states are not known here, or not what the
    /// controllers do in the first cycle.
    pub fn run(&self, arena: &mut [u64], states: &mut [u32], cycles: u64) -> Option<RunOutcome> {
        let number = self.state_numbers.number(states)?;
        let words = self.exchange..self.exchange + EXCHANGED;
        arena[words.clone()].copy_from_slice(&[cycles, 0, 0, 0, 0, 0]);
        let _ = self.kernel.call(arena, number);
        let word_of = |word: u32| arena[self.exchange + word as usize];
        for (at, state) in states.iter_mut().enumerate() {
            *state = arena[words.end + at] as u32;
        }
        if word_of(LEFT) == cycles {
            return None;
        }
        let past = word_of(PAST).checked_sub(1).map(|past| (past as usize, word_of(PAST_LEFT)));
        Some(RunOutcome { left: word_of(LEFT), settled: word_of(SETTLED) != 0, past })
    }
}

/// The transition of one controller: a step, and the state after it.
type Transition = (u32, u32);

/// The states that controllers reach together, and what happens in them.
struct ReachableStates {
    states: Vec<Vec<u32>>,
    /// The plan of every combination of steps that is taken in them.
    plans: HashMap<Vec<u32>, plan::Piece>,
    /// The prefixes of all these combinations.
    beginnings: HashSet<Vec<u32>>,
    instructions: usize,
}

impl ReachableStates {
    /// Follows the controllers from these states on; nothing where that leads beyond a limit.
    fn from(program: &Program, states: &[u32], room: usize, extent: Extent) -> Option<Self> {
        let choices = program.controllers.iter().flat_map(|controller| &controller.choices);
        let mut conditions = choices.filter_map(|choice| match choice {
            Choice::If { code, .. } => Some(code),
            Choice::Go { .. } => None,
        });
        let is_decided = program.controllers.iter().all(|control| control.before.is_empty());
        if !is_decided || !conditions.all(|code| emit::can(code)) {
            return None;
        }
        let mut reached = Self {
            states: vec![states.to_vec()],
            plans: HashMap::new(),
            beginnings: HashSet::new(),
            instructions: 0,
        };
        let mut at = 0;
        while at < reached.states.len() {
            let now = reached.states[at].clone();
            let Some(combinations) = combinations(program, &now) else {
                if extent == Extent::Whole {
                    return None;
                }
                at += 1;
                continue;
            };
            for combination in combinations {
                let fits = reached.follow(program, &now, combination, room)?;
                if !fits && extent == Extent::Whole {
                    return None;
                }
            }
            at += 1;
        }
        (!reached.plans.is_empty()).then_some(reached)
    }

    /// Plans a combination of steps, if there is room for it and for the states after it; nothing where it cannot
    /// be compiled.
    fn follow(
        &mut self,
        program: &Program,
        states: &[u32],
        combination: Vec<Transition>,
        room: usize,
    ) -> Option<bool> {
        if self.instructions > room || self.plans.len() >= COMBINATIONS {
            return Some(false);
        }
        let (steps, nexts): (Vec<u32>, Vec<u32>) = combination.into_iter().unzip();
        let plan = plan::edge(program, &steps, false);
        if plan.looped || !emit::can(&plan.code) {
            return None;
        }
        let begun = (1..=steps.len()).map(|length| steps[..length].to_vec());
        let new: Vec<Vec<u32>> = begun.filter(|begun| !self.beginnings.contains(begun)).collect();
        // Behind each of them the next controller is asked once more.
        let asked = new.iter().filter_map(|begun| {
            let at = begun.len();
            program.controllers.get(at).map(|controller| controller.asked(states[at]))
        });
        self.instructions += plan.size() + asked.sum::<usize>();
        self.beginnings.extend(new);
        self.plans.insert(steps, plan);
        let known = self.states.contains(&nexts);
        let fits = known || self.states.len() < STATES;
        if !known && fits {
            self.states.push(nexts);
        }
        Some(fits)
    }
}

/// The combinations of what the controllers may do in these states: step and next state of each. Nothing
/// where there are too many: independent controllers have one for each product of their branches.
fn combinations(program: &Program, states: &[u32]) -> Option<Vec<Vec<Transition>>> {
    let controllers = program.controllers.iter().zip(states);
    let choices: Vec<Vec<Transition>> =
        controllers.map(|(controller, state)| controller.transitions(*state)).collect();
    let count =
        choices.iter().fold(1_usize, |count, transitions| count.saturating_mul(transitions.len()));
    if count > COMBINATIONS {
        return None;
    }
    Some(choices.iter().fold(vec![vec![]], |before: Vec<Vec<Transition>>, transitions| {
        let longer = |shorter: Vec<Transition>| {
            transitions.iter().map(move |transition| [&shorter[..], &[*transition]].concat())
        };
        before.into_iter().flat_map(longer).collect()
    }))
}

/// Writes the function.
struct Writer<'a, 'b, 'c, 'f> {
    program: &'a Program,
    reached: &'a ReachableStates,
    builder: &'b mut KernelBuilder<'c, 'f>,
    /// Of each state: where its cycle begins.
    labels: Vec<Label>,
    away: Option<Label>,
}

impl Writer<'_, '_, '_, '_> {
    fn write(mut self, number: Word) {
        self.labels = self.reached.states.iter().map(|_| self.builder.label()).collect();
        let nowhere = self.builder.label();
        let labels = self.labels.clone();
        self.builder.switch(number, &labels, nowhere);
        self.builder.place(nowhere);
        let zero = self.builder.constant(0);
        self.builder.leave(zero);
        for (index, states) in self.reached.states.iter().enumerate() {
            self.builder.place(self.labels[index]);
            self.state(states);
        }
    }

    fn exchanged(&self, word: u32) -> u32 {
        self.program.layout.exchange + word
    }

    /// One cycle of the controllers in these states, if any cycles are left.
    fn state(&mut self, states: &[u32]) {
        let left = self.builder.load(self.exchanged(LEFT));
        let [goes_on, ends] = [self.builder.label(), self.builder.label()];
        self.builder.branch(left, goes_on, ends);
        self.builder.place(ends);
        self.leave(states, false);
        self.builder.place(goes_on);
        self.choose(states, &mut vec![]);
        if let Some(away) = self.away.take() {
            // The interpreter runs this cycle, of which nothing is done yet.
            self.builder.place(away);
            self.leave(states, false);
        }
    }

    /// The exit of a state for transitions that are not planned.
    fn away(&mut self) -> Label {
        let Self { away, builder, .. } = self;
        *away.get_or_insert_with(|| builder.label())
    }

    /// Lets the controllers choose, one after the other, and then runs the cycle.
    fn choose(&mut self, states: &[u32], chosen: &mut Vec<(u32, u32)>) {
        match self.program.controllers.get(chosen.len()) {
            None => self.cycle(states, chosen),
            Some(controller) => {
                let first = controller.states[states[chosen.len()] as usize];
                self.decide(first, states, chosen);
            }
        }
    }

    fn decide(&mut self, choice: usize, states: &[u32], chosen: &mut Vec<(u32, u32)>) {
        let controller = &self.program.controllers[chosen.len()];
        match &controller.choices[choice] {
            Choice::Go { step, next } => {
                chosen.push((*step, *next));
                let begun: Vec<u32> = chosen.iter().map(|(step, _)| *step).collect();
                if self.reached.beginnings.contains(&begun) {
                    self.choose(states, chosen);
                } else {
                    let away = self.away();
                    self.builder.jump(away);
                }
                chosen.pop();
            }
            Choice::If { code, slot, yes, no, .. } => {
                let read = *slot..*slot + 1;
                let mut emitter = Emitter::new(self.program, self.builder, Noted::Past);
                emitter.code(code, slice::from_ref(&read));
                let condition = emitter.limb(*slot);
                let labels = [self.builder.label(), self.builder.label()];
                self.builder.branch(condition, labels[0], labels[1]);
                for (label, choice) in labels.into_iter().zip([*yes, *no]) {
                    self.builder.place(label);
                    self.decide(choice, states, chosen);
                }
            }
        }
    }

    /// The cycle itself: values, memories, registers; then on to the next one.
    fn cycle(&mut self, states: &[u32], chosen: &[(u32, u32)]) {
        let (steps, nexts): (Vec<u32>, Vec<u32>) = chosen.iter().copied().unzip();
        let plan = &self.reached.plans[&steps];
        let limbs = |start: u32, limbs: u32| start..start + limbs;
        let mut read = vec![];
        for commit in &plan.commits {
            read.push(limbs(commit.from, commit.limbs));
            read.push(limbs(commit.register, commit.limbs));
        }
        for store in &plan.stores {
            read.push(limbs(store.index, store.index_limbs.into()));
            read.push(limbs(store.from, store.limbs));
        }
        let mut emitter = Emitter::new(self.program, self.builder, Noted::Past);
        emitter.code(&plan.code, &read);
        let stays = states == nexts;
        let stored = emitter.stores(&plan.stores, stays);
        let committed = emitter.commits(&plan.commits, stays);
        let (left, one) = (self.builder.load(self.exchanged(LEFT)), self.builder.constant(1));
        let fewer = self.builder.subtract(left, one);
        self.builder.store(self.exchanged(LEFT), fewer);
        if stays {
            let changed = self.builder.or(stored, committed);
            let [goes_on, settles] = [self.builder.label(), self.builder.label()];
            self.builder.branch(changed, goes_on, settles);
            self.builder.place(settles);
            self.leave(states, true);
            self.builder.place(goes_on);
        }
        match self.reached.states.iter().position(|known| *known == nexts) {
            Some(known) => {
                let label = self.labels[known];
                self.builder.jump(label);
            }
            None => self.leave(&nexts, false),
        }
    }

    /// Returns with the controllers in these states.
    fn leave(&mut self, states: &[u32], settled: bool) {
        for (at, state) in states.iter().enumerate() {
            let state = self.builder.constant((*state).into());
            self.builder.store(self.exchanged(EXCHANGED as u32 + at as u32), state);
        }
        let settled = self.builder.constant(settled.into());
        self.builder.store(self.exchanged(SETTLED), settled);
        self.builder.leave(settled);
    }
}
