//! The choice of a region's blocks: as far as the interpreter has run them, or as an earlier run recorded it.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::sync::Arc;

use cocrypt_engine::{Blocks, LruTags, ObservedMemory, ResidentMap, Source};
use cocrypt_ir::{Binary, Exit, Op, Width};
use cocrypt_isa::Caches;

use crate::proof::Hints;
use crate::recipe::{Machine, Part, Recipe};
use crate::record::{RecordedPart, RecordedRegion};
use crate::region::{Edge, Loops};

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

    /// Notes what a region's hints say.
    pub fn note(&mut self, choice: &Choice) {
        for (part, &block) in choice.recipe.parts.iter().zip(&choice.blocks) {
            if part.hints.mispredicted {
                self.note_mispredicted(block);
            }
            if !part.hints.shared {
                self.note_plain(block);
            }
        }
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

/// The choice of a region: its description, with what its code does not depend on.
#[derive(Debug)]
pub struct Choice {
    /// The description.
    pub recipe: Recipe,
    /// The blocks' numbers in the engine.
    pub blocks: Vec<u32>,
    /// The members that it can be entered at: the block that it was chosen for, loops, and where
    /// computed jumps lead.
    pub entries: Vec<usize>,
    /// Number of slots.
    pub slots: usize,
    /// Blocks to which it leads out, since much code of other regions follows, and where those cannot be entered:
    /// regions should begin there.
    pub wanted: Vec<u32>,
}

impl Choice {
    /// The region that an earlier run had, whose blocks have these numbers by now.
    pub fn recorded(
        blocks: &Blocks<'_>,
        RecordedRegion { parts }: &RecordedRegion,
        numbers: &[Option<u32>],
        machine: &Machine,
    ) -> Option<Self> {
        let numbered = parts.iter().map(|part| numbers[part.block as usize]);
        let chosen: Vec<u32> = numbered.collect::<Option<_>>()?;
        let mut slots = 0;
        let part = |(recorded, &index): (&RecordedPart, &u32)| {
            let source = Arc::clone(blocks.source(index));
            let inside = |link: usize| match recorded.edges[link] {
                Edge::Inside(member) => Some(member),
                Edge::Outside(_) => None,
            };
            let links = blocks.links(index);
            let leads =
                |link| inside(link).is_none_or(|member| links[link] == Some(chosen[member]));
            let is_sound = leads(0) && leads(1) && is_compilable(&source);
            let edges = edges(&source, inside, &mut slots);
            let (targets, hints) = (recorded.targets.clone(), recorded.hints);
            is_sound.then_some(Part { source, edges, targets, hints })
        };
        let parts: Vec<Part> = parts.iter().zip(&chosen).map(part).collect::<Option<_>>()?;
        let entries = Loops::find(&parts).entries();
        let recipe = Recipe { machine: *machine, parts };
        Some(Self { recipe, blocks: chosen, entries, slots, wanted: vec![] })
    }

    /// Returns true if another region of the same blocks would be compiled to the same code.
    pub fn is_like(&self, other: &Self) -> bool {
        let is_same = |(a, b): (&Part, &Part)| {
            (a.edges, &a.targets, a.hints) == (b.edges, &b.targets, b.hints)
        };
        let mut parts = self.recipe.parts.iter().zip(&other.recipe.parts);
        self.blocks == other.blocks && parts.all(is_same)
    }

    /// The same for the next run, with the place of each block in its record.
    pub fn record(&self, places: &[Option<u32>]) -> Option<RecordedRegion> {
        let part = |(part, &block): (&Part, &u32)| {
            let Part { edges, targets, hints, .. } = part;
            let block = places[block as usize]?;
            Some(RecordedPart { block, edges: *edges, targets: targets.clone(), hints: *hints })
        };
        let parts = self.recipe.parts.iter().zip(&self.blocks).map(part);
        Some(RecordedRegion { parts: parts.collect::<Option<_>>()? })
    }

    /// The region that begins with block `head`; nothing if the block itself cannot be compiled.
    pub fn new(
        blocks: &Blocks<'_>,
        head: u32,
        (machine, sharing): (&Machine, Sharing),
        feedback: &Feedback,
        elsewhere: impl Fn(u32) -> Elsewhere,
    ) -> Option<Self> {
        let Gathered { chosen, wanted } = gather(blocks, head, sharing, elsewhere)?;
        let position: HashMap<u32, usize> =
            chosen.iter().enumerate().map(|(position, &index)| (index, position)).collect();
        let mut slots = 0;
        let part = |&index: &u32| {
            let mut seen = blocks.seen(index);
            if machine.calls_for_rom() {
                seen = ObservedMemory { rom: 0, elsewhere: seen.elsewhere | seen.rom };
            }
            part(blocks, index, &position, feedback.hints(index, seen), &mut slots)
        };
        let parts: Vec<Part> = chosen.iter().map(part).collect();
        let entries = Loops::find(&parts).entries();
        let recipe = Recipe { machine: *machine, parts };
        Some(Self { recipe, blocks: chosen, entries, slots, wanted })
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

fn part(
    blocks: &Blocks<'_>,
    index: u32,
    position: &HashMap<u32, usize>,
    hints: Hints,
    slots: &mut usize,
) -> Part {
    let source = Arc::clone(blocks.source(index));
    let links = blocks.links(index);
    let inside = |link: usize| position.get(&links[link]?).copied();
    let edges = edges(&source, inside, slots);
    let targets = blocks.targets(index).filter_map(|target| position.get(&target).copied());
    Part { source, edges, targets: targets.collect(), hints }
}

/// The edges of a block, by the members that its links lead to. Each one that leads out has a slot.
fn edges(source: &Source, inside: impl Fn(usize) -> Option<usize>, slots: &mut usize) -> [Edge; 2] {
    let count = match source.block.exit {
        Exit::Branch { .. } => 2,
        Exit::Indirect { .. } | Exit::Yield { .. } | Exit::Stop(_) => 0,
        Exit::Next { .. } | Exit::Jump { .. } | Exit::YieldIf { .. } => 1,
    };
    [0, 1].map(|link| match inside(link) {
        Some(member) => Edge::Inside(member),
        None if link < count => {
            *slots += 1;
            Edge::Outside(*slots - 1)
        }
        None => Edge::Outside(usize::MAX),
    })
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
