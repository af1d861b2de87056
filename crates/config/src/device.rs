//! Devices: a core with clock, memories, bus, peripherals and power figures.

use std::collections::BTreeMap;
use std::iter;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use cocrypt_diag::Diagnostic;
use serde::Serialize;

use crate::cache::{Caches, caches};
use crate::chip::{ChipRegister, register};
use crate::coprocessor::Face;
use crate::core::Core;
use crate::flash::{Flash, flash};
use crate::multiplier::{Multiplier, multiplier};
use crate::names::{Names, file_name};
use crate::ranges::Ranges;
use crate::reader::{Reader, Spot, absolute};
use crate::section::{Section, Value};
use crate::system::{System, system};
use crate::timer::{ChipTimer, timer};
use crate::toolchain::{Toolchain, toolchain};
use crate::window::{MemoryWindow, window as memory_window};

/// Addresses have 32 bits.
const ADDRESSES: RangeInclusive<i64> = 0..=0xffff_ffff;
/// One past the last address.
const END: i64 = 1 << 32;
/// More wait cycles than any bus that a program would run on.
const WAITS: RangeInclusive<i64> = 0..=10_000;
/// The bus wants a cycle at least.
const BUS_WAITS: RangeInclusive<i64> = 1..=*WAITS.end();
/// Parts of the ratio of two clocks.
const CLOCKS: RangeInclusive<i64> = 1..=64;
/// Classes of instructions that energies are known for.
const CLASSES: [&str; 8] =
    ["alu", "load", "store", "branch", "jump", "multiply", "divide", "other"];
/// The help for a burst that is slower than other transfers.
const BURSTS: &str = "choose a burst_wait of at most wait, or leave it out";
/// The help for a coprocessor's clock that is too slow.
const SLOW_CLOCKS: &str = "choose a smaller divisor, or a slower bus";
/// Windows are whole words, and no device of this class holds more than 256 MiB.
const SIZES: RangeInclusive<i64> = 4..=0x1000_0000;

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
    /// The extensions of the core's base instruction set.
    pub extensions: Vec<String>,
    /// Clock frequency in hertz.
    pub clock_hz: u64,
    /// Memories; the first holds most of what programs touch.
    pub memories: Vec<Memory>,
    /// The bus to the peripherals.
    pub bus: Bus,
    /// Caches before the memories.
    pub caches: Caches,
    /// The interface of a flash memory, if one is slower than the core.
    pub flash: Option<Flash>,
    /// A window that shows a section of a memory, if there is one.
    pub window: Option<MemoryWindow>,
    /// The core's own peripherals, where it has them.
    pub system: Option<System>,
    /// Peripherals.
    pub peripherals: Vec<Peripheral>,
    /// The chip's own timers.
    pub timers: Vec<ChipTimer>,
    /// The chip's unit that multiplies and divides, where it has one.
    pub multiplier: Option<Multiplier>,
    /// Registers of the chip's own peripherals.
    pub registers: Vec<ChipRegister>,
    /// The clock of its coprocessors.
    pub coprocessor_clock: Ratio,
    /// Delay of a gate of its coprocessors with the wire to the next, in seconds, where it is known.
    pub gate_delay_s: Option<f64>,
    /// Power figures.
    pub power: Power,
    /// The toolchain of its programs.
    pub toolchain: Toolchain,
}

/// A second range of addresses at which bytes of a memory are seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Alias {
    /// First address there.
    pub base: u64,
    /// The first of the memory's bytes that are seen there, from the memory's beginning on.
    pub from: u64,
    /// The number of them.
    pub size: u64,
}

/// A memory.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Memory {
    /// Its name.
    pub name: String,
    /// True if programs can write to it.
    pub kind: MemoryKind,
    /// First address.
    pub base: u64,
    /// Size in bytes.
    pub size: u64,
    /// Cycles from request to answer of an instruction fetch.
    pub fetch_wait: u32,
    /// Cycles from request to answer of a data access.
    pub data_wait: u32,
    /// A second address of the same bytes.
    pub alias: Option<Alias>,
    /// True if a fetch behind an internal cycle of the core is not sequential (ARM7TDMI).
    pub unmerged: bool,
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
    /// The same for a transfer that continues a burst: to the word behind that of the transfer before it,
    /// in the same direction.
    pub burst_wait: u32,
    /// The source of the figure.
    pub source: Option<String>,
}

