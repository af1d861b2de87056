//! The instances of a design, their names, and the values that their symbols can have.

use std::collections::{HashMap, HashSet};

use cocrypt_diag::Diagnostic;
use cocrypt_rtl::NetId;

use crate::limits;
use crate::model::{Argument, Datapath, Expr, Model, Type};
use crate::range::{Range, range};

/// Values may grow this many times before they are held to grow without end.
const ROUNDS: usize = 16;

/// One datapath at one place of the design.
pub(super) struct Instance {
    pub datapath: usize,
    pub parent: Option<usize>,
    pub children: Vec<usize>,
    /// Unique in the design.
    pub module: String,
    /// Of each symbol: a name that is unique in the instance.
    pub symbol_names: Vec<String>,
    /// Of each symbol: its values. Some operators yield values outside their type, and assigning
    /// them to a symbol of that type keeps them.
    pub ranges: Vec<Range>,
    pub first_net: usize,
    pub first_table: usize,
    pub first_array: usize,
}

impl Instance {
    pub fn net(&self, symbol: usize) -> NetId {
        NetId((self.first_net + symbol) as u32)
    }
}

/// Lists all instances below a datapath, parents first.
pub(super) fn elaborate(model: &Model, top: usize) -> Result<Vec<Instance>, Diagnostic> {
    measure(model)?;
    let held = tables(model);
    let mut instances = Vec::new();
    // The module of a block in Verilog keeps its name.
    let blocks = model.datapaths.iter().filter_map(|datapath| datapath.user.as_ref());
    let names = blocks.map(|block| block.module.clone()).collect();
    let mut taken = UsedNames { names, ..UsedNames::default() };
    add(model, top, None, &mut instances, &mut taken);
    // What only programs see has no ports, and so nobody who uses it.
    let used: HashSet<usize> = model
        .datapaths
        .iter()
        .flat_map(|datapath| &datapath.uses)
        .map(|datapath| datapath.child)
        .collect();
    for (index, datapath) in model.datapaths.iter().enumerate() {
        if !datapath.faces.is_empty()
            && datapath.ports.is_empty()
            && index != top
            && !used.contains(&index)
        {
            add(model, index, Some(0), &mut instances, &mut taken);
        }
    }
    let (mut nets, mut tables, mut arrays) = (0, 0, 0);
    for instance in &mut instances {
        (instance.first_net, instance.first_table) = (nets, tables);
        instance.first_array = arrays;
        nets += model.datapaths[instance.datapath].symbols.len();
        tables += model.datapaths[instance.datapath].tables.len();
        arrays += model.datapaths[instance.datapath].arrays.len();
    }
    for _ in 0..ROUNDS {
        if widen(model, &held, &mut instances).is_none() {
            return Ok(instances);
        }
    }
    match widen(model, &held, &mut instances) {
        None => Ok(instances),
        Some((datapath, symbol)) => Err(unbounded(model, datapath, symbol)),
    }
}

fn add(
    model: &Model,
    datapath: usize,
    parent: Option<usize>,
    instances: &mut Vec<Instance>,
    taken: &mut UsedNames,
) -> usize {
    let definition = &model.datapaths[datapath];
    let index = instances.len();
    let mut module = definition.name.clone();
    if let Some(parent) = parent.filter(|_| taken.names.contains(&module)) {
        let whole = format!("{}_{module}", instances[parent].module);
        module = if whole.len() > limits::NAME { module } else { whole };
    }
    let module = taken.unique(&module);
    instances.push(Instance {
        datapath,
        parent,
        children: Vec::new(),
        module,
        symbol_names: symbol_names(definition),
        ranges: definition.symbols.iter().map(|symbol| Range::of(symbol.ty)).collect(),
        first_net: 0,
        first_table: 0,
        first_array: 0,
    });
    for used in &definition.uses {
        let child = add(model, used.child, Some(index), instances, taken);
        instances[index].children.push(child);
    }
    index
}

/// Names that are taken, and the number to try next behind each.
#[derive(Default)]
struct UsedNames {
    names: HashSet<String>,
    next: HashMap<String, usize>,
}

impl UsedNames {
    /// The name itself, or with a number behind it when it is taken.
    fn unique(&mut self, name: &str) -> String {
        if self.names.insert(name.to_owned()) {
            return name.to_owned();
        }
        let next = self.next.entry(name.to_owned()).or_insert(2);
        loop {
            let candidate = format!("{name}_{next}");
            *next += 1;
            if self.names.insert(candidate.clone()) {
                return candidate;
            }
        }
    }
}

/// The range of the contents of each datapath's tables. An entry past the end reads as 0.
pub(super) fn tables(model: &Model) -> Vec<Vec<Range>> {
    let of = |datapath: &Datapath| datapath.tables.iter().map(Range::of_table).collect();
    model.datapaths.iter().map(of).collect()
}

