//! Coprocessors: a design with its register map.

use std::path::{Path, PathBuf};

use cocrypt_diag::Diagnostic;
use serde::Serialize;

use crate::reader::{Reader, Spot};
use crate::section::Section;

/// A register map's contents.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Coprocessor {
    /// The file.
    pub path: PathBuf,
    /// Its name.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// The design, an FDL file.
    pub design: PathBuf,
    /// The datapath on the port.
    pub top: String,
    /// The symbol of the driver's poll loop.
    pub wait_function: Option<String>,
    /// The registers, by offset.
    pub registers: Vec<Register>,
}

/// A register, or several in a row.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Register {
    /// Its name.
    pub name: String,
    /// Byte offset in the coprocessor's window.
    pub offset: u64,
    /// Consecutive 32-bit words.
    pub words: u64,
    /// What the core may do with it.
    pub access: Access,
    /// What its transfers count as.
    pub role: Role,
    /// What it is for.
    pub doc: String,
    /// Its bit fields.
    pub fields: Vec<Field>,
}

/// A bit field of a register.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Lowest and highest bit.
    pub bits: (u32, u32),
    /// What it is for.
    pub doc: String,
}

/// What the core may do with a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Access {
    /// Only read it.
    Read,
    /// Only write it.
    Write,
    /// Both.
    ReadWrite,
}

/// What the transfers of a register count as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Commands.
    Control,
    /// Polled state.
    Status,
    /// Operands.
    Input,
    /// Results.
    Output,
}

impl Coprocessor {
    /// Reads a register map.
    ///
    /// # Errors
    /// Everything that is wrong in it.
    pub fn load(path: &Path) -> Result<Self, Vec<Diagnostic>> {
        let coprocessor = Reader::file("coprocessor", path, read)?;
        Ok(Self { path: path.to_owned(), ..coprocessor })
    }
}

fn read(reader: &Reader, top: &mut Section<'_>) -> Coprocessor {
    let mut coprocessor = Coprocessor::default();
    if let Some(section) = top.required_section("coprocessor") {
        coprocessor.name = section.required_text("name").value;
        coprocessor.title = section.required_text("title").value;
        coprocessor.design = reader.existing(&section.required_text("design"), "design");
        coprocessor.top = section.required_text("top").value;
        coprocessor.wait_function = section.text("wait_function").map(|name| name.value);
        section.finish();
    }
    for section in top.sections("register") {
        let register = register(reader, &section);
        distinct(reader, &section, &coprocessor.registers, &register);
        coprocessor.registers.push(register);
    }
    coprocessor.registers.sort_by_key(|register| register.offset);
    coprocessor
}

fn register(reader: &Reader, section: &Section<'_>) -> Register {
    let offset = section.required_integer("offset", 0..=0xfff);
    if offset.value % 4 != 0 {
        let message = "a register's offset is not a multiple of 4";
        let help = "registers are words; round the offset";
        reader.report(offset.span.clone(), "unaligned", message, "here", help);
    }
    let register = Register {
        name: section.required_text("name").value,
        offset: offset.value as u64,
        words: section.integer("words", 1..=1024).map_or(1, |words| words.value as u64),
        access: access(reader, &section.required_text("access")),
        role: role(reader, &section.required_text("role")),
        doc: section.required_text("doc").value,
        fields: section.sections("field").iter().map(|field| self::field(reader, field)).collect(),
    };
    section.finish();
    register
}

fn distinct(reader: &Reader, section: &Section<'_>, others: &[Register], register: &Register) {
    let end = |register: &Register| register.offset + 4 * register.words;
    for other in others {
        if other.name == register.name {
            let message = format!("there are two registers `{}`", register.name);
            let help = "give each its own name";
            reader.report(section.span(), "duplicate-name", message, "the second", help);
        } else if register.offset < end(other) && other.offset < end(register) {
            let message = format!("`{}` and `{}` overlap", register.name, other.name);
            let help = "give each its own offset";
            reader.report(section.span(), "overlap", message, "this register", help);
        }
    }
}

fn access(reader: &Reader, text: &Spot<String>) -> Access {
    match text.value.as_str() {
        "read" => Access::Read,
        "write" => Access::Write,
        "read_write" => Access::ReadWrite,
        "" => Access::ReadWrite,
        _ => {
            reader.unknown(text, "access", ["read", "write", "read_write"]);
            Access::ReadWrite
        }
    }
}

fn role(reader: &Reader, text: &Spot<String>) -> Role {
    match text.value.as_str() {
        "control" | "" => Role::Control,
        "status" => Role::Status,
        "input" => Role::Input,
        "output" => Role::Output,
        _ => {
            reader.unknown(text, "role", ["control", "status", "input", "output"]);
            Role::Control
        }
    }
}

fn field(reader: &Reader, section: &Section<'_>) -> Field {
    let bits = section.integers("bits", &(0..=31));
    let pair = bits.as_ref().and_then(|bits| match bits.value[..] {
        [low, high] if low <= high => Some((low as u32, high as u32)),
        _ => None,
    });
    if pair.is_none() {
        let span = bits.map_or(section.span(), |bits| bits.span);
        let message = "a field's `bits` are its lowest and its highest bit";
        reader.report(span, "bits", message, "here", "write for example `bits = [0, 1]`");
    }
    let field = Field {
        name: section.required_text("name").value,
        bits: pair.unwrap_or_default(),
        doc: section.required_text("doc").value,
    };
    section.finish();
    field
}
