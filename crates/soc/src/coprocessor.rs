//! The register face of the coprocessor port: an FSMD that the core reaches by loads and stores.

use std::collections::BTreeMap;
use std::sync::Arc;

use cocrypt_config as config;
use cocrypt_rtl::{Activity, Netlist, PortId, Simulator, Toggling};

/// Number of transfers by the role of the register that they went to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Transfers {
    /// To control registers.
    pub control: u64,
    /// To status registers, every poll counted.
    pub status: u64,
    /// To input registers.
    pub input: u64,
    /// To output registers.
    pub output: u64,
    /// Those among them that went on where the one before them ended.
    pub following: u64,
    /// Cycles that all of them waited on the bus.
    pub waited: u64,
}

impl Transfers {
    /// All transfers.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.control + self.status + self.input + self.output
    }

    /// Adds another count to this one.
    pub fn add(&mut self, other: &Self) {
        self.control += other.control;
        self.status += other.status;
        self.input += other.input;
        self.output += other.output;
        self.following += other.following;
        self.waited += other.waited;
    }

    fn count(&mut self, role: config::Role, answer: Answer) {
        self.following += u64::from(answer.goes_on);
        self.waited += u64::from(answer.wait);
        match role {
            config::Role::Control => self.control += 1,
            config::Role::Status => self.status += 1,
            config::Role::Input => self.input += 1,
            config::Role::Output => self.output += 1,
        }
    }
}

/// A design does not have the ports of the register face.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the coprocessor `{coprocessor}` has no {direction} port `{port}`, which the register face needs"
)]
pub struct AttachError {
    /// The coprocessor.
    pub coprocessor: String,
    /// The port.
    pub port: &'static str,
    /// `input` or `output`.
    pub direction: &'static str,
}

/// A load or a store at the register face; a load has no `wdata`.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// Bytes from the start of the window.
    pub address: u32,
    /// The value that a store writes.
    pub wdata: u32,
    /// True if it is a store.
    pub write: bool,
}

/// The poll loop of a program that waits for a coprocessor: by asking it again and again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Polling {
    /// The number of times that it asked for the first time, after other transfers.
    pub firsts: u64,
    /// Cycles from the answers of those to the first answers.
    pub first_cycles: u64,
    /// The number of times that it asked again.
    pub again: u64,
    /// Cycles from answer to answer of these.
    pub again_cycles: u64,
}

/// The cycle in which a transfer is answered.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    /// The core's cycle.
    pub cycle: u64,
    /// Cycles from its request.
    pub wait: u32,
    /// True if it goes on where the transfer before it ended, in the same direction.
    pub goes_on: bool,
}

/// The hardware behind the register face. Its inputs are at rest, all 0, but in the cycle of an access.
pub trait Hardware: Send + Sync {
    /// Cycles that it has run since its reset.
    fn cycle(&self) -> u64;

    /// Runs so many cycles with the inputs at rest.
    fn run_idle(&mut self, cycles: u64);

    /// Runs one cycle with an access; of a load, the value of `rdata` before the clock's edge.
    fn access(&mut self, access: Access) -> u32;

    /// The failure inside, if there is one.
    fn fault(&self) -> Option<String>;

    /// The same hardware in the same state.
    fn duplicate(&self) -> Box<dyn Hardware>;

    /// Counts from now on how many bits change, at the price of speed, where that can be counted.
    fn count_toggles(&mut self) {}

    /// The number of toggled bits of registers and operators since they are counted.
    fn toggles(&self) -> Option<u64> {
        None
    }
}

/// A design in FDL behind the register face.
#[derive(Clone)]
pub struct Fsmd {
    simulator: Simulator,
    ports: Ports,
    toggles: Option<u64>,
}

#[derive(Clone, Copy)]
struct Ports {
    address: PortId,
    wdata: PortId,
    write: PortId,
    read: PortId,
    rdata: PortId,
}

