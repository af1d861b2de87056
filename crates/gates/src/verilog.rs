//! A netlist as structural Verilog-2001.

use std::fmt::Write as _;

use crate::liberty::Library;
use crate::netlist::{Net, Netlist};

/// The module of a netlist; its cells are those of the library. Nets are `n` with their number.
#[must_use]
pub fn verilog(netlist: &Netlist, library: &Library) -> String {
    let ports: Vec<_> = netlist.ports.iter().map(|port| escaped(&port.name)).collect();
    let mut text = format!("module {}({});\n", escaped(&netlist.name), ports.join(", "));
    for port in &netlist.ports {
        let direction = if port.is_output { "output" } else { "input" };
        let range = match port.bits.len() {
            0 | 1 => String::new(),
            width => format!("[{}:0] ", width - 1),
        };
        let _ = writeln!(text, "  {direction} {range}{};", escaped(&port.name));
    }
    for net in 2..netlist.nets.len() {
        let _ = writeln!(text, "  wire {};", name(net));
    }
    for port in &netlist.ports {
        for (index, &net) in port.bits.iter().enumerate() {
            let bit = if port.bits.len() == 1 { String::new() } else { format!("[{index}]") };
            let bit = format!("{}{bit}", escaped(&port.name));
            let (to, from) = if port.is_output { (bit, name(net)) } else { (name(net), bit) };
            let _ = writeln!(text, "  assign {to} = {from};");
        }
    }
    for (number, instance) in netlist.instances.iter().enumerate() {
        let cell = &library.cells[instance.cell];
        let connected = cell.pins.iter().zip(&instance.pins);
        let pins: Vec<_> = connected
            .filter_map(|(pin, net)| {
                net.map(|net| format!(".{}({})", escaped(&pin.name), name(net)))
            })
            .collect();
        let _ = writeln!(text, "  {} g{number}({});", escaped(&cell.name), pins.join(", "));
    }
    text + "endmodule\n"
}

fn name(net: Net) -> String {
    match net {
        0 => "1'b0".to_owned(),
        1 => "1'b1".to_owned(),
        _ => format!("n{net}"),
    }
}

/// A name as Verilog takes it: escaped unless it is a plain identifier.
fn escaped(name: &str) -> String {
    let is_plain = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    if is_plain { name.to_owned() } else { format!("\\{name} ") }
}
