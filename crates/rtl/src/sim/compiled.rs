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

use super::code::{Code, Instr};
use super::plan::{self, Cone};
use super::program::{Choice, Program};
pub(super) use emit::limb_masks;
use emit::{Cases, Emitter, Noted};
use rustc_hash::FxHashMap;

use crate::NodeId;

/// Words that compiled code and the simulator tell one another by, before the controllers' states: the
/// cycles that are left, whether nothing changes any more, what was accessed past its end and one, the
/// cycles that were left then, and two of [`super::divided`].
pub(super) const EXCHANGED: usize = 6;
pub(super) const LEFT: u32 = 0;
pub(super) const SETTLED: u32 = 1;
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
            Writer {
                program,
                reached: &reached,
                builder,
                labels: vec![],
                away: None,
                loaded: FxHashMap::default(),
            }
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

/// The steps of those controllers that have chosen, and the state of the next one.
type Beginning = (Vec<u32>, Option<u32>);

fn beginning(program: &Program, states: &[u32], begun: &[u32]) -> Beginning {
    let next = program.order.get(begun.len());
    (begun.to_vec(), next.map(|&index| states[index]))
}

/// The states that controllers reach together, and what happens in them.
struct ReachableStates {
    states: Vec<Vec<u32>>,
    /// The plan of every combination of steps that is taken in them.
    plans: HashMap<Vec<u32>, plan::Piece>,
    /// The prefixes of all these combinations, in the order in which controllers choose, each with the state of the
    /// controller that chooses next.
    beginnings: HashSet<Beginning>,
    /// The code of conditions that depend on the steps of others: by these steps, and the condition.
    conditions: HashMap<(Vec<u32>, NodeId), Cone>,
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
        if !conditions.all(|code| emit::can(code)) {
            return None;
        }
        let mut reached = Self {
            states: vec![states.to_vec()],
            plans: HashMap::new(),
            beginnings: HashSet::new(),
            conditions: HashMap::new(),
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
        let chosen: Vec<u32> = program.order.iter().map(|&index| steps[index]).collect();
        for length in 0..=chosen.len() {
            self.begin(program, states, &chosen[..length])?;
        }
        self.instructions += plan.size();
        self.plans.insert(steps, plan);
        let known = self.states.contains(&nexts);
        let fits = known || self.states.len() < STATES;
        if !known && fits {
            self.states.push(nexts);
        }
        Some(fits)
    }

    /// Behind these steps the next controller is asked once more in its state; nothing where that cannot be compiled.
    fn begin(&mut self, program: &Program, states: &[u32], begun: &[u32]) -> Option<()> {
        let is_new = self.beginnings.insert(beginning(program, states, begun));
        let Some(&index) = program.order.get(begun.len()).filter(|_| is_new) else {
            return Some(());
        };
        let controller = &program.controllers[index];
        self.instructions += controller.asked(states[index]);
        if controller.before.is_empty() {
            return Some(());
        }
        let drivers = drivers_behind(program, begun);
        for condition in controller.conditions(states[index]) {
            let cone = plan::cone(program, &drivers, condition);
            if cone.looped || !emit::can(&cone.code) {
                return None;
            }
            self.instructions += cone.code.len();
            self.conditions.insert((begun.to_vec(), condition), cone);
        }
        Some(())
    }
}

