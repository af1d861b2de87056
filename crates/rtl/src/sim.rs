//! The simulator: interprets a netlist cycle by cycle, and computes only what the cycle needs.
//!
//! In each cycle the controllers choose their steps by the registers' values; for each combination of
//! steps that occurs a plan is made once and kept. Evaluate and update are two phases: all registers
//! take their next value together.

mod activity;
mod blocks;
mod code;
mod compiled;
mod divide;
mod divided;
mod machine_code;
mod optimize;
mod plan;
mod program;

use std::ops::Range;
use std::sync::{Arc, Mutex};

use rustc_hash::FxHashMap;

use crate::bits::{limbs, top_mask};
use crate::{Bits, Direction, GroupId, NetId, NetKind, Netlist, NodeId, ScopeId, StateId};
use activity::Counting;
pub use activity::{Counted, Toggling};
use blocks::Attached;
use code::{Instr, OutOfBounds, Tables};
use compiled::Compiled;
use divided::Divided;
use plan::{Piece, Plan};
use program::{Choice, Program};

/// Passes over a plan with a loop. A loop that `?:` opens for the values at hand settles in as many
/// passes as it has signals.
const PASSES: usize = 64;

/// Plans kept at most, and their instructions and drivers; a design with more combinations of controller
/// steps has its plans made again.
const PLANS: usize = 4096;
const PLANNED: usize = 1 << 21;

/// A running design. Cloning it takes a snapshot.
#[derive(Clone, Debug)]
pub struct Simulator {
    program: Arc<Program>,
    /// The same with less work, for machine code.
    optimized: Option<Arc<Program>>,
    inputs: Vec<Input>,
    outputs: Vec<NetId>,
    /// All values; see [`program::Layout`].
    arena: Vec<u64>,
    /// Of each controller: its state, the step that it takes, the state after that.
    states: Vec<u32>,
    steps: Vec<u32>,
    nexts: Vec<u32>,
    /// The plan of the present cycle, once chosen.
    chosen: Option<usize>,
    plans: Vec<Plan>,
    known: FxHashMap<Vec<u32>, usize>,
    /// The code of conditions that depend on other controllers' steps.
    conditions: FxHashMap<(NodeId, Vec<u32>), plan::Cone>,
    /// The size of the plans.
    planned: usize,
    /// Clock edges that were planned.
    edges: usize,
    cycle: u64,
    /// Nothing changes until an input does.
    settled: bool,
    fault: Option<Fault>,
    /// The blocks in other languages, and whether their outputs are not those of the present cycle.
    blocks: Vec<Attached>,
    is_stale: bool,
    /// The toggle counts, where they are kept.
    counting: Option<Counting>,
    /// Machine code for what ran often.
    compiled: Vec<Arc<Compiled>>,
    /// The same of all simulators that are clones of one another.
    shared: Arc<Mutex<Shared>>,
    /// The design in units, and whether that was tried: not every design can be divided.
    divided: Option<Arc<Divided>>,
    division_tried: bool,
    /// Cycles that its units ran without machine code.
    divided_cycles: u64,
    /// Cycles that were interpreted since something was compiled, or could not be.
    interpreted: u64,
}

/// Machine code that clones of one simulator have made.
#[derive(Debug, Default)]
struct Shared {
    optimized: Option<Arc<Program>>,
    kernels: Vec<Arc<Compiled>>,
    units: Option<Arc<Divided>>,
}

/// An input or output of the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PortId(u32);

/// The offset of an input's value.
#[derive(Clone, Copy, Debug)]
struct Input {
    net: NetId,
    /// The place of its first limb, and how many there are.
    slot: usize,
    limbs: usize,
    /// The mask of its last limb.
    top: u64,
}

/// The transition of a controller in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transition {
    /// The controller's scope.
    pub scope: ScopeId,
    /// The state that it is in.
    pub from: StateId,
    /// The state that it goes to.
    pub to: StateId,
    /// True if the design asks to print it.
    pub traced: bool,
}

