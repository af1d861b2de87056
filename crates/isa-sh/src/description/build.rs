//! Cores, made from what a device's file and its core's file say.

use std::sync::Arc;

use cocrypt_config as config;
use cocrypt_isa::{ByteOrder, Core, CoreError, TimingModel as _, parameter, table};

use super::mapped::mapped;
use super::{SUPERH, SUPERH_LITTLE, of};
use crate::class::CLASSES;
use crate::generation::Generation;
use crate::table::TABLE;
use crate::{SuperH, Timing, WrongRule};

/// The interrupt line of the device's timer.
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
    let level = parameter(device, "INTERRUPT_LEVEL");
    if !(1..=15).contains(&level) {
        let message = format!("INTERRUPT_LEVEL is {level}; choose a level from 1 to 15");
        return Err(CoreError::Unsuited(message));
    }
    let conflicts = parameter(device, "FETCH_CONFLICTS") != 0;
    let offered = core.offers(&device.parameters);
    let has = |extension: &str| offered.iter().any(|name| name == extension);
    let generation = match (has("sh3"), has("sh4")) {
        (_, true) if has("dsp") => {
            let message =
                "the core has no DSP beside the instructions of SH-4; set DSP or SH4 to false";
            return Err(CoreError::Unsuited(message.to_owned()));
        }
        (_, true) => Generation::Sh4,
        (true, _) if has("dsp") => Generation::Sh3Dsp,
        (true, _) => Generation::Sh3,
        _ => Generation::Sh2,
    };
    let shields = generation == Generation::Sh2;
    let timing =
        Timing::new(&table(device, CLASSES, |_| None), order, conflicts, shields).map_err(wrong)?;
    let implemented = std::array::from_fn(|opcode| {
        let row = &TABLE[opcode];
        (row.extension.is_empty() || has(row.extension)) && timing.implements(row.class as u8)
    });
    let mapped = mapped(order, generation);
    let frontend = SuperH { order, implemented, level: level as u32, mapped, generation };
    Ok(Core {
        frontend: Arc::new(frontend),
        timing: Arc::new(timing),
        private: None,
        timer_line: Some(LINE),
        data_bits: 32,
        links: None,
        overlaps: false,
    })
}

fn order(isa: &str) -> Result<ByteOrder, CoreError> {
    let all = [&SUPERH, &SUPERH_LITTLE];
    let found = all.into_iter().find(|set| set.variants.contains(&isa));
    found.map(|set| set.elf.order).ok_or_else(|| SUPERH.unknown_isa(isa))
}

fn wrong(rule: WrongRule) -> CoreError {
    match rule {
        WrongRule::Unknown { class, rule } => CoreError::UnknownRule { class, rule },
        WrongRule::TooLong { class, rule, per_step, highest } => CoreError::Unsuited(format!(
            "class `{class}` of the core has `per_step = {per_step}`, and its rule `{rule}` counts at most {highest}; \
             choose a value from 0 to {highest}"
        )),
    }
}