impl Default for Bus {
    fn default() -> Self {
        Self { wait: 1, burst_wait: 1, source: None }
    }
}

/// The clock of coprocessors against the core's: `multiply / divide` of their cycles in one of its.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Ratio {
    /// Cycles of the coprocessors …
    pub multiply: u32,
    /// … in so many of the core's.
    pub divide: u32,
}

impl Default for Ratio {
    fn default() -> Self {
        Self { multiply: 1, divide: 1 }
    }
}

/// A peripheral.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Peripheral {
    /// Its kind.
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
    /// Takes and gives characters.
    Console,
    /// Shows the cycle count.
    Counter,
    /// Ends the run.
    Exit,
    /// Outputs whose changes are recorded, as a trigger pin's are.
    Marks,
    /// Shows the cycle count, and interrupts from a given cycle on.
    Timer,
    /// Copies words while the core waits.
    Dma,
    /// A window for a coprocessor's registers.
    Coprocessor,
    /// A link of the core to a coprocessor.
    Link,
}

impl PeripheralKind {
    /// The kind that a coprocessor with a face is attached to.
    #[must_use]
    pub const fn of_face(face: Face) -> Self {
        match face {
            Face::Registers => Self::Coprocessor,
            Face::Stream => Self::Link,
        }
    }

    /// A place for coprocessors in words for people, and as files spell it.
    #[must_use]
    pub const fn port(self) -> (&'static str, &'static str) {
        match self {
            Self::Link => ("link", "link"),
            _ => ("window", "coprocessor"),
        }
    }
}

/// Power figures; what is not known is absent.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[allow(non_snake_case)] // A watt is a capital W.
pub struct Power {
    /// Power while the core runs, in watts; beside energies of classes, what is drawn whatever it does.
    pub active_W: Option<f64>,
    /// The source of the figures.
    pub source: Option<String>,
    /// How far off they may be, in percent.
    pub uncertainty_percent: Option<f64>,
    /// Energies of classes of instructions.
    pub classes: Vec<PowerClass>,
    /// The energy of a coprocessor's bits.
    pub toggling: Option<Toggling>,
}

/// The energy of an instruction.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[allow(non_snake_case)] // A joule is a capital J.
pub struct PowerClass {
    /// The class.
    pub name: String,
    /// Energy of one instruction, in joules, beside what is drawn anyway.
    pub energy_J: f64,
}

/// The energy of a bit that toggles.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[allow(non_snake_case)] // Volts and farads are capital letters.
pub struct Toggling {
    /// Supply voltage.
    pub voltage_V: f64,
    /// Capacitance that a register's bit moves with all that it drives, in farads.
    pub capacitance_F: f64,
}

impl Device {
    /// Reads a device file, and the core file `cores/<core>.toml` beside it.
    ///
    /// # Errors
    /// Everything that is wrong in either.
    pub fn load(path: &Path) -> Result<Self, Vec<Diagnostic>> {
        Self::load_at(path, None)
    }

    /// The same; a core that is not beside the device is looked for in `home`, the workbench's folder, too.
    ///
    /// # Errors
    /// Everything that is wrong in either.
    pub fn load_at(path: &Path, home: Option<&Path>) -> Result<Self, Vec<Diagnostic>> {
        let device = Reader::file_at("device", path, home, |reader, top| read(reader, top, core))?;
        Ok(Self { path: absolute(path), ..device })
    }

    /// Reads a device from a text, on a core that is already there; the core's name in the text is
    /// not looked at.
    ///
    /// # Errors
    /// Everything that is wrong in it.
    pub fn parse(name: &str, text: &str, core: &Core) -> Result<Self, Vec<Diagnostic>> {
        Self::parse_in(name, text, Path::new(""), core)
    }

