//! FDL designs: check, simulate, export.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cocrypt_diag::{Diagnostic, Source};
use cocrypt_fdl as fdl;
use cocrypt_rtl::{
    Block, Direction, Language, NetKind, Netlist, PortId, ScopeId, Simulator, Standard,
    exported_ports, verilog_name, vhdl_name,
};
use cocrypt_soc::{Access, Hardware};
use cocrypt_verilated::Verilated;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Value, json};

use crate::convert::to_python;
use crate::errors::raise;
use crate::fdl_blocks::{Libraries, attach, unsupported};
use crate::fdl_files::{Beside, bounded, open};

/// Instances times signals of a design that is written in another language.
const EXPORTED: usize = 1 << 25;

/// The netlist of a design without blocks in other languages: of its datapath `top`, or of the one that no
/// other uses.
pub fn netlist(path: &Path, top: Option<&str>) -> Result<Arc<Netlist>, Vec<Diagnostic>> {
    let netlist = any_netlist(path, top)?;
    if netlist.blocks.is_empty() { Ok(netlist) } else { Err(vec![unsupported(&netlist, 0)]) }
}

/// The same of any design.
fn any_netlist(path: &Path, top: Option<&str>) -> Result<Arc<Netlist>, Vec<Diagnostic>> {
    let model = model(path, false, None)?;
    let netlist = fdl::netlist(&model, top).map_err(|wrong| vec![wrong])?;
    Ok(Arc::new(netlist))
}

/// The same of a design that is to be hardware, without programs in it.
fn hardware(path: &Path, top: Option<&str>) -> Result<Arc<Netlist>, Vec<Diagnostic>> {
    let netlist = any_netlist(path, top)?;
    if netlist.scopes.len().saturating_mul(netlist.nets.len()) > EXPORTED {
        let message = format!(
            "a design with {} instances and {} signals is too large to be written",
            netlist.scopes.len(),
            netlist.nets.len()
        );
        let help = "choose a part of it with `--top`; instances times signals are at most 2^25";
        return Err(vec![Diagnostic::error("fdl.too-large", message).with_help(help)]);
    }
    let Some(face) = netlist.faces.first() else { return Ok(netlist) };
    let message = format!(
        "`{}` belongs to the program of `{}`, and cannot leave the simulator",
        face.block, face.core
    );
    let help =
        "choose a datapath without such blocks with `--top`, and reach it by way of a register map";
    Err(vec![Diagnostic::error("fdl.block", message).with_help(help)])
}

/// A design as it was written, and checked: as GEZEL takes it, which runs the datapath `top` or what systems
/// name, or else with cocrypt's extensions.
pub fn model(path: &Path, gezel: bool, top: Option<&str>) -> Result<fdl::Model, Vec<Diagnostic>> {
    let name = path.display().to_string();
    let text = text(path).map_err(|why| {
        let message = format!("{name} cannot be read: {why}");
        let help = "give the path of an FDL file";
        vec![Diagnostic::error("fdl.unreadable", message).with_help(help)]
    })?;
    let (dialect, top) =
        if gezel { (fdl::Dialect::Gezel, top) } else { (fdl::Dialect::Extended, None) };
    fdl::load_top(&Source::new(&name, &text), dialect, &Beside::new(path), top)
}

/// The text of a file that can be a design.
fn text(path: &Path) -> Result<String, String> {
    let bytes = bounded(open(path)?, fdl::LARGEST as u64)?;
    String::from_utf8(bytes).map_err(|_| "it is no text in UTF-8".to_owned())
}

