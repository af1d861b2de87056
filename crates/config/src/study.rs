//! Studies: workload × device × candidates.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use cocrypt_diag::Diagnostic;
use serde::Serialize;

use crate::coprocessor::Coprocessor;
use crate::device::{Device, Peripheral, PeripheralKind, stems};
use crate::names::{Names, file_name, identifier};
use crate::reader::{Reader, Spot, absolute};
use crate::section::Section;

/// A study file's contents; paths are absolute.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Study {
    /// The file.
    pub path: PathBuf,
    /// Its name.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// The device that everything runs on.
    pub device: Device,
    /// Published figures to compare with.
    pub published: Option<PathBuf>,
    /// The compiler and its flags.
    pub toolchain: Toolchain,
    /// Sources that are linked into every workload.
    pub common: Vec<PathBuf>,
    /// Header folders.
    pub include: Vec<PathBuf>,
    /// What is run; the first is the one to explore unless another is asked for.
    pub workloads: Vec<Workload>,
    /// Functions that may be replaced.
    pub candidates: Vec<Candidate>,
    /// Driver sources that are linked when any candidate is in hardware.
    pub drivers: Vec<PathBuf>,
    /// Partitions that have a name.
    pub partitions: Vec<Partition>,
    /// What is compared with RTL.
    pub verify: Vec<Verify>,
}

/// The compiler and its flags.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Toolchain {
    /// Which compiler.
    pub compiler: String,
    /// Its flags.
    pub flags: Vec<String>,
}

/// A program to run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Workload {
    /// Its name.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// The source with `main`.
    pub source: PathBuf,
    /// The global array that holds the result.
    pub output: String,
    /// What it must hold, in hexadecimal, in the order of addresses.
    pub expect: String,
}

/// A function that may be replaced.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Candidate {
    /// The function.
    pub function: String,
    /// Its software, in a file of its own; none where it stands in one of the project's sources.
    pub software: Option<PathBuf>,
    /// What may replace it.
    pub options: Vec<Alternative>,
}

/// One way to replace a function.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Alternative {
    /// Its name.
    pub name: String,
    /// The source of a function with the same prototype: a driver, or other software.
    pub source: PathBuf,
    /// The coprocessor that it drives.
    pub coprocessor: Option<PathBuf>,
    /// Whether the coprocessor comes with the workbench and was called by its name, so that its driver
    /// is at hand.
    pub library: bool,
}

/// A partition with a name.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Partition {
    /// The name.
    pub name: String,
    /// The functions in hardware, in the order of the candidates.
    pub hw: Vec<String>,
}

/// A run to compare with RTL.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verify {
    /// The workload.
    pub workload: String,
    /// The functions in hardware, in the order of the candidates.
    pub hw: Vec<String>,
}

impl Study {
    /// Reads a study, the device that it names, and the register maps of its coprocessors.
    ///
    /// # Errors
    /// Everything that is wrong in any of them.
    pub fn load(path: &Path) -> Result<Self, Vec<Diagnostic>> {
        Self::load_at(path, None)
    }

    /// The same; devices and coprocessors that are called by a name are looked for in `home` too.
    ///
    /// # Errors
    /// Everything that is wrong in any of them.
    pub fn load_at(path: &Path, home: Option<&Path>) -> Result<Self, Vec<Diagnostic>> {
        let study = Reader::file_at("study", path, home, read)?;
        Ok(Self { path: absolute(path), ..study })
    }

    /// Reads a study from a text; what it names is looked for from `folder` on.
    ///
    /// # Errors
    /// Everything that is wrong in any of them.
    pub fn parse(name: &str, text: &str, folder: &Path) -> Result<Self, Vec<Diagnostic>> {
        Reader::text("study", name, text, folder, read)
    }
}

