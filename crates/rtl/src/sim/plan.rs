//! Plans: what is computed in one cycle, given the step that each controller takes.
//!
//! A plan holds only what some register (or output) asks for, in topological order. What just one
//! branch of a choice needs is computed only when that branch is taken.

mod fold;

use std::collections::HashMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::code::{Code, Instr};
use super::program::Program;
use crate::bits::{limbs, top_mask};
use crate::{Assign, NetId, NetKind, Netlist, NodeId, Op, Write};

/// A branch is jumped over when that saves at least this many limbs of work.
const WORTH_A_JUMP: u32 = 4;
/// The cost of a lookup: much, because its fault must not show in a branch that is not taken.
const LOOKUP: u32 = 1000;

/// The facts known for one combination of steps; all of it is made on demand.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// The clock edge.
    pub edge: Option<Piece>,
    /// Of each output of the top: how to compute it, once somebody asked.
    pub outputs: Vec<Option<Cone>>,
    /// The destinations of the clock edge's results, where bits are counted.
    pub computed: FxHashSet<u32>,
    /// The driver of each net, found on demand.
    pub drivers: Drivers,
    /// The same as of outputs, of other nodes.
    pub probes: HashMap<NodeId, Cone>,
}

/// Code, and what its results go to at its end.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub code: Vec<Instr>,
    pub commits: Vec<Commit>,
    pub stores: Vec<Store>,
    /// The number of instructions at the end of the code that only keep the present values of registers, whose
    /// place other registers take them from.
    pub copies: usize,
    /// True if a combinational loop was met, which may be no loop for the values at hand.
    pub looped: bool,
}

impl Piece {
    /// The number of its instructions; those on long words count as several.
    pub fn size(&self) -> usize {
        let code: usize = self.code.iter().map(|instr| usize::from(instr.limbs / 8).max(1)).sum();
        code + self.commits.len() + self.stores.len()
    }

    /// The code without the copies at its end, and where registers take their values from then.
    pub fn without_copies(&self) -> (&[Instr], Vec<Commit>) {
        let (code, copies) = self.code.split_at(self.code.len() - self.copies);
        let origins: FxHashMap<u32, u32> = copies.iter().map(|copy| (copy.to, copy.a)).collect();
        let direct = |commit: &Commit| {
            let from = origins.get(&commit.from).copied().unwrap_or(commit.from);
            Commit { from, ..*commit }
        };
        (code, self.commits.iter().map(direct).collect())
    }
}

/// A register takes its next value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Commit {
    pub register: u32,
    pub from: u32,
    pub limbs: u32,
}

/// A word of a memory takes a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Store {
    pub memory: u32,
    /// The place of the index, and its limbs.
    pub index: u32,
    pub index_limbs: u16,
    pub from: u32,
    pub limbs: u32,
}

/// The code that computes one value.
#[derive(Clone, Debug)]
pub(super) struct Cone {
    pub code: Vec<Instr>,
    pub looped: bool,
    pub slot: u32,
}

/// What code stands behind, and its form.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Behind<'a> {
    /// Of each net: true if its value is in its own place already.
    pub ready: &'a [bool],
    /// True if both branches of choices are computed, as hardware does.
    pub eager: bool,
}

/// The node that drives each net in a cycle.
pub(super) type Drivers = Vec<Option<NodeId>>;

/// The drivers when each controller takes the given step.
pub(super) fn drivers(program: &Program, steps: &[u32]) -> Drivers {
    let chosen = program.controllers.iter().zip(steps);
    let active = chosen.flat_map(|(controller, step)| &controller.steps[*step as usize].assigns);
    driven_by(program, active)
}

/// The drivers when these assignments are active besides those that always are.
pub(super) fn driven_by<'a>(
    program: &'a Program,
    active: impl Iterator<Item = &'a Assign>,
) -> Drivers {
    let mut drivers = vec![None; program.netlist.nets.len()];
    for Assign { target, value, .. } in program.permanent().chain(active) {
        drivers[target.index()] = Some(*value);
    }
    drivers
}

/// The clock edge. An eager one computes both branches of choices, as hardware does.
pub(super) fn edge(program: &Program, steps: &[u32], eager: bool) -> Piece {
    let drivers = drivers(program, steps);
    let nets = program.netlist.nets.iter().enumerate();
    let registers = nets.filter(|(_, net)| net.kind == NetKind::Register);
    let driven: Vec<(NetId, NodeId)> =
        registers.filter_map(|(index, _)| Some((NetId(index as u32), drivers[index]?))).collect();
    let planner = Planner { eager, ..Planner::new(program, &drivers) };
    piece(planner, &driven, &writes(program, steps))
}

