//! Cores, made from what a device's file and its core's file say.

use std::sync::Arc;

use cocrypt_config as config;
use cocrypt_isa::{Core, CoreError, Private, parameter, table};

use crate::architecture::{Architecture, Version};
use crate::class::{CLASSES, coarser};
use crate::lift::Arm;
use crate::private::System;
use crate::timing::{Flash, Kind, Surroundings, model};

/// The interrupt line beside the fast interrupt, of a core without an interrupt controller of its own.
const IRQ: u32 = 0;

/// Makes a device's core.
pub fn build(device: &config::Device) -> Result<Core, CoreError> {
    let core = &device.core;
    let version = Version::named(&core.isa).ok_or_else(|| super::ARM.unknown_isa(&core.isa))?;
    if device.system.is_some() && !version.is_m() {
        return Err(CoreError::NoSystem(core.name.clone()));
    }
    let architecture = Architecture { version, vector: parameter(device, "FPU") != 0 };
    let kind = Kind::named(&core.timing).ok_or_else(|| super::ARM.unknown_timing(&core.timing))?;
    let timing = model(kind, architecture, &table(device, CLASSES, coarser), surroundings(device))
        .map_err(|unknown| CoreError::UnknownRule { class: unknown.class, rule: unknown.rule })?;
    let implemented = std::array::from_fn(|class| timing.implements(class as u8));
    let vectors = vectors(device);
    let frontend = Arc::new(Arm { implemented, vectors, ..Arm::new(architecture) });
    let timer_line = (!version.is_m()).then_some(IRQ);
    let private = private(device, version, vectors);
    Ok(Core { frontend, timing, private, timer_line, data_bits: 32, links: None, overlaps: false })
}

/// The address of the vector table after reset.
fn vectors(device: &config::Device) -> u32 {
    let first = device.memories.first().map_or(0, |memory| memory.base as u32);
    device.system.as_ref().and_then(|system| system.vectors).unwrap_or(first)
}

fn private(device: &config::Device, version: Version, vectors: u32) -> Option<Box<dyn Private>> {
    let described = device.system.as_ref()?;
    Some(Box::new(System::new(described, version == Version::V6M, vectors)))
}

fn surroundings(device: &config::Device) -> Surroundings {
    let nonsequential = parameter(device, "NONSEQUENTIAL") as u32;
    let unmerged = device.memories.iter().filter(|memory| memory.unmerged);
    let unmerged = unmerged.map(|memory| (memory.base as u32, memory.size as u32)).collect();
    Surroundings { flash: flash(device), nonsequential, unmerged }
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
