//! Which front end and which timing model a core file asks for.

use std::collections::BTreeMap;
use std::sync::Arc;

use cocrypt_config as config;
use cocrypt_ir::Counter;
use cocrypt_isa::{Caches, ClassCost, Frontend, TimingModel};
use cocrypt_isa_riscv::table::{CLASSES, TABLE, coarser};
use cocrypt_isa_riscv::{
    Absent, CELLS, Csr, Exception, Ibex, Irq, PicoRv32, Place, Privileged, Rv32, Serv, Unaligned,
    UnknownRule, Variant, VexRiscv,
};

use crate::cached::Cached;

/// A core file asks for something that no front end offers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CoreError {
    /// No such instruction set.
    #[error("the core's instruction set `{0}` is not known; known is `rv32`")]
    UnknownIsa(String),
    /// No such timing model.
    #[error(
        "the core's timing model `{0}` is not known; known are `ibex`, `picorv32`, `serv`, `vexriscv`"
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
    let core = &device.core;
    if core.isa != "rv32" {
        return Err(CoreError::UnknownIsa(core.isa.clone()));
    }
    let mut timing = timing(device)?;
    if device.caches != config::Caches::default() {
        if timing.caches() != Caches::default() {
            return Err(CoreError::OwnCaches(core.name.clone()));
        }
        timing = Arc::new(Cached::new(timing, &device.caches));
    }
    let offered = core.offers(&device.parameters);
    let has = |extension: &&str| offered.iter().any(|one| one == extension);
    let implemented = std::array::from_fn(|opcode| {
        let row = &TABLE[opcode];
        let is_there = row.extensions.is_empty() || row.extensions.iter().any(has);
        is_there && timing.implements(row.class as u8)
    });
    let compressed = device.extensions.iter().any(|one| one == "c");
    let privileged =
        core.privileged(&device.parameters).map(|said| privileged(said, device)).transpose()?;
    let irq = core.irq(&device.parameters);
    let irq = irq.map(|(irq, registers)| Irq { handler: irq.handler, registers });
    if privileged.is_some() && irq.is_some() {
        return Err(CoreError::BothSchemes);
    }
    let frontend = Rv32 { compressed, implemented, privileged, irq };
    Ok((Arc::new(frontend), timing))
}

/// What a core file says of exceptions, interrupts and registers, as the front end takes it.
fn privileged(said: &config::Privileged, device: &config::Device) -> Result<Privileged, CoreError> {
    let exceptions =
        |names: &[String]| names.iter().filter_map(|name| Exception::named(name)).collect();
    let csrs = said.csrs.iter().map(|(name, csr)| Ok((csr.number, register(name, csr)?)));
    Ok(Privileged {
        exceptions: exceptions(&said.exceptions),
        values: exceptions(&said.values),
        unaligned: match said.unaligned.as_deref() {
            Some("split") => Unaligned::Split,
            _ => Unaligned::Refuse,
        },
        interrupt_value: said.interrupt_value,
        interrupts: said.interrupts.clone(),
        handler: said.handler,
        vectored: said.vectored,
        user: said.user,
        writes_always: said.writes_always,
        absent: match said.absent.as_deref() {
            Some("zero") => Absent::Zero,
            _ => Absent::Refuse,
        },
        late: said.late.as_ref().map_or(0, |name| parameter(device, name) as u32),
        enter_sets: said.enter_sets,
        return_sets: said.return_sets,
        return_clears: said.return_clears,
        csrs: csrs.collect::<Result<_, CoreError>>()?,
    })
}

fn register(name: &str, csr: &config::Csr) -> Result<Csr, CoreError> {
    let cell = CELLS.iter().find(|(known, _)| *known == name).map(|&(_, slot)| Place::Cell(slot));
    let counted = |name: &String| match name.as_str() {
        "cycles" => Place::Counter(Counter::Cycles, 0),
        "cycles_high" => Place::Counter(Counter::Cycles, 32),
        "instructions" => Place::Counter(Counter::Instructions, 0),
        _ => Place::Counter(Counter::Instructions, 32),
    };
    let constant = (csr.writes == 0).then_some(Place::Constant(csr.reset));
    let unmodelled = csr.unmodelled.then_some(Place::Unmodelled);
    let place = unmodelled.or(csr.counter.as_ref().map(counted)).or(cell).or(constant);
    let place = place.ok_or_else(|| CoreError::UnknownRegister(name.to_owned()))?;
    Ok(Csr { place, reset: csr.reset, reads: csr.reads, writes: csr.writes })
}

