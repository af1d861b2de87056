//! Cores, made from what a device's file and its core's file say.

use std::sync::Arc;

use cocrypt_config as config;
use cocrypt_isa::{Core, CoreError, TimingModel as _, parameter, table};

use crate::class::{CLASSES, coarser};
use crate::features::{Features, Variant};
use crate::mapped::has_large_data;
use crate::{Avr, Timing};

/// The program counter's bits on the largest devices.
const WIDE: i64 = 22;
/// The vector that a device's timer has: the first behind that of reset.
const TIMER: u32 = 1;

/// Makes a device's core.
pub fn build(device: &config::Device) -> Result<Core, CoreError> {
    let core = &device.core;
    if device.system.is_some() {
        return Err(CoreError::NoSystem(core.name.clone()));
    }
    let variant = Variant::named(&core.isa).ok_or_else(|| super::AVR.unknown_isa(&core.isa))?;
    if !super::AVR.timings.contains(&core.timing.as_str()) {
        return Err(super::AVR.unknown_timing(&core.timing));
    }
    let timing = Timing::new(&table(device, CLASSES, coarser))
        .map_err(|unknown| CoreError::UnknownRule { class: unknown.class, rule: unknown.rule })?;
    let implemented = std::array::from_fn(|class| timing.implements(class as u8));
    let frontend = Arc::new(Avr::new(features(device, variant)?, implemented));
    let timing = Arc::new(timing);
    Ok(Core {
        frontend,
        timing,
        private: None,
        timer_line: Some(TIMER),
        data_bits: 8,
        links: None,
        overlaps: false,
    })
}

fn features(device: &config::Device, variant: Variant) -> Result<Features, CoreError> {
    let boundary = parameter(device, "BOUNDARY") as u32;
    let features = Features {
        wide_counter: parameter(device, "PC_BITS") == WIDE,
        large_data: has_large_data(variant, parameter(device, "LARGE_DATA") != 0),
        boundary: (boundary != 0).then_some(boundary),
        ram_end: ram_end(device),
        ..Features::new(variant, flash_words(device)?)
    };
    let reached = if features.wide_counter { 1 << 22 } else { 1 << 16 };
    if features.flash_words > reached {
        return Err(CoreError::Unsuited(format!(
            "`FLASH_WORDS` is {}, but a program counter of these `PC_BITS` reaches {reached}; say \
             `PC_BITS = 22`",
            features.flash_words
        )));
    }
    Ok(features)
}

/// The end of the first writable memory in the data space; data sheets have its last address as the stack
/// pointer's initial value.
fn ram_end(device: &config::Device) -> u16 {
    let origin = u64::from(crate::DATA);
    let written =
        |memory: &&config::Memory| memory.kind == config::MemoryKind::Ram && memory.base >= origin;
    let last = |memory: &config::Memory| memory.base - origin + memory.size - 1;
    device.memories.iter().find(written).map_or(0, |memory| last(memory) as u16)
}

/// Words of flash memory, of which there is at least one.
fn flash_words(device: &config::Device) -> Result<u32, CoreError> {
    let words = parameter(device, "FLASH_WORDS");
    u32::try_from(words).ok().filter(|&words| words > 0).ok_or_else(|| {
        CoreError::Unsuited(format!(
            "`FLASH_WORDS` is {words}; say how many words of 16 bits the flash memory has"
        ))
    })
}