/// A mistake of the design that shows only while it runs. The run goes on with a defined value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// An index past a lookup table's end; 0 was read.
    #[error("cycle {cycle}: lookup table `{table}` is read past its end")]
    Lookup {
        /// The table.
        table: String,
        /// The cycle in which it happened.
        cycle: u64,
    },
    /// An index past a memory's end; 0 was read, or nothing written.
    #[error("cycle {cycle}: the array `{memory}` is accessed past its end")]
    Memory {
        /// The memory.
        memory: String,
        /// The cycle in which it happened.
        cycle: u64,
    },
    /// The design breaks a rule of the language in this cycle.
    #[error("cycle {cycle}: {message}")]
    Rule {
        /// The breach.
        message: String,
        /// The cycle in which it happened.
        cycle: u64,
    },
    /// A signal that depends on itself and does not settle; its value is not to be relied on.
    #[error("cycle {cycle}: a signal depends on itself without a register in between")]
    Loop {
        /// The cycle in which it happened.
        cycle: u64,
    },
}

impl Simulator {
    /// A design with all registers 0, all controllers in their initial state and all inputs 0.
    #[must_use]
    pub fn new(netlist: Arc<Netlist>) -> Self {
        let ports = |direction| -> Vec<NetId> {
            let top = netlist.scopes.first().map_or(&[][..], |scope| &scope.ports);
            let matching =
                top.iter().filter(|id| netlist.net(**id).kind == NetKind::Port(direction));
            matching.copied().collect()
        };
        let (inputs, outputs) = (ports(Direction::Input), ports(Direction::Output));
        let program = Arc::new(Program::new(netlist));
        let input = |net: NetId| {
            let (width, slot) = (program.netlist.net(net).width, program.layout.nets[net.index()]);
            Input { net, slot: slot as usize, limbs: limbs(width), top: top_mask(width) }
        };
        let inputs = inputs.into_iter().map(input).collect();
        let mut simulator = Self {
            optimized: None,
            inputs,
            outputs,
            arena: Vec::new(),
            states: Vec::new(),
            steps: vec![0; program.controllers.len()],
            nexts: vec![0; program.controllers.len()],
            chosen: None,
            plans: Vec::new(),
            known: FxHashMap::default(),
            conditions: FxHashMap::default(),
            planned: 0,
            edges: 0,
            cycle: 0,
            settled: false,
            fault: None,
            blocks: Vec::new(),
            is_stale: false,
            counting: None,
            compiled: Vec::new(),
            shared: Arc::default(),
            divided: None,
            division_tried: false,
            divided_cycles: 0,
            interpreted: 0,
            program,
        };
        simulator.reset();
        simulator
    }

    /// Back to the start: registers and inputs 0, controllers in their initial state, cycle 0.
    pub fn reset(&mut self) {
        let program = self.optimized.as_ref().unwrap_or(&self.program);
        self.arena.clone_from(&program.layout.initial);
        self.states = self.program.controllers.iter().map(|control| control.initial).collect();
        self.chosen = None;
        self.cycle = 0;
        self.settled = false;
        self.fault = None;
        self.reset_blocks();
    }

    /// An input of the top by name.
    #[must_use]
    pub fn input(&self, name: &str) -> Option<PortId> {
        self.port(self.inputs.iter().map(|input| input.net), name)
    }

    /// An output of the top by name.
    #[must_use]
    pub fn output(&self, name: &str) -> Option<PortId> {
        self.port(self.outputs.iter().copied(), name)
    }

    fn port(&self, mut ports: impl Iterator<Item = NetId>, name: &str) -> Option<PortId> {
        let found = ports.position(|id| self.program.netlist.net(id).name == name);
        found.map(|index| PortId(index as u32))
    }

    /// Sets an input, cut to its width, from now on. For inputs of up to 64 bits; wider ones get
    /// zeros above.
    pub fn set_input(&mut self, port: PortId, value: u64) {
        let Input { slot, limbs, top, .. } = self.inputs[port.0 as usize];
        if limbs == 1 {
            self.set_limb(slot, value & top);
        } else {
            self.set_input_wide(port, &[value]);
        }
    }

