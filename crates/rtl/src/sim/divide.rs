//! Divides a design into units, one for each controller and each part of a cycle: their size is that of the
//! design, however many combinations of steps its controllers take together.
//!
//! Nets that pass between scopes, and those that they depend on, are computed in an order in which each
//! stands after its operands, whatever steps are taken. Registers and memories follow at the end. A unit
//! has one piece of code for each set of groups that its controller activates.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::code::Instr;
use super::compiled::emit;
use super::plan::{self, Behind, Commit, Drivers, Piece};
use super::program::{Choice, Program};
use crate::{Assign, GroupId, NetId, NetKind, NodeId, Op, Write};

/// Steps of a controller that may compute the same signal, each for itself. More of them have it computed
/// once, whether the cycle asks for it or not.
const REPEATED: usize = 8;

/// The part of the cycle in which registers take their next values.
const LAST: usize = usize::MAX;

/// Work of one controller, or of one scope without a choice, in a part of the cycle.
#[derive(Debug)]
pub(super) struct Unit {
    /// The scope whose work it is.
    pub scope: usize,
    /// The part of the cycle: units of one part do not depend on one another, unless they are of one scope.
    pub phase: usize,
    /// The controller that the work depends on.
    pub controller: Option<usize>,
    pub work: Work,
}

#[derive(Debug)]
pub(super) enum Work {
    /// The controller chooses its step and its next state, by choices like those of the program.
    Choose(Vec<Choice>),
    /// Nets take their values.
    Values(Pieces),
    /// Registers and memories take their next values.
    Edge(Pieces),
}

/// Code for each step.
#[derive(Debug)]
pub(super) struct Pieces {
    pub pieces: Vec<Piece>,
    /// Of each step of the controller: its piece. Empty where there is but one piece.
    pub of_step: Vec<usize>,
}

impl Unit {
    /// The number of its instructions.
    pub fn size(&self) -> usize {
        match &self.work {
            Work::Choose(choices) => choices.iter().map(choice_size).sum(),
            Work::Values(pieces) | Work::Edge(pieces) => {
                pieces.pieces.iter().map(|piece| piece.size() + 1).sum()
            }
        }
    }

    /// Returns true if it can be compiled.
    pub fn is_compilable(&self) -> bool {
        match &self.work {
            Work::Choose(choices) => choices.iter().all(|choice| match choice {
                Choice::If { code, .. } => emit::can(code),
                Choice::Go { .. } => true,
            }),
            Work::Values(pieces) | Work::Edge(pieces) => {
                pieces.pieces.iter().all(|piece| emit::can(&piece.code))
            }
        }
    }
}

fn choice_size(choice: &Choice) -> usize {
    match choice {
        Choice::If { code, .. } => 1 + code.len(),
        Choice::Go { .. } => 1,
    }
}

/// A place in the order of a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Vertex {
    Net(NetId),
    Choice(usize),
}

/// The units of a design in the order of a cycle. Nothing where a signal may depend on itself by the steps
/// that are taken: such a design is planned as a whole. Eager units compute both branches of choices, as hardware
/// does; they are the same units in the same order.
pub(super) fn divide(program: &Program, eager: bool) -> Option<Vec<Unit>> {
    let design = Design::new(program)?;
    let kept = design.kept();
    let phases = design.phases(&kept)?;
    let mut units = Builder::new(&design, eager).build(&phases)?;
    units.sort_by_key(|unit| matches!(unit.work, Work::Edge(_)));
    Some(units)
}

/// The drivers of all nets.
struct Design<'a> {
    program: &'a Program,
    /// Of each scope: its controller, if that has a choice.
    controllers: Vec<Option<usize>>,
    /// The driver of each net in every cycle, controllers without a choice among it.
    permanent: Drivers,
    /// Its other drivers: in which steps of its scope's controller, by the sets of groups.
    stepped: FxHashMap<NetId, Vec<(usize, NodeId)>>,
    /// The scope in which each net is driven.
    owners: Vec<usize>,
    /// Of each controller: the distinct sets of groups that it activates, and that of each step.
    sets: Vec<(Vec<usize>, Vec<usize>)>,
    /// All expressions, with the scope in which they stand.
    expressions: Vec<(usize, NodeId)>,
}

