//! The top's ports as the exported texts call them, for those who write benches and wrappers.

use crate::contents::contents;
use crate::{Direction, NetKind, Netlist, verilog, vhdl};

/// A port of the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedPort {
    /// Its name in the design.
    pub name: String,
    /// Its direction.
    pub direction: Direction,
    /// Bits that the outside sees.
    pub width: u32,
    /// Its name in the Verilog text, escaped where it must be.
    pub verilog: String,
    /// Its name in the VHDL text, escaped where it must be.
    pub vhdl: String,
}

/// All ports of the top in order of declaration, but for clock and reset.
#[must_use]
pub fn exported_ports(netlist: &Netlist) -> Vec<ExportedPort> {
    let ports = netlist.scopes.first().map_or(&[][..], |scope| &scope.ports);
    let nets = contents(netlist).into_iter().next().unwrap_or_default().nets;
    let (verilog, vhdl) = (verilog::port_names(netlist, &nets), vhdl::port_names(netlist, &nets));
    let described = ports.iter().filter_map(|id| {
        let net = netlist.net(*id);
        let NetKind::Port(direction) = net.kind else { return None };
        Some(ExportedPort {
            name: net.name.clone(),
            direction,
            width: net.face,
            verilog: verilog.get(id).cloned().unwrap_or_default(),
            vhdl: vhdl.get(id).cloned().unwrap_or_default(),
        })
    });
    described.collect()
}
