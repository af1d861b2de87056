//! GEZEL's own view of a design's rules: it checks them when a cycle needs a value, and only what a system
//! runs.
//!
//! Source: the simulator of GEZEL 2.5.

use std::collections::HashMap;

use super::demand::Stop;
use crate::Dialect;
use crate::ast::Span;
use crate::model::{Action, Argument, Datapath, Decision, Model, Sfg};
use crate::report::Report;

/// A transition of a datapath that cannot be taken, or a state that cannot be left, and why.
pub(super) type Fault = (usize, Stop);

/// Of each datapath: true if it is run, by a system or as the top or below it. All are where there is neither,
/// or another dialect.
pub(super) fn present(model: &Model, top: Option<&str>) -> Vec<bool> {
    let all = &model.datapaths;
    let top = top.and_then(|name| model.find(name));
    let has_system = all.iter().any(|datapath| datapath.is_system);
    let is_run = model.dialect == Dialect::Gezel && (top.is_some() || has_system);
    let begins = |(index, datapath): (usize, &Datapath)| match top {
        Some(top) => index == top,
        None => datapath.is_system,
    };
    let mut present: Vec<bool> =
        all.iter().enumerate().map(|each| !is_run || begins(each)).collect();
    // Users stand below what they use.
    for index in (0..all.len()).rev() {
        if present[index] {
            all[index].uses.iter().for_each(|instance| present[instance.child] = true);
        }
    }
    // A copy is checked by way of what it copies.
    for index in (0..all.len()).rev() {
        if let Some(original) = all[index].original.filter(|_| present[index]) {
            present[original] = true;
        }
    }
    present
}

/// Leaves a symbol the driver that GEZEL goes by: of two instances the later one, and an instance rather than
/// an assignment that stands before it.
pub(super) fn settle_drivers(model: &mut Model, report: &mut Report) {
    for datapath in &mut model.datapaths {
        let is_copy = datapath.original.is_some();
        let mut driven: HashMap<usize, Span> = HashMap::new();
        for instance in datapath.uses.iter_mut().rev() {
            for argument in instance.arguments.iter_mut().rev() {
                let Argument::Output(symbol, span) = *argument else { continue };
                let Some(last) = driven.get(&symbol) else {
                    driven.insert(symbol, span);
                    continue;
                };
                *argument = Argument::Open;
                if !is_copy {
                    let name = &datapath.symbols[symbol].name;
                    ignored(name, "an output", (span, *last), report);
                }
            }
        }
        outrank_assignments(datapath, &driven, report);
    }
}

fn outrank_assignments(
    datapath: &mut Datapath,
    driven: &HashMap<usize, Span>,
    report: &mut Report,
) {
    let (is_copy, symbols) = (datapath.original.is_some(), &datapath.symbols);
    for sfg in &mut datapath.sfgs {
        sfg.assigns.retain(|assign| {
            let later = driven.get(&assign.target).filter(|span| span.start > assign.span.start);
            if let Some(later) = later.filter(|_| !is_copy) {
                let name = &symbols[assign.target].name;
                ignored(name, "an assignment", (assign.span, *later), report);
            }
            later.is_none()
        });
    }
}

fn ignored(name: &str, what: &str, (here, last): (Span, Span), report: &mut Report) {
    let message = format!("{what} drives `{name}`, which an instance below drives too");
    let help = "GEZEL goes by the last instance; give each a signal of its own";
    report.warning("fdl.multiple-drivers", &message, (here, "has no effect"), help);
    report.also(last, "this one counts");
}

/// Ends the simulation where one of these transitions is taken, as GEZEL does.
pub(super) fn stop_at(model: &mut Model, faults: &[Fault]) {
    for (datapath, breach) in faults {
        stop(&mut model.datapaths[*datapath], breach);
    }
    for index in 0..model.datapaths.len() {
        let Some(original) = model.datapaths[index].original else { continue };
        if faults.iter().any(|(datapath, _)| *datapath == original) {
            let (sfgs, controller) = {
                let original = &model.datapaths[original];
                (original.sfgs.clone(), original.controller.clone())
            };
            (model.datapaths[index].sfgs, model.datapaths[index].controller) = (sfgs, controller);
        }
    }
}

/// Adds an sfg that ends the simulation to a transition, or to a state that has none.
fn stop(datapath: &mut Datapath, (span, message, moment): &Stop) {
    let (span, sfg) = (*span, datapath.sfgs.len());
    let Some(controller) = &mut datapath.controller else { return };
    for (index, state) in controller.states.iter_mut().enumerate() {
        match &mut state.decision {
            Some(decision) => add(decision, span, sfg),
            None if state.span == span => {
                let sfgs = vec![(sfg, span)];
                state.decision = Some(Decision::Go { sfgs, traced: false, next: index, span });
            }
            None => {}
        }
    }
    datapath.sfgs.push(Sfg {
        name: format!("stop_{sfg}"),
        span,
        always: false,
        assigns: vec![],
        writes: vec![],
        actions: vec![Action::Stop(message.clone(), *moment)],
    });
}

fn add(decision: &mut Decision, at: Span, sfg: usize) {
    match decision {
        Decision::Go { sfgs, span, .. } if *span == at => sfgs.push((sfg, at)),
        Decision::Go { .. } => {}
        Decision::If { yes, no, .. } => {
            add(yes, at, sfg);
            add(no, at, sfg);
        }
    }
}
