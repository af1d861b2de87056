//! Writes a netlist as Verilog (IEEE 1364-2001), one module per scope.
//!
//! Every operator has operands of its own width, extensions and cuts are spelled out, and signed
//! operators stand alone inside `$signed`, so that Verilog's rules for context have nothing to decide.
//! Registers are set to 0, and controllers to their initial state, by `rst`, which is synchronous and
//! active high.

mod control;
mod expression;
mod module;
mod names;

use std::collections::HashMap;
use std::fmt::Write;

use crate::contents::contents;
use crate::{NetId, Netlist, ScopeId};
use module::Module;

/// The design as Verilog text; the top comes first.
#[must_use]
pub fn verilog(netlist: &Netlist) -> String {
    let mut text = String::new();
    let top = netlist.scopes.first().map_or("", |scope| &scope.name);
    let file = netlist.file_name();
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "// {top}, made from {file} by cocrypt. Lines are of that file, or of the one named."
    );
    let contents = contents(netlist);
    for index in 0..netlist.scopes.len() {
        text.push('\n');
        text.push_str(&Module::new(netlist, &contents, ScopeId(index as u32)).write());
    }
    text
}

/// The names of ports in the text, of these nets of one scope, escaped where they must be.
pub(crate) fn port_names(netlist: &Netlist, nets: &[NetId]) -> HashMap<NetId, String> {
    let names = module::port_names(netlist, nets);
    names.into_iter().map(|(id, name)| (id, names::escape(&name))).collect()
}

/// A scope's name in the text.
#[must_use]
pub fn verilog_name(netlist: &Netlist, scope: ScopeId) -> String {
    names::escape(&netlist.scopes[scope.index()].name)
}
