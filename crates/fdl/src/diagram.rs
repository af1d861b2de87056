//! Pictures of a design, as text for Graphviz and Mermaid: its state machines, and who drives whom.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::ast::{Kind, Span};
use crate::model::{Argument, Controller, Datapath, Decision, Expr, ExprKind, Model};

/// Conditions are cut behind so many characters.
const LONG: usize = 40;
/// Bytes of a condition that are looked at.
const LONGEST: usize = 4096;
/// Conditions that are written at an arrow.
const HOLDING: usize = 16;

/// A transition: where from, where to, and what is written at it.
struct Arrow {
    from: usize,
    to: usize,
    /// Its place among the state's transitions, where there are several: the first that holds is taken.
    place: Option<usize>,
    condition: String,
    sfgs: String,
}

impl Arrow {
    fn label(&self) -> String {
        let Self { condition, sfgs, .. } = self;
        match self.place {
            None => sfgs.clone(),
            Some(place) => format!("{place}. {condition} / {sfgs}"),
        }
    }
}

/// The state machines of a design as a Graphviz digraph, each in a frame of its own.
#[must_use]
pub fn states_dot(model: &Model) -> String {
    let mut text = String::from(
        "digraph states {\n  rankdir=TB; nodesep=0.6; ranksep=0.7;\n  \
         node [shape=box, style=\"rounded,filled\", fillcolor=\"#eef3fb\", color=\"#35507a\", \
         fontname=\"Helvetica\", fontsize=12];\n  \
         edge [color=\"#35507a\", fontname=\"Helvetica\", fontsize=10];\n",
    );
    for (index, datapath) in machines(model) {
        let Some(controller) = &datapath.controller else { continue };
        let (name, of) = (&controller.name, &datapath.name);
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "  subgraph cluster_{index} {{\n    label=\"{name} of {of}\"; fontname=\"Helvetica\"; \
             color=\"#b8c4d6\";"
        );
        for (at, state) in controller.states.iter().enumerate() {
            let _ = writeln!(text, "    s{index}_{at} [label=\"{}\"];", state.name);
        }
        let initial = controller.initial;
        let _ = writeln!(
            text,
            "    start{index} [shape=circle, label=\"\", width=0.15, fillcolor=\"#35507a\"];\n    \
             start{index} -> s{index}_{initial};"
        );
        let arrows = arrows(model, datapath, controller);
        let mut ways: BTreeMap<(usize, usize), Vec<&Arrow>> = BTreeMap::new();
        for arrow in &arrows {
            ways.entry((arrow.from, arrow.to)).or_default().push(arrow);
        }
        for ((from, to), here) in ways {
            let labels = here.iter().fold(String::new(), |mut labels, arrow| {
                let _ = write!(labels, "  {}\\l", escaped(&arrow.label()));
                labels
            });
            let _ = writeln!(text, "    s{index}_{from} -> s{index}_{to} [label=\"{labels}\"];");
        }
        text.push_str("  }\n");
    }
    text.push_str("}\n");
    text
}

/// The state machines of a design as Mermaid state diagrams, one after the other.
#[must_use]
pub fn states_mermaid(model: &Model) -> String {
    let mut text = String::from("stateDiagram-v2\n");
    for (index, datapath) in machines(model) {
        let Some(controller) = &datapath.controller else { continue };
        let _ =
            writeln!(text, "  state \"{} of {}\" as m{index} {{", controller.name, datapath.name);
        for (at, state) in controller.states.iter().enumerate() {
            let _ = writeln!(text, "    state \"{}\" as m{index}_{at}", state.name);
        }
        let _ = writeln!(text, "    [*] --> m{index}_{}", controller.initial);
        for arrow in arrows(model, datapath, controller) {
            // Colons and semicolons end what Mermaid takes for a label.
            let label = arrow.label().replace([':', ';', '"'], " ");
            let _ =
                writeln!(text, "    m{index}_{} --> m{index}_{} : {label}", arrow.from, arrow.to);
        }
        text.push_str("  }\n");
    }
    text
}

/// The connections of a datapath, as a Graphviz digraph: ports, registers, signals, tables, instances.
#[must_use]
pub fn datapath_dot(model: &Model, datapath: usize) -> String {
    let drawn = &model.datapaths[datapath];
    let mut text = format!(
        "digraph \"{}\" {{\n  rankdir=LR; nodesep=0.25; ranksep=0.8;\n  \
         node [fontname=\"Helvetica\", fontsize=11, style=filled, color=\"#35507a\"];\n  \
         edge [color=\"#7186a5\", fontname=\"Helvetica\", fontsize=9, arrowsize=0.7];\n  \
         label=\"{}\"; labelloc=t; fontname=\"Helvetica\";\n",
        drawn.name, drawn.name
    );
    for (at, symbol) in drawn.symbols.iter().enumerate() {
        let sign = if symbol.ty.signed { "tc" } else { "ns" };
        let (shape, fill) = match symbol.kind {
            Kind::In => ("cds", "#e2f0d9"),
            Kind::Out => ("cds", "#fdebd0"),
            Kind::Reg => ("box", "#d6e4f5"),
            Kind::Sig => ("ellipse", "#ffffff"),
        };
        let _ = writeln!(
            text,
            "  n{at} [shape={shape}, fillcolor=\"{fill}\", label=\"{}\\n{sign}({})\"];",
            symbol.name, symbol.ty.width
        );
    }
    for (at, table) in drawn.tables.iter().enumerate() {
        let _ = writeln!(
            text,
            "  t{at} [shape=note, fillcolor=\"#f5f0d6\", label=\"{}\\n{} entries\"];",
            table.name,
            table.entries.len()
        );
    }
    for (at, array) in drawn.arrays.iter().enumerate() {
        let _ = writeln!(
            text,
            "  a{at} [shape=box3d, fillcolor=\"#d6e4f5\", label=\"{}({})\\nof {} bits\"];",
            array.name,
            array.initial.len(),
            array.ty.width
        );
    }
    edges(drawn, &mut text);
    instances(model, drawn, &mut text);
    text.push_str("}\n");
    text
}