    /// Sets an input from limbs of 64 bits, least significant first, cut or filled to its width.
    pub fn set_input_wide(&mut self, port: PortId, value: &[u64]) {
        let Input { slot, limbs, top, .. } = self.inputs[port.0 as usize];
        for index in 0..limbs {
            let mask = if index + 1 == limbs { top } else { u64::MAX };
            self.set_limb(slot + index, value.get(index).copied().unwrap_or(0) & mask);
        }
    }

    fn set_limb(&mut self, slot: usize, limb: u64) {
        if self.arena[slot] != limb {
            self.arena[slot] = limb;
            (self.settled, self.is_stale) = (false, true);
            if self.program.asks_inputs {
                self.chosen = None;
            }
        }
    }

    /// Puts a value of up to 64 bits into a register, cut to its width, as if it had held it since the
    /// last clock edge.
    pub fn set_register(&mut self, register: NetId, value: u64) {
        debug_assert_eq!(self.program.netlist.net(register).kind, NetKind::Register);
        let width = self.program.netlist.net(register).width;
        let value = if width < 64 { value & top_mask(width) } else { value };
        if self.set_register_wide(register, &[value]) {
            self.is_stale = true;
        }
    }

    /// The same of the first limbs of any register, without a look at blocks; true if it held another value.
    fn set_register_wide(&mut self, register: NetId, value: &[u64]) -> bool {
        let slot = self.program.layout.nets[register.index()] as usize;
        let place = &mut self.arena[slot..slot + value.len()];
        let changed = place != value;
        if changed {
            place.copy_from_slice(value);
            (self.settled, self.chosen) = (false, None);
        }
        changed
    }

    /// An output's value in the present cycle with the present inputs; its low 64 bits. No clock edge.
    pub fn evaluate_output(&mut self, port: PortId) -> u64 {
        let slot = self.evaluate(port);
        let face = self.program.netlist.net(self.outputs[port.0 as usize]).face;
        self.arena[slot] & if face < 64 { top_mask(face) } else { u64::MAX }
    }

    /// The same with all limbs, least significant first.
    pub fn output_wide(&mut self, port: PortId) -> Vec<u64> {
        let slot = self.evaluate(port);
        let net = self.program.netlist.net(self.outputs[port.0 as usize]);
        let limbs = &self.arena[slot..slot + limbs(net.width)];
        Bits::new(net.face, limbs).limbs().to_vec()
    }

    fn evaluate(&mut self, port: PortId) -> usize {
        let chosen = self.choose();
        let index = port.0 as usize;
        if self.plans[chosen].outputs[index].is_none() {
            let drivers = plan::drivers(&self.program, &self.steps);
            let cone = drivers[self.outputs[index].index()]
                .map(|node| plan::cone(&self.program, &drivers, node));
            let slot = self.program.layout.zero;
            let undriven = plan::Cone { code: Vec::new(), looped: false, slot };
            let cone = cone.unwrap_or(undriven);
            self.planned += cone.code.len();
            self.plans[chosen].outputs[index] = Some(cone);
        }
        let Some(cone) = &self.plans[chosen].outputs[index] else { return 0 };
        let slot = cone.slot as usize;
        let (fault, unsettled) =
            run(&cone.code, cone.looped, &mut self.arena, &self.program.tables);
        self.note(fault, unsettled);
        slot
    }

    /// A node's value in the present cycle with the present inputs, as limbs of 64 bits, least significant
    /// first. No clock edge.
    pub fn value(&mut self, node: NodeId) -> Vec<u64> {
        let place = self.computed(node);
        self.arena[place].to_vec()
    }

    /// Computes a node's value in the present cycle; returns its place.
    fn computed(&mut self, node: NodeId) -> Range<usize> {
        let chosen = self.choose();
        if !self.plans[chosen].probes.contains_key(&node) {
            self.drivers();
            let plan = &mut self.plans[chosen];
            let cone = plan::cone(&self.program, &plan.drivers, node);
            self.planned += cone.code.len();
            plan.probes.insert(node, cone);
        }
        let Some(cone) = self.plans[chosen].probes.get(&node) else { return 0..0 };
        let slot = cone.slot as usize;
        let (fault, unsettled) =
            run(&cone.code, cone.looped, &mut self.arena, &self.program.tables);
        if fault.is_some() || unsettled {
            self.note(fault, unsettled);
        }
        slot..slot + limbs(self.program.netlist.node(node).width)
    }

