//! The choice of a region's blocks, and their analysis before they are compiled.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::sync::Arc;

use cocrypt_engine::{Blocks, Fixed, LruTags, ObservedMemory, ResidentMap, Source};
use cocrypt_ir::{Binary, CellSet, Exit, Op, Value, Width};
use cocrypt_isa::Caches;

use crate::cells::WrittenCells;
use crate::homes::homed;
use crate::proof::{Check, Hints, checks};

/// Blocks in a region at most.
const BLOCKS: usize = 192;
/// The factor by which a block may have run less often than a region's first and still belong to it.
const COOLER: u32 = 32;
/// Instructions in a region at most.
const INSTRUCTIONS: usize = 2500;
/// Instructions at most of code that is small enough to be compiled again with what leads there.
const SMALL: usize = 200;
/// Instructions at most of all such code in a region.
const SHARED: usize = 800;

/// The code of other regions that a region may have, too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sharing {
    /// Small functions are compiled with the loops that call them; large ones once, and their callers jump there.
    #[default]
    Small,
    /// None: where code of another region begins, a region ends. Small programs can try that out.
    Nothing,
}

/// The target of a block's fixed exit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// Its number in the engine.
    pub index: u32,
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

/// The machine that regions are compiled for.
#[derive(Clone, Copy, Debug)]
pub struct Machine {
    /// Its constants.
    pub fixed: Fixed,
    /// Its guest state.
    pub guest: CellSet,
    /// True if what is spent is counted.
    pub profile: bool,
    /// The code that several regions may have.
    pub sharing: Sharing,
}

impl Machine {
    /// Returns true if what is read from the memory that is only read is left to calls: where a data cache
    /// is not for both memories, unless compiled code finds that memory's lines, or a profile wants to know
    /// which instruction waited longer.
    fn calls_for_rom(&self) -> bool {
        let Caches { data, data_of_rom, .. } = self.fixed.caches;
        let finds = |shape: &_| LruTags::suits(shape) || ResidentMap::suits(shape);
        let waits = self.fixed.rom.is_some_and(|rom| rom.more != 0);
        data.is_some_and(|shape| !(data_of_rom && finds(&shape))) || self.profile && waits
    }
}

/// Feedback from the exits of compiled code.
#[derive(Debug, Default)]
pub struct Feedback {
    /// Blocks whose accesses are checked one by one.
    plain: HashSet<u32>,
    /// Blocks with [`Hints::mispredicted`].
    mispredicted: HashSet<u32>,
}

impl Feedback {
    /// Notes that a block's accesses often do not lie where a check of several at once asks them to.
    pub fn note_plain(&mut self, block: u32) {
        self.plain.insert(block);
    }

    /// Notes that what a block reads did not lie in the memory that is only read.
    pub fn note_mispredicted(&mut self, block: u32) {
        self.mispredicted.insert(block);
    }

    /// Forgets all blocks.
    pub fn clear(&mut self) {
        self.plain.clear();
        self.mispredicted.clear();
    }

    fn hints(&self, block: u32, seen: ObservedMemory) -> Hints {
        let [mispredicted, plain] =
            [&self.mispredicted, &self.plain].map(|blocks| blocks.contains(&block));
        Hints { seen, mispredicted, shared: !plain }
    }
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

/// The presence of a block in other regions, compiled or being compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elsewhere {
    /// In none.
    Absent,
    /// Within a region, which cannot be entered there.
    Within,
    /// An entry of a region.
    Entry,
}

/// A region, ready to be compiled.
#[derive(Debug)]
pub struct Region {
    /// Its blocks.
    pub members: Vec<Member>,
    /// The members that it can be entered at: the block that it was chosen for, loops, and where
    /// computed jumps lead.
    pub entries: Vec<usize>,
    /// Cells to load where it begins.
    pub needed: CellSet,
    /// Cells that are in memory between blocks.
    pub homed: CellSet,
    /// Cycles that may pass at most from one look at the limit to the next.
    pub slack: u64,
    /// Number of slots.
    pub slots: usize,
    /// Blocks to which it leads out, since much code of other regions follows, and where those cannot be entered:
    /// regions should begin there.
    pub wanted: Vec<u32>,
}

