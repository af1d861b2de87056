//! A machine with an image in it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use cocrypt_config as config;
use cocrypt_diag::Diagnostic;
use cocrypt_image::{Board, Debug, Image, Start, read};
use cocrypt_isa_all::ALL;
use cocrypt_soc::{self as soc, Fifos, Fsmd, Hardware, Stop, StopCause};
use cocrypt_trace as trace;
use cocrypt_verilated::Verilated;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::config::instructions;
use crate::convert::to_python;
use crate::errors::raise;
use crate::fdl::netlist;
use crate::files::Folder;
use crate::guest::{Description, GuestNames};
use crate::kept_code::KeptCode;
use crate::profile::{self, Named, describe};
use crate::report::Report;
use crate::secrets;

/// Cycles between two looks at signals; the engine runs hundreds of millions of them in a second.
const SLICE: u64 = 50_000_000;
/// Cycles between two looks at transfers, which are kept until then.
const LOOK: u64 = 1_000_000;

/// Which engine runs a program; all give the same.
#[derive(Clone, Copy)]
pub(crate) enum Engine {
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

    fn named(name: &str) -> PyResult<Self> {
        Ok(match name {
            "auto" => Self::Auto,
            "interpreter" => Self::Interpreter,
            "compiled" => Self::Compiled,
            "unprofiled" => Self::Unprofiled,
            _ => {
                let message = format!("engine `{name}`: not one of {}", Self::NAMES);
                return Err(PyValueError::new_err(message));
            }
        })
    }

    /// A host that cannot compile goes on interpreting.
    /// `image` is the hash of what the machine begins with, if it is about to begin.
    pub(crate) fn set(
        self,
        machine: &mut soc::Machine,
        store: Option<&Arc<dyn soc::Store>>,
        image: Option<soc::Key>,
    ) {
        let (options, hot) = match self {
            Self::Interpreter => return,
            Self::Auto => (soc::Options { profile: true, ..soc::Options::default() }, HOT),
            Self::Unprofiled => (soc::Options::default(), HOT),
            Self::Compiled => {
                (soc::Options { profile: true, at_once: true, ..soc::Options::default() }, 1)
            }
        };
        let store = store.filter(|_| !options.at_once).cloned();
        machine.compile_with(options, hot, store.map(|store| soc::Keeping { store, image }));
    }
}

/// How often a block runs before it is worth compiling. Until then an instruction is interpreted for about two
/// microseconds, which is less than its compilation takes, and more than it takes to find kept code.
const HOT: u32 = 1024;

/// The loaded image and its names; a machine and its copies share them.
struct Program {
    image: Image,
    debug: Option<Debug>,
    coprocessors: Vec<String>,
}

/// A device with an image in its memory and coprocessors on its bus.
#[pyclass(module = "cocrypt._native")]
pub struct Machine {
    pub(crate) soc: soc::Machine,
    program: Arc<Program>,
    pub(crate) engine: Engine,
    /// Code that earlier machines compiled.
    pub(crate) store: Option<Arc<dyn soc::Store>>,
    /// The names of the program that the image interprets, if it is followed.
    guest: Option<Arc<GuestNames>>,
}

