//! Pictures of a design, as text for Graphviz and Mermaid: its state machines, and who drives whom.

mod connections;

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

use crate::ast::Span;
use crate::model::{Controller, Datapath, Decision, Model};
pub use connections::{Connection, Connections, Element, Shape, connections, datapath_dot};

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
    let copies = copies(model);
    for (index, datapath) in machines(model) {
        let Some(controller) = &datapath.controller else { continue };
        let title = title(datapath, controller, &copies);
        // Writing to a string cannot fail.
        if let Some(sfgs) = hardwired(datapath, controller) {
            let _ = writeln!(
                text,
                "  h{index} [shape=note, fillcolor=\"#f5f5f5\", label=\"{title}\\nin every cycle: {sfgs}\"];"
            );
            continue;
        }
        let _ = writeln!(
            text,
            "  subgraph cluster_{index} {{\n    label=\"{title}\"; fontname=\"Helvetica\"; \
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
    let copies = copies(model);
    for (index, datapath) in machines(model) {
        let Some(controller) = &datapath.controller else { continue };
        let title = title(datapath, controller, &copies);
        if let Some(sfgs) = hardwired(datapath, controller) {
            let _ = writeln!(text, "  state \"{title}, in every cycle #58; {sfgs}\" as m{index}");
            continue;
        }
        let _ = writeln!(text, "  state \"{title}\" as m{index} {{");
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

fn machines(model: &Model) -> impl Iterator<Item = (usize, &Datapath)> {
    // A copy does what its original does.
    let originals =
        model.datapaths.iter().enumerate().filter(|(_, datapath)| datapath.original.is_none());
    originals.filter(|(_, datapath)| datapath.controller.is_some())
}

/// Of each datapath that was copied, by its name: how many there are with the copies.
fn copies(model: &Model) -> HashMap<&str, usize> {
    let mut copies: HashMap<&str, usize> = HashMap::new();
    for datapath in &model.datapaths {
        *copies.entry(root(model, datapath).name.as_str()).or_default() += 1;
    }
    copies
}

/// The datapath that this one is a copy of, or a copy of a copy.
fn root<'a>(model: &'a Model, datapath: &'a Datapath) -> &'a Datapath {
    let mut root = datapath;
    while let Some(original) = root.original {
        root = &model.datapaths[original];
    }
    root
}

fn title(datapath: &Datapath, controller: &Controller, copies: &HashMap<&str, usize>) -> String {
    let count = copies.get(datapath.name.as_str()).copied().unwrap_or(1);
    let times = if count > 1 { format!(" ×{count}") } else { String::new() };
    format!("{} of {}{times}", controller.name, datapath.name)
}

/// The sfgs of a controller that has no choice, and so nothing to draw.
fn hardwired(datapath: &Datapath, controller: &Controller) -> Option<String> {
    let [state] = &controller.states[..] else { return None };
    let Some(Decision::Go { sfgs, .. }) = &state.decision else { return None };
    let names = sfgs.iter().map(|(sfg, _)| datapath.sfgs[*sfg].name.as_str());
    Some(names.collect::<Vec<_>>().join(", "))
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