impl Region {
    /// The region that begins with block `head`; nothing if the block itself cannot be compiled.
    pub fn choose(
        blocks: &Blocks<'_>,
        head: u32,
        machine: &Machine,
        feedback: &Feedback,
        elsewhere: impl Fn(u32) -> Elsewhere,
    ) -> Option<Self> {
        let Gathered { chosen, wanted } = gather(blocks, head, machine.sharing, elsewhere)?;
        let position: HashMap<u32, usize> =
            chosen.iter().enumerate().map(|(position, &index)| (index, position)).collect();
        let mut slots = 0;
        let mut members: Vec<Member> =
            chosen.iter().map(|&index| member(blocks, index, &position, &mut slots)).collect();
        for member in &mut members {
            let mut seen = blocks.seen(member.index);
            if machine.calls_for_rom() {
                seen = ObservedMemory { rom: 0, elsewhere: seen.elsewhere | seen.rom };
            }
            let hints = feedback.hints(member.index, seen);
            member.checks = checks(&member.source, &machine.guest, &hints, &machine.fixed);
        }
        let entries = find_entries(&mut members);
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
        Some(Self { members, entries, needed: needed.without(&homed), homed, slack, slots, wanted })
    }
}

/// Blocks for a region, and those at which others should begin.
struct Gathered {
    chosen: Vec<u32>,
    wanted: Vec<u32>,
}

/// The blocks that can be reached from `head`, the hottest of them first, as far as they were seen to
/// be and are not far cooler, without much code that other regions have.
fn gather(
    blocks: &Blocks<'_>,
    head: u32,
    sharing: Sharing,
    elsewhere: impl Fn(u32) -> Elsewhere,
) -> Option<Gathered> {
    if !is_compilable(blocks.source(head)) {
        return None;
    }
    let most = blocks.heat(head);
    let coolest = most / COOLER;
    let (mut chosen, mut wanted) = (vec![], vec![]);
    let mut met = HashSet::from([head]);
    let mut frontier = BinaryHeap::from([(u32::MAX, Reverse(0), head)]);
    // A region that begins within others, or is compiled again, has what follows there, too.
    let is_known = elsewhere(head) != Elsewhere::Absent;
    let (mut instructions, mut shared) = (0, 0);
    while let Some((.., index)) = frontier.pop() {
        let size = blocks.source(index).block.insns.len();
        let presence = elsewhere(index);
        let is_own = index == head || is_known && presence == Elsewhere::Within;
        if presence != Elsewhere::Absent && !is_own {
            let is_too_much = shared + size > SHARED || is_large(blocks, index);
            if sharing == Sharing::Nothing || is_too_much {
                wanted.extend((presence == Elsewhere::Within).then_some(index));
                continue;
            }
            shared += size;
        }
        instructions += size;
        if chosen.len() == BLOCKS || instructions > INSTRUCTIONS && !chosen.is_empty() {
            break;
        }
        chosen.push(index);
        let links = blocks.links(index).into_iter().flatten();
        for link in links.chain(blocks.targets(index)) {
            let times = blocks.heat(link);
            if times >= coolest && is_compilable(blocks.source(link)) && met.insert(link) {
                // The interpreter counts for as long as other regions are being compiled, so that higher numbers
                // depend on how long that takes, and kept code would not be found again.
                frontier.push((times.min(most), Reverse(met.len()), link));
            }
        }
    }
    chosen[1..].sort_unstable();
    Some(Gathered { chosen, wanted })
}

/// Returns true if much code follows a block without a computed jump, as of a large function.
fn is_large(blocks: &Blocks<'_>, first: u32) -> bool {
    let (mut met, mut open, mut instructions) = (HashSet::from([first]), vec![first], 0);
    while let Some(index) = open.pop() {
        instructions += blocks.source(index).block.insns.len();
        if instructions > SMALL {
            return true;
        }
        let links = blocks.links(index).into_iter().flatten();
        open.extend(links.filter(|&link| met.insert(link)));
    }
    false
}

