//! The gates of a netlist over signals: a signal for each net, or with delays for each moment of a net.

use std::collections::HashMap;

use cocrypt_diag::Diagnostic;

use super::delays::Delays;
use super::op::{self, Op};
use super::registers::{self, Clocked};
use super::waves::Waves;
use crate::function::Function;
use crate::liberty::{Cell, Library};
use crate::netlist::{Net, Netlist};

/// Signals at most: 256 MiB of a word for each, and as much for what has changed.
const MOST_SIGNALS: usize = 1 << 22;

/// A netlist with its library and the delays of its cells.
pub struct Design<'a> {
    pub netlist: &'a Netlist,
    pub library: &'a Library,
    pub delays: &'a Delays,
}

impl Design<'_> {
    /// The cell of an instance.
    pub fn cell(&self, index: usize) -> &Cell {
        &self.library.cells[self.netlist.instances[index].cell]
    }

    /// Nets that inputs of an instance are, with the ticks in which they reach an output.
    fn sources(
        &self,
        index: usize,
        output: usize,
        inputs: &[String],
    ) -> Result<Vec<(Net, u32)>, Diagnostic> {
        let cell = self.cell(index);
        let nets = registers::nets(self.netlist, self.library, index, inputs)?;
        let pins = inputs.iter().filter_map(|name| cell.pin(name));
        let ticks = pins.map(|input| {
            self.delays.ticks(index, output, input).ok_or_else(|| {
                let (from, to) = (&cell.pins[input].name, &cell.pins[output].name);
                let message =
                    format!("the library has no delay of `{}` from `{from}` to `{to}`", cell.name);
                Diagnostic::error("gates.delay", message)
                    .with_help("add a group `timing` with tables, or take unit delays")
            })
        });
        nets.into_iter().zip(ticks).map(|(net, ticks)| Ok((net, ticks?))).collect()
    }
}

/// A gate before slots are numbered: operands are signals.
#[derive(Clone, Debug)]
pub struct Gate {
    pub op: Op,
    pub operands: [usize; 4],
    pub output: usize,
    /// With delays the signal whose value the output replaces.
    pub replaced: Option<usize>,
}

/// An operation with the order of its operands; None for a table that has none.
type Operation = Option<(Op, Vec<usize>)>;

/// The gates so far.
pub struct Builder {
    /// How many signals there are: those of nets, and those within cells.
    pub signals: usize,
    pub gates: Vec<Gate>,
    pub waves: Waves,
    /// The operations of truth tables by their number of inputs, as they were found.
    found: HashMap<(u64, usize), Operation>,
}

impl Builder {
    /// No gates yet; inputs change in the moment of the clock's edge.
    pub fn new(design: &Design) -> Self {
        let mut signals = design.netlist.nets.len();
        let waves = Waves::new(design.netlist, design.delays.has_glitches(), || {
            signals += 1;
            signals - 1
        });
        Self { signals, gates: vec![], waves, found: HashMap::new() }
    }

    fn signal(&mut self) -> usize {
        self.signals += 1;
        self.signals - 1
    }

    /// Adds a register; returns the signal of its state.
    pub fn register(
        &mut self,
        design: &Design,
        index: usize,
    ) -> Result<(Clocked, usize), Diagnostic> {
        let found = registers::read(design.netlist, design.library, index)?;
        let state = self.signal();
        let complement = self.gate(Op::Invert, [state, 0, 0, 0], None);
        for (output, function, net) in &found.outputs {
            let clock = design.sources(index, *output, std::slice::from_ref(&found.clock_pin))?;
            let state_or_complement =
                |name: &String| if *name == found.state[0] { state } else { complement };
            let inputs: Vec<_> = function.inputs.iter().map(state_or_complement).collect();
            for moment in self.waves.following(&clock) {
                self.drive(*net, moment, function, &inputs);
            }
        }
        Ok((found, state))
    }

    /// Adds a cell without a state.
    pub fn instance(&mut self, design: &Design, index: usize) -> Result<(), Diagnostic> {
        let cell = design.cell(index);
        for output in cell.outputs() {
            let Some(net) = design.netlist.instances[index].pins[output] else { continue };
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
            let sources = design.sources(index, output, &function.inputs)?;
            let moments = self.waves.following(&sources);
            if self.signals + moments.len() > MOST_SIGNALS {
                let message = format!("nets change in more than {MOST_SIGNALS} moments of a cycle");
                let help = "take longer ticks, or unit delays";
                return Err(Diagnostic::error("gates.moments", message).with_help(help));
            }
            for moment in moments {
                let seen = sources.iter().map(|&source| self.waves.seen(source, moment));
                let inputs: Vec<_> = seen.collect();
                self.drive(net, moment, function, &inputs);
            }
        }
        Ok(())
    }

    /// The signal of a register's next state.
    pub fn next(&mut self, register: &Clocked) -> usize {
        let inputs: Vec<_> = register.inputs.iter().map(|&net| self.waves.last(net)).collect();
        self.function(&register.next, &inputs, None)
    }

    /// Gives a net the value of a function in a moment behind all its earlier ones.
    fn drive(&mut self, net: Net, moment: u32, function: &Function, inputs: &[usize]) {
        let output = if self.waves.has_glitches() { self.signal() } else { net };
        self.function(function, inputs, Some((net, output)));
        self.waves.push(net, moment, output);
    }

    /// Gates for a function of signals; returns the signal that has its value. That of a net is given.
    fn function(
        &mut self,
        function: &Function,
        inputs: &[usize],
        to: Option<(Net, usize)>,
    ) -> usize {
        if to.is_none() && function.inputs.len() == 1 && function.table == 0b10 {
            return inputs[0];
        }
        self.table(function.table, inputs, to)
    }

    fn table(&mut self, table: u64, inputs: &[usize], to: Option<(Net, usize)>) -> usize {
        let Some((last, rest)) = inputs.split_last() else {
            let constant = (table & 1) as usize;
            return self.gate(Op::Buffer, [constant, 0, 0, 0], to);
        };
        let found = self.found.entry((table, inputs.len()));
        let found = found.or_insert_with(|| op::find(table, inputs.len()));
        if let Some((op, order)) = found {
            let op = *op;
            let mut operands = [0; 4];
            for (operand, input) in operands.iter_mut().zip(order) {
                *operand = inputs[*input];
            }
            return self.gate(op, operands, to);
        }
        // Shannon's expansion by the last input.
        let half = 1 << rest.len();
        let low = self.table(table & ((1 << half) - 1), rest, None);
        let high = self.table(table >> half, rest, None);
        self.gate(Op::Mux, [low, high, *last, 0], to)
    }

    fn gate(&mut self, op: Op, operands: [usize; 4], to: Option<(Net, usize)>) -> usize {
        let output = to.map_or_else(|| self.signal(), |(_, output)| output);
        // A signal within a cell replaces nothing that counts.
        let replaced = to.map_or(0, |(net, _)| self.waves.last(net));
        let replaced = self.waves.has_glitches().then_some(replaced);
        self.gates.push(Gate { op, operands, output, replaced });
        output
    }
}
