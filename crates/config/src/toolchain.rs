//! The toolchain of programs: a compiler with its flags, an assembler, a linker script.

use std::path::PathBuf;

use serde::Serialize;

use crate::device::Device;
use crate::names::Names;
use crate::reader::Reader;
use crate::section::Section;

/// Who assembles: the compiler itself, or GNU's assembler for the instruction set.
const ASSEMBLERS: [&str; 2] = ["compiler", "gnu"];

/// The toolchain of programs; absent values fall back to other files, and to the workbench's defaults in the end.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Toolchain {
    /// A compiler's name, or its path from the file's folder on.
    pub compiler: Option<String>,
    /// Its flags.
    pub flags: Vec<String>,
    /// Who assembles: `compiler` or `gnu`.
    pub assembler: Option<String>,
    /// The linker script, absolute.
    pub script: Option<PathBuf>,
}

/// A study's toolchain for one of its devices.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct DeviceToolchain {
    /// The device's name.
    pub name: String,
    /// The toolchain of its programs.
    pub toolchain: Toolchain,
}

/// The keys of a toolchain in a table, which may have others.
pub fn toolchain(reader: &Reader, section: &Section<'_>) -> Toolchain {
    let assembler = section.text("assembler");
    if let Some(name) = &assembler
        && !ASSEMBLERS.contains(&name.value.as_str())
    {
        reader.unknown(name, "assembler", ASSEMBLERS);
    }
    let script = section.text("script");
    Toolchain {
        compiler: section.text("compiler").map(|name| name.value),
        flags: section.texts("flags").into_iter().map(|flag| flag.value).collect(),
        assembler: assembler.map(|name| name.value),
        script: script.map(|path| reader.existing_file(&path, "linker script")),
    }
}

/// The toolchains that a study gives for single devices.
pub fn device_toolchains(
    reader: &Reader,
    section: &Section<'_>,
    devices: &[Device],
) -> Vec<DeviceToolchain> {
    let mut names = Names::default();
    let read = |section: Section<'_>| {
        let name = section.required_text("name");
        names.add(reader, "device", &name);
        let known = devices.iter().map(|device| device.name.as_str());
        // Where a device cannot be read, its name is not known either.
        let is_known = devices.is_empty() || known.clone().any(|other| other == name.value);
        if !is_known && !name.value.is_empty() {
            reader.unknown(&name, "device", known);
        }
        let toolchain = toolchain(reader, &section);
        section.finish();
        DeviceToolchain { name: name.value, toolchain }
    };
    section.sections("device").into_iter().map(read).collect()
}
