//! The rules that make a design determinate, checked before anything runs: each output is defined in
//! every cycle, no signal depends on itself, what is read is assigned in the same cycle, and nothing is
//! assigned twice in a cycle.
//!
//! Source: P. Schaumont, S. Shukla, I. Verbauwhede, "Extended abstract: a race-free hardware modeling
//! language" (2005). Where only values at run time decide, as in the branches of `?:`, a breach is a
//! warning.

mod assignments;
mod demand;
mod states;

use cocrypt_diag::Diagnostic;

use crate::ast::Span;
use crate::model::{Datapath, Expr, Model};
use crate::report::Report;

/// Checks a model; its warnings grow.
///
/// # Errors
/// All breaches that are certain.
pub(crate) fn check(model: &mut Model) -> Result<(), Vec<Diagnostic>> {
    let mut report = Report::new(&model.source);
    report.list.clone_from(&model.warnings);
    let mut summaries = Vec::new();
    for datapath in &model.datapaths {
        if let Some(original) = datapath.original {
            let summary: demand::Summary = demand::Summary::clone(&summaries[original]);
            summaries.push(summary);
            continue;
        }
        states::check(datapath, &mut report);
        let steps = steps(datapath);
        assignments::check(datapath, &steps, &mut report);
        summaries.push(demand::check(datapath, &steps, &summaries, &mut report));
    }
    if report.has_errors() {
        return Err(report.list);
    }
    model.warnings = report.list;
    Ok(())
}

/// What runs in one cycle: the sfgs that are always active and those that a transition names.
struct Step {
    sfgs: Vec<usize>,
    /// Where the transition stands; none without controller.
    span: Option<Span>,
}

/// Who gives a symbol its value.
#[derive(Clone, Copy)]
enum Driver<'a> {
    Sfg(&'a Expr),
    /// A port of a child: place of the instance, place of the port.
    Child(usize, usize),
}

/// All steps that the controller can take in states that it can reach.
fn steps(datapath: &Datapath) -> Vec<Step> {
    let sfgs = datapath.sfgs.iter().enumerate();
    let always: Vec<usize> = sfgs.filter(|(_, sfg)| sfg.always).map(|(index, _)| index).collect();
    let Some(controller) = &datapath.controller else {
        return vec![Step { sfgs: always, span: None }];
    };
    let reachable = states::reachable(controller);
    let mut steps = Vec::new();
    for state in reachable.iter().map(|index| &controller.states[*index]) {
        if let Some(decision) = &state.decision {
            decision.each_go(&mut |named, _, span| {
                let named = named.iter().map(|(sfg, _)| *sfg);
                let sfgs = always.iter().copied().chain(named).collect();
                steps.push(Step { sfgs, span: Some(span) });
            });
        }
    }
    steps
}
