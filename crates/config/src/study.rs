//! Studies: workload × device × candidates.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use cocrypt_diag::Diagnostic;
use serde::Serialize;

use crate::authentication::{Authentication, References, authentication};
use crate::bytes::size;
use crate::candidate::{Candidate, candidates};
use crate::device::Device;
use crate::java::{Java, java, java_name};
use crate::names::{Names, file_name, identifier};
use crate::reader::{Reader, Spot, absolute};
use crate::search::{Search, Sweep, search, sweep};
use crate::section::Section;
use crate::sources::{Sources, sources};
use crate::study_leakage::{StudyLeakage, study_leakage};
use crate::toolchain::{DeviceToolchain, Toolchain, device_toolchains, toolchain};

/// Bytes that a heap may have: room for one piece of memory, and no more than devices of this class have.
const HEAPS: RangeInclusive<u64> = 16..=1 << 24;

/// A study file's contents; paths are absolute.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Study {
    /// The file.
    pub path: PathBuf,
    /// Its name.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// The device that everything runs on, unless another is asked for.
    pub device: Device,
    /// All devices that it is explored on, that one first.
    pub devices: Vec<Device>,
    /// Published figures to compare with.
    pub published: Option<PathBuf>,
    /// Bytes of the heap that programs have, if any.
    pub heap: Option<u64>,
    /// The classes of its workloads in Java, if it has any.
    pub java: Option<Java>,
    /// The toolchain of programs, unless device files or the list below say otherwise.
    pub toolchain: Toolchain,
    /// The same for single devices.
    pub device_toolchains: Vec<DeviceToolchain>,
    /// Sources that are linked into every workload.
    pub common: Vec<PathBuf>,
    /// Header folders.
    pub include: Vec<PathBuf>,
    /// The programs to run; the first is explored unless the user asks for another.
    pub workloads: Vec<Workload>,
    /// Functions that may be replaced.
    pub candidates: Vec<Candidate>,
    /// Driver sources that are linked when any candidate is in hardware.
    pub drivers: Vec<PathBuf>,
    /// Partitions that have a name.
    pub partitions: Vec<Partition>,
    /// Comparisons with RTL.
    pub verify: Vec<Verify>,
    /// Buses and clocks that are tried beside the device's own.
    pub sweep: Sweep,
    /// The search among all design points.
    pub search: Search,
    /// The leakage that partitions are examined for, if any.
    pub leakage: Option<StudyLeakage>,
    /// The network in which its firmware authenticates nodes, if it is such a study.
    pub authentication: Option<Authentication>,
}

/// A program to run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Workload {
    /// Its name.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// The source with the entry, or a program that somebody else has built; none for a program in Java.
    pub source: Option<PathBuf>,
    /// The class in Java that holds `main`, or a static method; none for other programs.
    pub main: Option<String>,
    /// The function that is called; it gives the exit code.
    pub entry: String,
    /// The console's input, in hexadecimal.
    pub input: String,
    /// The global array that holds the result; in Java a static field that refers to an array of bytes.
    pub output: String,
    /// Its expected content, in hexadecimal, in the order of addresses; none where it is not known yet.
    pub expect: Option<String>,
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
    if let Some(section) = top.required_section("study") {
        let name = section.required_text("name");
        file_name(reader, &name, "study");
        study.name = name.value;
        study.title = section.required_text("title").value;
        study.devices = devices(reader, &section);
        let published = section.text("published");
        study.published = published.map(|path| reader.existing_file(&path, "published figures"));
        let heap = section.text("heap");
        study.heap = heap.and_then(|text| size(reader, "heap", &text, &HEAPS));
        section.finish();
    }
    if let Some(section) = top.required_section("toolchain") {
        study.toolchain = toolchain(reader, &section);
        study.device_toolchains = device_toolchains(reader, &section, &study.devices);
        section.finish();
    }
    let (mut common, mut drivers) = (Sources::default(), Sources::default());
    if let Some(section) = top.section("sources") {
        common = sources(reader, &section, "source");
        let include = section.texts("include");
        let folder = |path| reader.existing_folder(path, "header folder");
        study.include = include.iter().map(folder).collect();
        section.finish();
    }
    study.java = top.section("java").map(|section| java(reader, &section));
    let is_java = study.java.is_some();
    study.workloads = workloads(reader, &top.required_sections("workload"), is_java);
    study.candidates =
        candidates(reader, &top.sections("candidate"), study.devices.first(), is_java);
    study.device = study.devices.first().cloned().unwrap_or_default();
    if let Some(section) = top.section("drivers") {
        drivers = sources(reader, &section, "driver");
        section.finish();
    }
    study.drivers = drivers.without(&named(&study));
    study.common = common.without(&named(&study));
    study.partitions = partitions(reader, &study, &top.sections("partition"));
    let verify = top.sections("verify");
    study.verify = verify.iter().map(|section| self::verify(reader, &study, section)).collect();
    study.sweep = top.section("sweep").map(|table| sweep(reader, &table)).unwrap_or_default();
    study.search = top.section("search").map(|table| search(reader, &table)).unwrap_or_default();
    let section = top.section("leakage");
    study.leakage = section.map(|table| study_leakage(reader, &table));
    if study.leakage.is_none() {
        without_leakage(reader, top.span(), &study.search);
    }
    let section = top.section("authentication");
    study.authentication = section.and_then(|table| network(reader, &study, &table));
    study
}

