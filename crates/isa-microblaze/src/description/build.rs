//! Cores, made from what a device's file and its core's file say.

use std::sync::Arc;

use cocrypt_config as config;
use cocrypt_isa::{ByteOrder, Core, CoreError, TimingModel as _, parameter, table};

use super::{MICROBLAZE, MICROBLAZE_LITTLE, of};
use crate::class::CLASSES;
use crate::exceptions::Exceptions;
use crate::table::TABLE;
use crate::{MicroBlaze, Timing};

/// The interrupt line, of which the core has one.
const LINE: u32 = 0;

/// Makes a device's core.
pub fn build(device: &config::Device) -> Result<Core, CoreError> {
    let core = &device.core;
    if device.system.is_some() {
        return Err(CoreError::NoSystem(core.name.clone()));
    }
    let order = order(&core.isa)?;
    if !of(order).timings.contains(&core.timing.as_str()) {
        return Err(of(order).unknown_timing(&core.timing));
    }
    let timing = Timing::new(&table(device, CLASSES, |_| None), order)
        .map_err(|unknown| CoreError::UnknownRule { class: unknown.class, rule: unknown.rule })?;
    let offered = core.offers(&device.parameters);
    let has = |extension: &&str| offered.iter().any(|name| name == extension);
    let implemented = std::array::from_fn(|opcode| {
        let row = &TABLE[opcode];
        let is_there = row.extensions.is_empty() || row.extensions.iter().any(has);
        is_there && timing.implements(row.class as u8)
    });
    let frontend = MicroBlaze { order, implemented, exceptions: exceptions(device) };
    Ok(Core {
        frontend: Arc::new(frontend),
        timing: Arc::new(timing),
        private: None,
        timer_line: Some(LINE),
        data_bits: 32,
        overlaps: false,
    })
}

fn order(isa: &str) -> Result<ByteOrder, CoreError> {
    let all = [&MICROBLAZE, &MICROBLAZE_LITTLE];
    let found = all.into_iter().find(|set| set.variants.contains(&isa));
    found.map(|set| set.elf.order).ok_or_else(|| MICROBLAZE.unknown_isa(isa))
}

fn exceptions(device: &config::Device) -> Exceptions {
    Exceptions {
        base: parameter(device, "C_BASE_VECTORS") as u32,
        unaligned: parameter(device, "C_UNALIGNED_EXCEPTIONS") != 0,
        illegal: parameter(device, "C_ILL_OPCODE_EXCEPTION") != 0,
    }
}
