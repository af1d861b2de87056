//! `set.toml`, the description of a trace set: how many samples a trace has, and what is known of each.

use std::path::Path;

use cocrypt_diag::Diagnostic;
use serde::Serialize;

use crate::reader::{Reader, Spot};
use crate::section::Section;

/// Samples that a trace may have.
const SAMPLES: std::ops::RangeInclusive<i64> = 1..=1 << 31;
/// Elements that a dimension of a column may have.
const ELEMENTS: std::ops::RangeInclusive<i64> = 1..=1 << 20;
/// Dimensions of a column beside that of the traces; with these, sizes in bytes fit 64 bits.
const DIMENSIONS: usize = 2;

/// The type of a number in a trace set, by the name that NumPy gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Dtype {
    /// A signed byte.
    Int8,
    /// A byte.
    Uint8,
    /// A signed number of 16 bits.
    Int16,
    /// A number of 16 bits.
    Uint16,
    /// A signed number of 32 bits.
    Int32,
    /// A number of 32 bits.
    Uint32,
    /// A floating-point number of 32 bits.
    Float32,
    /// A floating-point number of 64 bits.
    Float64,
}

impl Dtype {
    /// Every type.
    pub const ALL: [Self; 8] = [
        Self::Int8,
        Self::Uint8,
        Self::Int16,
        Self::Uint16,
        Self::Int32,
        Self::Uint32,
        Self::Float32,
        Self::Float64,
    ];

    /// NumPy's name of the type.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Int8 => "int8",
            Self::Uint8 => "uint8",
            Self::Int16 => "int16",
            Self::Uint16 => "uint16",
            Self::Int32 => "int32",
            Self::Uint32 => "uint32",
            Self::Float32 => "float32",
            Self::Float64 => "float64",
        }
    }

    /// Bytes of a number.
    #[must_use]
    pub const fn size(self) -> usize {
        match self {
            Self::Int8 | Self::Uint8 => 1,
            Self::Int16 | Self::Uint16 => 2,
            Self::Int32 | Self::Uint32 | Self::Float32 => 4,
            Self::Float64 => 8,
        }
    }

    /// The type of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|dtype| dtype.name() == name)
    }
}

/// A value that is known of every trace: a plaintext, a key, a group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Column {
    /// Its name, which is also that of its file.
    pub name: String,
    /// The type of its elements.
    pub dtype: Dtype,
    /// Its dimensions for one trace; none for a single number.
    pub shape: Vec<usize>,
}

impl Column {
    /// Bytes of the value of one trace.
    #[must_use]
    pub fn row_size(&self) -> usize {
        self.dtype.size() * self.shape.iter().product::<usize>()
    }
}

/// The description of a trace set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TraceSet {
    /// Samples of a trace.
    pub samples: usize,
    /// The type of a sample.
    pub dtype: Dtype,
    /// The origin of the traces, for people.
    pub source: String,
    /// The values known of every trace, in the order of the names.
    pub columns: Vec<Column>,
}

impl TraceSet {
    /// Bytes of the samples of one trace.
    #[must_use]
    pub const fn row_size(&self) -> usize {
        self.samples * self.dtype.size()
    }

    /// Reads a description.
    ///
    /// # Errors
    /// Everything that is wrong in it.
    pub fn load(path: &Path) -> Result<Self, Vec<Diagnostic>> {
        Reader::file("set", path, read)
    }

    /// Reads a description from a text.
    ///
    /// # Errors
    /// Everything that is wrong in it.
    pub fn parse(name: &str, text: &str) -> Result<Self, Vec<Diagnostic>> {
        Reader::text("set", name, text, Path::new(""), read)
    }
}

fn read(reader: &Reader, top: &mut Section<'_>) -> TraceSet {
    let mut set =
        TraceSet { samples: 1, dtype: Dtype::Int8, source: String::new(), columns: vec![] };
    if let Some(section) = top.required_section("set") {
        set.samples = section.number("samples", SAMPLES) as usize;
        set.dtype = dtype(reader, &section);
        set.source = section.text("source").map(|source| source.value).unwrap_or_default();
        section.finish();
    }
    let columns = top.section("columns").map(|columns| columns.named_sections());
    for (name, section) in columns.unwrap_or_default() {
        set.columns.extend(column(reader, &name, &section));
    }
    set
}

fn dtype(reader: &Reader, section: &Section<'_>) -> Dtype {
    let name = section.required_text("dtype");
    let found = Dtype::named(&name.value);
    if found.is_none() && !name.value.is_empty() {
        reader.unknown(&name, "type", Dtype::ALL.map(Dtype::name));
    }
    found.unwrap_or(Dtype::Int8)
}

fn column(reader: &Reader, name: &Spot<String>, section: &Section<'_>) -> Option<Column> {
    if !is_column_name(&name.value) {
        let message = format!("`{}` is no name of a column", name.value);
        let help = "a name has letters, digits and `_`, begins with a letter, and is not `traces`";
        reader.report(name.span.clone(), "no-name", message, "here", help);
    }
    let shape = section.required_integers("shape", &ELEMENTS);
    if let Some(wrong) = shape.as_ref().filter(|shape| shape.value.len() > DIMENSIONS) {
        let message = format!("a column has {DIMENSIONS} dimensions at most");
        reader.report(wrong.span.clone(), "out-of-range", message, "here", "flatten its value");
    }
    let dtype = dtype(reader, section);
    section.finish();
    let shape = shape?.value.into_iter().map(|length| length as usize).collect();
    Some(Column { name: name.value.clone(), dtype, shape })
}

/// Returns true if a column may be called so: its file is called the same, beside `traces.npy`.
#[must_use]
pub fn is_column_name(name: &str) -> bool {
    let mut characters = name.chars();
    let first = characters.next().is_some_and(|first| first.is_ascii_alphabetic());
    first
        && name != "traces"
        && name.len() <= 64
        && characters.all(|later| later.is_ascii_alphanumeric() || later == '_')
}