/// Reports a search for figures of leakage in a study that does not say what is sampled.
fn without_leakage(reader: &Reader, span: std::ops::Range<usize>, search: &Search) {
    if let Some(figure) = search.leakage_figure() {
        let message = format!("`{figure}` is looked for, and nothing says what is sampled");
        let help = "add a table [leakage] with the function and its inputs";
        reader.report(span, "no-leakage", message, "no [leakage]", help);
    }
}

fn network(reader: &Reader, study: &Study, section: &Section<'_>) -> Option<Authentication> {
    let references = References {
        workloads: study.workloads.iter().map(|workload| workload.name.as_str()).collect(),
        device: &|name| device(reader, name),
        hardware: &|section| hardware(reader, study, section).unwrap_or_default(),
    };
    authentication(reader, section, &references)
}

/// The study's device, and those that it is explored on too.
fn devices(reader: &Reader, section: &Section<'_>) -> Vec<Device> {
    let first = section.required_text("device");
    let mut names = Names::default();
    let every = std::iter::once(first).chain(section.texts("further_devices"));
    every
        .filter_map(|spelled| {
            names.add(reader, "device", &spelled);
            device(reader, &spelled)
        })
        .collect()
}

/// A path that ends in `.toml`, or the name of a file in the nearest folder `devices` above.
fn device(reader: &Reader, spelled: &Spot<String>) -> Option<Device> {
    let path = if Path::new(&spelled.value).extension().is_some_and(|end| end == "toml") {
        Some(reader.existing_file(spelled, "device")).filter(|path| path.is_file())
    } else {
        named_device(reader, spelled)
    };
    Device::load_at(&path?, reader.home()).map_err(|mistakes| reader.adopt(mistakes)).ok()
}

fn named_device(reader: &Reader, name: &Spot<String>) -> Option<PathBuf> {
    let above = reader.folder().ancestors().map(|folder| folder.join("devices"));
    let nearest = above.into_iter().find(|devices| devices.is_dir());
    reader.named(name, "device", nearest.into_iter().chain(reader.at_home("devices")))
}

/// The sources that workloads, candidates and drivers name.
fn named(study: &Study) -> Vec<PathBuf> {
    let workloads = study.workloads.iter().filter_map(|workload| workload.source.as_ref());
    let software = study.candidates.iter().filter_map(|candidate| candidate.software.as_ref());
    let options = study.candidates.iter().flat_map(|candidate| &candidate.options);
    let options = options.filter_map(|option| option.source.as_ref());
    workloads.chain(software).chain(options).chain(&study.drivers).cloned().collect()
}

fn workloads(reader: &Reader, sections: &[Section<'_>], is_java: bool) -> Vec<Workload> {
    let mut names = Names::default();
    sections.iter().map(|section| workload(reader, section, &mut names, is_java)).collect()
}

fn workload(reader: &Reader, section: &Section<'_>, names: &mut Names, is_java: bool) -> Workload {
    let name = section.required_text("name");
    file_name(reader, &name, "workload");
    names.add(reader, "workload", &name);
    let output = section.required_text("output");
    let [source, main] = program(reader, section, is_java);
    if let Some(main) = &main {
        java_name(reader, main, "class");
        java_name(reader, &output, "static field");
    } else {
        identifier(reader, &output, "global array");
    }
    let entry = if is_java { None } else { section.text("entry") };
    if let Some(entry) = &entry {
        identifier(reader, entry, "function");
    }
    let input = section.text("input").map(|input| hexadecimal(reader, "input", input));
    let workload = Workload {
        name: name.value,
        title: section.required_text("title").value,
        source: source.map(|path| reader.existing_file(&path, "source")),
        main: main.map(|main| main.value),
        entry: entry.map_or_else(|| "main".to_owned(), |entry| entry.value),
        input: input.unwrap_or_default(),
        output: output.value,
        expect: section.text("expect").map(|expect| hexadecimal(reader, "expect", expect)),
    };
    section.finish();
    workload
}

/// The source of a workload, or else the class that it starts with in Java.
fn program(reader: &Reader, section: &Section<'_>, is_java: bool) -> [Option<Spot<String>>; 2] {
    let (key, help) = if is_java {
        ("main", "name the class in Java that holds main, or a static method")
    } else {
        (
            "source",
            "name the file that holds main(); for a program in Java give the study a section [java]",
        )
    };
    let found = section.text(key);
    if found.is_none() {
        let message = format!("a workload has no `{key}`");
        reader.report(section.span(), "no-source", message, "nothing to run", help);
    }
    if is_java { [None, found] } else { [found, None] }
}

pub(crate) fn hexadecimal(reader: &Reader, key: &str, text: Spot<String>) -> String {
    let digits = &text.value;
    if !digits.len().is_multiple_of(2) || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        let message = format!("`{key}` is not a whole number of bytes in hexadecimal");
        let help = "write two hexadecimal digits for each byte, without spaces";
        reader.report(text.span, "no-hexadecimal", message, "here", help);
    }
    text.value
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
