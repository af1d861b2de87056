//! Designs with processors: the machines that the programs run on, around the design.

use std::io;
use std::path::PathBuf;

use cocrypt_config as config;
use cocrypt_diag::Diagnostic;
use cocrypt_fdl as fdl;
use cocrypt_image::{Image, read};
use cocrypt_isa_all::ALL;
use cocrypt_rtl::{End, Face, Monitor, NetId, Route};
use cocrypt_soc::{Member, Network, Reach, Shared, Stop, StopCause};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::config::instructions;
use crate::convert::to_python;
use crate::errors::raise;
use crate::fdl::model;
use crate::fdl_run::{Sinks, run};
use crate::machine::{Engine, build_with};
use crate::report::Report;

/// A processor of a design: the device that it is, and the program that it runs.
#[derive(Clone, Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub struct Processor {
    name: String,
    device: PathBuf,
    /// The workbench's folder, whose cores the device may name.
    home: PathBuf,
    /// The program's file, and its bytes.
    program: String,
    image: Vec<u8>,
    /// How far up the device's peripherals are moved, out of the design's way.
    moved: u32,
}

/// The processors that a design names: each with its program, device if it says one, cycles of the design
/// in one of its own, and the addresses at which it reaches the design.
///
/// Raises `DiagnosticError` where the design is wrong.
#[pyfunction]
pub fn fdl_cores<'py>(
    py: Python<'py>,
    path: PathBuf,
    top: Option<&str>,
    gezel: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let model = model(&path, gezel, top).map_err(|wrong| raise(py, &wrong))?;
    let netlist = fdl::netlist(&model, top).map_err(|wrong| raise(py, &[wrong]))?;
    let described = model.cores.iter().map(|core| {
        let faces = netlist.faces.iter();
        let faces = faces.filter(|face| face.core == core.name && face.route == Route::Memory);
        let windows = faces.flat_map(|face| &face.windows).map(|(base, size, _)| [*base, *size]);
        json!({
            "name": core.name,
            "program": core.program,
            "device": core.device,
            "period": core.period,
            "windows": windows.collect::<Vec<_>>(),
        })
    });
    to_python(py, &Value::Array(described.collect()))
}

/// A design that runs beside machines.
pub struct Driven {
    pub monitor: Monitor,
    pub sinks: Sinks,
    faces: Vec<Face>,
    /// The strobes of the present cycle.
    strobes: Vec<NetId>,
    /// How it ended.
    pub end: Option<End>,
    /// The error that kept its output from being written.
    pub wrong: Option<io::Error>,
}

impl Driven {
    /// A design at its start, which programs may reach at these faces.
    pub fn new(monitor: Monitor, sinks: Sinks, faces: Vec<Face>) -> Self {
        Self { monitor, sinks, faces, strobes: vec![], end: None, wrong: None }
    }

    fn run(&mut self, cycle: u64) {
        while self.end.is_none() && self.wrong.is_none() && self.monitor.simulator.cycle() < cycle {
            match run(&mut self.monitor, cycle, &mut self.sinks) {
                // A program may wake it again.
                Ok(Some(End::Settled(_))) => self.rest(cycle),
                Ok(end) => self.end = end,
                Err(wrong) => self.wrong = Some(wrong),
            }
        }
    }

    /// Passes the time up to a cycle, where nothing changes any more, unless every cycle is written down.
    fn rest(&mut self, cycle: u64) {
        let simulator = &mut self.monitor.simulator;
        if self.sinks.sees_all() {
            return;
        }
        simulator.run_idle(cycle.saturating_sub(simulator.cycle()));
    }

    /// The address goes to a face, whose strobe is up for this cycle.
    fn strobe(&mut self, reach: Reach, (address, strobe): (NetId, NetId)) {
        let simulator = &mut self.monitor.simulator;
        simulator.set_register(address, reach.address.into());
        simulator.set_register(strobe, 1);
        self.strobes.push(strobe);
    }
}

impl Shared for Driven {
    fn advance(&mut self, cycle: u64) -> bool {
        let now = self.monitor.simulator.cycle();
        if !self.strobes.is_empty() && cycle > now {
            self.run(now + 1);
            for strobe in self.strobes.drain(..) {
                self.monitor.simulator.set_register(strobe, 0);
            }
        }
        self.run(cycle);
        self.end.is_none() && self.wrong.is_none()
    }

