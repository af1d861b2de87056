//! Which front end and which timing model a core file asks for.

mod arm;
mod riscv;

use std::collections::BTreeMap;
use std::sync::Arc;

use cocrypt_config as config;
use cocrypt_isa::{Caches, ClassCost, Frontend, TimingModel};
use cocrypt_isa_arm::architecture::Version;
use cocrypt_isa_arm::cells;

use crate::cached::Cached;
use crate::system::System;

/// A core file asks for something that no front end offers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CoreError {
    /// No such instruction set.
    #[error(
        "the core's instruction set `{0}` is not known; known are `rv32`, `armv4`, `armv4t`, `armv5te`, `armv6-m`, `armv7-m`, `armv7e-m`"
    )]
    UnknownIsa(String),
    /// The device gives a core peripherals that it cannot have.
    #[error(
        "the peripherals of the section [system] belong to cores of Arm's M profile, and `{0}` is none; take it out of the device"
    )]
    NoSystem(String),
    /// No such timing model.
    #[error(
        "the core's timing model `{0}` is not known; known are `ibex`, `picorv32`, `serv`, `vexriscv` for RISC-V, `cortex-m0`, `cortex-m3`, `arm7`, `arm9`, `strongarm` for ARM"
    )]
    UnknownTiming(String),
    /// A memory is slower than the timing model can tell.
    #[error(
        "memory `{memory}` answers fetches after {wait} cycles, but the timing of `{core}` is known for 1 alone"
    )]
    FetchWait {
        /// The memory.
        memory: String,
        /// Its wait.
        wait: u32,
        /// The core.
        core: String,
    },
    /// Accesses are slower than the timing model can tell.
    #[error(
        "{who} answers loads and stores after {wait} cycles, but the timing of `{core}` with a write-back stage is known for 1 alone"
    )]
    AccessWait {
        /// What is slow.
        who: String,
        /// Its wait.
        wait: u32,
        /// The core.
        core: String,
    },
    /// Memory and peripherals differ in a way that the timing model cannot tell.
    #[error(
        "memory answers loads and stores after {memory} cycles and the bus after {bus}, but the timing of `{core}` is known for equal waits alone"
    )]
    OtherWaits {
        /// The memory's wait.
        memory: u32,
        /// The bus's.
        bus: u32,
        /// The core.
        core: String,
    },
    /// What a controller copies meets a pipeline or a cache that the timing model does not know it for.
    #[error(
        "the timing of `{core}` is not known beside a DMA controller: it has a cache or a pipeline that goes on"
    )]
    Dma {
        /// The core.
        core: String,
    },
    /// There is code or data where the core has no cache.
    #[error(
        "the timing of `{core}` is known for one memory and peripherals from 0x80000000 on, where it does not cache; {what} is something else"
    )]
    Uncached {
        /// The core.
        core: String,
        /// What there is.
        what: String,
    },
    /// No such control and status register.
    #[error(
        "the core's register `{0}` can be written, but it is not one that the front end knows what it does; take its `writes` out, or say `unmodelled = true`"
    )]
    UnknownRegister(String),
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
}

/// The two halves of a core: what instructions do, and what they cost.
pub type Halves = (Arc<dyn Frontend>, Arc<dyn TimingModel>);

/// Makes a device's core.
pub fn build(device: &config::Device) -> Result<Halves, CoreError> {
    copies_alone(device)?;
    if device.system.is_some() && !is_m(device) {
        return Err(CoreError::NoSystem(device.core.name.clone()));
    }
    let halves = match device.core.isa.as_str() {
        "rv32" => riscv::build(device),
        other => match arm::version(other) {
            Some(version) => arm::build(device, version),
            None => Err(CoreError::UnknownIsa(other.to_owned())),
        },
    }?;
    is_complete(device, &halves)?;
    Ok(halves)
}

/// Whether every class that may come up has a cost.
fn is_complete(device: &config::Device, (frontend, timing): &Halves) -> Result<(), CoreError> {
    let missing = frontend.required().into_iter().find(|&class| !timing.implements(class));
    missing.map_or(Ok(()), |class| {
        let class = frontend.classes()[usize::from(class)];
        Err(CoreError::MissingClass { core: device.core.name.clone(), class })
    })
}

/// Whether a device's core is of Arm's M profile.
pub fn is_m(device: &config::Device) -> bool {
    arm::version(&device.core.isa).is_some_and(Version::is_m)
}

/// The interrupt line that a device's timer raises: that of timers (RISC-V's privileged manual, section
/// 3.1.9), or the one beside the fast interrupt; nothing where lines are the interrupt controller's.
pub fn timer_line(device: &config::Device) -> Option<u32> {
    match arm::version(&device.core.isa) {
        None => Some(7),
        Some(version) => (!version.is_m()).then_some(0),
    }
}

/// The peripherals that a device's core has within itself.
pub fn system(device: &config::Device, frontend: &dyn Frontend) -> Option<System> {
    let is_small = arm::version(&device.core.isa) == Some(Version::V6M);
    let reset = frontend.reset().into_iter().find(|(cell, _)| *cell == cells::VECTORS);
    let vectors = reset.map_or(0, |(_, vectors)| vectors as u32);
    device.system.as_ref().map(|described| System::new(described, is_small, vectors))
}

/// Puts a device's caches before a core that has none of its own.
fn behind_caches(
    device: &config::Device,
    timing: Arc<dyn TimingModel>,
) -> Result<Arc<dyn TimingModel>, CoreError> {
    if device.caches == config::Caches::default() {
        return Ok(timing);
    }
    let Caches { instruction, data, .. } = timing.caches();
    if instruction.is_some() || data.is_some() {
        return Err(CoreError::OwnCaches(device.core.name.clone()));
    }
    Ok(Arc::new(Cached::new(timing, &device.caches)))
}

fn parameter(device: &config::Device, name: &str) -> i64 {
    device.parameters.get(name).copied().unwrap_or(0)
}

/// A core's class table; a class that it does not name costs what a coarser one does.
fn table(
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

/// A DMA controller copies while the core waits for it, and nothing else may go on meanwhile.
fn copies_alone(device: &config::Device) -> Result<(), CoreError> {
    let has_dma = device.peripherals.iter().any(|it| it.kind == config::PeripheralKind::Dma);
    let cached = device.caches.instruction.is_some() || device.caches.data.is_some();
    let goes_on = device.core.timing == "vexriscv" || parameter(device, "WritebackStage") != 0;
    if has_dma && (cached || goes_on) {
        return Err(CoreError::Dma { core: device.core.name.clone() });
    }
    Ok(())
}