#[pymethods]
impl Machine {
    /// Builds the machine: `device` and `coprocessors` are paths of TOML files, `image` a program
    /// file's bytes and `name` what to call it in messages. `load_address` says where the bytes of a
    /// raw binary go, `start_at` where the program starts if not as the image says; `contexts` asks for
    /// call tree, lines and instructions. `host_calls` answers semihosting, with the files of the folder
    /// `host_files` and a `command_line`. `stubs` are ranges of registers that nobody models, first address
    /// and size, that the program may touch all the same. `libraries` has, by the path of its register map, what a coprocessor in Verilog was
    /// compiled to; `settings` take the place of what the device's file says. `toggles` asks how many
    /// bits of the coprocessors change. `home` is the workbench's folder, whose cores a device may name, and `code`
    /// a folder of the user's alone for compiled code.
    #[new]
    #[pyo3(signature = (
        device, image, name, coprocessors = vec![], engine = "auto", *,
        load_address = None, start_at = None, contexts = false, host_calls = false, host_files = None,
        command_line = "", stubs = vec![], libraries = HashMap::new(), settings = HashMap::new(),
        toggles = false, home = None, code = None
    ))]
    #[allow(clippy::too_many_arguments)] // They are keywords in Python.
    fn new(
        py: Python<'_>,
        device: PathBuf,
        image: &[u8],
        name: &str,
        coprocessors: Vec<PathBuf>,
        engine: &str,
        load_address: Option<u32>,
        start_at: Option<u32>,
        contexts: bool,
        host_calls: bool,
        host_files: Option<PathBuf>,
        command_line: &str,
        stubs: Vec<(u32, u32)>,
        libraries: HashMap<PathBuf, PathBuf>,
        settings: HashMap<String, i64>,
        toggles: bool,
        home: Option<PathBuf>,
        code: Option<PathBuf>,
    ) -> PyResult<Self> {
        let engine = Engine::named(engine)?;
        let store = code.and_then(|folder| KeptCode::open(&folder));
        let image = read(name, image, load_address, ALL).map(|read| (read, Debug::read(image)));
        let built = image.map_err(|wrong| vec![wrong]).and_then(|(image, debug)| {
            let device = (device.as_path(), home.as_deref(), &settings);
            let (soc, coprocessors, key) =
                build(device, (&image, start_at), &coprocessors, &libraries)?;
            Ok((soc, Program { image, debug, coprocessors }, key))
        });
        let (mut soc, program, key) = built.map_err(|wrong| raise(py, &wrong))?;
        if contexts {
            soc.trace_contexts();
        }
        if toggles {
            soc.count_toggles();
        }
        for (base, size) in stubs {
            soc.stub(base, size);
        }
        if host_calls {
            let files = host_files.map(|folder| Folder::new(&folder)).transpose()?;
            soc.answer_host_calls(soc::Offers {
                files: files.map(|folder| Arc::new(folder) as Arc<dyn soc::Files>),
                command_line: command_line.as_bytes().to_vec(),
                heap: heap(&program.image),
            });
        }
        engine.set(&mut soc, store.as_ref(), key);
        Ok(Self { soc, program: Arc::new(program), engine, store, guest: None })
    }

    /// Runs until the program ends, the machine stops for another reason, or `max_cycles` have passed
    /// since reset; after the latter, another call goes on. Signals such as Ctrl-C are heard every
    /// few tenths of a second, and then `progress` is told how many cycles have passed.
    #[pyo3(signature = (max_cycles = 20_000_000_000, progress = None))]
    fn run<'py>(
        &mut self,
        py: Python<'py>,
        max_cycles: u64,
        progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let started = Instant::now();
        let mut limit = SLICE.min(max_cycles);
        let stop = loop {
            let stop = py.detach(|| self.soc.run(limit));
            if stop.cause != StopCause::CycleLimit || limit == max_cycles {
                break stop;
            }
            py.check_signals()?;
            if let Some(progress) = &progress {
                progress.call1((stop.cycles,))?;
            }
            limit = stop.cycles.max(limit).saturating_add(SLICE).min(max_cycles);
        };
        self.result(py, &stop, started.elapsed().as_secs_f64())
    }

    /// A machine in the same state, which goes on independently of this one: a snapshot. What was
    /// compiled is shared through its folder alone, so it starts as a new machine does.
    fn copy(&self, py: Python<'_>) -> Self {
        py.detach(|| {
            let mut soc = self.soc.fork();
            self.engine.set(&mut soc, self.store.as_ref(), None);
            let (program, guest) = (Arc::clone(&self.program), self.guest.clone());
            Self { soc, program, engine: self.engine, store: self.store.clone(), guest }
        })
    }

    /// Makes this machine what the one is that it was copied from, as a further copy would be, and keeps
    /// what was compiled since.
    fn rewind(&mut self, py: Python<'_>, to: &Self) {
        let (soc, to) = (&mut self.soc, &to.soc);
        py.detach(|| soc.rewind(to));
    }

    /// The first `count` issues as pairs of cycle and address; runs slowly, for finding differences.
    fn trace(&mut self, py: Python<'_>, max_cycles: u64) -> Vec<(u64, u64)> {
        self.soc.trace_issues();
        py.detach(|| self.soc.run(max_cycles));
        self.soc.issued().iter().map(|issue| (issue.cycle, issue.pc)).collect()
    }

    /// Runs until `count` transfers went to a window of addresses, or the program has ended: each as the
    /// cycles of its request and its answer, its address, its value and whether it wrote.
    fn first_transfers(
        &mut self,
        py: Python<'_>,
        base: u32,
        size: u32,
        count: usize,
        max_cycles: u64,
    ) -> Vec<(u64, u64, u32, u64, bool)> {
        let mut found = vec![];
        self.soc.record_transfers();
        let mut limit = 0;
        while found.len() < count && limit < max_cycles {
            limit = (limit + LOOK).min(max_cycles);
            let stop = py.detach(|| self.soc.run(limit));
            let seen = self.soc.recorded().into_iter();
            let inside = seen.filter(|transfer| transfer.address.wrapping_sub(base) < size);
            found.extend(inside.map(|transfer| {
                (
                    transfer.request,
                    transfer.answer,
                    transfer.address,
                    transfer.value,
                    transfer.writes,
                )
            }));
            if stop.cause != StopCause::CycleLimit {
                break;
            }
        }
        found.truncate(count);
        found
    }

    /// The bytes at an address.
    fn read<'py>(
        &self,
        py: Python<'py>,
        address: u32,
        size: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.soc.read(address, size).ok_or_else(|| absent(address, size))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Puts bytes into memory.
    fn write(&mut self, address: u32, content: &[u8]) -> PyResult<()> {
        self.soc.load(address, content).map_err(|_| absent(address, content.len()))
    }

    /// Gives the program characters to read from the console, behind those not read yet.
    fn type_in(&mut self, characters: &[u8]) {
        self.soc.type_in(characters);
    }

    /// Runs until the instruction at an address comes next, if it does already the next time, or for so
    /// many cycles: the cycle in which it does, or else how the run ended.
    fn run_to<'py>(
        &mut self,
        py: Python<'py>,
        address: u32,
        max_cycles: u64,
    ) -> PyResult<(Option<u64>, Option<Bound<'py, PyAny>>)> {
        let started = Instant::now();
        let (halt, cycles) = loop {
            let (halt, cycles) = py.detach(|| {
                let mut debugger = soc::Debugger::new(&mut self.soc);
                debugger.set_breakpoint(address, true);
                let (cycles, begun) = (debugger.machine().counted().0, debugger.machine().pc());
                if cycles > 0 && begun == u64::from(address) {
                    debugger.step();
                }
                (debugger.resume(SLICE), debugger.machine().counted().0)
            });
            py.check_signals()?;
            if halt.is_some() || cycles >= max_cycles {
                break (halt, cycles);
            }
        };
        let stop = match halt {
            Some(soc::Halt::Breakpoint) => return Ok((Some(cycles), None)),
            Some(soc::Halt::Stop(stop)) => stop,
            _ => self.soc.run(max_cycles),
        };
        Ok((None, Some(self.result(py, &stop, started.elapsed().as_secs_f64())?)))
    }

    /// Follows the program that the image interprets from now on, as JSON describes it: the profile has its
    /// methods as functions in place of the interpreter.
    fn follow_guest(&mut self, description: &str) -> PyResult<()> {
        let description: Description = serde_json::from_str(description)
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        self.guest = Some(Arc::new(description.names()));
        self.soc.follow_guest(description.code());
        Ok(())
    }

    /// Runs for so many cycles or to the end: the cycle of each instruction at these addresses, its address
    /// and the values of some registers, at most `count` of them.
    fn visits(
        &mut self,
        py: Python<'_>,
        addresses: Vec<u64>,
        registers: Vec<usize>,
        count: usize,
        max_cycles: u64,
    ) -> PyResult<Vec<(u64, u64, Vec<u64>)>> {
        let visits = soc::Visits { addresses, registers, count };
        let mut found = vec![];
        let mut limit = 0;
        while limit < max_cycles {
            limit = SLICE.saturating_add(limit).min(max_cycles);
            let goes_on = py.detach(|| visits.run(&mut self.soc, limit, &mut found));
            py.check_signals()?;
            if !goes_on {
                break;
            }
        }
        Ok(found)
    }

    /// Follows the bytes at these addresses, each with its size, through a copy of the program: which
    /// branches, addresses and times depend on them, and where. They are secret again whenever the
    /// function at `entry` begins; with `until_return` the run ends with the function that is under way.
    #[pyo3(signature = (secrets, limit, entry = None, until_return = false))]
    fn follow<'py>(
        &self,
        py: Python<'py>,
        secrets: Vec<(u32, u32)>,
        limit: u64,
        entry: Option<u64>,
        until_return: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let pursuit = soc::Pursuit { secrets, entry, until_return, limit };
        let mut heard: PyResult<()> = Ok(());
        let followed = py.detach(|| {
            self.soc.follow(&pursuit, &mut || {
                heard = Python::attach(|py| {
                    py.check_signals()?;
                    Ok(())
                });
                heard.is_ok()
            })
        });
        heard?;
        let followed = followed.map_err(|wrong| PyValueError::new_err(wrong.to_string()))?;
        to_python(py, &secrets::describe(&followed, &self.named()))
    }

    /// Calls the function that comes next on a copy of the machine: with other words of arguments, by
    /// their places among those in registers, and other bytes in memory, which is made where there is
    /// none. Whether it returned, its instructions, what it returned, and the bytes at some addresses, each
    /// with its size.
    fn attempt<'py>(
        &self,
        py: Python<'py>,
        arguments: Vec<(usize, u64)>,
        writes: Vec<(u32, Vec<u8>)>,
        reads: Vec<(u32, u32)>,
        limit: u64,
    ) -> (bool, u64, u64, Vec<Option<Bound<'py, PyBytes>>>) {
        let trial = soc::Trial { arguments, writes, reads, limit };
        let tried = py.detach(|| self.soc.attempt(&trial));
        let bytes = |found: Option<Vec<u8>>| found.map(|bytes| PyBytes::new(py, &bytes));
        let contents = tried.contents.into_iter().map(bytes).collect();
        (tried.returned, tried.instructions, tried.result, contents)
    }

    /// Bytes of stack that a function can need at most, with all that it calls; nothing where that
    /// cannot be seen without running it.
    fn stack_bound(&self, py: Python<'_>, function: u64) -> Option<u64> {
        py.detach(|| self.soc.stack_bound(function).ok())
    }

    /// True if cycles depend on earlier runs: the core or the device has caches.
    fn has_caches(&self) -> bool {
        self.soc.has_caches()
    }

    /// Forgets how low the stack pointer was.
    fn forget_stack(&mut self) {
        self.soc.forget_stack();
    }

    /// The core's registers, in the order of their numbers.
    fn registers(&self) -> Vec<u64> {
        self.soc.registers().to_vec()
    }

    /// Cycle and value of each mark that the program set.
    fn marks(&self) -> Vec<(u64, u32)> {
        self.soc.marks().to_vec()
    }

    /// The cycles so far by call tree, function, line and instruction, if `contexts` was asked for.
    fn profile<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let described = py.detach(|| describe(&self.named()));
        to_python(py, &described)
    }

    /// The instruction at an address, whether it ran or not: its text, its length in bytes, and the places of
    /// the source that it comes from, outer before inner.
    fn instruction<'py>(&self, py: Python<'py>, address: u64) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &profile::instruction(&self.named(), address))
    }

    /// The same as a file for `KCachegrind` and `callgrind_annotate`; `command` is what was run.
    fn callgrind(&self, py: Python<'_>, command: &str) -> String {
        py.detach(|| trace::callgrind(&self.named().profile(), &self.named(), command))
    }

    /// The same as a file for speedscope; `name` is what its page is called.
    fn speedscope(&self, py: Python<'_>, name: &str) -> String {
        py.detach(|| trace::speedscope(&self.named().profile(), name).to_string())
    }

    /// The same as folded stacks, for flame graphs.
    fn folded(&self, py: Python<'_>) -> String {
        py.detach(|| trace::folded(&self.named().profile()))
    }
}

