//! Builds nodes: equal ones once, trivial ones not at all.

use std::collections::HashMap;

use crate::{Bits, MemoryId, NetId, Netlist, Node, NodeId, Op, ScopeId, TableId};

/// Adds nodes to a netlist. Nodes are shared within a scope, never across scopes.
///
/// Its methods expect operands of the widths that [`Op`] names.
#[derive(Debug, Default)]
pub struct Builder {
    /// The netlist so far.
    pub netlist: Netlist,
    known: HashMap<(ScopeId, Node), NodeId>,
    scope: Option<ScopeId>,
}

impl Builder {
    /// From now on nodes belong to this scope.
    pub fn enter(&mut self, scope: ScopeId) {
        self.scope = Some(scope);
    }

    /// A node of any operator.
    pub fn node(&mut self, op: Op, width: u32) -> NodeId {
        let node = Node { op, width };
        let nodes = &mut self.netlist.nodes;
        let key = (self.scope.unwrap_or(ScopeId(0)), node);
        *self.known.entry(key).or_insert_with_key(|(_, node)| {
            nodes.push(node.clone());
            NodeId(nodes.len() as u32 - 1)
        })
    }

    /// Bits of a node.
    #[must_use]
    pub fn width(&self, node: NodeId) -> u32 {
        self.netlist.node(node).width
    }

    /// A number.
    pub fn constant(&mut self, width: u32, limbs: &[u64]) -> NodeId {
        self.node(Op::Constant(Bits::new(width, limbs)), width)
    }

    /// A net's value.
    pub fn net(&mut self, net: NetId) -> NodeId {
        let width = self.netlist.net(net).width;
        self.node(Op::Net(net), width)
    }

    /// A table's entry.
    pub fn lookup(&mut self, table: TableId, index: NodeId) -> NodeId {
        let width = self.netlist.tables[table.index()].width;
        self.node(Op::Lookup { table, index }, width)
    }

    /// A memory's word.
    pub fn read(&mut self, memory: MemoryId, index: NodeId) -> NodeId {
        let width = self.netlist.memories[memory.index()].width;
        self.node(Op::Read { memory, index }, width)
    }

    /// Bits `low` to `low + width - 1` of a node that has them.
    pub fn slice(&mut self, of: NodeId, low: u32, width: u32) -> NodeId {
        if low == 0 && width == self.width(of) {
            return of;
        }
        match self.netlist.node(of).op.clone() {
            Op::Constant(bits) => self.constant(width, bits.slice(low, width).limbs()),
            Op::Slice { of, low: below } => self.slice(of, low + below, width),
            Op::ZeroExtend(inner) | Op::SignExtend(inner) if low + width <= self.width(inner) => {
                self.slice(inner, low, width)
            }
            Op::Concat(high, right) => self.slice_concat(of, (high, right), low, width),
            _ => self.node(Op::Slice { of, low }, width),
        }
    }

    /// A slice that lies in one half of a concatenation is a slice of that half.
    fn slice_concat(
        &mut self,
        of: NodeId,
        halves: (NodeId, NodeId),
        low: u32,
        width: u32,
    ) -> NodeId {
        let border = self.width(halves.1);
        if low + width <= border {
            self.slice(halves.1, low, width)
        } else if low >= border {
            self.slice(halves.0, low - border, width)
        } else {
            self.node(Op::Slice { of, low }, width)
        }
    }

    /// A node with zeros (or copies of its highest bit) above, up to a width.
    pub fn extend(&mut self, node: NodeId, width: u32, signed: bool) -> NodeId {
        match self.netlist.node(node).op.clone() {
            _ if width == self.width(node) => node,
            Op::Constant(bits) if !signed => self.constant(width, bits.limbs()),
            Op::ZeroExtend(inner) => self.extend(inner, width, false),
            _ if signed => self.node(Op::SignExtend(node), width),
            _ => self.node(Op::ZeroExtend(node), width),
        }
    }

    /// Left above right.
    pub fn concat(&mut self, left: NodeId, right: NodeId) -> NodeId {
        let width = self.width(left) + self.width(right);
        self.node(Op::Concat(left, right), width)
    }

    /// The complement of a single bit or a word.
    pub fn not(&mut self, node: NodeId) -> NodeId {
        match self.netlist.node(node).op {
            Op::Not(inner) => inner,
            _ => self.node(Op::Not(node), self.width(node)),
        }
    }

    /// True if any bit of a word is 1.
    pub fn any(&mut self, node: NodeId) -> NodeId {
        let width = self.width(node);
        if width == 1 {
            return node;
        }
        if let Op::ZeroExtend(inner) = self.netlist.node(node).op {
            return self.any(inner);
        }
        let zero = self.constant(width, &[]);
        let equal = self.node(Op::Equal(node, zero), 1);
        self.not(equal)
    }

    /// `yes` where a single bit is 1, `no` where it is 0.
    pub fn mux(&mut self, condition: NodeId, yes: NodeId, no: NodeId) -> NodeId {
        match self.netlist.node(condition).op.clone() {
            _ if yes == no => yes,
            Op::Constant(bits) => {
                if bits.is_zero() {
                    no
                } else {
                    yes
                }
            }
            Op::Not(inner) => self.mux(inner, no, yes),
            _ => self.node(Op::Mux { condition, yes, no }, self.width(yes)),
        }
    }
}