    /// The value of a register in the next cycle, given the present inputs.
    pub fn next_value(&mut self, register: NetId) -> Vec<u64> {
        match self.drivers()[register.index()] {
            Some(node) => self.value(node),
            None => self.arena[self.kept(register)].to_vec(),
        }
    }

    /// A net's value in the present cycle with the present inputs, as limbs; 0 where nothing drives it.
    pub fn net_value(&mut self, net: NetId) -> Vec<u64> {
        self.net_limbs(net).to_vec()
    }

    /// The same, in its place.
    fn net_limbs(&mut self, net: NetId) -> &[u64] {
        let is_register = self.program.netlist.net(net).kind == NetKind::Register;
        let place = match self.drivers()[net.index()] {
            Some(node) if !is_register => self.computed(node),
            _ => self.kept(net),
        };
        &self.arena[place]
    }

    /// The driver of each net in the present cycle.
    fn drivers(&mut self) -> &[Option<NodeId>] {
        let chosen = self.choose();
        let plan = &mut self.plans[chosen];
        if plan.drivers.is_empty() {
            plan.drivers = plan::drivers(&self.program, &self.steps);
            self.planned += plan.drivers.len();
        }
        &plan.drivers
    }

    /// A net's own place.
    fn kept(&self, net: NetId) -> Range<usize> {
        let slot = self.program.layout.nets[net.index()] as usize;
        slot..slot + limbs(self.program.netlist.net(net).width)
    }

    /// Returns true if a group is active in the present cycle.
    pub fn is_active(&mut self, scope: ScopeId, group: GroupId) -> bool {
        self.choose();
        if self.program.netlist.scopes[scope.index()].groups[group.index()].always {
            return true;
        }
        let controllers = self.program.controllers.iter().zip(&self.steps);
        let mut of_scope = controllers.filter(|(controller, _)| controller.scope == scope);
        of_scope.any(|(controller, step)| controller.steps[*step as usize].groups.contains(&group))
    }

    /// The transitions of the controllers in the present cycle, in the order of their scopes.
    pub fn transitions(&mut self) -> Vec<Transition> {
        self.choose();
        let controllers = self.program.controllers.iter().enumerate();
        let transition = |(index, controller): (usize, &program::Controller)| Transition {
            scope: controller.scope,
            from: StateId(self.states[index]),
            to: StateId(self.nexts[index]),
            traced: controller.steps[self.steps[index] as usize].traced,
        };
        controllers.map(transition).collect()
    }

    /// One clock edge with the present inputs. False when no register and no controller changed, so
    /// that nothing will change until an input does.
    pub fn step(&mut self) -> bool {
        self.settle();
        let goes_on = match self.run_compiled(1) {
            Some((_, goes_on)) => goes_on,
            None => self.interpret(),
        };
        if self.blocks.is_empty() {
            return goes_on;
        }
        // Only the block knows whether something changed in it.
        self.clock_blocks(self.cycle - 1);
        self.settled = false;
        true
    }

    /// The same without machine code.
    fn interpret(&mut self) -> bool {
        if self.settled && self.counting.is_none() {
            self.cycle += 1;
            return false;
        }
        let chosen = self.choose();
        if self.counting.is_some() {
            self.count();
        }
        self.plan_edge(chosen);
        let Some(edge) = &self.plans[chosen].edge else { return false };
        let (fault, unsettled) =
            run(&edge.code, edge.looped, &mut self.arena, &self.program.tables);
        let (stored, past) = store(edge, &mut self.arena, &self.program.tables);
        let mut changed = commit(edge, &mut self.arena) | stored;
        if fault.is_some() || past.is_some() || unsettled {
            self.note(fault.or(past), unsettled);
        }
        if self.states != self.nexts {
            self.states.copy_from_slice(&self.nexts);
            changed = true;
        }
        self.chosen = None;
        self.cycle += 1;
        self.settled = !changed;
        changed
    }

