//! Cores, made from what a device's file and its core's file say.

use std::sync::Arc;

use cocrypt_config as config;
use cocrypt_isa::{Core, CoreError, table};

use crate::class::{CLASSES, coarser};
use crate::timers::Timers;
use crate::{Mcs51, Timing};

/// Makes a device's core.
pub fn build(device: &config::Device) -> Result<Core, CoreError> {
    let core = &device.core;
    if device.system.is_some() {
        return Err(CoreError::NoSystem(core.name.clone()));
    }
    if !super::MCS_51.variants.contains(&core.isa.as_str()) {
        return Err(super::MCS_51.unknown_isa(&core.isa));
    }
    if !super::MCS_51.timings.contains(&core.timing.as_str()) {
        return Err(super::MCS_51.unknown_timing(&core.timing));
    }
    let timing = Timing::new(&table(device, CLASSES, coarser))
        .map_err(|unknown| CoreError::UnknownRule { class: unknown.class, rule: unknown.rule })?;
    Ok(Core {
        frontend: Arc::new(Mcs51::default()),
        timing: Arc::new(timing),
        private: Some(Box::new(Timers::default())),
        timer_line: None,
        data_bits: 8,
        links: None,
        overlaps: false,
    })
}
