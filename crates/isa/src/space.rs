//! Address translation: how the addresses of a program lead to memory.

/// What a front end needs to know to translate addresses, taken from the guest state; a number of it
/// that changes says that all translations are void.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Space {
    /// Where the first table of pages is.
    pub table: u32,
    /// The rights of domains.
    pub domains: u32,
    /// What else decides about rights.
    pub control: u32,
    /// How often the program has said that translations are void.
    pub age: u32,
    /// Whether the program has more rights than users.
    pub privileged: bool,
}

/// What an access is made for.
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
    /// Where it lies in memory.
    pub to: u32,
    /// Why it refuses reads, and why it refuses writes, as the core's fault status has it; nothing where
    /// it does not.
    pub refuses: [Option<u32>; 2],
}

impl Page {
    /// Whether it holds an address.
    #[must_use]
    pub const fn holds(&self, address: u32) -> bool {
        address & !(self.size - 1) == self.from
    }

    /// Where an address of it lies in memory.
    #[must_use]
    pub const fn leads(&self, address: u32) -> u32 {
        self.to | address & (self.size - 1)
    }

    /// Why it refuses an access, if it does.
    #[must_use]
    pub const fn refusal(&self, purpose: Purpose) -> Option<u32> {
        self.refuses[matches!(purpose, Purpose::Write) as usize]
    }
}
