//! States that are never reached, states without a successor, sfgs that never run.

use std::collections::HashSet;

use super::demand::Stop;
use crate::model::{Controller, Datapath, Moment};
use crate::report::Report;

/// Checks a controller. Where it is not strict, a state without a transition is odd, and returned.
pub(super) fn check(datapath: &Datapath, strict: bool, report: &mut Report) -> Vec<Stop> {
    let controller = datapath.controller.as_ref();
    let stuck = controller.map(|controller| check_states(controller, strict, report));
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
    if strict { vec![] } else { stuck.unwrap_or_default() }
}

/// Returns the states that have no transition and are reached.
fn check_states(controller: &Controller, strict: bool, report: &mut Report) -> Vec<Stop> {
    let mut stuck = vec![];
    let reachable: HashSet<usize> = reachable(controller).into_iter().collect();
    for (index, state) in controller.states.iter().enumerate() {
        let reached = reachable.contains(&index);
        if reached && state.decision.is_none() {
            let message = format!("the state `{}` has no transition", state.name);
            report.doubt(
                strict,
                "fdl.no-transition",
                &message,
                (state.span, "nothing says what happens in it"),
                &format!("add one: `@{} sfg -> next_state;`", state.name),
            );
            stuck.push((state.span, message, Moment::Choice));
        } else if !reached {
            report.warning(
                "fdl.unreachable-state",
                &format!("the state `{}` is never reached", state.name),
                (state.span, "no transition leads here"),
                "remove it, or name it as a next state",
            );
        }
    }
    stuck
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
