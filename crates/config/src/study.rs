//! Studies: workload × device × candidates.

use std::path::{Path, PathBuf};

use cocrypt_diag::Diagnostic;
use serde::Serialize;

use crate::device::{Device, stems};
use crate::reader::{Reader, Spot};
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
    /// Its software.
    pub software: PathBuf,
    /// The coprocessor that can do it.
    pub coprocessor: PathBuf,
    /// The driver that replaces it.
    pub driver: PathBuf,
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
    /// Reads a study, and the device that it names.
    ///
    /// # Errors
    /// Everything that is wrong in either.
    pub fn load(path: &Path) -> Result<Self, Vec<Diagnostic>> {
        let study = Reader::file("study", path, read)?;
        Ok(Self { path: path.to_owned(), ..study })
    }
}

fn read(reader: &Reader, top: &mut Section<'_>) -> Study {
    let mut study = Study::default();
    if let Some(section) = top.required_section("study") {
        study.name = section.required_text("name").value;
        study.title = section.required_text("title").value;
        study.device = device(reader, &section.required_text("device"));
        let published = section.text("published");
        study.published = published.map(|path| reader.existing(&path, "published figures"));
        section.finish();
    }
    if let Some(section) = top.required_section("toolchain") {
        study.toolchain = toolchain(reader, &section);
    }
    if let Some(section) = top.section("sources") {
        study.common = files(reader, section.texts("common"), "source");
        study.include = files(reader, section.texts("include"), "header folder");
        section.finish();
    }
    for section in top.sections("workload") {
        let workload = workload(reader, &section);
        distinct(reader, &section, "workload", &workload.name, &names(&study.workloads));
        study.workloads.push(workload);
    }
    if study.workloads.is_empty() {
        let help = "add a [[workload]]";
        reader.report(0..0, "no-workload", "the study has no workload", "", help);
    }
    for section in top.sections("candidate") {
        let candidate = candidate(reader, &section);
        distinct(reader, &section, "candidate", &candidate.function, &functions(&study));
        study.candidates.push(candidate);
    }
    if let Some(section) = top.section("drivers") {
        study.drivers = files(reader, section.texts("common"), "driver");
        section.finish();
    }
    for section in top.sections("partition") {
        let partition = Partition {
            name: section.required_text("name").value,
            hw: hardware(reader, &study, &section),
        };
        let named: Vec<_> = study.partitions.iter().map(|other| other.name.as_str()).collect();
        distinct(reader, &section, "partition", &partition.name, &named);
        section.finish();
        study.partitions.push(partition);
    }
    for section in top.sections("verify") {
        let verify = verify(reader, &study, &section);
        study.verify.push(verify);
    }
    study
}

fn names(workloads: &[Workload]) -> Vec<&str> {
    workloads.iter().map(|workload| workload.name.as_str()).collect()
}

fn functions(study: &Study) -> Vec<&str> {
    study.candidates.iter().map(|candidate| candidate.function.as_str()).collect()
}

/// A path that ends in `.toml`, or the name of a file in the nearest folder `devices` above.
fn device(reader: &Reader, spelled: &Spot<String>) -> Device {
    let path = if spelled.value.ends_with(".toml") {
        Some(reader.existing(spelled, "device")).filter(|path| path.exists())
    } else {
        named_device(reader, spelled)
    };
    let device = path.map(|path| Device::load(&path));
    match device {
        Some(Ok(device)) => device,
        Some(Err(mistakes)) => {
            reader.adopt(mistakes);
            Device::default()
        }
        None => Device::default(),
    }
}

fn named_device(reader: &Reader, name: &Spot<String>) -> Option<PathBuf> {
    let folder = std::path::absolute(reader.folder()).ok()?;
    let devices = folder.ancestors().map(|folder| folder.join("devices")).find(|at| at.is_dir());
    let path = devices.as_ref().map(|folder| folder.join(format!("{}.toml", name.value)));
    if let Some(path) = path.filter(|path| path.exists()) {
        return Some(path);
    }
    if !name.value.is_empty() {
        let known = devices.map(|folder| stems(&folder)).unwrap_or_default();
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

fn files(reader: &Reader, paths: Vec<Spot<String>>, what: &str) -> Vec<PathBuf> {
    paths.iter().map(|path| reader.existing(path, what)).collect()
}

fn workload(reader: &Reader, section: &Section<'_>) -> Workload {
    let expect = section.required_text("expect");
    let digits = &expect.value;
    if digits.len() % 2 != 0 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        let message = "`expect` is not a whole number of bytes in hexadecimal";
        let help = "write two hexadecimal digits for each byte, without spaces";
        reader.report(expect.span.clone(), "no-hexadecimal", message, "here", help);
    }
    let workload = Workload {
        name: section.required_text("name").value,
        title: section.required_text("title").value,
        source: reader.existing(&section.required_text("source"), "source"),
        output: section.required_text("output").value,
        expect: expect.value,
    };
    section.finish();
    workload
}

fn candidate(reader: &Reader, section: &Section<'_>) -> Candidate {
    let file = |key, what| reader.existing(&section.required_text(key), what);
    let candidate = Candidate {
        function: section.required_text("function").value,
        software: file("software", "source"),
        coprocessor: file("coprocessor", "register map"),
        driver: file("driver", "driver"),
    };
    section.finish();
    candidate
}

/// The functions under `hw`, put into the order of the candidates.
fn hardware(reader: &Reader, study: &Study, section: &Section<'_>) -> Vec<String> {
    let chosen = section.texts("hw");
    let known = functions(study);
    for function in &chosen {
        if !known.contains(&function.value.as_str()) {
            reader.unknown(function, "candidate", known.iter().copied());
        }
    }
    let is_chosen = |name: &&str| chosen.iter().any(|function| function.value == **name);
    known.into_iter().filter(|name| is_chosen(name)).map(str::to_owned).collect()
}

fn verify(reader: &Reader, study: &Study, section: &Section<'_>) -> Verify {
    let workload = section.required_text("workload");
    let known = names(&study.workloads);
    if !workload.value.is_empty() && !known.contains(&workload.value.as_str()) {
        reader.unknown(&workload, "workload", known);
    }
    let verify = Verify { workload: workload.value, hw: hardware(reader, study, section) };
    section.finish();
    verify
}

fn distinct(reader: &Reader, section: &Section<'_>, what: &str, name: &str, others: &[&str]) {
    if others.contains(&name) {
        let message = format!("there are two {what}s `{name}`");
        let help = "give each its own name";
        reader.report(section.span(), "duplicate-name", message, "the second", help);
    }
}
