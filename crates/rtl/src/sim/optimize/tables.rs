//! Logic of few bits becomes tables: an S-box in gates costs a read then, as one that is written as a table.

use rustc_hash::{FxHashMap, FxHashSet};

use super::cuts::{Cut, Cuts};
use super::expressions::Expressions;
use crate::sim::program::Program;
use crate::sim::{code, plan};
use crate::{Bits, Netlist, Node, NodeId, Op, ScopeId, Table, TableId};

/// A table takes the place of at least so many operators, and of two more for each part of its index.
const WORTH_A_TABLE: usize = 6;
/// Operators that are counted: more make no difference.
const COUNTED: usize = 128;
/// Words of all tables together, which the host's second cache holds beside other things.
const WORDS: usize = 1 << 14;
/// Values that are computed to fill tables at most, in instructions: some ten milliseconds.
const EFFORT: usize = 1 << 22;

/// Puts tables in the place of logic of few bits.
pub(super) fn tabulate(program: &Program, netlist: &mut Netlist) {
    let expressions = Expressions::new(program);
    let mut tabulator = Tabulator {
        program,
        netlist,
        expressions: &expressions,
        cuts: Cuts::new(&expressions),
        arena: program.layout.initial.clone(),
        tables: FxHashMap::default(),
        words: 0,
        effort: 0,
    };
    let mut required = expressions.sinks.clone();
    for node in expressions.order.iter().rev() {
        if required.contains(node) {
            tabulator.visit(*node, &mut required);
        }
    }
}

struct Tabulator<'a> {
    program: &'a Program,
    netlist: &'a mut Netlist,
    expressions: &'a Expressions<'a>,
    cuts: Cuts<'a>,
    arena: Vec<u64>,
    /// The tables by their width and entries.
    tables: FxHashMap<(u32, Vec<u64>), TableId>,
    words: usize,
    effort: usize,
}

impl Tabulator<'_> {
    /// What the node is made of from now on is required as well.
    fn visit(&mut self, node: NodeId, required: &mut FxHashSet<NodeId>) {
        let cut = self.best(node).filter(|cut| self.replace(node, cut));
        match cut {
            Some(cut) => required.extend(cut),
            None => required.extend(self.expressions.operands(node)),
        }
    }

    /// The cut that saves most, if one saves enough.
    fn best(&self, node: NodeId) -> Option<Cut> {
        let described = self.program.netlist.node(node);
        if described.width > 64 || matches!(described.op, Op::Constant(_) | Op::Net(_)) {
            return None;
        }
        let saved = |cut: &Cut| {
            let index = 2 * self.parts(cut, node).len();
            self.cuts.work(node, cut, COUNTED).checked_sub(index + WORTH_A_TABLE)
        };
        let worthwhile = self.cuts.of(node).filter(|cut| !cut.is_empty());
        let saving = worthwhile.filter_map(|cut| Some((saved(cut)?, cut)));
        saving.max_by_key(|(saved, _)| *saved).map(|(_, cut)| cut.clone())
    }

    /// The node becomes a read of a table; false where that would be too much.
    fn replace(&mut self, node: NodeId, cut: &Cut) -> bool {
        let parts = self.parts(cut, node);
        let order: Vec<NodeId> = parts.iter().flatten().copied().collect();
        let Some(entries) = self.entries(node, &order) else { return false };
        let width = self.program.netlist.node(node).width;
        let Some(table) = self.table(width, entries) else { return false };
        let index = self.index(&parts, node);
        self.netlist.nodes[node.index()].op = Op::Lookup { table, index };
        true
    }

    /// The values of a node by those of the leaves, the first of which is the highest part of the index.
    fn entries(&mut self, node: NodeId, leaves: &[NodeId]) -> Option<Vec<u64>> {
        let Self { program, expressions, arena, .. } = self;
        let cone = plan::cone_above(program, expressions.drivers(), leaves, node);
        let bits = expressions.bits(leaves);
        self.effort += cone.code.len() << bits;
        if cone.looped || self.effort > EFFORT {
            return None;
        }
        let entry = |value: u64| {
            let mut rest = value;
            for leaf in leaves.iter().rev() {
                let width = program.netlist.node(*leaf).width;
                let slot = program.layout.nodes[leaf.index()] as usize;
                arena[slot] = rest & ((1 << width) - 1);
                rest >>= width;
            }
            code::run(&cone.code, arena, &program.tables);
            arena[cone.slot as usize]
        };
        Some((0..1 << bits).map(entry).collect())
    }

    fn table(&mut self, width: u32, entries: Vec<u64>) -> Option<TableId> {
        if let Some(known) = self.tables.get(&(width, entries.clone())) {
            return Some(*known);
        }
        self.words += entries.len();
        if self.words > WORDS {
            return None;
        }
        let id = TableId(self.netlist.tables.len() as u32);
        let bits = entries.iter().map(|entry| Bits::new(width, &[*entry])).collect();
        let (scope, name) = (ScopeId(0), "values of an expression".to_owned());
        self.netlist.tables.push(Table { scope, name, width, entries: bits, line: 0 });
        self.tables.insert((width, entries), id);
        Some(id)
    }

    /// The leaves of a cut in the order of an index. Bits that lie side by side in a word are one part of it.
    fn parts(&self, cut: &[NodeId], node: NodeId) -> Vec<Vec<NodeId>> {
        let is_here = |leaf: &NodeId| self.expressions.stand_together(*leaf, node);
        let place = |leaf: &NodeId| match self.program.netlist.node(*leaf) {
            Node { op: Op::Slice { of, low }, width } if is_here(leaf) => (*of, *low, *width),
            Node { width, .. } => (*leaf, 0, *width),
        };
        let mut leaves = cut.to_vec();
        leaves.sort_by_key(|leaf| std::cmp::Reverse(place(leaf)));
        let mut parts: Vec<Vec<NodeId>> = vec![];
        for leaf in leaves {
            let (of, low, width) = place(&leaf);
            let above = parts.last().and_then(|part| part.last()).map(&place);
            match parts.last_mut() {
                Some(part)
                    if above.is_some_and(|(word, at, _)| (word, at) == (of, low + width)) =>
                {
                    part.push(leaf);
                }
                _ => parts.push(vec![leaf]),
            }
        }
        parts
    }

    /// The index of a read that stands where a node does.
    fn index(&mut self, parts: &[Vec<NodeId>], node: NodeId) -> NodeId {
        let mut index = None;
        for part in parts {
            let low = self.part(part, node);
            index = Some(match index {
                None => low,
                Some(high) => {
                    let width = self.netlist.node(high).width + self.netlist.node(low).width;
                    self.push(Op::Concat(high, low), width)
                }
            });
        }
        index.unwrap_or(NodeId(0))
    }

    fn part(&mut self, leaves: &[NodeId], node: NodeId) -> NodeId {
        let lowest = leaves[leaves.len() - 1];
        let width = self.expressions.bits(leaves);
        match self.program.netlist.node(lowest).op {
            Op::Slice { of, low } if leaves.len() > 1 => self.push(Op::Slice { of, low }, width),
            _ => self.expressions.name(lowest, node).unwrap_or(lowest),
        }
    }

    fn push(&mut self, op: Op, width: u32) -> NodeId {
        self.netlist.nodes.push(Node { op, width });
        NodeId(self.netlist.nodes.len() as u32 - 1)
    }
}
