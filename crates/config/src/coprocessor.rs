//! Coprocessors: a design with its register map.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use cocrypt_diag::Diagnostic;
use serde::Serialize;

use crate::names::{Names, file_name, identifier};
use crate::ranges::Ranges;
use crate::reader::{Reader, Spot, absolute};
use crate::section::Section;

/// Bytes of a coprocessor's window: its `address` port has 12 bits.
const WINDOW: i64 = 0x1000;

/// Words of a FIFO: those that Xilinx's FSL bus offers, and what it has if nobody says so (DS449, `C_FSL_DEPTH`).
const FIFO_WORDS: RangeInclusive<i64> = 1..=8192;
const USUAL_FIFO_WORDS: u32 = 16;

/// A register map's contents.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[allow(non_snake_case)] // A watt is a capital W.
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
    /// The face by which the core reaches it.
    pub face: Face,
    /// Words that each of the two FIFOs of a link holds; they are between core and a design with the stream face.
    pub fifo_words: u32,
    /// Parts of the names of functions that it could serve.
    pub serves: Vec<String>,
    /// The longest path between two of its registers, in seconds, where it is known.
    pub critical_path_s: Option<f64>,
    /// Its power while it works, in watts, where it is known.
    pub power_W: Option<f64>,
    /// The registers, by offset.
    pub registers: Vec<Register>,
}

/// The face of a design towards the core.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Face {
    /// Loads and stores in a window.
    #[default]
    Registers,
    /// Words over a link, which instructions of the core send and take.
    Stream,
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
    /// The accesses that the core may make.
    pub access: Access,
    /// The kind that its transfers are counted under.
    pub role: Role,
    /// Its purpose.
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
    /// Its purpose.
    pub doc: String,
}

/// The accesses to a register that the core may make.
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

/// The kind that transfers of a register are counted under.
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
        Ok(Self { path: absolute(path), ..coprocessor })
    }

    /// Reads a register map from a text; its design is looked for in `folder`.
    ///
    /// # Errors
    /// Everything that is wrong in it.
    pub fn parse(name: &str, text: &str, folder: &Path) -> Result<Self, Vec<Diagnostic>> {
        Reader::text("coprocessor", name, text, folder, read)
    }

    /// Bytes from the start of the window to the end of the last register.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.registers.iter().map(Register::end).max().unwrap_or(0)
    }
}

impl Register {
    /// The offset behind the register.
    const fn end(&self) -> u64 {
        self.offset + 4 * self.words
    }
}

fn read(reader: &Reader, top: &mut Section<'_>) -> Coprocessor {
    let mut coprocessor = Coprocessor::default();
    if let Some(section) = top.required_section("coprocessor") {
        let named = |key, what| {
            let name = section.required_text(key);
            identifier(reader, &name, what);
            name.value
        };
        let name = section.required_text("name");
        file_name(reader, &name, "coprocessor");
        coprocessor.name = name.value;
        coprocessor.title = section.required_text("title").value;
        coprocessor.design = reader.existing_file(&section.required_text("design"), "design");
        coprocessor.top = named("top", "datapath");
        coprocessor.face = face(reader, section.text("face"));
        coprocessor.fifo_words = fifo_words(reader, &section, coprocessor.face);
        let serves = section.texts("serves").into_iter();
        coprocessor.serves = serves.map(|part| part.value).collect();
        coprocessor.critical_path_s = section.positive("critical_path_s");
        coprocessor.power_W = section.positive("power_W");
        section.finish();
    }
    let face = coprocessor.face;
    coprocessor.registers = registers(reader, &top.required_sections("register"));
    if face == Face::Stream {
        only_words(reader, top, &coprocessor.registers);
    }
    coprocessor
}

/// Nothing but operands and results moves over a link: it tells by itself if there is room, or a word.
fn only_words(reader: &Reader, top: &Section<'_>, registers: &[Register]) {
    let of_role = |role| registers.iter().any(|register| register.role == role);
    if of_role(Role::Control) || of_role(Role::Status) {
        let message = "over a link go operands and results alone";
        let help = "give the registers the roles `input` and `output`; a command is an operand";
        reader.report(top.span(), "link-roles", message, "this register map", help);
    }
}

fn face(reader: &Reader, text: Option<Spot<String>>) -> Face {
    let Some(text) = text else { return Face::Registers };
    match text.value.as_str() {
        "registers" => Face::Registers,
        "stream" => Face::Stream,
        _ => {
            reader.unknown(&text, "face", ["registers", "stream"]);
            Face::Registers
        }
    }
}

fn fifo_words(reader: &Reader, section: &Section<'_>, face: Face) -> u32 {
    let Some(words) = section.integer("fifo_words", FIFO_WORDS) else { return USUAL_FIFO_WORDS };
    if face == Face::Registers {
        let message = "only links have FIFOs";
        let help = "say `face = \"stream\"`, or take `fifo_words` out";
        reader.report(words.span, "no-fifo", message, "without a link", help);
    }
    words.value as u32
}