fn absent(address: u32, size: usize) -> PyErr {
    PyValueError::new_err(format!("no memory holds {size} bytes at {address:#x}"))
}

fn build(
    (device, home, settings): (&Path, Option<&Path>, &HashMap<String, i64>),
    image: (&Image, Option<u32>),
    coprocessors: &[PathBuf],
    libraries: &HashMap<PathBuf, PathBuf>,
) -> Result<(soc::Machine, Vec<String>, Option<soc::Key>), Vec<Diagnostic>> {
    let device = crate::config::device(device, home, settings)?;
    let mut designs = vec![];
    for path in coprocessors {
        let map = config::Coprocessor::load(path)?;
        let hardware = hardware(&map, libraries.get(path).map(PathBuf::as_path))?;
        designs.push((map, hardware));
    }
    let names: Vec<_> = designs.iter().map(|(map, _)| map.name.clone()).collect();
    // Which functions wait for a coprocessor is found in the code that ran, to which code of an earlier run must not add.
    let key = names.is_empty().then(|| key_of(&device, image));
    Ok((build_with(&device, image, designs)?, names, key))
}

/// The hash of what a machine begins with: the device as it is configured, and the image as it is loaded and divided
/// into functions.
fn key_of(device: &config::Device, (image, start_at): (&Image, Option<u32>)) -> soc::Key {
    let segments: Vec<_> =
        image.segments.iter().map(|segment| (segment.address, &segment.bytes)).collect();
    let functions: Vec<_> = image.symbols.code().iter().map(|symbol| symbol.address).collect();
    let begins = (image.entry, start_at);
    soc::Key::of(&(format!("{device:?}"), segments, functions, begins))
}

