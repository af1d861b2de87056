//! The contents of each scope, found in one pass, so that writing a scope never looks through the others.

use crate::{MemoryId, NetId, Netlist, ScopeId};

/// Of one scope: its nets and memories, and the instances in it, each in order of the netlist.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contents {
    pub nets: Vec<NetId>,
    pub memories: Vec<MemoryId>,
    pub instances: Vec<ScopeId>,
}

/// Those of all scopes.
pub(crate) fn contents(netlist: &Netlist) -> Vec<Contents> {
    let mut found = vec![Contents::default(); netlist.scopes.len()];
    for (id, net) in (0..).map(NetId).zip(&netlist.nets) {
        found[net.scope.index()].nets.push(id);
    }
    for (id, memory) in (0..).map(MemoryId).zip(&netlist.memories) {
        found[memory.scope.index()].memories.push(id);
    }
    for (id, scope) in (0..).map(ScopeId).zip(&netlist.scopes) {
        if let Some(parent) = scope.parent {
            found[parent.index()].instances.push(id);
        }
    }
    found
}