    /// Computes the next values of registers and what memories take, and keeps neither; notes a fault.
    pub fn try_step(&mut self) {
        let chosen = self.choose();
        self.plan_edge(chosen);
        let Some(edge) = &self.plans[chosen].edge else { return };
        let (fault, unsettled) =
            run(&edge.code, edge.looped, &mut self.arena, &self.program.tables);
        let past = past_end(edge, &self.arena, &self.program.tables);
        self.note(fault.or(past), unsettled);
    }

    /// Clock edges with the present inputs. All `cycles` are counted; as soon as nothing changes any
    /// more the rest is not computed, and the number of cycles that were so saved is returned.
    pub fn run_idle(&mut self, cycles: u64) -> u64 {
        if !self.blocks.is_empty() {
            (0..cycles).take_while(|_| self.step() && self.fault.is_none()).for_each(drop);
            return 0;
        }
        let mut left = cycles;
        while left != 0 {
            let goes_on = if let Some((still, goes_on)) = self.run_compiled(left) {
                left = still;
                goes_on
            } else {
                left -= 1;
                self.interpret()
            };
            if !goes_on {
                self.cycle += left;
                return left;
            }
        }
        0
    }

    /// Clock edges since the start.
    #[must_use]
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// A register's value by its path from the top (`count`, or `child.count`), as limbs of 64 bits,
    /// least significant first.
    #[must_use]
    pub fn register(&self, path: &str) -> Option<Vec<u64>> {
        let id = self.program.netlist.find(path)?;
        let net = self.program.netlist.net(id);
        let slot = self.program.layout.nets[id.index()] as usize;
        let is_register = net.kind == NetKind::Register;
        is_register.then(|| self.arena[slot..slot + limbs(net.width)].to_vec())
    }

    /// The state that the controller of a scope is in; the top's path is empty.
    #[must_use]
    pub fn state(&self, path: &str) -> Option<&str> {
        let netlist = &self.program.netlist;
        let mut controllers = self.program.controllers.iter();
        let index = controllers.position(|control| netlist.path(control.scope) == path)?;
        let scope = self.program.controllers[index].scope;
        let control = netlist.scopes[scope.index()].control.as_ref()?;
        Some(&control.states[self.states[index] as usize].name)
    }

