//! Controllers: state machines, hardwired controllers and sequencers, all as state machines.

use std::collections::{HashMap, HashSet};

use cocrypt_diag::suggest;

use super::Resolver;
use super::expression::{Meaning, Names};
use crate::Dialect;
use crate::ast::{self, ControllerBody, Name, SfgSet, Span};
use crate::model::{Controller, Datapath, Decision, Expr, State};

/// The states of a machine, and where they stand by name.
#[derive(Default)]
struct States {
    list: Vec<State>,
    places: HashMap<String, usize>,
}

impl States {
    fn find(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }

    fn push(&mut self, state: State) {
        self.places.insert(state.name.clone(), self.list.len());
        self.list.push(state);
    }
}

impl Resolver<'_> {
    pub(super) fn controller(&mut self, controller: &ast::Controller, open: Option<usize>) {
        let Some(index) = self.find(&controller.datapath) else { return };
        if open != Some(index) {
            self.report.error(
                "fdl.controller-position",
                &format!(
                    "this controller does not follow its datapath `{}`",
                    controller.datapath.text
                ),
                (controller.datapath.span, "defined elsewhere"),
                "move it directly below the datapath; a datapath has one controller at most",
            );
            return;
        }
        self.unique_controller(&controller.name);
        self.attach_controller(controller, index);
    }

    /// Resolves the controller of a datapath.
    pub(super) fn attach_controller(&mut self, controller: &ast::Controller, index: usize) {
        let datapath = self.model.datapaths[index].clone();
        let before = self.parts;
        let sfgs = datapath.sfgs.iter().enumerate().filter(|(_, sfg)| !sfg.always);
        // Of sfgs with one name the first counts.
        self.sfgs = sfgs.rev().map(|(index, sfg)| (sfg.name.clone(), index)).collect();
        let (states, initial) = match &controller.body {
            ControllerBody::Fsm { states, initial, transitions } => {
                let Some(fsm) =
                    self.fsm(&datapath, &controller.name, (states, initial, transitions))
                else {
                    return;
                };
                fsm
            }
            ControllerBody::Hardwired(sfgs) => {
                (self.steps(&datapath, &controller.name, std::slice::from_ref(sfgs)), 0)
            }
            ControllerBody::Sequencer(steps) => (self.steps(&datapath, &controller.name, steps), 0),
        };
        let (name, span) = (controller.name.text.clone(), controller.name.span);
        let is_sequencer = !matches!(controller.body, ControllerBody::Fsm { .. });
        let controller = Controller { name, span, states, initial, is_sequencer };
        self.model.datapaths[index].controller = Some(controller);
        self.model.datapaths[index].size += self.parts - before;
    }

    fn unique_controller(&mut self, name: &Name) {
        if let Some(first) = self.controllers.insert(name.text.clone(), name.span) {
            let strict = self.dialect == Dialect::Extended;
            self.report.doubt(
                strict,
                "fdl.duplicate-name",
                &format!("there is a controller `{}` already", name.text),
                (name.span, "defined again"),
                "choose another name",
            );
            self.report.also(first, "first defined here");
        }
    }

    /// One state per step, each followed by the next.
    fn steps(&mut self, datapath: &Datapath, name: &Name, steps: &[SfgSet]) -> Vec<State> {
        if steps.iter().all(|step| step.names.is_empty()) {
            self.report.error(
                "fdl.empty-controller",
                "this controller does nothing",
                (name.span, "names no sfg"),
                "name at least one sfg, or remove the controller",
            );
        }
        let count = steps.len();
        let states = steps.iter().enumerate().map(|(index, step)| {
            let span = step.names.first().map_or(name.span, |sfg| sfg.span);
            let (sfgs, traced) = (self.sfgs(datapath, &step.names), step.traced);
            let decision = Decision::Go { sfgs, traced, next: (index + 1) % count, span };
            State { name: format!("step{index}"), span, decision: Some(decision) }
        });
        states.collect()
    }

    fn fsm(
        &mut self,
        datapath: &Datapath,
        name: &Name,
        (others, initial, transitions): (&[Name], &[Name], &[(Name, ast::Transition)]),
    ) -> Option<(Vec<State>, usize)> {
        let (mut states, names) = (States::default(), names_of(datapath));
        for state in initial.iter().chain(others) {
            self.spend(1, state.span)?;
            self.state(&mut states, state, initial);
        }
        for (state, transition) in transitions {
            self.spend(1, state.span)?;
            let Some(index) = self.find_state(&states, state) else { continue };
            let decision = self.decision((datapath, &names), &states, transition);
            self.attach(&mut states.list[index], state, decision);
        }
        let states = states.list;
        let first = self.initial(name, initial, &states)?;
        Some((states, first))
    }

    fn state(&mut self, states: &mut States, name: &Name, initial: &[Name]) {
        let (text, span) = (name.text.clone(), name.span);
        match states.find(&text).map(|index| &states.list[index]) {
            // Naming the initial state among the others as well is harmless.
            Some(_) if initial.iter().any(|first| first.text == text && first.span != span) => {}
            Some(first) => {
                let first = first.span;
                self.report.error(
                    "fdl.duplicate-name",
                    &format!("there is a state `{text}` already"),
                    (span, "declared again"),
                    "choose another name",
                );
                self.report.also(first, "first declared here");
            }
            None => states.push(State { name: text, span, decision: None }),
        }
    }

    fn initial(&mut self, name: &Name, initial: &[Name], states: &[State]) -> Option<usize> {
        match initial {
            [] => {
                self.report.error(
                    "fdl.initial-state",
                    "this state machine has no initial state",
                    (name.span, "no `initial`"),
                    "declare where it starts: `initial s0;`",
                );
                None
            }
            [first] => states.iter().position(|state| state.name == first.text),
            [_, second, ..] => {
                self.report.error(
                    "fdl.initial-state",
                    "this state machine has more than one initial state",
                    (second.span, "a further one"),
                    "declare it with `state`",
                );
                None
            }
        }
    }

    fn attach(&mut self, state: &mut State, name: &Name, decision: Option<Decision>) {
        if state.decision.is_some() {
            self.report.error(
                "fdl.duplicate-transition",
                &format!("the state `{}` has its transitions already", name.text),
                (name.span, "given again"),
                "put all cases into one `if … then … else …`",
            );
        }
        state.span = name.span;
        state.decision = decision;
    }

    fn find_state(&mut self, states: &States, name: &Name) -> Option<usize> {
        let found = states.find(&name.text);
        if found.is_none() && !self.stopped() {
            let known = states.list.iter().map(|state| state.name.as_str());
            let help = match suggest(&name.text, known) {
                Some(close) => format!("did you mean `{close}`?"),
                None => format!("declare it: `state {};`", name.text),
            };
            let message = format!("this state machine has no state `{}`", name.text);
            self.report.error("fdl.unknown-state", &message, (name.span, "not known"), &help);
        }
        found
    }

    fn decision(
        &mut self,
        (datapath, names): (&Datapath, &Names),
        states: &States,
        transition: &ast::Transition,
    ) -> Option<Decision> {
        match transition {
            ast::Transition::Go { sfgs, next } => {
                let first = sfgs.names.first();
                let span = first.map_or(next.span, |first| first.span.to(next.span));
                let (sfgs, traced) = (self.sfgs(datapath, &sfgs.names), sfgs.traced);
                Some(Decision::Go { sfgs, traced, next: self.find_state(states, next)?, span })
            }
            ast::Transition::If { condition, yes, no } => {
                let condition = self.condition(names, condition);
                let yes = self.decision((datapath, names), states, yes);
                let no = self.decision((datapath, names), states, no);
                let (yes, no) = (Box::new(yes?), Box::new(no?));
                Some(Decision::If { condition: condition?, yes, no })
            }
        }
    }

    fn sfgs(&mut self, datapath: &Datapath, names: &[Name]) -> Vec<(usize, Span)> {
        let mut sfgs: Vec<(usize, Span)> = Vec::new();
        let mut taken = HashSet::new();
        for name in names {
            if self.spend(1, name.span).is_none() {
                break;
            }
            match self.sfgs.get(&name.text).copied() {
                // Naming an sfg twice runs it once.
                Some(sfg) if !taken.insert(sfg) => {}
                Some(sfg) => sfgs.push((sfg, name.span)),
                None => self.unknown_sfg(datapath, name),
            }
        }
        sfgs
    }

    fn unknown_sfg(&mut self, datapath: &Datapath, name: &Name) {
        let named = datapath.sfgs.iter().filter(|sfg| !sfg.always);
        let help = match suggest(&name.text, named.map(|sfg| sfg.name.as_str())) {
            Some(close) => format!("did you mean `{close}`?"),
            None => format!("define it in the datapath: `sfg {} {{ … }}`", name.text),
        };
        let message = format!("the datapath `{}` has no sfg `{}`", datapath.name, name.text);
        self.report.error("fdl.unknown-sfg", &message, (name.span, "not known"), &help);
    }

    /// A condition, of which only bit 0 counts.
    fn condition(&mut self, names: &Names, condition: &ast::Expr) -> Option<Expr> {
        let condition = self.expression(names, condition)?;
        if condition.ty.width > 1 && !condition.is_constant() {
            self.report.warning(
                "fdl.wide-condition",
                &format!(
                    "this condition has {} bits, and only bit 0 of it counts",
                    condition.ty.width
                ),
                (condition.span, "wider than 1 bit"),
                "compare it: `(…) != 0`; or select the bit: `(…)[0]`",
            );
        }
        Some(condition)
    }
}

/// The names that conditions may use: all but those local to an sfg.
fn names_of(datapath: &Datapath) -> Names {
    let mut names = Names::default();
    for (index, symbol) in datapath.symbols.iter().enumerate() {
        if symbol.local.is_none() {
            names.meanings.insert(symbol.name.clone(), (Meaning::Symbol(index), symbol.ty));
        }
    }
    for (index, table) in datapath.tables.iter().enumerate() {
        names.meanings.insert(table.name.clone(), (Meaning::Table(index), table.ty));
    }
    for (index, array) in datapath.arrays.iter().enumerate() {
        names.meanings.insert(array.name.clone(), (Meaning::Array(index), array.ty));
    }
    names
}
