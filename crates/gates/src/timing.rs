//! Static timing: the longest path of a netlist, from the tables of its library.
//!
//! Paths begin at inputs, at time 0 and with a given transition time, and at registers, whose ideal clock
//! rises at time 0 in no time. They end at outputs, and at registers a setup time before the next edge.

use cocrypt_diag::Diagnostic;

use crate::clock::{self, CLOCK, ClockEdge};
use crate::liberty::{Arc, Cell, Edges, Library};
use crate::netlist::{Net, Netlist};
use crate::table::Table;
use crate::wires::{Wires, loads};

/// The rising edge, as an index.
const RISE: usize = 0;
/// The falling edge.
const FALL: usize = 1;

/// A gate on a path.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The instance; None where the path begins at an input.
    pub instance: Option<usize>,
    /// The net that it drives.
    pub net: Net,
    /// Returns true if the net rises.
    pub rises: bool,
    /// Seconds since the clock's edge.
    pub arrival: f64,
    /// The transition time, seconds.
    pub slew: f64,
}

/// A path and its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// Its gates, from its beginning.
    pub steps: Vec<Step>,
    /// The register at its end; None for an output.
    pub end: Option<usize>,
    /// The register's setup time, seconds; 0 at an output.
    pub setup: f64,
}

/// The timing of a netlist.
#[derive(Clone, Debug, PartialEq)]
pub struct Timing {
    /// The shortest period of the clock, seconds: the longest path with its setup time.
    pub period: f64,
    /// The longest path; None in a design without paths.
    pub critical: Option<Path>,
}

/// Arrival, transition time and cause of an edge at a net.
#[derive(Clone, Copy)]
struct Edge {
    arrival: f64,
    slew: f64,
    cause: Option<(usize, Net, usize)>,
}

/// An edge of an ideal clock.
const IDEAL: Edge = Edge { arrival: 0.0, slew: 0.0, cause: None };

/// The timing of a netlist; inputs have the transition time `input_slew` (seconds).
///
/// # Errors
/// A diagnostic for a loop without a register, and, with the code `CLOCK`, unless all registers are clocked by the
/// same edge of one input: paths between two edges have less than a period, or one that is not known.
pub fn timing(
    netlist: &Netlist,
    library: &Library,
    wires: &Wires,
    input_slew: f64,
) -> Result<Timing, Diagnostic> {
    clock::single(netlist, clock_edges(netlist, library)?)?;
    Ok(Analysis::new(netlist, library, wires, input_slew)?.longest())
}

/// The delay in seconds of each arc of an instance to one of its outputs, with the input's pin: the mean over the edges
/// that follow from one another.
///
/// # Errors
/// A diagnostic for a loop without a register.
pub fn arc_delays<'a>(
    netlist: &'a Netlist,
    library: &'a Library,
    wires: &Wires,
) -> Result<impl Fn(usize, usize) -> Vec<(usize, f64)> + 'a, Diagnostic> {
    let analysis = Analysis::new(netlist, library, wires, 0.0)?;
    Ok(move |instance, output| analysis.arc_delays(instance, output))
}

/// The clock edges of all registers and latches.
fn clock_edges(netlist: &Netlist, library: &Library) -> Result<Vec<ClockEdge>, Diagnostic> {
    let mut edges = vec![];
    for instance in &netlist.instances {
        let cell = &library.cells[instance.cell];
        for (pin, is_falling) in clock_pins(cell)? {
            let net = cell.pin(pin).and_then(|pin| instance.pins[pin]);
            edges.extend(net.map(|net| ClockEdge { net, is_falling }));
        }
    }
    Ok(edges)
}

