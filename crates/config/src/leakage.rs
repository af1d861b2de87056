//! Leakage models: the weights of the values that an instruction reads, writes and accesses.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cocrypt_diag::Diagnostic;
use serde::Serialize;

use crate::reader::{Reader, absolute};
use crate::section::Section;

/// The sources of leakage, by their names in the file.
pub const LEAKAGE_SOURCES: &[&str] =
    &["result", "register", "operand_a", "operand_b", "address", "data", "memory"];
/// The kinds of instructions that may have weights of their own, as in device files.
pub const LEAKAGE_KINDS: &[&str] =
    &["alu", "load", "store", "branch", "jump", "multiply", "divide", "other"];
/// The largest weight; with it the sum of a sample fits 64 bits.
const LARGEST: f64 = 1e4;
/// Bits of a value.
const BITS: usize = 64;

/// A leakage model.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Leakage {
    /// The file.
    pub path: PathBuf,
    /// Its name for people.
    pub title: String,
    /// The source of the figures.
    pub source: Option<String>,
    /// The weights of sources, for all kinds of instructions.
    pub weights: BTreeMap<String, LeakageWeights>,
    /// The model of kinds that differ.
    pub kinds: BTreeMap<String, LeakageKind>,
}

/// The weights of a source of leakage. One number is for all bits, several are for one bit each, from the
/// lowest on.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LeakageWeights {
    /// Of the bits that are set.
    pub weight: Vec<f64>,
    /// Of the bits that differ from the replaced value.
    pub distance: Vec<f64>,
    /// Of the value itself.
    pub identity: f64,
}

/// The model of a kind of instructions.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LeakageKind {
    /// The contribution of the instruction itself.
    pub constant: f64,
    /// The weights that replace those for all kinds, by source.
    pub weights: BTreeMap<String, LeakageWeights>,
}

impl Leakage {
    /// Reads a model's file.
    ///
    /// # Errors
    /// Everything that is wrong in it.
    pub fn load(path: &Path) -> Result<Self, Vec<Diagnostic>> {
        let found = Reader::file("leakage", path, read)?;
        Ok(Self { path: absolute(path), ..found })
    }

    /// Reads a model from a text.
    ///
    /// # Errors
    /// Everything that is wrong in it.
    pub fn parse(name: &str, text: &str) -> Result<Self, Vec<Diagnostic>> {
        Reader::text("leakage", name, text, Path::new(""), read)
    }

    /// The weights of a source for a kind of instructions.
    #[must_use]
    pub fn of(&self, kind: &str, source: &str) -> Option<&LeakageWeights> {
        let own = self.kinds.get(kind).and_then(|kind| kind.weights.get(source));
        own.or_else(|| self.weights.get(source))
    }
}

fn read(reader: &Reader, top: &mut Section<'_>) -> Leakage {
    let mut leakage = Leakage::default();
    if let Some(section) = top.required_section("leakage") {
        leakage.title = section.required_text("title").value;
        leakage.source = section.text("source").map(|source| source.value);
        section.finish();
    }
    if let Some(section) = top.section("weights") {
        leakage.weights = sources(&section);
        section.finish();
    }
    let kinds = top.section("kinds").map(|kinds| kinds.named_sections()).unwrap_or_default();
    for (name, section) in kinds {
        if !LEAKAGE_KINDS.contains(&name.value.as_str()) {
            reader.unknown(&name, "kind of instructions", LEAKAGE_KINDS.iter().copied());
        }
        leakage.kinds.insert(name.value, kind(&section));
    }
    if leakage.is_silent() {
        let message = "the model has no weight, so that every sample would be 0".to_owned();
        let help = "add a table such as [weights.result] with `weight = 1.0`";
        reader.report(top.span(), "no-weight", message, "", help);
    }
    leakage
}

impl Leakage {
    fn is_silent(&self) -> bool {
        self.weights.is_empty() && self.kinds.is_empty()
    }
}

fn kind(section: &Section<'_>) -> LeakageKind {
    let constant = section.weights("constant", LARGEST, 1).first().copied().unwrap_or_default();
    let found = LeakageKind { constant, weights: sources(section) };
    section.finish();
    found
}

fn sources(section: &Section<'_>) -> BTreeMap<String, LeakageWeights> {
    let found = LEAKAGE_SOURCES.iter().filter_map(|&source| {
        let weights = section.section(source)?;
        let found = LeakageWeights {
            weight: weights.weights("weight", LARGEST, BITS),
            distance: weights.weights("distance", LARGEST, BITS),
            identity: weights.weights("identity", LARGEST, 1).first().copied().unwrap_or_default(),
        };
        weights.finish();
        Some((source.to_owned(), found))
    });
    found.collect()
}
