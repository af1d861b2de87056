//! Stores with an enable: `m(c ? i : 0) = c ? v : m(0)`, as designs without conditional statements write it,
//! is a store of `v` at `i` where `c` holds, which tools map to the write enable of a block RAM.

use crate::{MemoryId, Netlist, NodeId, Op, Write};

/// A store into a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Store {
    /// Holds where something is stored; nothing: always.
    pub enable: Option<NodeId>,
    pub index: NodeId,
    pub value: NodeId,
}

/// The store of a write, which leaves out what writes a word back unchanged.
pub(crate) fn store(netlist: &Netlist, write: &Write) -> Store {
    let plain = Store { enable: None, index: write.index, value: write.value };
    let Op::Mux { condition, yes, no } = netlist.node(write.value).op else { return plain };
    let Some(kept) = word(netlist, write.memory, no) else { return plain };
    let index = match netlist.node(write.index).op {
        _ if same(netlist, write.index, kept) => write.index,
        Op::Mux { condition: chosen, yes, no }
            if chosen == condition && same(netlist, no, kept) =>
        {
            yes
        }
        _ => return plain,
    };
    Store { enable: Some(condition), index, value: yes }
}

/// The index of a word that a node reads from a memory.
fn word(netlist: &Netlist, from: MemoryId, node: NodeId) -> Option<NodeId> {
    match netlist.node(node).op {
        Op::Read { memory, index } if memory == from => Some(index),
        _ => None,
    }
}

/// Returns true if two nodes are one, or numbers of one value.
fn same(netlist: &Netlist, a: NodeId, b: NodeId) -> bool {
    match (&netlist.node(a).op, &netlist.node(b).op) {
        _ if a == b => true,
        (Op::Constant(left), Op::Constant(right)) => {
            left.as_u64().is_some() && left.as_u64() == right.as_u64()
        }
        _ => false,
    }
}
