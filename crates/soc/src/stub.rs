//! Registers that nobody models, where the user lets a program touch them: a read gives what was last
//! written there, 0 at first. Nothing else happens, so that what waits for such a register waits for ever.

use std::collections::BTreeMap;

use cocrypt_isa::Written;

/// The uses of a register by a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stub {
    /// The number of times that it read it.
    pub reads: u64,
    /// The number of times that it wrote it.
    pub writes: u64,
    value: u32,
}

/// The registers that a program has touched, by their addresses.
#[derive(Clone, Debug, Default)]
pub struct Stubs(BTreeMap<u32, Stub>);

impl Stubs {
    /// The contents of the register at an address.
    pub fn read(&mut self, address: u32) -> u32 {
        let stub = self.0.entry(address).or_default();
        stub.reads += 1;
        stub.value
    }

    /// Writes the register at an address.
    pub fn write(&mut self, address: u32, written: Written) {
        let stub = self.0.entry(address).or_default();
        stub.writes += 1;
        stub.value = written.over(stub.value);
    }

    /// All of them, in order of addresses.
    pub fn touched(&self) -> impl Iterator<Item = (u32, Stub)> {
        self.0.iter().map(|(&address, &stub)| (address, stub))
    }
}