/// The clock pins of a cell, each with true for its falling edge; of a latch, those of its delays and setup times.
fn clock_pins(cell: &Cell) -> Result<Vec<(&str, bool)>, Diagnostic> {
    if let Some(register) = &cell.register {
        return match (&register.clock.inputs[..], register.clock.table) {
            ([pin], 0b10) => Ok(vec![(pin, false)]),
            ([pin], 0b01) => Ok(vec![(pin, true)]),
            _ => Err(Diagnostic::error(
                CLOCK,
                format!("`{}` is not clocked by an edge of one pin", cell.name),
            )
            .with_help("use registers with one clock pin")),
        };
    }
    let arcs = cell.pins.iter().flat_map(|pin| &pin.arcs).filter_map(|arc| match arc.edges {
        Edges::Rising => Some((&*arc.from, false)),
        Edges::Falling => Some((&*arc.from, true)),
        _ => None,
    });
    let constraints = cell.pins.iter().flat_map(|pin| &pin.constraints);
    let constraints = constraints.map(|constraint| (&*constraint.clock, constraint.is_falling));
    Ok(arcs.chain(constraints).collect())
}

struct Analysis<'a> {
    netlist: &'a Netlist,
    library: &'a Library,
    loads: Vec<[f64; 2]>,
    edges: Vec<[Option<Edge>; 2]>,
}

impl<'a> Analysis<'a> {
    /// The edges at all nets; inputs have the transition time `input_slew` (seconds).
    fn new(
        netlist: &'a Netlist,
        library: &'a Library,
        wires: &Wires,
        input_slew: f64,
    ) -> Result<Self, Diagnostic> {
        let order = netlist.order(library)?;
        let loads = loads(netlist, library, wires);
        let mut new = Self { netlist, library, loads, edges: vec![[None; 2]; netlist.nets.len()] };
        let inputs = netlist.ports.iter().filter(|port| !port.is_output);
        for &net in inputs.flat_map(|port| &port.bits) {
            new.edges[net] = [Some(Edge { arrival: 0.0, slew: input_slew, cause: None }); 2];
        }
        for index in order {
            new.propagate(index);
        }
        Ok(new)
    }

    fn propagate(&mut self, index: usize) {
        let instance = &self.netlist.instances[index];
        let cell = &self.library.cells[instance.cell];
        for output in cell.outputs() {
            let Some(net) = instance.pins[output] else { continue };
            for arc in &cell.pins[output].arcs {
                let from = cell.pin(&arc.from).and_then(|pin| instance.pins[pin]);
                if let Some(from) = from {
                    self.follow(index, arc, from, net);
                }
            }
        }
    }

    /// Carries the edges at a net over an arc to another.
    fn follow(&mut self, index: usize, arc: &Arc, from: Net, to: Net) {
        for (input, output) in causes(arc.edges) {
            let Some((start, delay)) = self.delay(arc, from, to, (input, output)) else { continue };
            let slew = arc.slews[output].as_ref();
            let slew = slew.map_or(0.0, |table| table.at(start.slew, self.loads[to][output], 0.0));
            let arrival = start.arrival + delay;
            self.merge(to, output, Edge { arrival, slew, cause: Some((index, from, input)) });
        }
    }

    /// The edge at a net that begins an arc, and the seconds until the other one; a clock's is ideal.
    fn delay(&self, arc: &Arc, from: Net, to: Net, pair: (usize, usize)) -> Option<(Edge, f64)> {
        let (input, output) = pair;
        let is_clocked = matches!(arc.edges, Edges::Rising | Edges::Falling);
        let start = if is_clocked { IDEAL } else { self.edges[from][input]? };
        Some((start, self.delay_behind(start, arc, to, output)?))
    }

    fn delay_behind(&self, start: Edge, arc: &Arc, to: Net, output: usize) -> Option<f64> {
        Some(arc.delays[output].as_ref()?.at(start.slew, self.loads[to][output], 0.0))
    }

    /// The delays of an instance to an output, by the pins at which they begin.
    fn arc_delays(&self, index: usize, output: usize) -> Vec<(usize, f64)> {
        let instance = &self.netlist.instances[index];
        let cell = &self.library.cells[instance.cell];
        let mean = |arc: &Arc| {
            let pin = cell.pin(&arc.from)?;
            let (from, to) = (instance.pins[pin]?, instance.pins[output]?);
            // Constants have no edges; whatever their delay is, nothing is seen of it.
            let known = |pair| self.delay(arc, from, to, pair).map(|(_, delay)| delay);
            let delays = causes(arc.edges).filter_map(|pair| {
                known(pair).or_else(|| self.delay_behind(IDEAL, arc, to, pair.1))
            });
            let delays: Vec<_> = delays.collect();
            let sum: f64 = delays.iter().sum();
            (!delays.is_empty()).then(|| (pin, sum / delays.len() as f64))
        };
        cell.pins[output].arcs.iter().filter_map(mean).collect()
    }

