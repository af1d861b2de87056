//! Concatenations: logic that is written bit by bit becomes logic of words, and long words are put together
//! part by part.
//!
//! Bits that are concatenated, and that are all computed by the same operators from bits that lie side by
//! side, are these operators on words: superword-level parallelism, with bits for lanes.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

use super::expressions::Expressions;
use crate::sim::program::Program;
use crate::{Bits, Netlist, Node, NodeId, Op};

/// Lanes that are worth being joined.
const FEWEST: usize = 4;
/// Lanes in the opposite order that are reversed as one word.
const REVERSED: usize = 64;
/// Operators above one another that are looked at.
const DEPTH: usize = 12;

/// Rewrites all concatenations.
pub(super) fn join(program: &Program, netlist: &mut Netlist) {
    let expressions = Expressions::new(program);
    let mut inner = vec![false; program.netlist.nodes.len()];
    for node in &expressions.order {
        if let Op::Concat(left, right) = program.netlist.node(*node).op {
            inner[left.index()] = true;
            inner[right.index()] = true;
        }
    }
    let (joined, shapes) = (FxHashMap::default(), FxHashMap::default());
    let mut lanes = Joiner { expressions: &expressions, netlist, joined, shapes };
    for node in &expressions.order {
        if !inner[node.index()] {
            lanes.visit(*node);
        }
    }
}

struct Joiner<'a> {
    expressions: &'a Expressions<'a>,
    netlist: &'a mut Netlist,
    /// Of lanes, the highest first: the word that they are, if they are one.
    joined: FxHashMap<Vec<NodeId>, Option<NodeId>>,
    /// Of nodes: a number that is the same for the same operators on bits of the same words.
    shapes: FxHashMap<NodeId, u64>,
}