/// Sees to it that each datapath with all that is below it is not too large, before it is laid out:
/// instances multiply from level to level.
fn measure(model: &Model) -> Result<(), Diagnostic> {
    let mut below: Vec<(usize, usize, usize)> = vec![];
    for datapath in &model.datapaths {
        let own = (limits::INSTANCE.saturating_add(datapath.size), datapath.words(), 1);
        let children = datapath.uses.iter().filter_map(|used| below.get(used.child));
        let whole = children.fold(own, |(parts, words, levels), child| {
            let levels = levels.max(child.2 + 1);
            (parts.saturating_add(child.0), words.saturating_add(child.1), levels)
        });
        let (parts, words, levels) = (limits::PARTS, limits::WORDS, limits::LEVELS);
        let wrong = match whole {
            (found, ..) if found > parts => format!("more than {parts} parts"),
            (_, found, _) if found > words => {
                format!("more than {words} words of 64 bits in tables and arrays")
            }
            (.., found) if found > levels => format!("more than {levels} levels of instances"),
            _ => {
                below.push(whole);
                continue;
            }
        };
        return Err(too_large(model, datapath, &wrong));
    }
    Ok(())
}

fn too_large(model: &Model, datapath: &Datapath, what: &str) -> Diagnostic {
    let message = format!("`{}` with all its instances has {what}", datapath.name);
    Diagnostic::error("fdl.too-large", message)
        .with_source(&model.source)
        .with_label(datapath.span.range(), "this datapath")
        .with_help("use fewer instances, or split the design into several")
}

/// Names of symbols; local ones carry their sfg's name where another symbol has the same.
fn symbol_names(datapath: &Datapath) -> Vec<String> {
    let mut names: HashSet<String> = datapath.tables.iter().map(|t| t.name.clone()).collect();
    names.extend(datapath.arrays.iter().map(|array| array.name.clone()));
    let global = datapath.symbols.iter().filter(|symbol| symbol.local.is_none());
    names.extend(global.map(|symbol| symbol.name.clone()));
    let mut taken = UsedNames { names, ..UsedNames::default() };
    let names = datapath.symbols.iter().map(|symbol| match symbol.local {
        None => symbol.name.clone(),
        Some(_) if taken.names.insert(symbol.name.clone()) => symbol.name.clone(),
        Some(sfg) => taken.unique(&format!("{}_{}", datapath.sfgs[sfg].name, symbol.name)),
    });
    names.collect()
}

/// Widens what some assignment does not fit into; the last symbol that had to be, if any.
fn widen(
    model: &Model,
    tables: &[Vec<Range>],
    instances: &mut [Instance],
) -> Option<(usize, usize)> {
    let mut changed = None;
    for index in 0..instances.len() {
        let datapath = instances[index].datapath;
        let definition = &model.datapaths[datapath];
        for assign in definition.sfgs.iter().flat_map(|sfg| &sfg.assigns) {
            let ty = definition.symbols[assign.target].ty;
            let values = values(&instances[index], &tables[datapath], &assign.value, ty);
            changed = include(&mut instances[index], assign.target, &values).or(changed);
        }
        for (place, used) in definition.uses.iter().enumerate() {
            let child = instances[index].children[place];
            let child_definition = &model.datapaths[used.child];
            for (argument, port) in used.arguments.iter().zip(&child_definition.ports) {
                let port_type = child_definition.symbols[*port].ty;
                changed = match argument {
                    Argument::Open => None,
                    Argument::Input(value) => {
                        let values = values(&instances[index], &tables[datapath], value, port_type);
                        include(&mut instances[child], *port, &values)
                    }
                    Argument::Output(symbol, _) => {
                        let ty = definition.symbols[*symbol].ty;
                        let values = instances[child].ranges[*port].clone();
                        include(&mut instances[index], *symbol, &values.converted(port_type, ty))
                    }
                }
                .or(changed);
            }
        }
    }
    changed
}

fn values(instance: &Instance, tables: &[Range], value: &Expr, ty: Type) -> Range {
    range(value, &instance.ranges, tables).converted(value.ty, ty)
}

fn include(instance: &mut Instance, symbol: usize, values: &Range) -> Option<(usize, usize)> {
    let known = &mut instance.ranges[symbol];
    if known.contains(values) {
        return None;
    }
    *known = known.union(values);
    Some((instance.datapath, symbol))
}

fn unbounded(model: &Model, datapath: usize, symbol: usize) -> Diagnostic {
    let symbol = &model.datapaths[datapath].symbols[symbol];
    let message = format!("the value of `{}` may grow from cycle to cycle", symbol.name);
    Diagnostic::error("fdl.unbounded-value", message)
        .with_source(&model.source)
        .with_label(symbol.span.range(), "its width does not stay what it is")
        .with_help(
            "operators such as unary `-` and `?:` do not wrap, and assignment to the same type does \
             not either; cast the assigned value to another width first",
        )
}
