//! The timing of ARM cores: how a core's class table becomes the cost of a block.
//!
//! [`walk`] goes through a block with a core's pipeline ([`cortex`], [`arm7`], [`interlock`]) and the
//! memory that its code comes from ([`flash`]); docs/timing-arm.md lists every rule with its source.

mod arm7;
mod cortex;
mod flash;
mod interlock;
mod outcome;
mod register_use;
mod site;
mod states;
mod table;
mod walk;

use std::collections::BTreeMap;
use std::sync::Arc;

use cocrypt_isa::{ClassCost, TimingModel};

use self::arm7::Arm7;
use self::cortex::{Cortex, Overlaps};
pub use self::flash::Flash;
use self::flash::Supply;
use self::interlock::Interlocked;
use self::table::Rows;
use self::walk::Model;
use crate::architecture::{Architecture, Version};

/// A core file names a rule that its timing model does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownRule {
    /// The class.
    pub class: String,
    /// The rule.
    pub rule: String,
}

/// A timing model of ARM cores, by the names that core files use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Cortex-M0 and M0+.
    CortexM0,
    /// Cortex-M3 and M4.
    CortexM3,
    /// ARM7TDMI.
    Arm7,
    /// ARM926EJ-S.
    Arm9,
    /// SA-1110.
    StrongArm,
}

impl Kind {
    /// All names.
    pub const NAMES: [(&'static str, Self); 5] = [
        ("cortex-m0", Self::CortexM0),
        ("cortex-m3", Self::CortexM3),
        ("arm7", Self::Arm7),
        ("arm9", Self::Arm9),
        ("strongarm", Self::StrongArm),
    ];

    /// Returns true if blocks may be left in front of instructions whose operand decides about their cost,
    /// since it decides about what follows, too.
    #[must_use]
    pub const fn leaves_at_operands(self) -> bool {
        !matches!(self, Self::Arm7)
    }

    /// The model of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|&(_, kind)| kind)
    }
}

/// The device's settings beside its core's class table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// The flash memory that code may come from, if it has an interface of its own.
    pub flash: Option<Flash>,
    /// Cycles that a fetch to any address waits more than one to the next (ARM7TDMI).
    pub nonsequential: u32,
    /// Memories, by address and size, in which that holds for a fetch behind an internal cycle, too.
    pub unmerged: Vec<(u32, u32)>,
}

/// Makes a timing model from a core's class table, by class name.
///
/// # Errors
/// If a class names a rule that is not known.
pub fn model(
    kind: Kind,
    architecture: Architecture,
    table: &BTreeMap<String, ClassCost>,
    surroundings: Surroundings,
) -> Result<Arc<dyn TimingModel>, UnknownRule> {
    let rows = Rows::new(table)?;
    let Surroundings { flash, nonsequential, unmerged } = surroundings;
    // A queue of three words (DDI 0337E, 1.2.1); of the others, the word behind the current one.
    let ahead = if kind == Kind::CortexM3 { 12 } else { 4 };
    let supply = Supply { flash, ahead };
    // The vectors of stack pointer and reset are read first; nothing counts these cycles.
    let overlaps = match (kind, architecture.version) {
        (Kind::CortexM0, _) => Overlaps::None,
        (_, Version::V7EM) => Overlaps::Based,
        _ => Overlaps::Plain,
    };
    let cortex = Cortex { overlaps, reset: 4 };
    Ok(match kind {
        Kind::CortexM0 | Kind::CortexM3 => Arc::new(Model::new(architecture, rows, supply, cortex)),
        Kind::Arm7 => {
            Arc::new(Model::new(architecture, rows, supply, Arm7 { nonsequential, unmerged }))
        }
        Kind::Arm9 => Arc::new(Model::new(architecture, rows, supply, Interlocked::Arm9)),
        Kind::StrongArm => Arc::new(Model::new(architecture, rows, supply, Interlocked::StrongArm)),
    })
}
