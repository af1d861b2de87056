//! The control-flow graph of the code that ran, and shortest paths from an instruction back to itself.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use cocrypt_ir::{Exit, Transfer, Value};

use crate::cache::{Cache, Translated};

/// The successors of each instruction of the blocks that ran.
#[derive(Default)]
struct FlowGraph {
    next: BTreeMap<u64, BTreeSet<u64>>,
    /// Returns, with the function that they end.
    returns: Vec<(u64, usize)>,
    /// The instruction behind each call, by the function that it leads to.
    behind: BTreeMap<usize, BTreeSet<u64>>,
}

impl FlowGraph {
    fn of(cache: &Cache, boundaries: &[u64]) -> Self {
        let function = |address: u64| boundaries.partition_point(|&start| start <= address);
        let mut graph = Self::default();
        for block in &cache.blocks {
            graph.add(block, &cache.blocks, function);
        }
        for (at, ended) in std::mem::take(&mut graph.returns) {
            let behind = graph.behind.get(&ended).cloned().unwrap_or_default();
            graph.next.entry(at).or_default().extend(behind);
        }
        graph
    }

    fn add(&mut self, block: &Translated, all: &[Translated], function: impl Fn(u64) -> usize) {
        let source = &block.source.block;
        for pair in source.insns.windows(2) {
            self.next.entry(pair[0].pc).or_default().insert(pair[1].pc);
        }
        let Some(last) = source.insns.last() else { return };
        let (at, end) = (last.pc, last.pc + u64::from(last.length));
        if matches!(source.exit, Exit::Indirect { .. }) && source.transfer == Transfer::Return {
            self.returns.push((at, function(at)));
            return;
        }
        let targets: Vec<u64> = match source.exit {
            Exit::Next { pc }
            | Exit::Yield { target: Value::Const(pc) }
            | Exit::YieldIf { next: pc, .. } => vec![pc],
            Exit::Jump { target } => vec![target],
            Exit::Branch { taken, next, .. } => vec![taken, next],
            Exit::Indirect { .. } | Exit::Yield { .. } => block
                .targets
                .iter()
                .filter_map(|&index| all.get(index as usize))
                .map(|block| block.start)
                .collect(),
            Exit::Stop(_) => vec![],
        };
        if source.transfer == Transfer::Call {
            for &target in &targets {
                self.behind.entry(function(target)).or_default().insert(end);
            }
        }
        self.next.entry(at).or_default().extend(targets);
    }

    /// The instructions of the shortest path from one back to itself.
    fn round(&self, from: u64) -> Option<Vec<u64>> {
        let mut before: BTreeMap<u64, u64> = BTreeMap::new();
        let mut open = VecDeque::from([from]);
        while let Some(at) = open.pop_front() {
            for &next in self.next.get(&at).into_iter().flatten() {
                before.entry(next).or_insert_with(|| {
                    open.push_back(next);
                    at
                });
            }
        }
        let mut path = vec![from];
        let mut at = *before.get(&from)?;
        while at != from {
            path.push(at);
            at = before[&at];
        }
        Some(path)
    }
}

/// The functions, by where they begin, that the shortest path from each of these instructions back to
/// itself leads through; nothing where none is known.
pub fn functions_of_turns(
    cache: &Cache,
    boundaries: &[u64],
    from: &[u64],
) -> Vec<Option<BTreeSet<u64>>> {
    // Most programs wait for nothing, and the graph takes longer than a short run.
    if from.is_empty() {
        return vec![];
    }
    let graph = FlowGraph::of(cache, boundaries);
    let start = |address: u64| {
        let number = boundaries.partition_point(|&start| start <= address);
        number.checked_sub(1).map_or(0, |number| boundaries[number])
    };
    let round = |&at: &u64| Some(graph.round(at)?.into_iter().map(start).collect());
    from.iter().map(round).collect()
}
