//! Units as machine code.
//!
//! What a controller's steps do is computed for all of them where it is little, and selected: that takes less time
//! than a branch that the host mispredicts. Else each step has its branch.

mod lanes;
mod values;

use std::ops::Range;
use std::{mem, slice};

use cocrypt_codegen::{Cell, Comparison, KernelBuilder, Label, Word};
use rustc_hash::{FxHashMap, FxHashSet};

use super::families::Family;
use super::{CHANGED, DOUBT};
use crate::sim::code::{Code, Instr};
use crate::sim::compiled::emit::{Emitter, Known, Noted, differing, results};
use crate::sim::compiled::{EXCHANGED, LEFT, SETTLED};
use crate::sim::divide::{Pieces, Unit, Work};
use crate::sim::plan::Piece;
use crate::sim::program::{Choice, Program};
use lanes::Families;

/// Limbs of work that are done in vain, at most, rather than branched over.
const IN_VAIN: usize = 48;
/// Limbs that registers and nets take from one piece in a single go, at most: all are alive then.
const TAKEN: usize = 64;
/// Bits of a number of a state, a step or a set of groups, of controllers that choose without a branch: their
/// choices are few.
const FIELD: u32 = 16;
/// Steps that are told apart by comparing their numbers, at most.
const COMPARED: usize = 12;

/// Writes a function that runs these units; of a single one, perhaps only some pieces.
pub(super) fn units(
    program: &Program,
    builder: &mut KernelBuilder<'_, '_>,
    units: &[Unit],
    only: Option<&Range<usize>>,
) {
    let mut writer = Writer::new(program, builder, units, None);
    for unit in units {
        writer.unit(unit, only);
    }
    let zero = writer.builder.constant(0);
    writer.builder.leave(zero);
}

/// Writes a function that runs all units of a design, cycle after cycle, until its cycles are used up, nothing
/// changes any more, or the simulator is to run one. Families are evaluated in lanes, by eager units.
pub(super) fn cycles(
    program: &Program,
    builder: &mut KernelBuilder<'_, '_>,
    units: &[Unit],
    (families, eager): (&[Family], &[Unit]),
) {
    let changed = builder.cell();
    let mut writer = Writer::new(program, builder, units, Some(changed));
    writer.families = Families::new(families, eager);
    writer.cycles(units);
}

/// Returns true if a unit may leave the cycle to the simulator.
fn may_doubt(unit: &Unit) -> bool {
    match &unit.work {
        Work::Choose(choices) => choices.iter().any(|choice| match choice {
            Choice::If { code, .. } => reads_tables(code),
            Choice::Go { .. } => false,
        }),
        Work::Values(pieces) => {
            pieces.pieces.iter().any(|piece| piece.looped || reads_tables(&piece.code))
        }
        Work::Edge(_) => false,
    }
}

fn reads_tables(code: &[Instr]) -> bool {
    code.iter().any(|instr| matches!(instr.code, Code::Lookup | Code::Read))
}

/// Limbs of work; nothing where it must not be done in vain, or takes long.
fn work(code: &[Instr]) -> Option<usize> {
    let is_plain = |instr: &Instr| {
        !matches!(
            instr.code,
            Code::Lookup | Code::Read | Code::Remainder | Code::RemainderWide | Code::MulWide
        )
    };
    let limbs = code.iter().map(|instr| usize::from(instr.limbs));
    code.iter().all(is_plain).then(|| limbs.sum())
}

/// Returns true if all pieces are to be computed, whichever of them the cycle needs.
fn is_flat(pieces: &Pieces) -> bool {
    if pieces.pieces.iter().any(|piece| piece.looped || !piece.stores.is_empty()) {
        return false;
    }
    let commits = |piece: &Piece| piece.commits.iter().map(|at| at.limbs as usize).sum::<usize>();
    if let [piece] = &pieces.pieces[..] {
        return commits(piece) <= TAKEN;
    }
    let works = pieces.pieces.iter().map(|piece| Some(work(&piece.code)? + commits(piece)));
    let Some(works) = works.collect::<Option<Vec<usize>>>() else { return false };
    let most = works.iter().max().copied().unwrap_or(0);
    pieces.of_step.len() <= COMPARED && works.iter().sum::<usize>() - most <= IN_VAIN
}

