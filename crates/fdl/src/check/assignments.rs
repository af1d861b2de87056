//! Nothing is assigned twice in a cycle, and every output is assigned at all.

use std::collections::{HashMap, HashSet};

use super::Step;
use crate::ast::{Kind, Span};
use crate::model::{Argument, Datapath};
use crate::report::Report;

/// Checks a datapath. Where it is not strict, what only some steps do wrong is odd.
pub(super) fn check(datapath: &Datapath, steps: &[Step], strict: bool, report: &mut Report) {
    within_sfgs(datapath, report);
    writes(datapath, steps, report);
    let driven = by_children(datapath, report);
    against_children(datapath, &driven, report);
    across_sfgs(datapath, steps, strict, report);
    undriven_outputs(datapath, &driven, report);
}

fn within_sfgs(datapath: &Datapath, report: &mut Report) {
    for sfg in &datapath.sfgs {
        let mut first: HashMap<usize, Span> = HashMap::new();
        for assign in &sfg.assigns {
            if let Some(first) = first.insert(assign.target, assign.span) {
                let name = &datapath.symbols[assign.target].name;
                report.error(
                    "fdl.multiple-assignment",
                    &format!("`{name}` is assigned twice in the sfg `{}`", sfg.name),
                    (assign.span, "assigned again"),
                    "keep one of the two, or choose between them with `?:`",
                );
                report.also(first, "first assigned here");
            }
        }
    }
}

/// An array has one place to write to, so that it can be a memory.
fn writes(datapath: &Datapath, steps: &[Step], report: &mut Report) {
    let mut reported: HashSet<(usize, usize)> = HashSet::new();
    for step in steps {
        let mut first: HashMap<usize, Span> = HashMap::new();
        for write in step.sfgs.iter().flat_map(|sfg| &datapath.sfgs[*sfg].writes) {
            let known = first.insert(write.array, write.span);
            let Some(known) = known.filter(|_| reported.insert((write.array, write.span.start)))
            else {
                continue;
            };
            let name = &datapath.arrays[write.array].name;
            report.error(
                "fdl.multiple-assignment",
                &format!("the array `{name}` is written twice in one cycle"),
                (write.span, "written again"),
                "write one element a cycle, or keep what is written together in an array of its own",
            );
            report.also(known, "first written here");
        }
    }
}

/// The symbols that children drive.
fn by_children(datapath: &Datapath, report: &mut Report) -> HashMap<usize, Span> {
    let mut driven: HashMap<usize, Span> = HashMap::new();
    for argument in datapath.uses.iter().flat_map(|used| &used.arguments) {
        let Argument::Output(symbol, span) = argument else { continue };
        if let Some(first) = driven.insert(*symbol, *span) {
            report.error(
                "fdl.multiple-drivers",
                &format!("`{}` is driven by two outputs", datapath.symbols[*symbol].name),
                (*span, "driven here too"),
                "give each output a signal of its own",
            );
            report.also(first, "first driven here");
        }
    }
    driven
}

fn against_children(datapath: &Datapath, driven: &HashMap<usize, Span>, report: &mut Report) {
    for assign in datapath.sfgs.iter().flat_map(|sfg| &sfg.assigns) {
        if let Some(driver) = driven.get(&assign.target) {
            let name = &datapath.symbols[assign.target].name;
            report.error(
                "fdl.multiple-drivers",
                &format!("`{name}` is driven by an output already and cannot be assigned"),
                (assign.span, "assigned here"),
                "assign another signal",
            );
            report.also(*driver, "driven in every cycle");
        }
    }
}

fn across_sfgs(datapath: &Datapath, steps: &[Step], strict: bool, report: &mut Report) {
    let mut reported: HashSet<(usize, usize, usize)> = HashSet::new();
    for step in steps {
        let mut first: HashMap<usize, (usize, Span)> = HashMap::new();
        for sfg in &step.sfgs {
            for assign in &datapath.sfgs[*sfg].assigns {
                let known = first.insert(assign.target, (*sfg, assign.span));
                let Some((other, span)) = known.filter(|(other, _)| other != sfg) else { continue };
                if reported.insert((assign.target, other, *sfg)) {
                    let place = (assign.target, assign.span);
                    together(datapath, place, [other, *sfg], span, (step, strict), report);
                }
            }
        }
    }
}

fn together(
    datapath: &Datapath,
    (symbol, span): (usize, Span),
    sfgs: [usize; 2],
    first: Span,
    (step, strict): (&Step, bool),
    report: &mut Report,
) {
    let name = &datapath.symbols[symbol].name;
    let [earlier, later] = sfgs.map(|sfg| &datapath.sfgs[sfg].name);
    report.doubt(
        strict,
        "fdl.multiple-assignment",
        &format!("`{name}` is assigned by the sfgs `{earlier}` and `{later}` in one cycle"),
        (span, "assigned again"),
        "let one of the two assign it, or run them in different cycles",
    );
    report.also(first, "first assigned here");
    if let Some(transition) = step.span {
        report.also(transition, "both run here");
    }
}

fn undriven_outputs(datapath: &Datapath, driven: &HashMap<usize, Span>, report: &mut Report) {
    let assigned: HashSet<usize> =
        datapath.sfgs.iter().flat_map(|sfg| &sfg.assigns).map(|assign| assign.target).collect();
    for port in &datapath.ports {
        let symbol = &datapath.symbols[*port];
        if symbol.kind == Kind::Out && !assigned.contains(port) && !driven.contains_key(port) {
            report.error(
                "fdl.undriven-output",
                &format!("nothing assigns the output `{}`", symbol.name),
                (symbol.span, "this output"),
                "assign it in every cycle, in an `always` block for example",
            );
        }
    }
}
