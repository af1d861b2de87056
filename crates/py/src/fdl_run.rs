//! Runs of FDL designs as their authors see them: what is printed, traced and waved.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cocrypt_diag::{Diagnostic, Severity};
use cocrypt_fdl as fdl;
use cocrypt_rtl::{Counted, End, Monitor, Netlist, Node, OutputEvent, Simulator, Toggling};
use cocrypt_trace::Format;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::{Value, json};

use crate::convert::to_python;
use crate::errors::raise;
use crate::fdl::model;
use crate::fdl_blocks::{Libraries, attach};
use crate::fdl_files::{Below, Beside, create};
use crate::fdl_network::{Cosimulation, Driven, Processor};
use crate::fdl_waves::DesignWaves;

/// Cycles between two looks at signals, and at what was said.
const SLICE: u64 = 50_000;
/// The same where the design says nothing.
const SILENT_SLICE: u64 = 5_000_000;
/// The same of a design beside programs, at first; then as many as take about so long.
const FIRST_SLICE: u64 = 1_000;
/// Output is flushed after this time, or at this size, so that a killed run has printed it.
const SOON: Duration = Duration::from_millis(50);
const MUCH: usize = 1 << 16;
/// Cycles between two looks at the clock.
const GLANCE: u64 = 64;

/// The options of a run.
#[derive(Clone, Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub struct Asked {
    top: Option<String>,
    cycles: u64,
    gezel: bool,
    activity: bool,
    waves: Option<PathBuf>,
    /// The folder of the files that the design names.
    files: PathBuf,
    /// True if the user named it.
    named: bool,
    /// The libraries of the blocks in other languages.
    libraries: Libraries,
}

/// Everything that is written while a design runs.
pub struct Sinks {
    /// Traces, by place in the netlist; nothing where GEZEL cannot write one and goes on.
    traces: Vec<Option<BufWriter<File>>>,
    /// Why that is so.
    lost: Vec<String>,
    waves: Option<DesignWaves>,
    /// Of each cycle: how many bits of each counted thing toggled.
    toggles: Option<Vec<u32>>,
    /// Output that is not flushed yet.
    lines: String,
    /// The files that are written.
    files: Vec<PathBuf>,
}

/// Runs a design, and the programs of its processors with it; `say` takes what they print. Returns how it
/// ended, its warnings, the files that were written, how the programs fared, and the toggles of everything
/// that is counted, a row a cycle.
///
/// Raises `DiagnosticError` where the design is wrong, and `OSError` where a file cannot be read or written.
#[pyfunction]
pub fn fdl_run<'py>(
    py: Python<'py>,
    path: PathBuf,
    asked: Asked,
    processors: Vec<Processor>,
    say: Bound<'py, PyAny>,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyBytes>)> {
    let top = asked.top.as_deref();
    let model = model(&path, asked.gezel, top).map_err(|wrong| raise(py, &wrong))?;
    let systems = model.datapaths.iter().any(|datapath| datapath.is_system);
    if asked.gezel && asked.top.is_none() && !systems {
        return nothing(py, &model);
    }
    let netlist = fdl::netlist(&model, top);
    let netlist = Arc::new(netlist.map_err(|wrong| raise(py, &[wrong]))?);
    let mut monitor = Monitor::new(Arc::clone(&netlist));
    let attached = attach(&mut monitor.simulator, &netlist, &asked.libraries);
    attached.map_err(|wrong| raise(py, &wrong))?;
    monitor.transitions = model.options.debug;
    monitor.computes_first = asked.gezel;
    let toggling = model.options.toggles.map(|toggles| match toggles {
        fdl::model::Toggles::Both => Toggling::Both,
        fdl::model::Toggles::Rising => Toggling::Rising,
    });
    if let Some(toggling) = toggling.or(asked.activity.then_some(Toggling::Both)) {
        monitor.simulator.count_activity(toggling);
    }
    feed(py, &mut monitor, &netlist, &Beside::new(&path))?;
    let sinks = sinks(&netlist, &model.options, &asked)?;
    let mut driven = Driven::new(monitor, sinks, netlist.faces.clone());
    if processors.is_empty() {
        let ending = alone(py, &mut driven, &asked, &say)?;
        return summary(py, (&model, &netlist), &mut driven, &ending, &[]);
    }
    let started = Instant::now();
    let together = Cosimulation::new(&model, processors, driven);
    let mut together = together.map_err(|wrong| raise(py, &wrong))?;
    let ending = beside(py, &mut together, &asked, &say)?;
    let cores = together.report(started.elapsed().as_secs_f64());
    together.look(|driven| summary(py, (&model, &netlist), driven, &ending, &cores))
}

