//! Executable memory.

use memmap2::{Mmap, MmapMut};

use crate::coherence;
use crate::compiler::CompileError;

/// A compiled function.
#[derive(Debug)]
pub struct Code {
    memory: Mmap,
}

impl Code {
    pub(crate) fn new(bytes: &[u8]) -> Result<Self, CompileError> {
        let mut memory = MmapMut::map_anon(bytes.len())?;
        memory.copy_from_slice(bytes);
        let memory = memory.make_exec()?;
        coherence::publish(&memory);
        Ok(Self { memory })
    }

    /// The address at which the function starts. It stays valid as long as this value lives.
    #[must_use]
    pub fn address(&self) -> u64 {
        self.memory.as_ptr() as u64
    }

    /// Its size in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.memory.len()
    }

    /// Calls the function with two arguments, by the host's own convention.
    ///
    /// # Safety
    /// The function was compiled with [`crate::Convention::Host`], takes two 64-bit arguments and
    /// returns one 64-bit value; whatever memory it reaches, through its arguments or through
    /// addresses compiled into it, is there and nobody else's while it runs.
    #[must_use]
    pub unsafe fn call(&self, first: u64, second: u64) -> u64 {
        coherence::receive();
        // SAFETY: the memory holds a whole function of this type, as the caller promises.
        unsafe {
            let function: extern "C" fn(u64, u64) -> u64 =
                std::mem::transmute(self.memory.as_ptr());
            function(first, second)
        }
    }
}
