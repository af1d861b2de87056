//! The profile of a run, with the names of the program file.

use std::path::Path;

use cocrypt_image::{Debug, Frame, Image};
use cocrypt_soc as soc;
use cocrypt_trace::{Context, Names, Node, Profile, SourceLocation, Spent};
use serde_json::{Value, json};

use crate::guest::GuestNames;

/// Names of addresses, from symbols and debug information.
pub struct Named<'a> {
    pub soc: &'a soc::Machine,
    pub image: &'a Image,
    pub debug: Option<&'a Debug>,
    pub guest: Option<&'a GuestNames>,
}

impl Names for Named<'_> {
    fn locations(&self, address: u64) -> Vec<SourceLocation> {
        if let Some(place) = self.guest.and_then(|guest| guest.get(&address)) {
            return vec![place.location.clone()];
        }
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
        let place = self.guest.and_then(|guest| guest.get(&address));
        place.map_or_else(|| self.soc.disassemble(address), |place| Some(place.text.clone()))
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
        if let Some(place) = self.guest.and_then(|guest| guest.get(&address)) {
            return place.location.function.clone();
        }
        let symbol = self.image.symbols.function_at(address as u32);
        symbol.map_or_else(|| format!("{address:#010x}"), |symbol| symbol.name.clone())
    }

    /// The profile of the run so far.
    pub fn profile(&self) -> Profile {
        self.profile_of(self.soc.contexts())
    }

    /// The same with the instructions of an interpreter itself.
    fn plain_profile(&self) -> Profile {
        self.profile_of(self.soc.plain_contexts())
    }

    fn profile_of(&self, contexts: Vec<soc::ContextProfile>) -> Profile {
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
        let contexts: Vec<Context> = contexts.into_iter().map(context).collect();
        Profile::new(&contexts, self)
    }
}

/// A profile of a machine's run as Python sees it.
pub fn describe(named: &Named<'_>) -> Value {
    let profile = named.profile();
    let plain = named.guest.map(|_| named.plain_profile());
    let instructions = plain.as_ref().map_or(&profile.instructions, |plain| &plain.instructions);
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
        "bytecodes": named.guest.map(|guest| bytecodes(named.soc, guest)),
        "instructions": instructions.iter().map(|row| json!({
            "address": row.address,
            "text": row.text,
            "kind": named.soc.kind(row.address).name(),
            "function": row.location.function,
            "file": row.location.file,
            "line": row.location.line,
            "executions": row.spent.instructions,
            "cycles": row.spent.cycles,
        })).collect::<Vec<_>>(),
    })
}

/// The instructions of the interpreted program that ran.
fn bytecodes(soc: &soc::Machine, guest: &GuestNames) -> Vec<Value> {
    let row = |(address, cost): (u64, soc::GuestSpent)| {
        let place = guest.get(&address)?;
        Some(json!({
            "address": address,
            "text": place.text,
            "function": place.location.function,
            "file": place.location.file,
            "line": place.location.line,
            "executions": cost.spent.executions,
            "cycles": cost.spent.cycles,
            "interface_cycles": cost.interface,
        }))
    };
    soc.guest_instructions().into_iter().filter_map(row).collect()
}

/// The instruction at an address, run or not, with the locations that it comes from, outer before inner;
/// null where no instruction stands.
pub fn instruction(named: &Named<'_>, address: u64) -> Value {
    let guest = named.guest.and_then(|guest| guest.get(&address));
    let decoded = guest.map(|place| (place.text.clone(), place.length));
    let Some((text, length)) = decoded.or_else(|| named.soc.decoded(address)) else {
        return Value::Null;
    };
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
