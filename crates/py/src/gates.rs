//! Liberty libraries and gate netlists: areas, timing, Verilog.

use std::collections::HashMap;
use std::thread;

use cocrypt_diag::{Diagnostic, Source};
use cocrypt_gates as gates;
use gates::core::{Access, Execution, Start, Task, execute};
use gates::sim::{
    Delays, Energy, Instructions, LANES, Program, Simulator, UNIT, WORTHWHILE, Word, random_spread,
};
use gates::{Library, Net, Netlist, Path, Timing, Wires};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
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
/// for a gate of one output that pin, the inputs and the truth table of its function.
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
        "output": cell.gate().and_then(|_| cell.outputs().next()).map(|pin| &cell.pins[pin].name),
        "inputs": cell.gate().map(|function| &function.inputs),
        "table": cell.gate().map(|function| function.table),
        "is_flip_flop": cell.register.is_some(),
        "is_forbidden": cell.is_forbidden,
    })
}

/// The area and the longest path of a netlist in Yosys's JSON; wires in farads of a net, of each pin that it
/// leads to, and of each output. Inputs change in no time. Without a single clock the path is not known, and
/// `period_unknown` says why.
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
            let timing = match gates::timing(&netlist, &library, &wires, 0.0) {
                Ok(timing) => Ok(timing),
                Err(wrong) if wrong.code == gates::CLOCK => Err(wrong.message),
                Err(wrong) => return Err(wrong),
            };
            Ok(report(&library, &netlist, &timing))
        })
        .map_err(|wrong: Diagnostic| raise(py, &[wrong]))?;
    to_python(py, &values)
}

