//! A netlist compiled for simulation: values in slots, gates sorted by level and operation.
//!
//! With delays a gate is evaluated once for each moment of a cycle in which its output may change, and each of these
//! values has a slot. The moments follow from the netlist alone, so that they are the same in all lanes.

use cocrypt_diag::Diagnostic;

use super::builder::{Builder, Design, Gate};
use super::delays::Delays;
use super::op::Op;
use crate::clock::{self, ClockEdge};
use crate::liberty::Library;
use crate::netlist::{Net, Netlist};

/// Gates of one operation whose outputs are in consecutive slots.
#[derive(Clone, Debug)]
pub struct Run {
    /// Their operation.
    pub op: Op,
    /// The first output.
    pub first: usize,
    /// The slots of their operands, all before `first`.
    pub operands: Vec<[u32; 4]>,
    /// With delays the slots of the values that the outputs replace, all before `first`; otherwise empty, and an
    /// output replaces what its slot had in the cycle before.
    pub replaced: Vec<u32>,
}

/// A compiled netlist. Slots 0 and 1 are the constants.
#[derive(Clone, Debug)]
pub struct Program {
    /// The number of slots.
    pub(super) slots: usize,
    /// The gates, in the order in which they are evaluated.
    pub(super) runs: Vec<Run>,
    /// The slots of each register's next and present state.
    pub(super) registers: Vec<(usize, usize)>,
    /// The slot of each net's value at the end of a cycle.
    pub(super) slot: Vec<usize>,
    /// The slots whose changes are those of each net.
    pub(super) changing: Vec<Vec<usize>>,
    /// With delays the slots of nets' values at the end of a cycle, and those that keep them for the next one.
    pub(super) kept: Vec<(usize, usize)>,
    /// Evaluations of gates in a cycle: of each as many as its output has moments.
    pub gates: usize,
    /// The net of the clock; None in a design without registers.
    pub clock: Option<Net>,
}

impl Program {
    /// The program of a netlist.
    ///
    /// # Errors
    /// A diagnostic for loops, latches, several clocks, falling edges, asynchronous clears and presets
    /// that can become active, cells without a function, unknown delays, and too many moments.
    pub fn new(netlist: &Netlist, library: &Library, delays: &Delays) -> Result<Self, Diagnostic> {
        let order = netlist.order(library)?;
        let design = Design { netlist, library, delays };
        let mut builder = Builder::new(&design);
        let is_register = |&index: &usize| design.cell(index).register.is_some();
        let (states, gates): (Vec<_>, Vec<_>) = order.into_iter().partition(is_register);
        let mut clocked = vec![];
        for index in states {
            clocked.push(builder.register(&design, index)?);
        }
        for index in gates {
            builder.instance(&design, index)?;
        }
        let edges =
            clocked.iter().map(|(found, _)| ClockEdge { net: found.clock, is_falling: false });
        let clock = clock::single(netlist, edges.collect())?;
        let next: Vec<_> =
            clocked.iter().map(|(found, state)| (builder.next(found), *state)).collect();
        Ok(builder.finish(&next, clock))
    }
}

impl Builder {
    /// Numbers the slots: constants, inputs and states, then gates by level and operation.
    fn finish(self, next: &[(usize, usize)], clock: Option<Net>) -> Program {
        let levels = self.levels();
        let mut sorted: Vec<_> = self.gates.iter().collect();
        sorted.sort_by_key(|gate| (levels[gate.output], gate.op));
        let mut slot = vec![0; self.signals];
        let sources = (0..self.signals).filter(|&signal| levels[signal] == 0);
        let all = sources.chain(sorted.iter().map(|gate| gate.output));
        all.enumerate().for_each(|(index, signal)| slot[signal] = index);
        let nets = || 0..self.waves.nets();
        let moments = |net: Net| self.waves.signals(net).into_iter().map(|signal| slot[signal]);
        Program {
            slots: self.signals,
            runs: Self::runs(&sorted, &levels, &slot),
            registers: next.iter().map(|&(next, state)| (slot[next], slot[state])).collect(),
            gates: sorted.len(),
            slot: nets().map(|net| slot[self.waves.last(net)]).collect(),
            changing: nets().map(|net| moments(net).collect()).collect(),
            kept: nets()
                .map(|net| (slot[self.waves.last(net)], slot[net]))
                .filter(|(last, kept)| last != kept)
                .collect(),
            clock,
        }
    }

    /// The level of each signal: 0 unless a gate drives it, else behind all that the gate reads or replaces.
    fn levels(&self) -> Vec<usize> {
        let mut levels = vec![0_usize; self.signals];
        for gate in &self.gates {
            let read = gate.operands.iter().chain(&gate.replaced);
            let deepest = read.map(|&signal| levels[signal]).max();
            levels[gate.output] = 1 + deepest.unwrap_or(0);
        }
        levels
    }

    /// The gates as runs, in this order.
    fn runs(sorted: &[&Gate], levels: &[usize], slot: &[usize]) -> Vec<Run> {
        let mut runs: Vec<Run> = vec![];
        let mut level = 0;
        for gate in sorted {
            if runs.last().is_none_or(|run| run.op != gate.op || level != levels[gate.output]) {
                let first = slot[gate.output];
                runs.push(Run { op: gate.op, first, operands: vec![], replaced: vec![] });
            }
            level = levels[gate.output];
            if let Some(run) = runs.last_mut() {
                run.operands.push(gate.operands.map(|operand| slot[operand] as u32));
                run.replaced.extend(gate.replaced.map(|signal| slot[signal] as u32));
            }
        }
        runs
    }
}
