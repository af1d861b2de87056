//! The area of a netlist, and how often it has each cell.

use std::collections::BTreeMap;

use crate::liberty::Library;
use crate::netlist::Netlist;

/// An area in the library's unit, which is usually µm².
#[derive(Clone, Debug, PartialEq)]
pub struct Area {
    /// All cells.
    pub total: f64,
    /// Cells with a state.
    pub registers: f64,
    /// `total` over the area of the smallest NAND of two inputs; None if the library has none.
    pub gate_equivalents: Option<f64>,
    /// How often each cell is used, by its name.
    pub cells: BTreeMap<String, usize>,
}

/// The area of a netlist.
#[must_use]
pub fn area(netlist: &Netlist, library: &Library) -> Area {
    let (mut total, mut registers, mut cells) = (0.0, 0.0, BTreeMap::new());
    for instance in &netlist.instances {
        let cell = &library.cells[instance.cell];
        total += cell.area;
        if cell.register.is_some() || cell.is_other_state {
            registers += cell.area;
        }
        *cells.entry(cell.name.clone()).or_insert(0) += 1;
    }
    let gate_equivalents = library.gate_equivalent().map(|unit| total / unit);
    Area { total, registers, gate_equivalents, cells }
}
