//! What the steps of a cycle make constant: signals that a step sets to 0 or 1 decide choices and make
//! operators needless, and registers that are only written on such a signal keep their values.

use rustc_hash::FxHashSet;

use super::{Planner, Value};
use crate::bits::{limbs, top_mask};
use crate::{NodeId, Op};

impl Planner<'_> {
    /// Looks for simpler values of some nodes and of all that they depend on, operands first.
    pub(super) fn fold(&mut self, nodes: impl Iterator<Item = NodeId>) {
        // Where bits are counted, all operators work as in hardware.
        if self.eager {
            return;
        }
        let looped = self.looped;
        let mut entered = FxHashSet::default();
        let mut stack: Vec<(NodeId, bool)> = nodes.map(|node| (node, false)).collect();
        while let Some((node, is_done)) = stack.pop() {
            let Value::Node(node) = self.value(node) else { continue };
            if is_done {
                if let Some(simpler) = self.simpler(node) {
                    self.folded.insert(node, simpler);
                } else if self.is_total(node) && !self.program.may_fail(node) {
                    self.safe.insert(node);
                }
            } else if entered.insert(node) {
                stack.push((node, true));
                let operands = self.netlist.node(node).op.operands();
                stack.extend(operands.into_iter().map(|operand| (operand, false)));
            }
        }
        // A loop that nothing leads through any more is none.
        self.looped = looped;
    }

    fn simpler(&mut self, node: NodeId) -> Option<Value> {
        let netlist = self.netlist;
        let op = &netlist.node(node).op;
        let values: Vec<Value> = op.operands().into_iter().map(|id| self.value(id)).collect();
        match (op, &values[..]) {
            (Op::And(..), &[a, b]) => self.neutral(a, b, node, true).or_else(|| {
                let is_zero = self.is_zero(a, node) || self.is_zero(b, node);
                (is_zero && self.is_total(node)).then(|| self.zero(node)).flatten()
            }),
            (Op::Or(..), &[a, b]) => self.neutral(a, b, node, false).or_else(|| {
                let full = [a, b].into_iter().find(|value| self.is_full(*value, node))?;
                self.is_total(node).then_some(full)
            }),
            (Op::Xor(..) | Op::Add(..), &[a, b]) => self.neutral(a, b, node, false),
            (Op::Sub(..), &[a, b]) => self.is_zero(b, node).then_some(a),
            (Op::Mux { .. }, &[_, yes, no]) if yes == no && self.is_total(node) => Some(yes),
            (Op::Mux { .. }, &[condition, yes, no]) => match self.constant(condition)? {
                0 => Some(no),
                _ => Some(yes),
            },
            (Op::Slice { of, .. } | Op::ZeroExtend(of) | Op::SignExtend(of), &[value]) => {
                let is_zero = self.is_zero(value, *of);
                is_zero.then(|| self.zero(node)).flatten()
            }
            (Op::Concat(left, right), &[a, b]) => {
                let is_zero = self.is_zero(a, *left) && self.is_zero(b, *right);
                is_zero.then(|| self.zero(node)).flatten()
            }
            _ => None,
        }
    }

    /// The other operand where one is all ones (`ones`) or 0.
    fn neutral(&self, a: Value, b: Value, node: NodeId, ones: bool) -> Option<Value> {
        let is_neutral = |value: Value| {
            if ones { self.is_full(value, node) } else { self.is_zero(value, node) }
        };
        if is_neutral(a) { Some(b) } else { is_neutral(b).then_some(a) }
    }

    /// The first limb of a value that never changes.
    fn constant(&self, value: Value) -> Option<u64> {
        let Value::Slot(slot) = value else { return None };
        self.program.layout.constants.get(&slot).copied()
    }

    /// Returns true if a value of a node's width has these limbs; the last one is given by itself.
    fn is_made_of(&self, value: Value, node: NodeId, limb: u64, last: u64) -> bool {
        let Value::Slot(slot) = value else { return false };
        let count = limbs(self.netlist.node(node).width) as u32;
        (0..count).all(|at| {
            let expected = if at + 1 == count { last } else { limb };
            self.program.layout.constants.get(&(slot + at)) == Some(&expected)
        })
    }

    fn is_zero(&self, value: Value, node: NodeId) -> bool {
        self.is_made_of(value, node, 0, 0)
    }

    fn is_full(&self, value: Value, node: NodeId) -> bool {
        self.is_made_of(value, node, u64::MAX, top_mask(self.netlist.node(node).width))
    }

    /// The 0 of a node's width, where there are as many limbs of 0.
    fn zero(&self, node: NodeId) -> Option<Value> {
        let zero = Value::Slot(self.program.layout.zero);
        self.is_zero(zero, node).then_some(zero)
    }

    /// Returns true if no operand can be a fault, which has to show: none reads past an end in a cycle of these steps.
    fn is_total(&mut self, node: NodeId) -> bool {
        let operands = self.operands(node);
        operands.iter().all(|value| match value {
            Value::Slot(_) => true,
            Value::Node(node) => self.safe.contains(node),
        })
    }
}
