//! Devices: a core with clock, memories, bus, peripherals and power figures.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cocrypt_diag::Diagnostic;
use serde::Serialize;

use crate::core::Core;
use crate::reader::{Reader, Spot};
use crate::section::Section;

/// Addresses have 32 bits.
const ADDRESSES: std::ops::RangeInclusive<i64> = 0..=0xffff_ffff;
/// More wait cycles than any bus that a program would run on.
const WAITS: std::ops::RangeInclusive<i64> = 0..=10_000;

/// A device file's contents, its core's included.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Device {
    /// The file.
    pub path: PathBuf,
    /// Its name.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// The core.
    pub core: Core,
    /// The core's parameters, defaults filled in; truth values are 0 and 1.
    pub parameters: BTreeMap<String, i64>,
    /// Clock frequency in hertz.
    pub clock_hz: u64,
    /// Memories; the first holds most of what programs touch.
    pub memories: Vec<Memory>,
    /// The bus to the peripherals.
    pub bus: Bus,
    /// Peripherals.
    pub peripherals: Vec<Peripheral>,
    /// Power figures.
    pub power: Power,
}

/// A memory.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Memory {
    /// Its name.
    pub name: String,
    /// Whether programs can write to it.
    pub kind: MemoryKind,
    /// First address.
    pub base: u64,
    /// Size in bytes.
    pub size: u64,
    /// Cycles from request to answer of an instruction fetch.
    pub fetch_wait: u32,
    /// Cycles from request to answer of a data access.
    pub data_wait: u32,
}

/// Kinds of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MemoryKind {
    /// Programs read and write it.
    Ram,
    /// Programs read it.
    Rom,
}

/// The bus to the peripherals.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Bus {
    /// Cycles that each transfer waits from request to answer.
    pub wait: u32,
    /// Where the figure was taken from.
    pub source: Option<String>,
}

impl Default for Bus {
    fn default() -> Self {
        Self { wait: 1, source: None }
    }
}

/// A peripheral.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Peripheral {
    /// What it is.
    pub kind: PeripheralKind,
    /// First address.
    pub base: u64,
    /// Size of its window in bytes.
    pub size: u64,
}

/// Kinds of peripherals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PeripheralKind {
    /// Takes characters.
    Console,
    /// Shows the cycle count.
    Counter,
    /// Ends the run.
    Exit,
    /// A window for a coprocessor's registers.
    Coprocessor,
}

/// Power figures; what is not known is absent.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[allow(non_snake_case)] // A watt is a capital W.
pub struct Power {
    /// Power while the core runs, in watts.
    pub active_W: Option<f64>,
    /// Where the figure was taken from.
    pub source: Option<String>,
}

impl Device {
    /// Reads a device file, and the core file `cores/<core>.toml` beside it.
    ///
    /// # Errors
    /// Everything that is wrong in either.
    pub fn load(path: &Path) -> Result<Self, Vec<Diagnostic>> {
        let device = Reader::file("device", path, read)?;
        Ok(Self { path: path.to_owned(), ..device })
    }
}

fn read(reader: &Reader, top: &mut Section<'_>) -> Device {
    let mut device = Device::default();
    if let Some(section) = top.required_section("device") {
        device.name = section.required_text("name").value;
        device.title = section.required_text("title").value;
        device.clock_hz =
            section.required_integer("clock_hz", 1..=1_000_000_000_000).value as u64;
        device.core = core(reader, &section.required_text("core"));
        section.finish();
    }
    device.parameters = parameters(reader, &device.core, top.section("parameters").as_ref());
    let mut windows = Windows::default();
    for section in top.sections("memory") {
        device.memories.push(memory(reader, &section, &mut windows));
    }
    if device.memories.is_empty() {
        let help = "add a [[memory]]";
        reader.report(0..0, "no-memory", "the device has no memory", "", help);
    }
    if let Some(section) = top.section("bus") {
        device.bus = bus(&section);
    }
    for section in top.sections("peripheral") {
        device.peripherals.extend(peripheral(reader, &section, &mut windows));
    }
    if let Some(section) = top.section("power") {
        device.power = power(&section);
    }
    device
}

fn core(reader: &Reader, name: &Spot<String>) -> Core {
    let cores = reader.folder().join("cores");
    let path = cores.join(format!("{}.toml", name.value));
    if path.exists() {
        return Core::load(&path).unwrap_or_else(|mistakes| {
            reader.adopt(mistakes);
            Core::default()
        });
    }
    if !name.value.is_empty() {
        let known = stems(&cores);
        reader.unknown(name, "core", known.iter().map(String::as_str));
    }
    Core::default()
}

