//! Timing groups of pins: delays from inputs to outputs, and setup times.

use cocrypt_diag::Diagnostic;

use super::library::Context;
use super::syntax::Group;
use crate::table::Table;

/// The edges at an input that an edge at the output may follow from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edges {
    /// The same edge.
    Same,
    /// The opposite one.
    Opposite,
    /// Either.
    Either,
    /// The rising one alone, a clock's.
    Rising,
    /// The falling one alone, a clock's.
    Falling,
}

/// The delay from a pin to an output; tables by edge at the output, the rising one first.
#[derive(Clone, Debug)]
pub struct Arc {
    /// The input's name.
    pub from: String,
    /// Which edges cause which.
    pub edges: Edges,
    /// Delays in seconds.
    pub delays: [Option<Table>; 2],
    /// Transition times in seconds.
    pub slews: [Option<Table>; 2],
}

/// The setup time of a pin before a clock's edge; tables by edge at the pin, the rising one first.
#[derive(Clone, Debug)]
pub struct Constraint {
    /// The clock pin's name.
    pub clock: String,
    /// True if the clock's edge is the falling one.
    pub is_falling: bool,
    /// Seconds.
    pub setups: [Option<Table>; 2],
}

/// The delays and setup times of a pin's group. Holds, recoveries and pulse widths are left out.
pub fn read(pin: &Group, context: &Context) -> Result<(Vec<Arc>, Vec<Constraint>), Diagnostic> {
    let (mut arcs, mut constraints) = (vec![], vec![]);
    for timing in pin.all("timing") {
        let kind = timing.value("timing_type").unwrap_or("combinational");
        let edges = match kind {
            "combinational" | "combinational_rise" | "combinational_fall" => {
                unate(timing.value("timing_sense"))
            }
            "rising_edge" => Edges::Rising,
            "falling_edge" => Edges::Falling,
            "setup_rising" | "setup_falling" => {
                constraints.extend(constraint(timing, kind == "setup_falling", context)?);
                continue;
            }
            _ => continue,
        };
        let mut delays = pair(timing, ["cell_rise", "cell_fall"], context)?;
        match kind {
            "combinational_rise" => delays[1] = None,
            "combinational_fall" => delays[0] = None,
            _ => {}
        }
        let slews = pair(timing, ["rise_transition", "fall_transition"], context)?;
        for from in related(timing) {
            arcs.push(Arc { from, edges, delays: delays.clone(), slews: slews.clone() });
        }
    }
    Ok((arcs, constraints))
}

fn unate(sense: Option<&str>) -> Edges {
    match sense {
        Some("positive_unate") => Edges::Same,
        Some("negative_unate") => Edges::Opposite,
        _ => Edges::Either,
    }
}

fn constraint(
    timing: &Group,
    is_falling: bool,
    context: &Context,
) -> Result<Vec<Constraint>, Diagnostic> {
    let setups = pair(timing, ["rise_constraint", "fall_constraint"], context)?;
    let make = |clock| Constraint { clock, is_falling, setups: setups.clone() };
    Ok(related(timing).into_iter().map(make).collect())
}

/// The pins that a timing group is related to.
fn related(timing: &Group) -> Vec<String> {
    let names = timing.value("related_pin").unwrap_or_default();
    names.split_whitespace().map(str::to_owned).collect()
}

fn pair(
    timing: &Group,
    names: [&str; 2],
    context: &Context,
) -> Result<[Option<Table>; 2], Diagnostic> {
    let table = |name| timing.all(name).next().map(|group| context.table(group)).transpose();
    Ok([table(names[0])?, table(names[1])?])
}
