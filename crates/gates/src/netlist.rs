//! Netlists of library cells, as Yosys writes them in JSON (`write_json`).

use std::collections::HashMap;

use cocrypt_diag::{Diagnostic, suggest};
use serde_json::{Map, Value};

use crate::liberty::{Cell, Direction, Library};

/// The index of a net; 0 and 1 are the constants.
pub type Net = usize;

/// A port of the design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// Its name.
    pub name: String,
    /// Its direction.
    pub is_output: bool,
    /// Its nets, the lowest bit first.
    pub bits: Vec<Net>,
}

/// A cell of the design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// Its name.
    pub name: String,
    /// The index of its cell in the library.
    pub cell: usize,
    /// Its nets by the cell's pins; None where a pin is open.
    pub pins: Vec<Option<Net>>,
}

/// A flat design of library cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Netlist {
    /// The name of its module.
    pub name: String,
    /// Its ports.
    pub ports: Vec<Port>,
    /// The names of its nets, first those of the constants 0 and 1.
    pub nets: Vec<String>,
    /// Its cells.
    pub instances: Vec<Instance>,
}

impl Netlist {
    /// A netlist without nets but the constants.
    #[must_use]
    pub fn new(name: &str) -> Self {
        let nets = vec!["1'b0".to_owned(), "1'b1".to_owned()];
        Self { name: name.to_owned(), ports: vec![], nets, instances: vec![] }
    }

    /// Adds a net.
    pub fn net(&mut self, name: String) -> Net {
        self.nets.push(name);
        self.nets.len() - 1
    }

    /// The only module of a text in Yosys's JSON, over the cells of a library.
    ///
    /// # Errors
    /// A diagnostic for what is no such text, or has a cell or a pin that the library lacks.
    pub fn from_json(text: &str, library: &Library) -> Result<Self, Diagnostic> {
        let value: Value = serde_json::from_str(text).map_err(|error| {
            Diagnostic::error("netlist.json", format!("the netlist is not JSON: {error}"))
                .with_help("write it by Yosys's command `write_json`")
        })?;
        let modules = value["modules"].as_object().into_iter().flatten();
        let mut modules = modules.filter(|(_, module)| !is_library_cell(module));
        let (Some((name, module)), None) = (modules.next(), modules.next()) else {
            return Err(Diagnostic::error(
                "netlist.modules",
                "the netlist has not just one module",
            )
            .with_help("flatten the design before it is written"));
        };
        let mut reader = Reader { netlist: Self::new(name), by_number: HashMap::new() };
        reader.names(module)?;
        reader.ports(module)?;
        reader.cells(module, library)?;
        let netlist = reader.netlist;
        netlist.require_drivers(library)?;
        Ok(netlist)
    }

    /// For each net the instance and the output pin that drive it; None for inputs and constants.
    #[must_use]
    pub fn drivers(&self, library: &Library) -> Vec<Option<(usize, usize)>> {
        let mut drivers = vec![None; self.nets.len()];
        for (index, instance) in self.instances.iter().enumerate() {
            for pin in library.cells[instance.cell].outputs() {
                if let Some(net) = instance.pins[pin] {
                    drivers[net] = Some((index, pin));
                }
            }
        }
        drivers
    }

    /// The gates in an order in which each stands behind those that drive it; registers come first.
    ///
    /// # Errors
    /// A diagnostic that names a gate in a loop without a register.
    pub fn order(&self, library: &Library) -> Result<Vec<usize>, Diagnostic> {
        let drivers = self.drivers(library);
        let has_state = |index: usize| {
            let cell = &library.cells[self.instances[index].cell];
            cell.register.is_some() || cell.is_other_state
        };
        let mut waits = vec![0; self.instances.len()];
        let mut followers = vec![vec![]; self.instances.len()];
        for (index, instance) in self.instances.iter().enumerate() {
            if has_state(index) {
                continue;
            }
            for pin in library.cells[instance.cell].inputs() {
                if let Some((driver, _)) = instance.pins[pin].and_then(|net| drivers[net]) {
                    followers[driver].push(index);
                    waits[index] += 1;
                }
            }
        }
        let mut order: Vec<_> = (0..waits.len()).filter(|&index| waits[index] == 0).collect();
        order.sort_by_key(|&index| !has_state(index));
        let mut next = 0;
        while let Some(&index) = order.get(next) {
            next += 1;
            for &follower in &followers[index] {
                waits[follower] -= 1;
                if waits[follower] == 0 {
                    order.push(follower);
                }
            }
        }
        match waits.iter().position(|&count| count > 0) {
            None => Ok(order),
            Some(index) => {
                let name = &self.instances[index].name;
                let message = format!("`{name}` is in or behind a loop without a register");
                let help = "break the loop by a register; its values would depend on delays";
                Err(Diagnostic::error("netlist.loop", message).with_help(help))
            }
        }
    }

