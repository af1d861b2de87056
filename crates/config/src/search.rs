//! The sweep and the search of a study: variations of the device, and objectives.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use serde::Serialize;

use crate::names::Names;
use crate::reader::{Reader, Spot};
use crate::section::Section;

/// Values that are tried in every combination that is possible; an empty list stands for the device's own
/// value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Sweep {
    /// Cycles that a transfer waits.
    pub bus_wait: Vec<u32>,
    /// The same for a transfer that continues a burst; at most `bus_wait` of them count.
    pub burst_wait: Vec<u32>,
    /// Bits that the bus moves at once: a word takes as many transfers as it has parts.
    pub bus_width: Vec<u32>,
    /// Clocks of coprocessors against the core's, as multiplier and divisor.
    pub clock: Vec<(u32, u32)>,
}

/// The search of a study.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Search {
    /// Figures of which less is better.
    pub minimise: Vec<String>,
    /// Figures of which more is better.
    pub maximise: Vec<String>,
    /// The most that figures may be.
    pub at_most: BTreeMap<String, f64>,
    /// The least that figures may be.
    pub at_least: BTreeMap<String, f64>,
    /// How: `auto`, `all`, `nsga2` or `tpe`.
    pub method: String,
    /// The seed of everything random.
    pub seed: u64,
    /// How many partitions are simulated at most; none for as many as there are.
    pub simulations: Option<u64>,
    /// How many of those that are only predicted are simulated beside the best, to see how far off
    /// they are.
    pub sample: u64,
}

impl Default for Search {
    fn default() -> Self {
        Self {
            minimise: vec![],
            maximise: vec![],
            at_most: BTreeMap::new(),
            at_least: BTreeMap::new(),
            method: "auto".to_owned(),
            seed: 1,
            simulations: None,
            sample: 8,
        }
    }
}

impl Search {
    /// The first figure of leakage that is looked for.
    pub(crate) fn leakage_figure(&self) -> Option<&str> {
        let sought = self.minimise.iter().chain(&self.maximise);
        let mut every = sought.chain(self.at_most.keys()).chain(self.at_least.keys());
        every.find(|figure| LEAKAGE.contains(&figure.as_str())).map(String::as_str)
    }
}

/// Figures of which less is better.
const FIGURES: [&str; 13] = [
    "total",
    "seconds",
    "energy_J",
    "hardware",
    "area_GE",
    "luts",
    "flip_flops",
    "rom",
    "ram",
    "stack",
    "memory",
    "leakage_t",
    "leakage_deviation",
];
/// Figures of which more is better.
const MORE: [&str; 1] = ["disclosure_traces"];
/// Figures of leakage.
const LEAKAGE: [&str; 3] = ["leakage_t", "leakage_deviation", "disclosure_traces"];
const METHODS: [&str; 4] = ["auto", "all", "nsga2", "tpe"];
const WAITS: RangeInclusive<i64> = 1..=10_000;
const COUNTS: RangeInclusive<i64> = 1..=1_000_000_000;

pub fn sweep(reader: &Reader, section: &Section<'_>) -> Sweep {
    let numbers = |key, range| {
        let found = section.integers(key, &range);
        found.into_iter().map(|number| number as u32).collect::<Vec<_>>()
    };
    let sweep = Sweep {
        bus_wait: numbers("bus_wait", WAITS),
        burst_wait: numbers("burst_wait", WAITS),
        bus_width: numbers("bus_width", 8..=32),
        clock: section.texts("clock").iter().filter_map(|text| clock(reader, text)).collect(),
    };
    if let Some(odd) = sweep.bus_width.iter().find(|&&width| 32 % width != 0) {
        let message = format!("a bus of {odd} bits moves no word in whole parts");
        reader.report(section.span(), "odd-width", message, "here", "choose among 8, 16 and 32");
    }
    section.finish();
    sweep
}

/// A ratio of clocks, as `2` or `1/3`.
fn clock(reader: &Reader, spelled: &Spot<String>) -> Option<(u32, u32)> {
    let (above, below) = spelled.value.split_once('/').unwrap_or((&spelled.value, "1"));
    let part = |text: &str| text.trim().parse().ok().filter(|part| (1..=64).contains(part));
    let ratio = part(above).zip(part(below));
    if ratio.is_none() {
        let message = format!("`{}` is no ratio of clocks", spelled.value);
        let help =
            "write a whole number such as \"2\", or a fraction such as \"1/3\"; parts up to 64";
        reader.report(spelled.span.clone(), "no-ratio", message, "here", help);
    }
    ratio
}

pub fn search(reader: &Reader, section: &Section<'_>) -> Search {
    let standard = Search::default();
    let minimise = figures(reader, section.texts("minimise"), &FIGURES);
    let maximise = figures(reader, section.texts("maximise"), &MORE);
    let method = section.text("method");
    if let Some(method) = method.as_ref().filter(|name| !METHODS.contains(&name.value.as_str())) {
        reader.unknown(method, "method", METHODS);
    }
    let at_most = bounds(section, "at_most", &FIGURES);
    let at_least = bounds(section, "at_least", &MORE);
    let number = |key, range| section.integer(key, range).map(|spelled| spelled.value as u64);
    let search = Search {
        minimise,
        maximise,
        at_most,
        at_least,
        method: method.map_or(standard.method, |name| name.value),
        seed: number("seed", 0..=i64::from(u32::MAX)).unwrap_or(standard.seed),
        simulations: number("simulations", COUNTS),
        sample: number("sample", 0..=*COUNTS.end()).unwrap_or(standard.sample),
    };
    section.finish();
    search
}

/// The figures of a list, each of which must be one of those.
fn figures(reader: &Reader, listed: Vec<Spot<String>>, known: &[&'static str]) -> Vec<String> {
    let mut names = Names::default();
    for figure in &listed {
        names.add(reader, "figure", figure);
        if !known.contains(&figure.value.as_str()) {
            reader.unknown(figure, "figure", known.iter().copied());
        }
    }
    listed.into_iter().map(|objective| objective.value).collect()
}

/// The bounds of figures in a table.
fn bounds(
    section: &Section<'_>,
    key: &'static str,
    known: &[&'static str],
) -> BTreeMap<String, f64> {
    let Some(table) = section.section(key) else { return BTreeMap::new() };
    let bound = |&figure: &&'static str| Some((figure.to_owned(), table.positive(figure)?));
    let found = known.iter().filter_map(bound).collect();
    table.finish();
    found
}