impl<'a> Design<'a> {
    fn new(program: &'a Program) -> Option<Self> {
        let netlist = &program.netlist;
        let mut design = Self {
            program,
            controllers: vec![None; netlist.scopes.len()],
            permanent: vec![None; netlist.nets.len()],
            stepped: FxHashMap::default(),
            owners: netlist.nets.iter().map(|net| net.scope.index()).collect(),
            sets: vec![],
            expressions: vec![],
        };
        for (index, scope) in netlist.scopes.iter().enumerate() {
            let always = scope.groups.iter().filter(|group| group.always);
            for assign in always.clone().flat_map(|group| &group.assigns).chain(&scope.bindings) {
                design.drive(index, assign, None);
            }
            design.ask_writes(index, always.flat_map(|group| &group.writes));
        }
        for index in 0..program.controllers.len() {
            design.add_controller(index);
        }
        design.is_closed().then_some(design)
    }

    fn drive(&mut self, scope: usize, assign: &Assign, set: Option<usize>) {
        let target = assign.target;
        self.owners[target.index()] = scope;
        self.expressions.push((scope, assign.value));
        match set {
            None => self.permanent[target.index()] = Some(assign.value),
            Some(set) => self.stepped.entry(target).or_default().push((set, assign.value)),
        }
    }