    /// Fails unless each net that is read has exactly one driver.
    fn require_drivers(&self, library: &Library) -> Result<(), Diagnostic> {
        let mut counts = vec![0; self.nets.len()];
        counts[..2].fill(1);
        let inputs = self.ports.iter().filter(|port| !port.is_output);
        inputs.flat_map(|port| &port.bits).for_each(|&net| counts[net] += 1);
        let mut read: Vec<Net> = vec![];
        for instance in &self.instances {
            let cell = &library.cells[instance.cell];
            cell.outputs().filter_map(|pin| instance.pins[pin]).for_each(|net| counts[net] += 1);
            read.extend(cell.inputs().filter_map(|pin| instance.pins[pin]));
            let open = cell.inputs().find(|&pin| instance.pins[pin].is_none());
            if let Some(pin) = open {
                let pin = &cell.pins[pin].name;
                let message = format!("the input `{pin}` of `{}` is open", instance.name);
                return Err(Diagnostic::error("netlist.open", message));
            }
        }
        read.extend(self.ports.iter().filter(|port| port.is_output).flat_map(|port| &port.bits));
        let undriven = read.into_iter().find(|&net| counts[net] == 0);
        let twice = counts.iter().position(|&count| count > 1);
        let Some(net) = undriven.or(twice) else { return Ok(()) };
        let drivers = if counts[net] == 0 { "no driver" } else { "several drivers" };
        let message = format!("the net `{}` has {drivers}", self.nets[net]);
        Err(Diagnostic::error("netlist.drivers", message)
            .with_help("give each net one driver; buses with several are not supported"))
    }
}

/// Returns true for descriptions of the library's own cells, which newer versions of Yosys keep.
fn is_library_cell(module: &Value) -> bool {
    let attributes = &module["attributes"];
    ["blackbox", "whitebox"].iter().any(|name| !attributes[name].is_null())
}

struct Reader {
    netlist: Netlist,
    by_number: HashMap<u64, Net>,
}

impl Reader {
    /// Nets get the shortest of their names, as those of ports are.
    fn names(&mut self, module: &Value) -> Result<(), Diagnostic> {
        for (name, entry) in object(module, "netnames")? {
            let bits = entry["bits"].as_array().map_or(&[][..], Vec::as_slice);
            for (index, bit) in bits.iter().enumerate() {
                let Some(number) = bit.as_u64() else { continue };
                let label = if bits.len() == 1 { name.clone() } else { format!("{name}[{index}]") };
                let net = self.numbered(number);
                let known = &mut self.netlist.nets[net];
                if known.is_empty() || label.len() < known.len() {
                    *known = label;
                }
            }
        }
        Ok(())
    }

    fn numbered(&mut self, number: u64) -> Net {
        let netlist = &mut self.netlist;
        *self.by_number.entry(number).or_insert_with(|| netlist.net(String::new()))
    }

    /// The net of a bit; an undefined one is 0.
    fn bit(&mut self, bit: &Value) -> Net {
        match (bit.as_u64(), bit.as_str()) {
            (Some(number), _) => self.numbered(number),
            (None, Some("1")) => 1,
            _ => 0,
        }
    }

    fn ports(&mut self, module: &Value) -> Result<(), Diagnostic> {
        for (name, entry) in object(module, "ports")? {
            let is_output = match entry["direction"].as_str() {
                Some("input") => false,
                Some("output") => true,
                _ => {
                    let message = format!("the port `{name}` is neither an input nor an output");
                    return Err(Diagnostic::error("netlist.port", message));
                }
            };
            let bits = entry["bits"].as_array().map_or(&[][..], Vec::as_slice);
            let bits = bits.iter().map(|bit| self.bit(bit)).collect();
            self.netlist.ports.push(Port { name: name.clone(), is_output, bits });
        }
        Ok(())
    }

    fn cells(&mut self, module: &Value, library: &Library) -> Result<(), Diagnostic> {
        for (name, entry) in object(module, "cells")? {
            let kind = entry["type"].as_str().unwrap_or_default();
            if kind == "$scopeinfo" {
                continue;
            }
            let Some(cell) = library.cell(kind) else {
                return Err(unknown(name, kind, library));
            };
            let mut pins = vec![None; library.cells[cell].pins.len()];
            for (pin, bits) in object(entry, "connections")? {
                let Some(bit) = bits.as_array().and_then(|bits| bits.first()) else { continue };
                let index = pin_index(&library.cells[cell], pin, name)?;
                pins[index] = Some(self.bit(bit));
            }
            self.netlist.instances.push(Instance { name: name.clone(), cell, pins });
        }
        Ok(())
    }
}

fn pin_index(cell: &Cell, pin: &str, instance: &str) -> Result<usize, Diagnostic> {
    let index = cell.pin(pin).filter(|&index| cell.pins[index].direction != Direction::Other);
    index.ok_or_else(|| {
        let message = format!("`{instance}` connects `{pin}`, but `{}` has no such pin", cell.name);
        Diagnostic::error("netlist.pin", message)
    })
}

fn unknown(instance: &str, kind: &str, library: &Library) -> Diagnostic {
    let message = format!("`{instance}` is a `{kind}`, which `{}` does not have", library.name);
    let close = suggest(kind, library.cells.iter().map(|cell| &*cell.name));
    let help = close.map_or_else(
        || "map the design to the cells of this library".to_owned(),
        |name| format!("did you mean `{name}`?"),
    );
    Diagnostic::error("netlist.cell", message).with_help(help)
}

fn object<'a>(value: &'a Value, name: &str) -> Result<&'a Map<String, Value>, Diagnostic> {
    value[name].as_object().ok_or_else(|| {
        Diagnostic::error("netlist.json", format!("the netlist has no object `{name}`"))
            .with_help("write it by Yosys's command `write_json`")
    })
}
