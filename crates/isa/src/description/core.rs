//! A core, made from what a device's file and its core's file say.

use std::collections::BTreeMap;
use std::sync::Arc;

use cocrypt_config as config;

use super::Private;
use crate::{ClassCost, Frontend, TimingModel};

/// A core: what instructions do, what they cost, and what belongs to it beside them.
pub struct Core {
    /// The front end: the semantics of instructions.
    pub frontend: Arc<dyn Frontend>,
    /// Their cost, on memories without caches before them.
    pub timing: Arc<dyn TimingModel>,
    /// The peripherals that it has within itself.
    pub private: Option<Box<dyn Private>>,
    /// The interrupt line that a device's timer raises; nothing where lines are the private interrupt
    /// controller's.
    pub timer_line: Option<u32>,
    /// Bits of its data bus: 8, 16 or 32. Registers of peripherals have 32, and are reached part by part
    /// where it is narrower: all parts of one must be accessed.
    pub data_bits: u8,
    /// The places of its links to coprocessors, for a core with instructions that move words over links.
    pub links: Option<Links>,
    /// True if instructions go on while an access of one before them waits on the bus.
    pub overlaps: bool,
}

/// The accesses by which the front end lifts instructions that move words over the core's links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Links {
    /// The address of link 0; every other link lies [`Links::STRIDE`] bytes behind the one before it.
    pub base: u32,
    /// The number of links that the device has.
    pub count: u32,
}

impl Links {
    /// Bytes from one link to the next.
    pub const STRIDE: u32 = 0x40;
    /// A load takes the next word that has come.
    pub const TAKE: u32 = 0x00;
    /// A load shows that word and leaves it there.
    pub const PEEK: u32 = 0x04;
    /// A load tells if a word has come (bit 0) and its control bit (bit 1).
    pub const COME: u32 = 0x08;
    /// The same, once a word has come.
    pub const AWAIT: u32 = 0x0c;
    /// A load tells if there is room for a word (bit 0).
    pub const ROOM: u32 = 0x10;
    /// The same, once there is room.
    pub const AWAIT_ROOM: u32 = 0x14;
    /// A store sends a word.
    pub const SEND: u32 = 0x18;
    /// A store sends a word with its control bit set.
    pub const SEND_CONTROL: u32 = 0x1c;
}

/// A core file or a device asks for something that no front end offers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CoreError {
    /// No such instruction set.
    #[error("the core's instruction set `{isa}` is not known; known are {known}")]
    UnknownIsa {
        /// The entry in the core file.
        isa: String,
        /// Those that are known.
        known: String,
    },
    /// No such timing model.
    #[error("the core's timing model `{timing}` is not known; known are {known}")]
    UnknownTiming {
        /// The entry in the core file.
        timing: String,
        /// Those that the instruction set has.
        known: String,
    },
    /// No such encoding.
    #[error("the core `{core}` has no encoding `{encoding}` to compile to; known are {known}")]
    UnknownEncoding {
        /// The core.
        core: String,
        /// The entry in its file.
        encoding: String,
        /// Those that the instruction set has.
        known: String,
    },
    /// The device gives a core peripherals that it cannot have.
    #[error(
        "the section [system] describes peripherals that a core has within itself, and `{0}` has none; take it out of the device"
    )]
    NoSystem(String),
    /// The copies of a controller meet a pipeline or a cache whose timing model does not cover them.
    #[error(
        "the timing of `{core}` is not known beside a DMA controller: it has a cache or a pipeline that goes on"
    )]
    Dma {
        /// The core.
        core: String,
    },
    /// The core leaves programs in two ways.
    #[error(
        "with these parameters the core has both [traps] and [irq]; let the `when` of one rule the other out"
    )]
    BothSchemes,
    /// There would be caches behind caches.
    #[error("`{0}` has caches of its own; take the section [cache] out of the device")]
    OwnCaches(String),
    /// A class that every program may come to has no cost.
    #[error(
        "the core `{core}` has no cost for the class `{class}`, which any program may come to; add a `[[class.{class}]]` that holds with the device's parameters"
    )]
    MissingClass {
        /// The core.
        core: String,
        /// The class.
        class: &'static str,
    },
    /// No such rule in the timing model.
    #[error(
        "class `{class}` of the core names the rule `{rule}`, which its timing model does not know"
    )]
    UnknownRule {
        /// The class.
        class: String,
        /// The rule.
        rule: String,
    },
    /// The device asks of the core what its front end or its timing is not known for.
    #[error("{0}")]
    Unsuited(String),
}

/// A device's value of a parameter of its core; 0 where the core has no such parameter.
#[must_use]
pub fn parameter(device: &config::Device, name: &str) -> i64 {
    device.parameters.get(name).copied().unwrap_or(0)
}

/// A core's class table; a class that it does not name costs what a coarser one does.
#[must_use]
pub fn table(
    device: &config::Device,
    classes: &[&str],
    coarser: fn(&str) -> Option<&'static str>,
) -> BTreeMap<String, ClassCost> {
    let resolved = device.core.resolve(&device.parameters);
    let cost = |name: &str| {
        let named = device.core.classes.contains_key(name);
        let class = resolved.get(if named { name } else { coarser(name).unwrap_or(name) })?;
        let config::ResolvedClass { ask, rule, per_step } = class.clone();
        Some((name.to_owned(), ClassCost { ask, rule, per_step }))
    };
    classes.iter().filter_map(|name| cost(name)).collect()
}