/// Checks a design; returns its warnings and raises `DiagnosticError` on errors.
#[pyfunction]
#[pyo3(signature = (path, gezel = false))]
pub fn fdl_check(py: Python<'_>, path: PathBuf, gezel: bool) -> PyResult<Bound<'_, PyAny>> {
    let model = model(&path, gezel, None).map_err(|wrong| raise(py, &wrong))?;
    fdl::netlist(&model, None).map_err(|wrong| raise(py, &[wrong]))?;
    let warnings = model.warnings.iter().map(Diagnostic::to_json).collect();
    to_python(py, &Value::Array(warnings))
}

/// The same without blocks in these languages.
fn without(
    path: &Path,
    top: Option<&str>,
    refused: &[Language],
) -> Result<Arc<Netlist>, Vec<Diagnostic>> {
    let netlist = hardware(path, top)?;
    let is_refused = |block: &Block| refused.contains(&block.language);
    match netlist.blocks.iter().position(is_refused) {
        Some(index) => Err(vec![unsupported(&netlist, index)]),
        None => Ok(netlist),
    }
}

/// The design as Verilog-2001. Blocks in Verilog are refused, or else instantiated: their modules are in files
/// of their own.
#[pyfunction]
#[pyo3(signature = (path, top = None, blocks = false))]
pub fn fdl_verilog(
    py: Python<'_>,
    path: PathBuf,
    top: Option<&str>,
    blocks: bool,
) -> PyResult<String> {
    let all = [Language::Cpp, Language::Verilog];
    let refused = if blocks { &all[..1] } else { &all[..] };
    let netlist = without(&path, top, refused).map_err(|wrong| raise(py, &wrong))?;
    Ok(cocrypt_rtl::verilog(&netlist))
}

/// The design as VHDL of the standard of 1993, or else of 2008.
#[pyfunction]
pub fn fdl_vhdl(
    py: Python<'_>,
    path: PathBuf,
    top: Option<&str>,
    standard: u16,
) -> PyResult<String> {
    let all = [Language::Cpp, Language::Verilog];
    let netlist = without(&path, top, &all).map_err(|wrong| raise(py, &wrong))?;
    let standard = if standard == 93 { Standard::Vhdl93 } else { Standard::Vhdl2008 };
    Ok(cocrypt_rtl::vhdl(&netlist, standard))
}

/// A picture of a design as text: of its state machines, for Graphviz (`states`) or Mermaid (`mermaid`), or
/// of one datapath for Graphviz (`datapath`) or as JSON (`connections`); or the names of the datapaths that are no
/// copies, as JSON (`datapaths`).
#[pyfunction]
pub fn fdl_diagram(
    py: Python<'_>,
    path: PathBuf,
    kind: &str,
    top: Option<&str>,
) -> PyResult<String> {
    let model = model(&path, false, None).map_err(|wrong| raise(py, &wrong))?;
    Ok(match kind {
        "states" => fdl::diagram::states_dot(&model),
        "mermaid" => fdl::diagram::states_mermaid(&model),
        "datapaths" => {
            // A block in another language has nothing but ports.
            let own = model.datapaths.iter();
            let own = own.filter(|each| each.original.is_none() && each.user.is_none());
            json!(own.map(|datapath| &datapath.name).collect::<Vec<_>>()).to_string()
        }
        _ => {
            let top = fdl::top(&model, top).map_err(|wrong| raise(py, &[wrong]))?;
            match kind {
                "connections" => connections(&model, top).to_string(),
                _ => fdl::diagram::datapath_dot(&model, top),
            }
        }
    })
}

/// The elements of a datapath, its sfgs, and the arrows between elements.
fn connections(model: &fdl::Model, top: usize) -> Value {
    let drawn = fdl::diagram::connections(model, top);
    let elements = drawn.elements.iter().map(|element| {
        json!({ "kind": element.shape.word(), "lines": element.lines, "group": element.group })
    });
    let arrows = drawn.arrows.iter();
    let arrows =
        arrows.map(|arrow| json!({ "from": arrow.from, "to": arrow.to, "label": arrow.label }));
    json!({
        "name": drawn.name,
        "groups": drawn.groups,
        "elements": elements.collect::<Vec<_>>(),
        "arrows": arrows.collect::<Vec<_>>(),
    })
}

/// The names of the datapaths that can be a top with outputs: those that a system names, or nobody uses.
#[pyfunction]
pub fn fdl_tops(py: Python<'_>, path: PathBuf) -> PyResult<Vec<String>> {
    let model = model(&path, false, None).map_err(|wrong| raise(py, &wrong))?;
    Ok(fdl::tops(&model))
}

/// The names of the top and its ports in the exported texts.
#[pyfunction]
pub fn fdl_ports<'py>(
    py: Python<'py>,
    path: PathBuf,
    top: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let netlist = hardware(&path, top).map_err(|wrong| raise(py, &wrong))?;
    let ports = exported_ports(&netlist).into_iter().map(|port| {
        json!({
            "name": port.name,
            "output": port.direction == Direction::Output,
            "width": port.width,
            "verilog": port.verilog,
            "vhdl": port.vhdl,
        })
    });
    let (name, top) = (&netlist.scopes[0].name, ScopeId(0));
    let described = json!({
        "name": name,
        "verilog": verilog_name(&netlist, top),
        "vhdl": vhdl_name(&netlist, top),
        "ports": ports.collect::<Vec<_>>(),
    });
    to_python(py, &described)
}