/// GEZEL runs what a system names: of a file without one, nothing.
fn nothing<'py>(
    py: Python<'py>,
    model: &fdl::Model,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyBytes>)> {
    let empty: [Value; 0] = [];
    let result = json!({
        "end": "settled",
        "message": Value::Null,
        "cycles": 0,
        "warnings": model.warnings.iter().map(Diagnostic::to_json).collect::<Vec<_>>(),
        "files": empty,
        "cores": empty,
        "counted": empty,
    });
    Ok((to_python(py, &result)?, PyBytes::new(py, &[])))
}

/// How a run ended, and after how many cycles.
struct Ending {
    kind: &'static str,
    end: Option<End>,
    cycles: u64,
}

impl Ending {
    fn new(end: Option<End>, cycles: u64) -> Self {
        Self { kind: end.as_ref().map_or("cycle_limit", kind), end, cycles }
    }
}

/// Runs a design for itself.
fn alone(
    py: Python<'_>,
    driven: &mut Driven,
    asked: &Asked,
    say: &Bound<'_, PyAny>,
) -> PyResult<Ending> {
    let Driven { monitor, sinks, .. } = driven;
    let slice = if monitor.is_silent() { SILENT_SLICE } else { SLICE };
    loop {
        let until = (monitor.simulator.cycle() + slice).min(asked.cycles);
        let ended = py.detach(|| run(monitor, until, sinks));
        say.call1((std::mem::take(&mut sinks.lines),))?;
        let ended = ended?;
        sinks.flush()?;
        py.check_signals()?;
        let done = monitor.simulator.cycle();
        match ended {
            Some(End::Settled(cycle)) => return Ok(Ending::new(ended, cycle)),
            None if done < asked.cycles => {}
            _ => return Ok(Ending::new(ended, done)),
        }
    }
}

/// Runs a design beside the programs of its processors, until it ends or they all have.
fn beside(
    py: Python<'_>,
    together: &mut Cosimulation,
    asked: &Asked,
    say: &Bound<'_, PyAny>,
) -> PyResult<Ending> {
    let most =
        together.look(|driven| if driven.monitor.is_silent() { SILENT_SLICE } else { SLICE });
    let (mut done, mut slice) = (0, FIRST_SLICE);
    loop {
        let (until, started) = ((done + slice).min(asked.cycles), Instant::now());
        let goes_on = py.detach(|| together.run(until));
        slice = if started.elapsed() < SOON { 2 * slice } else { slice / 2 };
        slice = slice.clamp(GLANCE, most);
        done = together.look(|driven| driven.monitor.simulator.cycle());
        let lines = together.look(|driven| std::mem::take(&mut driven.sinks.lines));
        say.call1((lines + &together.printed(!goes_on || until == asked.cycles),))?;
        if let Some(wrong) = together.look(|driven| driven.wrong.take()) {
            return Err(wrong.into());
        }
        py.check_signals()?;
        let end = together.look(|driven| driven.end.clone());
        if end.is_none() && together.have_ended() {
            return Ok(Ending { kind: "programs_ended", end, cycles: done });
        }
        if !goes_on || until == asked.cycles {
            return Ok(Ending::new(end, done));
        }
        done = until;
    }
}

