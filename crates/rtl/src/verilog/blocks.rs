//! The body of a block whose module is in a file of its own: an instance of that module.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::names::{UsedNames, escape};
use crate::{Block, BlockPort, NetId, Netlist};

/// The instance, with ports and parameters by name. `names` has the names of the scope's ports.
pub(super) fn body(
    netlist: &Netlist,
    block: &Block,
    names: &HashMap<NetId, String>,
    taken: &mut UsedNames,
) -> String {
    let mut text = String::new();
    let unused: Vec<&str> = [(block.clock, "clk"), (block.reset, "rst")]
        .into_iter()
        .filter(|(is_used, _)| !is_used)
        .map(|(_, name)| name)
        .collect();
    let is_clocked = unused.len() < 2;
    let is_top = netlist.scopes[block.scope.index()].parent.is_none();
    if (is_clocked || is_top) && !unused.is_empty() {
        let wire = taken.take("unused");
        let _ = writeln!(text, "  wire {wire} = &{{1'b0, {}}};", unused.join(", "));
    }
    let mut connections: Vec<String> = [(block.clock, ".clk(clk)"), (block.reset, ".rst(rst)")]
        .into_iter()
        .filter(|(is_used, _)| *is_used)
        .map(|(_, connection)| connection.to_owned())
        .collect();
    connections.extend(block.inputs.iter().map(|port| {
        let is_whole = netlist.net(port.port).width == port.width;
        let bits = if is_whole { String::new() } else { format!("[{}:0]", port.width - 1) };
        connection(port, names, &bits)
    }));
    connections.extend(block.outputs.iter().map(|port| connection(port, names, "")));
    let parameters = block.literals();
    let parameters: Vec<String> =
        parameters.iter().map(|(name, value)| format!(".{}({value})", escape(name))).collect();
    let parameters = match &parameters[..] {
        [] => String::new(),
        parameters => format!("#({}) ", parameters.join(", ")),
    };
    let (module, instance) = (escape(&block.module), taken.take("block"));
    let connections = connections.join(",\n    ");
    let _ = writeln!(text, "  {module} {parameters}{instance}(\n    {connections}\n  );");
    text
}

fn connection(port: &BlockPort, names: &HashMap<NetId, String>, bits: &str) -> String {
    let name = names.get(&port.port).map_or("", String::as_str);
    format!(".{}({name}{bits})", escape(&port.name))
}