/// The code by which nets take values, and memories what is written to them. Nets that are `ready` have
/// theirs in their own places already.
pub(super) fn part(
    program: &Program,
    drivers: &Drivers,
    behind: Behind<'_>,
    targets: &[(NetId, NodeId)],
    writes: &[Write],
) -> Piece {
    let Behind { ready, eager } = behind;
    let planner = Planner { ready, eager, ..Planner::new(program, drivers) };
    piece(planner, targets, writes)
}

fn piece(mut planner: Planner<'_>, targets: &[(NetId, NodeId)], writes: &[Write]) -> Piece {
    let program = planner.program;
    let values = targets.iter().map(|(_, node)| *node);
    planner.fold(values.chain(writes.iter().flat_map(|write| [write.index, write.value])));
    let place = |net: NetId| program.layout.nets[net.index()];
    let mut changing = vec![];
    let mut sinks = vec![];
    for (net, node) in targets {
        let sink = planner.value(*node);
        // A register that keeps its value has nothing to do.
        if sink != Value::Slot(place(*net)) {
            changing.push((*net, *node));
            sinks.push(sink);
        }
    }
    for write in writes {
        sinks.push(planner.value(write.index));
        sinks.push(planner.value(write.value));
    }
    planner.plan(&sinks);
    let mut commits = Vec::new();
    for ((net, _), sink) in changing.iter().zip(&sinks) {
        let from = planner.slot(*sink);
        let limbs = limbs(program.netlist.net(*net).width) as u32;
        commits.push(Commit { register: place(*net), from, limbs });
    }
    let mut stores = Vec::new();
    for (write, values) in writes.iter().zip(sinks[changing.len()..].chunks(2)) {
        let width = |node: NodeId| limbs(program.netlist.node(node).width);
        stores.push(Store {
            memory: write.memory.0,
            index: planner.slot(values[0]),
            index_limbs: width(write.index) as u16,
            from: planner.slot(values[1]),
            limbs: width(write.value) as u32,
        });
    }
    let computed = planner.code.len();
    planner.separate(&changing, &mut commits);
    let copies = planner.code.len() - computed;
    Piece { code: planner.code, commits, stores, copies, looped: planner.looped }
}

/// The writes to memories when each controller takes the given step.
fn writes(program: &Program, steps: &[u32]) -> Vec<Write> {
    let chosen = program.controllers.iter().zip(steps);
    let active = chosen.flat_map(|(controller, step)| &controller.steps[*step as usize].writes);
    program.permanent_writes().chain(active).copied().collect()
}

/// The code that computes one node.
pub(super) fn cone(program: &Program, drivers: &Drivers, node: NodeId) -> Cone {
    cone_behind(program, drivers, Behind::default(), node)
}

/// The same where nets that are `ready` have their values in their own places.
pub(super) fn cone_behind(
    program: &Program,
    drivers: &Drivers,
    behind: Behind<'_>,
    node: NodeId,
) -> Cone {
    let Behind { ready, eager } = behind;
    Planner { ready, eager, ..Planner::new(program, drivers) }.cone(node)
}

/// The same where some nodes, the leaves, have their values in their own places.
pub(super) fn cone_above(
    program: &Program,
    drivers: &Drivers,
    leaves: &[NodeId],
    node: NodeId,
) -> Cone {
    Planner { leaves, ..Planner::new(program, drivers) }.cone(node)
}

/// The origin of a value, behind all nets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    /// A register, an input, a constant: it is there.
    Slot(u32),
    /// A node that has to be computed.
    Node(NodeId),
}

/// A branch of a choice, or the root: the code that runs under one condition.
#[derive(Clone, Debug)]
struct Region {
    parent: usize,
    depth: u32,
    /// Limbs of work in it and in the regions below.
    cost: u32,
    nodes: Vec<NodeId>,
}

