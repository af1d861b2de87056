//! Address translation: how the addresses of a program lead to memory.

/// The parameters of address translation, taken from the guest state; a number of it that changes says that
/// all translations are void.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Space {
    /// The address of the first-level page table.
    pub table: u32,
    /// The rights of domains.
    pub domains: u32,
    /// The other state that decides about rights.
    pub control: u32,
    /// The number of times that the program has said that translations are void.
    pub age: u32,
    /// True if the program has more rights than users.
    pub privileged: bool,
}

/// The purpose of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A load.
    Read,
    /// A store.
    Write,
    /// An instruction.
    Fetch,
}

/// A page: addresses that are translated alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Its first address.
    pub from: u32,
    /// Its size in bytes, a power of two.
    pub size: u32,
    /// Its physical address.
    pub to: u32,
    /// The core's fault status of refused reads and of refused writes; nothing where it does not.
    pub refuses: [Option<u32>; 2],
}

impl Page {
    /// Returns true if it holds an address.
    #[must_use]
    pub const fn holds(&self, address: u32) -> bool {
        address & !(self.size - 1) == self.from
    }

    /// The physical address of an address in it.
    #[must_use]
    pub const fn leads(&self, address: u32) -> u32 {
        self.to | address & (self.size - 1)
    }

    /// The fault status with which it refuses an access, if it does.
    #[must_use]
    pub const fn refusal(&self, purpose: Purpose) -> Option<u32> {
        self.refuses[matches!(purpose, Purpose::Write) as usize]
    }
}
