//! Writes a netlist as VHDL (IEEE 1076-1993 or -2008), one entity per scope.
//!
//! Every word is an `unsigned` of `numeric_std`, a single bit one of length 1, so that ports, signals
//! and operators need no conversions. Functions that `numeric_std` lacks are written into the
//! architectures that call them, and no package stands between two exported designs. Registers are
//! set to 0, and controllers to their initial state, by `rst`, which is synchronous and active high.

mod control;
mod entity;
mod expression;
mod names;

use std::fmt::Write;

use crate::{Netlist, ScopeId};
use entity::{Design, Entity};
pub(crate) use names::port_names;

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
    let design = Design::new(netlist);
    for index in (0..netlist.scopes.len()).rev() {
        text.push('\n');
        text.push_str(&Entity::new(&design, ScopeId(index as u32), standard).write());
    }
    text
}

/// A scope's name in the text.
#[must_use]
pub fn vhdl_name(netlist: &Netlist, scope: ScopeId) -> String {
    names::entity_names(&netlist.scopes[..=scope.index()]).pop().unwrap_or_default()
}
