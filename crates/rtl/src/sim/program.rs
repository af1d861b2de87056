//! A netlist made ready to run: slots for every value, flat tables, controllers with compiled conditions.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::code::{FlatTable, Instr, Tables};
use super::compiled::limb_masks;
use super::plan;
use crate::bits::limbs;
use crate::conditions::Permanent;
use crate::{
    Asked, Assign, Bits, Control, Decision, Direction, GroupId, NetId, NetKind, Netlist, NodeId,
    Op, ScopeId, Write,
};

/// The constant part of a running design.
#[derive(Debug)]
pub(super) struct Program {
    pub netlist: std::sync::Arc<Netlist>,
    pub layout: Layout,
    pub tables: Tables,
    pub controllers: Vec<Controller>,
    /// The controllers in the order in which they choose.
    pub order: Vec<usize>,
    /// True if a condition depends on an input.
    pub asks_inputs: bool,
    /// Of each node: true if neither it nor what it may depend on reads past an end.
    pub safe: Vec<bool>,
}

/// The layout of values in the array of limbs.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// Of each net: registers and inputs of the top have a place of their own.
    pub nets: Vec<u32>,
    /// Of each node.
    pub nodes: Vec<u32>,
    /// Of each register: a place for its next value, used when registers exchange theirs.
    pub shadows: Vec<u32>,
    /// Of each memory: its first word.
    pub memories: Vec<u32>,
    /// As many limbs of 0 as the widest net has.
    pub zero: u32,
    /// Places for what compiled code and the simulator tell one another; see [`super::compiled`].
    pub exchange: u32,
    /// The array at the start: constants in place, all else 0.
    pub initial: Vec<u64>,
    /// Of limbs that never change: their values.
    pub constants: HashMap<u32, u64>,
    /// Of limbs of nets: the bits that can be set.
    pub masks: HashMap<u32, u64>,
}

/// A controller with its decisions flattened.
#[derive(Debug)]
pub(super) struct Controller {
    pub scope: ScopeId,
    pub initial: u32,
    /// Of each state: where its decision starts in `choices`.
    pub states: Vec<usize>,
    pub choices: Vec<Choice>,
    pub steps: Vec<Step>,
    /// The controllers whose steps decide on its conditions: these have no code of their own then.
    pub before: Vec<usize>,
}

/// The transition of a controller in a cycle.
#[derive(Debug)]
pub(super) struct Step {
    pub groups: Vec<GroupId>,
    /// The assignments that it activates.
    pub assigns: Vec<Assign>,
    pub writes: Vec<Write>,
    /// True if it is printed.
    pub traced: bool,
}

impl Controller {
    /// Its possible transitions in a state: the steps, each with the state after it.
    pub fn transitions(&self, state: u32) -> Vec<(u32, u32)> {
        let (mut transitions, mut stack) = (vec![], vec![self.states[state as usize]]);
        while let Some(choice) = stack.pop() {
            match &self.choices[choice] {
                Choice::If { yes, no, .. } => stack.extend([*no, *yes]),
                Choice::Go { step, next } => transitions.push((*step, *next)),
            }
        }
        transitions
    }

    /// The conditions that it may look at in a state.
    pub fn conditions(&self, state: u32) -> Vec<NodeId> {
        let (mut conditions, mut stack) = (vec![], vec![self.states[state as usize]]);
        while let Some(choice) = stack.pop() {
            if let Choice::If { condition, yes, no, .. } = &self.choices[choice] {
                conditions.push(*condition);
                stack.extend([*no, *yes]);
            }
        }
        conditions
    }

    /// The instructions of a state's conditions and jumps.
    pub fn asked(&self, state: u32) -> usize {
        let (mut asked, mut stack) = (0, vec![self.states[state as usize]]);
        while let Some(choice) = stack.pop() {
            asked += 1;
            if let Choice::If { code, yes, no, .. } = &self.choices[choice] {
                asked += code.len();
                stack.extend([*no, *yes]);
            }
        }
        asked
    }
}

/// A decision.
#[derive(Debug)]
pub(super) enum Choice {
    /// Take a step, then be in a state.
    Go { step: u32, next: u32 },
    /// Run code, look at a slot, and go on at one of two choices.
    If { condition: NodeId, code: Vec<Instr>, slot: u32, yes: usize, no: usize },
}

impl Program {
    pub fn new(netlist: std::sync::Arc<Netlist>) -> Self {
        let mut layout = Layout::new(&netlist);
        let tables = flatten(&netlist, &mut layout);
        let asked = netlist.asked().unwrap_or_default();
        let asks_inputs = !asked.inputs.is_empty();
        let (controllers, order) = (Vec::new(), Vec::new());
        let safe = Vec::new();
        let mut program = Self { netlist, layout, tables, controllers, order, asks_inputs, safe };
        program.note_safe();
        program.flatten_controllers();
        program.sort(&asked);
        program
    }

