//! Families of scopes that are written alike, such as the clones of a datapath: each is one module, with an
//! instance for each of its scopes; and the scopes that need a clock.

use std::collections::HashMap;

use crate::contents::Contents;
use crate::{NetKind, Netlist};

/// Of each scope: the first one that is written alike. `write` yields the text of a scope without its name,
/// given the families of the scopes behind it, its children among them.
pub(crate) fn families(
    scopes: usize,
    mut write: impl FnMut(usize, &[usize]) -> String,
) -> Vec<usize> {
    let mut families: Vec<usize> = (0..scopes).collect();
    let mut known: HashMap<String, usize> = HashMap::new();
    // Children stand behind their parents. The top has ports of its own kind, and stands alone.
    for scope in (1..scopes).rev() {
        let text = write(scope, &families);
        families[scope] = *known.entry(text).or_insert(scope);
    }
    let mut first: HashMap<usize, usize> = HashMap::new();
    for (scope, family) in families.iter().enumerate() {
        first.entry(*family).or_insert(scope);
    }
    families.iter().map(|family| first[family]).collect()
}

/// Of each scope: true if it or a scope below it has registers, states or memories.
pub(crate) fn clocked(netlist: &Netlist, contents: &[Contents]) -> Vec<bool> {
    let mut clocked = vec![false; netlist.scopes.len()];
    for (index, scope) in netlist.scopes.iter().enumerate().rev() {
        let own = &contents[index];
        let register = |net| netlist.net(net).kind == NetKind::Register;
        let has_states = scope.control.as_ref().is_some_and(|control| control.states.len() > 1);
        clocked[index] |= has_states
            || scope.groups.iter().any(|group| !group.writes.is_empty())
            || own.nets.iter().copied().any(register)
            || own.instances.iter().any(|child| clocked[child.index()]);
    }
    clocked
}
