//! The profile of a run, with the names of the program file.

use std::path::Path;

use cocrypt_image::{Debug, Frame, Image};
use cocrypt_soc as soc;
use cocrypt_trace::{Context, Names, Node, Profile, SourceLocation, Spent};
use serde_json::{Value, json};

/// Names of addresses, from symbols and debug information.
pub struct Named<'a> {
    pub soc: &'a soc::Machine,
    pub image: &'a Image,
    pub debug: Option<&'a Debug>,
}

impl Names for Named<'_> {
    fn locations(&self, address: u64) -> Vec<SourceLocation> {
        let mut frames = self.debug.map_or_else(Vec::new, |debug| debug.frames(address as u32));
        if frames.first().is_some_and(|outer| !self.is_plausible(address, outer)) {
            frames.clear();
        }
        let mut locations: Vec<SourceLocation> = frames
            .into_iter()
            .map(|frame| SourceLocation {
                function: frame.function.unwrap_or_else(|| "(unnamed)".to_owned()),
                file: frame.file,
                line: frame.line,
            })
            .collect();
        // The outermost location is the symbol's: the compiler may have split or renamed its function.
        let function = self.symbol(address);
        match locations.first_mut() {
            Some(outer) => outer.function = function,
            None => locations.push(SourceLocation { function, ..SourceLocation::default() }),
        }
        locations
    }

    fn function(&self, address: Option<u64>) -> String {
        address.map_or_else(|| "(no function)".to_owned(), |address| self.symbol(address))
    }

    fn text(&self, address: u64) -> Option<String> {
        self.soc.disassemble(address)
    }
}

impl Named<'_> {
    /// Returns true if debug information can belong to the code at an address, not to code that the linker
    /// dropped: the symbol must agree, and lines without a function are those of assembly.
    fn is_plausible(&self, address: u64, outer: &Frame) -> bool {
        let assembly = |file: &str| {
            Path::new(file).extension().is_some_and(|kind| kind.eq_ignore_ascii_case("s"))
        };
        match &outer.function {
            Some(name) => self.image.symbols.is_called(address as u32, name),
            None => outer.file.as_deref().is_some_and(assembly),
        }
    }

    fn symbol(&self, address: u64) -> String {
        let symbol = self.image.symbols.function_at(address as u32);
        symbol.map_or_else(|| format!("{address:#010x}"), |symbol| symbol.name.clone())
    }

    /// The profile of the run so far.
    pub fn profile(&self) -> Profile {
        let spent =
            |spent: soc::Spent| Spent { instructions: spent.executions, cycles: spent.cycles };
        let context = |context: soc::ContextProfile| Context {
            parent: context.parent,
            site: context.site,
            function: context.function,
            calls: context.calls,
            instructions: context
                .instructions
                .into_iter()
                .map(|(pc, cost)| (pc, spent(cost)))
                .collect(),
        };
        let contexts: Vec<Context> = self.soc.contexts().into_iter().map(context).collect();
        Profile::new(&contexts, self)
    }
}

/// A profile of a machine's run as Python sees it.
pub fn describe(profile: &Profile, soc: &soc::Machine) -> Value {
    json!({
        "tree": profile.tree.iter().map(node).collect::<Vec<_>>(),
        "functions": profile.functions.iter().map(|row| json!({
            "name": row.name,
            "address": row.address,
            "calls": row.calls,
            "self_cycles": row.own.cycles,
            "self_instructions": row.own.instructions,
            "total_cycles": row.total.cycles,
            "total_instructions": row.total.instructions,
        })).collect::<Vec<_>>(),
        "lines": profile.lines.iter().map(|row| json!({
            "file": row.file,
            "line": row.line,
            "function": row.function,
            "cycles": row.spent.cycles,
            "instructions": row.spent.instructions,
        })).collect::<Vec<_>>(),
        "instructions": profile.instructions.iter().map(|row| json!({
            "address": row.address,
            "text": row.text,
            "kind": soc.kind(row.address).name(),
            "function": row.location.function,
            "file": row.location.file,
            "line": row.location.line,
            "executions": row.spent.instructions,
            "cycles": row.spent.cycles,
        })).collect::<Vec<_>>(),
    })
}

/// The instruction at an address, run or not, with the locations that it comes from, outer before inner;
/// null where no instruction stands.
pub fn instruction(named: &Named<'_>, address: u64) -> Value {
    let Some((text, length)) = named.soc.decoded(address) else { return Value::Null };
    let locations = named.locations(address);
    let locations = locations
        .iter()
        .map(|location| json!({ "function": location.function, "file": location.file, "line": location.line }));
    json!({ "text": text, "length": length, "places": locations.collect::<Vec<_>>() })
}

fn node(node: &Node) -> Value {
    json!({
        "parent": node.parent,
        "name": node.name,
        "inlined": node.inlined,
        "calls": node.calls,
        "self_cycles": node.own.cycles,
        "total_cycles": node.total.cycles,
        "total_instructions": node.total.instructions,
    })
}