/// A machine of a device with an image in its memory and these coprocessors, about to start as the image
/// says or at an address that somebody named.
pub(crate) fn build_with(
    device: &config::Device,
    (image, start_at): (&Image, Option<u32>),
    coprocessors: Vec<(config::Coprocessor, Box<dyn Hardware>)>,
) -> Result<soc::Machine, Vec<Diagnostic>> {
    let instructions = instructions(device).map_err(|wrong| vec![wrong])?;
    if image.instructions.is_some_and(|its| its != instructions) {
        let message = format!("the image is for another processor than that of {}", device.name);
        let help = "build it for this device, or name a device that it was built for";
        return Err(vec![Diagnostic::error("image.foreign", message).with_help(help)]);
    }
    let regions: Arc<[u64]> =
        image.symbols.code().iter().map(|symbol| u64::from(symbol.address)).collect();
    let entry = start_at.unwrap_or(image.entry);
    let mut machine = soc::Machine::new(device, regions, u64::from(entry), coprocessors)
        .map_err(|error| vec![Diagnostic::error("machine.build", error.to_string())])?;
    load(&mut machine, image, device)?;
    start(&mut machine, (image, start_at), device).map_err(|wrong| vec![wrong])?;
    Ok(machine)
}

/// Lets a core start by its vector table, if it has one.
fn start(
    machine: &mut soc::Machine,
    (image, start_at): (&Image, Option<u32>),
    device: &config::Device,
) -> Result<(), Diagnostic> {
    let Some(vectors) = machine.vectors() else { return Ok(()) };
    let is_ram = |memory: &&config::Memory| memory.kind == config::MemoryKind::Ram;
    let ends = |memory: &config::Memory| (memory.base as u32, (memory.base + memory.size) as u32);
    let ram: Vec<(u32, u32)> = device.memories.iter().filter(is_ram).map(ends).collect();
    let order = machine.instructions().elf.order;
    let word = |at| Some(order.number(&machine.read(at, 4)?) as u32);
    let unmarked = machine.instructions().pointers.unmarked;
    let board = Board { name: &device.name, vectors, ram: &ram, word: &word, unmarked };
    let Start { entry, stack, vectors, note } = match start_at {
        Some(entry) => Start::at(entry, image, &board),
        None => Start::of(image, &board)?,
    };
    machine.start(entry, stack, vectors);
    machine.note_start(note);
    Ok(())
}