    /// The same; relative paths in the text start at `folder`.
    ///
    /// # Errors
    /// Everything that is wrong in it.
    pub fn parse_in(
        name: &str,
        text: &str,
        folder: &Path,
        core: &Core,
    ) -> Result<Self, Vec<Diagnostic>> {
        Reader::text("device", name, text, folder, |reader, top| {
            read(reader, top, |_, _| Some(core.clone()))
        })
    }
}

fn read(
    reader: &Reader,
    top: &mut Section<'_>,
    find: impl Fn(&Reader, &Spot<String>) -> Option<Core>,
) -> Device {
    let mut device = Device::default();
    let mut core = None;
    if let Some(section) = top.required_section("device") {
        let name = section.required_text("name");
        file_name(reader, &name, "device");
        device.name = name.value;
        device.title = section.required_text("title").value;
        device.clock_hz = section.number("clock_hz", 1..=1_000_000_000_000) as u64;
        core = find(reader, &section.required_text("core"));
        section.finish();
    }
    device.parameters = parameters(reader, core.as_ref(), top.section("parameters").as_ref());
    device.extensions = core.as_ref().map_or_else(Vec::new, |core| core.has(&device.parameters));
    device.core = core.unwrap_or_default();
    let (mut names, mut windows) = (Names::default(), Ranges::default());
    for section in top.required_sections("memory") {
        device.memories.push(memory(reader, &section, &mut names, &mut windows));
    }
    if let Some(section) = top.section("bus") {
        device.bus = bus(reader, &section);
    }
    if let Some(section) = top.section("coprocessors") {
        device.gate_delay_s = section.positive("gate_delay_s");
        device.coprocessor_clock = coprocessor_clock(reader, &section, &device.bus);
    }
    if let Some(section) = top.section("cache") {
        device.caches = caches(reader, &section);
    }
    if let Some(section) = top.section("flash") {
        device.flash = Some(flash(reader, &section, &device.memories));
    }
    if let Some(section) = top.section("window") {
        device.window = Some(memory_window(reader, &section, &device.memories, &mut windows));
    }
    if let Some(section) = top.section("system") {
        device.system = Some(system(reader, &section, &mut windows));
    }
    for section in top.sections("peripheral") {
        device.peripherals.extend(peripheral(reader, &section, &mut windows));
    }
    let mut names = Names::default();
    for section in top.sections("register") {
        device.registers.extend(register(reader, &section, &mut names, &mut windows));
    }
    let mut names = Names::default();
    for section in top.sections("timer") {
        device.timers.push(timer(reader, &section, &mut names, &mut windows));
    }
    if let Some(section) = top.section("multiplier") {
        device.multiplier = Some(multiplier(reader, &section, &mut windows));
    }
    if let Some(section) = top.section("power") {
        device.power = power(reader, &section);
    }
    if let Some(section) = top.section("toolchain") {
        device.toolchain = toolchain(reader, &section);
        section.finish();
    }
    device
}

fn core(reader: &Reader, name: &Spot<String>) -> Option<Core> {
    let beside = reader.folder().join("cores");
    let path =
        reader.named(name, "core", iter::once(beside).chain(reader.at_home("devices/cores")));
    Core::load(&path?).map_err(|mistakes| reader.adopt(mistakes)).ok()
}

/// The core's defaults, overlaid with what the device says. Without a core nothing can be told wrong.
fn parameters(
    reader: &Reader,
    core: Option<&Core>,
    section: Option<&Section<'_>>,
) -> BTreeMap<String, i64> {
    let given = section.map(Section::named_parameters).unwrap_or_default();
    let Some(core) = core else { return BTreeMap::new() };
    let defaults = core.parameters.iter();
    let mut values: BTreeMap<_, _> =
        defaults.map(|(name, parameter)| (name.clone(), parameter.default)).collect();
    for (name, value) in given {
        let Some(parameter) = core.parameters.get(&name.value) else {
            reader.unknown(&name, "parameter", core.parameters.keys().map(String::as_str));
            continue;
        };
        if parameter.boolean && !matches!(value.value, Value::Truth(_)) {
            let message = format!("the parameter `{}` is a switch", name.value);
            let help = "write true or false";
            reader.report(value.span, "wrong-type", message, "a whole number", help);
        }
        values.insert(name.value, value.value.number());
    }
    values
}

