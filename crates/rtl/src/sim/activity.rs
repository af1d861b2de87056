//! Toggle counts of registers' and operators' bits, for power models.
//!
//! Counted are registers, and every operator that drives something in a cycle, both branches of choices
//! included, since hardware computes both. What only takes bits from one place to another is none.

use super::plan::Plan;
use super::{Simulator, run};
use crate::bits::limbs;
use crate::{Activity, NetId, NetKind, NodeId, Op};

/// The changes of a bit that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Toggling {
    /// All.
    Both,
    /// From 0 to 1.
    Rising,
}

/// Something whose bits are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// A register.
    Register(NetId),
    /// An operator.
    Operator(NodeId),
}

/// The counters.
#[derive(Clone, Debug)]
pub(super) struct Counting {
    toggling: Toggling,
    /// The nets that are counted: where its value is, its limbs and its bits.
    counted: Vec<(Counted, u32, u32, u32)>,
    /// All values as they were in the cycle before.
    previous: Vec<u64>,
    /// Of each counted thing: bits that toggled in the present cycle, and that are 1. Nothing of what
    /// drives nothing.
    toggles: Vec<u32>,
    ones: Vec<Option<u32>>,
    /// The cycle that this is about.
    cycle: Option<u64>,
}

impl Simulator {
    /// Counts what bits do from now on.
    pub fn count_activity(&mut self, toggling: Toggling) {
        let netlist = &self.program.netlist;
        let mut counted = Vec::new();
        for (index, net) in netlist.nets.iter().enumerate() {
            if net.kind == NetKind::Register {
                let (slot, words) = (self.program.layout.nets[index], limbs(net.width) as u32);
                counted.push((Counted::Register(NetId(index as u32)), slot, words, net.width));
            }
        }
        for (index, node) in netlist.nodes.iter().enumerate() {
            if is_operator(&node.op) {
                let (slot, words) = (self.program.layout.nodes[index], limbs(node.width) as u32);
                counted.push((Counted::Operator(NodeId(index as u32)), slot, words, node.width));
            }
        }
        let (toggles, ones) = (vec![0; counted.len()], vec![None; counted.len()]);
        let previous = self.arena.clone();
        self.counting = Some(Counting { toggling, counted, previous, toggles, ones, cycle: None });
        // Plans that leave out what is not chosen are of no use any more.
        self.plans.clear();
        self.known.clear();
        self.planned = 0;
        self.chosen = None;
    }

    /// The nets that are counted, in the order of [`Simulator::toggles`].
    #[must_use]
    pub fn counted(&self) -> Vec<Counted> {
        let counting = self.counting.iter().flat_map(|counting| &counting.counted);
        counting.map(|counted| counted.0).collect()
    }

    /// Of everything that is counted: how many of its bits toggled in the present cycle.
    pub fn toggles(&mut self) -> &[u32] {
        self.count();
        self.counting.as_ref().map_or(&[], |counting| &counting.toggles)
    }

    /// A figure about the bits of the present cycle, where they are counted.
    pub fn activity(&mut self, activity: Activity) -> Option<u64> {
        self.count();
        let counting = self.counting.as_ref()?;
        let ones = counting.ones.iter().flatten().map(|ones| u64::from(*ones));
        Some(match activity {
            Activity::Toggles => counting.toggles.iter().map(|toggles| u64::from(*toggles)).sum(),
            Activity::Ones => ones.sum(),
            Activity::Zeroes => {
                let evaluated = counting.counted.iter().zip(&counting.ones);
                let bits = evaluated.filter(|(_, ones)| ones.is_some());
                bits.map(|(counted, _)| u64::from(counted.3)).sum::<u64>() - ones.sum::<u64>()
            }
        })
    }

    /// Computes the present cycle, and compares it with the one before.
    pub(super) fn count(&mut self) {
        let cycle = Some(self.cycle);
        if self.counting.as_ref().is_none_or(|counting| counting.cycle == cycle) {
            return;
        }
        let chosen = self.choose();
        self.plan_edge(chosen);
        let plan = &self.plans[chosen];
        let Some(edge) = &plan.edge else { return };
        run(&edge.code, edge.looped, &mut self.arena, &self.program.tables);
        if let Some(counting) = &mut self.counting {
            counting.look(plan, &self.arena);
            counting.cycle = cycle;
        }
    }
}

impl Counting {
    fn look(&mut self, plan: &Plan, arena: &[u64]) {
        for (at, (thing, slot, words, _)) in self.counted.iter().enumerate() {
            let is_there = matches!(thing, Counted::Register(_)) || plan.computed.contains(slot);
            (self.toggles[at], self.ones[at]) = (0, is_there.then_some(0));
            if !is_there {
                continue;
            }
            let limbs = *slot as usize..(slot + words) as usize;
            for (&now, &before) in arena[limbs.clone()].iter().zip(&self.previous[limbs]) {
                let toggled = match self.toggling {
                    Toggling::Both => now ^ before,
                    Toggling::Rising => now & !before,
                };
                self.toggles[at] += toggled.count_ones();
                self.ones[at] = self.ones[at].map(|ones| ones + now.count_ones());
            }
        }
        // Machine code may have got places of its own since.
        let counted = self.previous.len();
        self.previous.copy_from_slice(&arena[..counted]);
    }
}

/// Returns true if an operator computes something.
fn is_operator(op: &Op) -> bool {
    !matches!(
        op,
        Op::Constant(_)
            | Op::Net(_)
            | Op::Slice { .. }
            | Op::Concat(..)
            | Op::ZeroExtend(_)
            | Op::SignExtend(_)
    )
}
