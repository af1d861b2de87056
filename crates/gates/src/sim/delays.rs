//! The delays of cells in a simulation with glitches, as whole ticks.

use std::collections::BTreeMap;

use cocrypt_diag::Diagnostic;

use crate::liberty::Library;
use crate::netlist::Netlist;
use crate::timing;
use crate::wires::Wires;

/// The ticks by which a change at an input of a cell comes before that at an output.
///
/// Every change of an input reaches the output, however short it is: delays are those of transport, and no cell
/// swallows a pulse. Inputs of the design change with the clock's edge, registers a delay behind it.
#[derive(Clone, Debug)]
pub struct Delays(Kind);

#[derive(Clone, Debug)]
enum Kind {
    None,
    Unit,
    /// By instance, then by output and input pin.
    Library(Vec<BTreeMap<(usize, usize), u32>>),
}

impl Delays {
    /// No delays: all nets settle at once, and no net changes twice in a cycle.
    pub const NONE: Self = Self(Kind::None);
    /// A tick for each cell.
    pub const UNIT: Self = Self(Kind::Unit);

    /// The delays of the library's tables in ticks of so many seconds, rounded, and at least one.
    ///
    /// That of a pin is the mean over edges and arcs, at the output's load and for the longest transition that
    /// static timing finds at the input.
    ///
    /// # Errors
    /// A diagnostic for a loop without a register, and for pins for which the library has no table.
    pub fn library(
        netlist: &Netlist,
        library: &Library,
        wires: &Wires,
        tick: f64,
    ) -> Result<Self, Diagnostic> {
        let seconds = timing::arc_delays(netlist, library, wires)?;
        let ticks = (0..netlist.instances.len()).map(|instance| {
            let cell = &library.cells[netlist.instances[instance].cell];
            let mut ticks = BTreeMap::new();
            for output in cell.outputs() {
                let mut by_input = BTreeMap::<usize, Vec<f64>>::new();
                for (input, delay) in seconds(instance, output) {
                    by_input.entry(input).or_default().push(delay);
                }
                for (input, delays) in by_input {
                    let mean = delays.iter().sum::<f64>() / delays.len() as f64;
                    ticks.insert((output, input), (mean / tick).round().max(1.0) as u32);
                }
            }
            ticks
        });
        Ok(Self(Kind::Library(ticks.collect())))
    }

    /// Returns true unless all nets settle at once.
    #[must_use]
    pub fn has_glitches(&self) -> bool {
        !matches!(self.0, Kind::None)
    }

    /// The ticks from an input pin of an instance to an output pin; None if the library has no table for them.
    #[must_use]
    pub fn ticks(&self, instance: usize, output: usize, input: usize) -> Option<u32> {
        match &self.0 {
            Kind::None => Some(0),
            Kind::Unit => Some(1),
            Kind::Library(known) => known[instance].get(&(output, input)).copied(),
        }
    }
}