    /// Keeps the latest arrival and the longest transition of an edge.
    fn merge(&mut self, net: Net, edge: usize, new: Edge) {
        let kept = self.edges[net][edge].get_or_insert(new);
        let slew = kept.slew.max(new.slew);
        if new.arrival > kept.arrival {
            *kept = new;
        }
        kept.slew = slew;
    }

    fn longest(&self) -> Timing {
        let mut ends: Vec<(f64, Net, usize, Option<usize>, f64)> = vec![];
        for port in self.netlist.ports.iter().filter(|port| port.is_output) {
            for (&net, edge) in port.bits.iter().flat_map(|net| [(net, RISE), (net, FALL)]) {
                ends.extend(self.edges[net][edge].map(|at| (at.arrival, net, edge, None, 0.0)));
            }
        }
        for (index, instance) in self.netlist.instances.iter().enumerate() {
            let cell = &self.library.cells[instance.cell];
            for input in cell.inputs() {
                let Some(net) = instance.pins[input] else { continue };
                for edge in [RISE, FALL] {
                    let Some(at) = self.edges[net][edge] else { continue };
                    for setup in setups(cell, input, edge, at.slew) {
                        ends.push((at.arrival + setup, net, edge, Some(index), setup));
                    }
                }
            }
        }
        let longest = ends.into_iter().max_by(|a, b| a.0.total_cmp(&b.0));
        let Some((period, net, edge, end, setup)) = longest else {
            return Timing { period: 0.0, critical: None };
        };
        let critical = Some(Path { steps: self.path(net, edge), end, setup });
        Timing { period, critical }
    }

    /// The gates that lead to an edge at a net.
    fn path(&self, net: Net, edge: usize) -> Vec<Step> {
        let (mut steps, mut place) = (vec![], Some((net, edge)));
        while let Some((net, edge)) = place {
            let Some(found) = self.edges[net][edge] else { break };
            steps.push(Step {
                instance: found.cause.map(|cause| cause.0),
                net,
                rises: edge == RISE,
                arrival: found.arrival,
                slew: found.slew,
            });
            let is_register = |index: usize| {
                self.library.cells[self.netlist.instances[index].cell].register.is_some()
            };
            place =
                found.cause.filter(|cause| !is_register(cause.0)).map(|cause| (cause.1, cause.2));
        }
        steps.reverse();
        steps
    }
}

/// Edges at the beginning of an arc, each with one at its end that may follow.
fn causes(edges: Edges) -> impl Iterator<Item = (usize, usize)> {
    let is_cause = move |&(input, output): &(usize, usize)| match edges {
        Edges::Same => input == output,
        Edges::Opposite => input != output,
        Edges::Either => true,
        Edges::Rising => input == RISE,
        Edges::Falling => input == FALL,
    };
    [(RISE, RISE), (FALL, RISE), (RISE, FALL), (FALL, FALL)].into_iter().filter(is_cause)
}

/// The setup times of an edge at an input; 0 where the next state reads the input and the library states none.
fn setups(cell: &Cell, input: usize, edge: usize, slew: f64) -> Vec<f64> {
    let pin = &cell.pins[input];
    let setup =
        |table: &Option<Table>| table.as_ref().map_or(0.0, |table| table.at(slew, 0.0, 0.0));
    let stated: Vec<_> =
        pin.constraints.iter().map(|constraint| setup(&constraint.setups[edge])).collect();
    let is_state =
        cell.register.as_ref().is_some_and(|state| state.next.inputs.contains(&pin.name));
    if stated.is_empty() && is_state { vec![0.0] } else { stated }
}
