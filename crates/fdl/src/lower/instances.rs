//! The instances of a design, their names, and the values that their symbols can have.

use std::collections::HashSet;

use cocrypt_diag::Diagnostic;
use cocrypt_rtl::NetId;

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
    let mut instances = Vec::new();
    let mut taken = HashSet::new();
    add(model, top, None, &mut instances, &mut taken);
    // What only programs see has no ports, and so nobody who uses it.
    let used =
        |index: usize| model.datapaths.iter().flat_map(|one| &one.uses).any(|u| u.child == index);
    for (index, datapath) in model.datapaths.iter().enumerate() {
        if !datapath.faces.is_empty() && datapath.ports.is_empty() && index != top && !used(index) {
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
        if widen(model, &mut instances).is_none() {
            return Ok(instances);
        }
    }
    match widen(model, &mut instances) {
        None => Ok(instances),
        Some((datapath, symbol)) => Err(unbounded(model, datapath, symbol)),
    }
}

fn add(
    model: &Model,
    datapath: usize,
    parent: Option<usize>,
    instances: &mut Vec<Instance>,
    taken: &mut HashSet<String>,
) -> usize {
    let definition = &model.datapaths[datapath];
    let index = instances.len();
    let mut module = definition.name.clone();
    if let Some(parent) = parent.filter(|_| taken.contains(&module)) {
        module = format!("{}_{module}", instances[parent].module);
    }
    let module = unique(&module, taken);
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

/// The name itself, or with a number behind it when it is taken.
fn unique(name: &str, taken: &mut HashSet<String>) -> String {
    let mut candidate = name.to_owned();
    for number in 2.. {
        if taken.insert(candidate.clone()) {
            break;
        }
        candidate = format!("{name}_{number}");
    }
    candidate
}

/// Names of symbols; local ones carry their sfg's name where another symbol has the same.
fn symbol_names(datapath: &Datapath) -> Vec<String> {
    let mut taken: HashSet<String> = datapath.tables.iter().map(|t| t.name.clone()).collect();
    taken.extend(datapath.arrays.iter().map(|array| array.name.clone()));
    let global = datapath.symbols.iter().filter(|symbol| symbol.local.is_none());
    taken.extend(global.map(|symbol| symbol.name.clone()));
    let names = datapath.symbols.iter().map(|symbol| match symbol.local {
        None => symbol.name.clone(),
        Some(_) if taken.insert(symbol.name.clone()) => symbol.name.clone(),
        Some(sfg) => unique(&format!("{}_{}", datapath.sfgs[sfg].name, symbol.name), &mut taken),
    });
    names.collect()
}

/// Widens what some assignment does not fit into; the last symbol that had to be, if any.
fn widen(model: &Model, instances: &mut [Instance]) -> Option<(usize, usize)> {
    let mut changed = None;
    for index in 0..instances.len() {
        let datapath = instances[index].datapath;
        let definition = &model.datapaths[datapath];
        for assign in definition.sfgs.iter().flat_map(|sfg| &sfg.assigns) {
            let ty = definition.symbols[assign.target].ty;
            let values = values(&instances[index], definition, &assign.value, ty);
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
                        let values = values(&instances[index], definition, value, port_type);
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

fn values(instance: &Instance, datapath: &Datapath, value: &Expr, ty: Type) -> Range {
    range(value, &instance.ranges, &datapath.tables).converted(value.ty, ty)
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
