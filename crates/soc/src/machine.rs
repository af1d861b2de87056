//! A machine: built from a device, loaded with a program, run.

use std::sync::Arc;

use cocrypt_config as config;
use cocrypt_engine::{Engine, Launch, Ram, Stop};
use cocrypt_jit::{Jit, Options};
use cocrypt_rtl::Netlist;

use crate::bus::{SystemBus, Target};
use crate::coprocessor::{AttachError, Coprocessor, Transfers};
use crate::core::{self, CoreError};

/// Why a machine could not be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// The core is not one that we have.
    #[error(transparent)]
    Core(#[from] CoreError),
    /// A coprocessor does not fit its port.
    #[error(transparent)]
    Attach(#[from] AttachError),
    /// There is nowhere to put a coprocessor.
    #[error("the device `{device}` has no free coprocessor window for `{coprocessor}`")]
    NoWindow {
        /// The device.
        device: String,
        /// The coprocessor.
        coprocessor: String,
    },
    /// The device has no memory.
    #[error("the device `{0}` has no memory")]
    NoMemory(String),
}

/// A program does not fit the device's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no memory of the device holds the {size} bytes at {address:#010x}")]
pub struct LoadError {
    /// Where the bytes should go.
    pub address: u32,
    /// How many there are.
    pub size: usize,
}

/// What was spent between two region starts (functions, as a rule).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RegionProfile {
    /// Address of the region.
    pub start: u64,
    /// How often its first instruction was reached as the start of a block.
    pub entries: u64,
    /// Cycles spent in it, waiting included, callees left out.
    pub cycles: u64,
    /// Transfers to coprocessors that its instructions made.
    pub transfers: Transfers,
}

/// A core with everything around it.
pub struct Machine {
    engine: Engine,
    ram: Ram,
    bus: SystemBus,
    regions: Arc<[u64]>,
}

impl Machine {
    /// Builds a machine that comes out of reset at `entry`. `regions` are the addresses at which
    /// functions start, in ascending order.
    ///
    /// # Errors
    /// If the core is unknown or a coprocessor does not fit.
    pub fn new(
        device: &config::Device,
        regions: Arc<[u64]>,
        entry: u64,
        coprocessors: Vec<(config::Coprocessor, Arc<Netlist>)>,
    ) -> Result<Self, BuildError> {
        let (frontend, timing) = core::build(device)?;
        let mut memories = device.memories.iter();
        let ram = memory(memories.next().ok_or_else(|| BuildError::NoMemory(device.name.clone()))?);
        let mut bus = SystemBus::new(device.bus.wait);
        for description in memories {
            bus.add_memory(description.kind, memory(description));
        }
        let mut attach = coprocessors.into_iter();
        for peripheral in &device.peripherals {
            let target = match peripheral.kind {
                config::PeripheralKind::Console => Target::Console,
                config::PeripheralKind::Counter => Target::Counter,
                config::PeripheralKind::Exit => Target::Exit,
                config::PeripheralKind::Coprocessor => {
                    let Some((map, design)) = attach.next() else { continue };
                    bus.coprocessors.push(Coprocessor::new(&map, design)?);
                    Target::Coprocessor(bus.coprocessors.len() - 1)
                }
            };
            bus.map(peripheral.base as u32, peripheral.size as u32, target);
        }
        if let Some((map, _)) = attach.next() {
            let device = device.name.clone();
            return Err(BuildError::NoWindow { device, coprocessor: map.name });
        }
        let engine = Engine::new(frontend, timing, Arc::clone(&regions), entry);
        Ok(Self { engine, ram, bus, regions })
    }

    /// Compiles hot code for this host from now on, instead of interpreting it; says whether this
    /// host can. Nothing but speed depends on it, and the profile if `options` does not ask for it.
    pub fn compile(&mut self, options: Options, hot: u32) -> bool {
        let fixed = self.engine.fixed(&self.ram, self.bus.longest_wait());
        let Ok(jit) = Jit::new(fixed, options) else { return false };
        self.engine.set_backend(Box::new(jit), hot);
        true
    }