    /// The program of a netlist with other operators in the nodes of this one's, and with nodes and tables
    /// behind those. Everything that is in both has its place of before.
    pub fn extended(&self, netlist: std::sync::Arc<Netlist>) -> Self {
        let (mut layout, mut tables) = (self.layout.clone(), self.tables.clone());
        layout.extend(&netlist);
        for table in &netlist.tables[tables.lookups.len()..] {
            tables.lookups.push(layout.place_table(table));
        }
        let (controllers, order) = (Vec::new(), self.order.clone());
        let asks_inputs = self.asks_inputs;
        let safe = Vec::new();
        let mut program = Self { netlist, layout, tables, controllers, order, asks_inputs, safe };
        program.note_safe();
        program.flatten_controllers();
        for (controller, plain) in program.controllers.iter_mut().zip(&self.controllers) {
            controller.before.clone_from(&plain.before);
        }
        program
    }

    fn flatten_controllers(&mut self) {
        let permanent = self.netlist.permanent();
        for (index, scope) in self.netlist.scopes.iter().enumerate() {
            if let Some(control) = &scope.control {
                let scope = ScopeId(index as u32);
                let controller = Flattener::new(self, &permanent, scope).flatten(control);
                self.controllers.push(controller);
            }
        }
    }

    /// Notes in which order controllers choose, and what each depends on.
    fn sort(&mut self, asked: &Asked) {
        let scopes = self.controllers.iter().enumerate();
        let places: HashMap<ScopeId, usize> =
            scopes.map(|(at, controller)| (controller.scope, at)).collect();
        // A netlist whose conditions depend on one another is refused before it gets here.
        debug_assert_eq!(asked.order.len(), self.controllers.len());
        self.order = asked.order.iter().map(|scope| places[scope]).collect();
        for scope in &asked.order {
            let direct = asked.before.get(scope).into_iter().flat_map(BTreeMap::keys);
            let mut before: BTreeSet<usize> = BTreeSet::new();
            for other in direct.map(|scope| places[scope]) {
                before.insert(other);
                before.extend(&self.controllers[other].before);
            }
            self.controllers[places[scope]].before = before.into_iter().collect();
        }
    }

    /// Returns true if a net has a place of its own: a register or an input of the top.
    pub fn is_state(&self, net: NetId) -> bool {
        let net = self.netlist.net(net);
        match net.kind {
            NetKind::Register => true,
            NetKind::Port(Direction::Input) => {
                self.netlist.scopes[net.scope.index()].parent.is_none()
            }
            _ => false,
        }
    }

    /// Follows reads that may lead past an end to all nodes that they decide on.
    fn note_safe(&mut self) {
        let netlist = &self.netlist;
        let nodes = || (0..netlist.nodes.len()).map(|at| NodeId(at as u32));
        let mut stack: Vec<NodeId> = nodes().filter(|node| self.may_fail(*node)).collect();
        let mut safe = vec![true; netlist.nodes.len()];
        let mut users: HashMap<NodeId, Vec<NodeId>> = HashMap::new();
        if !stack.is_empty() {
            let mut readers: HashMap<NetId, Vec<NodeId>> = HashMap::new();
            for node in nodes() {
                match &netlist.node(node).op {
                    Op::Net(net) if !self.is_state(*net) => {
                        readers.entry(*net).or_default().push(node);
                    }
                    op => op
                        .operands()
                        .into_iter()
                        .for_each(|operand| users.entry(operand).or_default().push(node)),
                }
            }
            for Assign { target, value, .. } in netlist.assigns() {
                let readers = readers.get(target).into_iter().flatten().copied();
                users.entry(*value).or_default().extend(readers);
            }
        }
        while let Some(node) = stack.pop() {
            if std::mem::replace(&mut safe[node.index()], false) {
                stack.extend(users.get(&node).into_iter().flatten());
            }
        }
        self.safe = safe;
    }

    /// Returns true if a node reads a table or a memory that its index can lead past the end of.
    pub fn may_fail(&self, node: NodeId) -> bool {
        let netlist = &self.netlist;
        let (entries, index) = match netlist.node(node).op {
            Op::Lookup { table, index } => (netlist.tables[table.index()].entries.len(), index),
            Op::Read { memory, index } => (netlist.memories[memory.index()].initial.len(), index),
            _ => return false,
        };
        let width = netlist.node(index).width;
        width >= usize::BITS || entries < 1 << width
    }

    /// The writes to memories that may happen in every cycle.
    pub fn permanent_writes(&self) -> impl Iterator<Item = &Write> {
        let groups = self.netlist.scopes.iter().flat_map(|scope| &scope.groups);
        groups.filter(|group| group.always).flat_map(|group| &group.writes)
    }

    /// The assignments that are active in every cycle.
    pub fn permanent(&self) -> impl Iterator<Item = &Assign> {
        self.netlist.scopes.iter().flat_map(|scope| {
            let always = scope.groups.iter().filter(|group| group.always);
            always.flat_map(|group| &group.assigns).chain(&scope.bindings)
        })
    }
}

