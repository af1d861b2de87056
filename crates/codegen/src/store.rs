//! Compiled code that is kept beyond the process that compiled it.
//!
//! It is found by all that it is made from, as its user describes that ([`Compiler::key`](crate::Compiler::key)), and by
//! the compiler's version, the host with its features and the compiler's settings. Addresses of a process are not part
//! of a function; they are symbols.

use std::fmt;
use std::hash::{Hash, Hasher};

use cranelift_codegen::VERSION;
use cranelift_codegen::isa::TargetIsa;
use sha2::{Digest, Sha256};

/// The version of the entries' form.
pub(crate) const FORM: u32 = 2;

/// A place for compiled code. What it loses is compiled again; what it returns is checked against damage, but
/// not against malice: it must not return what others could have written.
pub trait Store: Send + Sync {
    /// The entry that was kept for a key, if it is still there.
    fn find(&self, key: &Key) -> Option<Vec<u8>>;
    /// Keeps an entry for a key, in place of an earlier one.
    fn keep(&self, key: &Key, entry: &[u8]);
}

/// The hash of everything that a function's machine code depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key([u8; 32]);

impl Key {
    #[cfg(test)]
    pub(crate) const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The key of anything that is described completely.
    #[must_use]
    pub fn of(description: &impl Hash) -> Self {
        let mut hash = Hashing::default();
        description.hash(&mut hash);
        hash.key()
    }

    /// The key of what is compiled from a description for a host.
    pub(crate) fn of_code(description: &impl Hash, target: &dyn TargetIsa) -> Self {
        Self::by((FORM, VERSION), description, target)
    }

    /// The key for which a form of entries and a compiler's version look.
    pub(crate) fn by(
        version: (u32, &str),
        description: &impl Hash,
        target: &dyn TargetIsa,
    ) -> Self {
        let mut hash = Hashing::default();
        (version, target.name()).hash(&mut hash);
        target.triple().hash(&mut hash);
        target.flags().hash(&mut hash);
        target.isa_flags_hash_key().hash(&mut hash);
        description.hash(&mut hash);
        hash.key()
    }

    /// Its bytes.
    #[must_use]
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// A cryptographic hash of what is hashed, since programs that one does not trust may choose it.
///
/// Numbers are hashed in as few bytes as they need, with a bit in each that says whether another one follows: most of
/// a description are small numbers, and the host may have no instructions for this hash.
#[derive(Default)]
struct Hashing {
    hash: Sha256,
    pending: Vec<u8>,
}

/// Bytes that are hashed at once.
const AT_ONCE: usize = 4096;

impl Hashing {
    fn number(&mut self, mut value: u64) {
        while value > 0x7f {
            self.pending.push(value.to_le_bytes()[0] | 0x80);
            value >>= 7;
        }
        self.pending.push(value.to_le_bytes()[0]);
        if self.pending.len() >= AT_ONCE {
            self.flush();
        }
    }

    fn flush(&mut self) {
        self.hash.update(&self.pending);
        self.pending.clear();
    }

    fn key(mut self) -> Key {
        self.flush();
        Key(self.hash.finalize().into())
    }
}

impl Hasher for Hashing {
    fn write(&mut self, bytes: &[u8]) {
        self.flush();
        self.hash.update(bytes);
    }

    fn write_u8(&mut self, value: u8) {
        self.number(value.into());
    }

    fn write_u16(&mut self, value: u16) {
        self.number(value.into());
    }

    fn write_u32(&mut self, value: u32) {
        self.number(value.into());
    }

    fn write_u64(&mut self, value: u64) {
        self.number(value);
    }

    fn write_usize(&mut self, value: usize) {
        self.number(value as u64);
    }

    /// Negative numbers are the large ones.
    fn write_isize(&mut self, value: isize) {
        self.number(value.cast_unsigned() as u64);
    }

    fn write_i32(&mut self, value: i32) {
        self.number(u64::from(value.cast_unsigned()));
    }

    fn finish(&self) -> u64 {
        unreachable!("the whole hash is taken")
    }
}
