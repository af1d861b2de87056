//! A device's core, from the one list of instruction sets, behind the device's caches.

use std::sync::Arc;

use cocrypt_config as config;
use cocrypt_isa::{Caches, Core, CoreError, InstructionSet, TimingModel};

use crate::cached::Cached;

/// Makes a device's core.
pub fn build(device: &config::Device) -> Result<(&'static InstructionSet, Core), CoreError> {
    let instructions = cocrypt_isa_all::of(&device.core)?;
    let core = (instructions.build)(device)?;
    copies_alone(device, &core)?;
    let core = Core { timing: behind_caches(device, core.timing)?, ..core };
    is_complete(device, &core)?;
    Ok((instructions, core))
}

/// True if every class that may come up has a cost.
fn is_complete(device: &config::Device, core: &Core) -> Result<(), CoreError> {
    let Core { frontend, timing, .. } = core;
    let missing = frontend.required().into_iter().find(|&class| !timing.implements(class));
    missing.map_or(Ok(()), |class| {
        let class = frontend.classes()[usize::from(class)];
        Err(CoreError::MissingClass { core: device.core.name.clone(), class })
    })
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
    if device.caches.unified.as_ref().is_some_and(|cache| cache.size == cache.line * cache.ways) {
        let message = "[cache.unified] has one set alone, which is not modelled; choose fewer ways";
        return Err(CoreError::Unsuited(message.to_owned()));
    }
    Ok(Arc::new(Cached::new(timing, &device.caches)))
}

/// A DMA controller copies while the core waits for it, and nothing else may go on meanwhile.
fn copies_alone(device: &config::Device, core: &Core) -> Result<(), CoreError> {
    let has_dma =
        device.peripherals.iter().any(|peripheral| peripheral.kind == config::PeripheralKind::Dma);
    let cached = device.caches != config::Caches::default();
    if has_dma && (cached || core.overlaps) {
        return Err(CoreError::Dma { core: device.core.name.clone() });
    }
    Ok(())
}