fn report(library: &Library, netlist: &Netlist, timing: &Result<Timing, String>) -> Value {
    let area = gates::area(netlist, library);
    let known = timing.as_ref().ok();
    let critical = known.and_then(|timing| timing.critical.as_ref());
    json!({
        "name": netlist.name,
        "library": library.name,
        "area": area.total,
        "registers_area": area.registers,
        "area_GE": area.gate_equivalents,
        "cells": area.cells,
        "period_s": known.filter(|timing| timing.critical.is_some()).map(|timing| timing.period),
        "period_unknown": timing.as_ref().err(),
        "path": critical.map(|path| steps(library, netlist, path)),
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

/// The energy of a cycle with random inputs: `mean_J` and `deviation_J`, null without a supply; `size` is cycles,
/// batches of 512 runs, and a seed. Delays are those of `gates_simulate`.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "Python names them")]
pub fn gates_energy<'py>(
    py: Python<'py>,
    name: &str,
    text: &str,
    netlist: &str,
    wires: (f64, f64, f64),
    mismatch: (f64, u64),
    tick: Option<f64>,
    size: (usize, usize, u64),
) -> PyResult<Bound<'py, PyAny>> {
    let values = py
        .detach(|| {
            let (library, netlist) = design(name, text, netlist)?;
            let simulated_cycles = size.0.saturating_mul(size.1);
            let (program, energy) =
                simulated(&library, &netlist, wires, mismatch, tick, simulated_cycles)?;
            let workers = thread::available_parallelism().map_or(1, usize::from);
            let spread = random_spread(&netlist, &program, &energy, size, workers);
            // A toggle takes half of C times the square of the supply.
            let joules = library.volts.map(|volts| UNIT * volts * volts / 2.0);
            Ok(json!({
                "mean_J": joules.map(|joules| spread.mean * joules),
                "deviation_J": joules.map(|joules| spread.deviation * joules),
            }))
        })
        .map_err(|wrong: Diagnostic| raise(py, &[wrong]))?;
    to_python(py, &values)
}

/// The program of a netlist and its energy, for simulations of so many cycles together.
fn simulated(
    library: &Library,
    netlist: &Netlist,
    (base, fanout, output): (f64, f64, f64),
    mismatch: (f64, u64),
    tick: Option<f64>,
    cycles: usize,
) -> Result<(Program, Energy), Diagnostic> {
    let wires = Wires { base, fanout, output };
    let delays = match tick {
        None => Delays::NONE,
        Some(seconds) if seconds > 0.0 => Delays::library(netlist, library, &wires, seconds)?,
        Some(_) => Delays::UNIT,
    };
    let program = Program::new(netlist, library, &delays)?;
    let mut energy = Energy::new(netlist, library, &program, &wires, mismatch);
    if cycles >= WORTHWHILE {
        energy.compile(netlist, &program, Instructions::widest());
    }
    Ok((program, energy))
}

/// Outputs and energies of runs, by run and cycle, and the weight of each net.
type Simulated = (Vec<Vec<Vec<u8>>>, Vec<Vec<u64>>, HashMap<String, u64>);

/// Runs with the stimuli of each, a row of bits a cycle: the inputs without the clock in the order of their names, the
/// lowest bit first. Energies are in tenths of femtofarads of toggled capacitance, without the clock's.
///
/// Without `tick` gates have no delay. With 0 each has the same delay, otherwise those of the library in multiples of
/// so many seconds; energies then have glitches.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "Python names them")]
pub fn gates_simulate(
    py: Python<'_>,
    name: &str,
    text: &str,
    netlist: &str,
    wires: (f64, f64, f64),
    mismatch: (f64, u64),
    tick: Option<f64>,
    stimuli: Vec<Vec<Vec<u8>>>,
) -> PyResult<Simulated> {
    py.detach(|| {
        let (library, netlist) = design(name, text, netlist)?;
        let longest = |runs: &[Vec<Vec<u8>>]| runs.iter().map(Vec::len).max().unwrap_or(0);
        let cycles = stimuli.chunks(LANES).map(longest).sum();
        let (program, energy) = simulated(&library, &netlist, wires, mismatch, tick, cycles)?;
        let (outputs, energies) = simulate_all(&netlist, &program, Some(&energy), &stimuli);
        let weights = netlist.nets.iter().cloned().zip(energy.weights.iter().copied());
        Ok((outputs, energies, weights.collect()))
    })
    .map_err(|wrong: Diagnostic| raise(py, &[wrong]))
}

/// The outputs of `gates_simulate` alone, which take less time without energies.
#[pyfunction]
pub fn gates_outputs(
    py: Python<'_>,
    name: &str,
    text: &str,
    netlist: &str,
    stimuli: Vec<Vec<Vec<u8>>>,
) -> PyResult<Vec<Vec<Vec<u8>>>> {
    py.detach(|| {
        let (library, netlist) = design(name, text, netlist)?;
        let program = Program::of_ports(&netlist, &library, Instructions::widest())?;
        Ok(simulate_all(&netlist, &program, None, &stimuli).0)
    })
    .map_err(|wrong: Diagnostic| raise(py, &[wrong]))
}

/// Outputs by run and cycle, and energies if there is an energy.
fn simulate_all(
    netlist: &Netlist,
    program: &Program,
    energy: Option<&Energy>,
    stimuli: &[Vec<Vec<u8>>],
) -> (Vec<Vec<Vec<u8>>>, Vec<Vec<u64>>) {
    let (mut outputs, mut energies) = (vec![], vec![]);
    for lanes in stimuli.chunks(LANES) {
        let (found, taken) = simulate(netlist, program, energy, lanes);
        outputs.extend(found);
        energies.extend(taken);
    }
    (outputs, energies)
}

/// Outputs and energies of at most `LANES` runs.
fn simulate(
    netlist: &Netlist,
    program: &Program,
    energy: Option<&Energy>,
    stimuli: &[Vec<Vec<u8>>],
) -> (Vec<Vec<Vec<u8>>>, Vec<Vec<u64>>) {
    let nets = |is_output: bool| -> Vec<Net> {
        let ports = netlist.ports.iter().filter(|port| port.is_output == is_output);
        ports.flat_map(|port| port.bits.iter().copied()).collect()
    };
    let (mut inputs, results) = (nets(false), nets(true));
    inputs.retain(|net| Some(*net) != program.clock);
    let mut simulator = Simulator::new(program, energy, Instructions::widest());
    let mut outputs = vec![vec![]; stimuli.len()];
    let mut energies = vec![vec![]; stimuli.len()];
    for cycle in 0..stimuli.iter().map(Vec::len).max().unwrap_or(0) {
        for (index, &net) in inputs.iter().enumerate() {
            let mut word = Word::ZERO;
            for (lane, rows) in stimuli.iter().enumerate() {
                let bit = rows.get(cycle).and_then(|row| row.get(index));
                word.set(lane, bit.is_some_and(|bit| *bit != 0));
            }
            simulator.set(net, word);
        }
        simulator.settle();
        let words: Vec<_> = results.iter().map(|&net| simulator.value(net)).collect();
        for (lane, _) in stimuli.iter().enumerate().filter(|(_, rows)| cycle < rows.len()) {
            outputs[lane].push(words.iter().map(|word| u8::from(word.lane(lane))).collect());
            energies[lane].push(simulator.energies()[lane]);
        }
        simulator.clock();
    }
    (outputs, energies)
}

/// Energies of a cycle as numbers of 32 bits, cycles of issued instructions, and accesses: cycle, address, strobes, data.
type Executed<'py> = (Bound<'py, PyBytes>, Vec<u32>, Vec<(u32, u32, u8, u32)>);

