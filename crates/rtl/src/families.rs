//! Families of scopes that are written alike, such as the clones of a datapath: each is one module, with an
//! instance for each of its scopes; and the scopes that need a clock.

use std::collections::HashMap;

use crate::contents::Contents;
use crate::{NetKind, Netlist, ScopeId};

/// Finds of each scope the first one that is written alike. `families` borrows the list of them from the
/// design; `write` yields the text of a scope without its name, with the list as it is for the scopes behind
/// it, its children among them.
pub(crate) fn find_families<D>(
    design: &mut D,
    families: impl Fn(&mut D) -> &mut Vec<usize>,
    write: impl Fn(&D, usize) -> String,
) {
    let scopes = families(design).len();
    let mut known: HashMap<String, usize> = HashMap::new();
    // Children stand behind their parents. The top has ports of its own kind, and stands alone.
    for scope in (1..scopes).rev() {
        let text = write(design, scope);
        families(design)[scope] = *known.entry(text).or_insert(scope);
    }
    let families = families(design);
    let mut first: HashMap<usize, usize> = HashMap::new();
    for (scope, family) in families.iter().enumerate() {
        first.entry(*family).or_insert(scope);
    }
    for family in families.iter_mut() {
        *family = first[family];
    }
}

/// Of each scope that is written: those that are written alike.
pub(crate) fn alike(families: &[usize]) -> HashMap<usize, Vec<ScopeId>> {
    let mut alike: HashMap<usize, Vec<ScopeId>> = HashMap::new();
    for (scope, family) in families.iter().enumerate() {
        alike.entry(*family).or_default().push(ScopeId(scope as u32));
    }
    alike
}

/// Of each scope: true if it or a scope below it has registers, states or memories.
pub(crate) fn clocked(netlist: &Netlist, contents: &[Contents]) -> Vec<bool> {
    let mut clocked = vec![false; netlist.scopes.len()];
    for (index, scope) in netlist.scopes.iter().enumerate().rev() {
        if let Some(block) = netlist.blocks.iter().find(|block| block.scope.index() == index) {
            clocked[index] = block.clock || block.reset;
            continue;
        }
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
