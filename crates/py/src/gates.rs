//! Liberty libraries and gate netlists: areas, timing, Verilog.

use cocrypt_diag::{Diagnostic, Source};
use cocrypt_gates as gates;
use gates::{Library, Netlist, Path, Timing, Wires};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::convert::to_python;
use crate::errors::raise;

/// A library with a netlist of its cells.
type Design = (Library, Netlist);

fn design(name: &str, text: &str, netlist: &str) -> Result<Design, Diagnostic> {
    let library = Library::read(&Source::new(name, text))?;
    let netlist = Netlist::from_json(netlist, &library)?;
    Ok((library, netlist))
}

/// A library: its name, supply, area of a gate equivalent, and cells, each with area, input capacitance, and
/// for a gate of one output the inputs and truth table of its function.
#[pyfunction]
pub fn gates_library<'py>(py: Python<'py>, name: &str, text: &str) -> PyResult<Bound<'py, PyAny>> {
    let library = Library::read(&Source::new(name, text)).map_err(|wrong| raise(py, &[wrong]))?;
    let cells: Vec<_> = library.cells.iter().map(cell).collect();
    let values = json!({
        "name": library.name,
        "volts": library.volts,
        "gate_equivalent": library.gate_equivalent(),
        "cells": cells,
    });
    to_python(py, &values)
}

fn cell(cell: &gates::Cell) -> Value {
    let capacitance = cell.inputs().map(|pin| cell.pins[pin].capacitance).fold(0.0, f64::max);
    json!({
        "name": cell.name,
        "area": cell.area,
        "input_capacitance": capacitance,
        "inputs": cell.gate().map(|function| &function.inputs),
        "table": cell.gate().map(|function| function.table),
        "is_flip_flop": cell.register.is_some(),
        "is_forbidden": cell.is_forbidden,
    })
}

/// The area and the longest path of a netlist in Yosys's JSON; wires in farads of a net, of each pin that it
/// leads to, and of each output. Inputs change in no time.
#[pyfunction]
pub fn gates_report<'py>(
    py: Python<'py>,
    name: &str,
    text: &str,
    netlist: &str,
    wires: (f64, f64, f64),
) -> PyResult<Bound<'py, PyAny>> {
    let values = py
        .detach(|| {
            let (library, netlist) = design(name, text, netlist)?;
            let (base, fanout, output) = wires;
            let wires = Wires { base, fanout, output };
            let timing = gates::timing(&netlist, &library, &wires, 0.0)?;
            Ok(report(&library, &netlist, &timing))
        })
        .map_err(|wrong: Diagnostic| raise(py, &[wrong]))?;
    to_python(py, &values)
}

fn report(library: &Library, netlist: &Netlist, timing: &Timing) -> Value {
    let area = gates::area(netlist, library);
    json!({
        "name": netlist.name,
        "library": library.name,
        "area": area.total,
        "registers_area": area.registers,
        "area_GE": area.gate_equivalents,
        "cells": area.cells,
        "period_s": timing.critical.as_ref().map(|_| timing.period),
        "path": timing.critical.as_ref().map(|path| steps(library, netlist, path)),
    })
}

/// The steps of a path, the last one at its end.
fn steps(library: &Library, netlist: &Netlist, path: &Path) -> Value {
    let cell = |index: usize| &*library.cells[netlist.instances[index].cell].name;
    let mut steps: Vec<_> = path
        .steps
        .iter()
        .map(|step| {
            json!({
                "cell": step.instance.map(cell),
                "net": netlist.nets[step.net],
                "rises": step.rises,
                "arrival_s": step.arrival,
            })
        })
        .collect();
    if let (Some(end), Some(last)) = (path.end, path.steps.last()) {
        steps.push(json!({
            "cell": cell(end),
            "net": netlist.nets[last.net],
            "rises": last.rises,
            "arrival_s": last.arrival + path.setup,
        }));
    }
    json!(steps)
}

/// A netlist in Yosys's JSON as structural Verilog.
#[pyfunction]
pub fn gates_verilog(py: Python<'_>, name: &str, text: &str, netlist: &str) -> PyResult<String> {
    let (library, netlist) = design(name, text, netlist).map_err(|wrong| raise(py, &[wrong]))?;
    Ok(gates::verilog(&netlist, &library))
}