struct Planner<'a> {
    program: &'a Program,
    netlist: &'a Netlist,
    drivers: &'a Drivers,
    /// Of each net: true if its value is in its own place already.
    ready: &'a [bool],
    /// Nodes whose values are in their own places already.
    leaves: &'a [NodeId],
    /// True if the branches of choices are computed that are not taken.
    eager: bool,
    looped: bool,
    /// Of nodes: the simpler value that they have, by the steps that are taken.
    folded: FxHashMap<NodeId, Value>,
    /// Nodes that were met while folding and whose values cannot be faults.
    safe: FxHashSet<NodeId>,
    code: Vec<Instr>,
    regions: Vec<Region>,
    /// Of each choice that was met: the regions of its branches.
    branches: HashMap<NodeId, (usize, usize)>,
}

impl<'a> Planner<'a> {
    fn new(program: &'a Program, drivers: &'a Drivers) -> Self {
        let netlist = &program.netlist;
        let root = Region { parent: 0, depth: 0, cost: 0, nodes: Vec::new() };
        Self {
            program,
            netlist,
            drivers,
            ready: &[],
            leaves: &[],
            eager: false,
            looped: false,
            folded: FxHashMap::default(),
            safe: FxHashSet::default(),
            code: Vec::new(),
            regions: vec![root],
            branches: HashMap::new(),
        }
    }

    fn cone(mut self, node: NodeId) -> Cone {
        self.fold([node].into_iter());
        let sink = self.value(node);
        self.plan(&[sink]);
        Cone { slot: self.slot(sink), looped: self.looped, code: self.code }
    }

    /// Follows nets to their drivers; a net that nothing drives is 0.
    fn value(&mut self, mut node: NodeId) -> Value {
        let layout = &self.program.layout;
        for _ in 0..=self.netlist.nodes.len() {
            match &self.netlist.node(node).op {
                _ if self.leaves.contains(&node) => {
                    return Value::Slot(layout.nodes[node.index()]);
                }
                Op::Constant(_) => return Value::Slot(layout.nodes[node.index()]),
                Op::Net(net) if self.is_state(net.index()) => {
                    return Value::Slot(layout.nets[net.index()]);
                }
                Op::Net(net) => match self.drivers[net.index()] {
                    Some(driver) => node = driver,
                    None => return Value::Slot(layout.zero),
                },
                Op::ZeroExtend(inner) if self.same_limbs(node, *inner) => node = *inner,
                _ => return self.folded.get(&node).copied().unwrap_or(Value::Node(node)),
            }
        }
        self.looped = true;
        Value::Slot(layout.zero)
    }

    /// Returns true if a net's value is in its own place.
    fn is_state(&self, net: usize) -> bool {
        self.ready.get(net).copied().unwrap_or(false) || self.program.is_state(NetId(net as u32))
    }

    fn same_limbs(&self, a: NodeId, b: NodeId) -> bool {
        limbs(self.netlist.node(a).width) == limbs(self.netlist.node(b).width)
    }

    fn slot(&self, value: Value) -> u32 {
        match value {
            Value::Slot(slot) => slot,
            Value::Node(node) => self.program.layout.nodes[node.index()],
        }
    }

    fn operands(&mut self, node: NodeId) -> Vec<Value> {
        self.netlist.node(node).op.operands().into_iter().map(|id| self.value(id)).collect()
    }

    fn plan(&mut self, sinks: &[Value]) {
        let order = self.order(sinks);
        self.place(&order, sinks);
        self.emit(0);
    }

    /// Nodes that the sinks need, operands first.
    fn order(&mut self, sinks: &[Value]) -> Vec<NodeId> {
        let mut order = Vec::new();
        let (mut entered, mut left) = (FxHashSet::default(), FxHashSet::default());
        let mut stack: Vec<(Value, bool)> = sinks.iter().map(|sink| (*sink, false)).collect();
        while let Some((value, done)) = stack.pop() {
            let Value::Node(node) = value else { continue };
            if done {
                left.insert(node);
                order.push(node);
            } else if entered.insert(node) {
                stack.push((value, true));
                let operands = self.operands(node);
                stack.extend(operands.into_iter().rev().map(|operand| (operand, false)));
            } else if !left.contains(&node) {
                self.looped = true;
            }
        }
        order
    }