impl Joiner<'_> {
    /// Joins what can be joined in a concatenation.
    fn visit(&mut self, node: NodeId) {
        let lanes = self.lanes(node);
        if lanes.len() < 3 {
            return;
        }
        let (mut parts, mut is_joined) = (vec![], false);
        let shapes: Vec<u64> = lanes.iter().map(|lane| self.shape(*lane, DEPTH)).collect();
        let mut start = 0;
        while start < lanes.len() {
            let alike = shapes[start..].iter().take_while(|shape| **shape == shapes[start]).count();
            let run = &lanes[start..start + alike];
            let words = if alike < FEWEST { None } else { self.run(run) };
            is_joined |= words.is_some();
            parts.extend(words.unwrap_or_else(|| run.to_vec()));
            start += alike;
        }
        let is_wide = lanes.len() > 2 && self.width(&lanes) > 64;
        if is_joined || is_wide {
            let whole = self.concat(&parts);
            self.netlist.nodes[node.index()].op = Op::ZeroExtend(whole);
        }
    }

    /// The words that lanes are, in one order or the other.
    fn run(&mut self, lanes: &[NodeId]) -> Option<Vec<NodeId>> {
        if let Some(word) = self.join(lanes, DEPTH) {
            return Some(vec![word]);
        }
        if self.width(lanes) != lanes.len() as u32 {
            return None;
        }
        let reversed = |part: &[NodeId]| {
            let opposite: Vec<NodeId> = part.iter().rev().copied().collect();
            let word = self.join(&opposite, DEPTH)?;
            Some(self.reverse(word))
        };
        lanes.chunks(REVERSED).map(reversed).collect()
    }

    /// The operands of a tree of concatenations, the highest first.
    fn lanes(&self, node: NodeId) -> Vec<NodeId> {
        let (mut lanes, mut stack) = (vec![], vec![node]);
        while let Some(node) = stack.pop() {
            match self.expressions.node(node).op {
                Op::Concat(left, right) => stack.extend([right, left]),
                _ => lanes.push(node),
            }
        }
        lanes
    }

    /// What drives a node, where that stands in the same module.
    fn driver(&self, node: NodeId) -> NodeId {
        let origin = self.expressions.origin(node);
        if self.expressions.stand_together(origin, node) { origin } else { node }
    }

    fn shape(&mut self, node: NodeId, depth: usize) -> u64 {
        let node = self.driver(node);
        if let Some(known) = self.shapes.get(&node) {
            return *known;
        }
        let described = self.expressions.node(node);
        let mut hasher = FxHasher::default();
        described.width.hash(&mut hasher);
        match described.op {
            _ if depth == 0 => node.hash(&mut hasher),
            Op::Slice { of, .. } => (1, of).hash(&mut hasher),
            Op::Constant(_) => 2.hash(&mut hasher),
            Op::Not(a) => (3, self.shape(a, depth - 1)).hash(&mut hasher),
            Op::And(a, b) => (4, self.shapes_of([a, b], depth)).hash(&mut hasher),
            Op::Or(a, b) => (5, self.shapes_of([a, b], depth)).hash(&mut hasher),
            Op::Xor(a, b) => (6, self.shapes_of([a, b], depth)).hash(&mut hasher),
            _ => (7, node).hash(&mut hasher),
        }
        let shape = hasher.finish();
        self.shapes.insert(node, shape);
        shape
    }

    fn shapes_of(&mut self, operands: [NodeId; 2], depth: usize) -> [u64; 2] {
        let mut shapes = operands.map(|operand| self.shape(operand, depth - 1));
        shapes.sort_unstable();
        shapes
    }

    /// The word that lanes are, the highest first.
    fn join(&mut self, lanes: &[NodeId], depth: usize) -> Option<NodeId> {
        let lanes: Vec<NodeId> = lanes.iter().map(|lane| self.driver(*lane)).collect();
        if let Some(known) = self.joined.get(&lanes) {
            return *known;
        }
        let word = self.word(&lanes, depth);
        self.joined.insert(lanes, word);
        word
    }

    fn word(&mut self, lanes: &[NodeId], depth: usize) -> Option<NodeId> {
        let width = self.width(lanes);
        let first = self.expressions.node(lanes[0]);
        if let Some(word) = self.slice(lanes, width).or_else(|| self.constant(lanes, width)) {
            return Some(word);
        }
        if first.width == 1 && lanes.iter().all(|lane| *lane == lanes[0]) {
            return Some(self.push(Op::SignExtend(lanes[0]), width));
        }
        let depth = depth.checked_sub(1)?;
        let operator: fn(NodeId, NodeId) -> Op = match first.op {
            Op::Not(_) => {
                let operand = |lane: &NodeId| match self.expressions.node(*lane).op {
                    Op::Not(a) => Some(a),
                    _ => None,
                };
                let operands = lanes.iter().map(operand).collect::<Option<Vec<_>>>()?;
                let word = self.join(&operands, depth)?;
                return Some(self.push(Op::Not(word), width));
            }
            Op::And(..) => Op::And,
            Op::Or(..) => Op::Or,
            Op::Xor(..) => Op::Xor,
            _ => return None,
        };
        let (mut left, mut right) = (vec![], vec![]);
        for lane in lanes {
            let (Op::And(a, b) | Op::Or(a, b) | Op::Xor(a, b)) = self.expressions.node(*lane).op
            else {
                return None;
            };
            if operator(a, b) != self.expressions.node(*lane).op {
                return None;
            }
            let is_swapped = self.shape(a, depth) > self.shape(b, depth);
            let (a, b) = if is_swapped { (b, a) } else { (a, b) };
            left.push(a);
            right.push(b);
        }
        let (left, right) = (self.join(&left, depth)?, self.join(&right, depth)?);
        Some(self.push(operator(left, right), width))
    }

    /// Lanes that lie side by side in one word.
    fn slice(&mut self, lanes: &[NodeId], width: u32) -> Option<NodeId> {
        let (of, mut border) = self.place(lanes[0]);
        border += self.expressions.node(lanes[0]).width;
        for lane in lanes {
            let (word, low) = self.place(*lane);
            if word != of || low + self.expressions.node(*lane).width != border {
                return None;
            }
            border = low;
        }
        Some(self.push(Op::Slice { of, low: border }, width))
    }

    /// The word in which a lane lies, and its lowest bit there.
    fn place(&self, lane: NodeId) -> (NodeId, u32) {
        match self.expressions.node(lane).op {
            Op::Slice { of, low } => (of, low),
            _ => (lane, 0),
        }
    }

    fn constant(&mut self, lanes: &[NodeId], width: u32) -> Option<NodeId> {
        let mut limbs = vec![0_u64; crate::bits::limbs(width)];
        let mut place = 0;
        for lane in lanes.iter().rev() {
            let Node { op: Op::Constant(bits), width } = self.expressions.node(*lane) else {
                return None;
            };
            for bit in 0..*width {
                let set = bits.limbs()[(bit / 64) as usize] >> (bit % 64) & 1;
                limbs[(place / 64) as usize] |= set << (place % 64);
                place += 1;
            }
        }
        Some(self.number(width, &limbs))
    }

    fn number(&mut self, width: u32, limbs: &[u64]) -> NodeId {
        self.push(Op::Constant(Bits::new(width, limbs)), width)
    }

    /// The bits of a word of up to 64 bits in the opposite order: halves change places, then their halves.
    fn reverse(&mut self, word: NodeId) -> NodeId {
        let width = self.netlist.node(word).width;
        let whole = width.next_power_of_two();
        let mut reversed = self.push(Op::ZeroExtend(word), whole);
        let mut distance = whole / 2;
        while distance != 0 {
            let ones = (1_u64 << distance) - 1;
            let lows = (0..whole).step_by(2 * distance as usize);
            let low = lows.fold(0, |mask, at| mask | ones << at);
            let mask = self.number(whole, &[low]);
            let by = self.number(7, &[u64::from(distance)]);
            let down = self.push(Op::ShiftRight(reversed, by), whole);
            let high = self.push(Op::And(down, mask), whole);
            let kept = self.push(Op::And(reversed, mask), whole);
            let up = self.push(Op::ShiftLeft(kept, by), whole);
            reversed = self.push(Op::Or(high, up), whole);
            distance /= 2;
        }
        self.push(Op::Slice { of: reversed, low: whole - width }, width)
    }

    /// Parts put above one another from the lowest on: each is shifted once then. Where the highest came first, all
    /// that is there already would be shifted by each further part.
    fn concat(&mut self, parts: &[NodeId]) -> NodeId {
        let lowest = parts[parts.len() - 1];
        parts[..parts.len() - 1].iter().rev().fold(lowest, |whole, part| {
            let width = self.netlist.node(whole).width + self.netlist.node(*part).width;
            self.push(Op::Concat(*part, whole), width)
        })
    }

    fn width(&self, lanes: &[NodeId]) -> u32 {
        lanes.iter().map(|lane| self.expressions.node(*lane).width).sum()
    }

    fn push(&mut self, op: Op, width: u32) -> NodeId {
        self.netlist.nodes.push(Node { op, width });
        NodeId(self.netlist.nodes.len() as u32 - 1)
    }
}