/// Closes all files; what a run yields.
fn summary<'py>(
    py: Python<'py>,
    (model, netlist): (&fdl::Model, &Netlist),
    driven: &mut Driven,
    ending: &Ending,
    cores: &[Value],
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyBytes>)> {
    let files = driven.sinks.finish(ending.cycles)?;
    let counted = driven.monitor.simulator.counted();
    let lost = driven.sinks.lost.iter().map(|why| warning(why));
    let warnings = model.warnings.iter().map(Diagnostic::to_json).chain(lost);
    let result = json!({
        "end": ending.kind,
        "message": ending.end.as_ref().and_then(|end| message(end, netlist)),
        "cycles": ending.cycles,
        "warnings": warnings.collect::<Vec<_>>(),
        "files": files,
        "cores": cores,
        "counted": counted.iter().map(|one| described(*one, netlist)).collect::<Vec<Value>>(),
    });
    let toggles = driven.sinks.toggles.iter().flatten();
    let toggles: Vec<u8> = toggles.flat_map(|toggles| toggles.to_le_bytes()).collect();
    Ok((to_python(py, &result)?, PyBytes::new(py, &toggles)))
}

/// A trace that is left out, as a warning.
fn warning(why: &str) -> Value {
    let help = "name a file below the folder that `--files` says";
    let mut warning = Diagnostic::error("fdl.file", why).with_help(help);
    warning.severity = Severity::Warning;
    warning.to_json()
}

/// Reads the files that drive inputs: hexadecimal numbers.
fn feed(py: Python<'_>, monitor: &mut Monitor, netlist: &Netlist, files: &Beside) -> PyResult<()> {
    for (index, (_, name)) in netlist.stimuli.iter().enumerate() {
        let wrong = |what: String, help: &str| {
            raise(py, &[Diagnostic::error("fdl.stimulus", what).with_help(help)])
        };
        let text = fdl::Files::read(files, name).map_err(|why| {
            wrong(format!("`{name}` cannot be read: {why}"), "put it beside the design")
        })?;
        let numbers = text.split_whitespace().map(|word| {
            hexadecimal(word).ok_or_else(|| {
                let help = "write a hexadecimal number a cycle, separated by white space";
                wrong(format!("`{word}` in `{name}` is no hexadecimal number"), help)
            })
        });
        monitor.feed(index, numbers.collect::<PyResult<_>>()?);
    }
    Ok(())
}

fn hexadecimal(word: &str) -> Option<Vec<u64>> {
    let digits = word.strip_prefix("0x").unwrap_or(word);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let limb = |chunk: &[u8]| {
        chunk.iter().fold(0, |limb, digit| {
            limb << 4 | u64::from(char::from(*digit).to_digit(16).unwrap_or(0))
        })
    };
    is_number.then(|| digits.as_bytes().rchunks(16).map(limb).collect())
}

fn sinks(netlist: &Netlist, options: &fdl::model::Options, asked: &Asked) -> io::Result<Sinks> {
    let own = Below(asked.files.clone(), asked.named);
    let (mut files, mut traces, mut lost) = (vec![], vec![], vec![]);
    for trace in &netlist.traces {
        match own.create(&trace.file) {
            Ok((file, path)) => {
                traces.push(Some(BufWriter::new(file)));
                files.push(path);
            }
            Err(error) if asked.gezel => {
                traces.push(None);
                lost.push(error.to_string());
            }
            Err(error) => return Err(error),
        }
    }
    let named = match &asked.waves {
        Some(path) => Some((create(path)?, path.clone())),
        None if options.waves => Some(own.create("TRACE.vcd")?),
        None => None,
    };
    let waves = match named {
        None => None,
        Some((file, path)) => {
            let is_fst = path.extension().is_some_and(|extension| extension == "fst");
            let format = if is_fst { Format::Fst } else { Format::Vcd };
            files.push(path);
            Some(DesignWaves::new(netlist, format, BufWriter::new(file))?)
        }
    };
    let toggles = asked.activity.then(Vec::new);
    Ok(Sinks { traces, lost, waves, toggles, lines: String::new(), files })
}