    fn ask_writes<'w>(&mut self, scope: usize, writes: impl Iterator<Item = &'w Write>) {
        let nodes = writes.flat_map(|write| [write.index, write.value]);
        self.expressions.extend(nodes.map(|node| (scope, node)));
    }

    fn add_controller(&mut self, index: usize) {
        let controller = &self.program.controllers[index];
        let scope = controller.scope.index();
        let has_choice = controller.steps.len() > 1;
        if has_choice {
            self.controllers[scope] = Some(index);
        }
        let (mut known, mut sets) = (FxHashMap::<&[GroupId], usize>::default(), (vec![], vec![]));
        for (at, step) in controller.steps.iter().enumerate() {
            let next = sets.0.len();
            let set = *known.entry(&step.groups).or_insert(next);
            sets.1.push(set);
            if set == next {
                sets.0.push(at);
                for assign in &step.assigns {
                    self.drive(scope, assign, has_choice.then_some(set));
                }
                self.ask_writes(scope, step.writes.iter());
            }
        }
        self.sets.push(sets);
    }

    /// Returns true if registers and memories are read in their own scopes only. Others read them by ports.
    fn is_closed(&self) -> bool {
        let netlist = &self.program.netlist;
        self.expressions.iter().all(|(scope, node)| {
            let (nets, memories) = self.reads(*node);
            let own = |net: &NetId| {
                let net = netlist.net(*net);
                net.kind != NetKind::Register || net.scope.index() == *scope
            };
            nets.iter().all(own)
                && memories.iter().all(|&at| netlist.memories[at].scope.index() == *scope)
        })
    }

    /// The nets and memories in an expression.
    fn reads(&self, node: NodeId) -> (Vec<NetId>, Vec<usize>) {
        let (mut nets, mut memories) = (vec![], vec![]);
        let (mut seen, mut stack) = (FxHashSet::default(), vec![node]);
        while let Some(node) = stack.pop() {
            if !seen.insert(node) {
                continue;
            }
            let op = &self.program.netlist.node(node).op;
            match op {
                Op::Net(net) => nets.push(*net),
                Op::Read { memory, .. } => memories.push(memory.index()),
                _ => {}
            }
            stack.extend(op.operands());
        }
        (nets, memories)
    }

    /// The nets in an expression that something computes in the cycle.
    fn computed(&self, node: NodeId) -> Vec<NetId> {
        let mut nets = self.reads(node).0;
        nets.retain(|net| !self.program.is_state(*net) && self.is_driven(*net));
        nets
    }

    fn is_driven(&self, net: NetId) -> bool {
        self.permanent[net.index()].is_some() || self.stepped.contains_key(&net)
    }

    fn drivers(&self, net: NetId) -> impl Iterator<Item = NodeId> {
        let stepped = self.stepped.get(&net).into_iter().flatten().map(|(_, node)| *node);
        self.permanent[net.index()].into_iter().chain(stepped)
    }

    /// The conditions of a controller that has a choice.
    fn conditions(&self, controller: usize) -> Vec<NodeId> {
        let scope = self.program.controllers[controller].scope;
        let control = self.program.netlist.scopes[scope.index()].control.as_ref();
        control.map(crate::Control::conditions).unwrap_or_default()
    }

    /// The nets that have places of their own: those that another scope or a condition reads, those that
    /// many steps would compute, those that registers take whatever the step, and all that these depend on.
    fn kept(&self) -> FxHashSet<NetId> {
        let mut stack = vec![];
        for (scope, node) in &self.expressions {
            let nets = self.computed(*node).into_iter();
            stack.extend(nets.filter(|net| self.owners[net.index()] != *scope));
        }
        for controller in self.controllers.iter().flatten() {
            let asked = self.conditions(*controller).into_iter();
            stack.extend(asked.flat_map(|node| self.computed(node)));
        }
        stack.extend(self.repeated());
        stack.extend(self.taken_in_all_steps());
        let mut kept = FxHashSet::default();
        while let Some(net) = stack.pop() {
            if kept.insert(net) {
                stack.extend(self.drivers(net).flat_map(|node| self.computed(node)));
            }
        }
        kept
    }

    /// The nets that steps drive and that registers take which every cycle assigns: the code of these
    /// registers is the same for all steps, so that it reads such nets from their places.
    fn taken_in_all_steps(&self) -> FxHashSet<NetId> {
        let (mut taken, mut seen) = (FxHashSet::default(), FxHashSet::default());
        let registers = (0..self.owners.len()).map(|at| NetId(at as u32));
        let nodes = registers.filter_map(|net| self.permanent_register(net));
        let mut stack: Vec<NetId> = nodes.flat_map(|node| self.computed(node)).collect();
        while let Some(net) = stack.pop() {
            if self.stepped.contains_key(&net) {
                taken.insert(net);
            } else if seen.insert(net) {
                stack.extend(self.drivers(net).flat_map(|node| self.computed(node)));
            }
        }
        taken
    }

    /// The driver of a register that does not depend on the step; nothing for other nets.
    fn permanent_register(&self, net: NetId) -> Option<NodeId> {
        let is_register = self.program.netlist.net(net).kind == NetKind::Register;
        let is_stepped = self.stepped.contains_key(&net);
        self.permanent[net.index()].filter(|_| is_register && !is_stepped)
    }

    /// The nets that are driven in every cycle and that many sets of groups would compute.
    fn repeated(&self) -> Vec<NetId> {
        let mut users: FxHashMap<NetId, usize> = FxHashMap::default();
        for (scope, controller) in self.controllers.iter().enumerate() {
            let Some(controller) = controller else { continue };
            let described = &self.program.controllers[*controller];
            for step in &self.sets[*controller].0 {
                let step = &described.steps[*step];
                let values = step.assigns.iter().map(|assign| assign.value);
                let writes = step.writes.iter().flat_map(|write| [write.index, write.value]);
                for net in self.behind(values.chain(writes), scope) {
                    *users.entry(net).or_default() += 1;
                }
            }
        }
        users.into_iter().filter(|(_, users)| *users > REPEATED).map(|(net, _)| net).collect()
    }

    /// The nets of a scope that are driven in every cycle and that these expressions depend on.
    fn behind(&self, nodes: impl Iterator<Item = NodeId>, scope: usize) -> FxHashSet<NetId> {
        let mut stack: Vec<NetId> = nodes.flat_map(|node| self.computed(node)).collect();
        let mut seen = FxHashSet::default();
        while let Some(net) = stack.pop() {
            let is_permanent = !self.stepped.contains_key(&net);
            let of_scope = self.owners[net.index()] == scope;
            if is_permanent && of_scope && seen.insert(net) {
                stack.extend(self.drivers(net).flat_map(|node| self.computed(node)));
            }
        }
        seen
    }

    /// The operands of a vertex.
    fn operands(&self, vertex: Vertex) -> Vec<Vertex> {
        let nets = |node: NodeId| self.computed(node).into_iter().map(Vertex::Net);
        match vertex {
            Vertex::Choice(controller) => {
                self.conditions(controller).into_iter().flat_map(nets).collect()
            }
            Vertex::Net(net) => {
                let choice = self.controller(net).map(Vertex::Choice);
                self.drivers(net).flat_map(nets).chain(choice).collect()
            }
        }
    }

    /// The controller whose steps decide what drives a net.
    fn controller(&self, net: NetId) -> Option<usize> {
        let owner = self.owners[net.index()];
        self.stepped.get(&net).and_then(|_| self.controllers[owner])
    }

    /// The work that a vertex belongs to: the scope, and whether a controller decides.
    fn worker(&self, vertex: Vertex) -> (usize, Option<usize>, bool) {
        match vertex {
            Vertex::Choice(controller) => (0, Some(controller), true),
            Vertex::Net(net) => (self.owners[net.index()], self.controller(net), false),
        }
    }

    /// Part of the cycle in which each vertex is computed: operands come first, or stand in the same unit.
    fn phases(&self, kept: &FxHashSet<NetId>) -> Option<FxHashMap<Vertex, usize>> {
        let choices = self.controllers.iter().flatten().map(|at| Vertex::Choice(*at));
        let mut nets: Vec<NetId> = kept.iter().copied().collect();
        nets.sort_unstable();
        let vertices: Vec<Vertex> = choices.chain(nets.into_iter().map(Vertex::Net)).collect();
        let mut phases: FxHashMap<Vertex, usize> = FxHashMap::default();
        for component in components(&vertices, |vertex| self.operands(vertex)) {
            let worker = self.worker(component[0]);
            let members: FxHashSet<Vertex> = component.iter().copied().collect();
            let (mut phase, mut depends_on_itself) = (0, false);
            for operand in component.iter().flat_map(|vertex| self.operands(*vertex)) {
                if members.contains(&operand) {
                    depends_on_itself = true;
                } else {
                    let apart = self.worker(operand) != worker;
                    phase = phase.max(phases[&operand] + usize::from(apart));
                }
            }
            // Signals of one unit may depend on one another differently from step to step.
            let alike = component.iter().all(|vertex| self.worker(*vertex) == worker);
            if depends_on_itself && !(alike && worker.1.is_some() && !worker.2) {
                return None;
            }
            phases.extend(component.into_iter().map(|vertex| (vertex, phase)));
        }
        Some(phases)
    }
}

