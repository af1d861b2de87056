//! Writes a netlist as Verilog (IEEE 1364-2001), one module for each family of scopes that are alike.
//!
//! Every operator has operands of its own width, extensions and cuts are spelled out, and signed
//! operators stand alone inside `$signed`, so that Verilog's rules for context have nothing to decide.
//! Registers are set to 0, and controllers to their initial state, by `rst`, which is synchronous and
//! active high.

mod blocks;
mod control;
mod expression;

mod module;
mod names;

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use crate::comments::Notes;
use crate::contents::{Contents, contents};
use crate::families::{alike, clocked, find_families};
use crate::{NetId, Netlist, Scope, ScopeId};
use module::Module;

/// The beginning of a comment.
const MARK: &str = "//";

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
    let mut design = Design::new(netlist);
    // What is found out about a scope's children is needed to write it.
    find_families(
        &mut design,
        |design| &mut design.families,
        |design, scope| Module::new(design, ScopeId(scope as u32), Notes::none(MARK)).write(""),
    );
    if netlist.scopes.len() > 1 {
        // Verilator asks for a file a module.
        text.push_str("// verilator lint_off DECLFILENAME\n");
    }
    let (alike, mut written) = (alike(&design.families), HashSet::new());
    let hides = |scope: &Scope| scope.ports.iter().any(|id| netlist.net(*id).name == scope.name);
    if netlist.scopes.iter().any(hides) {
        // A port that is called like its module keeps its name.
        text.push_str("// verilator lint_off VARHIDDEN\n");
    }
    for scope in (0..netlist.scopes.len()).filter(|scope| design.families[*scope] == *scope) {
        let id = ScopeId(scope as u32);
        let notes = Notes::new(netlist, &alike[&scope], MARK, &mut written);
        let _ = writeln!(text, "\n// {}.", netlist.origin(&netlist.scopes[scope]));
        text.push_str(&notes.above(netlist.scopes[scope].line, ""));
        text.push_str(&Module::new(&design, id, notes).write(&verilog_name(netlist, id)));
    }
    text
}

/// Facts that all modules of a design need, found once.
pub(super) struct Design<'a> {
    netlist: &'a Netlist,
    contents: Vec<Contents>,
    /// Of each scope: true if it has a clock and a reset.
    clocked: Vec<bool>,
    /// Of each scope: the one that is written for it.
    families: Vec<usize>,
}

impl<'a> Design<'a> {
    fn new(netlist: &'a Netlist) -> Self {
        let contents = contents(netlist);
        let clocked = clocked(netlist, &contents);
        Self { netlist, contents, clocked, families: (0..netlist.scopes.len()).collect() }
    }
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
