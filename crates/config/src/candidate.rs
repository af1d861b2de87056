//! The candidates of a study: functions that may be replaced, and what may replace them.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::coprocessor::{Coprocessor, Face};
use crate::device::{Device, Peripheral, PeripheralKind};
use crate::java::java_name;
use crate::names::{Names, file_name, identifier};
use crate::reader::{Reader, Spot};
use crate::section::Section;

/// A function that may be replaced.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Candidate {
    /// The function.
    pub function: String,
    /// Its software, in a file of its own; none where it stands in one of the project's sources.
    pub software: Option<PathBuf>,
    /// The options that may replace it.
    pub options: Vec<Alternative>,
}

/// One way to replace a function.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Alternative {
    /// Its name.
    pub name: String,
    /// The source of a function with the same prototype: a driver, or other software; none for a method
    /// in Java that is compiled ahead of time.
    pub source: Option<PathBuf>,
    /// The coprocessor that it drives.
    pub coprocessor: Option<PathBuf>,
    /// True if the coprocessor comes with the workbench and was called by its name, so that its driver
    /// is at hand.
    pub library: bool,
    /// Extensions of the instruction set that its source uses; the device's core gets them.
    pub extensions: Vec<String>,
    /// Further methods in Java that are compiled ahead of time with it.
    pub aot: Vec<String>,
    /// True if the source is a native method by the K Native Interface.
    pub kni: bool,
    /// True if the coprocessor is a netlist of two rails (WDDL).
    pub wddl: bool,
}

pub(crate) fn candidates(
    reader: &Reader,
    sections: &[Section<'_>],
    device: Option<&Device>,
    is_java: bool,
) -> Vec<Candidate> {
    let (mut names, mut ports) = (Names::default(), Ports::new(device));
    let candidates = sections.iter().map(|section| {
        let function = section.required_text("function");
        if is_java {
            java_name(reader, &function, "method");
        } else {
            identifier(reader, &function, "function");
        }
        names.add(reader, "candidate", &function);
        let software = if is_java { None } else { section.text("software") };
        let candidate = Candidate {
            function: function.value,
            software: software.map(|path| reader.existing_file(&path, "source")),
            options: alternatives(reader, section, &mut ports, is_java),
        };
        section.finish();
        candidate
    });
    candidates.collect()
}

/// The option that a candidate states itself, by `coprocessor` and `driver`, and those in sections of
/// their own.
fn alternatives(
    reader: &Reader,
    section: &Section<'_>,
    ports: &mut Ports<'_>,
    is_java: bool,
) -> Vec<Alternative> {
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
        let wddl = section.switch("wddl");
        if wddl && map.is_none() {
            let message = "`wddl` is for a coprocessor, and this option drives none".to_owned();
            let help = "name the coprocessor, or leave `wddl` out";
            reader.report(section.span(), "no-coprocessor", message, "software", help);
        }
        let (path, library) = map.map_or((None, false), |(path, library)| (Some(path), library));
        let aot = if is_java { section.texts("aot") } else { vec![] };
        for method in &aot {
            java_name(reader, method, "method");
        }
        let source = section.text("source");
        let kni = is_java && by_kni(reader, section, source.is_some());
        if source.is_none() && aot.is_empty() {
            let message = format!("the option `{}` has no `source`", name.value);
            let help = if is_java {
                "name a file in C, or in `aot` what is compiled ahead of time"
            } else {
                "name a file with a function of the same name and prototype"
            };
            reader.report(section.span(), "no-source", message, "nothing to build", help);
        }
        options.push(Alternative {
            name: name.value,
            source: source.map(|path| reader.existing_file(&path, "source")),
            coprocessor: path,
            library,
            extensions: extensions(reader, section, ports.device),
            aot: aot.into_iter().map(|method| method.value).collect(),
            kni,
            wddl,
        });
        section.finish();
    }
    options
}