fn member(
    blocks: &Blocks<'_>,
    index: u32,
    position: &HashMap<u32, usize>,
    slots: &mut usize,
) -> Member {
    let source = Arc::clone(blocks.source(index));
    let count = match source.block.exit {
        Exit::Branch { .. } => 2,
        Exit::Indirect { .. } | Exit::Yield { .. } | Exit::Stop(_) => 0,
        Exit::Next { .. } | Exit::Jump { .. } | Exit::YieldIf { .. } => 1,
    };
    let links = blocks.links(index);
    let mut edge = |link: usize| match links[link].and_then(|link| position.get(&link)) {
        Some(&member) => Edge::Inside(member),
        None if link < count => {
            *slots += 1;
            Edge::Outside(*slots - 1)
        }
        None => Edge::Outside(usize::MAX),
    };
    let edges = [edge(0), edge(1)];
    let target = |target: u32| {
        let source = blocks.source(target);
        let (pc, reached, entry) = (source.block.start, source.reached, source.cost.entry);
        position.get(&target).map(|&member| Target { pc, reached, member, entry })
    };
    let targets = blocks.targets(index).filter_map(target).collect();
    Member {
        index,
        source,
        edges,
        targets,
        header: false,
        at_edges: false,
        closes: [false; 2],
        closes_computed: false,
        checks: vec![],
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

/// Marks loop headers (the first block and every target of a back edge) and the back edges, of which each
/// cycle of blocks holds one.
fn mark_headers(members: &mut [Member]) {
    let next: Vec<Vec<_>> =
        members.iter().map(|member| numbered_successors(member).collect()).collect();
    let (mut open, mut seen) = (vec![false; members.len()], vec![false; members.len()]);
    let mut stack = vec![(0, 0)];
    members[0].header = true;
    (open[0], seen[0]) = (true, true);
    while let Some((at, next_edge)) = stack.last_mut() {
        let Some(&(link, to)) = next[*at].get(*next_edge) else {
            open[*at] = false;
            stack.pop();
            continue;
        };
        *next_edge += 1;
        if open[to] {
            members[to].header = true;
            match link {
                Some(link) => members[*at].closes[link] = true,
                None => members[*at].closes_computed = true,
            }
        } else if !seen[to] {
            (open[to], seen[to]) = (true, true);
            stack.push((to, 0));
        }
    }
}

/// The loops that a computed jump closes.
fn closed_by_computed(members: &[Member]) -> HashSet<usize> {
    let closing = members.iter().filter(|member| member.closes_computed);
    closing.flat_map(|member| member.targets.iter().map(|target| target.member)).collect()
}

/// The members to enter at. The limit is looked at in or before all of them, so that no path from region
/// to region avoids it.
fn find_entries(members: &mut [Member]) -> Vec<usize> {
    mark_headers(members);
    let computed: Vec<usize> = members
        .iter()
        .flat_map(|member| member.targets.iter().map(|target| target.member))
        .collect();
    for member in computed {
        members[member].header = true;
    }
    (0..members.len()).filter(|&member| members[member].header).collect()
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

/// Returns true if every operation of a block can be compiled.
fn is_compilable(source: &Source) -> bool {
    let ends_outside = matches!(source.block.exit, Exit::Yield { .. } | Exit::Stop(_));
    !ends_outside && source.block.ops.iter().all(has_code)
}

fn has_code(op: &Op) -> bool {
    match *op {
        Op::Binary {
            op: Binary::MulHighMixed | Binary::CarrylessMul | Binary::CarrylessMulHigh,
            width,
            ..
        } => width == Width::W32,
        Op::Load { width, .. } | Op::Store { width, .. } => width != Width::W64,
        Op::Binary { .. }
        | Op::Unary { .. }
        | Op::Compare { .. }
        | Op::Move { .. }
        | Op::Select { .. }
        | Op::Guard { .. }
        | Op::Count { .. } => true,
    }
}
