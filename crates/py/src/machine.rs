//! A machine with an image in it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use cocrypt_config as config;
use cocrypt_diag::Diagnostic;
use cocrypt_image::{Image, read};
use cocrypt_soc::{self as soc, Stop, StopCause, Transfers};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::{Map, Value, json};

use crate::convert::to_python;
use crate::errors::raise;
use crate::fdl::netlist;

/// Cycles between two looks at signals; the engine runs hundreds of millions of them in a second.
const SLICE: u64 = 50_000_000;

/// Which engine runs a program; all give the same.
enum Engine {
    /// Interpret, and compile what is hot on a thread.
    Auto,
    /// Interpret everything.
    Interpreter,
    /// Compile at once whatever runs a second time: for tests.
    Compiled,
    /// As `Auto`, without counting what is spent where.
    Unprofiled,
}

impl Engine {
    const NAMES: &str = "auto, interpreter, compiled, unprofiled";

    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "auto" => Self::Auto,
            "interpreter" => Self::Interpreter,
            "compiled" => Self::Compiled,
            "unprofiled" => Self::Unprofiled,
            _ => return None,
        })
    }

    /// A host that cannot compile goes on interpreting.
    fn set(&self, machine: &mut soc::Machine) {
        let (options, hot) = match self {
            Self::Interpreter => return,
            Self::Auto => (soc::Options { profile: true, at_once: false }, HOT),
            Self::Unprofiled => (soc::Options { profile: false, at_once: false }, HOT),
            Self::Compiled => (soc::Options { profile: true, at_once: true }, 1),
        };
        machine.compile(options, hot);
    }
}

/// How often a block runs before it is worth compiling.
const HOT: u32 = 256;

/// A device with an image in its memory and coprocessors on its bus, ready to run once.
#[pyclass(module = "cocrypt._native")]
pub struct Machine {
    soc: soc::Machine,
    image: Image,
    coprocessors: Vec<String>,
}

#[pymethods]
impl Machine {
    /// Builds the machine: `device` and `coprocessors` are paths of TOML files, `image` an ELF file's
    /// bytes and `name` what to call it in messages.
    #[new]
    #[pyo3(signature = (device, image, name, coprocessors = vec![], engine = "auto"))]
    fn new(
        py: Python<'_>,
        device: PathBuf,
        image: &[u8],
        name: &str,
        coprocessors: Vec<PathBuf>,
        engine: &str,
    ) -> PyResult<Self> {
        let engine = Engine::named(engine).ok_or_else(|| {
            PyValueError::new_err(format!("engine `{engine}`: not one of {}", Engine::NAMES))
        })?;
        let mut machine =
            build(&device, image, name, &coprocessors).map_err(|wrong| raise(py, &wrong))?;
        engine.set(&mut machine.soc);
        Ok(machine)
    }

    /// Runs until the program ends, the machine stops for another reason, or `max_cycles` have passed.
    /// Signals such as Ctrl-C are heard every few tenths of a second.
    #[pyo3(signature = (max_cycles = 20_000_000_000))]
    fn run<'py>(&mut self, py: Python<'py>, max_cycles: u64) -> PyResult<Bound<'py, PyAny>> {
        let started = Instant::now();
        let mut limit = SLICE.min(max_cycles);
        let stop = loop {
            let stop = py.detach(|| self.soc.run(limit));
            if stop.cause != StopCause::CycleLimit || limit == max_cycles {
                break stop;
            }
            py.check_signals()?;
            limit = limit.saturating_add(SLICE).min(max_cycles);
        };
        let seconds = started.elapsed().as_secs_f64();
        let result = to_python(py, &self.report(&stop, seconds))?;
        result.set_item("console", PyBytes::new(py, self.soc.console()))?;
        Ok(result)
    }

    /// The first `count` launches as pairs of cycle and address; runs slowly, for finding differences.
    fn trace(&mut self, py: Python<'_>, max_cycles: u64) -> Vec<(u64, u64)> {
        self.soc.trace_launches();
        py.detach(|| self.soc.run(max_cycles));
        self.soc.launches().iter().map(|launch| (launch.cycle, launch.pc)).collect()
    }

    /// The bytes at an address.
    fn read<'py>(
        &self,
        py: Python<'py>,
        address: u32,
        size: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.soc.read(address, size).ok_or_else(|| {
            PyValueError::new_err(format!("no memory holds {size} bytes at {address:#x}"))
        })?;
        Ok(PyBytes::new(py, bytes))
    }

    /// The core's registers, in the order of their numbers.
    fn registers(&self) -> Vec<u64> {
        self.soc.registers().to_vec()
    }
}

