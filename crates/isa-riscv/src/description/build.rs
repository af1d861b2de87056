//! Cores, made from what a device's file and its core's file say.

use std::sync::Arc;

use cocrypt_config as config;
use cocrypt_ir::Counter;
use cocrypt_isa::{Core, CoreError, TimingModel, parameter, table};

use crate::table::{CLASSES, TABLE, coarser};
use crate::{
    Absent, CELLS, Csr, CsrStorage, Exception, Ibex, Irq, PicoRv32, Privileged, Rv32, Serv,
    Unaligned, UnknownRule, Variant, VexRiscv,
};

/// The interrupt line of timers (privileged manual, section 3.1.9).
const TIMER: u32 = 7;

/// Makes a device's core.
pub fn build(device: &config::Device) -> Result<Core, CoreError> {
    if device.system.is_some() {
        return Err(CoreError::NoSystem(device.core.name.clone()));
    }
    let timing = timing(device)?;
    let frontend = Arc::new(frontend(device, &*timing)?);
    let overlaps = device.core.timing == "vexriscv" || writes_back(device);
    Ok(Core {
        frontend,
        timing,
        private: None,
        timer_line: Some(TIMER),
        data_bits: 32,
        links: None,
        overlaps,
    })
}

fn frontend(device: &config::Device, timing: &dyn TimingModel) -> Result<Rv32, CoreError> {
    let core = &device.core;
    let offered = core.offers(&device.parameters);
    let has = |extension: &&str| offered.iter().any(|name| name == extension);
    let implemented = std::array::from_fn(|opcode| {
        let row = &TABLE[opcode];
        let is_there = row.extensions.is_empty() || row.extensions.iter().any(has);
        is_there && timing.implements(row.class as u8)
    });
    let compressed = device.extensions.iter().any(|name| name == "c");
    let privileged = core
        .privileged(&device.parameters)
        .map(|described| privileged(described, device))
        .transpose()?;
    let irq = core.irq(&device.parameters);
    let irq = irq.map(|(irq, registers)| Irq { handler: irq.handler, registers });
    if privileged.is_some() && irq.is_some() {
        return Err(CoreError::BothSchemes);
    }
    Ok(Rv32 { compressed, implemented, privileged, irq })
}

/// Returns true if a core has a write-back stage, behind which an access goes on waiting.
fn writes_back(device: &config::Device) -> bool {
    parameter(device, "WritebackStage") != 0
}

/// A core file's entries about exceptions, interrupts and registers, as the front end takes them.
fn privileged(
    described: &config::Privileged,
    device: &config::Device,
) -> Result<Privileged, CoreError> {
    let exceptions =
        |names: &[String]| names.iter().filter_map(|name| Exception::named(name)).collect();
    let csrs = described.csrs.iter().map(|(name, csr)| Ok((csr.number, register(name, csr)?)));
    Ok(Privileged {
        exceptions: exceptions(&described.exceptions),
        values: exceptions(&described.values),
        unaligned: match described.unaligned.as_deref() {
            Some("split") => Unaligned::Split,
            _ => Unaligned::Refuse,
        },
        interrupt_value: described.interrupt_value,
        interrupts: described.interrupts.clone(),
        handler: described.handler,
        vectored: described.vectored,
        user: described.user,
        writes_always: described.writes_always,
        absent: match described.absent.as_deref() {
            Some("zero") => Absent::Zero,
            _ => Absent::Refuse,
        },
        late: described.late.as_ref().map_or(0, |name| parameter(device, name) as u32),
        enter_sets: described.enter_sets,
        return_sets: described.return_sets,
        return_clears: described.return_clears,
        csrs: csrs.collect::<Result<_, CoreError>>()?,
    })
}

fn register(name: &str, csr: &config::Csr) -> Result<Csr, CoreError> {
    let cell =
        CELLS.iter().find(|(known, _)| *known == name).map(|&(_, slot)| CsrStorage::Cell(slot));
    let counted = |name: &String| match name.as_str() {
        "cycles" => CsrStorage::Counter(Counter::Cycles, 0),
        "cycles_high" => CsrStorage::Counter(Counter::Cycles, 32),
        "instructions" => CsrStorage::Counter(Counter::Instructions, 0),
        _ => CsrStorage::Counter(Counter::Instructions, 32),
    };
    let constant = (csr.writes == 0).then_some(CsrStorage::Constant(csr.reset));
    let unmodelled = csr.unmodelled.then_some(CsrStorage::Unmodelled);
    let storage = unmodelled.or(csr.counter.as_ref().map(counted)).or(cell).or(constant);
    let storage = storage.ok_or_else(|| {
        CoreError::Unsuited(format!(
            "the core's register `{name}` can be written, but it is not one that the front end knows what \
             it does; take its `writes` out, or say `unmodelled = true`"
        ))
    })?;
    Ok(Csr { storage, reset: csr.reset, reads: csr.reads, writes: csr.writes })
}

