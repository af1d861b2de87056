//! The leakage of a study: what is sampled in every partition, and which attacks are tried.

use std::ops::RangeInclusive;
use std::path::Path;

use serde::Serialize;

use crate::names::{Names, identifier};
use crate::reader::{Reader, Spot};
use crate::section::Section;
use crate::study::hexadecimal;

/// The leakage that each partition is examined for.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StudyLeakage {
    /// The function that is sampled, from its first call to its return.
    pub function: String,
    /// The leakage model of the core: a name, or an absolute path.
    pub model: String,
    /// The cell library of coprocessors: a name, or an absolute path.
    pub library: String,
    /// The delays of coprocessors' gates: `none`, `unit`, or a step of the library's such as `10ps`.
    pub delays: String,
    /// Traces of each t-test and of each attack.
    pub traces: u64,
    /// The seed of contents and noise.
    pub seed: u64,
    /// The standard deviation of the core's noise, in units of the model.
    pub noise: f64,
    /// The same for a cycle of a coprocessor, in joules.
    #[serde(rename = "noise_J")]
    pub noise_joules: f64,
    /// The part of a trace that t-tests look at, in percent of its samples.
    pub window: (u32, u32),
    /// The attacks on traces of the core, by the names of their models.
    pub attacks: Vec<String>,
    /// The same on traces of coprocessors.
    pub coprocessor_attacks: Vec<String>,
    /// The key that they look for, in hexadecimal.
    pub key: Option<String>,
    /// Memory that each run begins with.
    pub inputs: Vec<LeakageInput>,
    /// Memory that is read at the end of each run.
    pub outputs: Vec<LeakageOutput>,
}

/// Bytes that each run begins with.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LeakageInput {
    /// The column.
    pub name: String,
    /// The memory, as `SYMBOL`, `ADDRESS:LENGTH` or `@ARGUMENT:LENGTH`.
    pub place: String,
    /// Its content in the fixed runs of a t-test, in hexadecimal; random in all runs if absent.
    pub fixed: Option<String>,
}

/// Bytes that are read at the end of each run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LeakageOutput {
    /// The column.
    pub name: String,
    /// The memory, as above.
    pub place: String,
}

/// The models of attacks.
const ATTACKS: [&str; 4] = ["aes-first", "aes-last", "aes-last-value", "present-first"];
const MODEL: &str = "hamming";
const LIBRARY: &str = "generic180";
/// The delays that are no steps of the library's; the first is usual.
const DELAYS: [&str; 2] = ["none", "unit"];
const STEP_DIGITS: usize = 6;
const TRACES: RangeInclusive<i64> = 100..=10_000_000;
const USUAL_TRACES: u64 = 1000;
const PERCENT: RangeInclusive<i64> = 0..=100;

pub fn study_leakage(reader: &Reader, section: &Section<'_>) -> StudyLeakage {
    let function = section.required_text("function");
    identifier(reader, &function, "function");
    let integer = |key, range| section.integer(key, range).map(|spelled| spelled.value as u64);
    let key = section.text("key");
    let of_core = attacks(reader, section, "attacks");
    let of_coprocessors = attacks(reader, section, "coprocessor_attacks");
    if (of_core.is_empty() && of_coprocessors.is_empty()) == key.is_some() {
        let message = "attacks and `key` belong together".to_owned();
        let help = "give both, since traces are counted until an attack finds the key";
        reader.report(section.span(), "no-attack", message, "one of them is missing", help);
    }
    let leakage = StudyLeakage {
        function: function.value,
        model: named(reader, section.text("model"), ".toml", MODEL),
        library: named(reader, section.text("library"), ".lib", LIBRARY),
        delays: delays(reader, section),
        traces: integer("traces", TRACES).unwrap_or(USUAL_TRACES),
        seed: integer("seed", 0..=i64::from(u32::MAX)).unwrap_or_default(),
        noise: section.positive("noise").unwrap_or_default(),
        noise_joules: section.positive("noise_J").unwrap_or_default(),
        window: window(reader, section),
        attacks: of_core,
        coprocessor_attacks: of_coprocessors,
        key: key.map(|key| hexadecimal(reader, "key", key)),
        inputs: inputs(reader, &section.required_sections("input")),
        outputs: outputs(reader, &section.sections("output")),
    };
    section.finish();
    leakage
}

/// A name, or the path of a file from the study's folder on, which has this ending.
fn named(reader: &Reader, text: Option<Spot<String>>, ending: &str, usual: &str) -> String {
    let Some(text) = text else { return usual.to_owned() };
    if !Path::new(&text.value).to_string_lossy().ends_with(ending) {
        return text.value;
    }
    reader.existing_file(&text, "file").to_string_lossy().into_owned()
}

fn delays(reader: &Reader, section: &Section<'_>) -> String {
    let Some(text) = section.text("delays") else { return DELAYS[0].to_owned() };
    let digits = text.value.strip_suffix("ps").unwrap_or_default();
    let is_step = digits.bytes().all(|byte| byte.is_ascii_digit())
        && digits.len() <= STEP_DIGITS
        && digits.bytes().any(|byte| byte != b'0');
    if !is_step && !DELAYS.contains(&text.value.as_str()) {
        let message = format!("`{}` are no delays of gates", text.value);
        let help = "write none, unit, or the step of the library's delays, such as 10ps";
        reader.report(text.span.clone(), "unknown-delays", message, "here", help);
    }
    text.value
}

fn window(reader: &Reader, section: &Section<'_>) -> (u32, u32) {
    let given = section.integers("window", &PERCENT);
    match given[..] {
        [] => (0, 100),
        [from, to] if from < to => (from as u32, to as u32),
        _ => {
            let message = "`window` is no part of a trace";
            let help = "write two numbers in percent, the smaller one first, such as [33, 67]";
            reader.report(section.span(), "no-window-of-time", message.to_owned(), "here", help);
            (0, 100)
        }
    }
}

fn attacks(reader: &Reader, section: &Section<'_>, key: &'static str) -> Vec<String> {
    let mut names = Names::default();
    let attacks = section.texts(key);
    for attack in &attacks {
        names.add(reader, "attack", attack);
        if !ATTACKS.contains(&attack.value.as_str()) {
            reader.unknown(attack, "attack", ATTACKS);
        }
    }
    attacks.into_iter().map(|attack| attack.value).collect()
}

fn inputs(reader: &Reader, sections: &[Section<'_>]) -> Vec<LeakageInput> {
    let mut names = Names::default();
    let input = |section: &Section<'_>| {
        let (name, place) = memory(reader, section, &mut names);
        let fixed = section.text("fixed").map(|fixed| hexadecimal(reader, "fixed", fixed));
        section.finish();
        LeakageInput { name, place, fixed }
    };
    sections.iter().map(input).collect()
}

fn outputs(reader: &Reader, sections: &[Section<'_>]) -> Vec<LeakageOutput> {
    let mut names = Names::default();
    let output = |section: &Section<'_>| {
        let (name, place) = memory(reader, section, &mut names);
        section.finish();
        LeakageOutput { name, place }
    };
    sections.iter().map(output).collect()
}

/// The name of a column, and its memory.
fn memory(reader: &Reader, section: &Section<'_>, names: &mut Names) -> (String, String) {
    let name = section.required_text("name");
    identifier(reader, &name, "column");
    names.add(reader, "column", &name);
    (name.value, section.required_text("place").value)
}
