//! The network of a study in which nodes authenticate each other: who they are and what joins them.

use serde::Serialize;

use crate::device::Device;
use crate::reader::{Reader, Spot};
use crate::section::Section;

/// Three nodes and the lines between them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Authentication {
    /// The workload that every node runs.
    pub workload: String,
    /// How data is encrypted: `xor`, `aes` or `ascon`.
    pub suite: String,
    /// The line that carries bytes: `fifo`, 8 bits each, or `uart`, 10 bits each.
    pub line: String,
    /// Bits in a second.
    pub rate: u64,
    /// Microseconds from the last bit sent to the packet that has come in.
    pub latency_us: u64,
    /// Milliseconds that a node waits for an answer.
    pub patience_ms: u64,
    /// Bytes of data that are sent each way once a session is open.
    pub size: u64,
    /// Seconds since 1970 at which the clocks of all nodes begin.
    pub now: u64,
    /// Seconds that certificates hold from then on.
    pub lifetime: u64,
    /// The seed of every random number.
    pub seed: u64,
    /// The certificate authority.
    pub ca: Node,
    /// The server.
    pub server: Node,
    /// The user's terminal.
    pub terminal: Node,
}

/// A node of the network.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Node {
    /// True if the host's own code answers, which takes no simulated time.
    pub host: bool,
    /// The device that it is; nothing for the study's own.
    pub device: Option<Device>,
    /// The functions that it has in hardware, in the order of the candidates.
    pub hw: Vec<String>,
}

const SUITES: [&str; 3] = ["xor", "aes", "ascon"];
const LINES: [&str; 2] = ["fifo", "uart"];

/// How a study reads what a node names: its device, and the functions under `hw`.
pub struct References<'a> {
    /// The workloads of the study.
    pub workloads: Vec<&'a str>,
    /// The device of a name.
    pub device: &'a dyn Fn(&Spot<String>) -> Option<Device>,
    /// The functions in hardware.
    pub hardware: &'a dyn Fn(&Section<'_>) -> Vec<String>,
}

pub fn authentication(
    reader: &Reader,
    section: &Section<'_>,
    references: &References<'_>,
) -> Option<Authentication> {
    let workload = section.required_text("workload");
    if !workload.value.is_empty() && !references.workloads.contains(&workload.value.as_str()) {
        reader.unknown(&workload, "workload", references.workloads.iter().copied());
    }
    let choice = |key, what, among: &'static [&'static str]| {
        let spelled = section.required_text(key);
        if !spelled.value.is_empty() && !among.contains(&spelled.value.as_str()) {
            reader.unknown(&spelled, what, among.iter().copied());
        }
        spelled.value
    };
    let number =
        |key, range| section.required_integer(key, range).map_or(0, |count| count.value as u64);
    let node = |key| section.required_section(key).map(|table| node(&table, references));
    let found = Authentication {
        workload: workload.value,
        suite: choice("suite", "suite", &SUITES),
        line: choice("line", "line", &LINES),
        rate: number("rate", 1..=10_000_000_000),
        latency_us: number("latency_us", 1..=10_000_000),
        patience_ms: number("patience_ms", 1..=10_000_000),
        size: number("size", 1..=1024),
        now: number("now", 0..=i64::from(u32::MAX)),
        lifetime: number("lifetime", 1..=i64::from(u32::MAX)),
        seed: number("seed", 0..=i64::from(u32::MAX)),
        ca: node("ca")?,
        server: node("server")?,
        terminal: node("terminal")?,
    };
    section.finish();
    Some(found)
}

fn node(section: &Section<'_>, references: &References<'_>) -> Node {
    let device = section.text("device");
    let node = Node {
        host: section.switch("host"),
        device: device.and_then(|name| (references.device)(&name)),
        hw: (references.hardware)(section),
    };
    section.finish();
    node
}