/// Runs until a cycle, until the design ends, or until what was said should be handed on.
pub fn run(monitor: &mut Monitor, until: u64, sinks: &mut Sinks) -> io::Result<Option<End>> {
    if monitor.is_silent() && sinks.waves.is_none() && sinks.toggles.is_none() {
        let cycles = until - monitor.simulator.cycle();
        return Ok(monitor.run(cycles).err());
    }
    let (started, before) = (Instant::now(), sinks.lines.len());
    while monitor.simulator.cycle() < until {
        let glances = monitor.simulator.cycle().is_multiple_of(GLANCE);
        if sinks.lines.len() - before >= MUCH || (glances && started.elapsed() >= SOON) {
            return Ok(None);
        }
        let mut written = Ok(());
        let looked = monitor.look(&mut |said| match said {
            OutputEvent::Line(line) => {
                sinks.lines.push_str(&line);
                sinks.lines.push('\n');
            }
            OutputEvent::Trace(trace, digits) => {
                let file = sinks.traces[trace].as_mut();
                let result = file.map_or(Ok(()), |file| writeln!(file, "{digits}"));
                if written.is_ok() {
                    written = result;
                }
            }
        });
        written?;
        if let Err(end) = looked {
            return Ok(Some(end));
        }
        sinks.see(&mut monitor.simulator)?;
        if let Err(end) = monitor.step() {
            return Ok(Some(end));
        }
    }
    Ok(None)
}

impl Sinks {
    /// Returns true if something is recorded in every cycle.
    pub fn sees_all(&self) -> bool {
        self.toggles.is_some()
    }

    /// Flushes the traces to their files.
    fn flush(&mut self) -> io::Result<()> {
        self.traces.iter_mut().flatten().try_for_each(Write::flush)
    }

    /// Closes all files, and returns their names.
    fn finish(&mut self, cycle: u64) -> io::Result<Vec<PathBuf>> {
        for mut trace in std::mem::take(&mut self.traces).into_iter().flatten() {
            trace.flush()?;
        }
        if let Some(waves) = self.waves.take() {
            waves.finish(cycle)?;
        }
        Ok(std::mem::take(&mut self.files))
    }

    /// Writes what signals and bits do in the present cycle.
    fn see(&mut self, simulator: &mut Simulator) -> io::Result<()> {
        if let Some(waves) = &mut self.waves {
            waves.see(simulator)?;
        }
        if let Some(toggles) = &mut self.toggles {
            toggles.extend_from_slice(simulator.toggles());
        }
        Ok(())
    }
}

fn kind(end: &End) -> &'static str {
    match end {
        End::Finished => "finished",
        End::Fault(_) => "fault",
        End::Exhausted(_) => "exhausted",
        End::Settled(_) => "settled",
    }
}

fn message(end: &End, netlist: &Netlist) -> Option<String> {
    match end {
        End::Finished | End::Settled(_) => None,
        End::Fault(fault) => Some(fault.to_string()),
        End::Exhausted(stimulus) => {
            Some(format!("`{}` has no value for this cycle", netlist.stimuli[*stimulus].1))
        }
    }
}

/// A counted thing: what it is, where, and its bits.
fn described(counted: Counted, netlist: &Netlist) -> Value {
    match counted {
        Counted::Register(net) => {
            let (net, scope) = (netlist.net(net), netlist.path(netlist.net(net).scope));
            let name =
                if scope.is_empty() { net.name.clone() } else { format!("{scope}.{}", net.name) };
            json!({ "kind": "register", "name": name, "width": net.width, "line": net.line })
        }
        Counted::Operator(id) => {
            let Node { op, width } = netlist.node(id);
            let text = format!("{op:?}");
            let kind: String = text.chars().take_while(char::is_ascii_alphanumeric).collect();
            json!({ "kind": kind, "name": format!("n{}", id.0), "width": width, "line": Value::Null })
        }
    }
}
