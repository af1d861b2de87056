//! Coprocessors, and the register face of their port: an FSMD that the core reaches by loads and stores.

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
    "the coprocessor `{coprocessor}` has no {direction} port `{port}`, which the {face} face needs"
)]
pub struct AttachError {
    /// The coprocessor.
    pub coprocessor: String,
    /// The port.
    pub port: &'static str,
    /// `input` or `output`.
    pub direction: &'static str,
    /// The face: `register` or `stream`.
    pub face: &'static str,
}

/// The ports of a design that is to have a face.
pub(crate) struct Ports<'a> {
    pub coprocessor: &'a str,
    pub face: &'static str,
    pub simulator: &'a Simulator,
}

impl Ports<'_> {
    pub fn input(&self, port: &'static str) -> Result<PortId, AttachError> {
        self.simulator.input(port).ok_or_else(|| self.missing(port, "input"))
    }

    pub fn output(&self, port: &'static str) -> Result<PortId, AttachError> {
        self.simulator.output(port).ok_or_else(|| self.missing(port, "output"))
    }

    fn missing(&self, port: &'static str, direction: &'static str) -> AttachError {
        let Self { coprocessor, face, .. } = *self;
        AttachError { coprocessor: coprocessor.to_owned(), port, direction, face }
    }
}

/// A design's simulator, with the bits that change if anybody asked for them.
#[derive(Clone)]
pub(crate) struct Clocked {
    pub simulator: Simulator,
    pub toggles: Option<u64>,
}

impl Clocked {
    pub const fn new(simulator: Simulator) -> Self {
        Self { simulator, toggles: None }
    }

    pub fn count_toggles(&mut self) {
        self.simulator.count_activity(Toggling::Both);
        self.toggles = Some(0);
    }

    /// One cycle; false if nothing changed.
    pub fn step(&mut self) -> bool {
        if let Some(toggles) = &mut self.toggles {
            *toggles += self.simulator.activity(Activity::Toggles).unwrap_or(0);
        }
        self.simulator.step()
    }

    /// So many cycles with the same inputs.
    pub fn run_idle(&mut self, cycles: u64) {
        if self.toggles.is_none() {
            self.simulator.run_idle(cycles);
            return;
        }
        for _ in 0..cycles {
            self.step();
        }
    }
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

/// Cycles of a coprocessor after which a core that waits at its link has waited long enough to say that it will
/// wait for good.
const PATIENCE: u64 = 1 << 26;

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

    /// Runs until an access at an offset is answered, but not beyond the hardware's cycle `end`; false if it never
    /// is, or not until then. A register answers at once.
    fn run_until_answer(&mut self, _offset: u32, _end: u64) -> bool {
        true
    }

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
    design: Clocked,
    ports: RegisterPorts,
}

#[derive(Clone, Copy)]
struct RegisterPorts {
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
        let find = Ports { coprocessor, face: "register", simulator: &simulator };
        let ports = RegisterPorts {
            address: find.input("address")?,
            wdata: find.input("wdata")?,
            write: find.input("write")?,
            read: find.input("read")?,
            rdata: find.output("rdata")?,
        };
        Ok(Self { design: Clocked::new(simulator), ports })
    }

    fn set(&mut self, access: Access, strobe: u64) {
        let kind = if access.write { self.ports.write } else { self.ports.read };
        let simulator = &mut self.design.simulator;
        simulator.set_input(self.ports.address, u64::from(access.address));
        simulator.set_input(self.ports.wdata, u64::from(access.wdata));
        simulator.set_input(kind, strobe);
    }
}

impl Hardware for Fsmd {
    fn cycle(&self) -> u64 {
        self.design.simulator.cycle()
    }

    fn run_idle(&mut self, cycles: u64) {
        self.design.run_idle(cycles);
    }

    fn access(&mut self, access: Access) -> u32 {
        self.set(access, 1);
        // Nobody hears what a design says to a store.
        let rdata = self.ports.rdata;
        let value = if access.write { 0 } else { self.design.simulator.evaluate_output(rdata) };
        self.design.step();
        self.set(Access { address: 0, wdata: 0, write: access.write }, 0);
        value as u32
    }

    fn fault(&self) -> Option<String> {
        self.design.simulator.fault().map(ToString::to_string)
    }

    fn duplicate(&self) -> Box<dyn Hardware> {
        Box::new(self.clone())
    }

    fn count_toggles(&mut self) {
        self.design.count_toggles();
    }

    fn toggles(&self) -> Option<u64> {
        self.design.toggles
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

    /// A look at one of the FIFOs of a link in a cycle, or in the first one in which it shows what the instruction
    /// waits for; the cycle and the value, or nothing if it never does. A look that finds nothing is a transfer.
    pub fn look(&mut self, offset: u32, cycle: u64, pc: u64) -> Option<(u64, u32)> {
        self.run_to(cycle);
        let config::Ratio { multiply, divide } = self.clock;
        if !self.hardware.run_until_answer(offset, self.hardware.cycle() + PATIENCE) {
            return None;
        }
        let cycle =
            (self.hardware.cycle() * u64::from(divide)).div_ceil(multiply.into()).max(cycle);
        let value = self.hardware.access(Access { address: offset, wdata: 0, write: false });
        if value == 0 {
            self.count(config::Role::Status, Answer { cycle, wait: 0, goes_on: false }, pc);
        }
        Some((cycle, value))
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
        self.run_to(answer.cycle);
        self.count(self.role(offset), answer, pc);
    }

    /// Brings the hardware to a cycle of the core.
    fn run_to(&mut self, cycle: u64) {
        // A device's bus leaves a cycle of the coprocessor, or more, between two transfers.
        let behind = self.own_cycle(cycle).saturating_sub(self.hardware.cycle());
        self.hardware.run_idle(behind);
    }

    /// A cycle of the core, counted in the hardware's own.
    fn own_cycle(&self, cycle: u64) -> u64 {
        let config::Ratio { multiply, divide } = self.clock;
        let own = u128::from(cycle) * u128::from(multiply) / u128::from(divide);
        own.min(u64::MAX.into()) as u64
    }

    fn count(&mut self, role: config::Role, answer: Answer, pc: u64) {
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
    if map.face == config::Face::Stream {
        return LINK_ROLES.to_vec();
    }
    let mut roles = vec![];
    for register in &map.registers {
        let (first, words) = (register.offset as usize / 4, register.words as usize);
        roles.resize(roles.len().max(first + words), config::Role::Control);
        roles[first..first + words].fill(register.role);
    }
    roles
}

/// The role of each word of a link: those behind the four by which words are taken send some or look.
const LINK_ROLES: [config::Role; 8] = {
    use config::Role::{Input, Output, Status};
    [Output, Status, Status, Status, Status, Status, Input, Input]
};