    /// Puts bytes into memory, as a loader does before reset is released.
    ///
    /// # Errors
    /// If no memory holds all of them.
    pub fn load(&mut self, address: u32, bytes: &[u8]) -> Result<(), LoadError> {
        let size = bytes.len();
        let place = match self.ram.get_mut(address, size) {
            Some(place) => place,
            None => self.bus.memory_mut(address, size).ok_or(LoadError { address, size })?,
        };
        place.copy_from_slice(bytes);
        Ok(())
    }

    /// The bytes at an address, if a memory holds all of them.
    #[must_use]
    pub fn read(&self, address: u32, size: usize) -> Option<&[u8]> {
        self.ram.get(address, size).or_else(|| self.bus.memory(address, size))
    }

    /// Runs until the machine stops, or a block starts in cycle `limit` or later; after the latter,
    /// another call goes on.
    pub fn run(&mut self, limit: u64) -> Stop {
        self.engine.run(&mut self.ram, &mut self.bus, limit)
    }

    /// Records every launched instruction from now on, at the price of speed.
    pub fn trace_launches(&mut self) {
        self.engine.trace_launches();
    }

    /// The launches recorded so far.
    #[must_use]
    pub fn launches(&self) -> &[Launch] {
        self.engine.launches()
    }

    /// The core's registers.
    #[must_use]
    pub fn registers(&self) -> &[u64] {
        self.engine.cells()
    }

    /// The lowest value that the stack pointer took, if it ever moved.
    #[must_use]
    pub fn lowest_stack(&self) -> Option<u32> {
        self.engine.lowest_stack()
    }

    /// What the program wrote to the console.
    #[must_use]
    pub fn console(&self) -> &[u8] {
        self.bus.console.written()
    }

    /// Cycles that each transfer to a peripheral waits.
    #[must_use]
    pub fn bus_wait(&self) -> u32 {
        self.bus.wait()
    }

    /// All transfers of each coprocessor, in the order in which they were attached.
    #[must_use]
    pub fn transfers(&self) -> Vec<Transfers> {
        let sum = |coprocessor: &Coprocessor| {
            let mut sum = Transfers::default();
            coprocessor.transfers().values().for_each(|transfers| sum.add(transfers));
            sum
        };
        self.bus.coprocessors.iter().map(sum).collect()
    }

    /// What went wrong inside coprocessors while they ran: a table read past its end, say.
    #[must_use]
    pub fn faults(&self) -> Vec<String> {
        self.bus.coprocessors.iter().filter_map(Coprocessor::fault).collect()
    }

    /// What was spent in each region, regions without any left out.
    #[must_use]
    pub fn profile(&self) -> Vec<RegionProfile> {
        let mut profile: Vec<RegionProfile> = self
            .regions
            .iter()
            .map(|&start| RegionProfile { start, ..RegionProfile::default() })
            .collect();
        for block in self.engine.profile() {
            if let Some(region) = region(&mut profile, block.start) {
                region.cycles += block.cycles;
                if region.start == block.start {
                    region.entries += block.executions;
                }
            }
        }
        for coprocessor in &self.bus.coprocessors {
            for (&pc, transfers) in coprocessor.transfers() {
                if let Some(region) = region(&mut profile, pc) {
                    region.transfers.add(transfers);
                }
            }
        }
        profile.retain(|region| region.cycles != 0);
        profile
    }
}

/// The region that an address belongs to.
fn region(profile: &mut [RegionProfile], address: u64) -> Option<&mut RegionProfile> {
    let behind = profile.partition_point(|region| region.start <= address);
    profile[..behind].last_mut()
}

fn memory(description: &config::Memory) -> Ram {
    Ram::new(
        description.base as u32,
        description.size as u32,
        description.fetch_wait,
        description.data_wait,
    )
}