    fn load(&mut self, face: usize, reach: Reach) -> u32 {
        let Face { address, read, value, .. } = self.faces[face];
        self.strobe(reach, (address, read));
        self.monitor.simulator.net_value(value).first().map_or(0, |word| *word as u32)
    }

    fn store(&mut self, face: usize, reach: Reach, value: u32) {
        let Face { address, write, data, mask, .. } = self.faces[face];
        let simulator = &mut self.monitor.simulator;
        simulator.set_register(data, (value & reach.mask).into());
        simulator.set_register(mask, reach.mask.into());
        self.strobe(reach, (address, write));
    }
}

/// Machines around a design, and what their programs have said.
pub struct Cosimulation {
    network: Network<Driven>,
    cores: Vec<(Processor, Image)>,
    /// How much of each console was handed on.
    shown: Vec<usize>,
}

impl Cosimulation {
    /// Puts the programs on their devices, around the design.
    ///
    /// # Errors
    /// A program or device that is wrong, or an address where something else answers.
    pub fn new(
        model: &fdl::Model,
        processors: Vec<Processor>,
        driven: Driven,
    ) -> Result<Self, Vec<Diagnostic>> {
        let mut machines = vec![];
        let mut cores = vec![];
        let mut faces = driven.faces.clone();
        for processor in processors {
            let image = read(&processor.program, &processor.image, None, ALL)
                .map_err(|wrong| vec![wrong])?;
            let mut device = config::Device::load_at(&processor.device, Some(&processor.home))?;
            for peripheral in &mut device.peripherals {
                peripheral.base += u64::from(processor.moved);
            }
            let mut of_core = faces.iter_mut().filter(|face| face.core == processor.name);
            of_core.try_for_each(|face| locate(face, &mut device)).map_err(|wrong| vec![wrong])?;
            let mut machine = build_with(&device, (&image, None), vec![])?;
            Engine::Auto.set(&mut machine, None, None);
            let core = model.cores.iter().find(|core| core.name == processor.name);
            if let Some((port, value)) = core.and_then(|core| core.ends.as_ref()) {
                let latch = Route::Latch(port.clone());
                let latch = origin(&latch, &device).map_err(|wrong| vec![wrong])?;
                machine.end_by(latch, *value);
            }
            machines.push((machine, core.map_or(1, |core| core.period)));
            cores.push((processor, image));
        }
        let mut network = Network::new(driven, machines);
        for (index, face) in faces.iter().enumerate() {
            let Some(member) = cores.iter().position(|(core, _)| core.name == face.core) else {
                continue;
            };
            for window in &face.windows {
                network
                    .connect(member, index, *window)
                    .map_err(|occupant| vec![taken(face, *window, &cores[member].0, occupant)])?;
            }
        }
        let shown = vec![0; cores.len()];
        Ok(Self { network, cores, shown })
    }

    /// Runs up to a cycle of the design. True if there is something left to run.
    pub fn run(&mut self, cycle: u64) -> bool {
        self.network.run(cycle)
    }

    /// Looks at the design.
    pub fn look<T>(&self, look: impl FnOnce(&mut Driven) -> T) -> T {
        self.network.look(look)
    }

    /// The programs' output since the last call; of several, each line behind the name of its
    /// processor. Lines that are not complete wait, unless this is the end.
    pub fn printed(&mut self, at_end: bool) -> String {
        let mut text = String::new();
        let several = self.cores.len() > 1;
        let consoles = self.network.members.iter().zip(&self.cores).zip(&mut self.shown);
        for ((member, (core, _)), shown) in consoles {
            let fresh = &member.machine.console()[*shown..];
            let complete = fresh.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
            let fresh = if several && !at_end { &fresh[..complete] } else { fresh };
            *shown += fresh.len();
            for line in String::from_utf8_lossy(fresh).split_inclusive('\n') {
                if several {
                    text.push_str(&core.name);
                    text.push_str(": ");
                }
                text.push_str(line);
            }
            if several && at_end && !fresh.is_empty() && !fresh.ends_with(b"\n") {
                text.push('\n');
            }
        }
        text
    }