/// Executes a program on the netlist of a core, once for each number of `cycles`, and returns what each run did in so
/// many cycles, and the energy of the clock in each cycle. Energies are those of `gates_simulate`.
///
/// `preamble` are instructions that load registers and jump, in place of `memory`, which begins at address 0. `waits`
/// are those of fetches and of data. `contents` are the bytes that the runs begin with, one run behind the other, at
/// the addresses and with the sizes of `writes`.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "Python names them")]
pub fn gates_execute<'py>(
    py: Python<'py>,
    name: &str,
    text: &str,
    netlist: &str,
    wires: (f64, f64, f64),
    mismatch: (f64, u64),
    tick: Option<f64>,
    waits: (u32, u32),
    preamble: Vec<u32>,
    memory: &[u8],
    writes: Vec<(u32, usize)>,
    contents: &[u8],
    cycles: Vec<usize>,
) -> PyResult<(Vec<Executed<'py>>, u64)> {
    let size: usize = writes.iter().map(|(_, size)| size).sum();
    let is_within = |(at, size): &(u32, usize)| *at as usize + size <= memory.len();
    if contents.len() != size * cycles.len() || !writes.iter().all(is_within) {
        return Err(PyValueError::new_err("the contents do not fit the runs and the memory"));
    }
    let starts: Vec<_> = cycles
        .iter()
        .enumerate()
        .map(|(run, &cycles)| start(&writes, &contents[run * size..][..size], cycles))
        .collect();
    let task = Task { preamble: &preamble, memory, waits: waits.into() };
    let (found, clock) = py
        .detach(|| {
            let (library, netlist) = design(name, text, netlist)?;
            let longest = starts.iter().map(|start| start.cycles).max().unwrap_or(0);
            let simulated_cycles = longest.saturating_mul(starts.len().div_ceil(LANES));
            let (program, energy) =
                simulated(&library, &netlist, wires, mismatch, tick, simulated_cycles)?;
            let found =
                on_threads(&starts, |starts| execute(&netlist, &program, &energy, &task, starts))?;
            Ok((found, energy.clock))
        })
        .map_err(|wrong: Diagnostic| raise(py, &[wrong]))?;
    Ok((found.into_iter().map(|run| executed(py, run)).collect(), clock))
}

fn start<'a>(writes: &[(u32, usize)], mut contents: &'a [u8], cycles: usize) -> Start<'a> {
    let part = |&(address, size): &(u32, usize)| {
        let (part, rest) = contents.split_at(size);
        contents = rest;
        (address, part)
    };
    Start { contents: writes.iter().map(part).collect(), cycles }
}

/// The executions of all starts, as many at once as the host has cores.
fn on_threads(
    starts: &[Start<'_>],
    run: impl Fn(&[Start<'_>]) -> Result<Vec<Execution>, Diagnostic> + Sync,
) -> Result<Vec<Execution>, Diagnostic> {
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let share = starts.len().div_ceil(workers).clamp(1, LANES);
    let mut found = vec![];
    for together in starts.chunks(share * workers) {
        let run = &run;
        let parts: Vec<_> = thread::scope(|scope| {
            let begin = |starts| scope.spawn(move || run(starts));
            let threads: Vec<_> = together.chunks(share).map(begin).collect();
            threads
                .into_iter()
                .map(|thread| thread.join().expect("an execution does not panic"))
                .collect()
        });
        for part in parts {
            found.extend(part?);
        }
    }
    Ok(found)
}

fn executed(py: Python<'_>, run: Execution) -> Executed<'_> {
    let energies: Vec<u8> = run.energies.iter().flat_map(|energy| energy.to_le_bytes()).collect();
    let access = |access: &Access| (access.cycle, access.address, access.strobes, access.data);
    (PyBytes::new(py, &energies), run.issues, run.accesses.iter().map(access).collect())
}
