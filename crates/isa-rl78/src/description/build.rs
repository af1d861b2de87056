//! Cores, made from what a device's file and its core's file say.

use std::sync::Arc;

use cocrypt_config as config;
use cocrypt_isa::{Core, CoreError, TimingModel as _, table};

use crate::class::{CLASSES, coarser};
use crate::features::Variant;
use crate::{Rl78, Timing};

/// The interrupt of a device's timer, by the distance of its vector behind that of the first one: INTTM00, whose
/// vector is at 2CH.
const TIMER: u32 = 20;

/// Makes a device's core.
pub fn build(device: &config::Device) -> Result<Core, CoreError> {
    let core = &device.core;
    if device.system.is_some() {
        return Err(CoreError::NoSystem(core.name.clone()));
    }
    let variant = Variant::named(&core.isa).ok_or_else(|| super::RL78.unknown_isa(&core.isa))?;
    if !super::RL78.timings.contains(&core.timing.as_str()) {
        return Err(super::RL78.unknown_timing(&core.timing));
    }
    let timing = Timing::new(variant, &table(device, CLASSES, coarser))
        .map_err(|unknown| CoreError::UnknownRule { class: unknown.class, rule: unknown.rule })?;
    let implemented = std::array::from_fn(|class| timing.implements(class as u8));
    Ok(Core {
        frontend: Arc::new(Rl78::new(variant, implemented)),
        timing: Arc::new(timing),
        private: None,
        timer_line: Some(TIMER),
        data_bits: if variant == Variant::S1 { 8 } else { 16 },
        links: None,
        overlaps: false,
    })
}