    /// Assigns each node to the innermost region that all its uses lie in.
    fn place(&mut self, order: &[NodeId], sinks: &[Value]) {
        let mut region: FxHashMap<NodeId, usize> = FxHashMap::default();
        for sink in sinks {
            if let Value::Node(node) = sink {
                region.insert(*node, 0);
            }
        }
        let region_of = |region: &FxHashMap<NodeId, usize>, node: &NodeId| {
            region.get(node).copied().unwrap_or(0)
        };
        for node in order.iter().rev() {
            let here = region_of(&region, node);
            let uses = self.uses(*node, here);
            for (value, used_in) in uses {
                if let Value::Node(operand) = value {
                    let known = region.get(&operand);
                    let shared = known.map_or(used_in, |old| common(&self.regions, *old, used_in));
                    region.insert(operand, shared);
                }
            }
        }
        for node in order {
            let here = region_of(&region, node);
            self.regions[here].cost += self.cost(*node);
        }
        for index in (1..self.regions.len()).rev() {
            let (parent, cost) = (self.regions[index].parent, self.regions[index].cost);
            self.regions[parent].cost += cost;
        }
        for node in order {
            let here = self.kept(region_of(&region, node));
            self.regions[here].nodes.push(*node);
        }
    }

    /// A node's operands, each with the region that uses it.
    fn uses(&mut self, node: NodeId, here: usize) -> Vec<(Value, usize)> {
        let operands = self.operands(node);
        if !matches!(self.netlist.node(node).op, Op::Mux { .. }) {
            return operands.into_iter().map(|operand| (operand, here)).collect();
        }
        let branches = (self.region(here), self.region(here));
        self.branches.insert(node, branches);
        operands.into_iter().zip([here, branches.0, branches.1]).collect()
    }

    fn region(&mut self, parent: usize) -> usize {
        let depth = self.regions[parent].depth + 1;
        self.regions.push(Region { parent, depth, cost: 0, nodes: Vec::new() });
        self.regions.len() - 1
    }

    /// The innermost region around this one (or itself) that is worth its jump.
    fn kept(&self, mut region: usize) -> usize {
        while region != 0 && !self.is_worth(region) {
            region = self.regions[region].parent;
        }
        region
    }

    /// A loop rules out branches, since nodes do not stand after all their operands.
    fn is_worth(&self, region: usize) -> bool {
        let worth = if self.eager { LOOKUP } else { WORTH_A_JUMP };
        !self.looped && self.regions[region].cost >= worth
    }

    /// Limbs of work.
    fn cost(&self, node: NodeId) -> u32 {
        let can_fail = self.program.may_fail(node);
        let node = self.netlist.node(node);
        match &node.op {
            _ if can_fail => LOOKUP,
            Op::Equal(a, _) | Op::Less(a, _) | Op::LessSigned(a, _) => {
                limbs(self.netlist.node(*a).width) as u32
            }
            Op::Mul(..) | Op::Remainder(..) => 8 * limbs(node.width) as u32,
            _ => limbs(node.width) as u32,
        }
    }

    fn emit(&mut self, region: usize) {
        for node in std::mem::take(&mut self.regions[region].nodes) {
            match self.branches.get(&node).copied() {
                Some((yes, no)) if self.is_worth(yes) || self.is_worth(no) => {
                    self.emit_choice(node, yes, no);
                }
                _ => {
                    let instr = self.instr(node);
                    self.code.push(instr);
                }
            }
        }
    }

    fn emit_choice(&mut self, node: NodeId, yes: usize, no: usize) {
        let operands = self.operands(node);
        let branch = self.code.len();
        let mut jump = self.blank(Code::BranchZero, node);
        jump.a = self.slot(operands[0]);
        self.code.push(jump);
        self.emit_branch(node, yes, operands[1]);
        let end = self.code.len();
        self.code.push(self.blank(Code::Jump, node));
        self.code[branch].c = self.code.len() as u32;
        self.emit_branch(node, no, operands[2]);
        self.code[end].c = self.code.len() as u32;
    }

    fn emit_branch(&mut self, node: NodeId, region: usize, value: Value) {
        if self.is_worth(region) {
            self.emit(region);
        }
        let mut copy = self.blank(Code::Copy, node);
        copy.a = self.slot(value);
        copy.limbs_a = copy.limbs;
        if copy.limbs > 1 {
            copy.code = Code::CopyWide;
        }
        self.code.push(copy);
    }

    fn blank(&self, code: Code, node: NodeId) -> Instr {
        let width = self.netlist.node(node).width;
        let (limbs, mask) = (limbs(width) as u16, top_mask(width));
        let to = self.program.layout.nodes[node.index()];
        Instr { code, limbs, limbs_a: limbs, limbs_b: limbs, to, a: 0, b: 0, c: 0, mask }
    }