fn read(reader: &Reader, top: &mut Section<'_>) -> Study {
    let mut study = Study::default();
    let mut device = None;
    if let Some(section) = top.required_section("study") {
        let name = section.required_text("name");
        file_name(reader, &name, "study");
        study.name = name.value;
        study.title = section.required_text("title").value;
        device = self::device(reader, &section.required_text("device"));
        let published = section.text("published");
        study.published = published.map(|path| reader.existing_file(&path, "published figures"));
        section.finish();
    }
    if let Some(section) = top.required_section("toolchain") {
        study.toolchain = toolchain(reader, &section);
    }
    if let Some(section) = top.section("sources") {
        study.common = files(reader, &section.texts("common"), "source");
        let include = section.texts("include");
        let folder = |path| reader.existing_folder(path, "header folder");
        study.include = include.iter().map(folder).collect();
        section.finish();
    }
    study.workloads = workloads(reader, &top.required_sections("workload"));
    study.candidates = candidates(reader, &top.sections("candidate"), device.as_ref());
    study.device = device.unwrap_or_default();
    if let Some(section) = top.section("drivers") {
        study.drivers = files(reader, &section.texts("common"), "driver");
        section.finish();
    }
    study.partitions = partitions(reader, &study, &top.sections("partition"));
    let verify = top.sections("verify");
    study.verify = verify.iter().map(|section| self::verify(reader, &study, section)).collect();
    study
}

/// A path that ends in `.toml`, or the name of a file in the nearest folder `devices` above.
fn device(reader: &Reader, spelled: &Spot<String>) -> Option<Device> {
    let path = if Path::new(&spelled.value).extension().is_some_and(|end| end == "toml") {
        Some(reader.existing_file(spelled, "device")).filter(|path| path.is_file())
    } else {
        named_device(reader, spelled)
    };
    Device::load(&path?).map_err(|mistakes| reader.adopt(mistakes)).ok()
}

fn named_device(reader: &Reader, name: &Spot<String>) -> Option<PathBuf> {
    let above = reader.folder().ancestors().map(|folder| folder.join("devices"));
    let nearest = above.into_iter().find(|devices| devices.is_dir());
    let devices: Vec<PathBuf> = nearest.into_iter().chain(reader.at_home("devices")).collect();
    let mut paths = devices.iter().map(|folder| folder.join(format!("{}.toml", name.value)));
    if let Some(path) = paths.find(|path| path.exists()) {
        return Some(path);
    }
    if !name.value.is_empty() {
        let known: Vec<String> = devices.iter().flat_map(|folder| stems(folder)).collect();
        reader.unknown(name, "device", known.iter().map(String::as_str));
    }
    None
}

fn toolchain(reader: &Reader, section: &Section<'_>) -> Toolchain {
    let compiler = section.required_text("compiler");
    if compiler.value != "zig" && !compiler.value.is_empty() {
        reader.unknown(&compiler, "compiler", ["zig"]);
    }
    let flags = section.texts("flags").into_iter().map(|flag| flag.value).collect();
    section.finish();
    Toolchain { compiler: compiler.value, flags }
}

fn files(reader: &Reader, paths: &[Spot<String>], what: &str) -> Vec<PathBuf> {
    paths.iter().map(|path| reader.existing_file(path, what)).collect()
}

fn workloads(reader: &Reader, sections: &[Section<'_>]) -> Vec<Workload> {
    let mut names = Names::default();
    sections.iter().map(|section| workload(reader, section, &mut names)).collect()
}

fn workload(reader: &Reader, section: &Section<'_>, names: &mut Names) -> Workload {
    let name = section.required_text("name");
    file_name(reader, &name, "workload");
    names.add(reader, "workload", &name);
    let output = section.required_text("output");
    identifier(reader, &output, "global array");
    let workload = Workload {
        name: name.value,
        title: section.required_text("title").value,
        source: reader.existing_file(&section.required_text("source"), "source"),
        output: output.value,
        expect: expected(reader, section.required_text("expect")),
    };
    section.finish();
    workload
}

fn expected(reader: &Reader, text: Spot<String>) -> String {
    let digits = &text.value;
    if !digits.len().is_multiple_of(2) || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        let message = "`expect` is not a whole number of bytes in hexadecimal";
        let help = "write two hexadecimal digits for each byte, without spaces";
        reader.report(text.span, "no-hexadecimal", message, "here", help);
    }
    text.value
}