/// The drivers when those controllers that have chosen take these steps.
fn drivers_behind(program: &Program, chosen: &[u32]) -> plan::Drivers {
    let taken = program.order.iter().zip(chosen).flat_map(|(&controller, &step)| {
        &program.controllers[controller].steps[step as usize].assigns
    });
    plan::driven_by(program, taken)
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

/// Returns true if a register changes whenever this plan is taken, as a counter does.
fn counts(program: &Program, plan: &plan::Piece) -> bool {
    let mut origins: FxHashMap<u32, Option<&Instr>> = FxHashMap::default();
    for instr in plan.code.iter().filter(|instr| !instr.code.is_jump()) {
        let origin = origins.entry(instr.to).or_insert(Some(instr));
        // What the branches of a choice set has no origin.
        *origin = origin.filter(|known| std::ptr::eq(*known, instr));
    }
    let is_step = |limb: u32, mask: u64| {
        program.layout.constants.get(&limb).is_some_and(|step| step & mask != 0)
    };
    plan.commits.iter().filter(|commit| commit.limbs == 1).any(|commit| {
        let Some(Some(instr)) = origins.get(&commit.from) else { return false };
        match instr.code {
            Code::Add if instr.b == commit.register => is_step(instr.a, instr.mask),
            Code::Add | Code::Sub => instr.a == commit.register && is_step(instr.b, instr.mask),
            _ => false,
        }
    })
}

fn steps_of(chosen: &[Transition]) -> Vec<u32> {
    chosen.iter().map(|(step, _)| *step).collect()
}

/// Writes the function.
struct Writer<'a, 'b, 'c, 'f> {
    program: &'a Program,
    reached: &'a ReachableStates,
    builder: &'b mut KernelBuilder<'c, 'f>,
    /// Of each state: where its cycle begins.
    labels: Vec<Label>,
    away: Option<Label>,
    /// Registers that are loaded where this code comes by.
    loaded: FxHashMap<u32, Word>,
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
    fn choose(&mut self, states: &[u32], chosen: &mut Vec<Transition>) {
        match self.program.order.get(chosen.len()) {
            None => self.cycle(states, chosen),
            Some(&index) => {
                let first = self.program.controllers[index].states[states[index] as usize];
                self.decide(first, states, chosen);
            }
        }
    }

    fn decide(&mut self, choice: usize, states: &[u32], chosen: &mut Vec<Transition>) {
        let controller = &self.program.controllers[self.program.order[chosen.len()]];
        match &controller.choices[choice] {
            Choice::Go { step, next } => {
                chosen.push((*step, *next));
                let begun = beginning(self.program, states, &steps_of(chosen));
                if self.reached.beginnings.contains(&begun) {
                    self.choose(states, chosen);
                } else {
                    let away = self.away();
                    self.builder.jump(away);
                }
                chosen.pop();
            }
            Choice::If { condition, code, slot, yes, no } => {
                let decided = self.reached.conditions.get(&(steps_of(chosen), *condition));
                let (code, slot) = decided.map_or((code, *slot), |cone| (&cone.code, cone.slot));
                let read = slot..slot + 1;
                let before = self.loaded.clone();
                let mut emitter =
                    Emitter::new(self.program, self.builder, Noted::Nowhere).having(before.clone());
                emitter.code(code, slice::from_ref(&read));
                let condition = emitter.limb(slot);
                self.loaded = emitter.loaded();
                let labels = [self.builder.label(), self.builder.label()];
                self.builder.branch(condition, labels[0], labels[1]);
                for (label, choice) in labels.into_iter().zip([*yes, *no]) {
                    let loaded = self.loaded.clone();
                    self.builder.place(label);
                    self.decide(choice, states, chosen);
                    self.loaded = loaded;
                }
                self.loaded = before;
            }
        }
    }

    /// The cycle itself: values, memories, registers; then on to the next one.
    fn cycle(&mut self, states: &[u32], chosen: &[Transition]) {
        let mut transitions = vec![(0, 0); chosen.len()];
        for (&index, transition) in self.program.order.iter().zip(chosen) {
            transitions[index] = *transition;
        }
        let (steps, nexts): (Vec<u32>, Vec<u32>) = transitions.into_iter().unzip();
        let plan = &self.reached.plans[&steps];
        let (code, commits) = plan.without_copies();
        let cases = Cases::divide(self.program, code, &commits, &plan.stores);
        let (code, commits) = match &cases {
            Some(cases) => (&cases.code[..], &cases.commits[..]),
            None => (code, &commits[..]),
        };
        let limbs = |start: u32, limbs: u32| start..start + limbs;
        let mut read: Vec<_> =
            cases.iter().flat_map(Cases::reads).map(|limb| limbs(limb, 1)).collect();
        for commit in commits {
            read.push(limbs(commit.from, commit.limbs));
            read.push(limbs(commit.register, commit.limbs));
        }
        for store in &plan.stores {
            read.push(limbs(store.index, store.index_limbs.into()));
            read.push(limbs(store.from, store.limbs));
        }
        let mut emitter = Emitter::new(self.program, self.builder, Noted::Past)
            .having(std::mem::take(&mut self.loaded));
        emitter.code(code, &read);
        let may_settle = states == nexts && !counts(self.program, plan);
        let stored = emitter.stores(&plan.stores, may_settle);
        let settles = may_settle.then(|| emitter.ask(commits, cases.as_ref(), stored));
        if let Some(cases) = &cases {
            emitter.cases(cases);
        }
        emitter.commits(commits, false);
        self.spend_cycle();
        match self.reached.states.iter().position(|known| *known == nexts) {
            Some(known) => {
                let label = self.labels[known];
                self.builder.jump(label);
            }
            None => self.leave(&nexts, false),
        }
        if let Some(settles) = settles {
            // All registers have their next values already.
            self.builder.place(settles);
            self.spend_cycle();
            self.leave(states, true);
        }
    }

    /// One cycle fewer is left.
    fn spend_cycle(&mut self) {
        let (left, one) = (self.builder.load(self.exchanged(LEFT)), self.builder.constant(1));
        let fewer = self.builder.subtract(left, one);
        self.builder.store(self.exchanged(LEFT), fewer);
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
