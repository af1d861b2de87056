//! Writes a netlist as VHDL (IEEE 1076-1993 or -2008), one entity for each family of scopes
//! that are alike.
//!
//! Every word is an `unsigned` of `numeric_std`, a single bit one of length 1, so that ports, signals
//! and operators need no conversions. Functions that `numeric_std` lacks are written into the
//! architectures that call them, and no package stands between two exported designs. Registers are
//! set to 0, and controllers to their initial state, by `rst`, which is synchronous and active high.

mod control;
mod entity;
mod expression;
mod names;

use std::collections::HashSet;
use std::fmt::Write;

use crate::comments::Notes;
use crate::families::{alike, find_families};
use crate::{Netlist, ScopeId};
use entity::{Design, Entity};
pub(crate) use names::port_names;

/// The beginning of a comment.
const MARK: &str = "--";

/// The dialect of VHDL that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standard {
    /// IEEE 1076-1993: sensitivity lists are spelled out, outputs are not read.
    Vhdl93,
    /// IEEE 1076-2008.
    Vhdl2008,
}

/// The design as VHDL text; the top comes last, since an entity stands before its users.
#[must_use]
pub fn vhdl(netlist: &Netlist, standard: Standard) -> String {
    let mut text = String::new();
    let top = netlist.scopes.first().map_or("", |scope| &scope.name);
    let file = netlist.file_name();
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "-- {top}, made from {file} by cocrypt. Lines are of that file, or of the one named."
    );
    let mut design = Design::new(netlist);
    // What is found out about a scope's children is needed to write it.
    find_families(
        &mut design,
        |design| &mut design.families,
        |design, scope| {
            let notes = Notes::none(MARK);
            Entity::new(design, ScopeId(scope as u32), standard, notes).write("")
        },
    );
    // A family stands where its last scope does, behind all that its scopes use.
    let alike = alike(&design.families);
    let (mut done, mut written) = (HashSet::new(), HashSet::new());
    for scope in design.families.iter().rev().copied().filter(|family| done.insert(*family)) {
        let _ = writeln!(text, "\n-- {}.", netlist.origin(&netlist.scopes[scope]));
        let id = ScopeId(scope as u32);
        let notes = Notes::new(netlist, &alike[&scope], MARK, &mut written);
        text.push_str(&notes.above(netlist.scopes[scope].line, ""));
        let entity = Entity::new(&design, id, standard, notes);
        text.push_str(&entity.write(&design.names[scope]));
    }
    text
}

/// A scope's name in the text.
#[must_use]
pub fn vhdl_name(netlist: &Netlist, scope: ScopeId) -> String {
    names::entity_names(&netlist.scopes[..=scope.index()]).pop().unwrap_or_default()
}