fn memory(
    reader: &Reader,
    section: &Section<'_>,
    names: &mut Names,
    windows: &mut Ranges,
) -> Memory {
    let name = section.required_text("name");
    names.add(reader, "memory area", &name);
    let (base, size) = window(reader, section, &name.value, windows);
    let kind = section.text("kind").map_or(MemoryKind::Ram, |kind| memory_kind(reader, &kind));
    let memory = Memory {
        alias: alias(reader, section, &name.value, (kind, size), windows),
        name: name.value,
        kind,
        base,
        size,
        fetch_wait: section.number("fetch_wait", WAITS) as u32,
        data_wait: section.number("data_wait", WAITS) as u32,
        unmerged: section.switch("unmerged"),
    };
    section.finish();
    memory
}

/// A second address of a memory or of a part of it. Only read-only memories have one: a write would have to
/// reach both.
fn alias(
    reader: &Reader,
    section: &Section<'_>,
    name: &str,
    (kind, size): (MemoryKind, u64),
    windows: &mut Ranges,
) -> Option<Alias> {
    let alias = section.integer("alias", ADDRESSES)?;
    let [from, part] = ["alias_from", "alias_size"].map(|key| section.integer(key, SIZES));
    let words = [Some(&alias), from.as_ref(), part.as_ref()];
    for odd in words.into_iter().flatten().filter(|number| number.value % 4 != 0) {
        let message = format!("the alias of `{name}` is not of whole words");
        let help = "memories and peripherals are whole words; round it to a multiple of 4";
        reader.report(odd.span.clone(), "unaligned", message, "here", help);
    }
    if kind == MemoryKind::Ram {
        let message = format!("`{name}` is of kind ram, which cannot have an alias");
        let help = "take the alias out, or say `kind = \"rom\"`";
        reader.report(alias.span.clone(), "alias", message, "here", help);
    }
    let seen = from.as_ref().map_or(0, |from| from.value);
    let rest = size as i64 - seen;
    let size = part.as_ref().map_or(rest, |part| part.value);
    if size > rest || size <= 0 {
        let message = format!("`{name}` ends before the bytes of its alias do");
        let help = "`alias_from` and `alias_size` count bytes of the memory";
        reader.report(alias.span.clone(), "alias-part", message, "this alias", help);
        return None;
    }
    let addresses = alias.value..alias.value + size;
    if addresses.end > END {
        let message = format!("the alias of `{name}` reaches past the end of the address space");
        let help = "choose a smaller address";
        reader.report(alias.span.clone(), "out-of-range", message, "this address", help);
    }
    windows.add(reader, "addresses", &format!("{name}'s alias"), addresses, alias.span);
    Some(Alias { base: alias.value as u64, from: seen as u64, size: size as u64 })
}

/// Base and size of a window, which is whole words, inside the address space and over no other; 0
/// stands in where they are wrong.
fn window(reader: &Reader, section: &Section<'_>, name: &str, windows: &mut Ranges) -> (u64, u64) {
    let base = section.required_integer("base", ADDRESSES);
    let size = section.required_integer("size", SIZES);
    for (what, number) in [("base", &base), ("size", &size)] {
        if let Some(number) = number.as_ref().filter(|number| number.value % 4 != 0) {
            let message = format!("the {what} of `{name}` is not a multiple of 4");
            let help = "memories and peripherals are whole words; round it";
            reader.report(number.span.clone(), "unaligned", message, "here", help);
        }
    }
    let (Some(base), Some(size)) = (base, size) else { return (0, 0) };
    let addresses = base.value..base.value + size.value;
    if addresses.end > END {
        let message = format!("`{name}` reaches past the end of the address space");
        let help = "choose a smaller base or size";
        reader.report(section.span(), "out-of-range", message, "this window", help);
    }
    windows.add(reader, "addresses", name, addresses, section.span());
    (base.value as u64, size.value as u64)
}