fn timing(device: &config::Device) -> Result<Arc<dyn TimingModel>, CoreError> {
    let table = table(device);
    match device.core.timing.as_str() {
        "picorv32" => Ok(Arc::new(PicoRv32::new(&table).map_err(unknown)?)),
        "serv" => Ok(Arc::new(Serv::new(&table).map_err(unknown)?)),
        "ibex" => {
            answers_fetches_at_once(device)?;
            let writes_back = parameter(device, "WritebackStage") != 0;
            if writes_back {
                answers_accesses_at_once(device)?;
            }
            Ok(Arc::new(Ibex::new(&table, writes_back).map_err(unknown)?))
        }
        "vexriscv" => {
            answers_alike(device)?;
            has_one_memory(device)?;
            let is_lite = parameter(device, "Lite") != 0;
            let variant = if is_lite { Variant::Lite } else { Variant::Full };
            Ok(Arc::new(VexRiscv::new(&table, variant).map_err(unknown)?))
        }
        other => Err(CoreError::UnknownTiming(other.to_owned())),
    }
}

fn parameter(device: &config::Device, name: &str) -> i64 {
    device.parameters.get(name).copied().unwrap_or(0)
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

/// The model of this core has no prefetch buffer that could run dry.
fn answers_fetches_at_once(device: &config::Device) -> Result<(), CoreError> {
    match device.memories.iter().find(|memory| memory.fetch_wait != 1) {
        Some(memory) => Err(CoreError::FetchWait {
            memory: memory.name.clone(),
            wait: memory.fetch_wait,
            core: device.core.name.clone(),
        }),
        None => Ok(()),
    }
}

/// With a write-back stage an access's wait overlaps what follows, which the model does not know.
fn answers_accesses_at_once(device: &config::Device) -> Result<(), CoreError> {
    let slow = device.memories.iter().find(|memory| memory.data_wait != 1);
    let slow = slow.map(|memory| (format!("memory `{}`", memory.name), memory.data_wait));
    let bus = (device.bus.wait != 1).then(|| ("the bus".to_owned(), device.bus.wait));
    match slow.or(bus) {
        Some((who, wait)) => {
            Err(CoreError::AccessWait { who, wait, core: device.core.name.clone() })
        }
        None => Ok(()),
    }
}

/// What a store waits for on the bus holds up a later access, wherever that comes; the model knows that
/// for one wait alone.
fn answers_alike(device: &config::Device) -> Result<(), CoreError> {
    let waits = device.memories.iter().map(|memory| memory.data_wait);
    let mut other = waits.chain([device.bus.burst_wait]).filter(|&wait| wait != device.bus.wait);
    match other.next() {
        Some(memory) => Err(CoreError::OtherWaits {
            memory,
            bus: device.bus.wait,
            core: device.core.name.clone(),
        }),
        None => Ok(()),
    }
}

/// What is above the middle of the address space goes past VexRiscv's data cache.
fn has_one_memory(device: &config::Device) -> Result<(), CoreError> {
    const UNCACHED: u64 = 0x8000_0000;
    let further = device.memories.iter().skip(1).map(|memory| format!("memory `{}`", memory.name));
    let low = device.peripherals.iter().filter(|one| one.base < UNCACHED);
    let low = low.map(|one| format!("the peripheral at {:#010x}", one.base));
    match further.chain(low).next() {
        Some(what) => Err(CoreError::Uncached { core: device.core.name.clone(), what }),
        None => Ok(()),
    }
}

fn unknown(unknown: UnknownRule) -> CoreError {
    CoreError::UnknownRule { class: unknown.class, rule: unknown.rule }
}

fn table(device: &config::Device) -> BTreeMap<String, ClassCost> {
    let resolved = device.core.resolve(&device.parameters);
    let cost = |name: &str| {
        let named = device.core.classes.contains_key(name);
        let class = resolved.get(if named { name } else { coarser(name).unwrap_or(name) })?;
        let config::ResolvedClass { ask, rule, per_step } = class.clone();
        Some((name.to_owned(), ClassCost { ask, rule, per_step }))
    };
    CLASSES.iter().filter_map(|name| cost(name)).collect()
}