/// Returns true if all conditions of a controller are to be computed, whichever of them its state asks for.
fn chooses_flat(choices: &[Choice], states: usize) -> bool {
    let works = choices.iter().map(|choice| match choice {
        Choice::If { code, .. } => work(code).map(|work| work + 1),
        Choice::Go { .. } => Some(1),
    });
    works.sum::<Option<usize>>().is_some_and(|work| work + states <= IN_VAIN)
}

struct Writer<'a, 'b, 'c, 'f> {
    program: &'a Program,
    builder: &'b mut KernelBuilder<'c, 'f>,
    known: Known,
    /// Words that others copy.
    copied: FxHashSet<u32>,
    /// Of controllers: the set of groups of each step.
    of_step: FxHashMap<usize, &'a [usize]>,
    /// Of controllers that have chosen without a branch: the set of groups of their step.
    sets: FxHashMap<usize, Word>,
    /// Set once something changed in the cycle, where the function runs whole cycles.
    changed: Option<Cell>,
    /// Values before and behind the clock's edge that are not compared yet.
    taken: Vec<(Word, Word)>,
    /// Scopes that are evaluated in lanes.
    families: Families<'a>,
}

impl<'a, 'b, 'c, 'f> Writer<'a, 'b, 'c, 'f> {
    fn new(
        program: &'a Program,
        builder: &'b mut KernelBuilder<'c, 'f>,
        units: &'a [Unit],
        changed: Option<Cell>,
    ) -> Self {
        let of_step = units.iter().filter_map(|unit| match &unit.work {
            Work::Values(pieces) | Work::Edge(pieces) if pieces.pieces.len() > 1 => {
                Some((unit.controller?, &pieces.of_step[..]))
            }
            _ => None,
        });
        let of_step = of_step.collect();
        let (known, copied) = (Known::default(), FxHashSet::default());
        let (sets, taken) = (FxHashMap::default(), vec![]);
        let families = Families::default();
        Self { program, builder, known, copied, of_step, sets, changed, taken, families }
    }

    fn exchanged(&self, word: u32) -> u32 {
        self.program.layout.exchange + word
    }

    fn cycles(mut self, units: &[Unit]) {
        let [head, runs, ends, settles] = [(); 4].map(|()| self.builder.label());
        self.gather_families();
        self.builder.jump(head);
        self.builder.place(head);
        let left = self.builder.load(self.exchanged(LEFT));
        self.builder.branch(left, runs, ends);
        self.builder.place(runs);
        let zero = self.builder.constant(0);
        self.set_changed(zero);
        self.cycle(units, ends);
        let (left, one) = (self.builder.load(self.exchanged(LEFT)), self.builder.constant(1));
        let fewer = self.builder.subtract(left, one);
        self.builder.store(self.exchanged(LEFT), fewer);
        let changed = self.changed();
        self.builder.branch(changed, head, settles);
        self.builder.place(settles);
        let one = self.builder.constant(1);
        self.builder.store(self.exchanged(SETTLED), one);
        self.builder.jump(ends);
        self.builder.place(ends);
        self.scatter_families();
        let zero = self.builder.constant(0);
        self.builder.leave(zero);
    }