impl Fsmd {
    /// Finds the register face of a design; `coprocessor` is what to call it in messages.
    ///
    /// # Errors
    /// If the design lacks a port.
    pub fn new(coprocessor: &str, design: Arc<Netlist>) -> Result<Self, AttachError> {
        let simulator = Simulator::new(design);
        let missing =
            |port, direction| AttachError { coprocessor: coprocessor.to_owned(), port, direction };
        let input = |port| simulator.input(port).ok_or(missing(port, "input"));
        let ports = Ports {
            address: input("address")?,
            wdata: input("wdata")?,
            write: input("write")?,
            read: input("read")?,
            rdata: simulator.output("rdata").ok_or(missing("rdata", "output"))?,
        };
        Ok(Self { simulator, ports, toggles: None })
    }

    fn set(&mut self, access: Access, strobe: u64) {
        let kind = if access.write { self.ports.write } else { self.ports.read };
        self.simulator.set_input(self.ports.address, u64::from(access.address));
        self.simulator.set_input(self.ports.wdata, u64::from(access.wdata));
        self.simulator.set_input(kind, strobe);
    }
}

impl Fsmd {
    /// Counts the bits of the present cycle, if anybody asked for them.
    fn count(&mut self) {
        if let Some(toggles) = &mut self.toggles {
            *toggles += self.simulator.activity(Activity::Toggles).unwrap_or(0);
        }
    }
}

impl Hardware for Fsmd {
    fn cycle(&self) -> u64 {
        self.simulator.cycle()
    }

    fn run_idle(&mut self, cycles: u64) {
        if self.toggles.is_none() {
            self.simulator.run_idle(cycles);
            return;
        }
        for _ in 0..cycles {
            self.count();
            self.simulator.step();
        }
    }

    fn access(&mut self, access: Access) -> u32 {
        self.set(access, 1);
        // Nobody hears what a design says to a store.
        let value = if access.write { 0 } else { self.simulator.evaluate_output(self.ports.rdata) };
        self.count();
        self.simulator.step();
        self.set(Access { address: 0, wdata: 0, write: access.write }, 0);
        value as u32
    }

    fn fault(&self) -> Option<String> {
        self.simulator.fault().map(ToString::to_string)
    }

    fn duplicate(&self) -> Box<dyn Hardware> {
        Box::new(self.clone())
    }

    fn count_toggles(&mut self) {
        self.simulator.count_activity(Toggling::Both);
        self.toggles = Some(0);
    }

    fn toggles(&self) -> Option<u64> {
        self.toggles
    }
}

/// A coprocessor on the bus.
pub struct Coprocessor {
    name: String,
    hardware: Box<dyn Hardware>,
    clock: config::Ratio,
    /// The role of each word of the window, as far as there are registers.
    roles: Vec<config::Role>,
    has_status: bool,
    /// By the address of the instruction, and the one among them that came last.
    transfers: Vec<(u64, Transfers)>,
    latest: usize,
    polling: Polling,
    /// True if the last transfer asked for the state, and the cycle of its answer.
    last: (bool, u64),
}

impl Clone for Coprocessor {
    fn clone(&self) -> Self {
        Self {
            name: self.name.clone(),
            hardware: self.hardware.duplicate(),
            clock: self.clock,
            roles: self.roles.clone(),
            has_status: self.has_status,
            transfers: self.transfers.clone(),
            latest: self.latest,
            polling: self.polling,
            last: self.last,
        }
    }
}

impl Coprocessor {
    /// Puts hardware behind the registers of a map; `clock` is its clock against the core's.
    #[must_use]
    pub fn new(
        map: &config::Coprocessor,
        hardware: Box<dyn Hardware>,
        clock: config::Ratio,
    ) -> Self {
        let name = map.name.clone();
        Self {
            name,
            hardware,
            clock,
            roles: roles(map),
            has_status: map.registers.iter().any(|register| register.role == config::Role::Status),
            transfers: Vec::new(),
            latest: 0,
            polling: Polling::default(),
            last: (false, 0),
        }
    }

