//! The rules that make a design determinate, checked before anything runs: each output is defined in
//! every cycle, no signal depends on itself, what is read is assigned in the same cycle, and nothing is
//! assigned twice in a cycle.
//!
//! Source: P. Schaumont, S. Shukla, I. Verbauwhede, "Extended abstract: a race-free hardware modeling
//! language" (2005). Where only values at run time decide, as in the branches of `?:`, a breach is a
//! warning.

mod assignments;
mod demand;
mod lenient;
mod states;

use std::rc::Rc;

use cocrypt_diag::Diagnostic;

use crate::Dialect;
use crate::ast::Span;
use crate::limits;
use crate::model::{Datapath, Expr, Model};
use crate::report::Report;

/// Checks a model, of which the datapath `top` is run, or what systems name; its warnings grow.
///
/// # Errors
/// All breaches that are certain.
pub(crate) fn check(model: &mut Model, top: Option<&str>) -> Result<(), Vec<Diagnostic>> {
    let mut report = Report::new(&model.source);
    report.list.clone_from(&model.warnings);
    let strict = model.dialect == Dialect::Extended;
    if !strict {
        lenient::settle_drivers(model, &mut report);
    }
    let present = lenient::present(model, top);
    let mut summaries: Vec<Rc<demand::Summary>> = Vec::new();
    let mut faults: Vec<lenient::Fault> = Vec::new();
    for (index, datapath) in model.datapaths.iter().enumerate() {
        if let Some(original) = datapath.original {
            summaries.push(Rc::clone(&summaries[original]));
            continue;
        }
        let said = report.list.len();
        let stuck = states::check(datapath, strict, &mut report);
        if report.is_full() {
            break;
        }
        let Some(steps) = steps(datapath) else {
            many_steps(datapath, &mut report);
            break;
        };
        let in_steps = !strict && datapath.controller.is_some();
        assignments::check(datapath, &steps, !in_steps, &mut report);
        let (summary, breaches) =
            demand::check(datapath, &steps, &summaries, !in_steps, &mut report);
        summaries.push(Rc::new(summary));
        if present[index] {
            let breaches = breaches.into_iter().map(|breach| (index, breach));
            faults.extend(stuck.into_iter().map(|breach| (index, breach)).chain(breaches));
        } else {
            report.soften(said);
        }
    }
    if report.has_errors() {
        return Err(report.list);
    }
    model.warnings = report.list;
    lenient::stop_at(model, &faults);
    Ok(())
}

/// The groups that run in one cycle: the sfgs that are always active and those that a transition names.
struct Step {
    sfgs: Vec<usize>,
    /// The span of the transition; none without controller.
    span: Option<Span>,
}

/// The driver of a symbol.
#[derive(Clone, Copy)]
enum Driver<'a> {
    Sfg(&'a Expr),
    /// A port of a child: place of the instance, place of the port.
    Child(usize, usize),
}

fn many_steps(datapath: &Datapath, report: &mut Report) {
    let message = format!("`{}` has too many steps for what happens in each", datapath.name);
    let help = "move what is always active, or some of the states, into a datapath of its own";
    report.error("fdl.too-large", &message, (datapath.span, "this datapath"), help);
}

/// All steps that the controller can take in states that it can reach; nothing where they are too many.
fn steps(datapath: &Datapath) -> Option<Vec<Step>> {
    let sfgs = datapath.sfgs.iter().enumerate();
    let always: Vec<usize> = sfgs.filter(|(_, sfg)| sfg.always).map(|(index, _)| index).collect();
    let Some(controller) = &datapath.controller else {
        return Some(vec![Step { sfgs: always, span: None }]);
    };
    let reachable = states::reachable(controller);
    let mut count = 0_usize;
    for decision in reachable.iter().filter_map(|at| controller.states[*at].decision.as_ref()) {
        decision.each_go(&mut |_, _, _| count += 1);
    }
    let each = always.iter().map(|sfg| 1 + datapath.sfgs[*sfg].assigns.len()).sum::<usize>()
        + datapath.uses.iter().map(|instance| 1 + instance.arguments.len()).sum::<usize>()
        + datapath.ports.len();
    if count.saturating_mul(each) > limits::STEPS {
        return None;
    }
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
    Some(steps)
}