/// The option that the candidate itself gives, by `coprocessor` and `driver`.
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
    let source = Some(reader.existing_file(&driver, "driver"));
    let coprocessor = Some(path);
    let (name, extensions) = (COPROCESSOR.to_owned(), vec![]);
    let wddl = section.switch("wddl");
    let (aot, kni) = (vec![], false);
    Some(Alternative { name, source, coprocessor, library, extensions, aot, kni, wddl })
}

/// Whether the source of an option is a native method by KNI; only a source has an interface.
fn by_kni(reader: &Reader, section: &Section<'_>, has_source: bool) -> bool {
    let Some(interface) = section.text("interface") else { return false };
    if !INTERFACES.contains(&interface.value.as_str()) {
        reader.unknown(&interface, "interface", INTERFACES);
    }
    if !has_source {
        let message = "`interface` is for a native method, and this option has no source";
        let help = "name its source, or leave `interface` out";
        reader.report(interface.span, "no-source", message, "of nothing", help);
    }
    interface.value == KNI
}

/// The extensions that an option wants; the core must be one that can have them.
fn extensions(reader: &Reader, section: &Section<'_>, device: Option<&Device>) -> Vec<String> {
    let wanted = section.texts("extensions");
    for (extension, device) in wanted.iter().filter_map(|extension| Some((extension, device?))) {
        if !device.core.extensions.contains_key(&extension.value) {
            let known = device.core.extensions.keys().map(String::as_str);
            reader.unknown(extension, "extension", known);
        }
    }
    wanted.into_iter().map(|name| name.value).collect()
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

/// The name of the unchanged function among the options.
const SOFTWARE: &str = "software";
/// The name of the option that the candidate itself gives.
const COPROCESSOR: &str = "coprocessor";
/// The interfaces of native methods in Java: arguments as parameters, and KNI's functions.
const INTERFACES: [&str; 2] = ["jni", KNI];
const KNI: &str = "kni";

fn load(reader: &Reader, path: &Path) -> Option<Coprocessor> {
    Coprocessor::load(path).map_err(|mistakes| reader.adopt(mistakes)).ok()
}

/// The device's windows and links for coprocessors, and what the candidates want to put there.
struct Ports<'a> {
    device: Option<&'a Device>,
    attached: Vec<(PathBuf, Face)>,
}

impl<'a> Ports<'a> {
    fn new(device: Option<&'a Device>) -> Self {
        Self { device, attached: vec![] }
    }

    /// Checks a register map, and that the device has a window for it beside the others.
    fn attach(&mut self, reader: &Reader, span: &Range<usize>, path: &Path) {
        if !path.is_file() || self.attached.iter().any(|(other, _)| other == path) {
            return;
        }
        let Some(map) = load(reader, path) else { return };
        self.attached.push((path.to_owned(), map.face));
        let alike = self.attached.iter().filter(|(_, face)| *face == map.face).count();
        self.check(reader, span, &map, alike);
    }

    /// Checks a register map, and that it fits a window of the device, with others or instead of them.
    fn fit(&self, reader: &Reader, span: &Range<usize>, path: &Path) {
        if path.is_file()
            && let Some(map) = load(reader, path)
        {
            self.check(reader, span, &map, 1);
        }
    }

    fn check(&self, reader: &Reader, span: &Range<usize>, map: &Coprocessor, needed: usize) {
        let Some(device) = self.device else { return };
        let kind = PeripheralKind::of_face(map.face);
        let is_port = |at: &&Peripheral| at.kind == kind;
        let windows: Vec<_> =
            device.peripherals.iter().filter(is_port).map(|window| window.size).collect();
        if needed > windows.len() {
            let (noun, spelled) = kind.port();
            let message = format!("the device `{}` has no {noun} for `{}`", device.name, map.name);
            let help = format!("add a [[peripheral]] of kind \"{spelled}\" to the device");
            reader.report(span.clone(), "no-window", message, "needs room", help);
        } else if map.face == Face::Registers && windows.iter().any(|&size| map.size() > size) {
            let message = format!("`{}` does not fit the device's window", map.name);
            let help = format!("give the window {:#x} bytes or more", map.size());
            reader.report(span.clone(), "no-window", message, "needs a larger window", help);
        }
    }
}
