//! The analysis of a region's blocks before they are compiled.

use std::collections::HashSet;
use std::sync::Arc;

use cocrypt_engine::Source;
use cocrypt_ir::{CellSet, Op, Value};

use crate::cells::WrittenCells;
use crate::homes::homed;
use crate::proof::{Check, checks};
use crate::recipe::{Part, Recipe};

/// The target of a block's fixed exit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Edge {
    /// To another member.
    Inside(usize),
    /// Out, through the slot of this number.
    Outside(usize),
}

/// A computed jump's target that is a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// The address.
    pub pc: u64,
    /// The target that leads there.
    pub reached: u64,
    /// The member.
    pub member: usize,
    /// Cycles of its entry.
    pub entry: u32,
}

/// A block of a region.
#[derive(Debug)]
pub struct Member {
    /// Its source.
    pub source: Arc<Source>,
    /// Its successors: fall-through or only one, taken.
    pub edges: [Edge; 2],
    /// The targets of its computed jump seen so far.
    pub targets: Vec<Target>,
    /// True if a loop begins here, or the region is entered, so that the limit is looked at.
    pub header: bool,
    /// True if that is done on the back edges to this block, so that what the block writes first is dead at
    /// its beginning. Else it is done at its beginning.
    pub at_edges: bool,
    /// The back edges among its edges.
    pub closes: [bool; 2],
    /// True if its computed jump is a back edge.
    pub closes_computed: bool,
    /// The treatment of its accesses, by operation.
    pub checks: Vec<Option<Check>>,
    /// The cells that may and that must be written before it begins.
    pub written: WrittenCells,
    /// The member before it, if it is not entered and there is one alone.
    pub only_predecessor: Option<usize>,
}

/// So many cells that a loop's first block writes first are worth a further jump in each turn: flags, as a
/// rule. A computed jump, as of a function that returns into a loop, takes so much longer that a few are.
const FORGOTTEN: usize = 6;
const FORGOTTEN_BEHIND_COMPUTED: usize = 3;

/// The number of guest cells that a block writes before it reads them or may be left.
fn writes_first(member: &Member, guest: &CellSet) -> usize {
    let (mut read, mut written) = (CellSet::default(), CellSet::default());
    let source = &member.source;
    let whole = source.cost.insns.iter().take_while(|cost| cost.extra.is_none()).count();
    let whole = if source.cost.lines.is_empty() { whole } else { 0 };
    let ops =
        source.block.insns[..whole].iter().flat_map(|insn| &source.block.ops[insn.ops.clone()]);
    for op in ops.take_while(|op| !op.is_access() && !matches!(op, Op::Guard { .. })) {
        for slot in op.operands().into_iter().filter_map(Value::slot) {
            read.insert(slot);
        }
        if let Some(dst) = op.dst().filter(|&dst| guest.contains(dst) && !read.contains(dst)) {
            written.insert(dst);
        }
    }
    written.iter().count()
}

/// A region, ready to be compiled.
#[derive(Debug)]
pub struct Region {
    /// Its blocks.
    pub members: Vec<Member>,
    /// The members that it can be entered at.
    pub entries: Vec<usize>,
    /// Cells to load where it begins.
    pub needed: CellSet,
    /// Cells that are in memory between blocks.
    pub homed: CellSet,
    /// Cycles that may pass at most from one look at the limit to the next.
    pub slack: u64,
}

impl Region {
    /// Analyses the region of a description.
    pub fn new(Recipe { machine, parts }: &Recipe) -> Self {
        let loops = Loops::find(parts);
        let entries = loops.entries();
        let mut members: Vec<Member> = (0..parts.len())
            .map(|number| {
                let checks = checks(
                    &parts[number].source,
                    &machine.guest,
                    &parts[number].hints,
                    &machine.fixed,
                );
                member(parts, number, &loops, checks)
            })
            .collect();
        find_predecessors(&mut members, &entries);
        let computed = closed_by_computed(&members);
        for (number, member) in members.iter_mut().enumerate() {
            let is_computed = computed.contains(&number);
            let least = if is_computed { FORGOTTEN_BEHIND_COMPUTED } else { FORGOTTEN };
            member.at_edges = writes_first(member, &machine.guest) >= least;
        }
        let needed = find_written(&mut members, &entries, &machine.guest);
        let slack =
            members.iter().map(|member| member.source.longest(machine.fixed.longest_wait)).sum();
        let homed = homed(&members, &machine.guest);
        Self { members, entries, needed: needed.without(&homed), homed, slack }
    }
}

fn member(parts: &[Part], number: usize, loops: &Loops, checks: Vec<Option<Check>>) -> Member {
    let Part { source, edges, targets, .. } = &parts[number];
    let target = |&member: &usize| {
        let Source { block, reached, cost, .. } = &*parts[member].source;
        Target { pc: block.start, reached: *reached, member, entry: cost.entry }
    };
    Member {
        source: Arc::clone(source),
        edges: *edges,
        targets: targets.iter().map(target).collect(),
        header: loops.headers[number],
        at_edges: false,
        closes: loops.closes[number],
        closes_computed: loops.closes_computed[number],
        checks,
        written: WrittenCells::unreached(),
        only_predecessor: None,
    }
}