fn registers(reader: &Reader, sections: &[Section<'_>]) -> Vec<Register> {
    let (mut names, mut offsets) = (Names::default(), Ranges::default());
    let each = sections.iter().map(|section| register(reader, section, &mut names, &mut offsets));
    let mut registers: Vec<_> = each.collect();
    registers.sort_by_key(|register| register.offset);
    registers
}

fn register(
    reader: &Reader,
    section: &Section<'_>,
    names: &mut Names,
    offsets: &mut Ranges,
) -> Register {
    let name = section.required_text("name");
    identifier(reader, &name, "register");
    names.add(reader, "register", &name);
    let (access, role) = access_and_role(reader, section);
    let words = section.integer("words", 1..=1024).map_or(1, |words| words.value);
    let register = Register {
        offset: offset(reader, section, &name.value, words, offsets),
        name: name.value,
        words: words as u64,
        access,
        role,
        doc: section.required_text("doc").value,
        fields: fields(reader, &section.sections("field")),
    };
    section.finish();
    register
}

/// The offset of a register, which is a word's, with room behind it; 0 stands in where it is wrong.
fn offset(
    reader: &Reader,
    section: &Section<'_>,
    name: &str,
    words: i64,
    offsets: &mut Ranges,
) -> u64 {
    let Some(offset) = section.required_integer("offset", 0..=WINDOW - 1) else { return 0 };
    if offset.value % 4 != 0 {
        let message = format!("the offset of `{name}` is not a multiple of 4");
        let help = "registers are words; round the offset";
        reader.report(offset.span.clone(), "unaligned", message, "here", help);
    }
    let bytes = offset.value..offset.value + 4 * words;
    if bytes.end > WINDOW {
        let message = format!("`{name}` reaches past the end of the window");
        let help = format!("the window has {WINDOW:#x} bytes; choose a smaller offset or size");
        reader.report(offset.span, "out-of-range", message, "starts here", help);
    }
    offsets.add(reader, "offset", name, bytes, section.span());
    offset.value as u64
}

/// The accesses that a register allows and the kind they are counted under; the two must go together.
fn access_and_role(reader: &Reader, section: &Section<'_>) -> (Access, Role) {
    let (access_text, role_text) = (section.required_text("access"), section.required_text("role"));
    let (access, role) = (access(reader, &access_text), role(reader, &role_text));
    let needed = match role {
        Some(Role::Control | Role::Input) => Access::Write,
        Some(Role::Status | Role::Output) | None => Access::Read,
    };
    let agree = role.is_none()
        || access.is_none_or(|access| access == needed || access == Access::ReadWrite);
    if !agree {
        let verb = if needed == Access::Read { "read" } else { "write" };
        let message = format!("the core cannot {verb} a register of role `{}`", role_text.value);
        let help = "the core writes control and input registers, and reads status and output";
        reader.conflict(access_text.span, role_text.span, "access-and-role", message, help);
    }
    (access.unwrap_or(Access::ReadWrite), role.unwrap_or(Role::Control))
}

fn access(reader: &Reader, text: &Spot<String>) -> Option<Access> {
    match text.value.as_str() {
        "read" => Some(Access::Read),
        "write" => Some(Access::Write),
        "read_write" => Some(Access::ReadWrite),
        // An empty text stands in for one that is missing, which was reported.
        "" => None,
        _ => {
            reader.unknown(text, "access", ["read", "write", "read_write"]);
            None
        }
    }
}

fn role(reader: &Reader, text: &Spot<String>) -> Option<Role> {
    match text.value.as_str() {
        "control" => Some(Role::Control),
        "status" => Some(Role::Status),
        "input" => Some(Role::Input),
        "output" => Some(Role::Output),
        "" => None,
        _ => {
            reader.unknown(text, "role", ["control", "status", "input", "output"]);
            None
        }
    }
}

fn fields(reader: &Reader, sections: &[Section<'_>]) -> Vec<Field> {
    let (mut names, mut taken) = (Names::default(), Ranges::default());
    let fields = sections.iter().map(|section| field(reader, section, &mut names, &mut taken));
    fields.collect()
}

fn field(reader: &Reader, section: &Section<'_>, names: &mut Names, taken: &mut Ranges) -> Field {
    let name = section.required_text("name");
    identifier(reader, &name, "field");
    names.add(reader, "field", &name);
    let bits = bits(reader, section);
    if let Some((low, high)) = bits {
        let range = i64::from(low)..i64::from(high) + 1;
        taken.add(reader, "bits", &name.value, range, section.span());
    }
    let doc = section.required_text("doc").value;
    section.finish();
    Field { name: name.value, bits: bits.unwrap_or_default(), doc }
}

fn bits(reader: &Reader, section: &Section<'_>) -> Option<(u32, u32)> {
    let bits = section.required_integers("bits", &(0..=31))?;
    match bits.value[..] {
        [low, high] if low <= high => Some((low as u32, high as u32)),
        _ => {
            let message = "a field's `bits` are its lowest and its highest bit";
            reader.report(bits.span, "bits", message, "here", "write for example `bits = [0, 1]`");
            None
        }
    }
}