/// Runs a design for as many cycles as there are stimuli, each a dictionary of inputs that keep their
/// value until they are set again; returns the outputs of each cycle, before its clock edge. A compiled
/// run is one of machine code from the first cycle on, where there is any. `libraries` has those of the blocks in
/// other languages, whose faults raise `ValueError`.
#[pyfunction]
#[pyo3(signature = (path, top, stimuli, compiled = false, libraries = HashMap::new()))]
pub fn fdl_simulate<'py>(
    py: Python<'py>,
    path: PathBuf,
    top: Option<&str>,
    stimuli: Vec<Bound<'py, PyDict>>,
    compiled: bool,
    libraries: Libraries,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let netlist = any_netlist(&path, top).map_err(|wrong| raise(py, &wrong))?;
    let mut simulator = Simulator::new(Arc::clone(&netlist));
    attach(&mut simulator, &netlist, &libraries).map_err(|wrong| raise(py, &wrong))?;
    if compiled {
        simulator.compile();
    }
    let outputs = outputs(&netlist, &simulator);
    let mut results = vec![];
    for stimulus in stimuli {
        for (name, value) in stimulus.iter() {
            let name: String = name.extract()?;
            let port = simulator
                .input(&name)
                .ok_or_else(|| PyValueError::new_err(format!("there is no input `{name}`")))?;
            simulator.set_input_wide(port, &limbs(&value)?);
        }
        let row = PyDict::new(py);
        for (name, port) in &outputs {
            row.set_item(name, integer(py, &simulator.output_wide(*port))?)?;
        }
        results.push(row);
        simulator.step();
        if let Some(fault) = simulator.fault().filter(|_| !netlist.blocks.is_empty()) {
            return Err(PyValueError::new_err(fault.to_string()));
        }
    }
    Ok(results)
}

/// Runs a design in Verilog by its register port: `library` is the compiled design, and each
/// row a cycle, with `address`, `wdata`, `write` and `read`. Returns `rdata` of each cycle, 0 where it was
/// not read.
#[pyfunction]
pub fn verilog_simulate(library: PathBuf, rows: Vec<HashMap<String, u32>>) -> PyResult<Vec<u32>> {
    let mut hardware =
        Verilated::load(&library).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let answer = |row: &HashMap<String, u32>| {
        let field = |name| row.get(name).copied().unwrap_or_default();
        let write = field("write") != 0;
        if !write && field("read") == 0 {
            hardware.run_idle(1);
            return 0;
        }
        hardware.access(Access { address: field("address"), wdata: field("wdata"), write })
    };
    Ok(rows.iter().map(answer).collect())
}

fn outputs(netlist: &Netlist, simulator: &Simulator) -> Vec<(String, PortId)> {
    let nets = netlist.scopes[0].ports.iter().map(|id| netlist.net(*id));
    nets.filter(|net| net.kind == NetKind::Port(Direction::Output))
        .filter_map(|net| Some((net.name.clone(), simulator.output(&net.name)?)))
        .collect()
}

/// A Python integer of any size as limbs of 64 bits, least significant first.
fn limbs(value: &Bound<'_, PyAny>) -> PyResult<Vec<u64>> {
    let bits: usize = value.call_method0("bit_length")?.extract()?;
    let size = 8 * bits.div_ceil(64).max(1);
    let bytes: Vec<u8> = value.call_method1("to_bytes", (size, "little"))?.extract()?;
    let limbs = bytes.chunks_exact(8);
    Ok(limbs
        .map(|limb| limb.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte)))
        .collect())
}

/// The other way round.
fn integer<'py>(py: Python<'py>, limbs: &[u64]) -> PyResult<Bound<'py, PyAny>> {
    let bytes: Vec<u8> = limbs.iter().flat_map(|limb| limb.to_le_bytes()).collect();
    let int = py.import("builtins")?.getattr("int")?;
    int.call_method1("from_bytes", (bytes.as_slice(), "little"))
}