    fn instr(&mut self, node: NodeId) -> Instr {
        let op = &self.netlist.node(node).op;
        let ids = op.operands();
        let operands = self.operands(node);
        let widths: Vec<u32> = ids.iter().map(|id| self.netlist.node(*id).width).collect();
        let mut instr = self.blank(Code::Copy, node);
        let slot = |index: usize| operands.get(index).map_or(0, |value| self.slot(*value));
        (instr.a, instr.b, instr.c) = (slot(0), slot(1), slot(2));
        let limbs_of = |index: usize| widths.get(index).map_or(1, |width| limbs(*width) as u16);
        (instr.limbs_a, instr.limbs_b) = (limbs_of(0), limbs_of(1));
        let width = self.netlist.node(node).width;
        select(&mut instr, op, width, &widths);
        instr
    }

    /// Registers whose next value is another register's present one get it through a shadow.
    fn separate(&mut self, targets: &[(NetId, NodeId)], commits: &mut [Commit]) {
        let written: Vec<u32> = commits.iter().map(|commit| commit.register).collect();
        for (commit, (net, node)) in commits.iter_mut().zip(targets) {
            if written.contains(&commit.from) && commit.from != commit.register {
                let mut copy = self.blank(Code::CopyWide, *node);
                copy.a = commit.from;
                copy.to = self.program.layout.shadows[net.index()];
                copy.limbs_a = copy.limbs;
                commit.from = copy.to;
                self.code.push(copy);
            }
        }
    }
}

/// The innermost region that holds both.
fn common(regions: &[Region], mut a: usize, mut b: usize) -> usize {
    while a != b {
        if regions[a].depth >= regions[b].depth {
            a = regions[a].parent;
        } else {
            b = regions[b].parent;
        }
    }
    a
}

/// Chooses the code for an operator and fills in its third operand.
fn select(instr: &mut Instr, op: &Op, width: u32, widths: &[u32]) {
    let wide = widths.iter().any(|width| *width > 64) || width > 64;
    let unused = |width: u32| if wide { width } else { 64 - width };
    let pick = |narrow: Code, broad: Code| if wide { broad } else { narrow };
    instr.code = match op {
        Op::Constant(_) | Op::Net(_) | Op::ZeroExtend(_) => pick(Code::Copy, Code::CopyWide),
        Op::Not(_) => pick(Code::Not, Code::NotWide),
        Op::Negate(_) => pick(Code::Negate, Code::NegateWide),
        Op::And(..) => pick(Code::And, Code::AndWide),
        Op::Or(..) => pick(Code::Or, Code::OrWide),
        Op::Xor(..) => pick(Code::Xor, Code::XorWide),
        Op::Add(..) => pick(Code::Add, Code::AddWide),
        Op::Sub(..) => pick(Code::Sub, Code::SubWide),
        Op::Mul(..) => pick(Code::Mul, Code::MulWide),
        Op::Remainder(..) => pick(Code::Remainder, Code::RemainderWide),
        Op::Equal(..) => pick(Code::Equal, Code::EqualWide),
        Op::Less(..) => pick(Code::Less, Code::LessWide),
        Op::LessSigned(..) => pick(Code::LessSigned, Code::LessSignedWide),
        Op::ShiftLeft(..) => Code::ShiftLeftWide,
        Op::ShiftRight(..) => Code::ShiftRightWide,
        Op::ShiftRightSigned(..) => Code::ShiftRightSignedWide,
        Op::Slice { .. } => pick(Code::Slice, Code::SliceWide),
        Op::Concat(..) => pick(Code::Concat, Code::ConcatWide),
        Op::SignExtend(_) => pick(Code::SignExtend, Code::SignExtendWide),
        Op::Mux { .. } if width > 64 => Code::MuxWide,
        Op::Mux { .. } => Code::Mux,
        Op::Lookup { .. } => Code::Lookup,
        Op::Read { .. } => Code::Read,
    };
    match op {
        Op::Equal(..) | Op::Less(..) => instr.limbs = instr.limbs_a,
        Op::LessSigned(..) => (instr.limbs, instr.c) = (instr.limbs_a, unused(widths[0])),
        Op::ShiftLeft(..) | Op::ShiftRight(..) | Op::ShiftRightSigned(..) => instr.c = width,
        Op::Slice { low, .. } => instr.c = *low,
        Op::Concat(..) => instr.c = widths[1],
        Op::SignExtend(_) => instr.c = unused(widths[0]),
        Op::Lookup { table, .. } => instr.c = table.0,
        Op::Read { memory, .. } => instr.c = memory.0,
        _ => {}
    }
}