fn machines(model: &Model) -> impl Iterator<Item = (usize, &Datapath)> {
    // A copy does what its original does.
    let originals =
        model.datapaths.iter().enumerate().filter(|(_, datapath)| datapath.original.is_none());
    originals.filter(|(_, datapath)| datapath.controller.is_some())
}

fn arrows(model: &Model, datapath: &Datapath, controller: &Controller) -> Vec<Arrow> {
    let mut arrows = vec![];
    for (from, state) in controller.states.iter().enumerate() {
        let first = arrows.len();
        if let Some(decision) = &state.decision {
            follow((model, datapath), from, decision, &mut vec![], &mut arrows);
        }
        let several = arrows.len() > first + 1;
        for (place, arrow) in arrows[first..].iter_mut().enumerate() {
            arrow.place = several.then_some(place + 1);
        }
    }
    arrows
}

/// Follows a decision behind some conditions that hold.
fn follow(
    (model, datapath): (&Model, &Datapath),
    from: usize,
    decision: &Decision,
    holding: &mut Vec<String>,
    arrows: &mut Vec<Arrow>,
) {
    match decision {
        Decision::Go { sfgs, next, .. } => {
            let names: Vec<&str> =
                sfgs.iter().map(|(sfg, _)| datapath.sfgs[*sfg].name.as_str()).collect();
            let mut condition =
                holding.iter().take(HOLDING).cloned().collect::<Vec<_>>().join(", ");
            if holding.len() > HOLDING {
                condition.push_str(", …");
            } else if holding.is_empty() {
                "else".clone_into(&mut condition);
            }
            let (to, sfgs) = (*next, names.join(", "));
            arrows.push(Arrow { from, to, place: None, condition, sfgs });
        }
        Decision::If { condition, yes, no } => {
            holding.push(short(model, condition.span));
            follow((model, datapath), from, yes, holding, arrows);
            holding.pop();
            follow((model, datapath), from, no, holding, arrows);
        }
    }
}

/// The text of a condition, on one line and not too long.
fn short(model: &Model, span: Span) -> String {
    let text = &model.source.text[span.range()];
    let text = &text[..text.floor_char_boundary(LONGEST)];
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.chars().count() <= LONG {
        return words;
    }
    words.chars().take(LONG - 1).chain(['…']).collect()
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

/// The symbols that each assignment reads and writes; named by its sfg where it is not always active.
fn edges(drawn: &Datapath, text: &mut String) {
    // One arrow for all sfgs that draw the same.
    let mut known: BTreeMap<(String, String), BTreeSet<&str>> = BTreeMap::new();
    for sfg in &drawn.sfgs {
        let name = if sfg.always { "" } else { sfg.name.as_str() };
        for assign in &sfg.assigns {
            for source in read(&assign.value) {
                known.entry((source, format!("n{}", assign.target))).or_default().insert(name);
            }
        }
        for write in &sfg.writes {
            for source in read(&write.value).into_iter().chain(read(&write.index)) {
                known.entry((source, format!("a{}", write.array))).or_default().insert(name);
            }
        }
    }
    for ((from, to), names) in known {
        let plain = names.contains("") || names.len() > 3;
        let names: Vec<&str> = names.into_iter().collect();
        let label = if plain { String::new() } else { names.join("\\n") };
        let _ = writeln!(text, "  {from} -> {to} [label=\"{label}\"];");
    }
}

fn instances(model: &Model, drawn: &Datapath, text: &mut String) {
    for (at, used) in drawn.uses.iter().enumerate() {
        let child = &model.datapaths[used.child];
        let _ = writeln!(
            text,
            "  u{at} [shape=component, fillcolor=\"#ece4f3\", label=\"{}\"];",
            child.name
        );
        for (argument, port) in used.arguments.iter().zip(&child.ports) {
            let port = &child.symbols[*port].name;
            match argument {
                Argument::Open => {}
                Argument::Input(value) => {
                    for source in read(value) {
                        let _ = writeln!(text, "  {source} -> u{at} [label=\"{port}\"];");
                    }
                }
                Argument::Output(symbol, _) => {
                    let _ = writeln!(text, "  u{at} -> n{symbol} [label=\"{port}\"];");
                }
            }
        }
    }
}

/// The nodes that an expression reads.
fn read(expr: &Expr) -> BTreeSet<String> {
    let mut nodes = BTreeSet::new();
    expr.each(&mut |inner| {
        nodes.extend(match inner.kind {
            ExprKind::Symbol(symbol) => Some(format!("n{symbol}")),
            ExprKind::Lookup(table, _) => Some(format!("t{table}")),
            ExprKind::Element(array, _) => Some(format!("a{array}")),
            _ => None,
        });
    });
    nodes
}
