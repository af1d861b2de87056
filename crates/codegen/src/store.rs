//! Compiled code that is kept beyond the process that compiled it.
//!
//! It is found by all that it was made from: the function as it was built for the compiler, the compiler's
//! version, and the host with its features and the compiler's settings. So nothing that an engine or a machine
//! has in common with another one needs to be known here, and code of another engine is found only where that
//! would make the same. Addresses of a process are not part of a function; they are symbols.

use std::fmt;
use std::hash::{Hash, Hasher};

use cranelift_codegen::VERSION;
use cranelift_codegen::ir::Function;
use cranelift_codegen::isa::TargetIsa;
use sha2::{Digest, Sha256};

/// The version of the entries' form.
pub(crate) const FORM: u32 = 1;

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

    pub(crate) fn of(function: &Function, target: &dyn TargetIsa) -> Self {
        Self::by((FORM, VERSION), function, target)
    }

    /// The key for which a form of entries and a compiler's version look.
    pub(crate) fn by(version: (u32, &str), function: &Function, target: &dyn TargetIsa) -> Self {
        let mut hash = Hashing(Sha256::new());
        (version, target.name()).hash(&mut hash);
        target.triple().hash(&mut hash);
        target.flags().hash(&mut hash);
        target.isa_flags_hash_key().hash(&mut hash);
        function.stencil.hash(&mut hash);
        for name in function.params.user_named_funcs().values() {
            name.hash(&mut hash);
        }
        Self(hash.0.finalize().into())
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
struct Hashing(Sha256);

impl Hasher for Hashing {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(&self) -> u64 {
        unreachable!("the whole hash is taken")
    }
}
