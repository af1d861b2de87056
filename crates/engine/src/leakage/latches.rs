//! The state of buses and result latch between instructions, which transitions are counted from.

use super::MemoryAccess;
use super::model::KindModel;

/// The last value of each shared source.
#[derive(Clone, Debug, Default)]
pub struct Latches {
    operands: [u64; 2],
    result: u64,
    address: u64,
    data: u64,
}

impl Latches {
    /// Registers that an instruction reads go to the two ports in turn.
    pub fn operands(&mut self, model: &KindModel, values: &[u64]) -> i64 {
        let mut sum = 0;
        for (number, &value) in values.iter().enumerate() {
            let port = number % 2;
            let replaced = std::mem::replace(&mut self.operands[port], value);
            sum += model.operands[port].of(value, replaced);
        }
        sum
    }

    /// An access drives the address and the data bus; a write also replaces a content.
    pub fn access(&mut self, model: &KindModel, access: &MemoryAccess) -> i64 {
        let address = u64::from(access.address);
        let (before, data) = (self.address, self.data);
        (self.address, self.data) = (address, access.value);
        let memory = access.replaced.map_or(0, |content| model.memory.of(access.value, content));
        model.address.of(address, before) + model.data.of(access.value, data) + memory
    }

    /// A register takes a value.
    pub fn write(&mut self, model: &KindModel, value: u64, content: u64) -> i64 {
        let before = std::mem::replace(&mut self.result, value);
        model.result.of(value, before) + model.register.of(value, content)
    }
}
