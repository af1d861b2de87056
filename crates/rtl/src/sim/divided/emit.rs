//! Units as machine code.

use std::ops::Range;
use std::slice;

use cocrypt_codegen::{KernelBuilder, Label};

use super::{CHANGED, DOUBT};
use crate::sim::compiled::EXCHANGED;
use crate::sim::compiled::emit::{Emitter, Noted};
use crate::sim::divide::{Pieces, Unit, Work};
use crate::sim::plan::Piece;
use crate::sim::program::{Choice, Program};

/// Writes a function that runs these units; of a single one, perhaps only some pieces.
pub(super) fn units(
    program: &Program,
    builder: &mut KernelBuilder<'_, '_>,
    units: &[Unit],
    only: Option<&Range<usize>>,
) {
    let mut writer = Writer { program, builder };
    for unit in units {
        writer.unit(unit, only);
    }
    let zero = writer.builder.constant(0);
    writer.builder.leave(zero);
}

struct Writer<'a, 'c, 'f> {
    program: &'a Program,
    builder: &'a mut KernelBuilder<'c, 'f>,
}

impl Writer<'_, '_, '_> {
    fn unit(&mut self, unit: &Unit, only: Option<&Range<usize>>) {
        match (&unit.work, unit.controller) {
            (Work::Choose(choices), Some(controller)) => self.choose(controller, choices),
            (Work::Choose(_), None) => {}
            (Work::Values(pieces) | Work::Edge(pieces), controller) => {
                let is_edge = matches!(unit.work, Work::Edge(_));
                match controller.filter(|_| pieces.pieces.len() > 1) {
                    None => self.piece(&pieces.pieces[0], is_edge),
                    Some(controller) => self.pieces(controller, pieces, is_edge, only),
                }
            }
        }
    }

    /// The place of a word about a controller: its state, its step (1), its next state (2).
    fn word_of(&self, controller: usize, which: usize) -> u32 {
        let offset = EXCHANGED + which * self.program.controllers.len() + controller;
        self.program.layout.exchange + offset as u32
    }

    fn pieces(
        &mut self,
        controller: usize,
        pieces: &Pieces,
        is_edge: bool,
        only: Option<&Range<usize>>,
    ) {
        let step = self.builder.load(self.word_of(controller, 1));
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
        let mut emitter = Emitter::new(self.program, self.builder, noted);
        emitter.code(&piece.code, &read);
        let stored = emitter.stores(&piece.stores, is_edge);
        let committed = emitter.commits(&piece.commits, is_edge);
        let exchange = self.program.layout.exchange;
        if is_edge {
            let so_far = self.builder.load(exchange + CHANGED);
            let changed = self.builder.or(stored, committed);
            let changed = self.builder.or(so_far, changed);
            self.builder.store(exchange + CHANGED, changed);
        } else if piece.looped {
            let doubt = self.builder.constant(1);
            self.builder.store(exchange + DOUBT, doubt);
        }
    }

    fn choose(&mut self, controller: usize, choices: &[Choice]) {
        let state = self.builder.load(self.word_of(controller, 0));
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
            Choice::If { code, slot, yes, no, .. } => {
                let read = *slot..*slot + 1;
                let mut emitter = Emitter::new(self.program, self.builder, Noted::Doubt);
                emitter.code(code, slice::from_ref(&read));
                let condition = emitter.limb(*slot);
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
