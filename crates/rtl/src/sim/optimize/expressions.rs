//! The expressions of a design, with signals looked through that one driver has in every cycle.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::sim::plan::Drivers;
use crate::sim::program::Program;
use crate::{Assign, NetId, Netlist, Node, NodeId, Op};

/// What is known about them.
pub(super) struct Expressions<'a> {
    program: &'a Program,
    netlist: &'a Netlist,
    /// The driver of each net that has the same one in every cycle.
    drivers: Drivers,
    /// All nodes that something in the design asks for, operands and drivers first.
    pub order: Vec<NodeId>,
    /// The nodes that assignments, writes and conditions take.
    pub sinks: FxHashSet<NodeId>,
    /// Of nodes: the scope that they stand in; none where there are several.
    scopes: Vec<Option<u32>>,
    /// Nodes by what drives them and the scope in which they stand.
    names: FxHashMap<(NodeId, u32), NodeId>,
}

impl<'a> Expressions<'a> {
    pub fn new(program: &'a Program) -> Self {
        let netlist = &*program.netlist;
        let standing = sinks(program);
        let mut expressions = Self {
            program,
            netlist,
            drivers: always_driven(program),
            order: vec![],
            sinks: standing.iter().map(|(_, node)| *node).collect(),
            scopes: vec![None; netlist.nodes.len()],
            names: FxHashMap::default(),
        };
        expressions.note_scopes(&standing);
        expressions.sort();
        for at in 0..expressions.order.len() {
            let node = expressions.order[at];
            if let Some(scope) = expressions.scopes[node.index()] {
                let origin = expressions.origin(node);
                expressions.names.entry((origin, scope)).or_insert(node);
            }
        }
        expressions
    }

    /// The node behind an id.
    pub fn node(&self, node: NodeId) -> &'a Node {
        self.netlist.node(node)
    }

    /// Returns true if reading a node itself may be a fault.
    pub fn may_fail(&self, node: NodeId) -> bool {
        self.program.may_fail(node)
    }

    /// Returns true if no fault can come from a node and what it is made of.
    pub fn is_safe(&self, node: NodeId) -> bool {
        self.program.safe[node.index()]
    }

    /// The driver of each net that has the same one in every cycle.
    pub fn drivers(&self) -> &Drivers {
        &self.drivers
    }

    /// The nodes that a node's value is made of.
    pub fn operands(&self, node: NodeId) -> Vec<NodeId> {
        match &self.netlist.node(node).op {
            Op::Net(net) => self.drivers[net.index()].into_iter().collect(),
            op => op.operands(),
        }
    }

    /// Returns true if two nodes stand in the same scope.
    pub fn stand_together(&self, a: NodeId, b: NodeId) -> bool {
        let [a, b] = [a, b].map(|node| self.scopes[node.index()]);
        a.is_some() && a == b
    }

    /// The node by which a leaf is read where another node stands.
    pub fn name(&self, leaf: NodeId, at: NodeId) -> Option<NodeId> {
        let scope = self.scopes[at.index()]?;
        self.names.get(&(leaf, scope)).copied()
    }

    /// The node that drives this one, behind all signals that are always driven.
    pub fn origin(&self, mut node: NodeId) -> NodeId {
        // Signals that drive one another in a circle have no origin.
        for _ in 0..=self.netlist.nets.len() {
            match self.netlist.node(node).op {
                Op::Net(net) => match self.drivers[net.index()] {
                    Some(driver) => node = driver,
                    None => break,
                },
                _ => break,
            }
        }
        node
    }

    fn note_scopes(&mut self, sinks: &[(u32, NodeId)]) {
        let mut seen = FxHashSet::default();
        let mut stack = sinks.to_vec();
        while let Some((scope, node)) = stack.pop() {
            if !seen.insert((scope, node)) {
                continue;
            }
            let is_first = !seen.contains(&(u32::MAX, node));
            seen.insert((u32::MAX, node));
            self.scopes[node.index()] = is_first.then_some(scope);
            let operands = self.netlist.node(node).op.operands();
            stack.extend(operands.into_iter().map(|operand| (scope, operand)));
        }
    }

    fn sort(&mut self) {
        let mut entered = FxHashSet::default();
        let mut sinks: Vec<NodeId> = self.sinks.iter().copied().collect();
        sinks.sort_unstable();
        let mut stack: Vec<(NodeId, bool)> = sinks.into_iter().map(|sink| (sink, false)).collect();
        while let Some((node, is_done)) = stack.pop() {
            if is_done {
                self.order.push(node);
            } else if entered.insert(node) {
                stack.push((node, true));
                stack.extend(self.operands(node).into_iter().map(|operand| (operand, false)));
            }
        }
    }

    /// The bits of some nodes together.
    pub fn bits(&self, nodes: &[NodeId]) -> u32 {
        nodes.iter().map(|leaf| self.netlist.node(*leaf).width).sum()
    }
}

/// What assignments, writes to memories and conditions take, each with its scope.
fn sinks(program: &Program) -> Vec<(u32, NodeId)> {
    let mut sinks = vec![];
    for (scope, described) in (0..).zip(&program.netlist.scopes) {
        let groups = || described.groups.iter();
        let assigns = groups().flat_map(|group| &group.assigns).chain(&described.bindings);
        sinks.extend(assigns.map(|assign| (scope, assign.value)));
        let writes = groups().flat_map(|group| &group.writes);
        sinks.extend(writes.flat_map(|write| [(scope, write.index), (scope, write.value)]));
        let conditions = described.control.iter().flat_map(crate::Control::conditions);
        sinks.extend(conditions.map(|condition| (scope, condition)));
    }
    sinks
}

/// The drivers of signals that no choice of a controller drives; none of registers and inputs of the top.
fn always_driven(program: &Program) -> Drivers {
    let mut drivers = vec![None; program.netlist.nets.len()];
    for Assign { target, value, .. } in program.permanent() {
        drivers[target.index()] = Some(*value);
    }
    for controller in &program.controllers {
        let has_choice = controller.steps.len() > 1;
        for assign in controller.steps.iter().flat_map(|step| &step.assigns) {
            drivers[assign.target.index()] = (!has_choice).then_some(assign.value);
        }
    }
    for (at, driver) in drivers.iter_mut().enumerate() {
        *driver = driver.filter(|_| !program.is_state(NetId(at as u32)));
    }
    drivers
}