/// The strongly connected components of a graph, operands first (R. Tarjan, Depth-first search and linear
/// graph algorithms, 1972), without recursion: designs are deep.
fn components(vertices: &[Vertex], operands: impl Fn(Vertex) -> Vec<Vertex>) -> Vec<Vec<Vertex>> {
    let mut numbers: FxHashMap<Vertex, usize> = FxHashMap::default();
    let mut lowest: FxHashMap<Vertex, usize> = FxHashMap::default();
    let (mut open, mut is_open) = (vec![], FxHashSet::default());
    let mut found = vec![];
    for root in vertices {
        let mut stack = vec![(*root, None::<Vec<Vertex>>)];
        while let Some((vertex, left)) = stack.pop() {
            let mut left = match left {
                None if numbers.contains_key(&vertex) => continue,
                None => {
                    lowest.insert(vertex, numbers.len());
                    numbers.insert(vertex, numbers.len());
                    open.push(vertex);
                    is_open.insert(vertex);
                    operands(vertex)
                }
                Some(left) => left,
            };
            // The operand looked at last is complete now, or still open.
            if let Some(operand) = left.pop() {
                if !numbers.contains_key(&operand) {
                    left.push(operand);
                    stack.push((vertex, Some(left)));
                    stack.push((operand, None));
                    continue;
                }
                if is_open.contains(&operand) {
                    let low = lowest[&operand].min(lowest[&vertex]);
                    lowest.insert(vertex, low);
                }
                stack.push((vertex, Some(left)));
                continue;
            }
            if lowest[&vertex] == numbers[&vertex] {
                let start = open.iter().rposition(|other| *other == vertex).unwrap_or(0);
                let component = open.split_off(start);
                for vertex in &component {
                    is_open.remove(vertex);
                }
                found.push(component);
            }
        }
    }
    found
}

