//! The connections of a datapath: who drives whom, with what is alike drawn once.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;

use super::{escaped, root};
use crate::ast::Kind;
use crate::model::{Argument, Datapath, Expr, ExprKind, Model};

/// More sfgs than these are not named at an arrow.
const NAMED: usize = 3;
/// Rounds in which elements are told apart. What needs more is a long chain, in which nothing is alike.
const ROUNDS: usize = 64;

/// A datapath as a picture.
#[derive(Clone, Debug, Default)]
pub struct Connections {
    /// The datapath's name.
    pub name: String,
    /// The sfgs that alone assign some elements.
    pub groups: Vec<String>,
    /// The elements, each for all that are alike.
    pub elements: Vec<Element>,
    /// Arrows between them.
    pub arrows: Vec<Connection>,
}

/// A port, register, signal, table, array or instance; or several that are connected alike.
#[derive(Clone, Debug)]
pub struct Element {
    /// Its kind.
    pub shape: Shape,
    /// Its name, and what it is.
    pub lines: Vec<String>,
    /// The sfg that alone assigns it, by its place in [`Connections::groups`].
    pub group: Option<usize>,
}

/// An arrow from one element to another, by their places.
#[derive(Clone, Debug)]
pub struct Connection {
    /// The element that is read.
    pub from: usize,
    /// The element that is driven.
    pub to: usize,
    /// The sfgs that do so, where not all do, or the ports of an instance.
    pub label: Vec<String>,
}

/// Kinds of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Shape {
    /// A port that is driven from outside.
    Input,
    /// A port that is driven from inside.
    Output,
    /// A register.
    Register,
    /// A signal.
    Signal,
    /// A lookup table.
    Table,
    /// An array of registers.
    Array,
    /// An instance of another datapath.
    Instance,
}

impl Shape {
    /// A word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Output => "output",
            Self::Register => "register",
            Self::Signal => "signal",
            Self::Table => "table",
            Self::Array => "array",
            Self::Instance => "instance",
        }
    }
}

/// An element before those that are alike are joined.
struct Single {
    shape: Shape,
    name: String,
    /// The second line, which tells apart what is not alike.
    kind: String,
    group: Option<usize>,
}

/// The arrows between single elements, with their labels.
type Arrows = BTreeMap<(usize, usize), BTreeSet<String>>;

/// The connections of a datapath.
#[must_use]
pub fn connections(model: &Model, datapath: usize) -> Connections {
    let drawn = &model.datapaths[datapath];
    let (groups, of_elements) = groups(drawn);
    let mut singles = singles(model, drawn);
    for (single, group) in singles.iter_mut().zip(of_elements) {
        single.group = group;
    }
    let arrows = arrows(model, drawn, &singles, &groups);
    let classes = classes(&singles, &arrows);
    join(drawn, groups, &singles, &arrows, &classes)
}

/// The places of symbols, tables, arrays and instances among the elements.
struct Places {
    tables: usize,
    arrays: usize,
    instances: usize,
}

impl Places {
    fn new(drawn: &Datapath) -> Self {
        let tables = drawn.symbols.len();
        let arrays = tables + drawn.tables.len();
        Self { tables, arrays, instances: arrays + drawn.arrays.len() }
    }

    /// The elements that an expression reads.
    fn read(&self, expr: &Expr) -> BTreeSet<usize> {
        let mut elements = BTreeSet::new();
        expr.each(&mut |inner| {
            elements.extend(match inner.kind {
                ExprKind::Symbol(symbol) => Some(symbol),
                ExprKind::Lookup(table, _) => Some(self.tables + table),
                ExprKind::Element(array, _) => Some(self.arrays + array),
                _ => None,
            });
        });
        elements
    }
}

fn singles(model: &Model, drawn: &Datapath) -> Vec<Single> {
    let single =
        |shape, name: &str, kind| Single { shape, name: name.to_owned(), kind, group: None };
    let symbols = drawn.symbols.iter().map(|symbol| {
        let shape = match symbol.kind {
            Kind::In => Shape::Input,
            Kind::Out => Shape::Output,
            Kind::Reg => Shape::Register,
            Kind::Sig => Shape::Signal,
        };
        let sign = if symbol.ty.signed { "tc" } else { "ns" };
        single(shape, &symbol.name, format!("{sign}({})", symbol.ty.width))
    });
    let tables = drawn
        .tables
        .iter()
        .map(|table| single(Shape::Table, &table.name, format!("{} entries", table.entries.len())));
    let arrays = drawn.arrays.iter().map(|array| {
        let kind = format!("{} of {} bits", array.initial.len(), array.ty.width);
        single(Shape::Array, &array.name, kind)
    });
    let instances = drawn.uses.iter().map(|used| {
        let child = &model.datapaths[used.child];
        single(Shape::Instance, &child.name, format!("of {}", root(model, child).name))
    });
    symbols.chain(tables).chain(arrays).chain(instances).collect()
}

