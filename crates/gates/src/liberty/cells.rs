//! Cells and their pins.

use cocrypt_diag::Diagnostic;

use super::arcs::{self, Arc, Constraint};
use super::library::Context;
use super::syntax::Group;
use crate::function::{Function, Wrong};

/// The largest capacitance of a pin, farads; real ones are a thousand times smaller. Sums of energies, in
/// tenths of femtofarads, stay far below 64 bits.
const MOST_FARADS: f64 = 1e-9;

/// The direction of a pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Into the cell.
    Input,
    /// Out of it.
    Output,
    /// Anything else, such as a pin within the cell or in both directions.
    Other,
}

/// A pin of a cell.
#[derive(Clone, Debug)]
pub struct Pin {
    /// Its name.
    pub name: String,
    /// Its direction.
    pub direction: Direction,
    /// Farads.
    pub capacitance: f64,
    /// Farads at a rising and at a falling edge.
    pub edge_capacitances: [f64; 2],
    /// The value of an output; it may name the state of a register. None if it is unknown or too wide.
    pub function: Option<Function>,
    /// Returns true if it can be high-impedance.
    pub is_tristate: bool,
    /// Delays to it.
    pub arcs: Vec<Arc>,
    /// Its setup times.
    pub constraints: Vec<Constraint>,
}

/// The flip-flop within a cell.
#[derive(Clone, Debug)]
pub struct Register {
    /// The names of its state and of the complement, for functions of outputs.
    pub state: [String; 2],
    /// The clock, active at its rising edge.
    pub clock: Function,
    /// The next state.
    pub next: Function,
    /// The asynchronous clear and preset.
    pub asynchronous: [Option<Function>; 2],
}

/// A cell of a library.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Its name.
    pub name: String,
    /// In the library's unit, which is usually µm².
    pub area: f64,
    /// Its pins, in the file's order.
    pub pins: Vec<Pin>,
    /// Its flip-flop.
    pub register: Option<Register>,
    /// True if it holds a state other than that of one flip-flop, as a latch does.
    pub is_other_state: bool,
    /// True if the library forbids its use.
    pub is_forbidden: bool,
}

impl Cell {
    /// The index of a pin.
    #[must_use]
    pub fn pin(&self, name: &str) -> Option<usize> {
        self.pins.iter().position(|pin| pin.name == name)
    }

    /// The indexes of its inputs, in order.
    pub fn inputs(&self) -> impl Iterator<Item = usize> + '_ {
        let is_input = |&index: &usize| self.pins[index].direction == Direction::Input;
        (0..self.pins.len()).filter(is_input)
    }

    /// The indexes of its outputs, in order.
    pub fn outputs(&self) -> impl Iterator<Item = usize> + '_ {
        let is_output = |&index: &usize| self.pins[index].direction == Direction::Output;
        (0..self.pins.len()).filter(is_output)
    }

    /// The function of a gate with one output and no state.
    #[must_use]
    pub fn gate(&self) -> Option<&Function> {
        let mut outputs = self.outputs();
        let (Some(output), None) = (outputs.next(), outputs.next()) else { return None };
        let pin = &self.pins[output];
        let has_state = self.register.is_some() || self.is_other_state || pin.is_tristate;
        if has_state { None } else { pin.function.as_ref() }
    }
}

/// A cell from its group.
pub fn read(group: &Group, context: &Context) -> Result<Cell, Diagnostic> {
    let mut cell = Cell {
        name: group.argument().to_owned(),
        area: group.number("area")?.unwrap_or(0.0),
        pins: vec![],
        register: None,
        is_other_state: is_other_state(group),
        is_forbidden: group.value("dont_use") == Some("true"),
    };
    for pin in group.all("pin") {
        for name in &pin.arguments {
            cell.pins.push(read_pin(name, pin, context)?);
        }
    }
    cell.register = group.all("ff").next().map(register).transpose()?;
    Ok(cell)
}

fn is_other_state(group: &Group) -> bool {
    let banks = ["latch", "latch_bank", "ff_bank", "statetable", "memory"];
    group.all("ff").count() > 1 || group.groups.iter().any(|inner| banks.contains(&&*inner.name))
}

fn register(ff: &Group) -> Result<Register, Diagnostic> {
    let required = |name: &str| {
        function(ff, name)?.ok_or_else(|| {
            let message = format!("a flip-flop has no `{name}`, or one with too many inputs");
            Diagnostic::error("liberty.flip-flop", message)
                .with_label(ff.span.clone(), "of this flip-flop")
        })
    };
    let state = |index: usize| ff.arguments.get(index).cloned().unwrap_or_default();
    Ok(Register {
        state: [state(0), state(1)],
        clock: required("clocked_on")?,
        next: required("next_state")?,
        asynchronous: [function(ff, "clear")?, function(ff, "preset")?],
    })
}

fn read_pin(name: &str, group: &Group, context: &Context) -> Result<Pin, Diagnostic> {
    let direction = match group.value("direction") {
        Some("input") => Direction::Input,
        Some("output") => Direction::Output,
        _ => Direction::Other,
    };
    let default = if direction == Direction::Input { context.input_capacitance } else { 0.0 };
    let farads = |name: &str| capacitance(group, name, context.farads);
    let capacitance = farads("capacitance")?.unwrap_or(default);
    let rise = farads("rise_capacitance")?.unwrap_or(capacitance);
    let fall = farads("fall_capacitance")?.unwrap_or(capacitance);
    let (arcs, constraints) = arcs::read(group, context)?;
    Ok(Pin {
        name: name.to_owned(),
        direction,
        capacitance,
        edge_capacitances: [rise, fall],
        function: function(group, "function")?,
        is_tristate: group.attribute("three_state").is_some(),
        arcs,
        constraints,
    })
}

/// The capacitance of a pin that an attribute has, farads.
pub fn capacitance(group: &Group, name: &str, unit: f64) -> Result<Option<f64>, Diagnostic> {
    let value = group.number(name)?.map(|value| value * unit);
    let (Some(farads), Some(attribute)) = (value, group.attribute(name)) else { return Ok(value) };
    if (0.0..=MOST_FARADS).contains(&farads) {
        return Ok(value);
    }
    let message = format!("`{name}` is {farads:e} F, which no pin of a cell has");
    Err(Diagnostic::error("liberty.capacitance", message)
        .with_label(attribute.span.clone(), "from 0 to 1e-9 F are accepted here")
        .with_help("correct the number, or the unit in `capacitive_load_unit`"))
}

fn function(group: &Group, name: &str) -> Result<Option<Function>, Diagnostic> {
    let Some(attribute) = group.attribute(name) else { return Ok(None) };
    let text = attribute.values.first().map_or("", String::as_str);
    match Function::parse(text) {
        Ok(function) => Ok(Some(function)),
        Err(Wrong::TooManyInputs) => Ok(None),
        Err(Wrong::Written(why)) => {
            let message = format!("`{text}` is no function: {why}");
            Err(Diagnostic::error("liberty.function", message)
                .with_label(attribute.span.clone(), "here"))
        }
    }
}
