//! The nets that the conditions of controllers depend on, and the order in which controllers choose.
//!
//! A condition decides which assignments of its own scope are active, so that it must not depend on these.
//! It may depend on what another controller decides, if that one can choose before.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::{Direction, NetId, NetKind, Netlist, NodeId, Op, ScopeId};

/// Of each net: what drives it in every cycle, whatever controllers decide.
pub(crate) type Permanent = Vec<Option<NodeId>>;

/// The result of a look at all conditions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// The inputs of the top that conditions depend on.
    pub inputs: BTreeSet<NetId>,
    /// The scopes with controllers, in an order in which these can choose.
    pub order: Vec<ScopeId>,
    /// Of a scope with a controller: the scopes whose controllers choose before, because a condition depends on
    /// a net that they drive by decision; and for each one such condition and net.
    pub before: BTreeMap<ScopeId, BTreeMap<ScopeId, (NodeId, NetId)>>,
}

/// A condition that depends on what is not decided when it is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undecided {
    /// The condition.
    pub condition: NodeId,
    /// The net that it depends on.
    pub net: NetId,
    /// The scope whose controller drives the net but depends on this one's decision; none where the net is not
    /// driven in every cycle, or depends on itself.
    pub circle: Option<ScopeId>,
}

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

    /// The drivers of each net that controllers choose among.
    fn chosen(&self) -> HashMap<NetId, Vec<NodeId>> {
        let mut drivers: HashMap<NetId, Vec<NodeId>> = HashMap::new();
        for scope in self.scopes.iter().filter(|scope| scope.control.is_some()) {
            let groups = scope.groups.iter().filter(|group| !group.always);
            for assign in groups.flat_map(|group| &group.assigns) {
                drivers.entry(assign.target).or_default().push(assign.value);
            }
        }
        drivers
    }

    /// The signals that the conditions of all controllers depend on.
    ///
    /// # Errors
    /// A condition that depends on its own controller's choice, by itself or by other controllers, or on a net
    /// that nothing drives or that depends on itself.
    pub fn asked(&self) -> Result<Asked, Undecided> {
        let (permanent, chosen) = (self.permanent(), self.chosen());
        let mut asked = Asked::default();
        for (index, scope) in self.scopes.iter().enumerate() {
            let Some(control) = &scope.control else { continue };
            let scope = ScopeId(index as u32);
            let mut walk = Walk {
                netlist: self,
                scope,
                permanent: &permanent,
                chosen: &chosen,
                done: HashSet::new(),
                asked: &mut asked,
            };
            for condition in control.conditions() {
                walk.condition(condition)?;
            }
        }
        self.sort(&mut asked)?;
        Ok(asked)
    }

    /// Finds an order in which each controller chooses behind those that it depends on.
    fn sort(&self, asked: &mut Asked) -> Result<(), Undecided> {
        let with_control = |(_, scope): &(usize, &crate::Scope)| scope.control.is_some();
        let scopes = self.scopes.iter().enumerate().filter(with_control);
        let mut left: Vec<ScopeId> = scopes.map(|(at, _)| ScopeId(at as u32)).collect();
        let mut known: HashSet<ScopeId> = HashSet::new();
        while !left.is_empty() {
            let waits = |scope: &ScopeId| {
                let mut before = asked.before.get(scope).into_iter().flatten();
                before.find(|(other, _)| !known.contains(other))
            };
            let (later, ready): (Vec<ScopeId>, Vec<ScopeId>) =
                left.iter().copied().partition(|scope| waits(scope).is_some());
            if ready.is_empty() {
                // A walk along what each waits for ends on a circle.
                let mut at = later[0];
                for _ in 0..later.len() {
                    at = waits(&at).map_or(at, |(other, _)| *other);
                }
                let found = waits(&at).map(|(other, (condition, net))| (*other, *condition, *net));
                let Some((circle, condition, net)) = found else { return Ok(()) };
                return Err(Undecided { condition, net, circle: Some(circle) });
            }
            known.extend(&ready);
            asked.order.extend(ready);
            left = later;
        }
        Ok(())
    }
}

struct Walk<'a> {
    netlist: &'a Netlist,
    /// The scope whose conditions are followed.
    scope: ScopeId,
    permanent: &'a Permanent,
    chosen: &'a HashMap<NetId, Vec<NodeId>>,
    /// Nets that were seen to the end.
    done: HashSet<NetId>,
    asked: &'a mut Asked,
}

/// The work list.
enum Task {
    Enter(NetId),
    /// Everything that the net depends on was looked at.
    Leave(NetId),
}

impl Walk<'_> {
    /// Follows a condition to registers, memories, constants and inputs, without recursion: designs are deep.
    fn condition(&mut self, condition: NodeId) -> Result<(), Undecided> {
        let wrong = |net| Undecided { condition, net, circle: None };
        let mut open: HashSet<NetId> = HashSet::new();
        let mut tasks: Vec<Task> = self.reads(condition).into_iter().map(Task::Enter).collect();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Leave(net) => {
                    open.remove(&net);
                    self.done.insert(net);
                }
                // Whatever lies above a net's end on the stack is what it depends on.
                Task::Enter(net) if open.contains(&net) => return Err(wrong(net)),
                Task::Enter(net) => {
                    let drivers = self.drivers(condition, net).map_err(wrong)?;
                    if !drivers.is_empty() {
                        open.insert(net);
                        tasks.push(Task::Leave(net));
                        let nets = drivers.into_iter().flat_map(|driver| self.reads(driver));
                        tasks.extend(nets.map(Task::Enter));
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

    /// The nodes to follow behind a net, if there are any.
    fn drivers(&mut self, condition: NodeId, net: NetId) -> Result<Vec<NodeId>, NetId> {
        let described = self.netlist.net(net);
        if described.kind == NetKind::Register || self.done.contains(&net) {
            return Ok(vec![]);
        }
        let mut drivers: Vec<NodeId> = self.permanent[net.index()].into_iter().collect();
        if let Some(chosen) = self.chosen.get(&net) {
            // Groups assign nets of their own scope only.
            if described.scope == self.scope {
                return Err(net);
            }
            let before = self.asked.before.entry(self.scope).or_default();
            before.entry(described.scope).or_insert((condition, net));
            drivers.extend(chosen);
        }
        if !drivers.is_empty() {
            return Ok(drivers);
        }
        let of_top = self.netlist.scopes[described.scope.index()].parent.is_none();
        if of_top && described.kind == NetKind::Port(Direction::Input) {
            self.asked.inputs.insert(net);
            return Ok(vec![]);
        }
        Err(net)
    }
}
