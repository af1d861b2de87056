//! The output directives of a design, in the order of the file.

use std::collections::HashMap;

use cocrypt_rtl::{Action, Activity, Effect, GroupId, Part, Phase, Printed, ScopeId, Trace};

use super::Lowering;
use crate::ast::Kind;
use crate::model::{self, Base, Expr, ExprKind, Moment, Shown};

impl Lowering<'_> {
    /// Adds what `$display`, `$finish`, `$trace` and `stimulus` ask for.
    pub(super) fn actions(&mut self) {
        let mut order: Vec<usize> = (0..self.instances.len()).collect();
        order.sort_by_key(|index| self.instances[*index].datapath);
        self.builder.netlist.defined = order.iter().map(|index| ScopeId(*index as u32)).collect();
        for index in order {
            self.builder.enter(ScopeId(index as u32));
            self.scope_actions(index);
            self.traces(index);
        }
        if let Some(top) = self.instances.first() {
            let stimuli = &self.model.datapaths[top.datapath].stimuli;
            self.builder.netlist.stimuli = stimuli
                .iter()
                .map(|stimulus| (top.net(stimulus.net), stimulus.file.clone()))
                .collect();
        }
    }

    fn scope_actions(&mut self, index: usize) {
        let model = self.model;
        let datapath = &model.datapaths[self.instances[index].datapath];
        let mut stops = stops(datapath);
        for (group, sfg) in datapath.sfgs.iter().enumerate() {
            for (place, action) in sfg.actions.iter().enumerate() {
                for (group, message) in stops.remove(&(group, place)).into_iter().flatten() {
                    let (scope, group) = (ScopeId(index as u32), GroupId(group as u32));
                    let what = Effect::Stop(message.to_owned(), Phase::Output);
                    self.builder.netlist.actions.push(Action { scope, group, what });
                }
                let what = match action {
                    model::Action::Finish => Effect::Finish,
                    // It stands before the action at which it is found.
                    model::Action::Stop(_, Moment::Action(..)) => continue,
                    model::Action::Stop(message, moment) => {
                        Effect::Stop(message.clone(), phase(*moment))
                    }
                    model::Action::Display(shown) => {
                        let part = |part| self.part(index, sfg, part);
                        Effect::Print(shown.iter().map(part).collect())
                    }
                };
                let (scope, group) = (ScopeId(index as u32), GroupId(group as u32));
                self.builder.netlist.actions.push(Action { scope, group, what });
            }
        }
    }

    fn part(&mut self, index: usize, sfg: &model::Sfg, part: &Shown) -> Part {
        match part {
            Shown::Text(text) => Part::Text(text.clone()),
            Shown::Value(value, base) => Part::Value(self.printed(index, value, *base)),
            Shown::Datapath => Part::Text(self.datapath(index).name.clone()),
            Shown::Sfg => Part::Text(sfg.name.clone()),
            Shown::Cycle => Part::Cycle,
            Shown::Toggles => Part::Activity(Activity::Toggles),
            Shown::Ones => Part::Activity(Activity::Ones),
            Shown::Zeroes => Part::Activity(Activity::Zeroes),
        }
    }

    fn printed(&mut self, index: usize, value: &Expr, base: Base) -> Printed {
        let range = self.range(index, value);
        let register = match value.kind {
            ExprKind::Symbol(symbol) => {
                let is_register = self.datapath(index).symbols[symbol].kind == Kind::Reg;
                is_register.then(|| self.instances[index].net(symbol))
            }
            _ => None,
        };
        Printed {
            value: self.bits(index, value, range.width()),
            signed: range.is_signed(),
            width: value.ty.width,
            base: match base {
                Base::Binary => 2,
                Base::Decimal => 10,
                Base::Hexadecimal => 16,
            },
            register,
        }
    }

    fn traces(&mut self, index: usize) {
        let model = self.model;
        for trace in &model.datapaths[self.instances[index].datapath].traces {
            let width = trace.value.ty.width;
            let value = self.bits(index, &trace.value, width);
            let name = model.source.text[trace.value.span.range()].trim().to_owned();
            let (scope, file) = (ScopeId(index as u32), trace.file.clone());
            self.builder.netlist.traces.push(Trace { scope, value, width, file, name });
        }
    }
}

/// The sfgs that end the simulation at an action, with their messages, by the places of the action's sfg and of
/// itself.
fn stops(datapath: &model::Datapath) -> HashMap<(usize, usize), Vec<(usize, &str)>> {
    let mut stops: HashMap<_, Vec<_>> = HashMap::new();
    for (group, sfg) in datapath.sfgs.iter().enumerate() {
        for action in &sfg.actions {
            if let model::Action::Stop(message, Moment::Action(sfg, place)) = action {
                stops.entry((*sfg, *place)).or_default().push((group, message.as_str()));
            }
        }
    }
    stops
}

fn phase(moment: Moment) -> Phase {
    match moment {
        Moment::Choice => Phase::Choice,
        Moment::Evaluation => Phase::Evaluation,
        Moment::Action(..) => Phase::Output,
        Moment::Traces => Phase::Traces,
    }
}