/// The first address behind what the program has in memory, as its linker or its file say.
fn heap(image: &Image) -> Option<u32> {
    let named = ["end", "_end", "__end__", "__heap_start"];
    let symbol = named.iter().find_map(|name| image.symbols.find(name));
    let written = image.segments.iter().filter(|segment| segment.writable);
    let ends = written.map(|segment| segment.runs_at.saturating_add(segment.size));
    let known = image.instructions.is_some();
    let end = symbol.map(|symbol| symbol.address).or_else(|| ends.max().filter(|_| known))?;
    Some(end.saturating_add(7) & !7)
}

/// A coprocessor's hardware: its design in FDL, or the library that its Verilog was compiled to.
fn hardware(
    map: &config::Coprocessor,
    library: Option<&Path>,
) -> Result<Box<dyn Hardware>, Vec<Diagnostic>> {
    let wrong = |message: String| vec![Diagnostic::error("machine.coprocessor", message)];
    if let Some(library) = library {
        if map.face == config::Face::Stream {
            let message = format!("`{}` is in Verilog, and a link needs a design in FDL", map.name);
            return Err(wrong(message));
        }
        let verilated = Verilated::load(library).map_err(|error| wrong(error.to_string()))?;
        return Ok(Box::new(verilated));
    }
    let design = netlist(&map.design, Some(&map.top))?;
    if map.face == config::Face::Stream {
        let fifos = Fifos::new(&map.name, design, map.fifo_words);
        return Ok(Box::new(fifos.map_err(|error| wrong(error.to_string()))?));
    }
    let fsmd = Fsmd::new(&map.name, design).map_err(|error| wrong(error.to_string()))?;
    Ok(Box::new(fsmd))
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
    pub(crate) fn named(&self) -> Named<'_> {
        let Program { image, debug, .. } = &*self.program;
        Named { soc: &self.soc, image, debug: debug.as_ref(), guest: self.guest.as_deref() }
    }

    /// How a run ended, as Python sees it.
    pub(crate) fn result<'py>(
        &self,
        py: Python<'py>,
        stop: &Stop,
        seconds: f64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Program { image, coprocessors, .. } = &*self.program;
        let report = Report { soc: &self.soc, image, coprocessors };
        let result = to_python(py, &report.run(stop, seconds))?;
        result.set_item("console", PyBytes::new(py, self.soc.console()))?;
        Ok(result)
    }
}

