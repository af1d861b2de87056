//! A machine's program followed with its secrets: what somebody could see of them from outside.

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
        let mut memory = Memory::new(self.ram().base(), self.ram().bytes().to_vec());
        for &(address, size) in secrets {
            if !memory.hide(address, size as usize) {
                return Err(LoadError { address, size: size as usize });
            }
        }
        let engine = self.engine();
        let program = Program { pc: engine.pc(), cells: engine.cells().to_vec(), memory };
        let wait = self.ram().data_wait;
        let follow = Follow::new(engine.frontend(), engine.timing(), wait, program);
        Ok(follow.run(limit, &mut Surroundings(self)))
    }
}
