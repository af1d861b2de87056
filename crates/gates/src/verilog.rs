//! A netlist as structural Verilog-2001.

use std::fmt::Write as _;

use cocrypt_verilog::is_reserved;

use crate::liberty::Library;
use crate::netlist::{Net, Netlist};

/// The module of a netlist; its cells are those of the library. Nets are `n` with their number and instances `g`
/// with theirs, with `_` between them where a port has such a name.
#[must_use]
pub fn verilog(netlist: &Netlist, library: &Library) -> String {
    let (nets, instances) = (prefix("n", netlist), prefix("g", netlist));
    let name = |net: Net| match net {
        0 => "1'b0".to_owned(),
        1 => "1'b1".to_owned(),
        _ => format!("{nets}{net}"),
    };
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
        let _ =
            writeln!(text, "  {} {instances}{number}({});", escaped(&cell.name), pins.join(", "));
    }
    text + "endmodule\n"
}

/// A letter, and as many `_` behind it as it takes that no port is named so with a number.
fn prefix(letter: &str, netlist: &Netlist) -> String {
    let mut prefix = letter.to_owned();
    let is_number = |rest: &str| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit());
    let is_taken = |prefix: &str| {
        netlist.ports.iter().any(|port| port.name.strip_prefix(prefix).is_some_and(is_number))
    };
    while is_taken(&prefix) {
        prefix.push('_');
    }
    prefix
}

/// A name as Verilog takes it: escaped unless it is a plain identifier and no reserved word.
fn escaped(name: &str) -> String {
    let is_plain = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    if is_plain && !is_reserved(name) { name.to_owned() } else { format!("\\{name} ") }
}
