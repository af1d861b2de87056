//! A netlist compiled for simulation: values in slots, gates sorted by level and operation.

use cocrypt_diag::Diagnostic;

use super::op::{self, Op};
use super::registers::{self, Clocked};
use crate::clock::{self, ClockEdge};
use crate::function::Function;
use crate::liberty::Library;
use crate::netlist::{Net, Netlist};

/// A gate before slots are numbered: operands are signals.
#[derive(Clone, Debug)]
struct Gate {
    op: Op,
    operands: [usize; 4],
    output: usize,
}

/// Gates of one operation whose outputs are in consecutive slots.
#[derive(Clone, Debug)]
pub struct Run {
    /// Their operation.
    pub op: Op,
    /// The first output.
    pub first: usize,
    /// The slots of their operands, all before `first`.
    pub operands: Vec<[u32; 4]>,
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
    /// The slot of each net.
    pub(super) slot: Vec<usize>,
    /// Gates that are evaluated in a cycle.
    pub gates: usize,
    /// The net of the clock; None in a design without registers.
    pub clock: Option<Net>,
}

impl Program {
    /// The program of a netlist.
    ///
    /// # Errors
    /// A diagnostic for loops, latches, several clocks, falling edges, asynchronous clears and presets
    /// that can become active, and cells without a function.
    pub fn new(netlist: &Netlist, library: &Library) -> Result<Self, Diagnostic> {
        let order = netlist.order(library)?;
        let mut builder = Builder { signals: netlist.nets.len(), ..Builder::default() };
        let mut clocked = vec![];
        let (states, gates): (Vec<_>, Vec<_>) = order
            .into_iter()
            .partition(|&index| library.cells[netlist.instances[index].cell].register.is_some());
        for index in states {
            let found = registers::read(netlist, library, index)?;
            let state = builder.signal();
            builder.state(&found, state);
            clocked.push((found, state));
        }
        for index in gates {
            builder.instance(netlist, library, index)?;
        }
        let edge = |found: &Clocked| ClockEdge { net: found.clock, is_falling: false };
        let clock = clock::single(netlist, clocked.iter().map(|(found, _)| edge(found)).collect())?;
        let next: Vec<_> = clocked
            .iter()
            .map(|(found, state)| (builder.function(&found.next, &found.inputs, None), *state))
            .collect();
        Ok(builder.finish(netlist, &next, clock))
    }
}

#[derive(Default)]
struct Builder {
    /// Signals so far: the nets, and those that no net has.
    signals: usize,
    gates: Vec<Gate>,
}

impl Builder {
    fn signal(&mut self) -> usize {
        self.signals += 1;
        self.signals - 1
    }

    /// The outputs of a register from its state.
    fn state(&mut self, register: &Clocked, state: usize) {
        let complement = self.gate(Op::Invert, [state, 0, 0, 0], None);
        for (function, net) in &register.outputs {
            let inputs: Vec<_> = function
                .inputs
                .iter()
                .map(|name| if *name == register.state[0] { state } else { complement })
                .collect();
            self.function(function, &inputs, Some(*net));
        }
    }

    fn instance(
        &mut self,
        netlist: &Netlist,
        library: &Library,
        index: usize,
    ) -> Result<(), Diagnostic> {
        let instance = &netlist.instances[index];
        let cell = &library.cells[instance.cell];
        for output in cell.outputs() {
            let Some(net) = instance.pins[output] else { continue };
            let pin = &cell.pins[output];
            let function =
                pin.function.as_ref().filter(|_| !pin.is_tristate && !cell.is_other_state);
            let Some(function) = function else {
                let message =
                    format!("the function of `{}` at `{}` is not known", cell.name, pin.name);
                let help =
                    "forbid this cell by `dont_use : true;`; latches and buses are not simulated";
                return Err(Diagnostic::error("gates.function", message).with_help(help));
            };
            let inputs = registers::nets(netlist, library, index, &function.inputs)?;
            self.function(function, &inputs, Some(net));
        }
        Ok(())
    }

    /// Gates for a function of signals; returns the signal that has its value.
    fn function(&mut self, function: &Function, inputs: &[usize], to: Option<usize>) -> usize {
        if to.is_none() && function.inputs.len() == 1 && function.table == 0b10 {
            return inputs[0];
        }
        self.table(function.table, inputs, to)
    }

    fn table(&mut self, table: u64, inputs: &[usize], to: Option<usize>) -> usize {
        let Some((last, rest)) = inputs.split_last() else {
            let constant = (table & 1) as usize;
            return self.gate(Op::Buffer, [constant, 0, 0, 0], to);
        };
        if let Some((op, order)) = op::find(table, inputs.len()) {
            let mut operands = [0; 4];
            for (operand, input) in operands.iter_mut().zip(order) {
                *operand = inputs[input];
            }
            return self.gate(op, operands, to);
        }
        // Shannon's expansion by the last input.
        let half = 1 << rest.len();
        let low = self.table(table & ((1 << half) - 1), rest, None);
        let high = self.table(table >> half, rest, None);
        self.gate(Op::Mux, [low, high, *last, 0], to)
    }

    fn gate(&mut self, op: Op, operands: [usize; 4], to: Option<usize>) -> usize {
        let output = to.unwrap_or_else(|| self.signal());
        self.gates.push(Gate { op, operands, output });
        output
    }

    /// Numbers the slots: constants, inputs and states, then gates by level and operation.
    fn finish(self, netlist: &Netlist, next: &[(usize, usize)], clock: Option<Net>) -> Program {
        let mut levels = vec![0_usize; self.signals];
        let mut is_gate = vec![false; self.signals];
        let mut sorted: Vec<_> = self.gates.iter().collect();
        for gate in &self.gates {
            let deepest = gate.operands.iter().map(|&operand| levels[operand]).max();
            levels[gate.output] = 1 + deepest.unwrap_or(0);
            is_gate[gate.output] = true;
        }
        sorted.sort_by_key(|gate| (levels[gate.output], gate.op));
        let mut slot = vec![0; self.signals];
        let sources = (0..self.signals).filter(|&signal| !is_gate[signal]);
        let all = sources.chain(sorted.iter().map(|gate| gate.output));
        all.enumerate().for_each(|(index, signal)| slot[signal] = index);
        let mut runs: Vec<Run> = vec![];
        let mut level = 0;
        for gate in &sorted {
            let operands = gate.operands.map(|operand| slot[operand] as u32);
            match runs.last_mut() {
                Some(run) if run.op == gate.op && level == levels[gate.output] => {
                    run.operands.push(operands);
                }
                _ => runs.push(Run {
                    op: gate.op,
                    first: slot[gate.output],
                    operands: vec![operands],
                }),
            }
            level = levels[gate.output];
        }
        Program {
            slots: self.signals,
            runs,
            registers: next.iter().map(|&(next, state)| (slot[next], slot[state])).collect(),
            gates: sorted.len(),
            slot: slot[..netlist.nets.len()].to_vec(),
            clock,
        }
    }
}