fn build(
    device: &std::path::Path,
    elf: &[u8],
    name: &str,
    coprocessors: &[PathBuf],
) -> Result<Machine, Vec<Diagnostic>> {
    let device = config::Device::load(device)?;
    let image = read(name, elf).map_err(|wrong| vec![wrong])?;
    let mut designs = vec![];
    for path in coprocessors {
        let map = config::Coprocessor::load(path)?;
        let design = netlist(&map.design, Some(&map.top))?;
        designs.push((map, design));
    }
    let names = designs.iter().map(|(map, _)| map.name.clone()).collect();
    let regions: Arc<[u64]> =
        image.symbols.code().iter().map(|symbol| u64::from(symbol.address)).collect();
    let mut machine = soc::Machine::new(&device, regions, u64::from(image.entry), designs)
        .map_err(|error| vec![Diagnostic::error("machine.build", error.to_string())])?;
    load(&mut machine, &image, &device)?;
    Ok(Machine { soc: machine, image, coprocessors: names })
}

fn load(
    machine: &mut soc::Machine,
    image: &Image,
    device: &config::Device,
) -> Result<(), Vec<Diagnostic>> {
    if image.relocatable {
        let message = format!("{} is an object file, not a program", image.name);
        let help = "link it first";
        return Err(vec![Diagnostic::error("image.relocatable", message).with_help(help)]);
    }
    for segment in &image.segments {
        let fits = machine.read(segment.address, segment.size as usize).is_some();
        if !fits || machine.load(segment.address, &segment.bytes).is_err() {
            let message = format!(
                "{} puts {} bytes at {:#010x}, where {} has no memory",
                image.name, segment.size, segment.address, device.name
            );
            let help = "link the program for this device's memories";
            return Err(vec![Diagnostic::error("image.does-not-fit", message).with_help(help)]);
        }
    }
    Ok(())
}

impl Machine {
    fn report(&self, stop: &Stop, seconds: f64) -> Value {
        let transfers: Map<String, Value> = self
            .coprocessors
            .iter()
            .cloned()
            .zip(self.soc.transfers().iter().map(transfers))
            .collect();
        json!({
            "stop": self.stop(stop),
            "cycles": stop.cycles,
            "instructions": stop.instructions,
            "stack": self.stack(),
            "functions": self.functions(),
            "transfers": transfers,
            "faults": self.soc.faults(),
            "wait": self.soc.bus_wait(),
            "seconds": seconds,
        })
    }

    fn stop(&self, stop: &Stop) -> Value {
        let (kind, cause) = kind(stop.cause);
        let symbol = self.image.symbols.function_at(stop.pc as u32);
        json!({
            "kind": kind,
            "exit_code": if let StopCause::Exit { code, .. } = stop.cause { Some(code) } else { None },
            "pc": stop.pc,
            "symbol": symbol.map(|symbol| &symbol.name),
            "cycle": stop.cycles,
            "address": address(stop.cause),
            "cause": cause,
        })
    }

    /// High-water mark below the linker's `_stack_top`, in bytes.
    fn stack(&self) -> Option<u32> {
        let top = self.image.symbols.find("_stack_top")?.address;
        Some(self.soc.lowest_stack().map_or(0, |lowest| top.saturating_sub(lowest)))
    }

    fn functions(&self) -> Vec<Value> {
        let named = |region: &soc::RegionProfile| {
            let symbol = self.image.symbols.function_at(region.start as u32);
            json!({
                "name": symbol.map(|symbol| &symbol.name),
                "address": region.start,
                "calls": region.entries,
                "self_cycles": region.cycles,
                "transfers": transfers(&region.transfers),
            })
        };
        self.soc.profile().iter().map(named).collect()
    }
}

fn transfers(transfers: &Transfers) -> Value {
    let Transfers { control, status, input, output } = *transfers;
    json!({ "control": control, "status": status, "input": input, "output": output })
}

fn kind(cause: StopCause) -> (&'static str, String) {
    match cause {
        StopCause::Exit { code, .. } => ("exit", format!("the program ended with code {code}")),
        StopCause::BusFault { address, .. } => {
            ("bus_fault", format!("nothing answers at {address:#010x}"))
        }
        StopCause::Unaligned { address, .. } => {
            ("unaligned", format!("{address:#010x} is not aligned to the width of the access"))
        }
        StopCause::UnalignedJump { address } => {
            ("unaligned", format!("no instruction can start at {address:#010x}"))
        }
        StopCause::FetchFault { address } => {
            ("bus_fault", format!("there is no code at {address:#010x}"))
        }
        StopCause::Instruction(kind) => instruction(kind),
        StopCause::CycleLimit => ("cycle_limit", "the cycle limit was reached".to_owned()),
        StopCause::Deadlock => {
            ("deadlock", "an empty endless loop, which nothing can end".to_owned())
        }
    }
}

fn instruction(kind: soc::StopKind) -> (&'static str, String) {
    match kind {
        soc::StopKind::IllegalInstruction => {
            ("illegal_instruction", "the core does not know this instruction".to_owned())
        }
        soc::StopKind::EnvironmentCall => {
            ("trap", "an environment call, which nothing handles".to_owned())
        }
        soc::StopKind::Breakpoint => ("breakpoint", "a breakpoint instruction".to_owned()),
    }
}

const fn address(cause: StopCause) -> Option<u32> {
    match cause {
        StopCause::BusFault { address, .. }
        | StopCause::Unaligned { address, .. }
        | StopCause::UnalignedJump { address }
        | StopCause::FetchFault { address } => Some(address),
        _ => None,
    }
}