    /// The transfers so far, by the address of the instruction that made them.
    #[must_use]
    pub fn transfers(&self) -> BTreeMap<u64, Transfers> {
        self.transfers.iter().copied().collect()
    }

    /// The count of the instruction at an address. A driver's instructions follow one another again and
    /// again, so that the next one is looked for behind the last one.
    fn counted(&mut self, pc: u64) -> &mut Transfers {
        let from = self.latest.min(self.transfers.len());
        let (before, behind) = self.transfers.split_at(from);
        let found = behind.iter().position(|event| event.0 == pc).map(|at| from + at);
        let found = found.or_else(|| before.iter().position(|event| event.0 == pc));
        self.latest = found.unwrap_or_else(|| {
            self.transfers.push((pc, Transfers::default()));
            self.transfers.len() - 1
        });
        &mut self.transfers[self.latest].1
    }

    /// The polling of it so far.
    #[must_use]
    pub fn polling(&self) -> Polling {
        self.polling
    }

    /// Counts from now on how many of its bits change, where that can be counted.
    pub fn count_toggles(&mut self) {
        self.hardware.count_toggles();
    }

    /// The number of its toggled bits since they are counted.
    #[must_use]
    pub fn toggles(&self) -> Option<u64> {
        self.hardware.toggles()
    }

    /// The failure inside the design while it ran, if there is one.
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        let fault = self.hardware.fault()?;
        Some(format!("coprocessor `{}`, {fault}", self.name))
    }

    /// A load.
    pub fn read(&mut self, offset: u32, answer: Answer, pc: u64) -> u32 {
        self.catch_up(offset, answer, pc);
        self.hardware.access(Access { address: offset, wdata: 0, write: false })
    }

    /// A store.
    pub fn write(&mut self, offset: u32, value: u32, answer: Answer, pc: u64) {
        self.catch_up(offset, answer, pc);
        self.hardware.access(Access { address: offset, wdata: value, write: true });
    }

    /// The kind that a transfer counts as. One to an offset without register is a transfer all the same,
    /// and counts as control.
    #[must_use]
    pub fn role(&self, offset: u32) -> config::Role {
        self.roles.get(offset as usize / 4).copied().unwrap_or(config::Role::Control)
    }

    /// Returns true if there is a register that says how far it is.
    #[must_use]
    pub fn has_status(&self) -> bool {
        self.has_status
    }

    /// Brings the hardware to the cycle of the answer with its inputs at rest, and counts the transfer.
    fn catch_up(&mut self, offset: u32, answer: Answer, pc: u64) {
        let config::Ratio { multiply, divide } = self.clock;
        // A device's bus leaves a cycle of the coprocessor, or more, between two transfers.
        let own = answer.cycle * u64::from(multiply) / u64::from(divide);
        let behind = own.saturating_sub(self.hardware.cycle());
        self.hardware.run_idle(behind);
        let role = self.role(offset);
        self.counted(pc).count(role, answer);
        self.note(role == config::Role::Status, answer.cycle);
    }

    /// Counts how it is waited for.
    fn note(&mut self, asks: bool, cycle: u64) {
        let (asked, before) = std::mem::replace(&mut self.last, (asks, cycle));
        match (asks, asked) {
            (true, true) => {
                self.polling.again += 1;
                self.polling.again_cycles += cycle - before;
            }
            (true, false) => {
                self.polling.firsts += 1;
                self.polling.first_cycles += cycle - before;
            }
            (false, _) => {}
        }
    }
}

fn roles(map: &config::Coprocessor) -> Vec<config::Role> {
    let mut roles = vec![];
    for register in &map.registers {
        let (first, words) = (register.offset as usize / 4, register.words as usize);
        roles.resize(roles.len().max(first + words), config::Role::Control);
        roles[first..first + words].fill(register.role);
    }
    roles
}
