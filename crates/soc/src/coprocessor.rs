//! The register face of the coprocessor port: an FSMD that the core reaches by loads and stores.

use std::collections::BTreeMap;
use std::sync::Arc;

use cocrypt_config as config;
use cocrypt_rtl::{Netlist, PortId, Simulator};

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
    }

    fn count(&mut self, role: config::Role) {
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

/// A coprocessor on the bus.
#[derive(Clone)]
pub struct Coprocessor {
    name: String,
    simulator: Simulator,
    ports: Ports,
    roles: BTreeMap<u32, config::Role>,
    transfers: BTreeMap<u64, Transfers>,
}

#[derive(Clone, Copy)]
struct Ports {
    address: PortId,
    wdata: PortId,
    write: PortId,
    read: PortId,
    rdata: PortId,
}

impl Coprocessor {
    /// Binds a design to the port.
    ///
    /// # Errors
    /// If the design lacks a port.
    pub fn new(map: &config::Coprocessor, design: Arc<Netlist>) -> Result<Self, AttachError> {
        let simulator = Simulator::new(design);
        let missing =
            |port, direction| AttachError { coprocessor: map.name.clone(), port, direction };
        let input = |port| simulator.input(port).ok_or(missing(port, "input"));
        let ports = Ports {
            address: input("address")?,
            wdata: input("wdata")?,
            write: input("write")?,
            read: input("read")?,
            rdata: simulator.output("rdata").ok_or(missing("rdata", "output"))?,
        };
        let name = map.name.clone();
        Ok(Self { name, simulator, ports, roles: roles(map), transfers: BTreeMap::new() })
    }

    /// The transfers so far, by the address of the instruction that made them.
    #[must_use]
    pub fn transfers(&self) -> &BTreeMap<u64, Transfers> {
        &self.transfers
    }

    /// What went wrong inside the design while it ran, if anything did.
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        let fault = self.simulator.fault()?;
        Some(format!("coprocessor `{}`, {fault}", self.name))
    }

    /// A load that is answered in `cycle`.
    pub fn read(&mut self, offset: u32, cycle: u64, pc: u64) -> u32 {
        self.present(offset, cycle, pc);
        self.simulator.set_input(self.ports.read, 1);
        let value = self.simulator.evaluate_output(self.ports.rdata);
        self.simulator.step();
        self.simulator.set_input(self.ports.read, 0);
        self.simulator.set_input(self.ports.address, 0);
        value as u32
    }

    /// A store that is answered in `cycle`.
    pub fn write(&mut self, offset: u32, value: u32, cycle: u64, pc: u64) {
        self.present(offset, cycle, pc);
        self.simulator.set_input(self.ports.wdata, u64::from(value));
        self.simulator.set_input(self.ports.write, 1);
        self.simulator.step();
        self.simulator.set_input(self.ports.write, 0);
        self.simulator.set_input(self.ports.wdata, 0);
        self.simulator.set_input(self.ports.address, 0);
    }

    /// Brings the design to `cycle` with its inputs at rest, then shows it the address.
    fn present(&mut self, offset: u32, cycle: u64, pc: u64) {
        let behind = cycle - self.simulator.cycle();
        self.simulator.run_idle(behind);
        self.simulator.set_input(self.ports.address, u64::from(offset));
        // An access to an offset without register is a transfer all the same; it counts as control.
        let role = self.roles.get(&(offset & !3)).copied().unwrap_or(config::Role::Control);
        self.transfers.entry(pc).or_default().count(role);
    }
}

fn roles(map: &config::Coprocessor) -> BTreeMap<u32, config::Role> {
    map.registers
        .iter()
        .flat_map(|register| {
            (0..register.words)
                .map(|word| (register.offset as u32 + 4 * word as u32, register.role))
        })
        .collect()
}
