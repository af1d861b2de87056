//! Cuts of expressions: few bits that determine a value, however much is computed between.
//!
//! This is the cut enumeration of technology mapping, with bits instead of wires: a cut of a node is a set
//! of nodes that every way from the node to registers and inputs meets. A signal that has one driver in
//! every cycle is the same leaf as that driver.

use rustc_hash::{FxHashMap, FxHashSet};

use super::expressions::Expressions;
use crate::{NodeId, Op};

/// Bits of a cut at most: a table of so many index bits stays in the host's first cache.
pub(super) const BITS: u32 = 8;
/// Cuts that are kept of a node.
const KEPT: usize = 6;

/// The leaves of a cut, in order.
pub(super) type Cut = Vec<NodeId>;

/// The cuts of all expressions of a design.
pub(super) struct Cuts<'a> {
    expressions: &'a Expressions<'a>,
    cuts: FxHashMap<NodeId, Vec<Cut>>,
}

impl<'a> Cuts<'a> {
    pub fn new(expressions: &'a Expressions<'a>) -> Self {
        let mut cuts = Self { expressions, cuts: FxHashMap::default() };
        for node in &expressions.order {
            cuts.enumerate(*node);
        }
        cuts
    }

    /// The cuts of a node whose leaves can be read where it stands, and are safe to be computed.
    pub fn of(&self, node: NodeId) -> impl Iterator<Item = &Cut> {
        let Self { expressions, cuts } = self;
        let is_here = move |leaf: &NodeId| {
            *leaf != node && expressions.is_safe(*leaf) && expressions.name(*leaf, node).is_some()
        };
        cuts.get(&node).into_iter().flatten().filter(move |cut| cut.iter().all(is_here))
    }

    /// The operators between a node and the leaves of a cut, as far as they are below a limit.
    pub fn work(&self, node: NodeId, cut: &Cut, limit: usize) -> usize {
        let expressions = self.expressions;
        let (mut seen, mut stack, mut work) = (FxHashSet::default(), vec![node], 0);
        while let Some(node) = stack.pop() {
            if work >= limit || cut.contains(&expressions.origin(node)) || !seen.insert(node) {
                continue;
            }
            let op = &expressions.node(node).op;
            work += usize::from(!matches!(op, Op::Net(_) | Op::Constant(_) | Op::ZeroExtend(_)));
            stack.extend(expressions.operands(node));
        }
        work
    }

    fn enumerate(&mut self, node: NodeId) {
        let expressions = self.expressions;
        let described = expressions.node(node);
        let is_constant = matches!(described.op, Op::Constant(_));
        let mut cuts = match &described.op {
            Op::Constant(_) => vec![vec![]],
            Op::Read { .. } => vec![],
            _ if expressions.may_fail(node) => vec![],
            _ => self.merged(&expressions.operands(node)),
        };
        if described.width <= BITS && !is_constant {
            cuts.push(vec![expressions.origin(node)]);
        }
        self.keep(&mut cuts);
        if !cuts.is_empty() {
            self.cuts.insert(node, cuts);
        }
    }

    /// A cut of each operand, together; of nothing, no cut.
    fn merged(&self, operands: &[NodeId]) -> Vec<Cut> {
        let mut merged: Vec<Cut> = vec![];
        for (at, operand) in operands.iter().enumerate() {
            let Some(cuts) = self.cuts.get(operand) else { return vec![] };
            if at == 0 {
                merged.clone_from(cuts);
                continue;
            }
            let pairs = merged.iter().flat_map(|left| cuts.iter().map(move |right| (left, right)));
            let mut joined: Vec<Cut> = pairs.map(|(left, right)| union(left, right)).collect();
            joined.retain(|cut| self.expressions.bits(cut) <= BITS);
            self.keep(&mut joined);
            merged = joined;
        }
        merged
    }

    /// Keeps those with the fewest leaves, each once.
    fn keep(&self, cuts: &mut Vec<Cut>) {
        cuts.sort_by_cached_key(|cut| (cut.len(), self.expressions.bits(cut), cut.clone()));
        cuts.dedup();
        cuts.truncate(KEPT);
    }
}

fn union(left: &Cut, right: &Cut) -> Cut {
    let mut union: Cut = left.iter().chain(right).copied().collect();
    union.sort_unstable();
    union.dedup();
    union
}