/// Plans the pieces of all units.
struct Builder<'a> {
    design: &'a Design<'a>,
    /// Nets whose values are in their places.
    ready: Vec<bool>,
    drivers: Drivers,
    units: Vec<Unit>,
    eager: bool,
}

impl<'a> Builder<'a> {
    fn new(design: &'a Design<'a>, eager: bool) -> Self {
        let ready = vec![false; design.program.netlist.nets.len()];
        Self { design, ready, drivers: design.permanent.clone(), units: vec![], eager }
    }

    fn behind(&self) -> Behind<'_> {
        Behind { ready: &self.ready, eager: self.eager }
    }

    fn build(mut self, phases: &FxHashMap<Vertex, usize>) -> Option<Vec<Unit>> {
        let mut parts: BTreeMap<_, Vec<NetId>> = BTreeMap::new();
        for (vertex, phase) in phases {
            let nets = parts.entry((*phase, self.design.worker(*vertex))).or_default();
            if let Vertex::Net(net) = vertex {
                nets.push(*net);
            }
        }
        for ((phase, (scope, controller, chooses)), mut nets) in parts {
            nets.sort_unstable();
            match controller.filter(|_| chooses) {
                Some(controller) => self.choose(controller, phase),
                None => self.values((scope, phase), controller, &nets),
            }
        }
        for scope in 0..self.design.controllers.len() {
            self.edge(scope)?;
        }
        Some(self.units)
    }

    fn choose(&mut self, controller: usize, phase: usize) {
        let design = self.design;
        let scope = design.program.controllers[controller].scope.index();
        let conditions: Vec<NodeId> = design.program.controllers[controller]
            .choices
            .iter()
            .filter_map(|choice| match choice {
                Choice::If { condition, .. } => Some(*condition),
                Choice::Go { .. } => None,
            })
            .collect();
        let mut cones = conditions.iter().map(|condition| {
            let cone = plan::cone_behind(design.program, &self.drivers, self.behind(), *condition);
            (cone.code, cone.slot)
        });
        let choices = design.program.controllers[controller].choices.iter();
        let choices = choices.map(|choice| match choice {
            Choice::Go { step, next } => Choice::Go { step: *step, next: *next },
            Choice::If { condition, yes, no, .. } => {
                let (code, slot): (Vec<Instr>, u32) = cones.next().unwrap_or_default();
                Choice::If { condition: *condition, code, slot, yes: *yes, no: *no }
            }
        });
        let work = Work::Choose(choices.collect());
        self.units.push(Unit { scope, phase, controller: Some(controller), work });
    }

    /// A piece for each set of groups.
    fn pieces(
        &mut self,
        controller: Option<usize>,
        mut piece: impl FnMut(&Self, &[Write]) -> Piece,
    ) -> Pieces {
        let Some(controller) = controller else {
            return Pieces { pieces: vec![piece(self, &[])], of_step: vec![] };
        };
        let design = self.design;
        let (sets, of_step) = &design.sets[controller];
        let mut pieces = vec![];
        for step in sets {
            let step = &design.program.controllers[controller].steps[*step];
            for assign in &step.assigns {
                self.drivers[assign.target.index()] = Some(assign.value);
            }
            pieces.push(piece(self, &step.writes));
            for Assign { target, .. } in &step.assigns {
                self.drivers[target.index()] = design.permanent[target.index()];
            }
        }
        Pieces { pieces, of_step: of_step.clone() }
    }

    fn values(
        &mut self,
        (scope, phase): (usize, usize),
        controller: Option<usize>,
        nets: &[NetId],
    ) {
        let program = self.design.program;
        let pieces = self.pieces(controller, |builder, _| {
            let driven: Vec<(NetId, NodeId)> =
                nets.iter().filter_map(|net| Some((*net, builder.drivers[net.index()]?))).collect();
            let mut piece = plan::part(program, &builder.drivers, builder.behind(), &driven, &[]);
            // What nothing drives in this step is 0.
            for net in nets.iter().filter(|net| builder.drivers[net.index()].is_none()) {
                let limbs = crate::bits::limbs(program.netlist.net(*net).width) as u32;
                let register = program.layout.nets[net.index()];
                piece.commits.push(Commit { register, from: program.layout.zero, limbs });
            }
            piece
        });
        self.units.push(Unit { scope, phase, controller, work: Work::Values(pieces) });
        for net in nets {
            self.ready[net.index()] = true;
        }
    }

    /// The clock edge of a scope. Where its controller has a choice, registers that do not depend on it
    /// wait in their shadows until the others are computed.
    fn edge(&mut self, scope: usize) -> Option<()> {
        let design = self.design;
        let program = design.program;
        let registers = program.netlist.nets.iter().enumerate();
        let registers = registers
            .filter(|(_, net)| net.kind == NetKind::Register && net.scope.index() == scope);
        let registers: Vec<NetId> = registers.map(|(at, _)| NetId(at as u32)).collect();
        let permanent: Vec<(NetId, NodeId)> = registers
            .iter()
            .filter_map(|net| Some((*net, design.permanent_register(*net)?)))
            .collect();
        let stepped: Vec<NetId> =
            registers.into_iter().filter(|net| design.stepped.contains_key(net)).collect();
        let writes = self.permanent_writes(scope);
        let Some(controller) = design.controllers[scope] else {
            let piece = plan::part(program, &self.drivers, self.behind(), &permanent, &writes);
            return self.push_edge(scope, None, Pieces { pieces: vec![piece], of_step: vec![] });
        };
        let mut waiting = vec![];
        if !permanent.is_empty() {
            let mut early = plan::part(program, &self.drivers, self.behind(), &permanent, &[]);
            let shadow = |(net, _): &(NetId, NodeId)| {
                (program.layout.nets[net.index()], program.layout.shadows[net.index()])
            };
            let shadows: FxHashMap<u32, u32> = permanent.iter().map(shadow).collect();
            for commit in &mut early.commits {
                let shadow = shadows[&commit.register];
                waiting.push(Commit { from: shadow, ..*commit });
                commit.register = shadow;
            }
            self.push_values(scope, early)?;
        }
        let pieces = self.pieces(Some(controller), |builder, of_step| {
            let driven: Vec<(NetId, NodeId)> = stepped
                .iter()
                .filter_map(|net| Some((*net, builder.drivers[net.index()]?)))
                .collect();
            let writes = [&writes[..], of_step].concat();
            let mut piece =
                plan::part(program, &builder.drivers, builder.behind(), &driven, &writes);
            piece.commits.extend(&waiting);
            piece
        });
        self.push_edge(scope, Some(controller), pieces)
    }

    /// The writes to memories of a scope that do not depend on a choice.
    fn permanent_writes(&self, scope: usize) -> Vec<Write> {
        let program = self.design.program;
        let groups = program.netlist.scopes[scope].groups.iter().filter(|group| group.always);
        let always = groups.flat_map(|group| &group.writes);
        let hardwired = program
            .controllers
            .iter()
            .filter(|controller| controller.scope.index() == scope && controller.steps.len() == 1);
        let hardwired = hardwired.flat_map(|controller| &controller.steps[0].writes);
        always.chain(hardwired).copied().collect()
    }

    fn push_edge(&mut self, scope: usize, controller: Option<usize>, pieces: Pieces) -> Option<()> {
        if pieces.pieces.iter().any(|piece| piece.looped) {
            return None;
        }
        let is_empty = |piece: &Piece| piece.commits.is_empty() && piece.stores.is_empty();
        if !pieces.pieces.iter().all(is_empty) {
            let work = Work::Edge(pieces);
            self.units.push(Unit { scope, phase: LAST, controller, work });
        }
        Some(())
    }

    fn push_values(&mut self, scope: usize, piece: Piece) -> Option<()> {
        let is_sound = !piece.looped;
        let pieces = Pieces { pieces: vec![piece], of_step: vec![] };
        let work = Work::Values(pieces);
        self.units.push(Unit { scope, phase: LAST, controller: None, work });
        is_sound.then_some(())
    }
}
