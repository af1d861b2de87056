//! Cores, made from what a device's file and its core's file say.

use std::sync::Arc;

use cocrypt_config as config;
use cocrypt_isa::{ByteOrder, Core, CoreError, Links, TimingModel as _, parameter, table};

use super::{MICROBLAZE, MICROBLAZE_LITTLE, of};
use crate::cells::msr;
use crate::class::{CLASSES, Class};
use crate::exceptions::Exceptions;
use crate::table::TABLE;
use crate::{MicroBlaze, Timing};

/// The interrupt line, of which the core has one.
const LINE: u32 = 0;

/// The number of links that instructions can name.
const MOST_LINKS: usize = 16;

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
    let links = links(device)?;
    let offered = core.offers(&device.parameters);
    let has = |extension: &&str| offered.iter().any(|name| name == extension);
    let implemented = std::array::from_fn(|opcode| {
        let row = &TABLE[opcode];
        let is_there = row.extensions.is_empty() || row.extensions.iter().any(has);
        let is_there = is_there && (row.class != Class::Stream || links.is_some());
        is_there && timing.implements(row.class as u8)
    });
    let frontend = MicroBlaze {
        order,
        implemented,
        exceptions: exceptions(device),
        links,
        extended_links: parameter(device, "C_USE_EXTENDED_FSL_INSTR") != 0,
        status: status(device)?,
    };
    fit(&device.caches)?;
    Ok(Core {
        frontend: Arc::new(frontend),
        timing: Arc::new(timing),
        private: None,
        timer_line: Some(LINE),
        data_bits: 32,
        links,
        overlaps: false,
    })
}

fn order(isa: &str) -> Result<ByteOrder, CoreError> {
    let all = [&MICROBLAZE, &MICROBLAZE_LITTLE];
    let found = all.into_iter().find(|set| set.variants.contains(&isa));
    found.map(|set| set.elf.order).ok_or_else(|| MICROBLAZE.unknown_isa(isa))
}

/// The status register after reset.
fn status(device: &config::Device) -> Result<u32, CoreError> {
    let bits = parameter(device, "C_RESET_MSR") as u32;
    if bits & !msr::RESET != 0 {
        let message = format!(
            "C_RESET_MSR is {bits:#x}; it may have the bits of {:#x}: IE, BIP, ICE, DCE, EE and EIP",
            msr::RESET
        );
        return Err(CoreError::Unsuited(message));
    }
    Ok(bits)
}

/// The caches are as UG984, chapter 2, describes them, and the device says what it takes to go past them.
fn fit(caches: &config::Caches) -> Result<(), CoreError> {
    if caches.unified.is_some() {
        let message =
            "a MicroBlaze has a cache for instructions and one for data, not [cache.unified]";
        return Err(CoreError::Unsuited(message.to_owned()));
    }
    let named = [("instruction", &caches.instruction), ("data", &caches.data)];
    for (name, cache) in named.into_iter().filter_map(|(name, cache)| Some((name, cache.as_ref()?)))
    {
        let is_right = if cache.ways != 1 {
            Err("caches are direct-mapped: `ways = 1`")
        } else if ![16, 32, 64].contains(&cache.line) {
            Err("a line has 4, 8 or 16 words: `line = 16`, 32 or 64")
        } else if cache.writes != "around" {
            Err("caches here are written through: `writes = \"around\"`")
        } else if cache.bypass.is_none() {
            Err(
                "programs switch caches off: `bypass` says how many cycles more an access then takes",
            )
        } else {
            Ok(())
        };
        is_right
            .map_err(|why| CoreError::Unsuited(format!("[cache.{name}] of a MicroBlaze: {why}")))?;
    }
    Ok(())
}

/// The core's links: each [[peripheral]] of that kind is one, in order.
fn links(device: &config::Device) -> Result<Option<Links>, CoreError> {
    let is_link =
        |peripheral: &&config::Peripheral| peripheral.kind == config::PeripheralKind::Link;
    let bases: Vec<u64> = device.peripherals.iter().filter(is_link).map(|link| link.base).collect();
    let Some(&base) = bases.first() else { return Ok(None) };
    if bases.len() > MOST_LINKS {
        return Err(CoreError::Unsuited(format!("a MicroBlaze has {MOST_LINKS} links at most")));
    }
    let expected = (base..).step_by(Links::STRIDE as usize);
    if let Some((number, (_, right))) =
        bases.iter().zip(expected).enumerate().find(|(_, (base, right))| *base != right)
    {
        let message = format!(
            "links lie one behind the other, {:#x} bytes each: link {number} begins at {right:#x}",
            Links::STRIDE
        );
        return Err(CoreError::Unsuited(message));
    }
    Ok(Some(Links { base: base as u32, count: bases.len() as u32 }))
}

fn exceptions(device: &config::Device) -> Exceptions {
    Exceptions {
        base: parameter(device, "C_BASE_VECTORS") as u32,
        unaligned: parameter(device, "C_UNALIGNED_EXCEPTIONS") != 0,
        illegal: parameter(device, "C_ILL_OPCODE_EXCEPTION") != 0,
    }
}
