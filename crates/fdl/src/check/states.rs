//! States that are never reached, states without a successor, sfgs that never run.

use std::collections::HashSet;

use crate::model::{Controller, Datapath};
use crate::report::Report;

pub(super) fn check(datapath: &Datapath, report: &mut Report) {
    if let Some(controller) = &datapath.controller {
        check_states(controller, report);
    }
    let named = datapath.controller.as_ref().map(named).unwrap_or_default();
    for (index, sfg) in datapath.sfgs.iter().enumerate() {
        if !sfg.always && !named.contains(&index) {
            report.warning(
                "fdl.unused-sfg",
                &format!("the sfg `{}` never runs", sfg.name),
                (sfg.span, "no controller names it"),
                "name it in the controller, or make it an `always` block",
            );
        }
    }
}

fn check_states(controller: &Controller, report: &mut Report) {
    let reachable: HashSet<usize> = reachable(controller).into_iter().collect();
    for (index, state) in controller.states.iter().enumerate() {
        let reached = reachable.contains(&index);
        if reached && state.decision.is_none() {
            report.error(
                "fdl.no-transition",
                &format!("the state `{}` has no transition", state.name),
                (state.span, "nothing says what happens in it"),
                &format!("add one: `@{} sfg -> next_state;`", state.name),
            );
        } else if !reached {
            report.warning(
                "fdl.unreachable-state",
                &format!("the state `{}` is never reached", state.name),
                (state.span, "no transition leads here"),
                "remove it, or name it as a next state",
            );
        }
    }
}

/// The states that a path leads to from the initial one, in order of discovery.
pub(super) fn reachable(controller: &Controller) -> Vec<usize> {
    let mut found = vec![controller.initial];
    let mut known = HashSet::from([controller.initial]);
    let mut next = 0;
    while next < found.len() {
        if let Some(decision) = &controller.states[found[next]].decision {
            decision.each_go(&mut |_, state, _| {
                if known.insert(state) {
                    found.push(state);
                }
            });
        }
        next += 1;
    }
    found
}

/// The sfgs that a controller names.
fn named(controller: &Controller) -> HashSet<usize> {
    let mut named = HashSet::new();
    for decision in controller.states.iter().filter_map(|state| state.decision.as_ref()) {
        decision.each_go(&mut |sfgs, _, _| named.extend(sfgs.iter().map(|(index, _)| *index)));
    }
    named
}