fn memory_kind(reader: &Reader, kind: &Spot<String>) -> MemoryKind {
    match kind.value.as_str() {
        "ram" => MemoryKind::Ram,
        "rom" => MemoryKind::Rom,
        _ => {
            reader.unknown(kind, "kind of memory", ["ram", "rom"]);
            MemoryKind::Ram
        }
    }
}

fn bus(reader: &Reader, section: &Section<'_>) -> Bus {
    let wait = section.number("wait", BUS_WAITS) as u32;
    let burst = section.integer("burst_wait", BUS_WAITS);
    let source = section.text("source").map(|source| source.value);
    let bus = Bus {
        wait,
        burst_wait: burst.as_ref().map_or(wait, |wait_cycles| wait_cycles.value as u32),
        source,
    };
    if let (Some(spelled), Some(wrong)) = (burst, bus.wrong()) {
        reader.report(spelled.span, "slow-burst", wrong, "longer than `wait`", BURSTS);
    }
    section.finish();
    bus
}

fn coprocessor_clock(reader: &Reader, section: &Section<'_>, bus: &Bus) -> Ratio {
    let part = |key| section.integer(key, CLOCKS).map_or(1, |spelled| spelled.value as u32);
    let ratio = Ratio { multiply: part("clock_multiply"), divide: part("clock_divide") };
    if let Some(wrong) = ratio.wrong(bus) {
        reader.report(section.span(), "slow-clock", wrong, "this clock", SLOW_CLOCKS);
    }
    section.finish();
    ratio
}

/// The kinds of peripherals, as files spell them.
const PERIPHERALS: [&str; 8] =
    ["console", "counter", "exit", "marks", "timer", "dma", "coprocessor", "link"];

fn peripheral(reader: &Reader, section: &Section<'_>, windows: &mut Ranges) -> Option<Peripheral> {
    let name = section.required_text("kind");
    let (base, size) = window(reader, section, &name.value, windows);
    section.finish();
    let kind = match name.value.as_str() {
        "console" => PeripheralKind::Console,
        "counter" => PeripheralKind::Counter,
        "exit" => PeripheralKind::Exit,
        "marks" => PeripheralKind::Marks,
        "timer" => PeripheralKind::Timer,
        "dma" => PeripheralKind::Dma,
        "coprocessor" => PeripheralKind::Coprocessor,
        "link" => PeripheralKind::Link,
        "" => return None,
        _ => {
            reader.unknown(&name, "kind of peripheral", PERIPHERALS);
            return None;
        }
    };
    Some(Peripheral { kind, base, size })
}

fn power(reader: &Reader, section: &Section<'_>) -> Power {
    let mut names = Names::default();
    let classes = section.sections("class");
    let power = Power {
        active_W: section.positive("active_W"),
        source: section.text("source").map(|source| source.value),
        uncertainty_percent: section.positive("uncertainty_percent"),
        classes: classes.iter().map(|class| power_class(reader, class, &mut names)).collect(),
        toggling: section.section("toggling").map(|toggling| self::toggling(&toggling)),
    };
    section.finish();
    power
}

fn power_class(reader: &Reader, section: &Section<'_>, names: &mut Names) -> PowerClass {
    let name = section.required_text("name");
    names.add(reader, "class", &name);
    if !name.value.is_empty() && !CLASSES.contains(&name.value.as_str()) {
        reader.unknown(&name, "class", CLASSES);
    }
    let class = PowerClass { name: name.value, energy_J: section.required_positive("energy_J") };
    section.finish();
    class
}

fn toggling(section: &Section<'_>) -> Toggling {
    let toggling = Toggling {
        voltage_V: section.required_positive("voltage_V"),
        capacitance_F: section.required_positive("capacitance_F"),
    };
    section.finish();
    toggling
}
