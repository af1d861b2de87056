//! A call of a function with other arguments and other memory than the program gave it.

use cocrypt_ir::Width;
use cocrypt_isa::Convention;
use cocrypt_taint::{Follow, Halt, Outside, Program};

use crate::machine::Machine;

/// The arguments of a function's call; all else is as the machine has it.
#[derive(Clone, Debug, Default)]
pub struct Trial {
    /// Words of arguments, by their places among those in registers.
    pub arguments: Vec<(usize, u64)>,
    /// The contents of memory, which is added where the machine has none.
    pub writes: Vec<(u32, Vec<u8>)>,
    /// The memory that is looked at afterwards: addresses and sizes.
    pub reads: Vec<(u32, u32)>,
    /// Instructions at most.
    pub limit: u64,
}

/// The outcome.
#[derive(Clone, Debug)]
pub struct Tried {
    /// True if the function returned.
    pub returned: bool,
    /// Instructions that ran.
    pub instructions: u64,
    /// The bytes that were looked at; nothing where no memory has all of them.
    pub contents: Vec<Option<Vec<u8>>>,
    /// The word that it returned.
    pub result: u64,
}

/// Nothing beyond memory answers.
struct Nothing;

impl Outside for Nothing {
    fn load(&mut self, _address: u32, _width: Width) -> Option<u64> {
        None
    }

    fn store(&mut self, _address: u32, _width: Width, _value: u64) -> Option<bool> {
        None
    }
}

impl Machine {
    /// Calls the function that the machine is about to run, on a copy of its state; the machine stays as it
    /// is.
    #[must_use]
    pub fn attempt(&self, trial: &Trial) -> Tried {
        let engine = self.engine();
        let convention = &self.instructions().convention;
        let mut cells = engine.cells().to_vec();
        for &(place, value) in &trial.arguments {
            set(convention, &mut cells, place, value);
        }
        let mut memory = self.memory();
        for (address, bytes) in &trial.writes {
            if !memory.put(*address, bytes) {
                memory = memory.and(*address, bytes.clone());
            }
        }
        let program = Program {
            pc: engine.pc(),
            mode: engine.mode(),
            cells,
            memory,
            entry: None,
            until_return: true,
        };
        let wait = self.ram().data_wait;
        let mut follow = Follow::new(engine.frontend(), engine.timing(), wait, program);
        let halt = follow.run(trial.limit, &mut Nothing);
        let contents =
            trial.reads.iter().map(|&(at, size)| follow.memory().bytes(at, size as usize));
        Tried {
            returned: halt == Halt::Returned,
            contents: contents.collect(),
            result: result(convention, &follow),
            instructions: follow.report(halt).instructions,
        }
    }
}

/// Bits of a register that takes part of a word.
fn bits(convention: &Convention) -> u32 {
    8 * u32::from(convention.word) / u32::from(convention.registers)
}

fn set(convention: &Convention, cells: &mut [u64], place: usize, value: u64) {
    let Some(&first) = convention.arguments.get(place) else { return };
    let bits = bits(convention);
    for part in 0..u32::from(convention.registers) {
        let cell = usize::from(first) + part as usize;
        cells[cell] = value >> (bits * part) & ((1 << bits) - 1);
    }
}

fn result(convention: &Convention, follow: &Follow<'_>) -> u64 {
    let first = convention.results.first().copied().unwrap_or_default();
    let parts = (0..convention.registers).map(|part| {
        follow.cell(cocrypt_ir::Slot(first + u16::from(part)))
            << (bits(convention) * u32::from(part))
    });
    parts.fold(0, |all, part| all | part)
}
