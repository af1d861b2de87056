//! The capacitances of nets: pins, and wires by a simple model.

use crate::liberty::Library;
use crate::netlist::Netlist;

/// The assumed capacitance of wires, farads, as layouts are not known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wires {
    /// Of each net.
    pub base: f64,
    /// More for each pin that a net leads to.
    pub fanout: f64,
    /// At each output of the design.
    pub output: f64,
}

/// Farads of each net at a rising and at a falling edge.
#[must_use]
pub fn loads(netlist: &Netlist, library: &Library, wires: &Wires) -> Vec<[f64; 2]> {
    let mut loads = vec![[wires.base; 2]; netlist.nets.len()];
    for instance in &netlist.instances {
        let cell = &library.cells[instance.cell];
        for pin in cell.inputs() {
            let Some(net) = instance.pins[pin] else { continue };
            for (load, capacitance) in loads[net].iter_mut().zip(cell.pins[pin].edge_capacitances) {
                *load += capacitance + wires.fanout;
            }
        }
    }
    for port in netlist.ports.iter().filter(|port| port.is_output) {
        for &net in &port.bits {
            loads[net].iter_mut().for_each(|load| *load += wires.output);
        }
    }
    loads
}
