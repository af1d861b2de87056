//! The registers of a netlist, as far as they can be simulated: one clock, its rising edge.

use cocrypt_diag::Diagnostic;

use crate::function::Function;
use crate::liberty::Library;
use crate::netlist::{Net, Netlist};

/// A register of a netlist.
pub struct Clocked {
    /// The names of its state and of the complement.
    pub state: [String; 2],
    /// The pins of its outputs, each with its function of these names and its net.
    pub outputs: Vec<(usize, Function, Net)>,
    /// The next state.
    pub next: Function,
    /// The nets of the inputs of `next`.
    pub inputs: Vec<Net>,
    /// The net of the clock.
    pub clock: Net,
    /// The name of the clock's pin.
    pub clock_pin: String,
}

/// A register, or a diagnostic that says why it cannot be simulated.
pub fn read(netlist: &Netlist, library: &Library, index: usize) -> Result<Clocked, Diagnostic> {
    let instance = &netlist.instances[index];
    let cell = &library.cells[instance.cell];
    let wrong = |what: &str| {
        let message = format!("`{}` {what}", cell.name);
        let help = "use registers with one rising clock and without asynchronous clear and preset";
        Diagnostic::error("gates.register", message).with_help(help)
    };
    let Some(register) = cell.register.as_ref().filter(|_| !cell.is_other_state) else {
        return Err(wrong("has a state other than that of one flip-flop"));
    };
    if register.clock.inputs.len() != 1 || register.clock.table != 0b10 {
        return Err(wrong("is not clocked by the rising edge of one pin"));
    }
    for function in register.asynchronous.iter().flatten() {
        let nets = nets(netlist, library, index, &function.inputs)?;
        let values = nets.iter().enumerate().fold(0, |row, (bit, &net)| row | (net & 1) << bit);
        if nets.iter().any(|&net| net > 1) || function.value(values) {
            return Err(wrong("has an asynchronous clear or preset that can become active"));
        }
    }
    let outputs = cell.outputs().filter_map(|pin| Some((pin, instance.pins[pin]?)));
    let outputs: Option<Vec<_>> =
        outputs.map(|(pin, net)| Some((pin, cell.pins[pin].function.clone()?, net))).collect();
    let outputs = outputs.ok_or_else(|| wrong("has an output whose function is not known"))?;
    let is_state = |name: &String| register.state.contains(name);
    if !outputs.iter().all(|(_, function, _)| function.inputs.iter().all(is_state)) {
        return Err(wrong("has an output that is not its state alone"));
    }
    Ok(Clocked {
        state: register.state.clone(),
        outputs,
        next: register.next.clone(),
        inputs: nets(netlist, library, index, &register.next.inputs)?,
        clock: nets(netlist, library, index, &register.clock.inputs)?[0],
        clock_pin: register.clock.inputs[0].clone(),
    })
}

/// The nets at pins of an instance.
pub fn nets(
    netlist: &Netlist,
    library: &Library,
    index: usize,
    pins: &[String],
) -> Result<Vec<Net>, Diagnostic> {
    let instance = &netlist.instances[index];
    let cell = &library.cells[instance.cell];
    pins.iter()
        .map(|name| {
            cell.pin(name).and_then(|pin| instance.pins[pin]).ok_or_else(|| {
                let message = format!("`{}` names `{name}`, which is no connected pin", cell.name);
                Diagnostic::error("gates.function", message)
            })
        })
        .collect()
}