/// The sfgs that alone assign an element, and of each symbol, table and array the one that does.
fn groups(drawn: &Datapath) -> (Vec<String>, Vec<Option<usize>>) {
    let places = Places::new(drawn);
    let mut by: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); places.instances];
    for (index, sfg) in drawn.sfgs.iter().enumerate() {
        let index = if sfg.always { usize::MAX } else { index };
        let arrays = sfg.writes.iter().map(|write| places.arrays + write.array);
        for target in sfg.assigns.iter().map(|assign| assign.target).chain(arrays) {
            by[target].insert(index);
        }
    }
    let (mut names, mut known) = (vec![], HashMap::new());
    let group = |sfgs: &BTreeSet<usize>| {
        let sfg = sfgs.first().filter(|sfg| sfgs.len() == 1 && **sfg != usize::MAX)?;
        Some(*known.entry(*sfg).or_insert_with(|| {
            names.push(drawn.sfgs[*sfg].name.clone());
            names.len() - 1
        }))
    };
    let of_elements = by.iter().map(group).collect();
    (names, of_elements)
}

fn arrows(model: &Model, drawn: &Datapath, singles: &[Single], groups: &[String]) -> Arrows {
    let places = Places::new(drawn);
    let mut arrows = Arrows::new();
    for sfg in &drawn.sfgs {
        let mut drive = |target: usize, sources: BTreeSet<usize>| {
            // What stands in the frame of an sfg needs no label.
            let in_frame = singles[target].group.is_some_and(|group| groups[group] == sfg.name);
            let label = if sfg.always || in_frame { "" } else { &sfg.name };
            for source in sources {
                arrows.entry((source, target)).or_default().insert(label.to_owned());
            }
        };
        for assign in &sfg.assigns {
            drive(assign.target, places.read(&assign.value));
        }
        for write in &sfg.writes {
            let sources = places.read(&write.value).into_iter().chain(places.read(&write.index));
            drive(places.arrays + write.array, sources.collect());
        }
    }
    for labels in arrows.values_mut() {
        if labels.contains("") || labels.len() > NAMED {
            labels.clear();
        }
    }
    for (at, used) in drawn.uses.iter().enumerate() {
        let (at, child) = (places.instances + at, &model.datapaths[used.child]);
        for (argument, port) in used.arguments.iter().zip(&child.ports) {
            let ends: Vec<(usize, usize)> = match argument {
                Argument::Open => vec![],
                Argument::Input(value) => {
                    places.read(value).into_iter().map(|source| (source, at)).collect()
                }
                Argument::Output(symbol, _) => vec![(at, *symbol)],
            };
            for end in ends {
                arrows.entry(end).or_default().insert(child.symbols[*port].name.clone());
            }
        }
    }
    arrows
}

/// Of each element: the class of those that look alike, are named alike but for numbers, and are connected to
/// the same classes in the same way. It is the coarsest division that is so, or else each is alone.
fn classes(singles: &[Single], arrows: &Arrows) -> Vec<usize> {
    let first = singles.iter().map(|single| {
        let name = match single.shape {
            Shape::Instance => String::new(),
            _ => stem(&single.name),
        };
        (single.shape, name, single.kind.as_str(), single.group)
    });
    let mut classes = numbered(first);
    for _ in 0..ROUNDS {
        let mut around: Vec<BTreeSet<(bool, usize, &BTreeSet<String>)>> =
            vec![BTreeSet::new(); singles.len()];
        for ((from, to), labels) in arrows {
            around[*from].insert((true, classes[*to], labels));
            around[*to].insert((false, classes[*from], labels));
        }
        let count = |classes: &[usize]| classes.iter().max().copied();
        let finer = numbered(classes.iter().copied().zip(around));
        if count(&finer) == count(&classes) {
            return classes;
        }
        classes = finer;
    }
    (0..singles.len()).collect()
}

/// Numbers for keys, from 0 on in the order in which they first occur.
fn numbered<K: Ord>(keys: impl Iterator<Item = K>) -> Vec<usize> {
    let mut known = BTreeMap::new();
    let mut next = 0;
    let number = |key| {
        *known.entry(key).or_insert_with(|| {
            next += 1;
            next - 1
        })
    };
    keys.map(number).collect()
}