    /// One cycle; one for the simulator ends elsewhere before anything is done.
    fn cycle(&mut self, units: &[Unit], elsewhere: Label) {
        let edge = units.iter().position(|unit| matches!(unit.work, Work::Edge(_)));
        let (values, edges) = units.split_at(edge.unwrap_or(units.len()));
        let late = self.late(values);
        let mut alone = vec![];
        for (at, unit) in values.iter().enumerate() {
            if self.family_unit(at) {
                continue;
            }
            alone.push(unit);
            if !late.contains_key(&unit.controller) {
                self.unit(unit, None);
            }
        }
        if values.iter().any(may_doubt) {
            let doubt = self.builder.load(self.exchanged(DOUBT));
            let on = self.builder.label();
            self.builder.branch(doubt, elsewhere, on);
            self.builder.place(on);
        }
        for (at, edge) in (values.len()..).zip(edges) {
            if self.family_unit(at) {
                continue;
            }
            if let Some(choice) = late.get(&edge.controller) {
                self.unit(choice, None);
            }
            self.unit(edge, None);
            if let Some(controller) = edge.controller {
                self.go_on(controller);
            }
        }
        let gone: FxHashSet<usize> = edges.iter().filter_map(|unit| unit.controller).collect();
        for unit in alone.into_iter().filter(|unit| matches!(unit.work, Work::Choose(_))) {
            let Some(controller) = unit.controller.filter(|at| !gone.contains(at)) else {
                continue;
            };
            if late.contains_key(&unit.controller) {
                self.unit(unit, None);
            }
            self.go_on(controller);
        }
        self.family_edges();
    }