fn timing(device: &config::Device) -> Result<Arc<dyn TimingModel>, CoreError> {
    let table = table(device, CLASSES, coarser);
    match device.core.timing.as_str() {
        "picorv32" => Ok(Arc::new(PicoRv32::new(&table).map_err(unknown)?)),
        "serv" => Ok(Arc::new(Serv::new(&table).map_err(unknown)?)),
        "ibex" => {
            answers_fetches_at_once(device)?;
            if writes_back(device) {
                answers_accesses_at_once(device)?;
            }
            Ok(Arc::new(Ibex::new(&table, writes_back(device)).map_err(unknown)?))
        }
        "vexriscv" => {
            answers_alike(device)?;
            has_one_memory(device)?;
            let is_lite = parameter(device, "Lite") != 0;
            let variant = if is_lite { Variant::Lite } else { Variant::Full };
            Ok(Arc::new(VexRiscv::new(&table, variant).map_err(unknown)?))
        }
        other => Err(super::RISC_V.unknown_timing(other)),
    }
}

/// The model of this core has no prefetch buffer that could run dry.
fn answers_fetches_at_once(device: &config::Device) -> Result<(), CoreError> {
    let slow = device.memories.iter().find(|memory| memory.fetch_wait != 1);
    suited(slow.map(|memory| {
        format!(
            "memory `{}` answers fetches after {} cycles, but the timing of `{}` is known for 1 alone",
            memory.name, memory.fetch_wait, device.core.name
        )
    }))
}

/// With a write-back stage an access's wait overlaps what follows, which the model does not know.
fn answers_accesses_at_once(device: &config::Device) -> Result<(), CoreError> {
    let slow = device.memories.iter().find(|memory| memory.data_wait != 1);
    let slow = slow.map(|memory| (format!("memory `{}`", memory.name), memory.data_wait));
    let bus = (device.bus.wait != 1).then(|| ("the bus".to_owned(), device.bus.wait));
    suited(slow.or(bus).map(|(who, wait)| {
        format!(
            "{who} answers loads and stores after {wait} cycles, but the timing of `{}` with a write-back \
             stage is known for 1 alone",
            device.core.name
        )
    }))
}

/// The wait of a store on the bus holds up a later access, wherever that comes; the model knows that for
/// one wait alone.
fn answers_alike(device: &config::Device) -> Result<(), CoreError> {
    let bus = device.bus.wait;
    let waits = device.memories.iter().map(|memory| memory.data_wait);
    let differing = waits.chain([device.bus.burst_wait]).find(|&wait| wait != bus);
    suited(differing.map(|memory| {
        format!(
            "memory answers loads and stores after {memory} cycles and the bus after {bus}, but the timing \
             of `{}` is known for equal waits alone",
            device.core.name
        )
    }))
}

/// Addresses above the middle of the address space are not cached by VexRiscv.
fn has_one_memory(device: &config::Device) -> Result<(), CoreError> {
    const UNCACHED: u64 = 0x8000_0000;
    let further = device.memories.iter().skip(1).map(|memory| format!("memory `{}`", memory.name));
    let low = device.peripherals.iter().filter(|peripheral| peripheral.base < UNCACHED);
    let low = low.map(|peripheral| format!("the peripheral at {:#010x}", peripheral.base));
    suited(further.chain(low).next().map(|what| {
        format!(
            "the timing of `{}` is known for one memory and peripherals from {UNCACHED:#x} on, where it does \
             not cache; {what} is something else",
            device.core.name
        )
    }))
}

fn suited(why_not: Option<String>) -> Result<(), CoreError> {
    why_not.map_or(Ok(()), |why| Err(CoreError::Unsuited(why)))
}

fn unknown(unknown: UnknownRule) -> CoreError {
    CoreError::UnknownRule { class: unknown.class, rule: unknown.rule }
}
