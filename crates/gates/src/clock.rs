//! The clock that all registers of a netlist share.

use cocrypt_diag::Diagnostic;

use crate::netlist::{Net, Netlist};

/// The code of the diagnostic for a design without a single clock.
pub const CLOCK: &str = "gates.clock";

/// The edge of a net, which a register is clocked by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClockEdge {
    /// The net.
    pub net: Net,
    /// True for the falling edge.
    pub is_falling: bool,
}

/// The only edge that registers are clocked by, at an input of the design; None without registers.
pub fn single(netlist: &Netlist, mut edges: Vec<ClockEdge>) -> Result<Option<Net>, Diagnostic> {
    edges.sort_unstable();
    edges.dedup();
    let inputs = netlist.ports.iter().filter(|port| !port.is_output);
    let mut inputs = inputs.flat_map(|port| &port.bits);
    match edges[..] {
        [] => Ok(None),
        [edge] if inputs.any(|&net| net == edge.net) => Ok(Some(edge.net)),
        _ => {
            let names: Vec<_> = edges.iter().map(|&edge| name(netlist, edge)).collect();
            let message = format!("the registers are clocked by {}", names.join(", "));
            let help = "clock all registers directly by the same edge of one input of the design";
            Err(Diagnostic::error(CLOCK, message).with_help(help))
        }
    }
}

fn name(netlist: &Netlist, edge: ClockEdge) -> String {
    let net = &netlist.nets[edge.net];
    if edge.is_falling { format!("the falling edge of {net}") } else { net.clone() }
}