fn candidates(
    reader: &Reader,
    sections: &[Section<'_>],
    device: Option<&Device>,
) -> Vec<Candidate> {
    let (mut names, mut ports) = (Names::default(), Ports::new(device));
    let candidates = sections.iter().map(|section| {
        let function = section.required_text("function");
        identifier(reader, &function, "function");
        names.add(reader, "candidate", &function);
        let software = section.text("software");
        let candidate = Candidate {
            function: function.value,
            software: software.map(|path| reader.existing_file(&path, "source")),
            options: alternatives(reader, section, &mut ports),
        };
        section.finish();
        candidate
    });
    candidates.collect()
}

/// The option that a candidate states itself, by `coprocessor` and `driver`, and those in sections of
/// their own.
fn alternatives(reader: &Reader, section: &Section<'_>, ports: &mut Ports<'_>) -> Vec<Alternative> {
    let sections = section.sections("option");
    let mut options: Vec<_> = own(reader, section, ports).into_iter().collect();
    if options.is_empty() && sections.is_empty() {
        let help = "give it `coprocessor` and `driver`, or a [[candidate.option]]";
        let message = "nothing can replace this function";
        reader.report(section.span(), "no-option", message, "no option", help);
    }
    let mut names = Names::default();
    for section in &sections {
        let name = section.required_text("name");
        file_name(reader, &name, "option");
        names.add(reader, "option", &name);
        let taken = name.value == SOFTWARE || options.iter().any(|other| other.name == name.value);
        if taken {
            let message = format!("an option cannot be called `{}`", name.value);
            let help = format!(
                "`{SOFTWARE}` is the function as it is, `{COPROCESSOR}` what the candidate says itself"
            );
            reader.report(name.span.clone(), "reserved-name", message, "taken", help);
        }
        let coprocessor = section.text("coprocessor");
        let map = coprocessor.as_ref().map(|spelled| register_map(reader, spelled));
        if let (Some(spelled), Some((path, _))) = (&coprocessor, &map) {
            ports.fit(reader, &spelled.span, path);
        }
        let (path, library) = map.map_or((None, false), |(path, library)| (Some(path), library));
        options.push(Alternative {
            name: name.value,
            source: reader.existing_file(&section.required_text("source"), "source"),
            coprocessor: path,
            library,
        });
        section.finish();
    }
    options
}

/// What the candidate says itself, by `coprocessor` and `driver`.
fn own(reader: &Reader, section: &Section<'_>, ports: &mut Ports<'_>) -> Option<Alternative> {
    let (coprocessor, driver) = match (section.text("coprocessor"), section.text("driver")) {
        (Some(coprocessor), Some(driver)) => (coprocessor, driver),
        (None, None) => return None,
        (one, other) => {
            let span = one.or(other).map_or(section.span(), |spelled| spelled.span);
            let message = "a coprocessor and its driver belong together";
            let help = "give both `coprocessor` and `driver`";
            reader.report(span, "no-option", message, "alone", help);
            return None;
        }
    };
    let (path, library) = register_map(reader, &coprocessor);
    ports.attach(reader, &coprocessor.span, &path);
    let source = reader.existing_file(&driver, "driver");
    Some(Alternative { name: COPROCESSOR.to_owned(), source, coprocessor: Some(path), library })
}

/// A register map by its path, or by the name of a coprocessor that comes with the workbench; whether it
/// was the latter.
fn register_map(reader: &Reader, spelled: &Spot<String>) -> (PathBuf, bool) {
    let is_name = Path::new(&spelled.value).extension().is_none() && !spelled.value.contains('/');
    let Some(library) = reader.at_home("coprocessors").filter(|_| is_name) else {
        return (reader.existing_file(spelled, "register map"), false);
    };
    let map = |name: &str| library.join(name).join("registers.toml");
    if !map(&spelled.value).is_file() {
        let mut known = folders(&library);
        known.retain(|name| map(name).is_file());
        reader.unknown(spelled, "coprocessor", known.iter().map(String::as_str));
    }
    (map(&spelled.value), true)
}

/// The names of the folders in a folder, in order.
fn folders(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let folders = entries.filter(|entry| entry.path().is_dir());
    let mut names: Vec<String> =
        folders.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// What the function as it is is called among its options.
const SOFTWARE: &str = "software";
/// What the option is called that a candidate states itself.
const COPROCESSOR: &str = "coprocessor";

/// The device's windows for coprocessors, and what the candidates want to put there.
struct Ports<'a> {
    device: Option<&'a Device>,
    attached: Vec<PathBuf>,
}

impl<'a> Ports<'a> {
    fn new(device: Option<&'a Device>) -> Self {
        Self { device, attached: vec![] }
    }

    /// Checks a register map, and that the device has a window for it beside the others.
    fn attach(&mut self, reader: &Reader, span: &Range<usize>, path: &Path) {
        if !path.is_file() || self.attached.iter().any(|other| other == path) {
            return;
        }
        self.attached.push(path.to_owned());
        self.check(reader, span, path, self.attached.len());
    }

    /// Checks a register map, and that it fits a window of the device, with others or instead of them.
    fn fit(&self, reader: &Reader, span: &Range<usize>, path: &Path) {
        if path.is_file() {
            self.check(reader, span, path, 1);
        }
    }

    fn check(&self, reader: &Reader, span: &Range<usize>, path: &Path, needed: usize) {
        let map = Coprocessor::load(path).map_err(|mistakes| reader.adopt(mistakes));
        let (Some(device), Ok(map)) = (self.device, map) else { return };
        let is_port = |at: &&Peripheral| at.kind == PeripheralKind::Coprocessor;
        let windows: Vec<_> =
            device.peripherals.iter().filter(is_port).map(|window| window.size).collect();
        if needed > windows.len() {
            let message = format!("the device `{}` has no window for `{}`", device.name, map.name);
            let help = "add a [[peripheral]] of kind \"coprocessor\" to the device";
            reader.report(span.clone(), "no-window", message, "needs a window", help);
        } else if windows.iter().any(|&size| map.size() > size) {
            let message = format!("`{}` does not fit the device's window", map.name);
            let help = format!("give the window {:#x} bytes or more", map.size());
            reader.report(span.clone(), "no-window", message, "needs a larger window", help);
        }
    }
}

fn partitions(reader: &Reader, study: &Study, sections: &[Section<'_>]) -> Vec<Partition> {
    let mut names = Names::default();
    let mut partitions: Vec<Partition> = vec![];
    for section in sections {
        let name = section.required_text("name");
        names.add(reader, "partition", &name);
        let hw = hardware(reader, study, section);
        let same = partitions.iter().position(|other| hw.as_ref() == Some(&other.hw));
        let partition = Partition { name: name.value, hw: hw.unwrap_or_default() };
        if let Some(same) = same {
            let (one, other) = (&partition.name, &partitions[same].name);
            let message = format!("the partitions `{one}` and `{other}` are the same");
            let help = "give a partition one name";
            let (span, other) = (section.span(), sections[same].span());
            reader.conflict(span, other, "same-partition", message, help);
        }
        section.finish();
        partitions.push(partition);
    }
    partitions
}

fn verify(reader: &Reader, study: &Study, section: &Section<'_>) -> Verify {
    let workload = section.required_text("workload");
    let known: Vec<_> = study.workloads.iter().map(|workload| workload.name.as_str()).collect();
    if !workload.value.is_empty() && !known.contains(&workload.value.as_str()) {
        reader.unknown(&workload, "workload", known);
    }
    let hw = hardware(reader, study, section).unwrap_or_default();
    let verify = Verify { workload: workload.value, hw };
    section.finish();
    verify
}

/// The functions under `hw`, put into the order of the candidates; nothing if one is unknown.
fn hardware(reader: &Reader, study: &Study, section: &Section<'_>) -> Option<Vec<String>> {
    let chosen = section.required_texts("hw");
    let known: Vec<_> = study.candidates.iter().map(|other| other.function.as_str()).collect();
    let mut names = Names::default();
    let mut all_known = true;
    for function in &chosen {
        names.add(reader, "function", function);
        if !known.contains(&function.value.as_str()) {
            reader.unknown(function, "candidate", known.iter().copied());
            all_known = false;
        }
    }
    let is_chosen = |name: &&str| chosen.iter().any(|function| function.value == **name);
    all_known.then(|| known.into_iter().filter(is_chosen).map(str::to_owned).collect())
}
