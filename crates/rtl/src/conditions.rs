//! The nets that the conditions of controllers depend on.
//!
//! A condition decides which assignments are active, so that it must not depend on one that is active by
//! decision only: it sees registers, memories, inputs, and what follows from these in every cycle.

use std::collections::{BTreeSet, HashSet};

use crate::{Direction, NetId, NetKind, Netlist, NodeId, Op};

/// Of each net: what drives it in every cycle, whatever controllers decide.
pub(crate) type Permanent = Vec<Option<NodeId>>;

impl Netlist {
    /// The driver of each net in every cycle.
    pub(crate) fn permanent(&self) -> Permanent {
        let mut drivers = vec![None; self.nets.len()];
        for scope in &self.scopes {
            let always = scope.groups.iter().filter(|group| group.always);
            for assign in always.flat_map(|group| &group.assigns).chain(&scope.bindings) {
                drivers[assign.target.index()] = Some(assign.value);
            }
        }
        drivers
    }

    /// The inputs of the top that conditions depend on.
    ///
    /// # Errors
    /// The first of these conditions that depends on a net which is not driven in every cycle, or on itself;
    /// and that net.
    pub fn asked(&self, conditions: &[NodeId]) -> Result<BTreeSet<NetId>, (NodeId, NetId)> {
        let permanent = self.permanent();
        let mut walk =
            Walk { netlist: self, permanent, done: HashSet::new(), inputs: BTreeSet::new() };
        for condition in conditions {
            walk.node(*condition).map_err(|net| (*condition, net))?;
        }
        Ok(walk.inputs)
    }
}

struct Walk<'a> {
    netlist: &'a Netlist,
    permanent: Permanent,
    /// Nets that were seen to the end.
    done: HashSet<NetId>,
    inputs: BTreeSet<NetId>,
}

/// The work list.
enum Task {
    Enter(NetId),
    /// Everything that the net depends on was looked at.
    Leave(NetId),
}

impl Walk<'_> {
    /// Follows a node to registers, memories, constants and inputs, without recursion: designs are deep.
    fn node(&mut self, node: NodeId) -> Result<(), NetId> {
        let mut open: HashSet<NetId> = HashSet::new();
        let mut tasks: Vec<Task> = self.reads(node).into_iter().map(Task::Enter).collect();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Leave(net) => {
                    open.remove(&net);
                    self.done.insert(net);
                }
                // Whatever lies above a net's end on the stack is what it depends on.
                Task::Enter(net) if open.contains(&net) => return Err(net),
                Task::Enter(net) => {
                    if let Some(driver) = self.driver(net)? {
                        open.insert(net);
                        tasks.push(Task::Leave(net));
                        tasks.extend(self.reads(driver).into_iter().map(Task::Enter));
                    }
                }
            }
        }
        Ok(())
    }

    /// The nets in an expression.
    fn reads(&self, node: NodeId) -> Vec<NetId> {
        let (mut nets, mut seen, mut stack) = (vec![], HashSet::new(), vec![node]);
        while let Some(node) = stack.pop() {
            match &self.netlist.node(node).op {
                _ if !seen.insert(node) => {}
                Op::Net(net) => nets.push(*net),
                op => stack.extend(op.operands()),
            }
        }
        nets
    }

    /// The node to follow behind a net, if there is one.
    fn driver(&mut self, net: NetId) -> Result<Option<NodeId>, NetId> {
        let described = self.netlist.net(net);
        if described.kind == NetKind::Register || self.done.contains(&net) {
            return Ok(None);
        }
        if let Some(driver) = self.permanent[net.index()] {
            return Ok(Some(driver));
        }
        let of_top = self.netlist.scopes[described.scope.index()].parent.is_none();
        if of_top && described.kind == NetKind::Port(Direction::Input) {
            self.inputs.insert(net);
            return Ok(None);
        }
        Err(net)
    }
}