impl Layout {
    fn new(netlist: &Netlist) -> Self {
        let mut initial = Vec::new();
        let mut place = |words: usize| {
            initial.resize(initial.len() + words, 0);
            (initial.len() - words) as u32
        };
        let widest = netlist.nets.iter().map(|net| limbs(net.width)).max().unwrap_or(1);
        let zero = place(widest);
        let controllers = netlist.scopes.iter().filter(|scope| scope.control.is_some()).count();
        let exchange = place(super::compiled::EXCHANGED + 3 * controllers);
        let nets: Vec<u32> = netlist.nets.iter().map(|net| place(limbs(net.width))).collect();
        let shadow = |net: &crate::Net| match net.kind {
            NetKind::Register => place(limbs(net.width)),
            _ => zero,
        };
        let shadows = netlist.nets.iter().map(shadow).collect();
        let mut memories = Vec::with_capacity(netlist.memories.len());
        for memory in &netlist.memories {
            memories.push(initial.len() as u32);
            initial.extend(memory.initial.iter().flat_map(Bits::limbs));
        }
        let nodes = Vec::with_capacity(netlist.nodes.len());
        let constants = (zero..zero + widest as u32).map(|limb| (limb, 0)).collect();
        let placed = netlist.nets.iter().zip(&nets);
        let masks = placed.flat_map(|(net, start)| limb_masks(*start, net.width)).collect();
        let mut layout =
            Self { nets, nodes, shadows, memories, zero, exchange, initial, constants, masks };
        layout.extend(netlist);
        layout
    }

    /// Gives a place to the nodes that have none.
    fn extend(&mut self, netlist: &Netlist) {
        for node in &netlist.nodes[self.nodes.len()..] {
            let start = self.initial.len() as u32;
            self.nodes.push(start);
            match &node.op {
                Op::Constant(bits) => {
                    self.constants.extend((start..).zip(bits.limbs().iter().copied()));
                    self.initial.extend_from_slice(bits.limbs());
                }
                _ => self.initial.resize(self.initial.len() + limbs(node.width), 0),
            }
        }
    }

    /// Gives a place to a table.
    fn place_table(&mut self, table: &crate::Table) -> FlatTable {
        let start = self.initial.len();
        self.initial.extend(table.entries.iter().flat_map(Bits::limbs));
        FlatTable { start, entries: table.entries.len() as u64 }
    }
}

/// The offsets of tables and memories among the values. Tables with the same entries stand there once.
fn flatten(netlist: &Netlist, layout: &mut Layout) -> Tables {
    let mut flat = Tables::default();
    for (memory, start) in netlist.memories.iter().zip(&layout.memories) {
        let (start, entries) = (*start as usize, memory.initial.len() as u64);
        flat.memories.push(FlatTable { start, entries });
    }
    let mut known: HashMap<Vec<u64>, usize> = HashMap::new();
    for table in &netlist.tables {
        let limbs: Vec<u64> = table.entries.iter().flat_map(Bits::limbs).copied().collect();
        let values = &mut layout.initial;
        let start = *known.entry(limbs).or_insert_with_key(|limbs| {
            values.extend_from_slice(limbs);
            values.len() - limbs.len()
        });
        flat.lookups.push(FlatTable { start, entries: table.entries.len() as u64 });
    }
    flat
}

/// Turns one controller's decisions into choices.
struct Flattener<'a> {
    program: &'a Program,
    permanent: &'a Permanent,
    scope: ScopeId,
    choices: Vec<Choice>,
    steps: Vec<Step>,
}

impl<'a> Flattener<'a> {
    fn new(program: &'a Program, permanent: &'a Permanent, scope: ScopeId) -> Self {
        Self { program, permanent, scope, choices: Vec::new(), steps: Vec::new() }
    }

    fn flatten(mut self, control: &Control) -> Controller {
        let states = control.states.iter().enumerate();
        let starts = states.map(|(index, state)| match &state.decision {
            Some(decision) => self.decision(decision),
            None => self.step(&[], index as u32, false),
        });
        let states = starts.collect();
        let initial = control.initial.0;
        let Self { scope, choices, steps, .. } = self;
        Controller { scope, initial, states, choices, steps, before: vec![] }
    }

    fn step(&mut self, groups: &[GroupId], next: u32, traced: bool) -> usize {
        let scope = &self.program.netlist.scopes[self.scope.index()];
        let active = || groups.iter().map(|id| &scope.groups[id.index()]);
        let assigns = active().flat_map(|group| &group.assigns).copied().collect();
        let writes = active().flat_map(|group| &group.writes).copied().collect();
        self.choices.push(Choice::Go { step: self.steps.len() as u32, next });
        self.steps.push(Step { groups: groups.to_vec(), assigns, writes, traced });
        self.choices.len() - 1
    }

    fn decision(&mut self, decision: &Decision) -> usize {
        match decision {
            Decision::Go { groups, next, traced } => self.step(groups, next.0, *traced),
            Decision::If { condition, yes, no } => {
                let condition = *condition;
                let (code, slot) = self.condition(condition);
                let (yes, no) = (self.decision(yes), self.decision(no));
                self.choices.push(Choice::If { condition, code, slot, yes, no });
                self.choices.len() - 1
            }
        }
    }

    fn condition(&self, condition: NodeId) -> (Vec<Instr>, u32) {
        let cone = plan::cone(self.program, self.permanent, condition);
        (cone.code, cone.slot)
    }
}