/// The names of the TOML files in a folder.
pub fn stems(folder: &Path) -> Vec<String> {
    let Ok(entries) = folder.read_dir() else { return vec![] };
    let mut stems: Vec<_> = entries
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let toml = path.extension().is_some_and(|extension| extension == "toml");
            toml.then(|| path.file_stem().map(|stem| stem.to_string_lossy().into_owned()))?
        })
        .collect();
    stems.sort();
    stems
}

fn parameters(
    reader: &Reader,
    core: &Core,
    section: Option<&Section<'_>>,
) -> BTreeMap<String, i64> {
    let defaults = core.parameters.iter();
    let mut values: BTreeMap<_, _> =
        defaults.map(|(name, parameter)| (name.clone(), parameter.default)).collect();
    let Some(section) = section else { return values };
    for (name, value) in section.named_parameters() {
        match values.get_mut(&name.value) {
            Some(place) => *place = value.value,
            // Without a core, no parameter can be told from another.
            None if core.parameters.is_empty() => {}
            None => reader.unknown(&name, "parameter", core.parameters.keys().map(String::as_str)),
        }
    }
    values
}

/// The address windows seen so far.
#[derive(Default)]
struct Windows(Vec<(String, u64, u64)>);

impl Windows {
    fn add(&mut self, reader: &Reader, section: &Section<'_>, name: &str, base: u64, size: u64) {
        if base + size > 1 << 32 {
            let message = format!("`{name}` reaches past the end of the address space");
            let help = "choose a smaller base or size";
            reader.report(section.span(), "out-of-range", message, "this window", help);
        }
        let overlaps = |window: &&(String, u64, u64)| base < window.1 + window.2 && window.1 < base + size;
        if let Some((other, ..)) = self.0.iter().find(overlaps) {
            let message = format!("the windows of `{name}` and `{other}` overlap");
            let help = "give each its own addresses";
            reader.report(section.span(), "overlap", message, "this window", help);
        }
        self.0.push((name.to_owned(), base, size));
    }
}

fn memory(reader: &Reader, section: &Section<'_>, windows: &mut Windows) -> Memory {
    let kind = match section.text("kind") {
        None => MemoryKind::Ram,
        Some(kind) if kind.value == "ram" => MemoryKind::Ram,
        Some(kind) if kind.value == "rom" => MemoryKind::Rom,
        Some(kind) => {
            reader.unknown(&kind, "kind of memory", ["ram", "rom"]);
            MemoryKind::Ram
        }
    };
    let memory = Memory {
        name: section.required_text("name").value,
        kind,
        base: section.required_integer("base", ADDRESSES).value as u64,
        size: section.required_integer("size", 4..=0x1000_0000).value as u64,
        fetch_wait: section.required_integer("fetch_wait", WAITS).value as u32,
        data_wait: section.required_integer("data_wait", WAITS).value as u32,
    };
    if !memory.base.is_multiple_of(4) || !memory.size.is_multiple_of(4) {
        let message = format!("base and size of `{}` are not multiples of 4", memory.name);
        reader.report(section.span(), "unaligned", message, "this memory", "round them");
    }
    windows.add(reader, section, &memory.name, memory.base, memory.size);
    section.finish();
    memory
}

fn bus(section: &Section<'_>) -> Bus {
    let wait = section.required_integer("wait", 1..=*WAITS.end()).value as u32;
    let source = section.text("source").map(|source| source.value);
    section.finish();
    Bus { wait, source }
}

fn peripheral(
    reader: &Reader,
    section: &Section<'_>,
    windows: &mut Windows,
) -> Option<Peripheral> {
    let kind = section.required_text("kind");
    let base = section.required_integer("base", ADDRESSES).value as u64;
    let size = section.required_integer("size", 4..=0x1000_0000).value as u64;
    windows.add(reader, section, &kind.value, base, size);
    section.finish();
    let kind = match kind.value.as_str() {
        "console" => PeripheralKind::Console,
        "counter" => PeripheralKind::Counter,
        "exit" => PeripheralKind::Exit,
        "coprocessor" => PeripheralKind::Coprocessor,
        _ => {
            let known = ["console", "counter", "exit", "coprocessor"];
            reader.unknown(&kind, "kind of peripheral", known);
            return None;
        }
    };
    Some(Peripheral { kind, base, size })
}

fn power(section: &Section<'_>) -> Power {
    let power = Power {
        active_W: section.number("active_W"),
        source: section.text("source").map(|source| source.value),
    };
    section.finish();
    power
}
