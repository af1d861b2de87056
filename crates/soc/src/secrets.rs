//! Static analysis of a machine's program: what of secrets somebody could see from outside, and how much
//! stack it can need at most.

use cocrypt_depth::{Depth, Unbounded};
use cocrypt_ir::Width;
use cocrypt_taint::{Follow, Memory, Outside, Program, Report};

use crate::bus::Target;
use crate::machine::{LoadError, Machine};

/// The machine's bus as far as a followed program reaches it: what it reads there is public, and 0.
struct Surroundings<'a>(&'a Machine);

impl Outside for Surroundings<'_> {
    fn load(&mut self, address: u32, _width: Width) -> Option<u64> {
        self.0.target(address).map(|_| 0)
    }

    fn store(&mut self, address: u32, _width: Width, _value: u64) -> Option<bool> {
        self.0.target(address).map(|target| !matches!(target, Target::Exit))
    }
}

impl Machine {
    /// Runs a copy of the program, for so many instructions at most, and says what it does with the
    /// bytes at these addresses, each with its size. The machine itself stays as it is.
    ///
    /// # Errors
    /// If some of them do not lie in the main memory.
    pub fn follow(&self, secrets: &[(u32, u32)], limit: u64) -> Result<Report, LoadError> {
        let mut memory = self.memory();
        for &(address, size) in secrets {
            if !memory.hide(address, size as usize) {
                return Err(LoadError { address, size: size as usize });
            }
        }
        let engine = self.engine();
        let (pc, mode) = (engine.pc(), engine.mode());
        let program = Program { pc, mode, cells: engine.cells().to_vec(), memory };
        let wait = self.ram().data_wait;
        let follow = Follow::new(engine.frontend(), engine.timing(), wait, program);
        Ok(follow.run(limit, &mut Surroundings(self)))
    }

    /// Bytes below the caller's stack pointer that a function can reach, with all that it calls; of the
    /// instruction set that the machine stands in.
    ///
    /// # Errors
    /// Why there is no bound.
    pub fn stack_bound(&self, function: u64) -> Result<u64, Unbounded> {
        let (engine, memory) = (self.engine(), self.memory());
        Depth::new(engine.frontend(), &memory).of(function, engine.mode())
    }

    /// The contents of the machine's memories, none of it secret.
    fn memory(&self) -> Memory {
        let memory = Memory::new(self.ram().base(), self.ram().bytes().to_vec());
        match self.ram().rom() {
            Some(rom) => memory.beside(rom.range().0, rom.bytes().to_vec()),
            None => memory,
        }
    }
}
