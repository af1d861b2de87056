//! A netlist compiled for simulation: values in slots, gates sorted by level and operation.
//!
//! With delays a gate is evaluated once for each moment of a cycle in which its output may change, and each of these
//! values has a slot. The moments follow from the netlist alone, so that they are the same in all lanes.

use std::sync::Arc;

use cocrypt_codegen::TernaryCode;
use cocrypt_diag::Diagnostic;
use cocrypt_simd::Instructions;

use super::builder::{Builder, Design, Gate};
use super::delays::Delays;
use super::lookup;
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

/// What is evaluated in each cycle, in this order.
#[derive(Clone, Debug)]
pub enum Steps {
    /// Each gate.
    Gates(Vec<Run>),
    /// Functions that several gates compute together.
    Lookups(Vec<lookup::Run>),
    /// The same as machine code of AVX-512.
    Code(Arc<TernaryCode>),
}

/// A compiled netlist.
#[derive(Clone, Debug)]
pub struct Program {
    /// The number of slots.
    pub(super) slots: usize,
    pub(super) steps: Steps,
    /// The slot of the constant 1; None if nothing reads it. That of 0 is never written.
    pub(super) one: Option<usize>,
    /// The slots of each register's next and present state.
    pub(super) registers: Vec<(usize, usize)>,
    /// The slot of each net's value at the end of a cycle; None where it is not kept.
    pub(super) slot: Vec<Option<usize>>,
    /// The slots whose changes are those of each net.
    pub(super) changing: Vec<Vec<usize>>,
    /// With delays the slots of nets' values at the end of a cycle, and those that keep them for the next one.
    pub(super) kept: Vec<(usize, usize)>,
    /// Evaluations of gates in a cycle: of each as many as its output has moments.
    pub gates: usize,
    /// The functions that these are evaluated by.
    pub functions: usize,
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
        let (builder, next, clock) = read(&Design { netlist, library, delays })?;
        Ok(builder.finish(&next, clock))
    }

    /// The program of a netlist without delays that has the values of ports and registers alone, and no energies: it
    /// evaluates functions of several gates at once, and keeps few values. By the instructions of AVX-512 it is machine
    /// code, if the host gives memory for it.
    ///
    /// # Errors
    /// As `new`.
    pub fn of_ports(
        netlist: &Netlist,
        library: &Library,
        instructions: Instructions,
    ) -> Result<Self, Diagnostic> {
        let (builder, next, clock) = read(&Design { netlist, library, delays: &Delays::NONE })?;
        let ports: Vec<Net> = netlist.ports.iter().flat_map(|port| port.bits.clone()).collect();
        Ok(builder.finish_ports(&ports, &next, clock, instructions))
    }

    /// Whether gates have delays, so that outputs replace other values than those of the cycle before.
    pub(super) fn has_delays(&self) -> bool {
        self.runs().iter().any(|run| !run.replaced.is_empty())
    }

    /// The runs of gates; none in a program of ports alone.
    pub(super) fn runs(&self) -> &[Run] {
        match &self.steps {
            Steps::Gates(runs) => runs,
            _ => &[],
        }
    }
}

/// The gates of a design, the signals of each register's next and present state, and the clock.
type Gates = (Builder, Vec<(usize, usize)>, Option<Net>);

fn read(design: &Design) -> Result<Gates, Diagnostic> {
    let order = design.netlist.order(design.library)?;
    let mut builder = Builder::new(design);
    let is_register = |&index: &usize| design.cell(index).register.is_some();
    let (states, gates): (Vec<_>, Vec<_>) = order.into_iter().partition(is_register);
    let mut clocked = vec![];
    for index in states {
        clocked.push(builder.register(design, index)?);
    }
    for index in gates {
        builder.instance(design, index)?;
    }
    let edges = clocked.iter().map(|(found, _)| ClockEdge { net: found.clock, is_falling: false });
    let clock = clock::single(design.netlist, edges.collect())?;
    let next = clocked.iter().map(|(found, state)| (builder.next(found), *state)).collect();
    Ok((builder, next, clock))
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
            steps: Steps::Gates(Self::runs(&sorted, &levels, &slot)),
            one: Some(slot[1]),
            registers: next.iter().map(|&(next, state)| (slot[next], slot[state])).collect(),
            gates: sorted.len(),
            functions: sorted.len(),
            slot: nets().map(|net| Some(slot[self.waves.last(net)])).collect(),
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