    /// The choices that only their controller's edge asks for: they are made right before it, so that few of them
    /// are alive at once.
    fn late<'u>(&self, values: &'u [Unit]) -> FxHashMap<Option<usize>, &'u Unit> {
        let asked: FxHashSet<usize> = values
            .iter()
            .filter(|unit| matches!(unit.work, Work::Values(_)))
            .filter_map(|unit| unit.controller)
            .collect();
        let is_late = |unit: &&Unit| match (&unit.work, unit.controller) {
            (Work::Choose(choices), Some(controller)) => {
                let states = self.program.controllers[controller].states.len();
                !asked.contains(&controller) && chooses_flat(choices, states)
            }
            _ => false,
        };
        values.iter().filter(is_late).map(|unit| (unit.controller, unit)).collect()
    }

    /// A controller comes into its next state.
    fn go_on(&mut self, controller: usize) {
        let [state, next] = [0, 2].map(|which| self.word(self.word_of(controller, which)));
        self.builder.store(self.word_of(controller, 0), next);
        self.taken.push((state, next));
        self.note_changes();
    }

    fn unit(&mut self, unit: &Unit, only: Option<&Range<usize>>) {
        match (&unit.work, unit.controller) {
            (Work::Choose(choices), Some(controller)) => {
                let states = self.program.controllers[controller].states.len();
                if chooses_flat(choices, states) {
                    self.choose_flat(controller, choices);
                } else {
                    self.choose(controller, choices);
                }
            }
            (Work::Choose(_), None) => {}
            (Work::Values(pieces) | Work::Edge(pieces), controller) => {
                let is_edge = matches!(unit.work, Work::Edge(_));
                match &pieces.pieces[..] {
                    [piece] if !is_edge && self.changed.is_some() && !piece.looped => {
                        let computed = self.copy(piece);
                        let pieces = Pieces { pieces: vec![computed], of_step: vec![] };
                        self.work(controller, &pieces, is_edge, only);
                    }
                    _ => self.work(controller, pieces, is_edge, only),
                }
            }
        }
    }

    fn work(
        &mut self,
        controller: Option<usize>,
        pieces: &Pieces,
        is_edge: bool,
        only: Option<&Range<usize>>,
    ) {
        if only.is_none() && is_flat(pieces) {
            self.flat(controller, pieces, is_edge);
            return;
        }
        if is_edge {
            self.keep_copied(pieces);
        }
        if let Some(controller) = controller.filter(|_| pieces.pieces.len() > 1) {
            self.pieces(controller, pieces, is_edge, only);
        } else {
            self.piece(&pieces.pieces[0], is_edge);
        }
    }

    /// Notes what a piece merely copies, which nobody needs to store then; returns the piece without that.
    fn copy(&mut self, piece: &Piece) -> Piece {
        let computed: FxHashSet<u32> = piece.code.iter().flat_map(results).collect();
        let mut commits = vec![];
        for commit in &piece.commits {
            if (commit.from..commit.from + commit.limbs).any(|limb| computed.contains(&limb)) {
                commits.push(*commit);
                continue;
            }
            for limb in 0..commit.limbs {
                let origin = self.known.origin(commit.from + limb);
                self.known.copies.insert(commit.register + limb, origin);
                self.copied.insert(origin);
            }
        }
        Piece { commits, ..piece.clone() }
    }

    /// Loads registers that others copy before they change.
    fn keep_copied(&mut self, pieces: &Pieces) {
        for commit in pieces.pieces.iter().flat_map(|piece| &piece.commits) {
            for limb in commit.register..commit.register + commit.limbs {
                if self.copied.contains(&limb) {
                    self.word(limb);
                }
            }
        }
    }

    /// The place of a word about a controller: its state, its step (1), its next state (2).
    fn word_of(&self, controller: usize, which: usize) -> u32 {
        let offset = EXCHANGED + which * self.program.controllers.len() + controller;
        self.program.layout.exchange + offset as u32
    }

    /// The value of a word of the array, at a place that all later code comes by.
    fn word(&mut self, place: u32) -> Word {
        let Self { known, builder, .. } = self;
        if let Some(word) = known.words.get(&place) {
            return *word;
        }
        let word = known.load(builder, place);
        known.words.insert(place, word);
        word
    }

    /// Returns true if a net has a single bit.
    fn is_bit(&self, place: u32) -> bool {
        self.program.layout.masks.get(&place) == Some(&1)
    }

    /// Computes all pieces, and selects what the controller's step needs.
    fn flat(&mut self, controller: Option<usize>, pieces: &Pieces, is_edge: bool) {
        let noted = if is_edge { Noted::Past } else { Noted::Doubt };
        let (mut targets, mut values) = (vec![], FxHashMap::<u32, Vec<(usize, Word)>>::default());
        for (at, piece) in pieces.pieces.iter().enumerate() {
            let read: Vec<Range<u32>> = piece
                .commits
                .iter()
                .map(|commit| commit.from..commit.from + commit.limbs)
                .collect();
            let mut emitter = Emitter::new(self.program, self.builder, noted).knowing(&self.known);
            emitter.code(&piece.code, &read);
            for commit in &piece.commits {
                for limb in 0..commit.limbs {
                    let target = commit.register + limb;
                    let given = values.entry(target).or_default();
                    if given.is_empty() {
                        targets.push(target);
                    }
                    given.retain(|(piece, _)| *piece != at);
                    given.push((at, emitter.limb(commit.from + limb)));
                }
            }
        }
        let mut active = vec![None; pieces.pieces.len()];
        let mut changes = vec![];
        for target in &targets {
            let given = &values[target];
            let value = self.selected(*target, given, (controller, pieces), &mut active);
            let before = if is_edge { self.word(*target) } else { value };
            changes.push((before, value));
        }
        for (target, (_, value)) in targets.iter().zip(&changes) {
            if is_edge {
                self.builder.store(*target, *value);
                continue;
            }
            if self.changed.is_none() {
                self.builder.store(*target, *value);
            }
            self.known.words.insert(*target, *value);
        }
        if is_edge {
            self.taken.extend(changes);
            // A controller's next state is compared together with its registers.
            if self.changed.is_none() || controller.is_none() {
                self.note_changes();
            }
        }
    }

    /// What a register or a net takes, given what it takes from each piece.
    fn selected(
        &mut self,
        target: u32,
        given: &[(usize, Word)],
        (controller, pieces): (Option<usize>, &Pieces),
        active: &mut [Option<Word>],
    ) -> Word {
        let is_from_all = given.len() == pieces.pieces.len();
        let (base, others) = match (is_from_all, given) {
            (true, [(_, first), others @ ..]) => (*first, others),
            _ => (self.word(target), given),
        };
        let mut value = base;
        for &(at, word) in others.iter().filter(|(_, word)| *word != base) {
            let is_active = match active[at] {
                Some(known) => known,
                None => self.is_active(controller, pieces, at),
            };
            active[at] = Some(is_active);
            value = self.builder.select(is_active, word, value);
        }
        value
    }

    /// True if the controller's step is one of a piece's.
    fn is_active(&mut self, controller: Option<usize>, pieces: &Pieces, at: usize) -> Word {
        let Some(controller) = controller else { return self.builder.constant(1) };
        if let Some(set) = self.sets.get(&controller).copied() {
            let number = self.builder.constant(at as u64);
            return self.builder.compare(Comparison::Equal, set, number);
        }
        let step = self.word(self.word_of(controller, 1));
        let mut active = self.builder.constant(0);
        for (number, _) in pieces.of_step.iter().enumerate().filter(|(_, set)| **set == at) {
            let number = self.builder.constant(number as u64);
            let is_it = self.builder.compare(Comparison::Equal, step, number);
            active = self.builder.or(active, is_it);
        }
        active
    }

    fn changed(&mut self) -> Word {
        match self.changed {
            Some(cell) => self.builder.get(cell),
            None => self.builder.load(self.exchanged(CHANGED)),
        }
    }

    fn set_changed(&mut self, word: Word) {
        match self.changed {
            Some(cell) => self.builder.set(cell, word),
            None => self.builder.store(self.exchanged(CHANGED), word),
        }
    }

    /// Notes whether values changed, unless others of the cycle did: then that is known.
    fn note_changes(&mut self) {
        let pairs = mem::take(&mut self.taken);
        let so_far = self.changed();
        let [asks, on] = [self.builder.label(), self.builder.label()];
        self.builder.branch(so_far, on, asks);
        self.builder.place(asks);
        let changed = differing(self.builder, &pairs);
        self.set_changed(changed);
        self.builder.jump(on);
        self.builder.place(on);
    }

    fn pieces(
        &mut self,
        controller: usize,
        pieces: &Pieces,
        is_edge: bool,
        only: Option<&Range<usize>>,
    ) {
        let step = self.word(self.word_of(controller, 1));
        let end = self.builder.label();
        let mut label = |at: usize| match only {
            Some(range) if !range.contains(&at) => None,
            _ => Some((at, self.builder.label())),
        };
        let labels: Vec<Option<(usize, Label)>> =
            (0..pieces.pieces.len()).map(&mut label).collect();
        let targets: Vec<Label> =
            pieces.of_step.iter().map(|at| labels[*at].map_or(end, |(_, label)| label)).collect();
        self.builder.switch(step, &targets, end);
        for (at, label) in labels.into_iter().flatten() {
            self.builder.place(label);
            self.piece(&pieces.pieces[at], is_edge);
            self.builder.jump(end);
        }
        self.builder.place(end);
    }

    fn piece(&mut self, piece: &Piece, is_edge: bool) {
        let limbs = |start: u32, limbs: u32| start..start + limbs;
        let mut read = vec![];
        for commit in &piece.commits {
            read.push(limbs(commit.from, commit.limbs));
            if is_edge {
                read.push(limbs(commit.register, commit.limbs));
            }
        }
        for store in &piece.stores {
            read.push(limbs(store.index, store.index_limbs.into()));
            read.push(limbs(store.from, store.limbs));
        }
        let noted = if is_edge { Noted::Past } else { Noted::Doubt };
        let mut emitter = Emitter::new(self.program, self.builder, noted).knowing(&self.known);
        emitter.code(&piece.code, &read);
        let stored = emitter.stores(&piece.stores, is_edge);
        let committed = emitter.commits(&piece.commits, is_edge);
        if is_edge {
            let so_far = self.changed();
            let committed = differing(self.builder, &committed);
            let changed = self.builder.or(stored, committed);
            let changed = self.builder.or(so_far, changed);
            self.set_changed(changed);
        } else if piece.looped {
            let doubt = self.builder.constant(1);
            self.builder.store(self.exchanged(DOUBT), doubt);
        }
    }

    /// Computes all conditions of a controller, and selects its step and its next state.
    fn choose_flat(&mut self, controller: usize, choices: &[Choice]) {
        let state = self.word(self.word_of(controller, 0));
        let conditions: Vec<Option<Word>> =
            choices.iter().map(|choice| self.condition(choice)).collect();
        let starts = &self.program.controllers[controller].states;
        let mut chosen = None;
        for (number, start) in starts.iter().enumerate() {
            let here = self.outcome(controller, choices, &conditions, *start);
            chosen = Some(match chosen {
                None => here,
                Some(others) => {
                    let number = self.builder.constant(number as u64);
                    let is_here = self.builder.compare(Comparison::Equal, state, number);
                    self.either(is_here, here, others)
                }
            });
        }
        let Some(chosen) = chosen else { return };
        let [next, step, set] = self.fields(chosen);
        for (which, word) in [(1, step), (2, next)] {
            let place = self.word_of(controller, which);
            if self.changed.is_none() {
                self.builder.store(place, word);
            }
            self.known.words.insert(place, word);
        }
        if self.of_step.contains_key(&controller) {
            self.sets.insert(controller, set);
        }
    }

    fn condition(&mut self, choice: &Choice) -> Option<Word> {
        let Choice::If { code, slot, .. } = choice else { return None };
        let read = *slot..*slot + 1;
        let mut emitter =
            Emitter::new(self.program, self.builder, Noted::Doubt).knowing(&self.known);
        emitter.code(code, slice::from_ref(&read));
        Some(emitter.limb(*slot))
    }

    /// Next state, step and set of groups that a choice makes one word of.
    fn fields(&mut self, chosen: Word) -> [Word; 3] {
        let [bits, twice, mask] = [FIELD.into(), 2 * u64::from(FIELD), (1 << FIELD) - 1]
            .map(|at| self.builder.constant(at));
        let above = self.builder.shift_right(chosen, bits);
        let [next, step] = [chosen, above].map(|word| self.builder.and(word, mask));
        [next, step, self.builder.shift_right(chosen, twice)]
    }

    /// Next state, step and set of groups by a choice, in one word, so that one selection serves all three.
    fn outcome(
        &mut self,
        controller: usize,
        choices: &[Choice],
        conditions: &[Option<Word>],
        choice: usize,
    ) -> Word {
        match (&choices[choice], conditions[choice]) {
            (Choice::If { yes, no, .. }, Some(condition)) => {
                let [yes, no] =
                    [yes, no].map(|at| self.outcome(controller, choices, conditions, *at));
                self.either(condition, yes, no)
            }
            (Choice::Go { step, next }, _) => {
                let sets = self.of_step.get(&controller);
                let set = sets.and_then(|sets| sets.get(*step as usize)).copied().unwrap_or(0);
                let word = (set as u64) << FIELD | u64::from(*step);
                self.builder.constant(word << FIELD | u64::from(*next))
            }
            (Choice::If { .. }, None) => self.builder.constant(0),
        }
    }

    fn either(&mut self, condition: Word, yes: Word, no: Word) -> Word {
        if yes == no { yes } else { self.builder.select(condition, yes, no) }
    }

    fn choose(&mut self, controller: usize, choices: &[Choice]) {
        let state = self.word(self.word_of(controller, 0));
        let states = &self.program.controllers[controller].states;
        let labels: Vec<Label> = states.iter().map(|_| self.builder.label()).collect();
        let end = self.builder.label();
        self.builder.switch(state, &labels, end);
        for (label, first) in labels.into_iter().zip(states) {
            self.builder.place(label);
            self.decide(controller, choices, *first, end);
        }
        self.builder.place(end);
    }

    fn decide(&mut self, controller: usize, choices: &[Choice], choice: usize, end: Label) {
        match &choices[choice] {
            Choice::Go { step, next } => {
                let (step, next) = (u64::from(*step), u64::from(*next));
                for (which, value) in [(1, step), (2, next)] {
                    let value = self.builder.constant(value);
                    self.builder.store(self.word_of(controller, which), value);
                }
                self.builder.jump(end);
            }
            Choice::If { yes, no, .. } => {
                let Some(condition) = self.condition(&choices[choice]) else { return };
                let labels = [self.builder.label(), self.builder.label()];
                self.builder.branch(condition, labels[0], labels[1]);
                for (label, choice) in labels.into_iter().zip([*yes, *no]) {
                    self.builder.place(label);
                    self.decide(controller, choices, choice, end);
                }
            }
        }
    }
}