/// Runs machines at once, on so many threads (all cores' if `jobs` is 0); the results stand in the
/// order of the machines. `progress` is told how many have ended.
#[pyfunction]
#[pyo3(signature = (machines, max_cycles = 20_000_000_000, jobs = 0, progress = None))]
pub fn run_many<'py>(
    py: Python<'py>,
    mut machines: Vec<PyRefMut<'py, Machine>>,
    max_cycles: u64,
    jobs: usize,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let jobs =
        if jobs == 0 { std::thread::available_parallelism().map_or(1, usize::from) } else { jobs };
    let mut runs: Vec<Running<'_>> =
        machines.iter_mut().map(|machine| Running::new(&mut machine.soc, max_cycles)).collect();
    let mut ended = 0;
    while ended < runs.len() {
        py.detach(|| slice(&mut runs, jobs));
        py.check_signals()?;
        ended = runs.iter().filter(|run| run.stop.is_some()).count();
        if let Some(progress) = &progress {
            progress.call1((ended,))?;
        }
    }
    let ends: Vec<_> = runs.into_iter().map(|run| (run.stop, run.seconds)).collect();
    let pairs = machines.iter().zip(ends);
    pairs
        .filter_map(|(machine, (stop, seconds))| Some(machine.result(py, &stop?, seconds)))
        .collect()
}

/// One of several runs.
struct Running<'a> {
    soc: &'a mut soc::Machine,
    limit: u64,
    most: u64,
    stop: Option<Stop>,
    seconds: f64,
}

impl<'a> Running<'a> {
    fn new(soc: &'a mut soc::Machine, most: u64) -> Self {
        Self { soc, limit: SLICE.min(most), most, stop: None, seconds: 0.0 }
    }

    fn slice(&mut self) {
        let started = Instant::now();
        let stop = self.soc.run(self.limit);
        self.seconds += started.elapsed().as_secs_f64();
        if stop.cause != StopCause::CycleLimit || self.limit == self.most {
            self.stop = Some(stop);
        }
        self.limit = self.limit.max(stop.cycles).saturating_add(SLICE).min(self.most);
    }
}

/// Lets every run that has not ended go on for a slice.
fn slice(runs: &mut [Running<'_>], jobs: usize) {
    let open: Vec<&mut Running<'_>> = runs.iter_mut().filter(|run| run.stop.is_none()).collect();
    let queue = std::sync::Mutex::new(open.into_iter());
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                let next = || queue.lock().ok().and_then(|mut queue| queue.next());
                while let Some(run) = next() {
                    run.slice();
                }
            });
        }
    });
}