/// A name with `#` for each number in it.
fn stem(name: &str) -> String {
    let mut stem = String::with_capacity(name.len());
    for letter in name.chars() {
        let letter = if letter.is_ascii_digit() { '#' } else { letter };
        if letter != '#' || !stem.ends_with('#') {
            stem.push(letter);
        }
    }
    stem
}

fn join(
    drawn: &Datapath,
    groups: Vec<String>,
    singles: &[Single],
    arrows: &Arrows,
    classes: &[usize],
) -> Connections {
    let mut members: BTreeMap<usize, Vec<&Single>> = BTreeMap::new();
    for (single, class) in singles.iter().zip(classes) {
        members.entry(*class).or_default().push(single);
    }
    let elements = members.values().map(|members| element(members)).collect();
    let mut joined: BTreeMap<(usize, usize), BTreeSet<&str>> = BTreeMap::new();
    for ((from, to), labels) in arrows {
        let labels = labels.iter().map(String::as_str);
        joined.entry((classes[*from], classes[*to])).or_default().extend(labels);
    }
    let connection = |((from, to), labels): ((usize, usize), BTreeSet<&str>)| Connection {
        from,
        to,
        label: labels.into_iter().map(str::to_owned).collect(),
    };
    let arrows = joined.into_iter().map(connection).collect();
    Connections { name: drawn.name.clone(), groups, elements, arrows }
}

/// The element for some that are alike.
fn element(members: &[&Single]) -> Element {
    let Single { shape, name, kind, group } = members[0];
    let last = &members[members.len() - 1].name;
    let lines = match (members.len(), shape) {
        (1, Shape::Instance) if *kind == format!("of {name}") => vec![name.clone()],
        (1, _) => vec![name.clone(), kind.clone()],
        (count, Shape::Instance) => vec![format!("{name} … {last}"), format!("{count} {kind}")],
        (count, _) => vec![format!("{name} … {last}"), format!("{count}, each {kind}")],
    };
    Element { shape: *shape, lines, group: *group }
}

/// The connections of a datapath as a Graphviz digraph, with a frame for each sfg.
#[must_use]
pub fn datapath_dot(model: &Model, datapath: usize) -> String {
    let Connections { name, groups, elements, arrows } = connections(model, datapath);
    let mut text = format!(
        "digraph \"{name}\" {{\n  rankdir=LR; nodesep=0.25; ranksep=0.8;\n  \
         node [fontname=\"Helvetica\", fontsize=11, style=filled, color=\"#35507a\"];\n  \
         edge [color=\"#7186a5\", fontname=\"Helvetica\", fontsize=9, arrowsize=0.7];\n  \
         label=\"{name}\"; labelloc=t; fontname=\"Helvetica\";\n"
    );
    // Writing to a string cannot fail.
    for group in (0..groups.len()).map(Some).chain([None]) {
        if let Some(group) = group {
            let _ = writeln!(
                text,
                "  subgraph cluster_{group} {{ label=\"sfg {}\"; style=\"rounded,dashed\"; color=\"#7186a5\";",
                groups[group]
            );
        }
        for (at, element) in elements.iter().enumerate().filter(|(_, it)| it.group == group) {
            let (shape, fill) = look(element.shape);
            let label = element.lines.iter().map(|line| escaped(line)).collect::<Vec<_>>();
            let label = label.join("\\n");
            let _ =
                writeln!(text, "  n{at} [shape={shape}, fillcolor=\"{fill}\", label=\"{label}\"];");
        }
        if group.is_some() {
            text.push_str("  }\n");
        }
    }
    for Connection { from, to, label } in arrows {
        let _ = writeln!(text, "  n{from} -> n{to} [label=\"{}\"];", label.join("\\n"));
    }
    text.push_str("}\n");
    text
}

/// Graphviz's shape of an element, and its colour.
fn look(shape: Shape) -> (&'static str, &'static str) {
    match shape {
        Shape::Input => ("cds", "#e2f0d9"),
        Shape::Output => ("cds", "#fdebd0"),
        Shape::Register => ("box", "#d6e4f5"),
        Shape::Signal => ("ellipse", "#ffffff"),
        Shape::Table => ("note", "#f5f0d6"),
        Shape::Array => ("box3d", "#d6e4f5"),
        Shape::Instance => ("component", "#ece4f3"),
    }
}
