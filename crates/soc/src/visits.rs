//! Visits: when a program executes instructions at given addresses, and with what in its registers.

use std::collections::BTreeSet;

use cocrypt_engine::StopCause;

use crate::machine::Machine;

/// The record of a run.
#[derive(Clone, Debug)]
pub struct Visits {
    /// The addresses.
    pub addresses: Vec<u64>,
    /// The numbers of the registers that are recorded.
    pub registers: Vec<usize>,
    /// The number of visits after which nothing more is recorded.
    pub count: usize,
}

/// A cycle, the address of the instruction that is issued then, and the registers before it.
pub type Visit = (u64, u64, Vec<u64>);

impl Visits {
    /// Runs up to a cycle, and appends the visits. Returns whether more may come.
    pub fn run(&self, machine: &mut Machine, limit: u64, found: &mut Vec<Visit>) -> bool {
        let addresses: BTreeSet<u64> = self.addresses.iter().copied().collect();
        machine.cut(false, &self.addresses);
        let mut last = None;
        let stop = machine.debug(limit, &mut |upcoming| {
            // An instruction whose line is missed comes twice, and is issued once.
            if addresses.contains(&upcoming.pc) && last != Some(upcoming.issued) {
                let values = self.registers.iter().map(|&number| upcoming.cell(number)).collect();
                found.push((upcoming.cycle, upcoming.pc, values));
                last = Some(upcoming.issued);
            }
            found.len() >= self.count
        });
        machine.cut(false, &[]);
        stop.cause == StopCause::CycleLimit && found.len() < self.count
    }
}
