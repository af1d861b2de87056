//! ARM cores.

use cocrypt_config as config;
use cocrypt_isa_arm::architecture::{Architecture, Version};
use cocrypt_isa_arm::class::{CLASSES, coarser};
use cocrypt_isa_arm::lift::Arm;
use cocrypt_isa_arm::timing::{Flash, Kind, Surroundings, model};

use super::{CoreError, Halves, behind_caches, parameter, table};

use std::sync::Arc;

/// The version of the architecture by its name in core files.
pub fn version(isa: &str) -> Option<Version> {
    Some(match isa {
        "armv4" => Version::V4,
        "armv4t" => Version::V4T,
        "armv5te" => Version::V5TE,
        "armv6-m" => Version::V6M,
        "armv7-m" => Version::V7M,
        "armv7e-m" => Version::V7EM,
        _ => return None,
    })
}

/// Makes a device's core.
pub fn build(device: &config::Device, version: Version) -> Result<Halves, CoreError> {
    let core = &device.core;
    let kind =
        Kind::named(&core.timing).ok_or_else(|| CoreError::UnknownTiming(core.timing.clone()))?;
    let vector = parameter(device, "FPU") != 0;
    let architecture = Architecture { version, vector };
    let table = table(device, CLASSES, coarser);
    let nonsequential = parameter(device, "NONSEQUENTIAL") as u32;
    let unmerged = device.memories.iter().filter(|memory| memory.unmerged);
    let unmerged = unmerged.map(|memory| (memory.base as u32, memory.size as u32)).collect();
    let surroundings = Surroundings { flash: flash(device), nonsequential, unmerged };
    let timing = model(kind, architecture, &table, surroundings)
        .map_err(|it| CoreError::UnknownRule { class: it.class, rule: it.rule })?;
    let timing = behind_caches(device, timing)?;
    let implemented = std::array::from_fn(|class| timing.implements(class as u8));
    let first = device.memories.first().map_or(0, |memory| memory.base as u32);
    let vectors = device.system.as_ref().and_then(|system| system.vectors).unwrap_or(first);
    let frontend = Arm { implemented, vectors, ..Arm::new(architecture) };
    Ok((Arc::new(frontend), timing))
}

/// The interface of a device's flash memory.
fn flash(device: &config::Device) -> Option<Flash> {
    let described = device.flash.as_ref()?;
    let memory = device.memories.iter().find(|memory| memory.name == described.memory)?;
    Some(Flash {
        base: memory.base as u32,
        size: memory.size as u32,
        line: described.width_bits / 8,
        waits: memory.fetch_wait - 1,
        prefetch: described.prefetch,
        instruction_lines: described.instruction_lines.unwrap_or(0),
        data_lines: described.data_lines.unwrap_or(0),
    })
}