    /// The first fault of the run, if there was one.
    #[must_use]
    pub fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }

    fn note(&mut self, past: Option<OutOfBounds>, unsettled: bool) {
        let (cycle, netlist) = (self.cycle, &self.program.netlist);
        let past = past.map(|past| match past {
            OutOfBounds::Table(index) => {
                Fault::Lookup { table: netlist.tables[index].name.clone(), cycle }
            }
            OutOfBounds::Memory(index) => {
                Fault::Memory { memory: netlist.memories[index].name.clone(), cycle }
            }
        });
        let fault = past.or(unsettled.then_some(Fault::Loop { cycle }));
        self.fault = self.fault.take().or(fault);
    }

    /// Lets each controller choose its step, and finds the plan for that.
    fn choose(&mut self) -> usize {
        self.settle();
        if let Some(chosen) = self.chosen {
            return chosen;
        }
        let program = Arc::clone(&self.program);
        for &index in &program.order {
            let controller = &program.controllers[index];
            let mut choice = controller.states[self.states[index] as usize];
            loop {
                match &controller.choices[choice] {
                    Choice::Go { step, next } => {
                        (self.steps[index], self.nexts[index]) = (*step, *next);
                        break;
                    }
                    Choice::If { condition, yes, no, .. } if !controller.before.is_empty() => {
                        let holds = self.holds(*condition, &controller.before);
                        choice = if holds { *yes } else { *no };
                    }
                    Choice::If { code, slot, yes, no, .. } => {
                        code::run(code, &mut self.arena, &program.tables);
                        choice = if self.arena[*slot as usize] != 0 { *yes } else { *no };
                    }
                }
            }
        }
        let chosen = self.known.get(&self.steps).copied().unwrap_or_else(|| self.make_plan());
        self.chosen = Some(chosen);
        chosen
    }

    /// Returns true if a condition holds that depends on the steps of other controllers, which have chosen.
    fn holds(&mut self, condition: NodeId, before: &[usize]) -> bool {
        let steps = before.iter().map(|controller| self.steps[*controller]).collect();
        let Self { program, steps: chosen, arena, conditions, .. } = self;
        if conditions.len() >= PLANS {
            conditions.clear();
        }
        let cone = conditions
            .entry((condition, steps))
            .or_insert_with(|| plan::cone(program, &plan::drivers(program, chosen), condition));
        run(&cone.code, cone.looped, arena, &program.tables);
        arena[cone.slot as usize] != 0
    }

    fn make_plan(&mut self) -> usize {
        if self.plans.len() == PLANS || self.planned > PLANNED {
            self.plans.clear();
            self.known.clear();
            self.planned = 0;
        }
        self.plans.push(Plan { outputs: vec![None; self.outputs.len()], ..Plan::default() });
        self.known.insert(self.steps.clone(), self.plans.len() - 1);
        self.plans.len() - 1
    }

    /// Plans the clock edge of the present combination of steps, if that has not happened yet.
    fn plan_edge(&mut self, chosen: usize) {
        if self.plans[chosen].edge.is_some() {
            return;
        }
        let eager = self.counting.is_some();
        let edge = plan::edge(&self.program, &self.steps, eager);
        self.planned += edge.size();
        self.edges += 1;
        let plan = &mut self.plans[chosen];
        let results = edge.code.iter().filter(|instr| eager && !instr.code.is_jump());
        plan.computed = results.map(|instr| instr.to).collect();
        plan.edge = Some(edge);
    }
}

/// Runs code, again and again where it has a loop. Returns what was read past its end, if anything, and
/// whether a loop did not settle.
fn run(
    code: &[Instr],
    looped: bool,
    arena: &mut [u64],
    tables: &Tables,
) -> (Option<OutOfBounds>, bool) {
    if !looped {
        return (code::run(code, arena, tables), false);
    }
    for _ in 0..PASSES {
        let before = arena.to_vec();
        let fault = code::run(code, arena, tables);
        if arena == before {
            return (fault, false);
        }
    }
    (None, true)
}

/// The write of a clock edge past a memory's end, if there is one.
fn past_end(piece: &Piece, arena: &[u64], tables: &Tables) -> Option<OutOfBounds> {
    let is_past = |store: &&plan::Store| {
        let index = code::index(arena, store.index, store.index_limbs);
        index >= tables.memories[store.memory as usize].entries
    };
    let past = piece.stores.iter().find(is_past);
    past.map(|store| OutOfBounds::Memory(store.memory as usize))
}

/// Memories take what a clock edge writes to them, before registers change that say where; whether any word
/// changed, and what was written past its end.
fn store(piece: &Piece, arena: &mut [u64], tables: &Tables) -> (bool, Option<OutOfBounds>) {
    let (mut changed, mut past) = (false, None);
    for store in &piece.stores {
        let memory = tables.memories[store.memory as usize];
        let index = code::index(arena, store.index, store.index_limbs);
        if index >= memory.entries {
            past = Some(OutOfBounds::Memory(store.memory as usize));
            continue;
        }
        let (from, limbs) = (store.from as usize, store.limbs as usize);
        let to = memory.start + index as usize * limbs;
        changed |= arena[to..to + limbs] != arena[from..from + limbs];
        arena.copy_within(from..from + limbs, to);
    }
    (changed, past)
}

/// All registers of a clock edge take their next values; whether any of them changed.
fn commit(piece: &Piece, arena: &mut [u64]) -> bool {
    let mut changed = false;
    for commit in &piece.commits {
        let (to, from) = (commit.register as usize, commit.from as usize);
        for limb in 0..commit.limbs as usize {
            changed |= arena[to + limb] != arena[from + limb];
            arena[to + limb] = arena[from + limb];
        }
    }
    changed
}