    /// True if every program has ended by itself.
    pub fn have_ended(&self) -> bool {
        self.network.members.iter().all(|member| member.end().is_some())
    }

    /// How each program fared.
    pub fn report(&self, seconds: f64) -> Vec<Value> {
        let members = self.network.members.iter().zip(&self.cores);
        members.map(|(member, (core, image))| described(member, core, image, seconds)).collect()
    }
}

/// Turns the addresses of a face into those of a device's machine, and takes them from the memory of the space that they are in.
fn locate(face: &mut Face, device: &mut config::Device) -> Result<(), Diagnostic> {
    let origin = origin(&face.route, device)?;
    let before = device.memories.clone();
    for (base, size, _) in &mut face.windows {
        *base += origin;
        if let Route::Space(_) = face.route {
            take_out(&mut device.memories, u64::from(*base), u64::from(*size));
        }
    }
    let is_left = |name: &str| device.memories.iter().any(|memory| memory.name == name);
    match before.iter().find(|memory| !is_left(&memory.name)) {
        Some(memory) => Err(all_taken(face, &memory.name, &device.name)),
        None => Ok(()),
    }
}

/// The machine cannot do without any memory of a device.
fn all_taken(face: &Face, memory: &str, device: &str) -> Diagnostic {
    let message = format!("`{}` takes all of `{memory}` of the device {device}", face.block);
    let help = "make the block's range smaller, or name a device with more memory";
    Diagnostic::error("fdl.block", message).with_help(help)
}

/// The address of a machine at which a route to a design begins.
fn origin(route: &Route, device: &config::Device) -> Result<u32, Diagnostic> {
    let of_port = |name: &str, address: fn(&config::ChipRegister, u64) -> u64| {
        device.registers.iter().find_map(|register| match register.kind {
            config::ChipRegisterKind::Port { latch } if register.name == name => {
                Some(address(register, latch) as u32)
            }
            _ => None,
        })
    };
    let found = match route {
        Route::Memory => Some(0),
        Route::Space(name) => {
            let mut spaces = instructions(device)?.spaces.iter();
            spaces.find(|space| space.name == *name).map(|space| space.origin)
        }
        Route::Latch(name) => of_port(name, |_, latch| latch),
        Route::Pins(name) => of_port(name, |register, _| register.base),
    };
    found.ok_or_else(|| {
        let wanted = match route {
            Route::Space(name) => format!("no {name}"),
            _ => format!("not {}", route.at(0)),
        };
        let message = format!("the device {} has {wanted}, which the design reaches", device.name);
        let help = "name a device for this processor that has, with `--device`";
        Diagnostic::error("fdl.block", message).with_help(help)
    })
}

/// Leaves of memories what is below and above a range of addresses.
fn take_out(memories: &mut Vec<config::Memory>, base: u64, size: u64) {
    let parts = memories.drain(..).flat_map(|memory| {
        let (from, to) = (memory.base, memory.base + memory.size);
        if to <= base || base + size <= from {
            return vec![memory];
        }
        let part = |from: u64, to: u64| {
            (from < to).then(|| config::Memory { base: from, size: to - from, ..memory.clone() })
        };
        part(from, base).into_iter().chain(part(base + size, to)).collect()
    });
    *memories = parts.collect();
}

fn described(member: &Member, core: &Processor, image: &Image, seconds: f64) -> Value {
    let (cycles, instructions) = member.machine.counted();
    let going =
        Stop { cause: StopCause::CycleLimit, cycles, instructions, pc: member.machine.pc() };
    let stop = member.stop.filter(|_| !member.cut).unwrap_or(going);
    let report = Report { soc: &member.machine, image, coprocessors: &[] };
    json!({
        "name": core.name,
        "program": core.program,
        "console": String::from_utf8_lossy(member.machine.console()),
        "run": report.run(&stop, seconds),
    })
}

fn taken(face: &Face, (base, ..): (u32, u32, u32), core: &Processor, occupant: &str) -> Diagnostic {
    let message = format!(
        "`{}` is to be reached by `{}` at {base:#x}, where its device has {occupant}",
        face.block, core.name
    );
    let help = "give the block other addresses, or the processor another device";
    Diagnostic::error("fdl.block", message).with_help(help)
}
