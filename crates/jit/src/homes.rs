//! The cells that a region has in memory between blocks, rather than in the host's registers.
//!
//! A region that works on more cells than the host has registers would have most of them in its frame, where each new
//! value is stored, and moved again where paths meet. Those that cost least there stay in the file of cells instead: a
//! block loads what it reads, and stores what it wrote when it ends. Between them no register is taken, and exits have
//! nothing to store, so that the region is also compiled sooner.

use std::cmp::Reverse;
use std::collections::HashSet;

use cocrypt_ir::{CellSet, Op, Slot, Value};

use crate::deferred::CELLS;
use crate::region::{Member, numbered_successors};

/// Cells that are in registers across blocks at most. Hosts need the others for addresses, counters, and what a block
/// computes. Of 0 to 11 on x86-64, 4 was the fastest on average over kernels and benches/suite.py; hosts with 16 more
/// registers were not measured.
const IN_REGISTERS: usize = if cfg!(target_arch = "x86_64") { 4 } else { 20 };
/// The factor by which a loop's blocks run more often than those around it, as far as is known here. What the
/// interpreter counted would differ from run to run, and kept code would not be found.
const DEEPER: u64 = 8;
/// Loops in one another that are told apart.
const DEEPEST: u32 = 6;

/// The loads and stores that a cell would take in memory.
#[derive(Clone, Copy, Debug, Default)]
struct Cost {
    loads: u64,
    stores: u64,
}

impl Cost {
    const fn total(self) -> u64 {
        self.loads + self.stores
    }

    /// Returns true if most blocks overwrite the cell, as they do flags: it is dead between them, and only exits compute
    /// it.
    const fn is_dead(self) -> bool {
        2 * self.loads < self.stores
    }
}

/// The cells that are in memory between blocks.
pub fn homed(members: &[Member], guest: &CellSet) -> CellSet {
    let edges = members.iter().enumerate().flat_map(|(number, member)| {
        numbered_successors(member).map(move |(link, to)| Edge {
            from: number,
            to,
            closes: link.map_or(member.closes_computed, |link| member.closes[link]),
        })
    });
    let edges: Vec<_> = edges.collect();
    let mut costs = [Cost::default(); CELLS];
    for (member, depth) in members.iter().zip(depths(&edges, members.len())) {
        let weight = DEEPER.pow(depth.min(DEEPEST));
        let (read, written) = first_uses(member);
        read.iter().for_each(|slot| costs[usize::from(slot.0)].loads += weight);
        written.iter().for_each(|slot| costs[usize::from(slot.0)].stores += weight);
    }
    cheapest(guest.iter().map(|slot| (slot, costs[usize::from(slot.0)])))
}

/// All cells but the few that would cost most in memory.
fn cheapest(costs: impl Iterator<Item = (Slot, Cost)>) -> CellSet {
    let mut ranked: Vec<_> =
        costs.filter(|(_, cost)| cost.total() != 0 && !cost.is_dead()).collect();
    ranked.sort_by_key(|&(_, cost)| Reverse(cost.total()));
    let mut homed = CellSet::default();
    ranked.iter().skip(IN_REGISTERS).for_each(|&(slot, _)| homed.insert(slot));
    homed
}

/// The cells that a block reads before it writes them, and those that it writes.
fn first_uses(member: &Member) -> (CellSet, CellSet) {
    let (mut read, mut written) = (CellSet::default(), CellSet::default());
    let block = &member.source.block;
    let mut guarded = 0;
    for op in &block.ops {
        note_read(&op.operands(), &written, &mut read);
        if let Some(dst) = op.dst() {
            if guarded != 0 {
                // The older value is there if the operation is skipped.
                note_read(&[Value::Slot(dst)], &written, &mut read);
            }
            written.insert(dst);
        }
        guarded = match op {
            Op::Guard { ops, .. } => guarded.max(*ops),
            _ => u16::saturating_sub(guarded, 1),
        };
    }
    note_read(&block.exit.operands(), &written, &mut read);
    (read, written)
}

fn note_read(operands: &[Value], written: &CellSet, read: &mut CellSet) {
    let slots = operands.iter().filter_map(|value| value.slot());
    slots.filter(|&slot| !written.contains(slot)).for_each(|slot| read.insert(slot));
}

/// A path from member to member.
#[derive(Clone, Copy)]
struct Edge {
    from: usize,
    to: usize,
    /// True if it leads back to a loop's beginning.
    closes: bool,
}

/// The number of loops that each member is in.
fn depths(edges: &[Edge], members: usize) -> Vec<u32> {
    let mut before = vec![vec![]; members];
    let mut closing = vec![vec![]; members];
    for edge in edges {
        before[edge.to].push(edge.from);
        if edge.closes {
            closing[edge.to].push(edge.from);
        }
    }
    let mut depths = vec![0; members];
    for (first, mut open) in closing.into_iter().enumerate().filter(|(_, last)| !last.is_empty()) {
        let mut body = HashSet::from([first]);
        while let Some(number) = open.pop() {
            if body.insert(number) {
                open.extend(&before[number]);
            }
        }
        for number in body {
            depths[number] += 1;
        }
    }
    depths
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(from: usize, to: usize) -> Edge {
        Edge { from, to, closes: to <= from }
    }

    #[test]
    fn a_loop_in_a_loop_is_deeper() {
        let edges = [edge(0, 1), edge(1, 2), edge(2, 3), edge(3, 2), edge(3, 1), edge(3, 4)];
        assert_eq!(depths(&edges, 5), [0, 1, 2, 2, 0]);
        let alone = [edge(0, 1), edge(1, 1)];
        assert_eq!(depths(&alone, 2), [0, 1]);
    }

    #[test]
    fn few_cells_are_not_in_memory() {
        let cost = |number: u16| (Slot(number), Cost { loads: number.into(), stores: 1 });
        let few = 2..2 + IN_REGISTERS as u16;
        assert_eq!(cheapest(few.clone().map(cost)), CellSet::default());
        let flag = (Slot(200), Cost { loads: 0, stores: 1 });
        let unused = (Slot(201), Cost::default());
        let homed = cheapest([cost(1), flag, unused].into_iter().chain(few.map(cost)));
        assert_eq!(homed.iter().collect::<Vec<_>>(), [Slot(1)]);
    }
}