fn successors(member: &Member) -> impl Iterator<Item = usize> + '_ {
    numbered_successors(member).map(|(_, to)| to)
}

/// The successors of a member, each with the number of its edge unless it is computed.
pub fn numbered_successors(member: &Member) -> impl Iterator<Item = (Option<usize>, usize)> + '_ {
    let fixed = member.edges.iter().enumerate().filter_map(|(link, edge)| match edge {
        Edge::Inside(member) => Some((Some(link), *member)),
        Edge::Outside(_) => None,
    });
    fixed.chain(member.targets.iter().map(|target| (None, target.member)))
}

/// The loops of a region, as its edges make them.
pub struct Loops {
    /// True for the first block, for each at which a loop begins, and for each target of a computed jump: the limit is
    /// looked at in or before all of them, so that no path from region to region avoids it, and the region can be
    /// entered there.
    headers: Vec<bool>,
    /// The back edges among the edges of each block; each cycle of blocks holds one.
    closes: Vec<[bool; 2]>,
    /// True if a block's computed jump is a back edge.
    closes_computed: Vec<bool>,
}

impl Loops {
    /// Follows the edges of a region's blocks.
    pub fn find(parts: &[Part]) -> Self {
        let count = parts.len();
        let mut loops = Self {
            headers: vec![false; count],
            closes: vec![[false; 2]; count],
            closes_computed: vec![false; count],
        };
        loops.mark(&parts.iter().map(edges_of).collect::<Vec<_>>());
        for &target in parts.iter().flat_map(|part| &part.targets) {
            loops.headers[target] = true;
        }
        loops
    }

    /// Follows all edges from the first block, depth first.
    fn mark(&mut self, next: &[Vec<(Option<usize>, usize)>]) {
        let (mut open, mut seen) = (vec![false; next.len()], vec![false; next.len()]);
        let mut stack = vec![(0, 0)];
        self.headers[0] = true;
        (open[0], seen[0]) = (true, true);
        while let Some((at, next_edge)) = stack.last_mut() {
            let Some(&(link, to)) = next[*at].get(*next_edge) else {
                open[*at] = false;
                stack.pop();
                continue;
            };
            *next_edge += 1;
            if open[to] {
                self.headers[to] = true;
                match link {
                    Some(link) => self.closes[*at][link] = true,
                    None => self.closes_computed[*at] = true,
                }
            } else if !seen[to] {
                (open[to], seen[to]) = (true, true);
                stack.push((to, 0));
            }
        }
    }

    /// The members to enter at.
    pub fn entries(&self) -> Vec<usize> {
        (0..self.headers.len()).filter(|&member| self.headers[member]).collect()
    }
}

/// The members that a block's edges lead to, each with the number of its edge unless it is computed.
fn edges_of(part: &Part) -> Vec<(Option<usize>, usize)> {
    let fixed = part.edges.iter().enumerate().filter_map(|(link, edge)| match edge {
        Edge::Inside(member) => Some((Some(link), *member)),
        Edge::Outside(_) => None,
    });
    fixed.chain(part.targets.iter().map(|&target| (None, target))).collect()
}

/// The loops that a computed jump closes.
fn closed_by_computed(members: &[Member]) -> HashSet<usize> {
    let closing = members.iter().filter(|member| member.closes_computed);
    closing.flat_map(|member| member.targets.iter().map(|target| target.member)).collect()
}

/// Notes the members that paths do not meet at.
fn find_predecessors(members: &mut [Member], entries: &[usize]) {
    let mut before = vec![vec![]; members.len()];
    for (number, member) in members.iter().enumerate() {
        successors(member).for_each(|to| before[to].push(number));
    }
    for (number, member) in members.iter_mut().enumerate() {
        if let [only] = before[number][..]
            && !entries.contains(&number)
        {
            member.only_predecessor = Some(only);
        }
    }
}

/// Solves the data-flow problem of written cells; returns the cells that are live where the region begins.
fn find_written(members: &mut [Member], entries: &[usize], guest: &CellSet) -> CellSet {
    for &entry in entries {
        members[entry].written = WrittenCells::nothing();
    }
    let mut pending = entries.to_vec();
    while let Some(at) = pending.pop() {
        let member = &members[at];
        let behind = member.written.through(&member.source, guest, &mut CellSet::default());
        for to in successors(member).collect::<Vec<_>>() {
            let met = members[to].written.meet(&behind);
            if met != members[to].written {
                members[to].written = met;
                pending.push(to);
            }
        }
    }
    let mut needed = CellSet::default();
    for member in members.iter() {
        member.written.through(&member.source, guest, &mut needed);
    }
    needed
}
